"""How honest and crooked dealers deal, what is counted of it, how often a test finds them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from math import pi, sqrt
from random import Random
from statistics import NormalDist

from games.rules import DECK, HAND_SIZE, Shape

SEATS = 4

HandCodes = list[list[str]]
"""The codes of the cards that each seat was dealt."""


class DealerKind(StrEnum):
    """What a dealer is: honest, in favour of a seat, or short of the 3s of a shape."""

    HONEST = "honest"
    SEAT_1 = "seat-1"
    SEAT_2 = "seat-2"
    SEAT_3 = "seat-3"
    SEAT_4 = "seat-4"
    BALL = "ball"
    CUBE = "cube"
    CONE = "cone"
    STAR = "star"


SUSPECTS = tuple(DealerKind)[1:]
FAVOURED, SHORT = SUSPECTS[:SEATS], SUSPECTS[SEATS:]


def statistic(hands: HandCodes, suspect: DealerKind) -> int:
    """What a suspect's test sums: its seat's values, or dealt cards with 3 of its shape."""
    if suspect in FAVOURED:
        return sum(int(digit) for code in hands[FAVOURED.index(suspect)] for digit in code)
    place = Shape(suspect.value).position
    return sum(code[place] == "3" for hand in hands for code in hand)


def deal(kind: DealerKind, rng: Random) -> HandCodes:
    """Four hands of 81 shuffled cards. A crooked dealer shuffles twice, and keeps the deal with
    the better hand for its seat, or with fewer cards that have 3 of its shape."""
    first, second = _shuffled(rng), _shuffled(rng)
    if kind is DealerKind.HONEST:
        return first
    more = statistic(second, kind) - statistic(first, kind)
    return second if (more > 0 if kind in FAVOURED else more < 0) else first


def _shuffled(rng: Random) -> HandCodes:
    cards = rng.sample([card.code for card in DECK], SEATS * HAND_SIZE)
    return [cards[seat::SEATS] for seat in range(SEATS)]


def next_kind(before: Sequence[DealerKind], rng: Random) -> DealerKind:
    """The next dealer's kind, by lot: honest or crooked, but never one more than one ahead of
    the other; each suspect is as likely."""
    crooked = sum(kind is not DealerKind.HONEST for kind in before)
    ahead = 2 * crooked - len(before)
    is_crooked = ahead < 0 or (ahead == 0 and rng.random() < 0.5)
    return rng.choice(SUSPECTS) if is_crooked else DealerKind.HONEST


def band(suspect: DealerKind, deals: int) -> tuple[float, float]:
    """The ends between which the mean ``statistic`` of so many honest deals lies in 19 of 20
    cases: 1.96 standard deviations up and down, drawn without replacement (hypergeometric for a
    shape)."""
    drawn, middle, of_card = (
        (HAND_SIZE, 8.0, 8 / 3) if suspect in FAVOURED else (SEATS * HAND_SIZE, 1 / 3, 2 / 9)
    )
    variance = drawn * of_card * (len(DECK) - drawn) / (len(DECK) - 1)
    reach = 1.96 * sqrt(variance / deals)
    return drawn * middle - reach, drawn * middle + reach


def power(deals: int) -> float:
    """How often a test at 5% accuses the right suspect of a crooked dealer after so many
    deals. The greater of two normal numbers has mean 1/√π and variance 1 − 1/π; each of the
    eight suspects is tested at 5%/8 (Bonferroni). 32 deals have 80%."""
    normal = NormalDist()
    critical = -normal.inv_cdf(0.05 / len(SUSPECTS))
    return normal.cdf((sqrt(deals / pi) - critical) / sqrt(1 - 1 / pi))
