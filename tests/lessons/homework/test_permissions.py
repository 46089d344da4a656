"""What no page shows of homework's boards, or of others' results; who gets which page says the
table of permission (``tests/permissions``)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db.models import F
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone

from games.classes import joining
from games.models import Deal, Move, Position, Result, TrickRecord
from games.rules import Shape
from games.tables.observation import public_observation, seat_observation, seat_view, table_view
from games.tables.state import _cache, load_table
from lessons.homework import giving
from lessons.models import Homework
from tests.games.classroom import a_classroom, a_session, a_teacher, device_of, signed_in
from tests.games.table import a_browser
from tests.scenes import Each, again
from tests.scenes.addresses import routes
from tests.scenes.homework import (
    a_class,
    at_home,
    play_as_teacher,
    play_board,
    some_homework,
    viewer_at,
)
from xactika_site import clock


class Scene:
    """A class's homework: the student has finished the first board and begun the second, four
    more have finished the first, a mate has begun nothing."""

    def __init__(self, finished: int = 4) -> None:
        self.classroom = a_classroom(a_teacher("teacher"))
        self.session = a_session(self.classroom)
        self.student = joining.join(session=self.session, name="Quiet Otter")
        self.mate, self.late, *self.others = a_class(2 + finished, self.classroom)
        (self.elsewhere,) = a_class(1, a_classroom(a_teacher("another"), "8c"))
        self.homework = some_homework(
            self.classroom, boards=2, puzzles=1, questions=5, skill="graphs"
        )
        self.table = play_board(self.homework, self.student, 1)
        for each in self.others:
            play_board(self.homework, each, 1)
        self.begun = play_board(self.homework, self.student, 2, to=13)
        deal = Deal.objects.get(table=self.table)
        self.position = Position.objects.create(deal=deal, moves=9, seat=0)
        self.browsers = {
            "teacher": signed_in(a_teacher("teacher")),
            "another": signed_in(a_teacher("another")),
            "student": device_of(self.student, self.session),
            "mate": at_home(self.mate),
            "elsewhere": at_home(self.elsewhere),
            "guest": a_browser()[0],
            "nobody": Client(),
        }

    def path(self, address: str) -> str:
        return address.format(
            homework=self.homework.pk,
            table=self.table,
            session=self.session.pk,
            classroom=self.classroom.pk,
            position=self.position.pk,
        )

    def get(self, who: str, address: str) -> HttpResponseBase:
        return again(self.browsers[who]).get(self.path(address))


@pytest.mark.django_db
def test_opened_again_nobody_looks_on_who_was_let_in() -> None:
    scene = Scene(finished=0)
    giving.close(homework=scene.homework)
    viewer = viewer_at(scene.table, scene.browsers["teacher"])
    assert viewer.may_stay(load_table(scene.table))
    giving.reopen(homework=scene.homework, until=timezone.localdate())
    assert not viewer.may_stay(load_table(scene.table))


# What no page shows.


def pages(scene: Scene) -> Iterator[str]:
    """Every address that names anything of the class, or shows what is one's own."""
    values = {
        "session_id": scene.session.pk,
        "classroom_id": scene.classroom.pk,
        "student_id": scene.others[0].pk,
        "homework_id": scene.homework.pk,
        "table_id": scene.table,
        "position_id": scene.position.pk,
        "number": 1,
        "key": "gradebook",
    }
    for route in routes(get_resolver().url_patterns):
        address = "/" + re.sub(r"<\w+:(\w+)>", lambda m: str(values.get(m[1], "-")), route)
        is_own = route in {"mine/", "homework/", "lessons/slips/"}
        if route.endswith(".xlsx"):
            continue  # the same tables as the page, zipped with the time
        if is_own or any(f":{name}>" in route for name in values if name != "number"):
            yield address
    yield f"/tables/{scene.begun}/"
    yield "/graphs/?of=mine"


NOISE = re.compile(r'value="[A-Za-z0-9]{64}"|X-CSRFToken": "\w+"|data-now="[^"]*"')


def seen(scene: Scene, who: str) -> dict[str, str]:
    """All that somebody sees of the class, byte for byte."""
    return {address: text(scene, who, address) for address in pages(scene)}


def text(scene: Scene, who: str, address: str) -> str:
    answer: Any = again(scene.browsers[who]).get(address)
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return f"{answer.status_code} {NOISE.sub('', body.decode())}"


def differing(one: dict[str, str], other: dict[str, str]) -> set[str]:
    assert one.keys() == other.keys()
    return {address for address in one if one[address] != other[address]}


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams are read at once, and nobody goes away while all pages are read."""
    monkeypatch.setattr("games.pages.data._text_pieces", lambda lines: lines)
    present = clock.now()
    monkeypatch.setattr(clock, "now", lambda: present)


SHAPES = [shape.value for shape in Shape]


def turned(text: str) -> str:
    """A card, or a move, with the next shape in the place of each."""
    text = re.sub(r"\b([123])([123]{3})\b", r"\2\1", text)
    before = dict(zip(SHAPES, [SHAPES[-1], *SHAPES], strict=False))
    return re.sub("|".join(SHAPES), lambda found: before[found[0]], text)


def turn_cards(homework: Homework) -> None:
    """Its boards were dealt, and played, with other cards."""
    homework.refresh_from_db()
    boards = json.loads(turned(json.dumps(homework.boards)))
    Homework.objects.filter(pk=homework.pk).update(boards=boards)
    for deal in Deal.objects.filter(table__homework_board__homework=homework):
        Deal.objects.filter(pk=deal.pk).update(hands=boards[(deal.board or 0) - 1]["hands"])
    for move in Move.objects.filter(deal__table__homework_board__homework=homework):
        Move.objects.filter(pk=move.pk).update(text=turned(move.text))
    for trick in TrickRecord.objects.filter(deal__table__homework_board__homework=homework):
        TrickRecord.objects.filter(pk=trick.pk).update(call=turned(trick.call))
    _cache.clear()


@pytest.mark.django_db
def test_what_no_page_shows_before_it_closes(still: None, each: Each) -> None:
    """Everybody sees the very same bytes, whatever is behind them."""
    scene = Scene(finished=3)
    homework, teacher = scene.homework, a_teacher("teacher")
    page, teachers = f"/homework/{homework.pk}/", f"/teach/homework/{homework.pk}/"
    before = {who: seen(scene, who) for who in ("teacher", "student", "mate")}

    with each(what="a card of an open board, but at one's own table"):
        own = {f"/tables/{scene.table}/", f"/tables/{scene.begun}/"}
        turn_cards(homework)
        for who, addresses in before.items():
            assert differing(addresses, seen(scene, who)) == (
                own if who == "student" else set()
            )
        giving.close(homework=homework)
        shown = (f"/teach/students/{scene.student.pk}/moves.jsonl", f"/tables/{scene.table}/")
        closed = [text(scene, "teacher", address) for address in shown]
        turn_cards(homework)
        for address, then in zip(shown, closed, strict=True):
            assert text(scene, "teacher", address) != then

    with each(what="others' results, before the own board is done and five have finished it"):
        theirs = Result.objects.filter(seat=0).exclude(student=scene.student)
        changed = {"points": F("points") + 1, "taken": (F("taken") + 1) % 9}
        theirs.update(**changed)  # of three: with the student four have finished
        for who in ("student", "mate"):
            assert differing(before[who], seen(scene, who)) == set()
        homework.refresh_from_db()
        play_board(homework, scene.late, 1)
        five = {who: text(scene, who, page) for who in ("student", "mate")}
        theirs.update(**changed)
        assert text(scene, "student", page) != five["student"]
        assert text(scene, "mate", page) == five["mate"]

    with each(what="whether a teacher has played, but on the homework's page for teachers"):
        table = play_as_teacher(homework, teacher, 1)
        begun = play_as_teacher(homework, teacher, 2, to=13)
        for who, addresses in before.items():
            its = {teachers} if who == "teacher" else set()
            assert differing(addresses, seen(scene, who)) == its
        for who in ("student", "mate"):
            for at in (f"/tables/{table}/", f"/tables/{begun}/", f"/tables/{table}/review/1/"):
                assert again(scene.browsers[who]).get(at).status_code == 404
        now = text(scene, "teacher", teachers)
        Result.objects.filter(deal__table=table).update(points=8, taken=8, bid=8)
        assert text(scene, "teacher", teachers) == now


@pytest.mark.django_db
def test_a_finished_board_tells_its_player_no_undealt_card() -> None:
    scene = Scene(finished=0)
    state = load_table(scene.table)
    dealt = {code for hand in state.dealt for code in hand}
    view = table_view(state, {}, timezone.now())
    told = str(seat_observation(public_observation(view), view, 0, seat_view(state, 0)))
    assert set(re.findall(r"\b[123]{4}\b", told)) == dealt
    assert view.revealed is None
    cards = re.compile(r'data-card="([123]{4})"|#c([123]{4})')
    page = scene.get("student", "/tables/{table}/").text  # type: ignore[attr-defined]
    shown = {code for pair in cards.findall(page) for code in pair if code}
    assert shown
    assert shown <= dealt
    giving.close(homework=scene.homework)
    now = table_view(load_table(scene.table), {}, timezone.now())
    assert now.revealed is not None
