"""The teacher's pages of a class's tests: two presses, who is how far, what came of them."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from datetime import timedelta
from io import StringIO
from random import Random

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from lessons.assessment import giving, taking
from lessons.assessment.assessed import assessed
from lessons.assessment.gains import gain_of
from lessons.exercises import EXERCISES
from lessons.exercises.skills import Misconception
from lessons.models import Assessment, Question
from lessons.questions.asking import purge_questions
from lessons.results.learned.gain_panels import (
    control_panel,
    gain_panel,
    own_tests,
    panels,
    questions,
)
from lessons.visits import holding
from lessons.visits.experiments import LEARNT, gain_for, part_panel
from tests.games.classroom import (
    a_classroom,
    a_session,
    a_teacher,
    device_of,
    signed_in,
    students_in,
)
from tests.scenes import present
from tests.scenes.assessments import Texts, by_chance, right_texts, sit, wrong_texts
from tests.scenes.homework import a_class, at_home
from xactika_site.classrooms.models import Classroom, Student

pytestmark = pytest.mark.django_db


@pytest.fixture
def classroom() -> Classroom:
    return a_classroom()


@pytest.fixture
def teacher(classroom: Classroom) -> Client:
    return signed_in(a_teacher())


def taken_by(students: list[Student], *, gain: float = 0.2, seed: int = 1) -> Assessment:
    """Both tests, taken by all of a class, and over."""
    rng = Random(seed)
    assessment = giving.open_first(
        classroom=students[0].classroom, skills=["combining", "drawing"], rng=rng
    )
    shares = {each.pk: rng.uniform(0.2, 0.6) for each in students}
    for test, more in ((1, 0), (2, gain)):
        for each in students:
            sit(assessment, each, by_chance(shares[each.pk] + more, rng))
        giving.close_test(assessment=assessment, test=test)
        giving.open_second(assessment=assessment)
        assessment.refresh_from_db()
    return assessment


def passes(browser: Client, assessment: Assessment, student: Student, number: int) -> None:
    """ "I don’t know", at this question."""
    asked = present(taking.question_of(assessment, student, number))
    browser.post(f"/tests/{assessment.pk}/{number}/", {"unknown": "1", "question": asked.pk})


def test_two_presses_open_the_first_test(teacher: Client, classroom: Classroom) -> None:
    a_class(3, classroom)
    page = teacher.get(f"/teach/classrooms/{classroom.pk}/").text
    assert f'href="/teach/classrooms/{classroom.pk}/tests/"' in page
    form = teacher.get(f"/teach/classrooms/{classroom.pk}/tests/").context["form"]
    sent = {
        name: form.get_initial_for_field(form.fields[name], name)
        for name in ("about", "length")
    }
    answer = teacher.post(f"/teach/classrooms/{classroom.pk}/tests/", sent)
    (assessment,) = Assessment.objects.all()
    assert answer.headers["Location"] == f"/teach/tests/{assessment.pk}/"
    assert assessment.length == 10
    assert assessment.takers.count() == 3


def test_a_form_without_skills_is_told_so(teacher: Client, classroom: Classroom) -> None:
    answer = teacher.post(
        f"/teach/classrooms/{classroom.pk}/tests/", {"about": "", "length": 10}
    )
    assert answer.status_code == 422
    assert "at least one skill" in answer.text


def test_who_is_how_far(teacher: Client, classroom: Classroom) -> None:
    one, two, _three = a_class(3, classroom)
    assessment = giving.open_first(classroom=classroom, skills=["drawing"], rng=Random(1))
    sit(assessment, one, right_texts)
    browser = at_home(two)
    browser.post(f"/tests/{assessment.pk}/")
    passes(browser, assessment, two, 1)
    context = teacher.get(
        f"/teach/tests/{assessment.pk}/", headers={"HX-Request": "true"}
    ).context
    assert (context["done"], context["begun"], context["students"]) == (1, 2, 3)
    assert sorted(n for _name, n, _begun in context["rows"]) == [0, 1, assessment.length]


def test_results_come_with_the_second_test(teacher: Client, classroom: Classroom) -> None:
    students = a_class(5, classroom)
    assessment = giving.open_first(classroom=classroom, skills=["drawing"], rng=Random(1))
    for each in students:
        sit(assessment, each, right_texts)
    address = f"/teach/tests/{assessment.pk}/"
    assert teacher.get(address).context["panels"] == []
    assert teacher.get(address).context["questions"] is None
    teacher.post(f"{address}do/", {"do": "close:1"})
    assert teacher.get(address).context["questions"] is not None
    teacher.post(f"{address}do/", {"do": "second"})
    assert teacher.get(address).context["panels"] == []  # no look while it runs
    teacher.post(f"{address}do/", {"do": "close:1"})
    assert teacher.get(address).context["panels"] == []
    teacher.post(f"{address}do/", {"do": "close:2"})
    assert [each.key for each in teacher.get(address).context["panels"]] == ["gain"]
    answer = teacher.post(f"{address}do/", {"do": "reopen"})
    assert answer.status_code == 409
    assert "stays closed" in answer.text
    teacher.post(f"{address}do/", {"do": "delete"})
    assert not Assessment.objects.exists()


def test_the_second_is_offered_where_the_lesson_was_held(
    teacher: Client, classroom: Classroom
) -> None:
    session = a_session(classroom)
    (student,) = a_class(1, classroom)
    assessment = giving.open_first(classroom=classroom, lesson="the-deal", rng=Random(1))
    sit(assessment, student, right_texts)
    address = f"/teach/sessions/{session.pk}/lesson/"
    holding.hold(session=session, slug="the-deal")
    holding.end_lesson(session=session)
    assert "second test" not in teacher.get(address).text
    giving.close_test(assessment=assessment, test=1)
    link = f'href="/teach/tests/{assessment.pk}/"'
    assert link in teacher.get(address).text
    giving.open_second(assessment=assessment)
    assert link not in teacher.get(address).text


def test_few_have_no_figure_and_are_told_why(classroom: Classroom) -> None:
    (panel,) = panels(assessed(taken_by(a_class(4, classroom))))
    assert panel.figure is None
    assert "needs 5" in panel.summary


def test_five_of_one_half_have_a_picture_and_are_told_why(classroom: Classroom) -> None:
    students = a_class(12, classroom)
    assessment = giving.open_first(classroom=classroom, skills=["drawing"], rng=Random(1))
    half = set(assessment.takers.filter(first_form="a").values_list("student", flat=True))
    for test in (1, 2):
        for each in students:
            if each.pk in half:
                sit(assessment, each, by_chance(0.5, Random(each.pk)))
        giving.close_test(assessment=assessment, test=test)
        giving.open_second(assessment=assessment)
        assessment.refresh_from_db()
    panel = gain_panel(assessed(assessment))
    assert panel.figure is not None
    assert "began with the same version" in panel.summary
    assert panels(assessed(assessment))


def test_a_lesson_that_is_gone_breaks_no_page(teacher: Client, classroom: Classroom) -> None:
    assessment = taken_by(a_class(5, classroom))
    Assessment.objects.update(lesson="of-old", skills=[])
    address = f"/teach/tests/{assessment.pk}/"
    for end in ("", "forms/", "answers.csv"):
        assert teacher.get(address + end).status_code == 200
    assert "of-old" in teacher.get(f"/teach/classrooms/{classroom.pk}/tests/").text


def test_a_class_without_a_verdict_is_told_so(classroom: Classroom) -> None:
    panel = gain_panel(assessed(taken_by(a_class(7, classroom))))
    assert panel.figure is not None
    assert "can’t give a verdict" in panel.summary


def test_what_the_page_says_is_recomputed_from_the_file(
    teacher: Client, classroom: Classroom
) -> None:
    """By other code: from the lines of the file alone."""
    assessment = taken_by(a_class(24, classroom), gain=0.25)
    told = teacher.get(f"/teach/tests/{assessment.pk}/answers.csv").content.decode("utf-8-sig")
    _head, *lines = csv.reader(StringIO(told))
    right: dict[tuple[str, str], float] = defaultdict(float)
    forms: dict[str, str] = {}
    for student, test, form, _number, _type, _answered, is_right, _mistakes in lines:
        right[student, test] += int(is_right) / assessment.length
        if test == "1":
            forms[student] = form
    gains = {student: right[student, "2"] - right[student, "1"] for student in forms}
    means = [
        sum(gains[s] for s in forms if forms[s] == form)
        / sum(f == form for f in forms.values())
        for form in "AB"
    ]
    found = assessed(assessment)
    gain = present(gain_of(found.pairs))
    assert gain.mean == pytest.approx(sum(means) / 2)
    assert gain.form_difference == pytest.approx((means[0] - means[1]) / 2)
    summary = gain_panel(found).summary
    assert f"Yes. The gain is {gain.mean * assessment.length:+.1f} of" in summary
    assert f"(95%): {gain.low * assessment.length:+.1f} to" in summary  # type: ignore[operator]
    assert [each.key for each in panels(found)] == [
        *("gain", "gain-skills", "gain-students", "gain-chance")
    ]


def test_a_mistake_is_made_by_a_share_of_all_answers(classroom: Classroom) -> None:
    """To both forms, as many as stand beside it."""
    assessment = taken_by(a_class(6, classroom))
    for asked in Question.objects.filter(taker__assessment=assessment, test_number=1):
        is_of_a = asked.parameters == assessment.form_a[0]["parameters"]
        asked.answers.update(misconceptions=[Misconception.GAMBLER.value] if is_of_a else [])
    grid = present(present(questions(assessed(assessment))).grid)
    row = dict(zip((column.title for column in grid.columns), grid.rows[0], strict=True))
    assert row["Commonest mistake"] == Misconception.GAMBLER.title
    assert (row["Made by"], row["Answers"]) == (0.5, 12)


def test_who_has_one_test_only_is_left_out_and_said(classroom: Classroom) -> None:
    *students, late = a_class(6, classroom)
    rng = Random(2)
    assessment = giving.open_first(classroom=classroom, skills=["drawing"], rng=rng)
    for each in students:
        sit(assessment, each, right_texts)
    giving.open_second(assessment=assessment)
    assessment.refresh_from_db()
    for each in [*students, late]:
        sit(assessment, each, by_chance(0.5, rng))
    panel = gain_panel(assessed(assessment))
    assert "Students with both tests: 5." in panel.basis
    assert "as a test is missing or has too few answers: 1." in panel.basis


def test_less_than_half_of_a_test_does_not_count(classroom: Classroom) -> None:
    (student,) = a_class(1, classroom)
    assessment = giving.open_first(
        classroom=classroom, skills=["drawing"], length=8, rng=Random(3)
    )
    browser = at_home(student)
    browser.post(f"/tests/{assessment.pk}/")
    for number in range(1, 5):
        (taken,) = assessed(assessment).taken
        assert taken.first is not None
        assert taken.first.counts is False
        passes(browser, assessment, student, number)
    (taken,) = assessed(assessment).taken
    assert taken.first is not None
    assert taken.first.counts


def test_one_sees_what_was_right_once_both_are_over(classroom: Classroom) -> None:
    (student,) = a_class(1, classroom)
    assessment = taken_by([student], gain=0)
    browser = at_home(student)
    page = browser.get(f"/tests/{assessment.pk}/").text
    assert page.count("Solution") == 2 * assessment.length
    assert page.count(f" of {assessment.length} right") == 2
    assert ">Tests<" in browser.get("/mine/").text


def test_after_the_retention_period_the_page_says_why_it_is_empty(
    teacher: Client, classroom: Classroom
) -> None:
    assessment = taken_by(a_class(6, classroom))
    address = f"/teach/tests/{assessment.pk}/"
    assert "Answers are kept until" in teacher.get(address).text
    long_ago = timezone.now() - timedelta(days=settings.RETENTION_DAYS + 1)
    Assessment.objects.update(first_opened=long_ago)
    Question.objects.filter(test=1).update(asked=long_ago)
    purge_questions(timezone.now() - timedelta(days=settings.RETENTION_DAYS))
    answer = teacher.get(address)
    assert answer.context["panels"] == []
    assert f"kept for {settings.RETENTION_DAYS} days" in answer.text


def test_a_test_that_was_missed_is_said(classroom: Classroom) -> None:
    student, absent = a_class(2, classroom)
    assessment = giving.open_first(classroom=classroom, skills=["drawing"], rng=Random(1))
    sit(assessment, student, right_texts)
    giving.open_second(assessment=assessment)
    giving.close_test(assessment=assessment, test=2)
    page = at_home(student).get(f"/tests/{assessment.pk}/").text
    assert page.count("–\n") == 1
    assert "You took neither" in at_home(absent).get(f"/tests/{assessment.pk}/").text
    assert "0 took both tests." in gain_panel(assessed(assessment)).summary


def controlled(students: list[Student], *, taught: float = 0.4) -> Assessment:
    """Two tests with a control, over: a lesson gives this share of the questions about it."""
    rng = Random(5)
    assessment = giving.open_first(
        classroom=students[0].classroom,
        lesson="the-deal",
        control_lesson="the-lead",
        length=12,
        rng=rng,
    )
    lesson_of = dict(assessment.takers.values_list("student", "lesson"))
    numbers = {"the-deal": 3, "the-lead": 4}

    def texts(question: Question) -> Texts:
        own = numbers[lesson_of[question.student_id or 0]]
        is_taught = EXERCISES[question.exercise].lesson == own and question.test == 2
        return by_chance(0.3 + taught * is_taught, rng)(question)

    for test in (1, 2):
        for each in students:
            sit(assessment, each, texts)
        giving.close_test(assessment=assessment, test=test)
        giving.open_second(assessment=assessment)
        assessment.refresh_from_db()
    return assessment


def test_a_control_is_recomputed_from_the_file(teacher: Client, classroom: Classroom) -> None:
    """By other code, from the file alone: by lesson who had it less who hadn't."""
    assessment = controlled(a_class(24, classroom))
    told = teacher.get(f"/teach/tests/{assessment.pk}/answers.csv").content.decode("utf-8-sig")
    right: dict[tuple[str, bool, str], list[int]] = defaultdict(list)
    for line in csv.DictReader(StringIO(told)):
        about = "3" if int(line["Question"]) <= 6 else "4"
        had_it = line["Lesson"].startswith(f"Lesson {about}:")
        right[about, had_it, line["Test"]].append(int(line["Right"]))
    share = {key: sum(own) / len(own) for key, own in right.items()}
    effect = sum(
        (1 if had_it else -1) * (share[about, had_it, "2"] - share[about, had_it, "1"])
        for about in "34"
        for had_it in (True, False)
    )
    panel = present(control_panel(assessed(assessment)))
    gained = f"without: {10 * effect / 2:+.1f} of 10 questions about it"
    assert gained in panel.summary
    assert "[" not in panel.summary
    assert "gain-control" in [each.key for each in panels(assessed(assessment))]


def test_each_half_has_a_lesson_between_the_tests(
    teacher: Client, classroom: Classroom
) -> None:
    session = a_session(classroom)
    students = students_in(session, 8)
    assessment = giving.open_first(
        classroom=session.classroom, lesson="the-deal", control_lesson="the-lead"
    )
    drawn = list(assessment.takers.values_list("first_form", "lesson"))
    assert sorted(Counter(drawn).values()) == [2, 2, 2, 2]
    assert taking.own_lesson_context(students[0]) is None
    sit(assessment, students[0], right_texts)
    giving.close_test(assessment=assessment, test=1)
    for each in students[:2]:
        lesson = present(taking.own_lesson_context(each))["lesson"]
        assert lesson.slug == assessment.takers.get(student=each).lesson
    page = teacher.get(f"/teach/tests/{assessment.pk}/").text
    assert "half the other, on their own devices" in page
    device, address = device_of(students[0], session), f"/class/{session.pk}/lesson/"
    assert "Your lesson now" in device.get(address, {"from": "lobby"}).text
    assert device.get(address).content == b""  # at a table
    assert "Your lesson now" in at_home(students[1]).get("/homework/").text
    assert giving.due_after(session.classroom, ["the-deal", "the-lead"]) is None
    giving.open_second(assessment=assessment)
    assert taking.own_lesson_context(students[0]) is None
    giving.close_test(assessment=assessment, test=2)
    after = present(taking.own_lesson_context(students[0]))["lesson"].slug
    assert after != assessment.takers.get(student=students[0]).lesson
    Assessment.objects.update(second_closed=timezone.now() - timedelta(days=15))
    assert taking.own_lesson_context(students[0]) is None


def test_a_control_needs_two_lessons_and_a_class(teacher: Client, classroom: Classroom) -> None:
    address = f"/teach/classrooms/{classroom.pk}/tests/"
    a_class(12, classroom)
    assert 'name="control_lesson"' not in teacher.get(address).text
    a_class(12, classroom)
    page = teacher.get(address).text.replace("\n", " ")
    assert "chance of seeing the gain is about 60%" in page
    assert "the chance that the test shows it is about 90%." in page
    a_class(9, classroom)
    page = teacher.get(address).text.replace("\n", " ")
    assert "With 33 students, a real gain of 1.5 of 10 questions almost always shows." in page
    sent = {"about": "the-deal", "control_lesson": "the-deal", "length": 10}
    answer = teacher.post(address, sent)
    assert answer.status_code == 422
    assert "two different lessons" in answer.text


def test_a_class_tosses_coins_for_its_gain(teacher: Client, classroom: Classroom) -> None:
    """On its own page once both tests are over, and in lesson 9 instead of the example."""
    session = a_session(classroom)
    assert gain_for(session.pk) is None
    assert "are simulated" in example(session.pk)
    assessment = taken_by(a_class(20, classroom), gain=0.3)
    address = f"/teach/tests/{assessment.pk}/luck/"
    assert f'href="{address}"' in teacher.get(f"/teach/tests/{assessment.pk}/").text
    page = teacher.get(f"{address}?drawn=100").text
    assert " of 100." in page
    assert "simulated" not in page
    assert present(gain_for(session.pk))[0] == assessment.pk
    assert "are simulated" not in example(session.pk)
    Assessment.objects.update(second_closed=None)
    assert teacher.get(address).status_code == 404
    assert gain_for(session.pk) is None


def example(session: int) -> str:
    """What lesson 9 says of the gain to a class in this session."""
    chart = present(part_panel(LEARNT, session, key="learnt"))
    return f"{chart.summary} {chart.basis}"


def test_a_students_page_has_both_tests_once_they_are_over(
    teacher: Client, classroom: Classroom
) -> None:
    student, away = a_class(2, classroom)
    assessment = giving.open_first(classroom=classroom, skills=["drawing"], rng=Random(1))
    sit(assessment, student, wrong_texts)
    giving.open_second(assessment=assessment)
    assessment.refresh_from_db()
    sit(assessment, student, right_texts)
    address = f"/teach/students/{student.pk}/results/"
    assert ">Tests<" not in teacher.get(address).text
    giving.close_test(assessment=assessment, test=2)
    assert ">Tests<" in teacher.get(address).text
    grid = present(present(own_tests(student)).grid)
    assert [row[1:] for row in grid.rows] == [(0, assessment.length, assessment.length)]
    assert own_tests(away) is None


def test_a_kind_of_question_is_practised_again(classroom: Classroom) -> None:
    """What the tests came to stays as it was."""
    students = a_class(5, classroom)
    assessment = taken_by(students)
    before = assessed(assessment)
    page = at_home(students[0]).get(f"/tests/{assessment.pk}/")
    row = page.context["sheets"][0]["rows"][0]
    sent = {"exercise": row["exercise"], "level": row["level"]}
    answer = at_home(students[0]).post("/lessons/practice/", sent)
    asked = Question.objects.latest("pk")
    assert answer.headers["Location"] == f"/lessons/questions/{asked.pk}/"
    assert (asked.exercise, asked.place) == (row["exercise"], Question.Place.PRACTICE)
    assert EXERCISES[asked.exercise].level_of(asked.parameters) == row["level"]
    assert assessed(assessment) == before
