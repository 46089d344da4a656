"""Questions about voids: type 12."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import HAND_SIZE
from games.words import call_words
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import ALL_COUNTS, ALL_SHAPES, call_of, opposite
from lessons.exercises.engine import (
    LEVEL,
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    Parameters,
    Wrong,
)
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import (
    cards_words,
    deck_words,
    fixed,
    math,
    one_of,
    tex_choose,
    tex_number,
    tex_over,
)
from lessons.probability import (
    any_void,
    none_of,
    rounded,
)

COUNTABLE = (
    *((2, (1, 2, 3), 2), (2, (1, 2, 3), 3), (2, (1, 2, 3, 4), 2)),
    *((3, (1, 2), 2), (3, (2, 3), 2)),
)
"""Shapes and counts of small decks, and how many cards one holds of them."""


class AnyVoid(Exercise):
    number = 12
    key = "any-void"
    title = gettext_lazy("A void somewhere")
    family, kind, level, lesson = Family.DEAL, ExerciseKind.NUMBER, "C", 3
    levels = ("B", "C")
    skill = Skill.COMBINING
    misconceptions = (
        Misconception.DOUBLE_COUNT,
        Misconception.ASSUMES_INDEPENDENCE,
        Misconception.OPPOSITE,
        Misconception.AND_FOR_OR,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        if rng.random() < 0.4:
            counts = rng.choice((ALL_COUNTS, ALL_COUNTS, rng.sample(ALL_COUNTS, 2)))
            return {
                "shapes": ALL_SHAPES,
                "counts": ALL_COUNTS,
                "asked": sorted(counts),
                "drawn": HAND_SIZE,
            }
        shapes = sorted(rng.sample(ALL_SHAPES, rng.choice((3, 3, 4))))
        counts = ALL_COUNTS if len(shapes) == 3 else sorted(rng.sample(ALL_COUNTS, 2))
        drawn = rng.randint(4, 8) if len(counts) == 3 else rng.randint(3, 7)
        return {"shapes": shapes, "counts": counts, "asked": counts, "drawn": drawn}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """B: two classes alone, in a deck whose hands can be counted."""
        if level == self.level:
            return self.draw(rng, context)
        k, counts, drawn = rng.choice(COUNTABLE)
        shapes = sorted(rng.sample(ALL_SHAPES, k))
        classes = [[s, c] for s in shapes for c in counts if c in ALL_COUNTS]
        one, other = sorted(rng.sample(classes, 2))
        while one[0] == other[0] and len(counts) == 2:  # such a hand would be empty
            one, other = sorted(rng.sample(classes, 2))
        return {
            "shapes": shapes,
            "counts": list(counts),
            "asked": [one, other],
            "drawn": drawn,
            LEVEL: level,
        }

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._two(parameters)
        shapes, counts = parameters["shapes"], parameters["counts"]
        asked, drawn = parameters["asked"], parameters["drawn"]
        k, n, deck = len(shapes), len(counts), len(counts) ** len(shapes)
        classes = len(asked) * k
        single = none_of(deck // n, drawn, deck)
        chance = any_void((len(asked),) * k, drawn, n)
        steps = sum_steps(k, len(asked), n, drawn, chance)
        return Instance(
            self.key,
            parameters,
            prompt=f"{deck_words(shapes, counts)} "
            + _(
                "You hold %(cards)s. Look at the %(classes)d classes with %(counts)s of a "
                "shape. What is the chance that you are void in at least one of them?"
            )
            % {
                "cards": cards_words(drawn),
                "classes": classes,
                "counts": one_of(asked),
            },
            fields=(Field("chance", _("Chance"), Form.CHANCE),),
            right={"chance": chance},
            wrong=(
                Wrong(
                    Misconception.DOUBLE_COUNT,
                    {"chance": classes * single},
                    _(
                        "You added the chances of the single voids. A hand may be void in two "
                        "classes at once: how often have you counted it?"
                    ),
                ),
                Wrong(
                    Misconception.ASSUMES_INDEPENDENCE,
                    {"chance": 1 - (1 - single) ** classes},
                    _(
                        "You multiplied as if the classes knew nothing of each other. If your "
                        "hand has none of one class, does that leave more or less room for the "
                        "others?"
                    ),
                ),
                opposite("chance", chance),
            ),
            solution=(
                _(
                    "Add the chances of each void, take off the pairs that were counted twice, "
                    "add what was then taken off too often, and so on:"
                ),
                *steps,
            ),
        )

    def _two(self, parameters: Parameters) -> Instance:
        """Voids in two classes: add, and take off what was counted twice."""
        shapes, counts = parameters["shapes"], parameters["counts"]
        one, other = parameters["asked"]
        n, drawn = len(counts), parameters["drawn"]
        deck = n ** len(shapes)
        without = deck - deck // n
        neither = deck * (n - 2) // n if one[0] == other[0] else deck * (n - 1) ** 2 // n**2
        total, single, both = comb(deck, drawn), comb(without, drawn), comb(neither, drawn)
        some = 2 * single - both
        facts = {"one": call_words(call_of(*one)), "other": call_words(call_of(*other))}
        return Instance(
            self.key,
            parameters,
            prompt=f"{deck_words(shapes, counts)} "
            + _(
                "You hold %(cards)s of it: there are %(total)d such hands. In how many of them "
                "is no card with %(one)s? In as many there is none with %(other)s. In how many "
                "of them is neither? And how many hands have a void: no card with %(one)s, or "
                "none with %(other)s, or both?"
            )
            % {**facts, "cards": cards_words(drawn), "total": total},
            fields=(
                Field("single", _("Hands without %(one)s") % facts, Form.COUNT),
                Field("both", _("Hands without either") % facts, Form.COUNT),
                Field("some", _("Hands with a void") % facts, Form.COUNT),
            ),
            right={
                "single": Fraction(single),
                "both": Fraction(both),
                "some": Fraction(some),
            },
            wrong=(
                Wrong(
                    Misconception.DOUBLE_COUNT,
                    {"some": Fraction(2 * single)},
                    _(
                        "You added the two kinds of hands. How often did you count a hand that "
                        "lacks both?"
                    ),
                ),
                Wrong(
                    Misconception.ASSUMES_INDEPENDENCE,
                    {"both": Fraction(single**2, total)},
                    _(
                        "You took one share of the other share, as if the two voids knew "
                        "nothing of each other. Which cards of the deck can a hand without "
                        "either still have?"
                    ),
                ),
                Wrong(
                    Misconception.OPPOSITE,
                    {"some": Fraction(total - some)},
                    _("You counted the hands that hold both. Which hands have a void?"),
                ),
                Wrong(
                    Misconception.AND_FOR_OR,
                    {"some": Fraction(both)},
                    _(
                        "You counted the hands that lack both. Does a hand that lacks only one "
                        "of the two have a void, too?"
                    ),
                ),
            ),
            solution=(
                _("Of %(deck)d cards %(without)d do not show %(one)s. Choose %(drawn)d:")
                % {**facts, "deck": deck, "without": without, "drawn": drawn}
                + " "
                + math(_choices(without, drawn)),
                _("%(neither)d cards show neither. Choose %(drawn)d:")
                % {"neither": neither, "drawn": drawn}
                + " "
                + math(_choices(neither, drawn)),
                _("Hands without either are in both groups, so take them off once:")
                + " "
                + math(f"{single} + {single} - {both} = {some}"),
            ),
        )


def _choices(cards: int, drawn: int) -> str:
    """In how many ways so many are chosen, as a formula: card by card, over all orders."""
    ways = r" \cdot ".join(str(cards - k) for k in range(drawn))
    orders = r" \cdot ".join(str(drawn - k) for k in range(drawn))
    return f"{tex_over(ways, orders)} = {comb(cards, drawn)}"


def sum_steps(shapes: int, asked: int, numbers: int, drawn: int, chance: Fraction) -> list[str]:
    """Inclusion-exclusion as formulas: single voids, pairs of one shape and of two shapes, all
    further terms together, and the sum, with so many decimals that they add up as printed."""
    deck = numbers**shapes
    all_hands = tex_choose(deck, drawn)
    terms = (
        (asked * shapes, (numbers - 1) * numbers ** (shapes - 1)),
        (-shapes * comb(asked, 2), (numbers - 2) * numbers ** (shapes - 1)),
        (-comb(shapes, 2) * asked**2, (numbers - 1) ** 2 * numbers ** (shapes - 2)),
    )
    told = {
        rf"{sets} \cdot {tex_over(tex_choose(cards, drawn), all_hands)}": Fraction(
            sets * comb(cards, drawn), comb(deck, drawn)
        )
        for sets, cards in terms
        if comb(cards, drawn) and sets
    }
    rest = chance - sum(told.values())
    shares = [*told.values(), rest] if rest else list(told.values())
    places = _adding_up(shares, chance)
    steps = [math(f"{term} {_as_printed(share, places)}") for term, share in told.items()]
    if rest:
        further = math(tex_number(fixed(rest, places)))
        steps.append(_("All further terms together: %(rest)s.") % {"rest": further})
    first, *others = shares
    written = [
        tex_number(fixed(first, places)),
        *(
            f"{'-' if share < 0 else '+'} {tex_number(fixed(abs(share), places))}"
            for share in others
        ),
        f"= {tex_number(fixed(chance, places))}",
    ]
    total = " ".join(map(math, written))  # one by one: a line may break between them
    return [*steps, _("Together: %(chance)s.") % {"chance": total}]


def _adding_up(shares: Sequence[Fraction], total: Fraction) -> int:
    """The fewest decimals, from four on, with which none of these numbers is rounded to zero,
    and rounded they add up to their rounded total."""
    places = 4
    while True:
        printed = [rounded(share, places) for share in shares]
        if all(printed) and sum(printed) == rounded(total, places):
            return places
        places += 1


def _as_printed(share: Fraction, places: int) -> str:
    sign = "=" if rounded(share, places) == share else r"\approx"
    return f"{sign} {tex_number(fixed(share, places))}"


EXERCISES = (AnyVoid(),)
