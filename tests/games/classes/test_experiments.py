"""Experiments: whole tables drawn, told, kept apart, counted; nothing before the end."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from games.analysis.draws import (
    assignment_count,
    assignments,
    balanced_counts,
    draw_wave,
    randomization_test,
)
from games.classes import closing, seating, steering
from games.classes.boards import next_board
from games.classes.cockpit import cockpit_fragments
from games.classes.experiments import TREATMENTS, _scores, experiments_of
from games.classes.projector import projector_fragments
from games.models import Result, SessionSettings, Table
from games.pages.forms import SessionForm
from games.tables import fragments
from games.tables.observation import public_observation, seat_observation, seat_view, table_view
from games.tables.state import TableState, load_table
from games.tables.viewers import Viewer
from tests.games.classroom import a_session, picture, playing, signed_in, students_in
from tests.scenes import present
from tests.scenes.by_students import finish_round, tables_of
from tests.scenes.views import views
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.services import Refused

A, B = (Table.Treatment(each) for each in TREATMENTS[SessionSettings.Experiment.TIPS])
NOON = timezone.now().replace(hour=12)


def drawn(session: ClassSession) -> list[Table.Treatment | None]:
    return [load_table(table).treatment for table in picture(session).tables]


def experiment(how_many: int, kind: str = "tips", **options: Any) -> ClassSession:
    """A class that has begun to play one, at tables of two."""
    wishes = {"seats": 2, "rounds": 2, "duplicate": True, "experiment": kind, **options}
    return playing(how_many, **wishes)[0]


class TestDraws:
    """The draw, and all ways, against plain enumeration."""

    @pytest.mark.parametrize(
        "waves", [[1], [2], [5], [6], [1, 1], [3, 2], [2, 3, 1], [4, 1, 2]]
    )
    def test_all_ways_are_those_that_stay_even(self, waves: list[int]) -> None:
        def stays_even(way: tuple[bool, ...]) -> bool:
            ends = [sum(waves[: n + 1]) for n in range(len(waves))]
            return all(abs(2 * sum(way[:end]) - end) <= 1 for end in ends)

        expected = {way for way in product((False, True), repeat=sum(waves)) if stays_even(way)}
        found = list(assignments(waves))
        assert len(found) == len(set(found)) == assignment_count(waves)
        assert set(found) == expected

    @pytest.mark.parametrize("waves", [[4], [5], [3, 2], [1, 2]])
    def test_every_way_is_drawn_as_often(self, waves: list[int]) -> None:
        rng, seen = Random(5), Counter[tuple[bool, ...]]()
        for _time in range(300 * assignment_count(waves)):
            way: tuple[bool, ...] = ()
            for new in waves:
                way += draw_wave(way, new, rng)
            seen[way] += 1
        assert len(seen) == assignment_count(waves)
        assert all(225 <= times <= 375 for times in seen.values())  # 300 ± 4.3 SD

    def test_sizes_of_nobody(self) -> None:
        assert balanced_counts(0, 0) == (0,)
        assert balanced_counts(3, 0) == (0,)

    @pytest.mark.parametrize(
        ("waves", "gaps"), [([6], ()), ([7], ()), ([5, 2], (1,)), ([8], (0, 5)), ([3, 4], ())]
    )
    def test_chance_is_the_share_of_ways(self, waves: list[int], gaps: tuple[int, ...]) -> None:
        rng = Random(f"{waves}")
        n = sum(waves)
        means = [
            None if table in gaps else Fraction(rng.randrange(-20, 20), rng.randrange(1, 9))
            for table in range(n)
        ]
        own: tuple[bool, ...] = ()
        for new in waves:
            own += draw_wave(own, new, rng)

        def difference(way: tuple[bool, ...]) -> Fraction | None:
            a = [m for m, is_a in zip(means, way, strict=True) if is_a and m is not None]
            b = [m for m, is_a in zip(means, way, strict=True) if not is_a and m is not None]
            return sum(a) / Fraction(len(a)) - sum(b) / Fraction(len(b)) if a and b else None

        seen = present(difference(own))
        all_of_them = [d for way in assignments(waves) if (d := difference(way)) is not None]
        share = Fraction(sum(abs(d) >= abs(seen) for d in all_of_them), len(all_of_them))
        found = randomization_test(waves, own, [None if m is None else float(m) for m in means])
        assert found is not None
        assert found.is_all
        assert found.p_value == pytest.approx(float(share))
        assert found.observed == pytest.approx(float(seen))
        assert found.tables == n - len(gaps)

    def test_many_tables_are_drawn_anew_and_come_near_all_ways(self) -> None:
        rng = Random(3)
        own = draw_wave((), 16, rng)
        means = [rng.gauss(0.8 * is_a, 1) for is_a in own]
        found = present(randomization_test([16], own, means))
        assert not found.is_all
        assert len(found.differences) == 10_000

        total, far = 0, abs(found.observed) - 1e-9
        for way in assignments([16]):
            a = sum(mean for mean, is_a in zip(means, way, strict=True) if is_a)
            total += abs(a / 8 - (sum(means) - a) / 8) >= far
        assert found.p_value == pytest.approx(total / assignment_count([16]), abs=0.015)

    def test_late_waves_are_drawn_by_the_rule_too(self) -> None:
        found = randomization_test(
            [17, 1], [True] * 9 + [False] * 9, [float(n) for n in range(18)]
        )
        assert found is not None
        assert not found.is_all
        # With nine on each side in every way the differences are symmetric about nought.
        assert abs(sum(found.differences)) / len(found.differences) < 0.15

    def test_of_one_side_alone_nothing_is_said(self) -> None:
        assert randomization_test([2], [True, False], [1.0, None]) is None

    def test_below_six_tables_nothing_is_judged(self) -> None:
        five = randomization_test([5], [True, True, True, False, False], [9, 9, 9, 0, 0])
        six = randomization_test([6], [True] * 3 + [False] * 3, [9, 9, 9, 0, 0, 0])
        seven = randomization_test([7], [True] * 4 + [False] * 3, [9, 9, 9, 9, 0, 0, 0])
        assert five is not None and six is not None and seven is not None  # noqa: PT018
        assert (five.is_judged, five.is_rare) == (False, False)
        assert (six.is_judged, six.could_be_rare, six.p_value) == (True, False, 0.1)
        assert (seven.could_be_rare, seven.is_rare) == (True, True)

    @pytest.mark.parametrize("tables", [7, 10, 12])
    def test_fair_classes_are_seldom_called_rare(self, tables: int) -> None:
        """A thousand classes without a true difference; boards differ, and so do tables."""
        rng, rare = Random(tables), 0
        for _class in range(1000):
            own = draw_wave((), tables, rng)
            means = [rng.choice((-1, 1)) * rng.random() ** 3 for _ in range(tables)]
            found = randomization_test([tables], own, means)
            rare += found is not None and found.is_rare
        assert rare <= 60

    def test_without_a_difference_every_way_is_as_far(self) -> None:
        found = present(randomization_test([8], [True, False] * 4, [0.1] * 8))
        assert found.p_value == 1


@pytest.mark.django_db
class TestTables:
    @pytest.mark.parametrize("students", [4, 12, 13, 14])
    def test_half_of_the_tables_get_each(self, students: int) -> None:
        found = Counter(drawn(experiment(students)))
        assert set(found) <= {A, B}
        assert abs(found[A] - found[B]) <= 1

    def test_nothing_is_drawn_before_the_game(self) -> None:
        assert set(Table.objects.values_list("treatment", flat=True)) <= {""}

    def test_no_experiment_no_treatment(self) -> None:
        session, _students = playing(6, seats=2, duplicate=True)
        assert set(drawn(session)) == {None}
        assert experiments_of(session.pk) == ()

    def test_late_tables_keep_it_even(self) -> None:
        session = experiment(6, rounds=6)
        for _late in range(4):
            students_in(session, 1)
            finish_round(session)
            next_board(session_id=session.pk, by_teacher=True)
            found = Counter(drawn(session))
            assert None not in found
            assert abs(found[A] - found[B]) <= 1

    def test_changed_wishes_are_for_the_next_game(self) -> None:
        session = experiment(8)
        SessionSettings.objects.filter(class_session=session).update(experiment="odds")
        students_in(session, 2)
        finish_round(session)
        next_board(session_id=session.pk, by_teacher=True)
        assert set(drawn(session)) == {A, B}

    def test_an_experiment_wished_for_in_mid_game_begins_with_the_next(self) -> None:
        session = experiment(8, kind="")
        SessionSettings.objects.filter(class_session=session).update(experiment="tips")
        students_in(session, 2)
        finish_round(session)
        next_board(session_id=session.pk, by_teacher=True)
        assert set(drawn(session)) == {None}
        finish_round(session)
        steering.next_game(session_id=session.pk)
        assert set(drawn(session)) == {A, B}

    def test_nobody_moves_from_one_tip_to_the_other(self) -> None:
        session = experiment(8, rounds=3)
        finish_round(session)
        state, (a, *_), (b, *_) = picture(session), *_sides(session)
        one = next(s for s in state.here if s.table == a)
        other = next(s for s in state.here if s.table == b)
        with pytest.raises(Refused, match="experiment"):
            seating.move_student(session_id=session.pk, student_id=one.pk, table_id=b)
        with pytest.raises(Refused, match="experiment"):
            seating.swap(session_id=session.pk, student_id=one.pk, other_id=other.pk)

    def test_odds_are_at_the_tables_that_drew_them(self) -> None:
        session = experiment(8, kind="odds")
        found = {table.treatment: table.odds for table in tables_of(session)}
        assert found == {"odds": "always", "no-odds": "off"}


def _sides(session: ClassSession) -> tuple[list[str], list[str]]:
    found = tables_of(session)
    return [t.id for t in found if t.treatment == A], [t.id for t in found if t.treatment == B]


@pytest.mark.django_db
class TestTold:
    def test_a_table_knows_its_own_tip_and_no_other(self) -> None:
        session = experiment(8)
        for table in tables_of(session):
            own, other = ("9 or more", "11 or 12")[:: 1 if table.treatment == A else -1]
            for seat in range(2):
                page = _page(table, seat)
                assert own in page
                assert other not in page
                assert "11s and 12s" not in page  # the hint of those who have learnt
            assert own not in _page(table, None)

    def test_programs_are_told_by_a_word_and_watchers_nothing(self) -> None:
        table = tables_of(experiment(4))[0]
        view = table_view(table, {}, timezone.now())
        public = public_observation(view)
        assert "treatment" not in public
        seen = seat_observation(public, view, 0, seat_view(table, 0))
        assert seen["treatment"] == table.treatment

    def test_the_cockpit_says_that_one_runs_and_not_which_table_has_what(self) -> None:
        session = experiment(8, kind="tips")
        rooms = []
        for flipped in (False, True):
            if flipped:
                for table in tables_of(session):
                    other = B if table.treatment == A else A
                    now = Table.objects.filter(pk=table.id)
                    now.update(treatment=other, version=F("version") + 1)
                assert tables_of(session)[-1].treatment == other
            rooms.append(_cockpit(session))
        assert "Experiment running, two tips for bidding." in rooms[0]["room"]
        assert rooms[0] == rooms[1]
        SessionSettings.objects.update(experiment="odds")  # of the next game
        assert "two tips for bidding" in _cockpit(session)["room"]
        closing.close_session(session_id=session.pk)
        room = _cockpit(session)["room"]
        assert "The experiment is over, two tips for bidding." in room
        assert f'href="/teach/sessions/{session.pk}/results/#experiment"' in room

    @pytest.mark.parametrize("kind", ["tips", ""])
    def test_no_panel_offers_a_move_between_tables_compared(self, kind: str) -> None:
        """Not even to one with the same tip: what is offered would tell the halves."""
        session = experiment(10, kind, seats=3)
        finish_round(session)
        teacher = signed_in(session.classroom.teachers.get())
        offered = set()
        for table in picture(session).tables:
            page = teacher.get(f"/teach/sessions/{session.pk}/tables/{table}/").text
            offered |= set(re.findall(r'value="(move|swap):', page))
            assert ("gets that seat’s total" in page) is not bool(kind)
        assert offered == (set() if kind else {"move", "swap"})

    def test_the_wall_promises_only_what_the_teacher_can_show(self) -> None:
        session = experiment(8)
        finish_round(session)
        shown = {table.id: table for table in tables_of(session)}
        wall = dict(projector_fragments(picture(session), shown, ""))["wall-figures"]
        assert "hidden until its last round is over" in wall

    @pytest.mark.parametrize("kind", ["tips", ""])
    def test_a_tables_panel_hides_what_the_cockpit_hides(self, kind: str) -> None:
        """Points and replays, until the last board."""
        session = experiment(8, kind, rounds=2)
        finish_round(session)
        teacher = signed_in(session.classroom.teachers.get())
        address = f"/teach/sessions/{session.pk}/tables/{tables_of(session)[0].id}/"
        for is_told in (not kind, True):
            page = teacher.get(address).text
            assert ("points: " in page) is is_told
            assert ('id="panel-replay-1"' in page) is is_told
            next_board(session_id=session.pk, by_teacher=True)
            finish_round(session)

    def test_who_waits_is_seated_in_an_experiment_too(self) -> None:
        session = experiment(10, seats=3, seating="by_hand")
        finish_round(session)
        (late,) = students_in(session, 1)
        teacher = signed_in(session.classroom.teachers.get())
        free = next(table for table in tables_of(session) if len(table.people) < 3)
        page = teacher.get(f"/teach/sessions/{session.pk}/tables/{free.id}/").text
        assert re.findall(r'value="((?:move|swap):\d+)"', page) == [f"move:{late.pk}"]

    def test_the_cockpit_says_that_one_comes(self) -> None:
        session = a_session(duplicate=True, experiment="odds")
        assert "Experiment, chances shown or hidden: drawn" in _cockpit(session)["room"]
        SessionSettings.objects.update(experiment="")
        assert "xperiment" not in _cockpit(session)["room"]

    def test_the_form_comes_with_the_experiment_chosen(self) -> None:
        session, _students = playing(4, seats=2, variant="win")
        teacher = signed_in(session.classroom.teachers.get())
        address = f"/teach/sessions/{session.pk}/settings/"
        chosen = '<option value="tips" selected>'
        assert chosen not in teacher.get(address).text
        page = teacher.get(f"{address}?experiment=tips").text
        assert chosen in page
        assert re.search(r'name="duplicate"[^>]* checked', page)
        assert chosen not in teacher.get(f"{address}?experiment=none").text
        assert SessionSettings.objects.get().experiment == ""

    def test_who_makes_no_experiment_is_told_nothing(self) -> None:
        session, _students = playing(4, seats=2, duplicate=True)
        assert 'id="treatment"' not in _page(tables_of(session)[0], 0)


def _cockpit(session: ClassSession) -> dict[str, str]:
    shown = {table.id: table for table in tables_of(session)}
    return dict(cockpit_fragments(picture(session), shown, NOON))


def _page(table: TableState, seat: int | None) -> str:
    shown = fragments.table_fragments(table_view(table, {}, timezone.now()))
    viewer = Viewer(seat=seat, serial=0)
    return "".join(each.whole("prompt") for each in shown(viewer, seat_view(table, seat))[1:])


@pytest.mark.django_db
class TestOutcomes:
    def test_nothing_is_told_before_the_game_is_over(self) -> None:
        session = experiment(8)
        finish_round(session)
        (found,) = experiments_of(session.pk)
        assert (found.is_over, found.outcomes, found.difference) == (False, (), None)
        cockpit = views(picture(session))["cockpit"]
        tiles = [html for name, html in cockpit.items() if name.startswith("seats-")]
        assert len(tiles) > 1
        assert not any("pips" in tile or "total" in tile for tile in tiles)

    def test_a_table_is_held_against_all_at_the_same_hand(self) -> None:
        session = experiment(8)
        rng = Random(2)
        finish_round(session, rng)
        next_board(session_id=session.pk, by_teacher=True)
        finish_round(session, rng)
        Result.objects.update(by_person=True)
        (found,) = experiments_of(session.pk)
        assert found.is_over
        assert found.wave_sizes == (4,)
        expected: dict[int, list[Fraction]] = {}
        for result in Result.objects.select_related("deal__table"):
            same = Result.objects.filter(deal__round=result.deal.round, seat=result.seat)
            mean = Fraction(sum(r.points for r in same), len(same))
            expected.setdefault(result.deal.table.number, []).append(result.points - mean)
        assert {o.table: o.mean for o in found.outcomes} == {
            number: sum(scores, Fraction()) / len(scores) for number, scores in expected.items()
        }
        by_side = {
            side: [o.mean for o in found.counted if o.is_a is side] for side in (True, False)
        }
        assert found.difference == _mean(by_side[True]) - _mean(by_side[False])

    def test_rounds_that_bots_played_are_left_out(self) -> None:
        session = experiment(8, rounds=1)
        finish_round(session)
        Result.objects.update(by_person=True)
        last = picture(session).tables[-1]
        Result.objects.filter(deal__table=last).update(by_person=False)
        (found,) = experiments_of(session.pk)
        assert [o.hands for o in found.outcomes] == [2, 2, 2, 0]
        assert found.outcomes[-1].mean is None
        assert len(found.counted) == 3

    def test_a_half_that_leaves_counts_for_what_it_played(self) -> None:
        """Their students get other tables, perhaps of the other tip: not counted there."""
        session = experiment(8, rounds=2)
        finish_round(session)
        Result.objects.update(by_person=True)
        left = _sides(session)[0]
        for table in left:
            steering.close_table(session_id=session.pk, table_id=table)
        next_board(session_id=session.pk, by_teacher=True)
        finish_round(session)
        (found,) = experiments_of(session.pk)
        assert found.is_over
        assert found.wave_sizes[0] == 4
        assert {o.table: o.hands for o in found.outcomes if o.wave == 1}.keys() == {1, 2, 3, 4}

    def test_whoever_comes_to_the_other_tip_is_not_counted_there(self) -> None:
        same = [("a", 1, 0, 3, 7, A), ("b", 1, 0, 1, 8, B), ("b", 2, 0, 9, 7, B)]
        found = _scores([*same, ("b", 2, 0, 4, 8, B), ("a", 2, 0, 2, 9, A)])
        assert found == {"a": [1, -1], "b": [-1, 1]}

    def test_late_tables_are_a_wave_of_their_own(self) -> None:
        session = experiment(8, rounds=2)
        students_in(session, 2)
        finish_round(session)
        next_board(session_id=session.pk, by_teacher=True)
        finish_round(session)
        (found,) = experiments_of(session.pk)
        assert found.wave_sizes == (4, 1)


def _mean(values: list[Any]) -> Fraction:
    return sum(values, Fraction()) / len(values)


@pytest.mark.django_db
class TestForm:
    def sent(self, **chosen: str) -> SessionForm:
        data = {
            "variant": "win", "seats": "4", "rounds": "4", "level": "counter", "pace": "0.7",
            "seating": "shuffled", "filling": "bots", "patience": "60.0", "questions": "off",
            "odds_panel": "off",
        }  # fmt: skip
        return SessionForm(data | chosen)

    @pytest.mark.parametrize("kind", ["tips", "odds"])
    def test_it_is_played_to_bid_with_the_same_cards(self, kind: str) -> None:
        form = self.sent(experiment=kind)
        assert form.is_valid(), form.errors
        wishes = form.save(commit=False)
        assert (wishes.variant, wishes.duplicate, wishes.experiment) == ("bid", True, kind)

    def test_without_one_nothing_else_is_changed(self) -> None:
        wishes = self.sent(experiment="").save(commit=False)
        assert (wishes.variant, wishes.duplicate, wishes.experiment) == ("win", False, "")

    def test_no_other_kind(self) -> None:
        assert "experiment" in self.sent(experiment="magic").errors
