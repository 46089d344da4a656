"""Pages of question types: what a type says, as a text file (docs/questions.md). A page is read
here into lines; nothing is computed in it. ``written`` makes questions of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path

from django.utils.translation import get_language

from lessons.exercises import skills
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Family
from lessons.exercises.engine import ExerciseKind, Level, Looks
from lessons.exercises.page_lines import (
    Condition,
    Facts,
    PageLine,
    arguments_of,
    conditions_of,
    filled,
    is_translated,
)
from lessons.exercises.skills import Misconception, Skill
from xactika_site.texts import Entry, ListItem, Problem, Text, TextSection, read_sections

PAGES = Path(__file__).parent / "pages"
STOCK, SKILLS = "stock.txt", skills.WORDS.name
"""The files with what many types say, and with the names of skills and misconceptions."""

HEAD = ("number", "title", "from", "kind", "lesson", "skill", "levels", "level")
NUMBERS = {form.value: form for form in Form if form is not Form.CHOICE}
"""The words of fields that take a number."""
CHOICES = ("choice", "scale")
"""Those of fields with options, drawn in an order by chance or in their own."""
TABLES = ("table", "board")
"""Those of tables; a board's bids are drawn at their seats."""
WORDS = (
    *(*NUMBERS, *CHOICES, *TABLES, "prompt", "name", "cards", "histogram", "graph", "looks"),
    *("show", "wrong", "follows", "solve", "hint", "step"),
)


@dataclass(frozen=True, slots=True)
class PageSection:
    """What stands under one heading: for which levels, on which conditions, its lines."""

    levels: tuple[str, ...]
    when: tuple[Condition, ...]
    lines: tuple[PageLine, ...]


@dataclass(frozen=True, slots=True)
class ExercisePage:
    """A type's page."""

    path: Path
    number: int
    title: str
    family: Family
    kind: ExerciseKind
    lesson: int
    skill: Skill
    levels: tuple[str, ...]
    level: Level
    parts: tuple[PageSection, ...] = field(repr=False)

    @property
    def misconceptions(self) -> tuple[Misconception, ...]:
        """The misconceptions that its wrong answers name, in the order of the page."""
        lines = (line for part in self.parts for line in part.lines)
        named = (line.arguments[0] for line in lines if line.word in ("wrong", "looks"))
        return tuple(dict.fromkeys(map(Misconception, named)))

    def lines(self, level: str, facts: Facts) -> Iterator[PageLine]:
        """The lines of a level that these facts choose; names, which may depend on an item of a
        list, and options are not looked at."""
        for part in self.parts:
            if level in part.levels and all(condition.holds(facts) for condition in part.when):
                yield from (
                    line for line in part.lines if line.word == "name" or line.holds(facts)
                )

    def fail(self, line: int, message: str) -> Problem:
        """What is wrong on a line of it."""
        return Problem(self.path, line, message)


# Reading


def read(path: Path) -> ExercisePage:
    """The page in this file; Problem where it cannot be understood."""
    head, *sections = read_sections(path, HEAD, WORDS)
    if strange := next((text for key, text in head.keys.items() if key not in HEAD), None):
        raise Problem(path, strange.line, f"a page begins with {', '.join(HEAD)}")

    def value(key: str) -> str:
        if key not in head.keys:
            raise Problem(path, 1, f"“{key}:” is missing at the beginning")
        return head.keys[key].text

    levels = tuple(value("levels").split())
    try:
        return ExercisePage(
            path,
            int(value("number")),
            value("title"),
            Family(value("from")),
            ExerciseKind[value("kind").upper()],
            int(value("lesson")),
            Skill(value("skill")),
            levels,
            Level(head.keys["level"].text if "level" in head.keys else levels[0]),
            tuple(_part(path, section, levels) for section in sections),
        )
    except (KeyError, ValueError) as problem:
        raise Problem(path, 1, f"{problem} is not known at the beginning of a page") from None


def _part(path: Path, section: TextSection, levels: tuple[str, ...]) -> PageSection:
    heading = section.heading
    named, _when, conditions = heading.text.partition(" when ")
    if not named or not set(named.split()) <= set(levels):
        raise Problem(path, heading.line, f"a heading names levels, like “# {levels[0]}”")
    if section.keys or section.items:
        strange = [*section.keys.values(), *(item.text for item in section.items)][0]
        raise Problem(path, strange.line, "write “word names: text”, with a known word")
    lines = [
        *(_prompt_line(path, text) for text in section.paragraphs),
        *(_line_of_entry(path, e) for e in section.entries),
    ]
    return PageSection(
        tuple(named.split()),
        conditions_of(path, heading.line, conditions),
        tuple(sorted(lines, key=lambda line: line.number)),
    )


def _prompt_line(path: Path, text: Text) -> PageLine:
    if text.text[0].islower():
        message = f"a prompt begins with a capital, another line with {', '.join(WORDS)}"
        raise Problem(path, text.line, message)
    return PageLine("prompt", text.line, text.text)


def _line_of_entry(path: Path, entry: Entry) -> PageLine:
    if entry.items and entry.word not in (*CHOICES, *TABLES, "graph"):
        stray = entry.items[0].text.line
        raise Problem(path, stray, f"nothing is listed below “{entry.word}”")
    arguments, each, when = arguments_of(path, entry.text.line, entry.arguments)
    line = PageLine(
        entry.word,
        entry.text.line,
        entry.text.text,
        arguments,
        each,
        when,
        tuple(_item(path, entry.word, item) for item in entry.items),
    )
    if line.word == "looks" and (len(arguments) < 2 or arguments[1] not in {*_looks()}):
        message = f"write “looks misconception {'|'.join(_looks())}: feedback”"
        raise Problem(path, line.number, message)
    if line.word in ("wrong", "looks"):
        known = [each.value for each in Misconception]
        if not arguments or arguments[0] not in known:
            message = f"the first word is a misconception: {', '.join(known)}"
            raise Problem(path, line.number, message)
    return line


def _looks() -> tuple[str, ...]:
    return tuple(looks.value.replace(" ", "-") for looks in Looks)


_LABELLED = re.compile(r"((?:[\w\[\]=!|/-]+ ?)+): +(.*)")
_ROW = re.compile(r"((?:each|when) [\w=!|/ -]+): +(.*)")


def _item(path: Path, word: str, item: ListItem) -> PageLine:
    """An option or a series, ``key: label``; a table's row, cells with bars between them."""
    number, text = item.text.line, item.text.text
    match = (_ROW if word in TABLES else _LABELLED).fullmatch(text)
    if not match and word not in TABLES:
        raise Problem(path, number, "write “- its-key: what it says”")
    arguments, each, when = arguments_of(path, number, match[1] if match else "")
    return PageLine("-", number, match[2] if match else text, arguments, each, when)


@cache
def stock() -> Mapping[str, str]:
    """By name, what is told about wrong answers that many types list, and about cards."""
    path = PAGES / STOCK
    (section,) = read_sections(path, ())
    return {name: text.text for name, text in section.keys.items()}


def stock_text(name: str, **facts: object) -> str:
    """What the stock has by this name, with these facts, in the language that is active."""
    return filled(stock()[name], facts, get_language())


# Texts


def texts(page: ExercisePage) -> Iterator[str]:
    """Every text of a page that a person reads, as translators get it."""
    yield page.title
    for part in page.parts:
        for line in part.lines:
            yield from _translated_texts(line)


def all_texts() -> Iterator[tuple[str, str]]:
    """(file name, text) of all texts that a person reads, of all pages and the stock."""
    yield from ((STOCK, text) for text in stock().values())
    yield from ((SKILLS, text) for text in skills.texts())
    for path in sorted(PAGES.glob("*.txt")):
        if path.name not in (STOCK, SKILLS):
            yield from ((path.name, text) for text in texts(read(path)))


def _translated_texts(line: PageLine) -> Iterator[str]:
    has_cells = line.word in TABLES
    yield from filter(is_translated, cells(line.text) if has_cells else (line.text,))
    for item in line.items:
        of_row = cells(item.text) if has_cells else (item.text,)
        yield from filter(is_translated, of_row)


@lru_cache(maxsize=4096)
def cells(text: str) -> tuple[str, ...]:
    """The cells of a table's row, or its caption and head."""
    return tuple(cell.strip() for cell in text.split("|"))
