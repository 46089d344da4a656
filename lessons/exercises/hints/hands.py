"""Help with questions about one's own hand, a trick, a round."""

from __future__ import annotations

from fractions import Fraction

from django.utils.translation import gettext as _

from games.rules import DECK, HAND_SIZE, parse_call, parse_card
from games.words import call_words
from lessons.exercises.answers import Form
from lessons.exercises.engine import EDITION
from lessons.exercises.hint import Hint
from lessons.exercises.hints.helpers import Helper, Parameters, count
from lessons.exercises.leads import rivals, shares_smallest
from lessons.probability import CARDS


def _hand_spread(p: Parameters) -> Hint:
    values = [parse_card(code).value for code in p["dealt"]]
    if p["part"] == "z":
        hint = _("First the mean of the hand, then how far it is from 8, then that in SDs.")
    else:
        hint = _("Write the values in order. Distances are taken from the hand's own mean.")
    return count(hint, _("What do the eight values add up to?"), sum(values))


def _distances(p: Parameters) -> Hint:
    values = [parse_card(code).value for code in p["dealt"]]
    return count(
        _("First the mean. A distance has no sign: how far, not on which side."),
        _("What do the eight values add up to?"),
        sum(values),
    )


def _squares(_p: Parameters) -> Hint:
    return count(
        _("Square each distance, then let each count as often as you hold such cards."),
        _("Elsewhere two cards lie 3 away from a mean. What do their squares add up to?"),
        18,
    )


def _unseen_card(p: Parameters) -> Hint:
    call = parse_call(p["call"])
    return count(
        _("What you hold is not hidden: take it off both counts."),
        _("How many such cards do you hold yourself?"),
        sum(parse_card(code).shows(call) for code in p["dealt"]),
    )


def _more_seen(p: Parameters) -> Hint:
    call = parse_call(p["call"])
    return count(
        _("Both numbers of the fraction change: take off what you did not see before."),
        _("How many of the fallen cards show %(call)s?") % {"call": call_words(call)},
        sum(parse_card(code).shows(call) for code in p["fallen"]),
    )


def _safe_lead(p: Parameters) -> Hint:
    card, call = p["lead"]
    return count(
        _("Dangerous is a card that you cannot see, shows the call, and is at least as high."),
        _("How many such cards are there?"),
        rivals(dict(p), parse_card(card), parse_call(call)),
    )


def _one_rival(p: Parameters) -> Hint:
    unseen = CARDS - len(p["hand"]) - len(p["played"])
    return count(
        _("What beats yours shows the call, is at least as high, and you have not seen it."),
        _("How many cards lie undealt?"),
        unseen - p["elsewhere"],
    )


def _four_calls(p: Parameters) -> Hint:
    card = parse_card(p["card"])
    most = max(card.calls, key=lambda call: call.number)
    return count(
        _("Several calls have the smallest count. Which of the cards against each do you see?")
        if shares_smallest(card)
        else _(
            "Think of the three curves, one for each count of a shape. Which one lies lowest?"
        ),
        _("How many hidden cards could beat yours if you call %(call)s?")
        % {"call": call_words(most)},
        rivals(dict(p), card, most),
    )


def _safest_lead(p: Parameters) -> Hint:
    card, call = p["leads"][0]
    if EDITION in p:  # how many could beat it is asked itself
        seen = {*p["hand"], *p["played"]}
        shown = parse_call(call)
        return count(
            _(
                "For each lead count the cards that could beat it, among those that you cannot "
                "see."
            ),
            _("How many cards that you cannot see show %(call)s, whatever their value?")
            % {"call": call_words(shown)},
            sum(each.shows(shown) and each.code not in seen for each in DECK),
        )
    return count(
        _("For each lead count the cards that could beat it, among those that you cannot see."),
        _("How many are there for the first lead?"),
        rivals(dict(p), parse_card(card), parse_call(call)),
    )


def _tip_audit(p: Parameters) -> Hint:
    return count(
        _("On average a hand has the same share of such cards as the deck."),
        _("How many cards have a value of %(least)d or more?") % {"least": p["least"]},
        sum(card.value >= p["least"] for card in DECK),
    )


def _audited_table(p: Parameters) -> Hint:
    own = sum(parse_card(code).value >= p["least"] for code in p["dealt"])
    return count(
        _(
            "Your own cards are not hidden any more: take them off those that count, and off "
            "the deck."
        ),
        _("How many cards that count can you not see?"),
        sum(card.value >= p["least"] for card in DECK) - own,
    )


def _best_bid(p: Parameters) -> Hint:
    return Hint(
        _("Only this bid counts: work out what a hit brings, less what all misses cost.")
        if "bid" in p
        else _(
            "Work out one bid after the other: what a hit brings, less what all misses cost."
        ),
        _("Somebody bids 1 and takes 3 tricks. How many points do they lose?"),
        Fraction(2),
        Form.COUNT,
    )


def _after_slough(p: Parameters) -> Hint:
    if p.get("of", "class") == "class":
        return _places_left(p)
    return count(
        _(
            "All cards of a void hand are of other classes. What share of the hidden cards of "
            "other classes lies there? All other places share what is left."
        ),
        _("How many of the hidden cards are of the class that was called?"),
        sum(cards for _left, cards, _void in p["players"]) + p["undealt"] - p["outside"],
    )


def _places_left(p: Parameters) -> Hint:
    return count(
        _("Cross out every player who may not hold it. Then count places, not people."),
        _("How many cards are held by players who are void?"),
        p["void"]
        if "void" in p
        else sum(cards for _left, cards, is_void in p["players"] if is_void),
    )


def _hook(p: Parameters) -> Hint:
    return count(
        _("The bids of all, the dealer's among them, may be anything but eight together."),
        _("What do the bids before the dealer's add up to?"),
        sum(p["bids"]),
    )


def _hook_sum(_p: Parameters) -> Hint:
    return count(
        _("The other bids and yours together: which sum may there not be?"),
        _("Which sum of all bids is forbidden?"),
        HAND_SIZE,
    )


HINTS: dict[tuple[str, str], Helper] = {
    ("hand-spread", ""): _hand_spread,
    ("distances", ""): _distances,
    ("distances", "B"): _squares,
    ("unseen-card", ""): _unseen_card,
    ("unseen-card", "C"): _more_seen,
    ("safe-lead", ""): _safe_lead,
    ("safe-lead", "B"): _one_rival,
    ("safest-lead", ""): _safest_lead,
    ("safest-lead", "C"): _four_calls,
    ("tip-audit", ""): _tip_audit,
    ("tip-audit", "C"): _audited_table,
    ("best-bid", ""): _best_bid,
    ("after-slough", ""): _after_slough,
    ("after-slough", "B"): _places_left,
    ("hook", ""): _hook,
    ("hook", "B"): _hook_sum,
}
