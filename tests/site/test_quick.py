"""Which tests are near to a change (``make quick``)."""

import pytest

from tests.quick import FILES, nearest_tests


@pytest.mark.parametrize(
    ("changed", "near"),
    [
        (
            "games/tables/prompts.py",
            "tests/games/tables/test_moments.py",
        ),  # offers of a round's end
        ("games/rules/scoring.py", "tests/rules/test_scoring.py"),
        ("games/pages/joining.py", "tests/games/pages/test_joining.py"),
        ("xactika_site/lanes.py", "tests/site/test_lanes.py"),
        ("templates/lessons/results/_panel.html", "tests/lessons/results/test_panels.py"),
        ("templates/games/table/_prompt.html", "tests/games/tables/test_moments.py"),
        ("tests/site/test_quick.py", "tests/site/test_quick.py"),
    ],
)
def test_what_is_near_is_asked(changed: str, near: str) -> None:
    assert near in list(nearest_tests([changed]))[:FILES]


def test_what_has_no_test_leads_to_none() -> None:
    assert nearest_tests(["no" + "thing.txt"]) == {}


def test_each_is_led_to_by_the_nearest() -> None:
    reasons = nearest_tests(["games/rules/scoring.py", "games/rules/cards.py"])
    assert reasons["tests/rules/test_scoring.py"] == (1, "games/rules/scoring.py")
    assert [distance for distance, _ in reasons.values()] == sorted(
        d for d, _ in reasons.values()
    )
