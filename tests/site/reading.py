"""How what the program says reads, page by page: words, words a sentence, reading grade.

``python -m tests.site.reading`` prints it, and fails above docs/voice.md's budget. A page is a
file of texts or of a program, as translators get them. English grades are those of Flesch and
Kincaid (1975), French those of the same scale by way of Kandel and Moles' reading ease (1958);
both count syllables as Pyphen parts a word, which finds fewer in short words than a dictionary.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from statistics import median
from typing import NamedTuple

from pyphen import Pyphen


class Reader(StrEnum):
    """Whom a page is for."""

    STUDENT = "student"
    LESSON = "lesson"  # a student, with the field's terms
    TEACHER = "teacher"
    SERVER = "server"


READERS = {
    "": Reader.STUDENT,
    "lessons/content": Reader.LESSON,
    "lessons/exercises": Reader.LESSON,
    "lessons/course": Reader.LESSON,
    "lessons/visits": Reader.LESSON,
    "lessons/questions/sets.py": Reader.TEACHER,
    "lessons/exercises/authored.py": Reader.TEACHER,
    "lessons/exercises/expressions.py": Reader.TEACHER,
    "lessons/measures": Reader.TEACHER,
    "lessons/results": Reader.TEACHER,
    "lessons/studio": Reader.TEACHER,
    "lessons/pages/report.py": Reader.TEACHER,
    "lessons/pages/homework_given.py": Reader.TEACHER,
    "lessons/pages/question_sets.py": Reader.TEACHER,
    "lessons/pages/class_exercises.py": Reader.TEACHER,
    "lessons/homework/giving.py": Reader.TEACHER,
    "games/classes": Reader.TEACHER,
    "games/management": Reader.SERVER,
    "games/keeping": Reader.SERVER,
    "lessons/management": Reader.SERVER,
    "xactika_site": Reader.SERVER,
    "xactika_site/classrooms": Reader.TEACHER,
    "xactika_site/accounts": Reader.TEACHER,
    "templates/accounts": Reader.TEACHER,
    "templates/classrooms": Reader.TEACHER,
    "templates/games/classes": Reader.TEACHER,
    "templates/games/classes/come_in.html": Reader.STUDENT,
    "templates/games/classes/lobby.html": Reader.STUDENT,
    "templates/games/privacy.html": Reader.TEACHER,
    "templates/lessons/course": Reader.TEACHER,
    "lessons/lti": Reader.TEACHER,
    "templates/lessons/lti": Reader.TEACHER,
    "templates/lessons/lti/first.html": Reader.STUDENT,
    "templates/lessons/lti/refused.html": Reader.STUDENT,
    "templates/lessons/lti/window.html": Reader.STUDENT,
    "templates/lessons/homework/of_class.html": Reader.TEACHER,
    "templates/lessons/homework/homework.html": Reader.TEACHER,
    "templates/lessons/homework/results.html": Reader.TEACHER,
    "templates/lessons/questions/_set": Reader.TEACHER,
    "templates/lessons/questions/set": Reader.TEACHER,
    "templates/lessons/questions/put_exercise.html": Reader.TEACHER,
    "templates/lessons/results": Reader.TEACHER,
    "templates/lessons/results/mine.html": Reader.STUDENT,
    "templates/lessons/visits/choose.html": Reader.TEACHER,
    "templates/lessons/visits/_lead": Reader.TEACHER,
    "templates/lessons/visits/report.html": Reader.TEACHER,
}
"""Whose a page is, by the longest beginning of its path."""

TURNS = {
    "en": r"whoever|whomever|anew|of which|is to begin with",
    "fr": r"quiconque|chicane",
}
"""Turns that nobody says at the next table."""

PROSE = 100
"""Of fewer words on a page, no grade is told."""
MOST_WORDS = {Reader.STUDENT: 22, Reader.LESSON: 32}
"""A message's longest sentence."""
BEST, MOST_GRADE = 6.0, 8.0
"""The grade of half of the students' pages, and of each."""

HOLE = re.compile(r"%\(\w+\)[-+0-9.]*[a-z]|%[sd]|\{\w*\}|\[[^\]]*\]|\\\(.*?\\\)|https?://\S+")
TAG = re.compile(r"</?\w[^>]*>|\*\*|`|\[=[^\]]*\]")
WORD = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)*")
END = re.compile(r"(?<=[.!?:…])(?:[\s»”]|==)+(?=\S)")


class Sentences(NamedTuple):
    """Counts over some texts."""

    words: int
    sentences: int
    syllables: int

    def grade(self, language: str) -> float:
        """The school year (of the United States) in which one reads this."""
        length, weight = self.words / self.sentences, self.syllables / self.words
        if language == "en":
            return 0.39 * length + 11.8 * weight - 15.59
        ease = 207 - 1.015 * length - 73.6 * weight
        return (121.2 - ease) / 7.0


def sentences(text: str) -> list[str]:
    """The sentences of a text, its marks and holes as a reader meets them."""
    plain = HOLE.sub("4", TAG.sub("", text))
    return [each for each in END.split(re.sub(r"\s+", " ", plain)) if WORD.search(each)]


def counts(texts: Iterable[str], language: str) -> Sentences | None:
    """What stands in the texts that are sentences, not labels; None where none is."""
    parts = Pyphen(lang=language, left=1, right=1)
    told = [
        WORD.findall(each)
        for text in texts
        for each in sentences(text)
        if each.rstrip("»”) ")[-1:] in (".", "!", "?", "…")
    ]
    words = [word for sentence in told for word in sentence]
    syllables = sum(len(parts.positions(word)) + 1 for word in words)
    return Sentences(len(words), len(told), syllables) if words else None


def reader_of(page: str) -> Reader:
    """Whom a page is for."""
    return READERS[max((each for each in READERS if page.startswith(each)), key=len)]


@dataclass(frozen=True, slots=True)
class Page:
    """What one page says in one language."""

    name: str
    language: str
    texts: tuple[str, ...]

    @property
    def words(self) -> int:
        return sum(len(text.split()) for text in self.texts)

    @property
    def reader(self) -> Reader:
        return reader_of(self.name)

    def problems(self) -> Iterator[str]:
        """What its reader stumbles over, a line each."""
        turns = re.compile(rf"\b(?:{TURNS[self.language]})\b", re.IGNORECASE)
        most = MOST_WORDS.get(self.reader)
        for text in self.texts:
            if turn := turns.search(text):
                yield f"{self.name}: “{turn[0]}”: {text}"
            for each in sentences(text):
                if most and self.language == "en" and len(WORD.findall(each)) > most:
                    yield f"{self.name}: a sentence of more than {most} words: {each}"


def pages() -> Iterator[Page]:
    """All pages, English and French."""
    from lessons.management.commands import messages
    from xactika_site import catalogue

    catalog = catalogue.read(messages.path_of("fr"), "fr")
    told: dict[tuple[str, str], list[str]] = defaultdict(list)
    for message in catalog:
        for name, _line in message.locations if message.id else ():
            for language, forms in (("en", message.id), ("fr", message.string)):
                told[language, name] += catalogue.forms(forms)[-1:]
    for (language, name), texts in sorted(told.items()):
        yield Page(name, language, tuple(texts))


def main() -> int:
    """Print the pages, and what is wrong; 1 if anything is."""
    import django

    django.setup()
    problems: list[str] = []
    for language in ("en", "fr"):
        grades: dict[Reader, list[float]] = defaultdict(list)
        words: dict[Reader, int] = defaultdict(int)
        for page in (each for each in pages() if each.language == language):
            found = counts(page.texts, language)
            words[page.reader] += page.words
            problems += page.problems()
            if found is None or found.words <= PROSE:
                continue
            grade = found.grade(language)
            grades[page.reader].append(grade)
            if "-v" in sys.argv:
                length = found.words / found.sentences
                row = f"{page.words:6,} words {length:5.1f} a sentence  grade {grade:4.1f}"
                print(f"{language} {page.reader:8}{row}  {page.name}")
            if page.reader == Reader.STUDENT and grade > MOST_GRADE:
                problems.append(f"{page.name}: {language}: grade {grade:.1f}")
        for reader, each in grades.items():
            print(
                f"{language}: {reader}: {words[reader]:,} words; grade of pages of prose: "
                f"{median(each):.1f} at the median, {max(each):.1f} at most"
            )
        if median(grades[Reader.STUDENT]) > BEST:
            problems.append(f"{language}: half of the students' pages read above grade {BEST}")
    print(*problems, sep="\n")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
