"""The rules of Xactika: pure, immutable, standard library only."""

from games.rules.cards import DECK, Call, Card, Shape, parse_call, parse_card, stats_table
from games.rules.notation import move_text, parse_move
from games.rules.observation import Observation, observe, take_seat
from games.rules.rounds import (
    HAND_SIZE,
    MAX_SEATS,
    MIN_SEATS,
    Bid,
    IllegalMove,
    Move,
    Play,
    Round,
    Trick,
    Variant,
    by_value,
    hook,
    legal_bids,
    legal_plays,
)
from games.rules.scoring import places, points, score_round, winners

MAX_ROUNDS = 8
"""Rounds in a full game (rule N); a class may play fewer."""

__all__ = [
    "DECK",
    "HAND_SIZE",
    "MAX_ROUNDS",
    "MAX_SEATS",
    "MIN_SEATS",
    "Bid",
    "Call",
    "Card",
    "IllegalMove",
    "Move",
    "Observation",
    "Play",
    "Round",
    "Shape",
    "Trick",
    "Variant",
    "by_value",
    "hook",
    "legal_bids",
    "legal_plays",
    "move_text",
    "observe",
    "parse_call",
    "parse_card",
    "parse_move",
    "places",
    "points",
    "score_round",
    "stats_table",
    "take_seat",
    "winners",
]
