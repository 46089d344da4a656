"""A lesson that a class held, on its page of results: what was predicted beside what is true,
what was dealt together, who took part; and nothing of a game that was not played."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from statistics import median

import pytest

from games.classes import closing
from lessons import charts
from lessons.measures.panels import Panel
from lessons.models import Commitment, LessonRun
from lessons.results.dataset import dataset_of_session
from lessons.results.learned import learning_panels
from lessons.results.learned.learning import learning_of_session
from lessons.results.learned.predictions import progress_in_session
from lessons.results.news import results_version, settings_of, share_token
from lessons.results.over_time import term_panels
from lessons.results.over_time.term import term
from lessons.results.session.dashboard import dashboard
from lessons.results.taught import lesson_panels
from lessons.results.taught.taught_lessons import TaughtLesson, taught_lessons
from lessons.results.tiles import Tile
from lessons.visits import holding
from tests.games.classroom import a_session, device_of, signed_in, students_in
from tests.scenes import present
from tests.scenes.results import DEALS, at_lesson, do, ended, page_of
from xactika_site.classrooms.models import Attendance, ClassSession

pytestmark = pytest.mark.django_db


def only(session: ClassSession) -> TaughtLesson:
    (held,) = taught_lessons(session, dataset_of_session(session))
    return held


def tiles_of(session: ClassSession, *, is_final: bool = False) -> tuple[Tile, ...]:
    data = dataset_of_session(session)
    taught, progress = taught_lessons(session, data), progress_in_session(session)
    panels = [
        *lesson_panels.panels(taught),
        *learning_panels.panels(learning_of_session(session), progress),
    ]
    return dashboard(data, learning_of_session(session), taught, panels, is_final=is_final)


def panel_keys(html: str) -> list[str]:
    return re.findall(r'<section class="chart[^"]*"\s+id="([^"]+)"', html)


class TestOnlyALesson:
    def test_its_page_begins_with_the_lesson_and_has_no_game(self) -> None:
        session = ended(at_lesson(6, step=11, idle=2))
        html = page_of(session)
        assert panel_keys(html)[:2] == ["lesson-1-step-1", "lesson-1-step-3"]
        assert "fill this" not in html
        assert "What we played" not in html
        assert not {"calibration", "bias", "hands", "skills"} & set(panel_keys(html))
        assert "Students who came: 8" in html
        assert "Students who took part: 6 of 8. Steps seen: 11 of 11." in html
        assert "Finished rounds" not in html
        assert re.search(r">No exercise or lesson: 2<", html)
        assert html.index('class="tiles"') < html.index('id="lesson-1"')

    def test_hands_dealt_together_lie_over_the_theory(self) -> None:
        session = ended(at_lesson(6, step=3))
        values = Commitment.objects.filter(step="own").values_list("value", flat=True)
        counted: Counter[int] = Counter()
        for value in values:
            counted.update(dict(enumerate(value["counts"])))
        held = only(session)
        step = DEALS.steps[2]
        data = present(held.pooled(step))
        assert (data.hands, data.students) == (60, 6)
        assert data.counts == (counted[0], counted[1])
        (panel,) = (p for p in lesson_panels.panels((held,)) if p.figure)
        assert [row[2] for row in present(panel.grid).rows] == [counted[0], counted[1]]
        assert [trace["name"] for trace in panel.figure["data"]] == [  # type: ignore[index]
            "the class’s deals", "Theory",
        ]  # fmt: skip
        departure = held.departures[3]
        assert departure
        expected = departure.expected
        assert departure.observed == Fraction(counted[0], 60)
        assert departure.standard_error == pytest.approx(
            float(expected * (1 - expected) / 60) ** 0.5
        )

    def test_while_it_is_held_only_what_it_leaves_open_waits(self) -> None:
        tiles = tiles_of(at_lesson(6, step=11))
        assert len({tile.key for tile in tiles}) == len(tiles)
        assert not any(tile.is_open for tile in tiles)
        waiting = {tile.key for tile in tiles_of(at_lesson(6, step=1)) if tile.is_open}
        assert waiting == {"bids", "chance", "mistake"}

    def test_a_number_is_told_by_its_middle(self) -> None:
        first = tiles_of(ended(at_lesson(6, step=3)))[0]
        said = Commitment.objects.filter(step="share").values_list("value", flat=True)
        assert float(first.number) == median(value["number"] for value in said)
        assert first.claim.endswith("it’s 33.9 of 100 hands")

    @pytest.mark.parametrize(
        ("students", "number"), [(1, "10"), (2, "10, 20"), (4, "10, 20, 30, 40"), (5, "30")]
    )
    def test_of_few_numbers_each_is_told_and_no_middle_that_nobody_gave(
        self, students: int, number: str
    ) -> None:
        session = ended(at_lesson(students, step=3))
        first = tiles_of(session)[0]
        assert (first.key, first.number) == ("expected", number)
        assert first.claim == f"We expected {number}; it’s 33.9 of 100 hands"
        assert ("median guess" in page_of(session)) is (students >= 5)

    def test_who_took_part_is_counted_of_those_who_came(self) -> None:
        assert "Students who took part: 2 of 2. Steps seen:" in page_of(at_lesson(2, step=3))

    def test_its_tables_are_files(self) -> None:
        session = ended(at_lesson(6, step=4))
        browser = signed_in(session.classroom.teachers.get())
        path = f"/teach/sessions/{session.pk}/results/lesson-1-step-4.csv"
        lines = browser.get(path).content.decode("utf-8-sig").splitlines()
        assert lines[0] == "Predictions,Students,True"
        assert lines[1] == "It shrinks,5,"
        assert path in page_of(session)


class TestOneOfSix:
    @staticmethod
    def scene() -> ClassSession:
        return ended(at_lesson(6, step=11))

    def test_what_was_expected_stands_beside_what_is_true(self, session: ClassSession) -> None:
        held = only(session)
        shown = {panel.key: panel for panel in lesson_panels.panels((held,))}
        number, choice = shown["lesson-1-step-1"], shown["lesson-1-step-4"]
        assert number.summary == (
            "From 10 to 60 of 100 hands; median guess 35. True: 33.9 of 100 hands. "
            "Right: 1 of 6."
        )
        assert number.caveat == "Right: any guess in the same bar as the true value."
        assert choice.summary.endswith("Right: 1 of 6.")
        assert choice.caveat == ""
        assert number.grid
        assert [row[0] for row in number.grid.rows if row[2]] == ["30–39"]
        assert sum(row[1] for row in number.grid.rows) == 6  # type: ignore[misc]
        assert choice.grid
        assert [(row[1], bool(row[2])) for row in choice.grid.rows] == [
            (5, False), (0, False), (1, True), (0, False),
        ]  # fmt: skip
        assert "Expected most often: “It shrinks”" in choice.summary
        assert choice.basis == "Students: 6 of 6."

    def test_its_lesson_is_what_is_seen_at_a_glance(self, session: ClassSession) -> None:
        tiles = {tile.key: tile for tile in tiles_of(session, is_final=True)}
        assert list(tiles) == ["expected", "chance", "explained"]
        expected, explained, dealt = (tiles[key] for key in ("expected", "explained", "chance"))
        assert (expected.number, expected.panel) == ("1 of 6", "lesson-1-step-4")
        assert (expected.claim, expected.note) == ("Expected what’s true", "What shrinks?")
        assert explained.claim == "3 of 6 could say why the first time"
        assert dealt.panel == "lesson-1-step-3"
        assert dealt.claim in {"Our deals: nothing unusual", "Our deals were unusual"}
        assert dealt.note == "“has a void”; theory: 34%"
        assert f'id="{dealt.panel}"' in page_of(session)

    def test_what_is_true_is_marked_among_expectations(self, session: ClassSession) -> None:
        (tile,) = (t for t in tiles_of(session, is_final=True) if t.key == "expected")
        (bars,) = present(tile.figure)["data"]
        assert bars["x"] == [0, 1, 0, 5]  # the first answer lies on top
        assert [hue == charts.MARKED for hue in bars["marker"]["color"]] == [
            False, True, False, False,
        ]  # fmt: skip


class TestPredictionsBefore:
    """Which count, and which count as right, told again from what was stored."""

    def told(self, session: ClassSession) -> Panel:
        return learning_panels.predictions(progress_in_session(session))

    def again(self) -> tuple[int, int]:
        """(right, all): 33.9 lies in the thirties, of the choices the third is true."""
        numbers = Commitment.objects.filter(step="share").values_list("value", flat=True)
        choices = Commitment.objects.filter(step="gap").values_list("value", flat=True)
        right = sum(value["number"] in range(30, 40) for value in numbers)
        right += sum(value["choice"] == 2 for value in choices)
        return right, len(numbers) + len(choices)

    def test_numbers_and_choices_count_in_figure_sentence_and_basis(self) -> None:
        session = ended(at_lesson(7, step=6))
        right, every = self.again()
        assert (right, every) == (2, 14)
        panel = self.told(session)
        assert panel.summary.startswith(f"Predictions right: {100 * right / every:.0f}%")
        assert panel.basis == f"Predictions: {every}."
        assert present(panel.figure)["data"][0]["y"] == pytest.approx([right / every], abs=1e-4)
        assert present(panel.grid).rows[0][2:4] == (every, Fraction(right, every))
        assert "guess in the same bar as the true value" in panel.caveat
        marked = [
            row.count
            for shown in lesson_panels.panels((only(session),))
            for row in shown.bars
            if row.is_true
        ]
        assert sum(marked) == right  # as on the bars above

    def test_none_counts_before_the_room_has_seen_what_is_true(self) -> None:
        session = at_lesson(6, step=2)
        assert self.told(session).is_empty
        holding.open_step(session=session, number=3)
        assert "Predictions right: 17%." in self.told(session).summary
        holding.open_step(session=session, number=4)
        do(session, session.classroom.students.order_by("pk")[0], 4, 2)
        assert self.told(session).basis == "Predictions: 6."

    def test_a_session_that_is_over_has_no_chart_to_be_filled(self) -> None:
        assert 'id="predictions"' not in page_of(ended(at_lesson(6, step=2)))
        assert 'id="predictions"' in page_of(ended(at_lesson(6, step=3)))

    def test_what_a_changed_lesson_no_longer_has_does_not_count(self) -> None:
        session = at_lesson(2, step=3)
        Commitment.objects.filter(step="share").update(value={"choice": 1})
        assert self.told(session).is_empty


class TestWhatTheRoomHasSeen:
    def test_a_prediction_is_shown_when_it_is_closed_and_its_truth_when_it_is_revealed(
        self,
    ) -> None:
        session = at_lesson(6)
        assert [number for number, _step in only(session).seen_steps] == []
        assert "lesson-1-step-1" not in page_of(session)
        holding.close_step(session=session, closed=True)
        html = page_of(session)
        assert "lesson-1-step-1" in html
        assert "33.9" not in html
        assert "hasn’t seen the answer yet" in html
        holding.open_step(session=session, number=3)
        assert "33.9" in page_of(session)

    def test_a_lesson_broken_off_tells_no_truth_that_nobody_saw(self) -> None:
        html = page_of(ended(at_lesson(6)))
        assert "From 10 to 60" in html
        assert "33.9" not in html

    def test_every_step_is_news(self) -> None:
        session = at_lesson(2)
        seen = [results_version(session)]

        def is_news() -> bool:
            seen.append(results_version(session))
            return seen[-1] not in seen[:-1]

        holding.close_step(session=session, closed=True)
        assert is_news()
        holding.open_step(session=session, number=2)
        assert is_news()
        for student in session.classroom.students.all():
            do(session, student, 2)
            assert is_news()
        students_in(session, 1)
        assert is_news()
        holding.end_lesson(session=session)
        assert is_news()
        assert not is_news()

    def test_a_switch_pressed_is_said_to_be_saved(self) -> None:
        session = at_lesson(4, step=11)
        teacher = signed_in(session.classroom.teachers.get())
        address = f"/teach/sessions/{session.pk}/results/"
        assert "Saved." not in teacher.get(address).text
        after = teacher.post(f"{address}do/", {"do": "charts-on"}, follow=True).text
        assert '<p class="told on-screen" role="status">Saved.</p>' in after

    def test_of_few_a_shared_screen_shows_nothing(self) -> None:
        session = at_lesson(4, step=11)
        link = f"/results/{share_token(settings_of(session))}/"
        signed_in(session.classroom.teachers.get()).post(
            f"/teach/sessions/{session.pk}/results/do/", {"do": "share-on"}
        )
        settings = settings_of(session)
        link = f"/results/{share_token(settings)}/"
        student = session.classroom.students.order_by("pk")[0]
        for html in (page_of(session, "wall/"), device_of(student, session).get(link).text):
            assert "need 5 students" in html
            assert "From 10 to 40" not in html
            assert "of our 40 hands" not in html
            assert "3 of 4" not in html
        assert "Expected: 10, 20, 30, 40 of 100 hands." in page_of(session)

    def test_no_page_of_a_lesson_names_anybody(self) -> None:
        session = at_lesson(6, step=11)
        for part in ("", "wall/"):
            html = page_of(session, part)
            assert "From 10 to 60" in html
            assert "Quiet Otter" not in html


class TestWhoCame:
    def test_whoever_waits_for_a_yes_has_not_come(self) -> None:
        session = at_lesson(5, step=4, idle=2)
        asking = session.classroom.students.order_by("-pk")[0]
        Attendance.objects.filter(student=asking).update(state=Attendance.State.ASKING)
        assert len(dataset_of_session(session).came) == 6
        assert len(learning_of_session(session).not_started) == 1
        assert "Students who came: 6" in page_of(session)

    def test_what_was_only_opened_was_not_taken_part_in(self) -> None:
        session = a_session()
        looks, does = students_in(session, 2)
        holding.hold(session=session, slug=DEALS.slug)
        device_of(looks, session).get(f"/lessons/{DEALS.slug}/")
        do(session, does, 1, 30)
        assert only(session).students == {does.pk}

    def test_a_deleted_student_is_not_counted(self) -> None:
        session = at_lesson(6, step=4)
        session.classroom.students.order_by("pk")[0].delete()
        held = only(session)
        assert len(held.students) == 5
        assert held.predicted(DEALS.steps[3]).counts == (5, 0, 0, 0)

    def test_a_lesson_whose_files_are_gone_is_left_out(self) -> None:
        session = at_lesson(5, step=4)
        LessonRun.objects.update(lesson="of-old")
        assert taught_lessons(session, dataset_of_session(session)) == ()
        assert "lesson-1" not in page_of(session)


def test_the_term_knows_the_lesson() -> None:
    session = ended(at_lesson(6, step=4))
    (panel,) = (p for p in term_panels.panels(term(session.classroom), names={}) if p.grid)
    assert panel.key == "term-sessions"
    assert [row[1:] for row in present(panel.grid).rows] == [(0, 0, None, None, "6", 6)]


def test_a_session_in_which_nothing_happened_says_so() -> None:
    session = a_session()
    students_in(session, 2)
    html = page_of(session)
    assert html.count("fill this") > 8  # while it is open, each chart says what would
    closing.close_session(session_id=session.pk)
    html = page_of(session)
    assert "No results to show" in html
    assert panel_keys(html) == []
    assert "Finished rounds: 0" in html
    assert "All figures" not in html  # it has but the way to each student
    wall = page_of(session, "wall/")
    assert "No results to show" in wall
    assert "What we can talk about" not in wall


def test_the_teachers_pages_of_a_lesson_lead_to_its_results() -> None:
    session = at_lesson(5)
    browser = signed_in(session.classroom.teachers.get())
    page, results = (
        f"/teach/sessions/{session.pk}/lesson/",
        f"/teach/sessions/{session.pk}/results/",
    )
    assert f'href="{results}"' in browser.get(page).text
    browser.post(page, {"do": "end"})
    assert f'href="{results}#lesson-1"' in browser.get(page).text
    closing.close_session(session_id=session.pk)
    assert f'href="{results}#lesson-1"' in browser.get(page).text
