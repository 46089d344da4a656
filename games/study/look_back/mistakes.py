"""The mistakes of a round as decisions to make again: what each allowed move was worth, by what
its seat could know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from games.analysis.odds import BidForecast
from games.rules import Bid, Variant, move_text, parse_move
from games.study.look_back.bids import WORLDS, bid_is_fine, promise_words
from games.study.look_back.past_rounds import PastRound
from games.study.look_back.plays import HitBar, Mistake, judge
from games.study.look_back.reviews import dearest, judge_all, own_turns, plays_with_a_choice
from games.study.odds.forecasts import Turn, foresee
from games.words import sentences

CLOSE = 0.1
"""Points on average: a move that is no farther behind the best one is as right as that."""


class Decision(NamedTuple):
    """A move that cost something, at a moment of the round; ``worths`` is what each allowed
    move, as text, brings on average: points, or tricks, of which in *lose* fewer are better."""

    moment: int
    made: str
    worths: dict[str, float]


def decisions(past: PastRound, seat: int) -> tuple[Decision, ...]:
    """The moves that the look back of this seat names: its bid, if another was clearly better,
    and the plays that it tells. Simulates; no database. Raises analysis.NotReady."""
    mine = own_turns(past, seat)
    judged = judge_all(past, plays_with_a_choice(mine))
    named = dearest(verdict for verdict in judged if isinstance(verdict, Mistake))
    moments = [n for n, turn in mine.items() if turn.is_bid and not _is_bid_fine(turn)]
    moments += [mistake.moment for mistake in named]
    return tuple(Decision(n, past.moves[n].text, worths(mine[n])) for n in moments)


def _is_bid_fine(turn: Turn) -> bool:
    forecast = foresee(turn.observation, worlds=WORLDS)
    assert isinstance(forecast, BidForecast)
    assert isinstance(turn.move, Bid)
    return bid_is_fine(forecast, turn.move.number)


def worths(turn: Turn) -> dict[str, float]:
    """What each move that was allowed at this turn brings on average, the more the better."""
    foresight = foresee(turn.observation, worlds=WORLDS)
    if isinstance(foresight, BidForecast):
        expected = {
            move_text(move): foresight.bids[move.number].expected
            for move in turn.observation.legal
            if isinstance(move, Bid)
        }
    else:
        sign = -1 if turn.observation.variant is Variant.LOSE else 1
        expected = {move_text(p.play): sign * p.outcome.expected for p in foresight}
    return {text: round(worth, 3) for text, worth in expected.items()}


def right_moves(values: Mapping[str, float]) -> frozenset[str]:
    """The moves that are at most CLOSE behind the best."""
    best = max(values.values())
    return frozenset(text for text, value in values.items() if best - value <= CLOSE + 1e-9)


def why(past: PastRound, seat: int, moment: int, move: str) -> tuple[str, list[HitBar]]:
    """The look back's words and bars on this decision, had the ``move`` been made; none where
    it would judge otherwise today. No database. Raises analysis.NotReady."""
    turn = replace(past.turns(seat)[moment], move=parse_move(move))
    if turn.is_bid:
        return promise_words(turn), []
    verdict = judge(turn, past.round.tricks[turn.trick - 1], moment=moment)
    return (
        (sentences(*verdict.words), verdict.bars) if isinstance(verdict, Mistake) else ("", [])
    )
