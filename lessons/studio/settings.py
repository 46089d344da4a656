"""What a graph shows, as its address says it: each setting has a name, values, a default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.rules import Shape
from xactika_site.http import digits

MAX_HANDS = 1_000_000
DEALS = (100, 10_000, 1_000_000)
"""How many hands the buttons deal."""

TITLES, X_NAMES = 3, 2
"""How many titles and names of the axis below there are to choose from."""


class Of(Enum):
    """Of what: a population; its value stands in addresses."""

    DECK = "deck"
    DEALT = "dealt"
    MINE = "mine"
    CLASS = "class"


class Show(Enum):
    """What is counted or measured."""

    VALUE = "value"
    CURVES = "curves"
    COUNT = "count"
    CALL = "call"
    LEAST = "least"
    MEAN = "mean"
    TAKEN = "taken"
    ERROR = "error"

    @property
    def is_of_card(self) -> bool:
        """One number for each card; else for each hand or round."""
        return self in (Show.VALUE, Show.CURVES, Show.COUNT)

    @property
    def is_of_round(self) -> bool:
        """Only rounds that were played have it."""
        return self in (Show.TAKEN, Show.ERROR)


class Look(Enum):
    """The kinds of graph."""

    BAR = "bar"
    CURVE = "curve"
    PIE = "pie"
    HISTOGRAM = "histogram"
    CUMULATIVE = "cumulative"


SUITS: dict[Show, tuple[Look, ...]] = {
    Show.VALUE: (Look.BAR, Look.CURVE, Look.PIE, Look.HISTOGRAM, Look.CUMULATIVE),
    Show.CURVES: (Look.CURVE,),
    Show.COUNT: (Look.BAR, Look.PIE),
    Show.CALL: (Look.BAR, Look.CURVE, Look.PIE, Look.HISTOGRAM, Look.CUMULATIVE),
    Show.LEAST: (Look.BAR, Look.CURVE, Look.PIE, Look.HISTOGRAM, Look.CUMULATIVE),
    Show.MEAN: (Look.HISTOGRAM, Look.CUMULATIVE),
    Show.TAKEN: (Look.BAR, Look.CURVE, Look.PIE, Look.HISTOGRAM, Look.CUMULATIVE),
    Show.ERROR: (Look.BAR, Look.CURVE, Look.HISTOGRAM, Look.CUMULATIVE),
}
"""The graphs that suit, the most usual one first."""

OF_NAMES = {
    Of.DECK: gettext_lazy("the full deck"),
    Of.DEALT: gettext_lazy("simulated deals"),
    Of.MINE: gettext_lazy("my finished hands"),
    Of.CLASS: gettext_lazy("our class's finished hands"),
}
SHOW_NAMES = {
    Show.VALUE: gettext_lazy("the value of a card"),
    Show.CURVES: gettext_lazy("the value, for 1, 2 and 3 of a shape"),
    Show.COUNT: gettext_lazy("the count of a shape on a card"),
    Show.CALL: gettext_lazy("cards with one count of a shape in a hand"),
    Show.LEAST: gettext_lazy("cards of a value or more in a hand"),
    Show.MEAN: gettext_lazy("the mean of a hand"),
    Show.TAKEN: gettext_lazy("tricks taken"),
    Show.ERROR: gettext_lazy("bid less tricks taken"),
}
LOOK_NAMES = {
    Look.BAR: gettext_lazy("bar graph"),
    Look.CURVE: pgettext_lazy("a kind of graph", "curve"),
    Look.PIE: gettext_lazy("pie"),
    Look.HISTOGRAM: gettext_lazy("histogram with the normal curve"),
    Look.CUMULATIVE: gettext_lazy("cumulative graph"),
}
SHAPE_NAMES = {
    Shape.BALL: gettext_lazy("balls"),
    Shape.CUBE: gettext_lazy("cubes"),
    Shape.CONE: gettext_lazy("cones"),
    Shape.STAR: gettext_lazy("stars"),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """One graph. ``least``, ``shape`` and ``count`` matter to what asks for them, ``hands`` and
    ``seed`` to simulated deals, ``session`` to a class; ``y`` is "number" or "share"."""

    of: Of = Of.DECK
    show: Show = Show.VALUE
    shape: Shape = Shape.BALL
    count: int = 1
    least: int = 9
    graph: Look = Look.BAR
    hands: int = 10_000
    seed: int = 1
    session: int | None = None
    title: int = 0
    x: int = 0
    y: str = "number"

    @property
    def is_theory(self) -> bool:
        """Hands of the deck itself are all that there can be, not some that were dealt."""
        return self.of is Of.DECK and not self.show.is_of_card

    @property
    def by_share(self) -> bool:
        return self.y == "share" or self.is_theory

    def address(self, suffix: str = "") -> dict[str, str]:
        """The settings that differ from the defaults, and always the first two, as an address
        has them."""
        texts = {name: self._text(name) for name in NAMES}
        usual = {name: Settings()._text(name) for name in NAMES}
        usual["graph"] = SUITS[self.show][0].value
        return {
            f"{name}{suffix}": text
            for name, text in texts.items()
            if text and (name in ("of", "show") or text != usual[name])
        }

    def _text(self, name: str) -> str:
        value = getattr(self, name)
        if value is None:
            return ""
        return str(value.value) if isinstance(value, Enum) else str(value)


NAMES = (
    "of", "show", "shape", "count", "least", "graph", "hands", "seed", "session", "title", "x",
    "y",
)  # fmt: skip

NUMBERS = {
    "count": (1, 3),
    "least": (4, 12),
    "hands": (1, MAX_HANDS),
    "seed": (0, 2**32 - 1),
    "title": (0, TITLES - 1),
    "x": (0, X_NAMES - 1),
    "session": (1, 2**31 - 1),
}


@dataclass(slots=True)
class Reading:
    """Settings as an address has them: ``wrong`` has a line for each that cannot be, ``notes``
    one for what was put right because it does not go together."""

    settings: Settings
    wrong: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read(parameters: Mapping[str, str], suffix: str = "") -> Reading:
    """The settings in an address; those of a second graph have a suffix. Never raises."""
    texts = {
        name: text
        for name in NAMES
        if (text := str(parameters.get(f"{name}{suffix}", "")).strip())
    }
    values: dict[str, Any] = {}
    wrong = []
    for name, text in texts.items():
        value = _value(name, text)
        if value is None:
            wrong.append(_line(name))
        else:
            values[name] = value
    if "graph" not in values and isinstance(show := values.get("show"), Show):
        values["graph"] = SUITS[show][0]
    reading = Reading(Settings(**values), wrong)
    _put_right(reading)
    return reading


ENUMS: dict[str, type[Enum]] = {"of": Of, "show": Show, "shape": Shape, "graph": Look}


def _value(name: str, text: str) -> Any:
    """What a text means; None if nothing."""
    if name in ENUMS:
        return next((each for each in ENUMS[name] if each.value == text), None)
    if name == "y":
        return text if text in ("number", "share") else None
    low, high = NUMBERS[name]
    number = digits(text, most=12)
    return number if number is not None and low <= number <= high else None


def _line(name: str) -> str:
    """What a setting may be."""
    if name in NUMBERS:
        low, high = NUMBERS[name]
        return _("“%(name)s” is a whole number from %(low)s to %(high)s.") % {
            "name": name,
            "low": whole(low),
            "high": whole(high),
        }
    values = [each.value for each in ENUMS[name]] if name in ENUMS else ["number", "share"]
    return _("“%(name)s” is one of %(values)s.") % {"name": name, "values": ", ".join(values)}


def whole(number: int) -> str:
    """A whole number as the language groups it, e.g. 10,000."""
    return number_format(number, force_grouping=True, use_l10n=True)


def _put_right(reading: Reading) -> None:
    """Settings that do not go together become some that do, and a line says so."""
    settings = reading.settings
    if settings.show.is_of_round and settings.of in (Of.DECK, Of.DEALT):
        settings = replace(settings, show=Show.VALUE)
        reading.notes.append(
            _("Tricks come from rounds that were played. Here is the value of a card instead.")
        )
    suits = SUITS[settings.show]
    if settings.graph not in suits:
        reading.notes.append(
            _("That kind of graph does not suit this. Here is the usual one: %(graph)s.")
            % {"graph": LOOK_NAMES[suits[0]]}
        )
        settings = replace(settings, graph=suits[0])
    if settings.is_theory and settings.y != "share":
        settings = replace(settings, y="share")
    reading.settings = settings
