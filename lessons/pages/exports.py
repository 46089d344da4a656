"""What a student answered and forecast, taken out as JSON lines (docs/export.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Exists, Model, OuterRef, Q
from django.http import HttpRequest, HttpResponse

from games.keeping.export import rounds_by_students
from games.models import Program
from games.tables.state import may_be_shown
from lessons.crooked.trial import dealers_over
from lessons.models import Forecast, Question, Slip
from lessons.results.files import download
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.selectors import student_for
from xactika_site.views import page_view


@page_view
@login_required
def export_answers(request: HttpRequest, student_id: int) -> HttpResponse:
    """A student's own questions, answers and forecasts, for their teachers."""
    student = student_for(request.user, student_id)
    demo = student.classroom.demo
    rows = ({"kind": row["kind"], "demo": demo, **row} for row in _rows(student))
    text = "".join(json.dumps(row) + "\n" for row in rows)
    return download(text, f"{student.name} answers", "jsonl", "application/x-ndjson")


def _is_over(deal: str) -> Exists:
    """A filter, asked of each row's deal: a list of all that are over would be long."""
    return Exists(rounds_by_students().filter(pk=OuterRef(deal)))


_TABLE = "session={0}table.class_session_id game={0}table.game table={0}table.number"
FIELDS = {
    "question": (
        "exercise place session=class_session_id test test_number asked parameters hints"
    ),
    "answer": "number values right misconceptions made",
    "forecast": f"{_TABLE.format('deal.')} round=deal.round seat percents made",
    "slip": (
        f"{_TABLE.format('position.deal.')} round=position.deal.round seat=position.seat"
        " move=position.moves worths found"
    ),
    "retry": "number move right made",
    "puzzle": "homework=homework_id puzzle tries solved shown",
    "cover": "came chapters puzzles",
    "vote": "session=poll.class_session_id poll=poll_id move sure made",
    "dealer": "session=trial.class_session_id dealer=kind planned looked verdict sure",
    "program": "name asked",
}
"""What a line has of a row, by kind: an attribute, or under a name of its own another one's
(``name=path``)."""


def _fields(kind: str, row: Model) -> dict[str, Any]:
    """What FIELDS name of a row, moments as ISO 8601."""
    fields = {}
    for each in FIELDS[kind].split():
        name, _equals, path = each.partition("=")
        value = attrgetter(path or name)(row)
        is_moment = isinstance(value, datetime)
        fields[name] = value.isoformat(timespec="seconds") if is_moment else value
    return fields


def _line(kind: str, row: Model, **more: Any) -> dict[str, Any]:
    return {"kind": kind, **_fields(kind, row), **more}


def _rows(student: Student) -> Iterator[dict[str, Any]]:
    """A line a question, then one a forecast, a turn to try again, a puzzle of homework, a
    cover lesson, a vote, a dealer, the program; nothing about a hand that is still played, of a
    board that some table still plays, or of a dealer that the class has not been told."""
    over = Q(deal=None) | _is_over("deal")
    questions = Question.objects.filter(over, student=student).order_by("pk")
    for question in questions.prefetch_related("answers"):
        answers = sorted(question.answers.all(), key=lambda answer: answer.number)
        yield _line("question", question, answers=[_fields("answer", each) for each in answers])
    forecasts = Forecast.objects.filter(_is_over("deal"), student=student)
    for forecast in forecasts.select_related("deal__table").order_by("pk"):
        yield _line("forecast", forecast)
    mistakes = Slip.objects.filter(_is_over("position__deal"), student=student)
    mistakes = mistakes.select_related("position__deal__table").prefetch_related("retries")
    for mistake in mistakes.order_by("pk"):
        retries = sorted(mistake.retries.all(), key=lambda retry: retry.number)
        yield _line("slip", mistake, retries=[_fields("retry", each) for each in retries])
    for puzzle in student.homework_puzzles.order_by("pk"):
        yield _line("puzzle", puzzle)
    for visit in student.cover_visits.order_by("pk"):
        yield _line("cover", visit)
    votes = student.votes.filter(may_be_shown("poll__position__deal__")).select_related("poll")
    for vote in votes.order_by("pk"):
        yield _line("vote", vote)
    for dealer in dealers_over().filter(student=student).select_related("trial").order_by("pk"):
        line = _line("dealer", dealer)
        yield line | {"verdict": line["verdict"] or None}
    for program in Program.objects.filter(student=student):
        yield _line("program", program)
