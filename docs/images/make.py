"""The pictures of the documents: ``.venv/bin/python manage.py shell -c "from docs.images import
make; make.main()"``.

A real server and a real browser, in which a class of 22 comes in and plays, somebody plays
against bots, and the demo's teacher looks at its results. Run it again when the pages have
changed; a page keeps its picture’s name. A tool like pngquant makes them a third as large.
"""

from __future__ import annotations

import base64
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.conftest import FLAGS
from tests.e2e.player import Player
from tests.scenes.browser import by_services
from tests.server import Server

HERE = Path(__file__).parent
ADDRESS = "http://192.168.1.5:8000"
LAPTOP = {"width": 1180, "height": 664}
SCREEN = {"width": 1366, "height": 768}
WALL = {"width": 1280, "height": 720}
PHONE = {"width": 390, "height": 844}

CLASS = """
from datetime import timedelta
from random import Random
from games.rules import move_text
from django.utils import timezone
from games.models import Seat
from games.tables import moves
from xactika_site.classrooms.models import Attendance, ClassSession
session = ClassSession.objects.get()

def come(how_many, spin):
    for n in range(how_many):
        name = classrooms.name_offered(
            classroom=session.classroom, device=f"picture {n}", spin=spin
        )
        joining.join(session=session, name=name)

def stay():  # nobody goes away while the pictures are taken
    soon = timezone.now() + timedelta(hours=1)
    Seat.objects.filter(student__isnull=False).update(last_seen=soon)
    Attendance.objects.update(last_seen=soon)

def move(table_id, how_many, rng=Random(5)):
    while not (state := load_table(table_id)).round.is_over and len(state.moves) < how_many:
        choice = moves.decide_move(state=state, rng=rng)
        seat = state.seats[state.to_move]
        if seat.is_bot:
            moves.make_bot_move(table_id=table_id, turn=state.turn, choice=choice)
        else:
            moves.make_move(
                table_id=table_id, seat=seat.number, turn=state.turn,
                text=move_text(choice.move), student_id=seat.student_id,
            )
"""


def shoot(page: Page, name: str) -> None:
    """A picture of a page."""
    page.screenshot(path=HERE / f"{name}.png")


def side_by_side(browser: Browser, name: str, pictures: list[bytes]) -> None:
    """Three phones in one picture."""
    images = "".join(
        f'<img src="data:image/png;base64,{base64.b64encode(picture).decode()}">'
        for picture in pictures
    )
    page = browser.new_page(viewport={"width": 810, "height": 542})
    page.set_content(
        f"<style>body{{margin:0;display:flex;gap:20px;justify-content:center;background:#fff}}"
        f"img{{width:246px;border:2px solid #23211c;border-radius:18px}}</style>{images}"
    )
    page.screenshot(path=HERE / f"{name}.png")
    page.close()


def a_phone(browser: Browser, server: Server, code: str) -> Page:
    """A student's phone that has come in by the code."""
    page = browser.new_page(base_url=server.base, viewport=PHONE, color_scheme="light")
    page.goto(f"/join/{code}/")
    return page


def pictures(server: Server, browser: Browser) -> None:
    context = browser.new_context(
        base_url=server.base,
        viewport=LAPTOP,
        color_scheme="light",
        locale="en-GB",
        reduced_motion="reduce",
    )
    page = context.new_page()
    by_services(server, "a_classroom(name='7b')")
    page.goto("/teach/")
    page.get_by_label("User name").fill("teacher")
    page.get_by_label("Password").fill("a long pass phrase")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Open a session").click()
    shoot(page, "guide-settings")
    page.goto(page.url + "?preset=")
    page.get_by_role("button", name="Open the session").click()
    expect(page.locator("#room")).to_contain_text("Lobby")
    session = page.url.rstrip("/").rpartition("/")[2]
    code = (page.locator("#room .code").text_content() or "").replace(" ", "")
    by_services(server, CLASS, "come(20, 0)", "stay()")
    phones = [a_phone(browser, server, code), a_phone(browser, server, code)]
    shown = {phone: [phone.screenshot()] for phone in phones}
    for phone in phones:
        phone.get_by_role("button", name="Come in").click()
        expect(phone.locator("#phrase")).to_be_visible()
        shown[phone].append(phone.screenshot())
    expect(page.locator("#room")).to_contain_text("22 here")
    expect(page.get_by_role("button", name="Start the game")).to_be_enabled()
    shoot(page, "guide-lobby")
    wall = context.new_page()
    wall.set_viewport_size(WALL)
    wall.goto(f"/teach/sessions/{session}/projector/")
    expect(wall.locator("body")).to_contain_text("22 are here")
    shoot(wall, "guide-wall")

    page.get_by_role("button", name="Start the game").click()
    expect(page.locator("#room")).to_contain_text("Playing")
    for phone in phones:
        phone.get_by_role("button", name="I wrote them down").click()
        expect(phone.locator("#hand .card")).to_have_count(8)
    by_services(
        server,
        CLASS,
        f"tables = load_session({session}).tables",
        "for n, table in enumerate(tables): move(table, [15, 22, 9, 30, 40, 18][n])",
        "stay()",
        "late = timezone.now() - timedelta(minutes=2)",
        "state = load_table(tables[2])",
        "student = state.seats[state.to_move].student_id",
        "Seat.objects.filter(student=student).update(last_seen=late)",
        "Attendance.objects.filter(student=student).update(last_seen=late)",
    )
    server.stop()  # it has heard nothing of what the services did beside it
    server.start()
    for one in (page, *phones, wall):
        one.reload()
    expect(page.locator("#help")).to_contain_text("1 table needs you")
    shoot(page, "guide-cockpit")
    for phone in phones:
        expect(phone.locator("#hand .card, #do-review").first).to_be_visible()
    # Table 5 has finished its round: whoever does not sit there.
    playing = next(phone for phone in phones if phone.locator("#hand .card").count())
    side_by_side(browser, "guide-phones", [*shown[playing], playing.screenshot()])
    page.locator("#tables").get_by_role("link", name="Table 3", exact=True).click()
    expect(page.locator("#panel-title")).to_be_focused()
    shoot(page, "guide-panel")
    page.keyboard.press("Escape")

    by_services(
        server,
        CLASS,
        f"for table in load_session({session}).tables: move(table, 99)",
        "stay()",
    )
    server.stop()
    server.start()
    wall.reload()
    expect(wall.locator("#wall-stage")).to_have_attribute("data-stage", "round")
    shoot(wall, "guide-round")
    page.goto("/teach/classrooms/1/sheet/")
    page.set_viewport_size({"width": 794, "height": 560})
    page.emulate_media(media="print")
    shoot(page, "guide-sheet")


def a_table(server: Server, browser: Browser, *, wanted: str, seats: str, **look: Any) -> Page:
    """A table in its third trick or later, at which somebody has chosen what to play, with
    several cards that may be played and some that may not."""
    page = browser.new_page(base_url=server.base, **look)
    player = Player(page)
    while True:
        player.open_solo(variant="bid", seats=seats)
        player.play_on(wanted)
        for _trick in range(5):
            kind = player.to_do()
            held, may = player.holds(), player.playable() if kind == wanted else []
            is_telling = kind == "lead" or 1 < len(may) < len(held)
            if kind == wanted and len(held) < 7 and is_telling:
                player.choose(may[0])
                if kind == "lead":
                    player.calls.last.check()
                page.evaluate("scrollTo(0, 0)")
                page.wait_for_timeout(1_000)
                return page
            if kind not in ("lead", "follow"):
                break
            player.act()


def tables(server: Server, browser: Browser) -> None:
    bright, dark = {"color_scheme": "light"}, {"color_scheme": "dark"}
    four = a_table(server, browser, wanted="follow", seats="4", viewport=SCREEN, **bright)
    shoot(four, "table")
    ten = a_table(server, browser, wanted="follow", seats="10", viewport=SCREEN, **dark)
    shoot(ten, "table-ten-dark")
    phone = a_table(server, browser, wanted="lead", seats="4", viewport=PHONE, **dark)
    shoot(phone, "table-phone-dark")


def results(server: Server, browser: Browser) -> None:
    told = server.manage("demo")
    password = re.search(r"password +(\S+)", told)
    assert password is not None, told
    page = browser.new_page(
        base_url=server.base, viewport=SCREEN, color_scheme="light", locale="en-GB"
    )
    page.goto("/teach/")
    page.get_by_label("User name").fill("demo")
    page.get_by_label("Password").fill(password[1])
    page.get_by_role("button", name="Sign in").click()
    page.locator("a[href^='/teach/sessions/'][href$='/results/']").last.click()
    expect(page.locator("h1")).to_contain_text("Results")
    page.wait_for_timeout(2_000)
    shoot(page, "results")
    page.goto("/teach/")
    page.locator("a[href^='/teach/classrooms/'][href$='/results/']").last.click()
    expect(page.locator("h1")).to_contain_text("The class over time")
    page.wait_for_timeout(1_000)
    shoot(page, "over-time")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), experts=True, XACTIKA_BASE_URL=ADDRESS)
        server.manage("collectstatic", "--noinput", "-v0")
        with server, sync_playwright() as playwright:
            expect.set_options(timeout=20_000)
            chromium = shutil.which("chromium") or shutil.which("chromium-browser")
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            pictures(server, browser)
            tables(server, browser)
            results(server, browser)
            browser.close()
