"""Homework at a real server that is killed twice: its pages say what the moves say. The week
itself, with lost phrases and its days, is in ``tests/lessons/homework``.

``make soak`` lets a class of thirty do it.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import websockets

from tests.live.boards import Student, score, shell
from tests.live.browser import Browser
from tests.live.classroom import until
from tests.live.program import PATIENCE
from tests.server import Server

STUDENTS, BOARDS, SEATS = (30 if os.environ.get("XACTIKA_SOAK") == "1" else 6), 2, 3

GIVE = f"""
import json
from tests.scenes.homework import a_class, some_homework
from xactika_site.classrooms.selectors import phrase_of
students = a_class({STUDENTS})
classroom = students[0].classroom
homework = some_homework(classroom, boards={BOARDS}, seats={SEATS})
phrases = [(student.pk, phrase_of(student)) for student in students]
print(json.dumps([homework.pk, classroom.code, phrases]))
"""
QUICK = """
from games.models import Table
print(Table.objects.update(pace=0))
"""
TOLD = """
import json
from games.models import Deal
from lessons.homework import giving
from lessons.models import Homework
from lessons.pages.results import namer
from lessons.results.homework import dataset_of_homework, panels
homework = Homework.objects.get()
giving.close(homework=homework)
homework.refresh_from_db()
names = {str(student.pk): student.name for student in homework.classroom.students.all()}
named = namer({int(pk): name for pk, name in names.items()})
every = panels(dataset_of_homework(homework), named)
grid = next(panel for panel in every if panel.key == "standings").grid
deals = [
    (b.student_id, b.number, d.dealer, d.hands, [m.text for m in d.moves.order_by("number")])
    for b in homework.begun.all()
    for d in Deal.objects.filter(table=b.table_id)
]
print(json.dumps([names, [[str(cell) for cell in row] for row in grid.rows], deals]))
"""


class AtHome(Student):
    """What one's own board came to is no secret, its other cards are."""

    def look(self, seen: dict[str, Any]) -> None:
        super().look(seen | {"winners": None})


async def play_through(student: Student) -> None:
    """To the end of the board, whatever happens to the server."""
    while student.last.get("status") != "game_over":
        try:
            await student.play()
        except (OSError, websockets.WebSocketException):
            await asyncio.sleep(0.1)


async def test_a_class_does_its_homework_at_a_server_that_is_killed_twice(
    tmp_path: Path,
) -> None:
    with Server(tmp_path) as server:
        homework, code, phrases = await asyncio.to_thread(shell, server, GIVE)
        players = []
        for pk, phrase in phrases:
            browser = Browser(server.base)
            await asyncio.to_thread(browser.get, "/homework/")
            status, page = await asyncio.to_thread(
                browser.post, "/homework/", code=code, phrase=phrase
            )
            assert (status, f'href="/homework/{homework}/"' in page) == (200, True)
            (key,) = (c.value or "" for c in browser.cookies if c.name == "student")
            for number in range(1, BOARDS + 1):
                path = f"/homework/{homework}/boards/{number}/"
                status, page = await asyncio.to_thread(browser.post, path)
                (table,) = set(re.findall(r'ws-connect="/ws/tables/(\w+)/', page))
                players.append(AtHome(server, table, key, pk, Random(pk * 10 + number)))
        await asyncio.to_thread(shell, server, QUICK)
        server.kill()
        server.start()
        playing = [asyncio.create_task(play_through(player)) for player in players]

        def made() -> int:
            return sum(int(p.last["turn"].split(".")[1]) for p in players if p.last)

        await until(lambda: made() > len(players) * SEATS * 4)
        server.kill()
        server.start()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*playing)
        check(*await asyncio.to_thread(shell, server, TOLD))
        assert "Traceback" not in server.log.read_text(encoding="utf-8")


def check(names: dict[str, str], rows: list[list[str]], deals: list[Any]) -> None:
    """The standings: boards done, the fair score, the points; each from the moves alone."""
    points: dict[int, dict[str, int]] = defaultdict(dict)
    for student, number, dealer, hands, texts in deals:
        assert len(texts) == SEATS * 9
        points[number][str(student)] = score(dealer, hands, texts)[0]
    assert {number: len(own) for number, own in points.items()} == dict.fromkeys(
        range(1, BOARDS + 1), STUDENTS
    )
    expected = {
        name: [
            str(BOARDS),
            str(
                sum(
                    own[pk] - Fraction(sum(own.values()) - own[pk], STUDENTS - 1)
                    for own in points.values()
                )
            ),
            str(sum(own[pk] for own in points.values())),
        ]
        for pk, name in names.items()
    }
    assert {row[1]: row[2:5] for row in rows} == expected
