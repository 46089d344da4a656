"""A whole class at three tables, each student in a browser of their own, the cockpit and the
projector; the teacher steers by the cockpit's buttons alone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import IS_LONG, Watched
from tests.e2e.player import Party, Player, any_card_in
from tests.e2e.test_access import Inspector
from tests.e2e.test_cockpit import as_teacher
from tests.e2e.test_join import LAPTOP, PHONE, button, by_services, come_in
from tests.e2e.test_keyboard import Keyboard
from tests.server import Server

SEATS = 4 if IS_LONG else 3
CLASS = 3 * SEATS

PLAY = """() => {
  document.getElementById("do-next")?.click();
  const form = document.getElementById("play");
  const turn = form?.elements.turn.value;
  const isPaused = document.querySelector("#bar .paused");
  if (form && form.dataset.sent !== turn) {
    if (!isPaused) form.dataset.sent = turn;
    const press = (what) => document.querySelector(what)?.click();
    press("#choices input[name=bid]:enabled, #hand input[name=card]:enabled");
    press("#choices .choice:not([hidden]) input[name=call]");
    document.getElementById("confirm").click();
  }
  return document.getElementById("bar")?.dataset.status ?? "";
}"""
"""Presses what there is to press; the status of the table."""


class Kid(Player):
    """A student at a device."""

    def __init__(self, page: Page, known_as: str, phrase: str) -> None:
        super().__init__(page)
        self.known_as, self.phrase = known_as, phrase

    def is_at(self, table: str) -> None:
        """Wait until the page has gone to this table by itself."""
        expect(self.page).to_have_url(re.compile(f"/tables/{table}/$"))
        expect(self.my_seat).to_contain_text(self.known_as)

    def is_told(self, moment: str) -> None:
        """Wait until the page has gone to the lobby by itself, and says this there."""
        expect(self.page.locator("#lobby")).to_have_attribute("data-moment", moment)


def somebody_new(page: Page, code: str) -> Kid:
    """Comes in, and has written the phrase down."""
    known_as = come_in(page, code)
    kid = Kid(page, known_as, page.locator("#phrase .words").inner_text())
    button(page, "I have written it down").click()
    expect(page.locator("#phrase")).to_have_count(0)
    return kid


def back_by_phrase(page: Page, code: str, kid: Kid) -> Kid:
    """The same student on another device."""
    page.goto(f"/join/{code}/?step=before")
    page.get_by_label("Your rejoin phrase").fill(kid.phrase)
    button(page, "Come in").click()
    return Kid(page, kid.known_as, kid.phrase)


class Screen:
    """A cockpit or projector, with all that its socket was sent."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.frames: list[str] = []
        page.on("websocket", lambda socket: socket.on("framereceived", self._keep))

    def _keep(self, frame: str | bytes) -> None:
        self.frames.append(str(frame))

    def shows_no_card(self) -> None:
        """Neither the page as it is nor anything that was sent for it."""
        assert self.frames
        for html in (self.page.content(), *self.frames):
            assert any_card_in(html) == set()

    @property
    def source(self) -> str:
        return "".join([self.page.content(), *self.frames])


class Cockpit(Screen):
    """The teacher's hand on it."""

    def press(self, what: str) -> None:
        """A button by what it does."""
        self.page.locator(f"#do-{what}").click()

    def press_folded(self, what: str) -> None:
        """One of the sheet "More", or of "Close the session"."""
        button(self.page, "Close the session" if what == "close" else "More").click()
        self.press(what)
        self.page.keyboard.press("Escape")

    def open(self, table: int) -> None:
        """The panel of a table."""
        self.page.locator("#tables .tile h3 a").nth(table - 1).click()
        expect(self.page.locator("#panel-title")).to_have_text(f"Table {table}")

    def press_in_panel(self, name: str, about: Kid) -> None:
        self.page.locator("#panel").get_by_role(
            "button", name=f"{name} {about.known_as}", exact=True
        ).click()

    def ask_in_panel(self, name: str, about: Kid) -> None:
        """A button about somebody that asks first."""
        panel = self.page.locator("#panel")
        panel.locator("summary", has_text=f"Send out {about.known_as}").click()
        panel.get_by_role("button", name=name.format(about.known_as), exact=True).click()

    def close_panel(self) -> None:
        self.page.keyboard.press("Escape")
        expect(self.page.locator("#panel")).to_be_hidden()

    def tables(self) -> list[str]:
        links = self.page.locator("#tables .tile .watch").all()
        return [(link.get_attribute("href") or "").split("/")[2] for link in links]


def everybody_plays(kids: list[Kid], until: str) -> None:
    """Press on at all devices until every table is there."""
    for _ in range(2000):
        if {kid.page.evaluate(PLAY) for kid in kids} == {until}:
            return
    pytest.fail(f"not everybody came to {until}")


@pytest.mark.xdist_group("many browsers")
def test_a_whole_class(watched: Watched, server: Server) -> None:
    desk, stage, classroom = as_teacher(server, watched, "a whole class")
    cockpit, wall = Cockpit(desk), Screen(stage)
    code = open_the_class(cockpit, wall, classroom, SEATS)

    # The lobby: all but one come in and are seated in the order of arrival.
    sizes = [{"viewport": PHONE} if n % 2 else {} for n in range(CLASS)]
    kids = [somebody_new(watched.new_page(**sizes[n]), code) for n in range(CLASS - 1)]
    expect(desk.locator("#room")).to_contain_text(f"{CLASS - 1} here")
    expect(stage.locator("#wall-here")).to_contain_text(f"{CLASS - 1} are here")
    cockpit.press("form")
    for kid in kids:
        kid.is_told("seated")
    expect(kids[0].page.locator(".mates")).to_contain_text(kids[SEATS - 1].known_as)
    tables = cockpit.tables()
    assert len(tables) == 3
    cockpit.press("start")
    for number, kid in enumerate(kids):
        kid.is_at(tables[number // SEATS])
    parties = [Party(*kids[n : n + SEATS]) for n in range(0, CLASS, SEATS)]
    for party in parties:
        party.act()

    pausing(cockpit, wall, kids, parties[1])
    coming_and_going(watched, cockpit, kids, tables, code, sizes[-1])

    # A bot stands in for somebody, and hands back.
    cockpit.open(1)
    cockpit.press_in_panel("A bot plays", kids[1])
    expect(kids[1].prompt).to_contain_text("A bot is playing for you.")
    desk.locator("#panel").get_by_role("button", name="Hand back").click()
    expect(kids[1].take_back).to_have_count(0)
    cockpit.close_panel()

    # The round's end waits for the teacher; somebody changes tables; the game ends early.
    cockpit.press_folded("hold")
    at_tables = [kid for kid in kids if kid is not kids[2 * SEATS]]
    everybody_plays(at_tables, "round_over")
    expect(stage.locator("#wall-stage")).to_have_attribute("data-stage", "round")
    expect(stage.locator("#wall-figures .outcomes")).to_be_visible()
    expect(kids[0].prompt).to_contain_text("Your teacher starts the next round.")
    cockpit.open(2)
    mover = kids[2 * SEATS - 1]
    moving = desk.locator("#panel li", has_text=mover.known_as).locator("select").first
    moving.select_option(tables[2])
    cockpit.press_in_panel("Move", mover)
    mover.is_at(tables[2])
    cockpit.close_panel()
    cockpit.press("next-round")
    for kid in at_tables:
        expect(kid.bar).to_contain_text("Round 2 of 4")
    cockpit.press_folded("finish")
    expect(kids[0].bar).to_contain_text("Round 2 of 2")
    everybody_plays(at_tables, "game_over")
    expect(stage.locator("#wall-standings")).to_contain_text("Final standings")
    assert not [kid.known_as for kid in kids if kid.known_as in wall.source]

    # Another game: all pages go along. It is closed in mid-trick.
    cockpit.press("next-game-same")
    expect(desk.locator(f"#now-{tables[0]}")).to_have_count(0)
    again = cockpit.tables()
    for kid in at_tables:
        expect(kid.page).to_have_url(re.compile(f"/tables/({'|'.join(again)})/$"))
        expect(kid.my_seat).to_contain_text(kid.known_as)
    cockpit.press_folded("close")
    for kid in at_tables:
        expect(kid.prompt).to_contain_text("The session is over.")
    kids[2 * SEATS].is_told("closed")
    kids[0].page.get_by_role("link", name="Back to the class").click()
    kids[0].is_told("closed")
    kids[0].page.reload()
    expect(kids[0].page.get_by_role("heading", name="My rounds")).to_be_visible()
    expect(stage.locator("#wall-stage")).to_have_attribute("data-stage", "end")
    expect(desk.locator("#room")).to_contain_text("Closed")
    for screen in (cockpit, wall):
        screen.shows_no_card()


def open_the_class(cockpit: Cockpit, wall: Screen, classroom: int, seats: int = 4) -> str:
    """Open a quick session by the form, and the projector; the code on it."""
    page = cockpit.page
    page.goto(f"/teach/classrooms/{classroom}/session/")
    page.get_by_label("Seats per table").select_option(str(seats))
    page.locator("summary").click()
    page.get_by_label("Who sits together").select_option("in the order of arrival")
    page.get_by_label("Pace of the bots").select_option("Instant")
    page.get_by_role("button", name="Open the session").click()
    expect(page.locator("#room")).to_contain_text("Lobby open")
    cockpit.press_folded("names-show")  # none on this wall
    wall.page.goto(page.url + "projector/")
    code: str = wall.page.locator(".wall-join .code").inner_text()
    return code.replace(" ", "")


def pausing(cockpit: Cockpit, wall: Screen, kids: list[Kid], goes_on: Party) -> None:
    """The room, then the first table while another goes on."""
    stage = wall.page.locator("#wall-stage")
    cockpit.press("pause")
    expect(stage).to_have_attribute("data-stage", "pause")
    for kid in kids:
        expect(kid.bar).to_contain_text("Paused")
    mover = next(kid for kid in kids if kid.confirm.count())
    mover.page.evaluate(PLAY)
    expect(mover.notice).to_contain_text("paused")
    cockpit.press("pause")  # the same button goes on
    expect(stage).to_have_attribute("data-stage", "play")
    expect(kids[0].bar).not_to_contain_text("Paused")
    expect(mover.notice).to_be_empty()  # with its reason
    cockpit.open(1)
    cockpit.page.locator("#panel-pause").click()
    cockpit.close_panel()
    for kid in kids[:SEATS]:
        expect(kid.bar).to_contain_text("Paused")
    goes_on.act()
    expect(kids[SEATS].bar).not_to_contain_text("Paused")
    needs_you = cockpit.page.locator("#help")
    expect(needs_you).to_contain_text("is paused")
    needs_you.get_by_role("button", name="Go on Table 1").click()
    expect(kids[0].bar).not_to_contain_text("Paused")


def coming_and_going(
    watched: Watched,
    cockpit: Cockpit,
    kids: list[Kid],
    tables: list[str],
    code: str,
    size: dict[str, object],
) -> None:
    """One is barred, one comes late, one device dies. (Sent out and back: test_forty.)"""
    barred = kids[2 * SEATS]
    cockpit.open(3)
    cockpit.ask_in_panel("Bar {} for today", barred)
    barred.is_told("barred")
    cockpit.close_panel()
    lobby = barred.page.url
    barred.page.goto(f"/join/{code}/")
    watched.expected = ("the server responded with a status of 422",)
    button(barred.page, "Continue").click()
    expect(barred.page.get_by_role("alert")).to_contain_text("closed this session for you")
    barred.page.goto(lobby)
    barred.is_told("barred")

    late = somebody_new(watched.new_page(**size), code)
    late.is_at(tables[2])  # where most bots sit
    kids.append(late)

    dies = kids[SEATS]
    hand = sorted(dies.holds())
    dies.page.context.close()
    watched.contexts.remove(dies.page.context)
    kids[SEATS] = back_by_phrase(watched.new_page(), code, dies)
    kids[SEATS].is_at(tables[1])
    assert sorted(kids[SEATS].holds()) == hand


OTHER_STATES = """
teacher = a_teacher({name!r})
cookie = signed_in(teacher).cookies["sessionid"].value

def a_room(what, students, **settings):
    session = a_session(a_classroom(teacher, name=what), **settings)
    return session, students_in(session, students)

big, many = a_room("twenty tables", 40, seats=2, seating="arrival")
steering.start(session_id=big.pk)
tables = load_session(big.pk).tables
for table in tables[::3]:
    play(table, lambda state: len(state.moves) == 5)
for table in tables[1::3]:
    play(table)
steering.pause_table(session_id=big.pk, table_id=tables[4], paused=True)
over, _ = a_room("all over", 9, rounds=1)
steering.start(session_id=over.pk)
from tests.games.classes.test_sessions import finish_round
finish_round(over)
sessions.set_flags(session_id=over.pk, names_hidden=False)
locked, _ = a_room("locked", 1)
sessions.set_flags(session_id=locked.pk, locked=True)
ended, (one, two) = a_room("ended", 2, rounds=1, seats=2)
steering.start(session_id=ended.pk)
old = load_session(ended.pk).tables[0]
finish(old)
steering.next_game(session_id=ended.pk)
closing.close_session(session_id=ended.pk)
shut, (out,) = a_room("barred", 1)
joining.send_out(session_id=shut.pk, student_id=out.pk, bar=True)
flooded, _ = a_room("flooded", 30)
closing.close_session(session_id=flooded.pk)
answer = {{
    "flooded": flooded.classroom_id,
    "cookie": cookie, "big": big.pk, "tables": tables,
    "over": over.pk, "locked": locked.pk,
    "classroom": big.classroom_id, "student": many[0].pk, "old": old,
    "ended": load_session(ended.pk).tables[0], "one": device_key(one, ended),
    "out": device_key(out, shut), "code": shut.classroom.code, "ended_session": ended.pk,
}}
"""


OUTSIDE = """selector => Array.from(document.querySelectorAll(selector))
  .map((element) => element.getBoundingClientRect())
  .filter(({ top, left, bottom, right }) =>
    top < 0 || left < 0 || bottom > innerHeight || right > innerWidth).length"""
"""How many of these do not lie whole within the first screen."""


def test_states_that_are_seldom_seen(watched: Watched, server: Server) -> None:
    """What the other tests of a class do not come to, as axe, a narrow phone, a thumb and a
    keyboard find it; and twenty tables on one screen."""
    watched.expected = ("the server responded with a status of 4",)
    inspector = Inspector()
    states = by_services(server, *OTHER_STATES.format(name="seldom seen").splitlines())

    def device(name: str, cookie: str) -> Page:
        context = watched.new_context(viewport=LAPTOP)
        context.add_cookies([{"name": name, "value": cookie, "url": server.base}])
        return context.new_page()

    desk = device("sessionid", states["cookie"])
    big = f"/teach/sessions/{states['big']}/"
    desk.goto(big)
    expect(desk.locator("#tables > .tile")).to_have_count(20)
    assert desk.evaluate(OUTSIDE, "#tables > .tile") == 0
    inspector.look(desk, "the cockpit with twenty tables")
    desk.goto(f"{big}projector/")
    for size in (LAPTOP, {"width": 1920, "height": 1080}):
        desk.set_viewport_size(size)
        expect(desk.locator(".wall-table")).to_have_count(20)
        assert desk.evaluate(OUTSIDE, ".wall-table, #wall-standings") == 0
    inspector.look(desk, "the wall with twenty tables")
    desk.goto(f"/teach/sessions/{states['over']}/projector/")
    expect(desk.locator("#wall-standings")).to_contain_text("Final standings")
    inspector.look(desk, "the wall, all games over")
    desk.goto(f"/teach/sessions/{states['locked']}/projector/")
    inspector.look(desk, "the wall, locked")
    for state, address in {
        "the settings of a session": f"{big}settings/",
        "a table's panel as a page": f"{big}tables/{states['tables'][0]}/",
        "a teacher watches": f"/tables/{states['tables'][0]}/?as=watch",
        "what is stored": "/privacy/",
        "deleting who never played, nobody": (
            f"/teach/classrooms/{states['classroom']}/unplayed/delete/"
        ),
        "deleting who never played": f"/teach/classrooms/{states['flooded']}/unplayed/delete/",
        "deleting a session": f"/teach/sessions/{states['over']}/delete/",
        "deleting a student": f"/teach/students/{states['student']}/delete/",
    }.items():
        desk.goto(address)
        inspector.look(desk, state)

    # The last one by keyboard alone.
    keys = Keyboard(desk)
    keys.go_to(button(desk, "Delete for good"))
    keys.press("Enter")
    expect(desk).to_have_url(re.compile(f"/teach/classrooms/{states['classroom']}/$"))
    expect(desk.locator(f"#student-{states['student']}")).to_have_count(0)
    assert keys.unseen == set()

    one = device("student", states["one"])
    one.goto(f"/tables/{states['ended']}/")
    expect(one.locator("#prompt")).to_contain_text("The session is over.")
    inspector.look(one, "at the table, the session over")
    one.goto(f"/tables/{states['old']}/")
    expect(one.get_by_role("link", name="Back to the class")).to_be_visible()
    inspector.look(one, "at a table that is not theirs any more")
    out = device("student", states["out"])
    out.goto(f"/join/{states['code']}/")
    button(out, "Continue").click()
    expect(out.get_by_role("alert")).to_contain_text("closed this session for you")
    inspector.look(out, "barred, and pressed on")
    inspector.approves()
