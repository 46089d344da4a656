"""Homework's bots answer the same plays the same way in every process, on every machine, in
every version."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from games import analysis
from games.analysis import bots
from tests.analysis.homework_bots import SIZES, differences, rounds
from tests.server import ROOT


def test_they_answer_as_they_always_did() -> None:
    assert len(rounds()) == 3 * len(SIZES)
    assert {kept["level"] for kept in rounds()} == set(bots.KEPT)
    assert list(differences()) == []


def in_a_process(seed: str, *arguments: str, without: str = "") -> list[str]:
    """What another process says: whether the kernel is loaded there, then all differences."""
    environment = {
        **os.environ,
        "PYTHONHASHSEED": seed,
        "PYTHONPATH": str(ROOT / "tests/without"),
        "XACTIKA_WITHOUT": without,
    }
    command = [sys.executable, "-m", "tests.analysis.homework_bots", *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=True
    )
    return done.stdout.split("\n")[:-1]


def test_without_the_kernel_and_in_another_order_of_sets() -> None:
    assert in_a_process("1", without="numba,numpy") == ["not ready"]


def test_with_the_kernel_loaded() -> None:
    if analysis.is_impossible():
        pytest.skip("there is no numba here")
    assert in_a_process("22", "load") == ["ready"]
