"""The arena: paired, rotated, reproducible, with honest intervals."""

from __future__ import annotations

import json
from io import StringIO
from statistics import fmean

import pytest
from django.core.management import CommandError, call_command

from games.analysis import arena
from games.rules import Variant

LINE_UP = ["counter", "tip-wikipedia", "random"]


def samples(
    line_up: list[str], variant: Variant, deals: int, seed: int = 1, workers: int = 1
) -> list[arena.ArenaDeal]:
    return list(arena.play(line_up, variant, deals=deals, seed=seed, workers=workers))


def figures(found: list[arena.ArenaDeal]) -> list[tuple[object, ...]]:
    """What does not depend on the clock."""
    return [(sample.points, sample.ahead, sample.made) for sample in found]


def test_the_seed_decides_and_the_processes_do_not() -> None:
    one = figures(samples(LINE_UP, Variant.BID, 4))
    assert one == figures(samples(LINE_UP, Variant.BID, 4, workers=2))
    assert one != figures(samples(LINE_UP, Variant.BID, 4, seed=2))


@pytest.mark.parametrize("variant", Variant)
def test_points_add_up(variant: Variant) -> None:
    for sample in samples(LINE_UP, variant, 3):
        assert sum(sample.ahead) == pytest.approx(0)
        if variant is not Variant.BID:
            assert sum(sample.points) == pytest.approx(8)
        assert all(0 <= made <= 3 for made in sample.made)
        assert all(
            len(times) == 3 * (9 if variant is Variant.BID else 8) for times in sample.seconds
        )


def test_every_member_sits_in_every_seat_of_the_same_deal() -> None:
    """Equal bots therefore fare alike to a hair where nothing is left to chance."""
    (sample,) = samples(["counter"] * 4, Variant.BID, 1)
    assert sample.points == pytest.approx([sample.points[0]] * 4)
    assert sample.ahead == pytest.approx([0] * 4)


def test_intervals_are_over_deals() -> None:
    found = samples(["tip-wikipedia", "random", "random"], Variant.BID, 30)
    first = arena.standings(["tip-wikipedia", "random", "random"], Variant.BID, found)[0]
    ahead = [sample.ahead[0] for sample in found]
    mean = fmean(ahead)
    spread = (sum((x - mean) ** 2 for x in ahead) / 29 / 30) ** 0.5
    assert first.ahead == pytest.approx(mean)
    assert first.ahead_half == pytest.approx(1.96 * spread)


def test_hit_rates_mislead_and_points_do_not() -> None:
    line_up = ["counter", "always-0", "always-fair", "tip-wikipedia"]
    found = arena.standings(line_up, Variant.BID, samples(line_up, Variant.BID, 30))
    by_name = {each.name: each for each in found}
    assert by_name["always-0"].points <= 0 < by_name["counter"].points
    assert all(each.made is not None and 0 <= each.made <= 1 for each in found)


def command(*arguments: str) -> str:
    out = StringIO()
    call_command("arena", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_the_command_prints_json() -> None:
    text = command("counter", "tip-wikipedia", "--rounds", "8", "--workers", "1", "--json")
    told = json.loads(text)
    assert told["line_up"] == ["counter", *["tip-wikipedia"] * 3]
    assert told["rounds"] == 8
    assert [each["name"] for each in told["standings"]] == ["counter", "tip-wikipedia"]


def test_the_command_prints_a_table() -> None:
    text = command("tip-printed", "random", "--seats", "2", "--rounds", "6", "--workers", "1")
    assert "tip-printed" in text
    assert "±" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nobody"], "invalid choice: 'nobody'"),
        (["random", "--seats", "11"], "invalid choice: 11"),
        (["random", "random", "random", "--seats", "2"], "from 1 to 2, not 3"),
        (["random", "--rounds", "2"], "not 2"),
        (["random", "--rounds", "99999999"], "to 400000, not 99999999"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(arguments: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        command(*arguments)
