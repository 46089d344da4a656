"""One line of JSON for each event, and nobody in it."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.urls import resolve
from django.utils.module_loading import import_string

from tests.live.joining import OPEN, come_in, in_django
from tests.live.program import CARD, Client
from tests.server import Server
from xactika_site import logs
from xactika_site.logs import JsonLine, count_line

log = logging.getLogger("xactika.tests")


def said(text: str, *args: object, **options: Any) -> dict[str, Any]:
    record = log.makeRecord(log.name, logging.INFO, "", 1, text, args, **options)
    line = JsonLine().format(record)
    assert "\n" not in line
    found: dict[str, Any] = json.loads(line)
    time = datetime.fromisoformat(found.pop("time").replace(",", "."))
    assert time.astimezone() <= datetime.now(UTC)
    return found


@pytest.mark.parametrize("text", ["expired", 'a "b"\nc', "µ − é"])
def test_an_event_is_one_line(text: str) -> None:
    told = {"level": "INFO", "logger": "xactika.tests"}
    assert said("%s", text, exc_info=None) == {**told, "message": text}


def test_what_is_handed_over_stands_beside_the_message() -> None:
    day = datetime(2026, 11, 21, tzinfo=UTC)
    extra = {"code": "must_follow", "tables": 3, "when": None, "day": day}
    found = said("refused", exc_info=None, extra=extra)
    assert found["code"] == "must_follow"
    assert (found["tables"], found["when"]) == (3, None)
    assert found["day"] == "2026-11-21 00:00:00+00:00"


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


# What comes by the thousand.


def sieved(text: str, *args: object, name: str = "django.request", **options: Any) -> str:
    """The line as standard error gets it; empty for one that is only counted."""
    record = logging.getLogger(name).makeRecord(
        name, logging.ERROR, "", 1, text, args, options.pop("exc_info", None), extra=options
    )
    logging_settings: dict[str, Any] = settings.LOGGING
    sieves = logging_settings["handlers"]["stderr"]["filters"]
    kinds = logging_settings["filters"]
    passes = all(import_string(kinds[each]["()"])().filter(record) for each in sieves)
    return JsonLine().format(record) if passes else ""


class Refused:
    """As much of a request as the log looks at."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.resolver_match = resolve(path)


def lines_of(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str, int | None, object]]:
    return [
        (record.levelname, record.getMessage(), *map(vars(record).get, ("count", "where")))  # type: ignore[misc]
        for record in caplog.records
    ]


def test_a_flood_has_one_line_a_minute_which_says_how_many(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def refuse(times: int, where: str = "") -> None:
        for _ in range(times):
            count_line(log, "flood", "503: too much at once", where=where)

    refuse(1)
    assert lines_of(caplog) == [("WARNING", "503: too much at once", None, None)]
    refuse(200, "play/")
    refuse(12, "join/")
    refuse(1)
    count_line(log, "other", "403: not here", level=logging.INFO)
    assert [line[:2] for line in lines_of(caplog)[1:]] == [("INFO", "403: not here")]
    caplog.clear()
    logs.tell_counts(until=0)  # it is not over
    assert caplog.records == []
    logs.tell_counts()
    told = "503: too much at once: 213 more within a minute"
    assert lines_of(caplog) == [("WARNING", told, 213, {"play/": 200, "join/": 12})]
    refuse(3)
    logs.tell_counts()
    assert caplog.records[1].getMessage() == "503: too much at once: 3 more within a minute"
    # After a minute without any the next one is a first one.
    logs.tell_counts()
    refuse(1)
    assert caplog.records[2].getMessage() == "503: too much at once"
    assert len(caplog.records) == 3


def test_what_was_counted_last_is_told_by_itself(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "EVERY", 0.01)
    monkeypatch.setattr(logs, "_is_watched", False)
    others = set(threading.enumerate())
    count_line(log, "flood", "too much")
    while len(caplog.records) < 2:  # the test's time limit ends it
        count_line(log, "flood", "too much")
    assert "more within a minute" in caplog.records[1].getMessage()
    # What it still counts is not to be told into another test.
    for thread in set(threading.enumerate()) - others:
        if thread.name == "counts":
            thread.join()


def test_threads_that_count_at_once_lose_none(caplog: pytest.LogCaptureFixture) -> None:
    def refuse(_thread: int) -> None:
        for _ in range(500):
            count_line(log, "flood", "too much")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(refuse, range(8)))
    logs.tell_counts()
    first, rest = lines_of(caplog)
    assert (first[2], rest[2]) == (None, 8 * 500 - 1)


def test_answers_that_refuse_are_counted_by_kind_and_page(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tables = [f"/tables/{number:026d}/" for number in range(30)]
    lines = [
        sieved("%s: %s", "Service Unavailable", path, status_code=503, request=Refused(path))
        for path in [*tables, "/play/"]
    ]
    found = json.loads(lines[0])
    assert (found["message"], found["level"]) == ("503 Service Unavailable", "ERROR")
    assert found["where"].startswith("tables/<")
    assert not any(lines[1:])
    # Another status is another kind; of what was not ours to mend there is no traceback.
    bad = sieved(
        "too many fields of Ada", name="django.security.TooManyFieldsSent", status_code=400,
        request=Refused("/play/"), exc_info=raised(ValueError("Ada")),
    )  # fmt: skip
    assert json.loads(bad)["message"] == "400 Bad Request"
    assert "Ada" not in bad
    assert "exc_info" not in bad
    with caplog.at_level(logging.ERROR):
        logs.tell_counts()
    (told,) = lines_of(caplog)
    assert told == (
        "ERROR",
        "503 Service Unavailable: 30 more within a minute",
        30,
        {found["where"]: 29, "play/": 1},
    )


def raised(error: Exception) -> Any:
    try:
        raise error
    except Exception:
        return sys.exc_info()


def test_a_mistake_that_repeats_is_whole_once_and_then_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    lines = [
        sieved("%s: %s", "broken", "/play/", status_code=500, request=Refused("/play/"),
               exc_info=raised(ZeroDivisionError(f"the {number}th")))
        for number in range(100)
    ]  # fmt: skip
    assert "ZeroDivisionError: the 0th" in lines[0]
    assert "in raised" in lines[0]
    assert not any(lines[1:])
    # What is not the same is written: another error, from elsewhere, of another part.
    assert "KeyError" in sieved("broken", exc_info=raised(KeyError("x")), status_code=500)
    try:
        1 / 0  # noqa: B018
    except ZeroDivisionError:
        assert "ZeroDivisionError" in sieved("broken", exc_info=sys.exc_info(), status_code=500)
    rooms = [
        sieved("a room failed", name="xactika.hub", exc_info=raised(KeyError("x")))
        for _ in range(5)
    ]
    assert [bool(line) for line in rooms] == [True, False, False, False, False]
    logs.tell_counts()
    assert {line[:3] for line in lines_of(caplog)} == {
        ("ERROR", "500 Internal Server Error: 99 more within a minute", 99),
        ("ERROR", "a room failed: 4 more within a minute", 4),
    }


def test_lines_without_a_mistake_are_all_written() -> None:
    told = [sieved("expired", name="xactika.retention", tables=number) for number in range(3)]
    assert all(told)


@pytest.mark.skipif(os.name != "posix", reason="no signal tells it to stop")
def test_a_hundred_forged_forms_are_two_lines(tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        for _ in range(100):
            asked(server, "/teach/login/", "203.0.113.77", b"username=Ada")
        server.stop()
        told = server.log.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in told.splitlines() if "403" in line]
    assert [line["message"] for line in lines] == [
        "403 Forbidden",
        "403 Forbidden: 99 more within a minute",
    ]
    assert [line["where"] for line in lines] == ["teach/login/", {"teach/login/": 99}]
    assert {line["logger"] for line in lines} == {"django.security.csrf"}


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
        told = server.log.read_text(encoding="utf-8")
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
