"""A contest of rules as its pages show it: what was handed in, and what it came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Any

from django.utils.translation import gettext as _

from games import analysis
from games.analysis import workshop
from games.analysis.jobs import pool
from games.analysis.workshop import PRINTED, SLIDERS, WIKIPEDIA, Placed, Rule, RuleResult
from games.words import half_up, number, signed
from lessons.course.contest import WORTH, stored_rule

MOST_ROWS = 10
"""Rules at most that a wall has room for, with the tips."""

PLACES = 3
"""Decimals of points a round: with two, differences would be off by a fifth of their margin."""


@dataclass(frozen=True, slots=True)
class RuleStanding:
    """A rule in the standings: its numbers, its points, how it stands beside the best, and how
    many of its bids were not allowed."""

    name: str
    numbers: tuple[str, ...]
    students: int
    points: str
    behind: str
    again: str
    moved: int
    is_first: bool
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Standings:
    """All rules of a contest, best first, and what came of it in a sentence."""

    sentence: str
    labels: tuple[str, ...]
    rows: tuple[RuleStanding, ...]

    @property
    def moved(self) -> int:
        """How many bids of one's own rule were not allowed, and went to the nearest."""
        return sum(row.moved for row in self.rows if row.is_mine)

    @property
    def top(self) -> tuple[RuleStanding, ...]:
        """What a wall has room for: the best, and the tips."""
        tips = [row for row in self.rows[MOST_ROWS:] if not row.students]
        return (*self.rows[: MOST_ROWS - len(tips)], *tips)


def fields(handed_in: dict[str, Any] | None) -> Iterator[dict[str, str]]:
    """A slider's facts for each number of a rule: as it was handed in, or as the tip has it."""
    rule = stored_rule(handed_in["rule"]) if handed_in else WIKIPEDIA
    moved = handed_in["moved"] if handed_in else ()
    for name, label in WORTH.items():
        slider = SLIDERS[name]
        yield {
            "name": name,
            "label": str(label),
            "value": number(getattr(rule, name), 2),
            "least": f"{slider.least:g}",
            "most": f"{slider.most:g}",
            "step": f"{slider.step:g}",
            "low": number(slider.least, 1),
            "high": number(slider.most, 1),
            "moved": "1" if name in moved else "",
        }


def seed_for(words: str) -> int:
    """The boards of a contest: its own, which nobody could try a rule on before."""
    return 1_000 + int.from_bytes(sha256(words.encode()).digest()[:2], "big")


def standings(rules: tuple[Rule, ...], seed: str, mine: Rule | None) -> Standings | None:
    """The rules of a contest beside both tips; None while boards cannot be played. Raises
    ``jobs.StillCounting`` while they are."""
    handed_in = Counter(rules)
    entered = tuple(dict.fromkeys((*sorted(handed_in, key=repr), WIKIPEDIA, PRINTED)))
    if not analysis.ready():
        return None
    boards = seed_for(seed)
    placed = pool.answer(
        ("contest", entered, boards), lambda: workshop.contest(entered, seed=boards)
    )
    tips = {WIKIPEDIA: _("Tip B"), PRINTED: _("Tip A")}
    best = next(each.played for each in placed if each.behind is None)
    rows = tuple(
        _row(
            each,
            best,
            tips.get(each.played.rule) or _("Rule %(n)d") % {"n": n},
            handed_in[each.played.rule],
            each.played.rule == mine,
        )
        for n, each in enumerate(placed, start=1)
    )
    labels = (_("12, 11"), "10", "9", _("single"), _("few"))
    return Standings(_standings_words(rows), labels, rows)


def points_ahead(one: RuleResult, other: RuleResult) -> Fraction:
    """How far one rule's points are ahead of another's, as both are shown: so the difference
    is true of the figures beside it."""
    return half_up(one.mean, PLACES) - half_up(other.mean, PLACES)


def _row(
    each: Placed, best: RuleResult, name: str, students: int, is_mine: bool
) -> RuleStanding:
    behind = each.behind
    return RuleStanding(
        name=name,
        numbers=tuple(number(getattr(each.played.rule, key), 2) for key in WORTH),
        students=students,
        points=number(each.played.mean, PLACES),
        behind=""
        if behind is None
        else f"{signed(points_ahead(each.played, best), PLACES)}\u00a0±\u00a0"
        f"{number(behind.half, PLACES)}",
        moved=each.played.moved,
        again=number(each.again.mean, PLACES) if each.again else "",
        is_first=each.is_first,
        is_mine=is_mine,
    )


def _standings_words(rows: tuple[RuleStanding, ...]) -> str:
    first = [row for row in rows if row.is_first]
    if len(first) == 1:
        sentence = _(
            "%(name)s is ahead: %(points)s points a round, and %(again)s on fresh cards."
        )
        facts = {"name": first[0].name, "points": first[0].points, "again": first[0].again}
        return sentence % facts
    return _("We found no difference between the best, so they share the win: %(names)s.") % {
        "names": ", ".join(row.name for row in first)
    }
