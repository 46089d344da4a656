"""Walls cut nothing off and are legible, whatever they show: a walk through the projector with
any number of tables, every step of every lesson, and every exercise before a class.

Walls of results: ``test_results.py``.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, ViewportSize, WebSocketRoute, expect

from tests.e2e.conftest import IS_LONG
from tests.scenes.browser import LAPTOP, SCREEN, Inspector, Watched
from tests.server import Server

SIZES: tuple[ViewportSize, ...] = (SCREEN,)
if IS_LONG:  # on a laptop all is as on the screen, .71 times as large
    SIZES += (LAPTOP, {"width": 1024, "height": 768})

PUT_UP = """async ({head, stage}) => {
  document.getElementById("wall-head").outerHTML = head;
  document.getElementById("wall-stage").outerHTML = stage;
  await document.fonts.ready;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""

PLACES = """() => [
  document.querySelector("[data-turns]")?.dataset.shown ?? "all",
  Array.from(document.querySelectorAll(".wall-table:not([hidden])")).map(
    (table) => Object.values(table.getBoundingClientRect().toJSON()).map(Math.round).join())]"""
"""Which part of a list is shown, and where its tables stand."""

ROWS = """() => {
  const tops = Array.from(document.querySelectorAll(".wall-table"), (table) => table.offsetTop);
  return Array.from(new Set(tops), (top) => tops.filter((one) => one === top).length).join("-");
}"""
"""How many tables stand in each row."""

NEXT = ("the plan", "the second round")
WHO = ".wall-seats li:not(.turn) .who"
NAMES = f"""() => Array.from(document.querySelectorAll("{WHO}"), (who) => {{
  const {{ x, y, width }} = who.getBoundingClientRect();
  return [x, y, width].map(Math.round).join();
}}).join(" ")"""

FETCH = """async ([address, id]) => {
  await window.htmx.ajax("GET", address, { target: `#${id}`, swap: "outerHTML" });
  await document.fonts.ready;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""

TURN = 8000
"""Milliseconds for which a part of a list is on the wall."""

LOOK = Path(__file__).with_name("look.js").read_text(encoding="utf-8")
Wrong = dict[str, list[str]]


def scenes_of(server: Server, what: str) -> dict[str, Any]:
    """What there is to walk through (``tests/scenes/walls.py``): "projector", "lessons" or
    "exercises"."""
    main = f"from tests.scenes.walls import main; main({what!r})"
    told = server.manage("shell", "--no-imports", "-c", main)
    found: dict[str, Any] = json.loads(told.splitlines()[-1])
    return found


def walls_of(watched: Watched, scenes: dict[str, Any]) -> list[Page]:
    """Pages of the teacher whose classes these are, one a size."""
    cookie = ("sessionid", scenes["cookie"])
    return [watched.new_page(cookie, viewport=size) for size in SIZES]


def hear_nothing(wall: Page) -> None:
    """Hold its socket open with no news: one that says nothing at all is given up, and the line
    about that comes, goes and moves the tables (``connection.js``).
    """
    wall.route_web_socket("**/ws/**", lambda socket: socket.send("<!-- -->"))


def look(page: Page, what: str, wrong: Wrong) -> None:
    """Note what is wrong with what the wall shows."""
    if found := page.evaluate(LOOK):
        wrong[f"{what}, {(page.viewport_size or SCREEN)['width']}"] = found


def look_at_all_parts(page: Page, what: str, wrong: Wrong) -> None:
    """The same of each part of a list that takes turns; of the first two in the short walk."""
    turns = page.locator("[data-turns]")
    seen: list[str] = []
    while True:
        part = turns.get_attribute("data-shown") if turns.count() else None
        if part in seen:
            return
        look(page, f"{what}, {part or 'all'}", wrong)
        if part is None or (seen and not IS_LONG):
            return
        seen.append(part)
        page.clock.fast_forward(TURN)


def test_the_projector_cuts_nothing_off(watched: Watched, server: Server) -> None:
    scenes, wrong = scenes_of(server, "projector"), Wrong()
    for wall in walls_of(watched, scenes):
        wall.clock.install()
        hear_nothing(wall)
        wall.goto(f"/teach/sessions/{scenes['session']}/projector/")
        expect(wall.locator("#wall-stage")).to_be_visible()
        wall.evaluate("document.fonts.load('1em \"Xactika Display\"')")  # or it comes between
        rows: dict[str, set[str]] = {}
        for scene in scenes["projector"]:
            wall.evaluate(PUT_UP, scene)
            part, places = wall.evaluate(PLACES)
            tables, _, what = scene["name"].partition(" tables, ")
            kinds = {"the plan", "playing", "all kinds", "the second round"}
            # Seventeen with the longest names have room in it only until points come.
            if what in kinds and part == "all" and tables != "17":
                rows.setdefault(tables, set()).add(wall.evaluate(ROWS))
            wall.evaluate(PUT_UP, scene)  # the next picture, as after a card
            now, then = wall.evaluate(PLACES)
            if now == part and then != places:  # unless the list has turned meanwhile
                wrong[f"{scene['name']}, the next picture"] = [
                    f"at {part}, tables have moved: {places} {then}"
                ]
            look_at_all_parts(wall, scene["name"], wrong)
        moved = {tables: some for tables, some in rows.items() if len(some) > 1}
        assert not moved, "a table keeps its place while names can be read"
    assert wrong == {}


NAME_ALL = """() => {
  const standings = document.querySelector(".wall-standings");
  const next = standings.cloneNode(true);
  next.querySelectorAll("tbody th").forEach((who, place) => who.append(` ${place}`));
  standings.replaceWith(next);
}"""
LAST_IS_FIRST = """() => {
  const standings = document.querySelector(".wall-standings");
  const next = standings.cloneNode(true);
  next.querySelector("tbody").prepend(next.querySelector("tbody").lastElementChild);
  standings.replaceWith(next);
}"""
MOVING = """() => new Promise(requestAnimationFrame).then(() =>
  document.getAnimations().filter((each) => each.effect.target.matches(".wall-standings tr")
    && !each.animationName).length)"""
"""How many rows go elsewhere; their coming has a name in the style sheet."""


def test_who_overtakes_is_seen_to(watched: Watched, server: Server) -> None:
    scenes = scenes_of(server, "projector")
    cookie = ("sessionid", scenes["cookie"])
    wall = watched.new_page(cookie, viewport=SCREEN, reduced_motion="no-preference")
    hear_nothing(wall)
    wall.goto(f"/teach/sessions/{scenes['session']}/projector/")
    (scene,) = (
        each for each in scenes["projector"] if each["name"] == "11 tables, a round over"
    )
    wall.evaluate(PUT_UP, scene)
    rows = wall.locator(".wall-standings tbody tr").count()
    assert rows > 3
    wall.evaluate(NAME_ALL)
    assert wall.evaluate(MOVING) == 0, "nobody stood there by these names"
    at_once = f"() => {{ ({LAST_IS_FIRST})(); return ({MOVING})(); }}"
    assert wall.evaluate(at_once) == rows


MOVING_ROWS = """() => {
  for (const seat of document.querySelectorAll(".wall-seats li")) {
    seat.animate({ transform: ["scale(3)", "scale(3)"] }, 60000);
  }
  const what = document.querySelector(".wall-table .what");
  what.replaceWith(what.cloneNode(true));
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


def test_tables_keep_their_places_while_rows_move(watched: Watched, server: Server) -> None:
    scenes = scenes_of(server, "projector")
    cookie = ("sessionid", scenes["cookie"])
    wall = watched.new_page(cookie, viewport=SCREEN, reduced_motion="no-preference")
    hear_nothing(wall)
    wall.goto(f"/teach/sessions/{scenes['session']}/projector/")
    of = {each["name"].removeprefix("7 tables, "): each for each in scenes["projector"]}
    planned, played = (
        set((wall.evaluate(PUT_UP, of[what]) or wall.evaluate(NAMES)).split()) for what in NEXT
    )
    assert played
    assert played <= planned, "no name leaves its place when play begins"
    wall.evaluate(PUT_UP, of["all kinds"])
    places = wall.evaluate(PLACES)
    assert places[0] == "all"
    wall.evaluate(MOVING_ROWS)
    assert wall.evaluate(PLACES) == places


def test_a_rounds_end_is_seen(watched: Watched, server: Server) -> None:
    """However soon the first table deals again; what else comes, comes at once."""
    scenes = scenes_of(server, "projector")
    frames = {each["name"]: each["head"] + each["stage"] for each in scenes["projector"]}
    wall = watched.new_page(("sessionid", scenes["cookie"]), viewport=SCREEN)
    wall.clock.install()
    sockets: list[WebSocketRoute] = []

    def hear(socket: WebSocketRoute) -> None:
        socket.send("<!-- -->")
        sockets.append(socket)

    wall.route_web_socket("**/ws/**", hear)
    wall.goto(f"/teach/sessions/{scenes['session']}/projector/")
    expect(wall.locator("#connection")).to_be_empty()
    wall.clock.pause_at(datetime.now(UTC) + timedelta(seconds=5))  # it goes by no other
    stage = wall.locator("#wall-stage")
    names = ("11 tables, a round over", "11 tables, the second round", "pause")
    over, played, pause = (frames[name] for name in names)
    nameless = frames["11 tables, no names"]
    for later, comes in ((played, "play"), (pause, "pause"), (nameless, "play")):
        sockets[-1].send(over)
        expect(stage).to_have_attribute("data-stage", "round")
        sockets[-1].send(played)
        wall.clock.run_for(4000)
        expect(stage).to_have_attribute("data-stage", "round")
        if later is not played:
            sockets[-1].send(later)
        wall.clock.run_for(2500 if later is played else 1)
        expect(stage).to_have_attribute("data-stage", comes)


def test_the_wall_of_a_demo_class_suits_everybody(watched: Watched, server: Server) -> None:
    scenes = scenes_of(server, "projector")
    inspector, wall = Inspector(), walls_of(watched, scenes)[0]
    wall.goto(f"/teach/sessions/{scenes['session']}/projector/")
    expect(wall.locator(".demo")).to_have_count(0)  # the class knows who it is
    inspector.look(wall, "the wall of a demo class")
    inspector.approves()


def press(page: Page, address: str, do: str) -> None:
    """Press a button of the teacher's."""
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    headers = {"X-CSRFToken": cookies["csrftoken"], "Referer": page.url}
    answer = page.request.post(address, form={"do": do}, headers=headers, max_redirects=0)
    assert answer.status == 302


def test_lessons_cut_nothing_off(watched: Watched, server: Server) -> None:
    """The last one, which has most on its walls, in French too."""
    scenes, wrong = scenes_of(server, "lessons"), Wrong()
    walls = walls_of(watched, scenes)
    cookie = ("sessionid", scenes["cookie"])
    french = watched.new_page(cookie, viewport=SCREEN, locale="fr-FR")
    for scene in scenes["lessons"]:
        if scene is scenes["lessons"][-1]:
            walls.append(french)
        lead = f"/teach/sessions/{scene['session']}/lesson/"
        walls[0].goto(lead)
        for wall in walls:
            wall.goto(f"{lead}wall/")
        for step in range(1, scene["steps"] + 1):
            is_closed_too = step in scene["predicts"]
            for do in (f"open:{step}", "close")[: 1 + is_closed_too]:
                press(walls[0], lead, do)
                for wall in walls:
                    wall.evaluate(FETCH, [f"{lead}wall/", "on-wall"])
                    look(wall, f"{scene['lesson']} {step} {do} {walls.index(wall)}", wrong)
    assert wrong == {}


def test_exercises_cut_nothing_off(watched: Watched, server: Server) -> None:
    scenes, wrong = scenes_of(server, "exercises"), Wrong()
    walls = walls_of(watched, scenes)
    assert {each["exercise"] for each in scenes["exercises"]} == set(scenes["offered"])
    first = f"/teach/sessions/{scenes['exercises'][0]['session']}/exercise/"
    for wall in walls:
        wall.goto(first)
        wall.goto(f"{first}projector/")
    for scene in scenes["exercises"]:
        address = f"/teach/sessions/{scene['session']}/exercise/"
        for do in ("", "close", "reveal"):
            if do:
                press(walls[0], f"{address}do/", f"{do}:{scene['put']}")
            for wall in walls:
                wall.evaluate(FETCH, [f"{address}projector/", "exercise-wall"])
                look(wall, f"{scene['exercise']} {do or 'open'}", wrong)
    assert wrong == {}
