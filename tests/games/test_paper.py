"""The game on paper: every card once, and slips that deal the same boards again."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.rules import DECK, MAX_SEATS, MIN_SEATS
from games.rules import parse_card as card

CODES = {each.code for each in DECK}

pytestmark = pytest.mark.django_db


def test_every_card_is_printed_once() -> None:
    page = Client().get("/paper/").content.decode()
    codes = re.findall(r"<small>(\d{4})</small>", page)
    assert len(codes) == 81
    assert set(codes) == CODES
    values = [card(code).value for code in codes]
    assert values == sorted(values)  # so that a slip's cards are found


@pytest.mark.parametrize("seats", range(MIN_SEATS, MAX_SEATS + 1))
def test_a_board_deals_each_card_once(seats: int) -> None:
    answer = Client().get(f"/paper/slips/?seats={seats}&boards=8&set=81")
    boards = answer.context["boards"]
    assert len(boards) == 8
    for number, dealer, hands in boards:
        assert dealer == (number - 1) % seats + 1
        assert [seat for seat, _hand in hands] == list(range(1, seats + 1))
        dealt = [code for _seat, hand in hands for code in hand]
        assert len(dealt) == len({*dealt}) == 8 * seats
        assert CODES.issuperset(dealt)


def test_a_set_gives_the_same_slips_again() -> None:
    def boards(address: str) -> object:
        return Client().get(f"/paper/slips/{address}").context["boards"]

    assert boards("?set=12") == boards("?set=12")
    assert boards("?set=12") != boards("?set=13")
    assert boards("?set=12&boards=8")[:4] == boards("?set=12")  # type: ignore[index]


@pytest.mark.parametrize(
    "asked", ["seats=1", "seats=99", "boards=0", "set=x", "set=-1", "seats="]
)
def test_nonsense_is_the_usual(asked: str) -> None:
    answer = Client().get(f"/paper/slips/?{asked}")
    assert answer.status_code == 200
    assert (answer.context["seats"], answer.context["many"]) == (4, 4)
