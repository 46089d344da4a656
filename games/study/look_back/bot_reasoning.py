"""What the bots of a finished round were thinking: the reasons kept with their moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.analysis import bots
from games.analysis.outcomes import MoveOption, unpacked
from games.models import Move
from games.rules import Bid, Card, Play, Round, Variant
from games.study.look_back.past_rounds import PastRound
from games.study.odds.forecasts import Turn
from games.study.odds.words import play_words
from games.words import (
    call_words,
    number,
    percent,
    points_words,
    short_outcome_words,
    tricks_words,
)

TIPS = (bots.SLIPPING, "tip-printed", "tip-wikipedia")

WAYS = {
    "random": gettext_lazy("Beginners play any legal card at random."),
    bots.SLIPPING: gettext_lazy(
        "Careless bots play like Careful ones, but one move in three is random."
    ),
    "tip-printed": gettext_lazy("Bold bots bid by tip A: 1 for each card of 9 or more."),
    "tip-wikipedia": gettext_lazy(
        "Careful bots bid by tip B: 1 for each 11 or 12, and 1 for every 2 cards of 9 or 10."
    ),
    "counter": gettext_lazy("Counting bots count which cards can still beat theirs."),
    "expert": gettext_lazy("Experts first play many possible deals to the end."),
}


@dataclass(frozen=True, slots=True)
class Reasoning:
    """Why a bot made a move, as it saw it then: what it answered and what else it could have
    done, the chance of the trick (and whether it took it), the tricks and points it expected
    in the whole round. Empty where it did not go by that, or had no choice."""

    trick: int | None
    move: str
    notes: tuple[str, ...]
    chance: str
    tricks: str
    points: str
    took: bool


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot at the table: what it made of the round, and its reasoning, move by move."""

    name: str
    result: str
    has_tricks: bool
    has_points: bool
    reasoning: tuple[Reasoning, ...]


@dataclass(frozen=True, slots=True)
class BotsOfLevel:
    """The bots at the table that play in one way."""

    way: str
    bots: tuple[Bot, ...]


def bots_by_level(past: PastRound, seat: int) -> tuple[BotsOfLevel, ...]:
    """What the bots of a round thought: from the next seat on clockwise, the own one last;
    those of one level together, in the order of the first of them."""
    seats = past.round.seats
    by_level: dict[str, list[Bot]] = {}
    for other in ((seat + k) % seats for k in range(1, seats + 1)):
        bot_moves = [
            (n, move)
            for n, move in enumerate(past.moves)
            if move.seat == other and move.mover != Move.Mover.PERSON
        ]
        if bot_moves:
            turns = past.turns(other)
            reasoning = tuple(_reasoning(past, turns[n], move) for n, move in bot_moves)
            if not any(move.reason for _n, move in bot_moves):
                reasoning = ()
            name = _("You") if other == seat else past.names[other]
            # Without bids the tricks are the points.
            has_points = past.round.variant is Variant.BID and any(t.points for t in reasoning)
            result = short_outcome_words(past.round.bids[other], past.round.taken[other])
            has_tricks = any(t.tricks for t in reasoning)
            bot = Bot(name, result, has_tricks, has_points, reasoning)
            by_level.setdefault(bot_moves[-1][1].level, []).append(bot)
    variant = past.round.variant
    return tuple(
        BotsOfLevel(_way_words(level, variant), tuple(bots)) for level, bots in by_level.items()
    )


def _way_words(level: str, variant: Variant) -> str:
    """A sentence on how bots of this level play; empty for tips on bids in a game without."""
    return str(WAYS.get(level, "")) if variant is Variant.BID or level not in TIPS else ""


def _reasoning(past: PastRound, turn: Turn, move: Move) -> Reasoning:
    """Why a bot made this move. A counting bot weighs tricks when it bids; when it plays, what
    it adds up is no forecast."""
    options = unpacked(move.reason)
    hand = turn.observation.hand
    trick = None if turn.is_bid else turn.trick
    took = trick is not None and past.round.tricks[trick - 1].winner == move.seat
    assert isinstance(turn.move, Bid | Play)
    words, answered = _move_words(turn.move, hand), _answered_words(turn)
    if not options:
        return Reasoning(trick, words, (*answered, _("no choice")), "", "", "", took)
    first, *others = options
    chance = "" if first.chance is None else percent(first.chance, short=True)
    if first.points is None:
        return Reasoning(trick, words, answered, chance, "", "", took)
    next_best = next((option for option in others if option.points is not None), None)
    other = () if next_best is None else (_next_best_words(next_best, hand, past.round),)
    tricks, points = number(first.tricks), number(first.points)
    return Reasoning(trick, words, (*answered, *other), chance, tricks, points, took)


def _move_words(move: Bid | Play, hand: Sequence[Card]) -> str:
    return str(move.number) if isinstance(move, Bid) else play_words(move, hand)


def _answered_words(turn: Turn) -> tuple[str, ...]:
    """The call that the play had to answer, if it did not lead."""
    trick = turn.observation.trick
    if not isinstance(turn.move, Play) or trick is None or trick.call is None:
        return ()
    if turn.move.card.shows(trick.call):
        return (_("following %s") % call_words(trick.call),)
    return (_("without %s") % call_words(trick.call),)


def _next_best_words(other: MoveOption, hand: Sequence[Card], round_: Round) -> str:
    words = points_words if round_.variant is Variant.BID else tricks_words
    return _("next best: %(other)s, %(points)s") % {
        "other": _move_words(other.move, hand),
        "points": words(other.points or 0),
    }
