"""Cover lessons: a sheet with a QR code by which a class works alone for 45 minutes, its
guests, and which students a teacher says they were."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.analysis.puzzles import puzzles
from games.keeping.retention import delete_rows
from games.models import Guest, Result, Table
from games.rules import Variant
from games.tables.opening import TableSettings, open_table
from games.tables.viewers import find_guest
from lessons.exercises import SEED_BITS, NoVariant, ask
from lessons.exercises.engine import LEVEL, Level
from lessons.homework.giving import check_until, draw_puzzles, end_of, new_board
from lessons.models import Answer, CoverPuzzle, CoverSheet, CoverVisit, Question
from xactika_site import languages
from xactika_site.classrooms.models import Classroom
from xactika_site.classrooms.names import two_word_name
from xactika_site.classrooms.services import Refused, add_student, deletion, lock_classroom
from xactika_site.randomness import system_rng

CHAPTERS = (7, 8)
"""The chapters of learning by playing that a lesson begins with: how to bid, a whole round."""

PUZZLES, BOARDS, SEATS = 5, 4, 4
"""How many puzzles and boards there are to do, and how many seats at the boards' table."""

PARTS = len(CHAPTERS) + PUZZLES + BOARDS + 1
"""All that there is to do: each chapter, puzzle and board, and the last question."""

EXIT = ("value-chance", "expected-number")
"""The exercises, easy ones, of which the question before going may be."""

NEW = 0
"""In ``assign_students``, instead of a student's key: one whom the class does not have yet."""

MOST_GUESTS = 60
USUAL = timedelta(days=14)
OVER = frozenset({CoverPuzzle.SOLVED, CoverPuzzle.SHOWN})
"""States of a puzzle whose solution was found or shown."""


# A teacher's.


def make_sheet(*, classroom: Classroom, until: date) -> CoverSheet:
    """A new cover lesson of a class, in its language, open until the end of this day. Refused
    if that is over, or too far away (``check_until``)."""
    check_until(until)
    return CoverSheet.objects.create(
        classroom=classroom,
        language=classroom.language,
        until=until,
        ends=end_of(until),
        boards=[new_board(SEATS) for _board in range(BOARDS)],
        puzzles=draw_puzzles(PUZZLES, classroom),
        question=_drawn_exit_question(),
    )


def _drawn_exit_question() -> dict[str, Any]:
    while True:  # of these types nearly every draw has a question
        with suppress(NoVariant):
            key, seed = system_rng.choice(EXIT), system_rng.getrandbits(SEED_BITS)
            return ask(key, seed, wish={LEVEL: Level.A}).to_json()


@transaction.atomic
def assign_students(*, sheet: CoverSheet, students: Mapping[int, int | None]) -> None:
    """Store which student of the class each guest was, as a teacher says, by the keys of
    visits: None for nobody, NEW for a new student by the guest's name. The last question is
    that student's then, wherever answers are counted. Refused where the class is full or has
    that name by now."""
    lock_classroom(sheet.classroom)
    known = set(sheet.classroom.students.values_list("pk", flat=True))
    visits = sheet.visits.filter(pk__in=students).order_by("pk")
    for visit in visits.select_for_update(of=("self",)):
        student = students[visit.pk]
        if student == NEW and visit.student_id:
            continue  # the same press, twice
        if student == NEW:
            room, language = sheet.classroom_id, sheet.language
            student = add_student(classroom_id=room, name=visit.name, language=language).pk
        elif student is not None and student not in known:
            continue
        visit.student_id = student
        visit.save(update_fields=["student"])
        if visit.question_id:
            Question.objects.filter(pk=visit.question_id).update(**_owner(visit))


def _owner(visit: CoverVisit) -> dict[str, int | None]:
    """Whose the last question is: the student's who it was, or the guest's."""
    guest = None if visit.student_id else visit.guest_id
    return {"student_id": visit.student_id, "guest_id": guest}


@deletion
def delete_sheet(*, sheet: CoverSheet) -> None:
    """Delete it, with its visits."""
    lock_classroom(sheet.classroom)
    CoverSheet.objects.filter(pk=sheet.pk).delete()


def purge(before: datetime) -> int:
    """Delete cover lessons that ended before this, with their visits; how many."""
    return delete_rows(CoverSheet.objects.filter(ends__lt=before))


# A guest's.


@transaction.atomic
def come_in(*, sheet: CoverSheet, guest: Guest) -> CoverVisit:
    """The guest's visit: as it is, or a new one under a name that nobody of the class or the
    sheet has. Refused if the sheet has closed or is full."""
    lock_classroom(sheet.classroom)
    if visit := sheet.visits.filter(guest=guest).first():
        return visit
    check_open(sheet)
    taken = set(sheet.visits.values_list("name", flat=True))
    if len(taken) >= MOST_GUESTS:
        raise Refused(_("This sheet is full. Ask for another one."))
    taken |= set(sheet.classroom.students.values_list("name", flat=True))
    name = two_word_name(system_rng, languages.supported(sheet.language), taken=taken)
    return CoverVisit.objects.create(sheet=sheet, guest=guest, name=name)


def forget_empty(*, visit: CoverVisit) -> None:
    """Delete the guest's visit if nothing was done in it: somebody else sits down at the
    browser."""
    CoverVisit.objects.filter(
        pk=visit.pk, student=None, chapters=[], puzzles={}, table=None, question=None
    ).delete()


def check_open(sheet: CoverSheet) -> None:
    """Raise Refused unless something may be done."""
    if not sheet.is_open:
        raise Refused(_("This lesson has closed. Your teacher sees what you’ve done."))


@transaction.atomic
def note_chapter(guest_key: str | None, number: int) -> None:
    """Note in the open lessons of a guest (by cookie) that they have gone through a chapter."""
    if (guest := find_guest(guest_key)) is None:
        return
    open_ = CoverVisit.objects.filter(guest=guest, sheet__ends__gt=timezone.now())
    for visit in open_.select_for_update(of=("self",)):
        if number not in visit.chapters:
            visit.chapters.append(number)
            visit.save(update_fields=["chapters"])


@transaction.atomic
def answer_puzzle(*, visit: CoverVisit, number: int, answer: str) -> CoverPuzzle | None:
    """How the puzzle stands after this answer, one of those that there are, or (empty) the wish
    to be shown how it goes; once it is over nothing counts. Refused after the last day."""
    check_open(visit.sheet)
    row = _locked(visit)
    state = row.puzzle(number)
    if state not in OVER:
        if not answer:
            state = CoverPuzzle.SHOWN
        else:
            is_right = answer == puzzles()[number].answer
            state = CoverPuzzle.SOLVED if is_right else CoverPuzzle.TRIED
        row.puzzles[str(number)] = state
        row.save(update_fields=["puzzles"])
    return state


def _locked(visit: CoverVisit) -> CoverVisit:
    return CoverVisit.objects.select_for_update(of=("self",)).get(pk=visit.pk)


@transaction.atomic
def begin_boards(*, visit: CoverVisit) -> str:
    """The id of the table at which the guest plays the boards, opened now or before. Refused if
    the lesson has closed before they began."""
    row = _locked(visit)
    if row.table_id is None:
        check_open(visit.sheet)
        settings = TableSettings(
            Variant.BID, seats=SEATS, people=1, rounds=BOARDS, deals=visit.sheet.boards
        )
        row.table = open_table(
            kind=Table.Kind.SOLO, settings=settings, opener=visit.guest, name=visit.name
        )
        row.save(update_fields=["table"])
    return str(row.table_id)


@transaction.atomic
def exit_question(*, visit: CoverVisit) -> Question:
    """The guest's question before going, asked now or before. Refused if the lesson has closed
    before they began."""
    row = _locked(visit)
    if row.question is None:
        check_open(visit.sheet)
        row.question = Question.objects.create(
            **_owner(row), place=Question.Place.PRACTICE, **visit.sheet.question
        )
        row.save(update_fields=["question"])
    return row.question


# What was done.


@dataclass(frozen=True, slots=True)
class CoverDone:
    """What a guest has done: chapters gone through, puzzles solved, boards played to the end,
    bids made in them; how many answers to the last question, and whether one was right."""

    visit: CoverVisit
    chapters: int = 0
    puzzles: int = 0
    boards: int = 0
    made: int = 0
    answers: int = 0
    is_right: bool = False

    @property
    def share(self) -> Fraction:
        """The share of the lesson that is done."""
        done = self.chapters + self.puzzles + self.boards + self.is_right
        return Fraction(done, PARTS)


def done_in(visits: Collection[CoverVisit]) -> list[CoverDone]:
    """For each of these visits, what was done in it. Two queries."""
    tables = [each.table_id for each in visits if each.table_id]
    results = Result.objects.filter(deal__table__in=tables, seat=0, by_person=True)
    boards: dict[str, Counter[bool]] = defaultdict(Counter)
    for table, bid, taken in results.values_list("deal__table", "bid", "taken"):
        boards[table][bid == taken] += 1
    answers: dict[int, list[bool]] = defaultdict(list)
    questions = [each.question_id for each in visits if each.question_id]
    asked = Answer.objects.filter(question__in=questions)
    for question, right in asked.values_list("question", "right"):
        answers[question].append(right)
    return [
        CoverDone(
            visit=each,
            chapters=len({*CHAPTERS} & {*each.chapters}),
            puzzles=list(each.puzzles.values()).count(CoverPuzzle.SOLVED),
            boards=boards[each.table_id or ""].total(),
            made=boards[each.table_id or ""][True],
            answers=len(answers[each.question_id or 0]),
            is_right=any(answers[each.question_id or 0]),
        )
        for each in visits
    ]


def done_by(students: Collection[int]) -> list[CoverDone]:
    """What each of these students has done of each lesson, the first lesson first, as teachers
    say who the guests were: several visits of one student are one. Up to three queries."""
    visits = CoverVisit.objects.filter(student__in=students).select_related("sheet")
    ordered = list(visits.order_by("sheet", "student", "pk"))
    if not ordered:
        return []
    by_student = groupby(
        done_in(ordered), key=lambda done: (done.visit.sheet_id, done.visit.student_id)
    )
    return [_together([*own]) for _key, own in by_student]


def _together(parts: list[CoverDone]) -> CoverDone:
    boards = max(parts, key=lambda done: (done.boards, done.made))
    solved = {
        number
        for done in parts
        for number, state in done.visit.puzzles.items()
        if state == CoverPuzzle.SOLVED
    }
    return CoverDone(
        visit=parts[0].visit,
        chapters=len({*CHAPTERS} & {n for done in parts for n in done.visit.chapters}),
        puzzles=len(solved),
        boards=boards.boards,
        made=boards.made,
        answers=sum(done.answers for done in parts),
        is_right=any(done.is_right for done in parts),
    )
