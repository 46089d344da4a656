"""Whether chance alone does as much: type 30, a record beside models."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.words import colon
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
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
from lessons.exercises.texts import exact_percent, math, tex_decimal, tex_over

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


class BesideModel(Exercise):
    number = 30
    key = "beside-model"
    title = gettext_lazy("A record beside a model")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBERS, "B", 9
    levels = ("B", "C")
    skill = Skill.SAMPLES
    misconceptions = (Misconception.SMALL_NUMBERS, Misconception.PROVES_MODEL)

    def draw(self, rng: Random, context: Context) -> Parameters:
        """A claimed chance, records of it by a computer, and the record of a bot: few enough
        made bids to be rare, or not."""
        p = rng.choice(((1, 2), (2, 5), (3, 5), (3, 10)))
        counts = _records(rng, p)
        usual = ROUNDS * p[0] // p[1]
        lowest = next(n for n, count in enumerate(counts) if count)
        made = rng.randrange(max(2, lowest, usual - 6), usual)
        return {"p": list(p), "counts": counts, "made": made}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """Beside two claims: fewer bids than either expects, with all verdicts as often."""
        if level == self.level:
            return self.draw(rng, context)
        wanted = rng.choice(("both", "lower", "none"))
        while True:
            claims = rng.choice(CLAIMS)
            records = [_records(rng, claim) for claim in claims]
            low_top, low_bottom = claims[0]
            fits = [
                made
                for made in range(2, ROUNDS * low_top // low_bottom)
                if _may_be(records, made) == wanted
            ]
            if fits:
                return {
                    "claims": [list(claim) for claim in claims],
                    "records": records,
                    "made": rng.choice(fits),
                    LEVEL: level,
                }

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
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

    def _structure(self, parameters: Parameters) -> Instance:
        """Beside two models, of which both may agree with the record."""
        records, made = parameters["records"], parameters["made"]
        low, high = (Fraction(*claim) for claim in parameters["claims"])
        few, fewer = (sum(counts[: made + 1]) for counts in records)
        verdict = _may_be(records, made)
        facts = {
            "made": made, "rounds": ROUNDS, "records": RECORDS,
            "low": exact_percent(low), "high": exact_percent(high),
            "usual_low": int(ROUNDS * low), "usual_high": int(ROUNDS * high),
            "few": few, "fewer": fewer, "least": int(RARE * RECORDS),
        }  # fmt: skip
        drawn = [n for n in range(ROUNDS + 1) if any(counts[n] for counts in records)]
        verdicts = {
            "both": _(
                "Neither is rare: both chances may be true, and the record proves neither."
            ),
            "lower": _("With %(high)s it is rare, with %(low)s it is not: %(low)s may be true.")
            % facts,
            "none": _("Both are rare: the record speaks against either chance."),
        }
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "In %(rounds)d rounds a bot made %(made)d bids. Ada says: “It makes its bid "
                "with a chance of %(low)s.” Ben says: “With a chance of %(high)s.” A computer "
                "has played %(records)d records of %(rounds)d rounds in which Ada is right, "
                "and as many in which Ben is. In how many of each were %(made)d bids made, or "
                "fewer? Call rare what comes in less than 5 of 100 records. Who may be right?"
            )
            % facts,
            fields=(
                Field("low", _("%(made)d or fewer, if Ada is right") % facts, Form.COUNT),
                Field("high", _("%(made)d or fewer, if Ben is right") % facts, Form.COUNT),
                choice(
                    "claims",
                    _("Who may be right?"),
                    {
                        "both": _("Both: the record is rare with neither chance"),
                        "lower": _("Only Ada: with Ben's chance the record is rare"),
                        "none": _("Neither: the record is rare with both chances"),
                        "proved": _("Ada, and it is proved: her chance fits better"),
                        "exact": _(
                            "Neither: it would have to be %(usual_low)d or %(usual_high)d"
                        )
                        % facts,
                    },
                ),
            ),
            right={"low": Fraction(few), "high": Fraction(fewer), "claims": verdict},
            wrong=(
                Wrong(
                    Misconception.SMALL_NUMBERS,
                    {"claims": "exact"},
                    _(
                        "You want exactly the expected number. How many of the records have "
                        "it, although their chance is true?"
                    ),
                ),
                Wrong(
                    Misconception.PROVES_MODEL,
                    {"claims": "proved"},
                    _(
                        "You take what fits better for a proof. Could another chance, which "
                        "nobody has named, not fit as well?"
                    ),
                ),
            ),
            solution=(
                _(
                    "Add the records from 0 to %(made)d bids: %(few)d of %(records)d with "
                    "Ada's chance, %(fewer)d of %(records)d with Ben's."
                )
                % facts,
                _("Rare is less than 5 of 100, so fewer than %(least)d of %(records)d.")
                % facts,
                verdicts[verdict],
            ),
            tables=(
                NumberTable(
                    _("Records of %(rounds)d rounds, by the chance that is true") % facts,
                    (
                        _("Bids made"),
                        f"Ada{colon()}{facts['low']}",
                        f"Ben{colon()}{facts['high']}",
                    ),
                    tuple(
                        (str(n), *(str(counts[n]) for counts in records))
                        for n in range(drawn[0], drawn[-1] + 1)
                    ),
                ),
            ),
        )


def _records(rng: Random, chance: tuple[int, int]) -> list[int]:
    """Of RECORDS records in which this is the chance of every bid, how many have each number
    of made bids."""
    top, bottom = chance
    counts = [0] * (ROUNDS + 1)
    for _record in range(RECORDS):
        counts[sum(rng.random() < top / bottom for _round in range(ROUNDS))] += 1
    return counts


def _may_be(records: Sequence[Sequence[int]], made: int) -> str:
    """With which of two chances so few made bids are nothing rare: the lower one is the
    likelier to have them."""
    is_rare = [sum(counts[: made + 1]) < RARE * RECORDS for counts in records]
    return {(False, False): "both", (False, True): "lower", (True, True): "none"}.get(
        (is_rare[0], is_rare[1]), ""
    )


EXERCISES = (BesideModel(),)
