"""The charts of a running game, for the teacher's cockpit: their numbers, and what they do not
tell."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.classes import closing, steering
from games.classes.boards import next_board
from games.classes.in_play import GameInPlay, HandPlayed, TableInPlay, game_in_play
from games.models import Deal, Move, Result, Table
from games.rules import HAND_SIZE
from lessons.results.in_play import numbers, tiles
from lessons.results.tiles import Tile
from tests.games.classroom import a_session, a_teacher, playing, signed_in, students_in
from tests.games.table import moves_made
from tests.rules.naive import NaiveRound
from tests.scenes import present
from tests.scenes.by_students import finish_round, play_by_students, tables_of
from xactika_site.classrooms.models import ClassSession


def a_table(number: int = 1, **more: Any) -> TableInPlay:
    given = {"rounds": 4, "tricks": 0, "played": (), "playing": (), "seconds": ()}
    return TableInPlay(number=number, **{**given, **more})


def a_game(*tables: TableInPlay, **more: Any) -> GameInPlay:
    return GameInPlay(tables=tables, **{"has_bids": True, **more})


def tile(game: GameInPlay, key: str) -> Tile:
    return next(each for each in tiles(game) if each.key == key)


def hands(*pairs: tuple[int, int]) -> tuple[HandPlayed, ...]:
    return tuple(HandPlayed(1, *pair) for pair in pairs)


class TestBids:
    def test_the_claim_says_how_far_off_the_bids_are(self) -> None:
        for pairs, claim, number in (
            ([(3, 2), (2, 2)], "Bids: too little data to judge", "+0.5 tricks a bid"),
            ([(1, 2), (1, 3)], "Bids: too little data to judge", "−1.5 tricks a bid"),
            ([(2, 2), (3, 2), (1, 2)], "Bids: too little data to judge", "0.0 tricks a bid"),
        ):
            shown = tile(a_game(a_table(played=hands(*pairs))), "bids")
            assert (shown.claim, shown.number, shown.stands_out) == (claim, number, False)

    def test_it_stands_out_where_luck_seldom_goes_so_far(self) -> None:
        tables = [a_table(n, played=hands((4, 2), (3, 1), (3, 1 + n % 2))) for n in range(8)]
        shown = tile(a_game(*tables), "bids")
        assert (shown.claim, shown.stands_out) == ("Bids too high", True)
        assert not tile(a_game(*tables[:1]), "bids").stands_out

    def test_hands_over_are_filled_and_hands_in_play_hollow(self) -> None:
        table = a_table(played=hands((3, 2), (3, 1), (1, 2)), playing=hands((4, 1)))
        shown = tile(a_game(table), "bids")
        line, over, running = present(shown.figure)["data"]
        assert (over["x"], over["y"]) == ([1, 3], [2, 1.5])
        assert [each["name"] for each in (line, over, running)] == [
            "bid = taken",
            "finished",
            "Being played",
        ]  # said in the picture
        assert (running["x"], running["y"]) == ([4], [1])
        assert over["marker"]["color"] != running["marker"]["color"]
        assert "Hands finished: 3 (on average 2.33 bid, 1.67 taken)" in shown.summary
        assert "Hands in play: 1 (on average 4.00 bid, 1.00 taken so far)." in shown.summary
        by_bid, _by_table = numbers(a_game(table))
        assert by_bid.rows == (
            ("1", "1", "2.0", "0", "–"),
            ("3", "2", "1.5", "0", "–"),
            ("4", "0", "–", "1", "1.0"),
        )

    def test_before_a_round_is_over(self) -> None:
        shown = tile(a_game(a_table(playing=hands((4, 1)))), "bids")
        assert (shown.claim, shown.number, shown.is_open) == (
            "No hand is finished yet",
            "",
            True,
        )
        assert tile(a_game(a_table()), "bids").figure is None

    def test_before_a_board_is_over_at_all_tables(self) -> None:
        game = a_game(a_table(tricks=8), a_table(2, tricks=3), is_duplicate=True)
        assert [tile(game, key).claim for key in ("bids", "pace")] == [
            "No hand is finished yet",
            "Seconds a trick (middle half)",
        ]

    def test_where_nobody_bids_there_is_no_chart_of_bids(self) -> None:
        game = a_game(a_table(1), a_table(2), has_bids=False)
        assert [each.key for each in tiles(game)] == ["tables", "pace"]
        assert [each.key for each in tiles(a_game(a_table(), has_bids=False))] == ["pace"]
        assert [table.head[0] for table in numbers(game)] == ["Table"]


class TestTables:
    def test_who_is_a_round_behind_stands_out(self) -> None:
        game = a_game(a_table(1, tricks=20), a_table(2, tricks=12), a_table(3, tricks=21))
        shown = tile(game, "tables")
        assert (shown.claim, shown.number) == (
            "Table 2 is behind",
            "9 tricks from first to last",
        )
        assert shown.stands_out
        (bars,) = present(shown.figure)["data"]
        assert bars["y"] == [2.5, 1.5, 2.625]
        assert bars["marker"]["line"]["width"] == [1, 3, 1]

    def test_together_is_half_a_round_at_most_from_first_to_last(self) -> None:
        near = [a_table(1, tricks=7), a_table(2, tricks=3), a_table(3, tricks=5)]
        for is_duplicate in (False, True):
            together, apart = (
                tile(a_game(*tables, is_duplicate=is_duplicate), "tables")
                for tables in (near, [*near[:2], a_table(3, tricks=8)])
            )
            assert (together.claim, together.stands_out) == ("Tables keep together", False)
            assert (apart.claim, apart.stands_out) == ("Table 2 is behind", True)

    def test_far_from_each_other_though_none_is_from_the_middle(self) -> None:
        game = a_game(*(a_table(n, tricks=tricks) for n, tricks in enumerate((3, 6, 0), 1)))
        assert tile(game, "tables").claim == "Table 3 is behind"

    def test_where_most_are_behind_the_others_are_ahead(self) -> None:
        tables = [a_table(n, tricks=8 if n > 4 else 2) for n in range(1, 7)]
        shown = tile(a_game(*tables, is_duplicate=True), "tables")
        assert (shown.claim, shown.stands_out) == ("2 tables are ahead", False)

    def test_a_closed_table_is_shown_once_no_other_plays_and_never_behind(self) -> None:
        over, closed = a_table(1, tricks=32), a_table(3, tricks=12, closed=True)
        game = a_game(over, a_table(2, tricks=30), closed)
        assert tile(game, "tables").number == "2 tricks from first to last"
        also_closed = replace(over, closed=True)
        for others in ((over, a_table(2, tricks=32)), (over,), (also_closed, also_closed)):
            shown = tile(a_game(*others, closed), "tables")
            assert (shown.claim, shown.number, shown.stands_out) == (
                "How far the tables are",
                "20 tricks from first to last",
                False,
            )
        near = replace(closed, tricks=31)
        assert tile(a_game(over, near), "tables").claim == "Tables keep together"

    def test_several_are_counted(self) -> None:
        tables = [a_table(n, tricks=30 if n > 2 else 3) for n in range(1, 8)]
        assert tile(a_game(*tables), "tables").claim == "2 tables are behind"


class TestPace:
    def test_median_and_quartiles(self) -> None:
        game = a_game(a_table(1, seconds=(10.0, 20.0, 30.0, 40.0, 50.0)), a_table(2))
        shown = tile(game, "pace")
        assert shown.number == "30 seconds a trick"
        assert "The middle half of all tricks took 20–40 seconds each." in shown.summary
        spans, dots = present(shown.figure)["data"]
        assert spans["error_y"]["array"] == [10.0]
        assert (dots["x"], dots["y"]) == (["1"], [30.0])
        (_by_bid, by_table) = numbers(game)
        assert by_table.rows == (("1", "0.0", "30 (20–40)"), ("2", "0.0", "–"))

    def test_a_slow_table_is_named_after_a_round_of_tricks(self) -> None:
        others = [a_table(n, seconds=(10.0,) * 8) for n in (1, 2)]
        assert tile(a_game(*others, a_table(3, seconds=(15.0,) * 7)), "pace").claim == (
            "No table is slow"
        )
        shown = tile(a_game(*others, a_table(3, seconds=(15.0,) * 8)), "pace")
        assert (shown.claim, shown.stands_out) == ("Table 3 is slow", True)

    def test_before_a_trick_is_over(self) -> None:
        assert tile(a_game(a_table()), "pace").claim == "Seconds a trick (middle half)"


@pytest.mark.django_db
class TestRead:
    """What is read of a game, worked out again from its moves by other rules."""

    @pytest.mark.parametrize("variant", ["bid", "win"])
    def test_from_the_moves(self, variant: str) -> None:
        session, _students = playing(9, variant=variant, filling="uneven")
        finish_round(session, Random(5))
        steering.deal_next_round(session_id=session.pk)
        for n, table in enumerate(tables_of(session)):
            play_by_students(table.id, moves_made(9 + 6 * n))
        spread_out(session)
        game = game_in_play(session.pk)
        assert {len(table.seats) for table in tables_of(session)} == {4, 5}
        for table, read in zip(tables_of(session), game.tables, strict=True):
            first, second = Deal.objects.filter(table=table.id).order_by("round")
            over, running = Again(first), Again(second)
            assert read.tricks == HAND_SIZE + running.tricks
            assert read.seconds == (*over.seconds, *running.seconds)
            if variant == "win":
                assert (read.played, read.playing, game.has_bids) == ((), (), False)
                continue
            assert sorted(read.played) == sorted(over.hands)
            assert sorted(read.playing) == sorted(running.hands)

    def test_bots_are_not_counted(self) -> None:
        session, _students = playing(2)
        finish_round(session)
        (table,) = game_in_play(session.pk).tables
        assert len(table.played) == 2
        steering.deal_next_round(session_id=session.pk)
        play_by_students(tables_of(session)[0].id, moves_made(8))
        (table,) = game_in_play(session.pk).tables
        assert len(table.playing) == 2

    def test_of_a_table_that_was_closed_the_rounds_over_count(self) -> None:
        session, _students = playing(8)
        finish_round(session)
        steering.deal_next_round(session_id=session.pk)
        play_by_students(tables_of(session)[0].id, moves_made(8))
        before = game_in_play(session.pk).tables
        closing.close_session(session_id=session.pk)
        after = game_in_play(session.pk).tables
        assert [len(table.played) for table in after] == [4, 4]
        assert [table.tricks for table in after] == [table.tricks for table in before]
        assert not any(table.playing for table in after)

    def test_queries_do_not_grow_with_the_class(self) -> None:
        counts = []
        for students in (4, 40):
            session, _students = playing(students)
            finish_round(session)
            game_in_play(session.pk)
            with CaptureQueriesContext(connection) as asked:
                game_in_play(session.pk)
            counts.append(len(asked))
        assert counts == [5, 5]

    def test_no_query_reads_a_hand(self) -> None:
        session, _students = playing(4)
        finish_round(session)
        game_in_play(session.pk)
        with CaptureQueriesContext(connection) as asked:
            game_in_play(session.pk)
        assert not [query for query in asked if '"hands"' in query["sql"]]


@pytest.mark.django_db
class TestSecrets:
    def test_of_a_board_that_is_played_only_how_far_tables_are(self) -> None:
        session, _students = playing(12, duplicate=True)
        tables = [table.id for table in tables_of(session)]
        play_by_students(tables[0])
        play_by_students(tables[1], moves_made(20))
        before = shown_to_the_teacher(session)
        game = game_in_play(session.pk)
        assert [table.tricks for table in game.tables] == [8, 4, 0]
        assert not any(each.played or each.playing or each.seconds for each in game.tables)
        play_otherwise(session)
        assert shown_to_the_teacher(session) == before
        for table_id in tables[1:]:
            play_by_students(table_id)
        game = game_in_play(session.pk)
        assert [len(table.played) for table in game.tables] == [4, 4, 4]
        assert [len(table.seconds) for table in game.tables] == [8, 8, 8]
        assert shown_to_the_teacher(session) != before

    def test_of_an_experiment_nothing_before_its_end(self) -> None:
        session, _students = playing(8, seats=2, duplicate=True, experiment="tips")
        before = shown_to_the_teacher(session)
        assert "An experiment is running" in before
        finish_round(session, Random(1))
        assert shown_to_the_teacher(session) == before
        next_board(session_id=session.pk, by_teacher=True)
        finish_round(session, Random(2))
        assert "An experiment is running" not in shown_to_the_teacher(session)
        assert "Hands finished" in shown_to_the_teacher(session)

    def test_an_earlier_experiment_hides_nothing_of_the_present_game(self) -> None:
        session, _students = playing(8, seats=2, duplicate=True, experiment="tips", rounds=1)
        finish_round(session, Random(1))
        wishes = session.settings
        wishes.experiment = ""
        wishes.save()
        steering.next_game(session_id=session.pk, reseat=False)
        assert Table.objects.exclude(treatment="").exists()
        assert not game_in_play(session.pk).is_experiment

    def test_neither_wall_nor_student_is_led_there(self) -> None:
        session, _students = playing(4)
        teacher = signed_in(a_teacher())
        at = f"/teach/sessions/{session.pk}/"
        assert f"{at}in-play/" in teacher.get(at).text
        assert "in-play" not in teacher.get(f"{at}projector/").text


@pytest.mark.django_db
def test_before_cards_are_dealt_it_says_so() -> None:
    session = a_session()
    students_in(session, 4)
    assert "No cards have been dealt yet." in shown_to_the_teacher(session)


def shown_to_the_teacher(session: ClassSession) -> str:
    path = f"/teach/sessions/{session.pk}/in-play/"
    return signed_in(a_teacher()).get(path, headers={"HX-Request": "true"}).text


def play_otherwise(session: ClassSession) -> None:
    """Everything that was bid, taken and timed becomes something else."""
    for result in Result.objects.all():
        changed = {"bid": (result.bid or 0) + 1, "taken": (result.taken + 3) % 9}
        Result.objects.filter(pk=result.pk).update(**changed)
    spread_out(session)


def spread_out(session: ClassSession) -> None:
    """Each move comes some seconds after the one before, never as many as the last time."""
    rng = Random(7)
    for deal in Deal.objects.filter(table__class_session=session):
        when = deal.created
        for move in Move.objects.filter(deal=deal).order_by("number"):
            when += timedelta(seconds=rng.randint(1, 20))
            Move.objects.filter(pk=move.pk).update(made=when)


class Again:
    """A deal's tricks, people's hands and seconds, by the naive rules."""

    def __init__(self, deal: Deal) -> None:
        naive = NaiveRound(deal.table.variant, deal.hands, deal.dealer)
        ends = [deal.created]
        for move in Move.objects.filter(deal=deal).order_by("number"):
            was_bidding, done = naive.bidding(), len(naive.finished)
            naive.make(move.text)
            if was_bidding:
                ends = [move.made]
            elif len(naive.finished) > done:
                ends.append(move.made)
        self.seconds = [(end - begin).total_seconds() for begin, end in pairwise(ends)]
        self.tricks = len(naive.finished)
        people = deal.table.seat_set.filter(student__isnull=False)
        self.hands = [
            HandPlayed(deal.round, naive.bids[seat] or 0, naive.taken()[seat])
            for seat in people.values_list("number", flat=True)
        ]
