"""The school's own system as pages: a launch, the course that is a class here, registering."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode, urlsplit

from django.contrib.auth.decorators import login_required
from django.core import signing
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from games.pages.joining import device_lane
from lessons.lti import choosing, launches, members, registering
from lessons.lti.grades import columns_of, press
from lessons.lti.launches import Code, Launch, LaunchRefused
from lessons.lti.sealing import key_set
from lessons.models import Platform, PlatformInvitation
from lessons.pages.homework import at_home
from xactika_site.accounts.models import User
from xactika_site.accounts.views import absolute, link_is_over
from xactika_site.classrooms.forms import NameForm
from xactika_site.classrooms.selectors import as_number, classroom_for, classrooms_of
from xactika_site.classrooms.services import Refused, check_phrase, open_classroom
from xactika_site.http import HttpRequest, set_cookie
from xactika_site.logs import count_line
from xactika_site.rate_limit import MINUTE, address_hash, note_try, tries
from xactika_site.security import FRAMED, POLICY

log = logging.getLogger("xactika.lti")

MOST = 64 * 1024
"""Bytes that a login or a launch may send."""

REFUSED_A_MINUTE = 300
"""Launches of one address that may be refused, as of wrong codes."""

LINKED_WITHIN = 3600
"""Seconds that somebody has to sign in and link a course."""

STATE_COOKIE = "launch"
"""Begins the name of the cookie by which a launch opens where its login began."""

_HINTS = ("iss", "client_id", "login_hint", "lti_message_hint")
_View = Callable[..., HttpResponse]


def _told_if_refused(view: _View) -> _View:
    """The view, whose refusals are one page with a short code, and a line in the log."""

    @never_cache
    @wraps(view)
    def answered(request: HttpRequest, **named: str) -> HttpResponse:
        counted = f"lti.refused.{address_hash(request)}"
        if tries(counted) >= REFUSED_A_MINUTE:
            return _framed(render(request, "lessons/lti/refused.html", status=429))
        try:
            if int(request.META.get("CONTENT_LENGTH") or 0) > MOST or len(request.body) > MOST:
                raise LaunchRefused(Code.SIZE)
            return view(request, **named)
        except LaunchRefused as why:
            note_try(counted, seconds=MINUTE)
            host = urlsplit(why.platform.issuer).hostname or "" if why.platform else ""
            count_line(log, ("lti", why.code), f"launch refused: {why.code}", where=host)
            page = render(request, "lessons/lti/refused.html", {"code": why.code}, status=400)
            return _framed(page)

    return answered


def _framed(response: HttpResponse) -> HttpResponse:
    """The response, which may stand in another site's frame, and speak with who opened it."""
    response["Content-Security-Policy"] = FRAMED
    response["Cross-Origin-Opener-Policy"] = "unsafe-none"
    response.xframe_options_exempt = True
    return response


# A launch.


@csrf_exempt
@require_http_methods(["GET", "POST"])
@_told_if_refused
def login(request: HttpRequest) -> HttpResponse:
    """The redirect back to a platform, with a state and a nonce. In a frame, where we have no
    cookies, or may be in one: a button that does the same in a window of its own."""
    sent = request.POST if request.method == "POST" else request.GET
    if "window" not in sent and request.headers.get("Sec-Fetch-Dest") != "document":
        launches.platform_of(sent.get("iss", ""), sent.get("client_id", ""))
        hints = {name: sent[name] for name in _HINTS if name in sent}
        context = {"address": f"{request.path}?{urlencode(hints | {'window': 1})}"}
        return _framed(render(request, "lessons/lti/window.html", context))
    address, state = launches.begin(sent, absolute(request, reverse("lti_launch")))
    response = redirect(address)
    set_cookie(response, _cookie_of(state), state, max_age=launches.WITHIN, path="/lti/")
    return response


def _cookie_of(state: str) -> str:
    return f"{STATE_COOKIE}-{state[:8]}"


@csrf_exempt
@require_POST
@sensitive_post_parameters()
@_told_if_refused
def launch(request: HttpRequest) -> HttpResponse:
    """The redirect to ``opened``, with the platform's token kept: another site sends it here,
    and so no cookie of ours comes with it."""
    state = request.POST.get("state", "")
    launches.keep(launches.check(request.POST.get("id_token", ""), state), state)
    return redirect("lti_open", state)


@require_GET
@_told_if_refused
def opened(request: HttpRequest, state: str) -> HttpResponse:
    """The page or redirect that a launch opens, in the browser in which its login began."""
    launch = _launch_here(request, state)
    if launch.reply:
        launches.keep(launch, state, seconds=LINKED_WITHIN)
        response: HttpResponse = redirect("lti_choose", state)
    else:
        response = _opened_page(request, launch, state)
    if _cookie_of(state) not in response.cookies:
        response.delete_cookie(_cookie_of(state), path="/lti/")
    return response


def _launch_here(request: HttpRequest, state: str) -> Launch:
    """The launch of this state, if its login began in this browser; else LaunchRefused."""
    if not constant_time_compare(request.COOKIES.get(_cookie_of(state), ""), state):
        raise LaunchRefused(Code.STATE)
    return launches.take(state)


def _opened_page(request: HttpRequest, launch: Launch, state: str) -> HttpResponse:
    platform = launches.platform_of(launch.issuer, launch.client_id)
    course = members.course_of(platform, launch.deployment, launch.course)
    if course is not None:
        members.note_services(course=course, launch=launch)
    if launch.is_instructor:
        return _to_course(platform, launch)
    if course is None:
        return render(request, "lessons/lti/course.html")
    if not launch.user:
        return redirect(members.way_of(launch, None))
    if members.may_have_played(course, launch.user):
        return _ask_page(request, launch, state)
    try:
        student = members.student_of(course=course, user=launch.user)
    except Refused as why:
        return render(request, "lessons/lti/course.html", {"why": why}, status=422)
    way = redirect(members.way_of(launch, course.classroom))
    return at_home(request, way, student)


def _ask_page(request: HttpRequest, launch: Launch, state: str, why: str = "") -> HttpResponse:
    """The page that asks whether they have played with the class already."""
    launches.keep(launch, state, seconds=launches.WITHIN)
    context = {"state": state, "why": why, "phrase": request.POST.get("phrase", "")}
    page = render(request, "lessons/lti/first.html", context, status=422 if why else 200)
    set_cookie(page, _cookie_of(state), state, max_age=launches.WITHIN, path="/lti/")
    return page


@require_POST
@_told_if_refused
def first(request: HttpRequest, state: str) -> HttpResponse:
    """The page of who comes by a launch for the first time: they are who they have played as,
    by the three words, or somebody new."""
    launch = _launch_here(request, state)
    platform = launches.platform_of(launch.issuer, launch.client_id)
    if (course := members.course_of(platform, launch.deployment, launch.course)) is None:
        raise LaunchRefused(Code.STATE, platform)
    room, phrase = course.classroom, request.POST.get("phrase")
    try:
        lane = device_lane(request, room)
        played = phrase and check_phrase(classroom=room, phrase=phrase, lane=lane)
        student = members.student_of(course=course, user=launch.user, played=played or None)
    except Refused as why:
        return _ask_page(request, launch, state, str(why))
    response = at_home(request, redirect(members.way_of(launch, room)), student)
    response.delete_cookie(_cookie_of(state), path="/lti/")
    return response


# A course.


def _to_course(platform: Platform, launch: Launch) -> HttpResponse:
    named = [platform.pk, launch.deployment, launch.course]
    return redirect("lti_course", signing.dumps(named, salt="lti.course"))


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def course(request: HttpRequest, token: str) -> HttpResponse:
    """The class that a course is, for its teachers; before that, a teacher's classes to choose
    from. Whoever teaches the course there teaches no class here by that."""
    try:
        key, *named = signing.loads(token, salt="lti.course", max_age=LINKED_WITHIN)
    except signing.BadSignature:
        return link_is_over(request)
    platform = get_object_or_404(Platform, pk=key)
    assert isinstance(request.user, User)
    if linked := members.course_of(platform, *named):
        if linked.classroom.teachers.contains(request.user):
            return redirect("classroom", linked.classroom_id)
        return render(request, "lessons/lti/course.html", {"is_others": True})
    form = NameForm(request.POST if "name" in request.POST else None)
    if request.method == "POST" and (not form.is_bound or form.is_valid()):
        if form.is_bound:
            chosen = open_classroom(name=form.cleaned_data["name"], teacher=request.user)
        else:
            chosen = classroom_for(request.user, as_number(request.POST.get("class", "")))
        members.link(platform, *named, classroom=chosen)
        return redirect("lti_course", token)
    context = {"form": form, "classrooms": classrooms_of(request.user)}
    status = 422 if form.is_bound else 200
    return render(request, "lessons/lti/course.html", context, status=status)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
@_told_if_refused
def choose(request: HttpRequest, state: str) -> HttpResponse:
    """What a new link in the course opens, chosen by a teacher of its class; then a form with
    the answer, which goes to the platform by itself."""
    launch = launches.take(state)
    platform = launches.platform_of(launch.issuer, launch.client_id)
    linked = members.course_of(platform, launch.deployment, launch.course)
    if not launch.is_instructor:
        raise LaunchRefused(Code.MESSAGE, platform)
    assert isinstance(request.user, User)
    if linked is None or not linked.classroom.teachers.contains(request.user):
        return _to_course(platform, launch)
    members.note_services(course=linked, launch=launch)
    form = choosing.TargetForm(linked.classroom, request.POST or None)
    if form.is_valid():
        own = absolute(request, reverse("lti_launch"))
        answer = choosing.answer(launch, linked.classroom, form.cleaned_data["target"], own)
        page = render(
            request, "lessons/lti/chosen.html", {"to": launch.reply, "answer": answer}
        )
        # The browser asks before it sends a form.
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(launch.reply))
        page["Content-Security-Policy"] = POLICY.replace(
            "form-action 'self'", f"form-action {origin}"
        )
        return page
    launches.keep(launch, state, seconds=LINKED_WITHIN)
    status = 422 if form.is_bound else 200
    return render(request, "lessons/lti/choose.html", {"form": form}, status=status)


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def grades(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """A class's courses: how many are enrolled and how many came; their grades, to be sent."""
    classroom = classroom_for(request.user, classroom_id)
    courses = classroom.courses.select_related("platform").order_by("pk")
    if request.method == "POST":
        do = members.unlink if "unlink" in request.POST else press
        do(course=get_object_or_404(courses, pk=as_number(request.POST.get("course", ""))))
        return redirect("lti_grades", classroom.pk)
    told = [(each, members.enrolled_in(each), columns_of(each)) for each in courses]
    context = {"classroom": classroom, "courses": told}
    return render(request, "lessons/lti/grades.html", context)


# Registering.


@csrf_exempt  # in a platform's frame there is no cookie; the address itself is the secret
@never_cache
@require_http_methods(["GET", "POST"])
def register(request: HttpRequest, token: str) -> HttpResponse:
    """What to copy where; or, opened by a platform, the registration of both by themselves."""
    invitation = PlatformInvitation.by_token(token)
    if invitation is None:
        return _framed(link_is_over(request))
    base, why_not, form = absolute(request, ""), False, registering.PlatformForm()
    if "openid_configuration" in request.GET and request.method == "GET":
        try:
            return _registered_page(
                request,
                registering.register(
                    configuration=request.GET["openid_configuration"],
                    token=request.GET.get("registration_token", ""),
                    base=base,
                    invitation=invitation,
                ),
            )
        except registering.NotRegistered:
            why_not = True
    elif request.method == "POST":
        form = registering.PlatformForm(request.POST)
        if form.is_valid():
            done = registering.register_by_hand(form=form, invitation=invitation)
            return _registered_page(request, done)
    context = {
        "form": form,
        "why_not": why_not,
        "own": registering.own_addresses(base),
        "address": base + request.path,
    }
    status = 422 if why_not or form.is_bound else 200
    return _framed(render(request, "lessons/lti/register.html", context, status=status))


def _registered_page(request: HttpRequest, platform: Platform | None) -> HttpResponse:
    if platform is None:
        return _framed(link_is_over(request))
    context = {"platform": platform, "has_keys": registering.have_keys(platform)}
    return _framed(render(request, "lessons/lti/registered.html", context))


@require_GET
def keys(_request: HttpRequest) -> HttpResponse:
    """The public keys by which platforms know this server."""
    return JsonResponse({"keys": key_set()})
