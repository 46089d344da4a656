"""Homework given out, done, closed, opened again; what bad input gets."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from games.analysis import bots
from games.analysis.puzzles import Use, numbers_in_use, puzzles
from games.models import Deal, Move, Position, Result, Seat, Table
from games.study.puzzles.daily import daily_of
from games.study.replay import positions
from games.tables import seats as table_seats
from games.tables.boards import boards_once
from games.tables.opening import new_guest
from games.tables.state import load_table
from games.tables.viewers import find_browser
from lessons.homework import doing, giving
from lessons.models import Homework, HomeworkBoard, HomeworkPuzzle
from lessons.results.homework import dataset_of_homework, panels
from tests.games.classroom import a_classroom
from tests.scenes import present
from tests.scenes.homework import a_class, at_home, play_board, some_homework
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db


def test_everybody_plays_the_same_cards_against_the_same_bots() -> None:
    one, other = a_class(2)
    homework = some_homework(one.classroom, boards=3)
    assert len(homework.boards) == 3
    tables = [doing.begin(homework=homework, student=who, number=2) for who in (one, other)]
    first, second = (Deal.objects.get(table=table) for table in tables)
    assert first.hands == second.hands == homework.boards[1]["hands"]
    for table in Table.objects.filter(pk__in=tables):
        seats = list(Seat.objects.filter(table=table).order_by("number"))
        assert [seat.level for seat in seats] == ["", *[bots.HOMEWORK] * 3]
        assert table.kind == "homework"
        assert load_table(table.id).odds == "off"
    names = [[s.name for s in Seat.objects.filter(table=t, number__gt=0)] for t in tables]
    assert names[0] == names[1]


def test_a_board_is_begun_once() -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom)
    first = doing.begin(homework=homework, student=student, number=1)
    assert doing.begin(homework=homework, student=student, number=1) == first
    assert HomeworkBoard.objects.count() == 1
    with pytest.raises(NotFound):
        doing.begin(homework=homework, student=student, number=3)


def test_what_is_begun_can_be_finished_and_nothing_else_begun() -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom)
    table_id = play_board(homework, student, 1, to=10)
    giving.close(homework=homework)
    assert play_board(homework, student, 1) == table_id
    assert load_table(table_id).status == "game_over"
    with pytest.raises(Refused):
        doing.begin(homework=homework, student=student, number=2)
    homework.refresh_from_db()
    done = doing.done_by(homework, [student.pk])[student.pk]
    assert done.boards == {1: "late"}
    assert done.finished == 1
    assert not done.is_all(homework)


def test_its_last_day_ends_where_its_teacher_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    with timezone.override("America/New_York"):
        homework = some_homework(a_classroom(), days=0)
        day = homework.until
    here = ZoneInfo("America/New_York")
    for hours, is_open in ((23, True), (25, False)):
        then = datetime(day.year, day.month, day.day, tzinfo=here) + timedelta(hours=hours)
        with monkeypatch.context() as at:
            at.setattr("django.utils.timezone.now", lambda then=then: then)
            assert homework.is_open is is_open


def test_opened_again_it_hides_its_boards_and_what_was_tried_out_goes() -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom)
    table_id = play_board(homework, student, 1)
    browser = find_browser({k: m.value for k, m in at_home(student).cookies.items()}, None)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        positions.sight_of(browser, table_id, 1)
    giving.close(homework=homework)
    sight = positions.sight_of(browser, table_id, 1)
    assert sight.own == 0
    study = positions.play_on(sight, moment=4, seat=0, guest=new_guest()[0])
    giving.reopen(homework=homework, until=timezone.localdate())
    assert not Table.objects.filter(pk=study).exists()
    assert not Position.objects.exists()
    assert not load_table(table_id).is_shown
    with pytest.raises(NotFound):
        positions.sight_of(browser, table_id, 1)
    homework.refresh_from_db()
    assert homework.is_open
    assert doing.begin(homework=homework, student=student, number=2)


def test_what_is_played_when_its_cards_lay_open_is_late_for_ever() -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom, boards=4)
    play_board(homework, student, 1)
    play_board(homework, student, 2, to=3)
    play_board(homework, student, 3, to=3)
    giving.close(homework=homework)
    play_board(homework, student, 2)
    giving.reopen(homework=homework, until=timezone.localdate())
    homework.refresh_from_db()
    play_board(homework, student, 3)
    giving.close(homework=homework)
    giving.reopen(homework=homework, until=timezone.localdate())
    homework.refresh_from_db()
    play_board(homework, student, 4)
    (done,) = doing.done_by(homework, [student.pk]).values()
    assert done.boards == {1: "done", 2: "late", 3: "late", 4: "late"}
    assert {played.deal.board for played in dataset_of_homework(homework).seats} == {1}


def test_who_has_begun() -> None:
    plays, solves, _idle = students = a_class(3)
    homework = some_homework(plays.classroom, boards=2, puzzles=1)
    play_board(homework, plays, 1, to=3)
    (puzzle,) = homework.puzzles
    doing.answer_puzzle(homework=homework, student=solves, number=puzzle, answer="wrong")
    done = doing.done_by(homework, [student.pk for student in students]).values()
    assert [each.has_begun for each in done] == [True, True, False]


@pytest.mark.parametrize("how", ["position", "play on"])
def test_whoever_looks_while_it_is_opened_again_leaves_nothing_behind(how: str) -> None:
    """The question whether they may was answered just before, while all lay open."""
    (student,) = a_class(1)
    homework = some_homework(student.classroom)
    table_id = play_board(homework, student, 1)
    browser = find_browser({k: m.value for k, m in at_home(student).cookies.items()}, None)  # type: ignore[arg-type]
    giving.close(homework=homework)
    sight = positions.sight_of(browser, table_id, 1)
    guest = new_guest()[0]
    giving.reopen(homework=homework, until=timezone.localdate())
    looks: dict[str, Callable[[], object]] = {
        "position": partial(positions.position_at, sight, moment=4, seat=0),
        "play on": partial(positions.play_on, sight, moment=4, seat=0, guest=guest),
    }
    with pytest.raises(NotFound):
        looks[how]()
    assert not Position.objects.exists()
    assert not Table.objects.filter(kind=Table.Kind.STUDY).exists()


@pytest.mark.parametrize(
    "wishes",
    [
        {},
        {"boards": 1},
        {"boards": 9},
        {"boards": 2, "seats": 11},
        {"boards": 2, "variant": "x"},
        {"questions": 5, "skill": "x"},
        {"questions": 7, "skill": "counting"},
        {"puzzles": 6},
        {"boards": 2, "until": date(2020, 1, 1)},
        {"boards": 2, "until": date(9999, 1, 1)},
    ],
)
def test_what_cannot_be_given_out_is_refused(wishes: dict[str, object]) -> None:
    until = timezone.localdate()
    with pytest.raises(Refused):
        giving.give(classroom=a_classroom(), **{"until": until, **wishes})  # type: ignore[arg-type]
    assert not Homework.objects.exists()


def test_puzzles_given_out_are_in_no_other_place() -> None:
    """Kept for homework; and none twice, as long as there are others, of whatever class."""
    pool, classroom = set(numbers_in_use(Use.HOMEWORK)), a_classroom()
    given: list[int] = []
    for _week in range(len(pool) // 10):
        given += some_homework(classroom, puzzles=5).puzzles
        given += some_homework(a_classroom(), puzzles=5).puzzles
    assert len(set(given)) == len(given)
    assert set(given) == pool
    Homework.objects.filter(classroom=classroom).update(closed=timezone.now())
    again = set(some_homework(classroom, puzzles=5).puzzles)
    is_open = set(giving.in_homework(Homework.objects.exclude(classroom=classroom)))
    assert len(again) == 5
    assert not again & is_open


def test_what_one_class_had_waits_while_another_has_it_open() -> None:
    student, homework = (one := a_class(1)[0]), some_homework(one.classroom, puzzles=1)
    other = some_homework(a_classroom(), puzzles=1)
    Homework.objects.filter(pk=other.pk).update(puzzles=homework.puzzles)
    giving.close(homework=homework)
    page = f"/homework/{homework.pk}/puzzles/1/"
    assert "The answer: " not in at_home(student).get(page).text
    giving.close(homework=other)
    assert "The answer: " in at_home(student).get(page).text


def test_a_day_waits_for_homework_that_was_given_its_puzzle() -> None:
    """As homework was before puzzles had uses of their own."""
    homework = some_homework(a_classroom(), puzzles=1)
    number = daily_of(timezone.localdate()).number
    Homework.objects.filter(pk=homework.pk).update(puzzles=[number])
    address = f"/puzzles/{timezone.localdate()}/"
    for asked in (Client().get(address), Client().post(address, {"show": "1"})):
        assert asked.status_code == 404
        assert "opens here when that closes" in asked.text
        assert "puzzles" not in asked.cookies
    assert Client().get(f"{address}replay/").status_code == 404
    giving.close(homework=homework)
    assert Client().get(address).status_code == 200


def test_a_puzzle_is_solved_once_and_counts_no_more_when_shown() -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom, puzzles=2)
    first, second = homework.puzzles
    right = puzzles()[first].answer
    wrong = next(each for each in puzzles()[first].choices if each != right)

    def answer(number: int, text: str) -> HomeworkPuzzle:
        return doing.answer_puzzle(
            homework=homework, student=student, number=number, answer=text
        )

    assert answer(first, wrong).solved is None
    assert answer(first, right).solved is not None
    assert answer(first, wrong).tries == 2
    assert answer(second, "").shown
    assert answer(second, puzzles()[second].answer).solved is None
    done = doing.done_by(homework, [student.pk])[student.pk]
    assert (done.puzzles, done.solved) == (2, 1)
    assert not done.has_left(homework)
    assert not done.is_all(homework)
    assert done.share(homework) == Fraction(1, 2)
    assert doing.due_for(student) == []


def test_a_deleted_student_is_nobody_at_their_boards() -> None:
    gone, *others = a_class(5)
    homework = some_homework(gone.classroom)
    table_id = play_board(homework, gone, 1)
    for other in others[1:]:
        play_board(homework, other, 1)
    assert not panels(dataset_of_homework(homework), str)  # of four hands
    play_board(homework, others[0], 1)
    table_seats.remove_student(student=gone)
    assert gone.name not in {seat.name for seat in load_table(table_id).seats}
    assert not Move.objects.filter(deal__table=table_id, student__isnull=False).exists()
    assert HomeworkBoard.objects.get(table=table_id).student is None
    assert Result.objects.filter(deal__table=table_id).count() == 4
    data = dataset_of_homework(homework)
    assert len(data.seats) == 5  # still one of the others
    (standings,) = (p for p in panels(data, str) if p.key == "standings")
    assert len(present(standings.grid).rows) == 4


def test_deleted_homework_leaves_nothing() -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom, boards=2, puzzles=1)
    play_board(homework, student, 1)
    doing.answer_puzzle(
        homework=homework, student=student, number=homework.puzzles[0], answer=""
    )
    giving.delete(homework=homework)
    for model in (Homework, HomeworkBoard, HomeworkPuzzle, Table, Deal, Move, Result):
        assert not model._default_manager.exists()


def test_ones_own_hands_of_two_homeworks_are_two_deals() -> None:
    (student,) = a_class(1)
    for _week in range(2):
        play_board(some_homework(student.classroom), student, 1)
    assert len(boards_once(Deal.objects.select_related("table"))) == 2
