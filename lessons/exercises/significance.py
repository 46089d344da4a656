"""Whether chance alone does as much: type 29, labels shuffled, and type 30, a record beside
models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, perm
from random import Random

from games.words import all_of
from lessons.exercises.contexts import Context
from lessons.exercises.engine import LEVEL, Parameters
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import exact_percent
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
        }


RECORDS, ROUNDS = 200, 20
RARE = Fraction(1, 20)
CLAIMS = (
    ((3, 10), (1, 2)),
    ((3, 10), (3, 5)),
    ((2, 5), (1, 2)),
    ((2, 5), (3, 5)),
    ((1, 2), (3, 5)),
)
"""Two chances that are claimed, the lower one first."""


class BesideModel(Written):
    key = "beside-model"

    def draw(self, rng: Random, context: Context) -> Parameters:
        """A claimed chance, records of it by a computer, and the record of a bot: few enough
        made bids to be rare, or not."""
        p = rng.choice(((1, 2), (2, 5), (3, 5), (3, 10)))
        counts = _records_by_made(rng, p)
        usual = ROUNDS * p[0] // p[1]
        lowest = next(n for n, count in enumerate(counts) if count)
        made = rng.randrange(max(2, lowest, usual - 6), usual)
        return {"p": list(p), "counts": counts, "made": made}

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters; beside two claims all verdicts come as often."""
        wanted = rng.choice(("both", "lower", "none"))
        while True:
            claims = rng.choice(CLAIMS)
            records = [_records_by_made(rng, claim) for claim in claims]
            low_top, low_bottom = claims[0]
            fits = [
                made
                for made in range(2, ROUNDS * low_top // low_bottom)
                if _usual_chances(records, made) == wanted
            ]
            if fits:
                return {
                    "claims": [list(claim) for claim in claims],
                    "records": records,
                    "made": rng.choice(fits),
                }

    def facts(self, p: Parameters) -> Facts:
        counts = [*_record_rows(p["records"] if LEVEL in p else [p["counts"]])]
        return {
            "rounds": ROUNDS,
            "records": RECORDS,
            "least": int(RARE * RECORDS),
            "counts": counts,
            "lines": p["made"] - counts[0]["bids"] + 1,
            **super().facts(p),
        }

    def facts_b(self, p: Parameters) -> Facts:
        """The share of a claim's records that are as low as one, and what that says."""
        chance, few = Fraction(*p["p"]), sum(p["counts"][: p["made"] + 1])
        share = Fraction(few, sum(p["counts"]))
        return {
            "few": few,
            "share": share,
            "claim": "doubt" if share < RARE else "keep",
            "chance": exact_percent(chance),
            "usual": int(ROUNDS * chance),
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The record beside two models, of which both may agree with it."""
        low, high = (Fraction(*claim) for claim in p["claims"])
        few, fewer = (sum(counts[: p["made"] + 1]) for counts in p["records"])
        return {
            "few": few,
            "fewer": fewer,
            "claims": _usual_chances(p["records"], p["made"]),
            "low": exact_percent(low),
            "high": exact_percent(high),
            "usual_low": int(ROUNDS * low),
            "usual_high": int(ROUNDS * high),
        }


def _record_rows(records: Sequence[Sequence[int]]) -> Iterator[Facts]:
    """In how many of these records, and of others beside them, each number of bids was made,
    from the least to the most."""
    made = [n for n in range(ROUNDS + 1) if any(counts[n] for counts in records)]
    for n in range(made[0], made[-1] + 1):
        yield {"bids": n, "first": records[0][n], "second": records[-1][n]}


def _records_by_made(rng: Random, chance: tuple[int, int]) -> list[int]:
    """Of RECORDS records in which this is the chance of every bid, how many have each number
    of made bids."""
    top, bottom = chance
    counts = [0] * (ROUNDS + 1)
    for _record in range(RECORDS):
        counts[sum(rng.random() < top / bottom for _round in range(ROUNDS))] += 1
    return counts


def _usual_chances(records: Sequence[Sequence[int]], made: int) -> str:
    """With which of two chances so few made bids are nothing rare (both, lower, none): the
    lower one is the likelier to have them."""
    is_rare = [sum(counts[: made + 1]) < RARE * RECORDS for counts in records]
    return {(False, False): "both", (False, True): "lower", (True, True): "none"}.get(
        (is_rare[0], is_rare[1]), ""
    )
