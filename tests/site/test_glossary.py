"""The glossary leads to files that exist."""

import re

import pytest

from tests.server import ROOT

TEXT = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
PATHS = sorted(set(re.findall(r"`((?:games|lessons|xactika_site)/[\w/]+(?:\.py|/))`", TEXT)))


@pytest.mark.parametrize("path", PATHS)
def test_what_it_names_is_there(path: str) -> None:
    assert (ROOT / path).exists()


def test_it_names_some() -> None:
    assert len(PATHS) > 20


def test_names_in_docstrings_are_those_of_something() -> None:
    paths = [
        p for room in ("games", "lessons", "xactika_site") for p in (ROOT / room).rglob("*.py")
    ]
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    words = {"_offers", *re.findall(r"\w+", re.sub(r"``[^`]*``", "", text))}
    named = re.findall(r"``([A-Za-z_]\w*(?:\.\w+)*)``", text)
    assert not {name for name in named if not words.issuperset(name.split("."))}
