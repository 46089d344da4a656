"""Help with questions about a class's results, lots, records and what a bid tells."""

from __future__ import annotations

from fractions import Fraction

from django.utils.translation import gettext as _

from games.rules import HAND_SIZE, parse_call
from lessons.exercises.aids.aid import Aid, Helper, Parameters, count
from lessons.exercises.answers import Form
from lessons.exercises.deal import marked
from lessons.exercises.tells import counted
from lessons.probability import none_of


def _drawn_anew(p: Parameters) -> Aid:
    return count(
        _("Add the points of each half first. Then count the ways on both sides of the table."),
        _("How many points did the three tables with tip A make together?"),
        sum(p["a"]),
    )


def _farthest_apart(_p: Parameters) -> Aid:
    return count(
        _("Count groups of tables, not orders. And which way is the mirror of this one?"),
        _("How many ways are as far apart as here, one way or the other?"),
        2,
    )


def _beside_model(p: Parameters) -> Aid:
    return count(
        _("“Or fewer” means this number, and all below it: add up these lines of the table."),
        _("In how many records were exactly %(made)d bids made?") % {"made": p["made"]},
        p["counts"][p["made"]],
    )


def _beside_two_models(p: Parameters) -> Aid:
    return count(
        _("“Or fewer” means this number, and all below it: add up these lines of the table."),
        _("If Ada is right: in how many records were exactly %(made)d bids made?")
        % {"made": p["made"]},
        p["records"][0][p["made"]],
    )


def _frequency(p: Parameters) -> Aid:
    chance = none_of(marked(p["mark"]), HAND_SIZE)
    return Aid(
        _("The share is a division. Its SD is the root of p(1 − p)/n: begin with 1 − p."),
        _("What is 1 − p, if p is the chance of one hand?"),
        1 - chance,
    )


def _more_hands(_p: Parameters) -> Aid:
    return count(
        _("The number of hands stands under a root. What is the root of four times as many?"),
        _("How many times smaller is the SD with four times as many hands?"),
        2,
    )


def _bid_errors(p: Parameters) -> Aid:
    return count(
        _("Each row counts as often as it has rounds: multiply, add up, divide."),
        _("How many rounds are there in all?"),
        sum(n for _error, n in p["errors"]),
    )


def _moved_errors(p: Parameters) -> Aid:
    return Aid(
        _("Every single difference moves by the same. Which distances does that change?"),
        _("A round had the difference 0. What is it, if the bid was %(less)d less?")
        % {"less": p["less"]},
        Fraction(-p["less"]),
    )


def _means(_p: Parameters) -> Aid:
    return Aid(_("Look at the two histograms beyond the bound: which of them reaches there?"))


def _counted_means(p: Parameters) -> Aid:
    low, high = p["values"]
    return count(
        _("Add up the bars of these values, then divide by all. A hand counts as one mean."),
        _("How many of the cards have such a value?"),
        sum(p["cards"][low - 4 : high - 4]),
    )


def _gaps(_p: Parameters) -> Aid:
    return Aid(_("A typical gap grows like the root of the number of hands. And its share?"))


def _counted_gaps(_p: Parameters) -> Aid:
    return Aid(
        _("First the gap: how many are too many, or too few? Then divide it by its own cards."),
        _("Of 30 cards 13 show it, and 10 were expected. What share of the cards is the gap?"),
        Fraction(1, 10),
        Form.CHANCE,
    )


def _bid_evidence(p: Parameters) -> Aid:
    with_bid, _without, _both = counted(p["tip"], p["bid"], parse_call(p["call"]).number)
    return count(
        _("The bid puts you into one row of the table. Only its deals are still possible."),
        _("How many deals are in the row of her bid?"),
        with_bid,
    )


def _average(_p: Parameters) -> Aid:
    return Aid(_("Add it up over all seats of a round. Could that sum be another one?"))


def _missing_tricks(p: Parameters) -> Aid:
    return count(
        _("A round has eight tricks, and somebody takes each of them."),
        _("How many tricks did the other seats take in the first round?"),
        HAND_SIZE - p["taken"][0][p["hidden"][0]],
    )


AIDS: dict[tuple[str, str], Helper] = {
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
