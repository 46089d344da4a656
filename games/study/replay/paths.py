"""The ways that there were to play a finished round from one seat, all hands known: which
counts could be reached against players who follow the tips, and which card closed what.

Hindsight, and told as that: what is held against nobody.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.analysis.jobs import remembered, report
from games.analysis.paths import Reach, one_line, reach, reach_by_play
from games.rules import HAND_SIZE, Play, move_text, parse_move
from games.study.odds.words import play_words
from games.study.replay.lines import Line
from games.words import one_of


class TricksCell(NamedTuple):
    """A number of tricks, and whether it was reachable, bid, taken."""

    tricks: int
    is_reachable: bool
    is_bid: bool
    is_taken: bool


class PlayReach(NamedTuple):
    """A legal play at a turn: what it left reachable, a mark for each of the nine counts."""

    play: Play
    counts: frozenset[int]
    was_played: bool


@dataclass(frozen=True, slots=True)
class TurnPaths:
    """A turn of the seat, at a moment of the line."""

    moment: int
    trick: int
    ways: tuple[PlayReach, ...]

    @property
    def before(self) -> frozenset[int]:
        """The numbers of tricks that could be reached before the card was played."""
        return frozenset().union(*(way.counts for way in self.ways))

    @property
    def after(self) -> frozenset[int]:
        """The numbers of tricks that could be reached after the card was played."""
        return next(way.counts for way in self.ways if way.was_played)

    @property
    def played(self) -> Play:
        return next(way.play for way in self.ways if way.was_played)


@dataclass(frozen=True, slots=True)
class SeatPaths:
    """What the search found for a seat: from its first lead or follow, and turn by turn."""

    counts: frozenset[int]
    turns: tuple[TurnPaths, ...]
    is_whole: bool
    bid: int | None
    taken: int

    @property
    def cells(self) -> tuple[TricksCell, ...]:
        """A cell for each number of tricks: whether it could be reached, was bid, was taken."""
        return tuple(
            TricksCell(n, n in self.counts, n == self.bid, n == self.taken)
            for n in range(HAND_SIZE + 1)
        )


def paths_of(line: Line, seat: int) -> SeatPaths:
    """The paths of this seat in a whole round. Searches; remembered."""
    return remembered(("paths", line.start, line.moves, seat), partial(_searched, line, seat))


def counts_of(line: Line, seat: int) -> Reach:
    """The counts that this seat could reach from its first card on, alone. As ``paths_of``."""
    first = line.rounds[line.tricks[0]]
    return remembered(("reach", line.start, line.moves, seat), partial(reach, first, seat))


def line_to(line: Line, seat: int, count: int) -> Line | None:
    """One line of this deal that comes to so many tricks for the seat, from the same bids on;
    None where none was found. As ``paths_of``."""
    key = "line", line.start, line.moves, seat, count
    return remembered(key, partial(_line_to, line, seat, count))


def _searched(line: Line, seat: int) -> SeatPaths:
    first = line.tricks[0]
    whole = reach(line.rounds[first], seat)
    turns, is_whole = [], whole.is_whole
    for moment in line.turns(seat):
        report(moment, line.last)
        round_ = line.rounds[moment]
        if round_.trick is None:
            continue
        ways = reach_by_play(round_, seat)
        is_whole &= all(way.is_whole for way in ways)
        played = parse_move(line.moves[moment][1])
        turns.append(TurnPaths(moment, len(round_.tricks) + 1, _ways(ways, played)))
    end = line.rounds[-1]
    return SeatPaths(whole.counts, tuple(turns), is_whole, end.bids[seat], end.taken[seat])


def _ways(ways: tuple[Reach, ...], played: object) -> tuple[PlayReach, ...]:
    """A turn's ways; of several calls with one card that leave the same, one alone."""
    marked: list[PlayReach] = []
    for way in ways:
        assert way.play is not None
        marked.append(PlayReach(way.play, way.counts, way.play == played))
    once: dict[object, PlayReach] = {}
    for one in marked:
        key = one.play.card, one.counts
        if key not in once or one.was_played:
            once[key] = one
    return tuple(once.values())


def _line_to(line: Line, seat: int, count: int) -> Line | None:
    first = line.tricks[0]
    try:
        plays = one_line(line.rounds[first], seat, count)
    except ValueError:
        return None
    round_, moves = line.rounds[first], list(line.moves[:first])
    for play in plays:
        assert round_.to_move is not None
        moves.append((round_.to_move, move_text(play)))
        round_ = round_.apply(play)
    return Line(line.start, tuple(moves))


# In words.


def path_sentences(paths: SeatPaths) -> tuple[str, ...]:
    """Sentences on what could be reached, and on which card settled the bid."""
    could = _(
        "With all hands open, this hand could have taken %(counts)s against players who "
        "follow the tips."
    ) % {"counts": one_of(sorted(paths.counts))}
    more = "" if paths.is_whole else _("There may be more ways.")
    return tuple(filter(None, (could, more, _settled_words(paths))))


def _settled_words(paths: SeatPaths) -> str:
    bid = paths.bid
    if bid is None or not paths.turns:
        return ""
    if bid not in paths.counts and not any(bid in turn.before for turn in paths.turns):
        if paths.taken == bid:
            return _("The bid worked because the others played differently.")
        return _("The bid was out of reach from the start.") if paths.is_whole else ""
    if paths.taken == bid:
        sure = next((turn for turn in paths.turns if turn.after == {bid}), None)
        if sure is None or not paths.is_whole:
            return ""
        words = _("The bid was safe after %(card)s in trick %(trick)d.")
        return words % {"card": _card_words(sure), "trick": sure.trick}
    last = [turn for turn in paths.turns if bid in turn.before]
    if not last:
        return ""
    if bid in last[-1].after:
        words = _("The bid was possible up to trick %(trick)d. Then others’ cards ended that.")
    else:
        words = _("The bid was possible before trick %(trick)d. What ended it: %(card)s.")
    return words % {"card": _card_words(last[-1]), "trick": last[-1].trick}


def _card_words(turn: TurnPaths) -> str:
    return play_words(turn.played, [way.play.card for way in turn.ways])
