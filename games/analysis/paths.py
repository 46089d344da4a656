"""Every way to play a hand, all cards known, against seats that answer by the tips.

From a point of play one seat tries every legal play at each of its turns; the others play as
the tips would with the cards and bids they have, of equally good plays always the one with the
lowest value, then code, then shape. Points that are equal for what follows are searched once:
the same cards in the same hands, the same leader, and of the others the same tricks wanted.

Plain Python; the kernel does the same (``games.analysis.kernel.paths``). Counts are reachable
or not: how many lines lead to one is no chance, and is not kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from games import analysis
from games.rules import HAND_SIZE, Call, Card, Play, Round, Trick, Variant, legal_plays

BUDGET, PLAIN_BUDGET = 200_000, 60_000
"""Points at which the kernel looks, and plain Python; beyond, what was found so far is what
there is "at least"."""

Hands = tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class Reach:
    """The counts of tricks, in the whole round, that a play (or, for None, the point as it is)
    leaves reachable. Not ``is_whole``: at least these."""

    play: Play | None
    counts: frozenset[int]
    is_whole: bool


def card_order(card: Card) -> tuple[int, str]:
    """The key by which cards are tried in order, and the tips' ties settled: value and code."""
    return card.value, card.code


def reach(round: Round, seat: int, *, budget: int | None = None, plain: bool = False) -> Reach:
    """The counts of tricks that this seat can still come to in a round whose bids are made.
    ``plain`` does without the kernel, as it is done where there is none."""
    return _reaches(round, seat, [None], budget, plain)[0]


def reach_by_play(
    round: Round, seat: int, *, budget: int | None = None, plain: bool = False
) -> tuple[Reach, ...]:
    """For every play that is legal for the seat, whose turn it is, the tricks that it can still
    come to (as ``reach``)."""
    if round.to_move != seat or round.trick is None:
        raise ValueError(f"it is not seat {seat}'s turn to play")
    plays = [play for play in round.legal_moves() if isinstance(play, Play)]
    return _reaches(round, seat, plays, budget, plain)


def one_line(
    round: Round, seat: int, count: int, *, budget: int | None = None, plain: bool = False
) -> tuple[Play, ...]:
    """The plays of all seats, in order, of one line to exactly so many tricks; ValueError where
    none was found."""
    line: list[Play] = []
    # What plain Python has found at one turn it need not look for at the next.
    searcher = _Search(round, seat, budget or PLAIN_BUDGET)
    while not round.is_over:
        if round.to_move == seat:
            plays = [play for play in round.legal_moves() if isinstance(play, Play)]
            ways = _reaches(round, seat, plays, budget, plain, searcher)
            to_it = [way.play for way in ways if way.play and count in way.counts]
            if not to_it:
                raise ValueError(f"no line to {count} tricks was found")
            play = min(to_it, key=lambda play: card_order(play.card))
        else:
            play = tip_play(round)
        line.append(play)
        round = round.apply(play)
    if round.taken[seat] != count:
        raise ValueError(f"no line to {count} tricks was found")
    return tuple(line)


def _reaches(
    round: Round,
    seat: int,
    plays: Sequence[Play | None],
    budget: int | None,
    plain: bool,
    searcher: _Search | None = None,
) -> tuple[Reach, ...]:
    if round.trick is None:
        raise ValueError("the bids are not made, or the round is over")
    if analysis.ready() and not plain:
        from games.analysis.path_search import search

        masks, is_whole = search(round, seat, plays, budget or BUDGET)
    else:
        searcher = searcher or _Search(round, seat, budget or PLAIN_BUDGET)
        masks = [searcher.from_trick(round, play) for play in plays]
        is_whole = searcher.is_whole
    return tuple(
        Reach(play, _counts(mask << round.taken[seat]), is_whole)
        for play, mask in zip(plays, masks, strict=True)
    )


def _counts(mask: int) -> frozenset[int]:
    return frozenset(n for n in range(HAND_SIZE + 1) if mask >> n & 1)


def tip_play(round: Round) -> Play:
    """The play of the seat in turn by the tips, ties settled in the fixed order."""
    seat, trick = round.to_move, round.trick
    assert seat is not None
    assert trick is not None
    hand = tuple(sorted(round.hands[seat], key=card_order))
    wants = _wants(round.variant, round.bids[seat], round.taken[seat])
    return _tip(hand, trick, round.seats, wants)


def _tip(hand: tuple[Card, ...], trick: Trick, seats: int, wants: bool) -> Play:
    """The play by the tips of who holds the hand, which is in order, and wants the trick or
    not."""
    if trick.call is None:
        return Play(*_lead(hand, wants))
    best = max(card.value for _, card in trick.plays if card.shows(trick.call))
    is_last = len(trick.plays) == seats - 1
    return Play(_answer(hand, trick.call, best, is_last, wants))


def _wants(variant: Variant, bid: int | None, taken: int) -> bool:
    return variant is Variant.WIN if bid is None else taken < bid


@lru_cache(maxsize=200_000)
def _lead(hand: tuple[Card, ...], wants: bool) -> tuple[Card, Call]:
    """The lead by the tips, the highest or lowest 5·value − 6·count; the hand is in order."""
    sign = 1 if wants else -1
    return max(
        ((card, call) for card in hand for call in card.calls),
        key=lambda pair: sign * (5 * pair[0].value - 6 * pair[1].number),
    )


@lru_cache(maxsize=200_000)
def _answer(hand: tuple[Card, ...], call: Call, best: int, is_last: bool, wants: bool) -> Card:
    """The card by the tips, of equals the first, which is the lowest: the hand is in order."""
    showing = [card for card in hand if card.shows(call)]
    if not showing:
        return hand[0] if wants else _highest(hand)
    taking = [card for card in showing if card.value >= best]
    ducking = [card for card in showing if card.value < best]
    if wants:
        if not taking:
            return ducking[0]
        return taking[0] if is_last else _highest(taking)
    if ducking:
        return _highest(ducking)
    return _highest(taking) if is_last else taking[0]


def _highest(cards: Sequence[Card]) -> Card:
    return max(cards, key=lambda card: card.value)


class _Search:
    """One seat's search: what was found at the beginning of each trick is remembered."""

    def __init__(self, round: Round, seat: int, budget: int) -> None:
        self.seat, self.seats, self.variant = seat, round.seats, round.variant
        self.bids = round.bids
        self.budget, self.is_whole = budget, True
        self._masks: dict[object, int] = {}

    def from_trick(self, round: Round, first: Play | None = None) -> int:
        """The reachable numbers of further tricks, as bits, from a trick in play; with the
        seat's ``first`` play, if that is given and it is its turn."""
        trick = round.trick
        assert trick is not None
        hands = tuple(tuple(sorted(hand, key=card_order)) for hand in round.hands)
        missing = tuple(
            0 if s == self.seat or bid is None else max(0, bid - taken)
            for s, (bid, taken) in enumerate(zip(round.bids, round.taken, strict=True))
        )
        if not trick.plays and first is None:
            return self._ahead(hands, trick.leader, missing)
        return self._within(hands, missing, trick, first)

    def _ahead(self, hands: Hands, leader: int, missing: tuple[int, ...]) -> int:
        """The reachable numbers of further tricks, as bits, from the beginning of a trick."""
        if not hands[0]:
            return 1
        key = hands, leader, missing
        mask = self._masks.get(key)
        if mask is None:
            if len(self._masks) >= self.budget:
                self.is_whole = False
                return 0
            self._masks[key] = 0  # counted; never met below itself: hands only get smaller
            mask = self._masks[key] = self._within(hands, missing, Trick(leader), None)
        return mask

    def _within(
        self, hands: Hands, missing: tuple[int, ...], trick: Trick, first: Play | None
    ) -> int:
        """The reachable numbers of further tricks, as bits, from within a trick."""
        mask = 0
        for ended, left in self._trick_ends(hands, missing, trick, first):
            taker = ended.winner
            assert taker is not None
            wanted = missing
            if missing[taker]:
                wanted = (*missing[:taker], missing[taker] - 1, *missing[taker + 1 :])
            mask |= self._ahead(left, taker, wanted) << (taker == self.seat)
        return mask

    def _trick_ends(
        self, hands: Hands, missing: tuple[int, ...], trick: Trick, first: Play | None
    ) -> Iterator[tuple[Trick, Hands]]:
        """All ways in which the trick may end, with the hands afterwards."""
        while len(trick.plays) < self.seats:
            turn = (trick.leader + len(trick.plays)) % self.seats
            if turn == self.seat:
                for play in (first,) if first else legal_plays(hands[turn], trick.call):
                    left, then = _after(hands, trick, turn, play)
                    yield from self._trick_ends(left, missing, then, None)
                return
            hands, trick = _after(hands, trick, turn, self._by_tip(hands, trick, turn, missing))
        yield trick, hands

    def _by_tip(self, hands: Hands, trick: Trick, turn: int, missing: tuple[int, ...]) -> Play:
        wants = self.variant is Variant.WIN if self.bids[turn] is None else missing[turn] > 0
        return _tip(hands[turn], trick, self.seats, wants)


def _after(hands: Hands, trick: Trick, turn: int, play: Play) -> tuple[Hands, Trick]:
    rest = tuple(card for card in hands[turn] if card != play.card)
    plays = (*trick.plays, (turn, play.card))
    return (*hands[:turn], rest, *hands[turn + 1 :]), Trick(
        trick.leader, trick.call or play.call, plays
    )
