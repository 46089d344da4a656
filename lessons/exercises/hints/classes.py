"""Help with questions about a class's results, lots, records and what a bid tells."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from django.utils.translation import gettext as _

from games.rules import HAND_SIZE, parse_call
from lessons.exercises.answers import Form
from lessons.exercises.deal import marked
from lessons.exercises.hint import Hint
from lessons.exercises.hints.helpers import Helper, Parameters, count
from lessons.exercises.tells import counted
from lessons.probability import none_of


def _drawn_anew(p: Parameters) -> Hint:
    return count(
        _("Add the points of each half first. Then count the ways on both sides of the table."),
        _("How many points did the three tables with tip A make together?"),
        sum(p["a"]),
    )


def _farthest_apart(_p: Parameters) -> Hint:
    return count(
        _("Count groups of tables, not orders. And which way is the mirror of this one?"),
        _("How many ways are as far apart as here, one way or the other?"),
        2,
    )


def _beside_model(p: Parameters) -> Hint:
    return count(
        _("“Or fewer” means this number, and all below it: add up these lines of the table."),
        _lines_words(p),
        _lines(p, p["counts"]),
    )


def _beside_two_models(p: Parameters) -> Hint:
    return count(
        _("“Or fewer” means this number, and all below it: add up these lines of the table."),
        _lines_words(p),
        _lines(p, *p["records"]),
    )


def _lines_words(p: Parameters) -> str:
    return _("How many lines of the table belong to “%(made)d or fewer”?") % {"made": p["made"]}


def _lines(p: Parameters, *records: Sequence[int]) -> int:
    """How many lines of the table are added up: it begins with the first that is not empty."""
    first = min(n for counts in records for n, count in enumerate(counts) if count)
    return int(p["made"]) - first + 1


def _frequency(p: Parameters) -> Hint:
    chance = none_of(marked(p["mark"]), HAND_SIZE)
    return Hint(
        _("The share is a division. Its SD is the root of p(1 − p)/n: begin with 1 − p."),
        _("What is 1 − p, if p is the chance of one hand?"),
        1 - chance,
    )


def _more_hands(p: Parameters) -> Hint:
    root = 3 if p["times"] == 2 else 2
    return count(
        _(
            "The number of hands stands under a root. What is the root of %(more)d times as "
            "many?"
        )
        % {"more": root**2},
        _("How many times smaller is the SD with %(more)d times as many hands?")
        % {"more": root**2},
        root,
    )


def _bid_errors(p: Parameters) -> Hint:
    return count(
        _("Each row counts as often as it has rounds: multiply, add up, divide."),
        _("How many rounds are there in all?"),
        sum(n for _error, n in p["errors"]),
    )


def _moved_errors(p: Parameters) -> Hint:
    return Hint(
        _("Every single difference moves by the same. Which distances does that change?"),
        _("A round had the difference 0. What is it, if the bid was %(less)d less?")
        % {"less": p["less"]},
        Fraction(-p["less"]),
    )


def _means(p: Parameters) -> Hint:
    hints = {
        "far": _("Look at the two histograms beyond the bound: which of them reaches there?"),
        "near": _("Look at both histograms between the bounds: of which does more lie there?"),
        "any": _("One card has one chance. How many cards of a hand could be such a card?"),
    }
    return Hint(hints[p.get("asks", "far")])


def _counted_means(p: Parameters) -> Hint:
    low, high = p["values"]
    return count(
        _("Add up the bars of these values, then divide by all. A hand counts as one mean."),
        _("How many of the cards have such a value?"),
        sum(p["cards"][low - 4 : high - 4]),
    )


def _gaps(p: Parameters) -> Hint:
    hints = {
        "more": _("A typical gap grows like the root of the number of hands. And its share?"),
        "fewer": _(
            "With fewer hands a typical gap shrinks, too: like the root of their number. Then "
            "divide it by the hands: what becomes of its share?"
        ),
        "on": _(
            "This gap is there already. How many of the later hands are too many, on average? "
            "Then divide the gap by all hands."
        ),
    }
    return Hint(hints[p.get("asks", "more")])


def _counted_gaps(_p: Parameters) -> Hint:
    return Hint(
        _("First the gap: how many are too many, or too few? Then divide it by its own cards."),
        _("Of 30 cards 13 show it, and 10 were expected. What share of the cards is the gap?"),
        Fraction(1, 10),
        Form.CHANCE,
    )


def _bid_evidence(p: Parameters) -> Hint:
    with_bid, _without, _both = counted(p["tip"], p["bid"], parse_call(p["call"]).number)
    return count(
        _("The bid puts you into one row of the table. Only its deals are still possible."),
        _("How many deals are in the row of her bid?"),
        with_bid,
    )


def _average(p: Parameters) -> Hint:
    hints = {
        "tricks": _(
            "Add up the tricks of all seats in a round. Could that sum be another one?"
        ),
        "bids": _("Add up the bids of all seats in a round. Could that sum be another one?"),
        "hits": _(
            "How many bids of a round can be right: always as many, or now more, now fewer?"
        ),
    }
    return Hint(hints[p.get("measure", "tricks")])


def _missing_tricks(p: Parameters) -> Hint:
    return count(
        _("A round has eight tricks, and somebody takes each of them."),
        _("How many tricks did the other seats take in the first round?"),
        HAND_SIZE - p["taken"][0][p["hidden"][0]],
    )


HINTS: dict[tuple[str, str], Helper] = {
    ("drawn-anew", ""): _drawn_anew,
    ("drawn-anew", "C"): _farthest_apart,
    ("beside-model", ""): _beside_model,
    ("beside-model", "C"): _beside_two_models,
    ("frequency", ""): _frequency,
    ("frequency", "C"): _more_hands,
    ("bid-errors", ""): _bid_errors,
    ("bid-errors", "C"): _moved_errors,
    ("bid-evidence", ""): _bid_evidence,
    ("means-vary-less", ""): _means,
    ("means-vary-less", "B"): _counted_means,
    ("gaps-and-ratios", ""): _gaps,
    ("gaps-and-ratios", "A"): _counted_gaps,
    ("average-tricks", ""): _average,
    ("average-tricks", "A"): _missing_tricks,
}
