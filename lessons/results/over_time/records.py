"""What happened in each session of a classroom, as trends count it: six queries."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

from django.db.models import Count, F, Q, Sum

from games.models import Result
from games.tables.state import may_be_compared
from lessons.exercises import EXERCISES
from lessons.models import ANSWERS_OUTSIDE_TESTS, Answer
from lessons.questions.practice import Attempts
from lessons.results.bids.forecasting import Score
from lessons.results.inference import Miss
from lessons.results.learned.learning import Success
from lessons.results.over_time.term import Day
from xactika_site.classrooms.models import Attendance, Classroom, Student

T = TypeVar("T")

Rows = dict[int, dict[int | None, list[T]]]
"""By session, in their order, and by student; None is somebody deleted since."""


@dataclass(frozen=True, slots=True)
class Records:
    """How far off bids were, summed up by table and board; how good forecasts were; whether
    each question was right first time, by exercise; and which students came to each session.
    ``members`` are those who were in the class before it ended, everybody where not told."""

    bids: Rows[Miss]
    forecasts: Rows[Score]
    answers: Rows[Miss]
    came: dict[int, frozenset[int]]
    members: dict[int, frozenset[int]] = field(default_factory=dict)

    @property
    def everybody(self) -> frozenset[int]:
        """The students who have ever come."""
        return frozenset().union(*self.came.values())

    @property
    def attendance(self) -> Rows[Miss]:
        """By session and student who has ever come and was in the class then, one row: whether
        they were there."""
        return {
            session: {
                student: [Miss(student, session, student in came)]
                for student in sorted(self.members.get(session, self.everybody))
            }
            for session, came in self.came.items()
        }

    def of(self, sessions: Collection[int]) -> Records:
        """The records of these sessions alone."""
        kinds = (self.bids, self.forecasts, self.answers, self.came, self.members)
        some: Any = [{pk: each for pk, each in own.items() if pk in sessions} for own in kinds]
        return Records(*some)


DRAWN_DAYS = 40
"""Sessions that a small chart has room for: the latest."""


def records(
    classroom: Classroom,
    every: Sequence[Day],
    scores: Mapping[int, Mapping[int | None, Score]],
) -> Records:
    """The records of the classroom's latest sessions, whose forecasts had these scores."""
    days = every[-DRAWN_DAYS:]
    sessions = [day.pk for day in days]
    came = _came_by_session(sessions)
    bids, answers = _bids(sessions), _answers(classroom, days, came)
    return Records(
        {day.pk: bids[day.pk] for day in days if day.pk in bids},
        {
            day.pk: {student: [score] for student, score in scores[day.pk].items()}
            for day in days
            if day.pk in scores
        },
        {day.pk: answers[day.pk] for day in days if day.pk in answers},
        {day.pk: frozenset(came[day.pk]) for day in days if day.pk in came},
        _members(days, came),
    )


def _members(
    days: Iterable[Day], came: Mapping[int, Collection[int]]
) -> dict[int, frozenset[int]]:
    """By session, in order, those who have ever come and were in the class before it ended."""
    everybody = set().union(*came.values())
    entered = dict(Student.objects.filter(pk__in=everybody).values_list("pk", "created"))
    members, known = {}, set[int]()
    for day in days:
        known.update(came.get(day.pk, ()))
        known.update(pk for pk, at in entered.items() if day.ended is None or at <= day.ended)
        if day.pk in came:
            members[day.pk] = frozenset(known)
    return members


def _came_by_session(sessions: Sequence[int]) -> dict[int, set[int]]:
    """By session who came in, or played in it, as on paper."""
    came: dict[int, set[int]] = defaultdict(set)
    rows = Attendance.objects.filter(class_session__in=sessions)
    here = rows.exclude(state=Attendance.State.ASKING)
    for session, student in here.values_list("class_session", "student"):
        came[session].add(student)
    played = Result.objects.filter(
        may_be_compared("deal__"), by_person=True, deal__table__class_session__in=sessions
    )
    named = played.filter(student__isnull=False).order_by()
    for session, student in named.values_list(
        "deal__table__class_session", "student"
    ).distinct():
        came[session].add(student)
    return came


def _bids(sessions: Sequence[int]) -> Rows[Miss]:
    """Bids in rounds that may be shown, of seats of which a person made every move."""
    bids: Rows[Miss] = defaultdict(lambda: defaultdict(list))
    rows = Result.objects.filter(
        may_be_compared("deal__"),
        by_person=True,
        bid__isnull=False,
        deal__table__class_session__in=sessions,
    )
    keys = "deal__table__class_session", "student", "deal__table", "deal__table__game"
    sums = rows.values(*keys, "deal__board").annotate(
        n=Count("pk"), off=Sum(F("bid") - F("taken"))
    )
    for session, student, table, game, board, n, off in sums.order_by().values_list(
        *keys, "deal__board", "n", "off"
    ):
        # Rounds that only this table played count together: tables tell them apart.
        same = (table,) if board is None else (session, game, board)
        bids[session][student].append(Miss(table, same, off, n))
    return bids


def _answers(
    classroom: Classroom, days: Sequence[Day], came: dict[int, set[int]]
) -> Rows[Miss]:
    """Questions that a session asked, or that those who came practised while it lasted."""
    answers: Rows[Miss] = defaultdict(lambda: defaultdict(list))
    first = Answer.objects.filter(number=0, question__student__isnull=False)
    first = first.filter(ANSWERS_OUTSIDE_TESTS)
    keys = "question__student", "question__exercise"
    asked_there = first.filter(question__class_session__in=[day.pk for day in days])
    for session, student, exercise, n, right in (
        asked_there.values_list("question__class_session", *keys)
        .annotate(n=Count("pk"), right=Count("pk", filter=Q(right=True)))
        .order_by()
    ):
        if exercise in EXERCISES:
            answers[session][student].append(Miss(student, exercise, right, n))
    alone = first.filter(question__student__classroom=classroom, question__class_session=None)
    for asked, student, exercise, right in alone.values_list("question__asked", *keys, "right"):
        at = _session_at(asked, student, days, came)
        if at is not None and exercise in EXERCISES:
            answers[at][student].append(Miss(student, exercise, int(right)))
    return answers


def _session_at(
    asked: datetime, student: int, days: Sequence[Day], came: dict[int, set[int]]
) -> int | None:
    """The id of the session to which the student had come at that time."""
    day = days[before - 1] if (before := bisect_right([d.began for d in days], asked)) else None
    if day is None or (day.ended is not None and asked > day.ended):
        return None
    return day.pk if student in came.get(day.pk, ()) else None


def successes(every: Iterable[Attempts]) -> dict[int, Success]:
    """By student, how all questions went over all sessions."""
    sums: dict[int, Counter[str]] = defaultdict(Counter)
    for own in every:
        if own.attempts:
            sums[own.student].update(
                questions=own.questions,
                attempts=own.attempts,
                at_once=own.at_once,
                right=own.right,
            )
    return {student: Success(**counts, students=1) for student, counts in sums.items()}
