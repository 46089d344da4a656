"""What does it bring the expert to read its players?

From the repository's root (a quarter of a second to a second for each deal)::

    python -m benchmarks.reading --field mixed --deals 4000 --workers 2
    python -m benchmarks.reading --field experts --seats 6 --deals 4000
    python -m benchmarks.reading --field mixed --told --hands 30000

The expert that reads its players, and the one that does not, each in the same seat of the same
deals, in games of a few rounds: after each round all hands are known, and with them what kinds
the others are. Beside it known bots, or experts that do not read. With ``--told`` the kinds are
known from the beginning: what can be had by whoever knows them, the more so the more
``--hands``; and with ``--open``, too, all hands are open to it once bids are made. Prints a
JSON line every 25 games and at the end: points a round, the paired difference with half of its
95 % interval over games, ms of processor of a decision (mean) and of a first lead (p95).
"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import fmean
from time import process_time
from typing import Any
from unittest.mock import patch

from games import analysis
from games.analysis import bots
from games.analysis.arena import _half as half
from games.rules import DECK, HAND_SIZE, Move, Observation, Round, Variant, observe
from games.rules.scoring import score_round

FIELDS = {
    "tips": ("tip-wikipedia", "tip-printed", "tip-wikipedia"),
    "mixed": (
        "counter", "tip-printed", "tip-wikipedia", "counter", "random", "expert",
        "tip-printed", "tip-wikipedia", "random",
    ),
    "experts": ("expert",),
    "counters": ("counter",),
    "careless": ("careless",),
    "mistaken": ("four-ninths", "value-only", "due", "likeliest-number"),
}  # fmt: skip
"""Who sits beside it: the first so many, and from the beginning again."""


def begun(rng: Random, seats: int) -> Round:
    """A round of Play to Bid with shuffled cards."""
    deck = rng.sample(DECK, HAND_SIZE * seats)
    hands = [deck[s::seats] for s in range(seats)]
    return Round.start(variant=Variant.BID, hands=hands, dealer=rng.randrange(seats))


def unread(seen: Observation, luck: Random) -> Move:
    """An expert that does not read its players."""
    from games.analysis import expert

    return expert.decide(seen, seed=luck.getrandbits(63)).move


def reader_of(round_: Round) -> type[Any]:
    """Deals the world of the round that is there."""
    from games.analysis.players import Reader
    from games.analysis.simulation import world_of

    class Open(Reader):
        def deal(self, count: int, *, seed: int) -> Any:
            worlds, policies = super().deal(count, seed=seed)
            worlds[:] = world_of(round_)
            return worlds, policies

    return Open


def game(number: int, settings: dict[str, Any]) -> dict[str, Any]:
    """A game's mean points without and with reading, the ms of decisions and first leads."""
    analysis.load()
    from games.analysis import expert, players

    if settings["hands"]:
        players.HANDS = settings["hands"]
    seats, field = settings["seats"], FIELDS[settings["field"]]
    mine = number % seats
    line_up = [field[n % len(field)] for n in range(seats - 1)]
    line_up.insert(mine, "expert")
    told: dict[str, Any] = {}
    for name in ("unread", "read"):
        kinds = players.strangers(seats)
        if settings["told"]:
            kinds = tuple(
                tuple(float(kind == level) for kind in players.KINDS) for level in line_up
            )
        points, ms, leads = [], [], []
        for n in range(settings["rounds"]):
            round_ = begun(Random(f"{settings['luck']} {number} {n}"), seats)
            while (turn := round_.to_move) is not None:
                # The same luck for both, as long as they play alike.
                at = f"{number} {n} {turn} {len(round_.tricks)} {round_.is_bidding}"
                luck = Random(f"{settings['luck']} {at}")
                seen = observe(round_, turn)
                start = process_time()
                if turn == mine and name == "read":
                    seed, scale = luck.getrandbits(63), settings["scale"]
                    is_open = settings["open"] and not round_.is_bidding
                    reader = reader_of(round_) if is_open else players.Reader
                    with patch.object(expert, "Reader", reader):
                        move = expert.decide(seen, seed=seed, players=kinds, scale=scale).move
                elif line_up[turn] == "expert":
                    move = unread(seen, luck)
                else:
                    move = bots.choose(seen, level=line_up[turn], rng=luck)
                if turn == mine:
                    ms.append(1000 * (process_time() - start))
                    if not (
                        seen.tricks or round_.is_bidding or (seen.trick and seen.trick.plays)
                    ):
                        leads.append(ms[-1])
                round_ = round_.apply(move)
            points.append(score_round(round_)[mine])
            if name == "read" and not settings["told"]:
                kinds = players.after(kinds, round_)
        told[name] = {"points": fmean(points), "ms": ms, "leads": leads}
    return told


def report(made: list[dict[str, Any]], settings: dict[str, Any]) -> None:
    """What so many games say."""
    gains = [each["read"]["points"] - each["unread"]["points"] for each in made]
    found: dict[str, Any] = {
        "field": settings["field"],
        "seats": settings["seats"],
        "deals": len(made) * settings["rounds"],
        "gain": round(fmean(gains), 3),
        "half": round(half(gains), 3),
    }
    for name in ("unread", "read"):
        leads = sorted(t for each in made for t in each[name]["leads"])
        found[name] = {
            "points": round(fmean(each[name]["points"] for each in made), 3),
            "ms": round(fmean(t for each in made for t in each[name]["ms"]), 2),
            "first lead p95": round(leads[int(0.95 * (len(leads) - 1))], 1) if leads else None,
        }
    print(json.dumps(found), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reading")
    parser.add_argument("--field", choices=list(FIELDS), default="mixed")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=5, help="of a game")
    parser.add_argument("--told", action="store_true", help="the kinds are known")
    parser.add_argument("--open", action="store_true", help="and all hands, but for bids")
    parser.add_argument("--hands", type=int, default=0, help="tried for all seats together")
    parser.add_argument("--scale", type=float, default=1.0, help="times its worlds")
    parser.add_argument("--luck", default="reading", help="what deals are drawn by")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a file for a line of each game")
    settings = vars(parser.parse_args())
    analysis.load()
    games = range(
        settings["first"], settings["first"] + settings["deals"] // settings["rounds"]
    )
    made: list[dict[str, Any]] = []
    with ProcessPoolExecutor(settings["workers"], mp_context=get_context("spawn")) as pool:
        for job in [pool.submit(game, number, settings) for number in games]:
            made.append(job.result())
            if settings["keep"]:
                with settings["keep"].open("a", encoding="utf-8") as file:
                    file.write(json.dumps(made[-1]) + "\n")
            if len(made) % 25 == 0 or len(made) == len(games):
                report(made, settings)


if __name__ == "__main__":
    main()
