"""Knowing the type, or where options stand, does not give the answer."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from fractions import Fraction
from functools import cache

import pytest

from lessons.exercises import Instance, NoVariant, ask
from lessons.exercises.answers import Form
from lessons.exercises.engine import LEAST
from lessons.probability import Root
from tests.lessons.exercises.recompute import lacking
from tests.scenes import SOAK
from tests.scenes.exercises import KEYS, asked, context, dealt, questions, rows


@cache
def many(key: str) -> tuple[Instance, ...]:
    """The questions of the other tests; in the long version, 20 times as many more."""
    found = list(questions(key))
    for seed in range(1000, 5000 if SOAK else 1000):
        with suppress(NoVariant):
            found.append(asked(key, seed, context(key, seed)))
    return tuple(found)


def chosen(question: Instance) -> tuple[str, ...]:
    """The right options of a question."""
    return tuple(
        str(question.right[field.key]) for field in question.fields if field.form is Form.CHOICE
    )


@pytest.mark.parametrize("key", KEYS)
def test_options_stand_in_an_order_by_chance(key: str) -> None:
    orders: dict[str, Counter[tuple[str, ...]]] = {}
    found = many(key)
    for question in found:
        for field in question.fields:
            if field.options and not field.is_scale:
                names = tuple(option.key for option in field.options)
                orders.setdefault(field.key, Counter())[names] += 1
                assert not field.last or names[-1] == field.last
    for seen in orders.values():
        firsts = Counter(names[0] for names in seen.elements())
        assert len(firsts) > 1
        assert max(firsts.values()) < 0.65 * len(found)


def test_the_safest_lead_stands_anywhere() -> None:
    places = Counter(str(question.right["lead"]) for question in many("safest-lead"))
    equal = places.pop("equal")
    assert set(places) == {"first", "second", "third"}
    assert max(places.values()) < 0.5 * places.total()
    assert equal


def test_nothing_asked_about_the_safest_lead_has_always_the_same_answer() -> None:
    found = many("safest-lead")
    for field in found[0].fields:
        answers = Counter(question.right[field.key] for question in found)
        assert max(answers.values()) <= MOST * len(found), field.key


DRAWS, MOST = 400, 0.4
SHARES = {key.strip("`"): row for key, *row in rows("type, level")}
"""The likeliest choice, its share, and what is asked besides, as docs/exercises.md has them."""


@pytest.mark.parametrize("key", KEYS)
def test_who_always_clicks_the_same_is_right_as_often_as_documented(key: str) -> None:
    """In at most 40 of 100, unless a number is asked besides; those are counted in the long
    version only."""
    is_choice = {field.form is Form.CHOICE for field in dealt(key, 0).fields}
    if is_choice == {False}:
        assert key not in SHARES
        return
    assert SHARES[key][2] == ("number" if False in is_choice else "")
    if False in is_choice and not SOAK:
        return
    answers: Counter[tuple[str, ...]] = Counter()
    for seed in range(DRAWS):
        with suppress(NoVariant):
            answers[chosen(asked(key, seed, context(key, seed)))] += 1
    (likeliest, often), *_others = answers.most_common()
    share = Fraction(often, answers.total())
    assert answers.total() > DRAWS / 2
    assert False in is_choice or share <= MOST
    assert SHARES[key][:2] == [", ".join(likeliest), f"{round(100 * share)}%"]


def test_the_safest_call_has_its_reason() -> None:
    reasons = Counter(question.right["reason"] for question in many("safest-lead:C"))
    assert set(reasons) == {"lower", "seen"}
    assert max(reasons.values()) < 0.7 * reasons.total()


def test_several_values_are_asked_for_in_three_ways() -> None:
    ways = ("or more", "or less", "is from ")
    seen = Counter(way for q in many("value-chance:B") for way in ways if way in q.prompt)
    assert set(seen) == set(ways)
    assert seen.total() == len(many("value-chance:B"))


def test_a_gap_is_asked_about_only_where_there_is_one() -> None:
    for question in many("gaps-and-ratios"):
        p = question.parameters
        assert abs(p["without"] - p["hands"] * lacking(p["mark"], 8)) >= Fraction(1, 2)


@pytest.mark.parametrize(
    "key",
    [
        *("after-slough", "average-tricks"),
        *(
            "means-vary-less:B",
            "tip-audit:C",
            "bid-evidence:B",
            "drawn-anew:C",
            "beside-model:C",
        ),
    ],
)
def test_no_type_has_one_constant_answer(key: str) -> None:
    answers = Counter(chosen(question) for question in many(key))
    assert len(answers) > 1
    assert max(answers.values()) < 0.7 * answers.total()


@pytest.mark.parametrize("key", KEYS)
def test_nobody_is_asked_for_less_than_a_thousandth(key: str) -> None:
    for question in many(key):
        for right in question.right.values():
            if isinstance(right, Root):
                assert right.square >= LEAST**2
            elif isinstance(right, Fraction):
                assert right == 0 or abs(right) >= LEAST


def test_decks_have_many_sizes() -> None:
    sizes = {question.right["cards"] for question in many("deck-size")}
    assert len(sizes) >= 8


def test_a_wish_is_kept() -> None:
    for seed in range(30):
        question = ask("deck-pie", seed, wish={"slices": "patterns"})
        assert question.parameters["slices"] == "patterns"
    with pytest.raises(NoVariant):
        ask("deck-pie", 1, wish={"slices": "none"})
