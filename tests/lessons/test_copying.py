"""A class copied for another year: what goes along, and that nothing else does."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client

from games.models import Deal, SessionSettings
from games.rules import Variant
from lessons.models import Answer, Homework, LessonSettings
from lessons.questions import sets
from lessons.results.news import show_charts_to_students
from tests.games.classroom import a_teacher, playing, signed_in
from tests.scenes.homework import some_homework
from tests.scenes.results import play_round
from xactika_site.classrooms.models import Attendance, Classroom, ClassSession
from xactika_site.classrooms.selectors import phrase_of, students_of, teachers_of

pytestmark = pytest.mark.django_db


class Scene:
    """A class of two teachers that has played, with a set, homework, and a newcomer."""

    def __init__(self) -> None:
        self.session, self.students = playing(4, variant=Variant.LOSE.value, rounds=3)
        self.classroom = self.session.classroom
        self.second = a_teacher("second")
        self.classroom.teachers.add(self.second)
        for table in self.session.tables.all():
            play_round(table.pk, Random(1))
        Attendance.objects.filter(student=self.students[3]).update(newcomer=True)
        ClassSession.objects.update(names_hidden=True, expected=17)
        show_charts_to_students(session=self.session, on=True)
        made = sets.create(classroom=self.classroom, name="Mine", text="# 1\n")
        sets.save(
            question_set=made, name="Mine", text="# 1\n", version=made.version, practice=True
        )
        some_homework(self.classroom)

    def copy(self, browser: Client, **sent: str) -> Classroom:
        address = f"/teach/classrooms/{self.classroom.pk}/copy/"
        assert browser.post(address, {"name": "8b", **sent}).status_code == 302
        return Classroom.objects.latest("pk")


def test_a_copy_has_the_settings_and_nothing_that_was_played() -> None:
    scene = Scene()
    rows = Deal.objects.count(), Answer.objects.count(), Homework.objects.count()
    copy = scene.copy(signed_in(scene.second))
    assert (copy.name, copy.language) == ("8b", scene.classroom.language)
    assert copy.code != scene.classroom.code
    assert teachers_of(copy)[0] == scene.second  # who copies a class may delete the copy
    assert set(copy.teachers.all()) == set(scene.classroom.teachers.all())
    (session,) = ClassSession.objects.filter(classroom=copy)
    assert (session.state, session.names_hidden, session.expected) == ("lobby", True, 17)
    settings = SessionSettings.objects.get(class_session=session)
    assert (settings.variant, settings.rounds) == (Variant.LOSE.value, 3)
    assert LessonSettings.objects.get(class_session=session).charts_for_students
    own = [(each.name, each.text, each.practice) for each in copy.question_sets.all()]
    assert own == [("Mine", "# 1\n", True)]
    assert not copy.students.exists()
    assert rows == (Deal.objects.count(), Answer.objects.count(), Homework.objects.count())


def test_students_come_along_under_new_phrases() -> None:
    """All whom the class knows; the old class's phrases stay."""
    scene = Scene()
    old = {student.name: phrase_of(student) for student in scene.students[:3]}
    browser = signed_in(scene.classroom.teachers.first() or scene.second)
    new = {
        each.name: phrase_of(each) for each in students_of(scene.copy(browser, students="on"))
    }
    assert new.keys() == old.keys()
    assert not set(new.values()) & set(old.values())
    assert {each.name: phrase_of(each) for each in scene.students[:3]} == old


def test_a_copy_has_a_name() -> None:
    scene = Scene()
    address = f"/teach/classrooms/{scene.classroom.pk}/copy/"
    assert signed_in(scene.second).post(address, {"name": " "}).status_code == 422
    assert signed_in(a_teacher("another")).post(address, {"name": "8b"}).status_code == 404
    assert Classroom.objects.count() == 1
