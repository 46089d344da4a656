"""One's own finished rounds, the latest first."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Exists, F, OuterRef, Q

from games.models import Admission, Deal, Move, Result, Table
from games.tables.state import may_be_shown
from games.tables.viewers import Browser, students_here

SHOWN = 60


class OwnRound(NamedTuple):
    """What one made of a round."""

    deal: Deal
    seat: int
    bid: int | None
    taken: int
    points: int


def own_rounds(browser: Browser) -> list[OwnRound]:
    """The finished rounds that the guest or the students at this browser have played, at study
    tables none; of a board that some table still plays nothing."""
    mine = Q()
    if browser.guest is not None:
        seats = Admission.objects.filter(
            table=OuterRef("deal__table"),
            guest=browser.guest,
            seat__number=OuterRef("seat"),
            taken_over=False,
        )
        mine |= Q(Exists(seats), deal__table__class_session=None)
    students = students_here(browser)
    if students:
        moved = Move.objects.filter(
            deal=OuterRef("deal"), seat=OuterRef("seat"), student__in=students
        )
        mine |= Q(Exists(moved))
    if not mine:
        return []
    rows = (
        Result.objects.filter(mine, may_be_shown("deal__"))
        .exclude(deal__table__kind=Table.Kind.STUDY)
        .select_related("deal__table")
        .order_by(F("deal").desc(), "seat")[:SHOWN]
    )
    return [OwnRound(row.deal, row.seat, row.bid, row.taken, row.points) for row in rows]
