"""Whether chance alone does as much: types 29 (a lot drawn anew) and 30 (a record beside a
model)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import opposite
from lessons.exercises.engine import (
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
from lessons.exercises.texts import exact_percent, math, tex_decimal, tex_over

HALF, TABLES = 3, 6
RECORDS, ROUNDS = 200, 20
RARE = Fraction(1, 20)


def gaps(points: Sequence[int]) -> Counter[int]:
    """In how many ways three of six tables are so many points ahead of the other three."""
    total = sum(points)
    return Counter(2 * sum(three) - total for three in combinations(points, HALF))


class DrawnAnew(Exercise):
    number = 29
    key = "drawn-anew"
    title = gettext_lazy("The lot drawn anew")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBERS, "B", 9
    skill = Skill.SAMPLES
    misconceptions = (Misconception.ONE_SIDED, Misconception.OPPOSITE)

    def draw(self, rng: Random, context: Context) -> Parameters:
        """Six tables whose points differ, with a difference that few ways or many reach."""
        while True:
            points = rng.sample(range(2, 25), TABLES)
            ahead = abs(sum(points[:HALF]) - sum(points[HALF:]))
            if ahead > 3 and len(gaps(points)) <= 12:
                return {"a": sorted(points[:HALF]), "b": sorted(points[HALF:])}

    def build(self, parameters: Parameters) -> Instance:
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


def _list(numbers: Sequence[int]) -> str:
    first, second, third = numbers
    return _("%(first)d, %(second)d and %(third)d") % {
        "first": first,
        "second": second,
        "third": third,
    }


class BesideModel(Exercise):
    number = 30
    key = "beside-model"
    title = gettext_lazy("A record beside a model")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBERS, "B", 9
    skill = Skill.SAMPLES
    misconceptions = (Misconception.SMALL_NUMBERS, Misconception.PROVES_MODEL)

    def draw(self, rng: Random, context: Context) -> Parameters:
        """A claimed chance, records of it by a computer, and the record of a bot: few enough
        made bids to be rare, or not."""
        p = rng.choice(((1, 2), (2, 5), (3, 5), (3, 10)))
        chance = p[0] / p[1]
        counts = [0] * (ROUNDS + 1)
        for _record in range(RECORDS):
            counts[sum(rng.random() < chance for _round in range(ROUNDS))] += 1
        usual = ROUNDS * p[0] // p[1]
        lowest = next(n for n, count in enumerate(counts) if count)
        made = rng.randrange(max(2, lowest, usual - 6), usual)
        return {"p": list(p), "counts": counts, "made": made}

    def build(self, parameters: Parameters) -> Instance:
        (top, bottom), counts = parameters["p"], parameters["counts"]
        made, chance = parameters["made"], Fraction(top, bottom)
        as_few = sum(counts[: made + 1])
        share = Fraction(as_few, sum(counts))
        is_rare = share < RARE
        facts = {
            "made": made, "rounds": ROUNDS, "records": RECORDS,
            "chance": exact_percent(chance), "usual": ROUNDS * top // bottom,
        }  # fmt: skip
        seldom = [n for n, count in enumerate(counts) if count]
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "“This bot makes its bid with a chance of %(chance)s”, somebody says. In "
                "%(rounds)d rounds it made %(made)d bids. A computer has played %(records)d "
                "records of %(rounds)d rounds in which the claim is true: the table says in "
                "how many of them each number of bids was made. In how many records were it "
                "%(made)d or fewer? What share is that? And what do you say of the claim? Call "
                "rare what comes in less than 5 of 100 records."
            )
            % facts,
            fields=(
                Field("records", _("Records with %(made)d or fewer") % facts, Form.COUNT),
                Field("share", _("Their share"), Form.CHANCE),
                choice(
                    "claim",
                    _("The claim"),
                    {
                        "keep": _("It may be true: such a record is nothing rare"),
                        "doubt": _(
                            "It is hard to believe: such a record is rare if it is true"
                        ),
                        "exact": _("It is false: it would have to be %(usual)d bids") % facts,
                        "proved": _("It is proved: the record agrees with it"),
                    },
                ),
            ),
            right={
                "records": Fraction(as_few),
                "share": share,
                "claim": "doubt" if is_rare else "keep",
            },
            wrong=(
                Wrong(
                    Misconception.SMALL_NUMBERS,
                    {"claim": "exact"},
                    _(
                        "You want exactly the expected number. How many of the records with a "
                        "true claim have it?"
                    ),
                ),
                Wrong(
                    Misconception.PROVES_MODEL,
                    {"claim": "proved"},
                    _(
                        "You take what agrees for a proof. Would the record not agree with a "
                        "chance a little smaller, too?"
                    ),
                ),
            ),
            solution=(
                _("Add the records from 0 to %(made)d bids: %(few)d of %(records)d.")
                % {**facts, "few": as_few},
                math(f"{tex_over(as_few, RECORDS)} {tex_decimal(share)}"),
                _(
                    "That is less than 5 of 100: either the claim is false, or something rare "
                    "has happened."
                )
                if is_rare
                else _(
                    "That is not rare: the record does not speak against the claim. It does "
                    "not prove it either."
                ),
            ),
            tables=(
                NumberTable(
                    _("Records of %(rounds)d rounds in which the claim is true") % facts,
                    (_("Bids made"), _("Records")),
                    tuple((str(n), str(counts[n])) for n in range(seldom[0], seldom[-1] + 1)),
                ),
            ),
        )


EXERCISES = (DrawnAnew(), BesideModel())
