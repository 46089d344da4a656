"""A table's layout by measured boxes: whole rounds on one page, resized at every key moment."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils.translation import override
from playwright.sync_api import Browser, Page, ViewportSize, expect

from games.study.learning.chapter_files import chapters
from games.tables.endings import ResultRow
from games.tables.rendering import render
from lessons.exercises.two_way_tables import Event, path_tree
from tests.e2e.conftest import CHROMIUM, FLAGS, IS_LONG, guarded
from tests.e2e.player import Player
from tests.scenes.browser import (
    LAPTOP,
    PHONE,
    SCREEN,
    SMALL_PHONE,
    THUMB,
    Scheme,
    Watched,
    as_teacher,
    axe_of,
    by_services,
    open_table,
    two_deals,
)
from tests.server import Server

LAPTOP_AT_200: ViewportSize = {"width": 683, "height": 384}
ANDROID: ViewportSize = {"width": 360, "height": 740}
"""The commonest of Android, with the browser's own bars."""
PHONES = (PHONE, ANDROID, SMALL_PHONE)
TOUCHED = (PHONE, SMALL_PHONE)
COLOURED: tuple[tuple[ViewportSize, Scheme], ...] = ((PHONE, "dark"), (LAPTOP, "light"))
"""In which looks colours are asked for: of the two schemes nothing else differs."""
LOOKS: tuple[tuple[ViewportSize, Scheme], ...] = (
    *COLOURED,
    (SCREEN, "light"),
    (SMALL_PHONE, "light"),
    (LAPTOP_AT_200, "light"),
)
CONTRAST = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}
FEW = 4
"""Up to so many seats everything has room on small screens too; with more they scroll."""
SHIFT_ALLOWED = 0.02
MOMENTS = {"bidding", "following", "trick taken", "leading", "round end", "game end"}
IN_PLAY = {"following", "void", "trick taken", "leading"}
SHEETS = ("Scores", "Tricks", "Stats", "More")

MEASURE = Path(__file__).with_name("measure.js").read_text(encoding="utf-8")

# Whoever plays whatever: the longest names that are given, anybody the dealer, the widest call,
# each card with what is said of one that cannot win, if anything is.
WIDEST = """([name, dealt, said]) => {
  const call = document.querySelector("#called .call");
  if (call) {
    const solid = call.querySelector("svg");
    while (solid.parentElement.children.length < 3) solid.after(solid.cloneNode(true));
    call.lastElementChild.textContent = "3 cones";
  }
  const dealer = '<span class="mark dealer"><span class="word">' + dealt + "</span></span>";
  const notes = said ? document.querySelectorAll(".board .slot .note") : [];
  for (const note of notes) note.textContent = said;
  for (const seat of document.querySelectorAll(".seat")) {
    const marks = seat.querySelector(".marks");
    seat.querySelector(".who").textContent = name;
    seat.querySelector(".name").classList.add("long");
    const isWide = name.split(" ").some((word) => word.length > 9);
    seat.querySelector(".name").classList.toggle("wide", isWide);
    if (!marks.querySelector(".dealer")) marks.insertAdjacentHTML("beforeend", ` ${dealer}`);
  }
}"""
LONG_NAMES = (
    ("Resilient Goldfinch", "dealer", "didn’t follow"),
    ("Hérisson prévoyant", "donneur", "défausse"),
    ("Passerelle Prodigieuse", "donneur", "défausse"),
)
# Words of names that stand in two lines, a letter or two in the second.
BROKEN = r"""(names) => Array.from(document.querySelectorAll(names)).flatMap((who) => {
  const text = who.firstChild;
  return Array.from(text.data.matchAll(/\S+/g)).filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1;
  }).map(([word]) => word);
})"""
# Seats beyond the inner edge of the board's rim, with by how many pixels at its four sides.
OVER_THE_RIM = r"""() => {
  const board = document.querySelector(".board");
  const { left, top, right, bottom } = board.getBoundingClientRect();
  const rim = parseFloat(getComputedStyle(board).borderTopWidth);
  return Array.from(document.querySelectorAll(".seat"), (seat) => {
    const box = seat.getBoundingClientRect();
    return [seat.textContent.trim().replace(/\s+/g, " "), left + rim - box.left,
      top + rim - box.top, box.right - right + rim, box.bottom - bottom + rim];
  }).filter(([, ...over]) => Math.max(...over) > 0.5);
}"""

# What is said of a card, over one of its rows.
OVER_A_ROW = r"""() => Array.from(document.querySelectorAll(".board .slot .note"), (note) => {
  const card = note.parentElement.querySelector(".card")?.getBoundingClientRect();
  const { width, top, bottom } = note.getBoundingClientRect();
  const isOver = card && width > 1 && bottom > card.top + 0.28 * card.height + 1;
  return isOver && top < card.bottom - 1 ? note.textContent : "";
}).filter(Boolean)"""

# Which pairs of kinds may never overlap.
APART = {
    ("card of the hand", "card of the hand"),
    ("card of the hand", "confirm button"),
    ("card of the hand", "choice"),
    ("card of the hand", "seat"),
    ("card of the hand", "prompt"),
    ("card of the hand", "chip"),
    ("card of the hand", "card of the trick"),
    ("card of the hand", "slot"),
    ("card of the hand", "result"),
    ("card of the trick", "card of the trick"),
    ("card of the trick", "chip"),
    ("card of the trick", "prompt"),
    ("confirm button", "sentence"),
    ("confirm button", "choice"),
    ("seat", "seat"),
    ("seat", "card of the trick"),
    ("seat", "slot"),
    ("seat", "chip"),
    ("seat", "prompt"),
    ("seat", "choice"),
    ("choice", "choice"),
    ("name", "facts"),
}
Box = dict[str, Any]


def _area(box: Box) -> str:
    return "{left:.0f}–{right:.0f} × {top:.0f}–{bottom:.0f}".format(**box)


def _overlap(one: Box, other: Box) -> bool:
    """By more than half a pixel."""
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return bool(across > 0.5 and down > 0.5)


class Surveyor:
    """Measures pages at all sizes; collects what is wrong, and where."""

    def __init__(self, page: Page, seats: int) -> None:
        self.page, self.seats = page, seats
        self.found: dict[str, list[str]] = {}

    def _note(self, wrong: str, state: str) -> None:
        self.found.setdefault(wrong, []).append(state)

    def look(self, moment: str, looks: Sequence[tuple[ViewportSize, Scheme]] = LOOKS) -> None:
        """This moment at all sizes, light and dark."""
        for size, scheme in looks:
            self._resize(size, scheme)
            state = self._judge(moment, size, scheme)
            is_coloured = (size, scheme) in COLOURED and self.seats > 2  # or in test_access.py
            for violation in axe_of(self.page, CONTRAST) if is_coloured else ():
                for node in violation["nodes"]:
                    self._note(
                        f"too pale: {node['target']}", f"{state} {node['any'][0]['message']}"
                    )

    def open_sheets(self, moment: str) -> None:
        """Each sheet in turn, on a phone and a laptop."""
        for size, name in product((PHONE, LAPTOP), SHEETS):
            self._resize(size, "light")
            opener = self.page.get_by_role("button", name=name, exact=True)
            opener.click()
            expect(self.page.locator(".sheet[open]")).to_be_visible()
            self._judge(f"{moment}, {name} open", size, "light")
            self.page.keyboard.press("Escape")
            expect(self.page.locator(".sheet[open]")).to_have_count(0)

    def _resize(self, size: ViewportSize, scheme: Scheme) -> None:
        self.page.mouse.move(0, 0)
        self.page.set_viewport_size(size)
        self.page.emulate_media(color_scheme=scheme)

    def _judge(self, moment: str, size: ViewportSize, scheme: Scheme) -> str:
        """Measure what is shown; gives the words for this state."""
        state = f"{self.seats} seats, {moment} ({scheme}, {size['width']}x{size['height']})"
        seen = self.page.evaluate(MEASURE)
        boxes: list[Box] = seen["boxes"]
        is_roomy = size in (PHONE, LAPTOP, SCREEN) or self.seats <= FEW
        apart = APART | {("card of the hand", "sheet")}
        if moment.endswith(" end"):  # the prompt stays in sight, over the last trick if need be
            apart = apart - {("card of the trick", "prompt")} | {("result", "prompt")}
        if not is_roomy:
            apart -= {("result", "prompt")}
        if seen["wide"]:
            self._note(f"horizontal scroll: {seen['wide']}", state)
        for n, one in enumerate(boxes):
            if one["left"] < -0.5 or one["right"] > size["width"] + 0.5:
                self._note(f"clipped: {one['what']}", f"{state} {_area(one)}")
            for other in boxes[n + 1 :]:
                pair = (one["kind"], other["kind"])
                if (pair in apart or pair[::-1] in apart) and _overlap(one, other):
                    wrong = f"{one['kind']} and {other['kind']} overlap"
                    where = f"{one['what']} {_area(one)} / {other['what']} {_area(other)}"
                    self._note(wrong, f"{state} {where}")
        for words in self.page.evaluate(OVER_A_ROW):
            self._note(f"over a row: {words}", state)
        for what, inside, room in seen["overflowing"]:
            self._note(f"does not fit: {what}", f"{state} {inside} px in {room}")
        for what, inside, room in seen["cut"]:
            self._note(f"cut off: {what}", f"{state} {inside} px in {room}")
        if size in TOUCHED:
            for target in seen["targets"]:
                sides = (
                    target["right"] - target["left"],
                    target["bottom"] - target["top"],
                )
                if min(sides) < THUMB - 0.05:
                    wrong = f"less than {THUMB} px: {target['what']}"
                    self._note(wrong, f"{state} {sides[0]:.1f} x {sides[1]:.1f}")
        if is_roomy and moment.partition(",")[0] in IN_PLAY:
            for box in boxes:
                if box["kind"] in ("call", "sentence", "card of the hand") and not (
                    box["top"] >= -0.5 and box["bottom"] <= size["height"] + 0.5
                ):
                    self._note(f"beyond the screen: {box['kind']}", f"{state} {_area(box)}")
        return state

    def approves(self) -> None:
        """Fail with all that was found, if anything was."""
        lines = [
            f"{wrong} ({len(states)} times)\n" + "\n".join(f"    {s}" for s in states[:8])
            for wrong, states in self.found.items()
        ]
        if lines:
            pytest.fail("\n".join(lines), pytrace=False)


def see_what_a_trick_left(player: Player) -> bool:
    """It is off the board, and the bids have their total; whether somebody is over the bid."""
    expect(player.page.locator("#table")).to_have_class(re.compile("swept"))
    expect(player.bar).to_contain_text(re.compile(r"8 tricks, bids total \d+$"))
    return player.page.locator(".circles .over").count() > 0


CALL_BETWEEN_TWO = """() => {
  const box = (what) => document.querySelector(what).getBoundingClientRect();
  const [theirs, mine] = ["li:not(.bottom) > .slot", ".bottom > .slot"].map(box);
  const call = box(".called .solids");
  if (call.left < theirs.right || mine.left < call.right) return false;
  return mine.top < theirs.bottom && theirs.top < call.top && call.bottom < mine.bottom;
}"""


PODIUM_FITS = """() => {
  const sheet = document.getElementById("result").getBoundingClientRect();
  return [...document.querySelectorAll("#result .podium .step")].every((step) => {
    step.querySelector(".whose").textContent = "Enthusiastic Nightingale";
    const { left, right } = step.getBoundingClientRect();
    return step.scrollWidth <= step.clientWidth && sheet.left <= left && right <= sheet.right;
  });
}"""


@pytest.mark.parametrize("seats", [2, 4, 7, 10] if IS_LONG else [2, 4, 10])
def test_everything_has_its_place(watched: Watched, server: Server, seats: int) -> None:
    table = open_table(server, seats=seats, people=1, rounds=2, deals=two_deals(seats))
    player = watched.new_player().open(table["seats"][0]["link"])
    surveyor = Surveyor(player.page, seats)
    seen: set[str] = set()
    few = seats <= FEW

    def look(moment: str) -> None:
        if moment not in seen:
            seen.add(moment)
            surveyor.look(moment)
            names = LONG_NAMES if IS_LONG else LONG_NAMES[-1:]  # the others: a test below
            for size, (name, dealer, _note) in product(TOUCHED, names if few else ()):
                surveyor._resize(size, "light")
                player.page.evaluate(WIDEST, [name, dealer, ""])
                surveyor._judge(moment, size, "light")

    kind = ""
    while kind != "over":
        kind = player.to_do()
        if kind == "bid":
            player.bids.first.press("Space")  # a press of the mouse would send it
            look("bidding")
        elif kind == "follow":
            is_void = "No card with" in player.prompt.inner_text()
            player.follows.first.press("Space")  # likewise, the last one
            look("void" if is_void else "following")
            if seats == 2:
                player.page.set_viewport_size(PHONE)
                assert player.page.evaluate(CALL_BETWEEN_TWO)
        elif kind == "lead":
            if player.taker() == "0":
                look("trick taken")
            if player.taker() and see_what_a_trick_left(player):
                seen.add("over the bid")
            card = player.playable()[0]
            player.choose(card)
            player.choose_call(card)
            if "leading" not in seen:
                surveyor.open_sheets("leading")
            look("leading")
        else:
            look("game end" if kind == "over" else "round end")
            if kind == "next":  # in the second round points stand beside names
                seen.discard("following")
        player.page.set_viewport_size(LAPTOP)
        if kind != "over":
            player.act()
    if few:
        player.page.wait_for_function(PODIUM_FITS)
    wanted = MOMENTS | ({"over the bid"} if few else set())
    assert seen >= wanted, f"never came to {wanted - seen}"
    surveyor.approves()


@pytest.mark.parametrize(("sheet", "seats"), [("Question", 10), ("Chances", 4), ("Chances", 2)])
def test_a_table_that_moved_over_for_a_sheet(watched: Watched, sheet: str, seats: int) -> None:
    player = watched.new_player().open_solo(variant="bid", seats=str(seats), rounds="2")
    surveyor = Surveyor(player.page, seats)
    sizes: list[ViewportSize] = [{"width": 1280, "height": 720}, LAPTOP, SCREEN]
    player.to_do()
    surveyor.open_sheets("bidding")  # “More” also has the pace of the bots there
    player.page.set_viewport_size(LAPTOP)
    for name in ["More", "Always"] if sheet == "Chances" else [sheet]:
        player.page.get_by_role("button", name=name, exact=True).click()
    expect(player.page.locator(".sheet[open]")).to_be_visible()
    for _ in range(2):
        kind = player.to_do()
        player.page.evaluate(WIDEST, LONG_NAMES[0][:2])
        surveyor.look(f"to {kind}, {sheet} beside it", [(size, "light") for size in sizes])
        player.page.set_viewport_size(LAPTOP)
        player.act()
    surveyor.approves()


def test_a_cover_lessons_board_has_one_line_of_buttons_on_a_phone(
    watched: Watched, server: Server
) -> None:
    _page, _other, room = as_teacher(server, watched, "away")
    key = by_services(
        server,
        "from django.utils import timezone",
        "from lessons.homework import cover",
        f"classroom = Classroom.objects.get(pk={room})",
        "sheet = cover.make_sheet(classroom=classroom, until=timezone.localdate())",
        "answer = sheet.key",
    )
    page = watched.new_page(viewport=PHONE)
    page.goto(f"/cover/{key}/")
    page.locator("button[value=come]").click()
    page.locator("button[value=boards]").click()
    back = page.locator(".tools").get_by_role("link", name="Lesson", exact=True)
    expect(back).to_have_attribute("href", f"/cover/{key}/")
    tops = page.locator(".tools > :visible").evaluate_all(
        "all => all.map((it) => it.offsetTop)"
    )
    assert len({*tops}) == 1
    assert page.locator("#bar p").evaluate("it => it.offsetHeight") < 35  # two lines


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_long_name_stays_in_its_place_on_a_phone(
    watched: Watched, server: Server, seats: int
) -> None:
    """Whoever plays and whoever deals, with the longest names of both languages."""
    table = open_table(server, seats=seats, people=1, deals=two_deals(seats)[1:], rounds=1)
    player = watched.new_player().open(table["seats"][0]["link"])
    surveyor = Surveyor(player.page, seats)
    seen: set[str] = set()
    while (kind := player.to_do()) != "over" and not seen >= {"bid", "follow"}:
        if kind not in seen:
            seen.add(kind)
            for size, (name, dealer, note) in product(PHONES, LONG_NAMES):
                surveyor._resize(size, "light")
                # Of four, cards at the sides are the nearest to the edge.
                player.page.evaluate(WIDEST, [name, dealer, note if seats == 4 else ""])
                surveyor._judge(f"to {kind}, all are {name}", size, "light")
                if size is SMALL_PHONE:  # there words break, and seats stand over the rim
                    continue
                for word in player.page.evaluate(BROKEN, ".seat .who"):
                    surveyor._note(f"in two lines: {word}", f"to {kind}")
                for out in player.page.evaluate(OVER_THE_RIM) if size is PHONE else ():
                    surveyor._note(f"over the rim: {out[0]}", f"to {kind}: {out[1:]}")
        player.act()
    assert seen >= {"bid", "follow"}
    surveyor.approves()


def test_a_french_table_waits_within_a_phone(in_french: Watched, french: Server) -> None:
    """“Pas encore commencé” beside five buttons, “pas encore là” in a seat at the side."""
    page = in_french.new_page(viewport=PHONE, locale="fr-FR")
    page.goto(open_table(french)["seats"][0]["link"])
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.locator(".seat .state")).to_have_count(4)
    surveyor = Surveyor(page, 4)
    for size in (PHONE, LAPTOP):
        surveyor._resize(size, "light")
        surveyor._judge("waiting", size, "light")
    surveyor.approves()


@pytest.mark.parametrize("size", [SMALL_PHONE, {"width": 360, "height": 640}])
def test_a_french_chapter_has_its_hand_on_a_small_phone(
    in_french: Watched, size: ViewportSize
) -> None:
    """Nothing scrolls while a card is played, and the call leaves my place its number."""
    page = in_french.new_page(viewport=size, locale="fr-FR")
    tall = "() => document.scrollingElement.scrollHeight"
    for chapter in chapters():
        page.goto(f"/learn/play/{chapter.slug}/")
        expect(page.locator("html")).to_have_attribute("lang", "fr")
        assert page.evaluate(tall) <= size["height"], chapter.slug
        words = page.locator("#called").bounding_box()
        place = page.locator(".mine .place b")
        if words and place.count():
            number = place.bounding_box()
            assert number
            assert words["y"] + words["height"] <= number["y"], chapter.slug
        # Where something else is meant than what was called, the call is no news.
        expect(page.locator("[data-meant] .called .call:visible")).to_have_count(0)


def test_no_name_breaks_in_a_french_result_on_a_small_phone(browser: Browser) -> None:
    names = ("Abraham", "Florence", "Maryam", "Emmy")
    rows = [
        ResultRow(
            place=seat + 1, seat=seat, total=-seat, gained=1, bid=1, taken=1, made=1, rounds=1
        )
        for seat in range(4)
    ]
    told = {"remarkable": "", "chart": None, "round": 1, "rounds": 1, "table": "", "board": 0}
    with override("fr"):
        sheet = render(
            "fr",
            "result",
            "result",
            names=names,
            variant="bid",
            standings=tuple(rows),
            winners=(0,),
            podium=3,
            own=(),
            **told,
        )
    styles = [f"games/static/games/{name}.css" for name in ("site", "table", "result")]
    css = "".join(Path(style).read_text(encoding="utf-8") for style in styles)
    with closing(browser.new_page(viewport=SMALL_PHONE)) as page:
        page.set_content(f"""<style>{css}</style>
          <main><div class="at-table ended"><div class="stage">{sheet}</div></div></main>""")
        assert page.locator(".result tbody tr").count() == len(names)
        assert page.evaluate(BROKEN, ".result [data-me]") == []


@pytest.mark.parametrize("seats", [3, 4, 10])
def test_i_wait_below_the_middle_of_the_table(
    watched: Watched, server: Server, seats: int
) -> None:
    """No card lies beside my name yet, so it does not stand where it would then."""
    page = watched.new_page(viewport=PHONE)
    page.goto(open_table(server, seats=seats, people=seats)["seats"][0]["link"])
    expect(page.locator(".seat .state")).to_have_count(seats)
    for size in (PHONE, LAPTOP, SCREEN):
        page.set_viewport_size(size)
        words = page.locator(".middle .big").bounding_box()
        mine = page.locator(".bottom .seat").bounding_box()
        assert words
        assert mine
        assert abs(mine["x"] + mine["width"] / 2 - words["x"] - words["width"] / 2) < 2
        assert mine["y"] > words["y"] + words["height"]


@pytest.fixture
def in_large_text(browser: Browser, server: Server) -> Iterator[Watched]:
    """Pages whose browser is set to letters of twice the usual size."""
    flags = [*FLAGS, "--blink-settings=defaultFontSize=32"]
    with closing(browser.browser_type.launch(executable_path=CHROMIUM, args=flags)) as large:
        yield from guarded(large, server)


@pytest.mark.parametrize("seats", [4, 6])
def test_text_at_twice_its_size(in_large_text: Watched, seats: int) -> None:
    """The browser's own setting of its text; nothing may be lost or lie on anything else."""
    player = in_large_text.new_player().open_solo(variant="bid", seats=str(seats), rounds="1")
    assert player.page.evaluate("getComputedStyle(document.body).fontSize") == "32px"
    surveyor = Surveyor(player.page, seats)
    seen: set[str] = set()
    while (kind := player.to_do()) != "over":
        if kind not in seen:
            seen.add(kind)
            sizes = (PHONE, SMALL_PHONE, LAPTOP)
            surveyor.look(f"{kind} in large text", [(size, "light") for size in sizes])
        player.act()
    surveyor.look("game end in large text", [(SMALL_PHONE, "light"), (LAPTOP, "light")])
    surveyor.approves()
    player.page.set_viewport_size(PHONE)
    for address in ("/", "/play/", "/learn/"):
        player.page.goto(address)
        assert player.page.evaluate(MEASURE)["wide"] == "", address


# Shifts are kept with what moved. Also those within half a second of a choice: Chromium calls
# all of an instant game "after input", and nothing would be left to count.
KEEP_SHIFTS = r"""
window.shifts = [];
window.keeper = new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const area = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
    const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
      const element = node?.nodeType === 3 ? node.parentElement : node;
      const name = element?.id || `${element?.parentElement?.closest("[id]")?.id} ` +
        `${element?.localName}.${element?.classList}`;
      return `#${name}: ${area(previousRect)} -> ${area(currentRect)}`;
    });
    window.shifts.push([entry.value, moved]);
  }
});
window.keeper.observe({ type: "layout-shift", buffered: true });
"""
TAKE_SHIFTS = """async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return window.shifts.splice(0);
}"""
CLICK = "element => element.click()"


def act_by_script(player: Player) -> str:
    """Do what is to be done without input; says what it was."""
    kind = player.to_do()
    if kind in ("next", "over"):
        return kind
    turn = player.turn()
    choices = {"bid": player.bids, "lead": player.leads, "follow": player.follows}[kind]
    choices.first.evaluate(CLICK)
    if kind == "lead":
        player.calls.first.evaluate(CLICK)
    expect(player.confirm).to_be_enabled()
    player.confirm.evaluate(CLICK)
    player.done(turn)
    return kind


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_nothing_jumps_in_a_round(watched: Watched, size: ViewportSize) -> None:
    context = watched.new_context(viewport=size)
    context.add_init_script(KEEP_SHIFTS)
    player = Player(context.new_page()).open_solo(variant="bid", seats="4", rounds="2")
    page = player.page
    player.to_do()
    blamed: dict[str, list[tuple[float, list[str]]]] = {}
    kind = ""

    def take(when: str) -> None:
        for value, moved in page.evaluate(TAKE_SHIFTS):
            grown = any(each.startswith(("#prompt:", "#seats li.bottom")) for each in moved)
            if grown and not player.holds():
                continue  # with my last card the board takes the hand's room
            blamed.setdefault(when, []).append((round(value, 4), moved))

    take("at first")
    while kind not in ("next", "over"):
        kind = act_by_script(player)
        player.to_do()
        take(f"after {kind}")
    total = sum(value for shifts in blamed.values() for value, _ in shifts)
    assert total <= SHIFT_ALLOWED, f"{total:.4f}: {json.dumps(blamed, indent=1)}"
    # The observer does see what jumps.
    page.locator(".top").evaluate("top => { top.style.marginTop = '150px'; }")
    page.wait_for_function("() => window.shifts.length > 0")


# Of trees of draws: which texts a branch runs through (chances lie on theirs), and which are
# wider than their chip.
CROSSED = """() => {
  const crossed = [];
  for (const svg of document.querySelectorAll(".tree svg")) {
    for (const text of svg.querySelectorAll(".whats text, .ends text")) {
      const words = text.textContent, { x, y, width, height } = text.getBBox();
      const chip = text.previousElementSibling;
      if (chip?.matches("rect") && width > chip.getBBox().width) crossed.push(words);
      const holds = (px, py) => px > x && px < x + width && py > y + 2 && py < y + height - 2;
      if (x < 0 || x + width > svg.viewBox.baseVal.width) crossed.push(words);
      for (const branch of svg.querySelectorAll("path")) {
        for (let at = 0; at <= branch.getTotalLength(); at += 0.5) {
          const { x: px, y: py } = branch.getPointAtLength(at);
          if (holds(px, py)) crossed.push(words);
        }
      }
    }
  }
  return Array.from(new Set(crossed));
}"""


def test_no_branch_of_a_tree_runs_through_its_text(browser: Browser) -> None:
    events: list[Event] = [("call", "3-star"), ("call", "2-cone"), ("least", 10), ("value", 10)]
    trees = []
    for language in ("en", "fr"):
        with override(language):
            tell = "lessons/_tree.html"
            trees += [render_to_string(tell, {"tree": path_tree(each)}) for each in events]
    styles = ("games/static/games/site.css", "lessons/static/lessons/questions.css")
    css = "".join(Path(style).read_text(encoding="utf-8") for style in styles)
    with closing(browser.new_page(viewport=PHONE)) as page:
        page.set_content(f"<style>{css}</style><main>{''.join(trees)}</main>")
        assert page.evaluate(CROSSED) == []
