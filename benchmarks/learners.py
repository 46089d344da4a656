"""Simulated students who take a class's two tests: how often is what the page says wrong?

From the repository's root, for the table in docs/assessment.md::

    python -m benchmarks.learners                  # 10,000 classes a line, on all processors
    python -m benchmarks.learners --classes 500
    python -m benchmarks.learners --only control
    python -m benchmarks.learners --known          # who counts as knowing a type of question
    python -m benchmarks.learners --advice         # who needs help, what to teach next

Students differ in what they can do, questions and forms in how hard they are. They guess (one
in four where they do not know), slip (one in twenty), forget between the tests, learn, copy
from a neighbour, press anything, or are away. What is judged is the very function that the page
calls. Each line is a JSON object: in how many classes "we got more right" was said, in how many
the interval held the true gain, and the power that the page told beforehand.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from itertools import chain
from random import Random
from typing import Any

import django
import numpy as np

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xactika_site.settings")
django.setup()

from lessons.assessment import gains  # noqa: E402
from lessons.exercises import EXERCISES, NoVariant, ask  # noqa: E402
from lessons.exercises.contexts import invent  # noqa: E402
from lessons.exercises.engine import LEVEL, Exercise  # noqa: E402
from lessons.exercises.skills import Misconception  # noqa: E402
from lessons.questions.practice import standing  # noqa: E402
from lessons.questions.spacing import SpacedTry  # noqa: E402
from lessons.results.learned.learning import Attempt, Learning, Success  # noqa: E402
from lessons.results.over_time.matrix import SkillMatrix  # noqa: E402
from lessons.results.session.advice import open_by_lesson  # noqa: E402

QUESTIONS = 10
GUESS, SLIP = 0.25, 0.05
MASKED = 0.35
"""Of what would be guessed only this part is a choice: most fields ask for a number."""


@dataclass(frozen=True)
class World:
    """How many are in either half, and what they do. ``gain`` is what each learns, in the share
    right; ``learning`` how much students differ in that; ``copies`` and ``presses`` are
    the shares who copy from the next one, or press anything, ``away`` those who miss a test.
    With a ``control`` half of the questions is about either of two lessons, ``gain`` is what a
    lesson gives in those about it, and ``drift`` what everybody gains in all by time."""

    name: str
    halves: tuple[int, int] = (12, 12)
    gain: float = 0.0
    learning: float = 0.05
    form_b: float = 0.1
    able: tuple[float, float] = (0.45, 0.15)
    lead: float = 0.0
    drift: float = 0.0
    control: bool = False
    copies: float = 0.0
    presses: float = 0.0
    away: float = 0.0


WORLDS = (
    World("no gain"),
    World("no gain, everybody alike", learning=0.0, able=(0.45, 0.0)),
    World("no gain, 8 and 8", halves=(8, 8)),
    World("no gain, lopsided halves", halves=(8, 20), lead=0.2),
    World("no gain, form B far easier", form_b=0.3),
    World("no gain, some learn and some forget", learning=0.25),
    World("no gain, a fifth press anything", presses=0.2),
    World("no gain, a fifth away", halves=(15, 15), away=0.2),
    World("no gain, a fifth copy", copies=0.2),
    World("no gain, half copy", copies=0.5),
    World("gain .05", gain=0.05),
    World("gain .10", gain=0.10),
    World("gain .15", gain=0.15),
    World("gain .15, 8 and 8", gain=0.15, halves=(8, 8)),
    World("gain .15, 15 and 15", gain=0.15, halves=(15, 15)),
    World("gain .15, some learn twice as much", gain=0.15, learning=0.15),
    World("gain .15, a fifth copy", gain=0.15, copies=0.2),
    World("control: time gives .15, the lessons nothing", drift=0.15, control=True),
    World(
        "control: the same, a fifth away", halves=(15, 15), drift=0.15, away=0.2, control=True
    ),
    World("control: the lessons give .20", gain=0.2, control=True),
    World("control: the same, 15 and 15", halves=(15, 15), gain=0.2, control=True),
)


def a_class(world: World, rng: np.random.Generator) -> tuple[list[gains.PairedShares], float]:
    """The pairs of shares right of one class, and its true gain: the mean over its students of
    what they may expect to get right more, forms alike."""
    n = sum(world.halves)
    is_a_first: np.ndarray = np.arange(n) < world.halves[0]
    able = np.clip(rng.normal(*world.able, n) + world.lead * is_a_first, 0.02, 0.98)
    later = np.clip(able + rng.normal(_learnt(world), world.learning, n), 0.0, 1.0)
    hard = rng.normal(0, 0.15, QUESTIONS)
    pressing = rng.random(n) < world.presses
    copying = rng.random(n) < world.copies
    here = rng.random((2, n)) >= world.away
    shares = []
    for known, form in ((able, ~is_a_first), (later, is_a_first)):
        chance = _chance(known[:, None] - hard + world.form_b * form[:, None])
        chance = np.where(pressing[:, None], GUESS * MASKED, chance)
        right = rng.random((n, QUESTIONS)) < chance
        next_one = np.roll(np.arange(n), 1)
        # Whoever copies has the neighbour's answers; on another form these are no use.
        same_form = form == form[next_one]
        right = np.where((copying & same_form)[:, None], right[next_one], right)
        shares.append(right.mean(axis=1))
    both = here[0] & here[1]
    true = _expected(later, hard, world, pressing) - _expected(able, hard, world, pressing)
    pairs = [
        gains.PairedShares(float(first), float(second), bool(side))
        for first, second, side, counts in zip(*shares, is_a_first, both, strict=True)
        if counts
    ]
    return pairs, float(true)


@cache
def _learnt(world: World) -> float:
    """How much more students must know for the gain that the world has."""
    if not world.gain:
        return 0.0
    rng = np.random.default_rng(0)
    able = np.clip(rng.normal(*world.able, 4000), 0.02, 0.98)
    more = rng.normal(0, world.learning, 4000)
    hard, nobody = rng.normal(0, 0.15, (4000, QUESTIONS)), np.zeros(4000, dtype=bool)
    before = _expected(able, hard, world, nobody)
    low, high = 0.0, 1.0
    for _step in range(30):
        middle = (low + high) / 2
        later = np.clip(able + more + middle, 0, 1)
        is_less = _expected(later, hard, world, nobody) - before < world.gain
        low, high = (middle, high) if is_less else (low, middle)
    return middle


def _chance(known: np.ndarray) -> np.ndarray:
    """Of a right answer: known and no slip, else guessed."""
    known = np.clip(known, 0, 1)
    return known * (1 - SLIP) + (1 - known) * GUESS * MASKED


def _expected(known: np.ndarray, hard: np.ndarray, world: World, pressing: np.ndarray) -> float:
    """The share right of a class that takes both forms."""
    forms = [_chance(known[:, None] - hard + each) for each in (0.0, world.form_b)]
    mean = np.where(pressing, GUESS * MASKED, np.mean(forms, axis=0).mean(axis=1))
    return float(mean.mean())


def a_controlled_class(
    world: World, rng: np.random.Generator
) -> tuple[list[gains.PairedShares], float]:
    """Its contrasts, as ``Assessed.contrasts`` has them, and what the lessons really gave."""
    n = sum(world.halves)
    had_first = np.arange(n) < world.halves[0]
    is_a_first = np.arange(n) % 2 == 0  # both lots are crossed
    able = np.clip(rng.normal(*world.able, n), 0.02, 0.98)
    about_second = np.arange(QUESTIONS) % 2 == 1
    hard = rng.normal(0, 0.15, QUESTIONS)
    had_it = had_first[:, None] != about_second  # in the second test
    learnt = rng.normal(_learnt(world), world.learning, n)[:, None]
    drifted = _learnt(replace(world, gain=world.drift))
    here = np.all(rng.random((2, n)) >= world.away, axis=0)
    shares = []
    for is_after, form in ((False, ~is_a_first), (True, is_a_first)):
        known = able[:, None] + is_after * (drifted + learnt * had_it)
        chance = _chance(np.clip(known, 0, 1) - hard + world.form_b * form[:, None])
        right = rng.random((n, QUESTIONS)) < chance
        own = np.where(had_it, right, 0).sum(axis=1) - np.where(had_it, 0, right).sum(axis=1)
        shares.append(own / (QUESTIONS / 2))
    without = _chance(np.clip(able + drifted, 0, 1)[:, None] - hard + world.form_b / 2)
    taught = _chance(np.clip(able[:, None] + drifted + learnt, 0, 1) - hard + world.form_b / 2)
    pairs = [
        gains.PairedShares(float(first), float(second), bool(side))
        for first, second, side, counts in zip(*shares, had_first, here, strict=True)
        if counts
    ]
    return pairs, float((taught - without).mean()) if world.gain else 0.0


def judged(world: World, seeds: range) -> list[tuple[bool, bool, bool]]:
    """Of each class whether there was a verdict, whether a gain was said, and whether the
    interval held the true one."""
    found = []
    for seed in seeds:
        draw = a_controlled_class if world.control else a_class
        pairs, true = draw(world, np.random.default_rng(seed))
        gain = gains.gain_of(pairs)
        gains._interval.cache_clear()
        if gain is None or gain.low is None or gain.high is None:
            found.append((False, False, False))
        else:
            found.append((True, gain.is_shown, gain.low <= true <= gain.high))
    return found


def lines(classes: int, workers: int, only: str) -> Iterator[dict[str, object]]:
    """A line a world."""
    step = max(1, classes // (4 * workers))
    parts = [range(begin, min(begin + step, classes)) for begin in range(0, classes, step)]
    with ProcessPoolExecutor(workers) as pool:
        for world in (each for each in WORLDS if only in each.name):
            found = [each for part in pool.map(partial(judged, world), parts) for each in part]
            told = [each for each in found if each[0]]
            asked = QUESTIONS / gains.HARDER if world.control else QUESTIONS
            yield {
                **asdict(world),
                "classes": classes,
                "with a verdict": len(told),
                "gain said": round(sum(each[1] for each in told) / len(told), 4),
                "interval holds": round(sum(each[2] for each in told) / len(told), 4),
                "power told": round(gains.power(sum(world.halves), asked, world.gain), 3),
            }


# Known.

DAYS = range(2, 11)
"""Days of practice, one question of the type each, at its highest level."""

PEOPLE = 2000
NUMBER = 0.03
"""How often a guess is right where a number is asked for."""


def clicked(exercise: Exercise) -> float:
    """How often the choice that is right most often is right, in 400 draws of the highest
    level; NUMBER for a type with a number."""
    counts: Counter[tuple[tuple[str, Any], ...]] = Counter()
    for seed in range(400):
        about = invent(Random(seed), [exercise.family])
        try:
            asked = ask(exercise.key, seed, about, {LEVEL: exercise.levels[-1]})
        except NoVariant:
            continue
        counts[tuple(sorted(asked.right.items()))] += 1
        if any(not isinstance(answer, str) for answer in asked.right.values()):
            return NUMBER
    return counts.most_common(1)[0][1] / counts.total()


def is_known(exercise: Exercise, chance: float, days: int, rng: Random) -> bool:
    """Whether somebody who gets it right with this chance counts as knowing it after so many
    days of practice."""
    first = datetime(2026, 1, 5, 9, tzinfo=UTC)
    tries = [
        SpacedTry(
            exercise.key,
            first + timedelta(days=day),
            rng.random() < chance,
            exercise.levels[-1],
            (first + timedelta(days=day)).date(),
            right=True,
        )
        for day in range(days)
    ]
    return standing(exercise, tries, first + timedelta(days=days)).state == "known"


def known_lines() -> Iterator[dict[str, object]]:
    """Of each type of which nothing but choices is asked, and of all others together: how often
    those who click one answer count as knowing it, and those who know it but for slips."""
    rng, numbers = Random(1), []
    for exercise in EXERCISES.values():
        guess = clicked(exercise)
        shares = {
            name: [
                sum(is_known(exercise, chance, days, rng) for _ in range(PEOPLE // 10))
                * 10
                / PEOPLE
                for days in DAYS
            ]
            for name, chance in (("clicking", guess), ("knowing", 1 - SLIP))
        }
        line = {
            "type": exercise.key,
            "right by a click": round(guess, 2),
            "clicking, after 2 days": shares["clicking"][0],
            "clicking, after 3 to 10": round(float(np.mean(shares["clicking"][1:])), 3),
            "knowing, after 2 to 10": round(float(np.mean(shares["knowing"])), 3),
        }
        if guess == NUMBER:
            numbers.append(line)
        else:
            yield line
    keys = [key for key in numbers[0] if key != "type"]
    yield {"type": f"{len(numbers)} others"} | {
        key: round(float(np.mean([float(str(each[key])) for each in numbers])), 3)
        for key in keys
    }


# Who needs help, and what to teach next.

STUDENTS, WEAKEST = 24, 6


def help_lines(classes: int) -> Iterator[dict[str, object]]:
    """After so many questions each, half as many to twice as many: which part of the weakest
    quarter of a class is among as many at the top of "by who needs help"; by the plain share
    right; and by chance."""
    for questions in (5, 10, 20, 40):
        found, plain = [], []
        for seed in range(classes):
            rng = np.random.default_rng(seed)
            able = np.clip(rng.normal(0.6, 0.2, STUDENTS), 0.02, 0.98)
            asked = np.maximum(1, (questions * rng.uniform(0.5, 2, STUDENTS)).astype(int))
            right = rng.binomial(asked, _chance(able))
            successes = {
                student: Success(int(n), int(n), int(hits), int(hits), 1)
                for student, (n, hits) in enumerate(zip(asked, right, strict=True))
            }
            weak = set(np.argsort(able)[:WEAKEST])
            listed = [row.student for row in SkillMatrix({}, successes).rows(range(STUDENTS))]
            found.append(len(weak.intersection(listed[:WEAKEST])) / WEAKEST)
            plain.append(len(weak.intersection(np.argsort(right / asked)[:WEAKEST])) / WEAKEST)
        yield {
            "questions each": questions,
            "weakest found": round(float(np.mean(found)), 3),
            "by the plain share": round(float(np.mean(plain)), 3),
            "by chance": WEAKEST / STUDENTS,
        }


SHOWS, SLIPS = 0.7, 0.03
"""How often who holds a misconception shows it where it can show, and who does not."""


def teach_lines(classes: int) -> Iterator[dict[str, object]]:
    """Of a class of which each misconception is held by another share: how much of what the
    best lesson would treat, counted by student and misconception, the one that is named as the
    next to teach treats; and a lesson drawn by chance."""
    treated: dict[int, set[str]] = {}
    for exercise in EXERCISES.values():
        codes = treated.setdefault(exercise.lesson, set())
        codes.update(each.value for each in exercise.misconceptions)
    for questions in (5, 10, 20, 40):
        named, drawn = [], []
        for seed in range(classes):
            rng = Random(seed)
            share = {each.value: rng.betavariate(1, 3) for each in Misconception}
            held = [
                {code for code in share if rng.random() < share[code]}
                for _student in range(STUDENTS)
            ]
            holders = Counter(code for own in held for code in own)
            gain = {n: sum(holders[code] for code in codes) for n, codes in treated.items()}
            attempts = tuple(_answers(rng, questions, held))
            still_open = open_by_lesson(Learning(attempts, {}))
            best = max(still_open, key=lambda n: sum(m.open for m in still_open[n]))
            named.append(gain[best] / max(gain.values()))
            drawn.append(float(np.mean(list(gain.values()))) / max(gain.values()))
        yield {
            "questions each": questions,
            "treated by the lesson named": round(float(np.mean(named)), 3),
            "by one drawn": round(float(np.mean(drawn)), 3),
        }


def _answers(rng: Random, questions: int, held: list[set[str]]) -> Iterator[Attempt]:
    """The answers of a class, in turns; of a question of a drawn type one misconception shows
    at most."""
    types = list(EXERCISES.values())
    for number in range(questions * len(held)):
        student, exercise = number % len(held), rng.choice(types)
        shown = [
            each.value
            for each in exercise.misconceptions
            if rng.random() < (SHOWS if each.value in held[student] else SLIPS)
        ][:1]
        yield Attempt(number, exercise.key, student, 0, not shown, tuple(shown))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--classes", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="worlds with this in their name")
    parser.add_argument("--known", action="store_true")
    parser.add_argument("--advice", action="store_true")
    options = parser.parse_args()
    told = lines(options.classes, options.workers, options.only)
    if options.known:
        told = known_lines()
    elif options.advice:
        told = chain(help_lines(options.classes), teach_lines(options.classes))
    for line in told:
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
