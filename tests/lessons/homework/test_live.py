"""A board by socket, as it is played at home: on two devices, and while the homework closes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from channels.db import database_sync_to_async

from games.models import Move, Table
from games.tables.notify import table_changed
from lessons.homework import doing, giving
from lessons.models import Homework
from tests.games.sockets import Socket, connect
from tests.scenes.homework import a_class, at_home, some_homework
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.selectors import home_key

pytestmark = pytest.mark.django_db(transaction=True)


def in_db(function: Callable[..., Any]) -> Callable[..., Any]:
    answer: Callable[..., Any] = database_sync_to_async(function)
    return answer


def begun() -> tuple[Homework, Student, str]:
    (student,) = a_class(1)
    homework = some_homework(student.classroom, boards=2)
    table_id = doing.begin(homework=homework, student=student, number=1)
    Table.objects.filter(pk=table_id).update(pace=0.0)
    table_changed(table_id)
    return homework, student, table_id


async def device(student: Student, table_id: str, **options: Any) -> Socket:
    cookie = (b"cookie", f"student={home_key(student)}".encode())
    return await connect(table_id, headers=(cookie,), **options)


async def test_a_board_goes_on_on_both_devices_also_after_the_closing() -> None:
    homework, student, table_id = await in_db(begun)()
    devices = [await device(student, table_id), await device(student, table_id)]
    paper = await device(student, table_id, html=True)
    moves = 0
    while True:
        seen = [await each.observation(to_move=0) for each in devices]
        assert seen[0]["revealed"] is None
        assert seen[0]["turn"] == seen[1]["turn"]
        if moves == 4:
            await in_db(giving.close)(homework=homework)
        await devices[moves % 2].move(seen[0]["turn"], seen[0]["legal"][0])
        moves += 1
        if moves == 9:
            break
    for each in devices:
        over = await each.observation(status="game_over")
        assert over["revealed"] is not None  # it has closed
        assert len(over["revealed"]["undealt"]) == 81 - 32
    told, tells = "", ("Back to the homework", "Board 1</b>", "You bid")
    while not all(words in told for words in tells):
        told += await paper.text()
    assert "The homework has closed. This board counts as late" in told
    assert "the-end" not in told
    for each in (*devices, paper):
        await each.leave()
    movers = await in_db(lambda: set(Move.objects.values_list("mover", "level")))()
    assert movers == {("person", ""), ("bot", "counter-1")}


async def test_whoever_is_done_at_a_device_leaves_no_hand_there() -> None:
    _homework, student, table_id = await in_db(begun)()
    socket = await device(student, table_id)
    await socket.observation()

    def done() -> int:
        return at_home(student).post("/class/0/done/").status_code

    assert await in_db(done)() == 302
    while (event := await socket.hear())["type"] != "websocket.close":
        pass
    assert event["code"] == 4404
    again = await device(student, table_id)
    assert (await again.observation())["hand"]
    await again.leave()
