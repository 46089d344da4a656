"""A question about a finished round: type 20."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.rules import HAND_SIZE, hook
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
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
)
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import math


class Hook(Exercise):
    number = 20
    key = "hook"
    title = gettext_lazy("The bid that is forbidden")
    family, kind, level, lesson = Family.ROUND, ExerciseKind.NUMBERS, "A", 5
    levels = ("A", "B")
    skill = Skill.REASONING
    misconceptions = (Misconception.EXACTLY_ONE,)

    def draw(self, rng: Random, context: Context) -> Parameters:
        round = context.round
        if round is None or None in round.bids:
            raise NoVariant("no bids")
        seats = len(round.bids)
        order = [(round.dealer + 1 + k) % seats for k in range(seats - 1)]
        return {
            "bids": [round.bids[seat] for seat in order],
            "dealer": round.bids[round.dealer],
            "invented": round.invented,
        }

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
        bids = parameters["bids"]
        total = sum(bids)
        forbidden = hook([*bids, None])
        sum_words = f"{' + '.join(map(str, bids))} = {total}"
        return Instance(
            self.key,
            parameters,
            prompt=(
                _("Imagine a round.")
                if parameters["invented"]
                else _("Look back at your round.")
            )
            + " "
            + _(
                "You see the bids made before the dealer had to bid. The bids of all may not "
                "add up to the eight tricks: which bid was forbidden to the dealer, and what "
                "follows for certain?"
            ),
            fields=(
                Field(
                    "forbidden",
                    _("Forbidden to the dealer"),
                    Form.CHOICE,
                    (
                        *(Option(str(bid), str(bid)) for bid in range(HAND_SIZE + 1)),
                        Option("none", _("no bid at all")),
                    ),
                    is_scale=True,
                ),
                Field("follows", _("For certain"), Form.CHOICE, _conclusions()),
            ),
            right={
                "forbidden": "none" if forbidden is None else str(forbidden),
                "follows": "some",
            },
            wrong=(
                Wrong(
                    Misconception.EXACTLY_ONE,
                    {"follows": "one"},
                    _(
                        "You say that one player misses and all others do not. Could more "
                        "players miss in the same round?"
                    ),
                ),
            ),
            solution=(
                _("The bids before the dealer's: %(sum)s.") % {"sum": math(sum_words)},
                _("They are more than eight already, so nothing is forbidden.")
                if forbidden is None
                else _("The dealer may not fill them up to eight: %(sum)s is forbidden.")
                % {"sum": math(f"{HAND_SIZE} - {total} = {forbidden}")},
                _(
                    "The dealer bid %(bid)d. So the bids do not add up to the eight tricks, "
                    "and they cannot all come true: at least one seat misses, maybe more."
                )
                % {"bid": parameters["dealer"]},
            ),
            tables=(
                NumberTable(
                    caption=_("The bids, in order"),
                    head=(_("Seat"), _("Bid")),
                    rows=tuple(
                        (_place_words(place), str(bid))
                        for place, bid in enumerate(bids, start=1)
                    ),
                ),
            ),
        )

    def _structure(self, parameters: Parameters) -> Instance:
        """Which sums leave a bid open, and which do not."""
        bid = parameters["dealer"]
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "You are the dealer and would like to bid %(bid)d. The bids of all may not add "
                "up to the eight tricks. With which sum of the other bids is yours forbidden? "
                "And what follows for certain from any sum that is allowed?"
            )
            % {"bid": bid},
            fields=(
                Field("sum", _("Sum of the other bids"), Form.COUNT),
                Field("follows", _("For certain"), Form.CHOICE, _conclusions()),
            ),
            right={"sum": Fraction(HAND_SIZE - bid), "follows": "some"},
            wrong=(
                Wrong(
                    Misconception.EXACTLY_ONE,
                    {"follows": "one"},
                    _(
                        "You say that one player misses and all others do not. Could more "
                        "players miss in the same round?"
                    ),
                ),
            ),
            solution=(
                _("Yours is what is missing to eight:")
                + " "
                + math(f"{HAND_SIZE} - {bid} = {HAND_SIZE - bid}"),
                _(
                    "Any other sum is more or less than eight, and eight tricks are played. So "
                    "not all bids can come true: at least one seat misses, maybe more."
                ),
            ),
        )


def _place_words(place: int) -> str:
    return ngettext(
        "%(n)d place left of the dealer", "%(n)d places left of the dealer", place
    ) % {"n": place}


def _conclusions() -> tuple[Option, ...]:
    return (
        Option("none", _("everybody may still get exactly the bid.")),
        Option("one", _("exactly one player misses.")),
        Option("some", _("at least one player misses.")),
        Option("dealer", _("the dealer misses.")),
    )


EXERCISES = (Hook(),)
