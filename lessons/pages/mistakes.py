"""Turns tried again: the positions of one's own mistakes, asked before anything is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games import analysis, polls
from games.analysis import NotReady
from games.models import Poll
from games.pages.counting import answer, let_go_of_database
from games.rules import (
    HAND_SIZE,
    Bid,
    Observation,
    Play,
    Variant,
    by_value,
    hook,
    move_text,
    parse_move,
)
from games.study.look_back.mistakes import decisions, right_moves, why
from games.study.look_back.past_rounds import past_round
from games.study.look_back.plays import HitBar, needed_words
from games.study.odds.forecasts import Turn
from games.study.puzzles.pictures import BidBars, bid_bars
from games.study.replay.lines import Line
from games.study.replay.positions import line_of
from games.study.replay.scenes import drawing_of, scene
from games.study.replay.what_if import move_name
from games.tables.state import load_table
from games.tables.viewers import find_browser
from games.words import hook_words, number, points_words, tricks_words
from lessons.models import Slip
from lessons.questions.learners import Learner
from lessons.questions.mistakes import (
    first_move,
    is_own_move,
    keep_choice,
    keep_mistakes,
    learner_here,
    mistake_for,
    mistakes_of,
    next_slip,
    own_round,
    standings,
    try_again,
)
from lessons.questions.spacing import SpacingState
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused
from xactika_site.http import HttpRequest, digits
from xactika_site.views import form_view, page_view


@page_view
def mistakes(request: HttpRequest) -> HttpResponse:
    """The turns that wait to be tried again, and how many have gone well."""
    browser = find_browser(request.COOKIES, request.user)
    rows = standings(learner_here(browser))
    student, session_id = browser.present
    context = {
        "next": next_slip(rows),
        "waiting": [each for each in rows if each.is_open],
        "soon": sum(each.state is SpacingState.SOON for each in rows),
        "clear": sum(each.state is SpacingState.CLEAR for each in rows),
        "student": student,
        "session_id": session_id,
    }
    return render(request, "lessons/questions/mistakes.html", context)


@page_view
def round_mistakes(request: HttpRequest, table_id: str, number: int) -> HttpResponse:
    """Look for the mistakes of a finished round: leads to the first that waits."""
    browser = find_browser(request.COOKIES, request.user)
    own = own_round(browser, table_id, number, request.GET.get("as"))
    state, seat = own.sight.state, own.seat
    context: dict[str, Any] = {"state": state, "seat": seat, "number": number}
    context["is_older"] = not own.sight.line.is_whole
    own_mistakes = mistakes_of(own)
    if not own_mistakes and own.sight.line.is_whole:
        past = past_round(state, number)
        let_go_of_database()
        try:
            question = "decisions", past.round, seat, past.movers
            costly = answer(question, lambda: decisions(past, seat))
            own_mistakes = keep_mistakes(own=own, past=past, decisions=costly)
        except NotReady:
            context["is_missing"] = True
            context["is_impossible"] = analysis.is_impossible()
    if not own_mistakes:
        return render(request, "lessons/questions/no_mistakes.html", context)
    waiting = {each.mistake for each in standings(own.learner) if each.is_open}
    first = next((each for each in own_mistakes if each in waiting), None)
    return redirect(first or "mistakes")


@form_view
def mistake(request: HttpRequest, mistake_id: int) -> HttpResponse:
    """A position, and which move one would make there; a POST tries one, and ``told`` tells
    what came of a try. Where that was wrong it asks once more, for a ``move`` that isn't kept
    and that is told with all that is known of the turn."""
    own = mistake_for(find_browser(request.COOKIES, request.user), mistake_id)
    tries = list(own.retries.order_by("number"))
    if request.method == "POST":
        try:
            retry = try_again(
                mistake=own,
                number=digits(request.POST.get("number", "")),
                text=request.POST.get("move", ""),
            )
        except Refused as why_not:
            context = {**_question(own, len(tries)), "notice": str(why_not)}
            return render(request, "lessons/questions/mistake.html", context, status=422)
        return redirect(reverse("mistake", args=[own.pk], query={"told": retry.number}))
    tried = digits(request.GET.get("told", ""))
    if tried is not None and tried < len(tries):
        first = tries[tried]
        move = request.GET.get("move", "" if not first.right else first.move)
        if move in own.worths:
            return render(request, "lessons/questions/retry.html", _outcome(own, move))
        context = {**_question(own, tried), "wrong": first.move, "gap": _gap(own, first.move)}
        return render(request, "lessons/questions/mistake.html", context)
    return render(request, "lessons/questions/mistake.html", _question(own, len(tries)))


@require_POST
def keep_poll(request: HttpRequest, poll_id: int) -> HttpResponse:
    """Keep what a student chose at a turn put to their class among their mistakes."""
    poll = get_object_or_404(Poll.objects.select_related("position"), pk=poll_id)
    browser = find_browser(request.COOKIES, request.user)
    student = polls.student_here(browser, poll.class_session_id)
    keep_choice(poll=poll, student=student)
    return redirect("poll", poll.class_session_id)


def _position(mistake: Slip, best: str = "") -> tuple[dict[str, Any], Observation]:
    """The context and the observation of a position, as its seat saw it then; the picture of
    it with the ``best`` play, if that is told."""
    position = mistake.position
    deal, moment, seat = position.deal, position.moves, position.seat
    state = load_table(deal.table_id)
    line = line_of(state, deal)
    if moment >= line.last:
        raise NotFound  # an older version of the rules
    is_own = is_own_move(mistake)
    names = tuple(
        each.name if is_own else _("Seat %(n)d") % {"n": each.number + 1}
        for each in state.seats
    )
    observation = line.observation(moment, seat)
    seen, at = (
        (Line(line.start, (*line.moves[:moment], (seat, best))), moment + 1)
        if best
        else (line, moment)
    )
    drawing = drawing_of(scene(state, deal, seen, at, names=names), seen, at, seat, seat)
    if best:  # the trick that was asked about, though another begins
        asked = scene(state, deal, line, moment, names=names)
        bar = drawing_of(asked, line, moment, seat, seat).fragments["bar"]
        drawing.fragments["bar"] = bar
    context = {
        "mistake": mistake,
        "state": drawing.view,
        "fragments": drawing.fragments,
        "seats": drawing.seats,
        "name": names[seat],
        "is_own": True,
        "is_own_move": is_own,
        "names": tuple(_("You") if n == seat else name for n, name in enumerate(names)),
        "tricks": observation.tricks,
        "needed": needed_words(Turn(observation, None)),
        "is_bid": isinstance(observation.legal[0], Bid),
    }
    return context, observation


def _question(mistake: Slip, tried: int) -> dict[str, Any]:
    """The context of the page before the move: nothing of what was played, or was best."""
    context, observation = _position(mistake)
    plays = [move for move in observation.legal if isinstance(move, Play)]
    forbidden = hook(observation.bids)
    hand = [  # each card with the moves that play it: one, or on a lead one for each call
        {
            "code": card.code,
            "moves": [(move_text(play), play) for play in plays if play.card == card],
        }
        for card in by_value(observation.hand)
    ]
    return {
        **context,
        "number": tried,
        "needed": context["needed"] if forbidden is None else hook_words(forbidden),
        "bids": [move.number for move in observation.legal if isinstance(move, Bid)],
        "is_lead": bool(plays) and plays[0].call is not None,
        "hand": hand,
    }


def _outcome(mistake: Slip, move: str) -> dict[str, Any]:
    """The context of the page after a move: it beside the best one, and what each
    brings. Beside a right one it is what was played then."""
    position, worths = mistake.position, mistake.worths
    played = first_move(mistake)
    best = max(worths, key=lambda text: worths[text])
    is_bid = isinstance(parse_move(best), Bid)
    context, observation = _position(mistake, "" if is_bid else best)
    learner = Learner(student=mistake.student, guest=mistake.guest)
    stands = standings(learner)
    right = right_moves(worths)
    words = {text: move_name(parse_move(text), observation) for text in worths}
    if not line_of(load_table(position.deal.table_id), position.deal).is_whole:
        raise NotFound  # an older version of the rules
    is_right = move in right
    compared = played if is_right else move
    judged = _why(mistake, compared) if context["is_own_move"] else ("", [])
    told, bars = judged or ("", [])
    then = _("You then") if context["is_own_move"] else context["name"]
    moves = [(then if is_right else _("You"), compared), (_("better"), best)]
    means = [_value(observation, worths[text]) for _name, text in moves]
    return context | {
        "is_right": is_right,
        "table_id": position.deal.table_id,
        "round_number": position.deal.round,
        "seat": position.seat,
        "moment": position.moves,
        "is_bid": is_bid,
        "hand": by_value(observation.hand) if is_bid else (),
        "bars": _bars_of(worths, best) if is_bid else None,
        "compared": [
            {"name": name, "move": parse_move(text), "bar": bar}
            for (name, text), bar in zip(
                moves, bars or _bars_of_means(means, observation.variant), strict=True
            )
        ]
        if not is_bid and compared != best
        else [],
        "tried": move,
        "tried_words": words[move],
        "best": words[best],
        "made": words[played],
        "unit": observation.variant.value,
        "gap": _gap(mistake, move),
        "made_text": played,
        "best_text": best,
        "worths": [
            (words[text], number(_value(observation, worth)), text in right, text == played)
            for text, worth in sorted(worths.items(), key=lambda each: -each[1])
        ],
        "why": told,
        "is_missing": judged is None,
        "next": next_slip(stands, after=mistake),
        "state": next((each.state for each in stands if each.mistake == mistake), ""),
    }


def _bars_of_means(means: Sequence[float], variant: Variant) -> list[dict[str, Any]]:
    """What a move and the better one bring, each from 0 on: ``start`` and ``rate`` are parts of
    the room that both need."""
    low = min(0.0, *means)
    room = max(0.0, *means) - low or 1
    words = points_words if variant is Variant.BID else tricks_words
    return [
        {
            "kind": kind,
            "start": (min(mean, 0.0) - low) / room,
            "rate": abs(mean) / room,
            "words": words(mean),
        }
        for kind, mean in zip(("made", "best"), means, strict=True)
    ]


def _bars_of(worths: dict[str, float], best: str) -> BidBars:
    """What each bid brings, drawn."""
    points = [worths.get(str(bid)) for bid in range(HAND_SIZE + 1)]
    return bid_bars(points, int(best))


def _gap(mistake: Slip, move: str) -> str:
    """How far this ``move`` is behind the best, in words."""
    behind = max(mistake.worths.values()) - mistake.worths[move]
    is_bid = mistake.position.deal.table.variant == Variant.BID.value
    return points_words(behind) if is_bid else tricks_words(behind)


def _value(observation: Observation, worth: float) -> float:
    """A move's worth as it is counted: in *lose* tricks, the fewer the better."""
    return -worth if observation.variant is Variant.LOSE else worth


def _why(mistake: Slip, move: str) -> tuple[str, list[HitBar]] | None:
    """The look back's sentences and bars on this ``move``, none where it would judge otherwise
    today; None where nothing can be simulated."""
    position = mistake.position
    past = past_round(load_table(position.deal.table_id), position.deal.round)
    let_go_of_database()
    try:
        question = "why", past.round, position.seat, position.moves, move
        return answer(question, lambda: why(past, position.seat, position.moves, move))
    except NotReady:
        return None
