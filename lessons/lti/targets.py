"""Where links of a course lead, and a student's score there, as the gradebook has it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from lessons.assessment.assessed import assessed
from lessons.course import lessons
from lessons.exercises.skills import Skill
from lessons.homework.doing import done_by
from lessons.models import Assessment, Homework
from lessons.results.learned.gain_panels import about
from lessons.results.learned.learning import learning_of_classroom
from lessons.results.learned.learning_panels import gradebook
from lessons.results.words import lesson_by_number, lesson_words
from xactika_site.classrooms.models import Classroom
from xactika_site.http import digits


class TargetKind(StrEnum):
    """What a link may lead to; its value begins the target, and is stored."""

    HOMEWORK = "homework"
    TEST = "test"
    LESSON = "lesson"
    PRACTICE = "practice"
    PUZZLES = "puzzles"


class Target(NamedTuple):
    """Where a link leads: as the platform keeps it (``text``, like ``lesson:7``), the address,
    what it is called, and what it is here."""

    kind: TargetKind
    text: str
    address: str
    title: str
    of: Any = None


def target_of(text: str, classroom: Classroom | None) -> Target | None:
    """The target of this text in a class, or a guest's; None if there is none."""
    kind, _colon, name = text.partition(":")
    key = digits(name) or 0
    own = {"pk": key, "classroom": classroom}
    match kind:
        case TargetKind.LESSON if lesson := lesson_by_number(key):
            address, title = reverse("lesson", args=[lesson.slug]), lesson_words(key)
            return Target(TargetKind.LESSON, f"lesson:{key}", address, title)
        case TargetKind.PRACTICE if name in {each.value for each in Skill}:
            address, skill = f"{reverse('practice')}#skill-{name}", Skill(name)
            return Target(TargetKind.PRACTICE, text, address, skill.title, skill)
        case TargetKind.HOMEWORK if homework := Homework.objects.filter(**own).first():
            title = _("Homework until %(day)s") % {"day": homework.last_day.isoformat()}
            address = homework.get_absolute_url()
            return Target(TargetKind.HOMEWORK, f"homework:{key}", address, title, homework)
        case TargetKind.TEST if test := Assessment.objects.filter(**own).first():
            address = test.get_absolute_url()
            return Target(TargetKind.TEST, f"test:{key}", address, about(test), test)
        case TargetKind.PUZZLES:
            return Target(TargetKind.PUZZLES, kind, reverse("puzzle_archive"), _("Puzzles"))
    return None


def targets_in(classroom: Classroom) -> list[Target]:
    """All to which a class's links may lead now; homework and tests while they are open."""
    texts = [
        *(f"homework:{each.pk}" for each in classroom.homework.order_by("-pk") if each.is_open),
        *(
            f"test:{each.pk}"
            for each in classroom.assessments.order_by("-pk")
            if not each.is_over
        ),
        *(f"lesson:{lesson.number}" for lesson in lessons()),
        *(f"practice:{skill.value}" for skill in Skill),
        TargetKind.PUZZLES,
    ]
    return [found for text in texts if (found := target_of(text, classroom))]


def scores_in(
    classroom: Classroom, targets: Collection[str]
) -> Mapping[str, Mapping[int, Fraction]]:
    """The scores of a class's students, by target and student: of homework the share done, of
    a lesson or a skill the share of questions right first time, of a test the share right in
    the second one, once both are over. Who has not begun has none, but in closed homework 0 if
    they were there before it closed."""
    learning, scores = learning_of_classroom(classroom), dict[str, dict[int, Fraction]]()
    book = gradebook(learning, names={pk: str(pk) for pk in learning.names}).rows
    for target in [each for text in targets if (each := target_of(text, classroom))]:
        own: dict[int, Any] = {}
        match target.kind:
            case TargetKind.LESSON:
                own = {
                    int(str(pk)): it for pk, lesson, it, *_ in book if lesson == target.title
                }
            case TargetKind.PRACTICE:
                rows = learning.by_student.items()
                own = {pk: by[target.of].share for pk, by in rows if target.of in by}
            case TargetKind.HOMEWORK:
                done = done_by(target.of, learning.names)
                must = not target.of.is_open
                own = {
                    pk: it.share(target.of)
                    for pk, it in done.items()
                    if it.has_begun or (must and not it.came_after)
                }
            case TargetKind.TEST if target.of.is_over:
                read = assessed(target.of)
                sheets = {each.student: each.second for each in read.taken if each.second}
                own = {pk: Fraction(it.right(it.given), it.length) for pk, it in sheets.items()}
        scores[target.text] = own
    return scores
