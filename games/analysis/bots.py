"""Bots: what to do, from an Observation alone.

``random`` plays any legal move. ``tip-printed`` and ``tip-wikipedia`` follow the printed and
the encyclopedia's tips; they differ only in the bid. They are the yardstick that stronger
bots are measured with, so their play does not change. ``careless`` is the second of them but
for every third move, which may be any. ``counter`` counts cards; ``expert``
plays many worlds to their end, and is ``counter`` while the kernel is not loaded. Each bot of
``MISTAKEN`` is a follower of the encyclopedia's tips with one misconception: they are there to
be found out in a lesson, and known to the arena, but nobody is offered a table of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from math import comb
from random import Random

from games import analysis
from games.analysis import counter
from games.analysis.counting import beaters
from games.analysis.knowledge import read
from games.analysis.outcomes import Choice
from games.rules import HAND_SIZE, Bid, Card, Move, Observation, Play, Round, Variant

Rating = Callable[[Play], float]

SECONDS = 0.25
"""After so long ``expert`` begins nothing further: under load it thinks less, never late."""

HURRIED = 0.1
"""With so little it does not read its players, which takes three times as long."""


def choose(
    observation: Observation,
    *,
    level: str,
    rng: Random,
    seconds: float | None = None,
    before: Sequence[Round] = (),
) -> Move:
    """The move that a bot of this level (a key of ``LEVELS``) makes now: see :func:`decide`."""
    return decide(observation, level=level, rng=rng, seconds=seconds, before=before).move


def decide(
    observation: Observation,
    *,
    level: str,
    rng: Random,
    seconds: float | None = None,
    before: Sequence[Round] = (),
) -> Choice:
    """The move that a bot of this level makes now, with its reason in numbers.

    ``observation`` is the seat's own, with its turn; ties are settled by ``rng``. ``seconds``
    (SECONDS) limit an expert's thinking; without a limit (inf) ``rng`` decides all. By rounds
    of the same game that are over (``before``) an expert knows who it plays with. ``level``
    may be one of ``KEPT`` or ``MISTAKEN``, too. KeyError for a level that does not exist,
    ValueError where it is not the seat's turn.
    """
    if not observation.legal:
        raise ValueError("it is not this seat's turn")
    by_level = KEPT.get(level) or MISTAKEN.get(level) or LEVELS[level_now(level)]
    return by_level(observation, rng, SECONDS if seconds is None else seconds, before)


def _at_random(observation: Observation, rng: Random, *_: object) -> Choice:
    return Choice(rng.choice(observation.legal))


@dataclass(frozen=True, slots=True)
class Habit:
    """How a follower of the tips bids, when it wants a trick, and whether it minds the call
    when it leads."""

    bid: Callable[[Observation], int]
    wants: Callable[[Observation], bool]
    minds_call: bool = True

    def moves(self, observation: Observation) -> list[Move]:
        """The move that it would make now, or several that are all the same to it."""
        if isinstance(observation.legal[0], Bid):
            return [_nearest_legal_bid(self.bid(observation), observation.legal)]
        return list(_plays_by_tip(observation, self.wants(observation), self._strength))

    @property
    def _strength(self) -> Rating:
        return _lead_strength if self.minds_call else _value


def _by_habit(habit: Habit, observation: Observation, rng: Random, *_: object) -> Choice:
    moves = habit.moves(observation)
    return Choice(moves[0] if isinstance(moves[0], Bid) else rng.choice(moves))


def _careless_choice(observation: Observation, rng: Random, *_: object) -> Choice:
    if rng.randrange(CARELESS) == 0:
        return _at_random(observation, rng)
    return _by_habit(HABITS["tip-wikipedia"], observation, rng)


def _by_counting(observation: Observation, *_: object) -> Choice:
    return counter.decide(observation)


def _simulated_choice(
    observation: Observation, rng: Random, seconds: float, before: Sequence[Round]
) -> Choice:
    from games.analysis import expert, players

    met, seed = None, rng.getrandbits(63)
    if seconds > HURRIED:
        met = reduce(players.players_after, before, players.strangers(observation.seats))
    return expert.decide(observation, seed=seed, players=met, seconds=seconds)


def _plays_by_tip(observation: Observation, wanting: bool, strength: Rating) -> list[Play]:
    plays = [move for move in observation.legal if isinstance(move, Play)]
    trick = observation.trick
    if trick is None or trick.call is None:
        return _best(plays, strength, highest=wanting)
    if not plays[0].card.shows(trick.call):
        return _best(plays, _value, highest=not wanting)
    best = max(card.value for _, card in trick.plays if card.shows(trick.call))
    is_last = len(trick.plays) == observation.seats - 1
    return _follows(plays, best, wanting, is_last)


def printed_bid(hand: Sequence[Card]) -> int:
    """The printed tip's bid: one for each card of value 9 or more."""
    return sum(card.value >= 9 for card in hand)


def wikipedia_bid(hand: Sequence[Card]) -> int:
    """The encyclopedia's bid: one for each 12 or 11, one for every two among 10s and 9s."""
    values = [card.value for card in hand]
    return sum(value >= 11 for value in values) + sum(value in (9, 10) for value in values) // 2


def four_ninths_bid(_hand: Sequence[Card]) -> int:
    """The bid by a mistaken rule: four of the nine values are 9 or more, so four ninths of
    every hand must be, about 4 of eight cards, whatever it holds and however many play."""
    return round(Fraction(4, 9) * HAND_SIZE)


def likeliest_bid(observation: Observation) -> int:
    """The number of tricks that is likeliest, the smallest of equal ones, where each card takes
    one if nobody else holds a card that beats it, called as it is safest (each card by itself).
    What a number is worth is left out."""
    unseen = read(observation).unseen
    in_hands = HAND_SIZE * (observation.seats - 1)
    ways = [1]  # by number of tricks, over one denominator
    whole = comb(len(unseen), in_hands)
    for card in observation.hand:
        fewest = min(beaters(card, call, unseen) for call in card.calls)
        takes = comb(len(unseen) - fewest, in_hands)
        ways = [
            a * (whole - takes) + b * takes for a, b in zip([*ways, 0], [0, *ways], strict=True)
        ]
    return ways.index(max(ways))


def _wants_trick(observation: Observation) -> bool:
    seat = observation.seat
    assert seat is not None  # only a seat has legal moves
    bid = observation.bids[seat]
    if bid is None:
        return observation.variant is Variant.WIN
    return observation.taken[seat] < bid


def _is_due(observation: Observation) -> bool:
    """Whether a trick is "due": whoever took the last one has had their luck."""
    before = observation.tricks
    return not before or before[-1].winner != observation.seat


def _of_hand(bid_of: Callable[[Sequence[Card]], int]) -> Callable[[Observation], int]:
    return lambda observation: bid_of(observation.hand)


HABITS = {
    "tip-printed": Habit(_of_hand(printed_bid), _wants_trick),
    "tip-wikipedia": Habit(_of_hand(wikipedia_bid), _wants_trick),
    "four-ninths": Habit(_of_hand(four_ninths_bid), _wants_trick),
    "likeliest-number": Habit(likeliest_bid, _wants_trick),
    "value-only": Habit(_of_hand(wikipedia_bid), _wants_trick, minds_call=False),
    "due": Habit(_of_hand(wikipedia_bid), _is_due),
}
"""The followers of the tips, and what is particular about each."""

CARELESS = 3
"""Of so many moves of ``careless`` one is any legal one, on average."""

LEVELS: dict[str, Callable[[Observation, Random, float, Sequence[Round]], Choice]] = {
    "random": _at_random,
    "careless": _careless_choice,
    "tip-printed": partial(_by_habit, HABITS["tip-printed"]),
    "tip-wikipedia": partial(_by_habit, HABITS["tip-wikipedia"]),
    "counter": _by_counting,
    "expert": _simulated_choice,
}
"""Every level that a table is offered with, weakest first."""

AHEAD = {
    "random": -2.8,
    "careless": -0.9,
    "tip-printed": -0.1,
    "tip-wikipedia": 0.0,
    "counter": 0.6,
    "expert": 1.3,
}
"""Points a round of each level ahead of three ``tip-wikipedia``, in Play to Bid: measured;
docs/bots.md has the command and the intervals."""

MISTAKEN = {
    level: partial(_by_habit, HABITS[level])
    for level in ("four-ninths", "likeliest-number", "value-only", "due")
}
"""Bots of one misconception each; the printed tip at a table of four is the fifth."""

KEPT = {"counter-1": _by_counting}
"""Levels whose every answer is kept for ever, for homework: the same plays meet the same ones
on every machine, in every version (``tests/analysis/homework_answers.json``). Whoever changes
how ``counter`` plays keeps this one as it is and adds the next."""

HOMEWORK = "counter-1"
"""Of these the one that homework is given out with."""

DEFAULT_LEVEL = "tip-wikipedia"

SIMULATING, COUNTING, SLIPPING = "expert", "counter", "careless"


def level_now(level: str) -> str:
    """The level that a bot of this level has at present: until simulations can be run, experts
    count cards."""
    return COUNTING if level == SIMULATING and not analysis.ready() else level


def _nearest_legal_bid(wish: int, legal: Sequence[Move]) -> Bid:
    if Bid(wish) in legal:
        return Bid(wish)
    return Bid(wish - 1 if wish else 1)


def _value(play: Play) -> int:
    return play.card.value


def _lead_strength(play: Play) -> int:
    assert play.call is not None
    return 5 * play.card.value - 6 * play.call.number


def _follows(plays: Sequence[Play], best: int, wanting: bool, is_last: bool) -> list[Play]:
    """The plays by the tips among those that hold the call: from ``best`` on they take it."""
    taking = [play for play in plays if play.card.value >= best]
    ducking = [play for play in plays if play.card.value < best]
    if wanting:
        if not taking:
            return _best(ducking, _value, highest=False)
        return _best(taking, _value, highest=not is_last)
    if ducking:
        return _best(ducking, _value, highest=True)
    return _best(taking, _value, highest=is_last)


def _best(plays: Sequence[Play], rating: Rating, *, highest: bool) -> list[Play]:
    best = (max if highest else min)(map(rating, plays))
    return [play for play in plays if rating(play) == best]
