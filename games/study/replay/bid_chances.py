"""The chance of one's bid at each own turn of a round, as a line. The look back's own figures:
from what the seat could know then."""

from __future__ import annotations

from typing import NamedTuple

from games.analysis.jobs import report
from games.analysis.odds import BidForecast
from games.rules import HAND_SIZE, Bid, observe
from games.study.odds.forecasts import Turn, foresee, seat_turns
from games.study.replay.lines import Line

WIDTH, HEIGHT, TOP, LEFT, RIGHT = 320, 74, 10, 16, 304
"""Of the drawing; where its line may run: from LEFT to RIGHT, from TOP down to HEIGHT − 20."""


class Chance(NamedTuple):
    """At a moment at which the seat had its turn: how often its bid comes true with the move
    that it made (in the other games: the share of tricks that it then takes on average), and
    where the drawing has it. ``trick`` is None for the bid."""

    moment: int
    trick: int | None
    share: float
    x: float
    y: float


def chance_points(line: Line, seat: int) -> tuple[Chance, ...]:
    """A point of the line for each turn of the seat, its bid's too: how often the bid comes
    true after its move, in other games the share of tricks that it takes. Simulates; no
    database. Raises analysis.NotReady."""
    turns = seat_turns(observe(line.rounds[-1], seat), line.start.hands[seat], line.moves)
    points = []
    for moment, turn in turns.items():
        report(moment, len(line.moves))
        share = _chance_of_bid(turn, seat)
        points.append(
            Chance(
                moment=moment,
                trick=None if turn.is_bid else turn.trick,
                share=share,
                x=round(LEFT + (RIGHT - LEFT) * moment / max(1, line.last), 1),
                y=round(TOP + (HEIGHT - 20 - TOP) * (1 - share), 1),
            )
        )
    return tuple(points)


def _chance_of_bid(turn: Turn, seat: int) -> float:
    """The chance that the bid comes true after this move; without bids the share of the tricks
    that it brings."""
    foresight = foresee(turn.observation)
    if isinstance(foresight, BidForecast):
        assert isinstance(turn.move, Bid)
        outcome, bid = foresight.bids[turn.move.number], turn.move.number
    else:
        outcome = next(each.outcome for each in foresight if each.play == turn.move)
        own_bid = turn.observation.bids[seat]
        if own_bid is None:
            return outcome.expected_tricks / HAND_SIZE
        bid = own_bid
    return outcome.tricks[bid] / outcome.worlds
