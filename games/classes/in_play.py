"""How a class session's present game goes: how far each table is, what was bid and taken, how
long a trick takes. No card is in it.

Of a board that some table still plays it tells only how far each table is, of an experiment
that is not over nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby, pairwise
from operator import itemgetter, or_
from typing import NamedTuple

from django.db.models import Q

from games.classes.game import present_game
from games.models import Move, Result
from games.rules import HAND_SIZE, Variant
from games.tables.state import TableState, experiments_running, load_tables, may_be_shown
from games.tables.view import Status


class HandPlayed(NamedTuple):
    """What somebody made of a hand: in which round they bid and took so much."""

    round: int
    bid: int
    taken: int


@dataclass(frozen=True, slots=True)
class TableInPlay:
    """A table of the present game: how many tricks it has played of its ``rounds``, the hands
    that people have played there, those that they play, each trick's seconds, and whether it
    is ``closed``."""

    number: int
    rounds: int
    tricks: int
    played: tuple[HandPlayed, ...]
    playing: tuple[HandPlayed, ...]
    seconds: tuple[float, ...]
    closed: bool = False

    @property
    def is_over(self) -> bool:
        """Whether all its rounds have been played."""
        return self.tricks >= HAND_SIZE * self.rounds


@dataclass(frozen=True, slots=True)
class GameInPlay:
    """The present game; without tables before it begins, and while it ``is_experiment``."""

    tables: tuple[TableInPlay, ...] = ()
    is_duplicate: bool = False
    is_experiment: bool = False
    has_bids: bool = False

    @property
    def compared(self) -> tuple[TableInPlay, ...]:
        """The tables by how far they are: while some play on, without those closed."""
        open_ones = tuple(table for table in self.tables if not table.closed)
        return self.tables if all(table.is_over for table in open_ones) else open_ones


def game_in_play(session_id: int) -> GameInPlay:
    """The session's present game, in five short queries where its tables were read lately."""
    game = present_game(session_id)
    runs = experiments_running().filter(class_session=session_id, game=game.number)
    if runs.exists():
        return GameInPlay(is_experiment=True)
    tables = [table for table in load_tables(game.tables) if table.deal_id is not None]
    if not tables:
        return GameInPlay()
    played, seconds = _hands_by_table(game.tables), _seconds(tables)
    return GameInPlay(
        tables=tuple(
            TableInPlay(
                number=table.number,
                rounds=table.rounds,
                tricks=_tricks(table),
                played=tuple(played.get(table.id, ())),
                playing=() if game.duplicate else tuple(_playing(table)),
                seconds=tuple(seconds.get(table.id, ())),
                closed=table.closed,
            )
            for table in tables
            if table.people
        ),
        is_duplicate=game.duplicate,
        has_bids=game.variant == Variant.BID.value,
    )


def _tricks(table: TableState) -> int:
    done = len(table.observation.tricks) if table.observation else 0
    return HAND_SIZE * (table.round_number - 1) + done


def _playing(table: TableState) -> Iterator[HandPlayed]:
    """The hands that people play just now; bids lie open."""
    if table.observation is None or table.status != Status.PLAYING:
        return
    for seat in table.people:
        bid = table.observation.bids[seat.number]
        if bid is not None and not seat.is_played_by_bot:
            taken = table.observation.taken[seat.number]
            yield HandPlayed(table.round_number, bid, taken)


def _hands_by_table(tables: Collection[str]) -> dict[str, list[HandPlayed]]:
    """By table the hands that one person has played alone and that may be shown."""
    results = Result.objects.filter(
        may_be_shown("deal__"), by_person=True, deal__table__in=tables
    ).order_by("deal__table", "deal__round", "seat")
    rows = results.values_list("deal__table", "deal__round", "bid", "taken")
    return {
        table: [
            HandPlayed(round_, bid, taken) for _, round_, bid, taken in own if bid is not None
        ]
        for table, own in groupby(rows, key=itemgetter(0))
    }


def _seconds(tables: Sequence[TableState]) -> dict[str, list[float]]:
    """By table how long its tricks took that may be shown: from the end of what was before to
    the last card."""
    ids_by_size: dict[int, list[str]] = defaultdict(list)
    for table in tables:
        ids_by_size[len(table.seats)].append(table.id)
    has_bids = tables[0].variant is Variant.BID
    ends = reduce(
        or_,
        (
            Q(deal__table__in=ids, number__in=range(size - 1, size * (HAND_SIZE + 1), size))
            for size, ids in ids_by_size.items()
        ),
    )
    moves = Move.objects.filter(may_be_shown("deal__"), ends).order_by("deal", "number")
    rows = moves.values_list("deal__table", "deal", "deal__created", "made")
    seconds: dict[str, list[float]] = defaultdict(list)
    for (table_id, _deal, dealt), own in groupby(rows, key=itemgetter(0, 1, 2)):
        times = [made for *_of, made in own]
        if not has_bids:
            times.insert(0, dealt)
        seconds[table_id] += [(end - begin).total_seconds() for begin, end in pairwise(times)]
    return seconds
