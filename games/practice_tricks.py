"""Tricks to practise on before there is a table: three cards, a call, which one wins. What is
said of each card follows from the rules."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext

from games.rules import Call, Card, Trick, parse_call, parse_card
from games.words import call_words

TRICKS = (
    ("2-star", "1312 3333 3222"),
    ("3-ball", "2333 3111 1333"),
    ("1-cone", "3312 2323 3213"),
)
"""A call, and three cards in the order in which they were played: a 12 that does not show it,
a 6 that alone does, two 9s that both do."""


class PracticeCard(NamedTuple):
    """A card that can be chosen, what is said of it, and what speaks against it in a word or
    two, once the winner is known."""

    code: str
    is_right: bool
    counts: bool
    words: str
    mark: str = ""


class PracticeTrick(NamedTuple):
    """A call, how it is won, and the cards of which one wins it."""

    call: Call
    rule: str
    answers: tuple[PracticeCard, ...]


def practice_tricks(most: int = len(TRICKS)) -> list[PracticeTrick]:
    """The first so many of them."""
    return [_practice_trick(parse_call(call), cards) for call, cards in TRICKS[:most]]


def _practice_trick(call: Call, codes: str) -> PracticeTrick:
    cards = [parse_card(code) for code in codes.split()]
    winner = cards[Trick(leader=0, call=call, plays=tuple(enumerate(cards))).winner or 0]
    rule = gettext("Only cards with exactly %(call)s count. The highest wins.")
    return PracticeTrick(
        call,
        rule % {"call": _in_one_line(call)},
        tuple(_trick_answer(card, winner, call) for card in cards),
    )


def _trick_answer(card: Card, winner: Card, call: Call) -> PracticeCard:
    facts = {"call": _in_one_line(call)}
    if card is winner:
        words, mark = gettext("Yes! It’s the highest card with exactly %(call)s."), ""
    elif not card.shows(call):
        mark = _in_one_line(Call(call.shape, card.counts[call.shape.position]))
        facts["has"] = mark
        words = gettext("Not that one: it shows %(has)s, not %(call)s.")
    elif card.value == winner.value:
        words = gettext("Not quite: if two are equal, the later one wins.")
        mark = gettext("earlier")
    else:
        words = gettext("It counts: %(call)s. Is there a higher one that does?")
        mark = gettext("lower")
    return PracticeCard(card.code, card is winner, card.shows(call), words % facts, mark)


def _in_one_line(call: Call) -> str:
    """A call in words that no line parts."""
    return call_words(call).replace(" ", "\N{NO-BREAK SPACE}")
