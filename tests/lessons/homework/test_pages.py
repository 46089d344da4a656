"""Homework's pages: the door, one's own work, the teacher's, the lobby's reminder, files."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.analysis.puzzles import puzzles
from games.classes import joining
from games.keeping.retention import purge_expired
from games.models import Table
from lessons.exercises import EXERCISES
from lessons.homework import doing, giving
from lessons.lti.targets import scores_in, target_of
from lessons.models import Answer, Homework, HomeworkPuzzle, Question
from lessons.questions import sets
from lessons.results.homework import dataset_of_homework, progress_of
from tests.games.classroom import a_classroom, a_session, a_teacher, device_of, signed_in
from tests.scenes import present
from tests.scenes.homework import a_class, at_home, play_board, some_homework
from tests.scenes.questions import right_texts
from tests.scenes.results import answered
from xactika_site.classrooms.models import Attendance, Student
from xactika_site.classrooms.selectors import phrase_of
from xactika_site.dates import format_date

pytestmark = pytest.mark.django_db


# The door.


def test_a_student_comes_in_by_code_and_phrase() -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom)
    browser = Client()
    sent = {"code": student.classroom.code.lower(), "phrase": phrase_of(student).upper()}
    assert browser.post("/homework/", sent).headers["Location"] == "/homework/"
    page = browser.get("/homework/").text
    assert student.name in page
    assert f"/homework/{homework.pk}/" in page
    assert "Left to do: 2 boards" in page
    assert re.search(r'<span class="button">\s*Begin', page)  # the card is pressed
    play_board(homework, student, 1)
    assert re.search(r'<span class="button">\s*Go on', browser.get("/homework/").text)


@pytest.mark.parametrize(
    ("code", "phrase", "status", "said"),
    [
        ("XXXXXX", None, 404, "No class has this code"),
        ("abc", None, 404, "A code has 6 letters"),
        ("", "", 404, "A code has 6 letters"),
        (None, "not my words", 422, "Nobody here has these three words"),
        (None, "", 422, "Nobody here has these three words"),
    ],
)
def test_what_does_not_fit_is_told_at_its_field(
    code: str | None, phrase: str | None, status: int, said: str
) -> None:
    (student,) = a_class(1)
    sent = {
        "code": student.classroom.code if code is None else code,
        "phrase": phrase_of(student) if phrase is None else phrase,
    }
    answer = Client().post("/homework/", sent)
    assert answer.status_code == status
    assert said in answer.text
    assert "student" not in answer.cookies


def test_whom_the_class_does_not_know_waits() -> None:
    session = a_session()
    student = joining.join(session=session, name="Quiet Otter")
    Attendance.objects.update(newcomer=True, state="asking")
    sent = {"code": session.classroom.code, "phrase": phrase_of(student)}
    answer = Client().post("/homework/", sent)
    assert answer.status_code == 422
    assert "Ask your teacher to let you in" in answer.text
    assert "student" not in answer.cookies


def test_whoever_sits_in_the_session_goes_on_sitting_there() -> None:
    session = a_session()
    student = joining.join(session=session, name="Quiet Otter")
    browser = device_of(student, session)
    sent = {"code": session.classroom.code, "phrase": phrase_of(student)}
    assert browser.post("/homework/", sent).status_code == 302
    assert browser.get(f"/class/{session.pk}/").status_code == 200


def test_a_device_forgets_whoever_is_done() -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom)
    browser = at_home(student)
    assert f'action="/class/{0}/done/"' in browser.get(f"/homework/{homework.pk}/").text
    assert browser.post("/class/0/done/").status_code == 302
    assert browser.get(f"/homework/{homework.pk}/").status_code == 404
    assert "Your three words" in browser.get("/homework/").text


def test_another_class_by_its_link() -> None:
    (student,) = a_class(1)
    other = a_classroom(name="8c")
    browser = at_home(student)
    assert "Your three words" in browser.get(f"/homework/?code={other.code}").text
    assert student.name in browser.get(f"/homework/?code={student.classroom.code}").text


# One's own work.


def test_a_board_is_played_and_told() -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom, boards=2)
    browser, page = at_home(student), f"/homework/{homework.pk}/"
    assert "Play<span" in browser.get(page).text
    table = browser.post(f"{page}boards/1/").headers["Location"]
    assert table.startswith("/tables/")
    shown = browser.get(table).text
    assert 'id="sheet-question"' not in shown
    assert f'href="/lessons/tables/{table.split("/")[2]}/homework/"' in shown
    assert "Go on<span" in browser.get(page).text
    play_board(homework, student, 1)
    assert "✓" in browser.get(page).text
    assert "See it again" not in browser.get(page).text
    giving.close(homework=homework)
    closed = browser.get(page).text
    assert "It has closed" in closed
    assert "/replay/1/" in closed
    refused = browser.post(f"{page}boards/2/")
    assert refused.status_code == 422
    assert "Boards you’ve begun can be finished" in refused.text


def test_a_fair_score_is_so_far_until_it_is_closed() -> None:
    students = a_class(6)
    homework = some_homework(students[0].classroom)
    for student in students:
        play_board(homework, student, 1)
    browser, page = at_home(students[0]), f"/homework/{homework.pk}/"
    assert "Your fair score in all: <b>" in browser.get(page).text
    giving.close(homework=homework)
    assert "Your fair score in all: <b>" in browser.get(page).text


def test_right_answers_in_practice_count() -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom, questions=5, skill="graphs")
    keys = [key for key, each in EXERCISES.items() if each.skill.value == "graphs"]
    other = next(key for key, each in EXERCISES.items() if each.skill.value != "graphs")
    answered(None, student, keys[0], False)
    answered(None, student, other, True)
    for _question in range(3):
        answered(None, student, keys[0], True)
    assert doing.done_by(homework, [student.pk])[student.pk].questions == 3
    assert "3 of 5" in at_home(student).get(f"/homework/{homework.pk}/").text
    for _question in range(3):
        answered(None, student, keys[-1], True)
    assert "All done" in at_home(student).get(f"/homework/{homework.pk}/").text


def test_what_is_answered_right_after_it_was_closed_does_not_count() -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom, questions=5, skill="graphs")
    key = next(key for key, each in EXERCISES.items() if each.skill.value == "graphs")
    asked = answered(None, student, key, False)
    giving.close(homework=homework)
    homework.refresh_from_db()
    Answer.objects.create(question=asked, number=1, values={}, right=True)
    assert doing.done_by(homework, [student.pk])[student.pk].questions == 0


@pytest.mark.parametrize("by_script", [False, True])
def test_after_the_last_question_of_practice_it_says_that_homework_has_no_more(
    by_script: bool,
) -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom, questions=5, skill="graphs")
    browser, headers = at_home(student), {"HX-Request": "true"} if by_script else {}
    said = "5 of 5: your homework’s questions are done."

    def answer(skill: str) -> str:
        key = next(key for key, each in EXERCISES.items() if each.skill.value == skill)
        browser.post("/lessons/practice/", {"exercise": key})
        asked = Question.objects.latest("pk")
        texts = {"number": 0, **right_texts(asked)}
        return browser.post(f"{asked.get_absolute_url()}answer/", texts, headers=headers).text

    before = [answer("graphs") for _question in range(4)]
    assert not any(said in each for each in before)
    last = answer("graphs")
    assert said in last
    assert f'<a href="{homework.get_absolute_url()}">Back to the homework</a>' in last
    assert said not in answer("counting")
    giving.close(homework=homework)
    assert said not in answer("graphs")


def test_a_terms_homework_costs_no_more_queries_than_one() -> None:
    student, *_others = a_class(2)
    classroom = student.classroom
    teacher = signed_in(a_teacher())
    pages = [
        (at_home(student), "/homework/"),
        (teacher, f"/teach/classrooms/{classroom.pk}/homework/"),
        (teacher, f"/teach/classrooms/{classroom.pk}/results/gradebook.csv"),
    ]

    def queries() -> list[int]:
        counts = []
        for browser, page in pages:
            with CaptureQueriesContext(connection) as captured:
                assert browser.get(page).status_code == 200
            counts.append(len(captured))
        return counts

    def give() -> None:
        some_homework(
            classroom, boards=2, questions=5, skill="graphs", puzzles=giving.PUZZLES[0]
        )

    give()
    queries()  # what is read once
    before = queries()
    for _homework in range(4):
        give()
    assert queries() == before


def test_practice_asks_this_classs_student() -> None:
    """At a browser of two classes the one whose homework was looked at comes first."""
    (one,), (two,) = a_class(1), a_class(1, a_classroom(name="8c"))
    homework = some_homework(one.classroom, questions=5, skill="graphs")
    browser = Client()
    for student in (one, two):
        sent = {"code": student.classroom.code, "phrase": phrase_of(student)}
        browser.post("/homework/", sent)
    browser.get(f"/homework/{homework.pk}/")
    assert browser.post("/lessons/practice/", {"skill": "graphs"}).status_code == 302
    assert Question.objects.get().student == one


def test_a_puzzle_holds_its_answer_back_until_it_is_solved() -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom, puzzles=5)
    browser = at_home(student)
    for place, number in enumerate(homework.puzzles, start=1):
        page, puzzle = f"/homework/{homework.pk}/puzzles/{place}/", puzzles()[number]
        before = browser.get(page)
        assert "Yes: " not in before.text
        assert "is-answer" not in before.text
        assert browser.post(page, {"answer": "made up"}).status_code == 422
        assert browser.post(page).status_code == 422
        wrong = next(each for each in puzzle.choices if each != puzzle.answer)
        answer = browser.post(page, {"answer": wrong})
        assert answer.status_code == 200
        assert "Yes: " not in answer.text
        done = browser.post(page, {"answer": puzzle.answer})
        assert done.headers["Location"] == f"{page}#verdict"
        assert "Yes: " in browser.get(page).text
    assert set(HomeworkPuzzle.objects.values_list("tries", flat=True)) == {2}
    assert browser.get(f"/homework/{homework.pk}/puzzles/6/").status_code == 404
    assert "All done" in browser.get(f"/homework/{homework.pk}/").text


def test_a_puzzle_that_was_looked_at_is_neither_solved_nor_graded() -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom, puzzles=2)
    browser, page = at_home(student), f"/homework/{homework.pk}/"
    solved, shown = (f"{page}puzzles/{place}/" for place in (1, 2))
    browser.post(solved, {"answer": puzzles()[homework.puzzles[0]].answer})
    browser.post(shown, {"show": "1"})

    def title_of(address: str) -> str:
        return browser.get(address).text.partition("<title>")[2].partition("</title>")[0]

    assert "Solved" in title_of(solved)
    assert "Solved" not in title_of(shown)
    own = browser.get(page).text
    assert "All done" not in own
    for address in (page, "/homework/"):
        assert "Nothing left to do." in browser.get(address).text
    teacher = signed_in(a_teacher())
    results = teacher.get(f"/teach/homework/{homework.pk}/").text
    assert "All done by 0 of" in results
    for said in ("1 of 2", "50%"):
        assert f"</svg> {said} </td>" in " ".join(results.split())
    room = f"/teach/classrooms/{student.classroom_id}/"
    assert "All done by 0 of 1" in teacher.get(f"{room}homework/").text
    book = teacher.get(f"{room}results/gradebook.csv").content.decode("utf-8-sig")
    assert f"Homework until {homework.until},0.5,2," in book
    giving.close(homework=homework)
    assert "All done" not in browser.get("/homework/").text


# The lobby.


def test_the_lobby_reminds_each_on_their_own_screen_alone() -> None:
    session = a_session()
    busy, lazy = (joining.join(session=session, name=n) for n in ("Quiet Otter", "Shy Koala"))
    homework = some_homework(session.classroom, boards=2)
    page = f"/class/{session.pk}/homework/"
    for number in (1, 2):
        play_board(homework, busy, number)
    assert "Left to do: 2 boards" in device_of(lazy, session).get(page).text
    assert device_of(busy, session).get(page).text.strip() == ""
    assert page in device_of(lazy, session).get(f"/class/{session.pk}/").text
    teacher = signed_in(a_teacher())
    for wall in ("projector/", "results/wall/"):
        assert "omework" not in teacher.get(f"/teach/sessions/{session.pk}/{wall}").text
    giving.close(homework=homework)
    assert device_of(lazy, session).get(page).text.strip() == ""
    assert page not in device_of(lazy, session).get(f"/class/{session.pk}/").text


# The teacher's.


def test_a_teacher_gives_out_closes_opens_and_deletes() -> None:
    (student,) = a_class(1)
    classroom = student.classroom
    teacher, today = signed_in(a_teacher()), timezone.localdate()
    page = f"/teach/classrooms/{classroom.pk}/homework/"
    assert f'href="{page}"' in teacher.get(f"/teach/classrooms/{classroom.pk}/").text
    assert f'value="{today + timedelta(days=7)}"' in teacher.get(page).text
    sent: dict[str, Any]
    sent = {"boards": 3, "variant": "win", "seats": 3, "questions": 0, "skill": "graphs"}
    assert "Takes about <b>7 minutes</b>" in teacher.get(page).text  # of four boards
    asked = {"HX-Request": "true"}
    longer = sent | {"questions": 10, "puzzles": 1, "until": today}
    assert "about <b>22 minutes</b>" in teacher.get(page, longer, headers=asked).text
    assert "Takes about" not in teacher.get(page, longer | {"until": "x"}, headers=asked).text
    card = "# One\nHow many cards?\ncards: 1332 2113\ncount: Cards\nright: count()\n"
    own_set = sets.create(classroom=classroom, name="Ours", text=card)
    assert "about <b>2 minutes</b>" in teacher.get(f"{page}?own={own_set.pk}").text
    own_set.delete()
    refused = teacher.post(page, sent | {"boards": 0, "puzzles": 0, "until": today})
    assert refused.status_code == 422
    assert "Nothing in it yet" in refused.text
    for day in ("", "tomorrow", "2020-01-01", "9999-12-31", "2026-13-01"):
        assert teacher.post(page, sent | {"puzzles": 1, "until": day}).status_code == 422
    assert not Homework.objects.exists()
    made = teacher.post(page, sent | {"puzzles": 1, "until": today})
    (homework,) = Homework.objects.all()
    assert made.headers["Location"] == f"/teach/homework/{homework.pk}/"
    assert (len(homework.boards), homework.seats, homework.variant) == (3, 3, "win")
    assert homework.skill == ""
    own = f"/teach/homework/{homework.pk}/"
    before = teacher.get(own).text
    assert "It has closed" not in before
    asks = before.partition(">Close</summary>")[2].partition("</details>")[0]
    assert "Once closed, all cards can be seen" in " ".join(asks.split())
    assert before.count('value="close"') == asks.count('value="close"') == 1
    teacher.post(f"{own}do/", {"do": "close"})
    assert "It has closed" in teacher.get(own).text
    assert teacher.post(f"{own}do/", {"do": "reopen", "until": "x"}).status_code == 422
    assert teacher.post(f"{own}do/", {"do": "reopen", "until": "2020-01-01"}).status_code == 422
    assert teacher.post(f"{own}do/", {"do": "what"}).status_code == 404
    teacher.post(f"{own}do/", {"do": "reopen", "until": today})
    assert "It has closed" not in teacher.get(own).text
    assert teacher.post(f"{own}do/", {"do": "delete"}).headers["Location"] == page
    assert teacher.get(own).status_code == 404


def test_closed_early_it_is_called_by_the_day_on_which_it_closed() -> None:
    (student,) = a_class(1)
    homework, today = some_homework(student.classroom, days=7), timezone.localdate()
    giving.close(homework=homework)
    homework.refresh_from_db()
    own, teacher = at_home(student), signed_in(a_teacher())
    day, later = (format_date(each, "l j F") for each in (today, homework.until))
    room = f"/teach/classrooms/{student.classroom_id}/"
    for browser, address, said in (
        (own, "/homework/", f"Closed, {day}"),
        (own, f"/homework/{homework.pk}/", f"Homework until {day}"),
        (teacher, f"{room}homework/", f"Closed, {day}"),
        (teacher, f"/teach/homework/{homework.pk}/", f"Homework until {day}"),
        (teacher, f"{room}results/gradebook.csv", f"Homework until {today.isoformat()}"),
    ):
        assert said in browser.get(address).text
    target = present(target_of(f"homework:{homework.pk}", student.classroom))
    assert today.isoformat() in target.title
    giving.reopen(homework=homework, until=homework.until)
    assert f"Until {later}" in own.get("/homework/").text
    Homework.objects.update(ends=timezone.now() - timedelta(seconds=1))
    assert f"Closed, {later}" in own.get("/homework/").text


def test_who_has_done_what_by_name_and_its_replay_once_it_has_closed() -> None:
    one, two, three = a_class(3)
    homework = some_homework(one.classroom, boards=2)
    play_board(homework, one, 1)
    play_board(homework, two, 1, to=9)
    teacher, page = signed_in(a_teacher()), f"/teach/homework/{homework.pk}/"
    assert one.name not in teacher.get(page).text  # names are hidden until they are asked for
    room = f"/teach/classrooms/{one.classroom_id}/results/"
    teacher.post(f"{room}names/", {"do": "show", "next": page})
    shown = teacher.get(page).text
    for student in (one, two, three):
        assert student.name in shown
    assert "/replay/1/" not in shown
    assert "begun" in shown
    giving.close(homework=homework)
    shown = teacher.get(page).text
    (replay,) = {part for part in shown.split('"') if part.endswith("/replay/1/")}
    position = teacher.get(replay).headers["Location"]
    assert teacher.get(position + "?open=1").status_code == 200
    back = f"/lessons/tables/{replay.split('/')[2]}/homework/"
    for browser, home in ((teacher, page), (at_home(one), f"/homework/{homework.pk}/")):
        assert f'href="{back}"' in browser.get(position).text
        assert browser.get(back).headers["Location"] == home
    assert back not in teacher.get(f"{position}?wall=1").text


def test_a_students_pages_say_that_they_count_what_was_played_in_class() -> None:
    session = a_session()
    student = joining.join(session=session, name="Quiet Otter")
    homework = some_homework(session.classroom)
    play_board(homework, student, 1)
    giving.close(homework=homework)
    own, teacher = device_of(student, session), signed_in(a_teacher())
    for browser, address in (
        (own, f"/class/{session.pk}/results/"),
        (teacher, f"/teach/students/{student.pk}/results/"),
    ):
        page = browser.get(address).text
        assert "rounds played in class" in page
        assert "What was played in class?" in page
        assert "Rounds in class fill this." in page
        assert "Rounds of Play to Bid in class fill this." in page
        assert "Finished rounds fill this." not in page
        assert "Hands of Play to Bid fill this" not in page


def test_of_a_board_that_few_have_played_no_chart_is_drawn() -> None:
    *students, last = a_class(5)
    homework = some_homework(last.classroom)
    teacher, page = signed_in(a_teacher()), f"/teach/homework/{homework.pk}/"
    assert "Finished rounds fill this." in teacher.get(page).text
    for student in students:
        play_board(homework, student, 1)
    few = teacher.get(page).text
    assert "Little data: luck counts a lot." in few
    assert "How far off are our bids?" not in few
    play_board(homework, last, 1)
    assert "How far off are our bids?" in teacher.get(page).text


def test_the_class_over_time_and_the_gradebook_are_found_from_homework() -> None:
    (student,) = a_class(1)
    teacher, room = signed_in(a_teacher()), f"/teach/classrooms/{student.classroom_id}/"
    over_time = f'href="{room}results/"'
    assert over_time not in teacher.get(room).text
    homework = some_homework(student.classroom)
    assert over_time in teacher.get(room).text
    results = teacher.get(f"/teach/homework/{homework.pk}/").text
    assert over_time in results
    assert f'href="{room}results/gradebook.csv"' in results


def test_who_came_after_it_had_closed_has_no_grade_in_it() -> None:
    one, two = a_class(2)
    first, second = (some_homework(one.classroom) for _homework in range(2))
    play_board(first, one, 1)
    giving.close(homework=first)
    (new,) = a_class(1, one.classroom)
    teacher = signed_in(a_teacher())
    room, page = f"/teach/classrooms/{one.classroom_id}/", f"/teach/homework/{first.pk}/"
    teacher.post(f"{room}results/names/", {"do": "show", "next": page})
    shown = teacher.get(page).text
    assert "All done by 0 of 2" in shown
    assert two.name in shown
    assert new.name not in shown
    given = teacher.get(f"{room}homework/").text
    assert given.count("All done by 0 of 2") == 2  # at the open one they wait for a yes
    teacher.post(f"/teach/homework/{second.pk}/do/", {"do": "yes"})
    given = teacher.get(f"{room}homework/").text
    assert "All done by 0 of 2" in given
    assert "All done by 0 of 3" in given
    giving.close(homework=second)

    def rows(file: str) -> list[str]:
        lines = teacher.get(f"{room}results/{file}.csv").content.decode("utf-8-sig")
        return [line for line in lines.splitlines() if line.startswith(new.name)]

    assert [row.split(",")[2] for row in rows("gradebook")] == ["", "0.0"]
    assert rows("grades") == [f"{new.name},,0.0"]  # each in its column, of two until one day
    scores = scores_in(one.classroom, [f"homework:{each.pk}" for each in (first, second)])
    assert [new.pk in own for own in scores.values()] == [False, True]
    assert "All done" not in at_home(new).get("/homework/").text


def test_who_came_after_its_last_day_has_no_grade_though_nobody_has_closed_it_yet() -> None:
    (one,) = a_class(1)
    homework = some_homework(one.classroom)
    days = timedelta(days=9)
    Homework.objects.filter(pk=homework.pk).update(ends=homework.ends - days)
    Student.objects.filter(pk=one.pk).update(created=timezone.now() - days)
    (new,) = a_class(1, one.classroom)
    (scores,) = scores_in(one.classroom, [f"homework:{homework.pk}"]).values()
    assert scores == {one.pk: 0}
    assert new.pk not in scores


# What is kept.


def exported(teacher: Client, address: str) -> list[dict[str, object]]:
    answer = teacher.get(address)
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
    return [json.loads(line) for line in body.splitlines()]


def test_it_is_exported_when_it_has_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.pages.data._text_pieces", lambda lines: lines)
    one, two = a_class(2)
    homework = some_homework(one.classroom, boards=2, puzzles=1)
    play_board(homework, one, 1)
    play_board(homework, two, 1)
    doing.answer_puzzle(homework=homework, student=one, number=homework.puzzles[0], answer="")
    teacher = signed_in(a_teacher())
    moves = f"/teach/students/{one.pk}/moves.jsonl"
    rounds = f"/teach/classrooms/{one.classroom_id}/moves.jsonl"
    assert exported(teacher, moves) == exported(teacher, rounds) == []
    giving.close(homework=homework)
    own, every = exported(teacher, moves), exported(teacher, rounds)
    assert [row["homework"] for row in own if row["kind"] == "round"] == [True]
    assert {row["student"] for row in own if row["kind"] == "move"} == {one.name}
    assert len([row for row in every if row["kind"] == "round"]) == 2
    answers = exported(teacher, f"/teach/students/{one.pk}/answers.jsonl")
    assert [row["shown"] for row in answers if row["kind"] == "puzzle"] == [True]


def test_it_goes_with_the_retention_period() -> None:
    (student,) = a_class(1)
    old, new = some_homework(student.classroom), some_homework(student.classroom)
    play_board(old, student, 1)
    kept = play_board(new, student, 1)
    past = timezone.now() - timedelta(days=settings.RETENTION_DAYS + 2)
    Homework.objects.filter(pk=old.pk).update(ends=past)
    Table.objects.update(created=timezone.now() - timedelta(days=settings.RETENTION_DAYS + 9))
    assert purge_expired()["Homework"] == 1
    assert list(Homework.objects.all()) == [new]
    assert list(Table.objects.values_list("pk", flat=True)) == [kept]


def test_it_goes_with_its_class() -> None:
    (student,) = a_class(1)
    play_board(some_homework(student.classroom), student, 1)
    teacher = signed_in(a_teacher())
    address = f"/teach/classrooms/delete/?class={student.classroom_id}"
    assert teacher.post(address).status_code == 302
    assert not Table.objects.exists()
    assert not Student.objects.exists()


def test_a_puzzle_never_answered_is_not_seen_again() -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom, puzzles=1)
    browser, page = at_home(student), f"/homework/{homework.pk}/"
    assert "Left to do: 1 puzzle<" in "".join(browser.get("/homework/").text.split("\n"))
    giving.close(homework=homework)
    closed = browser.get(page).text
    assert "See it" in closed
    assert "See it again" not in closed


def test_closed_without_boards_it_promises_nothing_that_can_still_be_finished() -> None:
    (student,) = a_class(1)
    practice: dict[str, Any] = {"questions": 5, "skill": "graphs"}
    browser, teacher = at_home(student), signed_in(a_teacher())
    for parts, told in (
        (practice, "It has closed."),
        ({**practice, "puzzles": 1}, "It has closed."),
        ({**practice, "boards": 2}, "Boards you’ve begun can be finished, marked as late."),
    ):
        homework = some_homework(student.classroom, **parts)
        own, results = f"/homework/{homework.pk}/", f"/teach/homework/{homework.pk}/"
        has_boards = "boards" in parts
        assert "Practise" in browser.get(own).text
        before = teacher.get(results).text
        assert ("Once closed, all cards" in before) == has_boards
        giving.close(homework=homework)
        shown = browser.get(own).text
        assert told in shown
        assert ("marked as late" in shown) == has_boards
        assert "Practise" not in shown
        assert ("Once closed, all cards" in teacher.get(results).text) == has_boards


def test_from_a_question_and_from_my_games_there_is_a_way_to_homework() -> None:
    (student,) = a_class(1)
    browser = at_home(student)
    asked = browser.post("/lessons/practice/", {"exercise": "hook"}).headers["Location"]
    way = '<a href="/homework/">Homework</a>'
    assert way not in browser.get(asked).text
    some_homework(student.classroom, questions=5, skill="graphs")
    assert way in browser.get(asked).text
    assert (
        '<a class="button primary" href="/homework/">Homework</a>' in browser.get("/mine/").text
    )


def test_whoever_has_done_most_comes_first_and_nobody_without_anything_has_a_row() -> None:
    idle, little, much = a_class(3)
    homework = some_homework(idle.classroom, boards=2)
    for student, boards in ((much, (1, 2)), (little, (1,))):
        for number in boards:
            play_board(homework, student, number)
    names = {each.pk: each.name for each in (idle, little, much)}
    progress = progress_of(homework, dataset_of_homework(homework), names)
    assert [name for name, _parts in progress.rows] == [much.name, little.name]
    assert progress.untried == [idle.name]
    assert [(part.done, part.of) for part in progress.whole] == [(1, 3), (2, 3), (1, 3)]
