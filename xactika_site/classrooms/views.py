"""A teacher's classrooms: the list, one classroom, its sheet of phrases, its teachers.

Sessions, and whatever must ring a bell at a table, are pages of ``games``, linked by name.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import login, logout
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters

from xactika_site.accounts.forms import GoodbyeForm, SignUpForm
from xactika_site.accounts.models import User
from xactika_site.accounts.views import BACKEND, absolute, link_is_over, sign_up_page
from xactika_site.classrooms import selectors, services
from xactika_site.classrooms.forms import NameForm
from xactika_site.classrooms.models import Classroom, ClassroomInvitation, ClassSession, Student
from xactika_site.http import digits
from xactika_site.lan import is_own_machine, qr_svg, shown_address
from xactika_site.views import (
    form_view,
    page_view,
    teachers_action,
    teachers_form,
    teachers_page,
)

State = ClassSession.State

TIMES = [(1.0, "1"), (1.5, "1.5"), (2.0, "2"), (0.0, "0")]
"""How a student's time for the turn clock is stored and sent; 0 is no clock."""

DONE = {
    "rename": gettext_lazy("Saved."),
    "time": gettext_lazy("Saved."),
    "copy": gettext_lazy("The copy. Its students have three new words each: hand them out."),
    "renew": gettext_lazy("Saved."),
    "remove": gettext_lazy("Saved."),
    "phrase": gettext_lazy("Three new words. The old ones are over."),
    "delete": gettext_lazy("Deleted."),
    "sign-out": gettext_lazy("Signed out everywhere. They need their three words again."),
}
"""What the page says of what has just been done."""


def session_or_404(request: HttpRequest, session_id: int) -> ClassSession:
    """A class session of the signed-in teacher's; nobody else learns that there is one."""
    return selectors.session_for(request.user, session_id)


def way_in(request: HttpRequest, session: ClassSession) -> dict[str, Any]:
    """The address and the code by which somebody comes in to the class; the code is empty while
    nobody may, ``is_alone`` says that only this machine finds the address."""
    code, base = session.open_code, absolute(request, "")
    return {
        "address": shown_address(base),
        "code": f"{code[:3]} {code[3:]}".strip(),
        "is_alone": is_own_machine(base),
    }


@teachers_form
def teach(request: HttpRequest) -> HttpResponse:
    """The teacher's classrooms; a POST makes a new one."""
    assert isinstance(request.user, User)
    form = NameForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        new = services.open_classroom(name=form.cleaned_data["name"], teacher=request.user)
        return redirect("classroom", new.pk)
    classrooms = [
        {
            "classroom": classroom,
            "present": next((s for s in sessions if s.state != State.CLOSED), None),
            "recent": sessions[: selectors.RECENT_SESSIONS],
        }
        for classroom in selectors.classrooms_of(request.user)
        for sessions in [list(classroom.sessions.all())]
    ]
    if not classrooms:
        form.fields["name"].widget.attrs["autofocus"] = True
    context = {
        "classrooms": classrooms,
        "form": form,
        "unused": selectors.unused(selectors.owned_by(request.user)),
        "done": DONE.get(request.GET.get("done", ""), ""),
    }
    return render(
        request, "classrooms/teach.html", context, status=422 if form.is_bound else 200
    )


@page_view
def guide(request: HttpRequest) -> HttpResponse:
    """The teacher's guide, for anybody: the first session, and what to do when."""
    context = {"is_alone": is_own_machine(absolute(request, "")), "user": request.user}
    return render(request, "classrooms/guide.html", context)


@teachers_page
def classroom(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """One classroom: its session, students, teachers and settings."""
    return _classroom_page(request, selectors.classroom_for(request.user, classroom_id))


def _classroom_page(
    request: HttpRequest,
    classroom: Classroom,
    *,
    form: NameForm | None = None,
    refused: str = "",
) -> HttpResponse:
    links = [
        (invitation, absolute(request, reverse("shared", args=[invitation.token])))
        for invitation in ClassroomInvitation.unused().filter(classroom=classroom)
    ]
    sessions = classroom.sessions.order_by("-created")
    context = {
        "classroom": Classroom.objects.get(pk=classroom.pk),
        "present": selectors.unclosed_session(classroom),
        "sessions": sessions,
        "played": selectors.played_sessions(classroom).first(),
        "taught": selectors.taught_sessions(classroom).first(),
        "students": _students_and_phrases(classroom),
        "shown": request.GET.get("student"),
        "done": DONE.get(request.GET.get("done", ""), ""),
        "times": TIMES,
        "teachers": selectors.teachers_of(classroom),
        "links": links,
        "form": form or NameForm(instance=classroom),
        "refused": refused,
        "may_delete": selectors.owned_by(request.user).contains(classroom),
        "join": absolute(request, reverse("join")).partition("//")[2],
        "is_alone": is_own_machine(absolute(request, "")),
    }
    status = 422 if form or refused else 200
    return render(request, "classrooms/classroom.html", context, status=status)


@teachers_action
def change(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """Rename the classroom, renew its code, invite a teacher or withdraw that, leave, or (who
    may delete the class) remove another teacher."""
    assert isinstance(request.user, User)
    classroom = selectors.classroom_for(request.user, classroom_id)
    action, _colon, argument = request.POST.get("do", "").partition(":")
    place = f"?done={action}"
    match action:
        case "rename":
            form = NameForm(request.POST, instance=classroom)
            if not form.is_valid():
                return _classroom_page(request, classroom, form=form)
            services.rename(classroom=classroom, name=form.cleaned_data["name"])
        case "call" if (pk := digits(argument)) is not None:
            services.call_session(
                classroom=classroom, session_id=pk, name=request.POST.get("title", "")
            )
            place = "?done=rename#sessions-title"
        case "renew":
            services.renew_code(classroom=classroom)
        case "invite":
            services.invite(classroom=classroom)
            place = "#teachers"
        case "withdraw" if (invitation := digits(argument)) is not None:
            services.withdraw(classroom=classroom, invitation_id=invitation)
            place = "?done=remove#teachers"
        case "remove" if selectors.owned_by(request.user).contains(classroom):
            other = classroom.teachers.filter(pk=digits(argument)).exclude(pk=request.user.pk)
            services.leave(classroom=classroom, teacher=get_object_or_404(other))
            for each in classroom.invitations.all():  # they may know its link
                services.withdraw(classroom=classroom, invitation_id=each.pk)
            place = "?done=remove#teachers"
        case "leave":
            try:
                services.leave(classroom=classroom, teacher=request.user)
            except services.Refused as why:
                return _classroom_page(request, classroom, refused=str(why))
            return redirect("teach")
        case _:
            raise Http404
    return redirect(reverse("classroom", args=[classroom.pk]) + place)


@teachers_action
def change_student(request: HttpRequest, student_id: int) -> HttpResponse:
    """A new phrase for a student, other time for the turn clock, or signed out everywhere."""
    student = selectors.student_for(request.user, student_id)
    action, _colon, argument = request.POST.get("do", "").partition(":")
    match action:
        case "phrase":
            services.renew_phrase(student=student)
        case "sign-out":
            services.sign_out(student=student)
        case "time":
            try:
                factor = float(argument)
            except ValueError:
                raise Http404 from None
            try:
                services.set_time_factor(student=student, factor=factor)
            except services.Refused:
                raise Http404 from None
        case _:
            raise Http404
    query = {"student": student.pk, "done": action}
    page = reverse("classroom", args=[student.classroom_id], query=query)
    return redirect(f"{page}#student-{student.pk}")


@teachers_page
def sheet(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """To print: every student's phrase, and room to write by hand who it is; with ``slips``
    one for each to cut off, with a QR code that types the phrase."""
    classroom = selectors.classroom_for(request.user, classroom_id)
    students = _students_and_phrases(classroom)
    context = {
        "classroom": classroom,
        "students": students,
        "today": timezone.localdate(),
        "is_alone": is_own_machine(absolute(request, "")),
    }
    if "slips" not in request.GET:
        return render(request, "classrooms/sheet.html", context)
    base = absolute(request, reverse("join_code", args=[classroom.code]))
    context |= {
        "slips": [
            # What stands behind the # is sent to nobody: no log and no server sees it.
            (student, phrase, qr_svg(f"{base}?step=before#{phrase.replace(' ', '-')}"))
            for student, phrase in students
        ],
        "address": shown_address(absolute(request, "")),
    }
    return render(request, "classrooms/slips.html", context)


@teachers_page
def roster(request: HttpRequest, classroom_id: int) -> HttpResponse:
    """Who is who, in the page's memory alone: what a teacher types there is sent nowhere and
    kept nowhere (roster.js)."""
    classroom = selectors.classroom_for(request.user, classroom_id)
    context = {"classroom": classroom, "students": selectors.students_of(classroom)}
    return render(request, "classrooms/roster.html", context)


@sensitive_post_parameters()
@form_view
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """A link to teach somebody's classroom, too: join it, or sign up first."""
    invitation = ClassroomInvitation.by_token(token)
    if invitation is None:
        return link_is_over(request)
    classroom, teacher = invitation.classroom, request.user
    if isinstance(teacher, User):
        if classroom.teachers.contains(teacher):
            return redirect("classroom", classroom.pk)
        if request.method != "POST":
            return render(request, "classrooms/shared.html", {"classroom": classroom})
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and (isinstance(teacher, User) or form.is_valid()):
        try:
            if isinstance(teacher, User):
                services.join(invitation=invitation, teacher=teacher)
            else:
                new = services.sign_up_and_join(form=form, invitation=invitation)
                login(request, new, backend=BACKEND)
        except services.Refused:
            return link_is_over(request)
        return redirect("classroom", classroom.pk)
    why = _("You’re invited to teach the class “%(name)s”.") % {"name": classroom.name}
    return sign_up_page(request, form, why)


@sensitive_post_parameters()
@teachers_form
def goodbye(request: HttpRequest) -> HttpResponse:
    """Delete one's own account, and what nobody else teaches."""
    user = request.user
    assert isinstance(user, User)
    form = GoodbyeForm(user, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.delete_teacher(teacher=user)
        except services.Refused as why:
            form.add_error(None, str(why))
        else:
            logout(request)
            return redirect("home")
    context = {"form": form, "going": selectors.alone_with(user)}
    return render(
        request, "classrooms/goodbye.html", context, status=422 if form.is_bound else 200
    )


def _students_and_phrases(classroom: Classroom) -> list[tuple[Student, str]]:
    students = selectors.students_of(classroom)
    return [(student, selectors.phrase_of(student)) for student in students]
