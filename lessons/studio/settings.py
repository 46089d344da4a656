"""What a graph shows, as its address says it: each setting has a name, values, a default; and
what it and its axes are called."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import Enum, StrEnum
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules import Call, Shape
from games.words import call_words, whole
from lessons.measures.page import page, positional
from lessons.studio import own
from xactika_site.http import digits

MAX_HANDS = 1_000_000
DEALS = (100, 10_000, 1_000_000)
"""How many hands the buttons deal."""


class Of(Enum):
    """Of what: a population; its value stands in addresses."""

    DECK = "deck"
    DEALT = "dealt"
    SAMPLES = "samples"
    MINE = "mine"
    CLASS = "class"
    OWN = "own"

    @property
    def is_played(self) -> bool:
        return self in (Of.MINE, Of.CLASS)

    @property
    def is_dealt(self) -> bool:
        """Whether the computer deals them, as many as one likes."""
        return self in (Of.DEALT, Of.SAMPLES)


class Show(Enum):
    """What is counted or measured."""

    VALUE = "value"
    CURVES = "curves"
    COUNT = "count"
    CALL = "call"
    LEAST = "least"
    VOID = "void"
    MEAN = "mean"
    BID = "bid"
    TAKEN = "taken"
    ERROR = "error"
    NUMBER = "number"

    @property
    def is_of_card(self) -> bool:
        """Whether there is one number for each card; else for each hand or round."""
        return self in (Show.VALUE, Show.CURVES, Show.COUNT)

    @property
    def is_of_round(self) -> bool:
        """Whether only rounds that were played have it."""
        return self in (Show.BID, Show.TAKEN, Show.ERROR)


BIDS = (Show.BID, Show.ERROR)
"""What only rounds of Play to Bid have."""


class By(Enum):
    """By what it is told apart, or against what it is drawn."""

    VALUE = "value"
    BALLS = "balls"
    CUBES = "cubes"
    CONES = "cones"
    STARS = "stars"
    HIGH = "high"
    MEAN = "mean"
    VOID = "void"
    BID = "bid"
    TAKEN = "taken"
    ERROR = "error"
    SEAT = "seat"
    STUDENT = "student"
    SESSION = "session"

    @property
    def is_of_card(self) -> bool:
        return self in (By.VALUE, By.BALLS, By.CUBES, By.CONES, By.STARS)

    @property
    def is_of_hand(self) -> bool:
        return self in (By.HIGH, By.MEAN, By.VOID)

    @property
    def is_of_round(self) -> bool:
        return self in (By.BID, By.TAKEN, By.ERROR)

    @property
    def is_name(self) -> bool:
        """Whether it says who, where or when; the others are numbers."""
        return self in (By.SEAT, By.STUDENT, By.SESSION)


class Look(Enum):
    """The kinds of graph."""

    BAR = "bar"
    CURVE = "curve"
    PIE = "pie"
    HISTOGRAM = "histogram"
    CUMULATIVE = "cumulative"
    DOTS = "dots"
    BOX = "box"
    TABLE = "table"
    SCATTER = "scatter"


_ALL = (
    Look.BAR, Look.DOTS, Look.BOX, Look.CURVE, Look.PIE, Look.HISTOGRAM, Look.CUMULATIVE,
)  # fmt: skip
SUITS: dict[Show, tuple[Look, ...]] = {
    Show.VALUE: _ALL,
    Show.CURVES: (Look.CURVE,),
    Show.COUNT: (Look.BAR, Look.DOTS, Look.PIE),
    Show.CALL: _ALL,
    Show.LEAST: _ALL,
    Show.VOID: _ALL,
    Show.MEAN: (Look.HISTOGRAM, Look.DOTS, Look.BOX, Look.CUMULATIVE),
    Show.BID: _ALL,
    Show.TAKEN: _ALL,
    Show.ERROR: tuple(look for look in _ALL if look is not Look.PIE),
    Show.NUMBER: (Look.DOTS, Look.BAR, Look.BOX, Look.HISTOGRAM, Look.CUMULATIVE),
}
"""The graphs that suit, the most usual one first."""

SPLIT = (Look.TABLE, Look.SCATTER)
"""The graphs of what is split."""

SHADED = (Look.BAR, Look.DOTS, Look.HISTOGRAM)
"""The graphs of which a tail can be shaded."""


class Side(StrEnum):
    """What the axis at the side tells."""

    NUMBER = "number"
    SHARE = "share"


class Tail(StrEnum):
    """Which tail is shaded: what is ``cut`` or more, or less, in the steps that are counted."""

    NONE = ""
    UP = "up"
    DOWN = "down"


SIZES = (2, 4, 10, 25, 100)
"""How many hands are in a sample: four times as many halve the spread."""

SAMPLES = (10, 100, 10_000)
"""How many samples the buttons draw; the last is the most."""


def name_of(value: Enum) -> str:
    """The name of a setting's value, as the page ``graph-settings`` has it."""
    key = f"{type(value).__name__.lower()}-{value.value}"
    return page("graph-settings").texts("name", {"value": key})[0]


@dataclass(frozen=True, slots=True)
class Settings:
    """One graph. ``least``, ``shape`` and ``count`` matter to what asks for them, ``hands`` and
    ``seed`` to simulated deals, ``size`` to samples of them, ``session`` to a class, ``data``
    to numbers of one's own, ``cut`` to a ``tail``; ``by`` splits it."""

    of: Of = Of.DECK
    show: Show = Show.VALUE
    shape: Shape = Shape.BALL
    count: int = 1
    least: int = 9
    graph: Look = Look.BAR
    hands: int = 10_000
    seed: int = 1
    session: int | None = None
    y: Side = Side.NUMBER
    by: By | None = None
    size: int = 25
    tail: Tail = Tail.NONE
    cut: int | None = None
    data: str = ""

    @property
    def is_theory(self) -> bool:
        """Whether all hands that there can be are counted, not some that were dealt."""
        return self.of is Of.DECK and not self.show.is_of_card

    @property
    def by_share(self) -> bool:
        return self.y is Side.SHARE or self.is_theory

    def address(self, suffix: str = "") -> dict[str, str]:
        """By name the settings that differ from the defaults, and always the first two, as an
        address has them."""
        texts = {name: self._value_text(name) for name in NAMES}
        usual = {name: Settings()._value_text(name) for name in NAMES}
        usual["graph"] = suits(self)[0].value
        return {
            f"{name}{suffix}": text
            for name, text in texts.items()
            if text and (name in ("of", "show") or text != usual[name])
        }

    def _value_text(self, name: str) -> str:
        value = getattr(self, name)
        if value is None:
            return ""
        return str(value.value) if isinstance(value, Enum) else str(value)


NAMES = tuple(each.name for each in fields(Settings))

NUMBERS = {
    "count": (1, 3),
    "least": (4, 12),
    "hands": (1, MAX_HANDS),
    "seed": (0, 2**32 - 1),
    "session": (1, 2**31 - 1),
}


@dataclass(slots=True)
class Reading:
    """Settings as an address has them: ``wrong`` has a line for each that cannot be, ``notes``
    one for what was put right because it does not go together."""

    settings: Settings
    wrong: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    typed: str | None = None
    """Numbers of one's own as somebody has just typed them, where they cannot be read."""


def read_typed(parameters: Mapping[str, str], suffix: str = "") -> Reading:
    """The settings in a form that was sent, with numbers as people type them."""
    text = parameters.get(f"data{suffix}", "")
    rest = {name: value for name, value in parameters.items() if name != f"data{suffix}"}
    reading = read(rest, suffix)
    if reading.settings.of is Of.OWN:
        try:
            data = own.address(own.typed(text))
        except own.UnreadableNumbers as why:
            reading.wrong.append(str(why))
            reading.typed = text
        else:
            reading.settings = replace(reading.settings, data=data)
    return reading


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
        try:
            value = _value_of_text(name, text)
        except own.UnreadableNumbers as why:
            wrong.append(str(why))
            continue
        if value is None:
            wrong.append(_("“%s” can’t have this value.") % name)
        else:
            values[name] = value
    reading = Reading(Settings(**values), wrong)
    _put_right(reading, "graph" in values)
    return reading


ENUMS: dict[str, type[Enum]] = {
    **{"of": Of, "show": Show, "shape": Shape, "graph": Look, "by": By},
    **{"y": Side, "tail": Tail},
}


def _value_of_text(name: str, text: str) -> Any:
    """The value that a setting's text means; None for none."""
    if name in ENUMS:
        return next((each for each in ENUMS[name] if each.value == text), None)
    if name == "size":
        return next((size for size in SIZES if str(size) == text), None)
    if name == "data":
        return own.address(own.numbers(text))
    if name == "cut":
        number = digits(text.removeprefix("-"), most=15)
        return None if number is None else -number if text.startswith("-") else number
    low, high = NUMBERS[name]
    number = digits(text, most=12)
    return number if number is not None and low <= number <= high else None


def shows(of: Of) -> tuple[Show, ...]:
    """What can be counted of these cards, hands or rounds, the most usual first."""
    if of is Of.OWN:
        return (Show.NUMBER,)
    if of is Of.SAMPLES:
        return (Show.MEAN, Show.CALL, Show.LEAST, Show.VOID)
    return tuple(
        show
        for show in Show
        if show is not Show.NUMBER and (of.is_played or not show.is_of_round)
    )


def splits(settings: Settings) -> tuple[By, ...]:
    """By what a graph of these settings can be split; nothing where it can't."""
    of, show = settings.of, settings.show
    if show in (Show.CURVES, Show.NUMBER) or of is Of.SAMPLES or settings.is_theory:
        return ()
    possible = [
        by
        for by in By
        if (by.is_of_card and show.is_of_card)
        or (by.is_of_hand and not show.is_of_card)
        or (of.is_played and (by.is_of_round or by.is_name))
    ]
    # What is split already says this.
    same = f"{settings.shape.value}s" if show is Show.COUNT else ""
    return tuple(by for by in possible if by.value not in (show.value, same))


def suits(settings: Settings) -> tuple[Look, ...]:
    """The graphs that suit these settings, the most usual one first."""
    by = settings.by
    if settings.of is Of.SAMPLES:
        return (Look.HISTOGRAM, Look.BOX)
    if by is None:
        looks = SUITS[settings.show]
        return tuple(look for look in looks if look is not Look.DOTS or not settings.is_theory)
    if settings.show is Show.COUNT:
        return (Look.TABLE,)
    if settings.show.is_of_card and by.is_of_card:
        return (Look.TABLE, Look.BOX)
    if settings.show.is_of_card or by.is_name:
        return (Look.BOX, Look.TABLE)
    return (Look.SCATTER, Look.TABLE) if by is By.MEAN else (Look.SCATTER, Look.BOX, Look.TABLE)


def _put_right(reading: Reading, is_asked: bool) -> None:
    """Settings that do not go together become some that do, and a line says so where it was
    asked for."""
    settings = reading.settings
    if settings.show not in shows(settings.of):
        usual = shows(settings.of)[0]
        if settings.show.is_of_round:
            reading.notes.append(_("Those don’t go together, so you see: %s.") % name_of(usual))
        settings = replace(settings, show=usual)
    if settings.by is not None and settings.by not in splits(settings):
        settings = replace(settings, by=None)
    looks = suits(settings)
    if not is_asked or settings.graph not in looks:
        # Whoever splits, or no longer does, has not asked for this kind.
        if is_asked and settings.by is None and settings.graph not in SPLIT:
            reading.notes.append(
                _("Those don’t go together, so you see: %s.") % name_of(looks[0])
            )
        settings = replace(settings, graph=looks[0])
    if settings.is_theory and settings.y is not Side.SHARE:
        settings = replace(settings, y=Side.SHARE)
    if settings.of is Of.SAMPLES and settings.hands > SAMPLES[-1]:
        settings = replace(settings, hands=SAMPLES[-1])
    reading.settings = settings


# What it is called, as the page ``graph-names`` has it


def words(settings: Settings) -> dict[str, str]:
    """What to call a graph and its axes: the ``title``, ``x_name`` of the axis below, what is
    counted (``items``), their ``number`` and ``share``."""
    wording, facts = page("graph-names"), _setting_facts(settings)
    counted: dict[str, str] = {}
    for line in wording.of("name", facts):
        counted[positional(line)[0]] = wording.text(line, {**facts, **counted})
    (x_name,) = wording.texts("x", facts)
    (title,) = wording.texts("title", {**facts, "x": x_name})
    return {"title": title, "x_name": x_name, **counted}


def _setting_facts(settings: Settings) -> dict[str, Any]:
    return {
        "show": settings.show.value,
        "samples": settings.of is Of.SAMPLES,
        "what": capfirst(name_of(settings.show)),
        "value": capfirst(name_of(Show.VALUE)),
        "of": population(settings),
        "shapes": name_of(settings.shape),
        "call": call_words(Call(settings.shape, settings.count)),
        "least": settings.least,
        "size": settings.size,
        "kind": _counted_words(settings),
        "mine": settings.of is Of.MINE,
        "bids": settings.show in BIDS,
    }


def _counted_words(settings: Settings) -> str:
    """The words for what is counted."""
    if settings.of is Of.SAMPLES:
        return "sample"
    if settings.show is Show.NUMBER:
        return "number"
    if settings.show.is_of_round:
        return "round"
    return "card" if settings.show.is_of_card else "hand"


def population(settings: Settings) -> str:
    """The cards or hands that a graph is of, in words; simulated hands with their number."""
    if settings.is_theory:
        return _("all hands")
    if settings.of is Of.DEALT:
        return ngettext("%(in_words)s hand", "%(in_words)s hands", settings.hands) % {
            "in_words": whole(settings.hands)
        }
    if settings.of is Of.SAMPLES:
        return ngettext("%(in_words)s sample", "%(in_words)s samples", settings.hands) % {
            "in_words": whole(settings.hands)
        }
    return name_of(settings.of)


def nothing_yet(settings: Settings) -> str:
    """What would fill an empty graph."""
    (text,) = page("graph-names").texts("empty", _setting_facts(settings))
    return text
