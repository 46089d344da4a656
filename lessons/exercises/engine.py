"""Questions: generated from seed and context, rebuilt from what is stored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any, ClassVar, Literal

from lessons.exercises.answers import Form, tell_apart
from lessons.exercises.contexts import Context, Family
from lessons.exercises.skills import Misconception, Skill
from lessons.probability import Exact, compare

Parameters = dict[str, Any]
"""What a question was made of: plain JSON, stored with the seed."""

Value = Exact | str
"""A right or listed wrong value of a field: a number, or an option's key."""

TRIES = 300
"""How often an exercise may draw before it gives up on a context."""

LEAST = Fraction(1, 1000)
"""Nobody is asked for a number nearer to zero than this, but for zero itself."""

ORDER = "order"
"""The parameter with the order of the options, by field; without it they stand as built."""

LEVEL = "level"
"""The parameter with a question's level; without it, it is its type's own (``level``)."""


class Level(StrEnum):
    """What is asked, as in GAISE."""

    A = "A"
    B = "B"
    C = "C"


EDITION = "edition"
"""The parameter with a question's edition, where its type was asked otherwise at first; without
it, it is of the first."""


class NoVariant(Exception):
    """This context holds no question of this exercise that could be asked fairly."""


class NoSuchQuestion(ValueError):
    """What was stored is no question of ours."""


class ExerciseKind(Enum):
    """How an exercise is answered: a number, several numbers, a choice with its reason, or a
    graph that is built."""

    NUMBER = "n"
    NUMBERS = "p"
    CHOICE = "c"
    GRAPH = "g"


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Field:
    """One thing to fill in; a choice has options. ``is_scale`` says that these have an order
    of their own, ``last`` which of them sums the others up and stays below them."""

    key: str
    label: str
    form: Form
    options: tuple[Option, ...] = ()
    is_scale: bool = False
    last: str = ""

    def shuffled(self, rng: Random) -> list[str]:
        """The keys of the options by chance, the one that sums up (``last``) at the end."""
        keys = [option.key for option in self.options if option.key != self.last]
        rng.shuffle(keys)
        return [*keys, self.last] if self.last else keys

    def in_order(self, keys: Sequence[str]) -> Field:
        """The field with its options in this order; those that it does not name come after."""
        place = {key: number for number, key in enumerate(keys)}
        options = sorted(self.options, key=lambda each: place.get(each.key, len(place)))
        return replace(self, options=tuple(options))

    def label_of(self, key: str) -> str:
        """What the option with this key says."""
        return next(option.label for option in self.options if option.key == key)


def choice(key: str, label: str, options: Mapping[str, str]) -> Field:
    """A field with one thing to choose of these, by their keys."""
    every = tuple(Option(*each) for each in options.items())
    return Field(key, label, Form.CHOICE, every)


@dataclass(frozen=True, slots=True)
class Wrong:
    """A wrong answer that tells something: its value in the fields it concerns, and a hint
    that names the student's step and asks a question."""

    misconception: Misconception
    answers: Mapping[str, Value]
    hint: str


class Looks(Enum):
    """How a graph that was built may look as a whole, whatever its single heights."""

    FLAT = "flat"  # all heights equal
    CENTRED = "centred"  # its mean is about ``at``, heights as weights of 0, 1, 2, …
    ADDS_UP = "adds up"  # the heights sum to about ``at``


@dataclass(frozen=True, slots=True)
class WrongLooks:
    """A wrong graph that tells something by its looks in these fields; tried after all
    :class:`Wrong` answers."""

    misconception: Misconception
    fields: tuple[str, ...]
    looks: Looks
    hint: str
    at: int = 0

    def fits(self, heights: Sequence[Fraction]) -> bool:
        """Whether these heights, by field, look like that."""
        total = sum(heights, Fraction())
        if total <= 0:
            return False
        match self.looks:
            case Looks.FLAT:
                return len(set(heights)) == 1
            case Looks.CENTRED:
                centre = sum((n * height for n, height in enumerate(heights)), Fraction())
                return abs(centre / total - self.at) <= Fraction(1, 4)
            case Looks.ADDS_UP:
                return abs(total - self.at) <= Fraction(self.at, 50)


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards to draw beside the question, as codes."""

    label: str
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Blank:
    """A box of a table that is filled in: the key of its field."""

    field: str


@dataclass(frozen=True, slots=True)
class NumberTable:
    """Given numbers, and boxes to fill in; the first column heads its row. ``bars`` are the
    rows' shares where they are drawn as well. Where ``board`` names a field, the rows are bids
    at seats, drawn as a board, and the field is the bid of the seat after them."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str | Blank, ...], ...]
    bars: tuple[Fraction, ...] = ()
    board: str = ""

    @property
    def blanks(self) -> tuple[str, ...]:
        """The keys of the fields that stand in its boxes."""
        return tuple(cell.field for row in self.rows for cell in row if isinstance(cell, Blank))


@dataclass(frozen=True, slots=True)
class Series:
    """One curve, set of bars or pie: the given heights, or the fields that build it.

    They belong to the graph's categories in their order, or to those at ``places``.
    """

    label: str
    heights: tuple[int, ...] = ()
    fields: tuple[str, ...] = ()
    places: tuple[int, ...] = ()


class GraphKind(StrEnum):
    """How a graph is drawn."""

    BARS = "bars"
    CURVE = "curve"
    PIE = "pie"
    BOX = "box"


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph to build; the one series with fields is the student's. The axis reaches from
    ``low`` up to ``top`` at first; the heights are to add up to ``total``, unless it is None. A
    box plot lies below ``dots``, its data."""

    kind: GraphKind
    categories: tuple[str, ...]
    series: tuple[Series, ...]
    top: int = 10
    total: int | None = None
    low: int = 0
    dots: tuple[int, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """The keys of the fields that it builds."""
        return tuple(key for each in self.series for key in each.fields)


@dataclass(frozen=True, slots=True)
class Histogram:
    """A given histogram: its heights stand over intervals of one width, the first of which
    begins at ``start``. All of a question are drawn over the same axis."""

    caption: str
    start: Fraction
    width: Fraction
    heights: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tree:
    """Two draws, one after the other: what a card may be and its opposite, the chances of the
    first draw, those of the second after each, and what stands at the four ends."""

    caption: str
    names: tuple[str, str]
    first: tuple[str, str]
    second: tuple[str, str, str, str]
    ends: tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Instance:
    """One instance of an exercise, in the active language. Mathematics in its texts is LaTeX
    between ``\\(`` and ``\\)``. ``right``, ``follows``, ``wrong``, ``looks``, ``solution``
    and ``hint`` are for the server. ``follows`` holds, by field, what comes out exactly of
    figures that were rounded before they were printed: right, too, unless it is a listed wrong
    answer."""

    exercise: str
    parameters: Parameters
    prompt: str
    fields: tuple[Field, ...]
    right: Mapping[str, Value]
    wrong: tuple[Wrong, ...]
    solution: tuple[str, ...]
    cards: tuple[Cards, ...] = ()
    tables: tuple[NumberTable, ...] = ()
    graph: Graph | None = None
    tree: Tree | None = None
    histograms: tuple[Histogram, ...] = ()
    looks: tuple[WrongLooks, ...] = ()
    follows: Mapping[str, tuple[Exact, ...]] = field(default_factory=dict)
    hint: Hint | None = None
    seed: int | None = None

    def to_json(self) -> dict[str, Any]:
        """What rebuilds this question exactly: :func:`~lessons.exercises.rebuild` takes it."""
        return {"exercise": self.exercise, "seed": self.seed, "parameters": self.parameters}

    @property
    def is_fair(self) -> bool:
        """Whether it may be dealt: every listed wrong answer differs from the right one and
        from those of other misconceptions, by more than rounding could hide, and no number is
        too small to be asked for. A question that was dealt is never judged again."""
        return (
            not any(_is_tiny(answer) for answer in self.right.values())
            and all(
                _differ(wrong.answers, right) for wrong in self.wrong for right in self._rights
            )
            and all(
                one.misconception is other.misconception
                or not (one.answers.keys() & other.answers.keys())
                or _differ(one.answers, other.answers)
                for one, other in combinations(self.wrong, 2)
            )
        )

    @property
    def _rights(self) -> list[Mapping[str, Value]]:
        """The right answer, and those with one field as it follows from printed figures."""
        more = ((key, value) for key, values in self.follows.items() for value in values)
        return [self.right, *({**self.right, key: value} for key, value in more)]


STEP = "step"
"""The field of the step to fill in."""


@dataclass(frozen=True, slots=True)
class Hint:
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


def _is_tiny(answer: Value) -> bool:
    """Whether a number is nearer to zero than what is asked for, and not zero."""
    if isinstance(answer, str) or answer == 0:
        return False
    return compare(answer, LEAST) < 0 < compare(answer, -LEAST)


def _differ(one: Mapping[str, Value], other: Mapping[str, Value]) -> bool:
    for key in one.keys() & other.keys():
        first, second = one[key], other[key]
        if isinstance(first, str) or isinstance(second, str):
            if first != second:
                return True
        elif tell_apart(first, second):
            return True
    return False


class Exercise(ABC):
    """A generator of questions. A type of exercise is a subclass: what it is called and trains
    stands in its class attributes, ``draw`` chooses numbers, ``build`` makes the question."""

    number: ClassVar[int]
    """Its number in the list of docs/exercises.md."""
    key: ClassVar[str]
    """What is stored and never changes."""
    title: ClassVar[Any]
    family: ClassVar[Family]
    kind: ClassVar[ExerciseKind]
    level: ClassVar[Level | Literal[""]]
    """What is asked where nothing else is said; empty for what teachers write."""
    levels: ClassVar[tuple[str, ...]]
    """All levels at which it can be asked, the easiest first; most types have one."""
    skill: ClassVar[Skill]
    lesson: ClassVar[int]
    """The lesson that treats it."""
    misconceptions: ClassVar[tuple[Misconception, ...]]
    """All that its questions may recognise."""

    def __init_subclass__(cls) -> None:
        if "level" in vars(cls) and "levels" not in vars(cls):
            cls.levels = (cls.level,)

    @abstractmethod
    def draw(self, rng: Random, context: Context) -> Parameters:
        """Parameters of one question, plain JSON; NoVariant if the context does not suit."""

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """Parameters of a question of this level."""
        if level == self.level:
            return self.draw(rng, context)
        return {**self.draw_other(rng, context), LEVEL: level}

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters of a question of another level than the type's own: unless a type draws
        others for it, the same, asked otherwise."""
        return self.draw(rng, context)

    def level_of(self, parameters: Mapping[str, Any]) -> str:
        """The level of the question with these parameters."""
        return str(parameters.get(LEVEL, self.level))

    def title_of(self, parameters: Mapping[str, Any]) -> str:
        """What the question with these parameters is called."""
        return str(self.title)

    @abstractmethod
    def build(self, parameters: Parameters) -> Instance:
        """The question with these parameters. It depends on nothing else but the language."""

    def question(self, parameters: Parameters) -> Instance:
        """The question with these parameters, its options in the order that they name."""
        built, order = self.build(parameters), parameters.get(ORDER, {})
        return replace(
            built,
            fields=tuple(
                each.in_order(order[each.key]) if each.key in order else each
                for each in built.fields
            ),
        )

    def generate(
        self, rng: Random, context: Context, wish: Mapping[str, Any] | None = None
    ) -> Instance:
        """A question about this context, of those whose parameters are as in ``wish``. One in
        which a wrong answer equals the right one, or that of another misconception, is never
        dealt. Raises NoVariant if there is none."""
        wanted = dict(wish or {})
        level = wanted.pop(LEVEL, self.level)
        if not context.holds(self.family) or level not in self.levels:
            raise NoVariant(self.key)
        for _ in range(TRIES):
            parameters = self.draw_at(level, rng, context)
            if any(parameters.get(key) != value for key, value in wanted.items()):
                continue
            question = self.build(parameters)
            if not question.is_fair:
                continue
            order = {
                each.key: each.shuffled(rng)
                for each in question.fields
                if each.options and not each.is_scale
            }
            return self.question({**parameters, ORDER: order}) if order else question
        raise NoVariant(self.key)

    def suits(self, context: Context) -> bool:
        """Whether this context has the data; :meth:`generate` may still find none fair."""
        if not context.holds(self.family):
            return False
        try:
            self.draw(Random(0), context)  # noqa: S311 - not a secret
        except NoVariant:
            return False
        return True
