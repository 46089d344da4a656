"""A class and its dealers, half of them crooked, by lot: put before it, looked at, told.

Before it is told, and while it is open, no more is read of a dealer than its deals.
"""

from __future__ import annotations

from enum import StrEnum

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from games.classes.closing import tell_class
from games.classes.sessions import locked
from games.classes.steering import take_replay_down
from games.models import Dealer, DealerTrial
from games.polls import SURE, open_poll
from games.polls import end as end_poll
from lessons.crooked.dealing import DealerKind, deal, next_kind
from xactika_site import clock
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused, lock_session
from xactika_site.randomness import system_rng

PLANS = (10, 20, 40)
"""How many deals a student may plan: a test finds a crooked dealer in 19, 51, 90 of 100."""

STEP = 10
"""Deals that are looked at with one press."""


def open_trial(session_id: int | None) -> DealerTrial | None:
    """What is before this class just now; None in a closed session."""
    trials = DealerTrial.objects.filter(class_session=session_id, ended=None)
    return trials.exclude(class_session__state=ClassSession.State.CLOSED).first()


def put_before(session_id: int | None) -> str:
    """The URL name of the page put before this class, a turn first; empty for none."""
    if open_poll(session_id) is not None:
        return "poll"
    return "dealer" if open_trial(session_id) is not None else ""


def dealers_over() -> QuerySet[Dealer]:
    """The dealers of trials that are over or told, without the deals."""
    is_closed = Q(trial__class_session__state=ClassSession.State.CLOSED)
    is_over = is_closed | Q(trial__ended__isnull=False) | Q(trial__told__isnull=False)
    return Dealer.objects.filter(is_over).defer("deals")


def answers_of(session: ClassSession) -> QuerySet[Dealer]:
    """What students said in trials of this session that are over or told."""
    return dealers_over().filter(trial__class_session=session).exclude(verdict="")


# The teacher.


@transaction.atomic
def begin(*, session: ClassSession) -> None:
    """Give the class its dealers, instead of a turn or a replay. Harmless where it has them;
    Refused in a closed session."""
    locked(session.pk)
    if open_trial(session.pk) is None:
        end_poll(session_id=session.pk)
        take_replay_down(session_id=session.pk)
        DealerTrial.objects.create(class_session=session)
        tell_class(session_id=session.pk)


@transaction.atomic
def settle(*, trial: DealerTrial, ends: bool) -> None:
    """Tell everybody what their dealer was, after which nobody answers; or end it, and the
    class goes back to where it was. Harmless where it is so already."""
    to = "ended" if ends else "told"
    lock_session(trial.class_session_id)
    before = DealerTrial.objects.filter(Q((to, None)), pk=trial.pk, ended=None)
    if before.update(**{to: clock.now()}):
        tell_class(session_id=trial.class_session_id)


# A student.


@transaction.atomic
def plan(*, trial: DealerTrial, student: Student, deals: int) -> None:
    """Give this student a dealer, with as many deals as they plan to look at; the first plan
    counts, on whichever device. NotFound for another number."""
    if deals not in PLANS:
        raise NotFound
    _check_runs(trial)
    before = list(trial.dealers.order_by("pk").values_list("student", "kind"))
    if student.pk not in [pk for pk, _kind in before]:
        kind = next_kind([DealerKind(each) for _pk, each in before], system_rng)
        dealt = [deal(kind, system_rng) for _n in range(deals)]
        trial.dealers.create(student=student, kind=kind, deals=dealt, planned=deals)


@transaction.atomic
def look(*, dealer: Dealer, looked: int) -> None:
    """Deal more to a student who has seen this many; nothing where another device was first."""
    _check_runs(dealer.trial)
    seen = Dealer.objects.filter(pk=dealer.pk, looked=looked, planned__gt=F("looked"))
    seen.update(looked=F("looked") + STEP)


@transaction.atomic
def answer(*, dealer: Dealer, verdict: str, sure: int | None) -> None:
    """Store what the student takes the dealer for, after all planned deals; the first
    counts."""
    if verdict not in list(DealerKind) or sure not in SURE:
        raise Refused(_("Say what the dealer is, and how sure you are."))
    _check_runs(dealer.trial)
    waits = Dealer.objects.filter(pk=dealer.pk, verdict="", looked=F("planned"))
    waits.update(verdict=verdict, sure=sure)


def _check_runs(trial: DealerTrial) -> None:
    """Hold the trial. Refused where it is told, or has ended."""
    running = DealerTrial.objects.select_for_update().filter(told=None, ended=None)
    if not running.filter(pk=trial.pk).exists():
        raise Refused(_("Too late: the class is looking at it already."))


class Box(StrEnum):
    """A box of the two-way table of what dealers were and whether they were accused."""

    HIT = "hit"
    MISS = "miss"  # type II error
    ALARM = "alarm"  # type I error
    PASSED = "passed"


def box_of(dealer: Dealer) -> Box:
    """The box of the table of all verdicts in which an answer stands."""
    is_accused = dealer.verdict != DealerKind.HONEST
    if dealer.kind == DealerKind.HONEST:
        return Box.ALARM if is_accused else Box.PASSED
    return Box.HIT if is_accused else Box.MISS
