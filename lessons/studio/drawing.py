"""A tally as a chart: figure, sentence, table of numbers.

It has more than 450 lines: for each look of a graph some of figure, of sentence, of numbers,
which have to say the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise

from django.utils.translation import gettext as _

from games.rules import Call
from games.words import call_words, first_names, half_up, sentences, whole
from lessons import charts
from lessons.charts import Chart, Figure, Numbers, Trace
from lessons.exercises.texts import decimal, exact_percent
from lessons.probability import COUNTS, mean, share_within
from lessons.studio import facets
from lessons.studio.counting import Tally
from lessons.studio.plots import FULL, Plot, Weights, heights
from lessons.studio.settings import (
    BY_NAMES,
    SHADED,
    SHAPE_NAMES,
    Look,
    Of,
    Settings,
    Show,
)
from lessons.studio.words import nothing_yet, words

LOW = 4
"""Dots that a stack has room for at least."""

HIGHEST = 40
"""Dots in the highest stack."""

FEW = 30
"""Cards, hands or rounds under which a graph is mostly chance."""


# The chart


def draw(settings: Settings, tally: Tally, *, key: str) -> Chart:
    """The chart of a tally; without a figure while there is nothing to count, and where the
    numbers themselves are the picture."""
    names = words(settings)
    title = names.titles[settings.title]
    if settings.by is not None:
        title = _("%(title)s, by %(what)s") % {"title": title, "what": BY_NAMES[settings.by]}
    if not tally.total and not settings.is_theory:
        return Chart(key, title, nothing_yet(settings), None)
    graph = plot(settings, tally)
    figure: Figure | None
    if settings.graph is Look.TABLE:
        figure = None
        numbers, sentence = facets.table(graph)
    elif settings.graph in _APART:
        figure, numbers, sentence = _APART[settings.graph](graph)
    else:
        figure, sentence = _figure(graph), summary(graph)
        numbers = _of_curves_numbers(graph) if tally.by_count else _numbers(graph)
    return Chart(
        key=key,
        title=title,
        summary=sentence,
        figure=figure,
        numbers=numbers,
        basis=_basis(graph),
        caveat=tally.left_out or _caveat(graph),
        size="tall",
    )


_APART = {Look.BOX: facets.boxes, Look.SCATTER: facets.scatter}


def plot(settings: Settings, tally: Tally) -> Plot:
    """What a graph of this is drawn from."""
    is_of_shape = settings.show in (Show.COUNT, Show.CALL, Show.CURVES)
    is_ours = settings.of.is_played or settings.of is Of.OWN
    of_all = charts.DATA if is_ours else charts.OTHER
    hue = charts.SHAPES[settings.shape] if is_of_shape else of_all
    return Plot(settings, tally, _weights(settings, tally), words(settings), hue)


@dataclass(frozen=True, slots=True)
class Slider:
    """What moves the edge of a shaded tail: from ``low`` to ``high`` in steps of ``step``, of
    which ``scale`` are one on the axis; the colour in the tail."""

    low: int
    high: int
    step: int
    cut: int
    scale: int
    colour: str


def slider(settings: Settings, tally: Tally) -> Slider | None:
    """What moves the edge, where a tail can be shaded."""
    if settings.graph not in (*SHADED, Look.TABLE) or settings.show is Show.CURVES:
        return None
    if not tally.total and not settings.is_theory:
        return None
    graph = plot(settings, tally)
    numbers = list(graph.bins)
    if tally.theory:
        usual_ones = set(usual(tally.theory))
        usual_ones |= {n for n in numbers if graph.bins[n] and not settings.is_theory}
        numbers = [n for n in numbers if n in usual_ones]
    cut = _edge(graph, numbers)
    return Slider(
        numbers[0], numbers[-1], graph.width, cut, graph.scale, _in_tail(graph.colour, settings)
    )


def _edge(graph: Plot, numbers: list[int]) -> int:
    """Where the tail begins or ends, on the least of the numbers that stand together."""
    cut = graph.settings.cut
    number = facets.usual_cut(graph) if cut is None else cut
    return min(max(number // graph.width * graph.width, numbers[0]), numbers[-1])


def _in_tail(colour: str, settings: Settings) -> str:
    return charts.OTHER if settings.is_theory else colour


def _weights(settings: Settings, tally: Tally) -> Weights:
    theory = tally.theory or {}
    if settings.is_theory:
        return theory
    counts = tally.counts
    if settings.of is Of.SAMPLES or max(counts) - min(counts) > FULL:
        return counts
    span = [*counts, *(usual(theory) if len(theory) <= 13 or tally.goal else ())]
    return {number: counts.get(number, 0) for number in range(min(span), max(span) + 1)}


def usual(theory: Mapping[int, Fraction]) -> list[int]:
    """The numbers that an axis shows: means are many, and most of them so rare that an axis for
    all would show a needle."""
    return [number for number, p in theory.items() if len(theory) <= 13 or p * 20_000 > 1]


def _figure(graph: Plot) -> Figure:
    settings, names = graph.settings, graph.words
    if settings.graph is Look.PIE:
        parts = {str(n): h for n, h in zip(graph.bins, graph.heights, strict=True) if h}
        return charts.figure([charts.slices(list(parts), list(parts.values()))])
    notes: list[dict[str, object]] = []
    if graph.tally.by_count:
        traces, notes = _three_curves(graph)
    else:
        traces = _TRACES[settings.graph](graph)
        _shade(graph, traces[0])
    y_name = names.share if settings.by_share else names.number
    if settings.graph is Look.CUMULATIVE:
        y_name = _("%(what)s up to here") % {"what": y_name}
    figure = charts.figure(
        traces,
        x=names.x_names[settings.x],
        y=y_name,
        legend=len(traces) > 1 and not notes,
        percent=settings.by_share,
        every=1 if _is_of_whole(graph) else None,
        overlay=True,
        bargap=0.02 if settings.graph is Look.HISTOGRAM else 0.12,
        annotations=notes,
        x_range=_reach(graph),
        y_range=_room(graph),
    )
    if not settings.by_share and max(graph.heights) < 10:
        figure["layout"]["yaxis"]["dtick"] = 1  # nothing is counted in halves
    return figure


def _is_of_whole(graph: Plot) -> bool:
    if graph.settings.of in (Of.SAMPLES, Of.OWN):
        return False
    return graph.settings.show is not Show.MEAN or len(graph.weights) > 16


def _shade(graph: Plot, trace: Trace) -> None:
    """What is in the tail is filled, the rest an outline."""
    if not graph.settings.tail or graph.settings.graph not in SHADED:
        return
    full = _in_tail(graph.colour, graph.settings)
    low = _edge(graph, list(graph.bins))
    is_in = {
        place: n >= low if graph.settings.tail == "up" else n <= low
        for place, n in zip(graph.x, graph.bins, strict=True)
    }
    trace["marker"]["color"] = [full if is_in[place] else charts.CLEAR for place in trace["x"]]


def _reach(graph: Plot) -> tuple[float, float] | None:
    """The range of the axis below, of all hands that there can be: those that one might see."""
    if not graph.settings.is_theory or graph.tally.theory is None:
        return None
    numbers, step = usual(graph.tally.theory), graph.scale
    return (min(numbers) - 0.6) / step, (max(numbers) + 0.6) / step


def _room(graph: Plot) -> tuple[float, float] | None:
    """The range of heights: a few dots lie low. While hands are dealt the axis waits for all of
    them, and the bars rise to theory's."""
    tally = graph.tally
    if graph.settings.graph is Look.DOTS and max(map(int, graph.bins.values())) < LOW:
        return None if graph.settings.by_share else (0, LOW)
    if graph.settings.of is Of.SAMPLES and tally.goal and not graph.settings.by_share:
        return 0, 1.2 * graph.normal([float(graph.centre)])[0]
    if not tally.goal or tally.theory is None or tally.by_count:
        return None
    if graph.settings.graph is Look.CUMULATIVE or graph.settings.by_share:
        return None
    return 0, 1.15 * float(max(tally.theory.values()) * tally.goal)


def _bars(graph: Plot) -> list[Trace]:
    text = _above(graph) if len(graph.bins) <= 13 else []
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
        return [exact_percent(graph.share(number), 2) for number in graph.bins]
    return [whole(int(n)) for n in graph.bins.values()]


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
    if graph.settings.is_theory:
        bars = charts.hollow_bars(graph.x, graph.heights, name=graph.name)
    else:
        bars = charts.bars(
            graph.x, graph.heights, name=graph.name, colour=graph.colour,
            width=graph.step * 0.98,
        )  # fmt: skip
    is_of_samples = graph.settings.of is Of.SAMPLES
    centre = float(graph.centre if is_of_samples else graph.mean)
    spread = float(graph.spread if is_of_samples else graph.sd)
    if spread == 0:
        return [bars]
    places = [centre + spread * k / 20 for k in range(-80, 81)]
    return [bars, charts.line(places, graph.normal(places), name=_("Normal curve"))]


def dots_each(graph: Plot) -> int:
    """For how many a dot stands: no stack is higher than ``HIGHEST``."""
    top = max(map(int, graph.bins.values()))
    if graph.tally.goal and graph.tally.theory:
        top = max(top, int(max(graph.tally.theory.values()) * graph.tally.goal))
    each = -(-top // HIGHEST)
    return each if each < 10 else whole_step(each)


def whole_step(number: int) -> int:
    """The next of 10, 20, 50, 100, …"""
    steps: list[int] = [n * 10**power for power in range(1, 9) for n in (1, 2, 5)]
    return next(step for step in steps if step >= number)


def _dots(graph: Plot) -> list[Trace]:
    """A stack of dots above each number; where they are many a dot stands for several."""
    each = dots_each(graph)
    times = 1 / float(sum(graph.bins.values())) if graph.settings.by_share else 1
    stacks = [
        (place, -(-n // each))
        for place, n in zip(graph.x, map(int, graph.bins.values()), strict=True)
    ]
    x = [place for place, dots in stacks for _dot in range(dots)]
    y = [(dot + 0.5) * each * times for _place, dots in stacks for dot in range(dots)]
    rows = max(LOW, *(dots for _place, dots in stacks))
    # As large as a phone's stacks are apart, and as its highest has room for.
    places = sorted({place for place, dots in stacks if dots})
    apart = min((b - a for a, b in pairwise(places)), default=1.0)
    size = min(14, 230 / rows, max(6, 300 * apart / (places[-1] - places[0] or apart)))
    trace = charts.points(x, y, name=graph.name, colour=graph.colour)
    trace["marker"]["size"] = round(max(3.0, size), 1)
    return [trace]


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
    Look.DOTS: _dots,
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
    text = special.get(graph.settings.graph, _of_bars)(graph)
    if graph.settings.of is Of.SAMPLES:
        text = _of_samples(graph)
    if graph.settings.tail and graph.settings.graph in SHADED:
        text = sentences(_of_tail(graph), text)
    if not graph.has_theory or graph.tally.theory is None:
        return text
    expected = mean(graph.tally.theory) / graph.scale
    theory = _("In theory the mean is %(mean)s.") % {"mean": decimal(expected)}
    return sentences(text, theory)


def _of_samples(graph: Plot) -> str:
    facts = {
        "mean": decimal(graph.mean),
        "sd": decimal(graph.sd),
        "n": graph.settings.size,
        "centre": decimal(graph.centre),
        "spread": decimal(graph.spread),
        "one": decimal(graph.spread_of_one),
    }
    return (
        _(
            "The samples' means have the mean %(mean)s and the standard deviation %(sd)s. In "
            "theory it is %(centre)s and %(spread)s: that of one hand, %(one)s, divided by "
            "√%(n)s."
        )
        % facts
    )


def _of_tail(graph: Plot) -> str:
    """How much of it is in the tail, and in theory."""
    low = _edge(graph, list(graph.bins))
    edge = low if graph.settings.tail == "up" else low + graph.width - 1
    is_up = graph.settings.tail == "up"
    tail = (_("%s or more") if is_up else _("%s or less")) % graph.number(edge)

    def part(weights: Weights) -> Fraction:
        inside = (
            n for number, n in weights.items() if (number >= edge if is_up else number <= edge)
        )
        return sum((Fraction(n) for n in inside), Fraction())

    in_tail, total = part(graph.weights), Fraction(sum(graph.weights.values()))
    share = exact_percent(in_tail / total)
    if graph.settings.is_theory:
        return _("%(tail)s: %(share)s.") % {"tail": tail, "share": share}
    text = _("%(tail)s: %(n)s of %(all)s, %(share)s.") % {
        "tail": tail, "n": whole(int(in_tail)), "all": whole(int(total)), "share": share,
    }  # fmt: skip
    if not graph.has_theory or graph.tally.theory is None:
        return text
    theory = exact_percent(part(graph.tally.theory))
    return sentences(text, _("In theory %(share)s.") % {"share": theory})


def _of_bars(graph: Plot) -> str:
    tops = graph.commonest
    if graph.bins[tops[0]] == 1 < graph.tally.total:
        return _("None comes more than once. The mean is %(mean)s.") % {
            "mean": decimal(graph.mean)
        }
    text = _("%(top)s comes most often, in %(share)s. The mean is %(mean)s.")
    if len(tops) > 1:
        text = _("%(top)s come most often, in %(share)s each. The mean is %(mean)s.")
    return text % {
        "top": _all_of(graph, tops),
        "share": exact_percent(graph.share(tops[0])),
        "mean": decimal(graph.mean),
    }


MOST_NAMED = 5
"""Equals that a sentence has room for."""


def _all_of(graph: Plot, lows: list[int]) -> str:
    return first_names([graph.span(low) for low in lows], MOST_NAMED)


def _of_pie(graph: Plot) -> str:
    tops = graph.commonest
    text = _("The largest slice is %(top)s: %(share)s, or %(degrees)d° of the circle.")
    if len(tops) > 1:
        text = _(
            "The largest slices are %(top)s: each %(share)s, or %(degrees)d° of the circle."
        )
    return text % {
        "top": _all_of(graph, tops),
        "share": exact_percent(graph.share(tops[0])),
        "degrees": int(half_up(360 * graph.share(tops[0]))),
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
    """Where half and nine tenths are reached, with how much that is: of ties it is more."""
    reached, total = [], Fraction(sum(graph.weights.values()))
    for part in (Fraction(1, 2), Fraction(9, 10)):
        so_far = Fraction()
        for number, n in graph.weights.items():
            so_far += n
            if so_far >= part * total:
                reached.append((graph.number(number), exact_percent(so_far / total)))
                break
    (half, share), (most, nearly) = reached
    return _(
        "Half is reached at %(half)s: %(share)s are %(half)s or less. Nine tenths are reached "
        "at %(most)s: %(nearly)s are %(most)s or less."
    ) % {"half": half, "share": share, "most": most, "nearly": nearly}


def _of_curves(graph: Plot) -> str:
    """What three curves show; only the deck's have one form for certain."""
    means = [decimal(mean(curve)) if curve else "–" for curve in graph.tally.by_count]
    text = _("With 1, 2 and 3 %(shapes)s the mean value is %(one)s, %(two)s and %(three)s.")
    if graph.settings.of is Of.DECK:
        text = _(
            "With 1, 2 and 3 %(shapes)s the mean value is %(one)s, %(two)s and %(three)s: the "
            "form stays, the middle moves."
        )
    return text % {
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
    return Numbers(graph.words.titles[0], (graph.words.x_names[graph.settings.x], *names), rows)


def _numbers(graph: Plot) -> Numbers:
    """How often each number occurs; beside a cumulative graph also how often up to it."""
    counted = not graph.settings.is_theory
    is_cumulative = graph.settings.graph is Look.CUMULATIVE
    theory = graph.tally.theory if graph.has_theory else None
    kinds = [graph.words.number] * counted + [graph.words.share]
    head = [graph.words.x_names[graph.settings.x], *kinds]
    if is_cumulative:
        head += [_("%(what)s up to here") % {"what": kind} for kind in kinds]
    if theory:
        head.append(_("Theory up to here") if is_cumulative else _("Theory"))
    rows = []
    total, so_far, expected = sum(graph.bins.values()), Fraction(), Fraction()
    for low, n in graph.bins.items():
        so_far += n
        row = [graph.span(low), *_amounts(n, total, counted)]
        row += _amounts(so_far, total, counted) if is_cumulative else ()
        if theory:
            chance = theory.get(low, Fraction())
            expected += chance
            row.append(exact_percent(expected if is_cumulative else chance))
        rows.append(tuple(row))
    return Numbers(graph.words.titles[0], tuple(head), tuple(rows))


def _amounts(n: int | Fraction, total: int | Fraction, counted: bool) -> list[str]:
    return [whole(int(n))] * counted + [exact_percent(Fraction(n) / Fraction(total))]


def _basis(graph: Plot) -> str:
    settings = graph.settings
    parts = [_counted(graph)]
    if settings.graph is Look.BOX:
        parts.append(
            _(
                "The box holds the middle half, the line in it the middle one; the ends are "
                "the least and the greatest. Quartiles are the middles of the two halves."
            )
        )
    if settings.graph is Look.DOTS and (each := dots_each(graph)) > 1:
        parts.append(_("Each dot stands for up to %(n)s.") % {"n": whole(each)})
    return sentences(*parts)


def _counted(graph: Plot) -> str:
    """What was counted, and how many."""
    settings, tally = graph.settings, graph.tally
    facts = {
        "n": whole(tally.total),
        "number": graph.words.number,
        "rounds": whole(tally.rounds),
        "hands": whole(settings.hands),
        "size": whole(settings.size),
    }
    if settings.is_theory:
        return _("Exact: every hand of eight that the deck can deal counts once.")
    if settings.of is Of.DECK:
        return _("Exact: the %(n)s cards of the deck, each once.") % facts
    if settings.of is Of.DEALT:
        text = _("%(hands)s hands of eight, dealt by the computer; all deals equally likely.")
        return text % facts
    if settings.of is Of.SAMPLES:
        return (
            _(
                "%(hands)s samples of %(size)s hands, dealt by the computer, each hand from a "
                "whole deck."
            )
            % facts
        )
    if settings.of is Of.OWN:
        return _("Numbers that were typed: %(n)s.") % facts
    if settings.show.is_of_round:
        return _("Rounds in which one student made every move: %(n)s.") % facts
    return _("%(number)s: %(n)s. Finished rounds: %(rounds)s.") % facts


def _caveat(graph: Plot) -> str:
    settings = graph.settings
    if not settings.of.is_played:
        return ""
    if settings.show is Show.TAKEN and settings.of is Of.CLASS and settings.by is None:
        return _("The mean is fixed: eight tricks, shared among the seats of a table.")
    if graph.tally.total < FEW:
        return _("These are few: another day the graph may look quite different.")
    if settings.of is Of.CLASS and not settings.show.is_of_round:
        return _("Hands of one table come from one deck, so they are not independent.")
    return ""
