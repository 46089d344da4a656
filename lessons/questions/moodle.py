"""Questions as Moodle XML: each a question with embedded answers ("cloze"), whose fields are
graded there as here, to three significant digits, with a hint for each mistake that is known.

Format: docs.moodle.org, "Moodle XML format" and "Embedded Answers (Cloze) question type". What
has to be drawn or looked at in a picture is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from html import escape
from xml.etree import ElementTree

from django.utils.translation import gettext as _

from games.rules import parse_card
from games.words import card_words, percent_sign
from lessons.exercises import EXERCISES, Instance
from lessons.exercises.answers import DIGITS, Form
from lessons.exercises.engine import Blank, Field, Value
from lessons.probability import rounded

_ENDS = re.compile("([}#])")


def has_moodle_form(question: Instance) -> bool:
    """Whether a question can be asked in words and boxes alone."""
    return not (question.graph or question.tree or question.histograms)


def moodle_xml(questions: Iterable[Instance], name: str) -> str:
    """The XML of these questions for Moodle's question bank, in a category of this name."""
    quiz = ElementTree.Element("quiz")
    category = ElementTree.SubElement(quiz, "question", type="category")
    _text(category, "category", f"$course$/top/{name.replace('/', '//')}")
    for number, question in enumerate(filter(has_moodle_form, questions), start=1):
        entry = ElementTree.SubElement(quiz, "question", type="cloze")
        title = EXERCISES[question.exercise].title_of(question.parameters)
        _text(entry, "name", f"{number:02} {title}")
        _text(entry, "questiontext", _question_html(question), html=True)
        steps = "".join(f"<li>{escape(step, quote=False)}</li>" for step in question.solution)
        _text(entry, "generalfeedback", f"<ol>{steps}</ol>", html=True)
    ElementTree.indent(quiz)
    return ElementTree.tostring(quiz, encoding="unicode", xml_declaration=True)


def _text(parent: ElementTree.Element, tag: str, text: str, *, html: bool = False) -> None:
    made = ElementTree.SubElement(parent, tag, {"format": "html"} if html else {})
    ElementTree.SubElement(made, "text").text = text


def _question_html(question: Instance) -> str:
    """The question as HTML; a field is a box where it stands."""
    boxes = {each.key: _box(each, question) for each in question.fields}
    parts = [f"<p>{escape(question.prompt, quote=False)}</p>"]
    for cards in question.cards:
        items = "".join(f"<li>{escape(card_words(parse_card(c)))}</li>" for c in cards.codes)
        parts.append(f"<p>{escape(cards.label)}</p><ul>{items}</ul>")
    in_table = set[str]()
    for table in question.tables:
        in_table |= set(table.blanks)
        rows = [[escape(cell) for cell in table.head]] + [
            [boxes[c.field] if isinstance(c, Blank) else escape(c) for c in row]
            for row in table.rows
        ]
        lines = ("<td>" + "</td><td>".join(row) + "</td>" for row in rows)
        caption = f"<caption>{escape(table.caption)}</caption>"
        parts.append(f"<table>{caption}<tr>{'</tr><tr>'.join(lines)}</tr></table>")
    parts += [
        f"<p>{escape(each.label, quote=False)} {boxes[each.key]}</p>"
        for each in question.fields
        if each.key not in in_table
    ]
    return "".join(parts)


def _box(field: Field, question: Instance) -> str:
    """The field as Moodle's embedded answer: the right one, then those of known mistakes."""
    right = question.right[field.key]
    wrong = {
        wrong.answers[field.key]: wrong.hint
        for wrong in question.wrong
        if len(wrong.answers) == 1 and field.key in wrong.answers
    }
    if isinstance(right, str):
        answers = [
            ("=" if option.key == right else "") + _escaped(option.label, wrong.get(option.key))
            for option in field.options
        ]
        return "{1:MULTICHOICE_V:" + "~".join(answers) + "}"
    answers = ["=" + _number(right, field.form)]
    answers += [
        "%0%" + _number(value, field.form, hint)
        for value, hint in wrong.items()
        if not isinstance(value, str)
    ]
    unit = {Form.PERCENT: percent_sign(), Form.DEGREES: "°"}.get(field.form, "")
    is_whole = answers[0].endswith(":0")
    note = "" if unit or is_whole else f" ({_('as a decimal')})"
    return "{1:NUMERICAL:" + "~".join(answers) + "}" + unit + note


def _number(exact: Value, form: Form, hint: str | None = None) -> str:
    """GIFT for a number, ``value:tolerance``: an answer may be off by half a unit of its last
    digit that counts, by nothing where it is whole."""
    assert not isinstance(exact, str)
    value = exact if isinstance(exact, Fraction) else rounded(exact, 30)
    if form is Form.PERCENT:
        value *= 100
    if form is Form.DEGREES:
        return f"{float(value)}:0.5" + _escaped("", hint)
    unit = Fraction(1)
    while value and abs(value) < unit * 10 ** (DIGITS - 1):
        unit /= 10
    while abs(value) >= unit * 10**DIGITS:
        unit *= 10
    near = 0 if value.denominator == 1 else float(unit / 2)
    return f"{float(value):.12g}:{near:.6g}" + _escaped("", hint)


def _escaped(text: str, hint: str | None = None) -> str:
    """GIFT for an answer with its hint."""
    return "#".join(_escape(each) for each in (text, hint) if each is not None)


def _escape(text: str) -> str:
    """A text in which nothing is a sign of GIFT, Moodle's format."""
    return _ENDS.sub(r"\\\1", escape(text, quote=False)).replace("~", "&#126;")
