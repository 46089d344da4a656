"""Moves as text: a bid ``3``, a lead ``1332:2-star``, a follow ``1332``."""

from __future__ import annotations

import re

from games.rules.cards import parse_call, parse_card
from games.rules.rounds import Bid, IllegalMove, Move, Play

_MOVE = re.compile(
    r"(?P<bid>[0-9])|(?P<card>[123]{4})(?::(?P<call>[123]-(?:ball|cube|cone|star)))?"
)


def parse_move(text: str) -> Move:
    """The move that this text writes; IllegalMove with code ``bad_text`` if it writes none.

    ``parse_move(move_text(move)) == move`` for every move. Whether the move may be made is
    for :meth:`Round.apply` to say.
    """
    match = _MOVE.fullmatch(text)
    if match is None:
        raise IllegalMove(f"not a move: {text[:40]!r}", code="bad_text")
    if match["bid"] is not None:
        return Bid(int(match["bid"]))
    call = None if match["call"] is None else parse_call(match["call"])
    return Play(parse_card(match["card"]), call)


def move_text(move: Move) -> str:
    """The text of a move, as the move table, the protocol and the playthroughs have it."""
    if isinstance(move, Bid):
        return str(move.number)
    return move.card.code if move.call is None else f"{move.card.code}:{move.call}"
