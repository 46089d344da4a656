"""A small policy learnt from experts' play: how often they make each bid and each play.

    python -m benchmarks.learnt gather --rounds 3000 --first 100000 --workers 2 --file data.npz
    python -m benchmarks.learnt train --file data.npz --out games/analysis/experts.txt

Experts play that do not read their players: rounds of two, and of four, which stand for all
more, and as many at each other number of seats, of which only the bids are made. Of each of
their plays what the kernel's ``fill_options`` says of all options is kept, and which one was
chosen. A layer of UNITS rectified units, beside a line, gives each option a score whose softmax
is the chance of the choice (cross-entropy, Adam, a tenth held out). Bids are counted by the
seats and by what a counting seat takes the hand for. The weights that experts read their
players with were learnt so from 38,007 plays of two, 67,663 of four, and 105,000 bids.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import analysis, rules
from games.analysis.experience import SEATS, VERSION
from games.rules import DECK, HAND_SIZE, Bid, Move, Observation, Round, Variant, observe

Play = tuple[NDArray[np.float64], int]


PASSES = {2: 80, 4: 15}
"""Rounds of so many are played to their end, and their plays gone through so many times."""


def begun(rng: Random, seats: int) -> Round:
    """A round of Play to Bid with shuffled cards."""
    deck = rng.sample(DECK, HAND_SIZE * seats)
    hands = [deck[s::seats] for s in range(seats)]
    return Round.start(variant=Variant.BID, hands=hands, dealer=rng.randrange(seats))


def unread(seen: Observation, luck: Random) -> Move:
    """The move of an expert that does not read its players."""
    from games.analysis import expert

    return expert.decide(seen, seed=luck.getrandbits(63)).move


def of_round(number: int, seats: int) -> tuple[list[Play], list[tuple[int, float, int]]]:
    """What experts chose in a round: for each play [option, fact] and the number of the
    choice, and for each bid the seats, the worth of the hand and the number."""
    analysis.load()
    round_ = begun(Random(f"learnt {number}"), seats)
    plays: list[Play] = []
    bids: list[tuple[int, float, int]] = []
    while (turn := round_.to_move) is not None and (round_.is_bidding or seats in PASSES):
        luck = Random(f"learnt {number} {turn} {len(round_.tricks)} {round_.is_bidding}")
        seen = observe(round_, turn)
        move = unread(seen, luck)
        round_ = round_.apply(move)
        if len(seen.legal) < 2:
            continue
        worth, options, chosen = _said(seen, move)
        if isinstance(move, Bid):
            bids.append((seats, worth, move.number))
        elif len(options) > 1 and chosen is not None:
            plays.append((options, chosen))
    return plays, bids


def _said(seen: Observation, move: Move) -> tuple[float, NDArray[np.float64], int | None]:
    """What the hand is worth; what is said of each option; which of these the move is."""
    from games.analysis import kernel, players
    from games.analysis.simulation import HABITS

    hand = sorted(kernel.card_index[card] for card in seen.hand)
    row, public = np.array([0, 0, 1, 0, 0, 0, 81]), np.full(12, (1 << 27) - 1)
    turn = kernel.PublicTurn(row, public, np.full((2, 12), 8 * (seen.seats - 1)), np.zeros(3))
    if not isinstance(move, Bid):
        turn = _public_turn(seen, move)
    costs, state = np.empty((8, 4)), np.empty(kernel.STATE)
    facts = np.empty((8, 4, kernel.FACTS))
    worth = kernel.fill_options(
        np.array(hand, np.int64),
        turn,
        kernel.Model(players.tempered_void_chances(), HABITS[seen.variant], np.empty(0)),
        kernel.Options(costs, state, facts),
    )
    options = np.argwhere(costs < 1e18)
    chosen = None
    if not isinstance(move, Bid):
        shape = 0 if move.call is None else move.call.shape.position
        made = (options == (hand.index(kernel.card_index[move.card]), shape)).all(axis=1)
        chosen = int(made.argmax()) if made.any() else None
    own = facts[options[:, 0], options[:, 1]]
    return worth, np.hstack([np.tile(state, (len(own), 1)), own]), chosen


def _public_turn(observation: Observation, play: rules.Play) -> Any:
    """What is public as the seat in turn makes this play, for kernel.read_turns."""
    from games.analysis import kernel, players

    trick, seat = observation.trick, observation.seat
    assert trick is not None
    assert seat is not None
    call = trick.call or play.call
    with_play = replace(trick, call=call, plays=(*trick.plays, (seat, play.card)))
    public = players._PublicTurns(replace(observation, trick=with_play))
    at = seat, public.plays_made[seat] - 1
    return kernel.PublicTurn(*(turns[at] for turns in public.turns))


def gather(*, rounds: int, first: int, workers: int, file: Path) -> None:
    """Keep what experts chose in so many rounds at each number of seats; with no ``workers``,
    in this process."""
    tables = [s for s in SEATS for _ in range(rounds)]
    numbers = [*range(first, first + rounds)] * len(SEATS)
    if workers:
        with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
            found = list(pool.map(of_round, numbers, tables, chunksize=8))
    else:
        found = list(map(of_round, numbers, tables))
    kept = {"bids": np.array([bid for _, some in found for bid in some])}
    for seats in PASSES:
        played = zip(tables, found, strict=True)
        plays = [play for table, (some, _) in played if table == seats for play in some]
        kept[f"rows {seats}"] = np.concatenate([facts for facts, _ in plays], dtype=np.float32)
        kept[f"sizes {seats}"] = np.array([len(facts) for facts, _ in plays])
        kept[f"chosen {seats}"] = np.array([chosen for _, chosen in plays])
        print(len(plays), "plays of", seats)
    print(len(kept["bids"]), "bids")
    np.savez(file, allow_pickle=False, **kept)


def train(*, file: Path, passes: Mapping[int, int], seed: int, out: Path) -> None:
    """Write the weights that are learnt from a file of :func:`gather`."""
    from games.analysis.kernel import STEP, STEPS

    data = np.load(file)
    blocks: list[NDArray[Any]] = []
    for seats, times in passes.items():
        rows, sizes, chosen = (data[f"{what} {seats}"] for what in ("rows", "sizes", "chosen"))
        blocks += taught(rows, sizes, chosen, passes=times, seed=seed)
    tables = np.full((len(SEATS), STEPS, 9), 0.5)
    for seats, worth, bid in data["bids"]:
        tables[SEATS.index(int(seats)), min(STEPS - 1, int(worth / STEP)), int(bid)] += 1
    tables /= tables.sum(axis=2, keepdims=True)
    with out.open("w", encoding="utf-8") as lines:
        lines.write(f"{VERSION}\n")
        for block in (*blocks, *tables):
            np.savetxt(lines, block, fmt="%.6g")


def taught(
    rows: NDArray[Any], sizes: NDArray[Any], chosen: NDArray[Any], *, passes: int, seed: int
) -> list[NDArray[Any]]:
    """The weights of a network that chooses so, after so many passes over all choices but a
    tenth, by which it is judged: ``rows`` are all options one after the other, ``sizes`` how
    many each choice had."""
    from games.analysis.kernel import FACTS, STATE, UNITS

    count = len(sizes)
    there = np.arange(sizes.max()) < sizes[:, None]
    padded = np.zeros((*there.shape, STATE + FACTS), np.float32)
    padded[there] = rows
    rng = np.random.default_rng(seed)
    held = count // 10
    net = {
        "w": rng.normal(0, 0.3, (UNITS, STATE + FACTS)).astype(np.float32),
        "b": np.zeros(UNITS, np.float32),
        "o": rng.normal(0, 0.3, UNITS).astype(np.float32),
        "l": np.zeros(STATE + FACTS, np.float32),
    }
    first = {k: np.zeros_like(v) for k, v in net.items()}
    second = {k: np.zeros_like(v) for k, v in net.items()}

    def forward(x: Any, mask: Any) -> Any:
        inside = np.maximum(0, x @ net["w"].T + net["b"])
        score = inside @ net["o"] + x @ net["l"]
        score = np.where(mask, score, -1e9)
        score -= score.max(axis=1, keepdims=True)
        odds = np.exp(score)
        return inside, odds / odds.sum(axis=1, keepdims=True)

    def judge() -> str:
        _, odds = forward(padded[:held], there[:held])
        loss = -np.log(odds[np.arange(held), chosen[:held]]).mean()
        right = (odds.argmax(axis=1) == chosen[:held]).mean()
        return f"loss {loss:.4f} right {right:.4f}"

    step = 0
    for done in range(passes):
        order = held + rng.permutation(count - held)
        rate = 0.004 * (1 - done / passes) + 1e-4
        for start in range(0, len(order), 256):
            pick = order[start : start + 256]
            x, mask = padded[pick], there[pick]
            inside, odds = forward(x, mask)
            odds[np.arange(len(pick)), chosen[pick]] -= 1
            slope = odds / len(pick)
            back = slope[..., None] * net["o"] * (inside > 0)
            flat_x, flat_back = x.reshape(-1, STATE + FACTS), back.reshape(-1, UNITS)
            found = {
                "o": (slope[..., None] * inside).sum(axis=(0, 1)),
                "l": (slope[..., None] * x).sum(axis=(0, 1)),
                "w": flat_back.T @ flat_x,
                "b": flat_back.sum(axis=0),
            }
            step += 1
            for k, slope_k in found.items():
                first[k] = 0.9 * first[k] + 0.1 * slope_k
                second[k] = 0.999 * second[k] + 0.001 * slope_k**2
                size = (first[k] / (1 - 0.9**step)) / (
                    np.sqrt(second[k] / (1 - 0.999**step)) + 1e-8
                )
                net[k] -= (rate * size).astype(np.float32)
        print(done, judge(), flush=True)
    return [net["w"].T, net["b"][None], net["o"][None], net["l"][None]]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learnt")
    parser.add_argument("what", choices=("gather", "train"))
    parser.add_argument("--file", type=Path, required=True, help="of the data")
    parser.add_argument("--rounds", type=int, default=3000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first round")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="the file of the weights")
    asked = parser.parse_args()
    if asked.what == "gather":
        gather(
            rounds=asked.rounds, first=asked.first, workers=asked.workers, file=asked.file
        )  # fmt: skip
    else:
        train(file=asked.file, passes=PASSES, seed=asked.seed, out=asked.out)


if __name__ == "__main__":
    main()
