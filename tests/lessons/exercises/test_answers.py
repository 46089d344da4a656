"""The grammar of answers, and how a typed number is compared with an exact one."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from lessons.exercises.answers import (
    Nearness,
    Style,
    TypedNumber,
    Unreadable,
    nearness_of,
    nearness_of_chance,
    read,
    tell_apart,
)
from lessons.probability import root

READABLE = {
    "3/8": Fraction(3, 8),
    " 3/8 ": Fraction(3, 8),
    "3 / 8": Fraction(3, 8),
    "3\u20448": Fraction(3, 8),
    "1 1/2": Fraction(3, 2),
    "-1 1/2": Fraction(-3, 2),
    "81": Fraction(81),
    "+81": Fraction(81),
    "0.375": Fraction(3, 8),
    ".375": Fraction(3, 8),
    "-0.5": Fraction(-1, 2),
    "\u22120.5": Fraction(-1, 2),
    "- 0.5": Fraction(-1, 2),
    "37.5 %": Fraction(3, 8),
    "37.5%": Fraction(3, 8),
    "37.5\u00a0%": Fraction(3, 8),
    "1 in 3": Fraction(1, 3),
    "1 sur 3": Fraction(1, 3),
    "160°": Fraction(160),
    "0": Fraction(0),
    "9" * 40: Fraction(int("9" * 40)),
    "4 cards": Fraction(4),
    "1 in 81 cards": Fraction(1, 81),
    "4/81 cartes": Fraction(4, 81),
    "4 of 81": Fraction(4, 81),
    "4 out of 81 cards": Fraction(4, 81),
    "½": Fraction(1, 2),
    "1½": Fraction(3, 2),
    "1 ½": Fraction(3, 2),
    "-⅔": Fraction(-2, 3),
}
UNREADABLE = [
    "", "   ", "x" * 10_000, "9" * 41, "1/0", "0/0", "1 1/0", "1 in 0", "1e400000", "1e3",
    "inf", "nan", "٣/٤", "٣", "３", "<script>", "=1+1", "1+1", "--1", "1//2", "1/2/3",
    "1 2", "1.2.3", "1,2,3", "1_000", "0x10", "3/8 %", "1 in", "in 3", "%", "°", ".", "1.",
    "4 thirds", "cards", "50 % cards", "$1", "1\n2", "1/2\x00", "٪", "1/-2", "1 in -3", "1%%",
]  # fmt: skip


@pytest.mark.parametrize("text", READABLE)
def test_readable(text: str) -> None:
    assert read(text).value == READABLE[text]


@pytest.mark.parametrize("text", UNREADABLE, ids=lambda text: repr(text[:12]))
def test_unreadable_is_told_in_a_plain_line(text: str) -> None:
    with pytest.raises(Unreadable) as told:
        read(text)
    line = str(told.value)
    assert line
    assert "\n" not in line
    assert "<" not in line
    assert len(line) < 120


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        number = read(text)
    except Unreadable:
        return
    assert number.value.denominator.bit_length() < 150


@pytest.mark.parametrize("language", ["en", "fr"])
def test_decimals_with_a_point_or_a_comma(language: str) -> None:
    with override(language):
        assert (
            read("0,375")
            == read("0.375")
            == TypedNumber(Fraction(3, 8), Style.PLAIN, Fraction(1, 1000), 3, pointed=True)
        )
        assert read("37,5 %").value == Fraction(3, 8)
        assert read("12,5").value == Fraction(25, 2)


def test_a_colon_divides_where_schools_write_it_so() -> None:
    """In English 4 : 81 may be odds, so it is asked back."""
    for text in ("4 : 81", "4:81", "4\u00a0: 81"):
        with pytest.raises(Unreadable, match="colon"):
            read(text)
        with override("fr"):
            assert read(text) == TypedNumber(Fraction(4, 81))


def test_what_may_be_a_thousand_is_asked_back() -> None:
    with pytest.raises(Unreadable, match="without a comma"):
        read("1,296")
    with override("fr"):
        assert read("1,296").value == Fraction(1296, 1000)


THIRD, VOID = Fraction(1, 3), Fraction(296429, 9163605)  # .033348… and .0323…


@pytest.mark.parametrize(
    ("text", "exact", "match"),
    [
        ("1/3", THIRD, Nearness.EQUAL),
        ("2/6", THIRD, Nearness.EQUAL),
        ("0.333", THIRD, Nearness.EQUAL),
        ("0.33333333", THIRD, Nearness.EQUAL),
        ("0.33", THIRD, Nearness.NEARLY),
        ("0.3", THIRD, Nearness.NEARLY),
        ("33.3 %", THIRD, Nearness.EQUAL),
        ("33 %", THIRD, Nearness.NEARLY),
        ("0.334", THIRD, Nearness.OTHER),
        ("33/100", THIRD, Nearness.OTHER),
        ("0", THIRD, Nearness.OTHER),
        ("0.0323", VOID, Nearness.EQUAL),
        ("0.03235", VOID, Nearness.EQUAL),
        ("3.23 %", VOID, Nearness.EQUAL),
        ("0.032", VOID, Nearness.NEARLY),
        ("0.0", VOID, Nearness.OTHER),
        ("0.666", Fraction(2, 3), Nearness.NEARLY),
        ("0.667", Fraction(2, 3), Nearness.EQUAL),
        ("0.6", Fraction(2, 3), Nearness.OTHER),
        ("0.5", Fraction(1, 2), Nearness.EQUAL),
        ("0.374", Fraction(3, 8), Nearness.OTHER),
        ("0.38", Fraction(3, 8), Nearness.NEARLY),
        ("0.062", Fraction(1, 16), Nearness.NEARLY),
        ("0.0625", Fraction(1, 16), Nearness.EQUAL),
        ("3", Fraction(8, 3), Nearness.OTHER),
        ("107", Fraction(320, 3), Nearness.EQUAL),
        ("27", Fraction(80, 3), Nearness.NEARLY),
        ("1.633", root(Fraction(8, 3)), Nearness.EQUAL),
        ("1.63", root(Fraction(8, 3)), Nearness.EQUAL),
        ("1.64", root(Fraction(8, 3)), Nearness.OTHER),
        ("-1.633", root(Fraction(8, 3)), Nearness.OTHER),
        ("-1.633", root(Fraction(8, 3), -1), Nearness.EQUAL),
        ("-1.632", root(Fraction(8, 3), -1), Nearness.NEARLY),
    ],
)
def test_rounding(text: str, exact: Fraction, match: Nearness) -> None:
    assert nearness_of(read(text), exact) is match


def test_half_way_both_neighbours_are_right() -> None:
    tie = Fraction(1125, 10_000)
    assert nearness_of(read("0.112"), tie) is nearness_of(read("0.113"), tie) is Nearness.EQUAL


def test_certainty_is_no_rounding() -> None:
    nearly = Fraction(9996, 10_000)
    assert nearness_of(read("1.00"), nearly) is Nearness.EQUAL
    for text in ("1.00", "1", "100 %", "1 in 1"):
        assert nearness_of_chance(read(text), nearly) is Nearness.OTHER
    assert nearness_of_chance(read("99.96 %"), nearly) is Nearness.EQUAL
    assert nearness_of_chance(read("100 %"), Fraction(1)) is Nearness.EQUAL


def test_what_can_be_told_apart_has_no_answer_in_common() -> None:
    rng = random.Random(1)
    apart = 0
    for _ in range(3000):
        one = Fraction(rng.randint(1, 500), rng.randint(1, 500))
        other = one + Fraction(rng.randint(-40, 40), rng.choice((1, 100, 10_000)))
        if not tell_apart(one, other):
            continue
        apart += 1
        for value in (one, other):
            for places in range(6):
                number = read(f"{float(value):.{places}f}")
                both = {nearness_of(number, one), nearness_of(number, other)}
                assert both != {Nearness.EQUAL}
    assert apart > 1000
