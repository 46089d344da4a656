"""Whether chance alone does as much: type 29, a lot drawn anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, perm
from random import Random

from games.words import all_of
from lessons.exercises.contexts import Context
from lessons.exercises.engine import Parameters
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import tex_choose, tex_decimal, tex_over
from lessons.exercises.written import Written

HALF, TABLES = 3, 6
LOTS = (4, 6, 8, 10, 12)
"""Numbers of tables of which a lot draws half."""


def gaps(points: Sequence[int]) -> Counter[int]:
    """In how many ways three of six tables are so many points ahead of the other three."""
    total = sum(points)
    return Counter(2 * sum(three) - total for three in combinations(points, HALF))


class DrawnAnew(Written):
    key = "drawn-anew"

    def draw(self, rng: Random, context: Context) -> Parameters:
        """Parameters of six tables whose points differ by what few ways or many reach."""
        while True:
            points = rng.sample(range(2, 25), TABLES)
            ahead = abs(sum(points[:HALF]) - sum(points[HALF:]))
            if ahead > 3 and len(gaps(points)) <= 12:
                return {"a": sorted(points[:HALF]), "b": sorted(points[HALF:])}

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        return {"tables": rng.choice(LOTS), "rare": rng.choice((1, 2, 5, 20))}

    def facts_b(self, p: Parameters) -> Facts:
        """In how many of all halves of six tables the difference is as large."""
        a, b = p["a"], p["b"]
        ways = gaps([*a, *b])
        ahead, total = abs(sum(a) - sum(b)), ways.total()
        one = sum(n for gap, n in ways.items() if gap >= ahead)
        far = sum(n for gap, n in ways.items() if abs(gap) >= ahead)
        share = Fraction(far, total)
        return {
            "a_points": all_of(a),
            "b_points": all_of(b),
            "sum_a": sum(a),
            "sum_b": sum(b),
            "ahead": ahead,
            "all": total,
            "ways": far,
            "share": share,
            "one": one,
            "one_share": Fraction(one, total),
            "gaps": [
                {"gap": str(gap).replace("-", "−"), "ways": n}
                for gap, n in sorted(ways.items())
            ],
            "share_worked": f"{tex_over(far, total)} {tex_decimal(share)}",
        }

    def facts_c(self, p: Parameters) -> Facts:
        """In how many ways halves can be drawn, and whether one can be rare at all."""
        tables, half = p["tables"], p["tables"] // 2
        ways = comb(tables, half)
        share = Fraction(2, ways)
        return {
            "half": half,
            "ways": ways,
            "share": share,
            "enough": "yes" if share < Fraction(p["rare"], 100) else "no",
            "in_order": perm(tables, half),
            "each_by_itself": 2**tables,
            "one_way": share / 2,
            "mirrored": 2,
            "ways_worked": f"{tex_choose(tables, half)} = {ways}",
            "share_worked": f"{tex_over(2, ways)} {tex_decimal(share)}",
        }
