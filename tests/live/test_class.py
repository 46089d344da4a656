"""A class at its tables (forty in the long checks), from the code on the wall to the end of the
session: every frame that anybody gets is looked at."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from random import Random

from tests.live.boards import Onlooker, press, shell
from tests.live.classroom import (
    OPEN,
    SEATS,
    TOLD,
    Student,
    come_in,
    is_stored_as_acknowledged,
    saw_only_what_they_may,
    tells_the_end,
    until,
)
from tests.live.program import later
from tests.server import Server

CLASS = 40 if os.environ.get("XACTIKA_SOAK") == "1" else 12


async def test_a_class_at_its_tables(own_server: Server) -> None:
    server = own_server
    session, code, teacher = await asyncio.to_thread(shell, server, OPEN)
    onlookers = [Onlooker(server, session, v, teacher) for v in ("cockpit", "projector")]
    watching = [asyncio.create_task(onlooker.watch()) for onlooker in onlookers]

    async def do(what: str) -> None:
        """Press a button of the cockpit; both views of the class tell of it."""
        before = [onlooker.frames for onlooker in onlookers]
        await asyncio.to_thread(press, server, session, teacher, what)
        await until(lambda: all(o.frames > n for o, n in zip(onlookers, before, strict=True)))

    with ThreadPoolExecutor(8) as devices:
        address = f"{server.base}/join/{code}/"
        loop = asyncio.get_running_loop()
        coming = [loop.run_in_executor(devices, come_in, address) for _ in range(CLASS)]
        cookies = await asyncio.gather(*coming)
    students = [Student(server, session, each, Random(n)) for n, each in enumerate(cookies)]

    def all_play() -> list[asyncio.Task[None]]:
        return [asyncio.create_task(student.plays_a_game()) for student in students]

    def all_are_past(turn: str) -> bool:
        return all(student.last and later(student.last["turn"], turn) for student in students)

    # A game of two rounds, with a pause in its middle.
    games = all_play()
    await until(lambda: all(student.lobby.frames for student in students))
    await do("start")
    await until(lambda: all_are_past("1.12"))
    await do("pause")
    await until(lambda: all(student.last["paused"] for student in students))
    turns = [student.last["turn"] for student in students]
    await asyncio.sleep(0.3)
    assert [student.last["turn"] for student in students] == turns
    await do("resume")
    await until(lambda: all(student.last["status"] == "game_over" for student in students))

    # Another one: every page is led there; it is closed in mid-trick.
    first_tables = {student.at[0][0] for student in students}
    for student in students:
        student.last = {}
    await do("next-game:anew")
    await asyncio.gather(*games)
    for student in students:
        leave = f'data-leave="/class/{session}/"'
        assert any(leave in frame for frame in student.at[0][2].frames)
    games = all_play()
    await until(lambda: all_are_past("1.6"))
    await do("close")
    await until(lambda: all(student.last["status"] == "closed" for student in students))
    await until(lambda: all(tells_the_end(student.at[1][2]) for student in students))
    for game in games:
        game.cancel()
    await asyncio.gather(*games, return_exceptions=True)
    for task in watching:
        assert not task.done() or task.exception() is None
        task.cancel()

    told = await asyncio.to_thread(shell, server, TOLD.format(sessions=[session]))
    assert len(first_tables) == CLASS // SEATS
    assert len({table for table, *_ in told} - first_tables) == CLASS // SEATS
    for student in students:
        saw_only_what_they_may(student, told)
        is_stored_as_acknowledged(student, told)
    assert server.manage("rebuild_results", "--check").endswith(", 0 differed\n")
    log = server.log.read_text(encoding="utf-8")
    assert "Traceback" not in log
    names = {player["name"] for student in students for player in student.last["players"]}
    assert len(names) >= CLASS
    assert not [name for name in names if name in log]
