"""One's own page: points over time, bids one by one, what practice says, puzzles; their words
are pages of measures."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from django.utils.timezone import localtime

from games.analysis.puzzles import puzzles
from games.models import VARIANTS
from games.rules import Variant
from games.study.puzzles.words import KINDS
from lessons.measures.marks import Merged
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.questions.practice import ExerciseStanding, by_skill
from lessons.questions.spacing import SpacedTry, SpacingState
from lessons.results.bids import bidding
from lessons.results.dataset import Dataset, SeatResult
from lessons.results.inference import Miss
from lessons.results.over_time import trend_tiles
from lessons.results.tiles import Tile
from lessons.results.words import basis_words
from xactika_site.dates import format_date

LAST = 5
"""Games whose mean is drawn as a line: single ones go up and down by luck."""


FEW = 5
"""Fewer bids are no figure yet."""


def over_time(data: Dataset, tries: Iterable[SpacedTry]) -> list[Tile]:
    """Bids, forecasts and what was right first time, day by day, at a glance."""
    misses: dict[date, list[Miss]] = defaultdict(list)
    for played in data.rounds:
        if played.bid is not None and played.deal.dealt is not None:
            off = Miss(played.deal.table, played.deal.key, played.bid - played.taken)
            misses[localtime(played.deal.dealt).date()].append(off)
    if sum(map(len, misses.values())) < FEW or len(misses) < 2:
        misses.clear()  # a dot is no picture
    answers: dict[date, list[Miss]] = defaultdict(list)
    for each in tries:
        if each.day is not None:
            answers[each.day].append(Miss(each.day, each.what, int(each.went_well)))
    scores = {day: [score] for day, score in bidding.by_day(data).items()}
    return trend_tiles.of_days(
        {"bids": misses, "forecasts": scores, "skills": answers},
        panels={"bids": "own-calibration", "forecasts": "own-score", "skills": "practised"},
    )


# Points.


class OwnGame(NamedTuple):
    """One's own rounds of a game that was played, and what seats of its tables average."""

    rounds: tuple[SeatResult, ...]
    usual: Fraction

    @property
    def points(self) -> Fraction:
        """Points a round."""
        return _mean(self.rounds)


def games_of(data: Dataset, variant: str) -> list[OwnGame]:
    """The games of this variant, the first one first."""
    by_table: dict[str, list[SeatResult]] = defaultdict(list)
    for played in data.rounds:
        if played.deal.variant == variant:
            by_table[played.deal.table].append(played)
    return [
        OwnGame(tuple(rounds), bidding.structural_mean(rounds)) for rounds in by_table.values()
    ]


def points(data: Dataset, least: int = 1) -> list[Panel]:
    """Points a round, game by game: a chart for each kind of game that was played so often at
    least, the commonest first."""
    counts = Counter(played.deal.variant for played in data.rounds)
    kinds = [variant for variant, _n in counts.most_common()]
    return [_points_panel(data, kind) for kind in kinds if len(games_of(data, kind)) >= least]


def _points_panel(data: Dataset, variant: str) -> Panel:
    games = games_of(data, variant)
    means = running_means([game.rounds for game in games])
    all_rounds = [played for game in games for played in game.rounds]
    rows = [
        Merged(
            game,
            number=n,
            day=format_date(localtime(day)) if (day := game.rounds[0].deal.dealt) else "–",
            rounds=len(game.rounds),
            recent=mean if n >= LAST else None,
        )
        for n, (game, mean) in enumerate(zip(games, means, strict=True), 1)
    ]
    said = {
        "game": str(dict(VARIANTS)[variant]),
        "bid": variant == Variant.BID.value,
        "lose": variant == Variant.LOSE.value,
        "mean": _mean(all_rounds),
        "last": LAST,
        "many": len(games) > LAST,
        "compared": len(games) >= 2 * LAST,
        "early": means[min(LAST, len(games)) - 1],
        "late": means[-1],
    }
    rests = basis_words(rounds=len(all_rounds))
    return panel("own-points", rows, said, key=f"own-points-{variant}", basis=rests)


def running_means(games: Sequence[Sequence[SeatResult]]) -> list[Fraction]:
    """By game, the mean points a round over the last few games, with it."""
    return [
        _mean([played for game in games[max(0, n - LAST) : n] for played in game])
        for n in range(1, len(games) + 1)
    ]


def _mean(rounds: Sequence[SeatResult]) -> Fraction:
    return Fraction(sum(played.points for played in rounds), len(rounds))


# Practice and puzzles.


def practice(standings: Sequence[ExerciseStanding]) -> Panel:
    """How many exercises of each skill are known or seen, and which come back."""
    states = Counter(each.state for each in standings)
    rows = [
        Merged(each, skill=str(each.skill.title), exercises=len(each.standings))
        for each in by_skill(standings)
        if each.standings
    ]
    told = (SpacingState.KNOWN, SpacingState.SEEN, SpacingState.AGAIN)
    said = {each.value: states[each] for each in told}
    is_tried = any(each.tries for each in standings)
    return panel("own-practice", rows if is_tried else (), said | {"all": len(standings)})


def solved_puzzles(numbers: frozenset[int], looked_up: frozenset[int]) -> Panel:
    """How many puzzles of each kind were solved in this browser, and how many looked up."""
    kinds = Counter(puzzles()[n].kind for n in numbers)
    by_kind = Counter(puzzles()[n].kind for n in looked_up)
    rows = [
        {"kind": str(name), "solved": kinds[kind], "shown": by_kind[kind]}
        for kind, name in KINDS.items()
    ]
    is_any = bool(numbers or looked_up)
    return panel("own-puzzles", rows if is_any else (), {"puzzles": len(numbers)})
