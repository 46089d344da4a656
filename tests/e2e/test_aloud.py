"""Reading aloud: by voices of the device alone, which speak the page's language."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.scenes.browser import (
    PHONE,
    Inspector,
    Watched,
    as_teacher,
    open_session,
    students_come,
)
from tests.server import Server

OWN = {"name": "Ada", "lang": "en-GB", "localService": True, "default": False}
OWN_FRENCH = {"name": "Emmy", "lang": "fr_FR", "localService": True, "default": True}
SENDS = {"name": "Cloud", "lang": "en-US", "localService": False, "default": True}

VOICES = """(voices) => {
  const heard = { said: [], cancelled: 0, last: null };
  window.heard = heard;
  const synthesis = Object.assign(new EventTarget(), {
    getVoices: () => voices,
    speak: (utterance) => { heard.said.push(utterance.text); heard.last = utterance; },
    cancel: () => { heard.cancelled += 1; },
  });
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  Object.defineProperty(window, "speechSynthesis", { value: synthesis });
}"""


def page_with(watched: Watched, voices: list[dict[str, Any]]) -> Page:
    context = watched.new_context(viewport=PHONE)
    context.add_init_script(
        f"({VOICES})({voices!r})".replace("True", "true").replace("False", "false")
    )
    return context.new_page()


@pytest.mark.parametrize(
    "voices", [[], [SENDS], [OWN_FRENCH, SENDS]], ids=["none", "sends", "French"]
)
def test_no_button_without_a_voice_of_the_device(
    watched: Watched, voices: list[dict[str, Any]]
) -> None:
    page = page_with(watched, voices)
    page.goto("/lessons/stats-table/")
    expect(page.locator("#step-title")).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.locator(".aloud")).to_have_count(0)


def test_a_step_and_a_question_are_read(watched: Watched) -> None:
    page = page_with(watched, [SENDS, OWN_FRENCH, OWN])
    page.goto("/lessons/stats-table/")
    title = page.locator("#step-title").inner_text()
    button = page.get_by_role("button", name="Read aloud")
    page.wait_for_load_state("networkidle")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    button.click()
    expect(page.get_by_role("button", name="Stop reading")).to_have_attribute(
        "aria-pressed", "true"
    )
    said = page.evaluate("heard.said.at(-1)")
    assert title in said
    assert "Read aloud" not in said
    assert page.evaluate("heard.last.voice.name") == "Ada"
    at = said.index(title)
    page.evaluate("(at) => heard.last.onboundary({ charIndex: at, charLength: 3 })", at)
    marked = page.evaluate("Array.from(CSS.highlights.get('aloud')).map(String)")
    assert marked == [title[:3]]
    Inspector().look(page, "a step that is read aloud")
    page.keyboard.press("Escape")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("CSS.highlights.has('aloud')") is False
    button.click()
    page.evaluate("heard.last.onend()")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert asked == []

    page.goto("/lessons/practice/")
    page.get_by_role("button", name="Begin", exact=True).click()
    prompt = page.locator(".question-prompt")
    expect(prompt).to_be_visible()
    page.get_by_role("button", name="Read aloud").click()
    said = page.evaluate("heard.said.at(-1)")
    assert "/" not in said
    assert prompt.inner_text().split("?")[0].split("/")[0].strip()[:20] in said
    page.locator(".question-form button.primary").click()
    expect(page.locator(".verdict")).to_be_visible()
    expect(page.get_by_role("button", name="Read aloud")).to_be_visible()
    assert page.evaluate("heard.cancelled") >= 2


def test_a_lobby_is_read(watched: Watched, server: Server) -> None:
    teacher, _other, classroom = as_teacher(server, watched, "7v")
    session = open_session(teacher, classroom)
    (cookie,) = students_come(server, session, ["Quiet Otter"])
    page = page_with(watched, [OWN])
    page.context.add_cookies([{"name": "student", "value": cookie, "url": server.base}])
    page.goto(f"/class/{session}/")
    page.get_by_role("button", name="Read aloud").click()
    said = page.evaluate("heard.said.at(-1)")
    assert "Quiet Otter" in said
    assert "I’m done" not in said  # buttons are pressed, not read
    inspector = Inspector()
    inspector.look(page, "a lobby with a voice")
    inspector.approves()
