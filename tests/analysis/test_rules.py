"""The kernel's rules are the rules: what it plays, ``games.rules`` allows and scores alike."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from games.analysis import bots, kernel
from games.analysis.simulation import PlayoutPoint, world_of
from games.rules import Bid, Move, Play, Round, Shape, Variant, observe
from tests.analysis.points import rounds

FIELDS = [(variant, seats) for variant in ("win", "lose", "bid") for seats in range(2, 11)]
ALL = {"random": kernel.RANDOM, "tip": kernel.TIP}


def logged(
    round: Round, moves: list[Move | None], *, policy: str, seed: int, copies: int = 1
) -> tuple[np.ndarray, np.ndarray, list[list[list[Play]]]]:
    """Tricks and takers of playouts, and the plays of each, by world and move."""
    seats = round.seats
    point = PlayoutPoint(observe(round, round.to_move), policies=[ALL[policy]] * seats)
    left = sum(map(len, round.hands))
    log = np.full((copies, len(moves), left, 2), 99, np.int8)
    worlds = world_of(round).repeat(copies, axis=0)
    tricks, takers = point.play(worlds, moves, seed=seed, log=log)
    shapes = tuple(Shape)

    def play(card: int, shape: int) -> Play:
        own = kernel.card_at[card]
        return Play(own, None if shape == kernel.NONE else own.calls[shape])

    plays = [[[play(*each) for each in one.tolist()] for one in world] for world in log]
    assert len(shapes) == 4
    return tricks, takers, plays


@pytest.mark.parametrize(("variant", "seats"), FIELDS)
def test_every_playout_is_legal_and_scored_by_the_rules(variant: str, seats: int) -> None:
    rng = Random(f"playouts {variant} {seats}")
    for _ in range(4):
        for point in rounds(variant, seats, rng):
            if point.is_bidding:
                continue
            moves: list[Move | None] = [None, rng.choice(point.legal_moves())]
            policy = rng.choice(list(ALL))
            tricks, takers, plays = logged(
                point, moves, policy=policy, seed=rng.getrandbits(64)
            )
            for m, move in enumerate(moves):
                after = point
                for play in plays[0][m]:
                    after = after.apply(play)
                assert after.is_over
                assert move is None or plays[0][m][0] == move
                assert tuple(tricks[0, m]) == after.taken
                assert takers[0, m] == after.tricks[len(point.tricks)].winner


@pytest.mark.parametrize("seats", [2, 4, 10])
def test_a_random_seat_makes_every_legal_play_and_no_other(seats: int) -> None:
    rng = Random(f"legal {seats}")
    for point in rounds("win", seats, rng)[:: max(1, seats - 1)]:
        _, _, plays = logged(point, [None], policy="random", seed=7, copies=1500)
        assert {world[0][0] for world in plays} == set(point.legal_moves())


@pytest.mark.parametrize(
    ("variant", "seats"), [("win", 3), ("lose", 6), ("bid", 4), ("bid", 9)]
)
def test_a_seat_that_follows_tips_plays_as_that_bot(variant: str, seats: int) -> None:
    rng = Random(f"tips {variant} {seats}")
    for point in rounds(variant, seats, rng)[:: max(1, seats - 2)]:
        if point.is_bidding:
            continue
        _, _, plays = logged(point, [None], policy="tip", seed=3, copies=300)
        seen = observe(point, point.to_move)
        asked = {
            bots.choose(seen, level="tip-wikipedia", rng=Random(seed)) for seed in range(300)
        }
        assert {world[0][0] for world in plays} == asked


def test_bids_to_come_follow_the_tip_and_the_hook() -> None:
    rng = Random("bids")
    for _ in range(60):
        point = rounds("bid", 4, rng)[rng.randrange(4)]
        stage = PlayoutPoint(observe(point, point.to_move), policies=[kernel.TIP] * 4)
        for bid in point.legal_moves():
            after = point.apply(bid)
            while after.is_bidding:
                seen = observe(after, after.to_move)
                after = after.apply(bots.choose(seen, level="tip-wikipedia", rng=rng))
            late = PlayoutPoint(observe(after, after.to_move), policies=[kernel.TIP] * 4)
            world = world_of(point)
            assert isinstance(bid, Bid)
            early, _ = stage.play(world, [bid], seed=5)
            later, _ = late.play(world, [None], seed=5)
            assert (early == later).all()


def test_the_tables_agree_with_the_cards() -> None:
    for index, card in enumerate(kernel.card_at):
        assert kernel.card_index[card] == index
        assert {
            call for call, k in kernel.call_index.items() if kernel.MASK[index] >> k & 1
        } == {*card.calls}
    assert Variant.BID.value == "bid"
