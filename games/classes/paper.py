"""Tables that a class plays on paper: what their score sheets say, typed in by a teacher.

What is known of a round are bids and tricks, and the deal if printed slips dealt it: results
without moves. So they count in every figure of bids, tricks and points, and nothing that is
folded from moves (replays, looking back, tricks) meets them.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, Prefetch
from django.utils.translation import gettext as _

from games.classes.game import next_number, next_table_number
from games.models import (
    DEFAULT_PACE,
    DEFAULT_PATIENCE,
    Deal,
    Result,
    Seat,
    SessionSettings,
    Table,
)
from games.rules import HAND_SIZE, Variant, points
from games.tables.dealing import PRINTED_BOARDS, printed_deals
from games.tables.notify import session_changed
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused, deletion, lock_session, note_day

PaperBoards = dict[int, tuple[int, list[list[str]]]]
"""The dealer and the hands of each board, by its number."""


class PaperRound(NamedTuple):
    """What a line of a score sheet says: bids and tricks by seat, None in an empty box; of
    slips the board's number."""

    bids: tuple[int | None, ...]
    taken: tuple[int | None, ...]
    board: int | None = None


class ScoreSheet(NamedTuple):
    """A table on paper: its game; its students by seat (None: somebody), the first of whom
    deals first; its rounds, in order; the number of the slips that dealt them, or None."""

    variant: Variant
    students: tuple[int | None, ...]
    rounds: tuple[PaperRound, ...]
    slips: int | None = None


def score_sheets(session_id: int) -> dict[str, ScoreSheet]:
    """What was typed in of a class session, by table, the first first."""
    tables = (
        Table.objects.on_paper(session_id)
        .order_by("created")
        .prefetch_related(
            Prefetch("seat_set", Seat.objects.order_by("number")),
            Prefetch("deals", Deal.objects.order_by("round")),
            Prefetch("deals__results", Result.objects.order_by("seat")),
        )
    )
    return {
        table.pk: ScoreSheet(
            Variant(table.variant),
            tuple(seat.student_id for seat in table.seat_set.all()),
            tuple(map(_read, table.deals.all())),
            table.slips,
        )
        for table in tables
    }


def _read(deal: Deal) -> PaperRound:
    bids, taken = zip(*((row.bid, row.taken) for row in deal.results.all()), strict=True)
    return PaperRound(bids, taken, deal.board)


@deletion
def store(*, session_id: int, sheet: ScoreSheet | None, table_id: str = "") -> None:
    """Store a score sheet of a class session, in the place of this table's if that is said;
    without a sheet that table is only deleted. NotFound for a table or students of others;
    Refused if the sheet cannot be right, or boards are still to be played on screen."""
    if not lock_session(session_id):
        raise NotFound
    session_changed(session_id)
    stored = Table.objects.on_paper(session_id).filter(pk=table_id)
    old = stored.first()
    if table_id and not stored.delete()[0]:
        raise NotFound
    if sheet is None:
        return
    session = ClassSession.objects.select_related("settings").get(pk=session_id)
    named = [pk for pk in sheet.students if pk is not None]
    theirs = Student.objects.filter(classroom=session.classroom_id, pk__in=named)
    if theirs.count() < len({*named}):
        raise NotFound
    if len({*named}) < len(named):
        raise Refused(_("One name sits on two seats."))
    _check(sheet)
    boards = (
        {} if sheet.slips is None else printed_deals(sheet.slips, seats=len(sheet.students))
    )
    if boards and _is_playing_boards(session.settings):
        raise Refused(_("The class plays on screen. Type these in after that."))
    _insert(session_id, sheet, boards, old)
    transaction.on_commit(partial(note_day, students=named))


def _check(sheet: ScoreSheet) -> None:
    """Refused, with the first round that can't have been played like that."""
    if not sheet.rounds:
        raise Refused(_("Type in one round at least."))
    has_bids = sheet.variant is Variant.BID
    boards = [row.board for row in sheet.rounds]
    for n, row in enumerate(sheet.rounds, start=1):
        bids = [HAND_SIZE + 1 if bid is None else bid for bid in row.bids] if has_bids else [0]
        taken = [HAND_SIZE + 1 if each is None else each for each in row.taken]
        why = ""
        if max(bids + taken) > HAND_SIZE:
            why = _("Round %(n)d: each box needs a number from 0 to 8.")
        elif sum(taken) != HAND_SIZE:
            why = _("Round %(n)d: the tricks add up to %(sum)d, not to 8.")
        elif sum(bids) == HAND_SIZE:
            why = _("Round %(n)d: the bids can’t add up to 8.")
        elif sheet.slips is not None and (
            row.board not in PRINTED_BOARDS or boards.count(row.board) > 1
        ):
            why = _("Round %(n)d: boards are 1 to 8, and you play each once.")
        if why:
            raise Refused(why % {"n": n, "sum": sum(taken)})


def _is_playing_boards(settings: SessionSettings) -> bool:
    """Whether duplicate boards are played in the session, or prepared and not yet dealt."""
    is_over = settings.class_session.state == ClassSession.State.CLOSED
    tables = Table.objects.filter(class_session=settings.class_session_id, duplicate=True)
    playing = tables.filter(closed=False, shown_round__lt=F("rounds"))
    return not is_over and (bool(settings.deals) or playing.exists())


def _game(session_id: int, sheet: ScoreSheet, boards: PaperBoards, old: int) -> int:
    """The number of the session's game that a table on paper belongs to: its ``old`` one, or
    else the last, of those of this variant with the same boards, so that each counts once, or
    without any, in which none of its students sits already; the next, if there is none."""
    tables = Table.objects.everywhere().filter(class_session=session_id)
    theirs = tables.filter(seat_set__student__in=sheet.students)
    fits = {old: True} | dict.fromkeys(theirs.values_list("game", flat=True), False)
    kind = sheet.variant.value, bool(boards)
    rows = tables.values_list(
        "game", "variant", "duplicate", "deals__board", "deals__dealer", "deals__hands"
    )
    for game, variant, duplicate, board, dealer, hands in rows:
        dealt = dealer, [sorted(hand) for hand in hands or ()]
        same = not boards or boards.get(board or 0) == dealt
        fits[game] = fits.get(game, True) and same and (variant, duplicate) == kind
    fitting = [game for game, fit in fits.items() if fit]
    return (old if old in fitting else 0) or max(fitting, default=0) or next_number(session_id)


def _insert(session_id: int, sheet: ScoreSheet, boards: PaperBoards, old: Table | None) -> None:
    game = _game(session_id, sheet, boards, old.game if old else 0)
    table = Table.objects.create(
        class_session_id=session_id,
        game=game,
        kind=Table.Kind.PAPER,
        number=old.number if old and old.game == game else next_table_number(session_id, game),
        variant=sheet.variant.value,
        rounds=len(sheet.rounds),
        patience=DEFAULT_PATIENCE,
        pace=DEFAULT_PACE,
        duplicate=bool(boards),
        slips=sheet.slips,
        shown_round=len(sheet.rounds),
        closed=True,
    )
    seats = range(len(sheet.students))
    Seat.objects.bulk_create(
        Seat(table=table, number=seat, student_id=sheet.students[seat]) for seat in seats
    )
    for n, row in enumerate(sheet.rounds):
        dealer, hands = boards.get(row.board or 0, (n % len(seats), [[]] * len(seats)))
        board = row.board if boards else None
        dealt = {"dealer": dealer, "hands": hands, "board": board}
        deal = Deal.objects.create(table=table, round=n + 1, **dealt)
        bids = row.bids if sheet.variant is Variant.BID else [None] * len(seats)
        Result.objects.bulk_create(
            Result(
                deal=deal,
                seat=seat,
                bid=bids[seat],
                taken=(taken := row.taken[seat] or 0),
                points=points(sheet.variant, bid=bids[seat], taken=taken),
                by_person=True,
                student_id=sheet.students[seat],
            )
            for seat in seats
        )
