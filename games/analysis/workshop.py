"""Rules for bidding, tried on ten thousand boards that are the same for all of them.

A seat bids by a :class:`Rule` and plays by counting cards, with the rule's habits; the others
follow the encyclopedia's tips. Importing this module needs nothing; boards
need the kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple

from games.analysis import require
from games.analysis.jobs import remembered, report
from games.analysis.significance import ALPHA
from games.rules import DECK, HAND_SIZE, Variant

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZES = (3, 4, 5, 6)
"""How many sit at the tables of the boards: a quarter each."""

BOARDS = 10_000


class NumberRange(NamedTuple):
    """A number of a rule: from the least to the most, in steps."""

    least: float
    most: float
    step: float = 0.05


@dataclass(frozen=True, slots=True)
class Rule:
    """How many tricks a hand is worth, card by card, and two habits of the play.

    An 11 or 12 is worth ``high``, a 10 ``ten``, a 9 ``nine``, and a 10 or 9 ``single`` more
    where it shows a shape but once. For each player fewer than six there is ``few`` more. The
    sum goes to the nearest whole number, a half down. ``over``: how much a trick too many
    weighs beside one too few; ``rest``: how much of the worth of the cards still held comes
    true (see ``counter.Habits``).
    """

    high: float = 1.0
    ten: float = 0.5
    nine: float = 0.5
    single: float = 0.0
    few: float = 0.0
    over: float = 0.2
    rest: float = 0.45


SLIDERS = {
    "high": NumberRange(0, 1.5),
    "ten": NumberRange(0, 1.5),
    "nine": NumberRange(0, 1.5),
    "single": NumberRange(-0.5, 0.5),
    "few": NumberRange(-0.5, 1),
    "over": NumberRange(0, 2),
    "rest": NumberRange(0, 1),
}
"""What each number of a rule may be."""

WIKIPEDIA = Rule()
"""The encyclopedia's tip: one for each 12 or 11, a half for each 10 or 9."""

PRINTED = Rule(ten=1.0, nine=1.0)
"""The printed tip: one for each card of value 9 or more."""


@dataclass(frozen=True)
class RuleResult:
    """What a rule came to on the boards. ``points`` by board; the shares of
    bids that came true (``made``), of rounds with more tricks than bid, with fewer; ``moved``
    counts bids that were not allowed and went to the nearest allowed one; ``points_by_seats``
    are means, by SIZES."""

    rule: Rule
    points: NDArray[Any]
    made: float
    over_share: float
    under_share: float
    bid: float
    moved: int
    points_by_seats: tuple[float, ...]

    @property
    def mean(self) -> float:
        return float(self.points.mean())


class Difference(NamedTuple):
    """How many points a round one rule is ahead of another on the same boards; with half of an
    interval (of pairs: each board with itself)."""

    mean: float
    half: float

    @property
    def is_tie(self) -> bool:
        """Whether the interval holds 0."""
        return abs(self.mean) <= self.half


class _Cell(NamedTuple):
    """Boards with as many seats and the same dealer: who holds each card, of [board, card], and
    the seed of their chances."""

    seats: int
    dealer: int
    worlds: NDArray[Any]
    seed: int


@dataclass(frozen=True)
class _Boards:
    """By board, in the order of the cells: the hand as counts of what a rule asks about (11 or
    12, 10, 9, of these with a single shape, players fewer than six), and the forbidden bid or
    −1."""

    features: NDArray[Any]
    forbidden: NDArray[Any]
    cells: tuple[_Cell, ...]


def play(rule: Rule, *, seed: int, boards: int = BOARDS) -> RuleResult:
    """What the rule came to on the boards of this seed; the same boards for every rule.
    Remembered. Raises NotReady, ValueError (fewer boards than one for each table and
    dealer)."""
    require()
    return remembered(("rule", rule, seed, boards), partial(_played_boards, rule, seed, boards))


def _played_boards(rule: Rule, seed: int, boards: int) -> RuleResult:
    import numpy as np

    dealt = remembered(("boards", seed, boards), partial(_deal_boards, seed, boards))
    weights = np.array([rule.high, rule.ten, rule.nine, rule.single, rule.few])
    wish = np.round(dealt.features @ weights, 9)
    bids = np.clip(np.ceil(wish - 0.5), 0, HAND_SIZE).astype(np.int64)
    is_moved = bids == dealt.forbidden
    up = ((wish > bids) | (bids == 0)) & (bids < HAND_SIZE)
    bids = np.where(is_moved, np.where(up, bids + 1, bids - 1), bids)
    tricks = _tricks_taken(dealt, bids, rule.over, rule.rest)
    points = _points_table()[bids, tricks]
    players = SIZES[-1] - dealt.features[:, -1]
    return RuleResult(
        rule=rule,
        points=points,
        made=float((tricks == bids).mean()),
        over_share=float((tricks > bids).mean()),
        under_share=float((tricks < bids).mean()),
        bid=float(bids.mean()),
        moved=int(is_moved.sum()),
        points_by_seats=tuple(float(points[players == seats].mean()) for seats in SIZES),
    )


def compare(one: RuleResult, other: RuleResult, *, alpha: float = ALPHA) -> Difference:
    """How far one rule is ahead of another on the same boards, both of one seed; the true
    difference is farther away in a share ``alpha`` of such tries."""
    gaps = one.points - other.points
    bound = NormalDist().inv_cdf(1 - alpha / 2)
    return Difference(float(gaps.mean()), bound * sqrt(float(gaps.var(ddof=1)) / len(gaps)))


def gaps_to_best(played: Sequence[RuleResult], *, alpha: float) -> dict[int, Difference]:
    """How far each is behind the best of them, by its index in ``played``, the best first (by
    0). Of all pairs of them one or another true difference is farther away in a share ``alpha``
    of contests at most (Bonferroni): the best of many is the luckiest, too."""
    order = sorted(range(len(played)), key=lambda n: -played[n].mean)
    pairs = len(played) * (len(played) - 1) / 2
    best = played[order[0]]
    return {n: compare(best, played[n], alpha=alpha / max(1, pairs)) for n in order}


FRESH = 1_000_000
"""Added to the seed for the boards on which the best play again."""

LEFT_OUT, BEHIND = 0.01, 0.04
"""In what shares of contests luck leaves a rule out that is as good as any, and on fresh boards
puts one behind that is not: in one of twenty, together."""


@dataclass(frozen=True)
class Placed:
    """A rule in a contest: what it came to, how far it is from the best there (None for the
    best itself), and on fresh boards, if it may be the best or came second. ``is_first``: there
    nobody can say that it is behind."""

    played: RuleResult
    behind: Difference | None
    again: RuleResult | None
    is_first: bool


def contest(rules: Sequence[Rule], *, seed: int) -> tuple[Placed, ...]:
    """Rules on the same boards, best first; each once, however often it was handed in.

    The best of many is also the luckiest: so all that may be the best play again on fresh
    boards, two at least, and there it is seen who is ahead. Raises NotReady.
    """
    entered = tuple(dict.fromkeys(rules))
    played = []
    for n, rule in enumerate(entered):
        report(n, len(entered))
        played.append(play(rule, seed=seed))
    if not played:
        return ()
    behind = gaps_to_best(played, alpha=LEFT_OUT)
    again = {
        n: play(played[n].rule, seed=seed + FRESH)
        for place, (n, gap) in enumerate(behind.items())
        if place < 2 or gap.is_tie
    }
    fresh = gaps_to_best([*again.values()], alpha=BEHIND)
    first = {n for place, n in enumerate(again) if fresh[place].is_tie}
    order = sorted(
        range(len(played)), key=lambda n: (n not in again, -(again.get(n) or played[n]).mean)
    )
    best = next(iter(behind))
    return tuple(
        Placed(played[n], None if n == best else behind[n], again.get(n), n in first)
        for n in order
    )


def _points_table() -> NDArray[Any]:
    """The points by [bid, tricks]."""
    import numpy as np

    from games.analysis.simulation import points_by_tricks

    return np.array(
        [points_by_tricks(Variant.BID, bid) for bid in range(HAND_SIZE + 1)], np.int8
    )


def _deal_boards(seed: int, boards: int) -> _Boards:
    import numpy as np

    from games.analysis import kernel

    sides = [(seats, dealer) for seats in SIZES for dealer in range(seats)]
    if boards < len(sides):
        raise ValueError(f"at least {len(sides)} boards")
    cards = _card_features()
    features, forbidden, cells = [], [], []
    rng = np.random.default_rng(seed)
    for seats in SIZES:
        shares = np.array_split(np.arange(boards // len(SIZES)), seats)
        for dealer, share in enumerate(shares):
            count = len(share)
            order = np.argsort(rng.random((count, len(DECK))), axis=1)[:, : HAND_SIZE * seats]
            worlds = np.full((count, len(DECK)), kernel.UNDEALT, np.int8)
            hands = order.reshape(count, seats, HAND_SIZE)
            for seat in range(seats):
                np.put_along_axis(worlds, hands[:, seat], seat, axis=1)
            cells.append(
                _Cell(seats, dealer, worlds, int(rng.integers(0, 2**63, 1, np.uint64)[0]))
            )
            by_seat = cards[hands].sum(axis=2)  # by [board, seat, feature]
            tips = by_seat[:, 1:, 0] + (by_seat[:, 1:, 1] + by_seat[:, 1:, 2]) // 2
            few = np.full((count, 1), SIZES[-1] - seats)
            features.append(np.hstack([by_seat[:, 0], few]))
            forbidden.append(
                HAND_SIZE - tips.sum(axis=1) if dealer == 0 else np.full(count, -1)
            )
    return _Boards(np.concatenate(features), np.concatenate(forbidden), tuple(cells))


def _tricks_taken(dealt: _Boards, bids: NDArray[Any], over: float, rest: float) -> NDArray[Any]:
    """How many tricks each board's bid came to, with these habits of the play."""
    import numpy as np

    from games.analysis import kernel
    from games.analysis.simulation import HABITS, NO_LOG, NO_VOIDS, NOTHING_LEARNT

    habits = HABITS[Variant.BID].copy()
    habits[[kernel.OVER, kernel.REST]] = over, rest
    candidates = np.array([(kernel.NONE, bid) for bid in range(HAND_SIZE + 1)], np.int64)
    chances, net = NOTHING_LEARNT
    taken, done = np.empty(len(bids), np.int64), 0
    for seats, dealer, worlds, seed in dealt.cells:
        report(done, len(bids))
        count = len(worlds)
        point = np.array(
            [0, (dealer + 1) % seats, kernel.NONE, 0, kernel.NONE, 0, 0, dealer, 1], np.int64
        )
        tricks = np.empty((count, HAND_SIZE + 1, seats), np.int8)
        alone = np.ascontiguousarray(bids[done : done + count])
        aims = np.full(seats, kernel.NONE, np.int64)
        kernel.play_worlds(
            worlds,
            kernel.PlayoutStart(seats, point, np.zeros(seats, np.int64), aims, NO_VOIDS),
            np.array([[kernel.COUNTING] + [kernel.TIP] * (seats - 1)], np.int64),
            candidates,
            alone,
            kernel.Model(chances, habits, net),
            np.array([seed], np.uint64),
            kernel.Playouts(tricks, np.empty((count, HAND_SIZE + 1), np.int8), NO_LOG),
        )
        taken[done : done + count] = tricks[np.arange(count), alone, 0]
        done += count
    return taken


def _card_features() -> NDArray[Any]:
    """Marks of [card, feature]: 11 or 12, 10, 9, and a 10 or 9 with a single shape."""
    import numpy as np

    from games.analysis import kernel

    return np.array(
        [
            (
                card.value >= 11,
                card.value == 10,
                card.value == 9,
                card.value in (9, 10) and 1 in card.counts,
            )
            for card in kernel.card_at
        ],
        np.int64,
    )


def clamped_rule(numbers: dict[str, float]) -> Rule:
    """A rule of these numbers, each taken to its slider's range and nearest step."""
    steps = {}
    for name, value in numbers.items():
        slider = SLIDERS[name]
        value = min(max(value, slider.least), slider.most)
        steps[name] = round(round(value / slider.step) * slider.step, 9)
    return replace(Rule(), **steps)
