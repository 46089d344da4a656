"""A question about the hands that a class was dealt: type 21."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from games.rules import HAND_SIZE
from lessons.exercises.class_results import results
from lessons.exercises.contexts import Context
from lessons.exercises.deal import draw_mark, mark_words
from lessons.exercises.engine import Parameters
from lessons.exercises.events import count_cards, holds
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import decimal, printed, tex_decimal, tex_over
from lessons.exercises.written import Written
from lessons.probability import frequency_error, none_of


class Frequency(Written):
    key = "frequency"

    def draw(self, rng: Random, context: Context) -> Parameters:
        given = results(context)
        mark = draw_mark(rng)
        without = sum(not any(holds(mark, card) for card in hand) for hand in given.hands)
        return {
            "invented": given.invented,
            "mark": mark,
            "hands": len(given.hands),
            "without": without,
        }

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        return {**self.draw(rng, context), "times": rng.choice((2, 3, 4, 10))}

    def facts_b(self, p: Parameters) -> Facts:
        """A share of hands beside its chance, and the standard deviation of such a share."""
        hands, without = p["hands"], p["without"]
        chance, share = none_of(count_cards(p["mark"]), HAND_SIZE), Fraction(without, hands)
        sd, expected = frequency_error(chance, hands), hands * chance
        seen = (printed(chance, 4), printed(expected) / hands)
        return {
            "mark": mark_words(p["mark"]),
            "chance": decimal(chance, 4),
            "expected": decimal(expected),
            "share": share,
            "sd": sd,
            "from_printed": tuple(frequency_error(each, hands) for each in seen if each < 1),
            "variance": chance * (1 - chance) / hands,
            "opposite": 1 - chance,
            "share_worked": f"{tex_over(without, hands)} {tex_decimal(share)}",
            "sd_worked": tex_decimal(sd),
        }

    def facts_c(self, p: Parameters) -> Facts:
        """How many hands make the spread of a share so many times smaller."""
        hands, times = p["hands"], p["times"]
        root = 3 if times == 2 else 2
        return {
            "all_hands": hands * times**2,
            "hands_by_variance": hands * times,
            "root": root,
            "more": root**2,
        }
