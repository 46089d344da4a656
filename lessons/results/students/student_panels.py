"""One student's results: what they bid and took, what they practised and overcame."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import VARIANTS
from games.words import colon
from lessons.course import StepKind, markup
from lessons.exercises import EXERCISES
from lessons.measures.grid import Format, written
from lessons.measures.marks import Merged
from lessons.measures.measure import panel
from lessons.measures.page import page
from lessons.measures.panels import Panel
from lessons.results.bids import bid_panels, bidding, forecast_panels
from lessons.results.dataset import Dataset
from lessons.results.learned import learning_panels
from lessons.results.learned.learning import (
    FEWEST_QUESTIONS,
    Attempt,
    Learning,
    goes_well,
    practice_order,
)
from lessons.results.learned.predictions import LessonProgress, OwnStep
from lessons.results.over_time.term import Day
from lessons.results.over_time.term_panels import day_labels, errors_over_time
from lessons.results.students import own_panels
from lessons.results.students.peers import Peers
from lessons.results.words import lesson_by_number, lesson_words, sentences
from lessons.visits.predictions import in_words, truth_words
from xactika_site.dates import format_date


@dataclass(frozen=True, slots=True)
class Opening:
    """What a teacher can say aloud: what goes well; then what to practise (empty: nothing),
    with how many were right, in which lesson."""

    text: str
    practise: str = ""
    counts: str = ""
    lesson: str = ""
    page: str = ""


def opening(learning: Learning, peers: Peers) -> Opening:
    """The sentences above the figures, on skills with four questions or more."""
    said: dict[str, Any] = {}
    if own := peers.member:
        said |= {"closer": own.closer, "guesses": own.questions}
    skills = learning.by_skill
    order = sorted(
        (skill for skill in skills if skills[skill].questions >= FEWEST_QUESTIONS),
        key=lambda skill: practice_order(skills[skill]),
    )
    high = Fraction(1)
    if order and goes_well(skills[order[-1]]):
        best = order.pop()
        high = skills[best].share or high
        said |= {"best": best.title, **learning_panels.counts("high", skills[best])}
    text = _words("say", said)
    order = [skill for skill in order if (skills[skill].share or 0) < high]
    if not order:
        return Opening(text)
    weakest = order[0]
    lesson = EXERCISES[learning.hardest(weakest)].lesson
    course = lesson_by_number(lesson)
    return Opening(
        text,
        weakest.title,
        learning_panels.count_words(skills[weakest]),
        lesson_words(lesson),
        reverse("lesson", args=[course.slug]) if course else "",
    )


def _words(word: str, facts: Mapping[str, Any]) -> str:
    """The sentences that the page has under this word, of what is known."""
    known = {name: fact for name, fact in facts.items() if fact is not None}
    return sentences(*page("one-student").texts(word, known))


def tallies(data: Dataset, learning: Learning, peers: Peers) -> list[dict[str, str]]:
    """Rounds, bids, exercises and mistakes overcome, at a glance, beside the class's."""
    errors, usual, success = bidding.errors(data.bids), peers.errors, learning.success
    figures: list[dict[str, Any]] = [
        {"of": "class", "n": len(data.rounds), "usual": _usual(peers.rounds, Format.ONE)}
    ]
    if errors.bias is not None:
        figures += [
            {**hit_facts(errors), "usual": _usual(usual.hit_rate, Format.PERCENT)},
            {"of": "bias", "mean": errors.bias, "usual": _usual(usual.bias, Format.SIGNED)},
        ]
    if success.share is not None:
        asked = {"share": success.share, "n": success.questions}
        of_class = _usual(peers.success, Format.PERCENT)
        figures.append({"of": "questions", "usual": of_class, **asked})
    if kinds := learning.misconceptions:
        some = sum(each.overcome for each in kinds)
        figures.append({"of": "mistakes", "some": some, "all": len(kinds)})
    return top_figures(figures)


def _usual(value: Any, form: Format) -> str | None:
    """The class's figure; None where it is not to be told."""
    return None if value is None else written(value, form)


def hit_facts(errors: bidding.Errors) -> dict[str, Any]:
    """How many of one student's bids were right, as facts of a figure."""
    made = errors.counts.get(0, 0)
    return {"of": "bids", "made": made, "n": errors.rounds, "share": errors.hit_rate}


def top_figures(figures: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The numbers at the top of a page, from what each is ``of`` and its facts: with what it
    is, and the class's ``beside`` it."""
    parts = {"figure": "number", "words": "claim", "beside": "note"}
    return [{name: _words(word, each) for name, word in parts.items()} for each in figures]


def panels(
    data: Dataset,
    learning: Learning,
    lessons: Sequence[LessonProgress],
    done: Sequence[OwnStep],
    days: tuple[Day, ...],
) -> list[Panel]:
    """A student's charts, in the order of the page."""
    return [
        over_time(data, days),
        bid_panels.calibration(data, own=True),
        *forecasts(data),
        learning_panels.skills(learning, own=True),
        learning_panels.misconceptions(learning, own=True),
        *([learning_panels.mastery(learning)] if learning.attempts else []),
        *([answers(learning)] if learning.attempts else []),
        *([learning_panels.turns_again(learning.again)] if learning.again.mistakes else []),
        *own_panels.points(data),
        rounds(data, days),
        *([learning_panels.predictions(lessons)] if lessons else []),
        *([steps(done)] if done else []),
    ]


def over_time(data: Dataset, days: tuple[Day, ...]) -> Panel:
    """The student's own line: the bidding error, session by session."""
    by_day = {
        day: bidding.errors(
            (played.bid, played.taken)
            for played in data.rounds
            if played.deal.session == day.pk and played.bid is not None
        )
        for day in days
    }
    labels = day_labels(days)
    by_session = [(labels[day.pk], errors) for day, errors in by_day.items() if errors.rounds]
    return errors_over_time(by_session, key="own-line", own=True)


def forecasts(data: Dataset) -> list[Panel]:
    """How sure one person was, beside how often it came true, and how good that was, week by
    week; nothing of who made no forecast."""
    weeks = [(format_date(week, "j N"), score) for week, score in bidding.by_week(data)]
    curve = forecast_panels.score_curve(weeks, own=True)
    return [forecast_panels.forecasts(data, own=True), curve] if data.forecasts else []


def answers(learning: Learning) -> Panel:
    """Every question that the student answered, the newest first."""
    tries: dict[int, list[Attempt]] = {}
    for attempt in learning.attempts:
        tries.setdefault(attempt.question, []).append(attempt)
    rows = [
        {
            "exercise": str(EXERCISES[attempts[0].exercise].title),
            "lesson": EXERCISES[attempts[0].exercise].lesson,
            "answers": len(attempts),
            "outcome": _outcome_words(attempts[-1].right, len(attempts)),
        }
        for attempts in reversed(tries.values())
    ]
    right = sum(attempts[-1].right for attempts in tries.values())
    return panel("own-answers", rows, {"right": right, "n": len(rows)})


def _outcome_words(right: bool, tries: int) -> str:
    if not right:
        return _("not yet")
    if tries == 1:
        return _("Right first time")
    return _("right at try %d") % tries


def steps(done: Sequence[OwnStep]) -> Panel:
    """What the student predicted, dealt, built and explained in lessons, step by step."""
    rows = [
        {
            "step": markup.plain(each.step.title),
            "lesson": each.lesson.number,
            "said": _answer_words(each),
            "outcome": _result_words(each),
        }
        for each in done
    ]
    return panel("own-steps", rows)


def _answer_words(done: OwnStep) -> str | None:
    """What somebody said or did in a step, in its own words."""
    step, value = done.step, done.value
    with suppress(KeyError, IndexError):  # the lesson's file has changed since
        if step.kind is StepKind.PREDICT:
            return in_words(step, value)
        if step.kind is StepKind.EXPLAIN and not step.is_order:
            return markup.plain(step.statements[value["order"][0]].text)
        if step.deal:
            hands: int = value["hands"]
            return _("%(name)s: %(n)s") % {"name": _("Hands dealt"), "n": hands}
    return None


def _result_words(done: OwnStep) -> str | None:
    """What came of it: what is true where that may be seen, or when it was right."""
    if done.step.kind is StepKind.PREDICT:
        if not done.is_open:
            return _("not revealed yet")
        truth = truth_words(done.step)
        return f"{_('It is')}{colon()}{truth}" if truth else None
    return None if done.right is None else _outcome_words(done.right, done.tries)


def rounds(data: Dataset, days: tuple[Day, ...]) -> Panel:
    """Every round that the student played alone, the newest first."""
    names = day_labels(days)
    games = dict(VARIANTS)
    rows = [
        Merged(
            played,
            played.deal,
            session=names.get(played.deal.session, "–"),
            game=str(games[played.deal.variant]),
        )
        for played in reversed(data.rounds)
    ]
    points = sum(played.points for played in data.rounds)
    return panel("own-rounds", rows, {"n": len(rows), "points": points})
