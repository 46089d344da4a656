"""The bots of one misconception each: what they do wrong, and that the rest is the tip's."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest

from games.analysis import arena, bots
from games.rules import DECK, HAND_SIZE, Bid, Card, Observation, Play, Round, Variant, observe
from tests.analysis.points import begun
from tests.rules.deals import reshuffled
from tests.scenes.bots import bidding, by_the_book, seen

PLAYING = [(seats, n) for seats in (2, 4, 7, 10) for n in range(2)]


def turns(seats: int, number: int, level: str) -> list[tuple[Round, Observation]]:
    """Every turn of one round of Play to Bid among these bots."""
    rng = Random(f"{seats} {number} {level}")
    point, found = begun("bid", seats, rng), []
    while point.to_move is not None:
        found.append((point, observe(point, point.to_move)))
        point = point.apply(bots.choose(found[-1][1], level=level, rng=rng))
    return found


def offered(level: str, observation: Observation) -> set[Any]:
    return {bots.choose(observation, level=level, rng=Random(n)) for n in range(60)}


def test_nobody_is_offered_them_and_the_arena_knows_them() -> None:
    assert not set(bots.MISTAKEN) & {*bots.LEVELS, *bots.KEPT}
    assert set(bots.MISTAKEN) < set(arena.NAMES)
    assert all(len(level) <= 16 for level in bots.MISTAKEN)
    with pytest.raises(KeyError):
        bots.choose(seen("3333"), level="four-tenths", rng=Random(1))


@pytest.mark.parametrize(("seats", "number"), PLAYING)
@pytest.mark.parametrize("level", bots.MISTAKEN)
def test_they_keep_the_rules_and_see_no_hidden_card(
    seats: int, number: int, level: str
) -> None:
    for point, observation in turns(seats, number, level):
        moves = bots.HABITS[level].moves(observation)
        assert moves
        assert set(moves) <= set(point.legal_moves())
        twin = reshuffled(point, observation.seat, Random(number))
        assert bots.HABITS[level].moves(observe(twin, observation.seat)) == moves


def test_four_ninths_bids_four_whatever_it_holds() -> None:
    for hand in ("1111 1112", "3333 3332 3323 3233 2333"):
        for others in ((None,), (None, 1, 2), (None,) * 9):
            assert offered("four-ninths", bidding(hand, others)) == {Bid(4)}
    assert offered("four-ninths", bidding("1111 1112", (2, 2, 0))) == {Bid(3)}  # the hook


@pytest.mark.parametrize("seats", [2, 4, 7, 10])
def test_the_likeliest_number_is_the_likeliest(seats: int) -> None:
    """By all 256 ways in which eight cards can take their tricks or not."""
    rng = Random(f"likeliest {seats}")
    for _ in range(12):
        deck = rng.sample(DECK, HAND_SIZE * seats)
        hands = [deck[seat::seats] for seat in range(seats)]
        start = Round.start(variant=Variant.BID, hands=hands, dealer=0)
        observation = observe(start, 1)
        chances = [nobody_beats(card, hands[1], seats) for card in hands[1]]
        totals = [Fraction()] * (HAND_SIZE + 1)
        for way in product((0, 1), repeat=HAND_SIZE):
            totals[sum(way)] += prod(
                (p if taken else 1 - p for p, taken in zip(chances, way, strict=True)),
                start=Fraction(1),
            )
        assert bots.likeliest_bid(observation) == totals.index(max(totals))


def nobody_beats(card: Card, hand: list[Card], seats: int) -> Fraction:
    """That none of the other hands holds a better card, slot by slot, with the best call."""
    unseen = [other for other in DECK if other not in hand]
    found = []
    for place in range(4):
        better = sum(
            other.counts[place] == card.counts[place] and sum(other.counts) >= sum(card.counts)
            for other in unseen
        )
        chance = Fraction(1)
        for slot in range(HAND_SIZE * (seats - 1)):
            chance *= Fraction(max(0, 73 - better - slot), 73 - slot)
        found.append(chance)
    return max(found)


def test_value_only_leads_the_highest_value_with_any_call() -> None:
    """The tip leads a 10 with its single shape rather than an 11 with its threes."""
    observation = seen("3331 2333 1111", variant="win")
    best = Play(observation.hand[1]).card
    assert {move.card for move in offered("value-only", observation)} == {best}
    assert {str(move.call) for move in offered("value-only", observation)} == {
        "2-ball",
        "3-cube",
        "3-cone",
        "3-star",
    }
    to_lose = seen("3331 2333 1111", variant="lose")
    assert {move.card.code for move in offered("value-only", to_lose)} == {"1111"}


@pytest.mark.parametrize("level", ["four-ninths", "likeliest-number", "value-only"])
def test_but_for_that_they_play_by_the_tip(level: str) -> None:
    for _point, observation in turns(4, 7, level):
        is_lead = observation.trick is not None and observation.trick.call is None
        is_bid = isinstance(observation.legal[0], Bid)
        if (level == "value-only" and is_lead) or (level != "value-only" and is_bid):
            continue
        told = set(bots.HABITS[level].moves(observation))
        assert told == by_the_book(observation, "tip-wikipedia")


def test_due_wants_a_trick_after_one_it_lost_and_none_after_one_it_took() -> None:
    wanted = {True: 0, False: 0}
    for number in range(6):
        for _point, observation in turns(3, number, "due"):
            if isinstance(observation.legal[0], Bid):
                assert set(bots.HABITS["due"].moves(observation)) == by_the_book(
                    observation, "tip-wikipedia"
                )
                continue
            last = observation.tricks[-1].winner if observation.tricks else None
            is_due = last != observation.seat
            wanted[is_due] += 1
            # Who wants a trick plays as in win, who does not as in lose.
            as_if = Variant.WIN if is_due else Variant.LOSE
            free = replace(observation, variant=as_if, bids=(None,) * 3)
            book = by_the_book(free, "tip-wikipedia")
            assert set(bots.HABITS["due"].moves(observation)) == book
    assert min(wanted.values()) > 20


def test_a_misconception_costs_something() -> None:
    """What the likeliest number costs is too little to be seen in so few rounds."""
    for level in ("four-ninths", "value-only", "due"):
        found = list(
            arena.play(
                [level, *["tip-wikipedia"] * 3], Variant.BID, deals=60, seed=1, workers=1
            )
        )
        assert sum(sample.ahead[0] for sample in found) < 0, level
