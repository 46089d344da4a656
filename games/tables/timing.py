"""Who is there, and what happens by itself: whose turn is over, when the next round begins."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta

from django.db import connection

from games.models import Table
from games.tables.state import as_time
from games.tables.view import OVER, Status, TableFacts

AWAY_AFTER = timedelta(seconds=25)
"""A person not seen for so long is away."""

LAST_TURNS = timedelta(seconds=10)
"""A turn's time once the board's is up."""

NEXT_ROUND_AFTER = timedelta(seconds=60)
"""Between rounds the first who is ready waits no longer than this for the others."""


# Who is there.

Presence = Mapping[int, datetime | None]
"""When each seat's person was last seen, by seat number."""


def last_seen(table_ids: Iterable[str]) -> dict[str, dict[int, datetime | None]]:
    """When the people of these tables were last seen, by table and seat. Asked by every table
    several times a round: a statement of its own, for a third of what the ORM needs."""
    tables = tuple(table_ids)
    places = ", ".join(["%s"] * len(tables))
    presences: dict[str, dict[int, datetime | None]] = {}
    if not tables:
        return presences
    with connection.cursor() as cursor:
        cursor.execute(f"{_LAST_SEEN} AND table_id IN ({places})", tables)
        for table_id, number, when in cursor.fetchall():
            presences.setdefault(table_id, {})[number] = when and as_time(when)
    return presences


_LAST_SEEN = "SELECT table_id, number, last_seen FROM games_seat WHERE level = ''"


def is_away(state: TableFacts, seat: int, presence: Presence, now: datetime) -> bool:
    """Whether a person who came to the table has not been seen for AWAY_AFTER."""
    if state.seats[seat].is_bot or not state.seats[seat].opened:
        return False
    last = presence.get(seat)
    return last is None or now - last >= AWAY_AFTER


def is_deserted(state: TableFacts, presence: Presence, now: datetime) -> bool:
    """Whether nobody has been at this table of a class for longer than its patience: it goes
    on without them."""
    if state.class_session_id is None or not state.people:
        return False
    gone_for = max(AWAY_AFTER, state.setup.patience)
    times = [presence.get(seat.number) for seat in state.people]
    return all(when is None or now - when >= gone_for for when in times)


def may_be_stood_in_for(
    state: TableFacts, seat: int, presence: Presence, now: datetime
) -> bool:
    """Whether others may ask a bot to stand in: the person is away, or has had the turn for
    longer than the table's patience. Never in a league, where that would be for a board."""
    if state.observation is None or state.status in OVER or state.is_in_league:
        return False
    if state.seats[seat].is_played_by_bot:
        return False
    slow = state.to_move == seat and now - state.turn_began >= state.setup.patience
    return slow or is_away(state, seat, presence, now)


def next_round_due(state: TableFacts, presence: Presence, now: datetime) -> bool:
    """Whether the next round may be dealt: every present person is ready, or (but never at a
    solo table) the first one who is has waited long enough. A table of a class that nobody is
    left at waits for somebody."""
    if (
        state.status != Status.ROUND_OVER
        or state.paused
        or state.setup.held
        or state.is_duplicate
    ):
        return False  # the boards of a duplicate session: next_board_due
    if state.is_in_league or not state.people:
        return state.class_session_id is None
    ready = [seat.ready_at for seat in state.people if seat.ready_at]
    if not ready or is_deserted(state, presence, now):
        return False  # bots end a deserted round, not a deserted game
    waiting_for = [
        seat
        for seat in state.people
        if not (seat.ready_at or seat.stand_in or is_away(state, seat.number, presence, now))
    ]
    return not waiting_for or (
        state.kind != Table.Kind.SOLO and now - min(ready) >= NEXT_ROUND_AFTER
    )


def next_board_due(
    tables: Collection[TableFacts], presences: Mapping[str, Presence], now: datetime
) -> bool:
    """Whether the next board may be dealt to these open tables of a duplicate session: all
    have been shown the last one, and every present person is ready or the first one who is
    has waited long enough; or nobody is ready, and none is left to wait for."""
    if all(table.status == Status.WAITING for table in tables) or any(
        table.status != Status.ROUND_OVER
        or not table.is_shown
        or table.paused
        or table.setup.held
        for table in tables
        if table.status != Status.WAITING
    ):
        return False
    people = [(table, seat) for table in tables for seat in table.people]
    ready = [seat.ready_at for _, seat in people if seat.ready_at]
    waiting_for = [
        seat
        for table, seat in people
        if table.status == Status.ROUND_OVER
        and not (seat.ready_at or seat.stand_in)
        and not is_away(table, seat.number, presences.get(table.id, {}), now)
    ]
    if not ready:  # bots play alone, or everybody has left
        return all(
            not table.people or is_deserted(table, presences.get(table.id, {}), now)
            for table in tables
        )
    return not waiting_for or now - min(ready) >= NEXT_ROUND_AFTER


def next_moment(state: TableFacts, presence: Presence, now: datetime) -> datetime | None:
    """When time alone will next change what this table shows or does (bots' moves apart)."""
    moments = [
        when + AWAY_AFTER
        for seat, when in presence.items()
        if when and state.seats[seat].opened
    ]
    if state.to_move is not None:
        moments.append(state.turn_began + state.setup.patience)
    if state.class_session_id is not None:
        moments += [when + state.setup.patience for when in presence.values() if when]
    moments += filter(None, (next_round_deadline(state), clock_deadline(state)))
    return min((moment for moment in moments if moment > now), default=None)


def next_round_deadline(state: TableFacts) -> datetime | None:
    """When the next round is dealt even if somebody is not ready; None where that hangs on
    other tables, too."""
    ready = [seat.ready_at for seat in state.people if seat.ready_at]
    if state.status != Status.ROUND_OVER or state.kind == Table.Kind.SOLO or not ready:
        return None
    waits = state.setup.held or state.paused or state.is_duplicate
    return None if waits else min(ready) + NEXT_ROUND_AFTER


def clock_deadline(state: TableFacts) -> datetime | None:
    """When the clock plays for the person whose turn it is; None where no clock runs."""
    ends = state.in_class.ends if state.in_class else None
    if not (state.setup.clock or ends) or state.to_move is None or state.paused:
        return None
    seat = state.seats[state.to_move]
    if seat.is_played_by_bot or not seat.time_factor:
        return None
    began, factor = state.turn_began, seat.time_factor
    times = [began + state.setup.clock * factor] if state.setup.clock else []
    return min([*times, max(ends, began + LAST_TURNS * factor)] if ends else times)


def clock_is_up(state: TableFacts, now: datetime) -> bool:
    """Whether the clock plays now for the person whose turn it is."""
    deadline = clock_deadline(state)
    return deadline is not None and now >= deadline
