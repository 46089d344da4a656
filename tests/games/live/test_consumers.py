"""The door for live tables: who is let in, what is said, and what nobody can break."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from games.models import Move, Seat
from games.rules import DECK
from games.tables import steering
from tests.games.sockets import PATIENCE, Socket, connect
from tests.scenes.house import HANDS, a_house, a_program, ids, in_db, kinds, refused
from xactika_site.classrooms.selectors import key_hash

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quiet")]

CODES = {card.code for card in DECK}


# Who is let in.


async def test_a_program_is_let_in_by_its_token() -> None:
    house = await a_house()
    for seat in (0, 3, None):
        socket = await house.program(seat)
        seen = await socket.observation()
        assert seen["seat"] == seat
        assert seen["hand"] == ([] if seat is None else HANDS["hands"][seat])


async def test_a_browser_is_let_in_by_its_cookie_and_origin() -> None:
    house = await a_house()
    for seat in (0, 1, None):
        socket = await house.browser(seat)
        assert (await socket.observation())["seat"] == seat


@pytest.mark.parametrize(
    "origin",
    [
        *(None, "", "null", "testserver", "http://evil.example", "http://testserver:81"),
        *("http://testserver.evil.example", "http://evil.example/testserver", "//"),
        *("http://x@testserver", "http://[", "http://[::1", "http://testserver:port"),
        *("http://\xe9", "http://testserver\t.evil.example"),
    ],
)
async def test_a_cookie_from_a_foreign_page_lets_nobody_in(origin: str | None) -> None:
    house = await a_house()
    socket = await house.browser(0, origin=origin)
    await socket.is_not_found()


@pytest.mark.parametrize("host", ["evil.example", "", "testserver@evil.example", "[", "\xe9"])
async def test_a_foreign_host_lets_nobody_in(host: str) -> None:
    house = await a_house()
    socket = await house.browser(0, host=host, origin=f"http://{host}")
    await socket.is_not_found()


async def test_behind_a_proxy_the_base_address_is_ours(settings: Settings) -> None:
    settings.BASE_URL = "https://cards.school"
    house = await a_house()
    socket = await house.browser(0, origin="https://cards.school")
    assert (await socket.observation())["seat"] == 0


async def test_a_known_or_unknown_port_of_our_own() -> None:
    house = await a_house()
    socket = await house.browser(0, host="testserver:8000", origin="http://testserver:8000")
    assert (await socket.observation())["seat"] == 0


@pytest.mark.parametrize("key", ["", "x", "\xe9", "a" * 3000, '"', "a b"])
async def test_a_made_up_cookie_lets_nobody_in(key: str) -> None:
    house = await a_house()
    house.keys[0] = key
    socket = await house.browser(0)
    await socket.is_not_found()


async def test_with_a_token_cookies_are_ignored() -> None:
    house = await a_house()
    socket = await connect(house.table_id, key=house.keys[0], token=house.token(None))
    assert (await socket.observation())["seat"] is None
    await socket.leave()
    ours = ((b"origin", b"http://testserver"),)
    for token in ("", "x", house.token(0, serial=1)):
        socket = await connect(house.table_id, key=house.keys[0], token=token, headers=ours)
        await socket.is_not_found()


async def test_a_token_from_a_page_needs_our_origin() -> None:
    house = await a_house()
    for origin, is_ours in [(b"http://testserver", True), (b"http://evil.example", False)]:
        socket = await house.program(1, headers=((b"origin", origin),))
        if is_ours:
            assert (await socket.observation())["seat"] == 1
        else:
            await socket.is_not_found()


@pytest.mark.parametrize(
    ("template", "lets_in"),
    [
        ("bearer {}", True),
        ("BEARER {}", True),
        ("Bearer  {} ", True),
        ("Bearer", False),
        ("Bearer ", False),
        ("{}", False),
        ("Token {}", False),
        ("Basic {}", False),
        ("Bearer {}x", False),
        ("Bearer x{}", False),
        ("Bearer {0} {0}", False),
        ("Bearer \xff", False),
        ("Bearer \x00", False),
        ("Bearer " + "x" * 5000, False),
    ],
)
async def test_the_authorization_header(template: str, lets_in: bool) -> None:
    house = await a_house()
    header = template.format(house.token(2)).encode("latin-1")
    socket = await connect(house.table_id, origin=None, headers=((b"authorization", header),))
    if lets_in:
        assert (await socket.observation())["seat"] == 2
    else:
        await socket.is_not_found()


async def test_a_token_opens_its_own_table_alone() -> None:
    house, other = await a_house(), await a_house()
    for seat in (0, None):
        socket = await connect(house.table_id, token=other.token(seat))
        await socket.is_not_found()
        await socket.leave()
    socket = await connect(house.table_id, key=other.keys[0])
    await socket.is_not_found()


@pytest.mark.parametrize("table_id", ["x", "bcdfghjkmnpqrstvwxzb", "1" * 3000, "a_b-c"])
async def test_no_such_table(table_id: str) -> None:
    house = await a_house()
    ways: list[dict[str, Any]] = [{"key": house.keys[0]}, {"token": house.token(0)}, {}]
    for options in ways:
        socket = await connect(table_id, **options)
        await socket.is_not_found()


async def test_a_browser_that_may_not_is_told_and_closed_for_good() -> None:
    house = await a_house()
    house.keys[0] = "made up"
    socket = await house.browser(0, html=True)
    *said, last = await socket.everything(PATIENCE)
    assert last == {"type": "websocket.close", "code": 4404}
    assert [ids(event["text"]) for event in said] == [["notice"]]


async def test_who_was_refused_cannot_go_on_talking() -> None:
    house = await a_house()
    socket = await connect(house.table_id, token="forged")
    await socket.is_not_found()
    await socket.move("1.0", "3")
    await socket.send("nonsense")
    assert await socket.everything() == []
    assert await in_db(Move.objects.count)() == 0


# The observation.

KEYS = (
    "type table turn seat status paused variant seats round rounds dealer to_move deadline "
    "players hand legal bids taken trick tricks hand_sizes points totals winners revealed"
).split()


async def test_the_observation_while_waiting() -> None:
    house = await a_house(here=False, seats=4, people=3, rounds=5, deals=None)
    socket = await house.program(None)
    seen = await socket.observation()
    players = seen.pop("players")
    assert seen == {
        "type": "observation",
        "table": house.table_id,
        "turn": "0.0",
        "seat": None,
        "status": "waiting",
        "paused": False,
        "variant": "bid",
        "seats": 4,
        "round": 0,
        "rounds": 5,
        "dealer": None,
        "to_move": None,
        "deadline": None,
        "hand": [],
        "legal": [],
        "bids": [],
        "taken": [],
        "trick": None,
        "tricks": [],
        "hand_sizes": [],
        "points": [],
        "totals": [],
        "winners": None,
        "revealed": None,
    }
    assert [list(player) for player in players] == [
        ["name", "kind", "away", "stand_in", "ready"]
    ] * 4
    assert [player["kind"] for player in players] == ["person"] * 3 + ["bot"]


async def test_connecting_the_last_token_starts_the_game() -> None:
    house = await a_house(here=False, seats=3, people=3, deals=None, rounds=1)
    watcher = await house.program(None)
    assert (await watcher.observation())["status"] == "waiting"
    last = await house.program(2)
    assert (await last.observation())["status"] == "bidding"
    assert (await watcher.observation(status="bidding"))["turn"] == "1.0"


async def test_the_observation_through_a_round() -> None:
    house = await a_house(rounds=2)
    socket = await house.program(1)
    seen = await socket.observation()
    assert list(seen) == KEYS
    assert (seen["turn"], seen["status"], seen["dealer"], seen["to_move"]) == (
        *("1.0", "bidding", 0, 1),
    )
    assert (seen["trick"], seen["bids"], seen["taken"]) == (None, [None] * 4, [0] * 4)
    assert seen["legal"] == [str(bid) for bid in range(9)]
    assert (seen["hand_sizes"], seen["totals"], seen["points"]) == ([8] * 4, [0] * 4, [])
    others = [await house.program(seat) for seat in (2, 3, 0)]
    for turn, (who, bid) in enumerate(zip([socket, *others], "1230", strict=True)):
        await who.move(f"1.{turn}", bid)
        seen = await socket.observation(turn=f"1.{turn + 1}")
    assert (seen["status"], seen["bids"]) == ("playing", [0, 1, 2, 3])
    assert seen["trick"] == {"leader": 1, "call": None, "plays": []}
    assert "1121:2-cone" in seen["legal"]
    assert len(seen["legal"]) == 32
    await socket.move("1.4", "1121:2-cone")
    seen = await socket.observation(turn="1.5")
    assert seen["trick"] == {"leader": 1, "call": "2-cone", "plays": [[1, "1121"]]}
    assert (seen["legal"], seen["hand_sizes"]) == ([], [8, 7, 8, 8])
    assert "1121" not in seen["hand"]
    assert list(seen) == KEYS


@pytest.mark.parametrize("variant", ["win", "lose"])
async def test_without_bids_all_bids_are_null(variant: str) -> None:
    house = await a_house(variant=variant)
    socket = await house.program(1)
    seen = await socket.observation()
    assert (seen["status"], seen["bids"]) == ("playing", [None] * 4)


async def test_two_programs_play_a_game_to_its_end() -> None:
    house = await a_house(seats=2, people=2, rounds=2, deals=None)
    players = [await house.program(0), await house.program(1)]
    watcher = await house.program(None)
    rng = Random(2)

    async def to_the_end(socket: Socket) -> dict[str, Any]:
        ready = ""
        while (seen := await socket.observation())["status"] != "game_over":
            if seen["legal"]:
                await socket.move(seen["turn"], rng.choice(seen["legal"]))
            elif seen["status"] == "round_over" and ready != seen["turn"]:
                ready = seen["turn"]
                assert len(seen["points"]) == 1
                shown = seen["revealed"]
                cards = [c for hand in (*shown["hands"], shown["undealt"]) for c in hand]
                assert sorted(cards) == sorted(CODES)
                if socket is not watcher:
                    await socket.say(type="next", turn=seen["turn"])
        return seen

    ends = await asyncio.gather(*map(to_the_end, [*players, watcher]))
    for seen in ends:
        assert list(seen) == KEYS
        assert len(seen["points"]) == 2
        assert seen["totals"] == [sum(row[seat] for row in seen["points"]) for seat in (0, 1)]
        best = max(seen["totals"])
        assert seen["winners"] == [s for s in (0, 1) if seen["totals"][s] == best]
        assert (seen["to_move"], seen["trick"], seen["legal"]) == (None, None, [])
    movers = await in_db(
        lambda: set(Move.objects.values_list("deal__table", "mover", "guest"))
    )()
    assert movers == {(house.table_id, "person", None)}
    for socket in [*players, watcher]:
        assert not [event for event in socket.said if "error" in event.get("text", "")[:20]]


async def test_a_browsers_moves_are_its_guests() -> None:
    house = await a_house()
    socket = await house.browser(1)
    await socket.observation()
    await socket.move("1.0", "3")
    await socket.observation(turn="1.1")
    stored = await in_db(lambda: Move.objects.select_related("guest").get())()
    assert stored.guest.key_hash == key_hash(house.keys[1])
    assert (stored.mover, stored.level, stored.seat, stored.text) == ("person", "", 1, "3")


async def test_bots_play_while_somebody_looks_on() -> None:
    house = await a_house(people=0, rounds=2, deals=None)
    socket = await house.program(None)
    seen = await socket.observation(status="game_over")
    assert len(seen["points"]) == 2


# Being refused: the error, then the present observation.


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *(("", "bad_text"), ("9", "bid_out_of_range"), ("3333", "bid_expected")),
        *(("\ud800", "bad_text"), ("'; DROP TABLE", "bad_text"), ("\x00", "bad_text")),
        *(("0" * 40, "bad_text"), ("１", "bad_text"), ("3 ", "bad_text")),
    ],
)
async def test_an_illegal_move(text: str, reason: str) -> None:
    _house, socket = await a_program()
    await socket.move("1.0", text)
    await refused(socket, "illegal_move", reason)
    assert await in_db(Move.objects.count)() == 0


async def test_a_past_or_coming_turn_is_stale() -> None:
    _house, socket = await a_program()
    await socket.move("1.0", "3")
    await socket.observation(turn="1.1")
    for turn in ("1.0", "0.0", "1.2", "2.0", "99.999"):
        await socket.move(turn, "3")
        await refused(socket, "stale_turn")
        for kind in ({"type": "next"}, {"type": "stand_in", "seat": 2}):
            await socket.say(**kind, turn=turn)
            await refused(socket, "stale_turn")


async def test_nobody_moves_for_another_seat() -> None:
    house = await a_house()
    for seat in (0, 2, None):
        socket = await house.program(seat)
        await socket.observation()
        for extra in (
            {},
            {"seat": 1},
            {"as": 1},
            {"as": "1"},
            {"guest_id": 1},
            {"mover": "bot"},
        ):
            await socket.say(type="move", turn="1.0", move="3", **extra)
            await refused(socket, "not_your_turn")
        await socket.leave()
    assert await in_db(Move.objects.count)() == 0
    socket = await house.program(1)
    await socket.observation()
    await socket.say(type="move", turn="1.0", move="3", seat=0, mover="bot", level="x")
    await socket.observation(turn="1.1")
    stored = await in_db(Move.objects.get)()
    assert (stored.seat, stored.mover, stored.level) == (1, "person", "")


async def test_a_watcher_can_do_nothing() -> None:
    house = await a_house()
    await in_db(Seat.objects.filter(number=1).update)(last_seen=None)
    for socket in (await house.program(None), await house.browser(None)):
        await socket.observation()
        for message in (
            {"type": "move", "turn": "1.0", "move": "3"},
            {"type": "next", "turn": "1.0"},
            {"type": "stand_in", "turn": "1.0", "seat": 1},
            {"type": "take_back"},
        ):
            await socket.say(**message)
            await refused(socket, "not_your_turn")


async def test_a_pause_reaches_everybody_and_refuses_all() -> None:
    house = await a_house()
    socket, watcher = await house.program(1), await house.program(None)
    for one in (socket, watcher):
        await one.observation()
    await house.steer(steering.set_paused, paused=True)
    for one in (socket, watcher):
        seen = await one.observation(paused=True)
        assert (seen["legal"], seen["to_move"]) == ([], 1)
    await socket.move("0.7", "nonsense")
    await refused(socket, "paused")
    await house.steer(steering.set_paused, paused=False)
    await socket.observation(paused=False)
    await socket.move("1.0", "3")
    await socket.observation(turn="1.1")


async def test_a_stand_in_is_asked_for_plays_and_is_taken_back() -> None:
    house = await a_house(rounds=1)
    asker, away = await house.program(0), await house.program(1)
    await asker.observation()
    await away.observation()
    await asker.say(type="stand_in", turn="1.0", seat=1)
    await refused(asker, "not_your_turn")
    long_ago = timezone.now() - timedelta(hours=2)
    await in_db(Seat.objects.filter(number__in=[1, 2]).update)(last_seen=long_ago)
    await asker.say(type="stand_in", turn="1.0", seat="1")
    seen = await asker.observation(turn="1.1")
    assert seen["players"][1]["stand_in"]
    await asker.say(type="stand_in", turn="1.1", seat=1)  # once more: harmless
    await away.say(type="take_back")
    while (await asker.observation())["players"][1]["stand_in"]:
        pass
    await away.say(type="take_back")
    await away.hear()
    for socket in (asker, away):
        assert not [event for event in socket.said if "bad_message" in event.get("text", "")]


# Nonsense.

MOVE = '{"type":"move","turn":"1.0","move":%s}'
TURN = '{"type":"move","turn":%s,"move":"3"}'
SEAT = '{"type":"stand_in","turn":"1.0","seat":%s}'
NONSENSE: dict[str, str | bytes] = {
    "empty": "",
    "blank": " ",
    "no JSON": "move 3",
    "half an object": '{"type":"move"',
    "a list": "[]",
    "a list of moves": '[{"type":"take_back"}]',
    "null": "null",
    "a number": "3",
    "text": '"take_back"',
    "NaN": "NaN",
    "an empty object": "{}",
    "two objects": '{"type":"take_back"}{"type":"take_back"}',
    "single quotes": "{'type':'take_back'}",
    "type null": '{"type":null}',
    "type a list": '{"type":["move"]}',
    "type an object": '{"type":{"move":1}}',
    "type in capitals": '{"type":"MOVE","turn":"1.0","move":"3"}',
    "type unknown": '{"type":"shuffle"}',
    "type a lone surrogate": '{"type":"\\ud800"}',
    "type of the server": '{"type":"observation"}',
    "no turn": '{"type":"move","move":"3"}',
    "no move": '{"type":"move","turn":"1.0"}',
    "no seat": '{"type":"stand_in","turn":"1.0"}',
    "next without turn": '{"type":"next"}',
    **{f"move {text}": MOVE % text for text in ("3", "null", '["3"]', "{}", "true", "1e400")},
    "move long": MOVE % f'"{"1" * 41}"',
    **{
        f"turn {text}": TURN % text
        for text in (
            *("1.0", "null", '["1.0"]', '""', '"1"', '"1."', '".0"', '"1.0.0"', '"-1.0"'),
            *('"1.0 "', '"1.0\\n"', '"1,0"', '"\u0661.\u0660"', '"100.0"', '"1.1000"'),
            *('"\\ud800"', '"1.0\\u0000"', '"' + "1" * 3000 + '"'),
        )
    },
    **{
        f"seat {text}": SEAT % text
        for text in (
            "null",
            "true",
            "1.0",
            "[1]",
            "{}",
            '"x"',
            '"1.0"',
            '"-1"',
            '"\uff11"',
            '""',
        )
    },
    "seat infinite": SEAT % "1e400",
    "seat NaN": SEAT % "NaN",
    "deep lists": "[" * 4000,
    "deep objects": '{"a":' * 800,
    "deep closed": "[" * 2000 + "]" * 2000,
    "deep in a field": MOVE % ("[" * 1900 + "]" * 1900),
    "a huge number": "9" * 4000,
    "4 KB and one byte": '{"type":"take_back"}'.ljust(4097),
    "4 KB in fewer letters": '{"type":"take_back","x":"' + "é" * 2100 + '"}',
    "60 KB": "x" * 60_000,
    "binary": b'{"type":"take_back"}',
    "empty binary": b"",
}


@pytest.mark.parametrize("name", NONSENSE)
async def test_nonsense_is_told_and_changes_nothing(name: str) -> None:
    _house, socket = await a_program()
    await socket.send(NONSENSE[name])
    error = await socket.frame()
    assert (error["type"], error["code"]) == ("error", "bad_message")
    assert set(error) == {"type", "code", "message"}
    assert await in_db(Move.objects.count)() == 0
    await socket.move("1.0", "3")
    frame = await socket.frame()  # no observation in between: the client is not behind
    assert (frame["type"], frame["turn"]) == ("observation", "1.1")


@pytest.mark.parametrize("seat", ["-1", "4", "10", '"99"', "9" * 3000, "-" + "9" * 3000])
async def test_a_seat_that_is_not_there(seat: str) -> None:
    _house, socket = await a_program()
    await socket.send(SEAT % seat)
    await refused(socket, "not_your_turn")


async def test_4_kb_and_unknown_fields_are_let_through() -> None:
    _house, socket = await a_program()
    text = json.dumps({"type": "move", "turn": "1.0", "move": "3", "more": [{}, None]})
    await socket.send(text.ljust(4096))
    await socket.observation(turn="1.1")


class Ticks:
    """The consumer's clock, under our hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.time = 1000.25
        monkeypatch.setattr("games.live.consumers.monotonic", lambda: self.time)


async def test_too_fast_and_well_again_a_second_later(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = Ticks(monkeypatch)
    _house, socket = await a_program()
    for _ in range(200):
        await socket.say(type="take_back")
    said: list[str] = []
    while said.count("too_fast") < 80:
        said += kinds([await socket.hear()])
    said += kinds(await socket.everything())
    assert said.count("too_fast") == 80
    assert set(said) <= {"too_fast", "observation"}
    await socket.move("1.0", "3")
    assert (await socket.error())["code"] == "too_fast"
    ticks.time += 1
    await socket.move("1.0", "3")
    assert (await socket.observation(turn="1.1"))["bids"][1] == 3


async def test_who_never_slows_down_is_closed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    Ticks(monkeypatch)
    _house, socket = await a_program()
    for _ in range(900):
        await socket.send("nonsense")
    said = kinds(await socket.everything(PATIENCE))
    assert "close 1008" in said
    # Nothing may follow the close: the server refuses it with a traceback.
    assert said[said.index("close 1008") :] == ["close 1008"]
    assert len(said) <= 601
    await socket.move("1.0", "3")
    await socket.everything()
    assert await in_db(Move.objects.count)() == 0


async def test_one_sockets_haste_is_not_anothers(monkeypatch: pytest.MonkeyPatch) -> None:
    Ticks(monkeypatch)
    house = await a_house()
    hasty, other = await house.program(0), await house.program(1)
    for socket in (hasty, other):
        await socket.observation()
    for _ in range(300):
        await hasty.send("nonsense")
    await other.move("1.0", "3")
    await other.observation(turn="1.1")
