"""How students write exact values: every accepted form, computed apart from the grader."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from functools import cache

from lessons.exercises.answers import Form
from lessons.probability import Exact, Root


def as_decimal(exact: Exact) -> Decimal:
    if isinstance(exact, Root):
        square = Decimal(exact.square.numerator) / exact.square.denominator
        return exact.sign * square.sqrt()
    return Decimal(exact.numerator) / exact.denominator


def rounded_text(value: Decimal, digits: int) -> str:
    """With this many significant digits, without exponent."""
    if value == 0:
        return "0"
    places = max(0, digits - value.adjusted() - 1)
    return format(value.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP), "f")


@cache
def forms(exact: Exact, form: Form, *, comma: bool = False) -> tuple[str, ...]:
    """All ways in which this value is right in a field of this form."""
    with localcontext() as context:
        context.prec = 80
        value = as_decimal(exact)
        whole = isinstance(exact, Fraction) and exact.denominator == 1
        texts = [rounded_text(value, digits) for digits in (3, 4, 6, 12)]
        if form is Form.CHANCE:
            texts += [f"{rounded_text(100 * value, digits)} %" for digits in (3, 5)]
            texts += [f"{rounded_text(100 * value, 4)}%"]
            if not whole:  # a certainty is no rounding
                texts = [t for t in texts if Decimal(t.rstrip(" %")) not in (0, 1, 100)]
        if form is Form.PERCENT:
            whole_percent = rounded_text(100 * value, 2 if 100 * value >= Decimal("9.5") else 1)
            texts = [rounded_text(value, digits) for digits in (3, 4)]
            texts += [f"{whole_percent} %", whole_percent, f"{rounded_text(100 * value, 3)} %"]
        if form is Form.COUNT:
            texts = [str(exact), f"{exact}.0", f" {exact} "]
    if isinstance(exact, Fraction):
        texts += fractions(exact, form)
    if form is Form.DEGREES:
        texts += [f"{texts[0]}°", f"{texts[1]} °", f"{round(value)}", f"{round(value)}°"]
    if comma:
        texts = [text.replace(".", ",") for text in texts]
    return tuple(text for text in texts if len(text) <= 40)


def fractions(exact: Fraction, form: Form) -> list[str]:
    over, under = exact.numerator, exact.denominator
    texts = [f"{over}/{under}", f"{3 * over} / {3 * under}"]
    if form is Form.CHANCE:
        texts.append(f"{over} in {under}")
    if abs(exact) > 1 and under > 1:
        sign = "-" if exact < 0 else ""
        texts.append(f"{sign}{abs(over) // under} {abs(over) % under}/{under}")
    return texts
