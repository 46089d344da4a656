"""Who may what at tables of friends and alone, beside the table of permission
(``tests/permissions``): places, links, sockets."""

from __future__ import annotations

import pytest
from channels.db import database_sync_to_async
from django.test import Client

from games.tables.state import load_table
from tests.games.sockets import Socket, connect
from tests.games.table import key_of
from tests.scenes.friends import cast_at


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
    for stays in (opener, cast.browsers["friend"]):
        assert stays.get(page).status_code == 200


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
def test_a_table_for_one_has_no_links() -> None:
    cast = cast_at("solo")
    for address in (f"/seat/{cast.token()[:-1]}~/", f"/watch/{cast.token('watch')[:-1]}~/"):
        assert cast.browsers["stranger"].get(address).status_code == 404


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


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("path", ["/", "/ws/", "/ws/tables/", "/ws/tables/a/b/", "/wss", "/☃/"])
async def test_no_other_socket_is_open(path: str) -> None:
    cast = await database_sync_to_async(cast_at)("friends")
    socket: Socket = await connect("", key=key_of(cast.browsers["opener"]), path=path)
    await socket.is_not_found()
