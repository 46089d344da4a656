"""An experiment played on the wire: students are told their table's tip and bid by it; nobody
is told another's, and nothing of it is on the wall before the game is over."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from math import floor
from random import Random
from typing import Any
from urllib.request import Request, urlopen

from tests.live.boards import Onlooker, press, shell
from tests.live.classroom import Student, come_in, until
from tests.server import Server

SEATS, TABLES, BOARDS = 2, (7 if os.environ.get("XACTIKA_SOAK") == "1" else 5), 2

OPEN = """
import json
import os
from tests.games.classroom import a_classroom, a_session, a_teacher, signed_in
teacher = a_teacher("experimenter")
session = a_session(
    a_classroom(teacher), seats={seats}, rounds={boards}, duplicate=True, experiment="tips",
    patience=300,
)
cookie = signed_in(teacher).cookies["sessionid"].value
print(json.dumps([session.pk, session.classroom.code, cookie]))
"""
CAME_TO = """
import json
import os
from games.classes.experiments import experiments_of
(found,) = experiments_of({session})
print(json.dumps([
    found.is_over, list(found.wave_sizes), [o.is_a for o in found.outcomes],
    [o.hands for o in found.outcomes], str(found.difference),
]))
"""
TELLS = ("tip A", "tip B", "Your table’s tip", "printed", "careful", "treatment")


class ByTip(Random):
    """Chooses as a student who bids by the table's tip, and plays anything legal."""

    student: Student | None = None

    def choice(self, legal: Sequence[str]) -> str:  # type: ignore[override]
        if len(legal[0]) > 1 or self.student is None:
            return super().choice(legal)
        seen = self.student.last
        values = [sum(map(int, card)) for card in seen["hand"]]
        if seen["treatment"] == "printed":
            wish = sum(value >= 9 for value in values)
        else:
            wish = sum(value >= 11 for value in values)
            wish += sum(value in (9, 10) for value in values) // 2
        return min(legal, key=lambda bid: (abs(int(bid) - wish), int(bid)))


def a_student(server: Server, session: int, cookies: str, seed: int) -> Student:
    """One of them, by their sockets."""
    rng = ByTip(seed)
    rng.student = student = Student(server, session, cookies, rng)
    return student


def was_told_its_own(students: Sequence[Student]) -> dict[str, str]:
    """By table what its students were told, the same to all of them and nothing else."""
    told: dict[str, str] = {}
    for student in students:
        ((table, program, page),) = student.at
        seen = [json.loads(text) for text in program.frames]
        (own,) = {each["treatment"] for each in seen if each["type"] == "observation"}
        assert told.setdefault(table, own) == own
        html = "".join(page.frames)
        assert ("9 or more" in html) == (own == "printed")
        assert ("11 or 12" in html) == (own == "careful")
        assert not any(word in frame for frame in student.lobby.frames for word in TELLS)
    return told


def page_of(server: Server, path: str, teacher: str) -> str:
    """A page as the teacher sees it."""
    request = Request(server.base + path, headers={"Cookie": f"sessionid={teacher}"})
    with urlopen(request) as answer:
        return str(answer.read().decode())


async def test_a_class_makes_an_experiment(own_server: Server) -> None:
    server = own_server
    begin = OPEN.format(seats=SEATS, boards=BOARDS)
    session, code, teacher = await asyncio.to_thread(shell, server, begin)
    onlookers = [Onlooker(server, session, v, teacher) for v in ("cockpit", "projector")]
    watching = [asyncio.create_task(onlooker.watch()) for onlooker in onlookers]
    with ThreadPoolExecutor(8) as devices:
        address = f"{server.base}/join/{code}/"
        loop = asyncio.get_running_loop()
        coming = [
            loop.run_in_executor(devices, come_in, address) for _ in range(SEATS * TABLES)
        ]
        cookies = await asyncio.gather(*coming)
    students = [a_student(server, session, each, n) for n, each in enumerate(cookies)]
    games = [asyncio.create_task(student.plays_a_game()) for student in students]
    await until(lambda: all(student.lobby.frames for student in students))
    await asyncio.to_thread(press, server, session, teacher, "start")
    await until(lambda: all(student.last.get("round") for student in students))
    results = f"/teach/sessions/{session}/results/"
    early = await asyncio.to_thread(page_of, server, results, teacher)
    if any(student.last["status"] != "game_over" for student in students):
        assert "“tip A”" not in early
    await until(lambda: all(s.last.get("status") == "game_over" for s in students))
    for task in (*games, *watching):
        task.cancel()
    await asyncio.gather(*games, *watching, return_exceptions=True)

    told = was_told_its_own(students)
    assert len(told) == TABLES
    assert sorted(list(told.values()).count(tip) for tip in ("printed", "careful")) == [
        TABLES // 2,
        TABLES // 2 + 1,
    ]
    found: Any = await asyncio.to_thread(shell, server, CAME_TO.format(session=session))
    is_over, waves, is_a, hands, difference = found
    assert (is_over, waves, hands) == (True, [TABLES], [SEATS * BOARDS] * TABLES)
    assert sum(is_a) == list(told.values()).count("printed")
    late = await asyncio.to_thread(page_of, server, results, teacher)
    hundredths = floor(100 * abs(Fraction(difference)) + Fraction(1, 2))  # halves go up
    assert f"{hundredths // 100}.{hundredths % 100:02}" in late or Fraction(difference) == 0
    assert "How often does chance alone make such a difference?" in late
    assert "Traceback" not in server.log.read_text(encoding="utf-8")
