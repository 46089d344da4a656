"""The pages of games: opening a table, coming in by a link, and the table itself."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django_htmx.http import HttpResponseClientRedirect

from games.analysis.jobs import TooMany
from games.classes.state import lobby_from
from games.models import Guest, SessionSettings, Table
from games.pages.forms import TableForm
from games.pages.learning import FIRST_GAME, attendances_here, marks_of
from games.pages.puzzle_marks import today_and_before
from games.rules import HAND_SIZE, by_value, stats_table
from games.study.learning.chapter_files import chapters
from games.study.replay.own_rounds import last_game
from games.tables import opening, steering
from games.tables import seats as table_seats
from games.tables.forgetting import make_room
from games.tables.fragments import (
    call_choices_html,
    notice_html,
    revealed_html,
    table_fragments,
)
from games.tables.observation import seat_view, table_view
from games.tables.rendering import GAME_NAMES, SHAPE_NAMES
from games.tables.state import TableState, load_table
from games.tables.timing import last_seen
from games.tables.view import Status, TableView
from games.tables.viewers import (
    GUEST_COOKIE,
    STUDENT_COOKIE,
    WATCH,
    Viewer,
    find_browser,
    find_guest,
    has_lost_a_seat,
    seat_token,
    unfinished_game,
    viewer_by_browser,
    viewer_by_token,
    watch_token,
)
from xactika_site import clock, languages
from xactika_site.accounts.views import absolute
from xactika_site.classrooms.selectors import NotFound, as_number
from xactika_site.http import HttpRequest, set_cookie
from xactika_site.lan import is_own_machine, qr_svg
from xactika_site.lanes import Buckets
from xactika_site.views import page_view


@page_view
def home(request: HttpRequest) -> HttpResponse:
    """The first page; whoever has left a class or a game finds the way back before all else."""
    has_been_here = bool({GUEST_COOKIE, STUDENT_COOKIE} & request.COOKIES.keys())
    marks = marks_of(request)
    context: dict[str, object] = {
        "has_been_here": has_been_here,
        # One door for whoever has neither played here nor gone through the chapters.
        "is_new": not has_been_here and len(marks) < len(chapters()),
        "marks": marks,
        "in_class": next(attendances_here(request), None),
        "play_now": usual_settings() if has_been_here else FIRST_GAME,
        **today_and_before(request),
        **game_left(request),
    }
    if "game" not in context and (guest := find_guest(request.COOKIES.get(GUEST_COOKIE))):
        context["last_game"] = last_game(guest)
    return render(request, "games/home.html", context)


def game_left(request: HttpRequest) -> dict[str, object]:
    """What pages say of the game that this browser left unfinished; empty without one."""
    game = unfinished_game(find_guest(request.COOKIES.get(GUEST_COOKIE)))
    if game is None:
        return {}
    state, seat = game
    return {
        "game": state,
        "game_others": [each.name for each in state.seats if each.number != seat],
        "game_hand": _hand_at(state, seat),
        "game_name": GAME_NAMES[state.variant.value],
        "way_back": _place_address(state.id, seat),
    }


def _hand_at(state: TableState, seat: int) -> list[str]:
    own = seat_view(state, seat)
    return [card.code for card in by_value(own.hand)] if own else []


def usual_settings() -> dict[str, object]:
    """The form's own choices by field: what "Play now" opens for who has been here."""
    return {field.name: field.initial for field in TableForm()}


# Opening a table.


def play(request: HttpRequest) -> HttpResponse:
    """The page to choose a table on; a POST opens one, for friends if ``kind=friends``."""
    form = TableForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        guest, key = guest_who_opens(request)
        table = opening.open_table(
            kind=form.cleaned_data["kind"], settings=form.settings(), opener=guest
        )
        opened = HttpResponseClientRedirect if request.htmx else HttpResponseRedirect
        return remember_guest(opened(_place_address(table.id, 0)), key)
    context = {"form": form, **game_left(request)}
    return render(request, "games/play.html", context, status=422 if request.POST else 200)


def guest_of(request: HttpRequest) -> tuple[Guest, str]:
    """The guest of this browser, made if it is new here, and the key for its cookie."""
    key = request.COOKIES.get(GUEST_COOKIE)
    guest = find_guest(key)
    return (guest, key) if guest and key else opening.new_guest()


OPENINGS = Buckets(40, 0.5, nobodys=(100, 5))
"""Tables that a guest may open at once, and a second after that; and those who were never here
before, all together."""


def guest_who_opens(request: HttpRequest) -> tuple[Guest, str]:
    """The guest of a browser that opens a table, and the key for its cookie; what they left
    longest ago makes room. Raises jobs.TooMany where they, or all new ones, open too many."""
    present = find_guest(request.COOKIES.get(GUEST_COOKIE))
    if not OPENINGS.take(f"guest {present.pk}" if present else ""):
        raise TooMany
    guest, key = guest_of(request)
    make_room(guest=guest)
    return guest, key


def remember_guest(response: HttpResponse, key: str) -> HttpResponse:
    """The response with the guest's cookie, which lasts as long as what is stored."""
    set_cookie(response, GUEST_COOKIE, key, max_age=settings.RETENTION_DAYS * 86400)
    return response


# Coming in by a link.


@never_cache
@require_http_methods(["GET", "POST"])
def seat_link(request: HttpRequest, token: str) -> HttpResponse:
    """The redirect of a seat's link to its table: this browser may play there from now on.
    Where another one does it is asked first; a POST takes the seat over."""
    return _link_response(request, token, watching=False)


@never_cache
@require_GET
def watch_link(request: HttpRequest, token: str) -> HttpResponse:
    """The redirect of a watch link to its table: this browser may look on, without hands."""
    return _link_response(request, token, watching=True)


def _link_response(request: HttpRequest, token: str, *, watching: bool) -> HttpResponse:
    table_id, viewer = viewer_by_token(token)
    if (viewer.seat is None) is not watching or load_table(table_id).is_in_league:
        raise Http404
    is_sure = request.method == "POST"
    if viewer.seat is not None and not is_sure:
        seat = load_table(table_id).seats[viewer.seat]
        if seat.is_anothers(find_guest(request.COOKIES.get(GUEST_COOKIE))):
            return render(request, "games/seat_taken.html", {"name": seat.name})
    guest, key = guest_of(request)
    try:
        table_seats.admit(table_id=table_id, seat=viewer.seat, guest=guest, take_over=is_sure)
    except table_seats.SeatTaken:  # just now
        return redirect("seat", token)
    place = WATCH if viewer.seat is None else viewer.seat
    return remember_guest(redirect(f"{reverse('table', args=[table_id])}?as={place}"), key)


# The table.


@page_view
def table(request: HttpRequest, table_id: str) -> HttpResponse:
    """The page of the table as this browser may see it now, complete without any script."""
    browser = find_browser(request.COOKIES, request.user)
    try:
        viewer = viewer_by_browser(table_id, browser, request.GET.get("as"))
    except NotFound:
        if lobby := lobby_from(table_id, browser):  # a student who was moved, say
            return render(request, "404.html", {"lobby": lobby}, status=404)
        if has_lost_a_seat(table_id, browser.guest):
            return render(request, "games/seat_lost.html", status=404)
        raise Http404 from None
    if viewer.seat is not None:
        table_seats.open_seat(table_id=table_id, seat=viewer.seat)
    state = load_table(table_id)
    presence, now = last_seen([table_id]).get(table_id, {}), clock.now()
    view = table_view(state, presence, now)
    pictures = table_fragments(view)(viewer, seat_view(state, viewer.seat))
    fragments = {
        name: picture.whole(name) for picture in pictures for name in picture.fragments
    }
    seats, me = len(state.seats), viewer.seat or 0
    from_my_left = [(me + k) % seats for k in range(1, seats + 1)]
    context = {
        "state": view,
        "is_live": languages.is_spoken(state.language),
        "is_solo": state.kind == Table.Kind.SOLO,
        "rests": _rest_classes(view),
        "viewer": viewer,
        "now": now,
        "place": WATCH if viewer.seat is None else viewer.seat,
        "fragments": fragments,
        # Clockwise from the seat on my left, mine last.
        "seats": [(fragments[f"seat-{n}"], fragments[f"slot-{n}"]) for n in from_my_left],
        "revealed": revealed_html(view),
        "past": [fragments[f"past-{n}"] for n in range(HAND_SIZE, 0, -1)],
        "shapes": SHAPE_NAMES,
        "stats": stats_table(),
        "odds": {
            "tool": fragments.get("odds-tool", ""),
            "panel": fragments.get("odds", ""),
            "steer": fragments.get("odds-steer", ""),
        },
        "slow": fragments.get("slow", ""),
        "notice": notice_html(_done_words(request)),
        "calls": call_choices_html(),
        "variant": GAME_NAMES[state.variant.value],
        "has_learnt": bool(marks_of(request)),
        "opener": _opener_context(request, state, viewer),
        "asks_nothing": _asks_nothing(state),
    }
    return render(request, "games/table.html", context)


def _asks_nothing(state: TableState) -> bool:
    """Whether the class's tables have no questions: then its students' pages fetch none."""
    if state.class_session_id is None:
        return False
    settings = SessionSettings.objects.filter(class_session=state.class_session_id)
    return settings.filter(questions=SessionSettings.Questions.OFF).exists()


def _rest_classes(view: TableView) -> str:
    """CSS classes, each after a space, of a page where no trick is open, or a round is over, or
    the first hand is to be seen dealt."""
    is_over = view.status in {Status.ROUND_OVER, Status.GAME_OVER}
    observation = view.observation
    trick = observation.trick if observation else None
    is_open = bool(trick and trick.plays)
    is_between = bool(observation and observation.tricks and trick and not is_open)
    is_first = view.round_number == 1 and view.status in {Status.BIDDING, Status.PLAYING}
    is_dealt = is_first and not (is_open or (observation and observation.tricks))
    return " swept" * (is_over or is_between) + " ended" * is_over + " to-deal" * is_dealt


def _done_words(request: HttpRequest) -> str:
    """A sentence on the form that has just been sent; empty for none."""
    is_renewed = request.GET.get("done") == "renew"
    return _("The link is new. The old one opens nothing any more.") if is_renewed else ""


def _opener_context(
    request: HttpRequest, state: TableState, viewer: Viewer
) -> dict[str, object] | None:
    """The links of a friends' table and the paces, for its opener alone."""
    if not viewer.is_opener(state):
        return None
    watch = reverse("watch", args=[watch_token(state.id, state.watch_serial)])
    links = []
    for seat in state.people:
        path = reverse("seat", args=[seat_token(state.id, seat.number, seat.serial)])
        url = absolute(request, path)
        is_mine = seat.number == viewer.seat
        links.append({"seat": seat, "is_mine": is_mine, "url": url, "qr": qr_svg(url)})
    return {
        "is_friends": state.kind == Table.Kind.FRIENDS,
        "links": links,
        "watch": absolute(request, watch),
        "is_alone": is_own_machine(absolute(request, "")),
    }


@require_POST
def steer(request: HttpRequest, table_id: str) -> HttpResponse:
    """The answer to what only the opener may do: pace, odds, pause, go on, start, close, new
    links; and to what everybody at the table may: ask for slow bots."""
    guest = find_guest(request.COOKIES.get(GUEST_COOKIE))
    action, _colon, argument = request.POST.get("do", "").partition(":")
    try:
        match action:
            case "slow" if argument in {"on", "off"}:
                browser = find_browser(request.COOKIES, request.user)
                viewer = viewer_by_browser(table_id, browser, request.GET.get("as"))
                steering.ask_for_slow_bots(
                    table_id=table_id, viewer=viewer, slow=argument == "on"
                )
            case "pace":
                steering.set_pace(table_id=table_id, guest=guest, pace=argument)
            case "odds":
                steering.set_odds(table_id=table_id, guest=guest, odds=argument)
            case "reactions" if argument in {"on", "off"}:
                steering.set_reactions(table_id=table_id, guest=guest, on=argument == "on")
            case "pause" | "resume":
                steering.set_paused(table_id=table_id, guest=guest, paused=action == "pause")
            case "start":
                steering.start_without_missing(table_id=table_id, guest=guest)
            case "close":
                steering.close_table(table_id=table_id, guest=guest)
            case "renew":
                seat = None if argument == WATCH else as_number(argument)
                steering.renew_link(table_id=table_id, guest=guest, seat=seat)
            case _:
                raise Http404
    except opening.BadSettings:
        raise Http404 from None
    if request.htmx:
        return HttpResponse(status=204)  # the socket shows what changed
    done = {"done": action} if action == "renew" else {}
    return redirect(_place_address(table_id, request.GET.get("as"), **done))


@require_POST
def again(request: HttpRequest, table_id: str) -> HttpResponse:
    """The redirect to the next game with the same people, opened by the first who asks."""
    guest = find_guest(request.COOKIES.get(GUEST_COOKIE))
    next_id = opening.open_rematch(table_id=table_id, guest=guest)
    return HttpResponseClientRedirect(_place_address(next_id, request.GET.get("as")))


def _place_address(table_id: str, place: object, **more: str) -> str:
    """The table's address for one who holds this place there."""
    query = more if place is None else {"as": str(place), **more}
    return reverse("table", args=[table_id], query=query or None)
