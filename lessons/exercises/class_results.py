"""Questions about the finished rounds of a class: types 24 and 25."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.rules import HAND_SIZE
from lessons.exercises.answers import Form, tell_apart
from lessons.exercises.contexts import ClassResults, Context, Family
from lessons.exercises.engine import (
    LEVEL,
    Blank,
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


class AverageTricks(Exercise):
    number = 24
    key = "average-tricks"
    title = gettext_lazy("What an average tells")
    family, kind, level, lesson = Family.CLASS, ExerciseKind.CHOICE, "B", 6
    levels = ("A", "B")
    skill = Skill.REASONING
    misconceptions = (Misconception.MORE_DATA, Misconception.MUST_BE_WHOLE)

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

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """Where tricks are filled in, the rounds are imagined, at a table of such a size."""
        if level == self.level:
            return self.draw(rng, context)
        seats = results(context).seats
        rounds = [[rng.randrange(seats) for _trick in range(HAND_SIZE)] for _round in range(2)]
        return {
            "taken": [[takers.count(seat) for seat in range(seats)] for takers in rounds],
            "hidden": [rng.randrange(seats) for _round in range(2)],
            LEVEL: level,
        }

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._filled_in(parameters)
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

    def _filled_in(self, parameters: Parameters) -> Instance:
        """The tricks that are missing in two rounds, and the average of each."""
        taken, hidden = parameters["taken"], parameters["hidden"]
        seats = len(taken[0])
        average = Fraction(HAND_SIZE, seats)
        boxes = ("first", "second")
        missing = [round_[seat] for round_, seat in zip(taken, hidden, strict=True)]
        whole = _(
            "You made the average a whole number. If all tricks were shared equally, would "
            "each seat get a whole number of them?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "Imagine two rounds at a table of %(seats)d. The table says how many tricks "
                "each seat took, but one number of each round is missing. Fill them in. How "
                "many tricks did the seats take on average in each of these rounds? And in the "
                "next round?"
            )
            % {"seats": seats},
            fields=(
                *(
                    Field(
                        box,
                        _("Round %(round)d, seat %(seat)d") % {"round": n, "seat": seat + 1},
                        Form.COUNT,
                    )
                    for n, (box, seat) in enumerate(zip(boxes, hidden, strict=True), start=1)
                ),
                Field("average", _("Average of each round, per seat"), Form.NUMBER),
                choice(
                    "next",
                    _("In the next round the average is"),
                    {
                        "same": _("the same again"),
                        "better": _("larger, if everybody plays better"),
                        "wait": _("something that nobody can know yet"),
                    },
                ),
            ),
            right={
                **{box: Fraction(n) for box, n in zip(boxes, missing, strict=True)},
                "average": average,
                "next": "same",
            },
            wrong=(
                Wrong(
                    Misconception.MORE_DATA,
                    {"next": "wait"},
                    _(
                        "You would wait for the round. Try to invent one in which the average "
                        "comes out differently: how many tricks are there to share?"
                    ),
                ),
                *(
                    Wrong(Misconception.MUST_BE_WHOLE, {"average": Fraction(near)}, whole)
                    for near in (int(average), int(average) + 1)
                    if HAND_SIZE % seats
                ),
            ),
            solution=(
                _("Every round has eight tricks, and the others took the rest:")
                + " "
                + math(
                    r", \quad ".join(
                        f"{HAND_SIZE} - {HAND_SIZE - number} = {number}" for number in missing
                    )
                ),
                *_fixed(seats),
            ),
            tables=(
                NumberTable(
                    _("Tricks taken"),
                    (_("Seat"), *(_("Round %(n)d") % {"n": n} for n in (1, 2))),
                    tuple(
                        (
                            str(seat + 1),
                            *(
                                Blank(box) if seat == gone else str(round_[seat])
                                for box, round_, gone in zip(boxes, taken, hidden, strict=True)
                            ),
                        )
                        for seat in range(seats)
                    ),
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


EXERCISES = (AverageTricks(), BidErrors())
