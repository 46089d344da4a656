"""Answers about a hand; and whether what was predicted comes true."""

from __future__ import annotations

import os
from dataclasses import replace
from math import sqrt
from random import Random

import numpy as np
import pytest

from games import analysis
from games.analysis import odds
from games.analysis.counting import Safety, beaters, safety
from games.analysis.knowledge import Contradiction, read
from games.analysis.simulation import MAX_WORLDS, PlayoutPoint, WorldSampler, policies
from games.rules import DECK, Bid, observe
from tests.analysis.points import begun, leads, rounds, turns
from tests.rules.deals import finished


def test_promises_come_with_each_legal_play() -> None:
    for variant in ("win", "lose", "bid"):
        for seen in list(turns(variant, 4, Random("promise")))[6::5]:
            found = odds.promises(seen, worlds=200, seed=1)
            assert tuple(promise.play for promise in found) == seen.legal
            for promise in found:
                assert promise.safety == safety(seen, promise.play)
                assert promise.outcome.worlds == 200
                assert promise.outcome.chance_error is not None


def test_a_forecast_has_every_bid_and_the_hook() -> None:
    point = begun("bid", 4, Random("hook"))
    for bid in (2, 3, 1):
        point = point.apply(Bid(bid))
    seen = observe(point, point.to_move)
    told = odds.forecast(seen, worlds=500, seed=2)
    assert told.forbidden == 2
    assert told.best != 2
    assert [outcome.move for outcome in told.bids] == [Bid(b) for b in range(9)]
    for b, outcome in enumerate(told.bids):
        assert sum(outcome.tricks) == outcome.worlds == 500
        assert outcome.worth[b] == b
        assert outcome.expected <= b


def test_a_forecast_is_made_before_the_bid() -> None:
    late, lose = rounds("bid", 3, Random("late")), begun("lose", 5, Random("plain"))
    for point in (late[-1], late[2].apply(late[2].legal_moves()[0]), lose):
        with pytest.raises(ValueError, match="before"):
            odds.forecast(observe(point, point.to_move), seed=1)


def test_hindsight_knows_the_cards() -> None:
    done = finished("bid", 4, 1, Random("done"))
    told = odds.hindsight(done, 2, worlds=300, seed=3)
    assert done.bids[2] is not None
    assert all(outcome.worlds == 300 for outcome in told.bids)
    assert max(outcome.expected for outcome in told.bids) > 0 or told.best == 0
    assert told.forbidden is None
    low = next(
        done
        for seed in range(99)
        if ((done := finished("bid", 2, 1, Random(seed))).bids[0] or 0) <= 8
    )
    assert low.bids[0] is not None
    assert odds.hindsight(low, 1, worlds=50, seed=3).forbidden == 8 - low.bids[0]


def test_hindsight_is_for_finished_rounds_of_bids() -> None:
    for point in (finished("win", 3, 0, Random(1)), begun("bid", 3, Random(1))):
        with pytest.raises(ValueError, match="finished round of Play to Bid"):
            odds.hindsight(point, 0, seed=1)


def test_too_many_worlds_and_contradictions() -> None:
    seen = next(turns("win", 3, Random("bad")))
    with pytest.raises(ValueError, match=f"{MAX_WORLDS:,}"):
        odds.promises(seen, worlds=MAX_WORLDS + 1, seed=1)
    with pytest.raises(Contradiction, match="twice"):
        odds.promises(replace(seen, hand=(seen.hand[0],) * 8), seed=1)


def test_without_the_kernel_the_exact_chance_is_still_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = next(turns("win", 4, Random("cold")))
    monkeypatch.setattr(analysis, "ready", lambda: False)
    with pytest.raises(analysis.NotReady):
        odds.promises(seen, seed=1)
    assert 0 <= safety(seen, leads(seen)[0]).chance <= 1


# Calibration: what is said to happen three times in ten happens three times in ten.

TURNS = 20_000 if os.environ.get("XACTIKA_SOAK") == "1" else 3_000


def check_calibration(predicted: np.ndarray, came: np.ndarray, noise: float) -> None:
    assert len(predicted) >= TURNS
    for tenth in range(10):
        inside = (predicted >= tenth / 10) & (predicted < (tenth + 1) / 10 + (tenth == 9))
        n = int(inside.sum())
        if n < 30:
            continue
        mean = predicted[inside].mean()
        error = sqrt(max(mean * (1 - mean), 0.01) / n)
        assert abs(came[inside].mean() - mean) < 4 * error + noise, tenth


def test_the_first_leads_safety_comes_true() -> None:
    """Over random deals: that nobody holds a better card."""
    rng = Random("first leads")
    predicted, came = [], []
    for _ in range(TURNS):
        deck = rng.sample(DECK, 32)
        card, unseen = deck[0], set(DECK) - set(deck[:8])
        call = card.calls[rng.randrange(4)]
        t = beaters(card, call, unseen)
        predicted.append(float(Safety(beaters=t, unseen=73, held=24, opponents=3).chance))
        came.append(beaters(card, call, deck[8:]) == 0)
    check_calibration(np.array(predicted), np.array(came), 0)


def test_simulated_chances_come_true_in_the_samplers_worlds() -> None:
    """At turns of any variant and table: predicted from some worlds, seen in another."""
    rng = Random("calibration")
    predicted: list[float] = []
    came: list[bool] = []
    while len(came) < TURNS:
        variant = rng.choice(["win", "lose", "bid"])
        for seen in turns(variant, rng.randint(2, 10), rng):
            if seen.trick is None:
                continue
            play = rng.choice(seen.legal)
            sampler = WorldSampler(read(seen), seen.hand)
            point = PlayoutPoint(seen, policies=policies(seen))
            worlds = sampler.deal(201, seed=rng.getrandbits(64))
            _, takers = point.play(worlds, [play], seed=rng.getrandbits(63))
            took = takers[:, 0] == seen.seat
            predicted.append(took[1:].mean())
            came.append(took[0])
    check_calibration(np.array(predicted), np.array(came), 0.01)
