"""What a teacher does with homework: gives it out, closes it, opens it again, deletes it."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, time, timedelta
from functools import partial
from itertools import chain
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.analysis import bots
from games.analysis.puzzles import Use, numbers_in_use
from games.keeping.retention import batches, in_turns
from games.models import Table
from games.rules import MAX_SEATS, MIN_SEATS, Variant
from games.tables import boards as table_boards
from games.tables.dealing import new_deal
from games.tables.notify import notify_after_commit
from lessons.exercises.skills import Skill
from lessons.models import CoverSheet, Homework, QuestionSet
from lessons.questions import sets
from xactika_site.classrooms.models import Classroom
from xactika_site.classrooms.services import Refused, deletion, lock_classroom
from xactika_site.randomness import system_rng

BOARDS = range(2, 9)
QUESTIONS = (5, 10, 15)
PUZZLES = range(1, 6)
"""So many may be given out at once, if any."""

AT_ONCE = 16
"""Boards, of one round each, that go in one transaction when they have expired."""

LONGEST = timedelta(days=60)
"""The last day is no later than this."""


def give(
    *,
    classroom: Classroom,
    until: date,
    variant: str = Variant.BID.value,
    seats: int = 4,
    boards: int = 0,
    skill: str = "",
    questions: int = 0,
    own: QuestionSet | None = None,
    puzzles: int = 0,
) -> Homework:
    """New homework for a class, open from now on until the end of this day, in the present time
    zone: the teacher's. Its boards are dealt now, for everybody. Refused if there is nothing
    in it, or the day is no such day."""
    if not boards and not questions and not puzzles and own is None:
        raise Refused(_("Nothing in it yet. Choose boards, questions or puzzles."))
    check_until(until)
    parts = {
        "boards": not boards or boards in BOARDS,
        "seats": MIN_SEATS <= seats <= MAX_SEATS,
        "variant": variant in {each.value for each in Variant},
        "questions": not questions or questions in QUESTIONS,
        "skill": not questions or skill in {each.value for each in Skill},
        "puzzles": not puzzles or puzzles in PUZZLES,
    }
    if not all(parts.values()):
        raise Refused(_("Choose from what the form offers."))
    stored = [each.stored for each in sets.entries(own.text, system_rng)] if own else []
    if own and (None in stored or not stored):
        raise Refused(_("Something’s wrong in this set. Look at it first."))
    if own and questions:
        raise Refused(_("Choose practice or your questions, not both."))
    return Homework.objects.create(
        classroom=classroom,
        until=until,
        ends=end_of(until),
        variant=variant,
        boards=[new_board(seats) for _board in range(boards)],
        bots=bots.HOMEWORK,
        skill=skill if questions else "",
        questions=len(stored) or questions,
        own=stored,
        own_name=own.name if own else "",
        puzzles=draw_puzzles(puzzles, classroom) if puzzles else [],
    )


def end_of(day: date) -> datetime:
    """When this day is over, in the present time zone."""
    return timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))


def check_until(until: date) -> None:
    """Raise Refused unless homework may be open until this day."""
    today = timezone.localdate()
    if not today <= until <= today + LONGEST:
        raise Refused(_("Choose a day from today to two months from now."))


def new_board(seats: int) -> dict[str, Any]:
    """A board dealt by chance, as a prepared one of a table."""
    dealer, hands = new_deal(seats=seats, number=1, last=None, prepared=None)
    return {"dealer": dealer, "hands": hands}


def draw_puzzles(how_many: int, classroom: Classroom) -> list[int]:
    """The numbers of puzzles kept for homework, which no day and no set has: none that is in
    open homework of any class, has been in this one's, or in another's, as long as there are
    such. Cover lessons count as homework."""
    covers = CoverSheet.objects.all()
    times = Counter(in_homework(Homework.objects.all()) + in_homework(covers))
    own = in_homework(Homework.objects.filter(classroom=classroom))
    own += in_homework(covers.filter(classroom=classroom))
    is_open = open_puzzles()
    pool = numbers_in_use(Use.HOMEWORK)
    ranked = sorted(
        system_rng.sample(pool, len(pool)), key=lambda n: (n in is_open, n in own, times[n])
    )
    return sorted(ranked[:how_many])


def in_homework(homeworks: QuerySet[Homework] | QuerySet[CoverSheet]) -> list[int]:
    """The numbers of the puzzles of these, as often as they are in one."""
    return list(chain.from_iterable(homeworks.values_list("puzzles", flat=True)))


def open_puzzles() -> frozenset[int]:
    """The numbers of the puzzles in open homework or an open cover lesson of any class: their
    answers wait."""
    now = timezone.now()
    given = in_homework(Homework.objects.filter(closed=None, ends__gt=now))
    return frozenset(given + in_homework(CoverSheet.objects.filter(ends__gt=now)))


# Closing.


def close_due(due: QuerySet[Homework]) -> None:
    """Close those of these whose last day is over. Whoever shows homework asks this first;
    before, its boards stay hidden."""
    over = due.filter(closed=None, ends__lte=timezone.now())
    for homework in over.select_related("classroom").order_by("pk"):
        close(homework=homework)


@transaction.atomic
def close(*, homework: Homework) -> None:
    """Close homework: nothing is begun any more, and boards may be looked back on. What was
    begun can be finished. Closing it again is harmless."""
    locked = _locked(homework)
    if locked is None or locked.closed is not None:
        return
    table_boards.show_homework(tables_of(locked), shown=True)
    now = timezone.now()
    Homework.objects.filter(pk=locked.pk).update(closed=now, shown=locked.shown or now)


@transaction.atomic
def reopen(*, homework: Homework, until: date) -> None:
    """Open until another day, whether it was closed or not. Boards are hidden again, and what
    was tried out from them goes; those finished since it closed stay late. Refused if the day
    is no such day."""
    check_until(until)
    locked = _locked(homework)
    if locked is None:
        return
    if locked.closed is not None:
        table_boards.show_homework(tables_of(locked), shown=False)
    Homework.objects.filter(pk=locked.pk).update(closed=None, until=until, ends=end_of(until))


@deletion
def delete(*, homework: Homework) -> None:
    """Delete it, with all that was done of it."""
    locked = _locked(homework)
    if locked is None:
        return
    going = table_boards.lock_tables_and_studies(tables_of(locked))
    Table.objects.filter(pk__in=going).delete()
    Homework.objects.filter(pk=locked.pk).delete()
    for table_id in going:
        notify_after_commit(table_id)


def _locked(homework: Homework) -> Homework | None:
    """The homework as it is now; nobody begins a board meanwhile. None if it is gone."""
    lock_classroom(homework.classroom)
    return Homework.objects.filter(pk=homework.pk).select_related("classroom").first()


def tables_of(homework: Homework) -> QuerySet[Table]:
    """The tables at which its boards are played."""
    return Table.objects.filter(homework_board__homework=homework)


def purge(before: datetime) -> int:
    """Delete homework that ended before this, some boards at a time; how many."""
    due = list(Homework.objects.filter(ends__lt=before).select_related("classroom"))
    for homework in due:
        table_ids = list(tables_of(homework).order_by("pk").values_list("pk", flat=True))
        in_turns([*batches(table_ids, AT_ONCE), []], partial(_purge, homework, before))
    return len(due)


@deletion
def _purge(homework: Homework, before: datetime, table_ids: list[str]) -> None:
    """Delete some of its tables, or what is left; not if it was opened again meanwhile."""
    locked = _locked(homework)
    if locked is None or locked.ends >= before:
        return
    if not table_ids:
        delete(homework=locked)
        return
    going = table_boards.lock_tables_and_studies(tables_of(locked).filter(pk__in=table_ids))
    Table.objects.filter(pk__in=going).delete()
    for gone in going:
        notify_after_commit(gone)
