"""An experiment played by forty, six in browsers of their own, the others by their sockets, all
by their table's tip; then the teacher draws the lot anew on the wall."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import IS_LONG, Watched
from tests.e2e.test_class import PLAY, somebody_new
from tests.e2e.test_forty import is_seated
from tests.e2e.test_join import PHONE
from tests.live.test_boards import press, shell
from tests.live.test_class import Student, come_in
from tests.live.test_experiment import CAME_TO, OPEN, a_student, was_told_its_own
from tests.server import Server

CLASS, BROWSERS, SEATS, BOARDS = 40, 6, 4, 2
OVER = {"game_over", "closed"}
AGAIN = "() => { delete document.getElementById('play')?.dataset.sent; }"


class Others:
    """Students by their sockets, on a loop of their own: the browsers' admits no other."""

    def __init__(self, server: Server, session: int, address: str, how_many: int) -> None:
        with ThreadPoolExecutor(6) as devices:
            cookies = list(devices.map(come_in, [address] * how_many))
        self.students: list[Student] = []
        self._loop = asyncio.new_event_loop()
        Thread(target=self._loop.run_forever, daemon=True).start()
        for number, each in enumerate(cookies):
            asyncio.run_coroutine_threadsafe(
                self._plays(server, session, each, number), self._loop
            )

    async def _plays(self, server: Server, session: int, cookies: str, seed: int) -> None:
        student = a_student(server, session, cookies, seed)
        self.students.append(student)
        await student.plays_a_game()

    @property
    def are_done(self) -> bool:
        return all(student.last.get("status") in OVER for student in self.students)


@pytest.mark.skipif(not IS_LONG, reason="forty students play two boards")
def test_an_experiment_of_forty(watched: Watched, server: Server) -> None:
    begin = OPEN.format(seats=SEATS, boards=BOARDS)
    session, code, teacher = shell(server, begin)
    sizes = [{"viewport": PHONE} if n % 2 else {} for n in range(BROWSERS)]
    kids = [somebody_new(watched.new_page(**size), code) for size in sizes]
    others = Others(server, session, f"{server.base}/join/{code}/", CLASS - BROWSERS)
    kids[0].page.wait_for_timeout(2000)  # all have their lobbies open
    press(server, session, teacher, "start")
    told: dict[str, str] = {}
    for kid in kids:
        is_seated(kid)
        tip = kid.page.locator("#treatment")
        expect(tip).to_contain_text("Your table’s tip: bid one for each")
        table = kid.page.url.rstrip("/").rpartition("/")[2]
        told[table] = "printed" if "9 or more" in tip.inner_text() else "careful"
    for press_number in range(1500):
        status = {kid.page.evaluate(PLAY) for kid in kids}
        if press_number % 20 == 19:  # what a page sent before its socket stood was lost
            for kid in kids:
                kid.page.evaluate(AGAIN)
        if status <= OVER and others.are_done:
            break
        kids[0].page.wait_for_timeout(100)
    else:
        pytest.fail("the game did not end")
    all_told = was_told_its_own(others.students)
    assert all(all_told.get(table, own) == own for table, own in told.items())
    all_told |= told
    assert sorted(all_told.values()) == ["careful"] * 5 + ["printed"] * 5
    is_over, waves, _is_a, hands, _difference = shell(server, CAME_TO.format(session=session))
    assert (is_over, waves) == (True, [10])
    assert sum(hands) == CLASS * BOARDS

    desk = watched.new_page()
    desk.context.add_cookies(
        [{"name": "sessionid", "value": teacher, "url": server.base}],
    )
    desk.goto(f"/teach/sessions/{session}/results/luck/1/")
    expect(desk.locator("#experiment-tables .summary")).to_contain_text("points a hand")
    desk.get_by_role("link", name="Draw once").click()
    expect(desk.locator("#experiment-chance .summary")).to_contain_text("of 1 draw")
    desk.get_by_role("link", name="Watch all 252 ways").click()
    said = desk.locator("#experiment-chance .summary")
    expect(said).to_contain_text(re.compile(r"of all 252 ways .*rare"), timeout=30_000)
