"""Turns tried again: the positions of one's own slips, asked before anything is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import analysis
from games.analysis import NotReady
from games.pages.counting import answer, let_go_of_database
from games.rules import Bid, Observation, Play, Variant, move_text, parse_move
from games.study.look_back.mistakes import decisions, right_moves, why_words
from games.study.look_back.past_rounds import past_round
from games.study.look_back.plays import needed_words
from games.study.odds.forecasts import Moment
from games.study.replay.positions import line_of
from games.study.replay.scenes import drawing_of, scene
from games.study.replay.what_if import move_name
from games.tables.state import load_table
from games.tables.viewers import find_browser
from games.words import number, points_words, tricks_words
from lessons.models import Retry, Slip
from lessons.questions.learners import Learner
from lessons.questions.slips import (
    comes_next,
    keep,
    kept,
    learner_here,
    own_round,
    slip_for,
    standings,
    try_again,
)
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused
from xactika_site.http import HttpRequest, digits


@never_cache
@require_safe
def slips(request: HttpRequest) -> HttpResponse:
    """The turns that wait to be tried again, and how many have gone well."""
    browser = find_browser(request.COOKIES, request.user)
    found = standings(learner_here(browser))
    student, session_id = browser.student or (None, None)
    context = {
        "next": comes_next(found),
        "waiting": [each for each in found if each.is_open],
        "soon": sum(each.state == "soon" for each in found),
        "known": sum(each.state == "known" for each in found),
        "student": student,
        "session_id": session_id,
    }
    return render(request, "lessons/questions/slips.html", context)


@never_cache
@require_safe
def round_slips(request: HttpRequest, table_id: str, number: int) -> HttpResponse:
    """Look for the slips of a finished round: leads to the first that waits."""
    browser = find_browser(request.COOKIES, request.user)
    own = own_round(browser, table_id, number, request.GET.get("as"))
    state, seat = own.sight.state, own.seat
    context: dict[str, Any] = {"state": state, "seat": seat, "number": number}
    context["is_older"] = not own.sight.line.is_whole
    found = kept(own)
    if not found and own.sight.line.is_whole:
        past = past_round(state, number)
        let_go_of_database()
        try:
            question = "decisions", past.round, seat, past.movers
            costly = answer(question, lambda: decisions(past, seat))
            found = keep(own=own, past=past, found=costly)
        except NotReady:
            context["is_missing"] = True
            context["is_impossible"] = analysis.is_impossible()
    if not found:
        return render(request, "lessons/questions/no_slips.html", context)
    waiting = {each.slip for each in standings(own.learner) if each.is_open}
    first = next((each for each in found if each in waiting), None)
    return redirect(first or "slips")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def slip(request: HttpRequest, slip_id: int) -> HttpResponse:
    """A position, and which move one would make there; a POST tries one, and ``told`` tells
    what came of a try, and what is known of the turn."""
    found = slip_for(find_browser(request.COOKIES, request.user), slip_id)
    tries = list(found.retries.order_by("number"))
    if request.method == "POST":
        try:
            made = try_again(
                slip=found,
                number=digits(request.POST.get("number", "")),
                text=request.POST.get("move", ""),
            )
        except Refused as why_not:
            context = {**_asked(found, len(tries)), "notice": str(why_not)}
            return render(request, "lessons/questions/slip.html", context, status=422)
        return redirect(reverse("slip", args=[found.pk], query={"told": made.number}))
    told_number = digits(request.GET.get("told", ""))
    if told_number is not None and told_number < len(tries):
        return render(
            request, "lessons/questions/slip_told.html", _told(found, tries[told_number])
        )
    return render(request, "lessons/questions/slip.html", _asked(found, len(tries)))


@dataclass(frozen=True, slots=True)
class Held:
    """A card of the hand, and the moves that play it: one, or on a lead one for each call."""

    code: str
    moves: tuple[tuple[str, Play], ...]


def _shown(found: Slip) -> tuple[dict[str, Any], Observation]:
    """The position as its seat saw it then."""
    position = found.position
    deal, moment, seat = position.deal, position.moves, position.seat
    state = load_table(deal.table_id)
    line = line_of(state, deal)
    if moment >= line.last:
        raise NotFound  # an older version of the rules
    drawing = drawing_of(scene(state, deal, line, moment), line, moment, seat, seat)
    seen = line.observation(moment, seat)
    names = tuple(each.name for each in state.seats)
    context = {
        "slip": found,
        "state": drawing.view,
        "fragments": drawing.fragments,
        "seats": drawing.seats,
        "name": names[seat],
        "is_own": True,
        "names": tuple(_("You") if n == seat else name for n, name in enumerate(names)),
        "tricks": seen.tricks,
        "needed": needed_words(Moment(seen, None)),
        "is_bid": isinstance(seen.legal[0], Bid),
    }
    return context, seen


def _asked(found: Slip, tried: int) -> dict[str, Any]:
    """What may be told before the move: nothing of what was played, or would have been best."""
    context, seen = _shown(found)
    plays = [move for move in seen.legal if isinstance(move, Play)]
    hand = sorted(seen.hand, key=lambda card: (-card.value, card.code))
    return {
        **context,
        "number": tried,
        "bids": [move.number for move in seen.legal if isinstance(move, Bid)],
        "is_lead": bool(plays) and plays[0].call is not None,
        "hand": [
            Held(
                card.code,
                tuple((move_text(play), play) for play in plays if play.card == card),
            )
            for card in hand
        ],
    }


def _told(found: Slip, retry: Retry) -> dict[str, Any]:
    """What came of a try, what was played then, and what each move brings."""
    context, seen = _shown(found)
    learner = Learner(student=found.student, guest=found.guest)
    stands = standings(learner)
    position, worths = found.position, found.worths
    made = position.deal.moves.get(number=position.moves).text
    best = max(worths, key=lambda text: worths[text])
    right = right_moves(worths)
    words = {text: move_name(parse_move(text), seen) for text in worths}
    turn = Moment(seen, None)
    brought = points_words if seen.variant is Variant.BID else tricks_words
    line = line_of(load_table(position.deal.table_id), position.deal)
    if not line.is_whole:
        raise NotFound  # an older version of the rules
    hand = sorted(seen.hand, key=lambda card: (-card.value, card.code))
    return context | {
        "retry": retry,
        "table_id": position.deal.table_id,
        "round_number": position.deal.round,
        "seat": position.seat,
        "moment": position.moves,
        "hand_codes": [card.code for card in hand] if turn.is_bid else [],
        "trick": None if turn.is_bid else line.rounds[-1].tricks[turn.trick - 1],
        "is_best": worths[retry.move] == worths[best],
        "tried": words[retry.move],
        "best": words[best],
        "made": words[made],
        "is_same": retry.move == made,
        "unit": seen.variant.value,
        "gap": brought(worths[best] - worths[retry.move]),
        "made_text": made,
        "best_text": best,
        "worths": [
            (words[text], number(_shown_worth(seen, worth)), text in right, text == made)
            for text, worth in sorted(worths.items(), key=lambda each: -each[1])
        ],
        "why": _why(found),
        "next": comes_next(stands, after=found),
        "state": next((each.state for each in stands if each.slip == found), ""),
    }


def _shown_worth(seen: Observation, worth: float) -> float:
    """In *lose* tricks are counted, the fewer the better."""
    return -worth if seen.variant is Variant.LOSE else worth


def _why(found: Slip) -> str:
    """The look back's sentence; empty where nothing can be simulated."""
    position = found.position
    past = past_round(load_table(position.deal.table_id), position.deal.round)
    let_go_of_database()
    try:
        question = "why", past.round, position.seat, position.moves
        return answer(question, lambda: why_words(past, position.seat, position.moves))
    except NotReady:
        return ""
