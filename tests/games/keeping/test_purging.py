"""Expired rows go in small transactions: the same rows as in one go, whenever it is killed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import chain, count
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games.classes import closing
from games.keeping import retention
from games.models import Guest, Seat, Table
from games.tables import results, seats, steering
from lessons.homework import giving
from lessons.models import Homework, Question, Visit
from lessons.questions.asking import ask_in_practice
from lessons.questions.learners import Learner
from tests.games.classroom import a_teacher, picture, playing, signed_in
from tests.games.table import finish, solo
from tests.scenes.homework import play_board, some_homework
from xactika_site.classrooms.models import Attendance, ClassSession, Student

pytestmark = pytest.mark.django_db

SOAK = os.environ.get("XACTIKA_SOAK") == "1"
OURS = ("classrooms", "games", "lessons")
COUNTED = {"version"}
"""Every change counts: more in more steps."""


@pytest.fixture(autouse=True)
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many transactions as can be, without rests; bots are named alike."""
    monkeypatch.setattr(retention, "AT_ONCE", 1)
    monkeypatch.setattr(retention, "TABLES", 1)
    monkeypatch.setattr(giving, "AT_ONCE", 1)
    monkeypatch.setattr(retention, "sleep", lambda _seconds: None)
    monkeypatch.setattr(seats, "system_rng", type("First", (), {"choice": staticmethod(min)}))


def a_school() -> ClassSession:
    """An expired session of two tables, homework and visitor, and the same that stays; some
    who came and left long ago sit at boards and in a class that stay."""
    session, students = playing(6, seats=3)
    for table_id in picture(session).tables:
        finish(table_id)
    old, new = some_homework(session.classroom), some_homework(session.classroom)
    for student in students[:2]:
        for homework in (old, new):
            play_board(homework, student, 1)
    play_board(new, students[2], 2, to=5)
    closing.close_session(session_id=session.pk)
    _stays, those_who_stay = playing(5, seats=3)
    for student in (students[3], those_who_stay[0]):
        for number in range(3):
            question = ask_in_practice(learner=Learner(student=student), exercise="deck-size")
            if number < 2:
                Question.objects.filter(pk=question.pk).update(asked=long_ago())
    alone, _other = solo(), solo()
    ClassSession.objects.filter(pk=session.pk).update(created=long_ago())
    Attendance.objects.filter(class_session=session).update(last_seen=long_ago())
    Table.objects.filter(class_session=session).update(created=long_ago())
    Table.objects.filter(pk=alone).update(created=long_ago())
    Guest.objects.filter(admissions__table=alone).update(created=long_ago())
    Homework.objects.filter(pk=old.pk).update(ends=long_ago())
    Seat.objects.filter(table__class_session=session).update(last_seen=long_ago())
    Seat.objects.filter(table=alone).update(last_seen=long_ago())
    expired = [student.pk for student in (*students[1:], those_who_stay[1])]
    Student.objects.filter(pk__in=expired).update(last_here=long_ago().date())
    return session


def long_ago() -> Any:
    return timezone.now() - timedelta(days=settings.RETENTION_DAYS + 2)


def stored() -> dict[str, list[dict[str, Any]]]:
    """Every row of ours."""
    rows = {}
    for model in apps.get_models():
        if model._meta.app_label in OURS:
            names = [f.attname for f in model._meta.concrete_fields if f.name not in COUNTED]
            rows[model._meta.label] = list(model._default_manager.order_by("pk").values(*names))
    return rows


def in_one_go() -> None:
    """How it went before: each kind by the service that deletes it, whole."""
    before = timezone.now() - timedelta(days=settings.RETENTION_DAYS)
    for session in ClassSession.objects.filter(created__lt=before):
        closing.delete_session(session_id=session.pk)
    for student in Student.objects.filter(last_here__lt=before.date()):
        seats.remove_student(student=student)
    for table in Table.objects.filter(class_session=None, classroom=None, created__lt=before):
        steering.delete_table(table_id=table.pk)
    for homework in Homework.objects.filter(ends__lt=before):
        giving.delete(homework=homework)
    Question.objects.filter(asked__lt=before).delete()
    Visit.objects.filter(begun__lt=before).delete()
    retention._purge_guests(before)


@contextmanager
def undone() -> Iterator[None]:
    """All that is done in it is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_the_same_rows_go_as_in_one_go() -> None:
    a_school()
    all_of_it = stored()
    with undone():
        in_one_go()
        expected = stored()
    retention.purge_expired()
    assert stored() == expected
    less = {label for label in expected if len(expected[label]) < len(all_of_it[label])}
    more = {"games.Table", "games.Move", "lessons.Homework", "lessons.Question", "games.Guest"}
    assert less >= more | {"classrooms.ClassSession", "classrooms.Student"}
    assert all(expected[label] for label in less)


def test_a_session_resumed_meanwhile_stays_and_is_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = a_school()

    def resume(_seconds: float) -> None:
        Attendance.objects.filter(class_session=session).update(last_seen=timezone.now())

    monkeypatch.setattr(retention, "sleep", resume)
    assert retention.purge_expired()["Sessions"] == 0
    assert ClassSession.objects.filter(pk=session.pk).exists()


def test_killed_between_any_two_nothing_is_half_done(monkeypatch: pytest.MonkeyPatch) -> None:
    session = a_school()
    with undone():
        retention.purge_expired()
        expected = stored()
    teacher = signed_in(a_teacher())
    room = session.classroom_id
    addresses = [f"/teach/classrooms/{room}/", f"/teach/sessions/{session.pk}/results/"]
    addresses += [f"/teach/sessions/{session.pk}/", f"/teach/classrooms/{room}/homework/"]
    seen = set()
    # Long checks kill it after each transaction, others after the first three and every third.
    for number in chain((1, 2), count(3, 1 if SOAK else 3)):
        turns = iter(range(number))

        def rest(_seconds: float, turns: Iterator[int] = turns) -> None:
            if next(turns, None) in {None, number - 1}:  # noqa: B023 (called in this round)
                raise KeyboardInterrupt

        monkeypatch.setattr(retention, "sleep", rest)
        with undone():
            try:
                retention.purge_expired()
                break
            except KeyboardInterrupt:
                pass
            here = ClassSession.objects.filter(pk=session.pk).exists()
            seen.add((here, Table.objects.filter(class_session=session).count()))
            for address in addresses:
                assert teacher.get(address).status_code in ({200, 302} if here else {200, 404})
            assert results.rebuild_results(check_only=True)[1] == []
            monkeypatch.setattr(retention, "sleep", lambda _seconds: None)
            retention.purge_expired()
            assert stored() == expected
    assert seen == {(True, 1), (True, 0), (False, 0)}


def test_what_is_used_again_meanwhile_keeps_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    session = a_school()
    here = Attendance.objects.filter(class_session=session)
    monkeypatch.setattr(retention, "sleep", lambda _s: here.update(last_seen=timezone.now()))
    retention.purge_expired()
    assert Table.objects.filter(class_session=session).count() == 1
    assert ClassSession.objects.filter(pk=session.pk).exists()
