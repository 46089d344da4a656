"""A lesson with a class session: the teacher's page, the wall, and how students are told."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import localdate
from django_htmx.http import HttpResponseClientRedirect

from games.classes.state import has_dealt, lobby_of
from games.models import WallReplay
from games.polls import has_played, is_playing, open_poll
from games.tables.viewers import find_browser
from lessons.assessment import giving, taking
from lessons.course import contest, lesson, lessons, markup
from lessons.course.starter import slug_for
from lessons.crooked.trial import open_trial, put_before
from lessons.pages.crooked import dealers_wall
from lessons.questions import sets
from lessons.questions.in_class import exercise_before
from lessons.visits import holding
from lessons.visits.ending import is_over_on_wall, over_context
from lessons.visits.presentation import cover, room_context
from lessons.visits.wall import wall_context
from lessons.visits.ways import (
    lessons_held,
    room_of,
    run_in,
    runs_of,
    table_played_at,
    visitor_at,
    way_of,
)
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.services import Refused
from xactika_site.classrooms.views import session_or_404, way_in
from xactika_site.http import HttpRequest, digits, page_redirect
from xactika_site.views import page_view, teachers_form, teachers_page


@teachers_form
def hold(request: HttpRequest, session_id: int) -> HttpResponse:
    """The teacher's page on which a lesson is chosen for the session, then led. A POST of
    ``do`` (``action:argument``) carries it out and leads back; refused, it is the page with the
    reason (409)."""
    session = session_or_404(request, session_id)
    if request.method == "POST":
        try:
            _carry_out(session, request.POST.get("do", ""))
        except Refused as why:
            return _page(request, session, notice=str(why), status=409)
        return redirect("session_lesson", session.pk)
    return _page(request, session)


def _carry_out(session: ClassSession, do: str) -> None:
    action, _colon, argument = do.partition(":")
    match action:
        case "hold":
            holding.hold(session=session, slug=argument)
        case "open" if (number := digits(argument, most=3)) is not None:
            holding.open_step(session=session, number=number)
        case "close":
            holding.close_step(session=session, closed=True)
        case "reopen":
            holding.close_step(session=session, closed=False)
        case "wall":
            holding.show_on_wall(session=session, on=argument == "lesson")
        case "end":
            holding.end_lesson(session=session)
        case _:
            raise Http404


def _page(
    request: HttpRequest, session: ClassSession, *, notice: str = "", status: int = 200
) -> HttpResponse:
    room = room_of(session)
    context: dict[str, Any] = {
        "session": session,
        "notice": notice,
        "dealt": has_dealt(session.pk),
    }
    context |= way_in(request, session)
    if room is None:
        before = lessons_held(session.classroom)
        context["rows"] = [
            {"lesson": each, "title": markup.html(each.title), "cover": cover(each)}
            | {"summary": markup.html(each.summary), "held": before.get(each.slug)}
            for each in lessons()
        ]
        context["starter"] = slug_for(localdate(), before)
        if session.state != ClassSession.State.CLOSED:
            context["own_sets"] = sets.askable(session.classroom)
        context["contest"] = contest.SLUG
        held = list(runs_of(session))
        over = context["over"] = over_context(session)
        context["held"] = [
            {
                "place": place,
                "title": markup.html(course.title),
                "step": run.step,
                "steps": len(course.steps),
            }
            for place, run, course in held
            if not (over and run == over["run"])
        ]
        if over:
            over["place"] = next((place for place, run, _ in held if run == over["run"]), 0)
        slugs = {course.slug for _place, _run, course in held}
        context["second_test"] = giving.due_after(session.classroom, slugs)
        return render(request, "lessons/visits/choose.html", context, status=status)
    version = f"{room.version}.{room.minutes}"  # its clock goes on
    if request.htmx and request.GET.get("shown") == version:
        return HttpResponse(status=204)
    context |= room_context(room) | {"version": version}
    if request.htmx:
        return render(request, "lessons/visits/_lead.html", context)
    return render(request, "lessons/visits/lead.html", context, status=status)


def is_game_led_on_wall(session: ClassSession) -> bool:
    """Whether the wall shows a replay, or a turn put to the class."""
    replay = WallReplay.objects.filter(class_session=session)
    return replay.exists() or open_poll(session.pk) is not None


def is_wall_taken(session: ClassSession) -> bool:
    """Whether the wall shows something else than the game, or an exercise."""
    room = room_of(session)
    is_shown = open_trial(session.pk) is not None or (room is not None and room.run.on_wall)
    return is_shown or is_game_led_on_wall(session)


def _over_on_wall(session: ClassSession) -> dict[str, Any] | None:
    """What the wall shows of a lesson that is over; None while something else is put to the
    class, or too few have answered."""
    if not is_over_on_wall(session) or exercise_before(session.pk) is not None:
        return None
    over = over_context(session)
    return over if over and over["rows"] else None


def _exercise_on_wall(session: ClassSession, past: str) -> str:
    """The address of an exercise that is to be answered or talked about; empty for none, and
    for one that the wall is ``past``."""
    exercise = exercise_before(session.pk)
    if exercise is None or exercise.revealed is not None or str(exercise.pk) == past:
        return ""
    return reverse("exercise_wall", args=[session.pk], query={"taken": "1"})


@teachers_page
def wall(request: HttpRequest, session_id: int) -> HttpResponse:
    """The page for the beamer with the lesson, or a study of dealers; else a redirect to the
    game's, which comes first while it shows a replay or a poll; 204 where nothing is new.

    With ``?from=game``, which the game's wall asks every two seconds: the way here as soon as
    one is to be shown; where nothing is, the way to an exercise put to the class, unless it
    is ``past``; else 204."""
    session = session_or_404(request, session_id)
    room, trial = room_of(session), open_trial(session.pk)
    is_led = is_game_led_on_wall(session)
    is_shown = not is_led and (trial is not None or (room is not None and room.run.on_wall))
    over = None if is_led or trial or room else _over_on_wall(session)
    if request.GET.get("from") == "game":
        here = reverse("session_lesson_wall", args=[session.pk]) if is_shown or over else ""
        if not (here or is_led):
            here = _exercise_on_wall(session, past=request.GET.get("past", ""))
        return HttpResponseClientRedirect(here) if here else HttpResponse(status=204)
    if trial is not None and is_shown:
        return dealers_wall(request, trial)
    if not (over or (room is not None and is_shown)):
        return page_redirect(request, "projector", session.pk)
    version = room.version if room else f"over.{session.open_code}"
    if request.htmx and request.GET.get("shown") == version:
        return HttpResponse(status=204)
    part = "lessons/visits/_over_wall.html" if over else "lessons/visits/_wall.html"
    page = part if request.htmx else "lessons/visits/wall.html"
    context = {"session": session, "part": part} | way_in(request, session)
    context |= wall_context(room) if room else (over or {}) | {"version": version}
    return render(request, page, context)


@page_view
def class_lesson(request: HttpRequest, session_id: int) -> HttpResponse:
    """A line for a student's lobby or table that says where the class is (a turn or dealers
    put to it, a test, a lesson), empty for nowhere and while the lesson's step is to play.
    Instead of a line a redirect there, where the student need not stay: from the lobby, or a
    game that is paused or over, if they have not been there yet."""
    browser = find_browser(request.COOKIES, request.user).at(session_id)
    if lobby_of(browser) != session_id:
        raise Http404
    visitor, run = visitor_at(browser), run_in(session_id)
    is_here = visitor.student is not None and visitor.session == session_id
    if is_here and visitor.student and (page := put_before(session_id)):
        address = reverse(page, args=[session_id])
        if not is_playing(visitor.student, session_id):
            return HttpResponseClientRedirect(address)
        asked = {"address": address, "is_turn": page == "poll"}
        return render(request, "games/study/_poll_told.html", asked)
    test = taking.open_to(visitor.student) if is_here and visitor.student else None
    if test is not None and (test.is_fresh or run is None):
        if request.GET.get("from") == "lobby" and test.is_fresh and not test.has_begun:
            return HttpResponseClientRedirect(test.assessment.get_absolute_url())
        return render(request, "lessons/assessment/_told.html", {"assessment": test.assessment})
    if not is_here or visitor.student is None:  # sent out, say
        return HttpResponse("")
    if run is None and request.GET.get("from") != "lobby":
        return HttpResponse("")  # nobody is called away from a game
    if run is None:
        own = taking.own_lesson_context(visitor.student)
        told = "lessons/visits/_told.html"
        return render(request, told, own | {"is_own": True}) if own else HttpResponse("")
    if request.GET.get("from") != "lobby" and table_played_at(run, visitor) is not None:
        return HttpResponse("")  # the step is to play
    course = lesson(run.lesson)
    way = way_of(course, visitor)
    is_paused = run.class_session.state == ClassSession.State.PAUSED
    is_free = is_paused or request.GET.get("from") == "lobby"
    if way.visit is None and (is_free or has_played(visitor.student, session_id)):
        return HttpResponseClientRedirect(reverse("lesson", args=[course.slug]))
    context = {"lesson": course, "title": markup.html(course.title)}
    return render(request, "lessons/visits/_told.html", context)
