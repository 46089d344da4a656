"""A question about an average over a class's finished rounds: type 24."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.rules import HAND_SIZE
from lessons.exercises.answers import Form
from lessons.exercises.class_results import FEWEST_HANDS, intro, results
from lessons.exercises.contexts import Context, Family
from lessons.exercises.engine import (
    EDITION,
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
from lessons.exercises.texts import decimal, math, tex_decimal, tex_over
from xactika_site.classrooms.privacy import FEWEST


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
        facts = {"invented": given.invented, "seats": given.seats, EDITION: 2}
        enough = given.students >= FEWEST and len(given.bids) >= FEWEST_HANDS
        measure = rng.choice(("tricks", "tricks", "bids", "hits")) if enough else "tricks"
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
                *_average_field(parameters),
                choice("tells", _("It tells"), tells),
                choice("reason", _("Because"), reasons),
            ),
            right={
                **({"average": _average(parameters)} if EDITION in parameters else {}),
                "tells": "nothing" if is_fixed else "something",
                "reason": "fixed" if is_fixed else "free",
            },
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
                *_counted_average(parameters),
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


def _average(parameters: Parameters) -> Fraction:
    """The tricks a seat and round; else the tricks a bid, or the share of the bids that hit."""
    if parameters.get("measure", "tricks") == "tricks":
        return Fraction(HAND_SIZE, parameters["seats"])
    return Fraction(parameters["found"], parameters["bids"])


def _average_field(parameters: Parameters) -> tuple[Field, ...]:
    """The average, where it is worked out and not told, as in the first edition."""
    if EDITION not in parameters:
        return ()
    if parameters["measure"] == "hits":
        return (Field("average", _("Share of the bids"), Form.CHANCE),)
    label = (
        _("Tricks a seat and round") if parameters["measure"] == "tricks" else _("Average bid")
    )
    return (Field("average", label, Form.NUMBER),)


def _counted_average(parameters: Parameters) -> tuple[str, ...]:
    if EDITION not in parameters:
        return ()
    divided = tex_over(parameters["found"], parameters["bids"])
    return (
        _("Divide by the number of bids:")
        + " "
        + math(f"{divided} {tex_decimal(_average(parameters))}"),
    )


def _average_words(parameters: Parameters) -> str:
    """The average in words, and what is asked about it."""
    seats, measure = parameters["seats"], parameters.get("measure", "tricks")
    if EDITION in parameters:
        return _to_average(parameters)
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


def _to_average(parameters: Parameters) -> str:
    """What the average is worked out from, and what is asked about it."""
    if parameters["measure"] == "tricks":
        return ngettext(
            "There is %(rounds)d, at a table of %(seats)d. How many tricks did a seat take on "
            "average? What does this average tell about how well was played?",
            "There are %(rounds)d, at tables of %(seats)d. How many tricks did a seat take on "
            "average in a round? What does this average tell about how well was played?",
            parameters["rounds"],
        ) % {"rounds": parameters["rounds"], "seats": parameters["seats"]}
    if parameters["measure"] == "bids":
        return (
            _(
                "At tables of %(seats)d, %(bids)d bids were made, of %(found)d tricks all "
                "together. How many tricks did they bid on average? What does this average "
                "tell about the bidding in these rounds?"
            )
            % parameters
        )
    return (
        _(
            "At tables of %(seats)d, %(bids)d bids were made, and %(found)d of them were "
            "exactly right. What share is that? What does it tell about the bidding in these "
            "rounds?"
        )
        % parameters
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


EXERCISES = (AverageTricks(),)
