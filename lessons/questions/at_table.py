"""Questions beside the table: whose seat it is, at which moments one is offered, about what."""

from __future__ import annotations

from dataclasses import dataclass

from games.models import SessionSettings
from games.rules import Round
from games.tables.observation import round_observation
from games.tables.state import TableState, load_table
from games.tables.viewers import Browser, viewer_by_browser
from lessons.exercises import EXERCISES
from lessons.exercises.contexts import Context, FinishedRound, OwnHand
from lessons.models import Forecast, Question
from lessons.questions.learners import Learner
from xactika_site.classrooms.selectors import NotFound

Questions = SessionSettings.Questions


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
        """The key of the present round's moment at which a question may be asked; "" if there
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
        if not any(trick.plays for trick in (*round_.tricks, round_.trick) if trick):
            return DEAL
        return SLOUGH if _trick_has_slough(round_) else ""

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
        """The keys of the exercises that may be asked about exactly this hand now."""
        round_ = self.state.round
        left_out: set[str] = set()
        if round_ is not None and round_.to_move != self.seat:
            left_out |= LEADS
        if self.forecast() is None:
            left_out.add("best-bid")
        return tuple(key for key in MOMENTS.get(self.moment, ()) if key not in left_out)

    def context(self) -> Context:
        """The context of questions: what this seat may see now."""
        state = self.state
        assert state.round is not None
        stored = self.forecast()
        percents = tuple(stored.percents) if stored else None
        hand = OwnHand.by(round_observation(state, self.seat), forecast=percents)
        is_over = state.round.is_over and state.is_shown
        return Context(hand=hand, round=FinishedRound.by(state.round) if is_over else None)

    def forecast(self) -> Forecast | None:
        """What this seat's person has forecast for the present deal."""
        forecasts = Forecast.objects.filter(deal=self.state.deal_id, seat=self.seat)
        return forecasts.filter(**self.learner.owner).first()

    def question(self) -> Question | None:
        """The question asked last about the present deal."""
        questions = Question.objects.filter(deal=self.state.deal_id, **self.learner.owner)
        return questions.order_by("-pk").first()

    def offers(self) -> bool:
        """Whether a question can be asked now that was not asked yet."""
        if not self.moment:
            return False
        questions = Question.objects.filter(deal=self.state.deal_id, **self.learner.owner)
        if questions.filter(moment=self.moment).exists():
            return False
        context = self.context()
        return any(EXERCISES[key].suits(context) for key in self.exercises())


def own_seat(table_id: str, browser: Browser, place: str | None = None) -> OwnSeat:
    """The seat that this browser holds at the table; NotFound for anybody who holds none, and
    at homework, where nothing is asked beside the table."""
    viewer = viewer_by_browser(table_id, browser, place)
    state = load_table(table_id)
    if viewer.seat is None or state.is_homework:
        raise NotFound
    questions: str = Questions.DURING
    learner = Learner(guest=browser.guest)
    if state.class_session_id is not None:
        student, _session = browser.at(state.class_session_id).present
        learner = Learner(student=student)
        questions = SessionSettings.objects.values_list("questions", flat=True).get(
            class_session=state.class_session_id
        )
    return OwnSeat(state, viewer.seat, learner, questions)


def _trick_has_slough(round_: Round) -> bool:
    """Whether somebody has sloughed in the trick in play."""
    trick = round_.trick
    if trick is None or trick.call is None:
        return False
    call = trick.call
    return any(not card.shows(call) for _seat, card in trick.plays)
