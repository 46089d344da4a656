"""A replay's line of chances: what it says at each turn, and the page that shows it."""

from __future__ import annotations

import re

import pytest

from games import analysis
from games.study.replay.bid_chances import chance_points
from games.study.replay.positions import sight_of
from games.tables.viewers import Browser
from games.words import percent
from tests.scenes.replays import played_alone, replay_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def _simulations() -> None:
    if analysis.is_impossible():
        pytest.skip("no simulations on this computer")
    analysis.load()


@pytest.mark.parametrize("variant", ["bid", "win"])
def test_a_point_for_each_turn_of_the_seat(variant: str) -> None:
    browser, guest, table = played_alone(variant=variant)
    address = replay_of(browser, table).split("?")[0]
    page = browser.get(f"{address}chances/", headers={"HX-Request": "true"}).text

    line = chance_points(sight_of(Browser(guest=guest), table, 1).line, 0)
    assert [each.trick for each in line] == [*([None] * (variant == "bid")), *range(1, 9)]
    told = re.findall(r"<li>\s*(?:Trick \d|Bid): (.+?)\s*</li>", page)
    assert told == [percent(each.share) for each in line]
    assert page.count("<circle") == len(line)


def test_who_plays_last_knows_what_came_of_the_bid() -> None:
    for _round in range(12):
        _browser, guest, table = played_alone(seats=2)
        end = sight_of(Browser(guest=guest), table, 1).line.rounds[-1]
        if end.tricks[-1].leader == 1:
            break
    else:
        pytest.fail("seat 0 led the last trick in twelve rounds")
    line = sight_of(Browser(guest=guest), table, 1).line
    assert chance_points(line, 0)[-1].share == (end.taken[0] == end.bids[0])
