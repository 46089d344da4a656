"""The few marks that a lesson's texts may hold, and the HTML that they become.

``**bold**``; ``== … ==`` around what a *See* step says on the wall; ``\\( … \\)`` around a
formula in LaTeX; ``[2-star]`` a call, drawn; ``[1332]`` a card's name in words; ``[= name]``
and ``[% name]`` a figure of ``lessons.course.figures``, as a number and as percent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from games.rules import parse_call, parse_card
from games.tables.fragments import call_html
from games.words import call_words, card_words
from lessons import formulas
from lessons.course.figures import FIGURES, figure_text

WALL_MOST = 380
"""Letters that a wall has room for beside a picture."""

_BRACKET = re.compile(r"\[([^\]]*)\]")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_WALL = re.compile(r"==(.+?)==")


def faults(text: str) -> str:
    """A line on what is wrong with the marks in a text; empty if nothing is."""
    plain = re.sub(r"\\\(.*?\\\)", "", text)
    if "\\(" in plain or "\\)" in plain:
        return "a formula needs both \\( and \\)"
    for latex in formulas.formulas(text):
        if latex.count("{") != latex.count("}"):
            return f"a {{ without its }} in the formula {latex}"
        try:
            formulas.mathml(latex)
        except Exception:  # whatever its parser meets
            return f"this formula cannot be read: {latex}"
    for mark in _BRACKET.findall(plain):
        if fault := _fault_of_mark(mark):
            return fault
    rest = _BRACKET.sub("", plain)
    if "[" in rest or "]" in rest:
        return "a [ without its ]"
    if "**" in _BOLD.sub("", plain):
        return "bold needs ** before and after"
    if "==" in _WALL.sub("", plain):
        return "what the wall says needs == before and after"
    if re.search(r"<[a-zA-Z/]", plain):
        return "no HTML here"
    return ""


def _fault_of_mark(mark: str) -> str:
    if mark[:2] in {"= ", "% "}:
        name = mark[2:]
        return "" if name in FIGURES else f"there is no figure “{name}” (docs/lessons.md)"
    try:
        parse_call(mark) if "-" in mark else parse_card(mark)
    except ValueError:
        return f"“[{mark}]” is no card, no call and no figure"
    return ""


def html(text: str) -> SafeString:
    """A text of a lesson as HTML, in the active language."""
    return marked_up(gettext(text)) if text else SafeString("")


def marked_up(text: str) -> SafeString:
    """A text, which is in the reader's language already, with its marks as HTML."""
    parts = re.split(r"(\\\(.*?\\\))", text)
    drawn = []
    for part in parts:
        if part.startswith("\\("):
            drawn.append(formulas.html(part))
        else:
            safe = _BOLD.sub(r"<strong>\1</strong>", str(escape(part.replace("==", ""))))
            drawn.append(_BRACKET.sub(lambda match: str(_mark_html(match[1])), safe))
    return mark_safe("".join(drawn))  # noqa: S308 (escaped above, piece by piece)


def on_wall(text: str) -> str:
    """What of a text, in its reader's language, is marked for the wall; empty if nothing is."""
    return " ".join(_WALL.findall(text))


def wall_fault(texts: Sequence[str]) -> tuple[int, str]:
    """Which of a *See* step's paragraphs, from 0, is not fit for the wall, and why; (0, "") if
    all are. A term in bold is always on it."""
    marked = [on_wall(text) for text in texts]
    for n, text in enumerate(texts):
        if left := _BOLD.search(_WALL.sub("", text)):
            return n, f"“{left[1]}” is not on the wall: put == before and after its sentence"
        if fault := faults(marked[n]):
            return n, fault
    letters = len(_BRACKET.sub("0.00", " ".join(marked)))
    if not letters:
        return 0, "put == before and after what the wall says"
    if letters > WALL_MOST:
        return 0, f"{letters} letters are too many for the wall, {WALL_MOST} at most"
    return 0, ""


def first_sentence(text: str) -> tuple[SafeString, SafeString]:
    """A text's first sentence, and the rest, as HTML in the active language (as ``html``)."""
    source = gettext(text) if text else ""
    for match in re.finditer(r"[.?!](?:\*\*)?(\s+)(?=\S)", source):
        begin, rest = source[: match.start(1)], source[match.end(1) :]
        if begin.count("**") % 2 == 0 and begin.count("\\(") == begin.count("\\)"):
            return marked_up(begin), marked_up(rest)
    return marked_up(source), SafeString("")


def _mark_html(mark: str) -> str:
    if mark[:2] in {"= ", "% "}:
        return str(escape(figure_text(mark[2:], percent=mark[0] == "%")))
    if "-" in mark:
        return call_html(mark)
    return format_html("<b>{}</b>", card_words(parse_card(mark)))


def plain(text: str) -> str:
    """A text of a lesson in words alone, for labels."""
    words = gettext(text)
    words = _BRACKET.sub(lambda match: _mark_words(match[1]), words)
    return words.replace("**", "").replace("==", "")


def _mark_words(mark: str) -> str:
    if mark[:2] in {"= ", "% "}:
        return figure_text(mark[2:], percent=mark[0] == "%")
    return call_words(parse_call(mark)) if "-" in mark else card_words(parse_card(mark))
