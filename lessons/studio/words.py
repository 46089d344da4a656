"""What graphs and their axes may be called: sensible titles and names to choose from."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

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
    naming = _of_samples(settings) if settings.of is Of.SAMPLES else _NAMINGS[settings.show]
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
        tuple(str(title) % facts for title in titles),
        tuple(str(name) % facts for name in x_names),
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


_NAMINGS = {
    Show.VALUE: (
        (
            gettext_lazy("The values of the cards: %(of)s"),
            gettext_lazy("Which values are common, which are rare?"),
            gettext_lazy("How are the values spread?"),
        ),
        (gettext_lazy("Value of a card"), gettext_lazy("Sum of the four counts")),
    ),
    Show.CURVES: (
        (
            gettext_lazy("Three curves, for 1, 2 and 3 %(shapes)s: %(of)s"),
            gettext_lazy("What does one more %(shape)s do to the value?"),
            gettext_lazy("Three curves of one form"),
        ),
        (gettext_lazy("Value of a card"), gettext_lazy("Sum of the four counts")),
    ),
    Show.COUNT: (
        (
            gettext_lazy("How many %(shapes)s the cards show: %(of)s"),
            gettext_lazy("Are 1, 2 and 3 %(shapes)s equally common?"),
            gettext_lazy("The counts of one shape"),
        ),
        (gettext_lazy("Count of %(shapes)s on a card"), gettext_lazy("Number of %(shapes)s")),
    ),
    Show.CALL: (
        (
            gettext_lazy("Cards with %(call)s in a hand: %(of)s"),
            gettext_lazy("How many cards with %(call)s does a hand hold?"),
            gettext_lazy("How often is a hand void in %(call)s?"),
        ),
        (
            gettext_lazy("Cards with %(call)s in the hand"),
            gettext_lazy("Number of cards in the hand"),
        ),
    ),
    Show.LEAST: (
        (
            gettext_lazy("Cards of value %(least)d or more in a hand: %(of)s"),
            gettext_lazy("How many cards of value %(least)d or more does a hand hold?"),
            gettext_lazy("How strong is a hand?"),
        ),
        (
            gettext_lazy("Cards of value %(least)d or more in the hand"),
            gettext_lazy("Number of high cards in the hand"),
        ),
    ),
    Show.VOID: (
        (
            gettext_lazy("Calls that a hand is void in: %(of)s"),
            gettext_lazy("Of the twelve calls, how many does a hand not have?"),
            gettext_lazy("How often is a hand void in nothing?"),
        ),
        (gettext_lazy("Calls that no card of the hand shows"), gettext_lazy("Number of voids")),
    ),
    Show.MEAN: (
        (
            gettext_lazy("The means of hands of eight: %(of)s"),
            gettext_lazy("How far from 8 is the mean of a hand?"),
            gettext_lazy("Means vary less than cards"),
        ),
        (gettext_lazy("Mean value of a hand"), gettext_lazy("Sum of the values, divided by 8")),
    ),
    Show.BID: (
        (
            gettext_lazy("The bids: %(of)s"),
            gettext_lazy("How high do we bid?"),
            gettext_lazy("Which bids are common?"),
        ),
        (gettext_lazy("Bid"), gettext_lazy("Tricks bid")),
    ),
    Show.TAKEN: (
        (
            gettext_lazy("Tricks taken in a round: %(of)s"),
            gettext_lazy("How many tricks does a round bring?"),
            gettext_lazy("How are the tricks shared out?"),
        ),
        (gettext_lazy("Tricks taken in a round"), gettext_lazy("Number of tricks")),
    ),
    Show.ERROR: (
        (
            gettext_lazy("Bid less tricks taken: %(of)s"),
            gettext_lazy("Do we bid too high or too low?"),
            gettext_lazy("How far are bids from the tricks?"),
        ),
        (gettext_lazy("Bid less tricks taken"), gettext_lazy("Tricks too many in the bid")),
    ),
    Show.NUMBER: (
        (
            gettext_lazy("Our own numbers"),
            gettext_lazy("How are our numbers spread?"),
            gettext_lazy("What we counted"),
        ),
        (gettext_lazy("Number"), gettext_lazy("What we counted")),
    ),
}
"""By what is shown: three titles, and two names of the axis below."""


def _of_samples(settings: Settings) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Titles and names of the axis for samples' means, of whatever is counted in hands."""
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
