"""An installed ``xactika``, on any system: first page, a round over a socket, the doctor.

Run by the Python of the environment that the wheel was installed in, anywhere:
``python tests/smoke.py``. The data folder is that of the user, unless XACTIKA_DATA names one.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
import urllib.request
from io import TextIOWrapper
from pathlib import Path
from random import Random
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent / "live"))  # what is installed comes first

from program import Client, play  # type: ignore[import-not-found]

from xactika_site import locations
from xactika_site.locations import DEMO

FIRST_PAGE, AT_MOST = 20, 300
"""Seconds within which the first page is promised, and after which nothing is waited for."""


def xactika(*arguments: str) -> list[str]:
    """The command, as it was installed beside this Python."""
    name = "xactika.exe" if sys.platform == "win32" else "xactika"
    return [str(Path(sysconfig.get_path("scripts")) / name), *arguments]


def say(*words: object) -> None:
    print(*words, flush=True)  # noqa: T201


def page(address: str) -> str:
    """A page of this computer's, whatever proxy it has."""
    browser = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with browser.open(address, timeout=60) as answer:
        return str(answer.read().decode())


def wait_for(server: subprocess.Popen[bytes], base: str, log: Path) -> str:
    """The first page, as soon as it is there."""
    deadline = time.monotonic() + AT_MOST
    while True:
        try:
            return page(base)
        except OSError as why:
            told = log.read_text(encoding="utf-8", errors="replace")
            if server.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"there is no first page ({why}):\n{told}") from None
            time.sleep(0.2)


async def play_a_round(base: str, table: dict[str, Any]) -> dict[str, Any]:
    """All that a browser would send, by chance."""
    address = base.replace("http://", "ws://")
    async with Client(address, table["table"], table["seats"][0]["token"]) as client:
        seen: dict[str, Any] = await play(
            client, Random(1), until=lambda seen: bool(seen["status"] == "round_over")
        )
        return seen


def main() -> None:
    port = os.environ.setdefault("PORT", "8765")
    base = f"http://127.0.0.1:{port}"
    assert isinstance(sys.stdout, TextIOWrapper)
    sys.stdout.reconfigure(errors="replace")
    assert not locations.IS_CHECKOUT, f"not an installed wheel: {locations.ROOT}"
    elsewhere = Path(tempfile.mkdtemp(prefix="Ana María 100% #"))
    log = elsewhere / "log"
    began = time.monotonic()
    with log.open("wb") as file:
        server = subprocess.Popen(
            xactika("--no-browser"), cwd=elsewhere, stdout=file, stderr=subprocess.STDOUT
        )
    try:
        assert "Xactika" in wait_for(server, base, log)
        took = time.monotonic() - began
        say(f"first page after {took:.1f} s" + (", LATE" if took > FIRST_PAGE else ""))
        told = subprocess.run(
            xactika(
                *("manage", "open_table", "--people", "1", "--pace", "0"),
                *("--base", base, "--json"),
            ),
            cwd=elsewhere,
            env=os.environ
            | {"DATABASE_URL": locations.sqlite_url(locations.data_folder() / DEMO)},
            capture_output=True,
            check=True,
            timeout=AT_MOST,
        ).stdout
        seen = asyncio.run(play_a_round(base, json.loads(told)))
        assert sum(seen["taken"]) == 8, seen["taken"]
        say("a round over a socket:", seen["taken"])
        screen = subprocess.run(
            xactika("doctor"), cwd=elsewhere, capture_output=True, check=True, timeout=AT_MOST
        ).stdout.decode(errors="replace")
        say(screen)
        assert "/healthz" in screen
        assert "cannot be found out" not in screen
        assert server.poll() is None
    finally:
        server.terminate()
        server.wait(30)
        told_last = log.read_text(encoding="utf-8", errors="replace")
        assert "Traceback" not in told_last, told_last


if __name__ == "__main__":
    main()
