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
    latest = {poll.position_id: poll for poll in told.select_related("position").order_by("pk")}
    questions = polls.questions_of(latest.values())
    cast = Vote.objects.filter(poll__in=questions).values_list("poll", "move")
    votes = {pk: Counter[str]() for pk in questions}
    for pk, move in cast:
        votes[pk][move] += 1
    rows = [
        _row(question, votes[pk])
        for pk, question in questions.items()
        if votes[pk].total() >= FEWEST
    ]
    return panel("polls", rows, {"n": len(rows)}) if rows else None


def _row(question: polls.Question, votes: Counter[str]) -> dict[str, Any]:
    observation = question.observation
    most = max(question.choices, key=lambda move: votes[move])  # of several the first
    return {
        "table": question.deal.table.number,
        "round": question.deal.round,
        "trick": None if observation.is_bidding else len(observation.tricks) + 1,
        "votes": votes.total(),
        "most": question.choices[most],
        "share": votes[most] / votes.total(),
        "played": _("the same")
        if most == question.played
        else question.choices[question.played],
    }
