"""Questions asked, answered and shown how; every write of one learner goes through here."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from random import Random
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.keeping.retention import delete_rows
from lessons.exercises import (
    SEED_BITS,
    AnswerGrade,
    NoSuchQuestion,
    Verdict,
    drawn_questions,
    grade,
    in_our_notation,
    question_or_none,
    rebuild,
)
from lessons.exercises.engine import LEVEL, STEP
from lessons.models import Answer, Question, QuestionSet
from lessons.questions import sets
from lessons.questions.at_table import OwnSeat
from lessons.questions.learners import Learner
from xactika_site.classrooms.services import Refused, note_day
from xactika_site.randomness import system_rng

MOST_ATTEMPTS = 20
"""Answers to one question; whoever needs more is better helped by the way to it."""

MOST_UNANSWERED = 5
"""Practice questions that may wait for an answer; of more the oldest go."""


# Asking.


def ask_in_practice(
    *,
    learner: Learner,
    exercise: str,
    at: str = "",
    level: str = "",
    skill: str = "",
    chosen: bool = False,
    rng: Random = system_rng,
) -> Question:
    """A new question to practise with, about the deck or something invented, ``at`` one of the
    exercise's levels (else its own); the level and skill that were wished for, or whether just
    this exercise was, are kept for the next one. KeyError for an unknown exercise."""
    drawn = drawn_questions(exercise, rng, {LEVEL: at} if at else None)
    if (question := next(drawn, None)) is None:
        raise Refused(_("No question here right now. Try another exercise."))
    stored = question.to_json()
    return _store_in_practice(learner, stored, level=level, skill=skill, chosen=chosen)


def ask_from_set(*, learner: Learner, question_set: QuestionSet) -> Question:
    """A new question to practise with from a set of the learner's class. Refused where the set
    holds none."""
    before = Question.objects.filter(**learner.owner, place=Question.Place.PRACTICE)
    last = before.order_by("-pk").first()
    stored = sets.practice_question(question_set, last.to_json() if last else None)
    return _store_in_practice(learner, stored)


def ask_at_table(*, own: OwnSeat, rng: Random = system_rng) -> Question | None:
    """One question about exactly this hand, at this moment, of one of the exercises that suit,
    by chance; asked twice it is the same. None where there is none to ask."""
    moment = own.moment
    if not moment:
        return None
    present = {"deal_id": own.state.deal_id, "moment": moment, **own.learner.owner}
    if asked := Question.objects.filter(**present).first():
        return asked
    keys, context = own.exercises(), own.context()
    found = (
        question_or_none(key, rng.getrandbits(SEED_BITS), context)
        for key in rng.sample(keys, len(keys))
    )
    if (question := next(filter(None, found), None)) is None:
        return None
    session = own.state.class_session_id
    try:
        with transaction.atomic():
            return _store(
                own.learner,
                question.to_json(),
                Question.Place.TABLE,
                moment=moment,
                deal_id=own.state.deal_id,
                class_session_id=session,
            )
    except IntegrityError:  # the same click, twice
        return Question.objects.get(**present)


def _store(learner: Learner, stored: Mapping[str, Any], place: str, **facts: Any) -> Question:
    return Question.objects.create(**learner.owner, **stored, place=place, **facts)


def _store_in_practice(learner: Learner, stored: Mapping[str, Any], **wish: Any) -> Question:
    """The question, stored; the oldest that wait for an answer make room for it."""
    asked = _store(learner, stored, Question.Place.PRACTICE, **wish)
    waiting = Question.objects.filter(
        **learner.owner, place=Question.Place.PRACTICE, answers=None, solved=None
    )
    old = waiting.order_by("-pk").values_list("pk", flat=True)[MOST_UNANSWERED:]
    Question.objects.filter(pk__in=list(old)).delete()
    if learner.student is not None:
        note_day(students=[learner.student.pk])
    return asked


# Answering.


def _locked(question_id: int) -> Question:
    questions = Question.objects.select_for_update(of=("self",)).select_related(
        "class_exercise"
    )
    return questions.get(pk=question_id)


@transaction.atomic
def answer(*, question_id: int, number: int | None, texts: Mapping[str, str]) -> Verdict:
    """The verdict on what was typed. Right and wrong answers are stored, by field as numbers in
    our own notation or options' keys; what cannot be read or is in another form costs nothing
    and is not stored. ``number`` says which attempt the form was for: the same one sent twice
    is stored once. Refused where no answer is taken any more."""
    stored = _locked(question_id)
    question = rebuild(stored.to_json())
    verdict = grade(question, texts)
    sent = list(stored.answers.order_by("number"))
    before = {each.number: each.values for each in sent}.get(-1 if number is None else number)
    if before and verdict.uses_attempt and before == in_our_notation(question, texts):
        return verdict  # the same click, twice
    if number != len(sent):
        raise Refused(_("You’ve answered this on another page. Here’s how it went."))
    if stored.solved or (stored.class_exercise and stored.class_exercise.closed):
        raise Refused(_("It has closed."))
    if not verdict.uses_attempt:
        return verdict
    if number >= MOST_ATTEMPTS:
        raise Refused(_("That was a lot of tries. See how it’s done."))
    is_right = verdict.grade is AnswerGrade.RIGHT
    Answer.objects.create(
        question=stored,
        number=number,
        values=in_our_notation(question, texts),
        right=is_right,
        misconceptions=[code.value for code in verdict.misconceptions],
    )
    if is_right:
        Question.objects.filter(pk=stored.pk).update(solved=timezone.now())
    return verdict


def answer_once(question: Question, texts: Mapping[str, str] | None) -> Verdict | None:
    """The verdict on the one answer to a question that tells nothing; ``texts`` is None for "I
    don’t know", which is stored without values. What cannot be read is not stored, and its
    verdict says why. The right value in another form is right: to ask it back would tell that
    it is. A second answer changes nothing."""
    if question.answers.exists():
        return None
    values, verdict = {}, None
    with suppress(NoSuchQuestion):  # its type is gone: it is passed, like one that is not known
        instance = rebuild(question.to_json())
        verdict = grade(instance, texts) if texts is not None else None
    if texts is not None and verdict is not None:
        if verdict.grade is AnswerGrade.UNREADABLE:
            return verdict
        values = in_our_notation(instance, texts)
    codes = verdict.misconceptions if verdict else ()
    with suppress(IntegrityError), transaction.atomic():  # the same click, twice
        Answer.objects.create(
            question=question,
            number=0,
            values=values,
            right=verdict is not None
            and verdict.grade in (AnswerGrade.RIGHT, AnswerGrade.FORM),
            misconceptions=[code.value for code in codes],
        )
    return None


@transaction.atomic
def show_hint(*, question_id: int, step: str | None = None) -> Verdict | None:
    """Show the next hint, or grade the step typed in answer to the first: the verdict on that
    ``step``, which uses no attempt and is stored only if right; without a step None, and the
    hint, then the step to fill in, counts as shown. Refused where no help is given: while the
    class answers, once it is solved."""
    stored = _locked(question_id)
    question = rebuild(stored.to_json())
    aid = question.hint
    if aid is None or stored.solved or stored.class_exercise is not None:
        raise Refused(_("That step doesn’t exist."))
    verdict = None
    if step is None:
        stored.hints = min(stored.hints + 1, 2 if aid.ask else 1)
    elif stored.hints < 2:
        raise Refused(_("That step doesn’t exist."))
    else:
        verdict = grade(aid.question(question), {STEP: step})
        if verdict.grade is AnswerGrade.RIGHT:
            stored.hints = 3
    stored.save(update_fields=["hints"])
    return verdict


def solve(*, question: Question) -> None:
    """Show how it’s done: no attempt counts after this. Not while the class still answers."""
    if question.class_exercise is not None and question.class_exercise.revealed is None:
        raise Refused(_("Your teacher shows how it’s done."))
    if question.homework is not None and question.homework.is_open:
        raise Refused(_("You’ll see how when the homework closes."))
    Question.objects.filter(pk=question.pk, solved=None).update(solved=timezone.now())


# Expiry.


def purge_questions(before: datetime) -> int:
    """Delete questions, with their answers, that were asked before this; how many."""
    return delete_rows(Question.objects.filter(asked__lt=before))
