"""The language in a browser: the switch of a device, and a class that changes its own."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from tests.scenes.browser import Watched, as_teacher
from tests.server import Server


def test_a_device_and_then_its_class_speak_french(server: Server, watched: Watched) -> None:
    page, wall, classroom = as_teacher(server, watched, "linguist")
    page.goto("/learn/")
    page.locator(".settings-button").first.click()
    page.get_by_role("button", name="Français").click()
    expect(page).to_have_url(re.compile("/learn/$"))
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    expect(page.get_by_role("link", name="Jouer", exact=True).first).to_be_visible()
    page.locator(".settings-button").first.click()
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")

    page.goto(f"/teach/classrooms/{classroom}/session/?preset=")
    page.get_by_role("button", name="Open the session").click()
    page.wait_for_url(re.compile(r"/teach/sessions/\d+/$"))
    here = page.url
    wall.goto(f"{here}projector/")
    expect(wall.locator("html")).to_have_attribute("lang", "en")
    page.goto(f"{here}settings/")
    page.locator(".more > summary").click()
    page.get_by_label("Language").select_option("fr")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    # Nobody has touched the wall: it loads itself anew, as a whole.
    expect(wall.locator("html")).to_have_attribute("lang", "fr")
    expect(wall.locator("#language")).to_have_attribute("data-language", "fr")


def test_any_chromium_wishes_what_the_test_says(watched: Watched) -> None:
    """Or tests pass with one of them, and fail with another that somebody else has."""
    languages: list[tuple[dict[str, Any], str]] = [
        ({}, "en-US"),
        ({"locale": "fr-FR"}, "fr-FR"),
    ]
    for options, wished in languages:
        page = watched.new_page(**options)
        with page.expect_request("**/") as asked:
            page.goto("/")
        said = asked.value.all_headers().get("accept-language", "")
        assert said.partition(",")[0] == wished
        assert page.evaluate("navigator.language") == wished
