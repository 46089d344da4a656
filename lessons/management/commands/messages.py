"""Bring the translators' files up to date with the texts; or tell what is wrong with them."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.template import engines
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from games.study.learning import chapter_files
from lessons.course.check import texts as lesson_texts
from xactika_site import catalogue, places
from xactika_site.catalogue import Key, Message

LOCALE = places.RESOURCES / "locale"
PROGRAMS = ("games", "lessons", "xactika_site")
TABLE = "templates/games/table"
HOLE = re.compile(r"%\(\w+\)[-+0-9.]*[a-z]|%[a-z%]|\{\w*\}|</?\w+[^>]*>|\[\[?[\w%][^\]]*\]")
"""What a translation has to keep as it is."""


def used() -> dict[Key, Message]:
    """Every message that the program may ask for, in the order of the files."""
    return catalogue.together(_found())


def _found() -> Iterator[Message]:
    root = places.RESOURCES
    for app in PROGRAMS:
        for path in sorted((root / app).rglob("*.py")):
            if "migrations" not in path.parts:
                name = path.relative_to(root).as_posix()
                yield from catalogue.in_program(path.read_text(encoding="utf-8"), name)
    for path in sorted((root / "templates").rglob("*.html")):
        name = path.relative_to(root).as_posix()
        if not name.startswith(TABLE + "/"):
            yield from catalogue.in_template(path.read_text(encoding="utf-8"), name)
    yield from catalogue.in_program(texts_of_fragments(), TABLE)
    yield from catalogue.in_program(lesson_texts(), "lessons/content")
    yield from catalogue.in_program(chapter_files.texts(), "games/content")


def texts_of_fragments() -> str:
    """A call of gettext or ngettext for each text of each of the tables' fragments."""
    env: Environment = engines["fragments"].env  # type: ignore[attr-defined]
    assert env.loader is not None
    found = []
    for name in env.list_templates():
        source, _path, _fresh = env.loader.get_source(env, name)
        for _line, function, message in extract_from_ast(env.parse(source)):
            texts = message if isinstance(message, tuple) else (message,)
            forms = ", ".join(repr(form) for form in texts if form is not None)
            found.append(f"{function}({forms})")
    return "\n".join(found)


def languages() -> list[str]:
    """The languages that there are files of."""
    return sorted(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/django.po"))


def path_of(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def update(language: str) -> dict[Key, Message]:
    """Write the language's files anew: what is said stays, what nobody uses goes."""
    path, messages = path_of(language), used()
    known = catalogue.read_po(path) if path.exists() else {}
    for key, message in messages.items():
        if key in known and known[key].plural == message.plural:
            message.said = known[key].said
    catalogue.write_po(path, language, messages)
    path.with_suffix(".mo").write_bytes(catalogue.compiled(language, messages))
    return messages


def problems(language: str) -> list[str]:
    """What is wrong with the language's files, a line each."""
    path = path_of(language)
    known, wanted = catalogue.read_po(path), used()
    found = [f"missing: {wanted[key].id!r}" for key in wanted.keys() - known.keys()]
    found += [f"nobody uses: {known[key].id!r}" for key in known.keys() - wanted.keys()]
    for message in known.values():
        if not message.said or not all(message.said):
            found.append(f"not translated: {message.id!r}")
        elif why := _differs(message):
            found.append(f"{why}: {message.said[-1]!r} of {message.id!r}")
    if path.with_suffix(".mo").read_bytes() != catalogue.compiled(language, known):
        found.append("the .mo is not what the .po says: make messages")
    return sorted(found)


def _differs(message: Message) -> str:
    original = message.plural or message.id
    holes = Counter(HOLE.findall(original))
    if Counter(HOLE.findall(message.said[-1])) != holes:
        return "other placeholders or tags"
    if len(message.said) > 1 and not set(HOLE.findall(message.said[0])) <= holes.keys():
        return "other placeholders or tags in the singular"
    return ""


class Command(BaseCommand):
    help = "Update the files that translators work in (locale/…/django.po and .mo)."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--add", metavar="LANGUAGE", help="begin a new language, like es")
        parser.add_argument("--check", action="store_true", help="only tell what is wrong")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["check"]:
            found = [f"{each}: {line}" for each in languages() for line in problems(each)]
            if found:
                raise CommandError("\n".join(found))
            return
        for each in sorted({*languages(), *filter(None, [options["add"]])}):
            messages = update(each)
            missing = sum(not (m.said and all(m.said)) for m in messages.values())
            self.stdout.write(f"{each}: {len(messages)} messages, {missing} to translate")
