"""What students do of homework, and how far everybody has come."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.analysis.puzzles import puzzles
from games.models import Result
from games.tables.notify import notify_after_commit
from games.tables.opening import open_homework_table
from games.tables.viewers import Browser
from lessons.exercises import EXERCISES
from lessons.homework.giving import close_due
from lessons.homework.waiting import check_is_open_to, waiting_in
from lessons.models import Answer, Homework, HomeworkBoard, HomeworkPuzzle, Question
from lessons.questions.learners import known_students
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import Classroom, Student
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused, lock_classroom, note_day

# Whose it is.


def _closed_where_due(**whose: Any) -> QuerySet[Homework]:
    rows = Homework.objects.filter(**whose)
    close_due(rows)
    return rows.select_related("classroom")


def homework_for(browser: Browser, homework_id: int) -> tuple[Homework, Student]:
    """Homework of a class of which somebody at this browser is a student, and who that is;
    NotFound for anybody else."""
    students = {student.classroom_id: student for student in known_students(browser)}
    homework = _closed_where_due(pk=homework_id, classroom__in=students).first()
    if homework is None:
        raise NotFound
    return homework, students[homework.classroom_id]


def homework_of(classroom: Classroom) -> list[Homework]:
    """A class's homework, the latest first."""
    return list(_closed_where_due(classroom=classroom).order_by("-pk"))


def homework_for_teacher(teacher: User, homework_id: int) -> Homework:
    """Homework of one of the teacher's classes; NotFound if it is another's."""
    homework = _closed_where_due(pk=homework_id, classroom__teachers=teacher.pk).first()
    if not teacher.is_authenticated or homework is None:
        raise NotFound
    return homework


# How far one is.


class BoardState(StrEnum):
    """How a board stands."""

    NOT_BEGUN = ""
    BEGUN = "begun"
    DONE = "done"
    LATE = "late"  # it ended when its cards had lain open

    @property
    def is_over(self) -> bool:
        return self in (BoardState.DONE, BoardState.LATE)


@dataclass(slots=True)
class HomeworkDone:
    """What a student has done: how each begun board stands and its table, by number; right
    answers, and whether there are any; puzzles tried, those solved or shown, and of these the
    solved ones. Who ``came_after`` it had closed had none of it to do."""

    boards: dict[int, BoardState] = field(default_factory=dict)
    tables: dict[int, str] = field(default_factory=dict)
    questions: int = 0
    has_answered: bool = False
    tried: int = 0
    puzzles: int = 0
    solved: int = 0
    came_after: bool = False

    @property
    def has_begun(self) -> bool:
        """Whether there is anything of theirs, finished or not."""
        return bool(self.boards or self.has_answered or self.tried)

    @property
    def finished(self) -> int:
        """How many boards are over."""
        return sum(state.is_over for state in self.boards.values())

    def has_left(self, homework: Homework) -> bool:
        """Whether there is something left to do: nothing of a puzzle that was shown."""
        return (
            self.finished < len(homework.boards)
            or self.questions < homework.questions
            or self.puzzles < len(homework.puzzles)
        )

    def is_all(self, homework: Homework) -> bool:
        """Whether all of it is done, its puzzles solved."""
        return not self.has_left(homework) and self.solved >= len(homework.puzzles)

    def share(self, homework: Homework) -> Fraction:
        """The share of it that is done: boards, questions and solved puzzles count one each."""
        parts = parts_of(homework)
        done = min(self.finished, len(homework.boards)) + self.questions + self.solved
        return Fraction(done, parts) if parts else Fraction(1)


def parts_of(homework: Homework) -> int:
    """How many boards, questions and puzzles there are to do."""
    return len(homework.boards) + homework.questions + len(homework.puzzles)


def done_by(homework: Homework, students: Collection[int]) -> dict[int, HomeworkDone]:
    """By student, how far they have come. Four queries."""
    return done_in([homework], students)[homework.pk]


def done_in(
    homeworks: Collection[Homework], students: Collection[int]
) -> dict[int, dict[int, HomeworkDone]]:
    """How far each of these students has come in each of a class's homework, by its key and the
    student's. Four queries, however much was given."""
    done = {each.pk: {pk: HomeworkDone() for pk in students} for each in homeworks}
    by_key = {each.pk: each for each in homeworks}
    for board in _begun(HomeworkBoard.objects.filter(homework__in=done, student__in=students)):
        own = done[board.homework_id][board.student_id]
        own.boards[board.number] = board_state(by_key[board.homework_id], board)
        own.tables[board.number] = board.table_id
    for homework, student, right, answered in _answered(homeworks, students):
        done[homework.pk][student].questions = min(right, homework.questions)
        done[homework.pk][student].has_answered = answered > 0
    tried = HomeworkPuzzle.objects.filter(homework__in=done, student__in=students)
    for key, student, solved, shown in tried.values_list(
        "homework", "student", "solved", "shown"
    ):
        done[key][student].tried += 1
        done[key][student].puzzles += solved is not None or shown
        done[key][student].solved += solved is not None
    for key, student in _came_after(homeworks, students):
        done[key][student].came_after = True
    return done


def _came_after(
    homeworks: Collection[Homework], students: Collection[int]
) -> list[tuple[int, int]]:
    """Homework and student, by their keys: who came to the class after it had closed."""
    closed = {
        each.pk: min(each.closed or each.ends, each.ends)
        for each in homeworks
        if not each.is_open
    }
    if not closed:
        return []
    new = Student.objects.filter(pk__in=students, created__gt=min(closed.values()))
    return [
        (key, student)
        for student, created in new.values_list("pk", "created")
        for key, when in closed.items()
        if created > when
    ]


def begun_boards(homework: Homework) -> QuerySet[Any]:
    """Students' boards of a homework, with ``is_over`` and when the ``last`` move was made."""
    return _begun(HomeworkBoard.objects.filter(homework=homework, table__teacher=None))


def begun_by_teachers(homework: Homework) -> QuerySet[Any]:
    """The homework's boards that its teachers have begun."""
    return _begun(HomeworkBoard.objects.filter(homework=homework).exclude(table__teacher=None))


def _begun(boards: QuerySet[HomeworkBoard]) -> QuerySet[Any]:
    over = Result.objects.filter(deal__table=OuterRef("table"), seat=0)
    last = Max("table__deals__moves__made")
    return boards.annotate(is_over=Exists(over), last=last).order_by("pk")


def board_state(homework: Homework, board: Any) -> BoardState:
    """How a board of ``begun_boards`` stands."""
    if not board.is_over:
        return BoardState.BEGUN
    is_late = homework.shown is not None and board.last > homework.shown
    return BoardState.LATE if is_late else BoardState.DONE


def _answered(
    homeworks: Collection[Homework], students: Collection[int]
) -> list[tuple[Homework, int, int, int]]:
    """Homework, student, how many of its questions the student has answered right, and how many
    at all: of its own set, or of its skill from when it was given until it was closed."""
    asking = [each for each in homeworks if each.questions]
    if not asking:
        return []
    counts: dict[str, Count] = {}
    for homework in asking:
        if homework.own:
            scope = Q(question__homework=homework)
        else:
            keys = [k for k, each in EXERCISES.items() if each.skill.value == homework.skill]
            scope = Q(
                question__exercise__in=keys,
                question__place=Question.Place.PRACTICE,
                question__asked__gte=homework.given,
            )
        if homework.closed is not None:
            scope &= Q(made__lte=homework.closed)
        counts |= _count_annotations(homework, scope)
    answers = Answer.objects.filter(
        question__student__in=students,
        question__place__in=[Question.Place.PRACTICE, Question.Place.HOMEWORK],
        question__asked__gte=min(each.given for each in asking),
    )
    rows = answers.values_list("question__student").annotate(**counts).order_by()
    return [
        (homework, student, right, answered)
        for student, *counted in rows
        for homework, right, answered in zip(asking, counted[::2], counted[1::2], strict=True)
    ]


def _count_annotations(homework: Homework, scope: Q) -> dict[str, Count]:
    """Annotations ``right_<key>`` and ``answered_<key>`` of a homework: how many questions were
    answered right, and at all, by the answers in ``scope``."""
    return {
        f"right_{homework.pk}": Count("question", distinct=True, filter=scope & Q(right=True)),
        f"answered_{homework.pk}": Count("question", distinct=True, filter=scope),
    }


def finished_by(question: Question) -> Homework | None:
    """The open homework that counts this question, now that its student has answered all of its
    questions right; None if there are more to answer, or no homework counts it."""
    student, exercise = question.student, EXERCISES.get(question.exercise)
    if student is None:
        return None
    open_ = Homework.objects.filter(classroom=student.classroom_id, closed=None)
    if question.homework_id is not None:
        counting = open_.filter(pk=question.homework_id)
    elif question.place == Question.Place.PRACTICE and exercise is not None:
        counting = open_.filter(skill=exercise.skill.value, given__lte=question.asked)
    else:
        return None
    homeworks = [each for each in counting.order_by("until", "pk") if each.is_open]
    waits = waiting_in(homeworks, student)
    done = done_in(homeworks, [student.pk])
    for each in homeworks:
        if each.pk not in waits and done[each.pk][student.pk].questions >= each.questions:
            return each
    return None


def has_open(student: Student) -> bool:
    """Whether the student's class has homework that is open: one short query."""
    open_ = Homework.objects.filter(classroom=student.classroom_id, closed=None)
    return open_.filter(ends__gt=timezone.now()).exists()


def due_for(student: Student) -> list[tuple[Homework, HomeworkDone]]:
    """The homework that is open to this student and not done, the first to close first."""
    homeworks = [each for each in homework_of(student.classroom) if each.is_open]
    waits = waiting_in(homeworks, student)
    homeworks = [each for each in homeworks if each.pk not in waits]
    done = done_in(homeworks, [student.pk])
    return sorted(
        [
            (each, own)
            for each in homeworks
            for own in [done[each.pk][student.pk]]
            if own.has_left(each)
        ],
        key=lambda pair: (pair[0].until, pair[0].pk),
    )


# Doing it.


def begin(*, homework: Homework, student: Student, number: int) -> str:
    """The id of the table at which the student plays this board: opened now, or the one where
    they have begun it. NotFound for a board that there is not; Refused if nothing is begun any
    more, or not by them as yet (``waiting_in``)."""
    own = HomeworkBoard.objects.filter(homework=homework, student=student)
    if (table_id := begun_at(homework, own, number)) is not None:
        return table_id
    check_is_open_to(homework, student)
    try:
        return open_board(homework, own, number, student=student)
    except IntegrityError:  # the student is gone
        raise NotFound from None


def begun_at(homework: Homework, own: QuerySet[HomeworkBoard], number: int) -> str | None:
    """The id of the table at which the one whose boards are ``own`` has begun this board.
    NotFound for a board that there is not."""
    if not 0 < number <= len(homework.boards):
        raise NotFound
    return own.filter(number=number).values_list("table", flat=True).first()


@transaction.atomic
def open_board(
    homework: Homework,
    own: QuerySet[HomeworkBoard],
    number: int,
    *,
    student: Student | None = None,
    teacher: User | None = None,
) -> str:
    """The id of a new table at which they play it, or the one begun on another device just now.
    Refused if nothing is begun any more."""
    lock_classroom(homework.classroom)
    if teacher and not homework.classroom.teachers.filter(pk=teacher.pk).exists():
        raise NotFound
    if (table_id := begun_at(homework, own, number)) is not None:
        return table_id
    homework.refresh_from_db(fields=["closed", "until", "ends"])
    if not homework.is_open:
        raise Refused(_("It has closed. Boards you’ve begun can be finished, marked as late."))
    table = open_homework_table(
        classroom=homework.classroom,
        student=student,
        teacher=teacher,
        variant=homework.variant,
        level=homework.bots,
        board=number,
        deal=homework.boards[number - 1],
    )
    HomeworkBoard.objects.create(homework=homework, student=student, number=number, table=table)
    if student is not None:
        transaction.on_commit(partial(note_day, students=[student.pk]))
    notify_after_commit(table.id)
    return table.id


def question_of(*, homework: Homework, student: Student, number: int) -> Question:
    """The student's question of this number of the homework's own, asked now or before.
    NotFound for a number that there is not; Refused if nothing is begun any more, or not by
    them as yet (``waiting_in``)."""
    if not 0 < number <= len(homework.own):
        raise NotFound
    mine = {"homework": homework, "student": student, "homework_number": number}
    if found := Question.objects.filter(**mine).first():
        return found
    check_is_open_to(homework, student)
    if not homework.is_open:
        raise Refused(_("It has closed."))
    asked, _new = Question.objects.get_or_create(
        **mine,
        defaults={"place": Question.Place.HOMEWORK, **homework.own[number - 1]},
    )
    note_day(students=[student.pk])
    return asked


def questions_begun(homework: Homework, student: Student) -> dict[int, bool]:
    """Which of the homework's own questions the student has begun, by number, and whether it
    was answered right."""
    right = Exists(Answer.objects.filter(question=OuterRef("pk"), right=True))
    asked = homework.asked.filter(student=student).annotate(is_right=right)
    return {each.homework_number or 0: each.is_right for each in asked}


def puzzles_tried(homework: Homework, student: Student) -> dict[int, HomeworkPuzzle]:
    """What the student has tried of its puzzles, by number."""
    return {row.puzzle: row for row in homework.tried.filter(student=student)}


@transaction.atomic
def answer_puzzle(
    *, homework: Homework, student: Student, number: int, answer: str
) -> HomeworkPuzzle:
    """How the puzzle stands after this answer, one of those that there are, or (empty) the wish
    to be shown how it goes. After that nothing counts. Refused if the homework has closed, or
    is not open to the student as yet (``waiting_in``)."""
    check_is_open_to(homework, student)
    if not homework.is_open:
        raise Refused(_("It has closed."))
    row, _new = HomeworkPuzzle.objects.get_or_create(
        homework=homework, student=student, puzzle=number
    )
    if row.is_over:
        return row
    mine = HomeworkPuzzle.objects.filter(pk=row.pk, solved=None, shown=False)
    if not answer:
        mine.update(shown=True)
    elif answer == puzzles()[number].answer:
        mine.update(tries=F("tries") + 1, solved=timezone.now())
    else:
        mine.update(tries=F("tries") + 1)
    transaction.on_commit(partial(note_day, students=[student.pk]))
    row.refresh_from_db()
    return row
