"""The lobby where a student waits, and the way out of it."""

from __future__ import annotations

from contextlib import suppress

from django.core.signing import BadSignature
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from games.classes import joining, seating
from games.classes.free_seats import seats_are_due
from games.classes.pictures import session_pictures
from games.classes.state import SessionState, load_session
from games.classes.students import reminders
from games.classes.viewers import SessionView, SessionViewer, session_viewer
from games.league import is_open_to
from games.models import VARIANTS, Result
from games.pages.joining import (
    PHRASE_COOKIE,
    PHRASE_SHOWN,
    REQUEST_COOKIE,
    known_student,
    phrase_signer,
    remember_lane,
    remember_student,
)
from games.pages.puzzle_marks import COOKIE as PUZZLES_COOKIE
from games.tables import seats
from games.tables.notify import session_changed
from games.tables.rendering import with_minus
from games.tables.state import TableState, load_table
from games.tables.timing import AWAY_AFTER
from games.tables.viewers import STUDENT_COOKIE, find_browser
from xactika_site import clock, languages
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Attendance, ClassSession, Student
from xactika_site.classrooms.selectors import AT_HOME, NotFound, phrase_of, students_at, was_at
from xactika_site.classrooms.services import Refused
from xactika_site.http import HttpRequest
from xactika_site.views import form_view

ROUNDS_SHOWN = 12

TABLE_FILES = (
    "games/table.css",
    "games/result.css",
    "games/preferences.js",
    "games/sounds.js",
    "games/ear.js",
    "games/hand.js",
    "games/moments.js",
    "games/ending.js",
    "games/motion.js",
    "games/stats.js",
    "games/table.js",
    "games/keys.js",
    "games/reading.js",
    "games/reactions.js",
    "games/odds.js",
    "lessons/table.js",
)
"""What a student's page of a table loads and the lobby does not: fetched while they wait."""


# The lobby.


@form_view
def lobby(request: HttpRequest, session_id: int) -> HttpResponse:
    """The page where a student waits; a POST says that the rejoin phrase has been noted."""
    browser = find_browser(request.COOKIES, request.user)
    last, browser = browser, browser.at(session_id)
    try:
        viewer = session_viewer(session_id, browser, SessionView.LOBBY)
        session, tables = _seated_session(session_id, viewer)
        picture = session_pictures(session, tables, clock.now())(viewer)
    except NotFound:
        return _join_redirect(request, session_id)
    student, _session = browser.present
    assert student is not None  # or there would be no such viewer
    if request.method == "POST":
        classrooms.note_phrase(student=student)
        session_changed(session_id)
        response: HttpResponse = redirect("lobby", session_id)
        response.delete_cookie(PHRASE_COOKIE)
        return response
    is_new = _is_new_here(request, student)
    context = {
        "session": session,
        "is_live": languages.is_spoken(session.language),
        "table_files": TABLE_FILES,
        # Before anything was put before the class there is nothing to ask for.
        "has_news": session.lesson or session.settings.news,
        "is_reminded": any(waits(student) for waits in reminders),
        "student": student,
        "has_league": is_open_to(student),
        "fragments": picture.fragments,
        "phrase": phrase_of(student) if is_new else "",
        "rounds": _own_rounds(student) if session.played.dealt or not is_new else (),
    }
    response = render(request, "games/classes/lobby.html", context)
    if browser.students != last.students:  # back from another class
        remember_student(request, response, browser.students[0].key, student)
    return response


def _own_rounds(student: Student) -> list[dict[str, object]]:
    """The student's last rounds in this classroom of which they made every move."""
    own = Result.objects.filter(student=student, deal__table__class_session__isnull=False)
    rows = own.values_list("deal__created", "deal__table__variant", "bid", "taken", "points")
    games = dict(VARIANTS)
    return [
        {"day": day, "game": games[game], "bid": bid, "taken": taken, "points": with_minus(won)}
        for day, game, bid, taken, won in rows.order_by("-deal__pk")[:ROUNDS_SHOWN]
    ]


def _seated_session(
    session_id: int, viewer: SessionViewer
) -> tuple[SessionState, dict[str, TableState]]:
    """The session and its tables, once this student, who is here now, has a seat if there is
    one: they may come back without the socket that would see to it."""
    if viewer.attendance is not None and not viewer.was_seen(within=AWAY_AFTER):
        classrooms.mark_here(attendances=[viewer.attendance])
    session = load_session(session_id)
    tables = {table_id: load_table(table_id) for table_id in session.tables}
    if not seats_are_due(session, tuple(tables.values()), clock.now()):
        return session, tables
    with suppress(Refused):  # closed meanwhile
        seating.seat_present(session_id=session_id)
    session = load_session(session_id)
    return session, {table_id: load_table(table_id) for table_id in session.tables}


def _is_new_here(request: HttpRequest, student: Student) -> bool:
    """Whether the student came in new on this device just now, or by a teacher's yes."""
    try:
        cookie = request.COOKIES.get(PHRASE_COOKIE, "")
        return phrase_signer.unsign(cookie, max_age=PHRASE_SHOWN) == str(student.pk)
    except BadSignature:
        return False


def _join_redirect(request: HttpRequest, session_id: int) -> HttpResponse:
    """The redirect to where a student of this classroom is asked who they are, who has not said
    so for this session, or is gone from it; 404 for anybody else."""
    session = ClassSession.objects.filter(pk=session_id).select_related("classroom").first()
    if session is None:
        raise Http404
    was_here = was_at(request.COOKIES.get(STUDENT_COOKIE), session_id)
    if not was_here and known_student(request, session.classroom) is None:
        raise Http404
    return redirect("join_code", session.classroom.code)


@require_POST
def lobby_done(request: HttpRequest, session_id: int) -> HttpResponse:
    """The redirect after "I’m done": the device forgets the student, in all its tabs and in all
    classes that it knows; their seats and phrases stay theirs."""
    known = [
        each
        for each in students_at(request.COOKIES.get(STUDENT_COOKIE))
        if each.session == AT_HOME
        or Attendance.objects.filter(class_session=each.session, student=each.student).exists()
    ]
    if session_id not in {each.session for each in known}:
        raise Http404
    for each in known:
        joining.leave_browser(session_id=each.session, student=each.student, browser=each.mark)
        seats.leave_homework(student=each.student)
    response = redirect(f"{reverse('join')}?done")
    for name in (STUDENT_COOKIE, REQUEST_COOKIE, PHRASE_COOKIE, PUZZLES_COOKIE):
        response.delete_cookie(name)
    for each in known:
        remember_lane(response, each.student)
    return response
