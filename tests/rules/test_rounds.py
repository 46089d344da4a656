"""What a round refuses, with which code, and that it never changes."""

import dataclasses
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from games.rules import Bid, Call, IllegalMove, Move, Play, Round, Shape, Trick, Variant, hook
from games.rules import parse_card as card

from .deals import CODES, fill, play, shuffled, start, states


def _over() -> Round:
    return list(states(start("win", "", "", dealer=0), random.Random(1)))[-1]


def _bidding() -> Round:
    return start("bid", "", "", "", dealer=2)


def _led() -> Round:
    """Seat 1 has led 1111 and called 1-ball; seat 2 holds 1332 and 2222."""
    round = start("win", "", "1111 1112", "1332 2222", dealer=0)
    return play(round, "1111:1-ball")


REFUSED: list[tuple[str, Callable[[], Round], Move]] = [
    ("round_over", _over, Bid(0)),
    ("round_over", _over, Play(card("1111"))),
    ("bid_expected", _bidding, Play(card("1111"), Call(Shape.BALL, 1))),
    ("play_expected", _led, Bid(2)),
    ("bid_out_of_range", _bidding, Bid(-1)),
    ("bid_out_of_range", _bidding, Bid(9)),
    ("hook", lambda: play(_bidding(), "3 3"), Bid(2)),
    ("not_in_hand", _led, Play(card("1111"))),
    ("not_in_hand", _led, Play(card("3333"))),
    ("call_missing", lambda: start("lose", "", "1332", dealer=0), Play(card("1332"))),
    (
        "call_not_on_card",
        lambda: start("win", "", "1332", dealer=0),
        Play(card("1332"), Call(Shape.STAR, 1)),
    ),
    ("call_by_follower", _led, Play(card("1332"), Call(Shape.BALL, 1))),
    ("must_follow", _led, Play(card("2222"))),
]


@pytest.mark.parametrize(("code", "make", "move"), REFUSED)
def test_a_refused_move_has_its_code_and_a_message_and_changes_nothing(
    code: str, make: Callable[[], Round], move: Move
) -> None:
    round = make()
    before = repr(round)
    with pytest.raises(IllegalMove) as caught:
        round.apply(move)
    assert caught.value.code == code
    assert str(caught.value)
    assert move not in round.legal_moves()
    assert repr(round) == before


def test_the_codes_are_the_documented_ones_and_all_of_them_occur() -> None:
    documented = set(re.findall(r"``(\w+)``", IllegalMove.__doc__ or "")) - {"code"}
    assert documented == CODES
    assert {code for code, _, _ in REFUSED} == CODES - {"bad_text"}


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


@pytest.mark.parametrize("variant", Variant)
def test_a_move_gives_a_new_round_and_leaves_the_old_one(variant: Variant) -> None:
    rng = random.Random(f"new {variant.value}")
    round = Round.start(variant=variant, hands=shuffled(rng, 3), dealer=0)
    while not round.is_over:
        before = repr(round)
        for move in round.legal_moves():
            after = round.apply(move)
            assert after != round
            assert after == round.apply(move)
            assert hash(after) == hash(round.apply(move))
        assert repr(round) == before
        round = after


@pytest.mark.parametrize("field", ["hands", "bids", "tricks", "trick", "dealer", "variant"])
def test_a_round_cannot_be_changed(field: str) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(_bidding(), field, None)


def test_a_trick_before_the_lead_has_no_winner() -> None:
    assert Trick(leader=2).winner is None


def test_the_winner_so_far_changes_as_cards_are_laid() -> None:
    round = start("win", "2111 2112", "2222", "3222 2333", dealer=2)
    winners = []
    for text in ("2111:2-ball", "2222", "2333"):
        round = play(round, text)
        trick = round.trick if round.trick and round.trick.plays else round.tricks[0]
        winners.append(trick.winner)
    assert winners == [0, 1, 2]
