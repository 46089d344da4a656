"""What is said of one's own finished rounds."""

from __future__ import annotations

import pytest

from games.models import Result
from games.study.replay.own_rounds import last_game_words
from tests.games.table import a_guest, finish, solo


@pytest.mark.django_db
def test_the_last_game_is_told_as_far_as_every_move_was_ones_own() -> None:
    guest = a_guest()
    assert last_game_words(guest) == ""
    own = Result.objects.filter(deal__table=finish(solo(guest, rounds=2)).id, seat=0)
    own.update(by_person=True)

    def made(*rounds: int) -> int:
        return sum(each.bid == each.taken for each in own.filter(deal__round__in=rounds))

    assert last_game_words(guest) == f"Last game: you made {made(1, 2)} of 2 bids."
    own.filter(deal__round=1).update(by_person=False)
    assert last_game_words(guest) == f"Last game: you made {made(2)} of 1 bid."
    own.update(by_person=False)
    assert last_game_words(guest) == ""
