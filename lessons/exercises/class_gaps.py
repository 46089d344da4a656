"""A question about gaps between what a class found and what was expected: type 23."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import HAND_SIZE, parse_call
from games.words import call_words
from lessons.exercises.answers import Form
from lessons.exercises.class_results import intro, results
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deal import draw_mark, mark_words, marked
from lessons.exercises.deck import CALLS
from lessons.exercises.engine import (
    LEVEL,
    TRIES,
    Blank,
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
from lessons.exercises.texts import decimal, math, tex_decimal, tex_over
from lessons.probability import CARDS, none_of


class GapsAndRatios(Exercise):
    number = 23
    key = "gaps-and-ratios"
    title = gettext_lazy("Do counts even out?")
    family, kind, level, lesson = Family.CLASS, ExerciseKind.CHOICE, "B", 6
    levels = ("A", "B")
    skill = Skill.SAMPLES
    misconceptions = (Misconception.EVENS_OUT,)

    def draw(self, rng: Random, context: Context) -> Parameters:
        """A gap to speak of: of half a hand at least."""
        given = results(context)
        hands, asks = len(given.hands), rng.choice(("more", "fewer", "on"))
        for _try in range(TRIES):
            mark = draw_mark(rng)
            without = sum(not any(holds(mark, card) for card in hand) for hand in given.hands)
            if abs(without - hands * none_of(marked(mark), HAND_SIZE)) >= LEAST_GAP:
                return {
                    "invented": given.invented,
                    "mark": mark,
                    "hands": hands,
                    "without": without,
                    "asks": asks,
                    "times": rng.choice((4, 9) if asks == "fewer" else (4, 9, 16, 25, 100)),
                }
        raise NoVariant("no gap to speak of")

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """Where gaps are counted: of cards of one class, so that a third is to be expected. The
        share of the gap is smaller with more cards, as it nearly always is."""
        if level == self.level:
            return self.draw(rng, context)
        given = results(context)
        hands = given.hands[: min(len(given.hands) // 3 * 3, MOST_HANDS)]
        times = rng.choice((4, 9))
        dealt = HAND_SIZE * len(hands)
        for _try in range(TRIES):
            call = rng.choice(CALLS)
            found = sum(card.shows(parse_call(call)) for hand in hands for card in hand)
            more = _dealt(rng, times * len(hands))
            gap, further = abs(3 * found - dealt), abs(3 * more - times * dealt)
            if gap and further not in (0, gap) and further < times * gap:
                return {
                    "invented": given.invented,
                    "call": call,
                    "cards": [dealt, times * dealt],
                    "found": [found, more],
                    LEVEL: level,
                }
        raise NoVariant("no gaps to compare")

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._counted(parameters)
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
                        "You let hands make up for those before them. Does a new deal know "
                        "what the earlier deals were?"
                    ),
                )
                for answers in evens_out[asks]
            ),
            solution=_gap_solution(asks, times, step),
        )

    def _counted(self, parameters: Parameters) -> Instance:
        """The gaps among some cards and among more, in numbers and as shares."""
        cards, found = parameters["cards"], parameters["found"]
        call = call_words(parse_call(parameters["call"]))
        expected = [dealt // 3 for dealt in cards]
        gaps = [abs(n - right) for n, right in zip(found, expected, strict=True)]
        shares = [Fraction(gap, dealt) for gap, dealt in zip(gaps, cards, strict=True)]
        tells = "less" if gaps[1] < gaps[0] else "count" if shares[1] < shares[0] else "both"
        numbers = ("gap", "more")
        of_cards = ("share", "less")
        even = Wrong(
            Misconception.EVENS_OUT,
            {"tells": "less"},
            _(
                "You let many cards make up for a gap. Which of the two numbers is larger in "
                "your row of gaps?"
            ),
        )
        return Instance(
            self.key,
            parameters,
            prompt=intro(parameters)
            + " "
            + _(
                "Each card shows %(call)s with a chance of 1 in 3. The table counts such cards "
                "among %(cards)d that were dealt, and among %(times)d times as many that a "
                "computer dealt. Fill in the gaps: how far is each number from what was to be "
                "expected? What share of the cards is that? And what do you see?"
            )
            % {"call": call, "cards": cards[0], "times": cards[1] // cards[0]},
            fields=(
                *(
                    Field(key, _("Gap among %(cards)d cards") % {"cards": dealt}, Form.COUNT)
                    for key, dealt in zip(numbers, cards, strict=True)
                ),
                *(
                    Field(
                        key,
                        _("Gap among %(cards)d cards, as a share of them") % {"cards": dealt},
                        Form.CHANCE,
                    )
                    for key, dealt in zip(of_cards, cards, strict=True)
                ),
                choice(
                    "tells",
                    _("With more cards"),
                    {
                        "count": _("the gap is larger, but a smaller share of the cards"),
                        "less": _("the gap is smaller, and a smaller share of the cards"),
                        "both": _("the gap is larger, and a larger share of the cards"),
                    },
                ),
            ),
            right={
                **{key: Fraction(gap) for key, gap in zip(numbers, gaps, strict=True)},
                **dict(zip(of_cards, shares, strict=True)),
                "tells": tells,
            },
            wrong=() if tells == "less" else (even,),
            solution=(
                _("The gaps:")
                + " "
                + math(
                    r", \quad ".join(
                        f"{max(pair)} - {min(pair)} = {gap}"
                        for *pair, gap in zip(found, expected, gaps, strict=True)
                    )
                ),
                _("As shares of the cards:")
                + " "
                + math(
                    r", \quad ".join(
                        f"{tex_over(gap, dealt)} {tex_decimal(share)}"
                        for gap, dealt, share in zip(gaps, cards, shares, strict=True)
                    )
                ),
                _(
                    "That is what usually happens: the gap grows with more cards, but slower "
                    "than their number."
                )
                if tells == "count"
                else _(
                    "Luck was at work. Usually the gap grows with more cards, but slower than "
                    "their number."
                ),
            ),
            tables=(
                NumberTable(
                    _("Cards that show %(call)s") % {"call": call},
                    ("", _("Class"), _("Computer")),
                    (
                        (_("all cards"), *map(str, cards)),
                        (_("with %(call)s") % {"call": call}, *map(str, found)),
                        (_("expected"), *map(str, expected)),
                        (_("gap"), *map(Blank, numbers)),
                        (_("gap, as a share"), *map(Blank, of_cards)),
                    ),
                ),
            ),
        )


LEAST_GAP = Fraction(1, 2)
"""Hands that were too many or too few, at least: of a smaller gap nothing can become."""

MOST_HANDS = 60
"""So many hands at most are counted; a multiple of 3, so that a third of the cards is whole."""


def _dealt(rng: Random, hands: int) -> int:
    """How many cards of one class a computer deals in so many hands."""
    cards, of_class = range(CARDS), CARDS // 3
    return sum(
        card < of_class for _hand in range(hands) for card in rng.sample(cards, HAND_SIZE)
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


EXERCISES = (GapsAndRatios(),)
