"""What the demo's students answer: a scripted mix of right answers and typical mistakes.

Questions are asked and graded by the exercises themselves; what is scripted is only who errs.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

from games.models import Deal, Result
from games.rules import parse_card
from lessons.course import Lesson, Step, StepKind, lessons
from lessons.exercises import EXERCISES, AnswerGrade, Context, Instance, NoVariant, ask, grade
from lessons.exercises.contexts import Family, OwnHand, invent
from lessons.exercises.engine import Value as Exact
from lessons.models import Answer, ClassExercise, Forecast, LessonRun, Question, Visit
from lessons.visits import doing, holding
from lessons.visits.predictions import true_number
from lessons.visits.ways import Visitor
from xactika_site.classrooms.models import Attendance, ClassSession, Student

TOPICS = (
    ("deck-size", "value-chance", "deck-pie", "either-chance", "none-of-them", "hook"),
    ("unseen-card", "deck-spread", "inverse-chance", "safe-lead", "how-many", "equal-values"),
    (
        "tip-audit",
        "best-bid",
        "safest-lead",
        "unseen-card",
        "average-tricks",
        "means-vary-less",
    ),
)
"""The exercises of each session; the first is put to the whole class."""

NOT_STARTED = 2
"""Students who answer nothing: somebody has to be asked about."""

FIRST_RIGHT = (0.45, 0.55, 0.68)
"""How many first attempts are right, by session."""

SECOND_RIGHT = 0.65
USUAL_MISTAKE = 0.7
"""How often a wrong answer is the exercise's first listed one."""


def answer_all(
    session: ClassSession, students: Sequence[Student], number: int, rng: Random
) -> None:
    """Let whoever was here answer this session's questions."""
    here = set(
        Attendance.objects.filter(class_session=session).values_list("student", flat=True)
    )
    keys = TOPICS[number % len(TOPICS)]
    put = ClassExercise.objects.create(
        class_session=session,
        exercise=keys[0],
        source=_source(EXERCISES[keys[0]].family),
        seed=rng.getrandbits(40),
    )
    for place, student in enumerate(students):
        if student.pk not in here or place < NOT_STARTED:
            continue
        ability = rng.uniform(-0.15, 0.15)
        _answer(session, student, keys[0], FIRST_RIGHT[number] + ability, rng, put)
        for key in rng.sample(keys[1:], rng.randint(2, len(keys) - 1)):
            _answer(session, student, key, FIRST_RIGHT[number] + ability, rng, None)


def forecast_all(session: ClassSession, rng: Random, *, everybody: bool = False) -> None:
    """Store what every third student would have said to "how sure are you?" before bidding:
    rather surer than is good. Or ``everybody``, each with a hunch of their own."""
    played = Result.objects.filter(
        deal__table__class_session=session, student__isnull=False, bid__isnull=False
    )
    for result in played.order_by("pk"):
        if result.student_id and (everybody or result.student_id % 3 == 0):
            hunch = rng.gauss(0, 1.5) if everybody else 0
            middle = min(8, max(0, (result.bid or 0) + hunch))
            weights = [rng.uniform(0.8, 1.2) * 4.0 ** -abs(k - middle) for k in range(9)]
            percents = [int(100 * weight / sum(weights)) for weight in weights]
            percents[round(middle)] += 100 - sum(percents)
            Forecast.objects.create(
                deal_id=result.deal_id,
                seat=result.seat,
                student_id=result.student_id,
                percents=percents,
            )


EXPLAINED = 0.75
"""How many reasons are right at the first try, after a reveal."""


def hold_lesson(
    session: ClassSession, students: Sequence[Student], number: int, rng: Random
) -> None:
    """Hold a lesson with three quarters of those who are here: predictions, hands dealt
    together, reasons after the reveals."""
    here = set(
        Attendance.objects.filter(class_session=session).values_list("student", flat=True)
    )
    course = lessons()[number % len(lessons())]
    holding.hold(session=session, slug=course.slug)
    for place, step in enumerate(course.steps, start=1):
        holding.open_step(session=session, number=place)
        for index, student in enumerate(students):
            if student.pk in here and index >= NOT_STARTED and index % 4:
                _do(course, place, step, Visitor(student=student, session=session.pk), rng)
    holding.end_lesson(session=session)


def _do(course: Lesson, number: int, step: Step, visitor: Visitor, rng: Random) -> None:
    """Do what a student does in one step."""
    at: dict[str, Any] = {"lesson": course, "visitor": visitor, "number": number}
    if step.kind is StepKind.PREDICT:
        sure = rng.randint(20, 100) if step.shows.bots else None
        doing.predict(**at, value=_guess(step, rng), sure=sure)
    elif step.deal:
        doing.deal_hands(**at)
    elif step.kind is StepKind.EXPLAIN:
        right = _reasons(step)
        if rng.random() > EXPLAINED:
            wrong = right[::-1] if step.is_order else [(right[0] + 1) % len(step.statements)]
            doing.explain(**at, chosen=wrong)
        doing.explain(**at, chosen=right)


def _guess(step: Step, rng: Random) -> int | Fraction:
    """A prediction: a choice, or a number that is rather near the truth than anywhere."""
    if step.whole is None:
        return rng.randrange(len(step.statements))
    low, high = step.whole.low, step.whole.high
    middle = float(true_number(step.whole) or (low + high) / 2)
    guess = Fraction(min(high, max(low, rng.gauss(middle, (high - low) / 5))))
    return round(guess, step.whole.places)


def _reasons(step: Step) -> list[int]:
    """The numbers of the right statements of an explanation, in their order."""
    if step.is_order:
        return list(range(len(step.statements)))
    return [next(i for i, statement in enumerate(step.statements) if statement.is_right)]


def _source(family: Family) -> str:
    sources = {Family.OWN_HAND: ClassExercise.Source.OWN_HAND}
    sources[Family.CLASS] = ClassExercise.Source.CLASS
    return sources.get(family, ClassExercise.Source.DECK)


def _answer(
    session: ClassSession,
    student: Student,
    key: str,
    chance: float,
    rng: Random,
    put: ClassExercise | None,
) -> None:
    """One question and one or two attempts at it."""
    family = EXERCISES[key].family
    own = _own_hand(session, student, rng) if family is Family.OWN_HAND else None
    context = Context(hand=own[1]) if own else invent(rng, [family])
    seed = put.seed if put else rng.getrandbits(40)
    try:
        instance = ask(key, seed, context)
    except NoVariant:
        return
    place = Question.Place.CLASS if put else Question.Place.PRACTICE
    question = Question.objects.create(
        student=student,
        place=Question.Place.TABLE if own and not put else place,
        exercise=key,
        seed=seed,
        parameters=instance.parameters,
        class_session=session,
        deal=own[0] if own else None,
        class_exercise=put,
    )
    is_right = False
    for attempt in range(2):
        is_right = rng.random() < (SECOND_RIGHT if attempt else chance)
        _store(question, instance, attempt, None if is_right else mistake(instance, rng))
        if is_right or rng.random() < 0.3:
            break


def _own_hand(
    session: ClassSession, student: Student, rng: Random
) -> tuple[Deal, OwnHand] | None:
    """A hand that the student was dealt in the session and has not been asked about yet."""
    played = Result.objects.filter(student=student, deal__table__class_session=session)
    played = played.exclude(deal__questions__student=student).select_related("deal")
    dealt = list(played.order_by("pk"))
    if not dealt:
        return None
    result = rng.choice(dealt)
    hands = result.deal.hands
    cards = tuple(parse_card(code) for code in hands[result.seat])
    return result.deal, OwnHand(result.seat, cards, tuple(map(len, hands)))


def mistake(instance: Instance, rng: Random) -> dict[str, Exact]:
    """A typical mistake: by field that it concerns, the wrong value."""
    if not instance.wrong:
        return {}
    usual = instance.wrong[0] if rng.random() < USUAL_MISTAKE else rng.choice(instance.wrong)
    return dict(usual.answers)


def _store(
    question: Question, asked: Instance, number: int, wrong: dict[str, Exact] | None
) -> None:
    texts = {
        field.key: typed({**asked.right, **(wrong or {})}[field.key]) for field in asked.fields
    }
    verdict = grade(asked, texts)
    if verdict.uses_attempt:
        Answer.objects.create(
            question=question,
            number=number,
            values=texts,
            right=verdict.grade is AnswerGrade.RIGHT,
            misconceptions=[code.value for code in verdict.misconceptions],
        )


def typed(exact: Exact) -> str:
    """How somebody would write it: a fraction, or six digits of a root."""
    return f"{float(exact):.6g}" if hasattr(exact, "square") else str(exact)


def date_back(session: ClassSession, began: datetime) -> None:
    """Let the questions have been asked and answered then."""
    questions = Question.objects.filter(class_session=session)
    questions.update(asked=began + timedelta(minutes=32))
    Answer.objects.filter(question__class_session=session).update(
        made=began + timedelta(minutes=33)
    )
    came = Attendance.objects.filter(class_session=session).values("student")
    visits = Visit.objects.filter(student__in=came, begun__gt=session.created)
    visits.update(begun=began + timedelta(minutes=10), finished=began + timedelta(minutes=25))
    LessonRun.objects.filter(class_session=session).update(
        begun=began + timedelta(minutes=9), ended=began + timedelta(minutes=26)
    )
    ClassExercise.objects.filter(class_session=session).update(
        opened=began + timedelta(minutes=32),
        closed=began + timedelta(minutes=36),
        revealed=began + timedelta(minutes=37),
        ended=began + timedelta(minutes=38),
    )
