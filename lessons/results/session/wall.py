"""A session's results on the wall, a chart a screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from games.words import colon
from lessons import charts
from lessons.measures.panels import Panel, PanelKind, Section, hidden_notice
from lessons.results.tiles import Tile
from xactika_site.classrooms.privacy import FEWEST

SCREENS = 8
"""As many as a class looks at in one go; the others are asked for."""


@dataclass(frozen=True, slots=True)
class Slide:
    """A screen of the wall: a panel, what part of the session it is of, and beneath it a
    question to the class. ``is_claimed``: its title says what is seen."""

    panel: Panel
    part: str = ""
    ask: str = ""
    is_claimed: bool = False


def slides(tiles: Iterable[Tile], sections: Sequence[Section]) -> list[Slide]:
    """The screens of the wall: first what stands on the first screen of results, each with what
    is seen as its title; then all other panels: pictures, tables, who stands where. Nothing
    that is still empty; for all that is hidden, as too few stand behind it, one at the end."""
    every = [(section, panel) for section in sections for panel in section.panels]
    panels = [(section, panel) for section, panel in every if _is_filled(panel)]
    claims = {tile.panel: tile for tile in tiles if tile.panel}
    order = list(claims)
    panels.sort(
        key=lambda each: (
            order.index(each[1].key) if each[1].key in claims else len(order),
            each[1].rank,
        )
    )
    shown = [slide for section, panel in panels for slide in _slides(section, panel, claims)]
    notice = hidden_notice()
    if any(panel.summary == notice for _section, panel in every):
        shown.append(Slide(Panel("few", _("Some averages are hidden"), notice)))
    return shown


def first_of(every: list[Slide]) -> list[Slide]:
    """Of all screens the first, no tables among them where there are pictures."""
    pictures = [each for each in every if each.panel.kind is not PanelKind.TABLE]
    few = [each for each in every if each.panel.key == "few"]
    return [each for each in pictures or every if each not in few][:SCREENS] + few


def _is_filled(panel: Panel) -> bool:
    """Whether there is something to see; of who stands where that there are five."""
    if panel.size is charts.Size.LONG and panel.grid and len(panel.grid.rows) < FEWEST:
        return False
    return not panel.is_empty or bool(panel.bars or panel.parts)


def _slides(section: Section, panel: Panel, claims: dict[str, Tile]) -> list[Slide]:
    part = section.title if section.sentence else ""
    screens = [Slide(screen, part) for screen in panel.screens()]
    tile = claims.get(panel.key)
    if tile is None:
        return screens
    if panel.kind is PanelKind.TABLE and tile.figure:
        figure, key = charts.whole(tile.figure), f"{panel.key}-seen"
        chart = replace(
            panel, key=key, figure=figure, kind=PanelKind.CHART, size=charts.Size.USUAL
        )
        first = chart.screens()[0]
    else:
        first = screens.pop(0).panel
    title = tile.claim
    if tile.number.lstrip("+−") not in title:
        title = f"{title}{colon()}{tile.number}"
    claim = replace(first, title=title, summary=tile.summary)
    return [Slide(claim, part, tile.ask, is_claimed=True), *screens]
