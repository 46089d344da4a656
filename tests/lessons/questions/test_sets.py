"""A class's own sets of questions: changed, tried, put before the class, saved, printed."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from games.classes import closing
from lessons.exercises import EXERCISES, rebuild
from lessons.homework import doing, giving
from lessons.models import Answer, Homework, Question, QuestionSet
from lessons.questions import before_class, sets
from lessons.questions.in_class import class_answers, exercise_before
from lessons.results.learned.learning import learning_of_student
from tests.games.classroom import a_classroom, a_teacher, device_of, playing, signed_in
from tests.scenes import present
from tests.scenes.homework import a_class, at_home, some_homework
from tests.scenes.questions import right_texts, send, wrong_texts
from xactika_site.classrooms.models import Classroom, Student
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db

TEXT = "# One\nHow many cards?\ncards: 1332 2113\ncount: Cards\nright: count()\n"


@pytest.fixture
def made() -> QuestionSet:
    return sets.create(classroom=a_classroom(), name="Ours", text=TEXT)


@pytest.fixture
def teacher(made: QuestionSet) -> Client:
    return signed_in(made.classroom.teachers.get())


def page(client: Client, made: QuestionSet) -> str:
    return client.get(made.get_absolute_url()).text


def test_every_type_can_be_added_at_every_level() -> None:
    text = ""
    for exercise in EXERCISES.values():
        for level in exercise.levels:
            text = sets.edited("", "add", f"{exercise.key}:{level}")
            (entry,) = sets.entries(text)
            if entry.problem:  # an invented hand may hold none: another draw does
                text = sets.edited(text, "again", "1")
                (entry,) = sets.entries(text)
            assert entry.stored, (exercise.key, level, entry.problem)
            question = rebuild(entry.stored)
            assert exercise.level_of(question.parameters) == level


@pytest.mark.parametrize("kind", ["cards", "hand", "choice"])
def test_the_examples_are_questions(kind: str) -> None:
    (entry,) = sets.entries(sets.edited("", "example", kind))
    assert entry.stored is not None


def test_questions_are_moved_and_taken_out() -> None:
    text = "# A\na\n\n# B\nb\n\n# C\nc\n"

    def titles(text: str) -> list[str]:
        return re.findall("(?m)^# (.)", text)

    assert titles(sets.edited(text, "up", "3")) == ["A", "C", "B"]
    assert titles(sets.edited(text, "down", "1")) == ["B", "A", "C"]
    assert titles(sets.edited(text, "drop", "2")) == ["A", "C"]
    for action, number in (("up", "1"), ("down", "3"), ("drop", "4"), ("up", "x"), ("no", "1")):
        assert titles(sets.edited(text, action, number)) == ["A", "B", "C"]


def test_the_very_cards_of_a_hand() -> None:
    text = "# Spread\ntype: hand-spread\ncards: 1332 2113 3331 1122 2222 3333 1111 1212\n"
    (entry,) = sets.entries(text)
    assert entry.stored is not None
    assert set(rebuild(entry.stored).cards[0].codes) == set(text.split("cards: ")[1].split())
    (entry,) = sets.entries(text.replace("hand-spread", "deck-size"))
    assert "one’s own hand" in entry.problem
    (entry,) = sets.entries("# X\ntype: no-such\n")
    assert "no question of this type" in entry.problem


def test_a_set_travels_as_a_file(made: QuestionSet, teacher: Client) -> None:
    file = teacher.get(reverse("question_set_file", args=[made.pk]))
    assert file["Content-Disposition"] == 'attachment; filename="ours.txt"'
    where = reverse("question_sets", args=[made.classroom_id])
    upload = SimpleUploadedFile("x.txt", file.content)
    response = teacher.post(where, {"file": upload})
    copy = QuestionSet.objects.exclude(pk=made.pk).get()
    assert response["Location"] == copy.get_absolute_url()
    assert (copy.name, copy.text.strip()) == ("Ours 2", made.text.strip())


def test_a_file_of_a_newer_version_is_only_looked_at(
    made: QuestionSet, teacher: Client
) -> None:
    newer = sets.as_file(made).replace("questions: 1", "questions: 2")
    where = reverse("question_sets", args=[made.classroom_id])
    response = teacher.post(where, {"file": SimpleUploadedFile("x.txt", newer.encode())})
    assert response.status_code == 422
    assert "newer version" in response.text
    assert "How many cards?" in response.text
    assert QuestionSet.objects.count() == 1


def test_of_two_teachers_the_second_is_told(made: QuestionSet) -> None:
    sets.save(question_set=made, name="Ours", text="# A\na\n", version=0)
    with pytest.raises(Refused, match="changed on another page"):
        sets.save(question_set=made, name="Ours", text="# B\nb\n", version=0)
    assert QuestionSet.objects.get().text == "# A\na\n"


def test_what_is_refused_is_still_there_to_be_copied(
    made: QuestionSet, teacher: Client
) -> None:
    sets.save(question_set=made, name="Ours", text="# A\na\n", version=0)
    typed = {"name": "Ours", "text": "# Mine\nmine\n", "version": 0, "do": "save"}
    response = teacher.post(made.get_absolute_url(), typed)
    assert response.status_code == 409
    assert "# Mine" in response.text


def test_a_set_has_bounds(made: QuestionSet) -> None:
    for text in ("x" * (sets.LONGEST + 1), "# Q\nq\n" * (sets.MOST_QUESTIONS + 1)):
        with pytest.raises(Refused):
            sets.save(question_set=made, name="Ours", text=text, version=0)
    for _set in range(sets.MOST_SETS - 1):
        sets.create(classroom=made.classroom, name="More")
    with pytest.raises(Refused, match="at most"):
        sets.create(classroom=made.classroom, name="One more")


def test_a_problem_is_told_with_its_line(made: QuestionSet, teacher: Client) -> None:
    where = reverse("question_set_preview", args=[made.pk])
    html = teacher.post(where, {"text": TEXT.replace("count()", "coun()")}).text
    assert "Line 5" in html
    assert "We don’t understand “coun”" in html


def test_a_teacher_answers_as_a_student_would(made: QuestionSet, teacher: Client) -> None:
    signed = present(re.search(r'name="signed" value="([^"]+)"', page(teacher, made)))
    where = reverse("question_try")
    for answer, outcome in (("2", "right"), ("3", "wrong"), ("two", "unreadable")):
        response = teacher.post(where, {"signed": signed[1], "f0": answer})
        assert f'data-outcome="{outcome}"' in response.text
    forged = signed[1][:-2] + "xx"
    assert teacher.post(where, {"signed": forged, "f0": "2"}).status_code == 404
    assert not Question.objects.exists()
    assert not Answer.objects.exists()


def test_text_is_text(made: QuestionSet, teacher: Client) -> None:
    text = TEXT.replace("How many", "<script>alert(1)</script> How many")
    sets.save(question_set=made, name="<b>x</b>", text=text, version=0)
    for html in (
        page(teacher, made),
        teacher.get(reverse("question_set_paper", args=[made.pk])).text,
    ):
        assert "<script>alert" not in html
        assert "<b>x</b>" not in html


def test_a_sheet_and_its_key_belong_together(made: QuestionSet, teacher: Client) -> None:
    text = "# Hand\nStars?\nhand: 8\ncount: Three stars\nright: count(stars=3)\n"
    sets.save(question_set=made, name="Ours", text=text, version=0)
    where = reverse("question_set_paper", args=[made.pk])

    def cards(**query: str) -> list[str]:
        return re.findall(r'data-card="(\d{4})"', teacher.get(where, query).text)

    assert cards(copy="2") == cards(copy="2", key="1") != cards(copy="3")
    key = teacher.get(where, {"key": "1"}).text
    assert key.count("Three stars") == 1  # the answer, and not once more as a step


def test_a_hand_is_drawn_by_the_seed_alone(made: QuestionSet) -> None:
    text = "# Hand\nStars?\nhand: 8\ncount: Three stars\nright: count(stars=3)\n"
    sets.save(question_set=made, name="Ours", text=text, version=0)
    made.refresh_from_db()
    drawn = [sets.question(made, 1, seed)["parameters"]["cards"] for seed in (5, 5, 6)]
    assert drawn[0] == drawn[1] != drawn[2]
    (entry,) = sets.entries(text, Random(5))
    assert entry.stored is not None
    assert entry.stored["parameters"]["cards"] == drawn[0]


@pytest.mark.parametrize("kind", ["hand", "cards", "choice"])
def test_a_class_is_asked_and_its_teacher_sees_who_answered_what(kind: str) -> None:
    session, students = playing(6)
    made = sets.create(
        classroom=session.classroom, name="Ours", text=sets.edited("", "example", kind)
    )
    teacher = signed_in(session.classroom.teachers.get())
    where = f"/teach/sessions/{session.pk}/exercise/"
    for student in students[:2]:  # nobody sees it before it is put
        assert device_of(student, session).get(made.get_absolute_url()).status_code == 302
        assert "question-prompt" not in page_of(device_of(student, session), session.pk)
    offered = present(re.search(r'href="(\?set=\d+&amp;question=1)"', teacher.get(where).text))
    before = teacher.get(where + offered[1].replace("&amp;", "&")).text
    seed = present(re.search(r'name="seed" value="(\d+)"', before))
    assert ("Other numbers" in before) is (kind == "hand")
    put = {"do": f"put-own:{made.pk}.1", "seed": seed[1]}
    assert teacher.post(f"{where}do/", put).status_code == 302
    assert prompt_and_cards(before) == prompt_and_cards(teacher.get(where).text)
    exercise = present(exercise_before(session.pk))
    for number, student in enumerate(students):
        device = device_of(student, session)
        assert prompt_and_cards(page_of(device, session.pk)) == prompt_and_cards(before)
        stored = Question.objects.get(class_exercise=exercise, student=student)
        texts = right_texts(stored) if number % 3 else wrong_texts(stored)
        send(device, stored, texts)
    answers = class_answers(exercise)
    assert (answers.answered, answers.right_at_once) == (6, 4)
    assert sum(n for _words, n in answers.misconceptions) >= 2  # and without a sentence for it
    html = teacher.get(f"{where}answers/").text
    assert html.count("✓") == 4
    assert html.count('<th scope="row">') == 1 + 6  # the right answer's, too
    before_class.take_away(exercise=exercise)  # from then on it stands in the list
    earlier = present(re.search(r'href="([^"]+answers/\?of=\d+)"', teacher.get(where).text))
    assert teacher.get(earlier[1]).text.count("✓") == 4
    other = signed_in(a_teacher("another"))
    assert other.get(earlier[1]).status_code == 404
    assert teacher.get(f"{where}answers/?of=999").status_code == 302
    made.delete()  # what was asked stands by itself
    assert rebuild({"exercise": exercise.exercise, "parameters": exercise.parameters})


def page_of(device: Client, session_id: int) -> str:
    return str(device.get(f"/lessons/sessions/{session_id}/").text)


def prompt_and_cards(html: str) -> list[str]:
    """What a question says and shows."""
    return re.findall(r'class="question-prompt">(.*?)</p>|data-card="(\d{4})"', html)


def test_a_set_of_another_class_cannot_be_put(made: QuestionSet) -> None:
    session, _students = playing(2)
    assert session.classroom != made.classroom
    teacher = signed_in(session.classroom.teachers.get())
    where = f"/teach/sessions/{session.pk}/exercise/"
    put = {"do": f"put-own:{made.pk}.1", "seed": "1"}
    assert teacher.post(f"{where}do/", put).status_code == 409
    assert "That isn’t there any more" in teacher.get(f"{where}?set={made.pk}&question=1").text


def test_a_sets_page_asks_that_set_also_while_another_exercise_runs() -> None:
    session, _students = playing(2)
    text = sets.edited("", "example", "hand")
    made = sets.create(classroom=session.classroom, name="Ours", text=text)
    teacher = signed_in(session.classroom.teachers.get())
    where = f"/teach/sessions/{session.pk}/exercise/"
    assert f'href="{where}?set={made.pk}"' in teacher.get(made.get_absolute_url()).text
    asks = teacher.get(f"{where}?set={made.pk}").text
    assert f'value="put-own:{made.pk}.1"' in asks
    assert "Another exercise is running" not in asks
    before_class.put(session=session, exercise="either-chance", seed=5)
    asks = teacher.get(f"{where}?set={made.pk}").text
    assert f'value="put-own:{made.pk}.1"' in asks
    assert "Another exercise is running. This one would replace it." in asks
    before_class.begin_set(session=session, question_set=made)
    assert 'id="class-exercise"' in teacher.get(f"{where}?set={made.pk}").text  # it runs


# A question taken out.


def test_a_question_taken_out_comes_back_in_its_place(
    made: QuestionSet, teacher: Client
) -> None:
    typed: dict[str, Any] = {
        "name": "Ours",
        "text": f"{TEXT}\n# Two\nHow many?\ncount: N\nright: 2\n",
    }
    where = made.get_absolute_url()
    for number in (1, 2):
        made.refresh_from_db()
        before = {**typed, "version": made.version}
        assert teacher.post(where, {**before, "do": f"drop:{number}"}).status_code == 302
        made.refresh_from_db()
        assert made.text.count("# ") == 1
        html = page(teacher, made)
        assert f"Question {number} was removed." in html
        assert (html.index("was removed") < html.index("data-question-of")) is (number == 1)
        typing = {"text": f"{made.text}\nMore."}  # the button stays while somebody types
        assert (
            "bring-back"
            in teacher.post(reverse("question_set_preview", args=[made.pk]), typing).text
        )
        back = {"name": "Ours", "text": made.text, "version": made.version, "do": "bring-back"}
        assert teacher.post(where, back).status_code == 302
        made.refresh_from_db()
        assert made.text == typed["text"]
        assert "was removed" not in page(teacher, made)


def test_the_last_question_of_a_set_can_be_brought_back_until_it_is_saved(
    made: QuestionSet, teacher: Client
) -> None:
    where = made.get_absolute_url()
    typed: dict[str, Any] = {"name": "Ours", "text": TEXT, "version": 0, "do": "drop:1"}
    teacher.post(where, typed)
    assert "bring-back" in page(teacher, made)
    other = sets.create(classroom=made.classroom, name="Other")
    assert "bring-back" not in page(teacher, other)
    teacher.post(where, {"name": "Ours", "text": "", "version": 1, "do": "save"})
    assert "bring-back" not in page(teacher, made)
    teacher.post(where, {"name": "Ours", "text": "", "version": 2, "do": "bring-back"})
    made.refresh_from_db()
    assert made.text.strip() == ""


# A session begun with a set.

WALK = f"{TEXT}\n# No\nHow many?\n\n# Two\nHow many?\ncount: N\nright: 2\n"
"""Its second question cannot be asked."""


def test_a_lesson_begins_with_a_set_and_goes_through_it_in_order() -> None:
    session, students = playing(3)
    made = sets.create(classroom=session.classroom, name="Ours", text=WALK)
    teacher = signed_in(session.classroom.teachers.get())
    where = f"/teach/sessions/{session.pk}/exercise/"
    choose = teacher.get(f"/teach/sessions/{session.pk}/lesson/").text
    assert re.search(rf'value="begin:{made.pk}"\s+formaction="{where}do/"', choose)
    assert "Begin with: Ours" in choose
    assert teacher.post(f"{where}do/", {"do": f"begin:{made.pk}"})["Location"] == where
    first = present(exercise_before(session.pk))
    device = device_of(students[0], session)
    assert "How many cards?" in page_of(device, session.pk)
    for page in (where, f"{where}projector/"):
        html = teacher.get(page).text
        assert ("Next question (2 of 2)" in html) is (page == where)  # shown before, there
        assert "Show how it’s done" in html
    on_wall = {"do": f"reveal:{first.pk}", "wall": "1"}
    assert teacher.post(f"{where}do/", on_wall)["Location"] == f"{where}projector/"
    assert "Next question (2 of 2)" in teacher.get(f"{where}projector/").text
    for _press in range(2):  # of two teachers, or of an impatient one
        on_wall["do"] = f"next:{first.pk}"
        assert teacher.post(f"{where}do/", on_wall)["Location"] == f"{where}projector/"
    last = present(exercise_before(session.pk))
    assert (last.set_number, last.state) == (3, "open")
    assert "How many?" in page_of(device, session.pk)
    assert "Next question" not in teacher.get(where).text
    assert "Next question" not in teacher.get(f"{where}projector/").text
    with pytest.raises(Refused):
        before_class.put_next(exercise=last)


def test_a_set_is_walked_through_as_it_is_now() -> None:
    session, _students = playing(2)
    made = sets.create(classroom=session.classroom, name="Ours", text=WALK)
    first = before_class.begin_set(session=session, question_set=made)
    sets.save(question_set=made, name="Ours", text=TEXT, version=0)
    made.refresh_from_db()
    assert sets.following(made, 1) is None
    made.delete()  # what was asked stands by itself, and nothing follows
    first.refresh_from_db()
    assert first.question_set is None
    teacher = signed_in(session.classroom.teachers.get())
    assert "Next question" not in teacher.get(f"/teach/sessions/{session.pk}/exercise/").text


def test_only_its_own_teachers_walk_through_a_set_and_not_in_a_closed_session(
    made: QuestionSet,
) -> None:
    session, students = playing(2)
    own = sets.create(classroom=session.classroom, name="Ours", text=WALK)
    empty = sets.create(classroom=session.classroom, name="None yet", text="")
    where = f"/teach/sessions/{session.pk}/exercise/do/"
    teacher = signed_in(session.classroom.teachers.get())
    assert "None yet" not in teacher.get(f"/teach/sessions/{session.pk}/lesson/").text
    for foreign in (made, empty):
        assert teacher.post(where, {"do": f"begin:{foreign.pk}"}).status_code == 409
    begin = {"do": f"begin:{own.pk}"}
    assert signed_in(a_teacher("another")).post(where, begin).status_code == 404
    assert device_of(students[0], session).post(where, begin).status_code == 302  # to sign in
    assert exercise_before(session.pk) is None
    first = before_class.begin_set(session=session, question_set=own)
    onward = {"do": f"next:{first.pk}"}
    assert signed_in(a_teacher("a third")).post(where, onward).status_code == 404
    assert device_of(students[0], session).post(where, onward).status_code == 302
    assert present(exercise_before(session.pk)) == first
    closing.close_session(session_id=session.pk)
    for do in (begin, onward):
        assert teacher.post(where, do).status_code == 409
    assert "Begin with: Ours" not in teacher.get(f"/teach/sessions/{session.pk}/lesson/").text


# In practice.


def test_students_practise_a_set_that_is_opened(made: QuestionSet, teacher: Client) -> None:
    (student,) = a_class(1, made.classroom)
    (stranger,) = a_class(1, a_classroom(name="8a"))
    device = at_home(student)
    assert "Ours" not in device.get("/lessons/practice/").text
    assert device.post("/lessons/practice/", {"set": made.pk}).status_code == 422
    typed = {"name": "Ours", "text": f"{TEXT}\n# Two\nHow many?\ncount: N\nright: 2\n"}
    teacher.post(made.get_absolute_url(), {**typed, "version": 0, "practice": "on"})
    assert "Ours" in device.get("/lessons/practice/").text
    for _time in range(4):
        assert device.post("/lessons/practice/", {"set": made.pk}).status_code == 302
    titles = [each.parameters["text"][:5] for each in Question.objects.order_by("pk")]
    assert titles in (["# One", "# Two"] * 2, ["# Two", "# One"] * 2)  # never twice running
    assert at_home(stranger).post("/lessons/practice/", {"set": made.pk}).status_code == 422
    teacher.post(made.get_absolute_url(), {**typed, "version": 1})
    assert device.post("/lessons/practice/", {"set": made.pk}).status_code == 422


# In homework.


def given(made: QuestionSet, text: str = TEXT) -> tuple[Homework, Student]:
    sets.save(question_set=made, name="Ours", text=text, version=made.version)
    made.refresh_from_db()
    (student,) = a_class(1, made.classroom)
    return some_homework(made.classroom, own=made), student


def test_results_name_a_question_of_homework_by_its_set(made: QuestionSet) -> None:
    homework, student = given(made)
    begin(homework, student)
    stored = Question.objects.get(student=student)
    send(at_home(student), stored, right_texts(stored))
    made.delete()
    (went,) = learning_of_student(student).own_questions.items()
    assert (went[0], went[1].at_once) == ("Ours: One", 1)


def begin(homework: Homework, student: Student, number: int = 1) -> Any:
    return at_home(student).post(f"{homework.get_absolute_url()}questions/{number}/")


def test_homework_has_the_set_as_it_was(made: QuestionSet) -> None:
    homework, student = given(made)
    made.delete()
    html = at_home(student).get(homework.get_absolute_url()).text
    assert "Ours" in html
    assert "One" in html
    assert begin(homework, student).status_code == 302
    assert begin(homework, student).status_code == 302
    stored = Question.objects.get()  # begun twice it is one
    done = doing.done_by(homework, [student.pk])[student.pk]
    assert (done.questions, done.is_all(homework)) == (0, False)
    assert not done.has_begun  # opened, and not answered
    send(at_home(student), stored, wrong_texts(stored))
    done = doing.done_by(homework, [student.pk])[student.pk]
    assert (done.questions, done.has_begun) == (0, True)
    right = send(at_home(student), stored, right_texts(stored), number=1).text
    assert "1 of 1: your homework’s questions are done." in right
    done = doing.done_by(homework, [student.pk])[student.pk]
    assert (done.questions, done.is_all(homework)) == (1, True)
    assert "✓" in at_home(student).get(homework.get_absolute_url()).text


def test_it_speaks_the_language_of_its_class(made: QuestionSet) -> None:
    homework, student = given(made)
    Classroom.objects.filter(pk=made.classroom_id).update(language="fr")
    device = at_home(student)
    where = device.post(f"{homework.get_absolute_url()}questions/1/")["Location"]
    assert "Vérifier" in device.get(where, headers={"Accept-Language": "en"}).text


def test_how_it_goes_waits_for_the_end_of_homework(made: QuestionSet) -> None:
    homework, student = given(made, f"{TEXT}solve: Two cards.\n")
    begin(homework, student)
    stored = Question.objects.get()
    device, where = at_home(student), f"/lessons/questions/{stored.pk}/"
    assert "Show me the solution" not in device.get(where).text
    device.post(f"{where}solve/")
    assert "Two cards." not in device.get(where).text
    giving.close(homework=homework)
    assert "Show me the solution" in device.get(where).text
    device.post(f"{where}solve/")
    assert "Two cards." in device.get(where).text


def test_nothing_is_begun_or_counted_after_the_end(made: QuestionSet) -> None:
    homework, student = given(made, f"{TEXT}\n{TEXT}")
    begin(homework, student)
    giving.close(homework=homework)
    homework.refresh_from_db()
    assert begin(homework, student, 2).status_code == 422
    stored = Question.objects.get()
    send(at_home(student), stored, right_texts(stored))
    assert doing.done_by(homework, [student.pk])[student.pk].questions == 0


def test_a_question_that_homework_has_not(made: QuestionSet) -> None:
    homework, student = given(made)
    for number in (0, 2):
        assert begin(homework, student, number).status_code == 404
    (stranger,) = a_class(1, a_classroom(name="8a"))
    assert begin(homework, stranger).status_code == 404


@pytest.mark.parametrize("text", ["", "# Broken\nWhat?\n", f"{TEXT}\n# Broken\nWhat?\n"])
def test_a_set_with_a_problem_is_not_given_out(made: QuestionSet, text: str) -> None:
    with pytest.raises(Refused, match="wrong in this set"):
        given(made, text)


def test_a_teacher_gives_a_set_out_by_the_form(made: QuestionSet, teacher: Client) -> None:
    where = reverse("homework_of_class", args=[made.classroom_id])
    form = teacher.get(where).context["form"]
    data = {name: field.initial for name, field in form.fields.items() if name != "own"}
    data |= {"boards": 0, "skill": "graphs", "own": made.pk}
    assert teacher.post(where, data).status_code == 302
    assert Homework.objects.get().own_name == "Ours"
    assert teacher.post(where, data | {"questions": 5}).status_code == 422
    other = sets.create(classroom=a_classroom(name="8a"), name="Theirs", text=TEXT)
    assert teacher.post(where, data | {"own": other.pk}).status_code == 422
