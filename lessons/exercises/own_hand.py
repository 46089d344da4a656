"""Questions about the student's own hand and public plays: types 13, 14 and 28."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from random import Random
from typing import Any

from games.rules import DECK, HAND_SIZE, Call, parse_call, parse_card
from games.words import call_words, listed
from lessons.exercises.answers import tell_apart
from lessons.exercises.contexts import Context, OwnHand
from lessons.exercises.deck import CALLS, from_variance
from lessons.exercises.engine import Level, NoVariant, Parameters
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import (
    cards_words,
    codes,
    decimal,
    printed,
    tex_decimal,
    tex_number,
    tex_over,
)
from lessons.exercises.written import Written
from lessons.probability import (
    CARDS,
    Exact,
    mean,
    root,
    value_counts,
    variance,
    variance_of_mean,
)

UNSEEN = CARDS - HAND_SIZE
"""How many cards of the deck are not in one's own hand."""

MOST_FALLEN = 5
"""As many undealt cards may be seen at once."""


def own(context: Context) -> OwnHand:
    """The context's own hand."""
    if context.hand is None:
        raise NoVariant("no hand")
    return context.hand


def hand_parameters(hand: OwnHand) -> Parameters:
    """The parameters of every own hand: ``dealt``, its eight codes, and ``invented``."""
    return {"dealt": list(codes(hand.dealt)), "invented": hand.invented}


def fresh(context: Context) -> OwnHand:
    """The own hand before the first card is played."""
    hand = own(context)
    if not hand.is_fresh:
        raise NoVariant("a card has been played")
    return hand


class HandPart(StrEnum):
    """What is asked of a hand's spread, as stored: the hand alone, or its mean among all."""

    SUMMARY = "summary"
    MEAN = "z"


class HandSpread(Written):
    key = "hand-spread"

    def draw(self, rng: Random, context: Context) -> Parameters:
        return {**hand_parameters(own(context)), "part": HandPart.SUMMARY}

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters; at B of the hand alone, at C of its mean among the means of all hands,
        which needs the SD of a mean of cards that are not put back."""
        return {**self.draw(rng, context), "part": HandPart.MEAN}

    def level_of(self, parameters: Mapping[str, Any]) -> str:
        """The level of its part, as of questions from before this type had levels."""
        return Level.C if parameters.get("part") == HandPart.MEAN else Level.B

    def facts_b(self, p: Parameters) -> Facts:
        """Mean, median, mode, variance and standard deviation of the hand's values."""
        values = _values(p)
        counts = Counter(values)
        squares, median = variance(counts), Fraction(values[3] + values[4], 2)
        sd = root(squares)
        often = [value for value, n in counts.items() if n == max(counts.values())]
        return {
            "values": ", ".join(map(str, values)),
            "total": sum(values),
            "mean": mean(counts),
            "median": median,
            "mode": often[0] if len(often) == 1 else "none",
            "variance": squares,
            "sd": sd,
            "sd_of_rounded": from_variance(squares),
            "sample_sd": root(squares * Fraction(HAND_SIZE, HAND_SIZE - 1)),
            "median_worked": f"{tex_over(f'{values[3]} + {values[4]}', 2)} = {_plain(median)}",
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The hand's mean among the means of all hands."""
        total, whole = sum(_values(p)), value_counts()
        centre = Fraction(total, HAND_SIZE)
        one = variance(whole)
        of_mean = variance_of_mean(one, HAND_SIZE)
        away, sd = centre - mean(whole), root(of_mean)
        sign = -1 if away < 0 else 1
        z = root(away**2 / of_mean, sign)
        return {
            "total": total,
            "mean": centre,
            "z": z,
            "z_of_rounded": tuple(away / printed(sd, digits) for digits in (3, 4)),
            "z_of_card": root(away**2 / one, sign),
            "flipped": root(away**2 / of_mean, -sign),
            "sd": sd,
        }


def _values(p: Parameters) -> list[int]:
    """The values of the cards dealt, in order."""
    return sorted(parse_card(code).value for code in p["dealt"])


class UnseenCard(Written):
    key = "unseen-card"

    def draw(self, rng: Random, context: Context) -> Parameters:
        return {**hand_parameters(fresh(context)), "call": rng.choice(CALLS)}

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters; at C with some undealt cards seen, drawn by chance, not as they lie."""
        drawn = self.draw(rng, context)
        unseen = fresh(context).unseen
        if unseen.undealt < MOST_FALLEN:
            raise NoVariant("nearly all cards are dealt")
        fallen = rng.sample(unseen.cards, rng.randint(3, MOST_FALLEN))
        return {**drawn, "fallen": list(codes(sorted(fallen, key=DECK.index)))}

    def facts_b(self, p: Parameters) -> Facts:
        """The chance that an unseen card shows the call."""
        call = parse_call(p["call"])
        size, held = CARDS // 3, _showing(call, p["dealt"])
        chance = Fraction(size - held, UNSEEN)
        due = Fraction(2 * HAND_SIZE, 3) - held  # so that two hands together are average
        return {
            "call": call_words(call),
            "held": held,
            "chance": chance,
            "in_deck": Fraction(size, CARDS),
            "of_all": Fraction(size - held, CARDS),
            "of_hidden": Fraction(size, UNSEEN),
            "due": due / HAND_SIZE if due > 0 else None,
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The chance once more cards are seen: both counts shrink, it may go either way."""
        call, fell = parse_call(p["call"]), len(p["fallen"])
        some, shown = CARDS // 3 - _showing(call, p["dealt"]), _showing(call, p["fallen"])
        left, rest = some - shown, UNSEEN - fell
        before, now = Fraction(some, UNSEEN), Fraction(left, rest)
        over = tex_over(f"{some} - {shown}", f"{UNSEEN} - {fell}")
        return {
            "call": call_words(call),
            "some": some,
            "unseen": UNSEEN,
            "fallen_cards": cards_words(fell),
            "shown": shown,
            "chance": now,
            "tells": "more" if now > before else "less" if now < before else "same",
            "before": before,
            "of_before": Fraction(left, UNSEEN),
            "of_rest": Fraction(some, rest),
            "chance_worked": f"{over} = {tex_over(left, rest)} {tex_decimal(now)}",
        }


def _showing(call: Call, cards: Sequence[str]) -> int:
    """How many of these cards, by code, show a call."""
    return sum(parse_card(code).shows(call) for code in cards)


def _plain(exact: Exact, digits: int = 4) -> str:
    return tex_number(decimal(exact, digits))


class Distances(Written):
    key = "distances"

    def draw(self, rng: Random, context: Context) -> Parameters:
        """Parameters with one's own cards, or invented ones with an easy mean."""
        hand = own(context)
        if not hand.invented:
            return hand_parameters(hand)
        while True:
            cards = rng.sample(DECK, HAND_SIZE)
            values = [card.value for card in cards]
            if sum(values) % 4 == 0 and 3 <= len(set(values)) <= 5:
                return {**hand_parameters(hand), "dealt": list(codes(cards))}

    def facts_a(self, p: Parameters) -> Facts:
        """Distances of values from their mean, and the mean distance."""
        counts = _counts(p)
        centre = mean(counts)
        away = {value: abs(value - centre) for value in counts}
        total = sum((n * away[value] for value, n in counts.items()), Fraction())
        average = total / HAND_SIZE
        terms = [
            rf"{n} \cdot {tex_number(decimal(away[value], 4))}" for value, n in counts.items()
        ]
        return {
            "mean": centre,
            "average": average,
            "values": [
                {"key": f"d{value}", "right": away[value], "value": value, "cards": n}
                for value, n in counts.items()
            ],
            "each_value_once": _each_once(away, average),
            "differences": [{f"d{value}": -gap} for value, gap in away.items() if gap],
            "sum": sum(value * n for value, n in counts.items()),
            "distances": listed(decimal(distance, 4) for distance in away.values()),
            "weighed": f"({' + '.join(terms)})",
        }

    def facts_b(self, p: Parameters) -> Facts:
        """Squared distances of values from their mean, variance and standard deviation."""
        counts = _counts(p)
        centre, squares = mean(counts), variance(counts)
        square = {value: (value - centre) ** 2 for value in counts}
        total, sd = squares * HAND_SIZE, root(squares)
        return {
            "mean": decimal(centre, 4),
            "values": [
                {
                    "key": f"s{value}",
                    "right": square[value],
                    "value": value,
                    "cards": n,
                    "distance": decimal(abs(value - centre), 4),
                }
                for value, n in counts.items()
            ],
            "variance": squares,
            "sd": sd,
            "sd_of_printed": from_variance(squares),
            "each_value_once": _each_once(square, squares),
            "sample_variance": total / (HAND_SIZE - 1),
            "variance_for_sd": squares if tell_apart(squares, sd) else None,
            "squares": listed(decimal(each, 4) for each in square.values()),
            "weighed": tex_number(decimal(total, 5)),
        }


def _counts(p: Parameters) -> dict[int, int]:
    """How many cards of the hand have each value, the lowest first."""
    values = sorted(parse_card(code).value for code in p["dealt"])
    return dict(Counter(values))


def _each_once(of_values: Mapping[int, Fraction], right: Fraction) -> Fraction | None:
    """The mean with each value taken once, if these very cards tell it from the right one."""
    once = sum(of_values.values(), Fraction()) / len(of_values)
    return once if tell_apart(once, right) else None
