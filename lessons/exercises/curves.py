"""Questions about the curves of a deck's classes: type 3."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from games.words import call_words
from lessons.exercises.contexts import Context
from lessons.exercises.deck import ALL_COUNTS, ALL_SHAPES, call_of, deck_words
from lessons.exercises.engine import Parameters
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import shape_words, tex, tex_value
from lessons.exercises.written import Written
from lessons.probability import class_value_counts, mean, value_counts

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
            "mean_worked": tex(mean(asked)),
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
            "mean_worked": tex_value(mean(whole)),
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
