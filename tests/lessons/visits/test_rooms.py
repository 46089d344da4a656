"""A lesson with a class: who leads, what the wall shows, how students are told; paper."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.classes import closing as class_closing
from games.classes import forming, steering
from games.classes.state import seat_of
from games.models import Seat
from lessons.course import Lesson, StepKind, lesson, lessons, markup
from lessons.course.plan import WrittenQuestion
from lessons.models import LessonRun
from lessons.questions.worksheets import MOST_COPIES, copies, sheets
from lessons.visits import doing, holding
from lessons.visits.presentation import coming_reveal
from lessons.visits.ways import Visitor, run_in
from tests.games.classroom import (
    a_classroom,
    a_session,
    a_teacher,
    device_of,
    picture,
    signed_in,
    students_in,
)
from tests.games.table import finish
from tests.scenes import SOAK, present
from tests.scenes.lessons import text_of
from xactika_site.classrooms.models import Attendance, ClassSession, Student
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db
DEALS = "class-deals"
OUR_QUESTION = "our-question"


@pytest.fixture
def teacher() -> Client:
    return signed_in(a_teacher())


def in_class(how_many: int, at: str = "") -> tuple[ClassSession, list[Student], Client]:
    """A session with so many students, held at this lesson, and its teacher's browser."""
    session = a_session()
    students = students_in(session, how_many)
    if at:
        holding.hold(session=session, slug=at)
    return session, students, signed_in(session.classroom.teachers.get())


def predict(session: ClassSession, student: Student, value: int) -> int:
    """The answer to a prediction in the first step, from the student's own device."""
    form = {"step": "1", "do": "predict", "value": f"{value}"}
    return device_of(student, session).post(f"/lessons/{DEALS}/do/", form).status_code


def test_a_teacher_leads_a_lesson_from_choice_to_end() -> None:
    session, students, browser = in_class(6)
    page = f"/teach/sessions/{session.pk}/lesson/"
    assert "Hold a lesson" in text_of(browser.get(page))
    assert browser.post(page, {"do": f"hold:{DEALS}"}).status_code == 302
    assert "Done: 0 of 6" in text_of(browser.get(page))
    for number, student in enumerate(students):
        assert predict(session, student, 30 + number) == 302
    assert "Done: 6 of 6" in text_of(browser.get(page))
    wall = f"{page}wall/"
    assert "What your class said" not in text_of(browser.get(wall))
    browser.post(page, {"do": "close"})
    assert "What your class said" in text_of(browser.get(wall))
    assert predict(session, students_in(session, 1)[0], 50) == 422
    browser.post(page, {"do": "open:3"})
    shown = text_of(browser.get(wall))
    assert "What your class said" in shown
    assert "33.9 of 100 hands" in shown
    browser.post(page, {"do": "end"})
    assert LessonRun.objects.get().ended is not None
    # Both look back on it: who took part, what they answered, what is next.
    bars = "30–39 true 6"
    assert bars in text_of(browser.get(wall))
    told = text_of(browser.get(page))
    assert "The lesson is over." in told
    assert "Students who took part: 6 of 7. Steps seen: 3 of" in told
    assert bars in told
    game = f"{wall}?from=game"
    assert browser.get(game).headers["HX-Redirect"] == wall
    forming.form_tables(session_id=session.pk)
    assert browser.get(wall).headers["Location"].endswith("/projector/")
    assert browser.get(game).status_code == 204
    steering.start(session_id=session.pk)
    assert "The lesson is over." not in text_of(browser.get(page))


def test_the_wall_shows_no_predictions_of_few() -> None:
    session, students, browser = in_class(4, at=DEALS)
    for student in students:
        predict(session, student, 34)
    page = f"/teach/sessions/{session.pk}/lesson/"
    assert "Figures are shown from five answers on." in text_of(browser.get(f"{page}wall/"))
    browser.post(page, {"do": "close"})
    told = {page: "Answers: 4. You can show them from 5 on."}
    told[f"{page}wall/"] = "Done: 4 of 4 · This step is closed."
    for address, words in told.items():
        shown = text_of(browser.get(address))
        assert "What your class" not in shown
        assert words in shown
    browser.post(page, {"do": "open:3"})
    assert "Answers: 4." in text_of(browser.get(page))
    for reader in (
        browser.get(f"{page}wall/"),
        device_of(students[0], session).get(f"/lessons/{DEALS}/"),
    ):
        assert "What your class" not in text_of(reader)


def test_before_closing_it_is_said_from_how_many_predictions_on_they_are_shown() -> None:
    session, students, browser = in_class(5, at=DEALS)
    page = f"/teach/sessions/{session.pk}/lesson/"
    for number, student in enumerate(students):
        so_far = f"Answers: {number}"
        assert f"{so_far}. You can show them from 5 on" in text_of(browser.get(page))
        assert "Figures are shown from five" in text_of(browser.get(f"{page}wall/"))
        assert "Take no more answers" in text_of(browser.get(page))
        predict(session, student, 34)
    for address in (page, f"{page}wall/"):
        assert "rom 5 " not in text_of(browser.get(address))
    assert "Close, and show the answers" in text_of(browser.get(page))


def test_the_teacher_may_unfold_the_predictions_of_few() -> None:
    """Closed, and by a press: what lies open on a mirrored screen tells about nobody."""
    session, students, browser = in_class(2, at=DEALS)
    page = f"/teach/sessions/{session.pk}/lesson/"
    folded = '<details id="few-{}" class="few"><summary>'
    closing = {"do": "close"}
    browser.post(page, closing)
    assert "For you alone" not in text_of(browser.get(page))  # of nobody there is nothing
    browser.post(page, {"do": "reopen"})
    for student, value in zip(students, (34, 71), strict=True):
        predict(session, student, value)
    assert "For you alone" not in text_of(browser.get(page))
    browser.post(page, closing)
    answer = browser.get(page)
    assert "For you alone: the first answers" in text_of(answer)
    assert "20–29 0 30–39 1 40–49 0" in text_of(answer)
    assert folded.format(1) in answer.text
    assert not any(student.name in text_of(answer) for student in students)
    browser.post(page, {"do": "open:3"})
    answer = browser.get(page)
    assert "30–39 true 1 40–49 0" in text_of(answer)
    assert folded.format(3) in answer.text  # another one: folded again
    for reader in (
        browser.get(f"{page}wall/"),
        device_of(students[0], session).get(f"/lessons/{DEALS}/"),
    ):
        assert "For you alone" not in text_of(reader)
        assert "30–39" not in text_of(reader)


def test_five_predictions_are_shown_once_not_twice() -> None:
    session, _students, browser = in_class(5, at=DEALS)
    wall_of(session, browser, step=1)
    holding.close_step(session=session, closed=True)
    shown = text_of(browser.get(f"/teach/sessions/{session.pk}/lesson/"))
    assert "What your class said" in shown
    assert "For you alone" not in shown


def test_the_step_that_reveals_is_named_beforehand() -> None:
    session, (student,), browser = in_class(1, at=DEALS)
    page = f"/teach/sessions/{session.pk}/lesson/"
    device = device_of(student, session)

    def room(step: int) -> str:
        return text_of(device.get(f"/lessons/{DEALS}/room/?step={step}&shown="))

    comes = "The answer comes in step 3: See."
    assert comes in text_of(browser.get(page))
    browser.post(page, {"do": "close"})
    assert comes in text_of(browser.get(page))
    assert "Open step 2: Try" in text_of(browser.get(page))
    assert "Stay here. This page moves on by itself." in room(1)
    browser.post(page, {"do": "open:2"})
    browser.post(page, {"do": "close"})
    assert "The answer comes in step 3: See." in text_of(browser.get(page))
    assert "Your teacher has closed this step. Stay here." in room(2)
    browser.post(page, {"do": "open:3"})
    assert "The answer comes" not in text_of(browser.get(page))
    browser.post(page, {"do": "open:4"})
    assert "The answer comes in step 6: See." in text_of(browser.get(page))


@pytest.mark.parametrize("course", lessons(), ids=lambda course: course.slug)
def test_every_prediction_has_its_reveal_named(course: Lesson) -> None:
    for number, step in enumerate(course.steps, start=1):
        if step.kind is StepKind.PREDICT and not step.graphs:
            comes = present(coming_reveal(course, number))
            assert number < comes["number"] <= course.reveal_of(step.name)
    assert coming_reveal(course, len(course.steps)) is None


def test_a_question_is_chosen_not_predicted() -> None:
    session, students, browser = in_class(5, at=OUR_QUESTION)
    page = f"/teach/sessions/{session.pk}/lesson/"
    for number, student in enumerate(students):
        shown = text_of(browser.get(page))
        assert f"Answers: {number}. You can show them from 5 on" in shown
        assert "Take no more answers" in shown
        assert "The answer comes" not in shown
        assert "rediction" not in shown + text_of(browser.get(f"{page}wall/"))
        doing.predict(
            lesson=lesson(OUR_QUESTION),
            visitor=Visitor(student=student, session=session.pk),
            number=1,
            value=0,
        )
    assert "Close, and show the answers" in text_of(browser.get(page))
    browser.post(page, {"do": "close"})
    for address in (page, f"{page}wall/"):
        assert "What your class said" in text_of(browser.get(address))
    browser.post(page, {"do": "open:4"})
    device = device_of(students[0], session)
    for reader in (browser.get(page), device.get(f"/lessons/{OUR_QUESTION}/")):
        shown = text_of(reader)
        assert "What your class said" in shown


def wall_of(session: ClassSession, browser: Client, *, step: int) -> str:
    """The wall at a step, after everybody has predicted and dealt what stands before it."""
    course = lesson(DEALS)
    for number in range(1, step + 1):
        holding.open_step(session=session, number=number)
        for student in Student.objects.filter(classroom=session.classroom):
            visitor = Visitor(student=student, session=session.pk)
            if course.steps[number - 1].kind is StepKind.PREDICT:
                doing.predict(lesson=course, visitor=visitor, number=number, value=1)
            elif course.steps[number - 1].deal:
                doing.deal_hands(lesson=course, visitor=visitor, number=number)
    return text_of(browser.get(f"/teach/sessions/{session.pk}/lesson/wall/"))


@pytest.mark.parametrize("closed", [False, True])
def test_the_wall_shows_the_question_and_what_the_class_predicted(closed: bool) -> None:
    session, _students, browser = in_class(5, at=DEALS)
    wall_of(session, browser, step=4)
    holding.close_step(session=session, closed=closed)
    shown = text_of(browser.get(f"/teach/sessions/{session.pk}/lesson/wall/"))
    assert "We deal 10 hands, then 1000." in shown
    assert ("What your class said" in shown) == closed
    assert shown.count("It stays about the same") == 1


def test_the_wall_explains_what_it_reveals_beside_the_predictions() -> None:
    session, _students, browser = in_class(5, at=DEALS)
    shown = wall_of(session, browser, step=6)
    assert "It grows, but the share comes closer" in shown
    assert "What your class said" in shown
    assert "With 10 hands the count is typically off by" in shown
    assert "a much smaller share than" in shown
    assert "Nothing evens out" in shown
    page = browser.get(f"/teach/sessions/{session.pk}/lesson/wall/").text
    assert "data-figure" not in page  # no chart of something else


def test_the_wall_and_the_question_speak_of_voids() -> None:
    session, _students, browser = in_class(5, at=DEALS)
    shown = wall_of(session, browser, step=3)
    assert "How many hands have a void?" in shown
    assert "Each dot is one of 5 students:" in shown
    assert "All 50 hands together:" in shown
    assert "Theory 33.9%" in shown
    page = browser.get(f"/teach/sessions/{session.pk}/lesson/wall/").text
    assert page.count('r="5.0"') == 5  # the dots


def test_while_a_class_deals_its_picture_grows_without_the_theory() -> None:
    session, _students, browser = in_class(5, at=DEALS)
    shown = wall_of(session, browser, step=2)
    assert "Each dot is one of 5 students:" in shown
    assert "Theory" not in shown
    wall = f"/teach/sessions/{session.pk}/lesson/wall/"
    version = present(re.search(r"shown=([^\"]+)", browser.get(wall).text))
    asked, headers = f"{wall}?shown={version[1]}", {"HX-Request": "true"}
    assert browser.get(asked, headers=headers).status_code == 204
    student = Student.objects.filter(classroom=session.classroom).first()
    visitor = Visitor(student=student, session=session.pk)
    doing.deal_hands(lesson=lesson(DEALS), visitor=visitor, number=2)
    later = browser.get(asked, headers=headers)
    assert "All 60 hands together:" in text_of(later)


def test_a_few_students_are_no_dots() -> None:
    session, _students, browser = in_class(4, at=DEALS)
    shown = wall_of(session, browser, step=2)
    assert "Each dot" not in shown
    assert "Done: 4 of 4" in shown


def test_the_wall_tells_latecomers_how_to_come_in() -> None:
    session, _students, browser = in_class(1, at=DEALS)
    wall = f"/teach/sessions/{session.pk}/lesson/wall/"
    code = session.classroom.code
    shown = text_of(browser.get(wall))
    assert f"testserver/join/ {code[:3]} {code[3:]}" in shown
    version = present(re.search(r"shown=([^\"]+)", browser.get(wall).text))
    ClassSession.objects.filter(pk=session.pk).update(locked=True)
    later = browser.get(f"{wall}?shown={version[1]}", headers={"HX-Request": "true"})
    assert later.status_code == 200  # it goes as soon as it lets nobody in
    assert code[:3] not in text_of(later)


def test_the_way_in_stands_where_a_lesson_is_chosen_and_led() -> None:
    session, _students, browser = in_class(1)
    page = f"/teach/sessions/{session.pk}/lesson/"
    code = session.classroom.code
    way_in = f"Students open testserver/join/ and type {code[:3]} {code[3:]} ."
    assert way_in in text_of(browser.get(page))
    holding.hold(session=session, slug=DEALS)
    assert way_in in text_of(browser.get(page))
    ClassSession.objects.filter(pk=session.pk).update(locked=True)
    assert "The lobby is locked" in text_of(browser.get(page))
    assert code[:3] not in text_of(browser.get(page))
    holding.end_lesson(session=session)
    ClassSession.objects.filter(pk=session.pk).update(locked=False, state="closed")
    closed = text_of(browser.get(page))
    assert "Students open" not in closed
    assert "The lobby is locked" not in closed


def test_a_lesson_that_this_classroom_has_held_says_how_far_and_when() -> None:
    earlier, _students, browser = in_class(0)
    holding.hold(session=earlier, slug=DEALS)
    LessonRun.objects.update(begun=datetime(2026, 3, 5, 12, tzinfo=UTC), step=2)
    class_closing.close_session(session_id=earlier.pk)
    other = a_session(a_classroom(name="8a"))  # another classroom's lessons are its own
    holding.hold(session=other, slug="the-lead")
    session = a_session(earlier.classroom)
    page = f"/teach/sessions/{session.pk}/lesson/"
    shown, steps = text_of(browser.get(page)), len(lesson(DEALS).steps)
    assert f"Step 2 of {steps} · 5 March 2026 Hold this lesson" in shown
    assert "✓" not in shown
    LessonRun.objects.filter(class_session=earlier).update(step=steps)
    shown = text_of(browser.get(page))
    assert shown.count("✓") == 1
    assert re.search(r"The class’s deals .{,200} ✓ 5 March 2026 Hold this lesson", shown)


def test_a_lesson_that_was_stopped_is_not_ticked_off() -> None:
    session, _students, browser = in_class(0)
    run = holding.hold(session=session, slug=DEALS)
    holding.open_step(session=session, number=3)
    holding.end_lesson(session=session)
    page, steps = f"/teach/sessions/{session.pk}/lesson/", len(lesson(DEALS).steps)
    assert f"Steps seen: 3 of {steps}. Next lesson: " in text_of(browser.get(page))
    holding.hold(session=session, slug=OUR_QUESTION)
    holding.end_lesson(session=session)
    assert f"The class’s deals · Step 3 of {steps}" in text_of(browser.get(page))
    LessonRun.objects.filter(pk=run.pk).update(step=steps)
    assert "✓ The class’s deals" in text_of(browser.get(page))


# What a session is about: its lesson, its game, or both.


def texts_of(session: ClassSession, student: Student, browser: Client) -> dict[str, str]:
    """What everybody reads beside the lesson: student, cockpit, wall, and who leads."""
    address = f"/teach/sessions/{session.pk}/"
    return {
        "student": text_of(device_of(student, session).get(f"/class/{session.pk}/")),
        "cockpit": text_of(browser.get(address)),
        "wall": text_of(browser.get(f"{address}projector/")),
        "lesson": text_of(browser.get(f"{address}lesson/")),
    }


def test_before_any_lesson_the_teacher_s_pages_speak_of_the_game() -> None:
    session, (student,), browser = in_class(1)
    said = texts_of(session, student, browser)
    assert "Stay here. This page moves on by itself." in said["student"]
    assert all(words in said[who] for who, words in OF_THE_GAME.items())
    assert (
        "When students are in, Start the game appears at the top. Latecomers" in said["cockpit"]
    )
    page = browser.get(f"/teach/sessions/{session.pk}/").text
    assert '<span class="state">Lobby' in page
    assert re.search(r'value="start"[^>]*class="primary big"', page)


def test_a_session_with_only_a_lesson_speaks_of_no_game() -> None:
    session, (student,), browser = in_class(1, at=DEALS)
    said = texts_of(session, student, browser)
    assert "Next: the lesson. Press the button above." in said["student"]
    assert "Lead the lesson" in said["cockpit"]
    assert "Wall: hide the lesson" in said["lesson"]
    page = browser.get(f"/teach/sessions/{session.pk}/").text
    assert re.search(r'id="lead-lesson" class="button primary big"', page)
    assert not re.search(r'value="start"[^>]*class="primary"', page)
    assert_no_game(said)
    holding.end_lesson(session=session)
    said = texts_of(session, student, browser)
    assert "The lesson is over." in said["student"]
    assert "Stay here. This page moves on by itself." in said["student"]
    assert_no_game(said)
    class_closing.close_session(session_id=session.pk)
    said = texts_of(session, student, browser)
    assert "Thank you!" in said["student"]
    assert "Thank you!" in said["wall"]
    assert_no_game(said)


OF_THE_GAME = {"cockpit": "Start the game appears", "wall": "Play to Bid"}
"""What one reads of a game that is to come."""


def assert_no_game(said: dict[str, str]) -> None:
    for words in OF_THE_GAME.values():
        assert not [who for who, text in said.items() if words in text], words


def test_a_lesson_after_a_game_leaves_the_game_its_words() -> None:
    session, (student,), browser = in_class(1)
    steering.start(session_id=session.pk)
    assert "pauses the tables in play" in texts_of(session, student, browser)["lesson"]
    holding.hold(session=session, slug=DEALS)
    said = texts_of(session, student, browser)
    assert "Lead the lesson" in said["cockpit"]
    assert "Your teacher has paused the game." in said["student"]
    holding.end_lesson(session=session)
    after = texts_of(session, student, browser)["lesson"]  # where one has ended it
    assert "The session is paused Go on" in after
    assert "pauses the tables in play" not in after
    steering.pause_room(session_id=session.pk, paused=False)
    assert "Go to my table" in texts_of(session, student, browser)["student"]
    class_closing.close_session(session_id=session.pk)
    said = texts_of(session, student, browser)
    for who in ("student", "wall"):
        assert "Thank you!" in said[who]
    assert "Lead the lesson" not in said["cockpit"]  # a closed session is at none


def test_bots_play_for_nobody_who_is_at_a_lesson() -> None:
    """No game is begun or goes on before it ends; a round in play waits."""
    session, students, browser = in_class(2, at=DEALS)
    cockpit = f"/teach/sessions/{session.pk}/"
    assert "Start the game" not in text_of(browser.get(cockpit))
    with pytest.raises(Refused, match="End it first"):
        steering.start(session_id=session.pk)
    holding.end_lesson(session=session)
    steering.start(session_id=session.pk)
    holding.hold(session=session, slug=DEALS)
    assert picture(session).state == ClassSession.State.PAUSED
    at_table = device_of(students[0], session).get(f"/class/{session.pk}/lesson/")
    assert at_table.headers["HX-Redirect"] == f"/lessons/{DEALS}/"
    assert ">Go on<" not in browser.get(cockpit).text
    with pytest.raises(Refused, match="End it first"):
        steering.pause_room(session_id=session.pk, paused=False)
    with pytest.raises(Refused, match="End it first"):
        steering.deal_next_round(session_id=session.pk)
    assert "End the lesson to go on." in text_of(browser.get(cockpit))
    holding.end_lesson(session=session)
    steering.pause_room(session_id=session.pk, paused=False)
    assert picture(session).state == ClassSession.State.OPEN


def test_tables_that_were_formed_but_never_dealt_are_no_game() -> None:
    session, (student,), _browser = in_class(1)
    forming.form_tables(session_id=session.pk)
    assert not picture(session).played.dealt
    steering.start(session_id=session.pk)
    assert picture(session).played.dealt
    table, _seat = seat_of(student, session.pk) or ("", 0)
    finish(table)
    holding.hold(session=session, slug=DEALS)
    assert picture(session).lesson == "on"
    over = text_of(device_of(student, session).get(f"/class/{session.pk}/"))
    assert "All tables have finished." in over
    assert "Next: the lesson." in over


def test_some_of_the_hands_dealt_are_shown() -> None:
    session, (student,), _browser = in_class(1, at=DEALS)
    holding.open_step(session=session, number=2)
    device = device_of(student, session)
    path = f"/lessons/{DEALS}/"
    device.post(f"{path}do/", {"step": "2", "do": "deal"})
    shown = device.get(f"{path}?step=2")
    assert "Hands so far: 10" in text_of(shown)
    assert shown.text.count("row small") == 3


def test_who_has_a_lesson_open_is_here() -> None:
    session, (student, other), _browser = in_class(2, at=DEALS)
    long_ago = timezone.now() - timedelta(minutes=5)
    Attendance.objects.update(last_seen=long_ago)
    room = f"/lessons/{DEALS}/room/?step=1&shown=1.0"
    assert device_of(student, session).get(room).status_code == 204
    mine, others = (Attendance.objects.get(student=one) for one in (student, other))
    assert others.last_seen == long_ago
    assert mine.last_seen
    assert timezone.now() - mine.last_seen < timedelta(minutes=1)


def test_a_step_opened_while_a_page_asks_takes_it_along(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The page would else be told the new step once, and never go there."""
    session, (student,), _browser = in_class(1, at=DEALS)
    predict(session, student, 90)

    def looked(session_id: int | None) -> LessonRun | None:
        run = run_in(session_id)
        holding.open_step(session=session, number=2)
        return run

    monkeypatch.setattr("lessons.pages.lessons.run_in", looked)
    asked = device_of(student, session).get(f"/lessons/{DEALS}/room/?step=1&shown=")
    assert asked.headers["HX-Redirect"].endswith("?step=2#step")


def test_pages_ask_for_what_is_new_and_get_nothing_else() -> None:
    session, _students, browser = in_class(1, at=DEALS)
    page = f"/teach/sessions/{session.pk}/lesson/"
    htmx = {"HX-Request": "true"}
    for address in (page, f"{page}wall/"):
        version = present(re.search(r"shown=([^\"]+)", browser.get(address).text))
        asked = f"{address}?shown={version[1]}"
        assert browser.get(asked, headers=htmx).status_code == 204
        holding.close_step(session=session, closed=True)
        assert browser.get(asked, headers=htmx).status_code == 200
        holding.close_step(session=session, closed=False)
    holding.show_on_wall(session=session, on=False)
    gone = browser.get(f"{page}wall/", headers=htmx)
    assert gone.headers["HX-Redirect"].endswith("/projector/")
    assert browser.get(f"{page}wall/?from=game", headers=htmx).status_code == 204
    holding.show_on_wall(session=session, on=True)
    there = browser.get(f"{page}wall/?from=game", headers=htmx)
    assert there.headers["HX-Redirect"].endswith("/lesson/wall/")


def test_students_are_told_and_taken_along_once() -> None:
    session, (student,), _browser = in_class(1)
    device = device_of(student, session)
    told = f"/class/{session.pk}/lesson/"
    assert device.get(told).content == b""
    holding.hold(session=session, slug=DEALS)
    taken = device.get(f"{told}?from=lobby")
    assert taken.headers["HX-Redirect"] == f"/lessons/{DEALS}/"
    assert "HX-Redirect" not in device.get(told).headers  # at the table: a line alone
    assert "Your class is in a lesson" in text_of(device.get(told))
    device.get(f"/lessons/{DEALS}/")
    assert "HX-Redirect" not in device.get(f"{told}?from=lobby").headers
    stranger = device_of(students_in(a_session(), 1)[0], session)
    for other in (Client(), stranger):
        assert other.get(told).status_code == 404


def test_a_finished_table_follows_to_the_lesson() -> None:
    session, (student,), _browser = in_class(1)
    steering.start(session_id=session.pk)
    (table,) = picture(session).tables
    finish(table)
    holding.hold(session=session, slug=DEALS)
    device, told = device_of(student, session), f"/class/{session.pk}/lesson/"
    assert device.get(told).headers["HX-Redirect"] == f"/lessons/{DEALS}/"
    device.get(f"/lessons/{DEALS}/")
    assert "HX-Redirect" not in device.get(told).headers


def test_news_reach_the_class_when_a_lesson_begins_and_ends() -> None:
    session, _students, _browser = in_class(1)
    settings = session.settings
    holding.hold(session=session, slug=DEALS)
    settings.refresh_from_db()
    before = settings.news
    holding.end_lesson(session=session)
    holding.end_lesson(session=session)
    settings.refresh_from_db()
    assert settings.news == before + 1 == 2


def test_what_is_no_action_changes_nothing() -> None:
    session, _students, browser = in_class(1, at=DEALS)
    before = list(LessonRun.objects.values())
    for do in ("", "nonsense", "open:", "open:x", "open:99999", "hold"):
        answer = browser.post(f"/teach/sessions/{session.pk}/lesson/", {"do": do})
        assert answer.status_code in (404, 409), do
        assert list(LessonRun.objects.values()) == before, do


def test_a_closed_session_holds_no_lesson() -> None:
    session, _students, browser = in_class(0)
    ClassSession.objects.filter(pk=session.pk).update(state="closed")
    answer = browser.post(f"/teach/sessions/{session.pk}/lesson/", {"do": f"hold:{DEALS}"})
    assert answer.status_code == 409
    assert "This session is closed." in text_of(answer)


# Paper.


def test_the_key_draws_percents_beside_percents() -> None:
    """The bars that were missing are drawn to the scale of those that were not."""
    for sheet in sheets(lesson("the-deal"), seed=4711, first=1, last=6):
        task = next(each for each in sheet.tasks if each.full)
        assert task.question is not None
        assert task.full is not None
        chances = [each for key, each in task.question.right.items() if key != "mean"]
        drawn = [float(bar.text.rstrip("%")) for bar in task.full.bars if bar.kind == "own"]
        assert drawn == [pytest.approx(100 * float(each), rel=0.01) for each in chances]
        heights = [(float(bar.text), bar.height) for bar in task.full.bars if bar.text]
        for text, height in heights:
            assert height == pytest.approx(text * max(heights)[1] / max(heights)[0], abs=0.6)
        told = [line.right for line in task.lines if line.label.startswith("Chance of")]
        assert all(text.endswith("%") for text in told)


@pytest.mark.parametrize("course", lessons(), ids=lambda course: course.slug)
def test_every_copy_differs_and_fits_its_key(course: Lesson, teacher: Client) -> None:
    copies_made = 12 if SOAK else 3
    made = sheets(course, seed=4711, first=1, last=copies_made)
    again = sheets(course, seed=4711, first=3, last=3)
    assert again[0] == made[2]
    assert len({str([task.question for task in sheet.tasks]) for sheet in made}) == copies_made
    path = f"/lessons/{course.slug}/worksheet/?seed=4711&copy=3"
    sheet, key = teacher.get(path), teacher.get(f"{path}&key=1")
    number = f"{course.number}–4711–3"
    assert f"Sheet {number}" in text_of(sheet)
    assert f"Sheet {number}" in text_of(key)
    assert sheet.text.count("<b>") == 1  # the sheet's number: tasks don't repeat the title
    for task in course.tasks:
        if isinstance(task, WrittenQuestion):
            assert task.answer[:30] in text_of(key)
            assert task.answer[:30] not in text_of(sheet)


def test_no_variants_left_is_told(teacher: Client) -> None:
    course = lesson("sample-space")
    most = copies(course, 5)
    assert most == MOST_COPIES
    sheets(course, seed=5, first=most, last=most)
    with pytest.raises(Refused, match=f"ends at copy {most}"):
        sheets(course, seed=5, first=1, last=most + 1)
    answer = teacher.get(f"/lessons/sample-space/worksheet/?seed=5&copy={most + 1}")
    assert answer.status_code == 422
    assert "ends at copy" in text_of(answer)
    assert "Sheet 1–5" not in text_of(answer)


def test_absurd_sheets_are_refused(teacher: Client) -> None:
    for query in (
        "seed=0&copy=1", "seed=x&copy=1", "seed=99999&copy=1", "seed=7&copy=0",
        "seed=7&copy=5-2", "seed=7&copy=1-", "seed=7&copy=-3", "seed=&copy=",
        "seed=٣&copy=1", "seed=7&copy=1e9",
    ):  # fmt: skip
        answer = teacher.get(f"/lessons/sample-space/worksheet/?{query}")
        assert answer.status_code == 422, query
        assert 'role="alert"' in answer.text, query


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
        "minutes",
    ):
        assert part in shown
    assert str(course.minutes) in shown
    assert all(code.advice in unescape(shown) for code, _added in course.guide.errors)
    assert teacher.get("/lessons/nothing/teacher/").status_code == 404


def test_the_step_of_an_experiment_leads_to_the_form_that_begins_one(teacher: Client) -> None:
    session = a_session()
    course = lesson("is-it-luck")
    holding.hold(session=session, slug=course.slug)
    (number,) = (n for n, s in enumerate(course.steps, 1) if s.shows.experiment == "played")
    holding.open_step(session=session, number=number)
    form = f"/teach/sessions/{session.pk}/settings/?experiment=tips#id_experiment"
    leads = f"/teach/sessions/{session.pk}/lesson/"
    guide = f"/lessons/{course.slug}/teacher/"
    for page in (leads, f"{guide}?session={session.pk}"):
        assert f'href="{form}"' in teacher.get(page).text
    assert "/settings/" not in teacher.get(guide).text
    session.settings.experiment = "tips"
    session.settings.save()
    chosen = teacher.get(leads).text
    assert form not in chosen
    assert "Start the game in the cockpit." in chosen


def test_a_class_plays_the_experiment_in_the_middle_of_its_lesson() -> None:
    """There the game is begun, and every phone at the lesson is taken to its table."""
    course = lesson("is-it-luck")
    session, (student, _other), browser = in_class(2, at=course.slug)
    (number,) = (n for n, s in enumerate(course.steps, 1) if s.shows.experiment == "played")
    cockpit = f"/teach/sessions/{session.pk}/"
    device, room = device_of(student, session), f"/lessons/{course.slug}/room/"
    assert "Start the game" not in text_of(browser.get(cockpit))
    holding.open_step(session=session, number=number)
    assert "Start the game" in text_of(browser.get(cockpit))
    assert "HX-Redirect" not in device.get(room).headers
    steering.start(session_id=session.pk)
    table, _seat = seat_of(student, session.pk) or ("", 0)
    assert device.get(room).headers["HX-Redirect"] == f"/tables/{table}/"
    line = f"/class/{session.pk}/lesson/"
    assert device.get(line, {"from": "table"}).content == b""  # nothing leads back there
    steering.pause_room(session_id=session.pk, paused=True)
    assert "HX-Redirect" not in device.get(room).headers
    Seat.objects.update(last_seen=None)
    steering.pause_room(session_id=session.pk, paused=False)
    assert Seat.objects.get(student=student, table=table).last_seen is not None
    with pytest.raises(Refused, match="still playing"):
        holding.open_step(session=session, number=number + 1)
    finish(table)
    assert "HX-Redirect" not in device.get(room).headers
    holding.open_step(session=session, number=number + 1)
    with pytest.raises(Refused, match="End it first"):
        steering.next_game(session_id=session.pk)
    assert "New game" not in text_of(browser.get(cockpit))


@pytest.mark.parametrize("step", ["why", "order"])
@pytest.mark.parametrize("students", [4, 6])
def test_reasons_are_the_teachers_until_the_step_is_closed(step: str, students: int) -> None:
    """Counts of the first answers, and what is right with its reason."""
    session, known, browser = in_class(students)
    course = lesson("the-lead")
    holding.hold(session=session, slug=course.slug)
    number = course.place(step)
    holding.open_step(session=session, number=number)
    statements = course.steps[number - 1].statements
    right, wrong = ([0], [1]) if step == "why" else ([0, 1, 2, 3], [0, 1, 3, 2])
    for n, student in enumerate(known):
        visitor = Visitor(student=student, session=session.pk)
        at: dict[str, Any] = {"lesson": course, "visitor": visitor, "number": number}
        for chosen in (wrong, right) if n < 2 else (right,):  # two tried again
            doing.explain(**at, chosen=chosen)
    at_once = [str(students - 2), "2", "0", "0"] if step == "why" else [str(students)] * 2
    address = f"/teach/sessions/{session.pk}/lesson/"
    reason = "the rows of their table are alike"
    if step == "order":
        reason = f"1. {markup.plain(statements[0].text)}" if students >= 5 else "<ol>"
    counts = re.compile(r"<b>(\d+)</b>\s*</td>")

    lead = browser.get(address).text
    assert counts.findall(lead)[: len(at_once)] == at_once
    assert reason in lead
    wall = browser.get(f"{address}wall/").text
    assert not counts.findall(wall)
    assert reason not in wall
    assert 'class="mark word"' not in wall

    holding.close_step(session=session, closed=True)
    wall = browser.get(f"{address}wall/").text
    assert counts.findall(wall)[: len(at_once)] == (at_once if students >= 5 else [])
    assert markup.plain(statements[0].text) in wall
    assert (reason if reason != "<ol>" else '<ol class="wall-choices">') in wall


def test_the_page_that_leads_has_minutes_a_clock_and_the_short_path() -> None:
    session, _students, browser = in_class(1)
    run = holding.hold(session=session, slug="the-lead")
    holding.open_step(session=session, number=3)
    begun = run.begun - timedelta(minutes=18)
    LessonRun.objects.filter(pk=run.pk).update(begun=begun)
    address = f"/teach/sessions/{session.pk}/lesson/"
    lead = text_of(browser.get(address))
    assert "Minute 18, planned: 6 to 8." in lead
    assert "45-minute path · 7" in lead
    assert "Try · 9 min" in lead
    assert "Predict · 3 min · 45-minute path Somebody can’t follow" in lead
    shown = present(re.search(r"\?shown=([^\"]+)", browser.get(address).text))
    again = f"{address}?shown={shown[1]}"
    assert browser.get(again, headers={"HX-Request": "true"}).status_code == 204
    LessonRun.objects.filter(pk=run.pk).update(begun=begun - timedelta(minutes=1))
    assert "Minute 19" in text_of(browser.get(again, headers={"HX-Request": "true"}))
    LessonRun.objects.filter(pk=run.pk).update(begun=begun - timedelta(days=1))
    assert "planned:" not in text_of(browser.get(address))  # another day
    guide = text_of(browser.get("/lessons/the-lead/teacher/"))
    assert "Three cards could beat you 3 min" in guide
