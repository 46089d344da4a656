"""Two hints before the solution: none costs an attempt, none tells the answer."""

from __future__ import annotations

import re
from contextlib import suppress
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from lessons.exercises import EXERCISES, AnswerGrade, NoVariant, ask, grade, rebuild
from lessons.exercises.engine import STEP
from lessons.models import Answer, Question
from lessons.questions.practice import standings, tries_of
from tests.scenes import present
from tests.scenes.exercises import KEYS, context, numbers, questions
from tests.scenes.questions import a_learner, asked, right_texts, send, wrong_texts
from tests.scenes.written import forms


@pytest.mark.parametrize("key", KEYS)
def test_every_type_helps_at_every_level_without_telling(key: str) -> None:
    for question in questions(key)[:4]:
        aid = present(question.hint)
        assert len(aid.hint) < 200
        assert "%(" not in aid.hint + aid.ask
        given = numbers(question.prompt) | {
            number
            for table in question.tables
            for row in table.rows
            for cell in row
            if isinstance(cell, str)
            for number in numbers(cell)
        }
        asked_for = {
            answer for answer in question.right.values() if isinstance(answer, Fraction)
        }
        assert (
            not (numbers(aid.hint) - given - {Fraction(n) for n in (1, 2, 8, 360)}) & asked_for
        )
        if not aid.ask:
            assert EXERCISES[question.exercise].kind.value == "c"
            continue
        step = aid.question(question)
        assert aid.right is not None
        for text in forms(aid.right, aid.form)[:3]:
            assert grade(step, {STEP: text}).grade is AnswerGrade.RIGHT, (text, aid)
        assert grade(step, {STEP: "987654"}).grade is AnswerGrade.WRONG


SAID = [
    ("gaps-and-ratios", {"asks": "more"}, "the root of the number"),
    ("gaps-and-ratios", {"asks": "fewer"}, "the root of the number"),
    ("gaps-and-ratios", {"asks": "on"}, "already"),
    ("means-vary-less", {"asks": "far"}, "Which of the two graphs"),
    ("means-vary-less", {"asks": "near"}, "Which of the two graphs"),
    ("means-vary-less", {"asks": "any"}, "How many cards of a hand"),
    ("after-slough", {"of": "class"}, "Cross out"),
    ("after-slough", {"of": "others"}, "None of a void hand’s cards fits"),
]


@pytest.mark.parametrize(("key", "wish", "said"), SAID)
def test_a_hint_says_what_is_asked(key: str, wish: dict[str, str], said: str) -> None:
    asked_so = 0
    for seed in range(20):
        with suppress(NoVariant):
            aid = present(ask(key, seed, context(key, seed), wish).hint)
            assert said in aid.hint
            asked_so += 1
    assert asked_so


@pytest.mark.parametrize("key", KEYS)
def test_the_small_question_is_none_that_is_asked(key: str) -> None:
    """But for a few that come out the same by chance."""
    some = questions(key)[:24]
    same = sum(present(each.hint).right in each.right.values() for each in some)
    assert same <= 0.7 * len(some)


def test_the_fewest_bids_of_a_record_are_not_counted_in_its_hint() -> None:
    counts = [0, 0, 0, 7, 11, 20, 36, 126, *[0] * 13]
    parameters = {"p": [3, 10], "counts": counts, "made": 3}
    aid = present(EXERCISES["beside-model"].build(parameters).hint)
    assert aid.right == 1  # one line, of 7 records


def hint(client: Client, stored: Question, **texts: str) -> str:
    page = client.post(
        f"/lessons/questions/{stored.pk}/hint/", texts, headers={"HX-Request": "true"}
    )
    assert page.status_code == 200
    return str(page.text)


@pytest.mark.django_db
class TestTheLadder:
    def test_a_hint_then_a_step_then_the_solution(self) -> None:
        client, learner = a_learner()
        stored = asked(learner, "either-chance")
        aid = present(rebuild(stored.to_json()).hint)
        before = client.get(stored.get_absolute_url()).text
        assert "Give me a hint" in before
        assert "Show me the solution" not in before
        first = hint(client, stored, chance="0.1")
        assert aid.hint.replace("'", "&#x27;") in first
        assert aid.ask not in first
        assert 'value="0.1"' in first  # what was typed stays
        second = hint(client, stored)
        assert aid.ask in second
        assert "Show me the solution" in second
        wrong = hint(client, stored, check="1", step="9999", chance="0.2")
        assert re.search("A chance is 0 to 1|Far too high|Not yet", wrong)
        assert 'value="0.2"' in wrong
        right = hint(client, stored, check="1", step=str(aid.right))
        assert f"✓ {aid.right}" in right
        assert not Answer.objects.exists()
        stored.refresh_from_db()
        assert (stored.hints, stored.solved) == (3, None)
        assert aid.ask in hint(client, stored)  # asked for once more, it stays done
        send(client, stored, right_texts(stored))
        (one,) = tries_of(learner)
        assert one.went_well
        assert one.helped
        state = {s.exercise.key: s.state for s in standings(learner)}
        assert state["either-chance"] == "seen"

    @pytest.mark.parametrize("text", ["", "1/0", "x" * 10_000, "<script>", "٣"])
    def test_a_step_that_cannot_be_read_is_told(self, text: str) -> None:
        client, learner = a_learner()
        stored = asked(learner, "either-chance")
        hint(client, stored)
        hint(client, stored)
        told = hint(client, stored, check="1", step=text)
        assert "step-told" in told
        assert "<script>" not in told
        assert Question.objects.get().hints == 2

    def test_a_wrong_answer_still_has_its_own_hint(self) -> None:
        client, learner = a_learner()
        stored = asked(learner, "either-chance")
        hint(client, stored)
        page: Any = send(client, stored, wrong_texts(stored))
        assert "Hint" in page.text
        assert 'data-outcome="wrong"' in page.text
        assert "Stuck?" not in page.text
        again = send(client, stored, wrong_texts(stored), number=1).text
        assert "Stuck? Take the hint." in again  # its step, which is still to come

    def test_no_hint_where_there_is_none(self) -> None:
        client, learner = a_learner()
        stored = asked(learner, "either-chance")
        send(client, stored, right_texts(stored))
        assert "That step doesn’t exist." in hint(client, stored)
        assert Question.objects.get().hints == 0
        early = asked(learner, "either-chance", seed=2)
        assert "That step doesn’t exist." in hint(client, early, check="1", step="1")
