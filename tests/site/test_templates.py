"""Templates that a person can read: no line is longer than a screen is wide. And what every
page has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

from tests.server import ROOT

LONGEST = 120


def test_no_line_is_too_long() -> None:
    too_long = [
        f"{path.relative_to(ROOT)}:{number}: {len(line)} characters, at most {LONGEST}"
        for path in sorted(
            [
                *(ROOT / "templates").rglob("*.html"),
                *(ROOT / "games" / "static").rglob("*.css"),
                *(ROOT / "lessons" / "static").rglob("*.css"),
            ]
        )
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if len(line) > LONGEST
    ]
    if too_long:
        pytest.fail(
            "wrap these lines of templates and styles:\n" + "\n".join(too_long), pytrace=False
        )


def test_every_page_reads_the_devices_settings_before_it_is_painted() -> None:
    """Before any stylesheet and not deferred, or a page flashes in the wrong colours."""
    pages = [
        text
        for path in sorted((ROOT / "templates").rglob("*.html"))
        if "<!doctype html>" in (text := path.read_text(encoding="utf-8"))
    ]
    assert len(pages) == 3  # base.html, and two that must work without it
    for page in pages:
        head = page[: page.index('rel="stylesheet"')]
        assert head.count("""<script src="{% static "games/settings.js" %}"></script>""") == 1


def test_every_module_of_a_page_says_that_it_has_arrived() -> None:
    """At its end; arrivals.js, which comes first, asks each of them."""
    module = re.compile(r'''src="{% static "([^"]+)" %}" type="module"''')
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "templates").rglob("*.html")]
    names = {name for page in pages for name in module.findall(page)}
    assert len(names) > 30
    for name in names:
        script = Path(str(finders.find(name))).read_text(encoding="utf-8")
        assert script.endswith("window.arrived?.(import.meta.url);\n"), name
    base = (ROOT / "templates" / "base.html").read_text(encoding="utf-8")
    assert re.findall(r"<script src=.*?>", base)[0].count("games/arrivals.js") == 1
    assert not any(
        module.search(page) for page in pages if "<!doctype" in page and page != base
    )
