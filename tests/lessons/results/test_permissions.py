"""What results let out beside the table of permission (``tests/permissions``): names, and the
class's link."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

import pytest
from django.test import Client

from games.classes import joining, sessions
from lessons.models import LessonSettings
from lessons.results import news
from lessons.results.news import settings_of, share_token
from tests.games.classroom import device_of, picture, playing
from tests.scenes.results import play_round, teacher_of
from xactika_site.classrooms.models import ClassSession, Student

SESSION = "/teach/sessions/{session}/"
PAGES = (
    *(SESSION + page for page in ("results/", "results/wall/", "results/bias.csv")),
    *(SESSION + page for page in ("results.xlsx", "learning/")),
    *("/teach/classrooms/{classroom}/" + page for page in ("results/", "learning/")),
    *("/teach/classrooms/{classroom}/results" + page for page in (".xlsx", "/gradebook.csv")),
    "/teach/students/{student}/results/",
)


@dataclass
class Cast:
    session: ClassSession
    students: list[Student]
    browsers: dict[str, Client]

    def path(self, page: str) -> str:
        return page.format(
            session=self.session.pk,
            classroom=self.session.classroom_id,
            student=self.students[0].pk,
        )


@pytest.fixture
def cast() -> Cast:
    session, students = playing(4, rounds=1)
    for table_id in picture(session).tables:
        play_round(table_id, Random(2))
    browsers = {
        "teacher": teacher_of(session),
        "student": device_of(students[0], session),
        "nobody": Client(),
    }
    return Cast(session, students, browsers)


@pytest.mark.django_db
class TestTheNamelessLink:
    def test_shows_to_anybody_once_switched_on_and_is_worthless_later(self, cast: Cast) -> None:
        news.share(session=cast.session, on=True)
        link = f"/results/{share_token(settings_of(cast.session))}/"
        page = cast.browsers["nobody"].get(link)
        assert page.status_code == 200
        assert all(student.name not in page.text for student in cast.students)
        assert cast.browsers["nobody"].get(link.replace(".", ".1", 1)).status_code == 404
        news.share(session=cast.session, on=False)
        assert cast.browsers["nobody"].get(link).status_code == 404
        news.share(session=cast.session, on=True)
        assert cast.browsers["nobody"].get(link).status_code == 404
        new = f"/results/{share_token(settings_of(cast.session))}/"
        assert cast.browsers["nobody"].get(new).status_code == 200

    @pytest.mark.parametrize("token", ["x", "1.0", "1.0.x" * 60, "٣.0.abc", "%00"])
    def test_forged_ones_are_nothing(self, cast: Cast, token: str) -> None:
        assert cast.browsers["nobody"].get(f"/results/{token}/").status_code == 404


@pytest.mark.django_db
class TestNames:
    def test_hidden_is_not_in_the_source_of_any_page_or_file(self, cast: Cast) -> None:
        teacher = cast.browsers["teacher"]
        pages = [cast.path(page) for page in PAGES]
        for page in pages:
            content = teacher.get(page).content.decode(errors="replace")
            assert all(student.name not in content for student in cast.students), page
        shows = f"/teach/classrooms/{cast.session.classroom_id}/results/names/"
        teacher.post(shows, {"do": "show", "next": "/teach/"})
        shown = [p for p in pages if cast.students[0].name in _text(teacher, p)]
        assert len(shown) >= 5
        assert not [page for page in shown if "wall" in page]

    def test_nobody_is_sent_elsewhere(self, cast: Cast) -> None:
        for back in (
            "https://elsewhere.example/",
            "//elsewhere.example/",
            "",
            "x",
            "./",
            "/\\x.org",
        ):
            answer = cast.browsers["teacher"].post(
                f"/teach/classrooms/{cast.session.classroom_id}/results/names/",
                {"do": "show", "next": back},
            )
            assert answer.status_code == 404

    def test_a_student_sees_the_class_only_with_leave_and_without_names(
        self, cast: Cast
    ) -> None:
        page = f"/class/{cast.session.pk}/results/"
        mine = cast.browsers["student"].get(page).text
        assert cast.students[0].name in mine
        assert "The class: The bids" not in mine
        news.show_charts_to_students(session=cast.session, on=True)
        sessions.set_flags(session_id=cast.session.pk, names_hidden=False)
        mine = cast.browsers["student"].get(page).text
        assert "The class: The bids" in mine
        assert all(student.name not in mine for student in cast.students[1:])
        joining.send_out(session_id=cast.session.pk, student_id=cast.students[0].pk)
        mine = cast.browsers["student"].get(page).text
        assert "The class: The bids" not in mine

    def test_few_students_have_no_averages_on_a_shared_screen(self, cast: Cast) -> None:
        wall = cast.browsers["teacher"].get(cast.path(f"{SESSION}results/wall/"))
        assert "need 5 students" in wall.text
        assert "Who’s ahead?" not in wall.text
        assert wall.text.count("need 5 students") == 1


def _text(browser: Client, page: str) -> str:
    return browser.get(page).content.decode(errors="replace")


@pytest.mark.django_db
def test_absurd_requests_change_nothing(cast: Cast) -> None:
    teacher = cast.browsers["teacher"]
    address = f"/teach/sessions/{cast.session.pk}/results/"
    assert teacher.post(f"{address}do/", {"do": "delete-all"}).status_code == 404
    assert teacher.post(f"{address}do/").status_code == 404
    assert teacher.get(f"{address}no-such-table.csv").status_code == 404
    assert not LessonSettings.objects.exists()
    assert teacher.get(f"{address}?since=rubbish").status_code == 200
