"""Questions about pies: type 5."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.rules import DECK
from games.words import call_words
from lessons.exercises.contexts import Context
from lessons.exercises.deck import ALL_COUNTS, ALL_SHAPES, call_of
from lessons.exercises.engine import LEVEL, Parameters
from lessons.exercises.lines import Facts
from lessons.exercises.texts import deck_words, tex_decimal, tex_over
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
            parameters = self._any(rng)
            cards = _slices(parameters).values()
            if sum(round(Fraction(360 * n, sum(cards))) for n in cards) == 360:
                return parameters

    def _any(self, rng: Random) -> Parameters:
        if rng.random() < 0.5:
            shapes = sorted(rng.sample(ALL_SHAPES, rng.choice((3, 4, 4))))
            counts = [1, 2] if len(shapes) == SHAPES and rng.random() < 0.3 else ALL_COUNTS
            return {"slices": "patterns", "shapes": shapes, "counts": counts}
        first, second = sorted(rng.sample(range(5, 13), 2))
        return {"slices": "values", "from": [first, second]}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """B: a pile of cards of which only the proportions are known."""
        if level == self.level:
            return self.draw(rng, context)
        more = rng.choice(PROPORTIONS)
        most = len(DECK) // len(ALL_COUNTS) // max(more)
        return {
            "shape": rng.choice(ALL_SHAPES),
            "parts": rng.sample([1, *more], len(ALL_COUNTS)),
            "seen": rng.randint(2, most),
            LEVEL: level,
        }

    def facts_a(self, p: Parameters) -> Facts:
        slices = _slices(p)
        by_pattern = p["slices"] == "patterns"
        return {
            **_pie(slices),
            "deck": deck_words(p["shapes"], p["counts"]) if by_pattern else "",
            "one_card": Fraction(360, sum(slices.values())),
        }

    def facts_b(self, p: Parameters) -> Facts:
        """The pie knows shares alone; one slice that is counted tells all the others."""
        parts, seen, total = p["parts"], p["seen"], sum(p["parts"])
        words = [call_words(call_of(p["shape"], count)) for count in ALL_COUNTS]
        unit = parts.index(1)
        first, second = (index for index in range(len(parts)) if index != unit)
        pie = _pie(dict(zip(words, parts, strict=True)), seen)
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


def _pie(parts: Mapping[str, int], times: int = 1) -> Facts:
    """The slices of a pile in which so many cards, or ``times`` as many, have each label."""
    total, keys = sum(parts.values()), [f"s{index}" for index in range(len(parts))]
    cards = dict(zip(keys, parts.values(), strict=True))
    return {
        "pie": [
            {"key": key, "label": label, "cards": cards[key], **_slice(cards[key], total)}
            for key, label in zip(keys, parts, strict=True)
        ],
        "labels": list(parts),
        "keys": keys,
        "percents": [
            {key: Fraction(100 * n, total)}
            for key, n in cards.items()
            if abs(Fraction(100 * n, total) - times * n) >= NEAR_DEGREES
        ],
        "counted": {key: times * n for key, n in cards.items()},
        "all_alike": dict.fromkeys(keys, Fraction(360, len(keys))),
    }


def _slice(cards: int, total: int) -> Facts:
    degrees = Fraction(360 * cards, total)
    worked = rf"360^\circ \cdot {tex_over(cards, total)} {tex_decimal(degrees, 4)}^\circ"
    return {"right": degrees, "worked": worked}


def _slices(p: Parameters) -> dict[str, int]:
    """The slices' labels with their numbers of cards."""
    if p["slices"] == "values":
        cards = value_counts()
        return {
            _range_words(low, high - 1): sum(cards[value] for value in range(low, high))
            for low, high in pairwise((4, *p["from"], 13))
        }
    found = patterns(len(p["shapes"]), p["counts"])
    return {_pattern_words(pattern): number for pattern, number in found.items()}


def _range_words(low: int, high: int) -> str:
    """E.g. "5 to 7"."""
    if low == high:
        return str(low)
    return pgettext("values", "%(low)d to %(high)d") % {"low": low, "high": high}


def _pattern_words(pattern: tuple[int, ...]) -> str:
    words = {
        (4,): _("all four counts alike"),
        (3, 1): _("three alike, one different"),
        (2, 2): _("two pairs"),
        (2, 1, 1): _("one pair, two different"),
        (3,): _("all three counts alike"),
        (2, 1): _("two alike, one different"),
        (1, 1, 1): _("all three different"),
    }
    return words[pattern]


EXERCISES = (DeckPie(),)
