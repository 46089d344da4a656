"""A class's own sets of questions: read, changed, drawn, saved as a file and read from one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from django.db import transaction
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games.rules import HAND_SIZE, MIN_SEATS
from lessons.exercises import EXERCISES, NoVariant, ask
from lessons.exercises.authored import (
    AUTHORED,
    TEXT,
    Authored,
    Typed,
    localized_word,
    read_questions,
)
from lessons.exercises.contexts import Context, Family, OwnHand, invent
from lessons.exercises.engine import LEVEL
from lessons.models import QuestionSet
from xactika_site.classrooms.models import Classroom, Student
from xactika_site.classrooms.services import Refused, lock_classroom
from xactika_site.randomness import system_rng
from xactika_site.texts import Problem

MOST_SETS, MOST_QUESTIONS, LONGEST = 30, 30, 40_000
VERSION = 1
"""Of the format of files."""
SEATS = MIN_SEATS + 2
"""At the table that a question about given cards imagines."""


Stored = dict[str, Any]
"""What ``lessons.exercises.rebuild`` makes a question from."""


@dataclass(frozen=True, slots=True)
class SetEntry:
    """A question of a set: its number, its title, and what rebuilds it; or what is wrong."""

    number: int
    title: str
    stored: Stored | None = None
    is_typed: bool = False
    line: int = 0
    problem: str = ""


def entries(text: str, rng: Random | None = None) -> tuple[SetEntry, ...]:
    """The questions of a set, in order. Hands are drawn by this generator; without one by the
    text, so that it has the same hands whenever it is looked at."""
    return _entries(text, rng) if rng else _remembered(text, get_language())


@lru_cache(maxsize=64)
def _remembered(text: str, _language: str | None) -> tuple[SetEntry, ...]:
    return _entries(text, None)


def _entries(text: str, rng: Random | None) -> tuple[SetEntry, ...]:
    return tuple(
        _entry(number, each, rng) for number, each in enumerate(read_questions(text), start=1)
    )


def _entry(number: int, each: Authored | Typed | Problem, rng: Random | None) -> SetEntry:
    if isinstance(each, Problem):
        return SetEntry(number, "", line=each.line, problem=str(_(each.message)))
    try:
        stored = _drawn_question(each, rng)
    except Problem as why:
        return SetEntry(number, each.title, line=why.line, problem=str(_(why.message)))
    return SetEntry(number, each.title, stored, isinstance(each, Typed), each.line)


def _drawn_question(each: Authored | Typed, rng: Random | None) -> Stored:
    if isinstance(each, Authored):
        rng = rng or Random(each.source)  # noqa: S311 - no secret
        return {"exercise": AUTHORED.key, "seed": 0, "parameters": each.parameters(rng)}
    exercise = EXERCISES.get(each.exercise)
    if exercise is None or each.level not in ("", *exercise.levels):
        message = _("There’s no question of this type at this level.")
        raise Problem(TEXT, each.line, message)
    context = invent(Random(each.seed), [exercise.family])  # noqa: S311 - no secret
    if each.cards:
        if exercise.family is not Family.OWN_HAND or len(each.cards) != HAND_SIZE:
            message = _("“cards:” are 8, in a question about one’s own hand.")
            raise Problem(TEXT, each.line, message)
        sizes = (HAND_SIZE,) * SEATS
        context = Context(hand=OwnHand(0, each.cards, sizes, invented=True))
    wish = {LEVEL: each.level} if each.level else None
    try:
        return ask(each.exercise, each.seed, context, wish).to_json()
    except NoVariant:
        message = _("No fair question fits these cards. Choose others.")
        raise Problem(TEXT, each.line, message) from None


def of_copy(text: str, copy: int) -> list[SetEntry]:
    """The questions of a set that can be asked, their hands drawn for this copy."""
    rng = Random(f"{copy}.{text}") if copy > 1 else None  # noqa: S311 - no secret
    return [each for each in entries(text, rng) if each.stored]


def question(question_set: QuestionSet, number: int, seed: int) -> Stored:
    """What rebuilds one question of a set, its hand drawn by this seed. Refused where there is
    none, or none that can be read."""
    found = entries(question_set.text, Random(seed))  # noqa: S311 - no secret
    stored = found[number - 1].stored if 0 < number <= len(found) else None
    if stored is None:
        raise Refused(_("That isn’t there any more."))
    return {**stored, "seed": seed}


def askable(classroom: Classroom) -> list[tuple[QuestionSet, list[SetEntry]]]:
    """The class's sets with the questions that can be asked, the latest first; none without."""
    found = classroom.question_sets.order_by("-changed")
    read = [(each, [e for e in entries(each.text) if e.stored]) for each in found]
    return [(each, questions) for each, questions in read if questions]


class Following(NamedTuple):
    """The question that follows another in its set: its number there, its place among those
    that can be asked, and how many these are."""

    number: int
    place: int
    of: int


def following(question_set: QuestionSet, number: int) -> Following | None:
    """The question that follows this number in the set as it is now; None behind the last."""
    numbers = [each.number for each in entries(question_set.text) if each.stored]
    places = (place for place, each in enumerate(numbers, start=1) if each > number)
    place = next(places, None)
    return Following(numbers[place - 1], place, len(numbers)) if place else None


def to_practise(student: Student) -> list[QuestionSet]:
    """The sets that the student's class may practise, the latest first."""
    return list(
        QuestionSet.objects.filter(classroom=student.classroom_id, practice=True).order_by(
            "-changed"
        )
    )


def practice_question(question_set: QuestionSet, last: Stored | None) -> Stored:
    """A question of a set, drawn by chance; another than the last one, where there are others.
    Refused where none can be read."""
    found = [each.stored for each in entries(question_set.text, system_rng) if each.stored]
    others = [stored for stored in found if last is None or not _is_same(stored, last)]
    if not found:
        raise Refused(_("That isn’t there any more."))
    return {**system_rng.choice(others or found), "seed": system_rng.getrandbits(48)}


def _is_same(one: Stored, other: Stored) -> bool:
    """Whether two are the same question, maybe with other cards."""
    texts = [each["parameters"].get("text") for each in (one, other)]
    return bool(one["exercise"] == other["exercise"] and texts[0] == texts[1])


# Writing


@transaction.atomic
def name_not_taken(classroom: Classroom, name: str) -> str:
    """This name, or with the first number from 2 on that no other set of the class has."""
    taken = set(classroom.question_sets.values_list("name", flat=True))
    names = (f"{name[:56]} {n}" for n in range(2, MOST_SETS + 2))
    return name if name not in taken else next(each for each in names if each not in taken)


def create(*, classroom: Classroom, name: str, text: str = "") -> QuestionSet:
    """A new set of the classroom. Refused beyond MOST_SETS, and for a text that is too long."""
    lock_classroom(classroom)
    if classroom.question_sets.count() >= MOST_SETS:
        message = _("A class has at most %(most)d sets. Delete one first.")
        raise Refused(message % {"most": MOST_SETS})
    _check(text)
    return QuestionSet.objects.create(classroom=classroom, name=name, text=text)


@transaction.atomic
def save(
    *, question_set: QuestionSet, name: str, text: str, version: int, practice: bool = False
) -> QuestionSet:
    """The set with this name and text, open to practice or not. Refused where somebody has
    stored another one since ``version``, and for a text that is too long."""
    _check(text)
    now = QuestionSet.objects.select_for_update().get(pk=question_set.pk)
    if now.version != version and (now.text, now.name) != (text, name):
        raise Refused(
            _(
                "This set was changed on another page. Copy your text, open the set again, and "
                "paste it."
            )
        )
    now.name, now.text, now.version, now.practice = name, text, version + 1, practice
    now.save()
    return now


def _check(text: str) -> None:
    if len(text) > LONGEST:
        raise Refused(_("At most %(most)d letters, please.") % {"most": LONGEST})
    if text.count("\n# ") + text.startswith("# ") > MOST_QUESTIONS:
        raise Refused(_("A set has %(most)d questions at most.") % {"most": MOST_QUESTIONS})


# A text, changed by a button


@dataclass(frozen=True, slots=True)
class Removed:
    """A question that was taken out: its number, and its text."""

    number: int
    text: str


def removed_by(text: str, argument: str) -> Removed | None:
    """The question that ``drop`` takes out of a text; None where there is no such."""
    _head, parts = _parts(text)
    number = int(argument) if argument.isdecimal() else 0
    return Removed(number, parts[number - 1].strip()) if 0 < number <= len(parts) else None


def with_removed(text: str, removed: Removed) -> str:
    """The text with a question back in its place."""
    head, parts = _parts(text)
    parts.insert(removed.number - 1, removed.text)
    return _joined(head, parts)


def _parts(text: str) -> tuple[str, list[str]]:
    head, *parts = re.split(r"(?m)^(?=# )", text.replace("\r\n", "\n"))
    return head, parts


def _joined(head: str, parts: list[str]) -> str:
    return head.strip() + "\n\n".join(["", *(part.strip() for part in parts)]).strip() + "\n"


def edited(text: str, action: str, argument: str) -> str:
    """The text with a question moved ``up`` or ``down``, taken out (``drop``), drawn ``again``,
    or one of a type (``add``) or an example (``example``) behind the others. An action on a
    question that is not there leaves it."""
    head, parts = _parts(text)
    if action == "add":
        key, _colon, level = argument.partition(":")
        if key in EXERCISES:
            parts.append(_question_of_type(key, level))
    elif action == "example":
        parts.append(example(argument))
    elif argument.isdecimal() and 0 < int(argument) <= len(parts):
        _edit(parts, action, int(argument) - 1)
    return _joined(head, parts)


def _edit(parts: list[str], action: str, at: int) -> None:
    other = {"up": at - 1, "down": at + 1}.get(action, -1)
    if action == "drop":
        del parts[at]
    elif action == "again":
        parts[at] = re.sub(r"(?m)^(draw|tirage): *\d+", rf"\1: {_seed()}", parts[at])
    elif 0 <= other < len(parts):
        parts[at], parts[other] = parts[other], parts[at]


def _seed() -> int:
    return system_rng.randrange(1, 100_000)


def _question_of_type(key: str, level: str) -> str:
    exercise = EXERCISES[key]
    level = level if level in exercise.levels else exercise.level
    words = [localized_word(word) for word in ("type", "level", "draw")]
    lines = zip(words, (key, level, _seed()), strict=True)
    return "\n".join([f"# {exercise.title}", *(f"{word}: {value}" for word, value in lines)])


def example(kind: str) -> str:
    """The text of a question to begin with, in the active language: a ``choice``, a ``hand``
    that is drawn, or some ``cards``."""
    texts = {
        "cards": _(
            "# The mean of four cards\n"
            "These cards lie on the table. What is the mean of their values?\n"
            "cards: 1332 2113 3331 1122\n"
            "number: Mean value\n"
            "right: mean(value)\n"
            "wrong: sum(value)\n"
            "> You added the values up. How many cards share that sum?\n"
            "hint: Add the values first.\n"
            "solve: They add up to [sum(value)], for [count()] cards."
        ),
        "hand": _(
            "# A 3-star card\n"
            "You hold these cards and draw one more from the rest of the deck. What is the "
            "chance that it has 3 stars?\n"
            "hand: 8\n"
            "chance: Chance of 3 stars\n"
            "right: chance(stars=3)\n"
            "wrong: 27/81\n"
            "> You counted in the whole deck. Which of these cards do you hold already?"
        ),
        "choice": _(
            "# High or low?\n"
            "You draw one card. Which is likelier: a value of 9 or more, or of 7 or less?\n"
            "choice: Likelier is\n"
            "- 9 or more\n"
            "> Count both in the stats table. Which has more cards?\n"
            "- 7 or less\n"
            "+ both are equally likely\n"
            "solve: The values lie evenly around 8: each has 31 of the 81 cards."
        ),
    }
    return texts.get(kind, texts["cards"])


# Files


def as_file(question_set: QuestionSet) -> str:
    """A set as a file that a colleague can open."""
    name = question_set.name.replace("\n", " ")
    return f"questions: {VERSION}\nname: {name}\n\n{question_set.text.strip()}\n"


def from_file(data: bytes) -> tuple[str, str, str]:
    """The name and the text of a set's file, and why it cannot be taken (empty if it can)."""
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return "", "", _("There’s no question in this file.")
    head, mark, rest = text.partition("\n# ")
    if not mark:
        head, mark, rest = ("", "# ", text[2:]) if text.startswith("# ") else (text, "", "")
    values = dict(re.findall(r"(?m)^(questions|name): *(.+)$", head))
    body = f"{mark}{rest}".strip()
    version = values.get("questions", str(VERSION))
    if not body:
        return "", "", _("There’s no question in this file.")
    problem = ""
    if not version.isdecimal() or int(version[:4]) > VERSION:
        problem = _("From a newer version: you can only look at it here.")
    return values.get("name", "").strip()[:60], body, problem


def words_of(found: Sequence[SetEntry]) -> str:
    """E.g. "3 questions"."""
    return ngettext("%d question", "%d questions", len(found)) % len(found)
