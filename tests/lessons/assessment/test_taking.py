"""A class's two tests: halves by lot, one try, nothing told while they run, the bell."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from random import Random

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from games.tables.seats import remove_student
from lessons.assessment import giving, taking
from lessons.assessment.assessed import assessed
from lessons.assessment.forms import forms
from lessons.exercises import AnswerGrade, grade, rebuild
from lessons.models import Answer, Assessment, Question, Taker
from lessons.questions.learners import Learner
from lessons.questions.practice import attempts_of, mastery_by_student, tries_of
from tests.games.classroom import a_session, device_of, students_in
from tests.scenes import again, assessments, present, undone
from tests.scenes.assessments import by_chance, right_texts, sit, wrong_texts
from tests.scenes.homework import a_class, at_home
from xactika_site.classrooms.models import Student
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db


def some_tests(student: Student, length: int = 8, seed: int = 1) -> Assessment:
    """Tests of the student's class about counting and combining."""
    return giving.open_first(
        classroom=student.classroom,
        skills=["counting", "combining"],
        length=length,
        rng=Random(seed),
    )


def question(assessment: Assessment, student: Student, number: int = 1) -> Question:
    assessment.refresh_from_db()
    return present(taking.question_of(assessment, student, number))


def begun() -> tuple[Assessment, Student, Question]:
    """Tests whose first one a student has begun, and its first question."""
    (student,) = a_class(1)
    assessment = some_tests(student)
    taking.begin(assessment=assessment, student=student)
    return assessment, student, question(assessment, student)


def test_half_of_the_class_begins_with_either_form() -> None:
    students = a_class(9)
    assessment = some_tests(students[0])
    forms = Counter(assessment.takers.values_list("first_form", flat=True))
    assert sorted(forms.values()) == [4, 5]
    (late,) = a_class(1, students[0].classroom)
    assert not assessment.takers.filter(student=late).exists()
    taking.begin(assessment=assessment, student=late)
    forms = Counter(assessment.takers.values_list("first_form", flat=True))
    assert [*forms.values()] == [5, 5]


def test_the_lot_is_fair_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    students = a_class(2)
    firsts, pairs = [], forms(giving.exercises_about("", ["counting"]), 8, Random(1))
    monkeypatch.setattr(giving, "forms", lambda *_: pairs)  # whose questions are none of it
    for seed in range(40):
        assessment = some_tests(students[0], seed=seed)
        firsts.append(assessment.takers.get(student=students[0]).first_form)
        giving.delete(assessment=assessment)
    assert 8 < firsts.count("a") < 32
    assessment = some_tests(students[0])
    before = dict(assessment.takers.values_list("student", "first_form"))
    for student in students:
        sit(assessment, student, right_texts)
    giving.open_second(assessment=assessment)
    assert dict(assessment.takers.values_list("student", "first_form")) == before


def test_each_gets_the_form_that_it_has_not_seen() -> None:
    (student,) = a_class(1)
    assessment = some_tests(student)
    first = sit(assessment, student, right_texts)
    giving.open_second(assessment=assessment)
    assessment.refresh_from_db()
    second = sit(assessment, student, wrong_texts)
    taker = Taker.objects.get(assessment=assessment)
    forms = {"a": assessment.form_a, "b": assessment.form_b}
    assert [each.to_json() for each in first] == forms[taker.form(1)]
    assert [each.to_json() for each in second] == forms[taker.form(2)]
    assert {taker.form(1), taker.form(2)} == {*Taker.Form}


def test_there_is_one_try() -> None:
    _assessment, _student, asked = begun()
    assert taking.answer(question=asked, texts=wrong_texts(asked)) is None
    assert taking.answer(question=asked, texts=right_texts(asked)) is None
    assert [each.right for each in asked.answers.all()] == [False]


def test_what_cannot_be_read_is_told_and_costs_nothing() -> None:
    _assessment, _student, asked = begun()
    verdict = present(taking.answer(question=asked, texts={}))
    assert verdict.grade is AnswerGrade.UNREADABLE
    assert not asked.answers.exists()


def test_the_right_value_in_another_form_is_right() -> None:
    """To ask it back would tell that it is."""
    (student,) = a_class(1)
    assessment = giving.open_first(
        classroom=student.classroom, skills=["combining"], length=12, rng=Random(2)
    )
    taking.begin(assessment=assessment, student=student)
    formed = 0
    for each in Question.objects.filter(taker__assessment=assessment):
        texts = {key: f"{text} cards" for key, text in right_texts(each).items()}
        if grade(rebuild(each.to_json()), texts).grade is not AnswerGrade.FORM:
            continue
        assert taking.answer(question=each, texts=texts) is None
        assert each.answers.get().right
        formed += 1
    rough = [
        (each, texts)
        for each in Question.objects.filter(taker__assessment=assessment, answers=None)
        for texts in [{k: _rough(t) for k, t in right_texts(each).items()}]
        if grade(rebuild(each.to_json()), texts).grade is AnswerGrade.FORM
    ]
    for each, texts in rough:
        assert taking.answer(question=each, texts=texts) is None
        assert each.answers.get().right
    assert formed + len(rough) > 0


def _rough(text: str) -> str:
    top, _slash, bottom = text.partition("/")
    return f"{int(top) / int(bottom):.2f}" if bottom.isdecimal() and top.isdecimal() else text


def test_i_do_not_know_is_an_answer() -> None:
    (student,) = a_class(1)
    assessment = some_tests(student)
    sit(assessment, student, lambda _question: None)
    assert {(each.right, str(each.values)) for each in Answer.objects.all()} == {(False, "{}")}
    assert taking.progress(assessment, student, 1).is_done


def test_the_bell_ends_it_for_all() -> None:
    assessment, student, asked = begun()
    giving.close_test(assessment=assessment, test=1)
    with pytest.raises(Refused):
        taking.answer(question=asked, texts=right_texts(asked))
    assessment.refresh_from_db()
    with pytest.raises(Refused):
        taking.begin(assessment=assessment, student=student)
    giving.reopen_first(assessment=assessment)
    assert taking.answer(question=asked, texts=right_texts(asked)) is None
    giving.open_second(assessment=assessment)
    with pytest.raises(Refused):
        giving.reopen_first(assessment=assessment)
    with pytest.raises(Refused):
        taking.answer(question=question_in(assessment, 2), texts=None)


def question_in(assessment: Assessment, number: int) -> Question:
    """A question of the first test."""
    return Question.objects.get(taker__assessment=assessment, test=1, test_number=number)


def test_one_test_at_a_time() -> None:
    (student,) = a_class(1)
    first = some_tests(student)
    with pytest.raises(Refused):
        some_tests(student)
    giving.close_test(assessment=first, test=1)
    other = some_tests(student)
    with pytest.raises(Refused):
        giving.open_second(assessment=first)
    giving.close_test(assessment=other, test=1)
    giving.open_second(assessment=first)


@pytest.mark.parametrize(
    "wishes",
    [
        {},
        {"skills": ["nonsense"]},
        {"lesson": "nonsense"},
        {"skills": ["counting"], "length": 40},
    ],
)
def test_nonsense_opens_nothing(wishes: dict[str, object]) -> None:
    (student,) = a_class(1)
    with pytest.raises(Refused):
        giving.open_first(classroom=student.classroom, **wishes)  # type: ignore[arg-type]
    assert not Assessment.objects.exists()


def test_a_test_is_no_practice() -> None:
    """It tells nothing: no mistake of it comes back, nothing is seen or known by it."""
    (student,) = a_class(1)
    assessment = some_tests(student)
    sit(assessment, student, wrong_texts)
    assert tries_of(Learner(student=student)) == []
    assert mastery_by_student(attempts_of([student.pk])) == {}


def test_the_pages_of_questions_do_not_answer_for_a_test() -> None:
    """There the right answer could be asked for."""
    _assessment, student, asked = begun()
    browser = at_home(student)
    for end in ("", "answer/", "hint/", "solve/", "another/"):
        address = f"/lessons/questions/{asked.pk}/{end}"
        answer = browser.post(address, {"number": 0}) if end else browser.get(address)
        assert answer.status_code == 404


def sent(asked: Question, texts: dict[str, str]) -> dict[str, str]:
    """What the form of a question sends."""
    return {**texts, "question": str(asked.pk)}


def pages_after(browser: Client, assessment: Assessment, texts: dict[str, str]) -> list[bytes]:
    """What a student sees after an answer, until both tests are over."""
    here = f"/tests/{assessment.pk}/"
    answer = browser.post(f"{here}1/", texts)
    assert answer.status_code == 302
    every = (here, f"{here}1/", f"{here}2/", "/mine/", "/homework/")
    pages = [browser.get(address).content for address in every]
    return [answer.headers["Location"].encode(), *map(without_tokens, pages)]


def without_tokens(page: bytes) -> bytes:
    """A page without what differs in every answer."""
    return re.sub(
        rb'(csrfmiddlewaretoken" value=|nonce=|hx-headers=\S*|csrf\S*)"[^"]*"', b"", page
    )


def test_nothing_tells_right_from_wrong_while_it_runs() -> None:
    assessment, student, asked = begun()
    browser = at_home(student)
    seen = []
    for texts_of in (right_texts, wrong_texts):
        with undone():
            seen.append(pages_after(again(browser), assessment, sent(asked, texts_of(asked))))
    for one, other in zip(*seen, strict=True):
        assert one == other


def test_a_double_click_stores_one_answer() -> None:
    (student,) = a_class(1)
    assessment = some_tests(student)
    browser = at_home(student)
    browser.post(f"/tests/{assessment.pk}/")
    browser.post(f"/tests/{assessment.pk}/")
    assert Question.objects.count() == 8
    asked = question(assessment, student)
    for _click in range(2):
        answer = browser.post(f"/tests/{assessment.pk}/1/", sent(asked, wrong_texts(asked)))
        assert answer.headers["Location"] == f"/tests/{assessment.pk}/2/"
    assert Answer.objects.count() == 1


def test_an_old_page_answers_no_question_of_the_other_test() -> None:
    assessment, student, asked = begun()
    browser, old = at_home(student), sent(asked, wrong_texts(asked))
    giving.open_second(assessment=assessment)
    browser.post(f"/tests/{assessment.pk}/")
    assert browser.post(f"/tests/{assessment.pk}/1/", old).status_code == 302
    assert not Answer.objects.exists()


def test_an_old_page_closes_no_other_test() -> None:
    (student,) = a_class(1)
    assessment = some_tests(student)
    giving.open_second(assessment=assessment)
    giving.close_test(assessment=assessment, test=1)
    assessment.refresh_from_db()
    assert assessment.open_test == 2


def test_a_question_whose_type_is_gone_is_passed() -> None:
    assessment, student, asked = begun()
    Question.objects.filter(pk=asked.pk).update(exercise="gone")
    browser = at_home(student)
    page = browser.get(f"/tests/{assessment.pk}/1/").text
    assert "This question is gone." in page
    assert (
        browser.post(f"/tests/{assessment.pk}/1/", sent(asked, {"unknown": "1"})).status_code
        == 302
    )
    assert [(each.values, each.right) for each in asked.answers.all()] == [({}, False)]


def test_a_test_of_another_day_is_told_but_takes_nobody_along() -> None:
    session = a_session(None)
    (student,) = students_in(session, 1)
    assessment = some_tests(student)
    Assessment.objects.update(first_opened=timezone.now() - timedelta(days=2))
    answer = device_of(student, session).get(
        f"/class/{session.pk}/lesson/?from=lobby", headers={"HX-Request": "true"}
    )
    assert "HX-Redirect" not in answer.headers
    assert f"/tests/{assessment.pk}/" in answer.text


def test_who_joins_twice_is_two() -> None:
    """Nobody can know it: each has one test, and neither is counted."""
    once, twice = a_class(2)
    assessment = some_tests(once)
    sit(assessment, once, right_texts)
    giving.open_second(assessment=assessment)
    assessment.refresh_from_db()
    sit(assessment, twice, right_texts)
    assert assessed(assessment).pairs == []


def test_a_student_who_goes_takes_their_answers_along() -> None:
    students = a_class(2)
    assessment = some_tests(students[0])
    for student in students:
        sit(assessment, student, right_texts)
    remove_student(student=students[0])
    assert {each.student_id for each in Taker.objects.all()} == {students[1].pk}
    assert Answer.objects.count() == 8
    giving.delete(assessment=assessment)
    assert not Question.objects.exists()


def test_the_lobby_brings_everybody_along() -> None:
    session = a_session(None)
    student, done = students_in(session, 2)
    browser = device_of(student, session)
    address = f"/class/{session.pk}/lesson/?from=lobby"
    headers = {"HX-Request": "true"}
    assert browser.get(address, headers=headers).content == b""
    assessment = some_tests(student)
    there = browser.get(address, headers=headers).headers["HX-Redirect"]
    assert there == f"/tests/{assessment.pk}/"
    taking.begin(assessment=assessment, student=student)
    told = browser.get(address, headers=headers)  # begun: only told, or they could not leave
    assert there.encode() in told.content
    assert "HX-Redirect" not in told.headers
    sit(assessment, done, right_texts)
    assert device_of(done, session).get(address, headers=headers).content == b""
    bell = browser.get(f"{there}bell/?test=1", headers=headers)
    assert bell.status_code == 204
    giving.close_test(assessment=assessment, test=1)
    assert browser.get(f"{there}bell/?test=1", headers=headers).headers["HX-Redirect"] == there


def test_a_stranger_has_no_test() -> None:
    one, *_rest = a_class(2)
    assessment = some_tests(one)
    assert Client().get(f"/tests/{assessment.pk}/").status_code == 404
    assert taking.question_of(assessment, one, 1) is None  # not begun
    begun = at_home(one).get(f"/tests/{assessment.pk}/1/")
    assert begun.headers["Location"] == f"/tests/{assessment.pk}/"
    assert at_home(one).get(f"/tests/{assessment.pk}/99/").status_code == 404


class Forgetful(dict[str, dict[str, object]]):
    """Keeps nothing."""

    def __setitem__(self, key: str, value: dict[str, object]) -> None: ...


def test_a_class_answers_as_the_first_of_it_did(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scene: what it stores of an answer given before is what the service stores."""
    students, stored = a_class(6), []
    kept: dict[str, dict[str, object]] = {}
    for known in (Forgetful(), kept):
        monkeypatch.setattr(assessments, "_answers", known)
        with undone():
            assessment = some_tests(students[0])
            taking.begin(assessment=assessment, student=students[0])
            taking.answer(question=question(assessment, students[0]), texts=None)
            for number, student in enumerate(students):
                sit(assessment, student, by_chance(0.5, Random(number)))
            answers = Answer.objects.order_by("pk").values("question", "number", "values")
            stored.append([*answers.annotate(told=F("misconceptions"), is_right=F("right"))])
    assert stored[0] == stored[1]
    assert 0 < len(kept) < len(stored[1])
