"""The panels of a class's two tests: what both halves got right, what each student gained, how
each skill and question went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from games.words import semicolon_list
from lessons.assessment.assessed import AnswerSheet, Assessed, mark
from lessons.assessment.gains import (
    FEWEST_A_HALF,
    FEWEST_A_SKILL,
    Gain,
    PairedShares,
    gain_of,
    gain_test,
)
from lessons.exercises.skills import Misconception, Skill
from lessons.measures.grid import Cell, Column, Format, Grid, Link
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.models import Assessment, Question, Taker
from lessons.results.learned.learning_panels import on_two_lines
from lessons.results.words import lesson_title
from lessons.visits.experiments import gain_chance_panel
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.privacy import FEWEST

UNEVEN = 0.25
"""Halves whose means over both tests lie so far apart differ from the start."""


def panels(assessed: Assessed) -> list[Panel]:
    """The panels of tests that may be shown."""
    pairs = assessed.pairs
    if len(pairs) < FEWEST:
        return [gain_panel(assessed)]
    chance = gain_test(pairs, assessed.assessment.length)
    figures = [
        gain_panel(assessed),
        control_panel(assessed),
        skill_gains(assessed),
        student_gains(assessed),
        gain_chance_panel(chance) if chance else None,
    ]
    return [each for each in figures if each is not None]


def control_panel(assessed: Assessed) -> Panel | None:
    """The panel of what a lesson did, in tests with a control. By lesson the share right about
    it of those who had it between the tests beside those who had the other one, in both tests;
    and how much more they gained. None without a control."""
    contrasts = assessed.contrasts()
    if not contrasts:
        return None
    effect = gain_of(contrasts)
    rows = [
        row
        for lesson, of in assessed.by_lesson.items()
        for had_it in (True, False)
        if (row := _control_row(assessed, lesson, of, had_it=had_it)) is not None
    ]
    facts = {
        "students": len(contrasts),
        "least": FEWEST_A_HALF,
        "verdict": _verdict(effect),
        **(_questions_gained(effect, 10) if effect else {}),
        "with": [row for row in rows if row["had_it"]],
        "without": [row for row in rows if not row["had_it"]],
    }
    return panel("gain-control", rows, facts)


def _control_row(
    assessed: Assessed, lesson: str, numbers: list[int], *, had_it: bool
) -> dict[str, Any] | None:
    """What those who had this lesson between the tests, or had not, got right about it."""
    half = [each for each in assessed.taken if (each.lesson == lesson) is had_it]
    pairs = [pair for each in half if (pair := each.pair(numbers)) is not None]
    if not pairs:
        return None
    title = lesson_title(lesson)
    first, second = (sum(shares) / len(pairs) for shares in list(zip(*pairs, strict=True))[:2])
    return {
        "lesson": title,
        "label": on_two_lines(title),
        "had_it": had_it,
        "half": _("had the lesson") if had_it else _("not yet"),
        "students": len(pairs),
        "questions": len(numbers),
        "first": first,
        "second": second,
        "gain": 10 * (second - first),
    }


def about(assessment: Assessment) -> str:
    """What tests are about, in words."""
    if assessment.lesson:
        both = assessment.both_lessons or (assessment.lesson,)
        return " + ".join(lesson_title(each) for each in both)
    return ", ".join(each.title for each in Skill if each.value in assessment.skills)


def own_tests(student: Student) -> Panel | None:
    """What one student got right in the class's tests that are over; None of who took none."""
    asked = Question.objects.filter(
        taker__student=student, taker__assessment__second_closed__isnull=False
    )
    right = Count("answers", filter=Q(answers__right=True))
    counts = {
        (pk, test): n
        for pk, test, n in asked.values_list("taker__assessment", "test").annotate(n=right)
    }
    taken = Assessment.objects.filter(pk__in={pk for pk, _test in counts})
    rows = [
        {
            "name": about(each),
            "first": counts.get((each.pk, 1)),
            "second": counts.get((each.pk, 2)),
            "of": each.length,
        }
        for each in taken.order_by("pk")
    ]
    return panel("own-tests", rows) if rows else None


def gain_panel(assessed: Assessed) -> Panel:
    """The panel of what a class has learnt: the share right of both halves in both tests, and
    what lies between."""
    pairs, length = assessed.pairs, assessed.assessment.length
    if len(pairs) < FEWEST:
        return panel("gain", facts={"n": len(pairs), "least": FEWEST})
    halves = {
        side: [pair for pair in pairs if pair.is_a_first is side] for side in (True, False)
    }
    rows = [
        _half_row(side, test, half) for side, half in halves.items() if half for test in (1, 2)
    ]
    gain = gain_of(pairs)
    alone = sum(
        each.sheets is None and (each.first or each.second) is not None
        for each in assessed.taken
    )
    facts = {
        "students": len(pairs),
        "length": length,
        "least": FEWEST_A_HALF,
        "verdict": _verdict(gain),
        **(_questions_gained(gain, length) if gain else {}),
        "a_first": [row for row in rows if row["is_a_first"]],
        "b_first": [row for row in rows if not row["is_a_first"]],
        "alone": alone,
        "control": bool(assessed.assessment.control_lesson),
        "uneven": _are_uneven(halves),
    }
    return panel("gain", rows, facts)


def _half_row(is_a_first: bool, test: int, half: Sequence[PairedShares]) -> dict[str, Any]:
    form = Taker.Form.A if is_a_first is (test == 1) else Taker.Form.B
    shares = [pair.first if test == 1 else pair.second for pair in half]
    return {
        "half": "A → B" if is_a_first else "B → A",
        "is_a_first": is_a_first,
        "test": _("First test") if test == 1 else _("Second test"),
        "form": form.label,
        "students": len(half),
        "share": sum(shares) / len(shares),
    }


def _verdict(gain: Gain | None) -> Literal["half", "few", "gain", "loss", "open"]:
    """What may be said: nothing of one half, or of few; a gain, a loss, or neither shown."""
    if gain is None:
        return "half"
    if gain.low is None:
        return "few"
    if gain.is_shown:
        return "gain"
    return "loss" if gain.is_loss else "open"


def _questions_gained(gain: Gain, length: int) -> dict[str, Any]:
    """A gain in questions of a form, instead of shares."""
    return {
        "mean": gain.mean * length,
        "low": (gain.low or 0) * length,
        "high": (gain.high or 0) * length,
        "easier": "B" if gain.form_difference > 0 else "A",
        "forms": abs(gain.form_difference) * length,
        "differ": abs(gain.form_difference) * length >= 0.05,
    }


def _are_uneven(halves: dict[bool, list[PairedShares]]) -> bool:
    means = [
        sum(pair.first + pair.second for pair in half) / 2 / len(half)
        for half in halves.values()
        if half
    ]
    return len(means) == 2 and abs(means[0] - means[1]) > UNEVEN


def student_gains(assessed: Assessed) -> Panel:
    """How many students gained how many questions, the forms' difference taken off."""
    pairs, length = assessed.pairs, assessed.assessment.length
    gain = gain_of(pairs)
    own = [gain.of(pair) if gain else pair.gain for pair in pairs]
    counts = Counter(round(each * length) for each in own)
    span = range(min(0, *counts), max(0, *counts) + 1)
    rows = [{"gain": each, "students": counts[each]} for each in span]
    more = sum(n for each, n in counts.items() if each > 0)
    return panel("gain-students", rows, {"n": len(pairs), "more": more})


def skill_gains(assessed: Assessed) -> Panel:
    """The gain in all questions, and in those of each skill that enough students took twice,
    in points of a hundred with its interval (a forest plot)."""
    of_skills = assessed.by_skill if len(assessed.by_skill) > 1 else {}
    is_enough = len(assessed.pairs) >= FEWEST_A_SKILL
    named = [(str(skill.title), numbers) for skill, numbers in of_skills.items() if is_enough]
    rows = [
        _gain_row(name, list(numbers), assessed)
        for name, numbers in [(_("All"), assessed.numbers), *named]
    ]
    return panel("gain-skills", rows, {"skills": len(named)})


def _gain_row(name: str, numbers: list[int], assessed: Assessed) -> dict[str, Any]:
    pairs = assessed.pairs_of(numbers)
    gain = gain_of(pairs)
    has_interval = gain is not None and gain.low is not None and gain.high is not None
    low, high = (100 * (gain.low or 0), 100 * (gain.high or 0)) if gain else (None, None)
    return {
        "name": name,
        "label": on_two_lines(name),
        "questions": len(numbers),
        "first": sum(pair.first for pair in pairs) / len(pairs),
        "second": sum(pair.second for pair in pairs) / len(pairs),
        "gain": 100 * gain.mean if gain else None,
        "low": low if has_interval else None,
        "high": high if has_interval else None,
        "range": (low, high) if has_interval else None,
    }


def questions(assessed: Assessed) -> Panel | None:
    """How each question of both forms went, and which of them tell little; None before anybody
    has begun."""
    if not any(each.first for each in assessed.taken):
        return None
    rows, forms = [], reverse("assessment_forms", args=[assessed.assessment.pk])
    for number in assessed.numbers:
        a, b = (assessed.item(number, form) for form in Taker.Form)
        title = assessed.title(number)
        takers, right = a.takers + b.takers, a.right + b.right
        share = right / takers if takers else None
        tells = [each.discrimination for each in (a, b) if each.discrimination is not None]
        mean = sum(tells) / len(tells) if tells else None
        mistake, mistaken = next(iter((a.mistakes + b.mistakes).most_common(1)), (None, 0))
        rows.append(
            {
                "name": Link(f"{number}. {title}", f"{forms}#question-of-{number}"),
                "level": assessed.level(number),
                "takers": takers,
                "a": a.share,
                "b": b.share,
                "tells": mean,
                "mistake": mistake.title if mistake else "",
                "mistaken": mistaken / takers if mistaken else None,
                "mark": mark(share, mean, takers),
            }
        )
    marked = [row for row in rows if row["mark"]]
    return panel("test-questions", rows, {"marked": len(marked)})


def answers_grid(assessed: Assessed, names: Mapping[int, str]) -> Grid:
    """All answers, a row a student, test and question; students as ``names`` call them."""
    has_control = bool(assessed.assessment.control_lesson)
    rows: list[tuple[Cell, ...]] = []
    for taken in assessed.taken:
        student = names.get(taken.student, "")
        between = (lesson_title(taken.lesson),) if has_control else ()
        for test, sheet in ((1, taken.first), (2, taken.second)):
            form = taken.first_form if test == 1 else taken.first_form.twin
            rows += [
                (student, *between, test, form.label, number, *_cells(assessed, number, sheet))
                for number in (assessed.numbers if sheet else ())
                if sheet is not None
            ]
    columns = (
        Column(_("Student"), Format.TEXT),
        *((Column(_("Lesson"), Format.TEXT),) if has_control else ()),
        *(Column(_("Test")), Column(_("Version"), Format.TEXT)),
        *(Column(_("Question")), Column(_("Type"), Format.TEXT), Column(_("Answered"))),
        *(Column(_("Right")), Column(_("Mistakes"), Format.TEXT)),
    )
    return Grid(_("All answers"), columns, tuple(rows))


def _cells(assessed: Assessed, number: int, sheet: AnswerSheet) -> tuple[Cell, ...]:
    given = sheet.given.get(number)
    is_right, codes = (given.is_right, given.misconceptions) if given else (False, ())
    known = {each.value: each.title for each in Misconception}
    titles = [known.get(code, code) for code in codes]
    return assessed.title(number), int(given is not None), int(is_right), semicolon_list(titles)
