"""Graphs built by hand: by drag, by tap, by the arrow keys, and without a script."""

from __future__ import annotations

import re
from math import comb

from playwright.sync_api import Locator, Page, expect

from tests.scenes.browser import PHONE, THUMB, Inspector, Watched, follow

CURVES = {3: [1, 2, 3, 2, 1], 4: [1, 3, 6, 7, 6, 3, 1]}


def ask(
    page: Page, exercise: str, ready: str = ".build.live .handle", *, level: str = ""
) -> None:
    """Open a question, at this level or what comes next; its graph is ready when drawn."""
    page.goto("/lessons/practice/")
    page.locator(f"button.exercise[value={exercise}]").evaluate(
        """(button, level) => button.insertAdjacentHTML("afterend",
            `<input type="hidden" name="level" value="${level}">`)""",
        level,
    )
    follow(page.locator(f"button.exercise[value={exercise}]"))
    expect(page.locator(ready).first).to_be_visible()


def slices(page: Page) -> list[int]:
    """The degrees of the pie's slices, from the table beside the question."""
    cards = [int(text) for text in page.locator(".question-table td").all_inner_texts()]
    return [round(360 * n / sum(cards)) for n in cards]


def curve(page: Page) -> tuple[list[int], str]:
    """The heights asked for, and the mean value, from the question's words."""
    prompt = page.locator(".question-prompt").inner_text()
    count = int(re.findall(r"cards with (\d)", prompt)[-1])
    labels = page.locator(".build-numbers label").all_text_contents()
    shapes = int(labels[0].split()[-1])  # the lowest value: one of each shape
    wanted = dict(enumerate(CURVES[shapes], start=count + shapes - 1))
    mean = count + 2 * (shapes - 1)
    return [wanted.get(shapes + place, 0) for place in range(len(labels))], str(mean)


def chances(page: Page) -> tuple[list[int], str]:
    """The percents of the missing bars, and the expected number."""
    prompt = page.locator(".question-prompt").inner_text()
    least = re.search(r"of value (\d+) or more", prompt)
    some = {9: 31, 10: 15, 11: 5}[int(least[1])] if least else 27
    labels = " ".join(page.locator(".build-numbers label").all_text_contents())
    numbers = map(int, re.findall(r"exactly (\d)", labels))
    parts = [comb(some, k) * comb(81 - some, 8 - k) / comb(81, 8) for k in numbers]
    return [round(100 * part) for part in parts], f"{8 * some}/81"


def told(slider: Locator) -> str:
    return slider.get_attribute("aria-valuetext") or ""


def set_by_keys(page: Page, slider: Locator, wanted: int) -> None:
    slider.focus()
    page.keyboard.press("Home")
    for _ in range(wanted // 5):
        page.keyboard.press("PageUp")
    for _ in range(wanted % 5):
        page.keyboard.press("ArrowUp")
    assert re.match(rf"{wanted}\D?", told(slider))


def is_right(page: Page) -> None:
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".verdict")).to_have_text("Right!")


def test_all_three_by_the_keyboard_alone(watched: Watched) -> None:
    page = watched.new_page()
    ask(page, "deck-pie")
    sliders = page.get_by_role("slider")
    for slider, degrees in zip(sliders.all(), slices(page), strict=True):
        set_by_keys(page, slider, degrees)
    is_right(page)
    ask(page, "count-curve")
    heights, mean = curve(page)
    for slider, height in zip(sliders.all(), heights, strict=True):
        set_by_keys(page, slider, height)
    page.get_by_label("Mean value").fill(mean)
    is_right(page)
    ask(page, "how-many", level="B")
    percents, expected = chances(page)
    for slider, percent in zip(sliders.all(), percents, strict=True):
        set_by_keys(page, slider, percent)
    page.get_by_label("Mean", exact=True).fill(expected)
    is_right(page)


def test_bars_and_slices_are_dragged(watched: Watched) -> None:
    page = watched.new_page()
    ask(page, "count-curve")
    sliders = page.get_by_role("slider")
    heights, mean = curve(page)
    plot = page.locator(".build-plot")
    frame = plot.bounding_box()
    assert frame is not None
    ground = page.locator(".build-plot .ground").bounding_box()
    assert ground is not None
    top = int(page.locator(".build-plot .tick").last.text_content() or 0)
    per_one = (
        ground["y"] - (page.locator(".build-plot .grid").last.bounding_box() or ground)["y"]
    ) / top
    for slider, height in zip(sliders.all(), heights, strict=True):
        box = slider.bounding_box()
        assert box is not None
        x = box["x"] + box["width"] / 2
        page.mouse.move(x, ground["y"] - per_one)
        page.mouse.down()
        page.mouse.move(x, ground["y"] - per_one * height, steps=4)
        page.mouse.up()
        assert told(slider) == str(height)
    page.get_by_label("Mean value").fill(mean)
    is_right(page)
    ask(page, "deck-pie")
    plate = page.locator(".build-plot .plate").bounding_box()
    knob = page.locator(".build-plot .knob").first.bounding_box()
    assert plate is not None
    assert knob is not None
    x, y, reach = (
        plate["x"] + plate["width"] / 2,
        plate["y"] + plate["height"] / 2,
        plate["width"] / 2,
    )
    page.mouse.move(knob["x"] + 8, knob["y"] + 8)
    page.mouse.down()
    page.mouse.move(x + reach, y, steps=5)
    page.mouse.move(x, y + reach, steps=5)
    page.mouse.up()
    assert abs(int(told(sliders.first).rstrip("°")) - 180) <= 3
    page.locator(".build-slices button").nth(1).click()  # one more
    expect(page.locator(".build-sum")).to_contain_text("to go")


def test_taps_on_a_phone_hints_and_a_form_without_script(watched: Watched) -> None:
    inspector = Inspector()
    page = watched.new_page(viewport=PHONE, has_touch=True)
    ask(page, "count-curve")
    sliders = page.get_by_role("slider")
    for slider in sliders.all():
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        assert box is not None
        assert box["height"] >= THUMB
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 140)
        expect(slider).not_to_have_attribute("aria-valuenow", "0")  # a tap is told of later
    assert len({told(slider) for slider in sliders.all()}) == 1
    page.get_by_label("Mean value").fill("1")
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".verdict")).to_contain_text("All values alike?")
    expect(sliders.first).to_be_visible()
    assert len({told(slider) for slider in sliders.all()}) == 1  # what was built is still there
    inspector.look(page, "a curve with a hint")
    ask(page, "deck-pie")
    drawn = page.locator(".build-plot .wedge:not([d=''])")
    expect(page.locator(".build-sum")).to_have_text("Together 0°: 360° to go.")
    expect(drawn).to_have_count(0)
    inspector.look(page, "an empty pie")
    page.locator(".build-slices button").nth(3).click()  # one degree more for the second
    expect(drawn).to_have_count(1)
    expect(page.locator(".build-sum")).to_have_text("Together 1°: 359° to go.")
    page.locator(".build summary").click()
    degrees = slices(page)
    for box_, wanted in zip(page.locator(".build-numbers input").all(), degrees, strict=True):
        box_.fill(f"{wanted}°")
    assert [told(slider) for slider in sliders.all()] == [f"{n}°" for n in degrees]
    inspector.look(page, "a pie that was typed")
    is_right(page)
    inspector.approves()
    plain = watched.new_page(java_script_enabled=False)
    ask(plain, "deck-pie", ready=".build input")
    for box_, wanted in zip(
        plain.locator(".build-numbers input").all(), slices(plain), strict=True
    ):
        box_.fill(str(wanted))
    is_right(plain)
