"""A measure at a glance: a small chart whose title says what is seen in it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.words import sentences
from lessons import charts
from lessons.charts import Figure, Trace
from lessons.exercises.page_lines import Facts
from lessons.measures.page import page
from lessons.results.words import percent


class TileLink(NamedTuple):
    """Where a tile leads on by one press: called so, to this page."""

    words: str
    page: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A measure at a glance: what is seen (``claim``), the number, a small chart, and the chart
    in a sentence for the ear; shown where there is no chart. ``stands_out`` says that it is
    farther off than luck goes, or needs the teacher, unless it ``is_good``; ``ask`` is a
    question to the class.

    A press leads to the ``panel`` of this key, the whole figure, or else to a ``page``.
    ``is_open`` says that there is nothing yet, ``note`` is a line below the chart, ``leads``
    are links beside it."""

    key: str
    claim: str
    number: str
    figure: Figure | None
    summary: str
    panel: str = ""
    ask: str = ""
    stands_out: bool = False
    is_good: bool = False
    is_open: bool = False
    page: str = ""
    note: str = ""
    leads: Sequence[TileLink] = ()

    @property
    def figure_id(self) -> str:
        """The id of the element that holds the figure's JSON."""
        return f"tile-{self.key}-figure"

    @property
    def band(self) -> str:
        """What a grey band in the chart is, which the page explains; empty without one."""
        chart = self.figure or {"data": (), "layout": {}}
        marks = (*chart["data"], *chart["layout"].get("shapes", ()))
        return next((mark["legend"] for mark in marks if mark.get("legend") in BANDS), "")

    @property
    def look(self) -> str:
        """The tile's classes in the style sheet."""
        looks = {
            "stands-out": self.stands_out,
            "good": self.is_good,
            "waits": self.is_open,
            "leaves": self.page and not self.panel,
        }
        return " ".join(look for look, has in looks.items() if has)

    @property
    def address(self) -> str:
        """Where a press leads, if anywhere."""
        return f"#{self.panel}" if self.panel else self.page


def tile(
    key: str,
    name: str,
    facts: Facts,
    figure: Figure | None,
    *,
    panel: str | None = None,
    stands_out: bool = False,
    is_open: bool = False,
    note: str = "",
    leads: Sequence[TileLink] = (),
) -> Tile:
    """A measure at a glance in the words of its page, unless a ``note`` is given; a press leads
    to the ``panel`` of the page's name, unless another is given, or none."""
    wording = page(name)
    number, summary, ask, its_note = (
        sentences(*wording.texts(word, facts)) for word in ("number", "summary", "ask", "note")
    )
    return Tile(
        key,
        wording.claim(facts),
        number,
        figure,
        summary,
        name if panel is None else panel,
        ask,
        stands_out,
        is_open=is_open,
        note=note or its_note,
        leads=leads,
    )


BANDS = ("luck", "margin")
"""Grey bands, which the page explains for all its small charts at once: how far luck alone goes
around what is expected, and the margin of error around the class's figure."""


def luck_band() -> dict[str, Any]:
    """What a grey strip or band round what is expected is called."""
    return {"name": _("luck alone (95%)"), "legend": "luck"}


def margin_band() -> dict[str, Any]:
    """What the margin of error around a round's figure is called, a 95% interval."""
    return {"name": _("margin (95%)"), "legend": "margin"}


def weighed_dots(x: Sequence[int], y: Sequence[float], hands: Sequence[int]) -> Iterable[Trace]:
    """Dots that are larger the more ``hands`` they rest on; the largest, which comes first, is
    named by how many."""
    order = sorted(range(len(hands)), key=lambda n: -hands[n])
    sizes = [0.6 * size for size in charts.dot_sizes([hands[n] for n in order])]
    n = hands[order[0]]
    most = ngettext("this size: %d hand", "this size: %d hands", n) % n
    for name, these in ((most, slice(1)), ("", slice(1, None))):
        places = order[these]
        yield charts.points(
            [x[n] for n in places], [y[n] for n in places], name=name, sizes=sizes[these]
        )


BESIDE = 0.3
"""The part of a small chart's width that “our mean” takes up beside its dot."""


def mean_above(
    mean: float,
    row: float,
    *,
    theory: float,
    strip: tuple[float, float] | None,
    within: tuple[float, float],
    is_marked: bool,
) -> tuple[list[Trace], tuple[float, float]]:
    """The traces of the class's mean as a dot in a row above bars, its name beside it and
    beside the ``strip`` (of luck, or its own margin), away from ``theory``; and the ends of an
    axis on which this has room."""
    low, high = within
    near, far = strip or (mean, mean)
    is_left = mean < theory
    end = min(near, mean) if is_left else max(far, mean)
    if is_left:
        low = min(low, (end - BESIDE * high) / (1 - BESIDE))
    else:
        high = max(high, (end - BESIDE * low) / (1 - BESIDE))
    words = charts.words(
        [end], [row], [_("Our mean")], [10], f"middle {'left' if is_left else 'right'}"
    )
    return [words, charts.points([mean], [row], marked={0} if is_marked else ())], (low, high)


NAMED = 4
"""Bars with names for which a tile has room."""


def named_bars(
    names: Sequence[str],
    lengths: Sequence[Fraction | float],
    text: Sequence[str],
    *,
    marked: Container[int] = (),
    **options: Any,
) -> Trace:
    """Bars that lie, the first on top, each with its name and ``text``; of many the first."""
    order = range(min(NAMED, len(names)))[::-1]
    return charts.lying(
        [names[n] for n in order],
        [float(lengths[n]) for n in order],
        text=[text[n] for n in order] if text else (),
        marked={place for place, n in enumerate(order) if n in marked},
        **options,
    )


def named_shares(
    names: Sequence[str], shares: Sequence[Fraction | float], *, marked: Container[int] = ()
) -> Figure:
    """A small figure of such bars of shares from 0 to 1."""
    bars = named_bars(names, shares, list(map(percent, shares)), marked=marked)
    chart = charts.small([bars])
    chart["layout"]["xaxis"]["range"] = [0, 1]
    return chart


MANY = 10
"""More bars than these have no room for a number each."""


def share_bars(
    names: Sequence[str],
    shares: Sequence[Fraction | float],
    *,
    marked: Container[int] = (),
    **layout: Any,
) -> Figure:
    """A small figure of shares from 0 to 1, a bar a name, each with its number unless there are
    many; those ``marked`` stand out."""
    text = list(map(percent, shares)) if len(names) <= MANY else []
    bars = charts.bars(names, list(map(float, shares)), marked=marked, text=text)
    ticks = [] if text else [0, 0.5, 1]
    top = 1.15 if text else 1
    return charts.small([bars], percent=True, y_range=(0, top), y_ticks=ticks, **layout)
