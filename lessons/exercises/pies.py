"""Questions about pies: type 5."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random

from games.rules import DECK
from games.words import call_words
from lessons.exercises.contexts import Context
from lessons.exercises.deck import ALL_COUNTS, ALL_SHAPES, call_of, deck_words
from lessons.exercises.engine import Parameters
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import tex_decimal, tex_over
from lessons.exercises.written import Written
from lessons.probability import SHAPES, patterns, value_counts

PROPORTIONS = (
    (2, 3),
    (2, 5),
    (3, 4),
    (2, 6),
    (3, 5),
    (2, 7),
    (3, 6),
    (4, 5),
    (3, 8),
    (4, 7),
    (5, 6),
)
"""For one card of one kind so many of the two others: together they share 360 degrees well."""

NEAR_DEGREES = 2
"""A percentage nearer than this to the number of cards could be meant as either."""


class DeckPie(Written):
    key = "deck-pie"

    def draw(self, rng: Random, context: Context) -> Parameters:
        while True:  # until the whole degrees fill the pie: it has no room for one more
            parameters = self._random_pile(rng)
            cards = [each["cards"] for each in _slices(parameters)]
            if sum(round(Fraction(360 * n, sum(cards))) for n in cards) == 360:
                return parameters

    def _random_pile(self, rng: Random) -> Parameters:
        if rng.random() < 0.5:
            shapes = sorted(rng.sample(ALL_SHAPES, rng.choice((3, 4, 4))))
            counts = [1, 2] if len(shapes) == SHAPES and rng.random() < 0.3 else ALL_COUNTS
            return {"slices": "patterns", "shapes": shapes, "counts": counts}
        first, second = sorted(rng.sample(range(5, 13), 2))
        return {"slices": "values", "from": [first, second]}

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters; at B of a pile of cards of which only the proportions are known."""
        more = rng.choice(PROPORTIONS)
        most = len(DECK) // len(ALL_COUNTS) // max(more)
        return {
            "shape": rng.choice(ALL_SHAPES),
            "parts": rng.sample([1, *more], len(ALL_COUNTS)),
            "seen": rng.randint(2, most),
        }

    def facts_a(self, p: Parameters) -> Facts:
        """The slices of a deck's pie, in degrees."""
        slices = _slices(p)
        by_pattern = p["slices"] == "patterns"
        return {
            **_pie(slices),
            "deck": deck_words(p["shapes"], p["counts"]) if by_pattern else "",
            "one_card": Fraction(360, sum(each["cards"] for each in slices)),
        }

    def facts_b(self, p: Parameters) -> Facts:
        """The facts of a pie of shares; one slice that is counted tells all the others."""
        parts, seen, total = p["parts"], p["seen"], sum(p["parts"])
        words = [call_words(call_of(p["shape"], count)) for count in ALL_COUNTS]
        unit = parts.index(1)
        first, second = (index for index in range(len(parts)) if index != unit)
        slices = [{"label": label, "cards": n} for label, n in zip(words, parts, strict=True)]
        pie = _pie(slices, seen)
        return {
            **pie,
            "unit": words[unit],
            "few": parts[first],
            "first": words[first],
            "more": parts[second],
            "second": words[second],
            "pile": seen * total,
            "all_alike": [pie["all_alike"], {"pile": seen * len(parts)}],
            "smallest": total,
            "smallest_worked": f"{' + '.join(map(str, parts))} = {total}",
            "pile_worked": rf"{seen} \cdot {total} = {seen * total}",
        }


def _pie(slices: Sequence[Facts], times: int = 1) -> Facts:
    """The slices of a pile that has so many cards, or ``times`` as many, of each."""
    keys = [f"s{index}" for index in range(len(slices))]
    cards = {key: each["cards"] for key, each in zip(keys, slices, strict=True)}
    total = sum(cards.values())
    return {
        "pie": [
            {"key": key, **each, **_slice_facts(cards[key], total)}
            for key, each in zip(keys, slices, strict=True)
        ],
        "keys": keys,
        "percents": [
            {key: Fraction(100 * n, total)}
            for key, n in cards.items()
            if abs(Fraction(100 * n, total) - times * n) >= NEAR_DEGREES
        ],
        "counted": {key: times * n for key, n in cards.items()},
        "all_alike": dict.fromkeys(keys, Fraction(360, len(keys))),
    }


def _slice_facts(cards: int, total: int) -> Facts:
    degrees = Fraction(360 * cards, total)
    worked = rf"360^\circ \cdot {tex_over(cards, total)} {tex_decimal(degrees, 4)}^\circ"
    return {"right": degrees, "worked": worked}


def _slices(p: Parameters) -> list[Facts]:
    """The slices with their numbers of cards, by values or by patterns of a card's counts."""
    if p["slices"] == "values":
        cards = value_counts()
        return [
            {
                "low": low,
                "high": high - 1,
                "is_range": high - 1 > low,
                "cards": sum(cards[value] for value in range(low, high)),
            }
            for low, high in pairwise((4, *p["from"], 13))
        ]
    found = patterns(len(p["shapes"]), p["counts"])
    return [
        {"pattern": "-".join(map(str, pattern)), "cards": number}
        for pattern, number in found.items()
    ]
