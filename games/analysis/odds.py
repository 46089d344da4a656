"""Answers about a hand: how safe is this card, how many tricks is this hand worth, was it a
good bid?

Exact chances are counted and always there; simulated ones need the kernel and raise
:class:`games.analysis.NotReady` without it. In both, all unseen deals are equally likely; in
simulated rounds the seat itself counts cards and aims at its bid, the others follow the tips.
Worlds of simulated chances respect proven voids, the exact ones do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from games.analysis import require
from games.analysis.counting import Safety, safety
from games.analysis.knowledge import read
from games.analysis.outcomes import Outcome
from games.rules import HAND_SIZE, Bid, Move, Observation, Play, Round, Variant, hook, observe

BIDS = tuple(Bid(number) for number in range(HAND_SIZE + 1))


@dataclass(frozen=True, slots=True)
class Promise:
    """What one legal play promises: the exact safety of the card, and simulated rounds."""

    play: Play
    safety: Safety
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class BidForecast:
    """What a hand promises before it is played: ``bids[b]`` are simulated rounds in which the
    seat bids b, for 0 to 8, also the ``forbidden`` one (the dealer's hook)."""

    bids: tuple[Outcome, ...]
    forbidden: int | None = None

    @property
    def best(self) -> int:
        """The allowed bid with the highest expected points."""
        allowed = [b for b in range(len(self.bids)) if b != self.forbidden]
        return max(allowed, key=lambda b: self.bids[b].expected)


def promises(
    observation: Observation, *, worlds: int = 2_000, seed: int
) -> tuple[Promise, ...]:
    """What each play that is legal now promises, in the order of ``observation.legal``.

    Raises Contradiction, NotReady, ValueError (not the seat's turn to play; too many worlds),
    and ``jobs.Cancelled``.
    """
    plays = [move for move in observation.legal if isinstance(move, Play)]
    if not plays:
        raise ValueError("it is not this seat's turn to play")
    outcomes = _simulated(observation, plays, worlds, seed)
    return tuple(
        Promise(play, safety(observation, play), outcome)
        for play, outcome in zip(plays, outcomes, strict=True)
    )


def forecast(observation: Observation, *, worlds: int = 2_000, seed: int) -> BidForecast:
    """The forecast of each bid of a seat that has not bid yet, the same errors as promises().
    Seats that have not bid either are taken to follow the encyclopedia's tip."""
    if observation.seat is None:
        raise ValueError("a watcher has no hand")
    has_bid = observation.bids[observation.seat] is not None
    if observation.variant is not Variant.BID or has_bid:
        raise ValueError("a forecast is made before the seat's bid")
    outcomes = _simulated(observation, BIDS, worlds, seed)
    return BidForecast(outcomes, forbidden_bid(observation))


def _simulated(
    observation: Observation, moves: Sequence[Move], worlds: int, seed: int
) -> tuple[Outcome, ...]:
    """The outcome of each move in worlds that agree with what the seat knows."""
    require()
    from games.analysis.simulation import WorldSampler, simulate

    sampler = WorldSampler(read(observation), observation.hand)
    return simulate(
        observation,
        lambda count, own: sampler.deal(count, seed=own),
        moves,
        worlds=worlds,
        seed=seed,
    )


def seed_of(observation: Observation) -> int:
    """A seed that the observation alone determines: whoever sees the same gets the same."""
    return int.from_bytes(sha256(repr(observation).encode()).digest()[:8], "big") >> 1


def forbidden_bid(observation: Observation) -> int | None:
    """The hook, where the observation's seat is the dealer and all others have bid."""
    return hook(observation.bids) if observation.seat == observation.dealer else None


def hindsight(round: Round, seat: int, *, worlds: int = 1_000, seed: int) -> BidForecast:
    """The forecast, in hindsight, of each bid of this seat in a finished round of Play to Bid.

    The cards lie as they were dealt and the other bids stand; the play is simulated, so that
    ``worlds`` are repetitions here. Raises NotReady; ValueError for a round that is not a
    finished one of bids, or too many worlds.
    """
    if not round.is_over or round.variant is not Variant.BID:
        raise ValueError("only a finished round of Play to Bid can be looked back on")
    require()
    from games.analysis.simulation import simulate, world_of

    played = [play for trick in round.tricks for play in trick.plays]
    begun = Round.start(
        variant=round.variant,
        hands=[[card for s, card in played if s == each] for each in range(round.seats)],
        dealer=round.dealer,
    )
    bids = tuple(None if s == seat else bid for s, bid in enumerate(round.bids))
    observation = observe(replace(begun, bids=bids), seat)
    world = world_of(begun)
    outcomes = simulate(
        observation,
        lambda count, _: world.repeat(count, axis=0),
        BIDS,
        worlds=worlds,
        seed=seed,
    )
    return BidForecast(outcomes, forbidden_bid(observation))
