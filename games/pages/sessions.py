"""A teacher's pages of a class session: its settings, the cockpit, the projector."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.classes import closing, forming, joining, seating, sessions, steering
from games.classes.boards import play_out
from games.classes.cockpit import ExperimentPhase, experiment_now, is_waited_for
from games.classes.experiments import POWER, TREATMENTS
from games.classes.pace import measured_pace
from games.classes.pictures import session_pictures
from games.classes.state import SessionState, load_session
from games.classes.viewers import SessionView, session_viewer
from games.models import SessionSettings, Table
from games.pages.forms import FIRST_TIME, PRESETS, SessionForm
from games.rules import Variant
from games.tables.observation import may_look_back
from games.tables.rendering import Picture, with_minus
from games.tables.state import load_table
from games.tables.view import OVER, RUNNING, Status
from games.tables.viewers import find_browser
from xactika_site import clock, languages
from xactika_site.accounts.views import absolute
from xactika_site.classrooms.models import Attendance, Classroom, ClassSession
from xactika_site.classrooms.selectors import (
    NotFound,
    as_number,
    classroom_for,
    unclosed_session,
    usual_number,
)
from xactika_site.classrooms.services import Refused
from xactika_site.classrooms.views import session_or_404
from xactika_site.http import HttpRequest, digits
from xactika_site.lan import is_own_machine
from xactika_site.views import teachers_form, teachers_page

T = TypeVar("T")
TIMES = {"1": 1.0, "1.5": 1.5, "2": 2.0, "0": 0.0}


# The settings.


@teachers_form
def session_new(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """The form that opens a session, which one click sends; ``?like=`` an earlier one or a
    ``?preset=`` prefills it. With ``only=lesson`` it is opened as it comes, and a lesson chosen
    next, unless ``do`` says which to hold: nothing is dealt before the game is started. To the
    unclosed session where there is one, to its settings if others were sent."""
    classroom = classroom_for(request.user, classroom_id)
    holds, only_lesson = "do" in request.POST, request.POST.get("only") == "lesson"
    if (present := unclosed_session(classroom)) is not None:
        if holds:
            return redirect("session_lesson", present.pk, preserve_request=True)
        if request.POST and not only_lesson and _settings_form(request, present).has_changed():
            to = reverse("session_settings", args=[present.pk], query={"was": "open"})
            return redirect(to)
        return redirect("session", present.pk)
    sent = None if only_lesson else request.POST or None
    preset = _preset_key(request, classroom)
    wishes, number = _first_settings(request, classroom, preset)
    # A class’s language was chosen for its last session; a demo’s never was, so it speaks its
    # teacher’s.
    language = (not classroom.demo and classroom.language) or languages.present()
    form = SessionForm(
        sent, request.FILES or None, instance=wishes, expected=number, language=language
    )
    if only_lesson or (request.method == "POST" and form.is_valid()):
        wishes = form.instance if only_lesson else form.save(False)
        try:
            session = sessions.open_session(
                classroom=classroom,
                settings=wishes,
                expected=form.expected_students,
                language=form.chosen_language or language,
            )
        except Refused:  # the other teacher was quicker
            return redirect("session_new", classroom_id, preserve_request=holds)
        if only_lesson:
            return redirect("session_lesson", session.pk, preserve_request=holds)
        return redirect("session", session.pk)
    return _settings_page(request, form, classroom, None, preset)


def _preset_key(request: HttpRequest, classroom: Classroom) -> str:
    """The key of the preset that a new session's form begins with, if any: the one asked for;
    else, where the class has had no session, that of a first time."""
    asked = request.GET.get("preset")
    if asked is not None or "like" in request.GET or request.POST.get("only") == "lesson":
        return asked or ""
    return "" if ClassSession.objects.filter(classroom=classroom).exists() else FIRST_TIME


def _first_settings(
    request: HttpRequest, classroom: Classroom, key: str
) -> tuple[SessionSettings, int]:
    """Unsaved settings to begin with, and how many students to expect: the usual ones, those of
    the preset of this key, or of the session to be like."""
    like = request.GET.get("like", "")
    if not like:
        preset = PRESETS.get(key)
        return SessionSettings(**preset.settings if preset else {}), usual_number(classroom)
    session = session_or_404(request, as_number(like))
    return sessions.settings_like(session), session.expected


@teachers_form
def session_settings(request: HttpRequest, session_id: int) -> HttpResponse:
    """The form of a running session's settings; with ``?experiment=`` that one is chosen."""
    session = session_or_404(request, session_id)
    form = _settings_form(request, session)
    if request.method == "POST" and form.is_valid():
        try:
            steering.change_settings(
                session_id=session.pk,
                settings=form.save(False),
                expected=form.expected_students,
                has_new_deals=bool(form.cleaned_data["upload"]),
            )
            if form.chosen_language:
                steering.set_language(session_id=session.pk, language=form.chosen_language)
        except Refused as why:
            form.add_error(None, str(why))
        else:
            return redirect(reverse("session", args=[session.pk], query={"done": "settings"}))
    return _settings_page(request, form, session.classroom, session)


def _settings_form(request: HttpRequest, session: ClassSession) -> SessionForm:
    """The form of the session's settings, with what was sent."""
    tried = request.GET.get("experiment", "")
    needs = {"experiment": tried, "variant": Variant.BID.value, "duplicate": True}
    return SessionForm(
        request.POST or None,
        request.FILES or None,
        instance=SessionSettings.objects.get(class_session=session),
        initial=needs if tried in TREATMENTS else None,
        expected=session.expected,
        language=session.language,
    )


def _settings_page(
    request: HttpRequest,
    form: SessionForm,
    classroom: Classroom,
    session: ClassSession | None,
    preset: str = "",
) -> HttpResponse:
    """The form; asked by htmx, with what is chosen just now, only how long it will take."""
    asks_minutes = bool(request.htmx) and request.method == "GET"
    chosen = SessionForm(request.GET) if asks_minutes else form
    begins = session is None or session.state == ClassSession.State.LOBBY
    context = {
        "form": form,
        "presets": {} if session else PRESETS,
        "chosen_preset": preset,
        "classroom": classroom,
        "session": session,
        "minutes": chosen.minutes(measured_pace(classroom), begins=begins),
        "too_few_tables": chosen.too_few_tables(classroom.students.count()),
        "tables_needed": tuple(POWER[4]),
    }
    if asks_minutes:
        return render(request, "games/classes/_minutes.html", context)
    page = "games/classes/session_settings.html"
    return render(request, page, context, status=422 if form.is_bound else 200)


# What is live.


@teachers_page
def cockpit(request: HttpRequest, session_id: int) -> HttpResponse:
    """The page with everything of the session."""
    session = session_or_404(request, session_id)
    return _cockpit_page(request, session, notice=_done_words(request), status=200)


def _done_words(request: HttpRequest) -> str:
    """What the page says of a form that has just been sent."""
    return _("Saved.") if request.GET.get("done") in {"settings", *SAVING} else ""


_ON_THE_COCKPIT = "room switches begin-then nobody closing help tables people board".split()


def _cockpit_page(
    request: HttpRequest, session: ClassSession, *, notice: str, status: int
) -> HttpResponse:
    picture = _picture(request, session, SessionView.COCKPIT)
    code = session.classroom.code
    context = {
        "session": session,
        "is_alone": is_own_machine(absolute(request, "")),
        "join": absolute(request, reverse("join")).partition("//")[2],
        "join_code": f"{code[:3]} {code[3:]}",
        "notice": notice,
        "is_live": languages.is_spoken(session.language),
        "now": clock.now(),
        **{name.replace("-", "_"): picture.whole(name) for name in _ON_THE_COCKPIT},
    }
    return render(request, "games/classes/cockpit.html", context, status=status)


@teachers_page
def projector(request: HttpRequest, session_id: int) -> HttpResponse:
    """The page that the room sees on the wall."""
    session = session_or_404(request, session_id)
    picture = _picture(request, session, SessionView.PROJECTOR)
    context = {
        "session": session,
        "is_live": languages.is_spoken(session.language),
        "now": clock.now(),
        "head": picture.whole("wall-head"),
        "stage": picture.whole("wall-stage"),
        "next": picture.whole("wall-next"),
    }
    return render(request, "games/classes/projector.html", context)


def _picture(request: HttpRequest, session: ClassSession, view: str) -> Picture:
    """What the socket will show from now on, for the first paint."""
    browser = find_browser(request.COOKIES, request.user)
    viewer = session_viewer(session.pk, browser, view, absolute(request, ""))
    state = load_session(session.pk)
    tables = {table_id: load_table(table_id) for table_id in state.tables}
    return session_pictures(state, tables, clock.now())(viewer)


class Moved(NamedTuple):
    """What a panel says of a move just made, and what its *Undo* sends: ``do``, and ``back`` as
    the form's ``to``, empty where there is no way back."""

    words: str
    do: str
    back: str


@teachers_page
def session_table(request: HttpRequest, session_id: int, table_id: str) -> HttpResponse:
    """The panel (without script the page) of what can be done about one table."""
    session = session_or_404(request, session_id)
    return _table_page(request, session, table_id, notice=_done_words(request), status=200)


def _table_page(
    request: HttpRequest,
    session: ClassSession,
    table_id: str,
    *,
    notice: str,
    status: int,
    moved: Moved | None = None,
) -> HttpResponse:
    state = load_session(session.pk)
    if table_id not in state.tables:
        raise Http404
    tables = [load_table(each) for each in state.tables]
    table = tables[state.tables.index(table_id)]
    now = clock.now()
    is_told = experiment_now(state, tables)[1] != ExperimentPhase.RUNS  # as in the cockpit
    students = {student.pk: student for student in state.here}
    sent_out = {s.pk: s for s in state.students if s.state == Attendance.State.REMOVED}
    sitters = [
        {
            "seat": seat,
            "student": (student := students.get(seat.student_id or 0)),
            "away": student and not state.is_closed and student.is_away(now),
            "points": with_minus(table.totals[seat.number])
            if is_told and table.points
            else None,
            "kept_for": sent_out.get(seat.kept_for or 0),
        }
        for seat in table.seats
    ]
    # While an experiment compares tables nobody moves: who may would tell which are its halves.
    others = {
        other.id: other
        for other in tables
        if other is not table and (table.closed or not (table.treatment or other.treatment))
    }
    at_others = [(s, others[s.table]) for s in state.here if s.table in others]
    elsewhere = [s for s, there in at_others if there.status not in RUNNING]
    between = {Status.WAITING, Status.ROUND_OVER}
    swaps = [(s, there) for s, there in at_others if {table.status, there.status} <= between]
    takers = [other for other in others.values() if seating.takes_students(other)]
    takes_students = seating.takes_students(table) and (state.waiting or elsewhere)
    offered = [*takers, *(there for _s, there in swaps), *([table] if takes_students else [])]
    context = {
        "session": session,
        "state": state,
        "table": table,
        "sitters": sitters,
        "is_paused": table.paused and state.state != ClassSession.State.PAUSED,
        "is_over": table.status in OVER,
        "in_round": table.status in RUNNING,
        "is_waited_for": is_waited_for(table, tables),
        "may_finish": table.status in {*RUNNING, Status.ROUND_OVER}
        and table.rounds > table.round_number,
        "takes_students": takes_students,
        "others": [(other.number, other.id) for other in takers],
        "has_points": any(each.points for each in offered),
        "elsewhere": elsewhere,
        "swappable": [s for s, _there in swaps],
        "replays": [
            number
            for number in range(1, table.round_number + 1)
            if is_told and may_look_back(table, number)
        ],
        "times": TIMES,
        "notice": notice,
        "moved": moved,
    }
    page = "games/classes/_table_panel.html" if request.htmx else None
    return render(request, page or "games/classes/session_table.html", context, status=status)


# What a teacher does.

Action = Callable[[int, str, str], None]


def _switch(name: steering.Switch, on: bool) -> Action:
    return lambda s, *_: steering.set_switch(session_id=s, name=name, on=on)


ACTIONS: dict[str, Action] = {
    "lock": lambda s, *_: sessions.set_flags(session_id=s, locked=True),
    "unlock": lambda s, *_: sessions.set_flags(session_id=s, locked=False),
    "approval-on": lambda s, *_: sessions.set_flags(session_id=s, needs_approval=True),
    "approval-off": lambda s, *_: sessions.set_flags(session_id=s, needs_approval=False),
    "names-show": lambda s, *_: sessions.set_flags(session_id=s, names_hidden=False),
    "names-hide": lambda s, *_: sessions.set_flags(session_id=s, names_hidden=True),
    "form": lambda s, *_: forming.form_tables(session_id=s),
    "shuffle": lambda s, *_: forming.seat_anew(session_id=s),
    "start": lambda s, *_: steering.start(session_id=s),
    "seat": lambda s, *_: seating.seat_everybody(session_id=s),
    "add-table": lambda s, *_: seating.add_table(session_id=s),
    "pause": lambda s, *_: steering.pause_room(session_id=s, paused=True),
    "resume": lambda s, *_: steering.pause_room(session_id=s, paused=False),
    "hold": _switch("held", True),
    "release": _switch("held", False),
    "teams-on": _switch("teams", True),
    "teams-off": _switch("teams", False),
    "standings-show": _switch("standings_shown", True),
    "standings-hide": _switch("standings_shown", False),
    "throwing-on": _switch("throwing", True),
    "throwing-off": _switch("throwing", False),
    "reactions-on": _switch("reactions", True),
    "reactions-off": _switch("reactions", False),
    "next-round": lambda s, *_: steering.deal_next_round(session_id=s),
    "end-board": lambda s, *_: steering.end_board(session_id=s),
    "finish": lambda s, a, _: steering.finish_after_round(session_id=s, table_id=a or None),
    "next-game": lambda s, a, _: steering.next_game(
        session_id=s, reseat=_choice_or_404({"anew": True, "same": False}, a)
    ),
    "close": lambda s, *_: closing.close_session(session_id=s),
    "pause-table": lambda s, a, _: steering.pause_table(session_id=s, table_id=a, paused=True),
    "resume-table": lambda s, a, _: steering.pause_table(
        session_id=s, table_id=a, paused=False
    ),
    "play-out": lambda s, a, _: play_out(session_id=s, table_id=a),
    "close-table": lambda s, a, _: steering.close_table(session_id=s, table_id=a),
    "stand-in": lambda s, a, _: _stand_in(s, a, True),
    "hand-back": lambda s, a, _: _stand_in(s, a, False),
    "yes": lambda s, a, _: joining.answer(session_id=s, student_id=as_number(a), yes=True),
    "no": lambda s, a, _: joining.answer(session_id=s, student_id=as_number(a), yes=False),
    "return-yes": lambda s, a, _: joining.answer_request(
        session_id=s, request_id=as_number(a), granted=True
    ),
    "return-no": lambda s, a, _: joining.answer_request(
        session_id=s, request_id=as_number(a), granted=False
    ),
    "all-yes": lambda s, *_: joining.answer_all(session_id=s, yes=True),
    "all-no": lambda s, *_: joining.answer_all(session_id=s, yes=False),
    "return-none": lambda s, *_: joining.answer_no_request(session_id=s),
    "expect": lambda s, _, to: closing.expect(session_id=s, students=digits(to, 5) or 0),
    "let-in": lambda s, a, _: joining.let_in(session_id=s, student_id=as_number(a)),
    "send-out": lambda s, a, _: joining.send_out(session_id=s, student_id=as_number(a)),
    "bar": lambda s, a, _: joining.send_out(session_id=s, student_id=as_number(a), bar=True),
    "move": lambda s, a, to: seating.move_student(
        session_id=s, student_id=as_number(a), table_id=to
    ),
    "swap": lambda s, a, to: seating.swap(
        session_id=s, student_id=as_number(a), other_id=as_number(to)
    ),
    "time": lambda s, a, to: steering.set_time_factor(
        session_id=s, student_id=as_number(a), factor=_choice_or_404(TIMES, to)
    ),
}
"""What can be done, by the word before the colon of ``do``; called with the session, what
stands after the colon, and the form's ``to``."""

SAVING = {"expect", "time"}
"""The actions that change nothing one would see: of these it is said that they are done."""
MOVING = {"move", "swap"}
"""The actions that a panel tells of, with a way back: whom they are about has gone from it."""


def _choice_or_404(offered: Mapping[str, T], sent: str) -> T:
    """What a page offers by this word; NotFound for a word that none does. Mistakes of ours are
    told apart from it: they are errors, and logged."""
    if sent not in offered:
        raise NotFound
    return offered[sent]


def _stand_in(session_id: int, argument: str, on: bool) -> None:
    table_id, _dot, seat = argument.partition(".")
    steering.stand_in(session_id=session_id, table_id=table_id, seat=as_number(seat), on=on)


def _moved(before: SessionState, action: str, argument: str, to: str) -> Moved:
    """What to say of this move, which has been made since ``before``."""
    students = {student.pk: student for student in before.students}
    student = students[as_number(argument)]
    if action == "swap":
        other = students[as_number(to)].name
        return Moved(f"{student.name} ⇄ {other}", f"swap:{student.pk}", to)
    there, was = load_table(to), student.table
    may_return = was in load_session(before.id).tables and there.status not in RUNNING
    words = f"{student.name} → {_('Table %(n)s') % {'n': there.number}}"
    back = was if was and may_return and seating.takes_students(load_table(was)) else ""
    return Moved(words, f"move:{student.pk}", back)


@login_required
@require_POST
def do(request: HttpRequest, session_id: int) -> HttpResponse:
    """The answer to one action, carried out: asked by htmx nothing, as the socket shows what
    changed; a refusal, or "Saved.", is one line, for wherever the page keeps it."""
    session = session_or_404(request, session_id)
    action, _colon, argument = request.POST.get("do", "").partition(":")
    panel = request.POST.get("panel", "")
    tables = Table.objects.filter(class_session=session)
    if panel and panel not in tables.values_list("id", flat=True):
        raise Http404
    refusal = ""
    before = load_session(session.pk) if action in MOVING and request.htmx else None
    try:
        carry_out = _choice_or_404(ACTIONS, action)
        carry_out(session.pk, argument, request.POST.get("to", ""))
    except Refused as why:
        refusal = str(why)
    if request.htmx:
        if before and not refusal and panel in load_session(session.pk).tables:
            moved = _moved(before, action, argument, request.POST.get("to", ""))
            page = _table_page(request, session, panel, notice="", status=200, moved=moved)
            page["HX-Retarget"], page["HX-Reswap"] = "#panel-body", "innerHTML"
            return page
        line = refusal or (_("Saved.") if action in SAVING else "")
        if not line:
            return HttpResponse(status=204, headers={"HX-Trigger": "done"})
        return HttpResponse(
            line, content_type="text/plain", headers={"HX-Reswap": "textContent"}
        )
    if refusal and panel:
        return _table_page(request, session, panel, notice=refusal, status=409)
    if refusal:
        return _cockpit_page(request, session, notice=refusal, status=409)
    route, of = ("session_table", [session.pk, panel]) if panel else ("session", [session.pk])
    query = {"done": action} if action in SAVING else None
    return redirect(reverse(route, args=of, query=query))
