"""When a mistake comes back, spaced: of exercises, and of turns that are tried again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

COMES_BACK = (timedelta(minutes=10), timedelta(days=1), timedelta(days=4))
"""How long after a mistake something comes back, then after each time it went well; after the
last of them it is learnt."""

OTHERS_BETWEEN = 2
"""Right after a mistake so many others are enough, too."""


@dataclass(frozen=True, slots=True)
class SpacedTry:
    """What was tried, when it was asked, and whether the first answer was right. Of exercises
    also at which level, on which day it was answered, whether a hint was taken, and whether it
    was right in the end."""

    what: str
    asked: datetime
    went_well: bool
    level: str = ""
    day: date | None = None
    helped: bool = False
    right: bool = False


class SpacingState(StrEnum):
    """How somebody stands in one thing."""

    NEW = "new"
    AGAIN = "again"  # a mistake comes back now
    SOON = "soon"  # it comes back later
    CLEAR = "clear"  # no mistake is to come back; of exercises instead:
    SEEN = "seen"  # right once
    KNOWN = "known"


class Spaced(NamedTuple):
    """How somebody stands in one thing; how many tries, and how many went well."""

    state: SpacingState
    tries: int = 0
    went_well: int = 0
    due: datetime | None = None


def spacing_of(what: str, tries: Iterable[SpacedTry], now: datetime) -> Spaced:
    """How the learner stands in this after all these tries of anything, the oldest first."""
    since, others = None, 0
    box, count, well = -1, 0, 0  # -1: no mistake to come back to
    for one in tries:
        if one.what != what:
            others += 1
            continue
        count, well, since, others = count + 1, well + one.went_well, one.asked, 0
        if not one.went_well:
            box = 0
        elif box >= 0:
            box = box + 1 if box + 1 < len(COMES_BACK) else -1
    if since is None:
        return Spaced(SpacingState.NEW)
    if box < 0:
        return Spaced(SpacingState.CLEAR, count, well)
    due = since + COMES_BACK[box]
    is_due = now >= due or (box == 0 and others >= OTHERS_BETWEEN)
    return Spaced(SpacingState.AGAIN if is_due else SpacingState.SOON, count, well, due)
