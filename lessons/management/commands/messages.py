"""Bring the translators' files up to date with the texts; or tell what is wrong with them."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from django.core.management.base import BaseCommand, CommandError

from games.study.learning import chapter_files
from lessons.course.check import texts as lesson_texts
from lessons.exercises.page import all_texts as question_texts
from lessons.exercises.page_lines import both
from lessons.measures.page import all_texts as measure_texts
from lessons.results.archive.tables import all_texts as codebook_texts
from xactika_site import catalogue, locations

LOCALE = locations.RESOURCES / "locale"
PROGRAMS = ("games", "lessons", "xactika_site")
TABLE = "templates/games/table"
TEXT_FILES: dict[str, Callable[[], Iterable[tuple[str, str]]]] = {
    "lessons/content": lesson_texts,
    "lessons/exercises/pages": question_texts,
    "lessons/measures/pages": measure_texts,
    "lessons/results/archive": codebook_texts,
    "games/content": chapter_files.texts,
}
"""The folders of files of words, and what is said in each of their files."""

HOLE = re.compile(r"%\(\w+\)[-+0-9.]*[a-z]|%[a-z%]|\{\w*\}|</?\w+[^>]*>|\[\[?[\w%][^\](]*\]")
"""What a translation has to keep as it is."""


def used() -> Catalog:
    """Every message that the program may ask for, in the order of the files."""
    return catalogue.template_catalog(_messages())


def _messages() -> Iterator[Message]:
    root = locations.RESOURCES
    for app in PROGRAMS:
        for path in sorted((root / app).rglob("*.py")):
            if "migrations" not in path.parts:
                name = path.relative_to(root).as_posix()
                yield from catalogue.messages_of_program(_read(path), name)
    for path in sorted((root / "templates").rglob("*.html")):
        name = path.relative_to(root).as_posix()
        if not name.startswith(TABLE + "/"):
            yield from catalogue.messages_of_template(_read(path), name)
    yield from messages_of_fragments()
    for folder, texts in TEXT_FILES.items():
        for name, text in texts():
            has_plural = texts in {measure_texts, lesson_texts} and " | " in text
            id = both(text) if has_plural else text
            yield Message(id, locations=[(f"{folder}/{name}", 0)])


def messages_of_fragments() -> Iterator[Message]:
    """The messages of all of the tables' fragments."""
    for path in sorted((locations.RESOURCES / TABLE).glob("*.html")):
        yield from catalogue.messages_of_fragment(_read(path), TABLE)


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def languages() -> list[str]:
    """The languages that there are files of."""
    return sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/django.po"))


def path_of(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def update(language: str) -> Catalog:
    """The language's catalogue, its files written anew with what is used, translated or not."""
    catalog = catalogue.read(path_of(language), language)
    catalog.update(used(), no_fuzzy_matching=True, update_creation_date=False)
    catalogue.write(path_of(language), catalog)
    return catalog


def problems(language: str) -> list[str]:
    """What is wrong with the language's files, a line each."""
    catalog = catalogue.read(path_of(language), language)
    stored, wanted = catalogue.by_key(catalog), catalogue.by_key(used())
    lines = [f"missing: {wanted[key].id!r}" for key in wanted.keys() - stored.keys()]
    lines += [f"nobody uses: {stored[key].id!r}" for key in stored.keys() - wanted.keys()]
    for message in stored.values():
        if not catalogue.is_translated(message):
            lines.append(f"not translated: {message.id!r}")
        elif why := _placeholder_fault(message):
            lines.append(f"{why}: {message.string!r} of {message.id!r}")
    if path_of(language).with_suffix(".mo").read_bytes() != catalogue.compiled(catalog):
        lines.append("the .mo is not what the .po says: make messages")
    return sorted(lines)


def _placeholder_fault(message: Message) -> str:
    original, translated = catalogue.forms(message.id), catalogue.forms(message.string)
    holes = Counter(HOLE.findall(original[-1]))
    if Counter(HOLE.findall(translated[-1])) != holes:
        return "other placeholders or tags"
    if len(translated) > 1 and not set(HOLE.findall(translated[0])) <= holes.keys():
        return "other placeholders or tags in the singular"
    return ""


class Command(BaseCommand):
    help = "Update the files that translators work in (locale/…/django.po and .mo)."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--add", metavar="LANGUAGE", help="begin a new language, like es")
        parser.add_argument("--check", action="store_true", help="only tell what is wrong")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["check"]:
            lines = [f"{each}: {line}" for each in languages() for line in problems(each)]
            if lines:
                raise CommandError("\n".join(lines))
            return
        for each in sorted({*languages(), *filter(None, [options["add"]])}):
            messages = catalogue.by_key(update(each)).values()
            missing = sum(not catalogue.is_translated(message) for message in messages)
            self.stdout.write(f"{each}: {len(messages)} messages, {missing} to translate")
