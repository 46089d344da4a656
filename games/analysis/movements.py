"""Individual movements of a tournament: who sits where at each board, so that everyone meets as
many others as can be, and has each seat of the table about as often; and the result.

Where the number of tables has no factor below the number of seats, each seat moves on by its
own number of tables (as bridge's Mitchell movement does for two rows): nobody meets anybody
twice before all tables are through. Else the next board is found by search: exchanges of two
people, steepest first, from several beginnings. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, permutations
from math import ceil
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

Seating = tuple[tuple[int | None, ...], ...]
"""Who sits at one board: by table and seat a person's number, None for a bot."""

MOST_SEATS = 6
"""At larger tables everybody meets everybody soon, and seats take long to choose."""
STARTS = 8
"""Beginnings of a search for one board."""
MOST_COST = 20
"""Meetings from which on a further one costs no more."""


def table_sizes(people: int, seats: int) -> tuple[int, ...]:
    """How many people sit at each table: as few tables as can be, the people spread evenly."""
    tables = ceil(people / seats)
    return tuple(people // tables + (n < people % tables) for n in range(tables))


def meetings(boards: Sequence[Seating]) -> Counter[tuple[int, int]]:
    """How often each pair of people, smaller number first, sat at one table."""
    return Counter(
        pair
        for board in boards
        for table in board
        for pair in combinations(sorted(one for one in table if one is not None), 2)
    )


def next_seating(
    people: Sequence[int], before: Sequence[Seating], *, seats: int, rng: Random
) -> Seating:
    """The seats of these people at the board that comes after those played ``before``. Everyone
    sits once, at tables of ``seats`` with bots on what is left."""
    sizes = table_sizes(len(people), seats)
    order = list(people)
    rng.shuffle(order)
    if not before:
        return _seated(_split(order, sizes), before, seats)
    if moved_on := _moved_on(before, order, seats):
        return moved_on
    import numpy as np  # late: only tournaments need it

    place = {person: n for n, person in enumerate(order)}
    met = np.zeros((len(order), len(order)), dtype=np.int64)
    for (one, other), often in meetings(before).items():
        if one in place and other in place:
            met[place[one], place[other]] = met[place[other], place[one]] = often
    tables = np.repeat(np.arange(len(sizes)), sizes)
    found = min((_improved(met, rng, tables) for _n in range(STARTS)), key=lambda each: each[0])
    groups = [[order[n] for n in np.flatnonzero(found[1] == t)] for t in range(len(sizes))]
    return _seated(groups, before, seats)


def _split(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    ends = list(accumulate(sizes))
    return [list(order[end - size : end]) for size, end in zip(sizes, ends, strict=True)]


def _moved_on(before: Sequence[Seating], people: Sequence[int], seats: int) -> Seating | None:
    """The first board with each seat moved on by its number of tables, as often as boards were
    played; None where somebody would be met again, or others are here than then."""
    first, boards = before[0], len(before)
    tables = len(first)
    everybody = {one for table in first for one in table}
    if everybody != set(people) or boards >= tables:
        return None
    if any(tables % factor == 0 for factor in range(2, seats)):
        return None
    moved: list[list[int | None]] = [[None] * seats for _table in first]
    for number, table in enumerate(first):
        for seat, person in enumerate(table):
            moved[(number + boards * seat) % tables][(seat + boards) % seats] = person
    seating = tuple(map(tuple, moved))
    return seating if max(meetings([*before, seating]).values(), default=0) < 2 else None


def _improved(met: NDArray[Any], rng: Random, tables: NDArray[Any]) -> tuple[int, NDArray[Any]]:
    """The sum over pairs at one table of what their meeting costs, and the tables by person:
    from a beginning drawn by lot, exchanged until no exchange helps. A further meeting costs
    the more, the more there were."""
    import numpy as np

    number = len(met)
    cost = 4 ** np.minimum(met, MOST_COST)
    np.fill_diagonal(cost, 0)
    at = np.array(rng.sample(list(tables), number))
    while True:
        sits = (at[:, None] == np.arange(tables[-1] + 1)).astype(np.int64)
        beside = cost @ sits  # by person and table: what it costs to sit there
        here = beside[np.arange(number), at]
        swap = beside[:, at] + beside[:, at].T - here[:, None] - here[None, :] - 2 * cost
        swap[at[:, None] == at[None, :]] = 0
        best = int(swap.argmin())
        one, other = divmod(best, number)
        if swap[one, other] >= 0:
            return int(here.sum()) // 2, at
        at[one], at[other] = at[other], at[one]


def _seated(groups: Sequence[Sequence[int]], before: Sequence[Seating], seats: int) -> Seating:
    """These people at their tables, each on a seat that they have had least often."""
    had = Counter(
        (person, seat)
        for board in before
        for table in board
        for seat, person in enumerate(table)
        if person is not None
    )
    return tuple(_best_order(group, had, seats) for group in groups)


def _best_order(
    group: Sequence[int], had: Counter[tuple[int, int]], seats: int
) -> tuple[int | None, ...]:
    """The group by seat, each where they sat least often; None for a seat left empty."""
    sitters: list[int | None] = [*group, *[None] * (seats - len(group))]
    if not had:
        return tuple(sitters)
    return min(
        permutations(sitters),
        key=lambda order: sum(
            had[person, seat] ** 2 + 2 * had[person, seat]
            for seat, person in enumerate(order)
            if person is not None
        ),
    )


# What came of it.


@dataclass(frozen=True, slots=True)
class BoardOutcome:
    """What one seat of one table made of a board: by how many points it was ahead of the
    same seat at the other tables (in *lose* its fair score, turned round); ``person`` is who
    made all its moves, None for a bot or several."""

    board: int
    table: int
    seat: int
    person: int | None
    ahead: float


def leader_p_value(outcomes: Sequence[BoardOutcome], *, draws: int = 1999) -> float | None:
    """The chance that luck alone puts somebody as far ahead as the leader is in sum, by a
    randomization test: board by board whole tables' outcomes change hands. Were all alike, each
    table might as well have been the other's. None where no board had two tables.
    """
    import numpy as np

    rng = np.random.default_rng(0)
    people = sorted({each.person for each in outcomes if each.person is not None})
    place = {person: n for n, person in enumerate(people)}
    sums, drawn = np.zeros(len(people)), np.zeros((draws, len(people)))
    is_judged = False
    for board in {each.board for each in outcomes}:
        own = [each for each in outcomes if each.board == board]
        rows = {table: n for n, table in enumerate(sorted({each.table for each in own}))}
        ahead = np.zeros((len(rows), max(each.seat for each in own) + 1))
        for each in own:
            ahead[rows[each.table], each.seat] = each.ahead
        who = [each for each in own if each.person is not None]
        at = [place[each.person or 0] for each in who]
        tables, seats = [rows[each.table] for each in who], [each.seat for each in who]
        sums[at] += ahead[tables, seats]
        order = rng.random((draws, len(rows))).argsort(axis=1)
        drawn[:, at] += ahead[order[:, tables], seats]
        is_judged |= len(rows) > 1
    if not is_judged or not people:
        return None
    as_far = (drawn.max(axis=1) >= sums.max() - _CLOSE).sum()
    return float((1 + as_far) / (1 + draws))


_CLOSE = 1e-9
"""How far floats of equal sums may be apart."""
