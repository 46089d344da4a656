"""A language of our own making, to find what is not translated: each message stands in brackets
and is a third longer. Whoever speaks it also notes which messages the French catalogue lacks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from html import escape
from html.parser import HTMLParser
from io import BytesIO
from typing import Any
from zipfile import ZipFile

from django.test import Client, override_settings
from django.utils.translation import trans_real

from games.study.learning.chapter_files import chapters
from games.tables.dealing import BOT_NAMES
from lessons.course import lessons
from tests.games.sockets import Socket
from xactika_site.classrooms.names import ADJECTIVES, NOUNS, PHRASE_WORDS

CODE = "fr-ca"
"""A language that Django knows and has no words of; numbers in it are written as in French."""

BEGIN, END = "⟦", "⟧"
LONGER = " longer"
BRACKET = re.compile(f"([{BEGIN}{END}])")
WORD = re.compile(r"[^\W\d_]{3,}")
ATTRIBUTES = {"alt", "aria-label", "placeholder", "title", "aria-description", "aria-valuetext"}
NOT_READ = {"script", "style"}
DRAWN = re.compile(r' (?:[xyr]|[cdxy][xy12]|width|height|min|max|step)="[\d-]*,[^"]*"')
"""Numbers that browsers read, and to whom a decimal comma is none."""

TOKEN = re.compile(r"\b\w{64}\b")
"""What differs in every answer: a form's token."""

NO_MESSAGES = {*ADJECTIVES, *NOUNS, *PHRASE_WORDS, *BOT_NAMES} | set(
    "Xactika XACTIKA English Français CSV xlsx".split()
)
"""Words that are the same in every language: names, and what files are called."""

DATA = re.compile(
    r"[\W\d_]*(teacher|other|another|second|Another|Student \d+|[B-Z]{3} ?[B-Z]{3}|UTC|\.txt"
    r"|[A-Z][\w ]+/[\w /-]+|testserver\S*|https?:\S+)[\W\d_]*"
)
"""What tests have stored: people, classes, codes; time zones, addresses."""


class MadeUp:
    """What Django asks for translations."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def to_language(self) -> str:
        return CODE

    language = to_language

    def gettext(self, text: str) -> str:
        if not text or BEGIN in text:  # said already
            return text
        self.asked.add(text)
        return bracketed(text.rpartition("\x04")[2])

    def ngettext(self, one: str, many: str, n: int) -> str:
        self.asked.add(one)
        return bracketed((one if n in {0, 1} else many).rpartition("\x04")[2])

    @property
    def lacking(self) -> set[str]:
        """What was asked for and is not in the French catalogue; a number need not be."""
        catalogue = trans_real.DjangoTranslation("fr")._catalog  # type: ignore[attr-defined]
        asked = {text for text in self.asked - NO_MESSAGES if not text.isdigit()}
        return {text for text in asked if text not in catalogue and (text, 0) not in catalogue}


def bracketed(text: str) -> str:
    """A message in the language; blanks at its ends stay there."""
    inner = text.strip()
    if not re.search(r"[^\W\d_]", inner):
        return text
    before, _inner, after = text.partition(inner)
    return f"{before}{BEGIN}{inner}{LONGER * max(1, len(inner) // 21)}{END}{after}"


class Page(HTMLParser):
    """Finds words that stand outside of every bracket, where people read or hear them."""

    def __init__(self) -> None:
        super().__init__()
        self.unmarked: list[str] = []
        self._depth = 0
        self._skips = ""
        self._data = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag in NOT_READ or said.get("translate") == "no":
            self._skips = tag
            self._data = ""
            self.is_figure = said.get("type") == "application/json"
        if self._depth:
            return
        for name, value in attrs:
            is_words = (
                name.startswith("data-")
                and " " in (value or "")
                and not re.match("/|.*{", value or "")
            )
            if name in ATTRIBUTES or is_words:
                self._look(value or "", 0)

    def handle_endtag(self, tag: str) -> None:
        if tag == self._skips:
            self._skips = ""
            if self.is_figure:
                self._look_at_figure(json.loads(self._data))

    def handle_data(self, data: str) -> None:
        if self._skips:
            self._data += data
        else:
            self._depth = self._look(data, self._depth)

    def _look_at_figure(self, part: Any) -> None:
        if isinstance(part, dict):
            for key, value in part.items():
                if key in {"text", "title", "name", "ticktext", "labels"}:
                    self._look_at_words(value)
                elif isinstance(value, dict | list):
                    self._look_at_figure(value)
        elif isinstance(part, list):
            for each in part:
                self._look_at_figure(each)

    def _look_at_words(self, value: Any) -> None:
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, str):
                self._look(re.sub("<[^>]*>", " ", each), 0)
            else:
                self._look_at_figure(each)

    def _look(self, text: str, depth: int) -> int:
        outside = []
        for part in BRACKET.split(text):
            depth += (part == BEGIN) - (part == END)
            outside.append(part if depth == 0 else " ")
        said = " ".join("".join(outside).split())
        words = [word for word in WORD.findall(said) if word not in NO_MESSAGES]
        if words and not DATA.fullmatch(said):
            self.unmarked.append(said[:90])
        return depth


@cache
def _titles() -> re.Pattern[str]:
    """The titles of lessons, their steps and the chapters, wherever no bracket begins."""
    named = {
        title for each in lessons() for title in [each.title, *(s.title for s in each.steps)]
    }
    named |= {chapter.title for chapter in chapters()}
    long = sorted((escape(title) for title in named if len(title) > 9), key=len, reverse=True)
    return re.compile(f'(?:{"|".join(map(re.escape, long))})(?={LONGER}|[<"])')


def with_commas(html: str) -> list[str]:
    """Numbers that a browser should read and cannot."""
    return DRAWN.findall(html)


def unmarked(html: str) -> list[str]:
    """Texts of a page, or of a part of one, that are not in the language; titles that a
    text in it names as they stand in English; and numbers that no browser can read."""
    return _unmarked(TOKEN.sub("", html))


@lru_cache(1000)
def _unmarked(html: str) -> list[str]:
    page = Page()
    page.feed(html)
    page.close()
    # Looked at afterwards what stands before: a pattern that begins with it is slow.
    titles = [
        found[0]
        for found in _titles().finditer(html)
        if not html.endswith((BEGIN, "<b>"), 0, found.start())
    ]
    return page.unmarked + titles + with_commas(html)


def _read(kind: str, content: bytes) -> list[str]:
    """The texts of an answer that people read: pages, tables of numbers, the cells of a
    workbook, what a codebook says of each column (whose names programs read)."""
    if "html" in kind or "csv" in kind:
        return [content.decode()]
    if "spreadsheet" in kind:
        with ZipFile(BytesIO(content)) as book:
            words = "xl/sharedStrings.xml"  # there is none where nothing has been played
            text = book.read(words).decode() if words in book.namelist() else ""
            return re.findall("<t[^>]*>[^<]*</t>", text)
    if "zip" in kind:
        with ZipFile(BytesIO(content)) as packed:
            told = packed.read("codebook.txt").decode().splitlines()
            return [re.sub(r"^  \w+ +", "", line) for line in told]
    return []


@contextmanager
def spoken(*, by_all: bool = True) -> Iterator[MadeUp]:
    """The language is everybody's meanwhile, or only offered."""
    languages = [("en", "English"), (CODE, "Français")]
    with override_settings(LANGUAGES=languages, LANGUAGE_CODE=CODE if by_all else "en"):
        made_up = MadeUp()
        trans_real._translations[CODE] = made_up  # type: ignore[attr-defined]
        yield made_up


@contextmanager
def watched() -> Iterator[dict[str, set[str]]]:
    """What the pages that are fetched meanwhile, and the sockets, say in other words, by their
    addresses."""
    found: dict[str, set[str]] = {}
    request, hear = Client.request, Socket.hear

    async def overhear(socket: Socket, *patience: float) -> dict[str, Any]:
        event = await hear(socket, *patience)
        if (text := str(event.get("text", ""))).startswith("<") and (said := unmarked(text)):
            found.setdefault("a socket", set()).update(said)
        return event

    def watch(client: Client, **asked: Any) -> Any:
        response = request(client, **asked)
        kind = response.headers.get("Content-Type", "")
        if not response.streaming:
            texts = {each for text in _read(kind, response.content) for each in unmarked(text)}
            if texts:
                address = re.sub(r"\d+|[b-z]{20}|/[^/]{30,}/", "…", asked["PATH_INFO"])
                found.setdefault(address, set()).update(texts)
        return response

    Client.request = watch  # type: ignore[method-assign, assignment]
    Socket.hear = overhear  # type: ignore[method-assign, assignment]
    try:
        yield found
    finally:
        Client.request = request  # type: ignore[method-assign]
        Socket.hear = hear  # type: ignore[method-assign]
