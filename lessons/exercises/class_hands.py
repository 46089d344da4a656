"""Questions about the hands that a class was dealt: types 21 to 23."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from random import Random

from games.rules import DECK, HAND_SIZE, parse_call
from games.words import call_words
from lessons.exercises.class_results import results
from lessons.exercises.contexts import Context
from lessons.exercises.deal import draw_mark, mark_words
from lessons.exercises.deck import CALLS
from lessons.exercises.engine import TRIES, NoVariant, Parameters
from lessons.exercises.events import count_cards, holds
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import decimal, printed, tex_decimal, tex_over, tex_value
from lessons.exercises.written import Written
from lessons.probability import CARDS, Exact, frequency_error, none_of, sum_distribution


class Frequency(Written):
    key = "frequency"

    def draw(self, rng: Random, context: Context) -> Parameters:
        given = results(context)
        mark = draw_mark(rng)
        without = sum(not any(holds(mark, card) for card in hand) for hand in given.hands)
        return {
            "invented": given.invented,
            "mark": mark,
            "hands": len(given.hands),
            "without": without,
        }

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        return {**self.draw(rng, context), "times": rng.choice((2, 3, 4, 10))}

    def facts_b(self, p: Parameters) -> Facts:
        """A share of hands beside its chance, and the standard deviation of such a share."""
        hands, without = p["hands"], p["without"]
        chance, share = none_of(count_cards(p["mark"]), HAND_SIZE), Fraction(without, hands)
        sd, expected = frequency_error(chance, hands), hands * chance
        seen = (printed(chance, 4), printed(expected) / hands)
        return {
            "mark": mark_words(p["mark"]),
            "chance": decimal(chance, 4),
            "expected": decimal(expected),
            "share": share,
            "sd": sd,
            "from_printed": tuple(frequency_error(each, hands) for each in seen if each < 1),
            "variance": chance * (1 - chance) / hands,
            "opposite": 1 - chance,
        }

    def facts_c(self, p: Parameters) -> Facts:
        """How many hands make the spread of a share so many times smaller."""
        hands, times = p["hands"], p["times"]
        root = 3 if times == 2 else 2
        return {
            "all_hands": hands * times**2,
            "hands_by_variance": hands * times,
            "root": root,
            "more": root**2,
        }


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
