"""Tricks to practise on before there is a table: three cards, a call, which one wins; and three
cards to lead from, which of them surely wins. What is said of each follows from the rules."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import NamedTuple

from django.utils.translation import gettext, ngettext

from games.analysis.counting import beaters
from games.analysis.deals import CALLS
from games.rules import DECK, Call, Card, Trick, by_value, parse_call, parse_card
from games.words import call_words
from xactika_site.randomness import system_rng

TRICKS = (
    ("2-star", "1312 3333 3222"),
    ("3-ball", "2333 3111 1333"),
    ("1-cone", "3312 2323 3213"),
)
"""A call, and three cards in the order in which they were played: a 12 that does not show it,
a 6 that alone does, two 9s that both do."""
LEADS = ("3333 2222 1122", "3222 1333 2233")
"""Cards to lead from, of which one has a call that no other card of the deck beats: the 12
first, then a 10."""
DEALT = 4
"""Tricks dealt by chance before a lead that is."""


class PracticeCard(NamedTuple):
    """A card that can be chosen, what is said of it, and what speaks against it in a word or
    two; where one leads, its best call, in words too, and the cards that beat it even so."""

    code: str
    is_right: bool
    words: str
    mark: str = ""
    call: Call | None = None
    beaters: tuple[str, ...] = ()


class PracticeTrick(NamedTuple):
    """What is asked, how the trick is won, and the cards of which one wins it: by the call that
    was made, or, where one leads (None), by its own."""

    call: Call | None
    question: str
    rule: str
    answers: tuple[PracticeCard, ...]


def practice_tricks(most: int = len(TRICKS) + len(LEADS)) -> list[PracticeTrick]:
    """The first practice tricks, ``most`` with the lead that comes last."""
    tricks = [_trick(parse_call(call), _cards(codes)) for call, codes in TRICKS]
    *steps, last = (*tricks, *(_lead(_cards(codes)) for codes in LEADS))
    return [*steps[: most - 1], last]


def dealt_tricks(rng: Random = system_rng) -> list[PracticeTrick]:
    """Practice tricks dealt by chance, a lead the last."""
    calls = rng.sample(CALLS, DEALT)
    lead = _lead(rng.sample(DECK, 3))
    while sum(answer.is_right for answer in lead.answers) != 1:
        lead = _lead(rng.sample(DECK, 3))
    return [*(_trick(call, _dealt(call, rng)) for call in calls), lead]


def _dealt(call: Call, rng: Random) -> list[Card]:
    """Three cards: two that show the call, and one that does not, if possible the highest."""
    showing = rng.sample([card for card in DECK if card.shows(call)], 2)
    most = max(card.value for card in showing)
    others = [card for card in DECK if not card.shows(call)]
    higher = [card for card in others if card.value > most]
    cards = [*showing, rng.choice(higher or others)]
    rng.shuffle(cards)
    return cards


def _cards(codes: str) -> list[Card]:
    return [parse_card(code) for code in codes.split()]


def _trick(call: Call, cards: list[Card]) -> PracticeTrick:
    winner = cards[Trick(leader=0, call=call, plays=tuple(enumerate(cards))).winner or 0]
    rule = gettext("The largest number with exactly %(call)s wins.")
    return PracticeTrick(
        call,
        question=gettext("Which card wins?"),
        rule=rule % {"call": _in_one_line(call)},
        answers=tuple(_trick_answer(card, winner, call) for card in cards),
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
        words, mark = gettext("Not quite: if two are equal, the later one wins."), ""
    else:
        words, mark = gettext("It has %(call)s. Is there a higher card with %(call)s, too?"), ""
    return PracticeCard(card.code, card is winner, words % facts, mark)


def _lead(cards: list[Card]) -> PracticeTrick:
    """Which card to lead so that nobody beats it, in a bid of 1."""
    others = [card for card in DECK if card not in cards]
    best = {card: min(card.calls, key=partial(beaters, card, unseen=others)) for card in cards}
    fewest = {card: beaters(card, call, others) for card, call in best.items()}
    answers = []
    for card, better in fewest.items():
        words = gettext("Yes! Call %(call)s: nobody can beat it.")
        if better:
            words = ngettext(
                "Not quite: even with %(call)s, %(n)d card beats it.",
                "Not quite: even with %(call)s, %(n)d cards beat it.",
                better,
            )
        said = words % {"call": _in_one_line(best[card]), "n": better}
        mark = _in_one_line(best[card])
        by = tuple(
            other.code
            for other in by_value(others)
            if other.value >= card.value and other.shows(best[card])
        )
        answers.append(PracticeCard(card.code, not better, said, mark, best[card], by))
    return PracticeTrick(
        None,
        question=gettext("Which card can nobody beat?"),
        rule=gettext("A card with your exact call, as high or higher, beats yours."),
        answers=tuple(answers),
    )


def _in_one_line(call: Call) -> str:
    """A call in words that no line parts."""
    return call_words(call).replace(" ", "\N{NO-BREAK SPACE}")
