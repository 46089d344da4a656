"""Grading: what was typed against what is right, by exact arithmetic, field by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import cached_property

from django.utils.translation import gettext

from games.words import in_percent, sentences
from lessons.exercises.answers import (
    ACCEPTED,
    DIGITS,
    DRAWN,
    MATCHERS,
    Form,
    Nearness,
    Style,
    TypedNumber,
    Unreadable,
    read,
)
from lessons.exercises.engine import Field, Graph, GraphKind, Instance, Value, Wrong, WrongLooks
from lessons.exercises.skills import Misconception
from lessons.exercises.texts import beside, decimal, exact_percent
from lessons.probability import Exact, rounded


class AnswerGrade(Enum):
    """What became of an answer, or of one of its fields."""

    RIGHT = "right"
    WRONG = "wrong"
    FORM = "form"
    """The right value in a form that was not asked for, or not exact enough."""
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The grade, what to tell the student, which misconceptions were recognised, and each
    field's own grade. Only right and wrong answers use an attempt."""

    grade: AnswerGrade
    message: str
    misconceptions: tuple[Misconception, ...] = ()
    fields: Mapping[str, AnswerGrade] = field(default_factory=dict)

    @property
    def uses_attempt(self) -> bool:
        return self.grade in (AnswerGrade.RIGHT, AnswerGrade.WRONG)


def grade(question: Instance, text: str | Mapping[str, str]) -> Verdict:
    """The verdict on what a student typed or chose, by exact arithmetic: values first, forms
    second.

    ``text`` is the text of the only field, or the texts by the fields' keys. An answer that
    cannot be read, in any field, is only told so; nothing about the other fields is said. A
    wrong value uses an attempt in whatever form it comes, or forms would be free guesses.
    """
    texts = {question.fields[0].key: text} if isinstance(text, str) else text
    typed: dict[str, TypedNumber | str] = {}
    troubles: dict[str, str] = {}
    for each in question.fields:
        text = texts.get(each.key) or ""
        try:
            typed[each.key] = _read_answer(each, text, question.right)
        except Unreadable as trouble:
            troubles[each.key] = str(trouble)
    if troubles:
        built = question.graph.fields if question.graph else ()
        in_boxes = {
            key: line
            for key, line in troubles.items()
            if key not in built or texts.get(key, "").strip()
        }
        message = _lines_about(question.fields, in_boxes)
        if question.graph and in_boxes.keys() != troubles.keys():
            message = sentences(how_built(question.graph), message)
        return Verdict(
            AnswerGrade.UNREADABLE,
            message,
            fields=dict.fromkeys(troubles, AnswerGrade.UNREADABLE),
        )
    return _verdict_on(_Attempt(question, typed))


def _read_answer(asked: Field, text: str, right: Mapping[str, Value]) -> TypedNumber | str:
    """The option's key, or the number typed: a bare percentage as a share where one is meant.
    Raises Unreadable."""
    if asked.form is Form.CHOICE:
        if text not in {option.key for option in asked.options}:
            raise Unreadable(gettext("Choose one of the answers."))
        return text
    number = read(text)
    answer = right[asked.key]
    assert not isinstance(answer, str)
    if asked.form is Form.CHANCE and _lacks_percent(number, answer):
        return _as_percent(number)
    if asked.form is Form.PERCENT and _means_percent(number, answer):
        return _as_percent(number)
    return number


def how_built(graph: Graph) -> str:
    """How a graph is built, which an empty one is answered with: nothing is typed there."""
    if graph.kind is GraphKind.PIE:
        return gettext("Drag the round handles, use the buttons, or the arrow keys.")
    return gettext("Drag a bar, tap its height, or use the arrow keys.")


def in_our_notation(question: Instance, texts: Mapping[str, str]) -> dict[str, str]:
    """By field a readable answer as it is stored: options' keys, and numbers as exact
    fractions. It is never what was typed. Raises Unreadable."""
    return {
        each.key: texts[each.key]
        if each.form is Form.CHOICE
        else str(_value(each, texts[each.key], question.right))
        for each in question.fields
    }


def _value(asked: Field, text: str, right: Mapping[str, Value]) -> Fraction:
    """The number stored of a field; where percents are asked for, what 60 stands for."""
    number = _read_answer(asked, text, right) if asked.form is Form.PERCENT else read(text)
    assert isinstance(number, TypedNumber)
    return number.value


def stored_words(form: Form, stored: str) -> str:
    """A stored number as people write it. Where percents are asked for, what is above 2 was
    stored before these were kept as shares."""
    if not stored:
        return ""
    value = Fraction(stored)
    if form is Form.PERCENT:
        return exact_percent(value / 100 if value > 2 else value)
    return stored if "/" in stored else decimal(value)


def _lacks_percent(number: TypedNumber, answer: Exact) -> bool:
    """Whether a bare number such as 37.5 would be the right chance with a percent sign."""
    if number.style is not Style.PLAIN or number.unit is None or number.value <= 1:
        return False
    return MATCHERS[Form.CHANCE](_as_percent(number), answer) is Nearness.EQUAL


def _means_percent(number: TypedNumber, answer: Exact) -> bool:
    """Whether a bare number where percents are asked for is one: all but 0.28 and the like,
    which is a share, unless as a percentage it is right."""
    if number.style is not Style.PLAIN or number.unit is None:
        return False
    is_right = MATCHERS[Form.PERCENT](_as_percent(number), answer) is Nearness.EQUAL
    return is_right or not _looks_like_share(number)


def _looks_like_share(number: TypedNumber) -> bool:
    return number.style is Style.PLAIN and number.pointed and number.value < 1


def _as_percent(number: TypedNumber) -> TypedNumber:
    unit = None if number.unit is None else number.unit / 100
    return replace(number, value=number.value / 100, unit=unit, style=Style.BARE_PERCENT)


def _wanted_words(form: Form) -> str:
    """A line on what a field of this form asks for."""
    match form:
        case Form.DEGREES:
            return gettext("Degrees, please, like 45 or 45°.")
        case Form.PERCENT:
            return gettext("In percent, please, like %(percent)s.") % {
                "percent": in_percent(28)
            }
        case Form.CHANCE:
            words = gettext("A chance, please, like 3/8, %(decimal)s, %(percent)s or 1 in 3.")
            share = Fraction(3, 8)
            return words % {"decimal": decimal(share), "percent": exact_percent(share)}
    return gettext("A plain number, please: no percent sign, no “1 in”.")


FEW = 2
"""Wrong fields of which the size of each is told; of more, how many are right."""


@dataclass(frozen=True)
class _Attempt:
    """A readable answer to a question: by field an option's key, or a number as typed."""

    question: Instance
    typed: Mapping[str, TypedNumber | str]

    @cached_property
    def numbers(self) -> list[tuple[Field, TypedNumber]]:
        """The fields that take a number, with what was typed there."""
        pairs = ((each, self.typed[each.key]) for each in self.question.fields)
        return [(each, typed) for each, typed in pairs if isinstance(typed, TypedNumber)]

    @cached_property
    def matches(self) -> dict[str, Nearness]:
        """By field, how it compares with what is right."""
        return {each.key: self._match_right(each) for each in self.question.fields}

    def _match_right(self, asked: Field) -> Nearness:
        """How a field compares with its right answer, or with what follows from printed
        figures."""
        key, question = asked.key, self.question
        match = self._match(asked, question.right[key])
        others = question.follows.get(key, ())
        if match is Nearness.EQUAL or not others:
            return match
        listed = (wrong.answers[key] for wrong in question.wrong if key in wrong.answers)
        if any(self._match(asked, answer) is Nearness.EQUAL for answer in listed):
            return match
        found = {match, *(self._match(asked, other) for other in others)}
        return next(each for each in Nearness if each in found)  # from equal to other

    def _match(self, asked: Field, answer: Value) -> Nearness:
        typed = self.typed[asked.key]
        if isinstance(typed, str) or isinstance(answer, str):
            return Nearness.EQUAL if typed == answer else Nearness.OTHER
        return MATCHERS[asked.form](typed, answer)

    def mistakes(self, *close: Nearness) -> tuple[Wrong, ...]:
        """The listed wrong answers that this is, if each of its fields is as close."""
        fields = {each.key: each for each in self.question.fields}
        return tuple(
            wrong
            for wrong in self.question.wrong
            if all(self._match(fields[k], a) in close for k, a in wrong.answers.items())
        )

    def looks(self) -> tuple[WrongLooks, ...]:
        """The first of the wrong looks that this graph has."""
        heights = {each.key: number.value for each, number in self.numbers}
        for wrong in self.question.looks:
            if wrong.fits([heights[key] for key in wrong.fields]):
                return (wrong,)
        return ()

    def misformed(self) -> dict[str, str]:
        """By field that was answered in a form not asked for, a line on what it asks for."""
        return {
            each.key: _wanted_words(each.form)
            for each, number in self.numbers
            if number.style not in ACCEPTED[each.form]
        }

    def digits_wanted(self) -> dict[str, str]:
        """By field that is right but for its digits, a line on how many it asks for."""
        return {
            each.key: _digits_words(each.form, number)
            for each, number in self.numbers
            if self.matches[each.key] is Nearness.NEARLY
        }

    def read_as_shares(self, known: Set[str]) -> dict[str, str]:
        """By field that asks for percents and isn't ``known`` to be wrong by a listed mistake,
        a line that says that its 0.6 was read as 60%; a graph shows how it was read."""
        return {
            each.key: _read_as_words(number.value)
            for each, number in self.numbers
            if each.form is Form.PERCENT and each.key not in known and not self.question.graph
            if _looks_like_share(number) and self.matches[each.key] is Nearness.OTHER
        }

    def to_look_at(self) -> str:
        """What can be seen of the numbers themselves where no mistake was recognised: that the
        19 of 19/81 is no chance and 2.5 no count; else how many are right, or which is far
        off."""
        fields, right, matches = self.question.fields, self.question.right, self.matches
        pairs = {
            each: (number.value, answer)
            for each, number in self.numbers
            if matches[each.key] is Nearness.OTHER
            and not isinstance(answer := right[each.key], str)
        }
        lines = {each.key: _impossible(each.form, *pair) for each, pair in pairs.items()}
        if told := _lines_about(fields, {key: line for key, line in lines.items() if line}):
            return told
        wrong = list(matches.values()).count(Nearness.OTHER)
        if self.question.graph is None and 0 < len(pairs) == wrong <= FEW:
            sizes = {each.key: _size_words(each.form, *pair) for each, pair in pairs.items()}
            return _lines_about(fields, sizes)
        right_so_far = list(matches.values()).count(Nearness.EQUAL)
        if len(fields) > 1 and right_so_far:
            facts = {"n": right_so_far, "all": len(fields)}
            return gettext("Right so far: %(n)d of %(all)d. Check the rest.") % facts
        return gettext("Not yet. Check your work.")

    def feedback(self, found: Sequence[Wrong | WrongLooks]) -> str:
        """The lines on the first mistake that was found; what a teacher has written, field by
        field where more than one is wrong."""
        if sum(match is not Nearness.EQUAL for match in self.matches.values()) == 1:
            return found[0].hint if found else ""
        lines: dict[str, str] = {}
        for wrong in found:
            if isinstance(wrong, Wrong) and wrong.misconception is Misconception.AUTHORED:
                for key in wrong.answers:
                    lines.setdefault(key, wrong.hint)
        return _lines_about(self.question.fields, lines) or (found[0].hint if found else "")


def _impossible(form: Form, value: Fraction, answer: Exact) -> str:
    if form in (Form.CHANCE, Form.PERCENT) and not 0 <= value <= 1:
        return gettext("A chance is 0 to 1. How many fit, of how many?")
    is_whole = isinstance(answer, Fraction) and answer.denominator == 1
    if form is Form.COUNT and is_whole and (value < 0 or value.denominator > 1):
        return gettext("A count is a whole number, like 12.")
    return ""


SMALL = 10
"""Counts below it are never far off."""


def _size_words(form: Form, value: Fraction, answer: Exact) -> str:
    """A sentence on whether a number is farther off than half of what is right."""
    exact = rounded(answer, 9)
    if not exact or (form is Form.COUNT and abs(exact) < SMALL):
        return gettext("Not yet. Check your work.")
    if abs(value - exact) <= abs(exact) / 2:
        return gettext("About the right size, but not exact. Check each step.")
    if value < exact:
        return gettext("Far too low. Read the question once more.")
    return gettext("Far too high. Read the question once more.")


def _lines_about(fields: Sequence[Field], lines: Mapping[str, str]) -> str:
    """Lines about some fields as one text; each says which, where it is not of
    all fields."""
    if len(fields) == 1 or (len(lines) == len(fields) and len({*lines.values()}) == 1):
        return next(iter(lines.values()), "")
    labels: dict[str, list[str]] = {}
    for each in fields:
        if each.key in lines:
            labels.setdefault(lines[each.key], []).append(each.label)
    return sentences(*(beside(", ".join(about), line) for line, about in labels.items()))


def _read_as_words(share: Fraction) -> str:
    facts = {"number": decimal(share), "percent": exact_percent(share)}
    return gettext("%(number)s was read as %(percent)s.") % facts


def _digits_words(form: Form, number: TypedNumber) -> str:
    if form is Form.PERCENT and _looks_like_share(number):
        return gettext("Nearly. Give it in percent, to a whole number.")
    if number.digits >= DIGITS or form in DRAWN:
        return gettext("Nearly: round the last digit, don’t cut it off.")
    return gettext("Good so far. Give three digits, not counting zeros in front.")


def _verdict_on(attempt: _Attempt) -> Verdict:
    matches = attempt.matches.values()
    if all(match is Nearness.EQUAL for match in matches):
        first = gettext("The value is right, the form isn’t.")
        lines = {key: sentences(first, line) for key, line in attempt.misformed().items()}
        return _right_verdict(attempt.question, lines)
    found = attempt.mistakes(Nearness.EQUAL)
    if not found and Nearness.OTHER not in matches:
        return _right_verdict(attempt.question, attempt.digits_wanted())
    found = found or attempt.mistakes(Nearness.EQUAL, Nearness.NEARLY)
    # The looks of a graph say more than one of its heights, and less than all of them.
    whole = any(len(wrong.answers) > 1 for wrong in found)
    return _wrong_verdict(attempt, found if whole else (attempt.looks() or found))


def _right_verdict(question: Instance, lines: Mapping[str, str]) -> Verdict:
    """The verdict on right values, but for the forms or digits that these lines ask for: the
    student may write them again."""
    fields = {
        each.key: AnswerGrade.FORM if each.key in lines else AnswerGrade.RIGHT
        for each in question.fields
    }
    if not lines:
        return Verdict(AnswerGrade.RIGHT, gettext("Right!"), fields=fields)
    return Verdict(AnswerGrade.FORM, _lines_about(question.fields, lines), fields=fields)


def _wrong_verdict(attempt: _Attempt, found: Sequence[Wrong | WrongLooks]) -> Verdict:
    question = attempt.question
    codes = tuple(dict.fromkeys(wrong.misconception for wrong in found))
    message = attempt.feedback(found) or attempt.to_look_at()
    known = {key for wrong in found if isinstance(wrong, Wrong) for key in wrong.answers}
    digits = {} if question.graph else attempt.digits_wanted()
    digits = {key: line for key, line in digits.items() if key not in known}
    for lines in (attempt.read_as_shares(known), attempt.misformed(), digits):
        message = sentences(message, _lines_about(question.fields, lines))
    right = {
        key
        for key, match in attempt.matches.items()
        if match is Nearness.EQUAL or (match is Nearness.NEARLY and key not in known)
    }
    fields = {
        key: AnswerGrade.FORM
        if key in digits
        else AnswerGrade.RIGHT
        if key in right
        else AnswerGrade.WRONG
        for key in attempt.matches
    }
    return Verdict(AnswerGrade.WRONG, message, codes, fields)
