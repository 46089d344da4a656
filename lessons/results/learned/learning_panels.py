"""What was learned, as questions and answers; their words are pages of measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.urls import reverse
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from lessons import charts
from lessons.assessment.assessed import mark
from lessons.course import lessons as all_lessons
from lessons.course import standards
from lessons.exercises import EXERCISES
from lessons.exercises.skills import Skill
from lessons.measures.grid import Cell, Column, Format, Grid, Link, Noted, Ratio, shade
from lessons.measures.marks import Merged
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.questions.placement import lessons_asked
from lessons.questions.practice import Mastery
from lessons.results.learned.learning import (
    FEWEST_QUESTIONS,
    Learning,
    RetryCounts,
    Success,
    goes_well,
    help_order,
    practice_order,
    smoothed_share,
    weakest_first,
)
from lessons.results.learned.predictions import LessonProgress
from lessons.results.words import (
    FEW_TO_RANK,
    basis_words,
    first_names,
    guide_of,
    lesson_by_number,
    lesson_words,
    percent,
    quoted,
)
from xactika_site.classrooms.privacy import FEWEST

MOST_BARS = 5
"""Bars that a chart of the usual height has room for on a phone."""


def panels(
    learning: Learning,
    lessons: Sequence[LessonProgress],
    *,
    is_shared: bool = False,
    is_teacher: bool = False,
    session: int | None = None,
    is_final: bool = False,
) -> list[Panel]:
    """Skills, misconceptions, predictions and exercises of a class, or of one ``session``; once
    it is over (``is_final``) none that would still have to be filled."""
    figures: list[tuple[Panel, int]] = []
    if learning.attempts or not (is_final or learning.own):
        told = [
            skills(learning),
            misconceptions(learning, is_teacher=is_teacher, session=session),
            exercises(learning),
            *([by_standards(learning)] if is_teacher else []),
        ]
        figures += [(each, len(learning.students)) for each in told]
    if learning.own:
        figures.append((own_questions(learning), len(learning.own_students)))
    expected = predictions(lessons, came=len(learning.names))
    if not (expected.is_empty and is_final):
        people = max((progress.students for progress in lessons), default=0)
        figures.insert(1, (expected, people or FEWEST))
    if learning.again.mistakes:
        figures.append((turns_again(learning.again), learning.again.students))
    return [each.shown_to(students, is_shared=is_shared) for each, students in figures]


def placement(placed: Mapping[int, int]) -> Panel | None:
    """How many students would begin with each lesson, by the check in practice; None where
    nobody took it."""
    if not placed:
        return None
    counts = Counter(placed.values())
    rows = [
        {"name": lesson_words(lesson), "label": str(lesson), "students": counts[lesson]}
        for lesson in lessons_asked()
    ]
    middle = sorted(placed.values())[(len(placed) - 1) // 2]
    facts = {
        "most": lesson_words(counts.most_common(1)[0][0]),
        "middle": lesson_words(middle),
    }
    return panel("placement", rows, facts, basis=basis_words(students=len(placed)))


def _basis_words(learning: Learning) -> str:
    success, of = learning.success, len(learning.names)
    return basis_words(
        questions=success.questions,
        answers=success.attempts,
        students=success.students,
        of=of,
    )


def count_words(success: Success) -> str:
    """How many questions were right first time, of how many."""
    return _("%(n)s of %(all)s") % {"n": success.at_once, "all": success.questions}


def counts(name: str, success: Success) -> dict[str, Any]:
    """The counts of a success as facts, whose names begin with this one."""
    told = {f"{name}_right": success.at_once, f"{name}_asked": success.questions}
    return {name: success.share, **told}


def skills(learning: Learning, *, own: bool = False) -> Panel:
    """How each skill goes: the share right at the first attempt; of one student (``own``) the
    counts stand beside it. The best and the weakest are named of those with four questions or
    more, sorted as in a student's opening; the best only where it goes well."""
    went = learning.by_skill
    if not went:
        return panel("skills")
    order, is_alone = weakest_first(went)
    named = sorted(
        (skill for skill in went if went[skill].questions >= FEWEST_QUESTIONS),
        key=lambda skill: practice_order(went[skill]),
    )
    said = {
        "own": own,
        "sorted": [  # the last one is on top
            Merged(
                went[skill],
                name=on_two_lines(skill.title),
                counts=f"{percent(went[skill].share or 0)}<br>({count_words(went[skill])})",
                hue=charts.MARKED if is_alone and skill is order[0] else charts.DATA,
            )
            for skill in order[::-1]
        ],
        "many": len(order) > MOST_BARS,
        "all": len(learning.students),
    }
    if named:
        weakest, best = named[0], named[-1]
        if goes_well(went[best]):
            said |= {"best": best.title, **counts("high", went[best])}
        if weakest is not best or not goes_well(went[best]):
            said |= {"weakest": weakest.title, **counts("low", went[weakest])}
    rows = [Merged(success, name=skill.title) for skill, success in went.items()]
    return panel("skills", rows, said, basis=_basis_words(learning))


def on_two_lines(title: str) -> str:
    """A long label broken near its middle, so that a phone has room for the bars."""
    words = title.split()
    if len(title) < 16 or len(words) < 2:
        return title
    breaks = range(1, len(words))
    at = min(breaks, key=lambda n: abs(len(" ".join(words[:n])) - len(title) / 2))
    return f"{' '.join(words[:at])}<br>{' '.join(words[at:])}"


def lesson_cell(lesson: int, *, is_teacher: bool, session: int | None = None) -> Cell:
    """A cell that names a lesson, linked to its page, for a teacher to its guide; without a
    link where it isn't written."""
    course = lesson_by_number(lesson)
    if course is None:
        return lesson_words(lesson)
    page = guide_of(course, session) if is_teacher else reverse("lesson", args=[course.slug])
    return Link(lesson_words(lesson), page)


def misconceptions(
    learning: Learning,
    *,
    own: bool = False,
    is_teacher: bool = False,
    session: int | None = None,
) -> Panel:
    """Misconceptions by name, the commonest first, with where they showed and what treats
    them; of one student (``own``) whether they are overcome."""
    by_name = learning.misconceptions
    said: dict[str, Any] = {"own": own, "answered": bool(learning.attempts)}
    if not by_name:
        return panel("misconceptions", facts=said)
    first = by_name[0]
    said |= {
        "first": first.misconception.title,
        "all": len(learning.students),
    }
    rows = [
        Merged(
            each,
            name=Noted(each.misconception.title, each.misconception.advice),
            where=", ".join(str(EXERCISES[name].title) for name in each.exercises),
            outcome=_("yes") if each.overcome else _("not yet"),
            treated=lesson_cell(each.lessons[0], is_teacher=is_teacher, session=session),
        )
        for each in by_name
    ]
    return panel("misconceptions", rows, Merged(first, **said), basis=_basis_words(learning))


def exercises(learning: Learning) -> Panel:
    """How each exercise went."""
    went = learning.by_exercise
    titles = [str(EXERCISES[key].title) for key in went]
    rows = [
        Merged(success, name=title, seen=counts[Mastery.SEEN], known=counts[Mastery.KNOWN])
        for title, success, counts in zip(
            titles, went.values(), map(learning.standing, went), strict=True
        )
    ]
    by_name = dict(zip(quoted(titles), went.values(), strict=True))
    said = {**weakest_facts(by_name), "all": len(learning.students)}
    return panel("exercises", rows, said, basis=_basis_words(learning))


def own_questions(learning: Learning) -> Panel:
    """How each question of the class's own went, what went worst first."""
    went = learning.own_questions
    rows = [_own_question_row(learning, name, success) for name, success in went.items()]
    by_name = dict(zip(quoted([*went]), went.values(), strict=True))
    said = {**weakest_facts(by_name), "all": len(learning.own_students)}
    return panel("own-questions", rows, said)


def _own_question_row(learning: Learning, name: str, success: Success) -> Merged:
    figures = learning.own_figures(name)
    share = None if success.share is None else float(success.share)
    return Merged(
        success,
        figures,
        name=name,
        mark=mark(share, figures.tells, success.students),
        mistaken=figures.mistaken / success.students if figures.mistaken else None,
        seconds=round(figures.seconds),
    )


def mastery(learning: Learning) -> Panel:
    """What one student knows, has seen, has tried; by exercise."""
    words = {
        Mastery.KNOWN: _("known"),
        Mastery.SEEN: _("right at least once"),
        Mastery.TRIED: _("tried"),
    }
    states = next(iter(learning.mastery.values()), {})
    rows = [
        {
            "exercise": str(exercise.title),
            "levels": " ".join(exercise.levels),
            "state": words[states[key]],
            "lesson": lesson_words(exercise.lesson),
        }
        for key, exercise in EXERCISES.items()
        if key in states
    ]
    counts = Counter(states[key] for key in EXERCISES if key in states)
    said = {"known": counts[Mastery.KNOWN], "seen": counts[Mastery.SEEN], "all": len(EXERCISES)}
    return panel("known", rows, said)


def exercises_by_standard() -> dict[str, frozenset[str]]:
    """The exercises by which each standard is judged, of the framework of this language."""
    wanted = "france" if (get_language() or "").startswith("fr") else "ccss"
    known = standards.standards()
    by_code = standards.exercises(all_lessons())
    return {code: keys for code, keys in by_code.items() if known[code].framework == wanted}


def by_standards(learning: Learning) -> Panel:
    """How each standard goes, by the exercises of the steps that earn it."""
    by_code, known = learning.by_standard(exercises_by_standard()), standards.standards()
    rows = [
        Merged(success, name=Noted(code, known[code].wording))
        for code, success in by_code.items()
    ]
    said = {**weakest_facts(by_code), "all": len(learning.students)}
    return panel("standards", rows, said, basis=_basis_words(learning))


def turns_again(retries: RetryCounts) -> Panel:
    """Turns that cost something, tried again: no exercises, and counted apart from them."""
    return panel("turns-again", [retries], {"tried": retries.tried, "right": retries.right})


def predictions(lessons: Sequence[LessonProgress], *, came: int = 0) -> Panel:
    """What was predicted before a reveal, and explained after, by how many of who ``came``."""
    predicted = sum(progress.predicted for progress in lessons)
    explained = sum(progress.explained for progress in lessons)
    if not predicted and not explained:
        return panel("predictions")
    right_before = sum(progress.right_before for progress in lessons)
    right_after = sum(progress.right_after for progress in lessons)
    said = {
        "predicted": predicted,
        "before": Fraction(right_before, predicted or 1),
        "explained": explained,
        "after": Fraction(right_after, explained or 1),
        "came": came,
    }
    rests = basis_words(predictions=predicted, reasons=explained)
    return panel("predictions", lessons, said, basis=rests)


def by_student(learning: Learning, *, names: Mapping[int, str]) -> Panel:
    """Each student's skills: a coloured table."""
    skills_of = learning.by_student
    if not skills_of:
        return panel("students")
    used = [skill for skill in Skill if skill in learning.by_skill]
    every = {pk: learning.of_student(pk).success for pk in skills_of}
    rows = [
        {
            "student": Link(names.get(pk, "–"), reverse("student_results", args=[pk])),
            "cells": (cells := [_success_ratio(skills_of[pk].get(skill)) for skill in used]),
            "every": (whole := _success_ratio(every[pk])),
            "shades": [shade(cell.share if cell else None) for cell in (*cells, whole)],
        }
        for pk in sorted(every, key=lambda pk: help_order(every[pk]))
    ]
    said = {
        "skills": [skill.title for skill in used],
        "safe": all(each.share == 1 for each in every.values()),
        "many": len(rows) >= FEW_TO_RANK,
    }
    return panel("students", rows, said, basis=_basis_words(learning))


def _success_ratio(success: Success | None) -> Ratio | None:
    return Ratio(success.at_once, success.questions) if success else None


def weakest_facts(by_name: Mapping[str, Success]) -> dict[str, Any]:
    """The facts of what went worst, by name, with all that went so; or that all is ``safe``."""
    wrong = {name: each for name, each in by_name.items() if each.share != 1}
    if not wrong:
        return {"safe": True}
    worst = min(wrong.values(), key=smoothed_share)
    names = [n for n, each in wrong.items() if smoothed_share(each) == smoothed_share(worst)]
    counts = {"right": worst.at_once, "asked": worst.questions}
    return {"weakest": first_names(names), **counts}


def gradebook_by_standard(learning: Learning, *, names: Mapping[int, str]) -> Grid:
    """The table for a gradebook: a student a row, a standard a column, and in it the share of
    its questions right first time; empty where a student has answered none."""
    exercises = exercises_by_standard()
    codes = list(learning.by_standard(exercises))
    rows = []
    for student, name in names.items():
        own = learning.of_student(student).by_standard(exercises)
        rows.append((name, *(own[code].share if code in own else None for code in codes)))
    columns = (
        Column(_("student"), Format.TEXT),
        *(Column(code, Format.TWO) for code in codes),
    )
    return Grid("gradebook-by-standard", columns, tuple(rows))


def gradebook(learning: Learning, *, names: Mapping[int, str]) -> Grid:
    """The table for a gradebook: student, lesson, score (the share of its questions right first
    time), how many questions that rests on, and how many of the lesson's exercises are seen and
    how many known; students in the order of ``names``."""
    rows: list[tuple[Cell, ...]] = []
    for student, name in names.items():
        by_lesson: dict[int, list[Success]] = {}
        for exercise, success in learning.of_student(student).by_exercise.items():
            by_lesson.setdefault(EXERCISES[exercise].lesson, []).append(success)
        for lesson, successes in sorted(by_lesson.items()):
            questions = sum(success.questions for success in successes)
            right = Fraction(sum(success.at_once for success in successes), questions)
            states = Counter(
                state
                for key, state in learning.mastery.get(student, {}).items()
                if EXERCISES[key].lesson == lesson
            )
            figures = (right, questions, states[Mastery.SEEN], states[Mastery.KNOWN])
            rows.append((name, lesson_words(lesson), *figures))
    return Grid(
        "gradebook",
        (
            Column(_("student"), Format.TEXT),
            Column(_("lesson"), Format.TEXT),
            Column(_("score"), Format.TWO),
            Column(_("questions")),
            Column(pgettext("exercises", "seen")),
            Column(_("known")),
        ),
        tuple(rows),
    )
