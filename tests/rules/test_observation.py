"""Secrecy: what a seat sees depends on nothing that it may not see."""

import random
import re
from dataclasses import fields
from typing import Any

import pytest

from games.rules import (
    Observation,
    Round,
    Variant,
    observe,
    take_seat,
)

from .deals import played, reshuffled, shuffled, start, states

TABLES = [(variant, seats) for variant in Variant for seats in (2, 3, 5, 10)]


def random_states(variant: Variant, seats: int) -> tuple[list[Round], random.Random]:
    """All states of one random round, and the source of chance."""
    rng = random.Random(f"{variant.value} {seats}")
    hands = shuffled(rng, seats)
    begun = Round.start(variant=variant, hands=hands, dealer=rng.randrange(seats))
    return list(states(begun, rng)), rng


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_an_observation_does_not_change_with_what_is_hidden(
    variant: Variant, seats: int
) -> None:
    rounds, rng = random_states(variant, seats)
    changed = 0
    for round in rounds:
        for seat in (None, *range(seats)):
            other = reshuffled(round, seat, rng)
            seen, twin = observe(round, seat), observe(other, seat)
            assert seen == twin
            assert repr(seen) == repr(twin)
            changed += round != other
    assert changed > len(rounds) * seats // 2


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_the_cards_in_an_observation_are_the_own_hand_and_the_played(
    variant: Variant, seats: int
) -> None:
    for round in random_states(variant, seats)[0]:
        for seat in (None, *range(seats)):
            own = () if seat is None else round.hands[seat]
            shown = set(re.findall(r"[123]{4}", repr(observe(round, seat))))
            assert shown == {card.code for card in (*own, *played(round))}


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_what_should_be_visible_is(variant: Variant, seats: int) -> None:
    for round in random_states(variant, seats)[0]:
        for seat in (None, *range(seats)):
            seen = observe(round, seat)
            assert seen.seat == seat
            assert (seen.variant, seen.seats, seen.dealer) == (variant, seats, round.dealer)
            assert seen.to_move == round.to_move
            assert (seen.bids, seen.taken) == (round.bids, round.taken)
            assert (seen.trick, seen.tricks) == (round.trick, round.tricks)
            assert seen.hand_sizes == tuple(len(hand) for hand in round.hands)
            assert seen.hand == (() if seat is None else round.hands[seat])


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_only_the_seat_in_turn_has_legal_moves(variant: Variant, seats: int) -> None:
    for round in random_states(variant, seats)[0]:
        for seat in (None, *range(seats)):
            in_turn = seat is not None and seat == round.to_move
            assert observe(round, seat).legal == (round.legal_moves() if in_turn else ())


def test_an_observation_holds_these_facts_and_no_others() -> None:
    assert [field.name for field in fields(Observation)] == [
        *("seat", "variant", "seats", "dealer", "to_move", "hand", "legal"),
        *("bids", "taken", "trick", "tricks", "hand_sizes"),
    ]


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_taking_a_seat_after_watching_shows_what_sitting_there_shows(
    variant: Variant, seats: int
) -> None:
    for round in random_states(variant, seats)[0]:
        seen = observe(round, None)
        assert [take_seat(seen, round, seat) for seat in range(seats)] == [
            observe(round, seat) for seat in range(seats)
        ]


@pytest.mark.parametrize("seat", [-1, 2, 10, "0", 0.5])
def test_no_seat_outside_the_table_can_look(seat: Any) -> None:
    round = start("win", "", "", dealer=0)
    with pytest.raises(ValueError, match=r"no seat .* at a table of 2"):
        observe(round, seat)
