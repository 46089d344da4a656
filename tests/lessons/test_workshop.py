"""The workshop's page: sliders in, tables out, all of it in the address."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from django.test import Client

from games import analysis
from lessons.pages.workshop import MOST_KEPT
from tests.kernel import load_or_skip

load_or_skip()

TIP = "1_0.5_0.5_0_0_0.2_0.45"


def page(client: Client, query: str = "") -> str:
    answer = client.get(f"/lessons/workshop/{query}")
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.text)


def test_it_begins_with_tip_b(client: Client) -> None:
    said = page(client)
    assert "This rule is tip B: " in said
    assert said.count("<tr") == 3 * (3 + 1)
    # For only so it is that tip: a 10 alone is worth half a trick, and by the tip none.
    assert "The bid: all added up and rounded (a half goes down: 2.5 to 2)." in said


def test_a_better_rule_is_said_to_be_better_and_a_worse_one_worse(client: Client) -> None:
    better, worse = page(client, "?high=1&few=0.4"), page(client, "?high=0&ten=0&nine=0")
    assert re.search(r"Your rule beats tip B by 0\.\d{3} points a round\.", better)
    assert re.search(r"Tip B beats your rule by \d\.\d{3} points a round\.", worse)


def test_what_shows_no_difference_is_called_that(client: Client) -> None:
    """At least as many 9s as would tell them apart are missing."""
    said = page(client, "?high=1&single=0&few=0&rest=0.5")
    assert "Your rule and tip B are too close to call." in said


@pytest.mark.parametrize(
    ("query", "total", "bid"),
    [("", "3.00", 3), ("?single=0.25&few=0.2", "3.90", 4), ("?few=-0.5&high=0", "1.00", 1)],
)
def test_an_example_hand_shows_what_a_rule_bids(
    client: Client, query: str, total: str, bid: int
) -> None:
    said = page(client, query)
    assert f'<b class="total">{total}</b>' in said
    assert said.count('<i class="full">') == bid
    assert f"<b>{bid}</b></output>" in said


def test_bars_are_drawn_within_their_picture_in_every_language(client: Client) -> None:
    client.cookies["django_language"] = "fr"
    said = page(client, "?high=0&ten=0&nine=0")
    drawn = re.findall(r'<rect class="\w+" x="([\d.]+)" width="([\d.]+)"', said)
    assert len(drawn) == 2 * 3
    assert all(float(x) + float(width) <= 100.01 for x, width in drawn)


def test_rules_are_kept_in_the_address_up_to_five(client: Client) -> None:
    kept = [f"1_0.5_{n / 10}_0_0_0.2_0.45" for n in range(MOST_KEPT)]
    said = page(client, "?high=1&" + "&".join(f"kept={rule}" for rule in kept))
    assert said.count('name="kept"') == MOST_KEPT
    assert "Keep this rule" not in said
    assert "Five rules are kept." in said
    (link,) = re.findall(r'href="(\?[^"]*)">Keep this rule', page(client, "?high=1.2"))
    again = page(client, link.replace("&amp;", "&"))
    assert 'name="kept" value="1.2_0.5_0.5_0_0_0.2_0.45"' in again
    assert ">My rule 1</a>" in again
    assert "Kept as “My rule 1”." in again


def test_a_rule_is_not_kept_twice(client: Client) -> None:
    said = page(client, f"?high=1&kept={TIP}&kept={TIP}")
    assert said.count('name="kept"') == 1
    assert "Keep this rule" not in said


@pytest.mark.parametrize(
    "query",
    [
        "?high=abc&ten=nan&nine=inf&single=&few=1e999",
        "?high=-7&ten=9999999",
        "?kept=1_2_3&kept=a_b_c_d_e_f_g&kept=&kept=" + "9" * 3000,
        "?boards=99999999999999999999&boards=-1",
        "?boards=²&high=١",
    ],
)
def test_nonsense_is_read_as_the_nearest_rule(client: Client, query: str) -> None:
    assert "points a round" in page(client, query)


def test_numbers_are_read_with_a_comma_and_another_minus(client: Client) -> None:
    assert 'value="1.2"' in page(client, "?high=1,2")
    assert 'value="-0.25"' in page(client, "?single=−0.25")


def test_fresh_cards_give_other_figures_for_the_same_rule(client: Client) -> None:
    first = page(client, "?high=1.2")
    (link,) = re.findall(r'href="(\?[^"]*)">Try it on fresh cards', first)
    assert "boards=2" in link
    again = page(client, link.replace("&amp;", "&"))
    told = r'<p class="said" role="status">(.*?)</p>'
    assert re.findall(told, first) != re.findall(told, again)


def test_without_the_kernel_it_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "ready", lambda: False)
    assert "Still counting" in page(client)


def test_differences_are_true_of_the_points_beside_them(client: Client) -> None:
    """Each rule's points less tip B's are the difference shown, to the last decimal."""
    said = page(client, "?high=1&few=0.4&kept=1_0.6_0.5_0_0_0.2_0.45")
    table = said.split("</table>")[0]
    rows = re.findall(r"<td>([−\d.]+)</td> <td> ([−+\d.]+|–)", table.replace("</span>", ""))
    numbers = [[each.replace("−", "-") for each in row] for row in rows]
    assert len(numbers) == 4
    (tip,) = [Decimal(points) for points, ahead in numbers if ahead == "–"]
    for points, ahead in numbers:
        assert ahead == "–" or Decimal(points) - tip == Decimal(ahead)
