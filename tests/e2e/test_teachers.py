"""A teacher from the printed link to a class, and every page on the way as axe, a narrow phone,
a thumb and a keyboard find it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.scenes.browser import Inspector, Keyboard, Watched, follow
from tests.server import Server

PASSWORD = "seven quiet otters"
# Two classrooms; Ada teaches 7b alone, with students and a session of last week.
FILL = f"""
from datetime import date
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.services import open_classroom
ada = User.objects.create_user('ada', {PASSWORD!r}, name='Ms Lovelace', time_zone='UTC')
room = open_classroom(name='7b', teacher=ada)
for name in ('Quiet Otter', 'Brave Falcon', 'Patient Kestrel'):
    Student.objects.create(classroom=room, name=name, last_here=date(2026, 3, 2))
ClassSession.objects.create(classroom=room, state='closed')
"""

THIRTY = """
for number in range(27):
    Student.objects.create(
        classroom=room, name=f'Student {number}', last_here=date(2026, 3, 2))
"""


@pytest.fixture
def school(tmp_path: Path) -> Iterator[Server]:
    """A server of its own, where no teacher has an account."""
    with Server(tmp_path) as running:
        yield running


def printed_link(school: Server) -> str:
    found = re.search(
        rf"{school.base}(/teach/start/\S+/)", school.log.read_text(encoding="utf-8")
    )
    assert found
    return found[1]


def sign_in(page: Page) -> None:
    page.goto("/teach/")
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


COUNT_CLICKS = """
document.addEventListener("click", (event) => {
  const clicks = Number(localStorage.getItem("clicks")) + (event.detail > 0);
  localStorage.setItem("clicks", clicks);
}, true);
"""


def test_a_new_teachers_projector_is_up_in_under_15_clicks(
    watched: Watched, school: Server
) -> None:
    """By mouse, a click also into every field that has not the focus already; from the link
    that the server prints, which README tells of."""
    context = watched.new_context(base_url=school.base)
    context.add_init_script(COUNT_CLICKS)
    page = context.new_page()

    def write(label: str, text: str) -> None:
        field = page.get_by_label(label)
        if not field.evaluate("field => field === document.activeElement"):
            field.click()
        page.keyboard.type(text)

    page.goto(printed_link(school))
    write("User name", "ada")
    write("Password:", PASSWORD)
    write("Password again", PASSWORD)
    page.get_by_role("button", name="Make my account").click()
    write("Name your class", "7b maths")
    page.get_by_role("button", name="Make the class").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("7b maths")
    expect(page.get_by_text("Other devices can’t open this address yet")).to_be_visible()
    page.get_by_role("link", name="Open a session").click()
    page.get_by_role("button", name="Open the session").click()
    with context.expect_page() as opened:
        page.get_by_role("link", name="Wall", exact=True).click()
    wall = opened.value
    expect(wall.locator(".wall-join .code")).to_be_visible()
    clicks = int(page.evaluate("localStorage.getItem('clicks')"))
    assert 1 < clicks < 15
    context.close()  # before the server


def test_pages_before_there_is_an_account(watched: Watched, school: Server) -> None:
    watched.expected = ("the server responded with a status of 4",)
    inspector, page = Inspector(), watched.new_page(base_url=school.base)
    page.goto("/teach/")
    inspector.look(page, "signing in, no teacher yet")
    page.goto(printed_link(school))
    inspector.look(page, "signing up")
    page.get_by_label("User name").fill("ada lovelace")
    page.get_by_label("Password:").fill("short")
    page.get_by_label("Password again").fill("shot")
    page.get_by_role("button", name="Make my account").click()
    name = page.get_by_label("User name")
    expect(name).to_have_accessible_description(re.compile("To sign in with.*valid username"))
    expect(name).to_have_value("ada lovelace")
    inspector.look(page, "signing up, with mistakes")
    page.goto("/teach/start/forged/")
    inspector.look(page, "a link that is over")
    for no_answer in ("1", "%20", "alone"):
        page.goto(f"/teach/guide/#{no_answer}")
    expect(page.locator(".guide details[open]")).to_have_count(0)
    page.goto("/teach/guide/#devices")
    expect(page.locator("#devices")).to_have_attribute("open", "")
    page.locator(".guide summary").first.click()
    expect(page.locator(".guide details[open]")).to_have_count(1)
    inspector.approves()


def test_pages_of_a_teacher_and_the_sheet_on_paper(watched: Watched, school: Server) -> None:
    watched.expected = ("the server responded with a status of 4",)
    school.manage("shell", "-c", FILL + THIRTY)
    inspector, page = Inspector(), watched.new_page(base_url=school.base)
    sign_in(page)
    inspector.look(page, "the list of classes")
    follow(page.get_by_role("link", name="7b"))
    inspector.look(page, "a class")
    page.locator(".names-fold > summary").click()
    page.locator("summary", has_text="Quiet Otter").click()
    follow(page.get_by_role("button", name="Three new words"))
    expect(page.get_by_role("button", name="Three new words")).to_be_visible()  # still open
    page.locator(".class-settings > summary").click()
    page.get_by_role("button", name="Share this class").click()
    expect(page.get_by_label("For one person")).to_be_visible()
    page.locator(".names-fold > summary").click()
    page.locator("summary", has_text="Quiet Otter").click()
    inspector.look(page, "a class, a student open, a link to share")
    link = page.get_by_label("For one person").input_value()
    follow(page.get_by_role("link", name="Delete the class"))
    inspector.look(page, "what would go with a class")
    page.go_back()
    follow(page.get_by_role("link", name="Copy the class"))
    inspector.look(page, "copying a class")
    page.get_by_label("Name:").fill("8b")
    page.get_by_label("With its students").check()
    page.get_by_role("button", name="Copy the class").click()
    expect(page.get_by_role("status")).to_contain_text("three new words")
    follow(page.get_by_role("link", name="on a sheet to print"))
    inspector.look(page, "the sheet")
    is_printed_on_one_page(page)
    for address in ("/teach/account/", "/teach/account/password/", "/teach/account/delete/"):
        page.goto(address)
        inspector.look(page, address)
    page.get_by_label("Password").fill("not it")
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_label("Password")).to_have_accessible_description(
        "That isn’t your password."
    )
    inspector.look(page, "deleting the account, a mistake")

    school.manage(
        "shell",
        "-c",
        "from xactika_site.accounts.models import User; "
        f"User.objects.create_user('bob', {PASSWORD!r})",
    )
    bob = watched.new_page(base_url=school.base)
    bob.goto(link)
    inspector.look(bob, "invited to a class, without an account")
    bob.get_by_role("main").get_by_role("link", name="Sign in").click()
    bob.get_by_label("User name").fill("bob")
    bob.get_by_label("Password").fill(PASSWORD)
    bob.get_by_role("button", name="Sign in").click()
    expect(bob.get_by_role("heading", level=1)).to_have_text("Teach “7b”, too?")
    inspector.look(bob, "invited to a class")
    bob.get_by_role("button", name="Yes").click()
    bob.locator(".class-settings > summary").click()
    expect(bob.get_by_role("button", name="Leave this class")).to_be_visible()
    inspector.look(bob, "a class with two teachers")
    bob.goto(school.manage("reset_password", "bob", "--base", school.base).strip())
    inspector.look(bob, "a new password")
    inspector.approves()


def test_locked(watched: Watched, school: Server) -> None:
    watched.expected = ("the server responded with a status of 429",)
    school.manage("shell", "-c", FILL)
    inspector, page = Inspector(), watched.new_page(base_url=school.base)
    page.goto("/teach/login/")
    for _ in range(10):
        page.get_by_label("User name").fill("ada")
        page.get_by_label("Password").fill("wrong")
        follow(page.get_by_role("button", name="Sign in"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Locked for 10 minutes")
    inspector.look(page, "locked")
    inspector.approves()


def is_printed_on_one_page(page: Page) -> None:
    """The sheet of thirty names and phrases, also from a dark screen."""
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.get_by_role("banner")).to_be_hidden()
    expect(page.get_by_text("don’t show it to students")).to_be_visible()
    expect(page.get_by_role("row")).to_have_count(31)
    expect(page.locator("html")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.get_by_role("rowheader").first).to_have_css("color", "rgb(0, 0, 0)")
    for size in ("A4", "Letter"):
        assert page.pdf(format=size).count(b"/Type /Page\n") == 1
    page.emulate_media(media="screen", color_scheme="light")


def test_a_teacher_by_keyboard_alone(watched: Watched, school: Server) -> None:
    page = watched.new_page(base_url=school.base)
    keys = Keyboard(page)
    page.goto(printed_link(school))
    expect(page.get_by_label("User name")).to_be_focused()
    page.keyboard.type("ada")
    keys.go_to(page.get_by_label("Password:"))
    page.keyboard.type(PASSWORD)
    keys.go_to(page.get_by_label("Password again"))
    page.keyboard.type(PASSWORD)
    keys.press("Enter")
    expect(page.get_by_label("Name your class")).to_be_focused()
    page.keyboard.type("7b")
    keys.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("7b")
    school.manage(
        "shell",
        "-c",
        "from datetime import date; from xactika_site.classrooms.models import *; "
        "Student.objects.create(classroom=Classroom.objects.get(), name='Quiet Otter', "
        "last_here=date(2026, 3, 2))",
    )
    page.reload()
    keys.go_to(page.locator(".names-fold > summary"))
    keys.press("Enter")
    keys.go_to(page.locator("summary", has_text="Quiet Otter"))
    keys.press("Enter")
    twice = page.get_by_role("button", name="× 2")
    keys.go_to(twice)
    keys.press("Enter")
    expect(twice).to_have_attribute("aria-pressed", "true")
    keys.go_to(page.get_by_role("button", name="Sign out", exact=True))
    keys.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")
    assert keys.unseen == set()
