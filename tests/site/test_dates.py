"""The first of a month in sentences, as templates say it."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from django.template import engines
from django.utils.translation import override

SENTENCE = (
    '{{ day|date:"l j F" }}; {{ day|date:"DATE_FORMAT" }}; {{ day|date:"SHORT_DATE_FORMAT" }}'
)


@pytest.mark.parametrize(
    ("language", "day", "said"),
    [
        ("en", date(2026, 12, 1), "Tuesday 1 December; Dec. 1, 2026; 12/01/2026"),
        ("fr", date(2026, 12, 1), "mardi 1er décembre; 1er décembre 2026; 01/12/2026"),
        ("fr", date(2026, 12, 11), "vendredi 11 décembre; 11 décembre 2026; 11/12/2026"),
    ],
)
def test_the_first_of_a_month(language: str, day: date, said: str) -> None:
    with override(language):
        assert engines["django"].from_string(SENTENCE).render({"day": day}) == said


def test_a_time_after_the_day_stays_and_nothing_is_empty() -> None:
    moment = datetime(2026, 12, 1, 1, 1, tzinfo=UTC)
    with override("fr"):
        text = '{{ day|date:"j F, G:i" }}{{ none|date:"j F" }}'
        said = engines["django"].from_string(text).render({"day": moment, "none": None})
    assert said == "1er décembre, 1:01"
