"""Grading: what was typed against what is right, by exact arithmetic, field by field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction

from django.utils.translation import gettext

from games.words import in_percent, percent_sign, sentences
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
    comma,
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
    return _verdict_on(question, typed)


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


def _wanted_number() -> str:
    return gettext("A plain number, please: no percent sign, no “1 in”.")


def _wanted_degrees() -> str:
    return gettext("Degrees, please, like 45 or 45°.")


def _wanted_percent() -> str:
    return gettext("In percent, please, like %(percent)s.") % {"percent": in_percent(28)}


def _chance_wanted_words() -> str:
    return gettext("A chance, please, like 3/8, %(decimal)s, %(percent)s or 1 in 3.") % {
        "decimal": "0,375" if comma() else "0.375",
        "percent": ("37,5" if comma() else "37.5") + percent_sign(),
    }


_WANTED = {
    Form.COUNT: _wanted_number,
    Form.NUMBER: _wanted_number,
    Form.DEGREES: _wanted_degrees,
    Form.PERCENT: _wanted_percent,
    Form.CHANCE: _chance_wanted_words,
}


FEW = 2
"""Wrong fields of which the size of each is told; of more, how many are right."""


def _to_look_at(
    question: Instance,
    typed: Mapping[str, TypedNumber | str],
    matches: Mapping[str, Nearness],
) -> str:
    """What can be seen of the numbers themselves where no mistake was recognised: that the 19
    of 19/81 is no chance and 2.5 no count; else how many are right, or which is far off."""
    fields, right = question.fields, question.right
    wrong = [each for each in fields if matches[each.key] is Nearness.OTHER]
    pairs = {
        each: (number.value, answer)
        for each in wrong
        if isinstance(number := typed[each.key], TypedNumber)
        and not isinstance(answer := right[each.key], str)
    }
    lines = {each.key: _impossible(each.form, *pair) for each, pair in pairs.items()}
    if told := _lines_about(fields, {key: line for key, line in lines.items() if line}):
        return told
    if question.graph is None and 0 < len(pairs) == len(wrong) <= FEW:
        sizes = {each.key: _size_words(each.form, *pair) for each, pair in pairs.items()}
        return _lines_about(fields, sizes)
    right_so_far = sum(match is Nearness.EQUAL for match in matches.values())
    if len(fields) > 1 and right_so_far:
        facts = {"n": right_so_far, "all": len(fields)}
        return gettext("Right so far: %(n)d of %(all)d. Check the rest.") % facts
    return gettext("Not yet. Check your work.")


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


def _verdict_on(question: Instance, typed: Mapping[str, TypedNumber | str]) -> Verdict:
    forms = {each.key: each.form for each in question.fields}
    matches = {key: _match_right(question, key, forms[key], typed[key]) for key in forms}
    if all(match is Nearness.EQUAL for match in matches.values()):
        return _right_value_verdict(question, typed)
    found = _recognised_mistakes(question, typed, (Nearness.EQUAL,))
    if not found and Nearness.OTHER not in matches.values():
        return _nearly_verdict(question, typed, matches)
    found = found or _recognised_mistakes(question, typed, (Nearness.EQUAL, Nearness.NEARLY))
    # The looks of a graph say more than one of its heights, and less than all of them.
    whole = any(len(wrong.answers) > 1 for wrong in found)
    told = found if whole else (_looks_of(question, typed) or found)
    return _wrong_verdict(question, told, typed, matches)


def _recognised_mistakes(
    question: Instance, typed: Mapping[str, TypedNumber | str], close: tuple[Nearness, ...]
) -> tuple[Wrong, ...]:
    forms = {each.key: each.form for each in question.fields}
    return tuple(
        wrong
        for wrong in question.wrong
        if all(_match(forms[k], typed[k], a) in close for k, a in wrong.answers.items())
    )


def _looks_of(
    question: Instance, typed: Mapping[str, TypedNumber | str]
) -> tuple[WrongLooks, ...]:
    """The first of the wrong looks that this graph has."""
    for wrong in question.looks:
        heights = [
            number.value for k in wrong.fields if isinstance(number := typed[k], TypedNumber)
        ]
        if wrong.fits(heights):
            return (wrong,)
    return ()


def _match_right(
    question: Instance, key: str, form: Form, typed: TypedNumber | str
) -> Nearness:
    """How a field compares with its right answer, or with what follows from printed figures."""
    match = _match(form, typed, question.right[key])
    others = question.follows.get(key, ())
    if match is Nearness.EQUAL or not others:
        return match
    listed = (wrong.answers[key] for wrong in question.wrong if key in wrong.answers)
    if any(_match(form, typed, answer) is Nearness.EQUAL for answer in listed):
        return match
    found = {match, *(_match(form, typed, other) for other in others)}
    return next(each for each in Nearness if each in found)  # from equal to other


def _match(form: Form, typed: TypedNumber | str, answer: Value) -> Nearness:
    if isinstance(typed, str) or isinstance(answer, str):
        return Nearness.EQUAL if typed == answer else Nearness.OTHER
    return MATCHERS[form](typed, answer)


def _right_value_verdict(question: Instance, typed: Mapping[str, TypedNumber | str]) -> Verdict:
    misformed = _misformed(question, typed)
    fields = {
        k: AnswerGrade.FORM if k in misformed else AnswerGrade.RIGHT for k in question.right
    }
    if not misformed:
        return Verdict(AnswerGrade.RIGHT, gettext("Right!"), fields=fields)
    first = gettext("The value is right, the form isn’t.")
    lines = {key: sentences(first, wanted) for key, wanted in misformed.items()}
    return Verdict(AnswerGrade.FORM, _lines_about(question.fields, lines), fields=fields)


def _misformed(question: Instance, typed: Mapping[str, TypedNumber | str]) -> dict[str, str]:
    """By field that was answered in a form not asked for, a line on what it asks for."""
    lines = {}
    for each in question.fields:
        number = typed[each.key]
        if isinstance(number, TypedNumber) and number.style not in ACCEPTED[each.form]:
            lines[each.key] = _WANTED[each.form]()
    return lines


def _nearly_verdict(
    question: Instance, typed: Mapping[str, TypedNumber | str], matches: Mapping[str, Nearness]
) -> Verdict:
    """The verdict on fields that are all right but for digits: the student may write again."""
    lines = _digits_wanted(question, typed, matches)
    fields = {k: AnswerGrade.FORM if k in lines else AnswerGrade.RIGHT for k in matches}
    return Verdict(AnswerGrade.FORM, _lines_about(question.fields, lines), fields=fields)


def _digits_wanted(
    question: Instance, typed: Mapping[str, TypedNumber | str], matches: Mapping[str, Nearness]
) -> dict[str, str]:
    """By field that is right but for its digits, a line on how many it asks for."""
    lines = {}
    for each in question.fields:
        number = typed[each.key]
        if matches[each.key] is Nearness.NEARLY and isinstance(number, TypedNumber):
            if each.form is Form.PERCENT and _looks_like_share(number):
                lines[each.key] = gettext("Nearly. Give it in percent, to a whole number.")
            elif number.digits >= DIGITS or each.form in DRAWN:
                lines[each.key] = gettext("Nearly: round the last digit, don’t cut it off.")
            else:
                lines[each.key] = gettext(
                    "Good so far. Give three digits, not counting zeros in front."
                )
    return lines


def _feedback(
    question: Instance, found: Sequence[Wrong | WrongLooks], matches: Mapping[str, Nearness]
) -> str:
    """The lines on the first mistake that was found; what a teacher has written, field by field
    where more than one is wrong."""
    if sum(match is not Nearness.EQUAL for match in matches.values()) == 1:
        return found[0].hint if found else ""
    lines: dict[str, str] = {}
    for wrong in found:
        if isinstance(wrong, Wrong) and wrong.misconception is Misconception.AUTHORED:
            for key in wrong.answers:
                lines.setdefault(key, wrong.hint)
    return _lines_about(question.fields, lines) or (found[0].hint if found else "")


def _read_as_shares(
    question: Instance,
    known: Set[str],
    typed: Mapping[str, TypedNumber | str],
    matches: Mapping[str, Nearness],
) -> dict[str, str]:
    """By field that asks for percents and isn't ``known`` to be wrong by a listed mistake, a
    line that says that its 0.6 was read as 60%; a graph shows how it was read."""
    lines = {}
    for each in question.fields:
        number = typed[each.key]
        if question.graph or each.form is not Form.PERCENT or each.key in known:
            continue
        assert isinstance(number, TypedNumber)
        if _looks_like_share(number) and matches[each.key] is Nearness.OTHER:
            facts = {"number": decimal(number.value), "percent": exact_percent(number.value)}
            lines[each.key] = gettext("%(number)s was read as %(percent)s.") % facts
    return lines


def _wrong_verdict(
    question: Instance,
    found: Sequence[Wrong | WrongLooks],
    typed: Mapping[str, TypedNumber | str],
    matches: Mapping[str, Nearness],
) -> Verdict:
    misformed = _misformed(question, typed)
    codes = tuple(dict.fromkeys(wrong.misconception for wrong in found))
    message = _feedback(question, found, matches) or _to_look_at(question, typed, matches)
    known = {key for wrong in found if isinstance(wrong, Wrong) for key in wrong.answers}
    digits = {} if question.graph else _digits_wanted(question, typed, matches)
    digits = {key: line for key, line in digits.items() if key not in known}
    for lines in (_read_as_shares(question, known, typed, matches), misformed, digits):
        message = sentences(message, _lines_about(question.fields, lines))
    right = {
        key
        for key, match in matches.items()
        if match is Nearness.EQUAL or (match is Nearness.NEARLY and key not in known)
    }
    fields = {
        key: AnswerGrade.FORM
        if key in digits
        else AnswerGrade.RIGHT
        if key in right
        else AnswerGrade.WRONG
        for key in matches
    }
    return Verdict(AnswerGrade.WRONG, message, codes, fields)
