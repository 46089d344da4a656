"""Bots against each other on paired deals: every line-up sits in every seat of every deal.

Importing this module loads nothing; its worker processes load the kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import inf, sqrt
from multiprocessing import get_context
from random import Random
from statistics import fmean
from time import perf_counter, process_time

from games import analysis
from games.analysis import bots
from games.analysis.significance import Z95
from games.rules import DECK, HAND_SIZE, Bid, Move, Observation, Round, Variant, observe
from games.rules.scoring import score_round

ALWAYS = {"always-0": lambda _: 0, "always-fair": lambda seats: round(HAND_SIZE / seats)}
"""Baselines that bid the same whatever they hold (as near as the hook lets them), and play as
``tip-wikipedia``: many of their bids come true, and they are worth few points."""

NAMES = (*bots.LEVELS, *bots.MISTAKEN, *ALWAYS)


@dataclass(frozen=True, slots=True)
class ArenaDeal:
    """One deal, played once in each rotation of the line-up; lists are by its members.

    ``points`` and ``ahead`` (of the mean of the others) are means over the rotations, ``made``
    counts bids that came true; ``seconds`` are wall-clock times of single decisions,
    ``work`` the processor's for all of them.
    """

    points: list[float]
    ahead: list[float]
    made: list[int]
    seconds: list[list[float]]
    work: list[float]


@dataclass(frozen=True, slots=True)
class LevelScore:
    """How one member of a line-up fared: means a round, with half of a 95% interval.

    Deals, not rounds, are independent, so that the intervals are over deals.
    """

    name: str
    points: float
    points_half: float
    ahead: float
    ahead_half: float
    made: float | None
    mean_ms: float
    p95_ms: float
    cpu_ms: float


def play_deal(line_up: Sequence[str], variant: Variant, number: int, seed: int) -> ArenaDeal:
    """The sample of one deal, played with every rotation of the line-up; experts think without
    a time limit."""
    analysis.load()
    seats = len(line_up)
    rng = Random(f"{seed} {number}")  # noqa: S311 (a reproducible experiment)
    deck = rng.sample(DECK, HAND_SIZE * seats)
    hands = [deck[seat::seats] for seat in range(seats)]
    dealer = rng.randrange(seats)
    sample = ArenaDeal(
        [0.0] * seats, [0.0] * seats, [0] * seats, [[] for _ in line_up], [0.0] * seats
    )
    for turn in range(seats):
        round_ = Round.start(variant=variant, hands=hands, dealer=dealer)
        while (seat := round_.to_move) is not None:
            member = (seat + turn) % seats
            start, work = perf_counter(), process_time()
            move = choose(observe(round_, seat), line_up[member], rng)
            sample.seconds[member].append(perf_counter() - start)
            sample.work[member] += process_time() - work
            round_ = round_.apply(move)
        points = score_round(round_)
        for seat in range(seats):
            member = (seat + turn) % seats
            others = (sum(points) - points[seat]) / (seats - 1)
            sample.points[member] += points[seat] / seats
            sample.ahead[member] += (points[seat] - others) / seats
            sample.made[member] += round_.bids[seat] == round_.taken[seat]
    return sample


def choose(observation: Observation, name: str, rng: Random) -> Move:
    """The move of a level, of a bot with a misconception, or of a baseline."""
    fixed: Callable[[int], int] | None = ALWAYS.get(name)
    if fixed is None:
        return bots.choose(observation, level=name, rng=rng, seconds=inf)
    if isinstance(observation.legal[0], Bid):
        wish = fixed(observation.seats)
        return min(observation.legal, key=lambda move: abs(wish - _number(move)))
    return bots.choose(observation, level="tip-wikipedia", rng=rng)


def _number(move: Move) -> int:
    assert isinstance(move, Bid)
    return move.number


def play(
    line_up: Sequence[str], variant: Variant, *, deals: int, seed: int, workers: int
) -> Iterator[ArenaDeal]:
    """The samples of all deals, in order, played over so many processes."""
    if workers == 1:
        for number in range(deals):
            yield play_deal(line_up, variant, number, seed)
        return
    # Fresh processes: a fork would copy threads of the simulations at work.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        jobs = [
            pool.submit(play_deal, tuple(line_up), variant, number, seed)
            for number in range(deals)
        ]
        try:
            for job in jobs:
                yield job.result()
        finally:
            for job in jobs:
                job.cancel()


def standings(
    line_up: Sequence[str], variant: Variant, samples: Sequence[ArenaDeal]
) -> list[LevelScore]:
    """Each member's score by the samples; members of one name are taken together."""
    scores = []
    for name in dict.fromkeys(line_up):
        members = [m for m, other in enumerate(line_up) if other == name]
        points = [fmean(sample.points[m] for m in members) for sample in samples]
        ahead = [fmean(sample.ahead[m] for m in members) for sample in samples]
        times = sorted(t for sample in samples for m in members for t in sample.seconds[m])
        rounds = len(samples) * len(line_up) * len(members)
        made = sum(sample.made[m] for sample in samples for m in members) / rounds
        work = sum(sample.work[m] for sample in samples for m in members)
        scores.append(
            LevelScore(
                name,
                fmean(points),
                _half_interval(points),
                fmean(ahead),
                _half_interval(ahead),
                made if variant is Variant.BID else None,
                mean_ms=1000 * fmean(times),
                p95_ms=1000 * times[int(0.95 * (len(times) - 1))],
                cpu_ms=1000 * work / len(times),
            )
        )
    return scores


def _half_interval(values: Sequence[float]) -> float:
    """Half of the 95% interval of a mean of independent values."""
    n, mean = len(values), fmean(values)
    if n < 2:
        return inf
    return Z95 * sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)
