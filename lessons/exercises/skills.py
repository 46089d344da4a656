"""The closed lists that other code counts by: skills and misconceptions, with human names."""

from __future__ import annotations

from enum import Enum

from django.utils.translation import gettext_lazy as _


class Skill(Enum):
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

    @property
    def title(self) -> str:
        """The skill's name for people."""
        return str(_SKILLS[self])


_SKILLS = {
    Skill.COUNTING: _("Counting what is possible"),
    Skill.GRAPHS: _("Graphs"),
    Skill.SPREAD: _("Centre and spread"),
    Skill.CONDITIONS: _("Chances once you know something"),
    Skill.COMBINING: _("And, or, at least one"),
    Skill.DRAWING: _("Drawing without putting back"),
    Skill.EXPECTATION: _("Expected value"),
    Skill.SAMPLES: _("Samples and the long run"),
    Skill.REASONING: _("What must be so"),
}


class Misconception(Enum):
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

    @property
    def title(self) -> str:
        """The misconception's name for people."""
        return str(_MISCONCEPTIONS[self])


_MISCONCEPTIONS = {
    Misconception.ADDS_CHOICES: _("Adds choices that multiply"),
    Misconception.SWAPS_POWER: _("Swaps base and exponent"),
    Misconception.EQUIPROBABLE: _("Takes unlike cases as equally likely"),
    Misconception.IGNORES_CONDITION: _("Ignores the condition"),
    Misconception.VARIANCE_FOR_SD: _("Gives the variance for the standard deviation"),
    Misconception.SAMPLE_SD: _("Divides by one less although everything was counted"),
    Misconception.NORMAL_LAW: _("Takes the bell curve's shares as a law"),
    Misconception.PERCENT_AS_DEGREES: _("Gives percent for degrees"),
    Misconception.INVERSE: _("Confuses a chance with its inverse"),
    Misconception.JOINT: _("Gives the chance of both for a chance given one"),
    Misconception.DOUBLE_COUNT: _("Counts overlaps more than once"),
    Misconception.AND_FOR_OR: _("Reads “or” as “and”"),
    Misconception.EXCLUSIVE_INDEPENDENT: _("Confuses exclusive with independent"),
    Misconception.REPLACEMENT: _("Draws as if cards were put back"),
    Misconception.IGNORES_NUMBER: _("Ignores how many are drawn"),
    Misconception.MUST_BE_WHOLE: _("Thinks an expected number must be whole"),
    Misconception.ASSUMES_INDEPENDENCE: _("Multiplies as if independent"),
    Misconception.CARD_FOR_MEAN: _("Uses a card's spread for a mean"),
    Misconception.IGNORES_EVIDENCE: _("Ignores what has been seen"),
    Misconception.KEEPS_TOTAL: _("Forgets that the total shrinks, too"),
    Misconception.GAMBLER: _("Thinks a card is due"),
    Misconception.EQUAL_SHARES: _("Gives every player the same chance"),
    Misconception.ONE_RIVAL: _("Looks at one unseen card only"),
    Misconception.VALUE_ONLY: _("Looks at the value, not at the call"),
    Misconception.MODE_AS_BID: _("Takes the likeliest number for the best bid"),
    Misconception.ROUNDED_MEAN: _("Bids the rounded mean"),
    Misconception.FORGETS_PENALTY: _("Forgets the points lost by a miss"),
    Misconception.IGNORES_VOID: _("Ignores a void"),
    Misconception.EXACTLY_ONE: _("Reads “at least one” as “exactly one”"),
    Misconception.SMALL_NUMBERS: _("Expects few trials to show the exact share"),
    Misconception.SAMPLE_SIZE: _("Neglects the size of the sample"),
    Misconception.EVENS_OUT: _("Thinks that counts even out"),
    Misconception.MORE_DATA: _("Wants more data where the answer is fixed"),
    Misconception.ZERO_MEAN: _("Takes a mean of zero for good bidding"),
}
