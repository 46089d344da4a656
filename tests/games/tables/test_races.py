"""Several at once: exactly one wins, and nobody sees half of it."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games.models import Deal, Move, Result, Seat, Table
from games.rules import move_text
from games.tables import moves as table_moves
from games.tables import notify, opening, seats, steering
from games.tables.refusals import Rejected
from games.tables.state import TableState, _cache, last_known, load_table, one_long_transaction
from tests.games.table import a_guest, deal, finish, fresh, friends, moves_made, play
from tests.scenes.at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def codes(answers: list[Any]) -> list[str]:
    """The refusals' codes, and "done" for what succeeded."""
    return sorted(a.code if isinstance(a, Rejected) else "done" for a in answers)


def test_of_eight_that_make_the_same_turns_move_one_wins() -> None:
    table_id = friends(deals=[deal("", "", "", "")], rounds=1)
    for _ in range(6):
        state = load_table(table_id)
        assert state.round is not None
        moves = [move_text(move) for move in state.round.legal_moves()]
        this_turn = partial(
            table_moves.make_move, table_id=table_id, seat=state.to_move, turn=state.turn
        )
        answers = at_once(*(partial(this_turn, text=moves[k % len(moves)]) for k in range(8)))
        assert codes(answers) == ["done", *["stale_turn"] * 7]
        winner = next(k for k, answer in enumerate(answers) if answer is None)
        stored = Move.objects.filter(deal=state.deal_id, number=len(state.moves)).get()
        assert stored.text == moves[winner % len(moves)]
        assert load_table(table_id) == fresh(table_id)
    assert Move.objects.count() == 6


def test_of_several_processes_that_move_a_bot_one_does() -> None:
    table_id = friends(people=0, deals=[deal("", "", "", "")], rounds=1)
    for number in range(5):
        turn = load_table(table_id).turn
        answers = at_once(
            *[partial(table_moves.make_bot_move, table_id=table_id, turn=turn)] * 4
        )
        assert codes(answers) == ["done", *["stale_turn"] * 3]
        assert Move.objects.count() == number + 1


def test_the_last_move_of_a_round_is_scored_once() -> None:
    table_id = friends(seats=2, people=2, rounds=1, variant="win")
    state = play(table_id, lambda state: len(state.moves) == 15)
    assert state.round is not None
    text = move_text(state.round.legal_moves()[0])
    answers = at_once(
        *[
            partial(
                table_moves.make_move,
                table_id=table_id,
                seat=state.to_move,
                turn=state.turn,
                text=text,
            )
        ]
        * 4
    )
    assert codes(answers) == ["done", *["stale_turn"] * 3]
    assert Result.objects.count() == 2
    assert len(load_table(table_id).points) == 1


def test_two_that_say_ready_at_once_deal_once() -> None:
    for _ in range(5):
        table_id = friends(seats=2, people=2, rounds=2, variant="win")
        turn = play(table_id).turn
        answers = at_once(
            *(
                partial(table_moves.say_ready, table_id=table_id, seat=seat, turn=turn)
                for seat in (0, 1)
            )
        )
        assert codes(answers) == ["done", "done"]
        assert Deal.objects.filter(table=table_id).count() == 2
        assert load_table(table_id).turn == "2.0"
        assert not Seat.objects.filter(table=table_id).exclude(ready_at=None).exists()


def test_time_and_a_person_together_deal_once() -> None:
    table_id = friends(seats=3, people=1, rounds=2, variant="win")
    turn = play(table_id).turn
    at_once(
        partial(table_moves.say_ready, table_id=table_id, seat=0, turn=turn),
        *[partial(table_moves.go_on, table_id=table_id)] * 5,
    )
    assert Deal.objects.filter(table=table_id).count() == 2
    assert load_table(table_id).turn == "2.0"


def test_the_last_two_who_come_at_once_start_the_game_once() -> None:
    for _ in range(5):
        table_id = friends(here=False, people=2)
        at_once(
            *(partial(seats.open_seat, table_id=table_id, seat=seat) for seat in (0, 1, 0, 1))
        )
        assert Deal.objects.filter(table=table_id).count() == 1
        assert load_table(table_id).status == "bidding"


def test_first_readers_at_once_read_the_same() -> None:
    table_id = friends(seats=2, people=2, rounds=1)
    for moves in (0, 3, 9, 18):
        state = play(table_id, moves_made(moves))
        _cache.clear()
        answers = at_once(*[lambda: load_table(table_id)] * 6)
        assert all(answer == state for answer in answers)


def test_readers_while_somebody_plays_see_only_states_that_were() -> None:
    table_id = friends(seats=2, people=2, rounds=1)
    seen: list[TableState] = []

    def read() -> None:
        while not seen or seen[-1].status != "game_over":
            seen.append(load_table(table_id))

    def forgetful() -> None:
        for _ in range(30):
            _cache.clear()
            seen.append(load_table(table_id))

    at_once(lambda: play(table_id), read, forgetful)
    final = fresh(table_id)
    for state in seen:
        assert state.moves == final.moves[: len(state.moves)]
        assert state.round is not None
        assert state.turn == f"1.{len(state.moves)}"
        assert bool(state.points) == state.round.is_over


def test_a_move_against_a_pause_is_made_before_it_or_not_at_all() -> None:
    opener = a_guest()
    for _ in range(8):
        table_id = friends(opener=opener, deals=[deal("", "", "", "")], rounds=1)
        answers = at_once(
            partial(table_moves.make_move, table_id=table_id, seat=1, turn="1.0", text="2"),
            partial(steering.set_paused, table_id=table_id, guest=opener, paused=True),
        )
        state = load_table(table_id)
        assert state.paused
        assert answers[1] is None
        if answers[0] is None:
            assert state.turn == "1.1"
        else:
            assert answers[0].code == "paused"
            assert state.turn == "1.0"
        assert state == fresh(table_id)


def test_a_person_against_the_stand_in_makes_one_move() -> None:
    for _ in range(4):
        table_id = friends(deals=[deal("", "", "", "")], rounds=1)
        Seat.objects.filter(table=table_id, number=1).update(stand_in=True)
        Table.objects.filter(pk=table_id).update(version=50)
        answers = at_once(
            partial(table_moves.make_move, table_id=table_id, seat=1, turn="1.0", text="2"),
            partial(table_moves.make_bot_move, table_id=table_id, turn="1.0"),
        )
        assert codes(answers) == ["done", "stale_turn"]
        by_person = Move.objects.get(deal__table=table_id).mover == "person"
        assert load_table(table_id).seats[1].stand_in is not by_person


def test_all_who_play_again_at_once_meet_at_one_table() -> None:
    people = [a_guest(), a_guest()]
    table_id = friends(opener=people[0], people=2, seats=2, rounds=1, variant="win")
    seats.admit(table_id=table_id, seat=1, guest=people[1])
    finish(table_id)
    answers = at_once(
        *(partial(opening.open_rematch, table_id=table_id, guest=guest) for guest in people * 2)
    )
    assert len(set(answers)) == 1
    assert Table.objects.count() == 2


def test_what_is_rolled_back_was_never_read() -> None:
    """A state that was read inside a transaction is served by nobody if that fails."""
    opener = a_guest()
    table_id = friends(opener=opener, deals=[deal("", "", "", "")], rounds=1)
    before = load_table(table_id)
    with suppress(ZeroDivisionError), transaction.atomic():
        Seat.objects.filter(table=table_id, number=1).update(name="A ghost")
        notify.table_changed(table_id)
        assert load_table(table_id, lock=True).seats[1].name == "A ghost"
        assert load_table(table_id).seats[1].name == "A ghost"
        raise ZeroDivisionError
    assert last_known(table_id) == before
    # The next change counts to the same version as the one that never was.
    steering.set_paused(table_id=table_id, guest=opener, paused=True)
    state = load_table(table_id)
    assert state.paused
    assert "A ghost" not in {seat.name for seat in state.seats}
    assert state == fresh(table_id)


def test_a_long_transaction_reads_a_table_once_and_forgets_it_when_it_fails() -> None:
    table_id = friends(rounds=1)
    with suppress(ZeroDivisionError), one_long_transaction():
        Seat.objects.filter(table=table_id, number=1).update(name="A ghost")
        notify.table_changed(table_id)
        load_table(table_id)
        with CaptureQueriesContext(connection) as queries:
            assert load_table(table_id).seats[1].name == "A ghost"
        assert len(queries) == 1
        raise ZeroDivisionError
    assert last_known(table_id) is None
    assert load_table(table_id).seats[1].name != "A ghost"


def test_what_a_transaction_has_changed_is_read_again() -> None:
    """What it read between two of its changes would have the version of the last."""
    table_id = friends(rounds=1)
    with transaction.atomic():
        notify.table_changed(table_id)
        load_table(table_id)
        Seat.objects.filter(table=table_id, number=1).update(name="Somebody")
    assert load_table(table_id).seats[1].name == "Somebody"


def test_a_move_reads_its_table_by_one_short_query(django_assert_num_queries: Any) -> None:
    table_id = friends(deals=[deal("", "", "", "")], rounds=1)
    state = load_table(table_id)
    with django_assert_num_queries(4) as asked:  # begin, read, store, commit
        table_moves.make_move(table_id=table_id, seat=state.to_move, turn=state.turn, text="2")
    assert sum("FROM games_table" in query["sql"] for query in asked) == 1
    with django_assert_num_queries(1):
        assert load_table(table_id).turn == "1.1"
