"""What a viewer may see of a table, as docs/protocol.md tells it: built up from what is
allowed, never cut down from the whole.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from games.rules import DECK, Observation, Trick, Variant, observe, winners
from games.tables.state import TableState
from games.tables.timing import Presence, clock_deadline, is_away, next_round_deadline

# What they may see.


def round_observation(state: TableState, seat: int | None) -> Observation:
    """The rules' observation of the present round, for bots; ValueError while waiting."""
    if state.round is None:
        raise ValueError("no round is being played")
    return observe(state.round, seat)


def public_observation(state: TableState, presence: Presence, now: datetime) -> dict[str, Any]:
    """The protocol's observation as a watcher may see it (docs/protocol.md)."""
    seen = observe(state.round, None) if state.round else None
    deadline = next_round_deadline(state) or clock_deadline(state)
    return {
        "type": "observation",
        "table": state.id,
        "turn": state.turn,
        "seat": None,
        "status": state.status,
        "paused": state.paused,
        "variant": state.variant.value,
        "seats": len(state.seats),
        "round": state.round_number,
        "rounds": state.rounds,
        "dealer": seen.dealer if seen else None,
        "to_move": state.to_move,
        "deadline": deadline.strftime("%Y-%m-%dT%H:%M:%SZ") if deadline else None,
        "players": [
            {
                "name": seat.name,
                "kind": "bot" if seat.is_bot else "person",
                "away": is_away(state, seat.number, presence, now),
                "stand_in": seat.stand_in,
                "ready": seat.ready_at is not None,
            }
            for seat in state.seats
        ],
        "hand": [],
        "legal": [],
        "bids": list(seen.bids) if seen else [],
        "taken": list(seen.taken) if seen else [],
        "trick": _trick(seen.trick) if seen and seen.trick else None,
        "tricks": [{**_trick(t), "winner": t.winner} for t in seen.tricks] if seen else [],
        "hand_sizes": list(seen.hand_sizes) if seen else [],
        "points": [list(row) for row in state.points],
        "totals": list(state.totals) if seen else [],
        "winners": (
            sorted(winners(state.variant, state.totals))
            if state.status == "game_over"
            else None
        ),
        "revealed": _revealed(state),
    }


def odds_about(state: TableState, seat: int) -> int | None:
    """Which move of the present deal (counted from 0) the seat's odds speak of: the one that
    it is to make, else its last; where odds come after the trick, its last in a finished one.
    None where there is none to speak of."""
    if state.odds == "off" or state.round is None:
        return None
    if state.status not in {"bidding", "playing"}:
        return None
    seats = len(state.seats)
    bids = seats if state.variant is Variant.BID else 0
    finished = bids + seats * len(state.round.tricks)
    if state.odds == "always" and state.to_move == seat:
        return len(state.moves)
    span = range(len(state.moves)) if state.odds == "always" else range(bids, finished)
    return next((n for n in reversed(span) if state.moves[n][0] == seat), None)


def odds_turn(state: TableState, seat: int) -> str:
    """A word for what the seat's odds speak of now, another as soon as that changes: its turn,
    like 3.17, or the move that it has made there, 3.17+. Empty where there is none."""
    about = odds_about(state, seat)
    if about is None:
        return ""
    return f"{state.round_number}.{about}{'+' if about < len(state.moves) else ''}"


def may_look_back(state: TableState, number: int) -> bool:
    """Whether this round of the table is over and may be shown; a table that was added later
    has no earlier boards."""
    if number == state.round_number:
        return bool(state.gained) and state.is_shown
    return 0 < number < state.round_number and state.points[number - 1][0] is not None


def seat_observation(public: dict[str, Any], state: TableState, seat: int) -> dict[str, Any]:
    """The same observation with what this seat alone may see: its hand and legal moves."""
    own = observe(state.round, seat) if state.round else None
    return {
        **public,
        "seat": seat,
        "hand": [card.code for card in own.hand] if own else [],
        "legal": list(state.legal) if state.to_move == seat and not state.paused else [],
    }


def _trick(trick: Trick) -> dict[str, Any]:
    return {
        "leader": trick.leader,
        "call": str(trick.call) if trick.call else None,
        "plays": [[seat, card.code] for seat, card in trick.plays],
    }


def _revealed(state: TableState) -> dict[str, Any] | None:
    if state.round is None or not state.round.is_over or not state.is_shown:
        return None
    dealt = {code for hand in state.dealt for code in hand}
    return {
        "hands": [list(hand) for hand in state.dealt],
        "undealt": [card.code for card in DECK if card.code not in dealt],
    }
