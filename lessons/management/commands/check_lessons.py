"""Check the lessons' and chapters' files; or print their texts as gettext's tools find them."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.study import chapter_files
from lessons.course.check import problems, texts


class Command(BaseCommand):
    help = (
        "Check the lessons in lessons/content and the chapters in games/content; each problem "
        "with its file and line."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--texts", action="store_true", help="print all texts for translators' tools"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        found = [*problems(), *chapter_files.problems()]
        if found:
            raise CommandError("\n".join(map(str, found)))
        if options["texts"]:
            self.stdout.write(f"{texts()}\n{chapter_files.texts()}")
