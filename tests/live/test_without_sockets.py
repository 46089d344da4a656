"""A class in which some devices have no sockets: they play beside the others."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from random import Random

from tests.live.asking import AskingDevice
from tests.live.test_boards import Onlooker, press, shell
from tests.live.test_class import (
    OPEN,
    TOLD,
    Pupil,
    come_in,
    is_stored_as_acknowledged,
    own_server,
    saw_only_what_they_may,
    until,
)
from tests.server import Server

__all__ = ["own_server"]

CLASS, WITHOUT, SEATS = 24, 6, 4


class AskingPupil(Pupil):
    device = AskingDevice


async def test_six_of_twenty_four_have_no_sockets(own_server: Server) -> None:
    """A round to its end: everybody sees all of it and nothing else, and every move that was
    shown is stored."""
    server = own_server
    one_round = OPEN.replace("patience=300", "patience=300, rounds=1")
    session, code, teacher = await asyncio.to_thread(shell, server, one_round)
    wall = Onlooker(server, session, "projector", teacher)
    watching = asyncio.create_task(wall.watch())
    with ThreadPoolExecutor(8) as devices:
        loop = asyncio.get_running_loop()
        address = f"{server.base}/join/{code}/"
        coming = [loop.run_in_executor(devices, come_in, address) for _ in range(CLASS)]
        cookies = await asyncio.gather(*coming)
    pupils = [
        (AskingPupil if n < WITHOUT else Pupil)(server, session, each, Random(n))
        for n, each in enumerate(cookies)
    ]
    games = [asyncio.create_task(pupil.plays_a_game()) for pupil in pupils]
    await until(lambda: all(pupil.lobby.frames for pupil in pupils))
    await asyncio.to_thread(press, server, session, teacher, "start")
    await until(lambda: all(pupil.last.get("status") == "game_over" for pupil in pupils))
    await asyncio.to_thread(press, server, session, teacher, "close")
    await until(lambda: all("session is over" in pupil.at[0][2].frames[-1] for pupil in pupils))
    for game in games:
        game.cancel()
    await asyncio.gather(*games, return_exceptions=True)
    watching.cancel()

    told = await asyncio.to_thread(shell, server, TOLD.format(sessions=[session]))
    assert [len(moves) for *_deal, moves in told] == [9 * SEATS] * (CLASS // SEATS)
    for pupil in pupils:
        saw_only_what_they_may(pupil, told)
        is_stored_as_acknowledged(pupil, told)
        assert len(pupil.acknowledged) >= 8
    for pupil in pupils[:WITHOUT]:
        # It asked for nothing that was not its own, and most of the time nothing was new.
        for device in pupil.at[0][1:]:
            assert isinstance(device, AskingDevice)
            assert set(device.statuses) == {200, 204}
    assert "Traceback" not in server.log.read_text()
