"""What everybody may know at each turn, and pages held against it."""

from __future__ import annotations

import re

from tests.live.program import CARD


class Public:
    """What everybody may know at each turn, gathered from the JSON watcher's frames: cards
    played so far in the round, and all 81 once it is over."""

    def __init__(self) -> None:
        self.hands: dict[tuple[int, int], set[str]] = {}
        self.turns: dict[str, set[str] | None] = {}

    def learn(self, frame: dict[str, object]) -> None:
        if frame["type"] != "observation":
            return
        played = {code for trick in frame["tricks"] for _, code in trick["plays"]}  # type: ignore[attr-defined]
        if frame["trick"]:
            played |= {code for _, code in frame["trick"]["plays"]}  # type: ignore[index]
        self.turns[str(frame["turn"])] = None if frame["revealed"] else played
        if frame["seat"] is not None:
            key = (int(str(frame["round"])), int(str(frame["seat"])))
            self.hands.setdefault(key, set()).update(frame["hand"])  # type: ignore[arg-type]


def check_page(frames: list[str], seat: int | None, public: Public) -> None:
    """Every card in a browser's frames is its seat's own, or was played by that turn."""
    turn = "0.0"
    assert frames
    for text in frames:
        if named := re.search(r'data-turn="([0-9.]+)"', text):
            turn = named[1]
        played = public.turns[turn]
        round_number = int(turn.split(".")[0])
        own = public.hands.get((round_number, seat), set()) if seat is not None else set()
        assert played is None or set(CARD.findall(text)) <= own | played, turn
