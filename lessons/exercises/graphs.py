"""Questions whose answer is a graph of the deck, a curve or a pie: types 3 and 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random

from games.rules import DECK
from games.words import call_words
from lessons.exercises.contexts import Context
from lessons.exercises.deck import ALL_COUNTS, ALL_SHAPES, call_of, deck_words
from lessons.exercises.engine import Parameters
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import shape_words
from lessons.exercises.written import Written
from lessons.probability import SHAPES, class_value_counts, mean, patterns, value_counts

SMALLER = (
    (2, (1, 2, 3)),
    (2, (1, 2, 3, 4)),
    (3, (1, 2)),
    (3, (2, 3)),
    (3, (1, 2, 3)),
    (4, (1, 2)),
    (4, (2, 3)),
)
"""Decks by how many shapes they have, and with which counts."""


class CountCurve(Written):
    key = "count-curve"

    def draw(self, rng: Random, context: Context) -> Parameters:
        shapes = sorted(rng.sample(ALL_SHAPES, rng.choice((3, 4))))
        return {
            "shapes": shapes,
            "shape": rng.choice(shapes),
            "count": rng.choice(ALL_COUNTS),
        }

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters; at level C from the curve of one class to that of the whole deck."""
        number, counts = rng.choice(SMALLER)
        shapes = sorted(rng.sample(ALL_SHAPES, number))
        return {
            "shapes": shapes,
            "counts": list(counts),
            "shape": rng.choice(shapes),
            "count": rng.choice([count for count in counts if count in ALL_COUNTS]),
        }

    def facts_b(self, p: Parameters) -> Facts:
        """The curve of one class, beside that of its deck."""
        k, count, middle = len(p["shapes"]), p["count"], ALL_COUNTS[1]
        whole, drawn = value_counts(k), class_value_counts(middle, k)
        asked = class_value_counts(count, k)
        third = class_value_counts(sum(ALL_COUNTS) - middle - count, k)
        return {
            **_plot_facts(whole, asked, drawn),
            "deck": deck_words(p["shapes"], ALL_COUNTS),
            "asked": call_words(call_of(p["shape"], count)),
            "drawn": call_words(call_of(p["shape"], middle)),
            "whole_mean": mean(whole),
            "whole_curve": _heights(whole, whole),
            "third_mean": mean(third),
            "third_curve": _heights(whole, third),
            "middle": int(mean(whole)) - min(whole),
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The whole deck's curve, of which every class makes up one part, moved along."""
        counts, shape, k = p["counts"], p["shape"], len(p["shapes"])
        curves = {each: class_value_counts(each, k, counts) for each in counts}
        whole, drawn = value_counts(k, counts), curves[p["count"]]
        stacked = {value: len(counts) * cards for value, cards in drawn.items()}
        return {
            **_plot_facts(whole, whole, drawn),
            "deck": deck_words(p["shapes"], counts),
            "drawn": call_words(call_of(shape, p["count"])),
            "stacked_curve": _heights(whole, stacked),
            "drawn_mean": mean(drawn) if mean(drawn) != mean(whole) else None,
            "all_cards": len(counts) ** k,
            "curves": [
                {"call": _count_words(shape, each), **_cards(curve)}
                for each, curve in curves.items()
            ],
        }


CardsByValue = Mapping[int, int]
"""How many cards have each value."""


def _plot_facts(whole: CardsByValue, right: CardsByValue, drawn: CardsByValue) -> Facts:
    """The facts of a given curve, and of one to plot over the values of the whole deck."""
    keys = [f"b{value}" for value in whole]
    return {
        "bars": [
            {"key": key, "value": value, "right": right.get(value, 0)}
            for key, value in zip(keys, whole, strict=True)
        ],
        "keys": keys,
        "values": list(whole),
        "top": max(whole.values()) + 1,
        "drawn_heights": [drawn.get(value, 0) for value in whole],
        "drawn_curve": _heights(whole, drawn),
        "mean": mean(right),
        **_cards(right),
    }


def _cards(curve: CardsByValue) -> Facts:
    return {"cards": ", ".join(map(str, curve.values())), "lowest": min(curve)}


def _heights(whole: CardsByValue, curve: CardsByValue) -> dict[str, int]:
    """A curve's heights by field."""
    return {f"b{value}": curve.get(value, 0) for value in whole}


def _count_words(shape: int, count: int) -> str:
    """A count of a shape, like "2 balls"; also one that our own cards do not have."""
    if count in ALL_COUNTS:
        return call_words(call_of(shape, count))
    return f"{count} {shape_words([shape])}"


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
        }


def _pie(slices: Sequence[Facts], times: int = 1) -> Facts:
    """The slices of a pile that has so many cards, or ``times`` as many, of each."""
    keys = [f"s{index}" for index in range(len(slices))]
    cards = {key: each["cards"] for key, each in zip(keys, slices, strict=True)}
    total = sum(cards.values())
    return {
        "pie": [
            {"key": key, **each, "right": Fraction(360 * cards[key], total)}
            for key, each in zip(keys, slices, strict=True)
        ],
        "total": total,
        "keys": keys,
        "percents": [
            {key: Fraction(100 * n, total)}
            for key, n in cards.items()
            if abs(Fraction(100 * n, total) - times * n) >= NEAR_DEGREES
        ],
        "counted": {key: times * n for key, n in cards.items()},
        "all_alike": dict.fromkeys(keys, Fraction(360, len(keys))),
    }


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
