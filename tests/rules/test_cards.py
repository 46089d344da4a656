"""The deck, the shapes and the stats table."""

import copy
import dataclasses
import doctest
import pickle
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import DECK, Call, Card, Shape, cards, parse_call, parse_card, stats_table

ALL_CALLS = [Call(shape, number) for shape in Shape for number in (1, 2, 3)]


def test_the_shapes_are_in_the_order_of_a_cards_code() -> None:
    assert [shape.value for shape in Shape] == ["ball", "cube", "cone", "star"]
    assert [shape.position for shape in Shape] == [0, 1, 2, 3]


def test_the_deck_is_every_combination_once_in_order() -> None:
    assert [card.code for card in DECK] == ["".join(four) for four in product("123", repeat=4)]
    assert len(set(DECK)) == 81


@pytest.mark.parametrize("card", DECK, ids=str)
def test_a_card_is_read_off_its_code(card: Card) -> None:
    assert card.counts == tuple(map(int, card.code))
    assert card.value == sum(map(int, card.code))
    assert list(card.calls) == [
        Call(shape, int(digit)) for shape, digit in zip(Shape, card.code, strict=True)
    ]
    assert parse_card(card.code) is card
    assert str(card) == card.code
    assert repr(card) == f"Card({card.code})"


def test_a_card_shows_exactly_its_own_four_calls() -> None:
    for card in DECK:
        assert [call for call in ALL_CALLS if card.shows(call)] == list(card.calls)


def test_equal_cards_are_those_of_one_code() -> None:
    assert parse_card("1332") != parse_card("1323")
    assert parse_card("1332") != "1332"
    for twin in (
        copy.deepcopy(parse_card("1332")),
        pickle.loads(pickle.dumps(parse_card("1332"))),
    ):
        assert twin == parse_card("1332")
        assert hash(twin) == hash(parse_card("1332"))


def test_a_card_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        parse_card("1332").code = "1111"  # type: ignore[misc]


@pytest.mark.parametrize(
    "text",
    [
        *("", "133", "13322", "0132", "1432", "1332 ", " 1332", "1332\n", "ball"),
        *("\uff11\uff13\uff13\uff12", "1" * 10_000),
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_no_other_text_is_a_card(text: str) -> None:
    with pytest.raises(ValueError, match="not a card") as caught:
        parse_card(text)
    assert len(str(caught.value)) < 100


@given(st.text(max_size=6))
def test_any_text_is_a_card_only_by_its_code(text: str) -> None:
    try:
        card = parse_card(text)
    except ValueError:
        assert text not in {card.code for card in DECK}
    else:
        assert isinstance(card, Card)
        assert card.code == text


def test_the_calls_are_written_count_and_shape() -> None:
    texts = [f"{n}-{name}" for name in ("ball", "cube", "cone", "star") for n in (1, 2, 3)]
    assert [str(call) for call in ALL_CALLS] == texts
    assert [parse_call(text) for text in texts] == ALL_CALLS


@pytest.mark.parametrize(
    "text",
    [
        *("", "2", "star", "2-", "-star", "0-star", "4-star", "2-stars", "2-Star", "2 star"),
        *("\uff12-star", "2-star\n", "2-star" * 2_000),
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_no_other_text_is_a_call(text: str) -> None:
    with pytest.raises(ValueError, match="not a call") as caught:
        parse_call(text)
    assert len(str(caught.value)) < 100


def test_the_stats_table_is_a_new_one_each_time() -> None:
    stats_table().clear()
    assert stats_table()


def test_the_examples_in_the_docstrings_are_true() -> None:
    result = doctest.testmod(cards)
    assert result.attempted > 0
    assert result.failed == 0
