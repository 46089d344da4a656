"""One's own mistakes, tried again: kept from a finished round, answered by another move, and
back, spaced as in practice, until they go well."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import Move, Poll, Table, Vote
from games.polls import is_mistake
from games.rules import Variant
from games.study.look_back.mistakes import Decision, right_moves
from games.study.look_back.past_rounds import PastRound
from games.study.replay.positions import Sight, position_at, sight_of
from games.tables.rendering import GAME_NAMES
from games.tables.state import may_be_shown
from games.tables.viewers import Browser, students_here
from lessons.models import Retry, Slip
from lessons.questions.learners import Learner, learner_at
from lessons.questions.spacing import SpacedTry, SpacingState, spacing_of
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused, note_day

READ = 200
"""Mistakes looked back upon; older ones tell little about today."""

MOST_TRIES = 20
"""Of one mistake; whoever needs more is better helped by the replay."""


@dataclass(frozen=True, slots=True)
class SeatRound:
    """A finished round, the seat at which it was played, and whose that was."""

    sight: Sight
    seat: int
    learner: Learner


@dataclass(frozen=True, slots=True)
class MistakeStanding:
    """How somebody stands in one mistake (``Spaced``)."""

    mistake: Slip
    state: SpacingState
    tries: int = 0
    went_well: int = 0
    due: datetime | None = None

    @property
    def game(self) -> str:
        """What the game is called."""
        return str(GAME_NAMES[self.mistake.position.deal.table.variant])

    @property
    def trick(self) -> int:
        """The number of its trick, from 1; 0 where it was a bid."""
        position = self.mistake.position
        count = len(position.deal.hands)
        is_bid = position.deal.table.variant == Variant.BID.value
        return (position.moves - count * is_bid) // count + 1

    @property
    def is_open(self) -> bool:
        """Whether it may be tried now."""
        return self.state in {SpacingState.NEW, SpacingState.AGAIN}


# Whose.


def own_round(
    browser: Browser, table_id: str, number: int, place: str | None = None
) -> SeatRound:
    """A finished round that somebody at this browser has played. NotFound as ``sight_of``, for
    whoever only looked on, at a study table, which counts nowhere, and for a teacher."""
    sight = sight_of(browser, table_id, number, place)
    is_kept = sight.state.kind != Table.Kind.STUDY and sight.state.homework_teacher_id is None
    if sight.own is None or not is_kept:
        raise NotFound
    if sight.state.class_session_id is None:
        return SeatRound(sight, sight.own, Learner(guest=browser.guest))
    for student in students_here(browser):
        if Move.objects.filter(deal=sight.deal, seat=sight.own, student=student).exists():
            return SeatRound(sight, sight.own, Learner(student=student))
    raise NotFound


def learner_here(browser: Browser) -> Learner | None:
    """The learner at this browser, unless it is a student who was sent out: to them their
    rounds are shown no more."""
    learner = learner_at(browser)
    is_out = learner is not None and learner.student not in (None, *students_here(browser))
    return None if is_out else learner


def mistake_for(browser: Browser, mistake_id: int) -> Slip:
    """A mistake of the student or guest at this browser; NotFound if it is another's."""
    mine = Q(student__in=students_here(browser))
    if browser.guest is not None:
        mine |= Q(guest=browser.guest)
    mistake = _mistakes().filter(mine, pk=mistake_id).first()
    if mistake is None:
        raise NotFound
    return mistake


def _mistakes() -> QuerySet[Slip]:
    return Slip.objects.filter(may_be_shown("position__deal__")).select_related(
        "position__deal__table"
    )


# Kept.


def mistakes_of(own: SeatRound) -> list[Slip]:
    """The mistakes of this round that were found before, in its order."""
    mistakes = _mistakes().filter(
        position__deal=own.sight.deal, position__seat=own.seat, **own.learner.owner
    )
    return list(mistakes.order_by("position__moves"))


@transaction.atomic
def keep_mistakes(
    *, own: SeatRound, past: PastRound, decisions: Iterable[Decision]
) -> list[Slip]:
    """The round's stored mistakes, those of these decisions that were own moves among them."""
    for decision in decisions:
        if not _is_own(own.learner, past.moves[decision.moment]):
            continue  # somebody else sat there then
        position = position_at(own.sight, moment=decision.moment, seat=own.seat)
        Slip.objects.get_or_create(
            position=position, **own.learner.owner, defaults={"worths": decision.worths}
        )
    return mistakes_of(own)


@transaction.atomic
def keep_choice(*, poll: Poll, student: Student) -> Slip:
    """What the student chose at a turn put to the class, stored as a mistake to be tried again;
    twice it is once. NotFound unless it is told, and another move was clearly better."""
    vote = Vote.objects.filter(poll=poll, student=student).first()
    if not is_mistake(poll, vote):
        raise NotFound
    kept = {"position": poll.position, "student": student}
    return Slip.objects.get_or_create(**kept, defaults={"worths": poll.worths})[0]


def is_own_move(mistake: Slip) -> bool:
    """Whether they played it, and did not choose it at a turn put to the class."""
    position, student = mistake.position, mistake.student_id
    made = Move.objects.filter(deal=position.deal_id, number=position.moves, student=student)
    return student is None or made.exists()


def first_move(mistake: Slip) -> str:
    """The move that the mistake was: what they chose, or else what was played."""
    position = mistake.position
    if not is_own_move(mistake):
        votes = Vote.objects.filter(poll__position=position, student=mistake.student_id)
        if vote := votes.order_by("pk").last():
            return vote.move
    return position.deal.moves.get(number=position.moves).text


def _is_own(learner: Learner, move: Move) -> bool:
    if learner.student is not None:
        return move.student_id == learner.student.pk
    return learner.guest is not None and move.guest_id in {None, learner.guest.pk}


# Tried again.


def standings(learner: Learner | None, now: datetime | None = None) -> list[MistakeStanding]:
    """The standing of each of the learner's mistakes, the latest round's first."""
    if learner is None:
        return []
    rows = _mistakes().filter(**learner.owner).order_by("-position__deal", "position__moves")
    mistakes = list(rows[:READ])
    retries = Retry.objects.filter(slip__in=mistakes).order_by("made", "pk")
    tries = [SpacedTry(str(retry.slip_id), retry.made, retry.right) for retry in retries]
    at = now or timezone.now()
    return [MistakeStanding(each, *spacing_of(str(each.pk), tries, at)) for each in mistakes]


def next_slip(among: Iterable[MistakeStanding], *, after: Slip | None = None) -> Slip | None:
    """The mistake to try now: another one of the same round as ``after``, else one that comes
    back, else one never tried; None where nothing waits."""
    waiting = [s for s in among if s.is_open and s.mistake != after]
    if after is not None:
        deal = after.position.deal_id
        here = [
            s
            for s in waiting
            if s.state is SpacingState.NEW and s.mistake.position.deal_id == deal
        ]
        waiting = here or waiting
    again = [s for s in waiting if s.state is SpacingState.AGAIN]
    if again:
        return min(again, key=lambda s: s.due or timezone.now()).mistake
    return waiting[0].mistake if waiting else None


@transaction.atomic
def try_again(*, mistake: Slip, number: int | None, text: str) -> Retry:
    """The try that is stored for another move at a mistake's position. ``number`` says which
    try the form was for: the same one sent twice is stored once. Refused where it may not be
    made, or no more are taken."""
    locked = Slip.objects.select_for_update(of=("self",)).get(pk=mistake.pk)
    sent = list(locked.retries.order_by("number"))
    if number is not None and number < len(sent) and sent[number].move == text:
        return sent[number]  # the same click, twice
    if number != len(sent):
        raise Refused(_("You’ve answered this on another page. Here’s how it went."))
    if text not in locked.worths:
        raise Refused(_("You can’t play that here. Choose another move."))
    if number >= MOST_TRIES:
        raise Refused(_("That was a lot of tries. See how it’s done."))
    right = text in right_moves(locked.worths)
    if locked.student_id is not None:
        note_day(students=[locked.student_id])
    return Retry.objects.create(slip=locked, number=number, move=text, right=right)
