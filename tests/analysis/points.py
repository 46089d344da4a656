"""Points of play to judge, from random rounds."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np

from games.analysis import kernel
from games.analysis.knowledge import Knowledge, read
from games.analysis.simulation import Worlds
from games.rules import Call, Card, Observation, Play, Round, Variant, observe
from tests.rules.deals import cards, shuffled, states


def begun(variant: str, seats: int, rng: random.Random) -> Round:
    """A fresh random round."""
    return Round.start(
        variant=Variant(variant), hands=shuffled(rng, seats), dealer=rng.randrange(seats)
    )


def rounds(variant: str, seats: int, rng: random.Random) -> list[Round]:
    """Every state with a turn of a random round."""
    return [
        each for each in states(begun(variant, seats, rng), rng) if each.to_move is not None
    ]


def turns(variant: str, seats: int, rng: random.Random) -> Iterator[Observation]:
    """Every turn of a random round, as its seat sees it."""
    for each in rounds(variant, seats, rng):
        yield observe(each, each.to_move)


def known(
    unseen: str, rooms: tuple[int, ...], voids: dict[int, list[Call]] | None = None
) -> Knowledge:
    """What an outsider knows when only these cards are left."""
    left = cards(unseen)
    return Knowledge(
        seat=None,
        unseen=left,
        rooms=rooms,
        undealt=len(left) - sum(rooms),
        voids=tuple(frozenset((voids or {}).get(seat, ())) for seat in range(len(rooms))),
    )


def leads(observation: Observation) -> list[Play]:
    """The legal plays of an observation."""
    return [move for move in observation.legal if isinstance(move, Play)]


World = tuple[frozenset[Card], ...]


def holdings(row: np.ndarray, knowledge: Knowledge) -> World:
    """Who holds which unseen card."""
    return tuple(
        frozenset(card for card in knowledge.unseen if row[kernel.card_index[card]] == seat)
        for seat in range(len(knowledge.rooms))
    )


def assert_possible(worlds: Worlds, seen: Observation) -> None:
    """Each world agrees with all that this seat knows."""
    knowledge = read(seen)
    tricks = (*seen.tricks, seen.trick)
    laid = [card for trick in tricks if trick for _, card in trick.plays]
    for row in worlds:
        assert (row != kernel.HIDDEN).all()
        assert all(row[kernel.card_index[card]] == seen.seat for card in seen.hand)
        assert all(row[kernel.card_index[card]] == kernel.PLAYED for card in laid)
        hands = holdings(row, knowledge)
        assert tuple(map(len, hands)) == knowledge.rooms
        for seat, hand in enumerate(hands):
            assert not any(c.shows(call) for c in hand for call in knowledge.voids[seat])


def surprise(seen: Observation, truth: Round, worlds: Worlds) -> float:
    """How improbable the true holders of the others' cards are in these worlds: −log."""
    lost = [
        -np.log(((worlds[:, kernel.card_index[card]] == seat).sum() + 0.5) / (len(worlds) + 2))
        for seat, hand in enumerate(truth.hands)
        if seat != seen.seat
        for card in hand
    ]
    return float(np.mean(lost)) if lost else 0.0
