"""What a lesson is: plain data, as its files tell it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum, StrEnum
from typing import NamedTuple

from lessons.exercises.skills import Misconception

CardEvent = tuple[str, str | int]
"""Something that a card may do: ``("call", "1-ball")``, ``("value", 10)``, ``("least", 9)``."""


class StepKind(Enum):
    """What somebody does in a step; the value is the word in the files."""

    PREDICT = "predict"
    DO = "do"
    REVEAL = "reveal"
    EXPLAIN = "explain"


@dataclass(frozen=True, slots=True)
class Statement:
    """Something to choose or to put in order; ``is_right`` where it is known to be."""

    text: str
    is_right: bool
    reply: str


@dataclass(frozen=True, slots=True)
class Whole:
    """A number to predict, from ``low`` to ``high``, whole or with so many ``places``;
    ``truth`` names a figure."""

    low: int
    high: int
    unit: str
    truth: str
    places: int = 0

    @property
    def step(self) -> str:
        """How far apart the numbers are that may be predicted, as forms write it."""
        return f"{Decimal(1).scaleb(-self.places)}"


@dataclass(frozen=True, slots=True)
class PlayStep:
    """A short table of bots to play at."""

    variant: str
    seats: int
    rounds: int


@dataclass(frozen=True, slots=True)
class DealStep:
    """So many hands to deal at a time, and what to count in them."""

    hands: int
    variable: str


class ShareOf(NamedTuple):
    """So many of all."""

    part: int
    whole: int


class LotHalves(NamedTuple):
    """The tables of each lot as dots (letter, place by points, height), and their means."""

    dots: list[tuple[str, int, int]]
    means: dict[str, float]

    @property
    def marks(self) -> list[tuple[str, float, float]]:
        """Each half's letter, mean and place."""
        return [(letter, mean, 10 * mean) for letter, mean in self.means.items()]

    @property
    def gap(self) -> float:
        return abs(self.means["A"] - self.means["B"])

    @property
    def ends(self) -> tuple[float, float, float]:
        """Where the gap begins, its width and its middle."""
        low, high = sorted(10 * mean for mean in self.means.values())
        return low, high - low, (low + high) / 2


@dataclass(frozen=True, slots=True)
class Shows:
    """What any step may show: ``cards``, some of them ``raised``, a round's ``bids`` at their
    seats, the dealer's last ("?" while it is open), tables with the letter that ``lots`` give
    each, perhaps with their points, a ``share`` as dots of which some are filled, a ``table``
    of a variable, two events ``crossed`` in a two-way table, a ``tree`` of two draws."""

    cards: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    bids: tuple[str, ...] = ()
    lots: str = ""
    share: ShareOf | None = None
    table: str = ""
    # Two events of the deck side by side; one in two draws.
    crossed: tuple[CardEvent, ...] = ()
    tree: CardEvent | None = None
    # That a class plays its experiment here ("played"), or what is shown of it: its "tables",
    # or what "chance" alone does; of its tests what a coin does to the gain ("learnt").
    experiment: str = ""
    # Whether it shows the class beside its median (lessons.visits.crowd).
    crowd: bool = False
    # Who may hold how many, before and after (lessons.course.strips).
    strip: str = ""
    # How many rounds of a bot are shown, of which it is asked which it is (.suspects).
    bots: int = 0
    # The number of the puzzle that it shows (lessons.course.starter).
    puzzle: int | None = None

    @property
    def halves(self) -> LotHalves | None:
        """The tables' points by their lots, drawn; None where there are none."""
        points = {
            letter: [int(n) for n in re.findall(rf"{letter}(\d)", self.lots)] for letter in "AB"
        }
        if not all(points.values()):
            return None
        means = {letter: sum(each) / len(each) for letter, each in points.items()}
        dots = [
            (letter, 10 * n, 6 * each[:k].count(n))
            for letter, each in points.items()
            for k, n in enumerate(each)
        ]
        return LotHalves(dots, means)

    @property
    def has_objects(self) -> bool:
        """Whether it shows what lies on a table: cards, bids, lots or dots."""
        return bool(self.cards or self.bids or self.lots or self.share)


class StepData(StrEnum):
    """Where the data come from that a reveal lays over its theory."""

    NONE = ""
    DEALS = "deals"  # the lesson's own
    CLASS = "class"  # finished rounds


@dataclass(frozen=True, slots=True)
class Step:
    """One step, and what it ``shows``. A prediction has ``statements`` or ``whole``, and
    perhaps a graph of the studio for each statement, as its address has it (``graphs``); a do
    step exactly one of ``exercise`` (``only`` such questions as have these parameters),
    ``build``, ``deal``, ``play``; a reveal the prediction it is ``of``, perhaps a ``chart`` and
    where its data come from; an explanation its ``statements``."""

    name: str
    kind: StepKind
    title: str
    paragraphs: tuple[str, ...]
    # How long it takes a class (0: not planned), and whether it is on the 45-minute path.
    minutes: int = 0
    is_short: bool = False
    shows: Shows = Shows()
    statements: tuple[Statement, ...] = ()
    is_order: bool = False
    whole: Whole | None = None
    graphs: tuple[str, ...] = ()
    exercise: str = ""
    only: Mapping[str, str] = field(default_factory=dict)
    build: str = ""
    deal: DealStep | None = None
    play: PlayStep | None = None
    of: str = ""
    chart: str = ""
    data: StepData = StepData.NONE
    # Whether a rule for bidding is handed in, to be played against the others' (.contest).
    rule: bool = False


@dataclass(frozen=True, slots=True)
class PlanPart:
    """A part of the teacher's page: a title, paragraphs, a list."""

    title: str
    paragraphs: tuple[str, ...]
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Guide:
    """A teacher's page; ``standards`` by code, with the names of the steps that earn them."""

    aim: str
    standards: tuple[tuple[str, tuple[str, ...]], ...]
    parts: tuple[PlanPart, ...]
    errors: tuple[tuple[Misconception, str], ...]


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A question of a worksheet, answered in one's own words, and what a good answer says."""

    prompt: str
    answer: str


@dataclass(frozen=True, slots=True)
class Printed:
    """An exercise of a worksheet, and which of its questions are printed."""

    exercise: str
    only: Mapping[str, str] = field(default_factory=dict)


COVERS = frozenset({"bell", "deal", "bid", "class", "balance", "lot", "question", "hidden"})
"""The drawings in ``templates/lessons/course/covers/``."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson. ``cover`` is drawn beside its title: codes of cards, or one of the COVERS;
    ``needs`` are the numbers of the lessons that it builds on; ``tasks`` are its worksheet's:
    exercises, and questions in words."""

    slug: str
    title: str
    level: str
    minutes: int
    summary: str
    cover: str
    steps: tuple[Step, ...]
    number: int = 0  # of a starter and the contest, which are none of the course
    needs: tuple[int, ...] = ()
    guide: Guide = Guide("", (), (), ())
    tasks: tuple[Printed | WrittenQuestion, ...] = ()

    @property
    def short(self) -> int:
        """How many minutes the short path through the lesson takes; 0 if it has none."""
        return sum(step.minutes for step in self.steps if step.is_short)

    def planned(self, number: int) -> tuple[int, int]:
        """From which minute to which a step runs by the plan."""
        end = sum(step.minutes for step in self.steps[:number])
        return end - self.steps[number - 1].minutes, end

    def place(self, name: str) -> int:
        """The number of a step, from 1; KeyError if there is none of this name."""
        for number, step in enumerate(self.steps, start=1):
            if step.name == name:
                return number
        raise KeyError(name)

    @property
    def asks(self) -> Step | None:
        """The step in which a question of one's own is chosen, each with its graph."""
        return next((step for step in self.steps if step.graphs), None)

    def reveal_of(self, name: str) -> int:
        """The number of the step that reveals a prediction."""
        return next(n for n, step in enumerate(self.steps, start=1) if step.of == name)
