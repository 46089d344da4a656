"""What a student typed: matched by a bounded grammar, then compared exactly."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import partial

from django.utils.translation import get_language, gettext

from lessons.probability import Exact, compare, rounded

LONGEST = 40
"""Characters of an answer; a longer one is not looked at."""

DIGITS = 3
"""Significant digits that a rounded decimal needs."""


class Form(Enum):
    """What a field asks for; its value says so to templates."""

    COUNT = "count"
    CHANCE = "chance"
    NUMBER = "number"
    DEGREES = "degrees"
    PERCENT = "percent"
    CHOICE = "choice"


class Style(Enum):
    """How a number was written."""

    PLAIN = "plain"
    PERCENT = "percent"
    BARE_PERCENT = "bare percent"  # 37.5 where 37.5% is right; only the grader knows
    ONE_IN = "one in"
    DEGREES = "degrees"


ACCEPTED = {
    Form.COUNT: {Style.PLAIN},
    Form.NUMBER: {Style.PLAIN},
    Form.CHANCE: {Style.PLAIN, Style.PERCENT, Style.ONE_IN},
    Form.DEGREES: {Style.PLAIN, Style.DEGREES},
    Form.PERCENT: {Style.PLAIN, Style.PERCENT, Style.BARE_PERCENT, Style.ONE_IN},
}

DRAWN = {Form.DEGREES: Fraction(1), Form.PERCENT: Fraction(1, 100)}
"""What is drawn is read to a whole degree or percent: a decimal with this unit is enough."""


@dataclass(frozen=True, slots=True)
class TypedNumber:
    """A number as typed: its exact value; for a decimal also the size of its last digit's
    unit, its significant digits, and whether it had a decimal point."""

    value: Fraction
    style: Style = Style.PLAIN
    unit: Fraction | None = None
    digits: int = 0
    pointed: bool = False


class Unreadable(ValueError):
    """The text is no number; its message says so to the student. It uses no attempt."""


_SAME = str.maketrans("\u00a0\u202f\u2009\u2212\u2044", "   -/")  # spaces, minus, slash
_FRACTION = re.compile("[¼-¾⅐-⅞]")
_UNITS = (
    "bids?|cards?|cases?|deals?|hands?|pairs?|points?|records?|rounds?|tables?|tricks?|ways?"
    "|annonces?|cartes?|cas|donnes?|façons?|mains?|manches?|paires?|plis?|relevés?"
)
"""What is counted may be named after a number; it says nothing more."""
_NUMBER = re.compile(
    r"(?P<sign>[+-]? ?)"
    r"(?:(?:(?P<whole>[0-9]+) )?(?P<over>[0-9]+) ?/ ?(?P<under>[0-9]+)"
    r"|(?P<hits>[0-9]+) (?:in|of|out of|sur) (?P<cases>[0-9]+)"
    r"|(?P<part>[0-9]+) ?: ?(?P<other>[0-9]+)"
    r"|(?P<decimal>[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)(?: ?(?P<mark>[%°]))?)"
    rf"(?(mark)| ?(?:{_UNITS})?)",
    re.IGNORECASE,
)


_GROUPED = re.compile(r"[1-9][0-9]{0,2},[0-9]{3}")
"""What is a whole number to whoever writes decimals with a point, and a decimal to others."""


def read(text: str) -> TypedNumber:
    """The number that a student typed.

    ``3/8``, ``1 1/2``, ``1½``, ``-0.375``, ``37.5 %``, ``1 in 3``, ``160°``, ``4 cards``;
    decimals with a point or a comma, whatever the language writes. ``4 : 81`` is a division
    where schools write one so, as in French; in English it may be odds, 4 to 81 or 4/85, so
    there it is asked back and costs nothing. The text must match the whole grammar before
    anything is computed, and it is at most 40 characters of ASCII digits, so no input is
    costly. Raises Unreadable.
    """
    text = text.strip()
    if not text:
        raise Unreadable(gettext("Type an answer first."))
    match = _NUMBER.fullmatch(_plain(text)) if len(text) <= LONGEST else None
    if match is None:
        raise Unreadable(
            gettext("Try 12, 3/8, %(decimal)s or 1 in 3.")
            % {"decimal": "0,375" if comma() else "0.375"}
        )
    sign = -1 if match["sign"].startswith("-") else 1
    if match["decimal"] is not None:
        return _decimal(match["decimal"], match["mark"], sign)
    if match["part"] and not comma():
        raise Unreadable(gettext("A colon may mean “of” or “against”. Write 3/8 or 3 in 8."))
    under = int(match["under"] or match["cases"] or match["other"])
    if under == 0:
        raise Unreadable(gettext("You can’t divide by 0. Look below the line."))
    over = int(match["over"] or match["hits"] or match["part"])
    value = int(match["whole"] or 0) + Fraction(over, under)
    return TypedNumber(sign * value, Style.ONE_IN if match["cases"] else Style.PLAIN)


def _plain(text: str) -> str:
    """With plain spaces, and ½ as 1/2."""
    spelt = _FRACTION.sub(lambda one: f" {unicodedata.normalize('NFKC', one[0])}", text)
    return re.sub(" +", " ", spelt.translate(_SAME)).strip()


def comma() -> bool:
    """Whether the active language writes decimals with a comma."""
    return (get_language() or "").startswith("fr")


def _decimal(text: str, mark: str | None, sign: int) -> TypedNumber:
    if _GROUPED.fullmatch(text) and not comma():
        raise Unreadable(gettext("Write thousands without a comma: 1296, not 1,296."))
    whole, _, places = text.replace(",", ".").partition(".")
    unit = Fraction(1, 10 ** len(places))
    if mark == "%":
        unit /= 100
    style = {"%": Style.PERCENT, "°": Style.DEGREES}.get(mark or "", Style.PLAIN)
    number = int(whole + places)
    digits = len((whole + places).lstrip("0"))
    return TypedNumber(sign * number * unit, style, unit, digits, pointed=bool(places))


class Nearness(Enum):
    """How a typed number compares with an exact one."""

    EQUAL = "equal"  # the same, or it rounds to it at three significant digits or more
    NEARLY = "nearly"  # it rounds to it at fewer digits, or was cut off instead of rounded
    OTHER = "other"


def nearness_of(number: TypedNumber, exact: Exact) -> Nearness:
    """How a typed number compares with an exact value, by exact arithmetic. A decimal equals an
    exact value that rounds to it at the student's own number of digits, at least three
    significant ones (or all of them); where the value lies half-way, both neighbours do."""
    if compare(exact, number.value) == 0:
        return Nearness.EQUAL
    if number.unit is None or number.digits == 0:
        return Nearness.OTHER
    half = number.unit / 2
    rounds = compare(exact, number.value - half) >= 0 >= compare(exact, number.value + half)
    if rounds and number.digits >= DIGITS:
        return Nearness.EQUAL
    if rounds and (number.digits > 1 or number.pointed or number.style is Style.PERCENT):
        return Nearness.NEARLY
    away = number.unit if number.value > 0 else -number.unit
    between = compare(exact, number.value) * compare(exact, number.value + away) < 0
    return Nearness.NEARLY if between and number.digits >= DIGITS else Nearness.OTHER


def nearness_of_chance(number: TypedNumber, exact: Exact) -> Nearness:
    """How a typed chance compares with the exact one: as any number, but 0 and 1 are never
    rounded, because they claim that something cannot happen, or must."""
    if number.value in (0, 1) and compare(exact, number.value) != 0:
        return Nearness.OTHER
    return nearness_of(number, exact)


def nearness_of_drawn(number: TypedNumber, exact: Exact, unit: Fraction) -> Nearness:
    """How a typed number compares with an exact one that is drawn: it is enough to round to
    this unit, and a neighbour that was cut off instead is nearly right."""
    if number.unit is None or number.unit > unit:
        return nearness_of(number, exact)
    half = number.unit / 2
    if compare(exact, number.value - half) >= 0 >= compare(exact, number.value + half):
        return Nearness.EQUAL
    low, high = number.value - number.unit, number.value + number.unit
    return Nearness.NEARLY if compare(exact, low) > 0 > compare(exact, high) else Nearness.OTHER


MATCHERS: dict[Form, Callable[[TypedNumber, Exact], Nearness]] = {
    Form.COUNT: nearness_of,
    Form.NUMBER: nearness_of,
    Form.CHANCE: nearness_of_chance,
    **{form: partial(nearness_of_drawn, unit=unit) for form, unit in DRAWN.items()},
}


def tell_apart(one: Exact, other: Exact) -> bool:
    """Whether no answer could equal both: they differ by more than a unit of the larger one's
    third significant digit, the coarsest decimal that counts."""
    first, second = _rational(one), _rational(other)
    larger = max(abs(first), abs(second))
    unit, least = Fraction(1), 10 ** (DIGITS - 1) - Fraction(1, 2)  # 99.5 rounds up to 100
    while larger and larger < unit * least:
        unit /= 10
    while larger >= unit * least * 10:
        unit *= 10
    whole = first.denominator == second.denominator == 1  # typed in full
    return abs(first - second) > unit or (whole and first != second)


def _rational(exact: Exact) -> Fraction:
    return exact if isinstance(exact, Fraction) else rounded(exact, 30)
