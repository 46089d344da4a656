"""Students come in by the class's code, wait in the lobby and play, each in a browser.

What a teacher does is done by the services in a process of its own, so the server hears no
bell of it: the lobby's own look finds it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.e2e.player import CONNECTION_ERRORS, Party, Player
from tests.e2e.wire import Wire
from tests.scenes.browser import (
    AT_A_TABLE,
    PHONE,
    Keyboard,
    Watched,
    a_class,
    button,
    by_services,
    follow,
    my_name,
)
from tests.server import Server


def test_a_students_first_five_minutes(watched: Watched, server: Server) -> None:
    """By touch, and another by keyboard alone; then a second tab, somebody else on the same
    device, and another device that the phrase opens."""
    watched.expected = ("the server responded with a status of 404",)
    session, code = a_class(server, "7b", level="random")
    phone = watched.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = phone.new_page()
    page.goto("/")
    page.get_by_label("Your class code").fill(f" {code[:3].lower()} {code[3:].lower()} ")
    button(page, "Go").tap()
    first = my_name(page)
    page.get_by_role("link", name="Another name").tap()
    expect(page.locator(".my-name")).not_to_have_text(first)
    otter = my_name(page)
    button(page, "Come in").tap()
    expect(page).to_have_url(re.compile(f"/class/{session}/$"))
    phrase = page.locator("#phrase .words").inner_text()
    assert len(phrase.split()) == 3
    button(page, "I wrote them down").tap()
    expect(page.get_by_text(phrase)).to_have_count(0)
    expect(page.get_by_text("1 student is here.")).to_be_visible()

    laptop = watched.new_page()
    keys = Keyboard(laptop)
    laptop.goto("/join/")
    expect(laptop.get_by_label("Your class code")).to_be_focused()
    laptop.keyboard.type(code)
    keys.press("Enter")
    fox = my_name(laptop)
    keys.go_to(button(laptop, "Come in"))
    keys.press("Enter")
    expect(laptop.locator("#phrase")).to_be_visible()
    expect(page.get_by_text("2 students are here.")).to_be_visible()

    # The class starts: the page goes to its table by itself, once. Who still writes the phrase
    # down has the table first, and a moment for the words.
    by_services(server, f"steering.start(session_id={session})")
    expect(laptop.get_by_role("link", name="Go to my table")).to_be_visible()
    expect(laptop.locator("#lobby ~ #phrase")).to_be_visible()
    expect(page).to_have_url(AT_A_TABLE)
    otter_plays = Player(page)
    expect(otter_plays.my_seat).to_contain_text(otter)
    expect(page.locator("#hand .card")).to_have_count(8)
    hand = sorted(otter_plays.holds())
    expect(laptop).to_have_url(AT_A_TABLE)
    expect(Player(laptop).my_seat).to_contain_text(fox)
    Party(otter_plays, Player(laptop)).act()
    page.go_back()
    page.get_by_role("link", name="Go to my table").tap()
    expect(page).to_have_url(AT_A_TABLE)
    page.reload()
    assert sorted(otter_plays.holds()) == hand

    other = phone.new_page()
    other.goto(f"/join/{code}/")
    expect(other.get_by_role("heading", name=f"Continue as {otter}?")).to_be_visible()
    button(other, "Go on").tap()
    expect(other).to_have_url(AT_A_TABLE)
    expect(other.locator("#hand .card")).to_have_count(8)
    assert sorted(Player(other).holds()) == hand
    other.goto(f"/join/{code}/")
    other.get_by_role("link", name="Someone else").tap()
    owl = my_name(other)
    assert owl not in {otter, fox}
    button(other, "Come in").tap()
    expect(other.locator("#phrase")).to_be_visible()
    # Nobody sees two hands of one deal: the owl sits elsewhere, and that table is not theirs.
    expect(otter_plays.my_seat).to_have_count(0)
    page.goto(f"/class/{session}/")
    expect(page.locator(".my-name")).to_have_text(owl)
    other.get_by_text("Someone else needs this device").tap()
    button(other, "I’m done").tap()
    expect(other.get_by_text("This device has forgotten you.")).to_be_visible()
    nothing = page.get_by_text("We can’t find that page")
    expect(nothing.or_(page.get_by_text("This page is over. Load it again."))).to_be_visible()

    tablet = watched.new_page()
    tablet.goto(f"/join/{code}/")
    follow(tablet.get_by_role("link", name="I’ve been here before"))
    # A slip's code types it, and the words go from the address; else they are typed.
    tablet.goto(f"/join/{code}/?step=before#{phrase.replace(' ', '-')}")
    expect(tablet.get_by_label("Your three words")).to_have_value(phrase)
    assert tablet.url.endswith("?step=before")
    tablet.get_by_label("Your three words").fill(phrase.upper())
    button(tablet, "Come in").click()
    expect(tablet).to_have_url(AT_A_TABLE)
    back = Player(tablet)
    expect(back.my_seat).to_contain_text(otter)
    expect(tablet.locator("#hand .card")).to_have_count(8)
    assert sorted(back.holds()) == hand


def test_a_lost_phrase_and_a_session_not_yet_open(watched: Watched, server: Server) -> None:
    code = by_services(server, "answer = a_classroom(name='7c').code")
    page = watched.new_page(viewport=PHONE)
    page.goto(f"/join/{code}/")
    expect(page.get_by_text("hasn’t opened a session yet")).to_be_visible()
    session, name = by_services(
        server,
        f"session = a_session(Classroom.objects.get(code={code!r}))",
        "answer = [session.pk, students_in(session, 1)[0].name]",
    )
    expect(button(page, "Come in")).to_be_visible()  # it looked again by itself
    page.get_by_role("link", name="I’ve been here before").click()
    page.get_by_role("link", name="I lost my three words").click()
    page.get_by_label("Which name did you have?").fill(name.lower())
    button(page, "Ask my teacher").click()
    expect(page.get_by_role("heading", name=f"let you in as {name}")).to_be_visible()
    by_services(
        server,
        f"(request, *_who), = load_session({session}).requests",
        f"joining.answer_request(session_id={session}, request_id=request, granted=True)",
    )
    expect(page).to_have_url(re.compile(f"/class/{session}/$"))
    expect(page.locator(".my-name")).to_have_text(name)


def test_a_tablet_slept_while_its_student_was_sent_out(
    watched: Watched, server: Server, new_wire: Callable[[], Wire]
) -> None:
    # A page that asks just as its student is sent out is told so by a 404.
    watched.expected = (*CONNECTION_ERRORS, "a status of 404")
    wire = new_wire()
    session, student, key = by_services(
        server,
        "session, (student,) = playing(1, pace=10.0)",
        "answer = [session.pk, student.pk, device_key(student, session)]",
    )
    page = watched.new_page(("student", key), base_url=wire.base)
    page.goto(f"/class/{session}/")
    expect(page).to_have_url(AT_A_TABLE)
    expect(page.locator("#hand .card")).to_have_count(8)
    wire.cut()
    expect(page.locator("#connection")).to_contain_text("Connection lost")
    by_services(server, f"joining.send_out(session_id={session}, student_id={student})")
    wire.mend()
    expect(page.get_by_text("Your teacher sent you out.")).to_be_visible()
    page.get_by_role("link", name="Back to the class").click()
    button(page, "Go on").click()
    expect(page).to_have_url(AT_A_TABLE)
    expect(page.locator("#hand .card")).to_have_count(8)
