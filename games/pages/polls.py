"""A turn of a finished round put to a class: the student's page, the teacher's, the wall."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect, HttpResponseClientRefresh

from games import polls
from games.analysis import NotReady
from games.analysis.jobs import StillCounting, TooMany
from games.models import Poll, Table, Vote
from games.pages.counting import answer
from games.study.replay.positions import position_for
from games.study.replay.scenes import drawing_of, scene
from games.tables.fragments import own_fragments
from games.tables.viewers import Browser, find_browser
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.selectors import as_number
from xactika_site.classrooms.services import Refused
from xactika_site.classrooms.views import session_or_404
from xactika_site.http import HttpRequest

MOST_SHOWN = 6
"""Choices that a wall has room for beside what was played and the best one, the commonest."""


def picture(poll: Poll, *, is_own: bool = False, tried: str = "") -> dict[str, Any]:
    """The context of what a poll's page shows: the table as the seat in turn saw it, what the
    class would play as far as that is shown, and how many have voted. NotFound where its round
    may be shown no longer."""
    question = polls.question_of(poll)
    table, line, moment, seat = question.table, question.line, question.moment, question.seat
    names = [_("Seat %(n)d") % {"n": n} for n in range(1, line.start.seats + 1)]
    state = scene(table, question.deal, line, moment, names=names)
    drawing = drawing_of(state, line, moment, seat, seat if is_own else None)
    worths = _worths(question)
    choices = polls.choices_of(poll, question, worths, tried)
    tally, trick = polls.tally_of(poll, choices), question.observation.trick
    told = {each for each in choices if each.is_played or each.move == tried}
    told |= {*[each for each in choices if each.is_best][:1]}
    shown = [each for place, each in enumerate(choices) if place < MOST_SHOWN or each in told]
    is_shown = poll.stage != Poll.Stage.ASKING
    return {
        "poll": poll,
        "question": question,
        "state": drawing.view,
        "fragments": drawing.fragments,
        "own": own_fragments(drawing.view, question.observation) if is_own else {},
        "seats": drawing.seats,
        "name": names[seat],
        "is_own": is_own,
        "is_bid": question.observation.is_bidding,
        "is_lead": trick is not None and trick.call is None,
        "choices_made": shown if is_shown and tally.may_be_shown else [],
        "others": sum(each.votes for each in choices if each not in shown),
        "tally": tally,
        "waits_for_odds": poll.stage == Poll.Stage.TOLD and worths is None,
        "version": f"{poll.pk}.{poll.stage}.{tally.votes}.{worths is None}",
    }


def _worths(question: polls.Question) -> polls.Worths | None:
    """What the moves promise; None while that is computed, or cannot be."""
    key = ("poll", question.line.start, question.line.moves, question.moment)
    try:
        return answer(key, lambda: polls.worths_of(question))
    except (NotReady, StillCounting, TooMany):
        return None


# The class.


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def poll(request: HttpRequest, session_id: int) -> HttpResponse:
    """What a student would play: a POST says it. Asked by htmx, what has changed."""
    browser = find_browser(request.COOKIES, request.user).at(session_id)
    student, at = browser.student or (None, None)
    if student is None or at != session_id or not polls.is_here(student, session_id):
        raise Http404
    found = polls.open_poll(session_id)
    if found is None:
        back = reverse("lobby", args=[session_id])
        return HttpResponseClientRedirect(back) if request.htmx else redirect(back)
    notice = ""
    if request.method == "POST":
        sent = request.POST
        try:
            polls.vote(
                poll=found,
                student=student,
                move=sent.get("answer", ""),
                sure=as_number(sent["sure"]) if sent.get("sure") else None,
            )
        except Refused as why:
            notice = str(why)
        else:
            return redirect("poll", session_id)
    return _poll_page(request, found, student, notice)


def _poll_page(
    request: HttpRequest, found: Poll, student: Student, notice: str
) -> HttpResponse:
    shown = f"{found.pk}.{found.stage}"
    if request.htmx and request.GET.get("shown") != shown:
        return HttpResponseClientRefresh()
    if request.htmx and found.stage == Poll.Stage.ASKING:
        tally, session = polls.tally_of(found, ()), found.class_session_id
        part = {"tally": tally, "session": session, "shown": shown}
        return render(request, "games/study/_polled.html", part)
    own = Vote.objects.filter(poll=found, student=student).first()
    is_told = found.stage == Poll.Stage.TOLD
    is_again = is_told and "again" in request.GET
    tried = request.GET.get("answer", "") if is_told else ""
    context = picture(found, is_own=True, tried=tried)
    if request.htmx and context["waits_for_odds"]:
        return HttpResponse(status=204)
    context |= {
        "mine": context["question"].choices.get(own.move, "") if own else "",
        "own_move": own.move if own else "",
        "tried": context["question"].choices.get(tried, ""),
        "tried_move": tried,
        "is_again": is_again,
        "is_open": is_again or (found.stage == Poll.Stage.ASKING and own is None),
        "sure": polls.SURE,
        "notice": notice,
        "action": reverse("poll", args=[found.class_session_id]),
        "session": found.class_session_id,
        "shown": shown,
    }
    page = "games/study/_polled.html" if request.htmx else "games/study/poll.html"
    return render(request, page, context, status=409 if notice else 200)


# The teacher.


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def session_poll(request: HttpRequest, session_id: int) -> HttpResponse:
    """The teacher's page of what is before the class; a POST asks (``ask``: a ``position`` and
    ``at`` which moment), or does what ``do`` says."""
    session = session_or_404(request, session_id)
    if request.method == "POST":
        return _steered(request, session)
    found = polls.open_poll(session.pk)
    if found is None:
        back = reverse("session", args=[session.pk])
        return HttpResponseClientRedirect(back) if request.htmx else redirect(back)
    context = {"session": session, **picture(found)}
    question: polls.Question = context["question"]
    context |= {
        "at": str(question.moment),
        "seat": str(question.seat),
        "is_here": question.table.class_session_id == session.pk,
    }
    if request.htmx and request.GET.get("shown") == context["version"]:
        return HttpResponse(status=204)
    page = "games/study/_poll_steer.html" if request.htmx else "games/study/poll_steer.html"
    return render(request, page, context)


def _steered(request: HttpRequest, session: ClassSession) -> HttpResponse:
    sent = request.POST
    assert isinstance(request.user, User)
    match sent.get("do", ""):
        case "ask":
            browser = Browser(teacher=request.user)
            _position, sight = position_for(browser, sent.get("position", ""))
            if session_to_ask(sight.state.id) != session:
                raise Http404
            try:
                polls.ask(
                    session=session,
                    sight=sight,
                    moment=as_number(sent.get("at", "")),
                    asks_sureness="sure" in sent,
                )
            except Refused:
                raise Http404 from None
        case "spread" | "told" as stage:
            if (found := polls.open_poll(session.pk)) is not None:
                polls.show(poll=found, stage=Poll.Stage(stage))
        case "end":
            polls.end(session_id=session.pk)
            return redirect("session", session.pk)
        case _:
            raise Http404
    return redirect("session_poll", session.pk)


def session_to_ask(table_id: str) -> ClassSession | None:
    """The unclosed session of the class whose table this is: a round of it may be put before
    the class."""
    table = Table.objects.select_related("class_session").get(pk=table_id)
    classroom = table.class_session.classroom_id if table.class_session else table.classroom_id
    sessions = ClassSession.objects.exclude(state=ClassSession.State.CLOSED)
    return sessions.filter(classroom=classroom).first() if classroom else None
