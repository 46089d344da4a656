"""Practice tricks: that they are what they seem, and what is said of each card."""

from __future__ import annotations

from games.practice_tricks import practice_tricks
from games.rules import parse_card


def test_each_has_one_winner_and_says_why_of_the_others() -> None:
    high, alone, equal = practice_tricks()
    assert len(practice_tricks(1)) == 1
    for trick in (high, alone, equal):
        (right,) = (answer for answer in trick.answers if answer.is_right)
        assert right.words.startswith("Yes!")
        assert parse_card(right.code).shows(trick.call)
    assert [answer.words for answer in high.answers if not answer.is_right] == [
        "It counts: 2 stars. Is there a higher one that does?",
        "Not that one: it shows 3 stars, not 2 stars.",
    ]
    assert [answer.mark for answer in high.answers if not answer.is_right] == [
        "lower",
        "3 stars",
    ]
    assert [parse_card(answer.code).shows(alone.call) for answer in alone.answers].count(
        True
    ) == 1
    assert equal.answers[0].words == "Not quite: if two are equal, the later one wins."
    assert equal.answers[2].is_right
