"""The numbers that lessons tell, by name: each is computed, exact, and written in the reader's
language when it is shown."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from games.classes.experiments import POWER
from games.rules import DECK, HAND_SIZE
from lessons.course.strips import BID, OWN, chance_of_bid, ones_given_bid, strip
from lessons.course.strips import mean as mean_held
from lessons.course.variables import FORECAST
from lessons.exercises import texts
from lessons.probability import (
    CARDS,
    Exact,
    any_void,
    class_value_counts,
    expected_points,
    hypergeometric,
    mean,
    none_of,
    patterns,
    pooled_mean_variance,
    root,
    sum_distribution,
    value_counts,
    variance,
    variance_of_mean,
)
from lessons.unseen import safe_chance

CLASS = 27
"""Cards that show one count of one shape."""
ONE_TABLE = 4
"""Seats at the table of which the lessons tell."""
UNSEEN = CARDS - HAND_SIZE


def _from_to(low: int, high: int) -> int:
    return sum(number for v, number in value_counts().items() if low <= v <= high)


def _at_least(value: int) -> int:
    return _from_to(value, max(value_counts()))


def _one_balls_from(value: int) -> int:
    return sum(number for v, number in class_value_counts(1).items() if v >= value)


def _chance_of_total(low: int, high: int) -> Fraction:
    """The chance that the total of a hand lies from low to high."""
    totals = sum_distribution()
    return sum((p for total, p in totals.items() if low <= total <= high), Fraction())


def _not_to_be_beaten(rivals: int, seats: int) -> Fraction:
    return safe_chance(rivals, UNSEEN, HAND_SIZE * (seats - 1))


FIGURES: dict[str, Callable[[], Exact]] = {
    # The deck
    "cards": lambda: Fraction(len(DECK)),
    "cards of value 8": lambda: Fraction(value_counts()[8]),
    "chance of value 8": lambda: Fraction(value_counts()[8], CARDS),
    "cards from 9": lambda: Fraction(_at_least(9)),
    "chance from 9": lambda: Fraction(_at_least(9), CARDS),
    "cards 7 to 9": lambda: Fraction(_from_to(7, 9)),
    "degrees 7 to 9": lambda: Fraction(360 * _from_to(7, 9), CARDS),
    "cards of a class": lambda: Fraction(CLASS),
    "two shapes alike": lambda: Fraction(patterns()[2, 1, 1]),
    "three shapes alike": lambda: Fraction(patterns()[3, 1]),
    "two pairs alike": lambda: Fraction(patterns()[2, 2]),
    "all shapes alike": lambda: Fraction(patterns()[(4,)]),
    "mean value": lambda: mean(value_counts()),
    "spread of value": lambda: root(variance(value_counts())),
    **{
        f"mean with {count}": lambda count=count: mean(class_value_counts(count))  # type: ignore[misc]
        for count in (1, 2, 3)
    },
    # The deal
    "expected 1-balls": lambda: mean(hypergeometric(CARDS, CLASS, HAND_SIZE)),
    "no 1-ball": lambda: none_of(CLASS, HAND_SIZE),
    "no 1-ball with replacement": lambda: Fraction(2, 3) ** HAND_SIZE,
    "a void": lambda: any_void((3, 3, 3, 3)),
    "expected from 9": lambda: Fraction(HAND_SIZE * _at_least(9), CARDS),
    # The lead, at a table of four, before the first card is played
    "unseen cards": lambda: Fraction(UNSEEN),
    "cards in other hands": lambda: Fraction(HAND_SIZE * (ONE_TABLE - 1)),
    "safe with 3": lambda: _not_to_be_beaten(3, ONE_TABLE),
    "safe with 3 of two": lambda: _not_to_be_beaten(3, 2),
    "safe with 3 of eight": lambda: _not_to_be_beaten(3, 8),
    # Two events at once
    "cards from 10": lambda: Fraction(_at_least(10)),
    "chance from 10": lambda: Fraction(_at_least(10), CARDS),
    "1-ball from 10": lambda: Fraction(_one_balls_from(10)),
    "from 10 given 1-ball": lambda: Fraction(_one_balls_from(10), CLASS),
    "from 10 without 1-ball": lambda: Fraction(
        _at_least(10) - _one_balls_from(10), CARDS - CLASS
    ),
    "neither of two": lambda: none_of(CLASS, 2),
    "at least one of two": lambda: 1 - none_of(CLASS, 2),
    # What a bid of the encyclopedia's tip tells, a slough, a follow
    "bids of 10000": lambda: Fraction(round(10_000 * chance_of_bid(BID))),
    "no 1-ball of 10000": lambda: Fraction(round(10_000 * none_of(CLASS, HAND_SIZE))),
    "no 1-ball given the bid": lambda: ones_given_bid(BID)[0],
    "no 1-ball of the bids": lambda: Fraction(
        round(10_000 * chance_of_bid(BID) * ones_given_bid(BID)[0])
    ),
    "the bid given no 1-ball": lambda: (
        chance_of_bid(BID) * ones_given_bid(BID)[0] / none_of(CLASS, HAND_SIZE)
    ),
    "1-balls given the bid": lambda: mean_held(ones_given_bid(BID)),
    "1-balls unseen": lambda: Fraction(CLASS - OWN),
    "1-balls when led": lambda: mean_held(strip("slough").places[1].before),
    "1-balls after a slough": lambda: mean_held(strip("slough").places[1].after),
    "1-balls after a follow": lambda: mean_held(strip("follow").places[0].after),
    "1-balls of a high card": lambda: Fraction(_one_balls_from(9), _at_least(9)),
    "1-balls of a low card": lambda: Fraction(CLASS - _one_balls_from(9), CARDS - _at_least(9)),
    # The bid
    "tip at four": lambda: ONE_TABLE * Fraction(HAND_SIZE * _at_least(9), CARDS),
    "points of bid 2": lambda: expected_points(2, FORECAST),
    "points of bid 3": lambda: expected_points(3, FORECAST),
    # Many hands
    **{
        f"spread of a share over {hands}": lambda hands=hands: root(  # type: ignore[misc]
            any_void((3, 3, 3, 3)) * (1 - any_void((3, 3, 3, 3))) / hands
        )
        for hands in (10, 40, 160, 200)
    },
    "gap over 10": lambda: _gap(10),
    "gap over 1000": lambda: _gap(1000),
    # An experiment, as bots have played it (python -m benchmarks.experiment)
    "classes that see the tips differ": lambda: Fraction(POWER[4][10]),
    "large classes that see it": lambda: Fraction(POWER[8][20]),
    # Hand means
    "spread of a hand mean": lambda: root(
        variance_of_mean(variance(value_counts()), HAND_SIZE)
    ),
    "spread of a mean of eight": lambda: root(variance(value_counts()) / HAND_SIZE),
    "a mean from 9": lambda: _chance_of_total(HAND_SIZE * 9, HAND_SIZE * 12),
    "a mean near 8": lambda: _chance_of_total(60, 68),
    "spread of four hands": lambda: root(pooled_mean_variance(4)),
}
"""All figures by name; tests hold each against a count of its own."""


def _gap(hands: int) -> Exact:
    """The typical gap between the number of hands with a void and the expected number."""
    chance = any_void((3, 3, 3, 3))
    return root(chance * (1 - chance) * hands)


@cache
def figure(name: str) -> Exact:
    """The figure of this name; KeyError if there is none."""
    return FIGURES[name]()


def figure_text(name: str, *, percent: bool = False) -> str:
    """The figure as people read it: whole, or to three significant digits; or as percent."""
    value = figure(name)
    return texts.exact_percent(value) if percent else texts.decimal(value)
