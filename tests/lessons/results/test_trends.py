"""How a class changes from session to session, by hand; and who knows what."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import sqrt

import pytest

from lessons.exercises import EXERCISES
from lessons.exercises.skills import Skill
from lessons.questions.practice import Mastery
from lessons.results.bids.forecasting import JudgedForecast, score_of
from lessons.results.inference import Miss, mean_interval
from lessons.results.learned.learning import Attempt, Learning, Success
from lessons.results.over_time.matrix import SkillCounts, SkillMatrix
from lessons.results.over_time.matrix_panel import HELP, matrix_table
from lessons.results.over_time.records import Records
from lessons.results.over_time.term import Day
from lessons.results.over_time.trend_tiles import of_class
from lessons.results.over_time.trends import (
    Estimate,
    Trend,
    difference,
    luck_band,
    mean_estimate,
    quartiles,
    score_estimate,
    share_estimate,
    trend,
)
from lessons.results.session.learned_tiles import help_everywhere, help_needed
from lessons.results.tiles import Tile
from tests.scenes import present


def misses(*offs: int, tables: int = 2, first: int = 0) -> list[Miss]:
    """Bids that are so far off, at so many tables, each of another board."""
    return [Miss((first, n % tables), (first, n), off) for n, off in enumerate(offs)]


class TestEstimates:
    def test_a_mean_has_the_interval_of_its_clusters(self) -> None:
        rows = misses(3, 1, 2, 0)
        assert mean_estimate(rows) == Estimate(1.5, mean_interval(rows), 4)

    def test_one_table_tells_nothing_of_luck(self) -> None:
        assert mean_estimate(misses(1, 2, tables=1)) == Estimate(1.5, None, 2)

    def test_a_share_lies_between_nothing_and_all(self) -> None:
        interval = share_estimate(misses(0, 1)).interval
        assert interval == (0, 1)

    def test_forecasts_have_the_skill_score_of_them_all(self) -> None:
        sure = JudgedForecast([0, 0, 100, 0, 0, 0, 0, 0, 0], 2, 4, board=1)
        parts = [score_of([sure]), score_of([sure])]
        assert score_estimate(parts) == Estimate(1.0, None, 2)


class TestDifference:
    def test_its_ends_are_off_by_the_root_of_the_squares(self) -> None:
        change = present(difference(Estimate(1, (-2, 4), 5), Estimate(2, (-2, 5), 6)))
        assert change.interval is not None
        assert change[0] == 1
        assert change.interval == (1 - 5, 1 + sqrt(18))
        assert change.rests_on == 11

    def test_of_what_has_no_interval_nothing_is_said(self) -> None:
        assert difference(Estimate(1, None, 5), Estimate(2, (1, 3), 5)) is None


class TestTrend:
    def test_halves_leave_out_the_middle_one(self) -> None:
        by_session = {n: misses(n, n, first=n) for n in range(1, 6)}
        line = trend(by_session, mean_estimate)
        assert [point.value for point in line.points.values()] == [1, 2, 3, 4, 5]
        assert line.earlier is not None
        assert line.later is not None
        assert (line.earlier.value, line.later.value) == (1.5, 4.5)
        assert (line.last.value, line.rests_on) == (5, 10)

    def test_empty_sessions_are_none(self) -> None:
        line = trend({1: misses(1, 1), 2: [], 3: misses(3, 3, first=3)}, mean_estimate)
        assert list(line.points) == [1, 3]

    def test_one_session_does_not_change(self) -> None:
        line = trend({1: misses(1, 2)}, mean_estimate)
        assert (line.earlier, line.change, line.is_change) == (None, None, False)

    def test_far_apart_is_a_change_and_close_is_none(self) -> None:
        far = Trend({}, Estimate(2, (1.7, 2.3), 40), Estimate(0.5, (0.1, 0.9), 40))
        close = Trend({}, Estimate(2, (1, 3), 40), Estimate(1.5, (0.5, 2.5), 40))
        assert (far.is_change, far.is_nearer) == (True, True)
        assert (close.is_change, close.is_nearer) == (False, True)

    def test_a_bid_too_low_is_as_far_off_as_one_too_high(self) -> None:
        over = Trend({}, Estimate(0.5, (0.4, 0.6), 9), Estimate(-0.7, (-0.8, -0.6), 9))
        assert (over.is_change, over.is_nearer) == (True, False)


def test_luck_takes_a_share_two_binomial_deviations_from_its_mean() -> None:
    assert list(luck_band(0.5, 100)) == pytest.approx([0.5 - 1.96 * 0.05, 0.5 + 1.96 * 0.05])
    assert luck_band(1, 10) == (1, 1)
    assert luck_band(0.05, 10)[0] == 0


def test_quartiles_are_the_medians_of_the_halves() -> None:
    assert quartiles([1, 2, 3, 4, 5]) == (1.5, 4.5)
    assert quartiles([8, 7, 6, 5, 4, 3, 2, 1]) == (2.5, 6.5)
    assert quartiles([1, 2, 3, 4]) is None


# Who knows what


def of_skill(skill: Skill) -> list[str]:
    return [key for key, exercise in EXERCISES.items() if exercise.skill is skill]


CONDITIONS, GRAPHS = of_skill(Skill.CONDITIONS), of_skill(Skill.GRAPHS)


def test_a_cell_counts_exercises_by_how_far_they_are() -> None:
    states = {
        CONDITIONS[0]: Mastery.KNOWN,
        CONDITIONS[1]: Mastery.TRIED,
        CONDITIONS[2]: Mastery.SEEN,
        GRAPHS[0]: Mastery.SEEN,
    }
    knowledge = SkillMatrix({1: states}, {})
    assert knowledge.skills == (Skill.GRAPHS, Skill.CONDITIONS)
    first, second = knowledge.rows([1, 2])
    assert first.marks == (SkillCounts(0, 1, 0), SkillCounts(1, 1, 1))
    assert second.marks == (None, None)


def test_who_needs_help_stands_first_and_who_answered_nothing_last() -> None:
    at_once = {1: (2, 2), 2: (4, 2), 3: (1, 0), 4: (2, 0), 5: (3, 2)}
    successes = {
        student: Success(questions, questions, right, right, 1)
        for student, (questions, right) in at_once.items()
    }
    rows = SkillMatrix({}, successes).rows(range(1, 7))
    assert [row.student for row in rows] == [4, 3, 2, 5, 1, 6]
    assert [row.success for row in rows] == [successes.get(row.student) for row in rows]


def test_a_session_and_all_sessions_mark_and_name_by_the_same_measure() -> None:
    right = {1: [1, 0, 0, 0, 0], 2: [0, 0, 0, 0], 3: [0, 0, 0], 4: [1, 1, 0, 0], 5: [1] * 4}
    attempts = tuple(
        Attempt(10 * student + n, "deck-size", student, 0, bool(each), ())
        for student, own in right.items()
        for n, each in enumerate(own)
    )
    learning = Learning(attempts, {student: str(student) for student in right})
    tile = present(help_needed(learning, learning.names))
    assert tile.summary.startswith("Right first time: 2 (0 of 4), 1 (1 of 5). ")
    assert [lead.words for lead in tile.leads] == ["2", "1"]
    successes = {student: learning.of_student(student).success for student in right}
    lead = help_everywhere(successes, 7)
    assert lead == (
        "All work so far: 2 of 5 need help",
        "/teach/classrooms/7/results/#matrix",
    )
    matrix = matrix_table(SkillMatrix({}, successes), names=learning.names, by=HELP)
    assert [row.name for row in matrix.rows if row.needs_help] == ["2", "1"]
    assert matrix.sentence == (
        "Look first at 2: 0 of 4 right first time. "
        "Marked: 2 of 5 students, with under half right first time (4 questions or more)."
    )
    # Who does well is nobody to look at first.
    well = {student: successes[student] for student in (4, 5)}
    matrix = matrix_table(SkillMatrix({}, well), names=learning.names, by=HELP)
    assert matrix.sentence == (
        "Marked: 0 of 2 students, with under half right first time (4 questions or more)."
    )
    matrix = matrix_table(SkillMatrix({}, {5: successes[5]}), names=learning.names, by=HELP)
    assert matrix.sentence == "All were right first time."
    # Who has tried nothing is folded away.
    assert len(matrix.rows) == 1
    assert len(matrix.untried) == len(learning.names) - 1


class TestTheOpenSession:
    def tiles(
        self, came: dict[int, int], bids: dict[int, list[Miss]], *, is_open: bool
    ) -> dict[str, Tile]:
        """A class's tiles: how many of the same students came to each session, and their bids;
        the last session may still go on."""
        began = datetime(2026, 11, 2, 9, tzinfo=UTC)
        days = [Day(pk, began + timedelta(days=7 * pk), began) for pk in came]
        if is_open:
            days[-1] = days[-1]._replace(ended=None)
        happened = Records(
            {pk: {1: own} for pk, own in bids.items()},
            {},
            {},
            {pk: frozenset(range(many)) for pk, many in came.items()},
        )
        return {tile.key: tile for tile in of_class(happened, days, learning="/")}

    def test_nobody_is_missing_who_may_still_come(self) -> None:
        came = {1: 24, 2: 23, 3: 24, 4: 24, 5: 1}
        tile = self.tiles(came, {}, is_open=True)["attendance"]
        assert (tile.claim, tile.number) == ("Who came: no clear change", "98% → 100%")
        assert not tile.band  # a whole class is counted, not sampled
        assert tile.note == (
            "It may just be luck. The open session isn’t counted yet. Students: 24."
        )
        assert not tile.band  # all are counted
        later = self.tiles(came, {}, is_open=False)["attendance"]
        assert (later.number, later.note) == ("98% → 52%", "Students: 24.")
        assert "no clear change" not in later.claim  # far outside the band of luck

    @pytest.mark.parametrize(
        ("came", "members", "claim", "number", "note"),
        [
            (
                (24, 24, 80, 80),
                (24, 24, 80, 80),
                "Who came: no clear change",
                "100% → 100%",
                "Students: 80.",
            ),
            (
                (20, 20, 24, 24, 24),
                (20, 20, 40, 40, 40),
                "Who came: worse",
                "100% → 60%",
                "Luck alone rarely does that. Students: 40.",
            ),
        ],
    )
    def test_nobody_is_missing_who_was_not_in_the_class_yet(
        self, came: Sequence[int], members: Sequence[int], claim: str, number: str, note: str
    ) -> None:
        began = datetime(2026, 11, 2, 9, tzinfo=UTC)
        days = [Day(pk, began + timedelta(days=pk), began) for pk in range(1, len(came) + 1)]
        here, all_of = (
            {day.pk: frozenset(range(many)) for day, many in zip(days, each, strict=True)}
            for each in (came, members)
        )
        here[4] = frozenset(range(members[3] - came[3], members[3]))  # all come once
        happened = Records({}, {}, {}, here, all_of)
        tile = {tile.key: tile for tile in of_class(happened, days, learning="/")}["attendance"]
        assert (tile.claim, tile.number, tile.note) == (claim, number, note)

    def test_the_number_goes_the_way_of_the_claim(self) -> None:
        """Of the halves, as the claim: the first session and the last may go another way."""
        offs = {1: (0, 0), 2: (4, 4), 3: (4, 4), 4: (0, 0), 5: (0, 0), 6: (1, 1)}
        bids = {pk: misses(*own * 4, tables=8, first=10 * pk) for pk, own in offs.items()}
        tile = self.tiles(dict.fromkeys(offs, 8), bids, is_open=False)["bids"]
        assert (tile.claim, tile.number) == ("Bids: better", "+2.7 → +0.3")

    def test_a_single_hand_of_it_is_not_compared(self) -> None:
        came = dict.fromkeys((1, 2, 3), 8)
        bids = {pk: misses(1, 0, 1, 0, first=pk) for pk in (1, 2)}
        one, more = misses(-8, tables=1, first=3), misses(1, 1, first=3)
        for own, number in ((one, "+0.5 → +0.5"), (more, "+0.5 → +1.0")):
            tile = self.tiles(came, {**bids, 3: own}, is_open=True)["bids"]
            assert (tile.claim, tile.number) == ("Bids: no clear change", number)
            assert ("isn’t counted yet" in tile.note) is (own is one)
