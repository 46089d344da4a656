"""In which language and by whose clock a page is. Settled here, before its view begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from typing import Any

from django.db import connection
from django.db.models import Case, F, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, Lower
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from games.models import Table
from games.tables.viewers import STUDENT_COOKIE
from lessons.models import Assessment, CoverSheet, Homework
from lessons.results.news import shared_session
from xactika_site import languages
from xactika_site.accounts.models import zone_named
from xactika_site.classrooms.models import Classroom, ClassSession
from xactika_site.classrooms.selectors import NotFound, here_in, students_at
from xactika_site.http import digits

COVER_COOKIE = "cover"
"""The key of the cover lesson that a browser is at just now."""


def _of_classroom(rows: QuerySet[Any]) -> QuerySet[Any]:
    """These with the language of their classroom; None for a demo's, which nobody chose."""
    chosen = Case(When(classroom__demo=False, then=F("classroom__language")))
    of_class: QuerySet[Any] = rows.annotate(language=chosen, of=F("classroom"))
    return of_class


ZONE = Subquery(
    Classroom.teachers.through.objects.filter(classroom=OuterRef("of"))
    .order_by("pk")
    .values("user__time_zone")[:1]
)
"""The time zone of a classroom: of the teacher whose class it is."""


KEY_BITS = 63
"""Databases have no greater numbers."""


def is_in_no_row(key: int | str) -> bool:
    """Whether a database refuses to look for this key."""
    return "\0" in key if isinstance(key, str) else key.bit_length() > KEY_BITS


@dataclass(frozen=True)
class _Place:
    """Where in a query a key comes."""

    number: int


class _Locale:
    """The language and the time zone of the first of some rows, found by their keys. The SQL is
    put together once: that takes many times as long as to ask, and every page does."""

    def __init__(self, rows: Callable[..., QuerySet[Any]]) -> None:
        self._rows = rows

    @cached_property
    def _query(self) -> tuple[str, Sequence[Any]]:
        keys = [
            Value(_Place(number)) for number in range(len(signature(self._rows).parameters))
        ]
        found = self._rows(*keys).annotate(zone=ZONE).order_by("pk")
        sql, given = found.values_list("language", "zone")[:1].query.sql_with_params()
        return sql, given

    def of(self, *keys: int | str) -> tuple[str | None, str | None] | None:
        """Of those with these keys, if there are any."""
        if any(map(is_in_no_row, keys)):
            return None
        sql, given = self._query
        with connection.cursor() as cursor:
            values = (keys[one.number] if isinstance(one, _Place) else one for one in given)
            cursor.execute(sql, [*values])
            row: tuple[str | None, str | None] | None = cursor.fetchone()
        return row


OF_TABLE = Coalesce("class_session__classroom", "classroom")
DEMO_PAST = ClassSession.objects.filter(classroom__demo=True, state=ClassSession.State.CLOSED)
"""What a demo was made with, and what was played in it since: nobody chose its language, and
nobody is there any more. It is told in the reader's."""
OF_WHAT = {
    "session_id": _Locale(
        lambda key: (
            ClassSession.objects.filter(pk=key)
            .exclude(pk__in=DEMO_PAST)
            .annotate(of=F("classroom"))
        )
    ),
    "table_id": _Locale(
        lambda key: (
            Table.objects.filter(pk=key)
            .exclude(class_session__in=DEMO_PAST)
            .annotate(of=OF_TABLE)
        )
    ),
    "position_id": _Locale(
        lambda key: (
            Table.objects.filter(deals__positions=key)
            .exclude(class_session__in=DEMO_PAST)
            .annotate(of=OF_TABLE)
        )
    ),
    "cover_key": _Locale(
        lambda key: CoverSheet.objects.filter(key=Lower(key)).annotate(of=F("classroom"))
    ),
    "homework_id": _Locale(lambda key: _of_classroom(Homework.objects.filter(pk=key))),
    "assessment_id": _Locale(lambda key: _of_classroom(Assessment.objects.filter(pk=key))),
}
"""What has a language of its own, by the name that its key has in addresses; ``of`` which
classroom it is."""
OF_CLASSROOM = _Locale(lambda key: Classroom.objects.filter(pk=key).annotate(of=F("pk")))
HERE = _Locale(
    lambda session, student: (
        here_in(session)
        .filter(student=student)
        .exclude(class_session__state=ClassSession.State.CLOSED)
        .annotate(language=F("class_session__language"), of=F("class_session__classroom"))
    )
)
"""Of the unclosed session in which a student is."""


class Speaking:
    """Middleware: what belongs to a class session, a table or homework is in its language; so
    is all else at the device of a student who is in an unclosed session, or else of a guest at
    a cover lesson; every other page is in the language of the device. Whoever may not see
    something is told so in the last. A class's students are told the time by its teacher's
    clock, wherever they are."""

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
        """Speak as what is asked for does, by its clock."""
        language, zone = _locale_of(request, named)
        if language is not None:
            speak(request, language)
        if not request.user.is_authenticated and (here := zone_named(zone or "")) is not None:
            timezone.activate(here)  # until own_time_zone ends

    def process_exception(self, request: HttpRequest, _error: Exception) -> None:
        """Speak as the device does: what there is not has no language."""
        request.has_language = False  # type: ignore[attr-defined]
        translation.activate(request.device_language)  # type: ignore[attr-defined]


def speak(request: HttpRequest, language: str) -> None:
    """Have the rest of the request in this language, empty for the server's."""
    if languages.are_several():
        request.has_language = True  # type: ignore[attr-defined]
        translation.activate(languages.supported(language))


def _locale_of(request: HttpRequest, named: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """The language and the time zone of what the address names, or of the class of a student at
    this device: a language in an unclosed session only, else of a guest's cover lesson. None
    for what has none, and for what a teacher alone sees of homework."""
    if "homework_id" in named and request.path.startswith("/teach/"):
        return None, None
    for name, locale in OF_WHAT.items():
        if name in named:
            if (found := locale.of(named[name])) is None:
                return None, None
            language, zone = found
            return (_class_locale(request)[0] if language is None else language), zone
    match = request.resolver_match
    if match is not None and match.url_name == "shared_results":
        with suppress(NotFound):
            return shared_session(named["token"]).language, None
    if (session := digits(request.GET.get("session", ""))) is not None:
        return OF_WHAT["session_id"].of(session) or (None, None)
    language, zone = _class_locale(request)
    key = request.COOKIES.get(COVER_COOKIE)
    if language is None and key and not request.user.is_authenticated:
        return OF_WHAT["cover_key"].of(key) or (None, zone)
    return language, zone


def _class_locale(request: HttpRequest) -> tuple[str | None, str | None]:
    students = students_at(request.COOKIES.get(STUDENT_COOKIE))
    for at in students:
        if (row := HERE.of(at.session, at.student.pk)) is not None:
            return row
    if not students:
        return None, None
    return None, (OF_CLASSROOM.of(students[0].student.classroom_id) or (None, None))[1]
