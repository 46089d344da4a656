"""Practice tricks: that they are what they seem, and what is said of each card."""

from __future__ import annotations

from games.practice_tricks import practice_tricks
from games.rules import parse_card

SPACE = "\N{NO-BREAK SPACE}"


def test_each_has_one_winner_and_says_why_of_the_others() -> None:
    high, alone, equal = practice_tricks()
    assert len(practice_tricks(1)) == 1
    for trick in (high, alone, equal):
        (right,) = (answer for answer in trick.answers if answer.is_right)
        assert right.words.startswith("Yes!")
        assert parse_card(right.code).shows(trick.call)
    assert [answer.words for answer in high.answers if not answer.is_right] == [
        f"It counts: 2{SPACE}stars. Is there a higher one that does?",
        f"Not that one: it shows 3{SPACE}stars, not 2{SPACE}stars.",
    ]
    assert [answer.counts for answer in high.answers] == [True, False, True]
    assert [answer.mark for answer in high.answers if not answer.is_right] == [
        "lower",
        f"3{SPACE}stars",
    ]
    assert [parse_card(answer.code).shows(alone.call) for answer in alone.answers].count(
        True
    ) == 1
    assert equal.answers[0].words == "Not quite: if two are equal, the later one wins."
    assert equal.answers[2].is_right
