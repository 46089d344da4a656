"""Many worlds: reproducible, in batches, told and stopped, within the limit."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest

from games.analysis import odds
from games.analysis.jobs import Cancelled
from games.analysis.knowledge import read
from games.analysis.outcomes import Outcome
from games.analysis.simulation import BATCH, MAX_WORLDS, WorldSampler, simulate
from games.rules import Bid, observe
from tests.analysis.points import begun, leads, turns


def run(variant: str = "win", **options: object) -> tuple[Outcome, ...]:
    seen = next(turns(variant, 4, Random("run")))
    sampler = WorldSampler(read(seen), seen.hand)
    options = {"worlds": 300, "seed": 5, "moves": seen.legal[:3], **options}
    return simulate(seen, lambda n, seed: sampler.deal(n, seed=seed), **options)  # type: ignore[arg-type]


def test_the_seed_decides() -> None:
    one = run(worlds=3500)
    assert one == run(worlds=3500)
    assert one != run(worlds=3500, seed=6)


def test_counts_add_up() -> None:
    for outcome in run():
        assert outcome.worlds == sum(outcome.tricks) == 300
        assert outcome.taking is not None
        assert 0 <= outcome.taking <= 300
        assert outcome.expected == pytest.approx(outcome.expected_tricks)
        assert outcome.worth == tuple(range(9))


def test_it_stops_before_the_next_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = count()

    def check_wanted() -> None:
        if next(asked) >= 3:
            raise Cancelled

    monkeypatch.setattr("games.analysis.simulation.check_wanted", check_wanted)
    with pytest.raises(Cancelled):
        run(worlds=50 * BATCH)
    assert next(asked) == 4  # it was begun three times
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


def test_watchers_have_no_odds() -> None:
    watching = observe(begun("win", 3, Random(1)), None)
    with pytest.raises(ValueError, match="turn to play"):
        odds.promises(watching, seed=1)
    with pytest.raises(ValueError, match="no hand"):
        odds.forecast(watching, seed=1)


def test_a_sure_card_takes_every_trick() -> None:
    for seen in turns("win", 4, Random("sure")):
        for promise in odds.promises(seen, worlds=100, seed=3):
            assert promise.play in leads(seen)
            if promise.safety.takes and promise.safety.beaters == 0:
                assert promise.outcome.chance == 1
                assert promise.safety.chance == 1
            if not promise.safety.takes:
                assert promise.outcome.chance == 0
