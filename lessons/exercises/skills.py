"""The closed lists that other code counts by: skills and misconceptions. What they are called
stands in ``pages/skills.txt``."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.utils.translation import gettext

from xactika_site.texts import read_sections

WORDS = Path(__file__).parent / "pages" / "skills.txt"


class _Words(NamedTuple):
    title: str
    advice: str


@cache
def _words_by_key() -> dict[str, _Words]:
    _head, *sections = read_sections(WORDS, ("title",))
    return {
        each.heading.text: _Words(
            each.keys["title"].text, " ".join(text.text for text in each.paragraphs)
        )
        for each in sections
    }


def texts() -> Iterator[str]:
    """Every text of the file, as translators get it."""
    for words in _words_by_key().values():
        yield from filter(None, words)


class _Titled(Enum):
    @property
    def title(self) -> str:
        """Its name for people."""
        return gettext(_words_by_key()[self.value].title)


class Skill(_Titled):
    """What an exercise trains; its value is stored and never changes."""

    COUNTING = "counting"
    GRAPHS = "graphs"
    SPREAD = "spread"
    CONDITIONS = "conditions"
    COMBINING = "combining"
    DRAWING = "drawing"
    EXPECTATION = "expectation"
    SAMPLES = "samples"
    REASONING = "reasoning"


class Misconception(_Titled):
    """What a wrong answer reveals; its value is stored and never changes."""

    ADDS_CHOICES = "adds-choices"
    SWAPS_POWER = "swaps-power"
    EQUIPROBABLE = "equiprobable"
    IGNORES_CONDITION = "ignores-condition"
    VARIANCE_FOR_SD = "variance-for-sd"
    SAMPLE_SD = "sample-sd"
    NORMAL_LAW = "normal-law"
    PERCENT_AS_DEGREES = "percent-as-degrees"
    INVERSE = "inverse"
    JOINT = "joint"
    DOUBLE_COUNT = "double-count"
    AND_FOR_OR = "and-for-or"
    EXCLUSIVE_INDEPENDENT = "exclusive-independent"
    REPLACEMENT = "replacement"
    IGNORES_NUMBER = "ignores-number"
    MUST_BE_WHOLE = "must-be-whole"
    ASSUMES_INDEPENDENCE = "assumes-independence"
    CARD_FOR_MEAN = "card-for-mean"
    IGNORES_EVIDENCE = "ignores-evidence"
    KEEPS_TOTAL = "keeps-total"
    GAMBLER = "gambler"
    EQUAL_SHARES = "equal-shares"
    ONE_RIVAL = "one-rival"
    VALUE_ONLY = "value-only"
    MODE_AS_BID = "mode-as-bid"
    ROUNDED_MEAN = "rounded-mean"
    FORGETS_PENALTY = "forgets-penalty"
    IGNORES_VOID = "ignores-void"
    EXACTLY_ONE = "exactly-one"
    SMALL_NUMBERS = "small-numbers"
    SAMPLE_SIZE = "sample-size"
    EVENS_OUT = "evens-out"
    MORE_DATA = "more-data"
    ZERO_MEAN = "zero-mean"
    OPPOSITE = "opposite"
    OTHER_CLASS = "other-class"
    COUNTS_AS_DEGREES = "counts-as-degrees"
    KEEPS_CLASS = "keeps-class"
    FLIPPED_SIGN = "flipped-sign"
    ONE_SIDED = "one-sided"
    PROVES_MODEL = "proves-model"
    AUTHORED = "authored"

    @property
    def advice(self) -> str:
        """What to do about it in class; empty where its title says so."""
        advice = _words_by_key()[self.value].advice
        return gettext(advice) if advice else ""
