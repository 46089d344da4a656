"""Mutation: how many small faults, drawn by a seed, the tests of their own room find.

    python -m tests.mutants COMMIT OUTCOMES.jsonl [--most 60] [--rooms rules,scoring]

draws faults from the files as they stood at COMMIT, by cosmic-ray's operators (it is no
dependency: ``pip install cosmic-ray`` into another environment), and puts one after the other
into the present files, where the line is still there; each is met by the tests of its room
until the first that fails. OUTCOMES gets a line for each, and keeps those that it has.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

SEED = 81
ROOMS = {
    "rules": (
        "games/rules/rounds.py games/rules/cards.py games/rules/notation.py",
        "tests/rules",
    ),
    "scoring": ("games/rules/scoring.py", "tests/rules"),
    "observation": (
        "games/rules/observation.py games/tables/observation.py",
        "tests/rules/test_observation.py tests/games/tables",
    ),
    "grading": (
        "lessons/exercises/grading.py lessons/exercises/answers.py",
        "tests/lessons/exercises",
    ),
    "p-values": (
        "lessons/results/inference.py lessons/results/bids/calibration_band.py",
        "tests/lessons/results/test_bounds_by_hand.py tests/lessons/results",
    ),
    "joining": (
        "games/classes/joining.py",
        "tests/games/pages/test_joining.py tests/games/classes/test_filling.py"
        " tests/games/classes",
    ),
    "retention": ("games/keeping/retention.py", "tests/games/keeping"),
}
"""Of each room its files, and the mirrored folders of tests."""

HEAVY = (
    "numpy hypothesis django.test plotly.graph_objects channels jinja2 xlsxwriter pytest_django"
)


def mutants(commit: str, paths: str) -> Iterator[dict[str, Any]]:
    """Every mutant of these files, shuffled: the line it changes, which of its equals, and what
    it becomes."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names

    sources, drawn = {}, []
    for path in paths.split():
        show = ["git", "show", f"{commit}:{path}"]
        sources[path] = source = subprocess.check_output(show, encoding="utf-8")
        nodes = list(ast_nodes(get_ast(source)))
        for name in sorted(operator_names()):
            operator = get_operator(name)
            if operator.arguments() or name.endswith("no-op"):
                continue
            places = [where for node in nodes for where in operator().mutation_positions(node)]
            drawn += [(path, name, occurrence) for occurrence in range(len(places))]
    Random(SEED).shuffle(drawn)
    for path, name, occurrence in drawn:
        source = sources[path]
        changed = mutate_code(source, get_operator(name)(), occurrence)
        if changed is None or meaning(changed) in (None, meaning(source)):
            continue
        old, new = source.split("\n"), changed.split("\n")
        begin = next(
            n for n, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]
        )
        while old[-1] == new[-1] and min(len(old), len(new)) > begin + 1:
            old.pop()
            new.pop()
        line = "\n".join(old[begin:])
        yield {
            "file": path,
            "operator": name.removeprefix("core/"),
            "occurrence": occurrence,
            "line": begin + 1,
            "old": line,
            "new": "\n".join(new[begin:]),
            "nth": "\n".join(old[:begin]).count(line),
        }


def meaning(source: str) -> str | None:
    """What is run of a source: it without annotations. None for what is no Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            if getattr(node, name, None) is not None:
                setattr(node, name, ast.Constant(0))
    return ast.dump(tree)


def put_in(source: str, mutant: dict[str, Any]) -> str | None:
    """The present source with this fault; None where its line is no longer there."""
    starts = [m.start() for m in re.finditer(re.escape(mutant["old"]), source)]
    if not starts:
        return None
    at = starts[min(mutant["nth"], len(starts) - 1)]
    old, new = str(mutant["old"]), str(mutant["new"])
    return source[:at] + new + source[at + len(old) :]


def outcome_of(tests: str, at_most: float) -> str:
    """What a fork of this process, which has not imported the product, finds by the tests."""
    child = os.fork()
    if not child:
        os.setsid()
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        import pytest

        there = [path for path in tests.split() if Path(path).exists()]
        options = ["-x", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
        options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
        os._exit(min(int(pytest.main([*options, *there])), 100))
    until = time.monotonic() + at_most
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > until:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "timed out"
        time.sleep(0.02)
    return "survived" if ended[1] == 0 else "killed"


def main() -> None:
    """Draw, put in, and tell how many were found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit")
    parser.add_argument("outcomes", type=Path)
    parser.add_argument("--most", type=int, default=60)
    parser.add_argument("--rooms", default=",".join(ROOMS))
    asked = parser.parse_args()
    sys.dont_write_bytecode = True
    for name in HEAVY.split():
        import_module(name)
    asked.outcomes.touch()
    told = [json.loads(line) for line in asked.outcomes.read_text("utf-8").splitlines()]
    known = {tuple(one[key] for key in ("file", "operator", "occurrence")) for one in told}
    for room in asked.rooms.split(","):
        paths, tests = ROOMS[room]
        drawn = list(islice(mutants(asked.commit, paths), asked.most))
        began = time.monotonic()
        if outcome_of(tests, 900) != "survived":
            sys.exit(f"{room}: its tests fail without any fault")
        at_most = 3 * (time.monotonic() - began) + 10
        for mutant in drawn:
            if (mutant["file"], mutant["operator"], mutant["occurrence"]) in known:
                continue
            file = Path(mutant["file"])
            source = file.read_text("utf-8") if file.exists() else ""
            mutant |= {"room": room, "outcome": "gone"}
            if (changed := put_in(source, mutant)) is not None:
                try:
                    file.write_text(changed, "utf-8")
                    mutant["outcome"] = outcome_of(tests, at_most)
                finally:
                    file.write_text(source, "utf-8")
            told.append(mutant)
            with asked.outcomes.open("a", encoding="utf-8") as out:
                out.write(json.dumps(mutant) + "\n")
        found = Counter(one["outcome"] for one in told if one["room"] == room)
        print(room, dict(found), f"{time.monotonic() - began:.0f} s", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
