"""Tables, people and ways to play, for the tests of games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from games.models import (
    Admission,
    Deal,
    Guest,
    Move,
    Result,
    Seat,
    Table,
    TrickRecord,
)
from games.rules import DECK, Variant, move_text
from games.tables import moves, opening, seats, timing
from games.tables.refusals import Rejected
from games.tables.state import TableState, _cache, load_table
from tests.rules.deals import reshuffled
from xactika_site.classrooms.selectors import NotFound

Until = Callable[[TableState], bool]


def round_is_over(state: TableState) -> bool:
    """Whether the table's present round has been played."""
    return state.round is not None and state.round.is_over


def moves_made(count: int) -> Until:
    """Until so many moves of the round have been made."""
    return lambda state: len(state.moves) >= count


def turn_after(turn: str) -> Until:
    """Until the turn is another than this one."""
    return lambda state: state.turn != turn


def seat_keys(table_id: str, *numbers: int) -> list[int]:
    """The primary keys of these seats."""
    return list(
        Seat.objects.filter(table=table_id, number__in=numbers).values_list("pk", flat=True)
    )


def a_guest() -> Guest:
    """A new browser, without its key."""
    return opening.new_guest()[0]


def a_browser(client: Client | None = None) -> tuple[Client, Guest]:
    """A client that carries a new guest's cookie."""
    client = client or Client()
    guest, key = opening.new_guest()
    client.cookies["guest"] = key
    return client, guest


def key_of(client: Client) -> str:
    """The key in a client's guest cookie."""
    return str(client.cookies["guest"].value)


def some_settings(**options: Any) -> opening.TableSettings:
    """Settings of a quick table of bid; ``variant`` may be given as text."""
    options = {"variant": "bid", "seats": 4, "people": 4, "pace": 0.0, **options}
    options["variant"] = Variant(options["variant"])
    return opening.TableSettings(**options)


def friends(*, here: bool = True, opener: Guest | None = None, **options: Any) -> str:
    """The id of a new table of friends; with ``here`` everybody has come and it has begun."""
    chosen = some_settings(**options)
    table = opening.open_table(kind=Table.Kind.FRIENDS, settings=chosen, opener=opener)
    for seat in range(chosen.people if here else 0):
        seats.open_seat(table_id=table.id, seat=seat)
    return table.id


def solo(opener: Guest | None = None, **options: Any) -> str:
    """The id of a new solo table."""
    chosen = some_settings(**{"people": 1, **options})
    opener = opener or a_guest()
    return opening.open_table(kind=Table.Kind.SOLO, settings=chosen, opener=opener).id


def fresh(table_id: str) -> TableState:
    """The table read by a process that has never seen it; this one's memory stays as it was."""
    known = _cache.pop(table_id, None)
    state = load_table(table_id)
    remember_only(table_id, known)
    return state


def remember_only(table_id: str, state: TableState | None) -> None:
    """Let this process know of the table just what it knew when it last read ``state``."""
    _cache.pop(table_id, None)
    if state is not None:
        _cache[table_id] = state


def remembered(table_id: str) -> TableState | None:
    """What this process has in memory of a table."""
    return _cache.get(table_id)


def make(table_id: str, text: str, **more: Any) -> None:
    """The move ``text`` of whoever is to move."""
    state = load_table(table_id)
    moves.make_move(table_id=table_id, seat=state.to_move, turn=state.turn, text=text, **more)


def play(
    table_id: str,
    until: Until = round_is_over,
    *,
    rng: Random | None = None,
    by: Callable[[int], dict[str, Any]] = lambda _seat: {},
) -> TableState:
    """Random legal moves until ``until`` holds. ``by`` says of a seat how it moves (more
    arguments of make_move)."""
    rng = rng or Random(81)
    while not until(state := load_table(table_id)):
        assert state.round is not None
        assert state.to_move is not None
        text = move_text(rng.choice(state.round.legal_moves()))
        moves.make_move(
            table_id=table_id,
            seat=state.to_move,
            turn=state.turn,
            text=text,
            **by(state.to_move),
        )
    return state


def finish(table_id: str) -> TableState:
    """Play the whole game to its end by random legal moves, everybody ready at once."""
    while (state := play(table_id)).status != "game_over":
        for seat in state.people:
            if load_table(table_id).turn == state.turn:
                moves.say_ready(table_id=table_id, seat=seat.number, turn=state.turn)
    return state


def rows(table_id: str) -> list[Any]:
    """Everything that is stored of a table. Walks ask for it hundreds of times: without the
    ORM's work."""
    its_own, its_deals = (
        "table_id = %s",
        "deal_id IN (SELECT id FROM games_deal WHERE table_id = %s)",
    )
    kept: list[tuple[type[Model], str]] = [(Table, "id = %s")]
    kept += [(model, its_own) for model in (Seat, Admission, Deal)]
    kept += [(model, its_deals) for model in (Move, Result, TrickRecord)]
    found = []
    with connection.cursor() as cursor:
        for model, which in kept:
            name = model._meta.db_table
            cursor.execute(f"SELECT * FROM {name} WHERE {which} ORDER BY id", [table_id])
            found.append(cursor.fetchall())
    return found


def deal(*hands: str, dealer: int = 0) -> dict[str, Any]:
    """A prepared deal of hands that begin as given, filled up from the deck in order."""
    begun = [hand.split() for hand in hands]
    used = {code for hand in begun for code in hand}
    free = [card.code for card in DECK if card.code not in used]
    return {
        "dealer": dealer,
        "hands": [[*hand, *(free.pop(0) for _ in range(8 - len(hand)))] for hand in begun],
    }


def a_table(
    *hands: str, bids: str = "", variant: str = "bid", lead: str = "", rounds: int = 1
) -> TableState:
    """People with hands that begin like these, the last of them the dealer; bids and the first
    lead made."""
    seated = len(hands)
    table_id = friends(
        variant=variant,
        seats=seated,
        people=seated,
        rounds=rounds,
        deals=[deal(*hands, dealer=seated - 1)] * rounds,
    )
    for text in [*bids.split(), *lead.split()]:
        make(table_id, text)
    return load_table(table_id)


def with_other_hidden_cards(state: TableState, seat: int | None, rng: Random) -> TableState:
    """The state with all that ``seat`` cannot see dealt anew: others' hands and the undealt."""
    assert state.round is not None
    hands = reshuffled(state.round, seat, rng).hands
    tricks = (*state.round.tricks, *((state.round.trick,) if state.round.trick else ()))
    laid: dict[int, list[str]] = {number: [] for number in range(len(hands))}
    for trick in tricks:
        for number, card in trick.plays:
            laid[number].append(card.code)
    dealt = tuple(
        tuple(sorted([*laid[number], *(card.code for card in hand)]))
        for number, hand in enumerate(hands)
    )
    return replace(state, round=replace(state.round, hands=hands), dealt=dealt)


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


def is_away(table_id: str, seat: int) -> bool:
    state = load_table(table_id)
    presence = timing.last_seen([table_id])[table_id]
    return timing.is_away(state, seat, presence, timezone.now())


PREPARED = deal("1111 1112 2111", "1121 1211 2112", "1122 1212 1221", "2211 3333 2113")
