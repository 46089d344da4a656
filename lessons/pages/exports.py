"""What a student answered and forecast, taken out as JSON lines (docs/export.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Exists, OuterRef, Q
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


def _rows(student: Student) -> Iterator[dict[str, Any]]:
    """A line a question, then one a forecast, a turn to try again, a puzzle of homework, a
    cover lesson, a vote, a dealer, the program; nothing about a hand that is still played, of a
    board that some table still plays, or of a dealer that the class has not been told."""
    over = Q(deal=None) | _is_over("deal")
    questions = Question.objects.filter(over, student=student).order_by("pk")
    for question in questions.prefetch_related("answers"):
        yield {
            "kind": "question",
            "exercise": question.exercise,
            "place": question.place,
            "session": question.class_session_id,
            "test": question.test,
            "test_number": question.test_number,
            "asked": question.asked.isoformat(timespec="seconds"),
            "parameters": question.parameters,
            "hints": question.hints,
            "answers": [
                {
                    "number": answer.number,
                    "values": answer.values,
                    "right": answer.right,
                    "misconceptions": answer.misconceptions,
                    "made": answer.made.isoformat(timespec="seconds"),
                }
                for answer in sorted(question.answers.all(), key=lambda a: a.number)
            ],
        }
    forecasts = Forecast.objects.filter(_is_over("deal"), student=student)
    for forecast in forecasts.select_related("deal__table").order_by("pk"):
        yield {
            "kind": "forecast",
            "session": forecast.deal.table.class_session_id,
            "game": forecast.deal.table.game,
            "table": forecast.deal.table.number,
            "round": forecast.deal.round,
            "seat": forecast.seat,
            "percents": forecast.percents,
            "made": forecast.made.isoformat(timespec="seconds"),
        }
    mistakes = Slip.objects.filter(_is_over("position__deal"), student=student)
    mistakes = mistakes.select_related("position__deal__table").prefetch_related("retries")
    for mistake in mistakes.order_by("pk"):
        position = mistake.position
        yield {
            "kind": "slip",
            "session": position.deal.table.class_session_id,
            "game": position.deal.table.game,
            "table": position.deal.table.number,
            "round": position.deal.round,
            "seat": position.seat,
            "move": position.moves,
            "worths": mistake.worths,
            "found": mistake.found.isoformat(timespec="seconds"),
            "retries": [
                {
                    "number": retry.number,
                    "move": retry.move,
                    "right": retry.right,
                    "made": retry.made.isoformat(timespec="seconds"),
                }
                for retry in sorted(mistake.retries.all(), key=lambda r: r.number)
            ],
        }
    puzzles = student.homework_puzzles.order_by("pk")
    for puzzle in puzzles:
        yield {
            "kind": "puzzle",
            "homework": puzzle.homework_id,
            "puzzle": puzzle.puzzle,
            "tries": puzzle.tries,
            "solved": puzzle.solved and puzzle.solved.isoformat(timespec="seconds"),
            "shown": puzzle.shown,
        }
    for visit in student.cover_visits.order_by("pk"):
        yield {
            "kind": "cover",
            "came": visit.came.isoformat(timespec="seconds"),
            "chapters": visit.chapters,
            "puzzles": visit.puzzles,
        }
    votes = student.votes.filter(may_be_shown("poll__position__deal__")).select_related("poll")
    for vote in votes.order_by("pk"):
        yield {
            "kind": "vote",
            "session": vote.poll.class_session_id,
            "poll": vote.poll_id,
            "move": vote.move,
            "sure": vote.sure,
            "made": vote.made.isoformat(timespec="seconds"),
        }
    for dealer in dealers_over().filter(student=student).select_related("trial").order_by("pk"):
        yield {
            "kind": "dealer",
            "session": dealer.trial.class_session_id,
            "dealer": dealer.kind,
            "planned": dealer.planned,
            "looked": dealer.looked,
            "verdict": dealer.verdict or None,
            "sure": dealer.sure,
        }
    for program in Program.objects.filter(student=student):
        yield {
            "kind": "program",
            "name": program.name,
            "asked": program.asked and program.asked.isoformat(timespec="seconds"),
        }
