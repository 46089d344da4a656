"""What a round refuses, with which code, and that it never changes."""

import dataclasses
import random
import re
from typing import Any

import pytest

from games.rules import IllegalMove, Round, Trick, Variant, hook

from .deals import CODES, fill, play, shuffled, start


def _bidding() -> Round:
    return start("bid", "", "", "", dealer=2)


def test_the_codes_are_the_documented_ones() -> None:
    documented = set(re.findall(r"``(\w+)``", IllegalMove.__doc__ or "")) - {"code"}
    assert documented == CODES


def test_a_round_starts_with_the_dealt_hands_and_nothing_else() -> None:
    hands = shuffled(random.Random(2), 4)
    round = Round.start(variant=Variant.LOSE, hands=[list(hand) for hand in hands], dealer=3)
    assert round == Round(Variant.LOSE, 3, hands, (None,) * 4, (), Trick(leader=0))
    assert (round.seats, round.taken, round.tricks) == (4, (0, 0, 0, 0), ())
    assert not round.is_bidding
    assert not round.is_over


def test_a_round_with_bids_starts_without_a_trick() -> None:
    round = _bidding()
    assert round.is_bidding
    assert round.trick is None
    assert play(round, "0 0 0").trick == Trick(leader=0)


@pytest.mark.parametrize("dealer", [-1, 3, 10, None, "0"])
def test_the_dealer_must_be_a_seat(dealer: Any) -> None:
    with pytest.raises(ValueError, match="dealer is a seat from 0 to 2"):
        Round.start(variant=Variant.WIN, hands=fill("", "", ""), dealer=dealer)


def test_no_card_is_dealt_twice() -> None:
    first, second = fill("1111", "")
    with pytest.raises(ValueError, match="card 1111 is dealt twice"):
        Round.start(variant=Variant.WIN, hands=[first, (*second[:7], first[0])], dealer=0)
    with pytest.raises(ValueError, match="card 1111 is dealt twice"):
        Round.start(variant=Variant.WIN, hands=[(*first[:7], first[0]), second], dealer=0)


@pytest.mark.parametrize(
    ("bids", "forbidden"),
    [
        ([2, 3, 2, None], 1),
        ([5, 1, None], 2),
        ([0, None], 8),
        ([8, None], 0),
        ([None, 4, 4], 0),
        ([5, 4, None], None),
        ([8, 8, 8, None], None),
        ([2, None, None], None),
        ([None, None], None),
        ([2, 3], None),
    ],
)
def test_the_hook(bids: list[int | None], forbidden: int | None) -> None:
    assert hook(bids) == forbidden


@pytest.mark.parametrize("field", ["hands", "bids", "tricks", "trick", "dealer", "variant"])
def test_a_round_cannot_be_changed(field: str) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(_bidding(), field, None)


def test_a_trick_before_the_lead_has_no_winner() -> None:
    assert Trick(leader=2).winner is None
