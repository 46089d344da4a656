"""Questions about the finished rounds of a class: types 23 to 25."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import isqrt
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.rules import HAND_SIZE
from lessons.exercises.answers import Form, tell_apart
from lessons.exercises.contexts import ClassResults, Context, Family
from lessons.exercises.deal import draw_mark, mark_words, marked
from lessons.exercises.engine import (
    LEVEL,
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    NoVariant,
    NumberTable,
    Option,
    Parameters,
    Wrong,
    choice,
)
from lessons.exercises.events import holds
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.spread import sample_hint, variance_hint
from lessons.exercises.texts import (
    decimal,
    math,
    printed,
    tex,
    tex_decimal,
    tex_over,
    tex_root,
    tex_value,
)
from lessons.probability import mean, none_of, root, variance
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


class GapsAndRatios(Exercise):
    number = 23
    key = "gaps-and-ratios"
    title = gettext_lazy("Do counts even out?")
    family, kind, level, lesson = Family.CLASS, ExerciseKind.CHOICE, "B", 6
    skill = Skill.SAMPLES
    misconceptions = (Misconception.EVENS_OUT,)

    def draw(self, rng: Random, context: Context) -> Parameters:
        given = results(context)
        mark = draw_mark(rng)
        without = sum(not any(holds(mark, card) for card in hand) for hand in given.hands)
        asks = rng.choice(("more", "fewer", "on"))
        return {
            "invented": given.invented,
            "mark": mark,
            "hands": len(given.hands),
            "without": without,
            "asks": asks,
            "times": rng.choice((4, 9) if asks == "fewer" else (4, 9, 16, 25, 100)),
        }

    def build(self, parameters: Parameters) -> Instance:
        hands, times = parameters["hands"], parameters["times"]
        asks = parameters.get("asks", "more")
        expected = hands * none_of(marked(parameters["mark"]), HAND_SIZE)
        step = isqrt(times)
        gaps = _gaps(step, times) if "asks" in parameters else _gaps(step, times)[:4]
        right = {
            "more": {"count": "grows", "share": "shrinks", "reason": "spread"},
            "fewer": {"count": "shrinks", "share": "grows", "reason": "spread"},
            "on": {"count": "same", "share": "least", "reason": "stays"},
        }
        evens_out = {
            "more": ({"count": "shrinks"}, {"reason": "even"}),
            "fewer": ({"count": "grows"}, {"reason": "even"}),
            "on": ({"count": "shrinks"}, {"count": "least"}, {"reason": "even"}),
        }
        return Instance(
            self.key,
            parameters,
            prompt=intro(parameters)
            + " "
            + _(
                "Of %(hands)d hands, %(without)d held no cards %(mark)s, where %(expected)s "
                "were to be expected."
            )
            % {
                "hands": hands,
                "without": parameters["without"],
                "mark": mark_words(parameters["mark"]),
                "expected": decimal(expected),
            }
            + " "
            + _gap_words(asks, times),
            fields=(
                Field("count", _("The gap in numbers"), Form.CHOICE, gaps, is_scale=True),
                Field("share", _("The gap in shares"), Form.CHOICE, gaps, is_scale=True),
                choice(
                    "reason",
                    _("Because"),
                    {
                        "spread": _(
                            "chance adds to the gap with every hand, but slower than the "
                            "number of hands grows."
                        ),
                        "even": _("a run of too many must be followed by too few."),
                        "same": _("every hand has the same chance, so nothing changes."),
                    }
                    | (
                        {
                            "stays": _(
                                "later hands know nothing of a gap: on average they neither "
                                "pay it back nor add to it."
                            )
                        }
                        if "asks" in parameters
                        else {}
                    ),
                ),
            ),
            right=right[asks],
            wrong=tuple(
                Wrong(
                    Misconception.EVENS_OUT,
                    answers,
                    _(
                        "You let later hands make up for earlier ones. Does a new deal know "
                        "what the earlier deals were?"
                    ),
                )
                for answers in evens_out[asks]
            ),
            solution=_gap_solution(asks, times, step),
        )


def _gap_words(asks: str, times: int) -> str:
    if asks == "on":
        return _(
            "This class goes on until it has %(times)d times as many hands. On average over "
            "all that may be dealt: what becomes of this gap between the number found and the "
            "number expected? And of the gap between the share found and the chance?"
        ) % {"times": times}
    if asks == "fewer":
        return _(
            "Now think of many classes, each with %(times)d times fewer hands. How large is "
            "the typical gap between the number found and the number expected, beside that of "
            "classes like this one? And the gap between the share found and the chance?"
        ) % {"times": times}
    return _(
        "Now think of many classes, each with %(times)d times as many hands. What becomes of "
        "the typical gap between the number found and the number expected? And of the gap "
        "between the share found and the chance?"
    ) % {"times": times}


def _gap_solution(asks: str, times: int, step: int) -> tuple[str, ...]:
    if asks == "on":
        return (
            _(
                "In the hands still to come, as many as expected are found on average: they "
                "leave the gap in numbers as it is."
            ),
            _(
                "The share divides this gap by all hands. With %(times)d times as many it is "
                "%(times)d times smaller."
            )
            % {"times": times},
            _("Nothing evens out: an early gap stays, it only matters less and less."),
        )
    typical = _(
        "With n hands the typical gap in numbers is %(count)s and in shares %(share)s."
    ) % {"count": math(r"\sqrt{n \cdot p(1 - p)}"), "share": math(r"\sqrt{p(1 - p) / n}")}
    facts = {"times": times, "root": math(rf"\sqrt{{{times}}}"), "step": step}
    if asks == "fewer":
        return (
            typical,
            _(
                "%(times)d times fewer hands: the first is divided by %(root)s = %(step)d, the "
                "second becomes %(step)d times as large."
            )
            % facts,
            _("Few hands have a small gap in numbers, and a large one in shares."),
        )
    return (
        typical,
        _(
            "%(times)d times as many hands: the first becomes %(root)s = %(step)d times as "
            "large, the second is divided by %(step)d."
        )
        % facts,
        _("Nothing evens out: an early gap stays, it only matters less and less."),
    )


def _gaps(step: int, times: int) -> tuple[Option, ...]:
    return (
        Option("all", _("about %(n)d times as large") % {"n": times}),
        Option("grows", _("about %(n)d times as large") % {"n": step}),
        Option("same", _("about the same")),
        Option("shrinks", _("about %(n)d times smaller") % {"n": step}),
        Option("least", _("about %(n)d times smaller") % {"n": times}),
    )


class AverageTricks(Exercise):
    number = 24
    key = "average-tricks"
    title = gettext_lazy("What an average tells")
    family, kind, level, lesson = Family.CLASS, ExerciseKind.CHOICE, "B", 6
    skill = Skill.REASONING
    misconceptions = (Misconception.MORE_DATA,)

    def draw(self, rng: Random, context: Context) -> Parameters:
        given = results(context)
        if given.rounds < 1:
            raise NoVariant("no rounds")
        facts = {"invented": given.invented, "seats": given.seats}
        enough = given.students >= FEWEST and len(given.bids) >= FEWEST_HANDS
        measure = rng.choice(("tricks", "bids", "hits")) if enough else "tricks"
        if measure == "tricks":
            return {**facts, "measure": measure, "rounds": given.rounds}
        found = sum(bid if measure == "bids" else bid == taken for bid, taken in given.bids)
        return {**facts, "measure": measure, "bids": len(given.bids), "found": found}

    def build(self, parameters: Parameters) -> Instance:
        seats, measure = parameters["seats"], parameters.get("measure", "tricks")
        is_fixed = measure == "tricks"
        tells = {
            "nothing": _("nothing at all"),
            "later": _("nothing yet"),
            "middling": _("that the class plays neither well nor badly"),
        }
        reasons = {
            "fixed": _("eight tricks are shared among the seats, whatever happens."),
            "rounds": _("there are too few rounds for a reliable average."),
            "cancel": _("good and bad luck cancel out in an average."),
        }
        if "measure" in parameters:
            tells["something"] = _("something: it might have come out otherwise")
            reasons["free"] = _("no rule fixes this number.")
        return Instance(
            self.key,
            parameters,
            prompt=intro(parameters) + " " + _average_words(parameters),
            fields=(
                choice("tells", _("It tells"), tells),
                choice("reason", _("Because"), reasons),
            ),
            right={"tells": "nothing", "reason": "fixed"}
            if is_fixed
            else {"tells": "something", "reason": "free"},
            wrong=tuple(
                Wrong(
                    Misconception.MORE_DATA,
                    answers,
                    _(
                        "You would wait for more rounds. Try to invent a round in which the "
                        "average comes out differently: how many tricks are there to share?"
                    ),
                )
                for answers in ({"tells": "later"}, {"reason": "rounds"})
                if is_fixed
            ),
            solution=_fixed(seats)
            if is_fixed
            else (
                _(
                    "Everybody may bid from 0 to 8, and nobody knows who will take the tricks: "
                    "in the same rounds it might have been another number."
                ),
                _(
                    "So it tells how these students bid in these rounds. How they will bid, "
                    "few rounds cannot tell."
                ),
            ),
        )


def _average_words(parameters: Parameters) -> str:
    """The average in words, and what is asked about it."""
    seats, measure = parameters["seats"], parameters.get("measure", "tricks")
    if measure == "tricks":
        return ngettext(
            "In %(rounds)d round at tables of %(seats)d, all seats together averaged "
            "%(average)s tricks a seat. What does this average tell about how well was "
            "played?",
            "In %(rounds)d rounds at tables of %(seats)d, all seats together averaged "
            "%(average)s tricks a seat and round. What does this average tell about how "
            "well was played?",
            parameters["rounds"],
        ) % {
            "rounds": parameters["rounds"],
            "seats": seats,
            "average": decimal(Fraction(HAND_SIZE, seats)),
        }
    facts = {
        "bids": parameters["bids"],
        "seats": seats,
        "average": decimal(Fraction(parameters["found"], parameters["bids"])),
    }
    if measure == "bids":
        return (
            _(
                "At tables of %(seats)d, %(bids)d bids were made: %(average)s tricks on "
                "average. What does this average tell about the bidding in these rounds?"
            )
            % facts
        )
    return (
        _(
            "At tables of %(seats)d, %(bids)d bids were made, and %(average)s of them, as a "
            "share, came true. What does this average tell about the bidding in these rounds?"
        )
        % facts
    )


def _fixed(seats: int) -> tuple[str, ...]:
    average = Fraction(HAND_SIZE, seats)
    return (
        _("Every round has eight tricks for %(seats)d seats, so the average is always")
        % {"seats": seats}
        + " "
        + math(f"{tex_over(HAND_SIZE, seats)} {tex_decimal(average)}"),
        _("It is fixed by the rules. Only differences between seats can tell something."),
    )


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
                    if tell_apart(sample, root(squares))
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


EXERCISES = (GapsAndRatios(), AverageTricks(), BidErrors())
