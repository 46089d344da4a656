"""Reads plain text files that teachers write (lessons, chapters) into lines that know where
they stand.

The format is for people who do not program (docs/lessons.md): ``key: value`` lines, headings
that begin with ``#``, lists, paragraphs; what is indented goes on with the line before it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

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
class Item:
    """An item of a list: its mark (``-``, ``+`` or a number), its text, and the reply to
    whoever chooses it."""

    mark: str
    text: Text
    reply: Text | None = None


@dataclass(slots=True)
class Section:
    """What stands under one heading (the first section has none): values by key, paragraphs,
    items."""

    heading: Text
    keys: dict[str, Text] = field(default_factory=dict)
    paragraphs: list[Text] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)


def read_sections(path: Path, keys: Collection[str]) -> list[Section]:
    """The sections of a file; Problem where a line cannot be read. In the middle of a paragraph
    only these keys begin a new line."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise Problem(path, 1, "this file is missing") from None
    except UnicodeDecodeError:
        raise Problem(path, 1, "this file is not text in UTF-8") from None
    sections = [Section(Text("", 1))]
    for number, text in _logical_lines(path, lines, keys):
        section = sections[-1]
        if text.startswith("#"):
            if not text.startswith("# "):
                raise Problem(path, number, "a heading begins with one # and a space")
            sections.append(Section(Text(text[2:].strip(), number)))
        elif text.startswith("> "):
            if not section.items or section.items[-1].reply is not None:
                raise Problem(path, number, "a reply (>) belongs right below an item")
            section.items[-1].reply = Text(text[2:].strip(), number)
        elif item := _ITEM.fullmatch(text):
            section.items.append(Item(item[1], Text(item[2], number)))
        elif pair := _KEY.fullmatch(text):
            if pair[1] in section.keys:
                raise Problem(path, number, f"“{pair[1]}:” stands here twice")
            section.keys[pair[1]] = Text(pair[2], number)
        else:
            section.paragraphs.append(Text(text, number))
    return sections


_MARK = re.compile(r"[-+>] |#|\d+\. ")


def _logical_lines(
    path: Path, lines: list[str], keys: Collection[str]
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
        if begun and (not text or not _is_continued(begun[1], line, keys)):
            yield begun
            begun = None
        if text:
            begun = (begun[0], f"{begun[1]} {text}") if begun else (number, text)
    if begun:
        yield begun


def _is_continued(before: str, line: str, keys: Collection[str]) -> bool:
    """Whether a line continues the text before it: indented, or both are of one paragraph."""
    key = _KEY.match(line)
    if _MARK.match(line.strip()) or (key and key[1] in keys):
        return False
    return line.startswith(" ") or not (_MARK.match(before) or _KEY.match(before))
