"""An experiment: whole tables drawn for one of two treatments, and what came of it.

People at one table depend on each other, so that tables are drawn and compared, not students.
Tables are drawn when they are first dealt to (who sits where is settled by then), all that are
dealt to together in one draw, a *wave* (``games.analysis.draws``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.analysis.draws import draw_wave
from games.models import Result, SessionSettings, Table
from games.rules import Variant
from games.tables.state import TableState, experiments_running, may_be_shown
from xactika_site.randomness import system_rng

ExperimentKind = SessionSettings.Experiment
Treatment = Table.Treatment

TREATMENTS = {
    ExperimentKind.TIPS: (Treatment.PRINTED.value, Treatment.CAREFUL.value),
    ExperimentKind.ODDS: (Treatment.ODDS.value, Treatment.NO_ODDS.value),
}
"""The two treatments of each kind of experiment, the first of which is called A."""

POWER = {4: {7: 3, 10: 5, 15: 6, 20: 7}, 8: {7: 4, 10: 6, 15: 7, 20: 8}}
"""By boards and tables: in how many of ten classes the difference of the two tips is called
rare, where everybody bids by their table's tip (``python -m benchmarks.experiment``)."""


def draw_treatments(tables: Sequence[TableState]) -> None:
    """Draw for those of a game's tables that are dealt to for the first time. Nothing where the
    session makes no experiment, or the game began without one. Runs in the caller's
    transaction, which holds the session's row."""
    new = [table for table in tables if not table.round_number]
    if not new or tables[0].variant is not Variant.BID:
        return
    game = Table.objects.filter(
        class_session=tables[0].class_session_id,
        game=Table.objects.values("game").get(pk=tables[0].id)["game"],
    )
    drawn = list(game.exclude(treatment="").values_list("treatment", flat=True))
    if drawn:
        pair = next(pair for pair in TREATMENTS.values() if drawn[0] in pair)
    elif not game.filter(deals__isnull=False).exists():
        wished = SessionSettings.objects.get(class_session=tables[0].class_session_id)
        if wished.experiment not in TREATMENTS:
            return
        pair = TREATMENTS[ExperimentKind(wished.experiment)]
    else:
        return
    before = [treatment == pair[0] for treatment in drawn]
    for table, is_a in zip(new, draw_wave(before, len(new), system_rng), strict=True):
        Table.objects.filter(pk=table.id).update(treatment=pair[0] if is_a else pair[1])


# What came of it.


@dataclass(frozen=True, slots=True)
class TableOutcome:
    """What a table came to: the mean of its people's points, each less the mean of the same
    seat on the same board at all tables whose people played it. ``mean`` is None where people
    finished nothing there; ``hands`` are the rounds, seat by seat, that are counted. ``wave``
    is the board that it was first dealt."""

    table: int
    is_a: bool
    wave: int
    mean: Fraction | None
    hands: int


@dataclass(frozen=True, slots=True)
class Experiment:
    """A game that was an experiment, its tables in the order in which they were drawn.
    ``is_over`` tells whether its last board is."""

    game: int
    kind: ExperimentKind
    is_over: bool
    outcomes: tuple[TableOutcome, ...]
    session: int = 0

    @property
    def wave_sizes(self) -> tuple[int, ...]:
        """How many tables were drawn together, wave by wave."""
        firsts = [outcome.wave for outcome in self.outcomes]
        return tuple(firsts.count(first) for first in dict.fromkeys(firsts))

    @property
    def counted(self) -> tuple[TableOutcome, ...]:
        """The tables that came to something."""
        return tuple(outcome for outcome in self.outcomes if outcome.mean is not None)

    @property
    def difference(self) -> Fraction | None:
        """The mean of A's tables less that of B's; None where either has none."""
        a, b = (
            [o.mean for o in self.counted if o.is_a is is_a and o.mean is not None]
            for is_a in (True, False)
        )
        return sum(a, Fraction()) / len(a) - sum(b, Fraction()) / len(b) if a and b else None


def experiments_of(session_id: int) -> tuple[Experiment, ...]:
    """The experiments of a class session, game by game. One that is not over has no outcomes
    (``may_be_compared``)."""
    drawn = Table.objects.filter(class_session=session_id).exclude(treatment="")
    rows = drawn.order_by("game").values_list("game", "treatment")
    kinds = {
        game: next(kind for kind, pair in TREATMENTS.items() if treatment in pair)
        for game, treatment in rows
    }
    if not kinds:
        return ()
    return tuple(_experiment(session_id, game, kinds[game]) for game in kinds)


def _experiment(session_id: int, game: int, kind: ExperimentKind) -> Experiment:
    tables = Table.objects.filter(class_session=session_id, game=game).exclude(treatment="")
    if experiments_running().filter(class_session=session_id, game=game).exists():
        return Experiment(game, kind, False, ())
    firsts: dict[str, int] = {}
    for table, board in tables.order_by("deals__round").values_list("pk", "deals__round"):
        firsts.setdefault(table, board)
    played = Result.objects.filter(
        may_be_shown("deal__"), by_person=True, deal__table__in=tables
    ).order_by("deal__round", "deal__table__number", "seat")
    scores = _scores(
        played.values_list(
            "deal__table", "deal__round", "seat", "points", "student", "deal__table__treatment"
        )
    )
    return Experiment(
        game,
        kind,
        True,
        tuple(
            TableOutcome(
                number,
                treatment == TREATMENTS[kind][0],
                firsts[pk],
                sum(own, Fraction()) / len(own) if (own := scores[pk]) else None,
                len(own),
            )
            for pk, number, treatment in sorted(
                tables.values_list("pk", "number", "treatment"),
                key=lambda row: (firsts[row[0]], row[1]),
            )
        ),
        session_id,
    )


def _scores(
    rounds: Iterable[tuple[str, int, int, int, int | None, str]],
) -> dict[str, list[Fraction]]:
    """By table each hand's points less the mean of all who held that hand. Whoever comes to a
    table of the other treatment later on is not counted there."""
    began: dict[int, str] = {}
    hands: dict[tuple[int, int], list[tuple[str, int]]] = defaultdict(list)
    for table, board, seat, points, student, treatment in rounds:
        if student is None or began.setdefault(student, treatment) == treatment:
            hands[board, seat].append((table, points))
    scores: dict[str, list[Fraction]] = defaultdict(list)
    for same in hands.values():
        if len(same) > 1:  # else there is nothing to compare it with
            mean = Fraction(sum(points for _table, points in same), len(same))
            for table, points in same:
                scores[table].append(points - mean)
    return scores
