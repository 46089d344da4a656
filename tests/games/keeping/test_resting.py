"""How long the thread that applies the retention period rests."""

import pytest

from games.keeping import retention


def test_it_rests_a_day_and_an_hour_after_what_went_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    went_well, rests = iter([True, False]), list[float]()

    def rest(seconds: float) -> None:
        rests.append(seconds)

    monkeypatch.setattr("games.keeping.retention.sleep", rest)
    monkeypatch.setattr("games.keeping.retention._purge_once", lambda: next(went_well))
    with pytest.raises(StopIteration):
        retention._purge_for_ever()
    assert rests == [24 * 3600, 3600]
