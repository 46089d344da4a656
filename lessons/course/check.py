"""Checks the lessons' files, and collects their texts for translators."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lessons.course import standards
from lessons.course.load import CONTENT, folders, load
from lessons.course.plan import Lesson, WrittenQuestion
from xactika_site.texts import Problem


def problems(content: Path = CONTENT) -> list[Problem]:
    """The first problem of each broken lesson; standards that no step earns; numbers that are
    missing or used twice."""
    faults: list[Problem] = []
    numbers, read = [], []
    for folder in folders(content):
        try:
            lesson = load(folder)
        except Problem as problem:
            faults.append(problem)
        else:
            numbers.append(lesson.number)
            read.append((folder, lesson))
    try:
        faults += standards.problems(read)
    except Problem as problem:
        faults.append(problem)
    if not faults and numbers != list(range(1, len(numbers) + 1)):
        faults.append(Problem(content, 1, f"the lessons are numbered {numbers}"))
    return faults


def texts(content: Path = CONTENT) -> Iterator[tuple[str, str]]:
    """Every text of the lessons that a person reads, with the name of its lesson's folder."""
    for folder in folders(content):
        yield from ((folder.name, text) for text in dict.fromkeys(texts_of(load(folder))))


def texts_of(lesson: Lesson) -> list[str]:
    """Every text of a lesson that a person reads; numbers say the same in every language."""
    messages = [lesson.title, lesson.summary, lesson.guide.aim]
    for step in lesson.steps:
        messages += [step.title, *step.paragraphs]
        messages += [text for each in step.statements for text in (each.text, each.reply)]
        messages += [step.whole.unit] if step.whole else []
    for part in lesson.guide.parts:
        messages += [part.title, *part.paragraphs, *part.items]
    messages += [text for _code, text in lesson.guide.errors]
    for task in lesson.tasks:
        messages += [task.prompt, task.answer] if isinstance(task, WrittenQuestion) else []
    return [text for text in messages if text and not text.isdigit()]
