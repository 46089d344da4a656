"""Questions about voids: type 12."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import HAND_SIZE
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import ALL_COUNTS, ALL_SHAPES, opposite
from lessons.exercises.engine import (
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


class AnyVoid(Exercise):
    number = 12
    key = "any-void"
    title = gettext_lazy("A void somewhere")
    family, kind, level, lesson = Family.DEAL, ExerciseKind.NUMBER, "C", 3
    skill = Skill.COMBINING
    misconceptions = (
        Misconception.DOUBLE_COUNT,
        Misconception.ASSUMES_INDEPENDENCE,
        Misconception.OPPOSITE,
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

    def build(self, parameters: Parameters) -> Instance:
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
