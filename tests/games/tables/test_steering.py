"""What an opener may do, links, being there, and playing again."""

from __future__ import annotations

import pytest

from games.models import Admission, Deal, Guest, Table
from games.tables import moves, opening, steering
from games.tables import seats as table_seats
from games.tables.opening import BadSettings
from games.tables.state import load_table
from games.tables.viewers import (
    Viewer,
    find_guest,
    seat_token,
    viewer_by_guest,
    viewer_by_token,
    watch_token,
)
from tests.games.conftest import Clock
from tests.games.table import (
    PREPARED,
    a_guest,
    finish,
    friends,
    is_away,
    not_found,
    refusal,
    rows,
    seat_keys,
    solo,
)
from xactika_site.classrooms.selectors import NotFound

pytestmark = pytest.mark.django_db


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
    first = opening.open_rematch(table_id=table_id, guest=people[1])
    second = opening.open_rematch(table_id=table_id, guest=people[0])
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
        not_found(opening.open_rematch, table_id=table_id, guest=guest)
    opener = a_guest()
    playing = solo(opener)
    not_found(opening.open_rematch, table_id=playing, guest=opener)
    steering.close_table(table_id=playing, guest=opener)
    assert opening.open_rematch(table_id=playing, guest=opener) != playing


def test_somebody_shut_out_does_not_sit_at_the_next_table_either() -> None:
    table_id, people, _ = a_finished_game()
    steering.renew_link(table_id=table_id, guest=people[0], seat=1)
    not_found(opening.open_rematch, table_id=table_id, guest=people[1])
    next_id = opening.open_rematch(table_id=table_id, guest=people[0])
    with pytest.raises(NotFound):
        viewer_by_guest(next_id, people[1])


def test_a_solo_game_played_again_begins_when_its_player_comes() -> None:
    opener = a_guest()
    table_id = solo(opener, seats=2, rounds=1)
    finish(table_id)
    next_id = opening.open_rematch(table_id=table_id, guest=opener)
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
