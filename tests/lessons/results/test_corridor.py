"""The sheet for the corridor: nameless, from five students on, of what is over alone; its
figures are worked out again from what is stored, by other code."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from games.classes import paper
from games.classes.paper import PaperRound, ScoreSheet
from games.models import Deal
from games.rules import DECK, Variant
from games.study.look_back.bids import LEAST
from games.study.look_back.mistakes import worths
from lessons.models import Forecast
from lessons.results.dataset import dataset_of_session
from lessons.results.session import corridor
from tests.games.classroom import a_teacher, picture, playing, signed_in
from tests.kernel import load_or_skip
from tests.rules import naive
from tests.scenes import present
from tests.scenes.by_students import in_mid_trick, play_by_students
from tests.scenes.results import generated
from xactika_site.classrooms.models import ClassSession

pytestmark = pytest.mark.django_db

VALUE = {card.code: card.value for card in DECK}


def sheet_of(session: ClassSession) -> str:
    page = f"/teach/sessions/{session.pk}/corridor/"
    return " ".join(signed_in(a_teacher()).get(page).text.split())


def with_forecasts(session: ClassSession) -> None:
    """Everybody who sits somewhere foresees 20% for each of one to five tricks."""
    for deal in Deal.objects.filter(table__class_session=session):
        for seat in deal.table.seat_set.exclude(student=None):
            Forecast.objects.create(
                deal=deal,
                seat=seat.number,
                student=seat.student,
                percents=[0, 20, 20, 20, 20, 20, 0, 0, 0],
            )


def test_of_fewer_than_five_it_only_says_so() -> None:
    session, _students = playing(4, seats=4)
    (table,) = picture(session).tables
    play_by_students(table)
    with_forecasts(session)
    page = sheet_of(session)
    assert "by five or more students" in page
    assert "luckiest" not in page
    assert "Forecasts of our tricks" not in page


def test_of_a_board_in_play_nothing_is_shown() -> None:
    """Of five boards at two tables the second table still plays the last."""
    session, _students = playing(8, seats=4, rounds=2, duplicate=True)
    first, last = picture(session).tables
    play_by_students(first)
    in_mid_trick(last)
    data = dataset_of_session(session)
    assert corridor.luckiest(data) is None
    assert corridor.hard_plays(data) == []
    assert "luckiest" not in sheet_of(session)
    play_by_students(last)
    assert corridor.luckiest(dataset_of_session(session)) is not None
    assert "luckiest" in sheet_of(session)


def test_in_play_to_lose_low_is_lucky() -> None:
    session, _students = generated(5, students=8, variant="lose")
    found = corridor.luckiest(dataset_of_session(session))
    over = Deal.objects.filter(table__class_session=session, results__seat=0)
    totals = [sum(VALUE[code] for code in hand) for deal in over for hand in deal.hands]
    assert found is not None
    assert found.total == min(totals)


def hard_ones(session: ClassSession) -> set[tuple[int, int]]:
    """The hard plays from the moves as they are stored, by the naive rules."""
    found = set()
    for deal in Deal.objects.filter(table__class_session=session, results__seat=0):
        hands = [list(hand) for hand in deal.hands]
        call = ""
        by_person = set(deal.results.filter(by_person=True).values_list("seat", flat=True))
        for move in deal.moves.order_by("number"):
            card, _colon, called = move.text.partition(":")
            if not card[1:]:
                continue  # a bid
            call = called or call
            may = hands[move.seat] if called else naive.follows(hands[move.seat], call)
            is_lower = naive.value(card) < max(map(naive.value, may))
            if move.seat in by_person and len(may) >= 3 and is_lower:
                found.add((deal.pk, move.number))
            hands[move.seat].remove(card)
    return found


def test_the_best_decision_is_furthest_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """By what each move of its turn is worth; of two clear ones the later."""
    load_or_skip()
    rng = Random(5)
    monkeypatch.setattr("games.classes.forming.system_rng", rng)
    monkeypatch.setattr("games.tables.dealing.system_rng", rng)
    session, _students = generated(5, students=8)
    plays = corridor.hard_plays(dataset_of_session(session))
    best = corridor.best_decision(plays)
    ahead = {}
    for play in plays:
        text = play.past.moves[play.moment].text
        worth = worths(play.turn)
        others = [each for other, each in worth.items() if other[:4] != text[:4]]
        if worth[text] == max(worth.values()):
            ahead[play.moment, text] = worth[text] - max(others)
    assert best is not None
    clear = [gap for gap in ahead.values() if gap > LEAST]
    assert round(best.find.ahead, 2) == round(max(clear), 2) > round(clear[0], 2)


class TestOfAClass:
    @staticmethod
    def scene() -> ClassSession:
        return generated(5, students=8)[0]

    def test_it_names_nobody_and_leads_from_the_results(self, session: ClassSession) -> None:
        students = session.classroom.students.order_by("pk")
        with_forecasts(session)
        page = sheet_of(session)
        assert "luckiest" in page
        assert "Forecasts of our tricks" in page
        assert "/puzzles/" in page
        for name in (*(student.name for student in students), "Ada", "Carl"):
            assert name not in page.partition("<article")[2].partition("And you?")[0]
        results = signed_in(a_teacher()).get(f"/teach/sessions/{session.pk}/results/").text
        assert f"/teach/sessions/{session.pk}/corridor/" in results

    def test_a_part_that_is_missing_is_left_out(self, session: ClassSession) -> None:
        assert "Forecasts of our tricks" not in sheet_of(session)
        assert "luckiest" in sheet_of(session)

    def test_what_was_played_on_paper_is_no_decision(self, session: ClassSession) -> None:
        students = session.classroom.students.order_by("pk")
        before = len(corridor.hard_plays(dataset_of_session(session)))
        typed = PaperRound((3, 3, 1, 2), (2, 3, 1, 2))
        sheet = ScoreSheet(Variant.BID, tuple(each.pk for each in students[:4]), (typed,))
        paper.store(session_id=session.pk, sheet=sheet)
        assert len(corridor.hard_plays(dataset_of_session(session))) == before
        assert "luckiest" in sheet_of(session)

    def test_the_luckiest_hand(self, session: ClassSession) -> None:
        """Its chance by counting hands value by value, not by the deck's distribution."""
        found = present(corridor.luckiest(dataset_of_session(session)))
        over = Deal.objects.filter(table__class_session=session, results__seat=0)
        hands = [hand for deal in over for hand in deal.hands]
        totals = [sum(VALUE[code] for code in hand) for hand in hands]
        assert (found.total, found.hands) == (max(totals), len(hands))
        best = [hand for hand, total in zip(hands, totals, strict=True) if total == max(totals)]
        assert sorted(found.hand) in map(sorted, best)
        ways = {(0, 0): 1}
        for card in DECK:
            for (cards, total), count in list(ways.items()):
                if cards < 8:
                    key = cards + 1, total + card.value
                    ways[key] = ways.get(key, 0) + count
        of_eight = {total: count for (cards, total), count in ways.items() if cards == 8}
        high = sum(count for total, count in of_eight.items() if total >= found.total)
        assert found.chance == Fraction(high, sum(of_eight.values()))

    def test_forecasts_beside_what_came(self, session: ClassSession) -> None:
        with_forecasts(session)
        figure = present(corridor.foreseen(dataset_of_session(session)))
        came, said = (trace["y"] for trace in figure["data"])
        counted = [
            result.taken
            for deal in Deal.objects.filter(table__class_session=session, results__seat=0)
            for result in deal.results.filter(by_person=True)
        ]
        assert said == pytest.approx([0, 0.2, 0.2, 0.2, 0.2, 0.2, 0, 0, 0])
        assert came == pytest.approx([counted.count(k) / len(counted) for k in range(9)])

    def test_hard_plays_are_of_people_with_a_choice(self, session: ClassSession) -> None:
        plays = corridor.hard_plays(dataset_of_session(session))
        assert {(p.past.moves[0].deal_id, p.moment) for p in plays} == hard_ones(session)
        assert plays
