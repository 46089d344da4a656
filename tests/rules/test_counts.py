"""Counts that the engine must agree with: closed forms, and a naive second count."""

import random
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest

from games.rules import (
    DECK,
    Bid,
    Call,
    Card,
    Play,
    Round,
    Shape,
    Variant,
    move_text,
    parse_card,
    parse_move,
    score_round,
    stats_table,
)

from .deals import shuffled
from .naive import NaiveRound

CALLS = [Call(shape, number) for shape in Shape for number in (1, 2, 3)]


def polynomial(*factors: Iterable[int]) -> Counter[int]:
    """The coefficients, by exponent, of a product of polynomials given as exponent lists."""
    return Counter(map(sum, product(*factors)))


def test_cards_of_a_value_are_the_coefficients_of_a_polynomial() -> None:
    """N(v) is the coefficient of x^v in (x + x^2 + x^3)^4."""
    coefficients = polynomial(*[(1, 2, 3)] * 4)
    assert Counter(card.value for card in DECK) == coefficients
    assert {value: cards for value, cards, *_counts in stats_table()} == coefficients


@pytest.mark.parametrize("count", [1, 2, 3])
def test_cards_of_a_value_and_a_count_are_the_coefficients_of_a_polynomial(count: int) -> None:
    """N(v, c) is the coefficient of x^v in x^c (x + x^2 + x^3)^3."""
    coefficients = polynomial((count,), *[(1, 2, 3)] * 3)
    for shape in Shape:
        found = Counter(card.value for card in DECK if card.shows(Call(shape, count)))
        assert found == coefficients
    for value, _cards, *counts in stats_table():
        assert counts[count - 1] == coefficients[value]


def test_pairs_of_a_card_and_a_call() -> None:
    leads = [(card, call) for card in DECK for call in card.calls]
    assert len(set(leads)) == len(leads) == 4 * 81 == 12 * 27 == 324


@pytest.mark.parametrize("alike", range(4))
def test_pairs_of_cards_by_how_many_calls_they_share(alike: int) -> None:
    """81 C(4, k) 2^(4-k) / 2 pairs share exactly k calls; all of them make C(81, 2)."""
    shared = Counter(
        sum(one.shows(call) for call in other.calls) for one, other in combinations(DECK, 2)
    )
    assert shared[alike] == 81 * comb(4, alike) * 2 ** (4 - alike) // 2
    assert shared.total() == comb(81, 2) == 3_240


def bosses() -> dict[Card, list[Call]]:
    """Cards that win for certain with some call: no other of the call is as high."""
    return {
        card: calls
        for card in DECK
        if (
            calls := [
                call
                for call in card.calls
                if all(o.value < card.value for o in DECK if o != card and o.shows(call))
            ]
        )
    }


def test_nine_cards_win_for_certain_when_led_and_called_right() -> None:
    """The 12 (any 3), each 11 (its 2), each 10 that shows a 1 (that 1)."""
    boss = bosses()
    assert Counter(card.value for card in boss) == {12: 1, 11: 4, 10: 4}
    assert all(len(calls) == (4 if card.value == 12 else 1) for card, calls in boss.items())
    called = {(card.value, call.number) for card, calls in boss.items() for call in calls}
    assert called == {(12, 3), (11, 2), (10, 1)}
    at_least_one = 1 - Fraction(comb(72, 8), comb(81, 8))
    assert round(float(at_least_one), 3) == 0.628


def test_a_boss_led_and_called_right_takes_the_trick() -> None:
    rng = random.Random("boss")
    for boss, calls in bosses().items():
        for call in calls:
            deck = rng.sample([card for card in DECK if card != boss], 79)
            hands = [[boss, *deck[:7]], *(deck[7 + 8 * k : 15 + 8 * k] for k in range(9))]
            state = Round.start(variant=Variant.WIN, hands=hands, dealer=9)
            state = state.apply(Play(boss, call))
            while not state.tricks:
                state = state.apply(rng.choice(state.legal_moves()))
            assert state.tricks[0].winner == 0


def test_the_printed_bidding_tip_overbids() -> None:
    """One per card of value 9 or more averages 8 * 31 / 81 = 3.06 a hand."""
    strong = sum(card.value >= 9 for card in DECK)
    assert strong == 31
    assert [round(seats * 8 * strong / 81, 1) for seats in (1, 4, 10)] == [3.1, 12.2, 30.6]


@pytest.mark.parametrize("held", range(1, 9))
def test_a_leader_has_four_leads_a_card(held: int) -> None:
    """32 from a full hand, 4 fewer after each trick."""
    rng = random.Random(f"leads {held}")
    state = Round.start(variant=Variant.WIN, hands=shuffled(rng, 2), dealer=0)
    while len(state.tricks) < 8 - held:
        state = state.apply(rng.choice(state.legal_moves()))
    leads = state.legal_moves()
    assert len(set(leads)) == len(leads) == 4 * held


def bidding(seats: int) -> Round:
    hands = shuffled(random.Random(seats), seats)
    return Round.start(variant=Variant.BID, hands=hands, dealer=0)


def bid_sequences(seats: int) -> int:
    """9^n sequences, less those that total 8: C(8 + n - 1, n - 1) by stars and bars."""
    return int(9**seats) - comb(7 + seats, seats - 1)


@pytest.mark.parametrize(("seats", "expected"), [(2, 72), (3, 684), (4, 6_396)])
def test_complete_bid_sequences_one_by_one(seats: int, expected: int) -> None:
    ends = [state for _, state in lines(bidding(seats), [], seats)]
    assert not any(state.is_bidding for state in ends)
    sequences = [state.bids for state in ends]
    assert len(set(sequences)) == len(sequences) == bid_sequences(seats) == expected
    allowed = {bids for bids in product(range(9), repeat=seats) if sum(bids) != 8}
    assert set(sequences) == allowed


@pytest.mark.parametrize("seats", range(2, 11))
def test_complete_bid_sequences_counted_by_their_sums(seats: int) -> None:
    """What may follow depends on the sum alone, so one round stands for all of a sum."""
    ways = {0: (1, bidding(seats))}
    for _ in range(seats):
        after: dict[int, tuple[int, Round]] = {}
        for total, (count, state) in ways.items():
            for move in state.legal_moves():
                assert isinstance(move, Bid)
                reached, _ = after.get(total + move.number, (0, state))
                after[total + move.number] = (reached + count, state.apply(move))
        ways = after
    assert not any(state.is_bidding for _, state in ways.values())
    assert sum(count for count, _ in ways.values()) == bid_sequences(seats)
    assert 8 not in ways


FIXED = [
    ["1332", "2111", "2223", "3133", "1212", "3321", "2332", "1111"],
    ["2121", "3213", "1123", "3333", "2231", "1322", "3112", "2213"],
    ["1113", "3222", "2311", "1231", "3131", "2322", "1333", "2132"],
]


def begin(variant: str, seats: int, dealer: int = 0) -> Round:
    """The fixed deal, for the engine."""
    hands = [[parse_card(code) for code in hand] for hand in FIXED[:seats]]
    return Round.start(variant=Variant(variant), hands=hands, dealer=dealer)


def begin_naively(
    variant: str, seats: int, dealer: int = 0, moves: Iterable[str] = ()
) -> NaiveRound:
    """The fixed deal after these moves, by the naive rules."""
    naive = NaiveRound(variant, FIXED[:seats], dealer)
    for move in moves:
        naive.make(move)
    return naive


def lines(state: Round, line: list[str], depth: int) -> list[tuple[list[str], Round]]:
    """Every line of so many moves more, with the state that it leads to, by the engine."""
    if depth == 0:
        return [(line, state)]
    return [
        leaf
        for move in state.legal_moves()
        for leaf in lines(state.apply(move), [*line, move_text(move)], depth - 1)
    ]


def naive_lines(
    variant: str, seats: int, dealer: int, line: list[str], depth: int
) -> list[tuple[list[str], NaiveRound]]:
    """The same by the naive rules, every position replayed from the deal."""
    naive = begin_naively(variant, seats, dealer, line)
    if depth == 0:
        return [(line, naive)]
    return [
        leaf
        for move in naive.legal()
        for leaf in naive_lines(variant, seats, dealer, [*line, move], depth - 1)
    ]


@pytest.mark.parametrize(
    ("variant", "seats", "depth", "count"),
    [
        ("win", 2, 1, 32),
        ("win", 2, 2, 83),
        ("win", 2, 3, 2_324),
        ("lose", 3, 3, 220),
        ("bid", 2, 2, 72),
        ("bid", 3, 3, 684),
        ("bid", 2, 4, 5_976),
    ],
)
def test_lines_from_a_fixed_deal(variant: str, seats: int, depth: int, count: int) -> None:
    """The first moves of a fixed deal, line by line as the naive rules have them."""
    found = lines(begin(variant, seats), [], depth)
    naive = naive_lines(variant, seats, 0, [], depth)
    assert len(found) == len(naive) == count
    assert [line for line, _ in found] == [line for line, _ in naive]
    for (_, state), (_, other) in zip(found, naive, strict=True):
        assert state.to_move == other.turn()
        assert list(map(move_text, state.legal_moves())) == other.legal()


def test_first_tricks_of_a_fixed_deal_are_a_sum_of_products() -> None:
    """For each lead, the ways to follow of the other seats multiply."""
    ways = 0
    for card, place in product(FIXED[1], range(4)):
        shown = [sum(code[place] == card[place] for code in FIXED[seat]) for seat in (2, 0)]
        ways += (shown[0] or 8) * (shown[1] or 8)
    assert ways == len(lines(begin("win", 3), [], 3)) == 220


def test_every_end_of_a_fixed_deal() -> None:
    """All ways to play the last three tricks of three seats, and what each seat takes."""
    opening = [
        *("3", "5", "6"),
        *("2111:1-cone", "3213", "1113"),
        *("2121:1-star", "3131", "1111"),
        *("1333:3-star", "2223", "2213"),
        *("2311:2-ball", "2332", "2231"),
        *("1212:2-star", "1322", "2322"),
    ]
    state = begin("bid", 3, 2)
    for move in opening:
        state = state.apply(parse_move(move))
    found = lines(state, opening, 9)
    ends = naive_lines("bid", 3, 2, opening, 9)
    assert len(found) == len(ends) == 3_184
    assert [line for line, _ in found] == [line for line, _ in ends]
    assert [list(end.taken) for _, end in found] == [end.taken() for _, end in ends]
    assert [list(score_round(end)) for _, end in found] == [end.points() for _, end in ends]
