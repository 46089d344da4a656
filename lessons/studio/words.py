"""What graphs and their axes may be called: sensible titles and names to choose from."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules import Call, Shape
from games.words import call_words, whole
from lessons.studio.settings import BIDS, OF_NAMES, SHAPE_NAMES, Of, Settings, Show


@dataclass(frozen=True, slots=True)
class Words:
    """What to call a graph and its axes: three titles, two names of the axis below, and what
    is counted."""

    titles: tuple[str, ...]
    x_names: tuple[str, ...]
    items: str
    number: str
    share: str


def words(settings: Settings) -> Words:
    """The sensible titles and names for these settings."""
    shapes = str(SHAPE_NAMES[settings.shape])
    facts = {
        "of": population(settings),
        "shapes": shapes,
        "shape": _one(settings.shape),
        "call": call_words(Call(settings.shape, settings.count)),
        "least": settings.least,
        "size": settings.size,
    }
    naming = _of_samples(settings) if settings.of is Of.SAMPLES else _NAMINGS[settings.show]()
    titles, x_names = naming
    if settings.of is Of.SAMPLES:
        items, number, share = _("samples"), _("Number of samples"), _("Share of the samples")
    elif settings.show is Show.NUMBER:
        items, number, share = _("numbers"), _("How many"), _("Share of the numbers")
    elif settings.show.is_of_round:
        items, number, share = _("rounds"), _("Number of rounds"), _("Share of the rounds")
    elif settings.show.is_of_card:
        items, number, share = _("cards"), _("Number of cards"), _("Share of the cards")
    else:
        items, number, share = _("hands"), _("Number of hands"), _("Share of the hands")
    return Words(
        tuple(title % facts for title in titles),
        tuple(name % facts for name in x_names),
        items,
        number,
        share,
    )


def _one(shape: Shape) -> str:
    return {
        Shape.BALL: _("ball"),
        Shape.CUBE: _("cube"),
        Shape.CONE: _("cone"),
        Shape.STAR: _("star"),
    }[shape]


Naming = tuple[tuple[str, ...], tuple[str, ...]]


def _of_values() -> Naming:
    titles = (
        _("The values of the cards: %(of)s"),
        _("Which values are common, which are rare?"),
        _("How are the values spread?"),
    )
    return titles, (_("Value of a card"), _("Sum of the four counts"))


def _of_curves() -> Naming:
    titles = (
        _("Three curves, for 1, 2 and 3 %(shapes)s: %(of)s"),
        _("What does one more %(shape)s do to the value?"),
        _("Three curves of one form"),
    )
    return titles, (_("Value of a card"), _("Sum of the four counts"))


def _of_counts() -> Naming:
    titles = (
        _("How many %(shapes)s the cards show: %(of)s"),
        _("Are 1, 2 and 3 %(shapes)s equally common?"),
        _("The counts of one shape"),
    )
    return titles, (_("Count of %(shapes)s on a card"), _("Number of %(shapes)s"))


def _of_call() -> Naming:
    titles = (
        _("Cards with %(call)s in a hand: %(of)s"),
        _("How many cards with %(call)s does a hand hold?"),
        _("How often is a hand void in %(call)s?"),
    )
    return titles, (_("Cards with %(call)s in the hand"), _("Number of cards in the hand"))


def _of_least() -> Naming:
    titles = (
        _("Cards of value %(least)d or more in a hand: %(of)s"),
        _("How many cards of value %(least)d or more does a hand hold?"),
        _("How strong is a hand?"),
    )
    return titles, (
        _("Cards of value %(least)d or more in the hand"),
        _("Number of high cards in the hand"),
    )


def _of_means() -> Naming:
    titles = (
        _("The means of hands of eight: %(of)s"),
        _("How far from 8 is the mean of a hand?"),
        _("Means vary less than cards"),
    )
    return titles, (_("Mean value of a hand"), _("Sum of the values, divided by 8"))


def _of_voids() -> Naming:
    titles = (
        _("Calls that a hand is void in: %(of)s"),
        _("Of the twelve calls, how many does a hand not have?"),
        _("How often is a hand void in nothing?"),
    )
    return titles, (_("Calls that no card of the hand shows"), _("Number of voids"))


def _of_samples(settings: Settings) -> Naming:
    """A sample's mean, of whatever is counted in its hands."""
    titles = (
        _("The means of samples of %(size)d hands"),
        _("How far do samples of %(size)d hands miss the mean?"),
        _("Larger samples miss by less"),
    )
    of_what = {
        Show.CALL: _("Mean number of cards with %(call)s in a hand"),
        Show.LEAST: _("Mean number of cards of value %(least)d or more"),
        Show.VOID: _("Mean number of voids"),
    }
    mean = of_what.get(settings.show, _("Mean value of all the sample's cards"))
    return titles, (mean, _("Mean of the sample"))


def _of_bids() -> Naming:
    titles = (
        _("The bids: %(of)s"),
        _("How high do we bid?"),
        _("Which bids are common?"),
    )
    return titles, (_("Bid"), _("Tricks bid"))


def _of_numbers() -> Naming:
    titles = (_("Our own numbers"), _("How are our numbers spread?"), _("What we counted"))
    return titles, (_("Number"), _("What we counted"))


def _of_tricks() -> Naming:
    titles = (
        _("Tricks taken in a round: %(of)s"),
        _("How many tricks does a round bring?"),
        _("How are the tricks shared out?"),
    )
    return titles, (_("Tricks taken in a round"), _("Number of tricks"))


def _of_errors() -> Naming:
    titles = (
        _("Bid less tricks taken: %(of)s"),
        _("Do we bid too high or too low?"),
        _("How far are bids from the tricks?"),
    )
    return titles, (_("Bid less tricks taken"), _("Tricks too many in the bid"))


_NAMINGS = {
    Show.VALUE: _of_values,
    Show.CURVES: _of_curves,
    Show.COUNT: _of_counts,
    Show.CALL: _of_call,
    Show.LEAST: _of_least,
    Show.VOID: _of_voids,
    Show.MEAN: _of_means,
    Show.BID: _of_bids,
    Show.TAKEN: _of_tricks,
    Show.ERROR: _of_errors,
    Show.NUMBER: _of_numbers,
}


def population(settings: Settings) -> str:
    """Of what, in words; simulated hands with their number."""
    if settings.is_theory:
        return _("all hands that there can be")
    if settings.of is Of.DEALT:
        return ngettext("%(n)s simulated hand", "%(n)s simulated hands", settings.hands) % {
            "n": whole(settings.hands)
        }
    if settings.of is Of.SAMPLES:
        return ngettext("%(n)s sample", "%(n)s samples", settings.hands) % {
            "n": whole(settings.hands)
        }
    return str(OF_NAMES[settings.of])


def nothing_yet(settings: Settings) -> str:
    """What would fill an empty graph."""
    if settings.of is Of.MINE and settings.show in BIDS:
        return _("Nothing to draw yet: finish a round of Play to Bid, and it stands here.")
    if settings.of is Of.MINE:
        return _("Nothing to draw yet: finish a round at a table, and your hand stands here.")
    if settings.show in BIDS:
        return _("Nothing to draw yet: finished rounds of Play to Bid will stand here.")
    return _("Nothing to draw yet: finished rounds of your class will stand here.")
