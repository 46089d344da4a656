"""Questions about centre and spread of a deck's values: type 4."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from lessons.exercises.answers import DIGITS
from lessons.exercises.contexts import Context
from lessons.exercises.deck import deck_words, draw_deck, value_rows
from lessons.exercises.engine import Parameters
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import (
    printed,
    tex,
    tex_decimal,
    tex_over,
    tex_root,
    tex_value,
)
from lessons.exercises.written import Written
from lessons.probability import Exact, mean, root, share_within, value_counts, variance


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
            "mean_worked": tex_value(centre),
            "sd_worked": f"{tex_root(squares)} {tex_decimal(root(squares), 4)}",
            "within1_worked": _share_worked(one, cards),
            "within2_worked": _share_worked(two, cards),
        }

    def facts_c(self, p: Parameters) -> Facts:
        """Mean and SD when all values are multiplied and moved."""
        times, plus = p["times"], p["plus"]
        values = value_counts(len(p["shapes"]), p["counts"])
        centre, squares = mean(values), variance(values)
        moved, deviation = times * centre + plus, root(times**2 * squares)
        return {
            "old_mean": tex_value(centre),
            "old_sd": tex_value(root(squares)),
            "mean": moved,
            "variance": times**2 * squares,
            "sd": deviation,
            "sd_of_printed": times * printed(root(squares)),
            "mean_worked": rf"{times} \cdot {tex(centre)} + {plus} = {tex_value(moved)}",
            "sd_worked": rf"{times} \cdot {tex(root(squares))} {tex_decimal(deviation)}",
        }


def _share_worked(share: Fraction, cards: int) -> str:
    return f"{tex_over(int(share * cards), cards)} {tex_decimal(share)}"


def from_variance(squares: Fraction) -> tuple[Exact, ...]:
    """The SDs that come out of this variance as a student may have rounded it on the way."""
    return tuple(root(printed(squares, digits)) for digits in (DIGITS, DIGITS + 1))
