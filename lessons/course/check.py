"""Checks the lessons' files, and collects their texts for translators."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lessons.course import standards
from lessons.course.load import CONTENT, folders, load
from lessons.course.plan import Lesson, Written
from xactika_site.texts import Problem


def problems(content: Path = CONTENT) -> list[Problem]:
    """The first problem of each broken lesson; standards that no step earns; numbers that are
    missing or used twice."""
    found: list[Problem] = []
    numbers, read = [], []
    for folder in folders(content):
        try:
            lesson = load(folder)
        except Problem as problem:
            found.append(problem)
        else:
            numbers.append(lesson.number)
            read.append((folder, lesson))
    try:
        found += standards.problems(read)
    except Problem as problem:
        found.append(problem)
    if not found and numbers != list(range(1, len(numbers) + 1)):
        found.append(Problem(content, 1, f"the lessons are numbered {numbers}"))
    return found


def texts(content: Path = CONTENT) -> Iterator[str]:
    """Every text of the lessons that a person reads, of one lesson after the other."""
    for folder in folders(content):
        yield from dict.fromkeys(texts_of(load(folder)))


def texts_of(lesson: Lesson) -> list[str]:
    """Every text of a lesson that a person reads."""
    told = [lesson.title, lesson.summary, lesson.guide.aim]
    for step in lesson.steps:
        told += [step.title, *step.paragraphs]
        told += [text for each in step.statements for text in (each.text, each.reply)]
        told += [step.whole.unit] if step.whole else []
    for part in lesson.guide.parts:
        told += [part.title, *part.paragraphs, *part.items]
    told += [text for _code, text in lesson.guide.errors]
    for task in lesson.tasks:
        told += [task.prompt, task.answer] if isinstance(task, Written) else []
    return [text for text in told if text]
