"""The chapters of a page of results: one is shown at a time, its name stands in a menu."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from lessons.measures.measure import panel
from lessons.measures.page import page, positional
from lessons.measures.panels import Panel, Section

BIDS = "calibration", "bias", "forecasts", "bids-and-tricks", "bids-by-seat", "tables", "tip"
DEALS = ("hands", "leads")


def of_session(
    panels: Iterable[Panel],
    taught: Sequence[Section],
    learning: Sequence[Panel],
    *,
    lessons_first: bool,
) -> list[Section]:
    """The chapters of a class session's pages; chapters without a panel are left out."""
    rest = list(panels)
    bid = Section("bid", _("The bids"), _take(rest, BIDS))
    dealt = Section("dealt", _("The deals"), _take(rest, DEALS))
    tried = _take(rest, [each.key for each in rest if each.key.startswith("experiment-")])
    pictures_first = sorted(rest, key=lambda each: each.rank)
    experiment = Section("experiment", _("Experiment"), tried)
    played = [experiment, Section("played", _("What we played"), pictures_first), bid, dealt]
    learned = Section("learned", _("Learning"), learning)
    chapters = [*taught, *played, learned] if lessons_first else [*played, *taught, learned]
    return [section for section in chapters if section.panels]


def of_class(chapters: Iterable[Section]) -> list[Section]:
    """A session's chapters on the page of one of its students, beside the student's own."""
    return [
        replace(section, key=f"class-{section.key}", title=_("The class: %s") % section.title)
        for section in chapters
        if section.key != "learned"
    ]


def with_paths(chapters: Iterable[Section], boards: Sequence[tuple[str, str]]) -> list[Section]:
    """A session's chapters and at the end of what was played which numbers of tricks each hand
    of a board could have reached, and at how many tables it did: label and address of each
    board that is over. Searched when it is asked for."""
    return with_played(chapters, [panel("board-ways", parts=boards)] if boards else [])


def with_played(chapters: Iterable[Section], panels: Sequence[Panel]) -> list[Section]:
    """These chapters with more panels at the end of what was played."""
    return [
        replace(section, panels=[*section.panels, *panels])
        if section.key in {"played", "class-played"}
        else section
        for section in chapters
    ]


def each_student(panels: Sequence[Panel], students: Sequence[tuple[int, str]]) -> list[Section]:
    """A chapter that leads to each student's page."""
    if not students:
        return []
    return [Section("each", _("Students"), panels, students=students)]


def chapters(panels: Iterable[Panel], of: str) -> list[Section]:
    """The chapters of the page ``of`` a student, mine, learning or a term, as the page
    ``chapters`` of the measures has them: by key, their panels' keys and title; the last has
    what is left."""
    said, facts, rest, found = page("chapters"), {"page": of}, [*panels], []
    for line in said.of("name", facts):
        key, *keys = positional(line)
        found.append(Section(key, said.text(line, facts), _take(rest, keys) if keys else rest))
    return [section for section in found if section.panels]


def _take(panels: list[Panel], keys: Sequence[str]) -> list[Panel]:
    """Those of the panels that have these keys, taken out of the list."""
    taken = [each for each in panels if each.key in keys]
    panels[:] = [each for each in panels if each.key not in keys]
    return taken
