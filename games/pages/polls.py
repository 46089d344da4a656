"""A turn of a finished round put to a class: the student's page, the teacher's, the wall."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Any

from django.db import IntegrityError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django_htmx.http import HttpResponseClientRefresh

from games import polls
from games.analysis import NotReady
from games.analysis.jobs import StillCounting, TooMany
from games.analysis.puzzles import Kind
from games.classes.cockpit import ExperimentPhase, experiment_now
from games.classes.state import load_session
from games.models import Poll, Vote
from games.pages.counting import answer
from games.study.puzzles.daily import NoPuzzle, NotYet, daily_of, is_kept_back, read_day
from games.study.puzzles.words import question as puzzle_question
from games.study.puzzles.words import situation, solution
from games.study.replay.positions import position_for
from games.study.replay.scenes import drawing_of
from games.tables.fragments import own_fragments
from games.tables.observation import may_look_back
from games.tables.state import load_table
from games.tables.viewers import Browser, find_browser
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.selectors import NotFound, as_number
from xactika_site.classrooms.services import Refused
from xactika_site.classrooms.views import session_or_404
from xactika_site.http import HttpRequest, digits, page_redirect
from xactika_site.views import form_view, teachers_form

MOST_SHOWN = 6
"""Choices that a wall has room for beside what was played and the best one, the commonest."""


def poll_context(
    poll: Poll, *, is_own: bool = False, own: Collection[str] = ()
) -> dict[str, Any]:
    """The context of what a poll's page shows: the table as the seat in turn saw it, to play at
    where it ``is_own``; what the class would play as far as that is shown, with moves that are
    one's ``own``; how many have voted. NotFound where its round may be shown no longer."""
    question = polls.question_of(poll)
    names, seat = question.names, question.seat
    state, you = question.scene(is_own=is_own), seat if is_own or question.daily else None
    drawing = drawing_of(state, question.line, question.moment, seat, you)
    worths, is_counting = _worths(question)
    if worths and poll.stage == Poll.Stage.TOLD and poll.worths is None:
        polls.keep_worths(poll=poll, question=question, worths=worths)
    choices = polls.move_votes(poll, question, worths, own)
    tally, trick = polls.tally_of(poll, choices), question.observation.trick
    waits = is_counting and poll.stage == Poll.Stage.TOLD
    told = {each for each in choices if each.is_played or each.move in own}
    told |= {*[each for each in choices if each.is_best][:1]}
    most = MOST_SHOWN if tally.may_be_shown and poll.stage != Poll.Stage.ASKING else 0
    shown = [each for place, each in enumerate(choices) if place < most or each in told]
    return {
        "poll": poll,
        "question": question,
        "state": drawing.view,
        "fragments": drawing.fragments,
        "own": own_fragments(drawing.view, question.observation) if is_own else {},
        **_puzzle_context(question, is_told=poll.stage == Poll.Stage.TOLD),
        "seats": drawing.seats,
        "name": names[seat],
        "is_own": is_own,
        "is_bid": question.observation.is_bidding,
        "is_lead": trick is not None and trick.call is None,
        "choices_made": shown,
        "others": sum(each.votes for each in choices if each not in shown) if most else 0,
        "tally": tally,
        "has_odds": worths is not None,
        "waits_for_odds": waits,
        "version": version_of(poll, tally.votes, waits=waits),
    }


def _puzzle_context(question: polls.PollQuestion, *, is_told: bool) -> dict[str, Any]:
    """The context of a puzzle's words; why its answer is right once it ``is_told``."""
    if question.daily is None:
        return {}
    daily = question.daily
    return {
        "daily": daily,
        "asked": puzzle_question(daily.puzzle),
        "see": situation(daily.puzzle),
        "in_words": daily.puzzle.kind is Kind.HOLD,
        "reasons": solution(daily.number).reasons if is_told else (),
    }


def version_of(poll: Poll, votes: int, *, waits: bool = False) -> str:
    """A text that differs where a poll's page does; with a “?” while its odds are computed."""
    return f"{poll.pk}.{poll.stage}.{votes}" + "?" * waits


def is_up_to_date(request: HttpRequest, poll: Poll, votes: int) -> bool:
    """Whether the page that asks, by htmx, shows all there is, odds or no odds."""
    return bool(request.htmx) and request.GET.get("shown") == version_of(poll, votes)


def _worths(question: polls.PollQuestion) -> tuple[polls.Worths | None, bool]:
    """What the moves promise, None where it is not known; and whether it is being computed."""
    if question.daily:
        return None, False
    key = ("poll", question.line.start, question.line.moves, question.moment)
    try:
        return answer(key, lambda: polls.worths_of(question)), False
    except NotReady:
        return None, False
    except (StillCounting, TooMany):
        return None, True


# The class.


@form_view
def poll(request: HttpRequest, session_id: int) -> HttpResponse:
    """The student's page of the open poll; a POST votes. Asked by htmx, what has changed."""
    student = polls.student_here(find_browser(request.COOKIES, request.user), session_id)
    found = polls.open_poll(session_id)
    if found is None:
        return page_redirect(request, "lobby", session_id)
    notice = ""
    if request.method == "POST":
        sent = request.POST
        if sent.get("poll") != str(found.pk):  # an old page, of another turn
            return redirect("poll", session_id)
        try:
            polls.vote(
                poll=found,
                student=student,
                move=sent.get("answer", ""),
                sure=digits(sent.get("sure", "")),
            )
        except Refused as why:
            notice = str(why)
        except IntegrityError:  # the student, or the turn, is gone
            raise Http404 from None
        else:
            return redirect("poll", session_id)
    return _poll_page(request, found, student, notice)


def _poll_page(
    request: HttpRequest, found: Poll, student: Student, notice: str
) -> HttpResponse:
    tally = polls.tally_of(found)
    is_told, shown = found.stage == Poll.Stage.TOLD, request.GET.get("shown", "")
    if request.htmx and not shown.startswith(f"{found.pk}.{found.stage}."):
        return HttpResponseClientRefresh()
    if is_up_to_date(request, found, tally.votes):
        return HttpResponse(status=204)
    if request.htmx and found.stage == Poll.Stage.ASKING:
        version, session = version_of(found, tally.votes), found.class_session_id
        part = {"tally": tally, "session": session, "version": version}
        return render(request, "games/study/_polled.html", part)
    own = Vote.objects.filter(poll=found, student=student).first()
    is_again = is_told and "again" in request.GET
    tried = request.GET.get("answer", "") if is_told else ""
    own_move = own.move if own else ""
    context = poll_context(found, is_own=True, own=(own_move, tried) if is_told else ())
    if request.htmx:
        waits = context["waits_for_odds"]
        return HttpResponse(status=204) if waits else HttpResponseClientRefresh()
    names = context["question"].choices
    good = {each.move for each in context["choices_made"] if each.is_good}
    context |= {
        "is_mistake": polls.is_mistake(found, own) and own_move not in good,
        "is_kept": student.slips.filter(position=found.position_id).exists(),
        "mine": names.get(own_move, ""),
        "own_move": own_move,
        "tried": names.get(tried, ""),
        "tried_move": tried,
        "is_again": is_again,
        "is_open": is_again or (found.stage == Poll.Stage.ASKING and own is None),
        "sure": polls.SURE,
        "notice": notice,
        "action": reverse("poll", args=[found.class_session_id]),
        "session": found.class_session_id,
    }
    status = 409 if notice else 200
    return render(request, "games/study/poll.html", context, status=status)


# The teacher.


@teachers_form
def session_poll(request: HttpRequest, session_id: int) -> HttpResponse:
    """The teacher's page of what is before the class; a POST asks (``ask``: a ``position`` and
    ``at`` which moment), or does what ``do`` says. For a ``new`` one, a turn to choose from."""
    session = session_or_404(request, session_id)
    if request.method == "POST":
        return _steering_response(request, session)
    found = polls.open_poll(session.pk)
    if found is None and "new" in request.GET:
        return _turn_to_ask(session)
    if found is None:
        return page_redirect(request, "session", session.pk)
    if is_up_to_date(request, found, polls.tally_of(found).votes):
        return HttpResponse(status=204)
    context = {"session": session, **poll_context(found)}
    question: polls.PollQuestion = context["question"]
    context |= {
        "at": str(question.moment),
        "seat": str(question.seat),
        "is_here": question.deal and question.deal.table.class_session_id == session.pk,
    }
    if request.htmx and request.GET.get("shown") == context["version"]:
        return HttpResponse(status=204)  # the odds are still computed
    page = "games/study/_poll_steer.html" if request.htmx else "games/study/poll_steer.html"
    return render(request, page, context)


def _turn_to_ask(session: ClassSession) -> HttpResponse:
    """The redirect to where a turn is asked from: the replay of a round of the present game
    that may be shown, the last one of the first table; until there is one, today's puzzle."""
    state = load_session(session.pk)
    tables = [load_table(table_id) for table_id in state.tables]
    if experiment_now(state, tables)[1] != ExperimentPhase.RUNS:
        for table in tables:
            for number in range(table.round_number, 0, -1):
                if may_look_back(table, number):
                    return redirect("replay", table.id, number)
    return redirect("puzzles")


class PollAct(StrEnum):
    """What the teacher does with a poll: begin one, go on to a stage of it, end it."""

    ASK = "ask"
    SPREAD = Poll.Stage.SPREAD.value
    TOLD = Poll.Stage.TOLD.value
    END = "end"


def _steering_response(request: HttpRequest, session: ClassSession) -> HttpResponse:
    sent, found = request.POST, polls.open_poll(session.pk)
    assert isinstance(request.user, User)
    act = sent.get("do", "")
    if act not in {*PollAct}:
        raise Http404
    if act != PollAct.ASK and (found is None or sent.get("poll") != str(found.pk)):
        return redirect("session_poll", session.pk)  # an old page, of another turn
    try:
        if act == PollAct.ASK and "puzzle" in sent:
            daily = daily_of(read_day(sent["puzzle"]))
            if is_kept_back(daily):
                raise NotFound
            polls.ask_puzzle(session=session, daily=daily, asks_sureness="sure" in sent)
        elif act == PollAct.ASK:
            browser = Browser(teacher=request.user)
            _position, sight = position_for(browser, sent.get("position", ""))
            if polls.session_to_ask(sight.state.id) != session:
                raise Http404
            polls.ask(
                session=session,
                sight=sight,
                moment=as_number(sent.get("at", "")),
                asks_sureness="sure" in sent,
            )
        elif act == PollAct.END:
            polls.end(session_id=session.pk)
        elif found is not None:
            polls.show(poll=found, stage=Poll.Stage(act))
    except (NoPuzzle, NotYet):
        raise Http404 from None
    except Refused:
        pass  # the session was closed meanwhile: its page says so
    else:
        if act != PollAct.END:
            return redirect("session_poll", session.pk)
    return redirect("session", session.pk)
