"""Questions about several draws in a row: type 27 (a tree of draws)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from random import Random
from typing import Any

from django.utils.translation import gettext as _

from lessons.exercises.contexts import Context
from lessons.exercises.deck import CALLS
from lessons.exercises.engine import Level, Parameters, Tree
from lessons.exercises.events import count_cards, event_words
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import exact_percent, printed, tex_decimal, tex_over, tex_rest
from lessons.exercises.two_way_tables import Event, heads
from lessons.exercises.written import Written
from lessons.probability import CARDS


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
            "half_of_third": Fraction(1, 6),
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
            "again_worked": f"{tex_over(left, CARDS - 1)} {tex_decimal(again)}",
            "none_worked": _path(rest, draws, none),
            "some_worked": tex_rest(none),
        }

    facts_c = facts_b


def _path(good: int, draws: int, chance: Fraction) -> str:
    """The product of the chances along a path on which all draws are good."""
    steps = r" \cdot ".join(tex_over(good - k, CARDS - k) for k in range(draws))
    return f"{steps} {tex_decimal(chance)}"
