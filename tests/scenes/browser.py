"""People's browsers, what is done beside the server for them, and how pages are looked at."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    ViewportSize,
    expect,
)

from tests.e2e import made_up
from tests.e2e.player import Player
from tests.server import Server

PHONE: ViewportSize = {"width": 390, "height": 844}
SMALL_PHONE: ViewportSize = {"width": 320, "height": 640}
LAPTOP: ViewportSize = {"width": 1366, "height": 768}
SCREEN: ViewportSize = {"width": 1920, "height": 1080}
THUMB = 44
PATIENCE = 30_000
"""ms: what is pressed is waited for as long as what is expected."""
Scheme = Literal["light", "dark"]
LOOKS: tuple[tuple[Scheme, ViewportSize], ...] = (("light", LAPTOP), ("dark", PHONE))
AT_A_TABLE = re.compile(r"/tables/\w+/$")

# Set by the browser itself before any script of the page, so no policy forbids it.
TELL_OF_CSP = """
document.addEventListener("securitypolicyviolation", (event) => console.error(
  `policy violated: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`));
"""
# A card that leaves no choice does not play itself, unless a test is about that.
NOTHING_PLAYS_ITSELF = """
if (location.pathname.startsWith("/tables/")) localStorage.xactika ??= '{"auto": false}';
"""
STATED: dict[str, object] = {
    "locale": "en-US",  # left to itself the full browser wishes it, and the shell nothing
    "timezone_id": "UTC",
    "viewport": LAPTOP,
    "color_scheme": "light",
    "reduced_motion": "reduce",  # what moves is tested by itself
}
"""What every context is told, unless its test says otherwise."""


class Watched:
    """Browser contexts whose every page is watched: no foreign request, no CSP report, no
    script error.

    A test that provokes console errors (a 404, a lost connection) names parts of them in
    ``expected``.
    """

    def __init__(self, browser: Browser, server: Server) -> None:
        self.browser, self.server = browser, server
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.expected: tuple[str, ...] = ()
        self.own = {urlsplit(server.base).netloc}

    def new_context(self, **options: Any) -> BrowserContext:
        """A new browser of somebody's."""
        options = {**STATED, "base_url": self.server.base, **options}
        self.own.add(urlsplit(options["base_url"]).netloc)
        context = self.browser.new_context(**options)
        context.set_default_timeout(made_up.PATIENCE if made_up.FOUND else PATIENCE)
        context.add_init_script(TELL_OF_CSP)
        context.add_init_script(NOTHING_PLAYS_ITSELF)
        if made_up.FOUND:
            context.add_init_script(made_up.script())
        context.on("page", self._watch)
        self.contexts.append(context)
        return context

    def new_page(self, cookie: tuple[str, str] | None = None, **options: Any) -> Page:
        """A page in a browser of its own, which has this cookie."""
        context = self.new_context(**options)
        if cookie is not None:
            name, value = cookie
            base = options.get("base_url", self.server.base)
            context.add_cookies([{"name": name, "value": value, "url": base}])
        return context.new_page()

    def new_player(self, **options: Any) -> Player:
        """A person with a browser of their own."""
        return Player(self.new_page(**options))

    def leave(self, context: BrowserContext) -> None:
        """Somebody's device is gone."""
        self.contexts.remove(context)
        context.close()

    def pictures(self, folder: Path) -> list[Path]:
        """Files with what all pages show now."""
        folder.mkdir(parents=True, exist_ok=True)
        taken = []
        for number, page in enumerate(page for one in self.contexts for page in one.pages):
            with suppress(Error):
                taken.append(folder / f"{number}.png")
                page.screenshot(path=taken[-1], timeout=5000)
        return taken

    def _watch(self, page: Page) -> None:
        page.on("request", lambda request: self._check(request.url))
        page.on("websocket", lambda socket: self._check(socket.url))
        page.on("pageerror", lambda error: self.complaints.append(f"script error: {error}"))
        page.on("console", self._console)

    def _check(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("data", "blob", "about") and parts.netloc not in self.own:
            self.complaints.append(f"a request left the host: {url}")

    def _console(self, message: ConsoleMessage) -> None:
        kind, text = message.type, message.text
        address = message.page.url if message.page else ""
        if kind == "debug" and made_up.FOUND:
            made_up.note(address, text)
        if kind in ("error", "warning") and not any(part in text for part in self.expected):
            from_where = message.location.get("url", "")
            self.complaints.append(f"console {kind}: {text} {from_where} (on {address})")


# What is done beside the server.

PRELUDE = """
import json
from games.classes import closing, forming, joining, seating, sessions, steering
from games.classes.state import load_session
from games.tables.state import load_table
from tests.games.classroom import *
from tests.games.table import finish, moves_made, play
from xactika_site.classrooms.selectors import device_key, phrase_of
"""
_luck: list[str] = []


def begin_luck(name: str) -> None:
    """What the services draw from now on is this name's; without one it is chance's."""
    _luck[:] = [name] if name else []


def bell_of(folder: Path) -> Path:
    """The file by which a server with this folder is rung for (``luck.hear``)."""
    return folder / "bell"


def by_services(server: Server, *lines: str) -> Any:
    """Run some lines in Django beside the server, which is rung for afterwards; what they put
    into ``answer``."""
    lucky = ""
    if _luck:
        _luck.append("again")  # other ids than the last time
        lucky = f"from tests.e2e import luck\nluck.begin({' '.join(_luck)!r})"
    code = "\n".join([lucky, PRELUDE, "answer = None", *lines, "print(json.dumps(answer))"])
    told = server.manage("shell", "--no-imports", "-c", code)
    if (bell := bell_of(server.log.parent)).exists():  # one that hears it
        with bell.open("a", encoding="utf-8") as file:
            file.write(".")
    return json.loads(told.splitlines()[-1])


def open_table(server: Server, **options: Any) -> dict[str, Any]:
    """A table's links, as ``open_table --json`` prints them; ``deals`` are prepared ones, and
    ``played`` is Python that plays at the new table, ``table``."""
    played = options.pop("played", "")
    options = {"variant": "bid", "seats": 4, "people": 4, "rounds": 8, "pace": 0.0, **options}
    return dict(
        by_services(
            server,
            "from games.management.commands.open_table import describe",
            "from games.models import Table",
            "from games.tables import moves, opening, seats",
            "from tests.games.table import some_settings",
            f"wishes = some_settings(**{options!r})",
            "made = opening.open_table(kind=Table.Kind.FRIENDS, settings=wishes)",
            "table = made.pk",
            played,
            f"answer = describe(made, {server.base!r})",
        )
    )


def two_deals(seats: int) -> list[dict[str, Any]]:
    """Two rounds that seat 0 deals: in the first it holds the highest card for every call and
    takes whatever trick it plays last to, in the second it has low cards."""
    high = ["1333", "3133", "3313", "3331", "2333", "3233", "3323", "3332"]
    low = ["1111", "1112", "1121", "1211", "2111", "1122", "1212", "2112"]
    deck = ["".join(code) for code in product("123", repeat=4) if code != ("3",) * 4]
    deals = []
    for mine in (high, low):
        rest = [code for code in deck if code not in mine]
        others = [sorted(rest[n :: seats - 1])[:8] for n in range(seats - 1)]
        deals.append({"dealer": 0, "hands": [mine, *others]})
    return deals


def a_class(server: Server, name: str, *lines: str, **settings: Any) -> Any:
    """A classroom of this name with a session; by default its id and code."""
    return by_services(
        server,
        f"room = a_classroom(name={name!r})",
        f"session = a_session(room, **{settings!r})",
        "answer = [session.pk, room.code]",
        *lines,
    )


def new_teacher(server: Server, classroom: str) -> dict[str, Any]:
    """A teacher whom nobody knew: ``cookie`` signs in, ``classroom`` is the number of one."""
    return dict(
        by_services(
            server,
            f"teacher = a_teacher({secrets.token_hex(8)!r})",
            "cookie = signed_in(teacher).cookies['sessionid'].value",
            f"room = a_classroom(teacher, name={classroom!r})",
            "answer = dict(cookie=cookie, classroom=room.pk)",
        )
    )


def as_teacher(server: Server, watched: Watched, name: str) -> tuple[Page, Page, int]:
    """Two pages of a new teacher's, each in a window of its own (Chromium lets a page wait for
    seconds that lies behind another), and the classroom."""
    made = new_teacher(server, name)
    cookie = ("sessionid", made["cookie"])
    return watched.new_page(cookie), watched.new_page(cookie), made["classroom"]


def students_come(server: Server, session: int, names: Sequence[str]) -> list[str]:
    """The cookies of students who have come in to a session, by these names."""
    return list(
        by_services(
            server,
            "from xactika_site.classrooms.models import ClassSession",
            f"session = ClassSession.objects.get(pk={session})",
            f"here = [joining.join(session=session, name=name) for name in {[*names]!r}]",
            "answer = [device_key(student, session) for student in here]",
        )
    )


# What is pressed.


def button(page: Page, name: str) -> Locator:
    """The button of just this name."""
    return page.get_by_role("button", name=name, exact=True)


def follow(pressed: Locator) -> None:
    """Press what leads to another page, and wait until that has loaded: what is evaluated
    while a page goes away breaks off."""
    with pressed.page.expect_navigation():
        pressed.click()


def my_name(page: Page) -> str:
    """The made-up name that a student's page shows."""
    return page.locator(".my-name").inner_text()


def come_in(page: Page, code: str) -> str:
    """The name of somebody new, who is in the lobby with the phrase."""
    page.goto(f"/join/{code}/?step=new")
    name = my_name(page)
    follow(button(page, "Come in"))
    expect(page.locator("#phrase")).to_be_visible()
    return name


def open_session(page: Page, classroom: int) -> int:
    """The number of a session just opened by the form as it stands."""
    page.goto(f"/teach/classrooms/{classroom}/session/?preset=")
    follow(page.get_by_role("button", name="Open the session"))
    expect(page.locator("#room")).to_contain_text("Lobby")
    return int(page.url.rstrip("/").rpartition("/")[2])


FAR_ENOUGH = 80
WHERE_IS_FOCUS = """() => {
  const held = document.activeElement;
  return held && held !== document.body ? `${held.tagName} ${held.id}` : "";
}"""
IS_FOCUS_SEEN = """() => {
  const held = document.activeElement;
  const marked = (element) => element && getComputedStyle(element).outlineStyle !== "none";
  return marked(held) || Array.from(held.labels ?? []).some(marked);
}"""


class Keyboard:
    """Somebody's two hands on the keys. ``lost`` tells when focus fell off the page, and
    ``unseen`` where it could not be seen."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lost: list[str] = []
        self.unseen: set[str] = set()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def focus(self) -> str:
        """What has the focus, as tag and id; empty for nothing but the page."""
        return str(self.page.evaluate(WHERE_IS_FOCUS))

    def keeps_focus(self, when: str) -> None:
        if not self.focus():
            self.lost.append(when)

    def go_to(self, target: Locator, key: str = "Tab") -> int:
        """Press Tab (or another key) until the target has the focus; how often."""
        expect(target).to_be_visible()
        for presses in range(FAR_ENOUGH):
            if target.evaluate("element => element === document.activeElement"):
                return presses
            self.press(key)
            if self.focus() and not self.page.evaluate(IS_FOCUS_SEEN):
                self.unseen.add(self.focus())
        raise AssertionError(f"{target} is not reached with {key}; focus is on {self.focus()}")


# What is looked at.

AXE = {"resultTypes": ["violations"], "rules": {"target-size": {"enabled": True}}}
AXE_SCRIPT = Axe().axe_script
# Nothing, where the page has no axe yet. A bar that sticks covers what scrolls beneath it; what
# it covers is no small target.
RUN_AXE = """async (options) => {
  if (typeof axe === "undefined") return null;
  for (const bar of document.querySelectorAll(".settled")) bar.style.position = "static";
  return (await axe.run(options)).violations;
}"""
# What stays so: a wall fits its texts to a new size in steps, frame by frame.
TOO_WIDE = """async () => {
  const page = document.documentElement;
  for (let frame = 0; frame < 60 && page.scrollWidth > page.clientWidth; frame += 1) {
    await new Promise(requestAnimationFrame);
  }
  const { scrollWidth, clientWidth } = page;
  return scrollWidth > clientWidth ? `${scrollWidth} px wide in ${clientWidth}` : "";
}"""
# What a thumb may want to hit: not links within a sentence, and of a hidden radio its label.
AT_THE_TABLE = (
    "main :is(button, .button, summary, select, .lead label, "
    "input:not(.visually-hidden, [type=hidden]))"
)
ON_THE_WAY = "header.site a, header.site button"
TOO_LOW = """([selector, thumb]) => Array.from(document.querySelectorAll(selector))
  .filter((element) => element.checkVisibility())
  .map((element) => [element, element.getBoundingClientRect().height])
  .filter(([, height]) => height < thumb)
  .map(([element, height]) => `<${element.localName}> is ${height.toFixed(1)} px high`)"""


class Inspector:
    """Looks at pages as they are: axe, a narrow phone, a thumb. Collects what is wrong with
    them, and in which states."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, str]] = {}

    def look(self, page: Page | Player, state: str) -> None:
        """Both looks of a page in this state, which is then as it was."""
        page = page.page if isinstance(page, Player) else page
        before = page.viewport_size
        for scheme, size in LOOKS:
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            for wrong, where in self._wrong_with(page, size):
                at = f"{state} ({scheme}, {size['width']} px)"
                self.found.setdefault(wrong, {})[at] = where
        page.emulate_media(color_scheme="light")
        if before:
            page.set_viewport_size(before)

    def _wrong_with(self, page: Page, size: ViewportSize) -> Iterator[tuple[str, str]]:
        for violation in axe_of(page, AXE):
            nodes = [" ".join(map(str, node["target"])) for node in violation["nodes"]]
            yield f"{violation['id']}: {violation['help']}", ", ".join(nodes)
        if wide := page.evaluate(TOO_WIDE):
            yield "horizontal scroll", wide
        if size is PHONE:
            for low in page.evaluate(TOO_LOW, [f"{AT_THE_TABLE}, {ON_THE_WAY}", THUMB]):
                yield f"{low}, less than {THUMB}", ""

    def approves(self) -> None:
        """Fail with all that was found, if anything was."""
        lines = [
            f"{wrong}\n" + "\n".join(f"    {state}  {where}" for state, where in states.items())
            for wrong, states in self.found.items()
        ]
        if lines:
            pytest.fail("\n".join(lines), pytrace=False)


def axe_of(page: Page, options: dict[str, Any]) -> list[dict[str, Any]]:
    """What axe finds wrong with the page as it is."""
    if (found := page.evaluate(RUN_AXE, options)) is None:  # once a page: reading it takes long
        page.evaluate(AXE_SCRIPT)
        found = page.evaluate(RUN_AXE, options)
    return list(found)
