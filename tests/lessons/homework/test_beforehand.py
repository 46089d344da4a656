"""A teacher plays a session's prepared boards before the class does: apart from it, and to be
seen once every table has finished a board."""

from __future__ import annotations

import re
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest
from django.test import Client

from games.analysis import NotReady
from games.analysis.jobs import Job, StillCounting
from games.classes import closing, steering
from games.models import Deal, Result, SessionSettings, Table
from games.tables.dealing import printed_deals
from games.tables.state import load_table
from lessons.homework.by_teachers import (
    begin_beforehand,
    expert_on,
    own_boards_beforehand,
    results_beforehand,
)
from lessons.results.dataset import dataset_of_session
from lessons.results.homework import beside_session, boards_beforehand
from tests.games.classroom import a_session, a_teacher, device_of, signed_in, students_in
from tests.kernel import load_or_skip
from tests.scenes import present
from tests.scenes.by_students import finish_round, play_by_students, tables_of
from tests.scenes.homework import one_move
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db


def prepared(number: int = 81) -> list[dict[str, Any]]:
    deals = printed_deals(number, seats=4).values()
    return [{"dealer": dealer, "hands": hands} for dealer, hands in deals][:2]


def a_lobby(**wishes: Any) -> ClassSession:
    session = a_session(**{"duplicate": True, "deals": prepared(), "level": "random", **wishes})
    session.classroom.teachers.add(a_teacher("second"))
    students_in(session, 24)
    return session


def play(session: ClassSession, teacher: str = "teacher", *, to: int = 99) -> str:
    """The teacher plays the next board beforehand, to its end or so far; the table."""
    table_id = begin_beforehand(session=session, teacher=a_teacher(teacher))
    rng = Random(len(teacher))
    while len(load_table(table_id).moves) < to and not load_table(table_id).is_over:
        one_move(table_id, None, rng)
    return table_id


def results(session: ClassSession) -> str:
    return signed_in(a_teacher()).get(f"/teach/sessions/{session.pk}/results/").text


def rows(session: ClassSession) -> list[tuple[Any, ...]]:
    """What stands beside the class without the expert."""
    data = dataset_of_session(session)
    panel = beside_session(data, *boards_beforehand(session, data), {})
    return [tuple(map(str, row)) for row in present(panel.grid).rows]


def test_the_next_board_in_order_and_each_once() -> None:
    session = a_lobby()
    page, browser = f"/teach/sessions/{session.pk}/beforehand/", signed_in(a_teacher())
    assert f'href="{page}"' in browser.get(f"/teach/sessions/{session.pk}/").text
    assert "Play these boards yourself" in browser.get(page).text
    address = browser.post(page).headers["Location"]
    table_id = address.split("/")[2]
    assert browser.post(page).headers["Location"] == address
    assert browser.get(address).status_code == 200
    way_back = browser.get(f"/lessons/tables/{table_id}/homework/")
    assert way_back.headers["Location"] == page
    deal = Deal.objects.get(table=table_id)
    assert {"dealer": deal.dealer, "hands": deal.hands} == prepared()[0]
    play(session)
    assert "✓ Done" in browser.get(page).text
    second = play(session)
    assert Deal.objects.get(table=second).hands == prepared()[1]["hands"]
    with pytest.raises(Refused):
        play(session)
    assert browser.post(page).status_code == 422
    states = [(b.number, b.state) for b in own_boards_beforehand(session, a_teacher("second"))]
    assert states == [(1, ""), (2, "")]


def test_boards_are_prepared_by_one_press() -> None:
    session = a_lobby(deals=None, rounds=3)
    page, browser = f"/teach/sessions/{session.pk}/beforehand/", signed_in(a_teacher())
    assert "Prepare the boards: 3" in browser.get(page).text
    for _press in range(2):
        assert browser.post(page, {"do": "prepare"}).status_code == 302
        deals = SessionSettings.objects.get(class_session=session).deals or []
        first, *others = [deal["dealer"] for deal in deals]
        assert others == [(first + 1) % 4, (first + 2) % 4]
        assert len({str(deal["hands"]) for deal in deals}) == 3
    assert Deal.objects.get(table=play(session)).hands == deals[0]["hands"]
    steering.start(session_id=session.pk)
    assert {str(list(map(list, table.dealt))) for table in tables_of(session)} == {
        str(deals[0]["hands"])
    }


def test_other_hands_or_another_game_are_other_boards() -> None:
    session = a_lobby()
    play(session)

    def boards(**wishes: Any) -> list[tuple[int, str]]:
        SessionSettings.objects.update(**wishes)
        return [(b.number, b.state) for b in own_boards_beforehand(session, a_teacher())]

    assert boards() == [(1, "done"), (2, "")]
    assert boards(variant="win") == [(1, ""), (2, "")]
    assert boards(variant="bid", deals=prepared(82)) == [(1, ""), (2, "")]
    assert boards(deals=prepared()[::-1]) == [(1, ""), (2, "done")]
    assert Deal.objects.get(table=play(session)).hands == prepared()[1]["hands"]
    with pytest.raises(Refused):
        play(session)


def test_whom_it_is_shown_to_and_what_it_is_part_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.pages.data._text_pieces", lambda lines: lines)  # read at once
    session = a_lobby()
    students = list(session.classroom.students.all())
    before = dataset_of_session(session)
    table_id = play(session, to=5)
    play(session)
    statuses = {
        who: browser.get(f"/tables/{table_id}/").status_code
        for who, browser in {
            "teacher": signed_in(a_teacher()),
            "second": signed_in(a_teacher("second")),
            "another": signed_in(a_teacher("another")),
            "student": device_of(students[0], session),
            "nobody": Client(),
        }.items()
    }
    assert statuses == {**dict.fromkeys(statuses, 404), "teacher": 200}
    assert dataset_of_session(session) == before
    assert len(tables_of(session)) == 0
    for address in (f"classrooms/{session.classroom_id}", f"sessions/{session.pk}"):
        answer: Any = signed_in(a_teacher()).get(f"/teach/{address}/moves.jsonl")
        assert b"".join(answer.streaming_content) == b""


@pytest.mark.parametrize("wishes", [{"deals": None}, {"duplicate": False, "deals": None}])
def test_what_is_shuffled_when_dealt_cannot_be_played_first(wishes: dict[str, Any]) -> None:
    session = a_lobby(**wishes)
    page = f"/teach/sessions/{session.pk}/beforehand/"
    answer = signed_in(a_teacher()).get(page)
    assert ("Prepare the boards" in answer.text) == ("duplicate" not in wishes)
    assert "Play these boards yourself" not in answer.text
    assert signed_in(a_teacher()).post(page).status_code == 422


def test_it_stands_beside_a_board_once_every_table_has_finished_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answer = Mock(side_effect=NotReady)
    monkeypatch.setattr("lessons.pages.results.answer", answer)
    session = a_lobby()
    play(session, "second", to=9)
    first = play(session)
    play(session, to=7)
    steering.start(session_id=session.pk)
    noise = re.compile(r'value="[A-Za-z0-9]{64}"')
    *others, last = tables_of(session)
    for table in others:
        play_by_students(table.id)
    before = noise.sub("", results(session))
    assert 'id="beside"' not in before
    made = Result.objects.get(deal__table=first, seat=0)
    Result.objects.filter(pk=made.pk).update(points=-7, taken=0, bid=7)
    assert noise.sub("", results(session)) == before
    Result.objects.filter(pk=made.pk).update(points=made.points, taken=made.taken, bid=made.bid)
    play_by_students(last.id)
    play(session, "second")  # begun before, and finished too late
    with pytest.raises(Refused):
        play(session, "second")
    points = [
        r.points for r in Result.objects.filter(deal__table__class_session=session, seat=0)
    ]
    ((board, own, teacher),) = rows(session)
    assert board == "1"
    assert f"{abs(sum(points) / 6):.1f}" in own
    assert f"bid {made.bid}, took {made.taken}" in teacher
    assert str(abs(made.points)) in teacher
    page = results(session)
    assert 'id="beside"' in page
    assert "On the first seat, against bots." in page
    wall = signed_in(a_teacher()).get(f"/teach/sessions/{session.pk}/results/wall/?all")
    assert "On the first seat, against bots." in wall.text
    answer.side_effect = StillCounting(Job("", dict))
    waits = signed_in(a_teacher()).get(f"/teach/sessions/{session.pk}/results/")
    assert waits.status_code == 202
    assert "The expert is still playing" in waits.text
    answer.side_effect = NotReady
    finish_round(session)
    steering.deal_next_round(session_id=session.pk)
    finish_round(session, Random(9))
    play(session)  # the second board, too late, too
    assert [row[2] for row in rows(session)][1] == "not played"


def test_no_mean_tells_of_fewer_than_five() -> None:
    session = a_session(duplicate=True, deals=prepared(), level="random")
    students_in(session, 8)
    play(session)
    steering.start(session_id=session.pk)
    finish_round(session)
    assert [row[1] for row in rows(session)] == ["–"]


def test_the_expert_plays_the_board_against_the_sessions_bots() -> None:
    load_or_skip()
    session = a_lobby(rounds=1)
    play(session)
    steering.start(session_id=session.pk)
    finish_round(session)
    data = dataset_of_session(session)
    boards, teachers = boards_beforehand(session, data)
    dealt = prepared()[0]
    own = expert_on(Deal(**dealt), "bid", "random")
    panel = beside_session(data, boards, teachers, {"1": own})
    assert f"bid {own.bid}, took {own.taken}" in str(present(panel.grid).rows[0][3])
    assert "The expert</th>" in results(session)


def test_it_goes_with_the_session() -> None:
    session = a_lobby()
    play(session, to=3)
    SessionSettings.objects.update(duplicate=False)
    assert [b.state for b in own_boards_beforehand(session, a_teacher())] == ["begun"]
    assert results_beforehand(session) == {}
    closing.delete_session(session_id=session.pk)
    assert not Table.objects.exists()
