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
    OPPOSITE = "opposite"
    OTHER_CLASS = "other-class"
    COUNTS_AS_DEGREES = "counts-as-degrees"
    KEEPS_CLASS = "keeps-class"
    FLIPPED_SIGN = "flipped-sign"
    ONE_SIDED = "one-sided"
    PROVES_MODEL = "proves-model"
    AUTHORED = "authored"

    @property
    def title(self) -> str:
        """The misconception's name for people."""
        return str(_MISCONCEPTIONS[self])

    @property
    def advice(self) -> str:
        """What is behind it and what to do about it in class, in one sentence."""
        return str(_ADVICE[self])


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
    Misconception.OPPOSITE: _("Gives the chance of the opposite"),
    Misconception.OTHER_CLASS: _("Takes another class of cards"),
    Misconception.COUNTS_AS_DEGREES: _("Gives numbers of cards for degrees"),
    Misconception.KEEPS_CLASS: _("Forgets that one's own cards are no longer hidden"),
    Misconception.FLIPPED_SIGN: _("Takes a difference the wrong way round"),
    Misconception.ONE_SIDED: _("Counts surprises of one direction only"),
    Misconception.PROVES_MODEL: _("Takes data that fit for a proof"),
    Misconception.AUTHORED: _("A mistake that the teacher has named"),
}

_ADVICE = {
    Misconception.ADDS_CHOICES: _(
        "Choices multiply: list the cards that two shapes alone can make (nine, not "
        "six), then add the third shape."
    ),
    Misconception.SWAPS_POWER: _(
        "One of three counts is chosen four times, so 3 · 3 · 3 · 3: say aloud what is "
        "chosen, and how often."
    ),
    Misconception.EQUIPROBABLE: _(
        "One card has the value 4, but 19 have the value 8: count the cards behind each "
        "case before calling cases equally likely."
    ),
    Misconception.IGNORES_CONDITION: _(
        "What is known rules cards out: take the deck, put those cards aside, and "
        "count what is left."
    ),
    Misconception.VARIANCE_FOR_SD: _(
        "The variance is in squared units: take its root, and ask whether that is a "
        "usual distance from the mean."
    ),
    Misconception.SAMPLE_SD: _(
        "One less is for a sample that stands for more: here everything was counted, "
        "so divide by all."
    ),
    Misconception.NORMAL_LAW: _(
        "68 and 95 percent belong to the bell curve: count which cards lie within one and "
        "two standard deviations."
    ),
    Misconception.PERCENT_AS_DEGREES: _(
        "A whole pie has 100 percent and 360 degrees: cut a half and a quarter first, then "
        "convert."
    ),
    Misconception.INVERSE: _(
        "“Of the” names the whole: say both sentences, “of the cards of value 10 …” "
        "and “of the cards with 1 cube …”."
    ),
    Misconception.JOINT: _(
        "To know one of two things makes the whole smaller: cross out what is ruled "
        "out before dividing."
    ),
    Misconception.DOUBLE_COUNT: _(
        "What is in both is counted once: write the cards into two overlapping circles "
        "and count them there."
    ),
    Misconception.AND_FOR_OR: _(
        "“Or” takes in the one, the other and both: sort the deck, and let everybody "
        "hold up what belongs."
    ),
    Misconception.EXCLUSIVE_INDEPENDENT: _(
        "If one excludes the other, they tell a lot about each other: compare the "
        "chance of both with the product."
    ),
    Misconception.REPLACEMENT: _(
        "Cards that were dealt do not go back: draw two face up, and count each time "
        "what is left."
    ),
    Misconception.IGNORES_NUMBER: _(
        "Eight cards have more chances than one: deal hands of one, two and eight, and "
        "compare how often it happens."
    ),
    Misconception.MUST_BE_WHOLE: _(
        "An expected number is an average over many hands: average ten hands, and see "
        "what comes out."
    ),
    Misconception.ASSUMES_INDEPENDENCE: _(
        "Chances multiply only where one event does not touch the other: ask for the "
        "second chance once the first is known."
    ),
    Misconception.CARD_FOR_MEAN: _(
        "Means of hands vary less than single cards: lay the two histograms over each other."
    ),
    Misconception.IGNORES_EVIDENCE: _(
        "A card that was seen is nowhere else: lay your own hand aside first, then "
        "count the other 73."
    ),
    Misconception.KEEPS_TOTAL: _(
        "Cards that were seen leave both counts: take them off those that suit, and off the 81."
    ),
    Misconception.GAMBLER: _(
        "No card is due: count the unseen cards that suit, and all unseen cards."
    ),
    Misconception.EQUAL_SHARES: _(
        "Players differ in what they may hold: mark who is void, and how many cards "
        "each still has."
    ),
    Misconception.ONE_RIVAL: _(
        "Every card in the other hands is a rival: say how many there are before "
        "working out one."
    ),
    Misconception.VALUE_ONLY: _(
        "A value wins only within its call: put some leads in order by how many unseen "
        "cards can beat them."
    ),
    Misconception.MODE_AS_BID: _(
        "The likeliest number need not pay best: work out the expected points of the "
        "bids next to it, too."
    ),
    Misconception.ROUNDED_MEAN: _(
        "The mean says where to look, not what pays: compare the expected points of "
        "the bids around it."
    ),
    Misconception.FORGETS_PENALTY: _(
        "A miss costs points: write down what each number of tricks gives for a bid, "
        "then average."
    ),
    Misconception.IGNORES_VOID: _(
        "Whoever sloughed holds none of that call: cross that player out, and share "
        "among the others."
    ),
    Misconception.EXACTLY_ONE: _(
        "“At least one” leaves two open: invent a round in which two miss."
    ),
    Misconception.SMALL_NUMBERS: _(
        "Few trials scatter widely: compare everybody’s ten hands with all hands of "
        "the class together."
    ),
    Misconception.SAMPLE_SIZE: _(
        "The larger a sample, the nearer its mean stays: compare means of two cards "
        "with means of eight."
    ),
    Misconception.EVENS_OUT: _(
        "A surplus is not paid back, only outnumbered: plot the gap as a count, then "
        "as a share."
    ),
    Misconception.MORE_DATA: _(
        "What the rules fix, no data can change: add up the tricks of any one round."
    ),
    Misconception.ZERO_MEAN: _(
        "Errors upward and downward cancel in a mean: look at the spread beside it."
    ),
    Misconception.OPPOSITE: _(
        "“None” and “at least one” add up to 1: say first in words what is asked for, then "
        "which of the two was worked out."
    ),
    Misconception.OTHER_CLASS: _(
        "A class is one count of one shape: lay out its cards before counting them by value."
    ),
    Misconception.COUNTS_AS_DEGREES: _(
        "All slices together make 360 degrees: ask how many degrees one single card gets."
    ),
    Misconception.KEEPS_CLASS: _(
        "Cards that one holds leave both counts: take them off the hidden ones, and off those "
        "that suit."
    ),
    Misconception.FLIPPED_SIGN: _(
        "A sign says on which side: mark the hand and the mean on a line before subtracting."
    ),
    Misconception.ONE_SIDED: _(
        "Whoever would have wondered at either side being ahead has to count both: ask what "
        "was expected before the cards were dealt."
    ),
    Misconception.PROVES_MODEL: _(
        "Many models fit the same data: let the class find another chance with which the "
        "record agrees as well."
    ),
    Misconception.AUTHORED: _(
        "What you wrote below the wrong answer is what they were told: talk about that."
    ),
}
