"""What a graph counts: cards that lie there, hands that were dealt, the deck itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import takewhile
from typing import Any, NamedTuple

from games.analysis.jobs import remembered
from games.rules import DECK, HAND_SIZE, Card, Shape
from lessons.charts import round_numbers
from lessons.probability import COUNTS, chances, draw_counts, void_counts
from lessons.studio import own
from lessons.studio.settings import By, Look, Of, Settings, Show, Side, Tail

Hand = Sequence[Card]

DEALER = 99
"""The dealer's place, who bids last."""


class PlayedHand(NamedTuple):
    """A hand, and what became of it where it was played: ``place`` is the seat
    counted from the dealer (``DEALER``); ``deal``, ``session``, ``student`` are keys."""

    cards: Hand
    deal: int = 0
    place: int = 0
    session: int = 0
    bid: int | None = None
    taken: int | None = None
    student: int | None = None


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How often each number occurs: ``counts`` by the number, which for a mean is the sum of
    eight cards; ``by_count`` for the three curves, in their order. ``theory`` has the exact
    chances where there are any. ``rounds`` stand behind it, if it comes from play. ``goal`` is
    how many there will be in the end, while hands are still dealt. ``pairs`` counts (number,
    what it is split by), where it is; ``names`` are what it is split by, where that is no
    number, and ``left_out`` tells of what is not shown of it."""

    counts: Mapping[int, int]
    theory: Mapping[int, Fraction] | None = None
    by_count: tuple[Mapping[int, int], ...] = ()
    rounds: int = 0
    goal: int | None = None
    pairs: Mapping[tuple[int, int], int] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)
    left_out: str = ""

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def card_score(settings: Settings) -> Callable[[Card], int]:
    """A function that says what one card adds to the number."""
    place, count, least = settings.shape.position, settings.count, settings.least
    of_card: dict[Show, Callable[[Card], int]] = {
        Show.COUNT: lambda card: card.counts[place],
        Show.CALL: lambda card: int(card.counts[place] == count),
        Show.LEAST: lambda card: int(card.value >= least),
    }
    return of_card.get(settings.show, lambda card: card.value)


def voids(hand: Hand) -> int:
    """How many of the twelve calls no card of a hand shows."""
    return sum(not any(card.counts[n] == c for card in hand) for n in range(4) for c in COUNTS)


def number_of(settings: Settings) -> Callable[[PlayedHand], int | None]:
    """A function that says what is counted of a hand; None where a round has none."""
    played: dict[Show, Callable[[PlayedHand], int | None]] = {
        Show.VOID: lambda row: voids(row.cards),
        Show.BID: lambda row: row.bid,
        Show.TAKEN: lambda row: row.taken,
        Show.ERROR: lambda row: (
            None if row.bid is None or row.taken is None else row.bid - row.taken
        ),
    }
    of_card = card_score(settings)
    return played.get(settings.show, lambda row: sum(map(of_card, row.cards)))


_AS_SETTINGS = {
    By.VALUE: Settings(),
    By.BALLS: Settings(show=Show.COUNT, shape=Shape.BALL),
    By.CUBES: Settings(show=Show.COUNT, shape=Shape.CUBE),
    By.CONES: Settings(show=Show.COUNT, shape=Shape.CONE),
    By.STARS: Settings(show=Show.COUNT, shape=Shape.STAR),
    By.HIGH: Settings(show=Show.LEAST, least=9),
    By.MEAN: Settings(show=Show.MEAN),
    By.VOID: Settings(show=Show.VOID),
    By.BID: Settings(show=Show.BID),
    By.TAKEN: Settings(show=Show.TAKEN),
    By.ERROR: Settings(show=Show.ERROR),
}
_NAMED: dict[By, Callable[[PlayedHand], int | None]] = {
    By.SEAT: lambda row: row.place,
    By.STUDENT: lambda row: row.student,
    By.SESSION: lambda row: row.session,
}


def part_of(by: By) -> Callable[[PlayedHand], int | None]:
    """What tells hands apart: a number, or the number of a name."""
    return _NAMED.get(by) or number_of(_AS_SETTINGS[by])


def exact_chances(settings: Settings) -> Mapping[int, Fraction]:
    """The chances for one card of the full deck, or for a hand of eight."""
    return _exact_distribution(_settings_that_count(settings))


def _settings_that_count(settings: Settings) -> Settings:
    """The settings with what matters to the numbers alone: no names, axes, kind of graph."""
    plain = replace(settings, graph=Look.BAR, y=Side.NUMBER)
    return replace(plain, session=None, tail=Tail.NONE, cut=None)


@lru_cache(maxsize=200)
def _exact_distribution(settings: Settings) -> Mapping[int, Fraction]:
    """The exact distribution of what is counted, by number."""
    if settings.show is Show.VOID:
        return void_counts(HAND_SIZE)
    by_score = dict(sorted(Counter(map(card_score(settings), DECK)).items()))
    return chances(by_score if settings.show.is_of_card else draw_counts(by_score, HAND_SIZE))


def deck_frequencies(settings: Settings) -> Frequencies:
    """The frequencies of the deck's cards, or of all hands that there can be, as chances."""
    if not settings.show.is_of_card:
        return Frequencies({}, exact_chances(settings))
    return replace(row_frequencies([PlayedHand(DECK)], settings), theory=None)


def row_frequencies(rows: Iterable[PlayedHand], settings: Settings) -> Frequencies:
    """How often each number occurs among these hands, or where the graph shows cards among
    theirs; what has none (was not bid) counts nowhere."""
    rows = list(rows)
    by = settings.by
    pairs: list[tuple[int | None, int | None]]
    of_row, whose = number_of(settings), part_of(by) if by else None
    if not settings.show.is_of_card:
        pairs = [(of_row(row), whose(row) if whose else None) for row in rows]
    else:
        of_card = card_score(settings)
        apart = card_score(_AS_SETTINGS[by]) if by and by.is_of_card else None
        pairs = [
            (of_card(card), apart(card) if apart else whose(row) if whose else None)
            for row in rows
            for card in row.cards
        ]
    pairs = [(n, key) for n, key in pairs if n is not None and (by is None or key is not None)]
    by_count: tuple[Mapping[int, int], ...] = ()
    if settings.show is Show.CURVES:
        shape, cards = settings.shape.position, [card for row in rows for card in row.cards]
        of_count = [[card.value for card in cards if card.counts[shape] == n] for n in COUNTS]
        by_count = tuple(_sorted(Counter(values)) for values in of_count)
    return Frequencies(
        _sorted(Counter(n for n, _key in pairs)),
        None if settings.show.is_of_round else exact_chances(settings),
        by_count,
        pairs=_sorted(Counter(pairs)) if by else {},
    )


def _sorted(counts: Mapping[Any, int]) -> dict[Any, int]:
    return dict(sorted(counts.items()))


def own_frequencies(settings: Settings) -> Frequencies:
    """The frequencies of numbers of one's own, in steps of their last decimal place."""
    numbers = own.numbers(settings.data)
    steps = own.steps(numbers)
    return Frequencies(_sorted(Counter(int(number * steps) for number in numbers)))


def scale(settings: Settings) -> int:
    """How many steps of the counted numbers are one on the axis: a hand's mean comes in
    eighths, that of a sample in parts of all its cards."""
    of_hand = HAND_SIZE if settings.show is Show.MEAN else 1
    if settings.of is Of.SAMPLES:
        return of_hand * settings.size
    return own.steps(own.numbers(settings.data)) if settings.of is Of.OWN else of_hand


# Simulated deals


def frames(hands: int) -> list[int]:
    """After how many hands the graph is drawn while they are dealt: 1, 2, 5, 10, 20, … and
    later in even steps."""
    early = takewhile(lambda n: n < min(hands, 50_000), round_numbers())
    return [*early, *range(50_000, hands, 50_000), hands]


def deal_frequencies(
    settings: Settings, steps: Sequence[int] | None = None
) -> Iterator[Frequencies]:
    """Tallies of simulated hands, or of samples of them, after each of these numbers (at the
    end alone, if not given).

    Numpy is imported here, not with the pages.
    """
    import numpy as np

    from games.analysis import deals

    many, first = _scores_of_deals(settings)
    each = settings.size if settings.of is Of.SAMPLES else 1
    curves = settings.show is Show.CURVES
    by = replace(Settings(show=Show.COUNT), shape=settings.shape) if curves else None
    if settings.by is not None:
        by = _AS_SETTINGS[settings.by]
    keys, second = _scores_of_deals(by) if by else (1, None)

    def count(hands: Any) -> Any:
        numbers = first(hands)
        if each > 1:
            numbers = numbers.reshape(-1, each).sum(axis=1, dtype=np.int64)
        if second is not None:
            numbers = numbers.astype(np.int64) * keys + second(hands)
        return np.bincount(numbers.ravel())

    theory = None if each > 1 else exact_chances(settings)
    size = (each * (many - 1) + 1) * keys
    steps = steps or [settings.hands]
    for counts in deals.sums_after(
        list(steps), count, size=size, seed=settings.seed, each=each
    ):
        pairs = {divmod(n, keys): int(times) for n, times in enumerate(counts) if times}
        whole: Counter[int] = Counter()
        for (number, _key), times in pairs.items():
            whole[number] += times
        by_count = tuple({n: t for (n, key), t in pairs.items() if key == c} for c in COUNTS)
        yield Frequencies(
            _sorted(whole),
            theory,
            by_count if curves else (),
            pairs=pairs if settings.by else {},
        )


def _scores_of_deals(settings: Settings) -> tuple[int, Callable[[Any], Any]]:
    """How many numbers there can be, from 0 on, and a function from dealt hands to theirs: one
    a card, or one a hand."""
    import numpy as np

    from games.analysis import deals

    if settings.show is Show.VOID:
        return len(deals.CALLS) + 1, deals.voids
    of_card = deals.scores(card_score(settings))
    highest = int(of_card.max())
    if settings.show.is_of_card:
        return highest + 1, lambda hands: of_card[hands]
    # At most 96.
    return HAND_SIZE * highest + 1, lambda hands: of_card[hands].sum(axis=0, dtype=np.uint8)


def simulation(settings: Settings) -> Frequencies:
    """The frequencies of all simulated hands; a class that opens one address has them dealt
    once."""
    assert settings.of.is_dealt
    what = _settings_that_count(settings)
    return remembered(("hands", what), lambda: next(deal_frequencies(what)))


def with_goal(frequencies: Frequencies, settings: Settings) -> Frequencies:
    """The frequencies of hands still being dealt, with the ``goal``: how many numbers are to
    come."""
    each = HAND_SIZE if settings.show.is_of_card else 1
    return replace(frequencies, goal=settings.hands * each)
