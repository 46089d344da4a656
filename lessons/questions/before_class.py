"""One exercise before a class: drawn, put, answered by each, closed, revealed, taken away."""

from __future__ import annotations

from datetime import datetime
from itertools import islice
from random import Random
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.classes.closing import tell_class
from lessons.exercises import SEED_BITS, TRIES, question_or_none
from lessons.exercises.contexts import Context, Family
from lessons.exercises.engine import Exercise
from lessons.models import ClassExercise, Question, QuestionSet
from lessons.questions import sets
from lessons.questions.in_class import (
    class_context,
    class_results,
    exercise_before,
    exercises_by_source,
    source_of,
)
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.services import Refused, lock_session
from xactika_site.http import digits
from xactika_site.randomness import system_rng


def as_seed(typed: str) -> int:
    """A seed that a page carried; Refused for what none of ours can be."""
    seed = digits(typed)
    if seed is None or seed >= 2**SEED_BITS:
        raise Refused(_("No question here right now. Try another exercise."))
    return seed


def draft(
    *, session: ClassSession, exercise: str, seed: int | None = None, rng: Random = system_rng
) -> ClassExercise:
    """An exercise for this class, not put yet, with the parameters of its question (where each
    student gets their own, of an example). Refused where there is nothing to ask about."""
    source = source_of(exercise)
    if source is None:
        raise Refused(_("We don’t have that exercise. Choose one of these."))
    for _try in range(TRIES if seed is None else 1):
        wish = ClassExercise(
            class_session=session,
            exercise=exercise,
            source=source,
            seed=rng.getrandbits(SEED_BITS) if seed is None else seed,
        )
        if question := question_or_none(exercise, wish.seed, class_context(wish)):
            wish.parameters = question.parameters
            return wish
    raise Refused(_("No question here right now. Try another exercise."))


def offers(session: ClassSession) -> list[tuple[str, list[tuple[Exercise, int | None]]]]:
    """What there is to ask this class about, by the source's name, in the order of the plan;
    what asks about the class with a seed by which there is a question. Nothing in a closed
    session."""
    if session.state == ClassSession.State.CLOSED:
        return []
    context = Context(results=class_results(session.pk))
    by_source = [
        (source, [(each, seed) for each in exercises for seed in _seeds(each, context)])
        for source, exercises in exercises_by_source()
    ]
    return [(source, offered) for source, offered in by_source if offered]


def _seeds(exercise: Exercise, context: Context) -> list[int | None]:
    """One seed, None for any; none where the context holds no question."""
    if exercise.family is not Family.CLASS:
        return [None]
    drawn = (system_rng.getrandbits(SEED_BITS) for _try in range(TRIES))
    seeds = (seed for seed in drawn if question_or_none(exercise.key, seed, context))
    return list(islice(seeds, 1))


@transaction.atomic
def put(*, session: ClassSession, exercise: str, seed: int) -> ClassExercise:
    """The exercise that is now before the class: one question for all, or one about each
    student's own last hand. What was there is closed and taken away. Refused where it has no
    question."""
    _locked(session)
    new = draft(session=session, exercise=exercise, seed=seed)
    if new.source == ClassExercise.Source.OWN_HAND:
        new.parameters = None
    return _put(new)


@transaction.atomic
def put_from_set(
    *, session: ClassSession, question_set: QuestionSet, number: int, seed: int
) -> ClassExercise:
    """The exercise that is now before the class, a question of one of its own sets, the same
    for all. Refused where there is none."""
    _locked(session)
    stored = sets.question(question_set, number, seed)
    return _put(
        ClassExercise(
            class_session=session,
            exercise=stored["exercise"],
            source=ClassExercise.Source.DECK,
            seed=seed,
            parameters=stored["parameters"],
            question_set=question_set,
            set_number=number,
        )
    )


def begin_set(*, session: ClassSession, question_set: QuestionSet) -> ClassExercise:
    """Put the first question of an own set before the class. Refused where it has none."""
    return _put_following(session, question_set, 0)


@transaction.atomic
def put_next(*, exercise: ClassExercise) -> ClassExercise | None:
    """The exercise that follows one in its set and is now before the class; None where the one
    before is not there any more: two teachers' clicks are one. Refused behind the last."""
    _locked(exercise.class_session)
    now = exercise_before(exercise.class_session_id)
    if now is None or now.pk != exercise.pk:
        return None
    if exercise.question_set is None:
        raise Refused(_("That isn’t there any more."))
    return _put_following(exercise.class_session, exercise.question_set, exercise.set_number)


def _put_following(
    session: ClassSession, question_set: QuestionSet, number: int | None
) -> ClassExercise:
    found = sets.following(question_set, number or 0)
    if found is None:
        raise Refused(_("That isn’t there any more."))
    seed = system_rng.getrandbits(SEED_BITS)
    return put_from_set(
        session=session, question_set=question_set, number=found.number, seed=seed
    )


def _put(new: ClassExercise) -> ClassExercise:
    """The exercise, stored; what was before the class is closed and taken away."""
    session, now = new.class_session, timezone.now()
    before = ClassExercise.objects.filter(class_session=session)
    before.filter(closed=None).update(closed=now)
    before.filter(ended=None).update(ended=now)
    new.save()
    tell_class(session_id=session.pk)
    return new


def _locked(session: ClassSession) -> None:
    """Keep other writers of the session out; Refused if it is closed."""
    lock_session(session.pk)
    state = ClassSession.objects.values_list("state", flat=True)
    if state.get(pk=session.pk) == ClassSession.State.CLOSED:
        raise Refused(_("This session is closed."))


def close(*, exercise: ClassExercise) -> None:
    """Take no more answers."""
    _mark(exercise, closed=timezone.now())


def reveal(*, exercise: ClassExercise) -> None:
    """Show everybody how it goes; what was still open is closed."""
    now = timezone.now()
    _mark(exercise, closed=now)
    _mark(exercise, revealed=now)


def take_away(*, exercise: ClassExercise) -> None:
    """Take it off the class's pages."""
    now = timezone.now()
    _mark(exercise, closed=now)
    _mark(exercise, ended=now)


STEPS = {"close": close, "reveal": reveal, "away": take_away, "next": put_next}
"""What a teacher does with the exercise before the class, by the word that buttons carry."""


@transaction.atomic
def _mark(exercise: ClassExercise, **moment: datetime) -> None:
    """Set one moment of an exercise, once: two teachers' clicks are one."""
    (name,) = moment
    lock_session(exercise.class_session_id)
    row = ClassExercise.objects.filter(pk=exercise.pk, **{name: None})
    if row.update(**moment):
        tell_class(session_id=exercise.class_session_id)


def class_question(*, exercise: ClassExercise, student: Student) -> Question | None:
    """The student's question of a class exercise, made when they first see it; None where
    their hand holds none. After it was closed none is made."""
    mine = {"class_exercise": exercise, "student": student}
    if question := Question.objects.filter(**mine).select_related("class_exercise").first():
        return question
    if exercise.closed is not None:
        return None
    parameters = exercise.parameters or _own_parameters(exercise, student)
    if parameters is None:
        return None
    question, _is_new = Question.objects.get_or_create(
        **mine,
        defaults={
            "place": Question.Place.CLASS,
            "exercise": exercise.exercise,
            "seed": exercise.seed,
            "parameters": parameters,
            "class_session_id": exercise.class_session_id,
        },
    )
    return question


def _own_parameters(exercise: ClassExercise, student: Student) -> dict[str, Any] | None:
    """The parameters of a question about the student's own last hand; where that holds none,
    about the example that the teacher saw."""
    for context in (class_context(exercise, student), class_context(exercise)):
        if question := question_or_none(exercise.exercise, exercise.seed, context):
            return question.parameters
    return None
