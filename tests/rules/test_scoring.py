"""Points of a seat, points of a round, winners of a game."""

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import Round, Variant, points, score_round, winners

from . import naive
from .deals import finished, shuffled, states

TRICKS = range(9)


@pytest.mark.parametrize("variant", [Variant.WIN, Variant.LOSE])
@pytest.mark.parametrize("taken", TRICKS)
def test_without_bids_a_trick_is_a_point(variant: Variant, taken: int) -> None:
    assert points(variant, bid=None, taken=taken) == taken


def test_with_bids_every_case() -> None:
    for bid, taken in product(TRICKS, TRICKS):
        expected = naive.points("bid", bid, taken)
        assert points(Variant.BID, bid=bid, taken=taken) == expected


def test_play_to_bid_cannot_be_scored_without_a_bid() -> None:
    with pytest.raises(ValueError, match="needs a bid"):
        points(Variant.BID, bid=None, taken=0)


@pytest.mark.parametrize("seats", range(2, 11))
def test_the_hook_makes_at_least_one_seat_miss(seats: int) -> None:
    rng = random.Random(f"miss {seats}")
    for _ in range(10):
        done = finished("bid", seats, rng.randrange(seats), rng)
        assert any(bid != taken for bid, taken in zip(done.bids, done.taken, strict=True))
        assert min(score_round(done)) < 0


@pytest.mark.parametrize("variant", Variant)
def test_a_round_in_play_has_no_score(variant: Variant) -> None:
    rng = random.Random(f"in play {variant.value}")
    begun = Round.start(variant=variant, hands=shuffled(rng, 3), dealer=1)
    *in_play, done = states(begun, rng)
    for round in in_play:
        with pytest.raises(ValueError, match="not over"):
            score_round(round)
    assert len(score_round(done)) == 3


@given(st.sampled_from(Variant), st.lists(st.integers(-64, 64), min_size=2, max_size=10))
def test_nobody_beats_a_winner_and_everybody_else_is_beaten(
    variant: Variant, totals: list[int]
) -> None:
    sign = -1 if variant is Variant.LOSE else 1
    won = winners(variant, totals)
    assert won == {
        seat
        for seat, total in enumerate(totals)
        if all(sign * total >= sign * other for other in totals)
    }
    assert won
