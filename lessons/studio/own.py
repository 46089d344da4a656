"""Numbers of one's own, typed or pasted: read as people write them, or a plain sentence."""

from __future__ import annotations

import re
from decimal import Decimal

from django.utils.translation import gettext as _

from lessons.exercises.answers import comma

MOST = 200
"""Numbers that a graph takes."""

LONGEST = 20
"""Signs of something unreadable that a line repeats."""

MINUS = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d", "-"))
"""Hyphens, dashes and minus signs, as keyboards, spreadsheets and this page write them."""

GROUPED = re.compile(r"(?<![\d.,])(\d{1,3})((?:[\u00a0\u202f]\d{3})+)(?!\d)")
"""A number whose thousands stand apart by spaces that do not break."""

NUMBER = re.compile(r"[+-]?(\d{1,9}(\.\d{0,6})?|\.\d{1,6})", re.ASCII)
THOUSANDS = re.compile(r"[+-]?\d{1,3}((,\d{3})+\.\d*|(\.\d{3})+,\d*)", re.ASCII)
DIGITS = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)", re.ASCII)


class UnreadableNumbers(ValueError):
    """The text holds no such numbers; the message says why."""


def typed(text: str) -> tuple[Decimal, ...]:
    """The numbers in a text: apart by spaces, lines or semicolons, also by commas where these
    are not decimal commas. Raises :class:`UnreadableNumbers`."""
    text = GROUPED.sub(lambda match: re.sub(r"\s", "", match[0]), text.translate(MINUS))
    words = [word for word in re.split(r"[\s;|]+|,(?=\s)|,$", text) if word]
    if ambiguous := _ambiguous_comma(words):
        raise UnreadableNumbers(_why_no_number(ambiguous))
    if not _has_decimal_commas(words):
        words = [part for word in words for part in word.split(",") if part]
    words = [word.replace(",", ".") for word in words]
    if not words:
        raise UnreadableNumbers(_("Type or paste numbers to draw."))
    wrong = [word for word in words if not NUMBER.fullmatch(word)]
    if wrong:
        raise UnreadableNumbers(_why_no_number(wrong[0]))
    if len(words) > MOST:
        raise UnreadableNumbers(_("At most %(most)d numbers, please.") % {"most": MOST})
    return tuple(_plain(word) for word in words)


def _ambiguous_comma(words: list[str]) -> str | None:
    """The first word with a comma that may part two numbers or be decimal, as points occur,
    too; of one word alone only if it looks like thousands (1,234.5)."""
    if not any("." in word for word in words):
        return None
    with_comma = [word for word in words if "," in word]
    if len(words) == 1:
        with_comma = [word for word in with_comma if THOUSANDS.fullmatch(word)]
    return with_comma[0] if with_comma else None


def _has_decimal_commas(words: list[str]) -> bool:
    """Whether commas are decimal ones: at most one in a number, points nowhere, and more than
    one number, or a language that writes them."""
    with_comma = [word for word in words if "," in word]
    if not with_comma or any("." in word for word in words):
        return False
    if any(not re.fullmatch(r"[+-]?\d*,\d+", word, re.ASCII) for word in with_comma):
        return False
    return len(words) > 1 or comma()


def _why_no_number(word: str) -> str:
    short = word[:LONGEST] + ("…" if len(word) > LONGEST else "")
    if DIGITS.fullmatch(word):
        return _("“%s” is too long: at most nine digits, and six after the point.") % short
    return _("“%s” isn’t a number. Try 7, −2 or 3.5.") % short


def _plain(word: str) -> Decimal:
    """Without a plus, zeros that say nothing, or a minus before zero."""
    number = Decimal(word)
    return number.normalize() + 0 if number else Decimal()


def address(numbers: tuple[Decimal, ...]) -> str:
    """The numbers as an address has them, e.g. ``3.5_-2_8``."""
    return "_".join(f"{number:f}" for number in numbers)


def numbers(data: str) -> tuple[Decimal, ...]:
    """The numbers of an address; raises :class:`UnreadableNumbers`."""
    return typed(data.replace("_", " "))


def written(data: str) -> str:
    """The numbers as the language writes them, to be changed by hand."""
    try:
        own = numbers(data)
    except UnreadableNumbers:
        return ""
    mark = "," if comma() else "."
    between = "; " if comma() else ", "
    return between.join(f"{number:f}".replace(".", mark) for number in own)


def steps(numbers: tuple[Decimal, ...]) -> int:
    """How many steps of the counted whole numbers are one: 10 where all have at most one
    decimal place, 100 for two …"""
    return int(10 ** max(0, *(-int(number.as_tuple().exponent) for number in numbers)))
