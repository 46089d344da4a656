"""Questions about several draws in a row: type 27 (a tree of draws)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from random import Random
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import CALLS, opposite
from lessons.exercises.engine import (
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    Parameters,
    Tree,
    Wrong,
)
from lessons.exercises.events import count_cards, event_words
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import (
    exact_percent,
    math,
    printed,
    tex_decimal,
    tex_over,
    tex_rest,
)
from lessons.exercises.two_way_tables import Event, heads
from lessons.probability import CARDS


def none_in(marked: int, draws: int) -> Fraction:
    """That none of the marked cards is among so many: draw after draw, each from one card
    less."""
    return prod(
        (Fraction(CARDS - marked - k, CARDS - k) for k in range(draws)), start=Fraction(1)
    )


def tree_of(event: Event, *, hidden: Sequence[str] = (), ends: Sequence[str] = ()) -> Tree:
    """The tree of two draws from the deck; what is ``hidden`` ("again", "then") is asked for,
    ``ends`` take the place of the four products."""
    marked = count_cards(event)
    rest = CARDS - marked
    after = {
        "again": f"{marked - 1}/{CARDS - 1}",
        "not again": f"{rest}/{CARDS - 1}",
        "then": f"{marked}/{CARDS - 1}",
        "never": f"{rest - 1}/{CARDS - 1}",
    }
    second = tuple("?" if key in hidden else text for key, text in after.items())
    return Tree(
        _("Two cards, one after the other"),
        heads(event),
        (f"{marked}/{CARDS}", f"{rest}/{CARDS}"),
        (second[0], second[1], second[2], second[3]),
        (ends[0], ends[1], ends[2], ends[3]) if ends else ("", "", "", ""),
    )


def path_tree(event: Event) -> Tree:
    """The tree of two draws, with the product at the end of each path."""
    marked = count_cards(event)
    rest = CARDS - marked
    pairs = ((marked, marked - 1), (marked, rest), (rest, marked), (rest, rest - 1))
    ends = [exact_percent(Fraction(a * b, CARDS * (CARDS - 1))) for a, b in pairs]
    return tree_of(event, ends=ends)


MOST_DRAWS = 5


class TwoDraws(Exercise):
    number = 27
    key = "draw-tree"
    title = gettext_lazy("At least one in some draws")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBERS, "B", 4
    levels = ("A", "B", "C")
    skill = Skill.COMBINING
    misconceptions = (
        Misconception.ADDS_CHOICES,
        Misconception.REPLACEMENT,
        Misconception.DOUBLE_COUNT,
        Misconception.OPPOSITE,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        events: tuple[list[Any], ...] = (
            ["call", rng.choice(CALLS)],
            ["least", rng.randint(8, 10)],
            ["value", rng.randint(6, 10)],
        )
        return {"event": rng.choice(events), "draws": 2}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """A: along the paths of a tree. B: a tree with holes, and at least one. C: at least one
        in more draws than a tree could hold."""
        drawn = super().draw_at(level, rng, context)
        return {**drawn, "draws": rng.randint(3, MOST_DRAWS)} if level == "C" else drawn

    def build(self, parameters: Parameters) -> Instance:
        level = self.level_of(parameters)
        return self._paths(parameters) if level == "A" else self._at_least(parameters)

    def _paths(self, parameters: Parameters) -> Instance:
        event = parameters["event"]
        marked = count_cards(event)
        rest = CARDS - marked
        both = Fraction(marked * (marked - 1), CARDS * (CARDS - 1))
        neither = none_in(marked, 2)
        adds = _(
            "You added the chances along the path. Does a path with two steps happen more "
            "often than its first step alone?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "You draw two cards from the full deck and keep them. At each branch of the "
                "tree stands its chance. How likely are the highest path, on which both cards "
                "do it, and the lowest, on which neither does?"
            ),
            fields=(
                Field(
                    "both", _("Both cards: %(name)s") % {"name": heads(event)[0]}, Form.CHANCE
                ),
                Field("neither", _("Neither card"), Form.CHANCE),
            ),
            right={"both": both, "neither": neither},
            wrong=(
                Wrong(
                    Misconception.ADDS_CHOICES,
                    {"both": Fraction(marked, CARDS) + Fraction(marked - 1, CARDS - 1)},
                    adds,
                ),
                Wrong(
                    Misconception.ADDS_CHOICES,
                    {"neither": Fraction(rest, CARDS) + Fraction(rest - 1, CARDS - 1)},
                    adds,
                ),
            ),
            solution=(
                _("Multiply along a path. Both:") + " " + _path(marked, 2, both),
                _("Neither:") + " " + _path(rest, 2, neither),
            ),
            tree=tree_of(event),
        )

    def _at_least(self, parameters: Parameters) -> Instance:
        event, draws = parameters["event"], parameters["draws"]
        marked, is_tree = count_cards(event), draws == 2
        rest = CARDS - marked
        none = none_in(marked, draws)
        put_back = Fraction(rest, CARDS) ** draws
        again = Fraction(marked - 1, CARDS - 1)
        facts = {"what": event_words(event), "draws": draws, "name": heads(event)[0]}
        back = _(
            "You drew from a full deck each time. Where is the first card when the second is "
            "drawn?"
        )
        holes = (Field("again", _("The branch marked ?"), Form.CHANCE),) if is_tree else ()
        right = {"again": again} if is_tree else {}
        replaced = (
            (Wrong(Misconception.REPLACEMENT, {"again": Fraction(marked, CARDS)}, back),)
            if is_tree
            else ()
        )
        return Instance(
            self.key,
            parameters,
            prompt=(
                _(
                    "You draw two cards from the full deck and keep them. Fill in the branch "
                    "that is missing. How likely is it that neither card %(what)s, and that at "
                    "least one does?"
                )
                if is_tree
                else _(
                    "You draw %(draws)d cards from the full deck and keep them. How likely is "
                    "it that none of them %(what)s, and that at least one does?"
                )
            )
            % facts,
            fields=(
                *holes,
                Field("none", _("None of the cards: %(name)s") % facts, Form.CHANCE),
                Field("some", _("At least one: %(name)s") % facts, Form.CHANCE),
            ),
            right={**right, "none": none, "some": 1 - none},
            follows={"some": (1 - printed(none),)},
            wrong=(
                *replaced,
                Wrong(Misconception.REPLACEMENT, {"none": put_back}, back),
                Wrong(Misconception.REPLACEMENT, {"some": 1 - put_back}, back),
                Wrong(
                    Misconception.DOUBLE_COUNT,
                    {"some": Fraction(draws * marked, CARDS)},
                    _(
                        "You added one chance for each card. How often did you count the draws "
                        "in which several cards do it?"
                    ),
                ),
                opposite("none", none),
                opposite("some", 1 - none),
            ),
            solution=(
                *(
                    (
                        _("One such card is gone, and so is one card of the deck:")
                        + " "
                        + math(f"{tex_over(marked - 1, CARDS - 1)} {tex_decimal(again)}"),
                    )
                    if is_tree
                    else ()
                ),
                _("None: multiply along the one path on which it never happens:")
                + " "
                + _path(rest, draws, none),
                _("At least one is all the rest:") + " " + math(tex_rest(none)),
            ),
            tree=tree_of(event, hidden=("again",)) if is_tree else None,
        )


def _path(good: int, draws: int, chance: Fraction) -> str:
    steps = r" \cdot ".join(tex_over(good - k, CARDS - k) for k in range(draws))
    return math(f"{steps} {tex_decimal(chance)}")


EXERCISES = (TwoDraws(),)
