"""A question about the bids in a class's finished rounds: type 25."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from lessons.exercises.answers import tell_apart
from lessons.exercises.contexts import ClassResults, Context
from lessons.exercises.engine import NoVariant, Parameters
from lessons.exercises.page_lines import Facts
from lessons.exercises.spread import from_variance
from lessons.exercises.texts import printed, tex, tex_decimal, tex_over, tex_root, tex_value
from lessons.exercises.written import Written
from lessons.probability import mean, root, variance
from xactika_site.classrooms.privacy import FEWEST

FEWEST_HANDS = 10
"""Finished hands that a class figure needs."""


def results(context: Context) -> ClassResults:
    """The context's class results, if there are enough of them."""
    if context.results is None or len(context.results.hands) < FEWEST_HANDS:
        raise NoVariant("too few hands")
    return context.results


class BidErrors(Written):
    key = "bid-errors"

    def draw(self, rng: Random, context: Context) -> Parameters:
        given = results(context)
        if given.students < FEWEST:
            raise NoVariant("too few students")
        by_bid: dict[int, Counter[int]] = {}
        for bid, taken in given.bids:
            by_bid.setdefault(bid, Counter())[bid - taken] += 1
        enough = [
            bid for bid, errors in by_bid.items() if errors.total() >= 4 and len(errors) > 1
        ]
        if not enough:
            raise NoVariant("too few rounds with one bid")
        bid = rng.choice(sorted(enough))
        errors = [[error, n] for error, n in sorted(by_bid[bid].items())]
        return {"invented": given.invented, "bid": bid, "errors": errors}

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        return {**self.draw(rng, context), "less": rng.choice((1, 2))}

    def facts_b(self, p: Parameters) -> Facts:
        """Mean and standard deviation of errors of bids (bid less taken)."""
        errors = dict(p["errors"])
        rounds, squares = sum(errors.values()), variance(errors)
        bias, sd, follows = mean(errors), root(squares), from_variance(squares)
        total = sum(error * n for error, n in errors.items())
        sample = root(squares * Fraction(rounds, rounds - 1))
        return {
            "rounds": rounds,
            "differences": [{"difference": e, "rounds": n} for e, n in errors.items()],
            "mean": bias,
            "sd": sd,
            "from_variance": follows,
            "variance": squares,
            "sample_sd": sample if all(tell_apart(sample, s) for s in (sd, *follows)) else None,
            "mean_worked": f"{tex_over(total, rounds)} {tex_decimal(bias)}",
            "sd_worked": f"{tex_root(squares)} {tex_decimal(sd)}",
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The mean and spread of errors once all bids are moved by as much."""
        errors, less = dict(p["errors"]), p["less"]
        bias, squares = mean(errors), variance(errors)
        sd = root(squares)
        return {
            "old_mean": tex_value(bias),
            "old_sd": tex_value(sd),
            "mean": bias - less,
            "sd": sd,
            "from_old_mean": printed(bias) - less,
            "from_old_sd": printed(sd),
            "variance": squares,
            "moved": -less,
            "mean_worked": f"{tex(bias)} - {less} = {tex_value(bias - less)}",
        }
