"""Privacy as pages: what is kept and why, taking it out, and deleting it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import islice

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.classes import closing, joining
from games.classes.students import never_played
from games.keeping import export
from games.models import Deal
from games.tables import seats
from xactika_site.classrooms.models import Attendance, Classroom
from xactika_site.classrooms.selectors import (
    NotFound,
    as_number,
    classroom_for,
    owned_by,
    student_for,
    unclosed_session,
)
from xactika_site.classrooms.views import session_or_404
from xactika_site.views import page_view, teachers_form


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """The page for parents and the school: what is stored, why, and for how long."""
    context = {"days": settings.RETENTION_DAYS, "lti": settings.LTI}
    return render(request, "games/privacy.html", context)


@page_view
@login_required
def export_student(request: HttpRequest, student_id: int) -> HttpResponseBase:
    """The file of a student's own finished rounds, as JSON lines."""
    student = student_for(request.user, student_id)
    own = Q(pk__in=student.moves.values("deal")) | Q(pk__in=student.results.values("deal"))
    deals = export.rounds_by_students().filter(own)
    return _file_response(export.lines(deals, student=student), student.name)


@page_view
@login_required
def export_session(request: HttpRequest, session_id: int) -> HttpResponseBase:
    """The file of a class session's finished rounds, as JSON lines."""
    session = session_or_404(request, session_id)
    deals = export.finished_deals().filter(table__class_session=session)
    return _file_response(export.lines(deals), _("session %d") % session.pk)


@page_view
@login_required
def export_classroom(request: HttpRequest, classroom_id: int) -> HttpResponseBase:
    """The file of all finished rounds of a classroom, as JSON lines."""
    classroom = classroom_for(request.user, classroom_id)
    deals = export.rounds_by_students().filter(_classroom_filter(classroom))
    return _file_response(export.lines(deals), classroom.name)


def _file_response(lines: Iterator[str], name: str) -> StreamingHttpResponse:
    response = StreamingHttpResponse(_text_pieces(lines), content_type="application/x-ndjson")
    response["Content-Disposition"] = (
        f'attachment; filename="{slugify(name) or "rounds"}.jsonl"'
    )
    return response


async def _text_pieces(lines: Iterator[str]) -> AsyncIterator[str]:
    """The lines, read from the database by a thread while the file is being sent."""
    while piece := await sync_to_async(lambda: "".join(islice(lines, 500)))():
        yield piece


@teachers_form
def delete_student(request: HttpRequest, student_id: int) -> HttpResponse:
    """The page that asks; a POST deletes a student: what they played stays without a name."""
    student = student_for(request.user, student_id)
    if request.method != "POST":
        context = {"student": student, "classroom_id": student.classroom_id}
        return render(request, "games/delete.html", context)
    seats.remove_student(student=student)
    return _deleted(student.classroom_id)


@teachers_form
def delete_session(request: HttpRequest, session_id: int) -> HttpResponse:
    """The page that asks; a POST deletes a class session with all that was played in it."""
    session = session_or_404(request, session_id)
    if request.method != "POST":
        return render(
            request,
            "games/delete.html",
            {
                "session": session,
                "classroom_id": session.classroom_id,
                "came": session.attendances.exclude(state=Attendance.State.ASKING).count(),
                "rounds": Deal.objects.filter(
                    table__class_session=session, results__seat=0
                ).count(),
                "lessons": session.lesson_runs.count(),
                "exercises": session.class_exercises.count(),
            },
        )
    closing.delete_session(session_id=session_id)
    return _deleted(session.classroom_id)


def _deleted(classroom_id: int) -> HttpResponse:
    """To the page of the class, which says that it is done."""
    return redirect(reverse("classroom", args=[classroom_id], query={"done": "delete"}))


@teachers_form
def delete_unplayed(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """The page that lists the students who never played, as a flood of made-up ones leaves; a
    POST deletes those of them who still have not."""
    classroom = classroom_for(request.user, classroom_id)
    session = unclosed_session(classroom)
    if request.method != "POST":
        context = {
            "unplayed": never_played(classroom),
            "classroom_id": classroom_id,
            "classroom": classroom,
            "open_session": session,
        }
        return render(request, "games/delete.html", context)
    sent = request.POST.getlist("student")
    listed = {int(pk) for pk in sent if pk.isdecimal() and len(pk) < 19}
    joining.delete_unplayed_students(classroom=classroom, students=listed)
    return redirect("session", session.pk) if session else redirect("classroom", classroom_id)


@teachers_form
def delete_classrooms(request: HttpRequest) -> HttpResponse:
    """The page of what goes with each ``class``; a POST deletes these classrooms, if they are
    the teacher's: not a substitute's."""
    keys = {as_number(pk) for pk in request.GET.getlist("class")}
    classrooms = list(owned_by(request.user).filter(pk__in=keys))
    if len(classrooms) < len(keys):
        raise NotFound
    if request.method == "POST" or not keys:
        for classroom in classrooms:
            closing.delete_classroom(classroom=classroom)
        return redirect(reverse("teach", query={"done": "delete"} if classrooms else {}))
    going = [
        {
            "classroom": each,
            "present": unclosed_session(each),
            "students": each.students.count(),
            "sessions": each.sessions.count(),
            "rounds": Deal.objects.filter(_classroom_filter(each), results__seat=0).count(),
            "homework": each.homework.count(),
            "covers": each.cover_sheets.count(),
            "tests": each.assessments.count(),
        }
        for each in classrooms
    ]
    only = classrooms[0].pk if len(classrooms) == 1 else None
    return render(request, "games/delete.html", {"going": going, "classroom_id": only})


def _classroom_filter(classroom: Classroom) -> Q:
    return Q(table__class_session__classroom=classroom) | Q(table__classroom=classroom)
