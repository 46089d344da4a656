"""The class beside one of its students: what is usual there. Four queries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

from lessons.results.bids.bidding import Errors
from lessons.results.learned.learning import learning_of_classroom
from lessons.results.over_time.term import sums
from xactika_site.classrooms.models import Classroom
from xactika_site.classrooms.privacy import FEWEST


@dataclass(frozen=True, slots=True)
class Peers:
    """A class's means, the student among them; each None where fewer than five students
    stand behind it. ``rounds`` are a student's, ``success`` the share right at once."""

    rounds: Fraction | None = None
    errors: Errors = field(default_factory=lambda: Errors({}))
    success: Fraction | None = None


def peers_in(classroom: Classroom) -> Peers:
    """The means of a classroom over the term."""
    rounds: Counter[int] = Counter()
    errors: Counter[int] = Counter()
    bidders = set()
    for _session, student, error, n, _points in sums(classroom):
        if student is not None:
            rounds[student] += n
        if error is not None:
            errors[error] += n
            bidders.add(student)
    success = learning_of_classroom(classroom).success
    return Peers(
        Fraction(rounds.total(), len(rounds)) if len(rounds) >= FEWEST else None,
        Errors(dict(errors) if len(bidders - {None}) >= FEWEST else {}),
        success.share if success.students >= FEWEST else None,
    )
