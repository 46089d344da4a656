"""A duplicate board in the light of its paths: who may see it, when, and what it counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from games import analysis
from games.analysis.jobs import pool
from games.analysis.paths import reach
from games.study.replay.board_paths import hand_paths, lines_of_board
from games.tables.state import load_table
from lessons.models import LessonSettings
from tests.games.classroom import a_teacher, device_of, picture, playing, signed_in
from tests.games.table import a_browser, make, play
from tests.kernel import load_or_skip
from xactika_site.classrooms.models import ClassSession, Student

pytestmark = pytest.mark.django_db

ADDRESSES = {
    "tables/<slug:table_id>/boards/<int:number>/ways/": "/tables/{table}/boards/1/ways/"
}


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    pool.answers.clear()
    yield
    pool.answers.clear()


def boards(**options: Any) -> tuple[ClassSession, list[Student], list[str]]:
    """Two tables of three that are dealt the same cards, and their students."""
    session, students = playing(6, **{"seats": 3, "duplicate": True, "rounds": 2, **options})
    return session, students, list(picture(session).tables)


def test_who_sees_it_and_when() -> None:
    session, students, (first, second) = boards()
    tables = {s.student_id: t for t in (first, second) for s in load_table(t).seats}
    may = {
        "student": device_of(next(s for s in students if tables[s.pk] == first), session),
        "teacher": signed_in(a_teacher()),
    }
    may_not = {
        "student of the other table": device_of(
            next(s for s in students if tables[s.pk] == second), session
        ),
        "other teacher": signed_in(a_teacher("another")),
        "guest": a_browser()[0],
        "nobody": Client(),
    }
    (address,) = ADDRESSES.values()
    address = address.format(table=first)
    play(first)
    for browser in (*may.values(), *may_not.values()):
        assert browser.get(address).status_code == 404
        assert browser.post(address).status_code in (404, 405)
    assert lines_of_board([first, second], 1) == []
    play(second)
    for browser in may.values():
        assert browser.get(address).status_code == 200
        assert browser.post(address).status_code == 405
    for browser in may_not.values():
        assert browser.get(address).status_code == 404
    assert may["teacher"].get(address.replace("/1/", "/2/")).status_code == 404
    page = may["teacher"].get(f"/tables/{first}/boards/1/").text
    assert address in page
    names = [seat.name for table in (first, second) for seat in load_table(table).seats]
    load_or_skip()
    page = may["teacher"].get(address).text
    assert page.count('class="ways"') == 3
    assert not any(name in page for name in names)
    assert may["student"].get(address).text.count('class="ways"') == 1


@pytest.mark.parametrize("variant", ["bid", "win"])
def test_it_counts_tables(variant: str) -> None:
    load_or_skip()
    _session, _students, tables = boards(variant=variant)
    for table in tables:
        play(table)
    lines = lines_of_board(tables, 1)
    assert len(lines) == 2
    assert lines[0].start == lines[1].start
    for seat in range(3):
        found = hand_paths(lines, seat)
        ways = [reach(line.rounds[line.tricks[0]], seat).counts for line in lines]
        taken = [line.rounds[-1].taken[seat] for line in lines]
        for column in found.columns:
            assert column.could == sum(column.tricks in counts for counts in ways)
            assert column.took == taken.count(column.tricks)
        bids = [line.rounds[-1].bids[seat] for line in lines]
        could = sum(bid in counts for bid, counts in zip(bids, ways, strict=True))
        made = sum(bid == took for bid, took in zip(bids, taken, strict=True))
        words = f"Against players who follow the tips, {could} of 2 tables could"
        assert found.sentence.startswith(words if variant == "bid" else "")
        assert (f"{made} did." in found.sentence) is (variant == "bid")


def test_without_the_kernel_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    _session, _students, tables = boards()
    for table in tables:
        while load_table(table).to_move is not None:
            make(table, load_table(table).legal[0])
    monkeypatch.setattr(analysis, "ready", lambda: False)
    monkeypatch.setattr(analysis, "is_impossible", lambda: True)
    teacher = signed_in(a_teacher())
    page = teacher.get(f"/tables/{tables[0]}/boards/1/ways/").text
    assert "can’t simulate deals" in page


def test_it_stands_in_the_results_of_a_duplicate_session() -> None:
    session, students, (first, second) = boards()
    teacher = signed_in(a_teacher())
    results = f"/teach/sessions/{session.pk}/results/"
    tables = {s.student_id: t for t in (first, second) for s in load_table(t).seats}
    seats = {s.student_id: s.number for t in (first, second) for s in load_table(t).seats}
    mine = device_of(students[0], session)
    own = f"/class/{session.pk}/results/"
    play(first)
    assert "board-ways" not in teacher.get(results).text
    play(second)
    found = re.search(r'data-from="(/tables/[^"]+/boards/1/ways/)"', teacher.get(results).text)
    assert found is not None
    load_or_skip()
    part = teacher.get(found[1], headers={"HX-Request": "true"}).text
    assert part.count('class="ways"') == 3
    assert "<html" not in part
    assert "board-ways" not in mine.get(own).text  # the class's charts are not theirs to see
    LessonSettings.objects.create(class_session=session, charts_for_students=True)
    me = students[0].pk
    address = f"/tables/{tables[me]}/boards/1/ways/?as={seats[me]}"
    assert f'data-from="{address}"' in mine.get(own).text
    part = mine.get(address, headers={"HX-Request": "true"}).text
    assert part.count('class="ways"') == 1
    for page in (results + "wall/", f"/teach/sessions/{session.pk}/learning/"):
        assert "board-ways" not in teacher.get(page).text


def test_a_session_without_boards_has_no_such_panel() -> None:
    session, _students = playing(3, seats=3, rounds=2)
    play(picture(session).tables[0])
    page = signed_in(a_teacher()).get(f"/teach/sessions/{session.pk}/results/").text
    assert "board-ways" not in page
