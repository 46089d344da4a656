"""Questions about tips and bids for one's own hand: types 17 and 18."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple

from games.rules import DECK, HAND_SIZE, parse_card
from lessons.exercises.contexts import Context
from lessons.exercises.engine import NoVariant, Parameters
from lessons.exercises.own_hand import hand_parameters, own
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import exact_percent, printed, tex, tex_over, tex_value
from lessons.exercises.written import Written
from lessons.probability import CARDS, best_bids, expected_points


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
            "cards": CARDS,
            "mean_worked": rf"8 \cdot {tex_over(good, CARDS)} = {tex_value(mean)}",
            "total_worked": rf"{seats} \cdot {tex(mean)} = {tex_value(total)}",
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
            "hidden": hidden,
            "mean_worked": rf"8 \cdot {tex_over(left, hidden)} = {tex_value(mean)}",
            "total_worked": rf"{counted} + {others} \cdot {tex(mean)} = {tex_value(total)}",
            "before_worked": rf"{seats} \cdot {tex(before)} = {tex_value(seats * before)}",
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
            "miss": tex_value(_miss(bid, chances)),
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
