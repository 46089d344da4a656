"""Every closed form beside an enumeration, or a long seeded simulation where that is too much;
and every figure that the lessons print."""

from __future__ import annotations

import random
from collections import Counter
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod

import pytest

from games.rules import DECK, Call, Card, Round, Variant, observe, parse_call
from lessons import probability as p
from lessons.unseen import Unseen, safe_chance
from tests.rules.deals import cards, shuffled, start, states
from tests.scenes import present

ALL_CALLS = sorted({call for card in DECK for call in card.calls}, key=str)
DECKS = [(4, (1, 2, 3)), (3, (1, 2, 3)), (2, (1, 2, 3)), (4, (1, 2)), (3, (1, 3)), (3, (2, 3))]


def small_deck(shapes: int, counts: tuple[int, ...]) -> list[tuple[int, ...]]:
    return list(product(counts, repeat=shapes))


def share(hits: int, cases: int) -> Fraction:
    return Fraction(hits, cases)


# The deck


@pytest.mark.parametrize(("shapes", "counts"), DECKS)
def test_small_decks_by_enumeration(shapes: int, counts: tuple[int, ...]) -> None:
    deck = small_deck(shapes, counts)
    values = p.value_counts(shapes, counts)
    assert values == Counter(map(sum, deck))
    for count in counts:
        shown = Counter(sum(card) for card in deck if card[0] == count)
        assert p.class_value_counts(count, shapes, counts) == shown
    alike = Counter(tuple(sorted(Counter(card).values(), reverse=True)) for card in deck)
    assert p.patterns(shapes, counts) == alike
    pairs = list(combinations(deck, 2))
    equal = sum(sum(one) == sum(other) for one, other in pairs)
    assert p.equal_values(values) == share(equal, len(pairs))
    centre = Fraction(sum(map(sum, deck)), len(deck))
    spread = sum((sum(card) - centre) ** 2 for card in deck) / len(deck)
    assert (p.mean(values), p.variance(values)) == (centre, spread)


def test_bosses_are_the_nine_of_the_rules() -> None:
    assert Counter(card.value for card in p.bosses()) == {12: 1, 11: 4, 10: 4}
    for card in p.bosses():
        assert card.value > 10 or 1 in card.counts


# Exact numbers


def test_roots_are_compared_exactly() -> None:
    rng = random.Random(7)
    with localcontext() as context:
        context.prec = 60
        for _ in range(500):
            square = Fraction(rng.randint(0, 400), rng.randint(1, 60))
            sign = rng.choice((1, -1))
            exact = p.root(square, sign)
            value = sign * (Decimal(square.numerator) / square.denominator).sqrt()
            other = Fraction(rng.randint(-30, 30), rng.randint(1, 9))
            beside = Decimal(other.numerator) / other.denominator
            assert p.compare(exact, other) == (value > beside) - (value < beside)
            places = rng.randint(0, 6)
            nearest = p.rounded(exact, places)
            assert abs(Decimal(nearest.numerator) / nearest.denominator - value) <= (
                Decimal(10) ** -places / 2 + Decimal("1e-50")
            )


def test_rational_roots_are_fractions() -> None:
    assert p.root(Fraction(16, 25), -1) == Fraction(-4, 5)
    assert isinstance(p.root(2), p.Root)
    assert p.rounded(Fraction(5, 2), 0) == 3
    assert p.rounded(Fraction(-1, 8), 2) == Fraction(-13, 100)


# Drawing without replacement


@pytest.mark.parametrize(("population", "marked", "drawn"), [(9, 4, 3), (8, 3, 5), (7, 7, 2)])
def test_hypergeometric_by_enumeration(population: int, marked: int, drawn: int) -> None:
    hands = list(combinations(range(population), drawn))
    found = Counter(sum(card < marked for card in hand) for hand in hands)
    expected = {k: share(n, len(hands)) for k, n in found.items()}
    assert p.hypergeometric(population, marked, drawn) == expected
    assert p.mean(expected) == share(marked * drawn, population)
    assert p.none_of(marked, drawn, population) == expected.get(0, 0)


def test_binomial_by_enumeration() -> None:
    third = Fraction(1, 3)
    chances: Counter[int] = Counter()
    for trials in product((0, 1), repeat=5):
        chances[sum(trials)] += prod(third if hit else 1 - third for hit in trials)  # type: ignore[assignment]
    assert p.binomial(5, third) == chances


@pytest.mark.parametrize(
    ("shapes", "counts", "asked", "drawn"),
    [
        (3, (1, 2), (2, 2, 2), 3),
        (4, (1, 2), (2, 2, 2, 2), 4),
        (4, (1, 2), (1, 1, 1, 1), 3),
        (2, (1, 2, 3), (3, 3), 4),
        (2, (1, 2, 3), (2, 1), 3),
        (3, (1, 2, 3), (3, 3, 3), 4),
        (3, (1, 2, 3), (1, 0, 2), 3),
    ],
)
def test_voids_by_enumeration(
    shapes: int, counts: tuple[int, ...], asked: tuple[int, ...], drawn: int
) -> None:
    deck = small_deck(shapes, counts)
    classes = [(s, count) for s in range(shapes) for count in counts[: asked[s]]]
    hands = list(combinations(deck, drawn))
    void = sum(
        any(all(card[s] != count for card in hand) for s, count in classes) for hand in hands
    )
    assert p.any_void(asked, drawn, len(counts)) == share(void, len(hands))


# Sums and means


@pytest.mark.parametrize("drawn", [1, 2, 3])
def test_sums_by_enumeration(drawn: int) -> None:
    found = Counter(sum(hand) for hand in combinations([c.value for c in DECK], drawn))
    assert p.draw_counts(p.value_counts(), drawn) == found
    assert p.sum_distribution(drawn) == {v: share(n, comb(81, drawn)) for v, n in found.items()}


@pytest.mark.parametrize("hands", [1, 2, 4, 10])
def test_the_spread_of_pooled_means(hands: int) -> None:
    """From the whole distribution of the total of all cards at the table."""
    total = p.sum_distribution(8 * hands)
    assert sum(total.values()) == 1
    assert p.mean(total) == 64 * hands
    assert p.variance(total) / (8 * hands) ** 2 == p.pooled_mean_variance(hands)


def test_frequency_error() -> None:
    third = Fraction(1, 3)
    counts = p.binomial(9, third)
    spread = p.variance(counts) / 81
    assert p.root(spread) == p.frequency_error(third, 9)


# Unseen cards


def brute(unseen: Unseen) -> list[tuple[set[Card], ...]]:
    """Every way in which the unseen cards may lie: a set for each seat, all equally likely."""
    deals: list[tuple[set[Card], ...]] = [()]
    for voids, slots in zip(unseen.voids, unseen.slots, strict=True):
        deals = [
            (*deal, set(hand))
            for deal in deals
            for hand in combinations(
                [c for c in unseen.cards if not any(c in d for d in deal)], slots
            )
            if not any(card.shows(call) for card in hand for call in voids)
        ]
    return deals


def random_unseen(rng: random.Random) -> Unseen:
    sample = tuple(rng.sample(DECK, rng.randint(6, 8)))
    slots = (0, *(rng.randint(1, 2) for _ in range(rng.randint(1, 3))))
    voids = (
        frozenset[Call](),
        *(frozenset(rng.sample(ALL_CALLS, rng.choice((0, 1, 1, 2)))) for _ in slots[1:]),
    )
    return Unseen(sample, slots, voids)


def test_safety_and_places_by_enumeration() -> None:
    rng = random.Random(15)
    seen_voids = 0
    for _ in range(60):
        unseen = random_unseen(rng)
        deals = brute(unseen)
        if not deals:
            continue
        seen_voids += any(unseen.voids)
        card = rng.choice([c for c in DECK if c not in unseen.cards])
        call = rng.choice(card.calls)
        rivals = [c for c in unseen.cards if c.shows(call) and c.value >= card.value]
        safe = sum(not any(r in hand for r in rivals for hand in deal) for deal in deals)
        assert unseen.safety(card, call) == share(safe, len(deals))
        for hidden in unseen.cards:
            by_seat, undealt = unseen.places(hidden)
            found = [sum(hidden in deal[s] for deal in deals) for s in range(len(unseen.slots))]
            assert list(by_seat) == [share(n, len(deals)) for n in found]
            assert undealt == 1 - sum(by_seat)
    assert seen_voids > 30


def test_safety_without_voids_is_the_closed_form() -> None:
    rng = random.Random(3)
    for seats in range(2, 11):
        round = start("win", *[""] * seats, dealer=0)
        seat = present(round.to_move)
        unseen = Unseen.by(observe(round, seat))
        assert (len(unseen.cards), unseen.elsewhere) == (73, 8 * (seats - 1))
        for card in round.hands[seat]:
            call = rng.choice(card.calls)
            t = len(unseen.rivals(card, call))
            assert unseen.safety(card, call) == safe_chance(t, 73, 8 * (seats - 1))


def _round(rng: random.Random, seats: int) -> Round:
    return Round.start(variant=Variant.WIN, hands=shuffled(rng, seats), dealer=0)


def test_after_one_void_class_places_are_in_proportion_to_slots() -> None:
    """The case that a slough teaches: the void seat has none, the rest share by slots."""
    call = parse_call("1-ball")
    sample = cards("1111 1222 1333 2111 2222 3222 3113 2312 3333 2121")
    unseen = Unseen(sample, (0, 2, 3, 1), (frozenset(), frozenset({call}), *[frozenset()] * 2))
    by_seat, undealt = unseen.places(sample[0])
    assert by_seat == (share(0, 8), share(0, 8), share(3, 8), share(1, 8))
    assert undealt == share(4, 8)


def test_what_is_seen_and_who_is_void() -> None:
    rng = random.Random(5)
    for _ in range(20):
        for round in states(_round(rng, 4), rng):
            unseen = Unseen.by(observe(round, 0))
            hidden = {c for hand in round.hands[1:] for c in hand}
            assert hidden <= set(unseen.cards)
            assert not set(round.hands[0]) & set(unseen.cards)
            assert unseen.elsewhere == len(hidden)
            assert unseen.undealt == 81 - 32
            for hand, voids in zip(round.hands, unseen.voids, strict=True):
                assert not any(card.shows(call) for card in hand for call in voids)


def test_a_watcher_and_a_seen_card_are_refused() -> None:
    round = start("win", "1111", "2222", dealer=0)
    with pytest.raises(ValueError, match="watcher"):
        Unseen.by(observe(round, None))
    with pytest.raises(ValueError, match="has been seen"):
        Unseen.by(observe(round, 0)).places(cards("1111")[0])


# Bids


def test_expected_points_by_the_rule() -> None:
    rng = random.Random(18)
    for _ in range(50):
        weights = [rng.randint(0, 5) for _ in range(9)]
        weights[rng.randrange(9)] += 1
        forecast = [share(w, sum(weights)) for w in weights]
        worth = {}
        for bid in range(9):
            closed = bid * forecast[bid] - sum(abs(bid - k) * q for k, q in enumerate(forecast))
            worth[bid] = p.expected_points(bid, forecast)
            assert worth[bid] == closed
        assert set(p.best_bids(forecast)) == {
            b for b in worth if worth[b] == max(worth.values())
        }


# The figures of the lessons


def near(exact: p.Exact, printed: str) -> bool:
    """Whether an exact value rounds to a figure as printed."""
    places = len(printed.partition(".")[2])
    return p.rounded(exact, places) == Fraction(printed)


N = p.value_counts()
VOID = p.none_of(27, 8)
FIGURES: list[tuple[str, p.Exact, str]] = [
    ("cards", Fraction(sum(N.values())), "81"),
    ("mean", p.mean(N), "8"),
    ("variance", p.variance(N), "2.67"),
    ("SD", p.root(p.variance(N)), "1.633"),
    ("SD by n - 1", p.root(p.variance(N) * Fraction(81, 80)), "1.643"),
    ("mean of 1s", p.mean(p.class_value_counts(1)), "7"),
    ("mean of 2s", p.mean(p.class_value_counts(2)), "8"),
    ("mean of 3s", p.mean(p.class_value_counts(3)), "9"),
    ("variance in a class", p.variance(p.class_value_counts(3)), "2"),
    ("degrees of 3-1", Fraction(24 * 360, 81), "106.7"),
    ("degrees of 4", Fraction(3 * 360, 81), "13.3"),
    ("percent as degrees", Fraction(36 * 100, 81), "44.4"),
    ("equal values", p.equal_values(N), "0.1583"),
    ("equal, put back", sum((Fraction(n, 81) ** 2 for n in N.values()), Fraction()), "0.1687"),
    ("no 1-ball", VOID, "0.0323"),
    ("no 1-ball, put back", Fraction(2, 3) ** 8, "0.0390"),
    ("1-balls in a hand", p.mean(p.hypergeometric(81, 27, 8)), "2.667"),
    ("any void", p.any_void((3, 3, 3, 3)), "0.339"),
    ("any void, overlaps added", 12 * VOID, "0.388"),
    ("any void, independent", 1 - (1 - VOID) ** 12, "0.326"),
    ("SD of a hand's mean", p.root(p.variance_of_mean(Fraction(8, 3), 8)), "0.5515"),
    ("a safe lead", safe_chance(3, 73, 24), "0.296"),
    ("a safe lead, independent", Fraction(49, 73) ** 3, "0.302"),
    ("cards of 9 or more", Fraction(8 * sum(n for v, n in N.items() if v >= 9), 81), "3.06"),
    ("the tip at four", Fraction(4 * 8 * 31, 81), "12.2"),
    ("the tip at ten", Fraction(10 * 8 * 31, 81), "30.6"),
    ("a boss card", 1 - p.none_of(len(p.bosses()), 8), "0.628"),
    (
        "mean at least 9",
        sum((q for s, q in p.sum_distribution().items() if s >= 72), Fraction()),
        "0.0443",
    ),
    ("card at least 9", Fraction(31, 81), "0.383"),
    ("pooled SD at four", p.root(p.pooled_mean_variance(4)), "0.226"),
    ("pooled SD if independent", p.root(p.variance_of_mean(Fraction(8, 3), 8) / 4), "0.276"),
]


@pytest.mark.parametrize(("what", "exact", "printed"), FIGURES, ids=[row[0] for row in FIGURES])
def test_figures(what: str, exact: p.Exact, printed: str) -> None:
    assert near(exact, printed)


@pytest.mark.parametrize("bound", [9, 10])
def test_a_hands_mean_strays_less_than_a_card(bound: int) -> None:
    """On both sides of 8, which are mirror images."""
    hand = p.sum_distribution()
    high = sum((q for total, q in hand.items() if total >= 8 * bound), Fraction())
    low = sum((q for total, q in hand.items() if total <= 8 * (16 - bound)), Fraction())
    assert low == high < share(sum(n for v, n in N.items() if v >= bound), 81) / 4


def test_exact_figures() -> None:
    assert p.equal_values(N) == Fraction(19, 120)
    assert (p.share_within(N, 1), p.share_within(N, 2)) == (share(51, 81), share(79, 81))
    assert p.patterns() == {(2, 1, 1): 36, (3, 1): 24, (2, 2): 18, (4,): 3}
    assert share(comb(54, 8), comb(81, 8)) == VOID
    assert p.variance_of_mean(Fraction(8, 3), 8) == Fraction(8, 3) / 8 * Fraction(73, 80)


def test_holdings_by_enumeration() -> None:
    rng = random.Random(23)
    seen_voids = 0
    for _ in range(60):
        unseen = random_unseen(rng)
        deals = brute(unseen)
        marked = set(rng.sample(unseen.cards, rng.randint(1, len(unseen.cards))))
        if not deals:
            with pytest.raises(ValueError, match="no deal"):
                unseen.holdings(marked)
            continue
        seen_voids += any(unseen.voids)
        left = [(*deal, set(unseen.cards).difference(*deal)) for deal in deals]
        for place, found in enumerate(unseen.holdings(marked)):
            counts = Counter(len(deal[place] & marked) for deal in left)
            assert found == tuple(share(counts[k], len(deals)) for k in range(len(found)))
            assert sum(found) == 1
    assert seen_voids > 30


def test_holdings_agree_with_places_and_with_the_closed_form() -> None:
    """What a seat holds of a class on average is the sum of its chances of each of its cards;
    without voids it is drawn without putting back."""
    rng = random.Random(24)
    for seats, moves in ((3, 8), (4, 22), (4, 30)):
        round = list(states(_round(rng, seats), rng))[moves]
        assert round.to_move is not None
        unseen = Unseen.by(observe(round, round.to_move))
        call = rng.choice(ALL_CALLS)
        marked = [card for card in unseen.cards if card.shows(call)]
        holdings = unseen.holdings(marked)
        for place, found in enumerate(holdings):
            mean = sum(k * chance for k, chance in enumerate(found))
            by_card = [unseen.places(card) for card in marked]
            assert mean == sum((*by_seat, undealt)[place] for by_seat, undealt in by_card)
    fresh = Unseen(DECK[:73], (0, 8, 8, 8), (frozenset(),) * 4)
    assert fresh.holdings(fresh.cards[:25])[1] == tuple(p.hypergeometric(73, 25, 8).values())
    assert fresh.holdings(())[1][0] == 1


def test_holdings_are_of_unseen_cards() -> None:
    with pytest.raises(ValueError, match="has been seen"):
        Unseen(DECK[:10], (0, 2), (frozenset(),) * 2).holdings([DECK[20]])
