"""Launches as they are meant: who somebody is here afterwards, and where they are."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.tables.viewers import STUDENT_COOKIE
from lessons.lti.sealing import unseal
from lessons.models import Course, CourseMember
from tests.games.classroom import a_classroom, a_session, a_teacher, signed_in
from tests.scenes.homework import a_class, some_homework
from tests.scenes.platform import DOCUMENT, INSTRUCTOR, MENTOR, School, begin, launch, send
from xactika_site.classrooms.models import Classroom, Student
from xactika_site.classrooms.selectors import phrase_of, students_at

pytestmark = pytest.mark.django_db

OTHER = "canvas.school.test"


@pytest.fixture
def classroom(school: School) -> Classroom:
    found = a_classroom(name="Otters of room 7b")
    school.course(found)
    return found


def at(browser: Client) -> Student:
    """Who is at this browser."""
    return students_at(browser.cookies[STUDENT_COOKIE].value)[0].student


def test_a_student_is_the_same_next_time(school: School, classroom: Classroom) -> None:
    first, second = launch(school), launch(school)
    assert first["Location"] == second["Location"] == "/homework/"
    assert at(first.client) == at(second.client) == classroom.students.get()
    member = CourseMember.objects.get()
    assert unseal(member.user) == "user-1"
    assert "user-1" not in member.user + member.digest + at(first.client).name
    assert launch(school, sub="user-2").client.cookies[STUDENT_COOKIE]
    assert classroom.students.count() == 2


def test_the_same_number_on_two_platforms_is_two_students(
    schools: dict[str, School], school: School, classroom: Classroom
) -> None:
    schools[OTHER] = School(OTHER)
    schools[OTHER].course(classroom)
    assert at(launch(school).client) != at(launch(schools[OTHER]).client)
    assert len(set(CourseMember.objects.values_list("digest", flat=True))) == 2


def test_in_two_courses_of_a_class_somebody_is_one_student(
    school: School, classroom: Classroom
) -> None:
    school.course(classroom, "course-2")
    one, other = launch(school), launch(school, context={"id": "course-2"})
    assert at(one.client) == at(other.client)
    assert CourseMember.objects.count() == 2


def test_who_has_played_by_the_code_stays_who_they_are(
    school: School, classroom: Classroom
) -> None:
    """By the three words, once, in the browser of the launch; who has none is new."""
    played, other = a_class(2, classroom)
    phrase = phrase_of(played)

    def asked(sub: str = "user-1") -> tuple[Client, str]:
        answer = launch(school, sub=sub)
        assert "Have you played with this class?" in answer.text
        return answer.client, re.findall(r'action="(/lti/first/[^"]+)"', answer.text)[0]

    browser, way = asked()
    assert Client().post(way, {"phrase": phrase}).status_code == 400
    browser, way = asked()
    assert browser.post(way, {"phrase": "no such words"}).status_code == 422
    assert browser.post(way, {"phrase": phrase})["Location"] == "/homework/"
    assert at(browser) == played == CourseMember.objects.get().student
    assert browser.post(way, {"phrase": phrase}).status_code == 400
    assert at(launch(school).client) == played
    thief, way = asked(sub="user-2")
    assert thief.post(way, {"phrase": phrase}).status_code == 422
    assert thief.post(way)["Location"] == "/homework/"
    assert at(thief) not in (played, other)
    assert classroom.students.count() == 3


def test_a_deleted_student_leaves_nothing(school: School, classroom: Classroom) -> None:
    before = at(launch(school).client)
    before.delete()
    assert not CourseMember.objects.exists()
    assert at(launch(school).client).pk != before.pk


def test_homework_given_before_opens_at_once(school: School, classroom: Classroom) -> None:
    given = some_homework(classroom)
    answer = launch(school, custom={"target": f"homework:{given.pk}"})
    assert answer["Location"] == f"/homework/{given.pk}/"
    page = answer.client.get(answer["Location"])
    assert page.status_code == 200
    assert not page.context["waits"]


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("lesson:7", "/lessons/hand-means/"),
        ("practice:samples", "/lessons/practice/#skill-samples"),
        ("practice:of nothing", "/homework/"),
        ("homework:999", "/homework/"),
        ("test:999", "/homework/"),
        ("lesson:https://elsewhere.test/", "/homework/"),
        ("//elsewhere.test/", "/homework/"),
        ({"lesson": 7}, "/homework/"),
    ],
)
def test_where_a_target_leads(
    school: School, classroom: Classroom, target: object, address: str
) -> None:
    assert launch(school, custom={"target": target})["Location"] == address


def test_another_classs_homework_is_no_target(school: School, classroom: Classroom) -> None:
    others = some_homework(a_classroom(a_teacher("other"), "8a"))
    answer = launch(school, custom={"target": f"homework:{others.pk}"})
    assert answer["Location"] == "/homework/"


def test_during_a_session_the_class_comes_in(school: School, classroom: Classroom) -> None:
    a_session(classroom)
    answer = launch(school)
    assert answer["Location"] == f"/join/{classroom.code}/"
    page = answer.client.get(answer["Location"])
    assert at(answer.client).name in page.text


def test_a_full_class_takes_nobody(
    school: School, classroom: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lessons.lti.members.LECTURE_HALL", 1)
    launch(school)
    answer = launch(school, sub="user-2")
    assert answer.status_code == 422
    assert STUDENT_COOKIE not in answer.client.cookies
    assert Student.objects.count() == CourseMember.objects.count() == 1


@pytest.mark.parametrize(
    "who", [{"sub": None}, {"sub": None, "roles": []}, {"roles": [MENTOR]}], ids=str
)
def test_who_is_nobody_or_no_student_is_a_guest(
    school: School, classroom: Classroom, who: dict[str, Any]
) -> None:
    """Even of two launches, never one and the same."""
    for target, address in [("lesson:7", "/lessons/hand-means/"), ("homework:1", "/join/")]:
        answer = launch(school, custom={"target": target}, **who)
        assert answer["Location"] == address
        assert STUDENT_COOKIE not in answer.client.cookies
    assert not Student.objects.exists()


def test_a_course_that_no_class_is(school: School) -> None:
    page = launch(school)
    assert "linked this course with a class yet" in page.text
    assert STUDENT_COOKIE not in page.client.cookies
    assert not Student.objects.exists()


# Those who teach.


def test_an_instructor_has_to_sign_in(school: School, classroom: Classroom) -> None:
    answer = launch(school, roles=[INSTRUCTOR])
    page = answer.client.get(answer["Location"])
    assert page["Location"].startswith("/teach/login/?next=/lti/course/")
    assert "sessionid" not in answer.client.cookies
    assert not Student.objects.exists()


def test_an_instructor_who_teaches_the_class_comes_to_it(
    school: School, classroom: Classroom
) -> None:
    answer = launch(school, signed_in(a_teacher()), roles=[INSTRUCTOR])
    page = answer.client.get(answer["Location"])
    assert page["Location"] == f"/teach/classrooms/{classroom.pk}/"


def test_an_instructor_becomes_no_teacher_of_a_class(
    school: School, classroom: Classroom
) -> None:
    other = a_teacher("other")
    answer = launch(school, signed_in(other), roles=[INSTRUCTOR])
    page = answer.client.get(answer["Location"])
    assert "Ask one of them to invite you" in page.text
    assert classroom.name not in page.text
    answer.client.post(answer["Location"], {"class": classroom.pk})
    assert not classroom.teachers.contains(other)


def test_a_teacher_links_a_course_with_a_class(school: School) -> None:
    teacher, others = a_teacher(), a_classroom(a_teacher("other"), "8a")
    classroom = a_classroom(teacher)
    answer = launch(school, signed_in(teacher), roles=[INSTRUCTOR])
    page, address = answer.client.get(answer["Location"]), answer["Location"]
    assert "7b</button>" in page.text
    assert "8a</button>" not in page.text
    assert answer.client.post(address, {"class": others.pk}).status_code == 404
    assert answer.client.post(address, {"name": ""}).status_code == 422
    assert not Course.objects.exists()
    assert answer.client.post(address, {"class": classroom.pk}).status_code == 302
    assert answer.client.get(address)["Location"] == f"/teach/classrooms/{classroom.pk}/"
    assert at(launch(school).client).classroom == classroom


def test_a_teacher_makes_a_class_of_a_course(school: School) -> None:
    answer = launch(school, signed_in(a_teacher()), roles=[INSTRUCTOR])
    answer.client.post(answer["Location"], {"name": "9c"})
    assert Course.objects.get().classroom.name == "9c"
    forged = answer["Location"].replace("course/", "course/x")
    assert answer.client.get(forged).status_code == 404


# Frames, browsers, keys.


def test_in_a_frame_one_button_begins_in_a_window_of_its_own(school: School) -> None:
    school.known()
    sent = {"iss": school.issuer, "login_hint": "7", "lti_message_hint": "a&b"}
    for headers in ({"Sec-Fetch-Dest": "iframe"}, {}):
        page = Client().post("/lti/login/", sent, headers=headers)
        assert page.status_code == 200
        assert "frame-ancestors *" in page["Content-Security-Policy"]
        assert not page.has_header("X-Frame-Options")
        assert not page.cookies
        assert 'target="_blank"' in page.text
    answer = Client().get(page.context["address"])
    assert "lti_message_hint=a%26b" in answer["Location"]
    assert Client().get("/learn/")["X-Frame-Options"] == "DENY"


def test_a_launch_opens_in_its_own_browser_only(school: School, classroom: Classroom) -> None:
    """Else a page could have others work under its own name."""
    asked = begin(Client(), school)
    token = school.sign(school.claims(asked["nonce"]))
    sent = {"id_token": token, "state": asked["state"]}
    address = Client().post("/lti/launch/", sent)["Location"]
    answer = Client().get(address)
    assert answer.status_code == 400
    assert not answer.cookies
    assert not Student.objects.exists()


def test_turned_keys_are_fetched_once(school: School, classroom: Classroom) -> None:
    school.known()
    launch(school)
    assert school.asked == 0
    school.turn_keys()
    for _time in range(3):
        assert launch(school).status_code == 302
    assert school.asked == 1


def test_for_unknown_keys_it_is_asked_once_a_minute(school: School) -> None:
    for number in range(3):
        browser = Client()
        asked = begin(browser, school)
        token = school.sign(school.claims(asked["nonce"]), kid=f"made up {number}")
        assert send(browser, token, asked["state"]).context["code"] == "key"
    assert school.asked == 1


def test_old_keys_are_looked_at_daily_and_hold_while_it_is_away(
    school: School, classroom: Classroom
) -> None:
    platform = school.known()
    platform.fetched = timezone.now() - timedelta(days=2)
    platform.save()
    school.errs = "away"
    assert launch(school).status_code == 302
    assert school.asked == 1


def test_a_login_of_two_clients_of_one_issuer_must_say_which(school: School) -> None:
    school.known()
    School(client_id="other").known()
    answer = Client().get("/lti/login/", {"iss": school.issuer}, headers=DOCUMENT)
    assert (answer.status_code, answer.context["code"]) == (400, "issuer")
