"""Who stands where: by game, and what one and the same hand came to at every table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from games.classes.game import fair_score
from games.rules import Variant, places
from lessons.results.dataset import Dataset, SeatResult


@dataclass(frozen=True, slots=True)
class Placing:
    """A student's points in a game, wherever they sat: last at this table and seat. ``rank`` is
    shared by equals; there is a fair score in duplicate sessions."""

    rank: int
    student: int
    table: int
    seat: int
    rounds: int
    total: int
    fair_score: Fraction | None


@dataclass(frozen=True, slots=True)
class GameStandings:
    """The standings of one game of a session, best first."""

    game: int
    variant: str
    is_duplicate: bool
    places: tuple[Placing, ...]


def game_standings(data: Dataset) -> tuple[GameStandings, ...]:
    """The people's standings by game, the latest first, of rounds that they played alone."""
    by_game: dict[int, list[SeatResult]] = defaultdict(list)
    for played in data.seats:
        by_game[played.deal.game].append(played)
    return tuple(
        _of_game(number, rows) for number, rows in sorted(by_game.items(), reverse=True)
    )


def _of_game(number: int, rows: list[SeatResult]) -> GameStandings:
    by_hand = fair_scores(rows)
    is_duplicate = any(played.deal.board is not None for played in rows)
    by_student: dict[int, list[SeatResult]] = defaultdict(list)
    for played in rows:
        if played.student is not None:
            by_student[played.student].append(played)
    variant = Variant(rows[0].deal.variant)
    sign = 1 if variant is Variant.LOSE else -1
    found = []
    for student, own in by_student.items():
        scores = (by_hand[played.deal.pk, played.seat] or Fraction() for played in own)
        total = sum(played.points for played in own)
        score = sum(scores, Fraction()) if is_duplicate else None
        last = own[-1]
        at = (last.deal.number, last.seat)
        found.append(Placing(0, student, *at, len(own), total, score))

    def counted(place: Placing) -> Fraction:
        return Fraction(place.total) if place.fair_score is None else place.fair_score

    found.sort(key=lambda place: (sign * counted(place), place.table, place.seat))
    ranks = places(variant, list(map(counted, found)))
    return GameStandings(
        number,
        variant.value,
        is_duplicate,
        tuple(replace(place, rank=rank) for place, rank in zip(found, ranks, strict=True)),
    )


def fair_scores(rows: Sequence[SeatResult]) -> dict[tuple[int, int], Fraction | None]:
    """Fair scores by (deal, seat): points less the mean of the same seat at the
    other tables; None where no other table has played it."""
    same: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for played in rows:
        if played.deal.board is not None:
            same[(*played.deal.key, played.seat)].append(played.points)
    return {
        (played.deal.pk, played.seat): None
        if played.deal.board is None
        else fair_score(played.points, same[(*played.deal.key, played.seat)])
        for played in rows
    }


@dataclass(frozen=True, slots=True)
class SameHand:
    """One hand that several tables played: (bid, taken, points) at each; ``fewest``, ``most``,
    ``range`` and ``mean`` are of the tricks taken."""

    game: int
    board: int
    seat: int
    outcomes: tuple[tuple[int | None, int, int], ...]

    @property
    def taken(self) -> tuple[int, ...]:
        """The tricks taken with it, a number a table."""
        return tuple(taken for _bid, taken, _points in self.outcomes)

    @property
    def fewest(self) -> int:
        return min(self.taken)

    @property
    def most(self) -> int:
        return max(self.taken)

    @property
    def range(self) -> int:
        return self.most - self.fewest

    @property
    def mean(self) -> Fraction:
        return Fraction(sum(self.taken), len(self.taken))


def same_hands(data: Dataset) -> tuple[SameHand, ...]:
    """Hands of duplicate boards that at least two tables have played."""
    by_hand: dict[tuple[int, int, int], list[SeatResult]] = defaultdict(list)
    for played in data.seats:
        if played.deal.board is not None:
            by_hand[played.deal.game, played.deal.board, played.seat].append(played)
    return tuple(
        SameHand(*key, tuple((p.bid, p.taken, p.points) for p in rows))
        for key, rows in sorted(by_hand.items())
        if len(rows) > 1
    )
