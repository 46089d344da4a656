"""A class's tests before and after as its teachers see them: opened, watched, their results."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from games.words import percent
from lessons.assessment import giving, taking
from lessons.assessment.assessed import assessed
from lessons.assessment.forms import LENGTHS, USUAL_LENGTH
from lessons.assessment.gains import FAIR, FEWEST_A_HALF, HARDER, LESSON_GAIN, power
from lessons.course import lessons
from lessons.exercises.skills import Skill
from lessons.models import Assessment, Visit
from lessons.pages.results import are_names_shown, names_of
from lessons.questions.presentation import preview
from lessons.results.files import csv_response
from lessons.results.learned.gain_panels import about, answers_grid, panels, questions
from lessons.results.words import lesson_title, lesson_words, number, question_count
from lessons.visits.ways import lessons_held
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import Classroom
from xactika_site.classrooms.selectors import classroom_for, unclosed_session
from xactika_site.classrooms.services import Refused
from xactika_site.http import HttpRequest
from xactika_site.views import teachers_action, teachers_form, teachers_page

GAIN = 0.15
"""In the share right: the gain that a class is told how often it would see."""


def _lesson_choices() -> list[tuple[str, str]]:
    return [(each.slug, lesson_words(each.number)) for each in lessons()]


class AssessmentForm(forms.Form):
    """What two tests are about: a lesson of the course, two with a control, or skills."""

    about = forms.ChoiceField(
        label=_("About"),
        choices=lambda: [*_lesson_choices(), ("", _("skills you choose"))],
        required=False,
    )
    control_lesson = forms.ChoiceField(
        label=_("The other lesson"),
        choices=lambda: [("", _("none")), *_lesson_choices()],
        required=False,
    )
    skills = forms.MultipleChoiceField(
        label=_("Skills"),
        choices=lambda: [(each.value, each.title) for each in Skill],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    length = forms.TypedChoiceField(
        label=_("Questions"),
        choices=[(n, lazy(question_count, str)(n)) for n in LENGTHS],
        coerce=int,
        initial=USUAL_LENGTH,
    )


@teachers_form
def of_class(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """A class's tests, the latest first; a POST opens new ones."""
    classroom = classroom_for(request.user, classroom_id)
    form = AssessmentForm(request.POST or None, initial={"about": _next_lesson(classroom)})
    if request.method == "POST" and form.is_valid():
        wished = form.cleaned_data
        try:
            new = giving.open_first(
                classroom=classroom,
                lesson=wished["about"],
                control_lesson=wished["control_lesson"] if wished["about"] else "",
                skills=wished["skills"],
                length=wished["length"],
            )
        except Refused as why:
            form.add_error(None, str(why))
        else:
            return redirect("assessment_results", new.pk)
    students = classroom.students.count()
    sees_gain = power(students, USUAL_LENGTH, GAIN)
    sees_lesson = power(students, USUAL_LENGTH / HARDER, LESSON_GAIN)
    rows = Assessment.objects.filter(classroom=classroom).order_by("-pk")
    context = {
        "classroom": classroom,
        "form": form,
        "rows": [(each, about(each)) for each in rows],
        "students": students,
        "power": percent(round(sees_gain, 1)),
        "is_sure": sees_gain >= 0.95,
        "has_control": sees_lesson >= FAIR,
        "control_power": percent(round(sees_lesson, 1)),
        "is_enough": students >= 2 * FEWEST_A_HALF,
        "gain": number(10 * GAIN, 1),
    }
    status = 422 if form.is_bound else 200
    return render(request, "lessons/assessment/of_class.html", context, status=status)


def _next_lesson(classroom: Classroom) -> str:
    """The slug of the first lesson of the course that the class has neither held nor been
    tested about; of the first of all where there is none."""
    tested = Assessment.objects.filter(classroom=classroom).values_list("lesson", flat=True)
    done = {*lessons_held(classroom), *tested}
    slugs = [each.slug for each in lessons()]
    return next((slug for slug in slugs if slug not in done), slugs[0])


@teachers_page
def results(request: HttpRequest, assessment_id: int) -> HttpResponse:
    """How far everybody is while a test is open; what came of them; what to do next."""
    assessment = _assessment_or_404(request, assessment_id)
    if request.htmx:
        return render(
            request, "lessons/assessment/_running.html", _running(request, assessment)
        )
    return _results_page(request, assessment)


def _assessment_or_404(request: HttpRequest, assessment_id: int) -> Assessment:
    assert isinstance(request.user, User)
    return taking.assessment_of_teacher(request.user, assessment_id)


def _results_page(
    request: HttpRequest, assessment: Assessment, *, notice: str = ""
) -> HttpResponse:
    classroom, read = assessment.classroom, assessed(assessment)
    is_expired = giving.is_expired(assessment)
    shown = panels(read) if assessment.is_over and not is_expired else []
    context = _running(request, assessment) | {
        "classroom": classroom,
        "names": are_names_shown(request, classroom),
        "about": about(assessment),
        "is_held": bool(assessment.lesson) and _held_since(assessment),
        "halves": _halves(assessment, names_of(request, classroom)),
        "expires": giving.expires(assessment),
        "session": unclosed_session(classroom),
        "panels": shown,
        "has_luck": any(each.key == "gain-chance" for each in shown),
        "is_expired": is_expired,
        "days": settings.RETENTION_DAYS,
        "questions": questions(read) if assessment.first_closed else None,
        "notice": notice,
    }
    status = 409 if notice else 200
    return render(request, "lessons/assessment/results.html", context, status=status)


def _held_since(assessment: Assessment) -> bool:
    """Whether the class has held the lesson since the first test was opened."""
    held = lessons_held(assessment.classroom).get(assessment.lesson)
    return held is not None and held.begun >= assessment.first_opened


def _halves(assessment: Assessment, names: dict[int, str]) -> list[dict[str, Any]]:
    """With a control: by lesson who has it between the tests, or after both, and who has gone
    through it since the first."""
    if assessment.both_lessons is None:
        return []
    drawn = list(assessment.takers.values_list("student", "lesson"))
    visits = Visit.objects.filter(
        student__in=[student for student, _lesson in drawn],
        finished__gte=assessment.first_opened,
    )
    done = set(visits.values_list("student", "lesson"))
    return [
        {
            "title": lesson_title(lesson),
            "rows": [
                (names[student], (student, lesson) in done)
                for student, own in drawn
                if (own == lesson) is not assessment.is_over and student in names
            ],
        }
        for lesson in assessment.both_lessons
    ]


@teachers_page
def both_forms(request: HttpRequest, assessment_id: int) -> HttpResponse:
    """The questions of both forms, twins beside each other."""
    assessment = _assessment_or_404(request, assessment_id)
    pairs = zip(assessment.form_a, assessment.form_b, strict=True)
    context = {
        "assessment": assessment,
        "about": about(assessment),
        "pairs": [
            (number, *(preview(each["exercise"], each["parameters"]) for each in pair))
            for number, pair in enumerate(pairs, start=1)
        ],
    }
    return render(request, "lessons/assessment/forms.html", context)


def _running(request: HttpRequest, assessment: Assessment) -> dict[str, Any]:
    """The context of who is how far in the open test, or in the last one."""
    test = assessment.open_test or (2 if assessment.second_opened else 1)
    answered = taking.answers_by_student(assessment, test)
    names = names_of(request, assessment.classroom)
    rows = [(name, answered.get(pk, 0), pk in answered) for pk, name in names.items()]
    return {
        "assessment": assessment,
        "test": test,
        "rows": rows,
        "begun": sum(has_begun for _name, _n, has_begun in rows),
        "done": sum(n == assessment.length for _name, n, _begun in rows),
        "students": len(rows),
    }


@teachers_action
def do(request: HttpRequest, assessment_id: int) -> HttpResponse:
    """Close the open test, reopen the first, open the second test, or delete both."""
    assessment = _assessment_or_404(request, assessment_id)
    try:
        match request.POST.get("do", ""):
            case "close:1" | "close:2" as close:
                giving.close_test(assessment=assessment, test=int(close[-1]))
            case "reopen":
                giving.reopen_first(assessment=assessment)
            case "second":
                giving.open_second(assessment=assessment)
            case "delete":
                giving.delete(assessment=assessment)
                return redirect("assessments_of_class", assessment.classroom_id)
            case _:
                raise Http404
    except Refused as why:
        return _results_page(request, assessment, notice=str(why))
    return redirect("assessment_results", assessment_id)


@teachers_page
def answers(request: HttpRequest, assessment_id: int) -> HttpResponse:
    """All answers as a file: a line a student, test and question, named as on the pages."""
    assessment = _assessment_or_404(request, assessment_id)
    grid = answers_grid(assessed(assessment), names_of(request, assessment.classroom))
    return csv_response(grid.sheet, f"{assessment.classroom.name} tests")
