"""A league of programs: its page for teacher and class, and where programs ask for a game."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from games import league
from games.models import League
from games.tables.viewers import find_browser, students_here
from games.words import number, signed
from xactika_site.accounts.views import absolute
from xactika_site.classrooms.models import Classroom
from xactika_site.classrooms.selectors import NotFound, classroom_for
from xactika_site.classrooms.services import Refused
from xactika_site.clients import bearer_token
from xactika_site.http import HttpRequest
from xactika_site.lan import is_own_machine
from xactika_site.views import form_view, teachers_form


@teachers_form
def classroom_league(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """The teacher's page of the class's league; a POST opens or closes it."""
    classroom = classroom_for(request.user, classroom_id)
    match request.POST.get("do"):
        case "open" | "anew" as do:
            league.open_league(classroom=classroom, anew=do == "anew")
        case "close":
            league.close_league(classroom=classroom)
        case _ if request.method == "POST":
            raise Http404
        case _:
            return _league_page(request, classroom, is_teacher=True)
    return redirect("classroom_league", classroom_id)


@form_view
def class_league(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """A student's page of the class's league; a POST brings a program, its key shown once."""
    here = students_here(find_browser(request.COOKIES, request.user))
    student = next((each for each in here if each.classroom_id == classroom_id), None)
    if student is None or league.league_of(student.classroom) is None:
        raise Http404
    key = refused = ""
    if request.method == "POST":
        try:
            key = league.bring_program(student=student)
        except Refused as why:
            refused = str(why)
    return _league_page(request, student.classroom, student=student, key=key, refused=refused)


def _league_page(request: HttpRequest, classroom: Classroom, **more: Any) -> HttpResponse:
    found, server = league.league_of(classroom), absolute(request, "")
    is_over = found is not None and league.is_over(found)
    context = {
        "classroom": classroom,
        "league": found,
        "is_open": found is not None and found.closed is None and not is_over,
        "matches": league.MOST_MATCHES if is_over else 0,
        "rows": standing_rows(found) if found else [],
        "boards": league.BOARDS,
        "seconds": int(league.SECONDS),
        "command": f"python league_bot.py {server}",
        "is_alone": is_own_machine(server),
        **more,
    }
    status = 409 if more.get("refused") else 200
    return render(request, "games/classes/league.html", context, status=status)


def standing_rows(found: League) -> list[dict[str, Any]]:
    """By program its standing in words, and where the interval's ends and the mean are drawn:
    −100 to 100, ``counter`` at 0."""
    standings, shown = league.standings(found), []
    most = max((abs(end) for each in standings for end in each.interval), default=0) or 1
    for each in standings:
        row = {"program": each.program, "rounds": len(each.above), "by_bot": each.by_bot}
        if each.interval:
            ends = (*each.interval, each.mean)
            row["low"], row["high"], _mean = map(number, ends)
            row["mean"] = signed(each.mean)
            row["places"] = [round(100 * end / most) for end in ends]
        shown.append(row)
    return shown


@never_cache
@csrf_exempt
@require_POST
def next_game(request: HttpRequest) -> HttpResponse:
    """The JSON of a table and a seat's token, for the program whose key is sent; 204 while it
    waits."""
    key = bearer_token(request.headers.get("Authorization", ""))
    if key is None:
        raise NotFound
    game = league.begin_or_find_game(program=league.program_by_key(key))
    return JsonResponse(game) if game else HttpResponse(status=204)
