"""A question about single cards and the means of hands that a class was dealt: type 22."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from games.rules import DECK, HAND_SIZE
from lessons.exercises.class_results import results
from lessons.exercises.contexts import Context
from lessons.exercises.engine import NoVariant, Parameters
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import decimal, tex_decimal, tex_over, tex_value
from lessons.exercises.written import Written
from lessons.probability import CARDS, none_of, sum_distribution


class MeansVaryLess(Written):
    key = "means-vary-less"

    def draw(self, rng: Random, context: Context) -> Parameters:
        given = results(context)
        cards = Counter(card.value for hand in given.hands for card in hand)
        means = Counter(
            2 * sum(card.value for card in hand) // HAND_SIZE for hand in given.hands
        )
        asks = rng.choice(("far", "near", "any"))
        bounds = {"far": (6, 7, 9, 10), "near": (6, 7), "any": (5, 6, 10, 11)}
        return {
            "invented": given.invented,
            "asks": asks,
            "bound": rng.choice(bounds[asks]),
            "cards": [cards[value] for value in range(4, 13)],
            "means": [means[half] for half in range(8, 25)],
        }

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters; counted are values which these cards and hands show as
        often as is to be expected: more often on a card, or more often as a mean."""
        drawn = self.draw(rng, context)
        facts = {key: drawn[key] for key in ("invented", "cards", "means")}
        fits = [each for each in VALUES if _differ_as_expected(facts, *each)]
        if not fits:
            raise NoVariant("the class's hands are unusual")
        return {**facts, "values": list(rng.choice(fits))}

    def facts_b(self, p: Parameters) -> Facts:
        """The shares of cards and of hands, counted."""
        low, high = p["values"]
        cards, means = _counts(p, low, high)
        dealt, hands = sum(p["cards"]), sum(p["means"])
        of_cards, of_hands = Fraction(sum(cards), dealt), Fraction(sum(means), hands)
        return {
            **_histogram_facts(p),
            "low": low,
            "high": high,
            "side": "above" if high > 12 else "below" if low == 4 else "both",
            "dealt": dealt,
            "hands": hands,
            "found": sum(cards),
            "card_share": of_cards,
            "hand_share": of_hands,
            "value_share": Fraction(high - low, 9),
            "likelier": "card" if of_cards > of_hands else "hand",
            "cards_worked": _share_tex(cards, dealt),
            "hands_worked": _share_tex(means, hands),
        }

    def facts_c(self, p: Parameters) -> Facts:
        """Whether a card or a hand's mean is likelier to lie so far out, and why."""
        asks, bound = p.get("asks", "far"), p["bound"]
        card, hand = _card_and_hand(asks, bound)
        return {
            **_histogram_facts(p),
            "low": bound,
            "high": 16 - bound if asks == "near" else bound,
            "side": "above" if bound > 8 else "below",
            "likelier": "card" if card > hand else "hand",
            "reason": "more" if asks == "any" else "spread",
            "card_chance": tex_value(card),
            "hand_chance": tex_value(hand),
        }


VALUES = ((9, 13), (10, 13), (4, 7), (4, 6), (7, 9), (7, 10), (6, 10))
"""Values to look for, from the first up to below the second: far from 8, and about it."""


def _counts(parameters: Parameters, low: int, high: int) -> tuple[list[int], list[int]]:
    """How many cards have these values, and how many hands such a mean, by the graphs' bars."""
    cards, means = parameters["cards"], parameters["means"]
    return cards[low - 4 : high - 4], means[2 * low - 8 : 2 * high - 8]


def _differ_as_expected(parameters: Parameters, low: int, high: int) -> bool:
    """Whether these cards and hands differ as their chances do."""
    cards, means = (sum(each) for each in _counts(parameters, low, high))
    found = cards * sum(parameters["means"]) - means * sum(parameters["cards"])
    card = Fraction(sum(low <= card.value < high for card in DECK), CARDS)
    hand = sum(
        p
        for total, p in sum_distribution().items()
        if HAND_SIZE * low <= total < HAND_SIZE * high
    )
    return found > 0 if card > hand else found < 0


def _share_tex(numbers: list[int], of: int) -> str:
    """The TeX of what share these numbers are of all, step by step."""
    some = [str(n) for n in numbers if n]
    total = sum(numbers)
    added = f"{tex_over(' + '.join(some), of)} = " if len(some) > 1 else ""
    return f"{added}{tex_over(total, of)} {tex_decimal(Fraction(total, of))}"


def _histogram_facts(p: Parameters) -> Facts:
    """The values of cards and the means of hands, as tables and as histograms."""
    cards, means = p["cards"], p["means"]
    return {
        "card_values": [{"value": v, "cards": n} for v, n in enumerate(cards, start=4)],
        "hand_means": [
            {"from": decimal(Fraction(half, 2)), "hands": n}
            for half, n in enumerate(means, start=8)
            if 12 <= half <= 20 or n
        ],
        "cards_histogram": (Fraction(7, 2), Fraction(1), tuple(cards)),
        "means_histogram": (Fraction(4), Fraction(1, 2), tuple(means)),
    }


def _card_and_hand(asks: str, bound: int) -> tuple[Fraction, Fraction]:
    """The chances of what is asked about: of a single card, and of a hand of eight."""
    if asks == "near":
        low, high = bound, 16 - bound
    else:
        low, high = (bound, 12) if bound > 8 else (4, bound)
    some = sum(low <= card.value <= high for card in DECK)
    if asks == "any":
        return Fraction(some, CARDS), 1 - none_of(some, HAND_SIZE)
    of_mean = sum(
        (
            p
            for total, p in sum_distribution().items()
            if HAND_SIZE * low <= total <= HAND_SIZE * high
        ),
        Fraction(),
    )
    return Fraction(some, CARDS), of_mean
