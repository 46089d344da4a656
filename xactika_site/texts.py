"""Reads plain text files that teachers write (lessons, chapters, questions) into lines that
know where they stand.

The format is for people who do not program (docs/lessons.md): ``key: value`` lines, headings
that begin with ``#``, lists, paragraphs; what is indented goes on with the line before it.
A page of questions has entries besides, ``word arguments: text`` (docs/questions.md).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from xactika_site.locations import gettext_noop

_KEY = re.compile(r"([a-z][a-z-]*): *(.*)")
_ITEM = re.compile(r"([-+]|\d+\.) +(.*)")


@dataclass(eq=False)  # not frozen: a context manager writes the traceback into it
class Problem(Exception):
    """What is wrong in a file, and where."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{_path_from_here(self.path)}:{self.line}: {self.message}"


def _path_from_here(path: Path) -> Path:
    """The path as it is seen from where the command was given, if it lies below."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


@dataclass(frozen=True, slots=True)
class Text:
    """A text for people, and where it stands."""

    text: str
    line: int


@dataclass(slots=True)
class ListItem:
    """An item of a list: its mark (``-``, ``+`` or a number), its text, and the reply to
    whoever chooses it."""

    mark: str
    text: Text
    reply: Text | None = None


@dataclass(slots=True)
class Entry:
    """A line that begins with a known word: what stands between it and the colon, the text
    after the colon, and the items below."""

    word: str
    arguments: str
    text: Text
    items: list[ListItem] = field(default_factory=list)
    reply: Text | None = None


@dataclass(slots=True)
class TextSection:
    """What stands under one heading (the first section has none): values by key, paragraphs,
    items; and where words are known, entries, which then hold the items."""

    heading: Text
    keys: dict[str, Text] = field(default_factory=dict)
    paragraphs: list[Text] = field(default_factory=list)
    items: list[ListItem] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)


def read_sections(
    path: Path, keys: Collection[str], words: Collection[str] = ()
) -> list[TextSection]:
    """The sections of a file; Problem where a line cannot be read. In the middle of a paragraph
    only these keys begin a new line, and an entry of one of these words."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise Problem(path, 1, "this file is missing") from None
    except UnicodeDecodeError:
        raise Problem(path, 1, "this file is not text in UTF-8") from None
    return sections_of(path, lines, keys, words)


def sections_of(
    path: Path, lines: list[str], keys: Collection[str], words: Collection[str] = ()
) -> list[TextSection]:
    """The sections of a file's lines, as :func:`read_sections` gives them."""
    sections = [TextSection(Text("", 1))]
    # The word, its arguments, its text.
    shape = rf"({'|'.join(words)})((?: +{_ARGUMENT})*)(?:: +(.*)|:?)"
    entry = re.compile(shape) if words else None
    for number, text in _logical_lines(path, lines, keys, entry):
        section = sections[-1]
        if text.startswith("#"):
            if not text.startswith("# "):
                raise Problem(
                    path, number, gettext_noop("a heading begins with one # and a space")
                )
            sections.append(TextSection(Text(text[2:].strip(), number)))
        elif text.startswith("> "):
            answered = _answered(section)
            if answered is None or answered.reply is not None:
                raise Problem(
                    path, number, gettext_noop("a reply (>) belongs right below an item")
                )
            answered.reply = Text(text[2:].strip(), number)
        elif item := _ITEM.fullmatch(text):
            items = section.entries[-1].items if section.entries else section.items
            items.append(ListItem(item[1], Text(item[2], number)))
        elif (pair := _KEY.fullmatch(text)) and (not words or pair[1] in keys):
            if pair[1] in section.keys:
                raise Problem(path, number, f"“{pair[1]}:” stands here twice")
            section.keys[pair[1]] = Text(pair[2], number)
        elif entry and (match := entry.fullmatch(text)):
            section.entries.append(
                Entry(match[1], match[2].strip(), Text(match[3] or "", number))
            )
        else:
            section.paragraphs.append(Text(text, number))
    return sections


def _answered(section: TextSection) -> ListItem | Entry | None:
    """The item or entry of the section to which a reply that stands next belongs."""
    if section.entries:
        last = section.entries[-1]
        return last.items[-1] if last.items else last
    return section.items[-1] if section.items else None


_MARK = re.compile(r"[-+>] |#|\d+\. ")


_ARGUMENT = r"[\w%\[\]=!|/.,*-]+"


def _logical_lines(
    path: Path, lines: list[str], keys: Collection[str], entry: re.Pattern[str] | None
) -> Iterator[tuple[int, str]]:
    """Logical lines: a paragraph's lines are one, and so is what is indented below a line.
    Lines that begin with ``//`` are notes to whoever edits the file."""
    begun: tuple[int, str] | None = None
    for number, line in enumerate(lines, start=1):
        if line.startswith("//"):
            continue
        if "\t" in line:
            raise Problem(path, number, "use spaces, not tabs")
        text = line.strip()
        if begun and (not text or not _is_continued(begun[1], line, keys, entry)):
            yield begun
            begun = None
        if text:
            begun = (begun[0], f"{begun[1]} {text}") if begun else (number, text)
    if begun:
        yield begun


def _is_continued(
    before: str, line: str, keys: Collection[str], entry: re.Pattern[str] | None
) -> bool:
    """Whether a line continues the text before it: indented, or both are of one paragraph."""
    text = line.strip()
    key = _KEY.match(line)
    if _MARK.match(text) or (key and key[1] in keys):
        return False
    if line.startswith(" "):
        return True
    if entry and (entry.fullmatch(before) or (":" in text and entry.fullmatch(text))):
        return False
    return not (_MARK.match(before) or _KEY.match(before))
