"""The bots that think: from what is seen alone, in time, with their reasons."""

from __future__ import annotations

from math import inf
from random import Random

import pytest

from games import analysis
from games.analysis import bots, counter, expert
from games.rules import Bid, observe, score_round
from tests.analysis.points import begun, rounds

FIELDS = [(variant, seats) for variant in ("win", "lose", "bid") for seats in (2, 4, 7, 10)]


@pytest.mark.parametrize(("variant", "seats"), FIELDS)
def test_every_choice_is_legal_and_has_its_reasons(variant: str, seats: int) -> None:
    rng = Random(f"reasons {variant} {seats}")
    for point in rounds(variant, seats, rng)[:: seats + 1]:
        seen = observe(point, point.to_move)
        for choice in (counter.decide(seen), expert.decide(seen, seed=1, scale=0.2)):
            assert choice.move in seen.legal
            assert {option.move for option in choice.options} <= set(seen.legal)
            for option in choice.options:
                assert 0 <= option.tricks <= 9
                assert option.chance is None or -1e-9 <= option.chance <= 1
                assert (option.points is None) == (option.worlds == 0)
            if choice.options:
                assert choice.options[0].move == choice.move


def test_with_no_time_left_it_answers_after_one_heat() -> None:
    point = begun("win", 4, Random("hurry"))
    seen = observe(point, point.to_move)
    hurried = expert.decide(seen, seed=1, seconds=0)
    assert {option.worlds for option in hurried.options} == {expert.HEATS[0][1]}
    calm = expert.decide(seen, seed=1, seconds=inf)
    assert calm.options[0].worlds == sum(count for _, count in expert.HEATS)


def test_without_the_kernel_experts_count(monkeypatch: pytest.MonkeyPatch) -> None:
    point = begun("win", 4, Random("cold"))
    seen = observe(point, point.to_move)
    monkeypatch.setattr(analysis, "ready", lambda: False)
    assert bots.decide(seen, level="expert", rng=Random(1)) == counter.decide(seen)


@pytest.mark.parametrize("variant", ["win", "lose", "bid"])
def test_who_thinks_beats_the_tip(variant: str) -> None:
    """One thinking seat among three that follow the tip: it does better than they."""
    for level in ("counter", "expert"):
        ahead = 0.0
        for number in range(24):
            rng = Random(f"{variant} {number}")
            point = begun(variant, 4, rng)
            while point.to_move is not None:
                own = point.to_move == 0
                seen = observe(point, point.to_move)
                name = level if own else "tip-wikipedia"
                point = point.apply(bots.choose(seen, level=name, rng=rng))
            points = score_round(point)
            ahead += points[0] - sum(points[1:]) / 3
        assert ahead * (-1 if variant == "lose" else 1) > 0, level


def test_bids_fit_the_table() -> None:
    """At ten seats eight tricks are shared by ten, at two by two."""
    for seats, low, high in ((2, 3, 5.5), (4, 1.3, 3), (10, 0.3, 1.4)):
        rng = Random(f"fit {seats}")
        for think in (counter.decide, lambda seen: expert.decide(seen, seed=1)):
            bids = []
            for _ in range(20):
                point = begun("bid", seats, rng)
                move = think(observe(point, point.to_move)).move
                assert isinstance(move, Bid)
                bids.append(move.number)
            assert low <= sum(bids) / len(bids) <= high
