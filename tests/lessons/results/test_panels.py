"""What every question of a page comes with, and that its sentence says what the data say."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from django.utils import translation

from games.rules import DECK
from lessons import charts
from lessons.exercises.skills import Misconception
from lessons.measures.grid import Column, Format, Grid, Noted
from lessons.measures.marks import PLACES
from lessons.measures.page import page
from lessons.measures.panels import NOTED_ROWS, ROWS, WALL_LETTERS, Panel, PanelKind
from lessons.results.bids import bid_panels, bidding
from lessons.results.dataset import Dataset, dataset_of_session
from lessons.results.learned import learning_panels
from lessons.results.learned.learning import Success, learning_of_session
from lessons.results.learned.learning_panels import weakest_facts
from lessons.results.over_time import term_panels
from lessons.results.over_time.term import term
from lessons.results.session import session_panels
from lessons.results.words import basis_words, bias_words, number, percent, signed
from tests.scenes import present
from tests.scenes.results import SLIP, answered, bids_played, generated

THEORY = {"calibration", "bias", "points", "tip", "hands", "leads", "term-bias", "long-run"}


def is_theory(trace: dict[str, Any]) -> bool:
    """An ink line or hollow bars."""
    if trace["type"] == "bar":
        return bool(trace["marker"]["color"] == charts.CLEAR)
    return bool(trace["mode"] == "lines" and trace["line"]["color"] == charts.INK)


def everything(seed: int = 3, **settings: Any) -> tuple[Dataset, list[Panel]]:
    session, people = generated(seed, **{"students": 9, "seats": 3, "rounds": 3, **settings})
    for student in people:
        answered(session, student, "deck-size", SLIP, True)
        answered(session, student, "deck-size", True)
    facts, learning = dataset_of_session(session), learning_of_session(session)
    names = {student.pk: student.name for student in people}
    return facts, [
        *session_panels.panels(facts, name=lambda place: str(place.student)),
        *learning_panels.panels(learning, ()),
        learning_panels.by_student(learning, names=names),
        *term_panels.panels(term(session.classroom), names=names),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("duplicate", [False, True])
def test_every_question_has_its_answer_theory_table_and_basis(duplicate: bool) -> None:
    _facts, panels = everything(duplicate=duplicate)
    asked = [panel for panel in panels if panel.key != "predictions"]
    assert len({panel.key for panel in panels}) == len(panels)
    assert ("same-hand" in {panel.key for panel in panels}) is duplicate
    for panel in asked:
        assert panel.title.endswith("?"), panel.key
        assert panel.summary.endswith("."), panel.key
        assert panel.grid is not None, panel.key
        assert panel.grid.rows, panel.key
        assert panel.basis, panel.key
        assert (panel.kind == "chart") is (panel.figure is not None), panel.key
        for row in panel.grid.rows:
            assert len(row) == len(panel.grid.columns), panel.key
        if panel.key in THEORY:
            assert panel.figure
            lines = [*filter(is_theory, panel.figure["data"])]
            assert lines or panel.figure["layout"]["shapes"], panel.key
            assert any(not is_theory(trace) for trace in panel.figure["data"]), panel.key
        if panel.kind == "heat":
            assert len(panel.grid.shades) == len(panel.grid.rows)
            assert {shade for row in panel.grid.shades for shade in row} <= {None, *range(6)}
        assert not re.search(r"%\(|%[ds]|None|nan", panel.summary + panel.caveat), panel.key


@pytest.mark.django_db
def test_sentences_say_what_the_data_say() -> None:
    facts, panels = everything(seed=6)
    shown = {panel.key: panel for panel in panels}
    ours = bidding.errors(facts.bids)
    tips = bidding.errors(bidding.tip_pairs(facts, only_bids=True))
    assert ours.bias is not None
    assert ours.hit_rate is not None
    assert tips.bias is not None
    way = "too high" if ours.bias > 0 else "too low"
    assert f"On average {number(abs(ours.bias))} tricks {way}" in shown["bias"].summary
    assert percent(ours.hit_rate) in shown["bias"].summary
    assert f"(1 for each 9 or more): {signed(tips.bias)} on average" in shown["bias"].summary
    # Simulated or exact odds leave out what real players' bids and plays tell.
    assert "chances ignore bids, plays, and" in shown["leads"].caveat


@pytest.mark.django_db
def test_counts_of_students_say_of_how_many() -> None:
    facts, panels = everything(seed=6)
    shown = {panel.key: panel for panel in panels}
    some = len(facts.students)
    said = f"Students: {some} of 9"
    for key in ("calibration", "bias", "tip", "points", "leads"):
        assert said in shown[key].basis, key
    assert "of 9 who met it, 9 made the mistake" in shown["misconceptions"].summary
    for key in ("misconceptions", "skills", "exercises"):
        grid = shown[key].grid
        assert grid
        assert "Students (of 9)" in grid.numbers.head, key
        assert "Students" in {column.title for column in grid.columns}, key  # as in the file
    assert basis_words(rounds=3, students=2, of=5) == "Hands played: 3 · Students: 2 of 5."
    assert basis_words(students=4) == "Students: 4."


def test_under_a_misconception_stands_what_to_do_unless_its_title_says_so() -> None:
    advice = [misconception.advice for misconception in Misconception]
    assert "" in advice
    for each in filter(None, advice):
        assert re.fullmatch(r"\S[^%{]{20,130}[.…”]", each), each


@pytest.mark.django_db
def test_the_line_under_a_misconception_is_not_in_the_file() -> None:
    _facts, panels = everything(seed=6)
    grid = next(panel.grid for panel in panels if panel.key == "misconceptions")
    assert grid
    (row,) = grid.linked_rows
    assert row[0][3] == Misconception(SLIP).advice
    assert grid.plain[0][0] == Misconception(SLIP).title


@pytest.mark.django_db
def test_what_is_structural_says_so() -> None:
    facts, panels = everything(seed=2, variant="win")
    points = next(panel for panel in panels if panel.key == "points")
    assert points.caveat.startswith("The mean is fixed")
    assert {row[3] for row in points.grid.rows if points.grid} == {Fraction(8, 3)}  # type: ignore[union-attr]
    assert "Hands of Play to Bid" in bid_panels.bias(facts).summary


@pytest.mark.django_db
def test_theory_of_a_single_round_is_drawn_too() -> None:
    _facts, panels = everything(seed=2, rounds=1)
    figure = next(panel.figure for panel in panels if panel.key == "points")
    assert figure
    (line,) = figure["layout"]["shapes"]
    assert line["y0"] == round(7 / 3, PLACES)  # the hook


@pytest.mark.django_db
def test_on_the_wall_figures_are_larger_and_the_page_s_stay_as_they_were() -> None:
    _facts, panels = everything(seed=4)
    for panel in panels:
        before = str(panel.figure)
        larger = panel.screens()[0]
        assert str(panel.figure) == before
        if larger.figure:
            assert larger.figure["layout"]["font"]["size"] == WALL_LETTERS


def test_numbers_have_a_true_minus_and_no_minus_zero() -> None:
    assert number(-0.94) == "−0.9"
    assert number(-0.04) == "0.0"
    assert signed(0.04) == "0.0"
    assert signed(1) == "+1.0"
    assert bias_words(-0.3) == "On average 0.3 tricks too low."
    assert percent(Fraction(1, 3)) == "33%"


def test_a_decimal_takes_the_plural_from_two_on_in_french_and_always_in_english() -> None:
    with translation.override("fr"):
        assert [bias_words(each) for each in (1.9, -2)] == [
            "Contrats trop hauts de 1,9 pli en moyenne.",
            "Contrats trop bas de 2,0 plis en moyenne.",
        ]
    assert [bias_words(each) for each in (1, -2)] == [
        "On average 1.0 tricks too high.",
        "On average 2.0 tricks too low.",
    ]


@pytest.mark.django_db
def test_the_wall_shows_every_row_of_a_table_on_as_many_screens_as_it_takes() -> None:
    _facts, panels = everything(students=24, rounds=1)
    rows = tuple((str(n), n) for n in range(23))
    columns = (Column("Exercise", Format.TEXT), Column("Answers"))
    grid = Grid("x", columns, rows)
    panel = Panel("exercises", "How?", "So.", grid=grid, kind=PanelKind.TABLE)
    screens = panel.screens()
    assert len(screens) == 3
    assert screens[0].key == panel.key  # what a tile leads to
    assert len({screen.key for screen in screens}) == 3
    shown = [screen.grid.rows for screen in screens if screen.grid]
    assert all(len(rows) <= ROWS for rows in shown)
    assert sum(shown, ()) == rows
    assert screens[0].title.endswith(f"1 to {len(shown[0])} of 23")
    for panel in panels:
        if panel.kind != "table" or (panel.grid and len(panel.grid.rows) <= NOTED_ROWS):
            assert [screen.title for screen in panel.screens()] == [panel.title]


@pytest.mark.parametrize(
    ("places", "shown"),
    [
        ([1, 2, 3], 2),  # none of the lower half
        ([*range(1, 24)], 5),
        ([1, 2, 3, 4, 4, 4, 7, 8], 6),  # nobody is left out who is level with the last
        ([1, *[2] * 20], ROWS),
    ],
)
def test_the_wall_names_the_first_and_who_is_level_with_them(
    places: list[int], shown: int
) -> None:
    rows = tuple((place, f"Seat {n}") for n, place in enumerate(places))
    grid = Grid("Standings", (Column("Place"), Column("Student", Format.TEXT)), rows)
    panel = Panel(
        "standings-1", "Who?", "So.", grid=grid, kind=PanelKind.TABLE, size=charts.Size.LONG
    )
    (screen,) = panel.screens()
    assert present(screen.grid).rows == rows[:shown]
    assert screen.title == panel.title  # it doesn't say of how many: there is no further screen


def test_of_mistakes_the_wall_shows_the_commonest_without_their_words() -> None:
    columns = (
        Column("Mistake", Format.TEXT),
        Column("Students"),
        Column("Treated in", Format.TEXT),
    )
    rows = tuple((Noted(f"Mistake {n}", "Look."), 9 - n, "Lesson 1") for n in range(7))
    grid = Grid("Mistakes", columns, rows)
    panel = Panel("misconceptions", "Which?", "So.", grid=grid, kind=PanelKind.TABLE)
    (one,) = panel.screens()
    assert one.grid
    assert [column.title for column in one.grid.columns] == ["Mistake", "Students"]
    assert one.grid.rows == tuple(row[:2] for row in rows[:NOTED_ROWS])


@pytest.mark.django_db
def test_the_wall_begins_with_pictures_and_ends_with_places() -> None:
    _facts, panels = everything(students=9, rounds=2)
    ranks = {panel.key: panel.rank for panel in panels}
    assert ranks["bias"] < ranks["exercises"] < ranks["standings-1"]
    assert ranks["bids-and-tricks"] == ranks["bias"]


@pytest.mark.django_db
def test_a_tables_round_and_what_a_seat_made_of_it_have_two_words() -> None:
    facts, panels = everything()
    assert len(facts.rounds) > len(facts.deals)
    for panel in panels:
        if panel.key in {"bias", "calibration", "bids-and-tricks", "term-bias"}:
            assert f"Hands played: {len(facts.bids)}" in panel.basis, panel.key
        assert "round" not in panel.basis.replace("the rounds that a bot", ""), panel.key


def test_of_equals_none_is_the_commonest() -> None:
    facts = bids_played([[[pair]] for pair in [(1, 1), (1, 2), (2, 2), (2, 1)] * 5])
    assert bid_panels.bids_and_tricks(facts).summary == "Commonest bid: 1 or 2."


def test_where_all_went_right_nothing_needs_help() -> None:
    right, wrong = Success(10, 10, 10, 10, 3), Success(10, 12, 3, 5, 3)
    said = page("exercises").texts("say", weakest_facts({"A": right, "B": right}))
    assert said == ["All were right first time."]
    said = page("exercises").texts("say", weakest_facts({"A": right, "B": wrong, "C": wrong}))
    assert said == ["Look first at B, C: 3 of 10 right first time."]


def test_what_a_hand_of_the_tip_comes_to_is_counted() -> None:
    high = sum(card.value >= 9 for card in DECK)
    assert high * Fraction(8, 81) == bidding.TIP_MEAN
    assert "Expected: 3.06 such cards" in bid_panels.tip(bids_played([[[(1, 1)]]] * 30)).caveat
