"""Deals and short ways to play them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from games.rules import DECK, Card, Round, Variant, parse_call, parse_card, parse_move

Hands = tuple[tuple[Card, ...], ...]

CODES = {
    *("bad_text", "round_over", "bid_expected", "play_expected", "bid_out_of_range", "hook"),
    *("not_in_hand", "call_missing", "call_not_on_card", "call_by_follower", "must_follow"),
}
"""With what a move is refused."""


def cards(text: str) -> tuple[Card, ...]:
    return tuple(parse_card(code) for code in text.split())


def fill(*starts: str, lacking: dict[int, str] | None = None) -> Hands:
    """Hands that begin with the given cards and are filled to eight from the rest of the
    deck in order; a seat in ``lacking`` gets no card in addition that shows this call."""
    hands = [list(cards(start)) for start in starts]
    free = [card for card in DECK if not any(card in hand for hand in hands)]
    void = {seat: parse_call(text) for seat, text in (lacking or {}).items()}
    for seat in sorted(range(len(hands)), key=lambda seat: seat not in void):
        while len(hands[seat]) < 8:
            card = next(c for c in free if seat not in void or not c.shows(void[seat]))
            free.remove(card)
            hands[seat].append(card)
    return tuple(map(tuple, hands))


def shuffled(rng: random.Random, seats: int) -> Hands:
    deck = list(DECK)
    rng.shuffle(deck)
    return tuple(tuple(deck[seat : 8 * seats : seats]) for seat in range(seats))


def start(
    variant: str, *hands: str, dealer: int, lacking: dict[int, str] | None = None
) -> Round:
    """A round with these beginnings of hands, filled up."""
    return Round.start(
        variant=Variant(variant), hands=fill(*hands, lacking=lacking), dealer=dealer
    )


def play(round: Round, moves: str) -> Round:
    """The round after these moves, given as texts."""
    for text in moves.split():
        round = round.apply(parse_move(text))
    return round


def states(round: Round, rng: random.Random) -> Iterator[Round]:
    """The round and every state after it, down to the end, by random moves: at most a bid
    and eight cards a seat."""
    yield round
    for _ in range(9 * round.seats):
        if round.is_over:
            return
        round = round.apply(rng.choice(round.legal_moves()))
        yield round
    assert round.is_over


def finished(variant: str, seats: int, dealer: int, rng: random.Random) -> Round:
    """A random round, played to its end."""
    begun = Round.start(variant=Variant(variant), hands=shuffled(rng, seats), dealer=dealer)
    return list(states(begun, rng))[-1]


def played(round: Round) -> list[Card]:
    """The cards that lie open or have lain open in this round."""
    tricks = (*round.tricks, *(() if round.trick is None else (round.trick,)))
    return [card for trick in tricks for _, card in trick.plays]


def reshuffled(round: Round, seat: int | None, rng: random.Random) -> Round:
    """The round with all that this seat cannot see, the other hands and the undealt cards,
    shuffled together and dealt anew to the other hands."""
    own = () if seat is None else round.hands[seat]
    hidden = [card for card in DECK if card not in own and card not in played(round)]
    rng.shuffle(hidden)
    hands = [
        hand if other == seat else tuple(hidden.pop() for _ in hand)
        for other, hand in enumerate(round.hands)
    ]
    return replace(round, hands=tuple(hands))
