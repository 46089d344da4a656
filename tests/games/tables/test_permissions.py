"""A fixed cast against every address of the project: a new URL without its row fails."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from channels.db import database_sync_to_async
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from games.study.puzzles import FIRST
from games.tables import seats
from games.tables.state import load_table
from games.tables.viewers import find_guest, seat_token, watch_token
from games.urls import websocket_urlpatterns
from tests.classrooms.test_permissions import ROWS as ROWS_OF_TEACHERS
from tests.games.classes import test_boards
from tests.games.classes.test_permissions import CLASS_ROWS
from tests.games.keeping import test_data
from tests.games.pages import test_joining as test_join
from tests.games.sockets import Socket, connect
from tests.games.study import test_board_paths, test_positions
from tests.games.table import a_browser, finish, friends, key_of, rows, solo
from tests.lessons.homework.test_permissions import ADDRESSES as HOMEWORK
from tests.lessons.questions import test_at_table, test_class_exercise, test_slips
from tests.lessons.questions import test_pages as test_questions
from tests.lessons.results.test_mine import ADDRESSES as MINE
from tests.lessons.results.test_permissions import ADDRESSES as RESULTS
from tests.scenes import Each, again

SOAK = os.environ.get("XACTIKA_SOAK") == "1"
CAST = ("opener", "friend", "watcher", "stranger", "nobody")


@dataclass
class Cast:
    """A table and five browsers: its opener, a friend who came by a seat's link, somebody
    who came by the watch link, a guest from elsewhere, and somebody without any cookie."""

    table_id: str
    browsers: dict[str, Client]

    def token(self, place: str = "seat") -> str:
        """The present link's token of seat 1, or the watch link's."""
        state = load_table(self.table_id)
        if place == "watch":
            return watch_token(self.table_id, state.watch_serial)
        return seat_token(self.table_id, 1, state.seats[1].serial)


def cast_at(kind: str, **options: Any) -> Cast:
    """The cast at a table of this kind. At a solo table friend and watcher are guests who
    were let in to another table."""
    browsers = {name: a_browser()[0] for name in CAST[:4]}
    browsers["nobody"] = Client()
    guests = {
        name: find_guest(key_of(browser))
        for name, browser in browsers.items()
        if name != "nobody"
    }
    opener, friend, watcher, stranger = (guests[name] for name in CAST[:4])
    assert opener
    assert friend
    assert watcher
    assert stranger
    elsewhere = friends(people=2, opener=stranger)
    options = {"rounds": 2, "seats": 3, **options}
    if kind == "solo":
        table_id, let_in = solo(opener, **options), elsewhere
    else:
        table_id = let_in = friends(opener=opener, people=2, **options)
    seats.admit(table_id=let_in, seat=1, guest=friend)
    seats.admit(table_id=let_in, seat=None, guest=watcher)
    return Cast(table_id, browsers)


# By route and method: what opener, friend, watcher, stranger and nobody get. Friends' table
# first, then a solo one; one number stands for all five.
OPEN = {"GET": (200, 200), "POST": (405, 405)}
ONLY_OPENER = (302, 404, 404, 404, 404)
SOLO_PAGE = (200, 404, 404, 404, 404)
TABLE = "/tables/{table}/"

ROWS: dict[str, tuple[str, dict[str, tuple[Any, Any]]]] = {
    "": ("/", OPEN),
    "healthz": ("/healthz", OPEN),
    "language/": ("/language/", {"GET": (405, 405), "POST": (302, 302)}),
    "play/": ("/play/", {"GET": (200, 200), "POST": (302, 302)}),
    "learn/": ("/learn/", OPEN),
    "learn/play/": ("/learn/play/", {"GET": (302, 302), "POST": (405, 405)}),
    "learn/play/<slug:slug>/": ("/learn/play/slough/", OPEN),
    "learn/play/<slug:slug>/<int:number>/": ("/learn/play/bid/2/", OPEN),
    # The friend's: others are asked whether they take it over.
    "seat/<str:token>/": (
        "/seat/{seat}/",
        {"GET": ((200, 302, 200, 200, 200),) * 2, "POST": (302, 302)},
    ),
    "watch/<str:token>/": ("/watch/{watch}/", {"GET": (302, 302), "POST": (405, 405)}),
    "tables/<slug:table_id>/": (
        TABLE,
        {"GET": ((200, 200, 200, 404, 404), SOLO_PAGE), "POST": (405, 405)},
    ),
    "tables/<slug:table_id>/steer/": (
        TABLE + "steer/",
        {"GET": (405, 405), "POST": (ONLY_OPENER, ONLY_OPENER)},
    ),
    "tables/<slug:table_id>/odds/": (
        TABLE + "odds/",
        {"GET": ((204, 204, 404, 404, 404), (204, 404, 404, 404, 404)), "POST": (405, 405)},
    ),
    "tables/<slug:table_id>/review/<int:number>/": (
        TABLE + "review/1/",
        {"GET": ((200, 200, 404, 404, 404), SOLO_PAGE), "POST": (405, 405)},
    ),
    "tables/<slug:table_id>/again/": (
        TABLE + "again/",
        {"GET": (405, 405), "POST": ((200, 200, 404, 404, 404), SOLO_PAGE)},
    ),
    "lessons/luck/": ("/lessons/luck/?drawn=12", OPEN),
    "lessons/practice/": ("/lessons/practice/", {"GET": (200, 200), "POST": (302, 302)}),
    "lessons/": ("/lessons/", OPEN),
    "lessons/<slug:slug>/": ("/lessons/stats-table/", OPEN),
    "lessons/<slug:slug>/do/": (
        "/lessons/stats-table/do/",
        {"GET": (405, 405), "POST": (302, 302)},
    ),
    "lessons/<slug:slug>/report/": ("/lessons/our-question/report/", OPEN),
    "lessons/<slug:slug>/room/": ("/lessons/stats-table/room/", OPEN),
    "puzzles/": ("/puzzles/", OPEN),
    "puzzles/all/": ("/puzzles/all/", OPEN),
    "puzzles/<str:day>/": (f"/puzzles/{FIRST}/", {"GET": (200, 200), "POST": (422, 422)}),
    "puzzles/<str:day>/replay/": (
        f"/puzzles/{FIRST}/replay/",
        {"GET": (302, 302), "POST": (405, 405)},
    ),
    "graphs/": ("/graphs/?of=dealt&hands=10", {"GET": (200, 200), "POST": (302, 302)}),
    "graphs/deals/": ("/graphs/deals/", {"GET": (422, 422), "POST": (405, 405)}),
    "lessons/workshop/": ("/lessons/workshop/", {"GET": (200, 200), "POST": (405, 405)}),
    "graphs/numbers.csv": ("/graphs/numbers.csv?of=deck", OPEN),
    "graphs/numbers.xlsx": ("/graphs/numbers.xlsx?of=deck", OPEN),
    # For teachers: whoever is not signed in is sent to do so.
    "lessons/standards/": ("/lessons/standards/", {"GET": (302, 302), "POST": (302, 302)}),
    "lessons/<slug:slug>/teacher/": (
        "/lessons/stats-table/teacher/",
        {"GET": (302, 302), "POST": (302, 302)},
    ),
    "lessons/<slug:slug>/worksheet/": (
        "/lessons/stats-table/worksheet/",
        {"GET": (302, 302), "POST": (302, 302)},
    ),
    "class/<int:session_id>/lesson/": (
        "/class/1/lesson/",
        {"GET": (404, 404), "POST": (405, 405)},
    ),
}
FORMS = {
    "play/": {
        "variant": "bid",
        "seats": "4",
        "rounds": "1",
        "level": "random",
        "pace": "fast",
    },
    "tables/<slug:table_id>/steer/": {"do": "pace:fast"},
    "lessons/<slug:slug>/do/": {"step": "1", "do": "predict", "value": "2"},
}


def routes(patterns: list[Any], before: str = "") -> Iterator[str]:
    """Every route of a resolver's patterns, as written in urls.py."""
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        else:
            assert isinstance(pattern, URLPattern)
            yield route


def test_every_address_of_the_project_has_its_row() -> None:
    elsewhere = [
        test_class_exercise.ADDRESSES,
        test_questions.ADDRESSES,
        test_at_table.ADDRESSES,
        test_slips.ADDRESSES,
        RESULTS,
        ROWS_OF_TEACHERS,
        CLASS_ROWS,
        test_data.ADDRESSES,
        test_boards.ADDRESSES,
        test_join.ROWS,
        test_positions.ADDRESSES,
        test_board_paths.ADDRESSES,
        HOMEWORK,
        MINE,
    ]
    rows = [*ROWS, *(route for rows in elsewhere for route in rows)]
    assert sorted(routes(get_resolver().url_patterns)) == sorted(rows)


def test_every_socket_of_the_project_is_tested() -> None:
    patterns = [str(pattern.pattern) for pattern in websocket_urlpatterns]
    assert patterns == ["ws/sessions/<int:session_id>/", "ws/tables/<slug:table_id>/", ""]


def ask(browser: Client, method: str, path: str, form: dict[str, str]) -> int:
    response = browser.get(path) if method == "GET" else browser.post(path, form)
    return response.status_code


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("kind", ["friends", "solo"])
def test_what_each_gets(kind: str, each: Each) -> None:
    cast = cast_at(kind)
    # What is nobody's table is asked for beside one of friends; in the long checks beside both.
    asked = [r for r in ROWS if kind == "friends" or SOAK or "{" in ROWS[r][0]]
    for over in (False, True):
        if over:
            finish(cast.table_id)
        before = rows(cast.table_id)
        for route, who in product(asked, CAST):
            if route.endswith(("again/", "review/<int:number>/")) is over:
                with each(route=route, who=who):
                    gets_what_is_theirs(cast, kind, route, who, before)


def gets_what_is_theirs(cast: Cast, kind: str, route: str, who: str, before: list[Any]) -> None:
    address, methods = ROWS[route]
    browser = again(cast.browsers[who])
    if kind == "solo" and route.startswith(("seat/", "watch/")):
        # Nobody is ever given a link of a solo table: what they have is forged.
        links = {"seat": cast.token()[:-1] + "~", "watch": cast.token("watch")[:-1] + "~"}
        assert ask(browser, "GET", address.format(**links), {}) == 404
        return
    path = address.format(
        table=cast.table_id, seat=cast.token("seat"), watch=cast.token("watch")
    )
    for method, expectations in methods.items():
        expected = expectations[kind == "solo"]
        status = expected if isinstance(expected, int) else expected[CAST.index(who)]
        assert ask(browser, method, path, FORMS.get(route, {})) == status
        stored = rows(cast.table_id)
        if status in (404, 405):
            assert stored == before
        before = stored


def test_a_post_without_its_token_is_forbidden_to_all(each: Each) -> None:
    cast = cast_at("friends")
    before = rows(cast.table_id)
    for route, (address, _) in ROWS.items():
        path = address.format(
            table=cast.table_id, seat=cast.token("seat"), watch=cast.token("watch")
        )
        with each(route=route):
            for browser in cast.browsers.values():
                strict = again(browser, strict=True)
                assert strict.post(path, FORMS.get(route, {})).status_code == 403
                strict.cookies["csrftoken"] = "a" * 32
                assert strict.post(path, FORMS.get(route, {})).status_code == 403
            assert rows(cast.table_id) == before


@pytest.mark.django_db
def test_a_post_with_its_token_is_let_through() -> None:
    cast = cast_at("friends")
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = cast.browsers["opener"].cookies
    strict.get(f"/tables/{cast.table_id}/")
    token = strict.cookies["csrftoken"].value
    path = f"/tables/{cast.table_id}/steer/"
    answer = strict.post(path, {"do": "pause"}, headers={"X-CSRFToken": token})
    assert answer.status_code == 302
    foreign = {"X-CSRFToken": token, "Origin": "http://evil.example"}
    assert strict.post(path, {"do": "resume"}, headers=foreign).status_code == 403
    assert load_table(cast.table_id).paused


def test_as_whom_each_may_look(each: Each) -> None:
    cast = cast_at("friends")
    held = {"opener": "0", "friend": "1", "watcher": "watch"}
    for who, place in product(CAST, ("0", "1", "2", "watch")):
        with each(who=who, place=place):
            page = again(cast.browsers[who]).get(f"/tables/{cast.table_id}/?as={place}")
            assert page.status_code == (200 if held.get(who) == place else 404)


@pytest.mark.django_db
def test_a_renewed_link_shuts_out_and_lets_in_again() -> None:
    cast = cast_at("friends")
    old_seat, old_watch = cast.token(), cast.token("watch")
    page, opener = f"/tables/{cast.table_id}/", cast.browsers["opener"]
    for argument, who, old in [("1", "friend", old_seat), ("watch", "watcher", old_watch)]:
        browser, kind = cast.browsers[who], "seat" if who == "friend" else "watch"
        assert browser.get(page).status_code == 200
        assert opener.post(f"{page}steer/", {"do": f"renew:{argument}"}).status_code == 302
        assert browser.get(page).status_code == 404
        assert browser.get(f"/{kind}/{old}/").status_code == 404
        assert browser.get(f"/{kind}/{cast.token(kind)}/").status_code == 302
        assert browser.get(page).status_code == 200
    assert opener.get(page).status_code == 200


@pytest.mark.django_db
def test_a_renewed_link_is_said_to_be_new() -> None:
    cast = cast_at("friends")
    page, opener = f"/tables/{cast.table_id}/", cast.browsers["opener"]
    line = '<p id="notice" class="notice" role="status">The link is new.'
    assert line not in opener.get(f"{page}?as=0").text
    answer = opener.post(f"{page}steer/?as=0", {"do": "renew:1"})
    assert answer.headers["Location"] == f"{page}?as=0&done=renew"
    assert line in opener.get(answer.headers["Location"]).text


@pytest.mark.django_db
def test_unknown_and_forbidden_tables_look_alike() -> None:
    cast = cast_at("friends")
    stranger = cast.browsers["stranger"]
    for path in ("", "steer/", "again/"):
        for browser in (stranger, cast.browsers["nobody"]):
            method = browser.post if path else browser.get
            there = method(f"/tables/{cast.table_id}/{path}", {"do": "pause"})
            nowhere = method(f"/tables/bcdfghjkmnpqrstvwxzb/{path}", {"do": "pause"})
            assert there.status_code == nowhere.status_code == 404
            assert there.content == nowhere.content


# The socket.

SEATS: dict[str, dict[str, int | None]] = {
    "friends": {"opener": 0, "friend": 1, "watcher": None},
    "solo": {"opener": 0},
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["friends", "solo"])
@pytest.mark.usefixtures("way", "made_up")
async def test_what_each_gets_by_socket(kind: str) -> None:
    cast = await database_sync_to_async(cast_at)(kind)
    for who, browser in cast.browsers.items():
        key = key_of(browser) if who != "nobody" else None
        socket = await connect(cast.table_id, key=key)
        if who in SEATS[kind]:
            seen = await socket.observation()
            assert seen["seat"] == SEATS[kind][who]
            assert len(seen["hand"]) == (0 if who == "watcher" else 8)
        else:
            await socket.is_not_found()
        await socket.leave()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["friends", "solo"])
@pytest.mark.usefixtures("way")
async def test_as_whom_each_may_look_by_socket(kind: str) -> None:
    cast = await database_sync_to_async(cast_at)(kind)
    for who, browser in cast.browsers.items():
        key = key_of(browser) if who != "nobody" else None
        for place in ("0", "1", "2", "watch", "x", ""):
            socket = await connect(cast.table_id, key=key, place=place)
            seat = SEATS[kind].get(who)
            holds = "watch" if seat is None else str(seat)
            holds = holds if who in SEATS[kind] else "nothing"
            if holds == place or (place == "" and who in SEATS[kind]):
                assert (await socket.observation())["seat"] == seat
            else:
                await socket.is_not_found()
            await socket.leave()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/", "/ws/", "/ws/tables/", "/ws/tables/a/b/", "/wss", "/☃/"])
async def test_no_other_socket_is_open(path: str) -> None:
    cast = await database_sync_to_async(cast_at)("friends")
    socket: Socket = await connect("", key=key_of(cast.browsers["opener"]), path=path)
    await socket.is_not_found()
    await socket.leave()
