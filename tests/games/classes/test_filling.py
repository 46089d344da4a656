"""Filling a class: how many come in, who waits, and what a script cannot keep others from
(docs/decisions/0015-filling-a-class.md)."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from games.classes import closing, joining, sessions, steering
from games.classes.state import seat_of
from games.classes.students import never_played
from games.models import SessionSettings
from games.pages import joining as table_joining
from games.tables import seats
from games.tables.viewers import STUDENT_COOKIE
from tests.games.classroom import (
    a_classroom,
    a_session,
    a_teacher,
    picture,
    playing,
    signed_in,
    students_in,
)
from tests.games.conftest import Bells
from tests.games.table import play
from tests.scenes.coming_in import address_of, come_in, lobby_of, moment_of, post, text
from xactika_site import rate_limit
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import (
    LECTURE_HALL,
    MAX_STUDENTS,
    Attendance,
    ClassSession,
    ReturnRequest,
    Student,
)
from xactika_site.classrooms.selectors import phrase_of, unclosed_session
from xactika_site.classrooms.services import MOST_ASKING, Refused

pytestmark = pytest.mark.django_db


def a_small_class(expected: int = 3, **settings: Any) -> ClassSession:
    """A session that expects so few."""
    wishes = SessionSettings(**{"seats": 4, "rounds": 2, "pace": 0.0, **settings})
    return sessions.open_session(classroom=a_classroom(), settings=wishes, expected=expected)


def states(session: ClassSession) -> list[str]:
    return [known.state for known in picture(session).students]


def a_new_student(session: ClassSession, browser: Client) -> Student:
    come_in(session, browser)
    return Student.objects.latest("pk")


# How many come in.


def test_a_class_expects_forty_and_then_what_its_teacher_said_last() -> None:
    session = a_session()
    assert session.expected == 40
    closing.expect(session_id=session.pk, students=25)
    closing.close_session(session_id=session.pk)
    assert a_session(session.classroom).expected == 25
    later = unclosed_session(session.classroom)
    assert later is not None
    for absurd in (0, -1, LECTURE_HALL + 1):
        with pytest.raises(Refused):
            closing.expect(session_id=later.pk, students=absurd)


@pytest.mark.parametrize("typed", ["", "x", "0", "-3", "501", "9" * 50, "²", "4.5"])
def test_an_absurd_number_is_refused_in_words(typed: str) -> None:
    session = a_session()
    path = f"/teach/sessions/{session.pk}/do/"
    htmx = {"HX-Request": "true"}
    answer = signed_in(a_teacher()).post(path, {"do": "expect", "to": typed}, headers=htmx)
    assert "A class has 1 to 500 students." in answer.text
    assert picture(session).entry.expected == 40


def test_the_settings_say_the_number() -> None:
    session = a_session(pace=0.7)
    teacher, path = signed_in(a_teacher()), f"/teach/sessions/{session.pk}/settings/"
    form = teacher.get(path).context["form"]
    fields = {name: form[name].value() or "" for name in form.fields if name != "upload"}
    assert fields["expected"] == 40
    assert teacher.post(path, fields | {"expected": "120"}).status_code == 302
    assert picture(session).entry.expected == 120
    assert teacher.post(path, fields | {"expected": "501"}).status_code == 422
    teacher.post(path, {name: v for name, v in fields.items() if name != "expected"})
    assert picture(session).entry.expected == 120
    like = f"/teach/classrooms/{session.classroom_id}/session/?like={session.pk}"
    closing.close_session(session_id=session.pk)
    assert teacher.get(like).context["form"]["expected"].value() == 120


def test_beyond_the_number_expected_new_students_wait_and_one_press_admits_them() -> None:
    session = a_small_class(3)
    browsers = [Client() for _ in range(8)]
    new = [a_new_student(session, browser) for browser in browsers]
    assert states(session) == ["here"] * 3 + ["asking"] * 5
    assert "Waiting for your teacher to let you in" in text(browsers[7].get(lobby_of(session)))
    # Neither the cookie nor the phrase lets in who waits.
    post(session, browsers[7], "known")
    post(session, Client(), "before", phrase=phrase_of(new[7]))
    assert moment_of(session, new[7]) == "asking"
    joining.answer_all(session_id=session.pk, yes=True)
    assert states(session) == ["here"] * 8
    post(session, browsers[7], "known")
    assert moment_of(session, new[7]) == "here"


def test_one_press_finds_seats_for_those_admitted_to_a_class_that_plays() -> None:
    session, students = playing(3, seats=2)
    closing.expect(session_id=session.pk, students=3)
    late = students_in(session, 4)
    assert seat_of(late[0], session.pk) is None
    joining.answer_all(session_id=session.pk, yes=True)
    assert all(seat_of(student, session.pk) for student in (*students, *late))


def test_whoever_the_class_knows_never_waits_for_the_number() -> None:
    classroom = a_classroom()
    first = a_session(classroom)
    browser = Client()
    by_cookie, (by_phrase, by_yes) = a_new_student(first, browser), students_in(first, 2)
    closing.close_session(session_id=first.pk)
    session = a_session(classroom)
    closing.expect(session_id=session.pk, students=1)
    students_in(session, 1)
    post(session, browser, "known")
    post(session, Client(), "before", phrase=phrase_of(by_phrase))
    key = classrooms.ask_to_return(session=session, name=by_yes.name)
    request = ReturnRequest.objects.get()
    joining.answer_request(session_id=session.pk, request_id=request.pk, granted=True)
    joining.come_in_by_request(session=session, key=key)
    known = {known.pk: known.state for known in picture(session).students}
    assert [known[student.pk] for student in (by_cookie, by_phrase, by_yes)] == ["here"] * 3
    assert joining.join(session=session, name="Late Lark").pk not in known
    assert states(session)[-1] == "asking"


def test_whoever_was_turned_away_finds_the_way_in_again() -> None:
    session = a_small_class(1)
    students_in(session, 1)
    browser = Client()
    come_in(session, browser)
    joining.answer_all(session_id=session.pk, yes=False)
    page = browser.get(lobby_of(session), follow=True)
    assert "Your name in this class" in text(page)
    other = a_session(a_classroom(name="8a"))
    assert browser.get(lobby_of(other)).status_code == 404


def test_many_who_wait_are_folded_and_few_are_not() -> None:
    session = a_small_class(1)
    students_in(session, 4)
    teacher, path = signed_in(a_teacher()), f"/teach/sessions/{session.pk}/"
    page = teacher.get(path).text
    assert "One by one" not in page
    assert page.count('value="yes:') == 3
    students_in(session, 10)
    page = teacher.get(path).text
    assert "One by one" in page
    assert page.count('value="yes:') == 13


def test_one_press_turns_newcomers_away_without_a_trace() -> None:
    session = a_small_class(2)
    joining.send_out(session_id=session.pk, student_id=students_in(session, 3)[1].pk)
    sessions.set_flags(session_id=session.pk, needs_approval=True)
    known = Student.objects.order_by("pk")[1]
    joining.come_in(session=session, student=known)  # one of the class, asking again
    assert states(session) == ["here", "asking", "asking"]
    joining.answer_all(session_id=session.pk, yes=False)
    assert states(session) == ["here", "removed"]
    assert Student.objects.count() == 2


@pytest.mark.parametrize("how", ["turned away", "session closed", "session deleted"])
def test_a_newcomer_is_nobody_of_the_class_before_a_yes(how: str) -> None:
    session = a_small_class(1)
    students_in(session, 1)
    browser = Client()
    newcomer = a_new_student(session, browser)
    if how == "turned away":
        joining.answer(session_id=session.pk, student_id=newcomer.pk, yes=False)
        assert moment_of(session, newcomer) == "removed"
        post(session, browser, "known")
        assert moment_of(session, newcomer) == "asking"
        return
    if how == "session closed":
        closing.close_session(session_id=session.pk)
    else:
        closing.delete_session(session_id=session.pk)
    assert not Student.objects.filter(pk=newcomer.pk).exists()
    later = a_session(session.classroom)
    assert "Continue as" not in text(browser.get(address_of(later)))


def test_so_many_may_wait_and_the_others_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classrooms, "MOST_WAITING", 5)
    session = a_small_class(2)
    students_in(session, 7)
    browser = Client()
    page = browser.get(address_of(session))
    answer = post(session, browser, "new", offer=page.context["offer"])
    assert answer.status_code == 422
    assert "Many are waiting for your teacher" in text(answer)
    assert states(session) == ["here"] * 2 + ["asking"] * 5
    joining.answer_all(session_id=session.pk, yes=False)
    come_in(session, browser)
    # In the classes next door nobody is kept from coming in.
    come_in(a_session(a_classroom(name="8a")))


def test_a_lecture_hall_comes_in_at_once() -> None:
    """No count a minute stops it, and its classroom holds it."""
    session = a_small_class(LECTURE_HALL)
    today = timezone.localdate()
    Student.objects.bulk_create(
        Student(classroom=session.classroom, name=f"Full {n}", last_here=today)
        for n in range(LECTURE_HALL - 90)
    )
    for n in range(90):
        joining.join(session=session, name=f"Quiet Otter {n}")
    assert set(states(session)) == {"here"}
    with pytest.raises(Refused, match="It’s full"):
        joining.join(session=session, name="One Otter")
    closing.expect(session_id=session.pk, students=MAX_STUDENTS)
    with pytest.raises(Refused, match="It’s full"):
        joining.join(session=session, name="One Otter")


# Sending away who never played.


def unseen(student: Student, seconds: float = 60) -> None:
    """The student came in so long ago, and no page of theirs was ever open."""
    when = timezone.now() - timedelta(seconds=seconds)
    Attendance.objects.filter(student=student).update(joined=when, last_seen=when)


def asleep(student: Student) -> None:
    """The student's lobby was open, and their phone sleeps."""
    now = timezone.now()
    Attendance.objects.filter(student=student).update(
        joined=now - timedelta(minutes=9), last_seen=now - timedelta(minutes=8)
    )


def test_who_never_played_is_sent_away_while_the_class_plays() -> None:
    session, seated = playing(3, seats=3, duplicate=True, rounds=2)
    waits, sleeps, made_up, out = students_in(session, 4)  # a board is being played
    joining.send_out(session_id=session.pk, student_id=out.pk)
    sessions.set_flags(session_id=session.pk, needs_approval=True)
    (asks,) = students_in(session, 1)
    for student in (*seated, asks):
        unseen(student)
    asleep(sleeps)
    unseen(made_up)
    teacher = signed_in(a_teacher())
    address = f"/teach/classrooms/{session.classroom_id}/unplayed/delete/"
    assert address in teacher.get(f"/teach/sessions/{session.pk}/").text
    page = teacher.get(address)
    assert [student.name for student in page.context["unplayed"]] == [made_up.name, out.name]
    assert made_up.name in text(page)
    assert waits.name not in text(page)
    assert Student.objects.count() == 8  # it asks first
    answer = teacher.post(address, {"student": [made_up.pk, out.pk]})
    assert answer.headers["Location"] == f"/teach/sessions/{session.pk}/"
    assert set(Student.objects.all()) == {*seated, waits, sleeps, asks}


def test_whoever_begins_to_play_meanwhile_is_not_sent_away() -> None:
    session = a_session()
    (student,) = students_in(session, 1)
    unseen(student)
    assert list(never_played(session.classroom)) == [student]
    classrooms.mark_here(attendances=[picture(session).students[0].attendance])
    joining.delete_unplayed_students(classroom=session.classroom, students=[student.pk])
    assert Student.objects.exists()


def test_who_is_sent_away_goes_though_something_was_stored_beside_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = a_session()
    (student,) = students_in(session, 1)
    unseen(student)
    remove, tries = seats.remove_student, list[Student]()

    def removing(*, student: Student) -> None:
        tries.append(student)
        if len(tries) == 1:
            raise IntegrityError
        remove(student=student)

    monkeypatch.setattr(seats, "remove_student", removing)
    joining.delete_unplayed_students(classroom=session.classroom, students=[student.pk])
    assert tries == [student, student]
    assert not Student.objects.exists()


def test_made_up_students_go_from_tables_that_were_closed() -> None:
    session, students = playing(4, seats=2)
    for student in students:
        unseen(student)
    assert not never_played(session.classroom)
    one, other = picture(session).tables
    steering.close_table(session_id=session.pk, table_id=one)
    assert len(never_played(session.classroom)) == 2
    play(other)
    assert len(never_played(session.classroom)) == 2


# Wrong phrases.


def guess(session: ClassSession, browser: Client, times: int) -> str:
    """The page after so many wrong phrases."""
    for _ in range(times):
        answer = post(session, browser, "before", phrase="not this one")
    return text(answer)


MANY = 30


def others_have_guessed(session: ClassSession, times: int = MANY) -> None:
    """So often that nobody is let in by a phrase whom the class does not know."""
    for _ in range(times):
        with suppress(Refused):
            classrooms.check_phrase(classroom=session.classroom, phrase="not this one")


def test_phrases_cannot_be_guessed_by_a_script() -> None:
    session = a_session()
    student = students_in(session, 1)[0]
    assert "Too many wrong tries" in guess(session, Client(), MANY)
    answer = post(session, Client(), "before", phrase=phrase_of(student))
    assert "Too many wrong tries" in text(answer)
    cache.clear()  # a minute later, on another day
    assert post(session, Client(), "before", phrase=phrase_of(student)).status_code == 302


def test_phrases_cannot_be_guessed_all_day() -> None:
    session = a_session()
    student = students_in(session, 1)[0]
    for _ in range(classrooms.PHRASES_OF_OTHERS[rate_limit.DAY]):
        with pytest.raises(Refused, match="Nobody here"):
            classrooms.check_phrase(classroom=session.classroom, phrase="not this one")
        # a minute later
        cache.delete(f"wrong-phrases.{session.classroom_id}..{rate_limit.MINUTE}")
    with pytest.raises(Refused, match="Too many"):
        classrooms.check_phrase(classroom=session.classroom, phrase=phrase_of(student))


@pytest.mark.parametrize("how", ["at it", "done", "someone else was", "signed out"])
def test_a_known_device_is_never_stopped_by_others_wrong_phrases(how: str) -> None:
    session = a_session()
    browser = Client()
    student, other = a_new_student(session, browser), students_in(session, 1)[0]
    if how == "done":
        browser.post(lobby_of(session) + "done/")
        assert STUDENT_COOKIE not in {n for n, m in browser.cookies.items() if m.value}
    elif how == "someone else was":
        a_new_student(session, browser)
    elif how == "signed out":
        classrooms.sign_out(student=student)
    others_have_guessed(session)
    assert post(session, Client(), "before", phrase=phrase_of(other)).status_code == 422
    assert post(session, browser, "before", phrase=phrase_of(other)).status_code == 302


def test_a_known_device_guesses_no_more_than_a_little() -> None:
    session = a_session()
    browser = Client()
    student, other = a_new_student(session, browser), students_in(session, 1)[0]
    assert "Too many wrong tries" in guess(session, browser, MANY)
    # Nor does a second device of the same student's, and nobody else is stopped by it.
    again = Client()
    post(session, again, "before", phrase=phrase_of(student))
    assert post(session, again, "before", phrase=phrase_of(other)).status_code == 422
    assert post(session, Client(), "before", phrase=phrase_of(other)).status_code == 302


def test_what_a_known_device_keeps_names_nobody() -> None:
    session = a_session()
    browser = Client()
    student = a_new_student(session, browser)
    browser.post(lobby_of(session) + "done/")
    kept = {name: morsel.value for name, morsel in browser.cookies.items() if morsel.value}
    (name,) = kept.keys() - {"csrftoken", "offer"}
    assert name == f"class-{session.classroom_id}"
    lane = kept[name].partition(":")[2]
    assert not any(word.lower() in lane.lower() for word in student.name.split())
    assert hashlib.sha256(str(student.pk).encode()).hexdigest() not in lane


def test_a_device_is_not_known_by_a_cookie_of_its_own_making() -> None:
    session = a_session()
    student = students_in(session, 1)[0]
    others_have_guessed(session)
    for key in ("", "x", "1:abc", "1:abc:forged", "☃", "a" * 5000):
        browser = Client()
        browser.cookies[f"class-{session.classroom_id}"] = key.encode().decode("latin-1")
        answer = post(session, browser, "before", phrase=phrase_of(student))
        assert answer.status_code == 422, key


def test_a_device_is_known_to_its_own_class_alone() -> None:
    here, there = a_session(), a_session(a_classroom(name="8a"))
    browser = Client()
    a_new_student(there, browser)
    browser.cookies[f"class-{here.classroom_id}"] = browser.cookies[
        f"class-{there.classroom_id}"
    ].value
    student = students_in(here, 1)[0]
    others_have_guessed(here)
    assert post(here, browser, "before", phrase=phrase_of(student)).status_code == 422


@pytest.mark.parametrize("cookie", ["none", "of its own making", "of another class"])
def test_a_wrong_phrase_of_an_unknown_device_counts_among_the_others(cookie: str) -> None:
    session, browser = a_session(), Client()
    if cookie == "of its own making":
        browser.cookies[f"class-{session.classroom_id}"] = "1:abc:forged"
    elif cookie == "of another class":
        there = a_session(a_classroom(name="8a"))
        a_new_student(there, browser)
        key = browser.cookies[f"class-{there.classroom_id}"].value
        browser.cookies[f"class-{session.classroom_id}"] = key
    others_have_guessed(session, classrooms.PHRASES_OF_OTHERS[rate_limit.MINUTE] - 1)
    assert "Nobody here has these three words" in guess(session, browser, 1)
    assert "Too many wrong tries" in guess(session, Client(), 1)


def test_a_newcomers_device_is_not_known() -> None:
    session = a_small_class(1)
    (student,) = students_in(session, 1)
    browser = Client()
    a_new_student(session, browser)
    assert f"class-{session.classroom_id}" not in browser.cookies
    others_have_guessed(session)
    assert post(session, browser, "before", phrase=phrase_of(student)).status_code == 422


# Asking the teacher.


def test_a_script_keeps_nobody_from_asking_the_teacher() -> None:
    session = a_session()
    known = Client()
    a_new_student(session, known)
    students = students_in(session, 18)
    assert post(session, known, "lost", name=students[0].name).status_code == 302
    for _ in range(4):
        for student in students:
            classrooms.ask_to_return(session=session, name=student.name)
    assert ReturnRequest.objects.count() == 1 + MOST_ASKING * len(students)
    stranger = Client()
    waiting = post(session, stranger, "lost", name=students[5].name).headers["Location"]
    for browser, student in ((known, students[0]), (stranger, students[5])):
        assert f"let you in as {student.name}" in text(browser.get(waiting))


@pytest.mark.parametrize("granted", [True, False])
def test_a_table_is_told_of_the_answer_to_who_sat_there(
    bells: Bells,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    granted: bool,
) -> None:
    """Those who watch it from a device that is signed out go."""
    session, students = playing(4, seats=2)
    first, other = picture(session).tables
    lost = next(each for each in students if seat_of(each, session.pk) == (first, 0))
    classrooms.ask_to_return(session=session, name=lost.name)
    request = ReturnRequest.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        joining.answer_request(session_id=session.pk, request_id=request.pk, granted=granted)
    assert first in bells
    assert other not in bells


def test_one_press_says_no_to_all_who_lost_their_phrase() -> None:
    session = a_session()
    students = students_in(session, 4)
    keys = [classrooms.ask_to_return(session=session, name=each.name) for each in students]
    granted = ReturnRequest.objects.earliest("pk")
    joining.answer_request(session_id=session.pk, request_id=granted.pk, granted=True)
    joining.answer_no_request(session_id=session.pk)
    assert list(ReturnRequest.objects.all()) == [granted]
    back = joining.come_in_by_request(session=session, key=keys[0])
    assert back.name == students[0].name


# Wrong codes.


def try_code(code: str, address: str = "10.0.0.1", browser: Client | None = None) -> Any:
    return (browser or Client()).get(f"/join/{code}/", REMOTE_ADDR=address)


@pytest.fixture
def few_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_joining, "WRONG_CODES_A_MINUTE", 5)


def test_a_school_may_mistype_hundreds_of_times_a_minute() -> None:
    code = a_session().classroom.code
    for _ in range(250):
        rate_limit.note_try(f"wrong-codes.{place()}", seconds=60)
    assert try_code(code).status_code == 200


def place(address: str = "10.0.0.1") -> str:
    return rate_limit.address_hash(Client().get("/healthz", REMOTE_ADDR=address).wsgi_request)


@pytest.mark.usefixtures("few_codes")
def test_codes_cannot_be_guessed_by_a_script() -> None:
    session = a_session()
    code = session.classroom.code
    assert [try_code("BCDFGH").status_code for _ in range(7)] == [404] * 5 + [429] * 2
    for answer in (
        try_code(code),
        Client().get("/join/", {"code": code}, REMOTE_ADDR="10.0.0.1"),
        Client().post(f"/join/{code}/", {"do": "new"}, REMOTE_ADDR="10.0.0.1"),
    ):
        assert answer.status_code == 429
        assert "Too many tries from your network" in text(answer)
        assert 'value="' + code in answer.text
    assert try_code(code, "10.0.0.2").status_code == 200
    cache.clear()  # a minute later
    assert try_code(code).status_code == 200


@pytest.mark.usefixtures("few_codes")
def test_a_device_that_the_class_knows_comes_in_whatever_others_type() -> None:
    session = a_session()
    browser = come_in(session)
    for _ in range(7):
        try_code("BCDFGH")
    assert try_code(session.classroom.code, browser=browser).status_code == 200
    browser.post(lobby_of(session) + "done/")
    assert try_code(session.classroom.code, browser=browser).status_code == 200
    elsewhere = a_session(a_classroom(name="8a")).classroom.code
    assert try_code(elsewhere, browser=browser).status_code == 429


@pytest.mark.usefixtures("few_codes")
def test_what_cannot_be_a_code_counts_for_nothing() -> None:
    code = a_session().classroom.code
    for typed in ("HELLO", "123456", "BCDFGHJ", "☃") * 3:
        assert try_code(typed).status_code == 404
    assert try_code(code).status_code == 200


def test_of_an_address_nothing_readable_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    keys: list[str] = []
    real = cache.add

    def noted(key: str, *more: Any, **options: Any) -> bool:
        keys.append(key)
        return real(key, *more, **options)

    monkeypatch.setattr(cache, "add", noted)
    try_code("BCDFGH", "192.168.17.23")
    (key,) = keys
    assert "192.168" not in key
    assert hashlib.sha256(b"192.168.17.23").hexdigest() not in key


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::5", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::5", "2001:db8:1:3::5", False),
        ("10.0.0.1", "10.0.0.2", False),
        ("", "", True),
    ],
)
def test_an_ipv6_device_is_its_network(one: str, other: str, same: bool) -> None:
    assert (place(one) == place(other)) is same


# Without the cache.


def test_a_class_comes_in_while_the_cache_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each process counts for itself then."""

    def away(*_a: Any, **_k: Any) -> None:
        asked.append(1)
        raise ConnectionError("no Redis")

    asked: list[int] = []
    session = a_session()
    student = students_in(session, 1)[0]
    for what in ("get", "set", "add", "incr"):
        monkeypatch.setattr(cache, what, away)
    monkeypatch.setattr(rate_limit, "_away_until", 0.0)
    browser = Client()
    offer = browser.get(address_of(session)).context["offer"]
    for _double_click in range(2):
        assert post(session, browser, "new", offer=offer).status_code == 302
    assert Student.objects.count() == 2
    assert browser.get(lobby_of(session)).status_code == 200
    assert try_code("BCDFGH").status_code == 404
    assert post(session, Client(), "before", phrase=phrase_of(student)).status_code == 302
    assert "Too many wrong tries" in guess(session, Client(), MANY)
    assert len(asked) == 1  # and is not waited for again and again
    rate_limit._own.clear()
