"""A running game at a glance, for the teacher's cockpit: bids against tricks taken, how far
each table is, how long a trick takes; and the same as a table of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import sqrt
from statistics import median, quantiles

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.classes.in_play import GameInPlay, HandPlayed, TableInPlay
from games.rules import HAND_SIZE
from lessons import charts
from lessons.measures.page import page
from lessons.results.inference import Miss, mean_interval
from lessons.results.tiles import Tile
from lessons.results.words import claim_facts, number, sentences, signed

SLOW = 1.5
"""A table is slow whose tricks take so many times as long as the class's."""

ENOUGH = HAND_SIZE
"""Tricks of a table, a round of them, before that is said."""


def tiles(game: GameInPlay) -> tuple[Tile, ...]:
    """The game's charts; without bids two of them."""
    if not game.tables:
        return ()
    return (*((_bids(game),) if game.has_bids else ()), _tables(game), _pace(game))


def _waits(game: GameInPlay, otherwise: str) -> str:
    """What a chart waits for: of the same cards at all tables, that all have played them."""
    return _("No board is over yet") if game.is_duplicate else otherwise


# Bids against tricks taken


def _bids(game: GameInPlay) -> Tile:
    played = [hand for table in game.tables for hand in table.played]
    playing = [hand for table in game.tables for hand in table.playing]
    parts = []
    if played:
        parts.append(
            ngettext(
                "%(n)d hand is over: %(bid)s bid, %(taken)s taken.",
                "%(n)d hands are over: %(bid)s bid, %(taken)s taken on average.",
                len(played),
            )
            % _means(played)
        )
    if playing:
        parts.append(
            ngettext(
                "%(n)d hand is being played: %(bid)s bid, %(taken)s taken so far.",
                "%(n)d hands are being played: %(bid)s bid, %(taken)s taken so far.",
                len(playing),
            )
            % _means(playing)
        )
    bias = _mean([hand.bid - hand.taken for hand in played]) if played else None
    interval = mean_interval(_misses(game))
    return Tile(
        key="bids",
        claim=_waits(game, _("No round is over yet"))
        if bias is None
        else page("bias").claim(claim_facts(bias, interval)),
        number="" if bias is None else signed(bias),
        figure=_bids_figure(played, playing) if played or playing else None,
        summary=sentences(*parts),
        stands_out=interval is not None and not interval[0] <= 0 <= interval[1],
        is_open=bias is None,
    )


def _means(hands: Sequence[HandPlayed]) -> dict[str, object]:
    return {
        "n": len(hands),
        "bid": number(_mean([hand.bid for hand in hands])),
        "taken": number(_mean([hand.taken for hand in hands])),
    }


def _misses(game: GameInPlay) -> Iterable[Miss]:
    for table in game.tables:
        for hand in table.played:
            board = hand.round if game.is_duplicate else (table.number, hand.round)
            yield Miss(table.number, board, hand.bid - hand.taken)


def _bids_figure(played: Sequence[HandPlayed], playing: Sequence[HandPlayed]) -> charts.Figure:
    """What hands took on average, by their bid: filled those that are over, hollow those being
    played, which rise to the line where both are equal, or past it."""
    return charts.small(
        [
            charts.line([0, HAND_SIZE], [0, HAND_SIZE], name=_("bid = taken")),
            _dots(played, name=_("over"), colour=charts.DATA),
            _dots(playing, name=_("being played"), colour=charts.CLEAR),
            charts.words([3], [6.2], [_("bid = taken")], [0]),
        ],
        x_ticks=(0, HAND_SIZE // 2, HAND_SIZE),
        y_ticks=(0, HAND_SIZE // 2, HAND_SIZE),
        x_range=(-0.5, HAND_SIZE + 0.5),
        y_range=(-0.5, HAND_SIZE + 0.5),
    )


def _dots(hands: Sequence[HandPlayed], *, name: str, colour: str) -> charts.Trace:
    groups = _by_bid(hands)
    return charts.points(
        list(groups),
        [float(_mean(taken)) for taken in groups.values()],
        name=name,
        colour=colour,
        sizes=[min(18, 7 + 2 * sqrt(len(taken))) for taken in groups.values()],
    )


def _by_bid(hands: Iterable[HandPlayed]) -> dict[int, list[int]]:
    """The tricks taken, by what was bid, the lowest first."""
    groups: dict[int, list[int]] = {}
    for hand in sorted(hands, key=lambda hand: hand.bid):
        groups.setdefault(hand.bid, []).append(hand.taken)
    return groups


def _mean(numbers: Sequence[int]) -> Fraction:
    return Fraction(sum(numbers), len(numbers))


# How far each table is


def _tables(game: GameInPlay) -> Tile:
    tables = game.tables
    done = [table.tricks for table in tables]
    far = HAND_SIZE // 2 if game.is_duplicate else HAND_SIZE
    middle = median(done)
    behind = [n for n, tricks in enumerate(done) if middle - tricks >= far]
    ahead = [n for n, tricks in enumerate(done) if tricks - middle >= far]
    rounds = max(table.rounds for table in tables)
    apart = max(done) - min(done)
    return Tile(
        key="tables",
        claim=_about_tables(
            [tables[n] for n in behind],
            _about_tables(
                [tables[n] for n in ahead],
                _("Tables keep together"),
                ngettext("Table %(n)d is ahead", "%(n)d tables are ahead", len(ahead)),
            ),
            ngettext("Table %(n)d is behind", "%(n)d tables are behind", len(behind)),
        ),
        number=ngettext("%(n)d trick", "%(n)d tricks", apart) % {"n": apart},
        figure=charts.small(
            [charts.bars(_names(tables), _rounds(done), name=_("Table"), marked=set(behind))],
            y_ticks=(0, rounds),
            y_range=(0, rounds),
        ),
        summary=_("The tables have played %(low)s to %(high)s of %(n)d rounds.")
        % {
            "low": number(min(_rounds(done))),
            "high": number(max(_rounds(done))),
            "n": rounds,
        },
        stands_out=bool(behind),
    )


def _names(tables: Sequence[TableInPlay]) -> list[str]:
    return [str(table.number) for table in tables]


def _rounds(tricks: Sequence[int]) -> list[float]:
    return [done / HAND_SIZE for done in tricks]


def _about_tables(chosen: Sequence[TableInPlay], none: str, some: str) -> str:
    """``none``, or ``some`` with the only table's number, or with how many there are."""
    if not chosen:
        return none
    return some % {"n": chosen[0].number if len(chosen) == 1 else len(chosen)}


# How long a trick takes


def _pace(game: GameInPlay) -> Tile:
    tables = [table for table in game.tables if table.seconds]
    if not tables:
        claim = _waits(game, _("No trick is over yet"))
        return Tile("pace", claim, "", None, "", is_open=True)
    middles = [median(table.seconds) for table in tables]
    low, middle, high = _quartiles([each for table in tables for each in table.seconds])
    slow = [
        n
        for n, table in enumerate(tables)
        if len(table.seconds) >= ENOUGH and middles[n] >= SLOW * middle
    ]
    spans = [_quartiles(table.seconds) for table in tables]
    top = max(10, 10 * -(-max(high for _low, _middle, high in spans) // 10))
    return Tile(
        key="pace",
        claim=_about_tables(
            [tables[n] for n in slow],
            _("No table is slow"),
            ngettext("Table %(n)d is slow", "%(n)d tables are slow", len(slow)),
        ),
        number=f"{number(middle, 0)}\N{NO-BREAK SPACE}s",
        figure=charts.small(
            [
                charts.spans(_names(tables), [(low, high) for low, _middle, high in spans]),
                charts.points(_names(tables), middles, name=_("Table"), marked=set(slow)),
            ],
            shapes=[charts.level(middle)],
            y_ticks=(0, top),
            y_range=(0, top),
        ),
        summary=_("The middle half of all tricks took %(low)s to %(high)s seconds.")
        % {"low": number(low, 0), "high": number(high, 0)},
        stands_out=bool(slow),
    )


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
    return (*((_bid_numbers(game),) if game.has_bids else ()), _table_numbers(game))


def _bid_numbers(game: GameInPlay) -> charts.Numbers:
    played = _by_bid(hand for table in game.tables for hand in table.played)
    playing = _by_bid(hand for table in game.tables for hand in table.playing)

    def cells(taken: Sequence[int]) -> tuple[str, str]:
        return str(len(taken)), number(_mean(taken)) if taken else "–"

    return charts.Numbers(
        caption=_("Bids and the tricks they took"),
        head=(
            _("Bid"),
            _("Hands played"),
            _("Tricks taken, mean"),
            _("Being played"),
            _("Taken so far, mean"),
        ),
        rows=tuple(
            (str(bid), *cells(played.get(bid, ())), *cells(playing.get(bid, ())))
            for bid in sorted({*played, *playing})
        ),
    )


def _table_numbers(game: GameInPlay) -> charts.Numbers:
    return charts.Numbers(
        caption=_("How far the tables are"),
        head=(_("Table"), _("Rounds"), _("Seconds a trick (middle half)")),
        rows=tuple(
            (str(table.number), number(Fraction(table.tricks, HAND_SIZE)), _pace_cell(table))
            for table in game.tables
        ),
    )


def _pace_cell(table: TableInPlay) -> str:
    if not table.seconds:
        return "–"
    low, middle, high = (number(seconds, 0) for seconds in _quartiles(table.seconds))
    return f"{middle} ({low}–{high})"
