"""One's own page: whose it is, what it counts, the same board again, and forgetting them."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

from games.analysis import NotReady
from games.classes import closing, joining, paper
from games.classes.paper import PaperRound, ScoreSheet
from games.models import Deal, Guest, Move, Position, Result, Seat, Table
from games.pages.puzzle_marks import COOKIE, _signer
from games.rules import Variant
from games.study.replay.positions import sight_of
from games.study.replay.same_board import expert_line, own_line, parting_trick, play_out
from games.tables import forgetting, moves, seats
from games.tables.state import TableState, load_table
from games.tables.viewers import Browser
from lessons.homework import cover, giving
from lessons.models import Forecast, Slip, Visit
from lessons.results.bids import bid_panels
from lessons.results.dataset import dataset_of_guest, dataset_of_own_work, dataset_of_student
from lessons.results.students import own_panels
from lessons.results.words import percent
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
from tests.games.table import a_browser, a_guest, friends, make, play, solo
from tests.kernel import load_or_skip
from tests.scenes import again, present
from tests.scenes.by_students import play_by_students
from tests.scenes.homework import at_home, play_board, some_homework
from tests.scenes.pictures import words
from tests.scenes.results import answered
from xactika_site.classrooms.models import Student

pytestmark = pytest.mark.django_db


def a_game(guest: Guest, **options: Any) -> str:
    """A game against bots, played by chance to its end; its table."""
    table_id = solo(guest, **{"seats": 3, "rounds": 2, **options})
    seats.admit(table_id=table_id, seat=0, guest=guest)
    rng = Random(len(table_id) + Table.objects.count())
    while (state := play(table_id, rng=rng, by=lambda n: by(guest, n))).status != "game_over":
        moves.say_ready(table_id=table_id, seat=0, turn=state.turn)
    return table_id


def by(guest: Guest, seat: int) -> dict[str, Any]:
    return {"guest_id": guest.pk} if seat == 0 else {"mover": Move.Mover.BOT, "level": "random"}


def seat_of(state: TableState, student: Student) -> int:
    """Where this student sits at the table."""
    return next(seat.number for seat in state.seats if seat.student_id == student.pk)


# Whose page, and what stands on it.


def test_before_the_first_game_it_says_what_will_stand_there() -> None:
    for browser, is_known in ((Client(), False), (a_browser()[0], True)):
        page = browser.get("/mine/").text
        assert "Your finished rounds will show up here" in page
        assert 'class="plot' not in page.split("<main")[1].split("forget")[0]
        assert 'data-figure="' not in page
        assert ("Delete for good" in page) is is_known  # only where there's something


def test_it_is_in_the_bar_and_says_what_comes_next() -> None:
    assert '<a href="/mine/">My games</a>' in Client().get("/learn/").text
    page = Client().get("/mine/").text
    ways = page.split('<nav class="tools"')[1].split("</nav>")[0]
    assert re.findall(r'href="([^"]+)"', ways) == ["/lessons/practice/", "/puzzles/"]


@pytest.mark.parametrize("variant", ["bid", "win", "lose"])
def test_one_game_is_enough(variant: str) -> None:
    browser, guest = a_browser()
    table_id = a_game(guest, variant=variant, rounds=1)
    page = browser.get("/mine/").text
    assert f"/tables/{table_id}/replay/1/?as=0" in page
    assert f"/tables/{table_id}/rounds/1/again/?as=0" in page
    slate = page.split('<a class="day-slate')[1].split("</a>")[0]
    result = Result.objects.get(deal__table=table_id, seat=0)
    assert slate.count('class="card"') == 8
    assert slate.count('<i class="full"') == min(result.taken, result.bid or 8)
    assert f"/tables/{table_id}/review/1/?as=0" in slate  # what comes next is told there
    assert "own-points" not in page  # of one game the table says all
    assert "own-calibration" not in page
    assert "primary" not in page.split('<nav class="tools"')[1].split("</nav>")[0]


@pytest.mark.parametrize("variant", ["bid", "win"])
def test_two_games_are_a_picture(variant: str) -> None:
    browser, guest = a_browser()
    for _game in range(2):
        a_game(guest, variant=variant, rounds=1)
    page = browser.get("/mine/").text
    assert f'id="own-points-{variant}"' in page
    assert ('id="own-calibration"' in page) is (variant == "bid")
    assert "2 rounds played" in words(page)


def test_figures_are_those_of_the_raw_results() -> None:
    browser, guest = a_browser()
    tables = [a_game(guest, rounds=1, seats=2) for _game in range(12)]
    tables.append(a_game(guest, variant="win", seats=2))
    rows = Result.objects.filter(deal__table__in=tables, seat=0).order_by("deal")
    data = dataset_of_guest(guest)
    assert len(data.rounds) == rows.count() == 14
    bids = [row for row in rows if row.bid is not None]
    made = sum(row.bid == row.taken for row in bids)
    panel = bid_panels.calibration(data, own=True)
    assert f"{percent(Fraction(made, len(bids)))} of bids right" in panel.summary
    for bid, rounds, mean, true, share in present(panel.grid).rows:
        of_bid = [row for row in bids if row.bid == bid]
        assert (rounds, true) == (len(of_bid), sum(row.taken == bid for row in of_bid))
        assert (share, mean) == (
            Fraction(sum(row.taken == bid for row in of_bid), len(of_bid)),
            Fraction(sum(row.taken for row in of_bid), len(of_bid)),
        )
    by_game = [[row.points for row in rows if row.deal.table_id == table] for table in tables]
    games = own_panels.games_of(data, "bid")
    assert [game.points for game in games] == [Fraction(sum(g), len(g)) for g in by_game[:12]]
    means = own_panels.running_means([game.rounds for game in games])
    last = [points for game in by_game[7:12] for points in game]
    assert means[-1] == Fraction(sum(last), len(last))
    first, second = own_panels.points(data)
    assert (first.key, second.key) == ("own-points-bid", "own-points-win")
    page = browser.get("/mine/").text
    assert page.count("rounds/") == 14
    assert "Earlier rounds: 5" in page  # of eight games all rounds stand inside


def test_rounds_of_others_and_of_study_tables_are_not_among_them() -> None:
    (browser, guest), (other, friend) = a_browser(), a_browser()
    table_id = friends(opener=guest, people=2, seats=3, rounds=1, here=False)
    seats.admit(table_id=table_id, seat=0, guest=guest)
    seats.admit(table_id=table_id, seat=1, guest=friend)
    whose = {0: {"guest_id": guest.pk}, 1: {"guest_id": friend.pk}, 2: by(guest, 2)}
    play(table_id, by=lambda seat: whose[seat])
    again_at = browser.get(f"/tables/{table_id}/rounds/1/again/?as=0").headers["Location"]
    form = {"at": "0", "seat": "0"}
    study = browser.post(again_at.replace("same", "play"), form).headers["Location"]
    play(study.split("/")[2], by=lambda seat: by(guest, seat))
    for who, seat in ((guest, 0), (friend, 1)):
        assert [(p.seat, p.deal.table) for p in dataset_of_guest(who).rounds] == [
            (seat, table_id)
        ]
    assert study.split("/")[2] not in browser.get("/mine/").text
    assert f"{table_id}/replay/1/?as=1" in other.get("/mine/").text


def test_a_student_s_page_is_of_their_class_and_no_other_student_s() -> None:
    session, students = playing(2, seats=2, rounds=1)
    (table_id,) = picture(session).tables
    number = seat_of(play_by_students(table_id), students[0])
    browser, guest = a_browser(device_of(students[0], session))
    a_game(guest, rounds=1)
    page = browser.get("/mine/").text
    assert f"/tables/{table_id}/replay/1/?as={number}" in page
    assert page.count("Play it again") == 1
    without = browser.get("/mine/?whose=guest").text
    assert table_id not in without
    assert 'aria-current="page"' in without
    assert browser.get(f"/mine/?whose={students[1].pk}").status_code == 404
    assert browser.get("/mine/?whose=x").status_code == 404
    assert Client().get(f"/mine/?whose={students[0].pk}").status_code == 404
    teacher = signed_in(a_teacher())
    assert teacher.get(f"/mine/?whose={students[0].pk}").status_code == 404
    joining.send_out(session_id=session.pk, student_id=students[0].pk)
    assert table_id not in browser.get("/mine/").text


def test_in_class_the_same_charts_stand_on_my_results() -> None:
    session, students = playing(2, seats=2, rounds=1)
    (table_id,) = picture(session).tables
    of = {seat.number: {"student_id": seat.student_id} for seat in load_table(table_id).seats}
    percents = [0, 10, 20, 30, 20, 10, 10, 0, 0]
    deal = Deal.objects.get(table=table_id)
    number = next(n for n, one in of.items() if one["student_id"] == students[0].pk)
    Forecast.objects.create(deal=deal, seat=number, student=students[0], percents=percents)
    play(table_id, by=lambda seat: of[seat])
    own = device_of(students[0], session).get(f"/class/{session.pk}/results/").text
    seen = signed_in(session.classroom.teachers.get())
    teachers = seen.get(f"/teach/students/{students[0].pk}/results/").text
    for page in (own, teachers):
        for key in ("own-points-bid", "own-calibration", "own-score"):
            assert f'id="{key}"' in page
        assert "The usual forecast: " in page
    assert "term-score" in seen.get(f"/teach/classrooms/{session.classroom_id}/results/").text


def test_figures_and_list_count_the_same_rounds_and_boards_are_told_apart() -> None:
    session, students = playing(2, seats=2, rounds=1)
    (table_id,) = picture(session).tables
    play_by_students(table_id)
    student = students[0]
    sheet = ScoreSheet(
        Variant.BID,
        (student.pk, None),
        (PaperRound((2, 5), (0, 8)), PaperRound((8, 1), (8, 0))),
    )
    closing.close_session(session_id=session.pk)
    paper.store(session_id=session.pk, sheet=sheet)
    (on_paper,) = paper.score_sheets(session.pk)
    boards = []
    for _day in range(2):
        homework = some_homework(session.classroom)
        boards += [play_board(homework, student, number) for number in (1, 2)]
        giving.close(homework=homework)
    data = dataset_of_own_work(student)
    assert len({played.deal.key for played in data.rounds}) == 1 + 2 + 4
    browser = at_home(student)
    page = browser.get("/mine/").text
    assert "7 rounds played" in words(page)
    table = "".join(re.findall(r'<details class="own-game".*?</details>', page, re.DOTALL))
    rows = re.findall(r'<th scope="row">(.*?)</th>', table, re.DOTALL)
    names = [re.search(r"(Board|Round) \d", row) for row in rows]
    assert sorted(present(name)[0] for name in names) == sorted(
        [*["Board 1", "Board 2"] * 2, "Round 1", "Round 1", "Round 2"]
    )
    assert table.count("Homework ·") == 4
    assert table.count("on paper ·") == 1
    assert on_paper not in page
    assert all(f"/tables/{each}/replay/1/" in table for each in (table_id, *boards))
    note = "Hands where a bot or the clock moved don’t count."
    assert note not in page
    Result.objects.filter(deal__table=boards[0], seat=0).update(by_person=False, student=None)
    page = browser.get("/mine/").text
    assert note in page
    assert "6 rounds played" in words(page)


def test_practice_puzzles_and_forecasts_stand_there_without_a_game() -> None:
    browser, guest = a_browser()
    answered(None, guest, "deck-size", True)
    browser.cookies[COOKIE] = _signer.sign(f"{0b1011:x}.{0b100:x}")
    page = words(browser.get("/mine/").text)
    assert "Solved in this browser: 3." in page
    assert "known, 1 more right at least once." in page
    assert "1 of 1 question answered right" in page
    assert "Your finished rounds will show up here" not in page
    browser.cookies[COOKIE] = "forged"
    assert "Solved in this browser: 3" not in words(browser.get("/mine/").text)


def test_a_game_is_a_row_with_its_place_its_bids_and_its_total() -> None:
    browser, guest = a_browser()
    own = Result.objects.filter(deal__table=a_game(guest), seat=0)
    others = Result.objects.filter(deal__table=own[0].deal.table_id).exclude(seat=0)
    own.update(points=-2, bid=1, taken=3)
    others.update(points=-3)
    (row,) = re.findall(r"<summary>(.*?)</summary>", browser.get("/mine/").text, re.DOTALL)[:1]
    assert "You win!" in row
    table = load_table(own[0].deal.table_id)
    assert ", ".join(each.name for each in table.seats[1:]) in words(row)
    assert row.count("<i></i>") == 2
    assert "−4" in words(row)
    others.filter(seat=1).update(points=-2)
    assert "A shared win" in browser.get("/mine/").text
    own.update(taken=1)
    others.filter(seat=1).update(points=5)
    page = browser.get("/mine/").text
    assert "You’re 2nd of 3." in page
    assert page.count('<i class="made"></i>') == 2
    own.filter(deal__round=1).update(by_person=False)  # a bot stood in
    page = browser.get("/mine/").text
    assert "You’re" not in page
    assert "You made your bid of 1." in words(page)
    own.update(by_person=True)
    Table.objects.update(rounds=3)  # it was left in the middle
    assert "You’re" not in browser.get("/mine/").text


def test_however_many_games_there_are_it_asks_as_often(
    django_assert_max_num_queries: Any,
) -> None:
    browser, guest = a_browser()
    for _game in range(6):
        a_game(guest, rounds=2, seats=2)
    with django_assert_max_num_queries(16):
        browser.get("/mine/")


# The same deal again.


def same_board(browser: Client, table_id: str, *, seat: int = 0, number: int = 1) -> str:
    """The address of the page on which it is played again."""
    answer = browser.get(f"/tables/{table_id}/rounds/{number}/again/?as={seat}")
    assert answer.status_code == 302, answer.status_code
    return str(answer.headers["Location"])


def play_again(browser: Client, guest: Guest, address: str, rng: Random) -> str:
    answer = browser.post(address.replace("same", "play"), {"at": "0", "seat": "0"})
    study = str(answer.headers["Location"]).split("/")[2]
    play(study, rng=rng, by=lambda seat: by(guest, seat))
    return study


def test_lines_stand_beside_each_other() -> None:
    browser, guest = a_browser()
    table_id = a_game(guest, rounds=1)
    address = same_board(browser, table_id)
    page = browser.get(address).text
    assert "The expert" not in page
    study = play_again(browser, guest, address, Random(5))
    page = browser.get(address).text
    assert f"/tables/{study}/replay/1/?as=0" in page
    was, now = (Result.objects.get(deal__table=t, seat=0) for t in (table_id, study))
    cells = present(re.search(r'<tr class="sum">(.*?)</tr>', page, re.DOTALL))
    points = words(cells[1]).replace("−", "-").split()[1:]
    assert points[:2] == [str(was.points), str(now.points)]
    assert "The same deal again" in browser.get(f"/tables/{study}/?as=0").text
    assert Deal.objects.get(table=study).hands == Deal.objects.get(table=table_id).hands


def test_of_many_tries_the_latest_stand_there_and_one_may_be_open() -> None:
    browser, guest = a_browser()
    table_id = a_game(guest, rounds=1, variant="win", seats=2)
    address = same_board(browser, table_id)
    tried = [play_again(browser, guest, address, Random(n)) for n in range(4)]
    answer = browser.post(address.replace("same", "play"), {"at": "0", "seat": "0"})
    begun = answer.headers["Location"].split("/")[2]
    page = browser.get(address).text
    assert [table in page for table in (*tried, begun)] == [False, False, True, True, True]
    assert "Back to the game" in page
    other, stranger = a_browser()
    assert other.get(address).status_code == 404
    assert begun not in other.get("/mine/").text
    assert stranger.pk != guest.pk


def test_an_expert_s_line_is_legal_and_always_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    guest = a_guest()
    table_id = a_game(guest, rounds=1)
    sight = sight_of(Browser(guest=guest), table_id, 1)
    lines = [play_out(sight.line.start, ("counter",) * 3) for _time in range(2)]
    assert lines[0] == lines[1]
    assert lines[0].is_whole
    assert lines[0].rounds[-1].is_over
    own = own_line(lines[0], 1)
    assert (own.taken, own.bid) == (lines[0].rounds[-1].taken[1], lines[0].rounds[-1].bids[1])
    assert {laid.card for laid in own.cards} == set(sight.line.start.hands[1])
    assert sum(laid.took for laid in own.cards) == own.taken
    assert parting_trick(own, own) is None
    browser, guest = a_browser()
    table_id = a_game(guest, rounds=1)
    address = same_board(browser, table_id)
    play_again(browser, guest, address, Random(2))
    monkeypatch.setattr("games.analysis.require", Mock(side_effect=NotReady))
    monkeypatch.setattr("games.analysis.ready", lambda: False)
    assert "The expert</th>" not in browser.get(address).text
    assert browser.get(f"{address.replace('same/', '')}?expert=0").status_code == 404


def test_an_expert_s_line_stands_beside_and_is_a_replay() -> None:
    load_or_skip()
    browser, guest = a_browser()
    table_id = a_game(guest, rounds=1, seats=2)
    address = same_board(browser, table_id)
    play_again(browser, guest, address, Random(3))
    page = browser.get(address).text
    assert "The expert</th>" in page
    replay = address.replace("same/", "?expert=0")
    end = words(browser.get(f"{replay}&at=18").text)
    assert "an expert on the seat of" in end
    line = expert_line(sight_of(Browser(guest=guest), table_id, 1), 0)
    assert line.is_whole
    assert f"took {line.rounds[-1].taken[0]}" in end
    assert browser.get(address.replace("same/", "?expert=2")).status_code == 404
    other = a_browser()[0]
    assert other.get(replay).status_code == 404


def test_only_who_sat_there_plays_it_again_and_only_once_all_may_see_it() -> None:
    session, students = playing(4, seats=2, duplicate=True, rounds=2)
    first, second = picture(session).tables
    of = {s.student_id: (t, s.number) for t in (first, second) for s in load_table(t).seats}
    student = next(s for s in students if of[s.pk][0] == first)
    mate = next(s for s in students if of[s.pk][0] == first and s != student)
    number = of[student.pk][1]
    play_by_students(first)
    browsers = {
        "student": device_of(student, session),
        "mate": device_of(mate, session),
        "teacher": signed_in(a_teacher()),
        "guest": a_browser()[0],
    }
    deal = Deal.objects.get(table=first, round=1)
    position = Position.objects.create(deal=deal, moves=0, seat=number)
    addresses = [
        f"/tables/{first}/rounds/1/again/?as={number}",
        f"/positions/{position.pk}/same/",
    ]
    for browser, address in product(browsers.values(), addresses):
        assert again(browser).get(address).status_code == 404
    play(second)
    for who, address in product(browsers, addresses):
        expected = {302, 200} if who == "student" else {404}
        assert again(browsers[who]).get(address).status_code in expected, (who, address)


def test_homework_is_played_again_only_once_it_has_closed() -> None:
    session = a_session()
    (student,) = students_in(session, 1)
    homework = some_homework(session.classroom)
    table_id = play_board(homework, student, 1)
    browser = at_home(student)
    address = f"/tables/{table_id}/rounds/1/again/?as=0"
    assert browser.get(address).status_code == 404
    assert table_id not in browser.get("/mine/").text
    giving.close(homework=homework)
    assert browser.get(address).status_code == 302
    assert address in browser.get("/mine/").text


# Forgetting.


def everything_of(guest: Guest) -> dict[str, int]:
    """How many rows of each model link to the guest."""
    found = {}
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if field.related_model is Guest:
                rows = model._default_manager.filter(**{field.name: guest.pk})
                found[f"{model.__name__}.{field.name}"] = rows.count()
    return found


def test_at_one_press_nothing_of_a_guest_is_left() -> None:
    browser, guest = a_browser()
    table_id = a_game(guest, rounds=1)
    address = same_board(browser, table_id)
    play_again(browser, guest, address, Random(1))
    deal = Deal.objects.get(table=table_id)
    answered(None, guest, "deck-size")
    Forecast.objects.create(deal=deal, seat=0, guest=guest, percents=[100, *[0] * 8])
    Slip.objects.create(guest=guest, position=Position.objects.earliest("pk"), worths={})
    Visit.objects.create(guest=guest, lesson="the-deal")
    sheet = cover.make_sheet(classroom=a_classroom(), until=timezone.localdate())
    cover.come_in(sheet=sheet, guest=guest)
    assert all(everything_of(guest).values()), everything_of(guest)
    browser.cookies[COOKIE] = _signer.sign("1.0")
    assert browser.get("/mine/forget/").status_code == 405
    assert Client(enforce_csrf_checks=True).post("/mine/forget/").status_code == 403
    answer = browser.post("/mine/forget/")
    assert answer.headers["Location"] == "/mine/?forgotten"
    assert not any(everything_of(guest).values())
    assert not Guest.objects.filter(pk=guest.pk).exists()
    assert not Table.objects.exists()
    assert not Position.objects.exists()
    for name in ("guest", COOKIE):
        assert browser.cookies[name].value == ""
    page = browser.get("/mine/?forgotten").text
    assert "Deleted." in words(page)
    assert "stays there" not in page
    assert "Your finished rounds will show up here" in page
    assert browser.post("/mine/forget/").status_code == 302  # nothing to forget is no mistake


def test_friends_keep_their_rounds_and_a_bot_stands_in() -> None:
    (browser, guest), friend = a_browser(), a_guest()
    table_id = friends(opener=guest, people=2, seats=3, rounds=2, here=False)
    seats.admit(table_id=table_id, seat=0, guest=guest)
    seats.admit(table_id=table_id, seat=1, guest=friend)
    whose = {0: {"guest_id": guest.pk}, 1: {"guest_id": friend.pk}, 2: by(guest, 2)}
    state = play(table_id, by=lambda seat: whose[seat])
    for seat in (0, 1):
        moves.say_ready(table_id=table_id, seat=seat, turn=state.turn)
    assert load_table(table_id).is_running
    before = list(Result.objects.order_by("pk").values("taken", "points", "by_person"))
    browser.post("/mine/forget/")
    assert not any(everything_of(guest).values())
    assert list(Result.objects.order_by("pk").values("taken", "points", "by_person")) == before
    assert Seat.objects.get(table=table_id, number=0).stand_in
    assert not Seat.objects.get(table=table_id, number=1).stand_in
    assert browser.get(f"/tables/{table_id}/").status_code == 404
    assert len(dataset_of_guest(friend).rounds) == 1
    make(table_id, load_table(table_id).legal[0])  # the table goes on


def test_what_belongs_to_the_class_stays_and_the_page_says_so() -> None:
    session, students = playing(2, seats=2, rounds=1)
    (table_id,) = picture(session).tables
    number = seat_of(play_by_students(table_id), students[0])
    browser, _guest = a_browser(device_of(students[0], session))
    address = same_board(browser, table_id, seat=number)
    form = {"at": "0", "seat": str(number)}
    study = browser.post(address.replace("same", "play"), form).headers["Location"]
    assert "in a class stays there" in browser.get("/mine/").text
    before = len(dataset_of_student(students[0]).rounds)
    page = browser.post("/mine/forget/", follow=True).text
    assert "Deleted. What you did in a class stays there." in words(page)
    assert len(dataset_of_student(students[0]).rounds) == before == 1
    assert not Table.objects.filter(pk=study.split("/")[2]).exists()
    assert table_id in browser.get("/mine/").text
    assert "in a class stays until" in " ".join(Client().get("/privacy/").text.split())


def test_a_table_that_is_gone_meanwhile_is_no_mistake() -> None:
    guest = a_guest()
    forgetting.leave_table(table_id="x" * 20, guest=guest)
    forgetting.forget(guest=guest)
    assert not Guest.objects.filter(pk=guest.pk).exists()


def test_the_deletion_of_a_session_takes_what_was_played_again_along() -> None:
    session, students = playing(2, seats=2, rounds=1)
    (table_id,) = picture(session).tables
    number = seat_of(play_by_students(table_id), students[0])
    browser, _guest = a_browser(device_of(students[0], session))
    address = same_board(browser, table_id, seat=number)
    browser.post(address.replace("same", "play"), {"at": "0", "seat": str(number)})
    closing.close_session(session_id=session.pk)
    closing.delete_session(session_id=session.pk)
    assert not Table.objects.exists()
