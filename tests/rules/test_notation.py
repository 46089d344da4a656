"""Moves as text, there and back; and what is no move."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.rules import DECK, Bid, Call, IllegalMove, Move, Play, Shape, move_text, parse_move
from games.rules import parse_card as card

LEADS = [Play(led, call) for led in DECK for call in led.calls]
MOVES: list[Move] = [*map(Bid, range(10)), *map(Play, DECK), *LEADS]
TEXTS = {move_text(move) for move in MOVES}


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("0", Bid(0)),
        ("3", Bid(3)),
        ("8", Bid(8)),
        ("1332", Play(card("1332"))),
        ("1332:1-ball", Play(card("1332"), Call(Shape.BALL, 1))),
        ("1332:3-cube", Play(card("1332"), Call(Shape.CUBE, 3))),
        ("1332:3-cone", Play(card("1332"), Call(Shape.CONE, 3))),
        ("1332:2-star", Play(card("1332"), Call(Shape.STAR, 2))),
    ],
)
def test_a_bid_a_follow_and_a_lead(text: str, move: Move) -> None:
    assert parse_move(text) == move
    assert move_text(move) == text


def test_every_move_goes_there_and_back() -> None:
    assert len(TEXTS) == len(MOVES) == 10 + 81 + 324
    for move in MOVES:
        assert parse_move(move_text(move)) == move


def test_a_text_may_be_a_move_that_no_rule_allows() -> None:
    assert parse_move("9") == Bid(9)
    assert parse_move("1332:1-star") == Play(card("1332"), Call(Shape.STAR, 1))


JUNK = [
    *("", " ", "9 ", " 9", "9\n", "-1", "+3", "03", "10", "3.0", "1e0", "0x3", "None", "pass"),
    *("\uff11", "\uff11\uff13\uff13\uff12", "13\uff132", "\u0663", "\u00b2", "\u2460", "133"),
    *("13322", "0132", "1432", "1332 ", "1332\n", "\n1332", "1332\x00", "1332:", ":2-star"),
    *("2-star", "1332 :2-star", "1332: 2-star", "1332;2-star", "1332:2-stars", "1332:0-star"),
    *("1332:4-star", "1332:\uff12-star", "1332:2-Star", "1332:2-STAR", "1332:2_star"),
    *("1332:2-", "1332:-star", "1332:2", "1332:star", "1332:star-2", "1332:2-star\n"),
    *("1332:2-star:2-star", "3:2-star", "1332,1333", '{"card":"1332"}', "\ud800", "3" * 10_000),
    *("1332:2-star" * 1_000, "\U000e0001" * 10_000),
]


@pytest.mark.parametrize("text", JUNK, ids=lambda text: ascii(text[:20]))
def test_junk_is_refused_as_bad_text_in_a_short_line(text: str) -> None:
    with pytest.raises(IllegalMove, match="not a move") as caught:
        parse_move(text)
    assert caught.value.code == "bad_text"
    assert len(str(caught.value)) < 500


@st.composite
def _near_misses(draw: st.DrawFn) -> str:
    text = draw(st.sampled_from(sorted(TEXTS)))
    at = draw(st.integers(0, len(text)))
    upto = min(len(text), at + draw(st.integers(0, 2)))
    return text[:at] + draw(st.text("0123459:- bstarculneo\n\uff11", max_size=2)) + text[upto:]


@given(st.text() | _near_misses())
@example("9")
@example("1332:1-star")
def test_what_is_read_is_written_the_same_and_all_else_is_bad_text(text: str) -> None:
    code = None
    try:
        move = parse_move(text)
    except IllegalMove as error:
        code = error.code
    if code is None:
        assert move_text(move) == text
    else:
        assert code == "bad_text"
        assert text not in TEXTS
