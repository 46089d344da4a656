"""A tournament: everyone changes tables after each board; the result, counted by other code."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.classes import closing, joining, steering
from games.classes.boards import next_board
from games.classes.forming import seatings
from games.classes.projector import projector_fragments
from games.classes.standings import Ranking, better_half, duplicate_standings, match_points
from games.models import Deal, Result, Seat, SessionSettings, Table
from games.pages.forms import SessionForm
from games.rules import Variant, parse_move, score_round
from games.tables import moves
from games.tables.state import load_table, start_round
from games.tables.timing import LAST_TURNS, clock_deadline
from lessons.results.bids.bid_panels import table_bids
from lessons.results.dataset import dataset_of_session
from lessons.results.points.standings import game_standings
from tests.games.classroom import a_session, device_of, picture, signed_in, students_in
from tests.games.conftest import Clock
from tests.games.table import refusal
from tests.lessons.results import archived
from tests.scenes import present
from tests.scenes.by_students import finish_round, people_at, play_by_students, tables_of
from xactika_site.classrooms.models import Attendance, ClassSession, Student
from xactika_site.classrooms.services import set_time_factor

pytestmark = pytest.mark.django_db


def begun(how_many: int, **settings: Any) -> tuple[ClassSession, list[Student]]:
    """A tournament that plays its first board."""
    session = a_session(**{"tournament": True, "duplicate": True, "rounds": 3, **settings})
    students = students_in(session, how_many)
    steering.start(session_id=session.pk)
    return session, students


def go_on(session: ClassSession) -> None:
    """The board is played, everybody finds their next seat, and is dealt to."""
    finish_round(session, Random(4))
    steering.next_game(session_id=session.pk)
    next_board(session_id=session.pk, by_teacher=True)


def wall(session: ClassSession) -> str:
    """All that the wall shows."""
    tables = {table.id: table for table in tables_of(session)}
    return "".join(projector_fragments(picture(session), tables, "").values())


def test_everybody_changes_tables_and_all_play_the_same_cards() -> None:
    session, students = begun(20)
    for board in (1, 2, 3):
        tables = tables_of(session)
        assert {(table.board, table.rounds) for table in tables} == {(board, 1)}
        assert len({table.dealt for table in tables}) == 1
        assert sorted(pk for people in people_at(session) for pk in people) == sorted(
            student.pk for student in students
        )
        if board < 3:
            go_on(session)
    met = Counter(
        pair
        for board in seatings(picture(session))
        for table in board
        for pair in combinations(sorted(filter(None, table)), 2)
    )
    assert set(met.values()) == {1}, "five tables of four: nobody meets anybody twice"
    deals = Deal.objects.values_list("board", "hands")
    assert len({str(hands) for _board, hands in deals}) == 3, "each board has its own cards"


def test_who_comes_late_or_leaves_makes_no_hole() -> None:
    session, students = begun(7)
    (late,) = students_in(session, 1)
    assert picture(session).by_pk[late.pk].table is None, "the board is being played"
    joining.send_out(session_id=session.pk, student_id=students[0].pk)
    finish_round(session, Random(2))
    steering.next_game(session_id=session.pk)
    seated = [pk for people in people_at(session) for pk in people]
    assert late.pk in seated
    assert students[0].pk not in seated
    (later,) = students_in(session, 1)
    assert picture(session).by_pk[later.pk].table is not None, "a bot's seat before the deal"
    next_board(session_id=session.pk, by_teacher=True)
    assert {len(table.seats) for table in tables_of(session)} == {4}


def test_the_better_half_cuts_nobody_off_who_is_level() -> None:
    rng = Random(8)
    for _n in range(300):
        most, points = (
            rng.randint(1, 6),
            [rng.randint(0, 5) for _m in range(rng.randint(1, 14))],
        )
        points.sort(reverse=True)
        rows = [Ranking(points.index(own) + 1, "", 0, own, 1) for own in points]
        shown = better_half(rows, most)
        assert len(shown) <= most
        assert shown == tuple(rows[: len(shown)])
        left = rows[len(shown) :]
        if points.count(points[0]) > most:  # all that could be shown are level
            assert len(shown) == most
            continue
        assert not {row.rank for row in shown} & {row.rank for row in left}
        half = min(most, -(-len(rows) // 2))
        if len(shown) < half:  # who comes next is level with too many
            assert len(shown) + sum(row.rank == left[0].rank for row in left) > most
        elif len(shown) > half:
            assert {row.rank for row in shown[half:]} == {shown[half - 1].rank}


@pytest.mark.parametrize("how_many", [2, 4])
def test_all_who_share_the_first_place_are_told(how_many: int) -> None:
    """All have as many points. After the last board they have won."""
    session, students = begun(how_many, seats=how_many, rounds=2)
    teacher = signed_in(session.classroom.teachers.get())

    def said() -> str:
        page = teacher.get(f"/teach/sessions/{session.pk}/tournament/").text
        return re.sub("<[^>]*>", "", " ".join(page.split()))

    finish_round(session, Random(4))
    Result.objects.update(points=1)
    by_name = f"{students[0].name}, {students[1].name}"
    names = by_name if how_many == 2 else "4 students"
    assert f"After board 1 of 2, in front: {names}." in said()
    steering.next_game(session_id=session.pk)
    next_board(session_id=session.pk, by_teacher=True)
    finish_round(session, Random(4))
    Result.objects.update(points=1)
    assert f"After board 2 of 2, in front: {names}." in said()
    assert "Game over" in wall(session)
    cockpit = teacher.get(f"/teach/sessions/{session.pk}/").text
    assert "board over" in cockpit
    assert "Seats for board 3" in cockpit


def test_nothing_of_a_board_is_shown_while_a_table_plays_it() -> None:
    session, _students = begun(8)
    go_on(session)
    before = {line.board for line in picture(session).played.lines}
    first, *_rest = tables_of(session)
    play_by_students(first.id)
    assert "board over" in wall(session)
    assert {line.board for line in picture(session).played.lines} == before == {1}
    finish_round(session)
    assert {line.board for line in picture(session).played.lines} == {1, 2}


def test_a_tournament_is_no_experiment_and_has_small_tables() -> None:
    asked = {"variant": "bid", "seats": "8", "rounds": "3", "tournament": "on"}
    form = SessionForm({**asked, "experiment": "tips"})
    assert len(form.errors["tournament"]) == 2


def test_it_goes_on_where_its_first_board_was_deleted() -> None:
    session, _students = begun(8)
    go_on(session)
    first = Table.objects.filter(class_session=session, tournament_board=1)
    closing.delete_tables(
        session_id=session.pk, table_ids=list(first.values_list("pk", flat=True))
    )
    finish_round(session, Random(2))
    assert {line.board for line in picture(session).played.lines} == {2}


def test_the_teacher_ends_a_board(clock: Clock) -> None:
    """Two minutes are left everywhere, then ten seconds a turn, more for who has more time; the
    next board is without; where none is played nothing happens."""
    session, students = begun(8)
    set_time_factor(student=students[0], factor=2.0)
    assert not any(clock_deadline(table) for table in tables_of(session))
    clock.forward(30)
    steering.end_board(session_id=session.pk)
    assert wall(session).count("data-until") == 1
    ends = clock() + steering.TIME_LEFT
    for table in tables_of(session):
        assert clock_deadline(table) == ends
        clock_move = {"table_id": table.id, "turn": table.turn}
        assert refusal(moves.make_clock_move, **clock_move).code == "stale_turn"
    clock.forward(steering.TIME_LEFT.total_seconds())
    for table in tables_of(session):
        moves.make_clock_move(table_id=table.id, turn=table.turn)
        later = load_table(table.id)
        factor = later.seats[present(later.to_move)].time_factor
        assert clock_deadline(later) == clock() + factor * LAST_TURNS
    Attendance.objects.update(last_seen=clock())
    go_on(session)
    assert not any(clock_deadline(table) for table in tables_of(session))
    assert "data-until" not in wall(session)
    finish_round(session, Random(4))
    steering.next_game(session_id=session.pk)
    steering.end_board(session_id=session.pk)  # their seats are told, and nothing is dealt
    assert not Table.objects.filter(pk__in=picture(session).tables, ends__isnull=False).exists()
    Table.objects.filter(pk__in=picture(session).tables).delete()
    steering.end_board(session_id=session.pk)  # from a page of before


def test_a_pause_takes_none_of_a_board_s_last_minutes(clock: Clock) -> None:
    session, _students = begun(8)
    steering.end_board(session_id=session.pk)
    clock.forward(60)
    steering.pause_room(session_id=session.pk, paused=True)
    assert "data-until" not in wall(session)
    clock.forward(300)
    Attendance.objects.update(last_seen=clock())
    steering.pause_room(session_id=session.pk, paused=False)
    assert wall(session).count("data-until") == 1
    ends = {clock_deadline(table) for table in tables_of(session)}
    assert ends == {clock() + steering.TIME_LEFT}


def test_one_table_is_ranked_by_its_points() -> None:
    session, _students = begun(3)
    finish_round(session, Random(4))
    lines = picture(session).played.lines
    places = duplicate_standings(lines, Variant.BID)
    totals = [place.total for place in places]
    assert totals == sorted(totals, reverse=True)
    assert len(set(totals)) > 1
    assert [place.rank for place in places] == [totals.index(total) + 1 for total in totals]
    assert {place.score for place in places} == {None}
    cockpit = signed_in(session.classroom.teachers.get())
    page = cockpit.get(f"/teach/sessions/{session.pk}/").text
    assert "nobody else held the same cards" in page


class TestOnceABoardIsOver:
    @staticmethod
    def scene() -> ClassSession:
        session, _students = begun(8)
        finish_round(session, Random(3))
        return session

    def test_seats_are_told_before_the_cards_are_dealt(self, session: ClassSession) -> None:
        student = present(session.classroom.students.first())
        steering.next_game(session_id=session.pk)
        tables = tables_of(session)
        assert {table.status for table in tables} == {"waiting"}
        assert "Board 2 of 3" in wall(session)
        seat = Seat.objects.get(table__in=[t.id for t in tables], student=student)
        page = device_of(student, session).get(f"/tables/{seat.table_id}/").text
        number = load_table(seat.table_id).number
        assert f"Board 2: table {number}, seat {seat.number + 1}." in page
        next_board(session_id=session.pk)
        assert {table.status for table in tables_of(session)} == {"waiting"}, (
            "the teacher deals"
        )
        next_board(session_id=session.pk, by_teacher=True)
        assert {table.status for table in tables_of(session)} == {"bidding"}

    def test_standings_are_hidden_from_the_wall_until_they_are_shown(
        self, session: ClassSession
    ) -> None:
        steering.set_switch(session_id=session.pk, name="standings_shown", on=False)
        assert "wall-standings" not in wall(session)
        assert "Board 1" in wall(session)
        steering.set_switch(session_id=session.pk, name="standings_shown", on=True)
        assert 'id="wall-standings"' in wall(session)

    def test_no_table_says_who_wins_the_tournament(self, session: ClassSession) -> None:
        student = present(session.classroom.students.first())
        seat = Seat.objects.get(table__class_session=session, student=student)
        page = device_of(student, session).get(f"/tables/{seat.table_id}/").text
        assert "Round over" in page
        assert "You win!" not in page
        assert "place" in device_of(student, session).get(f"/class/{session.pk}/").text

    def test_another_game_wished_for_is_another_tournament(self, session: ClassSession) -> None:
        settings = SessionSettings.objects.get(class_session=session)
        settings.variant = "lose"
        steering.change_settings(session_id=session.pk, settings=settings)
        steering.next_game(session_id=session.pk)
        assert {table.board for table in tables_of(session)} == {1}
        next_board(session_id=session.pk, by_teacher=True)
        finish_round(session, Random(2))
        state = picture(session)
        assert {line.board for line in state.played.lines} == {1}
        assert {line.table_id for line in state.played.lines} == set(state.tables)

    def test_a_board_that_was_not_dealt_was_none(self, session: ClassSession) -> None:
        steering.next_game(session_id=session.pk)
        steering.finish_after_round(session_id=session.pk)
        assert {table.status for table in tables_of(session)} == {"closed"}
        assert len(seatings(picture(session))) == 1
        steering.next_game(session_id=session.pk)
        assert {table.board for table in tables_of(session)} == {2}


def three_boards(variant: str = "bid") -> ClassSession:
    """A tournament of nine students that is over."""
    session, _students = begun(9, seats=3, variant=variant)
    go_on(session)
    go_on(session)
    finish_round(session, Random(9))
    return session


def recount(session: ClassSession, variant: str) -> None:
    """Holds the result against one counted from the moves."""
    points: dict[tuple[int, int], dict[int | None, int]] = {}
    for table in Table.objects.filter(class_session=session):
        deal = table.deals.get()
        round_ = start_round(deal, Variant(variant))
        for text in deal.moves.order_by("number").values_list("text", flat=True):
            round_ = round_.apply(parse_move(text))
        for seat, gained in enumerate(score_round(round_)):
            student = table.seat_set.get(number=seat).student_id
            points.setdefault((table.game, seat), {})[student] = gained
    ahead: dict[int | None, float] = {}
    beaten: dict[int | None, list[float]] = {}
    sign = -1 if variant == "lose" else 1
    for same in points.values():
        for student, gained in same.items():
            others = [other for who, other in same.items() if who != student]
            lead = gained - sum(others) / len(others)
            ahead[student] = ahead.get(student, 0.0) + lead
            wins = [0.5 if o == gained else float(sign * o < sign * gained) for o in others]
            beaten.setdefault(student, []).append(sum(wins) / len(wins))
    lines = picture(session).played.lines
    rows = duplicate_standings(lines, Variant(variant))
    assert {row.student: float(row.score or 0) for row in rows} == pytest.approx(ahead)
    assert [sign * (row.score or 0) for row in rows] == sorted(
        (sign * (row.score or 0) for row in rows), reverse=True
    )
    shares = match_points(lines, Variant(variant))
    assert {who: float(share) for who, share in shares.items()} == pytest.approx(
        {who: sum(own) / len(own) for who, own in beaten.items()}
    )
    teacher = signed_in(session.classroom.teachers.get())
    page = teacher.get(f"/teach/sessions/{session.pk}/tournament/").text
    assert "After board 3 of 3" in page
    assert all(row.name in page for row in rows)
    printed = teacher.get(f"/teach/sessions/{session.pk}/tournament/?print").text
    assert printed.count('class="certificate"') == 9
    fifth = sorted(sign * lead for lead in ahead.values())[-5]
    told = sum(sign * lead > fifth - 1e-9 for lead in ahead.values())
    assert (printed.count("fair score:"), printed.count("took part")) == (told, 9 - told)
    hands = teacher.get(f"/tables/{tables_of(session)[0].id}/boards/3/").text
    assert "with this hand" in hands
    assert "You scored" not in hands


def test_the_result_of_losing_is_that_of_the_moves() -> None:
    recount(three_boards("lose"), "lose")


class TestOnceAllIsOver:
    scene = staticmethod(three_boards)

    def test_the_result_is_that_of_the_moves(self, session: ClassSession) -> None:
        recount(session, "bid")

    def test_the_results_have_one_game_of_all_its_boards(self, session: ClassSession) -> None:
        student = present(session.classroom.students.first())
        (game,) = game_standings(dataset_of_session(session))
        assert table_bids(dataset_of_session(session)) == {}, "no table is the same people's"
        rows = duplicate_standings(picture(session).played.lines, Variant.BID)
        assert {place.student: (place.rounds, place.fair_score) for place in game.places} == {
            row.student: (3, row.score) for row in rows
        }
        teacher = signed_in(session.classroom.teachers.get())
        page = teacher.get(f"/teach/sessions/{session.pk}/results/").text
        addresses = set(re.findall(r'"(/tables/\w+/boards/(\d)/[^"]*)"', page))
        assert {board for _address, board in addresses} == {"1", "2", "3"}
        for address, _board in addresses:
            assert teacher.get(address).status_code in (200, 202)
        seat = Seat.objects.filter(student=student).order_by("-table__game")[0]
        own = device_of(student, session)
        assert own.get(f"/tables/{seat.table_id}/boards/3/").status_code == 200
        assert own.get(f"/tables/{seat.table_id}/boards/1/").status_code == 404

    def test_the_archive_counts_it_as_the_page_does(
        self, session: ClassSession, tmp_path: Path
    ) -> None:
        assert "standings-1" in archived.check(session, tmp_path)
