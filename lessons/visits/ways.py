"""Who is at a lesson, how far they may go, and what a room has predicted and dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from itertools import chain
from typing import Any, NamedTuple

from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from games.analysis.workshop import Rule
from games.classes.state import is_in_play, seat_of
from games.keeping.export import finished_deals
from games.models import Deal, Guest, Table
from games.rules import Card, parse_card
from games.tables.boards import boards_once
from games.tables.state import load_table
from games.tables.viewers import Browser
from lessons.course import Lesson, Step, StepKind, lesson, lessons, suspects
from lessons.course.contest import stored_rule
from lessons.course.starter import is_starter
from lessons.course.suspects import settled_lesson
from lessons.course.variables import variable
from lessons.models import Commitment, LessonRun, Question, Visit
from lessons.questions.learners import Learner
from xactika_site.classrooms.models import Classroom, ClassSession
from xactika_site.classrooms.privacy import FEWEST
from xactika_site.classrooms.selectors import here_in

MOST_ROUNDS = 200
"""Rounds alone of which the hands are counted."""


@dataclass(frozen=True, slots=True)
class Visitor(Learner):
    """Who sits at a browser: a student who is here in an unclosed class session, or a guest;
    neither, before somebody has done anything."""

    session: int | None = None


def visitor_at(browser: Browser) -> Visitor:
    """The visitor at this browser. A student counts only for the session for which this device
    was told so, while they are here and it lasts."""
    student, session_id = browser.present
    if student is not None and session_id is not None:
        here = here_in(session_id).filter(student=student)
        if here.exclude(class_session__state=ClassSession.State.CLOSED).exists():
            return Visitor(student=student, session=session_id)
    return Visitor(guest=browser.guest)


def run_in(session_id: int | None) -> LessonRun | None:
    """The lesson that a class session is at, if it is at any."""
    if session_id is None:
        return None
    return LessonRun.objects.filter(class_session=session_id, ended=None).first()


def is_played(slug: str, number: int) -> bool:
    """Whether a class plays its experiment at this step of a lesson."""
    try:
        step = lesson(slug).steps[number - 1]
    except (KeyError, IndexError):
        return False
    return step.shows.experiment == "played"


def table_played_at(run: LessonRun, visitor: Visitor) -> str | None:
    """The key of the table at which a student now plays the experiment of the room's step; None
    while it is paused."""
    if visitor.student is None or not is_played(run.lesson, run.step):
        return None
    if run.class_session.state != ClassSession.State.OPEN:
        return None
    seat = seat_of(visitor.student, run.class_session_id)
    table = load_table(seat.table) if seat else None
    if table is None or table.paused or not is_in_play(table, {visitor.student.pk}):
        return None
    return table.id


def may_visit(slug: str, visitor: Visitor) -> bool:
    """Whether somebody may see this lesson: any of the course, but a set of puzzles only where
    the class session that they are in holds it, or has held it."""
    if not is_starter(slug):
        return True
    runs = LessonRun.objects.filter(class_session=visitor.session, lesson=slug)
    return visitor.session is not None and runs.exists()


@dataclass(frozen=True, slots=True)
class Way:
    """Somebody's way through a lesson: what they have done by the steps' names, and the room's
    lesson, if they go with it."""

    lesson: Lesson
    visitor: Visitor
    run: LessonRun | None = None
    visit: Visit | None = None
    done: dict[str, Commitment] = field(default_factory=dict)
    solved: frozenset[str] = frozenset()

    @property
    def seed(self) -> str:
        """What the bot of this way is drawn by: the room has one in common; empty before
        somebody has begun."""
        return seed_of(self.run, self.visit)

    def has_done(self, step: Step) -> bool:
        """Whether a step is behind them: answered, or its exercise solved or shown; a graph
        when it is right."""
        if step.build:
            return self.is_through(step)
        return step.name in self.done or step.name in self.solved

    def is_through(self, step: Step) -> bool:
        """Whether nothing is left to do in a step: a wrong graph or reason still is."""
        mine = self.done.get(step.name)
        return step.name in self.solved or (mine is not None and mine.right is not False)

    @property
    def in_room(self) -> bool:
        """Whether the teacher opens the steps."""
        return self.run is not None and self.run.ended is None

    @property
    def open_to(self) -> int:
        """The number of the last step that may be seen: the room's, or alone the first
        prediction that is still to be made."""
        if self.run is not None and self.run.ended is None:
            return self.run.step
        for number, step in enumerate(self.lesson.steps, start=1):
            if step.kind is StepKind.PREDICT and not self._is_settled(step):
                return number
        return len(self.lesson.steps)

    def _is_settled(self, step: Step) -> bool:
        """Whether a prediction is made, or its time is over: the room has seen its reveal, or
        the teacher closed it, which holds also for who goes on alone."""
        if step.name in self.done or self.run is None:
            return step.name in self.done
        is_shut = self.lesson.steps.index(step) + 1 in self.run.shut
        return is_shut or self.run.step >= self.lesson.reveal_of(step.name)

    @property
    def next_up(self) -> int:
        """The number of the step to go on with: the room's, or that after the last one done."""
        if self.in_room:
            return max(1, self.open_to)
        steps = enumerate(self.lesson.steps, start=1)
        after = max((number for number, step in steps if self.has_done(step)), default=0)
        return min(after + 1, self.open_to)

    def takes(self, number: int) -> bool:
        """Whether this step takes an answer now; a prediction takes one before its reveal."""
        step = self.lesson.steps[number - 1]
        if number > self.open_to or step.kind is StepKind.REVEAL or self.is_closed(number):
            return False
        return step.kind is not StepKind.PREDICT or not self._is_settled(step)

    def is_closed(self, number: int) -> bool:
        """Whether the teacher has closed this step for the room; a prediction stays closed when
        the lesson is over."""
        run = self.run
        if run is None or number not in run.shut:
            return False
        return run.ended is None or self.lesson.steps[number - 1].kind is StepKind.PREDICT


def way_of(lesson: Lesson, visitor: Visitor) -> Way:
    """The way of somebody through this lesson: with the room, if it is at this lesson; else the
    one they began last."""
    run = run_in(visitor.session)
    if run is not None and run.lesson == lesson.slug:
        visit = Visit.objects.filter(run=run, student=visitor.student).first()
    else:
        visit = _visits_of(visitor).filter(lesson=lesson.slug).select_related("run").last()
        run = visit.run if visit else None
    lesson = settled_lesson(lesson, seed_of(run, visit))
    if visit is None:
        return Way(lesson, visitor, run)
    done = {each.step: each for each in visit.commitments.all()}
    return Way(lesson, visitor, run, visit, done, _solved_steps(visit))


def seed_of(run: LessonRun | None, visit: Visit | None) -> str:
    """The seed of what a lesson draws: the room's, or that of somebody's own way through it.
    Those that began before draws were open (``suspects``) keep theirs."""
    if run is not None:
        return f"{suspects.OPEN if run.draw else ''}run {run.pk}"
    return f"{suspects.OPEN if visit.draw else ''}visit {visit.pk}" if visit else ""


def _solved_steps(visit: Visit) -> frozenset[str]:
    """The steps of a visit whose exercise was solved, or shown."""
    return frozenset(
        Question.objects.filter(SOLVED, visit=visit).values_list("step", flat=True)
    )


def _visits_of(visitor: Visitor) -> QuerySet[Visit]:
    mine = Q(student=visitor.student) if visitor.student else Q(guest=visitor.guest)
    if visitor.student is None and visitor.guest is None:
        return Visit.objects.none()
    return Visit.objects.filter(mine).order_by("pk")


SOLVED = Q(solved__isnull=False) & ~Q(step="")
"""The questions of lessons' steps that were solved, or shown."""

UNFINISHED = Q(right=False, value__has_key="built")
"""A graph that was tried and is not right yet."""


def steps_done(visitor: Visitor) -> dict[str, set[str]]:
    """By lesson, the names of the steps that somebody has done, in any of their visits."""
    done: dict[str, set[str]] = {}
    visits = _visits_of(visitor)
    rows = Commitment.objects.filter(visit__in=visits).exclude(UNFINISHED)
    for slug, step in rows.values_list("visit__lesson", "step"):
        done.setdefault(slug, set()).add(step)
    if visitor.student is not None or visitor.guest is not None:
        solved = Question.objects.filter(SOLVED, **visitor.owner, visit__isnull=False)
        for slug, step in solved.values_list("visit__lesson", "step"):
            done.setdefault(slug, set()).add(step)
    return done


# What a room has done together.


def runs_of(session: ClassSession) -> list[tuple[int, LessonRun, Lesson]]:
    """The lessons that a session has held, or holds, in their order, counted from 1; none
    whose files are gone."""
    courses = {lesson.slug: lesson for lesson in lessons()}
    runs = LessonRun.objects.filter(class_session=session, lesson__in=courses).order_by("pk")
    return [
        (place, run, settled_lesson(courses[run.lesson], seed_of(run, None)))
        for place, run in enumerate(runs, start=1)
    ]


class Held(NamedTuple):
    """When a classroom began a lesson last, and the number of the farthest step it came to."""

    begun: datetime
    step: int


def lessons_held(classroom: Classroom) -> dict[str, Held]:
    """By lesson, how far this classroom has held it, in any of its sessions."""
    runs = LessonRun.objects.filter(class_session__classroom=classroom)
    last = runs.values("lesson").annotate(last=Max("begun"), farthest=Max("step"))
    return {
        lesson: Held(*held) for lesson, *held in last.values_list("lesson", "last", "farthest")
    }


@dataclass(frozen=True, slots=True)
class LessonRoom:
    """A class session at a lesson: who is here, and how many have done each step."""

    run: LessonRun
    lesson: Lesson
    here: int
    answer_counts: dict[str, int]
    code: str = ""
    """By which somebody may still come in; empty while nobody may."""
    hands: int = 0
    """Dealt so far in the present step."""

    @property
    def version(self) -> str:
        """A text that changes with anything that the teacher's page and the wall show."""
        return (
            f"{self.run.state}.{self.run.on_wall:d}.{self.here}."
            f"{sum(self.answer_counts.values())}.{self.code}.{self.hands}"
        )

    @property
    def minutes(self) -> int:
        """How many the lesson has run."""
        return int((timezone.now() - self.run.begun).total_seconds() // 60)

    @property
    def step(self) -> Step:
        """The step at which the room is."""
        return self.lesson.steps[self.run.step - 1]


def room_of(session: ClassSession) -> LessonRoom | None:
    """The session's lesson as it stands; None where it is at none."""
    run = run_in(session.pk)
    if run is None:
        return None
    course = settled_lesson(lesson(run.lesson), seed_of(run, None))
    here, hands = here_in(session.pk).count(), _hands_dealt(run, course.steps[run.step - 1])
    return LessonRoom(run, course, here, answer_counts(run), session.open_code, hands)


def _hands_dealt(run: LessonRun, step: Step) -> int:
    if step.deal is None:
        return 0
    dealt = Commitment.objects.filter(visit__run=run, step=step.name)
    return sum(value["hands"] for value in dealt.values_list("value", flat=True) if value)


@dataclass(frozen=True, slots=True)
class Predictions:
    """How a room predicted: for each statement how many chose it, or all the numbers; with
    each choice how sure of it they were, in percent, where they were asked; or the rules that
    were handed in."""

    students: int
    counts: tuple[int, ...] = ()
    numbers: tuple[Fraction, ...] = ()
    sure: tuple[tuple[int, int], ...] = ()
    rules: tuple[Rule, ...] = ()

    @property
    def may_be_shown(self) -> bool:
        """Whether enough students stand behind it for a shared screen."""
        return self.students >= FEWEST


def predictions(run: LessonRun, step: Step) -> Predictions:
    """The predictions that the students of a run have committed in a step."""
    rows = Commitment.objects.filter(visit__run=run, step=step.name)
    return room_predictions(
        step, [value for value in rows.values_list("value", flat=True) if value]
    )


def first_answers(run: LessonRun, step: Step) -> list[list[int]]:
    """What each student of a run chose at first in an explain step, or how they ordered it; of
    answers from before the first was kept, the last."""
    rows = Commitment.objects.filter(visit__run=run, step=step.name)
    values = rows.order_by("pk").values_list("value", flat=True)
    return [value.get("first") or value["order"] for value in values]


def predicted_number(value: Mapping[str, Any]) -> Fraction:
    """The number of a stored prediction, as it was typed."""
    return Fraction(str(value["number"]))


def room_predictions(step: Step, values: Sequence[dict[str, Any]]) -> Predictions:
    """Predictions of a step, put together."""
    if step.rule:
        rules = tuple(stored_rule(value["rule"]) for value in values)
        return Predictions(len(values), rules=rules)
    if step.whole:
        numbers = sorted(map(predicted_number, values))
        return Predictions(len(values), numbers=tuple(numbers))
    chosen = [value["choice"] for value in values]
    counts = tuple(chosen.count(index) for index in range(len(step.statements)))
    sure = tuple((value["choice"], value["sure"]) for value in values if "sure" in value)
    return Predictions(len(values), counts=counts, sure=sure)


def answer_counts(run: LessonRun) -> dict[str, int]:
    """How many students of a run have done each step."""
    rows = Commitment.objects.filter(visit__run=run).exclude(UNFINISHED)
    solved = Question.objects.filter(SOLVED, visit__run=run)
    return Counter(chain(*(each.values_list("step", flat=True) for each in (rows, solved))))


class DataSource(StrEnum):
    """Whose data they are."""

    OWN = "own"
    ROOM = "room"
    CLASS = "class"
    ALONE = "alone"


@dataclass(frozen=True, slots=True)
class Data:
    """What was counted, by category; of how many hands, whose, and by how many students."""

    counts: tuple[int, ...]
    hands: int
    source: DataSource
    students: int = 0


def own_data(way: Way, key: str) -> Data | None:
    """The hands that somebody dealt in this lesson and counted by this variable."""
    names = dealing_steps(way.lesson, key)
    values = [way.done[name].value for name in names if name in way.done]
    return pooled_data(values, DataSource.OWN, 1) if values else None


def room_data(run: LessonRun, lesson: Lesson, key: str) -> Data | None:
    """The hands that a room dealt, so counted; None for fewer than FEWEST students."""
    rows = Commitment.objects.filter(visit__run=run, step__in=dealing_steps(lesson, key))
    values = list(rows.values_list("value", flat=True))
    students = rows.values("visit").distinct().count()
    return pooled_data(values, DataSource.ROOM, students) if students >= FEWEST else None


def counts_of_each(run: LessonRun, lesson: Lesson, key: str) -> list[tuple[int, ...]]:
    """By student of a room, nameless, how often each category came in their hands."""
    rows = Commitment.objects.filter(visit__run=run, step__in=dealing_steps(lesson, key))
    own: dict[int, list[dict[str, Any]]] = {}
    for visit, value in rows.values_list("visit", "value"):
        own.setdefault(visit, []).append(value)
    return [pooled_data(values, DataSource.OWN, 1).counts for values in own.values()]


def dealing_steps(lesson: Lesson, key: str) -> list[str]:
    """The names of the steps that deal hands and count this in them."""
    return [step.name for step in lesson.steps if step.deal and step.deal.variable == key]


def pooled_data(values: Sequence[dict[str, Any]], source: DataSource, students: int) -> Data:
    """The hands that several people dealt, put together."""
    rows = [value["counts"] for value in values]
    counts = tuple(sum(column) for column in zip(*rows, strict=True))
    hands = sum(int(str(value["hands"])) for value in values)
    return Data(counts, hands, source, students)


def finished_hands(session_id: int) -> list[tuple[Card, ...]]:
    """All hands of a class session's rounds that are over and may be shown; a board's once."""
    deals = finished_deals().filter(table__class_session=session_id)
    return [
        tuple(parse_card(code) for code in hand)
        for deal in boards_once(deals)
        for hand in deal.hands
    ]


def hands_of_solo_rounds(guest: Guest) -> list[tuple[Card, ...]]:
    """The hands of all seats, bots' too, in a guest's latest ``MOST_ROUNDS`` finished rounds
    against bots."""
    deals = Deal.objects.filter(
        table__opener=guest, table__kind=Table.Kind.SOLO, results__seat=0
    )
    rows = deals.order_by("-pk").values_list("hands", flat=True)[:MOST_ROUNDS]
    return [tuple(parse_card(code) for code in hand) for hands in rows for hand in hands]


def data_of_play(way: Way, key: str) -> Data | None:
    """The finished hands of the class, or of one's own games alone, counted by this variable;
    None before any is finished."""
    session = way.run.class_session_id if way.run else way.visitor.session
    if session is not None:
        hands, source = finished_hands(session), DataSource.CLASS
    else:
        guest = way.visitor.guest
        hands, source = hands_of_solo_rounds(guest) if guest else [], DataSource.ALONE
    return Data(variable(key).counted(hands), len(hands), source) if hands else None
