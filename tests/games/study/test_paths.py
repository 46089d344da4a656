"""The ways that there were in a finished round, as its replay tells of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from random import Random

import pytest
from django.test import Client

from games import analysis
from games.analysis.jobs import pool
from games.analysis.paths import reach
from games.models import Move
from games.rules import Play, parse_move
from games.study.replay.lines import Line
from games.study.replay.paths import (
    PlayReach,
    SeatPaths,
    TurnPaths,
    line_to,
    path_sentences,
    paths_of,
)
from games.study.replay.positions import sight_of
from games.tables.viewers import Browser
from tests.scenes.replays import played_alone, replay_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def _quick() -> None:
    """By the kernel, where there is one."""
    with suppress(analysis.NotReady):
        analysis.load()


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    pool.answers.clear()
    yield
    pool.answers.clear()


def a_replay(variant: str = "bid", count: int = 6, luck: int = 3) -> tuple[Client, str, Line]:
    """A browser, the address of a replay of its round, and the round. At six seats a search
    without the kernel is quick, too."""
    rng = Random(luck)
    browser, guest, table_id = played_alone(seats=count, variant=variant, rng=rng)
    line = sight_of(Browser(guest=guest), table_id, 1).line
    return browser, replay_of(browser, table_id), line


@pytest.mark.parametrize("variant", ["bid", "win", "lose"])
def test_the_strip_and_a_line_for_each_of_its_cells(variant: str) -> None:
    browser, address, line = a_replay(variant)
    found = reach(line.rounds[line.tricks[0]], 0)
    page = browser.get(f"{address}paths/?seat=0").text
    shown = {int(n) for n in re.findall(r"way=0\.(\d)", page)}
    assert shown == found.counts
    for count in range(9):
        answer = browser.get(f"{address}?way=0.{count}&at={line.last}")
        assert answer.status_code == (200 if count in found.counts else 404)
        if count in found.counts:
            other = line_to(line, 0, count)
            assert other is not None
            assert other.is_whole
            assert other.start == line.start
            assert other.moves[: line.tricks[0]] == line.moves[: line.tricks[0]]
            assert other.rounds[-1].taken[0] == count
            assert f" to take {count}, against players who follow the tips." in answer.text
    for wrong in ("0.9", "6.1", "x", "0", "", "-1.2"):
        assert browser.get(f"{address}?way={wrong}").status_code == 404


@pytest.mark.parametrize("variant", ["win", "lose", "bid"])
def test_no_bids_are_spoken_of_where_there_are_none(variant: str) -> None:
    browser, address, _line = a_replay(variant)
    page = " ".join(browser.get(f"{address}paths/").text.split())
    assert bool(re.search(r"\bbid\b", page)) is (variant == "bid")


def test_each_turn_tells_what_each_card_left_open() -> None:
    _browser, _address, line = a_replay()
    for seat in (0, 3):
        found = paths_of(line, seat)
        assert [turn.moment for turn in found.turns] == list(line.turns(seat))[1:]
        for turn in found.turns:
            round_ = line.rounds[turn.moment]
            legal = {play for play in round_.legal_moves() if isinstance(play, Play)}
            assert {way.play.card for way in turn.ways} == {play.card for play in legal}
            assert turn.played == parse_move(line.moves[turn.moment][1])
            for way in turn.ways:
                after = round_.apply(way.play)
                over = frozenset([after.taken[seat]])
                there = over if after.is_over else reach(after, seat).counts
                assert way.counts == there
        assert found.turns[-1].after == {line.rounds[-1].taken[seat]}


def test_a_round_of_older_rules_is_not_searched() -> None:
    browser, address, _line = a_replay()
    Move.objects.filter(number=20).update(text="2222:3-star")
    assert "We can’t search this round" in browser.get(f"{address}paths/").text
    assert browser.get(f"{address}?way=0.1").status_code == 404


# In words.


def turn(moment: int, trick: int, *ways: tuple[str, set[int]]) -> TurnPaths:
    """A turn at which the first of these plays was made."""
    return TurnPaths(
        moment,
        trick,
        tuple(
            PlayReach(play, frozenset(counts), number == 0)
            for number, (text, counts) in enumerate(ways)
            if isinstance(play := parse_move(text), Play)
        ),
    )


@pytest.mark.parametrize(
    ("turns", "bid", "taken", "words"),
    [
        (
            [turn(1, 3, ("1332", {1}), ("1111", {1, 2}))],
            2,
            1,
            "The bid was possible before trick 3. What ended it: the 9.",
        ),
        (
            [turn(1, 3, ("1332", {1, 2})), turn(5, 4, ("1111", {1}))],
            2,
            1,
            "The bid was possible up to trick 3. Then others’ cards ended that.",
        ),
        (
            [turn(1, 3, ("1332", {1, 2})), turn(5, 4, ("1111", {2}))],
            2,
            2,
            "The bid was safe after the 4 in trick 4.",
        ),
        ([turn(1, 3, ("1332", {1}))], 3, 1, "The bid was out of reach from the start."),
        (
            [turn(1, 3, ("1332", {1}))],
            3,
            3,
            "The bid worked because the others played differently.",
        ),
        ([turn(1, 3, ("1332", {1}))], None, 1, ""),
    ],
)
def test_what_settled_the_bid(
    turns: list[TurnPaths], bid: int | None, taken: int, words: str
) -> None:
    found = SeatPaths(frozenset({1, 2}), tuple(turns), True, bid, taken)
    told = path_sentences(found)
    assert told[0] == (
        "With all hands open, this hand could have taken 1 or 2 against players who follow the "
        "tips."
    )
    assert " ".join(told[1:]) == words


def test_a_search_that_was_cut_short_says_at_least() -> None:
    found = SeatPaths(frozenset({4}), (), False, 4, 4)
    assert path_sentences(found)[1] == "There may be more ways."
    every = SeatPaths(frozenset(range(9)), (), True, None, 4)
    assert len(path_sentences(every)) == 1
