"""What teachers play of their class's homework, or beforehand of a session's boards, and what
the expert makes of these: to be laid beside the students' boards once it has closed, or all
have played them. It is in none of their figures."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Exists, Max, OuterRef
from django.utils.translation import gettext as _

from games import analysis
from games.analysis import bots
from games.classes import steering
from games.models import Deal, Result, SessionSettings
from games.rules import Variant
from games.study.replay.same_board import Own, line_of_bots, own_line
from games.tables.notify import notify_after_commit
from games.tables.opening import open_homework_table
from games.tables.state import start_round
from lessons.homework.doing import (
    BoardState,
    begun_at,
    begun_by_teachers,
    board_state,
    open_board,
)
from lessons.homework.giving import new_board
from lessons.models import Homework, HomeworkBoard
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused, lock_classroom, lock_session

DealKey = tuple[int, tuple[tuple[str, ...], ...]]


class OwnBoard(NamedTuple):
    """A board before a teacher: how it stands, and its table."""

    number: int
    state: BoardState = BoardState.NOT_BEGUN
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
    tables = {  # the last finished come first: an earlier one takes their place
        board.number: board.table_id
        for board in begun_by_teachers(homework).order_by("-last", "-pk")
        if board_state(homework, board) is BoardState.DONE
    }
    results = Result.objects.filter(deal__table__in=tables.values(), seat=0)
    by_table = {result.deal.table_id: result for result in results.select_related("deal")}
    return {number: by_table[table] for number, table in tables.items()}


def results_of_expert(homework: Homework) -> dict[int, Own]:
    """What the expert makes of its boards at the students' place, against the same bots, by
    number: always the same. Plays them, unless that is known; raises analysis.NotReady."""
    boards = enumerate((Deal(**dealt) for dealt in homework.boards), start=1)
    return {n: expert_on(dealt, homework.variant, homework.bots) for n, dealt in boards}


def expert_on(dealt: Deal, variant: str, level: str) -> Own:
    """What the expert makes of one deal at the students' place, against bots of this level."""
    analysis.require()
    levels = [bots.SIMULATING, *[level] * (len(dealt.hands) - 1)]
    return own_line(line_of_bots(start_round(dealt, Variant(variant)), levels), 0)


# Beforehand, of a duplicate session's prepared boards.


def own_boards_beforehand(session: ClassSession, teacher: User) -> list[OwnBoard]:
    """The session's boards as this teacher has played them: until the class plays, those
    prepared, then those begun. What came of them is not said."""
    settings = SessionSettings.objects.get(class_session=session)
    is_over = Exists(Result.objects.filter(deal=OuterRef("pk"), seat=0))
    own = Deal.objects.filter(table__beforehand=session, table__teacher=teacher)
    begun = {
        (deal.table.variant, key_of(deal)): OwnBoard(
            deal.board or 0,
            BoardState.DONE if deal.is_over else BoardState.BEGUN,
            deal.table_id,
        )
        for deal in own.annotate(is_over=is_over).select_related("table").order_by("board")
    }
    if not settings.duplicate or session.state != ClassSession.State.LOBBY:
        return list(begun.values())
    prepared = [(settings.variant, key_of(Deal(**dealt))) for dealt in settings.deals or ()]
    return [
        begun.get(key, OwnBoard(0))._replace(number=number)
        for number, key in enumerate(prepared, start=1)
    ]


@transaction.atomic
def prepare_boards(*, session: ClassSession) -> None:
    """Deal as many boards as a session has rounds, to be dealt at every table when the class
    plays. Harmless where it has prepared ones, other cards at each table, or begun."""
    lock_session(session.pk)
    session.refresh_from_db(fields=["state"])
    settings = SessionSettings.objects.get(class_session=session)
    if settings.deals or not settings.duplicate or session.state != ClassSession.State.LOBBY:
        return
    deals = [new_board(settings.seats) for _round in range(settings.rounds)]
    for number, deal in enumerate(deals):  # each deals in turn
        deal["dealer"] = (deals[0]["dealer"] + number) % settings.seats
    settings.deals = deals
    steering.change_settings(session_id=session.pk, settings=settings)


@transaction.atomic
def begin_beforehand(*, session: ClassSession, teacher: User) -> str:
    """The id of the table at which a teacher of the class plays the next of these boards, on
    the first seat, against the session's bots: opened now, or the one where they have begun.
    Refused if none is left."""
    lock_classroom(session.classroom)
    lock_session(session.pk)
    session.refresh_from_db(fields=["state"])
    if not session.classroom.teachers.filter(pk=teacher.pk).exists():
        raise NotFound
    boards = own_boards_beforehand(session, teacher)
    board = next((each for each in boards if not each.state.is_over), None)
    if board is None:
        raise Refused(_("There’s no board left to play beforehand."))
    if board.table:
        return board.table
    settings = SessionSettings.objects.get(class_session=session)
    table = open_homework_table(
        classroom=session.classroom,
        teacher=teacher,
        variant=settings.variant,
        level=settings.level,
        board=board.number,
        deal=(settings.deals or [])[board.number - 1],
        beforehand=session,
    )
    notify_after_commit(table.id)
    return table.id


def key_of(deal: Deal) -> DealKey:
    """The dealer and the hands of a deal, by which equal deals are found."""
    return deal.dealer, tuple(map(tuple, deal.hands))


def results_beforehand(session: ClassSession) -> dict[tuple[str, DealKey], Any]:
    """The Result, with when its ``last`` move was made, of each of the session's boards that
    teachers played beforehand, by variant and deal: of several the first that finished (a later
    row takes the place of an earlier one). Whoever shows it knows which boards may be shown."""
    results = Result.objects.filter(deal__table__beforehand=session, seat=0)
    latest_first = results.select_related("deal__table").order_by("-pk")
    dated = latest_first.annotate(last=Max("deal__moves__made"))
    return {(each.deal.table.variant, key_of(each.deal)): each for each in dated}
