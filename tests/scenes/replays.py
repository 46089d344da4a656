"""Rounds that somebody has played alone, and their replays."""

from __future__ import annotations

from random import Random
from typing import Any

from django.test import Client

from games.models import Guest
from tests.games.table import a_browser, play, solo


def played_alone(*, rng: Random | None = None, **options: Any) -> tuple[Client, Guest, str]:
    """A browser, its guest, and the table at which they have played a round."""
    browser, guest = a_browser()
    table_id = solo(guest, **{"seats": 3, "rounds": 1, **options})
    play(table_id, rng=rng)
    return browser, guest, table_id


def replay_of(browser: Client, table_id: str) -> str:
    """The address at which this browser sees the table's first round again, from the deal."""
    found: str = browser.get(f"/tables/{table_id}/replay/1/?at=0").headers["Location"]
    return found
