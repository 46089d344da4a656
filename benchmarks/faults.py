"""What a school of several processes bears: faults at random instants, and what was found.

    python -m benchmarks.faults --processes 3 --tables 200 --faults 30
    python -m benchmarks.faults --stolen 1000 --faults 300 --kept *.jsonl     # what is missing
    python -m benchmarks.faults --stolen 1000 --sum *.jsonl                   # of what was kept

Starts PostgreSQL, Redis and the processes on free loopback ports, each behind wires of our own,
and a crew that plays on them (tests/live/faults.py says what may go wrong). Prints a JSON line
for each fault, and a sum. As root the database gets a small disk of its own, which can be full
and slow; otherwise these two kinds are left out.

The host of a virtual machine takes its processors away now and then: with --stolen a fault
during which it took more is told, does not count, and is made again; in all at most twice as
many are made as were asked for.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from math import inf
from pathlib import Path
from random import Random
from statistics import linear_regression, variance
from typing import Any

import uvloop

from tests.live.faults import KINDS, suffer
from tests.live.school import Disk, School

WARM_UP = 10.0

WARM, LONG_ENOUGH = 120.0, 180.0
"""Seconds of a process's life that are left out where its memory is judged, as its caches fill
and its simulations load; and that are needed after these."""

GROWTH = 30.0
"""MB an hour that processes may grow by: in a day of school by no more than they have."""


async def soak(arguments: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    rng = Random(arguments.seed)
    names = [name for name in KINDS if Disk.can_be() or not KINDS[name].needs_disk]
    names = arguments.only or names
    order: list[str] = []
    while len(order) < arguments.faults:
        order += rng.sample(names, len(names))
    order = order[: arguments.faults]
    for found in lines(arguments.kept):
        if counts(found, arguments.stolen) and found["fault"] in order:
            order.remove(found["fault"])
    told: list[dict[str, Any]] = []
    school = School(folder, rng, arguments.processes, arguments.tables, arguments.moves)
    async with school:
        await school.goes_on()
        await asyncio.sleep(WARM_UP)
        while order and len(told) < 2 * arguments.faults:
            kind = order.pop(0)
            found = await suffer(school, kind, quiet=arguments.quiet)
            told.append({"seed": arguments.seed, **found})
            print(json.dumps(told[-1]), flush=True)
            if not counts(found, arguments.stolen):
                order.append(kind)
            if not found["passed"]:
                await school.goes_on()  # what this one left is not counted against the next
    return told


def lines(files: Iterable[Path]) -> list[dict[str, Any]]:
    """The faults that were told and kept, without their sums."""
    told = [json.loads(line) for file in files for line in file.open(encoding="utf-8")]
    return [line for line in told if "fault" in line]


def counts(found: dict[str, Any], stolen: float) -> bool:
    """Whether the host took no more than so many ms of each second; whatever it took, a move
    that was lost and a traceback count."""
    held = found["stolen_ms_per_s"] <= stolen
    return bool(held or found["wrong"] or found["tracebacks"])


def sums(told: list[dict[str, Any]], stolen: float) -> dict[str, Any]:
    """What a table of all faults that count says, by kind."""
    by_kind: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for found in told:
        if counts(found, stolen):
            by_kind[found["fault"]].append(found)
    return {
        kind: {
            "faults": len(each),
            "passed": sum(found["passed"] for found in each),
            "acknowledged": sum(found["acknowledged"] for found in each),
            "wrong": sum(len(found["wrong"]) for found in each),
            "late": max(found["late"] for found in each),
            "back": max(found["back"] for found in each),
        }
        for kind, each in sorted(by_kind.items())
    }


def memory(told: list[dict[str, Any]]) -> dict[str, Any]:
    """Whether it is flat: the slope over all processes' lives, each about its own mean."""
    lives: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    for found in told:
        for pid, megabytes in found["memory"]:
            lives[found["seed"], pid].append((found["at"], megabytes))
    slopes, products, squares = [], 0.0, 0.0
    for life in lives.values():
        warm = [one for one in life if one[0] - life[0][0] >= WARM]
        if len(warm) < 3 or warm[-1][0] - warm[0][0] < LONG_ENOUGH:
            continue
        times, sizes = zip(*warm, strict=True)
        slopes.append(linear_regression(times, sizes).slope * 3600)
        square = variance(times) * (len(times) - 1)
        products, squares = products + slopes[-1] * square, squares + square
    if not slopes:
        return {"processes": 0}
    slope = products / squares
    return {
        "processes": len(slopes),
        "MB an hour": round(slope, 1),
        "of the worst": round(max(slopes), 1),
        "most MB": max(size for life in lives.values() for _, size in life),
        "flat": slope <= GROWTH,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--moves", type=float, default=60.0, help="a second, about")
    parser.add_argument("--faults", type=int, default=15)
    parser.add_argument("--quiet", type=float, default=15.0, help="seconds after each fault")
    parser.add_argument("--only", nargs="*", choices=list(KINDS), help="of these kinds")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument("--keep", type=Path, help="a folder for the logs (made here)")
    parser.add_argument("--stolen", type=float, default=inf, help="ms of a second, at most")
    parser.add_argument(
        "--kept", type=Path, nargs="+", default=[], help="files of lines that count, too"
    )
    parser.add_argument("--sum", type=Path, nargs="+", help="files of lines: only add up")
    arguments = parser.parse_args()
    if arguments.sum:
        told = lines(arguments.sum)
        total = {"sum": sums(told, arguments.stolen), "memory": memory(told)}
        print(json.dumps(total, indent=1))
        return
    with tempfile.TemporaryDirectory(prefix="xactika-faults-") as made:
        folder = arguments.keep or Path(made)
        folder.mkdir(parents=True, exist_ok=True)
        told = uvloop.run(soak(arguments, folder))
    total = {"sum": sums(told, arguments.stolen), "memory": memory(told)}
    print(json.dumps({"seed": arguments.seed, **total}))


if __name__ == "__main__":
    main()
