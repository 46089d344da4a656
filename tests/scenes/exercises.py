"""Questions of every type, as tests ask and answer them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

from games.rules import Call, Card
from lessons.exercises import EXERCISES, Instance, NoVariant, ask
from lessons.exercises.contexts import Context, invent
from lessons.exercises.engine import Exercise
from lessons.unseen import Unseen
from tests.scenes import SOAK
from tests.scenes.written import forms

MANY = 200


SOME = MANY if SOAK else 40

KEYS = [
    (exercise.key if level == exercise.level else f"{exercise.key}:{level}")
    for exercise in EXERCISES.values()
    for level in exercise.levels
]
"""Every type, at its own level and at its others: ``two-way-table:B``."""


def by_place(unseen: Unseen, card: Card) -> tuple[Fraction, ...]:
    """By seat, then of the undealt cards, the chance that this unseen card lies there."""
    return tuple(1 - holding[0] for holding in unseen.holdings([card]))


def rivals(unseen: Unseen, card: Card, call: Call) -> list[Card]:
    """The unseen cards that would beat this lead."""
    return [each for each in unseen.cards if each.shows(call) and each.value >= card.value]


def safety(unseen: Unseen, card: Card, call: Call) -> Fraction:
    """The chance that all of these are undealt, at any point of play."""
    beaters = rivals(unseen, card, call)
    undealt = unseen.holdings(beaters)[-1]
    return undealt[len(beaters)] if len(beaters) < len(undealt) else Fraction()


def exercise_of(key: str) -> Exercise:
    return EXERCISES[key.partition(":")[0]]


def asked(key: str, seed: int, about: Context) -> Instance:
    name, _colon, level = key.partition(":")
    return ask(name, seed, about, {"level": level} if level else None)


def context(key: str, seed: int) -> Context:
    return invent(random.Random(seed), [exercise_of(key).family])


@cache
def dealt(key: str, seed: int) -> Instance:
    """The question of a seed; if its context holds none, of the next one that does."""
    for other in range(seed, seed + 20_000, 1000):
        try:
            return asked(key, seed, context(key, other))
        except NoVariant:
            continue
    raise AssertionError(f"{key}: no context holds a question")


def seeds(key: str, most: int) -> range:
    """So many for the plan's own types, fewer for the others."""
    return range(24 if ":" in key or exercise_of(key).number > 25 else most)


@cache
def questions(key: str) -> tuple[Instance, ...]:
    """One question per seed."""
    return tuple(dealt(key, seed) for seed in seeds(key, SOME))


def graded(key: str) -> tuple[Instance, ...]:
    """Those that are answered in all ways."""
    return questions(key) if SOAK else questions(key)[::3]


def right_texts(question: Instance, nth: int, *, comma: bool = False) -> dict[str, str]:
    """The right answer, each field in its nth accepted form."""
    texts = {}
    for field in question.fields:
        answer = question.right[field.key]
        texts[field.key] = (
            answer
            if isinstance(answer, str)
            else cycle(forms(answer, field.form, comma=comma), nth)
        )
    return texts


def cycle(texts: Sequence[str], nth: int) -> str:
    return texts[nth % len(texts)]


def most_forms(question: Instance) -> int:
    return max(
        (
            len(forms(answer, field.form))
            for field in question.fields
            if not isinstance(answer := question.right[field.key], str)
        ),
        default=1,
    )


NUMBER = re.compile(r"\d+(?:[.,]\d+)?(?:\s?/\s?\d+|\s(?:in|sur)\s\d+)?\s?%?")


def numbers(text: str) -> set[Fraction]:
    """The values of all numbers in a text, in any form; a percentage also as it stands."""
    found = set()
    for match in NUMBER.findall(text):
        top, _, bottom = re.sub(r"\s?(?:/|in|sur)\s?", "/", match.rstrip("% ")).partition("/")
        value = Fraction(top.replace(",", ".")) / (int(bottom) if bottom else 1)
        found |= {value, value / 100} if "%" in match else {value}
    return found


def deck_question(key: str, **parameters: object) -> Instance:
    return EXERCISES[key].build(dict(parameters))


FULL = {"shapes": [0, 1, 2, 3], "counts": [1, 2, 3]}


PAGE = Path(__file__).resolve().parents[2] / "docs" / "exercises.md"


def rows(head: str) -> list[tuple[str, ...]]:
    """The rows of the table whose first column has this head."""
    table = re.search(
        rf"^\| {head} \|.*\n\|[-|]+\n((?:\|.*\n)+)",
        PAGE.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert table is not None
    return [
        tuple(cell.strip().strip("`") for cell in line.strip("|").split("|"))
        for line in table[1].splitlines()
    ]
