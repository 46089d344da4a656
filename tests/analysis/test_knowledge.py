"""What an observation says, and what none can."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from games.analysis.knowledge import Contradiction, read
from games.rules import Observation, Round, Trick, observe, parse_call, parse_card
from tests.analysis.points import begun, turns
from tests.rules.deals import cards, play, start


def sloughed() -> tuple[Round, Observation]:
    """Seat 1 leads 1-ball, seat 2 has none, seat 0 is to play."""
    dealt = start("win", "1111", "1112 1113", "3333", dealer=0, lacking={2: "1-ball"})
    point = play(dealt, "1112:1-ball 3333")
    return point, observe(point, 0)


def test_a_slough_proves_a_void() -> None:
    _, observation = sloughed()
    knowledge = read(observation)
    assert knowledge.voids == (frozenset(), frozenset(), frozenset({parse_call("1-ball")}))
    assert knowledge.rooms == (0, 7, 7)
    assert len(knowledge.unseen) == 81 - 8 - 2 == 14 + knowledge.undealt


@pytest.mark.parametrize("seats", [2, 5, 10])
def test_the_truth_always_agrees(seats: int) -> None:
    rng = Random(f"truth {seats}")
    for observation in turns("bid", seats, rng):
        knowledge = read(observation)
        assert sum(knowledge.rooms) + knowledge.undealt == len(knowledge.unseen)
        assert not set(knowledge.unseen) & set(observation.hand)


def test_a_watcher_knows_no_hand() -> None:
    knowledge = read(observe(begun("win", 4, Random(1)), None))
    assert knowledge.rooms == (8, 8, 8, 8)
    assert len(knowledge.unseen) == 81


def broken(kind: str) -> Observation:
    _, seen = sloughed()
    hand, trick = seen.hand, seen.trick
    assert trick is not None
    if kind == "card twice":
        return replace(seen, hand=(*hand[:-1], parse_card("3333")))
    if kind == "hand too small":
        return replace(seen, hand=hand[:-1])
    if kind == "wrong sizes":
        return replace(seen, hand_sizes=(8, 7, 8))
    if kind == "no such seat":
        return replace(seen, trick=replace(trick, plays=((7, parse_card("1112")),)))
    if kind == "lead without its call":
        return replace(seen, trick=replace(trick, call=parse_call("3-ball")))
    if kind == "cards before the call":
        return replace(seen, trick=replace(trick, call=None))
    later = Trick(2, parse_call("1-ball"), ((2, parse_card("1333")),))
    if kind == "void and yet played":
        done = replace(trick, plays=(*trick.plays, (0, hand[0])))
        return replace(seen, tricks=(done,), trick=later, hand=hand[1:], hand_sizes=(7, 7, 6))
    own = Trick(1, parse_call("1-ball"), (*trick.plays, (0, cards("2222")[0])))
    return replace(seen, tricks=(own,), trick=Trick(1), hand=hand[:7], hand_sizes=(7, 7, 7))


@pytest.mark.parametrize(
    ("kind", "named"),
    [
        ("card twice", "card 3333 appears twice"),
        ("hand too small", "the own hand has 7 cards, not 8"),
        ("wrong sizes", "seat 2 has played 1 cards and holds 8"),
        ("no such seat", "no seat 7"),
        ("lead without its call", "the led card 1112 does not show 3-ball"),
        ("cards before the call", "without a call"),
        ("void and yet played", "seat 2 sloughed on 1-ball and yet held 1333"),
        ("void and yet in hand", "seat 0 sloughed on 1-ball and yet held 1111"),
    ],
)
def test_a_contradiction_is_named(kind: str, named: str) -> None:
    with pytest.raises(Contradiction, match=named):
        read(broken(kind))
