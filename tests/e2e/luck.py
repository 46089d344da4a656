"""The luck of a process that is not the tests' own: the same in every run, so that what fails
fails again. A server follows a file in which each test writes its name; and it looks often, and
hears a bell of what was done beside it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random, SystemRandom
from threading import Thread

import django

_draws: dict[str, Random] = {}


def begin(name: str) -> None:
    """From now on what this process draws is that of the name."""
    _draws["now"] = Random(name)
    _replace(lambda: None)


def follow(file: str) -> None:
    """The same of the name that a file has now, and of the next one that is written there."""
    known = [""]

    def look() -> None:
        name = Path(file).read_text(encoding="utf-8")
        if name != known[0]:
            known[0] = name
            _draws["now"] = Random(name)

    _replace(look)


def look_often() -> None:
    """A class session's room sees at once what was done beside its server, of which no bell
    told it (tests/games/classes/test_seating.py holds that it looks by itself)."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xactika_site.settings")
    django.setup()
    from games.live import rooms

    rooms.LOOK_EVERY = 0.5


def hear(file: str) -> None:
    """From now on this process's tables are looked at when something is written to the file: a
    table without anybody who moves would wait for its people's patience instead."""
    from games.live.hub import hub

    def listen() -> None:
        known = 0
        with suppress(FileNotFoundError):  # at the end
            while True:
                if (heard := Path(file).stat().st_size) != known:
                    known = heard
                    for table_id in tuple(hub.rooms):
                        hub.ring(table_id)
                time.sleep(0.1)

    Thread(target=listen, daemon=True).start()


def _replace(look: Callable[[], None]) -> None:
    def random(_self: SystemRandom) -> float:
        look()
        return _draws["now"].random()

    def getrandbits(_self: SystemRandom, bits: int) -> int:
        look()
        return _draws["now"].getrandbits(bits)

    SystemRandom.random = random  # type: ignore[method-assign, assignment]
    SystemRandom.getrandbits = getrandbits  # type: ignore[method-assign, assignment]
