"""What is read is what is stored, whatever this process remembers from before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError
from functools import reduce
from random import Random
from typing import Any

import pytest
from django.db.models import F

from games.analysis import bots
from games.analysis.outcomes import Choice
from games.models import Deal, Guest, Move, Result, Seat, Table
from games.rules import Observation, Round, Variant, parse_card, parse_move
from games.tables import moves, opening, results, steering
from games.tables import seats as table_seats
from games.tables import state as table_state
from games.tables.refusals import Rejected
from games.tables.state import TableState, _cache, load_table
from tests.games.conftest import Clock
from tests.games.table import (
    a_guest,
    deal,
    finish,
    fresh,
    friends,
    make,
    moves_made,
    play,
    remember_only,
    remembered,
    seat_keys,
    solo,
)
from xactika_site.classrooms.selectors import NotFound

pytestmark = pytest.mark.django_db


def folded(table_id: str) -> Round | None:
    """The present round by the rules alone, from the stored deal and moves."""
    stored = Deal.objects.filter(table=table_id).order_by("round").last()
    if stored is None:
        return None
    begun = Round.start(
        variant=Variant(stored.table.variant),
        hands=[[parse_card(code) for code in hand] for hand in stored.hands],
        dealer=stored.dealer,
    )
    texts = Move.objects.filter(deal=stored).order_by("number").values_list("text", flat=True)
    return reduce(lambda round_, text: round_.apply(parse_move(text)), texts, begun)


class Witness:
    """Knows every state that a process has ever remembered of a table."""

    def __init__(self, table_id: str) -> None:
        self.table_id = table_id
        self.memories: list[TableState | None] = [None]

    def after(self, change: Callable[[], Any]) -> TableState:
        """Make a change. Whatever a process knew before, it must read the same now."""
        change()
        now = fresh(self.table_id)
        assert load_table(self.table_id) == now
        self.memories.append(remembered(self.table_id))
        for memory in self.memories[:1] + self.memories[-6:]:
            remember_only(self.table_id, memory)
            assert load_table(self.table_id) == now
        assert now.round == folded(self.table_id)
        return now

    def from_every_memory(self) -> None:
        """Read from all that was ever known."""
        now = fresh(self.table_id)
        for memory in self.memories:
            remember_only(self.table_id, memory)
            assert load_table(self.table_id) == now


@pytest.mark.django_db(transaction=True)
def test_a_table_that_starts_without_those_missing_is_known_as_it_is_stored() -> None:
    opener = a_guest()
    table_id = friends(opener=opener, here=False, people=2, seats=3)
    load_table(table_id)
    steering.start_without_missing(table_id=table_id, guest=opener)
    known = load_table(table_id)
    assert known == fresh(table_id)
    assert any(seat.stand_in for seat in known.seats)


def test_a_process_reads_every_change_whatever_it_remembers(clock: Clock) -> None:
    opener, friend = a_guest(), a_guest()
    table_id = friends(opener=opener, here=False, people=2, seats=3, rounds=2)
    witness = Witness(table_id)
    steer: dict[str, Any] = {"table_id": table_id, "guest": opener}

    def turn() -> str:
        return load_table(table_id).turn

    def a_move() -> None:
        state = load_table(table_id)
        until = len(state.moves) + 1
        play(table_id, lambda now: len(now.moves) == until)

    def a_move_by_the_stand_in() -> None:
        moves.make_bot_move(table_id=table_id, turn=turn())

    def a_round() -> None:
        while load_table(table_id).to_move is not None:
            witness.after(a_move)

    after = witness.after
    after(lambda: steering.set_pace(pace="fast", **steer))
    after(lambda: steering.renew_link(seat=1, **steer))
    after(lambda: table_seats.admit(table_id=table_id, seat=None, guest=friend))
    assert after(lambda: None).status == "waiting"
    assert (
        after(lambda: table_seats.admit(table_id=table_id, seat=1, guest=friend)).turn == "1.0"
    )
    after(a_move)
    after(lambda: steering.set_paused(paused=True, **steer))
    after(lambda: steering.set_paused(paused=False, **steer))
    after(lambda: play(table_id, lambda state: state.to_move == 1))
    clock.forward(60)
    after(lambda: steering.ask_stand_in(table_id=table_id, asker=0, turn=turn(), seat=1))
    after(a_move_by_the_stand_in)
    after(lambda: steering.take_back(table_id=table_id, seat=1))
    after(lambda: play(table_id, lambda state: state.to_move == 1))
    clock.forward(60)
    after(lambda: steering.ask_stand_in(table_id=table_id, asker=0, turn=turn(), seat=1))
    assert not after(a_move).seats[1].stand_in
    after(
        lambda: table_seats.mark_gone(table_id=table_id, seat=1, unless_seen_since=clock.time)
    )
    a_round()
    assert after(lambda: None).status == "round_over"
    after(lambda: steering.renew_link(seat=None, **steer))
    table_seats.mark_seen(seats=seat_keys(table_id, 0, 1), when=clock.time)
    after(lambda: moves.say_ready(table_id=table_id, seat=0, turn=turn()))
    assert after(lambda: moves.say_ready(table_id=table_id, seat=1, turn=turn())).turn == (
        "2.0"
    )
    a_round()
    over = after(lambda: steering.set_paused(paused=True, **steer))
    assert over.status == "game_over"
    assert len(over.points) == 2
    after(lambda: steering.close_table(**steer))
    after(lambda: opening.open_rematch(table_id=table_id, guest=friend))
    table_seats.mark_gone(table_id=table_id, seat=0, unless_seen_since=clock.time)
    after(lambda: table_seats.open_seat(table_id=table_id, seat=0))
    witness.from_every_memory()


CHANGES: dict[str, Callable[[str], Any]] = {
    "paused": lambda table_id: Table.objects.filter(pk=table_id).update(paused=True),
    "closed": lambda table_id: Table.objects.filter(pk=table_id).update(closed=True),
    "pace": lambda table_id: Table.objects.filter(pk=table_id).update(pace=1.5),
    "watch link": lambda table_id: Table.objects.filter(pk=table_id).update(watch_serial=4),
    "opener": lambda table_id: Table.objects.filter(pk=table_id).update(opener=a_guest()),
    "a seat's link": lambda table_id: Seat.objects.filter(table=table_id).update(serial=3),
    "a stand-in": lambda table_id: Seat.objects.filter(table=table_id).update(stand_in=True),
    "a name": lambda table_id: Seat.objects.filter(table=table_id).update(name="Kind Otter"),
    "a new deal": lambda table_id: Deal.objects.create(
        table_id=table_id, round=2, **deal("", "1111", dealer=1)
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_by_another_process_is_seen_by_its_version(name: str) -> None:
    table_id = friends(seats=2, people=2, rounds=2)
    play(table_id, lambda state: len(state.moves) == 5)
    before = load_table(table_id)
    CHANGES[name](table_id)
    Table.objects.filter(pk=table_id).update(version=F("version") + 1)
    assert remembered(table_id) == before
    now = load_table(table_id)
    assert now == fresh(table_id)
    assert now != before


def test_a_move_by_another_process_is_seen_without_a_new_version() -> None:
    table_id = friends(seats=2, people=2, rounds=1, deals=[deal("1111", "1112")])
    version = load_table(table_id).version
    deal_id = Deal.objects.get(table=table_id).pk
    for number, (seat, text) in enumerate([(1, "2"), (0, "3"), (1, "1112:1-ball")]):
        Move.objects.create(
            deal_id=deal_id,
            number=number,
            seat=seat,
            text=text,
            mover="person",
            made=Table.objects.get(pk=table_id).created,
        )
        now = load_table(table_id)
        assert now.turn == f"1.{number + 1}"
        assert now.moves[-1] == (seat, text)
        assert now == fresh(table_id)
    assert now.version == version


def test_the_end_of_a_round_by_another_process_brings_its_points() -> None:
    table_id = friends(seats=2, people=2, rounds=1, variant="win")
    before = play(table_id, lambda state: len(state.moves) == 15)
    play(table_id)
    remember_only(table_id, before)
    now = load_table(table_id)
    assert now.status == "game_over"
    assert len(now.points) == 1
    assert now == fresh(table_id)


def test_results_that_were_mended_are_read_anew() -> None:
    table_id = friends(seats=2, people=2, rounds=2, variant="win")
    right = finish(table_id)
    Result.objects.filter(seat=0, deal__round=1).update(points=77)
    Table.objects.filter(pk=table_id).update(version=F("version") + 1)
    assert load_table(table_id).points != right.points
    results.rebuild_results()
    assert fresh(table_id).points == right.points
    assert load_table(table_id).points == right.points


def test_a_table_that_is_gone_is_not_found_though_it_is_remembered() -> None:
    table_id = friends()
    load_table(table_id)
    Table.objects.filter(pk=table_id).delete()
    with pytest.raises(NotFound):
        load_table(table_id)


@pytest.mark.parametrize("table_id", ["", "x", "bcdfghjkmnpqrstvwxzb", "1" * 5000])
def test_a_table_that_never_was_is_not_found(table_id: str) -> None:
    with pytest.raises(NotFound):
        load_table(table_id)


def test_a_refused_and_rolled_back_change_leaves_no_memory() -> None:
    table_id = friends(seats=2, people=2, rounds=1, deals=[deal("1111", "1112")])
    load_table(table_id)
    before = fresh(table_id)
    with pytest.raises(Rejected):
        moves.make_move(table_id=table_id, seat=1, turn="1.0", text="9")
    with pytest.raises(NotFound):
        steering.set_paused(table_id=table_id, guest=Guest(pk=10**9), paused=True)
    assert load_table(table_id) == before == fresh(table_id)


def test_many_tables_are_told_apart_and_only_so_many_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_state, "_CACHE_SIZE", 3)
    _cache.clear()
    tables = [friends(seats=2, people=2, rounds=1) for _ in range(5)]
    for number, table_id in enumerate(tables):
        play(table_id, moves_made(number + 1))
    assert len(_cache) <= 3
    for number, table_id in enumerate(tables):
        assert load_table(table_id).id == table_id
        assert len(load_table(table_id).moves) == number + 1


@pytest.mark.parametrize(
    ("variant", "seats"), [("win", 2), ("lose", 5), ("bid", 3), ("bid", 10)]
)
def test_the_fold_of_the_moves_is_the_state_at_every_turn(variant: str, seats: int) -> None:
    table_id = friends(variant=variant, seats=seats, people=seats, rounds=1)
    rng = Random(seats)

    def check(state: TableState) -> bool:
        assert state.round == folded(table_id)
        assert state.turn == f"1.{Move.objects.filter(deal=state.deal_id).count()}"
        assert state.to_move == (state.round.to_move if state.round else None)
        return state.round is not None and state.round.is_over

    play(table_id, check, rng=rng)


def test_a_state_never_changes_under_its_reader() -> None:
    table_id = friends(seats=2, people=2, rounds=1, deals=[deal("1111", "1112")])
    early = load_table(table_id)
    make(table_id, "2")
    assert (early.turn, early.moves) == ("1.0", ())
    with pytest.raises(FrozenInstanceError):
        early.paused = True  # type: ignore[misc]


def test_reading_a_known_table_costs_two_queries(
    django_assert_max_num_queries: Callable[[int], Any],
) -> None:
    table_id = friends(deals=[deal("", "", "", "")], rounds=1)
    load_table(table_id)
    with django_assert_max_num_queries(2):
        load_table(table_id)
    make(table_id, "1")
    with django_assert_max_num_queries(2):
        load_table(table_id)


class Knowing:
    """Stands in for the bots: keeps which rounds they were told of."""

    def __init__(self) -> None:
        self.before: list[tuple[Round, ...]] = []

    def decide(self, seen: Observation, *, before: tuple[Round, ...], **_: object) -> Choice:
        self.before.append(before)
        return Choice(seen.legal[0])


def test_an_expert_knows_the_finished_rounds_of_its_game_and_no_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And after a restart none."""
    knowing = Knowing()
    one, other = (solo(seats=3, variant="bid", level="expert", rounds=3) for _ in range(2))
    over: list[Round] = []
    for table_id in (one, other, one):
        state = play(table_id)
        assert state.round is not None
        if table_id == one:
            over.append(state.round)
        for seat in state.people:
            moves.say_ready(table_id=table_id, seat=seat.number, turn=state.turn)
    monkeypatch.setattr(bots, "decide", knowing.decide)
    moves.decide_move(state=load_table(one))
    moves.decide_move(state=load_table(other))
    table_state._finished.clear()
    table_state._cache.clear()
    moves.decide_move(state=load_table(one))
    assert [len(before) for before in knowing.before] == [2, 1, 0]
    assert knowing.before[0] == tuple(over)


@pytest.mark.parametrize(("variant", "level"), [("win", "expert"), ("bid", "counter")])
def test_without_bids_or_experts_no_rounds_are_kept(variant: str, level: str) -> None:
    table_id = solo(seats=3, variant=variant, level=level, rounds=2)
    play(table_id)
    assert table_id not in table_state._finished
