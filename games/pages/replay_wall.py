"""A finished round on the projector, led from the teacher's own page of its replay."""

from __future__ import annotations

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from games.analysis.jobs import StillCounting
from games.classes.steering import show_replay, take_replay_down
from games.models import Poll, WallReplay
from games.pages.polls import is_up_to_date, poll_context
from games.pages.positions import position_context, replay_view_or_404, sight_by_query
from games.polls import end, open_poll, tally_of
from games.study.replay.positions import position_at, position_for, sight_of
from games.tables.viewers import Browser
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.selectors import as_number
from xactika_site.classrooms.views import session_or_404
from xactika_site.http import HttpRequest, page_redirect
from xactika_site.views import teachers_form


@teachers_form
def session_replay(request: HttpRequest, session_id: int) -> HttpResponse:
    """What the projector shows of a turn put to the class, else of a led replay; a POST ends
    the one and begins with a ``round`` of a ``table``,
    follows the teacher to another ``look`` at a ``position``, or takes it down. With
    ``?from=game`` what the game's wall asks now and then: the way here, as soon as there is
    anything to show."""
    session = session_or_404(request, session_id)
    if request.method == "POST":
        return _led_replay_page(request, session)
    led = WallReplay.objects.filter(class_session=session).select_related("position").first()
    poll = open_poll(session.pk)
    if request.GET.get("from") == "game":
        here = reverse("session_replay", args=[session.pk])
        return HttpResponseClientRedirect(here) if led or poll else HttpResponse(status=204)
    if poll is not None:
        return _poll_page(request, poll)
    if led is None:
        return page_redirect(request, "projector", session.pk)
    version = f"{led.position_id}?{led.look}"
    if request.htmx and request.GET.get("shown") == version:
        return HttpResponse(status=204)
    try:
        context = _picture_context(request, led.position_id, led.look)
    except StillCounting:  # it was found as it was put here; not so by another process
        return HttpResponse(status=204)
    return _wall_page(request, "_wall", {**context, "session": session, "version": version})


def _poll_page(request: HttpRequest, poll: Poll) -> HttpResponse:
    if is_up_to_date(request, poll, tally_of(poll).votes):
        return HttpResponse(status=204)
    context = poll_context(poll)
    if request.htmx and request.GET.get("shown") == context["version"]:
        return HttpResponse(status=204)  # the odds are still computed
    return _wall_page(request, "_poll_wall", {**context, "session": poll.class_session})


def _wall_page(request: HttpRequest, part: str, context: dict[str, object]) -> HttpResponse:
    part = f"games/study/{part}.html"
    page = part if request.htmx else "games/study/wall.html"
    return render(request, page, {**context, "part": part})


def _led_replay_page(request: HttpRequest, session: ClassSession) -> HttpResponse:
    sent = request.POST
    if "down" in sent:
        take_replay_down(session_id=session.pk)
        return redirect("session", session.pk)
    if "round" in sent:
        sight = sight_of(
            _teacher_browser(request), sent.get("table", ""), as_number(sent["round"])
        )
        position, look = position_at(sight, moment=0, seat=0), ""
    else:
        position, sight = position_for(_teacher_browser(request), sent.get("position", ""))
        query = QueryDict(sent.get("look", ""))
        try:
            sight = sight_by_query(query, sight)
        except StillCounting:
            return HttpResponse(status=204)  # asked again with the next step
        look = replay_view_or_404(query, position, sight).query(leads=None, wall=None)
    if sight.state.class_session_id != session.pk:
        raise Http404
    end(session_id=session.pk)
    show_replay(session_id=session.pk, position=position, look=look)
    if request.htmx:
        return HttpResponse(status=204)
    return redirect(
        reverse(
            "position",
            args=[position.pk],
            query={**QueryDict(look).dict(), "leads": session.pk},
        )
    )


def _picture_context(request: HttpRequest, position_id: str, look: str) -> dict[str, object]:
    position, sight = position_for(_teacher_browser(request), position_id)
    query = QueryDict(f"{look}&wall=1")
    sight = sight_by_query(query, sight)
    return position_context(position, sight, replay_view_or_404(query, position, sight))


def _teacher_browser(request: HttpRequest) -> Browser:
    """The browser as its teacher's alone: a student's cookie in it shows nothing more."""
    assert isinstance(request.user, User)
    return Browser(teacher=request.user)
