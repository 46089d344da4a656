"""Every figure of a session, recomputed from the raw moves by independent code."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from random import Random
from statistics import fmean, pstdev
from typing import Any

import pytest

from games.classes import closing
from games.models import Deal
from games.tables import results
from lessons.models import Forecast
from lessons.results.bids import bidding
from lessons.results.dataset import Dataset, dataset_of_session
from lessons.results.dealt import dealing
from lessons.results.over_time import term
from lessons.results.points import standings
from lessons.results.session import session_panels
from tests.games.classroom import picture, playing
from tests.rules.naive import value
from tests.scenes.results import Again, Row, generated, names_at, play_round, work_out
from xactika_site.classrooms.models import ClassSession
from xactika_site.classrooms.privacy import FEWEST

SHAPES_OF_SESSIONS: list[dict[str, Any]] = [
    {"variant": "bid", "seats": 4, "students": 7, "rounds": 3},
    {"variant": "bid", "seats": 2, "students": 4, "rounds": 2},
    {"variant": "win", "seats": 3, "students": 5, "rounds": 2},
    {"variant": "lose", "seats": 5, "students": 6, "rounds": 2},
    {"variant": "bid", "seats": 10, "students": 11, "rounds": 1},
    {"variant": "bid", "seats": 3, "students": 6, "rounds": 3, "duplicate": True},
    {"variant": "lose", "seats": 4, "students": 9, "rounds": 2, "duplicate": True},
]


@pytest.mark.django_db
@pytest.mark.parametrize("number", range(len(SHAPES_OF_SESSIONS)))
def test_all_figures_are_what_the_moves_say(number: int) -> None:
    session, _people = generated(number, **SHAPES_OF_SESSIONS[number])
    again, facts = work_out(session), dataset_of_session(session)
    assert results.rebuild_results(check_only=True)[1] == []
    assert len(facts.deals) == len({(row.table, row.round) for row in again.rows})
    check_bidding(facts, again)
    check_points(facts, again)
    check_deals(facts, again)
    check_leads(facts, again)
    check_standings(facts, again, session)
    everybody = dataset_of_session(session, everyone=True)
    assert sorted(p.taken for p in everybody.rounds) == sorted(r.taken for r in again.rows)
    assert len(everybody.leads) == len(again.leads)


def check_bidding(data: Dataset, again: Again) -> None:
    pairs = [(row.bid, row.taken) for row in again.own if row.bid is not None]
    assert sorted(data.bids) == sorted(pairs)
    assert data.students == {row.student for row in again.own}
    found = bidding.errors(data.bids)
    differences = [bid - taken for bid, taken in pairs]
    if differences:
        assert float(found.bias or 0) == pytest.approx(fmean(differences))
        assert found.spread == pytest.approx(pstdev(differences))
        assert found.hit_rate == Fraction(differences.count(0), len(differences))
    else:
        assert (found.bias, found.spread, found.hit_rate) == (None, None, None)
    for group in bidding.tricks_by_bid(data):
        taken = [taken for bid, taken in pairs if bid == group.number]
        assert group.rounds == len(taken)
        assert float(group.mean) == pytest.approx(fmean(taken))
    is_lose = {deal.variant for deal in data.deals} == {"lose"}  # a good hand takes none there
    rows = [] if is_lose else again.own
    tips = [(sum(value(card) >= 9 for card in row.hand), row.taken) for row in rows]
    assert sorted(bidding.tip_pairs(data)) == sorted(tips)
    for group in bidding.tip_groups(data):
        taken = [taken for tip, taken in tips if tip == group.number]
        assert group.taken == Counter(taken)


def check_points(data: Dataset, again: Again) -> None:
    for found in bidding.points_by_round(data):
        rows = [r for r in again.own if (r.game, r.round) == (found.game, found.round)]
        assert found.rounds == len(rows)
        assert float(found.points) == pytest.approx(fmean(row.points for row in rows))
        most = 8 if found.hit_rate is None else 7  # the hook
        assert float(found.structural) == pytest.approx(fmean(most / row.seats for row in rows))
    assert sum(f.rounds for f in bidding.points_by_round(data)) == len(again.own)


def check_deals(data: Dataset, again: Again) -> None:
    """Each deal once, a duplicate board too."""
    hands = [hand for hands in again.hands.values() for hand in hands]
    assert len(data.distinct_deals) == len(again.hands)
    totals = Counter(sum(map(value, hand)) for hand in hands)
    assert dealing.hand_totals(data.distinct_deals) == totals
    mean, boss = (
        dealing.mean_card(data.distinct_deals),
        dealing.boss_hands(data.distinct_deals),
    )
    assert mean
    assert boss
    assert float(mean.observed) == pytest.approx(fmean(value(c) for h in hands for c in h))
    bosses = {
        card
        for hand in hands
        for card in hand
        if value(card) >= 11 or (value(card) == 10 and "1" in card)
    }
    assert boss.observed == Fraction(sum(not bosses.isdisjoint(h) for h in hands), len(hands))


def check_leads(data: Dataset, again: Again) -> None:
    own = [lead for lead in again.leads if lead.own]
    assert len(data.leads) == len(own)
    found = sorted((led.chance, led.safe, led.took) for led in data.leads)
    expected = sorted((lead.chance, lead.safe, lead.took) for lead in own)
    assert [led[1:] for led in found] == [lead[1:] for lead in expected]
    assert [led[0] for led in found] == pytest.approx([lead[0] for lead in expected])
    groups = dealing.leads_by_chance(data)
    assert sum(group.leads for group in groups) == len(own)
    for one, other in pairwise(groups):
        assert one.chance < other.chance
    for group in groups:
        inside = [
            lead
            for lead in own
            if (lead.chance == 1 if group.low == 1 else group.low <= lead.chance < group.high)
            and not (group.low < 1 and lead.chance == 1)
        ]
        assert group.leads == len(inside)
        assert float(group.safe) == pytest.approx(fmean(lead.safe for lead in inside))
        assert float(group.took) == pytest.approx(fmean(lead.took for lead in inside))


def check_standings(data: Dataset, again: Again, session: ClassSession) -> None:
    (game,) = standings.game_standings(data)
    people = names_at(session)
    students = dict(session.classroom.students.values_list("pk", "name"))
    for place in game.places:
        table = picture(session).tables[place.table - 1]
        rows = [row for row in again.own if (row.table, row.seat) == (table, place.seat)]
        assert students[place.student] == people[table, place.seat]
        assert (place.total, place.rounds) == (sum(r.points for r in rows), len(rows))
        if game.is_duplicate:
            assert float(place.fair_score or 0) == pytest.approx(
                sum(map(fair_score(again), rows))
            )
    sign = 1 if game.variant == "lose" else -1
    by = [sign * (p.total if p.fair_score is None else p.fair_score) for p in game.places]
    assert by == sorted(by)
    assert [place.rank for place in game.places] == [1 + by.index(score) for score in by]


def fair_score(again: Again) -> Any:
    def score(row: Row) -> float:
        others = [
            other.points
            for other in again.rows
            if (other.game, other.board, other.seat) == (row.game, row.board, row.seat)
            and other.table != row.table
        ]
        return row.points - fmean(others) if others else 0

    return score


@pytest.mark.django_db
def test_one_and_the_same_hand_at_all_tables() -> None:
    session, _people = generated(5, **SHAPES_OF_SESSIONS[5])
    again = work_out(session)
    found = standings.same_hands(dataset_of_session(session))
    assert len(found) == 2 * 3  # the third board is broken off at one table
    for hand in found:
        rows = [
            (row.bid, row.taken, row.points)
            for row in again.rows
            if (row.board, row.seat) == (hand.board, hand.seat)
        ]
        assert sorted(hand.outcomes) == sorted(rows)
        assert hand.range == max(r[1] for r in rows) - min(r[1] for r in rows)


@pytest.mark.django_db
def test_forecasts_beside_what_came_true() -> None:
    session, people = generated(8, variant="bid", seats=3, students=6, rounds=3)
    rng, again = Random(8), work_out(session)
    rows = {(row.table, row.round, row.seat): row for row in again.own}
    said: list[tuple[int, bool]] = []
    for deal in Deal.objects.filter(table__class_session=session):
        for seat in range(3):
            percents = [0] * 9
            for _point in range(100):
                percents[min(8, int(rng.expovariate(0.5)))] += 1
            Forecast.objects.create(
                deal=deal, seat=seat, student=rng.choice(people), percents=percents
            )
            row = rows.get((deal.table_id, deal.round, seat))
            if row:
                said += [(percent, k == row.taken) for k, percent in enumerate(percents)]
    data = dataset_of_session(session)
    assert len(data.forecasts) == len(rows)
    assert data.forecasters == len({row.student for row in rows.values()})
    groups = bidding.calibration_bins(data)
    assert sum(group.count for group in groups) == len(said)
    for group in groups:
        inside = [(p, true) for p, true in said if group.low <= p <= group.high]
        assert group.count == len(inside)
        assert float(group.mean) == pytest.approx(fmean(p for p, _true in inside) / 100)
        assert float(group.share_true) == pytest.approx(fmean(true for _p, true in inside))
    shared = {p.key: p for p in session_panels.panels(data, name=lambda _p: "", is_shared=True)}
    assert (shared["forecasts"].figure is None) is (data.forecasters < FEWEST)


@pytest.mark.django_db
def test_a_board_that_some_table_still_plays_is_in_no_figure() -> None:
    session, _people = playing(6, seats=3, rounds=2, duplicate=True)
    first, second = picture(session).tables
    play_round(first, Random(1))
    assert dataset_of_session(session).seats == ()
    assert term.term(session.classroom).rounds == {}
    play_round(second, Random(2))
    assert len(dataset_of_session(session).seats) == 6
    assert len(dataset_of_session(session).distinct_deals) == 1


@pytest.mark.django_db
def test_a_term_is_the_sum_of_its_sessions() -> None:
    sessions = []
    for number in (0, 5):
        shape = SHAPES_OF_SESSIONS[number]
        session, _people = generated(number, **{**shape, "classroom": None})
        closing.close_session(session_id=session.pk)
        sessions.append(session)
        if number == 0:
            room = session.classroom
        else:
            ClassSession.objects.filter(pk=session.pk).update(classroom=room)
    found = term.term(room)
    assert [day.pk for day in found.played] == [session.pk for session in sessions]
    hands = []
    for session in sessions:
        again, facts = work_out(session), dataset_of_session(session)
        assert found.errors[session.pk] == bidding.errors(facts.bids)
        assert found.rounds[session.pk] == len(again.own)
        assert found.students[session.pk] == len({row.student for row in again.own})
        hands += list(again.hands.values())
        for student in facts.students:
            own = [row for row in again.own if row.student == student]
            assert found.lines[student][session.pk] == bidding.errors(
                [(row.bid or 0, row.taken) for row in own]
            )
            assert student in found.everybody
    running = found.running
    assert len(running) == len(hands)
    cards = [value(card) for deal in hands for hand in deal for card in hand]
    assert running[-1][1] == pytest.approx(fmean(cards))
