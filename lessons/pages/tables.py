"""Questions and forecasts about one's own hand, beside the table. Asked by htmx, only what is
to be shown; without script, a page of its own."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from games.classes.state import lobby_of
from games.rules import HAND_SIZE
from games.tables.viewers import find_browser
from games.words import tricks_words
from lessons.questions import asking, forecasts
from lessons.questions.at_table import OwnSeat, own_seat
from lessons.questions.presentation import show
from xactika_site.classrooms.services import Refused
from xactika_site.http import HttpRequest, digits
from xactika_site.views import action_view, page_view


def _own(request: HttpRequest, table_id: str) -> OwnSeat:
    browser = find_browser(request.COOKIES, request.user)
    return own_seat(table_id, browser, request.GET.get("as"))


@page_view
def table_question(request: HttpRequest, table_id: str) -> HttpResponse:
    """What there is to ask about the hand at this moment: an offer, or what was asked."""
    try:
        own = _own(request, table_id)
    except Http404:
        browser = find_browser(request.COOKIES, request.user)
        if request.htmx and lobby_of(browser) is not None:
            return HttpResponse("")  # a page still open of somebody moved or sent out
        raise
    return _question_part(request, own)


def _question_part(request: HttpRequest, own: OwnSeat, *, notice: str = "") -> HttpResponse:
    question = own.question()
    forecast = own.forecast()
    percents = forecast.percents if forecast else []
    round_ = own.state.round
    is_over = round_ is not None and round_.is_over and own.state.is_shown
    taken = round_.taken[own.seat] if round_ is not None and is_over else None
    context = {
        "own": own,
        "notice": notice,
        "back": f"{reverse('table', args=[own.state.id])}?as={own.seat}",
        "q": show(question) if question else None,
        "offers": own.offers(),
        "tricks": None if taken is None else tricks_words(taken, 0),
        "forecast": list(enumerate(percents)),
        "may_forecast": own.may_forecast and forecast is None,
        "numbers": range(HAND_SIZE + 1),
        "taken": taken,
        "chance": percents[taken] if percents and taken is not None else 0,
    }
    alone = request.htmx
    page = "lessons/questions/_at_table.html" if alone else "lessons/questions/at_table.html"
    return render(request, page, context)


@action_view
def ask_at_table(request: HttpRequest, table_id: str) -> HttpResponse:
    """The table's side part with one question on this hand, asked once a moment, or that there
    is none (POST)."""
    own = _own(request, table_id)
    if asking.ask_at_table(own=own) is None:
        return _question_part(request, own, notice=_("No question right now."))
    return _part_after(request, own)


@action_view
def table_forecast(request: HttpRequest, table_id: str) -> HttpResponse:
    """Keep a forecast: how likely each number of tricks is, as weights w0 to w8."""
    own = _own(request, table_id)
    sent = [digits(request.POST.get(f"w{n}", "0"), most=3) for n in range(HAND_SIZE + 1)]
    weights = [-1 if weight is None else weight for weight in sent]
    try:
        forecasts.make_forecast(own=own, weights=weights)
    except Refused as why:
        return _question_part(request, own, notice=str(why))
    return _part_after(request, own)


def _part_after(request: HttpRequest, own: OwnSeat) -> HttpResponse:
    if request.htmx:
        return _question_part(request, own)
    return redirect(f"{reverse('table_question', args=[own.state.id])}?as={own.seat}")
