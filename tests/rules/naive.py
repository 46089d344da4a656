"""The rules a second time, naively, on plain texts, to hold the engine against.

Nothing is imported from ``games``: cards are codes (``1332``), calls and moves their texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

SHAPES = ("ball", "cube", "cone", "star")


def value(card: str) -> int:
    return int(card[0]) + int(card[1]) + int(card[2]) + int(card[3])


@cache
def calls_of(card: str) -> tuple[str, ...]:
    return tuple(f"{count}-{shape}" for count, shape in zip(card, SHAPES, strict=True))


def shows(card: str, call: str) -> bool:
    return call in calls_of(card)


def taker(call: str, plays: list[tuple[int, str]]) -> int:
    """The seat that takes a trick: sort by value, then by when it was played."""
    ranked = sorted(
        (value(card), when, seat)
        for when, (seat, card) in enumerate(plays)
        if shows(card, call)
    )
    return ranked[-1][2]


def follows(hand: list[str], call: str) -> list[str]:
    able = [card for card in hand if shows(card, call)]
    return able or list(hand)


def leads(hand: list[str]) -> list[str]:
    return [f"{card}:{call}" for card in hand for call in calls_of(card)]


def points(variant: str, bid: int | None, taken: int) -> int:
    if variant == "bid" and bid is not None and bid != taken:
        return bid - taken if taken > bid else taken - bid
    return taken


class NaiveRound:
    """A mutable round with the moves written as texts."""

    def __init__(self, variant: str, hands: list[list[str]], dealer: int) -> None:
        self.variant = variant
        self.dealer = dealer
        self.hands = [list(hand) for hand in hands]
        self.bids: list[int | None] = [None for _ in hands]
        self.leader = (dealer + 1) % len(hands)
        self.call: str | None = None
        self.laid: list[tuple[int, str]] = []
        self.finished: list[tuple[int, str, list[tuple[int, str]], int]] = []

    def bidding(self) -> bool:
        return self.variant == "bid" and any(bid is None for bid in self.bids)

    def over(self) -> bool:
        return len(self.finished) == 8

    def turn(self) -> int | None:
        seats = len(self.hands)
        if self.over():
            return None
        if self.bidding():
            made = sum(bid is not None for bid in self.bids)
            return (self.dealer + 1 + made) % seats
        return (self.leader + len(self.laid)) % seats

    def taken(self) -> list[int]:
        tally = [0 for _ in self.hands]
        for *_, seat in self.finished:
            tally[seat] += 1
        return tally

    def points(self) -> list[int]:
        return [
            points(self.variant, bid, taken)
            for bid, taken in zip(self.bids, self.taken(), strict=True)
        ]

    def forbidden_bid(self) -> int | None:
        if self.bids.count(None) != 1:
            return None
        short = 8 - sum(bid for bid in self.bids if bid is not None)
        return short if short >= 0 else None

    def legal(self) -> list[str]:
        seat = self.turn()
        if seat is None:
            return []
        if self.bidding():
            return [str(n) for n in range(9) if n != self.forbidden_bid()]
        if self.call is None:
            return leads(self.hands[seat])
        return follows(self.hands[seat], self.call)

    def faults(self, moves: Iterable[str]) -> dict[str, set[str]]:
        """For each move every reason, as the engine's codes, why it may not be made now."""
        if self.over():
            return {move: {"round_over"} for move in moves}
        if self.bidding():
            return {move: self._faults_of_bid(move) for move in moves}
        hand = self.hands[self.turn() or 0]
        able = hand if self.call is None else follows(hand, self.call)
        return {move: self._faults_of_play(move, hand, able) for move in moves}

    def _faults_of_bid(self, move: str) -> set[str]:
        if len(move) >= 4:
            return {"bid_expected"}
        if not 0 <= int(move) <= 8:
            return {"bid_out_of_range"}
        return {"hook"} if int(move) == self.forbidden_bid() else set()

    def _faults_of_play(self, move: str, hand: list[str], able: list[str]) -> set[str]:
        if len(move) < 4:
            return {"play_expected"}
        card, _, call = move.partition(":")
        faults = set()
        if card not in hand:
            faults.add("not_in_hand")
        elif card not in able:
            faults.add("must_follow")
        if self.call is not None:
            if call:
                faults.add("call_by_follower")
        elif not call:
            faults.add("call_missing")
        elif not shows(card, call):
            faults.add("call_not_on_card")
        return faults

    def make(self, move: str) -> None:
        seat = self.turn()
        if seat is None:
            raise ValueError("the round is over")
        if self.bidding():
            self.bids[seat] = int(move)
            return
        card, _, call = move.partition(":")
        self.hands[seat].remove(card)
        self.call = self.call or call
        self.laid.append((seat, card))
        if len(self.laid) == len(self.hands):
            winner = taker(self.call, self.laid)
            self.finished.append((self.leader, self.call, self.laid, winner))
            self.leader, self.call, self.laid = winner, None, []
