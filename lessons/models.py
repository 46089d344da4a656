"""What is stored of learning: which questions were asked, and the answers that used an attempt.

A question belongs to a student of a classroom or to a guest, and goes with them. Its parameters
rebuild it exactly (``lessons.exercises.rebuild``); no free text of students is ever stored.
Django looks for an app's models in one file.
"""

from __future__ import annotations

import secrets
from datetime import date, timedelta
from enum import StrEnum
from typing import Any, Self

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.analysis.bots import HOMEWORK
from games.models import VARIANTS, Deal, Guest, Position, Table
from games.rules import Variant
from xactika_site.accounts.models import AnyInvitation
from xactika_site.classrooms.models import CODE_LETTERS, Classroom, ClassSession, Student

OUTSIDE_TESTS = ~Q(place__in=["test", "entry"])
"""Questions by which somebody learns: a test measures, and tells nothing while it runs; so does
the check where to begin."""


ANSWERS_OUTSIDE_TESTS = ~Q(question__place__in=["test", "entry"])
"""Answers to these."""


def _one_owner(name: str) -> models.CheckConstraint:
    """The constraint that a row is either a student's or a guest's, and somebody's."""
    is_one = Q(student=None, guest__isnull=False) | Q(student__isnull=False, guest=None)
    return models.CheckConstraint(condition=is_one, name=name)


def _only_at(place: str, name: str, **empty: Any) -> models.CheckConstraint:
    """The constraint that what says where in a place it was asked is empty elsewhere."""
    return models.CheckConstraint(condition=Q(place=place) | Q(**empty), name=name)


def _once(name: str, fields: str, where: Q | None = None) -> models.UniqueConstraint:
    """The constraint that these fields together are there once, of the rows ``where`` it is so
    if not of all."""
    return models.UniqueConstraint(fields=fields.split(), condition=where, name=name)


class LessonSettings(models.Model):
    """What a class session's students and guests may see of its results."""

    class_session = models.OneToOneField(
        ClassSession, on_delete=models.CASCADE, related_name="lesson_settings"
    )
    # The class's charts, without names, on the students' own pages.
    charts_for_students = models.BooleanField(default=False)
    # A link to the results without names; its token is derived, as a seat's is.
    shared = models.BooleanField(default=False)
    share_serial = models.PositiveIntegerField(default=0)


class ClassExercise(models.Model):
    """One exercise that a teacher put to everybody in a class session."""

    class Source(models.TextChoices):
        DECK = "deck", _("the deck")
        OWN_HAND = "own_hand", _("everybody's own last hand")
        CLASS = "class", _("the class's finished rounds")

    class State(StrEnum):
        OPEN = "open"
        CLOSED = "closed"
        REVEALED = "revealed"

    class_session = models.ForeignKey(
        ClassSession, on_delete=models.CASCADE, related_name="class_exercises"
    )
    exercise = models.CharField(max_length=32)
    source = models.CharField(max_length=8, choices=Source)
    # One question for all, or one for each hand: the seed is the same.
    seed = models.BigIntegerField()
    opened = models.DateTimeField(auto_now_add=True)
    # Of the one question for all; of one for each hand they stand with the question.
    parameters = models.JSONField(null=True, blank=True)
    # Of a class's own set: which, and which of its questions, from 1; the next one may follow.
    question_set = models.ForeignKey(
        "QuestionSet", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    set_number = models.PositiveSmallIntegerField(null=True, blank=True)
    # No answer is taken after this; shown when revealed; gone from the class's pages.
    closed = models.DateTimeField(null=True, blank=True)
    revealed = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [_once("one_open_class_exercise", "class_session", Q(closed=None))]

    @property
    def state(self) -> State:
        if self.revealed is not None:
            return self.State.REVEALED
        return self.State.OPEN if self.closed is None else self.State.CLOSED


class QuestionSet(models.Model):
    """Questions that a class's teachers have chosen or written: one text (docs/questions.md).
    It goes with its classroom; what was asked of it stands by itself."""

    classroom = models.ForeignKey(
        Classroom, on_delete=models.CASCADE, related_name="question_sets"
    )
    name = models.CharField(max_length=60)
    text = models.TextField(blank=True)
    # The class's students find it in practice.
    practice = models.BooleanField(default=False)
    # Counts what was stored: of two teachers who change it at once, the second is told.
    version = models.PositiveIntegerField(default=0)
    changed = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("question_set", args=[self.pk])


class Question(models.Model):
    """One seeded instance of an exercise, put to one student or guest."""

    class Place(models.TextChoices):
        PRACTICE = "practice", "practice"
        TABLE = "table", "at the table"
        CLASS = "class", "put to the class"
        LESSON = "lesson", "in a lesson"
        HOMEWORK = "homework", "in homework"
        TEST = "test", "in a test"
        ENTRY = "entry", "to find where to begin"

    student = models.ForeignKey(
        Student, null=True, blank=True, on_delete=models.CASCADE, related_name="questions"
    )
    guest = models.ForeignKey(
        Guest, null=True, blank=True, on_delete=models.CASCADE, related_name="questions"
    )
    place = models.CharField(max_length=8, choices=Place)
    exercise = models.CharField(max_length=32)
    seed = models.BigIntegerField()
    parameters = models.JSONField()
    # The session in which it was asked; the deal it is about; the exercise put to everybody.
    class_session = models.ForeignKey(
        ClassSession, null=True, blank=True, on_delete=models.CASCADE, related_name="questions"
    )
    deal = models.ForeignKey(
        Deal, null=True, blank=True, on_delete=models.CASCADE, related_name="questions"
    )
    class_exercise = models.ForeignKey(
        ClassExercise, null=True, blank=True, on_delete=models.CASCADE, related_name="questions"
    )
    # At the table: which moment of the deal it is about; a deal has one question a moment.
    moment = models.CharField(max_length=8, blank=True)
    # In a lesson: in which visit, and at which step, by its name; there it is the only one.
    visit = models.ForeignKey(
        "Visit", null=True, blank=True, on_delete=models.SET_NULL, related_name="questions"
    )
    step = models.SlugField(max_length=40, blank=True, db_index=False)
    # In homework: whose, and which of its own questions.
    homework = models.ForeignKey(
        "Homework", null=True, blank=True, on_delete=models.CASCADE, related_name="asked"
    )
    homework_number = models.PositiveSmallIntegerField(null=True, blank=True)
    # In a test: by whom, the first or the second one, and which of its questions, from 1.
    taker = models.ForeignKey(
        "Taker", null=True, blank=True, on_delete=models.CASCADE, related_name="questions"
    )
    test = models.PositiveSmallIntegerField(null=True, blank=True)
    test_number = models.PositiveSmallIntegerField(null=True, blank=True)
    # In practice: which level and skill were wished for; empty where it was all the same.
    level = models.CharField(max_length=1, blank=True)
    skill = models.CharField(max_length=16, blank=True)
    # In practice: whether just this exercise was chosen; then all of its run is of it.
    chosen = models.BooleanField(default=False)
    asked = models.DateTimeField(auto_now_add=True)
    # How many hints were taken: the first, the step to fill in, and whether that was filled in.
    hints = models.PositiveSmallIntegerField(default=0)
    # When the right answer, or the way to it, was shown: no attempt counts after this.
    solved = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            _one_owner("question_one_owner"),
            _only_at("table", "question_moment_at_table", moment=""),
            _only_at("lesson", "question_step_in_lesson", visit=None, step=""),
            _only_at("practice", "question_wish_in_practice", level="", skill="", chosen=False),
            models.CheckConstraint(
                condition=Q(place="homework", homework_number__isnull=False)
                | ~Q(place="homework") & Q(homework=None, homework_number=None),
                name="question_number_in_homework",
            ),
            models.CheckConstraint(
                condition=Q(
                    place="test",
                    taker__isnull=False,
                    test__isnull=False,
                    test_number__isnull=False,
                )
                | ~Q(place="test") & Q(taker=None, test=None, test_number=None),
                name="question_number_in_test",
            ),
            # Asked twice at once, it is still one question.
            _once("test_question_once", "taker test test_number", Q(taker__isnull=False)),
            _once(
                "homework_question_once",
                "homework student homework_number",
                Q(homework__isnull=False),
            ),
            _once(
                "question_once_a_moment",
                "deal student moment",
                Q(deal__isnull=False, student__isnull=False) & ~Q(moment=""),
            ),
            _once(
                "guest_question_once_a_moment",
                "deal guest moment",
                Q(deal__isnull=False, guest__isnull=False) & ~Q(moment=""),
            ),
            _once("question_once_a_step", "visit step", Q(visit__isnull=False) & ~Q(step="")),
            _once(
                "class_question_once", "class_exercise student", Q(class_exercise__isnull=False)
            ),
        ]
        indexes = [models.Index(fields=["student", "exercise"])]

    def get_absolute_url(self) -> str:
        return reverse("question", args=[self.pk])

    def to_json(self) -> dict[str, Any]:
        """What ``lessons.exercises.rebuild`` makes the question from."""
        return {"exercise": self.exercise, "seed": self.seed, "parameters": self.parameters}


class Answer(models.Model):
    """One attempt at a question. What used none (unreadable, wrong form) is not stored."""

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="answers")
    # Counts attempts from 0: a double click stores one.
    number = models.PositiveSmallIntegerField()
    # By field: numbers in our own notation or options' keys, never what was typed.
    values = models.JSONField()
    right = models.BooleanField()
    # Codes of the misconceptions that were recognised.
    misconceptions = models.JSONField(default=list)
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [_once("answer_once", "question number")]


class Forecast(models.Model):
    """A bid as a forecast: how likely somebody held each number of tricks, before play."""

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="forecasts")
    seat = models.PositiveSmallIntegerField()
    student = models.ForeignKey(
        Student, null=True, blank=True, on_delete=models.CASCADE, related_name="forecasts"
    )
    guest = models.ForeignKey(
        Guest, null=True, blank=True, on_delete=models.CASCADE, related_name="forecasts"
    )
    # Nine whole percents for 0…8 tricks, summing to 100.
    percents = models.JSONField()
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            _one_owner("forecast_one_owner"),
            _once("forecast_once", "deal seat"),
        ]


class Slip(models.Model):
    """A move of one's own that cost something by what could be known: the look back names it,
    and its position may be tried again. What was played stands with the round's moves."""

    student = models.ForeignKey(
        Student, null=True, blank=True, on_delete=models.CASCADE, related_name="slips"
    )
    guest = models.ForeignKey(
        Guest, null=True, blank=True, on_delete=models.CASCADE, related_name="slips"
    )
    position = models.ForeignKey(Position, on_delete=models.CASCADE, related_name="slips")
    # What each move that was allowed there brings on average, by its text: as the look back
    # had it, also where nothing can be simulated any more.
    worths = models.JSONField()
    found = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            _one_owner("slip_one_owner"),
            _once("slip_once", "position student", Q(student__isnull=False)),
            _once("guest_slip_once", "position guest", Q(guest__isnull=False)),
        ]

    def get_absolute_url(self) -> str:
        return reverse("mistake", args=[self.pk])


class Retry(models.Model):
    """A mistake tried again: another move there, and whether it was as good as the best."""

    slip = models.ForeignKey(Slip, on_delete=models.CASCADE, related_name="retries")
    # Counts from 0: a double click stores one.
    number = models.PositiveSmallIntegerField()
    move = models.CharField(max_length=11)
    right = models.BooleanField()
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [_once("retry_once", "slip number")]


class LessonRun(models.Model):
    """A lesson that a teacher holds with a class session, and how far the room has come."""

    class_session = models.ForeignKey(
        ClassSession, on_delete=models.CASCADE, related_name="lesson_runs"
    )
    lesson = models.SlugField(max_length=40)
    # The step at which the room is, from 1; 0 before the first. All up to it may be seen.
    step = models.PositiveSmallIntegerField(default=0)
    # The numbers of the steps that the teacher has closed: they take no answers of the room's
    # any more, also once it has gone on.
    shut = models.JSONField(default=list)
    # How its bot is drawn (lessons.visits.ways.seed_of): as now, or 0, as it was before.
    draw = models.PositiveSmallIntegerField(default=1)
    # The projector shows it instead of the game.
    on_wall = models.BooleanField(default=True)
    begun = models.DateTimeField(auto_now_add=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [_once("one_lesson_at_a_time", "class_session", Q(ended=None))]

    @property
    def closed(self) -> bool:
        """Whether the step at which the room is takes no answers."""
        return self.step in self.shut

    @property
    def state(self) -> str:
        """Changes with what students may do: where the room is, and whether it answers."""
        return f"{self.step}.{self.closed:d}"


class Visit(models.Model):
    """One person's way through a lesson, in a room or alone; beginning again makes another."""

    student = models.ForeignKey(
        Student, null=True, blank=True, on_delete=models.CASCADE, related_name="visits"
    )
    guest = models.ForeignKey(
        Guest, null=True, blank=True, on_delete=models.CASCADE, related_name="visits"
    )
    run = models.ForeignKey(
        LessonRun, null=True, blank=True, on_delete=models.CASCADE, related_name="visits"
    )
    lesson = models.SlugField(max_length=40)
    # As LessonRun's, for whoever goes alone.
    draw = models.PositiveSmallIntegerField(default=1)
    begun = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            _one_owner("visit_one_owner"),
            _once("one_visit_a_run", "run student", Q(run__isnull=False)),
        ]
        indexes = [models.Index(fields=["student", "lesson"])]


class Commitment(models.Model):
    """What somebody has done in a step. A prediction's is never changed; hands that were dealt
    are added to, a graph or an explanation may be tried again."""

    visit = models.ForeignKey(Visit, on_delete=models.CASCADE, related_name="commitments")
    step = models.SlugField(max_length=40)
    # By the kind of step: {"choice": 3} or {"number": 34}; {"hands": 20, "counts": […]};
    # {"heights": […]}; {"order": […], "first": […]}, what was chosen last and at first. Never
    # anything typed.
    value = models.JSONField()
    # Where right and wrong can be told, and after how many tries.
    right = models.BooleanField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=1)
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [_once("commitment_once", "visit step")]


class Homework(models.Model):
    """What a class does alone until a day: boards against bots, questions of a skill or of an
    own set, puzzles; at least one of these. It closes after that day, or when its teacher says
    so."""

    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="homework")
    given = models.DateTimeField(auto_now_add=True)
    # Its last day, by the calendar of whoever gave it out, and when that is over.
    until = models.DateField()
    ends = models.DateTimeField()
    # When everybody who may look back on a board was shown all its cards: now, if it has
    # closed, and first, also if it was opened again.
    closed = models.DateTimeField(null=True, blank=True)
    shown = models.DateTimeField(null=True, blank=True)
    variant = models.CharField(max_length=4, choices=VARIANTS, default=Variant.BID.value)
    # The boards' deals, as prepared ones of a table; and the bots' level, with its version.
    boards = models.JSONField(default=list, blank=True)
    bots = models.CharField(max_length=16, default=HOMEWORK)
    # So many questions: of this skill, answered right in practice; or those of a set, as it
    # was when they were given out (what rebuilds each), and what it was called.
    skill = models.CharField(max_length=16, blank=True)
    questions = models.PositiveSmallIntegerField(default=0)
    own = models.JSONField(default=list, blank=True)
    own_name = models.CharField(max_length=60, blank=True)
    # Puzzles, by their numbers.
    puzzles = models.JSONField(default=list, blank=True)

    def get_absolute_url(self) -> str:
        return reverse("homework", args=[self.pk])

    @property
    def is_open(self) -> bool:
        """Whether something may still be begun: its last day counts."""
        return self.closed is None and timezone.now() < self.ends

    @property
    def last_day(self) -> date:
        """The day by which it is called: its last, or an earlier one on which it was closed."""
        if self.closed is None or self.closed >= self.ends:
            return self.until
        return min(self.until, timezone.localdate(self.closed))

    @property
    def seats(self) -> int:
        """How many sit at a board, the student among them; 0 without boards."""
        return len(self.boards[0]["hands"]) if self.boards else 0


class HomeworkBoard(models.Model):
    """A board of homework that a student has begun, at a table of their own, or a teacher (the
    table says who). What came of it stands there."""

    homework = models.ForeignKey(Homework, on_delete=models.CASCADE, related_name="begun")
    # Counts from 1.
    number = models.PositiveSmallIntegerField()
    student = models.ForeignKey(
        Student,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="homework_boards",
    )
    table = models.OneToOneField(Table, on_delete=models.CASCADE, related_name="homework_board")

    class Meta:
        constraints = [
            # Begun on two devices at once it is still one board.
            _once("homework_board_once", "homework number student")
        ]


class HomeworkPuzzle(models.Model):
    """A puzzle of homework that a student has tried."""

    homework = models.ForeignKey(Homework, on_delete=models.CASCADE, related_name="tried")
    student = models.ForeignKey(
        Student, on_delete=models.CASCADE, related_name="homework_puzzles"
    )
    # Its number among all puzzles.
    puzzle = models.PositiveSmallIntegerField()
    tries = models.PositiveSmallIntegerField(default=0)
    solved = models.DateTimeField(null=True, blank=True)
    # The solution was asked for before it was solved.
    shown = models.BooleanField(default=False)

    class Meta:
        constraints = [_once("homework_puzzle_once", "homework student puzzle")]

    @property
    def is_over(self) -> bool:
        """Whether its solution is nothing new."""
        return self.solved is not None or self.shown


def new_sheet_key() -> str:
    """A key that nobody guesses (51 bits) and that can be typed: three times four letters."""
    letters = CODE_LETTERS.lower()
    return "-".join("".join(map(secrets.choice, [letters] * 4)) for _group in range(3))


class CoverSheet(models.Model):
    """A cover lesson of a class: what its sheet's QR code leads to, for guests. What it holds
    beside two chapters was drawn when it was made, the same for all."""

    classroom = models.ForeignKey(
        Classroom, on_delete=models.CASCADE, related_name="cover_sheets"
    )
    key = models.CharField(max_length=20, unique=True, default=new_sheet_key)
    language = models.CharField(max_length=10, blank=True, default="")
    made = models.DateTimeField(auto_now_add=True)
    # As of homework.
    until = models.DateField()
    ends = models.DateTimeField()
    boards = models.JSONField()
    puzzles = models.JSONField()
    question = models.JSONField()

    @property
    def is_open(self) -> bool:
        """Whether anything may be done: its last day counts."""
        return timezone.now() < self.ends


class CoverPuzzle(StrEnum):
    """How a puzzle of a cover lesson stands with a guest who has tried it."""

    TRIED = "tried"
    SOLVED = "solved"
    SHOWN = "shown"


class CoverVisit(models.Model):
    """A guest of a cover lesson under a made-up name, and which student a teacher says it was.
    What is stored nowhere else stands here: chapters and puzzles."""

    sheet = models.ForeignKey(CoverSheet, on_delete=models.CASCADE, related_name="visits")
    guest = models.ForeignKey(Guest, on_delete=models.CASCADE, related_name="cover_visits")
    student = models.ForeignKey(
        Student, null=True, blank=True, on_delete=models.CASCADE, related_name="cover_visits"
    )
    name = models.CharField(max_length=40)
    came = models.DateTimeField(auto_now_add=True)
    # The chapters gone through, and how each puzzle stands (CoverPuzzle), by number.
    chapters = models.JSONField(default=list)
    puzzles = models.JSONField(default=dict)
    # Where the boards are played, and the question before going, once they have begun.
    table = models.ForeignKey(
        Table, null=True, blank=True, on_delete=models.SET_NULL, related_name="cover_visits"
    )
    question = models.ForeignKey(
        Question, null=True, blank=True, on_delete=models.SET_NULL, related_name="cover_visits"
    )

    class Meta:
        constraints = [
            _once("cover_visit_once", "sheet guest"),
            _once("cover_name_once", "sheet name"),
        ]

    def puzzle(self, number: int) -> CoverPuzzle | None:
        """How this puzzle stands; None if it was not tried."""
        state = self.puzzles.get(str(number))
        return CoverPuzzle(state) if state else None


class Assessment(models.Model):
    """A class's two tests, before and after: one form of twin questions each. Half of the
    class, drawn by lot, takes form A first and B second, the other half B first."""

    classroom = models.ForeignKey(
        Classroom, on_delete=models.CASCADE, related_name="assessments"
    )
    # What it is about: a lesson of the course, or skills.
    lesson = models.SlugField(max_length=40, blank=True)
    skills = models.JSONField(default=list, blank=True)
    # With a control: a second lesson that it is about. Half of the class, drawn by lot, has it
    # between the tests, the other half the first; each has the other one after both.
    control_lesson = models.SlugField(max_length=40, blank=True)
    # What rebuilds each question; twins stand at the same place of both.
    form_a = models.JSONField()
    form_b = models.JSONField()
    first_opened = models.DateTimeField(auto_now_add=True)
    first_closed = models.DateTimeField(null=True, blank=True)
    second_opened = models.DateTimeField(null=True, blank=True)
    second_closed = models.DateTimeField(null=True, blank=True)

    def get_absolute_url(self) -> str:
        return reverse("assessment", args=[self.pk])

    @property
    def open_test(self) -> int | None:
        """The number of its test that takes answers, 1 or 2; or None."""
        if self.first_closed is None:
            return 1
        return 2 if self.second_opened is not None and self.second_closed is None else None

    @property
    def is_over(self) -> bool:
        """Whether both are closed: what was right may be seen."""
        return self.second_closed is not None

    @property
    def length(self) -> int:
        """How many questions a form has."""
        return len(self.form_a)

    @property
    def both_lessons(self) -> tuple[str, str] | None:
        """With a control the two lessons; else None."""
        return (self.lesson, self.control_lesson) if self.control_lesson else None


class Taker(models.Model):
    """A student who takes a class's two tests, and in which half."""

    class Form(models.TextChoices):
        A = "a", "A"
        B = "b", "B"

        @property
        def twin(self) -> Taker.Form:
            """The other form."""
            return Taker.Form.B if self is Taker.Form.A else Taker.Form.A

    assessment = models.ForeignKey(Assessment, on_delete=models.CASCADE, related_name="takers")
    student = models.ForeignKey(Student, on_delete=models.CASCADE, related_name="takings")
    # By lot, once and for all: which form is the first.
    first_form = models.CharField(max_length=1, choices=Form)
    # With a control, by lot too: the lesson that they have between the tests.
    lesson = models.SlugField(max_length=40, blank=True)

    class Meta:
        constraints = [_once("taker_once", "assessment student")]

    def form(self, test: int) -> Form:
        """Which form this test is for them."""
        first = Taker.Form(self.first_form)
        return first if test == 1 else first.twin


# The school's own system, by LTI (``lessons.lti``).


class Platform(models.Model):
    """A school's system (Moodle, Canvas) in which this server is registered."""

    issuer = models.CharField(max_length=200)
    client_id = models.CharField(max_length=200)
    auth_login_url = models.CharField(max_length=400)
    token_url = models.CharField(max_length=400)
    jwks_url = models.CharField(max_length=400)
    # The ids of its parts in which this server is deployed.
    deployments = models.JSONField(default=list, blank=True)
    # Its public keys by their ids, as last fetched.
    keys = models.JSONField(default=dict, blank=True)
    fetched = models.DateTimeField(null=True, blank=True)
    added = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [_once("platform_once", "issuer client_id")]


class PlatformInvitation(AnyInvitation):
    """Whoever opens its link within an hour may register one platform."""

    @classmethod
    def unused(cls) -> models.QuerySet[Self]:
        return super().unused().filter(created__gt=timezone.now() - timedelta(hours=1))


class Course(models.Model):
    """A platform's course whose students are of a class here; a class may have several."""

    platform = models.ForeignKey(Platform, on_delete=models.CASCADE, related_name="courses")
    deployment = models.CharField(max_length=255)
    context = models.CharField(max_length=255)
    classroom = models.ForeignKey(Classroom, on_delete=models.CASCADE, related_name="courses")
    # The addresses of its grades and members, sealed.
    services = models.TextField(blank=True)
    # When grades are looked at next, never before a teacher has sent them once; until when
    # nobody sends any, because somebody does just now, or the platform wants a pause.
    looks = models.DateTimeField(null=True, blank=True)
    rests = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [_once("course_once", "platform deployment context")]


class CourseMember(models.Model):
    """Which student a course's member is. Who that is on the platform stands here sealed by the
    server's key, and as a keyed digest, another one on each platform, by which it is found."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="members")
    student = models.ForeignKey(Student, on_delete=models.CASCADE, related_name="memberships")
    user = models.TextField()
    digest = models.CharField(max_length=64)

    class Meta:
        constraints = [_once("course_member_once", "course digest")]


class LineItem(models.Model):
    """A column of a course's gradebook: of what there is a score in, a target that a link of
    the course has. The platform is told the class as its resource, and the target as its
    tag."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="line_items")
    target = models.CharField(max_length=64)
    # Where it is on the platform, sealed; empty until it is known.
    url = models.TextField(blank=True)

    class Meta:
        constraints = [_once("line_item_once", "course target")]


class Grade(models.Model):
    """What a member's grade in a column is, in percent, and whether the platform has it."""

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        REFUSED = "refused"

    line_item = models.ForeignKey(LineItem, on_delete=models.CASCADE, related_name="grades")
    member = models.ForeignKey(CourseMember, on_delete=models.CASCADE, related_name="grades")
    percent = models.FloatField()
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    # What the platform has said to it (an HTTP status, 0 for nothing), and how often it was
    # tried; without a next try it waits for a teacher.
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    next_try = models.DateTimeField(null=True, blank=True)
    # What the platform was told as its time, each time a later one.
    stamp = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [_once("grade_once", "line_item member")]


class ToolKey(models.Model):
    """A key pair of this server's, by which platforms know it; the private one is sealed."""

    private = models.TextField()
    public = models.TextField()
    made = models.DateTimeField(default=timezone.now)
