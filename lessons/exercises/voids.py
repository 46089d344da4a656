"""Questions about voids: type 12."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from random import Random

from games.rules import HAND_SIZE
from games.words import call_words, one_of
from lessons.exercises.contexts import Context
from lessons.exercises.deck import ALL_COUNTS, ALL_SHAPES, call_of, deck_words
from lessons.exercises.engine import Parameters
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import (
    cards_words,
    fixed,
    math,
    tex_number,
    tex_over,
)
from lessons.exercises.written import Written
from lessons.probability import any_void, none_of, rounded

COUNTABLE = (
    *((2, (1, 2, 3), 2), (2, (1, 2, 3), 3), (2, (1, 2, 3, 4), 2)),
    *((3, (1, 2), 2), (3, (2, 3), 2)),
)
"""Shapes and counts of small decks, and how many cards one holds of them."""


class AnyVoid(Written):
    key = "any-void"

    def draw(self, rng: Random, context: Context) -> Parameters:
        if rng.random() < 0.4:
            counts = rng.choice((ALL_COUNTS, ALL_COUNTS, rng.sample(ALL_COUNTS, 2)))
            return {
                "shapes": ALL_SHAPES,
                "counts": ALL_COUNTS,
                "asked": sorted(counts),
                "drawn": HAND_SIZE,
            }
        shapes = sorted(rng.sample(ALL_SHAPES, rng.choice((3, 3, 4))))
        counts = ALL_COUNTS if len(shapes) == 3 else sorted(rng.sample(ALL_COUNTS, 2))
        drawn = rng.randint(4, 8) if len(counts) == 3 else rng.randint(3, 7)
        return {"shapes": shapes, "counts": counts, "asked": counts, "drawn": drawn}

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters; at B of two classes alone, in a deck whose hands can be counted."""
        k, counts, drawn = rng.choice(COUNTABLE)
        shapes = sorted(rng.sample(ALL_SHAPES, k))
        classes = [[s, c] for s in shapes for c in counts if c in ALL_COUNTS]
        one, other = sorted(rng.sample(classes, 2))
        while one[0] == other[0] and len(counts) == 2:  # such a hand would be empty
            one, other = sorted(rng.sample(classes, 2))
        return {
            "shapes": shapes,
            "counts": list(counts),
            "asked": [one, other],
            "drawn": drawn,
        }

    def facts_b(self, p: Parameters) -> Facts:
        """The chance of voids in two classes: add, and take off what was counted twice."""
        one, other = p["asked"]
        n, drawn = len(p["counts"]), p["drawn"]
        deck = n ** len(p["shapes"])
        without = deck - deck // n
        neither = deck * (n - 2) // n if one[0] == other[0] else deck * (n - 1) ** 2 // n**2
        total, single, both = comb(deck, drawn), comb(without, drawn), comb(neither, drawn)
        some = 2 * single - both
        return {
            "deck": deck_words(p["shapes"], p["counts"]),
            "cards": cards_words(drawn),
            "total": total,
            "one": call_words(call_of(*one)),
            "other": call_words(call_of(*other)),
            "single": single,
            "both": both,
            "some": some,
            "added": 2 * single,
            "share_of_share": Fraction(single**2, total),
            "rest": total - some,
            "all": deck,
            "without": without,
            "neither": neither,
            "single_worked": _choices(without, drawn),
            "both_worked": _choices(neither, drawn),
            "some_worked": f"{single} + {single} - {both} = {some}",
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The chance of at least one void in several classes, by inclusion and exclusion."""
        asked, drawn = p["asked"], p["drawn"]
        k, n = len(p["shapes"]), len(p["counts"])
        deck, classes = n**k, len(asked) * k
        single = none_of(deck // n, drawn, deck)
        chance = any_void((len(asked),) * k, drawn, n)
        return {
            "deck": deck_words(p["shapes"], p["counts"]),
            "cards": cards_words(drawn),
            "classes": classes,
            "asked_counts": one_of(asked),
            "chance": chance,
            "added": classes * single,
            "multiplied": 1 - (1 - single) ** classes,
            "outside": deck - deck // n,
            **_terms(k, len(asked), n, drawn, chance),
        }


def _choices(cards: int, drawn: int) -> str:
    """The TeX of in how many ways so many are chosen: card by card, over all orders."""
    ways = r" \cdot ".join(str(cards - k) for k in range(drawn))
    orders = r" \cdot ".join(str(drawn - k) for k in range(drawn))
    return f"{tex_over(ways, orders)} = {comb(cards, drawn)}"


def _terms(shapes: int, asked: int, numbers: int, drawn: int, chance: Fraction) -> Facts:
    """Inclusion-exclusion as formulas: single voids, pairs of one shape and of two shapes, all
    further terms together, and the sum, with so many decimals that they add up as printed."""
    deck = numbers**shapes
    sets = (
        (asked * shapes, deck - deck // numbers),
        (-shapes * comb(asked, 2), deck - 2 * deck // numbers),
        (-comb(shapes, 2) * asked**2, deck * (numbers - 1) ** 2 // numbers**2),
    )
    terms = [(times, left) for times, left in sets if times and comb(left, drawn)]
    shares = [Fraction(times * comb(left, drawn), comb(deck, drawn)) for times, left in terms]
    rest = chance - sum(shares)
    added = [*shares, rest] if rest else shares
    places = _adding_up(added, chance)
    signs = ["", *("-" if share < 0 else "+" for share in added[1:]), "="]
    printed = [tex_number(fixed(abs(share), places)) for share in (*added, chance)]
    return {
        "all": deck,
        "terms": [
            {"times": times, "left": left, "share": _as_printed(share, places)}
            for (times, left), share in zip(terms, shares, strict=True)
        ],
        "further": tex_number(fixed(rest, places)) if rest else "",
        "sum": " ".join(  # one by one: a line may break between them
            math(f"{sign} {share}".strip()) for sign, share in zip(signs, printed, strict=True)
        ),
    }


def _adding_up(shares: Sequence[Fraction], total: Fraction) -> int:
    """The fewest decimals, from four on, with which none of these numbers is rounded to zero,
    and rounded they add up to their rounded total."""
    places = 4
    while True:
        printed = [rounded(share, places) for share in shares]
        if all(printed) and sum(printed) == rounded(total, places):
            return places
        places += 1


def _as_printed(share: Fraction, places: int) -> str:
    sign = "=" if rounded(share, places) == share else r"\approx"
    return f"{sign} {tex_number(fixed(share, places))}"
