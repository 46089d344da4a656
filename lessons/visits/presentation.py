"""What the pages of a lesson show of a step: plain values for the templates, in the reader's
language. Nothing of it is stored, and nothing is shown before its time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from random import Random
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from lessons import charts
from lessons.course import Lesson, Step, StepKind, Whole, graphs, markup, variables
from lessons.course.figures import figure
from lessons.course.variables import Variable, variable
from lessons.exercises.texts import decimal, exact_percent
from lessons.visits.ways import (
    Data,
    LessonRoom,
    Predictions,
    Visitor,
    Way,
    data_of_play,
    dealt_by,
    dealt_in,
    predicted_number,
    predictions,
)
from xactika_site.classrooms.privacy import FEWEST

KIND_NAMES = {
    StepKind.PREDICT: gettext_lazy("Predict"),
    StepKind.DO: gettext_lazy("Do"),
    StepKind.REVEAL: gettext_lazy("See"),
    StepKind.EXPLAIN: gettext_lazy("Explain"),
}


@dataclass(frozen=True, slots=True)
class TallyRow:
    """A bar of a tally: what was chosen, how often, how wide in percent; whether it is what is
    true, and what one chose oneself."""

    label: str
    count: int
    width: int
    is_true: bool = False
    is_mine: bool = False


def step_page(way: Way, number: int) -> dict[str, Any]:
    """Everything that the page of one step shows."""
    step = way.lesson.steps[number - 1]
    mine = way.done.get(step.name)
    return {
        "lesson": way.lesson,
        "title": markup.html(way.lesson.title),
        "way": way,
        "step": step,
        "number": number,
        "steps": path(way, number),
        "kind": KIND_NAMES[step.kind],
        "heading": markup.html(step.title),
        "paragraphs": [markup.html(text) for text in step.paragraphs],
        "table": table_of(variable(step.table)) if step.table else None,
        "mine": mine,
        "done": way.has_done(step),
        "takes": way.takes(number),
        "is_open": number <= way.open_to,
        "closed": way.is_closed(number),
        "room": way.run.state if way.in_room and way.run else "",
        "waits": way.in_room and not way.takes(number),
        "reveal": coming_reveal(way.lesson, number),
        "then": way.lesson.steps[number].kind.value if number < len(way.lesson.steps) else "",
        "previous": number - 1,
        "next": number + 1 if number < min(way.open_to, len(way.lesson.steps)) else 0,
        "is_last": number == len(way.lesson.steps),
        **_PARTS[step.kind](way, step),
    }


def coming_reveal(course: Lesson, number: int) -> dict[str, Any] | None:
    """The step after this one in which is shown what is true of something that was predicted up
    to here; None where nothing is left to show."""
    predicted = {step.name for step in course.steps[:number] if step.kind is StepKind.PREDICT}
    for n, step in enumerate(course.steps[number:], start=number + 1):
        if step.of in predicted:
            return {"number": n, "kind": KIND_NAMES[step.kind]}
    return None


def path(way: Way, number: int) -> list[dict[str, Any]]:
    """The lesson's steps for its contents: which are done, open, shown."""
    return [
        {
            "number": n,
            # A reveal's title may tell what is to be predicted.
            "title": ""
            if step.kind is StepKind.REVEAL and n > way.open_to
            else markup.plain(step.title),
            "kind": KIND_NAMES[step.kind],
            "word": step.kind.value,
            "done": way.has_done(step),
            "open": n <= max(1, way.open_to),
            "here": n == number,
        }
        for n, step in enumerate(way.lesson.steps, start=1)
    ]


def _predict_page(way: Way, step: Step) -> dict[str, Any]:
    mine = way.done.get(step.name)
    chosen = mine.value.get("choice") if mine else None
    return {
        "choices": [
            {"index": index, "text": markup.html(each.text), "chosen": chosen == index}
            for index, each in enumerate(step.statements)
        ],
        "whole": step.whole,
        "my_number": decimal(predicted_number(mine.value)) if mine and step.whole else "",
        "unit": markup.html(step.whole.unit) if step.whole else "",
    }


def _do_page(way: Way, step: Step) -> dict[str, Any]:
    mine = way.done.get(step.name)
    parts: dict[str, Any] = {}
    if step.deal:
        asked = variable(step.deal.variable)
        parts["data"] = data = dealt_by(way, asked.key) if mine else None
        parts["tally"] = bars(asked.categories, data.counts) if data else ()
        parts["counted"] = asked.title
        parts["last"] = mine.value.get("last", ()) if mine else ()
    if step.build:
        asked = variable(step.build)
        built = mine.value["built"] if mine else []
        curve = min(len(built), len(asked.curves) - 1)
        tried = mine.value["tried"] if mine else []
        heights = tried or (built[curve] if len(built) > curve else [])
        parts["graph"] = graphs.graph(asked, curve)
        parts["fields"] = graphs.fields(asked)
        parts["typed"] = {
            field.key: decimal(Fraction(str(height)))
            for field, height in zip(parts["fields"], heights, strict=False)
        }
        parts["label"] = asked.curves[curve].label
        parts["curves"], parts["built"] = len(asked.curves), len(built)
        parts["curve_number"] = curve + 1
        parts["hint"] = graphs.hint(asked, curve, tried) if tried else ""
    return parts


def _reveal_page(way: Way, step: Step) -> dict[str, Any]:
    predicted = way.lesson.steps[way.lesson.place(step.of) - 1]
    room = predictions(way.run, predicted) if way.run else None
    mine = way.done.get(step.of)
    chart = overlay(step, data_for(way, step)) if step.chart else None
    return {
        "predicted": predicted,
        "asked_title": markup.plain(predicted.title),
        "my_words": in_words(predicted, mine.value) if mine else "",
        "was_right": _was_right(predicted, mine.value) if mine else None,
        "truth": truth_words(predicted),
        "rows": tally(predicted, room, mine.value if mine else None, with_truth=True)
        if room and room.may_be_shown
        else (),
        "students": room.students if room else 0,
        "chart": chart,
    }


def _explain_page(way: Way, step: Step) -> dict[str, Any]:
    mine = way.done.get(step.name)
    order = mine.value["order"] if mine else []
    shown = list(range(len(step.statements)))
    # Everybody sees another order, but always the same one.
    seed = way.visit.pk if way.visit else 1
    Random(f"{seed}{step.name}").shuffle(shown)  # noqa: S311 - not a secret
    if shown == sorted(shown) and step.is_order:
        shown.reverse()
    return {
        "choices": [
            {
                "index": index,
                "text": markup.html(step.statements[index].text),
                "chosen": not step.is_order and order == [index],
                "place": order.index(index) + 1 if step.is_order and mine else 0,
                "reply": markup.html(step.statements[index].reply)
                if not step.is_order and order == [index]
                else "",
            }
            for index in shown
        ],
        "places": range(1, len(shown) + 1),
        "in_place": sum(a == b for a, b in enumerate(order)) if step.is_order else 0,
        "explained": mine.right if mine else None,
    }


_PARTS = {
    StepKind.PREDICT: _predict_page,
    StepKind.DO: _do_page,
    StepKind.REVEAL: _reveal_page,
    StepKind.EXPLAIN: _explain_page,
}


# A room.


WALL_TYPE = 24
"""The size of a chart's type on the wall, to be read from the last row."""

WALL_TYPE_BESIDE = 19
"""The same where a text and predictions stand around the chart."""


def wall_page(room: LessonRoom) -> dict[str, Any]:
    """The same for the wall, in larger type."""
    context = room_page(room)
    if context.get("chart"):
        context["chart"].figure["layout"]["font"]["size"] = (
            WALL_TYPE_BESIDE if context.get("rows") else WALL_TYPE
        )
    return context


def room_page(room: LessonRoom) -> dict[str, Any]:
    """What the teacher's page and the wall show of a room's lesson. Predictions are shown when
    they are closed; on the wall, and unasked, only of FEWEST students or more (``rows``), on
    the teacher's page also of fewer, folded (``few``)."""
    step, number, run = room.step, room.run.step, room.run
    way = Way(room.lesson, Visitor(session=run.class_session_id), run)
    context = step_page(way, number)
    if step.kind in (StepKind.PREDICT, StepKind.REVEAL):
        is_over = step.kind is StepKind.REVEAL
        asked = context["predicted"] if is_over else step
        found = predictions(run, asked)
        rows = tally(asked, found, with_truth=is_over) if is_over or run.closed else ()
        context["rows"] = rows if found.may_be_shown else ()
        context["few"] = rows if 0 < found.students < FEWEST else ()
        context["students"] = found.students
    done = room.answered.get(step.name, 0)
    context |= {
        "run": run,
        "here": room.here,
        "done_by": done,
        "version": room.version,
        "fewest": FEWEST,
        "too_few": context.get("students", FEWEST) < FEWEST,
        "next_step": _next(room),
        "counts": [
            {**each, "count": room.answered.get(room.lesson.steps[n].name, 0), "open": True}
            | {"title": markup.plain(room.lesson.steps[n].title)}
            for n, each in enumerate(context["steps"])
        ],
        "questions": [
            markup.html(text)
            for part in room.lesson.guide.parts
            if part.title == "Questions to ask"
            for text in part.items
        ],
    }
    return context


def _next(room: LessonRoom) -> dict[str, Any] | None:
    number = room.run.step + 1
    if number > len(room.lesson.steps):
        return None
    step = room.lesson.steps[number - 1]
    return {"number": number, "title": markup.plain(step.title), "kind": KIND_NAMES[step.kind]}


# The lessons side by side.


def cover(course: Lesson) -> dict[str, Any]:
    """What is drawn beside a lesson's title: cards, or the bars of a variable."""
    if course.cover not in variables.KEYS:
        return {"cards": course.cover.split()}
    shares = variable(course.cover).shares
    width = Fraction(120, len(shares))
    return {
        "bars": [
            {
                "x": float(width * index + width / 8),
                "y": float(84 - 80 * share / max(shares)),
                "width": float(width * 3 / 4),
                "height": float(80 * share / max(shares)),
            }
            for index, share in enumerate(shares)
        ]
    }


# Predictions beside the truth.


def in_words(step: Step, value: dict[str, Any]) -> str:
    """What somebody predicted, as they would say it."""
    if step.whole:
        unit = markup.plain(step.whole.unit) if step.whole.unit else ""
        return f"{decimal(predicted_number(value))} {unit}".strip()
    return markup.plain(step.statements[value["choice"]].text)


def true_number(whole: Whole) -> Fraction | None:
    """The true value of a number to predict, in its own unit; a share asked as “of 100” in
    hundredths."""
    if not whole.truth:
        return None
    value = figure(whole.truth)
    assert isinstance(value, Fraction)
    return value * 100 if value < 1 and whole.high == 100 else value


def truth_words(step: Step) -> str:
    """What is true, in the words of the prediction; empty where only data can tell."""
    if step.whole:
        value = true_number(step.whole)
        if value is None:
            return ""
        unit = markup.plain(step.whole.unit) if step.whole.unit else ""
        return f"{decimal(value)} {unit}".strip()
    return next((markup.plain(each.text) for each in step.statements if each.is_right), "")


def _was_right(step: Step, value: dict[str, Any]) -> bool | None:
    """Whether a choice was the true one; None where that is no matter of right and wrong."""
    if step.whole or not any(each.is_right for each in step.statements):
        return None
    chosen: int = value["choice"]
    return step.statements[chosen].is_right


def is_right(step: Step, value: Any) -> bool | None:
    """Whether a prediction counts as right: the true choice, or a number in the bar that holds
    what is true. None where only data can tell, or where the lesson has changed since."""
    if not isinstance(value, dict):
        return None
    if step.whole:
        true = _true_bin(step.whole)
        if true is None or not isinstance(value.get("number"), int | float):
            return None
        return _nearest(predicted_number(value)) in true
    chosen = value.get("choice")
    if not any(each.is_right for each in step.statements) or not isinstance(chosen, int):
        return None
    return step.statements[chosen].is_right if chosen in range(len(step.statements)) else None


def _true_bin(whole: Whole) -> range | None:
    """The bar of a tally in which the true number, made whole, lies."""
    truth = true_number(whole)
    if truth is None:
        return None
    return next((each for each in _bins(whole) if round(truth) in each), None)


MOST_BINS = 12


def tally(
    step: Step,
    room: Predictions,
    mine: dict[str, Any] | None = None,
    *,
    with_truth: bool = False,
) -> tuple[TallyRow, ...]:
    """A room's predictions as bars; numbers in bins of a round width."""
    if step.whole is None:
        most = max([*room.counts, 1])
        return tuple(
            TallyRow(
                markup.plain(each.text),
                count,
                100 * count // most,
                with_truth and each.is_right,
                mine is not None and mine.get("choice") == index,
            )
            for index, (each, count) in enumerate(
                zip(step.statements, room.counts, strict=True)
            )
        )
    bins = _bins(step.whole)
    true = _true_bin(step.whole) if with_truth else None
    counts = [sum(_nearest(number) in each for number in room.numbers) for each in bins]
    own = _nearest(predicted_number(mine)) if mine and "number" in mine else None
    most = max([*counts, 1])
    return tuple(
        TallyRow(
            _bin_words(step.whole, each),
            count,
            100 * count // most,
            each == true,
            own in each,
        )
        for each, count in zip(bins, counts, strict=True)
    )


def _nearest(number: Fraction) -> int:
    """The whole number nearest to one that was predicted, in whose bar it is counted."""
    return floor(number + Fraction(1, 2))


def _bin_words(asked: Whole, numbers: range) -> str:
    if len(numbers) > 1:
        return f"{numbers[0]}–{numbers[-1]}"
    return _("about %(n)d") % {"n": numbers[0]} if asked.places else str(numbers[0])


def _bins(whole: Whole) -> list[range]:
    width = next(
        w for w in (1, 2, 5, 10, 20, 50, 100) if (whole.high - whole.low) // w < MOST_BINS
    )
    starts = range(whole.low, whole.high + 1, width)
    bins = [range(start, min(start + width, whole.high + 1)) for start in starts]
    if len(bins) > 1 and len(bins[-1]) == 1 and width > 1:  # 100 belongs to 90–100
        bins[-2:] = [range(bins[-2][0], whole.high + 1)]
    return bins


# Theory and data.


def data_for(way: Way, step: Step) -> Data | None:
    """The data that a reveal lays over its theory: of the room where there is one, else one's
    own."""
    if step.data == "class":
        return data_of_play(way, step.chart)
    if step.data == "deals":
        room = dealt_in(way.run, way.lesson, step.chart) if way.run else None
        return room or dealt_by(way, step.chart)
    return None


def overlay(step: Step, data: Data | None) -> charts.Chart:
    """Theory, and over it the data if there are any."""
    asked = variable(step.chart)
    return charts.Chart(
        key=f"chart-{step.name}",
        title=str(asked.title),
        summary=_summary(asked, data, awaits=bool(step.data)),
        figure=_figure(asked, data),
        numbers=_numbers(asked, data),
        basis=_basis(data) if data else "",
    )


def _figure(asked: Variable, data: Data | None) -> charts.Figure:
    names = [str(name) for name in asked.categories]
    across, upward = str(asked.across), str(asked.upward)
    if asked.kind == "pie":
        weights = [float(weight) for weight in asked.curves[0].weights]
        return charts.figure([charts.slices(names, weights)])
    if asked.kind == "curves":
        dashes, marks = ("solid", "dash", "dot"), ("circle", "square", "diamond")
        traces = [
            charts.line(
                names,
                [float(weight) for weight in curve.weights],
                name=str(curve.label),
                colour="--ball",
                dash=dashes[index],
                marks=marks[index],
            )
            for index, curve in enumerate(asked.curves)
        ]
        return charts.figure(traces, x=across, y=upward, legend=True)
    if data is None:
        heights = [float(weight) for weight in asked.curves[0].weights]
        is_share = asked.total == 1
        bars_ = charts.hollow_bars(names, heights)
        return charts.figure([bars_], x=across, y=upward, percent=is_share)
    whole = sum(data.counts) or 1
    theory = charts.hollow_bars(
        names, [float(share) for share in asked.shares], name=_("in theory")
    )
    counted = charts.bars(
        names, [count / whole for count in data.counts], name=_SOURCES[data.source](), width=0.5
    )
    return charts.figure(
        [counted, theory], x=across, y=_("Share"), legend=True, percent=True, overlay=True
    )


_SOURCES = {
    "own": lambda: _("your hands"),
    "room": lambda: _("the class’s deals"),
    "class": lambda: _("the class’s finished rounds"),
    "alone": lambda: _("your finished rounds"),
}


def _summary(asked: Variable, data: Data | None, *, awaits: bool) -> str:
    shares = asked.shares
    best = asked.told
    if asked.subject is None:
        theory = _("Largest share in theory: %(name)s, %(share)s.")
    else:
        theory = _("In theory: %(name)s, %(share)s.")
    theory %= {"name": str(asked.categories[best]), "share": exact_percent(shares[best])}
    if asked.kind == "curves":
        return _("Three curves of the same form, each one place further to the right.")
    if data is None:
        more = _("Data appear here as soon as there are some.") if awaits else ""
        return f"{theory} {more}".strip()
    whole = sum(data.counts) or 1
    found = exact_percent(Fraction(data.counts[best], whole))
    return f"{theory} " + _("In these data: %(found)s.") % {"found": found}


def _basis(data: Data) -> str:
    hands = ngettext("%(n)d hand", "%(n)d hands", data.hands) % {"n": data.hands}
    if data.source == "room":
        students = ngettext("%(n)d student", "%(n)d students", data.students)
        return _("It rests on %(hands)s dealt by %(students)s.") % {
            "hands": hands,
            "students": students % {"n": data.students},
        }
    return _("It rests on %(hands)s.") % {"hands": hands}


def _numbers(asked: Variable, data: Data | None) -> charts.Numbers:
    head = [str(asked.across), *(str(curve.label) for curve in asked.curves)]
    columns = [[_weight(asked, weight) for weight in curve.weights] for curve in asked.curves]
    if data is not None:
        whole = sum(data.counts) or 1
        head += [_("Counted"), _("Share")]
        columns.append([str(count) for count in data.counts])
        columns.append([exact_percent(Fraction(count, whole)) for count in data.counts])
    rows = zip(map(str, asked.categories), *columns, strict=True)
    return charts.Numbers(str(asked.title), tuple(head), tuple(rows))


def _weight(asked: Variable, weight: Fraction) -> str:
    return exact_percent(weight) if asked.total == 1 else str(weight)


def table_of(asked: Variable) -> charts.Numbers:
    """A variable's exact numbers as a table to read."""
    return _numbers(asked, None)


def bars(names: Sequence[object], counts: Sequence[int]) -> tuple[TallyRow, ...]:
    """Counts as bars."""
    most = max([*counts, 1])
    return tuple(
        TallyRow(str(name), count, 100 * count // most)
        for name, count in zip(names, counts, strict=True)
    )
