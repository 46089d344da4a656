"""A league on the wire: the program that students begin from plays beside one that is silent,
one that is slow and itself with nonsense in it, and a bot plays for these."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.live.boards import shell
from tests.live.program import CARD, Client
from tests.server import ROOT, Server

BOT = ROOT / "games" / "static" / "games" / "league_bot.py"
CHOICE = 'random.choice(seen["legal"])'
UNKNOWN = "This key isn't known. Get a new one on the league's page."

OPEN = """
import json
from games import league
from tests.games.classroom import a_session, students_in
session = a_session()
league.open_league(classroom=session.classroom)
print(json.dumps([league.bring_program(student=each) for each in students_in(session, 4)]))
"""
HURRY = """
from django.db.models import F
from games.models import Table
print(Table.objects.filter(kind="league").update(clock=1, version=F("version") + 1))
"""
TOLD = """
import json
from games import league
from games.models import League, Match, Program
league.end_matches()
rows = {row.program.pk: row for row in league.standings(League.objects.get())}
over = Match.objects.order_by("pk").first().over is not None
told = [(len(rows[pk].above), rows[pk].by_bot) for pk in sorted(rows)]
print(json.dumps([over, told]))
"""


def test_the_bot_to_begin_from_is_short() -> None:
    lines = BOT.read_text(encoding="utf-8").splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 40


@contextmanager
def the_bot(server: Server, key: str, log: Path, bot: Path = BOT) -> Iterator[None]:
    """The bot to begin from, as students run it."""
    with log.open("w", encoding="utf-8") as told:
        line = [sys.executable, "-u", str(bot), server.base, key]
        process = subprocess.Popen(line, stdout=told, stderr=told)
    try:
        yield
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()


def asked(server: Server, key: str) -> dict[str, str] | None:
    """What a program gets that asks for its game."""
    headers = {"Authorization": f"Bearer {key}"}
    request = urllib.request.Request(f"{server.base}/league/next/", b"", headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        game: dict[str, str] | None = json.loads(answer.read() or "null")
        return game


async def game_for(server: Server, key: str) -> dict[str, str]:
    while (game := await asyncio.to_thread(asked, server, key)) is None:
        await asyncio.sleep(0.5)
    return game


async def until_over(client: Client, reply: Any) -> list[dict[str, Any]]:
    """Every observation of the game, with what ``reply`` sends at each."""
    seen: list[dict[str, Any]] = []
    while not seen or seen[-1]["status"] != "game_over":
        seen.append(await client.observation())
        await reply(client, seen[-1])
    return seen


async def silent(_client: Client, _seen: dict[str, Any]) -> None:
    pass


async def slow(client: Client, seen: dict[str, Any]) -> None:
    if seen["legal"]:
        await asyncio.sleep(2)
        await client.send(type="move", turn=seen["turn"], move=seen["legal"][0])


def words_of(*line: str) -> str:
    """What the bot says that ends by itself."""
    run = [sys.executable, str(BOT), *line]
    said = subprocess.run(run, capture_output=True, timeout=30, check=False).stderr
    return said.decode()


async def test_a_bot_plays_for_whoever_is_silent_slow_or_sends_nonsense(
    own_server: Server, tmp_path: Path
) -> None:
    server, began, log = own_server, time.monotonic(), tmp_path / "bot.log"
    wrong, refused = tmp_path / "wrong.py", tmp_path / "wrong.log"
    wrong.write_text(BOT.read_text(encoding="utf-8").replace(CHOICE, '"a good one"'), "utf-8")
    keys: list[str] = shell(server, OPEN)
    assert words_of() == f"{BOT.read_text(encoding='utf-8').splitlines()[0].strip(chr(34))}\n"
    assert words_of(server.base, keys[0][:-1]) == f"{UNKNOWN}\n"
    with the_bot(server, keys[0], log), the_bot(server, keys[3], refused, wrong):
        games = await asyncio.gather(*(game_for(server, key) for key in keys[1:]))
        assert shell(server, HURRY) == 1
        assert {game["table"] for game in games} == {games[0]["table"]}
        clients = [
            Client(server.websocket_base, game["table"], game["token"]) for game in games[:2]
        ]
        for client in clients:
            await client.__aenter__()
        replies = zip(clients, (silent, slow), strict=True)
        tasks = [asyncio.create_task(until_over(*each)) for each in replies]
        await tasks[0]  # the slow one hears of it later
        while "Points by seat" not in log.read_text(encoding="utf-8"):
            assert time.monotonic() - began < 240
            await asyncio.sleep(0.1)
    seen = await asyncio.gather(*tasks)
    for client in clients:
        await client.__aexit__()
    over, (bot, *others) = shell(server, TOLD)
    assert over
    for own in seen:  # no frame holds a card that its seat may not see
        for each in own:
            played = {card for trick in each["tricks"] for _seat, card in trick["plays"]}
            played |= {card for _seat, card in (each["trick"] or {"plays": []})["plays"]}
            assert set(CARD.findall(json.dumps(each))) <= {*each["hand"]} | played
            assert each["revealed"] is None
    assert bot == [4, 0]
    for rounds, by_bot in others:
        assert rounds + by_bot == 4
        assert by_bot > 1
    told = refused.read_text(encoding="utf-8").splitlines()
    assert 1 < sum(line.startswith("Refused: a good one ") for line in told) <= 4
