"""A teacher plays the boards of a homework: as a student does, apart from the students, and to
be seen once it has closed."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import reduce
from math import inf
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest
from django.http.response import HttpResponseBase
from django.test import Client
from django.utils import timezone

from games.analysis import NotReady, bots
from games.analysis.jobs import Job, StillCounting
from games.models import Deal, Move, Result, Seat, Table
from games.rules import Round, Variant, observe, parse_card, parse_move, score_round
from games.tables.opening import open_homework_table
from games.tables.state import load_table
from lessons.homework import doing, giving
from lessons.homework.by_teachers import (
    begin_as_teacher,
    own_boards,
    results_of_expert,
    results_of_teachers,
)
from lessons.measures.grid import Grid, Noted
from lessons.models import Homework, HomeworkBoard
from lessons.results.homework import (
    beside_class,
    beside_student,
    dataset_of_homework,
    gradebook_rows,
    panels,
    progress_of,
)
from tests.games.classroom import a_classroom, a_teacher, signed_in
from tests.games.table import a_browser
from tests.kernel import load_or_skip
from tests.scenes import present
from tests.scenes.homework import (
    a_class,
    at_home,
    play_as_teacher,
    play_board,
    some_homework,
    viewer_at,
)
from xactika_site.accounts.models import User
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db


class Scene:
    """A class with two teachers, three students, and homework of three boards."""

    def __init__(self, **wishes: Any) -> None:
        self.teacher, self.second = a_teacher("teacher"), a_teacher("second")
        self.classroom = a_classroom(self.teacher)
        self.classroom.teachers.add(self.second)
        self.students = a_class(3, self.classroom)
        self.homework = some_homework(self.classroom, **{"boards": 3, **wishes})
        self.page = f"/teach/homework/{self.homework.pk}/"

    def close(self) -> None:
        giving.close(homework=self.homework)
        self.homework.refresh_from_db()


def statuses(table_id: str, people: dict[str, Client]) -> dict[str, int]:
    return {who: each.get(f"/tables/{table_id}/").status_code for who, each in people.items()}


# Playing.


def test_a_teacher_plays_in_the_students_place_and_once() -> None:
    scene = Scene()
    browser = signed_in(scene.teacher)
    at: list[HttpResponseBase] = [
        browser.post(f"{scene.page}do/", {"do": "play:2"}) for _time in range(2)
    ]
    address = at[0].headers["Location"]
    assert at[1].headers["Location"] == address
    table_id = address.split("/")[2]
    students = doing.begin(homework=scene.homework, student=scene.students[0], number=2)
    mine, theirs = (Deal.objects.get(table=each) for each in (table_id, students))
    assert (mine.hands, mine.dealer, mine.board) == (theirs.hands, theirs.dealer, theirs.board)
    levels = [
        list(Seat.objects.filter(table=each).order_by("number").values_list("level", flat=True))
        for each in (table_id, students)
    ]
    assert levels[0] == levels[1] == ["", *[scene.homework.bots] * 3]
    page = browser.get(address).text
    assert f'href="/lessons/tables/{table_id}/homework/"' in page
    way_back = browser.get(f"/lessons/tables/{table_id}/homework/")
    assert way_back.headers["Location"] == scene.page
    viewer = viewer_at(table_id, browser)
    assert (viewer.seat, viewer.student_id, viewer.guest_id) == (0, None, None)


@pytest.mark.parametrize(
    ("do", "status"), [("play:0", 404), ("play:4", 404), ("play:x", 404), ("play", 404)]
)
def test_there_is_no_such_board(do: str, status: int) -> None:
    scene = Scene()
    assert signed_in(scene.teacher).post(f"{scene.page}do/", {"do": do}).status_code == status
    assert not HomeworkBoard.objects.exists()


def test_nothing_is_begun_once_it_has_closed() -> None:
    scene = Scene()
    scene.close()
    answer = signed_in(scene.teacher).post(f"{scene.page}do/", {"do": "play:1"})
    assert answer.status_code == 422
    assert "It has closed" in answer.text
    with pytest.raises(Refused):
        begin_as_teacher(homework=scene.homework, teacher=scene.teacher, number=1)
    assert not Table.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_whose_account_goes_meanwhile_begins_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene()
    browser = signed_in(scene.teacher)

    def open_too_late(**facts: Any) -> Table:
        User.objects.filter(pk=scene.teacher.pk).delete()
        return open_homework_table(**facts)

    monkeypatch.setattr(doing, "open_homework_table", open_too_late)
    assert browser.post(f"{scene.page}do/", {"do": "play:1"}).status_code == 404
    assert not Table.objects.exists()


# Who sees the table.


def test_who_sees_a_teachers_table() -> None:
    scene = Scene()
    table_id = play_as_teacher(scene.homework, scene.teacher, 1, to=7)
    people = {
        "teacher": signed_in(scene.teacher),
        "second": signed_in(scene.second),
        "another": signed_in(a_teacher("another")),
        "student": at_home(scene.students[0]),
        "guest": a_browser()[0],
        "nobody": Client(),
    }
    assert statuses(table_id, people) == {**dict.fromkeys(people, 404), "teacher": 200}
    play = f"{scene.page}do/"
    assert people["another"].post(play, {"do": "play:1"}).status_code == 404
    for who in ("student", "nobody"):
        answer = people[who].post(play, {"do": "play:1"})
        assert answer.headers["Location"].startswith("/teach/login/")
    assert HomeworkBoard.objects.count() == 1
    replay = f"/tables/{table_id}/replay/1/"
    play_as_teacher(scene.homework, scene.teacher, 1)
    assert people["teacher"].get(replay).status_code == 404
    scene.close()
    now = {**dict.fromkeys(people, 404), "teacher": 200, "second": 200}
    assert statuses(table_id, people) == now
    assert people["teacher"].get(replay, {"as": 0}).status_code == 302
    assert people["second"].get(replay).status_code == 302
    assert people["student"].get(replay).status_code == 404
    assert people["teacher"].get(f"/lessons/tables/{table_id}/slips/1/").status_code == 404
    giving.reopen(homework=scene.homework, until=timezone.localdate())
    assert people["teacher"].get(replay, {"as": 0}).status_code == 404
    assert people["second"].get(f"/tables/{table_id}/").status_code == 404


@pytest.mark.parametrize("how", ["signs out", "leaves", "another password"])
def test_whose_right_ends_is_let_go_at_once(how: str) -> None:
    scene = Scene()
    browser = signed_in(scene.teacher)
    table_id = begin_as_teacher(homework=scene.homework, teacher=scene.teacher, number=1)
    viewer = viewer_at(table_id, browser)
    assert viewer.may_stay(load_table(table_id))
    match how:
        case "signs out":
            browser.post("/teach/logout/")
        case "leaves":
            classrooms.leave(classroom=scene.classroom, teacher=scene.teacher)
        case _:
            scene.teacher.set_password("subject harp amaze")
            scene.teacher.save()
    assert not viewer.may_stay(load_table(table_id))
    assert statuses(table_id, {"teacher": browser}) == {"teacher": 404}


# Apart from the students.


def test_it_is_in_no_figure_of_the_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.pages.data._text_pieces", lambda lines: lines)  # read at once
    scene = Scene(boards=2, skill="graphs", questions=5)
    for student in scene.students:
        play_board(scene.homework, student, 1)
    names = {student.pk: student.name for student in scene.students}
    teacher = signed_in(scene.teacher)
    files = [
        f"/teach/classrooms/{scene.classroom.pk}/moves.jsonl",
        f"/teach/classrooms/{scene.classroom.pk}/results/gradebook.csv",
        *(f"/teach/students/{pk}/moves.jsonl" for pk in names),
    ]

    def figures() -> list[object]:
        data = dataset_of_homework(scene.homework)
        shown = panels(data, str)
        table = progress_of(scene.homework, data, names)
        return [data, shown, table, gradebook_rows([scene.homework], names)]

    def exported() -> list[bytes]:
        answers = [teacher.get(file) for file in files]
        assert {answer.status_code for answer in answers} == {200}
        return [b"".join(a.streaming_content) if a.streaming else a.content for a in answers]  # type: ignore[attr-defined]

    before = figures()
    play_as_teacher(scene.homework, scene.teacher, 1)
    play_as_teacher(scene.homework, scene.second, 2, to=9)
    assert figures() == before
    scene.close()
    told = exported()
    assert figures()[0] == before[0]
    Table.objects.exclude(teacher=None).delete()
    assert exported() == told


def test_it_goes_with_the_homework_and_with_the_account() -> None:
    scene = Scene()
    play_as_teacher(scene.homework, scene.teacher, 1)
    kept = play_as_teacher(scene.homework, scene.second, 1, to=12)
    classrooms.delete_teacher(teacher=scene.teacher)
    assert [table.pk for table in Table.objects.all()] == [kept]
    Homework.objects.update(ends=timezone.now() - timedelta(days=200))
    assert giving.purge(timezone.now() - timedelta(days=180)) == 1
    for model in (Homework, HomeworkBoard, Table, Deal, Move, Result):
        assert not model._default_manager.exists()


# What is seen once it has closed.


def fold(table_id: str) -> Round:
    """The round at a table, from its deal and moves alone."""
    deal = Deal.objects.get(table=table_id)
    texts = Move.objects.filter(deal=deal).order_by("number").values_list("text", flat=True)
    begun = started({"hands": deal.hands, "dealer": deal.dealer}, deal.table.variant)
    return reduce(lambda round_, text: round_.apply(parse_move(text)), texts, begun)


def started(given: dict[str, object], variant: str) -> Round:
    hands: list[list[str]] = given["hands"]  # type: ignore[assignment]
    cards = [[parse_card(code) for code in hand] for hand in hands]
    return Round.start(variant=Variant(variant), hands=cards, dealer=given["dealer"])  # type: ignore[arg-type]


def cell(round_: Round) -> Noted | str:
    """What a table of results says of the first seat's round."""
    points, bid = score_round(round_)[0], round_.bids[0]
    text = f"−{-points}" if points < 0 else str(points)
    return text if bid is None else Noted(text, f"bid {bid}, took {round_.taken[0]}")


def column(grid: Grid | None, heading: str) -> list[object]:
    table = present(grid)
    place = [each.heading for each in table.columns].index(heading)
    return [row[place] for row in table.rows]


@pytest.mark.parametrize("variant", ["bid", "win", "lose"])
def test_what_stands_beside_is_what_the_moves_say(variant: str) -> None:
    load_or_skip()
    scene = Scene(boards=3, variant=variant, seats=3)
    homework, student = scene.homework, scene.students[0]
    mine = [play_board(homework, student, number) for number in (1, 2)]
    others = [play_board(homework, each, 1) for each in scene.students[1:]]
    theirs = play_as_teacher(homework, scene.teacher, 2)
    assert results_of_teachers(homework) == {}
    scene.close()
    experts = results_of_expert(homework)

    class_ = beside_class(homework, dataset_of_homework(homework), experts)
    assert column(class_.grid, "The teacher") == [
        "not played",
        cell(fold(theirs)),
        "not played",
    ]
    first = [score_round(fold(table))[0] for table in (mine[0], *others)]
    means = column(class_.grid, "Students, mean")
    expected = f"{abs(sum(first) / 3):.1f}"
    assert isinstance(means[0], Noted)
    assert (means[0].text.lstrip("−"), means[0].note) == (expected, "3 students")
    assert means[2] == "–"

    lines = []
    for given in homework.boards:  # the expert's game, played here move by move
        round_, rng = started(given, variant), Random(str(started(given, variant).hands))
        while (seat := round_.to_move) is not None:
            level = homework.bots if seat else bots.SIMULATING
            seen = observe(round_, seat)
            round_ = round_.apply(bots.choose(seen, level=level, rng=rng, seconds=inf))
        lines.append(cell(round_))
    assert column(class_.grid, "The expert") == lines

    own = {n: Result.objects.get(deal__table=table, seat=0) for n, table in enumerate(mine, 1)}
    panel = present(beside_student(homework, own, experts))
    assert column(panel.grid, "Board") == ["1", "2"]
    assert column(panel.grid, "You") == [cell(fold(table)) for table in mine]
    assert column(panel.grid, "The teacher") == ["not played", cell(fold(theirs))]
    assert column(panel.grid, "The expert") == lines[:2]
    ahead = score_round(fold(mine[1]))[0] - score_round(fold(theirs))[0]
    won = ahead < 0 if variant == "lose" else ahead > 0
    assert ("Boards on which you beat your teacher: 1." in panel.summary) is won


def test_the_first_teacher_who_finishes_in_time_counts() -> None:
    scene = Scene()
    play_as_teacher(scene.homework, scene.teacher, 1, to=9)
    second = play_as_teacher(scene.homework, scene.second, 1)
    play_as_teacher(scene.homework, scene.teacher, 1)
    late = play_as_teacher(scene.homework, scene.teacher, 2, to=9)
    third = play_as_teacher(scene.homework, scene.teacher, 3)
    scene.close()
    play_as_teacher(scene.homework, scene.teacher, 2)
    assert load_table(late).is_over
    scene.homework.refresh_from_db()
    counted = {n: made.deal.table_id for n, made in results_of_teachers(scene.homework).items()}
    assert counted == {1: second, 3: third}
    states = [board.state for board in own_boards(scene.homework, scene.teacher)]
    assert states == ["done", "late", "done"]
    giving.reopen(homework=scene.homework, until=timezone.localdate())
    scene.homework.refresh_from_db()
    assert results_of_teachers(scene.homework) == {}


def seen_by(student: Student, homework: Homework) -> str:
    return at_home(student).get(f"/homework/{homework.pk}/").text


def test_a_student_sees_it_beside_the_boards_that_they_have_finished() -> None:
    scene = Scene()
    student, idle, _mate = scene.students
    play_board(scene.homework, student, 1)
    play_as_teacher(scene.homework, scene.teacher, 1)
    play_as_teacher(scene.homework, scene.teacher, 2)
    assert 'id="beside"' not in seen_by(student, scene.homework)
    scene.close()
    page = seen_by(student, scene.homework)
    rows = re.findall(r'<th scope="row">(\d)', page.partition('id="beside"')[2])
    assert rows == ["1"]
    assert "The teacher</th>" in page
    assert 'id="beside"' not in seen_by(idle, scene.homework)


def test_where_no_teacher_has_played_the_expert_stands_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    load_or_skip()
    scene = Scene()
    student = scene.students[0]
    play_board(scene.homework, student, 1)
    scene.close()
    page = seen_by(student, scene.homework)
    assert "The expert</th>" in page
    assert "The teacher</th>" not in page
    expert = Mock(side_effect=StillCounting(Job("", dict)))
    monkeypatch.setattr("lessons.pages.homework.answer", expert)
    answer = at_home(student).get(f"/homework/{scene.homework.pk}/")
    assert answer.status_code == 202
    assert "The expert is still playing" in answer.text
    assert "games/counting" in answer.text
    expert.side_effect = NotReady
    assert 'id="beside"' not in seen_by(student, scene.homework)
    assert "The expert</th>" not in signed_in(scene.teacher).get(scene.page).text


def test_before_it_closes_a_teacher_sees_no_more_than_that_they_have_played() -> None:
    scene = Scene()
    table_id = play_as_teacher(scene.homework, scene.teacher, 1)
    browser = signed_in(scene.teacher)
    page = browser.get(scene.page).text
    assert "✓ Done" in page
    assert table_id not in page
    noise = re.compile(r'value="[A-Za-z0-9]{64}"')
    Result.objects.update(points=7, taken=7, bid=7)
    assert noise.sub("", browser.get(scene.page).text) == noise.sub("", page)
    assert "Go on" in page
    others = signed_in(scene.second).get(scene.page).text
    assert "Play these boards yourself" in others
    assert "✓ Done" not in others
