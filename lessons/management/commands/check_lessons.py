"""Check the lessons' and chapters' files."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.study.learning import chapter_files
from lessons.course.check import problems


class Command(BaseCommand):
    help = (
        "Check the lessons in lessons/content and the chapters in games/content; each problem "
        "with its file and line."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        errors = [*problems(), *chapter_files.problems()]
        if errors:
            raise CommandError("\n".join(map(str, errors)))
