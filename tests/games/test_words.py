"""Numbers in words: rounded half up, as a class learns it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.utils.translation import override

from games.words import (
    Amount,
    half_up,
    number,
    percent,
    points_words,
    semicolon_list,
    signed,
    tricks_words,
)
from lessons.measures.grid import Column, Format, Grid
from lessons.results import words


@pytest.mark.parametrize(
    ("amount", "places", "said"),
    [
        (Fraction(1, 8), 2, "0.13"),
        (0.125, 2, "0.13"),
        (0.285, 2, "0.29"),  # as it is written, though the float lies below
        (Fraction(-1, 8), 2, "−0.13"),
        (Fraction(5, 2), 0, "3"),
        (Fraction(1, 20), 1, "0.1"),
        (Fraction(-1, 25), 1, "0.0"),
        (1e-9, 2, "0.00"),
        (12, 1, "12.0"),
    ],
)
def test_halves_go_away_from_zero(amount: Amount, places: int, said: str) -> None:
    assert number(amount, places) == said


def test_a_sign_stands_only_before_what_is_not_zero() -> None:
    assert [signed(Fraction(n, 20)) for n in (-1, 0, 1)] == ["−0.1", "0.0", "+0.1"]
    assert signed(Fraction(1, 25)) == "0.0"


def test_a_semicolon_stands_as_the_language_has_it() -> None:
    assert semicolon_list(["14 Nov +0.9", "21 Nov +0.4"]) == "14 Nov +0.9; 21 Nov +0.4"
    with override("fr"):
        assert (
            semicolon_list(["14 nov. +0,9", "21 nov. +0,4"])
            == "14 nov. +0,9\u202f; 21 nov. +0,4"
        )


@pytest.mark.parametrize("eighths", range(1, 8))
def test_percents_go_the_same_way_on_all_pages(eighths: int) -> None:
    said = f"{half_up(Fraction(100 * eighths, 8))}%"
    assert words.percent(Fraction(eighths, 8)) == percent(eighths / 8) == said
    with override("fr"):
        assert percent(eighths / 8) == said.replace("%", "\u00a0%")


def test_a_bias_of_a_twentieth_is_a_tenth_in_words_and_in_its_table() -> None:
    bias = Fraction(1, 20)
    columns = Column(""), Column("", Format.SIGNED), Column("", Format.TWO)
    grid = Grid("", columns, (("", bias, bias),))
    assert words.bias_words(bias) == "On average 0.1 tricks too high."
    assert grid.numbers.rows == (("", "+0.1", "0.05"),)


def test_the_noun_of_a_decimal_is_many_in_english_and_in_french_from_two_on() -> None:
    """As it is written: 1.96 is two."""
    amounts = (0, 0.3, -1.5, 1.94, 1.96, -2)
    english = ["0.0 points", "0.3 points", "−1.5 points", "1.9 points", "2.0 points"]
    assert list(map(points_words, amounts)) == [*english, "−2.0 points"]
    with override("fr"):
        french = ["0,0 point", "0,3 point", "−1,5 point", "1,9 point", "2,0 points"]
        assert list(map(points_words, amounts)) == [*french, "−2,0 points"]
        assert list(map(tricks_words, (1.5, 2.5))) == ["1,5 pli", "2,5 plis"]


def test_the_noun_of_a_whole_number_goes_by_it() -> None:
    assert [points_words(n, 0) for n in (-2, -1, 0, 1)] == [
        "−2 points",
        "−1 point",
        "0 points",
        "1 point",
    ]
    assert [tricks_words(n, 0) for n in (1, 2)] == ["1 trick", "2 tricks"]
