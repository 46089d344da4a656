"""Whether chance alone does as much: type 29, a lot drawn anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, perm
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import opposite
from lessons.exercises.engine import (
    LEVEL,
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    NumberTable,
    Parameters,
    Wrong,
    choice,
)
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import math, tex_choose, tex_decimal, tex_over

HALF, TABLES = 3, 6
LOTS = (4, 6, 8, 10, 12)
"""Numbers of tables of which a lot draws half."""


def gaps(points: Sequence[int]) -> Counter[int]:
    """In how many ways three of six tables are so many points ahead of the other three."""
    total = sum(points)
    return Counter(2 * sum(three) - total for three in combinations(points, HALF))


class DrawnAnew(Exercise):
    number = 29
    key = "drawn-anew"
    title = gettext_lazy("The lot drawn anew")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBERS, "B", 9
    levels = ("B", "C")
    skill = Skill.SAMPLES
    misconceptions = (
        Misconception.ONE_SIDED,
        Misconception.OPPOSITE,
        Misconception.DOUBLE_COUNT,
        Misconception.IGNORES_CONDITION,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        """Six tables whose points differ, with a difference that few ways or many reach."""
        while True:
            points = rng.sample(range(2, 25), TABLES)
            ahead = abs(sum(points[:HALF]) - sum(points[HALF:]))
            if ahead > 3 and len(gaps(points)) <= 12:
                return {"a": sorted(points[:HALF]), "b": sorted(points[HALF:])}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        if level == self.level:
            return self.draw(rng, context)
        return {"tables": rng.choice(LOTS), "rare": rng.choice((1, 2, 5, 20)), LEVEL: level}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
        a, b = parameters["a"], parameters["b"]
        found = gaps([*a, *b])
        ahead, ways = abs(sum(a) - sum(b)), found.total()
        one = sum(n for gap, n in found.items() if gap >= ahead)
        far = sum(n for gap, n in found.items() if abs(gap) >= ahead)
        share = Fraction(far, ways)
        both = _(
            "You counted one direction only. Would you not have been as surprised if the other "
            "three had been ahead by as much?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "Six tables played the same boards, and a lot drew three of them for tip A. "
                "These made %(a)s points, the three with tip B %(b)s. By how many points are "
                "three tables ahead of the other three? Now suppose that the tips made no "
                "difference, and draw the lot anew: the table has all %(ways)d ways in which "
                "it could have fallen. In how many are the two halves at least as far apart as "
                "here, one way or the other? What share of all ways is that?"
            )
            % {"a": _list(a), "b": _list(b), "ways": ways},
            fields=(
                Field("ahead", _("Points ahead, the three together"), Form.COUNT),
                Field("ways", _("Ways at least as far apart"), Form.COUNT),
                Field("share", _("Their share"), Form.CHANCE),
            ),
            right={"ahead": Fraction(ahead), "ways": Fraction(far), "share": share},
            wrong=(
                Wrong(Misconception.ONE_SIDED, {"ways": Fraction(one)}, both),
                Wrong(Misconception.ONE_SIDED, {"share": Fraction(one, ways)}, both),
                opposite("share", share),
            ),
            solution=(
                _("The two sums are %(a)d and %(b)d: %(ahead)d points apart.")
                % {"a": sum(a), "b": sum(b), "ahead": ahead},
                _(
                    "With A ahead by %(ahead)d or more there are %(one)d ways, with B ahead as "
                    "many: each way has a mirror, where the halves have changed places."
                )
                % {"ahead": ahead, "one": one},
                _("Their share:") + " " + math(f"{tex_over(far, ways)} {tex_decimal(share)}"),
            ),
            tables=(
                NumberTable(
                    _("All ways to draw three of the six tables for tip A"),
                    (_("A ahead of B by"), _("Ways")),
                    tuple(
                        (str(gap).replace("-", "−"), str(n)) for gap, n in sorted(found.items())
                    ),
                ),
            ),
        )

    def _structure(self, parameters: Parameters) -> Instance:
        """How rare a lot of so many tables can be at best."""
        tables, rare = parameters["tables"], parameters["rare"]
        half = tables // 2
        ways = comb(tables, half)
        share = Fraction(2, ways)
        is_enough = share < Fraction(rare, 100)
        facts = {"tables": tables, "half": half, "rare": rare}
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "%(tables)d tables played the same boards, and a lot drew %(half)d of them for "
                "tip A, the others for tip B. Each table with tip A made more points than each "
                "with tip B: the halves could not be farther apart. In how many ways could the "
                "lot have fallen? Suppose that the tips made no difference: in what share of "
                "these ways are the halves as far apart, one way or the other? Is that less "
                "than %(rare)d in 100?"
            )
            % facts,
            fields=(
                Field("ways", _("Ways in which the lot can fall"), Form.COUNT),
                Field("share", _("Share of them as far apart"), Form.CHANCE),
                choice(
                    "rare",
                    _("With %(tables)d tables, something rarer than %(rare)d in 100") % facts,
                    {
                        "yes": _("can come out"),
                        "no": _("cannot come out, whatever the tables do"),
                    },
                ),
            ),
            right={
                "ways": Fraction(ways),
                "share": share,
                "rare": "yes" if is_enough else "no",
            },
            wrong=(
                Wrong(
                    Misconception.DOUBLE_COUNT,
                    {"ways": Fraction(perm(tables, half))},
                    _(
                        "You counted the same tables once for each order in which they are "
                        "drawn. Does it matter which of them comes first?"
                    ),
                ),
                Wrong(
                    Misconception.IGNORES_CONDITION,
                    {"ways": Fraction(2**tables)},
                    _(
                        "You let each table fall to A or B by itself. How many of them does "
                        "the lot draw for A, every time?"
                    ),
                ),
                Wrong(
                    Misconception.ONE_SIDED,
                    {"share": Fraction(1, ways)},
                    _(
                        "You counted one direction only. Would you not have been as surprised "
                        "if all tables with tip B had been ahead?"
                    ),
                ),
                opposite("share", share),
            ),
            solution=(
                _("Choose %(half)d of %(tables)d tables; their order does not matter:") % facts
                + " "
                + math(f"{tex_choose(tables, half)} = {ways}"),
                _(
                    "Only this way is as far apart, and its mirror, with all tables of tip B "
                    "ahead:"
                )
                + " "
                + math(f"{tex_over(2, ways)} {tex_decimal(share)}"),
                _(
                    "That is less than %(rare)d in 100: so many tables can show something that "
                    "rare."
                )
                % facts
                if is_enough
                else _(
                    "That is not less than %(rare)d in 100. With so few tables even the "
                    "clearest result is nothing rarer: before playing, ask how many are needed."
                )
                % facts,
            ),
        )


def _list(numbers: Sequence[int]) -> str:
    first, second, third = numbers
    return _("%(first)d, %(second)d and %(third)d") % {
        "first": first,
        "second": second,
        "third": third,
    }


EXERCISES = (DrawnAnew(),)
