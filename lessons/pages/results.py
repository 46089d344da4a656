"""What a class did, as pages: for its teachers, on the wall, by a nameless link, and for each
student. Everything on them is over; of a running round nothing is read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.analysis import NotReady
from games.analysis.jobs import Job, StillCounting, TooMany
from games.classes.experiments import experiments_of
from games.classes.game import present_game
from games.classes.in_play import game_in_play
from games.models import Deal, Seat, SessionSettings
from games.pages.counting import answer, still_counting_page
from games.study.replay.same_board import Own
from games.tables.state import may_be_compared
from games.tables.viewers import find_browser
from games.words import colon
from lessons.crooked.trial import answers_of
from lessons.homework.by_teachers import expert_on
from lessons.measures.page import stock_text
from lessons.measures.panels import Panel, Section
from lessons.questions.forecasts import played_forecasts
from lessons.questions.placement import placed_students
from lessons.questions.practice import attempts_of
from lessons.results import in_play, news
from lessons.results.dataset import Dataset, dataset_of_session, dataset_of_student
from lessons.results.homework import beside_session, boards_beforehand, cover_panels
from lessons.results.learned import items, learning_panels
from lessons.results.learned.gain_panels import own_tests
from lessons.results.learned.learning import (
    Learning,
    learning_of_classroom,
    learning_of_session,
    learning_of_student,
)
from lessons.results.learned.predictions import (
    LessonProgress,
    progress_in_classroom,
    progress_in_session,
    progress_of_student,
    steps_of_student,
)
from lessons.results.news import (
    own_session,
    results_version,
    sees_class,
    sessions_seen,
    settings_of,
    share_token,
    shared_session,
)
from lessons.results.over_time import matrix, term_panels, trend_tiles
from lessons.results.over_time.records import Records, records, successes
from lessons.results.over_time.term import Day, days_of, scores_of_sessions, term
from lessons.results.points.asked_panels import dealer_panel, poll_panel
from lessons.results.points.standings import Placing
from lessons.results.session import sections, session_panels
from lessons.results.session.advice import advice, reached_by
from lessons.results.session.dashboard import dashboard
from lessons.results.session.learned_tiles import Onward, help_everywhere, next_lesson
from lessons.results.session.wall import first_of, slides
from lessons.results.students import student_panels
from lessons.results.students.names import seat_label, student_label, student_names
from lessons.results.students.peers import Peers, peers_of
from lessons.results.taught import lesson_panels
from lessons.results.taught.taught_lessons import TaughtLesson, taught_lessons
from lessons.results.tiles import Tile, TileLink
from lessons.results.words import sentences
from xactika_site.accounts.views import absolute
from xactika_site.classrooms.models import Classroom, ClassSession, Student
from xactika_site.classrooms.selectors import classroom_for, student_for, taught_sessions
from xactika_site.classrooms.views import session_or_404
from xactika_site.http import HttpRequest
from xactika_site.views import page_view, teachers_page

SAVED = "switch"
"""What an address says after a switch was pressed, so that the page says that it is saved."""

NAMES = "classrooms_with_names"
"""In the teacher's sign-in: the classrooms whose pages of results show names. None before
they say so."""

AT_A_GLANCE = 2
"""Charts of the class over time on its own page."""


def are_names_shown(request: HttpRequest, classroom: Classroom) -> bool:
    """Whether the teacher wants names on this classroom's pages of results just now."""
    return classroom.pk in request.session.get(NAMES, ())


def names_of(request: HttpRequest, classroom: Classroom) -> dict[int, str]:
    """What this teacher's pages and files call the classroom's students just now."""
    return student_names(classroom, is_named=are_names_shown(request, classroom))


@teachers_page
def session_results(request: HttpRequest, session_id: int) -> HttpResponse:
    """A class session's results: what there is to discuss, then chapter by chapter. With
    ``since`` (what the page shows) an answer only if there is news: 204 if not."""
    session = session_or_404(request, session_id)
    now = results_version(session)
    if request.GET.get("since") == now:
        return HttpResponse(status=204)
    everyone = "bots" in request.GET
    settings = settings_of(session)
    context = {
        **_results_context(
            session, names=names_of(request, session.classroom), everyone=everyone
        ),
        "version": now,
        "names": are_names_shown(request, session.classroom),
        "everyone": everyone,
        "settings": settings,
        "is_saved": request.GET.get("done") == SAVED,
        "share": absolute(request, reverse("shared_results", args=[share_token(settings)]))
        if settings.shared
        else "",
    }
    if "since" in request.GET:
        return render(request, "lessons/results/_session.html", context)
    page = "lessons/results/session.html"
    if context["expert"] is not None:
        return still_counting_page(request, context["expert"], page, context)
    return render(request, page, context)


@teachers_page
def session_wall(request: HttpRequest, session_id: int) -> HttpResponse:
    """A session's results for the projector, the first screens or ``all``: no names, no
    averages of fewer than five."""
    session = session_or_404(request, session_id)
    now = results_version(session)
    if request.GET.get("since") == now:
        return HttpResponse(status=204)
    context = {**_results_context(session, is_shared=True), "version": now}
    every = slides(context["tiles"], context["sections"])
    context["slides"] = every if "all" in request.GET else first_of(every)
    context["has_more"] = len(context["slides"]) < len(every)
    page = "lessons/results/_wall.html" if "since" in request.GET else None
    return render(request, page or "lessons/results/wall.html", context)


@page_view
def shared_results(request: HttpRequest, token: str) -> HttpResponse:
    """The nameless link that a teacher has switched on."""
    session = shared_session(token)
    now = results_version(session)
    if request.GET.get("since") == now:
        return HttpResponse(status=204)
    context = {**_results_context(session, is_shared=True), "version": now}
    page = "lessons/results/_shared.html" if "since" in request.GET else None
    return render(request, page or "lessons/results/shared.html", context)


def _results_context(
    session: ClassSession,
    *,
    names: dict[int, str] | None = None,
    is_shared: bool = False,
    everyone: bool = False,
) -> dict[str, Any]:
    """What every page of a session's results shows, for its audience; without ``names``
    standings are of seats, and no chapter leads to each student."""
    learning = learning_of_session(session)
    data = dataset_of_session(session, everyone=everyone, came=learning.names)
    taught = taught_lessons(session, data)
    is_final = session.state == ClassSession.State.CLOSED
    at: dict[str, Any] = {"is_shared": is_shared, "is_final": is_final}
    experiments = experiments_of(session.pk)
    progress = progress_in_session(session)
    asked = [poll_panel(session), dealer_panel(answers_of(session))]
    chapters = sections.of_session(
        [
            *session_panels.panels(
                data, taught, name=namer(names), experiments=experiments, **at
            ),
            *[each for each in asked if each],
        ],
        lesson_panels.parts(taught, came=len(data.came), is_shared=is_shared),
        learning_panels.panels(
            learning, progress, is_teacher=not is_shared, session=session.pk, **at
        ),
        lessons_first=not data.deals,
    )
    days = () if is_shared else days_of(session.classroom)
    beside, waits = _beforehand_panels(session, data)
    chapters = sections.with_played(chapters, beside)
    if names is not None:
        chapters = [*sections.with_paths(chapters, _board_links(data)), *_each(learning, names)]
    return {
        "session": session,
        "classroom": session.classroom,
        "is_final": is_final,
        "expert": waits,
        "counts": _counts_of_session(data, learning),
        "sections": chapters,
        "has_figures": any(section.panels for section in chapters),
        "waits": any(not each.is_over for each in experiments),
        "experiments": [each.game for each in experiments if each.difference is not None],
        "tiles": dashboard(
            data,
            learning,
            taught,
            [panel for section in chapters for panel in section.panels],
            learned=None if is_shared else _change_tile(session, days),
            onward=Onward()
            if is_shared
            else replace(
                _onward(session, data, learning, taught),
                everywhere=_help_everywhere(session.classroom) if len(days) > 1 else None,
            ),
            experiments=experiments,
            names=names,
            is_final=is_final,
        ),
    }


def _onward(
    session: ClassSession,
    data: Dataset,
    learning: Learning,
    taught: Sequence[TaughtLesson],
) -> Onward:
    """The addresses to which the tiles of a teacher's page lead after a session."""
    room = session.classroom
    advised = advice(
        data,
        learning,
        taught,
        reached_by(room),
        session=session.pk,
        is_final=session.state == ClassSession.State.CLOSED,
    )
    return Onward(advised, room.pk, session.pk)


def _help_everywhere(room: Classroom) -> TileLink | None:
    ids = Student.objects.filter(classroom=room).values_list("pk", flat=True)
    return help_everywhere(successes(attempts_of(ids)), room.pk)


def _change_tile(session: ClassSession, days: tuple[Day, ...]) -> Tile | None:
    """What has changed in the class's latest sessions until this one; None in the first."""
    days = days[: 1 + [day.pk for day in days].index(session.pk)][-trend_tiles.SAID :]
    if len(days) < 2:
        return None
    page = reverse("classroom_results", args=[session.classroom_id])
    return trend_tiles.change(records(session.classroom, days, {}), days, page=page)


def _beforehand_panels(session: ClassSession, data: Dataset) -> tuple[list[Panel], Job | None]:
    """The panels of what teachers made of the boards beforehand, and the expert; the job in
    which the expert still plays them, if it does."""
    boards, teachers = boards_beforehand(session, data)
    if not boards:
        return [], None
    level = SessionSettings.objects.values_list("level", flat=True).get(class_session=session)
    dealt = {name: (deal.dealer, deal.hands, deal.variant) for name, deal in boards.items()}
    experts: dict[str, Own] = {}
    job = None
    try:
        experts = answer(
            ("boards' expert", level, str(dealt)),
            lambda: {
                name: expert_on(Deal(dealer=dealer, hands=hands), variant, level)
                for name, (dealer, hands, variant) in dealt.items()
            },
        )
    except StillCounting as waits:
        job = waits.job
    except (NotReady, TooMany):
        pass
    return [beside_session(data, boards, teachers, experts)], job


def _board_links(data: Dataset) -> list[tuple[str, str]]:
    """(label, address of its page of paths) of each board that is over."""
    moved = {trick.deal for trick in data.tricks}  # on paper no moves are known
    tables = {
        (deal.game, deal.round): deal.table
        for deal in data.deals
        if deal.board is not None and deal.pk in moved
    }
    several = len({game for game, _round in tables}) > 1
    words = _("Game %(game)d, board %(n)d") if several else _("Board %(n)s")
    return [
        (words % {"game": game, "n": n}, reverse("board_paths", args=[table, n]))
        for (game, n), table in sorted(tables.items())
    ]


def _own_board_links(student: Student, session: ClassSession) -> list[tuple[str, str]]:
    """(label, address of its page of paths) of each board that is over at the student's own
    table, at their seat."""
    game = present_game(session.pk)
    seat = Seat.objects.filter(student=student, table__in=game.tables).first()
    if seat is None or not game.duplicate:
        return []
    over = Deal.objects.filter(
        may_be_compared(), table=seat.table_id, results__seat=seat.number
    )
    at = {"as": seat.number}
    return [
        (
            _("Board %(n)s") % {"n": n},
            reverse("board_paths", args=[seat.table_id, n], query=at),
        )
        for n in over.order_by("round").values_list("round", flat=True)
    ]


def _each(learning: Learning, names: dict[int, str]) -> list[Section]:
    """The chapter of who came: who needs help, and a page for each."""
    students = [(pk, name) for pk, name in names.items() if pk in learning.names]
    help_panel = learning_panels.by_student(learning, names=names)
    return sections.each_student([] if help_panel.is_empty else [help_panel], students)


def namer(names: dict[int, str] | None) -> Callable[[Placing], str]:
    """How whoever stands in a list is called; by seats where names are ``None``."""
    return seat_label if names is None else partial(student_label, names)


def _counts_of_session(data: Dataset, learning: Learning) -> dict[str, int]:
    return {
        "tables": len({deal.table for deal in data.deals}),
        "rounds": len(data.deals),
        "students": len(data.came),
        "started": len(learning.started),
        "not_started": len(learning.not_started),
    }


SWITCHES = {"charts": news.show_charts_to_students, "share": news.share}


@login_required
@require_POST
def session_results_do(request: HttpRequest, session_id: int) -> HttpResponse:
    """Switch the charts for students, or the nameless link, on or off."""
    session = session_or_404(request, session_id)
    switch, _dash, word = request.POST.get("do", "").partition("-")
    on = {"on": True, "off": False}.get(word)
    if switch not in SWITCHES or on is None:
        raise Http404
    SWITCHES[switch](session=session, on=on)
    page = reverse("session_results", args=[session_id], query={"done": SAVED})
    return redirect(page)


@login_required
@require_POST
def results_names(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """Show or hide names on all pages of a classroom's results, and go back to the page."""
    classroom = classroom_for(request.user, classroom_id)
    are_shown = {"show": True, "hide": False}.get(request.POST.get("do", ""))
    back = request.POST.get("next", "")
    is_ours = back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    if are_shown is None or not is_ours:
        raise Http404
    others = {pk for pk in request.session.get(NAMES, ()) if pk != classroom.pk}
    request.session[NAMES] = [*others, classroom.pk] if are_shown else [*others]
    return HttpResponseRedirect(back)


# A game that goes on; questions.


@teachers_page
def session_in_play(request: HttpRequest, session_id: int) -> HttpResponse:
    """How the present game goes; the cockpit fetches it while it is unfolded there."""
    session = session_or_404(request, session_id)
    game = game_in_play(session.pk)
    context = {
        "session": session,
        "game": game,
        "tiles": in_play.tiles(game),
        "numbers": in_play.numbers(game),
    }
    page = "lessons/results/_in_play.html" if request.htmx else "lessons/results/in_play.html"
    return render(request, page, context)


@teachers_page
def question_figures(request: HttpRequest) -> HttpResponse:
    """How every type of question went, over all real classes of this server."""
    panels = items.panels(items.figures(items.first_answers()))
    return render(request, "lessons/results/items.html", {"panels": panels})


# Learning.


@teachers_page
def session_learning(request: HttpRequest, session_id: int) -> HttpResponse:
    """What was learned in a class session, student by student."""
    session = session_or_404(request, session_id)
    learning, lessons = learning_of_session(session), progress_in_session(session)
    return _learning_page(request, session.classroom, learning, lessons, session)


@teachers_page
def classroom_learning(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """What was learned in a classroom over the whole term, student by student."""
    classroom = classroom_for(request.user, classroom_id)
    learning, lessons = learning_of_classroom(classroom), progress_in_classroom(classroom)
    return _learning_page(request, classroom, learning, lessons, None)


def _learning_page(
    request: HttpRequest,
    classroom: Classroom,
    learning: Learning,
    lessons: Sequence[LessonProgress],
    session: ClassSession | None,
) -> HttpResponse:
    names = names_of(request, classroom)
    panels = learning_panels.panels(
        learning, lessons, is_teacher=True, session=session.pk if session else None
    )
    if session is None and (begins := learning_panels.placement(placed_students(names))):
        panels.append(begins)
    context = {
        "classroom": classroom,
        "session": session,
        "names": are_names_shown(request, classroom),
        "learning": learning,
        "not_started": [(pk, name) for pk, name in names.items() if pk in learning.not_started],
        "help": learning_panels.by_student(learning, names=names),
        "sections": [
            *sections.chapters(panels, "learning"),
            *sections.each_student(
                [], [(pk, name) for pk, name in names.items() if pk in learning.names]
            ),
        ],
    }
    return render(request, "lessons/results/learning.html", context)


# A classroom over time.


@teachers_page
def classroom_results(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """What changes from session to session at a glance, who knows what; then all figures."""
    classroom = classroom_for(request.user, classroom_id)
    names = names_of(request, classroom)
    over_time = term(classroom)
    happened = records(classroom, over_time.days, over_time.own_scores)
    panels = term_panels.panels(over_time, names=names)
    page = reverse("classroom_learning", args=[classroom.pk])
    context = {
        "classroom": classroom,
        "names": are_names_shown(request, classroom),
        "tiles": trend_tiles.of_class(happened, over_time.days, learning=page),
        "has_files": True,
        "matrix": matrix.matrix_context(
            matrix.skill_matrix(names),
            names=names,
            by=request.GET.get("sort", matrix.HELP),
        ),
        "matrix_caveat": stock_text("known"),
        "here": request.get_full_path(),
        "days": over_time.days[::-1],
        "panels": panels,
        "sections": [
            *sections.chapters(panels, "term"),
            *sections.each_student([], list(names.items())),
        ],
    }
    return render(request, "lessons/results/classroom.html", context)


@teachers_page
def classroom_glance(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """Of a class over time what its own page has room for, what stands out first, each with a
    way to its figure; and what to teach next."""
    classroom = classroom_for(request.user, classroom_id)
    days = days_of(classroom)
    happened = records(classroom, days, scores_of_sessions(played_forecasts(classroom)))
    over_time, learning = (
        reverse(name, args=[classroom.pk])
        for name in ("classroom_results", "classroom_learning")
    )
    tiles = [
        replace(tile, panel="", page=f"{over_time}#{tile.panel}") if tile.panel else tile
        for tile in trend_tiles.of_class(happened, days, learning=learning)
        if not tile.is_open
    ]
    tiles.sort(key=lambda tile: not tile.stands_out)
    context = {"tiles": [*tiles[:AT_A_GLANCE], *_next_tile(classroom, days)]}
    return render(request, "lessons/results/_tiles.html", context)


def _next_tile(classroom: Classroom, days: Sequence[Day]) -> Iterable[Tile]:
    """What to teach after the session to which the class's own page leads."""
    session = taught_sessions(classroom).first()
    if session is None:
        return
    learning = learning_of_session(session)
    data = dataset_of_session(session, came=learning.names)
    onward = _onward(session, data, learning, taught_lessons(session, data))
    if advised := next_lesson(learning, onward):
        when = term_panels.day_labels(days)[session.pk]
        rests = f"{_('Results')}{colon()}{when}"
        yield replace(advised, note=sentences(advised.note, rests))


# One student.


@teachers_page
def student_results(request: HttpRequest, student_id: int) -> HttpResponse:
    """A page for a parents' evening; the name only where names are shown, else the number."""
    student = student_for(request.user, student_id)
    room = student.classroom
    name, days = names_of(request, room)[student.pk], days_of(room)
    forecasts = played_forecasts(room)
    happened = records(room, days, scores_of_sessions(forecasts))
    context = {
        **_own_context(student, peers_of(student, forecasts), days, happened),
        "called": name,
        "names": are_names_shown(request, room),
        "back": reverse("classroom_results", args=[room.pk]),
    }
    return render(request, "lessons/results/student.html", context)


@page_view
def own_results(request: HttpRequest, session_id: int) -> HttpResponse:
    """A student's own results; with the teacher's leave the class's charts without names."""
    student, session = own_session(find_browser(request.COOKIES, request.user), session_id)
    is_shown = sees_class(student, session)
    forecasts = played_forecasts(student.classroom)
    peers = peers_of(student, forecasts) if is_shown else Peers()
    seen = sessions_seen(student) if is_shown else frozenset()
    days = days_of(student.classroom)
    happened = records(student.classroom, days, scores_of_sessions(forecasts))
    context = {
        **_own_context(student, peers, days, happened, seen=seen),
        "called": student.name,
        "own": True,
        "is_class_shown": is_shown,
        "session": session,
    }
    if is_shown:
        results = _results_context(session, is_shared=True)
        of_class = sections.of_class(results["sections"])
        shown = {panel.key for section in of_class for panel in section.panels}
        tiles = [tile for tile in results["tiles"] if tile.panel in shown]
        context["class_tiles"] = trend_tiles.of_session(tiles, happened, student.pk, session.pk)
        context["sections"] += sections.with_paths(of_class, _own_board_links(student, session))
    return render(request, "lessons/results/student.html", context)


def _own_context(
    student: Student,
    peers: Peers,
    days: tuple[Day, ...],
    happened: Records,
    *,
    seen: Collection[int] | None = None,
) -> dict[str, Any]:
    """What a student's page shows: for a teacher, or beside the class in the sessions ``seen``
    by the student."""
    facts, learning = dataset_of_student(student), learning_of_student(student)
    tests = own_tests(student)
    return {
        "tiles": trend_tiles.of_student(
            happened,
            student.pk,
            days,
            panels={
                "bids": "own-line",
                "forecasts": "own-score" if facts.forecasts else "",
                "skills": "skills",
            },
            # What the class learned is on no student's page.
            seen=None if seen is None else replace(happened.of(seen), answers={}),
        ),
        "student": student,
        "classroom": student.classroom,
        "opening": student_panels.opening(learning, peers),
        "tallies": student_panels.tallies(facts, learning, peers),
        "sections": sections.chapters(
            [
                *student_panels.panels(
                    facts,
                    learning,
                    progress_of_student(student),
                    steps_of_student(student),
                    days,
                ),
                *([tests] if tests else []),
                *cover_panels(student),
            ],
            "student",
        ),
    }
