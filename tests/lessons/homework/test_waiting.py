"""Whoever comes after homework was given out needs their teacher's yes: a second name would
show its boards and puzzles to the first."""

from __future__ import annotations

import re
from datetime import timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.classes import joining, steering
from games.classes.sessions import set_flags
from games.classes.state import seat_of
from games.models import Result
from lessons.homework import doing, giving
from lessons.homework.waiting import waiting_in
from lessons.models import Homework, HomeworkPuzzle
from tests.games.classroom import a_classroom, a_session, a_teacher, signed_in
from tests.scenes.homework import a_class, at_home, play_board, some_homework
from tests.scenes.results import play_round
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db
SAID = "Ask your teacher to let you in"


def given_before() -> tuple[Homework, Student, Student]:
    """Homework, a student who was in the class before, and one who came after."""
    (old,) = a_class(1)
    homework = some_homework(old.classroom, boards=2, puzzles=2, questions=5, skill="graphs")
    (new,) = a_class(1, old.classroom)
    return homework, old, new


def test_who_came_after_it_was_given_out_waits_and_nothing_of_it_is_shown() -> None:
    homework, old, new = given_before()
    page, browser = f"/homework/{homework.pk}/", at_home(new)
    shown = browser.get(page).text
    assert SAID in shown
    for part in ("boards-title", "puzzles-title", "questions-title", "Play<span"):
        assert part not in shown
        assert part == "Play<span" or part in at_home(old).get(page).text
    assert "waits for your teacher’s yes" in browser.get("/homework/").text
    refused = browser.post(f"{page}boards/1/")
    assert refused.status_code == 422
    assert SAID in refused.text
    for asked in (browser.get, browser.post):
        assert asked(f"{page}puzzles/1/").headers["Location"] == page
    with pytest.raises(Refused):
        doing.begin(homework=homework, student=new, number=1)
    with pytest.raises(Refused):
        doing.answer_puzzle(
            homework=homework, student=new, number=homework.puzzles[0], answer=""
        )
    assert not HomeworkPuzzle.objects.exists()
    assert doing.due_for(new) == []
    assert doing.begin(homework=homework, student=old, number=1)


def test_the_teacher_sees_who_waits_and_says_yes() -> None:
    homework, old, new = given_before()
    (third,) = a_class(1, old.classroom)
    teacher, page = signed_in(a_teacher()), f"/teach/homework/{homework.pk}/"
    assert (
        "Waiting for your yes: 2"
        in teacher.get(f"/teach/classrooms/{old.classroom_id}/homework/").text
    )
    shown = teacher.get(page).text
    assert 'value="yes' not in shown  # of a number nobody knows whose it is
    assert "All done by 0 of 1." in shown  # those who wait have nothing to do yet
    names = f"/teach/classrooms/{old.classroom_id}/results/names/"
    teacher.post(names, {"do": "show", "next": page})
    shown = teacher.get(page).text
    buttons = re.findall(r'value="yes:(\d+)"', shown)
    assert buttons == [str(new.pk), str(third.pk)]
    assert teacher.post(f"{page}do/", {"do": f"yes:{new.pk}"}).status_code == 302
    assert re.findall(r'value="yes:(\d+)"', teacher.get(page).text) == [str(third.pk)]
    assert "Play<span" in at_home(new).get(f"/homework/{homework.pk}/").text
    assert doing.begin(homework=homework, student=new, number=1)
    assert SAID in at_home(third).get(f"/homework/{homework.pk}/").text
    teacher.post(f"{page}do/", {"do": "yes"})
    assert doing.begin(homework=homework, student=third, number=1)
    assert "waiting-title" not in teacher.get(page).text


def test_a_yes_to_somebody_of_another_class_changes_nothing() -> None:
    homework, _old, _new = given_before()
    other = a_classroom(a_teacher("another"), "8c")
    theirs = some_homework(other)
    (stranger,) = a_class(1, other)
    teacher = signed_in(a_teacher())
    for number, status in ((homework.pk, 302), (theirs.pk, 404)):
        address = f"/teach/homework/{number}/do/"
        assert teacher.post(address, {"do": f"yes:{stranger.pk}"}).status_code == status
    assert not Student.objects.filter(vouched=True).exists()
    assert (
        teacher.post(f"/teach/homework/{homework.pk}/do/", {"do": "yes:x"}).status_code == 404
    )


def test_who_has_played_a_round_with_the_class_does_not_wait() -> None:
    """A seat is not enough: whoever joins while the class plays gets one at once."""
    session = a_session(seats=4)
    classroom = session.classroom
    homework = some_homework(classroom)
    new = joining.join(session=session, name="Quiet Otter")
    steering.start(session_id=session.pk)
    table, _seat = seat_of(new, session.pk) or ("", 0)
    assert list(waiting_in([homework])) == [homework.pk]
    play_round(table, Random(1))
    assert Result.objects.filter(student=new).exists()
    assert waiting_in([homework]) == {}
    assert doing.begin(homework=homework, student=new, number=1)


def test_a_yes_in_class_is_a_yes_at_home() -> None:
    session = a_session()
    set_flags(session_id=session.pk, needs_approval=True)
    session.refresh_from_db()
    homework = some_homework(session.classroom)
    one, two, three = (
        joining.join(session=session, name=f"Quiet {name}") for name in ("Otter", "Fox", "Owl")
    )
    assert waiting_in([homework]) == {}  # the class asks about them itself
    with pytest.raises(Refused):
        doing.begin(homework=homework, student=one, number=1)
    joining.answer(session_id=session.pk, student_id=one.pk, yes=True)
    joining.let_in(session_id=session.pk, student_id=two.pk)
    joining.answer_all(session_id=session.pk, yes=True)
    for student in (one, two, three):
        student.refresh_from_db()
        assert doing.begin(homework=homework, student=student, number=1)


def test_it_holds_for_what_was_given_out_before_alone_and_while_that_is_open() -> None:
    homework, _old, new = given_before()
    later = some_homework(new.classroom)
    assert doing.begin(homework=later, student=new, number=1)
    assert list(waiting_in([homework, later], new)) == [homework.pk]
    giving.close(homework=homework)
    homework.refresh_from_db()
    assert waiting_in([homework, later], new) == {}
    assert SAID not in at_home(new).get(f"/homework/{homework.pk}/").text
    giving.reopen(homework=homework, until=homework.until + timedelta(days=1))
    assert SAID in at_home(new).get(f"/homework/{homework.pk}/").text


def test_who_was_in_the_class_before_is_asked_nothing_about() -> None:
    homework, old, _new = given_before()
    with CaptureQueriesContext(connection) as queries:
        assert waiting_in([homework], old) == {}
    assert len(queries) == 0
    assert play_board(homework, old, 1)
