"""A student's one number on all pages and files of a teacher who hides names."""

from __future__ import annotations

import csv
import io
import re
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from games.classes import steering
from games.tables import seats
from lessons.results import news
from lessons.results.news import settings_of, share_token
from lessons.results.students.names import student_names
from tests.games.classroom import (
    a_classroom,
    a_session,
    device_of,
    picture,
    signed_in,
    students_in,
)
from tests.scenes.homework import some_homework
from tests.scenes.results import SLIP, answered, play_round
from xactika_site.classrooms.models import ClassSession, Student

NUMBER = re.compile(r"Student \d+")
LINK = re.compile(r'/teach/students/(\d+)/results/">([^<]+)</a>')


@pytest.fixture
def session() -> ClassSession:
    """Two who never came to it, then six who played a round and answered; the one who came
    last stands first by name."""
    room = a_classroom()
    for name in ("Zebra", "Yak"):
        Student.objects.create(classroom=room, name=name, last_here=timezone.localdate())
    session = a_session(room, rounds=1)
    people = students_in(session, 6)
    Student.objects.filter(pk=people[-1].pk).update(name="Aardvark")
    steering.start(session_id=session.pk)
    for table_id in picture(session).tables:
        play_round(table_id, Random(4))
    for student in people:
        answered(session, student, "deck-size", SLIP, True)
    return session


def numbers(session: ClassSession) -> dict[int, str]:
    """What everybody is to be called: by who came to the class first."""
    found = session.classroom.students.order_by("pk").values_list("pk", flat=True)
    return {pk: f"Student {n}" for n, pk in enumerate(found, start=1)}


def rows(browser: Client, address: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(browser.get(address).content.decode("utf-8-sig"))))[1:]


@pytest.mark.django_db
class TestNumbers:
    def test_one_number_on_all_of_a_teachers_pages(self, session: ClassSession) -> None:
        browser, expected = signed_in(session.classroom.teachers.get()), numbers(session)
        room = session.classroom_id
        came = {pk for pk, name in expected.items() if name not in {"Student 1", "Student 2"}}
        for address, who in (
            (f"/teach/sessions/{session.pk}/learning/", came),
            (f"/teach/classrooms/{room}/learning/", set(expected)),
            (f"/teach/classrooms/{room}/results/", set(expected)),
        ):
            found = LINK.findall(browser.get(address).text)
            assert {int(pk) for pk, _name in found} == who
            assert all(expected[int(pk)] == name for pk, name in found), address
        for pk, name in expected.items():
            page = browser.get(f"/teach/students/{pk}/results/").text
            assert f"<h1>{name} " in page

    def test_files_and_standings_have_the_same(self, session: ClassSession) -> None:
        browser, expected = signed_in(session.classroom.teachers.get()), numbers(session)
        named = dict(session.classroom.students.values_list("name", "pk"))
        results = f"/teach/sessions/{session.pk}/results/"
        room = f"/teach/classrooms/{session.classroom_id}/results/"
        books = {
            f"{results}standings-1.csv": 1,
            f"{results[:-8]}results/students.csv": 0,
            f"{room}gradebook.csv": 0,
        }
        hidden = {book: rows(browser, book) for book in books}
        page = browser.get(results).text
        browser.post(f"{room}names/", {"do": "show", "next": "/teach/"})
        for book, column in books.items():
            numbered = {row[column] for row in hidden[book]}
            by_name = {row[column] for row in rows(browser, book)}
            assert {expected[named[name]] for name in by_name} == numbered
            assert len(numbered) == 6
        shown = rows(browser, f"{results}standings-1.csv")
        standing = [row[1] for row in hidden[f"{results}standings-1.csv"]]
        assert standing == [expected[named[row[1]]] for row in shown]
        places = page.partition('id="standings-1"')[2].partition("</section>")[0]
        assert NUMBER.findall(places) == standing

    def test_a_gradebook_counts_to_ten(self) -> None:
        session = a_session()
        for student in students_in(session, 11):
            answered(session, student, "deck-size", True)
        browser = signed_in(session.classroom.teachers.get())
        book = f"/teach/classrooms/{session.classroom_id}/results/gradebook.csv"
        assert [row[0] for row in rows(browser, book)] == list(numbers(session).values())

    def test_grades_for_another_gradebook_are_named_and_in_percent(self) -> None:
        """Its page knows the names already; a student who has done nothing has no row."""
        session = a_session()
        first, second, _third = students_in(session, 3)
        for right in (True, True, False):
            answered(session, first, "deck-size", right)
        answered(session, second, "expected-number", True)
        browser = signed_in(session.classroom.teachers.get())
        file = f"/teach/classrooms/{session.classroom_id}/results/grades.csv"
        book = {row[0]: row[1:] for row in rows(browser, file)}
        assert book == {first.name: ["66.67", ""], second.name: ["", "100.0"]}
        for _homework in range(2):  # until one day, a column each
            some_homework(session.classroom)
        book = {row[0]: row[1:] for row in rows(browser, file)}
        assert book[first.name] == ["66.67", "", "0.0", "0.0"]

    def test_no_number_where_others_see_it(self, session: ClassSession) -> None:
        news.share(session=session, on=True)
        news.show_charts_to_students(session=session, on=True)
        student = session.classroom.students.get(name="Aardvark")
        teacher = signed_in(session.classroom.teachers.get())
        for browser, address in (
            (teacher, f"/teach/sessions/{session.pk}/results/wall/?all"),
            (Client(), f"/results/{share_token(settings_of(session))}/"),
            (device_of(student, session), f"/class/{session.pk}/results/"),
        ):
            page = browser.get(address).text
            assert "Who’s ahead?" in page
            assert re.search(r"Player \d", page)
            assert not NUMBER.findall(page), address

    def test_the_deleted_leave_no_gap(self, session: ClassSession) -> None:
        room = session.classroom
        seats.remove_student(student=room.students.get(name="Yak"))
        assert list(student_names(room, is_named=False).values()) == [
            f"Student {n}" for n in range(1, 8)
        ]
        assert next(iter(student_names(room, is_named=True).values())) == "Aardvark"

    def test_names_shown_in_one_class_stay_hidden_in_another(
        self, session: ClassSession
    ) -> None:
        teacher = session.classroom.teachers.get()
        other = a_session(a_classroom(teacher, "8a"))
        student = students_in(other, 1)[0]
        browser = signed_in(teacher)
        room, page = (
            f"/teach/classrooms/{pk}/results/"
            for pk in (session.classroom_id, other.classroom_id)
        )
        browser.post(f"{room}names/", {"do": "show", "next": room})
        assert "Aardvark" in browser.get(room).text
        assert student.name not in browser.get(page).text
        browser.post(f"{page}names/", {"do": "show", "next": page})
        browser.post(f"{room}names/", {"do": "hide", "next": room})
        assert "Aardvark" not in browser.get(room).text
        assert student.name in browser.get(page).text
