"""What a class would have played at turns that were put to it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.utils.translation import gettext as _

from games import polls
from games.models import Poll, Vote
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.privacy import FEWEST


def poll_panel(session: ClassSession) -> Panel | None:
    """The commonest choice at each turn that was put to the class (the last time, of several),
    beside what was played; None where there was none of FEWEST answers and more."""
    told = Poll.objects.filter(class_session=session, stage=Poll.Stage.TOLD)
    told = told.select_related("position").order_by("pk")
    latest = {(poll.position_id, poll.day): poll for poll in told}
    worths = {poll.pk: poll.worths or {} for poll in latest.values()}
    questions = polls.questions_of(latest.values())
    cast = Vote.objects.filter(poll__in=questions).values_list("poll", "move")
    votes = {pk: Counter[str]() for pk in questions}
    for pk, move in cast:
        votes[pk][move] += 1
    rows = [
        _row(question, votes[pk], worths[pk])
        for pk, question in questions.items()
        if votes[pk].total() >= FEWEST
    ]
    return panel("polls", rows, {"n": len(rows)}) if rows else None


def _row(
    question: polls.Question, votes: Counter[str], worths: dict[str, float]
) -> dict[str, Any]:
    observation, deal, daily = question.observation, question.deal, question.daily
    most = max(question.choices, key=lambda move: votes[move])  # of several the first
    best = daily.puzzle.answer if daily else max(worths, key=worths.__getitem__, default="")
    played = _("a puzzle") if daily else question.choices[question.played]
    return {
        "table": deal and deal.table.number,
        "round": deal and deal.round,
        "trick": None if observation.is_bidding else len(observation.tricks) + 1,
        "votes": votes.total(),
        "most": question.choices[most],
        "share": votes[most] / votes.total(),
        "best": _("the same") if best == most else question.choices.get(best),
        "played": _("the same") if most == question.played else played,
    }
