"""Who can hold what, before and after something was seen: each exact, by counting deals.

At a table of four, to be told of in lessons: you, then Ada, Ben and Cleo. All unseen deals are
equally likely beforehand, and what was seen rules some of them out; nothing else is read into a
play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from games.rules import DECK, HAND_SIZE, Call, Card, Shape
from lessons.probability import CARDS, WIKIPEDIA, hands_by_bid, hypergeometric
from lessons.unseen import Holding, Unseen

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

ONE_BALL = Call(Shape.BALL, 1)
BID = 4
OWN = 2
"""Cards with 1 ball that you hold yourself where one of them is led."""

MOST = 5
"""The last column of a strip: so many or more."""

ADA, OTHERS, UNDEALT = _("Ada"), _("Ben, and Cleo alike"), _("Not dealt")


@dataclass(frozen=True, slots=True)
class HoldingPlace:
    """Who may hold the cards, and how likely how many of them: before and after."""

    name: StrOrPromise
    before: Holding
    after: Holding


@dataclass(frozen=True, slots=True)
class Strip:
    """The places of one situation; ``what`` says which cards are counted, and what was seen
    between before and after. One place stands for Ben and for Cleo."""

    what: StrOrPromise
    places: tuple[HoldingPlace, ...]


def mean(holding: Holding) -> Fraction:
    """How many of the cards a seat holds on average."""
    return sum((k * chance for k, chance in enumerate(holding)), Fraction())


# A bid.


@cache
def ones_by_bid() -> Mapping[int, Mapping[int, int]]:
    """Hands by the bid and by how many of their cards show 1 ball."""
    return hands_by_bid(WIKIPEDIA, lambda card: card.shows(ONE_BALL))


def chance_of_bid(bid: int) -> Fraction:
    """The chance that the encyclopedia's tip bids so many, before the hook."""
    return Fraction(sum(ones_by_bid()[bid].values()), comb(CARDS, HAND_SIZE))


def ones_given_bid(bid: int) -> Holding:
    """P(0), P(1), … cards with 1 ball in the hand of somebody who bids so many by that tip."""
    ways = ones_by_bid()[bid]
    whole = sum(ways.values())
    return tuple(Fraction(ways.get(k, 0), whole) for k in range(HAND_SIZE + 1))


def _bid() -> Strip:
    """The strip of the cards with 1 ball in hands before and after Ada's bid."""
    before = _in_hand(CARDS, 27)
    ada = ones_given_bid(BID)
    others = _mixture(
        (chance, _in_hand(CARDS - HAND_SIZE, 27 - k)) for k, chance in enumerate(ada)
    )
    return Strip(
        _("Cards with 1 ball in a hand, before and after Ada bids 4"),
        (HoldingPlace(ADA, before, ada), HoldingPlace(OTHERS, before, others)),
    )


def _in_hand(cards: int, marked: int) -> Holding:
    chances = hypergeometric(cards, marked, HAND_SIZE)
    return tuple(chances.get(k, Fraction()) for k in range(HAND_SIZE + 1))


def _mixture(parts: Iterable[tuple[Fraction, Holding]]) -> Holding:
    weighed = [[weight * chance for chance in holding] for weight, holding in parts]
    return tuple(sum(column, Fraction()) for column in zip(*weighed, strict=True))


# A first lead of 1 ball, from a hand with OWN such cards, answered by Ada.


def _led(*, void: bool) -> tuple[Unseen, tuple[Card, ...]]:
    """The unseen cards as Ada leads (``void``: she has no 1 ball), and their 1 balls."""
    ones = [card for card in DECK if card.shows(ONE_BALL)]
    others = [card for card in DECK if not card.shows(ONE_BALL)]
    own = {*ones[:OWN], *others[: HAND_SIZE - OWN]}
    unseen = tuple(card for card in DECK if card not in own)
    voids = (
        frozenset({ONE_BALL}) if void else frozenset(),
        frozenset[Call](),
        frozenset[Call](),
    )
    hands = Unseen(unseen, (0, *[HAND_SIZE] * 3), (frozenset(), *voids))
    return hands, tuple(card for card in unseen if card.shows(ONE_BALL))


@cache
def _holdings(*, void: bool) -> tuple[Holding, ...]:
    hands, ones = _led(void=void)
    return hands.holdings(ones)[1:]


@cache
def followed() -> tuple[Holding, ...]:
    """By place P(0), P(1), … of its cards with 1 ball, if Ada holds at least one."""
    none = _holdings(void=False)[0][0]
    return tuple(
        tuple(
            (all_ - none * without) / (1 - none)
            for all_, without in zip(before, void, strict=True)
        )
        for before, void in zip(_holdings(void=False), _holdings(void=True), strict=True)
    )


def _trick(what: StrOrPromise, after: tuple[Holding, ...]) -> Strip:
    ada, ben, _cleo, undealt = zip(_holdings(void=False), after, strict=True)
    return Strip(
        what,
        (HoldingPlace(ADA, *ada), HoldingPlace(OTHERS, *ben), HoldingPlace(UNDEALT, *undealt)),
    )


_MAKERS: dict[str, Callable[[], Strip]] = {
    "bid": _bid,
    "slough": lambda: _trick(
        _("Cards with 1 ball at each place, before and after Ada sloughs"),
        _holdings(void=True),
    ),
    "follow": lambda: _trick(
        _("Cards with 1 ball that each held at Ada’s turn, before and after she follows"),
        followed(),
    ),
}
KEYS = tuple(_MAKERS)


@cache
def strip(key: str) -> Strip:
    """The strip of this name; KeyError if there is none."""
    return _MAKERS[key]()
