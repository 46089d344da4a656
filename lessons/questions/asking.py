"""What is done in learning: questions asked, answered and solved, forecasts made, exercises put
before a class. Every write goes through here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from random import Random, SystemRandom
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.classes.closing import tell_class
from games.rules import HAND_SIZE
from lessons.exercises import (
    EXERCISES,
    Context,
    Grade,
    NoVariant,
    Verdict,
    ask,
    grade,
    in_our_notation,
    rebuild,
)
from lessons.exercises.contexts import invent
from lessons.models import Answer, ClassExercise, Forecast, Question
from lessons.questions.learners import Learner, OwnSeat, class_context, source_of
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.selectors import digits
from xactika_site.classrooms.services import Refused, lock_session, note_day

SEED_BITS = 48
"""Seeds fit into every number that JSON or a database knows."""

MOST_ATTEMPTS = 20
"""Answers to one question; whoever needs more is better helped by the way to it."""

MOST_UNANSWERED = 5
"""Practice questions that may wait for an answer; of more the oldest go."""

TRIES = 10
"""Contexts invented for one exercise before it is given up."""

_chance = SystemRandom()


# Asking.


def ask_in_practice(
    *, learner: Learner, exercise: str, level: str = "", skill: str = "", rng: Random = _chance
) -> Question:
    """A new question to practise with, about the deck or something invented; the level and
    skill that were wished for are kept for the next one. KeyError for an unknown exercise."""
    family = EXERCISES[exercise].family
    for _try in range(TRIES):
        seed = rng.getrandbits(SEED_BITS)
        try:
            question = ask(exercise, seed, invent(Random(seed), [family]))  # noqa: S311
        except NoVariant:
            continue
        wish = {"level": level, "skill": skill}
        stored = _store(learner, question.to_json(), Question.Place.PRACTICE, **wish)
        _forget_unanswered(learner)
        if learner.student is not None:
            note_day(students=[learner.student.pk])
        return stored
    raise Refused(_("This exercise has no question just now. Try another one."))


def ask_at_table(*, own: OwnSeat, rng: Random = _chance) -> Question | None:
    """One question about exactly this hand, at this moment; asked twice it is the same. None
    where there is none to ask."""
    moment = own.moment
    if not moment:
        return None
    present = {"deal_id": own.state.deal_id, "moment": moment, **own.learner.owner}
    if found := Question.objects.filter(**present).first():
        return found
    stored = _first(own.exercises(), own.context(), rng)
    if stored is None:
        return None
    session = own.state.class_session_id
    try:
        with transaction.atomic():
            return _store(
                own.learner,
                stored,
                Question.Place.TABLE,
                moment=moment,
                deal_id=own.state.deal_id,
                class_session_id=session,
            )
    except IntegrityError:  # the same click, twice
        return Question.objects.get(**present)


def _first(keys: Sequence[str], context: Context, rng: Random) -> dict[str, Any] | None:
    """A question of the first of these exercises, in a random order, that has one here."""
    for key in rng.sample(keys, len(keys)):
        try:
            return ask(key, rng.getrandbits(SEED_BITS), context).to_json()
        except NoVariant:
            continue
    return None


def _store(learner: Learner, stored: Mapping[str, Any], place: str, **facts: Any) -> Question:
    return Question.objects.create(
        **learner.owner,
        place=place,
        exercise=stored["exercise"],
        seed=stored["seed"],
        parameters=stored["parameters"],
        **facts,
    )


def _forget_unanswered(learner: Learner) -> None:
    waiting = Question.objects.filter(
        **learner.owner, place=Question.Place.PRACTICE, answers=None, solved=None
    )
    old = waiting.order_by("-pk").values_list("pk", flat=True)[MOST_UNANSWERED:]
    Question.objects.filter(pk__in=list(old)).delete()


# Answering.


@transaction.atomic
def answer(*, question_id: int, number: int | None, texts: Mapping[str, str]) -> Verdict:
    """Grade what was typed. Right and wrong answers are stored, by field as numbers in our own
    notation or options' keys; what cannot be read or is in another form costs nothing and is
    not stored. ``number`` says which attempt the form was for: the same one sent twice is
    stored once. Refused where no answer is taken any more."""
    stored = (
        Question.objects.select_for_update(of=("self",))
        .select_related("class_exercise")
        .get(pk=question_id)
    )
    question = rebuild(stored.to_json())
    verdict = grade(question, texts)
    given = list(stored.answers.order_by("number"))
    known = {each.number: each.values for each in given}.get(-1 if number is None else number)
    if known and verdict.uses_attempt and known == in_our_notation(question, texts):
        return verdict  # the same click, twice
    if number != len(given):
        raise Refused(_("This was answered already, on another page. Here is how it stands."))
    if stored.solved or (stored.class_exercise and stored.class_exercise.closed):
        raise Refused(_("No more answers are taken here."))
    if not verdict.uses_attempt:
        return verdict
    if number >= MOST_ATTEMPTS:
        raise Refused(_("Those were many tries. Look at how it goes, then take another one."))
    is_right = verdict.grade is Grade.RIGHT
    Answer.objects.create(
        question=stored,
        number=number,
        values=in_our_notation(question, texts),
        right=is_right,
        misconceptions=[code.value for code in verdict.misconceptions],
    )
    if is_right:
        Question.objects.filter(pk=stored.pk).update(solved=timezone.now())
    return verdict


def solve(*, question: Question) -> None:
    """Show how it goes: no attempt counts after this. Not while the class still answers."""
    if question.class_exercise is not None and question.class_exercise.revealed is None:
        raise Refused(_("Your teacher shows how it goes."))
    Question.objects.filter(pk=question.pk, solved=None).update(solved=timezone.now())


# Forecasting.


def make_forecast(*, own: OwnSeat, weights: Sequence[int]) -> Forecast:
    """Keep how likely somebody holds 0 to 8 tricks, in proportion to these weights, as whole
    percents that add up to 100. Once made it is locked; Refused after the bid."""
    if (made := own.forecast()) is not None:
        return made
    deal_id = own.state.deal_id
    if not own.may_forecast or deal_id is None:
        raise Refused(_("A forecast is made before the bid."))
    if len(weights) != HAND_SIZE + 1 or min(weights) < 0 or not sum(weights):
        raise Refused(_("Slide at least one bar."))
    try:
        with transaction.atomic():
            return Forecast.objects.create(
                deal_id=deal_id,
                seat=own.seat,
                percents=whole_percents(weights),
                **own.learner.owner,
            )
    except IntegrityError:  # the same click, twice
        made = own.forecast()
        if made is None:  # somebody else's, who sat here before
            raise Refused(_("A forecast was made for this hand already.")) from None
        return made


def whole_percents(weights: Sequence[int]) -> list[int]:
    """Weights as whole percents that add up to 100: what rounding leaves goes to the largest
    remainders."""
    total = sum(weights)
    percents = [100 * weight // total for weight in weights]
    by_rest = sorted(range(len(weights)), key=lambda k: -(100 * weights[k] % total))
    for place in by_rest[: 100 - sum(percents)]:
        percents[place] += 1
    return percents


# Before a class.


def as_seed(typed: str) -> int:
    """A seed that a page carried; Refused for what none of ours can be."""
    seed = digits(typed)
    if seed is None or seed >= 2**SEED_BITS:
        raise Refused(_("These numbers belong to no exercise. Take others."))
    return seed


def draft(
    *, session: ClassSession, exercise: str, seed: int | None = None, rng: Random = _chance
) -> ClassExercise:
    """An exercise for this class, not put yet, with the parameters of its question (where each
    student gets their own, of an example). Refused where there is nothing to ask about."""
    source = source_of(exercise)
    if source is None:
        raise Refused(_("There is no such exercise. Choose one of these."))
    for _try in range(TRIES if seed is None else 1):
        wish = ClassExercise(
            class_session=session,
            exercise=exercise,
            source=source,
            seed=rng.getrandbits(SEED_BITS) if seed is None else seed,
        )
        try:
            wish.parameters = ask(exercise, wish.seed, class_context(wish)).parameters
        except NoVariant:
            continue
        return wish
    raise Refused(_("There is not enough to ask about yet. Take another one."))


@transaction.atomic
def put(*, session: ClassSession, exercise: str, seed: int) -> ClassExercise:
    """Put one exercise before the class: one question for all, or one about each student's own
    last hand. What was there is closed and taken away. Refused where it has no question."""
    _locked(session)
    new = draft(session=session, exercise=exercise, seed=seed)
    if new.source == ClassExercise.Source.OWN_HAND:
        new.parameters = None
    now = timezone.now()
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
    """The class's pages show it no longer."""
    now = timezone.now()
    _mark(exercise, closed=now)
    _mark(exercise, ended=now)


STEPS = {"close": close, "reveal": reveal, "away": take_away}
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
    if found := Question.objects.filter(**mine).select_related("class_exercise").first():
        return found
    if exercise.closed is not None:
        return None
    parameters = exercise.parameters or _own_parameters(exercise, student)
    if parameters is None:
        return None
    made, _is_new = Question.objects.get_or_create(
        **mine,
        defaults={
            "place": Question.Place.CLASS,
            "exercise": exercise.exercise,
            "seed": exercise.seed,
            "parameters": parameters,
            "class_session_id": exercise.class_session_id,
        },
    )
    return made


def _own_parameters(exercise: ClassExercise, student: Student) -> dict[str, Any] | None:
    """Of a question about the student's own last hand; where that holds none, about the example
    that the teacher saw."""
    for context in (class_context(exercise, student), class_context(exercise)):
        try:
            return ask(exercise.exercise, exercise.seed, context).parameters
        except NoVariant:
            continue
    return None


# Expiry.


def purge_questions(before: datetime) -> int:
    """Delete questions, with their answers, that were asked before this; how many."""
    old = Question.objects.filter(asked__lt=before)
    gone = old.count()
    old.delete()
    return gone
