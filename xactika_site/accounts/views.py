"""Becoming a teacher, signing in, and the teacher's own account."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from xactika_site import database
from xactika_site.accounts import services, sign_in_queue
from xactika_site.accounts.forms import ProfileForm, SignUpForm
from xactika_site.accounts.models import Invitation, User
from xactika_site.backup import BackupError, delete_older, write_backup
from xactika_site.http import digits
from xactika_site.lan import address_for_others, is_own_machine, qr_svg
from xactika_site.views import form_view, teachers_form

BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignInPage(auth.LoginView):
    """Django's, and this browser is known from then on. Asks to wait where too many try."""

    def post(self, request: HttpRequest, *arguments: Any, **options: Any) -> HttpResponse:
        """Django's answer to name and password; where the queue of those who sign in is full, a
        page that says wait (503)."""
        try:
            return super().post(request, *arguments, **options)
        except sign_in_queue.QueueFull:
            page = render(request, "accounts/busy.html", status=503)
            page["Retry-After"] = "5"
            return page

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Django's answer when both are right; the browser is known from now on."""
        response = super().form_valid(form)
        sign_in_queue.remember(response, form.get_user())
        return response


class NewPassword(auth.PasswordResetConfirmView):
    """Django's, for the link by ``manage.py reset_password``, which signs in, too."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Django's answer once the new password is set; the browser is known from now on."""
        response = super().form_valid(form)
        sign_in_queue.remember(response, form.user)
        return response


def absolute(request: HttpRequest, path: str) -> str:
    """The whole address, for a link that is passed on."""
    return address_for_others(f"{request.scheme}://{request.get_host()}") + path


def printed_link(request: HttpRequest, path: str, query: str = "") -> dict[str, Any]:
    """A link on paper: the address to type, the QR code (with its ``query``), and whether only
    this computer can open it."""
    address = absolute(request, path)
    return {
        "address": address.partition("//")[2],
        "qr": qr_svg(address + query),
        "is_alone": is_own_machine(address),
    }


def link_is_over(request: HttpRequest) -> HttpResponse:
    """The page for a link that is used, withdrawn, out of time or was never given: the four are
    told apart to nobody."""
    return render(request, "accounts/link_over.html", status=404)


@sensitive_post_parameters()
@form_view
def first(request: HttpRequest, token: str) -> HttpResponse:
    """The first teacher signs up, by the link that the server printed at its start."""
    if not services.is_first(token):
        return link_is_over(request)
    why = _("You’re the first teacher here.")
    return _sign_up_response(request, why, lambda form: services.sign_up_first(form=form))


@sensitive_post_parameters()
@form_view
def invited(request: HttpRequest, token: str) -> HttpResponse:
    """Somebody signs up by a colleague's invitation."""
    if request.user.is_authenticated:
        return redirect("teach")
    invitation = Invitation.by_token(token)
    if invitation is None:
        return link_is_over(request)
    inviter = invitation.by
    return _sign_up_response(
        request,
        _("%(name)s has invited you.") % {"name": inviter} if inviter else "",
        lambda form: services.sign_up(form=form, invitation=invitation),
    )


def _sign_up_response(
    request: HttpRequest, why: str, sign_up: Callable[[SignUpForm], User]
) -> HttpResponse:
    """The form; once it is sent the new teacher is signed in, and the browser known."""
    form = SignUpForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return sign_up_page(request, form, why)
    try:
        user = sign_up(form)
    except services.Refused:
        return link_is_over(request)
    login(request, user, backend=BACKEND)
    response = redirect("teach")
    sign_in_queue.remember(response, user)
    return response


def sign_up_page(request: HttpRequest, form: SignUpForm, why: str) -> HttpResponse:
    """The form for a new account, with a line on why it is offered."""
    status = 422 if form.is_bound else 200
    return render(request, "accounts/sign_up.html", {"form": form, "why": why}, status=status)


@teachers_form
def account(request: HttpRequest) -> HttpResponse:
    """The teacher's name and time zone; the ways to the rest."""
    user = request.user
    assert isinstance(user, User)
    form = ProfileForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        form.save()
        return redirect(f"{reverse('account')}?done=account")
    if form.is_bound:
        user.refresh_from_db()  # the header names the teacher as stored
    return _account_page(request, form, status=422 if form.is_bound else 200)


def _account_page(
    request: HttpRequest, form: ProfileForm | None = None, *, status: int = 200, **more: object
) -> HttpResponse:
    user = request.user
    assert isinstance(user, User)
    invitations = [
        (invitation, absolute(request, reverse("invited", args=[invitation.token])))
        for invitation in Invitation.unused().filter(by=user).order_by("created")
    ]
    context = {
        "form": form or ProfileForm(instance=user),
        "invitations": invitations,
        "done": request.GET.get("done"),
        "may_keep_a_copy": may_keep_a_copy(request),
        **more,
    }
    return render(request, "accounts/account.html", context, status=status)


KEPT = 7
"""Copies of one's own that are kept beside the database."""


def may_keep_a_copy(request: HttpRequest) -> bool:
    """Whether all that is stored is this teacher's, who sits at this computer: no proxy passes
    the request on."""
    is_here = is_own_machine(f"//{request.get_host()}")
    is_here = is_here and request.META.get("REMOTE_ADDR") in {"127.0.0.1", "::1"}
    return is_here and "X-Forwarded-For" not in request.headers and User.objects.count() == 1


@login_required
@require_POST
def keep_a_copy(request: HttpRequest) -> HttpResponse:
    """Write a backup beside the database, on this very computer; it is never sent anywhere."""
    if not may_keep_a_copy(request):
        raise Http404
    folder = (database.file() or settings.DATA_DIR / "-").parent
    try:
        written = write_backup(folder)
    except BackupError as why:
        return _account_page(request, copy_refused=str(why), status=507)
    delete_older(folder, KEPT)
    return _account_page(request, copy=written)


@login_required
@require_POST
def invitations(request: HttpRequest) -> HttpResponse:
    """Invite a colleague, or (``withdraw``) take an invitation back."""
    assert isinstance(request.user, User)
    if "withdraw" not in request.POST:
        services.invite(by=request.user)
        return redirect(f"{reverse('account')}#colleagues")
    if (invitation := digits(request.POST["withdraw"])) is None:
        raise Http404
    services.withdraw(by=request.user, invitation_id=invitation)
    return redirect(f"{reverse('account')}#colleagues")
