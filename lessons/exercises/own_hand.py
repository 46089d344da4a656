"""Questions about the student's own hand and public plays: types 13 and 14.

It has more than 450 lines: two types at two levels each ask about one hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import DECK, HAND_SIZE, parse_call, parse_card
from games.words import call_words
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family, OwnHand
from lessons.exercises.deck import CALLS, opposite
from lessons.exercises.engine import (
    LEVEL,
    Cards,
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    NoVariant,
    Parameters,
    Wrong,
    choice,
)
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.spread import from_variance, sample_hint, variance_hint
from lessons.exercises.texts import (
    cards_words,
    codes,
    decimal,
    math,
    printed,
    tex,
    tex_decimal,
    tex_number,
    tex_over,
    tex_root,
    tex_value,
)
from lessons.probability import (
    CARDS,
    Exact,
    mean,
    root,
    value_counts,
    variance,
    variance_of_mean,
)


def own(context: Context) -> OwnHand:
    """The context's own hand."""
    if context.hand is None:
        raise NoVariant("no hand")
    return context.hand


def hand_facts(hand: OwnHand) -> Parameters:
    """What the texts say of every own hand: its eight cards, and whether it is imagined."""
    return {"dealt": list(codes(hand.dealt)), "invented": hand.invented}


def hand_words(parameters: Parameters) -> str:
    """The first sentence about the hand that is drawn beside the question."""
    if parameters["invented"]:
        return _("Imagine that you were dealt these eight cards.")
    return _("You were dealt these eight cards.")


def hand_cards(parameters: Parameters) -> tuple[Cards, ...]:
    return (Cards(_("Your hand"), tuple(parameters["dealt"])),)


def fresh(context: Context) -> OwnHand:
    """The own hand before the first card is played."""
    hand = own(context)
    if not hand.is_fresh:
        raise NoVariant("a card has been played")
    return hand


class HandSpread(Exercise):
    number = 13
    key = "hand-spread"
    title = gettext_lazy("Your hand beside all hands")
    family, kind, level, lesson = Family.OWN_HAND, ExerciseKind.NUMBERS, "B", 7
    skill = Skill.SPREAD
    misconceptions = (
        Misconception.VARIANCE_FOR_SD,
        Misconception.SAMPLE_SD,
        Misconception.CARD_FOR_MEAN,
        Misconception.FLIPPED_SIGN,
    )
    levels = ("B", "C")

    def draw(self, rng: Random, context: Context) -> Parameters:
        return {**hand_facts(own(context)), "part": "summary"}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """B: the hand alone. C: its mean among the means of all hands, which needs the SD of a
        mean of cards that are not put back."""
        drawn = super().draw_at(level, rng, context)
        return drawn if level == self.level else {**drawn, "part": "z"}

    def build(self, parameters: Parameters) -> Instance:
        values = sorted(parse_card(code).value for code in parameters["dealt"])
        if parameters["part"] == "summary":
            return self._summary(parameters, values)
        return self._standing(parameters, values)

    def _summary(self, parameters: Parameters, values: Sequence[int]) -> Instance:
        counts = Counter(values)
        squares, centre = variance(counts), mean(counts)
        median = Fraction(values[3] + values[4], 2)
        often = [value for value, n in counts.items() if n == max(counts.values())]
        mode = {"mode": Fraction(often[0])} if len(often) == 1 else {}
        total = sum(values)
        return Instance(
            self.key,
            parameters,
            prompt=hand_words(parameters)
            + " "
            + _(
                "Describe the values of these eight cards. They are all that is described, so "
                "the standard deviation (SD) is a population's."
            ),
            fields=(
                Field("mean", _("Mean"), Form.NUMBER),
                Field("median", _("Median"), Form.NUMBER),
                *((Field("mode", _("Mode"), Form.NUMBER),) if mode else ()),
                Field("sd", _("SD"), Form.NUMBER),
            ),
            right={"mean": centre, "median": median, **mode, "sd": root(squares)},
            follows={"sd": from_variance(squares)},
            wrong=(
                Wrong(Misconception.VARIANCE_FOR_SD, {"sd": squares}, variance_hint()),
                Wrong(
                    Misconception.SAMPLE_SD,
                    {"sd": root(squares * Fraction(8, 7))},
                    sample_hint(),
                ),
            ),
            solution=(
                _("In order: %(values)s.") % {"values": ", ".join(map(str, values))},
                _(
                    "Mean: %(mean)s. The median lies between the fourth and the fifth: "
                    "%(median)s."
                )
                % {
                    "mean": math(f"{tex_over(total, 8)} {tex_decimal(centre)}"),
                    "median": math(
                        f"{tex_over(f'{values[3]} + {values[4]}', 2)} = {_plain(median)}"
                    ),
                },
                *(
                    (_("The mode is the commonest value: %(mode)d.") % {"mode": often[0]},)
                    if mode
                    else ()
                ),
                _("SD, the root of the mean squared distance from the mean: %(sd)s.")
                % {"sd": math(f"{tex_root(squares)} {tex_decimal(root(squares))}")},
            ),
            cards=hand_cards(parameters),
        )

    def _standing(self, parameters: Parameters, values: Sequence[int]) -> Instance:
        centre = Fraction(sum(values), HAND_SIZE)
        one = variance(value_counts())
        of_mean = variance_of_mean(one, HAND_SIZE)
        away = centre - mean(value_counts())
        sign = -1 if away < 0 else 1
        standing = root(away**2 / of_mean, sign)
        return Instance(
            self.key,
            parameters,
            prompt=hand_words(parameters)
            + " "
            + _(
                "What is the mean of their values? All possible hands have means, too; these "
                "have a mean and an SD of their own. How many of these SDs does your hand's "
                "mean lie above (or, with a minus, below) the mean of all hands?"
            ),
            fields=(
                Field("mean", _("Mean of your hand"), Form.NUMBER),
                Field("z", _("z, in SDs of a hand's mean"), Form.NUMBER),
            ),
            right={"mean": centre, "z": standing},
            wrong=(
                Wrong(
                    Misconception.CARD_FOR_MEAN,
                    {"z": root(away**2 / one, sign)},
                    _(
                        "You divided by the SD of a single card. Do means of whole hands "
                        "spread as widely as single cards do?"
                    ),
                ),
                Wrong(
                    Misconception.FLIPPED_SIGN,
                    {"z": root(away**2 / of_mean, -sign)},
                    _(
                        "Your z points to the other side. Does your hand's mean lie above or "
                        "below that of all hands, and which sign says so?"
                    ),
                ),
            ),
            # The SD is printed with three digits in lesson 7 and with four below.
            follows={"z": tuple(away / printed(root(of_mean), digits) for digits in (3, 4))},
            solution=(
                _("Your mean is %(mean)s; the mean of all hands is %(centre)s.")
                % {"mean": math(_plain(centre, 5)), "centre": math(tex(mean(value_counts())))},
                _(
                    "A card's variance is %(one)s. The mean of eight has an eighth of it, and "
                    "a little less because no card comes twice: %(product)s. Its root is the "
                    "SD: %(sd)s."
                )
                % {
                    "one": math(tex(one)),
                    "product": math(
                        rf"{tex(one)} \cdot {tex_over(1, 8)} \cdot {tex_over(73, 80)} "
                        f"= {tex(of_mean)}"
                    ),
                    "sd": math(f"{tex_root(of_mean)} {tex_decimal(root(of_mean), 4)}"),
                },
                math(
                    rf"z = \frac{{{_plain(centre, 5)} - 8}}{{{_plain(root(of_mean))}}} "
                    + tex_decimal(standing)
                ),
            ),
            cards=hand_cards(parameters),
        )


class UnseenCard(Exercise):
    number = 14
    key = "unseen-card"
    title = gettext_lazy("A card that you cannot see")
    family, kind, level, lesson = Family.OWN_HAND, ExerciseKind.NUMBER, "B", 4
    levels = ("B", "C")
    skill = Skill.CONDITIONS
    misconceptions = (
        Misconception.IGNORES_EVIDENCE,
        Misconception.KEEPS_TOTAL,
        Misconception.GAMBLER,
        Misconception.KEEPS_CLASS,
        Misconception.OPPOSITE,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        return {**hand_facts(fresh(context)), "call": rng.choice(CALLS)}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """C: some undealt cards are seen, too; drawn by chance, whatever really lies there."""
        drawn = super().draw_at(level, rng, context)
        if level == self.level:
            return drawn
        unseen = fresh(context).unseen
        if unseen.undealt < MOST_FALLEN:
            raise NoVariant("nearly all cards are dealt")
        fallen = rng.sample(unseen.cards, rng.randint(3, MOST_FALLEN))
        return {**drawn, "fallen": list(codes(sorted(fallen, key=DECK.index)))}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
        call = parse_call(parameters["call"])
        held = sum(parse_card(code).shows(call) for code in parameters["dealt"])
        size = CARDS // 3
        unseen = CARDS - HAND_SIZE
        chance = Fraction(size - held, unseen)
        due = Fraction(2 * HAND_SIZE, 3) - held  # so that two hands together are average
        return Instance(
            self.key,
            parameters,
            prompt=hand_words(parameters)
            + " "
            + _(
                "No card has been played yet. Point at any card that you cannot see, in "
                "another hand or undealt. What is the chance that it shows %(call)s?"
            )
            % {"call": call_words(call)},
            fields=(Field("chance", _("Chance"), Form.CHANCE),),
            right={"chance": chance},
            wrong=(
                Wrong(
                    Misconception.IGNORES_EVIDENCE,
                    {"chance": Fraction(size, CARDS)},
                    _(
                        "You gave the share in the whole deck. You have already seen some of "
                        "its cards: which ones can the hidden card no longer be?"
                    ),
                ),
                Wrong(
                    Misconception.KEEPS_TOTAL,
                    {"chance": Fraction(size - held, CARDS)},
                    _(
                        "You took your own cards away from those that you look for. From what "
                        "else must they be taken away?"
                    ),
                ),
                Wrong(
                    Misconception.KEEPS_CLASS,
                    {"chance": Fraction(size, unseen)},
                    _(
                        "You took your own cards off those that are hidden. Do some of them "
                        "also belong to the cards that you look for?"
                    ),
                ),
                opposite("chance", chance),
                *(
                    (
                        Wrong(
                            Misconception.GAMBLER,
                            {"chance": due / HAND_SIZE},
                            _(
                                "You let the next hand make up for yours. Do the hidden cards "
                                "know what you hold, or is it only a matter of which are left?"
                            ),
                        ),
                    )
                    if due > 0
                    else ()
                ),
            ),
            solution=(
                _(
                    "The deck has %(size)d such cards and you hold %(held)d of them. You see "
                    "%(eight)d cards of %(all)d, so %(unseen)d are hidden, and each of them is "
                    "equally likely to be the one you point at:"
                )
                % {
                    "size": size,
                    "held": held,
                    "eight": HAND_SIZE,
                    "all": CARDS,
                    "unseen": unseen,
                },
                math(
                    tex_over(f"{size} - {held}", f"{CARDS} - {HAND_SIZE}")
                    + f" = {tex_value(chance)}"
                ),
            ),
            cards=hand_cards(parameters),
        )

    def _structure(self, parameters: Parameters) -> Instance:
        """What some more cards tell: both counts shrink, and the chance may go either way."""
        call, fallen = parse_call(parameters["call"]), parameters["fallen"]
        held, shown = (
            sum(parse_card(code).shows(call) for code in cards)
            for cards in (parameters["dealt"], fallen)
        )
        some, unseen = CARDS // 3 - held, CARDS - HAND_SIZE
        before = Fraction(some, unseen)
        left, rest = some - shown, unseen - len(fallen)
        now = Fraction(left, rest)
        tells = "more" if now > before else "less" if now < before else "same"
        same = _(
            "You left the chance as it was. Can the hidden card still be one of those that "
            "have just been seen?"
        )
        ends = {
            "more": _("More likely than before: few of the cards that were seen show it."),
            "same": _("Just as likely as before."),
            "less": _("Less likely than before: many of the cards that were seen show it."),
        }
        partly = (
            Wrong(
                Misconception.KEEPS_TOTAL,
                {"chance": Fraction(left, unseen)},
                _(
                    "You took the new cards off those that you look for. From what else must "
                    "they be taken away?"
                ),
            ),
            Wrong(
                Misconception.KEEPS_CLASS,
                {"chance": Fraction(some, rest)},
                _(
                    "You took the new cards off those that are hidden. Do some of them also "
                    "belong to the cards that you look for?"
                ),
            ),
        )
        return Instance(
            self.key,
            parameters,
            prompt=hand_words(parameters)
            + " "
            + _(
                "A card that you cannot see shows %(call)s with chance %(chance)s. Now imagine "
                "that somebody drops the undealt cards, and %(fallen)s fall face up. Point at "
                "a card that you still cannot see: what is the chance now that it shows "
                "%(call)s?"
            )
            % {
                "call": call_words(call),
                "chance": f"{some}/{unseen}",
                "fallen": cards_words(len(fallen)),
            },
            fields=(
                Field("chance", _("Chance now"), Form.CHANCE),
                choice(
                    "tells",
                    _("That is"),
                    {
                        "less": _("less likely than before"),
                        "same": _("just as likely as before"),
                        "more": _("more likely than before"),
                    },
                    is_scale=True,
                ),
            ),
            right={"chance": now, "tells": tells},
            wrong=(
                Wrong(Misconception.IGNORES_EVIDENCE, {"chance": before}, same),
                Wrong(Misconception.IGNORES_EVIDENCE, {"tells": "same"}, same),
                *(partly if shown else ()),
                opposite("chance", now),
            ),
            solution=(
                _(
                    "Of %(unseen)d hidden cards %(some)d showed it. %(fallen)d of them are "
                    "hidden no longer. So many of these show it: %(shown)d."
                )
                % {"unseen": unseen, "some": some, "fallen": len(fallen), "shown": shown},
                math(
                    tex_over(f"{some} - {shown}", f"{unseen} - {len(fallen)}")
                    + f" = {tex_over(left, rest)} {tex_decimal(now)}"
                ),
                _("Before it was")
                + " "
                + math(f"{tex_over(some, unseen)} {tex_decimal(before)}"),
                ends[tells],
            ),
            cards=(*hand_cards(parameters), Cards(_("Fallen face up"), tuple(fallen))),
        )


def _plain(exact: Exact, digits: int = 4) -> str:
    return tex_number(decimal(exact, digits))


MOST_FALLEN = 5
"""As many undealt cards may be seen at once."""

MOST_RIVALS = 8
"""Above this a lead is hopeless, and its chance is not worth working out."""


EXERCISES = (HandSpread(), UnseenCard())
