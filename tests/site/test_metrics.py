"""What monitoring reads: whether the process lives, and figures without anybody in them."""

from __future__ import annotations

import asyncio
import json
import os
import re
import urllib.request
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.live.program import Client, play
from tests.server import Server
from xactika_site import metrics
from xactika_site.metrics import Counter, Monitored, Waits

TOKEN = "a-token-of-thirty-six-letters-or-more"

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\S+)")

Read = dict[str, dict[str, float]]


def read(text: str) -> Read:
    """The samples by figure, as a strict reader of the format 0.0.4 takes them: told once, of a
    known kind, all of one beside each other, each sample once, its name the figure's own."""
    assert text.endswith("\n")
    found: Read = {}
    kind = name = ""
    helped = None
    for line in text.splitlines():
        if line.startswith("# HELP "):
            helped, meaning = line.removeprefix("# HELP ").split(" ", 1)
            assert meaning.strip() == meaning != ""
            assert "\\" not in meaning
        elif line.startswith("# TYPE "):
            name, kind = line.removeprefix("# TYPE ").split(" ")
            assert name == helped, "a figure says what it is before its type"
            assert name not in found, f"{name} stands there twice"
            assert kind in {"counter", "gauge", "histogram"}
            assert (kind == "counter") == name.endswith("_total")
            found[name] = {}
        else:
            sample = SAMPLE.fullmatch(line)
            assert sample, line
            own, labels, value = sample.groups()
            ends = ("_bucket", "_sum", "_count") if kind == "histogram" else ("",)
            assert own in {name + end for end in ends}, line
            key = own.removeprefix(name) + (f"{{{labels}}}" if labels else "")
            assert key not in found[name], f"{line} stands there twice"
            found[name][key] = float(value)
            if kind == "counter":
                assert float(value) >= 0
    for figure, samples in found.items():
        buckets = [v for key, v in samples.items() if key.startswith("_bucket")]
        if buckets:
            assert buckets == sorted(buckets)
            assert samples['_bucket{le="+Inf"}'] == samples["_count"], figure
    return found


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures of this test alone."""
    monkeypatch.setattr(metrics, "_figures", [])


@pytest.mark.usefixtures("own")
def test_what_is_counted_is_told() -> None:
    moves = Counter("made_total", "Made.", "by", ("bot", "person"))
    for mover in ("bot", "bot", 'a "quoted" \\ one\nand more'):
        moves.one(mover)
    waits = Waits("waits_seconds", "Waited.")
    for seconds in (0.001, 0.005, 0.3, 60):
        waits.took(seconds)
    found = read(metrics.text())
    assert found["made_total"] == {
        '{by="bot"}': 2,
        '{by="person"}': 0,
        '{by="a \\"quoted\\" \\\\ one\\nand more"}': 1,
    }
    assert found["waits_seconds"] == {
        '_bucket{le="0.005"}': 2,
        '_bucket{le="0.025"}': 2,
        '_bucket{le="0.1"}': 2,
        '_bucket{le="0.5"}': 3,
        '_bucket{le="2.5"}': 3,
        '_bucket{le="10.0"}': 3,
        '_bucket{le="+Inf"}': 4,
        "_sum": 60.306,
        "_count": 4,
    }


def ask(
    path: str,
    *,
    client: tuple[str, int] | None = ("127.0.0.1", 5),
    host: str = "127.0.0.1:8001",
    **headers: str,
) -> tuple[int, str]:
    """The status and body that the process answers; 404 stands for all that the pages say.
    Several hosts are separated by commas."""
    sent: list[dict[str, Any]] = []

    async def pages(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 404, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        raise AssertionError("nothing is read")

    named = [(k.replace("_", "-").encode(), v.encode()) for k, v in headers.items()]
    named += [(b"host", each.encode()) for each in host.split(",") if each]
    method = (
        "HEAD" if path.startswith("HEAD ") else "POST" if path.startswith("POST ") else "GET"
    )
    where = path.split(" ")[-1]
    scope = {
        "type": "http",
        "method": method,
        "path": where,
        "headers": named,
        "client": client,
    }
    asyncio.run(Monitored(pages)(scope, receive, send))  # type: ignore[arg-type]
    start, body = sent
    return start["status"], body["body"].decode()


def test_a_process_that_answers_lives() -> None:
    """No database, no thread, no name of a host: whoever asks, by whatever address."""
    assert ask("/livez", client=("192.168.1.77", 5)) == (200, '{"status": "alive"}')
    assert ask("HEAD /livez") == (200, "")
    assert ask("POST /livez")[0] == 404


ELSEWHERE = ("192.168.1.77", 5)


@pytest.mark.parametrize(
    ("setting", "client", "headers", "status"),
    [
        ("", ("127.0.0.1", 5), {}, 404),
        ("", ("127.0.0.1", 5), {"authorization": "Bearer "}, 404),
        ("local", ("127.0.0.1", 5), {}, 200),
        ("local", ("127.8.0.1", 5), {}, 200),
        ("local", ("::1", 5), {}, 200),
        ("local", ("::ffff:127.0.0.1", 5), {}, 200),
        ("local", ELSEWHERE, {}, 404),
        ("local", ("::ffff:192.168.1.77", 5), {}, 404),
        ("local", ("", 0), {}, 404),
        ("local", None, {}, 404),
        ("local", ELSEWHERE, {"authorization": "Bearer local"}, 404),
        # Through a proxy on this machine, which may forget to say for whom, or be told what.
        ("local", ("127.0.0.1", 5), {"x_forwarded_for": "127.0.0.1"}, 404),
        ("local", ("127.0.0.1", 5), {"x_forwarded_proto": "https"}, 404),
        ("local", ("127.0.0.1", 5), {"forwarded": "for=127.0.0.1"}, 404),
        ("local", ("127.0.0.1", 5), {"via": "1.1 proxy"}, 404),
        ("local", ("127.0.0.1", 5), {"x_real_ip": "127.0.0.1"}, 404),
        ("local", ("127.0.0.1", 5), {"x_forwarded_host": "localhost"}, 404),
        ("local", ("127.0.0.1", 5), {"x_forwarded": "127.0.0.1"}, 404),
        ("local", ("127.0.0.1", 5), {"x_client_ip": "127.0.0.1"}, 404),
        ("local", ("127.0.0.1", 5), {"x_request_id": "a1"}, 404),
        ("local", ("127.0.0.1", 5), {"cf_connecting_ip": "127.0.0.1"}, 404),
        ("local", ("127.0.0.1", 5), {"true_client_ip": "127.0.0.1"}, 404),
        # What Prometheus itself sends.
        (
            "local",
            ("127.0.0.1", 5),
            {
                "x_prometheus_scrape_timeout_seconds": "10",
                "user_agent": "Prometheus/2.42.0",
                "accept": "text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
                "accept_encoding": "gzip",
            },
            200,
        ),
        # Under a name that anybody may let point here: a page open in this machine's browser.
        ("local", ("127.0.0.1", 5), {"host": "cards.school"}, 404),
        ("local", ("127.0.0.1", 5), {"host": "rebound.example:8001"}, 404),
        ("local", ("127.0.0.1", 5), {"host": "127.0.0.1.rebound.example"}, 404),
        ("local", ("127.0.0.1", 5), {"host": "127.0.0.1:8001,rebound.example"}, 404),
        ("local", ("127.0.0.1", 5), {"host": ""}, 404),
        ("local", ("127.0.0.1", 5), {"host": "127.0.0.1"}, 200),
        ("local", ("127.0.0.1", 5), {"host": "LocalHost:8001"}, 200),
        ("local", ("::1", 5), {"host": "[::1]:8001"}, 200),
        (
            TOKEN,
            ELSEWHERE,
            {
                "authorization": f"Bearer {TOKEN}",
                "x_real_ip": "10.0.0.1",
                "host": "cards.school",
            },
            200,
        ),
        (TOKEN, ELSEWHERE, {"authorization": f"Bearer {TOKEN}"}, 200),
        (TOKEN, ("127.0.0.1", 5), {}, 404),
        (TOKEN, ELSEWHERE, {"authorization": f"Bearer {TOKEN}x"}, 404),
        (TOKEN, ELSEWHERE, {"authorization": TOKEN}, 404),
        (TOKEN, ELSEWHERE, {"authorization": "Bearer é"}, 404),
    ],
)
def test_who_may_read_the_figures(
    settings: Any,
    setting: str,
    client: tuple[str, int] | None,
    headers: dict[str, str],
    status: int,
) -> None:
    settings.METRICS = setting
    found, text = ask("/metrics", client=client, **headers)
    assert found == status
    assert ("process_cpu_seconds_total" in text) == (status == 200)
    assert ask("POST /metrics", client=client, **headers)[0] == 404


def test_figures_of_a_server_in_play(tmp_path: Path) -> None:
    """A round of two people: what was played and refused is counted, nobody is named."""
    with Server(tmp_path, XACTIKA_METRICS="local") as server:
        table = server.open_table(variant="win", seats=2, people=2, rounds=1, pace=0)
        tokens = [seat["token"] for seat in table["seats"]]
        text = asyncio.run(a_round(server, table["table"], tokens))
        with_health = http_get(server, "/healthz")
        assert json.loads(with_health) == {"status": "ok"}
        assert json.loads(http_get(server, "/livez")) == {"status": "alive"}
    found = read(text)
    assert found["xactika_moves_total"]['{mover="person"}'] == 16
    assert found["xactika_moves_total"]['{mover="bot"}'] == 0
    assert found["xactika_refusals_total"] == {'{code="bad_message"}': 1}
    assert found["xactika_sockets"] == {'{at="session"}': 0, '{at="table"}': 2}
    assert found["xactika_tables"] == {'{status="game_over"}': 1}
    assert sum(found["xactika_away_total"].values()) == 0
    assert found["xactika_pages_total"]['{status="2xx"}'] >= 1
    assert found["xactika_database_seconds"]["_count"] > 16
    assert found["xactika_database_queue_seconds"]["_count"] > 16
    assert found["xactika_redis_seconds"]["_count"] == 0
    if hasattr(os, "sysconf"):
        assert found["process_resident_memory_bytes"][""] > 30e6
        assert found["process_open_fds"][""] > 3
    for word in (table["table"], *tokens, "127.0.0.1", *names_at(table)):
        assert word not in text


def names_at(table: dict[str, Any]) -> list[str]:
    return [seat["name"] for seat in table["seats"] if seat.get("name")]


async def a_round(server: Server, table: str, tokens: list[str]) -> str:
    """What /metrics says when it is over and both still look."""

    base = server.websocket_base
    async with Client(base, table, tokens[0]) as one, Client(base, table, tokens[1]) as two:
        await one.send(type="nonsense")
        await asyncio.gather(play(one, Random(1)), play(two, Random(2)))
        return await asyncio.to_thread(http_get, server, "/metrics")


def http_get(server: Server, path: str) -> str:
    with urllib.request.urlopen(server.base + path, timeout=30) as answer:
        return str(answer.read().decode())
