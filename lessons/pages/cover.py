"""A cover lesson: its guests' pages, by the sheet's key; its teachers', and on paper."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games.analysis.puzzles import puzzles
from games.pages.tables import guest_who_opens, remember_guest
from games.study.learning.chapter_files import chapters
from games.study.puzzles.words import KINDS
from games.tables.opening import new_guest
from games.tables.viewers import GUEST_COOKIE, find_guest
from lessons.exercises import exercise_of
from lessons.homework import cover as lesson
from lessons.homework.cover import done_in
from lessons.models import CoverPuzzle, CoverSheet, CoverVisit
from lessons.pages.homework import puzzle_page
from lessons.pages.homework_given import last_day
from lessons.pages.speaking import COVER_COOKIE, speak
from xactika_site.accounts.views import printed_link
from xactika_site.classrooms.models import Classroom
from xactika_site.classrooms.selectors import NotFound, classroom_for
from xactika_site.classrooms.services import Refused
from xactika_site.http import HttpRequest, digits, set_cookie
from xactika_site.views import form_view, teachers_form, teachers_page

LASTS = 4 * 60 * 60
"""Seconds for which other pages at a guest's browser lead back to the lesson."""

# For its guests.


@form_view
def cover(request: HttpRequest, cover_key: str) -> HttpResponse:
    """The lesson's parts and what of them this browser's guest has done; before that what it
    is. A POST comes in, or begins a part that needs more than a link."""
    sheet = _sheet_or_404(cover_key)
    visit, notice = _visit_here(request, sheet), ""
    if request.method == "POST":
        try:
            return _begin(request, sheet, visit)
        except Refused as why:
            notice = str(why)
    context = {
        "sheet": sheet,
        "visit": visit,
        "notice": notice,
        "parts": _rows_by_part(visit) if visit else (),
    }
    status = 422 if notice else 200
    response = render(request, "lessons/cover/lesson.html", context, status=status)
    if visit is not None and sheet.is_open:
        set_cookie(response, COVER_COOKIE, sheet.key, max_age=LASTS)
    return response


def _sheet_or_404(key: str) -> CoverSheet:
    return get_object_or_404(CoverSheet.objects.select_related("classroom"), key=key.lower())


def _visit_here(request: HttpRequest, sheet: CoverSheet) -> CoverVisit | None:
    guest = find_guest(request.COOKIES.get(GUEST_COOKIE))
    visits = sheet.visits.select_related("sheet__classroom", "guest")
    return visits.filter(guest=guest).first() if guest else None


def _begin(request: HttpRequest, sheet: CoverSheet, visit: CoverVisit | None) -> HttpResponse:
    action = request.POST.get("do", "")
    if action == "come" or (action == "new" and visit is not None):
        lesson.check_open(sheet)
        guest, key = guest_who_opens(request)
        if visit is not None and action == "new":
            guest, key = new_guest()
            lesson.forget_empty(visit=visit)
        lesson.come_in(sheet=sheet, guest=guest)
        return remember_guest(redirect("cover", sheet.key), key)
    if visit is not None and action == "boards":
        table_id = lesson.begin_boards(visit=visit)
        return redirect(reverse("table", args=[table_id], query={"as": 0}))
    if visit is not None and action == "question":
        return redirect(lesson.exit_question(visit=visit))
    raise NotFound


class CoverRow(NamedTuple):
    """A part of the lesson: what is told of it if it is done, and the address where it is or
    what a POST has to ``do``."""

    title: str
    told: str = ""
    address: str = ""
    do: str = ""


def _rows_by_part(visit: CoverVisit) -> list[tuple[str, list[CoverRow]]]:
    sheet, (done,) = visit.sheet, done_in([visit])
    asked = exercise_of(sheet.question["exercise"]).title_of(sheet.question["parameters"])
    played = _("%(n)d of %(all)d played") % {"n": done.boards, "all": lesson.BOARDS}
    tick = "✓ %s"
    told: dict[CoverPuzzle | None, str] = {
        CoverPuzzle.SOLVED: tick % _("solved"),
        CoverPuzzle.SHOWN: _("answer shown"),
    }
    chapter_rows = [
        CoverRow(
            _(each.title),
            tick % _("done") if each.number in visit.chapters else "",
            reverse("chapter", args=[each.slug]),
        )
        for each in chapters()
        if each.number in lesson.CHAPTERS
    ]
    puzzle_rows = [
        CoverRow(
            str(KINDS[puzzles()[number].kind]),
            told.get(visit.puzzle(number), ""),
            reverse("cover_puzzle", args=[sheet.key, place]),
        )
        for place, number in enumerate(sheet.puzzles, start=1)
    ]
    is_played = done.boards == lesson.BOARDS
    boards = CoverRow(played, tick % _("done") if is_played else "", do="boards")
    question = CoverRow(asked, tick % _("right") if done.is_right else "", do="question")
    return [
        (_("Chapters"), chapter_rows),
        (_("Puzzles"), puzzle_rows),
        (_("Boards"), [boards]),
        (_("Before you go"), [question]),
    ]


@form_view
def puzzle(request: HttpRequest, cover_key: str, number: int) -> HttpResponse:
    """One of its puzzles, and what comes of an answer to it."""
    sheet = _sheet_or_404(cover_key)
    if not 0 < number <= len(sheet.puzzles):
        raise Http404
    visit = _visit_here(request, sheet)
    if visit is None or not sheet.is_open:
        return redirect("cover", sheet.key)
    key = sheet.puzzles[number - 1]
    state = visit.puzzle(key)

    def answered(answer: str) -> bool:
        return lesson.answer_puzzle(visit=visit, number=key, answer=answer) in lesson.OVER

    return puzzle_page(
        request,
        answered,
        numbers=sheet.puzzles,
        number=number,
        way_back=reverse("cover", args=[sheet.key]),
        next=reverse("cover_puzzle", args=[sheet.key, number + 1]),
        is_solved=state in lesson.OVER,
        is_own_answer=state is CoverPuzzle.SOLVED,
    )


# For the class's teachers.


@teachers_form
def of_class(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """A class's cover lessons, and what was done of the latest, or of another ``sheet``. A POST
    makes or deletes one, or says who its guests were."""
    classroom = classroom_for(request.user, classroom_id)
    sheets = list(classroom.cover_sheets.order_by("-pk"))
    chosen = request.GET.get("sheet", "")
    sheet = next((each for each in sheets if chosen in {"", str(each.pk)}), None)
    notice = ""
    if request.method == "POST":
        try:
            return _do(request, classroom, sheet)
        except Refused as why:
            notice = str(why)
    visits = list(sheet.visits.select_related("student").order_by("pk")) if sheet else []
    done = done_in(visits)
    guests = Counter(each.visit.student.name for each in done if each.visit.student)
    context = {
        "classroom": classroom,
        "sheets": sheets,
        "sheet": sheet,
        "done": done,
        "students": classroom.students.order_by("name"),
        "day": timezone.localdate() + lesson.USUAL,
        "notice": notice,
        "is_saved": "saved" in request.GET,
        "is_laptop": not settings.BASE_URL,
        "several": sorted((name, n) for name, n in guests.items() if n > 1),
        "whole": {
            "chapters": len(lesson.CHAPTERS),
            "puzzles": lesson.PUZZLES,
            "boards": lesson.BOARDS,
        },
    }
    status = 422 if notice else 200
    return render(request, "lessons/cover/of_class.html", context, status=status)


def _do(request: HttpRequest, classroom: Classroom, sheet: CoverSheet | None) -> HttpResponse:
    action = request.POST.get("do", "")
    if action == "make":
        new = lesson.make_sheet(classroom=classroom, until=last_day(request.POST))
        return redirect("cover_paper", classroom.pk, new.pk)
    if sheet is None or action not in {"save", "delete"}:
        raise NotFound
    if action == "delete":
        lesson.delete_sheet(sheet=sheet)
        return redirect("cover_of_class", classroom.pk)
    named = {
        visit: digits(request.POST[f"who-{visit}"])
        for visit in sheet.visits.values_list("pk", flat=True)
        if f"who-{visit}" in request.POST
    }
    lesson.assign_students(sheet=sheet, students=named)
    here = reverse(
        "cover_of_class", args=[classroom.pk], query={"sheet": sheet.pk, "saved": ""}
    )
    return redirect(here)


@teachers_page
def paper(request: HttpRequest, classroom_id: int, sheet_id: int) -> HttpResponse:
    """The sheet to print, in the class's language."""
    classroom = classroom_for(request.user, classroom_id)
    sheet = get_object_or_404(classroom.cover_sheets, pk=sheet_id)
    speak(request, sheet.language)
    link = printed_link(request, reverse("cover", args=[sheet.key]))
    is_laptop = not settings.BASE_URL
    context = {"classroom": classroom, "sheet": sheet, "is_laptop": is_laptop, **link}
    return render(request, "lessons/cover/paper.html", context)
