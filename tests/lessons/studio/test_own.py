"""Numbers of one's own: as people write them, or a plain sentence."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import translation

from lessons.studio import own
from lessons.studio.settings import Look, Of, read

HYPHENS = "-\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1 2 3", "1_2_3"),
        ("3, 5, 8", "3_5_8"),
        ("3,5,8", "3_5_8"),
        ("1;2;;3", "1_2_3"),
        ("7\n8\t9\r\n", "7_8_9"),
        ("3,5 4,2", "3.5_4.2"),
        ("1,5;2,5", "1.5_2.5"),
        ("1.5,2.5", "1.5_2.5"),
        ("+5 -0 3.0 100 .5 2.", "5_0_3_100_0.5_2"),
        ("10\u202f000 1\u00a0000\u00a0000", "10000_1000000"),
        (" ".join(f"{sign}2" for sign in HYPHENS), "_".join(["-2"] * len(HYPHENS))),
    ],
)
def test_numbers_are_read_as_they_are_written(text: str, numbers: str) -> None:
    assert own.address(own.typed(text)) == numbers
    assert own.address(own.numbers(numbers)) == numbers


def test_a_comma_alone_is_what_the_language_has_it_for() -> None:
    assert own.address(own.typed("3,5")) == "3_5"
    with translation.override("fr"):
        assert own.address(own.typed("3,5")) == "3.5"
        assert own.written("3.5_-2") == "3,5; -2"
        assert own.address(own.typed(own.written("3.5_-2"))) == "3.5_-2"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Type or paste numbers"),
        ("; ,\n", "Type or paste numbers"),
        ("7 cats", "“cats” isn’t a number"),
        ("NaN", "“NaN” isn’t a number"),
        ("1 inf", "“inf” isn’t a number"),
        ("1e5", "“1e5” isn’t a number"),
        ("5-", "“5-” isn’t a number"),
        ("2-3", "“2-3” isn’t a number"),
        ("٣", "“٣” isn’t a number"),
        ("x" * 5_000, f"“{'x' * own.LONGEST}…” isn’t"),
        ("1234567890", "is too long"),
        ("0.1234567", "is too long"),
        ("9" * 5_000, "is too long"),
        ("1,234.5", "isn’t a number"),
        ("1.5 2,5", "isn’t a number"),
        ("8 " * 10_000, "At most 200 numbers, please."),
    ],
)
def test_what_cannot_be_read_gets_a_plain_sentence(text: str, said: str) -> None:
    with pytest.raises(own.UnreadableNumbers, match=r"[.!]$") as why:
        own.typed(text)
    assert said in str(why.value)


@pytest.mark.django_db
def test_numbers_are_sent_and_become_an_address() -> None:
    form = {"of": "own", "show": "number", "data": "1,5 2,5 −3", "graph": "box"}
    answer = Client().post("/graphs/", form)
    assert answer.status_code == 302
    assert answer["Location"] == "/graphs/?of=own&show=number&graph=box&data=1.5_2.5_-3"
    page = Client().get(answer["Location"]).text
    assert "Median 1.5" in page
    assert ">1.5, 2.5, -3</textarea>" in page


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["<b>cats</b>", "8 " * 10_000, "NaN"])
def test_what_was_typed_stays_beside_the_sentence(text: str) -> None:
    answer = Client().post("/graphs/", {"of": "own", "data": text})
    assert answer.status_code == 422
    page = answer.text
    assert page.count('class="told"') == 1
    assert "<b>" not in page
    assert text.strip()[:4].replace("<", "&lt;").replace(">", "&gt;") in page


@pytest.mark.django_db
def test_an_address_with_other_data_gets_a_line() -> None:
    for data in ("cats", "1_NaN", "_".join(["1"] * 201)):
        answer = Client().get(f"/graphs/?of=own&data={data}")
        assert answer.status_code == 422
        assert answer.text.count('class="told"') == 1
    reading = read({"of": "own"})
    assert (reading.settings.of, reading.settings.graph) == (Of.OWN, Look.DOTS)
    page = Client().get("/graphs/?of=own").text
    assert "Type or paste numbers to draw" in page
