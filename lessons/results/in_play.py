"""A running game at a glance, for the teacher's cockpit: bids against tricks taken, how far
each table is, how long a trick takes; and the same as a table of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from statistics import median, quantiles
from typing import Any

from games.classes.in_play import GameInPlay, HandPlayed, TableInPlay
from games.rules import HAND_SIZE
from lessons import charts
from lessons.measures.measure import grid
from lessons.measures.page import page
from lessons.results.bids import bidding
from lessons.results.inference import Miss, mean_interval
from lessons.results.tiles import Tile, tile
from lessons.results.words import claim_facts, half_up, number

SLOW = 1.5
"""A table is slow whose tricks take so many times as long as the class's."""

ENOUGH = HAND_SIZE
"""Tricks of a table, a round of them, before that is said."""

FAR = HAND_SIZE // 2
"""Tables keep together while at most half a round’s tricks lie between first and last."""


def tiles(game: GameInPlay) -> tuple[Tile, ...]:
    """The game's charts: bids, if there are any; how far tables are, if there are several; how
    long a trick takes."""
    if not game.tables:
        return ()
    bids = (_bids(game),) if game.has_bids else ()
    progress = (_tables(game),) if len(game.compared) > 1 else ()
    return (*bids, *progress, _pace(game))


# Bids against tricks taken


def _bids(game: GameInPlay) -> Tile:
    played = [hand for table in game.tables for hand in table.played]
    playing = [hand for table in game.tables for hand in table.playing]
    said: dict[str, Any] = {"over": len(played), "playing": len(playing)}
    for hands, name in ((played, "over"), (playing, "playing")):
        if hands:
            said[f"{name}_bid"] = Fraction(sum(hand.bid for hand in hands), len(hands))
            said[f"{name}_taken"] = Fraction(sum(hand.taken for hand in hands), len(hands))
    bias, interval = bidding.errors(_pairs(played)).bias, mean_interval(_bid_misses(game))
    if bias is not None:
        facts = claim_facts(bias, interval)
        said |= {**facts, "claim": page("bias").claim(facts)}
    said |= {
        "drawn": bool(played or playing),
        "finished": bidding.groups(_pairs(played)),
        "running": bidding.groups(_pairs(playing)),
    }
    return tile(
        "bids",
        "in-play-bids",
        said,
        panel="",
        stands_out=interval is not None and not interval[0] <= 0 <= interval[1],
        is_open=bias is None,
    )


def _pairs(hands: Iterable[HandPlayed]) -> Iterator[tuple[int, int]]:
    return ((hand.bid, hand.taken) for hand in hands)


def _bid_misses(game: GameInPlay) -> Iterator[Miss]:
    for table in game.tables:
        for hand in table.played:
            board = hand.round if game.is_duplicate else (table.number, hand.round)
            yield Miss(table.number, board, hand.bid - hand.taken)


# How far each table is


def _tables(game: GameInPlay) -> Tile:
    tables = game.compared
    done = [table.tricks for table in tables]
    apart = max(done) - min(done)
    rounds = max(table.rounds for table in tables)
    middle = median([table.tricks for table in tables if not table.closed] or done)
    slow, fast = (
        [n for n, tricks in enumerate(done) if way * (tricks - middle) >= FAR < apart]
        for way in (-1, 1)
    )
    if apart > FAR and not (slow or fast):
        slow = [n for n, tricks in enumerate(done) if tricks == min(done)]
    behind, ahead = ([n for n in each if not tables[n].closed] for each in (slow, fast))
    said: dict[str, Any] = {
        "behind": len(behind),
        "ahead": len(ahead),
        "together": apart <= FAR,
        "which": _which([tables[n] for n in behind or ahead]),
        "apart": apart,
        "low": min(done) / HAND_SIZE,
        "high": max(done) / HAND_SIZE,
        "rounds": rounds,
    }
    rows = [
        {"name": str(table.number), "height": tricks / HAND_SIZE, "behind": n in behind}
        for n, (table, tricks) in enumerate(zip(tables, done, strict=True))
    ]
    said |= {"ends": (0, rounds)}
    return tile("tables", "in-play-tables", said, rows, panel="", stands_out=bool(behind))


def _which(chosen: Sequence[TableInPlay]) -> int:
    """The only table's number, or how many there are."""
    return chosen[0].number if len(chosen) == 1 else len(chosen)


# How long a trick takes


def _pace(game: GameInPlay) -> Tile:
    tables = [table for table in game.tables if table.seconds]
    if not tables:
        return tile("pace", "in-play-pace", {}, panel="", is_open=True)
    middles = [median(table.seconds) for table in tables]
    low, middle, high = _quartiles([each for table in tables for each in table.seconds])
    slow = [
        n
        for n, table in enumerate(tables)
        if len(table.seconds) >= ENOUGH and middles[n] >= SLOW * middle
    ]
    ends = dict.fromkeys(number(end, 0) for end in (low, high))
    said: dict[str, Any] = {"played": True, "span": "–".join(ends)}
    said["seconds"] = int(half_up(middle, 0))
    said["tables"] = len(tables)
    said |= {"slow": len(slow), "which": _which([tables[n] for n in slow])}
    spans = [_quartiles(table.seconds) for table in tables]
    top = max(10, 10 * -(-max(high for _low, _middle, high in spans) // 10))
    said |= {"middle": middle, "ends": (0, top)}
    rows = [
        {"name": str(table.number), "span": (low, high), "median": own, "slow": n in slow}
        for n, (table, own, (low, _middle, high)) in enumerate(
            zip(tables, middles, spans, strict=True)
        )
    ]
    return tile("pace", "in-play-pace", said, rows, panel="", stands_out=bool(slow))


def _quartiles(seconds: Sequence[float]) -> tuple[float, float, float]:
    if len(seconds) == 1:
        return seconds[0], seconds[0], seconds[0]
    low, middle, high = quantiles(seconds, n=4, method="inclusive")
    return low, middle, high


# The same as numbers


def numbers(game: GameInPlay) -> tuple[charts.Numbers, ...]:
    """The charts' numbers: a row a bid, and a row a table."""
    if not game.tables:
        return ()
    by_table = [
        {
            "table": table.number,
            "rounds": Fraction(table.tricks, HAND_SIZE),
            "seconds": "{1} ({0}–{2})".format(
                *(number(n, 0) for n in _quartiles(table.seconds))
            )
            if table.seconds
            else None,
        }
        for table in game.tables
    ]
    rows = {"in-play-bids": _rows_by_bid(game)} if game.has_bids else {}
    rows["in-play-tables"] = by_table
    return tuple(grid(page(name), own, {}).numbers for name, own in rows.items())


def _rows_by_bid(game: GameInPlay) -> list[dict[str, Any]]:
    played, playing = (
        {group.number: group for group in bidding.groups(_pairs(hands))}
        for hands in (
            (hand for table in game.tables for hand in table.played),
            (hand for table in game.tables for hand in table.playing),
        )
    )
    return [
        {
            "bid": bid,
            "played": over.rounds if (over := played.get(bid)) else 0,
            "taken": over and over.mean,
            "playing": running.rounds if (running := playing.get(bid)) else 0,
            "so_far": running and running.mean,
        }
        for bid in sorted({*played, *playing})
    ]
