"""Who gets what: everybody in one world against every address and socket (``rows.txt``)."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from itertools import cycle
from typing import Any
from urllib.parse import quote
from zlib import crc32

import pytest
from django.core.cache import cache
from django.db import connection
from django.urls import get_resolver, resolve

from games import analysis
from games.classes.viewers import session_viewer
from games.live.consumers import find_viewer, signed_in_teacher
from games.tables.viewers import find_browser
from games.urls import websocket_urlpatterns
from tests import made_up as made_up_language
from tests.permissions.table import AT, FORMS, STAGES, Row, rows
from tests.permissions.world import CAST, World, a_world
from tests.scenes import Each, again
from tests.scenes.addresses import routes
from xactika_site.classrooms.selectors import NotFound


def answer_to(world: World, who: str, method: str, address: str) -> str:
    """What somebody gets: a status; "login" for the way to sign in; the seat of a socket."""
    path = address.format(**world.words)
    if method == "WS":
        return place_of(world, who, path)
    browser = again(world.browsers[who])
    form = FORMS.get(address, AT)
    answer: Any = browser.get(path) if method == "GET" else browser.post(path, form)
    if answer.streaming:
        list(answer)  # as a browser does: it is closed at its end
    way_back = answer.headers.get("Location", "").partition("/teach/login/?next=")[2]
    assert way_back in ("", quote(path)) or method == "POST"
    return "login" if way_back else str(answer.status_code)


def place_of(world: World, who: str, path: str) -> str:
    """Where the door of sockets lets somebody in: a seat's number, "watch", a session's view;
    4404 if it does not."""
    headers = {b"host": b"testserver", b"origin": b"http://testserver"}
    cookies = {name: morsel.value for name, morsel in world.browsers[who].cookies.items()}
    _, _ws, kind, name, view = path.split("/")
    try:
        if kind == "tables":
            viewer = find_viewer(
                table_id=name, headers=headers, cookies=cookies, place=view[4:] or None
            )
            return "watch" if viewer.seat is None else f"seat{viewer.seat}"
        teacher, _sign_in = signed_in_teacher(cookies)
        browser = find_browser(cookies, teacher)
        return session_viewer(int(name), browser, view.removeprefix("?view=")).view
    except NotFound:
        return "4404"


@pytest.fixture(autouse=True)
def as_for_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody came before; nothing is simulated, whatever test loaded the kernel before;
    and streams are read at once."""
    cache.clear()
    monkeypatch.setattr(analysis, "ready", lambda: False)
    monkeypatch.setattr("games.pages.data._text_pieces", lambda lines: lines)


OF_THE_COURSE = {"/lessons/", "/lessons/standards/", "/lessons/stats-table/teacher/"}
"""Pages on which teachers read what files say in each language; as nobody they are walked in
``tests/lessons/course``."""


@pytest.fixture
def made_up() -> Iterator[None]:
    """As everywhere, but for those pages."""
    with made_up_language.spoken() as language, made_up_language.watched() as found:
        yield
    assert found.keys() <= OF_THE_COURSE, {path: found[path] for path in found}
    assert not language.lacking


@pytest.mark.usefixtures("made_up")
def test_what_each_gets(each: Each) -> None:
    world, stage = a_world(), STAGES[0]
    for row in rows():
        if row.stage != stage:
            world.end()
            stage = row.stage
        for who in asked(row):
            with each(stage=stage, row=f"{row.method} {row.address}", who=who):
                before = written()
                answer = answer_to(world, who, row.method, row.address)
                assert answer == row.answers.get(who, row.otherwise)
                assert answer not in REFUSED or written() == before


SOME = ("teacher", "student", "opener", "nobody")
"""Of whom it is asked what is answered before anybody looks who they are."""
REST = tuple(who for who in CAST if who not in SOME)
LUCK = int(os.environ.get("XACTIKA_LUCK", "0"))


def asked(row: Row) -> Collection[str]:
    """Who walks a row: whom it names, some of all others, and of the rest others in each row: a
    third where who they are decides, one where all may come or all but teachers have to sign
    in. A method that is refused to all is asked for by nobody, whom all that is looked at
    before would send away, and by that one. In continuous integration all walk every row."""
    if os.environ.get("XACTIKA_ASK_ALL") == "1" or row.method == "WS":
        return CAST
    answers = {row.otherwise, *row.answers.values()}
    of_address = crc32(f"{row.method} {row.address}".encode())
    first = of_address + STAGES.index(row.stage) + LUCK  # others than at the stage before
    one = REST[first % len(REST)]
    if answers == {"405"}:
        return ("nobody", one)
    is_open = len(answers) == 1 and not answers & REFUSED
    rest = (one,) if is_open or row.otherwise == "login" else REST[first % 3 :: 3]
    return dict.fromkeys((*row.answers, *SOME, *rest))


REFUSED = {"404", "405", "4404", "login"}
BY_KEY = "/league/next/"
"""Where programs post, which have no cookies."""


def written() -> int:
    """How many rows have been written, changed or deleted on this connection."""
    if connection.vendor != "sqlite":
        return 0
    changes: int = connection.connection.total_changes
    return changes


def test_a_post_without_its_token_is_forbidden_to_all(each: Each) -> None:
    world, turns = a_world(), cycle(SOME[1:])
    world.end()
    before = written()
    for address in dict.fromkeys(row.address for row in rows() if row.method == "POST"):
        with each(address=address):
            status = 404 if address == BY_KEY else 403
            path, form = address.format(**world.words), FORMS.get(address, AT)
            # Nobody has looked yet who they are.
            for who, secret in ((SOME[0], None), (next(turns), "a" * 32)):
                strict = again(world.browsers[who], strict=True)
                if secret:
                    strict.cookies["csrftoken"] = secret
                assert strict.post(path, form).status_code == status
            assert written() == before


def test_every_address_has_its_rows() -> None:
    """One for GET and one for POST."""
    stand_ins = dict.fromkeys(WORDS, "1") | {"reset": "a/b/", "day": "2026-01-01"}
    told = {
        (row.method, resolve(row.address.format(**stand_ins).partition("?")[0]).route)
        for row in rows()
        if row.method != "WS"
    }
    addresses = routes(get_resolver().url_patterns)
    assert told == {(method, route) for route in addresses for method in ("GET", "POST")}


WORDS = {
    name
    for row in rows()
    for name in [part.partition("}")[0] for part in row.address.split("{")[1:]]
}


def test_every_socket_has_its_rows() -> None:
    patterns = [str(pattern.pattern) for pattern in websocket_urlpatterns]
    assert patterns == ["ws/sessions/<int:session_id>/", "ws/tables/<slug:table_id>/", ""]
    assert {row.address.split("/")[2] for row in rows() if row.method == "WS"} == {
        "sessions",
        "tables",
    }
