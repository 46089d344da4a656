"""How a student comes in, by the class's code, and the lobby where they wait.

A device is never taken for somebody silently: who sits there is asked, and a cookie counts
only for the class session for which it was answered.
"""

from __future__ import annotations

import secrets
from enum import StrEnum

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.core.signing import BadSignature, Signer, TimestampSigner
from django.db import IntegrityError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import activate
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRefresh

from games.art import figurine_of
from games.classes import joining
from games.classes.state import table_in_play
from games.tables.notify import session_changed
from games.tables.viewers import STUDENT_COOKIE
from xactika_site import languages
from xactika_site.classrooms import selectors
from xactika_site.classrooms import services as classrooms
from xactika_site.classrooms.models import Classroom, ClassSession, Student
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import NAME_SPINS, Refused
from xactika_site.http import HttpRequest, page_redirect, set_cookie
from xactika_site.rate_limit import MINUTE, address_hash, note_try, tries
from xactika_site.views import form_view, page_view

OFFER_COOKIE = "offer"
"""A random nonce of this device, signed: the same device is offered the same names, and nobody
plays two hands of one deal at it. It outlives "I’m done" for that."""

NONCE_KEPT = 86400

REQUEST_COOKIE = "asked"
"""The key of a request to come back without the phrase."""

PHRASE_COOKIE = "phrase"
"""For two hours after coming in new, or by a teacher's yes: whose rejoin phrase the lobby shows
on this device, until they say that they noted it."""

LANE_COOKIE = "class"
"""Begins the name of the cookie by which a class knows a device, once for each class."""

WRONG_CODES_A_MINUTE = 300
"""Of one address, which a whole school may share: far above its typing errors."""

PHRASE_SHOWN = 7200
"""Seconds after which a phrase that nobody said was noted is shown no longer: who went to a
table in the middle of it finds it again after the game."""

_nonce = Signer(salt="games.device", sep=".")
phrase_signer = TimestampSigner(salt="games.phrase")


# The code.


@page_view
def join(request: HttpRequest) -> HttpResponse:
    """The page with the field for the code; with ``?code=…`` the redirect to that class's page,
    or that there is none."""
    typed = request.GET.get("code", "").strip()[:40]
    if not typed:
        return render(request, "games/classes/code.html", {"is_done": "done" in request.GET})
    classroom = selectors.classroom_by_code(typed)
    if classroom is None or has_to_wait(request, classroom):
        return _no_class_page(request, typed)
    return redirect("join_code", classroom.code)


def has_to_wait(request: HttpRequest, classroom: Classroom | None) -> bool:
    """Whether so many wrong codes came from this address that the next one is answered later,
    right or wrong; never of a device that the class knows."""
    if tries(f"wrong-codes.{address_hash(request)}") < WRONG_CODES_A_MINUTE:
        return False
    return classroom is None or not device_lane(request, classroom)


def _no_class_page(request: HttpRequest, typed: str) -> HttpResponse:
    """The page that says that no class has this code; the field keeps what was typed."""
    message, status = no_class_message(request, typed)
    context = {"typed": typed[:40], "message": message}
    return render(request, "games/classes/code.html", context, status=status)


def no_class_message(request: HttpRequest, typed: str) -> tuple[str, int]:
    """The message to who typed this code, and the HTTP status; the try is counted."""
    if not selectors.as_code(typed):
        return _("A code has 6 letters, no vowels and no Y. Look again."), 404
    if has_to_wait(request, None):
        return _("Too many tries from your network. Try again in a minute."), 429
    note_try(f"wrong-codes.{address_hash(request)}", seconds=MINUTE)
    return _("No class has this code. Check it on the big screen."), 404


# The class by its code.


class JoinStep(StrEnum):
    """What the page to come in by shows, and what a form of it asks for: its ``do``."""

    KNOWN = "known"
    NEW = "new"
    BEFORE = "before"
    LOST = "lost"
    ASKED = "asked"
    LOCKED = "locked"
    NONE = "none"


@form_view
def join_code(request: HttpRequest, code: str) -> HttpResponse:
    """The page to come in by: as who this device knows, as somebody new, or come back."""
    classroom = selectors.classroom_by_code(code)
    if classroom is None or has_to_wait(request, classroom):
        return _no_class_page(request, code)
    if code != classroom.code:
        return redirect("join_code", classroom.code)
    session = selectors.unclosed_session(classroom)
    # Not before this code may be answered: a language tells that there is a class.
    request.has_language = True  # type: ignore[attr-defined]
    activate(languages.supported(session.language if session else classroom.language))
    if session is None:
        return _step_page(request, classroom, JoinStep.NONE)
    if request.method == "POST":
        try:
            return _form_response(request, session)
        except (NotFound, ObjectDoesNotExist, IntegrityError):
            # Session or student were deleted meanwhile: the page tells what there is now.
            return redirect("join_code", code)
    step = request.GET.get("step", "")
    if _requested_name(request, session) or step == JoinStep.ASKED:
        return _step_page(request, classroom, JoinStep.ASKED, session)
    if step in {JoinStep.BEFORE, JoinStep.LOST}:
        return _step_page(request, classroom, step, session)
    if step != JoinStep.NEW and known_student(request, classroom):
        return _step_page(request, classroom, JoinStep.KNOWN, session)
    new = JoinStep.LOCKED if session.locked else JoinStep.NEW
    return _step_page(request, classroom, new, session)


def _form_response(request: HttpRequest, session: ClassSession) -> HttpResponse:
    """Where a form of this page leads; a refusal is said where it was asked."""
    do = request.POST.get("do", "")
    key = request.COOKIES.get(REQUEST_COOKIE, "")
    nonce = _device_nonce(request) or secrets.token_urlsafe(12)
    # A browser keeps the mark that it has here, also when its nonce has expired.
    browser = selectors.browser_mark_at(request.COOKIES.get(STUDENT_COOKIE), session.pk)
    browser = browser or selectors.browser_mark(session, nonce)
    try:
        match do:
            case JoinStep.KNOWN:
                student = known_student(request, session.classroom)
                if student is None:
                    return redirect("join_code", session.classroom.code)
                joining.come_in(session=session, student=student, browser=browser)
            case JoinStep.NEW:
                device = _device_nonce(request)
                name = _offered_name(device, request.POST.get("offer", ""))
                student = joining.join(
                    session=session, name=name, device=device, browser=browser
                )
            case JoinStep.BEFORE:
                student = classrooms.check_phrase(
                    classroom=session.classroom,
                    phrase=request.POST.get("phrase", ""),
                    lane=device_lane(request, session.classroom),
                )
                joining.come_in(session=session, student=student, browser=browser)
            case JoinStep.LOST:
                return _ask_teacher(request, session)
            case JoinStep.ASKED:
                return_asked = selectors.return_request(session, key)
                if return_asked is None or not return_asked.granted:
                    step = JoinStep.ASKED if return_asked else "refused"
                    return _refresh_response(request, step)
                student = joining.come_in_by_request(session=session, key=key, browser=browser)
            case "take_back":
                classrooms.take_back_request(session=session, key=key)
                session_changed(session.pk)
                response: HttpResponse = redirect("join_code", session.classroom.code)
                response.delete_cookie(REQUEST_COOKIE)
                return response
            case _:
                raise Http404
    except Refused as why:
        session.refresh_from_db()
        return _step_page(request, session.classroom, do, session, message=str(why))
    if do != JoinStep.NEW:
        student.refresh_from_db()
    # Who had lost the phrase has none either.
    has_none = do in {JoinStep.NEW, JoinStep.ASKED}
    return _lobby_response(request, session, student, browser, nonce, has_none=has_none)


def _device_nonce(request: HttpRequest) -> str:
    """The nonce that we gave this device; empty if its cookie is none of ours."""
    try:
        return _nonce.unsign(request.COOKIES.get(OFFER_COOKIE, "")[:200])
    except BadSignature:
        return ""


def _offer_signer(device: str) -> Signer:
    """What signs the names offered to one device. A name is all that is signed, and no name is
    signed but of our own making: nothing that a device sends is ever part of one."""
    return Signer(salt=f"games.offer.{device}", sep="|")


def _offered_name(device: str, offer: str) -> str:
    """The name of an offer that was made to this device; Refused if it was not."""
    try:
        if device:
            return _offer_signer(device).unsign(offer[:200])
    except BadSignature:
        pass
    raise Refused(_("That name is gone. Here’s another one."))


def _ask_teacher(request: HttpRequest, session: ClassSession) -> HttpResponse:
    """The redirect of who, without a phrase, waits for the teacher; the key stays here."""
    old = request.COOKIES.get(REQUEST_COOKIE, "")
    classrooms.take_back_request(session=session, key=old)
    name, lane = request.POST.get("name", ""), device_lane(request, session.classroom)
    key = classrooms.ask_to_return(session=session, name=name, lane=lane)
    session_changed(session.pk)
    response = redirect(f"{reverse('join_code', args=[session.classroom.code])}?step=asked")
    set_cookie(response, REQUEST_COOKIE, key, max_age=86400)
    return response


def _lobby_response(
    request: HttpRequest,
    session: ClassSession,
    student: Student,
    browser: str,
    nonce: str,
    *,
    has_none: bool,
) -> HttpResponse:
    """The redirect to the lobby, or to the table that waits; this device is the student's now,
    known by its nonce. Who ``has_none`` of their phrase is shown it in the lobby."""
    table = "" if has_none else table_in_play(session, student)
    way = ("table", table) if table else ("lobby", session.pk)
    response = page_redirect(request, *way)
    remember_student(
        request, response, selectors.device_key(student, session, browser), student
    )
    set_cookie(response, OFFER_COOKIE, _nonce.sign(nonce), max_age=NONCE_KEPT)
    remember_lane(response, student)
    response.delete_cookie(REQUEST_COOKIE)
    response.delete_cookie(PHRASE_COOKIE)
    if has_none:
        shown_to = phrase_signer.sign(str(student.pk))
        set_cookie(response, PHRASE_COOKIE, shown_to, max_age=PHRASE_SHOWN)
    return response


def remember_student(
    request: HttpRequest, response: HttpResponse, key: str, student: Student
) -> None:
    """Let this student be the first of those whom the device knows."""
    others = selectors.students_at(request.COOKIES.get(STUDENT_COOKIE))
    cookie = selectors.device_cookie(key, others, student.classroom_id)
    set_cookie(response, STUDENT_COOKIE, cookie, max_age=settings.RETENTION_DAYS * 86400)


def remember_lane(response: HttpResponse, student: Student) -> None:
    """Let the class know this device, also when it has forgotten whose it was."""
    if selectors.is_known(student):
        name = f"{LANE_COOKIE}-{student.classroom_id}"
        age = settings.RETENTION_DAYS * 86400
        set_cookie(response, name, selectors.lane_key(student), max_age=age)


def device_lane(request: HttpRequest, classroom: Classroom) -> str:
    """The lane by which the class knows this device; empty if it does not."""
    student = known_student(request, classroom)
    if student is not None and selectors.is_known(student):
        return selectors.lane_of(student)
    return selectors.lane_at(request.COOKIES.get(f"{LANE_COOKIE}-{classroom.pk}"), classroom)


def known_student(request: HttpRequest, classroom: Classroom) -> Student | None:
    """The student of this classroom whom the device's cookie names."""
    here = selectors.students_at(request.COOKIES.get(STUDENT_COOKIE))
    return next((s.student for s in here if s.student.classroom_id == classroom.pk), None)


def _requested_name(request: HttpRequest, session: ClassSession) -> str:
    """The name that this device has asked the teacher to come back as."""
    return_asked = selectors.return_request(session, request.COOKIES.get(REQUEST_COOKIE, ""))
    return return_asked.student.name if return_asked else ""


def _refresh_response(request: HttpRequest, step: str) -> HttpResponse:
    """For a page that asks by itself: nothing new (204), or another step, to be loaded."""
    if not request.htmx:
        return redirect(request.get_full_path())
    is_shown = request.GET.get("shown") == step
    return HttpResponse(status=204) if is_shown else HttpResponseClientRefresh()


def _step_page(
    request: HttpRequest,
    classroom: Classroom,
    step: str,
    session: ClassSession | None = None,
    message: str = "",
) -> HttpResponse:
    if request.htmx:
        return _refresh_response(request, step)
    context: dict[str, object] = {"classroom": classroom, "step": step, "message": message}
    device_before = _device_nonce(request)
    device = device_before or secrets.token_urlsafe(12)
    match step:
        case JoinStep.NEW:
            spin = request.GET.get("spin", "")
            number = int(spin) if spin in {str(n) for n in range(NAME_SPINS)} else 0
            name = classrooms.name_offered(
                classroom=classroom, device=device, spin=number, look=figurine_of
            )
            context |= {
                "name": name,
                "offer": _offer_signer(device).sign(name),
                "next": (number + 1) % NAME_SPINS,
            }
        case JoinStep.KNOWN:
            context["student"] = known_student(request, classroom)
        case JoinStep.BEFORE | JoinStep.LOST:
            typed = "phrase" if step == JoinStep.BEFORE else "name"
            context["typed"] = request.POST.get(typed, "")
        case JoinStep.ASKED:
            context["name"] = _requested_name(request, session) if session else ""
    status = 422 if message else 200
    response = render(request, "games/classes/come_in.html", context, status=status)
    if step == JoinStep.NEW and not device_before:
        set_cookie(response, OFFER_COOKIE, _nonce.sign(device), max_age=NONCE_KEPT)
    return response
