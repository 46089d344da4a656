"""What a class would have played at turns that were put to it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from games import polls
from games.models import Poll
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.privacy import FEWEST
from xactika_site.classrooms.selectors import NotFound


def poll_panel(session: ClassSession) -> Panel | None:
    """The commonest choice at each turn that was put to the class (the last time, of several),
    beside what was played; None where there was none of FEWEST answers and more."""
    told = Poll.objects.filter(class_session=session, stage=Poll.Stage.TOLD)
    latest = {poll.position_id: poll for poll in told.select_related("position").order_by("pk")}
    rows = [row for poll in latest.values() if (row := _row(poll)) is not None]
    return panel("polls", rows, {"n": len(rows)}) if rows else None


def _row(poll: Poll) -> dict[str, Any] | None:
    try:
        question = polls.question_of(poll)
    except NotFound:
        return None
    choices = polls.choices_of(poll, question, None)
    votes = sum(each.votes for each in choices)
    if votes < FEWEST:
        return None
    observation, most = question.observation, choices[0]
    return {
        "table": question.table.number,
        "round": question.deal.round,
        "trick": None if observation.is_bidding else len(observation.tricks) + 1,
        "votes": votes,
        "most": most.name,
        "share": most.votes / votes,
        "played": _("the same") if most.is_played else question.choices[question.played],
    }
