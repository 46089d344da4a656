"""The floor in real browsers (docs/browsers.md): a class's way through the pages in Chromium
109, WebKit and Firefox, each beside today's Chromium: the same boxes, the same colours, no
error in the console; and a whole game by script.

Each browser opens an address, and today's Chromium opens it with the same cookies: both are at
the same seat of the same table, and show the same moment.
"""

from __future__ import annotations

import base64
import json
import os
import re
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.e2e.conftest import Watched
from tests.e2e.engines import MISSING, Chromium, Engine, engine
from tests.server import Server

REQUIRED = os.environ.get("XACTIKA_REQUIRE_BROWSERS") == "1"
PHONE, LAPTOP = (390, 844), (1366, 768)
NEAR = 4
"""Pixels by which a box may lie elsewhere."""
CLOSE = 14
"""Of 255, by which a box's mean colour may differ: letters are drawn a little differently."""

BARS = [1, 4, 10, 16, 19, 16, 10, 4, 1]

MEASURE = """
  const [selectors] = arguments;
  scrollTo(0, 0);
  const found = {};
  for (const selector of selectors) {
    let number = 0;
    for (const element of document.querySelectorAll(selector)) {
      const style = getComputedStyle(element);
      if (!element.getClientRects().length || style.visibility === "hidden") continue;
      if (element.closest(".visually-hidden")) continue;
      const { left, top, right, bottom } = element.getBoundingClientRect();
      if (right - left < 2 || bottom - top < 2) continue;
      found[`${selector} ${number++}`] = [left, top, right, bottom].map(Math.round);
    }
  }
  const moving = document.getAnimations().filter((each) =>
    each.playState === "running" && Number.isFinite(each.effect.getComputedTiming().endTime));
  return [moving.length + document.querySelectorAll(".ghost").length, found];
"""

# Of each box: the mean of what is drawn there.
MEANS = """async ([png, boxes]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 16;
  const paper = canvas.getContext("2d", { willReadFrequently: true });
  paper.imageSmoothingQuality = "high";
  return boxes.map(([left, top, right, bottom]) => {
    const [x, y] = [Math.max(left, 0), Math.max(top, 0)];
    const width = Math.min(right, image.width) - x;
    const height = Math.min(bottom, image.height) - y;
    if (width < 2 || height < 2) return null;
    paper.drawImage(image, x, y, width, height, 0, 0, 16, 16);
    const { data } = paper.getImageData(0, 0, 16, 16);
    const sums = [0, 0, 0];
    data.forEach((value, at) => at % 4 < 3 && (sums[at % 4] += value));
    return sums.map((sum) => Math.round(sum / 256));
  });
}"""

TOKENS = """
  const names = new Set();
  const look = (rules) => {
    for (const rule of rules) {
      for (const name of rule.style ?? []) if (name.startsWith("--")) names.add(name);
      if (rule.cssRules) look(rule.cssRules);
    }
  };
  for (const sheet of document.styleSheets) look(sheet.cssRules);
  const probe = document.body.appendChild(document.createElement("i"));
  const told = [...names].sort().map((name) => {
    probe.style.backgroundColor = "transparent";
    probe.style.backgroundColor = `var(${name})`;
    return [name, getComputedStyle(probe).backgroundColor];
  });
  probe.remove();
  return Object.fromEntries(told);
"""

TO_DO = """
  const has = (selector) => document.querySelector(selector) !== null;
  if (has("#hand input[name=bid]:enabled")) return "bid";
  if (has("#hand form[data-kind=lead] input[name=card]")) return "lead";
  if (has("#hand form[data-kind=follow] input[name=card]")) return "follow";
  return /Round over|Game over/.test(document.getElementById("bar").textContent) ? "over" : "";
"""

# Somebody who takes the first of everything, as quickly as the page allows.
PLAY_A_GAME = """
  const press = (selector) => document.querySelector(selector)?.click();
  const chosen = (name) => document.querySelector(`#hand input[name=${name}]:checked`);
  window.playing = setInterval(() => {
    const bar = document.getElementById("bar").textContent;
    if (bar.includes("Game over")) return clearInterval(window.playing);
    if (!chosen("bid")) press("#hand input[name=bid]:enabled");
    if (!chosen("card")) press("#hand input[name=card]");
    if (!chosen("call")) press("#hand .choice:not([hidden]) input[name=call]");
    press("#confirm:enabled");
    for (const button of document.querySelectorAll("#prompt button")) {
      if (button.textContent.includes("Next round")) button.click();
    }
  }, 20);
"""

HOME = [
    "header.site a",
    "h1",
    "main button",
    "#code",
    ".ways-in > section",
    ".stacks",
    ".one-trick",
]
TABLE = [
    ".tools",
    ".board",
    ".seat",
    "#trick",
    "#prompt",
    "#hand",
    "#hand .card",
    "#hand .choice",
    "#confirm",
]


@pytest.fixture(scope="module")
def listening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose pages have ears."""
    folder = tmp_path_factory.mktemp("floor")
    with Server(folder, start_with="import tests.e2e.ears") as running:
        yield running


class Beside:
    """A browser of the floor, and today's Chromium at the same place."""

    def __init__(self, one: Engine, today: Chromium, server: Server) -> None:
        self.one, self.today, self.server = one, today, server
        self.light_table = today.context.new_page()
        self.wrong: list[str] = []

    def both(self, do: Callable[[Engine], object]) -> None:
        do(self.one)
        do(self.today)

    def resize(self, size: tuple[int, int]) -> None:
        """As large as the browser can be: no page of WebKitGTK is as narrow as a phone."""
        self.one.resize(*size)
        self.today.resize(*self.one.size())

    def go(self, path: str) -> None:
        """There by the browser's own cookies, which today's takes over."""
        self.one.go(self.server.base + path)
        self.follow()

    def follow(self) -> None:
        """Today's goes where the browser is."""
        address = self.one.address()
        self.today.go(f"{self.server.base}/healthz")
        self.today.give(self.one.cookies())
        self.today.go(address)

    def same_moment(self) -> None:
        """Wait until today's shows the turn that the browser shows."""
        turn = "return document.getElementById('turn').dataset.turn"
        self.one.until(TO_DO)
        self.today.until(f"{turn} === arguments[0]", self.one.run(turn))

    def same(self, what: str, selectors: list[str]) -> None:
        """Note which boxes lie elsewhere, or are drawn in other colours."""
        what = f"{what} at {self.one.size()[0]} px"
        mine, todays = self._still(self.one, selectors), self._still(self.today, selectors)
        self._keep_pictures(what)
        assert todays, what
        if mine.keys() != todays.keys():
            self.wrong.append(f"{what}: only in one: {sorted(mine.keys() ^ todays.keys())}")
        names = sorted(mine.keys() & todays.keys())
        for name in names:
            if _differ(mine[name], todays[name], self.one.size()[1]):
                self.wrong.append(f"{what}: {name} at {mine[name]}, today {todays[name]}")
        drawn = self._means(self.one, [mine[name] for name in names])
        wanted = self._means(self.today, [todays[name] for name in names])
        for name, here, there in zip(names, drawn, wanted, strict=True):
            if here and there and any(abs(a - b) > CLOSE for a, b in zip(here, there)):  # noqa: B905
                self.wrong.append(f"{what}: {name} is drawn {here}, today {there}")

    def _still(self, engine: Engine, selectors: list[str]) -> dict[str, list[int]]:
        """Where the boxes are when nothing moves any more."""
        before, now, deadline = None, None, time.monotonic() + 10
        while time.monotonic() < deadline:
            before, (moving, now) = now, engine.until(MEASURE, selectors)
            if before == now and not moving:
                break
            time.sleep(0.03)
        assert now is not None
        return dict(now)

    def _keep_pictures(self, what: str) -> None:
        """For eyes, if a folder is named for them."""
        if folder := os.environ.get("XACTIKA_PICTURES"):
            for each in (self.one, self.today):
                name = f"{what}, {self.one.name}{', today' if each is self.today else ''}.png"
                (Path(folder) / name).write_bytes(each.picture())

    def _means(self, engine: Engine, boxes: list[list[int]]) -> list[list[int] | None]:
        png = base64.b64encode(engine.picture()).decode()
        return list(self.light_table.evaluate(MEANS, [png, boxes]))

    def same_tokens(self) -> None:
        mine, todays = self.one.run(TOKENS), self.today.run(TOKENS)
        assert len(todays) > 30
        for name, colour in todays.items():
            if mine.get(name) != colour:
                self.wrong.append(f"token {name} is {mine.get(name)}, today {colour}")

    def begin(self) -> None:
        """Somebody new, at both."""
        self.wrong.clear()
        self.both(lambda each: each.go(f"{self.server.base}/healthz"))
        self.both(lambda each: each.forget())

    def judge(self) -> None:
        """Nothing is elsewhere, and nobody complained."""
        wrong = [*self.wrong, *self.one.complaints()]
        if wrong:
            pytest.fail("\n".join(wrong), pytrace=False)


def _differ(here: list[int], there: list[int], height: int) -> bool:
    """In place or size. Of what begins below the first screen the size alone: each line of text
    above it is a fraction of a pixel higher or lower in another browser."""
    shapes = [
        (left, top, right - left, bottom - top) for left, top, right, bottom in (here, there)
    ]
    pairs = list(zip(*shapes, strict=True))
    if here[1] > height:
        del pairs[1]
    return any(abs(one - other) > NEAR for one, other in pairs)


EACH = [pytest.param(name, marks=pytest.mark.xdist_group(f"floor {name}")) for name in MISSING]


@pytest.fixture(scope="module", params=EACH)
def name(request: pytest.FixtureRequest) -> str:
    """A browser of the floor, where it is there."""
    one = str(request.param)
    if MISSING[one]:
        (pytest.fail if REQUIRED else pytest.skip)(f"without {MISSING[one]}")
    return one


@pytest.fixture(scope="module")
def beside(
    name: str,
    listening: Server,
    playwright: Playwright,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Beside]:
    with both_in("light", name, listening, playwright, tmp_path_factory.mktemp(name)) as pair:
        yield pair


@contextmanager
def both_in(
    scheme: str, name: str, server: Server, playwright: Playwright, folder: Path
) -> Iterator[Beside]:
    with (
        engine(name, folder, playwright, scheme) as one,
        engine("chromium", folder, playwright, scheme) as today,
    ):
        assert isinstance(today, Chromium)
        yield Beside(one, today, server)


@pytest.fixture(scope="module")
def scenes(name: str, listening: Server) -> dict[str, Any]:
    """A class in its lobby and one that has played (``walls.py``)."""
    told = listening.manage(
        "shell", "--no-imports", "-c", f"from tests.e2e.walls import floor; floor({name!r})"
    )
    return dict(json.loads(told.splitlines()[-1]))


def press_as_teacher(server: Server, scenes: dict[str, Any], do: str) -> None:
    """A button of the cockpit."""
    token = "x" * 32
    request = urllib.request.Request(
        f"{server.base}/teach/sessions/{scenes['session']}/do/",
        data=urllib.parse.urlencode({"do": do}).encode(),
        headers={
            "Cookie": f"sessionid={scenes['cookie']}; csrftoken={token}",
            "X-CSRFToken": token,
        },
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.status == 200


def act(one: Engine) -> str:
    """Wait for something to do and do it, by presses."""
    kind = one.until(TO_DO)
    if kind == "over":
        return kind
    turn = one.run("return document.querySelector('#play input[name=turn]').value")
    one.click("#hand input[name=bid]" if kind == "bid" else "#hand input[name=card]")
    if kind == "lead":
        one.click("#hand .choice:not([hidden]) input[name=call]")
    one.click("#confirm")
    gone = "return !document.querySelector(`#play input[name=turn][value='${arguments[0]}']`)"
    one.until(gone, turn)
    return kind


def open_each_sheet(pair: Beside) -> None:
    """One after the other, by its button; Escape closes it."""
    names = pair.one.run(
        "return Array.from(document.querySelectorAll('.tools button')).filter((button) => "
        "button.getClientRects().length).map((button) => button.textContent.trim())"
    )
    assert len(names) >= 4
    shut = (
        "return Array.from(document.querySelectorAll('.sheet'))"
        ".every((sheet) => !sheet.getClientRects().length)"
    )
    for words in names:
        pair.both(lambda each, words=words: each.click(".tools button", words))
        pair.both(lambda each: each.sees(".sheet"))
        pair.same(f"sheet {words}", [".sheet", ".sheet h2"])
        pair.both(lambda each: each.escape())
        pair.both(lambda each: each.until(shut))


def test_a_class_at_the_floor(beside: Beside, scenes: dict[str, Any]) -> None:
    pair, one, server = beside, beside.one, beside.server
    pair.begin()
    for size in (LAPTOP, PHONE):
        pair.resize(size)
        pair.go("/")
        pair.same("home", HOME)
    pair.same_tokens()

    # In by the code.
    pair.go(f"/join/{scenes['code']}/")
    pair.same("join", ["h1", "main button", "main .name", "main p"])
    one.click("button", "Come in")
    one.click("button", "I have written it down")
    one.sees(".my-name")
    one.until("return !document.getElementById('phrase')")
    pair.follow()
    pair.same("lobby", ["h1", "#lobby", ".done"])

    # A round.
    press_as_teacher(server, scenes, "start")
    pair.both(lambda each: each.until("return location.pathname.startsWith('/tables/')"))
    pair.same_moment()
    for size in (LAPTOP, PHONE):
        pair.resize(size)
        pair.same("table", TABLE)
        open_each_sheet(pair)
    kinds = set()
    while (kind := act(one)) != "over":
        if kind not in kinds:
            pair.same_moment()
            pair.same(f"table after a {kind}", TABLE)
        kinds.add(kind)
    assert kinds >= {"bid", "follow"}
    pair.same_moment()
    pair.same("table, the end", [*TABLE, ".result"])
    pair.judge()


def test_a_lesson_and_results_at_the_floor(beside: Beside, scenes: dict[str, Any]) -> None:
    pair, one = beside, beside.one
    pair.begin()
    pair.resize(LAPTOP)
    pair.go("/lessons/stats-table/")
    pair.same("a prediction", ["h1", ".options .choice", "main button", "nav.path"])
    one.click(".options .choice", "8")
    one.click("button", "Lock in my prediction")
    one.sees(".locked")
    one.click(".onward a", "Next step")
    one.sees(".build-plot .handle")
    pair.follow()
    pair.today.sees(".build-plot .handle")
    pair.same("a graph to build", ["h1", ".build-plot", ".build-plot .handle"])
    raise_bars(one, BARS)
    one.click("button", "Check my graph")
    one.sees(".told.right")
    pair.follow()
    pair.same("a graph that is right", [".told", ".build-plot", ".build-plot .handle"])
    one.click(".onward a", "Next step")
    drawn = "return document.querySelectorAll('.js-plotly-plot .point').length === 9"
    one.until(drawn)
    pair.follow()
    pair.today.until(drawn)
    pair.same("a chart", ["h1", ".compared", ".plot", ".plot svg.main-svg"])

    one.give({"sessionid": scenes["cookie"]})
    results = f"/teach/sessions/{scenes['played']}/results/"
    drawn = (
        "const plots = Array.from(document.querySelectorAll('.plot')); return plots.length && "
        "plots.every((plot) => plot.querySelector('svg.main-svg'))"
    )
    pair.go(results)
    pair.both(lambda each: each.until(drawn))
    pair.same("results", ["h1", "h2", ".plot", ".plot svg.main-svg", "main section"])
    pair.go(f"{results}wall/")
    pair.both(lambda each: each.until("return document.querySelector('.slide svg') !== null"))
    pair.same("results on the wall", [".slide"])
    pair.go(f"/teach/sessions/{scenes['played']}/projector/")
    pair.same("the wall", ["#wall-head", "#wall-stage"])
    pair.go(f"/teach/sessions/{scenes['session']}/projector/")
    pair.same("the wall's lobby", ["#wall-head", "#wall-stage", ".qr", ".wall-join .code"])
    pair.judge()


def raise_bars(one: Engine, heights: list[int]) -> None:
    """Press where the top of each bar is to be; what is pressed right at its top would be
    dragged, so first somewhere else."""
    one.run("document.querySelector('.build-plot').scrollIntoView({ block: 'center' })")
    above, below, top = 28, 30, 20
    for index, value in enumerate(heights):
        for height in (0.9 * top if value < top / 2 else 0.1 * top, value):
            x, y, inner = one.run(
                "const plot = document.querySelector('.build-plot');"
                "const columns = document.querySelectorAll('.build-plot .handle .hit');"
                "const column = columns[arguments[0]].getBoundingClientRect();"
                "return [column.left + column.width / 2, plot.getBoundingClientRect().top + 1,"
                " plot.clientHeight]",
                index,
            )
            one.press(x, y + above + (inner - above - below) * (1 - height / top))
    fields = (
        "return Array.from(document.querySelectorAll('.build-numbers input'), (i) => +i.value)"
    )
    assert one.run(fields) == heights


def test_a_whole_game_at_the_floor(beside: Beside) -> None:
    pair, one = beside, beside.one
    pair.begin()
    pair.resize(PHONE)
    pair.go("/play/")
    one.run(
        "for (const [name, value] of Object.entries(arguments[0])) "
        "document.querySelector('main form').elements[name].value = value",
        {"level": "tip-wikipedia", "pace": "instant", "rounds": "8", "variant": "bid"},
    )
    one.click("button", "Start playing")
    one.until(TO_DO)
    one.run(PLAY_A_GAME)
    one.until("return document.getElementById('bar').textContent.includes('Game over')")
    rows = one.run(
        "return Array.from(document.querySelectorAll('#scores tbody tr'), (row) => "
        "Array.from(row.querySelectorAll('td'), (cell) => +cell.textContent.replace('−', '-')))"
    )
    assert len(rows) == 4
    for *rounds, total in rows:
        assert len(rounds) == 8
        assert sum(rounds) == total
    pair.judge()


def test_dark_at_the_floor(
    name: str, listening: Server, playwright: Playwright, tmp_path: Path
) -> None:
    with both_in("dark", name, listening, playwright, tmp_path) as pair:
        pair.resize(LAPTOP)
        pair.go("/")
        pair.same_tokens()
        pair.same("home, dark", HOME)
        pair.one.click("button", "Play now")
        pair.one.until(TO_DO)
        for size in (LAPTOP, PHONE):
            pair.resize(size)
            pair.follow()
            pair.same_moment()
            pair.same("table, dark", TABLE)
        pair.judge()


OLD = "CSS.supports = (words) => !String(words).includes(':has');"
"""Of a browser before the floor: it does not know ``:has()``."""


@pytest.mark.parametrize(
    ("why", "options"),
    [("old", {}), ("scripts", {"java_script_enabled": False})],
)
def test_below_the_floor_is_one_page_in_words(
    watched: Watched, why: str, options: dict[str, object]
) -> None:
    context = watched.new_context(**options)
    if why == "old":
        context.add_init_script(OLD)
    page = context.new_page()
    page.goto("/")
    expect(page.locator(".floor-notice:visible")).to_contain_text("the games will not work")
    page.get_by_role("button", name="Play now").click()
    expect(page).to_have_url(re.compile(rf"/device/\?because={why}$"))
    says = {"old": "No: this browser is older", "scripts": "Nothing can be said"}
    expect(page.locator("#device")).to_contain_text(says[why])
    page.get_by_role("link", name="The rules of the game").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_at_the_floor_nobody_is_told(page: Page) -> None:
    page.goto("/device/")
    expect(page.locator("#device")).to_have_text("Yes: this browser has what the games need.")
    page.goto("/")
    expect(page.locator(".floor-notice")).to_be_hidden()
