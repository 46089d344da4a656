"""Honest statistics, as decision 0032 has them, each as a test."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from random import Random

import pytest

from games.classes import steering
from games.models import Result, SessionSettings
from games.rules import DECK
from lessons.results.bids import bid_panels
from lessons.results.dataset import Dataset, FinishedDeal, dataset_of_session
from lessons.results.dealt import dealing
from lessons.results.learned.learning import Learning
from lessons.results.over_time.term import term
from lessons.results.session import session_panels
from lessons.results.session.dashboard import dashboard
from lessons.results.words import percent
from tests.games.classroom import picture, playing
from tests.games.table import play
from tests.scenes import present
from tests.scenes.by_students import play_by_students
from xactika_site.classrooms.privacy import FEWEST

PREPARED = [{"dealer": 0, "hands": [[card.code for card in DECK[n : n + 8]] for n in (0, 8)]}]


def a_deal(rng: Random, seats: int, pk: int = 1, board: int | None = None) -> FinishedDeal:
    cards = [card.code for card in rng.sample(DECK, 8 * seats)]
    hands = [cards[seat::seats] for seat in range(seats)]
    return FinishedDeal(pk, 1, f"t{pk}", 1, 1, 1, "bid", 0, hands, board)


def test_the_pooled_mean_of_a_table_varies_less_than_independent_hands_would() -> None:
    rng = Random(8)
    one = present(dealing.mean_card([a_deal(rng, 4)]))
    assert round(one.standard_error, 3) == 0.226
    many = [a_deal(rng, 4, pk) for pk in range(3000)]
    means = [
        float(found.observed)
        for deal in many
        if (found := dealing.mean_card([deal])) is not None
    ]
    spread = sqrt(sum((mean - 8) ** 2 for mean in means) / len(means))
    assert 0.215 < spread < 0.237  # independent hands would give .276
    together = present(dealing.mean_card(many))
    assert together.standard_error == pytest.approx(one.standard_error / sqrt(3000))
    assert abs(together.z_score) < 4


def test_hands_of_one_table_share_the_boss_cards() -> None:
    rng = Random(9)
    deals = [a_deal(rng, 9, pk) for pk in range(2000)]
    shares = [
        float(found.observed)
        for deal in deals
        if (found := dealing.boss_hands([deal])) is not None
    ]
    one = present(dealing.boss_hands([deals[0]]))
    assert round(float(one.expected), 3) == 0.628
    spread = sqrt(sum((share - float(one.expected)) ** 2 for share in shares) / len(shares))
    assert one.standard_error == pytest.approx(spread, rel=0.06)
    independent = sqrt(float(one.expected * (1 - one.expected)) / 9)
    assert one.standard_error < 0.92 * independent


def test_the_running_mean_narrows_as_deals_grow() -> None:
    running = dealing.running_mean([(4, 256)] * 100)
    assert (running[0].deals, running[0].mean) == (1, 8.0)
    assert running[0].deviation == pytest.approx(0.2259, abs=1e-4)
    assert running[0][3] == 0
    assert running[99][2] == pytest.approx(running[0][2] / 10)


@pytest.mark.django_db
def test_only_whole_rounds_of_one_person_count_unless_all_are_asked_for() -> None:
    session, students = playing(3, seats=3, rounds=1)
    (table_id,) = picture(session).tables
    own = {"student_id": students[0].pk}
    sitting = {known.seat: known.pk for known in picture(session).students}
    seat_of = {pk: seat for seat, pk in sitting.items()}
    helped, timed = seat_of[students[1].pk], seat_of[students[2].pk]
    moves: dict[int, int] = {}

    def by(seat: int) -> dict[str, object]:
        moves[seat] = moves.get(seat, 0) + 1
        if seat == helped and moves[seat] == 4:
            return {"mover": "bot", "level": "random"}
        if seat == timed and moves[seat] == 9:
            return {"mover": "clock", "level": "random"}
        return {"student_id": sitting[seat]}

    assert dataset_of_session(session).seats == ()  # nothing of a running round
    play(table_id, by=by)
    data = dataset_of_session(session)
    assert [played.student for played in data.rounds] == [own["student_id"]]
    assert len(dataset_of_session(session, everyone=True).rounds) == 3
    assert Result.objects.filter(student__isnull=False).count() == 1


def test_few_students_are_few() -> None:
    deal = a_deal(Random(1), 4)
    from lessons.results.dataset import SeatResult

    rows = tuple(SeatResult(deal, 0, 1, 1, 1, True, student) for student in range(FEWEST))
    assert not Dataset((deal,), rows, ()).is_few
    assert Dataset((deal,), rows[1:], ()).is_few
    deleted = tuple(row._replace(student=None) for row in rows)
    assert Dataset((deal,), deleted, ()).is_few
    assert replace(Dataset((deal,), rows, ()), everyone=True).students == set(range(FEWEST))


@pytest.mark.django_db
def test_bids_of_four_are_not_shown_as_the_class_s() -> None:
    """24 played to win, and one table of four has bid since: on the wall that is four."""
    session, _students = playing(8, seats=4, rounds=1, variant="win")
    for table_id in picture(session).tables:
        play_by_students(table_id)
    SessionSettings.objects.update(variant="bid")
    steering.next_game(session_id=session.pk)
    play_by_students(picture(session).tables[0])
    data = dataset_of_session(session)
    assert (len(data.students), len(data.bidders)) == (8, 4)
    of_bids = {"calibration", "bias", "bids-and-tricks"}
    for is_shared in (False, True):
        shown = {p.key: p for p in session_panels.panels(data, name=str, is_shared=is_shared)}
        assert {key for key in of_bids if shown[key].grid} == (set() if is_shared else of_bids)
        assert shown["tip"].grid
        points = shown["points"].grid
        assert points
        assert len(points.rows) == (1 if is_shared else 2)  # four have played the second game
        names: dict[int, str] | None = None if is_shared else {}
        tiles = dashboard(data, Learning((), {}), (), shown.values(), names=names)
        of_tiles = {tile.key for tile in tiles}
        assert ("bids" in of_tiles) is ("few" not in of_tiles) is not is_shared
    assert "Students: 4 of 8" in bid_panels.bias(data).basis


@pytest.mark.parametrize(
    ("share", "said"),
    [(0, "0"), (1e-5, "<1"), (0.0149, "1"), (0.99, "99"), (0.999, ">99"), (1, "100")],
)
def test_what_did_happen_is_not_rounded_away(share: float, said: str) -> None:
    assert percent(share) == f"{said}%"


@pytest.mark.django_db
def test_prepared_hands_are_not_held_against_chance() -> None:
    """Nobody drew them: they are in no figure of luck, nor in the mean of the term."""
    session, _students = playing(4, seats=2, rounds=1, duplicate=True, deals=PREPARED)
    for table_id in picture(session).tables:
        play_by_students(table_id)
    data = dataset_of_session(session)
    assert len(data.distinct_deals) == 1
    assert data.drawn_deals == ()
    assert dealing.departures(data) == ()
    panels = {panel.key: panel for panel in session_panels.panels(data, name=str)}
    assert "prepared, not left to chance" in panels["hands"].summary
    assert term(session.classroom).deals == ()
    steering.next_game(session_id=session.pk)  # its boards are spent: these are drawn
    for table_id in picture(session).tables:
        play_by_students(table_id)
    data = dataset_of_session(session)
    assert len(data.distinct_deals) == 2
    assert [deal.game for deal in data.drawn_deals] == [2]
    assert len(term(session.classroom).deals) == 1
