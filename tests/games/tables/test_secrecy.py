"""Secrecy on the wire: permute all that a seat cannot see, and every byte it gets is equal."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from random import Random

import pytest

from games.rules import DECK, Card, IllegalMove, Round, Variant, parse_move
from games.tables import moves as table_moves
from games.tables import seats as table_seats
from games.tables.announcements import announcements, announcer, live_html
from games.tables.observation import (
    round_observation,
    table_view,
)
from games.tables.refusals import refusal_in_words
from games.tables.state import TableState
from games.tables.view import TableView
from tests.games.conftest import Clock
from tests.games.table import (
    deal,
    finish,
    fresh,
    friends,
    make,
    play,
    with_other_hidden_cards,
)
from tests.rules.deals import played
from tests.scenes.pictures import CODES, NOW, codes_in, hands_of, html_of, json_of

pytestmark = pytest.mark.django_db


def states_of(table_id: str, rng: Random) -> Iterator[TableState]:
    """Every state of the table's present round, played at random to its end."""
    seen: list[TableState] = []

    def note(state: TableState) -> bool:
        seen.append(state)
        return state.round is not None and state.round.is_over

    play(table_id, note, rng=rng)
    yield from seen


def viewers(state: TableState, rng: Random) -> list[int | None]:
    """Everybody at a small table; at a large one the watcher, who is to move, and some."""
    seats = range(len(state.seats))
    if len(seats) <= 4:
        return [None, *seats]
    chosen = {*rng.sample(seats, 2), state.to_move}
    return [None, *sorted(seat for seat in chosen if seat is not None)]


def cards_in(view: TableView) -> set[str]:
    """Every card that a view holds, wherever it does."""
    found: set[str] = set()

    def look(value: object) -> None:
        if isinstance(value, Card):
            found.add(value.code)
        elif isinstance(value, str):
            found.update(codes_in(value))
        elif is_dataclass(value) and not isinstance(value, type):
            look([getattr(value, each.name) for each in fields(value)])
        elif isinstance(value, Mapping):
            look([*value, *value.values()])
        elif isinstance(value, Iterable):
            for each in value:
                look(each)

    look(view)
    return found


@pytest.mark.parametrize("variant", ["win", "bid"])
def test_a_view_of_a_table_holds_no_card_that_was_not_played(
    variant: str, clock: Clock
) -> None:
    table_id = friends(variant=variant, seats=3, people=3, rounds=2)
    for state in states_of(table_id, Random(variant)):
        played_so_far = {text[:4] for _seat, text in state.moves if len(text) > 1}
        held = cards_in(table_view(state, {}, NOW))
        assert held == (CODES if state.is_over else played_so_far)


TABLES = [("bid", 2), ("lose", 4), ("bid", 4), ("bid", 10), ("win", 10)]


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_what_is_hidden_changes_no_byte(variant: str, seats: int, clock: Clock) -> None:
    rng = Random(f"secret {variant} {seats}")
    table_id = friends(variant=variant, seats=seats, people=(seats + 1) // 2, rounds=2)
    before: TableState | None = None
    changed = looked = 0
    for state in states_of(table_id, rng):
        assert state.round is not None
        if state.round.is_over:
            break
        for seat in viewers(state, rng):
            twin = with_other_hidden_cards(state, seat, rng)
            looked += 1
            changed += twin.round != state.round
            observation, html = json_of(state, seat), html_of(state, seat)
            assert json_of(twin, seat) == observation
            assert codes_in(hands_of(state)) == set()
            assert html_of(twin, seat) == html
            said = live_html(announcements(before, state, seat))
            assert live_html(announcements(before, twin, seat)) == said
            assert announcer(before, state)(seat) == said
            own = () if seat is None else state.round.hands[seat]
            allowed = {card.code for card in (*own, *played(state.round))}
            assert codes_in(observation) == allowed
            assert codes_in(*html.values()) == allowed
            assert codes_in(said) <= {card.code for card in played(state.round)}
            assert json.loads(observation)["revealed"] is None
        before = state
    assert changed > looked * 0.9


@pytest.mark.parametrize("seats", [2, 4, 10])
def test_after_the_round_all_81_cards_are_shown_to_all(seats: int, clock: Clock) -> None:
    table_id = friends(seats=seats, people=2, rounds=2)
    dealt = [list(hand) for hand in fresh(table_id).dealt]
    state = play(table_id)
    assert state.round is not None
    for seat in (None, *range(seats)):
        observation = json.loads(json_of(state, seat))
        revealed = observation["revealed"]
        assert list(revealed) == ["hands", "undealt"]
        assert revealed["hands"] == dealt
        shown = [code for hand in (*revealed["hands"], revealed["undealt"]) for code in hand]
        assert sorted(shown) == sorted(CODES)
        assert (observation["hand"], observation["legal"]) == ([], [])
        pushed, hands = html_of(state, seat), hands_of(state)
        assert codes_in(*pushed.values()) == {card.code for card in played(state.round)}
        assert codes_in(*pushed.values(), hands) == CODES


def test_the_next_round_hides_the_last_ones_reveal(clock: Clock) -> None:
    table_id = friends(seats=2, people=2, rounds=2)
    turn = play(table_id).turn
    for seat in (0, 1):
        table_moves.say_ready(table_id=table_id, seat=seat, turn=turn)
    state = fresh(table_id)
    assert json.loads(json_of(state, None))["revealed"] is None
    assert codes_in(json_of(state, None), *html_of(state, None).values()) == set()


def test_nothing_of_a_prepared_deal_is_known_beforehand(clock: Clock) -> None:
    deals = [deal("3333", "1111"), deal("3332", "1112")]
    table_id = friends(seats=2, people=2, rounds=2, deals=deals, here=False)
    for seat in (None, 0, 1):
        state = fresh(table_id)
        assert codes_in(json_of(state, seat), *html_of(state, seat).values()) == set()
    for seat in (0, 1):
        table_seats.open_seat(table_id=table_id, seat=seat)
    state = play(table_id)
    observation = json.loads(json_of(state, 0))
    assert observation["revealed"]["hands"] == deals[0]["hands"]
    assert observation["tricks"]


@pytest.mark.parametrize("moves", [0, 5, 17])
def test_a_table_closed_in_mid_round_shows_no_other_hand(moves: int, clock: Clock) -> None:
    table_id = friends(seats=4, people=4, rounds=2)
    state = play(table_id, lambda state: len(state.moves) == moves)
    closed = replace(state, closed=True)
    rng = Random(moves)
    for seat in (None, 0, 1, 2, 3):
        twin = with_other_hidden_cards(closed, seat, rng)
        assert json_of(twin, seat) == json_of(closed, seat)
        assert html_of(twin, seat) == html_of(closed, seat)
        assert json.loads(json_of(closed, seat))["revealed"] is None
        assert json.loads(json_of(closed, seat))["legal"] == []


@pytest.mark.parametrize("moves", [4, 6, 9, 20])
def test_a_refusal_tells_nothing_of_other_hands(moves: int, clock: Clock) -> None:
    table_id = friends(seats=4, people=4, rounds=1)
    state = play(table_id, lambda state: len(state.moves) == moves)
    assert state.to_move is not None
    twin = with_other_hidden_cards(state, state.to_move, Random(moves))

    def said(round_: Round | None, text: str) -> tuple[str, str] | None:
        assert round_ is not None
        try:
            round_.apply(parse_move(text))
        except IllegalMove as why:
            return why.code, refusal_in_words(why, round_)
        return None

    texts = [text for card in DECK for text in (card.code, f"{card.code}:{card.calls[0]}")]
    answers = [said(state.round, text) for text in texts]
    assert [said(twin.round, text) for text in texts] == answers
    assert len({answer for answer in answers if answer}) >= 2


def test_the_page_of_a_finished_game_shows_its_last_round_alone(clock: Clock) -> None:
    table_id = friends(seats=2, people=2, rounds=3, variant="win")
    state = finish(table_id)
    revealed = json.loads(json_of(state, None))["revealed"]
    assert revealed["hands"] == [list(hand) for hand in state.dealt]


def test_no_name_of_a_seat_or_table_looks_like_a_card() -> None:
    for _ in range(20):
        state = fresh(friends(seats=10, people=5, here=False))
        texts = [state.id, *(seat.name for seat in state.seats)]
        assert not any(re.search(r"[0-9]", text) for text in texts)


def test_who_watches_sees_less_than_any_seat(clock: Clock) -> None:
    table_id = friends(seats=4, people=4, rounds=1, variant=Variant.BID.value)
    make(table_id, "2")
    state = fresh(table_id)
    watcher = json.loads(json_of(state, None))
    for seat in range(4):
        own = json.loads(json_of(state, seat))
        different = {key for key in own if own[key] != watcher[key]}
        assert different <= {"seat", "hand", "legal"}
        assert list(own) == list(watcher)
    assert round_observation(state, None).hand == ()
