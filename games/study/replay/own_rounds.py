"""One's own finished rounds, the latest first."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import F, QuerySet

from games.models import Deal, Guest, Result, Table
from games.tables.state import may_be_shown
from xactika_site.classrooms.models import Student

SHOWN = 60


class OwnRound(NamedTuple):
    """What one made of a round."""

    deal: Deal
    seat: int
    bid: int | None
    taken: int
    points: int


def own_rounds(*, guest: Guest | None = None, student: Student | None = None) -> list[OwnRound]:
    """The latest finished rounds that a guest or a student has played, at study tables none; of
    a board that some table still plays, or of homework that is open, nothing."""
    rows = results_of(guest=guest, student=student).select_related("deal__table")
    latest = rows.order_by(F("deal").desc(), "seat")[:SHOWN]
    return [OwnRound(row.deal, row.seat, row.bid, row.taken, row.points) for row in latest]


def results_of(
    *, guest: Guest | None = None, student: Student | None = None
) -> QuerySet[Result]:
    """The results of the rounds that they played, also where somebody else moved in between."""
    results = Result.objects.filter(may_be_shown("deal__"))
    # By keys: the database then begins with what is one's own, not with everybody's rounds.
    if student is not None:
        moved = Result.objects.filter(deal__moves__student=student, deal__moves__seat=F("seat"))
        return results.filter(pk__in=moved.values("pk"))
    sat = Result.objects.filter(
        deal__table__admissions__guest=guest,
        deal__table__admissions__seat__number=F("seat"),
        deal__table__admissions__taken_over=False,
    )
    elsewhere = results.exclude(deal__table__kind=Table.Kind.STUDY)
    return elsewhere.filter(pk__in=sat.values("pk"), deal__table__class_session=None)
