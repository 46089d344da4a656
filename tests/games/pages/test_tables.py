"""The pages of games: opening a table, coming in by a link, the table, and steering it."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from html import unescape
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from games import analysis
from games.analysis.puzzles import YOU
from games.models import Admission, Guest, Seat, Table
from games.rules import DECK
from games.study.learning.chapter_files import chapters
from games.study.puzzles import daily
from games.study.puzzles.daily import daily_of
from games.study.puzzles.words import KINDS, question
from games.tables import opening, seats, steering
from games.tables.state import TableState, load_table
from games.tables.viewers import find_guest, seat_token, watch_token
from tests.games.conftest import Clock
from tests.games.table import a_browser, deal, finish, friends, key_of, play, solo
from tests.scenes import present

pytestmark = pytest.mark.django_db

DEFAULTS = {
    "variant": "bid",
    "seats": "4",
    "rounds": "8",
    "level": "tip-wikipedia",
    "pace": "normal",
}
FRIENDS = {**DEFAULTS, "kind": "friends", "people": "2"}


def page(response: Any) -> str:
    return str(response.content.decode())


def table_of(response: Any) -> Table:
    """The table that a response redirects to."""
    match = present(re.fullmatch(r"/tables/([a-z]{20})/(?:\?as=.*)?", response["Location"]))
    return Table.objects.get(pk=match[1])


def the_form_of_the_first_page(client: Client) -> dict[str, str]:
    html = page(client.get("/"))
    begin = '<form id="play-now" method="post" action="/play/">'
    form = present(re.search(f"{begin}.*?</form>", html, re.DOTALL))
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[0]))


def test_the_first_page_opens_a_table_with_one_button(client: Client) -> None:
    """First a short game, from then on the usual; both are the one that the page speaks of."""
    first = table_of(client.post("/play/", the_form_of_the_first_page(client)))
    assert (first.kind, first.variant, first.rounds) == ("solo", "bid", 3)
    hidden = the_form_of_the_first_page(client)
    assert {name: hidden[name] for name in DEFAULTS} == DEFAULTS
    table = table_of(client.post("/play/", hidden))
    assert (table.kind, table.variant, table.rounds, table.pace) == ("solo", "bid", 8, 0.7)
    assert load_table(table.id).status == "bidding"
    response = client.get(f"/tables/{table.id}/")
    assert response.status_code == 200
    assert len(set(re.findall(r'data-card="(\d{4})"', page(response)))) == 8


def test_a_hand_is_dealt_where_no_card_has_been_played(client: Client) -> None:
    """Also when its page is loaded again in the first trick, though the hand is whole still."""
    opened = client.post("/play/", {**FRIENDS, "seats": "2", "people": "2"})
    game, address = table_of(opened), opened["Location"]
    assert " to-deal" not in page(client.get(address))  # nobody has come
    seats.open_seat(table_id=game.id, seat=1)
    assert " to-deal" in page(client.get(address))
    play(
        game.id,
        lambda state: bool(state.round and state.round.trick and state.round.trick.plays),
    )
    assert " to-deal" not in page(client.get(address))


def test_the_first_page_has_one_door_for_whoever_is_new(client: Client) -> None:
    html = page(client.get("/"))
    assert 'id="learn" class="button primary big" href="/learn/play/"' in html
    assert '<button class="big" form="play-now">Play now' in html
    on = '<a class="onward button primary" href="/learn/play/">'
    assert f"{on}Learn it by playing</a>" in html
    client.cookies["chapters"] = "slough"
    assert f"{on}Go on learning</a>" in page(client.get("/"))
    client.cookies["chapters"] = ".".join(each.slug for each in chapters())
    assert '<button class="big primary" form="play-now">Play now' in page(client.get("/"))
    client.cookies["chapters"] = "nonsense"
    assert "Learn it by playing" in page(client.get("/"))
    client.post("/play/", {**DEFAULTS})
    html = page(client.get("/"))
    assert 'id="learn"' not in html
    assert '<button class="big" form="play-now">Play now' in html


def test_the_first_page_shows_the_puzzle_of_the_day_to_who_has_been_here(
    client: Client, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.time = datetime(2026, 11, 27, 12, tzinfo=UTC)
    today = daily_of(date(2026, 11, 27))
    html = page(client.get("/"))
    assert "day-slate" not in html
    assert f'title="{KINDS[today.puzzle.kind]}"' in html  # what a day's sign means
    client.cookies["guest"] = "somebody"
    shown = page(client.get("/")).partition("day-slate")[2].partition("</a>")[0]
    assert question(today.puzzle)[-1] in unescape(shown)
    hand = today.puzzle.now.hands[YOU]
    assert sorted(re.findall(r'data-card="(\d{4})"', shown)) == sorted(c.code for c in hand)
    assert "solved" not in shown
    client.post("/puzzles/2026-11-27/", {"answer": today.puzzle.answer})
    html = page(client.get("/"))  # and once that is solved, the next one
    slate = html.partition("day-slate")[2].partition("</a>")[0]
    assert '"/puzzles/2026-11-26/"' in slate
    assert "Next puzzle" in slate
    assert question(daily_of(date(2026, 11, 26)).puzzle)[-1] in unescape(slate)
    assert "solved" in html.partition("today-board")[2].partition("</a>")[0]
    monkeypatch.setattr(daily, "kept_back", [lambda: {today.number}])
    assert "day-slate" not in page(client.get("/"))


def test_after_play_to_win_against_bots_play_to_bid_is_offered(client: Client) -> None:
    told = {"seats": "3", "rounds": "1", "level": "random", "pace": "instant"}
    for variant, is_offered in (("win", True), ("bid", False)):
        table = table_of(client.post("/play/", {**told, "variant": variant}))
        finish(table.id)
        html = page(client.get(f"/tables/{table.id}/"))
        assert ('id="do-bid"' in html) is is_offered
        if is_offered:
            found = present(re.search(r"""id="do-bid"[^>]*hx-vals='([^']*)'""", html))
            game = json.loads(unescape(found[1]))
            answer = client.post("/play/", game, headers={"HX-Request": "true"})
            opened = Table.objects.get(pk=answer["HX-Redirect"].split("/")[2])
            assert (opened.variant, opened.rounds, opened.pace) == ("bid", 1, 0.0)
            assert opened.seat_set.count() == 3


def test_opening_a_table_with_other_settings(client: Client) -> None:
    chosen = {
        "variant": "lose",
        "seats": "7",
        "rounds": "2",
        "level": "random",
        "pace": "instant",
    }
    table = table_of(client.post("/play/", chosen))
    assert (table.variant, table.rounds, table.pace) == ("lose", 2, 0.0)
    levels = [seat.level for seat in table.seat_set.order_by("number")]
    assert levels == ["", *["random"] * 6]


def test_opening_a_table_of_friends(client: Client) -> None:
    table = table_of(client.post("/play/", {**FRIENDS, "people": "3"}))
    assert table.kind == "friends"
    levels = [bool(seat.level) for seat in table.seat_set.order_by("number")]
    assert levels == [False, False, False, True]
    assert load_table(table.id).status == "waiting"
    assert table.opener == find_guest(key_of(client))


@pytest.mark.parametrize(
    "change",
    [
        {"variant": "chess"},
        {"variant": ""},
        {"seats": "1"},
        {"seats": "11"},
        {"seats": "four"},
        {"seats": "4.0"},
        {"rounds": "0"},
        {"rounds": "9"},
        {"level": "genius"},
        {"pace": "0.1"},
        {"kind": "friends", "people": "1"},
        {"kind": "friends", "people": "5"},
        {"kind": "friends", "people": "11", "seats": "10"},
        {"kind": "friends", "people": ""},
    ],
)
def test_settings_that_no_table_can_have_are_told(
    client: Client, change: dict[str, str]
) -> None:
    response = client.post("/play/", {**DEFAULTS, **change})
    assert response.status_code == 422
    assert "field-error" in page(response)
    assert not Table.objects.exists()
    assert not Guest.objects.exists()


def test_a_browser_keeps_its_cookie_and_gets_one_that_is_known(client: Client) -> None:
    client.post("/play/", DEFAULTS)
    key = key_of(client)
    client.post("/play/", DEFAULTS)
    assert key_of(client) == key
    assert Guest.objects.count() == 1
    assert Table.objects.count() == 2
    client.cookies["guest"] = "made up"
    client.post("/play/", DEFAULTS)
    assert key_of(client) not in (key, "made up")


@pytest.mark.parametrize("https", [False, True])
def test_the_guest_cookies_flags(client: Client, settings: Settings, https: bool) -> None:
    settings.IS_HTTPS = https
    settings.RETENTION_DAYS = 7
    client.post("/play/", DEFAULTS)
    cookie = client.cookies["guest"]
    assert cookie["httponly"] is True
    assert cookie["samesite"] == "Lax"
    assert bool(cookie["secure"]) is https
    assert cookie["max-age"] == 7 * 86400
    assert (cookie["path"], cookie["domain"]) == ("/", "")
    assert len(str(cookie.value)) >= 40


def test_only_these_cookies_are_set(client: Client) -> None:
    client.get("/")
    client.get("/play/")
    client.post("/play/", DEFAULTS)
    assert set(client.cookies) == {"csrftoken", "guest"}
    assert client.cookies["csrftoken"]["samesite"] == "Lax"


# Coming in.


def test_a_seats_link_seats_a_browser_and_starts_the_game(client: Client) -> None:
    table_id = friends(here=False, people=1)
    token = seat_token(table_id, 0, 0)
    response = client.get(f"/seat/{token}/")
    assert response.status_code == 302
    assert response["Location"] == f"/tables/{table_id}/?as=0"
    assert response["Cache-Control"].startswith("max-age=0, no-cache, no-store")
    assert load_table(table_id).status == "bidding"
    guest = find_guest(key_of(client))
    assert Admission.objects.get(table=table_id, seat__number=0).guest == guest
    assert client.get(response["Location"]).status_code == 200
    client.get(f"/seat/{token}/")
    assert Admission.objects.count() == 1


def test_a_watch_link_lets_look_on_and_shows_no_hand(client: Client) -> None:
    table_id = friends()
    response = client.get(f"/watch/{watch_token(table_id, 0)}/")
    assert response["Location"] == f"/tables/{table_id}/?as=watch"
    html = page(client.get(response["Location"]))
    assert 'data-card="' not in html
    assert "ws-send" not in html


@pytest.mark.parametrize("kind", ["seat", "watch"])
def test_a_link_says_which_it_is(client: Client, kind: str) -> None:
    table_id = friends()
    tokens = {
        "seat": watch_token(table_id, 0),
        "watch": seat_token(table_id, 1, 0),
    }
    assert client.get(f"/{kind}/{tokens[kind]}/").status_code == 404
    assert not Guest.objects.exists()


def test_forged_and_renewed_links_are_not_found(client: Client) -> None:
    table_id = friends()
    good = seat_token(table_id, 1, 0)
    Seat.objects.filter(table=table_id, number=2).update(serial=1)
    Table.objects.filter(pk=table_id).update(version=99)
    name, place, serial, seal = good.split(".")
    forged = [
        seat_token(table_id, 2, 0),
        seat_token(table_id, 1, 1),
        watch_token(table_id, 1),
        f"{name}.2.{serial}.{seal}",
        f"{name}.{place}.{serial}.",
        f"{name}.{place}.{serial}",
        "x",
        "%00",
        "%ff",
        "☃",
        good + "x" * 2000,
    ]
    for token in forged:
        for kind in ("seat", "watch"):
            assert client.get(f"/{kind}/{token}/").status_code == 404
    assert not Guest.objects.exists()
    assert not Admission.objects.exists()


def test_two_seats_at_one_device_are_told_apart(client: Client, clock: Clock) -> None:
    hands = deal("1111", "1112", "1113", "1121")
    table_id = friends(people=3, deals=[hands], rounds=1)
    for seat in (1, 2):
        clock.forward(1)
        client.get(f"/seat/{seat_token(table_id, seat, 0)}/")
    for query, seat in [("", 2), ("?as=1", 1), ("?as=2", 2)]:
        html = page(client.get(f"/tables/{table_id}/{query}"))
        assert sorted(re.findall(r'data-card="(\d{4})"', html)) == sorted(hands["hands"][seat])
        assert f"/ws/tables/{table_id}/?as={seat}" in html


@pytest.mark.parametrize("place", ["0", "2", "watch", "", "01", "-1", "x", "1%00", "9" * 500])
def test_as_a_seat_that_is_not_held_is_not_found(client: Client, place: str) -> None:
    table_id = friends(people=3)
    client.get(f"/seat/{seat_token(table_id, 1, 0)}/")
    assert client.get(f"/tables/{table_id}/?as={place}").status_code == 404
    assert client.get(f"/tables/{table_id}/?as=1").status_code == 200


# The table's page.


def test_a_page_is_not_kept_by_anybody() -> None:
    client, guest = a_browser()
    response = client.get(f"/tables/{solo(guest)}/")
    assert "no-store" in response["Cache-Control"]
    assert "private" in response["Cache-Control"]


def test_the_links_are_shown_to_the_opener_alone() -> None:
    client, opener = a_browser()
    table_id = friends(opener=opener, people=3)
    tokens = [seat_token(table_id, seat, 0) for seat in range(4)]
    watch = watch_token(table_id, 0)
    html = page(client.get(f"/tables/{table_id}/"))
    assert [token in html for token in tokens] == [False, True, True, False]
    assert f"http://testserver/watch/{watch}/" in html
    for token in (tokens[1], watch):
        other = Client()
        came = other.get(f"/{'watch' if token == watch else 'seat'}/{token}/", follow=True)
        assert came.status_code == 200
        assert not any(token in page(came) for token in [*tokens, watch])
        assert 'id="steer"' not in page(came)
        asks = re.findall(r'value="([a-z]+:[a-z]+)"', page(came))
        assert set(asks) <= {"slow:on", "slow:off"}, "everybody's own, and nothing else"


def test_links_are_made_with_the_base_address(settings: Settings) -> None:
    settings.BASE_URL = "https://cards.school"
    client, opener = a_browser()
    table_id = friends(opener=opener, people=2)
    token = seat_token(table_id, 1, 0)
    html = page(client.get(f"/tables/{table_id}/"))
    assert f"https://cards.school/seat/{token}/" in html
    assert "testserver" not in html


INLINE = re.compile(
    r"<script(?![^>]*\bsrc=)|\sstyle=|\son[a-z]+=|javascript:|<style|hx-on|\bjs:", re.IGNORECASE
)


def test_no_page_has_anything_inline_or_from_elsewhere() -> None:
    client, opener = a_browser()
    table_id = friends(opener=opener, people=2, seats=3, rounds=2, variant="lose")
    pages = [page(client.get(path)) for path in ("/", "/play/", "/learn/", "/nowhere/")]
    pages.append(page(client.get(f"/tables/{table_id}/")))
    play(table_id)
    pages.append(page(client.get(f"/tables/{table_id}/")))
    for html in pages:
        assert INLINE.search(html) is None
        addresses = re.findall(r'\s(?:src|href|action)="([^"]*)"', html)
        assert addresses
        assert all(re.match(r"/(?!/)|#|$", address) for address in addresses)
        assert '<html lang="en">' in html


def test_a_page_at_every_moment_of_a_game() -> None:
    client, opener = a_browser()
    table_id = friends(opener=opener, here=False, people=2, seats=3, rounds=2)

    def words() -> str:
        response = client.get(f"/tables/{table_id}/")
        assert response.status_code == 200
        return page(response)

    assert "The game starts when all are here." in words()
    seats.open_seat(table_id=table_id, seat=1)
    play(table_id, lambda state: state.to_move == 0)
    assert "Your bid" in words()
    steering.set_paused(table_id=table_id, guest=opener, paused=True)
    assert "The table is paused." in words()
    off = 'id="confirm" form="play" class="primary" disabled aria-disabled="true"'
    assert (
        off in words()
    )  # which the page enables once a bid is chosen, so that it keeps the focus
    steering.set_paused(table_id=table_id, guest=opener, paused=False)
    assert 'aria-disabled="true"' not in words()
    play(table_id, lambda state: state.status == "playing" and state.to_move == 0)
    assert 'id="play"' in words()
    play(table_id)
    assert "Next round" in words()
    shown = set(re.findall(r'data-card="(\d{4})"', words()))
    assert len(shown) == len(DECK)
    finish(table_id)
    assert "Play again" in words()


def test_a_page_of_a_table_closed_in_mid_round_keeps_the_own_hand() -> None:
    client, opener = a_browser()
    table_id = friends(opener=opener, people=2, seats=3, rounds=2)
    steering.close_table(table_id=table_id, guest=opener)
    html = page(client.get(f"/tables/{table_id}/"))
    assert "This table was closed." in html
    assert 'id="play"' not in html
    assert len(set(re.findall(r'data-card="(\d{4})"', html))) == 8


def test_a_closed_table_that_never_began_has_a_page() -> None:
    client, opener = a_browser()
    table_id = friends(opener=opener, here=False)
    steering.close_table(table_id=table_id, guest=opener)
    html = page(client.get(f"/tables/{table_id}/"))
    assert "This table was closed." in html
    assert "Round 0" not in html


# Steering.


def steer(client: Client, table_id: str, do: str) -> Any:
    response = client.post(f"/tables/{table_id}/steer/", {"do": do})
    return response


def test_what_the_opener_steers() -> None:
    client, opener = a_browser()
    table_id = friends(opener=opener, here=False, people=2)

    def done(do: str) -> TableState:
        response = steer(client, table_id, do)
        assert response.status_code == 302
        assert response["Location"].partition("?")[0] == f"/tables/{table_id}/"
        return load_table(table_id)

    assert done("pace:fast").setup.pace == 0.3
    assert done("pause").paused
    assert not done("resume").paused
    assert done("renew:watch").watch_serial == 1
    assert done("renew:1").seats[1].serial == 1
    assert done("start").seats[1].stand_in
    assert done("close").closed


@pytest.mark.parametrize(
    "do",
    [
        *("", "fly", "pace", "pace:", "pace:warp", "renew", "renew:", "renew:x", "renew:2"),
        *("renew:-1", "renew:99999999999999999999", "renew:" + "9" * 5000, "renew:1.0"),
        *("PAUSE", "pause ", "renew:\ud800"),
    ],
)
def test_what_cannot_be_steered_is_not_found(do: str) -> None:
    client, opener = a_browser()
    table_id = friends(opener=opener, people=2)
    before = load_table(table_id)
    body = f"do={do}".encode("utf-8", "surrogatepass").replace(b"+", b"%2B")
    response = client.post(
        f"/tables/{table_id}/steer/",
        body,
        content_type="application/x-www-form-urlencoded",
    )
    assert response.status_code == 404
    assert load_table(table_id) == before


def test_playing_again_leads_everybody_to_one_table() -> None:
    client, opener = a_browser()
    table_id = friends(opener=opener, people=2, seats=2, rounds=1, variant="win")
    other = Client()
    other.get(f"/seat/{seat_token(table_id, 1, 0)}/")
    assert client.post(f"/tables/{table_id}/again/").status_code == 404
    finish(table_id)
    places = []
    for browser in (other, client):
        response = browser.post(f"/tables/{table_id}/again/")
        assert response.status_code == 200
        places.append(response["HX-Redirect"])
        assert browser.get(places[-1]).status_code == 200
    assert places[0] == places[1]
    assert places[0] in page(client.get(f"/tables/{table_id}/"))


def test_health(client: Client) -> None:
    response = client.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {"status": "ok"}
    assert not client.cookies


# What every response carries.

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def guarded(response: Any) -> None:
    assert {name: response.headers.get(name) for name in HEADERS} == HEADERS


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/play/", 200),
        ("/learn/", 200),
        ("/healthz", 200),
        ("/tables/TABLE/", 200),
        ("/seat/TOKEN/", 302),
        ("/play", 301),
        ("/nowhere/", 404),
        ("/tables/nowhere/", 404),
        ("/tables/TABLE/steer/", 405),
    ],
)
def test_every_response_carries_the_policy(path: str, status: int) -> None:
    client, opener = a_browser()
    table_id = friends(opener=opener, people=2)
    token = seat_token(table_id, 1, 0)
    response = client.get(path.replace("TABLE", table_id).replace("TOKEN", token))
    assert response.status_code == status
    guarded(response)


def test_a_post_without_its_token_gets_the_policy() -> None:
    response = Client(enforce_csrf_checks=True).post("/play/", DEFAULTS)
    assert response.status_code == 403
    guarded(response)


def test_a_foreign_host_gets_the_policy(client: Client) -> None:
    response = client.get("/", headers={"host": "evil.example"})
    assert response.status_code == 400
    guarded(response)


def test_a_failure_gets_the_policy_and_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    client, opener = a_browser(Client(raise_request_exception=False))
    table_id = friends(opener=opener, people=2)

    def broken(*_arguments: object) -> None:
        raise ZeroDivisionError("a secret")

    monkeypatch.setattr("games.pages.tables.load_table", broken)
    response = client.get(f"/tables/{table_id}/")
    assert response.status_code == 500
    assert "secret" not in page(response)
    guarded(response)


# The way back from the first page.


def way_back(client: Client) -> str | None:
    """Where the first page sends back to, if it does."""
    html = page(client.get("/")).partition('<a class="first-slate day-slate"')[2]
    link = re.search(r'href="([^"]+)"', html)
    return link[1] if link and "Back to the game" in html else None


def test_the_first_page_leads_back_to_a_game_first_of_all(client: Client) -> None:
    assert way_back(client) is None
    table = table_of(client.post("/play/", {**DEFAULTS, "variant": "lose", "rounds": "3"}))
    html = page(client.get("/"))
    assert "Play to Lose · Round 1" in " ".join(html.split())
    shown = html.partition("day-slate")[2].partition("</a>")[0]
    dealt = load_table(table.id).round
    assert dealt is not None
    hand = dealt.hands[0]
    assert sorted(re.findall(r'data-card="(\d{4})"', shown)) == sorted(c.code for c in hand)
    assert "Say how many tricks" not in html
    assert html.index("Back to the game") < html.index("<h1>")
    assert way_back(client) == f"/tables/{table.id}/?as=0"
    assert client.get(f"/tables/{table.id}/?as=0").status_code == 200
    play(table.id)
    assert way_back(client) is not None


def test_the_first_page_is_not_kept_by_anybody(client: Client) -> None:
    assert "no-store" in client.get("/")["Cache-Control"]


def test_a_game_that_waits_for_friends_is_led_back_to() -> None:
    client, guest = a_browser()
    table_id = friends(opener=guest, here=False)
    assert way_back(client) == f"/tables/{table_id}/?as=0"
    assert "round" not in page(client.get("/")).partition("<h1>")[0].partition("back-title")[2]


def test_a_game_that_is_over_or_closed_is_not_led_back_to(clock: Clock) -> None:
    client, guest = a_browser()
    first = solo(guest)
    clock.forward(1)
    second = friends(opener=guest, people=1, rounds=1)
    assert way_back(client) == f"/tables/{second}/?as=0"
    finish(second)
    assert way_back(client) == f"/tables/{first}/?as=0"
    opening.open_rematch(table_id=second, guest=guest)
    third = Table.objects.get(previous_table=second).id
    assert way_back(client) == f"/tables/{third}/?as=0"
    steering.close_table(table_id=third, guest=guest)
    assert way_back(client) == f"/tables/{first}/?as=0"
    finish(first)
    assert way_back(client) is None


def test_the_link_visited_last_is_led_back_to(client: Client, clock: Clock) -> None:
    tables = [friends(people=3), friends(people=3)]
    for table_id, seat in [(tables[0], 1), (tables[1], 2), (tables[0], 2), (tables[0], 1)]:
        clock.forward(1)
        client.get(f"/seat/{seat_token(table_id, seat, 0)}/")
        assert way_back(client) == f"/tables/{table_id}/?as={seat}"


def test_others_games_and_games_looked_on_at_are_not_led_back_to(client: Client) -> None:
    theirs, guest = a_browser()
    table_id = solo(guest)
    assert way_back(theirs) is not None
    client.get(f"/watch/{watch_token(friends(), 0)}/")
    assert way_back(client) is None
    client.cookies["guest"] = "made up"
    assert way_back(client) is None
    assert table_id not in page(client.get("/"))


def test_a_renewed_link_leads_nobody_back() -> None:
    _browser, opener = a_browser()
    table_id = friends(opener=opener, people=2)
    client = Client()
    client.get(f"/seat/{seat_token(table_id, 1, 0)}/")
    assert way_back(client) is not None
    steering.renew_link(table_id=table_id, guest=opener, seat=1)
    assert way_back(client) is None


# How a round went.


def ranking(html: str) -> list[tuple[str, str, str]]:
    """Place, seat and total by the result's rows."""
    result = html.partition('id="result"')[2].partition("</section>")[0]
    player = r'<span class="place">(\d+)\.</span> <span class="figurine .+? data-me="(\d+)"'
    return re.findall(rf'{player}.*?class="total"><b>(\S+?)</b>', result)


@pytest.mark.parametrize("variant", ["win", "lose", "bid"])
def test_a_result_ranks_by_total_and_shares_places(variant: str) -> None:
    client, guest = a_browser()
    table_id = solo(guest, variant=variant, seats=6, rounds=1)
    state = finish(table_id)
    rows = ranking(page(client.get(f"/tables/{table_id}/")))
    assert sorted(int(seat) for _, seat, _ in rows) == list(range(6))
    best_first = sorted(state.totals, reverse=variant != "lose")
    assert [int(total.replace("−", "-")) for _, _, total in rows] == best_first
    for place, seat, _ in rows:
        assert int(place) == 1 + best_first.index(state.totals[int(seat)])


@pytest.mark.parametrize(("language", "counting"), [("en", "+0.6"), ("fr", "+0,6")])
def test_the_form_says_what_each_level_is_worth(
    client: Client, language: str, counting: str
) -> None:
    """The careful ones, by which the others are measured, have 0."""
    html = unescape(page(client.get("/play/", headers={"accept-language": language})))
    told = dict(re.findall(r'<option value="([a-z-]+)"(?: selected)?>([^<]+)</option>', html))
    assert told["counter"].endswith(f" ({counting})")
    assert told["careless"].endswith(")")
    assert told["tip-wikipedia"].endswith(" (0)")
    assert ("In brackets" if language == "en" else "Entre parenthèses") in html


def test_a_computer_without_experts_promises_none(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "is_impossible", lambda: True)
    html = unescape(page(client.get("/play/")))
    assert "Experts: not on this computer</option>" in html
