"""A session's data as tables of plain values: tidy, numbers for names, nothing that is still
in play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.classes.experiments import experiments_of
from games.models import Move, TrickRecord
from lessons.course import Lesson, Step, StepKind, lessons
from lessons.course.suspects import settled_lesson
from lessons.course.variables import variable
from lessons.exercises import EXERCISES
from lessons.models import Commitment, Question
from lessons.results.bids.forecasting import USUAL
from lessons.results.facts import Facts, FinishedDeal, facts_of_session
from lessons.results.learned.learning import Learning, learning_of_session
from lessons.results.learned.learning_panels import exercises_by_standard
from lessons.results.learned.predictions import visits_in_session
from lessons.results.taught.taught_lessons import TaughtLesson, taught_lessons
from lessons.results.words import lesson_words
from lessons.visits.experiments import treatment_words
from lessons.visits.predictions import answer_words, is_right
from lessons.visits.ways import SOLVED, dealing_steps, seed_of
from xactika_site.classrooms.models import ClassSession, Student

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its name, what a row is, and what each column has."""

    name: str
    row: Any
    columns: Mapping[str, Any]
    rows: tuple[Row, ...]


def tables(session: ClassSession) -> tuple[Table, ...]:
    """All that is over in a class session. Students are numbers, the same as on its pages."""
    facts = facts_of_session(session)
    numbers = _numbers(session)
    deals = {deal.pk: number for number, deal in enumerate(facts.deals, start=1)}
    taught = taught_lessons(session, facts)
    learning = learning_of_session(session)
    parts: dict[str, tuple[Any, Mapping[str, Any], Iterable[Row]]] = {
        "rounds": (_("a hand at a table"), ROUNDS, _rounds(facts, deals, numbers)),
        "drawn": (
            _("a table that was drawn for an experiment, of a game that is over"), DRAWN,
            _drawn(session),
        ),
        "tricks": (_("a trick"), TRICKS, _tricks(deals)),
        "moves": (_("a bid or a card played"), MOVES, _moves(deals, numbers)),
        "forecasts": (
            _("a forecast beside a bid"), FORECASTS, _forecasts(facts, deals, numbers),
        ),
        "usual": (_("a size of table"), USUAL_COLUMNS, _usual()),
        "answers": (_("an answer to a question"), ANSWERS, _answers(learning, numbers)),
        "mastery": (
            _("how a student stands in an exercise, after all that they ever answered"),
            MASTERY, _mastery(learning, numbers),
        ),
        "steps": (
            _("what a student did in a step of a lesson"), STEPS,
            _steps(session, taught, numbers),
        ),
        "dealt": (
            _("how often an outcome was dealt for a lesson"), DEALT, _dealt(taught, numbers),
        ),
        "exercises": (_("an exercise that was answered"), EXERCISE, _exercises(learning)),
        "misconceptions": (
            _("a mistake that answers showed"), MISCONCEPTIONS, _misconceptions(learning),
        ),
    }  # fmt: skip
    return tuple(
        Table(name, row, columns, tuple({key: each[key] for key in columns} for each in rows))
        for name, (row, columns, rows) in parts.items()
    )


def players(session: ClassSession) -> int:
    """How many students have finished a round, or answered or done anything, in a session."""
    learning = learning_of_session(session)
    return len(facts_of_session(session).students | learning.started)


def _numbers(session: ClassSession) -> dict[int | None, int | None]:
    students = Student.objects.filter(classroom=session.classroom_id).order_by("pk")
    nobody: dict[int | None, int | None] = {None: None}
    return nobody | {pk: n for n, pk in enumerate(students.values_list("pk", flat=True), 1)}


_DEAL = _("the deal's number in this archive")
_SEAT = _("the seat, from 0 on clockwise")
_STUDENT = _("the student's number, as on the pages of results; nothing for a bot")

ROUNDS = {
    "deal": _DEAL,
    "game": _("the game of the session, from 1"),
    "table": _("the table's number in the room"),
    "round": _("the round of the game, from 1"),
    "variant": _("win, lose or bid"),
    "seats": _("how many played"),
    "dealer": _("the seat that dealt"),
    "board": _("the number that the tables of a duplicate session share; else nothing"),
    "drawn": _("1 if chance dealt, 0 if the hands were prepared"),
    "seat": _SEAT,
    "held_by": _("who sits there last: person or bot"),
    "sitter": _("that student's number"),
    "counted": _("1 if one person made every move of the seat: such hands are counted"),
    "student": _STUDENT,
    "hand": _("eight cards, each by its balls, cubes, cones, stars"),
    "bid": _("the bid; nothing where nobody bids"),
    "taken": _("tricks taken"),
    "points": _("points of the round"),
}


def _rounds(
    facts: Facts, deals: Mapping[int, int], numbers: Mapping[int | None, int | None]
) -> Iterator[Row]:
    for played in facts.seats:
        deal: FinishedDeal = played.deal
        holder = facts.sitters.get((deal.table, played.seat))
        yield {
            "deal": deals[deal.pk],
            "game": deal.game,
            "table": deal.number,
            "round": deal.round,
            "variant": deal.variant,
            "seats": deal.seats,
            "dealer": deal.dealer,
            "board": deal.board,
            "drawn": int(deal.is_drawn),
            "seat": played.seat,
            "held_by": None if holder is None else "bot" if holder.is_bot else "person",
            "sitter": numbers.get(holder.student) if holder else None,
            "counted": int(played.by_person),
            "student": numbers.get(played.student),
            "hand": " ".join(played.hand),
            "bid": played.bid,
            "taken": played.taken,
            "points": played.points,
        }


DRAWN = {
    "game": _("the game of the session, from 1"),
    "table": _("the table's number in the room"),
    "half": _("a or b: which half of the tables it was drawn for"),
    "drawn_for": _("what that half bids by, or what it sees"),
    "board": _("the board that it was first dealt: tables with the same were drawn together"),
}


def _drawn(session: ClassSession) -> Iterator[Row]:
    for experiment in experiments_of(session.pk):
        for outcome in experiment.outcomes:
            yield {
                "game": experiment.game,
                "table": outcome.table,
                "half": "a" if outcome.is_a else "b",
                "drawn_for": treatment_words(experiment, is_a=outcome.is_a),
                "board": outcome.wave,
            }


TRICKS = {
    "deal": _DEAL,
    "trick": _("the trick of the round, from 1"),
    "leader": _("the seat that led"),
    "call": _("what was called"),
    "value": _("the value of the card that was led"),
    "taker": _("the seat that took the trick"),
    "chance": _("the exact chance, when led, that nobody held a better card; voids ignored"),
    "safe": _("1 if nobody did"),
    "took": _("1 if the leader took the trick"),
}


def _tricks(deals: Mapping[int, int]) -> Iterator[Row]:
    for record in TrickRecord.objects.filter(deal__in=deals).order_by("deal", "number"):
        yield {
            "deal": deals[record.deal_id],
            "trick": record.number + 1,
            "leader": record.leader,
            "call": record.call,
            "value": record.value,
            "taker": record.taker,
            "chance": record.chance,
            "safe": None if record.safe is None else int(record.safe),
            "took": int(record.leader == record.taker),
        }


MOVES = {
    "deal": _DEAL,
    "move": _("the move of the round, from 0"),
    "seat": _SEAT,
    "student": _STUDENT,
    "mover": _("person, bot (also one that stood in) or clock"),
    "level": _("the bot's level"),
    "text": _("a bid 3, a lead with its call 1332:2-star, a card that follows 1332"),
}


def _moves(deals: Mapping[int, int], numbers: Mapping[int | None, int | None]) -> Iterator[Row]:
    for move in Move.objects.filter(deal__in=deals).order_by("deal", "number"):
        yield {
            "deal": deals[move.deal_id],
            "move": move.number,
            "seat": move.seat,
            "student": numbers.get(move.student_id),
            "mover": move.mover,
            "level": move.level or None,
            "text": move.text,
        }


FORECASTS = {
    "deal": _DEAL,
    "seat": _SEAT,
    "student": _STUDENT,
    **{f"p{n}": _("the percent that was given to this number of tricks") for n in range(9)},
}


def _forecasts(
    facts: Facts, deals: Mapping[int, int], numbers: Mapping[int | None, int | None]
) -> Iterator[Row]:
    for percents, played in facts.forecast_rounds:
        yield {
            "deal": deals[played.deal.pk],
            "seat": played.seat,
            "student": numbers.get(played.student),
            **{f"p{n}": percent for n, percent in enumerate(percents)},
        }


USUAL_COLUMNS = {
    "seats": _("how many play"),
    **{f"p{n}": _("of 10,000 seats so many usually take this number") for n in range(9)},
}


def _usual() -> Iterator[Row]:
    for seats, counts in USUAL.items():
        yield {"seats": seats, **{f"p{n}": count for n, count in enumerate(counts)}}


ANSWERS = {
    "question": _("the question's number in this archive"),
    "exercise": _("which exercise it is of: exercises.csv"),
    "student": _STUDENT,
    "number": _("the how manieth answer to the question, from 0"),
    "right": _("1 if it was right"),
    "misconceptions": _("what it revealed, apart by semicolons: misconceptions.csv"),
}


def _answers(learning: Learning, numbers: Mapping[int | None, int | None]) -> Iterator[Row]:
    questions: dict[int, int] = {}
    for attempt in learning.attempts:
        yield {
            "question": questions.setdefault(attempt.question, len(questions) + 1),
            "exercise": attempt.exercise,
            "student": numbers.get(attempt.student),
            "number": attempt.number,
            "right": int(attempt.right),
            "misconceptions": ";".join(attempt.misconceptions),
        }


MASTERY = {
    "student": _STUDENT,
    "exercise": _("which exercise: exercises.csv"),
    "state": _("known, seen or tried, as the page of results says what that means"),
}


def _mastery(learning: Learning, numbers: Mapping[int | None, int | None]) -> Iterator[Row]:
    for student, states in learning.mastery.items():
        for exercise, state in states.items():
            yield {"student": numbers.get(student), "exercise": exercise, "state": state}


EXERCISE = {
    "exercise": _("the exercise's code"),
    "title": _("its title"),
    "skill": _("the skill that it trains"),
    "misconceptions": _("the mistakes that can show in it, apart by semicolons"),
    "standards": _("the standards whose steps ask it, apart by semicolons"),
}


def _exercises(learning: Learning) -> Iterator[Row]:
    by_standard = exercises_by_standard()
    for key in learning.by_exercise:
        exercise = EXERCISES[key]
        codes = [code for code, exercises in by_standard.items() if key in exercises]
        yield {
            "exercise": key,
            "title": str(exercise.title),
            "skill": exercise.skill.title,
            "misconceptions": ";".join(sorted(each.value for each in exercise.misconceptions)),
            "standards": ";".join(codes),
        }


MISCONCEPTIONS = {
    "misconception": _("the mistake's code"),
    "title": _("its name"),
}


def _misconceptions(learning: Learning) -> Iterator[Row]:
    for each in learning.misconceptions:
        yield {"misconception": each.misconception.value, "title": each.misconception.title}


STEPS = {
    "lesson": _("the lesson of the session, from 1; nothing where a student was alone"),
    "slug": _("the lesson's address"),
    "title": _("its title"),
    "step": _("the step's number"),
    "name": _("the step's name"),
    "kind": _("predict, do or explain; solved: a step's exercise was solved"),
    "student": _STUDENT,
    "answer": _("of a prediction the answer, or the bar in which its number is counted"),
    "right": _("1 or 0 where an explanation or a graph is right or wrong"),
    "true": _("1 or 0 of a prediction, once it was revealed what is true"),
    "tries": _("after how many tries"),
}


def _steps(
    session: ClassSession,
    taught: Iterable[TaughtLesson],
    numbers: Mapping[int | None, int | None],
) -> Iterator[Row]:
    runs = {each.run.pk: each for each in taught}
    courses = {lesson.slug: lesson for lesson in lessons()}
    rows = Commitment.objects.filter(
        visit__in=visits_in_session(session).order_by().values("pk"),
        visit__student__isnull=False,
    )
    for row in rows.select_related("visit__run").order_by("pk"):
        lesson, run = courses.get(row.visit.lesson), row.visit.run
        if lesson is not None:
            lesson = settled_lesson(lesson, seed_of(run, row.visit))
        step = _named(lesson, row.step)
        if lesson is None or step is None:
            continue  # the lesson's files have changed since
        own = runs.get(run.pk) if run else None
        number = lesson.place(step.name)
        if own is not None and step not in [each for _n, each in own.seen_steps]:
            continue  # the room has not closed it yet
        is_open = run is None or run.step >= (
            lesson.reveal_of(step.name) if step.kind is StepKind.PREDICT else 0
        )
        true = is_right(step, row.value) if is_open and step.kind is StepKind.PREDICT else None
        predicted = step.kind is StepKind.PREDICT
        yield _step_row(own, lesson, step, number, numbers.get(row.visit.student_id)) | {
            "answer": answer_words(step, row.value) if predicted else None,
            "right": None if row.right is None else int(row.right),
            "true": None if true is None else int(true),
            "tries": row.tries,
        }
    solved = Question.objects.filter(
        SOLVED, visit__run__class_session=session, student__isnull=False
    )
    for run_pk, student, name in solved.values_list("visit__run", "student", "step"):
        own = runs.get(run_pk)
        step = _named(own.lesson, name) if own else None
        if own is None or step is None:
            continue
        number = own.lesson.place(step.name)
        yield _step_row(own, own.lesson, step, number, numbers.get(student)) | {
            "kind": "solved", "answer": None, "right": None, "true": None, "tries": None,
        }  # fmt: skip


def _named(lesson: Lesson | None, name: str) -> Step | None:
    return next((step for step in lesson.steps if step.name == name), None) if lesson else None


def _step_row(
    own: TaughtLesson | None, lesson: Lesson, step: Step, number: int, student: int | None
) -> Row:
    return {
        "lesson": own.place if own else None,
        "slug": lesson.slug,
        "title": lesson_words(lesson.number),
        "step": number,
        "name": step.name,
        "kind": step.kind.value,
        "student": student,
    }


DEALT = {
    "lesson": _("the lesson of the session, from 1"),
    "step": _("the number of the step that shows it"),
    "student": _("who dealt; nothing where it was the class's rounds"),
    "outcome": _("what was counted"),
    "hands": _("in how many hands, or cards, it was so"),
    "theory": _("its exact share"),
}


def _dealt(
    all_taught: Iterable[TaughtLesson], numbers: Mapping[int | None, int | None]
) -> Iterator[Row]:
    for taught in all_taught:
        for number, step in taught.seen_steps:
            data = taught.pooled(step) if step.chart else None
            if data is None:
                continue
            counted = variable(step.chart)
            counts_by_student: list[tuple[int | None, Iterable[int]]] = [(None, data.counts)]
            if data.source != "class":
                counts_by_student = [
                    (numbers.get(done.student), done.value["counts"])
                    for name in dealing_steps(taught.lesson, step.chart)
                    for done in taught.done.get(name, ())
                ]
            for student, counts in counts_by_student:
                for name, share, hands in zip(
                    counted.categories, counted.shares, counts, strict=True
                ):
                    yield {
                        "lesson": taught.place,
                        "step": number,
                        "student": student,
                        "outcome": str(name),
                        "hands": hands,
                        "theory": float(share),
                    }
