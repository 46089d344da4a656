"""Check the files of lessons, questions and chapters."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.study.learning import chapter_files
from lessons.course.check import problems
from lessons.measures import page as measures
from lessons.questions import check as questions


class Command(BaseCommand):
    help = (
        "Check the lessons in lessons/content, the questions in lessons/exercises/pages, "
        "the measures in lessons/measures/pages and the chapters in games/content; each "
        "problem with its file and line."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        errors = [
            *problems(),
            *questions.problems(),
            *measures.problems(),
            *chapter_files.problems(),
        ]
        if errors:
            raise CommandError("\n".join(map(str, errors)))
