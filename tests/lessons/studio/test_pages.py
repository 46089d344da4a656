"""The graph studio: settings, figures against independent counts, who may count what."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import pytest
from django.test import AsyncClient, Client
from django.utils import translation

from games.rules import DECK, Card, Shape
from games.words import whole
from lessons.exercises.texts import decimal, exact_percent
from lessons.pages.studio import plain
from lessons.studio import counting
from lessons.studio.counting import (
    Frequencies,
    PlayedHand,
    deal_frequencies,
    deck_frequencies,
    exact_chances,
    frames,
    row_frequencies,
)
from lessons.studio.drawing import draw
from lessons.studio.panel import presets
from lessons.studio.settings import (
    MAX_HANDS,
    SPLIT,
    Look,
    Of,
    Settings,
    Show,
    Side,
    read,
    shows,
    suits,
    words,
)

VALUES = {v: sum(card.value == v for card in DECK) for v in range(4, 13)}


# Settings


def test_an_empty_address_is_the_bar_graph_of_values() -> None:
    reading = read({})
    assert reading.settings == Settings()
    assert reading.wrong == reading.notes == []
    assert Settings().address() == {"of": "deck", "show": "value"}


@pytest.mark.parametrize("of", Of)
def test_settings_that_go_together_are_their_address(of: Of) -> None:
    for show, graph in product(Show, Look):
        asked = Settings(
            of=of, show=show, graph=graph, shape=Shape.STAR, count=2, hands=77, y=Side.SHARE
        )
        reading = read(asked.address("2"), "2")
        assert reading.wrong == []
        fits = show in shows(of) and graph in suits(asked)
        if fits:
            assert reading.notes == []
            assert reading.settings == asked
        elif graph not in SPLIT and (show in shows(of) or show.is_of_round):
            assert reading.notes
        assert reading.settings.graph in suits(reading.settings)
        # What was put right goes together.
        again = read(reading.settings.address())
        assert again.settings == reading.settings
        assert again.notes == []


ABSURD = ["x", "-1", "1e9", "9" * 400, "٣", "<script>", "1.5", "None", "\x00", "=1+1", "NaN"]


@pytest.mark.parametrize("name", ["of", "show", "shape", "graph", "y", "hands", "seed", "count",
                                  "least", "session"])  # fmt: skip
@pytest.mark.parametrize("text", ABSURD)
def test_absurd_settings_get_a_line_each(name: str, text: str) -> None:
    reading = read({"of": "dealt", name: text, name + "2": "fine"})
    assert len(reading.wrong) == 1
    assert f"“{name}”" in reading.wrong[0]
    assert text not in reading.wrong[0] or len(text) == 1


@pytest.mark.parametrize("hands", ["0", "1000001"])
def test_hands_have_a_limit(hands: str) -> None:
    assert read({"of": "dealt", "hands": hands}).wrong == ["“hands” can’t have this value."]
    assert MAX_HANDS == 1_000_000


# Counts, independently


def counts(**settings: Any) -> dict[int, int]:
    return dict(deck_frequencies(Settings(**settings)).counts)


def test_the_deck_is_counted() -> None:
    assert counts() == VALUES
    assert counts(show=Show.COUNT, shape=Shape.CONE) == {1: 27, 2: 27, 3: 27}
    curves = deck_frequencies(Settings(show=Show.CURVES, shape=Shape.STAR)).by_count
    by_hand = [
        Counter(sum(c) for c in product((1, 2, 3), repeat=4) if c[3] == n) for n in (1, 2, 3)
    ]
    assert [dict(curve) for curve in curves] == [dict(curve) for curve in by_hand]
    assert list(curves[0].values()) == [1, 3, 6, 7, 6, 3, 1]


def test_the_chances_of_hands_are_exact() -> None:
    call = exact_chances(Settings(show=Show.CALL, shape=Shape.BALL, count=1))
    least = exact_chances(Settings(show=Show.LEAST, least=9))
    for k in range(9):
        assert call[k] == Fraction(comb(27, k) * comb(54, 8 - k), comb(81, 8))
        assert least[k] == Fraction(comb(31, k) * comb(50, 8 - k), comb(81, 8))
    assert exact_chances(Settings(show=Show.LEAST, least=12)).keys() == {0, 1}
    assert exact_chances(Settings(show=Show.LEAST, least=4)) == {8: 1}
    means = exact_chances(Settings(show=Show.MEAN))
    assert sum(means.values()) == 1
    assert sum(n * p for n, p in means.items()) == 64


def test_sums_of_two_cards_by_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "HAND_SIZE", 2)
    found = counting._exact_distribution.__wrapped__(Settings(show=Show.MEAN))
    pairs = Counter(a.value + b.value for a, b in combinations(DECK, 2))
    assert found == {total: Fraction(n, comb(81, 2)) for total, n in sorted(pairs.items())}


def test_hands_are_counted_each_by_itself() -> None:
    hands: list[tuple[Card, ...]] = [DECK[:8], DECK[40:48]]
    means = row_frequencies(map(PlayedHand, hands), Settings(show=Show.MEAN))
    assert dict(means.counts) == dict(
        sorted(Counter(sum(card.value for card in hand) for hand in hands).items())
    )
    assert sum(row_frequencies(map(PlayedHand, hands), Settings()).counts.values()) == 16
    void = row_frequencies(
        map(PlayedHand, hands), Settings(show=Show.CALL, shape=Shape.BALL, count=3)
    )
    assert dict(void.counts) == dict(
        sorted(Counter(sum(card.counts[0] == 3 for card in hand) for hand in hands).items())
    )


def test_rounds_are_counted() -> None:
    made = [(2, 3), (0, 0), (None, 5), (8, 1)]
    rounds = [PlayedHand((), bid=bid, taken=taken) for bid, taken in made]
    assert dict(row_frequencies(rounds, Settings(show=Show.TAKEN)).counts) == {
        0: 1,
        1: 1,
        3: 1,
        5: 1,
    }
    assert dict(row_frequencies(rounds, Settings(show=Show.ERROR)).counts) == {
        -1: 1,
        0: 1,
        7: 1,
    }


# Figures, sentences, tables


def shown(settings: Settings, frequencies: Frequencies | None = None) -> Any:
    chart = draw(settings, frequencies or deck_frequencies(settings), key="g")
    assert chart.figure is not None
    return chart


def test_the_three_graphs_of_the_graphing_page() -> None:
    """Bar graph of the values, the three count curves, the pie of the values."""
    bars = shown(Settings()).figure["data"][0]
    assert (bars["type"], bars["x"], bars["y"]) == ("bar", list(VALUES), list(VALUES.values()))
    curves = shown(Settings(show=Show.CURVES, graph=Look.CURVE)).figure["data"]
    assert [(line["name"], line["x"], line["y"]) for line in curves] == [
        (name, [float(v) for v in range(n + 3, n + 10)], [1, 3, 6, 7, 6, 3, 1])
        for n, name in ((1, "1 ball"), (2, "2 balls"), (3, "3 balls"))
    ]
    pie = shown(Settings(graph=Look.PIE)).figure["data"][0]
    assert (pie["type"], pie["labels"]) == ("pie", [str(v) for v in VALUES])
    assert pie["values"] == list(VALUES.values())


def test_theory_is_hollow_and_data_are_filled() -> None:
    theory = shown(Settings(show=Show.CALL, graph=Look.BAR)).figure["data"]
    assert [trace["marker"]["color"] for trace in theory] == ["rgba(0,0,0,0)"]
    settings = Settings(of=Of.DEALT, show=Show.LEAST, hands=500)
    filled, hollow = shown(settings, counting.simulation(settings)).figure["data"]
    assert filled["marker"]["color"] == "--other"  # the computer's deals are not our data
    assert hollow["marker"]["color"] == "rgba(0,0,0,0)"
    assert sum(filled["y"]) == 500
    assert sum(hollow["y"]) == pytest.approx(500)
    hue = shown(Settings(show=Show.COUNT, shape=Shape.CUBE)).figure["data"][0]["marker"]
    assert hue["color"] == "--cube"


def test_the_normal_curve_lies_over_the_histogram() -> None:
    settings = Settings(show=Show.VALUE, graph=Look.HISTOGRAM)
    _bars, normal = shown(settings).figure["data"]
    area = sum(normal["y"]) * (normal["x"][1] - normal["x"][0])
    assert area == pytest.approx(81, rel=0.001)
    top = max(range(161), key=normal["y"].__getitem__)
    assert normal["x"][top] == pytest.approx(8)
    said = shown(settings).summary
    assert "Mean 8, standard deviation 1.63." in said
    assert "within two: 98%" in said


def test_the_cumulative_graph_ends_at_everything() -> None:
    settings = Settings(graph=Look.CUMULATIVE, y=Side.SHARE)
    line = shown(settings).figure["data"][0]
    assert line["y"] == pytest.approx(
        [sum(list(VALUES.values())[: k + 1]) / 81 for k in range(9)]
    )
    said = shown(settings).summary.replace("\u00a0", " ")
    assert said.startswith("8 or less: 61.7%. 10 or less:")


@pytest.mark.parametrize("show", shows(Of.DEALT))
@pytest.mark.parametrize("of", [Of.DECK, Of.DEALT])
def test_every_graph_has_a_title_a_sentence_a_table(show: Show, of: Of) -> None:
    for look in suits(Settings(of=of, show=show)):
        for y in (Side.NUMBER, Side.SHARE):
            asked = Settings(of=of, show=show, graph=look, hands=300, y=y)
            settings = read(asked.address()).settings
            frequencies = (
                deck_frequencies(settings) if of is Of.DECK else counting.simulation(settings)
            )
            chart = shown(settings, frequencies)
            said = words(settings)
            assert chart.title == said["title"]
            assert chart.summary.endswith(".")
            assert "%(" not in chart.title + chart.summary + str(chart.numbers)
            assert chart.numbers.rows
            assert all(len(row) == len(chart.numbers.head) for row in chart.numbers.rows)
            if look is not Look.PIE:
                assert chart.figure["layout"]["xaxis"]["title"]["text"] == said["x_name"]
            json.dumps(chart.figure)


def test_the_table_has_the_numbers_and_theory() -> None:
    settings = Settings(of=Of.DEALT, show=Show.CALL, hands=2_000, seed=9)
    frequencies = counting.simulation(settings)
    rows = shown(settings, frequencies).numbers.rows
    assert [int(row[1].replace(",", "")) for row in rows] == [
        frequencies.counts.get(k, 0) for k in range(9)
    ]
    assert rows[0][3] == "3.23%"
    with translation.override("fr"):
        assert shown(settings, frequencies).numbers.rows[0][3] == "3,23\u00a0%"


# Deals that are watched


def test_frames_increase_and_end_at_all_hands() -> None:
    for hands in (1, 2, 99, 100, 10_000, 50_000, 1_000_000):
        steps = frames(hands)
        assert steps[-1] == hands
        assert steps == sorted(set(steps))
        assert len(steps) < 60


def test_hands_that_are_watched_are_those_that_stay() -> None:
    settings = Settings(of=Of.DEALT, show=Show.CURVES, hands=1_000, seed=4)
    tallies = list(deal_frequencies(settings, frames(1_000)))
    assert [frequencies.total for frequencies in tallies] == [8 * n for n in frames(1_000)]
    assert tallies[-1] == counting.simulation(settings)
    for frequencies in tallies:
        assert sum(sum(curve.values()) for curve in frequencies.by_count) == frequencies.total


async def test_the_lines_of_a_deal() -> None:
    answer = await AsyncClient().get("/graphs/deals/?of=dealt&show=mean&hands=500&seed=3")
    assert answer.status_code == 200
    sent = "".join([part.decode() async for part in answer.streaming_content])  # type: ignore[attr-defined]
    lines = [json.loads(line) for line in sent.splitlines()]
    assert [line["dealt"] for line in lines] == frames(500)
    settings = Settings(of=Of.DEALT, show=Show.MEAN, graph=Look.HISTOGRAM, hands=500, seed=3)
    frequencies = counting.simulation(settings)
    last = lines[-1]["figure"]["data"][0]
    found = {int(8 * x): n for x, n in zip(last["x"], last["y"], strict=True) if n}
    assert found == dict(frequencies.counts)
    tops = {line["figure"]["layout"]["yaxis"]["range"][1] for line in lines}
    assert len(tops) == 1  # the axis waits, the bars rise


async def test_nobody_listens_and_no_more_is_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def count(_found: Any, _settings: Any, step: int, _language: str) -> str:
        made.append(step)
        return "{}\n"

    monkeypatch.setattr("lessons.pages.studio._json_line", count)
    answer = await AsyncClient().get("/graphs/deals/?of=dealt&show=value&hands=1000000")
    parts = answer.streaming_content  # type: ignore[attr-defined]
    await anext(parts)
    await anext(parts)
    await parts.aclose()
    assert len(made) == 2


@pytest.mark.parametrize("query", ["", "of=deck", "of=dealt&hands=0", "of=mine&show=mean"])
async def test_only_simulated_hands_are_dealt(query: str) -> None:
    answer = await AsyncClient().get(f"/graphs/deals/?{query}")
    assert answer.status_code == 422
    assert json.loads(answer.content)["wrong"]


def test_names_and_axes_do_not_deal_again(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(of=Of.DEALT, show=Show.LEAST, hands=123, seed=987_654)
    first = counting.simulation(settings)
    monkeypatch.setattr(counting, "deal_frequencies", None)
    other = replace(settings, y=Side.SHARE, graph=Look.PIE)
    assert counting.simulation(other) is first
    with pytest.raises(TypeError):
        counting.simulation(replace(settings, least=8))


# Pages


@pytest.mark.django_db
def test_presets_draw_without_a_line() -> None:
    for preset in presets():
        answer = Client().get("/graphs/?" + preset["address"])
        assert answer.status_code == 200
        page = answer.text
        assert "data-figure" in page or "My cards" in preset["name"]
        assert " style=" not in page
        assert 'class="told"' not in page
        marked = re.findall(r'href="([^"]*)" data-draws\s+aria-current="true"', page)
        assert marked == [f"/graphs/?{preset['address'].replace('&', '&amp;')}"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "query", ["of=x", "hands=1e9&of=dealt", "show=mean&graph=&hands=7.5", "of2=zz"]
)
def test_absurd_addresses_get_a_page_with_a_line(query: str) -> None:
    answer = Client().get(f"/graphs/?{query}")
    assert answer.status_code == 422
    assert 'class="told"' in answer.text


@pytest.mark.django_db
def test_a_deal_without_script_goes_to_its_address() -> None:
    answer = Client().get("/graphs/?of=dealt&show=mean&deal=100")
    assert answer.status_code == 302
    assert "hands=100" in answer["Location"]
    assert "seed=" in answer["Location"]
    page = Client().get(answer["Location"]).text
    assert "100 hands of eight, dealt at random" in page
    assert Client().get("/graphs/?of=dealt&deal=99999999999999").status_code == 302


@pytest.mark.django_db
def test_the_numbers_as_csv() -> None:
    answer = Client().get("/graphs/numbers.csv?of=deck&show=value")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[0] == ["The value of a card: the full deck"]
    assert rows[1] == ["The value of a card", "Number of cards", "Share of the cards"]
    assert [(int(row[0]), int(row[1])) for row in rows[2:]] == list(VALUES.items())
    assert [row[2] for row in rows[2:4]] == ["0.0123", "0.0494"]
    assert Client().get("/graphs/numbers.csv?of=x").status_code == 404
    assert Client().get("/graphs/numbers.csv?of=mine").status_code == 404


@pytest.mark.parametrize("language", ["en", "fr"])
def test_cells_of_a_file_are_numbers_in_every_language(language: str) -> None:
    """In French spreadsheets took "12,3 %" and "20 000" for texts."""
    with translation.override(language):
        cells = [
            decimal(Fraction(-25, 2)),
            exact_percent(Fraction(123, 1000)),
            whole(20000),
            "4",
        ]
        assert [plain(cell) for cell in cells] == [-12.5, 0.123, 20000, 4]


@pytest.mark.django_db
def test_the_numbers_as_a_spreadsheet_reads_them_anywhere() -> None:
    client = Client()
    client.cookies["language"] = "fr"
    book = client.get("/graphs/numbers.xlsx?of=deck&show=value").content
    with zipfile.ZipFile(io.BytesIO(book)) as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml").decode()
    assert '<c r="C3"><v>0.0123</v></c>' in sheet
    page = client.get("/graphs/?of=deck&show=value").text
    assert page.index("numbers.xlsx") < page.index("numbers.csv")


def test_cells_like_formulas_are_neutralised_and_others_stay() -> None:
    for cell in ("=1+1", "+SUM(A1)", "@x", "-2+3", "\t=1", "-a"):
        assert plain(cell) == f"'{cell}"
    for cell in ("7.54 to 7.555", "4\u20136", "Value", ""):
        assert plain(cell) == cell


def test_a_minus_is_one_on_the_page_and_for_a_spreadsheet() -> None:
    rounds = [PlayedHand((), bid=bid, taken=2) for bid in (0, 2, 2)]
    settings = Settings(of=Of.MINE, show=Show.ERROR)
    rows = shown(settings, row_frequencies(rounds, settings)).numbers.rows
    assert [row[0] for row in rows] == ["\u22122", "\u22121", "0"]
    assert plain("\u22122") == -2


def test_three_curves_have_their_means() -> None:
    own = Settings(of=Of.MINE, show=Show.CURVES, shape=Shape.STAR, graph=Look.CURVE)
    frequencies = row_frequencies([PlayedHand(cards=tuple(DECK[:8]))], own)
    said = draw(own, frequencies, key="curves").summary
    assert said.startswith("Mean value with 1, 2 and 3 stars: ")


def test_two_graphs_have_room_for_all_curves_of_both(client: Client) -> None:
    page = client.get("/graphs/?of=deck&show=curves&y=share&of2=dealt&show2=curves&y2=share")
    for panel in page.context["panels"]:
        low, high = panel.chart.figure["layout"]["xaxis"]["range"]
        assert (low < 4, high > 12) == (True, True)
