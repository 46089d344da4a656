"""What a teacher reads and prints of a lesson: its page for teachers, worksheets and keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from lessons.course import Lesson, lessons, markup, standards
from lessons.course.standards import Earned
from lessons.exercises import Instance
from lessons.pages.lessons import lesson_or_404
from lessons.questions.moodle import moodle_xml
from lessons.questions.worksheets import MOST_SEED, Worksheet, sheets
from lessons.results.files import download
from lessons.visits.presentation import kind_name
from xactika_site.classrooms.selectors import NotFound, session_for, unclosed_session
from xactika_site.classrooms.services import Refused
from xactika_site.http import digits
from xactika_site.randomness import system_rng
from xactika_site.views import teachers_page


def _of_session(request: HttpRequest) -> int | None:
    """The class session that the page was opened from: it is in its language, and so is what
    it leads to."""
    return digits(request.GET.get("session", ""))


def _lesson_or_404(slug: str) -> Lesson:
    course = lesson_or_404(slug)
    if not course.number:  # a starter has neither
        raise Http404
    return course


@teachers_page
def guide(request: HttpRequest, slug: str) -> HttpResponse:
    """A teacher's page: aim, standards, minutes, what to ask, typical errors, results."""
    course, of_session = _lesson_or_404(slug), _of_session(request)
    parts = [
        {
            "title": _(part.title),
            "paragraphs": [markup.html(text) for text in part.paragraphs],
            "items": [markup.html(text) for text in part.items],
            "errors": [
                (code.title, [markup.html(each) for each in (code.advice, text) if each])
                for code, text in course.guide.errors
            ]
            if part.title == "Typical errors"
            else [],
        }
        for part in course.guide.parts
    ]
    context = {
        "lesson": course,
        "of_session": of_session,
        **({} if of_session is None else _ways_to_hold(request, of_session)),
        "earned": _by_framework(standards.earned(course)),
        "title": markup.html(course.title),
        "aim": markup.html(course.guide.aim),
        "parts": parts,
        "steps": [(step, kind_name(step), markup.html(step.title)) for step in course.steps],
    }
    return render(request, "lessons/course/guide.html", context)


def _ways_to_hold(request: HttpRequest, session_id: int) -> dict[str, Any]:
    """The session of the teacher's own that the page was opened from, and its class's open one,
    in which the lesson can be held; nothing of another's."""
    try:
        session = session_for(request.user, session_id)
    except NotFound:
        return {}
    return {"session": session, "present": unclosed_session(session.classroom)}


def _by_framework(earned: Iterable[Earned]) -> list[dict[str, Any]]:
    """Frameworks of which something is earned, with their standards and the steps' titles."""
    by_key: dict[str, list[dict[str, Any]]] = {}
    for each in earned:
        steps = [markup.html(step.title) for step in each.steps]
        row = {"standard": each.standard, "lesson": each.lesson, "steps": steps}
        by_key.setdefault(each.standard.framework, []).append(row)
    return [
        {"framework": framework, "rows": by_key[framework.key]}
        for framework in standards.frameworks_to_read()
        if framework.key in by_key
    ]


@teachers_page
def crosswalk(request: HttpRequest) -> HttpResponse:
    """All standards that lessons earn, with lessons and steps: to read, and to print."""
    earned = [each for course in lessons() for each in standards.earned(course)]
    order = list(standards.standards())
    earned.sort(key=lambda each: order.index(each.standard.code))
    context = {"frameworks": _by_framework(earned)}
    return render(request, "lessons/course/standards.html", context)


def moodle_file(questions: Iterable[Instance], name: str) -> HttpResponse:
    """A download of these questions as Moodle XML."""
    return download(moodle_xml(questions, name), name, "xml", "application/xml; charset=utf-8")


@teachers_page
def worksheet(request: HttpRequest, slug: str) -> HttpResponse:
    """A worksheet (``?copy=3``) or several (``?copy=1-30``) of the set ``seed``; with ``key``
    the answers, with ``moodle`` a file of them. Without a seed, a new set."""
    course, of_session = _lesson_or_404(slug), _of_session(request)
    if "seed" not in request.GET:
        seed = system_rng.randint(1, MOST_SEED)
        where = f"{reverse('worksheet', args=[slug])}?seed={seed}&copy=1"
        return redirect(where if of_session is None else f"{where}&session={of_session}")
    seed_text, copy_text = request.GET["seed"].strip(), request.GET.get("copy", "1").strip()
    first, dash, last = copy_text.partition("-")
    printed: list[Worksheet] = []
    notice = ""
    try:
        # 0 for what is no number: that is refused, too.
        begin = digits(first.strip(), most=5) or 0
        end = (digits(last.strip(), most=5) or 0) if dash else begin
        seed = digits(seed_text, most=5) or 0
        printed = sheets(course, seed=seed, first=begin, last=end)
    except Refused as why:
        notice = str(why)
    if printed and "moodle" in request.GET:
        questions = [
            task.question for sheet in printed for task in sheet.tasks if task.question
        ]
        return moodle_file(questions, f"xactika-{slug}-{seed}-{first}")
    context = {
        "lesson": course,
        "of_session": of_session,
        "title": markup.html(course.title),
        "sheets": printed,
        "is_key": "key" in request.GET,
        "seed": seed_text[:8],
        "copy": copy_text[:8],
        "notice": notice,
    }
    status = 422 if notice else 200
    return render(request, "lessons/course/worksheet.html", context, status=status)
