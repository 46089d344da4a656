"""What the students of a class got right in its two tests, question by question."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from django.utils.translation import gettext as _

from lessons.assessment.gains import PairedShares
from lessons.course import lessons
from lessons.exercises import EXERCISES
from lessons.exercises.skills import Misconception, Skill
from lessons.models import Assessment, Question, Taker

FEWEST_TO_TELL_APART = 10
"""Of fewer takers no discrimination is told, and nothing marked."""

TOO_EASY, TOO_HARD, BLIND = 0.9, 0.2, 0.1
"""Shares right beyond which a question tells students apart badly, and the discrimination below
which it does not, by more than its standard error."""


class Given(NamedTuple):
    """A student's answer to a question of a test: whether it is right, what was recognised."""

    is_right: bool
    misconceptions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerSheet:
    """One student's answers in one test, by number; what has none was not reached."""

    length: int
    given: Mapping[int, Given]

    @property
    def counts(self) -> bool:
        """Whether it counts: at least half of its questions were answered."""
        return 2 * len(self.given) >= self.length

    def right(self, numbers: Iterable[int]) -> int:
        """How many of these questions are right."""
        return sum(self.given[each].is_right for each in numbers if each in self.given)


@dataclass(frozen=True, slots=True)
class Taken:
    """What one student, by key, has of the tests; ``first`` and ``second`` are None where
    they were not begun. With a control ``lesson`` came between them."""

    student: int
    first_form: Taker.Form
    first: AnswerSheet | None
    second: AnswerSheet | None
    lesson: str = ""

    @property
    def sheets(self) -> tuple[AnswerSheet, AnswerSheet] | None:
        """The sheets of both tests, where both count."""
        if self.first is None or self.second is None:
            return None
        return (self.first, self.second) if self.first.counts and self.second.counts else None

    def pair(self, numbers: Iterable[int]) -> PairedShares | None:
        """The shares right of these questions in both tests; None without any."""
        of = list(numbers)
        if (sheets := self.sheets) is None or not of:
            return None
        first, second = (sheet.right(of) / len(of) for sheet in sheets)
        return PairedShares(first, second, self.first_form is Taker.Form.A)


@dataclass(frozen=True, slots=True)
class Item:
    """One question of one form: of how many answered how many got it right; the correlation of
    right answers with the share right of the rest of the same sheet (``discrimination``, the
    point-biserial), None where it says nothing; how many made each named mistake."""

    number: int
    form: Taker.Form
    takers: int
    right: int
    discrimination: float | None
    mistakes: Counter[Misconception]

    @property
    def share(self) -> float | None:
        return self.right / self.takers if self.takers else None


@dataclass(frozen=True, slots=True)
class Assessed:
    """A class's tests with all that was answered in them."""

    assessment: Assessment
    taken: tuple[Taken, ...]

    @property
    def numbers(self) -> range:
        return range(1, self.assessment.length + 1)

    @property
    def pairs(self) -> list[PairedShares]:
        """The shares right of everybody with both tests."""
        return self.pairs_of(self.numbers)

    @property
    def by_lesson(self) -> dict[str, list[int]]:
        """By lesson's slug, the numbers of its questions; empty without a control."""
        found: dict[str, list[int]] = {each: [] for each in self.assessment.both_lessons or ()}
        slugs = {each.number: each.slug for each in lessons() if each.slug in found}
        for number in self.numbers:
            exercise = EXERCISES.get(self.exercise(number))
            if exercise is not None and exercise.lesson in slugs:
                found[slugs[exercise.lesson]].append(number)
        return found

    def contrasts(self) -> list[PairedShares]:
        """With a control, a pair for everybody with both tests: by how much more they got right
        about the lesson that came between the tests than about the other one, in the first test
        and in the second; ``is_a_first`` says that theirs is the first of both."""
        numbers = self.by_lesson
        if not numbers or not all(numbers.values()):
            return []
        first, second = numbers
        found = []
        for each in self.taken:
            other = second if each.lesson == first else first
            own_pair = each.pair(numbers.get(each.lesson, ()))
            other_pair = each.pair(numbers[other])
            if own_pair is not None and other_pair is not None:
                before = own_pair.first - other_pair.first
                after = own_pair.second - other_pair.second
                found.append(PairedShares(before, after, each.lesson == first))
        return found

    def exercise(self, number: int) -> str:
        """The type of the question at this place, of both forms."""
        return str(self.assessment.form_a[number - 1]["exercise"])

    @property
    def by_skill(self) -> dict[Skill, list[int]]:
        """By skill, the numbers of its questions."""
        numbers: dict[Skill, list[int]] = defaultdict(list)
        for number in self.numbers:
            if (exercise := EXERCISES.get(self.exercise(number))) is not None:
                numbers[exercise.skill].append(number)
        return dict(numbers)

    def title(self, number: int) -> str:
        """The title of the question at this place; the key of a type that is gone."""
        stored = self.assessment.form_a[number - 1]
        exercise = EXERCISES.get(stored["exercise"])
        return exercise.title_of(stored["parameters"]) if exercise else self.exercise(number)

    def level(self, number: int) -> str:
        """The level of the question at this place; empty for a type that is gone."""
        stored = self.assessment.form_a[number - 1]
        exercise = EXERCISES.get(stored["exercise"])
        return exercise.level_of(stored["parameters"]) if exercise else ""

    def pairs_of(self, numbers: Iterable[int]) -> list[PairedShares]:
        """The shares right of these questions alone."""
        of = list(numbers)
        return [pair for each in self.taken if (pair := each.pair(of)) is not None]

    def sheets(self, form: Taker.Form) -> list[AnswerSheet]:
        """All answers to this form, be it the first test or the second."""
        return [
            sheet
            for each in self.taken
            for sheet, its in (
                (each.first, each.first_form),
                (each.second, each.first_form.twin),
            )
            if sheet is not None and its is form
        ]

    def item(self, number: int, form: Taker.Form) -> Item:
        """The figures of the question at this place of this form."""
        sheets = [each for each in self.sheets(form) if number in each.given]
        given = [sheet.given[number] for sheet in sheets]
        rest = [
            (sheet.right(sheet.given) - one.is_right) / max(1, sheet.length - 1)
            for sheet, one in zip(sheets, given, strict=True)
        ]
        known = {code.value: code for code in Misconception}
        shown = (known[code] for one in given for code in one.misconceptions if code in known)
        return Item(
            number,
            form,
            len(given),
            sum(one.is_right for one in given),
            discrimination([one.is_right for one in given], rest),
            Counter(shown),
        )


def discrimination(right: list[bool], rest: list[float]) -> float | None:
    """The point-biserial correlation of a question with the rest of the test; None of few
    takers, or where one of both is the same for all."""
    n = len(right)
    if n < FEWEST_TO_TELL_APART:
        return None
    share, mean = sum(right) / n, sum(rest) / n
    spread = sqrt(sum((each - mean) ** 2 for each in rest) / n)
    if not 0 < share < 1 or spread < 1e-9:
        return None
    both = sum(each for each, is_right in zip(rest, right, strict=True) if is_right) / n
    return (both - share * mean) / (spread * sqrt(share * (1 - share)))


def mark(share: float | None, tells: float | None, takers: int) -> str:
    """“very easy”, “very hard” or “perhaps misread”; else, or of too few takers, empty."""
    if share is None or takers < FEWEST_TO_TELL_APART:
        return ""
    if share > TOO_EASY:
        return _("very easy")
    if share < TOO_HARD:
        return _("very hard")
    is_blind = tells is not None and tells + 1 / sqrt(takers) < BLIND
    return _("perhaps misread") if is_blind else ""


def assessed(assessment: Assessment) -> Assessed:
    """All answers in a class's tests. Two queries."""
    length = assessment.length
    given: dict[tuple[int, int], dict[int, Given]] = defaultdict(dict)
    rows = Question.objects.filter(taker__assessment=assessment).values_list(
        *("taker", "test", "test_number"),
        *("answers__right", "answers__misconceptions"),
    )
    for taker, test, number, right, codes in rows:
        answers = given[taker, test]
        if right is not None:
            answers[number] = Given(right, tuple(codes))

    def sheet(taker: int, test: int) -> AnswerSheet | None:
        return AnswerSheet(length, given[taker, test]) if (taker, test) in given else None

    return Assessed(
        assessment,
        tuple(
            Taken(
                taker.student_id,
                Taker.Form(taker.first_form),
                sheet(taker.pk, 1),
                sheet(taker.pk, 2),
                taker.lesson,
            )
            for taker in assessment.takers.order_by("pk")
        ),
    )
