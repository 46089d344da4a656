"""The studio's page: for each graph its controls and its chart, and the ready-made graphs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from games.rules import Shape
from games.tables.viewers import Browser
from games.words import whole
from lessons.measures.page import page
from lessons.measures.panels import Panel
from lessons.probability import COUNTS
from lessons.studio import own
from lessons.studio.drawing import Slider, draw, slider
from lessons.studio.hands import NotShown, frequencies_for, sessions_open_to, usual_session
from lessons.studio.settings import (
    DEALS,
    SAMPLES,
    SIZES,
    By,
    Look,
    Of,
    Reading,
    Settings,
    Show,
    Side,
    Tail,
    name_of,
    shows,
    splits,
    suits,
    words,
)

PRESETS = Path(__file__).with_name("presets.json")
"""The addresses and pictures of graphs to start from, by their keys."""


@dataclass(frozen=True, slots=True)
class Control:
    """One thing to choose: its name, label, and options (key, text, whether it is chosen)."""

    name: str
    label: str
    options: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class StudioPanel:
    """One graph of the studio: its controls, lines about its settings, its chart."""

    suffix: str
    settings: Settings
    lines: tuple[str, ...]
    controls: tuple[Control, ...]
    shading: tuple[Control, ...]
    chart: Panel | None
    slider: Slider | None = None
    typed: str = ""
    """Numbers of one's own, as they stand in their field."""

    @property
    def is_table(self) -> bool:
        return self.settings.graph is Look.TABLE

    @property
    def number(self) -> int:
        return 2 if self.suffix else 1

    @property
    def deals(self) -> tuple[tuple[int, str], ...]:
        """The numbers of hands that can be dealt, also in words; none where none are dealt."""
        if not self.settings.of.is_dealt:
            return ()
        many = SAMPLES if self.settings.of is Of.SAMPLES else DEALS
        return tuple((n, whole(n)) for n in many)

    @property
    def address(self) -> str:
        """The address of this graph alone."""
        return urlencode(self.settings.address())


def panel(reading: Reading, browser: Browser, suffix: str = "") -> StudioPanel:
    """A graph as its settings have it; where they cannot be, lines and no chart. NotFound for
    a class session of others."""
    settings = reading.settings
    lines = [*reading.wrong, *reading.notes]
    chart = moved = None
    if not reading.wrong:
        try:
            frequencies = frequencies_for(settings, browser)
        except (NotShown, own.UnreadableNumbers) as why:
            lines.append(str(why))
        else:
            chart = draw(settings, frequencies, key=f"chart{suffix}")
            moved = slider(settings, frequencies)
    return StudioPanel(
        suffix=suffix,
        settings=settings,
        lines=tuple(lines),
        controls=(*_controls(settings, browser, suffix), *_side_controls(settings, suffix)),
        shading=tuple(_shading_controls(settings, suffix)),
        chart=chart,
        slider=moved,
        typed=own.written(settings.data) if reading.typed is None else reading.typed,
    )


def side_by_side(panels: list[StudioPanel]) -> list[StudioPanel]:
    """Two graphs with one axis below, and of shares one at the side, if both measure alike."""
    drawn = [panel.chart.figure for panel in panels if panel.chart and panel.chart.figure]
    shows = [panel.settings.show for panel in panels]
    valued = {Show.VALUE, Show.CURVES, Show.MEAN}
    if len(drawn) < 2 or not (shows[0] is shows[1] or set(shows) <= valued):
        return panels
    if any(panel.settings.graph in (Look.PIE, Look.BOX, Look.SCATTER) for panel in panels):
        return panels
    # What was counted is drawn first, the normal curve over it reaches further.
    counted = (
        figure["data"] if show is Show.CURVES else figure["data"][:1]
        for figure, show in zip(drawn, shows, strict=True)
    )
    x = [float(n) for traces in counted for trace in traces for n in trace["x"]]
    reach = [min(x) - 0.6, max(x) + 0.6]
    alike = shows[0] is shows[1] and all(panel.settings.by_share for panel in panels)
    y = [float(n) for figure in drawn for trace in figure["data"] for n in trace["y"]]
    for figure in drawn:
        figure["layout"]["xaxis"]["range"] = reach
        if alike:
            figure["layout"]["yaxis"]["range"] = [0, 1.1 * max(y)]
    return panels


def _choice_control(
    suffix: str, name: str, label: str, options: Mapping[Any, Any], chosen: Any
) -> Control:
    return Control(
        f"{name}{suffix}",
        label,
        tuple(
            (str(key.value if isinstance(key, Enum) else key), str(text), key == chosen)
            for key, text in options.items()
        ),
    )


def _names_by_value(values: Iterable[Enum]) -> dict[Any, str]:
    return {value: name_of(value) for value in values}


def _controls(settings: Settings, browser: Browser, suffix: str) -> Iterable[Control]:
    choice = partial(_choice_control, suffix)
    show = settings.show
    yield choice("of", _("Data"), _names_by_value(Of), settings.of)
    if settings.of is Of.CLASS and len(sessions := dict(sessions_open_to(browser))) > 1:
        chosen = settings.session or usual_session(browser)
        yield choice("session", _("Session"), sessions, chosen)
    if settings.of is Of.SAMPLES:
        yield choice("size", _("Hands in a sample"), {n: n for n in SIZES}, settings.size)
    if len(shows(settings.of)) > 1:
        yield choice("show", _("Show"), _names_by_value(shows(settings.of)), show)
    if show in (Show.CURVES, Show.COUNT, Show.CALL):
        yield choice("shape", _("Shape"), _names_by_value(Shape), settings.shape)
    if show is Show.CALL:
        yield choice("count", _("Count"), {n: n for n in COUNTS}, settings.count)
    if show is Show.LEAST:
        yield choice("least", _("From value"), {n: n for n in range(4, 13)}, settings.least)
    if len(suits(settings)) > 1:
        yield choice(
            "graph", _("Kind of graph"), _names_by_value(suits(settings)), settings.graph
        )
    apart = [by for by in splits(settings) if by is not By.STUDENT or browser.teacher]
    if settings.of is not Of.CLASS:
        apart = [by for by in apart if by is not By.STUDENT]
    if apart:
        names = {"": _("nothing"), **_names_by_value(apart)}
        yield choice("by", _("Split by"), names, settings.by or "")


def _side_controls(settings: Settings, suffix: str) -> Iterable[Control]:
    """The control of the axis at the side, or of what a table tells."""
    choice, names = partial(_choice_control, suffix), words(settings)
    sides = {Side.NUMBER: names["number"], Side.SHARE: names["share"]}
    if settings.graph is Look.TABLE:
        sides |= {Side.SHARE: _("Share of the column")}
        yield choice("y", _("Numbers"), sides, settings.y)
    elif not settings.is_theory and settings.graph not in (Look.BOX, Look.SCATTER, Look.PIE):
        yield choice("y", _("Vertical axis"), sides, settings.y)


def _shading_controls(settings: Settings, suffix: str) -> Iterable[Control]:
    """The controls of which tail is shaded; of a table, which rows are one."""
    names = {
        Tail.NONE: _("nothing"),
        Tail.UP: _("a number or more"),
        Tail.DOWN: _("a number or less"),
    }
    label = _("Shade")
    if settings.graph is Look.TABLE:
        names = {Tail.NONE: _("a row for each"), Tail.UP: _("in two, at a number")}
        label = _("Rows")
    yield _choice_control(suffix, "tail", label, names, settings.tail)


# Ready-made graphs


def presets() -> list[dict[str, Any]]:
    """The graphs that lessons use, to start from: the ``name`` that the page ``graph-presets``
    has, the ``address``, and a small ``picture``, (class, path) each."""
    said, stored = page("graph-presets"), json.loads(PRESETS.read_text(encoding="utf-8"))
    return [
        {"name": said.text(line, {}), **stored[line.arguments[0]]}
        for line in said.of("name", {})
    ]


def address_of(both: Iterable[Settings]) -> str:
    """One graph's address, or that of two side by side."""
    parts: dict[str, str] = {}
    for settings, suffix in zip(both, ("", "2"), strict=False):
        parts |= settings.address(suffix)
    return urlencode(parts)
