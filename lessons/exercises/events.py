"""Questions about chances and events of one card: types 6 and 7."""

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
from lessons.exercises.deck import CALLS
from lessons.exercises.engine import Parameters
from lessons.exercises.page import stock_text
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import tex, tex_decimal, tex_over
from lessons.exercises.written import Written
from lessons.probability import CARDS


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
            "shown_worked": f"{tex_over(both, have)} {tex_decimal(shown)}",
            "valued_worked": f"{tex_over(both, show)} {tex_decimal(valued)}",
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The chance of one event given the other, from the other direction's chances alone."""
        facts = self.facts_b(p)
        shown, valued, joint = facts["shown"], facts["valued"], facts["joint"]
        call_share, value_share = joint / valued, joint / shown
        return {
            **facts,
            "call_share": call_share,
            "value_share": value_share,
            "joint_worked": rf"{tex(call_share)} \cdot {tex(valued)} = {tex(joint)}",
            "shown_worked": f"{tex(joint)} : {tex(value_share)} = "
            f"{tex(shown)} {tex_decimal(shown)}",
        }


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

    def facts_b(self, p: Parameters) -> Facts:
        """The chance of one or the other of two events."""
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
            "either": Fraction(first + second - both, CARDS),
            "either_worked": _chance_worked(first, second, both),
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The chance of both, from the other three."""
        facts = self.facts_b(p)
        first, second = facts["first"], facts["second"]
        either = first + second - facts["both"]
        return {
            **facts,
            "first_chance": f"{first}/{CARDS}",
            "second_chance": f"{second}/{CARDS}",
            "either_chance": f"{either}/{CARDS}",
            "joint_worked": _chance_worked(first, second, either),
        }


def _chance_worked(first: int, second: int, less: int) -> str:
    """The TeX of the chance of the cards that two numbers make, less a third."""
    cards = first + second - less
    return (
        f"{tex_over(f'{first} + {second} - {less}', CARDS)} = "
        f"{tex_over(cards, CARDS)} {tex_decimal(Fraction(cards, CARDS))}"
    )
