"""What is done to tables: each service, what it stores and what it refuses."""

from __future__ import annotations

import json
from datetime import timedelta
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from games.analysis.outcomes import KEPT, MoveOption, packed, unpacked
from games.models import Deal, Move, Result, Table, TrickRecord
from games.rules import DECK, Bid, move_text, score_round
from games.tables import moves, steering
from games.tables import seats as table_seats
from games.tables.state import TableState, load_table
from games.tables.timing import next_round_deadline
from tests.games.conftest import Bells, Clock
from tests.games.table import (
    PREPARED,
    a_guest,
    deal,
    finish,
    friends,
    is_away,
    make,
    play,
    refusal,
    rows,
    seat_keys,
    solo,
)

pytestmark = pytest.mark.django_db

CODES = {card.code for card in DECK}


def ready(table_id: str, *seats: int) -> None:
    turn = load_table(table_id).turn
    for seat in seats:
        moves.say_ready(table_id=table_id, seat=seat, turn=turn)


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
    assert state.totals == tuple(sum(row[seat] or 0 for row in state.points) for seat in (0, 1))


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
