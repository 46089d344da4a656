"""Templates that a person can read: no line is longer than a screen is wide."""

from __future__ import annotations

import pytest

from tests.server import ROOT

LONGEST = 120


def test_no_line_is_too_long() -> None:
    too_long = [
        f"{path.relative_to(ROOT)}:{number}: {len(line)} characters, at most {LONGEST}"
        for path in sorted((ROOT / "templates").rglob("*.html"))
        for number, line in enumerate(path.read_text().split("\n"), 1)
        if len(line) > LONGEST
    ]
    if too_long:
        pytest.fail("wrap these lines of templates:\n" + "\n".join(too_long), pytrace=False)
