"""How much better could the expert be if it read the others' hands as well as can be?

From the repository's root (a fifth of a second to one and a half for each round)::

    python -m benchmarks.ceiling --field mixed --rounds 1000
    python -m benchmarks.ceiling --field experts --experts-as learnt --own learnt --kinds both
    python -m benchmarks.ceiling --kinds worlds --hands 500 --rounds 5000 --game 5 \\
        --field mixed --find tip-printed tip-wikipedia counter learnt random
    python -m benchmarks.ceiling --check

Today's expert and the same bot with better worlds, each in the same seat of the same deals; the
others are bots that are known, or with ``--find`` each may be one of several, as likely before
the first of ``--game`` rounds; after each round all hands are known, and with them how likely
each kind is. ``worlds``: worlds come from the posterior under the others' policies.
``playouts``: in its playouts the others bid and play by these (today by the tips), its own seat
as ``--own``. ``both`` is what no reader of players can beat by reading alone.

The posterior is exact up to the number of hands tried. How likely a deal is is a product over
seats of what each seat's own hand says of its bid and plays; so every seat's hidden cards are
drawn by themselves (``--hands`` uniform draws, times TRIED of the kind, or each possible hand
once where these are fewer), weighed by that likelihood, and of draws for all seats those are
kept in which no card is in two hands. Where too few would be kept (CLASHES) the expert's own
evidence deals. An expert has no likelihood that could be computed: beside experts all this is
an approximation. They are taken to play as ``counter`` does but for a share of SURPRISE that
says nothing, and to bid near it; or, with ``--experts-as learnt``, as often as a small policy
says that was learnt from their play (benchmarks/learnt.py).

Prints one JSON line for each kind, every 25 deals: points a round, the paired difference with
half of its 95 % interval over deals, ms of processor of a decision (mean) and of a first lead
(p95), and by tricks done the effective sample size (median over turns, of the seat that has
least) and how often no hand tried fitted (then the expert's own evidence serves). ``--check``
plays rounds of known bots and counts real hands whose likelihood is above 0, and rounds of
``counter`` that the playouts can reproduce: all.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from itertools import combinations
from math import comb
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import fmean, median
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from games import analysis
from games.analysis.arena import _half as half
from games.analysis.bots import choose
from games.rules import DECK, HAND_SIZE, Move, Observation, Round, Variant, observe
from games.rules.scoring import score_round

FIELDS = {
    "tips": ("tip-printed", "tip-wikipedia", "tip-wikipedia"),
    "counters": ("counter", "counter", "counter"),
    "mixed": ("counter", "tip-printed", "tip-wikipedia"),
    "experts": ("expert", "expert", "expert"),
    "tips-2": ("tip-wikipedia",),
    "mixed-2": ("counter",),
    "experts-2": ("expert",),
    "tips-6": ("tip-wikipedia",) * 5,
    "mixed-6": ("counter", "tip-printed", "tip-wikipedia", "counter", "random"),
    "experts-6": ("expert",) * 5,
}
"""Who sits beside the expert: at a table of four, or of so many."""
KINDS = ("worlds", "playouts", "both")
SURPRISE = 0.3
CLASHES = 5.0
"""Where hands drawn by themselves have more pairs of one card, on average, than this, the
expert's own evidence deals: hardly any draw could be kept."""
Kinds = dict[int, float]
"""How likely each kind of bot is, of a seat."""
LEARNT = Path(__file__).parent / "learnt.txt"


def draw(
    pool: NDArray[np.int64], room: int, count: int, luck: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """So many hands, or each possible one."""
    from benchmarks import ceiling_kernel as kernel

    if comb(len(pool), room) <= count:
        return np.array(list(combinations(pool, room)), np.int64)
    tried = np.empty((count, room), np.int64)
    kernel.draw_hands(pool, luck, tried)
    return tried


class Posterior:
    """Stands in for the expert's Witness: deals worlds from the posterior, each other seat
    being one of its ``kinds``, each as likely before it moved as this says. ``seats`` are the
    kinds of the last worlds dealt, by world and seat."""

    def __init__(
        self,
        observation: Observation,
        dealer: Any,
        kinds: list[Kinds],
        hands: int,
        own: int,
    ) -> None:
        from benchmarks import ceiling_kernel as kernel
        from games.analysis.evidence import Witness

        self._known, self._kernel = dealer.known, kernel
        self._fallback = Witness(observation, dealer)
        self._standing = np.array([likeliest(each) for each in kinds], np.int64)
        self._standing[observation.seat] = own
        players, tables, sums, of_kinds = [], [], [], []
        self.effective = float("inf")
        luck = np.array([kernel.seed_of(observation)], np.uint64)
        unseen = np.flatnonzero(dealer.known == -3)
        rooms = [r for s, r in enumerate(observation.hand_sizes) if s != observation.seat]
        clashes = sum(a * b for a, b in combinations(rooms, 2)) / max(1, len(unseen))
        if clashes > CLASHES:
            return
        for seat in range(observation.seats):
            room = observation.hand_sizes[seat]
            if seat == observation.seat or not room:
                continue
            pool = np.array([c for c in unseen if not kernel.MASK[c] & dealer.voids[seat]])
            moments = kernel.moments(observation, seat)
            rows, odds, each = [], [], []
            for kind, prior in kinds[seat].items():
                tried = draw(pool, room, round(hands * kernel.TRIED[kind]), luck)
                weights = np.empty(len(tried))
                fixed = kernel.HABITS, kernel.LOGS, net()
                kernel.weigh(kind, SURPRISE, tried, *moments, *fixed, weights)
                kept = weights > 0
                rows.append(tried[kept])
                odds.append(weights[kept] * prior / len(tried))
                each.append(np.full(kept.sum(), kind))
            weights = np.concatenate(odds)
            total = weights.sum()
            if total == 0:
                self.effective = 0.0
                return
            self.effective = min(self.effective, total**2 / (weights**2).sum())
            players.append(seat)
            tables.append(np.concatenate(rows))
            sums.append(np.cumsum(weights))
            of_kinds.append(np.concatenate(each))
        if not players:
            return
        most, widest = max(map(len, sums)), max(table.shape[1] for table in tables)
        self._players = np.array(players, np.int64)
        self._rooms = np.array([table.shape[1] for table in tables], np.int64)
        self._sizes = np.array([len(each) for each in sums], np.int64)
        self._hands = np.zeros((len(players), most, widest), np.int64)
        self._sums = np.zeros((len(players), most))
        self._kinds = np.zeros((len(players), most), np.int64)
        for p, (table, total, each) in enumerate(zip(tables, sums, of_kinds, strict=True)):
            self._hands[p, : len(table), : table.shape[1]] = table
            self._sums[p, : len(table)] = total
            self._kinds[p, : len(table)] = each

    def deal(self, count: int, *, seed: int) -> NDArray[np.int8]:
        """So many worlds; of the expert's own evidence where no hand tried fits."""
        self.seats = np.repeat(self._standing[None, :], count, axis=0)
        if self.effective in (0.0, float("inf")):
            return self._fallback.deal(count, seed=seed)
        worlds = np.empty((count, 81), np.int8)
        worlds[:] = np.where(self._known == -3, -1, self._known)
        picks = np.empty((count, len(self._players)), np.int64)
        luck = np.array([seed], np.uint64)
        done = self._kernel.join(
            self._players,
            self._rooms,
            self._hands,
            self._sums,
            self._sizes,
            luck,
            worlds,
            picks,
        )
        if done < count:  # the hands that fit cannot be held together: too few were tried
            self.effective = 0.0
            return self._fallback.deal(count, seed=seed)
        for p, seat in enumerate(self._players):
            self.seats[:, seat] = self._kinds[p, picks[:, p]]
        return worlds


def likeliest(kinds: Kinds) -> int:
    """One kind of a seat."""
    return max(kinds, key=lambda kind: kinds[kind])


def after(round_: Round, kinds: list[Kinds], seat: int) -> list[Kinds]:
    """The same when the round is over, all hands being known. What a kind would never have done
    has a chance of 10⁻¹²; kinds a thousand times less likely than the likeliest go."""
    from benchmarks import ceiling_kernel as kernel

    told, seen, none = [], observe(round_, None), np.empty((1, 0), np.int64)
    for other, each in enumerate(kinds):
        if other == seat:
            told.append(each)
            continue
        moments, weight, now = kernel.moments(seen, other), np.empty(1), {}
        for kind, prior in each.items():
            fixed = kernel.HABITS, kernel.LOGS, net()
            kernel.weigh(kind, SURPRISE, none, *moments, *fixed, weight)
            now[kind] = prior * max(weight[0], 1e-12)
        most = max(now.values())
        told.append({kind: p / most for kind, p in now.items() if p > most / 1000})
    return told


@lru_cache
def net() -> NDArray[np.float64]:
    """What was learnt (benchmarks/learnt.py)."""
    return np.array(LEARNT.read_text().split(), np.float64)


class TrueStage:
    """Stands in for the expert's Stage: seats bid and play by their kinds."""

    def __init__(self, observation: Observation, kinds: Any) -> None:
        from benchmarks import ceiling_kernel as kernel
        from games.analysis.knowledge import read
        from games.analysis.simulation import Stage, aims, policies

        self._kernel, self._candidate, self._kinds = kernel, kernel.candidate, kinds
        stage = Stage(observation, policies=policies(observation))
        voids = read(observation).voids
        masks = [sum(1 << kernel.call_index[call] for call in void) for void in voids]
        self._fixed = (
            observation.seats, stage._point, np.array(observation.taken, np.int64),
            np.array(aims(observation), np.int64),
        )  # fmt: skip
        self._masks = np.array(masks, np.int64)

    def play(
        self, worlds: NDArray[np.int8], moves: list[Move], *, seed: int
    ) -> tuple[Any, Any]:
        """As Stage.play."""
        tricks = np.empty((len(worlds), len(moves), len(self._masks)), np.int8)
        takers = np.empty((len(worlds), len(moves)), np.int8)
        candidates = np.array([self._candidate(move) for move in moves], np.int64)
        self._kernel.play_true(
            worlds, *self._fixed, self._kinds(len(worlds)), self._masks, candidates,
            self._kernel.HABITS, self._kernel.LOGS, net(), np.array([seed], np.uint64), tricks,
            takers,
        )  # fmt: skip
        return tricks, takers


@contextmanager
def better(
    kind: str,
    kinds: list[Kinds],
    hands: int,
    found: dict[int, list[float]],
    own: int = 2,
    scale: float = 1.0,
) -> Iterator[None]:
    """The expert with what stands in for its worlds, its playouts or both."""
    from games.analysis import expert

    witness, stage, heats = expert.Witness, expert.Stage, expert.HEATS
    last: list[Posterior] = []

    def exact(observation: Observation, dealer: Any) -> Posterior:
        made = Posterior(observation, dealer, kinds, hands, own)
        last[:] = [made]
        if made.effective != float("inf"):
            found.setdefault(len(observation.tricks), []).append(made.effective)
        return made

    def staged(observation: Observation, policies: Any) -> TrueStage:  # noqa: ARG001
        def by_world(count: int) -> NDArray[np.int64]:
            if last:
                return last[0].seats
            row = [likeliest(each) for each in kinds]
            row[observation.seat or 0] = own
            return np.repeat(np.array([row], np.int64), count, axis=0)

        return TrueStage(observation, by_world)

    patched: Any = expert
    if kind in ("worlds", "both"):
        patched.Witness = exact
    if kind in ("playouts", "both"):
        patched.Stage = staged
    patched.HEATS = tuple((runners, round(count * scale)) for runners, count in heats)
    try:
        yield
    finally:
        patched.Witness, patched.Stage, patched.HEATS = witness, stage, heats


def begun(rng: Random, seats: int = 4) -> Round:
    """A round of Play to Bid with shuffled cards."""
    deck = rng.sample(DECK, HAND_SIZE * seats)
    hands = [deck[s::seats] for s in range(seats)]
    return Round.start(variant=Variant.BID, hands=hands, dealer=rng.randrange(seats))


def play(
    number: int, seat: int, field: str, kind: str, settings: dict[str, Any]
) -> tuple[float, dict[int, list[float]], list[float], list[float]]:
    """A game in this seat: the expert's mean points, the effective sample sizes, and the ms of
    its decisions and of first leads. What it found out of the others' kinds it keeps."""
    analysis.load()
    from benchmarks.ceiling_kernel import KIND

    line_up = list(FIELDS[field])
    line_up.insert(seat, "expert")
    names = [settings["experts_as"] if n == "expert" else n for n in line_up]
    kinds: list[Kinds] = [{KIND[name]: 1.0} for name in names]
    if settings["find"]:
        kinds = [{KIND[name]: 1.0 for name in settings["find"]} for _ in line_up]
    own = KIND[settings["own"]]
    found: dict[int, list[float]] = {}
    ms: list[float] = []
    first_leads: list[float] = []
    points = []
    for game_round in range(settings["game"]):
        name = f"ceiling {number}" + f" {game_round}" * (game_round > 0)
        round_ = begun(Random(name), len(line_up))
        while (turn := round_.to_move) is not None:
            # The same luck for both, as long as they play alike.
            luck = Random(f"{name} {turn} {len(round_.tricks)} {round_.is_bidding}")
            seen = observe(round_, turn)
            start = process_time()
            if turn == seat and kind:
                leads = not (round_.is_bidding or (seen.trick and seen.trick.plays))
                scale = settings["scale"]
                if leads and len(round_.tricks) < 2:
                    scale *= settings["lead_scale"]
                with better(kind, kinds, settings["hands"], found, own, scale):
                    move = choose(seen, level="expert", rng=luck, seconds=float("inf"))
            else:
                move = choose(seen, level=line_up[turn], rng=luck, seconds=float("inf"))
            if turn == seat:
                ms.append(1000 * (process_time() - start))
                begun_trick = bool(seen.trick and seen.trick.plays)
                if not (round_.is_bidding or round_.tricks or begun_trick):
                    first_leads.append(ms[-1])
            round_ = round_.apply(move)
        points.append(score_round(round_)[seat])
        if kind and settings["find"]:
            kinds = after(round_, kinds, seat)
    return fmean(points), found, ms, first_leads


def play_deal(
    number: int, field: str, kinds: tuple[str, ...], settings: dict[str, Any]
) -> dict[str, Any]:
    """One deal from each seat: the mean points of today's expert and of each kind."""
    told: dict[str, Any] = {}
    sizes: dict[str, dict[int, list[float]]] = {kind: {} for kind in kinds}
    times: dict[str, tuple[list[float], list[float]]] = {}
    for kind in ("", *kinds):
        points = []
        times[kind] = [], []
        for seat in range(len(FIELDS[field]) + 1):
            got, found, ms, leads = play(number, seat, field, kind, settings)
            points.append(got)
            times[kind][0].extend(ms)
            times[kind][1].extend(leads)
            if kind:
                for tricks, values in found.items():
                    sizes[kind].setdefault(tricks, []).extend(values)
        told[kind] = fmean(points)
    return {"points": told, "sizes": sizes, "times": times}


def report(made: list[dict[str, Any]], field: str, kinds: tuple[str, ...]) -> None:
    """What so many deals say."""
    today = [deal["points"][""] for deal in made]
    for kind in kinds:
        now = [deal["points"][kind] for deal in made]
        gains = [a - b for a, b in zip(now, today, strict=True)]
        sizes: dict[int, list[float]] = {}
        for deal in made:
            for tricks, values in deal["sizes"][kind].items():
                sizes.setdefault(tricks, []).extend(values)
        clock = {}
        for name in ("", kind):
            ms = [t for deal in made for t in deal["times"][name][0]]
            leads = sorted(t for deal in made for t in deal["times"][name][1])
            p95 = leads[int(0.95 * (len(leads) - 1))]
            clock[name or "today"] = [round(fmean(ms), 2), round(p95, 1)]
        found = {
            "ms": clock,
            "today": round(fmean(today), 3),
            "points": round(fmean(now), 3),
            "gain": round(fmean(gains), 3),
            "half": round(half(gains), 3),
            "effective": {t: round(median(v)) for t, v in sorted(sizes.items())},
            "none fits": {
                t: round(fmean(x == 0 for x in v), 4) for t, v in sorted(sizes.items())
            },
        }
        told = {
            "field": field,
            "kind": kind,
            "games": (len(FIELDS[field]) + 1) * len(made),
            **found,
        }
        print(json.dumps(told), flush=True)


def check(rounds: int) -> dict[str, str]:
    """Whether the compiled policies are the bots'."""
    from benchmarks import ceiling_kernel as kernel
    from games.analysis.simulation import world_of

    hands, likely, points, reached = 0, 0, 0, 0
    for number in range(rounds):
        rng = Random(f"check {number}")
        names = [rng.choice(list(kernel.KIND)[:3]) for _ in range(4)]
        names = names if number % 2 else ["counter"] * 4
        trail, round_ = [], begun(rng)
        while round_.to_move is not None:
            move = choose(observe(round_, round_.to_move), level=names[round_.to_move], rng=rng)
            trail.append((round_, move))
            round_ = round_.apply(move)
        for then, move in trail[::5]:
            for seat in range(4):
                held = [kernel.card_index[card] for card in then.hands[seat]]
                hidden = np.array(held, np.int64).reshape(1, -1)
                weight, told = np.empty(1), kernel.moments(observe(then, None), seat)
                kind = kernel.KIND[names[seat]]
                kernel.weigh(
                    kind, SURPRISE, hidden, *told, kernel.HABITS, kernel.LOGS, net(), weight,
                )  # fmt: skip
                hands, likely = hands + 1, likely + bool(weight[0] > 0)
            if number % 2 == 0:  # ties are settled by chance: once in 400 tries it comes so
                stage = TrueStage(
                    observe(then, then.to_move),
                    lambda count: np.full((count, 4), kernel.KIND["counter"], np.int64),
                )
                tricks, _ = stage.play(world_of(then).repeat(400, axis=0), [move], seed=number)
                points += 1
                reached += any(tuple(row) == round_.taken for row in tricks[:, 0])
    return {"likely hands": f"{likely} of {hands}", "reproduced": f"{reached} of {points}"}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ceiling")
    parser.add_argument("--field", choices=list(FIELDS), default="tips")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=["worlds", "both"])
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    parser.add_argument("--own", default="counter", help="its own seat in its playouts")
    parser.add_argument("--experts-as", default="expert", help="what experts are taken for")
    parser.add_argument("--find", nargs="+", default=[], help="each other seat is one of these")
    parser.add_argument("--game", type=int, default=1, help="rounds of a game")
    parser.add_argument("--scale", type=float, default=1.0, help="times its worlds")
    parser.add_argument("--lead-scale", type=float, default=1.0, help="at its first two leads")
    parser.add_argument("--keep", type=Path, help="a file for a line of each deal")
    parser.add_argument("--check", action="store_true", help="are these policies the bots'?")
    options = parser.parse_args()
    analysis.load()
    if options.check:
        print(json.dumps(check(options.rounds)))
        return
    kinds = tuple(options.kinds)
    count = -(-options.rounds // (len(FIELDS[options.field]) + 1) // options.game)
    deals = range(options.first, options.first + count)
    made: list[dict[str, Any]] = []
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as pool:
        jobs = [
            pool.submit(play_deal, number, options.field, kinds, vars(options))
            for number in deals
        ]
        for job in jobs:
            made.append(job.result())
            if options.keep:
                with options.keep.open("a") as file:
                    file.write(json.dumps({"field": options.field, **made[-1]}) + "\n")
            if len(made) % 25 == 0 or len(made) == len(jobs):
                report(made, options.field, kinds)


if __name__ == "__main__":
    main()
