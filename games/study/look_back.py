"""A finished round looked back on from one seat: its bid against the forecast, the moves that
mattered, and what the bots were thinking. All of it is public by then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.analysis.odds import Forecast, Promise
from games.analysis.outcomes import Outcome
from games.models import Move
from games.rules import HAND_SIZE, Bid, Play, Round, Trick, Variant, score_round
from games.study import forecasts as foresight
from games.study.forecasts import Moment, foresee, look_back
from games.study.odds import BidPanel, panel, play_words, simulated, whole
from games.study.past import PastRound
from games.study.thoughts import Level, levels
from games.words import call_words, number, percent

WORLDS = foresight.WORLDS
"""Simulated deals for each move, as many as at the table: the same odds are told again."""

SHOWN = 3
"""Of the moves that cost something so many are told, the dearest first."""

LEAST = 0.25
"""Points on average below which one move is as good as another."""

MUCH, OFTEN = 0.5, 0.15
"""Points on average, and how much more often the bid comes true, below both of which the better
move was only a little better."""

RARELY = 0.1
"""The share of replays below which a round that ended as this one did is an exception."""


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
    """The bid against what was to be expected, and against the cards as they lay; the hand's
    codes, as at the table the highest first."""

    hand: tuple[str, ...]
    panel: BidPanel
    before: str
    after: str
    lines: tuple[BidLine, ...]
    is_fine: bool


@dataclass(frozen=True, slots=True)
class Slip:
    """A play that cost something, in the trick as it went, beside the one that would have
    been best."""

    lost: float
    trick: int
    played: Trick
    best: Play
    is_call: bool
    is_little: bool
    words: tuple[str, ...]

    @property
    def best_words(self) -> str:
        if self.best.call and not self.is_call:
            return _("better, calling %s") % call_words(self.best.call)
        return _("better")


@dataclass(frozen=True, slots=True)
class Find:
    """The play that was further ahead of the next best card than any other."""

    ahead: float
    trick: int
    played: Trick
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Review:
    """What the page of a round says; ``names`` are those under a trick's cards, ``judged``
    counts the plays with a choice that a person made, and ``played_by_bot`` those moves of the
    seat that nobody made."""

    summary: tuple[str, ...]
    bid: BidStory | None
    turning: str
    slips: tuple[Slip, ...]
    rest: str
    find: Find | None
    names: tuple[str, ...]
    judged: int
    played_by_bot: int
    levels: tuple[Level, ...]

    @property
    def has_thoughts(self) -> bool:
        return any(bot.thoughts for level in self.levels for bot in level.bots)

    @property
    def has_tricks(self) -> bool:
        return any(bot.has_tricks for level in self.levels for bot in level.bots)

    @property
    def has_points(self) -> bool:
        return any(bot.has_points for level in self.levels for bot in level.bots)


def review(past: PastRound, seat: int) -> Review:
    """Look back on this seat's round. Simulates, and waits for it; no database.

    Raises analysis.NotReady.
    """
    turns = past.turns(seat)
    own = [turn for n, turn in turns.items() if past.moves[n].mover == Move.Mover.PERSON]
    plays = [turn for turn in own if not turn.is_bid and len(turn.observation.legal) > 1]
    judged = [_judge(turn, past.round.tricks[turn.trick - 1]) for turn in plays]
    slips = [found for found in judged if isinstance(found, Slip)]
    slips.sort(key=lambda slip: -slip.lost)
    shown, more = slips[:SHOWN], len(slips[SHOWN:])
    finds = [found for found in judged if isinstance(found, Find)]
    bid = next((turn for turn in own if turn.is_bid), None)
    story = None if bid is None else _bid_story(past.round, seat, bid)
    return Review(
        summary=_summary(past.round, seat, story, slips, bool(plays)),
        bid=story,
        turning=_turning(past.round, seat) if story else "",
        slips=tuple(sorted(shown, key=lambda slip: slip.trick)),
        rest=_rest(more) if slips else "",
        find=max(finds, key=lambda find: find.ahead, default=None),
        names=tuple(_("You") if n == seat else name for n, name in enumerate(past.names)),
        judged=len(plays),
        played_by_bot=len(turns) - len(own),
        levels=levels(past, seat),
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
    facts["best"] = (min if round_.variant is Variant.LOSE else max)(round_.taken)
    if story is not None:
        came = ngettext(
            "You bid %(bid)d and took %(taken)d: %(points)s point.",
            "You bid %(bid)d and took %(taken)d: %(points)s points.",
            abs(gained),
        )
    elif round_.variant is Variant.BID:
        came = ngettext(
            "%(bid)d was bid for you, and you took %(taken)d: %(points)s point.",
            "%(bid)d was bid for you, and you took %(taken)d: %(points)s points.",
            abs(gained),
        )
    else:
        came = ngettext("You took %(taken)d trick.", "You took %(taken)d tricks.", taken)
        if taken != facts["best"]:
            came += " " + _("The best player took %(best)d.")
        elif round_.variant is Variant.LOSE:
            came += " " + _("Nobody took fewer.")
        else:
            came += " " + _("Nobody took more.")
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
    return tuple(filter(None, (came % facts, verdict)))


def _rest(more: int) -> str:
    """The plays beside those that are shown."""
    if not more:
        return _("In your other tricks you had no choice, or none that was clearly better.")
    words = ngettext(
        "%(n)d more card could have been played a little better.",
        "%(n)d more cards could have been played a little better.",
        more,
    )
    return words % {"n": more}


def _turning(round_: Round, seat: int) -> str:
    """The trick from which on the bid could not come true any more."""
    bid = round_.bids[seat]
    if bid is None or bid == round_.taken[seat]:
        return ""
    taken = 0
    for n, trick in enumerate(round_.tricks, start=1):
        taken += trick.winner == seat
        if taken > bid and round_.taken[seat] == taken:
            return _("Trick %(n)d was the one too many for your bid.") % {"n": n}
        if taken > bid:
            return _("Trick %(n)d was the first one too many for your bid.") % {"n": n}
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
    is_fine = not _differ(forecast.bids[best], forecast.bids[made])
    cards = sorted(turn.observation.hand, key=lambda card: (-card.value, card.code))
    return BidStory(
        hand=tuple(card.code for card in cards),
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


def _differ(one: Outcome, other: Outcome) -> bool:
    """By more than LEAST, and by more than two standard errors (both play the same deals, so
    the true error is smaller)."""
    gap = abs(one.expected - other.expected)
    return gap > max(LEAST, 2 * sqrt(one.error**2 + other.error**2))


def _before(forecast: Forecast, made: int, best: int, is_fine: bool) -> str:
    own, top = forecast.bids[made], forecast.bids[best]
    if made == best:
        words = _(
            "When you bid, you saw only your own cards. For such a hand your bid of %(made)d "
            "is the best there is: it comes true in %(share)s of deals and brings %(own)s "
            "points on average."
        )
    elif is_fine:
        words = _(
            "When you bid, you saw only your own cards. For such a hand your bid of %(made)d "
            "is nearly as good as the best: it comes true in %(share)s of deals and brings "
            "%(own)s points on average, a bid of %(best)d brings %(top)s."
        )
    else:
        words = _(
            "When you bid, you saw only your own cards. For such a hand your bid of %(made)d "
            "comes true in %(share)s of deals and brings %(own)s points on average; a bid of "
            "%(best)d is better and brings %(top)s."
        )
    return words % {
        "made": made,
        "best": best,
        "share": percent(own.tricks[made] / own.worlds),
        "own": number(own.expected),
        "top": number(top.expected),
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
        "Now all hands are known. In %(worlds)s replays of this very deal by simple bots, a "
        "player on your seat who aimed at %(made)d took just that in %(share)s of them: "
        "%(own)s points on average."
    )
    could_be_known = not _differ(forecast.bids[expected], forecast.bids[best])
    if _differ(top, own):
        more = _("Aiming at %(best)d brought most, %(top)s points.")
        if not could_be_known:
            more += " " + _("Nobody could know that beforehand.")
    elif _differ(forecast.bids[expected], forecast.bids[made]):
        more = _("No other bid did clearly better: this deal was kind to yours.")
    else:
        more = _("No other bid did clearly better.")
    usual = after.bids[expected]
    if own.expected > usual.expected and _differ(own, usual):
        more += " " + _("A bid of %(usual)d, the best for such hands, would have brought less.")
    if own.tricks[taken] < RARELY * own.worlds:
        more += " " + _(
            "At your table it went otherwise: neither you nor the others are those bots."
        )
    return f"{words % facts} {more % facts}"


# The play.


def _judge(turn: Moment, played: Trick) -> Slip | Find | None:
    """What this play cost on average, or how far it was ahead of any other card, if that can
    be told from chance."""
    found = foresee(turn.observation, worlds=WORLDS)
    assert isinstance(found, tuple)
    assert isinstance(turn.move, Play)
    worth = partial(_worth, turn)
    best = max(found, key=worth)
    made = next(promise for promise in found if promise.play == turn.move)
    if _differ(best.outcome, made.outcome):
        return Slip(
            lost=worth(best) - worth(made),
            trick=turn.trick,
            played=played,
            best=best.play,
            is_call=made.play.card == best.play.card,
            is_little=_is_little(turn, made, best),
            words=_slip_words(turn, made, best),
        )
    others = [promise for promise in found if promise.play.card != made.play.card]
    if not others:
        return None
    other = max(others, key=worth)
    ahead = worth(made) - worth(other)
    if ahead <= 0 or not _differ(made.outcome, other.outcome):
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
        played=played,
        words=tuple(filter(None, (words % facts, _needed(turn), _why(turn, made, other)))),
    )


def _played(turn: Moment, promise: Promise) -> str:
    return play_words(promise.play, turn.observation.hand)


def _slip_words(turn: Moment, made: Promise, best: Promise) -> tuple[str, ...]:
    """What was played and what was better, why, and by how much."""
    is_little, is_call = _is_little(turn, made, best), made.play.card == best.play.card
    facts = {"made": _played(turn, made), "best": _played(turn, best)}
    if is_call:
        assert made.play.call is not None
        assert best.play.call is not None
        facts = {"made": call_words(made.play.call), "best": call_words(best.play.call)}
    if is_call and is_little:
        said = _("With this card you called %(made)s; %(best)s was a little better.")
    elif is_call:
        said = _("With this card you called %(made)s; %(best)s was better.")
    elif is_little:
        said = _("You played %(made)s; %(best)s was a little better.")
    else:
        said = _("You played %(made)s; %(best)s was better.")
    words = (said % facts, _needed(turn), _why(turn, made, best), _cost(turn, made, best))
    return tuple(filter(None, words))


def _worth(turn: Moment, promise: Promise) -> float:
    """What it brings in the end, in what the game is about: in lose, tricks are a loss."""
    expected = promise.outcome.expected
    return -expected if turn.observation.variant is Variant.LOSE else expected


def _bid(turn: Moment) -> int | None:
    assert turn.observation.seat is not None
    return turn.observation.bids[turn.observation.seat]


def _need(turn: Moment) -> int | None:
    """How many tricks the seat still needed for its bid, negative beyond it; None without."""
    assert turn.observation.seat is not None
    bid = _bid(turn)
    return None if bid is None else bid - turn.observation.taken[turn.observation.seat]


def _hits(turn: Moment, promise: Promise) -> float:
    """How often the bid comes true with this play; 0 without bids."""
    bid = _bid(turn)
    return 0 if bid is None else promise.outcome.tricks[bid] / promise.outcome.worlds


def _is_little(turn: Moment, made: Promise, best: Promise) -> bool:
    lost = _worth(turn, best) - _worth(turn, made)
    return lost < MUCH and _hits(turn, best) - _hits(turn, made) < OFTEN


def _why(turn: Moment, made: Promise, other: Promise) -> str:
    """In what the two plays differ: the chance of this trick, or the card that is left."""
    gap = abs((made.outcome.chance or 0) - (other.outcome.chance or 0))
    if gap >= 0.05:
        words = _(
            "Yours takes the trick in %(own)s of deals%(beaten)s, the other in "
            "%(other)s%(less)s."
        )
        words %= {
            "own": simulated(made),
            "beaten": _beaten(made),
            "other": simulated(other),
            "less": _beaten(other),
        }
        return " ".join(filter(None, (words, _spared(turn, made, other))))
    if made.play.card == other.play.card:
        return _("Both calls take the trick as often; but others part with other cards.")
    return _kept(turn, made, other)


def _spared(turn: Moment, made: Promise, other: Promise) -> str:
    """Why the play that takes the trick less often is the better one all the same, for a seat
    that wants tricks."""
    need = _need(turn)
    wants_none = turn.observation.variant is Variant.LOSE or (need is not None and need <= 0)
    worse, better = sorted((made, other), key=partial(_worth, turn))
    is_less = (better.outcome.chance or 0) < (worse.outcome.chance or 0)
    if wants_none or not is_less or better.play.card.value >= worse.play.card.value:
        return ""
    words = _("But %(high)s is worth more in a later trick, so it is the one to keep.")
    return words % {"high": play_words(Play(worse.play.card), turn.observation.hand)}


def _beaten(promise: Promise) -> str:
    """How many unseen cards could still take the trick, in brackets."""
    if not promise.safety.takes or not promise.safety.opponents:
        return ""
    if not promise.safety.beaters:
        return _(" (no card could beat it)")
    words = ngettext(
        " (%(n)d of the %(unseen)d cards you could not see beats it)",
        " (%(n)d of the %(unseen)d cards you could not see beat it)",
        promise.safety.beaters,
    )
    return words % {"n": promise.safety.beaters, "unseen": promise.safety.unseen}


def _kept(turn: Moment, made: Promise, other: Promise) -> str:
    """Which card is the better one to keep, where both take the trick equally often."""
    need = _need(turn)
    wants_none = turn.observation.variant is Variant.LOSE or (need is not None and need <= 0)
    low, high = sorted((made, other), key=lambda promise: promise.play.card.value)
    is_higher = high.play.card.value > low.play.card.value
    is_high_better = _worth(turn, high) > _worth(turn, low)
    chances = (made.outcome.chance or 0, other.outcome.chance or 0)
    if not made.safety.takes and not other.safety.takes:
        trick = _("Neither card can take this trick.")
    elif max(chances) < 0.05:
        trick = _("Neither card is likely to take this trick.")
    elif min(chances) > 0.95:
        trick = _("Both cards are almost sure to take this trick.")
    else:
        trick = _("Both cards take this trick about equally often.")
    if is_higher and wants_none and is_high_better:
        words = _(
            "But %(high)s is more likely to take a later trick, which you do not want, so "
            "it is the one to part with."
        )
    elif is_higher and not wants_none and not is_high_better:
        words = _(
            "But %(high)s is more likely to take a later trick, so it is the one to keep."
        )
    else:
        words = _("What matters is the card that is left afterwards.")
    card = play_words(Play(high.play.card), turn.observation.hand)
    return f"{trick} {words % {'high': card}}"


def _cost(turn: Moment, made: Promise, best: Promise) -> str:
    """What the better card brings more, on average."""
    need, variant = _need(turn), turn.observation.variant
    is_call = made.play.card == best.play.card
    if need is not None and need < 0:
        words = _("Each further trick costs a point: %(lost)s on average.")
    elif need is not None and is_call:
        words = _(
            "In the end your bid comes true in %(own)s of deals, with the better call in "
            "%(other)s: %(lost)s points more on average."
        )
    elif need is not None:
        words = _(
            "In the end your bid comes true in %(own)s of deals, with the better card in "
            "%(other)s: %(lost)s points more on average."
        )
    elif variant is Variant.WIN:
        words = _("That is %(lost)s tricks more in the end, on average.")
    else:
        words = _("That is %(lost)s tricks fewer in the end, on average.")
    return words % {
        "lost": number(_worth(turn, best) - _worth(turn, made)),
        "own": percent(_hits(turn, made)),
        "other": percent(_hits(turn, best)),
    }


def _needed(turn: Moment) -> str:
    """How the seat stood with its bid."""
    need, left = _need(turn), HAND_SIZE - len(turn.observation.tricks)
    if need is None:
        return ""
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
