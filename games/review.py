"""A finished round looked back on from one seat: its bid against the forecast, the moves that
mattered, and what the bots were thinking. All of it is public by then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games import foresight
from games.analysis.odds import Forecast, Promise
from games.analysis.outcomes import Option, Outcome, unpacked
from games.foresight import Moment, foresee, look_back, moments
from games.models import Deal, Move
from games.odds_panel import BidPanel, panel, percent, play_words, simulated, whole
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
from games.words import call_words, number

WORLDS = foresight.WORLDS
"""Simulated deals for each move, as many as at the table: the same odds are told again."""

SHOWN = 3
"""Of the moves that cost something so many are told, the dearest first."""

LEAST = 0.25
"""Points on average below which one move is as good as another."""

MUCH, OFTEN = 0.5, 0.15
"""Points on average, and how much more often the bid comes true, below both of which the better
move was only a little better."""

WAYS = {
    "random": gettext_lazy("Beginners play anything that is allowed, and weigh nothing."),
    "tip-printed": gettext_lazy(
        "Bold bots go by a rule of thumb and weigh nothing: they bid one for each card of 9 or "
        "more."
    ),
    "tip-wikipedia": gettext_lazy(
        "Careful bots go by a rule of thumb and weigh nothing: they bid one for each 12 or 11, "
        "and one for every two of their 10s and 9s."
    ),
    "counter": gettext_lazy(
        "Counting bots count before each move, always anew, which cards can still beat theirs."
    ),
    "expert": gettext_lazy("Experts play many possible deals to their end before each move."),
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
    before: str
    after: str
    lines: tuple[BidLine, ...]
    is_fine: bool


@dataclass(frozen=True, slots=True)
class Slip:
    """A play that cost something, beside the one that would have been best."""

    lost: float
    trick: int
    made: Play
    best: Play
    is_little: bool
    words: tuple[str, ...]

    @property
    def made_words(self) -> str:
        return (
            _("yours, calling %s") % call_words(self.made.call)
            if self.made.call
            else _("yours")
        )

    @property
    def best_words(self) -> str:
        return (
            _("better, calling %s") % call_words(self.best.call)
            if self.best.call
            else _("better")
        )


@dataclass(frozen=True, slots=True)
class Find:
    """The play that was further ahead of the next best card than any other."""

    ahead: float
    trick: int
    card: Card
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Thought:
    """Why a bot made a move, as it saw it then: the chance of the trick (and whether it took
    it), the tricks and points it expected in the whole round, and what the next best move
    promised. Empty where it did not go by that, or had no choice."""

    trick: int | None
    move: str
    chance: str
    tricks: str
    points: str
    next_best: str
    took: bool


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot at the table: what it made of the round, and its thoughts in their order."""

    name: str
    made: str
    has_points: bool
    thoughts: tuple[Thought, ...]


@dataclass(frozen=True, slots=True)
class Level:
    """The bots at the table that play in one way."""

    way: str
    bots: tuple[Bot, ...]


@dataclass(frozen=True, slots=True)
class Review:
    """What the page of a round says; ``judged`` counts the plays with a choice that a person
    made, and ``played_by_bot`` those moves of the seat that nobody made."""

    summary: tuple[str, ...]
    bid: BidStory | None
    turning: str
    slips: tuple[Slip, ...]
    find: Find | None
    judged: int
    played_by_bot: int
    levels: tuple[Level, ...]

    @property
    def has_thoughts(self) -> bool:
        return any(bot.thoughts for level in self.levels for bot in level.bots)

    @property
    def has_points(self) -> bool:
        return any(bot.has_points for level in self.levels for bot in level.bots)


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
    judged = [_judge(turn) for turn in plays]
    slips = [found for found in judged if isinstance(found, Slip)]
    slips = sorted(slips, key=lambda slip: -slip.lost)[:SHOWN]
    finds = [found for found in judged if isinstance(found, Find)]
    bid = next((turn for turn in turns.values() if turn.is_bid), None)
    story = None if bid is None else _bid_story(past.round, seat, bid)
    return Review(
        summary=_summary(past.round, seat, story, slips, bool(plays)),
        bid=story,
        turning=_turning(past.round, seat),
        slips=tuple(sorted(slips, key=lambda slip: slip.trick)),
        find=max(finds, key=lambda find: find.ahead, default=None),
        judged=len(plays),
        played_by_bot=len(turns) - len(own),
        levels=_levels(past, seat),
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
    facts = {"bid": round_.bids[seat], "taken": taken, "points": number(gained, 0)}
    best = (min if round_.variant is Variant.LOSE else max)(round_.taken)
    if story is None:
        came = ngettext("You took %(taken)d trick", "You took %(taken)d tricks", taken)
        if taken != best:
            end = _("%(came)s; the best seat took %(best)d.")
        elif round_.variant is Variant.LOSE:
            end = _("%(came)s: nobody took fewer.")
        else:
            end = _("%(came)s: nobody took more.")
        came = end % {"came": came % facts, "best": best}
    else:
        came = ngettext(
            "You bid %(bid)d and took %(taken)d: %(points)s point.",
            "You bid %(bid)d and took %(taken)d: %(points)s points.",
            abs(gained),
        )
    fine = story is None or story.is_fine
    if not has_plays:
        verdict = ""
    elif fine and not slips and gained < 0:
        verdict = _(
            "You decided well: nothing could clearly have been done better. It can go wrong "
            "all the same."
        )
    elif fine and not slips:
        verdict = _("Well done: nothing you did could clearly have been done better.")
    elif fine and all(slip.is_little for slip in slips):
        verdict = _("Well played: only small things could have been done better.")
    elif fine:
        verdict = ngettext(
            "One card could have been played better.",
            "%(n)d cards could have been played better.",
            len(slips),
        ) % {"n": len(slips)}
    elif not slips:
        verdict = _("You played your cards well; it was the bid that could have been better.")
    else:
        verdict = _("Both the bid and the play could have been better.")
    return tuple(filter(None, (came % facts if story else came, verdict)))


def _turning(round_: Round, seat: int) -> str:
    """The trick from which on the bid could not come true any more."""
    bid = round_.bids[seat]
    if bid is None or bid == round_.taken[seat]:
        return ""
    taken = 0
    for n, trick in enumerate(round_.tricks, start=1):
        taken += trick.winner == seat
        if taken > bid:
            return _("Trick %(n)d was the one too many for your bid.") % {"n": n}
        if taken + HAND_SIZE - n < bid:
            return _("From trick %(n)d on your bid was out of reach.") % {"n": n}
    return ""


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
        before=_before(forecast, made, best, is_fine),
        after=_after(forecast, after, made, round_.taken[seat]),
        lines=tuple(
            BidLine(
                number=n,
                before=number(forecast.bids[n].expected),
                after=number(after.bids[n].expected),
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
            "When you bid, you saw only your own cards. For such a hand your bid of %(made)d "
            "is the best there is: %(own)s points on average."
        )
    elif is_fine:
        words = _(
            "When you bid, you saw only your own cards. For such a hand your bid of %(made)d "
            "is nearly as good as the best: %(own)s points on average, a bid of %(best)d "
            "brings %(top)s."
        )
    else:
        words = _(
            "When you bid, you saw only your own cards. For such a hand your bid of %(made)d "
            "brings %(own)s points on average; a bid of %(best)d is better and brings %(top)s."
        )
    return words % {
        "made": made,
        "best": best,
        "own": number(forecast.bids[made].expected),
        "top": number(forecast.bids[best].expected),
    }


def _after(forecast: Forecast, after: Forecast, made: int, taken: int) -> str:
    """What the same deal brings when bots play it over and over, with this bid or another."""
    best, expected = after.best, forecast.best
    assert best is not None
    assert expected is not None
    own, top = after.bids[made], after.bids[best]
    facts = {
        "worlds": whole(own.worlds),
        "made": made,
        "share": percent(own.tricks[made] / own.worlds),
        "own": number(own.expected),
        "best": best,
        "usual": expected,
        "top": number(top.expected),
    }
    words = _(
        "Now all hands are known. In %(worlds)s replays of this very deal by bots, a player "
        "on your seat who aimed at %(made)d took just that in %(share)s of them: %(own)s "
        "points on average."
    )
    could_be_known = not _is_clearly_better(forecast.bids[expected], forecast.bids[best])
    if _is_clearly_better(top, own):
        more = _("Aiming at %(best)d brought most, %(top)s points.")
        if not could_be_known:
            more += " " + _("Nobody could know that beforehand.")
    elif _is_clearly_better(forecast.bids[expected], forecast.bids[made]):
        more = _("No other bid did clearly better: this deal was kind to yours.")
    else:
        more = _("No other bid did clearly better.")
    usual = after.bids[expected]
    if own.expected > usual.expected and _is_clearly_better(own, usual):
        more += " " + _("A bid of %(usual)d, the best for such hands, would have brought less.")
    if own.tricks[made] > own.worlds / 2 and taken != made:
        more += " " + _("At your table the others played differently from those bots.")
    return f"{words % facts} {more % facts}"


# The play.


def _judge(turn: Moment) -> Slip | Find | None:
    """What this play cost on average, or how far it was ahead of any other card, if that can
    be told from chance."""
    found = foresee(turn.observation, worlds=WORLDS)
    assert isinstance(found, tuple)
    assert isinstance(turn.move, Play)
    sign = -1 if turn.observation.variant is Variant.LOSE else 1

    def worth(promise: Promise) -> float:
        return sign * promise.outcome.expected

    best = max(found, key=worth)
    made = next(promise for promise in found if promise.play == turn.move)
    if _is_clearly_better(best.outcome, made.outcome):
        return Slip(
            lost=worth(best) - worth(made),
            trick=turn.trick,
            made=made.play,
            best=best.play,
            is_little=_is_little(turn, made, best),
            words=_slip_words(turn, made, best),
        )
    others = [promise for promise in found if promise.play.card != made.play.card]
    if not others:
        return None
    other = max(others, key=worth)
    ahead = worth(made) - worth(other)
    if ahead <= 0 or not _is_clearly_better(made.outcome, other.outcome):
        return None
    facts = {
        "made": _played(turn, made),
        "other": _played(turn, other),
        "ahead": number(ahead),
    }
    if turn.observation.variant is Variant.BID:
        words = _(
            "You played %(made)s: %(ahead)s points more on average than with %(other)s, the "
            "next best card."
        )
    elif turn.observation.variant is Variant.WIN:
        words = _(
            "You played %(made)s: %(ahead)s tricks more on average than with %(other)s, the "
            "next best card."
        )
    else:
        words = _(
            "You played %(made)s: %(ahead)s tricks fewer on average than with %(other)s, the "
            "next best card."
        )
    return Find(
        ahead=ahead,
        trick=turn.trick,
        card=made.play.card,
        words=tuple(filter(None, (words % facts, _needed(turn), _why(turn, made, other)))),
    )


def _played(turn: Moment, promise: Promise) -> str:
    return play_words(promise.play, turn.observation.hand)


def _card(turn: Moment, promise: Promise) -> str:
    return play_words(Play(promise.play.card), turn.observation.hand)


def _slip_words(turn: Moment, made: Promise, best: Promise) -> tuple[str, ...]:
    """What was played and what was better, why, and by how much."""
    facts = {"made": _played(turn, made), "best": _played(turn, best)}
    if _is_little(turn, made, best):
        said = _("You played %(made)s; %(best)s was a little better.")
    else:
        said = _("You played %(made)s; %(best)s was better.")
    words = (said % facts, _needed(turn), _why(turn, made, best), _cost(turn, made, best))
    return tuple(filter(None, words))


def _is_little(turn: Moment, made: Promise, best: Promise) -> bool:
    lost = abs(best.outcome.expected - made.outcome.expected)
    often = max(_hits(turn, best) - _hits(turn, made), 0)
    return lost < MUCH and often < OFTEN


def _hits(turn: Moment, promise: Promise) -> float:
    """How often the bid comes true with this play; 0 without bids."""
    seat = turn.observation.seat
    assert seat is not None
    bid = turn.observation.bids[seat]
    return 0 if bid is None else promise.outcome.tricks[bid] / promise.outcome.worlds


def _why(turn: Moment, made: Promise, other: Promise) -> str:
    """In what the two plays differ: the chance of this trick, or the card that is left."""
    gap = abs((made.outcome.chance or 0) - (other.outcome.chance or 0))
    if gap >= 0.05:
        words = _(
            "Yours takes the trick in %(own)s of deals%(beaten)s, the other in "
            "%(other)s%(less)s."
        )
        return words % {
            "own": simulated(made),
            "beaten": _beaten(made),
            "other": simulated(other),
            "less": _beaten(other),
        }
    if made.play.card == other.play.card:
        return _("Both calls take the trick as often; but others part with other cards.")
    return _kept(turn, made, other)


def _beaten(promise: Promise) -> str:
    """How many unseen cards could still take the trick, in brackets."""
    if not promise.safety.takes or not promise.safety.opponents:
        return ""
    words = ngettext(
        " (%(n)d card you had not seen could beat it)",
        " (%(n)d cards you had not seen could beat it)",
        promise.safety.beaters,
    )
    return words % {"n": promise.safety.beaters}


def _kept(turn: Moment, made: Promise, other: Promise) -> str:
    """Which card is the better one to keep, where both take the trick equally often."""
    seen = turn.observation
    assert seen.seat is not None
    bid = seen.bids[seen.seat]
    wants_none = seen.variant is Variant.LOSE or (
        bid is not None and seen.taken[seen.seat] >= bid
    )
    if other.play.card.value == made.play.card.value:
        return _("Here both do the same: what matters is the card that is left afterwards.")
    sign = -1 if seen.variant is Variant.LOSE else 1
    high, low = sorted((made, other), key=lambda p: -p.play.card.value)
    is_high_better = sign * (high.outcome.expected - low.outcome.expected) > 0
    if wants_none and is_high_better:
        words = _(
            "Here both do the same; but %(high)s is the card more likely to take a later "
            "trick that you do not want, so it is the one to part with."
        )
    elif not wants_none and not is_high_better:
        words = _(
            "Here both do the same; but %(high)s is the card more likely to take a later "
            "trick, so it is the one to keep."
        )
    else:
        words = _("Here both do the same: what matters is the card that is left afterwards.")
    return words % {"high": _card(turn, high)}


def _cost(turn: Moment, made: Promise, best: Promise) -> str:
    """What the better card brings more, on average."""
    lost = abs(best.outcome.expected - made.outcome.expected)
    facts = {"lost": number(lost)}
    seen = turn.observation
    assert seen.seat is not None
    bid = seen.bids[seen.seat]
    if bid is not None and seen.taken[seen.seat] > bid:
        return _("Each further trick costs a point: %(lost)s on average.") % facts
    if bid is not None:
        facts |= {"own": percent(_hits(turn, made)), "other": percent(_hits(turn, best))}
        return (
            _(
                "In the end your bid comes true in %(own)s of deals, with the better card in "
                "%(other)s: %(lost)s points more on average."
            )
            % facts
        )
    if seen.variant is Variant.WIN:
        return _("That is %(lost)s tricks more in the end, on average.") % facts
    return _("That is %(lost)s tricks fewer in the end, on average.") % facts


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


def _levels(past: PastRound, seat: int) -> tuple[Level, ...]:
    """Who was played by a bot, from the next seat on clockwise, the own one last; those of one
    level together, in the order of the first of them."""
    seats = past.round.seats
    found: dict[str, list[Bot]] = {}
    for other in ((seat + k) % seats for k in range(1, seats + 1)):
        made = [
            (n, move)
            for n, move in enumerate(past.moves)
            if move.seat == other and move.mover != Move.Mover.PERSON
        ]
        if made:
            turns = past.turns(other)
            thoughts = tuple(_thought(past, turns[n], move) for n, move in made)
            if not any(move.reason for _n, move in made):
                thoughts = ()
            name = _("For you") if other == seat else past.names[other]
            # Without bids the tricks are the points.
            has_points = past.round.variant is Variant.BID and any(t.points for t in thoughts)
            bot = Bot(name, _result(past.round, other), has_points, thoughts)
            found.setdefault(made[-1][1].level, []).append(bot)
    return tuple(Level(str(WAYS.get(level, "")), tuple(bots)) for level, bots in found.items())


def _result(round_: Round, seat: int) -> str:
    taken, bid = round_.taken[seat], round_.bids[seat]
    if bid is None:
        return _("took %(taken)d") % {"taken": taken}
    return _("bid %(bid)d, took %(taken)d") % {"bid": bid, "taken": taken}


def _thought(past: PastRound, turn: Moment, move: Move) -> Thought:
    """Why a bot made this move. A counting bot weighs tricks when it bids; when it plays, what
    it adds up is no forecast."""
    options = unpacked(move.reason)
    hand = turn.observation.hand
    trick = None if turn.is_bid else turn.trick
    took = trick is not None and past.round.tricks[trick - 1].winner == move.seat
    if not options:
        assert isinstance(turn.move, Bid | Play)
        words = (
            str(turn.move.number) if isinstance(turn.move, Bid) else play_words(turn.move, hand)
        )
        return Thought(trick, words, "", "", "", _("no choice"), took)
    first, *others = options
    next_best = next((option for option in others if option.points is not None), None)
    return Thought(
        trick=trick,
        move=_named(first, hand),
        chance="" if first.chance is None else percent(first.chance, short=True),
        tricks="" if first.points is None and trick is not None else number(first.tricks),
        points="" if first.points is None else number(first.points),
        next_best="" if next_best is None else _next_best(first, next_best, hand, past.round),
        took=took,
    )


def _named(option: Option, hand: Sequence[Card]) -> str:
    if isinstance(option.move, Bid):
        return str(option.move.number)
    return play_words(option.move, hand)


def _next_best(first: Option, other: Option, hand: Sequence[Card], round_: Round) -> str:
    promised = number(other.points or 0)
    if promised == number(first.points or 0):
        return _("%(other)s looked as good") % {"other": _named(other, hand)}
    if round_.variant is Variant.BID:
        words = _("%(other)s looked like %(points)s points")
    else:
        words = _("%(other)s looked like %(points)s tricks")
    return words % {"other": _named(other, hand), "points": promised}
