"""Duplicate sessions: the same cards, in step, and nothing shown before all have finished."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from games.classes import closing, forming, joining, projector, seating, sessions, steering
from games.classes import cockpit as class_cockpit
from games.classes.boards import next_board, play_out
from games.classes.game import board_lines
from games.classes.lobby import lobby_fragments
from games.classes.standings import duplicate_standings
from games.keeping import export
from games.models import Deal, Move, Seat, SessionSettings
from games.rules import IllegalMove, Variant, parse_card, parse_move, score_round
from games.rules import Round as RulesRound
from games.tables import announcements, fragments, moves, notify
from games.tables.observation import public_observation, seat_observation, seat_view, table_view
from games.tables.state import TableState, load_table, start_round
from games.tables.timing import next_board_due, next_round_deadline
from games.tables.view import Boards
from games.tables.viewers import Viewer
from tests.games.classroom import (
    a_classroom,
    a_session,
    a_teacher,
    device_of,
    picture,
    playing,
    signed_in,
    students_in,
)
from tests.games.table import deal, make, play
from tests.scenes.at_once import at_once
from tests.scenes.by_students import by_their_student, finish_round, tables_of
from xactika_site.classrooms.models import Attendance, ClassSession
from xactika_site.classrooms.services import Refused


def boards_of(table: TableState) -> Boards:
    """How far a duplicate session's boards are at a table."""
    assert table.boards is not None
    return table.boards


def boards(how_many: int = 7, **options: Any) -> tuple[ClassSession, list[TableState]]:
    """A duplicate session of three-seat tables that plays its first board."""
    session, _students = playing(
        how_many, **{"seats": 3, "rounds": 3, "duplicate": True, **options}
    )
    return session, tables_of(session)


def seen(table: TableState) -> dict[str, Any]:
    return public_observation(table_view(load_table(table.id), {}, timezone.now()))


@pytest.mark.django_db
class TestInStep:
    @staticmethod
    def scene() -> ClassSession:
        return boards()[0]

    def test_all_tables_have_the_same_hands_and_dealer(self, session: ClassSession) -> None:
        three = tables_of(session)
        assert len(three) == 3
        assert len({(table.dealt, table.round and table.round.dealer) for table in three}) == 1
        assert set(Deal.objects.values_list("board", flat=True)) == {1}
        dealer = three[0].round.dealer if three[0].round else 0
        finish_round(session)
        next_board(session_id=session.pk, by_teacher=True)
        again = tables_of(session)
        assert {table.turn for table in again} == {"2.0"}
        assert {table.round and table.round.dealer for table in again} == {(dealer + 1) % 3}
        assert len({table.dealt for table in again}) == 1
        assert again[0].dealt != three[0].dealt

    def test_no_table_is_dealt_alone(self, session: ClassSession) -> None:
        three = tables_of(session)
        play(three[0].id)
        for seat in load_table(three[0].id).people:
            moves.say_ready(table_id=three[0].id, seat=seat.number, turn="1.27")
        moves.go_on(table_id=three[0].id)
        next_board(session_id=session.pk)
        with pytest.raises(Refused, match="are still playing this board"):
            next_board(session_id=session.pk, by_teacher=True)
        assert {table.round_number for table in tables_of(session)} == {1}
        finish_round(session)
        # What was said before the board was shown does not count for what comes after it.
        assert not any(seat.ready_at for table in tables_of(session) for seat in table.people)

    def test_the_next_board_comes_when_everybody_present_is_ready(
        self, session: ClassSession
    ) -> None:
        three = tables_of(session)
        finish_round(session)
        now = timezone.now()
        presence = {t.id: {seat.number: now for seat in t.people} for t in three}
        for table in tables_of(session):
            for seat in table.people:
                assert not next_board_due(tables_of(session), presence, now)
                moves.say_ready(table_id=table.id, seat=seat.number, turn=table.turn)
        assert next_board_due(tables_of(session), presence, now)
        next_board(session_id=session.pk)
        assert {table.turn for table in tables_of(session)} == {"2.0"}

    def test_the_teacher_holds_it(self, session: ClassSession) -> None:
        steering.set_switch(session_id=session.pk, name="held", on=True)
        finish_round(session)
        for table in tables_of(session):
            for seat in table.people:
                moves.say_ready(table_id=table.id, seat=seat.number, turn=table.turn)
        next_board(session_id=session.pk)
        assert {table.round_number for table in tables_of(session)} == {1}
        steering.deal_next_round(session_id=session.pk)
        assert {table.round_number for table in tables_of(session)} == {2}

    def test_a_paused_room_gets_no_board(self, session: ClassSession) -> None:
        finish_round(session)
        steering.pause_room(session_id=session.pk, paused=True)
        next_board(session_id=session.pk, by_teacher=True)
        assert {table.round_number for table in tables_of(session)} == {1}


@pytest.mark.django_db
@pytest.mark.parametrize("variant", ["win", "lose", "bid"])
def test_a_finished_table_shows_its_own_points_and_waits(variant: str) -> None:
    _session, three = boards(variant=variant)
    for number, table in enumerate(three[:-1], start=1):
        play(table.id)
        now = seen(table)
        assert (now["status"], now["revealed"]) == ("round_over", None)
        assert now["points"][0] == list(load_table(table.id).gained)
        assert boards_of(load_table(table.id)).still_playing == 3 - number
    play(three[-1].id)
    assert all(seen(table)["revealed"] for table in three)


@pytest.mark.django_db
def test_the_game_is_over_for_all_together() -> None:
    _session, three = boards(rounds=1)
    play(three[0].id)
    play(three[1].id)
    assert [seen(table)["status"] for table in three[:2]] == ["round_over"] * 2
    assert [seen(table)["winners"] for table in three[:2]] == [None] * 2
    play(three[2].id)
    assert {seen(table)["status"] for table in three} == {"game_over"}
    assert all(seen(table)["winners"] for table in three)


@pytest.mark.django_db
class TestWhoComesAndGoes:
    @staticmethod
    def scene() -> ClassSession:
        return boards()[0]

    def test_a_closed_table_holds_up_nobody(self, session: ClassSession) -> None:
        three = tables_of(session)
        play(three[0].id)
        play(three[1].id)
        steering.close_table(session_id=session.pk, table_id=three[2].id)
        assert seen(three[0])["revealed"]
        next_board(session_id=session.pk, by_teacher=True)
        assert [table.turn for table in tables_of(session)][:2] == ["2.0", "2.0"]
        assert load_table(three[2].id).status == "closed"

    def test_bots_finish_a_table_for_the_room(self, session: ClassSession) -> None:
        three = tables_of(session)
        play(three[0].id)
        play(three[1].id)
        play(three[2].id, until=lambda state: len(state.moves) == 10)
        play_out(session_id=session.pk, table_id=three[2].id)
        assert seen(three[0])["revealed"]
        movers = Move.objects.filter(deal__table=three[2].id, number__gte=10)
        assert set(movers.values_list("mover", flat=True)) == {"bot"}
        assert load_table(three[2].id).people

    def test_whoever_comes_in_mid_board_waits_for_the_next(self, session: ClassSession) -> None:
        late = joining.join(session=session, name="Late Lark")
        assert [known.pk for known in picture(session).waiting] == [late.pk]
        finish_round(session)
        next_board(session_id=session.pk, by_teacher=True)
        assert not picture(session).waiting

    def test_nobody_moves_onto_a_hand_of_a_board_they_may_have_seen(
        self, session: ClassSession
    ) -> None:
        three = tables_of(session)
        play(three[0].id)
        student = next(seat.student_id for seat in three[0].people)
        assert student
        with pytest.raises(Refused):
            seating.move_student(
                session_id=session.pk, student_id=student, table_id=three[2].id
            )
        finish_round(session)
        seating.move_student(session_id=session.pk, student_id=student, table_id=three[2].id)


@pytest.mark.django_db
def test_a_table_opened_later_has_no_earlier_points() -> None:
    session, _three = boards(9)
    late = joining.join(session=session, name="Late Lark")
    finish_round(session)
    next_board(session_id=session.pk, by_teacher=True)
    fourth = tables_of(session)[3]
    assert late.pk in {seat.student_id for seat in fourth.seats}
    assert (fourth.turn, fourth.points) == ("2.0", ((None, None, None),))
    assert fourth.dealt == tables_of(session)[0].dealt
    finish_round(session)
    assert seen(fourth)["points"][0] == [None, None, None]
    assert seen(fourth)["totals"] == list(load_table(fourth.id).gained)


@pytest.mark.django_db
def test_the_tables_are_equal_whatever_the_form_said() -> None:
    _session, three = boards(7, filling="uneven")
    assert {len(table.seats) for table in three} == {3}


def sizes(session: ClassSession) -> set[tuple[int, int]]:
    return {(len(table.seats), len(table.dealt)) for table in tables_of(session)}


def wish(session: ClassSession, **wishes: Any) -> None:
    settings = SessionSettings.objects.get(class_session=session)
    for name, value in wishes.items():
        setattr(settings, name, value)
    steering.change_settings(session_id=session.pk, settings=settings)


@pytest.mark.django_db
class TestEqualTables:
    """Whatever the teacher does between boards, every table is dealt to and can finish."""

    @staticmethod
    def scene() -> ClassSession:
        return boards(6)[0]

    def test_finishing_the_game_closes_a_table_that_has_not_begun(
        self, session: ClassSession
    ) -> None:
        joining.join(session=session, name="Late Owl")
        seating.add_table(session_id=session.pk)
        steering.finish_after_round(session_id=session.pk)
        finish_round(session)
        assert [t.status for t in tables_of(session)] == ["game_over", "game_over", "closed"]
        steering.next_game(session_id=session.pk)
        assert sum(len(table.people) for table in tables_of(session)) == 7

    def test_several_who_come_late_sit_together(self, session: ClassSession) -> None:
        for name in ("Late Owl", "Late Elk"):
            joining.join(session=session, name=name)
        finish_round(session)
        next_board(session_id=session.pk, by_teacher=True)
        assert [len(table.people) for table in tables_of(session)] == [3, 3, 2]
        assert sizes(session) == {(3, 3)}

    @pytest.mark.parametrize("finished", [0, 1])
    def test_closing_in_mid_board_keeps_what_one_table_has_finished(
        self, session: ClassSession, finished: int
    ) -> None:
        two = tables_of(session)
        play(two[finished].id)
        closing.close_session(session_id=session.pk)
        assert {boards_of(load_table(table.id)).shown_round for table in two} == {1}
        assert {line.board for line in picture(session).played.lines} == {1}

    def test_without_a_table_there_is_nothing_to_deal(self, session: ClassSession) -> None:
        two = tables_of(session)
        for table in two:
            steering.close_table(session_id=session.pk, table_id=table.id)
        with pytest.raises(Refused):
            steering.deal_next_round(session_id=session.pk)

    def test_bots_finish_nothing_while_the_room_is_paused(self, session: ClassSession) -> None:
        two = tables_of(session)
        steering.pause_room(session_id=session.pk, paused=True)
        play_out(session_id=session.pk, table_id=two[0].id)
        assert load_table(two[0].id).turn == "1.0"

    def test_no_table_says_alone_when_the_next_board_comes(self, session: ClassSession) -> None:
        two = tables_of(session)
        finish_round(session)
        moves.say_ready(table_id=two[0].id, seat=0, turn="1.27")
        assert next_round_deadline(load_table(two[0].id)) is None


@pytest.mark.django_db
class TestOtherSizes:
    def test_a_full_table_gets_no_seat_more(self) -> None:
        session = a_session(seats=3, duplicate=True)
        students_in(session, 6)
        forming.form_tables(session_id=session.pk)
        here, there = tables_of(session)
        with pytest.raises(Refused, match="no free seat"):
            seating.move_student(
                session_id=session.pk,
                student_id=here.people[0].student_id or 0,
                table_id=there.id,
            )
        steering.start(session_id=session.pk)
        assert sizes(session) == {(3, 3)}

    def test_tables_of_two_sizes_are_seated_anew_for_the_same_cards(self) -> None:
        session, _students = playing(5, seats=3, rounds=1, filling="uneven")
        assert {len(table.seats) for table in tables_of(session)} == {2, 3}
        finish_round(session)
        wish(session, duplicate=True)
        steering.next_game(session_id=session.pk)
        assert sizes(session) == {(3, 3)}
        assert sum(len(table.people) for table in tables_of(session)) == 5

    def test_what_is_wished_for_the_next_game_leaves_this_one_as_it_is(self) -> None:
        session, two = boards(6, rounds=2)
        wish(session, seats=4, variant="win", rounds=4, duplicate=False)
        finish_round(session)
        assert picture(session).played.lines
        joining.join(session=session, name="Late Owl")
        wish(session, variant="lose")
        next_board(session_id=session.pk, by_teacher=True)
        assert sizes(session) == {(3, 3)}
        assert {(t.variant.value, t.rounds) for t in tables_of(session)} == {("bid", 2)}
        steering.finish_after_round(session_id=session.pk, table_id=two[0].id)
        finish_round(session)
        assert {table.status for table in tables_of(session)} == {"game_over"}
        steering.next_game(session_id=session.pk)
        assert not any(table.is_duplicate for table in tables_of(session))
        assert {table.variant.value for table in tables_of(session)} == {"lose"}

    def test_prepared_cards_stay_with_the_game_they_were_for(self) -> None:
        session, _students = playing(6, seats=3, rounds=2, duplicate=True, deals=PREPARED)
        wish(session, seats=2, deals=[{"dealer": 1, "hands": PREPARED[0]["hands"][:2]}])
        finish_round(session)
        next_board(session_id=session.pk, by_teacher=True)
        assert sizes(session) == {(3, 3)}
        for table in tables_of(session):
            assert [list(hand) for hand in table.dealt] == PREPARED[1]["hands"]

    def test_before_the_class_plays_other_sizes_seat_everybody_anew(self) -> None:
        session = a_session(seats=3)
        students_in(session, 6)
        forming.form_tables(session_id=session.pk)
        wish(session, seats=2, duplicate=True)
        assert [len(table.people) for table in tables_of(session)] == [2, 2, 2]
        steering.start(session_id=session.pk)
        assert all(table.is_duplicate for table in tables_of(session))
        assert sizes(session) == {(2, 2)}

    def test_in_the_last_board_nobody_gets_a_table_that_is_never_dealt(self) -> None:
        session, _two = boards(6, rounds=1)
        joining.join(session=session, name="Late Owl")
        with pytest.raises(Refused, match="next game"):
            seating.add_table(session_id=session.pk)
        finish_round(session)
        steering.next_game(session_id=session.pk, reseat=True)
        assert sum(len(table.people) for table in tables_of(session)) == 7


@pytest.mark.django_db
def test_the_end_is_told_where_others_brought_it() -> None:
    session, two = boards(6, rounds=2)
    for heard in (["You can see all cards now."], None):
        play(two[0].id)
        before = load_table(two[0].id)
        play(two[1].id)
        after = load_table(two[0].id)
        said = announcements.announcements(before, after, None)
        if heard:
            assert said == heard
            next_board(session_id=session.pk, by_teacher=True)
    assert said[0] == "You can see all cards now."
    assert len(said) == 2
    assert "win" in said[1]
    assert announcements.announcements(after, after, None) == []


@pytest.mark.django_db(transaction=True)
def test_of_tables_that_finish_at_once_one_is_the_last() -> None:
    session, three = boards(rounds=1)
    for table in three:
        play(table.id, until=lambda state: len(state.moves) == 26)
    at_once(*[partial(make, table.id, load_table(table.id).legal[0]) for table in three])
    assert {table.status for table in tables_of(session)} == {"game_over"}
    assert {boards_of(table).shown_round for table in tables_of(session)} == {1}


@pytest.mark.django_db
class TestFigures:
    def test_scores_agree_with_the_moves(self) -> None:
        session, _three = boards(8, rounds=2)
        rng = Random(5)
        for _board in (1, 2):
            finish_round(session, rng)
            next_board(session_id=session.pk, by_teacher=True)
        lines = board_lines(session.pk)
        assert len(lines) == 2 * 3 * 3
        again: dict[tuple[int, str], tuple[int, ...]] = {}
        for dealt in Deal.objects.select_related("table"):
            round_ = RulesRound.start(
                variant=Variant(dealt.table.variant),
                hands=[[parse_card(code) for code in hand] for hand in dealt.hands],
                dealer=dealt.dealer,
            )
            for text in Move.objects.filter(deal=dealt).order_by("number"):
                round_ = round_.apply(parse_move(text.text))
            again[dealt.round, dealt.table_id] = score_round(round_)
        for line in lines:
            own = again[line.board, line.table_id][line.seat]
            others = [
                points[line.seat]
                for (board, table_id), points in again.items()
                if board == line.board and table_id != line.table_id
            ]
            assert line.points == own
            assert line.fair_score == own - Fraction(sum(others), len(others))
        for standing in duplicate_standings(board_lines(session.pk), Variant.BID):
            mine = [x for x in lines if (x.table, x.seat) == (standing.table, standing.seat)]
            assert standing.rounds == len(mine)
            assert standing.score == sum(x.fair_score or 0 for x in mine)
            assert standing.total == sum(x.points for x in mine)

    def test_over_all_tables_the_scores_of_a_seat_cancel(self) -> None:
        session, _three = boards(9, rounds=1)
        finish_round(session)
        for seat in range(3):
            assert (
                sum(x.fair_score or 0 for x in board_lines(session.pk) if x.seat == seat) == 0
            )

    def test_nothing_of_a_running_board(self) -> None:
        session, three = boards()
        play(three[0].id)
        play(three[1].id)
        assert board_lines(session.pk) == ()
        assert duplicate_standings(board_lines(session.pk), Variant.BID) == ()
        assert list(export.lines(export.finished_deals())) == []
        play(three[2].id)
        assert len(board_lines(session.pk)) == 9
        assert len(list(export.lines(export.finished_deals()))) == 3 * (1 + 27)

    def test_a_lonely_table_has_no_score(self) -> None:
        session, _one = boards(3, rounds=1)
        finish_round(session)
        assert {line.fair_score for line in board_lines(session.pk)} == {None}
        assert {
            standing.score
            for standing in duplicate_standings(board_lines(session.pk), Variant.BID)
        } == {None}


@pytest.mark.django_db
class TestThePageOfABoard:
    @staticmethod
    def scene() -> ClassSession:
        return boards()[0]

    def test_a_student_sees_their_own_hand_elsewhere(self, session: ClassSession) -> None:
        three = tables_of(session)
        me = Seat.objects.filter(table=three[0].id, student__isnull=False)[0]
        assert me.student
        browser = device_of(me.student, session)
        address = f"/tables/{three[0].id}/boards/1/"
        assert browser.get(address).status_code == 404
        finish_round(session)
        page = browser.get(address)
        assert page.status_code == 200
        text = page.text
        same = Seat.objects.filter(table__in=[t.id for t in three], number=me.number)
        assert all(name in text for name in same.values_list("name", flat=True))
        assert text.split("</header>")[1].count("<circle") == 3
        assert text.count('class="mine"') == 1
        assert browser.get(f"/tables/{three[0].id}/boards/2/").status_code == 404
        assert browser.get(f"/tables/{three[1].id}/boards/1/").status_code == 404

    def test_a_teacher_sees_all_hands_and_others_nothing(self, session: ClassSession) -> None:
        three = tables_of(session)
        finish_round(session)
        address = f"/tables/{three[0].id}/boards/1/"
        page = signed_in(a_teacher()).get(address)
        assert page.text.count("<figure") == 3
        assert signed_in(a_teacher("another")).get(address).status_code == 404
        assert Client().get(address).status_code == 404


@pytest.mark.django_db
def test_an_old_tables_page_stays_that_of_its_own_game() -> None:
    session, three = boards(rounds=1)
    finish_round(session, Random(1))
    teacher, address = signed_in(a_teacher()), f"/tables/{three[0].id}/boards/1/"
    before = teacher.get(address).context["plots"]
    steering.next_game(session_id=session.pk)
    assert teacher.get(address).context["plots"] == before
    finish_round(session, Random(2))
    assert teacher.get(address).context["plots"] == before
    new = f"/tables/{picture(session).tables[0]}/boards/1/"
    assert teacher.get(new).context["plots"] != before


@pytest.mark.django_db
def test_no_other_game_has_one() -> None:
    session, students = playing(4)
    table_id = picture(session).tables[0]
    play(table_id)
    browser = device_of(students[0], session)
    assert browser.get(f"/tables/{table_id}/boards/1/").status_code == 404


def form_with(deals: Any, **more: str) -> dict[str, Any]:
    """The session's form as a browser sends it, with a file of deals."""
    text = deals if isinstance(deals, bytes) else json.dumps(deals).encode()
    return {
        "variant": "bid",
        "seats": "3",
        "rounds": "2",
        "duplicate": "on",
        "level": "random",
        "seating": "arrival",
        "odds_panel": "off",
        "filling": "bots",
        "patience": "60.0",
        "clock": "",
        "questions": "off",
        "pace": "0.0",
        "upload": SimpleUploadedFile("deals.json", text),
        **more,
    }


PREPARED = [deal("3333 1111", "2222", "1212"), deal("1112", "1121", "1211", dealer=2)]


def play_game(session: ClassSession) -> list[list[list[str]]]:
    """The hands of each board of the present game, played to its end."""
    dealt = []
    while (first := tables_of(session)[0]).status != "game_over":
        dealt.append([list(hand) for hand in first.dealt])
        finish_round(session)
        if tables_of(session)[0].status != "game_over":
            next_board(session_id=session.pk, by_teacher=True)
    return dealt


@pytest.mark.django_db
class TestPreparedBoards:
    @staticmethod
    def scene() -> ClassSession:
        return boards(6, rounds=2, deals=PREPARED)[0]

    def test_played_ones_are_not_dealt_again_by_the_next_game(
        self, session: ClassSession
    ) -> None:
        dealt = play_game(session)
        assert dealt == [board["hands"] for board in PREPARED]
        assert "Your deals have been played. Choose the file again" in cockpit(session)["room"]
        steering.next_game(session_id=session.pk)
        assert not any(hands in dealt for hands in play_game(session))
        assert "have been played" not in cockpit(session)["room"]

    def test_those_that_were_not_dealt_come_first_in_the_next_game(
        self, session: ClassSession
    ) -> None:
        steering.finish_after_round(session_id=session.pk)
        finish_round(session)
        assert "Your deals not played come first: 1" in cockpit(session)["room"]
        steering.next_game(session_id=session.pk)
        first, second = play_game(session)
        assert first == PREPARED[1]["hands"]
        assert second not in [board["hands"] for board in PREPARED]

    def test_a_session_like_this_one_deals_none_that_was_played(
        self, session: ClassSession
    ) -> None:
        steering.finish_after_round(session_id=session.pk)
        finish_round(session)
        closing.close_session(session_id=session.pk)
        assert "Your deals not played come first: 1" in cockpit(session)["room"]
        assert sessions.settings_like(session).deals == PREPARED[1:]

    def test_played_ones_are_offered_again_knowingly(self, session: ClassSession) -> None:
        play_game(session)
        closing.close_session(session_id=session.pk)
        assert "Choose the file again" not in cockpit(session)["room"]  # nothing comes next
        browser = signed_in(a_teacher())
        address = f"/teach/classrooms/{session.classroom_id}/session/?like={session.pk}"
        assert "Choose the file again." in browser.get(address).text
        form = form_with(PREPARED)
        del form["upload"]
        assert browser.post(address, form).status_code == 302
        assert SessionSettings.objects.latest("pk").deals is None
        ClassSession.objects.latest("pk").delete()
        assert browser.post(address, form_with(PREPARED)).status_code == 302
        assert SessionSettings.objects.latest("pk").deals == PREPARED

    def test_what_is_left_survives_another_choice_of_settings(
        self, session: ClassSession
    ) -> None:
        form = form_with(PREPARED, rounds="3", pace="0.7")
        del form["upload"]
        address = f"/teach/sessions/{session.pk}/settings/"
        assert signed_in(a_teacher()).post(address, form).status_code == 302
        assert SessionSettings.objects.get().deals == PREPARED[1:]


@pytest.mark.django_db
class TestAFileOfBoards:
    def test_an_upload_is_dealt_to_all_tables(self) -> None:
        classroom = a_classroom()
        answer = signed_in(a_teacher()).post(
            f"/teach/classrooms/{classroom.pk}/session/", form_with(PREPARED)
        )
        assert answer.status_code == 302
        session = ClassSession.objects.get()
        students_in(session, 6)
        steering.start(session_id=session.pk)
        for number, prepared in enumerate(PREPARED, start=1):
            for table in tables_of(session):
                assert [list(hand) for hand in table.dealt] == prepared["hands"]
                assert table.round
                assert table.round.dealer == prepared["dealer"]
                assert table.round_number == number
            finish_round(session)
            next_board(session_id=session.pk, by_teacher=True)

    @pytest.mark.parametrize(
        ("deals", "more", "line"),
        [
            (b"not json", {}, "This is not a file of deals"),
            (b"[" * 90_000, {}, "This is not a file of deals"),
            (b" " * 100_001, {}, "A file of deals is at most 100 KB long."),
            (PREPARED[:1], {}, "Deals in the file: 1; rounds of the game: 2."),
            (
                [PREPARED[0], {"dealer": 0, "hands": [["1111"] * 8] * 3}],
                {},
                "Deal 2: 1111 is no card of the game, or is there twice.",
            ),
            (PREPARED, {"seats": "4"}, "Deal 1 needs a dealer (0 to 3) and 4 hands"),
            (PREPARED, {"duplicate": ""}, "Your own deals are for the same cards at every"),
        ],
    )
    def test_a_bad_file_gets_one_clear_line(
        self, deals: Any, more: dict[str, str], line: str
    ) -> None:
        classroom = a_classroom()
        answer = signed_in(a_teacher()).post(
            f"/teach/classrooms/{classroom.pk}/session/", form_with(deals, **more)
        )
        assert answer.status_code == 422
        said = answer.context["form"].errors
        assert list(said) == ["upload"]
        assert len(said["upload"]) == 1
        assert said["upload"][0].startswith(line)
        assert "\n" not in said["upload"][0]
        # Beside the file, and all else as it was chosen.
        page = answer.text
        beside = re.search(r'<div class="session-field">(?:(?!</div>).)*id_upload_error', page)
        assert beside
        assert 'name="upload"' in beside[0]
        chosen = {"pace": "0.0", "variant": "bid", "patience": "60.0", **more}
        for name, value in chosen.items():
            assert answer.context["form"][name].value() in {value, value == "on"}, name
        assert not ClassSession.objects.exists()


@pytest.mark.django_db
class TestOnTheWall:
    def test_no_figure_of_a_running_board(self) -> None:
        session, three = boards(8)
        sessions.set_flags(session_id=session.pk, names_hidden=False)
        before = "".join(wall(session).values())
        for table in three[:2]:
            play(table.id, by=by_their_student(table.id))
        assert "wall-standings" not in wall(session)
        assert "wall-figures" not in wall(session)
        assert "<i></i>" not in before
        play(three[2].id, by=by_their_student(three[2].id))
        after = wall(session)
        assert after["wall-figures"].count('class="pile"') == 3
        assert after["wall-figures"].count("<i></i>") == 9
        assert "fair score: points minus" in after["wall-standings"].lower()

    def test_a_table_needs_the_teacher_only_where_a_hand_is_needed(self) -> None:
        session, three = boards()
        play(three[0].id)
        play(three[2].id)
        # One plays on, the others wait for it with their phones asleep: nothing is wrong.
        long_ago = timezone.now() - timedelta(hours=1)
        Seat.objects.filter(table__in=[three[0].id, three[2].id]).update(last_seen=long_ago)
        assert "No table needs you" in cockpit(session)["help"]
        panel = signed_in(a_teacher()).get(
            f"/teach/sessions/{session.pk}/tables/{three[1].id}/"
        )
        assert f"play-out:{three[1].id}" in panel.text
        # Somebody is away who holds them all up.
        Attendance.objects.update(last_seen=long_ago)
        Seat.objects.filter(table=three[1].id).update(last_seen=long_ago)
        play(three[1].id, until=lambda state: not state.seats[state.to_move or 0].is_bot)
        said = cockpit(session)["help"]
        assert "1 table needs you" in said
        assert "is away and has the turn" in said
        assert f"play-out:{three[1].id}" in said
        play(three[1].id)
        assert "Standings" in cockpit(session)["board"]


@pytest.mark.django_db
def test_what_is_hidden_at_other_tables_changes_no_byte() -> None:
    session, three = boards(8)
    play(three[0].id)
    play(three[1].id, until=lambda state: len(state.moves) == 15)
    before = everything_of(session, three[0].id)
    for other in three[1:]:
        state, deal_ = load_table(other.id), Deal.objects.get(table=other.id)
        assert state.round
        laid = {card.code for trick in state.round.tricks for _, card in trick.plays}
        if state.round.trick:
            laid |= {card.code for _, card in state.round.trick.plays}
        begun, hands = start_round(deal_, state.variant), deal_.hands
        for seed in range(500):  # until the moves made are legal with the other hands
            rest = [code for hand in hands for code in hand if code not in laid]
            Random(seed).shuffle(rest)
            other_hands = [[c if c in laid else rest.pop() for c in hand] for hand in hands]
            cards = tuple(tuple(map(parse_card, hand)) for hand in other_hands)
            with suppress(IllegalMove):
                round_ = replace(begun, hands=cards)
                for _seat, text in state.moves:
                    round_ = round_.apply(parse_move(text))
                break
        deal_.hands = other_hands
        deal_.save()
        notify.table_changed(other.id)
    assert [load_table(table.id).dealt for table in three[1:]] != [t.dealt for t in three[1:]]
    assert everything_of(session, three[0].id) == before


def everything_of(session: ClassSession, table_id: str) -> list[Any]:
    """All that anybody at one table, at the cockpit or before the wall is sent."""
    state, now = load_table(table_id), datetime(2026, 3, 2, tzinfo=UTC)
    view = table_view(state, {}, now)
    public, pictures_for = public_observation(view), fragments.table_fragments(view)
    people = [Viewer(seat.number, seat.serial) for seat in state.seats]
    pictures = [
        pictures_for(viewer, seat_view(state, viewer.seat))
        for viewer in (*people, Viewer(None, 0, is_teacher=True))
    ]
    return [
        public,
        *[
            seat_observation(public, view, seat.number, seat_view(state, seat.number))
            for seat in state.seats
        ],
        *[part.fragments for picture_ in pictures for part in picture_],
        wall(session),
        class_cockpit.cockpit_fragments(picture(session), by_id(session), now),
    ]


def wall(session: ClassSession) -> dict[str, str]:
    return projector.projector_fragments(picture(session), by_id(session), "http://x")


def cockpit(session: ClassSession) -> dict[str, str]:
    return class_cockpit.cockpit_fragments(picture(session), by_id(session), timezone.now())


@pytest.mark.django_db
def test_stored_cards_that_are_not_for_the_game_any_more_are_dropped() -> None:
    session = a_session(seats=3, rounds=2, duplicate=True, deals=PREPARED)
    browser, address = signed_in(a_teacher()), f"/teach/sessions/{session.pk}/settings/"
    assert "Your deals are stored." in browser.get(address).text
    form = form_with(PREPARED, pace="0.7")
    del form["upload"]
    assert browser.post(address, form).status_code == 302
    assert SessionSettings.objects.get().deals == PREPARED
    assert browser.post(address, {**form, "seats": "4"}).status_code == 302
    assert SessionSettings.objects.get().deals is None


def by_id(session: ClassSession) -> dict[str, TableState]:
    return {table.id: table for table in tables_of(session)}


@pytest.mark.django_db
@pytest.mark.parametrize("duplicate", [True, False])
def test_the_lobby_offers_no_table_that_may_not_be_watched(duplicate: bool) -> None:
    session, _two = boards(6, watching=True, duplicate=duplicate, seating="by_hand")
    late = joining.join(session=session, name="Late Owl")
    shown = lobby_fragments(picture(session), by_id(session), late.pk)["others"]
    assert ("as=watch" in shown) is not duplicate
