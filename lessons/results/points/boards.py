"""How bids went board by board, and whether one of them went worse than luck goes. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lessons.results.bids.bidding import fewest_right
from lessons.results.dataset import Dataset, SeatResult

SHUFFLES = 1000
"""So often the boards of each table change places to see how far luck goes."""


@dataclass(frozen=True, slots=True)
class Board:
    """A duplicate board: of how many ``bids`` made there by how many ``students`` how many came
    true."""

    game: int
    number: int
    bids: int
    made: int
    students: int

    @property
    def share(self) -> Fraction:
        """The share of bids that came true."""
        return Fraction(self.made, self.bids)


def boards(data: Dataset) -> tuple[Board, ...]:
    """The boards on which people bid, in the order of play."""
    return tuple(
        Board(
            *key,
            len(rows),
            sum(played.bid == played.taken for played in rows),
            len({played.student for played in rows} - {None}),
        )
        for key, rows in sorted(_by_board(data).items())
    )


def weakest_boards(found: Sequence[Board]) -> list[Board]:
    """The boards on which the smallest share of bids came true, if these are one or two;
    nothing where none stands out."""
    return fewest_right({board: board.share for board in found})


def bids_and_students(data: Dataset, some: Iterable[Board]) -> tuple[int, int]:
    """(bids, students): how many bids on these boards are counted, of how many students."""
    by_board = _by_board(data)
    rows = [played for board in some for played in by_board[board.game, board.number]]
    return len(rows), len({played.student for played in rows} - {None})


def table_at(data: Dataset, board: Board) -> str | None:
    """A table that played this board; None on paper, where no moves are known."""
    moved = {trick.deal for trick in data.tricks}
    tables = [
        played.deal.table
        for played in _by_board(data)[board.game, board.number]
        if played.deal.pk in moved
    ]
    return min(tables, default=None)


def worst_p_value(data: Dataset) -> float:
    """How often a board goes at least as badly as the worst did, by luck alone: a permutation
    test. What a table came to on its boards changes places at random, so that tables keep what
    they are able to; always in the same ways. 1 where nothing can change places."""
    import numpy as np  # late: only pages of a duplicate game need it

    by_board = _by_board(data)
    keys = sorted(by_board)
    tables = sorted({played.deal.table for rows in by_board.values() for played in rows})
    bids = np.zeros((len(tables), len(keys)), np.int64)
    made = np.zeros_like(bids)
    for n, key in enumerate(keys):
        for played in by_board[key]:
            table = tables.index(played.deal.table)
            bids[table, n] += 1
            made[table, n] += played.bid == played.taken
    are_whole = bids.all(axis=1)  # the others keep their places
    if len(keys) < 2 or not are_whole.any():
        return 1.0
    places = np.tile(np.arange(len(keys)), (SHUFFLES, are_whole.sum(), 1))
    places = np.random.default_rng(len(keys)).permuted(places, axis=2)
    rows = np.arange(are_whole.sum())[None, :, None]
    shuffled = [
        each[are_whole][rows, places].sum(axis=1) + each[~are_whole].sum(axis=0)
        for each in (made, bids)
    ]
    least = (shuffled[0] / shuffled[1]).min(axis=1)
    observed = (made.sum(axis=0) / bids.sum(axis=0)).min()
    return float(1 + (least <= observed + 1e-9).sum()) / (1 + SHUFFLES)


def _by_board(data: Dataset) -> dict[tuple[int, int], list[SeatResult]]:
    rows: dict[tuple[int, int], list[SeatResult]] = defaultdict(list)
    for played in data.rounds:
        if played.deal.board is not None and played.bid is not None:
            rows[played.deal.game, played.deal.board].append(played)
    return rows
