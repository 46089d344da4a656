"""The boards of a duplicate session: dealt to all tables in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.classes.experiments import draw_treatments
from games.classes.game import present_game
from games.classes.seating import give_seats
from games.classes.sessions import State, locked, table_of
from games.models import SessionSettings, Table
from games.tables import dealing, moves
from games.tables.refusals import Rejected
from games.tables.state import TableState, load_table
from games.tables.timing import last_seen, next_board_due
from games.tables.view import RUNNING, Status
from xactika_site import clock
from xactika_site.classrooms.services import Refused

# Boards.


@transaction.atomic
def next_board(*, session_id: int, by_teacher: bool = False) -> None:
    """Deal the next board of a duplicate session if it is due, or because a teacher says so;
    whoever waits is seated first. While a board is being played nothing happens, or what the
    teacher says is refused."""
    state = locked(session_id)
    tables = [table_of(state, table_id) for table_id in state.tables]
    tables = [table for table in tables if table.status != Status.CLOSED]
    if by_teacher:
        if any(table.status in RUNNING for table in tables):
            raise Refused(_("Some tables are still playing this board."))
        is_due = not any(table.status == Status.GAME_OVER for table in tables)
    else:
        presences = last_seen([table.id for table in tables])
        is_due = next_board_due(tables, presences, clock.now())
    if not is_due or state.state != State.OPEN:
        return
    give_seats(state, also_left=True)
    present = present_game(session_id).tables
    deal_board([load_table(table_id, lock=True) for table_id in present])


def deal_board(tables: Sequence[TableState]) -> None:
    """Deal the same cards to every open table, in one transaction, the dealer fixed by the
    board: drawn for the first, then passed to the left."""
    tables = [table for table in tables if table.status in {Status.WAITING, Status.ROUND_OVER}]
    if not tables:
        raise Refused(_("There’s no table to deal to."))
    draw_treatments(tables)
    number = max(table.round_number for table in tables) + 1
    last = next((table.round for table in tables if table.round_number == number - 1), None)
    prepared = Table.objects.values_list("prepared", flat=True).get(pk=tables[0].id)
    dealer, hands = dealing.new_deal(
        seats=len(tables[0].seats), number=number, last=last, prepared=prepared
    )
    for table in tables:
        dealing.deal(table, number=number, dealer=dealer, hands=hands, board=number)
    _spend(tables[0].class_session_id, {"dealer": dealer, "hands": hands})
    Table.objects.filter(pk__in=[table.id for table in tables]).update(
        still_playing=len(tables)
    )


def _spend(session_id: int | None, board: dict[str, Any]) -> None:
    """A board has been dealt, and whoever holds a hand of it must not meet it again: it is no
    longer among the session's prepared ones. An empty list is left where it was the last."""
    settings = SessionSettings.objects.get(class_session=session_id)
    if settings.deals and board in settings.deals:
        left = [other for other in settings.deals if other != board]
        SessionSettings.objects.filter(pk=settings.pk).update(deals=left)


@transaction.atomic
def _play_out_step(session_id: int, table_id: str) -> str | None:
    """The turn of a table that its bots still have to play, or None."""
    table = table_of(locked(session_id), table_id)
    return table.turn if table.status in RUNNING and not table.paused else None


def play_out(*, session_id: int, table_id: str) -> None:
    """Let bots play a table's round to its end at once, for a room that waits for it; not while
    it is paused."""
    while (turn := _play_out_step(session_id, table_id)) is not None:
        with suppress(Rejected):
            moves.make_bot_move(table_id=table_id, turn=turn, for_anybody=True)
