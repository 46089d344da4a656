"""A class's rules for bidding against each other, as a lesson of its own: everybody hands one
in, all of them play the same boards, and whose is best explains it. Like a starter it has no
number, no teacher's page, and counts in no figure of a class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.analysis.workshop import SLIDERS, Rule, clamped_rule
from lessons.course.plan import Lesson, Step, StepKind
from lessons.exercises.engine import Level

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SLUG = "rule-contest"
MINUTES = 20

WORTH: dict[str, StrOrPromise] = {
    "high": gettext_lazy("An 11 or 12 is worth"),
    "ten": gettext_lazy("A 10 is worth"),
    "nine": gettext_lazy("A 9 is worth"),
    "single": gettext_lazy("Extra for a 10 or 9 that shows a shape only once"),
    "few": gettext_lazy("Extra for each player fewer than 6"),
}
"""The numbers of a rule for bidding; in a contest all play alike."""


class NoNumber(ValueError):
    """A text that stands where a number belongs; ``name`` says for what."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def as_number(text: str) -> float | None:
    """The number in a text, with a point or a comma and any minus sign; None for no number."""
    try:
        value = float(text.replace(",", ".").replace("−", "-").replace("–", "-"))
    except ValueError:
        return None
    return value if isfinite(value) else None


def handed_in(texts: Mapping[str, str]) -> tuple[Rule, tuple[str, ...]]:
    """The rule of what was typed, and which of its numbers were not allowed and went to the
    nearest that is. NoNumber for a field that holds none."""
    typed = {}
    for name in WORTH:
        value = as_number(texts.get(name, "").strip()[:40])
        if value is None:
            raise NoNumber(name)
        typed[name] = value
    rule = clamped_rule(typed)
    return rule, tuple(
        name for name, value in typed.items() if abs(value - getattr(rule, name)) > 1e-6
    )


def as_stored(rule: Rule) -> dict[str, float]:
    """A rule as it is kept."""
    return {name: getattr(rule, name) for name in WORTH}


def stored_rule(numbers: Mapping[str, float]) -> Rule:
    """A rule as it was kept; what its sliders do not allow any more is taken to the nearest."""
    own = {name: value for name, value in numbers.items() if name in SLIDERS}
    return replace(Rule(), **as_stored(clamped_rule(own)))


def contest() -> Lesson:
    """The contest, in the reader's language."""
    return Lesson(
        slug=SLUG,
        title=_("Whose rule bids best?"),
        level=Level.B,
        minutes=MINUTES,
        summary=_("Everybody hands in a rule for bidding; all of them play the same boards."),
        cover="3333 2333 1333",
        steps=(
            Step(
                name="rule",
                kind=StepKind.PREDICT,
                title=_("Make a rule for bidding"),
                paragraphs=(
                    _(
                        "The bid is what your rule adds up for a hand, rounded (a half goes "
                        "down: 2.5 to 2). It begins as tip B: 1 for each 11 or 12, ½ for each "
                        "10 or 9. Change what you think is wrong."
                    ),
                    _(
                        "Your rule plays 10,000 rounds of Play to Bid at tables of 3 to 6, "
                        "with the same cards as all others. The class sees all rules without "
                        "names."
                    ),
                ),
                rule=True,
            ),
            Step(
                name="standings",
                kind=StepKind.REVEAL,
                title=_("Whose rule bids best?"),
                paragraphs=(
                    _(
                        "==The winner explains the best rule: why these numbers?== What do "
                        "good rules share that the tips don’t?"
                    ),
                    _(
                        "Among many rules one is the luckiest. So the best played again on "
                        "fresh cards; with no difference shown, nobody is ahead."
                    ),
                ),
                of="rule",
            ),
        ),
    )
