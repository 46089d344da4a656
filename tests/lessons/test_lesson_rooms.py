"""A lesson with a class: who leads, what the wall shows, how students are told; paper."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from lessons import lesson_services as services
from lessons.course import Kind, Lesson, lesson, lessons
from lessons.course.plan import Written
from lessons.lesson_selectors import Visitor
from lessons.models import LessonRun
from lessons.worksheets import MOST_COPIES, copies, sheets
from tests.games.classroom import a_session, a_teacher, device_of, signed_in, students_in
from xactika_site.classrooms.models import Attendance, ClassSession, Student
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db
DEALS = "class-deals"


@pytest.fixture
def teacher() -> Client:
    return signed_in(a_teacher())


def in_class(how_many: int) -> tuple[ClassSession, list[Student], Client]:
    session = a_session()
    students = students_in(session, how_many)
    return session, students, signed_in(session.classroom.teachers.get())


def text_of(answer: object) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.content.decode()))  # type: ignore[attr-defined]


def test_a_teacher_leads_a_lesson_from_choice_to_end() -> None:
    session, students, browser = in_class(6)
    page = f"/teach/sessions/{session.pk}/lesson/"
    assert "Hold a lesson" in text_of(browser.get(page))
    assert browser.post(page, {"do": f"hold:{DEALS}"}).status_code == 302
    assert "0 of 6 students are done" in text_of(browser.get(page))
    for number, student in enumerate(students):
        form = {"step": "1", "do": "predict", "value": str(30 + number)}
        assert (
            device_of(student, session).post(f"/lessons/{DEALS}/do/", form).status_code == 302
        )
    assert "6 of 6 students are done" in text_of(browser.get(page))
    wall = f"{page}wall/"
    assert "What your class expects" not in text_of(browser.get(wall))
    browser.post(page, {"do": "close"})
    assert "What your class expects" in text_of(browser.get(wall))
    late = device_of(students_in(session, 1)[0], session)
    form = {"step": "1", "do": "predict", "value": "50"}
    assert late.post(f"/lessons/{DEALS}/do/", form).status_code == 422
    browser.post(page, {"do": "open:3"})
    shown = text_of(browser.get(wall))
    assert "What your class expected" in shown
    assert "33.9 of 100 hands" in shown
    browser.post(page, {"do": "end"})
    assert browser.get(wall).headers["Location"].endswith("/projector/")
    assert LessonRun.objects.get().ended is not None


def test_the_wall_shows_no_predictions_of_few() -> None:
    session, students, browser = in_class(4)
    services.hold(session=session, slug=DEALS)
    for student in students:
        form = {"step": "1", "do": "predict", "value": "34"}
        device_of(student, session).post(f"/lessons/{DEALS}/do/", form)
    page = f"/teach/sessions/{session.pk}/lesson/"
    browser.post(page, {"do": "close"})
    for address in (page, f"{page}wall/"):
        shown = text_of(browser.get(address))
        assert "What your class" not in shown
        assert "rom 5 predictions on the class sees them" in shown
    browser.post(page, {"do": "open:3"})
    assert "there are 4" in text_of(browser.get(page))
    for reader in (
        browser.get(f"{page}wall/"),
        device_of(students[0], session).get(f"/lessons/{DEALS}/"),
    ):
        assert "What your class" not in text_of(reader)


def test_before_closing_it_is_said_from_how_many_predictions_on_they_are_shown() -> None:
    session, students, browser = in_class(5)
    services.hold(session=session, slug=DEALS)
    page = f"/teach/sessions/{session.pk}/lesson/"
    for number, student in enumerate(students):
        there_are = "there is 1." if number == 1 else f"there are {number}."
        assert f"sees them; {there_are}" in text_of(browser.get(page))
        assert "from 5 predictions on" in text_of(browser.get(f"{page}wall/"))
        assert "Close the prediction" in text_of(browser.get(page))
        form = {"step": "1", "do": "predict", "value": "34"}
        device_of(student, session).post(f"/lessons/{DEALS}/do/", form)
    for address in (page, f"{page}wall/"):
        assert "rom 5 predictions on" not in text_of(browser.get(address))
    assert "Close, and show the predictions" in text_of(browser.get(page))


def wall_of(session: ClassSession, browser: Client, *, step: int) -> str:
    """The wall at a step, after everybody has predicted and dealt what stands before it."""
    course = lesson(DEALS)
    for number in range(1, step + 1):
        services.open_step(session=session, number=number)
        for student in Student.objects.filter(classroom=session.classroom):
            visitor = Visitor(student=student, session=session.pk)
            if course.steps[number - 1].kind is Kind.PREDICT:
                services.predict(lesson=course, visitor=visitor, number=number, value=1)
            elif course.steps[number - 1].deal:
                services.deal_hands(lesson=course, visitor=visitor, number=number)
    return text_of(browser.get(f"/teach/sessions/{session.pk}/lesson/wall/"))


@pytest.mark.parametrize("closed", [False, True])
def test_the_wall_shows_the_question_and_what_the_class_predicted(closed: bool) -> None:
    session, _students, browser = in_class(5)
    services.hold(session=session, slug=DEALS)
    wall_of(session, browser, step=4)
    services.close_step(session=session, closed=closed)
    shown = text_of(browser.get(f"/teach/sessions/{session.pk}/lesson/wall/"))
    assert "We deal 10 hands, and then 1000." in shown
    assert ("What your class expects" in shown) == closed
    assert shown.count("It stays about the same") == 1


def test_the_wall_explains_what_it_reveals_beside_the_predictions() -> None:
    session, _students, browser = in_class(5)
    services.hold(session=session, slug=DEALS)
    shown = wall_of(session, browser, step=6)
    assert "It grows, but the share comes closer" in shown
    assert "What your class expected" in shown
    assert "it is only outnumbered" in shown
    page = browser.get(f"/teach/sessions/{session.pk}/lesson/wall/").content.decode()
    assert "data-figure" not in page  # no chart of something else


def test_the_wall_and_the_question_speak_of_voids() -> None:
    session, _students, browser = in_class(5)
    services.hold(session=session, slug=DEALS)
    shown = wall_of(session, browser, step=3)
    assert "How many hands have a void?" in shown
    assert "In theory: has a void, 33.9 %. In these data:" in shown
    assert "12 calls" not in shown
    counted = re.search(r"In these data: ([\d.]+) %", shown)
    bars = re.search(r"has a void 33.9 % (\d+) ([\d.]+) %", shown)
    assert counted
    assert bars
    assert counted[1] == bars[2]


def test_the_wall_tells_latecomers_how_to_come_in() -> None:
    session, _students, browser = in_class(1)
    services.hold(session=session, slug=DEALS)
    wall = f"/teach/sessions/{session.pk}/lesson/wall/"
    code = session.classroom.code
    shown = text_of(browser.get(wall))
    assert f"testserver/join/ {code[:3]} {code[3:]}" in shown
    version = re.search(r"shown=([^\"]+)", browser.get(wall).content.decode())
    assert version
    ClassSession.objects.filter(pk=session.pk).update(locked=True)
    later = browser.get(f"{wall}?shown={version[1]}", headers={"HX-Request": "true"})
    assert later.status_code == 200  # it goes as soon as it lets nobody in
    assert code[:3] not in text_of(later)


def test_a_cut_of_what_was_dealt_says_so() -> None:
    session, (student,), _browser = in_class(1)
    services.hold(session=session, slug=DEALS)
    services.open_step(session=session, number=2)
    device = device_of(student, session)
    path = f"/lessons/{DEALS}/"
    device.post(f"{path}do/", {"step": "2", "do": "deal"})
    shown = device.get(f"{path}?step=2")
    assert "The first 3 of the 10 hands just dealt" in text_of(shown)
    assert shown.content.decode().count("row small") == 3


def test_who_has_a_lesson_open_is_here() -> None:
    session, (student, other), _browser = in_class(2)
    services.hold(session=session, slug=DEALS)
    long_ago = timezone.now() - timedelta(minutes=5)
    Attendance.objects.update(last_seen=long_ago)
    room = f"/lessons/{DEALS}/room/?step=1&shown=1.0"
    assert device_of(student, session).get(room).status_code == 204
    mine, others = (Attendance.objects.get(student=one) for one in (student, other))
    assert others.last_seen == long_ago
    assert mine.last_seen
    assert timezone.now() - mine.last_seen < timedelta(minutes=1)


def test_pages_ask_for_what_is_new_and_get_nothing_else() -> None:
    session, _students, browser = in_class(1)
    services.hold(session=session, slug=DEALS)
    page = f"/teach/sessions/{session.pk}/lesson/"
    htmx = {"HX-Request": "true"}
    for address in (page, f"{page}wall/"):
        version = re.search(r"shown=([^\"]+)", browser.get(address).content.decode())
        assert version
        asked = f"{address}?shown={version[1]}"
        assert browser.get(asked, headers=htmx).status_code == 204
        services.close_step(session=session, closed=True)
        assert browser.get(asked, headers=htmx).status_code == 200
        services.close_step(session=session, closed=False)
    services.show_on_wall(session=session, shown=False)
    gone = browser.get(f"{page}wall/", headers=htmx)
    assert gone.headers["HX-Redirect"].endswith("/projector/")
    assert browser.get(f"{page}wall/?from=game", headers=htmx).status_code == 204
    services.show_on_wall(session=session, shown=True)
    there = browser.get(f"{page}wall/?from=game", headers=htmx)
    assert there.headers["HX-Redirect"].endswith("/lesson/wall/")


def test_students_are_told_and_taken_along_once() -> None:
    session, (student,), _browser = in_class(1)
    device = device_of(student, session)
    told = f"/class/{session.pk}/lesson/"
    assert device.get(told).content == b""
    services.hold(session=session, slug=DEALS)
    taken = device.get(f"{told}?from=lobby")
    assert taken.headers["HX-Redirect"] == f"/lessons/{DEALS}/"
    assert "HX-Redirect" not in device.get(told).headers  # at the table: a line alone
    assert "Your class is at a lesson" in text_of(device.get(told))
    device.get(f"/lessons/{DEALS}/")
    assert "HX-Redirect" not in device.get(f"{told}?from=lobby").headers
    stranger = device_of(students_in(a_session(), 1)[0], session)
    for other in (Client(), stranger):
        assert other.get(told).status_code == 404


def test_news_reach_the_class_when_a_lesson_begins_and_ends() -> None:
    session, _students, _browser = in_class(1)
    settings = session.settings  # type: ignore[attr-defined]
    services.hold(session=session, slug=DEALS)
    settings.refresh_from_db()
    before = settings.news
    services.end_lesson(session=session)
    services.end_lesson(session=session)
    settings.refresh_from_db()
    assert settings.news == before + 1 == 2


@pytest.mark.parametrize("do", ["", "nonsense", "open:", "open:x", "open:99999", "hold"])
def test_what_is_no_action_changes_nothing(do: str) -> None:
    session, _students, browser = in_class(1)
    services.hold(session=session, slug=DEALS)
    before = list(LessonRun.objects.values())
    answer = browser.post(f"/teach/sessions/{session.pk}/lesson/", {"do": do})
    assert answer.status_code in (404, 409)
    assert list(LessonRun.objects.values()) == before


def test_a_closed_session_holds_no_lesson() -> None:
    session, _students, browser = in_class(0)
    ClassSession.objects.filter(pk=session.pk).update(state="closed")
    answer = browser.post(f"/teach/sessions/{session.pk}/lesson/", {"do": f"hold:{DEALS}"})
    assert answer.status_code == 409
    assert "This session is closed." in text_of(answer)


# Paper.


@pytest.mark.parametrize("course", lessons(), ids=lambda course: course.slug)
def test_every_copy_differs_and_fits_its_key(course: Lesson, teacher: Client) -> None:
    made = sheets(course, seed=4711, first=1, last=12)
    again = sheets(course, seed=4711, first=5, last=5)
    assert again[0] == made[4]
    assert len({str([task.question for task in sheet.tasks]) for sheet in made}) == 12
    path = f"/lessons/{course.slug}/worksheet/?seed=4711&copy=5"
    sheet, key = teacher.get(path), teacher.get(f"{path}&key=1")
    number = f"{course.number}–4711–5"
    assert f"Sheet {number}" in text_of(sheet)
    assert f"Key to sheet {number}" in text_of(key)
    for task in course.tasks:
        if isinstance(task, Written):
            assert task.answer[:30] in text_of(key)
            assert task.answer[:30] not in text_of(sheet)


def test_no_variants_left_is_told(teacher: Client) -> None:
    course = lesson("sample-space")
    most = copies(course, 5)
    assert most == MOST_COPIES
    sheets(course, seed=5, first=most, last=most)
    with pytest.raises(Refused, match=f"no variants left after copy {most}"):
        sheets(course, seed=5, first=1, last=most + 1)
    answer = teacher.get(f"/lessons/sample-space/worksheet/?seed=5&copy={most + 1}")
    assert answer.status_code == 422
    assert "no variants left" in text_of(answer)
    assert "Sheet 1–5" not in text_of(answer)


@pytest.mark.parametrize(
    "query",
    ["seed=0&copy=1", "seed=x&copy=1", "seed=99999&copy=1", "seed=7&copy=0", "seed=7&copy=5-2",
     "seed=7&copy=1-", "seed=7&copy=-3", "seed=&copy=", "seed=٣&copy=1", "seed=7&copy=1e9"],
)  # fmt: skip
def test_absurd_sheets_are_refused(teacher: Client, query: str) -> None:
    answer = teacher.get(f"/lessons/sample-space/worksheet/?{query}")
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()


def test_without_a_number_a_new_set_is_made(teacher: Client) -> None:
    answer = teacher.get("/lessons/the-deal/worksheet/")
    assert re.search(r"\?seed=\d+&copy=1$", answer.headers["Location"])


@pytest.mark.parametrize("course", lessons(), ids=lambda course: course.slug)
def test_a_teachers_page_has_all_its_parts(course: Lesson, teacher: Client) -> None:
    shown = text_of(teacher.get(f"/lessons/{course.slug}/teacher/"))
    for part in (
        "Questions to ask",
        "Typical errors",
        "In the results",
        "Standards",
        "Minutes",
    ):
        assert part in shown
    assert str(course.minutes) in shown
    assert teacher.get("/lessons/nothing/teacher/").status_code == 404
