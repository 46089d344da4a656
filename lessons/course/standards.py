"""What lessons earn: standards of several frameworks, from one checked file.

A lesson's ``teacher.txt`` claims a code and names the steps that earn it; what nobody earns is
not claimed (``problems``, run by ``make check``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.utils.translation import get_language

from lessons.course.plan import Lesson, Step
from xactika_site.texts import ListItem, Problem, TextSection, read_sections

FILE = Path(__file__).resolve().parent.parent / "content" / "standards.txt"

ITEM = re.compile(r"(?P<code>[A-Z0-9][\w.-]*), (?P<grade>[^:]+): (?P<wording>\S.*)")
HEADING = re.compile(r"([a-z]+): (\S.*)")


@dataclass(frozen=True, slots=True)
class Standard:
    """A standard's code, the grade it is for, its short wording in its own language."""

    code: str
    grade: str
    wording: str
    framework: str
    language: str

    @property
    def group(self) -> str:
        """The standard's framework and grade, as an address has them: “NC-8”, say."""
        return f"{self.framework}-{self.grade.replace(' ', '-')}"


@dataclass(frozen=True, slots=True)
class Framework:
    """Some standards that belong together; ``is_checked``, if somebody has held their wording
    against the official text."""

    key: str
    title: str
    language: str
    is_checked: bool
    standards: tuple[Standard, ...]

    @property
    def grades(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(standard.grade for standard in self.standards))


@dataclass(frozen=True, slots=True)
class Earned:
    """A standard that a lesson earns, by these of its steps."""

    standard: Standard
    lesson: Lesson
    steps: tuple[Step, ...]


def load(path: Path = FILE) -> tuple[Framework, ...]:
    """The frameworks of a file; Problem where it cannot be read or a code stands twice."""
    head, *sections = read_sections(path, ("language", "checked"))
    for stray in (*head.paragraphs, *(item.text for item in head.items)):
        raise Problem(path, stray.line, "this belongs below a heading")
    frameworks = tuple(_framework(path, section) for section in sections)
    codes: set[str] = set()
    for framework, section in zip(frameworks, sections, strict=True):
        for standard, item in zip(framework.standards, section.items, strict=True):
            if standard.code in codes:
                raise Problem(path, item.text.line, f"“{standard.code}” stands here twice")
            codes.add(standard.code)
    return frameworks


def _framework(path: Path, section: TextSection) -> Framework:
    named = HEADING.fullmatch(section.heading.text)
    if named is None:
        raise Problem(path, section.heading.line, "a framework begins like “# ccss: Its name”")
    values = {key: text.text for key, text in section.keys.items()}
    if values.get("language") not in ("en", "fr") or values.get("checked") not in ("yes", "no"):
        message = "a framework has “language: en” (or fr) and “checked: yes” (or no)"
        raise Problem(path, section.heading.line, message)
    language = values["language"]
    standards = tuple(_standard(path, item, named[1], language) for item in section.items)
    return Framework(named[1], named[2], language, values["checked"] == "yes", standards)


def _standard(path: Path, item: ListItem, framework: str, language: str) -> Standard:
    read = ITEM.fullmatch(item.text.text)
    if read is None:
        message = "a standard stands here like “- 7.SP.C.5, grade 7: Its wording”"
        raise Problem(path, item.text.line, message)
    return Standard(read["code"], read["grade"], read["wording"], framework, language)


@cache
def frameworks() -> tuple[Framework, ...]:
    """All of them, from our file."""
    return load()


def frameworks_to_read() -> list[Framework]:
    """All of them, those in the reader's language first."""
    return sorted(frameworks(), key=lambda framework: framework.language != get_language())


@cache
def standards() -> Mapping[str, Standard]:
    """Every standard by its code."""
    return {each.code: each for framework in frameworks() for each in framework.standards}


def earned(lesson: Lesson) -> list[Earned]:
    """What a lesson earns, in the order of the file; what it only claims is left out."""
    by_name = {step.name: step for step in lesson.steps}
    claims = dict(lesson.guide.standards)
    return [
        Earned(standard, lesson, steps)
        for code, standard in standards().items()
        if (steps := tuple(by_name[name] for name in claims.get(code, ()) if name in by_name))
    ]


def exercises(lessons: Iterable[Lesson]) -> dict[str, frozenset[str]]:
    """By code the exercises whose answers tell how a standard goes: those of the steps that
    earn it. Most steps are not answered, so not every standard is here."""
    by_code: dict[str, set[str]] = {}
    for lesson in lessons:
        for each in earned(lesson):
            keys = {step.exercise for step in each.steps if step.exercise}
            by_code.setdefault(each.standard.code, set()).update(keys)
    return {code: frozenset(by_code[code]) for code in standards() if by_code.get(code)}


def problems(lessons: Iterable[tuple[Path, Lesson]]) -> list[Problem]:
    """Claims that nothing earns: a code that is unknown, or that names no step there is."""
    errors = []
    for folder, lesson in lessons:
        path = folder / "teacher.txt"
        names = {step.name for step in lesson.steps}
        for code, steps in lesson.guide.standards:
            missing = [name for name in steps if name not in names]
            if code not in standards():
                message = f"“{code}” is not in {FILE.name}"
            elif not steps:
                message = f"“{code}” names no step that earns it, like “{code} first-step”"
            elif missing:
                message = (
                    f"“{code}” is earned by “{missing[0]}”, which is no step of the lesson"
                )
            else:
                continue
            errors.append(Problem(path, 1, message))
    return errors
