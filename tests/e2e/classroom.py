"""A class in a browser test: students at their devices, the cockpit, the projector."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.player import Player, any_card_in
from tests.scenes.browser import AT_A_TABLE, LAPTOP, PHONE, button, come_in, follow


class Kid(Player):
    """A student at a device."""

    def __init__(self, page: Page, known_as: str, phrase: str) -> None:
        super().__init__(page)
        self.known_as, self.phrase = known_as, phrase

    def is_at(self, table: str) -> None:
        """Wait until the page has gone to this table by itself."""
        expect(self.page).to_have_url(re.compile(f"/tables/{table}/$"))
        self._has_arrived()

    def is_seated(self) -> str:
        """The table to which the page has gone by itself."""
        expect(self.page).to_have_url(AT_A_TABLE)
        self._has_arrived()
        return self.page.url.rstrip("/").rpartition("/")[2]

    def _has_arrived(self) -> None:
        """Its whole hand is there, and its script hears what is pressed."""
        self.page.wait_for_load_state()
        expect(self.my_seat).to_contain_text(self.known_as)

    def is_told(self, moment: str) -> None:
        """Wait until the page has gone to the lobby by itself, and says this there."""
        expect(self.page.locator("#lobby")).to_have_attribute("data-moment", moment)

    def comes_back(self) -> None:
        """In, after the teacher has sent them out."""
        self.page.get_by_role("link", name="Back to the class").click()
        button(self.page, "Go on").click()


def somebody_new(page: Page, code: str) -> Kid:
    """Who has come in, and has written the phrase down."""
    known_as = come_in(page, code)
    kid = Kid(page, known_as, page.locator("#phrase .words").inner_text())
    follow(button(page, "I wrote them down"))
    expect(page.locator("#phrase")).to_have_count(0)
    return kid


def back_by_phrase(page: Page, code: str, kid: Kid) -> Kid:
    """The same student on another device."""
    page.goto(f"/join/{code}/?step=before")
    page.get_by_label("Your three words").fill(kid.phrase)
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
        """One of the sheet "More", or of "Close the session" that it leads to."""
        button(self.page, "More").click()
        if what == "close":
            button(self.page, "Close the session").click()
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

    def send_out(self, kid: Kid, table: int, name: str, moment: str) -> None:
        """By the table's panel, which asks first; until the student is told."""
        self.open(table)
        panel = self.page.locator("#panel")
        panel.locator("summary", has_text=f"Send out {kid.known_as}").click()
        panel.get_by_role("button", name=name.format(kid.known_as), exact=True).click()
        kid.is_told(moment)
        self.close_panel()

    def close_panel(self) -> None:
        self.page.keyboard.press("Escape")
        expect(self.page.locator("#panel")).to_be_hidden()

    def tables(self) -> list[str]:
        tiles = self.page.locator("#tables .tile .sitters").all()
        return [(tile.get_attribute("id") or "").removeprefix("seats-") for tile in tiles]


def open_the_class(cockpit: Cockpit, wall: Screen, classroom: int, seats: int = 4) -> str:
    """The code on the projector of a quick session, opened by the form."""
    page = cockpit.page
    page.goto(f"/teach/classrooms/{classroom}/session/?preset=")
    page.get_by_role("group", name="Seats").get_by_label(str(seats)).check()
    page.locator(".more > summary").click()
    page.get_by_label("Who sits together").select_option("in the order of arrival")
    page.get_by_label("Pace of the bots").select_option("Instant")
    follow(page.get_by_role("button", name="Open the session"))
    expect(page.locator("#room")).to_contain_text("Lobby")
    cockpit.press_folded("names-show")  # none on this wall
    wall.page.goto(page.url + "projector/")
    code: str = wall.page.locator(".wall-join .code").inner_text()
    return code.replace(" ", "")


def header_of(page: Page) -> dict[int, list[tuple[int, int]]]:
    """Where the header's rows and what is below it (who asks to come in, while no table needs
    help) are, on a wide screen and on a phone; of the buttons, which differ, where they end."""
    below = "#help:visible, #people:visible"
    was, places = page.viewport_size, {}
    expect(page.locator("#room")).not_to_have_attribute("data-state", "lobby")
    for size in (PHONE, LAPTOP):
        page.set_viewport_size(size)
        rows = {
            row: page.locator(row).first.bounding_box()
            for row in ("#room h1", "#room .counts", "#room .acts", ".tools", below)
        }
        places[size["width"]] = [
            (round(box["x"] + (box["width"] if row == "#room .acts" else 0)), round(box["y"]))
            for row, box in rows.items()
            if box
        ]
    if was:
        page.set_viewport_size(was)
    return places
