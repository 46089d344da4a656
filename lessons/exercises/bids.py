"""Questions about tips and bids: types 17, 18, 20 and 31."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from random import Random
from typing import NamedTuple

from django.utils.translation import ngettext

from games.rules import DECK, HAND_SIZE, hook, parse_call, parse_card
from games.words import call_words, whole
from lessons.exercises.contexts import Context
from lessons.exercises.deck import CALLS
from lessons.exercises.engine import LEVEL, NoVariant, Parameters
from lessons.exercises.own_hand import hand_parameters, own
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import exact_percent, printed, tex, tex_value
from lessons.exercises.written import Written
from lessons.probability import (
    CARDS,
    PRINTED,
    WIKIPEDIA,
    best_bids,
    expected_points,
    hands_by_bid,
)


class TipAudit(Written):
    key = "tip-audit"

    def draw(self, rng: Random, context: Context) -> Parameters:
        hand = own(context)
        least = rng.choice((9, 9, 9, 8, 10, 11))
        return {**hand_parameters(hand), "seats": hand.seats, "least": least}

    def facts_b(self, p: Parameters) -> Facts:
        """The mean of the tip's bid for a hand, summed over the table, beside eight."""
        seats, equal = p["seats"], Fraction(HAND_SIZE * (13 - p["least"]), 9)
        counted, good = _tip_counts(p)
        mean = Fraction(HAND_SIZE * good, CARDS)
        total = seats * mean
        return {
            "own": counted,
            "mean": mean,
            "total": total,
            "fit": "over" if total > HAND_SIZE else "under",
            "total_of_printed": seats * printed(mean),
            "equal_mean": equal,
            "equal_total": seats * equal,
            "good": good,
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The expected bids of the others, one's own hand being known, and the table's sum."""
        seats, others, hidden = p["seats"], p["seats"] - 1, CARDS - HAND_SIZE
        counted, good = _tip_counts(p)
        left = good - counted
        before, mean = Fraction(HAND_SIZE * good, CARDS), Fraction(HAND_SIZE * left, hidden)
        total = counted + others * mean
        return {
            "own": counted,
            "mean": mean,
            "total": total,
            "moved": "more" if counted > before else "less",
            "total_of_printed": counted + others * printed(mean),
            "before": before,
            "total_before": seats * before,
            "all_alike": seats * mean,
            "with_own": Fraction(HAND_SIZE * good, hidden) if counted else None,
            "of_all_cards": Fraction(HAND_SIZE * left, CARDS) if counted else None,
            "good": good,
            "left": left,
            "others": others,
        }


def _tip_counts(p: Parameters) -> tuple[int, int]:
    """How many cards the tip counts, in one's own hand and in the deck."""
    counted = sum(parse_card(code).value >= p["least"] for code in p["dealt"])
    return counted, sum(card.value >= p["least"] for card in DECK)


class BestBid(Written):
    key = "best-bid"

    def draw(self, rng: Random, context: Context) -> Parameters:
        mine = own(context).forecast
        if mine is not None:
            if _bids(mine) is None:
                raise NoVariant("this forecast has no single best bid that stands apart")
            return {"forecast": list(mine), "own": True}
        while True:
            forecast = _forecast(rng)
            if _bids(forecast) is not None:
                return {"forecast": forecast, "own": False}

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        drawn = self.draw(rng, context)
        likely = [k for k, percent in enumerate(drawn["forecast"]) if k and percent >= 10]
        return {**drawn, "bid": rng.choice(likely)}

    def facts(self, p: Parameters) -> Facts:
        shares = _chances(p["forecast"])
        chances = [{"tricks": k, "chance": exact_percent(n)} for k, n in enumerate(shares)]
        return {"chances": chances, "shares": tuple(shares), **super().facts(p)}

    def facts_b(self, p: Parameters) -> Facts:
        """The points of one bid, worked out."""
        bid, chances = p["bid"], _chances(p["forecast"])
        return {
            "points": expected_points(bid, chances),
            "hit": bid * chances[bid],
            "points_worked": _points_worked(bid, chances),
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The best bid beside the mode, the rounded mean and what misses for free would say."""
        bids, chances = _bids(p["forecast"]), _chances(p["forecast"])
        if bids is None:
            raise NoVariant("not a fair forecast")
        worked = [
            {"bid": bid, "points_worked": _points_worked(bid, chances)} for bid in sorted(bids)
        ]
        return {**bids._asdict(), "bids": worked}


def _points_worked(bid: int, chances: Sequence[Fraction]) -> str:
    points = tex_value(expected_points(bid, chances))
    return rf"{bid} \cdot {tex(chances[bid])} - {tex(_miss(bid, chances))} = {points}"


def _forecast(rng: Random) -> list[int]:
    """Percents for 0 to 8 tricks, in steps of five, near each other."""
    lowest, width = rng.randint(0, 3), rng.randint(4, 6)
    percents = [0] * (HAND_SIZE + 1)
    for _step in range(20):
        percents[min(HAND_SIZE, lowest + rng.randrange(width))] += 5
    return percents


def _chances(percents: Sequence[int]) -> list[Fraction]:
    return [Fraction(percent, 100) for percent in percents]


def _miss(bid: int, chances: Sequence[Fraction]) -> Fraction:
    """The expected distance of the tricks from a bid."""
    return sum((abs(bid - k) * p for k, p in enumerate(chances)), Fraction())


class _Bids(NamedTuple):
    """The best bid, the mode, the rounded mean and the best bid if misses cost nothing."""

    best: int
    mode: int
    rounded_mean: int
    unpunished: int


def _bids(percents: Sequence[int]) -> _Bids | None:
    """The bids that a forecast suggests; None unless each is one number and all differ."""
    if len(percents) != HAND_SIZE + 1 or sum(percents) != 100 or min(percents) < 0:
        return None
    hits = [bid * percent for bid, percent in enumerate(percents)]
    if hits.count(max(hits)) > 1 or percents.count(max(percents)) > 1 or sum(hits) % 100 == 50:
        return None
    mode, unpunished = percents.index(max(percents)), hits.index(max(hits))
    rounded_mean = (sum(hits) + 50) // 100
    if len({mode, rounded_mean, unpunished}) < 3:
        return None
    best, *as_good = best_bids(_chances(percents))
    if as_good or best in (mode, rounded_mean, unpunished):
        return None
    return _Bids(best, mode, rounded_mean, unpunished)


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
            "sum": total,
            "sum_worked": f"{' + '.join(map(str, bids))} = {total}",
        }

    def facts_b(self, p: Parameters) -> Facts:
        """Which sum of the other bids forbids one's own."""
        return {"sum": HAND_SIZE - p["dealer"]}


def _place_words(place: int) -> str:
    return ngettext(
        "%(n)d place left of the dealer", "%(n)d places left of the dealer", place
    ) % {"n": place}


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
        }


def _deals(p: Parameters) -> tuple[int, int, int]:
    """The deals with this bid, without such a card, and with both."""
    return expected_counts(p["tip"], p["bid"], parse_call(p["call"]).number)
