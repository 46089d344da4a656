"""Pages of results in a real browser, with the demo class: at every size and in both themes, on
paper, by keyboard, live, and without a name where names are hidden."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.scenes.browser import (
    LAPTOP,
    PHONE,
    SCREEN,
    Inspector,
    Watched,
    as_teacher,
    by_services,
    follow,
)
from tests.server import Server

FACTS = """
room = Classroom.objects.get(demo=True)
answer = dict(
    cookie=signed_in(room.teachers.get()).cookies["sessionid"].value, room=room.pk,
    sessions=list(room.sessions.order_by("created").values_list("pk", flat=True)),
    students=list(room.students.order_by("pk").values_list("pk", "name")))
"""

pytestmark = pytest.mark.xdist_group("demo")

LOOK = Path(__file__).with_name("look.js").read_text(encoding="utf-8")


@dataclass
class Demo:
    """The demo class on the server, and its teacher's sign-in."""

    cookie: str
    room: int
    sessions: list[int]
    students: list[tuple[int, str]]

    def page(self, watched: Watched, **options: object) -> Page:
        return watched.new_page(("sessionid", self.cookie), **options)

    @property
    def results(self) -> str:
        """The results of the duplicate session: it has every chart."""
        return f"/teach/sessions/{self.sessions[1]}/results/"

    def names_in(self, page: Page) -> list[str]:
        source = page.content()
        return [name for _pk, name in self.students if name in source]


@pytest.fixture(scope="module")
def demo(server: Server) -> Demo:
    # Walls that others have put up bear a demo's badge, too.
    by_services(server, "Classroom.objects.filter(demo=True).update(demo=False)")
    server.manage("demo")
    return Demo(**by_services(server, *FACTS.splitlines()))


DRAW = """async () => {
  document.querySelectorAll(".chapter").forEach((each) => each.classList.add("chosen"));
  const plots = document.querySelectorAll(".chart .plot");
  for (const plot of plots) {
    plot.scrollIntoView({ block: "nearest", behavior: "instant" });
    for (const since = performance.now(); !plot.querySelector("svg");) {
      if (performance.now() > since + 20_000) throw new Error(`${plot.ariaLabel} is not drawn`);
      await new Promise(requestAnimationFrame);
    }
  }
  scrollTo(0, 0);
  return plots.length;
}"""


def drawn(page: Page) -> int:
    """How many charts the page has, once all of them have come into view: of a page in
    chapters every one is opened."""
    return int(page.evaluate(DRAW))


def above_the_fold(page: Page) -> int:
    """How many tiles a laptop's screen shows whole, before anybody has scrolled."""
    boxes = [tile.bounding_box() for tile in page.locator(".tile").all()]
    return sum(box["y"] + box["height"] <= LAPTOP["height"] for box in boxes if box)


CROSSED = """() => {
  const found = [];
  const numbers = (plot) => [...plot.querySelectorAll("text.label")]
    .filter((text) => text.textContent.trim())
    .map((text) => [text.textContent, text.getBoundingClientRect()]);
  const lines = (plot) => [...plot.querySelectorAll("path.line, path.crisp")]
    .filter((line) => line.getTotalLength());
  for (const plot of document.querySelectorAll(".plot")) {
    const frame = plot.getBoundingClientRect(), key = plot.closest("section, article").id;
    const points = lines(plot).flatMap((line) => {
      const length = line.getTotalLength(), place = line.getScreenCTM();
      return Array.from({ length: 401 }, (_none, step) =>
        line.getPointAtLength(length * step / 400).matrixTransform(place));
    });
    for (const [words, box] of numbers(plot)) {
      const within = (at) => at.x > box.left + 1 && at.x < box.right - 1
        && at.y > box.top + 3 && at.y < box.bottom - 3;
      if (points.some(within)) found.push(`${key}: ${words} is crossed`);
      if (box.left < frame.left || box.right > frame.right)
        found.push(`${key}: ${words} is cut`);
    }
    for (const title of plot.querySelectorAll(".xtitle, .ytitle, .legendtext")) {
      const box = title.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1)
        found.push(`${key}: ${title.textContent} is cut`);
    }
  }
  return found;
}"""
"""Numbers in the page's charts that a line of theory or an axis crosses, and words cut off."""


def test_no_line_crosses_a_number_in_a_chart(watched: Watched, demo: Demo) -> None:
    student = demo.students[3][0]
    page = demo.page(watched)
    addresses = (
        *(f"/teach/sessions/{session}/results/" for session in demo.sessions),
        f"/teach/classrooms/{demo.room}/results/",
        f"/teach/students/{student}/results/",
    )
    for size, address in product((PHONE, LAPTOP), addresses):
        page.set_viewport_size(size)
        page.goto(address)
        drawn(page)
        assert page.evaluate(CROSSED) == [], (size, address)
    page.set_viewport_size(SCREEN)
    page.goto(f"{demo.results}wall/?all")
    drawn(page)
    assert page.evaluate(CROSSED) == []


def test_a_session_in_which_only_a_lesson_was_held(watched: Watched, server: Server) -> None:
    page, _other, room = as_teacher(server, watched, "a lesson alone")
    session = by_services(server, *A_LESSON.format(room=room).splitlines())
    page.goto(f"/teach/sessions/{session}/lesson/")
    follow(page.get_by_role("link", name="Results", exact=True))
    expect(page.locator("#lesson-1")).to_be_in_viewport()
    page.goto(f"/teach/sessions/{session}/results/")
    expect(page.locator(".state").first).to_have_text("Final · Students who came: 6")
    expect(page.locator(".tile")).to_have_count(3)
    assert above_the_fold(page) == 3
    said = page.locator("#lesson-1-step-1")
    expect(said.locator("tr.true th")).to_contain_text("30–39")
    expect(page.locator("#lesson-1-step-3 .summary")).to_contain_text("In these data")
    assert drawn(page) >= 1
    assert page.locator("#bias, #skills").count() == 0
    assert page.evaluate(CROSSED) == []
    inspector = Inspector()
    inspector.look(page, "a lesson alone")
    page.goto(f"/teach/sessions/{session}/results/wall/")
    drawn(page)
    inspector.look(page, "a lesson alone, on the wall")
    inspector.approves()


A_LESSON = """
from lessons.visits import doing, holding
from lessons.course import lesson
from lessons.visits.ways import Visitor
session = a_session(Classroom.objects.get(pk={room}))
people = students_in(session, 6)
course = lesson("class-deals")
holding.hold(session=session, slug=course.slug)
for number in (1, 2, 3):
    holding.open_step(session=session, number=number)
    for place, student in enumerate(people):
        visitor = Visitor(student=student, session=session.pk)
        at = dict(lesson=course, visitor=visitor, number=number)
        if number == 1:
            doing.predict(**at, value=20 + 5 * place)
        elif number == 2:
            doing.deal_hands(**at)
holding.end_lesson(session=session)
closing.close_session(session_id=session.pk)
answer = session.pk
"""


def test_every_page_at_every_size(watched: Watched, demo: Demo) -> None:
    inspector = Inspector()
    student = demo.students[3][0]
    pages = {
        "session": (demo.results, 8),
        "learning": (f"/teach/sessions/{demo.sessions[1]}/learning/", 2),
        "classroom": (f"/teach/classrooms/{demo.room}/results/", 2),
        "classroom learning": (f"/teach/classrooms/{demo.room}/learning/", 2),
        "student": (f"/teach/students/{student}/results/", 3),
    }
    page = demo.page(watched, viewport=LAPTOP)
    for name, (address, charts) in pages.items():
        page.goto(address)
        assert drawn(page) >= charts, name
        expect(page.get_by_text("Demo: simulated students").first).to_be_visible()
        inspector.look(page, name)
        assert demo.names_in(page) == []
    # A heat map is a table: a number in every coloured cell, and more than one colour.
    page.goto(demo.results)
    cells = page.locator(".heat td[class^=shade]")
    assert all(text.strip() for text in cells.all_text_contents())
    colours = {
        cell.evaluate("cell => getComputedStyle(cell).backgroundColor") for cell in cells.all()
    }
    assert len(colours) >= 4
    assert page.locator(".heat svg").count() == 0
    inspector.approves()


def test_what_a_teacher_asks_is_two_presses_from_the_class(
    watched: Watched, demo: Demo
) -> None:
    page = demo.page(watched, viewport=LAPTOP)
    home = f"/teach/classrooms/{demo.room}/"
    page.goto(home)
    page.get_by_role("link", name="Were our bids too high or too low?").click()
    expect(page.locator("#bias")).to_be_in_viewport(ratio=0.9)
    page.goto(home)
    page.get_by_role("link", name="What to teach next").click()
    expect(page.locator("#tile-next")).to_be_in_viewport()
    page.goto(home)
    page.get_by_role("link", name="A page for each student").click()
    chosen = page.locator(".chapter.chosen #each, #each.chosen")  # by the script
    expect(chosen).to_be_attached()
    assert demo.names_in(page) == []
    with page.expect_navigation():
        page.get_by_role("button", name="Show names").click()  # in the chapter that is open
    expect(page.get_by_role("button", name="Hide names")).to_be_visible()
    assert len(demo.names_in(page)) > 15
    expect(page.locator("#each .chips a", has_text="Student 4")).to_have_count(0)
    expect(chosen).to_be_attached()
    expect(page.locator("#each .chips")).to_be_visible()
    with page.expect_navigation():
        page.get_by_role("button", name="Hide names").click()
    expect(chosen).to_be_attached()  # the page that came is at its chapter again
    page.locator("#each .chips").get_by_role("link", name="Student 4", exact=True).click()
    expect(page.locator("h1")).to_contain_text("Student 4 Demo class")
    expect(
        page.get_by_role("button", name="Print one page")
    ).to_be_visible()  # for their parents
    expect(page.locator(".opening")).to_be_in_viewport()


@pytest.mark.parametrize("scripts", [True, False])
def test_who_knows_what_sorts_by_keyboard(watched: Watched, demo: Demo, scripts: bool) -> None:
    page = demo.page(watched, viewport=LAPTOP, java_script_enabled=scripts)
    page.goto(f"/teach/classrooms/{demo.room}/results/")
    if scripts:
        assert above_the_fold(page) == 4
    names = page.locator("#matrix tbody th")
    by_help = names.all_inner_texts()
    names.last.scroll_into_view_if_needed()  # by the page alone, below the head
    head = page.locator("#matrix thead th").last.bounding_box()
    assert head
    assert abs(head["y"]) < 1
    by_name, first = (page.locator(f"#matrix [data-sort={key}]") for key in ("name", "need"))
    by_name.focus()
    page.keyboard.press("Enter")
    expect(by_name).to_have_attribute("aria-current", "true")
    expect(names.first).to_have_text("Student 3")  # 1 and 2 have tried nothing
    numbers = [int(name.split()[1]) for name in names.all_inner_texts()]
    assert numbers == sorted(numbers) != [int(name.split()[1]) for name in by_help]
    first.focus()
    page.keyboard.press("Enter")
    expect(names).to_have_text(by_help)
    page.locator("#matrix tbody a").first.click()
    expect(page.locator("h1")).to_contain_text(by_help[0])
    expect(page.locator(".tile").first).to_be_in_viewport()


@pytest.mark.parametrize("scripts", [True, False])
def test_one_chapter_is_shown_and_before_it_three_screens_at_most(
    watched: Watched, demo: Demo, scripts: bool
) -> None:
    page = demo.page(watched, viewport=LAPTOP, java_script_enabled=scripts)
    page.goto(demo.results)
    tiles = page.locator(".tile")
    expect(tiles).to_have_count(6)
    assert above_the_fold(page) == 6
    for tile in tiles.all():
        assert len(tile.locator(".claim").inner_text().split()) <= 9
        if scripts:  # names stand at their marks, and leave the plot its height
            plot = tile.locator(".plot").bounding_box()
            assert plot
            assert plot["height"] >= 144
            assert not tile.locator(".legendtext").count()
    if scripts:
        first = demo.page(watched, viewport=LAPTOP)
        first.goto(f"/teach/sessions/{demo.sessions[0]}/results/")
        expect(first.locator(".tile .plot > svg")).to_have_count(6)
        assert above_the_fold(first) == 6
        first.close()
    if scripts:  # without them the sheet of files lies open below
        foot = page.locator("footer.site").bounding_box()
        assert foot
        assert foot["y"] + foot["height"] <= 3 * LAPTOP["height"]
    expect(page.locator(".chapter").filter(visible=True)).to_have_count(0)
    menu = page.get_by_role("navigation", name="Chapters")
    menu.get_by_role("link", name="How far off are our bids?").click()
    expect(page.locator("#bias")).to_be_in_viewport(ratio=0.95)  # a screen a question
    expect(page.locator(".tiles")).to_be_hidden()
    expect(menu.get_by_role("link", name="How far off are our bids?")).to_be_hidden()
    if scripts:
        expect(page.locator("#bias .plot > svg")).to_be_visible()
        assert page.locator("#hands .plot > svg").count() == 0  # nobody has looked there
        here = menu.locator("[aria-current]")
        expect(here).to_have_text("The bids")
    menu.get_by_role("link", name="The deals").click()
    expect(page.locator("#leads")).to_be_visible()
    expect(page.locator("#bias")).to_be_hidden()
    page.go_back()
    expect(page.locator("#bias")).to_be_visible()
    menu.get_by_role("link", name="At a glance").click()
    expect(page.locator(".tiles")).to_be_visible()
    expect(page.locator(".chapter").filter(visible=True)).to_have_count(0)


def test_a_tile_grows_in_place_and_goes_back(watched: Watched, demo: Demo) -> None:
    """By keyboard alone; nothing above it moves, and its figure is its chapter's own."""
    page = demo.page(watched, viewport=LAPTOP)
    page.goto(demo.results)
    expect(page.locator("#tile-bids .plot > svg")).to_be_visible()
    link = page.locator("#press-bids")
    tops = """() => [...document.querySelectorAll('.tile')].map(
        tile => Math.round(tile.getBoundingClientRect().top + scrollY))"""
    before = page.evaluate(tops)
    expect(link).to_have_attribute("aria-expanded", "false")
    link.focus()
    page.keyboard.press("Enter")
    grown = page.locator("#grown-bids")
    expect(grown).to_be_focused()
    expect(link).to_have_attribute("aria-expanded", "true")
    expect(grown.locator("#bias .plot > svg")).to_be_visible()
    expect(grown.locator(".ask")).to_be_visible()
    expect(grown.get_by_role("link", name="Numbers (CSV)")).to_be_visible()
    after = page.evaluate(tops)
    assert after[:3] == before[:3]  # a row
    assert all(low > high for low, high in zip(after[3:], before[3:], strict=True))
    box, tile = grown.bounding_box(), page.locator("#tile-bids").bounding_box()
    assert box
    assert tile
    assert tile["y"] < box["y"] < tile["y"] + tile["height"] + 30
    inspector = Inspector()
    inspector.look(page, "a tile grown")
    grown.locator("#bias summary").click()  # its table
    expect(grown.locator("#bias table")).to_be_visible()
    page.keyboard.press("Escape")
    expect(grown).to_be_hidden()
    expect(link).to_be_focused()
    assert page.evaluate(tops) == before
    assert page.locator(".chapter #bias").count() == 1
    # By pointer, anywhere on the tile; again closes it.
    page.locator("#tile-chance .plot").click()
    expect(page.locator("#grown-chance #hands")).to_be_visible()
    page.locator("#grown-chance").get_by_role("button", name="Close", exact=True).click()
    expect(page.locator("#grown-chance")).to_be_hidden()
    expect(page.locator("#press-chance")).to_be_focused()
    # Who leaves for a chapter finds the figure there.
    page.locator("#press-bids").click()
    page.get_by_role("navigation", name="Chapters").get_by_role(
        "link", name="How far off are our bids?"
    ).click()
    expect(page.locator(".chapter #bias")).to_be_visible()
    inspector.approves()


def test_a_tile_leads_on_by_one_press(watched: Watched, demo: Demo) -> None:
    page = demo.page(watched, viewport=LAPTOP)
    page.goto(demo.results)
    leads = page.locator("#tile-help .leads a")
    student = leads.first.inner_text()
    leads.first.click()
    expect(page.locator("h1")).to_contain_text(student)
    page.go_back()
    leads.filter(has_text="more").click()  # as a press on the tile does
    expect(page.locator("#grown-help tbody th").first).to_have_text(student)
    leads.filter(has_text="All work so far").click()
    expect(page.locator("#matrix h2")).to_be_in_viewport()
    page.goto(demo.results)
    page.locator("#tile-next .leads a").filter(has_text="homework").click()
    expect(page.locator("[name=questions]:checked")).to_have_value("5")
    page.go_back()
    page.locator("#tile-mistake .leads a").first.click()
    expect(page.locator(".guide")).to_be_visible()


def walked(page: Page, said: Locator, steps: int) -> list[FloatRect]:
    """Where the readout stands at the marks that follow."""
    places = []
    for _step in range(steps):
        page.keyboard.press("ArrowRight")
        if (box := said.bounding_box()) is not None:
            places.append(box)
    return places


def test_a_charts_numbers_are_read_mark_by_mark(watched: Watched, demo: Demo) -> None:
    page = demo.page(watched, viewport=LAPTOP)
    page.goto(f"{demo.results}#hands")
    plot = page.locator("#hands .plot")
    expect(plot.locator(".point").first).to_be_attached()
    plot.focus()
    page.keyboard.press("ArrowRight")
    said = plot.locator(".readout")
    expect(said).to_contain_text("Hands:")
    first = said.inner_text()
    expect(page.get_by_role("status").filter(has_text=first)).to_be_attached()
    page.keyboard.press("ArrowRight")
    expect(said).not_to_have_text(first)
    lefts = [place["x"] for place in walked(page, said, 9)]
    assert lefts == sorted(lefts)  # beside its own mark, a bar of no height, too
    page.keyboard.press("End")
    expect(said).to_contain_text("Theory:")
    box, frame = said.bounding_box(), plot.bounding_box()
    assert box
    assert frame
    assert box["x"] >= frame["x"] - 1
    assert box["x"] + box["width"] <= frame["x"] + frame["width"] + 1
    page.keyboard.press("Tab")
    expect(said).to_have_count(0)
    plot.locator(".point").first.hover()
    expect(said).to_have_text(first)
    assert plot.locator(".point").first.locator("title").count() == 0  # no second one
    page.mouse.move(0, 0)
    expect(said).to_have_count(0)


def test_without_scripts_a_tile_leads_to_its_chapter(watched: Watched, demo: Demo) -> None:
    page = demo.page(watched, viewport=LAPTOP, java_script_enabled=False)
    page.goto(demo.results)
    expect(page.locator("#tile-bids .said")).to_contain_text("on average")
    page.locator("#press-bids").click()
    expect(page.locator(".chapter #bias")).to_be_visible()


def test_in_a_row_numbers_and_charts_stand_on_one_line(watched: Watched, demo: Demo) -> None:
    page = demo.page(watched, viewport=LAPTOP)
    page.goto(demo.results)
    for part in (".number", ".plot"):
        boxes = [each.bounding_box() for each in page.locator(f".tile > {part}").all()]
        assert len({round(box["y"]) for box in boxes if box}) == 2  # two rows
    sizes = "all => all.map(each => getComputedStyle(each).fontSize)"
    assert len({*page.locator(".tile > .number").evaluate_all(sizes)}) == 1


def test_on_a_phone_a_chart_has_the_width_of_its_tile(watched: Watched, demo: Demo) -> None:
    page = demo.page(watched, viewport=PHONE)
    page.goto(demo.results)
    number, plot, tile = (
        page.locator(f"#tile-bids{part}").bounding_box() for part in (" .number", " .plot", "")
    )
    assert number
    assert plot
    assert tile
    assert plot["y"] >= number["y"] + number["height"]
    assert plot["width"] > 0.9 * tile["width"]


def test_names_below_a_small_chart_do_not_run_into_each_other(
    watched: Watched, demo: Demo
) -> None:
    """Where sessions have long names, as those of one day with their times."""
    page = demo.page(watched, viewport=PHONE)
    page.goto(f"/teach/classrooms/{demo.room}/results/")
    plot = page.locator("#tile-bids .plot")
    expect(plot.locator(".xtick")).to_have_count(3)
    plot.evaluate("""plot => {
      const figure = JSON.parse(document.getElementById(plot.dataset.figure).textContent);
      for (const trace of figure.data) trace.x = trace.x.map((name) => `${name}, 12:34–13:21`);
      plot.dispatchEvent(new CustomEvent("figure", { detail: figure, bubbles: true }));
    }""")
    names = plot.locator(".xtick")
    expect(names).to_have_count(2)
    first, last = (each.bounding_box() for each in names.all())
    assert first
    assert last
    assert min(first["x"], last["x"]) + first["width"] < max(first["x"], last["x"])


def test_the_wall(watched: Watched, demo: Demo) -> None:
    inspector = Inspector()
    page = demo.page(watched, viewport=SCREEN)
    page.goto(demo.results)
    follow(page.get_by_role("button", name="Show names"))
    page.goto(f"{demo.results}wall/")
    assert demo.names_in(page) == []  # whatever the teacher's own pages show
    assert drawn(page) >= 8
    slides = page.locator(".slide")
    first = slides.first  # a chart, what is seen in it, and a question
    expect(first.locator(".plot > svg")).to_be_visible()
    expect(first.locator(".ask")).to_be_visible()
    assert "?" not in first.locator("h2").inner_text()
    for number in range(4):
        slide = slides.nth(number)
        box = slide.bounding_box()
        assert box
        assert abs(box["y"]) <= 2, number
        assert box["height"] >= SCREEN["height"] - 1
        smallest = slide.evaluate(
            """slide => Math.min(...[...slide.querySelectorAll("p, td, th, b, h1, h2")]
                 .filter(e => e.innerText.trim() && e.checkVisibility())
                 .map(e => parseFloat(getComputedStyle(e).fontSize)))"""
        )
        assert smallest >= 19, number
        page.keyboard.press("ArrowRight")
        expect(slides.nth(number + 1)).to_be_in_viewport(ratio=0.9)
    page.get_by_role("button", name="Back").click()
    expect(slides.nth(3)).to_be_in_viewport(ratio=0.9)
    inspector.look(page, "wall")
    inspector.approves()
    page.goto(demo.results)
    page.get_by_role("button", name="Hide names").click()
    expect(page.get_by_role("button", name="Show names")).to_be_visible()


def test_the_wall_cuts_nothing_off_and_ends_where_its_count_says(
    watched: Watched, demo: Demo
) -> None:
    page = demo.page(watched, viewport=LAPTOP)
    wrong: dict[str, Any] = {}
    for session in reversed(demo.sessions):  # the last, a duplicate one, the first
        page.goto(f"/teach/sessions/{session}/results/wall/")
        if (more := page.get_by_role("link", name="More")).count():
            follow(more)
        drawn(page)
        wrong |= wrong_on_slides(page, session)
        if session == demo.sessions[1]:
            rows = page.locator(".slide [id^=standings] tbody tr").count()
    assert wrong == {}
    page.goto(demo.results)
    assert page.locator("[id^=standings] tbody tr").count() > 2 * rows >= 10


def wrong_on_slides(page: Page, session: int) -> dict[str, list[str]]:
    """What is wrong with what each slide shows, one after the other."""
    wrong: dict[str, Any] = {}
    place = page.locator("#slide-place")
    back, forth = (page.get_by_role("button", name=name) for name in ("Back", "Next"))
    last = page.locator(".slide").count()
    expect(back).to_be_disabled()
    for number in range(1, last + 1):
        expect(place).to_have_text(f"{number} / {last}")
        if found := page.evaluate(LOOK, number - 1):
            wrong[f"slide {number} of session {session}"] = found
        if number < last:
            forth.click()
    expect(forth).to_be_disabled()
    return wrong


def test_tables_fit_a_phone_or_say_that_they_go_on_and_end_on_whole_rows(
    watched: Watched, demo: Demo
) -> None:
    page = demo.page(watched, viewport=PHONE)
    page.goto(demo.results)
    drawn(page)
    boxes = page.locator(".chart .scroll").filter(visible=True)
    assert boxes.count() >= 4
    for box in boxes.all():
        wide, high = box.evaluate(
            "b => [b.scrollWidth - b.clientWidth, b.scrollHeight - b.clientHeight]"
        )
        assert high <= 0
        shaded = box.evaluate("b => getComputedStyle(b).backgroundAttachment")
        assert wide <= 0 or "local" in shaded
    standing = page.locator(".chart[id^=standings] .scroll").first
    assert standing.evaluate("b => b.scrollWidth - b.clientWidth") <= 0
    page.set_viewport_size(LAPTOP)
    cut = page.locator(".chart .scroll").evaluate_all(
        """boxes => boxes.filter((box) => { const edge = box.getBoundingClientRect().bottom;
             return [...box.querySelectorAll("tr")].some((row) => {
               const at = row.getBoundingClientRect();
               return at.top < edge - 1 && at.bottom > edge + 1; }); }).length"""
    )
    assert cut == 0


def test_the_keyboard_reaches_the_table_of_every_figure(watched: Watched, demo: Demo) -> None:
    page = demo.page(watched, viewport=LAPTOP)
    page.goto(demo.results)
    charts = drawn(page)
    opened: set[str] = set()
    page.locator(".part").first.click()
    for _press in range(120):
        page.keyboard.press("Tab")
        chart = page.evaluate(
            """() => document.activeElement.matches(".chart:has(.plot) summary")
                 ? document.activeElement.closest(".chart").id : "" """
        )
        if not chart:
            continue
        page.keyboard.press("Enter")
        table = page.locator(f"#{chart} table")
        expect(table).to_be_visible()
        assert table.locator("tbody tr").count() >= 1
        assert table.locator("thead th[scope=col]").count() >= 2
        opened.add(chart)
        if len(opened) == charts:
            break
    assert len(opened) == charts
    # Each figure is named by its question and its answer.
    for plot in page.locator(".chart .plot").all():
        assert "?" in (plot.get_attribute("aria-label") or "")


def test_the_report_on_paper(watched: Watched, demo: Demo) -> None:
    page = demo.page(watched, viewport=LAPTOP)
    page.goto(demo.results)
    charts = drawn(page)
    page.reload()  # no chapter is open
    page.emulate_media(media="print")
    expect(page.locator("h1")).to_contain_text("Demo class")
    expect(page.locator(".chart .plot > svg")).to_have_count(charts)
    expect(page.locator(".tile .plot > svg")).to_have_count(6)
    first = page.locator(".tile").last.bounding_box()
    assert first
    assert first["y"] + first["height"] < 1050  # the first sheet has them all
    expect(page.locator(".chapter").filter(visible=False)).to_have_count(0)
    for selector in (".results-top .tools", "header.site", ".results-top .names"):
        expect(page.locator(selector).first).to_be_hidden()
    for index in range(charts):
        box = page.locator(".chart .plot > svg").nth(index).bounding_box()
        assert box is None or box["width"] <= 680  # A4 less its margins
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".chart .scroll")]
             .filter(box => box.scrollHeight > box.clientHeight + 1).length"""
    )
    assert cut == 0
    assert page.pdf(format="A4").startswith(b"%PDF")


A_ROUND = """
from random import Random
from tests.scenes.by_students import by_their_student
(table,) = load_session({session}).tables
if load_table(table).status == "round_over":
    steering.deal_next_round(session_id={session})
play(table, rng=Random(5), by=by_their_student(table))
"""
IN_PLAY = """
session = a_session(Classroom.objects.get(pk={room}), seats=3, rounds=3)
students_in(session, 3)
steering.start(session_id=session.pk)
answer = session.pk
"""


def test_results_live_while_the_class_plays(watched: Watched, server: Server) -> None:
    page, _other, room = as_teacher(server, watched, "live results")
    session = by_services(server, *IN_PLAY.format(room=room).splitlines())
    a_round = A_ROUND.format(session=session).splitlines()
    page.goto(f"/teach/sessions/{session}/results/")
    state = page.locator(".state")
    expect(state).to_contain_text("Live · Finished rounds: 0")
    for panel in page.locator(".chart").all():
        expect(panel.locator(".summary")).to_contain_text("fill this")
    expect(page.locator(".tile.waits")).to_have_count(3)
    by_services(server, *a_round)
    expect(state).to_contain_text("Finished rounds: 1")  # by itself
    expect(page.locator("#bias")).to_contain_text("Hands played: 3 · Students: 3 of 3.")
    expect(page.locator("#bias")).to_contain_text("Little data: luck counts a lot")
    page.locator("#press-bids").click()
    page.locator("#bias summary").click()
    page.locator("#bias summary").focus()
    by_services(server, *a_round)
    expect(state).to_contain_text("Finished rounds: 2")
    expect(page.locator("#grown-bids #bias table")).to_be_visible()  # what was opened stays so
    expect(page.locator("#bias summary")).to_be_focused()
    expect(page.locator("#bias .plot > svg")).to_be_attached()
    expect(page.locator("#tile-bids .plot > svg")).to_be_attached()
    page.keyboard.press("Escape")
    expect(page.locator("#press-bids")).to_be_focused()
    page.get_by_role("link", name="How far off are our bids?").click()
    by_services(server, *a_round)
    expect(state).to_contain_text("Finished rounds: 3")
    expect(page.locator(".chapter #bias .plot > svg")).to_be_visible()
    page.goto(f"/teach/sessions/{session}/results/wall/")
    expect(page.locator("#few")).to_contain_text("need 5 students")
    expect(page.locator("#bias, #standings-1")).to_have_count(0)


AN_EXPERIMENT = """
from random import Random
from games.models import Result
from tests.scenes.by_students import by_their_student
session = a_session(Classroom.objects.get(pk={room}), seats=2, rounds=1, duplicate=True,
                    experiment="tips")
students_in(session, 14)
steering.start(session_id=session.pk)
for number, table in enumerate(load_session(session.pk).tables):
    play(table, rng=Random(number), by=by_their_student(table))
Result.objects.filter(deal__table__class_session=session).update(by_person=True)
answer = session.pk
"""


def test_the_lot_of_an_experiment_is_drawn_anew(watched: Watched, server: Server) -> None:
    page, _other, room = as_teacher(server, watched, "an experiment")
    session = by_services(server, *AN_EXPERIMENT.format(room=room).splitlines())
    page.goto(f"/teach/sessions/{session}/results/luck/1/")
    expect(page.locator("#experiment-tables .summary")).to_contain_text(
        "points a round for each player"
    )
    said = page.locator("#experiment-chance .summary")
    page.get_by_role("link", name="Once").click()
    expect(said).to_contain_text("of 1 shuffle")
    page.locator("#luck .primary").click()
    expect(said).to_contain_text("Those are all possible shuffles.")
