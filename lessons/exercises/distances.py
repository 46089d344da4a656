"""Spread built up from one's own eight cards, distance by distance: type 28."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import DECK, HAND_SIZE, parse_card
from games.words import listed
from lessons.exercises.answers import Form, tell_apart
from lessons.exercises.contexts import Context, Family
from lessons.exercises.engine import (
    Blank,
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    NumberTable,
    Parameters,
    Wrong,
)
from lessons.exercises.own_hand import hand_cards, hand_facts, hand_words, own
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.spread import from_variance, sample_hint, variance_hint
from lessons.exercises.texts import (
    codes,
    decimal,
    math,
    tex_decimal,
    tex_number,
    tex_over,
    tex_root,
)
from lessons.probability import mean, root, variance


class Distances(Exercise):
    number = 28
    key = "distances"
    title = gettext_lazy("How far from the middle?")
    family, kind, level, lesson = Family.OWN_HAND, ExerciseKind.NUMBERS, "A", 7
    levels = ("A", "B")
    skill = Skill.SPREAD
    misconceptions = (
        Misconception.EQUIPROBABLE,
        Misconception.FLIPPED_SIGN,
        Misconception.VARIANCE_FOR_SD,
        Misconception.SAMPLE_SD,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        """One's own cards; instead of invented ones some whose mean is easy."""
        hand = own(context)
        if not hand.invented:
            return hand_facts(hand)
        while True:
            cards = rng.sample(DECK, HAND_SIZE)
            values = [card.value for card in cards]
            if sum(values) % 4 == 0 and 3 <= len(set(values)) <= 5:
                return {**hand_facts(hand), "dealt": list(codes(cards))}

    def build(self, parameters: Parameters) -> Instance:
        counts = Counter(parse_card(code).value for code in parameters["dealt"])
        values = dict(sorted(counts.items()))
        if self.level_of(parameters) == "B":
            return self._squares(parameters, values)
        return self._distances(parameters, values)

    def _distances(self, parameters: Parameters, values: dict[int, int]) -> Instance:
        centre = mean(values)
        away = {value: abs(value - centre) for value in values}
        total = sum((n * away[value] for value, n in values.items()), Fraction())
        once = sum(away.values(), Fraction()) / len(away)
        sums = " + ".join(rf"{n} \cdot {_plain(away[value])}" for value, n in values.items())
        return Instance(
            self.key,
            parameters,
            prompt=hand_words(parameters)
            + " "
            + _(
                "What is the mean of their values? How far from it is each value? And how "
                "far do the eight cards lie on average?"
            ),
            fields=(
                Field("mean", _("Mean"), Form.NUMBER),
                *(
                    Field(
                        f"d{value}",
                        _("Distance of the value %(v)d") % {"v": value},
                        Form.NUMBER,
                    )
                    for value in values
                ),
                Field("average", _("Average distance of a card"), Form.NUMBER),
            ),
            right={
                "mean": centre,
                **{f"d{value}": distance for value, distance in away.items()},
                "average": total / HAND_SIZE,
            },
            wrong=(
                *_if(
                    tell_apart(once, total / HAND_SIZE),
                    Wrong(
                        Misconception.EQUIPROBABLE,
                        {"average": once},
                        _(
                            "You took each value once. Are there equally many cards of "
                            "each? Every card has a distance of its own."
                        ),
                    ),
                ),
                *(
                    Wrong(
                        Misconception.FLIPPED_SIGN,
                        {f"d{value}": -distance},
                        _(
                            "You kept the sign of the difference. Can somebody live at a "
                            "distance below nothing?"
                        ),
                    )
                    for value, distance in away.items()
                    if distance
                ),
            ),
            solution=(
                _("Mean:")
                + " "
                + math(
                    f"{tex_over(sum(v * n for v, n in values.items()), HAND_SIZE)} "
                    f"{tex_decimal(centre, 4)}"
                ),
                _("The distances, without a sign: %(distances)s.")
                % {"distances": listed(decimal(each, 4) for each in away.values())},
                _("Each counts as often as there are such cards:")
                + " "
                + math(f"{tex_over(sums, HAND_SIZE)} {tex_decimal(total / HAND_SIZE)}"),
            ),
            cards=hand_cards(parameters),
            tables=(
                NumberTable(
                    _("Your cards, value by value"),
                    (_("Value"), _("Cards"), _("Distance from the mean")),
                    tuple((str(v), str(n), Blank(f"d{v}")) for v, n in values.items()),
                ),
            ),
        )

    def _squares(self, parameters: Parameters, values: dict[int, int]) -> Instance:
        centre, squares = mean(values), variance(values)
        square = {value: (value - centre) ** 2 for value in values}
        total = squares * HAND_SIZE
        once = sum(square.values(), Fraction()) / len(square)
        return Instance(
            self.key,
            parameters,
            prompt=hand_words(parameters)
            + " "
            + _(
                "The mean of their values is %(mean)s, and the distances are counted. Square "
                "each: what lies far away then weighs more. The mean of the squares, card by "
                "card, is the variance; its root, the standard deviation (SD), is a distance "
                "again."
            )
            % {"mean": decimal(centre, 4)},
            fields=(
                *(
                    Field(f"s{v}", _("Square for the value %(v)d") % {"v": v}, Form.NUMBER)
                    for v in values
                ),
                Field("variance", _("Variance"), Form.NUMBER),
                Field("sd", _("SD"), Form.NUMBER),
            ),
            right={
                **{f"s{value}": each for value, each in square.items()},
                "variance": squares,
                "sd": root(squares),
            },
            follows={"sd": from_variance(squares)},
            wrong=(
                *_if(
                    tell_apart(once, squares),
                    Wrong(
                        Misconception.EQUIPROBABLE,
                        {"variance": once},
                        _(
                            "You took each value once. Are there equally many cards of "
                            "each? Every card has a square of its own."
                        ),
                    ),
                ),
                Wrong(
                    Misconception.SAMPLE_SD,
                    {"variance": total / (HAND_SIZE - 1)},
                    sample_hint(),
                ),
                *_if(
                    tell_apart(squares, root(squares)),
                    Wrong(Misconception.VARIANCE_FOR_SD, {"sd": squares}, variance_hint()),
                ),
            ),
            solution=(
                _("The squares: %(squares)s.")
                % {"squares": listed(decimal(each, 4) for each in square.values())},
                _("Each counts as often as there are such cards. Their sum, shared by eight:")
                + " "
                + math(f"{tex_over(_plain(total, 5), HAND_SIZE)} {tex_decimal(squares)}"),
                _("The SD is the root of that:")
                + " "
                + math(f"{tex_root(squares)} {tex_decimal(root(squares))}"),
            ),
            cards=hand_cards(parameters),
            tables=(
                NumberTable(
                    _("Your cards, value by value"),
                    (_("Value"), _("Cards"), _("Distance"), _("Its square")),
                    tuple(
                        (str(v), str(n), decimal(abs(v - centre), 4), Blank(f"s{v}"))
                        for v, n in values.items()
                    ),
                ),
            ),
        )


def _if(is_told_apart: bool, wrong: Wrong) -> tuple[Wrong, ...]:
    """A wrong answer that these very cards can tell from the right one; else none."""
    return (wrong,) if is_told_apart else ()


def _plain(exact: Fraction, digits: int = 4) -> str:
    return tex_number(decimal(exact, digits))


EXERCISES = (Distances(),)
