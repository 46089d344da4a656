"""One's own finished rounds, the latest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from django.db.models import F, QuerySet, Sum
from django.utils.translation import gettext as _

from games.models import Deal, Guest, Result, Table
from games.rules import MAX_ROUNDS, Variant, places
from games.tables.state import may_be_shown
from games.words import outcome_circles, place_words
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
    def circles(self) -> list[str]:
        return outcome_circles(self.bid, self.taken)

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
    latest = rows.order_by(F("deal").desc(), "seat").prefetch_related("deal__table__seat_set")
    return [
        OwnRound(row.deal, row.seat, row.bid, row.taken, row.points, row.by_person)
        for row in latest[:most]
    ]


class OwnGame(NamedTuple):
    """One's rounds at a table, the latest first, and the places of its seats in a game that is
    over and that they played alone; none else, nor of a board."""

    rounds: list[OwnRound]
    places: tuple[int, ...]

    @property
    def points(self) -> int:
        return sum(each.points for each in self.rounds)

    @property
    def place(self) -> int:
        """One's own; 0 where there are none."""
        return self.places[self.rounds[0].seat] if self.places else 0


def own_games(rounds: Sequence[OwnRound]) -> list[OwnGame]:
    """These rounds by their games, the latest first; without one whose first are not here."""
    by_seat = defaultdict(list)
    for each in rounds:
        by_seat[each.deal.table_id, each.seat].append(each)
    over = {
        own[0].deal.table_id: Variant(own[0].deal.table.variant)
        for own in by_seat.values()
        if len(own) == own[0].deal.table.rounds
        and not own[0].board
        and all(each.by_person for each in own)
    }
    ranks = {table: places(over[table], each) for table, each in _totals(over).items()}
    games = [OwnGame(own, ranks.get(table, ())) for (table, _seat), own in by_seat.items()]
    is_cut = (
        len(rounds) == SHOWN and len(games[-1].rounds) < games[-1].rounds[0].deal.table.rounds
    )
    return games[:-1] if is_cut and len(games) > 1 else games


def _totals(tables: Collection[str]) -> dict[str, list[int]]:
    """The points of the seats of each table."""
    results = Result.objects.filter(deal__table__in=tables).order_by("seat")
    by_table = defaultdict(list)
    for table, _seat, total in results.values_list("deal__table", "seat").annotate(
        total=Sum("points")
    ):
        by_table[table].append(total)
    return by_table


class LastGame(NamedTuple):
    """What is told of one's latest game: what came of it, if that was good, and one's bids."""

    told: str
    bids: str


def last_game(guest: Guest) -> LastGame | None:
    """What came of the guest's latest game, as far as they made every move; None if there is
    nothing to say. A win or a place comes first; coming last is no news."""
    rounds = own_rounds(guest=guest, most=MAX_ROUNDS)
    game = own_games(rounds)[0] if rounds else OwnGame([], ())
    own = [each for each in game.rounds if each.by_person]
    if not own:
        return None
    told, place = _("One more game?"), game.place if len(own) == len(game.rounds) else 0
    if place == 1:
        told = _("You won your last game.")
    elif place and place + game.places.count(place) <= len(game.places):
        facts = {"place": place_words(place), "seats": len(game.places)}
        told = _("%(place)s of %(seats)d last time. One more?") % facts
    return LastGame(told, bids_made_words(own))


def bids_made_words(own: Sequence[OwnRound]) -> str:
    """A sentence on the bids made in these rounds; empty for none."""
    made = sum(each.bid == each.taken for each in own)
    if not made:
        return ""
    if len(own) == 1:
        return _("You made your bid of %(n)d.") % {"n": own[0].bid}
    return _("You made %(made)d of %(rounds)d bids.") % {"made": made, "rounds": len(own)}


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
