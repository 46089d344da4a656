"""Questions about events of one card, and about two cards: types 6 to 9."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any

from games.rules import DECK, Card, parse_call
from games.words import call_words
from lessons.exercises.contexts import Context
from lessons.exercises.deck import ALL_SHAPES, CALLS, deck_words, draw_deck, value_rows
from lessons.exercises.engine import EDITION, Parameters
from lessons.exercises.page import stock_text
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import tex, tex_decimal, tex_over
from lessons.exercises.written import Written
from lessons.probability import CARDS, SHAPES, equal_values, value_counts


class InverseChance(Written):
    key = "inverse-chance"

    def draw(self, rng: Random, context: Context) -> Parameters:
        card = rng.choice(DECK)
        return {"call": str(rng.choice(card.calls)), "value": card.value}

    def facts_b(self, p: Parameters) -> Facts:
        """The chance of one event given the other, and the other way round."""
        call, value = ["call", p["call"]], ["value", p["value"]]
        both, show, have = count_cards(call, value), count_cards(call), count_cards(value)
        shown, valued = Fraction(both, have), Fraction(both, show)
        return {
            "call": call_words(parse_call(p["call"])),
            "both": both,
            "shown": shown,
            "valued": valued,
            "joint": Fraction(both, CARDS),
            "having": have,
            "showing": show,
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The chance of one event given the other, from the other direction's chances alone."""
        facts = self.facts_b(p)
        shown, valued, joint = facts["shown"], facts["valued"], facts["joint"]
        return {**facts, "call_share": joint / valued, "value_share": joint / shown}


# Two events at once: ["call", "1-ball"], ["value", 10] or ["least", 9]


class EventKind(StrEnum):
    """What a card of an event shows: a call; just this value; it or more."""

    CALL = "call"
    VALUE = "value"
    LEAST = "least"


def holds(event: Sequence[Any], card: Card) -> bool:
    """Whether a card belongs to this event."""
    what, of = event
    if what == EventKind.CALL:
        return card.shows(parse_call(of))
    return card.value == int(of) if what == EventKind.VALUE else card.value >= int(of)


def event_words(event: Sequence[Any]) -> str:
    """A sentence on a card that belongs to this event, e.g. "the card shows 1 ball."."""
    what, of = event
    if what == EventKind.CALL:
        return stock_text("event-call", call=call_words(parse_call(of)))
    return stock_text(f"event-{what}", value=of)


def count_cards(*events: Sequence[Any]) -> int:
    """How many cards of the deck belong to all of these events."""
    return len(_ALL.intersection(*(_cards_of(*event) for event in events)))


_ALL = frozenset(card.code for card in DECK)


@lru_cache(maxsize=256)
def _cards_of(what: str, of: Any) -> frozenset[str]:
    return frozenset(card.code for card in DECK if holds((what, of), card))


class EitherChance(Written):
    key = "either-chance"

    def draw(self, rng: Random, context: Context) -> Parameters:
        other = rng.choice(
            (
                ["call", rng.choice(CALLS)],
                ["value", rng.randint(5, 11)],
                ["least", rng.randint(8, 11)],
            )
        )
        return {"events": [["call", rng.choice(CALLS)], other]}

    def facts(self, p: Parameters) -> Facts:
        """The chances of two events, of one or the other, and of both."""
        one, other = p["events"]
        first, second, both = count_cards(one), count_cards(other), count_cards(one, other)
        return {
            "one": event_words(one),
            "other": event_words(other),
            "first": first,
            "second": second,
            "both": both,
            "added": Fraction(first + second, CARDS),
            "joint": Fraction(both, CARDS),
            "some": first + second - both,
            "either": Fraction(first + second - both, CARDS),
        }


class Independence(Written):
    key = "independence"

    def draw(self, rng: Random, context: Context) -> Parameters:
        """The chance of both is the product of the two, larger, or smaller: each as often."""
        wanted = rng.choice(("equal", "larger", "smaller"))
        while True:
            first = rng.choice(CALLS)
            shape = first.partition("-")[2]
            others: tuple[list[Any], ...] = (
                ["call", rng.choice([c for c in CALLS if not c.endswith(shape)])],
                ["call", rng.choice([c for c in CALLS if c.endswith(shape) and c != first])],
                ["least", rng.randint(8, 11)],
                ["value", rng.randint(5, 11)],
            )
            events = ["call", first], rng.choice(others)
            if _both(*events) == wanted:
                return {"events": list(events), EDITION: 2}

    def facts_b(self, p: Parameters) -> Facts:
        """The chance of both beside the product of the two; the first edition's questions do
        not say which is larger."""
        facts = _event_facts(p)
        first, second, both = facts["first"], facts["second"], facts["both"]
        beside = _both(*p["events"])
        product = Fraction(first * second, CARDS**2)
        sign = "=" if beside == "equal" else r"\ne"
        return {
            **facts,
            "independent": "yes" if beside == "equal" else "no",
            "reason": beside if EDITION in p or beside == "equal" else "unequal",
            "compared": rf"{tex_over(first, CARDS)} \cdot {tex_over(second, CARDS)} "
            rf"= {tex(product)} {sign} {tex_over(both, CARDS)}",
        }

    def facts_a(self, p: Parameters) -> Facts:
        """The same by counting: B in the whole deck, and among the cards that fit A."""
        facts = _event_facts(p)
        first, second, both = facts["first"], facts["second"], facts["both"]
        before, given = Fraction(second, CARDS), Fraction(both, first)
        call, other = p["events"]
        return {
            **facts,
            "tells": "same" if given == before else "less" if given < before else "more",
            "other_is": other[0],
            "call": call_words(parse_call(call[1])),
            "cards_by_value": [
                (*row, str(count_cards(call, ["value", row[0]])))
                for row in value_rows(value_counts())
            ],
            "before": before,
            "given": given,
        }


def _event_facts(p: Parameters) -> Facts:
    """Two events, and how many cards belong to them."""
    one, other = p["events"]
    return {
        "one": event_words(one),
        "other": event_words(other),
        "all": CARDS,
        "first": count_cards(one),
        "second": count_cards(other),
        "both": count_cards(one, other),
    }


def _both(one: Sequence[Any], other: Sequence[Any]) -> str:
    """How the chance of both lies beside the product of the two chances."""
    both, product = count_cards(one, other) * CARDS, count_cards(one) * count_cards(other)
    return "equal" if both == product else "larger" if both > product else "smaller"


class EqualValues(Written):
    key = "equal-values"

    def draw(self, rng: Random, context: Context) -> Parameters:
        return draw_deck(rng)

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters; at C also of decks with more counts than ours; there are few others."""
        shapes = sorted(rng.sample(ALL_SHAPES, rng.randint(2, SHAPES)))
        return {"shapes": shapes, "counts": list(range(1, rng.randint(2, 5) + 1))}

    def facts_b(self, p: Parameters) -> Facts:
        """The chance that two cards of a deck have equal values."""
        values = value_counts(len(p["shapes"]), p["counts"])
        cards, chance = sum(values.values()), equal_values(values)
        commonest = max(values, key=lambda value: values[value])
        ways = sum(n * (n - 1) for n in values.values())
        terms = " + ".join(rf"{n} \cdot {n - 1}" for n in values.values() if n > 1)
        return {
            "deck": deck_words(p["shapes"], p["counts"]),
            "cards_by_value": value_rows(values),
            "equal": chance,
            "put_back": Fraction(sum(n**2 for n in values.values()), cards**2),
            "one_value": Fraction(1, len(values)),
            "commonest": commonest,
            "pairs": values[commonest] * (values[commonest] - 1),
            "chance_worked": rf"({terms}) / ({cards} \cdot {cards - 1}) = "
            f"{tex_over(ways, cards * (cards - 1))} {tex_decimal(chance)}",
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The chance of a higher value, from that of equal ones: neither card is favoured."""
        equal = equal_values(value_counts(len(p["shapes"]), p["counts"]))
        differ, wins = 1 - equal, (1 + equal) / 2
        higher = differ / 2
        return {
            "deck": deck_words(p["shapes"], p["counts"]),
            "equal": equal,
            "differ": differ,
            "higher": higher,
            "wins": wins,
        }
