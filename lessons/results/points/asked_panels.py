"""What a class was asked: what it would have played at turns that were put to it, and which
dealers were crooked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from statistics import mean
from typing import Any

from django.utils.translation import gettext as _

from games import polls
from games.models import Dealer, Poll, Vote
from games.study.look_back.mistakes import right_moves
from lessons.crooked.dealing import DealerKind, power
from lessons.crooked.trial import PLANS, Box, box_of
from lessons.measures.grid import Ratio
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.models import Retry
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.privacy import FEWEST


def poll_panel(session: ClassSession) -> Panel | None:
    """The commonest choice at each turn that was put to the class (the last time, of several),
    beside what was played, how many chose well, and of those who tried it again later how many
    then did; of turns with fewer than FEWEST answers only how many these were. None where there
    was none."""
    told = Poll.objects.filter(class_session=session, stage=Poll.Stage.TOLD)
    told = told.select_related("position").order_by("pk")
    latest = {(poll.position_id, poll.day): poll for poll in told}
    worths = {poll.pk: poll.worths or {} for poll in latest.values()}
    positions = {poll.pk: poll.position_id for poll in latest.values()}
    questions = polls.questions_of(latest.values())
    cast = Vote.objects.filter(poll__in=questions).values_list("poll", "move")
    votes = {pk: Counter[str]() for pk in questions}
    for pk, move in cast:
        votes[pk][move] += 1
    again = _retries(session, positions.values())
    rows = [
        _poll_row(question, votes[pk], worths[pk]) | {"later": again.get(positions[pk])}
        for pk, question in questions.items()
        if votes[pk].total() >= FEWEST
    ]
    facts = {"few": len(questions) - len(rows)}
    return panel("polls", rows, facts) if questions else None


def _retries(session: ClassSession, positions: Iterable[str | None]) -> dict[str | None, Ratio]:
    """By position, how many of the class chose well when they first tried it again, of all who
    did; no figure of fewer than FEWEST."""
    first = Retry.objects.filter(
        number=0, slip__position__in=positions, slip__student__classroom=session.classroom_id
    )
    counts: dict[str | None, list[bool]] = {}
    for position, is_right in first.values_list("slip__position", "right"):
        counts.setdefault(position, []).append(is_right)
    return {
        position: Ratio(sum(found), len(found))
        for position, found in counts.items()
        if len(found) >= FEWEST
    }


def _poll_row(
    question: polls.PollQuestion, votes: Counter[str], worths: dict[str, float]
) -> dict[str, Any]:
    observation, deal, daily = question.observation, question.deal, question.daily
    most = [move for move in question.choices if votes[move] == max(votes.values())]
    chosen = [question.choices[move] for move in most]
    commonest = " · ".join([*chosen[:2], "…"] if len(chosen) > 2 else chosen)
    best = daily.puzzle.answer if daily else max(worths, key=worths.__getitem__, default="")
    well = [best] if daily else right_moves(worths) if worths else []
    played = _("a puzzle") if daily else question.choices[question.played]
    return {
        "table": deal and deal.table.number,
        "round": deal and deal.round,
        "trick": None if observation.is_bidding else len(observation.tricks) + 1,
        "votes": votes.total(),
        "most": commonest,
        "share": votes[most[0]] / votes.total(),
        "good": sum(votes[move] for move in well) / votes.total() if well else None,
        "best": _("the same") if [best] == most else question.choices.get(best),
        "played": _("the same") if most == [question.played] else played,
    }


# Crooked dealers


def dealer_panel(dealers: Collection[Dealer]) -> Panel | None:
    """How many crooked dealers were named for what they do, and honest ones accused, by the
    number of deals planned, beside a test; how sure students were who were right, and who were
    wrong. None of fewer than FEWEST answers; nor is any number of fewer, nor what all
    are more than the others."""
    if len(dealers) < FEWEST:
        return None
    by_plan = {n: [each for each in dealers if each.planned == n] for n in PLANS}
    shown = {n: own for n, own in by_plan.items() if len(own) >= FEWEST}
    if shown and 0 < len(dealers) - sum(map(len, shown.values())) < FEWEST:
        del shown[min(shown, key=lambda n: len(shown[n]))]
    rows = [_dealer_row(str(n), own) | {"power": power(n)} for n, own in shown.items()]
    rows.append(_dealer_row(_("All"), dealers) | {"power": None})
    facts: dict[str, Any] = dict(rows[-1])
    for name, is_right in (("right", True), ("wrong", False)):
        sure = [each.sure or 0 for each in dealers if (each.verdict == each.kind) == is_right]
        facts |= {f"knows_{name}": len(sure) >= FEWEST, name: mean(sure or [0]) / 100}
    return panel("dealers", rows, facts)


def _dealer_row(planned: str, dealers: Collection[Dealer]) -> dict[str, Any]:
    counts = Counter(map(box_of, dealers))
    named = sum(each.verdict == each.kind != DealerKind.HONEST for each in dealers)
    crooked, honest = counts[Box.HIT] + counts[Box.MISS], counts[Box.ALARM] + counts[Box.PASSED]
    return {
        "planned": planned,
        "named": Ratio(named, crooked) if crooked else None,
        "alarms": Ratio(counts[Box.ALARM], honest) if honest else None,
        "crooked": crooked,
        "honest": honest,
        "miss": counts[Box.MISS],
        "other": counts[Box.HIT] - named,
        "alarm": counts[Box.ALARM],
    }
