"""A tally as a chart: figure, sentence, table of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import exp, pi, sqrt

from django.utils.translation import gettext as _

from games.rules import HAND_SIZE, Call
from games.words import call_words, half_up
from lessons import charts
from lessons.charts import Chart, Figure, Numbers, Trace
from lessons.exercises.texts import decimal, exact_percent
from lessons.probability import COUNTS, Exact, mean, root, share_within, variance
from lessons.studio.counting import Tally
from lessons.studio.settings import SHAPE_NAMES, Look, Of, Settings, Show, whole
from lessons.studio.words import Words, nothing_yet, population, words

FEW = 30
"""Cards, hands or rounds under which a graph is mostly chance."""

Weights = Mapping[int, int] | Mapping[int, Fraction]


# The chart


@dataclass(frozen=True, slots=True)
class Plot:
    """All that a graph is drawn from: ``weights`` are the counts by number with zeros in
    between, or the chances of all possible hands."""

    settings: Settings
    tally: Tally
    weights: Weights
    said: Words
    colour: str

    @property
    def x(self) -> list[float]:
        """The numbers as they stand on the axis."""
        return [number / scale(self.settings) for number in self.weights]

    @property
    def heights(self) -> list[float]:
        return heights(self.settings, self.weights)

    @property
    def name(self) -> str:
        return _first_big(population(self.settings))

    @property
    def has_theory(self) -> bool:
        """Whether theory is laid over: the deck is its own."""
        return self.settings.of is not Of.DECK and self.tally.theory is not None

    @property
    def expected(self) -> list[float]:
        """Theory's heights at these numbers."""
        assert self.tally.theory is not None
        times = 1 if self.settings.by_share else (self.tally.goal or self.tally.total)
        theory = self.tally.theory
        return [float(theory.get(number, Fraction()) * times) for number in self.weights]

    @property
    def mean(self) -> Fraction:
        return mean(self.weights) / scale(self.settings)

    @property
    def sd(self) -> Exact:
        return root(variance(self.weights) / scale(self.settings) ** 2)

    @property
    def commonest(self) -> int:
        return max(self.weights, key=lambda number: self.weights[number])

    def share(self, number: int) -> Fraction:
        return Fraction(self.weights[number]) / Fraction(sum(self.weights.values()))


def draw(settings: Settings, tally: Tally, *, key: str) -> Chart:
    """The chart of a tally; without a figure while there is nothing to count."""
    said = words(settings)
    title = said.titles[settings.title]
    if not tally.total and not settings.is_theory:
        return Chart(key, title, nothing_yet(settings), None)
    is_of_shape = settings.show in (Show.COUNT, Show.CALL, Show.CURVES)
    is_ours = settings.of in (Of.MINE, Of.CLASS)
    of_all = charts.DATA if is_ours else charts.OTHER
    hue = charts.SHAPES[settings.shape] if is_of_shape else of_all
    graph = Plot(settings, tally, _weights(settings, tally), said, hue)
    return Chart(
        key=key,
        title=title,
        summary=summary(graph),
        figure=_figure(graph),
        numbers=_of_curves_numbers(graph) if tally.by_count else _numbers(graph),
        basis=_basis(graph),
        caveat=_caveat(graph),
        size="tall",
    )


def _weights(settings: Settings, tally: Tally) -> Weights:
    theory = tally.theory or {}
    if settings.is_theory:
        return theory
    span = [*tally.counts, *(usual(theory) if len(theory) <= 13 or tally.goal else ())]
    return {number: tally.counts.get(number, 0) for number in range(min(span), max(span) + 1)}


def usual(theory: Mapping[int, Fraction]) -> list[int]:
    """The numbers that an axis shows: means are many, and most of them so rare that an axis for
    all would show a needle."""
    return [number for number, p in theory.items() if len(theory) <= 13 or p * 20_000 > 1]


def scale(settings: Settings) -> int:
    """How many steps of the numbers are one on the axis: means come in eighths."""
    return HAND_SIZE if settings.show is Show.MEAN else 1


def heights(settings: Settings, weights: Weights) -> list[float]:
    """Numbers, or shares of them all."""
    if not settings.by_share:
        return [float(n) for n in weights.values()]
    total = Fraction(sum(weights.values()))
    return [float(n / total) for n in weights.values()]


def _figure(graph: Plot) -> Figure:
    settings, said = graph.settings, graph.said
    if settings.graph is Look.PIE:
        kept = [(n, h) for n, h in zip(graph.weights, graph.heights, strict=True) if h]
        return charts.figure([charts.slices([str(n) for n, _h in kept], [h for _n, h in kept])])
    notes: list[dict[str, object]] = []
    if graph.tally.by_count:
        traces, notes = _three_curves(graph)
    else:
        traces = _TRACES[settings.graph](graph)
    y_name = said.share if settings.by_share else said.number
    if settings.graph is Look.CUMULATIVE:
        y_name = _("%(what)s up to here") % {"what": y_name}
    return charts.figure(
        traces,
        x=said.x_names[settings.x],
        y=y_name,
        legend=len(traces) > 1 and not notes,
        percent=settings.by_share,
        every=1 if settings.show is not Show.MEAN or len(graph.weights) > 16 else None,
        overlay=True,
        bargap=0.02 if settings.graph is Look.HISTOGRAM else 0.12,
        annotations=notes,
        x_range=_reach(graph),
        y_range=_room(graph),
    )


def _reach(graph: Plot) -> tuple[float, float] | None:
    """Of all hands that there can be, those that one might see."""
    if not graph.settings.is_theory or graph.tally.theory is None:
        return None
    shown, step = usual(graph.tally.theory), scale(graph.settings)
    return (min(shown) - 0.6) / step, (max(shown) + 0.6) / step


def _room(graph: Plot) -> tuple[float, float] | None:
    """While hands are dealt the axis waits for all of them, and the bars rise to theory's."""
    tally = graph.tally
    if not tally.goal or tally.theory is None or tally.by_count:
        return None
    if graph.settings.graph is Look.CUMULATIVE or graph.settings.by_share:
        return None
    return 0, 1.15 * float(max(tally.theory.values()) * tally.goal)


def _bars(graph: Plot) -> list[Trace]:
    text = _above(graph) if len(graph.weights) <= 13 else []
    if graph.settings.is_theory:
        return [charts.hollow_bars(graph.x, graph.heights, text=text)]
    if not graph.has_theory:
        return [charts.bars(graph.x, graph.heights, colour=graph.colour, text=text)]
    return [
        charts.bars(graph.x, graph.heights, name=graph.name, colour=graph.colour),
        charts.hollow_bars(graph.x, graph.expected, name=_("Theory")),
    ]


def _above(graph: Plot) -> list[str]:
    """What stands above each bar."""
    if graph.settings.by_share:
        return [exact_percent(graph.share(number), 2) for number in graph.weights]
    return [whole(int(n)) for n in graph.weights.values()]


def _curve(graph: Plot) -> list[Trace]:
    if graph.settings.is_theory:
        return [charts.line(graph.x, graph.heights, marks="circle-open")]
    line = charts.line(
        graph.x, graph.heights, name=graph.name, colour=graph.colour, marks="circle"
    )
    if not graph.has_theory:
        return [line]
    return [charts.line(graph.x, graph.expected, name=_("Theory"), dash="dash"), line]


def _histogram(graph: Plot) -> list[Trace]:
    step = 1 / scale(graph.settings)
    if graph.settings.is_theory:
        bars = charts.hollow_bars(graph.x, graph.heights, name=graph.name)
    else:
        bars = charts.bars(
            graph.x, graph.heights, name=graph.name, colour=graph.colour, width=step * 0.98
        )
    centre, spread = float(graph.mean), float(graph.sd)
    if spread == 0:
        return [bars]
    total = graph.tally.goal or sum(graph.weights.values())
    times = step * (1 if graph.settings.by_share else float(total))
    places = [centre + spread * k / 20 for k in range(-80, 81)]
    normal = [
        times * exp(-(((place - centre) / spread) ** 2) / 2) / (spread * sqrt(2 * pi))
        for place in places
    ]
    return [bars, charts.line(places, normal, name=_("Normal curve"))]


def _cumulative(graph: Plot) -> list[Trace]:
    ink = charts.INK if graph.settings.is_theory else graph.colour
    y = list(accumulate(graph.heights))
    traces = [charts.line(graph.x, y, name=graph.name, colour=ink, step=True)]
    if graph.has_theory:
        expected = list(accumulate(graph.expected))
        theory = charts.line(graph.x, expected, name=_("Theory"), dash="dot", step=True)
        traces.append(theory)
    return traces


_TRACES = {
    Look.BAR: _bars,
    Look.CURVE: _curve,
    Look.HISTOGRAM: _histogram,
    Look.CUMULATIVE: _cumulative,
}


def _three_curves(graph: Plot) -> tuple[list[Trace], list[dict[str, object]]]:
    """The three curves of a shape, named at their peaks."""
    traces: list[Trace] = []
    notes: list[dict[str, object]] = []
    shape = graph.settings.shape
    marks = ("circle", "square", "diamond")
    for count, curve, mark in zip(COUNTS, graph.tally.by_count, marks, strict=True):
        if not curve:
            continue
        span = {value: curve.get(value, 0) for value in range(min(curve), max(curve) + 1)}
        y, name = heights(graph.settings, span), call_words(Call(shape, count))
        line = charts.line(list(span), y, name=name, marks=mark)
        line["marker"] |= {"color": charts.SHAPES[shape], "size": 12}
        traces.append(line)
        top = max(range(len(y)), key=y.__getitem__)
        place = {"x": list(span)[top], "y": y[top], "yshift": 20, "showarrow": False}
        font = {"weight": 650, "size": 16, "color": charts.INK}
        notes.append({**place, "text": str(count), "font": font})
    return traces, notes


# In a sentence


def summary(graph: Plot) -> str:
    """The graph in a sentence or two."""
    if graph.tally.by_count:
        return _of_curves(graph)
    special = {
        Look.PIE: _of_pie,
        Look.HISTOGRAM: _of_histogram,
        Look.CUMULATIVE: _of_cumulative,
    }
    said = special.get(graph.settings.graph, _of_bars)(graph)
    if not graph.has_theory or graph.tally.theory is None:
        return said
    expected = mean(graph.tally.theory) / scale(graph.settings)
    return said + " " + _("In theory the mean is %(mean)s.") % {"mean": decimal(expected)}


def _number(graph: Plot, number: int) -> str:
    return decimal(Fraction(number, scale(graph.settings)), 4)


def _of_bars(graph: Plot) -> str:
    top = graph.commonest
    return _("%(top)s comes most often, in %(share)s. The mean is %(mean)s.") % {
        "top": _number(graph, top),
        "share": exact_percent(graph.share(top)),
        "mean": decimal(graph.mean),
    }


def _of_pie(graph: Plot) -> str:
    top = graph.commonest
    return _("The largest slice is %(top)s: %(share)s, or %(degrees)d° of the circle.") % {
        "top": _number(graph, top),
        "share": exact_percent(graph.share(top)),
        "degrees": int(half_up(360 * graph.share(top))),
    }


def _of_histogram(graph: Plot) -> str:
    facts = {
        "mean": decimal(graph.mean),
        "sd": decimal(graph.sd),
        "one": exact_percent(share_within(graph.weights, 1), 2),
        "two": exact_percent(share_within(graph.weights, 2), 2),
        "normal": exact_percent(Fraction(68, 100), 2),
        "normal2": exact_percent(Fraction(95, 100), 2),
    }
    return (
        _(
            "The mean is %(mean)s, the standard deviation %(sd)s. Within one of it lie "
            "%(one)s, within two %(two)s; under the normal curve it is %(normal)s and "
            "%(normal2)s."
        )
        % facts
    )


def _of_cumulative(graph: Plot) -> str:
    found = []
    for part in (Fraction(1, 2), Fraction(9, 10)):
        so_far = Fraction()
        for number in graph.weights:
            so_far += graph.share(number)
            if so_far >= part:
                found.append(_number(graph, number))
                break
    return _("Half of it is %(half)s or less, nine tenths are %(most)s or less.") % {
        "half": found[0],
        "most": found[1],
    }


def _of_curves(graph: Plot) -> str:
    means = [decimal(mean(curve)) if curve else "–" for curve in graph.tally.by_count]
    return _(
        "With 1, 2 and 3 %(shapes)s the mean value is %(one)s, %(two)s and %(three)s: the form "
        "stays, the middle moves."
    ) % {
        "shapes": SHAPE_NAMES[graph.settings.shape],
        **dict(zip(("one", "two", "three"), means, strict=True)),
    }


# In numbers


def _of_curves_numbers(graph: Plot) -> Numbers:
    names = [call_words(Call(graph.settings.shape, count)) for count in COUNTS]
    rows = tuple(
        (str(value), *(whole(curve.get(value, 0)) for curve in graph.tally.by_count))
        for value in graph.weights
    )
    return Numbers(graph.said.titles[0], (graph.said.x_names[graph.settings.x], *names), rows)


def _numbers(graph: Plot) -> Numbers:
    counted = not graph.settings.is_theory
    theory = graph.tally.theory if graph.has_theory else None
    head = [graph.said.x_names[graph.settings.x]]
    head += [graph.said.number] * counted + [graph.said.share] + [_("Theory")] * bool(theory)
    rows = []
    for number, n in graph.weights.items():
        row = [_number(graph, number)]
        row += [whole(int(n))] * counted + [exact_percent(graph.share(number))]
        if theory:
            row.append(exact_percent(theory.get(number, Fraction())))
        rows.append(tuple(row))
    return Numbers(graph.said.titles[0], tuple(head), tuple(rows))


def _basis(graph: Plot) -> str:
    settings, tally = graph.settings, graph.tally
    facts = {
        "n": whole(tally.total),
        "number": graph.said.number,
        "rounds": whole(tally.rounds),
        "hands": whole(settings.hands),
        "seed": settings.seed,
    }
    if settings.is_theory:
        return _("Exact: every hand of eight that the deck can deal counts once.")
    if settings.of is Of.DECK:
        return _("Exact: the %(n)s cards of the deck, each once.") % facts
    if settings.of is Of.DEALT:
        said = _("%(hands)s hands of eight, dealt by the computer; all deals equally likely.")
        return said % facts
    if settings.show.is_of_round:
        return _("Rounds in which one student made every move: %(n)s.") % facts
    return _("%(number)s: %(n)s. Finished rounds: %(rounds)s.") % facts


def _caveat(graph: Plot) -> str:
    settings = graph.settings
    if settings.of in (Of.DECK, Of.DEALT):
        return ""
    if settings.show is Show.TAKEN and settings.of is Of.CLASS:
        return _("The mean is fixed: eight tricks, shared among the seats of a table.")
    if graph.tally.total < FEW:
        return _("These are few: another day the graph may look quite different.")
    if settings.of is Of.CLASS and not settings.show.is_of_round:
        return _("Hands of one table come from one deck, so they are not independent.")
    return ""


def _first_big(text: str) -> str:
    return text[:1].upper() + text[1:]
