"""The score sheet, the running line, and how a round and a game have ended."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from games.models import Result
from games.rules import Variant, places
from games.tables.endings import ResultRow, _consolation, _most_remarkable, podium_size
from games.tables.fragments import leaders, totals_before
from games.tables.running import APART, GAP, RIGHT, WIDTH, label_places, running_chart
from games.tables.state import TableState, load_table
from tests.games.table import finish, friends, make, play
from tests.scenes import present
from tests.scenes.pictures import html_of, words


def cells(html: str) -> list[list[str]]:
    """The words of a table's rows, its head first."""
    return [
        [words(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in re.findall(r"<tr[^>]*>(.*?)</tr>", html)
    ]


def a_game(variant: str = "bid", seats: int = 3, rounds: int = 3) -> TableState:
    return finish(friends(variant=variant, seats=seats, people=seats, rounds=rounds))


@pytest.mark.django_db
def test_who_leads_wears_a_crown_once_somebody_is_behind() -> None:
    table = a_game(variant="lose", rounds=2)
    first = [points or 0 for points in table.points[0]]
    assert totals_before(table) == tuple(first), "not what this round brought"
    assert leaders(table.variant, first) == frozenset(
        seat for seat, total in enumerate(first) if total == min(first)
    )
    assert leaders(table.variant, (2, 2, 2)) == frozenset()
    assert leaders(table.variant, ()) == frozenset()
    assert totals_before(replace(table, points=table.points[:1])) == ()


# The running line: pure.


def test_there_is_no_line_before_the_second_round() -> None:
    assert running_chart([]) is None
    assert running_chart([(1, 2)]) is None


@pytest.mark.parametrize("seats", [2, 4, 7, 10])
def test_names_never_lie_on_each_other(seats: int) -> None:
    rng = Random(seats)
    for _ in range(200):
        rounds = rng.randint(2, 8)
        points = [[rng.randint(-8, 8) for _ in range(seats)] for _ in range(rounds)]
        if rng.random() < 0.2:
            points = [[0] * seats for _ in range(rounds)]  # all end in one place
        drawn = present(running_chart(points))
        labels = sorted(line.label for line in drawn.lines)
        assert all(b - a >= GAP - 1e-6 for a, b in pairwise(labels))
        assert labels[0] >= 0
        assert labels[-1] <= drawn.height
        order = sorted(drawn.lines, key=lambda line: line.label)
        totals = [line.total for line in order]
        assert totals == sorted(totals, reverse=True), "who is ahead stands above"
        for line in drawn.lines:
            for x, y in (map(float, point.split(",")) for point in line.path.split()):
                assert 0 <= x <= RIGHT < WIDTH
                assert 0 <= y <= drawn.height
        levels = sorted(y for y, _ in drawn.levels)
        assert all(b - a >= GAP for a, b in pairwise(levels))


def test_a_line_begins_at_nothing_and_ends_at_its_total() -> None:
    drawn = present(running_chart([(2, -1), (1, 3)]))
    assert [line.total for line in drawn.lines] == [3, 2]
    for line in drawn.lines:
        first, *_, last = line.path.split()
        assert float(first.split(",")[1]) == drawn.zero
        assert tuple(map(float, last.split(","))) == (line.x, line.y)


def test_lines_that_are_the_same_lie_beside_each_other() -> None:
    one, two, three = present(running_chart([(2, 2, -1), (1, 1, 0)])).lines
    assert two.y - one.y == APART
    paths = [[float(point.split(",")[1]) for point in each.path.split()] for each in (one, two)]
    assert [b - a for a, b in zip(*paths, strict=True)] == pytest.approx([APART] * 3)
    assert three.path.startswith(one.path.split()[0])


def test_whoever_came_later_begins_there() -> None:
    drawn = present(running_chart([(2, None), (1, None), (0, 4)]))
    assert [len(line.path.split()) for line in drawn.lines] == [4, 2]


def test_names_keep_their_places_where_there_is_room() -> None:
    assert label_places([10, 50, 90], GAP, 100) == [10, 50, 90]
    assert label_places([100, 100, 100], 10, 100) == [80, 90, 100]


# The sheet and the result.


@pytest.mark.django_db
@pytest.mark.parametrize("variant", ["bid", "win", "lose"])
def test_the_sheet_has_the_total_first_and_who_is_ahead_on_top(variant: str) -> None:
    state = a_game(variant)
    head, *rows = cells(html_of(state, 0)["scores"])
    assert head == ["Player", "Total", "Round 1", "Round 2", "Round 3"]
    totals = [int(row[1].replace("−", "-")) for row in rows]
    assert totals == sorted(totals, reverse=variant != "lose")
    for row, total in zip(rows, totals, strict=True):
        assert sum(int(cell.replace("−", "-")) for cell in row[2:]) == total
    shown = tuple(int(row[0].partition(".")[0]) for row in rows)
    assert shown == places(Variant(variant), totals)
    assert "<svg" in html_of(state, 0)["scores"]


@pytest.mark.django_db
def test_a_bid_that_came_true_is_underlined() -> None:
    state = a_game()
    made = html_of(state, 0)["scores"].count('class="made"')
    assert made == Result.objects.filter(deal__table=state.id, points__gte=0).count() > 0
    won = html_of(play(friends(variant="win", seats=2, people=2, rounds=2)), 0)
    assert 'class="made"' not in won["scores"] + won["result"]


@pytest.mark.django_db
def test_a_rounds_end_reads_by_itself() -> None:
    state = play(friends(seats=3, people=3, rounds=3))
    assert state.round is not None
    html = html_of(state, 0)["result"]
    mine, *others = re.findall(r'<div class="outcome.+?</div>', html)
    assert all(" hidden>" in each for each in (mine, *others))
    assert re.search(r"Made it|too (?:few|many)", words(mine))
    assert words(html.split(others[-1])[1]).startswith("Round 1 of 3 ")
    head, *rows = cells(html)
    assert head == ["Player", "Bid", "Taken", "This round", "Total"]
    for row in rows:
        bid, took = map(int, row[1:3])
        points = took if bid == took else -abs(bid - took)
        assert row[3] == (f"+{points}" if points > 0 else str(points).replace("-", "−"))
        assert row[4] == str(points).replace("-", "−")
    sheet = html.split(others[-1])[1]
    assert sum(int(row[1]) for row in rows) != 8, "the last to bid may not make it come out"
    assert "<polyline" not in sheet, "no line through one round"
    assert "solid" not in sheet, "nothing to celebrate"


@pytest.mark.django_db
def test_a_games_end_has_totals_bids_made_and_a_kind_word_for_each_who_lost() -> None:
    state = a_game(rounds=4)
    html = html_of(state, 0)["result"]
    head, *rows = cells(html)
    assert head == ["Player", "Bids right", "This round", "Total"]
    names = {seat.name: seat.number for seat in state.seats}
    for row in rows:
        name = row[0].partition(". ")[2]
        mine = [points[names[name]] for points in state.points]
        assert row[3] == str(state.totals[names[name]]).replace("-", "−")
        assert row[1].replace(" ", "") == "".join("✗✓"[(each or 0) >= 0] for each in mine)
        assert f'aria-label="{row[1].count("✓")} of 4"' in html
    best = max(state.totals)
    losers = [seat for seat, total in enumerate(state.totals) if total < best]
    told = re.findall(r'data-me="(\d)" data-you="([^"]+)"></span>', html)
    assert [int(seat) for seat, _ in told] == losers
    assert all(
        re.match(
            r"You’re (2nd|3rd) of 3\."
            r"(\nOnly 1 trick off in [1-4] of 4 rounds\.)?",
            text,
        )
        for _, text in told
    )
    on_it, beside, *_ = html.split('class="podium"')[1].split("</ol>")
    assert '<ol class="beside" aria-hidden="true" hidden>' in beside  # until it is one's own
    stands = re.findall(r'<li class="place-\d" data-row="(\d)">', on_it + beside)
    assert sorted(stands) == ["0", "1", "2"]
    sheet = re.sub(r'<div class="outcome.+?</div>', "", html)
    assert sheet.count('<svg class="solid">') == 4
    assert 'class="running"' in html


@pytest.mark.django_db
def test_between_rounds_each_hears_their_place_and_sees_everybodys_points() -> None:
    state = replace(play(friends(seats=3, people=3, rounds=3)), points=((2, -1, 0),))
    html = html_of(state, 0)
    told = dict(re.findall(r'data-me="(\d)" data-you="([^"]+)"></span>', html["result"]))
    assert told == {
        "0": "You’re in the lead.",
        "1": "You’re 3rd of 3.",
        "2": "You’re 2nd of 3.",
    }
    tied = html_of(replace(state, points=((2, 2, 0),)), 0)["result"]
    assert tied.count("You share the lead.") == 2
    assert "point" not in "".join(words(html[f"seat-{seat}"]) for seat in range(3))
    assert "Exact bid?" in words(html["result"])
    html = html_of(replace(state, points=((2, -1, 0), (1, 1, 1)), round_number=2), 0)
    told = dict(re.findall(r'data-me="(\d)" data-you="([^"]+)"></span>', html["result"]))
    assert told["1"] == f"You’re 3rd of 3.\n1 point behind {state.seats[2].name}."
    assert "Exact bid?" not in words(html["result"])
    marks = re.findall(r'<p class="rounds"[^>]+>(.+?)</p>', html["result"])
    assert re.sub("<i[^>]*>(.*?)</i>", r"[\1]", marks[2]) == "[✗][✓][]"
    assert 'aria-label="Bids right 1 of 2"' in html["result"]
    for seat, points in enumerate(("2 points", "−1 point", "0 points")):
        assert words(html[f"seat-{seat}"]).count(points) == 1


@pytest.mark.parametrize(
    ("variant", "totals", "made", "told"),
    [
        ("win", (9, 7, 5, 3), 0, "3rd of 4."),
        ("win", (9, 7, 5, 3), 1, "2nd of 4.\nWell played!"),
        ("win", (9, 5, 5, 5), 1, "You share 2nd place."),
        ("lose", (2, 9), 1, "2nd of 2."),
        ("bid", (9, 4, 1), 2, "2nd of 3.\nWell played!"),
        ("bid", (9, 4, 1), 1, "2nd of 3."),
        ("bid", (9, 0, -1), 2, "2nd of 3."),
        ("bid", (9, 1, 4), 4, "You’re 3rd of 3."),
        ("bid", (9, -6, 1), 0, "You’re 3rd of 3.\nOnly 1 trick off in 1 of 4 rounds."),
        ("bid", (9, -9, 1), 0, "You’re 3rd of 3."),
    ],
)
def test_praise_is_for_what_was_good(
    variant: str, totals: tuple[int, ...], made: int, told: str
) -> None:
    """Nobody who came last is told that they played well."""
    game = Variant(variant)
    earlier, last = (0, -1, 0), (0, -1 if totals[1] == -6 else -3, 0)
    points = (
        earlier,
        *[(0, -2, 0)] * 2,
        last,
        (0, -2, 0),
    )  # the first before who sits there now
    view: Any = SimpleNamespace(variant=game, totals=totals, seats=totals, points=points)
    seat = 2 if told.startswith("3") else 1
    place = places(game, totals)[seat]
    mine = ResultRow(place, seat, totals[seat], 0, None, 0, made, 4)
    assert _consolation(view, mine).endswith(told)


def test_the_best_bid_is_everybodys_who_made_it() -> None:
    people = [SimpleNamespace(name=name) for name in ("Ada", "Ben", "Cy")]
    points = ((3, 1, -1), (0, 3, 2))
    state: Any = SimpleNamespace(points=points, seats=people, variant=Variant.BID)
    told = _most_remarkable(state)
    assert re.sub("<.*?>", "", told) == "Highest bid that was right: 3, by Ada and Ben."
    assert re.findall('data-me="(.)" data-you="you"', told) == ["0", "1"]
    people[0].name = "<b>"
    assert "&lt;b&gt;</span>" in _most_remarkable(state)


@pytest.mark.django_db
def test_who_has_won_is_said_once() -> None:
    for seats in (2, 9):
        state = a_game("win", seats=seats, rounds=2)
        if state.totals.count(max(state.totals)) == 1:
            assert words(html_of(state, 0)["sentence"]) == "The game is over."


@pytest.mark.django_db
def test_a_game_of_one_round_ends_as_a_round_does() -> None:
    state = a_game(rounds=1)
    html = html_of(state, 0)["result"]
    assert cells(html)[0] == ["Player", "Bid", "Taken", "This round", "Total"]
    assert 'class="running"' not in html


@pytest.mark.django_db
def test_what_stood_out_speaks_to_whose_it_was() -> None:
    state = a_game("win", seats=2, rounds=2)
    html = html_of(state, 0)["result"]
    best = max(points or 0 for row in state.points for points in row)
    assert f"Most tricks in a round: {best}, by " in html


@pytest.mark.django_db
def test_nothing_of_a_result_before_the_round_is_over() -> None:
    state = load_table(friends(seats=2, people=2, rounds=2))
    make(state.id, "3")
    html = html_of(load_table(state.id), 0)
    assert html["result"] == '<section id="result" hidden></section>'
    assert "Points appear when a round ends." in html["scores"]


@pytest.mark.parametrize(
    ("ranks", "size"),
    [
        ((1, 2, 3, 4), 3),
        ((1,), 1),
        ((1, 1, 3, 3, 3, 3), 2),
        ((1, 2, 2, 2, 2, 2), 1),
        ((1, 2, 3, 3, 3, 6), 5),
        ((1, 2, 3, 3, 3, 3), 2),
        ((1,) * 8, 8),
    ],
)
def test_whole_ranks_stand_on_the_podium(ranks: tuple[int, ...], size: int) -> None:
    assert podium_size(ranks) == size
