"""What a viewer may see of a table, as docs/protocol.md tells it: built up from what is
allowed, never cut down from the whole.
"""

from __future__ import annotations

from dataclasses import fields
from datetime import datetime
from typing import Any

from games import analysis
from games.analysis import bots
from games.rules import DECK, Observation, Trick, Variant, move_text, observe, take_seat
from games.tables.state import TableState
from games.tables.timing import (
    Presence,
    clock_deadline,
    is_away,
    may_be_stood_in_for,
    next_round_deadline,
)
from games.tables.view import (
    RUNNING,
    Experts,
    OddsPanel,
    Player,
    PlayerKind,
    Revealed,
    TableFacts,
    TableView,
)


def round_observation(state: TableState, seat: int | None) -> Observation:
    """The rules' observation of the present round, for bots; ValueError while waiting."""
    if state.round is None:
        raise ValueError("no round is being played")
    return observe(state.round, seat)


def table_view(state: TableState, presence: Presence, now: datetime) -> TableView:
    """The table as it is shown to everybody at it."""
    return TableView(
        **{name: getattr(state, name) for name in _FACTS},
        players=tuple(
            Player(
                name=seat.name,
                kind=PlayerKind.BOT if seat.is_bot else PlayerKind.PERSON,
                away=is_away(state, seat.number, presence, now),
                stand_in=seat.stand_in,
                ready=seat.ready_at is not None,
                here=seat.opened,
            )
            for seat in state.seats
        ),
        deadline=next_round_deadline(state) or clock_deadline(state),
        stand_in_for=tuple(
            (seat.number, seat.name)
            for seat in state.people
            if may_be_stood_in_for(state, seat.number, presence, now)
        ),
        revealed=_revealed(state),
        experts=_experts_state(state),
    )


def _experts_state(state: TableState) -> Experts | None:
    if state.in_class is not None and state.in_class.counts_instead:
        return Experts.MISSING
    levels = {seat.level for seat in state.seats}
    if bots.SIMULATING not in levels or analysis.ready():
        return None
    return Experts.MISSING if analysis.is_impossible() else Experts.WARMING


_FACTS = tuple(field.name for field in fields(TableFacts))


def seat_view(state: TableState, seat: int | None) -> Observation | None:
    """The present round as this seat sees it (a watcher for None), the hand and, at its turn,
    the moves that it may make; None while waiting."""
    if state.observation is None or state.round is None or seat is None:
        return state.observation
    return take_seat(state.observation, state.round, seat)


def public_observation(view: TableView) -> dict[str, Any]:
    """The protocol's observation as a watcher may see it (docs/protocol.md)."""
    observation = view.observation
    return {
        "type": "observation",
        "table": view.id,
        "turn": view.turn,
        "seat": None,
        "status": view.status,
        "paused": view.paused,
        "variant": view.variant.value,
        "seats": len(view.seats),
        "round": view.round_number,
        "rounds": view.rounds,
        "dealer": observation.dealer if observation else None,
        "to_move": view.to_move,
        "deadline": view.deadline_text or None,
        "players": [
            {
                "name": player.name,
                "kind": player.kind,
                "away": player.away,
                "stand_in": player.stand_in,
                "ready": player.ready,
            }
            for player in view.players
        ],
        "hand": [],
        "legal": [],
        "bids": list(observation.bids) if observation else [],
        "taken": list(observation.taken) if observation else [],
        "trick": _trick_json(observation.trick) if observation and observation.trick else None,
        "tricks": [{**_trick_json(t), "winner": t.winner} for t in observation.tricks]
        if observation
        else [],
        "hand_sizes": list(observation.hand_sizes) if observation else [],
        "points": [list(row) for row in view.points],
        "totals": list(view.totals) if observation else [],
        "winners": None if view.winners is None else list(view.winners),
        "revealed": view.revealed
        and {
            "hands": [list(hand) for hand in view.revealed.hands],
            "undealt": list(view.revealed.undealt),
        },
    }


def seat_observation(
    public: dict[str, Any], view: TableView, seat: int, own: Observation | None
) -> dict[str, Any]:
    """The protocol's observation with what this seat alone may see: hand and legal moves."""
    may_move = view.to_move == seat and not view.paused and not view.is_benched(seat)
    return {
        **public,
        **({"treatment": view.treatment} if view.treatment else {}),
        "seat": seat,
        "hand": [card.code for card in own.hand] if own else [],
        "legal": [move_text(move) for move in own.legal] if own and may_move else [],
    }


def odds_about(state: TableFacts, seat: int) -> int | None:
    """Which move of the present deal (counted from 0) the seat's odds speak of: the one that
    it is to make, else its last; where odds come after the trick, its last in a finished one.
    None where there is none to speak of."""
    if state.odds == OddsPanel.OFF or state.observation is None:
        return None
    if state.status not in RUNNING:
        return None
    seats = len(state.seats)
    bids = seats if state.variant is Variant.BID else 0
    finished = bids + seats * len(state.observation.tricks)
    is_always = state.odds == OddsPanel.ALWAYS
    if is_always and state.to_move == seat:
        return len(state.moves)
    span = range(len(state.moves)) if is_always else range(bids, finished)
    return next((n for n in reversed(span) if state.moves[n][0] == seat), None)


def odds_turn(state: TableFacts, seat: int) -> str:
    """A word for what the seat's odds speak of now, another as soon as that changes: its turn,
    like 3.17, or the move that it has made there, 3.17+. Empty where there is none."""
    about = odds_about(state, seat)
    if about is None:
        return ""
    return f"{state.round_number}.{about}{'+' if about < len(state.moves) else ''}"


def may_look_back(state: TableFacts, number: int) -> bool:
    """Whether this round of the table is over and may be shown; a table that was added later
    has no earlier boards."""
    if number == state.round_number or state.is_in_league:
        return bool(state.gained) and state.is_shown
    return 0 < number < state.round_number and state.points[number - 1][0] is not None


def _trick_json(trick: Trick) -> dict[str, Any]:
    return {
        "leader": trick.leader,
        "call": str(trick.call) if trick.call else None,
        "plays": [[seat, card.code] for seat, card in trick.plays],
    }


def _revealed(state: TableState) -> Revealed | None:
    if not state.is_over or not state.is_shown:
        return None
    dealt = {code for hand in state.dealt for code in hand}
    return Revealed(state.dealt, tuple(card.code for card in DECK if card.code not in dealt))
