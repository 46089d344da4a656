"""The laptop sleeps in the middle of a lesson, and wakes in another network."""

from __future__ import annotations

import asyncio
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random

import websockets

from tests.live.boards import Onlooker, press, shell
from tests.live.classroom import (
    OPEN,
    TOLD,
    Student,
    come_in,
    is_stored_as_acknowledged,
    until,
)
from tests.live.program import later
from tests.server import Server

TEN_MINUTES = 600
BEFORE, SINCE = "127.0.0.2", "127.0.0.3"
FOUND = """
import datetime, pathlib
import django.utils.timezone as it
import xactika_site.lan, xactika_site.serving
folder, now = pathlib.Path({folder!r}), it.now
it.now = lambda: now() + datetime.timedelta(seconds=float((folder / "slept").read_text()))
xactika_site.lan.own_address = lambda: (folder / "address").read_text()
xactika_site.serving.FOLLOW_EVERY = 0.5
"""
"""Of a laptop: what its clock says is later by what it has slept, its address is in a file."""
BY_OTHERS = """
from games.models import Move
print(Move.objects.exclude(mover="person").count())
"""


class Wall(Onlooker):
    """A teacher's page, as its last frames have it."""

    def __init__(self, server: Server, session: int, view: str, cookie: str) -> None:
        super().__init__(server, session, view, cookie)
        self.told = ""

    async def watch(self) -> None:
        known = {"additional_headers": self.headers, "origin": self.origin, "proxy": None}
        while True:
            with suppress(websockets.WebSocketException, OSError):
                async with websockets.connect(self.address, **known) as socket:
                    while True:
                        self.told += str(await socket.recv())
            await asyncio.sleep(0.2)


class Restless(Student):
    """A student whose page opens its line again whenever that was lost."""

    async def plays_on(self) -> None:
        table, *_ = self.at[-1]
        while self.last["status"] not in {"game_over", "closed"}:
            with suppress(websockets.WebSocketException, OSError):
                path = f"/ws/tables/{table}/?format=json"
                program = self.device(self.server, path, self.cookies)
                async with program:
                    await self._play(table, program)
            await asyncio.sleep(0.2)


async def test_a_lesson_goes_on_where_the_laptop_has_slept(tmp_path: Path, soak: bool) -> None:
    (tmp_path / "slept").write_text("0", encoding="utf-8")
    (tmp_path / "address").write_text(BEFORE, encoding="utf-8")
    found = f"exec({FOUND.format(folder=str(tmp_path))!r})"
    with Server(tmp_path, arguments=("--lan",), start_with=found) as server:
        calm = OPEN.replace("patience=300", "patience=60")
        session, code, teacher = await asyncio.to_thread(shell, server, calm)
        views = [Wall(server, session, view, teacher) for view in ("cockpit", "projector")]
        watching = [asyncio.create_task(view.watch()) for view in views]
        address = f"{server.base}/join/{code}/"
        with ThreadPoolExecutor(4) as devices:
            cookies = list(devices.map(come_in, [address] * 8))
        students = [
            Restless(server, session, each, Random(n)) for n, each in enumerate(cookies)
        ]
        games = [asyncio.create_task(student.plays_a_game()) for student in students]
        await until(lambda: all(student.lobby.frames for student in students))
        await asyncio.to_thread(press, server, session, teacher, "start")
        await until(lambda: all(s.last and later(s.last["turn"], "1.6") for s in students))
        assert f"{BEFORE}:{server.port}/join/" in views[1].told
        assert "New address" not in views[0].told + views[1].told

        # It sleeps, and is taken elsewhere; the devices' lines are cut.
        assert server.process is not None
        server.process.send_signal(signal.SIGSTOP)
        (tmp_path / "address").write_text(SINCE, encoding="utf-8")
        if soak:
            await asyncio.sleep(TEN_MINUTES)
        else:
            (tmp_path / "slept").write_text(str(TEN_MINUTES), encoding="utf-8")
            await asyncio.sleep(1)
        for game in games:
            game.cancel()
        await asyncio.gather(*games, return_exceptions=True)
        for view in views:
            view.told = ""
        server.process.send_signal(signal.SIGCONT)

        await asyncio.sleep(5)  # until devices find the network again
        games = [asyncio.create_task(student.plays_on()) for student in students]
        await until(lambda: all(student.last["status"] == "game_over" for student in students))
        new = f"{SINCE}:{server.port}/join/"
        await until(lambda: all(new in v.told and "New address" in v.told for v in views))
        assert await asyncio.to_thread(come_in, f"http://{new}{code}/")
        for task in (*games, *watching):
            task.cancel()
        told = await asyncio.to_thread(shell, server, TOLD.format(sessions=[session]))
        for student in students:
            is_stored_as_acknowledged(student, told)
        assert await asyncio.to_thread(shell, server, BY_OTHERS) == 0
        log = server.log.read_text(encoding="utf-8")
        assert log.count("in another network now") == 1
        assert f"Students join at   http://{new}" in log
        assert "Traceback" not in log
