"""The floor in real browsers (docs/browsers.md): a class's way through the pages in Chromium
109, WebKit and Firefox, each beside today's Chromium: the same boxes, the same colours, no
error in the console; and a whole game by script.

With XACTIKA_PICTURES=folder both keep pictures of every place there, to be compared by eye.
"""

from __future__ import annotations

import json
import os
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Playwright

from tests.e2e.beside import Beside, both_in
from tests.e2e.engines import MISSING, Engine
from tests.server import Server

REQUIRED = os.environ.get("XACTIKA_REQUIRE_BROWSERS") == "1"
PHONE, LAPTOP = (390, 844), (1366, 768)
BARS = [1, 4, 10, 16, 19, 16, 10, 4, 1]

TO_DO = """
  const has = (selector) => document.querySelector(selector) !== null;
  if (has("#choices input[name=bid]:enabled")) return "bid";
  if (has("#hand form[data-kind=lead] input[name=card]")) return "lead";
  if (has("#hand form[data-kind=follow] input[name=card]")) return "follow";
  return /Round over|Game over/.test(document.getElementById("bar").textContent) ? "over" : "";
"""

# Somebody who takes the first of everything, as quickly as the page allows.
PLAY_A_GAME = """
  const press = (selector) => document.querySelector(selector)?.click();
  const chosen = (name) => document.querySelector(`.at-table [name=${name}]:checked`);
  window.playing = setInterval(() => {
    const bar = document.getElementById("bar").textContent;
    if (bar.includes("Game over")) return clearInterval(window.playing);
    if (!chosen("bid")) press("#choices input[name=bid]:enabled");
    if (!chosen("card")) press("#hand input[name=card]");
    if (!chosen("call")) press("#choices .choice:not([hidden]) input[name=call]");
    press("#confirm:enabled");
    for (const button of document.querySelectorAll("#prompt button")) {
      if (button.textContent.includes("Next round")) button.click();
    }
  }, 20);
"""

EARS = """
import tests.e2e.ears
# A long name may take a line more in another browser's letters.
from xactika_site.classrooms.names import NAMES
*lists, together = NAMES["en"]
NAMES["en"] = (*([word for word in words if len(word) < 6] for words in lists), together)
""".strip()

HOME = [
    "header.site a",
    "h1",
    "main button",
    "#code",
    ".ways-in > section",
    ".stacks",
    ".one-trick",
]
REPLAY = [".board", ".seat", "#said", "#moment", ".steps > *", "#hand .card"]
TABLE = [
    ".tools",
    ".board",
    ".seat",
    "#trick",
    "#prompt",
    "#hand",
    "#hand .card",
    "#choices .choice",
    "#confirm",
]


@pytest.fixture(scope="module")
def listening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose pages have ears."""
    folder = tmp_path_factory.mktemp("floor")
    with Server(folder, start_with=EARS, experts=True) as running:
        yield running


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


@pytest.fixture
def scenes(name: str, listening: Server) -> dict[str, Any]:
    """A class in its lobby and one that has played (``walls.py``)."""
    told = listening.manage(
        "shell", "--no-imports", "-c", f"from tests.scenes.walls import floor; floor({name!r})"
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
    kind: str = one.until(TO_DO)
    if kind == "over":
        return kind
    turn = one.run("return document.querySelector('#play input[name=turn]').value")
    cards = one.run("return document.querySelectorAll('#hand input[name=card]').length")
    if kind == "bid" or cards > 1:  # an only card is up already
        one.click("#choices input[name=bid]" if kind == "bid" else "#hand input[name=card]")
    if kind == "lead":
        one.click("#choices .choice:not([hidden]) input[name=call]")
    else:
        one.click("#confirm")
    gone = "return !document.querySelector(`#play input[name=turn][value='${arguments[0]}']`)"
    one.until(gone, turn)
    return kind


def open_each_sheet(pair: Beside, *alone: str) -> None:
    """One after the other, by its button; Escape closes it."""
    shut = (
        "return Array.from(document.querySelectorAll('.sheet'))"
        ".every((sheet) => !sheet.getClientRects().length)"
    )
    names = pair.one.run(
        "return Array.from(document.querySelectorAll('.tools button')).filter((button) => "
        "button.getClientRects().length).map((button) => button.textContent.trim())"
    )
    assert set(alone or ("Scores", "Tricks", "Stats", "More")) <= set(names)
    for words in alone or names:
        pair.both(lambda each: each.click(".tools button", words))  # noqa: B023
        pair.both(lambda each: each.sees(".sheet"))
        if words == "Chances":
            pair.both(lambda each: each.sees("#odds h3"))
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
    one.click("button", "I wrote them down")
    one.sees(".my-name")
    one.until("return !document.getElementById('phrase')")
    pair.follow()
    pair.same("lobby", ["h1", "#lobby", ".done"])

    # A round.
    press_as_teacher(server, scenes, "start")
    pair.both(lambda each: each.until("return location.pathname.startsWith('/tables/')"))
    one.until(TO_DO)
    pair.same_moment()
    for size in (LAPTOP, PHONE):
        pair.resize(size)
        pair.same("table", TABLE)
        open_each_sheet(pair)
    kinds = set()
    while (kind := act(one)) != "over":
        if kind not in kinds:
            one.until(TO_DO)
            pair.same_moment()
            pair.same(f"table after a {kind}", TABLE)
        kinds.add(kind)
    assert kinds >= {"bid", "follow"}
    pair.same_moment()
    # Not the whole sheet: each of its rows may be a pixel higher in another browser's letters.
    pair.same("table, the end", [*TABLE, ".result h2", ".result tr"])
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
    one.click("button", "Check")
    one.sees(".told.right")
    pair.follow()
    pair.same("a graph that is right", [".told", ".build-plot", ".build-plot .handle"])
    one.click(".onward a", "Next step")
    drawn = "return document.querySelectorAll('.plot .point').length === 9"
    one.until(drawn)
    pair.follow()
    pair.today.until(drawn)
    pair.same("a chart", ["h1", ".compared", ".plot", ".plot > svg"])

    one.give({"sessionid": scenes["cookie"]})
    results = f"/teach/sessions/{scenes['played']}/results/"
    drawn = (
        "for (const one of document.querySelectorAll('.chapter')) one.classList.add('chosen'); "
        "const plots = Array.from(document.querySelectorAll('.chart .plot')); "
        "const next = plots.find((plot) => !plot.querySelector('svg')); "
        "if (next) next.scrollIntoView(); else scrollTo(0, 0); "
        "return plots.length && !next"
    )
    pair.go(results)
    pair.both(lambda each: each.until(drawn))
    # Not whole sections: a long sentence may take a line more in another browser's letters.
    pair.same("results", ["h1", "h2", ".chart .plot", ".chart .plot > svg"])
    pair.go(f"{results}wall/")
    pair.both(lambda each: each.until("return document.querySelector('.slide svg') !== null"))
    pair.same("results on the wall", [".slide"])
    pair.go(f"/teach/sessions/{scenes['played']}/projector/")
    pair.same("the wall", ["#wall-head", "#wall-stage"])
    pair.go(f"/teach/sessions/{scenes['waiting']}/projector/")
    pair.both(lambda each: each.sees(".wall-join"))
    pair.same("the wall's lobby", ["#wall-head", "#wall-stage", ".wall-join"])
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
    pair.resize(LAPTOP)
    pair.go("/play/")
    one.run(
        "for (const [name, value] of Object.entries(arguments[0])) "
        "document.querySelector('main form').elements[name].value = value",
        {"level": "tip-wikipedia", "pace": "instant", "rounds": "8", "variant": "bid"},
    )
    one.click("button", "Play now")
    one.until(TO_DO)

    # The sheets that a table in a class may lack.
    one.click(".tools button", "More")
    one.click("#sheet-more button", "Always")
    one.sees("#odds h3")
    one.escape()
    pair.follow()
    pair.same_moment()
    open_each_sheet(pair, "Chances", "Question")

    pair.today.go(f"{pair.server.base}/healthz")  # one page is enough for the rest
    one.resize(*PHONE)
    one.run(PLAY_A_GAME)
    one.until("return document.getElementById('bar').textContent.includes('Game over')")
    rows = one.run(
        "return Array.from(document.querySelectorAll('#scores tbody tr'), (row) => "
        "Array.from(row.querySelectorAll('td'), (cell) => +cell.textContent.replace('−', '-')))"
    )
    assert len(rows) == 4
    for total, *rounds in rows:
        assert len(rounds) == 8
        assert sum(rounds) == total

    # The last round once more, card by card.
    one.click("#do-review")
    one.click(".button", "See it again")
    one.sees("#said", " lead")
    one.run("document.getElementById('step-first').click()")
    one.sees("#said", "The cards are dealt.")
    one.run("document.getElementById('step-on').click()")  # no pointer rests on it
    one.sees("#said", " bid")
    one.until("return location.search.includes('at=1')")
    pair.resize(PHONE)
    pair.follow()
    for each in (one, pair.today):  # the line of chances comes once the page stands
        each.until("return document.querySelector('#chances .chance-line') !== null")
    pair.same("replay", REPLAY)
    pair.judge()


def test_dark_at_the_floor(
    name: str, listening: Server, playwright: Playwright, tmp_path: Path
) -> None:
    with both_in("dark", name, listening, playwright, tmp_path) as pair:
        pair.begin()
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
