"""Many hands dealt: each one fair, their tallies as the closed forms have them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from games.analysis import deals
from games.rules import DECK, HAND_SIZE, Card, Shape
from lessons.probability import hypergeometric, sum_distribution, value_counts
from tests.analysis.tallies import simulate

HANDS = 200_000
SCORES: dict[str, tuple[Callable[[Card], int], dict[int, Fraction]]] = {
    "sum of values": (lambda card: card.value, sum_distribution()),
    "1-balls": (lambda card: card.counts[0] == 1, hypergeometric(81, 27, 8)),
    "nines and more": (lambda card: card.value >= 9, hypergeometric(81, 31, 8)),
}


def test_hands_are_eight_different_cards() -> None:
    hands = deals.draw_hands(5_000, np.random.default_rng(1))
    assert hands.shape == (HAND_SIZE, 5_000)
    assert hands.max() < len(DECK)
    assert all(len(set(hand)) == HAND_SIZE for hand in hands.T.tolist())


def test_every_card_is_as_likely_in_every_place() -> None:
    """Also beside every other card: what is thrown away does not bend the rest."""
    hands = deals.draw_hands(HANDS, np.random.default_rng(2))
    for place in range(HAND_SIZE):
        found = np.bincount(hands[place], minlength=81)
        expected = HANDS / 81
        assert ((found - expected) ** 2 / expected).sum() < 140  # 80 degrees: p = 4e-5
    pairs = np.bincount(hands[0].astype(int) * 81 + hands[1], minlength=81 * 81)
    assert pairs.reshape(81, 81).diagonal().sum() == 0
    expected = HANDS / (81 * 80)
    away = (pairs - expected) ** 2 / expected
    assert away.sum() - 81 * expected < 6479 + 5 * sqrt(2 * 6479)


@pytest.mark.parametrize("what", SCORES)
def test_tallies_of_hands_meet_the_closed_forms(what: str) -> None:
    of_card, exact = SCORES[what]
    (counts,) = simulate([HANDS], deals.scores(of_card), per_hand=True, seed=3)
    assert counts.sum() == HANDS
    for score, found in enumerate(counts):
        chance = float(exact.get(score, 0))
        error = sqrt(HANDS * chance * (1 - chance))
        assert abs(found - HANDS * chance) <= 5 * error + 1


def test_the_mean_of_all_cards_is_that_of_the_deck() -> None:
    of_card = deals.scores(lambda card: card.counts[Shape.STAR.position])
    (counts,) = simulate([HANDS], of_card, per_hand=False, seed=5)
    shares = counts / counts.sum()
    assert np.allclose(shares[1:], 1 / 3, atol=0.002)
    of_value = deals.scores(lambda card: card.value)
    (counts,) = simulate([HANDS], of_value, per_hand=False, seed=5)
    for value, cards in value_counts().items():
        assert counts[value] / counts.sum() == pytest.approx(cards / 81, abs=0.002)


def test_a_seed_has_its_hands_in_whatever_steps_they_come() -> None:
    of_card = deals.scores(lambda card: card.value)
    steps = [1, 2, 100, 19_999, 20_000, 20_001, 45_000]
    several = list(simulate(steps, of_card, per_hand=True, seed=6))
    assert [int(counts.sum()) for counts in several] == steps
    for step, counts in zip(steps, several, strict=True):
        (alone,) = simulate([step], of_card, per_hand=True, seed=6)
        assert (alone == counts).all()
    (other,) = simulate([45_000], of_card, per_hand=True, seed=7)
    assert (other != several[-1]).any()


@pytest.mark.parametrize("steps", [[], [0], [-1], [deals.MAX_HANDS + 1]])
def test_too_many_hands_are_refused(steps: list[int]) -> None:
    of_card = deals.scores(lambda card: card.value)
    with pytest.raises(ValueError, match="between 1 and 1000000"):
        next(simulate(steps, of_card, per_hand=True, seed=1))
