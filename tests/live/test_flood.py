"""A script floods a class with made-up devices; nobody who belongs there is shut out."""

from __future__ import annotations

import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from urllib.request import HTTPCookieProcessor, build_opener

from tests.live.test_boards import press, shell
from tests.live.test_class import Device
from tests.live.test_joins import COUNT, come_in, send_form
from tests.server import Server
from xactika_site.classrooms.models import EXPECTED
from xactika_site.classrooms.services import MOST_WAITING

FLOOD = 300

PLAYING = """
import json
from tests.games.classroom import a_classroom, a_session, a_teacher, signed_in, students_in
from games import class_services
from games.class_selectors import load_session
from xactika_site.classrooms.selectors import device_key
teacher = a_teacher("flooded")
session = a_session(a_classroom(teacher), variant="win", seats=2, rounds=8)
students = students_in(session, 10)
class_services.start(session_id=session.pk)
other = a_session(a_classroom(teacher, name="next door"))
print(json.dumps({
    "session": session.pk,
    "code": session.classroom.code,
    "next_door": other.classroom.code,
    "teacher": signed_in(teacher).cookies["sessionid"].value,
    "pair": [(s.table, device_key(next(k for k in students if k.pk == s.pk), session))
             for s in load_session(session.pk).students
             if s.table == load_session(session.pk).tables[0]],
}))
"""


async def test_a_flood_shuts_nobody_out(server: Server) -> None:
    """Three hundred devices of a script: in are as many as are expected, so many more wait, and
    the rest is refused in a clear line; who plays plays on, the class next door comes in, and
    one press turns away who waits."""
    facts = shell(server, PLAYING)
    address = f"{server.base}/join/{facts['code']}/"
    loop = asyncio.get_running_loop()

    async def play_on(table: str, key: str) -> int:
        """One student's moves while the flood lasts."""
        made = 0
        path = f"/ws/tables/{table}/?format=json"
        async with Device(server, path, f"student={key}") as device:
            while not flood.done():
                seen = await device.observation()
                if seen["status"] == "game_over":
                    break
                if seen["legal"]:
                    await asyncio.sleep(0.2)
                    await device.send(type="move", turn=seen["turn"], move=seen["legal"][0])
                    made += 1
                elif seen["status"] == "round_over":
                    await device.send(type="next", turn=seen["turn"])
        return made

    with ThreadPoolExecutor(8) as devices:
        flood = asyncio.gather(
            *(loop.run_in_executor(devices, try_to_come_in, address) for _ in range(FLOOD))
        )
        playing = [asyncio.create_task(play_on(*seat)) for seat in facts["pair"]]
        answers = Counter(await flood)
        assert sum(await asyncio.gather(*playing)) > 10
    assert answers["came in"] == EXPECTED - 10 + MOST_WAITING
    assert set(answers) <= {"came in", "many", "taken"}
    assert answers["many"] > 0

    # Nobody else is shut out by it; and the teacher shuts it out.
    come_in(f"{server.base}/join/{facts['next_door']}/")
    press(server, facts["session"], facts["teacher"], "lock")
    assert {try_to_come_in(address) for _ in range(5)} == {"locked"}
    press(server, facts["session"], facts["teacher"], "all-no")
    names, absent = shell(server, COUNT.format(session=facts["session"]))
    assert (len(names), absent) == (EXPECTED, 0)


def try_to_come_in(address: str) -> str:
    """What a new device is told when it comes in at once."""
    device = build_opener(HTTPCookieProcessor())
    page = device.open(address).read().decode()
    if "The lobby is locked" in page:
        return "locked"
    status, told = send_form(device, address, page)
    if status == 200:
        return "came in"
    return "many" if "Many are waiting" in told else "taken"
