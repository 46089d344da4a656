"""A question about an average over a class's finished rounds: type 24."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from games.rules import HAND_SIZE
from lessons.exercises.class_results import FEWEST_HANDS, results
from lessons.exercises.contexts import Context
from lessons.exercises.engine import EDITION, Blank, NoVariant, Parameters
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import decimal, tex_decimal, tex_over
from lessons.exercises.written import Written
from xactika_site.classrooms.privacy import FEWEST


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
            "others": HAND_SIZE - missing[0],
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
        "average_worked": f"{tex_over(total, number)} {tex_decimal(average)}",
    }
