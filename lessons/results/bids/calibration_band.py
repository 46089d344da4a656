"""How far chance takes the dots of a calibration chart: classes whose chances are right, dealt
by computer.

Every simulated class makes the very forecasts of the real one, and its tricks come as it said.
Luck comes by whole tables: what one seat has, the others lack, so that at each table luck adds
up to nothing; of a board that several tables play, a seat has much of its luck at all of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CLASSES, FEW = 1000, 60
"""So many are simulated, always the same ones: a page does not change its mind; of FEW
forecasts and fewer, which cost little, twice as many."""

SAFE = 0.8
"""The band is drawn for this part of ``alpha``: a quantile of so few simulated classes is
uncertain."""

AT_ONCE = 500_000
"""Forecasts that are drawn at once."""

SHARED = 0.7
"""How much of its luck a seat shares with the same seat of the same board at other tables: a
correlation. Bots of different levels share less (docs/results.md); the more is assumed, the
more is put down to luck."""


class SeatForecast(NamedTuple):
    """A forecast as it was made: its percents, at which table's deal, at which of how many
    seats, and (where several tables play it) of which board."""

    percents: tuple[int, ...]
    deal: Hashable
    seat: int
    seats: int
    board: Hashable = None


def calibration_half_widths(
    forecasts: Sequence[SeatForecast], steps: Sequence[int], judged: int, alpha: float
) -> dict[int, float]:
    """By group between these ``steps`` of percents (by its place in them), how far luck alone
    takes the share that came true, up or down, from the mean that was said, both 0 to 1. Of the
    groups from ``judged`` percent on one or another goes farther in a share ``alpha`` of the
    classes; the marks of the others are as wide, in standard deviations."""
    if not forecasts:
        return {}
    gaps = _gaps(tuple(forecasts), tuple(steps))
    deviations = {group: float((gap**2).mean() ** 0.5) for group, gap in gaps.items()}
    farthest = [
        abs(gap) / deviations[group]
        for group, gap in gaps.items()
        if steps[group] >= judged and deviations[group]
    ]
    if not farthest:
        return dict.fromkeys(gaps, 0.0)
    import numpy as np

    far = float(np.quantile(np.maximum.reduce(farthest), 1 - SAFE * alpha, method="higher"))
    return {group: far * deviation for group, deviation in deviations.items()}


@lru_cache(maxsize=32)
def _gaps(
    forecasts: tuple[SeatForecast, ...], steps: tuple[int, ...]
) -> dict[int, NDArray[np.float64]]:
    """By group, in each simulated class: the share that came true less the mean said."""
    import numpy as np  # late: only pages with forecasts need it

    percents = np.array([each.percents for each in forecasts], np.int64)
    groups = np.searchsorted(steps, percents, side="right") - 1
    cuts = _cuts(forecasts)
    sizes = {int(group): int((groups == group).sum()) for group in np.unique(groups)}
    means = {group: float(percents[groups == group].mean()) / 100 for group in sizes}
    classes = CLASSES if len(forecasts) > FEW else 2 * CLASSES
    true = {group: np.zeros(classes) for group in sizes}
    rng = np.random.default_rng(len(forecasts))
    rows, least = np.arange(len(forecasts)), max(1, AT_ONCE // len(forecasts))
    for first in range(0, classes, least):
        now = slice(first, min(classes, first + least))
        luck = _luck(forecasts, now.stop - first, rng)
        taken = (luck[:, :, None] > cuts).sum(axis=2)
        came = groups[rows, taken]
        for group, counts in true.items():
            counts[now] = (came == group).sum(axis=1)
    return {group: true[group] / sizes[group] - means[group] for group in sizes}


def _cuts(forecasts: Sequence[SeatForecast]) -> NDArray[np.float32]:
    """By forecast, the standard normal luck beyond which 1, 2, … tricks or more are taken."""
    import numpy as np

    normal, rows = NormalDist(), []
    for each in forecasts:
        total, so_far, row = sum(each.percents), 0, []
        for percent in each.percents[:-1]:
            so_far += percent
            row.append(
                -np.inf if not so_far
                else np.inf if so_far >= total
                else normal.inv_cdf(so_far / total)
            )  # fmt: skip
        rows.append(row)
    return np.array(rows, np.float32)


def _luck(
    forecasts: Sequence[SeatForecast], classes: int, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Each forecast's luck in so many classes, standard normal."""
    own = _by_place([(each.deal, each.seat, each.seats) for each in forecasts], classes, rng)
    on_boards = [n for n, each in enumerate(forecasts) if each.board is not None]
    if on_boards:
        places = [
            (forecasts[n].board, forecasts[n].seat, forecasts[n].seats) for n in on_boards
        ]
        shared = _by_place(places, classes, rng)
        own[:, on_boards] = SHARED**0.5 * shared + (1 - SHARED) ** 0.5 * own[:, on_boards]
    return own


def _by_place(
    places: Sequence[tuple[Hashable, int, int]], classes: int, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Luck by deal (or board) and seat of so many: at each it adds up to nothing."""
    import numpy as np

    luck = np.empty((classes, len(places)), np.float32)
    for seats in sorted({seats for *_, seats in places}):
        here = [n for n, place in enumerate(places) if place[2] == seats]
        keys = {key: n for n, key in enumerate(dict.fromkeys(places[n][0] for n in here))}
        drawn = rng.standard_normal((classes, len(keys), seats), np.float32)
        drawn -= drawn.mean(axis=2, keepdims=True)
        drawn *= (seats / (seats - 1)) ** 0.5
        where = [keys[places[n][0]] for n in here], [places[n][1] for n in here]
        luck[:, here] = drawn[:, *where]
    return luck
