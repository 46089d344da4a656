"""Help with questions about the deck and what eight cards may hold."""

from __future__ import annotations

from fractions import Fraction

from django.utils.translation import gettext as _

from games.rules import parse_call
from games.words import call_words
from lessons.exercises.answers import Form
from lessons.exercises.deal import marked
from lessons.exercises.deck import call_of
from lessons.exercises.events import count_cards
from lessons.exercises.hint import Hint
from lessons.exercises.hints.helpers import Helper, Parameters, count
from lessons.probability import CARDS, equal_values, none_of, value_counts


def _deck_size(p: Parameters) -> Hint:
    n, k = len(p["counts"]), len(p["shapes"])
    hint = _("Begin with fewer shapes, and list the cards. What does one shape more do?")
    if k == 2:
        return count(hint, _("How many cards would one shape alone make?"), n)
    return count(hint, _("How many cards would two of the shapes alone make?"), n * n)


def _deck_counts(p: Parameters) -> Hint:
    return count(
        _("Undo the power: try small numbers of counts, and see how many cards they make."),
        _("How many cards would there be with only 2 counts?"),
        2 ** len(p["shapes"]),
    )


def _value_chance(p: Parameters) -> Hint:
    return count(
        _("Count the cards of this value, then ask: of how many? The stats table has both."),
        _("How many cards have the value %(value)d?") % {"value": p["value"]},
        value_counts()[p["value"]],
    )


def _value_or_more(p: Parameters) -> Hint:
    return count(
        _("Which values are meant? Each has its own number of cards: add these up."),
        _("How many different values are meant?"),
        p.get("to", max(value_counts())) - p["value"] + 1,
    )


def _count_curve(p: Parameters) -> Hint:
    return count(
        _("Keep only the cards with this count. Where does their curve begin?"),
        _("What is the lowest value that such a card can have?"),
        p["count"] + len(p["shapes"]) - 1,
    )


def _whole_curve(p: Parameters) -> Hint:
    return count(
        _("A card that shows one more of this shape is worth one more: the curve moves along."),
        _("How many cards has the whole deck, that is your curve together?"),
        len(p["counts"]) ** len(p["shapes"]),
    )


def _deck_spread(p: Parameters) -> Hint:
    values = value_counts(len(p["shapes"]), p["counts"])
    mean = Fraction(sum(v * n for v, n in values.items()), sum(values.values()))
    return Hint(
        _(
            "The mean lies in the middle of these values. Then take each value's distance from "
            "it, square it, and average the squares over all cards."
        ),
        _("What is the squared distance of the highest value from the mean?"),
        (max(values) - mean) ** 2,
    )


def _scaled_spread(p: Parameters) -> Hint:
    return count(
        _("Think of two cards. What happens to the gap between them, and what to both?"),
        _("Two cards are one point apart. How far apart are they now?"),
        p["times"],
    )


def _deck_pie(p: Parameters) -> Hint:
    cards = CARDS if p["slices"] == "values" else len(p["counts"]) ** len(p["shapes"])
    return Hint(
        _("A whole pie has 360 degrees, and all cards share them equally."),
        _("How many degrees does one single card get?"),
        Fraction(360, cards),
    )


def _proportions(p: Parameters) -> Hint:
    return count(
        _("Think of the smallest pile that fits: its cards share the whole circle."),
        _("How many cards has the smallest pile that fits?"),
        sum(p["parts"]),
    )


def _inverse(p: Parameters) -> Hint:
    events = ["call", p["call"]], ["value", p["value"]]
    facts = {"call": call_words(parse_call(p["call"])), "value": p["value"]}
    return count(
        _("What you are told puts cards aside. Divide by those that are still possible."),
        _("How many cards have the value %(value)d and show %(call)s?") % facts,
        count_cards(*events),
    )


def _from_the_other_side(p: Parameters) -> Hint:
    both = count_cards(["call", p["call"]], ["value", p["value"]])
    return Hint(
        _("First the chance of both together: one step after the other along a path."),
        _("What is the chance of both: that call and that value?"),
        Fraction(both, CARDS),
        Form.CHANCE,
    )


def _either(p: Parameters) -> Hint:
    return count(
        _("Draw two circles that overlap. Which cards lie in both?"),
        _("How many cards lie in both circles?"),
        count_cards(*p["events"]),
    )


def _both_from_either(p: Parameters) -> Hint:
    one, other = p["events"]
    return Hint(
        _("Add the two chances. The cards of both are in that sum twice."),
        _("What do the two chances add up to?"),
        Fraction(count_cards(one) + count_cards(other), CARDS),
        Form.NUMBER,
    )


def _independence(p: Parameters) -> Hint:
    return count(
        _("Compare: B's share among the cards that do A, and B's share in the whole deck."),
        _("How many cards do both, A and B?"),
        count_cards(*p["events"]),
    )


def _told_first(p: Parameters) -> Hint:
    return count(
        _("Lay out the cards that do A, and no others. Among these look for B."),
        _("How many cards do A?"),
        count_cards(p["events"][0]),
    )


def _equal_values(p: Parameters) -> Hint:
    values = value_counts(len(p["shapes"]), p["counts"])
    often = max(values, key=lambda value: values[value])
    return count(
        _("Take one value after the other: in how many ways are both cards of it?"),
        _(
            "In how many ways can the first and the second card both have the value %(value)d, "
            "their order counted?"
        )
        % {"value": often},
        values[often] * (values[often] - 1),
    )


def _higher_value(p: Parameters) -> Hint:
    return Hint(
        _("Swap the two cards in your mind: “the second is higher” becomes “the first is”."),
        _("How likely is it that the two values are not equal?"),
        1 - equal_values(value_counts(len(p["shapes"]), p["counts"])),
        Form.CHANCE,
    )


def _none_of_them(p: Parameters) -> Hint:
    return count(
        _("Card after card: each must come from the others, and each time one is gone."),
        _("How many cards of the deck are not like that?"),
        CARDS - marked(p["mark"]),
    )


def _until(p: Parameters) -> Hint:
    return Hint(
        _("“One of them” is the opposite of “none of them”. Make that smaller, card by card."),
        _("How likely is none of them in two cards?"),
        none_of(marked(p["mark"]), 2),
        Form.CHANCE,
    )


def _how_many(p: Parameters) -> Hint:
    return count(
        _(
            "On average a hand has its share of such cards. For a bar: choose them from those, "
            "and the rest of the hand from the others."
        ),
        _("How many such cards has the whole deck?"),
        marked(p["mark"]),
    )


def _pairs(p: Parameters) -> Hint:
    return count(
        _("Give the cards letters, and write the pairs down: AB, AC, AD … Leave none out."),
        _("In how many of the pairs is the first card?"),
        len(p["cards"]) - 1,
    )


def _two_voids(p: Parameters) -> Hint:
    n, k = len(p["counts"]), len(p["shapes"])
    facts = {"call": call_words(call_of(*p["asked"][0]))}
    return count(
        _("Lay all cards with %(call)s aside. A hand without them comes from those left.")
        % facts,
        _("How many cards of this deck do not show %(call)s?") % facts,
        n**k - n ** (k - 1),
    )


def _any_void(p: Parameters) -> Hint:
    n, k = len(p["counts"]), len(p["shapes"])
    return count(
        _("Begin with one class alone. Then take off what several classes count twice."),
        _("How many cards of this deck lie outside of one given class?"),
        n**k - n ** (k - 1),
    )


def _boxes(p: Parameters) -> Hint:
    return count(
        _("Begin with one event alone: its cards fill a whole row, two boxes together."),
        _("How many cards do A, whether they do B or not?"),
        count_cards(p["events"][0]),
    )


def _box_shares(p: Parameters) -> Hint:
    return count(
        _("Take boxes from their edge. A share in a row divides by that row's edge."),
        _("How many cards do not do A?"),
        CARDS - count_cards(p["events"][0]),
    )


def _independent_boxes(p: Parameters) -> Hint:
    return Hint(
        _("Independent means: the same share plays in both rows, as among all who were asked."),
        _("Which share of all students plays an instrument?"),
        Fraction(p["second"], p["asked"]),
        Form.CHANCE,
    )


def _paths(_p: Parameters) -> Hint:
    return Hint(
        _("The second step happens only in a part of the cases of the first: part of a part."),
        _("What is half of one third?"),
        Fraction(1, 6),
        Form.CHANCE,
    )


def _tree(p: Parameters) -> Hint:
    return count(
        _("At the second draw one card is gone. And “at least one” is all that is not “none”."),
        _("After one such card was drawn: how many of them are left?"),
        count_cards(p["event"]) - 1,
    )


def _many_draws(p: Parameters) -> Hint:
    return Hint(
        _("“At least one” has many paths, “none” only one: walk that one, then take the rest."),
        _("How likely is none in the first two draws?"),
        none_of(count_cards(p["event"]), 2),
        Form.CHANCE,
    )


HINTS: dict[tuple[str, str], Helper] = {
    ("deck-size", ""): _deck_size,
    ("deck-size", "B"): _deck_counts,
    ("value-chance", ""): _value_chance,
    ("value-chance", "B"): _value_or_more,
    ("count-curve", ""): _count_curve,
    ("count-curve", "C"): _whole_curve,
    ("deck-spread", ""): _deck_spread,
    ("deck-spread", "C"): _scaled_spread,
    ("deck-pie", ""): _deck_pie,
    ("deck-pie", "B"): _proportions,
    ("inverse-chance", ""): _inverse,
    ("inverse-chance", "C"): _from_the_other_side,
    ("either-chance", ""): _either,
    ("either-chance", "C"): _both_from_either,
    ("independence", ""): _independence,
    ("independence", "A"): _told_first,
    ("equal-values", ""): _equal_values,
    ("equal-values", "C"): _higher_value,
    ("none-of-them", ""): _none_of_them,
    ("none-of-them", "C"): _until,
    ("how-many", ""): _how_many,
    ("how-many", "A"): _pairs,
    ("any-void", ""): _any_void,
    ("any-void", "B"): _two_voids,
    ("two-way-table", ""): _boxes,
    ("two-way-table", "B"): _box_shares,
    ("two-way-table", "C"): _independent_boxes,
    ("draw-tree", ""): _tree,
    ("draw-tree", "A"): _paths,
    ("draw-tree", "C"): _many_draws,
}
