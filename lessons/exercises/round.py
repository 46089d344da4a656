"""A question about a finished round: type 20."""

from __future__ import annotations

from random import Random

from django.utils.translation import ngettext

from games.rules import HAND_SIZE, hook
from lessons.exercises.contexts import Context
from lessons.exercises.engine import NoVariant, Parameters
from lessons.exercises.page_lines import Facts
from lessons.exercises.written import Written


class Hook(Written):
    key = "hook"

    def draw(self, rng: Random, context: Context) -> Parameters:
        round = context.round
        if round is None or None in round.bids:
            raise NoVariant("no bids")
        seats = len(round.bids)
        order = [(round.dealer + 1 + k) % seats for k in range(seats - 1)]
        return {
            "bids": [round.bids[seat] for seat in order],
            "dealer": round.bids[round.dealer],
            "invented": round.invented,
        }

    def facts_a(self, p: Parameters) -> Facts:
        """The bid that the dealer may not make, if there is one."""
        bids, total = p["bids"], sum(p["bids"])
        forbidden = hook([*bids, None])
        return {
            "places": [
                {"place": _place_words(place), "bid": bid}
                for place, bid in enumerate(bids, start=1)
            ],
            "possible": [{"bid": bid} for bid in range(HAND_SIZE + 1)],
            "forbidden": "none" if forbidden is None else forbidden,
            "certain": "some",
            "sum": total,
            "sum_worked": f"{' + '.join(map(str, bids))} = {total}",
            "forbidden_worked": f"{HAND_SIZE} - {total} = {forbidden}",
        }

    def facts_b(self, p: Parameters) -> Facts:
        """Which sum of the other bids forbids one's own."""
        bid = p["dealer"]
        return {
            "sum": HAND_SIZE - bid,
            "certain": "some",
            "tricks": HAND_SIZE,
            "sum_worked": f"{HAND_SIZE} - {bid} = {HAND_SIZE - bid}",
        }


def _place_words(place: int) -> str:
    return ngettext(
        "%(n)d place left of the dealer", "%(n)d places left of the dealer", place
    ) % {"n": place}
