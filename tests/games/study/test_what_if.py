"""Another move in the place of one that was made."""

from __future__ import annotations

import re
from random import Random

import pytest
from django.test import Client

from games import analysis
from games.analysis import counter
from games.analysis.again import Comparison
from games.analysis.jobs import pool
from games.analysis.outcomes import Outcome
from games.rules import Bid, Variant, move_text, observe, parse_move
from games.study.replay.lines import Line
from games.study.replay.positions import sight_of
from games.study.replay.what_if import (
    compare,
    comparison_panel,
    moves_to_compare,
    other_line,
    other_moves,
)
from games.tables.viewers import Browser
from tests.kernel import load_or_skip
from tests.scenes import present
from tests.scenes.replays import played_alone, replay_of

pytestmark = pytest.mark.django_db


def a_replay(variant: str = "bid") -> tuple[Client, str, Line]:
    browser, guest, table_id = played_alone(seats=4, variant=variant, rng=Random(5))
    line = sight_of(Browser(guest=guest), table_id, 1).line
    return browser, replay_of(browser, table_id), line


def choices(line: Line) -> list[tuple[int, str]]:
    """All turns with another move, and the last of these."""
    return [(n, other_moves(line, n)[-1][0]) for n in range(line.last) if other_moves(line, n)]


# Only this card.


@pytest.mark.parametrize("variant", ["bid", "win", "lose"])
def test_one_move_is_another_and_counting_bots_finish(variant: str) -> None:
    _browser, _address, line = a_replay(variant)
    for moment, text in choices(line):
        other = present(other_line(line, moment, text))
        assert other.is_whole
        assert other.rounds[-1].is_over
        assert other.moves[:moment] == line.moves[:moment]
        assert other.moves[moment] == (line.moves[moment][0], text)
        for after in range(moment + 1, other.last):
            round_ = other.rounds[after]
            chosen = counter.decide(observe(round_, round_.to_move)).move
            assert other.moves[after][1] == move_text(chosen)


def test_what_cannot_be_made_is_not_found() -> None:
    browser, address, line = a_replay()
    made = line.moves[9][1]
    for wrong in (f"9.{made}", "9.9999", "9.", "9", "x.3", "36.3", "-1.3", "9.3", "", "9.²"):
        assert browser.get(f"{address}?instead={wrong}").status_code == 404
        assert browser.get(f"{address}again/?instead={wrong}").status_code == 404


def test_both_ends_stand_side_by_side() -> None:
    browser, address, line = a_replay()
    moment, text = next((n, t) for n, t in choices(line) if line.moves[n][0] == 0 and n > 3)
    page = browser.get(f"{address}?at={moment}&seat=0").text
    assert f'value="{moment}.{text}"' in page
    other = present(other_line(line, moment, text))
    page = browser.get(f"{address}?instead={moment}.{text}&at={other.last}&seat=0").text
    words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    for end in (line.rounds[-1], other.rounds[-1]):
        assert f"bid {end.bids[0]}, took {end.taken[0]}" in words
    assert 'id="play-on"' not in page
    assert "You bid" in words, "not by the name of my seat"
    options = re.findall(r'<option value="([^"]+\.[^"]+)"( selected)?', page)
    assert [value for value, _ in options] == [
        f"{moment}.{each}" for each, _words in other_moves(line, moment)
    ]
    assert (f"{moment}.{text}", " selected") in options, "the turn's other moves are at hand"
    assert 'id="deal-again"' in page
    leads = next(
        n
        for n, now in enumerate(other.rounds)
        if now.to_move == 0 and now.trick is not None and now.trick.call is None
    )
    page = browser.get(f"{address}?instead={moment}.{text}&at={leads}&seat=0").text
    assert 'data-me="0" data-you="You lead.">You lead.<' in page


# Deal it again.


def test_it_is_told_with_two_histograms(monkeypatch: pytest.MonkeyPatch) -> None:
    load_or_skip()
    monkeypatch.setattr(
        "games.study.replay.what_if.deal_again.__kwdefaults__",
        {"worlds": 500},
    )
    browser, address, line = a_replay()
    moment, text = next((n, t) for n, t in choices(line) if line.moves[n][0] == 0)
    page = browser.get(f"{address}again/?instead={moment}.{text}").text
    assert "In 500 deals that look the same from here" in page
    assert page.count('<svg viewBox="0 0 290') == 2
    moves = present(moves_to_compare(line, moment, text))
    found = compare(*moves)
    assert found.one.move == parse_move(text)
    assert found.other.move == parse_move(line.moves[moment][1])
    assert (
        'class="board"'
        not in browser.get(
            f"{address}again/?instead={moment}.{text}", headers={"HX-Request": "true"}
        ).text
    )


def test_without_the_kernel_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    browser, address, line = a_replay()
    pool.answers.clear()
    monkeypatch.setattr(analysis, "ready", lambda: False)
    monkeypatch.setattr(analysis, "is_impossible", lambda: True)
    moment, text = choices(line)[0]
    assert (
        "can’t simulate deals" in browser.get(f"{address}again/?instead={moment}.{text}").text
    )
    assert browser.get(f"{address}?instead={moment}.{text}").status_code == 200
    assert browser.post(f"{address}play/", {"at": 5, "seat": 0}).status_code == 302
    assert "can’t simulate deals" in browser.get(f"{address}chances/").text


def a_comparison(variant: Variant, both: dict[tuple[int, int], int]) -> Comparison:
    """Of two leads, from the worlds in which they took so many tricks each."""
    table = tuple(tuple(both.get((i, j), 0) for j in range(9)) for i in range(9))
    total = sum(both.values())
    worth = tuple(range(9))
    rows = tuple(sum(row) for row in table)
    columns = tuple(sum(row[n] for row in table) for n in range(9))
    one = Outcome(Bid(5), total, 0, rows, worth)
    other = Outcome(Bid(4), total, 0, columns, worth)
    return Comparison(one, other, table, variant)


@pytest.mark.parametrize(
    ("variant", "both", "words"),
    [
        (
            Variant.BID,
            {(3, 1): 690, (1, 2): 310},
            "a bid of 5 did better: by 1.07 points on average. In 31% of them a bid of 4 "
            "was better.",
        ),
        (
            Variant.WIN,
            {(1, 2): 1000},
            "a bid of 4 did better: by 1.00 tricks on average. In 0% of them a bid of 5 "
            "was better.",
        ),
        (
            Variant.LOSE,
            {(1, 3): 900, (2, 1): 100},
            "a bid of 5 did better: by 1.70 tricks on average. In 10% of them a bid of 4 "
            "was better.",
        ),
        (
            Variant.BID,
            {(1, 3): 500, (3, 1): 500},
            "a bid of 5 and a bid of 4 did about equally well.",
        ),
    ],
)
def test_the_sentence(variant: Variant, both: dict[tuple[int, int], int], words: str) -> None:
    _browser, _address, line = a_replay()
    said = comparison_panel(line, line.tricks[0], a_comparison(variant, both)).sentence
    began = "In 1,000 deals that look the same from here, "
    assert said.replace("\u00a0", " ") == began + words


def test_an_error_is_never_said_to_be_nought() -> None:
    _browser, _address, line = a_replay()
    found = comparison_panel(
        line, line.tricks[0], a_comparison(Variant.WIN, {(1, 2): 999, (1, 1): 1})
    )
    assert found.precise == (
        "Mean difference: 1.00 tricks, standard error under 0.01 (in pairs)."
    )
