"""Questions about averages and bids in a class's finished rounds: types 24 and 25."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from games.rules import HAND_SIZE
from lessons.exercises.answers import tell_apart
from lessons.exercises.contexts import ClassResults, Context
from lessons.exercises.deck import from_variance
from lessons.exercises.engine import EDITION, Blank, NoVariant, Parameters
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import decimal, printed
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
        sample = root(squares * Fraction(rounds, rounds - 1))
        return {
            "rounds": rounds,
            "differences": [{"difference": e, "rounds": n} for e, n in errors.items()],
            "mean": bias,
            "sd": sd,
            "from_variance": follows,
            "variance": squares,
            "sample_sd": sample if all(tell_apart(sample, s) for s in (sd, *follows)) else None,
            "total": sum(error * n for error, n in errors.items()),
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The mean and spread of errors once all bids are moved by as much."""
        errors, less = dict(p["errors"]), p["less"]
        bias, squares = mean(errors), variance(errors)
        sd = root(squares)
        return {
            "old_mean": bias,
            "old_sd": sd,
            "mean": bias - less,
            "sd": sd,
            "from_old_mean": printed(bias) - less,
            "from_old_sd": printed(sd),
            "variance": squares,
            "moved": -less,
        }


class AverageTricks(Written):
    key = "average-tricks"

    def draw(self, rng: Random, context: Context) -> Parameters:
        given = results(context)
        if given.rounds < 1:
            raise NoVariant("no rounds")
        facts = {"invented": given.invented, "seats": given.seats, EDITION: 2}
        enough = given.students >= FEWEST and len(given.bids) >= FEWEST_HANDS
        measure = rng.choice(("tricks", "tricks", "bids", "hits")) if enough else "tricks"
        if measure == "tricks":
            return {**facts, "measure": measure, "rounds": given.rounds}
        found = sum(bid if measure == "bids" else bid == taken for bid, taken in given.bids)
        return {**facts, "measure": measure, "bids": len(given.bids), "found": found}

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters of imagined rounds, in each of which a seat's tricks are hidden."""
        seats = results(context).seats
        rounds = [[rng.randrange(seats) for _trick in range(HAND_SIZE)] for _round in range(2)]
        return {
            "taken": [[takers.count(seat) for seat in range(seats)] for takers in rounds],
            "hidden": [rng.randrange(seats) for _round in range(2)],
        }

    def facts_a(self, p: Parameters) -> Facts:
        """The tricks that are missing in two rounds, and the average of each."""
        taken, hidden = p["taken"], p["hidden"]
        seats, keys = len(taken[0]), ("first", "second")
        missing = [round_[seat] for round_, seat in zip(taken, hidden, strict=True)]
        whole = None if HAND_SIZE % seats == 0 else HAND_SIZE // seats
        return {
            **_average(HAND_SIZE, seats),
            "seats": seats,
            "boxes": [
                {"key": key, "right": number, "round": nth, "seat": seat + 1}
                for nth, (key, number, seat) in enumerate(
                    zip(keys, missing, hidden, strict=True), start=1
                )
            ],
            "rows": [
                (
                    str(seat + 1),
                    *(
                        Blank(key) if seat == gone else str(round_[seat])
                        for key, round_, gone in zip(keys, taken, hidden, strict=True)
                    ),
                )
                for seat in range(seats)
            ],
            "whole_below": whole,
            "whole_above": None if whole is None else whole + 1,
            "missing_worked": r", \quad ".join(
                f"{HAND_SIZE} - {HAND_SIZE - number} = {number}" for number in missing
            ),
        }

    def facts_b(self, p: Parameters) -> Facts:
        """The tricks a seat and round; or the tricks a bid, or the share of bids that hit."""
        if p.get("measure", "tricks") == "tricks":
            return {**_average(HAND_SIZE, p["seats"]), "tells": "nothing", "reason": "fixed"}
        return {**_average(p["found"], p["bids"]), "tells": "something", "reason": "free"}


def _average(total: int, number: int) -> Facts:
    average = Fraction(total, number)
    return {
        "average": average,
        "average_words": decimal(average),
        "total": total,
        "number": number,
    }
