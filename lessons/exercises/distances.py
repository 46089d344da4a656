"""Spread built up from one's own eight cards, distance by distance: type 28."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from random import Random

from games.rules import DECK, HAND_SIZE, parse_card
from games.words import listed
from lessons.exercises.answers import tell_apart
from lessons.exercises.contexts import Context
from lessons.exercises.engine import Parameters
from lessons.exercises.own_hand import hand_parameters, own
from lessons.exercises.page_lines import Facts
from lessons.exercises.spread import from_variance
from lessons.exercises.texts import codes, decimal, tex_decimal, tex_number, tex_root
from lessons.exercises.written import Written
from lessons.probability import mean, root, variance


class Distances(Written):
    key = "distances"

    def draw(self, rng: Random, context: Context) -> Parameters:
        """Parameters with one's own cards, or invented ones with an easy mean."""
        hand = own(context)
        if not hand.invented:
            return hand_parameters(hand)
        while True:
            cards = rng.sample(DECK, HAND_SIZE)
            values = [card.value for card in cards]
            if sum(values) % 4 == 0 and 3 <= len(set(values)) <= 5:
                return {**hand_parameters(hand), "dealt": list(codes(cards))}

    def facts_a(self, p: Parameters) -> Facts:
        """Distances of values from their mean, and the mean distance."""
        counts = _counts(p)
        centre = mean(counts)
        away = {value: abs(value - centre) for value in counts}
        total = sum((n * away[value] for value, n in counts.items()), Fraction())
        average = total / HAND_SIZE
        terms = [
            rf"{n} \cdot {tex_number(decimal(away[value], 4))}" for value, n in counts.items()
        ]
        return {
            "mean": centre,
            "average": average,
            "values": [
                {"key": f"d{value}", "right": away[value], "value": value, "cards": n}
                for value, n in counts.items()
            ],
            "each_value_once": _each_once(away, average),
            "differences": [{f"d{value}": -gap} for value, gap in away.items() if gap],
            "sum": sum(value * n for value, n in counts.items()),
            "mean_decimal": tex_decimal(centre, 4),
            "distances": listed(decimal(distance, 4) for distance in away.values()),
            "weighed": f"({' + '.join(terms)})",
            "weighed_decimal": tex_decimal(average),
        }

    def facts_b(self, p: Parameters) -> Facts:
        """Squared distances of values from their mean, variance and standard deviation."""
        counts = _counts(p)
        centre, squares = mean(counts), variance(counts)
        square = {value: (value - centre) ** 2 for value in counts}
        total, sd = squares * HAND_SIZE, root(squares)
        return {
            "mean": decimal(centre, 4),
            "values": [
                {
                    "key": f"s{value}",
                    "right": square[value],
                    "value": value,
                    "cards": n,
                    "distance": decimal(abs(value - centre), 4),
                }
                for value, n in counts.items()
            ],
            "variance": squares,
            "sd": sd,
            "sd_of_printed": from_variance(squares),
            "each_value_once": _each_once(square, squares),
            "sample_variance": total / (HAND_SIZE - 1),
            "variance_for_sd": squares if tell_apart(squares, sd) else None,
            "two_squares": 2 * 3**2,
            "squares": listed(decimal(each, 4) for each in square.values()),
            "weighed": tex_number(decimal(total, 5)),
            "weighed_decimal": tex_decimal(squares),
            "sd_worked": f"{tex_root(squares)} {tex_decimal(sd)}",
        }


def _counts(p: Parameters) -> dict[int, int]:
    """How many cards of the hand have each value, the lowest first."""
    values = sorted(parse_card(code).value for code in p["dealt"])
    return dict(Counter(values))


def _each_once(of_values: Mapping[int, Fraction], right: Fraction) -> Fraction | None:
    """The mean with each value taken once, if these very cards tell it from the right one."""
    once = sum(of_values.values(), Fraction()) / len(of_values)
    return once if tell_apart(once, right) else None
