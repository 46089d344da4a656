"""The teacher's guide, as a document and as a page: that they agree, and name what is there."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from tests.games.conftest import plain_static_files  # noqa: F401 (autouse)
from xactika_site import __version__

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENT = (ROOT / "docs" / "teachers-guide.md").read_text(encoding="utf-8")
NO_LABELS = {"Once, before the class comes", "three words to write down"}


@pytest.fixture
def page(db: None) -> str:
    return Client().get("/teach/guide/").text


def test_both_answer_the_same_questions(page: str) -> None:
    of_page = [unescape(title) for title in re.findall(r"<summary>(.+?)</summary>", page)]
    of_document = re.findall(r"^### (.+)$", DOCUMENT, re.MULTILINE)
    titles = re.findall(r"^## (.+)$", DOCUMENT, re.MULTILINE)
    assert of_page == of_document + titles[3:]
    assert all(title in unescape(page) for title in titles[1:])  # its reader has started it


def test_three_screens_come_first_and_all_answers_are_folded(page: str) -> None:
    guide = page.split('<div class="guide">')[1]
    assert guide.index('class="screens"') < guide.index("<ol>")
    folds = re.findall(r"<details[^>]*>", guide)
    assert len(folds) == guide.count("<summary>")
    assert all("prints" in fold and " open" not in fold for fold in folds)


def test_what_it_says_to_press_is_there(page: str) -> None:
    """Every label in bold stands in a template, a form or above a panel, word for word."""
    sources = {*(ROOT / "templates").rglob("*.html"), *ROOT.glob("games/pages/forms.py")}
    sources |= {*ROOT.glob("lessons/results/*/*_panels.py")}
    sources.remove(ROOT / "templates" / "classrooms" / "guide.html")
    words = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    named = {
        " ".join(label.split()) for label in re.findall(r"\*\*(.+?)\*\*", DOCUMENT, re.DOTALL)
    }
    named |= {unescape(label) for label in re.findall(r"<b>(.+?)</b>", page)}
    assert "Start the game" in named
    missing = {label for label in named - NO_LABELS if label.strip("⋯") not in words}
    assert missing == set()


def test_each_system_has_its_commands() -> None:
    start = DOCUMENT[DOCUMENT.index("## Start") : DOCUMENT.index("## Set up your first")]
    assert re.findall(r"^\| (\w+) \|.*`xactika class`", start, re.MULTILINE) == [
        "Windows",
        "macOS",
        "Linux",
    ]
    assert f"xactika_classroom-{__version__}-py3-none-any.whl" in start
    assert "Not yet tried on Windows itself, nor on macOS" in start


def test_its_links_and_pictures_are_there() -> None:
    links = re.findall(r"\]\((.+?)\)", DOCUMENT)
    assert len(links) > 10
    anchors = {
        "#" + re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^## (.+)$", DOCUMENT, re.MULTILINE)
    }
    for link in links:
        if link.startswith("#"):
            assert link in anchors
        else:
            assert (ROOT / "docs" / link).stat().st_size < 150_000
