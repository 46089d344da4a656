"""The commands: opening a table with prepared deals, and rebuilding results."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from games.models import Deal, Move, Result, Table, TrickRecord
from games.tables import moves
from games.tables.state import load_table
from games.tables.viewers import seat_token, watch_token
from tests.games.table import deal, finish, friends, play, rows

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def opened(*arguments: str) -> dict[str, Any]:
    line = run("open_table", *arguments, "--json")
    assert line.count("\n") == 1
    answer: dict[str, Any] = json.loads(line)
    return answer


def test_a_table_is_opened_and_told_in_one_line() -> None:
    answer = opened("--seats", "5", "--people", "3", "--base", "http://cards.example:81/")
    table_id = answer["table"]
    base = "http://cards.example:81"
    tokens = [seat_token(table_id, seat, 0) for seat in range(3)]
    watch = watch_token(table_id, 0)
    assert answer == {
        "table": table_id,
        "url": f"{base}/tables/{table_id}/",
        "seats": [
            {"seat": seat, "link": f"{base}/seat/{token}/", "token": token}
            for seat, token in enumerate(tokens)
        ],
        "watch": {"link": f"{base}/watch/{watch}/", "token": watch},
    }
    table = Table.objects.get()
    assert (table.kind, table.variant, table.rounds, table.opener) == (
        *("friends", "bid", 8, None),
    )
    assert [bool(seat.level) for seat in table.seat_set.order_by("number")] == (
        [False] * 3 + [True] * 2
    )
    assert load_table(table_id).status == "waiting"


def test_the_links_let_in() -> None:
    answer = opened("--seats", "2")
    for place in (*answer["seats"], answer["watch"]):
        path = place["link"].removeprefix("http://127.0.0.1:8000")
        assert Client().get(path, follow=True).status_code == 200
    assert load_table(answer["table"]).status == "bidding"


def test_all_seats_are_peoples_unless_said_otherwise() -> None:
    assert len(opened("--seats", "7")["seats"]) == 7
    alone = opened("--seats", "7", "--people", "0")
    assert alone["seats"] == []
    assert load_table(alone["table"]).status == "bidding"


def test_every_option_is_kept(tmp_path: Path) -> None:
    deals = [deal("3333", "1111", dealer=1), deal("1112", "2222", dealer=1)]
    file = tmp_path / "deals.json"
    file.write_text(json.dumps(deals), encoding="utf-8")
    options = "--variant lose --seats 2 --people 1 --rounds 2 --bots random --patience 5"
    answer = opened(*options.split(), "--pace", "0", "--deals", str(file))
    table = Table.objects.get(pk=answer["table"])
    assert (table.variant, table.rounds, table.patience, table.pace) == ("lose", 2, 5.0, 0.0)
    assert table.seat_set.get(number=1).level == "random"
    Client().get(answer["seats"][0]["link"].removeprefix("http://127.0.0.1:8000"))
    finish(table.id)
    stored = Deal.objects.filter(table=table).order_by("round").values("dealer", "hands")
    assert list(stored) == deals


def test_without_json_the_links_are_written_for_people() -> None:
    text = run("open_table", "--seats", "2")
    table_id = Table.objects.get().id
    assert f"/seat/{seat_token(table_id, 1, 0)}/" in text
    assert f"/watch/{watch_token(table_id, 0)}/" in text
    assert len(text.splitlines()) == 4


def test_the_base_address_of_the_settings(settings: Settings) -> None:
    settings.BASE_URL = "https://cards.school"
    assert opened()["url"].startswith("https://cards.school/tables/")
    assert opened("--base", "http://x")["url"].startswith("http://x/tables/")


@pytest.mark.parametrize(
    "arguments",
    [
        "--seats -4",
        "--seats four",
        "--rounds 9",
        "--variant chess",
        "--bots genius",
        "--deals /nowhere/deals.json",
        "--deals /tmp",
        "--sets 4",
    ],
)
def test_settings_that_no_table_can_have_give_one_line(arguments: str) -> None:
    with pytest.raises(CommandError) as why:
        run("open_table", *arguments.split())
    assert len(str(why.value).strip().splitlines()) == 1
    assert len(str(why.value)) < 200
    assert not Table.objects.exists()


A_DEAL = deal("", "", "", "")
FILES: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"dealer: 0",
    "no text": b"\xff\xfe\x00",
    "deep": b"[" * 100_000,
    "too few": json.dumps([A_DEAL]).encode(),
    "no dealer": json.dumps([A_DEAL, {"hands": A_DEAL["hands"]}]).encode(),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("people", ["4", "0"])
def test_a_bad_deals_file_gives_one_line(tmp_path: Path, name: str, people: str) -> None:
    file = tmp_path / "deals.json"
    file.write_bytes(FILES[name])
    with pytest.raises(CommandError) as why:
        run("open_table", "--rounds", "2", "--people", people, "--deals", str(file))
    assert len(str(why.value).splitlines()) == 1
    assert len(str(why.value)) < 200
    assert str(tmp_path) not in str(why.value)
    assert not Table.objects.exists()


# Rebuilding results.


def a_played_table() -> str:
    """A table with a finished round of three and a second one begun."""
    table_id = friends(seats=3, people=1, rounds=2)
    state = play(table_id)
    moves.say_ready(table_id=table_id, seat=0, turn=state.turn)
    play(table_id, lambda state: len(state.moves) == 7)
    return table_id


def facts() -> tuple[list[Any], list[Any]]:
    """All results and trick records, without their row numbers."""
    kinds = [
        (Result, ("deal", "seat", "bid", "taken", "points", "by_person")),
        (TrickRecord, ("deal", "number", "leader", "call", "value", "chance", "taker")),
    ]
    found = [
        list(kind._default_manager.order_by(*names[:2]).values_list(*names))
        for kind, names in kinds
    ]
    return found[0], found[1]


def test_results_that_are_right_stay_as_they_are() -> None:
    table_id = a_played_table()
    before = rows(table_id)
    assert run("rebuild_results") == "1 finished rounds, 0 differed\n"
    assert run("rebuild_results", "--check") == "1 finished rounds, 0 differed\n"
    assert rows(table_id) == before


TAMPERED: dict[str, Callable[[], object]] = {
    "points": lambda: Result.objects.filter(seat=1).update(points=8),
    "taken": lambda: Result.objects.filter(seat=1).update(taken=9),
    "bid": lambda: Result.objects.filter(seat=0).update(bid=None),
    "by person": lambda: Result.objects.filter(seat=2).update(by_person=False),
    "a result gone": lambda: Result.objects.filter(seat=2).delete(),
    "all gone": lambda: (Result.objects.all().delete(), TrickRecord.objects.all().delete()),
    "a call": lambda: TrickRecord.objects.filter(number=3).update(call="9-moon"),
    "a taker": lambda: TrickRecord.objects.filter(number=0).update(taker=7),
    "chances of an earlier version": lambda: TrickRecord.objects.update(chance=None),
    "a value": lambda: TrickRecord.objects.filter(number=7).update(value=3),
    "a trick gone": lambda: TrickRecord.objects.filter(number=7).delete(),
    "one too many": lambda: Result.objects.create(
        deal=Deal.objects.get(round=2), seat=0, taken=0, points=0, by_person=True
    ),
    "a mover": lambda: Move.objects.filter(deal__round=1, seat=0, number__gte=9).update(
        mover="bot"
    ),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_tampered_results_are_reported_and_mended(name: str) -> None:
    table_id = a_played_table()
    right = facts()
    TAMPERED[name]()
    tampered = rows(table_id)
    number = 2 if name == "one too many" else 1
    report = f"table {table_id}, round {number}\n1 finished rounds, 1 differed\n"
    out = StringIO()
    with pytest.raises(SystemExit) as stop:
        call_command("rebuild_results", "--check", stdout=out)
    assert stop.value.code == 1
    assert out.getvalue() == report
    assert rows(table_id) == tampered
    assert run("rebuild_results") == report
    if name == "a mover":
        assert [row[-1] for row in facts()[0]] == [False, True, True]
    else:
        assert facts() == right
    assert run("rebuild_results", "--check").endswith(" 0 differed\n")


def test_rebuilding_reports_only_what_differs() -> None:
    tables = [a_played_table() for _ in range(3)]
    Result.objects.filter(deal__table=tables[1]).delete()
    assert run("rebuild_results").splitlines() == [
        f"table {tables[1]}, round 1",
        "3 finished rounds, 1 differed",
    ]
