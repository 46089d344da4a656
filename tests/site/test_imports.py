"""Tests can be moved: what several of them need is in a module of its own. And each is run."""

import ast
import tomllib

from tests.server import ROOT


def test_nothing_is_imported_from_a_test_module() -> None:
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").glob("*.py")]
    assert len(files) > 100
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                names = [
                    node.module or "",
                    *(each.name for each in node.names if not node.module),
                ]
            elif isinstance(node, ast.Import):
                names = [each.name for each in node.names]
            else:
                continue
            parts = {part for name in names for part in name.split(".")}
            found = {part for part in parts if part.startswith("test_")}
            assert not found, f"{file.relative_to(ROOT)}:{node.lineno} imports {found}"


def test_every_folder_of_tests_is_in_a_lane() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    unit = project["tool"]["pytest"]["ini_options"]["testpaths"]
    folders = {file.relative_to(ROOT).parts[1] for file in (ROOT / "tests").rglob("test_*.py")}
    assert folders == {path.removeprefix("tests/") for path in unit} | {"e2e", "live"}
