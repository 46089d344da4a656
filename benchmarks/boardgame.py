"""boardgame.io as a peer of moves.py: its packages, and what its clients send and are sent.

boardgame.cjs is the server. Its clients speak socket.io (engine.io's protocol 4) on a plain
WebSocket: ``40/tricks,`` joins the game's namespace, ``42/tricks,[…]`` is an event, a ping is
``2`` and wants ``3``.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

PACKAGES = ("boardgame.io@0.50.2", "node-persist@3.1.0")
"""The library, and what its FlatFile store needs besides, in the version it was written for."""

SERVER = ["node", str(Path(__file__).with_suffix(".cjs"))]
ADDRESS = "socket.io/?EIO=4&transport=websocket"
PING, PONG = b"2", "3"

_PICTURES = (b'42/tricks,["update",', b'42/tricks,["sync",')
_STATE = re.compile(rb'"_stateID":(\d+)')
_LEGAL = re.compile(rb'"legal":(\[[^\]]+\])')


def install(folder: Path) -> None:
    """Get the packages from npm's registry into a folder: 37 MB, up to two minutes."""
    npm = "npm install --no-audit --no-fund --prefer-offline --ignore-scripts --prefix".split()
    subprocess.run([*npm, str(folder), *PACKAGES], check=True, stdout=sys.stderr)


def read(frame: bytes) -> tuple[str, list[str]]:
    """The state's number, as a turn of an endless round, and the moves of who is to move."""
    state = _STATE.search(frame) if frame.startswith(_PICTURES) else None
    if state is None:
        return "", []  # who is connected, or a ping
    legal = _LEGAL.search(frame)
    return f"1.{state[1].decode()}", json.loads(legal[1]) if legal else []


async def enter(ws: Any, match: int, seat: int) -> bytes:
    """Take a seat (the first creates the match); the first frame that shows it."""
    await ws.send("40/tricks,")
    frame = b""
    while not frame.startswith(_PICTURES):
        frame = await ws.recv(decode=False)
        if frame.startswith(b"40/tricks,"):
            await ws.send(_event("sync", str(match), str(seat), None, 4))
    return frame


def move(match: int, seat: int, turn: str, card: str) -> str:
    payload = {"type": "play", "args": [card], "playerID": str(seat)}
    action = {"type": "MAKE_MOVE", "payload": payload}
    return _event("update", action, int(turn.partition(".")[2]), str(match), str(seat))


def _event(*arguments: Any) -> str:
    return f"42/tricks,{json.dumps(arguments)}"
