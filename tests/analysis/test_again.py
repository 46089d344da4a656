"""Two moves in the same worlds: the same figures as elsewhere, and the error of pairs."""

from __future__ import annotations

import os
from math import hypot, sqrt
from random import Random

import pytest

from games.analysis import bots
from games.analysis.again import deal_again
from games.analysis.odds import forecast, promises, seed_of
from games.rules import DECK, Bid, Observation, Play, Round, Variant, observe

DECISIONS = 50


def decisions(rng: Random) -> list[Observation]:
    """Turns with a choice, of rounds of 2 to 10 seats in all three games: bids and plays."""
    found: list[Observation] = []
    while len(found) < DECISIONS:
        seats, variant = 2 + len(found) % 9, list(Variant)[len(found) % 3]
        cards = rng.sample(DECK, 8 * seats)
        hands = [cards[8 * seat : 8 * seat + 8] for seat in range(seats)]
        round_ = Round.start(variant=variant, hands=hands, dealer=rng.randrange(seats))
        for _ in range(rng.randrange(7 * seats)):
            seen = observe(round_, round_.to_move)
            round_ = round_.apply(bots.choose(seen, level="tip-wikipedia", rng=rng))
        seen = observe(round_, round_.to_move)
        if len(seen.legal) > 1:
            found.append(seen)
    return found


def test_it_agrees_with_the_look_backs_figures() -> None:
    rng = Random(29)
    for seen in decisions(rng)[:: 1 if os.environ.get("XACTIKA_SOAK") == "1" else 4]:
        one, other = rng.sample(seen.legal, 2)
        # Other worlds than the look back's: the same ones would agree anyhow.
        found = deal_again(seen, one, other, worlds=4_000, seed=seed_of(seen) ^ 0xD1CE)
        assert (found.one.move, found.other.move) == (one, other)
        for outcome in (found.one, found.other):
            if isinstance(outcome.move, Bid):
                known = forecast(seen, seed=seed_of(seen)).bids[outcome.move.number]
            else:
                told = promises(seen, seed=seed_of(seen))
                known = next(each.outcome for each in told if each.play == outcome.move)
            near = 3 * hypot(known.error, outcome.error) + 1e-9
            assert abs(known.expected - outcome.expected) <= near
            assert outcome.worth == known.worth


def test_the_error_is_of_pairs() -> None:
    """Recomputed from the table of both; smaller than of two separate means where what is good
    for one move is good for the other."""
    rng = Random(31)
    smaller = 0
    for seen in decisions(rng)[:20]:
        one, other = rng.sample(seen.legal, 2)
        found = deal_again(seen, one, other, worlds=1_000, seed=5)
        sign = -1 if seen.variant is Variant.LOSE else 1
        gaps = [
            sign * (found.one.worth[i] - found.other.worth[j])
            for i in range(9)
            for j in range(9)
            for _ in range(found.both[i][j])
        ]
        assert len(gaps) == 1_000
        mean = sum(gaps) / 1_000
        assert found.difference == pytest.approx(mean)
        spread = sum((gap - mean) ** 2 for gap in gaps) / 1_000
        assert found.error == pytest.approx(sqrt(spread / 1_000), abs=1e-9)
        assert found.better == sum(gap > 0 for gap in gaps) / 1_000
        assert found.worse == sum(gap < 0 for gap in gaps) / 1_000
        rows = [sum(found.both[n]) for n in range(9)]
        assert rows == list(found.one.tricks)
        columns = [sum(row[n] for row in found.both) for n in range(9)]
        assert columns == list(found.other.tricks)
        smaller += found.error < hypot(found.one.error, found.other.error)
    assert smaller > 15


def test_the_same_move_twice_makes_no_difference() -> None:
    seen = next(s for s in decisions(Random(37)) if isinstance(s.legal[0], Play))
    found = deal_again(seen, seen.legal[0], seen.legal[0], worlds=500, seed=1)
    assert (found.difference, found.error, found.better, found.worse) == (0, 0, 0, 0)


def test_only_legal_moves_are_compared() -> None:
    seen = next(s for s in decisions(Random(41)) if isinstance(s.legal[0], Bid))
    with pytest.raises(ValueError, match="legal"):
        deal_again(seen, seen.legal[0], Bid(9), seed=1)
