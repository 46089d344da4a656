"""How fast rounds are simulated and how long a bot thinks, beside its peers.

From the repository's root::

    python -m benchmarks.kernel

Prints one JSON line for each measurement (medians of ``--repeat`` runs, processor time of one
core) and the ratios last. OpenSpiel's lines need ``pip install .[bench]`` and are left out
without it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from math import inf
from random import Random
from statistics import median
from time import process_time
from typing import Any

from games import analysis
from games.rules import DECK, Round, Variant, observe

SEATS = 4
SPIEL = f"oh_hell(players={SEATS},num_suits=4,num_cards_per_suit=13,num_tricks_fixed=8)"


def begun(variant: Variant, rng: Random) -> Round:
    deck = rng.sample(DECK, 8 * SEATS)
    return Round.start(
        variant=variant, hands=[deck[seat::SEATS] for seat in range(SEATS)], dealer=SEATS - 1
    )


def timed(work: Callable[[], Any]) -> float:
    start = process_time()
    work()
    return process_time() - start


def plain_rules(rounds: int) -> float:
    """Moves a second of games.rules in plain Python, random play."""
    rng = Random(1)

    def play() -> None:
        for _ in range(rounds):
            point = begun(Variant.WIN, rng)
            while not point.is_over:
                point = point.apply(rng.choice(point.legal_moves()))

    return rounds * 8 * SEATS / timed(play)


def kernel_moves(policy: str, rounds: int, *, deals: bool) -> float:
    """Moves a second of the kernel; with ``deals`` each round has a deal of its own."""
    from games.analysis import kernel
    from games.analysis.knowledge import read
    from games.analysis.simulation import PlayoutPoint, WorldSampler

    point = begun(Variant.WIN, Random(1))
    seen = observe(point, 0)
    chosen = [kernel.RANDOM if policy == "random" else kernel.TIP] * SEATS
    if policy == "counting":
        chosen[0] = kernel.COUNTING
    dealer, stage = WorldSampler(read(seen), seen.hand), PlayoutPoint(seen, policies=chosen)
    one = dealer.deal(1, seed=1)

    def play() -> None:
        for batch in range(rounds // 1000):
            worlds = dealer.deal(1000, seed=batch) if deals else one.repeat(1000, axis=0)
            stage.play(worlds, [None], seed=batch)

    play()  # warm
    return rounds * 8 * SEATS / timed(play)


def expert_lead(count: int) -> float:
    """Milliseconds of the expert for the first lead of a round of bids."""
    from games.analysis import bots

    rng = Random(2)
    points = []
    for _ in range(count):
        point = begun(Variant.BID, rng)
        while point.is_bidding:
            seen = observe(point, point.to_move)
            point = point.apply(bots.choose(seen, level="tip-wikipedia", rng=rng))
        points.append(observe(point, point.to_move))

    def think() -> None:
        for seen in points:
            bots.choose(seen, level="expert", rng=rng, seconds=inf)

    return 1000 * timed(think) / count


def spiel_rollouts(pyspiel: Any, rounds: int) -> float:
    """Player moves a second of OpenSpiel's rollouts: one simulation of its MCTS bot evaluates
    one state by that many rollouts in C++; 35 of a round's 36 moves are left then."""
    game = pyspiel.load_game(SPIEL)
    state = dealt(game, Random(3))
    bot = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(rounds, 1), 2.0, 1, 10, False, 1, False
    )
    return rounds * 35 / timed(lambda: bot.step(state))


def spiel_ismcts(pyspiel: Any, count: int) -> float:
    """Milliseconds of OpenSpiel's ISMCTS, 1,000 simulations, for the first lead."""
    game, rng = pyspiel.load_game(SPIEL), Random(4)
    states = []
    for _ in range(count):
        state = dealt(game, rng)
        for _ in range(SEATS):
            state.apply_action(rng.choice(state.legal_actions()))
        states.append(state)
    bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 1000)
    return 1000 * timed(lambda: [bot.step(state) for state in states]) / count


def dealt(game: Any, rng: Random) -> Any:
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(rng.choice([action for action, _ in state.chance_outcomes()]))
    return state


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kernel")
    parser.add_argument("--repeat", type=int, default=3)
    repeat = parser.parse_args().repeat
    analysis.load()
    work: dict[str, tuple[str, Callable[[], float]]] = {
        "plain rules, random": ("moves/s", lambda: plain_rules(300)),
        "kernel, random, one deal": (
            "moves/s",
            lambda: kernel_moves("random", 200_000, deals=False),
        ),
        "kernel, random, deals": (
            "moves/s",
            lambda: kernel_moves("random", 200_000, deals=True),
        ),
        "kernel, tips, deals": ("moves/s", lambda: kernel_moves("tips", 200_000, deals=True)),
        "kernel, one seat counting, deals": (
            "moves/s",
            lambda: kernel_moves("counting", 100_000, deals=True),
        ),
        "expert, first lead": ("ms", lambda: expert_lead(40)),
    }
    try:
        import pyspiel
    except ImportError:
        print(json.dumps({"left out": "OpenSpiel is not installed: pip install .[bench]"}))
    else:
        work["OpenSpiel oh_hell, C++ rollouts"] = (
            "moves/s",
            lambda: spiel_rollouts(pyspiel, 50_000),
        )
        work["OpenSpiel oh_hell, ISMCTS of 1,000"] = ("ms", lambda: spiel_ismcts(pyspiel, 20))
    runs: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(repeat):  # in turn, so that a busy moment hits all alike
        for name, (_, measure) in work.items():
            runs[name].append(measure())
    found = {name: median(values) for name, values in runs.items()}
    for name, value in found.items():
        print(json.dumps({"what": name, "unit": work[name][0], "median": round(value, 2)}))
    ratios = {
        "kernel / plain rules": found["kernel, random, deals"] / found["plain rules, random"]
    }
    if "OpenSpiel oh_hell, C++ rollouts" in found:
        spiel = found["OpenSpiel oh_hell, C++ rollouts"]
        ratios["kernel / OpenSpiel, one deal each"] = found["kernel, random, one deal"] / spiel
        ratios["kernel with deals / OpenSpiel without"] = found["kernel, random, deals"] / spiel
        ratios["expert's lead / ISMCTS"] = (
            found["expert, first lead"] / found["OpenSpiel oh_hell, ISMCTS of 1,000"]
        )
    print(json.dumps({name: round(value, 2) for name, value in ratios.items()}))


if __name__ == "__main__":
    main()
