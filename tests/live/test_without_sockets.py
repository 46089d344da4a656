"""A class in which some devices have no sockets: they play beside the others."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from random import Random

from tests.live.asking import AskingDevice
from tests.live.boards import Onlooker, press, shell
from tests.live.classroom import (
    OPEN,
    TOLD,
    Student,
    come_in,
    is_stored_as_acknowledged,
    saw_only_what_they_may,
    tells_the_end,
    until,
)
from tests.server import Server

SEATS = 4


class AskingStudent(Student):
    device = AskingDevice


async def test_a_quarter_of_the_class_has_no_sockets(own_server: Server, soak: bool) -> None:
    """A round to its end: everybody sees all of it and nothing else, and every move that was
    shown is stored."""
    students_here, without = (24, 6) if soak else (8, 2)
    server = own_server
    one_round = OPEN.replace("patience=300", "patience=300, rounds=1")
    session, code, teacher = await asyncio.to_thread(shell, server, one_round)
    wall = Onlooker(server, session, "projector", teacher)
    watching = asyncio.create_task(wall.watch())
    with ThreadPoolExecutor(8) as devices:
        loop = asyncio.get_running_loop()
        address = f"{server.base}/join/{code}/"
        coming = [loop.run_in_executor(devices, come_in, address) for _ in range(students_here)]
        cookies = await asyncio.gather(*coming)
    students = [
        (AskingStudent if n < without else Student)(server, session, each, Random(n))
        for n, each in enumerate(cookies)
    ]
    games = [asyncio.create_task(student.plays_a_game()) for student in students]
    await until(lambda: all(student.lobby.frames for student in students))
    await asyncio.to_thread(press, server, session, teacher, "start")
    await until(lambda: all(student.last.get("status") == "game_over" for student in students))
    await asyncio.to_thread(press, server, session, teacher, "close")
    await until(lambda: all(tells_the_end(student.at[0][2]) for student in students))
    for game in games:
        game.cancel()
    await asyncio.gather(*games, return_exceptions=True)
    watching.cancel()

    told = await asyncio.to_thread(shell, server, TOLD.format(sessions=[session]))
    assert [len(moves) for *_deal, moves in told] == [9 * SEATS] * (students_here // SEATS)
    for student in students:
        saw_only_what_they_may(student, told)
        is_stored_as_acknowledged(student, told)
        assert len(student.acknowledged) >= 8
    for student in students[:without]:
        # It asked for nothing that was not its own, and most of the time nothing was new.
        for device in student.at[0][1:]:
            assert isinstance(device, AskingDevice)
            assert set(device.statuses) == {200, 204}
    assert "Traceback" not in server.log.read_text(encoding="utf-8")
