"""Grades go to a platform that errs: none is lost, none is there twice."""

from __future__ import annotations

import csv
from collections import Counter
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from io import StringIO
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from lessons.assessment import giving
from lessons.exercises import EXERCISES
from lessons.exercises.skills import Skill
from lessons.lti import grades
from lessons.lti.grades import AGAIN, press, send_due
from lessons.lti.members import student_of
from lessons.lti.sealing import turn_keys, unseal
from lessons.lti.targets import scores_in, target_of, targets_in
from lessons.models import Course, Grade, LineItem
from lessons.results.learned.learning import learning_of_classroom
from tests.games.classroom import a_classroom, a_teacher, signed_in
from tests.lessons.lti.by_others import TheirSchool
from tests.scenes import SOAK
from tests.scenes.assessments import right_texts, sit
from tests.scenes.homework import a_class, some_homework
from tests.scenes.platform import AGS, INSTRUCTOR, School, launch
from tests.scenes.results import answered
from xactika_site.classrooms.models import Classroom

pytestmark = pytest.mark.django_db

TARGET = "practice:samples"
Shares = dict[int, Fraction]

on_both = pytest.mark.parametrize("school", [School, TheirSchool], indirect=True)


class Clock:
    """It stands, unless it is told."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def goes(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    stopped = Clock()
    monkeypatch.setattr("django.utils.timezone.now", lambda: stopped.now)
    return stopped


@pytest.fixture
def classroom() -> Classroom:
    return a_classroom()


@pytest.fixture
def course(school: School, classroom: Classroom) -> Course:
    """A student has opened a link to a skill, and two more have come in."""
    course = school.course(classroom)
    launch(school, sub="user-0", custom={"target": TARGET})
    for number in (1, 2):
        student_of(course=course, user=f"user-{number}")
    return course


@pytest.fixture
def shares(course: Course, monkeypatch: pytest.MonkeyPatch) -> Shares:
    """The scores of those students, which a test may change."""
    own = {each.student_id: Fraction(1, 3) for each in course.members.all()}
    monkeypatch.setattr(grades, "scores_in", lambda *_: {TARGET: own})
    return own


def there(school: School) -> dict[str, list[float]]:
    """What the platform has taken, by user."""
    return {
        user: [each["scoreGiven"] for each in told]
        for (_item, user), told in school.scores.items()
    }


def states() -> Counter[tuple[str, int | None]]:
    return Counter(Grade.objects.values_list("state", "status"))


@on_both
@pytest.mark.parametrize("yes", [200, 201, 204])
def test_a_press_sends_all_and_from_then_on_what_changes(
    school: School, course: Course, shares: Shares, clock: Clock, yes: int
) -> None:
    school.yes = yes
    send_due()
    assert not school.items  # nobody has pressed
    teacher = signed_in(a_teacher())
    address = f"/lti/class/{course.classroom_id}/"
    assert address in teacher.get(f"/teach/classrooms/{course.classroom_id}/").text
    assert teacher.post(address, {"course": course.pk}).status_code == 302
    assert there(school) == {f"user-{number}": [33.33] for number in range(3)}
    (item,) = school.items
    assert (item["label"], item["scoreMaximum"]) == ("Samples and the long run", 100)
    assert (item["resourceId"], item["tag"]) == (f"class:{course.classroom_id}", TARGET)
    assert "Sent: 3, waiting: 0, refused: 0" in teacher.get(address).text
    press(course=course)
    shares[min(shares)] = Fraction(1)
    send_due()
    assert sum(map(len, there(school).values())) == 3
    clock.goes(minutes=10)
    send_due()
    assert sorted(there(school).values()) == [[33.33], [33.33], [33.33, 100.0]]
    assert school.given == 2  # another one for how many are enrolled


def test_a_class_s_grades_are_its_teachers(school: School, course: Course) -> None:
    address = f"/lti/class/{course.classroom_id}/"
    others = signed_in(a_teacher("other"))
    own = a_classroom(a_teacher("third"), "8a")
    assert Client().get(address).status_code == 302
    for answer in (
        others.get(address),
        others.post(address, {"course": course.pk}),
        signed_in(own.teachers.get()).post(f"/lti/class/{own.pk}/", {"course": course.pk}),
    ):
        assert answer.status_code == 404
    assert not school.items


def test_an_unlinked_course_leaves_its_students_and_sends_no_more(
    school: School, course: Course, shares: Shares
) -> None:
    classroom = course.classroom
    address, teacher = f"/lti/class/{classroom.pk}/", signed_in(a_teacher())
    teacher.post(address, {"course": course.pk})
    sent = there(school)
    refused = signed_in(a_teacher("other")).post(address, {"course": course.pk, "unlink": ""})
    assert (refused.status_code, Course.objects.count()) == (404, 1)
    teacher.post(address, {"course": course.pk, "unlink": ""})
    assert not Course.objects.exists()
    assert not Grade.objects.exists()
    assert classroom.students.count() == 3
    assert "No course is linked" in teacher.get(address).text
    shares[min(shares)] = Fraction(1)
    send_due()
    assert there(school) == sent


ERRORS = {
    "401": ("waiting", 401, "let Xactika in"),
    "403": ("refused", 403, "has left it"),
    "404": ("refused", 404, "the column is gone"),
    "409": ("refused", 409, "a newer grade"),
    "422": ("refused", 422, "has left it"),
    "418": ("refused", 418, "take it"),
    "429": ("waiting", 429, "answer"),
    "500": ("waiting", 500, "answer"),
    "slow": ("waiting", 0, "answer"),
    "done, but slow": ("waiting", 0, "answer"),
    "redirect": ("waiting", 0, "answer"),
}


@on_both
@pytest.mark.parametrize("errs", ERRORS)
def test_what_errs_is_told_and_sent_by_the_next_press(
    school: School, course: Course, shares: Shares, errs: str
) -> None:
    school.errs, school.errs_at = errs, "/scores"
    press(course=course)
    state, status, words = ERRORS[errs]
    assert states() == {(state, status): 3}
    page = signed_in(a_teacher()).get(f"/lti/class/{course.classroom_id}/").text
    assert f"Sent: 0, waiting: {3 * (state == 'waiting')}" in page
    assert page.count(words) == 3
    assert all(each.student.name in page for each in course.members.all())
    send_due()
    school.errs = ""
    press(course=course)
    assert states() == {("sent", None): 3}
    assert all(told[-1] == 33.33 for told in there(school).values())
    twice = 2 if errs == "done, but slow" else 1
    assert {len(told) for told in there(school).values()} == {twice}
    assert len(school.items) == 1


def test_it_is_tried_again_later_and_later_then_waits_for_a_press(
    school: School, course: Course, shares: Shares, clock: Clock
) -> None:
    school.errs, school.errs_at = "500", "/scores"
    press(course=course)
    for wait in AGAIN:
        assert {each.next_try for each in Grade.objects.all()} == {clock.now + wait}
        clock.now += wait - timedelta(seconds=1)
        before = list(Grade.objects.values_list("tries", flat=True))
        send_due()
        assert list(Grade.objects.values_list("tries", flat=True)) == before
        clock.goes(seconds=1)
        send_due()
    school.errs = ""
    clock.goes(days=9)
    send_due()
    assert not school.scores
    press(course=course)
    assert states() == {("sent", None): 3}


@pytest.mark.parametrize(
    ("told", "seconds"),
    [("120", 120), ("999999", 86_400), ("0", 1), ("Thu, 01 Jan 1970 00:00:00 GMT", 1)],
)
@pytest.mark.parametrize("errs_at", ["/scores", "/lineitems", "/token"])
def test_a_platform_that_wants_a_pause_has_it(
    school: School,
    course: Course,
    shares: Shares,
    clock: Clock,
    told: str,
    seconds: int,
    errs_at: str,
) -> None:
    """Even from who presses."""
    school.errs, school.errs_at, school.retry_after = "429", errs_at, told
    press(course=course)
    school.errs = ""
    clock.goes(seconds=seconds - 1)
    send_due()
    press(course=course)
    assert not school.scores
    clock.goes(seconds=1)
    send_due()
    assert states() == {("sent", None): 3}


def test_a_date_is_a_pause_too(
    school: School, course: Course, shares: Shares, clock: Clock
) -> None:
    until = clock.now + timedelta(hours=1)
    school.errs, school.errs_at = "503", "/scores"
    school.retry_after = f"{until:%a, %d %b %Y %H:%M:%S} GMT"
    press(course=course)
    course.refresh_from_db()
    assert timedelta(minutes=59) < course.rests - clock.now <= timedelta(hours=1)  # type: ignore[operator]


@on_both
def test_a_token_that_is_taken_no_more_is_replaced_once(
    school: School, course: Course, shares: Shares
) -> None:
    press(course=course)
    school.tokens.clear()
    turn_keys()
    shares.update(dict.fromkeys(shares, Fraction(1, 2)))
    press(course=course)
    assert school.given == 2
    assert {told[-1] for told in there(school).values()} == {50.0}


def test_clocks_that_differ_are_told(school: School, course: Course, shares: Shares) -> None:
    school.clock = 600
    press(course=course)
    assert states() == {("waiting", 401): 3}
    assert not school.given


@pytest.mark.parametrize("is_filtering", [True, False])
def test_a_column_is_found_by_class_and_target(
    school: School, course: Course, shares: Shares, is_filtering: bool
) -> None:
    """Of a course that was copied another class's may be there; and its own twice."""
    school.is_filtering = is_filtering
    own = {"resourceId": f"class:{course.classroom_id}", "tag": TARGET}
    school.items = [
        {"id": f"{school.issuer}/lineitems/{number}?type=5"} | each
        for number, each in enumerate(
            [own | {"tag": "x"}, own | {"resourceId": "class:0"}, own, own]
        )
    ]
    press(course=course)
    assert len(school.items) == 4
    assert {item for item, _user in school.scores} == {school.items[2]["id"]}


@on_both
@pytest.mark.parametrize("errs", ["500", "slow", "done, but slow", "text", "list", "huge"])
def test_a_column_is_made_once(
    school: School, course: Course, shares: Shares, errs: str
) -> None:
    school.errs, school.errs_at = errs, "/lineitems"
    for _time in range(3):
        press(course=course)
    school.errs = ""
    press(course=course)
    assert len(school.items) == 1
    assert states() == {("sent", None): 3}


def test_of_two_presses_at_once_one_sends(
    school: School, course: Course, shares: Shares
) -> None:
    def pressing(_path: str) -> str:
        press(course=course)
        return ""

    school.mood = pressing
    press(course=course)
    assert len(school.items) == 1
    assert {len(told) for told in there(school).values()} == {1}


def test_a_column_that_is_gone_is_made_again_by_a_press_only(
    school: School, course: Course, shares: Shares, clock: Clock
) -> None:
    press(course=course)
    school.items.clear()
    shares.update(dict.fromkeys(shares, Fraction(1)))
    clock.goes(hours=1)
    send_due()
    assert states() == {("refused", 404): 3}
    assert not school.items
    press(course=course)
    assert states() == {("sent", None): 3}


def test_who_has_left_there_holds_up_nobody(
    school: School, course: Course, shares: Shares
) -> None:
    school.left = {"user-1"}
    press(course=course)
    assert states() == {("sent", None): 2, ("refused", 422): 1}


def test_a_deleted_student_takes_their_grades_along(
    school: School, course: Course, shares: Shares
) -> None:
    def deleting(path: str) -> str:
        if path.endswith("/scores"):
            course.members.order_by("pk")[1].student.delete()
            school.mood = None
        return ""

    school.mood = deleting
    press(course=course)
    assert states() == {("sent", None): 2}
    assert set(there(school)) == {"user-0", "user-2"}
    course.classroom.students.all().delete()
    assert not Grade.objects.exists()


def test_the_column_of_a_link_is_used(school: School, classroom: Classroom) -> None:
    school.course(classroom)
    school.items = [{"id": f"{school.issuer}/lineitems/0?type=5"}]
    endpoint: Any = {"lineitem": school.items[0]["id"]}
    launch(school, custom={"target": TARGET}, **{f"{AGS}claim/endpoint": endpoint})
    item = LineItem.objects.get()
    assert unseal(item.url) == endpoint["lineitem"]
    assert school.host not in item.url


def test_what_has_no_score_is_no_column(school: School, classroom: Classroom) -> None:
    school.course(classroom)
    for target in ("puzzles", "homework:999", "lesson:999", ""):
        launch(school, custom={"target": target})
    launch(school, custom={"target": TARGET}, **{f"{AGS}claim/endpoint": None})
    launch(school, roles=[INSTRUCTOR])
    assert LineItem.objects.count() == 0 or LineItem.objects.get().target == TARGET


def test_of_a_class_s_courses_each_has_its_own(
    schools: dict[str, School], course: Course, shares: Shares
) -> None:
    """With the same number in both somebody is two."""
    other = schools["canvas.school.test"] = School("canvas.school.test")
    its = other.course(course.classroom)
    launch(other, sub="user-0", custom={"target": TARGET})
    shares[its.members.get().student_id] = Fraction(1)
    for each in (course, its):
        press(course=each)
    assert there(other) == {"user-0": [100.0]}
    assert there(schools["moodle.school.test"])["user-0"] == [33.33]
    assert states() == {("sent", None): 4}
    page = signed_in(a_teacher()).get(f"/lti/class/{course.classroom_id}/").text
    assert page.count("Send grades") == 2


@pytest.mark.parametrize(
    ("school", "seed"), [(School, 0), (TheirSchool, 2)], indirect=["school"]
)
def test_none_is_lost_or_doubled_in_many_sends(
    school: School, course: Course, shares: Shares, clock: Clock, seed: int
) -> None:
    """Each platform takes half of them, in the long checks of a thousand; a third fail."""
    for number in range(3, 20):
        student_of(course=course, user=f"user-{number}")
    rng, school.retry_after = Random(seed), "90"
    students = {unseal(each.user): each.student_id for each in course.members.all()}
    sends, wished, unheard = 0, Counter[str](), Counter[str]()

    def mood(path: str) -> str:
        nonlocal sends
        sends += path.endswith("/scores")
        errs = rng.choice([*ERRORS, "503", "away", "huge"]) if rng.random() < 1 / 3 else ""
        unheard["done"] += errs == "done, but slow"
        return errs

    school.mood = mood
    while sends < (500 if SOAK else 150):
        for user, student in students.items():
            if shares.get(student) is None or rng.random() < 0.5:
                shares[student] = Fraction(rng.randrange(10_001), 10_000)
                wished[user] += 1
        clock.goes(minutes=11)
        if rng.random() < 0.2 or not Course.objects.get().looks:
            press(course=course)
        send_due()
    school.mood = None
    clock.goes(days=2)
    press(course=course)
    assert states() == {("sent", None): 20}
    assert len(school.items) == 1
    for user, told in there(school).items():
        assert told[-1] == float(100 * shares[students[user]])
    taken = there(school)
    assert all(len(taken[user]) <= wished[user] + unheard["done"] for user in students)
    assert sum(map(len, taken.values())) <= sum(wished.values()) + unheard["done"]
    stamps = [[each["timestamp"] for each in told] for told in school.scores.values()]
    assert all(own == sorted(set(own)) for own in stamps)


# What is sent.


def test_scores_are_the_gradebooks(classroom: Classroom) -> None:
    """As its file has them: it counts by itself."""
    students, rng = a_class(5, classroom), Random(7)
    for each in students[:4]:
        for exercise in rng.choices(list(EXERCISES), k=60):
            rights = [rng.random() < 0.6 for _try in range(rng.randrange(3))]
            answered(None, each, exercise, *rights)
    given = some_homework(classroom, boards=2, skill="graphs", questions=5)
    targets = [each.text for each in targets_in(classroom)]
    assert f"homework:{given.pk}" in targets
    given.closed = timezone.now()
    given.save()
    texts = {text: it.title for text in targets if (it := target_of(text, classroom))}
    scores = scores_in(classroom, texts)
    assert not scores.get("puzzles")
    file = signed_in(a_teacher()).get(f"/teach/classrooms/{classroom.pk}/results/grades.csv")
    rows = list(csv.DictReader(StringIO(file.content.decode("utf-8-sig"))))
    names = {each.pk: each.name for each in students}
    percents: dict[tuple[str, str], float] = {
        (row["student"], title): float(percent)
        for row in rows
        for title, percent in row.items()
        if title != "student" and percent
    }
    ours = {
        (names[pk], texts[text]): round(float(100 * share), 2)
        for text, own in scores.items()
        for pk, share in own.items()
        if not text.startswith("practice")
    }
    assert len(ours) > 20
    assert ours == percents
    learning = learning_of_classroom(classroom)
    for skill in Skill:
        for pk, share in scores[f"practice:{skill.value}"].items():
            assert share == learning.by_student[pk][skill].share


def test_a_test_is_graded_when_both_are_over(classroom: Classroom) -> None:
    students = a_class(3, classroom)
    test = giving.open_first(classroom=classroom, skills=["drawing"], rng=Random(1))
    text = f"test:{test.pk}"
    for number in (1, 2):
        for each in students[: 4 - number]:
            sit(test, each, right_texts)
            assert not scores_in(classroom, [text])[text]
        giving.close_test(assessment=test, test=number)
        giving.open_second(assessment=test)
        test.refresh_from_db()
    assert scores_in(classroom, [text])[text] == {each.pk: 1 for each in students[:2]}


def test_open_homework_that_nobody_has_begun_is_no_zero(classroom: Classroom) -> None:
    student, given = a_class(1, classroom)[0], some_homework(classroom)
    text = f"homework:{given.pk}"
    assert scores_in(classroom, [text]) == {text: {}}
    given.closed = timezone.now()
    given.save()
    assert scores_in(classroom, [text]) == {text: {student.pk: 0}}
