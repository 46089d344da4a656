"""The file of what was learnt from experts' play, by which they are known again; no kernel.

Made by benchmarks/learnt.py; what its numbers are says kernel/likelihoods.py.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).parent / "experts.txt"

VERSION = "# xactika experts 1"
"""The first line: which numbers a version has, and in which order."""

NUMBERS = 533


@lru_cache
def read() -> tuple[float, ...] | None:
    """The numbers; None where the file is missing, damaged or of another version."""
    try:
        version, *lines = FILE.read_text(encoding="ascii").splitlines()
        numbers = tuple(float(number) for line in lines for number in line.split())
    except (OSError, ValueError):
        return None
    return numbers if (version, len(numbers)) == (VERSION, NUMBERS) else None
