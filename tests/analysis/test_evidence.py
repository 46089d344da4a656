"""Bids and plays as evidence: weighted as they should be, and worth it."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from games.analysis import bots, evidence, kernel
from games.analysis.evidence import Witness
from games.analysis.knowledge import read
from games.analysis.simulation import Worlds, WorldSampler
from games.rules import Bid, Round, observe
from tests.analysis.points import assert_possible, begun, surprise


def played_on(level: str, seats: int, seed: int) -> list[Round]:
    """Every turn of seat 0 to play in a round of these bots."""
    rng = Random(f"evidence {level} {seed}")
    point, found = begun("bid", seats, rng), []
    while point.to_move is not None:
        if point.to_move == 0 and not point.is_bidding:
            found.append(point)
        seen = observe(point, point.to_move)
        point = point.apply(bots.choose(seen, level=level, rng=rng))
    return found


def counts(worlds: Worlds, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """How many cards of 11 and 12, and of 9 and 10, a seat holds in each world."""
    values = np.array([card.value for card in kernel.card_at])
    own = worlds == seat
    return own[:, values >= 11].sum(axis=1), own[:, (values == 9) | (values == 10)].sum(axis=1)


def test_worlds_are_weighted_by_the_likelihood_of_the_bids() -> None:
    """The walk's worlds against uniform ones that carry the weights themselves."""
    point = begun("bid", 4, Random("weights"))
    for number in (5, 0, 2, 3):
        point = point.apply(Bid(number))
    seen = observe(point, point.to_move)
    sampler = WorldSampler(read(seen), seen.hand)
    uniform = sampler.deal(60_000, seed=1)
    weights = np.zeros(len(uniform))
    for seat, bid in enumerate(seen.bids):
        if seat != seen.seat:
            high, middle = counts(uniform, seat)
            weights += evidence._bid_fits(4)[bid, high, middle]
    weights = np.exp(weights - weights.max())
    walked = Witness(seen, sampler).deal(20_000, seed=2)[0]
    for seat in range(4):
        if seat != seen.seat:
            for plain, found in zip(counts(uniform, seat), counts(walked, seat), strict=True):
                expected = (weights * plain).sum() / weights.sum()
                assert found.mean() == pytest.approx(expected, abs=0.08)


def gain(level: str) -> float:
    """How much better the holders are known with the evidence than without."""
    gains = []
    for seed in range(12):
        for point in played_on(level, 4, seed):
            seen = observe(point, 0)
            sampler = WorldSampler(read(seen), seen.hand)
            without = surprise(seen, point, sampler.deal(400, seed=1))
            gains.append(
                without - surprise(seen, point, Witness(seen, sampler).deal(400, seed=1)[0])
            )
    return float(np.mean(gains))


def test_evidence_tells_much_of_those_who_follow_tips_and_misleads_little() -> None:
    assert gain("tip-wikipedia") > 0.15
    assert gain("tip-printed") > 0.15
    assert gain("random") > -0.2


def test_weighted_worlds_agree_with_what_is_known() -> None:
    for point in played_on("tip-printed", 5, 3):
        seen = observe(point, 0)
        sampler = WorldSampler(read(seen), seen.hand)
        assert_possible(Witness(seen, sampler).deal(40, seed=4)[0], seen)


def test_plays_that_no_follower_of_tips_would_make_say_little() -> None:
    """Three misfits in eight plays and a hand hardly matters: the seat follows no tips."""
    fits = evidence._play_fits()
    assert fits[8, 0] - fits[8, 8] > 2
    assert abs(fits[8, 3] - fits[8, 8]) < 0.1
