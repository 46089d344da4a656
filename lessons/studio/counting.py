"""What a graph counts: cards that lie there, hands that were dealt, the deck itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from games.rules import DECK, HAND_SIZE, Card
from lessons.probability import COUNTS, chances, draw_counts
from lessons.studio.settings import Look, Of, Settings, Show

if TYPE_CHECKING:
    from numpy.typing import NDArray

Hand = Sequence[Card]


@dataclass(frozen=True, slots=True)
class Tally:
    """How often each number occurs: ``counts`` by the number, which for a mean is the sum of
    eight cards; ``by_count`` for the three curves, in their order. ``theory`` has the exact
    chances where there are any. ``rounds`` stand behind it, if it comes from play. ``goal`` is
    how many there will be in the end, while hands are still dealt."""

    counts: Mapping[int, int]
    theory: Mapping[int, Fraction] | None = None
    by_count: tuple[Mapping[int, int], ...] = ()
    rounds: int = 0
    goal: int | None = None

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def score(settings: Settings) -> Callable[[Card], int]:
    """What one card adds to the number."""
    place, count, least = settings.shape.position, settings.count, settings.least
    of_card: dict[Show, Callable[[Card], int]] = {
        Show.COUNT: lambda card: card.counts[place],
        Show.CALL: lambda card: int(card.counts[place] == count),
        Show.LEAST: lambda card: int(card.value >= least),
    }
    return of_card.get(settings.show, lambda card: card.value)


def exact(settings: Settings) -> Mapping[int, Fraction]:
    """The chances for one card of the full deck, or for a hand of eight."""
    return _exact(_what(settings))


def _what(settings: Settings) -> Settings:
    """Only what matters to the numbers: names, axes and kind of graph do not."""
    return replace(settings, graph=Look.BAR, title=0, x=0, y="number", session=None)


@lru_cache(maxsize=200)
def _exact(settings: Settings) -> Mapping[int, Fraction]:
    by_score = dict(sorted(Counter(map(score(settings), DECK)).items()))
    return chances(by_score if settings.show.is_of_card else draw_counts(by_score, HAND_SIZE))


def of_deck(settings: Settings) -> Tally:
    """The deck's cards; for what a hand has, all hands that there can be, as chances."""
    if not settings.show.is_of_card:
        return Tally({}, exact(settings))
    return replace(of_hands([DECK], settings), theory=None)


def of_hands(hands: Iterable[Hand], settings: Settings) -> Tally:
    """These hands, each counted once, or all their cards."""
    hands = list(hands)
    of_card = score(settings)
    numbers = (
        (of_card(card) for hand in hands for card in hand)
        if settings.show.is_of_card
        else (sum(map(of_card, hand)) for hand in hands)
    )
    by_count: tuple[Mapping[int, int], ...] = ()
    if settings.show is Show.CURVES:
        cards = [card for hand in hands for card in hand]
        by_count = tuple(_values(cards, settings, count) for count in COUNTS)
    return Tally(dict(sorted(Counter(numbers).items())), exact(settings), by_count)


def _values(cards: Iterable[Card], settings: Settings, count: int) -> dict[int, int]:
    shape = settings.shape.position
    values = Counter(card.value for card in cards if card.counts[shape] == count)
    return dict(sorted(values.items()))


def of_results(results: Iterable[tuple[int | None, int]], settings: Settings) -> Tally:
    """Rounds as (bid, taken): the tricks, or the bid less the tricks where there was a bid."""
    results = list(results)
    numbers = [taken for _bid, taken in results]
    if settings.show is Show.ERROR:
        numbers = [bid - taken for bid, taken in results if bid is not None]
    return Tally(dict(sorted(Counter(numbers).items())), rounds=len(numbers))


# Simulated deals


def frames(hands: int) -> list[int]:
    """After how many hands the graph is drawn while they are dealt: 1, 2, 5, 10, 20, … and
    later in even steps."""
    steps = [n * 10**power for power in range(7) for n in (1, 2, 5)]
    early = [n for n in steps if n < min(hands, 50_000)]
    late = range(50_000, hands, 50_000)
    return [*early, *late, hands]


def dealt(settings: Settings, steps: Sequence[int] | None = None) -> Iterator[Tally]:
    """Simulated hands, after each of these numbers of them (at the end alone, if not given).

    Numpy is imported here, not with the pages.
    """
    from games.analysis import deals

    of_card = deals.scores(score(settings))
    curves = settings.show is Show.CURVES
    if curves:
        shape = settings.shape.position
        of_card = deals.scores(lambda card: 13 * card.counts[shape] + card.value)
    found = deals.simulate(
        list(steps or [settings.hands]),
        of_card,
        per_hand=not settings.show.is_of_card,
        seed=settings.seed,
    )
    theory = exact(settings)
    for counts in found:
        if curves:
            split = tuple(_counted(counts[13 * c : 13 * (c + 1)]) for c in COUNTS)
            whole: Counter[int] = Counter()
            for curve in split:
                whole.update(curve)
            yield Tally(dict(sorted(whole.items())), theory, split)
        else:
            yield Tally(_counted(counts), theory)


def _counted(counts: NDArray[Any]) -> dict[int, int]:
    return {number: int(n) for number, n in enumerate(counts) if n}


def simulated(settings: Settings) -> Tally:
    """All of them at once; a class that opens one address has them dealt once."""
    assert settings.of is Of.DEALT
    return _simulated(_what(settings))


@lru_cache(maxsize=200)
def _simulated(settings: Settings) -> Tally:
    return next(iter(dealt(settings)))


def on_the_way(tally: Tally, settings: Settings) -> Tally:
    """A tally of hands that are still being dealt, with how many numbers there will be."""
    each = HAND_SIZE if settings.show.is_of_card else 1
    return replace(tally, goal=settings.hands * each)
