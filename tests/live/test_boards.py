"""Tables on the same boards: in step, and no card of a running board where it may not be."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.live.boards import Onlooker, Student, press, score, shell
from tests.server import Server

SEATS = 3
TABLES, BOARDS = (8, 8) if os.environ.get("XACTIKA_SOAK") == "1" else (6, 5)

BEGIN = f"""
import json
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from games.classes import joining, sessions, steering
from games.classes.state import load_session
from games.models import SessionSettings
from xactika_site.accounts.models import User
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.selectors import device_key
teacher = User.objects.create_user("boards")
store = import_module(settings.SESSION_ENGINE).SessionStore()
store[SESSION_KEY] = str(teacher.pk)
store[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
store[HASH_SESSION_KEY] = teacher.get_session_auth_hash()
store.create()
session = sessions.open_session(
    classroom=classrooms.open_classroom(name="boards", teacher=teacher),
    settings=SessionSettings(
        variant="bid", seats={SEATS}, rounds={BOARDS}, duplicate=True,
        patience=5, pace=0, seating="by_hand",
    ),
)
for number in range({TABLES * SEATS}):
    joining.join(session=session, name=f"Student {{number}}")
steering.start(session_id=session.pk)
one_of_each = {{known.table: known for known in load_session(session.pk).here}}
for known in one_of_each.values():  # a bot takes the seat
    joining.send_out(session_id=session.pk, student_id=known.pk)
room = load_session(session.pk)
students = Student.objects.in_bulk([known.pk for known in room.students])
print(json.dumps({{
    "session": session.pk,
    "teacher": store.session_key,
    "tables": room.tables,
    "seats": [(k.table, device_key(students[k.pk], session), k.pk) for k in room.here],
}}))
"""
LATE = """
import json
from games.classes import joining, seating
from games.classes.state import load_session
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.selectors import device_key
session = ClassSession.objects.get(pk={session})
late = [joining.join(session=session, name=f"Late {{number}}") for number in (1, 2)]
seating.add_table(session_id=session.pk)
keys = [(device_key(student, session), student.pk) for student in late]
print(json.dumps([load_session(session.pk).tables[-1], keys]))
"""
TOLD = """
import json
from games.classes.game import board_lines
from games.models import Deal, Move
rows = Deal.objects.filter(table__class_session={session}).order_by("round", "table__number")
print(json.dumps({{
    "deals": [
        [d.table_id, d.round, d.board, d.dealer, d.hands,
         [[m.text, m.made.isoformat()] for m in Move.objects.filter(deal=d).order_by("number")]]
        for d in rows
    ],
    "lines": [
        [line.board, line.table_id, line.seat, line.points, str(line.fair_score)]
        for line in board_lines({session})
    ],
}}))
"""


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, experts=True) as server:
        yield server


async def test_tables_on_the_same_boards(own_server: Server) -> None:
    server, rng = own_server, Random(8)
    facts = shell(server, BEGIN)
    session, teacher, tables = facts["session"], facts["teacher"], facts["tables"]
    onlookers = [Onlooker(server, session, v, teacher) for v in ("cockpit", "projector")]
    watching = [asyncio.create_task(onlooker.watch()) for onlooker in onlookers]
    students = [
        Student(server, table, cookie, pk, Random(rng.random()))
        for table, cookie, pk in facts["seats"]
    ]
    games = {student: asyncio.create_task(student.play()) for student in students}
    deserted = tables[0]
    closed_when: dict[str, tuple[int, float]] = {}

    async def until_board(number: int) -> None:
        others = [s for s in students if s.table not in {deserted, *closed_when}]
        async with asyncio.timeout(240):
            while min(s.last.get("round", 0) for s in others) < number:
                for game in games.values():
                    if game.done() and not game.cancelled():
                        game.result()
                await asyncio.sleep(0.02)

    async def do(what: str) -> None:
        await asyncio.to_thread(press, server, session, teacher, what)

    async def close(table_id: str) -> None:
        """Close a table in mid-board and send its people home."""
        board = max(s.last["round"] for s in students if s.table == table_id)
        closed_when[table_id] = (board, time.time())
        there = [student for student in students if student.table == table_id]
        await do(f"close-table:{table_id}")
        # Who is sent out may lose the line before the picture of the closed table has come.
        await asyncio.wait_for(asyncio.gather(*(games[student] for student in there)), 60)
        for student in there:
            await do(f"send-out:{student.pk}")

    # In the middle of a board each: one table is closed, two come late, one is deserted.
    await until_board(2)
    await close(tables[3])
    await until_board(3)
    table, keys = await asyncio.to_thread(shell, server, LATE.format(session=session))
    late = [Student(server, table, cookie, pk, Random(pk)) for cookie, pk in keys]
    students += late
    games |= {student: asyncio.create_task(student.play()) for student in late}
    await until_board(BOARDS - 2)
    leaving = [game for student, game in games.items() if student.table == deserted]
    for game in leaving:
        game.cancel()
    _left, still_there = await asyncio.wait(leaving, timeout=60)
    assert not still_there
    await until_board(BOARDS - 1)
    await close(tables[5])

    staying = [game for student, game in games.items() if student.table != deserted]
    async with asyncio.timeout(300):
        await asyncio.gather(*staying)
    for student in students:
        if student.table not in {deserted, *closed_when}:
            assert student.last["status"] == "game_over"
    for student in late:
        assert student.last["points"][0] == [None] * SEATS
    for task, onlooker in zip(watching, onlookers, strict=True):
        assert not task.done() or task.exception() is None
        task.cancel()
        assert onlooker.frames > 1  # the first picture, and news

    told = await asyncio.to_thread(shell, server, TOLD.format(session=session))
    agree_with_the_moves(told, students, closed_when)
    assert server.manage("rebuild_results", "--check").endswith(", 0 differed\n")
    assert "Traceback" not in server.log.read_text(encoding="utf-8")


def agree_with_the_moves(
    told: dict[str, Any], students: list[Student], closed: dict[str, tuple[int, float]]
) -> None:
    """Every table had the same cards; nobody saw a board before its last move; the scores are
    those of the moves."""
    points: dict[tuple[int, int], dict[str, int]] = {}
    ended: dict[int, float] = {}
    for board in range(1, BOARDS + 1):
        same = [deal for deal in told["deals"] if deal[1] == board]
        assert len(same) >= TABLES - len(closed)
        assert {deal[2] for deal in same} == {board}
        assert len({json.dumps(deal[3:5]) for deal in same}) == 1
        for table, _round, _board, dealer, hands, moves in same:
            if len(moves) < SEATS * 9:
                assert table in closed
                continue
            if table not in closed or board < closed[table][0]:
                made = datetime.fromisoformat(moves[-1][1]).timestamp()
                ended[board] = max(ended.get(board, 0), made)
            for seat, gained in enumerate(score(dealer, hands, [text for text, _ in moves])):
                points.setdefault((board, seat), {})[table] = gained
    for student in students:
        for board, when in student.revealed.items():
            assert when >= ended[board]
    assert told["lines"]
    for board, table, seat, gained, fair_score in told["lines"]:
        at_all = points[board, seat]
        others = [value for other, value in at_all.items() if other != table]
        assert gained == at_all[table]
        top, _slash, bottom = fair_score.partition("/")
        assert int(top) / int(bottom or 1) == pytest.approx(
            gained - sum(others) / len(others), abs=1e-12
        )
