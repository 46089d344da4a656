"""Lessons in a real browser: one alone, from start to end, by mouse, keyboard and thumb; one
with a class of twelve, its predictions on the wall and data over theory; and on paper."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import pytest
from playwright.sync_api import Locator, Page, expect

from lessons.exercises.texts import exact_percent
from tests.scenes.browser import (
    LAPTOP,
    PHONE,
    SCREEN,
    Inspector,
    Watched,
    as_teacher,
    follow,
    new_teacher,
    open_session,
    students_come,
)
from tests.server import Server

ABOVE, BELOW = 28, 30  # of a graph to build: what is not its axis, in pixels
BARS = [1, 4, 10, 16, 19, 16, 10, 4, 1]
CURVE = [1, 3, 6, 7, 6, 3, 1]


class Hand:
    """How somebody works a lesson's page: with the mouse."""

    size = LAPTOP
    options: ClassVar[dict[str, Any]] = {}

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, control: Locator) -> None:
        control.click()

    def choose(self, words: str) -> None:
        self.press(self.page.locator(".options .choice", has_text=words))

    def point(self, index: int, value: int, top: int) -> None:
        """Press in the column of a bar where its top is to be; what is pressed right at its
        top would be dragged, so first somewhere else."""
        for height in (0.9 * top if value < top / 2 else 0.1 * top, value):
            self.tap(*self._place(index, height, top))

    def tap(self, x: float, y: float) -> None:
        self.page.mouse.click(x, y)

    def _place(self, index: int, value: float, top: int) -> tuple[float, float]:
        column = self.page.locator(".build-plot .handle .hit").nth(index).bounding_box()
        plot = self.page.locator(".build-plot").bounding_box()
        assert column
        assert plot
        inner = self.page.locator(".build-plot").evaluate("plot => plot.clientHeight")
        height = inner - ABOVE - BELOW
        y = plot["y"] + 1 + ABOVE + height * (1 - value / top)
        return column["x"] + column["width"] / 2, y

    def raise_bars(self, heights: list[int], top: int) -> None:
        self.page.locator(".build-plot").scroll_into_view_if_needed()
        for index, value in enumerate(heights):
            if value:
                self.point(index, value, top)
        fields = self.page.locator(".build-numbers input")
        expect(fields).to_have_count(len(heights))
        for field, value in zip(fields.all(), heights, strict=True):  # a tap is told of later
            expect(field).to_have_value(str(value) if value else re.compile("^0?$"))

    def cut(self, degrees: list[int]) -> None:
        """Drag each slice's handle round the middle of the pie."""
        plot = self.page.locator(".build-plot")
        plot.scroll_into_view_if_needed()
        box = plot.bounding_box()
        assert box
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        edge = 0
        for index, size in enumerate(degrees):
            knob = self.page.locator(".build-plot .knob").nth(index).bounding_box()
            assert knob
            x, y = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
            reach = math.hypot(x - middle[0], y - middle[1])
            start = math.degrees(math.atan2(x - middle[0], middle[1] - y)) % 360
            edge += size
            way = [
                (middle[0] + reach * math.sin(turn), middle[1] - reach * math.cos(turn))
                for turn in map(math.radians, _between(start, edge))
            ]
            self.drag((x, y), way)

    def box(self, values: list[int]) -> None:
        """Each row of a box plot where the axis above it has its number."""
        plot = self.page.locator(".build-plot")
        plot.scroll_into_view_if_needed()
        for index, value in enumerate(values):
            tick = plot.get_by_text(str(value), exact=True).first.bounding_box()
            row = plot.locator(".hit").nth(index).bounding_box()
            assert tick
            assert row
            self.tap(tick["x"] + tick["width"] / 2, row["y"] + row["height"] / 2)

    def drag(self, start: tuple[float, float], way: list[tuple[float, float]]) -> None:
        self.page.mouse.move(*start)
        self.page.mouse.down()
        for place in way:
            self.page.mouse.move(*place)
        self.page.mouse.up()


def _between(start: float, end: float) -> list[float]:
    steps = max(1, round(abs(end - start) / 15))
    return [start + (end - start) * k / steps for k in range(1, steps + 1)]


class Keys(Hand):
    """With the keyboard alone."""

    def press(self, control: Locator) -> None:
        control.focus()
        self.page.keyboard.press("Enter")

    def choose(self, words: str) -> None:
        radios = self.page.locator(".options input")
        wanted = self.page.locator(".options .choice", has_text=words).locator("input")
        radios.first.focus()
        self.page.keyboard.press("Space")
        for _press in range(radios.count()):
            if wanted.is_checked():
                return
            self.page.keyboard.press("ArrowDown")
        raise AssertionError(words)

    def slide(self, values: list[int]) -> None:
        self.page.locator(".build-plot .handle").first.focus()
        for index, value in enumerate(values):
            expect(self.page.locator(".build-plot .handle").nth(index)).to_be_focused()
            for _five in range(value // 5):
                self.page.keyboard.press("PageUp")
            for _one in range(value % 5):
                self.page.keyboard.press("ArrowUp")
            self.page.keyboard.press("Tab")

    def raise_bars(self, heights: list[int], top: int) -> None:
        self.slide(heights)

    def cut(self, degrees: list[int]) -> None:
        self.slide(degrees)

    def box(self, values: list[int]) -> None:
        for index, value in enumerate(values):
            self.page.locator(".build-plot .handle").nth(index).focus()
            self.page.keyboard.press("Home")
            for _one in range(value - 4):
                self.page.keyboard.press("ArrowRight")


class Thumb(Hand):
    """With a thumb on a phone held upright."""

    size = PHONE
    options = {"has_touch": True, "is_mobile": True}

    def press(self, control: Locator) -> None:
        control.tap()

    def tap(self, x: float, y: float) -> None:
        self.page.touchscreen.tap(x, y)

    def drag(self, start: tuple[float, float], way: list[tuple[float, float]]) -> None:
        wire = self.page.context.new_cdp_session(self.page)

        def touch(kind: str, *places: tuple[float, float]) -> None:
            points = [{"x": x, "y": y} for x, y in places]
            wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", start)
        for place in way:
            touch("touchMove", place)
        touch("touchEnd")


@pytest.mark.parametrize("hand", [Hand, Keys, Thumb], ids=["mouse", "keyboard", "phone"])
def test_lesson_2_from_start_to_end(watched: Watched, hand: type[Hand]) -> None:
    inspector = Inspector()
    page = watched.new_page(viewport=hand.size, **hand.options)
    me = hand(page)
    looks = hand is Hand

    def look(state: str) -> None:
        if looks:
            inspector.look(page, state)

    def lock(words: str) -> None:
        me.choose(words)
        me.press(page.get_by_role("button", name="Lock in my prediction"))
        expect(page.locator(".locked")).to_contain_text(words)

    def go_on(heading: str) -> None:
        me.press(page.get_by_role("link", name="Next step"))
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        page.wait_for_load_state()  # a key before htmx is there leaves the lesson's page

    def check() -> None:
        me.press(page.get_by_role("button", name="Check", exact=True))

    page.goto("/lessons/")
    look("all lessons")
    with page.expect_navigation():
        me.press(page.get_by_role("link", name="The stats table and the bell"))
    look("a prediction")
    assert page.get_by_role("link", name="Next step").count() == 0
    lock("8")
    look("a prediction, locked")

    go_on("Raise the bars")
    me.raise_bars([9] * 9, 20)
    check()
    expect(page.locator(".told")).to_contain_text("the same size")
    expect(page.locator(".told")).to_be_focused()  # so that it is spoken
    look("a graph, wrong")
    if hand is Keys:  # sliders stand where they were
        for index, value in enumerate(BARS):
            slider = page.locator(".build-plot .handle").nth(index)
            slider.focus()
            page.keyboard.press("Home")
            for _one in range(value):
                page.keyboard.press("ArrowUp")
    else:
        me.raise_bars(BARS, 20)
    check()
    expect(page.locator(".told.right")).to_contain_text("Right")

    go_on("A shape like a bell")
    expect(page.locator(".plot .point")).to_have_count(9)
    look("a reveal")
    go_on("Take out the cards with 1 ball")
    lock("7")
    go_on("Three curves from one deck")
    for shift in range(3):
        row = [0] * shift + CURVE + [0] * (2 - shift)
        expect(page.get_by_role("heading", name=f"Curve {shift + 1} of 3")).to_be_visible()
        page.wait_for_load_state()
        me.raise_bars(row, 10)
        check()
    expect(page.locator(".told.right")).to_contain_text("Right!")
    look("three curves")

    go_on("Same bell, moved along")
    expect(page.locator(".plot .trace.dots")).to_have_count(3)
    go_on("Cut the pie")
    lock("Nearly two thirds")
    go_on("Slice the deck")
    me.cut([67, 227, 66])
    check()
    expect(page.locator(".told.right")).to_contain_text("Right")
    look("the pie")
    go_on("A share is not a number of values")
    expect(page.locator(".plot .slice")).to_have_count(3)

    def be_shown() -> None:
        for help_, then in (
            ("Give me a hint", ".aid"),
            ("Give me a hint", ".aid-step input:focus"),
            ("Show me the solution", ".solution"),
        ):
            me.press(page.get_by_role("button", name=help_))
            expect(page.locator(then)).to_be_visible()
            # What was put in answers to keys a moment later, when htmx has settled it.
            expect(page.locator(".htmx-request, .htmx-added, .htmx-settling")).to_have_count(0)

    go_on("One hand as dots and as a box")
    for values, said in (
        ([5, 7, 8, 10, 12], "cut the line into four"),
        ([5, 6, 7, 9, 12], "Right"),
    ):
        me.box(values)
        fields = page.locator(".build-numbers input")
        expect(fields).to_have_count(len(values))
        for field, value in zip(fields.all(), values, strict=True):
            expect(field).to_have_value(str(value))
        check()
        expect(page.locator("#verdict")).to_contain_text(said)
    look("a box plot")
    go_on("What’s in the box?")
    me.choose("Both hold a quarter")
    me.press(page.get_by_role("button", name="That’s my answer"))
    expect(page.locator(".told.right")).to_contain_text("interquartile range")
    go_on("How far from the middle?")
    be_shown()
    expect(page.locator(".solution")).to_be_visible()
    go_on("Centre and spread")
    be_shown()
    expect(page.locator(".solution")).to_be_visible()
    look("an exercise in a lesson")
    go_on("Why a bell?")
    me.choose("Everything in nature")
    me.press(page.get_by_role("button", name="That’s my answer"))
    expect(page.locator(".told")).to_contain_text("a single count")
    me.choose("Many mixes add up to 8")
    me.press(page.get_by_role("button", name="Try again"))
    expect(page.locator(".told.right")).to_contain_text("Yes.")
    look("an explanation, right")
    me.press(page.get_by_role("link", name="All lessons").last)
    line = page.locator(".lessons > li", has_text="The stats table")
    expect(line).to_contain_text("11/11")
    inspector.approves()


# A class.

# What each predicts. The last of them does so too late.
GUESSES = [34, 20, 10, 55, 33, 90, 100]
CLASS = len(GUESSES)


@pytest.mark.xdist_group("many browsers")
def test_lesson_6_with_a_class(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    cockpit, wall, classroom = as_teacher(server, watched, "6b")
    session = open_session(cockpit, classroom)
    wall.set_viewport_size(SCREEN)
    wall.goto(f"/teach/sessions/{session}/projector/")
    keys = students_come(server, session, [f"Quiet Otter {n}" for n in range(CLASS)])
    students = [watched.new_page(("student", key), viewport=PHONE) for key in keys]
    for student in students:
        student.goto(f"/class/{session}/")

    # From the cockpit to the lesson; lobbies and wall go along by themselves.
    follow(cockpit.get_by_role("link", name="Lesson", exact=True))
    inspector.look(cockpit, "choosing a lesson")
    cockpit.locator("button[value='hold:class-deals']").click()
    for page in (*students, wall):
        is_at(page, "How many hands have a void?")
    for student, guess in zip(students[:-1], GUESSES, strict=False):
        student.get_by_label("My prediction").fill(str(guess))
        student.get_by_role("button", name="Lock in my prediction").click()
        expect(student.locator(".locked")).to_contain_text(f"{guess} of 100 hands")
        expect(student.locator(".onward")).to_be_hidden()  # no line above nothing
    expect(cockpit.locator(".big-count")).to_contain_text(f"Done: {CLASS - 1} of {CLASS}")
    inspector.look(cockpit, "leading a prediction")
    assert "expects" not in wall.content()
    cockpit.get_by_role("button", name="Close, and show the answers").click()
    expect(wall.get_by_role("heading", name="What your class said")).to_be_visible()
    cells = (
        wall.locator(f".bars-table tbody {cell}").all_inner_texts() for cell in ("th", "td")
    )
    tally = dict(zip(*cells, strict=True))
    for tens in range(9):
        expected = sum(tens == guess // 10 for guess in GUESSES[:-1])
        assert tally.get(f"{10 * tens}–{10 * tens + 9}", "0") == str(expected), tens
    inspector.look(wall, "predictions on the wall")
    late = students[-1]
    expect(late.locator("#room")).to_contain_text("closed this step")

    cockpit.get_by_role("button", name="Open step 2: Try").click()
    voids = 0
    for student in students:  # who has predicted, and who cannot any more, is taken along
        is_at(student, "Deal some hands")
        student.get_by_role("button", name="Deal 10 hands").click()
        expect(student.locator(".tally")).to_contain_text("Hands so far: 10")
        voids += int(student.locator(".tally td").first.inner_text())
    cockpit.get_by_role("button", name="Open step 3: See").click()
    expect(wall.get_by_role("heading", name="What your class said")).to_be_visible()
    expect(wall.locator(".shares circle")).to_have_count(CLASS)
    together = exact_percent(Fraction(voids, 10 * CLASS))
    expect(wall.locator(".shares .summary")).to_contain_text(
        f"All {10 * CLASS} hands together: {together}"
    )
    expect(wall.locator(".wall-text")).to_contain_text("Theory says")
    expect(wall.locator(".wall-code")).to_contain_text("/join/")
    for student in students:  # dealt is done: the page goes along
        is_at(student, "All hands together")
    inspector.look(wall, "the overlay on the wall")
    assert "Quiet Otter" not in wall.content()

    # What was locked stays; who was late comes too late.
    first = students[0]
    for student, status in ((first, 200), (late, 422)):
        assert predicts_again(student) == status
    first.goto("/lessons/class-deals/?step=3")
    expect(first.locator(".compared")).to_contain_text("34 of 100 hands")
    expect(first.locator(".plot .trace.bars")).to_have_count(2)
    inspector.look(first, "the overlay on a phone")

    # Everybody goes along, but nobody is taken out of an answer that is begun.
    cockpit.get_by_role("button", name="Open step 4: Predict").click()
    slow, quick = students[2:4]
    for student in (slow, quick):
        is_at(student, "What shrinks?")
    slow.locator(".options .choice").first.click()
    cockpit.locator("#open-5").click()
    is_at(quick, "Do counts even out?")
    expect(slow.locator("#room")).to_contain_text("Your class is at step 5.")
    expect(slow.locator(".options input").first).to_be_checked()
    slow.mouse.wheel(0, 2000)
    expect(slow.get_by_role("link", name="Go there")).to_be_in_viewport()
    inspector.look(slow, "told where the class is")
    slow.get_by_role("link", name="Go there").click()
    is_at(slow, "Do counts even out?")
    cockpit.get_by_role("button", name="End the lesson").click()
    is_at(cockpit, "The lesson is over.")
    inspector.look(cockpit, "a lesson is over")
    expect(wall.get_by_role("heading", level=1)).to_have_text("The lesson is over.")
    inspector.look(wall, "the wall, a lesson over")
    inspector.approves()


def is_at(page: Page, heading: str) -> None:
    """Wait until the page has gone there by itself, and hears what is pressed."""
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    page.wait_for_load_state()


def predicts_again(student: Page) -> int:
    """The status of the answer to a prediction that comes after its step."""
    student.goto("/lessons/class-deals/?step=2")
    token = student.locator("input[name=csrfmiddlewaretoken]").first.input_value()
    form: dict[str, Any] = {
        "step": "1",
        "do": "predict",
        "value": "0",
        "csrfmiddlewaretoken": token,
    }
    return student.context.request.post("/lessons/class-deals/do/", form=form).status


# Paper.

SIZES = {"A4": (595, 842), "Letter": (612, 792)}
WORD = re.compile(
    r'<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</word>'
)


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_sheets_and_keys_on_paper(watched: Watched, server: Server, tmp_path: Path) -> None:
    page = watched.new_page(("sessionid", new_teacher(server, "paper")["cookie"]))
    for slug in ("sample-space", "stats-table", "the-lead", "class-deals"):
        told = []
        for key in ("", "&key=1"):
            page.goto(f"/lessons/{slug}/worksheet/?seed=4711&copy=2-3{key}")
            numbers = page.locator(".sheet-number b").all_inner_texts()
            told.append((numbers, page.locator(".prompt-line p").all_inner_texts()))
            assert len(set(numbers)) == 2
            file = tmp_path / "sheet.pdf"
            for size in SIZES:
                file.write_bytes(page.pdf(format=size, prefer_css_page_size=False))
                assert set(numbers) <= set(_words(file, size))
        assert told[0] == told[1]
        assert page.locator("b.answer-given, p.answer-given").count()
    watched.expected = ("the server responded with a status of 422",)
    page.goto("/lessons/sample-space/worksheet/?seed=4711&copy=99")
    expect(page.get_by_role("alert")).to_contain_text("ends at copy")


def _words(file: Path, size: str) -> list[str]:
    """The words of a PDF; none may reach into the margin, or over the edge of a page."""
    command = ["pdftotext", "-bbox", str(file), "-"]
    boxes = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    width, height = SIZES[size]
    margin = 15 / 25.4 * 72 - 2
    words = []
    for left, top, right, bottom, word in WORD.findall(boxes):
        assert margin <= float(left) < float(right) <= width - margin, word
        assert margin <= float(top) < float(bottom) <= height - margin, word
        words.append(word)
    assert words
    return words
