"""Pieces of the exercises' texts: formulas as LaTeX, numbers as the language writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from django.utils.translation import gettext, ngettext

from games.rules import Card
from games.words import all_of, colon, percent_sign, sentences
from lessons.exercises.answers import comma
from lessons.probability import Exact, Root, compare, rounded


def beside(label: str, line: str) -> str:
    """A label with what is said of it; a question needs no colon."""
    return sentences(label, line) if label.endswith("?") else f"{label}{colon()}{line}"


def math(latex: str) -> str:
    """A formula inside a text."""
    return rf"\({latex}\)"


def decimal(exact: Exact, digits: int = 3) -> str:
    """A decimal with at least this many significant digits, as the language writes it;
    an exact decimal drops its trailing zeros."""
    places = _decimal_places(exact, digits)
    text = fixed(exact, places)
    if places and exact == rounded(exact, places):
        text = text.rstrip("0").rstrip(".,")
    return text


def fixed(exact: Exact, places: int) -> str:
    """A decimal with this many places, as the language writes it, with a true minus sign."""
    value = rounded(exact, places)
    whole, part = divmod(abs(value.numerator) * 10**places // value.denominator, 10**places)
    text = f"{whole}.{part:0{places}}" if places else str(whole)
    text = text.replace(".", ",") if comma() else text
    return f"\u2212{text}" if value < 0 else text


def printed(exact: Exact, digits: int = 3) -> Fraction:
    """The value that stands there where :func:`decimal` writes a number."""
    return rounded(exact, _decimal_places(exact, digits))


def _decimal_places(exact: Exact, digits: int) -> int:
    places = 0
    size = _size(exact)
    while places < 12 and compare(size, Fraction(10 ** (digits - 1), 10**places)) < 0:
        places += 1
    while places < 12 and compare(size, Fraction(1)) < 0 and rounded(size, places) == 1:
        places += 1  # what is not certain is not printed as 1
    return places


def _size(exact: Exact) -> Exact:
    return abs(exact) if isinstance(exact, Fraction) else Root(exact.square)


def exact_percent(share: Exact, digits: int = 3) -> str:
    """A share as percent, e.g. ``37.5%``."""
    hundredfold: Exact
    if isinstance(share, Root):
        hundredfold = Root(share.square * 100**2, share.sign)
    else:
        hundredfold = share * 100
    return f"{decimal(hundredfold, digits)}{percent_sign()}"


# LaTeX


def tex(exact: Exact) -> str:
    """An exact number as TeX: an integer, a fraction or a root."""
    if isinstance(exact, Root):
        return ("-" if exact.sign < 0 else "") + tex_root(exact.square)
    if exact.denominator == 1:
        return str(exact.numerator)
    sign = "-" if exact < 0 else ""
    return rf"{sign}\frac{{{abs(exact.numerator)}}}{{{exact.denominator}}}"


def tex_root(square: Fraction) -> str:
    """The root of a fraction, written on one line: a root sign does not stretch on devices
    without a font for mathematics, and would seem to end at the numerator."""
    return rf"\sqrt{{{str(square).replace('/', ' / ')}}}"


def tex_decimal(exact: Exact, digits: int = 3) -> str:
    """A number's decimal as TeX: ``= 0.375`` or, where it was rounded, ``\\approx 0.0323``."""
    text = decimal(exact, digits)
    plain = text.replace(",", ".").replace("\u2212", "-")
    same = isinstance(exact, Fraction) and Fraction(plain) == exact
    sign = "=" if same else r"\approx"
    return f"{sign} {tex_number(text)}"


def tex_number(text: str) -> str:
    """A decimal inside a formula; a decimal comma must not read as a list."""
    sign, digits = ("-", text[1:]) if text.startswith("\u2212") else ("", text)
    return sign + (rf"\text{{{digits}}}" if "," in text else digits)


def tex_value(exact: Exact) -> str:
    """An exact number and, unless it is whole, its decimal: ``\\frac{3}{8} = 0.375``. Of what
    nobody could read, the decimal alone."""
    if isinstance(exact, Fraction) and exact.denominator == 1:
        return str(exact.numerator)
    inner = exact.square if isinstance(exact, Root) else exact
    if inner.denominator > 10**6:
        return f"{tex_decimal(exact).split(' ', 1)[1]}"
    return f"{tex(exact)} {tex_decimal(exact)}"


def tex_rest(part: Fraction) -> str:
    """What is left of 1, with as many places as the part is printed with, so that both add up
    as they stand: ``1 - 0.0985 \\approx 0.9015``."""
    places = _decimal_places(part, 3)
    text, rest = decimal(part), fixed(1 - rounded(part, places), places)
    sign = "=" if rounded(part, places) == part else r"\approx"
    return f"1 - {tex_number(text)} {sign} {tex_number(rest)}"


def tex_choose(n: int, k: int) -> str:
    """A binomial coefficient."""
    return rf"\binom{{{n}}}{{{k}}}"


def tex_over(top: str | int, bottom: str | int) -> str:
    """A fraction of two formulas, not reduced."""
    return rf"\frac{{{top}}}{{{bottom}}}"


# Words


def codes(cards: Iterable[Card]) -> tuple[str, ...]:
    """Cards as data, for templates to draw."""
    return tuple(card.code for card in cards)


def shape_words(shapes: Sequence[int]) -> str:
    """The plural names of these shapes (by position), e.g. "balls, cubes and stars"."""
    names = (gettext("balls"), gettext("cubes"), gettext("cones"), gettext("stars"))
    return all_of([names[shape] for shape in shapes])


def cards_words(number: int) -> str:
    """E.g. "8 cards"."""
    return ngettext("%(n)d card", "%(n)d cards", number) % {"n": number}
