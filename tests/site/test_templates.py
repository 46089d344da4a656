"""Templates that a person can read: no line is longer than a screen is wide. And what every
page has."""

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


def test_every_page_reads_the_devices_settings_before_it_is_painted() -> None:
    """Before any stylesheet and not deferred, or a page flashes in the wrong colours."""
    pages = [
        text
        for path in sorted((ROOT / "templates").rglob("*.html"))
        if "<!doctype html>" in (text := path.read_text())
    ]
    assert len(pages) == 5  # base.html, and four that must work without it
    for page in pages:
        head = page[: page.index('rel="stylesheet"')]
        assert head.count("""<script src="{% static "games/settings.js" %}"></script>""") == 1
