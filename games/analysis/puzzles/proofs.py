"""The first solver: why an answer to a puzzle is right.

Leads are counted, held cards follow from voids, the last three tricks are searched whole. Bids
are simulated (``bids``), which is the only thing here that needs the compiled kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import NamedTuple

from games.analysis import bots
from games.analysis.knowledge import Knowledge, read
from games.analysis.paths import tip_play
from games.analysis.puzzles import YOU, Kind, Puzzle
from games.rules import (
    Call,
    Card,
    Move,
    Play,
    Round,
    Trick,
    legal_plays,
    move_text,
    observe,
    parse_move,
)

# The safest lead.


class Lead(NamedTuple):
    """A lead, and the cards that you have not seen which would take the trick from it."""

    play: Play
    beaters: tuple[Card, ...]


def leads(puzzle: Puzzle) -> tuple[Lead, ...]:
    """Every lead that there is with what beats it, in the order of the hand."""
    unseen = read(puzzle.observation).unseen
    every = []
    for play in puzzle.now.legal_moves():
        assert isinstance(play, Play)
        assert play.call is not None
        better = [c for c in unseen if c.value >= play.card.value and c.shows(play.call)]
        every.append(Lead(play, tuple(sorted(better, key=lambda c: (c.value, c.code)))))
    return tuple(every)


# Who can still hold it.


class Proof(NamedTuple):
    """Why a seat cannot hold the card: in which trick (from 1) it laid which other card, though
    such a card would have had to follow."""

    seat: int
    trick: int
    call: Call
    card: Card


def sloughs(puzzle: Puzzle, card: Card | None = None) -> tuple[Proof, ...]:
    """For each seat that cannot hold the card (the one asked for, if no other is said) its
    first slough that proves it."""
    card = card or puzzle.card
    assert card is not None
    proved: dict[int, Proof] = {}
    for number, trick in enumerate(puzzle.now.tricks, start=1):
        assert trick.call is not None
        for seat, laid in trick.plays:
            if seat != YOU and card.shows(trick.call) and not laid.shows(trick.call):
                proved.setdefault(seat, Proof(seat, number, trick.call, laid))
    return tuple(proved[seat] for seat in sorted(proved))


def holders(puzzle: Puzzle, card: Card) -> tuple[int, ...]:
    """The seats that hold the card in at least one deal which fits all that was seen."""
    knowledge = read(puzzle.observation)
    return tuple(
        seat
        for seat in range(puzzle.now.seats)
        if knowledge.rooms[seat]
        and _may_hold(knowledge, seat, card)
        and _is_possible(knowledge, seat, card)
    )


def may_be_undealt(puzzle: Puzzle) -> bool:
    """Whether some deal that fits leaves the card undealt."""
    assert puzzle.card is not None
    knowledge = read(puzzle.observation)
    return knowledge.undealt > 0 and _is_possible(knowledge, None, puzzle.card)


def _may_hold(knowledge: Knowledge, seat: int, card: Card) -> bool:
    return not knowledge.voids[seat].intersection(card.calls)


def _is_possible(knowledge: Knowledge, holder: int | None, wanted: Card) -> bool:
    """Whether the unseen cards can be dealt to the hands with this one there (None: to nobody):
    each place in a hand finds a card of its own, by augmenting paths."""
    rooms = list(knowledge.rooms)
    if holder is not None:
        rooms[holder] -= 1
    others = [card for card in knowledge.unseen if card != wanted]
    holder_of: dict[Card, int] = {}

    def finds_card(seat: int, tried: set[Card]) -> bool:
        for card in others:
            if card in tried or not _may_hold(knowledge, seat, card):
                continue
            tried.add(card)
            if card not in holder_of or finds_card(holder_of[card], tried):
                holder_of[card] = seat
                return True
        return False

    return all(finds_card(seat, set()) for seat, size in enumerate(rooms) for _ in range(size))


# Exactly so many of the last three.


@dataclass(frozen=True, slots=True)
class _Spot:
    """A moment of the end: hands, the trick as it lies, and the tricks still wanted."""

    hands: tuple[tuple[Card, ...], ...]
    trick: Trick
    need: int

    @property
    def turn(self) -> int:
        return (self.trick.leader + len(self.trick.plays)) % len(self.hands)

    @property
    def plays(self) -> tuple[Play, ...]:
        return legal_plays(self.hands[self.turn], self.trick.call)

    def after(self, play: Play) -> _Spot:
        turn = self.turn
        rest = tuple(card for card in self.hands[turn] if card != play.card)
        hands = (*self.hands[:turn], rest, *self.hands[turn + 1 :])
        plays = (*self.trick.plays, (turn, play.card))
        trick = Trick(self.trick.leader, self.trick.call or play.call, plays)
        if len(plays) < len(hands):
            return _Spot(hands, trick, self.need)
        taker = trick.winner
        assert taker is not None
        return _Spot(hands, Trick(taker), self.need - (taker == YOU))


class Ending:
    """The search through all that can follow, whatever the others do."""

    def __init__(self, puzzle: Puzzle) -> None:
        now = puzzle.now
        assert now.trick is not None
        self._begin = _Spot(now.hands, now.trick, puzzle.wanted)
        self._forced: dict[_Spot, bool] = {}
        self._now = now

    @property
    def plays(self) -> tuple[Play, ...]:
        """What you can play now."""
        return self._begin.plays

    def forces(self, play: Play) -> bool:
        """Whether you take exactly what you need after this play, whatever the others do."""
        return self._is_forced(self._begin.after(play))

    def _is_forced(self, spot: _Spot) -> bool:
        left = len(spot.hands[spot.turn])
        if not spot.trick.plays:
            if not 0 <= spot.need <= left:
                return False
            if left == 0:
                return True
        forced = self._forced.get(spot)
        if forced is None:
            ways = (self._is_forced(spot.after(play)) for play in spot.plays)
            forced = self._forced[spot] = any(ways) if spot.turn == YOU else all(ways)
        return forced

    def answers(self, play: Play) -> int:
        """In how many ways the others can answer this forcing play to the end, you going on by
        one plan."""
        return self._lines_to_the_end(self._begin.after(play))

    def _lines_to_the_end(self, spot: _Spot) -> int:
        """In how many ways the round can end from here while you play what forces your bid."""
        if not spot.trick.plays and not spot.hands[spot.turn]:
            return 1
        plays = spot.plays
        if spot.turn == YOU:
            plays = tuple(p for p in plays if self._is_forced(spot.after(p)))[:1]
        return sum(self._lines_to_the_end(spot.after(play)) for play in plays)

    def takes_first(self, play: Play) -> bool | None:
        """Whether you take the trick that this play leads, whatever the others do; None where
        it depends on them."""
        takers, spots = set(), [self._begin.after(play)]
        while spots:
            spot = spots.pop()
            if spot.trick.plays:
                spots += [spot.after(answer) for answer in spot.plays]
            else:
                takers.add(spot.trick.leader == YOU)
        return takers.pop() if len(takers) == 1 else None

    @cached_property
    def size(self) -> int:
        """How many different moments the search has looked at."""
        for play in self.plays:
            self.forces(play)
        return len(self._forced)

    def line(self, *own: Play, to_end: bool = True) -> tuple[Play, ...]:
        """The plays from here to the end, or to your first choice after ``own``: these are your
        plays, but where you have no choice. After them you play what forces your bid; where
        nothing does, the others play so that you miss it, else by the tips. Raises ValueError
        for a play that is not allowed, or is one too many."""
        spot, round_, left = self._begin, self._now, list(own)
        line: list[Play] = []
        while not round_.is_over:
            is_choice = spot.turn == YOU and len(spot.plays) > 1
            if is_choice and not left and not to_end:
                break
            play = left.pop(0) if is_choice and left else self._next_play(spot, round_)
            line.append(play)
            round_ = round_.apply(play)
            spot = spot.after(play)
        if left:
            raise ValueError(f"{len(left)} plays too many")
        return tuple(line)

    def can_miss(self, *own: Play) -> bool:
        """Whether a play of yours after these could let the others make you miss the bid."""
        spot = self._begin
        for play in self.line(*own, to_end=False):
            spot = spot.after(play)
        plays = spot.plays
        if not plays:
            return False
        return any(
            not self._is_forced(spot.after(play)) or self.can_miss(*own, play) for play in plays
        )

    def first_miss(self, *own: Play) -> Play | None:
        """The first of these plays of yours after which the others could make you miss the bid;
        None if there is none."""
        spot = self._begin
        for play in self.line(*own, to_end=False):
            is_own = spot.turn == YOU
            spot = spot.after(play)
            if is_own and not self._is_forced(spot):
                return play
        return None

    def _next_play(self, spot: _Spot, round_: Round) -> Play:
        forced = self._is_forced(spot)
        if spot.turn != YOU and forced:
            return tip_play(round_)
        as_good = [play for play in spot.plays if self._is_forced(spot.after(play)) == forced]
        return as_good[0]


# What is shown with a solution.


def whole_line(puzzle: Puzzle, first: str = "") -> tuple[str, ...]:
    """The moves of the round to its end: those made, the answer (or ``first``), and then what
    the tips say; in the last three tricks, what the others can do."""
    text = first or (puzzle.answer if puzzle.kind is not Kind.HOLD else "")
    if puzzle.kind is Kind.LAST:
        play = parse_move(text)
        assert isinstance(play, Play)
        return (*puzzle.moves, *map(move_text, Ending(puzzle).line(play)))
    return (*puzzle.moves, *_moves_by_the_tips(puzzle.now, text))


def _moves_by_the_tips(round_: Round, first: str) -> Iterator[str]:
    while not round_.is_over:
        move: Move
        if first:
            move, first = parse_move(first), ""
        elif round_.is_bidding:
            move = tip_bid(round_)
        else:
            move = tip_play(round_)
        yield move_text(move)
        round_ = round_.apply(move)


def tip_bid(round_: Round) -> Move:
    """The bid of the seat in turn by the tips; nothing in it is left to chance."""
    observation = observe(round_, round_.to_move)
    return bots.choose(observation, level=bots.DEFAULT_LEVEL, rng=Random(0))  # noqa: S311
