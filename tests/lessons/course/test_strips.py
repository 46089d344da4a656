"""Who can hold what, before and after: beside a simulation by other code, and closed forms."""

from __future__ import annotations

from fractions import Fraction
from math import comb, sqrt

import numpy as np
import pytest

from games.analysis import bots
from games.rules import DECK
from lessons.course.strips import BID, KEYS, chance_of_bid, mean, strip
from lessons.probability import PRINTED, WIKIPEDIA, hands_by_bid
from lessons.visits.evidence import strips_of

DEALS = 200_000


def dealt() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ada's bid by the encyclopedia's tip, her cards with 1 ball and Ben's, in many deals."""
    rng = np.random.default_rng(10)
    places = np.argsort(rng.random((DEALS, 81), np.float32), axis=1)[:, :16]
    value = np.array([card.value for card in DECK])[places]
    ones = np.array([card.counts[0] == 1 for card in DECK])[places]
    ada = value[:, :8]
    bid = (ada >= 11).sum(1) + ((ada >= 9) & (ada <= 10)).sum(1) // 2
    return bid, ones[:, :8].sum(1), ones[:, 8:].sum(1)


def test_a_bid_as_it_is_dealt() -> None:
    bid, ada, ben = dealt()
    kept = bid == BID
    share = float(chance_of_bid(BID))
    assert kept.mean() == pytest.approx(share, abs=4 * sqrt(share / DEALS))
    first, other = strip("bid").places
    for hand, told in ((ada, first), (ben, other)):
        for cases, exact in ((hand, told.before), (hand[kept], told.after)):
            for k, chance in enumerate(exact):
                error = sqrt(max(float(chance), 0.001) / len(cases))
                assert (cases == k).mean() == pytest.approx(float(chance), abs=4.5 * error)


@pytest.mark.parametrize(
    ("tip", "bid_of"), [(WIKIPEDIA, bots.wikipedia_bid), (PRINTED, bots.printed_bid)]
)
def test_hands_by_bid_on_every_hand_of_a_kind(tip: dict[int, int], bid_of: object) -> None:
    """All hands together are C(81, 8), and each kind of card counts as the bot counts it."""
    hands = hands_by_bid(tip, lambda card: card.counts[2] == 3)
    assert sum(sum(by.values()) for by in hands.values()) == comb(81, 8)
    none = sum(by.get(0, 0) for by in hands.values())
    assert none == comb(54, 8)
    for card in DECK:
        assert bid_of([card, card]) == tip[card.value]  # type: ignore[operator]


def test_a_slough_moves_each_card_to_the_places_that_are_left() -> None:
    ada, ben, undealt = strip("slough").places
    assert ada.after[0] == 1
    assert ben.after[:9] == tuple(
        Fraction(comb(25, k) * comb(48 - 8, 8 - k) if k <= 8 else 0, 1) / comb(65, 8)
        for k in range(9)
    )
    assert [mean(each.after) for each in (ben, undealt)] == [
        Fraction(25 * 8, 65),
        Fraction(25 * 49, 65),
    ]
    assert mean(ben.after) * 2 + mean(undealt.after) == 25


def test_a_follow_only_takes_away_none() -> None:
    places = strip("follow").places
    ada = places[0]
    assert ada.after[0] == 0
    grown = {
        after / before for before, after in zip(ada.before, ada.after, strict=True) if after
    }
    assert grown == {1 / (1 - ada.before[0])}
    assert sum(mean(each.after) for each in places) + mean(places[1].after) == 25


@pytest.mark.parametrize("key", KEYS)
def test_strips_are_whole(key: str) -> None:
    for place in strip(key).places:
        assert sum(place.before) == sum(place.after) == 1
    shown = strips_of(key)
    for drawn in shown.places:
        for line in (drawn.before, drawn.after):
            assert len(line.cells) == len(shown.columns)
            assert sum(cell.height for cell in line.cells) == pytest.approx(24)
            assert all(cell.top + cell.height == pytest.approx(24) for cell in line.cells)


def test_only_what_is_certain_is_told_as_certain() -> None:
    slough = strips_of("slough").places
    ada, undealt = slough[0], slough[-1]
    assert [cell.words for cell in ada.after.cells] == ["100%", *["0%"] * 5]
    assert undealt.before.cells[-1].words == ">99%"
    assert undealt.rows == ()
    assert strips_of("bid").places[0].after.cells[-1].words == "<1%"
