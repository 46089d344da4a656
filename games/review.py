"""A finished round looked back on from one seat: its bid against the forecast, the moves that
mattered, and what the bots were thinking. All of it is public by then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.analysis.odds import Forecast, Promise
from games.analysis.outcomes import Option, Outcome, unpacked
from games.foresight import Moment, foresee, look_back, moments
from games.models import Deal, Move
from games.odds_panel import BidPanel, panel, percent, play_words, points, simulated
from games.rules import (
    HAND_SIZE,
    Bid,
    Card,
    Play,
    Round,
    Variant,
    observe,
    parse_card,
    parse_move,
    score_round,
)
from games.selectors import NotFound, TableState, may_look_back, start_round

WORLDS = 1_000
"""Simulated deals for each move (half as many for a lead): half a point is told from chance."""

SHOWN = 3
"""Of the moves that cost something so many are told, the dearest first."""

LEAST = 0.15
"""Points on average below which one move is as good as another."""

WAYS = {
    "random": gettext_lazy("plays anything that is allowed, and weighs nothing."),
    "tip-printed": gettext_lazy(
        "goes by a rule of thumb and weighs nothing: it bids one for each card of 9 or more."
    ),
    "tip-wikipedia": gettext_lazy(
        "goes by a rule of thumb and weighs nothing: it bids one for each 12 or 11, and one "
        "for every two of its 10s and 9s."
    ),
    "counter": gettext_lazy("counts the cards that can still beat its own."),
    "expert": gettext_lazy("plays many possible deals to their end before it moves."),
}


@dataclass(frozen=True, slots=True)
class PastRound:
    """A finished round as it is stored: its moves, who made them, and why."""

    round: Round
    hands: tuple[tuple[Card, ...], ...]
    moves: tuple[Move, ...]
    names: tuple[str, ...]

    def turns(self, seat: int) -> dict[int, Moment]:
        """The seat's turns, by the number of the move."""
        pairs = [(move.seat, move.text) for move in self.moves]
        return moments(observe(self.round, seat), self.hands[seat], pairs)


@dataclass(frozen=True, slots=True)
class BidLine:
    """One bid: what it promised before the round, and brings with the cards as they lay."""

    number: int
    before: str
    after: str
    comes_true: str
    is_forbidden: bool
    is_made: bool


@dataclass(frozen=True, slots=True)
class BidStory:
    """The bid against what was to be expected, and against the cards as they lay."""

    panel: BidPanel
    words: tuple[str, ...]
    lines: tuple[BidLine, ...]
    is_fine: bool


@dataclass(frozen=True, slots=True)
class Slip:
    """A play that cost something, beside the one that would have been best."""

    lost: float
    trick: int
    made: Card
    best: Card
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot at the table: its way of playing, and its thoughts in their order."""

    name: str
    way: str
    thoughts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Review:
    """What the page of a round says; ``judged`` counts the plays with a choice that a person
    made, and ``played_by_bot`` those moves of the seat that nobody made."""

    summary: tuple[str, ...]
    bid: BidStory | None
    slips: tuple[Slip, ...]
    judged: int
    played_by_bot: int
    bots: tuple[Bot, ...]


def past_round(state: TableState, number: int) -> PastRound:
    """A round of this table that is over; NotFound if there is none, or it may not be shown."""
    if not may_look_back(state, number):
        raise NotFound
    deal = Deal.objects.get(table=state.id, round=number)
    moves = tuple(Move.objects.filter(deal=deal).order_by("number"))
    round_ = start_round(deal, state.variant)
    for move in moves:
        round_ = round_.apply(parse_move(move.text))
    return PastRound(
        round=round_,
        hands=tuple(tuple(map(parse_card, hand)) for hand in deal.hands),
        moves=moves,
        names=tuple(seat.name for seat in state.seats),
    )


def review(past: PastRound, seat: int) -> Review:
    """Look back on this seat's round. Simulates, and waits for it; no database.

    Raises analysis.NotReady.
    """
    turns = past.turns(seat)
    own = [turn for n, turn in turns.items() if past.moves[n].mover == Move.Mover.PERSON]
    plays = [turn for turn in own if not turn.is_bid and len(turn.observation.legal) > 1]
    slips = sorted(filter(None, map(_slip, plays)), key=lambda slip: -slip.lost)[:SHOWN]
    bid = next((turn for turn in turns.values() if turn.is_bid), None)
    story = None if bid is None else _bid_story(past.round, seat, bid)
    return Review(
        summary=_summary(past.round, seat, story, slips, bool(plays)),
        bid=story,
        slips=tuple(slips),
        judged=len(plays),
        played_by_bot=len(turns) - len(own),
        bots=_bots(past, seat),
    )


def _summary(
    round_: Round,
    seat: int,
    story: BidStory | None,
    slips: Sequence[Slip],
    has_plays: bool,
) -> tuple[str, ...]:
    """What the round came to, and the review in a sentence."""
    taken, gained = round_.taken[seat], score_round(round_)[seat]
    facts = {"bid": round_.bids[seat], "taken": taken, "points": points(gained, 0)}
    if story is None:
        came = ngettext("You took %(taken)d trick.", "You took %(taken)d tricks.", taken)
    else:
        came = ngettext(
            "You bid %(bid)d and took %(taken)d: %(points)s point.",
            "You bid %(bid)d and took %(taken)d: %(points)s points.",
            abs(gained),
        )
    fine = story is None or story.is_fine
    if not has_plays:
        verdict = ""
    elif fine and not slips:
        verdict = _("Well done: nothing you did could clearly have been done better.")
    elif fine:
        verdict = ngettext(
            "One card could have been played better.",
            "%(n)d cards could have been played better.",
            len(slips),
        ) % {"n": len(slips)}
    elif not slips:
        verdict = _("You played your cards well; it was the bid that could have been better.")
    else:
        verdict = _("Both the bid and the play could have been better. That is how one learns.")
    return tuple(filter(None, (came % facts, verdict)))


# The bid.


def _bid_story(round_: Round, seat: int, turn: Moment) -> BidStory:
    forecast = foresee(turn.observation, worlds=WORLDS)
    after = look_back(round_, seat, worlds=WORLDS)
    assert isinstance(forecast, Forecast)
    assert isinstance(turn.move, Bid)
    told = panel(turn, forecast)
    assert isinstance(told, BidPanel)
    best, made = forecast.best, turn.move.number
    assert best is not None
    is_fine = not _is_clearly_better(forecast.bids[best], forecast.bids[made])
    return BidStory(
        panel=told,
        words=(_before(forecast, made, best, is_fine), _after(after, made)),
        lines=tuple(
            BidLine(
                number=n,
                before=points(forecast.bids[n].expected),
                after=points(after.bids[n].expected),
                comes_true=percent(after.bids[n].tricks[n] / after.bids[n].worlds),
                is_forbidden=n == forecast.forbidden,
                is_made=n == made,
            )
            for n in range(HAND_SIZE + 1)
        ),
        is_fine=is_fine,
    )


def _is_clearly_better(best: Outcome, made: Outcome) -> bool:
    """By more than LEAST, and by more than two standard errors (both play the same deals, so
    the true error is smaller)."""
    lost = abs(best.expected - made.expected)
    return lost > max(LEAST, 2 * sqrt(best.error**2 + made.error**2))


def _before(forecast: Forecast, made: int, best: int, is_fine: bool) -> str:
    if made == best:
        words = _(
            "Before the first card your bid of %(made)d was the best there was: %(own)s points "
            "on average."
        )
    elif is_fine:
        words = _(
            "Before the first card your bid of %(made)d was about as good as any: %(own)s "
            "points on average (a bid of %(best)d: %(top)s)."
        )
    else:
        words = _(
            "Before the first card a bid of %(best)d promised %(top)s points on average, your "
            "bid of %(made)d only %(own)s."
        )
    return words % {
        "made": made,
        "best": best,
        "own": points(forecast.bids[made].expected),
        "top": points(forecast.bids[best].expected),
    }


def _after(after: Forecast, made: int) -> str:
    best = after.best
    assert best is not None
    outcome = after.bids[made]
    facts = {
        "made": made,
        "share": percent(outcome.tricks[made] / outcome.worlds),
        "best": best,
        "top": points(after.bids[best].expected),
        "own": points(outcome.expected),
    }
    if best == made:
        words = _(
            "With the cards as they really lay, your bid comes true in %(share)s of replays, "
            "and no other brings more."
        )
    else:
        words = _(
            "With the cards as they really lay, your bid comes true in %(share)s of replays "
            "(%(own)s points on average); a bid of %(best)d brings most (%(top)s), as it makes "
            "you play differently. Nobody could know that beforehand."
        )
    return words % facts


# The play.


def _slip(turn: Moment) -> Slip | None:
    """What this play cost on average, if that can be told from chance."""
    found = foresee(turn.observation, worlds=WORLDS)
    assert isinstance(found, tuple)
    assert isinstance(turn.move, Play)
    sign = -1 if turn.observation.variant is Variant.LOSE else 1
    best = max(found, key=lambda promise: sign * promise.outcome.expected)
    made = next(promise for promise in found if promise.play == turn.move)
    if not _is_clearly_better(best.outcome, made.outcome):
        return None
    return Slip(
        lost=abs(best.outcome.expected - made.outcome.expected),
        trick=turn.trick,
        made=made.play.card,
        best=best.play.card,
        words=_slip_words(turn, made, best),
    )


def _slip_words(turn: Moment, made: Promise, best: Promise) -> tuple[str, ...]:
    lost = abs(best.outcome.expected - made.outcome.expected)
    facts = {
        "made": play_words(made.play, turn.observation.hand),
        "best": play_words(best.play, turn.observation.hand),
        "lost": number_format(lost, 1),
        "own": simulated(made),
        "other": simulated(best),
    }
    variant = turn.observation.variant
    if variant is Variant.BID:
        cost = _("You played %(made)s; %(best)s brings %(lost)s points more on average.")
    elif variant is Variant.WIN:
        cost = _("You played %(made)s; %(best)s brings %(lost)s tricks more on average.")
    else:
        cost = _("You played %(made)s; %(best)s takes %(lost)s tricks fewer on average.")
    gap = abs((made.outcome.chance or 0) - (best.outcome.chance or 0))
    if gap < 0.05:
        why = _(
            "This trick they take equally often: what matters is which card you still have "
            "afterwards."
        )
    else:
        why = _("Yours takes the trick in %(own)s of deals, the other in %(other)s.")
    return tuple(filter(None, (cost % facts, why % facts, _needed(turn))))


def _needed(turn: Moment) -> str:
    """How the seat stood with its bid."""
    seen = turn.observation
    assert seen.seat is not None
    bid = seen.bids[seen.seat]
    if bid is None:
        return ""
    need, left = bid - seen.taken[seen.seat], HAND_SIZE - len(seen.tricks)
    if need < 0:
        return _("You had more tricks than you bid already.")
    if need == 0:
        return _("You had all the tricks of your bid already.")
    words = ngettext(
        "You still needed %(need)d of the %(left)d tricks left.",
        "You still needed %(need)d of the %(left)d tricks left.",
        need,
    )
    return words % {"need": need, "left": left}


# The bots.


def _bots(past: PastRound, seat: int) -> tuple[Bot, ...]:
    """Who was played by a bot, from the next seat on clockwise, the own one last."""
    seats = past.round.seats
    found = []
    for number in ((seat + k) % seats for k in range(1, seats + 1)):
        made = [
            (n, move)
            for n, move in enumerate(past.moves)
            if move.seat == number and move.mover != Move.Mover.PERSON
        ]
        if made:
            level = made[-1][1].level
            thoughts = tuple(filter(None, (_thought(past, n, move) for n, move in made)))
            name = _("For you") if number == seat else past.names[number]
            found.append(Bot(name, str(WAYS.get(level, "")), thoughts))
    return tuple(found)


def _thought(past: PastRound, number: int, move: Move) -> str:
    """Why a bot made this move, in a sentence or two; nothing where it weighed nothing."""
    options = unpacked(move.reason)
    if not options:
        return ""
    first, *others = options
    if isinstance(first.move, Bid):
        return _bid_thought(first, others)
    bids = past.round.seats if past.round.variant is Variant.BID else 0
    facts = {
        "trick": (number - bids) // past.round.seats + 1,
        "play": play_words(first.move),
        "chance": percent(first.chance or 0),
        "tricks": number_format(first.tricks, 1),
    }
    said = _(
        "Trick %(trick)d: it played %(play)s. It saw a chance of %(chance)s to take the trick, "
        "and expected %(tricks)s tricks in all."
    )
    return f"{said % facts} {_next_best(first, others)}".strip()


def _bid_thought(first: Option, others: Sequence[Option]) -> str:
    assert isinstance(first.move, Bid)
    facts = {"bid": first.move.number, "tricks": number_format(first.tricks, 1)}
    said = _("It bid %(bid)d: it expected %(tricks)s tricks.") % facts
    return f"{said} {_next_best(first, others)}".strip()


def _next_best(first: Option, others: Sequence[Option]) -> str:
    """The points expected, beside those of what it liked next best."""
    if first.points is None:
        return ""
    if not others or others[0].points is None:
        return _("That promised %(points)s points.") % {"points": points(first.points)}
    other = others[0].move
    name = str(other.number) if isinstance(other, Bid) else play_words(other)
    words = _("That promised %(points)s points; next best was %(other)s with %(less)s.")
    return words % {
        "points": points(first.points),
        "other": name,
        "less": points(others[0].points),
    }
