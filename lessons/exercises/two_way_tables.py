"""Questions about two events together: type 26 (a two-way table)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd
from random import Random
from typing import Any

from django.utils.translation import gettext as _

from games.rules import parse_call
from games.words import call_words
from lessons.exercises.contexts import Context
from lessons.exercises.deck import CALLS
from lessons.exercises.engine import LEVEL, Level, NumberTable, Parameters
from lessons.exercises.events import EventKind, count_cards, event_words
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import exact_percent, tex_decimal, tex_over
from lessons.exercises.written import Written
from lessons.probability import CARDS

Event = Sequence[Any]
"""``["call", "1-ball"]``, ``["value", 10]`` or ``["least", 9]``, as in ``events``."""


def heads(event: Event) -> tuple[str, str]:
    """The heads of the columns, or rows, of an event and of its opposite."""
    what, of = event
    if what == EventKind.CALL:
        facts = {"call": call_words(parse_call(of))}
        return facts["call"], _("not %(call)s") % facts
    if what == EventKind.VALUE:
        return _("value %(value)d") % {"value": of}, _("another value")
    return _("%(value)d or more") % {"value": of}, _("less than %(value)d") % {"value": of}


def sorted_cards(one: Event, other: Event) -> dict[str, int]:
    """The deck's two-way table of two events: its boxes and edges."""
    return boxes_and_edges(
        count_cards(one, other), row=count_cards(one), column=count_cards(other), every=CARDS
    )


def boxes_and_edges(both: int, *, row: int, column: int, every: int) -> dict[str, int]:
    """A two-way table, of what its first box holds, its first row and column, and all boxes."""
    return {
        "both": both,
        "first": row - both,
        "second": column - both,
        "neither": every - row - column + both,
        "row": row,
        "other_row": every - row,
        "column": column,
        "other_column": every - column,
        "all": every,
    }


def crossed_table(one: Event, other: Event) -> NumberTable:
    """The deck's table of two events, with the share of the second in each row."""
    (yes, no), (across, beside) = heads(one), heads(other)
    cards = sorted_cards(one, other)
    rows = (
        (yes, "both", "first", "row"),
        (no, "second", "neither", "other_row"),
        (_("all"), "column", "other_column", "all"),
    )
    return NumberTable(
        _("The cards"),
        ("", across, beside, _("all"), _("share of %(name)s") % {"name": across}),
        tuple(
            (
                name,
                *(str(cards[key]) for key in keys),
                exact_percent(Fraction(cards[keys[0]], cards[keys[-1]])),
            )
            for name, *keys in rows
        ),
    )


SURVEYS = (40, 50, 60, 80, 90, 100, 120)
"""How many students an imagined school asks."""


class TwoWayTable(Written):
    key = "two-way-table"

    def draw(self, rng: Random, context: Context) -> Parameters:
        return self.draw_at(self.level, rng, context)

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """Parameters; at A of boxes to count, at B of edges, where shares in rows are asked, at
        C of edges alone, and what independence would mean."""
        if level == Level.C:
            return {LEVEL: level, **self._survey(rng)}
        first = rng.choice(CALLS)
        shape = first.partition("-")[2]
        kinds: dict[str, list[Any]] = {
            "calls": ["call", rng.choice([c for c in CALLS if not c.endswith(shape)])],
            "least": ["least", rng.randint(8, 11)],
            "value": ["value", rng.randint(6, 10)],
        }
        pair = rng.choice(list(kinds))
        drawn = {"pair": pair, "events": [["call", first], kinds[pair]]}
        return drawn if level == self.level else {**drawn, LEVEL: level}

    def _survey(self, rng: Random) -> Parameters:
        """Numbers whose expected boxes are whole, none of them empty."""
        asked = rng.choice(SURVEYS)
        first = rng.choice([n for n in range(8, asked - 8) if gcd(n, asked) > 4])
        step = asked // gcd(first, asked)
        second = step * rng.randrange(1, asked // step)
        return {"asked": asked, "first": first, "second": second}

    def facts_a(self, p: Parameters) -> Facts:
        cards = sorted_cards(*p["events"])
        both, first, second, every = (cards[key] for key in ("both", "first", "second", "all"))
        return {
            **cards,
            **_event_facts(p),
            "either": cards["row"] + cards["second"],
            "first_worked": f"{cards['row']} - {both} = {first}",
            "second_worked": f"{cards['column']} - {both} = {second}",
            "neither_worked": f"{every} - {both} - {first} - {second} = {cards['neither']}",
        }

    def facts_b(self, p: Parameters) -> Facts:
        """The shares of the second event in the table's rows, and whether they differ."""
        cards = sorted_cards(*p["events"])
        both, second, row, column = (cards[key] for key in ("both", "second", "row", "column"))
        given, without = Fraction(both, row), Fraction(second, cards["other_row"])
        return {
            **cards,
            **_event_facts(p),
            "given": given,
            "without": without,
            "tells": "no" if given == without else "yes",
            "inverse": Fraction(both, column) if row != column else None,
            "both_of_all": Fraction(both, CARDS),
            "second_of_all": Fraction(second, CARDS),
            "boxes_worked": _boxes_worked(cards),
            "given_worked": f"{tex_over(both, row)} {tex_decimal(given)}",
            "without_worked": f"{tex_over(second, cards['other_row'])} {tex_decimal(without)}",
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The boxes that independence would give, from the edges alone."""
        row, column, every = p["first"], p["second"], p["asked"]
        share = Fraction(column, every)
        both = row * column // every
        boxes = boxes_and_edges(both, row=row, column=column, every=every)
        return {
            **boxes,
            "share": share,
            "share_worked": f"{tex_over(column, every)} {tex_decimal(share)}",
            "both_worked": rf"{row} \cdot {tex_over(column, every)} = {both}",
            "boxes_worked": _boxes_worked(boxes),
        }


def _boxes_worked(cards: Mapping[str, int]) -> str:
    """The boxes that are left, each from its edge, as formulas."""
    edges = (
        ("row", "both", "first"),
        ("column", "both", "second"),
        ("other_row", "second", "neither"),
    )
    return r", \quad ".join(f"{cards[a]} - {cards[b]} = {cards[c]}" for a, b, c in edges)


def _event_facts(p: Parameters) -> Facts:
    one, other = p["events"]
    (a, not_a), (b, not_b) = heads(one), heads(other)
    return {
        "event_a": event_words(one),
        "event_b": event_words(other),
        "a": a,
        "not_a": not_a,
        "b": b,
        "not_b": not_b,
    }


EXERCISES = (TwoWayTable(),)
