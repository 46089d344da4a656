"""A league of programs: who plays when, who plays for whom, what is counted and shown."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st

from games import league
from games.analysis import bots
from games.classes import closing
from games.classes.students import never_played
from games.keeping import retention
from games.keeping.export import finished_deals, rounds_by_students
from games.league import BOARDS, GATHER, MOST_TABLES, SEATS, SECONDS, standings
from games.models import Deal, League, Match, Move, Program, Result, Table
from games.rules import Variant, move_text, observe
from games.study.replay.own_rounds import own_rounds
from games.tables import moves, seats, steering
from games.tables.state import TableState, load_table, may_be_shown, start_round
from games.tables.viewers import viewer_by_token
from tests.games.classroom import a_session, device_of, signed_in, students_in
from tests.games.conftest import Clock
from tests.games.table import refusal, round_is_over, with_other_hidden_cards
from tests.rules.naive import NaiveRound
from tests.scenes import Each, present
from tests.scenes.pictures import json_of
from xactika_site.classrooms.models import Classroom, ClassSession, Student
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db


def programs_in(session: ClassSession, how_many: int) -> list[Program]:
    """So many students' programs in a league that has just been opened."""
    league.open_league(classroom=session.classroom)
    keys = [league.bring_program(student=each) for each in students_in(session, how_many)]
    return [league.program_by_key(key) for key in keys]


def ask(programs: list[Program]) -> list[dict[str, str] | None]:
    """What each gets who asks for a game, in this order, a second after the last time."""
    caches["default"].clear()
    return [
        league.begin_or_find_game(program=league.program_by_key(league.key_of(each)))
        for each in programs
    ]


def asked_by_wire(program: Program) -> Any:
    """What the address answers to its key."""
    headers = {"Authorization": f"Bearer {league.key_of(program)}"}
    return Client(enforce_csrf_checks=True).post("/league/next/", headers=headers)


def a_match(clock: Clock, how_many: int) -> tuple[list[Program], list[str]]:
    """Programs, and the tables at which they have just sat down."""
    programs = programs_in(a_session(), how_many)
    assert ask(programs) == [None] * how_many
    clock.forward(GATHER.total_seconds())
    tables = [game["table"] for game in ask(programs) if game]
    assert len(tables) == how_many
    return programs, sorted(set(tables))


def move(state: TableState, rng: Random) -> None:
    """A program's random move, or the bot's whose turn it is."""
    assert state.round is not None
    assert state.to_move is not None
    if state.seats[state.to_move].is_played_by_bot:
        moves.make_bot_move(table_id=state.id, turn=state.turn)
    else:
        text = move_text(rng.choice(state.round.legal_moves()))
        moves.make_move(table_id=state.id, seat=state.to_move, turn=state.turn, text=text)


def finish(table_id: str, rng: Random) -> None:
    """The whole game, dealt on by itself."""
    while (state := load_table(table_id)).status != "game_over":
        if state.to_move is None:
            moves.go_on(table_id=table_id)
        else:
            move(state, rng)


# Fair turns.


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 40), st.integers(1, MOST_TABLES * SEATS), st.integers(1, 12))
def test_nobody_plays_two_matches_more_than_another(
    programs: int, places: int, matches: int
) -> None:
    played = Counter(dict.fromkeys(range(programs), 0))
    for _match in range(matches):
        turn = league.fair_turn(played, places)
        assert len(turn) == len(set(turn)) == min(places, programs)
        played.update(turn)
        assert max(played.values()) - min(played.values()) <= 1
    assert league.fair_turn(played, -4) == []


def test_a_match_seats_all_at_tables_of_the_same_boards(clock: Clock) -> None:
    programs, tables = a_match(clock, 9)
    assert [len(load_table(each).people) for each in tables] == [3, 3, 3]
    (match,) = Match.objects.all()
    dealt = [
        list(Deal.objects.filter(table=each).values_list("dealer", "hands")) for each in tables
    ]
    assert dealt == [[(0, match.deals[0]["hands"])]] * 3
    assert [deal["dealer"] for deal in match.deals] == [0, 1, 2, 3]
    # Each gets its own seat's token, the same again, and no second game.
    games = ask(programs)
    for program, game in zip(programs, games, strict=True):
        assert game is not None
        table_id, viewer = viewer_by_token(game["token"])
        assert (table_id, viewer.seat is None) == (game["table"], False)
        seat = load_table(table_id).seats[viewer.seat or 0]
        assert (seat.name, seat.student_id) == (program.name, program.student_id)
    assert ask(programs) == games


def test_the_next_match_waits_for_the_last_table_and_a_moment(clock: Clock) -> None:
    programs, (first, last) = a_match(clock, 5)
    finish(first, Random(1))
    at_first = {seat.student_id for seat in load_table(first).people}
    early = [each for each in programs if each.student_id in at_first]
    assert ask(early) == [None] * len(early)
    finish(last, Random(2))
    assert ask(programs) == [None] * 5
    clock.forward(GATHER.total_seconds())
    assert None not in ask(programs)
    assert [match.over is None for match in Match.objects.order_by("pk")] == [False, True]


def test_only_whoever_asks_is_seated_and_of_more_than_there_is_room_for_the_least(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league, "MOST_TABLES", 1)
    programs, played = programs_in(a_session(), 7), Counter[int]()
    for _match in range(3):
        ask(programs[:6])
        clock.forward(GATHER.total_seconds())
        ask(programs[:6])
        table = Match.objects.latest("pk").tables.get()
        played.update(seat.student_id or 0 for seat in load_table(table.pk).people)
        finish(table.pk, Random(3))
    assert sum(played.values()) == 3 * SEATS
    assert {played[each.student_id] for each in programs[:6]} == {2}
    assert not Result.objects.exclude(deal__table__kind=Table.Kind.LEAGUE).exists()


def test_to_wait_costs_little(clock: Clock) -> None:
    """A program that plays no more asks every two seconds while others still play."""
    programs, (first, _last) = a_match(clock, 5)
    finish(first, Random(1))
    (early, *_others) = [
        each for each in programs if each.student.seats.filter(table=first).exists()
    ]
    asked_by_wire(early)
    with CaptureQueriesContext(connection) as asked:
        assert asked_by_wire(early).status_code == 204
    assert not [each for each in asked if not each["sql"].strip().startswith("SELECT")]
    assert len(asked) <= 6


def test_all_leagues_together_have_so_many_tables(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league, "MOST_TABLES", 1)
    (mine,), (theirs,) = programs_in(a_session(), 1), programs_in(a_session(), 1)
    ask([mine, theirs])
    clock.forward(GATHER.total_seconds())
    (game, none) = ask([mine, theirs])
    assert (game is None, none) == (False, None)
    assert game is not None
    finish(game["table"], Random(12))
    ask([theirs])
    assert ask([theirs]) != [None]


# Whoever is late, silent, or sends nonsense.


def test_a_bot_plays_until_the_next_board_for_whoever_is_late(clock: Clock) -> None:
    _programs, (table_id,) = a_match(clock, 4)
    state = load_table(table_id)
    clock.forward(GATHER.total_seconds() + SECONDS - 0.1)
    assert refusal(moves.make_clock_move, table_id=table_id, turn=state.turn).code
    clock.forward(0.1)
    moves.make_clock_move(table_id=table_id, turn=state.turn)
    late = present(state.to_move)
    assert load_table(table_id).seats[late].is_played_by_bot
    rng = Random(4)
    while not round_is_over(state := load_table(table_id)):
        rejected = refusal(steering.take_back, table_id=table_id, seat=late)
        assert rejected.code == "not_your_turn"
        if state.to_move == late:
            assert '"legal": []' in json_of(state, late)
            assert state.round is not None
            text, turn = move_text(state.round.legal_moves()[0]), state.turn
            rejected = refusal(
                moves.make_move, table_id=table_id, seat=late, turn=turn, text=text
            )
            assert rejected.code == "not_your_turn"
        move(state, rng)
    made = Move.objects.filter(deal__table=table_id, seat=late)
    assert [each.mover for each in made.order_by("number")] == ["clock"] + ["bot"] * 8
    moves.go_on(table_id=table_id)
    assert not any(seat.stand_in for seat in load_table(table_id).seats)


def test_a_program_sends_no_bot_to_anothers_seat(clock: Clock) -> None:
    _programs, (table_id,) = a_match(clock, 4)
    state = load_table(table_id)
    for seconds in (0, 60):  # nobody has come yet, or everybody is away
        clock.forward(seconds)
        for seat in range(1, SEATS):
            rejected = refusal(
                steering.ask_stand_in, table_id=table_id, asker=0, turn=state.turn, seat=seat
            )
            assert rejected.code == "not_your_turn"


def test_a_student_with_more_time_has_a_program_with_as_much_as_others(clock: Clock) -> None:
    programs = programs_in(a_session(), 1)
    Student.objects.update(time_factor=0)
    ask(programs)
    clock.forward(GATHER.total_seconds())
    (table_id,) = [game["table"] for game in ask(programs) if game]
    while (state := load_table(table_id)).seats[state.to_move or 0].is_bot:
        moves.make_bot_move(table_id=table_id, turn=state.turn)
    clock.forward(GATHER.total_seconds() + SECONDS)
    moves.make_clock_move(table_id=table_id, turn=state.turn)


def test_nonsense_changes_nothing_and_the_clock_goes_on(clock: Clock) -> None:
    _programs, (table_id,) = a_match(clock, 4)
    state = load_table(table_id)
    for text in ("9", "1332:9-star", "", "x" * 40):
        rejected = refusal(
            moves.make_move, table_id=table_id, seat=state.to_move, turn=state.turn, text=text
        )
        assert rejected.code == "illegal_move"
    clock.forward(GATHER.total_seconds() + SECONDS)
    moves.make_clock_move(table_id=table_id, turn=state.turn)


def test_a_table_that_all_have_left_ends_with_its_board(clock: Clock) -> None:
    programs, (table_id,) = a_match(clock, 2)
    rng = Random(5)
    for _move in range(10):
        move(load_table(table_id), rng)
    clock.forward(20)
    ask(programs[:1])  # away is whoever is not connected, asking or not
    assert load_table(table_id).status == "playing"
    clock.forward(10)
    league.end_matches()
    assert load_table(table_id).status == "closed"
    assert Result.objects.filter(deal__table=table_id).count() == SEATS
    assert Match.objects.get().over == clock()
    rows = standings(League.objects.get())
    assert [(row.above, row.by_bot) for row in rows] == [((), 1)] * 2


# Standings.


def test_standings_are_what_the_raw_moves_say(clock: Clock) -> None:
    """A round in which a bot played for a program isn't the program's; with three of its own it
    has no place."""
    programs, tables = a_match(clock, 8)
    late = load_table(tables[0])
    clock.forward(GATHER.total_seconds() + SECONDS)
    moves.make_clock_move(table_id=late.id, turn=late.turn)
    for number, table_id in enumerate(tables):
        finish(table_id, Random(number))
    found = {row.program.student_id: row for row in standings(League.objects.get())}
    above: dict[int, list[int]] = {each.student_id: [] for each in programs}
    for deal in Deal.objects.filter(table__kind=Table.Kind.LEAGUE).order_by("pk"):
        ours, theirs = (NaiveRound("bid", deal.hands, deal.dealer) for _ in range(2))
        for text in deal.moves.order_by("number").values_list("text", flat=True):
            ours.make(text)
        round_ = start_round(deal, Variant.BID)
        while (seat := round_.to_move) is not None:
            counted = bots.choose(observe(round_, seat), level="counter", rng=Random(0))
            round_ = round_.apply(counted)
            theirs.make(move_text(counted))
        for sitter in load_table(deal.table_id).people:
            assert sitter.student_id is not None
            gained = ours.points()[sitter.number] - theirs.points()[sitter.number]
            made = deal.moves.filter(seat=sitter.number)
            if not made.exclude(mover="person").exists():
                above[sitter.student_id].append(gained)
    *placed, last = standings(League.objects.get())
    assert last.program.student_id == late.seats[late.to_move or 0].student_id
    assert (len(last.above), last.by_bot, last.interval) == (BOARDS - 1, 1, ())
    for student, own in above.items():
        row = found[student]
        assert sorted(row.above) == sorted(own)
        assert row.mean == pytest.approx(mean(own))
        if row.program != last.program:
            assert (len(own), row.by_bot) == (BOARDS, 0)
            half = 3.182 * stdev(own) / 2  # Student's t, 3 degrees of freedom
            assert row.interval == pytest.approx((mean(own) - half, mean(own) + half))
    means = [row.mean for row in placed]
    assert means == sorted(means, reverse=True)


# What nobody may see.


def test_a_seat_gets_the_same_bytes_whatever_the_others_hold(clock: Clock) -> None:
    _programs, (table_id,) = a_match(clock, 3)
    rng = Random(6)
    while (state := load_table(table_id)).status != "game_over":
        for seat in range(SEATS):
            other = with_other_hidden_cards(state, seat, rng)
            seen = json_of(state, seat)
            assert seen == json_of(other, seat)
            assert '"revealed": null' in seen
        if state.to_move is None:
            moves.go_on(table_id=table_id)
        else:
            move(state, rng)
    assert not Deal.objects.filter(may_be_shown()).exists()


def test_a_league_is_in_no_figure_of_its_class_and_on_no_page_of_tables(clock: Clock) -> None:
    session = a_session()
    programs = programs_in(session, 2)
    ask(programs)
    clock.forward(GATHER.total_seconds())
    game, *_others = [game for game in ask(programs) if game]
    table_id, token = game["table"], game["token"]
    finish(table_id, Random(7))
    assert not finished_deals().exists()
    assert not rounds_by_students().exists()
    student = programs[0].student
    assert own_rounds(student=student) == []
    assert not Result.objects.filter(student__isnull=False).exists()
    assert not Move.objects.filter(student__isnull=False).exists()
    for browser in (device_of(student, session), signed_in(session.classroom.teachers.get())):
        for path in (
            f"/seat/{token}/",
            f"/tables/{table_id}/",
            f"/tables/{table_id}/replay/1/",
        ):
            assert browser.get(path).status_code == 404


# Coming and going.


def test_a_program_has_a_made_up_name_and_one_key(each: Each) -> None:
    session = a_session()
    (program,) = programs_in(session, 1)
    assert program.name not in Student.objects.values_list("name", flat=True)
    assert len(program.name.split()) == 2
    old = league.key_of(program)
    new = league.bring_program(student=program.student)
    assert Program.objects.get().name == program.name
    assert league.program_by_key(new) == program
    for forged in (old, new[:-1], f"1.{new}", "", "x", "1.1.x"):
        with each(key=forged), pytest.raises(NotFound):
            league.program_by_key(forged)


def test_a_league_has_so_many_programs_and_brings_none_while_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(league, "MOST_PROGRAMS", 2)
    session = a_session()
    first, _second = programs_in(session, 2)
    (third,) = (each for each in students_in(session, 1))
    with pytest.raises(Refused, match="full"):
        league.bring_program(student=third)
    league.bring_program(student=first.student)
    league.close_league(classroom=session.classroom)
    with pytest.raises(Refused, match="closed"):
        league.bring_program(student=first.student)


def test_closed_in_the_middle_and_opened_again(clock: Clock) -> None:
    programs, tables = a_match(clock, 5)
    classroom = Classroom.objects.get()
    finish(tables[0], Random(8))
    move(load_table(tables[1]), Random(8))
    league.close_league(classroom=classroom)
    league.close_league(classroom=classroom)
    assert [load_table(each).status for each in tables] == ["game_over", "closed"]
    clock.forward(60)
    assert ask(programs) == [None] * 5
    counted = sum(len(row.above) for row in standings(League.objects.get()))
    assert counted == BOARDS * len(load_table(tables[0]).people)
    league.open_league(classroom=classroom)
    assert None not in ask(programs)
    assert League.objects.count() == 1
    league.close_league(classroom=classroom)
    league.open_league(classroom=classroom, anew=True)
    assert {len(row.above) for row in standings(League.objects.latest("pk"))} == {0}


def test_a_student_who_goes_takes_the_program_along(clock: Clock) -> None:
    programs, (table_id,) = a_match(clock, 2)
    assert not never_played(Classroom.objects.get()).exists()
    gone = programs[0]
    seats.remove_student(student=gone.student)
    state = load_table(table_id)
    assert gone.name not in {seat.name for seat in state.seats}
    assert len(state.people) == 1
    with pytest.raises(NotFound):
        ask([gone])
    finish(table_id, Random(9))
    (row,) = standings(League.objects.get())
    assert row.program == programs[1]
    closing.delete_classroom(classroom=Classroom.objects.get())
    kept: list[Any] = [League, Match, Program, Table, Deal, Move]
    assert [model.objects.exists() for model in kept] == [False] * len(kept)


def test_an_old_league_expires(clock: Clock) -> None:
    """Tables go one by one, the league after its last; a key ends with its student."""
    programs, old = a_match(clock, 5)
    for table_id in old:
        finish(table_id, Random(10))
    clock.forward(100 * retention.DAY)
    ask(programs[:1])
    clock.forward(GATHER.total_seconds())
    (young,) = (game["table"] for game in ask(programs[:1]) if game)
    finish(young, Random(11))
    clock.forward(81 * retention.DAY)
    stays, *others = programs
    Student.objects.filter(pk=stays.student_id).update(last_here=clock().date())
    gone = retention.purge_expired()
    assert (gone["Tables"], gone["Leagues"], gone["Students"]) == (2, 0, 4)
    assert [each.pk for each in Table.objects.filter(kind=Table.Kind.LEAGUE)] == [young]
    (row,) = standings(League.objects.get())
    assert (row.program, len(row.above)) == (stays, BOARDS)
    for program in others:
        with pytest.raises(NotFound):
            ask([program])
    clock.forward(100 * retention.DAY)
    Student.objects.filter(pk=stays.student_id).update(last_here=clock().date())
    gone = retention.purge_expired()
    assert (gone["Tables"], gone["Leagues"], gone["Students"]) == (1, 1, 0)
    kept: list[Any] = [League, Match, Table, Deal, Move, Result]
    assert [model.objects.exists() for model in kept] == [False] * len(kept)
    assert ask([stays]) == [None]
    league.open_league(classroom=Classroom.objects.get())
    ask([stays])
    clock.forward(GATHER.total_seconds())
    assert None not in ask([stays])


# Its pages.


def test_a_league_ends_with_its_last_match_and_says_so(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league, "MOST_MATCHES", 1)
    programs, (table_id,) = a_match(clock, 1)
    classroom = Classroom.objects.get()
    session = ClassSession.objects.get()
    teacher = signed_in(classroom.teachers.get())
    device = device_of(programs[0].student, session)
    page = f"/teach/classrooms/{classroom.pk}/league/"

    def are_told() -> list[bool]:
        texts = (teacher.get(page).text, device.get(f"/league/{classroom.pk}/").text)
        return ["The league is closed." in text for text in texts]

    assert are_told() == [False, False]
    finish(table_id, Random(13))
    assert ask(programs) == [None]
    clock.forward(GATHER.total_seconds())
    assert ask(programs) == [None]
    assert are_told() == [True, True]
    assert 'value="open"' not in teacher.get(page).text
    for _press in range(2):
        teacher.post(page, {"do": "anew"})
    assert are_told() == [False, False]
    assert League.objects.filter(closed=None).count() == 1 == League.objects.count() - 1
    clock.forward(GATHER.total_seconds())
    assert None not in ask(programs)


def test_two_presses_open_it_and_a_key_is_shown_once(clock: Clock) -> None:
    session = a_session()
    (student,) = students_in(session, 1)
    teacher = signed_in(session.classroom.teachers.get())
    browser = device_of(student, session)
    theirs = f"/league/{session.classroom_id}/"
    assert browser.get(theirs).status_code == 404
    page = teacher.get(f"/teach/classrooms/{session.classroom_id}/").text
    address = f"/teach/classrooms/{session.classroom_id}/league/"
    assert f'href="{address}"' in page
    assert teacher.post(address, {"do": "open"}).status_code == 302
    for path in (f"/class/{session.pk}/", "/mine/"):
        assert f'href="{theirs}"' in browser.get(path).text
    shown = browser.post(theirs).text
    program = Program.objects.get()
    key = league.key_of(program)
    assert key in shown
    again = browser.get(theirs).text
    assert key not in again
    assert "http://testserver YOUR_KEY</output>" in again
    assert program.name in teacher.get(address).text
    assert asked_by_wire(program).status_code == 204
    clock.forward(GATHER.total_seconds())
    caches["default"].clear()
    game = json.loads(asked_by_wire(program).content)
    assert viewer_by_token(game["token"])[0] == game["table"]
    finish(game["table"], Random(11))
    teacher.post(address, {"do": "close"})
    assert "closed" in browser.post(theirs).text
    row = json.loads(teacher.get(f"/teach/students/{student.pk}/answers.jsonl").content)
    assert (row["kind"], row["name"], key in str(row)) == ("program", program.name, False)
