"""The class over time, a student within it, and what students see of it: the pages."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from statistics import mean
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from games.classes import closing, paper
from games.classes.paper import PaperRound, ScoreSheet
from games.models import Deal, Result
from games.rules import HAND_SIZE, Variant
from lessons.models import LessonSettings
from lessons.questions.forecasts import played_forecasts
from lessons.results.bids.bidding import bias_interval
from lessons.results.dataset import dataset_of_session
from lessons.results.learned.learning import learning_of_classroom
from lessons.results.news import sessions_seen
from lessons.results.over_time.matrix import skill_matrix
from lessons.results.over_time.records import records
from lessons.results.over_time.term import Day, days_of, scores_of_sessions, term
from lessons.results.over_time.term_panels import day_labels
from lessons.results.over_time.trends import mean_estimate, of_class
from lessons.results.students import own_panels
from tests.games.classroom import device_of, playing, signed_in
from tests.scenes import present
from tests.scenes.by_students import finish_round
from tests.scenes.homework import a_class, some_homework
from tests.scenes.pictures import words
from tests.scenes.results import SLIP, answered, generated, teacher_of
from xactika_site.classrooms.models import Attendance, ClassSession, Student

pytestmark = pytest.mark.django_db

COUNT = "deck-size"


def tiles(client: Client, address: str) -> dict[str, tuple[str, str, dict[str, Any] | None]]:
    """The small charts of a page by key: title, number, figure."""
    found = {}
    for key, html in re.findall(
        r'<article [^>]*id="tile-([\w-]+)"(.*?)</article>', client.get(address).text, re.DOTALL
    ):
        title = re.search(r'class="claim"[^>]*>(.*?)</h2>', html, re.DOTALL)
        number = re.search(r'class="number">(.*?)</p>', html, re.DOTALL)
        figure = re.search(r"<script[^>]*>(.*?)</script>", html, re.DOTALL)
        found[key] = (
            words(title[1]) if title else "",
            words(number[1]) if number else "",
            json.loads(figure[1]) if figure else None,
        )
    return found


def over_time(session: ClassSession) -> str:
    return f"/teach/classrooms/{session.classroom_id}/results/"


def names(page: str) -> list[str]:
    table = page.partition('id="matrix"')[2].partition("</section>")[0]
    return re.findall(r'/teach/students/\d+/results/">([^<]+)<', table)


def bidder(session: ClassSession) -> Student:
    """Somebody who made every move of a round."""
    return Student.objects.get(pk=min(term(session.classroom).lines))


def next_session(session: ClassSession) -> ClassSession:
    """Another one of the classroom, to which the same students came."""
    closing.close_session(session_id=session.pk)
    later = ClassSession.objects.create(
        classroom=session.classroom, state=ClassSession.State.CLOSED, closed=timezone.now()
    )
    for student in session.classroom.students.all():
        Attendance.objects.create(class_session=later, student=student, state="here")
    return later


class OfSix:
    """Six students have played two rounds."""

    @staticmethod
    def scene() -> ClassSession:
        return generated(4, students=6, seats=3, rounds=2)[0]


class TestTheClass(OfSix):
    def test_its_points_are_the_term_s(self, session: ClassSession) -> None:
        title, _number, figure = tiles(teacher_of(session), over_time(session))["bids"]
        assert title == "Bids: too little data for a trend"
        assert figure is not None
        bias = present(term(session.classroom).errors[session.pk].bias)
        assert figure["data"][-1]["y"] == [round(float(bias), 4)]

    def test_a_session_s_page_tells_what_has_changed_until_it(
        self, session: ClassSession
    ) -> None:
        teacher, page = teacher_of(session), "/teach/sessions/{}/results/"
        students = session.classroom.students.all()
        for student in students:
            answered(session, student, COUNT, SLIP)
        later = next_session(session)
        for student in students:
            answered(later, student, COUNT, True)
        assert "learned" not in tiles(teacher, page.format(session.pk))
        ours = tiles(teacher, page.format(later.pk))["learned"]
        whole = tiles(teacher, over_time(session))["skills"]
        assert (ours[0], ours[2]) == (whole[0], whole[2])
        assert "tile-learned" not in teacher.get(page.format(later.pk) + "wall/").text
        idle = next_session(later)  # nothing was done in it, so nothing changed there
        assert "learned" not in tiles(teacher, page.format(idle.pk))

    def test_each_figure_has_its_download(self, session: ClassSession) -> None:
        teacher = teacher_of(session)
        page = teacher.get(over_time(session)).text
        grown = page[page.index('id="grown-bids"') :]
        link = present(re.search(r'href="([^"]*\.csv)"', grown))
        assert link[1].endswith("/term-bias.csv")
        assert teacher.get(link[1]).status_code == 200


def test_before_anything_happened_each_chart_says_so() -> None:
    session, _people = playing(3, seats=3)
    page = tiles(teacher_of(session), over_time(session))
    assert [title for title, _number, _figure in page.values()] == [
        "Bids: too little data for a trend",
        "Forecasts: too little data for a trend",
        "Right first time: too little data for a trend",
        "Who came",
    ]
    assert page["attendance"][1] == "100%"


class TestRecords:
    def test_records_are_all_that_the_term_sums_up(self) -> None:
        session, people = generated(7, students=6, seats=3, rounds=2)
        answered(session, people[0], COUNT, False, True)
        answered(session, people[1], COUNT, True)
        room = session.classroom
        happened = records(room, days_of(room), scores_of_sessions(played_forecasts(room)))
        whole = term(room)
        own = {
            student: (sum(miss.off for miss in misses), sum(miss.many for miss in misses))
            for student, misses in happened.bids[session.pk].items()
            if student is not None
        }
        assert own == {
            student: (sum(errors.counts[off] * off for off in errors.counts), errors.rounds)
            for student, by_session in whole.lines.items()
            for errors in by_session.values()
        }
        right = {
            student: [miss.off for miss in misses]
            for student, misses in happened.answers[session.pk].items()
        }
        assert right == {people[0].pk: [0], people[1].pk: [1]}
        assert happened.came == {session.pk: {person.pk for person in people}}
        assert happened.members == happened.came

    @pytest.mark.parametrize("duplicate", [True, False])
    def test_a_class_s_interval_is_that_of_its_bids_one_by_one(self, duplicate: bool) -> None:
        session, _people = generated(7, students=6, seats=3, rounds=2, duplicate=duplicate)
        facts, room = dataset_of_session(session), session.classroom
        rows = records(room, days_of(room), {}).bids
        estimate = mean_estimate(of_class(rows)[session.pk], low=-HAND_SIZE, high=HAND_SIZE)
        assert estimate.interval == pytest.approx(bias_interval(facts))
        assert estimate.rests_on == len(facts.bids)

    def test_whoever_waits_for_a_yes_has_not_come(self) -> None:
        session, people = playing(3, seats=3)
        Attendance.objects.filter(student=people[0]).update(state=Attendance.State.ASKING)
        room = session.classroom
        assert records(room, days_of(room), {}).came[session.pk] == {people[1].pk, people[2].pk}

    def test_whoever_played_on_paper_has_come_as_the_session_s_results_say(self) -> None:
        session, people = playing(2, seats=2)
        closing.close_session(session_id=session.pk)
        (late,) = a_class(1, session.classroom)
        sheet = ScoreSheet(Variant.BID, (people[0].pk, late.pk), (PaperRound((2, 5), (0, 8)),))
        paper.store(session_id=session.pk, sheet=sheet)
        room = session.classroom
        came = records(room, days_of(room), {}).came[session.pk]
        assert came == dataset_of_session(session).came == {late.pk, *(p.pk for p in people)}


def test_the_tile_of_sessions_says_that_the_table_counts_homework_too() -> None:
    session, _people = playing(2, seats=2)
    (student,) = a_class(1, session.classroom)
    some_homework(session.classroom, questions=5, skill="graphs")
    answered(None, student, "deck-size", True)
    teacher = signed_in(session.classroom.teachers.get())
    page = teacher.get(f"/teach/classrooms/{session.classroom_id}/results/").text
    assert "Right first time: too little data for a trend" in page
    assert "Answers to exercises fill this." in page
    assert "Sessions, homework, practice: who can do which exercises?" in page
    assert "1 of 1" in page.split('id="matrix"')[1]


def test_a_classs_own_page_has_the_tiles_and_each_leads_to_its_figure() -> None:
    session, _people = playing(2, seats=2)
    teacher = signed_in(session.classroom.teachers.get())
    own_page, glance = (
        f"/teach/classrooms/{session.classroom_id}/",
        f"{over_time(session)}glance/",
    )
    finish_round(session)
    assert f'hx-get="{glance}"' not in teacher.get(own_page).text, "one session is no trend"
    next_session(session)
    assert f'hx-get="{glance}"' in teacher.get(own_page).text
    tiles = teacher.get(glance).text
    assert "data-panel" not in tiles
    assert tiles.count("<article") <= 3
    assert 'id="tile-next"' in tiles
    figures = teacher.get(over_time(session)).text
    keys = re.findall(rf'href="{over_time(session)}#([^"]*)" id="press-', tiles)
    assert keys
    assert [key for key in keys if f'id="{key}"' not in figures] == []


def test_a_day_has_its_time_only_where_a_chart_has_two_sessions_of_it() -> None:
    session, _people = generated(4, students=6, seats=3, rounds=2)
    next_session(session)  # on the same day, and nothing was bid in it
    page = tiles(teacher_of(session), over_time(session))
    bids, came = (present(page[key][2])["data"][0]["x"] for key in ("bids", "attendance"))
    assert len(bids) == 1
    assert "," not in bids[0]
    assert len(came) == 2
    assert all("," in each for each in came)


def test_two_sessions_fall_on_one_day_in_one_time_zone_and_not_in_another() -> None:
    began = [datetime(2026, 11, 2, hour, tzinfo=UTC) for hour in (3, 20)]
    days = tuple(Day(n, each) for n, each in enumerate(began))
    for zone, names in (
        ("Europe/Paris", ["2 Nov., 04:00", "2 Nov., 21:00"]),
        ("America/New_York", ["1 Nov.", "2 Nov."]),
    ):
        with timezone.override(zone):
            assert list(day_labels(days).values()) == names


class TestWhoKnowsWhat:
    @pytest.fixture
    def session(self) -> ClassSession:
        """Three who answered, the last of them worst, and one who did nothing."""
        session, people = playing(4, seats=4)
        answered(session, people[0], COUNT, True)
        answered(session, people[1], COUNT, False, True)
        for _question in range(2):
            answered(session, people[2], COUNT, SLIP)
        return session

    def test_it_sorts_by_help_and_by_name(self, session: ClassSession) -> None:
        browser = teacher_of(session)
        helped = names(browser.get(over_time(session)).text)
        assert helped == ["Student 3", "Student 2", "Student 1", "Student 4"]
        page = browser.get(over_time(session), {"sort": "name"}).text
        assert names(page) == ["Student 1", "Student 2", "Student 3", "Student 4"]
        back = f"{over_time(session)}?sort=name"
        assert f'name="next" value="{back}"' in page
        browser.post(f"{over_time(session)}names/", {"do": "show", "next": back})
        shown = names(browser.get(back).text)
        assert shown == sorted(session.classroom.students.values_list("name", flat=True))

    def test_kinds_are_said_and_counted(self, session: ClassSession) -> None:
        page = teacher_of(session).get(over_time(session)).text
        cells = re.findall(r'<td aria-label="([^"]+)"', page)
        assert cells == [
            "not right yet: 1",
            "right at least once: 1",
            "right at least once: 1",
        ]  # who has tried nothing has no row
        table = page.partition('id="matrix"')[2].partition("<tbody>")[2]
        assert re.findall(r'<i class="(\w+)">', table) == ["mistaken", "seen", "seen"]
        assert "results/gradebook.csv" in page.partition('id="matrix"')[2][:3000]

    def test_it_is_what_the_page_of_learning_counts(self, session: ClassSession) -> None:
        learning = learning_of_classroom(session.classroom)
        known = skill_matrix(learning.names)
        assert known.mastery == learning.mastery
        assert known.successes == {
            student: learning.of_student(student).success for student in learning.students
        }

    def test_it_sorts_by_nothing_else(self, session: ClassSession) -> None:
        page = teacher_of(session).get(over_time(session), {"sort": "<script>"}).text
        assert names(page)[0] == "Student 3"


class TestAStudent:
    def test_the_teacher_sees_them_within_the_middle_half(self) -> None:
        session, people = generated(4, students=8, seats=4, rounds=2)
        bids = tiles(teacher_of(session), f"/teach/students/{people[0].pk}/results/")["bids"]
        assert bids[2] is not None
        _places, band, own = bids[2]["data"]
        low, high = (band["y"][0] + sign * band["error_y"]["array"][0] for sign in (-1, 1))
        lines = term(session.classroom).lines
        means = [float(by_session[session.pk].bias or 0) for by_session in lines.values()]
        assert sum(low - 1e-6 <= mean <= high + 1e-6 for mean in means) >= len(means) / 2
        mine = present(lines[people[0].pk][session.pk].bias)
        assert own["y"] == [round(float(mine), 4)]
        assert own["marker"]["symbol"] == ["diamond"]

    def test_of_four_there_is_no_middle_half(self) -> None:
        session, people = generated(4, students=4, seats=4, rounds=2)
        bids = tiles(teacher_of(session), f"/teach/students/{people[0].pk}/results/")["bids"]
        assert bids[2] is not None
        assert len(bids[2]["data"]) == 2


def bids_traces(session: ClassSession, student: Student) -> list[dict[str, Any]]:
    page = tiles(device_of(student, session), f"/class/{session.pk}/results/")
    figure = present(page["bids"][2])
    data: list[dict[str, Any]] = figure["data"]
    return data


class TestWhatStudentsSee(OfSix):
    def test_the_class_stands_there_only_where_the_teacher_says_so(
        self, session: ClassSession
    ) -> None:
        student = bidder(session)
        assert [len(trace["x"]) for trace in bids_traces(session, student)] == [1, 1]
        LessonSettings.objects.create(class_session=session, charts_for_students=True)
        _places, _band, of_class, own = bids_traces(session, student)
        bias = present(term(session.classroom).errors[session.pk].bias)
        assert of_class["y"] == [round(float(bias), 4)]
        assert own["marker"]["symbol"] == ["diamond"]

    def test_whoever_has_not_bid_sees_the_class(self, session: ClassSession) -> None:
        people = session.classroom.students.all()
        (idle,) = {person.pk for person in people} - set(term(session.classroom).lines)
        LessonSettings.objects.create(class_session=session, charts_for_students=True)
        student = Student.objects.get(pk=idle)
        assert [each["marker"].get("symbol") for each in bids_traces(session, student)] == [
            None,
            "square",
            None,
        ]

    def test_of_another_session_only_if_it_is_shared_and_they_were_there(
        self, session: ClassSession
    ) -> None:
        first, second = session, next_session(session)
        student = bidder(first)
        LessonSettings.objects.create(class_session=second, charts_for_students=True)
        assert sessions_seen(student) == {second.pk}
        assert len(bids_traces(second, student)) == 2  # nobody has bid there
        LessonSettings.objects.create(class_session=first, charts_for_students=True)
        assert sessions_seen(student) == {first.pk, second.pk}
        assert len(bids_traces(second, student)) > 2
        Attendance.objects.filter(class_session=first, student=student).update(
            state=Attendance.State.REMOVED
        )
        assert sessions_seen(student) == {second.pk}

    def test_what_others_learned_is_never_there(self, session: ClassSession) -> None:
        student = bidder(session)
        LessonSettings.objects.create(class_session=session, charts_for_students=True)
        for person in session.classroom.students.all():
            answered(session, person, COUNT, True)
        page = tiles(device_of(student, session), f"/class/{session.pk}/results/")
        assert page["skills"][2] is not None
        assert len(page["skills"][2]["data"]) == 2

    def test_the_class_s_pictures_are_those_that_they_may_see(
        self, session: ClassSession
    ) -> None:
        student = bidder(session)
        for person in session.classroom.students.all():
            answered(session, person, COUNT, SLIP)
        reader, address = device_of(student, session), f"/class/{session.pk}/results/"
        assert not [key for key in tiles(reader, address) if key.startswith("class-")]
        LessonSettings.objects.create(class_session=session, charts_for_students=True)
        shown = {key for key in tiles(reader, address) if key.startswith("class-")}
        assert {"class-bids", "class-chance"} <= shown
        assert not shown & {"class-mistake", "class-help", "class-next", "class-skills"}
        figure = present(tiles(reader, address)["class-bids"][2])
        *_bars, mean, own = figure["data"]
        mine = present(term(session.classroom).lines[student.pk][session.pk].bias)
        assert own["x"] == [round(float(mine), 4)]
        assert own["marker"]["symbol"] == ["diamond"]
        assert "symbol" not in mean["marker"]


def test_of_fewer_than_five_the_class_is_not_told() -> None:
    session, _people = generated(4, students=4, seats=4, rounds=2)
    student = bidder(session)
    LessonSettings.objects.create(class_session=session, charts_for_students=True)
    assert len(bids_traces(session, student)) == 2


def test_my_games_has_the_own_line_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_panels, "FEW", 4)
    session, _people = generated(4, students=6, seats=3, rounds=8)
    student = bidder(session)
    LessonSettings.objects.create(class_session=session, charts_for_students=True)
    page = tiles(device_of(student, session), "/mine/")
    assert "bids" not in page, "a dot of one day is no picture"
    earlier = F("created") - timedelta(days=1)
    Deal.objects.filter(table__class_session=session, round__lte=3).update(created=earlier)
    figure = present(tiles(device_of(student, session), "/mine/")["bids"][2])
    rows = Result.objects.filter(student=student, by_person=True)
    means = [
        mean(
            Fraction((row.bid or 0) - row.taken)
            for row in rows
            if (row.deal.round > 3) is later
        )
        for later in (False, True)
    ]
    line = [round(float(each), 4) for each in means]
    assert [trace["y"] for trace in figure["data"]] == [line] * 2
