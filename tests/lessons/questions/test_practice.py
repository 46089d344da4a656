"""Practice: what comes next, and which mistakes come back, from the answers alone."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from games.keeping.retention import purge_expired
from games.tables.viewers import find_guest
from lessons.exercises import EXERCISES
from lessons.models import Answer, Question
from lessons.questions.learners import Learner
from lessons.questions.practice import (
    by_skill,
    choose,
    comes_next,
    standing,
    standings,
    tries_of,
)
from lessons.questions.spacing import COMES_BACK, Try
from tests.games.classroom import device_of, playing
from tests.games.table import key_of
from tests.lessons.learners import a_learner, asked, right_texts, send, wrong_texts

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=timezone.get_default_timezone())
KEY = "unseen-card"


def at(minutes: float, went_well: bool, key: str = KEY) -> Try:
    return Try(key, NOW + timedelta(minutes=minutes), went_well)


def state(*tries: Try, minutes: float) -> str:
    return standing(EXERCISES[KEY], tries, NOW + timedelta(minutes=minutes)).state


class TestSpacing:
    def test_new_known_and_not_well(self) -> None:
        assert state(minutes=0) == "new"
        assert state(at(0, True, "hook"), minutes=0) == "new"
        assert state(at(0, True), minutes=0) == "known"
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
            assert choose(learner, rng=Random(seed)) == "hook"
            assert choose(learner, but="hook", rng=Random(seed)) != "hook"

    def test_of_the_level_and_skill_wished_for(self) -> None:
        for level in "ABC":
            for seed in range(5):
                chosen = EXERCISES[choose(None, level=level, rng=Random(seed))]
                assert chosen.level == level
        for skill in {e.skill for e in EXERCISES.values()}:
            assert EXERCISES[choose(None, skill=skill.value)].skill is skill
        # Where a skill has nothing at the level, the skill decides.
        chosen = EXERCISES[choose(None, skill="spread", level="A")]
        assert chosen.skill.value == "spread"

    def test_what_was_practised_least(self) -> None:
        client, learner = a_learner()
        for key in EXERCISES:
            if key != "hook":
                question = asked(learner, key)
                send(client, question, right_texts(question))
        assert choose(learner) == "hook"


def test_somebody_new_begins_at_the_first_level_unless_they_ask_for_another() -> None:
    nothing = standings(None)
    levels = {comes_next(nothing, rng=Random(n)).exercise.level for n in range(40)}
    assert levels == {"A"}
    assert comes_next(nothing, level="C").exercise.level == "C"


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
        assert students[0].name in client.get("/lessons/practice/").content.decode()
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
        assert "There is no such exercise" in answer.content.decode()
        assert not Question.objects.exists()
        assert "guest" not in client.cookies

    def test_it_says_what_it_will_ask_and_why(self) -> None:
        client, learner = a_learner()
        shown = client.get("/lessons/practice/")
        assert shown.context["next"].exercise.level == "A"
        assert "One to begin with." in shown.content.decode()
        question = asked(learner, "hook")
        send(client, question, right_texts(question))
        shown = client.get("/lessons/practice/")
        assert shown.context["next"].state == "new"
        assert "It is new to you." in shown.content.decode()

    def test_it_shows_what_comes_back(self) -> None:
        client, learner = a_learner()
        question = asked(learner, "hook")
        send(client, question, wrong_texts(question))
        Question.objects.update(asked=timezone.now() - timedelta(hours=1))
        text = client.get("/lessons/practice/").content.decode()
        assert f"Next: {EXERCISES['hook'].title}" in text
        assert "comes back now: so far right at once 0 of 1 times" in text
        assert '<button class="primary big" name="exercise" value="hook">' in text
        assert text.count('data-standing="again"') == 2  # and in the legend


@pytest.mark.django_db
def test_questions_expire_with_the_period_and_guests_with_theirs() -> None:
    client, learner = a_learner()
    old, new = asked(learner), asked(learner, seed=2)
    send(client, old, wrong_texts(old))
    Question.objects.filter(pk=old.pk).update(asked=timezone.now() - timedelta(days=181))
    assert purge_expired()["questions"] == 1
    assert list(Question.objects.all()) == [new]
    assert not Answer.objects.exists()
    assert learner.guest is not None
    learner.guest.created = timezone.now() - timedelta(days=181)
    learner.guest.save()
    assert purge_expired()["guests"] == 0  # who came long ago, and was here since
    Question.objects.update(asked=timezone.now() - timedelta(days=181))
    assert purge_expired()["guests"] == 1
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
