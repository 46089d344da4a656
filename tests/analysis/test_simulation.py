"""Many worlds: reproducible, in batches, told and stopped, within the limit."""

from __future__ import annotations

from random import Random

import pytest

from games.analysis.knowledge import read
from games.analysis.outcomes import Outcome
from games.analysis.simulation import BATCH, MAX_WORLDS, Cancelled, Dealer, simulate
from games.rules import Bid
from tests.analysis.points import turns


def run(variant: str = "win", **options: object) -> tuple[Outcome, ...]:
    seen = next(turns(variant, 4, Random("run")))
    dealer = Dealer(read(seen), seen.hand)
    options = {"worlds": 300, "seed": 5, "moves": seen.legal[:3], **options}
    return simulate(seen, lambda n, seed: dealer.deal(n, seed=seed), **options)  # type: ignore[arg-type]


def test_the_seed_decides_and_the_threads_do_not() -> None:
    one = run(worlds=3500)
    assert one == run(worlds=3500, threads=2)
    assert one != run(worlds=3500, seed=6)


def test_counts_add_up() -> None:
    for outcome in run():
        assert outcome.worlds == sum(outcome.tricks) == 300
        assert outcome.taking is not None
        assert 0 <= outcome.taking <= 300
        assert outcome.expected == pytest.approx(outcome.expected_tricks)
        assert outcome.worth == tuple(range(9))


def test_progress_is_told_after_each_batch() -> None:
    told: list[tuple[int, int]] = []
    run(worlds=2 * BATCH + 7, progress=lambda done, of: told.append((done, of)))
    assert told == [(BATCH, 2007), (2 * BATCH, 2007), (2007, 2007)]


def test_it_stops_within_a_batch() -> None:
    told: list[int] = []
    with pytest.raises(Cancelled):
        run(
            worlds=50 * BATCH,
            progress=lambda done, _: told.append(done),
            cancelled=lambda: len(told) >= 3,
        )
    assert len(told) <= 4
    assert BATCH <= 1000


@pytest.mark.parametrize("worlds", [0, -1, MAX_WORLDS + 1])
def test_worlds_over_the_limit_are_refused_with_the_limit(worlds: int) -> None:
    with pytest.raises(ValueError, match=f"{MAX_WORLDS:,}"):
        run(worlds=worlds)


def test_a_bid_has_no_trick_in_play() -> None:
    (outcome,) = run("bid", moves=[Bid(2)])
    assert outcome.taking is None
    assert outcome.chance is None
    assert outcome.chance_error is None
    assert outcome.worth == (-2, -1, 2, -1, -2, -3, -4, -5, -6)
