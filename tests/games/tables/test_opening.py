"""Opening a table, and dealing."""

from __future__ import annotations

import math
from typing import Any

import pytest

from games.art import figurine_of
from games.models import Admission, Deal, Seat, Table
from games.rules import DECK
from games.tables import opening
from games.tables import seats as table_seats
from games.tables.dealing import BOT_NAMES, seat_names, without_twins
from games.tables.opening import BadSettings
from games.tables.state import load_table
from games.tables.viewers import (
    viewer_by_guest,
)
from tests.games.table import (
    a_guest,
    deal,
    finish,
    friends,
    solo,
    some_settings,
)

pytestmark = pytest.mark.django_db


CODES = {card.code for card in DECK}


def test_a_table_opens_with_these_defaults() -> None:
    chosen = opening.TableSettings(variant=some_settings().variant, seats=4, people=1)
    table = opening.open_table(kind=Table.Kind.SOLO, settings=chosen, opener=a_guest())
    assert (table.rounds, table.patience, table.pace) == (8, 60.0, 0.7)
    assert (table.paused, table.closed, table.next_table, table.prepared) == (
        *(False, False, None, None),
    )
    levels = Seat.objects.filter(table=table).order_by("number").values_list("level", flat=True)
    assert list(levels) == ["", *["tip-wikipedia"] * 3]


def test_ids_are_of_letters_only_and_long() -> None:
    ids = {friends(here=False, people=0) for _ in range(20)}
    assert len(ids) == 20
    assert all(len(id_) == 20 and id_.isalpha() and id_.islower() for id_ in ids)


@pytest.mark.parametrize("seats", [2, 3, 7, 10])
def test_the_opener_sits_first_and_bots_on_the_other_seats(seats: int) -> None:
    opener = a_guest()
    table_id = solo(opener, seats=seats, level="random")
    stored = list(Seat.objects.filter(table=table_id).order_by("number"))
    assert [seat.number for seat in stored] == list(range(seats))
    assert [seat.level for seat in stored] == ["", *["random"] * (seats - 1)]
    assert len({seat.name for seat in stored}) == seats
    assert viewer_by_guest(table_id, opener).seat == 0


def test_a_table_of_friends_starts_when_the_last_person_has_come() -> None:
    table_id = friends(here=False, seats=5, people=3)
    for seat in (2, 0, 2):
        table_seats.open_seat(table_id=table_id, seat=seat)
        assert load_table(table_id).status == "waiting"
        assert load_table(table_id).turn == "0.0"
    table_seats.open_seat(table_id=table_id, seat=1)
    assert load_table(table_id).status == "bidding"
    assert Deal.objects.filter(table=table_id).count() == 1


def test_the_openers_own_coming_counts() -> None:
    table_id = friends(here=False, opener=a_guest(), people=2)
    table_seats.open_seat(table_id=table_id, seat=1)
    assert load_table(table_id).status == "bidding"


def test_coming_again_deals_no_second_time() -> None:
    table_id = friends(people=2)
    table_seats.open_seat(table_id=table_id, seat=1)
    table_seats.admit(table_id=table_id, seat=0, guest=a_guest())
    assert Deal.objects.filter(table=table_id).count() == 1


def test_watching_starts_nothing_and_takes_no_seat() -> None:
    table_id = friends(here=False, people=1)
    table_seats.admit(table_id=table_id, seat=None, guest=a_guest())
    assert load_table(table_id).status == "waiting"
    assert not Admission.objects.exclude(seat=None).exists()
    assert not Seat.objects.filter(table=table_id, opened=True).exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seats": 1, "people": 1}, "seats: from 2 to 10, not 1"),
        ({"seats": 11}, "seats: from 2 to 10, not 11"),
        ({"people": -1}, "not -1"),
        ({"people": 5}, "not 5"),
        ({"rounds": 0}, "rounds: from 1 to 8, not 0"),
        ({"rounds": 9}, "rounds: from 1 to 8, not 9"),
        ({"level": "genius"}, "no bot 'genius'"),
        ({"level": ""}, "no bot ''"),
        ({"patience": 0.5}, "patience"),
        ({"patience": 3601}, "patience"),
        ({"patience": math.nan}, "patience"),
        ({"pace": -0.1}, "pace"),
        ({"pace": math.inf}, "pace"),
        ({"pace": math.nan}, "pace"),
        ({"rounds": 2, "deals": [deal("", "", "", "")]}, "Deals in the file: 1"),
        ({"deals": "1332"}, "not a file of deals"),
        ({"deals": {}}, "not a file of deals"),
    ],
)
def test_settings_that_no_table_can_have(options: dict[str, Any], words: str) -> None:
    with pytest.raises(BadSettings, match=words) as why:
        friends(**options)
    assert "\n" not in str(why.value)
    assert not Table.objects.exists()


def broken(**changes: Any) -> dict[str, Any]:
    return {**deal("", "", "", ""), **changes}


def a_deal_with_numbers_for_cards() -> dict[str, Any]:
    return {
        "dealer": 0,
        "hands": [[int(code) for code in hand] for hand in deal("", "", "", "")["hands"]],
    }


BROKEN_DEALS: dict[str, Any] = {
    "no dealer": {"hands": deal("", "", "", "")["hands"]},
    "one key more": broken(undealt=[]),
    "dealer not a seat": broken(dealer=4),
    "dealer negative": broken(dealer=-1),
    "dealer true": broken(dealer=True),
    "dealer text": broken(dealer="0"),
    "dealer null": broken(dealer=None),
    "dealer a fraction": broken(dealer=0.0),
    "a hand too few": deal("", "", ""),
    "a hand too many": deal("", "", "", "", ""),
    "no hands": broken(hands=None),
    "hands a number": broken(hands=4),
    "hand a number": broken(hands=[1, 2, 3, 4]),
    "hand null": broken(hands=[None] * 4),
    "cards null": broken(hands=[[None] * 8] * 4),
    "cards lists": broken(hands=[[["1111"]] * 8] * 4),
    "not a card": broken(hands=[["1114"] * 8] * 4),
    "seven cards": broken(hands=[hand[:7] for hand in deal("", "", "", "")["hands"]]),
    "a card twice": broken(hands=[deal("")["hands"][0]] * 4),
    "hands objects": broken(
        hands=[dict.fromkeys(hand, "words") for hand in deal("", "", "", "")["hands"]]
    ),
    "all hands an object": broken(hands=dict.fromkeys(map(str, range(4)), ["1111"] * 8)),
    "hands as text": broken(hands=["11111112"] * 4),
    "not an object": [],
    "null": None,
    "cards as numbers": a_deal_with_numbers_for_cards(),
}


@pytest.mark.parametrize("name", BROKEN_DEALS)
def test_a_broken_deal_is_refused_by_its_number(name: str) -> None:
    deals = [deal("", "", "", ""), BROKEN_DEALS[name]]
    said = r"Deal 2(: .+ is no card of the game| needs a dealer \(0 to 3\) and 4 hands)"
    with pytest.raises(BadSettings, match=said) as why:
        friends(rounds=1, deals=deals)
    assert "\n" not in str(why.value)
    assert len(str(why.value)) < 200


# Dealing.


@pytest.mark.parametrize("seats", [2, 4, 10])
def test_a_deal_gives_eight_different_cards_to_each_seat(seats: int) -> None:
    table_id = friends(seats=seats, people=seats)
    stored = Deal.objects.get(table=table_id)
    assert [len(hand) for hand in stored.hands] == [8] * seats
    dealt = [code for hand in stored.hands for code in hand]
    assert len(set(dealt)) == 8 * seats
    assert set(dealt) <= CODES
    assert stored.round == 1


def test_every_card_is_dealt_sooner_or_later_and_each_seat_deals_first_sometimes() -> None:
    dealers, cards = set(), set()
    for _ in range(40):
        stored = Deal.objects.get(table=friends(people=0, seats=10))
        dealers.add(stored.dealer)
        cards |= {code for hand in stored.hands for code in hand}
    assert cards == CODES
    assert len(dealers) >= 6  # the chance of fewer is below one in a million


def test_the_deal_passes_to_the_left_and_is_shuffled_anew() -> None:
    table_id = solo(seats=3, rounds=4, variant="win")
    finish(table_id)
    deals = list(Deal.objects.filter(table=table_id).order_by("round"))
    assert [stored.round for stored in deals] == [1, 2, 3, 4]
    first = deals[0].dealer
    assert [stored.dealer for stored in deals] == [(first + k) % 3 for k in range(4)]
    assert len({str(stored.hands) for stored in deals}) == 4


def test_prepared_deals_are_used_exactly() -> None:
    deals = [
        deal("3333 1111", "1112", dealer=1),
        deal("2222", "3331 3313", dealer=1),
        deal("1212", "2121", dealer=0),
    ]
    table_id = friends(seats=2, people=2, rounds=2, variant="lose", deals=deals)
    finish(table_id)
    stored = Deal.objects.filter(table=table_id).order_by("round").values("dealer", "hands")
    assert list(stored) == deals[:2]


def test_no_bot_has_the_figurine_of_who_plays_or_of_another_bot() -> None:
    for _ in range(30):
        names = [seat.name for seat in load_table(solo(seats=4)).seats]
        assert len(set(map(figurine_of, names))) == 4, names
    people = {number: f"Blaise {number}" for number in range(9)}
    names = seat_names(10, people)
    assert names[:9] == list(people.values())
    free = {figurine_of(name) for name in BOT_NAMES} - {figurine_of(name) for name in names[:9]}
    assert figurine_of(names[9]) in free
    assert without_twins(BOT_NAMES, ["Ada"]) == list(BOT_NAMES), "none is left to take instead"
