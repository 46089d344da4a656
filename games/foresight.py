"""What a seat could foresee at a turn, simulated on a thread kept for it.

From the seat's observation alone, by a seed drawn from it: the same observation gives the
same figures, whoever asks and when. What nobody waits for any more is given up.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from threading import Lock

from games import analysis
from games.analysis.odds import Forecast, Promise, forecast, promises, seed_of
from games.rules import (
    HAND_SIZE,
    Bid,
    Card,
    Move,
    Observation,
    Trick,
    legal_bids,
    legal_plays,
    observe,
    parse_card,
    parse_move,
)
from games.selectors import TableState

WORLDS = 2_000
"""Simulated deals behind a figure; half as many where more than ten moves are weighed."""

Foresight = Forecast | tuple[Promise, ...]
"""What the bids of a hand promise, or each legal play."""

_POOL = ThreadPoolExecutor(max_workers=1, thread_name_prefix="odds")

_KEPT = 500
_known: OrderedDict[Observation, Foresight] = OrderedDict()
_lock = Lock()


@dataclass(frozen=True, slots=True)
class Moment:
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


def moments(
    seen: Observation, hand: Sequence[Card], moves: Sequence[tuple[int, str]]
) -> dict[int, Moment]:
    """The seat's turns among these moves of a round (as seat and text), by their number.

    Rebuilt from what the seat saw alone: ``seen`` says who sits where, ``hand`` is what it was
    dealt.
    """
    seat, seats = seen.seat, seen.seats
    assert seat is not None
    found: dict[int, Moment] = {}
    bids: list[int | None] = [None] * seats
    tricks: list[Trick] = []
    trick, held = Trick(leader=(seen.dealer + 1) % seats), list(hand)
    for number, (mover, text) in enumerate(moves):
        move = parse_move(text)
        if mover == seat:
            is_bid = isinstance(move, Bid)
            laid = {player for player, _ in trick.plays}
            found[number] = Moment(
                replace(
                    seen,
                    to_move=seat,
                    hand=tuple(held),
                    legal=legal_bids(bids) if is_bid else legal_plays(held, trick.call),
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
            held.remove(move.card)
        plays = (*trick.plays, (mover, move.card))
        trick = replace(trick, call=trick.call or move.call, plays=plays)
        if len(plays) == seats:
            tricks.append(trick)
            assert trick.winner is not None
            trick = Trick(leader=trick.winner)
    return found


def moment_of(state: TableState, seat: int, number: int) -> Moment:
    """The seat's turn at this move of the present deal; the next one if it is not yet made."""
    assert state.round is not None
    seen = observe(state.round, seat)
    if number == len(state.moves):
        return Moment(seen, None)
    dealt = [parse_card(code) for code in state.dealt[seat]]
    return moments(seen, dealt, state.moves[: number + 1])[number]


def foresee(
    seen: Observation, *, is_wanted: Callable[[], bool] = lambda: True
) -> Foresight | None:
    """What the observation's seat could foresee at its turn; None once nobody wants it.

    Waits for the thread: not for the event loop. Raises analysis.NotReady.
    """
    with _lock:
        known = _known.get(seen)
    if known is None:
        analysis.require()
        known = _POOL.submit(partial(_simulate, seen, is_wanted)).result()
        if known is not None:
            _remember(seen, known)
    return known


def _remember(seen: Observation, found: Foresight) -> None:
    with _lock:
        _known[seen] = found
        while len(_known) > _KEPT:
            _known.popitem(last=False)


def _simulate(seen: Observation, is_wanted: Callable[[], bool]) -> Foresight | None:
    from games.analysis.simulation import Cancelled

    worlds = WORLDS if len(seen.legal) <= 10 else WORLDS // 2
    ask = forecast if isinstance(seen.legal[0], Bid) else promises
    try:
        return ask(seen, worlds=worlds, seed=seed_of(seen), cancelled=lambda: not is_wanted())
    except Cancelled:
        return None
