"""What evidence says, as pages show it: who may hold how many, and which bot it may be."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from games.rules import HAND_SIZE
from games.words import number, percent
from lessons.course import Step, markup, strips, suspects
from lessons.unseen import Holding
from lessons.visits.ways import Predictions

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

HIGH = 24
"""How high a bar of a strip may be, in its drawing's units."""

AFTER = (1, 2, 5, 20)
"""After how many rounds the suspects' chances are told."""

SURE = ((80, 100), (50, 79), (0, 49))
"""How sure one may be, in percent, as a class is told how often it was right."""


class HoldingBar(NamedTuple):
    """A column of a strip: where its bar begins, how high it is, and the chance."""

    top: float
    height: float
    words: str


class HoldingRow(NamedTuple):
    """A place before or after: its bars, and how many it holds on average."""

    is_after: bool
    cells: tuple[HoldingBar, ...]
    mean: str


class PlaceStrip(NamedTuple):
    """A place before and after; of one that holds many cards the averages alone are told."""

    name: StrOrPromise
    before: HoldingRow
    after: HoldingRow
    is_long: bool

    @property
    def rows(self) -> tuple[HoldingRow, ...]:
        return () if self.is_long else (self.before, self.after)


@dataclass(frozen=True, slots=True)
class Strips:
    """A strip for each place, before and after."""

    caption: str
    columns: tuple[str, ...]
    places: tuple[PlaceStrip, ...]


def strips_of(key: str) -> Strips:
    """The strips of one situation (a key of ``strips.KEYS``)."""
    strip = strips.strip(key)
    return Strips(
        caption=str(strip.what),
        columns=(*map(str, range(strips.MOST)), f"{strips.MOST}+"),
        places=tuple(
            PlaceStrip(
                place.name,
                _holding_row(place.before, is_after=False),
                _holding_row(place.after, is_after=True),
                len(place.before) > HAND_SIZE + 1,
            )
            for place in strip.places
        ),
    )


def _holding_row(holding: Holding, *, is_after: bool) -> HoldingRow:
    columns = [*holding[: strips.MOST], sum(holding[strips.MOST :], Fraction())]
    columns += [Fraction()] * (strips.MOST + 1 - len(columns))
    cells = tuple(
        HoldingBar(HIGH * (1 - float(share)), HIGH * float(share), percent(share, short=True))
        for share in columns
    )
    return HoldingRow(is_after, cells, number(float(strips.mean(holding)), 2))


class Suspect(NamedTuple):
    """A bot that it may have been: how much of what was seen fits its habit, and how likely it
    was after so many rounds."""

    name: str
    is_true: bool
    bids: int
    leads: int
    chances: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Suspects:
    """The suspects of a step, of how many bids and leads, and after how many rounds their
    chances are told."""

    bids: int
    leads: int
    after: tuple[int, ...]
    rows: tuple[Suspect, ...]


def suspects_of(step: Step, seed: str) -> Suspects:
    """The suspects of a step, with what its rounds say of each."""
    rounds = suspects.watched_rounds(seed)[: step.shows.bots]
    after = tuple(n for n in AFTER if n <= step.shows.bots)
    chances = [suspects.chances(rounds[:n]) for n in after]
    rows = []
    for level, statement in zip(suspects.SUSPECTS, step.statements, strict=True):
        rows.append(
            Suspect(
                markup.plain(statement.text).partition(":")[0].strip(),
                statement.is_right,
                sum(each.bid_fits[level] for each in rounds),
                sum(each.leads_fit[level] for each in rounds),
                tuple(percent(each[level], short=True) for each in chances),
            )
        )
    leads = sum(len(each.leads) for each in rounds)
    return Suspects(len(rounds), leads, after, tuple(rows))


class SureGroup(NamedTuple):
    """Of those who were so sure, how many there are and how many were right."""

    low: int
    high: int
    students: int
    right: int


def right_by_sureness(step: Step, predictions: Predictions) -> tuple[SureGroup, ...]:
    """By how sure they were, how many chose and how many of these were right; nothing of fewer
    than may be shown."""
    if not predictions.may_be_shown:
        return ()
    return tuple(
        SureGroup(low, high, len(those), sum(those))
        for low, high in SURE
        if (
            those := [
                step.statements[choice].is_right
                for choice, sure in predictions.sure
                if low <= sure <= high
            ]
        )
    )
