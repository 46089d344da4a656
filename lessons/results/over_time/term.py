"""A classroom over time: sessions side by side, each student's line, the law of large numbers.
Aggregated by the database, so that ten thousand rounds cost a few hundred rows and one pass."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, F, TextField
from django.db.models.functions import Cast

from games.keeping.export import finished_deals
from games.models import Result
from games.tables.boards import board_key
from games.tables.state import may_be_compared
from lessons.models import Commitment, LessonRun
from lessons.questions.forecasts import PlayedForecast, played_forecasts
from lessons.results.bids.bidding import Errors, errors_of
from lessons.results.bids.forecasting import JudgedForecast, Score, score_of, sum_of
from lessons.results.dataset import IS_DRAWN
from lessons.results.dealt.dealing import RunningMean, running_mean
from lessons.visits.crowd import Crowd, crowd_in
from xactika_site.classrooms.models import Classroom, ClassSession, Student


class Day(NamedTuple):
    """A session of the classroom; it has not ``ended`` while it lasts."""

    pk: int
    began: datetime
    ended: datetime | None = None


@dataclass(frozen=True)
class Term:
    """All that a classroom has finished, by session and student. ``errors`` are of bids in
    rounds that a person made every move of, by session; ``lines`` the same by student and
    session; ``everybody`` are the students of those rounds. ``lessons`` are the slugs
    of what was held in each session, ``learners`` how many did a step of it, ``own_scores`` how
    good the forecasts made in it were, by student (None: somebody deleted since); ``crowd`` are
    its students beside the class's medians."""

    days: tuple[Day, ...]
    names: dict[int, str]
    errors: dict[int, Errors]
    students: dict[int, int]
    rounds: dict[int, int]
    lines: dict[int, dict[int, Errors]]
    everybody: frozenset[int]
    deals: tuple[tuple[int, int], ...]
    lessons: dict[int, tuple[str, ...]] = field(default_factory=dict)
    learners: dict[int, int] = field(default_factory=dict)
    own_scores: dict[int, dict[int | None, Score]] = field(default_factory=dict)
    crowd: Crowd = field(default_factory=Crowd)

    @property
    def scores(self) -> dict[int, Score]:
        """By session, the score of the forecasts made in it."""
        return {pk: sum_of(own.values()) for pk, own in self.own_scores.items()}

    @property
    def played(self) -> tuple[Day, ...]:
        """Sessions in which a round was finished."""
        return tuple(day for day in self.days if self.rounds.get(day.pk))

    @property
    def busy(self) -> tuple[Day, ...]:
        """Sessions in which a round was finished, or a lesson held."""
        return tuple(
            day for day in self.days if self.rounds.get(day.pk) or day.pk in self.lessons
        )

    @property
    def running(self) -> list[RunningMean]:
        """The mean value of all cards dealt so far, deal by deal; a board counts once."""
        return running_mean(self.deals)


def days_of(classroom: Classroom) -> tuple[Day, ...]:
    """The classroom's sessions, the first one first."""
    sessions = ClassSession.objects.filter(classroom=classroom).order_by("created", "pk")
    return tuple(Day(*row) for row in sessions.values_list("pk", "created", "closed"))


def term(classroom: Classroom) -> Term:
    """All that a classroom has finished, in eight queries: sessions, students, results summed
    up, deals, lessons, who was at them, forecasts and what came of them, predictions."""
    days = days_of(classroom)
    names = dict(Student.objects.filter(classroom=classroom).values_list("pk", "name"))
    by_session: dict[int, Counter[int]] = defaultdict(Counter)
    lines: dict[int, dict[int, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
    played: set[tuple[int, int]] = set()
    rounds: Counter[int] = Counter()
    for session, student, error, n in sums(classroom):
        rounds[session] += n
        if error is not None:
            by_session[session][error] += n
        if student is not None:
            played.add((student, session))
            if error is not None:
                lines[student][session][error] += n
    forecasts = played_forecasts(classroom)
    return Term(
        days,
        names,
        {session: errors_of(counts) for session, counts in by_session.items()},
        dict(Counter(session for _student, session in played)),
        dict(rounds),
        {
            student: {session: errors_of(counts) for session, counts in own.items()}
            for student, own in lines.items()
        },
        frozenset(student for student, _session in played),
        _deals(classroom),
        _lessons(classroom),
        _learners(classroom),
        scores_of_sessions(forecasts),
        crowd_in(classroom, forecasts),
    )


def _lessons(classroom: Classroom) -> dict[int, tuple[str, ...]]:
    """The lessons of each session, in the order in which they were held."""
    held: dict[int, tuple[str, ...]] = {}
    runs = LessonRun.objects.filter(class_session__classroom=classroom).order_by("pk")
    for session, slug in runs.values_list("class_session", "lesson"):
        held[session] = (*held.get(session, ()), slug)
    return held


def _learners(classroom: Classroom) -> dict[int, int]:
    """By session, how many students did a step of a lesson with the room."""
    done = Commitment.objects.filter(visit__run__class_session__classroom=classroom)
    by_session = done.values_list("visit__run__class_session")
    return dict(by_session.annotate(Count("visit__student", distinct=True)).order_by())


def scores_of_sessions(
    forecasts: Iterable[PlayedForecast],
) -> dict[int, dict[int | None, Score]]:
    """By session and student, the scores of the forecasts."""
    rows: dict[int, dict[int | None, list[JudgedForecast]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for session, board, _seat, taken, student, percents, seats in forecasts:
        rows[session][student].append(JudgedForecast(percents, taken, seats, board))
    return {
        session: {student: score_of(outcomes) for student, outcomes in own.items()}
        for session, own in rows.items()
    }


def sums(classroom: Classroom) -> list[tuple[int, int | None, int | None, int]]:
    """(session, student, bid − taken, rounds) of people's finished rounds."""
    rows = Result.objects.filter(
        may_be_compared("deal__"),
        by_person=True,
        deal__table__class_session__classroom=classroom,
    )
    return list(
        rows.annotate(error=F("bid") - F("taken"))
        .values_list("deal__table__class_session", "student", "error")
        .annotate(n=Count("pk"))
        .order_by()
    )


def _deals(classroom: Classroom) -> tuple[tuple[int, int], ...]:
    """(seats, total value of all cards) of every distinct deal by chance, in the order dealt.

    A hand's codes hold no digits but their counts, so the total is read off the stored text.
    """
    rows = (
        finished_deals()
        .filter(IS_DRAWN, table__class_session__classroom=classroom)
        .select_related(None)
        .annotate(text=Cast("hands", TextField()))
        .values_list("table__class_session", "table__game", "board", "text", "pk")
    )
    deals: dict[tuple[int, ...], tuple[int, int]] = {}
    for session, game, board, text, pk in rows:
        key = board_key(pk, session=session, game=game, board=board)
        if key not in deals:
            ones, twos, threes = text.count("1"), text.count("2"), text.count("3")
            deals[key] = ((ones + twos + threes) // 32, ones + 2 * twos + 3 * threes)
    return tuple(deals.values())
