"""The panel of points: what each round brought, by the bid or by the tricks."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _

from lessons import charts
from lessons.measures.grid import Column, Grid
from lessons.measures.panels import Panel, hidden_notice
from lessons.results.bids import bidding
from lessons.results.facts import Facts
from lessons.results.words import (
    basis,
    hit_rates_words,
    number,
    sentences,
    signed,
)
from xactika_site.classrooms.privacy import FEWEST


def points(facts: Facts, *, is_shared: bool = False) -> Panel:
    """Mean points, round by round; on a screen that others see not of rounds that fewer than
    five students have finished."""
    key, title = "points", _("Do we get better from round to round?")
    rows = bidding.points_by_round(facts)
    if is_shared and rows:
        rows = tuple(row for row in rows if row.students >= FEWEST)
        if not rows:
            return Panel(key, title, hidden_notice())
    if not rows:
        return Panel(key, title, _("Finished rounds will fill this."))
    several = len({row.game for row in rows}) > 1
    labels = [f"{row.game}·{row.round}" if several else str(row.round) for row in rows]
    is_bid = any(row.hit_rate is not None for row in rows)
    theory = _("the most a table can average") if is_bid else _("8 tricks by the seats")
    figure = charts.figure(
        [
            charts.bars(
                labels,
                [float(row.points) for row in rows],
                name=_("our points"),
                text=[signed(row.points) if is_bid else number(row.points) for row in rows],
            ),
            charts.line(labels, [float(row.structural) for row in rows], name=theory),
        ],
        x=_("game · round") if several else _("round"),
        y=_("points, mean"),
        legend=True,
        y_range=_with_room([*(row.points for row in rows), *(row.structural for row in rows)]),
    )
    figure["layout"]["xaxis"]["type"] = "category"
    figure["data"][0]["textposition"] = charts.beside_line(
        [float(row.points) for row in rows], [float(row.structural) for row in rows]
    )
    if len(rows) == 1:  # a line needs two rounds
        figure["layout"]["shapes"] = [charts.level(float(rows[0].structural))]
    return Panel(
        key,
        title,
        _points_sentence(rows),
        figure,
        Grid(
            _("Mean points by round"),
            (
                Column(_("Round"), "text"),
                Column(_("Hands counted")),
                Column(_("Points, mean"), "2"),
                Column(_("Most possible") if is_bid else _("Tricks by construction"), "2"),
                Column(_("Bids that came true"), "%"),
            ),
            tuple(
                (label, row.rounds, row.points, row.structural, row.hit_rate)
                for label, row in zip(labels, rows, strict=True)
            ),
        ),
        basis(
            rounds=sum(row.rounds for row in rows),
            students=len(facts.students),
            of=len(facts.came),
        ),
        _points_caveat(facts, is_bid=is_bid),
    )


def _with_room(heights: Sequence[Fraction]) -> tuple[float, float]:
    """A range of heights with room for labels above bars, and below those that hang."""
    low, high = float(min([Fraction(), *heights])), float(max([Fraction(), *heights]))
    room = charts.LABEL * ((high - low) or 1)
    return (low - room if low else 0, high + room)


def _points_sentence(rows: Sequence[bidding.RoundPoints]) -> str:
    first, last = rows[0], rows[-1]
    if len(rows) == 1 or first.variant != last.variant:
        return _("In the last round we made %s points a seat.") % signed(last.points)
    points = _("From %(first)s points in the first round to %(last)s in the last.") % {
        "first": signed(first.points),
        "last": signed(last.points),
    }
    if first.hit_rate is None or last.hit_rate is None:
        return points
    return sentences(points, hit_rates_words(first.hit_rate, last.hit_rate))


def _points_caveat(facts: Facts, *, is_bid: bool) -> str:
    if len(facts.sizes) > 1:
        return _several_sizes(is_bid=is_bid)
    sizes = facts.sizes[0]
    if is_bid:
        return _(
            "A table of %(seats)d shares 8 tricks, and its bids never add up to 8 (the hook): "
            "all seats together make at most 7 points, 7 ÷ %(seats)d each."
        ) % {"seats": sizes}
    return _(
        "Structural: a table of %(seats)d shares 8 tricks, so all seats together average "
        "8 ÷ %(seats)d, whatever they do. More data would not change it."
    ) % {"seats": sizes}


def _several_sizes(*, is_bid: bool) -> str:
    if is_bid:
        return _(
            "Every table shares 8 tricks, and its bids never add up to 8 (the hook): all seats "
            "together make at most 7 points, 7 divided by the number of seats each."
        )
    return _(
        "Structural: every table shares 8 tricks, so its seats average 8 divided by their "
        "number, whatever they do. More data would not change it."
    )
