"""Honest dealers deal uniformly, crooked ones are found as often as the power says, the lot
halves; by a test and counts of this file's own."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import sqrt
from random import Random
from statistics import NormalDist, mean

import pytest

from games.rules import DECK, parse_card
from lessons.crooked.dealing import (
    SUSPECTS,
    DealerKind,
    HandCodes,
    band,
    deal,
    next_kind,
    power,
)

DEALS = 4000
CODES = [card.code for card in DECK]


def counted(hands: HandCodes) -> list[int]:
    """What each suspect is judged by, with the rules' cards."""
    cards = [[parse_card(code) for code in hand] for hand in hands]
    values = [sum(card.value for card in hand) for hand in cards]
    threes = [sum(card.counts[at] == 3 for hand in cards for card in hand) for at in range(4)]
    return values + threes


@cache
def dealt(kind: DealerKind) -> tuple[list[int], ...]:
    rng = Random(f"{kind} dealer")
    return tuple(counted(deal(kind, rng)) for _n in range(DEALS))


def accused(counts: list[list[int]]) -> DealerKind:
    """The suspect that is farthest out, in the direction of its crime, if that is farther than
    luck goes in 1 test of 20; each is tested at 5%/8."""
    scores = {}
    for at, suspect in enumerate(SUSPECTS):
        low, high = band(suspect, len(counts))
        deviation = (high - low) / 2 / 1.96
        score = (mean(each[at] for each in counts) - (low + high) / 2) / deviation
        scores[suspect] = score if at < 4 else -score
    most = max(SUSPECTS, key=lambda suspect: scores[suspect])
    return most if scores[most] > NormalDist().inv_cdf(1 - 0.05 / 8) else DealerKind.HONEST


def groups(kind: DealerKind, deals: int) -> list[list[list[int]]]:
    all_counts = dealt(kind)
    return [list(all_counts[n : n + deals]) for n in range(0, DEALS // deals * deals, deals)]


@pytest.mark.parametrize("kind", DealerKind)
def test_a_deal_is_32_different_cards_of_the_deck(kind: DealerKind) -> None:
    for seed in range(20):
        hands = deal(kind, Random(seed))
        cards = [code for hand in hands for code in hand]
        assert [len(hand) for hand in hands] == [8] * 4
        assert len({*cards}) == 32
        assert {*cards} <= {*CODES}


def test_an_honest_dealer_is_uniform() -> None:
    """Each card as often at each seat: chi-square with 80 degrees of freedom, from 4,000 deals;
    beyond 122 once in 600 times (and the seed is fixed)."""
    rng = Random(81)
    counts = [Counter[str]() for _seat in range(4)]
    for _n in range(DEALS):
        for seat, hand in enumerate(deal(DealerKind.HONEST, rng)):
            counts[seat].update(hand)
    often = DEALS * 8 / 81
    for of_seat in counts:
        # Eight of a hand differ, so counts vary less than drawn with repetition, by 73/80.
        chi = sum((of_seat[code] - often) ** 2 / often for code in CODES) * 80 / 73
        assert 50 < chi < 122


@pytest.mark.parametrize("deals", [10, 20, 32, 40])
def test_power_is_what_a_simulated_test_finds(deals: int) -> None:
    found = [accused(each) == kind for kind in SUSPECTS for each in groups(kind, deals)]
    share, error = mean(found), sqrt(0.25 / len(found))
    assert abs(share - power(deals)) < 0.03 + 2 * error
    alarms = mean(
        accused(each) is not DealerKind.HONEST for each in groups(DealerKind.HONEST, deals)
    )
    assert alarms < 0.05 + 3 * sqrt(0.05 * 0.95 / (DEALS // deals))
    assert power(31) < 0.8 <= round(power(32), 2)


def test_an_honest_mean_lies_in_its_band_19_times_in_20() -> None:
    """And of eight suspects one is outside with one honest dealer in three."""
    outside = [
        [
            not low <= mean(each[at] for each in group) <= high
            for at, (low, high) in enumerate(band(suspect, 20) for suspect in SUSPECTS)
        ]
        for group in groups(DealerKind.HONEST, 20)
    ]
    assert all(0.01 < mean(of_suspect) < 0.1 for of_suspect in zip(*outside, strict=True))
    assert 0.24 < mean(map(any, outside)) < 0.42


def test_half_are_crooked_by_lot() -> None:
    """Exactly, whenever their number is even; of an odd number one more or less, as often."""
    ahead, kinds = [], Counter[DealerKind]()
    for seed in range(400):
        rng, drawn = Random(seed), list[DealerKind]()
        for _n in range(25):
            drawn.append(next_kind(drawn, rng))
            crooked = sum(kind is not DealerKind.HONEST for kind in drawn)
            assert abs(2 * crooked - len(drawn)) <= len(drawn) % 2
        ahead.append(2 * crooked - 25)
        kinds.update(drawn)
    assert 160 < ahead.count(1) < 240
    assert all(520 < kinds[suspect] < 730 for suspect in SUSPECTS)
