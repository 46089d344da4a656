"""Movements by properties, the leader's p-value by fair tournaments."""

from __future__ import annotations

import os
from collections import Counter
from math import ceil, comb
from random import Random

import numpy as np
import pytest

from games.analysis.movements import (
    BoardOutcome,
    Seating,
    leader_p_value,
    meetings,
    next_seating,
    table_sizes,
)

SOAK = os.environ.get("XACTIKA_SOAK") == "1"


def played(people: int, *, seats: int, boards: int, rng: Random) -> list[Seating]:
    """So many boards of a tournament in which nobody comes or goes."""
    before: list[Seating] = []
    for _n in range(boards):
        before.append(next_seating(range(1, people + 1), before, seats=seats, rng=rng))
    return before


def least_meetings(people: int, seats: int, boards: int) -> int:
    """How often the pair that meets most must meet at least, in so many boards."""
    if people < 2:
        return 0
    a_board = sum(comb(size, 2) for size in table_sizes(people, seats))
    return ceil(boards * a_board / comb(people, 2))


def assert_seated(board: Seating, people: set[int], seats: int) -> None:
    """Everybody sits once, no table is without people, and they are spread evenly."""
    assert Counter(one for table in board for one in table if one) == Counter(people)
    assert {len(table) for table in board} == {seats}
    filled = [seats - table.count(None) for table in board]
    assert len(board) == -(-len(people) // seats)
    assert max(filled) - min(filled) <= 1


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_pairs_meet_at_most_once_more_than_they_must(seats: int) -> None:
    rng = Random(seats)
    for people in range(6, 81, 1 if SOAK else 5):
        boards = played(people, seats=seats, boards=8, rng=rng)
        for number, board in enumerate(boards, start=1):
            assert_seated(board, set(range(1, people + 1)), seats)
            most = max(meetings(boards[:number]).values())
            assert most <= least_meetings(people, seats, number) + 1, (people, number)


@pytest.mark.parametrize(("people", "seats"), [(20, 4), (25, 5), (35, 5), (21, 3), (28, 4)])
def test_where_a_plan_is_known_nobody_meets_anybody_twice(people: int, seats: int) -> None:
    boards = played(people, seats=seats, boards=people // seats, rng=Random(people))
    met = meetings(boards)
    assert max(met.values()) == 1
    in_a_row = people // seats  # who had one's own seat at the first board is never met
    assert len(met) == people * (people - in_a_row) // 2


def test_everybody_has_every_seat_about_as_often() -> None:
    for people in (8, 13, 24):
        boards = played(people, seats=4, boards=8, rng=Random(people))
        had = Counter((one, s) for b in boards for table in b for s, one in enumerate(table))
        assert max(had[one, s] for one in range(1, people + 1) for s in range(4)) <= 4


def test_who_comes_and_goes_leaves_no_hole() -> None:
    """A thousand people in all who come late or leave, in the long run."""
    rng = Random(7)
    for _n in range(50 if SOAK else 8):
        seats = rng.randint(3, 6)
        here, before = set(range(1, rng.randint(7, 40))), list[Seating]()
        for _event in range(20):
            if rng.random() < 0.5 and len(here) > 1:
                here.discard(rng.choice(sorted(here)))
            else:
                here.add(rng.randint(1, 80))
            board = next_seating(sorted(here), before, seats=seats, rng=rng)
            assert_seated(board, here, seats)
            before.append(board)


def test_luck_alone_is_called_more_than_luck_in_one_of_twenty() -> None:
    draws = np.random.default_rng(5)
    tournaments, called = 2000 if SOAK else 400, 0
    for number in range(tournaments):
        rng = Random(number)
        boards = played(rng.choice((8, 13, 22)), seats=4, boards=4, rng=rng)
        outcomes = []
        for board, tables in enumerate(boards):
            points = draws.integers(-3, 9, (len(tables), 4))
            points[:, 0] -= points[:, 1] // 2  # who sits together share their luck
            ahead = points - (points.sum(axis=0) - points) / (len(tables) - 1)
            outcomes += [
                BoardOutcome(board, table, seat, one, float(ahead[table, seat]))
                for table, sitters in enumerate(tables)
                for seat, one in enumerate(sitters)
            ]
        called += (leader_p_value(outcomes, draws=99) or 1) < 0.05
    assert called <= tournaments * 0.05 + 2 * (tournaments * 0.05 * 0.95) ** 0.5


def test_one_much_better_is_found_and_one_table_tells_nothing() -> None:
    boards = played(24, seats=4, boards=8, rng=Random(1))
    outcomes = [
        BoardOutcome(board, table, seat, one, 4.0 if one == 5 else -0.2 + (one or 0) % 3 / 10)
        for board, tables in enumerate(boards)
        for table, sitters in enumerate(tables)
        for seat, one in enumerate(sitters)
    ]
    assert (leader_p_value(outcomes) or 1) < 0.01
    assert leader_p_value([each for each in outcomes if each.table == 0]) is None


def test_what_must_be_is_counted() -> None:
    assert least_meetings(4, 4, 3) == 3
    assert least_meetings(6, 3, 5) == 2  # five boards of six pairs, of fifteen there are
    assert least_meetings(1, 4, 8) == 0
