"""Tables on paper, typed in: they count as the same rounds on screen do, and nothing else meets
them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.classes import paper, steering
from games.classes.game import present_game
from games.classes.pace import measured_pace
from games.classes.paper import PaperRound, ScoreSheet
from games.models import Deal, Result, Seat, SessionSettings, Table
from games.rules import Variant
from games.tables import results, seats
from games.tables.dealing import printed_deals
from games.tables.state import load_table
from games.tables.viewers import Browser
from lessons.homework.waiting import waiting_in
from lessons.questions.in_class import class_results
from lessons.results.dataset import dataset_of_session, dataset_of_student
from lessons.results.over_time.term import term
from lessons.results.points.standings import game_standings
from lessons.results.session.session_panels import panels
from lessons.studio.hands import NotShown, frequencies_for, usual_session
from lessons.studio.settings import Of, Settings, Show
from lessons.visits.ways import finished_hands
from tests.games.classroom import (
    a_classroom,
    a_session,
    a_teacher,
    picture,
    playing,
    signed_in,
    sitting,
    students_in,
)
from tests.lessons.results import archived
from tests.scenes import present
from tests.scenes.by_students import finish_round
from tests.scenes.homework import a_class, some_homework
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db

SLIPS = 81


def a_round(*pairs: str, board: int | None = None) -> PaperRound:
    """A round of "bid-taken" by seat."""
    numbers = [tuple(map(int, pair.split("-"))) for pair in pairs]
    bids, taken = zip(*numbers, strict=True)
    return PaperRound(bids, taken, board)


ROUND = a_round("1-1", "2-3", "3-4", "3-0")


def type_in(session: ClassSession, *rounds: PaperRound, **more: Any) -> str:
    """The id of a table that was typed in, of four people nobody knows unless it's said."""
    students = more.pop("students", (None,) * 4)
    variant = more.pop("variant", Variant.BID)
    sheet = ScoreSheet(variant, tuple(students), rounds, more.pop("slips", None))
    before = set(paper.score_sheets(session.pk))
    paper.store(session_id=session.pk, sheet=sheet, **more)
    (new,) = set(paper.score_sheets(session.pk)) - before
    return new


def type_again(screen: ClassSession, onto: ClassSession, **more: Any) -> None:
    """What was played on screen, typed in as a session of students by the same names."""
    named = {s.name: s.pk for s in onto.classroom.students.all()}
    for table_id in present_game(screen.pk).tables:
        deals = list(Deal.objects.filter(table=table_id).order_by("round"))
        n = len(deals[0].hands)
        turned = [(deals[0].dealer + seat) % n for seat in range(n)]
        rounds = []
        for deal in deals:
            rows = list(deal.results.order_by("seat"))
            bids, taken = (
                tuple(getattr(rows[seat], name) for seat in turned) for name in ("bid", "taken")
            )
            rounds.append(PaperRound(bids, taken))
        sitters = [load_table(table_id).seats[seat].name for seat in turned]
        type_in(onto, *rounds, students=[named[name] for name in sitters], **more)


@pytest.mark.parametrize("variant", ["bid", "win", "lose"])
def test_a_round_counts_as_the_same_on_screen(variant: str) -> None:
    screen, _students = playing(8, variant=variant, filling="uneven")
    finish_round(screen, Random(5))
    steering.deal_next_round(session_id=screen.pk)
    finish_round(screen, Random(6))
    onto = a_session(a_classroom(a_teacher(), "7c"), variant=variant)
    students_in(onto, 8)
    type_again(screen, onto, variant=Variant(variant))

    def figures(session: ClassSession) -> dict[str, list[Any]]:
        names = {s.pk: s.name for s in session.classroom.students.all()}
        shown = panels(dataset_of_session(session), name=lambda p: names[p.student])
        found = {panel.key: panel.grid for panel in shown if panel.grid is not None}
        return {key: sorted(map(str, grid.rows)) for key, grid in found.items()}

    on_screen, on_paper = figures(screen), figures(onto)
    of_hands = {"tip", "leads", "hands", "bias"}
    assert set(on_screen) - of_hands == set(on_paper) - of_hands
    for key in set(on_screen) - of_hands:
        assert on_screen[key] == on_paper[key], key
    assert {"standings-1", "points"} <= set(on_paper)
    assert {"hands", "tip", "leads"}.isdisjoint(on_paper)
    if variant == "bid":
        assert {"calibration", "bids-and-tricks", "bids-by-seat"} < set(on_paper)
        ours = [row[:-1] for row in grid_rows(screen, "bias") if row[1]]
        assert ours == [row for row in grid_rows(onto, "bias") if row[1]]
    student = present(onto.classroom.students.first())
    assert len(dataset_of_student(student).rounds) == 2


def grid_rows(session: ClassSession, key: str) -> list[tuple[Any, ...]]:
    shown = {p.key: p for p in panels(dataset_of_session(session), name=str)}
    grid = present(shown[key].grid)
    return list(grid.rows)


def test_nothing_that_needs_moves_or_hands_meets_it() -> None:
    session, _students = playing(4)
    a_move = measured_pace(session.classroom)
    table_id = type_in(session, ROUND, students=[s.pk for s in a_class(4, session.classroom)])
    assert results.rebuild_results() == (0, [])
    assert Result.objects.filter(deal__table=table_id).count() == 4
    assert len(picture(session).tables) == 1
    with pytest.raises(NotFound):
        load_table(table_id)
    assert measured_pace(session.classroom) == a_move
    assert finished_hands(session.pk) == []
    assert class_results(session.pk) is None
    assert term(session.classroom).deals == ()
    teacher = signed_in(a_teacher())
    for address in ("", "replay/1/", "review/1/", "boards/1/", "boards/1/ways/"):
        assert teacher.get(f"/tables/{table_id}/{address}").status_code == 404
    finish_round(session, Random(1))  # at the table on screen, which is of the same game
    assert results.rebuild_results(check_only=True) == (1, [])
    assert len(dataset_of_session(session).deals) == 2
    assert len(dataset_of_session(session).drawn_deals) == 1
    assert teacher.get(f"/teach/sessions/{session.pk}/results/").status_code == 200
    assert teacher.get(f"/teach/sessions/{session.pk}/").status_code == 200
    (game,) = game_standings(dataset_of_session(session))
    assert {place.table for place in game.places} == {1, 2}


def test_boards_by_slips_count_once_and_beside_those_on_screen() -> None:
    boards = printed_deals(SLIPS, seats=4)
    prepared = [{"dealer": d, "hands": hands} for d, hands in (boards[1], boards[2])]
    session, _students = playing(8, rounds=2, duplicate=True, deals=prepared)
    first = a_round("1-1", "2-3", "3-4", "3-0", board=1)
    still = "plays on screen"
    with pytest.raises(Refused, match=still):
        type_in(session, first, slips=SLIPS)
    finish_round(session, Random(2))
    steering.deal_next_round(session_id=session.pk)
    with pytest.raises(Refused, match=still):
        type_in(session, first, slips=SLIPS)
    finish_round(session, Random(3))
    for board in (1, 2, 3):
        type_in(session, first._replace(board=board), slips=SLIPS)
    other = type_in(session, first, slips=SLIPS + 1)
    data = dataset_of_session(session)
    assert len(data.distinct_deals) == 4
    assert [game.game for game in game_standings(data)] == [2, 1]
    assert Table.objects.everywhere().get(pk=other).game == 2
    stored = Deal.objects.get(table__slips=SLIPS, board=2)
    assert (stored.dealer, stored.hands) == boards[2]
    assert data.drawn_deals  # a shuffle that nobody chose
    page = signed_in(a_teacher()).get(f"/teach/sessions/{session.pk}/results/")
    assert page.status_code == 200
    looked_back_on = set(re.findall(r"/tables/(\w+)/boards/", page.text))
    assert looked_back_on
    assert looked_back_on <= set(present_game(session.pk).tables)
    steering.finish_after_round(session_id=session.pk)
    steering.next_game(session_id=session.pk)
    assert present_game(session.pk).number == 3


def places(session: ClassSession) -> list[tuple[int, int]]:
    """Game and number of the tables on paper, the first typed in first."""
    tables = Table.objects.on_paper(session.pk).order_by("created")
    return list(tables.values_list("game", "number"))


def test_a_corrected_sheet_stays_where_it_was() -> None:
    session, _students = playing(4)
    first = type_in(session, ROUND)
    type_in(session, ROUND)
    steering.finish_after_round(session_id=session.pk)
    finish_round(session)
    steering.next_game(session_id=session.pk)
    third = type_in(session, ROUND)
    assert places(session) == [(1, 2), (1, 3), (2, 2)]
    first = type_in(session, ROUND, ROUND, table_id=first)
    assert places(session) == [(1, 3), (2, 2), (1, 2)]
    type_in(session, ROUND._replace(board=1), slips=SLIPS, table_id=first)
    assert places(session) == [(1, 3), (2, 2), (3, 1)]  # boards are no matter of that game
    type_in(session, ROUND, table_id=third)
    assert places(session) == [(1, 3), (3, 1), (2, 2)]


def test_graphs_and_homework_know_whose_round_it_was() -> None:
    session = a_session()
    mean, taken = Settings(of=Of.CLASS, show=Show.MEAN), Settings(of=Of.CLASS, show=Show.TAKEN)
    teacher = Browser(teacher=a_teacher())
    assert frequencies_for(mean, teacher).total == 0
    board = ROUND._replace(board=1)
    type_in(session, board, slips=SLIPS)
    with pytest.raises(NotShown, match="five students"):  # nobody is named
        frequencies_for(mean, teacher)
    homework = some_homework(session.classroom)
    students = students_in(session, 5)
    named = [s.pk for s in students]
    assert [s.pk for s in waiting_in([homework])[homework.pk]] == named
    type_in(session, board, students=named[:4], slips=SLIPS)
    with pytest.raises(NotShown, match="five students"):
        frequencies_for(mean, teacher)
    type_in(session, ROUND, students=[named[4], None, None, None])
    assert frequencies_for(mean, teacher).total == 4  # one board, and hands that nobody knows
    assert frequencies_for(taken, teacher).counts == {0: 1, 1: 2, 3: 1, 4: 1}
    assert frequencies_for(taken, teacher).rounds == 2
    assert usual_session(teacher) == session.pk
    for student, hands in ((students[0], 1), (students[4], 0)):
        browser = sitting(student, session.pk)
        own = [frequencies_for(replace(of, of=Of.MINE), browser) for of in (mean, taken)]
        assert [tally.total for tally in own] == [hands, 1]
        assert [tally.rounds for tally in own] == [hands, 1]
    assert waiting_in([homework]) == {}


def test_it_is_read_in_as_many_queries_for_one_table_as_for_four() -> None:
    session = a_session()
    asked = []
    for _table in range(4):
        type_in(session, ROUND, ROUND._replace(bids=(1, 1, 1, 1)))
        with CaptureQueriesContext(connection) as queries:
            sheets = paper.score_sheets(session.pk)
        asked.append(len(queries))
    assert {len(sheet.rounds) for sheet in sheets.values()} == {2}
    assert asked == [asked[0]] * 4


def test_nobody_stands_twice_in_a_game() -> None:
    session, students = playing(4)
    finish_round(session)
    named = [s.pk for s in students]
    others = [s.pk for s in a_class(4, session.classroom)]
    table_id = type_in(session, ROUND, students=named)
    type_in(session, ROUND, students=others)
    again = type_in(session, ROUND, students=others)
    assert [game for game, _number in places(session)] == [2, 2, 1]
    again = type_in(session, ROUND, ROUND, students=others, table_id=again)
    assert places(session) == [(2, 1), (2, 2), (1, 2)]  # nobody is in their own way
    for game in game_standings(dataset_of_session(session)):
        standing = [place.student for place in game.places]
        assert len(standing) == len({*standing}) == 8
    type_in(session, ROUND, students=[*others[:3], None], table_id=table_id)
    assert [game for game, _number in places(session)] == [2, 1, 3]
    type_in(session, ROUND, students=named, table_id=again)
    assert [game for game, _number in places(session)] == [2, 3, 3]


@pytest.mark.parametrize(
    ("rounds", "why"),
    [
        ([], "one round at least"),
        ([a_round("1-1", "2-3", "3-4", "3-1")], "Round 1: the tricks add up to 9, not to 8"),
        ([ROUND, a_round("1-1", "2-3", "3-4", "2-0")], "Round 2: the bids can’t add up to 8"),
        ([a_round("9-1", "2-3", "3-4", "3-0")], "a number from 0 to 8"),
        ([ROUND._replace(taken=(1, 3, 4, None))], "a number from 0 to 8"),
        ([ROUND._replace(bids=(None, 2, 3, 3))], "a number from 0 to 8"),
    ],
)
def test_what_cannot_be_is_refused(rounds: list[PaperRound], why: str) -> None:
    session = a_session()
    with pytest.raises(Refused, match=why):
        type_in(session, *rounds)
    assert not Table.objects.everywhere().exists()


def test_boards_and_names_are_there_once() -> None:
    session = a_session()
    (student,) = students_in(session, 1)
    with pytest.raises(Refused, match="One name"):
        type_in(session, ROUND, students=[student.pk, student.pk, None, None])
    for board in (9, 0, None):
        with pytest.raises(Refused, match="Round 1: boards are 1 to 8"):
            type_in(session, ROUND._replace(board=board), slips=3)
    with pytest.raises(Refused, match="you play each once"):
        type_in(session, *[ROUND._replace(board=1)] * 2, slips=3)
    other = students_in(a_session(a_classroom(a_teacher("another"))), 1)[0]
    with pytest.raises(NotFound):
        type_in(session, ROUND, students=[other.pk, None, None, None])


def test_deleting_a_student_cuts_the_link() -> None:
    session = a_session()
    (student,) = students_in(session, 1)
    table_id = type_in(session, ROUND, students=[student.pk, None, None, None])
    assert dataset_of_session(session).students == {student.pk}
    seats.remove_student(student=student)
    assert not Seat.objects.filter(table=table_id).exclude(student=None, name="").exists()
    assert not Result.objects.exclude(student=None).exists()
    points = Result.objects.order_by("seat").values_list("points", flat=True)
    assert list(points) == [1, -1, -1, -3]
    session.delete()
    assert not Table.objects.everywhere().exists()


# The page.


def filled(*rounds: PaperRound, **more: Any) -> dict[str, Any]:
    """The form as a browser sends it: each box, empty or not, in the order of the page."""
    left = 8 - len(rounds)
    return {
        "seats": "4",
        "slips": "",
        "student": [""] * 4,
        "board": [""] * 8,
        "bid": [*(bid for row in rounds for bid in row.bids), *[""] * 4 * left],
        "taken": [*(taken for row in rounds for taken in row.taken), *[""] * 4 * left],
        **more,
    }


def test_a_teacher_types_in_corrects_and_deletes() -> None:
    session = a_session()
    (student,) = students_in(session, 1)
    browser = signed_in(a_teacher())
    page = f"/teach/sessions/{session.pk}/paper/"
    assert f'href="{page}"' in browser.get(f"/teach/sessions/{session.pk}/results/").text
    wrong = filled(ROUND._replace(taken=(1, 3, 4, 1)))
    refused = browser.post(page, wrong)
    assert refused.status_code == 422
    assert "the tricks add up to 9, not to 8" in refused.text
    typed_in = re.sub(r'<option value="\d+"', "<option", refused.text)  # a student's number
    assert typed_in.count('value="4"') == 2  # what was typed, and the seats
    assert browser.post(page, filled(ROUND, slips="x")).status_code == 422
    named, order = ["", student.pk, "", ""], ["7", *[""] * 7]
    typed = filled(ROUND, ROUND, slips="81", student=named, board=order)
    assert browser.post(page, typed).status_code == 302
    ((table_id, sheet),) = paper.score_sheets(session.pk).items()
    boards = [ROUND._replace(board=board) for board in (7, 2)]
    assert sheet == ScoreSheet(Variant.BID, (None, student.pk, None, None), tuple(boards), 81)
    again = browser.get(f"{page}?table={table_id}")
    assert f'<option value="{student.pk}" selected>' in again.text
    SessionSettings.objects.update(variant="win")  # for the next game; this one had bids
    assert 'name="bid"' in browser.get(f"{page}?table={table_id}").text
    assert 'name="bid"' not in browser.get(page).text
    assert browser.post(f"{page}?table={table_id}", filled(ROUND)).status_code == 302
    ((table_id, sheet),) = paper.score_sheets(session.pk).items()
    assert sheet == ScoreSheet(Variant.BID, (None,) * 4, (ROUND._replace(board=None),), None)
    another = a_session(a_classroom(a_teacher("another")))
    there = f"/teach/sessions/{another.pk}/paper/?table={table_id}"
    assert signed_in(a_teacher("another")).post(there, {"delete": "yes"}).status_code == 404
    assert browser.post(f"{page}?table={table_id}", {"delete": "yes"}).status_code == 302
    assert paper.score_sheets(session.pk) == {}
    assert browser.get(f"{page}?table={table_id}").status_code == 404


def test_exports_and_the_archive_tell_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.pages.data._text_pieces", lambda lines: lines)
    session, students = playing(5, seats=2)
    finish_round(session, Random(4))
    people = [*(s.pk for s in students[:3]), None]
    type_in(session, ROUND, students=people)
    type_in(session, ROUND._replace(board=1), students=people, slips=SLIPS)
    teacher = signed_in(a_teacher())

    def exported(address: str) -> list[dict[str, Any]]:
        answer: Any = teacher.get(address)
        lines = b"".join(answer.streaming_content).splitlines()
        return [row for row in map(json.loads, lines) if row["kind"] == "round"]

    *_screen, by_hand, by_slips = exported(f"/teach/sessions/{session.pk}/moves.jsonl")
    assert by_hand["hands"] == [[], [], [], []]
    assert by_slips["hands"] == printed_deals(SLIPS, seats=4)[1][1]
    own = exported(f"/teach/students/{students[1].pk}/moves.jsonl")[-1]
    assert own["results"] == [{"seat": 1, "bid": 2, "taken": 3, "points": -1}]
    assert [hand is not None for hand in own["hands"]] == [False, True, False, False]
    assert {"bias", "tip", "hands", "calibration"} <= archived.check(session, tmp_path)
