"""Pages of finished rounds: a replay at one of its moments, one's own rounds, playing on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games import analysis
from games.analysis import NotReady
from games.models import Position, Table
from games.pages.counting import answer, let_go_of_database
from games.pages.tables import guest_who_opens, remember_guest
from games.polls import may_be_asked, session_to_ask
from games.rules import DECK, HAND_SIZE, Variant, by_value, parse_move
from games.study.replay import bid_chances as odds_line
from games.study.replay import what_if
from games.study.replay.lines import Line
from games.study.replay.paths import line_to, path_sentences, paths_of
from games.study.replay.positions import (
    Sight,
    levels_of,
    play_on,
    position_at,
    position_for,
    sight_of,
)
from games.study.replay.same_board import expert_line
from games.study.replay.scenes import drawing_of, event_words, result_words, scene
from games.tables.observation import may_look_back
from games.tables.rendering import GAME_NAMES
from games.tables.viewers import find_browser
from games.words import percent, sentences
from xactika_site.classrooms.selectors import as_number
from xactika_site.http import HttpRequest
from xactika_site.views import page_view


@dataclass(frozen=True, slots=True)
class ReplayView:
    """How somebody looks at a position: the moment, the seat, whether all hands lie open, and
    whether it is for the wall, where there are no names."""

    moment: int
    seat: int
    is_open: bool = False
    is_wall: bool = False
    # Whose line and to which count, where it is not the round as it was played.
    way: tuple[int, int] | None = None
    # At which moment another move is made, and which.
    instead: tuple[int, str] | None = None
    # Which seat an expert plays, from the first move on.
    expert: int | None = None
    # Whether the projector of this class session follows.
    leads: int | None = None

    def query(self, **other: object) -> str:
        """The address's query for this view, or for one that differs in something."""
        facts: dict[str, object] = {"at": self.moment, "seat": self.seat}
        facts |= {"open": 1} if self.is_open else {}
        facts |= {"wall": 1} if self.is_wall else {}
        facts |= {"leads": self.leads} if self.leads else {}
        facts |= {"way": "{}.{}".format(*self.way)} if self.way else {}
        facts |= {"instead": "{}.{}".format(*self.instead)} if self.instead else {}
        facts |= {} if self.expert is None else {"expert": self.expert}
        return urlencode({k: v for k, v in (facts | other).items() if v is not None})


@page_view
def replay(request: HttpRequest, table_id: str, number: int) -> HttpResponse:
    """The redirect to the position of a finished round of this table; whoever played it begins
    at the first lead, a teacher at the deal."""
    place = request.GET.get("as")
    sight = sight_of(find_browser(request.COOKIES, request.user), table_id, number, place)
    moment = 0
    if "at" in request.GET:
        moment = as_number(request.GET["at"])
    elif sight.own is not None:
        bids = sight.seats if sight.line.start.variant is Variant.BID else 0
        moment = min(bids + 1, sight.line.last)
    position = position_at(sight, moment=moment, seat=sight.own or 0)
    return redirect("position", position.pk)


@page_view
def position(request: HttpRequest, position_id: str) -> HttpResponse:
    """The page of a round at one of its moments, as a seat saw it; complete without script."""
    position, sight = _position_or_404(request, position_id)
    played = sight.line
    sight = sight_by_query(request.GET, sight)
    look = replay_view_or_404(request.GET, position, sight)
    context = position_context(position, sight, look)
    if look.instead is not None:
        moment, text = look.instead
        mover = played.moves[moment][0]
        is_you = mover == sight.own and not look.is_wall
        context["instead"] = {
            "move": what_if.move_name(parse_move(text), played.observation(moment, mover)),
            "ends": what_if.both_ends(played, sight.line, mover),
            "name": _("You") if is_you else context["all_names"][mover],
        }
        # The turn's other moves stay at hand.
        context |= {"others": what_if.other_moves(played, moment), "turn": (moment, mover)}
    return render(request, "games/study/position.html", context)


@page_view
def chances(request: HttpRequest, position_id: str) -> HttpResponse:
    """The part with the line of the seat's chances, for the page of its replay."""
    position, sight = _position_or_404(request, position_id)
    look = replay_view_or_404(request.GET, position, sight)
    let_go_of_database()
    context: dict[str, Any] = {"is_bid": sight.line.start.variant is Variant.BID, "look": look}
    try:
        line = answer(
            ("chances", sight.line.start, sight.line.moves, look.seat),
            lambda: odds_line.chance_points(sight.line, look.seat),
        )
    except NotReady:
        context |= {"is_missing": True, "is_impossible": analysis.is_impossible()}
    else:
        context |= {
            "points": [(each, percent(each.share)) for each in line],
            "path": " ".join(f"{each.x:g},{each.y:g}" for each in line),
            "width": odds_line.WIDTH,
            "height": odds_line.HEIGHT,
        }
    return _part_or_page(request, position, "chances", context)


@page_view
def paths(request: HttpRequest, position_id: str) -> HttpResponse:
    """The part with the ways that there were from the seat, for the page of its replay."""
    position, sight = _position_or_404(request, position_id)
    look = replay_view_or_404(request.GET, position, sight)
    let_go_of_database()
    context: dict[str, Any] = {"look": look}
    ways = None
    if sight.line.is_whole:
        question = "ways", sight.line.start, sight.line.moves, look.seat
        ways = answer(question, lambda: paths_of(sight.line, look.seat), plays=False)
    if ways is not None:
        context |= {
            "ways": ways,
            "cells": [
                (cell, look.query(way=f"{look.seat}.{cell.tricks}", at=sight.line.tricks[0]))
                for cell in ways.cells
            ],
            "sentences": path_sentences(ways),
            "turns": [(turn, look.query(at=turn.moment)) for turn in ways.turns],
            "nine": range(HAND_SIZE + 1),
        }
    return _part_or_page(request, position, "paths", context)


def line_of_expert(sight: Sight, seat: int) -> Line:
    """The board as an expert plays it from this seat. Raises NotReady, StillCounting."""
    start, levels = sight.line.start, tuple(levels_of(sight))
    return answer(
        ("expert", start.variant, start.dealer, start.hands, levels, seat),
        lambda: expert_line(sight, seat),
    )


def sight_by_query(query: QueryDict, sight: Sight) -> Sight:
    """The round as it was played, or (``?way=2.5``) along a line that brings seat 2 to five
    tricks, or (``?instead=13.1332``) with another move after thirteen, or (``?expert=2``) as an
    expert plays it from seat 2; 404 where there is none. Raises ``jobs.StillCounting``."""
    if "instead" in query:
        moment, text = _other_move(query)
        other = what_if.other_line(sight.line, moment, text) if sight.line.is_whole else None
        if other is None:
            raise Http404
        return replace(sight, line=other, instead=(moment, text))
    if "expert" in query:
        whose = as_number(query.get("expert", ""))
        if whose >= sight.seats or not sight.line.is_whole or not analysis.ready():
            raise Http404
        let_go_of_database()
        return replace(sight, line=line_of_expert(sight, whose), expert=whose)
    if "way" not in query:
        return sight
    seat, _dot, count = query.get("way", "").partition(".")
    whose, tricks = as_number(seat), as_number(count)
    if whose >= sight.seats or not sight.line.is_whole:
        raise Http404
    let_go_of_database()
    played = sight.line
    line = answer(
        ("way", played.start, played.moves, whose, tricks),
        lambda: line_to(played, whose, tricks),
        plays=False,
    )
    if line is None:
        raise Http404
    return replace(sight, line=line, way=(whose, tricks))


@page_view
def compare_moves(request: HttpRequest, position_id: str) -> HttpResponse:
    """The part with a turn's move beside another one, played on in the same simulated deals."""
    position, sight = _position_or_404(request, position_id)
    moment, text = _other_move(request.GET)
    look = ReplayView(moment, position.seat)
    if not sight.line.is_whole:
        raise Http404
    moves = what_if.moves_to_compare(sight.line, moment, text)
    if moves is None:
        raise Http404
    let_go_of_database()
    context: dict[str, Any] = {"look": look}
    try:
        comparison = answer(("again", *moves), lambda: what_if.compare(*moves))
    except NotReady:
        context |= {"is_missing": True, "is_impossible": analysis.is_impossible()}
    else:
        context |= {
            "again": what_if.comparison_panel(sight.line, moment, comparison),
            "width": what_if.WIDTH,
            "height": what_if.HEIGHT,
            "floor": what_if.TALL + 16,
        }
    return _part_or_page(request, position, "again", context)


def _other_move(query: QueryDict) -> tuple[int, str]:
    """The moment and the move of ``?instead=``; 404 without."""
    moment, _dot, text = query.get("instead", "").partition(".")
    return as_number(moment), text


@require_POST
def play_on_from(request: HttpRequest, position_id: str) -> HttpResponse:
    """The redirect to a study table, opened at the moment that the form names."""
    _position, sight = _position_or_404(request, position_id)
    moment, seat = (as_number(request.POST.get(name, "")) for name in ("at", "seat"))
    guest, key = guest_who_opens(request)
    table_id = play_on(sight, moment=moment, seat=seat, guest=guest)
    address = reverse("table", args=[table_id], query={"as": seat})
    return remember_guest(redirect(address), key)


def _part_or_page(
    request: HttpRequest, position: Position, part: str, context: dict[str, Any]
) -> HttpResponse:
    """What a replay's page fetches; a page of its own where there are no scripts."""
    context |= {"position": position, "part": f"games/study/_{part}.html"}
    page = context["part"] if request.htmx else "games/study/part.html"
    return render(request, page, context)


def _position_or_404(request: HttpRequest, position_id: str) -> tuple[Position, Sight]:
    return position_for(find_browser(request.COOKIES, request.user), position_id)


def replay_view_or_404(query: QueryDict, position: Position, sight: Sight) -> ReplayView:
    """The view that the address asks for; 404 for a moment or a seat that there is not, and for
    the wall or to lead unless a teacher asks."""
    moment = as_number(query.get("at", "")) if "at" in query else position.moves
    seat = as_number(query.get("seat", "")) if "seat" in query else position.seat
    is_wall, leads = "wall" in query, "leads" in query
    is_asked_too_much = (is_wall or leads) and not sight.is_teacher
    if moment > sight.line.last or seat >= sight.seats or is_asked_too_much:
        raise Http404
    session = sight.state.class_session_id if leads else None
    is_open = "open" in query
    return ReplayView(
        moment, seat, is_open, is_wall, sight.way, sight.instead, sight.expert, session
    )


def position_context(position: Position, sight: Sight, look: ReplayView) -> dict[str, Any]:
    """A moment of a replay, looked at like that; seats have no names on the wall."""
    line, round_ = sight.line, sight.line.rounds[look.moment]
    names = [seat.name for seat in sight.state.seats]
    if look.is_wall:
        names = [_("Seat %(n)d") % {"n": n} for n in range(1, sight.seats + 1)]
    you = None if look.is_wall else sight.own
    state = scene(sight.state, sight.deal, line, look.moment, names=names)
    drawing = drawing_of(state, line, look.moment, look.seat, you)
    from_left = [(look.seat + k) % sight.seats for k in range(1, sight.seats + 1)]
    words = [event_words(line, look.moment, names, you)]
    words.append(result_words(round_, look.seat, names[look.seat], is_you=look.seat == you))
    is_real = look.way is None and look.instead is None and look.expert is None
    is_turn = round_.to_move == look.seat
    may_ask = sight.is_teacher and is_real and may_be_asked(line, look.moment)
    dealt = {code for hand in sight.deal.hands for code in hand}
    return {
        "position": position,
        "state": drawing.view,
        "look": look,
        "line": line,
        "round_number": sight.deal.round,
        "rounds": [
            n for n in range(1, sight.state.round_number + 1) if may_look_back(sight.state, n)
        ],
        "table_id": sight.state.id,
        "own": sight.own,
        "is_own": look.seat == you,
        "is_teacher": sight.is_teacher,
        "fragments": drawing.fragments,
        "seats": drawing.seats,
        "names": [(n, name, look.query(seat=n)) for n, name in enumerate(names)],
        "name": names[look.seat],
        "said": sentences(*words),
        "steps": step_links(look, line.tricks, line.last),
        "marks": line.tricks,
        "open_hands": [
            (names[n], [card.code for card in by_value(round_.hands[n])])
            for n in from_left
            if n != look.seat
        ],
        "undealt": [card.code for card in by_value(DECK) if card.code not in dealt],
        "to_open": look.query(open=None if look.is_open else 1),
        "to_wall": look.query(wall=None if look.is_wall else 1),
        "may_play_on": not (round_.is_over or look.is_wall) and is_real,
        "others": what_if.other_moves(line, look.moment)
        if is_real and is_turn and line.is_whole
        else (),
        "turn": (look.moment, look.seat),
        "asks": session_to_ask(sight.state.id) if may_ask else None,
        "all_names": names,
        "is_real": is_real,
        "way": look.way
        and {
            "tricks": look.way[1],
            "name": _("you") if look.way[0] == you else names[look.way[0]],
        },
        "expert": None if look.expert is None else names[look.expert],
        "as_played": look.query(way=None, instead=None, expert=None),
        "may_play_again": you is not None and sight.state.kind != Table.Kind.STUDY,
        "query": look.query(),
        "variant": GAME_NAMES[sight.state.variant.value],
    }


def step_links(look: ReplayView, tricks: tuple[int, ...], last: int) -> list[dict[str, Any]]:
    """The links to other moments; one that leads nowhere has no address."""
    now = look.moment
    back = max((n for n in (0, *tricks) if n < now), default=now)
    on = min((n for n in (*tricks, last) if n > now), default=now)
    ways = [
        ("first", _("To the deal"), "|‹", 0),
        ("trick-back", _("A trick back"), "‹‹", back),
        ("back", _("A card back"), "‹", max(0, now - 1)),
        ("on", _("A card on"), "›", min(last, now + 1)),
        ("trick-on", _("A trick on"), "››", on),
        ("last", _("To the end"), "›|", last),
    ]
    return [
        {"id": key, "label": label, "sign": sign, "query": look.query(at=n) if n != now else ""}
        for key, label, sign, n in ways
    ]
