"""The class beside one of its students: what is usual there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from lessons.questions.forecasts import PlayedForecast
from lessons.results.bids.bidding import Errors
from lessons.results.learned.learning import learning_of_classroom
from lessons.results.over_time.term import sums
from lessons.visits.crowd import Member, crowd_in
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.privacy import FEWEST


@dataclass(frozen=True, slots=True)
class Peers:
    """A class's means, the student among them; each None where fewer than five students
    stand behind it. ``rounds`` are a student's, ``success`` the share right first time,
    ``member`` the student beside the class's median."""

    rounds: Fraction | None = None
    errors: Errors = field(default_factory=lambda: Errors({}))
    success: Fraction | None = None
    member: Member | None = None


def peers_of(student: Student, forecasts: Iterable[PlayedForecast]) -> Peers:
    """The means of the student's classroom over the term; these are its forecasts."""
    classroom = student.classroom
    rounds: Counter[int] = Counter()
    errors: Counter[int] = Counter()
    bidders = set()
    for _session, who, error, n in sums(classroom):
        if who is not None:
            rounds[who] += n
        if error is not None:
            errors[error] += n
            bidders.add(who)
    success = learning_of_classroom(classroom).success
    crowd = crowd_in(classroom, forecasts)
    return Peers(
        Fraction(rounds.total(), len(rounds)) if len(rounds) >= FEWEST else None,
        Errors(dict(errors) if len(bidders - {None}) >= FEWEST else {}),
        success.share if success.students >= FEWEST else None,
        next((each for each in crowd.members if each.person == student.pk), None),
    )
