"""Practice: what comes next, and which mistakes come back, from the answers alone."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from games.keeping.retention import purge_expired
from games.tables.viewers import find_guest
from lessons.exercises import EXERCISES, rebuild
from lessons.models import Answer, Question
from lessons.questions.asking import answer
from lessons.questions.learners import Learner
from lessons.questions.practice import (
    attempts_of,
    by_skill,
    mastery_by_student,
    mastery_states,
    next_exercise,
    next_standing,
    standing,
    standings,
    tries_of,
)
from lessons.questions.spacing import COMES_BACK, SpacedTry
from tests.games.classroom import device_of, playing
from tests.games.table import key_of
from tests.scenes.pictures import words
from tests.scenes.questions import a_learner, asked, right_texts, send, wrong_texts

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=timezone.get_default_timezone())
KEY = "safe-lead"  # its own level is its highest


def at(minutes: float, went_well: bool, key: str = KEY) -> SpacedTry:
    asked = NOW + timedelta(minutes=minutes)
    level = EXERCISES[key].level
    return SpacedTry(key, asked, went_well, level, asked.date(), right=went_well)


def state(*tries: SpacedTry, minutes: float) -> str:
    return standing(EXERCISES[KEY], tries, NOW + timedelta(minutes=minutes)).state


class TestSpacing:
    def test_new_known_and_not_well(self) -> None:
        assert state(minutes=0) == "new"
        assert state(at(0, True, "hook"), minutes=0) == "new"
        assert state(at(0, True), minutes=0) == "seen"
        assert state(at(0, False), minutes=0) == "soon"

    def test_a_mistake_comes_back_after_a_while_or_two_other_questions(self) -> None:
        assert state(at(0, False), minutes=9) == "soon"
        assert state(at(0, False), minutes=10) == "again"
        others = [at(1, True, "hook"), at(2, False, "deck-size")]
        assert state(at(0, False), others[0], minutes=3) == "soon"
        assert state(at(0, False), *others, minutes=3) == "again"

    def test_then_the_next_day_then_some_days_later_then_it_is_learnt(self) -> None:
        day = 24 * 60
        tries = [at(0, False), at(20, True)]
        assert state(*tries, minutes=30) == "soon"
        assert state(*tries, minutes=day + 20) == "again"
        tries.append(at(day + 30, True))
        assert state(*tries, minutes=2 * day) == "soon"
        assert state(*tries, minutes=5 * day + 30) == "again"
        tries.append(at(6 * day, True))
        assert len(tries) == len(COMES_BACK) + 1
        assert state(*tries, minutes=60 * day) == "known"

    def test_another_mistake_starts_again(self) -> None:
        tries = [at(0, False), at(20, True), at(40, False)]
        assert state(*tries, minutes=45) == "soon"
        assert state(*tries, minutes=50) == "again"


@pytest.mark.django_db
class TestWhatCountsAsATry:
    def test_right_at_once_went_well_anything_else_did_not(self) -> None:
        client, learner = a_learner()
        well, second, shown, waiting = (asked(learner, seed=n) for n in range(4))
        send(client, well, right_texts(well))
        send(client, second, wrong_texts(second))
        send(client, second, right_texts(second), 1)
        client.post(f"/lessons/questions/{shown.pk}/solve/")
        send(client, waiting, {"chance": "1/0"})
        assert [one.went_well for one in tries_of(learner)] == [True, False, False]

    def test_each_has_their_own(self) -> None:
        client, learner = a_learner()
        question = asked(learner)
        send(client, question, right_texts(question))
        _session, students = playing(2)
        assert tries_of(a_learner()[1]) == tries_of(None) == []
        assert tries_of(Learner(student=students[0])) == []
        assert {s.state for s in standings(None)} == {"new"}
        assert sum(len(s.standings) for s in by_skill(standings(learner))) == len(EXERCISES)


@pytest.mark.django_db
class TestWhatComesNext:
    def test_a_mistake_before_anything_new(self) -> None:
        client, learner = a_learner()
        wrong = asked(learner, "hook")
        send(client, wrong, wrong_texts(wrong))
        Question.objects.update(asked=timezone.now() - timedelta(hours=1))
        for seed in range(5):
            assert next_exercise(learner, rng=Random(seed)) == ("hook", "A")
            assert next_exercise(learner, not_key="hook", rng=Random(seed)).exercise != "hook"

    def test_of_the_level_and_skill_wished_for(self) -> None:
        for level in "ABC":
            for seed in range(5):
                chosen = next_exercise(None, level=level, rng=Random(seed))
                assert chosen.level == level
                assert level in EXERCISES[chosen.exercise].levels
        for skill in {e.skill for e in EXERCISES.values()}:
            assert EXERCISES[next_exercise(None, skill=skill.value).exercise].skill is skill
        # Where a skill has nothing at the level, the skill decides.
        exercise = next_exercise(None, skill="reasoning", level="C").exercise
        assert EXERCISES[exercise].skill.value == "reasoning"

    def test_what_was_practised_least(self) -> None:
        client, learner = a_learner()
        for key in EXERCISES:
            if key != "hook":
                question = asked(learner, key)
                send(client, question, right_texts(question))
        assert next_exercise(learner) == ("hook", "A")


def test_somebody_new_begins_at_the_first_level_unless_they_ask_for_another() -> None:
    nothing = standings(None)
    assert {next_standing(nothing, rng=Random(n)).level for n in range(40)} == {"A"}
    assert "C" in next_standing(nothing, level="C").exercise.levels


DAY = 24 * 60


class TestMastery:
    """*Seen* after one right answer, *known* after two on different days, at its level."""

    def test_one_right_answer_is_seen_however_often_on_that_day(self) -> None:
        tries = [at(n, True) for n in range(5)]
        assert state(*tries[:1], minutes=0) == "seen"
        assert state(*tries, minutes=10) == "seen"
        assert state(*tries, at(DAY, True), minutes=DAY) == "known"

    def test_a_hint_makes_it_seen_and_not_known(self) -> None:
        helped = [replace(at(n * DAY, True), helped=True) for n in range(3)]
        assert state(*helped, minutes=3 * DAY) == "seen"
        alone = [at(3 * DAY, True), at(4 * DAY, True)]
        assert state(*helped, *alone, minutes=4 * DAY) == "known"

    def test_a_mistake_takes_it_back_until_it_has_come_back(self) -> None:
        tries = [at(0, True), at(DAY, True), at(2 * DAY, False)]
        assert state(*tries, minutes=2 * DAY + 1) == "soon"
        tries += [at((3 + n) * DAY, True) for n in range(2)]
        assert state(*tries, minutes=5 * DAY) == "soon"
        assert state(*tries, at(9 * DAY, True), minutes=9 * DAY) == "known"

    def test_levels_go_up_one_by_one(self) -> None:
        key = "two-way-table"
        exercise, tries = EXERCISES[key], list[SpacedTry]()
        for n, level in enumerate(exercise.levels):
            found = standing(exercise, tries, NOW)
            assert (found.level, found.is_higher) == (level, n > 0)
            tries.append(replace(at(n, True, key), level=level))
        assert standing(exercise, tries, NOW).state == "seen"
        lower = replace(at(DAY, True, key), level="B")
        tomorrow = NOW + timedelta(days=1)
        assert standing(exercise, [*tries, lower], tomorrow).state == "seen"
        assert standing(exercise, tries, tomorrow).is_rested
        top = replace(at(DAY, True, key), level="C")
        assert standing(exercise, [*tries, top], tomorrow).state == "known"

    def test_a_mistake_comes_back_at_its_own_level(self) -> None:
        key = "two-way-table"
        tries = [at(0, True, key), replace(at(1, False, key), level="B")]
        found = standing(EXERCISES[key], tries, NOW + timedelta(hours=1))
        assert (found.state, found.level) == ("again", "B")

    def test_tries_of_others_change_no_level(self) -> None:
        """What lets a new question read the tries of its own exercise alone."""
        rng, key = Random(7), "two-way-table"
        for _case in range(200):
            tries = [
                replace(
                    at(n * 5, rng.random() < 0.6, rng.choice([key, "hook"])),
                    level=rng.choice("ABC"),
                )
                for n in range(rng.randrange(12))
            ]
            own, then = [one for one in tries if one.what == key], NOW + timedelta(minutes=60)
            assert (
                standing(EXERCISES[key], own, then).level
                == standing(EXERCISES[key], tries, then).level
            )

    def test_what_was_answered_before_there_were_levels_counts(self) -> None:
        """Without a level it is the type's own; of a level that is gone, too."""
        old = [replace(at(0, True), level=""), replace(at(DAY, True), level="X")]
        assert state(*old, minutes=DAY) == "known"

    def test_what_is_ripe_comes_before_what_is_new(self) -> None:
        every = [
            standing(e, [at(0, True, KEY)], NOW + timedelta(days=1)) for e in EXERCISES.values()
        ]
        assert next_standing(every).exercise.key == KEY
        today = [standing(e, [at(0, True, KEY)], NOW) for e in EXERCISES.values()]
        assert next_standing(today).exercise.key != KEY
        assert next_standing(today).level == "A"


@pytest.mark.django_db
def test_known_in_the_database_and_in_bulk() -> None:
    """Old questions without a level and new ones with one, on two days."""
    _session, students = playing(2)
    learner = Learner(student=students[0])
    for day, level in ((3, ""), (2, "C"), (1, "C")):
        question = asked(learner, "either-chance", level=level)
        text = {key: str(value) for key, value in rebuild(question.to_json()).right.items()}
        answer(question_id=question.pk, number=0, texts=text)
        Answer.objects.filter(question=question).update(
            made=timezone.now() - timedelta(days=day)
        )
        found = {s.exercise.key: s for s in standings(learner)}["either-chance"]
        assert found.state == ("known" if day == 1 else "seen")
        assert found.level == "C"
    states = mastery_by_student(attempts_of([students[0].pk]))
    assert states == {students[0].pk: {"either-chance": "known"}}
    assert mastery_states(tries_of(learner)) == {"either-chance": "known"}


@pytest.mark.django_db
def test_a_class_s_states_are_those_of_each_student_s_tries() -> None:
    rng, (_session, students) = Random(3), playing(4)
    keys, now = ["deck-size", "hook", KEY], timezone.now()
    for _question in range(120):
        student, key = rng.choice(students), rng.choice(keys)
        question = Question.objects.create(
            student=student, place="practice", exercise=key, seed=1, parameters={},
            hints=rng.choice([0, 0, 1]), solved=rng.choice([None, None, now]),
        )  # fmt: skip
        made = now - timedelta(days=rng.randrange(4))
        for number in range(rng.randrange(3)):
            right = rng.random() < 0.8
            answered = Answer.objects.create(
                question=question, number=number, values={}, right=right
            )
            Answer.objects.filter(pk=answered.pk).update(made=made)
            if right:
                break
    found = mastery_by_student(attempts_of([student.pk for student in students]))
    assert found == {
        student.pk: mastery_states(tries_of(Learner(student=student))) for student in students
    }
    states = {state for own in found.values() for state in own.values()}
    assert {"known", "seen"} <= states


@pytest.mark.django_db
class TestThePage:
    def test_somebody_new_starts_within_a_click_and_is_remembered(self) -> None:
        client = Client()
        assert client.get("/lessons/practice/").status_code == 200
        assert "guest" not in client.cookies  # nothing is stored of somebody who only looks
        there = client.post("/lessons/practice/", {"exercise": "hook", "level": ""})
        assert there.status_code == 302
        question = Question.objects.get()
        assert question.guest == find_guest(key_of(client))
        assert client.get(there.headers["Location"]).status_code == 200

    def test_a_student_practises_as_themselves(self) -> None:
        session, students = playing(2)
        client = device_of(students[0], session)
        assert students[0].name in client.get("/lessons/practice/").text
        client.post("/lessons/practice/", {"skill": "graphs", "level": "A"})
        question = Question.objects.get()
        assert question.student == students[0]
        assert question.exercise == "deck-pie"
        assert (question.level, question.skill) == ("A", "graphs")

    @pytest.mark.parametrize(
        "form", [{"exercise": "no-such"}, {"skill": "x" * 9000}, {"level": "٣"}]
    )
    def test_what_there_is_not_is_told_plainly(self, form: dict[str, str]) -> None:
        client = Client()
        answer = client.post("/lessons/practice/", form)
        assert answer.status_code == 422
        assert "We don’t have that exercise" in answer.text
        assert not Question.objects.exists()
        assert "guest" not in client.cookies

    def test_it_says_what_it_will_ask_and_why(self) -> None:
        client, learner = a_learner()
        shown = client.get("/lessons/practice/")
        assert shown.context["next"].level == "A"
        assert f"Next: {shown.context['next'].exercise.title}" in words(shown.text)
        question = asked(learner, "hook")
        send(client, question, right_texts(question))
        shown = client.get("/lessons/practice/")
        assert shown.context["next"].state == "new"
        assert f"Next: {shown.context['next'].exercise.title}" in words(shown.text)

    def test_it_shows_what_comes_back(self) -> None:
        client, learner = a_learner()
        question = asked(learner, "hook")
        send(client, question, wrong_texts(question))
        Question.objects.update(asked=timezone.now() - timedelta(hours=1))
        text = client.get("/lessons/practice/").text
        assert f"Next: {EXERCISES['hook'].title}" in text
        assert "Right first time: 0 of 1" in text
        assert '<button class="primary big" name="first" value="hook">' in text
        signs = text.split('class="soft pips"', 1)[1].split("</p>", 1)[0]
        assert "comes back now" in signs  # signs are told that are there
        assert "right at least once" not in signs
        assert text.count('data-standing="again"') == 2  # and in the legend


@pytest.mark.django_db
def test_questions_expire_with_the_period_and_guests_with_theirs() -> None:
    client, learner = a_learner()
    old, new = asked(learner), asked(learner, seed=2)
    send(client, old, wrong_texts(old))
    Question.objects.filter(pk=old.pk).update(asked=timezone.now() - timedelta(days=181))
    assert purge_expired()["Questions"] == 1
    assert list(Question.objects.all()) == [new]
    assert not Answer.objects.exists()
    assert learner.guest is not None
    learner.guest.created = timezone.now() - timedelta(days=181)
    learner.guest.save()
    assert purge_expired()["Guests"] == 0  # who came long ago, and was here since
    Question.objects.update(asked=timezone.now() - timedelta(days=181))
    assert purge_expired()["Guests"] == 1
    assert not Question.objects.exists()


@pytest.mark.django_db
def test_a_students_questions_go_with_the_student() -> None:
    session, students = playing(2)
    client = device_of(students[0], session)
    question = asked(Learner(student=students[0]))
    send(client, question, wrong_texts(question))
    students[0].delete()
    assert not Question.objects.exists()
    assert not Answer.objects.exists()


@pytest.mark.django_db
def test_practice_comes_in_fives() -> None:
    client, learner = a_learner()
    waiting = asked(learner, seed=9)
    for n in range(5):
        stored = asked(learner, seed=n)
        assert f"{n} of 5 done" in words(client.get(stored.get_absolute_url()).text)
        if n == 1:
            send(client, stored, wrong_texts(stored))
        shown = send(client, stored, right_texts(stored), number=int(n == 1))
        end = f"/lessons/questions/{stored.pk}/run/"
        assert (end in shown.text) is (n == 4)
        if n < 4:
            assert client.get(end).headers["Location"] == stored.get_absolute_url()
    page = words(client.get(end).text)
    assert "4 of 5 right first time Right in the end: 5 of 5" in page
    assert "Worth another look" in page
    assert "0 of 5 done" in words(client.get(asked(learner).get_absolute_url()).text)
    assert client.get(f"/lessons/questions/{waiting.pk}/run/").status_code == 302
    assert Client().get(end).status_code == 404


@pytest.mark.django_db
def test_a_run_counts_in_the_order_in_which_questions_are_finished() -> None:
    client, learner = a_learner()
    earlier, later = asked(learner, seed=1), asked(learner, seed=2)
    for n, stored in enumerate((later, earlier), start=1):
        assert f"{n} of 5 done" in words(send(client, stored, right_texts(stored)).text)


@pytest.mark.django_db
def test_a_chosen_exercise_comes_five_times_and_then_whatever_comes_next() -> None:
    client, learner = a_learner()
    mixed = asked(learner)
    page = client.post("/lessons/practice/", {"exercise": "hook"}, follow=True)
    for n in range(5):
        stored = Question.objects.latest("pk")
        assert stored.exercise == "hook"
        assert f"{n} of 5 done" in words(page.text)
        done = send(client, stored, right_texts(stored))
        assert "Another one like this" not in done.text
        if n < 4:
            path = f"/lessons/questions/{stored.pk}/another/"
            page = client.post(path, {"next": "1"}, follow=True)
    assert [*Question.objects.values_list("parameters__level", flat=True)[1:3]] == [None, "B"]
    end = client.get(f"/lessons/questions/{stored.pk}/run/").text
    assert "5 of 5 right first time" in words(end)
    assert re.search(r'name="exercise" value="hook">\s*Another five', end)  # of the same
    assert "0 of 5 done" in words(client.get(mixed.get_absolute_url()).text)
    first = client.post("/lessons/practice/", {"first": "deck-size"}, follow=True)
    assert "0 of 5 done" in words(first.text)
    last = Question.objects.latest("pk")
    assert (last.exercise, last.chosen) == ("deck-size", False)
