"""What teachers play of their class's homework, and what the expert makes of it: to be laid
beside the students' boards once it has closed. It is in none of their figures."""

from __future__ import annotations

from typing import NamedTuple

from django.db import IntegrityError

from games import analysis
from games.analysis import bots
from games.models import Deal, Result
from games.rules import Variant
from games.study.replay.same_board import Own, line_of_bots, own_line
from games.tables.state import start_round
from lessons.homework.doing import begun_at, begun_by_teachers, board_state, open_board
from lessons.models import Homework, HomeworkBoard
from xactika_site.accounts.models import User
from xactika_site.classrooms.selectors import NotFound


class OwnBoard(NamedTuple):
    """A board before a teacher: how it stands (``Done.boards``; empty: not begun), and its
    table."""

    number: int
    state: str = ""
    table: str = ""


def own_boards(homework: Homework, teacher: User) -> list[OwnBoard]:
    """The homework's boards as this teacher has played them. What came of them is not said."""
    begun = {
        board.number: OwnBoard(board.number, board_state(homework, board), board.table_id)
        for board in begun_by_teachers(homework).filter(table__teacher=teacher)
    }
    numbers = range(1, len(homework.boards) + 1)
    return [begun.get(number, OwnBoard(number)) for number in numbers]


def begin_as_teacher(*, homework: Homework, teacher: User, number: int) -> str:
    """The id of the table at which a teacher of the class plays this board, at the students'
    place: opened now, or the one where they have begun it. NotFound for a board that there is
    not, or an account that goes meanwhile; Refused if nothing is begun any more."""
    own = HomeworkBoard.objects.filter(homework=homework, table__teacher=teacher)
    if (table_id := begun_at(homework, own, number)) is not None:
        return table_id
    try:
        return open_board(homework, own, number, teacher=teacher)
    except IntegrityError:  # the account is gone
        raise NotFound from None


def results_of_teachers(homework: Homework) -> dict[int, Result]:
    """What its teachers made of its boards, by number: of several who have played one, the
    first who finished it. Nothing before it has closed, and of no board that ended later."""
    if homework.closed is None:
        return {}
    tables = {
        board.number: board.table_id
        for board in begun_by_teachers(homework).order_by("-last", "-pk")
        if board_state(homework, board) == "done"
    }
    results = Result.objects.filter(deal__table__in=tables.values(), seat=0)
    by_table = {result.deal.table_id: result for result in results.select_related("deal")}
    return {number: by_table[table] for number, table in tables.items()}


def results_of_expert(homework: Homework) -> dict[int, Own]:
    """What the expert makes of its boards at the students' place, against the same bots, by
    number: always the same. Plays them, unless that is known; raises analysis.NotReady."""
    analysis.require()
    levels = [bots.SIMULATING, *[homework.bots] * (homework.seats - 1)]
    variant = Variant(homework.variant)
    return {
        number: own_line(line_of_bots(start_round(Deal(**dealt), variant), levels), 0)
        for number, dealt in enumerate(homework.boards, start=1)
    }
