"""A session's data as tables of plain values: tidy, numbers for names, nothing that is still
in play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext

from games.classes.experiments import experiments_of
from games.models import Move, Seat, TrickRecord
from lessons.course import Lesson, Step, StepKind, lessons
from lessons.course.suspects import settled_lesson
from lessons.course.variables import variable
from lessons.exercises import EXERCISES
from lessons.measures.marks import Merged
from lessons.models import Commitment
from lessons.results.bids.forecasting import USUAL
from lessons.results.dataset import Dataset, dataset_of_session
from lessons.results.learned.learning import Learning, learning_of_session
from lessons.results.learned.learning_panels import exercises_by_standard
from lessons.results.learned.predictions import visits_in_session
from lessons.results.taught.taught_lessons import TaughtLesson, solved_exercises, taught_lessons
from lessons.results.words import lesson_words
from lessons.visits.experiments import treatment_words
from lessons.visits.predictions import answer_words, is_right
from lessons.visits.ways import DataSource, dealing_steps, seed_of
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.texts import Entry, read_sections

CODEBOOK = Path(__file__).resolve().parent / "codebook.txt"

DataRow = Mapping[str, Any]
StudentNumbers = Mapping[int | None, int]
"""The numbers of students by their keys; None, a bot or somebody deleted, has none."""


@dataclass(frozen=True, slots=True)
class DataTable:
    """A table with its name, what a row is, and what each column has."""

    name: str
    row: str
    columns: Mapping[str, str]
    rows: tuple[DataRow, ...]


def tables(session: ClassSession) -> tuple[DataTable, ...]:
    """The tables of all that is over in a class session. Students have the pages' numbers."""
    data = dataset_of_session(session)
    students = Student.objects.filter(classroom=session.classroom_id).order_by("pk")
    keys = students.values_list("pk", flat=True)
    numbers: StudentNumbers = {pk: n for n, pk in enumerate(keys, start=1)}
    deals = {deal.pk: number for number, deal in enumerate(data.deals, start=1)}
    taught = taught_lessons(session, data)
    learning = learning_of_session(session)
    rows: dict[str, Iterable[DataRow]] = {
        "rounds": _round_rows(data, deals, numbers),
        "drawn": _experiment_rows(session),
        "tricks": _trick_rows(deals),
        "moves": _move_rows(deals, numbers),
        "forecasts": (
            _by_tricks(percents, seat=played.seat, deal=deals[played.deal.pk])
            | {"student": numbers.get(played.student)}
            for percents, played in data.forecast_rounds
        ),
        "usual": (_by_tricks(counts, seats=seats) for seats, counts in USUAL.items()),
        "answers": _answer_rows(learning, numbers),
        "mastery": (
            {"student": numbers.get(student), "exercise": exercise, "state": state}
            for student, states in learning.mastery.items()
            for exercise, state in states.items()
        ),
        "steps": _step_rows(session, taught, numbers),
        "dealt": _dealt_hand_rows(taught, numbers),
        "exercises": _exercise_rows(learning),
        "misconceptions": (
            {"misconception": each.misconception.value, "title": each.misconception.title}
            for each in learning.misconceptions
        ),
    }
    return tuple(
        DataTable(
            name,
            row,
            columns,
            tuple({key: each[key] for key in columns} for each in rows[name]),
        )
        for name, (row, columns) in _codebook().items()
    )


@cache
def _entries() -> list[Entry]:
    """The lines of the codebook: what comes first, a table, its columns, another table …"""
    return read_sections(CODEBOOK, (), ("say", "simulated", "table", "column"))[0].entries


def intro(*, is_demo: bool) -> list[str]:
    """The paragraphs before the tables; of simulated students one more."""
    words = ("say", "simulated")[: 1 + is_demo]
    return [gettext(entry.text.text) for entry in _entries() if entry.word in words]


def _codebook() -> dict[str, tuple[str, dict[str, str]]]:
    """By a table's name: what one of its rows is, and what each of its columns has."""
    tables: dict[str, tuple[str, dict[str, str]]] = {}
    for entry in _entries():
        meaning = gettext(entry.text.text)
        if entry.word == "table":
            columns: dict[str, str] = {}
            tables[entry.arguments] = meaning, columns
        elif entry.word == "column":
            columns |= dict.fromkeys(entry.arguments.split(","), meaning)
    return tables


def all_texts() -> Iterator[tuple[str, str]]:
    """The codebook's texts, as translators get them, with the name of its file."""
    return ((CODEBOOK.name, entry.text.text) for entry in _entries())


def players(session: ClassSession) -> int:
    """How many students have finished a round, or answered or done anything, in a session."""
    learning = learning_of_session(session)
    return len(dataset_of_session(session).students | learning.started)


def _round_rows(
    data: Dataset, deals: Mapping[int, int], numbers: StudentNumbers
) -> Iterator[DataRow]:
    sittings = {key: n for n, key in enumerate(dict.fromkeys(d.table for d in data.deals), 1)}
    seats = Seat.objects.filter(table__in=sittings)
    holders = {
        (table, number): (level, student)
        for table, number, level, student in seats.values_list(
            "table", "number", "level", "student"
        )
    }
    for played in data.seats:
        deal = played.deal
        level, sitter = holders.get((deal.table, played.seat), ("", None))
        yield Merged(
            played,
            deal,
            deal=deals[deal.pk],
            table=deal.number,
            sitting=sittings[deal.table],
            drawn=int(deal.is_drawn),
            held_by="bot" if level else "person",
            sitter=numbers.get(sitter),
            counted=int(played.by_person),
            student=numbers.get(played.student),
            hand=" ".join(played.hand),
        )


def _experiment_rows(session: ClassSession) -> Iterator[DataRow]:
    for experiment in experiments_of(session.pk):
        for outcome in experiment.outcomes:
            half, words = "ab"[not outcome.is_a], treatment_words(experiment, is_a=outcome.is_a)
            yield Merged(outcome, experiment, half=half, drawn_for=words, board=outcome.wave)


def _trick_rows(deals: Mapping[int, int]) -> Iterator[DataRow]:
    for record in TrickRecord.objects.filter(deal__in=deals).order_by("deal", "number"):
        yield Merged(
            record,
            deal=deals[record.deal_id],
            trick=record.number + 1,
            safe=None if record.safe is None else int(record.safe),
            took=int(record.leader == record.taker),
        )


def _move_rows(deals: Mapping[int, int], numbers: StudentNumbers) -> Iterator[DataRow]:
    for move in Move.objects.filter(deal__in=deals).order_by("deal", "number"):
        student = numbers.get(move.student_id)
        at = {"deal": deals[move.deal_id], "move": move.number, "level": move.level or None}
        yield Merged(move, student=student, **at)


def _by_tricks(counts: Sequence[int], **row: int) -> dict[str, Any]:
    """A row with a number for 0 to 8 tricks."""
    return {**row, **{f"p{n}": count for n, count in enumerate(counts)}}


def _answer_rows(learning: Learning, numbers: StudentNumbers) -> Iterator[DataRow]:
    questions: dict[int, int] = {}
    for attempt in learning.attempts:
        yield Merged(
            attempt,
            question=questions.setdefault(attempt.question, len(questions) + 1),
            student=numbers.get(attempt.student),
            right=int(attempt.right),
            misconceptions=";".join(attempt.misconceptions),
        )


def _exercise_rows(learning: Learning) -> Iterator[DataRow]:
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


def _step_rows(
    session: ClassSession,
    taught: Iterable[TaughtLesson],
    numbers: StudentNumbers,
) -> Iterator[DataRow]:
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
        step = _step_by_name(lesson, row.step)
        if lesson is None or step is None:
            continue  # the lesson's files have changed since
        own = runs.get(run.pk) if run else None
        if own is not None and step not in [each for _n, each in own.seen_steps]:
            continue  # the room has not closed it yet
        is_predicted = step.kind is StepKind.PREDICT
        true = None
        if is_predicted and (run is None or run.step >= lesson.reveal_of(step.name)):
            true = is_right(step, row.value)
        yield _step_row(own, lesson, step, numbers.get(row.visit.student_id)) | {
            "answer": answer_words(step, row.value) if is_predicted else None,
            "right": None if row.right is None else int(row.right),
            "true": None if true is None else int(true),
            "tries": row.tries,
        }
    for run_pk, student, name in solved_exercises(session):
        own = runs.get(run_pk)
        step = _step_by_name(own.lesson, name) if own else None
        if own is not None and step is not None:
            yield _step_row(own, own.lesson, step, numbers.get(student)) | {"kind": "solved"}


def _step_by_name(lesson: Lesson | None, name: str) -> Step | None:
    return next((step for step in lesson.steps if step.name == name), None) if lesson else None


def _step_row(
    own: TaughtLesson | None, lesson: Lesson, step: Step, student: int | None
) -> dict[str, Any]:
    return {
        "lesson": own.place if own else None,
        "slug": lesson.slug,
        "title": lesson_words(lesson.number),
        "step": lesson.place(step.name),
        "name": step.name,
        "kind": step.kind.value,
        "student": student,
        **dict.fromkeys(("answer", "right", "true", "tries")),
    }


def _dealt_hand_rows(
    all_taught: Iterable[TaughtLesson], numbers: StudentNumbers
) -> Iterator[DataRow]:
    for taught in all_taught:
        for number, step in taught.seen_steps:
            data = taught.pooled(step) if step.chart else None
            if data is None:
                continue
            counted = variable(step.chart)
            counts_by_student: list[tuple[int | None, Iterable[int]]] = [(None, data.counts)]
            if data.source is not DataSource.CLASS:
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
