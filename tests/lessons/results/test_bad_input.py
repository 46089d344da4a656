"""What has a defined place in the figures although it is no ordinary round."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from games.classes import seating, steering
from games.models import Result
from games.tables import seats
from games.tables.state import load_table
from lessons.measures.panels import Panel
from lessons.results.bids import bidding
from lessons.results.dataset import Dataset, dataset_of_session, dataset_of_student
from lessons.results.learned import learning_panels
from lessons.results.learned.learning import Learning, learning_of_session
from lessons.results.points import standings
from lessons.results.session import session_panels
from lessons.results.session.advice import advice
from lessons.results.session.dashboard import dashboard
from tests.games.classroom import a_session, picture, playing, signed_in, students_in
from tests.games.table import play
from tests.lessons.results import archived
from tests.scenes.by_students import finish_round, play_by_students
from tests.scenes.results import play_round


def all_panels(data: Dataset, learning: Learning) -> list[Panel]:
    return [
        *session_panels.panels(data, name=lambda place: str(place.student)),
        *learning_panels.panels(learning, ()),
    ]


@pytest.mark.django_db
class TestHasItsPlace:
    def test_no_data_yet_each_chart_says_what_would_fill_it(self) -> None:
        session = a_session()
        facts, learning = dataset_of_session(session), learning_of_session(session)
        panels = all_panels(facts, learning)
        assert len(panels) >= 10
        for panel in panels:
            assert "fill this" in panel.summary, panel.key
            assert panel.figure is None
        tiles = dashboard(facts, learning, (), panels)
        assert len(tiles) == 3
        for tile in tiles:
            assert "fill this" in tile.summary
            assert tile.is_open
            assert tile.figure is None
        assert dashboard(facts, learning, (), panels, is_final=True) == ()
        assert advice(facts, learning, (), {}, session=1) is None

    def test_one_student(self) -> None:
        session, _students = playing(1, seats=3, rounds=1)
        finish_round(session)
        data = dataset_of_session(session)
        assert len(data.rounds) == 1
        assert data.is_few
        shown = {panel.key: panel for panel in all_panels(data, learning_of_session(session))}
        assert shown["bias"].figure is not None
        shared = session_panels.panels(data, name=lambda _place: "", is_shared=True)
        hidden = {panel.key for panel in shared if panel.grid is None}
        assert {"calibration", "bias", "bids-and-tricks", "points", "tip", "leads"} <= hidden
        assert {"hands", "standings-1"} <= {panel.key for panel in shared if panel.grid}

    def test_a_table_of_bots_counts_as_a_deal_alone(self) -> None:
        session, _students = playing(4, seats=4, rounds=1)
        play(picture(session).tables[0], by=lambda _seat: {"mover": "bot", "level": "random"})
        data = dataset_of_session(session)
        assert (data.rounds, data.leads) == ((), ())
        assert len(data.distinct_deals) == 1
        assert bidding.points_by_round(data) == ()
        assert len(dataset_of_session(session, everyone=True).rounds) == 4

    def test_a_deleted_students_rounds_stay_without_a_name(self) -> None:
        session, students = playing(2, seats=2, rounds=1)
        finish_round(session)
        before = dataset_of_session(session)
        seats.remove_student(student=students[0])
        after = dataset_of_session(session)
        assert [p[2:6] for p in after.rounds] == [p[2:6] for p in before.rounds]
        assert after.students == {students[1].pk}
        (game,) = standings.game_standings(after)
        assert [place.student for place in game.places] == [students[1].pk]
        assert students[0].name not in str(
            [panel.grid for panel in all_panels(after, learning_of_session(session))]
        )

    def test_a_student_who_changed_tables(self, tmp_path: Path) -> None:
        session, students = playing(4, seats=3, rounds=2)
        first, second = picture(session).tables
        finish_round(session)
        mover = next(k for k in picture(session).students if k.table == first)
        there = load_table(second)
        bot = next(seat.number for seat in there.seats if seat.is_bot)
        seating.move_student(session_id=session.pk, student_id=mover.pk, table_id=second)
        steering.deal_next_round(session_id=session.pk)
        assert load_table(second).seats[bot].student_id == mover.pk
        play_by_students(second, rng=Random(3))
        student = next(s for s in students if s.pk == mover.pk)
        own = dataset_of_student(student)
        assert [(p.deal.table, p.seat) for p in own.rounds] == [
            (first, mover.seat),
            (second, bot),
        ]
        # The bot's first round at the second table is not the student's.
        assert Result.objects.get(deal__table=second, deal__round=1, seat=bot).student is None
        (game,) = standings.game_standings(dataset_of_session(session))
        place = next(place for place in game.places if place.student == mover.pk)
        assert (place.total, place.rounds) == (sum(p.points for p in own.rounds), 2)
        archived.check(session, tmp_path)

    def test_a_session_with_games_of_several_kinds(self) -> None:
        session, _students = playing(2, seats=2, rounds=1)
        play_round(picture(session).tables[0], Random(1))
        settings = picture(session).settings
        settings.variant = "win"
        steering.change_settings(session_id=session.pk, settings=settings)
        steering.next_game(session_id=session.pk)
        play_round(picture(session).tables[0], Random(2))
        data = dataset_of_session(session, everyone=True)
        assert [game.variant for game in standings.game_standings(data)] == ["win", "bid"]
        assert len(data.bids) == 2
        rows = bidding.points_by_round(data)
        assert [(row.game, row.variant) for row in rows] == [(1, "bid"), (2, "win")]
        assert rows[1].points == Fraction(4)
        panels = all_panels(data, learning_of_session(session))
        assert {"standings-1", "standings-2"} <= {panel.key for panel in panels}


@pytest.mark.django_db
def test_somebody_who_came_and_never_played_has_a_page(client: object) -> None:
    session = a_session()
    (student,) = students_in(session, 1)
    browser = signed_in(session.classroom.teachers.get())
    page = browser.get(f"/teach/students/{student.pk}/results/")
    assert page.status_code == 200
    assert "fill this" in page.text
