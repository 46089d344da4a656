"""The bot ``expert``: Monte Carlo over worlds that fit what the others bid and played.

Importing this module loads the compiled kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from time import monotonic

import numpy as np

from games.analysis.evidence import Witness
from games.analysis.knowledge import read
from games.analysis.outcomes import Choice, MoveOption, Outcome
from games.analysis.players import (
    Players,
    Reader,
    learnt_weights,
    strangers,
    tempered_void_chances,
)
from games.analysis.sense import sensible
from games.analysis.simulation import PlayoutPoint, WorldSampler, outcome, policies, tally
from games.rules import HAND_SIZE, Observation, Play, Variant

HEATS = ((32, 64), (8, 128), (3, 320))
"""The race: so many moves stay in, for so many further worlds. There are never more than 32."""

READING = ((32, 16), (16, 24), (8, 48), (4, 96), (2, 192))
"""The same where it reads its players, for eight cards: of fewer, rounds are played out sooner,
and so many more of them."""


def decide(
    observation: Observation,
    *,
    seed: int,
    players: Players | None = None,
    scale: float = 1.0,
    seconds: float = inf,
) -> Choice:
    """The move of ``expert``, and what it expects of the moves that it weighed.

    In games with bids of up to eight it reads its ``players``, if it is told of any: which
    kinds the others may be (see games.analysis.players); else it takes them for strangers who
    may follow the tips. ``scale`` multiplies the numbers of worlds. After ``seconds`` no
    further heat is begun; without that limit the choice depends on what is given alone. Raises
    Contradiction; ValueError where it is not the seat's turn.
    """
    moves, me = observation.legal, observation.seat
    if not moves or me is None:
        raise ValueError("it is not this seat's turn")
    end = monotonic() + seconds
    knowledge = read(observation)
    moves = sensible(observation, knowledge)
    if len(moves) == 1:
        return Choice(moves[0])
    sampler = WorldSampler(knowledge, observation.hand)
    heats, source, stage = _prepared(observation, sampler, players, seed)
    tricks = np.zeros((len(moves), HAND_SIZE + 1), np.int64)
    taking = np.zeros(len(moves), np.int64)
    ranking = list(range(len(moves)))
    outcomes: list[Outcome] = []
    for heat, (runners, count) in enumerate(heats):
        if heat and monotonic() >= end:
            break
        race = sorted(ranking[:runners])
        worlds, seats = source.deal(max(1, round(count * scale)), seed=seed + heat)
        final, takers = stage.play(
            worlds, [moves[m] for m in race], seed=seed + heat, policies=seats
        )
        tricks[race] += tally(final[:, :, me])
        taking[race] += (takers == me).sum(axis=0)
        outcomes = [
            outcome(observation, move, int(taking[m]), tricks[m])
            for m, move in enumerate(moves)
        ]
        sign = -1 if observation.variant is Variant.LOSE else 1
        merit = {m: sign * outcomes[m].expected for m in race}
        ranking[:runners] = sorted(race, key=lambda m: merit[m], reverse=True)
    return Choice(moves[ranking[0]], tuple(_option(outcomes[m]) for m in ranking))


def _prepared(
    observation: Observation, sampler: WorldSampler, players: Players | None, seed: int
) -> tuple[tuple[tuple[int, int], ...], Witness | Reader, PlayoutPoint]:
    """The race as (moves that stay in, worlds) by heat, the worlds' source, their stage."""
    weights, simple = learnt_weights(observation.seats), policies(observation)
    if players is None or observation.variant is not Variant.BID or weights is None:
        return HEATS, Witness(observation, sampler), PlayoutPoint(observation, policies=simple)
    reader = Reader(observation, sampler, players, seed=seed)
    learnt_facts = tempered_void_chances(), weights
    point = PlayoutPoint(observation, policies=simple, voids=sampler.voids, learnt=learnt_facts)
    more = min(3.0, HAND_SIZE / len(observation.hand))
    return tuple((runners, round(count * more)) for runners, count in READING), reader, point


def chances_read(
    observation: Observation, plays: Sequence[Play], *, worlds: int, seed: int
) -> tuple[float, ...] | None:
    """For each of these plays the chance of taking the trick, by what the others, strangers of
    any kind, bid and played; None where they cannot be read.

    Raises Contradiction.
    """
    sampler = WorldSampler(read(observation), observation.hand)
    met = strangers(observation.seats)
    _, source, stage = _prepared(observation, sampler, met, seed)
    if not isinstance(source, Reader):
        return None
    dealt, seats = source.deal(worlds, seed=seed)
    _, takers = stage.play(dealt, plays, seed=seed, policies=seats)
    return tuple(map(float, (takers == observation.seat).mean(axis=0)))


def _option(result: Outcome) -> MoveOption:
    assert result.move is not None
    return MoveOption(
        move=result.move,
        chance=result.chance,
        tricks=result.expected_tricks,
        points=result.expected,
        worlds=result.worlds,
    )
