"""The tests nearest to what changed, as many as fit into a breath.

::

    make quick                              # what differs from the last commit, or that commit
    .venv/bin/python -m tests.quick games/tables/prompts.py

Test files are asked in the order of their distance from the changed files: the file itself; the
test of the same name in the mirrored folder; who imports it, directly and then over others; who
stands in the mirrored folder or names the file. No test begins after ``SECONDS``; what was left
out is told, so that ``make unit`` is known to be due. Below a failure stands the changed file
that led to its test. Tests of browsers and of other servers are in lanes of their own.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SECONDS = 9.0
"""After the first test the last may begin so much later."""

FILES = 14
"""So many test files are read: reading one costs as much as running a dozen of its tests."""

WORKERS = 2
PACKAGES = ("xactika_site", "games", "lessons", "tests")
OTHER_LANES = ("tests/e2e/", "tests/live/")
NEAR = 3
"""Up to this distance a file that was left out is named."""

Reasons = dict[str, tuple[int, str]]
"""Of each test file its distance, and the changed file that it is nearest to."""


def changed_files() -> list[str]:
    """The paths that differ from the last commit, or, where none does, that it changed."""

    def paths(*arguments: str) -> list[str]:
        told = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
        return [path for path in told.stdout.splitlines() if (ROOT / path).exists()]

    here = paths("diff", "--name-only", "HEAD")
    here += paths("ls-files", "--others", "--exclude-standard")
    return here or paths("diff", "--name-only", "HEAD~1", "HEAD")


def test_files() -> list[str]:
    """The paths of all test files of this lane."""
    found = (str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py"))
    return sorted(path for path in found if not path.startswith(OTHER_LANES))


def nearest_tests(changed: Iterable[str]) -> Reasons:
    """Every test file that a changed file leads to, the nearest first."""
    import grimp

    graph = grimp.build_graph(*PACKAGES, cache_dir=str(ROOT / ".pytest_cache" / "grimp"))
    files = test_files()
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in files}
    reasons: Reasons = {}

    def lead(path: str, distance: int, why: str) -> None:
        if path in texts and distance < reasons.get(path, (99, ""))[0]:
            reasons[path] = (distance, why)

    for why in changed:
        lead(why, 0, why)
        templates = templates_that_use(why) if why.endswith(".html") else set()
        names = {one.removeprefix("templates/") for one in templates} | {Path(why).name}
        for test, text in texts.items():
            if any(name in text for name in names):
                lead(test, 3, why)
        for path in templates | users({why} | templates):
            for test in texts:
                if (distance := distance_by_name(path, test)) is not None:
                    lead(test, distance, why)
            if (module := module_of(path)) in graph.modules:
                for distance, modules in enumerate(importers(graph, module), start=1):
                    for one in modules:
                        lead(one.replace(".", "/") + ".py", distance, why)
    return dict(sorted(reasons.items(), key=lambda entry: (entry[1][0], entry[0])))


def distance_by_name(path: str, test: str) -> int | None:
    """How near a test file is to a file by where both stand and what they are called."""
    file, folder = Path(path), Path(test).parent
    inside = str(file.parent).removeprefix("templates/")
    room = file.parent.name.removeprefix("xactika_")
    stem = file.stem.removeprefix("_")
    if folder in {Path("tests", inside), Path("tests", room)}:
        return 1 if Path(test).stem.startswith(f"test_{stem}") else 3
    return 2 if folder == Path("tests", inside.partition("/")[0], stem) else None


def module_of(path: str) -> str:
    """The dotted name of a Python file."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def importers(graph: object, module: str) -> Iterable[set[str]]:
    """Who imports a module; who imports these; and so on."""
    seen, edge = {module}, {module}
    while edge:
        found = (graph.find_modules_that_directly_import(one) for one in edge)  # type: ignore[attr-defined]
        edge = set().union(*found) - seen
        seen |= edge
        yield edge


def templates_that_use(path: str) -> set[str]:
    """A template, and those that include or extend it, directly or over others."""
    texts = {
        str(file.relative_to(ROOT)): file.read_text(encoding="utf-8")
        for file in (ROOT / "templates").rglob("*.html")
    }
    found, edge = {path}, {path}
    while edge:
        names = [one.removeprefix("templates/") for one in edge]
        edge = {use for use, text in texts.items() if any(f'"{n}"' in text for n in names)}
        edge -= found
        found |= edge
    return found


def users(paths: set[str]) -> set[str]:
    """The Python files that are meant: themselves, or who names these templates."""
    python = {path for path in paths if path.endswith(".py")}
    names = [path.removeprefix("templates/") for path in paths - python]
    # A table's fragments are rendered by their names alone: render("prompt", …).
    names += [Path(name).stem[1:] for name in names if name.startswith("games/table/_")]
    for package in PACKAGES[:3] if names else ():
        for file in (ROOT / package).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            if any(f'"{name}"' in text for name in names):
                python.add(str(file.relative_to(ROOT)))
    return python


class InTime:
    """Begins no test after the time is over, and tells what was left out."""

    def __init__(self) -> None:
        self.began = 0.0
        self.asked: set[str] = set()
        self.failed: set[str] = set()

    def pytest_runtest_protocol(self) -> bool | None:
        self.began = self.began or time.perf_counter()
        return True if time.perf_counter() - self.began > SECONDS else None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = report.nodeid.partition("::")[0]
        self.asked.add(file)
        if report.failed:
            self.failed.add(file)


def run(reasons: Reasons) -> int:
    """The exit code of the tests, nearest first; tells beside failures what led to them."""
    plugin = InTime()
    files = list(reasons)[:FILES]
    arguments = ["-q", "-n", str(WORKERS), "--dist", "loadfile", "--no-loadscope-reorder"]
    arguments += ["-p", "tests.quick", "--no-header", *files]
    code = int(pytest.main(arguments, plugins=[plugin]))
    for file in sorted(plugin.failed):
        print(f"look at {reasons[file][1]}: it led to {file}")  # noqa: T201
    left_out = [file for file in reasons if file not in plugin.asked]
    if left_out:
        near = [file for file in left_out if reasons[file][0] <= NEAR]
        print(f"left out: {len(left_out)} files ({len(near)} near); make unit asks them")  # noqa: T201
        for file in near[:10]:
            print(f"  {file}")  # noqa: T201
    return code


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(InTime(), "in time")


def main() -> int:
    """The exit code: of no failing test, or of none at all, it is 0."""
    began = time.time()
    changed = sys.argv[1:] or changed_files()
    reasons = nearest_tests(changed)
    if not reasons:
        print(f"No test is near to {', '.join(changed) or 'nothing'}.")  # noqa: T201
        return 0
    code = run(reasons)
    print(f"{time.time() - began:.0f} s")  # noqa: T201
    return 0 if code == pytest.ExitCode.NO_TESTS_COLLECTED else code


if __name__ == "__main__":
    raise SystemExit(main())
