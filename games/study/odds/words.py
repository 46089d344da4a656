"""Simulated and exact chances in words, and cards and plays as the odds name them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from django.utils.translation import gettext as _

from games.analysis.counting import Safety
from games.analysis.odds import Promise
from games.analysis.outcomes import Outcome
from games.rules import Card, Play
from games.words import all_of, call_words, number, percent, sentences

# Numbers in words.


def simulated_percent(promise: Promise, *, short: bool = False) -> str:
    """The simulated chance of taking the trick: certain only where it is so by counting."""
    share, safety = chance(promise.outcome), promise.safety
    if share == 0 and safety.takes:
        share = 0.001
    elif share == 1 and safety.chance < 1:
        share = 0.999
    return percent(share, short=short)


def error_words(promise: Promise) -> str:
    """The standard error in percentage points; none where counting makes it certain."""
    if not promise.safety.takes or promise.safety.chance == 1:
        return "–"
    error = promise.outcome.chance_error or 0.0
    return number(error * 100) if error >= 0.0005 else _("under %s") % number(0.1)


def safety_words(safety: Safety) -> str:
    """Sentences on how safe a card is, counted, and on how that was found."""
    if not safety.takes:
        return _("It can’t take the trick.")
    if not safety.opponents:
        return _("You play last: it takes the trick.")
    if not safety.beaters:
        return _("No unseen card beats it: a sure trick.")
    beaters = _("Unseen cards that beat this: %(n)d of %(unseen)d.")
    nobody = _("Nobody still to play holds one in %(chance)s of deals (voids ignored).")
    return sentences(
        beaters % {"n": safety.beaters, "unseen": safety.unseen},
        nobody % {"chance": percent(safety.chance)},
    )


def play_words(play: Play, hand: Sequence[Card] = ()) -> str:
    """A play as one says it: "the 9, calling 2 stars", or "the 9"; "the 9 with 1 ball" where
    this hand holds another 9."""
    card = _card_words(play.card, hand)
    if play.call is None:
        return card
    return _("%(card)s, calling %(call)s") % {"card": card, "call": call_words(play.call)}


def _card_words(card: Card, hand: Sequence[Card]) -> str:
    facts = {"value": card.value, "mark": card_mark(card, hand)}
    words = _("the %(value)d with %(mark)s") if facts["mark"] else _("the %(value)d")
    return words % facts


def card_mark(card: Card, hand: Sequence[Card]) -> str:
    """Words that tell the card from others of its value in the hand, as few as do: "1 ball", or
    "1 ball and 3 cubes"; empty if it is alone."""
    others = [other for other in hand if other.value == card.value and other != card]
    for size in range(1, len(card.calls) + 1 if others else 1):
        for calls in combinations(card.calls, size):
            if not any(all(map(other.shows, calls)) for other in others):
                return all_of([call_words(call) for call in calls])
    return ""


def chance(outcome: Outcome) -> float:
    """The simulated chance of taking the trick in play."""
    assert outcome.chance is not None
    return outcome.chance
