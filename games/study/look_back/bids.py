"""A bid looked back on: what it promised, before and after the others bid."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from django.utils.translation import gettext as _

from games.analysis.odds import BidForecast
from games.analysis.outcomes import Outcome
from games.rules import HAND_SIZE, Bid, Round, by_value
from games.study.odds import forecasts as foresight
from games.study.odds.forecasts import Turn, foresee, look_back
from games.study.odds.panels import BidPanel, panel
from games.words import number, percent, points_words, sentences, units, whole

WORLDS = foresight.WORLDS
"""Simulated deals for each move, as many as at the table: the same odds are told again."""

LEAST = 0.25
"""Points on average below which one move is as good as another."""


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


# The bid.


def bid_story(round_: Round, seat: int, turn: Turn) -> BidStory:
    forecast = foresee(turn.observation, worlds=WORLDS)
    after = look_back(round_, seat, worlds=WORLDS)
    assert isinstance(forecast, BidForecast)
    assert isinstance(turn.move, Bid)
    bid_panel = panel(turn, forecast)
    assert isinstance(bid_panel, BidPanel)
    bid = turn.move.number
    is_fine = bid_is_fine(forecast, bid)
    return BidStory(
        hand=tuple(card.code for card in by_value(turn.observation.hand)),
        panel=bid_panel,
        before=_promised_words(forecast, bid, is_fine),
        after=_after_words(forecast, after, bid),
        lines=tuple(
            BidLine(
                number=n,
                before=number(forecast.bids[n].expected),
                after=number(after.bids[n].expected),
                comes_true=percent(after.bids[n].tricks[n] / after.bids[n].worlds),
                is_forbidden=n == forecast.forbidden,
                is_made=n == bid,
            )
            for n in range(HAND_SIZE + 1)
        ),
        is_fine=is_fine,
    )


def bid_is_fine(forecast: BidForecast, bid: int) -> bool:
    """Whether no allowed bid was clearly better."""
    return not differ(forecast.bids[forecast.best], forecast.bids[bid])


def promise_words(turn: Turn) -> str:
    """Sentences on what the bid that was made promised before the round, beside the best one.
    Raises analysis.NotReady."""
    forecast = foresee(turn.observation, worlds=WORLDS)
    assert isinstance(forecast, BidForecast)
    assert isinstance(turn.move, Bid)
    bid = turn.move.number
    return _promised_words(forecast, bid, bid_is_fine(forecast, bid))


def differ(one: Outcome, other: Outcome) -> bool:
    """Whether two outcomes' mean points differ by more than LEAST, and by more than two
    standard errors (both play the same deals, so the true error is smaller)."""
    gap = abs(one.expected - other.expected)
    return gap > max(LEAST, 2 * sqrt(one.error**2 + other.error**2))


def _promised_words(forecast: BidForecast, bid: int, is_fine: bool) -> str:
    best = forecast.best
    own, top = forecast.bids[bid], forecast.bids[best]
    words = _(
        "With what you saw, a bid of %(made)d works in %(share)s of deals: %(own)s on average."
    )
    if is_fine:
        better = _("No other bid is clearly better.")
    else:
        better = _(
            "Better: bid %(best)d and play for it. That works in %(top_share)s: %(top)s."
        )
    return sentences(words, better) % {
        "made": bid,
        "best": best,
        "share": percent(own.tricks[bid] / own.worlds),
        "own": points_words(own.expected),
        "top_share": percent(top.tricks[best] / top.worlds),
        "top": points_words(top.expected),
    }


def _after_words(forecast: BidForecast, after: BidForecast, bid: int) -> str:
    """Sentences on what the same deal brings bots over and over, with this bid or another."""
    best, expected = after.best, forecast.best
    own, top = after.bids[bid], after.bids[best]
    facts = {
        "worlds": whole(own.worlds),
        "made": bid,
        "share": percent(own.tricks[bid] / own.worlds),
        "own": points_words(own.expected),
        "best": best,
        "top": points_words(top.expected),
    }
    words = [
        _(
            "Bots replayed this very deal %(worlds)s times. A bid of %(made)d worked in "
            "%(share)s: %(own)s on average."
        )
    ]
    could_be_known = not differ(forecast.bids[expected], forecast.bids[best])
    if differ(top, own):
        words.append(
            _("A bid of %(best)d brought more: %(top)s.")
            if units(top.expected, 1)
            else _("A bid of %(best)d brought more.")
        )
        if not could_be_known:
            words.append(_("You couldn’t know that before."))
    else:
        words.append(_("No other bid did clearly better."))
    return sentences(*words) % facts
