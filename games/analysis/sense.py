"""Common sense: the legal moves less those that anybody at the table would call a blunder."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from games.analysis.counting import beaters
from games.analysis.knowledge import Knowledge
from games.rules import HAND_SIZE, Bid, Card, Move, Observation, Play

T = TypeVar("T", bound=Move)


def sensible(observation: Observation, knowledge: Knowledge) -> tuple[Move, ...]:
    """The moves worth weighing; in win and lose all legal ones.

    In bid: no bid of 0 while holding a card that wins for certain when led. Who needs every
    trick leads a sure card, if it has one. Who has just its bid takes no further trick for
    certain if it can be avoided. Who needs as many tricks as it has sure cards does not slough
    them, nor spend one on a trick that another card takes as surely.
    """
    seat, trick = observation.seat, observation.trick
    assert seat is not None
    if observation.legal and isinstance(observation.legal[0], Bid):
        zero = any(_is_sure(card, knowledge) for card in observation.hand)
        return _without(observation.legal, lambda move: zero and move == Bid(0))
    bid = observation.bids[seat]
    if bid is None or trick is None:
        return observation.legal
    plays = tuple(move for move in observation.legal if isinstance(move, Play))
    need = bid - observation.taken[seat]
    if trick.call is None:
        if need == HAND_SIZE - len(observation.tricks):
            sure_leads = tuple(play for play in plays if _lead_is_sure(play, knowledge))
            return sure_leads or plays
        if need == 0:
            return _without(plays, lambda play: _lead_is_sure(play, knowledge))
        return plays
    if need == 0:
        return _without(plays, lambda play: _takes(play.card, observation, knowledge))
    sure = {card for card in observation.hand if _is_sure(card, knowledge)}
    if not 0 < len(sure) <= need:
        return plays
    certain = {p.card for p in plays if _takes(p.card, observation, knowledge)}
    is_slough = not any(play.card.shows(trick.call) for play in plays)
    if is_slough or certain - sure:
        return _without(plays, lambda play: play.card in sure)
    return plays


def _without(moves: tuple[T, ...], blunder: Callable[[T], bool]) -> tuple[T, ...]:
    return tuple(move for move in moves if not blunder(move)) or moves


def _is_sure(card: Card, knowledge: Knowledge) -> bool:
    """Whether the card takes a trick for certain, led with the right call."""
    return any(beaters(card, call, knowledge.unseen) == 0 for call in card.calls)


def _lead_is_sure(play: Play, knowledge: Knowledge) -> bool:
    assert play.call is not None
    return beaters(play.card, play.call, knowledge.unseen) == 0


def _takes(card: Card, observation: Observation, knowledge: Knowledge) -> bool:
    """Whether this follow takes the trick for certain."""
    trick = observation.trick
    assert trick is not None
    assert trick.call is not None
    best = max(laid.value for _, laid in trick.plays if laid.shows(trick.call))
    if not card.shows(trick.call) or card.value < best:
        return False
    is_last = len(trick.plays) == observation.seats - 1
    return is_last or beaters(card, trick.call, knowledge.unseen) == 0
