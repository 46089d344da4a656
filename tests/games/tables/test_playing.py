"""What is done to tables: each service, what it stores and what it refuses."""

from __future__ import annotations

import json
import math
from datetime import timedelta
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from games.analysis.outcomes import KEPT, MoveOption, packed, unpacked
from games.models import Admission, Deal, Guest, Move, Result, Seat, Table, TrickRecord
from games.rules import DECK, Bid, move_text, parse_move, score_round
from games.tables import moves, opening, steering
from games.tables import seats as table_seats
from games.tables import timing as table_timing
from games.tables.opening import BadSettings
from games.tables.refusals import Rejected
from games.tables.state import TableState, load_table
from games.tables.timing import last_seen, next_round_deadline
from games.tables.viewers import (
    Viewer,
    find_guest,
    seat_token,
    viewer_by_guest,
    viewer_by_token,
    watch_token,
)
from tests.games.conftest import Bells, Clock
from tests.games.table import (
    a_guest,
    deal,
    finish,
    friends,
    make,
    play,
    rows,
    seat_keys,
    solo,
    some_settings,
)
from xactika_site.classrooms.selectors import NotFound

pytestmark = pytest.mark.django_db

CODES = {card.code for card in DECK}


def refusal(service: Any, **arguments: Any) -> Rejected:
    """What the service refuses with; nothing that is stored may have changed."""
    before = rows(arguments["table_id"])
    with pytest.raises(Rejected) as caught:
        service(**arguments)
    assert rows(arguments["table_id"]) == before
    return caught.value


def not_found(service: Any, **arguments: Any) -> None:
    """The service must say NotFound and change nothing."""
    before = rows(arguments["table_id"])
    with pytest.raises(NotFound):
        service(**arguments)
    assert rows(arguments["table_id"]) == before


def ready(table_id: str, *seats: int) -> None:
    turn = load_table(table_id).turn
    for seat in seats:
        moves.say_ready(table_id=table_id, seat=seat, turn=turn)


def is_away(table_id: str, seat: int) -> bool:
    state = load_table(table_id)
    presence = last_seen([table_id])[table_id]
    return table_timing.is_away(state, seat, presence, timezone.now())


# Opening.


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


def test_a_solo_table_starts_at_once() -> None:
    state = load_table(solo())
    assert state.status == "bidding"
    assert state.turn == "1.0"


def test_a_table_without_people_starts_at_once() -> None:
    assert load_table(friends(people=0)).status == "bidding"


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
        ({"seats": 1, "people": 1}, "2 to 10 seats, not 1"),
        ({"seats": 11}, "2 to 10 seats, not 11"),
        ({"people": -1}, "not -1"),
        ({"people": 5}, "not 5"),
        ({"rounds": 0}, "1 to 8 rounds, not 0"),
        ({"rounds": 9}, "1 to 8 rounds, not 9"),
        ({"level": "genius"}, "no bot 'genius'"),
        ({"level": ""}, "no bot ''"),
        ({"patience": 0.5}, "Patience"),
        ({"patience": 3601}, "Patience"),
        ({"patience": math.nan}, "Patience"),
        ({"pace": -0.1}, "Pace"),
        ({"pace": math.inf}, "Pace"),
        ({"pace": math.nan}, "Pace"),
        ({"rounds": 2, "deals": [deal("", "", "", "")]}, "Deals in the file: 1"),
        ({"deals": "1332"}, "no list of deals"),
        ({"deals": {}}, "no list of deals"),
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
    with pytest.raises(BadSettings, match="Deal 2") as why:
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


# Playing.


def test_a_move_is_stored_with_its_mover(clock: Clock) -> None:
    table_id = friends(seats=2, people=2, deals=[deal("", "")], rounds=1)
    guest = a_guest()
    clock.forward(12)
    make(table_id, "3", guest_id=guest.pk)
    make(table_id, "0", mover=Move.Mover.BOT, level="tip-printed")
    stored = Move.objects.order_by("number")
    facts = ("deal__round", "number", "seat", "text", "mover", "level", "guest", "made")
    assert list(stored.values_list(*facts)) == [
        (1, 0, 1, "3", "person", "", guest.pk, clock.time),
        (1, 1, 0, "0", "bot", "tip-printed", None, clock.time),
    ]
    assert load_table(table_id).turn == "1.2"


def test_a_bots_move_is_stored_with_its_level_and_is_the_levels_choice() -> None:
    hands = deal("", "3333 3332 2333 3323", "", "")
    table_id = friends(people=0, level="tip-printed", deals=[hands], rounds=1)
    moves.make_bot_move(table_id=table_id, turn="1.0")
    stored = Move.objects.get()
    assert (stored.seat, stored.mover, stored.level, stored.guest) == (
        *(1, "bot", "tip-printed", None),
    )
    assert stored.text == str(sum(sum(map(int, code)) >= 9 for code in hands["hands"][1]))


def test_a_stand_in_plays_at_the_default_level(clock: Clock) -> None:
    table_id = friends(deals=[deal("", "", "", "")], rounds=1, level="random")
    clock.forward(60)
    steering.ask_stand_in(table_id=table_id, asker=0, turn="1.0", seat=1)
    moves.make_bot_move(table_id=table_id, turn="1.0")
    assert Move.objects.values_list("seat", "mover", "level").get() == (
        *(1, "bot", "tip-wikipedia"),
    )


def test_no_bot_moves_for_a_person_or_at_another_turn() -> None:
    table_id = friends(people=3, seats=4, deals=[deal("", "", "", "")], rounds=1)
    assert refusal(moves.make_bot_move, table_id=table_id, turn="1.0").code == "stale_turn"
    make(table_id, "0")
    make(table_id, "0")
    assert refusal(moves.make_bot_move, table_id=table_id, turn="1.1").code == "stale_turn"
    moves.make_bot_move(table_id=table_id, turn="1.2")
    assert load_table(table_id).turn == "1.3"


PREPARED = deal("1111 1112 2111", "1121 1211 2112", "1122 1212 1221", "2211 3333 2113")


def a_table_at(*texts: str, variant: str = "bid") -> str:
    """A table with the PREPARED deal (seat 0 deals, seat 1 begins) after these moves."""
    table_id = friends(deals=[PREPARED], rounds=1, variant=variant)
    for text in texts:
        make(table_id, text)
    return table_id


BIDS = ("1", "1", "1", "1")


@pytest.mark.parametrize(
    ("texts", "text", "reason"),
    [
        ((), "", "bad_text"),
        ((), "x", "bad_text"),
        ((), "10", "bad_text"),
        ((), "-1", "bad_text"),
        ((), "\N{ARABIC-INDIC DIGIT THREE}", "bad_text"),
        ((), "3\n", "bad_text"),
        ((), "1121 ", "bad_text"),
        ((), "1121:2-moon", "bad_text"),
        ((), "1" * 5000, "bad_text"),
        ((), "\ud800\x00", "bad_text"),
        ((), "9", "bid_out_of_range"),
        ((), "1121", "bid_expected"),
        ((), "1121:2-cone", "bid_expected"),
        (("2", "3", "2"), "1", "hook"),
        (BIDS, "1", "play_expected"),
        (BIDS, "3333:3-ball", "not_in_hand"),
        (BIDS, "3332:3-ball", "not_in_hand"),
        (BIDS, "1121", "call_missing"),
        (BIDS, "1121:1-cone", "call_not_on_card"),
        ((*BIDS, "1121:2-cone"), "1122:2-cone", "call_by_follower"),
        ((*BIDS, "1121:2-cone"), "1212", "must_follow"),
        ((*BIDS, "1121:2-cone"), "1121", "not_in_hand"),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason(
    texts: tuple[str, ...], text: str, reason: str
) -> None:
    table_id = a_table_at(*texts)
    state = load_table(table_id)
    refused = refusal(
        moves.make_move, table_id=table_id, seat=state.to_move, turn=state.turn, text=text
    )
    assert (refused.code, refused.reason) == ("illegal_move", reason)
    assert str(refused)
    assert load_table(table_id) == state


def test_refusals_come_in_the_protocols_order() -> None:
    opener = a_guest()
    table_id = friends(opener=opener, deals=[PREPARED], rounds=1)
    ask: dict[str, Any] = {"table_id": table_id, "text": "nonsense"}
    steering.set_paused(table_id=table_id, guest=opener, paused=True)
    for seat in (None, 0, 1):
        for turn in ("1.0", "0.9"):
            refused = refusal(moves.make_move, seat=seat, turn=turn, **ask)
            assert refused.code == "paused"
    steering.set_paused(table_id=table_id, guest=opener, paused=False)
    for seat in (None, 0, 1):
        for turn in ("0.9", "1.1", "2.0", "", "1.00", "01.0"):
            refused = refusal(moves.make_move, seat=seat, turn=turn, **ask)
            assert refused.code == "stale_turn"
    for seat in (None, 0, 2, 3):
        refused = refusal(moves.make_move, seat=seat, turn="1.0", **ask)
        assert refused.code == "not_your_turn"
    refused = refusal(moves.make_move, seat=1, turn="1.0", **ask)
    assert (refused.code, refused.reason) == ("illegal_move", "bad_text")


def test_a_legal_move_out_of_turn_is_refused_too() -> None:
    table_id = a_table_at("3")
    refused = refusal(moves.make_move, table_id=table_id, seat=1, turn="1.1", text="3")
    assert refused.code == "not_your_turn"
    refused = refusal(moves.make_move, table_id=table_id, seat=1, turn="1.0", text="3")
    assert refused.code == "stale_turn"


def test_there_are_no_moves_while_waiting_between_rounds_and_after() -> None:
    waiting = friends(here=False)
    refused = refusal(moves.make_move, table_id=waiting, seat=0, turn="0.0", text="3")
    assert refused.code == "not_your_turn"
    opener = a_guest()
    table_id = friends(seats=2, people=2, rounds=2, variant="win", opener=opener)
    for status in ("round_over", "game_over", "closed"):
        if status == "closed":
            table_id = friends(opener=opener)
            steering.close_table(table_id=table_id, guest=opener)
        else:
            play(table_id)
        state = load_table(table_id)
        assert state.status == status
        assert state.to_move is None
        for seat in (None, 0, 1):
            refused = refusal(
                *(moves.make_move,), table_id=table_id, seat=seat, turn=state.turn, text="3"
            )
            assert refused.code == "not_your_turn"
        if status == "round_over":
            ready(table_id, 0, 1)


def test_a_closed_table_takes_no_move_in_mid_round() -> None:
    opener = a_guest()
    table_id = friends(opener=opener, deals=[PREPARED], rounds=1)
    steering.close_table(table_id=table_id, guest=opener)
    refused = refusal(moves.make_move, table_id=table_id, seat=1, turn="1.0", text="3")
    assert refused.code == "not_your_turn"


def test_no_table_no_move() -> None:
    with pytest.raises(NotFound):
        moves.make_move(table_id="bcdfghjkmnpqrstvwxzb", seat=0, turn="0.0", text="3")


def test_the_bell_rings_once_a_move_after_commit_and_never_on_refusal(
    bells: Bells, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    table_id = friends(deals=[PREPARED], rounds=1)
    with django_capture_on_commit_callbacks() as waiting:
        moves.make_move(table_id=table_id, seat=1, turn="1.0", text="3")
    assert bells == []
    for callback in waiting:
        callback()
    assert bells == [table_id]
    with django_capture_on_commit_callbacks() as waiting:
        refusal(moves.make_move, table_id=table_id, seat=2, turn="1.1", text="9")
    assert waiting == []


@pytest.mark.parametrize("what", ["pause", "ready", "away", "stand_in", "take_back", "renew"])
def test_these_ring_the_bell_too(
    what: str,
    clock: Clock,
    bells: Bells,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    opener = a_guest()
    table_id = friends(opener=opener, seats=2, people=2, rounds=2)
    if what == "ready":
        play(table_id)
    turn = load_table(table_id).turn
    clock.forward(70)
    to_move = load_table(table_id).to_move or 0
    if what == "take_back":
        steering.ask_stand_in(table_id=table_id, asker=1 - to_move, turn=turn, seat=to_move)
    with django_capture_on_commit_callbacks(execute=True):
        match what:
            case "pause":
                steering.set_paused(table_id=table_id, guest=opener, paused=True)
            case "ready":
                moves.say_ready(table_id=table_id, seat=0, turn=turn)
            case "away":
                table_seats.mark_gone(table_id=table_id, seat=0, unless_seen_since=clock.time)
            case "stand_in":
                steering.ask_stand_in(
                    table_id=table_id, asker=1 - to_move, turn=turn, seat=to_move
                )
            case "take_back":
                steering.take_back(table_id=table_id, seat=to_move)
            case "renew":
                steering.renew_link(table_id=table_id, guest=opener, seat=1)
    assert set(bells) == {table_id}


# Results.


@pytest.mark.parametrize(
    ("variant", "seats"), [("win", 2), ("lose", 3), ("bid", 4), ("bid", 10)]
)
def test_results_are_written_when_the_round_ends_and_not_before(
    variant: str, seats: int
) -> None:
    table_id = friends(variant=variant, seats=seats, people=seats)
    last = 8 * seats + (seats if variant == "bid" else 0) - 1
    play(table_id, lambda state: len(state.moves) == last)
    assert not Result.objects.exists()
    assert not TrickRecord.objects.exists()
    state = play(table_id)
    assert state.round is not None
    results = list(Result.objects.order_by("seat"))
    assert [row.seat for row in results] == list(range(seats))
    assert tuple(row.points for row in results) == score_round(state.round)
    assert tuple(row.taken for row in results) == state.round.taken
    assert tuple(row.bid for row in results) == state.round.bids
    assert all(row.deal_id == state.deal_id and row.by_person for row in results)
    assert state.points == (score_round(state.round),)
    records = TrickRecord.objects.order_by("number")
    assert list(records.values_list("number", "leader", "call", "value", "taker")) == [
        (n, trick.leader, str(trick.call), trick.plays[0][1].value, trick.winner)
        for n, trick in enumerate(state.round.tricks)
    ]
    assert len(records) == 8


@pytest.mark.parametrize(("variant", "seats"), [("bid", 2), ("win", 4), ("lose", 10)])
def test_the_chance_of_a_lead_when_it_was_led(variant: str, seats: int) -> None:
    """Recomputed from card codes alone: place the better cards one by one, none of them in an
    opponent's hand; at small sizes also by looking at every hand that may be held."""
    table_id = friends(variant=variant, seats=seats, people=seats)
    play(table_id)
    hands = Deal.objects.get().hands
    laid = [
        (move.seat, move.text)
        for move in Move.objects.order_by("number")
        if not move.text.isdigit() or len(move.text) == 4
    ]
    for record in TrickRecord.objects.order_by("number"):
        begun = record.number * seats
        seat, text = laid[begun]
        code, call = text.split(":")
        count, place = call[0], ("ball", "cube", "cone", "star").index(call[2:])
        seen = {text[:4] for _, text in laid[:begun]} | set(hands[seat])
        unseen = [card.code for card in DECK if card.code not in seen]
        better = {
            c for c in unseen if c[place] == count and sum(map(int, c)) >= sum(map(int, code))
        }
        held, chance = (seats - 1) * (8 - record.number), Fraction(1)
        for k in range(len(better)):
            chance *= Fraction(max(0, len(unseen) - held - k), len(unseen) - k)
        assert record.chance == float(chance)
        if held <= 2:
            others = list(combinations(unseen, held))
            assert chance == Fraction(sum(better.isdisjoint(h) for h in others), len(others))


def test_a_bots_reason_is_kept_with_its_move() -> None:
    table_id = friends(seats=3, people=1, level="counter", rounds=1)
    while not (state := load_table(table_id)).round.is_over:  # type: ignore[union-attr]
        if state.to_move == 0:
            make(table_id, state.legal[0])
        else:
            moves.make_bot_move(table_id=table_id, turn=state.turn)
    weighed = 0
    for move in Move.objects.all():
        options = unpacked(move.reason)
        assert len(options) <= KEPT
        if move.seat == 0:
            assert move.reason is None
        elif options:
            weighed += 1
            assert move_text(options[0].move) == move.text
            assert packed(options) == move.reason
            assert all(o.chance is None or 0 <= o.chance <= 1 for o in options)
    assert weighed > 6


def test_a_reason_is_small() -> None:
    options = tuple(MoveOption(Bid(n), 1 / 3, 8 / 3, -7 / 9, 512) for n in range(9))
    assert packed(options)[0] == ["0", 0.333, 2.67, -0.78, 512]
    assert len(json.dumps(packed(options))) < 160
    assert packed(()) == []
    assert unpacked(None) == ()


def test_the_points_of_all_rounds_add_up() -> None:
    table_id = solo(seats=2, rounds=3)
    state = finish(table_id)
    stored = Result.objects.order_by("deal__round", "seat").values_list("points", flat=True)
    assert [points for row in state.points for points in row] == list(stored)
    assert len(state.points) == 3
    assert state.totals == tuple(sum(row[seat] for row in state.points) for seat in (0, 1))


def by_person(movers: dict[int, list[dict[str, Any]]]) -> list[bool]:
    """by_person of both seats at a table of two, each moving as listed, in turn."""
    table_id = friends(seats=2, people=2, rounds=1)
    made = {0: 0, 1: 0}

    def by(seat: int) -> dict[str, Any]:
        ways = movers[seat]
        made[seat] += 1
        return ways[min(made[seat], len(ways)) - 1]

    play(table_id, by=by)
    return [row.by_person for row in Result.objects.order_by("seat")]


def test_a_result_is_a_persons_if_one_person_made_every_move() -> None:
    one, two = {"guest_id": a_guest().pk}, {"guest_id": a_guest().pk}
    bot = {"mover": Move.Mover.BOT, "level": "tip-wikipedia"}
    program: dict[str, Any] = {}
    assert by_person({0: [one], 1: [two]}) == [True, True]
    Table.objects.all().delete()
    assert by_person({0: [program], 1: [bot]}) == [True, False]
    Table.objects.all().delete()
    assert by_person({0: [one, one, bot, one], 1: [two]}) == [False, True]
    Table.objects.all().delete()
    assert by_person({0: [one] * 8 + [two], 1: [bot, two]}) == [False, False]
    Table.objects.all().delete()
    assert by_person({0: [one], 1: [one, program]}) == [True, False]


# Between rounds.


def between_rounds(**options: Any) -> tuple[str, TableState]:
    """A table whose first round is over, and its state."""
    options = {"seats": 3, "people": 3, "rounds": 3, "variant": "win", **options}
    table_id = friends(**options)
    return table_id, play(table_id)


def test_when_all_present_are_ready_the_next_round_is_dealt(clock: Clock) -> None:
    table_id, before = between_rounds()
    for seat in (2, 0):
        moves.say_ready(table_id=table_id, seat=seat, turn=before.turn)
        assert load_table(table_id).status == "round_over"
    assert [bool(seat.ready_at) for seat in load_table(table_id).seats] == [True, False, True]
    moves.say_ready(table_id=table_id, seat=1, turn=before.turn)
    state = load_table(table_id)
    assert (state.turn, state.status) == ("2.0", "playing")
    assert not any(seat.ready_at for seat in state.seats)


def test_being_ready_twice_is_harmless(clock: Clock) -> None:
    table_id, before = between_rounds()
    moves.say_ready(table_id=table_id, seat=0, turn=before.turn)
    stored = rows(table_id)
    clock.forward(5)
    moves.say_ready(table_id=table_id, seat=0, turn=before.turn)
    assert rows(table_id) == stored
    ready(table_id, 1, 2)
    refused = refusal(moves.say_ready, table_id=table_id, seat=0, turn=before.turn)
    assert refused.code == "stale_turn"


def test_sixty_seconds_after_the_first_the_round_is_dealt_at_a_friends_table(
    clock: Clock,
) -> None:
    table_id, _ = between_rounds()
    ready(table_id, 1)
    for seconds in (20, 20, 19):
        clock.forward(seconds)
        for seat in range(3):
            table_seats.mark_seen(seats=seat_keys(table_id, seat), when=clock.time)
        moves.go_on(table_id=table_id)
        assert load_table(table_id).status == "round_over"
    clock.forward(1)
    moves.go_on(table_id=table_id)
    assert load_table(table_id).turn == "2.0"


def test_the_sixty_seconds_run_from_the_first_and_show_as_the_deadline(clock: Clock) -> None:
    table_id, before = between_rounds()
    assert next_round_deadline(before) is None
    ready(table_id, 1)
    first = clock.time
    clock.forward(30)
    for seat in range(3):
        table_seats.mark_seen(seats=seat_keys(table_id, seat), when=clock.time)
    ready(table_id, 0)
    assert next_round_deadline(load_table(table_id)) == first + timedelta(seconds=60)


def test_nobody_ready_nothing_happens(clock: Clock) -> None:
    table_id, before = between_rounds()
    clock.forward(7200)
    moves.go_on(table_id=table_id)
    assert load_table(table_id).turn == before.turn


def test_at_a_solo_table_time_alone_never_deals(clock: Clock) -> None:
    table_id = solo(seats=2, rounds=2, variant="win")
    before = play(table_id)
    assert before.status == "round_over"
    clock.forward(7200)
    moves.go_on(table_id=table_id)
    assert load_table(table_id).turn == before.turn
    ready(table_id, 0)
    assert load_table(table_id).turn == "2.0"


def test_at_a_solo_table_of_several_people_the_sixty_seconds_do_not_run(clock: Clock) -> None:
    table_id = friends(seats=2, people=2, rounds=2, variant="win")
    Table.objects.filter(pk=table_id).update(kind="solo", version=100)
    play(table_id)
    ready(table_id, 0)
    for _ in range(10):
        clock.forward(20)
        table_seats.mark_seen(seats=seat_keys(table_id, 0, 1), when=clock.time)
        moves.go_on(table_id=table_id)
    assert load_table(table_id).status == "round_over"
    assert next_round_deadline(load_table(table_id)) is None


def test_people_who_are_away_are_not_waited_for(clock: Clock) -> None:
    table_id, _ = between_rounds()
    clock.forward(25)
    table_seats.mark_seen(seats=seat_keys(table_id, 1), when=clock.time)
    ready(table_id, 0)
    assert load_table(table_id).status == "round_over"
    ready(table_id, 1)
    assert load_table(table_id).turn == "2.0"


def test_a_departure_makes_the_round_due(clock: Clock) -> None:
    table_id, _ = between_rounds()
    ready(table_id, 0, 1)
    assert load_table(table_id).status == "round_over"
    table_seats.mark_gone(table_id=table_id, seat=2, unless_seen_since=clock.time)
    moves.go_on(table_id=table_id)
    assert load_table(table_id).turn == "2.0"


def test_stand_ins_are_not_waited_for(clock: Clock) -> None:
    table_id, before = between_rounds()
    table_seats.mark_gone(table_id=table_id, seat=2, unless_seen_since=clock.time)
    steering.ask_stand_in(table_id=table_id, asker=0, turn=before.turn, seat=2)
    table_seats.mark_seen(seats=seat_keys(table_id, 2), when=clock.time)
    assert not is_away(table_id, 2)
    ready(table_id, 0, 1)
    assert load_table(table_id).turn == "2.0"


def test_bots_are_not_waited_for(clock: Clock) -> None:
    table_id, _ = between_rounds(people=1)
    ready(table_id, 0)
    assert load_table(table_id).turn == "2.0"


def test_ready_is_refused_to_watchers_and_when_no_round_is_over(clock: Clock) -> None:
    opener = a_guest()
    waiting = friends(here=False)
    say = moves.say_ready
    assert refusal(say, table_id=waiting, seat=0, turn="0.0").code == "not_your_turn"
    table_id = friends(seats=2, people=2, rounds=1, opener=opener)
    assert refusal(say, table_id=table_id, seat=0, turn="1.0").code == "not_your_turn"
    over = play(table_id)
    assert over.status == "game_over"
    assert refusal(say, table_id=table_id, seat=0, turn=over.turn).code == "not_your_turn"
    table_id, between = between_rounds(opener=opener)
    assert refusal(say, table_id=table_id, seat=None, turn=between.turn).code == (
        "not_your_turn"
    )
    assert refusal(say, table_id=table_id, seat=0, turn="1.3").code == "stale_turn"
    steering.set_paused(table_id=table_id, guest=opener, paused=True)
    assert refusal(say, table_id=table_id, seat=0, turn="1.3").code == "paused"
    steering.set_paused(table_id=table_id, guest=opener, paused=False)
    steering.close_table(table_id=table_id, guest=opener)
    assert refusal(say, table_id=table_id, seat=0, turn=between.turn).code == "not_your_turn"


def test_a_paused_table_deals_nothing_though_time_has_passed(clock: Clock) -> None:
    opener = a_guest()
    table_id, _ = between_rounds(opener=opener)
    ready(table_id, 0)
    steering.set_paused(table_id=table_id, guest=opener, paused=True)
    clock.forward(600)
    moves.go_on(table_id=table_id)
    assert load_table(table_id).status == "round_over"
    steering.set_paused(table_id=table_id, guest=opener, paused=False)
    moves.go_on(table_id=table_id)
    assert load_table(table_id).turn == "2.0"


def test_a_game_ends_after_its_last_round_at_once() -> None:
    state = finish(friends(seats=2, people=2, rounds=2, variant="lose"))
    assert (state.status, state.round_number) == ("game_over", 2)
    moves.go_on(table_id=state.id)
    assert load_table(state.id) == state


# Standing in.


def test_a_bot_may_be_asked_for_somebody_who_is_away(clock: Clock) -> None:
    table_id = friends(deals=[PREPARED], rounds=1, patience=300)
    ask: dict[str, Any] = {"table_id": table_id, "turn": "1.0"}
    clock.forward(24)
    for seat in (1, 2, 3):
        refused = refusal(steering.ask_stand_in, asker=0, seat=seat, **ask)
        assert refused.code == "not_your_turn"
    clock.forward(1)
    steering.ask_stand_in(asker=0, seat=3, **ask)
    assert [seat.stand_in for seat in load_table(table_id).seats] == [False] * 3 + [True]


def test_a_bot_may_be_asked_for_somebody_whose_patience_is_over(clock: Clock) -> None:
    table_id = friends(deals=[PREPARED], rounds=1, patience=40)
    ask: dict[str, Any] = {"table_id": table_id, "asker": 0, "turn": "1.0"}
    clock.forward(39)
    everybody = seat_keys(table_id, *range(4))
    table_seats.mark_seen(seats=everybody, when=clock.time)
    assert refusal(steering.ask_stand_in, seat=1, **ask).code == "not_your_turn"
    clock.forward(1)
    assert refusal(steering.ask_stand_in, seat=2, **ask).code == "not_your_turn"
    steering.ask_stand_in(seat=1, **ask)
    assert load_table(table_id).seats[1].stand_in


def test_patience_begins_with_the_turn(clock: Clock) -> None:
    table_id = friends(deals=[PREPARED], rounds=1, patience=40)
    clock.forward(39)
    make(table_id, "1")
    clock.forward(39)
    table_seats.mark_seen(seats=seat_keys(table_id, *range(4)), when=clock.time)
    ask: dict[str, Any] = {"table_id": table_id, "asker": 0, "turn": "1.1", "seat": 2}
    assert refusal(steering.ask_stand_in, **ask).code == "not_your_turn"
    clock.forward(1)
    steering.ask_stand_in(**ask)


def test_who_may_not_ask_and_for_whom_nobody_may(clock: Clock) -> None:
    opener = a_guest()
    table_id = friends(opener=opener, people=3, deals=[PREPARED], rounds=1)
    clock.forward(100)
    ask = steering.ask_stand_in
    for asker, seat in [(None, 1), (1, 1), (0, -1), (0, 4), (0, 10**30)]:
        refused = refusal(ask, table_id=table_id, asker=asker, turn="1.0", seat=seat)
        assert refused.code == "not_your_turn"
    before = rows(table_id)
    ask(table_id=table_id, asker=0, turn="1.0", seat=3)  # a bot's seat: nothing to do
    assert rows(table_id) == before
    assert refusal(ask, table_id=table_id, asker=0, turn="0.0", seat=1).code == "stale_turn"
    steering.set_paused(table_id=table_id, guest=opener, paused=True)
    assert refusal(ask, table_id=table_id, asker=0, turn="0.0", seat=1).code == "paused"


def test_nobody_stands_in_while_waiting_or_after_the_game(clock: Clock) -> None:
    waiting = friends(here=False, people=2)
    table_seats.open_seat(table_id=waiting, seat=0)
    clock.forward(100)
    ask = steering.ask_stand_in
    assert refusal(ask, table_id=waiting, asker=0, turn="0.0", seat=1).code == "not_your_turn"
    over = finish(friends(seats=2, people=2, rounds=1))
    clock.forward(100)
    assert refusal(ask, table_id=over.id, asker=0, turn=over.turn, seat=1).code == (
        "not_your_turn"
    )


def test_asking_twice_is_harmless_and_taking_back_works_at_any_time(clock: Clock) -> None:
    table_id = friends(deals=[PREPARED], rounds=1)
    clock.forward(60)
    steering.ask_stand_in(table_id=table_id, asker=0, turn="1.0", seat=1)
    before = rows(table_id)
    steering.ask_stand_in(table_id=table_id, asker=2, turn="1.0", seat=1)
    assert rows(table_id) == before
    moves.make_bot_move(table_id=table_id, turn="1.0")
    steering.take_back(table_id=table_id, seat=1)
    assert not load_table(table_id).seats[1].stand_in
    before = rows(table_id)
    steering.take_back(table_id=table_id, seat=1)
    assert rows(table_id) == before
    assert refusal(steering.take_back, table_id=table_id, seat=None).code == "not_your_turn"


def test_a_persons_own_move_takes_back_and_a_bots_does_not(clock: Clock) -> None:
    table_id = friends(deals=[PREPARED], rounds=1)
    clock.forward(60)
    steering.ask_stand_in(table_id=table_id, asker=0, turn="1.0", seat=1)
    steering.ask_stand_in(table_id=table_id, asker=0, turn="1.0", seat=2)
    moves.make_bot_move(table_id=table_id, turn="1.0")
    make(table_id, "1")
    stand_ins = [seat.stand_in for seat in load_table(table_id).seats]
    assert stand_ins == [False, True, False, False]
    refusal(moves.make_move, table_id=table_id, seat=1, turn="1.2", text="1")
    assert load_table(table_id).seats[1].stand_in


# What the opener may do.


def test_what_is_the_openers_alone_is_nobody_elses() -> None:
    opener, friend = a_guest(), a_guest()
    table_id = friends(opener=opener, here=False, people=3)
    table_seats.admit(table_id=table_id, seat=1, guest=friend)
    table_seats.admit(table_id=table_id, seat=None, guest=a_guest())
    for guest in (None, friend, a_guest(), Guest.objects.order_by("-pk").first()):
        who = {"table_id": table_id, "guest": guest}
        not_found(steering.renew_link, seat=1, **who)
        not_found(steering.set_pace, pace="fast", **who)
        not_found(steering.set_paused, paused=True, **who)
        not_found(steering.start_without_missing, **who)
        not_found(steering.close_table, **who)


def test_a_table_without_an_opener_obeys_nobody() -> None:
    not_found(steering.set_paused, table_id=friends(), guest=None, paused=True)


def test_a_renewed_seat_link_shuts_out_whoever_came_by_the_old_one() -> None:
    opener, friend, other = a_guest(), a_guest(), a_guest()
    table_id = friends(opener=opener, people=3)
    table_seats.admit(table_id=table_id, seat=1, guest=friend)
    table_seats.admit(table_id=table_id, seat=2, guest=other)
    old = seat_token(table_id, 1, 0)
    _, viewer = viewer_by_token(old)
    steering.renew_link(table_id=table_id, guest=opener, seat=1)
    with pytest.raises(NotFound):
        viewer_by_token(old)
    with pytest.raises(NotFound):
        viewer_by_guest(table_id, friend)
    assert not viewer.may_stay(load_table(table_id))
    assert viewer_by_guest(table_id, other).seat == 2
    assert viewer_by_guest(table_id, opener).seat == 0
    new = seat_token(table_id, 1, 1)
    assert viewer_by_token(new)[1].seat == 1


def test_a_renewed_watch_link_shuts_out_watchers_and_no_seats() -> None:
    opener, friend, watcher = a_guest(), a_guest(), a_guest()
    table_id = friends(opener=opener, people=2)
    table_seats.admit(table_id=table_id, seat=1, guest=friend)
    for guest in (friend, watcher):
        table_seats.admit(table_id=table_id, seat=None, guest=guest)
    old = watch_token(table_id, 0)
    steering.renew_link(table_id=table_id, guest=opener, seat=None)
    with pytest.raises(NotFound):
        viewer_by_token(old)
    with pytest.raises(NotFound):
        viewer_by_guest(table_id, watcher)
    assert viewer_by_guest(table_id, friend).seat == 1
    assert viewer_by_token(watch_token(table_id, 1))[1].seat is None


def test_the_opener_stays_though_the_own_link_is_renewed() -> None:
    opener = a_guest()
    table_id = friends(opener=opener, people=2)
    steering.renew_link(table_id=table_id, guest=opener, seat=0)
    viewer = viewer_by_guest(table_id, opener)
    assert (viewer.seat, viewer.serial) == (0, 1)


def test_a_sister_who_took_over_is_out_by_a_new_link() -> None:
    opener, sister = a_guest(), a_guest()
    table_id = friends(opener=opener, people=2)
    table_seats.admit(table_id=table_id, seat=0, guest=sister, take_over=True)
    steering.renew_link(table_id=table_id, guest=opener, seat=0)
    for guest in (opener, sister):
        with pytest.raises(NotFound):
            viewer_by_guest(table_id, guest)


def test_who_came_by_a_renewed_link_can_do_nothing_more(clock: Clock) -> None:
    opener = a_guest()
    table_id = friends(opener=opener, deals=[PREPARED], rounds=1)
    steering.renew_link(table_id=table_id, guest=opener, seat=1)
    steering.renew_link(table_id=table_id, guest=opener, seat=None)
    clock.forward(100)
    here = {"table_id": table_id, "turn": "1.0"}
    by_link, watching = {"viewer": Viewer(1, 0)}, {"viewer": Viewer(None, 0)}
    not_found(moves.make_move, seat=1, text="3", **here, **by_link)
    not_found(moves.say_ready, seat=1, **here, **by_link)
    not_found(steering.ask_stand_in, asker=1, seat=2, **here, **by_link)
    not_found(steering.ask_stand_in, asker=None, seat=2, **here, **watching)
    not_found(steering.take_back, table_id=table_id, seat=1, **by_link)
    renewed = Viewer(1, 1)
    moves.make_move(table_id=table_id, seat=1, turn="1.0", text="3", viewer=renewed)
    assert load_table(table_id).turn == "1.1"


def test_no_link_of_a_bots_seat_or_of_no_seat_is_renewed() -> None:
    opener = a_guest()
    table_id = friends(opener=opener, people=2, seats=3)
    for seat in (2, 3, -1, 10**20):
        not_found(steering.renew_link, table_id=table_id, guest=opener, seat=seat)


def test_tokens_are_of_one_table_seat_and_serial() -> None:
    one, two = friends(), friends()
    tokens = {seat_token(t, n, s) for t in (one, two) for n in (0, 1) for s in (0, 1)}
    tokens |= {watch_token(t, s) for t in (one, two) for s in (0, 1)}
    assert len(tokens) == 12
    token = seat_token(one, 1, 0)
    assert viewer_by_token(token) == (one, Viewer(seat=1, serial=0))
    name, place, serial, seal = token.split(".")
    forged = [
        "",
        ".",
        "..." * 50,
        one,
        f"{name}.{place}.{serial}",
        f"{name}.0.{serial}.{seal}",
        f"{name}.watch.{serial}.{seal}",
        f"{two}.{place}.{serial}.{seal}",
        f"{name}.{place}.1.{seal}",
        token[:-1],
        token + "x",
        token + "x" * 500,
        token.upper(),
        "\x00" + token,
        "\ud800",
        "☃.1.0.☃",
    ]
    for text in forged:
        with pytest.raises(NotFound):
            viewer_by_token(text)
    Table.objects.filter(pk=one).delete()
    with pytest.raises(NotFound):
        viewer_by_token(token)


def test_the_pace_is_one_of_those_offered() -> None:
    opener = a_guest()
    table_id = friends(opener=opener)
    for name, seconds in [("slow", 2.5), ("normal", 0.7), ("fast", 0.3), ("instant", 0.0)]:
        steering.set_pace(table_id=table_id, guest=opener, pace=name)
        assert load_table(table_id).setup.pace == seconds
    for name in ("", "0", "Slow", "slow "):
        with pytest.raises(BadSettings):
            steering.set_pace(table_id=table_id, guest=opener, pace=name)
    assert load_table(table_id).setup.pace == 0.0


def test_a_pause_stops_people_and_bots_until_it_ends() -> None:
    opener = a_guest()
    table_id = friends(opener=opener, people=1, deals=[PREPARED], rounds=1)
    steering.set_paused(table_id=table_id, guest=opener, paused=True)
    steering.set_paused(table_id=table_id, guest=opener, paused=True)
    assert load_table(table_id).paused
    assert refusal(moves.make_bot_move, table_id=table_id, turn="1.0").code == "paused"
    steering.set_paused(table_id=table_id, guest=opener, paused=False)
    moves.make_bot_move(table_id=table_id, turn="1.0")
    assert load_table(table_id).turn == "1.1"


def test_the_opener_may_start_without_those_missing_who_may_still_come() -> None:
    opener = a_guest()
    table_id = friends(opener=opener, here=False, people=3, seats=4)
    table_seats.open_seat(table_id=table_id, seat=1)
    steering.start_without_missing(table_id=table_id, guest=opener)
    state = load_table(table_id)
    assert state.status == "bidding"
    assert [seat.stand_in for seat in state.seats] == [False, False, True, False]
    before = rows(table_id)
    steering.start_without_missing(table_id=table_id, guest=opener)
    assert rows(table_id) == before
    table_seats.admit(table_id=table_id, seat=2, guest=a_guest())
    steering.take_back(table_id=table_id, seat=2)
    assert not load_table(table_id).seats[2].stand_in
    assert Deal.objects.filter(table=table_id).count() == 1


def test_a_game_that_is_over_stays_so() -> None:
    opener = a_guest()
    table_id = solo(opener, seats=2, rounds=1)
    finish(table_id)
    steering.close_table(table_id=table_id, guest=opener)
    assert load_table(table_id).status == "game_over"


def test_a_closed_table_starts_no_more() -> None:
    opener = a_guest()
    table_id = friends(opener=opener, here=False, people=2)
    steering.close_table(table_id=table_id, guest=opener)
    table_seats.open_seat(table_id=table_id, seat=1)
    steering.start_without_missing(table_id=table_id, guest=opener)
    assert load_table(table_id).status == "closed"
    assert not Deal.objects.exists()


# Being there.


def test_somebody_not_seen_for_25_seconds_is_away(clock: Clock) -> None:
    table_id = friends(people=2, seats=3)
    assert [is_away(table_id, seat) for seat in range(3)] == [False] * 3
    clock.forward(24.9)
    assert [is_away(table_id, seat) for seat in range(3)] == [False] * 3
    table_seats.mark_seen(seats=seat_keys(table_id, 1), when=clock.time)
    clock.forward(0.1)
    assert [is_away(table_id, seat) for seat in range(3)] == [True, False, False]
    table_seats.open_seat(table_id=table_id, seat=0)
    assert [is_away(table_id, seat) for seat in range(3)] == [False] * 3


def test_somebody_who_never_came_is_not_away(clock: Clock) -> None:
    table_id = friends(here=False, people=2)
    clock.forward(600)
    assert not is_away(table_id, 0)


def test_the_last_connections_end_makes_away_unless_seen_elsewhere(clock: Clock) -> None:
    table_id = friends(people=2)
    left = clock.time
    clock.forward(3)
    table_seats.mark_seen(seats=seat_keys(table_id, 0), when=clock.time)
    for seat in (0, 1):
        table_seats.mark_gone(table_id=table_id, seat=seat, unless_seen_since=left)
    assert [is_away(table_id, seat) for seat in (0, 1)] == [False, True]


# After the game.


def a_finished_game() -> tuple[str, list[Guest], Guest]:
    """A finished game of two people and a bot, its people and a watcher."""
    people, watcher = [a_guest(), a_guest()], a_guest()
    table_id = friends(
        opener=people[0], people=2, seats=3, rounds=1, variant="lose", patience=90, pace=0.3
    )
    table_seats.admit(table_id=table_id, seat=1, guest=people[1])
    table_seats.admit(table_id=table_id, seat=None, guest=watcher)
    finish(table_id)
    return table_id, people, watcher


def test_play_again_opens_one_table_with_the_same_people() -> None:
    table_id, people, watcher = a_finished_game()
    first = opening.play_again(table_id=table_id, guest=people[1])
    second = opening.play_again(table_id=table_id, guest=people[0])
    assert first == second != table_id
    assert Table.objects.count() == 2
    assert load_table(table_id).next_table_id == first
    old, new = Table.objects.get(pk=table_id), Table.objects.get(pk=first)
    for field in ("kind", "variant", "rounds", "patience", "pace", "opener"):
        assert getattr(old, field) == getattr(new, field)
    facts = ("number", "name", "level")
    assert list(new.seat_set.order_by("number").values_list(*facts)) == list(
        old.seat_set.order_by("number").values_list(*facts)
    )
    for seat, guest in enumerate(people):
        assert viewer_by_guest(first, guest).seat == seat
    assert viewer_by_guest(first, watcher).seat is None
    state = load_table(first)
    assert (state.status, state.points, state.turn) == ("waiting", (), "0.0")
    for seat in (0, 1):
        table_seats.open_seat(table_id=first, seat=seat)
    assert load_table(first).status == "playing"


def test_play_again_is_for_those_who_sat_here_and_after_the_game() -> None:
    table_id, _, watcher = a_finished_game()
    for guest in (None, watcher, a_guest()):
        not_found(opening.play_again, table_id=table_id, guest=guest)
    opener = a_guest()
    playing = solo(opener)
    not_found(opening.play_again, table_id=playing, guest=opener)
    steering.close_table(table_id=playing, guest=opener)
    assert opening.play_again(table_id=playing, guest=opener) != playing


def test_somebody_shut_out_does_not_sit_at_the_next_table_either() -> None:
    table_id, people, _ = a_finished_game()
    steering.renew_link(table_id=table_id, guest=people[0], seat=1)
    not_found(opening.play_again, table_id=table_id, guest=people[1])
    next_id = opening.play_again(table_id=table_id, guest=people[0])
    with pytest.raises(NotFound):
        viewer_by_guest(next_id, people[1])


def test_a_solo_game_played_again_begins_when_its_player_comes() -> None:
    opener = a_guest()
    table_id = solo(opener, seats=2, rounds=1)
    finish(table_id)
    next_id = opening.play_again(table_id=table_id, guest=opener)
    table_seats.open_seat(table_id=next_id, seat=0)
    assert load_table(next_id).status == "bidding"


# Coming in.


def test_a_browser_with_two_seats_is_where_it_came_last(clock: Clock) -> None:
    table_id, guest = friends(people=3), a_guest()
    for place in (2, 1, None):
        clock.forward(1)
        table_seats.admit(table_id=table_id, seat=place, guest=guest)
    assert viewer_by_guest(table_id, guest).seat == 1
    clock.forward(1)
    table_seats.admit(table_id=table_id, seat=2, guest=guest)
    assert viewer_by_guest(table_id, guest).seat == 2
    assert Admission.objects.filter(guest=guest).count() == 3
    for held, seat in [("1", 1), ("2", 2), ("watch", None)]:
        assert viewer_by_guest(table_id, guest, held).seat == seat
    for other in ("0", "3", "", "01", "1.0", "-1", "None", "\N{ARABIC-INDIC DIGIT ONE}"):
        with pytest.raises(NotFound):
            viewer_by_guest(table_id, guest, other)


def test_of_a_guests_key_only_a_hash_is_stored() -> None:
    guest, key = opening.new_guest()
    assert find_guest(key) == guest
    assert find_guest(guest.key_hash) is None
    assert key not in str(Guest.objects.values().get(pk=guest.pk))
    for wrong in (None, "", key[:-1], key + " "):
        assert find_guest(wrong) is None


def test_the_moves_stored_are_what_the_rules_can_read() -> None:
    table_id = friends(seats=3, people=3, rounds=1)
    state = play(table_id, rng=Random(5))
    texts = Move.objects.order_by("number").values_list("text", flat=True)
    assert [text for _, text in state.moves] == list(texts)
    assert all(parse_move(text) for text in texts)
