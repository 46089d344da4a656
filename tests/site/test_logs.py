"""One line of JSON for each event, and nobody in it."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import urllib.error
import urllib.request
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.live.program import CARD, Client
from tests.live.test_joins import OPEN, come_in, in_django
from tests.server import Server
from xactika_site.logs import JsonLine

log = logging.getLogger("xactika.tests")


def said(text: str, *args: object, **options: Any) -> dict[str, Any]:
    record = log.makeRecord(log.name, logging.INFO, "", 1, text, args, **options)
    line = JsonLine().format(record)
    assert "\n" not in line
    found: dict[str, Any] = json.loads(line)
    assert datetime.strptime(found.pop("time"), "%Y-%m-%d %H:%M:%S,%f") <= datetime.now()
    return found


@pytest.mark.parametrize("text", ["expired", 'a "b"\nc', "µ − é"])
def test_an_event_is_one_line(text: str) -> None:
    told = {"level": "INFO", "logger": "xactika.tests"}
    assert said("%s", text, exc_info=None) == {**told, "message": text}


def test_what_is_handed_over_stands_beside_the_message() -> None:
    extra = {"code": "must_follow", "tables": 3, "when": None, "day": datetime(2026, 11, 21)}
    found = said("refused", exc_info=None, extra=extra)
    assert found["code"] == "must_follow"
    assert (found["tables"], found["when"]) == (3, None)
    assert found["day"] == "2026-11-21 00:00:00"


def test_a_traceback_stays_in_its_line() -> None:
    try:
        raise ValueError("broken")
    except ValueError:
        found = said("a room failed", exc_info=sys.exc_info())
    assert found["message"] == "a room failed"
    assert found["exc_info"].splitlines()[-1] == "ValueError: broken"


def test_a_row_that_the_database_refuses_is_not_quoted() -> None:
    """As PostgreSQL tells it, raised on as Django does."""
    quoted = (
        'duplicate key value violates unique constraint "a_name_once"\n'
        "DETAIL:  Key (classroom_id, name)=(1, Blue\nHeron) already exists."
    )
    try:
        try:
            raise LookupError(quoted)
        except LookupError as why:
            raise ValueError(quoted) from why
    except ValueError:
        told = said("a room failed", exc_info=sys.exc_info())["exc_info"]
    assert told.count('violates unique constraint "a_name_once"') == 2
    assert "direct cause" in told
    assert "Heron" not in told
    assert "Blue" not in told


BREAKS = (
    "import django; import xactika_site.settings; "
    "import games.rules; "
    "from django.core.handlers.base import BaseHandler as B; "
    "B.resolve_request = lambda s, r: 1 / 0 if 'broken' in r.path else O(s, r)"
)


def test_nothing_in_the_log_is_of_a_person(tmp_path: Path) -> None:
    """A class comes in, somebody mistypes, forges, breaks a page and sends nonsense from an
    address that a proxy tells: the log has lines of it, and in none of them anybody."""
    address = "203.0.113.77"
    start = BREAKS.replace("B.resolve_request =", "O = B.resolve_request; B.resolve_request =")
    with Server(tmp_path, start_with=start, FORWARDED_ALLOW_IPS="127.0.0.1") as server:
        session, code = in_django(server, OPEN)
        name = come_in(f"{server.base}/join/{code}/")
        table = server.open_table(variant="win", seats=2, people=2, rounds=8)
        tokens = [seat["token"] for seat in table["seats"]]
        for path in (
            f"/seat/{tokens[0]}/broken/",
            f"/seat/{tokens[0]}x/",
            "/join/WRONGCODE/",
            f"/tables/{table['table']}/?name=Ada+Lovelace",
        ):
            asked(server, path, address)
        asked(server, "/teach/login/", address, b"username=Ada+Lovelace&password=analytical")
        cards = asyncio.run(nonsense(server, table["table"], tokens[1]))
        server.stop()
        told = server.log.read_text()
    lines = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    assert {line["logger"] for line in lines} >= {"django.request", "xactika.sockets"}
    assert "ZeroDivisionError" in told
    assert "illegal_move" in told or "not_your_turn" in told
    for secret in (
        address, name, code, *tokens, table["table"], f"/{session}/", "Ada", "Lovelace",
        "analytical", "WRONGCODE", "sekret", *cards,
    ):  # fmt: skip
        assert not any(secret in json.dumps(line) for line in lines), secret


def asked(server: Server, path: str, address: str, body: bytes | None = None) -> None:
    request = urllib.request.Request(
        server.base + path,
        body,
        {"X-Forwarded-For": address, "Cookie": "xactika=sekret; sessionid=sekret"},
    )
    with suppress(urllib.error.HTTPError):
        urllib.request.urlopen(request, timeout=30).close()


async def nonsense(server: Server, table: str, token: str) -> list[str]:
    """Moves that are refused; the cards that this person holds."""
    async with Client(server.websocket_base, table, token) as client:
        seen = await client.observation()
        await client.send(type="sekret", turn="sekret")
        await client.send(type="move", turn=seen["turn"], move="sekret:sekret")
        while "illegal_move" not in (frame := await client.receive()):
            if "not_your_turn" in frame:
                break
        return sorted(set(CARD.findall(json.dumps(seen))))
