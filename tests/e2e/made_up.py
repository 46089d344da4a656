"""The browser tests in a made-up language: with ``XACTIKA_MADE_UP=found.jsonl`` their servers
speak English in which each message stands between two letters that nobody sees and no finder
of Playwright's counts, and browsers set all letters apart, so that texts are a third longer.
Each page that a test opens notes in that file what is not translated and what has no room.

What tests read as text is given to them without the two letters. Some do fail in this mode:
those that look for a text's very beginning or end, or measure letters. It is run to read what
was found: ``python -m tests.e2e.made_up found.jsonl``. docs/languages.md
"""

from __future__ import annotations

import functools
import json
import os
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

BEGIN, END = "\u200b", "\u00ad"
"""A space without width, a hyphen that shows only where a line breaks."""
SPACING = "0.17em"

FOUND = os.environ.get("XACTIKA_MADE_UP", "")
SPEAK = "import tests.e2e.made_up as made_up; made_up.speak()"
"""What a server does first (``start_with``)."""

PATIENCE = 45_000
"""ms; looking takes a page much of its time."""

LOOK = Path(__file__).with_name("look_made_up.js")
PREFIX = "made-up: "


class Marked:
    """English, marked; what Django asks for translations."""

    def to_language(self) -> str:
        return "en"

    language = to_language

    def gettext(self, text: str) -> str:
        return marked(text.rpartition("\x04")[2])

    def ngettext(self, one: str, many: str, n: int) -> str:
        return self.gettext(one if n == 1 else many)


def marked(text: str) -> str:
    """A message in the language; blanks at its ends stay there."""
    inner = text.strip()
    if BEGIN in text or not re.search(r"[^\W\d_]", inner):
        return text
    before, _inner, after = text.partition(inner)
    return f"{before}{BEGIN}{inner}{END}{after}"


def speak() -> None:
    """Whoever speaks English in this process speaks the made-up language."""
    from django.utils.translation import trans_real

    trans_real._translations["en"] = Marked()  # type: ignore[attr-defined]


def script() -> str:
    """What each page runs first."""
    words = json.dumps({"BEGIN": BEGIN, "END": END, "SPACING": SPACING})
    return LOOK.read_text(encoding="utf-8").replace("MADE_UP", words, 1)


def plain(told: Any) -> Any:
    """What a page told, without the letters that nobody sees."""
    if isinstance(told, str):
        return told.replace(BEGIN, "").replace(END, "")
    if isinstance(told, list):
        return [plain(each) for each in told]
    if isinstance(told, dict):
        return {key: plain(value) for key, value in told.items()}
    return told


def read_plainly() -> None:
    """Tests read what pages say as it is without marks."""
    from playwright.sync_api import Locator, Page

    texts = "inner_text text_content all_inner_texts all_text_contents inner_html get_attribute"
    texts += " input_value evaluate evaluate_all"
    for kind, names in ((Locator, texts), (Page, "evaluate content title")):
        for name in names.split():
            setattr(kind, name, _plainly(getattr(kind, name)))


def _plainly(read: Any) -> Any:
    @functools.wraps(read)
    def reads(*arguments: Any, **options: Any) -> Any:
        return plain(read(*arguments, **options))

    return reads


def note(address: str, text: str) -> None:
    """Keep what a page has told by its console, where it is not data of the tests."""
    from tests.made_up import DATA, NO_MESSAGES, WORD

    if not text.startswith(PREFIX):
        return
    found = json.loads(text.removeprefix(PREFIX))
    if found["kind"] == "unmarked":
        said = found["what"].removeprefix("aria-label: ")
        if not set(WORD.findall(said)) - NO_MESSAGES or DATA.fullmatch(said):
            return
    path = urlsplit(address).path
    found["address"] = re.sub(r"(?<=/)(\d+|[b-z]{20}|[^/]{30,})(?=/)", "…", path)
    found["test"] = os.environ.get("PYTEST_CURRENT_TEST", "").partition(" ")[0]
    with Path(FOUND).open("a", encoding="utf-8") as file:
        file.write(json.dumps(found) + "\n")


def report(found: str) -> list[str]:
    """What was found, each thing once, with how often and where first."""
    rows = [json.loads(line) for line in Path(found).read_text(encoding="utf-8").splitlines()]
    looks = [row for row in rows if row["kind"] == "looked"]
    pages, tests = {row["address"] for row in looks}, {row["test"] for row in looks}
    told = [f"{len(looks)} looks at {len(pages)} kinds of pages in {len(tests)} tests"]
    things: Counter[tuple[str, ...]] = Counter()
    first: dict[tuple[str, ...], str] = {}
    thing: tuple[str, ...]
    for row in rows:
        if row["kind"] != "looked":
            thing = (row["kind"], row["where"], re.sub(r"\d+", "0", row["what"]))
            things[thing] += 1
            first.setdefault(thing, f"{row['address']} {row['size']} {row['what']}")
    for thing, times in sorted(things.items()):
        told.append(f"{thing[0]:15} {times:4}  {thing[1]}  |  {first[thing]}")
    return told


if __name__ == "__main__":
    sys.stdout.write("\n".join([*report(sys.argv[1]), ""]))
