"""Which bot is it? The rounds are its own, the chances are right as often as they say."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import sqrt
from random import Random

import pytest

from games.analysis import bots
from games.rules import observe
from lessons.course import lessons, suspects
from lessons.course.suspects import (
    MISTAKES,
    MOST,
    SUSPECTS,
    Watched,
    chances,
    culprit,
    likelihood,
    rounds_of,
    seed_drawn_by,
    settled_lesson,
    watched_rounds,
)
from tests.analysis.points import begun
from tests.scenes import SOAK

MANY = 80
TO_THE_END = MANY if SOAK else 16


def test_the_suspects_are_bots_of_one_misconception() -> None:
    assert set(SUSPECTS) == {*bots.MISTAKEN, "tip-printed"}


def test_a_seed_decides_all() -> None:
    watched_rounds.cache_clear()
    first = watched_rounds("run 7")
    watched_rounds.cache_clear()
    assert watched_rounds("run 7") == first
    assert len(first) == MOST
    assert watched_rounds("run 8") != first
    names = Counter(culprit(f"run {n}") for n in range(1000))
    assert set(names) == set(SUSPECTS)
    assert min(names.values()) > 150


def test_what_a_bot_does_adds_up_to_one() -> None:
    """Habit and slips together, over all that is legal."""
    rng = Random("one")
    point = begun("bid", 4, rng)
    while point.to_move is not None:
        seen = observe(point, point.to_move)
        for level in SUSPECTS:
            moves = bots.HABITS[level].moves(seen)
            assert sum(likelihood(moves, seen, move) for move in seen.legal) == 1
        point = point.apply(rng.choice(seen.legal))


def test_one_move_in_ten_is_a_slip() -> None:
    """As far as bids tell: of the bot that always bids 4."""
    seeds = [f"s {n}" for n in range(400) if culprit(f"s {n}") == "four-ninths"][:15]
    rounds = [each for seed in seeds for each in watched_rounds(seed)]
    odd = sum(not each.bid_fits["four-ninths"] for each in rounds) / len(rounds)
    expected = float(MISTAKES * Fraction(8, 9))
    assert odd == pytest.approx(expected, abs=3.5 * sqrt(expected / len(rounds)))


Seen = dict[str, tuple[Watched, ...]]


@pytest.fixture(scope="module")
def seen() -> Seen:
    """The first three rounds of each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(suspects, "MOST", 3)
        watched_rounds.cache_clear()
        first = {f"m {n}": watched_rounds(f"m {n}") for n in range(MANY)}
    watched_rounds.cache_clear()
    return first


def test_chances_come_true_as_often_as_they_say(seen: Seen) -> None:
    """Of all that is said to be so likely, after one, two and three rounds."""
    said: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for seed, rounds in seen.items():
        for n in (1, 2, 3):
            for level, chance in chances(rounds[:n]).items():
                said[min(4, int(5 * chance))].append((float(chance), level == culprit(seed)))
    for cases in said.values():
        told = sum(chance for chance, _true in cases) / len(cases)
        came = sum(true for _chance, true in cases) / len(cases)
        # Three chances of one seed hang together: the error of a third of the cases.
        assert came == pytest.approx(
            told, abs=4 * sqrt(3 * told * (1 - told) / len(cases)) + 0.01
        )
    assert len(said) == 5


def test_two_rounds_leave_it_open_and_twenty_settle_it(seen: Seen) -> None:
    after = {
        n: [float(chances(rounds[:n])[culprit(seed)]) for seed, rounds in seen.items()]
        for n in (0, 2)
    }
    assert after[0] == [pytest.approx(0.2)] * MANY
    assert 0.5 < sum(after[2]) / MANY < 0.95
    for seed, rounds in list(seen.items())[:TO_THE_END]:
        assert watched_rounds(seed)[:3] == rounds
        assert chances(watched_rounds(seed))[culprit(seed)] > 0.95


def test_an_open_draw_leaves_the_second_round_open_and_its_chances_right() -> None:
    """What is drawn anew is what was seen, not who it is: so chances stay true."""
    sure: list[tuple[float, bool]] = []
    for n in range(MANY if TO_THE_END == MANY else 30):
        seed = seed_drawn_by(f"open m {n}")
        rounds = list(islice(rounds_of(seed), 2))
        for seen, most in zip((rounds[:1], rounds), (0.6, 0.8), strict=True):
            told = chances(seen)
            assert max(told.values()) <= most
        sure += [(float(told[level]), level == culprit(f"open m {n}")) for level in SUSPECTS]
    expected = sum(told for told, _true in sure if told > 0.4)
    came = sum(true for told, true in sure if told > 0.4)
    assert came == pytest.approx(expected, abs=4 * sqrt(expected / 2))
    for n in range(TO_THE_END // 4):
        seed = f"open m {n}"
        assert chances(watched_rounds(seed))[culprit(seed)] > 0.95


def test_a_lesson_has_its_right_answer_once_somebody_has_begun() -> None:
    (course,) = (each for each in lessons() if any(step.shows.bots for step in each.steps))
    assert settled_lesson(course, "") is course
    other = lessons()[0]
    assert settled_lesson(other, "run 1") is other
    told = settled_lesson(course, "run 1")
    for step, plain in zip(told.steps, course.steps, strict=True):
        if not step.shows.bots:
            assert step is plain
            continue
        right = [
            level
            for level, each in zip(SUSPECTS, step.statements, strict=True)
            if each.is_right
        ]
        assert right == [culprit("run 1")]
        assert replace(step, statements=plain.statements) == plain
