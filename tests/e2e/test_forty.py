"""A class of forty: six in browsers of their own, the others by their sockets. Three phones
sleep as the teacher starts, two come late, one is sent out and comes back, one opens a second
window; everybody sits once."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Watched
from tests.e2e.test_class import Cockpit, Kid, Screen, open_the_class, somebody_new
from tests.e2e.test_cockpit import as_teacher, header_of
from tests.e2e.test_join import PHONE, button
from tests.live.test_boards import shell
from tests.live.test_class import ASLEEP, SEATED, Device, come_in, student_of, student_on
from tests.server import Server

CLASS, BROWSERS, LATE = 40, 6, 2


class Crowd:
    """Students by their sockets: in the lobby until it names their table, then there. A loop of
    its own, as the browsers' one admits no other."""

    def __init__(self, server: Server, session: int, cookies: list[str]) -> None:
        self.server, self.session, self.cookies = server, session, cookies
        self.at: dict[int, str] = {}
        self._awake: dict[int, Future[None]] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        for number in range(len(cookies)):
            self.wake(number)

    def wake(self, number: int) -> None:
        """The device opens its line to the lobby, as after a sleep."""
        going = asyncio.run_coroutine_threadsafe(self._goes_along(number), self._loop)
        self._awake[number] = going

    def sleep(self, number: int) -> None:
        """The device goes off the air."""
        self._awake[number].cancel()

    async def _goes_along(self, number: int) -> None:
        cookies = self.cookies[number]
        lobby = Device(self.server, f"/ws/sessions/{self.session}/?view=lobby", cookies)
        async with lobby:
            table = None
            while table is None:
                frame = str(await lobby.socket.recv())
                table = re.search(r'data-go="/tables/(\w+)/"', frame)
        async with Device(self.server, f"/ws/tables/{table[1]}/", cookies) as page:
            await page.receive()
            self.at[number] = table[1]
            while True:
                await page.socket.recv()

    def student(self, number: int) -> int:
        """The primary key that the student's lobby tells."""
        return student_of(self.server, self.session, self.cookies[number])

    async def _all_leave(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def leave(self) -> None:
        asyncio.run_coroutine_threadsafe(self._all_leave(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def until(is_so: Callable[[], bool]) -> None:
    for _ in range(1200):
        if is_so():
            return
        time.sleep(0.05)
    pytest.fail("it did not come to that in a minute")


@pytest.fixture
def crowd_of(server: Server) -> Iterator[Callable[[int, str, int], Crowd]]:
    """Lets so many students come in by the code of a session."""
    crowds: list[Crowd] = []

    def coming(session: int, code: str, how_many: int) -> Crowd:
        address = f"{server.base}/join/{code}/"
        with ThreadPoolExecutor(6) as devices:
            cookies = list(devices.map(come_in, [address] * how_many))
        crowds.append(Crowd(server, session, cookies))
        return crowds[-1]

    yield coming
    for crowd in crowds:
        crowd.leave()


def test_a_class_of_forty_everybody_sits_once(
    watched: Watched, server: Server, crowd_of: Callable[[int, str, int], Crowd]
) -> None:
    desk, stage, classroom = as_teacher(server, watched, "a class of forty")
    cockpit, wall = Cockpit(desk), Screen(stage)
    code = open_the_class(cockpit, wall, classroom)
    session = int(desk.url.rstrip("/").rpartition("/")[2])
    sizes = [{"viewport": PHONE} if n % 2 else {} for n in range(BROWSERS)]
    kids = [somebody_new(watched.new_page(**size), code) for size in sizes[:-LATE]]
    crowd = crowd_of(session, code, CLASS - BROWSERS)
    expect(desk.locator("#room")).to_contain_text(f"{CLASS - LATE} here")

    # One page is gone, two lines are: these phones sleep as the game begins.
    sleeper, lobby = kids[1], kids[1].page.url
    sleeping = [crowd.student(0), crowd.student(1), student_on(sleeper.page.content())]
    sleeper.page.goto("about:blank")
    crowd.sleep(0)
    crowd.sleep(1)
    shell(server, ASLEEP.format(students=sleeping))
    cockpit.press("start")
    header = header_of(desk)
    awake = [kid for kid in kids if kid is not sleeper]
    for kid in awake:
        is_seated(kid)
    until(lambda: len(crowd.at) == CLASS - BROWSERS - 2)
    expect(desk.locator("#people")).to_contain_text("Away 3")
    expect(desk.locator("#room")).to_contain_text("3 without a seat")
    assert header_of(desk) == header  # whatever it counts and offers, it does not jump

    # Each wakes in its own way, and is led to a table; then so are two who come late.
    crowd.wake(0)
    crowd.wake(1)
    until(lambda: {0, 1} <= crowd.at.keys())
    sleeper.page.goto(lobby)
    is_seated(sleeper)
    for size in sizes[-LATE:]:
        kids.append(somebody_new(watched.new_page(**size), code))
        is_seated(kids[-1])

    sent_out_and_back(cockpit, kids[0])
    second_window(kids[2])
    cockpit.press("pause")
    expect(desk.locator("#room")).to_contain_text("Paused")
    assert header_of(desk) == header

    expect(desk.locator("#room")).to_contain_text(f"{CLASS} here")
    expect(desk.locator("#room")).not_to_contain_text("without a seat")
    expect(desk.locator("#help")).not_to_contain_text("seat")
    ((here, seated, kept),) = shell(server, SEATED.format(sessions=[session]))
    assert len(here) == len(set(here)) == CLASS
    assert sorted(seated) == sorted(here)
    assert set(kept) == {None}


def is_seated(kid: Kid) -> None:
    """Wait until the page has gone to a table by itself."""
    expect(kid.page).to_have_url(re.compile(r"/tables/\w+/$"))
    expect(kid.my_seat).to_contain_text(kid.known_as)


def sent_out_and_back(cockpit: Cockpit, kid: Kid) -> None:
    """To the same seat and hand, but for what the bot has played meanwhile."""
    table = kid.page.url.rstrip("/").rpartition("/")[2]
    number = cockpit.tables().index(table) + 1
    hand = set(kid.holds())
    assert hand
    cockpit.open(number)
    cockpit.ask_in_panel("Send {} out", kid)
    kid.is_told("removed")
    expect(cockpit.page.locator("#panel")).to_contain_text(
        f"{kid.known_as} was sent out; the seat is kept."
    )
    cockpit.close_panel()
    kid.page.get_by_role("link", name="Come back").click()
    button(kid.page, "Continue").click()
    kid.is_at(table)
    assert set(kid.holds()) <= hand


def second_window(kid: Kid) -> None:
    """The same table and hand in both, and one seat."""
    other = Kid(kid.page.context.new_page(), kid.known_as, kid.phrase)
    other.page.goto(kid.page.url)
    expect(other.my_seat).to_contain_text(kid.known_as)
    expect(other.seats).to_have_count(kid.seats.count())
    assert sorted(other.holds()) == sorted(kid.holds())
    expect(other.page.locator("#notice")).to_be_hidden()
