"""Points of a seat, points of a round, winners of a game."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import Round, Variant, points, score_round, winners

from .deals import finished, shuffled, states

TRICKS = range(9)


@pytest.mark.parametrize("variant", [Variant.WIN, Variant.LOSE])
@pytest.mark.parametrize("taken", TRICKS)
def test_without_bids_a_trick_is_a_point(variant: Variant, taken: int) -> None:
    assert points(variant, bid=None, taken=taken) == taken


def test_with_bids_every_case() -> None:
    table = [[points(Variant.BID, bid=bid, taken=taken) for taken in TRICKS] for bid in TRICKS]
    assert table == [
        [0, -1, -2, -3, -4, -5, -6, -7, -8],
        [-1, 1, -1, -2, -3, -4, -5, -6, -7],
        [-2, -1, 2, -1, -2, -3, -4, -5, -6],
        [-3, -2, -1, 3, -1, -2, -3, -4, -5],
        [-4, -3, -2, -1, 4, -1, -2, -3, -4],
        [-5, -4, -3, -2, -1, 5, -1, -2, -3],
        [-6, -5, -4, -3, -2, -1, 6, -1, -2],
        [-7, -6, -5, -4, -3, -2, -1, 7, -1],
        [-8, -7, -6, -5, -4, -3, -2, -1, 8],
    ]


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


@pytest.mark.parametrize(
    ("totals", "highest", "lowest"),
    [
        ([30, 20, 14], {0}, {2}),
        ([20, 24, 20], {1}, {0, 2}),
        ([16, 16, 16, 16], {0, 1, 2, 3}, {0, 1, 2, 3}),
        ([-9, -3, -12], {1}, {2}),
        ([-3, -3, -12, -12], {0, 1}, {2, 3}),
        ([0, -1], {0}, {1}),
        ([0, 0, 5, 5, 1, 2, 3, 4, 0, 5], {2, 3, 9}, {0, 1, 8}),
    ],
)
def test_the_highest_wins_and_in_lose_the_lowest_and_ties_share(
    totals: list[int], highest: set[int], lowest: set[int]
) -> None:
    assert winners(Variant.WIN, totals) == highest
    assert winners(Variant.BID, totals) == highest
    assert winners(Variant.LOSE, totals) == lowest


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
