"""A class at its tables: its devices, its students, and what they may have seen."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import websockets

from tests.live.joining import send_form
from tests.live.program import CARD, PATIENCE, Client, later
from tests.live.secrecy import Public, check_page
from tests.server import Server

SEATS = 4
OPEN = """
import json
from importlib import import_module
from django.conf import settings
from tests.games.classroom import a_classroom, a_session, a_teacher, signed_in
teacher = a_teacher("of many")
session = a_session(a_classroom(teacher), patience=300)
cookie = signed_in(teacher).cookies["sessionid"].value
print(json.dumps([session.pk, session.classroom.code, cookie]))
"""
ASLEEP = """
from datetime import timedelta
from django.utils import timezone
from xactika_site.classrooms.models import Attendance
then = timezone.now() - timedelta(minutes=5)
Attendance.objects.filter(student__in={students}).update(last_seen=then)
print(0)
"""
SEATED = """
import json
from games.classes.state import load_session
from games.tables.state import load_table
told = []
for session in {sessions}:
    state = load_session(session)
    tables = [load_table(table) for table in state.tables]
    told.append([
        [known.pk for known in state.here],
        [seat.student_id for table in tables for seat in table.people],
        [seat.kept_for for table in tables for seat in table.seats],
    ])
print(json.dumps(told))
"""
TOLD = """
import json
from games.models import Deal
deals = Deal.objects.filter(table__class_session__in={sessions}).order_by("round")
print(json.dumps([
    [deal.table_id, deal.round, deal.hands,
     [move.text for move in deal.moves.order_by("number")]]
    for deal in deals
]))
"""


class Device(Client):
    """A socket of a joined student's browser, opened by its cookies."""

    def __init__(self, server: Server, path: str, cookies: str) -> None:
        self.address = server.websocket_base + path
        self.headers = {"Cookie": cookies, "Origin": server.base}
        self.frames: list[str] = []
        self.refused = ""
        self.socket: Any = None


class Student:
    """A student with the lobby open, then the table as a page and as a program."""

    device: type[Device] = Device

    def __init__(self, server: Server, session: int, cookies: str, rng: Random) -> None:
        self.server, self.session, self.cookies, self.rng = server, session, cookies, rng
        self.lobby = self.device(server, f"/ws/sessions/{session}/?view=lobby", cookies)
        self.at: list[tuple[str, Device, Device]] = []
        self.last: dict[str, Any] = {}
        self.acknowledged: dict[tuple[str, str], str] = {}
        self.may_play = asyncio.Event()
        self.may_play.set()

    async def goes_to_the_table(self) -> str:
        """Wait in the lobby until it names another table than the last one."""
        before = self.at[-1][0] if self.at else ""
        async with self.lobby:
            while True:
                goal = re.search(r'data-go="/tables/(\w+)/"', await self.lobby.receive())
                if goal and goal[1] != before:
                    return goal[1]

    async def plays_a_game(self) -> None:
        """From the lobby on, until there is no more to play."""
        table = await self.goes_to_the_table()
        program, page = (
            self.device(self.server, f"/ws/tables/{table}/{form}", self.cookies)
            for form in ("?format=json", "")
        )
        self.at.append((table, program, page))
        async with program, page:
            listening = asyncio.create_task(self._listen(page))
            try:
                await self._play(table, program)
                with suppress(websockets.ConnectionClosed):  # the class goes on elsewhere
                    while True:
                        await program.receive()
                await listening
            finally:
                listening.cancel()

    async def _listen(self, page: Device) -> None:
        with suppress(websockets.ConnectionClosed):
            while True:
                page.frames.append(str(await page.socket.recv()))

    async def _play(self, table: str, program: Device) -> None:
        moved, move = "", ""
        while self.last.get("status") != "closed":
            self.last = seen = await program.observation()
            await self.may_play.wait()
            if moved and later(seen["turn"], moved):
                self.acknowledged[table, moved] = move
                moved = ""
            if seen["status"] == "game_over":
                return
            if seen["paused"]:
                moved = ""  # what was sent just then was refused
            elif program.refused == "unavailable" and seen["turn"] == moved:
                await program.send(type="move", turn=moved, move=move)
            elif seen["legal"] and seen["turn"] != moved:
                moved = seen["turn"]
                move = self.rng.choice(seen["legal"])
                await program.send(type="move", turn=moved, move=move)
            me = seen["players"][seen["seat"]]
            if seen["status"] == "round_over" and not me["ready"]:
                await program.send(type="next", turn=seen["turn"])


def tells_the_end(page: Device) -> bool:
    """Whether this page was told that the session is over, in whichever frame."""
    return any("session is over" in frame for frame in page.frames)


def student_on(page: str) -> int:
    """The primary key that a student's lobby tells."""
    found = re.search(r'data-student="(\d+)"', page)
    assert found
    return int(found[1])


def student_of(server: Server, session: int, cookies: str) -> int:
    """Who is at the device with these cookies."""
    address = f"{server.base}/class/{session}/"
    with urlopen(Request(address, headers={"Cookie": cookies})) as answer:
        return student_on(answer.read().decode())


def come_in(address: str) -> str:
    """One device comes in by the page; its cookies."""
    device = build_opener(processor := HTTPCookieProcessor())
    while True:
        page = device.open(address).read().decode()
        status, _page = send_form(device, address, page)
        if status == 200:
            return "; ".join(f"{c.name}={c.value}" for c in processor.cookiejar)


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.02)


def is_stored_as_acknowledged(student: Student, told: list[Any]) -> None:
    """Every move of theirs that an observation showed to be made."""
    assert student.acknowledged
    stored = {(table, number): moves for table, number, _hands, moves in told}
    for (table, turn), move in student.acknowledged.items():
        number, place = map(int, turn.split("."))
        assert stored[table, number][place] == move


def saw_only_what_they_may(student: Student, told: list[Any]) -> None:
    """Their own hand, and what was played at their table by then, by the stored moves."""
    assert not any(CARD.findall(frame) for frame in student.lobby.frames)
    for table, program, page in student.at:
        public = Public()
        for at, number, hands, moves in told:
            if at != table:
                continue
            for made in range(len(moves) + 1):
                cards = {text[:4] for text in moves[:made] if len(text) >= 4}
                is_over = made == SEATS * 9
                public.turns[f"{number}.{made}"] = None if is_over else cards
            for seat, hand in enumerate(hands):
                public.hands[number, seat] = set(hand)
        seats = set()
        for text in program.frames:
            frame = json.loads(text)
            if frame["type"] == "observation":
                seats.add(frame["seat"])
                played = public.turns[frame["turn"]]
                own = set(frame["hand"])
                assert own <= public.hands[frame["round"], frame["seat"]]
                assert played is None or set(CARD.findall(text)) <= own | played
        (seat,) = seats
        check_page(page.frames, seat, public)
