"""A question about gaps between what a class found and what was expected: type 23."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from random import Random

from games.rules import HAND_SIZE, parse_call
from games.words import call_words
from lessons.exercises.class_results import results
from lessons.exercises.contexts import Context
from lessons.exercises.deal import draw_mark, mark_words
from lessons.exercises.deck import CALLS
from lessons.exercises.engine import TRIES, NoVariant, Parameters
from lessons.exercises.events import count_cards, holds
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import decimal, tex_decimal, tex_over
from lessons.exercises.written import Written
from lessons.probability import CARDS, Exact, none_of


class GapsAndRatios(Written):
    key = "gaps-and-ratios"

    def draw(self, rng: Random, context: Context) -> Parameters:
        """Parameters with a number of hands at least LEAST_GAP off the expected one."""
        given = results(context)
        hands, asks = len(given.hands), rng.choice(("more", "fewer", "on"))
        for _try in range(TRIES):
            mark = draw_mark(rng)
            without = sum(not any(holds(mark, card) for card in hand) for hand in given.hands)
            if abs(without - hands * none_of(count_cards(mark), HAND_SIZE)) >= LEAST_GAP:
                return {
                    "invented": given.invented,
                    "mark": mark,
                    "hands": hands,
                    "without": without,
                    "asks": asks,
                    "times": rng.choice((4, 9) if asks == "fewer" else (4, 9, 16, 25, 100)),
                }
        raise NoVariant("no gap to speak of")

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters; gaps are of cards of one class, so that a third is to be
        expected. The share of the gap is smaller with more cards, as it nearly always is."""
        given = results(context)
        hands = given.hands[: min(len(given.hands) // 3 * 3, MOST_HANDS)]
        times = rng.choice((4, 9))
        dealt = HAND_SIZE * len(hands)
        for _try in range(TRIES):
            call = rng.choice(CALLS)
            found = sum(card.shows(parse_call(call)) for hand in hands for card in hand)
            more = _dealt_marked(rng, times * len(hands))
            gap, further = abs(3 * found - dealt), abs(3 * more - times * dealt)
            if gap and further not in (0, gap) and further < times * gap:
                return {
                    "invented": given.invented,
                    "call": call,
                    "cards": [dealt, times * dealt],
                    "found": [found, more],
                }
        raise NoVariant("no gaps to compare")

    def facts_a(self, p: Parameters) -> Facts:
        """The gaps among some cards and among more, in numbers and as shares."""
        cards, found = p["cards"], p["found"]
        expected = [dealt // 3 for dealt in cards]
        gaps = [abs(n - right) for n, right in zip(found, expected, strict=True)]
        shares = [Fraction(gap, dealt) for gap, dealt in zip(gaps, cards, strict=True)]
        numbers = zip(found, expected, gaps, strict=True)
        of_cards = zip(gaps, cards, shares, strict=True)
        rows = {
            "dealt": cards,
            "found": found,
            "expected": expected,
            "gap": gaps,
            "share": shares,
        }
        return {
            "call": call_words(parse_call(p["call"])),
            "times": cards[1] // cards[0],
            **{name: few for name, (few, _many) in rows.items()},
            **{f"{name}_more": many for name, (_few, many) in rows.items()},
            "gaps": _boxes(("gap", "more"), gaps, cards),
            "shares": _boxes(("share", "less"), shares, cards),
            "tells": _what_grew(gaps, shares),
            "gaps_worked": r", \quad ".join(
                f"{max(pair)} - {min(pair)} = {gap}" for *pair, gap in numbers
            ),
            "shares_worked": r", \quad ".join(
                f"{tex_over(gap, dealt)} {tex_decimal(share)}" for gap, dealt, share in of_cards
            ),
        }

    def facts_b(self, p: Parameters) -> Facts:
        """How a gap and its share change with so many times the cards."""
        expected = p["hands"] * none_of(count_cards(p["mark"]), HAND_SIZE)
        times, step = p["times"], isqrt(p["times"])
        least = [{"key": "least", "n": times}] if "asks" in p else []
        return {
            **GAPS[p.get("asks", "more")],
            "mark": mark_words(p["mark"]),
            "expected": decimal(expected),
            "step": step,
            "larger": [{"key": "all", "n": times}, {"key": "grows", "n": step}],
            "smaller": [{"key": "shrinks", "n": step}, *least],
        }


def _boxes(keys: Sequence[str], right: Sequence[Exact], cards: Sequence[int]) -> list[Facts]:
    """A field for each key, as facts: what is right, and among how many cards."""
    return [
        {"key": key, "right": answer, "cards": n}
        for key, answer, n in zip(keys, right, cards, strict=True)
    ]


GAPS = {
    "more": {"count": "grows", "share": "shrinks", "reason": "spread"},
    "fewer": {"count": "shrinks", "share": "grows", "reason": "spread"},
    "on": {"count": "same", "share": "least", "reason": "stays"},
}
"""What becomes of a gap, and why, by what is asked."""

LEAST_GAP = Fraction(1, 2)
"""Hands that were too many or too few, at least: of a smaller gap nothing can become."""

MOST_HANDS = 60
"""So many hands at most are counted; a multiple of 3, so that a third of the cards is whole."""


def _dealt_marked(rng: Random, hands: int) -> int:
    """How many cards of one class a computer deals in so many hands."""
    cards, of_class = range(CARDS), CARDS // 3
    return sum(
        card < of_class for _hand in range(hands) for card in rng.sample(cards, HAND_SIZE)
    )


def _what_grew(gaps: Sequence[int], shares: Sequence[Fraction]) -> str:
    """“both” gap and share grew with more cards, or its “count” alone, or neither: “less”."""
    if gaps[1] < gaps[0]:
        return "less"
    return "count" if shares[1] < shares[0] else "both"
