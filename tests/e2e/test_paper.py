"""The deck as a file for a printer: read back from it, on both papers."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from games.rules import DECK
from tests.scenes.browser import Inspector, Watched

CODES = {each.code for each in DECK}


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext is not installed")
def test_the_deck_is_read_back_from_its_pdf(watched: Watched, tmp_path: Path) -> None:
    inspector = Inspector()
    page = watched.new_page()
    page.goto("/paper/")
    inspector.look(page, "the deck on paper")
    for size in ("A4", "Letter"):
        file = tmp_path / f"{size}.pdf"
        file.write_bytes(page.pdf(format=size, prefer_css_page_size=False))
        text = subprocess.run(
            ["pdftotext", "-layout", str(file), "-"],
            capture_output=True,
            check=True,
            encoding="utf-8",
        ).stdout
        sheets = text.split("\f")[:-1]
        assert len(sheets) == 19  # nine of cards, nine of backs, one to write on
        found = [re.findall(r"\b[123]{4}\b", sheet) for sheet in sheets]
        assert [len(codes) for codes in found] == [9, 0] * 9 + [0]
        assert {code for codes in found for code in codes} == CODES
        assert text.count("not the published game") == 10
    page.goto("/paper/slips/?set=7")
    inspector.look(page, "slips")
    inspector.approves()
