"""Questions that a teacher has written: a text that is read, drawn, and made into a question.

A text has questions one after the other, each below its heading (docs/questions.md). It is the
page format of question types, but for what is right: that is an expression over the cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from games.rules import DECK, Card, parse_card
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.engine import (
    TRIES,
    Cards,
    Exercise,
    ExerciseKind,
    Field,
    Hint,
    Instance,
    NoVariant,
    Option,
    Parameters,
    Value,
    Wrong,
)
from lessons.exercises.expressions import NotAnExpression, value_of
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import beside, codes, decimal, exact_percent, math, tex_value
from xactika_site.texts import Entry, ListItem, Problem, Text, TextSection, sections_of

LONGEST = 2000
"""Letters of one question."""
MOST_CARDS, MOST_FIELDS, MOST_WRONG, MOST_OPTIONS = 20, 4, 4, 8
HAND_SIZES = range(1, 21)
SEEDS = 6
"""Draws of a hand in which a question is tried before it is given."""

NUMBERS = {form.value: form for form in (Form.NUMBER, Form.COUNT, Form.CHANCE, Form.PERCENT)}
FRENCH = {
    **{"cartes": "cards", "main": "hand", "nombre": "number", "effectif": "count"},
    **{"probabilité": "chance", "pourcentage": "percent", "choix": "choice"},
    **{"juste": "right", "faux": "wrong", "indice": "hint", "solution": "solve"},
    **{"exercice": "type", "niveau": "level", "tirage": "draw"},
}
"""The words of a text that is written in French; both may be used."""
WORDS = (
    *(*NUMBERS, "cards", "hand", "choice", "right", "wrong", "hint", "solve"),
    *("type", "level", "draw", *FRENCH),
)
TEXT = Path("questions.txt")
_BEGUN = re.compile(r" *([^\W\d_]+)[ \u00a0\u202f]*:(?!/)[ \u00a0\u202f]*")
"""A word and its colon at the beginning of a line, with whatever spaces beside."""
_MARKS = {"–": "-", "—": "-", "•": "-", "−": "-", "＋": "+", "＞": ">"}
_HOLE = re.compile(r"\[([^\[\]]+)\]")


@dataclass(slots=True)
class AuthoredField:
    """A field as it is written: what is right (an expression, or an option's key), wrong
    answers with their feedback, options."""

    word: str
    label: Text
    right: Text | None = None
    wrong: list[tuple[Text, str]] = field(default_factory=list)
    options: list[Option] = field(default_factory=list)


@dataclass(slots=True)
class Authored:
    """A question as it is written: its source, its cards or how many are drawn, its texts."""

    title: str
    line: int
    source: str
    prompt: str
    cards: tuple[Card, ...] = ()
    drawn: int = 0
    hint: str = ""
    fields: list[AuthoredField] = field(default_factory=list)
    solution: list[Text] = field(default_factory=list)

    def parameters(self, rng: Random) -> Parameters:
        """The parameters that rebuild the question, with the cards that it is about. Raises
        Problem where its right and its wrong answers cannot be told apart."""
        for _try in range(TRIES if self.drawn else 1):
            cards = self.cards or tuple(sorted(rng.sample(DECK, self.drawn), key=DECK.index))
            question = self.instance(cards)
            if question.is_fair:
                return question.parameters
        raise self._unfair(question)

    def _unfair(self, question: Instance) -> Problem:
        """The Problem of the line that keeps a question from being asked."""
        lines = [wrong for asked in self.fields for wrong, _feedback in asked.wrong]
        for text, wrong in zip(lines, question.wrong, strict=True):
            if not replace(question, wrong=(wrong,)).is_fair:
                message = _("This is the right answer, or too close to it.")
                return Problem(TEXT, text.line, message)
        return Problem(TEXT, self.line, _("The answer is too close to 0 to ask for."))

    def instance(self, cards: tuple[Card, ...]) -> Instance:
        """The question about these cards."""
        parameters = {"text": self.source, "cards": list(codes(cards))}
        right: dict[str, Value] = {}
        wrong: list[Wrong] = []
        fields = []
        caption = _("Your hand") if self.drawn else _("The cards")
        for number, asked in enumerate(self.fields):
            key = f"f{number}"
            label, options = _filled(asked.label, cards), tuple(asked.options)
            form = NUMBERS.get(asked.word, Form.CHOICE)
            fields.append(Field(key, label, form, options, is_scale=True))
            assert asked.right is not None
            right[key] = _read_answer(asked.right, form, cards, is_right=True)
            wrong += (
                Wrong(Misconception.AUTHORED, {key: _read_answer(value, form, cards)}, feedback)
                for value, feedback in asked.wrong
            )
        return Instance(
            KEY,
            parameters,
            prompt=_filled(Text(self.prompt, self.line), cards),
            fields=tuple(fields),
            right=right,
            wrong=tuple(wrong),
            solution=(
                *(_filled(text, cards) for text in self.solution),
                *(_answer_line(each, right[each.key]) for each in fields),
            ),
            cards=(Cards(caption, codes(cards)),) if cards else (),
            hint=Hint(_filled(Text(self.hint, self.line), cards)) if self.hint else None,
        )


@dataclass(frozen=True, slots=True)
class Typed:
    """A question of one of our types: its level and the seed that draws it, and the very cards
    where it is about a hand."""

    title: str
    line: int
    source: str
    exercise: str
    level: str
    seed: int
    cards: tuple[Card, ...]


# Reading


def read_questions(text: str) -> Iterator[Authored | Typed | Problem]:
    """The questions of a text, in order; the first Problem of each that cannot be read."""
    lines = [_tidied(line) for line in text.replace("\r\n", "\n").split("\n")]
    starts = [n for n, line in enumerate(lines) if line.startswith("# ")]
    if any(line.strip() and not line.startswith("//") for line in lines[: (*starts, None)[0]]):
        yield Problem(TEXT, 1, _("A question begins with a heading, like “# Our hand”."))
    for start, end in pairwise((*starts, len(lines))):
        try:
            yield _read_question(start, tuple(lines[start:end]))
        except Problem as problem:
            yield problem


def _tidied(line: str) -> str:
    """A line as it was meant: "Juste : 3", "–oui" and "#Titre" are "juste: 3", "- oui" and
    "# Titre"."""
    line = line.replace("\t", " ").rstrip()
    match = _BEGUN.match(line)
    if match and match[1].lower() in WORDS:
        return f"{match[1].lower()}: {line[match.end() :]}"
    mark = _MARKS.get(line[:1], line[:1])
    return f"{mark} {line[1:].lstrip()}" if mark in ("-", "+", ">", "#") else line


def _read_question(start: int, lines: tuple[str, ...]) -> Authored | Typed:
    source = "\n".join(lines).strip()
    if len(source) > LONGEST:
        message = _("At most %(most)d letters, please.") % {"most": LONGEST}
        raise Problem(TEXT, start + 1, message)
    _head, section, *_none = sections_of(TEXT, [""] * start + [*lines], (), WORDS)
    _check_colons(lines, start)
    if stray := section.items:
        raise Problem(TEXT, stray[0].text.line, _("A list belongs below “choice: …”."))
    entries = [_checked_in_english(entry) for entry in section.entries]
    if any(entry.word == "type" for entry in entries):
        return _typed_question(section, source, entries)
    return _authored_question(section, source, entries)


def _check_colons(lines: tuple[str, ...], start: int) -> None:
    """A line that begins with one of the words, behind the end of a sentence, lacks a colon."""
    for number, (before, line) in enumerate(pairwise(lines), start=start + 2):
        word = line.split(" ")[0]
        if word in WORDS and (not before or before[-1] in ".!?" or ":" in before):
            message = _("Write “%(word)s:” with a colon right behind the word.")
            raise Problem(TEXT, number, message % {"word": word})


def localized_word(word: str) -> str:
    """A word of the format as the active language says it."""
    in_french = {english: french for french, english in FRENCH.items()}
    return in_french.get(word, word) if get_language() == "fr" else word


def _checked_in_english(entry: Entry) -> Entry:
    """The entry with its word in English. Raises Problem where it has arguments, or no text."""
    if entry.arguments:
        message = _("Write “%(word)s:” with a colon right behind the word.")
        raise Problem(TEXT, entry.text.line, message % {"word": entry.word})
    if not entry.text.text:
        message = _("Something is missing after “%(word)s:”.") % {"word": entry.word}
        raise Problem(TEXT, entry.text.line, message)
    return Entry(FRENCH.get(entry.word, entry.word), "", entry.text, entry.items, entry.reply)


def _typed_question(section: TextSection, source: str, entries: list[Entry]) -> Typed:
    values = {entry.word: entry.text for entry in entries}
    for word, text in values.items():
        if word not in ("type", "level", "draw", "cards"):
            message = _("“%(word)s:” doesn’t belong to this kind of question.")
            raise Problem(TEXT, text.line, message % {"word": localized_word(word)})
    drawn = values.get("draw", Text("1", section.heading.line))
    if not drawn.text.isdecimal() or len(drawn.text) > 9:
        raise Problem(TEXT, drawn.line, _("“draw:” is a number, like 12."))
    level, cards = values.get("level"), values.get("cards")
    return Typed(
        *(section.heading.text, section.heading.line, source, values["type"].text),
        level.text if level else "",
        int(drawn.text),
        _read_cards(cards) if cards else (),
    )


def _read_cards(text: Text) -> tuple[Card, ...]:
    found: list[Card] = []
    for code in text.text.replace(",", " ").split():
        try:
            card = parse_card(code)
        except ValueError:
            message = _("“%(code)s” is no card: write four counts from 1 to 3, like 1332.")
            raise Problem(TEXT, text.line, message % {"code": code[:12]}) from None
        if card in found:
            raise Problem(TEXT, text.line, _("%(code)s is here twice.") % {"code": code})
        found.append(card)
    if len(found) > MOST_CARDS:
        raise _too_many(text.line, MOST_CARDS)
    return tuple(found)


def _authored_question(section: TextSection, source: str, entries: list[Entry]) -> Authored:
    heading = section.heading
    prompt = " ".join(text.text for text in section.paragraphs)
    question = Authored(heading.text, heading.line, source, prompt)
    for entry in entries:
        _take(question, entry)
    first = min((each.label.line for each in question.fields), default=0)
    for text in section.paragraphs:
        if first and text.line > first:
            message = _(
                "Put this line above “%(word)s:”, or begin it with “%(solve)s:” or “%(hint)s:”."
            )
            names = {name: localized_word(name) for name in ("solve", "hint")}
            names["word"] = localized_word(question.fields[0].word)
            raise Problem(TEXT, text.line, message % names)
    if not prompt:
        raise Problem(TEXT, heading.line, _("Write below the heading what you ask."))
    if not question.fields:
        message = _("Add what to fill in, such as “number: The mean”.")
        raise Problem(TEXT, heading.line, message)
    for asked in question.fields:
        if asked.right is None:
            raise Problem(TEXT, asked.label.line, _missing_words(asked))
    for seed in range(SEEDS if question.drawn else 1):
        question.parameters(Random(seed))  # noqa: S311 - not a secret
    return question


def _take(question: Authored, entry: Entry) -> None:
    text = entry.text
    match entry.word:
        case "cards":
            question.cards = _read_cards(text)
        case "hand":
            question.drawn = _hand_size(text)
        case "hint":
            question.hint = text.text
        case "solve":
            question.solution.append(text)
        case "right":
            _number_field_above(question, entry).right = text
        case "wrong":
            _take_wrong(question, entry)
        case "choice" | "number" | "count" | "chance" | "percent":
            _take_field(question, entry)
        case _:
            message = _("“%(word)s:” doesn’t belong to this kind of question.")
            raise Problem(TEXT, text.line, message % {"word": localized_word(entry.word)})


def _take_field(question: Authored, entry: Entry) -> None:
    if len(question.fields) == MOST_FIELDS:
        raise _too_many(entry.text.line, MOST_FIELDS)
    asked = AuthoredField(entry.word, entry.text)
    question.fields.append(asked)
    if entry.word != "choice":
        if entry.items:
            line = entry.items[0].text.line
            raise Problem(TEXT, line, _("A list belongs below “choice: …”."))
        return
    for number, item in enumerate(entry.items[:MOST_OPTIONS]):
        _take_option(asked, item, f"o{number}")
    labels = {option.label for option in asked.options}
    if len(labels) < 2 or len(labels) < len(asked.options):
        message = _("Write different answers below it, a line each: - before a wrong one.")
        raise Problem(TEXT, entry.text.line, message)


def _number_field_above(question: Authored, entry: Entry) -> AuthoredField:
    if not question.fields or question.fields[-1].word == "choice":
        message = _("“%(word)s:” stands below “number:”, “count:”, “chance:” or “percent:”.")
        raise Problem(TEXT, entry.text.line, message % {"word": localized_word(entry.word)})
    return question.fields[-1]


def _take_wrong(question: Authored, entry: Entry) -> None:
    asked, line = _number_field_above(question, entry), entry.text.line
    if entry.reply is None:
        message = _("Write below it, after “>”, what you say to this.")
        raise Problem(TEXT, line, message)
    if len(asked.wrong) == MOST_WRONG:
        raise _too_many(line, MOST_WRONG)
    asked.wrong.append((entry.text, entry.reply.text))


def _take_option(asked: AuthoredField, item: ListItem, key: str) -> None:
    asked.options.append(Option(key, item.text.text))
    if item.mark == "+":
        if asked.right is not None:
            raise Problem(TEXT, item.text.line, _("Mark one answer, the right one, with +."))
        asked.right = Text(key, item.text.line)
    elif item.reply is not None:
        asked.wrong.append((Text(key, item.text.line), item.reply.text))


def _too_many(line: int, most: int) -> Problem:
    return Problem(TEXT, line, _("At most %(most)d of these, please.") % {"most": most})


def _missing_words(asked: AuthoredField) -> str:
    if asked.word == "choice":
        return _("Mark one answer, the right one, with +.")
    return _("Write below it what’s right, such as “right: mean(value)”.")


def _hand_size(text: Text) -> int:
    size = int(text.text[:4]) if text.text.isdecimal() else 0
    if len(text.text) > 2 or size not in HAND_SIZES:
        message = _("“hand:” says how many cards are dealt, from %(low)d to %(high)d.")
        facts = {"low": HAND_SIZES[0], "high": HAND_SIZES[-1]}
        raise Problem(TEXT, text.line, message % facts)
    return size


# Working out


def _read_answer(
    text: Text, form: Form, cards: tuple[Card, ...], *, is_right: bool = False
) -> Value:
    if form is Form.CHOICE:
        return text.text
    value = _value_or_problem(text, text.text, cards)
    most = 1 if is_right else 2  # a student may add up to more than all
    is_share = form in (Form.CHANCE, Form.PERCENT)
    if (form is Form.PERCENT and value > most) or (
        is_right and is_share and not 0 <= value <= 1
    ):
        message = _("Write a chance as 0 to 1, like 3/100; this is %(value)s.")
        raise Problem(TEXT, text.line, message % {"value": decimal(value)})
    if is_right and form is Form.COUNT and value.denominator != 1:
        message = _("A count is a whole number; this is %(value)s.")
        raise Problem(TEXT, text.line, message % {"value": decimal(value)})
    return value


def _value_or_problem(text: Text, expression: str, cards: tuple[Card, ...]) -> Fraction:
    try:
        return value_of(expression, cards)
    except NotAnExpression as problem:
        raise Problem(TEXT, text.line, str(problem)) from None


def _filled(text: Text, cards: tuple[Card, ...]) -> str:
    """A text with the values of the expressions in its brackets; signs stay at their words."""
    bound = re.sub(r" (?=[?!;:»%])", "\u00a0", text.text)
    return _HOLE.sub(lambda hole: decimal(_value_or_problem(text, hole[1], cards)), bound)


def _answer_line(field: Field, right: Value) -> str:
    """A line of the solution that says what is right."""
    if isinstance(right, str):
        return beside(field.label, field.label_of(right))
    assert isinstance(right, Fraction)
    if field.form is Form.PERCENT:
        return beside(field.label, exact_percent(right))
    return beside(field.label, math(tex_value(right)))


def without_answers(question: Instance) -> Instance:
    """An authored question whose solution has its steps alone, for a key that has the answers
    already; any other as it is."""
    if question.exercise != KEY:
        return question
    steps = len(question.solution) - len(question.fields)
    return replace(question, solution=question.solution[:steps])


# The exercise

KEY = "authored"


class AuthoredExercise(Exercise):
    """All questions that teachers have written; their parameters hold the text."""

    number = 0
    key = KEY
    title = gettext_lazy("From your teacher")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBERS, "", 0
    skill = Skill.REASONING
    misconceptions = (Misconception.AUTHORED,)

    def draw(self, rng: Random, context: Context) -> Parameters:
        raise NoVariant(self.key)

    def title_of(self, parameters: Mapping[str, Any]) -> str:
        return _first_question(parameters["text"]).title

    def build(self, parameters: Parameters) -> Instance:
        cards = tuple(map(parse_card, parameters["cards"]))
        return _first_question(parameters["text"]).instance(cards)


@lru_cache(maxsize=256)
def _first_question(text: str) -> Authored:
    found = next(read_questions(text))
    if not isinstance(found, Authored):
        raise ValueError("no question is written here")
    return found


AUTHORED = AuthoredExercise()
