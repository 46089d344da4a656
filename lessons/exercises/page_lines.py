"""Lines of pages of words: a word with its arguments, on which conditions it is said, and the
``[names]`` in its text. Pages of questions and of measures are made of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext, ngettext, override

from xactika_site.texts import Problem

Facts = Mapping[str, Any]
"""What a page's ``[names]`` and conditions stand for."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A fact that has one of these values, or none of them."""

    fact: str
    values: tuple[str, ...]
    is_negated: bool = False

    def holds(self, facts: Facts) -> bool:
        """Whether the facts meet it; a missing one is empty, a bool is “yes” or “no”."""
        value = facts.get(self.fact, "")
        text = ("no", "yes")[value] if isinstance(value, bool) else str(value)
        return (text in self.values) is not self.is_negated


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line of a page: its word and arguments, the fact that it is repeated for, its
    conditions, its text, the lines below it."""

    word: str
    number: int
    text: str = ""
    arguments: tuple[str, ...] = ()
    each: str = ""
    when: tuple[Condition, ...] = ()
    items: tuple[PageLine, ...] = ()

    def holds(self, facts: Facts) -> bool:
        """Whether its conditions do."""
        return all(condition.holds(facts) for condition in self.when)


def arguments_of(
    path: Path, number: int, text: str
) -> tuple[tuple[str, ...], str, tuple[Condition, ...]]:
    """The arguments before a line's colon, the fact that it is repeated for, its conditions."""
    words, _when, conditions = f" {text} ".partition(" when ")
    words, _each, named = words.partition(" each ")
    return tuple(words.split()), named.strip(), conditions_of(path, number, conditions)


def conditions_of(path: Path, number: int, text: str) -> tuple[Condition, ...]:
    """Conditions on facts, as ``name=value`` and ``name!=value|value``."""
    return tuple(_condition(path, number, each) for each in text.split())


def _condition(path: Path, number: int, text: str) -> Condition:
    match = re.fullmatch(r"(\w+)(!?)=(\S*)", text)
    if not match:
        raise Problem(path, number, "write “when fact=value”, or “fact!=value”")
    return Condition(match[1], tuple(match[3].split("|")), bool(match[2]))


def is_translated(text: str) -> bool:
    """Whether a text says something in a language, or has its colon: not only names, formulas
    and numbers."""
    without = re.sub(r"\[\w+( \S+)?\]|\\\(.*?\\\)", "", text)
    is_worded = re.search(r"[^\W\d_]|: ", without) is not None
    return is_worded and not re.fullmatch(r"_\w+", text)


_HOLE = re.compile(r"\[(\w+(?: [\w%]+)?)\]")
"""A name, and how its number is written: ``[bias signed]``."""


def names_in(text: str) -> list[str]:
    """The ``[names]`` of a text."""
    return [hole.split()[0] for hole in _HOLE.findall(text)]


def printed(fact: Any, form: str = "") -> str:
    """A fact as it stands in a text: texts, and numbers as they are."""
    if isinstance(fact, str):
        return fact
    if form or isinstance(fact, bool) or not hasattr(fact, "numerator"):
        raise TypeError(f"{fact!r} is nothing to print")
    return str(fact)


def filled(
    text: str,
    facts: Facts,
    language: str | None,
    write: Callable[[Any, str], str] = printed,
    *,
    n: int | None = None,
) -> str:
    """A text in this language, with facts for its ``[names]``; KeyError for a missing one. With
    ``n`` the text is “one | several”, of which ``n`` takes its part."""
    pieces = [*_pieces(text, language, n)]
    for place in range(1, len(pieces), 2):
        name, _space, form = pieces[place].partition(" ")
        pieces[place] = write(facts[name], form)
    return "".join(pieces)


@lru_cache(maxsize=16384)
def _pieces(text: str, language: str | None, n: int | None) -> tuple[str, ...]:
    """Text, name, text, name, … and text."""
    if not is_translated(text):
        return tuple(_HOLE.split(text))
    with override(language):
        said = gettext(text) if n is None else ngettext(*both(text), n)
        return tuple(_HOLE.split(said))


def both(text: str) -> tuple[str, str]:
    """What is said of one thing, and of several."""
    one, _bar, several = text.partition(" | ")
    return one, several
