"""Who sits together: a teacher's page before a class plays."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render

from games.classes import forming
from games.classes.state import SessionState, load_session
from games.models import Table
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.names import plain
from xactika_site.classrooms.services import Refused
from xactika_site.classrooms.views import session_or_404
from xactika_site.http import HttpRequest, digits
from xactika_site.views import teachers_form


@teachers_form
def session_groups(request: HttpRequest, session_id: int) -> HttpResponse:
    """The page with a table's number beside each student, in the order of their names: by hand,
    as they sit now, or ``?as=before`` with the partners of last time."""
    session = session_or_404(request, session_id)
    state = load_session(session.pk)
    if request.method != "POST":
        as_before = request.GET.get("as") == "before"
        now = forming.partners_before(state) if as_before else _table_by_student(state)
        return _groups_page(request, session, now)
    sent = {
        student.pk: digits(request.POST.get(f"table-{student.pk}", ""), 3)
        for student in state.here
    }
    tables = {pk: number for pk, number in sent.items() if number}
    groups: dict[int, list[int]] = {}
    for pk, number in tables.items():
        groups.setdefault(number, []).append(pk)
    try:
        in_order = [groups[number] for number in sorted(groups)]
        forming.seat_anew(session_id=session.pk, groups=in_order)
    except Refused as why:
        return _groups_page(request, session, tables, refused=str(why))
    return redirect("session", session.pk)


def _table_by_student(state: SessionState) -> dict[int, int]:
    numbers = dict(Table.objects.filter(pk__in=state.tables).values_list("pk", "number"))
    return {
        student.pk: numbers[student.table] for student in state.here if student.table in numbers
    }


def _groups_page(
    request: HttpRequest, session: ClassSession, tables: dict[int, int], refused: str = ""
) -> HttpResponse:
    state = load_session(session.pk)
    present = sorted(forming.present_students(state), key=lambda student: plain(student.name))
    context = {
        "session": session,
        "students": [(student, tables.get(student.pk, "")) for student in present],
        "has_begun": state.state != ClassSession.State.LOBBY,
        "refused": refused,
    }
    status = 409 if refused else 200
    return render(request, "games/classes/groups.html", context, status=status)
