"""What is said of one's own finished rounds."""

from __future__ import annotations

import pytest

from games.models import Result, Table
from games.study.replay.own_rounds import last_game
from tests.games.table import a_guest, finish, solo

pytestmark = pytest.mark.django_db


def test_bids_are_told_as_far_as_every_move_was_ones_own() -> None:
    guest = a_guest()
    assert last_game(guest) is None
    own = Result.objects.filter(deal__table=finish(solo(guest, rounds=2)).id, seat=0)
    own.update(by_person=True, bid=3, taken=3)
    told = last_game(guest)
    assert told is not None
    assert told.bids == "You made 2 of 2 bids."
    own.filter(deal__round=1).update(by_person=False)
    assert last_game(guest) == ("One more game?", "You made your bid of 3.")
    own.update(taken=4)
    assert last_game(guest) == ("One more game?", "")
    own.update(by_person=False)
    assert last_game(guest) is None


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ((5, 4, 4, 1), "You won your last game."),
        ((5, 5, 4, 1), "You won your last game."),
        ((4, 5, 4, 1), "2nd of 4 last time. One more?"),
        ((1, 5, 4, 1), "One more game?"),
    ],
)
def test_a_win_or_a_place_comes_first_and_the_last_place_is_no_news(
    points: tuple[int, ...], told: str
) -> None:
    guest = a_guest()
    results = Result.objects.filter(deal__table=finish(solo(guest, rounds=1)).id)
    for seat, each in enumerate(points):
        results.filter(seat=seat).update(points=each, by_person=True, bid=0, taken=1)
    assert last_game(guest) == (told, "")
    Table.objects.update(rounds=2)  # it was left in the middle
    assert last_game(guest) == ("One more game?", "")
