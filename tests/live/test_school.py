"""A school comes in at once: thirteen classes of 39 in the long version, else two of eight.
Some phones sleep as their teacher starts, some come late, one is sent out and comes back, one
has a second window; everybody sits once, and plays a round to its end."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from tests.live.boards import Onlooker, press, shell
from tests.live.classroom import (
    ASLEEP,
    SEATED,
    TOLD,
    Device,
    Student,
    come_in,
    is_stored_as_acknowledged,
    saw_only_what_they_may,
    student_of,
    until,
)
from tests.live.joining import found
from tests.server import Server

GONE, JUST_GONE, LATE = 2, 1, 2
"""Of each class: asleep for minutes at the start, asleep since a moment ago, not there yet."""

OPEN = """
import json
from tests.games.classroom import a_classroom, a_session, a_teacher, signed_in
told = []
for number in range({classes}):
    teacher = a_teacher(f"of class {{number}}")
    session = a_session(a_classroom(teacher), patience=300, rounds=1)
    cookie = signed_in(teacher).cookies["sessionid"].value
    told.append([session.pk, session.classroom.code, cookie])
print(json.dumps(told))
"""


class Room:
    """One class: its teacher's buttons, its students, and what they do."""

    def __init__(self, server: Server, session: int, code: str, teacher: str) -> None:
        self.server, self.session, self.teacher = server, session, teacher
        self.address = f"{server.base}/join/{code}/"
        self.students: list[Student] = []
        self.games: list[asyncio.Task[None]] = []
        self.onlookers = [
            Onlooker(server, session, view, teacher) for view in ("cockpit", "projector")
        ]
        self.watching: list[asyncio.Task[None]] = []

    async def let_in(self, doors: ThreadPoolExecutor, how_many: int) -> list[Student]:
        """So many come in by the join page."""
        loop = asyncio.get_running_loop()
        cookies = await asyncio.gather(
            *(loop.run_in_executor(doors, come_in, self.address) for _ in range(how_many))
        )
        came = [
            Student(self.server, self.session, each, Random(f"{self.session} {number}"))
            for number, each in enumerate(cookies, start=len(self.students))
        ]
        for student in came:
            student.may_play.clear()
        self.students += came
        return came

    def go(self, students: list[Student]) -> None:
        """From the lobby to the table, and play there once that is allowed."""
        self.games += [asyncio.create_task(student.plays_a_game()) for student in students]

    async def press(self, what: str) -> None:
        await asyncio.to_thread(press, self.server, self.session, self.teacher, what)

    async def key_of(self, student: Student) -> int:
        return await asyncio.to_thread(student_of, self.server, self.session, student.cookies)


async def is_in_the_lobby(student: Student) -> None:
    """The phone shows the lobby, and then goes to sleep."""
    async with student.lobby:
        await student.lobby.receive()


async def is_sent_out_and_back(room: Room, student: Student) -> None:
    """To the same seat and hand, but for what the bot has played meanwhile."""
    key = await room.key_of(student)
    table = await student.goes_to_the_table()
    path = f"/ws/tables/{table}/?format=json"
    async with Device(room.server, path, student.cookies) as program:
        before = await program.observation()
    await room.press(f"send-out:{key}")
    await asyncio.to_thread(come_back, room.address, student.cookies)
    assert await student.goes_to_the_table() == table
    async with Device(room.server, path, student.cookies) as program:
        after = await program.observation()
    assert after["seat"] == before["seat"]
    assert set(after["hand"]) <= set(before["hand"])


def come_back(address: str, cookies: str) -> None:
    """Press "Go on" on the join page of a device that the class knows: to its table."""
    token = found(r"csrftoken=([^;]*)", cookies)
    form = urlencode({"do": "known", "csrfmiddlewaretoken": token}).encode()
    headers = {"Cookie": cookies, "Referer": address}
    with urlopen(Request(address, form, headers)) as answer:
        assert "/tables/" in answer.url


async def has_a_second_window(room: Room, student: Student) -> None:
    """The same seat and hand in both."""
    await until(lambda: bool(student.last))
    table, seen = student.at[-1][0], student.last
    path = f"/ws/tables/{table}/?format=json"
    async with Device(room.server, path, student.cookies) as other:
        there = await other.observation()
    assert (there["seat"], there["hand"]) == (seen["seat"], seen["hand"])


async def test_a_school_comes_in_and_everybody_sits_once(tmp_path: Path, soak: bool) -> None:
    classes, students = (13, 39) if soak else (2, 8)
    with Server(tmp_path) as server, ThreadPoolExecutor(8) as doors:
        opened = await asyncio.to_thread(shell, server, OPEN.format(classes=classes))
        rooms = [Room(server, *each) for each in opened]
        for room in rooms:
            room.watching = [asyncio.create_task(each.watch()) for each in room.onlookers]
        await asyncio.gather(*(room.let_in(doors, students - LATE) for room in rooms))

        # Phones that sleep as the class begins: some for minutes, some since a moment ago.
        sleepers = [room.students[: GONE + JUST_GONE] for room in rooms]
        await asyncio.gather(
            *(is_in_the_lobby(student) for some in sleepers for student in some)
        )
        gone = [
            await room.key_of(student)
            for room, some in zip(rooms, sleepers, strict=True)
            for student in some[:GONE]
        ]
        await asyncio.to_thread(shell, server, ASLEEP.format(students=gone))
        outs = [room.students[-1] for room in rooms]
        for room in rooms:
            room.go(room.students[GONE + JUST_GONE : -1])
        awake = [student for room in rooms for student in room.students[GONE + JUST_GONE : -1]]
        await until(lambda: all(student.lobby.frames for student in awake))
        await asyncio.gather(*(room.press("start") for room in rooms))
        await until(lambda: all(student.last for student in awake))
        told = await asyncio.to_thread(shell, server, SEATED.format(sessions=ids(rooms)))
        assert [len(seated) for _here, seated, _kept in told] == [
            students - LATE - GONE
        ] * classes

        # They wake, others come late, one is sent out and back, one has a second window.
        await asyncio.gather(
            *map(is_sent_out_and_back, rooms, outs),
            *(has_a_second_window(room, room.students[-2]) for room in rooms),
        )
        for room, some, out in zip(rooms, sleepers, outs, strict=True):
            room.go([*some, out])
        late = await asyncio.gather(*(room.let_in(doors, LATE) for room in rooms))
        for room, some in zip(rooms, late, strict=True):
            room.go(some)
        everybody = [student for room in rooms for student in room.students]
        assert len(everybody) == classes * students
        await until(lambda: all(student.last for student in everybody))
        told = await asyncio.to_thread(shell, server, SEATED.format(sessions=ids(rooms)))
        for here, seated, kept in told:
            assert len(here) == students
            assert sorted(seated) == sorted(here)
            assert set(kept) == {None}

        # A round to its end.
        for student in everybody:
            student.may_play.set()
        await until(lambda: all(student.last["status"] == "game_over" for student in everybody))
        told = await asyncio.to_thread(shell, server, TOLD.format(sessions=ids(rooms)))
        assert {len(moves) for *_deal, moves in told} == {4 * 9}
        for room in rooms:
            await ends(room)
            agrees_with_the_moves(room, told)
        assert server.manage("rebuild_results", "--check").endswith(", 0 differed\n")
        assert "Traceback" not in server.log.read_text(encoding="utf-8")


def ids(rooms: list[Room]) -> list[int]:
    return [room.session for room in rooms]


async def ends(room: Room) -> None:
    """Nothing failed on the way; then all leave."""
    for task, onlooker in zip(room.watching, room.onlookers, strict=True):
        assert not task.done() or task.exception() is None
        assert onlooker.frames > 1  # the first picture, and news
    for task in (*room.watching, *room.games):
        task.cancel()
    ended: list[Any] = await asyncio.gather(*room.watching, *room.games, return_exceptions=True)
    assert {type(each) for each in ended} <= {type(None), asyncio.CancelledError}


def agrees_with_the_moves(room: Room, told: list[Any]) -> None:
    """Nobody saw a hidden card or sat twice, and what was acknowledged is stored."""
    held = set()
    for student in room.students:
        saw_only_what_they_may(student, told)
        is_stored_as_acknowledged(student, told)
        ((table, *_sockets),) = student.at
        held.add((table, student.last["seat"]))
    assert len(held) == len(room.students)
