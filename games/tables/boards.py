"""Duplicate sessions: the same cards at every table, in step, board by board.

A board is over when every open table has finished it; until then nothing that lies behind it
is shown anywhere. Whatever may end a round or take a table away holds the session first, then
its tables (docs/decisions/0014-locks.md), so that of several that finish at once one is the
last.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import F, Q, QuerySet

from games.models import Deal, Position, Seat, Table
from games.rules import HAND_SIZE, Variant
from games.tables.notify import notify_after_commit
from games.tables.state import TableState, load_table
from games.tables.view import RUNNING
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.services import lock_session


def lock_tables(tables: QuerySet[Table]) -> list[str]:
    """The ids of these tables, locked against other writers until the transaction ends. The
    caller holds their class sessions (see ``lock_session``)."""
    locked = tables.select_for_update(no_key=True).order_by("pk")
    return list(locked.values_list("pk", flat=True))


def lock_tables_and_studies(tables: QuerySet[Table]) -> list[str]:
    """The ids of tables that are to be deleted, locked, with those of the study tables that are
    played on from their rounds, and on from these, which go with them."""
    more = keys = set(tables.values_list("pk", flat=True))
    while more:
        studies = Table.objects.filter(position__deal__table__in=more)
        more = set(studies.values_list("pk", flat=True)) - keys
        keys = keys | more
    return lock_tables(Table.objects.filter(pk__in=keys))


def lock_tables_of(sessions: QuerySet[ClassSession]) -> list[str]:
    """The ids of all tables of these class sessions, with what is studied of them, locked with
    their sessions until the transaction ends."""
    keys = list(sessions.order_by("pk").values_list("pk", flat=True))
    for session_id in keys:
        lock_session(session_id)
    return lock_tables_and_studies(Table.objects.filter(class_session__in=keys))


def lock_classrooms(classrooms: Iterable[int], teacher: int | None = None) -> list[str]:
    """The ids of all tables of these classrooms, in sessions, homework and leagues, and at
    which this teacher plays homework, locked with their sessions. Who deletes the classrooms
    has locked these."""
    of = list(classrooms)
    sessions = ClassSession.objects.filter(classroom__in=of).order_by("pk")
    for session_id in sessions.values_list("pk", flat=True):
        lock_session(session_id)
    theirs = Q(class_session__classroom__in=of) | Q(classroom__in=of)
    theirs |= Q(match__league__classroom__in=of) | Q(teacher=teacher, teacher__isnull=False)
    return lock_tables_and_studies(Table.objects.filter(theirs))


def lock_if_last(state: TableState, turn: str) -> None:
    """Lock the session of a table whose board a move at this turn would end."""
    seats = len(state.seats)
    moves = seats * (HAND_SIZE + (state.variant is Variant.BID))
    if state.class_session_id is None or not state.is_duplicate:
        return
    if turn.endswith(f".{moves - 1}"):
        lock_session(state.class_session_id)


def note_progress(changed: TableState) -> None:
    """Tell all tables of a duplicate session, of which one has just finished its round or was
    closed, how many still play; once none does, show the last board that any finished."""
    if not changed.is_duplicate or changed.class_session_id is None:
        return
    lock_session(changed.class_session_id)
    tables = Table.objects.filter(class_session=changed.class_session_id)
    game = tables.values_list("game", flat=True).get(pk=changed.id)
    tables = tables.filter(game=game)
    states = [
        changed if table_id == changed.id else load_table(table_id)
        for table_id in tables.values_list("id", flat=True)
    ]
    over = [state for state in states if state.round is not None and state.round.is_over]
    board = max((state.round_number for state in over), default=0)  # of closed tables, too
    playing = sum(state.status in RUNNING for state in states)
    if playing:
        tables.update(still_playing=playing, version=F("version") + 1)
    elif board > max(tables.values_list("shown_round", flat=True)):
        tables.update(still_playing=0, shown_round=board, version=F("version") + 1)
        Seat.objects.filter(table__in=tables).update(ready_at=None)
    for table_id in tables.values_list("id", flat=True):
        notify_after_commit(table_id)


def show_homework(tables: QuerySet[Table], *, shown: bool) -> None:
    """Show the boards of homework that closes to whoever may look back on them; opened again
    (not ``shown``) hide them, and delete what was tried out from there. Runs in the caller's
    transaction, which holds the classroom."""
    keys = set(tables.values_list("pk", flat=True))
    going = set(lock_tables_and_studies(Table.objects.filter(pk__in=keys))) - keys
    if not shown:
        Table.objects.filter(pk__in=going).delete()
        Position.objects.filter(deal__table__in=keys).delete()
    Table.objects.filter(pk__in=keys).update(shown_round=int(shown), version=F("version") + 1)
    for table_id in keys | going:
        notify_after_commit(table_id)


def board_key(
    deal: int, *, session: int | None, game: int, board: int | None
) -> tuple[int, ...]:
    """A key of the deal, the same for all tables of a class session's game that were dealt this
    board: in a figure about deals it counts once. A deal that is no board, or homework's, has
    its own."""
    return (deal,) if board is None or session is None else (session, game, board)


def boards_once(deals: Iterable[Deal]) -> list[Deal]:
    """These deals, if hands are known, but each board that several tables had only once."""
    once: dict[tuple[int, ...], Deal] = {}
    for deal in deals:
        if not any(deal.hands):
            continue
        table = deal.table
        once.setdefault(
            board_key(
                deal.pk, session=table.class_session_id, game=table.game, board=deal.board
            ),
            deal,
        )
    return list(once.values())
