"""A seat's odds as it reads them: sentences, a chart and a table, from what it foresaw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.analysis.counting import safety
from games.analysis.odds import BidForecast, Promise
from games.rules import Bid, Card, Play, Shape, Variant, move_text
from games.study.odds.forecasts import Foresight, Turn
from games.study.odds.words import (
    card_mark,
    chance,
    error_words,
    play_words,
    safety_words,
    simulated_percent,
)
from games.words import (
    call_words,
    colon,
    hook_words,
    number,
    one_of,
    percent,
    percent_sign,
    points_words,
    sentences,
    whole,
)

LEFT, CELL, GAP, SPAN, ROW = 56, 70, 12, 224, 46
"""The chart of plays: room for a card's value, a call's cell, a follow's bar, a card's row."""

TOP = 44
"""Above its rows: what the chart shows, and the four shapes."""

COLUMN, FLOOR, HIGH = 36, 114, 80
"""The forecast's grid: a column, where its bars stand and how high they may be."""

ROOF, DEEP = 176, 84
"""Where the room for points begins, and its height."""


@dataclass(frozen=True, slots=True)
class PlayOdds:
    """One legal play, as the table and its sentence tell it."""

    move: str
    card: Card
    mark: str
    call: str
    takes: str
    error: str
    nobody: str
    points: str
    words: str
    short: str
    is_made: bool


@dataclass(frozen=True, slots=True)
class ChanceBar:
    """One play in the chart: its chance as a bar from x on, and for a follow its error."""

    x: int
    width: float
    text: str
    low: float
    high: float
    is_made: bool


@dataclass(frozen=True, slots=True)
class CardBars:
    """One card in the chart, with a bar for each of its calls or a single one; ``span`` is
    from the least likely to the likeliest, like "12–62%"."""

    card: Card
    y: int
    bars: tuple[ChanceBar, ...]
    span: str


@dataclass(frozen=True, slots=True)
class PlayPanel:
    """What each legal play promises, or promised."""

    title: str
    answers: tuple[str, ...]
    promised: str
    rows: tuple[CardBars, ...]
    plays: tuple[PlayOdds, ...]
    is_lead: bool
    has_points: bool
    worlds: str

    @property
    def summary(self) -> str:
        return sentences(*self.answers)

    @property
    def width(self) -> int:
        return LEFT + 4 * CELL

    @property
    def room(self) -> int:
        """How long a lead's bar of 100% is."""
        return CELL - GAP

    @property
    def height(self) -> int:
        return (TOP if self.is_lead else TOP // 2) + ROW * len(self.rows)

    @property
    def has_errors(self) -> bool:
        """Whether the bars carry marks of how far they may be off."""
        return not self.is_lead and any(b.low < b.high for row in self.rows for b in row.bars)

    @property
    def shapes(self) -> list[tuple[int, str]]:
        """(x, shape) of each of the four shapes over its column."""
        return [(LEFT + CELL * shape.position, shape.value) for shape in Shape]


@dataclass(frozen=True, slots=True)
class BidColumn:
    """One number of tricks: how often the hand takes it, and what bidding it brings."""

    number: int
    x: int
    height: float
    label: str
    share: str
    hit_rate: str
    short: str
    points: str
    error: str
    y: float
    size: float
    tag: float
    is_forbidden: bool
    is_best: bool
    is_made: bool


@dataclass(frozen=True, slots=True)
class BidPanel:
    """The hand's tricks as a histogram, with the bid that was made or else the best one, and
    the expected points of every bid."""

    title: str
    answers: tuple[str, ...]
    promised: str
    columns: tuple[BidColumn, ...]
    best: int
    made: int | None
    zero: float
    worlds: str
    width: int = COLUMN * 9
    height: int = ROOF + DEEP + 36
    last: int = ROOF + DEEP + 32
    floor: int = FLOOR
    above: int = FLOOR - 4
    below: int = FLOOR + 16
    second: int = ROOF - 22

    @property
    def aimed(self) -> int:
        """The bid whose chances are shown: the one made, or else the best."""
        return self.best if self.made is None else self.made

    @property
    def summary(self) -> str:
        return sentences(self.promised, *self.answers)


def panel(turn: Turn, foresight: Foresight) -> PlayPanel | BidPanel:
    """The odds of this turn as a person reads them."""
    if isinstance(foresight, BidForecast):
        return _bid_panel(turn, foresight)
    return _play_panel(turn, foresight)


def exact_words(turn: Turn) -> list[str]:
    """A sentence for each legal play on what is counted and needs no simulation."""
    observation = turn.observation
    plays = [move for move in observation.legal if isinstance(move, Play)]
    plays.sort(key=lambda play: (-play.card.value, play.card.code))
    return [
        f"{capfirst(play_words(play))}{colon()}{safety_words(safety(observation, play))}"
        for play in plays
    ]


# Plays.


def _play_panel(turn: Turn, promises: Sequence[Promise]) -> PlayPanel:
    observation = turn.observation
    is_lead = observation.trick is not None and observation.trick.call is None
    # As the hand lies: of cards of one value the highest code first.
    ordered = sorted(
        promises, key=lambda p: (p.play.card.value, p.play.card.code), reverse=True
    )
    has_points = observation.variant is Variant.BID
    return PlayPanel(
        title=_title_words(turn, is_lead),
        answers=_answer_sentences(turn, promises),
        promised=_promised_words(turn, promises),
        rows=_card_rows(turn, ordered, is_lead),
        plays=tuple(_play_odds(turn, promise, has_points) for promise in ordered),
        is_lead=is_lead,
        has_points=has_points,
        worlds=whole(promises[0].outcome.worlds),
    )


def _title_words(turn: Turn, is_lead: bool) -> str:
    if turn.move is None:
        return _("Your lead") if is_lead else _("Your card")
    return _("Trick %(n)s") % {"n": turn.trick}


def _answer_sentences(turn: Turn, promises: Sequence[Promise]) -> tuple[str, ...]:
    """The answer in some sentences: which play takes the trick, which leaves it, which pays."""
    high = max(promises, key=lambda p: chance(p.outcome))
    low = min(promises, key=lambda p: chance(p.outcome))
    hand = turn.observation.hand
    facts = {
        "play": play_words(high.play, hand),
        "chance": simulated_percent(high),
        "other": play_words(low.play, hand),
        "least": simulated_percent(low),
    }
    if not any(promise.safety.takes for promise in promises):
        found = [_("Nothing you may play can take this trick.")]
    elif chance(high.outcome) - chance(low.outcome) < 0.005:
        found = [_("Whatever you play, you take the trick in %(chance)s of deals.")]
    else:
        found = [
            _("Likeliest to take the trick: %(play)s (%(chance)s)."),
            _("Least likely to take it: %(other)s (%(least)s)."),
        ]
    if len(promises) > 1 and turn.observation.variant is Variant.BID:
        ranked = sorted(promises, key=lambda p: -p.outcome.expected)
        points = number(ranked[0].outcome.expected)
        best = [p for p in ranked[:2] if number(p.outcome.expected) == points]
        facts |= {"best": one_of([play_words(p.play, hand) for p in best]), "points": points}
        found.append(_("Most points in the end: %(best)s (%(points)s on average)."))
    return tuple(words % facts for words in found)


def _promised_words(turn: Turn, promises: Sequence[Promise]) -> str:
    """Sentences on what the play that was made had promised; empty before it is made."""
    if not isinstance(turn.move, Play):
        return ""
    promise = next(p for p in promises if p.play == turn.move)
    return _taking_words(promise)


def _keeper_words(promise: Promise) -> str:
    """A sentence on why a trick is taken more often than nobody holds a better card."""
    if chance(promise.outcome) <= promise.safety.chance or not promise.safety.beaters:
        return ""
    return _("A player who holds one may keep it.")


def _taking_words(promise: Promise, brings: str = "") -> str:
    """Sentences on how often a play takes the trick, on what it ``brings``, and why."""
    takes = _("%(play)s: takes the trick in %(chance)s of deals.") % {
        "play": capfirst(play_words(promise.play)),
        "chance": simulated_percent(promise),
    }
    return sentences(takes, brings, safety_words(promise.safety), _keeper_words(promise))


def _play_odds(turn: Turn, promise: Promise, has_points: bool) -> PlayOdds:
    outcome, play = promise.outcome, promise.play
    brings = ""
    if has_points:
        brings = _("It brings %(points)s in the end, on average.") % {
            "points": points_words(outcome.expected)
        }
    return PlayOdds(
        move=move_text(play),
        card=play.card,
        mark=card_mark(play.card, turn.observation.hand),
        call=call_words(play.call) if play.call else "",
        takes=simulated_percent(promise),
        error=error_words(promise),
        nobody=percent(promise.safety.chance),
        points=number(outcome.expected, 2),
        words=_taking_words(promise, brings),
        short=simulated_percent(promise, short=True),
        is_made=play == turn.move,
    )


def _card_rows(turn: Turn, ordered: Sequence[Promise], is_lead: bool) -> tuple[CardBars, ...]:
    """A row for each card; none where no card can take the trick."""
    if not any(promise.safety.takes for promise in ordered):
        return ()
    cards = list(dict.fromkeys(promise.play.card for promise in ordered))
    top = TOP if is_lead else TOP // 2
    rows, room = [], CELL - GAP if is_lead else SPAN
    for place, card in enumerate(cards):
        own = [promise for promise in ordered if promise.play.card == card]
        bars = tuple(_chance_bar(turn, promise, room) for promise in own)
        rows.append(CardBars(card, top + ROW * place + ROW // 2, bars, _range_of_chances(own)))
    return tuple(rows)


def _range_of_chances(promises: Sequence[Promise]) -> str:
    """The least and the greatest of these chances of taking the trick: “20–45%”."""
    ordered = sorted(promises, key=lambda promise: chance(promise.outcome))
    least, most = (simulated_percent(p, short=True) for p in (ordered[0], ordered[-1]))
    return least if least == most else f"{least.removesuffix(percent_sign())}–{most}"


def _chance_bar(turn: Turn, promise: Promise, room: int) -> ChanceBar:
    call, share = promise.play.call, chance(promise.outcome)
    x = LEFT + (CELL * call.shape.position if call else 0)
    error = promise.outcome.chance_error or 0.0
    return ChanceBar(
        x=x,
        width=round(room * share, 1),
        text=simulated_percent(promise, short=True),
        low=round(x + room * max(0.0, share - error), 1),
        high=round(x + room * min(1.0, share + error), 1),
        is_made=promise.play == turn.move,
    )


# Bids.


def _bid_panel(turn: Turn, forecast: BidForecast) -> BidPanel:
    best, forbidden = forecast.best, forecast.forbidden
    made = turn.move.number if isinstance(turn.move, Bid) else None
    aimed = forecast.bids[best if made is None else made]
    shares = [n / aimed.worlds for n in aimed.tricks]
    hit_rates = [bid.tricks[n] / bid.worlds for n, bid in enumerate(forecast.bids)]
    means = [bid.expected for bid in forecast.bids]
    top, bottom = max(*means, 0.5), min(*means, -0.5)
    unit = DEEP / (top - bottom)
    zero = round(ROOF + unit * top, 1)
    columns = tuple(
        BidColumn(
            number=n,
            x=COLUMN * n + COLUMN // 2,
            height=round(HIGH * share / max(shares), 1),
            label=percent(share, short=True).removesuffix(percent_sign()),
            share=percent(share),
            hit_rate=percent(hit_rates[n]),
            short=percent(hit_rates[n], short=True),
            points=number(means[n]),
            error=number(forecast.bids[n].error, 2),
            y=round(zero - unit * max(means[n], 0), 1),
            size=round(unit * abs(means[n]), 1),
            tag=round(zero - unit * means[n] + (13 if means[n] < 0 else -4), 1),
            is_forbidden=n == forbidden,
            is_best=n == best,
            is_made=n == made,
        )
        for n, share in enumerate(shares)
    )
    return BidPanel(
        title=_("Your bid"),
        answers=_forecast_words(forecast),
        promised=_made_bid_words(turn, forecast),
        columns=columns,
        best=best,
        made=made,
        zero=zero,
        worlds=whole(aimed.worlds),
    )


def _forecast_words(forecast: BidForecast) -> tuple[str, ...]:
    """The forecast in a sentence or two, the hook included."""
    best = forecast.best
    pays = _("A bid of %(best)d brings most: %(points)s on average.")
    facts = {"best": best, "points": points_words(forecast.bids[best].expected)}
    hooked = [] if forecast.forbidden is None else [hook_words(forecast.forbidden)]
    return pays % facts, *hooked


def _made_bid_words(turn: Turn, forecast: BidForecast) -> str:
    if not isinstance(turn.move, Bid):
        return ""
    outcome = forecast.bids[turn.move.number]
    words = _(
        "With what you saw, a bid of %(made)d works in %(share)s of deals: %(own)s on average."
    )
    return words % {
        "made": turn.move.number,
        "share": percent(outcome.tricks[turn.move.number] / outcome.worlds),
        "own": points_words(outcome.expected),
    }
