"""What homework's bots answer, beside what they have always answered: ``homework_answers.json``
holds whole rounds, each a deal and its moves; seat 0's are a student's.

As a program (``python -m tests.analysis.homework_bots [load]``) it tells every difference, with
the kernel loaded or not. ``write`` makes the file of a new level: what is in it stays.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from games import analysis
from games.analysis import bots
from games.rules import DECK, Round, Variant, move_text, observe, parse_card, parse_move

FILE = Path(__file__).with_name("homework_answers.json")
SIZES = (2, 3, 4, 4, 4, 4, 5, 6, 8, 10)


def rounds() -> list[dict[str, Any]]:
    """The rounds that are kept."""
    found: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def start(kept: dict[str, Any]) -> Round:
    hands = [[parse_card(code) for code in hand.split()] for hand in kept["hands"]]
    return Round.start(variant=Variant(kept["variant"]), hands=hands, dealer=kept["dealer"])


def answer(round_: Round, level: str) -> str:
    """The bot's move where it is its turn. What is chosen by chance would differ."""
    assert round_.to_move is not None
    seen = observe(round_, round_.to_move)
    return move_text(bots.choose(seen, level=level, rng=Random()))


def differences() -> Iterator[str]:
    """Where a bot moves otherwise than it has always done."""
    for number, kept in enumerate(rounds()):
        round_ = start(kept)
        for at, text in enumerate(kept["moves"]):
            if round_.to_move != 0 and (now := answer(round_, kept["level"])) != text:
                yield f"round {number}, move {at}: {now}, was {text}"
            round_ = round_.apply(parse_move(text))


def made(variant: Variant, seats: int, rng: Random) -> dict[str, Any]:
    """A round by chance: the student's seat plays anything."""
    codes = [card.code for card in rng.sample(DECK, 8 * seats)]
    kept: dict[str, Any] = {
        "level": bots.HOMEWORK,
        "variant": variant.value,
        "dealer": rng.randrange(seats),
        "hands": [" ".join(codes[seat::seats]) for seat in range(seats)],
        "moves": [],
    }
    round_ = start(kept)
    while not round_.is_over:
        if round_.to_move == 0:
            text = move_text(rng.choice(round_.legal_moves()))
        else:
            text = answer(round_, bots.HOMEWORK)
        kept["moves"].append(text)
        round_ = round_.apply(parse_move(text))
    return kept


def main() -> None:
    if "write" in sys.argv:
        rng = Random(22)
        lines = [json.dumps(made(each, n, rng)) for each in Variant for n in SIZES]
        FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
        return
    if "load" in sys.argv:
        analysis.load()
    told = ["ready" if analysis.ready() else "not ready", *differences()]
    sys.stdout.write("\n".join(told) + "\n")


if __name__ == "__main__":
    main()
