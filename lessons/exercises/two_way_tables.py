"""Questions about two events together, in a two-way table or a tree: types 26 and 27."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, prod
from random import Random
from typing import Any

from django.utils.translation import gettext as _

from games.rules import parse_call
from games.words import call_words
from lessons.exercises.contexts import Context
from lessons.exercises.deck import CALLS
from lessons.exercises.engine import LEVEL, Level, NumberTable, Parameters, Tree
from lessons.exercises.events import EventKind, count_cards, event_words
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import exact_percent, printed, tex_decimal, tex_over
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
        return {**cards, **_event_facts(p), "either": cards["row"] + cards["second"]}

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
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The boxes that independence would give, from the edges alone."""
        row, column, every = p["first"], p["second"], p["asked"]
        boxes = boxes_and_edges(row * column // every, row=row, column=column, every=every)
        return {**boxes, "share": Fraction(column, every)}


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


def none_in(marked: int, draws: int) -> Fraction:
    """The chance that none of the marked cards is among so many: draw after draw, each from one
    card less."""
    return prod(
        (Fraction(CARDS - marked - k, CARDS - k) for k in range(draws)), start=Fraction(1)
    )


def tree_of(event: Event, *, hidden: Sequence[str] = (), ends: Sequence[str] = ()) -> Tree:
    """The tree of two draws from the deck; what is ``hidden`` ("again", "then") is asked for,
    ``ends`` take the place of the four products."""
    marked = count_cards(event)
    rest = CARDS - marked
    after = {
        "again": f"{marked - 1}/{CARDS - 1}",
        "not again": f"{rest}/{CARDS - 1}",
        "then": f"{marked}/{CARDS - 1}",
        "never": f"{rest - 1}/{CARDS - 1}",
    }
    second = tuple("?" if key in hidden else text for key, text in after.items())
    return Tree(
        _("Two cards, one after the other"),
        heads(event),
        (f"{marked}/{CARDS}", f"{rest}/{CARDS}"),
        (second[0], second[1], second[2], second[3]),
        (ends[0], ends[1], ends[2], ends[3]) if ends else ("", "", "", ""),
    )


def path_tree(event: Event) -> Tree:
    """The tree of two draws, with the product at the end of each path."""
    marked = count_cards(event)
    rest = CARDS - marked
    pairs = ((marked, marked - 1), (marked, rest), (rest, marked), (rest, rest - 1))
    ends = [exact_percent(Fraction(a * b, CARDS * (CARDS - 1))) for a, b in pairs]
    return tree_of(event, ends=ends)


MOST_DRAWS = 5


class TwoDraws(Written):
    key = "draw-tree"

    def draw(self, rng: Random, context: Context) -> Parameters:
        events: tuple[list[Any], ...] = (
            ["call", rng.choice(CALLS)],
            ["least", rng.randint(8, 10)],
            ["value", rng.randint(6, 10)],
        )
        return {"event": rng.choice(events), "draws": 2}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """Parameters; at A along the paths of a tree, at B of a tree with holes, and at least
        one, at C of at least one in more draws than a tree could hold."""
        drawn = super().draw_at(level, rng, context)
        return {**drawn, "draws": rng.randint(3, MOST_DRAWS)} if level == Level.C else drawn

    def facts_a(self, p: Parameters) -> Facts:
        """The chances along a tree of two draws: both marked, and neither."""
        marked = count_cards(p["event"])
        rest = CARDS - marked
        both, neither = none_in(rest, 2), none_in(marked, 2)
        return {
            "name": heads(p["event"])[0],
            "both": both,
            "neither": neither,
            "tree": tree_of(p["event"]),
            "both_added": Fraction(marked, CARDS) + Fraction(marked - 1, CARDS - 1),
            "neither_added": Fraction(rest, CARDS) + Fraction(rest - 1, CARDS - 1),
            "both_worked": _path(marked, 2, both),
            "neither_worked": _path(rest, 2, neither),
        }

    def facts_b(self, p: Parameters) -> Facts:
        """The chances of no marked card, and of at least one, in so many draws."""
        event, draws = p["event"], p["draws"]
        marked = count_cards(event)
        rest, left = CARDS - marked, marked - 1
        none, put_back = none_in(marked, draws), Fraction(rest, CARDS) ** draws
        again = Fraction(left, CARDS - 1)
        return {
            "name": heads(event)[0],
            "event": event_words(event),
            "none": none,
            "some": 1 - none,
            "again": again,
            "rest_of_printed": 1 - printed(none),
            "tree": tree_of(event, hidden=("again",)),
            "once": Fraction(marked, CARDS),
            "none_put_back": put_back,
            "some_put_back": 1 - put_back,
            "added": Fraction(draws * marked, CARDS),
            "left": left,
            "none_in_two": none_in(marked, 2),
            "none_worked": _path(rest, draws, none),
        }

    facts_c = facts_b


def _path(good: int, draws: int, chance: Fraction) -> str:
    """The product of the chances along a path on which all draws are good."""
    steps = r" \cdot ".join(tex_over(good - k, CARDS - k) for k in range(draws))
    return f"{steps} {tex_decimal(chance)}"
