"""The bot ``expert``: Monte Carlo over worlds that fit what the others bid and played.

Importing this module loads the compiled kernel.
"""

from __future__ import annotations

from math import inf
from time import monotonic

import numpy as np

from games.analysis.evidence import Witness
from games.analysis.knowledge import read
from games.analysis.outcomes import Choice, MoveOption, Outcome
from games.analysis.sense import sensible
from games.analysis.simulation import Dealer, Stage, outcome, policies, tally
from games.rules import HAND_SIZE, Observation, Variant

HEATS = ((32, 64), (8, 128), (3, 320))
"""The race: so many moves stay in, for so many further worlds. There are never more than 32."""


def decide(
    observation: Observation, *, seed: int, scale: float = 1.0, seconds: float = inf
) -> Choice:
    """What ``expert`` does, and what it expects of the moves it weighed.

    ``scale`` multiplies the numbers of worlds. After ``seconds`` no further heat is begun;
    without that limit the choice depends on the observation and the seed alone. Raises
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
    dealer = Dealer(knowledge, observation.hand)
    witness = Witness(observation, dealer)
    stage = Stage(observation, policies=policies(observation))
    tricks = np.zeros((len(moves), HAND_SIZE + 1), np.int64)
    taking = np.zeros(len(moves), np.int64)
    ranking = list(range(len(moves)))
    outcomes: list[Outcome] = []
    for heat, (runners, count) in enumerate(HEATS):
        if heat and monotonic() > end:
            break
        race = sorted(ranking[:runners])
        worlds = witness.deal(max(1, round(count * scale)), seed=seed + heat)
        final, takers = stage.play(worlds, [moves[m] for m in race], seed=seed + heat)
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


def _option(result: Outcome) -> MoveOption:
    assert result.move is not None
    return MoveOption(
        move=result.move,
        chance=result.chance,
        tricks=result.expected_tricks,
        points=result.expected,
        worlds=result.worlds,
    )
