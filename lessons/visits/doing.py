"""What somebody does at a lesson: begin, predict, deal, build, answer, explain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from games.keeping.retention import delete_rows
from games.models import Guest
from games.rules import DECK, HAND_SIZE
from lessons.course import Lesson, Step, StepKind, Whole, contest, graphs
from lessons.course.variables import variable
from lessons.exercises import EXERCISES, SEED_BITS, TRIES, Context, question_or_none
from lessons.exercises.contexts import Family, invent
from lessons.models import Commitment, Question, Visit
from lessons.questions.in_class import class_results, last_hand
from lessons.visits.ways import Visitor, Way, run_in, way_of
from xactika_site.classrooms.models import Attendance, Student
from xactika_site.classrooms.services import Refused, mark_here, note_day
from xactika_site.randomness import system_rng

MOST_HANDS = 400
"""Hands that somebody may deal in one step."""

SEEN_EVERY = timedelta(seconds=10)
"""How often it is noted that a student's page is open."""


def begin(*, lesson: Lesson, visitor: Visitor) -> Visit:
    """A new visit, alone: an earlier one stays as it is. With the room, the room's."""
    run = run_in(visitor.session)
    if run is not None and run.lesson == lesson.slug:
        return Visit.objects.get_or_create(
            run=run, student=visitor.student, defaults={"lesson": lesson.slug}
        )[0]
    return Visit.objects.create(
        lesson=lesson.slug, student=visitor.student, guest=visitor.guest
    )


@transaction.atomic
def predict(
    *,
    lesson: Lesson,
    visitor: Visitor,
    number: int,
    value: int | Fraction | None,
    sure: int | None = None,
    texts: Mapping[str, str] | None = None,
) -> None:
    """Commit a prediction: the index of a statement, or a number; ``sure``, in percent, where
    it is asked which bot it is; a rule, by the texts of its fields. It is locked from then on:
    sent again, the first one stays. Refused after the reveal, or while the step is closed."""
    way, step = _way_and_step(lesson, visitor, number, StepKind.PREDICT)
    if way.visit is not None and step.name in way.done:
        return
    if not way.takes(number):
        raise Refused(_("This step is closed."))
    stored: dict[str, Any]
    if step.rule:
        stored = _rule_value(texts or {})
    elif step.whole is not None:
        stored = {"number": _number_value(step.whole, value)}
    else:
        if value not in range(len(step.statements)):
            raise Refused(_("Choose one of the answers."))
        stored = {"choice": int(value or 0)}
        if step.shows.bots:
            stored["sure"] = _sure_percent(sure, len(step.statements))
    _store(way, step, stored, None)


def _rule_value(texts: Mapping[str, str]) -> dict[str, Any]:
    """A rule as it is kept, and which of its numbers had to be moved to be allowed."""
    try:
        rule, moved = contest.handed_in(texts)
    except contest.NoNumber as field:
        raise Refused(
            _("%(label)s: write a number, like 0.5.") % {"label": contest.WORTH[field.name]}
        ) from None
    return {"rule": contest.as_stored(rule), "moved": list(moved)}


def _sure_percent(percent: int | None, choices: int) -> int:
    """How sure somebody is of one of so many, in percent; a guess is as sure of each."""
    least = 100 // choices
    if percent is None or not least <= percent <= 100:
        raise Refused(
            _("Say how sure you are: a whole number from %(least)d, a guess, to 100.")
            % {"least": least}
        )
    return percent


def _number_value(whole: Whole, value: int | Fraction | None) -> int | float:
    """A predicted number as JSON keeps it; Refused if it is out of bounds, or too fine."""
    bounds = {"low": whole.low, "high": whole.high, "places": whole.places}
    is_one = value is not None and whole.low <= value <= whole.high
    if value is None or not is_one or (value * 10**whole.places).denominator != 1:
        raise Refused(
            _("Choose a number from %(low)d to %(high)d (decimals: up to %(places)d).") % bounds
        )
    return int(value) if value.denominator == 1 else float(value)


@transaction.atomic
def deal_hands(*, lesson: Lesson, visitor: Visitor, number: int) -> None:
    """Deal as many hands as the step says, add what they hold to what was dealt before."""
    way, step = _way_and_step(lesson, visitor, number, StepKind.DO)
    if step.deal is None:
        raise Refused(_("This step is closed."))
    before = way.done[step.name].value if step.name in way.done else None
    if before and before["hands"] >= MOST_HANDS:
        raise Refused(_("That is enough: look at what you have."))
    hands = [system_rng.sample(DECK, HAND_SIZE) for _hand in range(step.deal.hands)]
    counts = variable(step.deal.variable).counted(hands)
    if before:
        counts = tuple(a + b for a, b in zip(counts, before["counts"], strict=True))
    dealt = len(hands) + (before["hands"] if before else 0)
    last = [[card.code for card in hand] for hand in hands[:3]]
    _store(way, step, {"hands": dealt, "counts": counts, "last": last}, None)


@transaction.atomic
def finish_step(*, lesson: Lesson, visitor: Visitor, number: int) -> None:
    """Note that somebody has done a do step of which nothing else is kept: a game, an exercise.
    Refused where hands are dealt or a graph is built, which are done by doing them."""
    way, step = _way_and_step(lesson, visitor, number, StepKind.DO)
    if step.deal is not None or step.build:
        raise Refused(_("This step is closed."))
    if step.name not in way.done:
        _store(way, step, {"done": True}, None)


@transaction.atomic
def build(*, lesson: Lesson, visitor: Visitor, number: int, texts: Mapping[str, str]) -> bool:
    """Whether the next curve of a graph is right, by the texts of its fields; right ones stay.
    Refused, without using a try, where a number cannot be read."""
    way, step = _way_and_step(lesson, visitor, number, StepKind.DO)
    if not step.build:
        raise Refused(_("This step is closed."))
    target = variable(step.build)
    before = way.done[step.name].value["built"] if step.name in way.done else []
    if len(before) == len(target.curves):
        return True
    heights = graphs.typed_heights(target, texts)
    right = graphs.is_right(target, len(before), heights)
    built = [*before, heights] if right else before
    value = {"built": built, "tried": [] if right else heights}
    _store(way, step, value, len(built) == len(target.curves))
    return right


def question_in(*, way: Way, number: int) -> Question | None:
    """The question of an exercise step, asked when it is first seen; None where there is none,
    or nobody to ask yet. It is about the student's own hand or class where these suit."""
    step, visit = way.lesson.steps[number - 1], way.visit
    if visit is None or number > way.open_to:
        return None
    questions = Question.objects.select_related("visit")
    if question := questions.filter(visit=visit, step=step.name).first():
        return question
    for context in _contexts(way, EXERCISES[step.exercise].family):
        seed = system_rng.getrandbits(SEED_BITS)
        instance = question_or_none(step.exercise, seed, context, step.only)
        if instance is None:
            continue
        return questions.get_or_create(  # the page may be asked for twice at once
            visit=visit,
            step=step.name,
            defaults={
                **way.visitor.owner,
                "place": Question.Place.LESSON,
                **instance.to_json(),
                "class_session_id": visit.run.class_session_id if visit.run else None,
            },
        )[0]
    return None


def _contexts(way: Way, family: Family) -> Iterator[Context]:
    """The contexts that a question may be about: the class's own rounds, then invented ones."""
    session = way.visitor.session
    if session is not None and family is Family.CLASS:
        yield Context(results=class_results(session))
    student = way.visitor.student
    if session is not None and student and family in (Family.OWN_HAND, Family.ROUND):
        yield last_hand(student, session, system_rng.getrandbits(SEED_BITS))
    for _try in range(TRIES):
        yield invent(Random(system_rng.getrandbits(SEED_BITS)), [family])  # noqa: S311


@transaction.atomic
def explain(*, lesson: Lesson, visitor: Visitor, number: int, chosen: Sequence[int]) -> bool:
    """Whether what somebody chose, or the order in which they put the statements, is right: it
    is stored, and may be tried again until it is."""
    way, step = _way_and_step(lesson, visitor, number, StepKind.EXPLAIN)
    if step.name in way.done and way.done[step.name].right:
        return True
    everything = list(range(len(step.statements)))
    if step.is_order:
        if sorted(chosen) != everything:
            raise Refused(_("Give every statement its own place."))
        right = list(chosen) == everything
    else:
        if len(chosen) != 1 or chosen[0] not in everything:
            raise Refused(_("Choose one of the answers."))
        right = step.statements[chosen[0]].is_right
    before = way.done[step.name].value if step.name in way.done else {}
    first = before.get("first") or before.get("order") or list(chosen)
    _store(way, step, {"order": list(chosen), "first": first}, right)
    return right


def _way_and_step(
    lesson: Lesson, visitor: Visitor, number: int, kind: StepKind
) -> tuple[Way, Step]:
    """Somebody's way and the step of this number; Refused if it cannot be such a step, or takes
    no answer (of a prediction, which may be made already, its caller asks that)."""
    if not 1 <= number <= len(lesson.steps) or lesson.steps[number - 1].kind is not kind:
        raise Refused(_("That step doesn’t exist."))
    if visitor.student:  # one request of a person after the other
        Student.objects.select_for_update().get(pk=visitor.student.pk)
        note_day(students=[visitor.student.pk])
    elif visitor.guest:
        Guest.objects.select_for_update().get(pk=visitor.guest.pk)
    way = way_of(lesson, visitor)
    if number > way.open_to:
        raise Refused(_("This step isn’t open yet."))
    if kind is not StepKind.PREDICT and not way.takes(number):
        raise Refused(_("This step is closed."))
    return way, lesson.steps[number - 1]


def _store(way: Way, step: Step, value: Mapping[str, Any], right: bool | None) -> None:
    """Write what was done in a step; a prediction is written once, whoever else tries."""
    visit = way.visit or begin(lesson=way.lesson, visitor=way.visitor)
    stored, is_new = Commitment.objects.get_or_create(
        visit=visit, step=step.name, defaults={"value": dict(value), "right": right}
    )
    if not is_new and step.kind is not StepKind.PREDICT:
        Commitment.objects.filter(pk=stored.pk).update(
            value=dict(value), right=right, tries=F("tries") + 1
        )
    if step is way.lesson.steps[-1]:
        Visit.objects.filter(pk=visit.pk, finished=None).update(finished=timezone.now())


def note_presence(visitor: Visitor) -> None:
    """Note that a student whose lesson is open is here, as much as those in the lobby."""
    here = Attendance.objects.filter(class_session=visitor.session, student=visitor.student)
    due = here.exclude(last_seen__gt=timezone.now() - SEEN_EVERY)
    if keys := list(due.values_list("pk", flat=True)):
        mark_here(attendances=keys)


# Expiry.


def purge_visits(before: datetime) -> int:
    """How many visits of lessons, begun before this, were deleted with all done in them."""
    return delete_rows(Visit.objects.filter(begun__lt=before))
