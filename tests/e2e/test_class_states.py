"""Every state of a class as axe, a narrow phone, a thumb and a keyboard find it; and twenty
tables on one screen. Made by services (``tests/scenes/class_states.py``)."""

from __future__ import annotations

import json
import re
from typing import Any

from playwright.sync_api import expect

from tests.scenes.browser import (
    LAPTOP,
    SCREEN,
    Inspector,
    Keyboard,
    Watched,
    button,
    come_in,
    follow,
)
from tests.server import Server

OUTSIDE = """async (selector) => {
  await document.fonts.ready;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return Array.from(document.querySelectorAll(selector))
    .map((element) => element.getBoundingClientRect())
    .filter(({ top, left, bottom, right }) =>
      top < 0 || left < 0 || bottom > innerHeight || right > innerWidth).length;
}"""
"""How many of these do not lie whole within the first screen, once a wall has heard how large
it is."""


def states_of(server: Server, whose: str) -> dict[str, Any]:
    code = f"from tests.scenes import class_states; class_states.{whose}()"
    told = server.manage("shell", "--no-imports", "-c", code)
    return dict(json.loads(told.splitlines()[-1]))


def test_what_students_see(watched: Watched, server: Server) -> None:
    watched.expected = ("the server responded with a status of 4",)
    inspector = Inspector()
    context = watched.new_context()
    page = context.new_page()

    def look(state: str, address: str = "", key: str = "") -> None:
        if key:
            context.add_cookies([{"name": "student", "value": key, "url": server.base}])
        if address:
            page.goto(address)
        inspector.look(page, state)

    states = states_of(server, "students")
    code = states["code"]
    look("a wrong code", "/join/?code=hello")
    look("no session", f"/join/{states['unopened']}/")
    look("locked", f"/join/{states['locked']}/")
    look("a new name", f"/join/{code}/")
    page.goto(f"/join/{code}/?step=before")
    page.get_by_label("Your three words").fill("not these words")
    button(page, "Come in").click()
    expect(page.get_by_text("Nobody here has these three words.")).to_be_visible()
    look("a wrong phrase")
    look("the name asked", f"/join/{code}/?step=lost")
    page.get_by_label("Which name did you have?").fill(states["name"])
    follow(button(page, "Ask my teacher"))
    look("the teacher asked")
    context.clear_cookies()
    look("the teacher said no", f"/join/{code}/?step=asked")
    come_in(page, code)
    look("the phrase shown")
    look("a known device", f"/join/{code}/")
    follow(button(page, "Go on"))
    look("done", "/join/?done")
    for state, (session, key) in states["lobbies"].items():
        look(state, f"/class/{session}/", key)
        expect(page.locator("#lobby")).to_have_attribute("data-moment", state)
    for state, (table, key) in states["tables"].items():
        look(f"at the table, {state}", f"/tables/{table}/", key)
    inspector.approves()


def test_what_a_teacher_sees(watched: Watched, server: Server) -> None:
    watched.expected = ("the server responded with a status of 4",)
    inspector = Inspector()
    states = states_of(server, "teacher")
    desk = watched.new_page(("sessionid", states["cookie"]))
    big = f"/teach/sessions/{states['big']}/"
    desk.goto(big)
    expect(desk.locator("#tables > .tile")).to_have_count(20)
    assert desk.evaluate(OUTSIDE, "#tables > .tile") == 0
    inspector.look(desk, "the cockpit with twenty tables")
    desk.goto(f"{big}projector/")
    for size in (LAPTOP, SCREEN):
        desk.set_viewport_size(size)
        expect(desk.locator(".wall-table")).to_have_count(20)
        assert desk.evaluate(OUTSIDE, ".wall-table, #wall-standings") == 0
    inspector.look(desk, "the wall with twenty tables")
    desk.set_viewport_size(LAPTOP)
    over, room = (
        f"/teach/sessions/{states['over']}/",
        f"/teach/classrooms/{states['classroom']}/",
    )
    for state, address in {
        "the wall, all games over": f"{over}projector/",
        "the wall, locked": f"/teach/sessions/{states['locked']}/projector/",
        "the settings of a session": f"{big}settings/",
        "a table's panel as a page": f"{big}tables/{states['tables'][0]}/",
        "a teacher watches": f"/tables/{states['tables'][0]}/?as=watch",
        "deleting who never played, nobody": f"{room}unplayed/delete/",
        "deleting who never played": f"/teach/classrooms/{states['flooded']}/unplayed/delete/",
        "deleting a session": f"{over}delete/",
        "deleting a student": f"/teach/students/{states['student']}/delete/",
    }.items():
        desk.goto(address)
        inspector.look(desk, state)

    # The last one by keyboard alone.
    keys = Keyboard(desk)
    keys.go_to(button(desk, "Delete for good"))
    keys.press("Enter")
    expect(desk).to_have_url(re.compile(f"{room}\\?done=delete$"))
    expect(desk.locator(f"#student-{states['student']}")).to_have_count(0)
    assert keys.unseen == set()

    one = watched.new_page(("student", states["one"]))
    one.goto(f"/tables/{states['ended']}/")
    expect(one.locator("#prompt")).to_contain_text("The session is over.")
    inspector.look(one, "at the table, the session over")
    one.goto(f"/tables/{states['old']}/")
    expect(one.get_by_role("link", name="Back to the class")).to_be_visible()
    inspector.look(one, "at a table that is not theirs any more")
    out = watched.new_page(("student", states["out"]))
    out.goto(f"/join/{states['code']}/")
    button(out, "Go on").click()
    expect(out.get_by_role("alert")).to_contain_text("closed this session for you")
    inspector.look(out, "barred, and pressed on")
    inspector.approves()
