"""How long a class takes over a move, and how long a game will take."""

from __future__ import annotations

from statistics import median

from django.core.cache import caches
from django.db.models import Count, Exists, Max, OuterRef

from games.models import Deal, Result, Table
from games.rules import HAND_SIZE, Variant
from xactika_site.classrooms.models import Classroom

SECONDS_PER_MOVE = 6.0
"""How long a person's move takes in a class that has not played yet (an assumption)."""

SECONDS_BETWEEN_ROUNDS = 45.0

SECONDS_TO_CHANGE_SEATS = 60.0
"""In a tournament, after each board."""

PACE_KEPT = 60
"""Seconds that a classroom's measured pace is remembered."""


def pace_of(classroom: Classroom) -> float:
    """Seconds a move in the classroom (``measured_pace``), remembered for PACE_KEPT."""
    key = f"pace.{classroom.pk}"
    cache = caches["process"]
    pace: float | None = cache.get(key)
    if pace is None:
        pace = measured_pace(classroom)
        cache.set(key, pace, timeout=PACE_KEPT)
    return pace


# What a game will take.


def measured_pace(classroom: Classroom | None) -> float:
    """How many seconds a move took in this classroom's last fifty rounds; an assumption before.
    Which rounds these are is asked first: nothing is summed up of the others."""
    by_people = Result.objects.filter(deal=OuterRef("pk"), by_person=True)
    played = Deal.objects.filter(Exists(by_people), table__class_session__classroom=classroom)
    played = played.exclude(table__kind=Table.Kind.PAPER)
    last = list(played.order_by("-pk").values_list("pk", flat=True)[:50])
    recent = (
        Deal.objects.filter(pk__in=last)
        .annotate(moved=Count("moves"), ended=Max("moves__made"))
        .values_list("created", "ended", "moved")
    )
    measured = [(ended - began).total_seconds() / moved for began, ended, moved in recent]
    return median(measured) if measured else SECONDS_PER_MOVE


def minutes_for(
    *, variant: str, seats: int, rounds: int, seconds_per_move: float, tournament: bool = False
) -> int:
    """About how many minutes a game takes: seats times moves times the pace, and a look at
    the scores after each round, in a tournament a change of seats, too."""
    moves = seats * (HAND_SIZE + (variant == Variant.BID.value))
    between = SECONDS_BETWEEN_ROUNDS + tournament * SECONDS_TO_CHANGE_SEATS
    return max(1, round(rounds * (moves * seconds_per_move + between) / 60))
