"""What is taken out, deleted and expired: nothing of a student stays, nothing else goes."""

from __future__ import annotations

import json
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models.signals import post_init
from django.test import AsyncClient, Client
from django.utils import timezone
from pytest_django import Settings

from games.classes import closing, joining, steering
from games.keeping import export, retention
from games.keeping.retention import purge_expired
from games.models import Guest, Move, Result, Seat, Table
from games.tables import results
from games.tables import seats as table_seats
from games.tables.state import load_table
from lessons.models import Question
from lessons.questions.asking import ask_in_practice
from lessons.questions.learners import Learner
from tests.games.classroom import a_classroom, a_session, a_teacher, picture, playing, signed_in
from tests.games.conftest import Clock
from tests.games.table import a_guest, finish, solo
from tests.scenes.by_students import play_by_students
from xactika_site import database
from xactika_site.classrooms.models import Attendance, Classroom, ClassSession, Student
from xactika_site.classrooms.services import mark_here


@pytest.mark.django_db
class TestAfterADeletion:
    def test_two_deleted_on_one_seat_are_still_two(self) -> None:
        session, students = playing(1, seats=2)
        table_id = picture(session).tables[0]
        seat = picture(session).students[0].seat or 0
        play_by_students(table_id, until=lambda state: len(state.moves) >= 8)
        joining.send_out(session_id=session.pk, student_id=students[0].pk, bar=True)
        second = joining.join(session=session, name="Loud Lark")
        assert load_table(table_id).seats[seat].student_id == second.pk
        play_by_students(table_id)
        assert not Result.objects.get(seat=seat, deal__table=table_id).by_person
        for student in (students[0], second):
            table_seats.remove_student(student=student)
        assert results.rebuild_results(check_only=True) == (1, [])

    def test_its_bells_ring(
        self, bells: list[str], django_capture_on_commit_callbacks: Any
    ) -> None:
        session, students = playing(4)
        table_id = picture(session).tables[0]
        with django_capture_on_commit_callbacks(execute=True):
            bells.clear()
            table_seats.remove_student(student=students[0])
        assert {table_id, f"session.{session.pk}"} <= set(bells)


@pytest.mark.django_db
class TestDeleting:
    def test_a_session_takes_its_tables_along_and_leaves_the_students(self) -> None:
        session, _students = playing(4)
        finish(picture(session).tables[0])
        other = solo()
        teacher = signed_in(a_teacher())
        page = teacher.get(f"/teach/sessions/{session.pk}/delete/")
        assert page.status_code == 200
        assert Table.objects.count() == 2
        assert teacher.post(f"/teach/sessions/{session.pk}/delete/").status_code == 302
        assert list(Table.objects.values_list("id", flat=True)) == [other]
        assert not ClassSession.objects.exists()
        assert Student.objects.count() == 4
        assert not Attendance.objects.exists()

    def test_the_page_that_asks_says_what_goes(self) -> None:
        session, _students = playing(2)
        ClassSession.objects.update(name="Before the test")
        play_by_students(picture(session).tables[0])
        page = signed_in(a_teacher()).get(f"/teach/sessions/{session.pk}/delete/").text
        day = timezone.localdate()
        told = (session.classroom.name, "Before the test", f"{day:%B %Y}")
        for each in (*told, "Students who came: 2", "Finished rounds: 1"):
            assert each in page


@pytest.mark.django_db
class TestWhoNeverPlayed:
    def test_they_go_and_whoever_left_something_stays(self) -> None:
        session, students = playing(3)
        table_id = picture(session).tables[0]
        play_by_students(table_id)
        lost = joining.join(session=session, name="Second Shrew")
        closing.close_session(session_id=session.pk)
        classroom = session.classroom
        flood = [a_student(classroom, f"Made-up Mole {n}") for n in range(5)]
        practised = a_student(classroom, "Lone Lynx")
        Question.objects.create(
            student=practised, place="practice", exercise="x", seed=1, parameters={}
        )
        now = a_session(classroom)
        here = joining.join(session=now, name="Fresh Finch")
        teacher = signed_in(a_teacher())
        address = f"/teach/classrooms/{classroom.pk}/unplayed/delete/"
        page = teacher.get(address).content.decode()
        assert "Never made a move or answered a question: 6." in page
        for student in (*flood, lost):
            assert student.name in page
        assert "Fresh Finch" not in page
        listed = [student.pk for student in (*flood, lost)]
        new_since = a_student(classroom, "Made-up Mole 5")
        teacher.post(address, {"student": listed})
        assert set(Student.objects.all()) == {*students, practised, here, new_since}
        teacher.post(address, {"student": [new_since.pk, here.pk, students[0].pk, "x", "²"]})
        assert "None: everybody has played" in teacher.get(address).content.decode()
        assert results.rebuild_results(check_only=True) == (1, [])


def a_student(classroom: Classroom, name: str) -> Student:
    today = timezone.localdate()
    return Student.objects.create(classroom=classroom, name=name, last_here=today)


@pytest.mark.django_db
class TestExpiry:
    def test_what_was_not_used_goes_and_the_rest_stays(self, settings: Settings) -> None:
        settings.RETENTION_DAYS = 30
        old = timezone.now() - timedelta(days=31)
        classroom = a_classroom()
        session = a_session(classroom)
        student = joining.join(session=session, name="Calm Crane")
        closing.close_session(session_id=session.pk)
        late = a_session(classroom)
        stays = joining.join(session=late, name="Brisk Birch")
        table, fresh = solo(), solo(a_guest())
        ClassSession.objects.filter(pk=session.pk).update(created=old)
        Attendance.objects.filter(class_session=session).update(last_seen=old)
        Student.objects.filter(pk=student.pk).update(last_here=old.date())
        Table.objects.filter(pk=table).update(created=old)
        Seat.objects.filter(table=table).update(last_seen=old)
        Guest.objects.filter(admissions__table=table).update(created=old)
        gone = purge_expired()
        assert gone == {
            "Sessions": 1,
            "Students": 1,
            "Tables": 1,
            "Leagues": 0,
            "Guests": 1,
            "Copies": 0,
            "Sign-ins": 0,
            "Homework": 0,
            "Cover lessons": 0,
            "Questions": 0,
            "Visits of lessons": 0,
        }
        assert list(Student.objects.all()) == [stays]
        assert list(ClassSession.objects.all()) == [late]
        assert list(Table.objects.values_list("id", flat=True)) == [fresh]
        assert Guest.objects.count() == 1

    def test_a_day_before_the_period_nothing_goes(self, settings: Settings) -> None:
        settings.RETENTION_DAYS = 30
        session, _students = playing(2)
        young = timezone.now() - timedelta(days=29)
        ClassSession.objects.filter(pk=session.pk).update(created=young)
        Student.objects.update(last_here=young.date())
        assert not any(purge_expired().values())

    def test_a_session_resumed_lately_stays(self, settings: Settings) -> None:
        settings.RETENTION_DAYS = 30
        session, _students = playing(2)
        ClassSession.objects.update(created=timezone.now() - timedelta(days=99))
        assert not any(purge_expired().values())
        assert picture(session).here

    @pytest.mark.parametrize(
        "way", ["comes by the code", "has the lobby open", "is at a table"]
    )
    def test_whoever_sits_in_class_stays(self, settings: Settings, way: str) -> None:
        """A session resumed each week: nobody in it is new, nobody joins again."""
        settings.RETENTION_DAYS = 30
        session, (student, _left) = playing(2)
        long_ago = timezone.now() - timedelta(days=31)
        ClassSession.objects.update(created=long_ago)
        Attendance.objects.update(last_seen=long_ago)
        Seat.objects.update(last_seen=long_ago)
        Student.objects.update(last_here=long_ago.date())
        if way == "comes by the code":
            joining.come_in(session=session, student=student)
        elif way == "has the lobby open":
            mark_here(attendances=[Attendance.objects.get(student=student).pk])
        else:
            seat = Seat.objects.get(student=student)
            table_seats.mark_seen(seats=[seat.pk], when=timezone.now())
        assert purge_expired()["Students"] == 1
        assert list(Student.objects.all()) == [student]
        if way != "comes by the code":
            assert picture(session).here

    def test_the_day_is_written_once_a_day(
        self, django_assert_num_queries: Any, clock: Clock
    ) -> None:
        playing(3)
        seats = list(Seat.objects.filter(student__isnull=False).values_list("pk", flat=True))
        attendances = list(Attendance.objects.values_list("pk", flat=True))
        clock.forward(24 * 60 * 60)
        table_seats.mark_seen(seats=seats, when=clock())
        assert set(Student.objects.values_list("last_here", flat=True)) == {clock().date()}
        for _ten_seconds in range(3):
            with django_assert_num_queries(2):  # when they were seen, and a look
                table_seats.mark_seen(seats=seats, when=clock())
            with django_assert_num_queries(2):
                mark_here(attendances=attendances)

    def test_whoever_learns_stays(self, settings: Settings) -> None:
        """Practice and lessons alone are use, too; a guest stays while anything of theirs
        does."""
        settings.RETENTION_DAYS = 30
        (student,) = playing(1)[1]
        guest, old = a_guest(), timezone.now() - timedelta(days=31)
        Student.objects.update(last_here=old.date())
        Guest.objects.update(created=old)
        for learner in (Learner(student=student), Learner(guest=guest)):
            ask_in_practice(learner=learner, exercise="deck-size")
        gone = purge_expired()
        assert (gone["Students"], gone["Guests"], gone["Questions"]) == (0, 0, 0)
        Question.objects.update(asked=old)
        assert purge_expired()["Guests"] == 1

    def test_a_table_in_use_stays(self, settings: Settings) -> None:
        settings.RETENTION_DAYS = 1
        used, left = solo(), solo()
        Table.objects.update(created=timezone.now() - timedelta(days=2))
        Seat.objects.filter(table=left).update(last_seen=timezone.now() - timedelta(days=2))
        assert purge_expired()["Tables"] == 1
        assert list(Table.objects.values_list("pk", flat=True)) == [used]

    def test_what_cannot_be_deleted_holds_up_nothing_else(
        self, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.RETENTION_DAYS = 30
        table, old = solo(), timezone.now() - timedelta(days=31)
        Table.objects.update(created=old)
        Seat.objects.update(last_seen=old)
        a_session()
        ClassSession.objects.update(created=old)

        def broken(**_arguments: Any) -> None:
            raise RuntimeError("no")

        monkeypatch.setattr(closing, "delete_session", broken)
        with pytest.raises(ExceptionGroup):
            purge_expired()
        assert not Table.objects.filter(pk=table).exists()

    def test_the_daily_thread_survives_whatever_happens(
        self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        """It says what happened, tries again within the day, and then daily."""
        outcomes = [OSError("disk"), KeyError("a mistake of ours"), {}, ValueError(), {}]
        slept: list[float] = []

        def purge() -> dict[str, int]:
            outcome = outcomes.pop(0)
            if isinstance(outcome, Exception):
                raise outcome
            return {}

        def sleep(seconds: float) -> None:
            slept.append(seconds)
            if not outcomes:
                raise SystemExit

        monkeypatch.setattr(retention, "purge_expired", purge)
        monkeypatch.setattr(retention, "sleep", sleep)
        monkeypatch.setattr(retention, "connection", SimpleNamespace(close=lambda: None))
        with pytest.raises(SystemExit):
            retention._purge_for_ever()
        hour, day = 3600, 24 * 3600
        assert slept == [hour, hour, day, hour, day]
        told = [record for record in caplog.records if record.name == "xactika.retention"]
        assert len(told) == 3
        assert all(record.exc_info for record in told)

    def test_the_command_says_what_went(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            database, "CLEAR_AFTER", (0.0,)
        )  # the test's transaction reads its log
        call_command("purge_expired")
        assert "Students: 0 deleted" in capsys.readouterr().out


def read(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.django_db
class TestExport:
    def test_a_running_round_is_not_in_it(self) -> None:
        session, _students = playing(4)
        table_id = picture(session).tables[0]
        play_by_students(table_id, until=lambda state: len(state.moves) == 20)
        deals = export.finished_deals().filter(table__class_session=session)
        assert list(export.lines(deals)) == []
        play_by_students(table_id)
        rows = read("".join(export.lines(deals)))
        assert [row["kind"] for row in rows] == ["round", *["move"] * 36]

    def test_the_moves_replay_to_the_results(self) -> None:
        session, students = playing(3)
        table_id = picture(session).tables[0]
        play_by_students(table_id)
        deals = export.finished_deals()
        head, *moves = read("".join(export.lines(deals)))
        taken = {row["seat"]: row["taken"] for row in head["results"]}
        assert sum(taken.values()) == 8
        bids = {row["seat"]: int(row["move"]) for row in moves[:4]}
        assert bids == {row["seat"]: row["bid"] for row in head["results"]}
        played = [row["move"][:4] for row in moves[4:]]
        assert sorted(played) == sorted(card for hand in head["hands"] for card in hand)
        assert {row["student"] for row in moves} == {None, *(s.name for s in students)}

    def test_it_takes_three_queries_however_many_rounds(
        self, django_assert_num_queries: Any
    ) -> None:
        session, students = playing(4, rounds=6)
        table_id = picture(session).tables[0]
        for rounds in (1, 6):
            while Result.objects.filter(seat=0).count() < rounds:
                play_by_students(table_id)
                steering.deal_next_round(session_id=session.pk)
            for student in (None, students[0]):
                with django_assert_num_queries(3):
                    rows = read("".join(export.lines(export.finished_deals(), student=student)))
                assert len(rows) == rounds * (37 if student is None else 10)
        heads = [number for number, row in enumerate(rows) if row["kind"] == "round"]
        assert [rows[number]["round"] for number in heads] == [1, 2, 3, 4, 5, 6]
        assert all(row["round"] == rows[n // 10 * 10]["round"] for n, row in enumerate(rows))

    def test_only_some_of_it_is_in_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(export, "AT_ONCE", 40)
        session, _students = playing(4, rounds=6)
        for _round in range(6):
            play_by_students(picture(session).tables[0])
            steering.deal_next_round(session_id=session.pk)
        made: list[Move] = []

        def note(instance: Move, **_more: Any) -> None:
            made.append(instance)

        post_init.connect(note, sender=Move)
        try:
            taken = export.lines(export.finished_deals())
            for _line in range(37):
                next(taken)
            assert len(made) <= 40
            assert len(list(taken)) == 5 * 37
        finally:
            post_init.disconnect(note, sender=Move)

    def test_a_students_own_has_nobody_elses_hand_or_moves(self) -> None:
        session, students = playing(4)
        play_by_students(picture(session).tables[0])
        seat = picture(session).students[0].seat
        me = students[0]
        head, *moves = read("".join(export.lines(export.finished_deals(), student=me)))
        assert [number for number, hand in enumerate(head["hands"]) if hand] == [seat]
        assert [row["seat"] for row in head["results"]] == [seat]
        assert {row["seat"] for row in moves} == {seat}
        assert {row["student"] for row in moves} == {me.name}


@pytest.mark.django_db(transaction=True)
async def test_files_are_sent_in_pieces() -> None:
    from asgiref.sync import sync_to_async

    def prepare() -> tuple[ClassSession, Student, Any]:
        session, students = playing(4)
        play_by_students(picture(session).tables[0])
        return session, students[0], a_teacher()

    session, student, teacher = await sync_to_async(prepare)()
    browser = AsyncClient()
    await sync_to_async(browser.force_login)(teacher)
    lines = {}
    for what, pk in (
        ("sessions", session.pk),
        ("classrooms", session.classroom_id),
        ("students", student.pk),
    ):
        response: Any = await browser.get(f"/teach/{what}/{pk}/moves.jsonl")
        assert response["Content-Disposition"].endswith('.jsonl"')
        lines[what] = len(b"".join([piece async for piece in response]).splitlines())
    assert lines == {"sessions": 37, "classrooms": 37, "students": 10}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        *("students/{student}/moves.jsonl", "students/{student}/answers.jsonl"),
        *("sessions/{session}/moves.jsonl", "classrooms/{classroom}/moves.jsonl"),
        *("students/{student}/delete/", "sessions/{session}/delete/"),
        "classrooms/{classroom}/unplayed/delete/",
    ],
)
def test_what_is_taken_out_or_deleted_stays_in_no_browsers_store(path: str) -> None:
    session, (student,) = playing(1)
    words = {
        "student": student.pk,
        "session": session.pk,
        "classroom": session.classroom_id,
    }
    page = signed_in(a_teacher()).get("/teach/" + path.format(**words))
    assert page.status_code == 200
    assert "no-store" in page.headers["Cache-Control"]


def test_the_page_for_parents_names_copies_and_the_date_of_visitors() -> None:
    page = " ".join(Client().get("/privacy/").text.split())
    assert database.COPIES == 3
    assert "at most three copies" in page
    assert "when another device last reached it" in page
