"""One's own finished rounds, the latest first."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import F, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Deal, Guest, Result, Table
from games.rules import MAX_ROUNDS
from games.tables.state import may_be_shown
from games.words import signed_points_words
from xactika_site.classrooms.models import Student

SHOWN = 60


class OwnRound(NamedTuple):
    """What one made of a round."""

    deal: Deal
    seat: int
    bid: int | None
    taken: int
    points: int
    by_person: bool
    """Whether one person made every move: only then figures count it."""

    @property
    def is_on_paper(self) -> bool:
        """Whether there is nothing to look at again."""
        return self.deal.table.kind == Table.Kind.PAPER

    @property
    def is_homework(self) -> bool:
        return self.deal.table.kind == Table.Kind.HOMEWORK

    @property
    def board(self) -> int:
        """The number of a board that has a table of its own; 0 for a round of a game."""
        table = self.deal.table
        return table.number if self.is_homework else table.tournament_board


def own_rounds(
    *, guest: Guest | None = None, student: Student | None = None, most: int = SHOWN
) -> list[OwnRound]:
    """The latest finished rounds that a guest or a student has played, at study tables none; of
    a board that some table still plays, or of homework that is open, nothing."""
    rows = results_of(guest=guest, student=student).select_related("deal__table")
    latest = rows.order_by(F("deal").desc(), "seat")[:most]
    return [
        OwnRound(row.deal, row.seat, row.bid, row.taken, row.points, row.by_person)
        for row in latest
    ]


def last_game_words(guest: Guest) -> str:
    """A sentence on what came of the guest's latest game, as far as they made every move; empty
    if there is nothing to say."""
    rounds = own_rounds(guest=guest, most=MAX_ROUNDS)
    places = [(each.deal.table_id, each.seat) for each in rounds]
    last = [
        each
        for each, place in zip(rounds, places, strict=True)
        if place == places[0] and each.by_person
    ]
    if not last:
        return ""
    if last[0].bid is None:
        points = signed_points_words(sum(each.points for each in last))
        return _("Last game: %(points)s.") % {"points": points}
    made = sum(each.bid == each.taken for each in last)
    text = ngettext(
        "Last game: you made %(n)d of %(all)d bid.",
        "Last game: you made %(n)d of %(all)d bids.",
        len(last),
    )
    return text % {"n": made, "all": len(last)}


def results_of(
    *, guest: Guest | None = None, student: Student | None = None
) -> QuerySet[Result]:
    """The results of the rounds that they played, a student's on paper, too; also where
    somebody else moved in between."""
    results = Result.objects.filter(may_be_shown("deal__"))
    # By keys: the database then begins with what is one's own, not with everybody's rounds.
    if student is not None:
        moved = Result.objects.filter(deal__moves__student=student, deal__moves__seat=F("seat"))
        typed = student.results.filter(deal__table__kind=Table.Kind.PAPER).order_by()
        return results.filter(pk__in=moved.values("pk").union(typed.values("pk")))
    sat = Result.objects.filter(
        deal__table__admissions__guest=guest,
        deal__table__admissions__seat__number=F("seat"),
        deal__table__admissions__taken_over=False,
    )
    elsewhere = results.exclude(deal__table__kind=Table.Kind.STUDY)
    return elsewhere.filter(pk__in=sat.values("pk"), deal__table__class_session=None)
