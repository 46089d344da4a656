"""What the bots of a finished round were thinking: the reasons kept with their moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.analysis.outcomes import Option, unpacked
from games.foresight import Moment
from games.models import Move
from games.odds_panel import percent, play_words
from games.past import PastRound
from games.rules import Bid, Card, Play, Round, Variant
from games.words import number

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


def levels(past: PastRound, seat: int) -> tuple[Level, ...]:
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
