"""A turn of a finished round, or a puzzle, put to the class: asked, voted on, told.

What is shown is what the seat in turn could see; nobody's name is. The round is over wherever
it is played (``may_be_shown``), which is looked at again at each step. What is best says an
expert's foresight, of a puzzle its proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import transaction
from django.db.models import Avg, Count, QuerySet
from django.utils.translation import gettext as _

from games.analysis.odds import BidForecast
from games.analysis.outcomes import Outcome
from games.analysis.puzzles import Kind
from games.classes.closing import tell_class
from games.classes.sessions import locked
from games.classes.state import seat_of
from games.models import Deal, Move, Poll, Table, Vote
from games.rules import Observation, Variant, move_text
from games.study.look_back.bids import differ
from games.study.look_back.mistakes import right_moves
from games.study.odds.forecasts import foresee
from games.study.puzzles.daily import Daily, names_at, of_any_day, question_line, scene_at
from games.study.puzzles.words import options, why_wrong_words
from games.study.replay.lines import Line
from games.study.replay.positions import Sight, lines_of, position_at
from games.study.replay.scenes import scene
from games.study.replay.what_if import move_name
from games.tables.state import TableState, load_table, may_be_shown
from games.tables.view import OVER, RUNNING
from games.tables.viewers import Browser
from games.words import percent, points_words, tricks_words
from xactika_site import clock
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.privacy import FEWEST
from xactika_site.classrooms.selectors import NotFound, here_in
from xactika_site.classrooms.services import Refused

SURE = range(0, 101, 10)
"""How sure one may be, in percent."""


@dataclass(frozen=True)
class PollQuestion:
    """What a poll asks: the turn of a seat, at a moment of a round as it was played, or of a
    puzzle's as far as it is told (``daily``; then there is no ``deal``)."""

    line: Line
    moment: int
    deal: Deal | None = None
    daily: Daily | None = None

    @property
    def seat(self) -> int:
        seat = self.line.rounds[self.moment].to_move
        assert seat is not None
        return seat

    @property
    def played(self) -> str:
        """The move that was made; empty in a puzzle."""
        return self.line.moves[self.moment][1] if self.deal else ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat, which are nobody's."""
        if self.daily:
            return names_at(self.daily.puzzle)
        return tuple(_("Seat %(n)d") % {"n": n} for n in range(1, self.line.start.seats + 1))

    def scene(self, *, is_own: bool) -> TableState:
        """The table as it was, under these names; in a puzzle, which speaks to you, your own
        seat has one, too, where its page says which is yours."""
        if self.daily:
            names = () if is_own else self.names
            return scene_at(self.daily.puzzle, self.line, self.moment, names)
        assert self.deal
        table = load_table(self.deal.table_id)
        return scene(table, self.deal, self.line, self.moment, names=self.names)

    @cached_property
    def observation(self) -> Observation:
        """What the seat could see."""
        return self.line.observation(self.moment, self.seat)

    @cached_property
    def choices(self) -> dict[str, str]:
        """The moves that could be made, or what else could be answered, each with its name."""
        if self.daily and self.daily.puzzle.kind is Kind.HOLD:
            return dict(options(self.daily.puzzle))
        observation = self.observation
        return {move_text(move): move_name(move, observation) for move in observation.legal}


def may_be_asked(line: Line, moment: int) -> bool:
    """Whether somebody had a choice at this moment."""
    if not (line.is_whole and 0 <= moment < line.last):
        return False
    return len(line.rounds[moment].legal_moves()) > 1


def question_of(poll: Poll) -> PollQuestion:
    """The question that a poll asks. NotFound where its round may be shown no longer."""
    questions = questions_of([poll])
    if poll.pk not in questions:
        raise NotFound
    return questions[poll.pk]


def questions_of(polls: Collection[Poll]) -> dict[int, PollQuestion]:
    """The questions of these polls, by the poll's key: of a puzzle always, of a round where it
    may still be shown. Two queries."""
    keys = {poll.position.deal_id for poll in polls if poll.position}
    shown = Deal.objects.filter(may_be_shown(), pk__in=keys).select_related("table")
    deals, lines = {deal.pk: deal for deal in shown}, lines_of(shown)
    questions = {}
    for poll in polls:
        if poll.day:
            questions[poll.pk] = _of_puzzle(of_any_day(poll.day))
        elif poll.position and (key := poll.position.deal_id) in deals:
            questions[poll.pk] = PollQuestion(lines[key], poll.position.moves, deals[key])
    return questions


def _of_puzzle(daily: Daily) -> PollQuestion:
    line = question_line(daily.number)
    return PollQuestion(line, line.last, daily=daily)


def open_poll(session_id: int | None) -> Poll | None:
    """The poll before this class just now; None where there is none, or it is closed."""
    polls = Poll.objects.filter(class_session=session_id, ended=None)
    polls = polls.exclude(class_session__state=ClassSession.State.CLOSED)
    return polls.select_related("position").first()


def session_to_ask(table_id: str) -> ClassSession | None:
    """The unclosed session of the class of this table, before which a round may be put."""
    table = Table.objects.select_related("class_session").get(pk=table_id)
    classroom = table.class_session.classroom_id if table.class_session else table.classroom_id
    sessions = ClassSession.objects.exclude(state=ClassSession.State.CLOSED)
    return sessions.filter(classroom=classroom).first() if classroom else None


def sessions_to_ask(teacher: User) -> list[ClassSession]:
    """The unclosed sessions of this teacher's classes: a puzzle may be put before them."""
    sessions = ClassSession.objects.exclude(state=ClassSession.State.CLOSED)
    mine = sessions.filter(classroom__teachers=teacher).select_related("classroom")
    return list(mine.order_by("classroom__name", "pk"))


def student_here(browser: Browser, session_id: int) -> Student:
    """The student who takes part in the session at this browser; NotFound where nobody does."""
    student, at = browser.at(session_id).present
    if student is None or at != session_id:
        raise NotFound
    if not here_in(session_id).filter(student=student).exists():
        raise NotFound
    return student


def here_or_answered(session_id: int, answers: QuerySet[Any]) -> int:
    """How many take part in the session, or did and have answered."""
    present = here_in(session_id)
    return present.count() + answers.exclude(student__in=present.values("student")).count()


def is_playing(student: Student, session_id: int) -> bool:
    """Whether a round goes on at this student's table just now."""
    table = _table_of(student, session_id)
    return table is not None and table.status in RUNNING and not table.paused


def has_played(student: Student, session_id: int) -> bool:
    """Whether the game at this student's table is over."""
    table = _table_of(student, session_id)
    return table is not None and table.status in OVER


def _table_of(student: Student, session_id: int) -> TableState | None:
    seat = seat_of(student, session_id)
    return None if seat is None else load_table(seat.table)


# The teacher.


@transaction.atomic
def ask(*, session: ClassSession, sight: Sight, moment: int, asks_sureness: bool) -> Poll:
    """The poll that puts the turn at this moment before the class, instead of another one.
    NotFound where nobody had a choice, Refused in a closed session."""
    if not may_be_asked(sight.line, moment):
        raise NotFound
    locked(session.pk)
    seat = sight.line.moves[moment][0]
    position = position_at(sight, moment=moment, seat=seat)
    poll = Poll(class_session=session, position=position, asks_sureness=asks_sureness)
    return _put(poll)


@transaction.atomic
def ask_puzzle(*, session: ClassSession, daily: Daily, asks_sureness: bool) -> Poll:
    """Put a day's puzzle before the class, instead of a turn. Refused in a closed session."""
    return _put(Poll(class_session=session, day=daily.day, asks_sureness=asks_sureness))


def _put(poll: Poll) -> Poll:
    session_id = poll.class_session_id
    locked(session_id)
    Poll.objects.filter(class_session=session_id, ended=None).update(ended=clock.now())
    poll.save()
    tell_class(session_id=session_id)
    return poll


@transaction.atomic
def show(*, poll: Poll, stage: Poll.Stage) -> None:
    """Show the class's choices, or what was played at once. Harmless once it is shown, or the
    poll has ended: there is no way back."""
    locked(poll.class_session_id)
    order = list(Poll.Stage)
    before = order[: order.index(stage)]
    if Poll.objects.filter(pk=poll.pk, ended=None, stage__in=before).update(stage=stage):
        tell_class(session_id=poll.class_session_id)


@transaction.atomic
def end(*, session_id: int) -> None:
    """End the poll; the class goes back to where it was. Harmless where nothing is asked."""
    if Poll.objects.filter(class_session=session_id, ended=None).update(ended=clock.now()):
        tell_class(session_id=session_id)


# The class.


@transaction.atomic
def vote(*, poll: Poll, student: Student, move: str, sure: int | None = None) -> None:
    """Store what this student would play; the first one counts, on whichever device. Refused
    once the class's choices are shown, and of a move that could not be made; NotFound of a poll
    whose round is shown no longer."""
    if move not in question_of(poll).choices:
        raise Refused(_("Choose one of the answers."))
    if not poll.asks_sureness or sure not in SURE:
        sure = None
    now = Poll.objects.select_for_update().filter(pk=poll.pk).first()
    if now is None:
        raise NotFound
    if now.ended is not None or now.stage != Poll.Stage.ASKING:
        raise Refused(_("You came too late to choose."))
    Vote.objects.get_or_create(
        poll=poll, student=student, defaults={"move": move, "sure": sure}
    )


@dataclass(frozen=True, slots=True)
class MoveVotes:
    """A move, how many would make it, and whether it was the one that was made; once that is
    told, what it promises in words, whether it promises most (``is_best``), and whether it is
    not clearly worse (``is_good``)."""

    move: str
    name: str
    votes: int
    is_played: bool
    promise: str = ""
    is_best: bool = False
    is_good: bool = False

    @property
    def dots(self) -> range:
        """A range as long as it has votes, one a dot."""
        return range(self.votes)

    @property
    def card(self) -> str:
        """The code of the card that it plays; empty for a bid, or a word."""
        code = self.move.partition(":")[0]
        return code if len(code) > 1 and code.isdecimal() else ""


def move_votes(
    poll: Poll, question: PollQuestion, worths: Worths | None, own: Collection[str] = ()
) -> list[MoveVotes]:
    """The moves that got votes, the most first where that may be shown. Once the answer is told
    also the move that was made, the best one and somebody's ``own``, each with what it promises
    (``worths``)."""
    counts = Counter(Vote.objects.filter(poll=poll).values_list("move", flat=True))
    is_told = poll.stage == Poll.Stage.TOLD
    best = _best(question, worths) if is_told else []
    also = {question.played, *best[:1], *own} if is_told else set()
    rows = [
        MoveVotes(
            move,
            name,
            counts[move],
            is_told and move == question.played,
            _promise(question, move, worths) if is_told else "",
            move in best[:1],
            move in best,
        )
        for move, name in question.choices.items()
        if counts[move] or move in also
    ]
    may_be_shown = counts.total() >= FEWEST
    return sorted(rows, key=lambda row: -row.votes) if may_be_shown else rows


# What an expert foresees.

Worths = Mapping[str, Outcome]
"""By move, what became of it in simulated deals."""


def worths_of(question: PollQuestion) -> Worths:
    """By move, as text, its Outcome as far as the seat could know. Simulates: in a job. Raises
    NotReady."""
    found = foresee(question.observation)
    if isinstance(found, BidForecast):
        return {
            move: found.bids[int(move)]
            for move in question.choices
            if int(move) < len(found.bids)
        }
    return {move_text(promise.play): promise.outcome for promise in found}


def _best(question: PollQuestion, worths: Worths | None) -> list[str]:
    """The best move and those not clearly worse, the best first; empty while none is known."""
    if question.daily:
        return [question.daily.puzzle.answer]
    if not worths:
        return []
    values = _values(question, worths)
    order = sorted(values, key=lambda move: -values[move])
    return [move for move in order if not differ(worths[order[0]], worths[move])]


def _values(question: PollQuestion, worths: Worths) -> dict[str, float]:
    """What each move brings on average, the more the better."""
    sign = -1 if question.observation.variant is Variant.LOSE else 1
    return {move: sign * outcome.expected for move, outcome in worths.items()}


def keep_worths(*, poll: Poll, question: PollQuestion, worths: Worths) -> None:
    """Keep what the moves promise with a poll that is told: the first time counts."""
    poll.worths = {move: round(each, 3) for move, each in _values(question, worths).items()}
    Poll.objects.filter(pk=poll.pk, worths__isnull=True).update(worths=poll.worths)


def _promise(question: PollQuestion, move: str, worths: Worths | None) -> str:
    """The mean points with this move and how often the bid comes true, or the mean number of
    tricks, in words; what a wrong answer to a puzzle overlooks."""
    if question.daily:
        is_right = move == question.daily.puzzle.answer
        return "" if is_right else why_wrong_words(question.daily.number, move)
    if not worths:
        return ""
    observation, outcome = question.observation, worths[move]
    if observation.variant is not Variant.BID:
        return tricks_words(outcome.expected)
    bid = int(move) if observation.is_bidding else observation.bids[question.seat]
    assert bid is not None
    return _("%(points)s on average, bid made in %(share)s") % {
        "points": points_words(outcome.expected),
        "share": percent(outcome.tricks[bid] / outcome.worlds),
    }


def is_mistake(poll: Poll, vote: Vote | None) -> bool:
    """Whether this vote was clearly worse than the best, as it was told: at a seat of somebody
    else's round, as one's own has a look back."""
    position, worths = poll.position, poll.worths
    if vote is None or position is None or worths is None or poll.stage != Poll.Stage.TOLD:
        return False
    own = Move.objects.filter(deal=position.deal_id, seat=position.seat)
    return (
        vote.move not in right_moves(worths)
        and not own.filter(student=vote.student_id).exists()
    )


@dataclass(frozen=True, slots=True)
class Tally:
    """How many have voted, of how many who are here or were; how many chose the best move or
    one that is not clearly worse; how sure all were on average, in percent, None where fewer
    than FEWEST said so."""

    votes: int
    here: int
    good: int
    sure: int | None

    @property
    def may_be_shown(self) -> bool:
        """Whether so many have voted that nobody's choice is told."""
        return self.votes >= FEWEST


def tally_of(poll: Poll, choices: Sequence[MoveVotes] = ()) -> Tally:
    """The tally of a class's votes."""
    votes = Vote.objects.filter(poll=poll)
    counts = votes.aggregate(votes=Count("pk"), mean=Avg("sure"), sure=Count("sure"))
    return Tally(
        counts["votes"],
        here_or_answered(poll.class_session_id, votes),
        sum(each.votes for each in choices if each.is_good),
        round(counts["mean"]) if counts["sure"] >= FEWEST else None,
    )
