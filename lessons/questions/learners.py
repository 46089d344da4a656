"""What is read of learning: who learns, which questions are theirs, what there is to ask about.

Fetch and authorize in one call. A context for a question is built up from what its student may
see, or from what is over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from random import Random
from typing import Any

from django.db.models import Count, F, Q, QuerySet

from games.keeping.export import finished_deals
from games.models import Deal, Guest, Move, Result, SessionSettings
from games.rules import Card, Round, Variant, observe, parse_card, parse_move
from games.tables.observation import round_observation
from games.tables.state import TableState, load_table, start_round
from games.tables.viewers import Browser, viewer_by_browser
from lessons.exercises import EXERCISES
from lessons.exercises.contexts import (
    EMPTY,
    ClassResults,
    Context,
    Family,
    FinishedRound,
    OwnHand,
    invent,
)
from lessons.exercises.engine import Exercise
from lessons.exercises.skills import Misconception
from lessons.models import Answer, ClassExercise, Forecast, Question
from xactika_site.classrooms.models import Attendance, ClassSession, Student
from xactika_site.classrooms.privacy import FEWEST
from xactika_site.classrooms.selectors import NotFound

Questions = SessionSettings.Questions
Source = ClassExercise.Source
OF_FAMILY = {
    Family.DECK: Source.DECK,
    Family.DEAL: Source.DECK,
    Family.OWN_HAND: Source.OWN_HAND,
    Family.ROUND: Source.OWN_HAND,
    Family.CLASS: Source.CLASS,
}


@dataclass(frozen=True, slots=True)
class Learner:
    """Whose questions, answers and forecasts: a student's of a classroom, or a guest's."""

    student: Student | None = None
    guest: Guest | None = None

    @property
    def owner(self) -> dict[str, Any]:
        """The fields by which their rows are found and made."""
        return {"student": self.student, "guest": self.guest}


def learner_at(browser: Browser) -> Learner | None:
    """Who learns at this browser: the student who said that they sit there, else its guest;
    None where nobody has played or practised yet."""
    if browser.student is not None:
        return Learner(student=browser.student[0])
    return Learner(guest=browser.guest) if browser.guest else None


def question_for(browser: Browser, question_id: int) -> Question:
    """A question of the student or guest at this browser; NotFound if it is another's."""
    mine = Q()
    mine |= Q(student__in=[each.student for each in browser.students])
    if browser.guest is not None:
        mine |= Q(guest=browser.guest)
    asked = Question.objects.filter(mine, pk=question_id).select_related(
        "class_exercise", "deal", "visit"
    )
    found = asked.first() if mine else None
    if found is None:
        raise NotFound
    return found


# At the table.

BID, DEAL, SLOUGH, END = "bid", "deal", "slough", "end"
MOMENTS: dict[str, tuple[str, ...]] = {
    BID: ("best-bid", "tip-audit", "unseen-card"),
    DEAL: ("safe-lead", "safest-lead", "unseen-card", "hand-spread", "tip-audit"),
    SLOUGH: ("after-slough",),
    END: ("hook", "hand-spread"),
}
"""The moments of a round at which one question is offered, and the exercises that suit."""

LEADS = {"safe-lead", "safest-lead"}
"""Exercises for whoever leads the first trick."""


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A person's seat at a table: its state, the seat's number, whose it is, and when
    questions are offered there."""

    state: TableState
    seat: int
    learner: Learner
    questions: str

    @property
    def moment(self) -> str:
        """The moment of the present round at which a question may be asked now; "" if there
        is none. Of a board that some table still plays nothing is asked."""
        state, round_ = self.state, self.state.round
        if round_ is None or state.closed or self.questions == Questions.OFF:
            return ""
        if round_.is_over:
            return END if state.is_shown else ""
        if self.questions != Questions.DURING or state.is_duplicate:
            return ""
        if self.may_forecast:
            return BID
        if not any(trick.plays for trick in _tricks(round_)):
            return DEAL
        return SLOUGH if _has_slough(round_) else ""

    @property
    def may_forecast(self) -> bool:
        """Whether this seat's bid is still to be made."""
        state, round_ = self.state, self.state.round
        return (
            round_ is not None
            and not state.closed
            and not state.is_duplicate
            and self.questions == Questions.DURING
            and round_.is_bidding
            and round_.bids[self.seat] is None
        )

    def exercises(self) -> tuple[str, ...]:
        """What may be asked about exactly this hand at this moment."""
        round_ = self.state.round
        left_out: set[str] = set()
        if round_ is not None and round_.to_move != self.seat:
            left_out |= LEADS
        if self.forecast() is None:
            left_out.add("best-bid")
        return tuple(key for key in MOMENTS.get(self.moment, ()) if key not in left_out)

    def context(self) -> Context:
        """What this seat may see now."""
        state = self.state
        assert state.round is not None
        made = self.forecast()
        hand = OwnHand.by(
            round_observation(state, self.seat), forecast=tuple(made.percents) if made else None
        )
        is_over = state.round.is_over and state.is_shown
        return Context(hand=hand, round=FinishedRound.by(state.round) if is_over else None)

    def forecast(self) -> Forecast | None:
        """What this seat's person has forecast for the present deal."""
        made = Forecast.objects.filter(deal=self.state.deal_id, seat=self.seat)
        return made.filter(**self.learner.owner).first()

    def question(self) -> Question | None:
        """The question asked last about the present deal."""
        asked = Question.objects.filter(deal=self.state.deal_id, **self.learner.owner)
        return asked.order_by("-pk").first()

    def offers(self) -> bool:
        """Whether a question can be asked now that was not asked yet."""
        if not self.moment:
            return False
        asked = Question.objects.filter(deal=self.state.deal_id, **self.learner.owner)
        if asked.filter(moment=self.moment).exists():
            return False
        context = self.context()
        return any(EXERCISES[key].suits(context) for key in self.exercises())


def own_seat(table_id: str, browser: Browser, place: str | None = None) -> OwnSeat:
    """The seat that this browser holds at the table; NotFound for anybody who holds none."""
    viewer = viewer_by_browser(table_id, browser, place)
    if viewer.seat is None:
        raise NotFound
    state = load_table(table_id)
    questions: str = Questions.DURING
    learner = Learner(guest=browser.guest)
    if state.class_session_id is not None:
        student, _session = browser.at(state.class_session_id).student or (None, None)
        learner = Learner(student=student)
        questions = SessionSettings.objects.values_list("questions", flat=True).get(
            class_session=state.class_session_id
        )
    return OwnSeat(state, viewer.seat, learner, questions)


def _tricks(round_: Round) -> Iterable[Any]:
    return (*round_.tricks, *((round_.trick,) if round_.trick else ()))


def _has_slough(round_: Round) -> bool:
    trick = round_.trick
    if trick is None or trick.call is None:
        return False
    call = trick.call
    return any(not card.shows(call) for _seat, card in trick.plays)


# In a class session.


def exercise_before(session_id: int) -> ClassExercise | None:
    """What the teacher has put before the class and not yet taken away."""
    found = ClassExercise.objects.filter(class_session=session_id, ended=None)
    return found.order_by("-pk").first()


def student_in(session_id: int, browser: Browser) -> Student:
    """The student at this browser, who is in this class session; NotFound for anybody else."""
    student, said_for = browser.at(session_id).student or (None, None)
    here = Attendance.objects.filter(
        class_session=session_id, student=student, state=Attendance.State.HERE
    )
    if student is None or said_for != session_id or not here.exists():
        raise NotFound
    return student


def last_hand(student: Student, session_id: int, seed: int) -> Context:
    """The student's own last hand in the session whose round is over (and may be shown), as it
    was dealt; an invented one for whoever has not finished a round."""
    deals = finished_deals().filter(table__class_session=session_id, moves__student=student)
    deal = deals.order_by("-pk").first()
    if deal is None:
        return _example(seed)
    moves = list(deal.moves.order_by("number").values_list("seat", "text", "student"))
    seat = next(seat for seat, _text, mover in moves if mover == student.pk)
    start = start_round(deal, Variant(deal.table.variant))
    over = reduce(lambda r, move: r.apply(parse_move(move[1])), moves, start)
    made = Forecast.objects.filter(deal=deal, student=student).first()
    forecast = tuple(made.percents) if made else None
    hand = OwnHand.by(observe(start, seat), forecast=forecast)
    return Context(hand=hand, round=FinishedRound.by(over))


def class_results(session_id: int) -> ClassResults | None:
    """What the session's finished rounds hold, of the tables of the size that played most;
    None before the first one. A board counts once."""
    deals = finished_deals().filter(table__class_session=session_id)
    by_size: dict[int, dict[Any, Deal]] = {}
    for deal in deals:
        board = (deal.table.game, deal.board) if deal.board is not None else deal.pk
        by_size.setdefault(len(deal.hands), {}).setdefault(board, deal)
    if not by_size:
        return None
    seats = max(by_size, key=lambda size: (len(by_size[size]), -size))
    hands = tuple(_hand(codes) for deal in by_size[seats].values() for codes in deal.hands)
    own = Result.objects.filter(
        deal__in=[deal.pk for deal in deals if len(deal.hands) == seats],
        by_person=True,
        bid__isnull=False,
    )
    movers = Move.objects.filter(
        deal__results__in=own, seat=F("deal__results__seat"), student__isnull=False
    )
    return ClassResults(
        seats=seats,
        rounds=sum(len(deal.hands) == seats for deal in deals),
        students=movers.values("student").distinct().count(),
        hands=hands,
        bids=tuple((result.bid or 0, result.taken) for result in own.order_by("pk")),
    )


def _hand(codes: Iterable[str]) -> tuple[Card, ...]:
    return tuple(parse_card(code) for code in codes)


def _example(seed: int) -> Context:
    """An invented hand and round; the same seed gives the same."""
    return invent(Random(seed), (Family.OWN_HAND, Family.ROUND))  # noqa: S311 - no secret


def source_of(exercise: str) -> str | None:
    """Where a class exercise takes its data from; None for what cannot be put before a class,
    because it needs a trick in play, and for what there is not."""
    found = EXERCISES.get(exercise)
    return OF_FAMILY.get(found.family) if found is not None else None


def exercises_by_source() -> list[tuple[str, list[Exercise]]]:
    """What can be put before a class, by the source's name, in the order of the plan."""
    return [
        (str(source.label), [e for key, e in EXERCISES.items() if source_of(key) == source])
        for source in Source
    ]


def class_context(exercise: ClassExercise, student: Student | None = None) -> Context:
    """What a class exercise is about: for everybody the same, or this student's own hand
    (without a student, an example)."""
    if exercise.source == Source.CLASS:
        return Context(results=class_results(exercise.class_session_id))
    if exercise.source == Source.DECK:
        return EMPTY
    if student is None:
        return _example(exercise.seed)
    return last_hand(student, exercise.class_session_id, exercise.seed)


@dataclass(frozen=True, slots=True)
class ClassAnswers:
    """How a class exercise goes, without names: how many students are here, have answered, had
    it right at their first try, have it by now; how many attempts there were; misconceptions
    with how many students each was recognised in, the commonest first."""

    here: int
    answered: int
    right_at_once: int
    right: int
    attempts: int
    misconceptions: tuple[tuple[str, int], ...]

    @property
    def may_be_shared(self) -> bool:
        """Whether figures may be shown to the room."""
        return self.answered >= FEWEST

    @property
    def version(self) -> str:
        """Differs whenever something of this does."""
        return f"{self.here}.{self.answered}.{self.right}.{self.attempts}"


def class_answers(exercise: ClassExercise) -> ClassAnswers:
    """The answers to a class exercise so far."""
    here = Attendance.objects.filter(
        class_session=exercise.class_session_id, state=Attendance.State.HERE
    )
    given = Answer.objects.filter(question__class_exercise=exercise)
    rows = list(given.values_list("question", "number", "right", "misconceptions"))
    codes = {(question, code) for question, _n, _right, found in rows for code in found}
    counts = Counter(code for _question, code in codes)
    titles = {code.value: code.title for code in Misconception}
    return ClassAnswers(
        here=here.count(),
        answered=len({question for question, *_rest in rows}),
        right_at_once=sum(right for _q, number, right, _m in rows if number == 0),
        right=len({question for question, _n, right, _m in rows if right}),
        attempts=len(rows),
        misconceptions=tuple(
            (titles[code], n) for code, n in counts.most_common() if code in titles
        ),
    )


def exercises_put(session: ClassSession) -> QuerySet[ClassExercise]:
    """What was put before this class session and taken away again, the latest first, with
    ``students``, how many answered."""
    put = ClassExercise.objects.filter(class_session=session, ended__isnull=False)
    answered = Count("questions__answers__question", distinct=True)
    return put.annotate(students=answered).order_by("-pk")
