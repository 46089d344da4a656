"""One exercise before a class: put, answered by each student, counted without names, shown."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from games.classes import closing, joining
from games.models import SessionSettings
from games.polls import student_here
from games.tables import moves
from games.tables.state import load_table
from lessons.exercises import EXERCISES, rebuild
from lessons.models import Answer, ClassExercise, Question
from lessons.questions import asking, before_class
from lessons.questions.in_class import (
    class_answers,
    class_results,
    exercise_before,
    exercises_by_source,
    source_of,
)
from lessons.visits import holding
from tests.games.classroom import device_of, picture, playing, signed_in, sitting
from tests.games.table import play
from tests.scenes import present
from tests.scenes.by_students import play_by_students
from tests.scenes.pictures import words
from tests.scenes.questions import right_texts, send, wrong_texts
from xactika_site.classrooms.models import Attendance, ClassSession, Student
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db


def put(session: ClassSession, key: str = "either-chance", seed: int = 5) -> ClassExercise:
    return before_class.put(session=session, exercise=key, seed=seed)


def question_of(exercise: ClassExercise, student: Student) -> Question:
    return present(before_class.class_question(exercise=exercise, student=student))


def answer(exercise: ClassExercise, student: Student, texts: Any = right_texts) -> None:
    stored = question_of(exercise, student)
    asking.answer(question_id=stored.pk, number=stored.answers.count(), texts=texts(stored))


def page(browser: Client, path: str, **headers: str) -> str:
    return str(browser.get(path, headers=headers).text)


def test_who_was_sent_out_is_asked_no_more() -> None:
    session, (student, other) = playing(2)
    exercise = put(session)
    path = f"/lessons/sessions/{session.pk}/"
    browser = device_of(student, session)
    assert "From your teacher" in page(browser, path)
    assert question_of(exercise, student) != question_of(exercise, other)
    joining.send_out(session_id=session.pk, student_id=student.pk)
    assert page(browser, path, **{"HX-Request": "true"}) == ""
    with pytest.raises(NotFound):
        student_here(sitting(student, session.pk), session.pk)


class TestPutting:
    def test_what_can_be_put(self) -> None:
        keys = [e.key for _source, exercises in exercises_by_source() for e in exercises]
        assert sorted(keys) == sorted(set(EXERCISES) - {"after-slough"})
        assert source_of("after-slough") is None
        assert source_of("no-such") is None

    def test_one_question_for_all_the_same_to_everybody(self) -> None:
        session, students = playing(3)
        exercise = put(session)
        built = {str(rebuild(question_of(exercise, s).to_json())) for s in students}
        assert len(built) == 1
        assert exercise.parameters == question_of(exercise, students[0]).parameters

    def test_about_each_ones_own_last_hand(self) -> None:
        session, students = playing(2, seats=2, rounds=2)
        table_id = picture(session).tables[0]
        play_by_students(table_id)
        state = load_table(table_id)
        seats = {seat.student_id: seat.number for seat in state.seats}
        exercise = put(session, "unseen-card")
        assert exercise.parameters is None
        for student in students:
            dealt = question_of(exercise, student).parameters["dealt"]
            assert sorted(dealt) == sorted(state.dealt[seats[student.pk]])

    def test_a_running_hand_is_never_asked_about(self) -> None:
        session, students = playing(2, seats=2)
        hands = [set(hand) for hand in load_table(picture(session).tables[0]).dealt]
        exercise = put(session, "hand-spread")
        for student in students:
            asked = question_of(exercise, student)
            assert asked.parameters["invented"]
            assert set(asked.parameters["dealt"]) not in hands

    def test_nor_a_board_that_some_table_still_plays(self) -> None:
        session, students = playing(4, seats=2, duplicate=True)
        first, second = picture(session).tables
        play_by_students(first)
        assert class_results(session.pk) is None
        exercise = put(session, "unseen-card")
        assert all(question_of(exercise, s).parameters["invented"] for s in students)
        play_by_students(second)
        results = present(class_results(session.pk))
        assert (results.rounds, len(results.hands)) == (2, 2)  # a board counts once
        exercise = put(session, "unseen-card")
        assert not any(question_of(exercise, s).parameters["invented"] for s in students)

    def test_about_the_class_once_there_is_enough(self) -> None:
        session, _students = playing(6, seats=2, rounds=4, questions="off")
        with pytest.raises(Refused, match="No question"):
            put(session, "frequency")
        assert not ClassExercise.objects.exists()
        for table_id in picture(session).tables:
            for _round in range(2):
                play_by_students(table_id)
                state = load_table(table_id)
                for seat in state.people:
                    moves.say_ready(table_id=table_id, seat=seat.number, turn=state.turn)
        exercise = put(session, "frequency")
        assert exercise.parameters is not None
        assert exercise.parameters["hands"] == 12
        results = present(class_results(session.pk))
        assert results.students == 6
        assert len(results.bids) == 12

    def test_a_new_one_takes_the_place_of_the_last(self) -> None:
        session, _students = playing(2)
        first, second = put(session), put(session, "deck-size")
        first.refresh_from_db()
        assert first.closed is not None
        assert first.ended is not None
        assert exercise_before(session.pk) == second
        before_class.take_away(exercise=second)
        assert exercise_before(session.pk) is None

    def test_a_closed_session_takes_none(self) -> None:
        session, _students = playing(2)
        closing.close_session(session_id=session.pk)
        with pytest.raises(Refused, match="closed"):
            put(session)

    def test_every_step_is_news_to_the_class_once(self) -> None:
        session, _students = playing(2)
        news = []
        exercise = put(session)
        for step in ("close", "close", "reveal", "reveal", "away", "away"):
            before_class.STEPS[step](exercise=exercise)
            news.append(SessionSettings.objects.get(class_session=session).news)
        assert news == [2, 2, 3, 3, 4, 4]


class TestTheTeachersPage:
    @pytest.mark.parametrize("is_played", [False, True])
    def test_what_is_on_offer_is_not_refused(self, is_played: bool) -> None:
        session, _students = playing(12, seats=4)
        teacher = signed_in(session.classroom.teachers.get())
        for table in picture(session).tables if is_played else ():
            play_by_students(table)
        path = f"/teach/sessions/{session.pk}/exercise/"
        offered = re.findall(r'href="(\?exercise=([^"&]+)[^"]*)"', page(teacher, path))
        about_class = [way for way, key in offered if source_of(key) == "class"]
        assert bool(about_class) is is_played
        for each in about_class:
            told = page(teacher, path + each.replace("&amp;", "&"))
            assert 'class="told"' not in told, each
        closing.close_session(session_id=session.pk)
        assert "?exercise=" not in page(teacher, path)
        assert "This session is closed." in page(teacher, f"{path}?exercise=deck-size")

    @pytest.mark.parametrize(
        ("query", "line"),
        [
            ("exercise=no-such", "We don’t have that exercise."),
            ("exercise=after-slough", "We don’t have that exercise."),
            ("exercise=" + "x" * 9000, "We don’t have that exercise."),
            ("exercise=deck-size&seed=abc", "No question here right now"),
            ("exercise=deck-size&seed=" + "9" * 400, "No question here right now"),
            ("exercise=deck-size&seed=٣", "No question here right now"),
            ("exercise=frequency", "No question here right now"),
        ],
    )
    def test_what_there_is_not_is_told_plainly(self, query: str, line: str) -> None:
        session, _students = playing(2)
        teacher = signed_in(session.classroom.teachers.get())
        assert line in page(teacher, f"/teach/sessions/{session.pk}/exercise/?{query}")

    @pytest.mark.parametrize(
        ("form", "status"),
        [
            ({"do": "put:no-such", "seed": "1"}, 409),
            ({"do": "put:deck-size"}, 409),
            ({"do": "put:deck-size", "seed": "-1"}, 409),
            ({"do": "put:deck-size", "seed": "1e400000"}, 409),
            ({"do": "put:frequency", "seed": "1"}, 409),
            ({"do": "explode"}, 404),
            ({}, 404),
            ({"do": "reveal:12"}, 302),
        ],
    )
    def test_nor_is_anything_of_it_put(self, form: dict[str, str], status: int) -> None:
        session, _students = playing(2)
        teacher = signed_in(session.classroom.teachers.get())
        path = f"/teach/sessions/{session.pk}/exercise/do/"
        assert teacher.post(path, form).status_code == status
        assert not ClassExercise.objects.exists()

    def test_what_was_seen_beforehand_is_what_is_put(self) -> None:
        session, _students = playing(2)
        teacher = signed_in(session.classroom.teachers.get())
        before = page(teacher, f"/teach/sessions/{session.pk}/exercise/?exercise=deck-size")
        seed = re.search(r'name="seed" value="(\d+)"', before)
        prompt = re.search(r'class="question-prompt">(.*?)</p>', before)
        assert seed
        assert prompt
        path = f"/teach/sessions/{session.pk}/exercise/do/"
        teacher.post(path, {"do": "put:deck-size", "seed": seed[1]})
        assert prompt[1] in page(teacher, f"/teach/sessions/{session.pk}/exercise/")

    def test_answers_come_in_without_names(self) -> None:
        session, students = playing(6)
        exercise = put(session)
        teacher = signed_in(session.classroom.teachers.get())
        path = f"/teach/sessions/{session.pk}/exercise/"
        text = page(teacher, path)
        seen = present(re.search(r"\?seen=([^\"]+)\"", text))
        asked_again = f"{path}?seen={seen[1]}"
        again = teacher.get(asked_again, headers={"HX-Request": "true"})
        assert again.status_code == 204
        answer(exercise, students[0])
        answer(exercise, students[1], wrong_texts)
        answer(exercise, students[1])
        text = page(teacher, asked_again, **{"HX-Request": "true"})
        assert "2 of 6 have answered" in words(text)
        assert not any(student.name in text for student in students)
        found = class_answers(exercise)
        assert (found.right_at_once, found.right, found.attempts) == (1, 2, 3)

    def test_a_misconception_counts_students_not_tries(self) -> None:
        session, students = playing(2)
        exercise = put(session, "unseen-card")
        for _try in range(2):
            answer(exercise, students[0], lambda _stored: {"chance": "1/3"})
        answer(exercise, students[1], lambda _stored: {"chance": "1/3"})
        title = "Ignores what has been seen"
        assert class_answers(exercise).misconceptions == ((title, 2),)


class TestTheWall:
    def test_figures_only_when_closed_and_of_five_students(self) -> None:
        session, students = playing(6)
        exercise = put(session, "unseen-card")
        teacher = signed_in(session.classroom.teachers.get())
        path = f"/teach/sessions/{session.pk}/exercise/projector/"
        for number, student in enumerate(students[:5], start=1):
            answer(exercise, student, lambda _stored: {"chance": "1/3"})
            text = page(teacher, path)
            assert f"{number} of 6 have answered" in words(text)
            assert "Right first time" not in text
            assert "Ignores what" not in text
            assert not any(student.name in text for student in students)
            if number == 4:
                before_class.close(exercise=exercise)
                assert "Figures are shown from five" in page(teacher, path)
                ClassExercise.objects.update(closed=None)
        before_class.close(exercise=exercise)
        text = page(teacher, path)
        assert "Right first time" in text
        assert "Ignores what has been seen" in text

    def test_latecomers_find_the_code_on_it_unless_the_lobby_is_locked(self) -> None:
        session, _students = playing(2)
        put(session)
        teacher = signed_in(session.classroom.teachers.get())
        path = f"/teach/sessions/{session.pk}/exercise/projector/"
        code = session.classroom.code
        shown = f'<p>testserver/join/ <b class="code">{code[:3]} {code[3:]}</b></p>'
        assert shown in page(teacher, path)
        ClassSession.objects.update(locked=True)
        assert 'class="code"' not in page(teacher, path)

    def test_the_way_is_shown_only_when_revealed(self) -> None:
        session, _students = playing(2)
        exercise = put(session)
        teacher = signed_in(session.classroom.teachers.get())
        solution = rebuild(
            {"exercise": exercise.exercise, "parameters": exercise.parameters}
        ).solution[0]
        for path in ("", "projector/"):
            path = f"/teach/sessions/{session.pk}/exercise/{path}"
            assert "Solution" not in page(teacher, path)
        before_class.reveal(exercise=exercise)
        path = f"/teach/sessions/{session.pk}/exercise/projector/"
        assert "Solution" in page(teacher, path)
        assert solution
        before_class.take_away(exercise=exercise)
        away = teacher.get(path, headers={"HX-Request": "true"})
        assert away.headers["HX-Redirect"].endswith("/projector/")


class TestTheStudent:
    def test_answers_until_it_is_closed_and_sees_the_way_when_it_is_shown(self) -> None:
        session, students = playing(2)
        exercise = put(session)
        client = device_of(students[0], session)
        path = f"/lessons/sessions/{session.pk}/"
        before = page(client, path, **{"HX-Request": "true"})
        assert "Your teacher asks everybody" in before
        assert "Show me the solution" not in before
        stored = question_of(exercise, students[0])
        assert "Your teacher shows how it’s done." in (
            client.post(f"/lessons/questions/{stored.pk}/solve/").text
        )
        text = send(client, stored, right_texts(stored)).text
        assert "Right!" in text
        assert "Solution" not in text  # the neighbour still thinks
        before_class.close(exercise=exercise)
        late = question_of(exercise, students[0])
        other = device_of(students[1], session)
        assert "Your teacher shows how it’s done" in page(other, path)
        before_class.reveal(exercise=exercise)
        assert "Solution" in page(client, path)
        assert late == stored
        before_class.take_away(exercise=exercise)
        assert "From your teacher" not in page(client, path)

    def test_too_late_is_told_plainly_and_changes_nothing(self) -> None:
        session, students = playing(2)
        exercise = put(session)
        stored = question_of(exercise, students[0])
        before_class.close(exercise=exercise)
        client = device_of(students[0], session)
        text = send(client, stored, right_texts(stored)).text
        assert "It has closed." in text
        assert not Answer.objects.exists()

    def test_figures_of_few_are_not_shown_to_students(self) -> None:
        session, students = playing(6)
        exercise = put(session)
        client = device_of(students[0], session)
        path = f"/lessons/sessions/{session.pk}/"
        for student in students[:4]:
            answer(exercise, student)
        before_class.reveal(exercise=exercise)
        assert "got it right" not in page(client, path)
        ClassExercise.objects.update(closed=None, revealed=None)
        exercise.refresh_from_db()
        answer(exercise, students[4], wrong_texts)
        before_class.reveal(exercise=exercise)
        assert "4 of 5 got it right in the end." in page(client, path)

    def test_of_a_finished_class_nothing_stays_but_the_exercise(self) -> None:
        session, students = playing(2)
        exercise = put(session)
        answer(exercise, students[0])
        students[0].delete()
        assert not Question.objects.exists()
        assert class_answers(exercise).answered == 0
        closing.delete_session(session_id=session.pk)
        assert not ClassExercise.objects.exists()
        assert not Attendance.objects.exists()


def test_pages_carry_the_news() -> None:
    session, students = playing(2)
    client = device_of(students[0], session)
    table = f"/tables/{picture(session).tables[0]}/"
    put(session)
    for path in (table, f"/class/{session.pk}/"):
        text = page(client, path)
        assert 'data-news="1"' in text
        assert f'hx-get="/lessons/sessions/{session.pk}/"' in text
    play(picture(session).tables[0])


def test_an_exercise_takes_the_wall_that_nothing_else_holds() -> None:
    session, _ = playing(4)
    browser = signed_in(session.classroom.teachers.get())
    teach = f"/teach/sessions/{session.pk}"
    htmx = {"HX-Request": "true"}

    def taken_to(past: str = "") -> str:
        asked = f"{teach}/lesson/wall/?from=game&past={past}"
        return str(browser.get(asked, headers=htmx).headers.get("HX-Redirect", ""))

    assert taken_to() == ""
    exercise = put(session)
    wall = taken_to()
    assert f'href="{teach}/projector/?past={exercise.pk}"' in browser.get(wall).text
    assert "&amp;taken=1" in browser.get(wall).text  # as the page asks on
    assert taken_to(past=f"{exercise.pk}") == ""  # whoever went back to the game stays there
    holding.hold(session=session, slug="class-deals")
    assert taken_to() == f"{teach}/lesson/wall/"
    assert browser.get(wall).headers["Location"] == f"{teach}/projector/"
    assert browser.get(wall.partition("?")[0]).status_code == 200  # the teacher's own wish
    holding.show_on_wall(session=session, on=False)
    assert taken_to() == wall
    before_class.reveal(exercise=exercise)
    assert taken_to() == ""
