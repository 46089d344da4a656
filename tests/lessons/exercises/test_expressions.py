"""Expressions over cards: worked out as counted by hand, closed against everything else."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import DECK, Card, parse_card
from lessons.exercises.expressions import LONGEST, NotAnExpression, value_of

CARDS = [parse_card(code) for code in ("1332", "2113", "3331", "1122")]
hands = st.lists(st.sampled_from(DECK), min_size=1, max_size=20, unique=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3/8", Fraction(3, 8)),
        ("2 + 3 * 4 - 1", Fraction(13)),
        ("(2 + 3) * 4", Fraction(20)),
        ("8 / 2 / 2", Fraction(2)),
        ("-3 + 0.5", Fraction(-5, 2)),
        ("0,5", Fraction(1, 2)),
        ("mean(value)", Fraction(9 + 7 + 10 + 6, 4)),
        ("sum(stars)", Fraction(2 + 3 + 1 + 2)),
        ("count()", Fraction(4)),
        ("count(balls=1)", Fraction(2)),
        ("share(value >= 9)", Fraction(1, 2)),
        ("count(value>=7 and balls=2)", Fraction(1)),
        ("count(balls=3 or stars=3)", Fraction(2)),
        ("count(value > mean(value))", Fraction(2)),
        ("chance(balls=1)", Fraction(27 - 2, 77)),
        ("nombre(étoiles ≥ 2 et boules = 1) · 2", Fraction(4)),
        ("moyenne(valeur)", Fraction(8)),
        ("part(cônes≠3)", Fraction(1, 2)),
    ],
)
def test_the_value(text: str, value: Fraction) -> None:
    assert value_of(text, CARDS) == value


@given(hands)
def test_measures_agree_with_each_other(cards: list[Card]) -> None:
    assert value_of("mean(value)", cards) * len(cards) == value_of("sum(value)", cards)
    shapes = "sum(balls) + sum(cubes) + sum(cones) + sum(stars)"
    assert value_of(shapes, cards) == value_of("sum(value)", cards)
    for test in ("stars=2", "value>=9", "cones!=1"):
        inside, left = value_of(f"count({test})", cards), len(DECK) - len(cards)
        assert value_of(f"share({test})", cards) == inside / len(cards)
        in_deck = value_of(f"count({test})", DECK)
        assert value_of(f"chance({test})", cards) == (in_deck - inside) / left


@given(st.text(alphabet="0123456789()+-*/=<>. meanvlucotsrhd", max_size=LONGEST + 10))
def test_whatever_is_typed_is_a_number_or_told(text: str) -> None:
    with suppress(NotAnExpression):
        assert isinstance(value_of(text, CARDS), Fraction)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "missing at the end"),
        ("mean(velue)", "“velue”"),
        ("median(value)", "We don’t understand “median”"),
        ("count(stars>balls)", "Compare it with a number"),
        ("count(value 9)", "Compare it with a number"),
        ("count(value>=)", "We don’t understand “)”"),
        ("1/0", "divide by 0"),
        ("count(balls=1 and stars=2 or value=9)", "only “and”"),
        ("mean(value", "“)” is missing"),
        ("2 3", "We don’t understand “3”"),
        ("__import__", "We don’t understand “_”"),
        ("9" * 30, "too large"),
        ("(" * 40 + "1" + ")" * 40, "too large"),
        ("1" * (LONGEST + 1), "too long"),
    ],
)
def test_what_is_told(text: str, told: str) -> None:
    with pytest.raises(NotAnExpression, match=told.replace("(", r"\(").replace(")", r"\)")):
        value_of(text, CARDS)


def test_without_cards_nothing_is_divided_by() -> None:
    with pytest.raises(NotAnExpression, match="No cards"):
        value_of("mean(value)", [])
    assert value_of("count(value=9)", []) == 0
    assert value_of("chance(value=12)", []) == Fraction(1, 81)
