"""What is done in lessons: predictions stay as they were made, rooms go forward, nobody sees
too early, or what too few have said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from games.models import Guest
from games.tables.opening import new_guest
from lessons.course import Lesson, lesson, lessons
from lessons.models import Commitment, LessonRun, Question, Visit
from lessons.visits import doing, holding
from lessons.visits.predictions import in_words, is_right, tally
from lessons.visits.presentation import step_context
from lessons.visits.ways import (
    Visitor,
    answer_counts,
    finished_hands,
    predictions,
    room_predictions,
    run_in,
    steps_done,
    way_of,
)
from tests.games.classroom import a_session, device_of, picture, playing, students_in
from tests.games.table import finish
from tests.scenes import present
from tests.scenes.questions import a_learner
from xactika_site.classrooms.models import ClassSession, Student
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db
BELL = "stats-table"


@pytest.fixture
def bell() -> Lesson:
    return lesson(BELL)


@pytest.fixture
def guest() -> Visitor:
    return Visitor(guest=new_guest()[0])


def in_class(how_many: int) -> tuple[ClassSession, list[Visitor]]:
    """A lesson held with so many students, at its first step."""
    session = a_session(None)
    students = students_in(session, how_many)
    holding.hold(session=session, slug=BELL)
    return session, [Visitor(student=each, session=session.pk) for each in students]


def bet(course: Lesson, visitor: Visitor, value: int, number: int = 1) -> None:
    doing.predict(lesson=course, visitor=visitor, number=number, value=value)


def value_of(visitor: Visitor, name: str = "bet") -> object:
    way = way_of(lesson(BELL), visitor)
    return way.done[name].value


# Predictions.


@pytest.mark.parametrize("value", [-1, 5, 99])
def test_a_prediction_must_be_one_of_those_offered(
    bell: Lesson, guest: Visitor, value: int
) -> None:
    with pytest.raises(Refused):
        bet(bell, guest, value)
    assert not Commitment.objects.exists()


def test_an_average_may_be_predicted_with_decimals() -> None:
    """Lesson 3 begins with a number that is none of the whole ones: 2.67."""
    course = lesson("the-deal")
    step, browser = course.steps[0], Client()
    assert 'step="0.01"' in browser.get("/lessons/the-deal/").text
    for text in ("2.675", "9", "-1", "x", "1e3", ""):
        form = {"step": "1", "do": "predict", "value": text}
        refused = browser.post("/lessons/the-deal/do/", form)
        assert refused.status_code == 422
        assert "decimals: up to 2" in refused.text
    form = {"step": "1", "do": "predict", "value": "2,67"}
    assert browser.post("/lessons/the-deal/do/", form).status_code == 302
    value = Commitment.objects.get().value
    assert value == {"number": 2.67}
    assert "2.67 cards" in browser.get("/lessons/the-deal/?step=1").text
    room = room_predictions(step, [value, {"number": 3}, {"number": 2.4}, {"number": 5}])
    rows = {row.label: row for row in tally(step, room, value, with_truth=True)}
    assert rows["about 3"].count == 2
    assert rows["about 3"].is_true
    assert rows["about 3"].is_mine
    assert (rows["about 2"].count, rows["about 5"].count) == (1, 1)
    rights = [is_right(step, each) for each in (value, {"number": 3}, {"number": 2.4})]
    assert rights == [True, True, False]


def test_after_the_reveal_it_is_refused(bell: Lesson) -> None:
    session, (early, late) = in_class(2)
    bet(bell, early, 1)
    doing.begin(lesson=bell, visitor=late)
    holding.open_step(session=session, number=3)
    with pytest.raises(Refused, match="closed"):
        bet(bell, late, 2)
    bet(bell, early, 2)
    assert value_of(early) == {"choice": 1}
    holding.end_lesson(session=session)
    with pytest.raises(Refused, match="closed"):
        bet(bell, late, 2)
    assert Commitment.objects.count() == 1


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["1 card", "1.49 cards", "2 cards"]),
        ("fr", ["1 carte", "1,49 carte", "2 cartes"]),
    ],
)
def test_the_noun_goes_with_the_number_that_was_predicted(
    language: str, words: list[str]
) -> None:
    step = lesson("the-deal").steps[0]
    with override(language):
        assert [in_words(step, {"number": n}) for n in (1, 1.49, 2)] == words


def test_a_prediction_that_the_teacher_closed_stays_closed(bell: Lesson) -> None:
    session, (student,) = in_class(1)
    doing.begin(lesson=bell, visitor=student)
    holding.close_step(session=session, closed=True)
    holding.open_step(session=session, number=1)  # pressed twice, say
    assert student.student
    device = device_of(student.student, session)
    form = {"step": "1", "do": "predict", "value": "2"}
    for number in (1, 2):  # then at the step; then back from the next one
        holding.open_step(session=session, number=number)
        answer = device.post(f"/lessons/{BELL}/do/", form)
        assert answer.status_code == 422
        page = device.get(f"/lessons/{BELL}/?step=1").text
        assert "Your teacher has closed this step." in page
        assert 'value="predict"' not in page
    holding.end_lesson(session=session)
    assert device.post(f"/lessons/{BELL}/do/", form).status_code == 422
    assert not Commitment.objects.exists()
    assert way_of(bell, student).open_to > 1  # alone one goes on without it


def test_no_request_changes_a_locked_prediction(bell: Lesson) -> None:
    browser = Client()
    path = f"/lessons/{BELL}/do/"
    assert browser.post(path, {"step": "1", "do": "predict", "value": "2"}).status_code == 302
    before = list(Commitment.objects.values())
    assert (before[0]["value"], before[0]["tries"]) == ({"choice": 2}, 1)
    for do in ("predict", "deal", "build", "explain", "done", "nonsense", ""):
        for value in ("0", "2", "-1", "9" * 50, "x", ""):
            browser.post(path, {"step": "1", "do": do, "value": value, "c0-0": "1"})
    assert list(Commitment.objects.values()) == before
    browser.post(path, {"step": "1", "do": "again"})  # beginning again leaves it as it is
    assert list(Commitment.objects.values()) == before
    assert Visit.objects.count() == 2


# Alone.


def test_alone_one_comes_as_far_as_the_next_prediction(bell: Lesson, guest: Visitor) -> None:
    assert way_of(bell, guest).open_to == 1
    with pytest.raises(Refused, match="isn’t open"):
        bet(bell, guest, 1, number=4)
    bet(bell, guest, 2)
    assert way_of(bell, guest).open_to == 4
    assert way_of(bell, guest).next_up == 2
    bet(bell, guest, 1, number=4)
    bet(bell, guest, 2, number=7)
    assert way_of(bell, guest).open_to == len(bell.steps)


def test_a_lesson_ends_with_what_was_right_at_first_and_the_next_one(bell: Lesson) -> None:
    browser = Client()
    path, last = f"/lessons/{BELL}/do/", len(bell.steps)
    for number, value in ((1, "2"), (4, "1"), (7, "2")):
        browser.post(path, {"step": str(number), "do": "predict", "value": value})
    assert "lesson-end" not in browser.get(f"/lessons/{BELL}/?step={last}").text
    right = next(n for n, each in enumerate(bell.steps[-1].statements) if each.is_right)
    browser.post(path, {"step": str(last), "do": "explain", "value": str(right)})
    page = browser.get(f"/lessons/{BELL}/?step={last}").text
    marks = re.findall(r'<i class="(well|done)"></i>', page)
    assert marks
    assert f"{marks.count('well')} of {len(marks)} right first time" in page
    assert f'href="/lessons/{lessons()[bell.number].slug}/"' in page


def test_a_page_tells_nothing_before_its_time() -> None:
    browser = Client()
    page = browser.get(f"/lessons/{BELL}/?step=3").text
    assert "Bet on a value" in page
    assert "best bet" not in page
    assert "A shape like a bell" not in page
    browser.post(f"/lessons/{BELL}/do/", {"step": "1", "do": "predict", "value": "2"})
    page = browser.get(f"/lessons/{BELL}/?step=3").text
    assert "A shape like a bell" in page
    assert "best bet" in page


@pytest.mark.parametrize("step", ["0", "-1", "99", "x", "", "1" * 40, "٣"])
def test_a_strange_step_is_the_present_one(step: str) -> None:
    answer = Client().get(f"/lessons/{BELL}/?step={step}")
    assert answer.status_code == 200
    assert "Bet on a value" in answer.text


@pytest.mark.parametrize("step", ["0", "-1", "99", "x", "", "1" * 40])
def test_a_strange_step_cannot_be_done(step: str) -> None:
    form = {"step": step, "do": "predict", "value": "1"}
    assert Client().post(f"/lessons/{BELL}/do/", form).status_code == 404
    assert not Visit.objects.exists()


# Graphs, deals, explanations.

BARS = [1, 4, 10, 16, 19, 16, 10, 4, 1]
MIDDLE = [0, 1, 3, 6, 7, 6, 3, 1, 0]


def built(bell: Lesson, guest: Visitor, row: Sequence[float], number: int = 2) -> str:
    texts = {f"h{place}": str(height) for place, height in enumerate(row)}
    doing.build(lesson=bell, visitor=guest, number=number, texts=texts)
    return str(step_context(way_of(bell, guest), number)["hint"])


def test_a_graph_is_graded_with_hints(bell: Lesson, guest: Visitor) -> None:
    bet(bell, guest, 2)
    assert "same size" in built(bell, guest, [9] * 9)
    assert "have 80" in built(bell, guest, [1, 4, 10, 16, 18, 16, 10, 4, 1])
    assert "7 of 9" in built(bell, guest, [1, 4, 10, 15, 20, 16, 10, 4, 1])
    assert built(bell, guest, BARS) == ""
    done = Commitment.objects.get(step="bars")
    assert (done.right, done.tries) == (True, 4)
    built(bell, guest, [9] * 9)  # what is right stays
    assert Commitment.objects.get(step="bars").right


def test_a_wrong_graph_says_where_to_look_and_a_right_one_is_locked(bell: Lesson) -> None:
    browser, learner = a_learner()
    guest = Visitor(guest=learner.guest)
    bet(bell, guest, 2)

    def off() -> tuple[str, ...]:
        return tuple(step_context(way_of(bell, guest), 2)["off"])

    built(bell, guest, [9] * 9)  # wrong as a whole: no place is the one to look at
    assert off() == ()
    built(bell, guest, [1, 4, 10, 15, 20, 16, 10, 4, 1])
    assert off() == ("h3", "h4")
    html = browser.get("/lessons/stats-table/?step=2").text
    assert html.count('aria-invalid="true"') == 2
    assert "readonly" not in html
    built(bell, guest, BARS)
    assert off() == ()
    html = browser.get("/lessons/stats-table/?step=2").text
    assert html.count(" readonly") == 9
    assert 'class="build finished"' in html


def test_curves_come_one_after_another(bell: Lesson, guest: Visitor) -> None:
    bet(bell, guest, 2)
    bet(bell, guest, 1, number=4)
    assert "another curve" in built(bell, guest, MIDDLE, number=5)
    for shift in range(3):
        assert not Commitment.objects.filter(step="curves", right=True).exists()
        row = [0] * shift + [1, 3, 6, 7, 6, 3, 1] + [0] * (2 - shift)
        assert built(bell, guest, row, number=5) == ""
    assert Commitment.objects.get(step="curves").right


@pytest.mark.parametrize("slices", [[66.67, 226.67, 66.67], [67, 227, 66], [66, 227, 67]])
def test_slices_may_be_a_degree_off(bell: Lesson, guest: Visitor, slices: list[float]) -> None:
    for number in (1, 4, 7):
        bet(bell, guest, 2, number=number)
    assert "percents" in built(bell, guest, [19, 63, 19], number=8)
    assert "same size" in built(bell, guest, [120, 120, 120], number=8)
    assert "a whole pie" in built(bell, guest, [67, 200, 66], number=8)
    assert built(bell, guest, slices, number=8) == ""


@pytest.mark.parametrize("slices", [[66, 226, 66], [67.5, 227.5, 67.5]])
def test_slices_that_are_no_whole_pie_are_not_right(
    bell: Lesson, guest: Visitor, slices: list[float]
) -> None:
    for number in (1, 4, 7):
        bet(bell, guest, 2, number=number)
    assert "pie" in built(bell, guest, slices, number=8)
    assert not Commitment.objects.get(step="pie").right


def test_a_card_is_a_whole_card(bell: Lesson, guest: Visitor) -> None:
    bet(bell, guest, 2)
    assert "81.004" in built(bell, guest, [1.004, *BARS[1:]])


def test_a_wrong_graph_is_not_ticked(bell: Lesson, guest: Visitor) -> None:
    """Not on the path, not in the list of lessons, not in the count that the room sees."""
    bet(bell, guest, 2)
    built(bell, guest, [9] * 9)
    way = way_of(bell, guest)
    ticked = {each["number"] for each in step_context(way, 2)["steps"] if each["done"]}
    assert ticked == {1}
    assert way.next_up == 2
    assert steps_done(guest)[BELL] == {"bet"}
    built(bell, guest, BARS)
    assert steps_done(guest)[BELL] == {"bet", "bars"}
    assert way_of(bell, guest).next_up == 3


def test_a_room_counts_right_graphs_only(bell: Lesson) -> None:
    session, (one, other) = in_class(2)
    holding.open_step(session=session, number=2)
    built(bell, one, [9] * 9)
    built(bell, other, BARS)
    run = present(run_in(session.pk))
    assert answer_counts(run) == {"bars": 1}


@pytest.mark.parametrize("text", ["x", "1/0", "1e400000", "9" * 50, "361", "-1", "<script>"])
def test_what_is_no_height_is_refused(bell: Lesson, guest: Visitor, text: str) -> None:
    bet(bell, guest, 2)
    with pytest.raises(Refused, match="Value 4"):
        doing.build(lesson=bell, visitor=guest, number=2, texts={"h0": text})
    assert not Commitment.objects.filter(step="bars").exists()


def test_an_exercise_is_asked_once_and_answered_here(bell: Lesson) -> None:
    browser = Client()
    path = f"/lessons/{BELL}/"
    for number, value in ((1, 2), (4, 1), (7, 2)):
        form = {"step": str(number), "do": "predict", "value": str(value)}
        assert browser.post(f"{path}do/", form).status_code == 302
    for _look in range(2):
        assert "SD" in browser.get(f"{path}?step=13").text
    asked = Question.objects.get()
    assert (asked.place, asked.exercise) == ("lesson", "deck-spread")
    assert (asked.visit, asked.step) == (Visit.objects.get(), "spread")
    # Without script, too, one comes back to where one was.
    alone = browser.post(f"/lessons/questions/{asked.pk}/solve/", follow=True).text
    assert f'href="{path}">← Back to the lesson' in alone
    way = way_of(bell, Visitor(guest=asked.guest))
    assert way.solved == {"spread"}
    assert way.next_up == 14
    assert steps_done(Visitor(guest=asked.guest))[BELL] == {"bet", "moved", "thirds", "spread"}


def test_a_step_that_speaks_of_patterns_asks_of_patterns() -> None:
    """Lesson 1 sorts the deck by pattern, so nobody is asked for slices by value."""
    course = lesson("sample-space")
    number = course.place("slices")
    for _visitor in range(12):
        guest = Visitor(guest=new_guest()[0])
        for predicted in ("how-many", "alike"):
            bet(course, guest, 0, number=course.place(predicted))
        asked = present(doing.question_in(way=way_of(course, guest), number=number))
        assert asked.parameters["slices"] == "patterns"


def test_an_explanation_may_be_tried_until_it_is_right(bell: Lesson, guest: Visitor) -> None:
    for number in (1, 4, 7):
        bet(bell, guest, 2, number=number)
    last = len(bell.steps)
    right = [each.is_right for each in bell.steps[-1].statements].index(True)
    wrong = 1 - right
    for chosen, was_right in ((wrong, False), (right, True), (wrong, True)):
        assert was_right == doing.explain(
            lesson=bell, visitor=guest, number=last, chosen=[chosen]
        )
    assert Commitment.objects.get(step="why").tries == 2
    assert Visit.objects.get().finished is not None


# With a class.


def test_one_lesson_at_a_time(bell: Lesson) -> None:
    session, _visitors = in_class(1)
    with pytest.raises(Refused, match="in a lesson"):
        holding.hold(session=session, slug=BELL)
    holding.end_lesson(session=session)
    holding.hold(session=session, slug=BELL)
    assert LessonRun.objects.count() == 2
    with pytest.raises(Refused, match="there any more"):
        holding.hold(session=session, slug="nothing")


def test_a_room_goes_forward_only(bell: Lesson) -> None:
    session, _visitors = in_class(1)
    holding.open_step(session=session, number=4)
    for number in (3, 0, -1, 99):
        with pytest.raises(Refused):
            holding.open_step(session=session, number=number)
    run = present(run_in(session.pk))
    assert run.step == 4


def test_predictions_of_few_are_not_shown(bell: Lesson) -> None:
    session, visitors = in_class(5)
    run = present(run_in(session.pk))
    for count, visitor in enumerate(visitors, start=1):
        bet(bell, visitor, 2 if count < 4 else 4)
        found = predictions(run, bell.steps[0])
        assert found.students == count
        assert found.may_be_shown == (count == 5)
    assert [row.count for row in tally(bell.steps[0], predictions(run, bell.steps[0]))] == [
        0, 0, 3, 0, 2,
    ]  # fmt: skip
    assert answer_counts(run) == {"bet": 5}


def test_a_student_of_the_class_goes_with_the_room(bell: Lesson) -> None:
    session, (visitor,) = in_class(1)
    browser = device_of(present(visitor.student), session)
    page = browser.get(f"/lessons/{BELL}/?step=4").text
    assert "Bet on a value" in page
    assert Visit.objects.get().run_id is not None
    room = f"/lessons/{BELL}/room/"
    assert browser.get(f"{room}?step=1&shown=1.0").status_code == 204
    holding.open_step(session=session, number=2)
    assert "step 2" in browser.get(f"{room}?step=1&shown=1.0").text
    waiting = browser.get(f"{room}?step=1&shown=1.0&waits=1")
    assert waiting.headers["HX-Redirect"].endswith("?step=2#step")
    bet(bell, visitor, 2)  # closed by the reveal only
    behind = browser.get(f"{room}?step=1&shown=1.0")  # who is through goes along
    assert behind.headers["HX-Redirect"].endswith("?step=2#step")
    holding.open_step(session=session, number=3)
    built(bell, visitor, [9] * 9)
    assert "step 3" in browser.get(f"{room}?step=2&shown=2.0").text
    built(bell, visitor, BARS)
    through = browser.get(f"{room}?step=2&shown=2.0")
    assert through.headers["HX-Redirect"].endswith("?step=3#step")
    assert browser.get(f"{room}?step=99&shown=2.0").status_code == 200
    holding.end_lesson(session=session)
    over = browser.get(f"{room}?step=1&shown=1.0")
    assert over.headers["HX-Redirect"] == f"/class/{session.pk}/"
    assert f"/class/{session.pk}/" in browser.get(f"/lessons/{BELL}/").text


def test_another_class_and_guests_are_not_in_the_room(bell: Lesson) -> None:
    session, _visitors = in_class(1)
    stranger = students_in(a_session(None), 1)[0]
    for browser in (Client(), device_of(stranger, session)):
        browser.post(f"/lessons/{BELL}/do/", {"step": "1", "do": "predict", "value": "0"})
    run = present(run_in(session.pk))
    assert predictions(run, bell.steps[0]).students == 0


def test_progress_is_ones_own(bell: Lesson, guest: Visitor) -> None:
    bet(bell, guest, 2)
    assert steps_done(guest) == {BELL: {"bet"}}
    assert steps_done(Visitor(guest=new_guest()[0])) == {}
    assert steps_done(Visitor()) == {}


def test_with_the_student_goes_what_they_did(bell: Lesson) -> None:
    _session, (visitor,) = in_class(1)
    bet(bell, visitor, 2)
    Student.objects.get(pk=present(visitor.student).pk).delete()
    assert not Visit.objects.exists()
    assert not Commitment.objects.exists()


def test_with_the_guest_goes_what_they_did(bell: Lesson, guest: Visitor) -> None:
    bet(bell, guest, 2)
    Guest.objects.all().delete()
    assert not Visit.objects.exists()


@pytest.mark.parametrize("name", ["class-deals", BELL, "hand-means"])
def test_what_is_dealt_or_built_is_done_by_nothing_else(name: str) -> None:
    """ "Done" for such a step, made up by a student, would leave no counts for the room."""
    course, visitor = lesson(name), Visitor(guest=new_guest()[0])
    tried = 0
    for number, step in enumerate(course.steps, start=1):
        if step.deal is not None or step.build:
            with pytest.raises(Refused):
                doing.finish_step(lesson=course, visitor=visitor, number=number)
            tried += 1
    assert tried
    assert not Commitment.objects.exists()


def test_finished_hands_are_those_of_rounds_that_are_over() -> None:
    session, _students = playing(4, seats=4, rounds=1)
    assert finished_hands(session.pk) == []
    finish(picture(session).tables[0])
    hands = finished_hands(session.pk)
    assert [len(hand) for hand in hands] == [8] * 4
    assert len({card for hand in hands for card in hand}) == 32


def test_visits_expire(bell: Lesson, guest: Visitor) -> None:
    bet(bell, guest, 2)
    assert doing.purge_visits(timezone.now() - timedelta(days=180)) == 0
    assert doing.purge_visits(timezone.now()) == 1
    assert not Commitment.objects.exists()


def test_a_step_draws_what_it_tells(guest: Visitor) -> None:
    """A hand with the cards that a tip counts, bids at their seats, lots, a share."""

    def drawn(slug: str, number: int) -> str:
        facts = step_context(way_of(lesson(slug), guest), number)
        return render_to_string("lessons/visits/_step_cards.html", facts)

    assert drawn("the-bid", 1).count('<span class="counts">') == 4
    assert drawn("the-bid", 8).count("<i></i>") == 6
    lots = drawn("is-it-luck", 1)
    assert lots.count('data-lot="A"') == lots.count('data-lot="B"') == 5
    assert drawn("is-it-luck", 10).count('<i class="full">') == 30
