"""Forecasts: scored as they should be, and told to be too sure only where chance seldom is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb, sqrt
from pathlib import Path
from random import Random

import numpy as np
import pytest

from games.analysis import bots
from games.rules import DECK, HAND_SIZE, Round, Variant, observe, parse_card
from lessons.measures.page import page
from lessons.questions.forecasts import is_forecast
from lessons.results import inference
from lessons.results.bids import bidding
from lessons.results.bids.calibration_band import SeatForecast, calibration_half_widths
from lessons.results.bids.forecast_panels import score_facts
from lessons.results.bids.forecasting import (
    USUAL,
    JudgedForecast,
    Score,
    ranked_probability_score,
    score_of,
    sum_of,
)
from lessons.results.dataset import Dataset
from tests.lessons.results.fair_classes import BETTER, WORSE, Kind, a_class, forecast
from tests.scenes import SOAK
from tests.scenes.results import bids_played

STEPS = bidding.STEPS
ROOT = Path(__file__).resolve().parents[3]


# The score.


def by_distances(shares: list[int], taken: int) -> Fraction:
    """The same score in another form (Gneiting and Raftery 2007): how far what was said is from
    what came, less half of how far it is from itself."""
    total = sum(shares)
    weights = [Fraction(share, total) for share in shares]
    off = sum((w * abs(k - taken) for k, w in enumerate(weights)), Fraction())
    pairs = product(enumerate(weights), repeat=2)
    among = sum((v * w * abs(j - k) for (j, v), (k, w) in pairs), Fraction())
    return off - among / 2


@pytest.mark.parametrize("seed", range(12))
def test_the_score_is_the_one_of_the_books(seed: int) -> None:
    rng = Random(seed)
    shares = [rng.randrange(30) for _ in range(9)]
    shares[rng.randrange(9)] += 1
    assert [ranked_probability_score(shares, k) for k in range(9)] == [
        by_distances(shares, k) for k in range(9)
    ]
    sure = [0] * 9
    sure[seed % 9] = 100
    assert [ranked_probability_score(sure, k) for k in range(9)] == [
        abs(k - seed % 9) for k in range(9)
    ]


def test_saying_what_one_believes_is_best() -> None:
    rng = Random(3)
    for _ in range(30):
        believed = [rng.randrange(1, 30) for _ in range(9)]
        other = [max(0, share + rng.choice([-9, -3, 0, 4])) for share in believed]
        other[0] += 1

        def on_average(said: list[int], believed: list[int] = believed) -> Fraction:
            return sum(
                share * ranked_probability_score(said, k) for k, share in enumerate(believed)
            ) / Fraction(sum(believed))

        assert on_average(believed) <= on_average(other)


def test_better_is_of_sums_beside_a_fixed_usual() -> None:
    """Not a mean of quotients, and not beside the class's own average."""
    rows = [
        JudgedForecast([0, 0, 100, 0, 0, 0, 0, 0, 0], 2, 4),
        JudgedForecast([100, 0, 0, 0, 0, 0, 0, 0, 0], 3, 4),
    ]
    found = score_of(rows)
    usual = ranked_probability_score(USUAL[4], 2) + ranked_probability_score(USUAL[4], 3)
    assert found[:3] == (2, Fraction(3), usual)
    assert found.skill_score == 1 - 3 / usual < 0
    assert sum_of([score_of(rows[:1]), score_of(rows[1:])]) == found
    assert score_of([]).skill_score == 0
    for seats, shares in USUAL.items():
        assert score_of([JudgedForecast(shares, k, seats) for k in range(9)]).skill_score == 0


@pytest.mark.parametrize("seats", USUAL if SOAK else [4])
def test_what_is_usual_is_what_seats_take_by_the_tip(seats: int) -> None:
    """Eight tricks are shared out; and by rounds played here, with other cards."""
    mean = sum(k * share for k, share in enumerate(USUAL[seats])) / sum(USUAL[seats])
    assert mean == pytest.approx(HAND_SIZE / seats, abs=0.01)
    assert abs(sum(USUAL[seats]) - 10_000) <= 4
    rounds, rng, taken = 4000 if SOAK else 250, Random(seats), Counter[int]()
    for _round in range(rounds):
        deck = rng.sample(DECK, HAND_SIZE * seats)
        hands = [deck[seat::seats] for seat in range(seats)]
        round_ = Round.start(variant=Variant.BID, hands=hands, dealer=rng.randrange(seats))
        while (seat := round_.to_move) is not None:
            move = bots.choose(observe(round_, seat), level="tip-wikipedia", rng=rng)
            round_ = round_.apply(move)
        taken.update(round_.taken)
    for tricks, share in enumerate(USUAL[seats]):
        chance = share / sum(USUAL[seats])
        far = 4.5 * sqrt(max(chance, 0.002) / (rounds * seats)) * sqrt(2)
        assert abs(taken[tricks] / (rounds * seats) - chance) < far, tricks


def test_the_three_cards_are_counted_right() -> None:
    """What the page draws and says is what the score does."""
    text = (ROOT / "templates/lessons/results/_three_cards.html").read_text(encoding="utf-8")
    sides = {
        name: [int(n) for n in re.findall(rf'class="{name}" y="\d+" width="(\d+)"', text)]
        for name in ("miss", "usual")
    }
    ada, usual = [10, 20, 50, 20], [40, 40, 15, 5]
    for shares, name in ((ada, "miss"), (usual, "usual")):
        assert sum(n**2 for n in sides[name]) == 10_000 * ranked_probability_score(shares, 2)
    assert "cover 14% of a large one, the usual forecast’s 80%" in text
    assert ranked_probability_score(ada, 2) == Fraction(14, 100)
    assert round(100 * ranked_probability_score(usual, 2)) == 80
    assert (
        round(100 * (1 - ranked_probability_score(ada, 2) / ranked_probability_score(usual, 2)))
        == 83
    )
    assert "83% better" in " ".join(text.split())


# The band.


def farther(half: float, n: int, chance: float) -> float:
    """How often a count among n, each with this chance, is farther off than that: exactly."""
    return sum(
        comb(n, k) * chance**k * (1 - chance) ** (n - k)
        for k in range(n + 1)
        if abs(k / n - chance) > half + 1e-9
    )


@pytest.mark.parametrize("n", [10, 20, 46])
def test_the_band_of_separate_hands_is_the_exact_one(n: int) -> None:
    """All said 60% of three tricks, and 40% of four, each at a table of its own: two groups
    that miss by the same, so the count of threes decides."""
    percents = (0, 0, 0, 60, 40, 0, 0, 0, 0)
    halves = calibration_half_widths(
        [SeatForecast(percents, k, 0, 4) for k in range(n)], STEPS, 1, 0.05
    )
    (low, high) = (halves[n] for n in sorted(halves) if STEPS[n])
    assert low == pytest.approx(high)
    assert farther(low, n, 0.6) <= 0.05 + 0.012
    assert farther(low - 1.01 / n, n, 0.6) > 0.025  # nor much wider than it must be


def test_luck_comes_by_whole_tables() -> None:
    """At two seats one has what the other lacks: two forecasts that say the same are one. Of a
    board that ten tables play luck evens out less than of forty."""
    ours, theirs = (0, 0, 0, 10, 60, 30, 0, 0, 0), (0, 0, 0, 30, 60, 10, 0, 0, 0)
    group = 4  # 50 to 74 percent
    both = [
        SeatForecast(p, k, seat, 2) for k in range(20) for seat, p in enumerate((ours, theirs))
    ]
    one = calibration_half_widths(both[::2], STEPS, 1, 0.05)[group]
    assert calibration_half_widths(both, STEPS, 1, 0.05)[group] == pytest.approx(one, rel=0.08)
    apart = [SeatForecast(ours, k, 0, 4) for k in range(40)]
    on_boards = [SeatForecast(ours, k, 0, 4, k % 4) for k in range(40)]
    wide, narrow = (
        calibration_half_widths(rows, STEPS, 1, 0.05)[group] for rows in (on_boards, apart)
    )
    assert wide > 1.7 * narrow


def own_forecasts(n: int, *, duplicate: bool, rng: np.random.Generator, by: str) -> Dataset:
    """So many forecasts of one student, each of another board."""
    kind = Kind(4, n, duplicate, by, students=(4, 4))
    facts = a_class(kind, rng)
    own = {k: v for k, v in whole(facts, kind).items() if k[1] == 0}
    return Dataset(facts.deals, facts.seats, (), percents=own)


def whole(data: Dataset, kind: Kind) -> dict[tuple[int, int], list[int]]:
    """A forecast for every seat, in the order of play."""
    return {
        (played.deal.pk, played.seat): forecast(
            kind.seats,
            sum(parse_card(code).value >= 9 for code in played.hand),
            kind.forecasts,
            coarse=played.seat == 1,
        )
        for played in data.seats
    }


def class_forecasts(n: int, *, duplicate: bool, rng: np.random.Generator, by: str) -> Dataset:
    """So many of a class, round by round at its tables of four."""
    tables = 5 if n > 20 else 2
    kind = Kind(4, -(-n // (4 * tables)), duplicate, by, students=(4 * tables, 4 * tables))
    facts = a_class(kind, rng)
    kept = dict(list(whole(facts, kind).items())[:n])
    return Dataset(facts.deals, facts.seats, (), percents=kept)


def too_sure(data: Dataset) -> bool:
    off = bidding.farthest_off(bidding.calibration_bins(data))
    return off is not None and off.is_too_sure


@pytest.mark.parametrize("n", [10, 20, 46])
@pytest.mark.parametrize("duplicate", [False, True])
@pytest.mark.parametrize("whose", [own_forecasts, class_forecasts])
def test_whoever_is_right_is_seldom_told_to_be_too_sure(
    whose: Callable[..., Dataset], n: int, duplicate: bool
) -> None:
    """At most five of a hundred, alone or as a class; where forecasts are in tens, which do not
    hold exactly, six."""
    classes = 600 if SOAK else 8
    for by, share in (("calibrated", 0.05), ("in tens", 0.06)):
        rng = np.random.default_rng([n, duplicate])
        told = sum(
            too_sure(whose(n, duplicate=duplicate, rng=rng, by=by)) for _class in range(classes)
        )
        most = share * classes + (0 if SOAK else 3.7 * sqrt(share * (1 - share) * classes))
        assert told <= most, by


def test_who_is_too_sure_is_told_from_ten_forecasts_on() -> None:
    """Sure of three tricks, and taking one."""

    def facts(n: int) -> Dataset:
        played = bids_played([[[(3, 1)]]] * n)
        percents = {(deal.pk, 0): [0, 0, 10, 80, 10, 0, 0, 0, 0] for deal in played.deals}
        return replace(played, percents=percents)

    assert [too_sure(facts(n)) for n in (1, 9, 10, 46)] == [False, False, True, True]


def test_what_is_no_forecast_is_not_counted() -> None:
    """Rows of other versions stay readable, and harm nobody's page."""
    assert is_forecast([0, 0, 100, 0, 0, 0, 0, 0, 0])
    assert is_forecast([1] * 9)
    assert not is_forecast([0] * 9)
    assert not is_forecast([50, 50])


def test_a_band_is_the_same_each_time_and_none_where_nothing_was_said() -> None:
    said = [SeatForecast((0, 20, 40, 30, 10, 0, 0, 0, 0), k, 0, 4) for k in range(12)]
    assert calibration_half_widths(said, STEPS, 1, 0.05) == calibration_half_widths(
        list(said), STEPS, 1, 0.05
    )
    assert calibration_half_widths([], STEPS, 1, 0.05) == {}


def a_score(*pairs: tuple[float, float], boards: int = 99) -> Score:
    """Of forecasts that missed by so much, where what is usual missed by so much."""
    rows = [
        inference.PairedCosts(n % boards, ours, usual) for n, (ours, usual) in enumerate(pairs)
    ]
    ours = sum((Fraction(pair[0]) for pair in pairs), Fraction())
    usual = sum((Fraction(pair[1]) for pair in pairs), Fraction())
    return Score(len(rows), ours, usual, tuple(rows))


def said_of(score: Score) -> str:
    return " ".join(page("score").texts("say", score_facts(score)))


def test_better_is_said_only_where_luck_seldom_goes_as_far() -> None:
    """Of few forecasts, or of one board, nothing is."""
    clear = [(0.4, 1.0), (0.6, 1.1), (0.5, 0.9), (0.4, 1.2)] * 6
    said = said_of(a_score(*clear)).replace("\u00a0", " ")
    assert said.startswith("24 forecasts: 55% better than the usual one")
    assert BETTER in said  # by these words fair classes count what is said
    assert said.endswith("usual one. Margin (95%): 49% to 61%.")
    worse = said_of(a_score(*((usual, ours) for ours, usual in clear)))
    assert "worse than the usual one." in worse
    assert WORSE in worse
    luckily = [(0.5, 0.6), (0.6, 0.5), (0.5, 0.6)] * 6
    same = said_of(a_score(*luckily))
    assert "not clearly better or worse" in same
    assert not any(words in same for words in (BETTER, WORSE))
    assert "too few to compare" in said_of(a_score(*clear[:9]))
    assert "too few to compare" in said_of(a_score(*clear, boards=1))


@pytest.mark.parametrize("duplicate", [False, True])
def test_whoever_always_says_what_is_usual_is_seldom_told_to_be_better(duplicate: bool) -> None:
    """At most five of a hundred, better and worse together; here luck comes by whole boards."""
    classes, told = 2000 if SOAK else 60, 0
    for seed in range(classes):
        rng = np.random.default_rng([seed, duplicate])
        shares = np.array(USUAL[4]) / sum(USUAL[4])
        rows = []
        for board in range(8):
            taken = rng.choice(9, size=4, p=shares)
            for table in range(6):
                taken = taken if duplicate else rng.choice(9, size=4, p=shares)
                own = board if duplicate else (board, table)
                rows += [JudgedForecast(blind(rng), k, 4, own) for k in taken.tolist()]
        found = score_of(rows)
        told += found.is_significant and found.skill_score > 0
    assert told <= 0.05 * classes + (0 if SOAK else 3 * sqrt(0.05 * 0.95 * classes))


def blind(rng: np.random.Generator) -> list[int]:
    """What somebody says who knows nothing of the hand: what is usual, from memory."""
    return [max(0, share // 100 + int(rng.integers(-3, 4))) for share in USUAL[4]]
