"""Over whole games no frame holds a card that its receiver may not see."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from random import Random

import pytest

from tests.live.program import CARD, Client, game_over, listen, play
from tests.live.secrecy import Public, check_page
from tests.server import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One whose bots are experts."""
    with Server(tmp_path_factory.mktemp("server"), experts=True) as running:
        yield running


@pytest.mark.parametrize(("seats", "people"), [(2, 1), (4, 3), (10, 4)])
async def test_no_frame_holds_a_hidden_card(
    server: Server, soak: bool, seats: int, people: int
) -> None:
    """Every seat's JSON and HTML, a program's and a browser's spectator, whole games."""
    table = server.open_table(
        variant="bid",
        seats=seats,
        people=people,
        rounds=3 if soak else 2,
        pace=0,
        patience=300,
    )
    where = (server.websocket_base, table["table"])
    tokens = [seat["token"] for seat in table["seats"]]
    programs = [Client(*where, token) for token in tokens]
    pages = [Client(*where, token, html=True) for token in tokens]
    watcher = Client(*where, table["watch"]["token"])
    watching_page = Client(*where, table["watch"]["token"], html=True)
    done = asyncio.Event()
    everyone = [*programs, *pages, watcher, watching_page]
    for client in everyone:
        await client.__aenter__()
    listeners = [asyncio.create_task(listen(c, done)) for c in (*pages, watcher, watching_page)]
    players = [play(client, Random(number)) for number, client in enumerate(programs)]
    last = await asyncio.gather(*players)
    assert all(map(game_over, last))
    await asyncio.sleep(0.3)
    done.set()
    await asyncio.gather(*listeners)
    for client in everyone:
        await client.__aexit__()

    public = Public()
    for client in (*programs, watcher):
        for frame in client.frames:
            public.learn(json.loads(frame))
    # JSON: at this turn, only what was played and what this seat held.
    for client in (*programs, watcher):
        for text in client.frames:
            frame = json.loads(text)
            if frame["type"] == "error":  # a "next" that another seat's had overtaken
                assert frame["code"] == "stale_turn"
                assert not CARD.findall(text)
                continue
            played = public.turns[frame["turn"]]
            if played is not None:
                own = set(frame["hand"])
                assert set(CARD.findall(text)) <= own | played
                if frame["hand_sizes"] and frame["seat"] is not None:
                    assert len(own) == frame["hand_sizes"][frame["seat"]]
    for seat, page in [*enumerate(pages), (None, watching_page)]:
        check_page(page.frames, seat, public)


def test_the_check_itself_would_see_a_leak() -> None:
    public = Public()
    public.turns = {"1.0": set(), "1.1": {"1111"}, "1.2": None}
    public.hands = {(1, 0): {"2222"}}
    start, later = '<header data-turn="1.0">', '<header data-turn="1.1">'
    check_page([f'{start}<p data-card="2222">', f'{later}<p data-card="1111">'], 0, public)
    check_page(['<header data-turn="1.2"><p data-card="3333">'], None, public)
    with pytest.raises(AssertionError):
        check_page([f'{start}<p data-card="1111">'], 0, public)
    with pytest.raises(AssertionError):
        check_page([later, '<p data-card="3333">'], 0, public)
    with pytest.raises(AssertionError):
        check_page([f'{later}<p data-card="2222">'], None, public)
