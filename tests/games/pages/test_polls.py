"""A turn put to the class: who sees what when, one vote each, choices counted by other code."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import escape

from games import polls
from games.analysis.puzzles import Kind
from games.classes import closing, steering
from games.models import Deal, Move, Poll, Position, Vote
from games.rules import move_text, parse_move
from games.study.look_back.mistakes import CLOSE
from games.study.puzzles import daily
from games.study.puzzles.daily import FIRST, dailies_of
from games.study.puzzles.daily import today as present_day
from games.study.puzzles.words import question as words_of
from games.study.puzzles.words import solution
from games.study.replay.positions import position_at, sight_of
from games.tables.viewers import Browser
from lessons.homework import giving
from lessons.measures.grid import Ratio
from lessons.models import Slip
from lessons.questions import mistakes
from lessons.results.points.asked_panels import poll_panel
from lessons.visits import holding
from tests.games.classroom import a_teacher, device_of, playing, signed_in
from tests.kernel import load_or_skip
from tests.scenes import present
from tests.scenes.homework import play_as_teacher, some_homework
from tests.scenes.results import play_round
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db


class Scene:
    """A class whose tables have played their first round, with a turn put before it."""

    def __init__(self, students: int = 8, *, asks_sureness: bool = False) -> None:
        self.session, self.students = playing(students)
        self.teacher = self.session.classroom.teachers.get()
        for table_id in self.session.tables.values_list("pk", flat=True):
            play_round(table_id, Random(1))
        self.table_id = str(
            self.session.tables.order_by("number").values_list("pk", flat=True)[0]
        )
        self.sight = sight_of(Browser(teacher=self.teacher), self.table_id, 1)
        line = self.sight.line
        self.moment = next(n for n in line.tricks[1:] if polls.may_be_asked(line, n))
        self.asks_sureness = asks_sureness
        self.poll = self.ask()

    def ask(self) -> Poll:
        return polls.ask(
            session=self.session,
            sight=self.sight,
            moment=self.moment,
            asks_sureness=self.asks_sureness,
        )

    def choices(self) -> list[str]:
        return list(polls.question_of(self.poll).choices)

    def sent(self, move: str, sure: str = "") -> dict[str, str]:
        """What the page of its turn sends."""
        return {"poll": str(self.poll.pk), "answer": move, "sure": sure}

    def page(self, student: Student) -> str:
        answer = device_of(student, self.session).get(f"/class/{self.session.pk}/poll/")
        assert answer.status_code == 200
        return answer.content.decode()

    def show(self, stage: Poll.Stage) -> None:
        polls.show(poll=self.poll, stage=stage)
        self.poll.refresh_from_db()


def test_what_is_asked_is_what_the_seat_saw() -> None:
    """Its own cards and no other's, and none that was played later."""
    scene = Scene()
    line, moment = scene.sight.line, scene.moment
    seat = line.moves[moment][0]
    round_ = line.rounds[moment]
    own = {card.code for card in round_.hands[seat]}
    hidden = {card.code for n, hand in enumerate(round_.hands) if n != seat for card in hand}
    page = scene.page(scene.students[0])
    assert all(code in page for code in own)
    assert not [code for code in hidden if code in page]
    legal = {move_text(move) for move in round_.legal_moves()}
    assert set(scene.choices()) == legal
    assert all(seat.name not in page for seat in scene.sight.state.seats)


def test_one_vote_each_and_the_first_one_counts() -> None:
    scene = Scene(asks_sureness=True)
    one, other = scene.choices()[:2]
    student = scene.students[0]
    first = device_of(student, scene.session)
    first.post(f"/class/{scene.session.pk}/poll/", scene.sent(one, "70"))
    second = device_of(student, scene.session, Client())
    second.post(f"/class/{scene.session.pk}/poll/", scene.sent(other, "20"))
    vote = Vote.objects.get()
    assert (vote.move, vote.sure) == (one, 70)


def test_a_vote_is_in_its_students_export_but_not_while_its_board_is_played_again() -> None:
    scene = Scene()
    move, (student, other, *_) = scene.choices()[0], scene.students
    polls.vote(poll=scene.poll, student=student, move=move)

    def exported(of: Student) -> list[str]:
        text = signed_in(scene.teacher).get(f"/teach/students/{of.pk}/answers.jsonl").text
        rows = map(json.loads, text.splitlines())
        return [row["move"] for row in rows if row["kind"] == "vote"]

    assert (exported(student), exported(other)) == ([move], [])
    Deal.objects.filter(table=scene.table_id).update(board=1)
    assert exported(student) == []


def test_nothing_is_told_before_its_time() -> None:
    """While it is asked no page or wall has anybody's choice, or what was played; then the
    choices; what was played and what an expert foresees only in the end."""
    scene = Scene()
    teacher = signed_in(scene.teacher)
    moves = scene.choices()
    for place, student in enumerate(scene.students[:-1]):
        polls.vote(poll=scene.poll, student=student, move=moves[place % 2])
    wall = f"/teach/sessions/{scene.session.pk}/projector/replay/"
    pages = [scene.page(scene.students[-1]), scene.page(scene.students[0])]
    pages.append(teacher.get(wall).content.decode())
    assert "<b>7</b> of 8 have answered" in " ".join(pages[2].split())
    assert not [page for page in pages if "of us" in page or "played</span>" in page]
    scene.show(Poll.Stage.SPREAD)
    pages = [scene.page(scene.students[-1]), teacher.get(wall).content.decode()]
    assert all("4 of us" in page and "played</span>" not in page for page in pages)
    assert "You came too late" in pages[0]
    with pytest.raises(Refused, match="too late"):
        polls.vote(poll=scene.poll, student=scene.students[-1], move=moves[0])
    scene.show(Poll.Stage.TOLD)
    assert "played</span>" in scene.page(scene.students[-1])
    scene.show(Poll.Stage.SPREAD)
    assert scene.poll.stage == Poll.Stage.TOLD  # there is no way back


def test_the_choices_are_counted_by_other_code() -> None:
    load_or_skip()
    scene = Scene()
    rng, moves = Random(4), scene.choices()
    for student in scene.students:
        polls.vote(poll=scene.poll, student=student, move=rng.choice(moves))
    scene.show(Poll.Stage.TOLD)
    question = polls.question_of(scene.poll)
    worths = polls.worths_of(question)
    rows = polls.move_votes(scene.poll, question, worths)
    counts = Counter(Vote.objects.values_list("move", flat=True))
    assert {row.move: row.votes for row in rows if row.votes} == counts
    assert [row.move for row in rows if row.is_played] == [
        scene.sight.line.moves[scene.moment][1]
    ]
    top = max(worths.values(), key=lambda outcome: outcome.expected)
    best = {row.move for row in rows if row.is_good}
    assert [worths[row.move].expected for row in rows if row.is_best] == [top.expected]
    assert move_text(parse_move(next(m for m, o in worths.items() if o is top))) in best
    polls.keep_worths(poll=scene.poll, question=question, worths=worths)
    panel = present(poll_panel(scene.session))
    ((*_where, told, name, share, good, later, foreseen, _played),) = present(panel.grid).rows
    most = max(counts.values())
    commonest = [each for move, each in question.choices.items() if counts[move] == most]
    assert (told, name) == (8, " · ".join(commonest[:2] + ["…"] * (len(commonest) > 2)))
    assert share == max(counts.values()) / 8
    kept = present(scene.poll.worths)
    assert (
        good == sum(kept[move] >= max(kept.values()) - CLOSE for move in counts.elements()) / 8
    )
    assert later is None
    foremost = next(row.name for row in rows if row.is_best)
    assert foreseen == ("the same" if [foremost] == commonest else foremost)
    tally = polls.tally_of(scene.poll, rows)
    assert (tally.votes, tally.here) == (8, 8)
    assert tally.good == sum(counts[move] for move in best)


def test_what_is_tried_again_is_counted_from_five_on() -> None:
    scene = Scene()
    good, bad = scene.choices()[0], scene.choices()[-1]
    for student in scene.students:
        polls.vote(poll=scene.poll, student=student, move=bad)
    scene.show(Poll.Stage.TOLD)
    worths = {move: float(-place) for place, move in enumerate(scene.choices())}
    Poll.objects.filter(pk=scene.poll.pk).update(worths=worths)
    told = []
    for place, student in enumerate(scene.students[:5]):
        kept = Slip.objects.create(
            position=present(scene.poll.position), student=student, worths=worths
        )
        mistakes.try_again(mistake=kept, number=0, text=bad if place < 2 else good)
        mistakes.try_again(mistake=kept, number=1, text=good)
        (row,) = present(present(poll_panel(scene.session)).grid).rows
        told.append(row[-3])
    assert told == [None] * 4 + [Ratio(3, 5)]


def test_the_panel_asks_as_often_of_one_turn_as_of_three() -> None:
    scene, asked = Scene(), []
    line = scene.sight.line
    moments = [n for n in range(line.last) if polls.may_be_asked(line, n)]
    for told, scene.moment in enumerate(moments[:3], start=1):
        scene.poll = scene.ask()
        for student in scene.students:
            polls.vote(poll=scene.poll, student=student, move=scene.choices()[0])
        scene.show(Poll.Stage.TOLD)
        with CaptureQueriesContext(connection) as queries:
            assert len(present(present(poll_panel(scene.session)).grid).rows) == told
        asked.append(len(queries))
    assert asked[0] == asked[2]


def test_of_fewer_than_five_no_choice_is_shown() -> None:
    """Nor how many chose well, nor how sure they are; what was played is told."""
    load_or_skip()
    scene = Scene(4, asks_sureness=True)
    for student in scene.students:
        polls.vote(poll=scene.poll, student=student, move=scene.choices()[0], sure=90)
    for stage in (Poll.Stage.SPREAD, Poll.Stage.TOLD):
        scene.show(stage)
        page = scene.page(scene.students[0])
        assert "Figures are shown from five answers on." in page
        assert not [words for words in ("of us", "chose the best", "% sure") if words in page]
    assert "played</span>" in page


def test_what_ones_own_choice_is_worth_is_told_to_oneself_alone() -> None:
    """Even where the class's choices may not be shown."""
    load_or_skip()
    scene = Scene(4)
    question = polls.question_of(scene.poll)
    worths = polls.worths_of(question)
    best = max(worths, key=lambda move: worths[move].expected)
    own = next(m for m in scene.choices() if m not in {best, question.played})
    polls.vote(poll=scene.poll, student=scene.students[0], move=own)
    mark = '<span class="promise">'
    scene.show(Poll.Stage.SPREAD)
    assert mark not in scene.page(scene.students[0])
    scene.show(Poll.Stage.TOLD)
    steer = signed_in(scene.teacher).get(f"/teach/sessions/{scene.session.pk}/poll/").text
    others = scene.page(scene.students[1])
    assert scene.page(scene.students[0]).count(mark) == others.count(mark) + 1
    assert steer.count(mark) == others.count(mark) == len({best, question.played})


def test_results_tell_equally_common_choices_and_turns_of_few() -> None:
    scene = Scene(8)
    moves = scene.choices()
    names = list(polls.question_of(scene.poll).choices.values())

    def commonest() -> tuple[object, object]:
        ((*_where, name, share, _good, _later, _best, _played),) = present(
            present(poll_panel(scene.session)).grid
        ).rows
        return name, share

    for place, student in enumerate(scene.students[:4]):
        polls.vote(poll=scene.poll, student=student, move=moves[place % 2])
    scene.show(Poll.Stage.TOLD)
    panel = present(poll_panel(scene.session))
    assert (panel.summary, panel.grid) == ("Turns with fewer than 5 answers: 1.", None)
    for place, student in enumerate(scene.students[4:6]):
        Vote.objects.create(poll=scene.poll, student=student, move=moves[place])
    assert commonest() == (f"{names[0]} · {names[1]}", 1 / 2)
    Vote.objects.filter(student__in=scene.students[4:6]).update(move=moves[2])
    assert commonest() == (f"{names[0]} · {names[1]} · …", 1 / 3)


def test_one_is_asked_at_a_time_and_ends_with_its_session() -> None:
    scene = Scene()
    again = scene.ask()
    assert list(Poll.objects.filter(ended=None)) == [again]
    closing.close_session(session_id=scene.session.pk)
    assert polls.open_poll(scene.session.pk) is None
    with pytest.raises(Refused):
        scene.ask()


def test_the_cockpit_leads_to_a_turn_to_ask() -> None:
    session, _ = playing(4)
    browser = signed_in(session.classroom.teachers.get())
    way = f"/teach/sessions/{session.pk}/poll/?new"
    assert f'href="{way}"' in browser.get(f"/teach/sessions/{session.pk}/").content.decode()
    assert browser.get(way).headers["Location"] == "/puzzles/"  # no round is over
    table = session.tables.get().pk
    play_round(table, Random(1))
    assert browser.get(way).headers["Location"] == f"/tables/{table}/replay/1/"
    scene = Scene()
    scene.ask()
    way = f"/teach/sessions/{scene.session.pk}/poll/?new"
    assert signed_in(scene.teacher).get(way).status_code == 200


def test_a_round_in_play_is_never_asked() -> None:
    """Nor a board that another table still plays, nor one of which nobody had a choice."""
    session, _students = playing(8, duplicate=True)
    teacher = session.classroom.teachers.get()
    tables = list(session.tables.order_by("number"))
    play_round(tables[0].pk, Random(1))
    with pytest.raises(NotFound):
        sight_of(Browser(teacher=teacher), tables[0].pk, 1)
    deal = Deal.objects.get(table=tables[0], round=1)
    position = Position.objects.create(deal=deal, moves=5, seat=1)
    poll = Poll.objects.create(class_session=session, position=position)
    with pytest.raises(NotFound):
        polls.question_of(poll)
    play_round(tables[1].pk, Random(2))
    assert polls.question_of(poll).moment == 5
    scene = Scene()
    last = scene.sight.line.last - 1  # the last card is no choice
    with pytest.raises(NotFound):
        polls.ask(session=scene.session, sight=scene.sight, moment=last, asks_sureness=False)


def test_a_class_is_asked_about_its_own_rounds_only() -> None:
    """Another class's teacher finds neither the round nor the session; the class's teacher asks
    with one press."""
    scene = Scene()
    polls.end(session_id=scene.session.pk)
    position = position_at(scene.sight, moment=scene.moment, seat=0)
    address = f"/teach/sessions/{scene.session.pk}/poll/"
    sent: dict[str, Any] = {"do": "ask", "position": position.pk, "at": scene.moment}
    assert signed_in(a_teacher("another")).post(address, sent).status_code == 404
    assert polls.open_poll(scene.session.pk) is None
    teacher = signed_in(scene.teacher)
    page = teacher.get(f"/positions/{position.pk}/?at={scene.moment}").content.decode()
    assert 'id="stop-here"' in page
    assert teacher.post(address, sent).headers["Location"] == address
    assert present(present(polls.open_poll(scene.session.pk)).position).moves == scene.moment
    poll = present(polls.open_poll(scene.session.pk))
    for stage in ("spread", "told"):
        teacher.post(address, {"do": stage, "poll": poll.pk})
    assert present(polls.open_poll(scene.session.pk)).stage == Poll.Stage.TOLD
    teacher.post(address, {"do": "end", "poll": poll.pk})
    assert polls.open_poll(scene.session.pk) is None


def test_an_old_page_acts_on_no_other_turn() -> None:
    """Neither a student's vote nor a colleague's press; rubbish is no vote, and no error."""
    scene = Scene()
    old, move = scene.sent(scene.choices()[0]), scene.choices()[0]
    scene.poll = scene.ask()
    device = device_of(scene.students[0], scene.session)
    here, address = (
        f"/class/{scene.session.pk}/poll/",
        f"/teach/sessions/{scene.session.pk}/poll/",
    )
    device.post(here, old)
    teacher = signed_in(scene.teacher)
    for act in ("spread", "told", "end"):
        teacher.post(address, {"do": act, "poll": old["poll"]})
    assert present(polls.open_poll(scene.session.pk)).stage == Poll.Stage.ASKING
    assert device.post(here, scene.sent("9999")).status_code == 409
    assert not Vote.objects.exists()
    for sure in ("x", "-5", "1000", "70"):  # and none was asked for
        device.post(here, scene.sent(move, sure))
    assert Vote.objects.get().sure is None
    closing.close_session(session_id=scene.session.pk)
    sent = {"do": "told", "poll": scene.poll.pk}
    assert teacher.post(address, sent).status_code == 302
    assert device.post(here, scene.sent(move)).status_code in (302, 404)


def test_what_has_not_changed_is_not_drawn_again(django_assert_max_num_queries: Any) -> None:
    scene = Scene()
    device, here = (
        device_of(scene.students[0], scene.session),
        f"/class/{scene.session.pk}/poll/",
    )
    scene.show(Poll.Stage.SPREAD)
    shown = {"shown": f"{scene.poll.pk}.spread.0"}
    with django_assert_max_num_queries(10):
        assert device.get(here, shown, headers={"HX-Request": "true"}).status_code == 204
    scene.show(Poll.Stage.TOLD)
    asked = device.get(here, shown, headers={"HX-Request": "true"})
    assert asked.headers["HX-Refresh"] == "true"


def test_a_lessons_wall_and_page_make_room() -> None:
    scene = Scene()
    polls.end(session_id=scene.session.pk)
    holding.hold(session=scene.session, slug="stats-table")
    teacher = signed_in(scene.teacher)
    wall = f"/teach/sessions/{scene.session.pk}/lesson/wall/"
    assert teacher.get(wall).status_code == 200
    scene.ask()
    assert teacher.get(wall).status_code == 302
    device = device_of(scene.students[0], scene.session)
    room = device.get("/lessons/stats-table/room/", headers={"HX-Request": "true"})
    assert room.headers["HX-Redirect"] == f"/class/{scene.session.pk}/poll/"


def test_devices_come_along_unless_their_round_goes_on() -> None:
    scene = Scene()
    device = device_of(scene.students[0], scene.session)
    address = f"/class/{scene.session.pk}/lesson/"
    here = f"/class/{scene.session.pk}/poll/"
    assert device.get(address).headers["HX-Redirect"] == here
    steering.deal_next_round(session_id=scene.session.pk)
    told = device.get(address)
    assert "HX-Redirect" not in told.headers
    assert here in told.content.decode()
    polls.end(session_id=scene.session.pk)
    gone = device.get(here, headers={"HX-Request": "true"})
    assert gone.headers["HX-Redirect"] == f"/class/{scene.session.pk}/"


def test_another_move_can_be_tried_once_it_is_told() -> None:
    scene = Scene()
    device = device_of(scene.students[0], scene.session)
    here = f"/class/{scene.session.pk}/poll/"
    tried = scene.choices()[-1]
    assert "Tried:" not in device.get(here, {"answer": tried}).content.decode()
    scene.show(Poll.Stage.TOLD)
    assert "Tried:" in device.get(here, {"answer": tried}).content.decode()
    again = device.get(here, {"again": "1"}).content.decode()
    assert 'formmethod="get"' in again
    assert "Try another move" in again
    assert not Vote.objects.exists()


# A puzzle put to the class.


class OfPuzzle:
    """A class before which a puzzle of this kind is put, by the teacher's press."""

    def __init__(self, kind: Kind, students: int = 6) -> None:
        self.session, self.students = playing(students)
        self.teacher = self.session.classroom.teachers.get()
        self.daily = dailies_of(FIRST.year, FIRST.month, kind)[0]
        self.puzzle = self.daily.puzzle
        self.browser = signed_in(self.teacher)
        self.address = f"/teach/sessions/{self.session.pk}/poll/"
        self.sent = {"do": "ask", "puzzle": f"{self.daily.day}"}
        assert self.browser.post(self.address, self.sent)["Location"] == self.address
        self.poll = present(polls.open_poll(self.session.pk))

    def pages(self) -> dict[str, str]:
        """What the teacher, the wall and the last student see."""
        wall = f"/teach/sessions/{self.session.pk}/projector/replay/"
        device = device_of(self.students[-1], self.session)
        return {
            "teacher": self.browser.get(self.address).content.decode(),
            "wall": self.browser.get(wall).content.decode(),
            "student": device.get(f"/class/{self.session.pk}/poll/").content.decode(),
        }

    def show(self, stage: Poll.Stage) -> None:
        polls.show(poll=self.poll, stage=stage)
        self.poll.refresh_from_db()


@pytest.mark.parametrize("kind", Kind)
def test_a_puzzle_is_answered_by_its_proof(kind: Kind) -> None:
    """Before it is told nobody sees its answer, or a hand that is not seen in it."""
    scene = OfPuzzle(kind)
    puzzle, question = scene.puzzle, polls.question_of(scene.poll)
    assert tuple(question.choices) == puzzle.choices
    wrong = next(text for text in puzzle.choices if text != puzzle.answer)
    votes = [puzzle.answer, puzzle.answer, wrong, wrong, wrong]
    for student, move in zip(scene.students, votes, strict=False):
        device = device_of(student, scene.session)
        sent = {"poll": str(scene.poll.pk), "answer": move}
        assert device.post(f"/class/{scene.session.pk}/poll/", sent).status_code == 302
    export = f"/teach/students/{scene.students[0].pk}/answers.jsonl"
    assert '"kind": "vote"' in scene.browser.get(export).text
    hidden = {card.code for hand in puzzle.now.hands[1:] for card in hand}
    hidden -= {card.code for hand in puzzle.now.hands[1:] for card in hand if puzzle.is_open}
    hidden -= {present(puzzle.card).code} if puzzle.card else set()
    reasons = escape(" ".join(solution(scene.daily.number).reasons))
    page = scene.pages()["student"]
    assert all(f'data-card="{card.code}"' in page for card in puzzle.now.hands[0])
    for stage in (Poll.Stage.ASKING, Poll.Stage.SPREAD):
        scene.show(stage)
        for who, page in scene.pages().items():
            assert escape(words_of(puzzle)[-1]) in page, who
            assert not [code for code in hidden if f'data-card="{code}"' in page], who
            assert reasons not in page
            assert 'class="tag"' not in page
    scene.show(Poll.Stage.TOLD)
    choices = polls.move_votes(scene.poll, question, None)
    assert {each.move: each.votes for each in choices} == Counter(votes)
    assert [each.move for each in choices if each.is_good] == [puzzle.answer]
    assert polls.tally_of(scene.poll, choices).good == 2
    for page in scene.pages().values():
        assert reasons in page
        assert "2 of 5 found it." in " ".join(page.split())
    (row,) = present(present(poll_panel(scene.session)).grid).rows
    assert row[-2:] == (question.choices[puzzle.answer], "a puzzle")


def test_a_puzzle_is_put_to_ones_own_class_and_in_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = OfPuzzle(Kind.BID)
    day = f"{scene.daily.day}"
    page = scene.browser.get(f"/puzzles/{day}/").content.decode()
    assert f'action="{scene.address}"' in page
    another = signed_in(a_teacher("another"))
    assert scene.address not in another.get(f"/puzzles/{day}/").content.decode()
    polls.end(session_id=scene.session.pk)
    assert another.post(scene.address, scene.sent).status_code == 404
    for wrong in ("2000-01-01", f"{present_day() + timedelta(days=1)}", "x"):
        assert (
            scene.browser.post(scene.address, {**scene.sent, "puzzle": wrong}).status_code
            == 404
        )
    monkeypatch.setattr(daily, "kept_back", [lambda: {scene.daily.number}])
    assert scene.browser.post(scene.address, scene.sent).status_code == 404
    assert polls.open_poll(scene.session.pk) is None


# Tried again.


class Told:
    """A turn that is told: of those who had no part in its round one chose well, one badly, and
    so did the student whose turn it was."""

    def __init__(self) -> None:
        self.scene = scene = Scene()
        moves = scene.choices()
        self.good, self.bad = moves[0], moves[-1]
        seat = scene.sight.line.moves[scene.moment][0]
        made = Move.objects.filter(deal=scene.sight.deal)
        played = made.values_list("student", flat=True)
        self.well, self.badly = [each for each in scene.students if each.pk not in played][:2]
        self.own = next(each for each in scene.students if each.pk in played)
        made.filter(seat=seat).update(student=self.own)
        chosen = {self.well: self.good, self.badly: self.bad, self.own: self.bad}
        for student, move in chosen.items():
            polls.vote(poll=scene.poll, student=student, move=move)
        worths = {move: float(-place) for place, move in enumerate(moves)}
        Poll.objects.filter(pk=scene.poll.pk).update(worths=worths)

    def keep(self, student: Student) -> int:
        """What the press gets to keep it."""
        device = device_of(student, self.scene.session)
        return device.post(f"/lessons/polls/{self.scene.poll.pk}/mistake/").status_code


def test_a_choice_that_was_worse_can_be_practised_once_it_is_told() -> None:
    told = Told()
    press = "Practise this turn later"
    assert told.keep(told.badly) == 404
    told.scene.show(Poll.Stage.TOLD)
    assert [told.keep(each) for each in (told.well, told.own)] == [404, 404]
    assert press not in told.scene.page(told.well)
    assert press in told.scene.page(told.badly)
    assert [told.keep(told.badly), told.keep(told.badly)] == [302, 302]
    slip = Slip.objects.get()
    assert (slip.student, slip.position) == (told.badly, told.scene.poll.position)
    page = told.scene.page(told.badly)
    assert press not in page
    assert "Saved." in page


def test_it_is_practised_without_the_names_of_the_table() -> None:
    """It tells what they chose, and leads to no replay that they may not see."""
    told = Told()
    told.scene.show(Poll.Stage.TOLD)
    told.keep(told.badly)
    slip, device = Slip.objects.get(), device_of(told.badly, told.scene.session)
    address = slip.get_absolute_url()
    asked = device.get(address).content.decode()
    device.post(address, {"number": "0", "move": told.good})
    said = device.get(address, {"told": "0"}).content.decode()

    for page in (asked, said):
        assert not [seat for seat in told.scene.sight.state.seats if seat.name in page]
        assert "/replay/" not in page
    assert f"Back then it was {polls.question_of(told.scene.poll).choices[told.bad]}." in said
    assert slip.retries.get().right
    other = device_of(told.well, told.scene.session)
    assert other.get(address).status_code == 404


def test_what_the_expert_prefers_is_kept_once() -> None:
    load_or_skip()
    scene = Scene()
    signed_in(scene.teacher).get(f"/teach/sessions/{scene.session.pk}/poll/")
    scene.show(Poll.Stage.SPREAD)
    scene.page(scene.students[0])
    scene.poll.refresh_from_db()
    assert scene.poll.worths is None
    scene.show(Poll.Stage.TOLD)
    scene.page(scene.students[0])
    scene.poll.refresh_from_db()
    assert present(scene.poll.worths).keys() == set(scene.choices())


def test_a_teacher_stops_at_a_turn_of_their_own_homework() -> None:
    session, _students = playing(4)
    teacher = session.classroom.teachers.get()
    homework = some_homework(session.classroom)
    table_id = play_as_teacher(homework, teacher, 1)
    giving.close(homework=homework)
    browser = signed_in(teacher)
    replay = browser.get(f"/tables/{table_id}/replay/1/", {"as": "0", "at": "0"})
    page = browser.get(replay["Location"]).content.decode()
    assert 'id="stop-here"' in page
    sent = {"do": "ask", "position": replay["Location"].split("/")[2], "at": "0"}
    browser.post(f"/teach/sessions/{session.pk}/poll/", sent)
    assert present(present(polls.open_poll(session.pk)).position).deal.table_id == table_id


def test_a_puzzle_of_today_stays_readable_where_today_is_still_to_come() -> None:
    scene = OfPuzzle(next(iter(Kind)))
    with timezone.override("Pacific/Kiritimati"):
        poll = scene.poll
        Poll.objects.filter(pk=poll.pk).update(day=present_day())
    with timezone.override("Pacific/Pago_Pago"):
        poll.refresh_from_db()
        assert present(poll.day) > present_day()
        assert polls.question_of(poll).choices
