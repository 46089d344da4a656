"""What one and the same hand came to at all tables of a duplicate session: as a dot plot,
and in a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.classes.game import BoardLine
from games.rules import HAND_SIZE
from games.words import number, sentences, signed, tricks_words

COLUMN, ROW = 28, 16
"""The chart's grid, in units of its drawing."""

COLUMNS = tuple((taken, COLUMN * taken + COLUMN // 2) for taken in range(HAND_SIZE + 1))
"""The numbers under the chart and where they stand."""

WIDTH = COLUMN * (HAND_SIZE + 1)


@dataclass(frozen=True, slots=True)
class TableDot:
    """One table in the chart, stacked over the number of tricks it took."""

    x: int
    y: int
    is_mine: bool


@dataclass(frozen=True, slots=True)
class DotPlot:
    """What one seat's hand took at all tables, for a dot plot and its sentence. ``lines`` come
    with their fair scores as texts."""

    lines: tuple[tuple[BoardLine, str], ...]
    dots: tuple[TableDot, ...]
    height: int
    mine: BoardLine | None
    summary: str


def board_dot_plot(lines: Sequence[BoardLine], table_id: str, *, is_own: bool) -> DotPlot:
    """A dot plot of the tricks taken at one seat of a board: ``lines`` are that seat's,
    ``table_id`` is the table that looks, whose own seat it is if ``is_own``."""
    stacked: Counter[int] = Counter()
    highest = max(Counter(line.taken for line in lines).values(), default=1)
    dots = []
    for line in sorted(lines, key=lambda line: line.table_id != table_id):
        below = highest - 1 - stacked[line.taken]
        x, y = COLUMN * line.taken + COLUMN // 2, ROW * below + ROW // 2
        dots.append(TableDot(x, y, line.table_id == table_id))
        stacked[line.taken] += 1
    mine = next((line for line in lines if line.table_id == table_id), None)
    return DotPlot(
        lines=tuple((line, signed_mean(line.fair_score)) for line in lines),
        dots=tuple(dots),
        height=highest * ROW,
        mine=mine,
        summary=dot_plot_words(lines, mine if is_own else None),
    )


def dot_plot_words(lines: Sequence[BoardLine], mine: BoardLine | None) -> str:
    """The dot plot in a sentence or two."""
    if not lines:
        return ""
    mean = Fraction(sum(line.taken for line in lines), len(lines))
    exact = sum(line.bid == line.taken for line in lines)
    taken = [line.taken for line in lines]
    low, high = min(taken), max(taken)
    facts = {
        "n": len(lines),
        "low": low,
        "tricks": tricks_words(low, 0),
        "high": high,
        "mean": number(mean),
        "made": exact,
    }
    parts = [
        _("%(n)d tables with this hand took %(tricks)s each.")
        if low == high and len(lines) > 1
        else ngettext(
            "%(n)d table with this hand: %(mean)s tricks.",
            "%(n)d tables with this hand: %(low)d to %(high)d tricks, %(mean)s on average.",
            len(lines),
        )
    ]
    if lines[0].bid is not None:
        parts.append(_("Tables where it made its bid: %(made)d."))
    if mine is not None and mine.fair_score is not None:
        facts["score"] = signed_mean(mine.fair_score)
        parts.append(_("Your fair score: %(score)s."))
    return sentences(*parts) % facts


def signed_mean(score: Fraction | None) -> str:
    """A fair score with its sign, to one decimal; a dash where there is none."""
    if score is None:
        return "–"
    return signed(score)
