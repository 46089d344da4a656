"""What everybody may know at each turn, and pages held against it."""

from __future__ import annotations

import re
from typing import Any

from tests.live.program import CARD


class Public:
    """What everybody may know at each turn, gathered from JSON frames: cards played so far in
    the round, and all 81 once it is over. Who is behind is not sent every turn: those that
    nobody was, the round's last frame tells."""

    def __init__(self) -> None:
        self.hands: dict[tuple[int, int], set[str]] = {}
        self.turns: dict[str, set[str] | None] = {"0.0": set()}

    def learn(self, frame: dict[str, Any]) -> None:
        if frame["type"] != "observation":
            return
        tricks = [*frame["tricks"], *filter(None, [frame["trick"]])]
        played = [code for trick in tricks for _, code in trick["plays"]]
        self.turns[frame["turn"]] = None if frame["revealed"] else set(played)
        bids = sum(bid is not None for bid in frame["bids"])
        for made in range(bids + len(played) if frame["revealed"] else 0):
            known = set(played[: max(0, made - bids)])
            assert self.turns.setdefault(f"{frame['round']}.{made}", known) == known
        if frame["seat"] is not None:
            key = (frame["round"], frame["seat"])
            self.hands.setdefault(key, set()).update(frame["hand"])


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
