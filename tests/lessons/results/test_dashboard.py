"""The first screen of a session's results: what each tile claims is what the data say, and no
more than luck lets be said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from games.classes.closing import close_session
from lessons import charts
from lessons.exercises import EXERCISES
from lessons.exercises.skills import Misconception, Skill
from lessons.measures.panels import Panel, PanelKind, Section, hidden_notice
from lessons.results import news
from lessons.results.bids import bid_panels, bidding, forecast_panels
from lessons.results.dataset import Dataset, LedTrick, dataset_of_session
from lessons.results.learned import learning_panels
from lessons.results.learned.learning import Attempt, Learning
from lessons.results.news import settings_of, share_token
from lessons.results.points import boards, point_panels
from lessons.results.session import session_panels
from lessons.results.session.advice import Advice
from lessons.results.session.dashboard import FLAGGED, MOST, dashboard
from lessons.results.session.learned_tiles import Onward
from lessons.results.session.wall import SCREENS, Slide, first_of, slides
from lessons.results.tiles import Tile
from lessons.results.words import percent
from tests.games.classroom import a_session, playing, signed_in
from tests.lessons.results.fair_classes import Kind, a_class
from tests.scenes import present
from tests.scenes.by_students import finish_round
from tests.scenes.results import SLIP, Bids, answered, bids_played, generated, page_of
from xactika_site.classrooms.models import ClassSession


def tile_if_any(
    key: str, data: Dataset, learning: Learning | None = None, **at: object
) -> Tile | None:
    tiles = dashboard(data, learning or Learning((), {}), is_final=True, **at)  # type: ignore[arg-type]
    return next((each for each in tiles if each.key == key), None)


def tile(key: str, data: Dataset, learning: Learning | None = None, **at: object) -> Tile:
    return present(tile_if_any(key, data, learning, **at))


def seen_by_all(session: ClassSession) -> Iterator[str]:
    """A session's results as more than its teacher sees them: on the wall, by the link."""
    news.share(session=session, on=True)
    browser = signed_in(session.classroom.teachers.get())
    link = share_token(settings_of(session))
    for address in (f"/teach/sessions/{session.pk}/results/wall/", f"/results/{link}/"):
        yield browser.get(address).text


def learned(students: Sequence[Sequence[bool]], code: str = "") -> Learning:
    """What each student's questions came to, right or wrong at once; wrong ones by ``code``."""
    attempts = [
        Attempt(
            100 * student + n,
            "deck-size",
            student,
            0,
            right,
            () if right else (code,) * bool(code),
        )
        for student, own in enumerate(students)
        for n, right in enumerate(own)
    ]
    return Learning(tuple(attempts), {n: f"S{n}" for n in range(len(students))})


class TestBids:
    @pytest.mark.parametrize(
        ("bids", "claim", "stands_out"),
        [
            ([(3, 2), (4, 3)], "Bids too high", True),
            ([(1, 2), (2, 3)], "Bids too low", True),
            ([(2, 2), (3, 3)], "Bids: not clearly too high or low", False),
        ],
    )  # fmt: skip
    def test_they_are_said_to_be_off_where_the_interval_says_so(
        self, bids: Bids, claim: str, stands_out: bool
    ) -> None:
        found = tile("bids", bids_played([[bids] * 8] * 12))
        assert (found.claim, found.stands_out) == (claim, stands_out)

    def test_luck_may_do_what_two_tables_did(self) -> None:
        facts = bids_played([[[(3, 2), (4, 4)]], [[(1, 2), (4, 2)]]])
        interval = present(bidding.bias_interval(facts))
        assert interval[0] < 0 < interval[1]
        found = tile("bids", facts)
        assert found.claim == "Bids: not clearly too high or low"
        assert found.number == "+0.5 tricks a bid"

    def test_of_one_table_nothing_is_judged(self) -> None:
        found = tile("bids", bids_played([[[(3, 1), (4, 2)]] * 4]))
        assert (found.claim, found.stands_out) == ("Bids: too little data to judge", False)
        assert found.note.endswith("0 of 8 bids right.")
        assert not [s for s in present(found.figure)["layout"]["shapes"] if "fillcolor" in s]

    def test_the_interval_is_a_strip_over_the_bars(self) -> None:
        facts = bids_played([[[(3, 2), (4, 3)]] * 8] * 12)
        found = tile("bids", facts)
        assert found.figure
        (strip,) = [s for s in found.figure["layout"]["shapes"] if "fillcolor" in s]
        assert (strip["x0"], strip["x1"]) == bidding.bias_interval(facts)
        assert strip["name"] == "margin (95%)"  # said on the wall
        bars, _zero, tables, name, mean = found.figure["data"]
        assert strip["legend"] == found.band == "margin"  # the page says once what is grey
        assert strip["y0"] > max(bars["y"])
        assert tables["x"] == [1.0] * 12
        assert mean["x"] == [1.0]
        assert (name["x"], name["text"]) == ([strip["x1"]], ["Our mean"])
        low, high = found.figure["layout"]["xaxis"]["range"]
        assert (high - strip["x1"]) / (high - low) >= 0.3  # its name has room
        assert mean["marker"]["symbol"] == ["diamond"]  # not by its colour alone
        assert dict(zip(bars["x"], bars["y"], strict=True)) == {0: 0, 1: 192}

    def test_the_round_that_went_worst_is_named_unless_boards_are(self) -> None:
        rounds = [[[(3, 3), (4, 4)], [(3, 2), (4, 4)], [(3, 3), (4, 4)]]] * 3
        found, by_board = (
            tile("bids", bids_played(rounds)),
            tile("bids", bids_played(rounds, duplicate=True)),
        )
        assert "15 of 18 bids right. Weakest round: 2 (50% right)." in found.note
        assert by_board.note.endswith("15 of 18 bids right.")

    def test_no_round_is_named_where_two_went_as_badly(self) -> None:
        found = tile("bids", bids_played([[[(3, 2), (4, 4)]] * 2] * 3))
        assert found.note.endswith("6 of 12 bids right.")

    def test_the_hook_is_asked_about(self) -> None:
        found = tile("bids", bids_played([[[(3, 2), (4, 3)]]]))
        assert found.ask.startswith("Why can at most 1 of 2 bids be right?")


class TestHelp:
    def test_whoever_had_fewer_than_half_of_four_needs_it(self) -> None:
        ask = [False, False, False, True]
        found = tile(
            "help", bids_played([]), learned([ask, ask[::-1], [True] * 5, [False] * 3])
        )
        assert (found.claim, found.number) == ("Need help in this session", "2 of 4 students")
        assert found.stands_out
        needy, few, others = present(found.figure)["data"]
        assert (needy["y"], needy["marker"]["symbol"]) == ([0.25, 0.25], "diamond")
        assert few["y"] == [0.0]  # three wrong ones are too few to say so
        assert others["y"] == [1.0]
        assert [*few["x"], *needy["x"], *others["x"]] == [1, 2, 3, 4]  # from least to most
        names = [dots["name"] for dots in (needy, few, others)]
        assert names == ["under half", "fewer than 4 questions", ""]

    def test_where_nobody_does_it_does_not_stand_out(self) -> None:
        found = tile("help", bids_played([]), learned([[True] * 4] * 3))
        assert (found.claim, found.stands_out) == ("Nobody needs help so far", False)

    def test_it_has_the_pages_names_and_is_on_no_screen_that_others_see(self) -> None:
        learning = learned([[False] * 4] * 2 + [[True] * 4] * 4)
        found = tile("help", bids_played([]), learning, names={0: "Student 7", 1: "Student 9"})
        assert found.leads == [
            ("Student 7", "/teach/students/0/results/"),
            ("Student 9", "/teach/students/1/results/"),
        ]
        assert "Student 9 (0 of 4)" in found.summary
        assert "S1" not in str(found)
        assert tile_if_any("help", bids_played([]), learning, names=None) is None


COMMONEST = f"Mistake: “{Misconception(SLIP).title}”"


class TestMistake:
    def test_the_commonest_is_named_with_how_many_made_it(self) -> None:
        found = tile("mistake", bids_played([]), learned([[False]] * 6 + [[True]] * 2, SLIP))
        assert (found.claim, found.number) == (COMMONEST, "6 of 8 students")
        assert found.stands_out
        for bars in present(found.figure)["data"]:  # each bar has its name
            assert bars["y"] == [Misconception(SLIP).title]

    def test_what_was_overcome_does_not_stand_out(self) -> None:
        found = tile("mistake", bids_played([]), learned([[False, True]] * 6, SLIP))
        assert not found.stands_out
        made, still_open = present(found.figure)["data"]
        assert (made["x"], still_open["x"]) == ([6], [0])
        assert made["text"] == ["0 of 6 not overcome"]

    def test_without_one_it_says_so(self) -> None:
        found = tile("mistake", bids_played([]), learned([[True]]))
        assert (found.number, found.figure) == ("0", None)


class TestBoards:
    def board_facts(self, worst: int, tables: int = 10) -> Dataset:
        made, missed = [(2, 2), (2, 2)], [(2, 1), (3, 1)]
        rounds = [missed if n == worst else made for n in range(1, 6)]
        return bids_played([rounds] * tables, duplicate=True)

    def test_the_one_on_which_fewest_bids_came_true_is_named(self) -> None:
        found = tile("board", self.board_facts(worst=4))
        assert (found.claim, found.number) == ("Board 4 went worst", "0% of bids right")
        assert found.stands_out
        bars = present(found.figure)["data"][0]
        assert bars["marker"]["line"]["width"] == [1, 1, 1, 3, 1]
        assert bars["y"] == [1, 1, 1, 0, 1]

    def test_where_all_went_alike_none_is(self) -> None:
        found = tile("board", self.board_facts(worst=0))
        assert (found.claim, found.stands_out) == ("No board stands out", False)

    @pytest.mark.parametrize(("of", "missed"), [(2, 2), (2, 0), (6, 3)])
    def test_none_is_marked_where_none_stands_out(self, of: int, missed: int) -> None:
        """What the tile says then is of all boards: its bids, and how many were right."""
        rounds = [[(2, 1 if n < missed else 2), (2, 2)] for n in range(of)]
        found = tile("board", bids_played([rounds] * 10, duplicate=True))
        assert (found.claim, found.stands_out) == ("No board stands out", False)
        assert present(found.figure)["data"][0]["marker"]["line"]["width"] == 1
        assert found.number == f"{100 - 50 * missed // of}% of bids right"
        assert found.note == f"Hands played: {20 * of} · Students: 20."

    def test_luck_is_seldom_said_to_be_more(self) -> None:
        """Bids come true by a coin's toss, whatever the board."""
        rng = np.random.default_rng(1)
        said = 0
        for _class in range(200):
            hits = rng.random((8, 6, 4)) < 0.4
            facts = bids_played(
                [
                    [[(2, 2 if hit else 1) for hit in seats] for seats in rounds]
                    for rounds in hits.tolist()
                ],
                duplicate=True,
            )
            said += boards.worst_p_value(facts) < 0.05
        assert said <= 18  # 10 expected

    def test_of_few_students_a_shared_screen_shows_none(self) -> None:
        assert tile_if_any("board", self.board_facts(4, tables=2), names=None) is None
        assert tile("board", self.board_facts(4, tables=3), names=None)


@pytest.mark.django_db
class TestWhereTheyLead:
    def test_the_worst_boards_are_counted_and_each_leads_to_itself(self) -> None:
        session, _people = generated(7, students=9, seats=3, rounds=4, duplicate=True)
        data = dataset_of_session(session)
        found = tile("board", data)
        assert found.claim == "Board 2 or 3 went worst"
        counted = [row for row in data.rounds if row.deal.board in {2, 3}]
        students = len({row.student for row in counted})
        assert found.note == f"Hands played: {len(counted)} · Students: {students}."
        assert [lead.words for lead in found.leads] == ["Board 2", "Board 3"]
        teacher = signed_in(session.classroom.teachers.get())
        for lead in found.leads:
            assert f"<h1>{lead.words}</h1>" in teacher.get(lead.page).text
        told = point_panels.same_hand(data).summary
        assert re.match(r"Weakest board: 2 or 3 \(\d+% right\)\. Board [23], ", told)
        shared = tile_if_any("board", data, names=None)
        assert shared is None or not shared.leads

    def test_the_table_with_fewest_bids_right_leads_to_its_replay(self) -> None:
        session, _people = generated(3, students=6, seats=3, rounds=2)
        data = dataset_of_session(session)
        found, tables = tile("bids", data), bid_panels.table_bids(data)
        (table,) = bid_panels.weakest_tables(tables)
        assert found
        (lead,) = found.leads
        deal = present(bid_panels.hardest_round(data, table))
        assert (deal.game, deal.number) == table
        assert lead.words == f"Table {table[1]}: replay"
        assert lead.page.endswith(f"/replay/{deal.round}/")
        assert signed_in(session.classroom.teachers.get()).get(lead.page).status_code == 302
        made = {
            each.round: [row.bid == row.taken for row in data.rounds if row.deal.pk == each.pk]
            for each in data.deals
            if each.number == deal.number
        }
        assert sum(made[deal.round]) == min(map(sum, made.values()))
        shared = tile_if_any("bids", data, names=None)
        assert shared is None or not shared.leads


def test_misses_in_both_directions_cancel_nowhere() -> None:
    """A table that bids too high as often as too low comes before one that is a trick off."""
    facts = bids_played([[[(4, 1), (1, 4)]] * 2, [[(3, 2), (2, 2)]] * 2])
    found = tile("bids", facts)
    assert found.note.endswith("Weakest table: 1 (0% right).")
    panel = bid_panels.by_table(facts)
    assert panel.summary == "Weakest table: 1 (0% right)."
    assert [row[-1] for row in present(panel.grid).rows] == [0, Fraction(1, 2)]
    even = bids_played([[[(3, 2), (2, 2)]]] * 3)
    assert bid_panels.by_table(even).summary == "No table stands out."


def test_a_tournament_in_the_same_session_leads_nowhere() -> None:
    """Its tables are left out, though they have the same numbers, and bid worse."""
    facts = bids_played([[[(2, 2), (1, 1)]], [[(3, 2), (2, 1)], [(2, 2), (3, 2)]]])
    contest = bids_played([[[(2, 2), (1, 1)]], [[(8, 0), (7, 0)]]])
    deals = [
        deal._replace(pk=10 + deal.pk, table=f"c{deal.number}", game=2, tournament=True)
        for deal in contest.deals
    ]
    seats = [row._replace(deal=deals[row.deal.pk]) for row in contest.seats]
    both = replace(
        facts,
        deals=(*facts.deals, *deals),
        seats=(*facts.seats, *seats),
        tricks=tuple(LedTrick(deal.pk, 0, None, None, True) for deal in (*facts.deals, *deals)),
    )
    found = tile("bids", both)
    (lead,) = found.leads
    assert (lead.words, lead.page) == ("Table 2: replay", "/tables/t1/replay/1/")


def test_where_nobody_wants_a_trick_the_tip_is_left_out() -> None:
    facts = bids_played([[[(2, 2), (1, 1)]] * 2] * 2)
    assert tile("tip", facts)
    deals = [deal._replace(variant="lose") for deal in facts.deals]
    rounds = [
        each._replace(deal=deals[each.deal.pk], bid=None, points=-each.taken)
        for each in facts.seats
    ]
    assert tile_if_any("tip", replace(facts, deals=tuple(deals), seats=tuple(rounds))) is None
    both = replace(facts, seats=(*facts.seats, *rounds))
    assert bidding.tip_pairs(both) == bidding.tip_pairs(facts)


def test_tables_side_by_side_are_for_the_teacher_alone() -> None:
    facts = bids_played([[[(2, 2), (1, 1)]], [[(4, 2), (3, 1)]], [[(1, 2), (2, 2)]]])
    found, shared_tile = tile("bids", facts), tile("bids", facts, names=None)
    assert found.figure
    assert shared_tile.figure
    assert found.note.endswith("Weakest table: 2 (0% right).")
    assert "table" not in shared_tile.note
    bars, zero, tables, *mean = found.figure["data"]
    assert [*tables["x"]] == [0.0, 2.0, -0.5]
    assert tables["name"] == "Tables"
    assert shared_tile.figure["data"] == [bars, zero, *mean]
    panel = bid_panels.by_table(facts)
    assert [row[0] for row in present(panel.grid).rows] == ["1", "2", "3"]
    shared = session_panels.panels(facts, name=str, is_shared=True)
    assert "tables" not in {panel.key for panel in shared}


def test_forecasts_are_said_to_be_too_sure_where_a_dot_is_outside_its_stroke() -> None:
    sure = a_class(Kind(4, 8, False, "too sure", students=(40, 40)), np.random.default_rng(2))
    found = tile("sure", sure)
    off = present(bidding.farthest_off(bidding.calibration_bins(sure, alpha=0.05 / 3)))
    assert (found.claim, found.stands_out) == ("Forecasts too sure", True)
    assert found.number == f"said {percent(off.mean)}, came true {percent(off.share_true)}"
    assert "diamond" in present(found.figure)["data"][2]["marker"]["symbol"]
    few = replace(sure, seats=sure.seats[:8])
    drawn = present(forecast_panels.forecasts(few).figure)["data"]
    counts = [int(text) for trace in drawn for text in trace.get("text", ()) if text]
    assert f"Chances said: {sum(counts)}" in forecast_panels.forecasts(few).basis
    fair = a_class(Kind(4, 8, False, students=(40, 40)), np.random.default_rng(2))
    found = tile("sure", fair)
    assert "about right" in found.claim or "no clear gap" in found.claim
    assert not found.stands_out


@pytest.mark.parametrize(
    ("ends", "said", "true", "claim"),
    [
        ((25, 50), 0.3, 0.2, "Forecasts too sure"),
        ((25, 50), 0.3, 0.4, "Forecasts not sure enough"),
        ((1, 10), 0.05, 0.15, "Unlikely things happened too often"),
        ((10, 25), 0.2, 0.1, "Unlikely things happened too rarely"),
    ],
)
def test_a_claim_on_forecasts_says_which_way_they_were_off(
    ends: tuple[int, int], said: float, true: float, claim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    off = bidding.CalibrationBin(99, Fraction(said), Fraction(true), *ends, 0.02)
    monkeypatch.setattr(bidding, "farthest_off", lambda groups: off)
    found = tile("sure", a_class(Kind(4, 8, False), np.random.default_rng(2)))
    assert found.claim == claim


class TestOrder:
    def test_what_stands_out_comes_first_then_the_order_of_the_questions(self) -> None:
        facts = bids_played([[[(2, 2), (3, 3)]] * 8] * 12)
        tiles = dashboard(facts, learned([[False] * 4] * 6, SLIP), is_final=True)
        flags = [each.stands_out for each in tiles]
        assert flags == [True] * FLAGGED + [False] * (len(tiles) - FLAGGED)
        quiet = [each.key for each in tiles if not each.stands_out]
        assert quiet.index("bids") < quiet.index("tip")

    @pytest.mark.parametrize("lesson", [EXERCISES["deck-size"].lesson, 0])
    def test_of_more_than_most_what_to_teach_next_is_kept(self, lesson: int) -> None:
        """With a chart of what it treats, or none; no link leads from what is left out."""
        facts = a_class(Kind(4, 8, True, students=(40, 40)), np.random.default_rng(1))
        learning = learned([[False] * 4] * 6, SLIP)
        onward = Onward(Advice(lesson, "Teach this next", "/lessons/", "Why."), classroom=1)
        tiles = dashboard(facts, learning, onward=onward, is_final=True)
        pages = [lead.page for each in tiles for lead in each.leads]
        assert len(pages) == len(set(pages)) > 1
        assert len({each.key for each in tiles}) == len(tiles) == MOST
        (advised,) = (each for each in tiles if each.key == "next")
        assert bool(advised.figure) is bool(lesson)
        # What is hidden, as too few stand behind it, is said, too.
        panels = [Panel("bias", "Bids", hidden_notice())]
        tiles = dashboard(facts, learning, panels=panels, onward=onward, is_final=True)
        assert len(tiles) == MOST
        assert {"next", "few"} <= {each.key for each in tiles}

    def test_the_lesson_to_teach_leads_to_it_and_marks_its_bar(self) -> None:
        learning = learned([[False]] * 3, SLIP)
        (mistake,) = learning.misconceptions
        number = mistake.lessons[0]
        advice = Advice(number, f"Teach lesson {number} next", "/there/", "Why.")
        found = tile("next", bids_played([]), learning, onward=Onward(advice))
        assert (found.address, found.summary) == ("/there/", "Why.")
        assert present(found.figure)["data"][0]["x"] == [3]
        elsewhere = replace(advice, lesson=number + 1)
        found = tile("next", bids_played([]), learning, onward=Onward(elsewhere))
        assert found.figure is None
        assert found.note.endswith("Why.")
        bids = replace(elsewhere, errors=bidding.errors_of({-1: 2, 0: 3, 2: 4, 3: 1}))
        found = tile("next", bids_played([]), learning, onward=Onward(bids))
        assert present(found.figure)["data"][0]["x"] == [2, 3, 5]
        assert "leaves" in found.look


def asked(answers: list[tuple[str, bool]]) -> Learning:
    """Of each exercise whether one more student had it right first time."""
    attempts = [Attempt(n, key, n, 0, right, ()) for n, (key, right) in enumerate(answers)]
    return Learning(tuple(attempts), {n: f"S{n}" for n in range(len(answers))})


class TestLeads:
    """By one press to what a tile is about."""

    ONWARD = Onward(classroom=3, session=5)

    def test_the_commonest_mistake_leads_to_what_treats_it(self) -> None:
        learning = learned([[False]] * 6, SLIP)
        found = tile("mistake", bids_played([]), learning, onward=self.ONWARD)
        lesson, homework = found.leads
        exercise = EXERCISES["deck-size"]
        assert lesson.words == f"Lesson {exercise.lesson}"
        assert lesson.page.endswith("/teacher/?session=5")
        assert homework.page == f"/teach/classrooms/3/homework/?skill={exercise.skill.value}"

    def test_the_weakest_skill_leads_to_the_lesson_of_its_worst_exercise(self) -> None:
        first, *same = (e for e in EXERCISES.values() if e.skill is Skill.COMBINING)
        worst = next(each for each in same if each.lesson != first.lesson)
        wrong, right = [(worst.key, False)] * 3, [(first.key, True), ("deck-size", True)]
        few, found = (
            tile("skills", bids_played([]), asked(answers), onward=self.ONWARD)
            for answers in ([*wrong[1:], *right], [*wrong, *right])
        )
        assert few.claim == "Right first time", "of three no skill is weakest"
        assert found.claim == f"Weakest: “{Skill.COMBINING.title}”"
        (bars,) = present(learning_panels.skills(asked([*wrong, *right])).figure)["data"]
        assert bars["marker"]["color"].index(charts.MARKED) == len(bars["y"]) - 1, "on top"
        lesson, homework = found.leads
        assert lesson.words == f"Lesson {worst.lesson}"
        assert homework.page.endswith("?skill=combining")

    def test_homework_is_filled_in_with_the_skill(self, db: None) -> None:
        session, _people = playing(3, seats=3, rounds=1)
        room = session.classroom
        page = signed_in(room.teachers.get()).get(
            f"/teach/classrooms/{room.pk}/homework/?skill=spread"
        )
        form = page.context["form"]
        assert (form["skill"].value(), form["questions"].value()) == ("spread", 5)

    def test_on_a_screen_that_others_see_none_leads_on(self, db: None) -> None:
        session, people = playing(6, seats=3, rounds=1)
        finish_round(session)
        for student in people:
            for _n in range(4):
                answered(session, student, "deck-size", SLIP)
        assert 'class="leads"' in page_of(session)
        for html in seen_by_all(session):
            assert "Bids too high" in html
            assert 'class="leads"' not in html

    def test_the_session_s_page_names_who_needs_help_over_all_sessions(self, db: None) -> None:
        session, people = generated(3, students=6, seats=3, rounds=1)
        for student in people:
            for _n in range(4):
                answered(session, student, "deck-size", SLIP)
        assert "All work so far" not in page_of(session)  # it is the only one
        close_session(session_id=session.pk)
        later = a_session(session.classroom)
        answered(later, people[0], "deck-size", SLIP)
        html = page_of(later)
        page = f"/teach/classrooms/{session.classroom_id}/results/#matrix"
        assert f'<a href="{page}">All work so far: 6 of 6 need help</a>' in html


class TestPermitted:
    def test_what_is_hidden_on_the_page_is_hidden_here(self) -> None:
        facts = bids_played([[[(3, 2), (4, 3)]] * 2])
        shared = session_panels.panels(facts, name=str, is_shared=True)
        tiles = dashboard(facts, Learning((), {}), (), shared, names=None, is_final=True)
        assert [each.key for each in tiles] == ["chance", "few"]
        assert "need 5 students" in tiles[-1].claim

    def test_a_tile_speaks_as_its_panel_does(self) -> None:
        facts = bids_played([[[(3, 2), (4, 3)]] * 2] * 3)
        panels = session_panels.panels(facts, name=str)
        shown = {panel.key: panel.summary for panel in panels}
        tiles = dashboard(facts, Learning((), {}), (), panels, is_final=True)
        for key in ("bids", "chance", "tip"):
            (found,) = (each for each in tiles if each.key == key)
            assert found.summary == shown[found.panel]

    def test_what_has_no_panel_leads_nowhere(self) -> None:
        found = tile("bids", bids_played([[[(3, 2), (4, 3)]] * 2] * 3), panels=())
        assert found.address == ""


class TestWall:
    def test_a_tiles_chart_comes_first_with_its_claim_and_its_question(self) -> None:
        facts = bids_played([[[(3, 2), (4, 3)]] * 8] * 12)
        panels = session_panels.panels(facts, name=str, is_shared=True)
        tiles = dashboard(facts, Learning((), {}), (), panels, names=None, is_final=True)
        found = slides(tiles, [Section("bid", "How we bid", panels)])
        assert [slide.panel.key for slide in found[: len(tiles)]] == [t.panel for t in tiles]
        assert found[0].panel.title == "Bids too high: +1.0 tricks a bid"
        assert found[0].ask == tiles[0].ask
        assert found[0].panel.figure
        others = found[len(tiles) :]
        assert not any(slide.is_claimed or slide.ask for slide in others)
        filled = {panel.key for panel in panels if not panel.is_empty}
        assert {slide.panel.key for slide in found} == filled

    def test_of_a_table_the_tiles_chart_is_shown_and_then_the_table(self) -> None:
        learning = learned([[False]] * 6, SLIP)
        panel = learning_panels.misconceptions(learning)
        tiles = dashboard(bids_played([]), learning, (), [panel], names=None, is_final=True)
        found = slides(tiles, [Section("learned", "What we learnt", [panel])])
        first, second = found
        assert first.is_claimed
        assert first.panel.title == f"{COMMONEST}: 6 of 6 students"
        assert first.panel.figure
        assert "small" not in first.panel.figure["layout"]
        assert first.panel.figure["layout"]["showlegend"]
        assert (second.panel.kind, second.is_claimed) == ("table", False)

    def test_a_class_sees_the_first_pictures_until_more_is_asked_for(self) -> None:
        chart, table = (
            Slide(Panel("a", "", "", kind=k)) for k in (PanelKind.CHART, PanelKind.TABLE)
        )
        assert first_of([chart, table] * SCREENS) == [chart] * SCREENS
        assert first_of([table]) == [table]


@pytest.mark.django_db
class TestPage:
    def test_a_class_of_many_has_its_place(self) -> None:
        """500 students: dots are smaller, and the page still stands."""
        found = tile("help", bids_played([]), learned([[True, False, True, False]] * 500))
        dots = present(found.figure)["data"][0]
        assert len(dots["y"]) == 500
        assert max(dots["marker"]["size"]) == 5

    def test_each_tile_has_its_chart_its_place_to_grow_and_a_link_without_scripts(self) -> None:
        session, people = generated(3, students=9, seats=3, rounds=3, duplicate=True)
        for student in people:
            answered(session, student, "deck-size", SLIP, True)
        html = page_of(session)
        for key, panel in (
            ("bids", "bias"), ("chance", "hands"), ("help", "students"),
            ("mistake", "misconceptions"), ("board", "same-hand"),
        ):  # fmt: skip
            assert f'<a href="#{panel}" id="press-{key}">' in html, key
            assert f'id="grown-{key}" data-panel="{panel}"' in html, key
            assert f'id="{panel}"' in html, panel
            assert f'id="tile-{key}-figure"' in html, key
            browser = signed_in(session.classroom.teachers.get())
            file = browser.get(f"/teach/sessions/{session.pk}/results/{panel}.csv")
            assert file.status_code == 200, panel

    def test_no_number_of_few_students_is_in_a_shared_page(self) -> None:
        session, _people = playing(3, seats=3, rounds=1)
        finish_round(session)
        assert "tile-bids-figure" in page_of(session)
        for html in seen_by_all(session):
            assert "Averages need 5 students" in html
            assert "tile-bids" not in html
            assert "tile-help" not in html


def test_a_small_chart_at_its_usual_size_has_its_labels_back() -> None:
    small = charts.small([charts.bars(["a", "b"], [1, 2], name="n")])
    layout = charts.whole(small)["layout"]
    assert "small" not in layout
    assert "tickvals" not in layout["xaxis"]
    assert layout["showlegend"]
    assert small["layout"]["small"]  # as it was
