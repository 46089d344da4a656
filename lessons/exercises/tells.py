"""What a bid tells of a hand: type 31, counted in deals."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import HAND_SIZE, parse_call
from games.words import call_words, whole
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import CALLS, opposite
from lessons.exercises.engine import (
    LEVEL,
    Blank,
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
from lessons.exercises.texts import math, tex_decimal, tex_over
from lessons.probability import CARDS, PRINTED, WIKIPEDIA, hands_by_bid

DEALS = 10_000
TIPS = {"encyclopedia": WIKIPEDIA, "printed": PRINTED}
FEWEST = 5
"""Deals with both of what is counted, at least."""


@lru_cache(maxsize=16)
def counted(tip: str, bid: int, count: int) -> tuple[int, int, int]:
    """Of DEALS deals, how many are to be expected, each to the nearest one: with this bid,
    without any card that shows the count of a shape, with both. The same for every shape. What
    is left for the other boxes may be off by more, so that rows and columns add up."""
    hands = hands_by_bid(TIPS[tip], lambda card: card.counts[0] == count)
    by_number = hands[bid]
    deals = comb(CARDS, HAND_SIZE)
    ways = (
        sum(by_number.values()),
        sum(each.get(0, 0) for each in hands.values()),
        by_number.get(0, 0),
    )
    with_bid, without, both = (round(Fraction(DEALS * way, deals)) for way in ways)
    return with_bid, without, both


@lru_cache(maxsize=1)
def _bids() -> tuple[tuple[str, int, int], ...]:
    """Tips, bids and counts of which there are deals enough to count."""
    return tuple(
        (tip, bid, count)
        for tip in TIPS
        for bid in range(HAND_SIZE - 1)
        for count in (1, 2, 3)
        if min(counted(tip, bid, count)) >= FEWEST
    )


class BidEvidence(Exercise):
    number = 31
    key = "bid-evidence"
    title = gettext_lazy("What does a bid tell?")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBERS, "C", 10
    levels = ("B", "C")
    skill = Skill.CONDITIONS
    misconceptions = (
        Misconception.DOUBLE_COUNT,
        Misconception.INVERSE,
        Misconception.JOINT,
        Misconception.IGNORES_EVIDENCE,
        Misconception.OPPOSITE,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        tip, bid, count = rng.choice(_bids())
        calls = [call for call in CALLS if call.startswith(f"{count}-")]
        return {"tip": tip, "bid": bid, "call": rng.choice(calls)}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """Where the two rows are compared, one chance is by a fifth larger than the other."""
        while True:
            drawn = super().draw_at(level, rng, context)
            with_bid, without, both, _facts = _told(drawn)
            given, other = both * (DEALS - with_bid), (without - both) * with_bid
            if level == self.level or 5 * max(given, other) >= 6 * min(given, other):
                return drawn

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._rows(parameters)
        with_bid, without, both, facts = _told(parameters)
        given, before = Fraction(both, with_bid), Fraction(without, DEALS)
        of_all = _(
            "You wrote down a whole row or column. Those that are in both have a box of their "
            "own: how many are left?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "Ada bids by a tip: %(tip)s. The table says how many of %(deals)s deals are to "
                "be expected in each box, rounded so that rows and columns add up. Fill in the "
                "two boxes. Then: Ada bids %(bid)d. How likely is it that she holds no card "
                "with %(call)s?"
            )
            % facts,
            fields=(
                Field("some", _("Bids %(bid)d, holds %(call)s") % facts, Form.COUNT),
                Field("others", _("Another bid, no %(call)s") % facts, Form.COUNT),
                Field(
                    "given",
                    _("Chance of no %(call)s, given the bid %(bid)d") % facts,
                    Form.CHANCE,
                ),
            ),
            right={
                "some": Fraction(with_bid - both),
                "others": Fraction(without - both),
                "given": given,
            },
            wrong=(
                Wrong(Misconception.DOUBLE_COUNT, {"some": Fraction(with_bid)}, of_all),
                Wrong(Misconception.DOUBLE_COUNT, {"others": Fraction(without)}, of_all),
                Wrong(
                    Misconception.INVERSE,
                    {"given": Fraction(both, without)},
                    _(
                        "You divided by all deals without such a card. What do you know here: "
                        "her bid, or her cards?"
                    ),
                ),
                Wrong(
                    Misconception.JOINT,
                    {"given": Fraction(both, DEALS)},
                    _(
                        "You divided by all deals. Once you know her bid, are all of them "
                        "still possible?"
                    ),
                ),
                Wrong(
                    Misconception.IGNORES_EVIDENCE,
                    {"given": before},
                    _("That is the chance before she bids. Which deals has her bid ruled out?"),
                ),
                opposite("given", given),
            ),
            solution=(
                _("Row and column add up to their edges:")
                + " "
                + math(
                    f"{with_bid} - {both} = {with_bid - both}, \\quad "
                    f"{without} - {both} = {without - both}"
                ),
                _("You know the row of her bid. Of its deals:")
                + " "
                + math(f"{tex_over(both, with_bid)} {tex_decimal(given)}"),
                _("Before the bid it was:")
                + " "
                + math(tex_decimal(before).removeprefix("= ")),
            ),
            tables=(self._table(facts, with_bid, without, both),),
        )

    def _rows(self, parameters: Parameters) -> Instance:
        """The two rows of the filled table, beside each other."""
        with_bid, without, both, facts = _told(parameters)
        others, rest = without - both, DEALS - with_bid
        given, other = Fraction(both, with_bid), Fraction(others, rest)
        is_likelier = given > other
        inverse = _(
            "You divided by all deals without such a card. What do you know here: her bid, or "
            "her cards?"
        )
        joint = _(
            "You divided by all deals. Once you know her bid, are all of them still possible?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "Ada bids by a tip: %(tip)s. The table says how many of %(deals)s deals are to "
                "be expected in each box. How likely is it that she holds no card with "
                "%(call)s, if she bids %(bid)d? And if she makes another bid? What does the "
                "bid %(bid)d tell about that?"
            )
            % facts,
            fields=(
                Field(
                    "given",
                    _("Chance of no %(call)s, given the bid %(bid)d") % facts,
                    Form.CHANCE,
                ),
                Field(
                    "other",
                    _("Chance of no %(call)s, given another bid") % facts,
                    Form.CHANCE,
                ),
                choice(
                    "tells",
                    _("With the bid %(bid)d it is") % facts,
                    {
                        "more": _("likelier that she holds none"),
                        "less": _("less likely that she holds none"),
                        "nothing": _("as likely as ever: a bid tells nothing of one class"),
                    },
                ),
            ),
            right={"given": given, "other": other, "tells": "more" if is_likelier else "less"},
            wrong=(
                Wrong(Misconception.INVERSE, {"given": Fraction(both, without)}, inverse),
                Wrong(Misconception.INVERSE, {"other": Fraction(others, without)}, inverse),
                Wrong(Misconception.JOINT, {"given": Fraction(both, DEALS)}, joint),
                Wrong(Misconception.JOINT, {"other": Fraction(others, DEALS)}, joint),
                Wrong(
                    Misconception.IGNORES_EVIDENCE,
                    {"given": Fraction(without, DEALS)},
                    _("That is the chance before she bids. Which deals has her bid ruled out?"),
                ),
                Wrong(
                    Misconception.IGNORES_EVIDENCE,
                    {"tells": "nothing"},
                    _("Compare your two chances. Are they the same in both rows of the table?"),
                ),
                opposite("given", given),
                opposite("other", other),
            ),
            solution=(
                _("You know the row of her bid. Of its deals:")
                + " "
                + math(f"{tex_over(both, with_bid)} {tex_decimal(given)}"),
                _("The row of all other bids:")
                + " "
                + math(f"{tex_over(others, rest)} {tex_decimal(other)}"),
                _("The first is larger: of the hands with this bid, a larger share has none.")
                if is_likelier
                else _(
                    "The first is smaller: of the hands with this bid, a smaller share has "
                    "none."
                ),
            ),
            tables=(self._table(facts, with_bid, without, both, is_full=True),),
        )

    def _table(
        self,
        facts: Mapping[str, object],
        with_bid: int,
        without: int,
        both: int,
        *,
        is_full: bool = False,
    ) -> NumberTable:
        some, others = with_bid - both, without - both
        neither = DEALS - with_bid - others
        return NumberTable(
            _("%(deals)s deals") % facts,
            ("", _("no %(call)s") % facts, _("some"), _("all")),
            (
                (
                    _("bids %(bid)d") % facts,
                    str(both),
                    str(some) if is_full else Blank("some"),
                    str(with_bid),
                ),
                (
                    _("another bid"),
                    str(others) if is_full else Blank("others"),
                    str(neither),
                    str(DEALS - with_bid),
                ),
                (_("all"), str(without), str(DEALS - without), whole(DEALS)),
            ),
        )


def _told(parameters: Parameters) -> tuple[int, int, int, dict[str, object]]:
    """The deals with this bid, without such a card, and with both; what texts say of them."""
    tip, bid, call = parameters["tip"], parameters["bid"], parse_call(parameters["call"])
    tips = {
        "encyclopedia": _(
            "one trick for each 12 or 11, and one for every two of the 10s and 9s"
        ),
        "printed": _("one trick for each card of value 9 or more"),
    }
    facts = {"bid": bid, "call": call_words(call), "deals": whole(DEALS), "tip": tips[tip]}
    return *counted(tip, bid, call.number), facts


EXERCISES = (BidEvidence(),)
