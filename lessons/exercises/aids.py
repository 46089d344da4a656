"""Help with a question, before its solution: a first hint at the step to take, then that step's
own small question to fill in. No answer of the question itself is given away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from games.rules import DECK, HAND_SIZE, parse_call, parse_card
from games.words import call_words
from lessons.exercises.answers import Form
from lessons.exercises.deal import marked
from lessons.exercises.engine import LEVEL, Field, Instance
from lessons.exercises.events import count_cards
from lessons.exercises.leads import rivals
from lessons.exercises.tells import counted
from lessons.probability import CARDS, none_of, value_counts

STEP = "step"
"""The field of the step to fill in."""


@dataclass(frozen=True, slots=True)
class Aid:
    """A first hint; then what to work out next (empty where the hint is all there is), and what
    comes out."""

    hint: str
    ask: str = ""
    right: Fraction | None = None
    form: Form = Form.NUMBER

    def question(self, of: Instance) -> Instance:
        """The step as a question of one field, to be graded like any other."""
        assert self.right is not None
        return replace(
            of,
            fields=(Field(STEP, self.ask, self.form),),
            right={STEP: self.right},
            wrong=(),
            looks=(),
            follows={},
        )


def aid_for(question: Instance) -> Aid | None:
    """The help with this question, if there is any."""
    level = question.parameters.get(LEVEL, "")
    found = _AIDS.get((question.exercise, level)) or _AIDS.get((question.exercise, ""))
    return found(question.parameters) if found else None


Parameters = Mapping[str, Any]


def _count(hint: str, ask: str, right: int) -> Aid:
    return Aid(hint, ask, Fraction(right), Form.COUNT)


def _deck_size(p: Parameters) -> Aid:
    n, k = len(p["counts"]), len(p["shapes"])
    hint = _("Begin with fewer shapes, and list the cards. What does one shape more do?")
    if k == 2:
        return _count(hint, _("How many cards would one shape alone make?"), n)
    return _count(hint, _("How many cards would two of the shapes alone make?"), n * n)


def _deck_counts(p: Parameters) -> Aid:
    return _count(
        _("Undo the power: try small numbers of counts, and see how many cards they make."),
        _("How many cards would there be with only 2 counts?"),
        2 ** len(p["shapes"]),
    )


def _value_chance(p: Parameters) -> Aid:
    return _count(
        _("Count the cards of this value, then ask: of how many? The stats table has both."),
        _("How many cards have the value %(value)d?") % {"value": p["value"]},
        value_counts()[p["value"]],
    )


def _value_or_more(p: Parameters) -> Aid:
    return _count(
        _("Which values are meant? Each has its own number of cards: add these up."),
        _("How many different values are %(value)d or more?") % {"value": p["value"]},
        13 - p["value"],
    )


def _count_curve(p: Parameters) -> Aid:
    return _count(
        _("Keep only the cards with this count. Where does their curve begin?"),
        _("What is the lowest value that such a card can have?"),
        p["count"] + len(p["shapes"]) - 1,
    )


def _deck_spread(p: Parameters) -> Aid:
    values = value_counts(len(p["shapes"]), p["counts"])
    mean = Fraction(sum(v * n for v, n in values.items()), sum(values.values()))
    return Aid(
        _(
            "The mean lies in the middle of these values. Then take each value's distance from "
            "it, square it, and average the squares over all cards."
        ),
        _("What is the squared distance of the highest value from the mean?"),
        (max(values) - mean) ** 2,
    )


def _scaled_spread(p: Parameters) -> Aid:
    return _count(
        _("Think of two cards. What happens to the gap between them, and what to both?"),
        _("Two cards are one point apart. How far apart are they now?"),
        p["times"],
    )


def _deck_pie(p: Parameters) -> Aid:
    cards = CARDS if p["slices"] == "values" else len(p["counts"]) ** len(p["shapes"])
    return Aid(
        _("A whole pie has 360 degrees, and all cards share them equally."),
        _("How many degrees does one single card get?"),
        Fraction(360, cards),
    )


def _inverse(p: Parameters) -> Aid:
    events = ["call", p["call"]], ["value", p["value"]]
    facts = {"call": call_words(parse_call(p["call"])), "value": p["value"]}
    return _count(
        _("What you are told puts cards aside. Divide by those that are still possible."),
        _("How many cards have the value %(value)d and show %(call)s?") % facts,
        count_cards(*events),
    )


def _from_the_other_side(p: Parameters) -> Aid:
    both = count_cards(["call", p["call"]], ["value", p["value"]])
    return Aid(
        _("First the chance of both together: one step after the other along a path."),
        _("What is the chance of both: that call and that value?"),
        Fraction(both, CARDS),
        Form.CHANCE,
    )


def _either(p: Parameters) -> Aid:
    return _count(
        _("Draw two circles that overlap. Which cards lie in both?"),
        _("How many cards lie in both circles?"),
        count_cards(*p["events"]),
    )


def _both_from_either(p: Parameters) -> Aid:
    one, other = p["events"]
    return Aid(
        _("Add the two chances. The cards of both are in that sum twice."),
        _("What do the two chances add up to?"),
        Fraction(count_cards(one) + count_cards(other), CARDS),
        Form.NUMBER,
    )


def _independence(p: Parameters) -> Aid:
    return _count(
        _("Compare: B's share among the cards that do A, and B's share in the whole deck."),
        _("How many cards do both, A and B?"),
        count_cards(*p["events"]),
    )


def _equal_values(p: Parameters) -> Aid:
    values = value_counts(len(p["shapes"]), p["counts"])
    often = max(values, key=lambda value: values[value])
    return _count(
        _("Take one value after the other: in how many ways are both cards of it?"),
        _(
            "In how many ways can the first and the second card both have the value %(value)d, "
            "their order counted?"
        )
        % {"value": often},
        values[often] * (values[often] - 1),
    )


def _none_of_them(p: Parameters) -> Aid:
    return _count(
        _("Card after card: each must come from the others, and each time one is gone."),
        _("How many cards of the deck are not like that?"),
        CARDS - marked(p["mark"]),
    )


def _until(p: Parameters) -> Aid:
    return Aid(
        _("“One of them” is the opposite of “none of them”. Make that smaller, card by card."),
        _("How likely is none of them in two cards?"),
        none_of(marked(p["mark"]), 2),
        Form.CHANCE,
    )


def _how_many(p: Parameters) -> Aid:
    return _count(
        _(
            "On average a hand has its share of such cards. For a bar: choose them from those, "
            "and the rest of the hand from the others."
        ),
        _("How many such cards has the whole deck?"),
        marked(p["mark"]),
    )


def _any_void(p: Parameters) -> Aid:
    n, k = len(p["counts"]), len(p["shapes"])
    return _count(
        _("Begin with one class alone. Then take off what several classes count twice."),
        _("How many cards of this deck lie outside of one given class?"),
        n**k - n ** (k - 1),
    )


def _hand_spread(p: Parameters) -> Aid:
    values = [parse_card(code).value for code in p["dealt"]]
    if p["part"] == "z":
        hint = _("First the mean of the hand, then how far it is from 8, then that in SDs.")
    else:
        hint = _("Write the values in order. Distances are taken from the hand's own mean.")
    return _count(hint, _("What do the eight values add up to?"), sum(values))


def _distances(p: Parameters) -> Aid:
    values = [parse_card(code).value for code in p["dealt"]]
    return _count(
        _("First the mean. A distance has no sign: how far, not on which side."),
        _("What do the eight values add up to?"),
        sum(values),
    )


def _squares(p: Parameters) -> Aid:
    values = [parse_card(code).value for code in p["dealt"]]
    centre = Fraction(sum(values), HAND_SIZE)
    return Aid(
        _("Square each distance, then let each count as often as you hold such cards."),
        _("What is the largest of the squares?"),
        max((value - centre) ** 2 for value in values),
    )


def _drawn_anew(p: Parameters) -> Aid:
    return _count(
        _("Add the points of each half first. Then count the ways on both sides of the table."),
        _("How many points did the three tables with tip A make together?"),
        sum(p["a"]),
    )


def _beside_model(p: Parameters) -> Aid:
    return _count(
        _("“Or fewer” means this number, and all below it: add up these lines of the table."),
        _("In how many records were exactly %(made)d bids made?") % {"made": p["made"]},
        p["counts"][p["made"]],
    )


def _unseen_card(p: Parameters) -> Aid:
    call = parse_call(p["call"])
    return _count(
        _("What you hold is not hidden: take it off both counts."),
        _("How many such cards do you hold yourself?"),
        sum(parse_card(code).shows(call) for code in p["dealt"]),
    )


def _safe_lead(p: Parameters) -> Aid:
    card, call = p["lead"]
    return _count(
        _("Dangerous is a card that you cannot see, shows the call, and is at least as high."),
        _("How many such cards are there?"),
        rivals(dict(p), parse_card(card), parse_call(call)),
    )


def _safest_lead(p: Parameters) -> Aid:
    card, call = p["leads"][0]
    return _count(
        _("For each lead count the cards that could beat it, among those that you cannot see."),
        _("How many are there for the first lead?"),
        rivals(dict(p), parse_card(card), parse_call(call)),
    )


def _tip_audit(p: Parameters) -> Aid:
    return _count(
        _("On average a hand has the same share of such cards as the deck."),
        _("How many cards have a value of %(least)d or more?") % {"least": p["least"]},
        sum(card.value >= p["least"] for card in DECK),
    )


def _best_bid(_p: Parameters) -> Aid:
    return Aid(
        _("Work out one bid after the other: what a hit brings, less what all misses cost."),
        _("Somebody bids 1 and takes 3 tricks. How many points do they lose?"),
        Fraction(2),
        Form.COUNT,
    )


def _after_slough(_p: Parameters) -> Aid:
    return Aid(_("Cross out whoever may not hold it. Then count places, not people."))


def _hook(p: Parameters) -> Aid:
    return _count(
        _("The bids of all, the dealer's among them, may be anything but eight together."),
        _("What do the bids before the dealer's add up to?"),
        sum(p["bids"]),
    )


def _hook_sum(_p: Parameters) -> Aid:
    return _count(
        _("The other bids and yours together: which sum may there not be?"),
        _("Which sum of all bids is forbidden?"),
        HAND_SIZE,
    )


def _frequency(p: Parameters) -> Aid:
    chance = none_of(marked(p["mark"]), HAND_SIZE)
    return Aid(
        _("The share is a division. Its SD is the root of p(1 − p)/n: begin with 1 − p."),
        _("What is 1 − p, if p is the chance of one hand?"),
        1 - chance,
    )


def _more_hands(_p: Parameters) -> Aid:
    return _count(
        _("The number of hands stands under a root. What is the root of four times as many?"),
        _("How many times smaller is the SD with four times as many hands?"),
        2,
    )


def _bid_errors(p: Parameters) -> Aid:
    return _count(
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


def _boxes(p: Parameters) -> Aid:
    return _count(
        _("Begin with one event alone: its cards fill a whole row, two boxes together."),
        _("How many cards do A, whether they do B or not?"),
        count_cards(p["events"][0]),
    )


def _box_shares(p: Parameters) -> Aid:
    return _count(
        _("Take boxes from their edge. A share in a row divides by that row's edge."),
        _("How many cards do not do A?"),
        CARDS - count_cards(p["events"][0]),
    )


def _independent_boxes(p: Parameters) -> Aid:
    return Aid(
        _("Independent means: the same share plays in both rows, as among all who were asked."),
        _("Which share of all students plays an instrument?"),
        Fraction(p["second"], p["asked"]),
        Form.CHANCE,
    )


def _paths(_p: Parameters) -> Aid:
    return Aid(
        _("The second step happens only in a part of the cases of the first: part of a part."),
        _("What is half of one third?"),
        Fraction(1, 6),
        Form.CHANCE,
    )


def _tree(p: Parameters) -> Aid:
    return _count(
        _("At the second draw one card is gone. And “at least one” is all that is not “none”."),
        _("After one such card was drawn: how many of them are left?"),
        count_cards(p["event"]) - 1,
    )


def _many_draws(p: Parameters) -> Aid:
    return Aid(
        _("“At least one” has many paths, “none” only one: walk that one, then take the rest."),
        _("How likely is none in the first two draws?"),
        none_of(count_cards(p["event"]), 2),
        Form.CHANCE,
    )


def _means(_p: Parameters) -> Aid:
    return Aid(_("Look at the two histograms beyond the bound: which of them reaches there?"))


def _gaps(_p: Parameters) -> Aid:
    return Aid(_("A typical gap grows like the root of the number of hands. And its share?"))


def _bid_evidence(p: Parameters) -> Aid:
    with_bid, _without, _both = counted(p["tip"], p["bid"], parse_call(p["call"]).number)
    return _count(
        _("The bid puts you into one row of the table. Only its deals are still possible."),
        _("How many deals are in the row of her bid?"),
        with_bid,
    )


def _average(_p: Parameters) -> Aid:
    return Aid(_("Add it up over all seats of a round. Could that sum be another one?"))


_AIDS: dict[tuple[str, str], Callable[[Parameters], Aid]] = {
    ("deck-size", ""): _deck_size,
    ("deck-size", "B"): _deck_counts,
    ("value-chance", ""): _value_chance,
    ("value-chance", "B"): _value_or_more,
    ("count-curve", ""): _count_curve,
    ("deck-spread", ""): _deck_spread,
    ("deck-spread", "C"): _scaled_spread,
    ("deck-pie", ""): _deck_pie,
    ("inverse-chance", ""): _inverse,
    ("inverse-chance", "C"): _from_the_other_side,
    ("either-chance", ""): _either,
    ("either-chance", "C"): _both_from_either,
    ("independence", ""): _independence,
    ("equal-values", ""): _equal_values,
    ("none-of-them", ""): _none_of_them,
    ("none-of-them", "C"): _until,
    ("how-many", ""): _how_many,
    ("any-void", ""): _any_void,
    ("hand-spread", ""): _hand_spread,
    ("distances", ""): _distances,
    ("distances", "B"): _squares,
    ("drawn-anew", ""): _drawn_anew,
    ("beside-model", ""): _beside_model,
    ("unseen-card", ""): _unseen_card,
    ("safe-lead", ""): _safe_lead,
    ("safest-lead", ""): _safest_lead,
    ("tip-audit", ""): _tip_audit,
    ("best-bid", ""): _best_bid,
    ("after-slough", ""): _after_slough,
    ("hook", ""): _hook,
    ("hook", "B"): _hook_sum,
    ("frequency", ""): _frequency,
    ("frequency", "C"): _more_hands,
    ("bid-errors", ""): _bid_errors,
    ("bid-errors", "C"): _moved_errors,
    ("two-way-table", ""): _boxes,
    ("two-way-table", "B"): _box_shares,
    ("two-way-table", "C"): _independent_boxes,
    ("draw-tree", ""): _tree,
    ("draw-tree", "A"): _paths,
    ("draw-tree", "C"): _many_draws,
    ("bid-evidence", ""): _bid_evidence,
    ("means-vary-less", ""): _means,
    ("gaps-and-ratios", ""): _gaps,
    ("average-tricks", ""): _average,
}
"""By exercise, and by level where it is not the type's own."""
