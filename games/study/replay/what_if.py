"""Another move in the place of one that was made: the same cards to another end, and the same
turn in ten thousand deals that look the same from the seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.analysis import counter
from games.analysis.again import Comparison, deal_again
from games.analysis.odds import seed_of
from games.rules import (
    HAND_SIZE,
    Bid,
    Move,
    Observation,
    Variant,
    move_text,
    observe,
    parse_move,
)
from games.study.odds.words import play_words
from games.study.replay.lines import Line
from games.words import number, percent, points_words, short_outcome_words, tricks_words, whole

# Only this card.


def other_line(line: Line, moment: int, text: str) -> Line | None:
    """The line with this move at that moment, and bots that count cards on all seats from there
    on; None where the move may not be made, or was. They leave nothing to chance."""
    if not 0 <= moment < line.last or line.moves[moment][1] == text:
        return None
    round_, move = line.rounds[moment], parse_or_none(text)
    if move is None or move not in round_.legal_moves():
        return None
    moves = [*line.moves[:moment], (line.moves[moment][0], move_text(move))]
    round_ = round_.apply(move)
    while (seat := round_.to_move) is not None:
        move = counter.decide(observe(round_, seat)).move
        moves.append((seat, move_text(move)))
        round_ = round_.apply(move)
    return Line(line.start, tuple(moves))


def parse_or_none(text: str) -> Move | None:
    """The move that a text writes, if it writes one."""
    try:
        return parse_move(text)
    except ValueError:
        return None


def both_ends(line: Line, other: Line, seat: int) -> tuple[str, str]:
    """Words on what the round came to for the seat as it was played, and by the other move."""
    one, two = (
        short_outcome_words(end.bids[seat], end.taken[seat])
        for end in (line.rounds[-1], other.rounds[-1])
    )
    return one, two


def move_name(move: Move, observation: Observation) -> str:
    """A move as one says it: "the 9", "a bid of 3"."""
    if isinstance(move, Bid):
        return _("a bid of %(n)d") % {"n": move.number}
    return play_words(move, observation.hand)


def other_moves(line: Line, moment: int) -> tuple[tuple[str, str], ...]:
    """The other moves that the seat in turn could have made, as text and in words."""
    seat, played = line.moves[moment]
    observation = line.observation(moment, seat)
    moves = [(move_text(move), move_name(move, observation)) for move in observation.legal]
    return tuple((text, words) for text, words in moves if text != played)


# Deal it again.

WIDTH, HEIGHT, TALL, STEP = 290, 120, 80, 32
"""Of a histogram: its drawing, its highest bar, and from one number of tricks to the next."""


class TricksBar(NamedTuple):
    """How often so many tricks were taken: where the bar stands, how high, and the share."""

    tricks: int
    x: int
    y: float
    height: float
    share: str


@dataclass(frozen=True, slots=True)
class ComparisonPanel:
    """The move that was made (or any) beside another, in words and as histograms."""

    sentence: str
    precise: str
    histograms: tuple[tuple[str, tuple[TricksBar, ...]], tuple[str, tuple[TricksBar, ...]]]


def moves_to_compare(
    line: Line, moment: int, text: str
) -> tuple[Observation, Move, Move] | None:
    """What is to be compared: the sight of the seat in turn, the move ``text`` and the one that
    was made there; None where it is none of the seat's other moves."""
    if not 0 <= moment < line.last:
        return None
    seat, played = line.moves[moment]
    observation, move = line.observation(moment, seat), parse_move(played)
    other = parse_or_none(text)
    if other is None or other == move or other not in observation.legal:
        return None
    return observation, other, move


def compare(observation: Observation, other: Move, move: Move) -> Comparison:
    """The comparison of the one move with the other, in deals that fit what the seat could
    know. Simulates; raises analysis.NotReady."""
    return deal_again(observation, other, move, seed=seed_of(observation))


def comparison_panel(line: Line, moment: int, comparison: Comparison) -> ComparisonPanel:
    """A comparison as its page shows it: the other move first, the one that was made second."""
    observation = line.observation(moment, line.moves[moment][0])
    assert comparison.one.move is not None
    assert comparison.other.move is not None
    one = move_name(comparison.one.move, observation)
    other = move_name(comparison.other.move, observation)
    is_ahead = comparison.difference >= 0
    brought = points_words if comparison.variant is Variant.BID else tricks_words
    facts = {
        "worlds": whole(comparison.one.worlds),
        "ahead": one if is_ahead else other,
        "behind": other if is_ahead else one,
        "gap": brought(abs(comparison.difference), 2),
        "share": percent(comparison.worse if is_ahead else comparison.better),
        "one": one,
        "other": other,
        "error": number(comparison.error, 2)
        if comparison.error >= 0.005
        else _("under %s") % number(0.01, 2),
    }
    return ComparisonPanel(
        sentence=_comparison_words(comparison) % facts,
        precise=_("Mean difference: %(gap)s, standard error %(error)s (in pairs).") % facts,
        histograms=(
            (one, _trick_bars(comparison.one.tricks)),
            (other, _trick_bars(comparison.other.tricks)),
        ),
    )


def _comparison_words(comparison: Comparison) -> str:
    if abs(comparison.difference) < max(0.05, 2 * comparison.error):
        return _(
            "In %(worlds)s deals that look the same from here, %(one)s and %(other)s did "
            "about equally well."
        )
    return _(
        "In %(worlds)s deals that look the same from here, %(ahead)s did better: by %(gap)s on "
        "average. In %(share)s of them %(behind)s was better."
    )


def _trick_bars(tricks: tuple[int, ...]) -> tuple[TricksBar, ...]:
    most, total = max(tricks), sum(tricks)
    return tuple(
        TricksBar(
            n,
            n * STEP,
            round(TALL + 16 - TALL * count / most, 1),
            round(TALL * count / most, 1),
            percent(count / total, short=True) if count else "",
        )
        for n, count in enumerate(tricks[: HAND_SIZE + 1])
    )
