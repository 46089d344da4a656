"""In which language a page is. Settled here, before its view begins, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from django.db.models import F, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers

from games.models import Table
from games.tables.viewers import STUDENT_COOKIE
from lessons.models import Homework
from lessons.results.news import shared_session
from xactika_site import languages
from xactika_site.classrooms.models import Attendance, ClassSession
from xactika_site.classrooms.selectors import NotFound, students_at
from xactika_site.http import digits

OF_WHAT: dict[str, Callable[[Any], QuerySet[Any]]] = {
    "session_id": lambda key: ClassSession.objects.filter(pk=key),
    "table_id": lambda key: Table.objects.filter(pk=key),
    "position_id": lambda key: Table.objects.filter(deals__positions=key),
    "homework_id": lambda key: Homework.objects.filter(pk=key).annotate(
        language=F("classroom__language")
    ),
}
"""What has a language of its own, by the name that its key has in addresses."""


class Speaking:
    """Middleware: what belongs to a class session, a table or homework is in its language; so
    is all else at the device of a student who is in an unclosed session; every other page is
    in the language of the device. Whoever may not see something is told so in the last."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The page, in the language that its view was called in."""
        accepted = request.headers.get("Accept-Language", "")
        device = languages.wished(request.COOKIES, accepted)
        request.device_language = device  # type: ignore[attr-defined]
        with translation.override(device):
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language())
        patch_vary_headers(response, ("Accept-Language",))
        return response

    def process_view(
        self,
        request: HttpRequest,
        _view: Callable[..., HttpResponse],
        _arguments: tuple[Any, ...],
        named: dict[str, Any],
    ) -> None:
        """Speak as what is asked for does."""
        if languages.are_several() and (language := _language_of(request, named)) is not None:
            request.has_language = True  # type: ignore[attr-defined]
            translation.activate(languages.known(language))

    def process_exception(self, request: HttpRequest, _error: Exception) -> None:
        """Speak as the device does: what there is not has no language."""
        request.has_language = False  # type: ignore[attr-defined]
        translation.activate(request.device_language)  # type: ignore[attr-defined]


def _language_of(request: HttpRequest, named: Mapping[str, Any]) -> str | None:
    """The language of what the address names, or of the class session that a student at this
    device is in; None where there is neither."""
    for name, rows in OF_WHAT.items():
        if name in named:
            return rows(named[name]).values_list("language", flat=True).first()
    match = request.resolver_match
    if match is not None and match.url_name == "shared_results":
        with suppress(NotFound):
            return shared_session(named["token"]).language
    if (asked := digits(request.GET.get("session", ""))) is not None:
        return OF_WHAT["session_id"](asked).values_list("language", flat=True).first()
    return _of_class(request)


def _of_class(request: HttpRequest) -> str | None:
    for at in students_at(request.COOKIES.get(STUDENT_COOKIE)):
        here = Attendance.objects.filter(
            class_session=at.session, student=at.student, state=Attendance.State.HERE
        ).exclude(class_session__state=ClassSession.State.CLOSED)
        found = here.values_list("class_session__language", flat=True).first()
        if found is not None:
            return found
    return None
