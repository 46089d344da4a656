"""Cards, calls and moves in words, as they are read and heard at the table."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import get_language, gettext, ngettext

from games.rules import Bid, Call, Card, Play, Shape, parse_move


def call_words(call: Call) -> str:
    """E.g. "2 stars"."""
    return _call_words(call, get_language())


@lru_cache(maxsize=100)
def _call_words(call: Call, _language: str) -> str:
    number = call.number
    words = {
        Shape.BALL: ngettext("%(n)d ball", "%(n)d balls", number),
        Shape.CUBE: ngettext("%(n)d cube", "%(n)d cubes", number),
        Shape.CONE: ngettext("%(n)d cone", "%(n)d cones", number),
        Shape.STAR: ngettext("%(n)d star", "%(n)d stars", number),
    }
    return words[call.shape] % {"n": number}


def card_words(card: Card) -> str:
    """E.g. "9: 1 ball, 3 cubes, 3 cones, 2 stars"."""
    return _card_words(card, get_language())


@lru_cache(maxsize=1000)
def _card_words(card: Card, _language: str) -> str:
    return f"{card.value}: " + ", ".join(map(call_words, card.calls))


def move_words(name: str, text: str) -> str:
    """A move told in one sentence, e.g. "Quiet Otter plays 9: …, and calls 2 stars."."""
    move = parse_move(text)
    if isinstance(move, Bid):
        return gettext("%(name)s bids %(bid)d.") % {"name": name, "bid": move.number}
    return _play_words(name, move)


def _play_words(name: str, play: Play) -> str:
    card = card_words(play.card)
    if play.call is None:
        return gettext("%(name)s plays %(card)s.") % {"name": name, "card": card}
    return gettext("%(name)s leads %(card)s, and calls %(call)s.") % {
        "name": name,
        "card": card,
        "call": call_words(play.call),
    }
