"""A school of two processes goes on whatever happens: nothing acknowledged is lost or doubled,
nothing is shown that may not be, everybody comes back, every table goes on. How long that
takes says ``python -m benchmarks.faults``, which has more of it."""

from __future__ import annotations

import asyncio
import os
import secrets
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.faults import GROWTH, counts, memory
from tests.live import crew
from tests.live.backing import find_program
from tests.live.crew import Player, Table, Told, differences
from tests.live.faults import KINDS, suffer
from tests.live.school import School

MISSING = [name for name in ("redis-server", "initdb") if find_program(name) is None]
needs_services = pytest.mark.skipif(
    bool(MISSING) and os.environ.get("XACTIKA_REQUIRE_SERVICES") != "1",
    reason=f"not installed, so not tested with faults: {', '.join(MISSING)}",
)

SHORT = (
    "process stopped",
    "redis restarted",
    "clocks apart",
    "postgres wire",
    "clients half-open",
    "postgres backend",
    "disk full",
    "postgres restarted",
    "process killed",
)


@needs_services
async def test_whatever_happens_nothing_is_lost_or_stuck(tmp_path: Path, soak: bool) -> None:
    seed = secrets.randbelow(10**6) if soak else 1
    kinds, length, quiet = (tuple(KINDS), 1.0, 15.0) if soak else (SHORT, 0.15, 0.0)
    async with School(tmp_path, Random(seed), tables=6, rate=6.0, simulations=soak) as school:
        await school.goes_on(clocks=soak)
        acknowledged = 0
        for kind in kinds:
            if KINDS[kind].needs_disk and school.disk is None:
                continue
            found = await suffer(school, kind, quiet=quiet, length=length)
            await school.goes_on(clocks=soak)
            acknowledged += found["acknowledged"]
            assert (found["wrong"], found["tracebacks"]) == ([], {}), (seed, found)
        await school.goes_on()
        assert acknowledged
        told = school.desk.manage("rebuild_results", "--check")
        assert told.endswith(", 0 differed\n"), (seed, told)


HANDS = [
    ["1332", "1111", "1112", "1113", "1121", "1122", "1123", "1131"],
    ["2222", "3333", "3332", "3331", "3323", "3322", "3321", "3313"],
]
ROUND = ("win", 0, HANDS, 100.0)
MOVES = ["0 1 person 101.5 2222:2-ball", "1 0 bot 102.0 1332"]


def test_what_was_told_and_is_not_so_is_found() -> None:
    def found(told: Told, moves: list[str] = MOVES) -> str:
        return "; ".join(differences(told, *ROUND, moves))

    plays = [[1, "2222:2-ball"], [0, "1332"]]
    assert found(Told(acknowledged={0: "2222:2-ball"}, plays=plays)) == ""
    assert "0, 2222:2-cube, is lost" in found(Told(acknowledged={0: "2222:2-cube"}))
    assert "2, 1111, is lost" in found(Told(acknowledged={2: "1111"}))
    assert "shown were" in found(Told(plays=[*plays, [0, "1111:1-star"]]))
    assert "stored as ['0', '0', '1']" in found(Told(), [MOVES[0], *MOVES])
    assert "cannot be" in found(Told(), [MOVES[0], "1 0 bot 102 2222"])
    told = Told()
    told.cards[0, 0] = {"1332"}
    told.cards[1, 0] = {"1332", "2222"}
    assert found(told) == ""
    told.cards[0, 0] = {"2222"}
    assert "seat 0 was shown hidden cards at move 0" in found(told)
    told = Told()
    told.cards[0, None] = {"1111"}
    assert "seat None was shown hidden cards" in found(told)
    assert "clock took move 1 after 3.0 s" in found(Told(), [MOVES[0], "1 0 clock 104.5 1332"])
    assert found(Told(), [MOVES[0], "1 0 clock 113.6 1332"]) == ""


def test_the_host_excuses_waiting_and_nothing_else() -> None:
    borne: dict[str, Any] = {"stolen_ms_per_s": 999, "wrong": [], "tracebacks": {}, "late": 7.0}
    assert counts(borne, 1000)
    taken = borne | {"stolen_ms_per_s": 1001}
    assert not counts(taken, 1000)
    assert counts(taken | {"wrong": ["a move is lost"]}, 1000)
    assert counts(taken | {"tracebacks": {"KeyError": 1}}, 1000)


def test_memory_that_grows_is_found() -> None:
    def lives(growth: float, *, of_one: float = 0.0) -> list[dict[str, Any]]:
        """Two processes, looked at twice a minute for ten minutes; MB an hour."""
        loads = [max(0.0, 60 - at) for at in range(0, 600, 30)]  # at first, which is no matter
        return [
            {
                "seed": 1,
                "at": at,
                "memory": [
                    [1, 200 + growth * at / 3600 - load],
                    [2, 250 + (growth + of_one) * at / 3600],
                ],
            }
            for at, load in zip(range(0, 600, 30), loads, strict=True)
        ]

    assert memory(lives(0.0)) == {
        "processes": 2,
        "MB an hour": 0.0,
        "of the worst": 0.0,
        "most MB": 250.0,
        "flat": True,
    }
    assert not memory(lives(GROWTH + 5))["flat"]
    assert memory(lives(0.0, of_one=40))["of the worst"] == 40
    assert memory(lives(GROWTH + 5)[:8]) == {"processes": 0}


def test_a_player_asks_for_a_stand_in_when_patience_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(crew, "monotonic", lambda: 100.0)
    player = Player.__new__(Player)
    player.table = Table("a", has_clock=False, since=0.0)
    expected = [(95.0, 6.0, 103.1), (95.0, 2.0, 102.0), (80.0, 6.0, 101.5), (80.0, 1.0, 101.0)]
    for seen, after, at in expected:
        player.table.seen_at = seen
        assert player._ask_again(after) == pytest.approx(at)


async def test_a_school_ends_although_a_player_misses_it_at_first(tmp_path: Path) -> None:
    async def stay() -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)
        await asyncio.sleep(3600)

    school, player = School(tmp_path, Random(1)), Player.__new__(Player)
    school._stack = AsyncExitStack()
    player.task = asyncio.create_task(stay())
    school.crew.append(player)
    await asyncio.sleep(0)
    async with asyncio.timeout(20):
        await school.__aexit__()
    assert player.task.cancelled()
