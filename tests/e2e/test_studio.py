"""The graph studio as a person uses it: by mouse, by keyboard, on a phone, on paper."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.scenes.browser import Inspector, Keyboard, Watched

VALUES = [1, 4, 10, 16, 19, 16, 10, 4, 1]
CURVE = [1, 3, 6, 7, 6, 3, 1]


def drawn(page: Page, number: int = 0) -> list[dict[str, Any]]:
    """The traces of a graph, once it is drawn: by its JSON, whose points are all there."""
    plot = page.locator(".plot").nth(number)
    expect(plot.locator("> svg")).to_be_visible()
    source = page.locator(f"#{plot.get_attribute('data-figure')}").text_content()
    traces: list[dict[str, Any]] = json.loads(source or "")["data"]
    marked = [
        trace["values"] if trace["type"] == "pie" else trace["x"]
        for trace in traces
        if trace.get("mode") != "lines"
    ]
    expect(plot.locator(".point")).to_have_count(sum(map(len, marked)))
    return traces


def title(page: Page) -> Any:
    return page.locator(".chart > h2").first


def test_what_the_graphing_page_teaches_takes_one_action_each(watched: Watched) -> None:
    page = watched.new_page()
    page.goto("/graphs/")
    assert drawn(page)[0]["y"] == VALUES  # the bar graph is there at once
    plot = page.locator(".plot")
    expect(plot).to_be_in_viewport(ratio=1)  # the whole of it

    def draw(preset: str) -> None:
        Keyboard(page).go_to(page.get_by_role("link", name=preset))
        page.keyboard.press("Enter")

    draw("Three curves from one deck")
    expect(title(page)).to_have_text("Three curves, for 1, 2 and 3 balls: the full deck")
    lines = drawn(page)
    assert [line["y"] for line in lines] == [CURVE] * 3
    assert [line["x"][0] for line in lines] == [4, 5, 6]
    draw("Pie of the values")
    expect(page.locator(".summary")).to_contain_text("Largest slice: 8")
    (pie,) = drawn(page)
    assert (pie["type"], pie["values"]) == ("pie", VALUES)
    draw("The cards by value")
    expect(page.locator(".summary")).to_contain_text("8 comes most often")
    (bars,) = drawn(page)
    assert (bars["type"], bars["x"], bars["y"]) == ("bar", list(range(4, 13)), VALUES)
    # The numbers are a table, reached by keyboard.
    page.locator(".chart summary").focus()
    page.keyboard.press("Enter")
    cells = page.locator(".chart td:nth-child(2)").all_inner_texts()
    assert [int(cell) for cell in cells] == VALUES


def test_a_change_keeps_its_place_and_becomes_the_address(watched: Watched) -> None:
    page = watched.new_page()
    page.goto("/graphs/")
    show = page.get_by_label("Show", exact=True)
    show.focus()
    page.keyboard.press("c")  # the first that begins so: cards with, say, 1 ball
    expect(title(page)).to_contain_text("Cards with 1 ball in a hand")
    expect(show).to_be_focused()
    expect(page.locator("#said")).to_contain_text("Cards with 1 ball in a hand")
    page.get_by_label("Shape", exact=True).select_option("star")
    expect(title(page)).to_contain_text("1 star")
    page.get_by_label("Kind of graph").select_option("curve")
    page.wait_for_url("**show=call&shape=star&graph=curve**")
    address = page.url
    other = watched.new_page()
    other.goto(address)
    expect(title(other)).to_contain_text("1 star")
    assert drawn(other) == drawn(page)
    page.go_back()  # to bars, whose title is the curve's: until they are there, so is its link
    expect(page.get_by_label("Kind of graph")).to_have_value("bar")
    page.get_by_role("link", name="Add a second graph").click()
    expect(page.locator(".panel")).to_have_count(2)
    assert "of2=dealt" in page.url
    names = [trace["name"] for trace in drawn(page, 1)]
    assert names == ["10,000 hands", "Theory"]


def test_hands_are_watched_while_they_are_dealt(watched: Watched) -> None:
    page = watched.new_page()
    page.goto("/graphs/")
    page.get_by_role("link", name="Deal hands").click()
    deal = page.get_by_role("button", name="1,000,000 hands", exact=True)
    deal.click()
    expect(page.get_by_role("progressbar", name="Hands dealt")).to_be_visible()
    expect(page.locator(".so-far")).to_contain_text("of 1,000,000")
    expect(title(page)).to_contain_text("1,000,000 hands")
    page.get_by_role("button", name="Stop").click()
    expect(page).to_have_url(re.compile("seed="))  # the address of what was dealt so far
    found = re.search(r"hands=(\d+)", page.url)
    stopped = int(found[1]) if found else 10_000
    assert 0 < stopped < 1_000_000
    assert sum(drawn(page)[0]["y"]) == stopped
    deal.click()
    expect(page).to_have_url(re.compile("hands=1000000"), timeout=30_000)
    assert sum(drawn(page)[0]["y"]) == 1_000_000
    expect(deal).to_be_focused()
    expect(page.locator(".summary")).to_contain_text("standard deviation 0.55")
    there = drawn(page)
    page.reload()
    assert drawn(page) == there  # the address is the deal


def test_a_graph_is_saved_and_printed(watched: Watched, tmp_path: Path) -> None:
    page = watched.new_page(color_scheme="dark", accept_downloads=True)
    page.goto("/graphs/?of=deck&show=curves")
    drawn(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as SVG").click()
    saved.value.save_as(tmp_path / "graph.svg")
    picture = (tmp_path / "graph.svg").read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    assert "Three curves, for 1, 2 and 3 balls: the full deck" in picture
    assert "rgb(35, 33, 28)" in picture  # ink of the light theme, on white
    with page.expect_download() as saved:
        page.get_by_role("link", name="Numbers (CSV)").click()
    assert saved.value.suggested_filename == "graph.csv"
    page.emulate_media(media="print")
    expect(page.locator(".presets")).to_be_hidden()
    expect(page.locator(".controls").first).to_be_hidden()
    expect(page.locator(".plot > svg").first).to_have_attribute("width", "620")
    page.emulate_media(media="null")
    for size in ("A4", "Letter"):
        paper = page.pdf(format=size)
        assert paper.startswith(b"%PDF")
        assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1


def test_a_closer_look_is_drawn_by_plotly_which_is_fetched_for_it(watched: Watched) -> None:
    page = watched.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for address, point in (("/graphs/", ".point"), ("/graphs/?graph=pie", ".slice")):
        page.goto(address)
        traces = drawn(page)
        opener = page.get_by_role("button", name="Look closer")
        assert ["plotly" in url for url in asked].count(True) == 0
        opener.click()
        dialog = page.get_by_role("dialog", name=re.compile("."))
        expect(dialog.locator(point).first).to_be_visible()
        pieces = sum(len(each.get("x") or each["values"]) for each in traces)
        expect(dialog.locator(point)).to_have_count(pieces)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(opener).to_be_focused()
        assert sum("plotly.min" in url for url in asked) == 1
        asked.clear()


def test_a_tail_slides_by_keys_and_numbers_are_typed(watched: Watched) -> None:
    page = watched.new_page()
    watched.expected = ("the server responded with a status of 422",)
    page.goto("/graphs/?tail=up&cut=9")
    slider = page.get_by_label("From where")
    expect(page.locator(".sliding output")).to_have_text("9 or more: 38.3%")
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".summary")).to_contain_text("10 or more: 15 of 81")
    expect(page.locator("#cut")).to_be_focused()
    assert "cut=10" in page.url
    filled = [colour == "--other" for colour in drawn(page)[0]["marker"]["color"]]
    assert filled == [False] * 6 + [True] * 3
    page.get_by_label("Data", exact=True).select_option("own")
    field = page.get_by_label("Your numbers, at most 200")
    field.fill("3,5 7 \u22122 cats")
    page.locator(".own button").click()
    expect(page.locator(".told")).to_contain_text("“cats” isn’t a number")
    expect(field).to_have_value("3,5 7 \u22122 cats")
    field.fill("3,5 7 \u22122")
    page.locator(".own button").click()
    page.wait_for_url("**&data=3.5_7_-2")


def test_without_a_script_the_form_draws(watched: Watched) -> None:
    page = watched.new_page(java_script_enabled=False)
    page.goto("/graphs/")
    page.get_by_label("Data", exact=True).select_option("dealt")
    page.get_by_role("button", name="Draw").click()
    page.get_by_role("button", name="100 hands").click()
    expect(page.locator(".basis")).to_contain_text("100 hands of eight, dealt at random")
    page.locator(".chart summary").click()
    assert page.locator(".chart tbody tr").count() == 9
    assert "seed=" in page.url


def test_every_state_for_everybody(watched: Watched) -> None:
    inspector = Inspector()
    page = watched.new_page()
    watched.expected = ("the server responded with a status of 422",)
    for state in (
        "?of=deck&show=value&graph=pie",
        "?of=dealt&show=mean&hands=1000&of2=deck&show2=mean",
        "?of=mine&show=taken",
        "?show=value&by=balls",
        "?graph=box&of2=own&data2=1_2_3&tail2=up",
        "?of=deck&show=taken",
        "?of=nobody&hands=1e9",
    ):
        page.goto(f"/graphs/{state}")
        for details in page.locator(".studio details").all():
            details.evaluate("details => { details.open = true; }")
        inspector.look(page, state)
    inspector.approves()
