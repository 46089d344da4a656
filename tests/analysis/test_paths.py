"""Every way to play a hand: the search against one that shares no code, and its lines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from random import Random

import pytest

from games import analysis
from games.analysis import bots
from games.analysis.paths import one_line, reach, reach_by_play, tip_play
from games.rules import DECK, Bid, Card, Round, Variant, observe
from tests.kernel import load_or_skip

SOAK = os.environ.get("XACTIKA_SOAK") == "1"
ENDINGS, WHOLE = (200, 20) if SOAK else (81, 6)
LINES = 1_000_000 if SOAK else 20_000
"""Of the whole deals: the most lines that they have."""
FEW = (4, 8, 0, 2, 2, 1)
"""From which seed on such deals are looked for: most have more, and to count takes long."""


class First(Random):
    """Of equally good moves always the first."""

    def choice(self, seq):  # type: ignore[no-untyped-def]
        return seq[0]


def a_deal(rng: Random, seats: int, variant: Variant) -> Round:
    """A deal with its bids made by the printed tip, hands in the order of values and codes."""
    cards = list(DECK)
    rng.shuffle(cards)
    hands = [
        sorted(cards[8 * seat : 8 * seat + 8], key=lambda card: (card.value, card.code))
        for seat in range(seats)
    ]
    round_ = Round.start(variant=variant, hands=hands, dealer=rng.randrange(seats))
    while round_.is_bidding:
        bids = [move for move in round_.legal_moves() if isinstance(move, Bid)]
        round_ = round_.apply(rng.choice(bids[:4]))
    return round_


def an_ending(rng: Random, seats: int, variant: Variant) -> Round:
    """Three cards or so left: the tips' play to there, with slips, also in mid-trick."""
    round_ = a_deal(rng, seats, variant)
    for _ in range(5 * seats + rng.randrange(seats)):
        legal = round_.legal_moves()
        round_ = round_.apply(rng.choice(legal) if rng.random() < 0.3 else tip_play(round_))
    return round_


def ends(round_: Round, seat: int) -> Iterator[int]:
    """The tricks at the end of every line, by the rules and the bots' own tips."""
    while not round_.is_over:
        if round_.to_move == seat:
            for move in round_.legal_moves():
                yield from ends(round_.apply(move), seat)
            return
        seen = observe(round_, round_.to_move)
        round_ = round_.apply(bots.choose(seen, level="tip-wikipedia", rng=First()))
    yield round_.taken[seat]


WAYS = ["plain", "kernel"]


def use(way: str) -> bool:
    if way == "kernel":
        load_or_skip()
    return way == "plain"


def test_the_tips_break_ties_as_the_bots_do_who_take_the_first() -> None:
    rng = Random(5)
    for number in range(60 if SOAK else 27):
        round_ = an_ending(rng, 2 + number % 9, list(Variant)[number % 3])
        while not round_.is_over:
            seen = observe(round_, round_.to_move)
            move = bots.choose(seen, level="tip-wikipedia", rng=First())
            assert tip_play(round_) == move
            round_ = round_.apply(move)


@lru_cache
def endings() -> list[tuple[Round, int, set[int]]]:
    rng = Random(7)
    rounds = [
        an_ending(rng, 2 + number % 9, list(Variant)[number // 9 % 3])
        for number in range(ENDINGS)
    ]
    asked = [(round_, rng.randrange(round_.seats)) for round_ in rounds]
    return [(round_, seat, set(ends(round_, seat))) for round_, seat in asked]


@lru_cache
def whole_deals() -> list[tuple[Round, int, set[int]]]:
    """Deals from the first card on that have no more than LINES lines, and what a naive search
    finds in them; most of those of few seats have more."""
    found = []
    for number in range(WHOLE):
        for seed in range(0 if SOAK else FEW[number], 10_000):
            rng, seats = Random(f"{number} {seed}"), 5 + number % 6
            round_ = a_deal(rng, seats, list(Variant)[number % 3])
            seat = rng.randrange(seats)
            reached = list(islice(quick_ends(round_, seat), LINES + 1))
            if len(reached) <= LINES:
                found.append((round_, seat, set(reached)))
                break
    return found


def quick_ends(round_: Round, seat: int) -> Iterator[int]:
    """The same as ``ends`` without the rules' objects, at the beginning of a trick: a card is
    its value and its four counts."""
    hands: list[list[tuple[int, ...]]] = [
        [(card.value, *card.counts) for card in sorted(hand, key=lambda c: (c.value, c.code))]
        for hand in round_.hands
    ]
    goals = [
        bid if bid is not None else 9 * (round_.variant is Variant.WIN) for bid in round_.bids
    ]
    assert round_.trick is not None
    return _lines(hands, goals, list(round_.taken), round_.trick.leader, seat)


Quick = tuple[int, ...]


def _lines(
    hands: list[list[Quick]], goals: list[int], taken: list[int], leader: int, me: int
) -> Iterator[int]:
    if not hands[me]:
        yield taken[me]
        return
    seats = len(hands)
    waiting: list[tuple[int, int, list[Quick]]] = [(0, 0, [])]
    while waiting:
        shape, count, laid = waiting.pop()
        seat = (leader + len(laid)) % seats
        hand, wants = hands[seat], taken[seat] < goals[seat]
        showing = [card for card in hand if laid and card[1 + shape] == count]
        best = max((card[0] for card in laid if card[1 + shape] == count), default=0)
        if seat == me and not laid:
            choices = [(k, card[1 + k], card) for card in hand for k in range(4)]
        elif seat == me:
            choices = [(shape, count, card) for card in showing or hand]
        elif not laid:
            sign = 1 if wants else -1
            leads = [(k, card[1 + k], card) for card in hand for k in range(4)]
            choices = [max(leads, key=lambda c: sign * (5 * c[2][0] - 6 * c[1]))]
        else:
            high = [card for card in showing if card[0] >= best]
            low = [card for card in showing if card[0] < best]
            is_last = len(laid) == seats - 1
            if wants:
                of, top = (high, not is_last) if high else (low or hand, False)
            else:
                of, top = (low or hand, True) if low or not high else (high, is_last)
            pick = max(of, key=lambda card: card[0]) if top else of[0]
            choices = [(shape, count, pick)]
        for k, n, card in choices:
            after = [*laid, card]
            if len(after) < seats:
                waiting.append((k, n, after))
                continue
            winning = [i for i, c in enumerate(after) if c[1 + k] == n]
            taker = max(winning, key=lambda i: (after[i][0], i))
            taker = (leader + taker) % seats
            rest = [
                [c for c in hands[(leader + i) % seats] if c != after[i]] for i in range(seats)
            ]
            turned = [rest[(s - leader) % seats] for s in range(seats)]
            more = [taken[s] + (s == taker) for s in range(seats)]
            yield from _lines(turned, goals, more, taker, me)


@pytest.mark.parametrize("way", WAYS)
def test_endings_are_as_a_naive_search_finds_them(way: str) -> None:
    plain = use(way)
    for round_, seat, reached in endings():
        assert round_.trick is not None
        if not round_.trick.plays:
            assert set(quick_ends(round_, seat)) == reached
        found = reach(round_, seat, plain=plain)
        assert found.is_whole
        assert found.counts == reached
        if round_.to_move == seat:
            ways_on = reach_by_play(round_, seat, plain=plain)
            assert frozenset().union(*(way_on.counts for way_on in ways_on)) == reached
            some = ways_on[0]
            assert some.play is not None
            assert some.counts == set(ends(round_.apply(some.play), seat))


@pytest.mark.parametrize("way", WAYS)
def test_whole_deals_are_as_a_naive_search_finds_them(way: str) -> None:
    plain = use(way)
    for round_, seat, reached in whole_deals():
        assert reach(round_, seat, plain=plain, budget=250_000).counts == reached


def round_after(round_: Round, tricks: int) -> Round:
    while len(round_.tricks) < tricks:
        round_ = round_.apply(tip_play(round_))
    return round_


@pytest.mark.parametrize("way", WAYS)
def test_every_line_is_legal_and_comes_to_its_count(way: str) -> None:
    plain = use(way)
    rng = Random(13)
    for number in range(27 if SOAK else 9):
        seats = 2 + number % 9
        round_ = a_deal(rng, seats, list(Variant)[(number + number // 9) % 3])
        if plain or not SOAK:
            round_ = round_after(round_, 4 if plain else 2)
        seat = rng.randrange(seats)
        found = reach(round_, seat, plain=plain)
        for count in found.counts:
            end = round_
            for play in one_line(round_, seat, count, plain=plain):
                end = end.apply(play)  # or IllegalMove
            assert end.is_over
            assert end.taken[seat] == count
        for count in set(range(9)) - found.counts:
            with pytest.raises(ValueError, match="no line"):
                one_line(round_, seat, count, plain=plain)


def test_the_kernel_finds_what_plain_python_finds() -> None:
    load_or_skip()
    rng = Random(17)
    for number in range(27):
        round_ = round_after(a_deal(rng, 2 + number % 9, list(Variant)[number // 9]), 3)
        seat = rng.randrange(round_.seats)
        assert reach(round_, seat) == reach(round_, seat, plain=True)


@pytest.mark.parametrize("way", WAYS)
def test_beyond_the_budget_it_is_at_least_what_was_found(way: str) -> None:
    plain = use(way)
    round_ = round_after(a_deal(Random(3), 2, Variant.BID), 2)
    whole = reach(round_, 0, plain=plain)
    assert whole.is_whole
    some = reach(round_, 0, budget=12, plain=plain)
    assert not some.is_whole
    assert some.counts
    assert some.counts <= whole.counts
    for budget in (12, 60, 300):
        for count in reach(round_, 0, budget=budget, plain=plain).counts:
            end = round_
            for play in one_line(round_, 0, count, budget=budget, plain=plain):
                end = end.apply(play)  # or IllegalMove
            assert end.taken[0] == count


def test_the_order_of_a_hand_and_of_equal_cards_changes_nothing() -> None:
    rng = Random(19)
    for _ in range(20):
        round_ = an_ending(rng, 4, Variant.BID)
        mixed = Round(
            round_.variant,
            round_.dealer,
            tuple(tuple(rng.sample(hand, len(hand))) for hand in round_.hands),
            round_.bids,
            round_.tricks,
            round_.trick,
        )
        assert reach(mixed, 1, plain=True) == reach(round_, 1, plain=True)


def test_without_the_kernel_it_is_plain_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "ready", lambda: False)
    round_ = an_ending(Random(23), 3, Variant.WIN)
    assert reach(round_, 0) == reach(round_, 0, plain=True)
    with pytest.raises(ValueError, match="bids are not made"):
        reach(Round.start(variant=Variant.BID, hands=dealt(), dealer=0), 0)
    with pytest.raises(ValueError, match="turn"):
        reach_by_play(round_, (round_.to_move or 0) - 1)


def dealt() -> list[list[Card]]:
    return [list(DECK[:8]), list(DECK[8:16])]
