"""What a bid tells of a hand: type 31, counted in deals."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb
from random import Random

from games.rules import HAND_SIZE, parse_call
from games.words import call_words, whole
from lessons.exercises.contexts import Context
from lessons.exercises.deck import CALLS
from lessons.exercises.engine import LEVEL, Parameters
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import tex_decimal, tex_over
from lessons.exercises.written import Written
from lessons.probability import CARDS, PRINTED, WIKIPEDIA, hands_by_bid

DEALS = 10_000
TIPS = {"encyclopedia": WIKIPEDIA, "printed": PRINTED}
MIN_DEALS = 5
"""Deals with both of what is counted, at least."""


@lru_cache(maxsize=16)
def expected_counts(tip: str, bid: int, count: int) -> tuple[int, int, int]:
    """The expected numbers of DEALS deals with this bid, without any card that shows the count
    of a shape, and with both, each to the nearest one. The same for every shape. What is left
    for the other boxes may be off by more, so that rows and columns add up."""
    hands = hands_by_bid(TIPS[tip], lambda card: card.counts[0] == count)
    by_number = hands[bid]
    deals = comb(CARDS, HAND_SIZE)
    ways = (
        sum(by_number.values()),
        sum(each.get(0, 0) for each in hands.values()),
        by_number.get(0, 0),
    )
    with_bid, without, both = (round(Fraction(DEALS * way, deals)) for way in ways)
    return with_bid, without, both


@lru_cache(maxsize=1)
def _countable_bids() -> tuple[tuple[str, int, int], ...]:
    """(tip, bid, count of a shape) for which MIN_DEALS deals or more are expected of each of
    ``expected_counts``."""
    return tuple(
        (tip, bid, count)
        for tip in TIPS
        for bid in range(HAND_SIZE - 1)
        for count in (1, 2, 3)
        if min(expected_counts(tip, bid, count)) >= MIN_DEALS
    )


class BidEvidence(Written):
    key = "bid-evidence"

    def draw(self, rng: Random, context: Context) -> Parameters:
        tip, bid, count = rng.choice(_countable_bids())
        calls = [call for call in CALLS if call.startswith(f"{count}-")]
        return {"tip": tip, "bid": bid, "call": rng.choice(calls)}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """Parameters at this level; of two rows compared one chance is a fifth larger."""
        while True:
            drawn = super().draw_at(level, rng, context)
            with_bid, without, both = _deals(drawn)
            given, other = both * (DEALS - with_bid), (without - both) * with_bid
            if level == self.level or 5 * max(given, other) >= 6 * min(given, other):
                return drawn

    def facts(self, p: Parameters) -> Facts:
        """The chance of none of a call's cards given this bid, and given other bids."""
        with_bid, without, both = _deals(p)
        some, others, other_bids = with_bid - both, without - both, DEALS - with_bid
        rows = {"given": (both, with_bid), "other": (others, other_bids)}
        chances = {row: Fraction(*deals) for row, deals in rows.items()}
        asked = {row: deals[0] for row, deals in rows.items() if row == "given" or LEVEL in p}
        before = Fraction(without, DEALS)
        return {
            **chances,
            **{
                f"{row}_worked": f"{tex_over(*rows[row])} {tex_decimal(chances[row])}"
                for row in rows
            },
            "tells": "more" if chances["given"] > chances["other"] else "less",
            "before": before,
            "of_column": [{row: Fraction(deals, without)} for row, deals in asked.items()],
            "of_all": [{row: Fraction(deals, DEALS)} for row, deals in asked.items()],
            "call": call_words(parse_call(p["call"])),
            "deals": whole(DEALS),
            "with_bid": with_bid,
            "without": without,
            "both": both,
            "some": some,
            "others": others,
            "neither": other_bids - others,
            "other_bids": other_bids,
            "with_some": DEALS - without,
            "boxes_worked": rf"{with_bid} - {both} = {some}, \quad "
            f"{without} - {both} = {others}",
        }


def _deals(p: Parameters) -> tuple[int, int, int]:
    """The deals with this bid, without such a card, and with both."""
    return expected_counts(p["tip"], p["bid"], parse_call(p["call"]).number)
