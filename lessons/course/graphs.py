"""Graphs that lessons have students build, curve by curve: asked, read, right, hinted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from django.utils.translation import gettext as _

from lessons.course.variables import VALUES, Variable
from lessons.exercises.answers import Form, Unreadable, read
from lessons.exercises.engine import Field, Graph, GraphKind, Series
from lessons.exercises.texts import decimal
from xactika_site.classrooms.services import Refused

WHOLE_PIE = 360


def fields(variable: Variable) -> tuple[Field, ...]:
    """A field for each bar, point or slice."""
    form = Form.DEGREES if variable.kind is GraphKind.PIE else Form.COUNT
    name = (
        "%(name)s" if variable.kind in (GraphKind.PIE, GraphKind.BOX) else _("Value %(name)s")
    )
    return tuple(
        Field(f"h{place}", name % {"name": category}, form)
        for place, category in enumerate(variable.categories)
    )


def graph(variable: Variable, curve: int) -> Graph:
    """The graph in which a curve is to be built; those before it are drawn already."""
    keys = tuple(field.key for field in fields(variable))
    own = Series(str(variable.curves[curve].label), fields=keys)
    before = tuple(
        Series(str(each.label), heights=tuple(map(int, each.weights)))
        for each in variable.curves[:curve]
    )
    names = tuple(map(str, variable.categories))
    if variable.kind is GraphKind.BOX:
        return Graph(
            variable.kind, names, (own,), low=VALUES[0], top=VALUES[-1], dots=variable.data
        )
    top = 10 if variable.kind is GraphKind.CURVE else 20
    total = WHOLE_PIE if variable.kind is GraphKind.PIE else variable.total
    return Graph(variable.kind, names, (*before, own), top=top, total=total)


def typed_heights(variable: Variable, texts: Mapping[str, str]) -> list[float]:
    """What stands in the fields, as numbers; Refused, with the reason, if one cannot be read.
    What was left empty counts as nothing."""
    heights = []
    for field in fields(variable):
        text = texts.get(field.key, "").strip()
        try:
            value = read(text).value if text else Fraction()
        except Unreadable as why:
            raise Refused(_("%(name)s: %(n)s") % {"name": field.label, "n": why}) from None
        if not 0 <= value <= WHOLE_PIE:
            raise Refused(_("%(name)s: that is more than there is.") % {"name": field.label})
        heights.append(round(float(value), 6))
    return heights


def right_heights(variable: Variable, curve: int) -> list[float]:
    """The right heights: cards, or degrees; of a box plot its five numbers."""
    weights = variable.curves[curve].weights
    if variable.kind is GraphKind.PIE:
        return [float(weight * WHOLE_PIE / variable.total) for weight in weights]
    return [float(weight) for weight in weights]


def is_right(variable: Variable, curve: int, heights: Sequence[float]) -> bool:
    """Whether each height is right: a card is a card, an angle may be a degree off, but a pie
    is a whole one."""
    pairs = zip(heights, right_heights(variable, curve), strict=True)
    fits = all(_fits(variable, height, right) for height, right in pairs)
    return fits and (variable.kind is not GraphKind.PIE or abs(sum(heights) - WHOLE_PIE) <= 1)


def _fits(variable: Variable, height: float, right: float) -> bool:
    return abs(height - right) < 1 if variable.kind is GraphKind.PIE else height == right


def wrong_fields(variable: Variable, curve: int, heights: Sequence[float]) -> tuple[str, ...]:
    """The keys of the fields to look at again; none where something is said of the whole."""
    if _of_the_whole(variable, curve, heights):
        return ()
    pairs = zip(fields(variable), heights, right_heights(variable, curve), strict=True)
    return tuple(field.key for field, a, b in pairs if not _fits(variable, a, b))


def hint(variable: Variable, curve: int, heights: Sequence[float]) -> str:
    """A sentence on a wrong graph: its typical shape, its sum, or how much is right."""
    hits = len(heights) - len(wrong_fields(variable, curve, heights))
    return _of_the_whole(variable, curve, heights) or _(
        "%(hits)s of %(all)s are right. Look again at the rest."
    ) % {"hits": hits, "all": len(heights)}


def _of_the_whole(variable: Variable, curve: int, heights: Sequence[float]) -> str:
    """A sentence on a graph that is wrong as a whole; empty where only some heights are."""
    right = right_heights(variable, curve)
    if variable.kind is GraphKind.BOX:
        return _of_the_box(right, heights)
    if len(set(heights)) == 1:
        return _("All the same size? Are there equally many cards of each?")
    if variable.kind is GraphKind.CURVE and any(
        list(heights) == right_heights(variable, other) for other in range(len(variable.curves))
    ):
        return _(
            "The right form, but at another curve’s place. What’s the lowest value such a "
            "card can have?"
        )
    percents = [round(100 * height / WHOLE_PIE) for height in right]
    if variable.kind is GraphKind.PIE and list(heights) == percents:
        return _("You gave percents. How many degrees does the whole pie have?")
    wrong_fields = sum(right) - sum(heights)
    if variable.kind is GraphKind.PIE and abs(wrong_fields) > 1:
        return _("The slices don’t make a whole pie. How many degrees does a pie have?")
    if variable.kind is not GraphKind.PIE and wrong_fields:
        return _("There are %(right)d cards in all; you have %(built)s.") % {
            "right": sum(right),
            "built": decimal(Fraction(str(round(sum(heights), 6))), 6),
        }
    return ""


def _of_the_box(right: Sequence[float], heights: Sequence[float]) -> str:
    """A sentence on a box plot whose five numbers are wrong together; empty for others."""
    if list(heights) != sorted(heights):
        return _("The five numbers must never go down. Which one does?")
    least, greatest = right[0], right[-1]
    equal = [least + n * (greatest - least) / 4 for n in range(5)]
    if all(abs(a - b) <= 0.5 for a, b in zip(heights, equal, strict=True)):
        return _("You cut the line into four. Cut the cards into four: two in each.")
    return ""
