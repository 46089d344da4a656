"""What one seat can work out about the unseen cards, exactly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from games.rules import DECK, Call, Card, Trick
from lessons.probability import none_of

Voids = frozenset[Call]

Holding = tuple[Fraction, ...]
"""By number of cards, from 0, how likely a place holds so many."""


def _may_hold(voids: Voids | None, card: Card) -> bool:
    """Whether a place with these voids may hold the card; None are the undealt ones."""
    return voids is None or not any(card.shows(call) for call in voids)


def safe_chance(rivals: int, unseen: int, elsewhere: int) -> Fraction:
    """P(none of ``rivals`` unseen cards is in the other hands) = C(u − t, s) / C(u, s).

    ``elsewhere`` is s, the cards in the other hands; no voids known. With t the unseen cards
    of the led class with a value at least the lead's (the later of equal cards wins), this is
    the chance that nobody can beat a lead.
    """
    return none_of(rivals, elsewhere, unseen)


@dataclass(frozen=True, slots=True)
class Unseen:
    """What one seat does not see: the cards, how many of them each other hand holds, and in
    what each is known to be void. The rest of the cards are undealt.

    ``slots`` and ``voids`` have an entry per seat, the own one 0 and empty.
    """

    cards: tuple[Card, ...]
    slots: tuple[int, ...]
    voids: tuple[Voids, ...]

    @classmethod
    def of(
        cls, seat: int, hand: Iterable[Card], hand_sizes: Sequence[int], tricks: Iterable[Trick]
    ) -> Unseen:
        """The unseen cards by a seat's own cards, the sizes of all hands now, and the tricks so
        far with the one in play."""
        tricks = tuple(tricks)
        seen_cards = {*hand, *(card for trick in tricks for _, card in trick.plays)}
        voids: list[set[Call]] = [set() for _ in hand_sizes]
        for trick in tricks:
            for player, card in trick.plays:
                if trick.call is not None and player != seat and not card.shows(trick.call):
                    voids[player].add(trick.call)
        return cls(
            cards=tuple(card for card in DECK if card not in seen_cards),
            slots=tuple(0 if s == seat else size for s, size in enumerate(hand_sizes)),
            voids=tuple(map(frozenset, voids)),
        )

    @property
    def elsewhere(self) -> int:
        """s: how many unseen cards the other hands hold."""
        return sum(self.slots)

    @property
    def undealt(self) -> int:
        """How many unseen cards lie undealt: u − s."""
        return len(self.cards) - self.elsewhere

    def holdings(self, cards: Collection[Card]) -> tuple[Holding, ...]:
        """How many of these unseen cards each seat may hold, and how many may be undealt: by
        seat and, last, of the undealt cards, P(0), P(1), … up to the slots there are.

        Exact if all deals that the voids allow are equally likely. ValueError for a card that
        has been seen, and where the voids leave no deal.
        """
        marked = frozenset(cards)
        if strange := marked - {*self.cards}:
            raise ValueError(f"{min(strange, key=str)} has been seen")
        alike: dict[tuple[Voids, int], Holding] = {}
        for voids, slots in zip(self.voids, self.slots, strict=True):
            if (voids, slots) not in alike:
                alike[voids, slots] = self._holding(marked, voids, slots)
        by_seat = (alike[each] for each in zip(self.voids, self.slots, strict=True))
        return (*by_seat, self._holding(marked, None, self.undealt))

    def _holding(self, marked: frozenset[Card], own: Voids | None, slots: int) -> Holding:
        """P(0), P(1), … of so many of the ``marked`` cards in one place with these voids (None:
        undealt). For each number k it is filled as two: k slots for the cards that are marked,
        the rest for others; so the ways to fill all are those with k."""
        if not slots:
            return (Fraction(1),)
        rest = self._pools()
        rest[own] -= slots
        pools = list(rest.items())
        groups: Counter[tuple[int, ...]] = Counter()
        for card in self.cards:
            may = [0 if card in marked else 1] if _may_hold(own, card) else []
            may += [n for n, (voids, _) in enumerate(pools, 2) if _may_hold(voids, card)]
            groups[tuple(may)] += 1
        sizes = tuple(size for _voids, size in pools)
        fewest = max(0, slots - len(self.cards) + len(marked))
        ways = [0] * (slots + 1)
        for k in range(fewest, min(slots, len(marked)) + 1):
            ways[k] = _fillings(groups, (k, slots - k, *sizes))
        if not any(ways):
            raise ValueError("no deal fits these voids")
        return tuple(Fraction(each, sum(ways)) for each in ways)

    def _pools(self) -> dict[Voids | None, int]:
        """By voids, the number of slots in hands that have them; by None, of the undealt."""
        pools: dict[Voids | None, int] = {None: self.undealt}
        for voids, slots in zip(self.voids, self.slots, strict=True):
            if slots:
                pools[voids] = pools.get(voids, 0) + slots
        return pools


def _fillings(groups: Mapping[tuple[int, ...], int], slots: tuple[int, ...]) -> int:
    """The ways to put the cards of each group into the pools that it may go to, filling all
    slots: group by group, C(what is left of the group, what a pool takes)."""
    states = {slots: 1}
    for may, cards in groups.items():
        states = _spread(states, may, cards)
    return states.get((0,) * len(slots), 0)


def _spread(
    states: Mapping[tuple[int, ...], int], may: Sequence[int], cards: int
) -> dict[tuple[int, ...], int]:
    """In how many ways so many cards go into pools that may hold them, by what is then left."""
    after: dict[tuple[int, ...], int] = defaultdict(int)
    partial = {(state, cards): ways for state, ways in states.items()}
    order = sorted(may, key=lambda pool: max(state[pool] for state in states) if states else 0)
    for pool in order:
        further: dict[tuple[tuple[int, ...], int], int] = defaultdict(int)
        for (state, left), ways in partial.items():
            # The last pool, the largest, takes all that is left.
            least = left if pool == order[-1] else 0
            for taken in range(least, min(left, state[pool]) + 1):
                filled = (*state[:pool], state[pool] - taken, *state[pool + 1 :])
                further[filled, left - taken] += ways * comb(left, taken)
        partial = further
    for (state, left), ways in partial.items():
        if left == 0:
            after[state] += ways
    return after
