"""What pages say of an experiment: nothing before its end, numbers that add up, a verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from difflib import unified_diff
from fractions import Fraction
from html import unescape
from io import BytesIO
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest
from asgiref.sync import async_to_sync
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse
from django.utils import timezone

from games import analysis
from games.analysis.draws import RandomizationTest
from games.classes.boards import next_board
from games.classes.cockpit import cockpit_fragments
from games.classes.experiments import Experiment, TableOutcome, experiments_of
from games.classes.projector import projector_fragments
from games.models import Move, Result, Seat, SessionSettings, Table
from lessons.measures import page as pages
from lessons.results.session.played_tiles import experiment_outcomes
from lessons.visits.experiments import (
    chance_facts,
    chance_panel,
    example,
    experiment_for,
    next_stop,
    panels,
    redrawn,
    tables_panel,
)
from tests.games.classroom import a_teacher, device_of, picture, playing, signed_in
from tests.scenes import present
from tests.scenes.by_students import finish_round, tables_of
from tests.scenes.results import played
from xactika_site import clock
from xactika_site.classrooms.models import ClassSession, Student


def an_experiment(means: list[int | None], is_a: list[bool] | None = None) -> Experiment:
    sides = is_a or [n % 2 == 0 for n in range(len(means))]
    return Experiment(
        1,
        SessionSettings.Experiment.TIPS,
        True,
        tuple(
            TableOutcome(
                n + 1, a, 1, None if mean is None else Fraction(mean), 4 * (mean is not None)
            )
            for n, (mean, a) in enumerate(zip(means, sides, strict=True))
        ),
    )


OF_ONE_TABLE = {"lobby", "review", "replay", "session_table", "table", "session_replay"}
"""What shows students their own table’s score sheet, as it lies there while they play."""


def by_students(session: ClassSession) -> None:
    """Who sits there has made all moves."""
    for seat in Seat.objects.filter(table__class_session=session, student__isnull=False):
        made = {"deal__table": seat.table_id, "seat": seat.number}
        Result.objects.filter(**made).update(by_person=True, student=seat.student_id)
        Move.objects.filter(**made).update(student=seat.student_id)


def changed(session: ClassSession, student: Student, *names: str) -> dict[str, bytes]:
    """What is told if every table had come to something else."""
    for result in Result.objects.select_related("deal__table"):
        taken = (result.taken + result.deal.table.number) % 9
        points = result.points + result.deal.table.number
        Result.objects.filter(pk=result.pk).update(taken=taken, points=points)
    return told_of(session, student, *names)


def told_of(session: ClassSession, student: Student, *names: str) -> dict[str, bytes]:
    """Every page and file that has the session, its class, a student or a table in its address
    (or those of these names), by its name, with the wall's and the cockpit's fragments."""
    teacher, device = signed_in(a_teacher()), device_of(student, session)
    table = Table.objects.get(class_session=session, number=1).pk
    at = {"session_id": session.pk, "classroom_id": session.classroom_id, "number": 1,
          "student_id": student.pk, "table_id": table}  # fmt: skip
    told = {}
    for name, keys in addresses(get_resolver()):
        if names and name not in names:
            continue
        for key in ("standings-1", "points", "gradebook") if "key" in keys else ("",):
            known = {**at, "key": key}
            if keys and keys <= known.keys() and name not in OF_ONE_TABLE:
                path = reverse(name, kwargs={each: known[each] for each in keys})
                answers = [visitor.get(path) for visitor in (teacher, device)]
                if any(answer.status_code == 200 for answer in answers):
                    told[f"{name} {key}".strip()] = b"".join(map(content, answers))
    shown = {state.id: state for state in tables_of(session)}
    facts, now = picture(session), datetime(2026, 3, 2, tzinfo=UTC)
    told["wall"] = repr(projector_fragments(facts, shown, "")).encode()
    told["cockpit"] = repr(cockpit_fragments(facts, shown, now)).encode()
    return told


def addresses(resolver: URLResolver) -> Iterator[tuple[str, set[str]]]:
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            outer = set(each.pattern.converters)
            yield from ((name, outer | keys) for name, keys in addresses(each))
        elif each.name:
            yield each.name, set(each.pattern.converters)


async def streamed(answer: Any) -> bytes:
    return b"".join([piece async for piece in answer.streaming_content])


def content(answer: Any) -> bytes:
    """What came, without what is new each time; a packed file unpacked."""
    told = async_to_sync(streamed)(answer) if answer.streaming else answer.content
    if told[:2] == b"PK":
        with ZipFile(BytesIO(told)) as packed:
            names = [name for name in packed.namelist() if "docProps" not in name]
            return b"".join(map(packed.read, names))
    new = rb'(csrfmiddlewaretoken" value="|X-CSRFToken": "|data-now="|nonce-)[^"]*'
    return re.sub(new, b"", told)


def differences(one: bytes, other: bytes) -> list[str]:
    """The lines that only one of two answers has, the first of them."""
    before, after = (told.decode("latin1").splitlines() for told in (one, other))
    return [line[:300] for line in unified_diff(before, after, n=0, lineterm="")][2:9]


def drawn_of(found: Experiment) -> RandomizationTest:
    return present(redrawn(found))


def said_of(drawn: RandomizationTest, *, first: int | None = None) -> str:
    return " ".join(
        pages.page("experiment-chance").texts("say", chance_facts(drawn, first=first))
    )


class TestSaid:
    def test_rare(self) -> None:
        said = said_of(drawn_of(an_experiment([9, 0, 8, 1, 9, 0, 8, 1])))
        assert "in 2.9% (the p-value)." in said.replace("\xa0", " ")
        assert said.index("Chance alone") < said.index("p-value")

    def test_not_rare_is_not_no_difference(self) -> None:
        said = said_of(drawn_of(an_experiment([3, 2, 1, 4, 2, 3, 4, 1])))
        assert "not rare: no difference is shown. There may still be one" in said

    def test_six_tables_can_never_be_rare_and_it_is_said(self) -> None:
        said = said_of(drawn_of(an_experiment([9, 0, 9, 0, 9, 0])))
        assert "not even the largest difference" in said
        assert "p-value" not in said

    def test_five_tables_are_a_picture(self) -> None:
        assert "can’t give a verdict" in said_of(drawn_of(an_experiment([9, 0, 9, 0, 9])))

    def test_halves_that_are_not_even_are_said_with_n(self) -> None:
        chart = tables_panel(an_experiment([3, None, 1, None, 2, 3, 4, None]), key="x")
        assert "Tables with nothing to count: 3." in chart.caveat
        assert "4 “tip A”, 1 “tip B”" in chart.basis

    def test_of_one_half_alone(self) -> None:
        (only,) = panels(an_experiment([3, None, 1, None]))
        assert "nothing to compare" in only.summary

    def test_while_it_is_played_nothing(self) -> None:
        (only,) = panels(Experiment(1, SessionSettings.Experiment.TIPS, False, ()))
        assert only.is_empty
        assert "hidden until its last round is over" in only.summary


class TestCharts:
    @pytest.mark.parametrize("seed", range(12))
    def test_filled_bars_are_those_that_the_sentence_counts(self, seed: int) -> None:
        rng = Random(seed)
        n = rng.choice((6, 8, 9, 10, 15))
        found = an_experiment([rng.randrange(-5, 6) for _ in range(n)])
        drawn = drawn_of(found)
        chart = chance_panel(found, drawn, key="x")
        bars = present(chart.figure)["data"][0]
        assert sum(bars["y"]) == len(drawn.differences)
        filled = zip(bars["marker"]["color"], bars["y"], strict=True)
        # Below a twelfth of the axis an interval can hold both: it stays hollow.
        count = sum(height for colour, height in filled if colour == "--other")
        most = max(map(abs, drawn.differences))
        if abs(drawn.observed) > most / 12:
            assert count == drawn.count_as_extreme()
        else:
            assert count <= drawn.count_as_extreme()

    def test_what_falls_alike_both_ways_looks_alike(self) -> None:
        """Every draw has its mirror, and draws of exactly nought are their own."""
        found = an_experiment([1, 2, 3, 1, 2, 3, 1, 2, 3, 4])
        drawn = drawn_of(found)
        assert drawn.differences.count(0.0) > 2
        chart = chance_panel(found, drawn, key="x")
        heights = present(chart.figure)["data"][0]["y"]
        assert heights == heights[::-1]

    def test_the_first_draws_alone(self) -> None:
        found = example()
        drawn = drawn_of(found)
        chart = chance_panel(found, drawn, key="x", first=10)
        assert sum(present(chart.figure)["data"][0]["y"]) == 10
        assert "of 10 shuffles" in chart.summary
        assert "rare" not in chart.summary
        assert said_of(drawn, first=1).startswith(("In 0 of 1 shuffle", "In 1 of 1 shuffle"))

    def test_stops_come_to_the_end(self) -> None:
        drawn, shown = drawn_of(example()), 0
        for _step in range(20):
            shown = next_stop(shown, drawn)
        assert shown == len(drawn.differences) == 252

    def test_the_example_is_what_the_lesson_tells(self) -> None:
        drawn = drawn_of(example())
        assert (drawn.count_as_extreme(), len(drawn.differences), drawn.is_rare) == (
            10,
            252,
            True,
        )
        assert sum((o.mean or 0) for o in example().outcomes) == Fraction(0)


class TestTile:
    @pytest.mark.parametrize(
        ("means", "claim", "number", "note"),
        [
            ([9, 0], "Did the experiment make", "", "Fewer than 6 tables can’t give"),
            ([9, 0, 8, 0, 9], "Did the experiment make", "", "Fewer than 6 tables can’t give"),
            ([9, 0, 9, 0, 9, 0], "Did the experiment make", "9.00", "may just be luck"),
            ([3, 2, 1, 4, 2, 3, 4, 2], "Did the experiment make", "0.25", "may just be luck"),
            ([9, 0, 8, 1, 9, 0, 8, 1], "“tip A: one for each", "8.00", "Luck alone rarely"),
            ([0, 9, 1, 8, 0, 9, 1, 8], "“tip B: the 11s and", "8.00", "Luck alone rarely"),
        ],
    )
    def test_it_names_a_winner_only_where_luck_seldom_does_as_much(
        self, means: list[int | None], claim: str, number: str, note: str
    ) -> None:
        found = present(experiment_outcomes(an_experiment(means)))
        assert found.claim.startswith(claim)
        assert found.number == number
        assert note in found.note
        assert found.stands_out is ("paid more" in found.claim)

    def test_its_chart_has_names_that_fit(self) -> None:
        figure = present(present(experiment_outcomes(an_experiment([9, 0, 8]))).figure)
        assert figure["data"][0]["x"] == ["tip A", "tip A", "tip B"]


@pytest.mark.django_db
class TestPages:
    def test_results_show_it_when_it_is_over(self) -> None:
        session = played()
        teacher = signed_in(a_teacher())
        page = teacher.get(f"/teach/sessions/{session.pk}/results/").text
        assert "Did the experiment make a difference?" in page
        assert 'class="chapter" id="experiment"' in page  # where the cockpit's link leads
        assert f"/teach/sessions/{session.pk}/results/luck/1/" in page
        files = teacher.get(f"/teach/sessions/{session.pk}/results/experiment-1.csv")
        assert files.status_code == 200
        wall = teacher.get(f"/teach/sessions/{session.pk}/results/wall/").text
        assert "How often does chance alone make such a difference?" in wall

    def test_odds_on_or_off_played_through(self) -> None:
        session = played(experiment="odds")
        teacher = signed_in(a_teacher())
        for language, kinds in {
            "en": ("chances shown", "chances hidden"),
            "fr": ("probabilités affichées", "probabilités masquées"),
        }.items():
            ClassSession.objects.update(language=language)
            for page in ("results/", "results/luck/1/?draws=10"):
                text = unescape(teacher.get(f"/teach/sessions/{session.pk}/{page}").text)
                for kind in kinds:
                    assert re.search(rf"[“«]\s?{kind}\s?[”»]", text)
                assert not re.search(r"“tip [AB]|tip [AB]:", text)

    def test_nothing_is_told_in_mid_game(self) -> None:
        session, _students = playing(14, seats=2, rounds=2, duplicate=True, experiment="tips")
        finish_round(session)
        Result.objects.update(by_person=True)
        teacher = signed_in(a_teacher())
        for page in ("results/", "results/wall/"):
            text = teacher.get(f"/teach/sessions/{session.pk}/{page}").text
            assert not re.search(r"“tip [AB]|tip [AB]:", text)
            assert "hidden until its last round is over" in text
            assert not re.search("Finished rounds fill|Hands of Play to Bid fill", text)
        luck = teacher.get(f"/teach/sessions/{session.pk}/results/luck/1/")
        assert luck.status_code == 404

    def test_points_move_no_page_wall_or_file_before_the_end(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """All results are others, and whatever a class or its teacher can ask for is the same,
        byte by byte; when the game is over nearly all of it changes."""
        session, students = playing(14, seats=2, rounds=2, duplicate=True, experiment="tips")
        rng = Random(4)
        finish_round(session, rng)
        by_students(session)
        held = clock.now()
        for each in (clock, timezone):  # pages tell how long rounds take, and who is away
            monkeypatch.setattr(each, "now", lambda: held)
        monkeypatch.setattr(analysis, "ready", lambda: False)  # nor becomes meanwhile
        before, after = told_of(session, students[0]), changed(session, students[0])
        assert len(before) > 20
        lines = {at: differences(before[at], after[at]) for at in before}
        assert {at: other for at, other in lines.items() if other} == {}
        next_board(session_id=session.pk, by_teacher=True)
        finish_round(session, rng)
        by_students(session)
        names = (
            *("session_results", "session_wall", "own_results", "session_xlsx", "session_csv"),
            *("session_data", "session_moves", "student_moves", "classroom_moves"),
        )
        before = told_of(session, students[0], *names)
        after = changed(session, students[0], *names)
        moved = {at for at in before if before[at] != after[at]}
        assert {each.partition(" ")[0] for each in moved} == {"wall", "cockpit", *names}
        assert "session_csv standings-1" in moved

    def test_draw_after_draw(self) -> None:
        session = played()
        teacher, path = signed_in(a_teacher()), f"/teach/sessions/{session.pk}/results/luck/1/"
        page = teacher.get(path).text
        assert "experiment-chance" not in page
        some_drawn = teacher.get(path + "?drawn=11").text
        assert "of 11 shuffles" in some_drawn
        assert "all possible shuffles" not in some_drawn
        (found,) = experiments_of(session.pk)
        all_drawn = teacher.get(path + "?drawn=99999").text
        assert f"of {len(drawn_of(found).differences)} shuffles" in all_drawn
        assert "Those are all possible shuffles." in all_drawn
        assert teacher.get(path + "?drawn=x").status_code == 200

    def test_watching_goes_on_by_itself_to_the_end(self) -> None:
        shown, stops = 1, 0
        while shown:
            headers = {"HX-Request": "true"}
            answer = Client().get(f"/lessons/luck/?drawn={shown}&watch=on", headers=headers)
            following = re.search(
                r'drawn=(\d+)&amp;watch=on" hx-trigger="load', str(answer.content)
            )
            shown, stops = int(following[1]) if following else 0, stops + 1
        assert stops == 12

    def test_a_lesson_shows_the_class_its_own(self) -> None:
        session = played()
        found = present(experiment_for(session.pk))
        assert found.game == 1
        assert experiment_for(None) is None
