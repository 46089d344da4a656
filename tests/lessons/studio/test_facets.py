"""What is split, shaded, sampled: against counts made another way."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import comb
from random import Random
from typing import Any

import pytest

from games.rules import DECK, Card
from lessons import charts
from lessons.probability import five_number_summary, mean, variance, void_counts
from lessons.studio import counting, facets
from lessons.studio.counting import Frequencies, PlayedHand, own_frequencies, row_frequencies
from lessons.studio.drawing import draw, slider
from lessons.studio.plots import Plot
from lessons.studio.settings import (
    SIZES,
    By,
    Look,
    Of,
    Settings,
    Show,
    Side,
    Tail,
    read,
    shows,
    splits,
    suits,
)
from tests.scenes import SOAK, present

RNG = Random(7)
ROWS = [
    PlayedHand(
        tuple(RNG.sample(DECK, 8)), deal, deal % 3 + 1, 1, bid, RNG.randrange(5), deal % 6
    )
    for deal, bid in enumerate([0, 1, 2, 3, None] * 12)
]


def chart(settings: Settings, frequencies: Frequencies) -> Any:
    return draw(settings, frequencies, key="g")


# Voids


def test_the_chances_of_voids_are_those_of_small_decks_too() -> None:
    found = void_counts(8)
    assert sum(found.values()) == 1
    # Twelve times the chance of one void, by which the mean must be right.
    assert mean(found) == 12 * Fraction(comb(54, 8), comb(81, 8))
    two = void_counts(2)
    hands = Counter(counting.voids((a, b)) for n, a in enumerate(DECK) for b in DECK[n + 1 :])
    assert two == {n: Fraction(many, comb(81, 2)) for n, many in sorted(hands.items())}


def test_voids_of_dealt_hands_are_as_common_as_they_should_be() -> None:
    settings = Settings(of=Of.DEALT, show=Show.VOID, hands=200_000, seed=5)
    frequencies = counting.simulation(settings)
    for number, chance in void_counts(8).items():
        usual = (chance * (1 - chance) / 200_000) ** 0.5
        assert abs(frequencies.counts.get(number, 0) / 200_000 - float(chance)) < 4.5 * usual
    rows = [PlayedHand(DECK[:8]), PlayedHand(DECK[::10][:8])]
    by_hand = [
        sum(all(c.counts[s] != n for c in row.cards) for s, n in product(range(4), (1, 2, 3)))
        for row in rows
    ]
    assert row_frequencies(rows, Settings(show=Show.VOID)).counts == Counter(by_hand)


# Split


@pytest.mark.parametrize("show", [show for show in shows(Of.CLASS) if show is not Show.CURVES])
def test_every_split_counts_what_it_counts_whole(show: Show) -> None:
    whole = Settings(of=Of.CLASS, show=show)
    assert splits(whole)
    for by in splits(whole):
        settings = replace(whole, by=by)
        frequencies = replace(
            row_frequencies(ROWS, settings), names={n: f"n{n}" for n in range(100)}
        )
        if by not in (By.BID, By.ERROR):
            assert frequencies.counts == row_frequencies(ROWS, whole).counts
        for look in suits(settings):
            shown = chart(replace(settings, graph=look), frequencies)
            assert shown.numbers.rows
            assert all(len(row) == len(shown.numbers.head) for row in shown.numbers.rows)
            assert (shown.figure is None) == (look is Look.TABLE)
            assert shown.summary.endswith(".")
            assert "%(" not in shown.title + shown.summary


def test_dealt_hands_are_split_as_those_that_lie_there() -> None:
    for show, by in product((Show.CALL, Show.MEAN, Show.VOID), (By.HIGH, By.MEAN, By.VOID)):
        settings = Settings(of=Of.DEALT, show=show, by=by, hands=2_000, seed=3)
        if by not in splits(settings):
            continue
        frequencies = counting.simulation(settings)
        alone = counting.simulation(replace(settings, by=None))
        assert frequencies.counts == alone.counts
        other = {By.HIGH: Show.LEAST, By.MEAN: Show.MEAN, By.VOID: Show.VOID}[by]
        keys: Counter[int] = Counter()
        for (_number, key), n in frequencies.pairs.items():
            keys[key] += n
        assert keys == counting.simulation(replace(settings, show=other, by=None)).counts


def test_a_two_way_table_of_the_deck_by_hand() -> None:
    settings = Settings(by=By.BALLS, graph=Look.TABLE, tail=Tail.UP, cut=10)
    table = chart(settings, counting.deck_frequencies(settings)).numbers

    def cards(balls: int | None, high: bool | None) -> int:
        def fits(card: Card) -> bool:
            return balls in (None, card.counts[0]) and high in (None, card.value >= 10)

        return sum(map(fits, DECK))

    assert table.head[1:] == ("1 ball", "2 balls", "3 balls", "all")
    assert [row[0] for row in table.rows] == ["9 or less", "10 or more", "all"]
    for row, high in zip(table.rows, (False, True, None), strict=True):
        assert [int(n) for n in row[1:]] == [cards(balls, high) for balls in (1, 2, 3, None)]


def test_what_is_independent_is_said_to_be() -> None:
    settings = Settings(show=Show.COUNT, by=By.CUBES, graph=Look.TABLE)
    said = chart(settings, counting.deck_frequencies(settings)).summary
    assert "have the same shares" in said
    linked = Settings(by=By.CUBES, graph=Look.TABLE, tail=Tail.UP, cut=10)
    assert "same shares" not in chart(linked, counting.deck_frequencies(linked)).summary


def test_shares_of_a_table_add_up_by_column() -> None:
    settings = Settings(by=By.STARS, graph=Look.TABLE, y=Side.SHARE)
    rows = chart(settings, counting.deck_frequencies(settings)).numbers.rows
    assert rows[-1][1:] == ("100%",) * 4
    assert rows[4][1] == "22.2%"  # six of 27


def test_correlation_is_pearsons() -> None:
    x = [RNG.randrange(9) for _ in range(60)]
    y = [2 * a + RNG.randrange(5) for a in x]
    counted = Counter(zip(x, y, strict=True))
    sides = [[Fraction(pair[side]) for pair in counted] for side in (0, 1)]
    found = facets.correlation(sides[0], sides[1], list(counted.values()))
    assert found == pytest.approx(statistics.correlation(x, y))
    assert facets.correlation([Fraction(1)], [Fraction(2)], [9]) is None


@pytest.mark.parametrize("many", range(1, 12))
def test_quartiles_are_the_middles_of_the_halves(many: int) -> None:
    numbers = sorted(RNG.randrange(9) for _ in range(many))
    half = max(1, many // 2)
    wanted = [
        numbers[0], statistics.median(numbers[:half]), statistics.median(numbers),
        statistics.median(numbers[-half:]), numbers[-1],
    ]  # fmt: skip
    assert [float(n) for n in five_number_summary(Counter(numbers))] == wanted


# Dots, tails


@pytest.mark.parametrize("hands", [100, 10_000, 1_000_000])
def test_dots_are_as_many_as_they_say(hands: int) -> None:
    settings = Settings(of=Of.DEALT, show=Show.CALL, graph=Look.DOTS, hands=hands)
    frequencies = replace(
        row_frequencies([], settings), counts={n: n * hands // 36 for n in range(9) if n}
    )
    shown = chart(settings, frequencies)
    stacks = Counter(shown.figure["data"][0]["x"])
    each = hands // 36 // (stacks[1] or 1)
    assert max(stacks.values()) <= 40
    assert list(stacks.values()) == sorted(stacks.values())
    assert ("Each dot" in shown.basis) == (each > 1)


@pytest.mark.parametrize("look", [Look.BAR, Look.HISTOGRAM, Look.DOTS])
@pytest.mark.parametrize(
    ("tail", "cut", "share"),
    [(Tail.UP, 9, "31 of 81, 38.3%"), (Tail.DOWN, 6, "15 of 81, 18.5%")],
)
def test_a_tail_is_shaded_and_said(look: Look, tail: Tail, cut: int, share: str) -> None:
    settings = Settings(graph=look, tail=tail, cut=cut)
    shown = chart(settings, counting.deck_frequencies(settings))
    assert share in shown.summary
    trace = shown.figure["data"][0]
    for x, colour in zip(trace["x"], trace["marker"]["color"], strict=True):
        inside = x >= cut if tail is Tail.UP else x <= cut
        assert colour == ("--other" if inside else charts.CLEAR)


def test_a_tail_of_dealt_hands_has_its_theory() -> None:
    settings = Settings(of=Of.DEALT, show=Show.VOID, hands=500, tail=Tail.UP, cut=1)
    said = chart(settings, counting.simulation(settings)).summary
    assert "In theory 33.9%." in said


def test_the_slider_stays_on_the_graph() -> None:
    for cut, low in ((-5, 4), (99, 12), (None, 9)):
        settings = Settings(tail=Tail.UP, cut=cut)
        found = present(slider(settings, counting.deck_frequencies(Settings())))
        assert (found.low, found.high, found.step, found.cut) == (4, 12, 1, low)
    assert slider(Settings(graph=Look.PIE), counting.deck_frequencies(Settings())) is None


def test_numbers_that_all_differ_have_no_commonest() -> None:
    settings = Settings(of=Of.OWN, show=Show.NUMBER, graph=Look.DOTS, data="7_8_9.5_-3")
    shown = chart(settings, own_frequencies(settings))
    assert shown.summary == "The mean is 5.38."
    assert shown.figure["data"][0]["x"] == [-3, 7, 8, 9.5]  # dots stand where they are
    assert shown.figure["layout"]["yaxis"]["range"] == [0, 4]
    both = Settings(of=Of.OWN, show=Show.NUMBER, data="7_7_7_8_8_8_9")
    said = chart(both, own_frequencies(both)).summary
    assert said.startswith("7, 8 come most often: 42.9% of the time each.")
    pie = replace(both, graph=Look.PIE)
    assert chart(pie, own_frequencies(pie)).summary.startswith(
        "Largest slices: 7, 8, 42.9% each"
    )
    sure = Settings(show=Show.LEAST, least=4)
    assert "8 comes most often: 100" in chart(sure, counting.deck_frequencies(sure)).summary


def test_of_ties_a_box_holds_more_than_half_and_says_so() -> None:
    """Values of the deck: 51 of 81 lie from 7 to 9."""
    box = Settings(graph=Look.BOX)
    said = chart(box, counting.deck_frequencies(box)).summary
    assert said == "Median 8; 63.0% from 7 to 9."
    own = Settings(of=Of.OWN, show=Show.NUMBER, graph=Look.BOX, data="3_3_3_3")
    assert "100% from 3 to 3" in chart(own, own_frequencies(own)).summary


# Samples


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("show", shows(Of.SAMPLES))
def test_means_of_samples_spread_as_theory_says(size: int, show: Show) -> None:
    settings = Settings(of=Of.SAMPLES, show=show, size=size, hands=1_500, seed=11)
    frequencies = counting.simulation(settings)
    assert frequencies.total == 1_500
    graph = Plot(settings, frequencies)
    of_one = counting.exact_chances(replace(settings, of=Of.DEALT))
    each = 8 if show is Show.MEAN else 1
    assert graph.centre == mean(of_one) / each
    assert float(graph.spread) ** 2 == pytest.approx(float(variance(of_one)) / each**2 / size)
    assert abs(float(graph.mean - graph.centre)) < 4.5 * float(graph.spread) / 1_500**0.5
    assert float(graph.sd) == pytest.approx(float(graph.spread), rel=0.09)
    assert sum(graph.bins.values()) == 1_500
    assert len(graph.bins) <= 90


def test_the_first_samples_are_those_of_all() -> None:
    settings = Settings(of=Of.SAMPLES, show=Show.MEAN, size=25, hands=100, seed=2)
    found = list(counting.deal_frequencies(settings, [1, 7, 100]))
    assert [frequencies.total for frequencies in found] == [1, 7, 100]
    assert counting.simulation(replace(settings, hands=7)) == found[1]
    on_the_way = [counting.with_goal(frequencies, settings) for frequencies in found]
    axes = [
        chart(settings, frequencies).figure["layout"]["yaxis"]["range"]
        for frequencies in on_the_way
    ]
    assert axes == [axes[0]] * 3
    assert read({"of": "samples", "hands": "1000000"}).settings.hands == 10_000


# Numbers of one's own, the cumulative table


@pytest.mark.parametrize("data", ["1", "-5_-5", "0.000001_999999999", "1_2_3.5_-2_7_7_7.5_9"])
def test_numbers_of_ones_own_are_drawn_each_way(data: str) -> None:
    plain = Settings(of=Of.OWN, show=Show.NUMBER, data=data)
    frequencies = own_frequencies(plain)
    numbers = [float(n) for n in data.split("_")]
    for look in suits(plain):
        settings = replace(plain, graph=look, tail=Tail.UP)
        graph = Plot(settings, frequencies)
        assert sum(graph.bins.values()) == len(numbers)
        assert len(graph.bins) <= 201
        assert float(graph.mean) == pytest.approx(sum(numbers) / len(numbers))
        shown = chart(settings, frequencies)
        assert shown.figure["data"]
        for a, b in pairwise(shown.figure["data"][0].get("x", [])):
            assert a <= b


def test_a_cumulative_graph_has_its_table() -> None:
    settings = Settings(graph=Look.CUMULATIVE)
    rows = chart(settings, counting.deck_frequencies(settings)).numbers.rows
    assert [row[3] for row in rows] == ["1", "5", "15", "31", "50", "66", "76", "80", "81"]
    assert rows[-1][4] == "100%"
    dealt = Settings(of=Of.DEALT, show=Show.CALL, graph=Look.CUMULATIVE, hands=400)
    table = chart(dealt, counting.simulation(dealt)).numbers
    assert table.head[-1] == "Theory up to here"
    assert table.rows[-1][-1] == "100%"


def recounted(settings: Settings, numbers: list[int]) -> None:
    """What the sentence says, beside the numbers themselves."""
    said = chart(settings, own_frequencies(settings)).summary.replace("\u00a0", " ")
    part = [Fraction(share) / 100 for share in re.findall(r"([\d.]+)%", said)]
    if settings.graph is Look.BOX:
        low, high = map(Fraction, re.findall(r"from (\S+) to (\S+)\.", said)[0])
        true = [sum(low <= n <= high for n in numbers)]
    elif settings.graph is Look.CUMULATIVE:
        ends = [int(n) for n in re.findall(r"(\d+) or less", said)]
        true = [sum(n <= end for n in numbers) for end in ends]
        before = [sum(n < end for n in numbers) for end in ends]
        assert all(
            b < share * len(numbers) for b, share in zip(before, (0.5, 0.9), strict=True)
        )
    else:
        counts = Counter(numbers)
        modes = [n for n in sorted(counts) if counts[n] == max(counts.values())]
        if settings.graph is Look.BAR and max(counts.values()) == 1:
            assert "most often" not in said
            return
        named = re.findall(r"^(?:Largest slices?: )?([\d, …]+?)(?: come|, [\d.]+%)", said)
        shown = [*map(str, modes[:5]), *["…"] * (len(modes) > 5)]
        assert named == [", ".join(shown)]
        true = [counts[modes[0]]]
    for told, count in zip(part, true, strict=False):
        assert abs(told - Fraction(count, len(numbers))) <= Fraction(1, 1000)


@pytest.mark.parametrize("look", [Look.BAR, Look.PIE, Look.BOX, Look.CUMULATIVE])
def test_sentences_hold_of_any_numbers_with_ties(look: Look) -> None:
    rng = Random(look.value)
    for _set in range(500 if SOAK else 60):
        numbers = [rng.randrange(9) for _ in range(rng.randrange(4, 15))]
        if len(set(numbers)) > 1:
            data = "_".join(map(str, numbers))
            recounted(Settings(of=Of.OWN, show=Show.NUMBER, graph=look, data=data), numbers)
