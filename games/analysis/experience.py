"""The file of what was learnt from experts' play, by which they are known again; no kernel.

Made by benchmarks/learnt.py; what its numbers are says kernel/likelihoods.py.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).parent / "experts.txt"

VERSION = "# xactika experts 3"
"""The first line: which numbers a version has, and in which order."""

PLAYS, BIDS, SEATS = 389, 144, range(2, 9)
"""So many numbers of the plays of two seats, and of the plays of more; then so many of the bids
for each number of seats."""


@lru_cache
def read() -> tuple[float, ...] | None:
    """All numbers of its file, plays' then bids'; None where it is missing, damaged or old."""
    try:
        version, *lines = FILE.read_text(encoding="ascii").splitlines()
        numbers = tuple(float(number) for line in lines for number in line.split())
    except (OSError, ValueError):
        return None
    is_whole = version == VERSION and len(numbers) == 2 * PLAYS + BIDS * len(SEATS)
    return numbers if is_whole else None


def at_table(seats: int) -> tuple[float, ...] | None:
    """The numbers for tables of so many, of plays and of bids; None where there are none."""
    numbers = read()
    if numbers is None or seats not in SEATS:
        return None
    plays = 0 if seats == 2 else PLAYS
    bids = 2 * PLAYS + BIDS * SEATS.index(seats)
    return numbers[plays : plays + PLAYS] + numbers[bids : bids + BIDS]
