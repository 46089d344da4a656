"""What there is to ask about in a class session, of whom, and how it is answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from random import Random
from typing import Any

from django.db.models import Count, QuerySet

from games.keeping.export import finished_deals
from games.models import Deal, Result
from games.rules import Variant, observe, parse_card, parse_move
from games.tables.boards import boards_once
from games.tables.state import start_round
from games.words import colon
from lessons.exercises import EXERCISES, NoSuchQuestion, exercise_of, rebuild, stored_words
from lessons.exercises.answers import Form
from lessons.exercises.authored import AUTHORED
from lessons.exercises.contexts import (
    EMPTY,
    ClassResults,
    Context,
    Family,
    FinishedRound,
    OwnHand,
    invent,
)
from lessons.exercises.engine import Exercise, Field
from lessons.exercises.skills import Misconception
from lessons.models import Answer, ClassExercise, Forecast
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.privacy import FEWEST
from xactika_site.classrooms.selectors import here_in

Source = ClassExercise.Source


OF_FAMILY = {
    Family.DECK: Source.DECK,
    Family.DEAL: Source.DECK,
    Family.OWN_HAND: Source.OWN_HAND,
    Family.ROUND: Source.OWN_HAND,
    Family.CLASS: Source.CLASS,
}


def exercise_before(session_id: int) -> ClassExercise | None:
    """What the teacher has put before the class and not yet taken away."""
    exercises = ClassExercise.objects.filter(class_session=session_id, ended=None)
    return exercises.order_by("-pk").first()


def last_hand(student: Student, session_id: int, seed: int) -> Context:
    """The student's own last hand in the session whose round is over (and may be shown), as it
    was dealt; an invented one for whoever has not finished a round."""
    deals = finished_deals().filter(table__class_session=session_id, moves__student=student)
    deal = deals.order_by("-pk").first()
    if deal is None:
        return _example(seed)
    moves = list(deal.moves.order_by("number").values_list("seat", "text", "student"))
    seat = next(seat for seat, _text, mover in moves if mover == student.pk)
    start = start_round(deal, Variant(deal.table.variant))
    over = reduce(lambda r, move: r.apply(parse_move(move[1])), moves, start)
    stored = Forecast.objects.filter(deal=deal, student=student).first()
    forecast = tuple(stored.percents) if stored else None
    hand = OwnHand.by(observe(start, seat), forecast=forecast)
    return Context(hand=hand, round=FinishedRound.by(over))


def class_results(session_id: int) -> ClassResults | None:
    """What the session's finished rounds hold, of the tables of the size that played most;
    None before the first one. A board counts once."""
    deals = finished_deals().filter(table__class_session=session_id)
    by_size: dict[int, list[Deal]] = {}
    for deal in boards_once(deals):
        by_size.setdefault(len(deal.hands), []).append(deal)
    if not by_size:
        return None
    seats = max(by_size, key=lambda size: (len(by_size[size]), -size))
    hands = tuple(
        tuple(map(parse_card, codes)) for deal in by_size[seats] for codes in deal.hands
    )
    own = Result.objects.filter(
        deal__in=[deal.pk for deal in deals if len(deal.hands) == seats],
        by_person=True,
        bid__isnull=False,
    )
    return ClassResults(
        seats=seats,
        rounds=sum(len(deal.hands) == seats for deal in deals),
        students=own.values("student").exclude(student=None).distinct().count(),
        hands=hands,
        bids=tuple((result.bid or 0, result.taken) for result in own.order_by("pk")),
    )


def _example(seed: int) -> Context:
    """An invented hand and round; the same seed gives the same."""
    return invent(Random(seed), (Family.OWN_HAND, Family.ROUND))  # noqa: S311 - no secret


def source_of(exercise: str) -> str | None:
    """Where a class exercise takes its data from; None for what cannot be put before a class,
    because it needs a trick in play, and for what there is not."""
    named = EXERCISES.get(exercise)
    return OF_FAMILY.get(named.family) if named is not None else None


def exercises_by_source() -> list[tuple[str, list[Exercise]]]:
    """The exercises that a class can be put, by the source's name, in the order of the plan."""
    return [
        (str(source.label), [e for key, e in EXERCISES.items() if source_of(key) == source])
        for source in Source
    ]


def class_context(exercise: ClassExercise, student: Student | None = None) -> Context:
    """The context of a class exercise: for everybody the same, or this student's own hand
    (without a student, an example)."""
    if exercise.source == Source.CLASS:
        return Context(results=class_results(exercise.class_session_id))
    if exercise.source == Source.DECK:
        return EMPTY
    if student is None:
        return _example(exercise.seed)
    return last_hand(student, exercise.class_session_id, exercise.seed)


@dataclass(frozen=True, slots=True)
class ClassAnswers:
    """How a class exercise goes, without names: how many students are here, have answered, had
    it right at their first try, have it by now; how many attempts there were; misconceptions
    with how many students each was recognised in, the commonest first."""

    here: int
    answered: int
    right_at_once: int
    right: int
    attempts: int
    misconceptions: tuple[tuple[str, int], ...]

    @property
    def may_be_shared(self) -> bool:
        """Whether figures may be shown to the room."""
        return self.answered >= FEWEST

    @property
    def version(self) -> str:
        """A text that differs whenever something of this does."""
        return f"{self.here}.{self.answered}.{self.right}.{self.attempts}"


def class_answers(exercise: ClassExercise) -> ClassAnswers:
    """The answers to a class exercise so far."""
    here = here_in(exercise.class_session_id)
    answers = Answer.objects.filter(question__class_exercise=exercise)
    rows = list(answers.values_list("question", "number", "right", "misconceptions"))
    codes = {(question, code) for question, _n, _right, shown in rows for code in shown}
    counts = Counter(code for _question, code in codes)
    titles = {code.value: code.title for code in Misconception}
    if exercise.exercise == AUTHORED.key and (named := _wrong_answers(exercise)):
        del titles[Misconception.AUTHORED.value]
        titles |= {str(number): text for number, (text, _n) in enumerate(named)}
        counts = Counter({str(number): n for number, (_t, n) in enumerate(named)})
    return ClassAnswers(
        here=here.count(),
        answered=len({question for question, *_rest in rows}),
        right_at_once=sum(right for _q, number, right, _m in rows if number == 0),
        right=len({question for question, _n, right, _m in rows if right}),
        attempts=len(rows),
        misconceptions=tuple(
            (titles[code], n) for code, n in counts.most_common() if code in titles
        ),
    )


MOST_NAMED = 6
"""As many wrong answers to a teacher's own question are told."""


def _wrong_answers(exercise: ClassExercise) -> list[tuple[str, int]]:
    """The wrong answers to a teacher's own question that most students gave, each with what the
    teacher says to it, if anything, and how many students gave it."""
    try:
        question = rebuild({"exercise": exercise.exercise, "parameters": exercise.parameters})
    except NoSuchQuestion:
        return []
    given = Answer.objects.filter(question__class_exercise=exercise)
    rows = list(given.values_list("question", "right", "values"))
    right = set(_stored_pairs(question.right))
    right |= {pair for _asked, is_right, values in rows if is_right for pair in values.items()}
    wrong = {(asked, *pair) for asked, _right, values in rows for pair in values.items()}
    counts = Counter((key, value) for _asked, key, value in wrong if (key, value) not in right)
    hints = {pair: each.hint for each in question.wrong for pair in _stored_pairs(each.answers)}
    fields = {field.key: field for field in question.fields}
    told = []
    for (key, value), n in counts.most_common(MOST_NAMED):
        words = value_words(fields[key], value)
        hint = hints.get((key, value))
        told.append((f"{words}{colon()}{hint}" if hint else words, n))
    return told


def _stored_pairs(answers: Mapping[str, object]) -> list[tuple[str, str]]:
    """Answers by their fields' keys as they are stored."""
    return [(key, str(answer)) for key, answer in answers.items()]


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """What one student answered, field by field as it is read, one attempt after the other,
    and what became of it."""

    student: Student
    values: tuple[str, ...]
    is_right: bool
    attempts: int


def answers_given(
    exercise: ClassExercise,
) -> tuple[tuple[tuple[str, str], ...], list[GivenAnswer]]:
    """The labels of a class exercise's fields with their right answers, and each student's
    answers in the order of their coming; of one question for all alone."""
    if exercise.parameters is None:
        return (), []
    stored = {"exercise": exercise.exercise, "parameters": exercise.parameters}
    try:
        question = rebuild(stored)
    except NoSuchQuestion:
        return (), []
    fields = question.fields
    given = Answer.objects.filter(question__class_exercise=exercise).order_by("number")
    attempts: dict[Student, list[Answer]] = {}
    for each in given.select_related("question__student"):
        if each.question.student is not None:
            attempts.setdefault(each.question.student, []).append(each)
    rows = [
        GivenAnswer(
            student,
            tuple(
                " → ".join(value_words(field, each.values.get(field.key, "")) for each in tries)
                for field in fields
            ),
            tries[-1].right,
            len(tries),
        )
        for student, tries in attempts.items()
    ]
    labels = ((each.label, value_words(each, str(question.right[each.key]))) for each in fields)
    return tuple(labels), sorted(rows, key=lambda row: row.student.pk)


def value_words(field: Field, stored: str) -> str:
    """A stored value of a field as people read it."""
    if field.form is Form.CHOICE:
        return next((each.label for each in field.options if each.key == stored), "")
    return stored_words(field.form, stored)


def answer_words(stored: Mapping[str, Any], values: Mapping[str, str]) -> str:
    """What was answered to a stored question, as people read it; empty for nothing, and where
    the question cannot be built any more."""
    try:
        fields = rebuild(dict(stored)).fields if values else ()
    except NoSuchQuestion:
        return ""
    words = (value_words(each, values.get(each.key, "")) for each in fields)
    return ", ".join(filter(None, words))


def title_of(exercise: ClassExercise) -> str:
    """What the exercise's question is called."""
    return exercise_of(exercise.exercise).title_of(exercise.parameters or {})


def exercises_put(session: ClassSession) -> QuerySet[ClassExercise]:
    """What was put before this class session and taken away again, the latest first, with
    ``students``, how many answered."""
    put = ClassExercise.objects.filter(class_session=session, ended__isnull=False)
    answered = Count("questions__answers__question", distinct=True)
    return put.annotate(students=answered).order_by("-pk")
