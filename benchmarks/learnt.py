"""A small policy learnt from experts' play: how often they make each bid and each play.

    python -m benchmarks.learnt data --rounds 3000 --first 100000 --workers 2 --file data.npz
    python -m benchmarks.learnt train --file data.npz --out benchmarks/learnt.txt

Four experts play; of each of their plays what the kernel's ``facts_of`` says of all options is
kept, and which one was chosen. A layer of UNITS rectified units, beside a line, gives each
option a score whose softmax is the chance of the choice (cross-entropy, Adam, a tenth held
out). Bids are counted by what a counting seat takes the hand for. The weights kept here were
learnt so from 67,899 plays and 12,000 bids, in five minutes.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import analysis
from games.analysis.bots import choose
from games.rules import Bid, observe

Play = tuple[NDArray[np.float64], int]


def of_round(number: int) -> tuple[list[Play], list[tuple[float, int]]]:
    """What experts chose in a round of four: [option, fact] and the number of the choice for
    each play, and the worth of the hand and the number for each bid."""
    analysis.load()
    from benchmarks import ceiling_kernel as kernel
    from benchmarks.ceiling import begun

    round_ = begun(Random(f"learnt {number}"))
    fixed = kernel.HABITS, kernel.LOGS
    plays: list[Play] = []
    bids: list[tuple[float, int]] = []
    while (turn := round_.to_move) is not None:
        luck = Random(f"learnt {number} {turn} {len(round_.tricks)} {round_.is_bidding}")
        seen = observe(round_, turn)
        move = choose(seen, level="expert", rng=luck, seconds=float("inf"))
        hand = sorted(kernel.card_index[card] for card in round_.hands[turn])
        round_ = round_.apply(move)
        if len(seen.legal) < 2:
            continue
        costs, facts = np.full((8, 4), kernel.INF), np.zeros((8, 4, kernel.FACTS))
        cards = np.array(hand + [0] * (8 - len(hand)), np.int64)
        if isinstance(move, Bid):
            full, others = np.full(12, kernel.ALL), np.full(12, 24)
            worth = kernel.facts_of(
                cards,
                8,
                -1,
                0,
                0,
                0,
                full,
                81,
                others,
                others,
                np.zeros(3),
                *fixed,
                costs,
                facts,
            )
            bids.append((worth, move.number))
            continue
        _, _, _, rows, pubs, lefts, everyone, later, around = kernel.moments(
            observe(round_, None), turn
        )
        card, call, led, best, is_last, need = (int(number) for number in rows[-1])
        kernel.facts_of(
            cards, len(hand), -1 if led else call, best, is_last, need, pubs[-1],
            int(lefts[-1]), everyone[-1], later[-1], around[-1], *fixed, costs, facts,
        )  # fmt: skip
        options = np.argwhere(costs < kernel.INF)
        made = (options == (hand.index(card), call // 3 if led else 0)).all(axis=1)
        if len(options) > 1 and made.any():
            plays.append((facts[options[:, 0], options[:, 1]], int(made.argmax())))
    return plays, bids


def gather(arguments: argparse.Namespace) -> None:
    plays: list[Play] = []
    bids: list[tuple[float, int]] = []
    numbers = range(arguments.first, arguments.first + arguments.rounds)
    with ProcessPoolExecutor(arguments.workers, mp_context=get_context("spawn")) as pool:
        for more_plays, more_bids in pool.map(of_round, numbers, chunksize=8):
            plays += more_plays
            bids += more_bids
    np.savez(
        arguments.file,
        rows=np.concatenate([facts for facts, _ in plays]).astype(np.float32),
        sizes=[len(facts) for facts, _ in plays],
        chosen=[chosen for _, chosen in plays],
        bids=np.array(bids),
    )
    print(len(plays), "plays", len(bids), "bids")


def train(arguments: argparse.Namespace) -> None:
    from benchmarks.ceiling_kernel import FACTS, STEP, STEPS, UNITS

    data = np.load(arguments.file)
    sizes, chosen = data["sizes"], data["chosen"]
    count = len(sizes)
    there = np.arange(sizes.max()) < sizes[:, None]
    padded = np.zeros((*there.shape, FACTS), np.float32)
    padded[there] = data["rows"]
    rng = np.random.default_rng(arguments.seed)
    held = count // 10
    net = {
        "w": rng.normal(0, 0.3, (UNITS, FACTS)).astype(np.float32),
        "b": np.zeros(UNITS, np.float32),
        "o": rng.normal(0, 0.3, UNITS).astype(np.float32),
        "l": np.zeros(FACTS, np.float32),
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
    for epoch in range(arguments.epochs):
        order = held + rng.permutation(count - held)
        rate = 0.004 * (1 - epoch / arguments.epochs) + 1e-4
        for start in range(0, len(order), 256):
            pick = order[start : start + 256]
            x, mask = padded[pick], there[pick]
            inside, odds = forward(x, mask)
            odds[np.arange(len(pick)), chosen[pick]] -= 1
            slope = odds / len(pick)
            back = slope[..., None] * net["o"] * (inside > 0)
            flat_x, flat_back = x.reshape(-1, FACTS), back.reshape(-1, UNITS)
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
        print(epoch, judge(), flush=True)
    table = np.full((STEPS, 9), 0.5)
    for worth, bid in data["bids"]:
        table[min(STEPS - 1, int(worth / STEP)), int(bid)] += 1
    table /= table.sum(axis=1, keepdims=True)
    blocks = net["w"].T, net["b"][None], net["o"][None], net["l"][None], table
    with arguments.out.open("w") as file:
        for block in blocks:
            np.savetxt(file, block, fmt="%.6g")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.learnt")
    parser.add_argument("what", choices=("data", "train"))
    parser.add_argument("--file", type=Path, required=True, help="of the data")
    parser.add_argument("--rounds", type=int, default=3000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first round")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="the file of the weights")
    arguments = parser.parse_args()
    {"data": gather, "train": train}[arguments.what](arguments)


if __name__ == "__main__":
    main()
