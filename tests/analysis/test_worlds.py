"""Worlds: possible ones only, and all of them equally often."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import comb, sqrt
from random import Random

import numpy as np
import pytest

from games.analysis import kernel
from games.analysis.knowledge import Contradiction, Knowledge, read
from games.analysis.simulation import TABLE_LIMIT, WorldSampler
from games.rules import Call, Card, parse_call, parse_card
from tests.analysis.points import World, assert_possible, holdings, known, turns

CHAIN = 0
"""A table limit at which every world comes from the Markov chain."""


def enumerate_worlds(knowledge: Knowledge) -> set[World]:
    """Every world that agrees with this, the slow way."""
    slots = [seat for seat, room in enumerate(knowledge.rooms) for _ in range(room)]
    found = set()
    for dealt in permutations(knowledge.unseen, len(slots)):
        hands: list[set[Card]] = [set() for _ in knowledge.rooms]
        for seat, card in zip(slots, dealt, strict=True):
            hands[seat].add(card)
        if all(
            not card.shows(call)
            for seat, hand in enumerate(hands)
            for card in hand
            for call in knowledge.voids[seat]
        ):
            found.add(tuple(map(frozenset, hands)))
    return found


def calls(text: str) -> list[Call]:
    return [parse_call(each) for each in text.split()]


CASES = {
    "nothing known": known("1111 1112 1113 1121 1122 1123", (2, 2)),
    "one void": known("1111 1112 2113 2121 1122 3123", (2, 2), {0: calls("1-ball")}),
    "two voids": known(
        "1111 1112 2113 2121 1122 3123 3333",
        (2, 2, 1),
        {0: calls("1-ball"), 1: calls("1-star")},
    ),
    "the same void twice": known(
        "1111 1112 2113 2121 3122 3123 3333",
        (2, 2, 1),
        {0: calls("1-ball"), 1: calls("1-ball")},
    ),
    "nothing undealt": known(
        "1111 1112 2113 2121 1122 3123 3333",
        (3, 2, 2),
        {0: calls("1-ball"), 1: calls("1-star"), 2: calls("3-star")},
    ),
    # Three seats, three cards, two worlds: no exchange of two cards leads to the other.
    "a ring": known(
        "1222 2122 2212",
        (1, 1, 1),
        {0: calls("1-cone"), 1: calls("1-ball"), 2: calls("1-cube")},
    ),
}


@pytest.mark.parametrize("limit", [TABLE_LIMIT, CHAIN])
@pytest.mark.parametrize("name", CASES)
def test_all_possible_worlds_are_equally_likely(name: str, limit: int) -> None:
    knowledge = CASES[name]
    possible = enumerate_worlds(knowledge)
    sampler = WorldSampler(knowledge, table_limit=limit)
    assert sampler.is_exact == (limit != CHAIN)
    count = 400 * len(possible)
    drawn = Counter(holdings(row, knowledge) for row in sampler.deal(count, seed=1))
    assert set(drawn) == possible
    # Chi-squared, by its normal approximation; draws of the chain are a little dependent.
    squares = sum((n - 400) ** 2 / 400 for n in drawn.values())
    freedom = len(possible) - 1
    assert squares < freedom + 5 * sqrt(2 * freedom) + (0 if sampler.is_exact else freedom)


@pytest.mark.parametrize("limit", [TABLE_LIMIT, CHAIN])
@pytest.mark.parametrize("seats", [2, 4, 7, 10])
def test_worlds_agree_with_what_is_known(seats: int, limit: int) -> None:
    rng = Random(f"agree {seats}")
    for observation in turns("win", seats, rng):
        sampler = WorldSampler(read(observation), observation.hand, table_limit=limit)
        assert_possible(sampler.deal(5, seed=9), observation)


def test_the_number_of_cards_of_a_call_is_hypergeometric() -> None:
    observation = next(turns("win", 4, Random("closed form")))
    knowledge = read(observation)
    own = sum(card.counts[0] == 1 for card in observation.hand)
    ones = [kernel.card_index[card] for card in knowledge.unseen if card.counts[0] == 1]
    worlds = WorldSampler(knowledge, observation.hand).deal(40_000, seed=2)
    assert observation.seat is not None
    rival = (observation.seat + 1) % 4
    held = (worlds[:, ones] == rival).sum(axis=1)
    for k in range(6):
        chance = comb(27 - own, k) * comb(46 + own, 8 - k) / comb(73, 8)
        error = sqrt(chance * (1 - chance) / len(worlds))
        assert abs((held == k).mean() - chance) < 5 * error


def test_after_a_slough_a_card_is_where_there_is_room() -> None:
    """Exercise 19: in proportion to the places of the seats that are not void, and undealt."""
    knowledge = known(
        "1111 2111 2112 2113 3121 3122 3123 2131 2132 2133", (3, 3, 2), {0: calls("1-ball")}
    )
    worlds = WorldSampler(knowledge).deal(40_000, seed=3)
    where = worlds[:, kernel.card_index[parse_card("1111")]]
    shares = [(where == seat).mean() for seat in (0, 1, 2, kernel.UNDEALT)]
    assert shares == pytest.approx([0, 3 / 7, 2 / 7, 2 / 7], abs=0.0125)


@pytest.mark.parametrize("seats", [6, 10])
def test_chain_and_exact_draws_agree_in_a_real_round(seats: int) -> None:
    """How often each seat holds each card: both ways, within sampling error."""
    rng = Random(f"both {seats}")
    compared = 0
    for observation in list(turns("win", seats, rng))[seats * 2 :: seats + 3]:
        knowledge = read(observation)
        exact = WorldSampler(knowledge, observation.hand)
        if not exact.is_exact:
            continue
        chain = WorldSampler(knowledge, observation.hand, table_limit=CHAIN)
        count = 6_000
        shares = []
        for dealer in (exact, chain):
            worlds = dealer.deal(count, seed=4)
            shares.append(np.stack([(worlds == seat).mean(axis=0) for seat in range(seats)]))
        error = np.sqrt(shares[0] * (1 - shares[0]) * 2 / count) + 1e-3
        assert (np.abs(shares[0] - shares[1]) < 7 * error).all()
        compared += 1
    assert compared >= 2


def test_draws_depend_on_the_seed_alone() -> None:
    observation = next(turns("win", 5, Random("seed")))
    sampler = WorldSampler(read(observation), observation.hand)
    assert (sampler.deal(50, seed=1) == sampler.deal(50, seed=1)).all()
    assert (sampler.deal(50, seed=1) != sampler.deal(50, seed=2)).any()


@pytest.mark.parametrize("limit", [TABLE_LIMIT, CHAIN])
def test_voids_that_leave_no_deal_are_a_contradiction(limit: int) -> None:
    impossible = known("1111 1112 2113", (2, 1), {0: calls("1-ball")})
    with pytest.raises(Contradiction, match="no deal of the unseen cards"):
        WorldSampler(impossible, table_limit=limit)
