"""What a seat could foresee at a turn, simulated: in jobs (``games.analysis.jobs``), not while
a page waits.

From the seat's observation alone, by a seed drawn from it: the same observation gives the
same figures, whoever asks and when.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from games import analysis
from games.analysis.jobs import remembered
from games.analysis.odds import BidForecast, Promise, forecast, hindsight, promises, seed_of
from games.rules import (
    HAND_SIZE,
    Bid,
    Card,
    Move,
    Observation,
    Play,
    Round,
    Trick,
    legal_bids,
    legal_plays,
    observe,
    parse_card,
    parse_move,
)
from games.tables.state import TableState

WORLDS = 2_000
"""Simulated deals behind the odds of a turn."""

Foresight = BidForecast | tuple[Promise, ...]
"""What the bids of a hand promise, or each legal play."""

Read = tuple[float, ...]
"""Chances of the trick, by what the others bid and played."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a seat: what it saw then, and the move made (None: it is still to move)."""

    observation: Observation
    move: Move | None

    @property
    def is_bid(self) -> bool:
        return bool(self.observation.legal) and isinstance(self.observation.legal[0], Bid)

    @property
    def trick(self) -> int:
        """The number of the trick, from 1."""
        return len(self.observation.tricks) + 1


def seat_turns(
    observation: Observation, hand: Sequence[Card], moves: Sequence[tuple[int, str]]
) -> dict[int, Turn]:
    """The seat's turns among these moves of a round (as seat and text), by their number.

    Rebuilt from what the seat saw alone: ``observation`` says who sits where, ``hand`` is what
    it was dealt.
    """
    seat, seats = observation.seat, observation.seats
    assert seat is not None
    turns: dict[int, Turn] = {}
    bids: list[int | None] = [None] * seats
    tricks: list[Trick] = []
    trick, hand_now = Trick(leader=(observation.dealer + 1) % seats), list(hand)
    for number, (mover, text) in enumerate(moves):
        move = parse_move(text)
        if mover == seat:
            is_bid = isinstance(move, Bid)
            laid = {player for player, _ in trick.plays}
            turns[number] = Turn(
                replace(
                    observation,
                    to_move=seat,
                    hand=tuple(hand_now),
                    legal=legal_bids(bids) if is_bid else legal_plays(hand_now, trick.call),
                    bids=tuple(bids),
                    taken=tuple(sum(t.winner == s for t in tricks) for s in range(seats)),
                    trick=None if is_bid else trick,
                    tricks=tuple(tricks),
                    hand_sizes=tuple(
                        HAND_SIZE - len(tricks) - (s in laid) for s in range(seats)
                    ),
                ),
                move,
            )
        if isinstance(move, Bid):
            bids[mover] = move.number
            continue
        if mover == seat:
            hand_now.remove(move.card)
        plays = (*trick.plays, (mover, move.card))
        trick = replace(trick, call=trick.call or move.call, plays=plays)
        if len(plays) == seats:
            tricks.append(trick)
            assert trick.winner is not None
            trick = Trick(leader=trick.winner)
    return turns


def turn_at(state: TableState, seat: int, number: int) -> Turn:
    """The seat's turn at this move of the present deal; the next one if it is not yet made."""
    assert state.round is not None
    observation = observe(state.round, seat)
    if number == len(state.moves):
        return Turn(observation, None)
    dealt = [parse_card(code) for code in state.dealt[seat]]
    return seat_turns(observation, dealt, state.moves[: number + 1])[number]


def foresee(observation: Observation, *, worlds: int | None = None) -> Foresight:
    """What the observation's seat could foresee at its turn, from so many simulated deals
    (WORLDS; half as many where more than ten moves are weighed). Remembered.

    Simulates. Raises analysis.NotReady, and ``jobs.Cancelled`` in a job that nobody wants.
    """
    analysis.require()
    worlds = worlds or WORLDS
    if len(observation.legal) > 10:
        worlds //= 2
    ask = forecast if isinstance(observation.legal[0], Bid) else promises
    return remembered(
        (observation, worlds),
        lambda: ask(observation, worlds=worlds, seed=seed_of(observation)),
    )


def look_back(round_: Round, seat: int, *, worlds: int) -> BidForecast:
    """The forecast, in hindsight, of each bid of this seat in a finished round of Play to Bid.
    As ``foresee``."""
    analysis.require()
    seed = seed_of(observe(round_, seat))
    task = partial(hindsight, round_, seat, worlds=worlds, seed=seed)
    return remembered((round_, seat, worlds), task)


def chances_read(observation: Observation, plays: Sequence[Play]) -> Read | None:
    """The chance that each of these plays takes the trick, not by all unseen deals alike but by
    what the others bid and played; None where that cannot be told. As ``foresee``."""
    analysis.require()
    from games.analysis import expert

    few, seed = WORLDS // 2, seed_of(observation)
    return remembered(
        (observation, *plays),
        lambda: expert.chances_read(observation, plays, worlds=few, seed=seed),
    )
