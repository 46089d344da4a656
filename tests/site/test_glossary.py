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
