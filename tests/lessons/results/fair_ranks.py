"""Sentences that rank: who stands first or last, what came most often, what went worst. How
often do they say what is not so?

Classes play as in ``fair_intervals``, each student with a habit of bidding; then once more with
other cards, which shows whether whoever stood first or last came nearer to the middle. They
answer exercises, each student as able as they are, and predict in a lesson.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from lessons.course import StepKind, markup
from lessons.course import lesson as course_of
from lessons.exercises import EXERCISES
from lessons.models import LessonRun
from lessons.results.bids.bidding import Errors, shrunk_means
from lessons.results.dataset import Dataset, FinishedDeal
from lessons.results.dataset import SeatResult as Row
from lessons.results.learned import learning_panels
from lessons.results.learned.learning import Attempt, Learning, smoothed_share
from lessons.results.points import point_panels, standings
from lessons.results.students import student_panels
from lessons.results.students.peers import Peers
from lessons.results.taught import lesson_panels
from lessons.results.taught.taught_lessons import StepDone, TaughtLesson

from .fair import Starmap
from .fair_intervals import Kind, Played, by_class, play

NEARER = "mostly come nearer the middle"
"""What the pages promise of whoever stands first or last, at tables and in answers."""


class Told(NamedTuple):
    """A sentence that was said, by its name, and whether it was so."""

    sentence: str
    is_so: bool


# Who stands where, and who bids how.


def facts_of(part: Played, now: slice, rounds: range, per: int) -> Dataset:
    """These rounds of one class, of ``per`` at each table, as the pages read them."""
    seats = part.off.shape[1]
    rows, deals = [], []
    tables = (part.table[now] - part.table[now][0]).tolist()
    boards = part.board[now].tolist()
    is_duplicate = len(set(boards)) < len(boards)
    for place, table in enumerate(tables):
        if (number := place % per) not in rounds:
            continue
        dealt = FinishedDeal(
            place, 1, f"t{table}", table + 1, 1, number + 1, "bid", 0,
            [[] for _seat in range(seats)], boards[place] if is_duplicate else None,
        )  # fmt: skip
        deals.append(dealt)
        offs, points = part.off[now][place].tolist(), part.points[now][place].tolist()
        for seat, (off, got) in enumerate(zip(offs, points, strict=True)):
            taken = got if off == 0 else max(0, -off)
            rows.append(Row(dealt, seat, taken + off, taken, got, True, table * seats + seat))
    people = frozenset(range(seats * (max(tables) + 1)))
    return Dataset(tuple(deals), tuple(rows), (), came=people)


def places(now: Dataset, then: Dataset) -> Iterator[Told]:
    """Of whoever stands first and last: whether they stand nearer to the middle next time."""

    (game,), (later,) = standings.game_standings(now), standings.game_standings(then)
    panel = point_panels.standing(game, lambda place: f"S{place.student}")
    if NEARER not in panel.caveat:
        return
    before, after = _by_student(game.places), _by_student(later.places)
    middle, ends = (len(before) + 1) / 2, (min(before.values()), max(before.values()))
    if ends[0] == ends[1]:
        return
    for student, place in before.items():
        if place in ends:
            nearer = abs(after[student] - middle) < abs(place - middle)
            yield Told(f"{_size(len(before))} stand: first or last", nearer)


def _by_student(rows: Sequence[object]) -> dict[int, float]:
    """Places, equals sharing the mean of theirs."""
    ranks = [row.rank for row in rows]  # type: ignore[attr-defined]
    return {
        row.student: row.rank + (ranks.count(row.rank) - 1) / 2  # type: ignore[attr-defined]
        for row in rows
    }


def _size(number: int) -> str:
    return str(number) if number < 8 else "8 to 40"


def bidders(part: Played, now: slice, sessions: int, rounds: int) -> Iterator[Told]:
    """Whether who is farthest off by the best guess is less so in the session after."""
    per = rounds * (sessions + 1)
    off = part.off[now].reshape(-1, per, part.off.shape[1])
    before = off[:, : rounds * sessions].swapaxes(1, 2).reshape(-1, rounds * sessions)
    after = off[:, rounds * sessions :].swapaxes(1, 2).reshape(-1, rounds).mean(axis=1)
    people = {n: Errors(dict(Counter(row))) for n, row in enumerate(before.tolist())}
    guesses = shrunk_means(people)
    first = max(guesses, key=lambda n: abs(guesses[n]))
    own = abs(float(people[first].bias or 0))
    yield Told(f"farthest off, after {sessions} sessions", bool(abs(after[first]) < own))


# What was answered.


def answers(rng: np.random.Generator, able: np.ndarray, many: np.ndarray) -> list[Attempt]:
    """Each student's questions of a few exercises, each tried twice at most."""
    keys = list(EXERCISES)
    chosen = rng.choice(len(keys), size=rng.integers(2, 9), replace=False)
    found, question = [], 0
    hard = rng.normal(0, 0.7, len(keys))
    for student, (skill, number) in enumerate(zip(able, many, strict=True)):
        for _question in range(number):
            exercise = keys[key := rng.choice(chosen)]
            chance, question = 1 / (1 + np.exp(hard[key] - skill)), question + 1
            for attempt in range(2):
                right = bool(rng.random() < chance)
                could = sorted(code.value for code in EXERCISES[exercise].misconceptions)
                shown = (
                    (could[rng.integers(len(could))],)
                    if could and not right and rng.random() < 0.7
                    else ()
                )
                found.append(Attempt(question, exercise, student, attempt, right, shown))
                if right:
                    break
    return found


def learned(rng: np.random.Generator) -> Iterator[Told]:
    """What the pages say of a class's answers."""
    students = int(rng.integers(2, 41))
    able, many = rng.normal(1.5, 1, students), rng.geometric(0.15, students)
    names = {n: f"S{n}" for n in range(students)}
    now, then = (Learning(tuple(answers(rng, able, many)), names) for _time in range(2))
    yield from _help(now, then)
    for key, panel, found in (
        ("exercise", learning_panels.exercises(now), now.by_exercise),
        (
            "standard",
            learning_panels.by_standards(now),
            now.by_standard(learning_panels.exercises_by_standard()),
        ),
    ):
        told = re.search(r"(\d+) of (\d+) right first time", panel.summary)
        if told and "Look first" in panel.summary:
            share = Fraction(int(told[1]), int(told[2]))
            shares = {each.share or Fraction() for each in found.values()}
            is_so = share < 1 and (share < max(shares) or len(shares) == 1)
            yield Told(f"look first, {key}", is_so)
    own = now.of_student(0)
    said = student_panels.opening(own, Peers())
    best = re.search(r"\((\d+) of (\d+)\)", said.text)
    worst = re.search(r"(\d+)\D+(\d+)", said.counts)
    if best and worst:
        goes_well, practise = (Fraction(int(each[1]), int(each[2])) for each in (best, worst))
        yield Told("goes well, to practise", goes_well > practise)


def _help(now: Learning, then: Learning) -> Iterator[Told]:
    every = {n: now.of_student(n).success for n in now.students}
    order = sorted(every, key=lambda n: (every[n].share == 1, smoothed_share(every[n])))
    before, after = now.success.share or Fraction(), then.success.share or Fraction()
    is_told = NEARER in learning_panels.by_student(now, names={}).caveat
    for student in {order[0], order[-1]} if is_told else set():
        was = abs((every[student].share or 0) - before)
        now_is = abs((then.of_student(student).success.share or 0) - after)
        yield Told(f"{_size(len(order))} answer: first or last", now_is < was)


# A lesson.


def lesson(rng: np.random.Generator, slug: str) -> Iterator[Told]:
    """What is said of the predictions and steps of a lesson that was held to its end."""
    course, people = course_of(slug), range(int(rng.integers(2, 41)))
    done, stay = {}, rng.choice([1.0, 0.95, 0.7])
    for step in course.steps:
        did = [n for n in people if rng.random() < stay]
        if step.kind is not StepKind.PREDICT:
            done[step.name] = tuple(StepDone(n, {}, None, 1) for n in did)
        elif step.whole:
            done[step.name] = tuple(StepDone(n, {"number": "5"}, None, 1) for n in did)
        elif step.statements:
            weights = rng.dirichlet(np.ones(len(step.statements)))
            picks = rng.choice(len(weights), size=len(did), p=weights).tolist()
            done[step.name] = tuple(
                StepDone(n, {"choice": pick}, None, 1)
                for n, pick in zip(did, picks, strict=True)
            )
    run = LessonRun(pk=1, lesson=slug, step=len(course.steps))
    held = TaughtLesson(1, run, course, frozenset(people), done, Counter(), Dataset((), (), ()))
    for _number, step in held.seen_steps:
        if step.kind is StepKind.PREDICT and step.statements and done[step.name]:
            counts = held.predicted(step).counts
            said = lesson_panels.predicted(held, _number, step, held.predicted(step)).summary
            named = sum(
                f"“{markup.plain(s.text).rstrip('.')}”" in said.split("True:")[0]
                for s in step.statements
            )
            ties = counts.count(max(counts))
            yield Told(
                "expected most", named == (ties if ties <= lesson_panels.MOST_TIED else 0)
            )
    panel = lesson_panels.steps(held)
    counted = [int(str(row[2])) for row in panel.grid.rows] if panel.grid else []
    if counted:
        ties, named = counted.count(min(counted)), panel.summary.count("“")
        is_so = ties == len(counted) if not named else named == min(ties, 4)
        yield Told("fewest did", is_so)


# The whole table.


def kinds(*, duplicate: bool) -> list[Kind]:
    """All sizes, from a single table of two on, few rounds and many."""
    return [
        Kind(seats, rounds, duplicate, (2, 40))
        for seats in (2, 3, 4, 5, 7)
        for rounds in (2, 8)
    ]


def count(kind: Kind, classes: int, seed: int = 42) -> Counter[str]:
    """By sentence, how often it was said, and (``… not so``) how often it was not so."""
    found: Counter[str] = Counter()

    def note(told: Iterator[Told]) -> None:
        for sentence, is_so in told:
            found[sentence] += 1
            found[f"{sentence}, not so"] += not is_so

    rng = np.random.default_rng([seed, kind.seats, kind.rounds, kind.duplicate])
    twice = Kind(kind.seats, 2 * kind.rounds, kind.duplicate, kind.students)
    for part in (play(twice, min(100, classes - n), rng) for n in range(0, classes, 100)):
        for now in by_class(part):
            rounds = range(kind.rounds), range(kind.rounds, 2 * kind.rounds)
            first, second = (facts_of(part, now, own, twice.rounds) for own in rounds)
            note(places(first, second))
            note(bidders(part, now, 1, kind.rounds))
            if kind.rounds == 8:
                note(bidders(part, now, 7, 2))
            if kind.duplicate:
                note(lesson(rng, "the-deal"))
            else:
                note(learned(rng))
    return found


def lines(classes: int, starmap: Starmap) -> Iterator[dict[str, object]]:
    """Of each sentence how often it was said, and not so; a tenth of the classes is of each
    size."""
    for duplicate in (False, True):
        shown = kinds(duplicate=duplicate)
        each = -(-classes // len(shown))
        together: Counter[str] = sum(
            starmap(count, [(kind, each) for kind in shown]), Counter()
        )
        for sentence in sorted(key for key in together if not key.endswith(", not so")):
            said, not_so = together[sentence], together[f"{sentence}, not so"]
            of = {"duplicate": duplicate, "sentence": sentence, "said": said}
            yield of | {"not so": round(not_so / said, 4)}
