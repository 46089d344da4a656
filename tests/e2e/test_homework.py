"""Homework in a real browser: a student comes in at home, and every page as axe, a narrow phone
and a thumb find it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.scenes import present
from tests.scenes.browser import Inspector, Watched, by_services, follow
from tests.server import Server

# Six have finished the first board, the seventh has begun nothing; somebody came later.
FILL = """
from tests.scenes.homework import a_class, play_board, some_homework
ada = a_teacher("home")
cookie = signed_in(ada).cookies["sessionid"].value
*busy, last = a_class(7, a_classroom(ada, "7h"))
parts = dict(boards=2, questions=5, skill="graphs", puzzles=2)
homework = some_homework(last.classroom, **parts)
for student in busy:
    play_board(homework, student, 1)
(late,) = a_class(1, last.classroom)
answer = dict(
    homework=homework.pk, classroom=last.classroom_id, code=last.classroom.code, cookie=cookie,
    busy=phrase_of(busy[0]), last=phrase_of(last), late=phrase_of(late))
"""


def test_homework_at_home_and_at_the_desk(watched: Watched, server: Server) -> None:
    inspector = Inspector()
    known = by_services(server, *FILL.splitlines())

    def comes_in(who: str) -> Page:
        page = watched.new_page()
        page.goto(f"/homework/?code={known['code']}")
        page.get_by_label("Your three words").fill(known[who])
        with page.expect_navigation():
            page.keyboard.press("Enter")
        follow(page.locator(".given a"))
        return page

    page = watched.new_page()
    page.goto("/homework/")
    inspector.look(page, "the door")
    page = comes_in("last")
    inspector.look(page, "nothing begun")
    page.get_by_role("button", name=re.compile("Play.*Board 1")).click()
    expect(page.locator("#bar")).to_contain_text("Board 1")
    expect(page.locator("#sheet-question")).to_have_count(0)
    page.get_by_role("link", name="Homework", exact=True).click()
    expect(page.get_by_role("button", name=re.compile("Go on.*Board 1"))).to_be_visible()
    follow(page.get_by_role("link", name=re.compile(r"Play\s*,")).first)
    inspector.look(page, "a puzzle")

    late = comes_in("late")
    expect(late.locator(".told")).to_contain_text("Ask your teacher to let you in")
    inspector.look(late, "who came later")
    page = comes_in("busy")
    page.get_by_text("The others with these cards").click()
    expect(page.locator(".others-made circle")).to_have_count(6)
    inspector.look(page, "the others")

    page = watched.new_page(("sessionid", known["cookie"]))
    page.goto(f"/teach/classrooms/{known['classroom']}/homework/")
    expect(page.get_by_role("button", name="Give it out")).to_be_visible()
    inspector.look(page, "giving out")
    page.locator(".give-questions .choice").nth(1).click()
    skill, bar = page.get_by_label("Skill").bounding_box(), page.locator(".settled")
    expect(bar).to_contain_text("minutes")
    assert present(skill)["y"] + present(skill)["height"] < present(bar.bounding_box())["y"]
    page.goto(f"/teach/homework/{known['homework']}/")
    page.get_by_role("button", name="Show names").last.click()
    inspector.look(page, "somebody waits for a yes")
    page.get_by_role("button", name=re.compile("^Yes")).click()
    expect(page.locator("#waiting-title")).to_have_count(0)
    late.reload()
    expect(late.get_by_role("button", name=re.compile("Play.*Board 1"))).to_be_visible()
    expect(page.locator(".who :is(tbody tr, .chips li)")).to_have_count(8)
    inspector.look(page, "who has done what")
    page.get_by_role("button", name="Play these boards yourself").click()
    expect(page.locator("#bar")).to_contain_text("Board 1")
    expect(page.locator("#hand .card")).to_have_count(8)
    page.get_by_role("link", name="Homework", exact=True).click()
    expect(page.locator(".yours li").first).to_contain_text("begun")
    inspector.look(page, "a teacher plays")
    page.get_by_role("button", name="Until when").click()
    page.locator("summary").get_by_text("Close", exact=True).click()
    page.get_by_role("button", name="Close", exact=True).click()
    expect(page.get_by_text("It has closed.")).to_be_visible()
    expect(page.locator("#beside")).to_contain_text("not played")
    expect(page.locator("#counting")).to_have_count(0, timeout=60_000)  # opened again
    page.wait_for_load_state()
    inspector.look(page, "closed")
    page = comes_in("busy")
    expect(page.locator("#beside th")).to_contain_text(["Board", "You", "The expert"])
    inspector.look(page, "beside the expert")
    inspector.approves()
