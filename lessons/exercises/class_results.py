"""A question about the bids in a class's finished rounds: type 25."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lessons.exercises.answers import Form, tell_apart
from lessons.exercises.contexts import ClassResults, Context, Family
from lessons.exercises.engine import (
    LEVEL,
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    NoVariant,
    NumberTable,
    Parameters,
    Wrong,
    choice,
)
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.spread import from_variance, sample_hint, variance_hint
from lessons.exercises.texts import (
    math,
    printed,
    tex,
    tex_decimal,
    tex_over,
    tex_root,
    tex_value,
)
from lessons.probability import mean, root, variance
from xactika_site.classrooms.privacy import FEWEST

FEWEST_HANDS = 10
"""Finished hands that a class figure needs."""


def results(context: Context) -> ClassResults:
    """The context's class results, if there are enough of them."""
    if context.results is None or len(context.results.hands) < FEWEST_HANDS:
        raise NoVariant("too few hands")
    return context.results


def intro(parameters: Parameters) -> str:
    if parameters["invented"]:
        return _("Imagine a class's finished rounds.")
    return _("These are your class's finished rounds.")


class BidErrors(Exercise):
    number = 25
    key = "bid-errors"
    title = gettext_lazy("Bid less taken")
    family, kind, level, lesson = Family.CLASS, ExerciseKind.NUMBERS, "B", 8
    levels = ("B", "C")
    skill = Skill.SPREAD
    misconceptions = (
        Misconception.ZERO_MEAN,
        Misconception.VARIANCE_FOR_SD,
        Misconception.SAMPLE_SD,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        given = results(context)
        if given.students < FEWEST:
            raise NoVariant("too few students")
        by_bid: dict[int, Counter[int]] = {}
        for bid, taken in given.bids:
            by_bid.setdefault(bid, Counter())[bid - taken] += 1
        enough = [
            bid for bid, errors in by_bid.items() if errors.total() >= 4 and len(errors) > 1
        ]
        if not enough:
            raise NoVariant("too few rounds with one bid")
        bid = rng.choice(sorted(enough))
        errors = [[error, n] for error, n in sorted(by_bid[bid].items())]
        return {"invented": given.invented, "bid": bid, "errors": errors}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        drawn = super().draw_at(level, rng, context)
        return drawn if level == self.level else {**drawn, "less": rng.choice((1, 2))}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
        errors = dict(parameters["errors"])
        rounds = sum(errors.values())
        bias, squares = mean(errors), variance(errors)
        sample = root(squares * Fraction(rounds, rounds - 1))
        follows = from_variance(squares)
        total = sum(error * n for error, n in errors.items())
        return Instance(
            self.key,
            parameters,
            prompt=intro(parameters)
            + " "
            + _(
                "In %(rounds)d rounds somebody bid %(bid)d. The table shows the bid less the "
                "tricks taken. Find the mean and the SD of these numbers (these rounds are all "
                "that is described). Would a mean of zero show that the bids were good?"
            )
            % {"rounds": rounds, "bid": parameters["bid"]},
            fields=(
                Field("mean", _("Mean"), Form.NUMBER),
                Field("sd", _("SD"), Form.NUMBER),
                choice(
                    "zero",
                    _("A mean of zero shows"),
                    {
                        "good": _("that the bids were good"),
                        "bias": _(
                            "only that tricks bid too many and tricks bid too few balance when "
                            "added up"
                        ),
                    },
                ),
            ),
            right={"mean": bias, "sd": root(squares), "zero": "bias"},
            follows={"sd": follows},
            wrong=(
                Wrong(
                    Misconception.ZERO_MEAN,
                    {"zero": "good"},
                    _(
                        "You trust the mean alone. What is the mean of the errors of somebody "
                        "who bids much too high in one round and as much too low in the next?"
                    ),
                ),
                Wrong(Misconception.VARIANCE_FOR_SD, {"sd": squares}, variance_hint()),
                *(
                    (Wrong(Misconception.SAMPLE_SD, {"sd": sample}, sample_hint()),)
                    if all(tell_apart(sample, sd) for sd in (root(squares), *follows))
                    else ()
                ),
            ),
            solution=(
                _("Bias: %(mean)s.")
                % {"mean": math(f"{tex_over(total, rounds)} {tex_decimal(bias)}")},
                _("Spread: %(sd)s.")
                % {"sd": math(f"{tex_root(squares)} {tex_decimal(root(squares))}")},
                _(
                    "Good bids have a small bias and a small spread: only then do they come "
                    "true."
                ),
            ),
            tables=(
                NumberTable(
                    caption=_("Bid less taken"),
                    head=(_("Difference"), _("Rounds")),
                    rows=tuple((str(error), str(n)) for error, n in errors.items()),
                ),
            ),
        )

    def _structure(self, parameters: Parameters) -> Instance:
        """What moving all bids does to mean and spread."""
        errors, less = dict(parameters["errors"]), parameters["less"]
        bias, squares = mean(errors), variance(errors)
        return Instance(
            self.key,
            parameters,
            prompt=intro(parameters)
            + " "
            + _(
                "The bid less the tricks taken had the mean %(mean)s and the SD %(sd)s. Had "
                "everybody bid %(less)d less and taken the same tricks, what would mean and SD "
                "be? And would a mean of zero then show that the bids were good?"
            )
            % {
                "mean": math(tex_value(bias)),
                "sd": math(tex_value(root(squares))),
                "less": less,
            },
            fields=(
                Field("mean", _("Mean"), Form.NUMBER),
                Field("sd", _("SD"), Form.NUMBER),
                choice(
                    "zero",
                    _("A mean of zero shows"),
                    {
                        "good": _("that the bids were good"),
                        "bias": _("only that too many and too few balance"),
                    },
                ),
            ),
            right={"mean": bias - less, "sd": root(squares), "zero": "bias"},
            follows={"mean": (printed(bias) - less,), "sd": (printed(root(squares)),)},
            wrong=(
                Wrong(
                    Misconception.ZERO_MEAN,
                    {"zero": "good"},
                    _(
                        "You trust the mean alone. Does moving every bid by the same make wild "
                        "bids any tamer?"
                    ),
                ),
                Wrong(Misconception.VARIANCE_FOR_SD, {"sd": squares}, variance_hint()),
            ),
            solution=(
                _("Every difference moves by the same, and so does the mean:")
                + " "
                + math(f"{tex(bias)} - {less} = {tex_value(bias - less)}"),
                _("No distance from the mean changes, so the SD stays %(sd)s.")
                % {"sd": math(tex_value(root(squares)))},
            ),
        )


EXERCISES = (BidErrors(),)
