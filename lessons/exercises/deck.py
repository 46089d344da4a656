"""Questions about the deck itself, its centre and its spread: types 1, 2 and 4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random

from games.rules import DECK, Call
from games.words import one_of
from lessons.exercises.answers import DIGITS
from lessons.exercises.contexts import Context
from lessons.exercises.engine import Parameters
from lessons.exercises.page import stock_text
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import printed, shape_words, tex, tex_decimal, tex_over
from lessons.exercises.written import Written
from lessons.probability import (
    CARDS,
    COUNTS,
    SHAPES,
    Exact,
    mean,
    root,
    share_within,
    value_counts,
    variance,
)

ALL_SHAPES = list(range(SHAPES))
ALL_COUNTS = list(COUNTS)
MOST_COUNTS = 6
"""How many different counts an imagined deck may have at most."""
CALLS = tuple(sorted({str(call) for card in DECK for call in card.calls}))


def draw_deck(rng: Random) -> Parameters:
    """The full deck now and then, else one with fewer shapes or counts."""
    if rng.random() < 0.25:
        return {"shapes": ALL_SHAPES, "counts": ALL_COUNTS}
    return {
        "shapes": sorted(rng.sample(ALL_SHAPES, rng.randint(2, SHAPES))),
        "counts": sorted(rng.sample(ALL_COUNTS, rng.randint(2, len(ALL_COUNTS)))),
    }


def call_of(shape: int, count: int) -> Call:
    """The call of so many of the shape at this position."""
    return next(
        call
        for card in DECK
        for call in card.calls
        if call.number == count and call.shape.position == shape
    )


def value_rows(counts: Mapping[int, int]) -> list[tuple[str, str]]:
    """The rows of a table that tells how many cards have each value."""
    return [(str(value), str(cards)) for value, cards in counts.items()]


def deck_words(shapes: Sequence[int], counts: Sequence[int]) -> str:
    """A sentence that describes the full deck, or another one."""
    is_ours = len(shapes) == 4 and len(counts) == 3
    deck = "ours" if is_ours else "other"
    return stock_text(f"deck-{deck}", counts=one_of(counts), shapes=shape_words(shapes))


class DeckSize(Written):
    key = "deck-size"

    def draw(self, rng: Random, context: Context) -> Parameters:
        """A deck to count, also with more counts than ours: of decks of up to 81 cards, powers
        and products tell only three sizes apart."""
        if rng.random() < 0.5:
            return draw_deck(rng)
        shapes = sorted(rng.sample(ALL_SHAPES, rng.randint(2, SHAPES)))
        return {"shapes": shapes, "counts": list(range(1, rng.randint(4, MOST_COUNTS) + 1))}

    def facts_a(self, p: Parameters) -> Facts:
        """How many cards a deck of these shapes and counts has."""
        k, n = len(p["shapes"]), len(p["counts"])
        fewer = min(k - 1, 2)
        product = r" \cdot ".join([str(n)] * k)
        return {
            "deck": deck_words(p["shapes"], p["counts"]),
            "cards": n**k,
            "added": n * k,
            "swapped": k**n,
            "fewer": fewer,
            "cards_of_fewer": n**fewer,
            "multiplied": f"{product} = {n}^{{{k}}} = {n**k}",
        }

    def facts_b(self, p: Parameters) -> Facts:
        """How many counts a deck of this size has."""
        k, n = len(p["shapes"]), len(p["counts"])
        cards = n**k
        return {
            "shapes": k,
            "counts": n,
            "cards": cards,
            "divided": None if cards % k else cards // k,
            "with_two": 2**k,
        }


class ValueChance(Written):
    key = "value-chance"

    def draw(self, rng: Random, context: Context) -> Parameters:
        return {"value": rng.choice(list(value_counts()))}

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters; at level B of values so large or more, or less, or between."""
        lowest, *values, highest = value_counts()
        low, high = sorted(rng.sample(values, 2))
        ends = rng.choice(((low, highest), (lowest, high), (low, high)))
        return {"value": ends[0], "to": ends[1]}

    def facts_a(self, p: Parameters) -> Facts:
        """The chance that a card has one value."""
        counts = value_counts()
        cards = counts[p["value"]]
        chance = Fraction(cards, CARDS)
        reduced = "" if chance.denominator == CARDS else f"= {tex(chance)} "
        return {
            "all": CARDS,
            "cards": cards,
            "chance": chance,
            "one_value": Fraction(1, len(counts)),
            "chance_worked": f"{tex_over(cards, CARDS)} {reduced}{tex_decimal(chance)}",
        }

    def facts_b(self, p: Parameters) -> Facts:
        """Several values: chances that add up."""
        counts = value_counts()
        lowest, *_between, highest = counts
        low, high = p["value"], p.get("to", highest)
        ends = "from-low" if high == highest else "up-to-high" if low == lowest else "between"
        cards = [counts[value] for value in range(low, high + 1)]
        chance = Fraction(sum(cards), CARDS)
        return {
            "all": CARDS,
            "low": low,
            "high": high,
            "range": ends,
            "values": len(cards),
            "chance": chance,
            "values_counted": Fraction(len(cards), len(counts)),
            "chance_worked": f"{tex_over(' + '.join(map(str, cards)), CARDS)} = "
            f"{tex_over(sum(cards), CARDS)} {tex_decimal(chance)}",
        }


class DeckSpread(Written):
    key = "deck-spread"

    def draw(self, rng: Random, context: Context) -> Parameters:
        return draw_deck(rng)

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        drawn = self.draw(rng, context)
        return {**drawn, "times": rng.choice((2, 3, 5, 10)), "plus": rng.choice((1, 4, 10))}

    def facts_b(self, p: Parameters) -> Facts:
        """Mean, variance and standard deviation of a deck's values, and what lies within."""
        values = value_counts(len(p["shapes"]), p["counts"])
        centre, squares, cards = mean(values), variance(values), sum(values.values())
        one, two = share_within(values, 1), share_within(values, 2)
        return {
            "deck": deck_words(p["shapes"], p["counts"]),
            "cards_by_value": value_rows(values),
            "mean": centre,
            "variance": squares,
            "sd": root(squares),
            "sample_sd": root(squares * Fraction(cards, cards - 1)),
            "within1": one,
            "within2": two,
            "highest_squared": (max(values) - centre) ** 2,
            "cards": cards,
            "cards_within1": int(one * cards),
            "cards_within2": int(two * cards),
        }

    def facts_c(self, p: Parameters) -> Facts:
        """Mean and SD when all values are multiplied and moved."""
        times, plus = p["times"], p["plus"]
        values = value_counts(len(p["shapes"]), p["counts"])
        centre, squares = mean(values), variance(values)
        moved, deviation = times * centre + plus, root(times**2 * squares)
        return {
            "old_mean": centre,
            "old_sd": root(squares),
            "mean": moved,
            "variance": times**2 * squares,
            "sd": deviation,
            "sd_of_printed": times * printed(root(squares)),
        }


def from_variance(squares: Fraction) -> tuple[Exact, ...]:
    """The SDs that come out of this variance as a student may have rounded it on the way."""
    return tuple(root(printed(squares, digits)) for digits in (DIGITS, DIGITS + 1))
