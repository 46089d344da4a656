"""A script floods a class with made-up devices; nobody who belongs there is shut out."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import random
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

from tests.live.boards import press, shell
from tests.live.classroom import Device
from tests.live.joining import COUNT, come_in, send_form
from tests.live.program import Client
from tests.server import Server
from xactika_site.classrooms.models import EXPECTED
from xactika_site.classrooms.services import MOST_WAITING

SOAK = os.environ.get("XACTIKA_SOAK") == "1"
STRANGERS = 60 if SOAK else 10
IN, FLOODS, BETWEEN = (EXPECTED, (150, 150), 0) if SOAK else (20, (20, 20), 85)
"""As many as may come in; devices in each of two waves, and how many ask without a device
between them, so that the first wave fills the class, and the second the queue before it."""

PLAYING = f"""
import json
from tests.games.classroom import a_classroom, a_session, a_teacher, signed_in, students_in
from games.classes import steering
from games.classes.state import load_session
from xactika_site.classrooms.selectors import device_key
teacher = a_teacher("flooded")
session = a_session(a_classroom(teacher), variant="win", seats=2, rounds=8)
session.expected = {IN}
session.save()
students = students_in(session, 10)
steering.start(session_id=session.pk)
other = a_session(a_classroom(teacher, name="next door"))
print(json.dumps({{
    "session": session.pk,
    "code": session.classroom.code,
    "next_door": other.classroom.code,
    "teacher": signed_in(teacher).cookies["sessionid"].value,
    "pair": [(s.table, device_key(next(k for k in students if k.pk == s.pk), session))
             for s in load_session(session.pk).students
             if s.table == load_session(session.pk).tables[0]],
}}))
"""
ASKING = """
from games.classes import joining
from xactika_site.classrooms.models import ClassSession
session = ClassSession.objects.get(pk={session})
for number in range({asking}):
    joining.join(session=session, name=f"Made up {{number}}")
print(0)
"""


async def test_a_flood_shuts_nobody_out(server: Server) -> None:
    """A script has many devices: in are as many as are expected, so many more wait, and the
    rest is refused in a clear line; who plays plays on, the class next door comes in, and
    one press turns away who waits."""
    facts = shell(server, PLAYING)
    address = f"{server.base}/join/{facts['code']}/"
    loop = asyncio.get_running_loop()
    enough = asyncio.Event()
    made: Counter[str] = Counter()

    async def play_on(table: str, key: str) -> None:
        """One student's moves while the flood lasts."""
        path = f"/ws/tables/{table}/?format=json"
        async with Device(server, path, f"student={key}") as device:
            while not enough.is_set():
                seen = await device.observation()
                if seen["status"] == "game_over":
                    break
                if seen["legal"]:
                    await asyncio.sleep(0.05)
                    await device.send(type="move", turn=seen["turn"], move=seen["legal"][0])
                    made[key] += 1
                elif seen["status"] == "round_over":
                    await device.send(type="next", turn=seen["turn"])

    answers: Counter[str] = Counter()
    playing = [asyncio.create_task(play_on(*seat)) for seat in facts["pair"]]
    with ThreadPoolExecutor(8) as devices:
        for wave, asking in zip(FLOODS, (BETWEEN, 0), strict=True):
            flood = (
                loop.run_in_executor(devices, try_to_come_in, address) for _ in range(wave)
            )
            answers.update(await asyncio.gather(*flood))
            ask = ASKING.format(session=facts["session"], asking=asking)
            await asyncio.to_thread(shell, server, ask)
        async with asyncio.timeout(60):
            while made.total() < 6:  # the flood goes on until they have played on
                refused = loop.run_in_executor(devices, try_to_come_in, address)
                answers[await refused] += 1
    enough.set()
    await asyncio.gather(*playing)
    assert answers["came in"] == IN - 10 + MOST_WAITING - BETWEEN
    assert set(answers) <= {"came in", "many", "taken"}
    assert answers["many"] > 0

    # Nobody else is shut out by it; and the teacher shuts it out.
    come_in(f"{server.base}/join/{facts['next_door']}/")
    press(server, facts["session"], facts["teacher"], "lock")
    assert {try_to_come_in(address) for _ in range(5)} == {"locked"}
    press(server, facts["session"], facts["teacher"], "all-no")
    names, absent = shell(server, COUNT.format(session=facts["session"]))
    assert (len(names), absent) == (IN, 0)


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


KNOWN = """
import json
from xactika_site.accounts.models import User
User.objects.create_user("ada", "seven quiet otters")
print(json.dumps(0))
"""


async def test_tables_go_on_while_passwords_are_tried(server: Server) -> None:
    """Many at once try made-up names, again and again: most are told to wait, two people play
    on, and the teacher signs in where she has before."""
    shell(server, KNOWN)
    teacher = Teacher(server.base)
    assert await asyncio.to_thread(teacher.sign_in) == 200
    await asyncio.to_thread(teacher.sign_out)
    table = server.open_table(variant="win", seats=2, people=2, rounds=8)
    enough = threading.Event()

    async def play_on(token: str) -> int:
        """One person's moves until the flood ends."""
        made = 0
        async with Client(server.websocket_base, table["table"], token) as client:
            while not enough.is_set():
                seen = await client.observation()
                if seen["status"] == "game_over":
                    break
                if seen["legal"]:
                    await client.send(type="move", turn=seen["turn"], move=seen["legal"][0])
                    made += 1
                    if made == 6:
                        break
                elif (
                    seen["status"] == "round_over"
                    and not seen["players"][seen["seat"]]["ready"]
                ):
                    await client.send(type="next", turn=seen["turn"])
        return made

    with ThreadPoolExecutor(STRANGERS) as strangers:
        flood = [strangers.submit(try_passwords, server.base, enough) for _ in range(STRANGERS)]
        try:
            async with asyncio.timeout(300):
                made = await asyncio.gather(*(play_on(s["token"]) for s in table["seats"]))
                assert await asyncio.to_thread(teacher.sign_in) == 200
        finally:
            enough.set()
    answers = sum((each.result() for each in flood), Counter())
    assert sum(made) >= 12
    assert set(answers) <= {200, 503}
    assert answers[503] > answers[200]
    assert "Traceback" not in server.log.read_text(encoding="utf-8")


class Teacher:
    """A browser in which a teacher signs in and out."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.cookies = HTTPCookieProcessor()
        self.browser = build_opener(self.cookies)

    def sign_in(self) -> int:
        return self._send("login", username="ada", password="seven quiet otters")

    def sign_out(self) -> int:
        return self._send("logout")

    def _send(self, where: str, **form: str) -> int:
        self.browser.open(f"{self.base}/teach/login/").close()
        token = next(c.value for c in self.cookies.cookiejar if c.name == "csrftoken")
        data = urlencode({**form, "csrfmiddlewaretoken": token}).encode()
        with self.browser.open(f"{self.base}/teach/{where}/", data) as answer:
            assert where == "logout" or answer.url.endswith("/teach/"), answer.url
            return int(answer.status)


def try_passwords(base: str, enough: threading.Event) -> Counter[int]:
    """Try one made-up name after another; how often which answer came."""
    answers: Counter[int] = Counter()
    token = "x" * 32
    headers = {"Cookie": f"csrftoken={token}", "X-CSRFToken": token}
    while not enough.is_set():
        form = urlencode({"username": f"made-up-{random()}", "password": "x"}).encode()
        try:
            with urlopen(Request(f"{base}/teach/login/", form, headers), timeout=240) as answer:
                answers[answer.status] += 1
        except HTTPError as error:
            answers[error.code] += 1
            error.close()
        enough.wait(0.5)
    return answers
