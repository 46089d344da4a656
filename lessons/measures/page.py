"""Pages of measures: the words of a figure, its table's columns and its marks, as a text file.
Nothing is computed in a page; ``measure`` makes panels of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import get_language

from games import words
from lessons.exercises.page_lines import Facts, PageLine, arguments_of, filled, is_translated
from lessons.measures import grid
from lessons.measures.grid import Format
from xactika_site.texts import Entry, Problem, read_sections

PAGES = Path(__file__).parent / "pages"

MARKS = (
    *("bars", "outline", "line", "diagonal", "level", "dots", "dashes", "words"),
    *("slices", "boxes", "intervals", "bands", "ribbons", "strip"),
)
"""What is drawn: data as bars, dots, slices and boxes, their means as dashes, their confidence
intervals; theory as an outline, a line or a level, how far luck goes as bands, ribbons or a
strip; and texts."""

WORDS = (
    *("title", "empty", "say", "caveat", "basis", "scored", "name", "size", "stock"),
    *("column", "heat", "x", "y"),
    *("claim", "number", "summary", "note", "ask", "small"),
    *MARKS,
)


@dataclass(frozen=True, slots=True)
class MeasurePage:
    """The lines of a measure's page."""

    path: Path
    lines: tuple[PageLine, ...]

    def of(self, word: str, facts: Facts) -> Iterator[PageLine]:
        """The lines that begin with this word, as far as these facts choose them."""
        return (line for line in self.lines if line.word == word and line.holds(facts))

    def texts(self, word: str, facts: Facts) -> list[str]:
        """The texts of the lines that begin with this word, where these facts choose them."""
        return [self.text(line, facts) for line in self.of(word, facts)]

    @property
    def small(self) -> MeasurePage:
        """The page of its small chart, whose lines begin with ``small``."""
        lines = (
            replace(line, word=line.arguments[0], arguments=line.arguments[1:])
            for line in self.lines
            if line.word == "small"
        )
        return MeasurePage(self.path, tuple(lines))

    def claim(self, facts: Facts) -> str:
        """The measure at a glance, in a sentence: the title of its small chart."""
        return self.texts("claim", facts)[0]

    def text(self, line: PageLine, facts: Facts) -> str:
        """The text of a line in the reader's language; Problem for a fact that is missing. With
        ``n=fact`` it goes by that number, whole or a decimal."""
        text, number = line.text, None
        if text.startswith("_"):
            text = stock()[text[1:]]
        if plural := options(line).get("n"):
            number = facts[plural]
            number = number if isinstance(number, int) else words.counted_as(number)
        try:
            return filled(text, facts, get_language(), written, n=number)
        except KeyError as missing:
            message = f"nothing is called “[{missing.args[0]}]”"
            raise Problem(self.path, line.number, message) from None


def positional(line: PageLine) -> list[str]:
    """The arguments of a line that are not ``name=value``: columns or facts first, in their
    order, then words such as ``lying``."""
    return [argument for argument in line.arguments if "=" not in argument]


def options(line: PageLine) -> dict[str, str]:
    """The arguments of a line that are ``name=value``."""
    pairs = (argument.partition("=") for argument in line.arguments if "=" in argument)
    return {name: value for name, _equals, value in pairs}


def written(fact: Any, form: str = "") -> str:
    """A text as it is, a number in this form; by itself only a whole one."""
    if isinstance(fact, str):
        return fact
    if not form and (isinstance(fact, bool) or not isinstance(fact, int)):
        raise TypeError(f"{fact!r} needs one of {', '.join(Format)}")
    return grid.written(fact, Format(form or Format.INT))


# Reading


@cache
def page(name: str) -> MeasurePage:
    """The page of this name."""
    return read(PAGES / f"{name}.txt")


def read(path: Path) -> MeasurePage:
    """The page in this file; Problem where it cannot be understood."""
    (section, *others) = read_sections(path, (), WORDS)
    strange = [*section.paragraphs, *(each.heading for each in others)]
    if strange:
        raise Problem(path, strange[0].line, f"a line begins with {', '.join(WORDS)}")
    lines = tuple(_line(path, entry) for entry in section.entries)
    if path.stem != "stock" and not any(line.word == "title" for line in lines):
        raise Problem(path, 1, "a page says “title: What is asked?”")
    return MeasurePage(path, lines)


def _line(path: Path, entry: Entry) -> PageLine:
    number = entry.text.line
    arguments, each, when = arguments_of(path, number, entry.arguments)
    line = PageLine(entry.word, number, entry.text.text, arguments, each, when)
    if entry.word == "column" and (not positional(line) or {*positional(line)[1:]} - {*Format}):
        raise Problem(path, number, f"write “column name {'|'.join(Format)}: Its title”")
    if entry.word == "small" and not {*arguments[:1]} & {"x", "y", *MARKS}:
        raise Problem(path, number, f"write “small” and x, y, {', '.join(MARKS)}")
    return line


@cache
def stock() -> Mapping[str, str]:
    """What many pages say, by name."""
    return {line.arguments[0]: line.text for line in page("stock").lines}


def stock_text(name: str, *, n: int | None = None, **facts: Any) -> str:
    """What many pages say, outside a page; of ``n`` things, where it goes by a number."""
    return filled(stock()[name], facts, get_language(), written, n=n)


def problems() -> Iterator[Problem]:
    """A problem for all that cannot be understood in the pages."""
    for path in sorted(PAGES.glob("*.txt")):
        try:
            read(path)
        except Problem as problem:
            yield problem


def all_texts(folder: Path = PAGES) -> Iterator[tuple[str, str]]:
    """Every text of all pages, as translators get it, with the name of its file; with a bar,
    of one thing and several."""
    for path in sorted(folder.glob("*.txt")):
        for line in read(path).lines:
            if is_translated(line.text):
                yield path.name, line.text
