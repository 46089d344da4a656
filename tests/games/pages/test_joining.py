"""Coming in by the class's code, the lobby, and the class's tables for its students."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.cookies import CookieError
from typing import Any

import hypothesis
import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import strategies as st

from games.classes import closing, forming, joining, seating, steering
from games.classes import sessions as class_sessions
from games.classes.state import seat_of
from games.models import Seat
from games.tables import moves, notify
from games.tables.state import load_table
from games.tables.viewers import STUDENT_COOKIE
from tests.games.classroom import (
    a_classroom,
    a_session,
    device_of,
    picture,
    playing,
    students_in,
)
from tests.games.table import finish, play
from tests.scenes import present
from tests.scenes.coming_in import (
    address_of,
    come_in,
    lobby_of,
    moment_of,
    name_in,
    offer_in,
    post,
    text,
)
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import (
    Attendance,
    ClassSession,
    ReturnRequest,
    Student,
)
from xactika_site.classrooms.names import ADJECTIVES, NOUNS
from xactika_site.classrooms.selectors import DEVICE_CLASSES, phrase_of

pytestmark = pytest.mark.django_db

LOOK = {"HX-Request": "true"}
"""How a page asks that waits by itself."""


# The code.


@pytest.mark.parametrize("write", ["{}", " {} ", "{} {}", "{}-{}"])
def test_a_code_may_be_typed_in_many_ways(write: str) -> None:
    code = a_session().classroom.code
    typed = write.format(code[:3], code[3:]) if write.count("{}") == 2 else write.format(code)
    for said in (typed, typed.lower()):
        answer = Client().get("/join/", {"code": said})
        assert answer.headers["Location"] == f"/join/{code}/"
        answer = Client().get(f"/join/{said.strip()}/", follow=True)
        assert answer.status_code == 200
        assert answer.request["PATH_INFO"] == f"/join/{code}/"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("BCDFGH", "No class has this code"),
        ("b c d f g h", "No class has this code"),
        ("HELLO", "A code has 6 letters"),
        ("123456", "A code has 6 letters"),
        ("BCDFGHJ", "A code has 6 letters"),
        ("<b>x</b>", "A code has 6 letters"),
        ("☃" * 500, "A code has 6 letters"),
        ("\0", "A code has 6 letters"),
    ],
)
def test_a_wrong_code_is_kept_and_said_to_be_wrong(typed: str, said: str) -> None:
    answer = Client().get("/join/", {"code": typed})
    assert answer.status_code == 404
    assert said in text(answer)
    assert answer.context["typed"] == typed.strip()[:40]
    assert "<b>x" not in answer.content.decode()


def test_before_the_session_opens_the_page_looks_by_itself() -> None:
    classroom = a_classroom()
    address, browser = f"/join/{classroom.code}/", Client()
    assert "hasn’t opened a session yet" in text(browser.get(address))
    assert browser.get(f"{address}?shown=none", headers=LOOK).status_code == 204
    assert "hasn’t opened" in text(browser.post(address, {"do": "new"}))
    session = a_session(classroom)
    assert browser.get(f"{address}?shown=none", headers=LOOK).headers["HX-Refresh"] == "true"
    class_sessions.set_flags(session_id=session.pk, locked=True)
    assert browser.get(f"{address}?shown=locked", headers=LOOK).status_code == 204
    closing.close_session(session_id=session.pk)
    assert browser.get(f"{address}?shown=locked", headers=LOOK).headers["HX-Refresh"] == "true"
    assert "hasn’t opened a session yet" in text(browser.get(address))


# Somebody new.


def test_somebody_new_comes_in_and_sees_the_phrase_once() -> None:
    session = a_session()
    browser = Client()
    name = name_in(browser.get(address_of(session)))
    come_in(session, browser)
    student = Student.objects.get()
    assert student.name == name
    page = browser.get(lobby_of(session))
    assert phrase_of(student) in text(page)
    assert "Write them down" in text(page)
    assert name_in(page) == name
    cookie = browser.cookies[STUDENT_COOKIE]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert browser.post(lobby_of(session)).status_code == 302
    assert phrase_of(student) not in text(browser.get(lobby_of(session)))


def test_a_phrase_is_shown_to_nobody_else() -> None:
    session = a_session()
    browser = come_in(session)
    other = students_in(session, 1)[0]
    device_of(other, session, browser)
    assert phrase_of(other) not in text(browser.get(lobby_of(session)))
    browser.cookies["phrase"] = str(other.pk)
    assert phrase_of(other) not in text(browser.get(lobby_of(session)))


def test_three_names_are_offered_and_reloading_gains_nothing() -> None:
    session = a_session()
    browser = Client()
    address = address_of(session)
    names = [name_in(browser.get(f"{address}?step=new&spin={n}")) for n in range(3)]
    assert len(set(names)) == 3
    assert [name_in(browser.get(f"{address}?step=new&spin={n}")) for n in range(3)] == names
    for absurd in ("3", "-1", "x", "00", "²", ""):
        page = browser.get(f"{address}?step=new", {"spin": absurd})
        assert name_in(page) == names[0]
    last = offer_in(browser.get(f"{address}?step=new&spin=2"))
    post(session, browser, "new", offer=last)
    assert Student.objects.get().name == names[2]


def test_a_double_click_is_one_student() -> None:
    session = a_session()
    browser = Client()
    offer = offer_in(browser.get(address_of(session)))
    for _ in range(3):
        assert post(session, browser, "new", offer=offer).status_code == 302
    assert Student.objects.count() == 1
    assert browser.get(lobby_of(session)).status_code == 200


def test_a_name_that_was_just_taken_is_offered_no_more() -> None:
    session = a_session()
    browser = Client()
    page = browser.get(address_of(session))
    joining.join(session=session, name=name_in(page))
    answer = post(session, browser, "new", offer=offer_in(page))
    assert answer.status_code == 422
    assert "That name is gone. Here’s another one." in text(answer)
    assert name_in(answer) != name_in(page)
    assert post(session, browser, "new", offer=offer_in(answer)).status_code == 302


@pytest.mark.parametrize("offer", ["", "x", "Rude Name", "nonce Rude Name:forged", "☃", "|"])
def test_nobody_chooses_a_name_of_their_own(offer: str) -> None:
    session = a_session()
    browser = Client()
    browser.get(address_of(session))
    answer = post(session, browser, "new", offer=offer)
    assert answer.status_code == 422
    assert "Here’s another one" in text(answer)
    # Nor does another device's offer serve.
    other = offer_in(Client().get(address_of(session)))
    assert post(session, browser, "new", offer=other).status_code == 422
    assert not Student.objects.exists()


COOKIES = st.one_of(
    st.text(st.characters(codec="latin-1"), max_size=120),
    st.text(" \n\t|.:@-_abcXYZ019", max_size=120),
    st.just("x Some words of mine"),
    st.just("x ada@school.example"),
    st.just("x\nTwo\nlines"),
    st.just("Loud Mouth" * 9),
)


def carry(browser: Client, offer: str) -> None:
    """Have this as its cookie, unless this Python's client writes no such characters."""
    with suppress(CookieError):
        browser.cookies["offer"] = offer


@hypothesis.given(
    cookie=COOKIES,
    offer=COOKIES,
    spin=st.text(st.characters(codec="latin-1"), max_size=5),
    swap=st.sampled_from("cof-"),
)
@hypothesis.settings(
    max_examples=30 if os.environ.get("XACTIKA_SOAK") == "1" else 10,
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture],
)
def test_a_stored_name_is_always_two_words_of_ours(
    cookie: str, offer: str, spin: str, swap: str
) -> None:
    """Whatever a device sends as its cookie, its offer or its spin; also beside parts that are
    another device's, or its own of before."""
    session = ClassSession.objects.first() or a_session()
    address = address_of(session) + "?step=new"
    browser, other = Client(), Client()
    made = offer_in(browser.get(address))
    before = browser.cookies["offer"].value
    carry(browser, cookie)
    page = browser.get(address, {"spin": spin})
    shown = offer_in(page)
    assert is_ours(name_in(page))
    match swap:
        case "c":  # the page's offer, with the cookie that was sent before it
            carry(browser, cookie)
        case "o":
            shown = offer
        case "f":  # the form of another device
            shown = offer_in(other.get(address))
    for form in (shown, f"{offer} {made}", made.replace("|", f" {offer}|"), offer):
        post(session, browser, "new", offer=form)
    carry(browser, f"{cookie}{before}")
    post(session, browser, "new", offer=made)
    assert all(map(is_ours, Student.objects.values_list("name", flat=True)))


def test_a_device_with_a_cookie_of_its_own_making_gets_one_of_ours() -> None:
    session = a_session()
    browser = Client()
    browser.cookies["offer"] = "x Some words of mine"
    offer = offer_in(browser.get(address_of(session)))
    assert "Some" not in browser.cookies["offer"].value
    assert post(session, browser, "new", offer=offer).status_code == 302
    assert is_ours(Student.objects.get().name)


def is_ours(name: str) -> bool:
    first, _blank, second = name.partition(" ")
    return first in ADJECTIVES and second in NOUNS


def test_a_locked_lobby_lets_in_nobody_new() -> None:
    session = a_session()
    browser = Client()
    offer = offer_in(browser.get(address_of(session)))
    known = students_in(session, 1)[0]
    class_sessions.set_flags(session_id=session.pk, locked=True)
    page = text(browser.get(address_of(session)))
    assert "The lobby is locked" in page
    assert "I’ve been here before" in page
    answer = post(session, browser, "new", offer=offer)
    assert (answer.status_code, Student.objects.count()) == (422, 1)
    assert "The lobby is locked" in text(answer)
    # Whoever was here may return, on another device too.
    answer = post(session, browser, "before", phrase=phrase_of(known))
    assert answer.headers["Location"] == lobby_of(session)


@pytest.mark.parametrize("do", ["", "open", "none", "new\0"])
def test_an_absurd_form_is_nothing(do: str) -> None:
    session = a_session()
    assert post(session, Client(), do).status_code == 404


# A device that is known.


def test_a_known_device_is_asked_and_never_taken_for_somebody() -> None:
    classroom = a_classroom()
    first = a_session(classroom)
    browser = come_in(first)
    student = Student.objects.get()
    closing.close_session(session_id=first.pk)
    second = a_session(classroom)
    for address in (address_of(second), lobby_of(second)):
        page = browser.get(address, follow=True)
        assert f"Continue as {student.name}?" in text(page)
        assert "Someone else" in text(page)
    assert not Attendance.objects.filter(class_session=second).exists()
    answer = post(second, browser, "known")
    assert answer.headers["Location"] == lobby_of(second)
    assert name_in(browser.get(lobby_of(second))) == student.name
    assert phrase_of(student) not in text(browser.get(lobby_of(second)))
    # Scanning the code again burns no seat, and is asked again.
    assert f"Continue as {student.name}?" in text(browser.get(address_of(second)))
    post(second, browser, "known")
    assert Student.objects.count() == 1


def test_someone_else_on_the_device_is_somebody_else() -> None:
    session = a_session()
    browser = come_in(session)
    one = Student.objects.get()
    assert name_in(browser.get(address_of(session) + "?step=new")) != one.name
    come_in(session, browser)
    two = Student.objects.exclude(pk=one.pk).get()
    page = browser.get(lobby_of(session))
    assert (name_in(page), phrase_of(two) in text(page)) == (two.name, True)


def test_a_device_of_another_classroom_is_new_here() -> None:
    there, here = a_session(), a_session(a_classroom(name="8a"))
    browser = come_in(there)
    assert "Continue as" not in text(browser.get(address_of(here)))
    assert post(here, browser, "known").headers["Location"] == address_of(here)
    assert browser.get(lobby_of(here)).status_code == 404
    assert not Attendance.objects.filter(class_session=here).exists()


def test_a_device_may_hold_two_classes() -> None:
    first, second = a_session(), a_session(a_classroom(name="8a"))
    browser = come_in(first)
    one = name_in(browser.get(lobby_of(first)))
    come_in(second, browser)
    two = name_in(browser.get(lobby_of(second)))
    # Both lobbies, tables and questions go on, and each class still knows the device.
    assert name_in(browser.get(lobby_of(first))) == one
    assert name_in(browser.get(lobby_of(second))) == two
    for session, name in ((first, one), (second, two)):
        assert f"Continue as {name}?" in text(browser.get(address_of(session)))
        steering.start(session_id=session.pk)
        table = picture(session).tables[0]
        assert browser.get(f"/tables/{table}/").status_code == 200
        address = reverse("class_question", args=[session.pk])
        assert browser.get(address).status_code == 200
    # "I’m done" is said by one person of all that the device knows.
    browser.post(lobby_of(first) + "done/")
    for session in (first, second):
        assert browser.get(lobby_of(session)).status_code == 404
        assert "Continue as" not in text(browser.get(address_of(session)))


def test_a_device_keeps_one_student_a_class_and_drops_the_oldest() -> None:
    browser = Client()
    sessions = [a_session(a_classroom(name=f"{n}a")) for n in range(DEVICE_CLASSES + 1)]
    for session in sessions:
        come_in(session, browser)
    assert "Continue as" not in text(browser.get(address_of(sessions[0])))
    for session in sessions[1:]:
        assert "Continue as" in text(browser.get(address_of(session)))
    keys = browser.cookies[STUDENT_COOKIE].value.split("~")
    come_in(sessions[-1], browser)  # somebody else
    again = browser.cookies[STUDENT_COOKIE].value.split("~")
    assert (len(again), again[1:]) == (DEVICE_CLASSES, keys[1:])
    # One forged among them is nobody, the others stay.
    browser.cookies[STUDENT_COOKIE] = "~".join([again[0][:-1] + "?", *again[1:]])
    assert "Continue as" not in text(browser.get(address_of(sessions[-1])))
    assert "Continue as" in text(browser.get(address_of(sessions[-2])))


def test_whoever_is_barred_is_told_so() -> None:
    session = a_session()
    browser = come_in(session)
    student = Student.objects.get()
    joining.send_out(session_id=session.pk, student_id=student.pk, bar=True)
    assert moment_of(session, student) == "barred"
    answer = post(session, browser, "known")
    assert answer.status_code == 422
    assert "Your teacher has closed this session for you" in text(answer)
    answer = post(session, Client(), "before", phrase=phrase_of(student))
    assert "Your teacher has closed this session for you" in text(answer)


def test_whoever_was_sent_out_may_come_back() -> None:
    session = a_session()
    browser = come_in(session)
    student = Student.objects.get()
    joining.send_out(session_id=session.pk, student_id=student.pk)
    page = browser.get(lobby_of(session))
    assert "Your teacher sent you out" in text(page)
    assert f'href="{address_of(session)}"' in page.content.decode()
    post(session, browser, "known")
    assert moment_of(session, student) == "here"


def test_i_am_done_makes_the_device_forget() -> None:
    session = a_session()
    browser = come_in(session)
    student = Student.objects.get()
    answer = browser.post(lobby_of(session) + "done/", follow=True)
    assert "This device has forgotten you" in text(answer)
    assert browser.get(lobby_of(session)).status_code == 404
    assert "Continue as" not in text(browser.get(address_of(session)))
    assert picture(session).students[0].state == Attendance.State.HERE
    post(session, browser, "before", phrase=phrase_of(student))
    assert name_in(browser.get(lobby_of(session))) == student.name


# Come back by phrase, or by the teacher's click.


def test_the_phrase_brings_back_on_another_device_to_the_same_seat() -> None:
    session, (student, *_) = playing(4)
    seat = present(seat_of(student, session.pk))
    words = phrase_of(student).split()
    for typed in (" ".join(words), f"  {'  '.join(words).upper()}. ", ", ".join(words)):
        browser = Client()
        post(session, browser, "before", phrase=typed)
        page = browser.get(f"/tables/{seat.table}/")
        assert page.context["viewer"].seat == seat.number
    assert seat_of(student, session.pk) == seat


@pytest.mark.parametrize("phrase", ["", "one two three", "☃", "a" * 5000, "'; DROP", "\0"])
def test_a_wrong_phrase_is_kept_and_said_to_be_wrong(phrase: str) -> None:
    session = a_session()
    students_in(session, 1)
    answer = post(session, Client(), "before", phrase=phrase)
    assert answer.status_code == 422
    assert "Nobody here has these three words" in text(answer)
    assert 'aria-invalid="true"' in answer.content.decode()


def test_a_phrase_of_another_classroom_opens_nothing() -> None:
    there, here = a_session(), a_session(a_classroom(name="8a"))
    student = students_in(there, 1)[0]
    answer = post(here, Client(), "before", phrase=phrase_of(student))
    assert answer.status_code == 422


def test_a_lost_phrase_is_answered_by_the_teachers_click() -> None:
    session = a_session()
    student = students_in(session, 1)[0]
    old = device_of(student, session)
    browser = Client()
    answer = post(session, browser, "lost", name=f" {student.name.lower()} ")
    waiting = answer.headers["Location"]
    assert waiting == f"{address_of(session)}?step=asked"
    assert f"let you in as {student.name}" in text(browser.get(waiting))
    assert (
        browser.post(f"{waiting}&shown=asked", {"do": "asked"}, headers=LOOK).status_code == 204
    )
    assert browser.post(waiting, {"do": "asked"}).headers["Location"] == waiting
    assert STUDENT_COOKIE not in browser.cookies
    request = ReturnRequest.objects.get()
    joining.answer_request(session_id=session.pk, request_id=request.pk, granted=True)
    answer = browser.post(f"{waiting}&shown=asked", {"do": "asked"}, headers=LOOK)
    assert answer.headers["HX-Redirect"] == lobby_of(session)
    # The phrase is shown as on joining: once, there alone.
    page = browser.get(lobby_of(session))
    assert (name_in(page), phrase_of(student) in text(page)) == (student.name, True)
    browser.post(lobby_of(session))
    assert phrase_of(student) not in text(browser.get(lobby_of(session)))
    # The yes is used up, and the device that was left somewhere is signed out.
    assert not ReturnRequest.objects.exists()
    assert old.get(lobby_of(session)).status_code == 404


def test_a_yes_serves_the_asking_device_alone() -> None:
    session = a_session()
    student = students_in(session, 1)[0]
    browser, other = Client(), Client()
    post(session, browser, "lost", name=student.name)
    request = ReturnRequest.objects.get()
    joining.answer_request(session_id=session.pk, request_id=request.pk, granted=True)
    answer = post(session, other, "asked")
    assert STUDENT_COOKIE not in other.cookies
    assert answer.headers["Location"] == address_of(session)


def test_a_no_is_said_and_a_question_can_be_taken_back() -> None:
    session = a_session()
    student = students_in(session, 1)[0]
    browser = Client()
    waiting = post(session, browser, "lost", name=student.name).headers["Location"]
    request = ReturnRequest.objects.get()
    joining.answer_request(session_id=session.pk, request_id=request.pk, granted=False)
    answer = browser.post(f"{waiting}&shown=asked", {"do": "asked"}, headers=LOOK)
    assert answer.headers["HX-Refresh"] == "true"
    assert "Your teacher hasn’t let you in" in text(browser.get(waiting))
    post(session, browser, "lost", name=student.name)
    post(session, browser, "lost", name=student.name)
    assert ReturnRequest.objects.count() == 1
    assert picture(session).requests[0][1] == student.name
    post(session, browser, "take_back")
    assert picture(session).requests == ()
    assert "Your name in this class" in text(browser.get(address_of(session)))


def test_a_yes_to_a_barred_student_is_a_yes() -> None:
    session = a_session()
    student = students_in(session, 1)[0]
    joining.send_out(session_id=session.pk, student_id=student.pk, bar=True)
    browser = Client()
    post(session, browser, "lost", name=student.name)
    request = ReturnRequest.objects.get()
    joining.answer_request(session_id=session.pk, request_id=request.pk, granted=True)
    assert post(session, browser, "asked").headers["Location"] == lobby_of(session)
    assert moment_of(session, student) == "here"


@pytest.mark.parametrize("name", ["", "Nobody Here", "☃" * 99, "Quiet\0", "%", "_____ _____ _"])
def test_an_unknown_name_is_kept_and_said_to_be_unknown(name: str) -> None:
    session = a_session()
    students_in(session, 1)
    answer = post(session, Client(), "lost", name=name)
    assert answer.status_code == 422
    assert "Nobody here has that name" in text(answer)
    assert not ReturnRequest.objects.exists()


# The lobby in every state.


def test_what_the_lobby_tells_through_a_session() -> None:
    session = a_session(rounds=1, filling="uneven", seats=2, level="random")
    one, two, three, four = students_in(session, 4)

    def moments() -> list[str]:
        return [moment_of(session, student) for student in (one, two, three, four)]

    assert moments() == ["here"] * 4
    forming.form_tables(session_id=session.pk)
    assert moments() == ["seated"] * 4
    steering.start(session_id=session.pk)
    assert moments() == ["playing"] * 4
    steering.pause_room(session_id=session.pk, paused=True)
    assert moments() == ["paused"] * 4
    steering.pause_room(session_id=session.pk, paused=False)
    seat = present(seat_of(one, session.pk))
    finish(seat.table)
    state = load_table(seat.table)
    mates = {seat.student_id for seat in state.people}
    expected = ["over" if s.pk in mates else "playing" for s in (one, two, three, four)]
    assert moments() == expected
    other = next(table for table in picture(session).tables if table != seat.table)
    steering.close_table(session_id=session.pk, table_id=other)
    assert moments() == ["all_over"] * 4
    steering.next_game(session_id=session.pk)
    assert moments() == ["playing"] * 4
    closing.close_session(session_id=session.pk)
    assert moments() == ["closed"] * 4


def test_the_lobby_waits_for_a_seat() -> None:
    session, _ = playing(4, seating="by_hand")
    late = joining.join(session=session, name="Late Lark")
    assert moment_of(session, late) == "waiting"
    seat = present(seat_of(Student.objects.exclude(pk=late.pk)[0], session.pk))
    assert "Tables still playing: 1. Minutes: about" in text(
        device_of(late, session).get(lobby_of(session))
    )
    steering.close_table(session_id=session.pk, table_id=seat.table)
    mate = Student.objects.exclude(pk=late.pk)[0]
    assert moment_of(session, mate) == "all_over"
    seating.add_table(session_id=session.pk)
    assert [moment_of(session, s) for s in (late, mate)] == ["playing"] * 2


def test_who_comes_back_to_a_game_is_at_their_table() -> None:
    session = a_session(rounds=1)
    browser = come_in(session)
    student = Student.objects.get()
    assert post(session, browser, "known").headers["Location"] == lobby_of(session)
    steering.start(session_id=session.pk)
    (table,) = picture(session).tables
    phrase = phrase_of(student)
    for back in (
        post(session, browser, "known"),
        post(session, Client(), "before", phrase=phrase),
    ):
        assert back.headers["Location"] == f"/tables/{table}/"
    assert browser.get(lobby_of(session)).status_code == 200  # its back button works
    steering.pause_room(session_id=session.pk, paused=True)
    assert post(session, browser, "known").headers["Location"] == lobby_of(session)
    steering.pause_room(session_id=session.pk, paused=False)
    late = come_in(session)
    page = late.get(lobby_of(session)).text
    assert page.index('data-moment="playing"') < page.index('id="phrase"')  # no words first
    finish(table)
    assert post(session, browser, "known").headers["Location"] == lobby_of(session)


def test_whoever_never_wrote_their_words_down_has_all_of_the_lobby_below_them() -> None:
    session = a_session()
    page = come_in(session).get(lobby_of(session)).text.partition('id="phrase"')[2]
    for below in ('class="practice-trick"', f"/class/{session.pk}/results/", 'href="/mine/"'):
        assert below in page


def test_the_lobby_tells_who_sits_where_and_how_it_went() -> None:
    session = a_session(rounds=1)
    one, two = students_in(session, 2)
    forming.form_tables(session_id=session.pk)
    page = text(device_of(one, session).get(lobby_of(session)))
    assert f"Your table: 1 With {two.name} 2 bots" in page
    steering.start(session_id=session.pk)
    (table,) = picture(session).tables
    play(table)
    state = load_table(table)
    seat = present(seat_of(one, session.pk))
    points = state.totals[seat.number]
    page = text(device_of(one, session).get(lobby_of(session)))
    assert "All tables have finished." in page
    assert f"{points} point" in page.replace("−", "-")
    assert "of 4 at your table" in page


def test_own_rounds_of_earlier_sessions_are_shown() -> None:
    classroom = a_classroom()
    session = a_session(classroom, rounds=1)
    student = students_in(session, 1)[0]
    steering.start(session_id=session.pk)
    (table,) = picture(session).tables

    def by(seat: int) -> dict[str, Any]:
        mine = load_table(table).seats[seat].student_id == student.pk
        return {"student_id": student.pk} if mine else {"mover": "bot"}

    play(table, by=by)
    closing.close_session(session_id=session.pk)
    assert "My rounds" in text(device_of(student, session).get(lobby_of(session)))
    later = a_session(classroom)
    joining.come_in(session=later, student=student)
    page = text(device_of(student, later).get(lobby_of(later)))
    assert "My rounds Day Game Bid Taken Points" in page
    assert "Play to Bid" in page
    other = joining.join(session=later, name="Late Lark")
    assert "My rounds" not in text(device_of(other, later).get(lobby_of(later)))


def test_no_card_is_ever_in_the_lobby() -> None:
    session, students = playing(8, watching=True)
    for table in picture(session).tables:
        play(table, lambda state: len(state.moves) > 9)
    for student in students:
        html = device_of(student, session).get(lobby_of(session)).content.decode()
        assert not re.search(r"[1-3]{4}:|data-card|\d balls?", html)


def test_others_may_be_watched_only_where_the_teacher_allows_it() -> None:
    for watching in (False, True):
        session, (one, *_) = playing(8, watching=watching)
        late = joining.join(session=session, name="Late Lark")
        seat = present(seat_of(late, session.pk))
        steering.close_table(session_id=session.pk, table_id=seat.table)
        page = device_of(late, session).get(lobby_of(session)).content.decode()
        there = present(seat_of(one, session.pk))
        assert (f"/tables/{there.table}/?as=watch" in page) is watching
        status = 200 if watching else 404
        browser = device_of(late, session)
        assert browser.get(f"/tables/{there.table}/?as=watch").status_code == status
        closing.delete_classroom(classroom=session.classroom)


# The class's table.


@contextmanager
def at_table(student: Student, session: ClassSession) -> Iterator[tuple[Client, str]]:
    seat = present(seat_of(student, session.pk))
    yield device_of(student, session), f"/tables/{seat.table}/"


def test_the_class_speaks_at_its_table() -> None:
    session = a_session(rounds=2)
    (student,) = students_in(session, 1)
    forming.form_tables(session_id=session.pk)
    with at_table(student, session) as (browser, address):
        assert "Your teacher starts the game." in text(browser.get(address))
        steering.start(session_id=session.pk)
        steering.pause_room(session_id=session.pk, paused=True)
        assert "Your teacher has paused the game." in text(browser.get(address))
        steering.pause_room(session_id=session.pk, paused=False)
        steering.set_switch(session_id=session.pk, name="held", on=True)
        table = picture(session).tables[0]
        play(table)
        page = text(browser.get(address))
        assert "Your teacher starts the next round." in page
        assert "Next round" not in page
        steering.deal_next_round(session_id=session.pk)
        assert load_table(table).round_number == 2
        play(table)
        page = text(browser.get(address))
        assert "Back to the class" in page
        assert "Play again" not in page


def test_a_table_closed_by_the_teacher_leads_back() -> None:
    session, (student,) = playing(1)
    with at_table(student, session) as (browser, address):
        steering.close_table(session_id=session.pk, table_id=picture(session).tables[0])
        page = text(browser.get(address))
        assert "This table was closed." in page
        assert "Back to the class" in page


def test_a_clock_says_when_it_plays() -> None:
    session, (student,) = playing(1, clock=30.0, level="random")
    table = picture(session).tables[0]
    seat = Seat.objects.get(table=table, student=student).number
    while load_table(table).to_move != seat:
        moves.make_bot_move(table_id=table, turn=load_table(table).turn)
    with at_table(student, session) as (browser, address):
        assert "The clock plays for you in" in text(browser.get(address))
        assert "data-deadline" in browser.get(address).content.decode()
    classrooms.set_time_factor(student=student, factor=0)
    notify.table_changed(table)
    with at_table(student, session) as (browser, address):
        assert "data-deadline" not in browser.get(address).content.decode()


def test_whoever_was_moved_finds_the_way_from_the_old_table() -> None:
    session, students = playing(8, rounds=1)
    one = students[0]
    with at_table(one, session) as (browser, old):
        for table in picture(session).tables:
            finish(table)
        steering.next_game(session_id=session.pk)
        page = browser.get(old)
        assert page.status_code == 404
        assert f'href="{lobby_of(session)}"' in page.content.decode()
    with at_table(one, session) as (browser, new):
        assert browser.get(new).status_code == 200
