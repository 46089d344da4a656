"""A teacher writes a question, asks the class, and sees who answered what; each page as axe, a
narrow phone and a thumb find it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.scenes.browser import (
    Inspector,
    Watched,
    as_teacher,
    button,
    follow,
    open_session,
    students_come,
)
from tests.server import Server


def test_a_question_from_its_first_word_to_its_answers(
    watched: Watched, server: Server
) -> None:
    inspector = Inspector()
    page, other, classroom = as_teacher(server, watched, "8q")
    page.goto(f"/teach/classrooms/{classroom}/questions/")
    inspector.look(page, "no sets")
    page.get_by_label("Name").fill("Friday")
    follow(button(page, "New set"))
    follow(button(page, "some cards"))
    expect(page.locator(".saved")).to_be_visible()
    preview = page.locator("#set-preview")
    expect(preview.locator("h2")).to_have_text("The mean of four cards")

    # What is wrong is told while it is written, and leads to its line.
    text = page.get_by_label("Questions")
    whole = text.input_value()
    text.fill(whole.replace("mean(value)", "mean(velue)"))
    expect(preview).to_contain_text("“velue”")
    inspector.look(page, "a problem")
    button(page, "Line 5").click()
    assert text.evaluate("t => t.value.slice(t.selectionStart, t.selectionEnd)") == (
        "right: mean(velue)"
    )
    text.fill(whole)
    preview.get_by_label("Mean value").fill("32")
    button(page, "Check").click()
    expect(preview.locator(".verdict")).to_contain_text("You added the values up")
    inspector.look(page, "tried")
    follow(button(page, "Save"))
    expect(page.locator(".saved")).to_be_visible()
    follow(page.get_by_role("link", name="Print"))
    inspector.look(page, "on paper")

    session = open_session(other, classroom)
    (cookie,) = students_come(server, session, ["Quiet Otter"])
    other.goto(f"/teach/sessions/{session}/exercise/")
    follow(other.get_by_role("link", name="The mean of four cards"))
    inspector.look(other, "before it is put")
    follow(button(other, "Put it to the class"))
    student = watched.new_page(("student", cookie))
    student.goto(f"/lessons/sessions/{session}/")
    student.get_by_label("Mean value").fill("32")
    button(student, "Check").click()
    expect(student.locator(".verdict")).to_contain_text("You added the values up")
    student.get_by_label("Mean value").fill("8")
    button(student, "Check").click()
    expect(student.locator(".verdict")).to_have_text("Right!")
    other.goto(f"/teach/sessions/{session}/exercise/")
    expect(other.locator(".misconceptions")).to_contain_text("32: You added the values up")
    other.get_by_role("link", name="Each student’s answer").click()
    expect(other.get_by_role("row").last).to_contain_text("32 → 8")
    inspector.look(other, "each student's answer")
    inspector.approves()
