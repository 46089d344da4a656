"""Bots: what to do, from an Observation alone.

``random`` plays any legal move. ``tip-printed`` and ``tip-wikipedia`` follow the printed and
the encyclopedia's tips; they differ only in the bid. They are the yardstick that stronger
bots are measured with, so their play does not change. ``counter`` counts cards; ``expert``
plays many worlds to their end, and is ``counter`` while the kernel is not loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from games import analysis
from games.analysis import counter
from games.analysis.outcomes import Choice
from games.rules import Bid, Card, Move, Observation, Play, Variant

Rating = Callable[[Play], float]

SECONDS = 0.25
"""After so long ``expert`` begins nothing further: under load it thinks less, never late."""


def choose(
    observation: Observation, *, level: str, rng: Random, seconds: float | None = None
) -> Move:
    """The move that a bot of this level (a key of ``LEVELS``) makes now: see :func:`decide`."""
    return decide(observation, level=level, rng=rng, seconds=seconds).move


def decide(
    observation: Observation, *, level: str, rng: Random, seconds: float | None = None
) -> Choice:
    """The same with its reason in numbers.

    ``observation`` is the seat's own, with its turn; ties are settled by ``rng``. ``seconds``
    (SECONDS) limit an expert's thinking; without a limit (inf) ``rng`` decides all. ``level``
    may be one of ``KEPT``, too. KeyError for a level that does not exist, ValueError where it
    is not the seat's turn.
    """
    if not observation.legal:
        raise ValueError("it is not this seat's turn")
    by_level = KEPT.get(level) or LEVELS[level_now(level)]
    return by_level(observation, rng, SECONDS if seconds is None else seconds)


def _at_random(observation: Observation, rng: Random, _seconds: float) -> Choice:
    return Choice(rng.choice(observation.legal))


def _by_tip(
    bid_of: Callable[[Sequence[Card]], int],
    observation: Observation,
    rng: Random,
    _seconds: float,
) -> Choice:
    if isinstance(observation.legal[0], Bid):
        return Choice(_bid(bid_of(observation.hand), observation.legal))
    return Choice(_play(observation, rng))


def _by_counting(observation: Observation, _rng: Random, _seconds: float) -> Choice:
    return counter.decide(observation)


def _by_simulation(observation: Observation, rng: Random, seconds: float) -> Choice:
    from games.analysis import expert

    return expert.decide(observation, seed=rng.getrandbits(63), seconds=seconds)


def _play(observation: Observation, rng: Random) -> Play:
    plays = [move for move in observation.legal if isinstance(move, Play)]
    wanting = _wants_trick(observation)
    trick = observation.trick
    if trick is None or trick.call is None:
        return _pick(plays, _lead_strength, rng, highest=wanting)
    if not plays[0].card.shows(trick.call):
        return _pick(plays, _value, rng, highest=not wanting)
    best = max(card.value for _, card in trick.plays if card.shows(trick.call))
    is_last = len(trick.plays) == observation.seats - 1
    return _follow(plays, best, wanting, is_last, rng)


def printed_bid(hand: Sequence[Card]) -> int:
    """One for each card of value 9 or more."""
    return sum(card.value >= 9 for card in hand)


def wikipedia_bid(hand: Sequence[Card]) -> int:
    """One for each 12 or 11, and one for every two cards among 10s and 9s."""
    values = [card.value for card in hand]
    return sum(value >= 11 for value in values) + sum(value in (9, 10) for value in values) // 2


LEVELS: dict[str, Callable[[Observation, Random, float], Choice]] = {
    "random": _at_random,
    "tip-printed": partial(_by_tip, printed_bid),
    "tip-wikipedia": partial(_by_tip, wikipedia_bid),
    "counter": _by_counting,
    "expert": _by_simulation,
}
"""Every level, weakest first."""

KEPT = {"counter-1": _by_counting}
"""Levels whose every answer is kept for ever, for homework: the same plays meet the same ones
on every machine, in every version (``tests/analysis/homework_answers.json``). Whoever changes
how ``counter`` plays keeps this one as it is and adds the next."""

HOMEWORK = "counter-1"
"""Of these the one that homework is given out with."""

DEFAULT_LEVEL = "tip-wikipedia"

SIMULATING, COUNTING = "expert", "counter"


def level_now(level: str) -> str:
    """The level that a bot of this level has at present: until simulations can be run, experts
    count cards."""
    return COUNTING if level == SIMULATING and not analysis.ready() else level


def _bid(wish: int, legal: Sequence[Move]) -> Bid:
    if Bid(wish) in legal:
        return Bid(wish)
    return Bid(wish - 1 if wish else 1)


def _wants_trick(observation: Observation) -> bool:
    seat = observation.seat
    assert seat is not None  # only a seat has legal moves
    bid = observation.bids[seat]
    if bid is None:
        return observation.variant is Variant.WIN
    return observation.taken[seat] < bid


def _value(play: Play) -> int:
    return play.card.value


def _lead_strength(play: Play) -> int:
    assert play.call is not None
    return 5 * play.card.value - 6 * play.call.number


def _follow(
    plays: Sequence[Play], best: int, wanting: bool, is_last: bool, rng: Random
) -> Play:
    """A follow holding the call: a card of at least the best value so far would take it."""
    taking = [play for play in plays if play.card.value >= best]
    ducking = [play for play in plays if play.card.value < best]
    if wanting:
        if not taking:
            return _pick(ducking, _value, rng, highest=False)
        return _pick(taking, _value, rng, highest=not is_last)
    if ducking:
        return _pick(ducking, _value, rng, highest=True)
    return _pick(taking, _value, rng, highest=is_last)


def _pick(plays: Sequence[Play], rating: Rating, rng: Random, *, highest: bool) -> Play:
    best = (max if highest else min)(map(rating, plays))
    return rng.choice([play for play in plays if rating(play) == best])
