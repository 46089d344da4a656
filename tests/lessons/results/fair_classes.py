"""Classes that are fair by construction, thousands of them, read by the pages of results as
real ones are: how often does a page say something wrong of them?

Cards are dealt by chance; in ``duplicate`` classes every table plays the same boards. A board
has its own luck for each seat, which all tables that play it share, so that they come to much
the same. A student knows how many high cards a hand has, or only whether it is poor, middling
or rich, and forecasts from it what such hands really take at such tables (``calibrated``;
counted from many boards of the same kind), some in steps of ten percent (``in tens``). Others
make too much (``too sure``) or too little (``unsure``) of what they know, and some know nothing
of their hands and say what is usual from memory (``blind``).

How good forecasts are is held against what such classes come to in the long run: a sentence
errs that calls them better where they are not, or worse, or whose interval does not hold it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from games.analysis.significance import ALPHA
from games.rules import DECK
from lessons.course import lesson
from lessons.course.variables import variable
from lessons.models import LessonRun
from lessons.questions.forecasts import whole_percents
from lessons.results.bids import bidding, forecast_panels
from lessons.results.bids.forecasting import USUAL, Score, sum_of
from lessons.results.dataset import Dataset, FinishedDeal, LedTrick, SeatResult
from lessons.results.dealt import deal_panels
from lessons.results.learned.learning import Learning
from lessons.results.points import point_panels
from lessons.results.session import session_panels
from lessons.results.session.dashboard import dashboard
from lessons.results.taught import lesson_panels
from lessons.results.taught.taught_lessons import StepDone, TaughtLesson, verdict_count
from tests.lessons.results.fair import SIZES, Starmap

HAND, TRICKS = 8, 8
LUCK = 0.8
"""How much of a board's outcome the cards decide beyond the high ones: of logits of a trick."""

WORTH = 0.35
"""What each high card adds to them."""

COARSE = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2])
"""Poor, middling or rich, by the number of high cards."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
FAR = "farther than chance goes"
CLAIMED = "Our deals were unusual"
SURE, UNSURE = "too sure.", "have been surer."
CLAIMS = {SURE: "Too sure: ", UNSURE: "Too unsure: "}

HIGH: Ints = np.array([card.value >= 9 for card in DECK], int)
"""Whether each card of the deck is a high one."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of class: how many sit at a table, how many rounds they play; whether all tables
    play the same boards; how students forecast; whether the class deals hands in lesson 3."""

    seats: int
    rounds: int
    duplicate: bool
    forecasts: str = "calibrated"
    lesson: bool = False
    students: tuple[int, int] = (8, 40)

    def __str__(self) -> str:
        cards = "duplicate" if self.duplicate else "separate"
        return f"{cards}, {self.seats} seats, {self.rounds} rounds, {self.forecasts}"


# A board.


def deal(boards: int, seats: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Cards by board, seat and place, as numbers; and how many of a hand are high."""
    order = np.argsort(rng.random((boards, len(DECK))), axis=1)[:, : HAND * seats]
    cards = order.reshape(boards, seats, HAND)
    return cards, HIGH[cards].sum(axis=2)


def chances(high: Ints, rng: np.random.Generator) -> Floats:
    """Of each seat of each board to take a trick, at every table that plays it."""
    logits = WORTH * high + LUCK * rng.standard_normal(high.shape)
    weights = np.exp(logits)
    shares: Floats = weights / weights.sum(axis=1, keepdims=True)
    return shares


@cache
def truths(seats: int) -> tuple[Floats, Floats]:
    """What hands with 0 to 8 high cards, and poor, middling and rich ones, really take at such
    tables: the shares of 0 to 8 tricks, counted."""
    rng = np.random.default_rng(seats)
    hands = [HAND] * seats + [len(DECK) - HAND * seats]
    boards = 1_000_000 // seats
    high = rng.multivariate_hypergeometric(hands, HIGH.sum(), boards, "marginals")[:, :-1]
    taken = rng.multinomial(TRICKS, chances(high, rng))
    by_number, by_kind = np.full((9, 9), 1e-9), np.full((3, 9), 1e-9)
    np.add.at(by_number, (high.ravel(), taken.ravel()), 1)
    np.add.at(by_kind, (COARSE[high.ravel()], taken.ravel()), 1)
    for found in (by_number, by_kind):
        found /= found.sum(axis=1, keepdims=True)
    return by_number, by_kind


POWERS = {"calibrated": 1.0, "in tens": 1.0, "too sure": 2.0, "unsure": 0.5, "blind": 1.0}
"""How students forecast, and the power to which they raise what is true."""


@cache
def forecast(seats: int, high: int, forecasts: str, *, coarse: bool) -> list[int]:
    """The percents of such a student for such a hand, whole as the table stores them."""

    if forecasts == "blind":
        return whole_percents(
            [max(0, share + 150 * (-1) ** k) for k, share in enumerate(USUAL[seats])]
        )
    by_number, by_kind = truths(seats)
    truth = by_kind[COARSE[high]] if coarse else by_number[high]
    weights = truth ** POWERS[forecasts]
    fineness = 10 if forecasts == "in tens" else 10**6
    return whole_percents([round(fineness * share) for share in weights / weights.sum()])


# A class.


def a_class(kind: Kind, rng: np.random.Generator) -> Dataset:
    """What such a class has finished."""

    tables = max(1, int(rng.integers(kind.students[0], kind.students[1] + 1)) // kind.seats)
    boards = kind.rounds if kind.duplicate else kind.rounds * tables
    cards, high = deal(boards, kind.seats, rng)
    of_board = chances(high, rng)
    safe_by_board = rng.random((boards, TRICKS)), rng.random((boards, TRICKS))
    how_many = rng.choice([0.2, 1.0])  # of the bids come with a forecast
    is_coarse = rng.random((tables, kind.seats)) < 0.3
    deals, seats, tricks, percents = [], [], [], {}
    for number in range(kind.rounds):
        for table in range(tables):
            board = number if kind.duplicate else number * tables + table
            pk = number * tables + table
            dealt = FinishedDeal(
                pk, 1, f"t{table}", table + 1, 1, number + 1, "bid", 0,
                [[DECK[card].code for card in hand] for hand in cards[board].tolist()],
                number + 1 if kind.duplicate else None,
            )  # fmt: skip
            deals.append(dealt)
            taken = rng.multinomial(TRICKS, of_board[board]).tolist()
            for seat in range(kind.seats):
                said = forecast(
                    kind.seats,
                    int(high[board, seat]),
                    kind.forecasts,
                    coarse=bool(is_coarse[table, seat]),
                )
                bid = max(range(9), key=said.__getitem__)
                points = bid - 2 * abs(bid - taken[seat]) if bid != taken[seat] else bid
                seats.append(
                    SeatResult(
                        dealt, seat, bid, taken[seat], points, True, table * kind.seats + seat
                    )
                )
                if rng.random() < how_many:
                    percents[pk, seat] = said
            for trick in range(TRICKS):
                chance, luck = (each[board, trick] for each in safe_by_board)
                safe = bool(luck < chance)
                tricks.append(LedTrick(pk, trick % kind.seats, float(chance), safe, safe))
    people = range(tables * kind.seats)
    return Dataset(
        tuple(deals), tuple(seats), tuple(tricks),
        percents=percents, came=frozenset(people),
    )  # fmt: skip


def a_lesson(data: Dataset, rng: np.random.Generator) -> tuple[TaughtLesson, ...]:
    """The same class has held lesson 3 to its end: each deals ten hands for one chart, twenty
    for the other."""

    course = lesson("the-deal")
    done = {}
    for step in course.steps:
        if step.deal:
            shares = np.array([float(share) for share in variable(step.deal.variable).shares])
            hands = step.deal.hands
            counts = rng.multinomial(hands, shares / shares.sum(), size=len(data.came))
            done[step.name] = tuple(
                StepDone(student, {"counts": own, "hands": hands}, None, 1)
                for student, own in enumerate(counts.tolist())
            )
    run = LessonRun(pk=1, lesson=course.slug, step=len(course.steps))
    return (TaughtLesson(1, run, course, data.came, done, Counter(), data),)


def page(data: Dataset, held: Sequence[TaughtLesson], *, whole: bool = True) -> dict[str, str]:
    """Every sentence of the page of results, by where it stands; not the ``whole`` page is
    what says verdicts, four times as quickly."""

    said = {}
    if whole:
        shown = session_panels.panels(data, held, name=lambda place: f"S{place.student}")
    else:
        of = verdict_count(data, held)
        shown = [
            deal_panels.hands(data, of=of),
            forecast_panels.forecasts(data, of=of),
            point_panels.points(data),
        ]
    for part in lesson_panels.parts(tuple(held), came=len(data.came)):
        shown += part.panels
    for panel in shown:
        said[panel.key] = f"{panel.summary} {panel.caveat}"
    for tile in dashboard(data, Learning((), {}), held, shown):
        said[f"tile {tile.panel or tile.key}"] = f"{tile.claim}. {tile.summary} {tile.ask}"
    if data.percents:
        own = forecast_panels.forecasts(data.of_student(0), own=True)
        said["student's forecasts"] = own.summary
        bars = bidding.calibration_bins(data, alpha=ALPHA / verdict_count(data, held))
        out = [each for each in bars if each.low and abs(each.gap) > each.half_width + 1e-9]
        said["dots outside"] = " ".join(str(each.low) for each in out)
    return said


def wrong(kind: Kind, said: dict[str, str]) -> set[str]:
    """Which of the verdicts on a page are wrong: cards that came by chance are said to be
    farther off than chance goes; forecasts that hold are said not to, or others the wrong way.
    """
    found = set()
    if any(words in text for text in said.values() for words in (FAR, CLAIMED)):
        found.add("cards")
    is_false = {"too sure": (UNSURE,), "unsure": (SURE,), "blind": ()}.get(
        kind.forecasts, (SURE, UNSURE)
    )
    for place in ("forecasts", "tile forecasts", "student's forecasts"):
        told = said.get(place, "")
        if any(words in told or CLAIMS[words] in told for words in is_false):
            found.add(place)
    return found


def noticed(kind: Kind, said: dict[str, str]) -> bool:
    """Whether the class is told that its forecasts do not hold."""
    true = {"too sure": SURE, "unsure": UNSURE}.get(kind.forecasts)
    return true is not None and true in said.get("forecasts", "")


def classes(
    kind: Kind, number: int, seed: int, *, whole: bool
) -> Iterator[tuple[Dataset, dict[str, str]]]:
    """So many classes of this kind, with the sentences of their pages."""
    rng = np.random.default_rng([seed, kind.seats, kind.rounds, kind.duplicate])
    for _class in range(number):
        facts = a_class(kind, rng)
        yield facts, page(facts, a_lesson(facts, rng) if kind.lesson else (), whole=whole)


BETTER, WORSE = "% better than the usual", "% worse than the usual"


@dataclass(frozen=True, slots=True)
class Scored:
    """What one class, or one student, was told of how good the forecasts were."""

    score: Score
    said: str

    def errs(self, truth: float) -> dict[str, bool]:
        """What it says, whether wrongly, and whether its interval misses what is true."""
        ends = self.score.interval
        return {
            "better": BETTER in self.said,
            "worse": WORSE in self.said,
            "wrongly": (BETTER in self.said and truth <= 0)
            or (WORSE in self.said and truth >= 0),
            "interval misses": ends is not None and not ends[0] <= truth <= ends[1],
        }


def scores_said(whose: str, told: Sequence[Scored]) -> Counter[str]:
    """How many of them err, by what they come to together: the long run."""

    truth = float(sum_of(each.score for each in told).skill_score) if told else 0.0
    return Counter(
        f"{whose} {what}" for each in told for what, is_so in each.errs(truth).items() if is_so
    )


def count(kind: Kind, number: int, seed: int = 14, *, whole: bool = False) -> Counter[str]:
    """How many of so many classes are told something wrong, by what it is about (``any``: at
    all on the class's page); ``noticed``: how many are told that they are not calibrated."""

    found: Counter[str] = Counter()
    ours: list[Scored] = []
    own: list[Scored] = []
    for facts, said in classes(kind, number, seed, whole=whole):
        for told, key, of in (
            (ours, "forecasts", facts),
            (own, "student's forecasts", facts.of_student(0)),
        ):
            if of.percents:
                told.append(Scored(bidding.score(of), said.get(key, "")))
        mistakes = wrong(kind, said)
        found.update(mistakes)
        found["any"] += bool(mistakes - {"student's forecasts"})
        found["noticed"] += noticed(kind, said)
        found["a dot outside"] += bool(said.get("dots outside"))
    return found + scores_said("score", ours) + scores_said("student's score", own)


# The whole table.


def kinds(forecasts: str, *, duplicate: bool) -> list[Kind]:
    """All sizes of one kind; at four seats a lesson is held, too."""
    return [
        Kind(seats, rounds, duplicate, forecasts, lesson=seats == 4) for seats, rounds in SIZES
    ]


def lines(classes: int, starmap: Starmap) -> Iterator[dict[str, object]]:
    """Of each kind of class the rates; a sixth of the classes is of each size."""
    each = -(-classes // len(SIZES))
    for forecasts, duplicate in product(POWERS, (False, True)):
        shown = kinds(forecasts, duplicate=duplicate)
        found = list(starmap(count, [(kind, each) for kind in shown]))
        cards = "duplicate" if duplicate else "separate"
        for kind, counted in zip(shown, found, strict=True):
            yield line(str(kind), each, counted)
        yield line(f"{cards}, {forecasts}", each * len(shown), sum(found, Counter()))


def line(of: str, classes: int, found: Counter[str]) -> dict[str, object]:
    rates = {key: round(n / classes, 4) for key, n in sorted(found.items())}
    return {"of": of, "classes": classes, **rates}
