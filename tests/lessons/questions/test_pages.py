"""Questions through their pages: asked, answered, shown, never anybody else's."""

from __future__ import annotations

import re
from html import escape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from lessons.exercises import EXERCISES, rebuild
from lessons.models import Answer, Question
from lessons.questions import asking
from tests.scenes.questions import KEYS, a_learner, asked, right_texts, send, wrong_texts
from xactika_site.classrooms.services import Refused

pytestmark = pytest.mark.django_db

LOUD = "<script>alert(1)</script>"
"""What a page could show. That grading finds all that is malformed unreadable, of every type,
is held where it is tested."""

MALFORMED = ["", "   ", "x" * 10_000, "1/0", "1e400000", "٣/٤", LOUD, "=1+1"]


def stored_rows() -> list[Any]:
    return [
        list(Question.objects.order_by("pk").values()),
        list(Answer.objects.order_by("pk").values()),
    ]


def page(client: Client, stored: Question) -> str:
    return str(client.get(stored.get_absolute_url()).text)


@pytest.mark.parametrize("key", KEYS)
def test_each_type_through_its_page(key: str) -> None:
    client, learner = a_learner()
    stored = asked(learner, key)
    question = rebuild(stored.to_json())
    before = page(client, stored)
    assert str(EXERCISES[key].title) in before
    assert " style=" not in before
    for step in question.solution:
        assert step not in before
    for code in {code for group in question.cards for code in group.codes}:
        assert f"cards.svg#c{code}" in re.sub(r"cards\.[0-9a-f]+\.svg", "cards.svg", before)
    for field in question.fields:
        assert f'name="{field.key}"' in before
    is_whole = key in ("unseen-card", "safest-lead")  # with all of them, and double clicks
    for text in MALFORMED if is_whole else [LOUD]:
        answer = send(client, stored, dict.fromkeys(question.right, text))
        assert answer.status_code == 200
        assert "<script>alert" not in answer.text
        assert len(answer.content) < 80_000
    assert not stored.answers.exists()
    for _click in range(1 + is_whole):
        answer = send(client, stored, wrong_texts(stored))
    assert 'data-state="open"' in answer.text
    assert 'data-outcome="wrong"' in answer.text
    assert [given.number for given in stored.answers.all()] == [0]
    for _click in range(1 + is_whole):
        answer = send(client, stored, right_texts(stored), 1)
        assert "Right!" in answer.text
    given = stored.answers.get(number=1)
    assert given.right
    assert given.misconceptions == []
    after = page(client, stored)
    assert "Solution" in after
    assert 'data-state="right"' in after


def test_what_is_stored_is_in_our_notation_and_never_what_was_typed() -> None:
    client, learner = a_learner()
    stored = asked(learner, "unseen-card")
    send(client, stored, {"chance": " 25.0 %  ", "csrfmiddlewaretoken": "x", "more": "Otter"})
    given = stored.answers.get()
    assert given.values == {"chance": "1/4"}
    assert "Otter" not in str(stored_rows())


def test_a_recognised_mistake_is_kept_and_its_hint_shown() -> None:
    client, learner = a_learner()
    stored = asked(learner, "unseen-card")
    answer = send(client, stored, {"chance": "1/3"}).text
    assert "Which of these cards have you seen already" in answer
    assert 'aria-describedby="verdict-' in answer
    assert 'aria-invalid="true"' in answer
    assert stored.answers.get().misconceptions == ["ignores-evidence"]


def test_bids_stand_on_a_board_and_shares_are_bars() -> None:
    client, learner = a_learner()
    stored = asked(learner, "hook")
    question = rebuild(stored.to_json())
    said = page(client, stored)
    bids = [int(str(row[1])) for row in question.tables[0].rows]
    board, asked_there = said.split('<div class="bids-board', 1)[1].split("</ol>", 1)
    assert re.findall(r"<b>(.)</b>", board) == [*map(str, bids), "?"]
    assert board.count("<i></i>") == sum(bids)
    pads = asked_there.split("</fieldset>", 1)[0]  # the dealer's bid is chosen on the board
    assert pads.count('name="forbidden"') == 10
    again = send(client, stored, {"forbidden": "8", "follows": "none"}).text
    assert again.split('<div class="bids-board', 1)[1].count("<i></i>") == sum(bids) + 8
    assert "<table" not in said
    shares = page(client, asked(learner, "best-bid"))
    assert shares.count('class="share-bar"') == 9
    assert '<rect width="100" height="10"/>' in shares
    counted = page(client, asked(learner, "equal-values"))  # a table of counts alone, too
    assert counted.count('class="share-bar"') >= 3


@pytest.mark.parametrize("number", ["", "1", "-1", "٠", "9" * 40, "x"])
def test_an_attempt_that_is_not_the_next_one_changes_nothing(number: str) -> None:
    client, learner = a_learner()
    stored = asked(learner)
    answer = send(client, stored, right_texts(stored), number)
    assert "answered this on another page" in answer.text
    assert not stored.answers.exists()


def test_a_second_page_gets_no_free_guess() -> None:
    client, learner = a_learner()
    stored = asked(learner)
    send(client, stored, wrong_texts(stored))
    answer = send(client, stored, right_texts(stored), 0).text
    assert "answered this on another page" in answer
    assert "Right!" not in answer
    assert stored.answers.count() == 1


def test_show_me_how_ends_the_question() -> None:
    client, learner = a_learner()
    stored = asked(learner)
    shown = client.post(f"/lessons/questions/{stored.pk}/solve/", follow=True).text
    assert "Solution" in shown
    assert "<math" in shown
    answer = send(client, stored, right_texts(stored)).text
    assert "It has closed." in answer
    assert not stored.answers.exists()


def test_the_solution_says_what_was_to_choose() -> None:
    client, learner = a_learner()
    stored = asked(learner, "independence")
    question = rebuild(stored.to_json())
    shown = client.post(f"/lessons/questions/{stored.pk}/solve/", follow=True).text
    chosen = [each for each in question.fields if each.options]
    assert chosen
    for each in chosen:
        assert escape(each.label_of(str(question.right[each.key]))) in shown


def test_after_many_tries_the_way_is_offered_instead() -> None:
    client, learner = a_learner()
    stored = asked(learner)
    page = f"/lessons/questions/{stored.pk}/"
    for number in range(asking.MOST_ATTEMPTS):
        if number in {0, asking.MOST_ATTEMPTS - 1}:
            assert "Show me the solution" not in client.get(page).text
        texts = {"chance": f"0.9{number:03}"}
        asking.answer(question_id=stored.pk, number=number, texts=texts)
    with pytest.raises(Refused, match="a lot of tries"):
        asking.answer(
            question_id=stored.pk, number=asking.MOST_ATTEMPTS, texts={"chance": "0.5"}
        )
    assert stored.answers.count() == asking.MOST_ATTEMPTS
    assert "Show me the solution" in client.get(page).text


def test_a_question_that_no_exercise_made_is_told_plainly() -> None:
    client, learner = a_learner()
    stored = asked(learner)
    for change in ({"exercise": "no-such"}, {"exercise": "hook"}, {"parameters": {"x": 1}}):
        Question.objects.filter(pk=stored.pk).update(**change)
        assert "is gone" in page(client, stored)
        answer = send(client, stored, {"chance": "1/3"})
        assert answer.status_code == 200
        assert "is gone" in answer.text
    assert not stored.answers.exists()
    on = client.post(f"/lessons/questions/{stored.pk}/another/", {"next": "1"})
    assert on.status_code == 302


def test_another_one_has_other_numbers_and_few_unanswered_ones_are_kept() -> None:
    client, learner = a_learner()
    first = asked(learner)
    send(client, first, right_texts(first))
    seeds = {first.seed}
    path = first.get_absolute_url()
    for _ in range(asking.MOST_UNANSWERED + 3):
        path = client.post(f"{path}another/").headers["Location"]
        seeds.add(Question.objects.get(pk=int(path.split("/")[-2])).seed)
    assert len(seeds) == asking.MOST_UNANSWERED + 4
    assert Question.objects.filter(guest=learner.guest).count() == asking.MOST_UNANSWERED + 1
    assert {q.exercise for q in Question.objects.all()} == {"unseen-card"}


def test_htmx_gets_the_question_alone() -> None:
    client, learner = a_learner()
    stored = asked(learner)
    answer = client.post(
        f"/lessons/questions/{stored.pk}/answer/",
        {"number": "0", "chance": "1/3"},
        headers={"HX-Request": "true"},
    )
    text = answer.text
    assert text.lstrip().startswith("<section")
    assert text.count("autofocus") == 1
    Question.objects.filter(pk=stored.pk).update(solved=timezone.now())
    new = client.post(
        f"/lessons/questions/{stored.pk}/another/", headers={"HX-Request": "true"}
    )
    assert new.headers["HX-Push-Url"] != stored.get_absolute_url()


def test_the_trouble_has_the_focus() -> None:
    client, learner = a_learner()
    stored = asked(learner, "deck-spread")
    texts = {**right_texts(stored), "sd": "x", "within1": "y"}
    answer = send(client, stored, texts).text
    assert answer.count("autofocus") == 1
    assert re.search(r'name="sd"[^>]*autofocus', answer)
    assert re.search(r'name="within1"[^>]*aria-invalid', answer)
    assert not re.search(r'name="mean"[^>]*aria-invalid', answer)
