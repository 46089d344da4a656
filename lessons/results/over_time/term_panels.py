"""A classroom over time as questions, answers and charts; their words are pages of measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import takewhile
from typing import Any

from django.urls import reverse
from django.utils.timezone import localtime

from games.words import half_up
from lessons.charts import round_numbers
from lessons.course import lessons
from lessons.measures.grid import Link
from lessons.measures.marks import Merged
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.results.bids.bidding import Errors, errors_of, shrunk_means
from lessons.results.bids.forecast_panels import score_curve
from lessons.results.dealt.dealing import RunningMean
from lessons.results.over_time.term import Day, Term
from lessons.results.words import basis_words, bias_facts, is_few
from lessons.visits.crowd import crowd_panel
from xactika_site.dates import format_date

DRAWN_DEALS = 400
"""Points of the running mean that a chart draws, however many deals there were."""

SHOWN_DAYS = 12
"""Sessions that the table of students has room for: the latest."""


def panels(term: Term, *, names: Mapping[int, str]) -> list[Panel]:
    """All of a classroom's figures over time, in the order of the page."""
    return [
        bias(term),
        *([score(term)] if term.scores else []),
        *([crowd_panel(term.crowd)] if term.crowd.members else []),
        sessions(term),
        long_run(term),
        students(term, names=names),
    ]


def day_labels(days: Iterable[Day]) -> dict[int, str]:
    """The words for each session: its day, and the time where two fell on one."""
    began = {day.pk: localtime(day.began) for day in days}
    on_date = Counter(moment.date() for moment in began.values())
    return {
        pk: format_date(moment, "j N" if on_date[moment.date()] == 1 else "j N, H:i")
        for pk, moment in began.items()
    }


def bias(term: Term) -> Panel:
    """The bidding error, session by session."""
    days = [day for day in term.played if day.pk in term.errors]
    labels = day_labels(days)
    by_session = [(labels[day.pk], term.errors[day.pk]) for day in days]
    students, of = len(term.lines), len(term.names)
    return errors_over_time(by_session, key="term-bias", students=students, of=of)


def errors_over_time(
    by_session: Sequence[tuple[str, Errors]], *, key: str, own: bool = False, **people: int
) -> Panel:
    """Mean and spread of bid − taken along the sessions, of a class or (``own``) of one."""
    rounds = sum(errors.rounds for _session, errors in by_session)
    said: dict[str, Any] = {"own": own, "few": is_few(rounds)}
    if by_session:
        first, last = by_session[0][1], by_session[-1][1]
        said |= {"first": first.bias, "last": last.bias, **bias_facts(first.bias or Fraction())}
        said |= {"first_hands": first.rounds, "last_hands": last.rounds}
        said |= {"early": first.hit_rate, "late": last.hit_rate}
        said["one"] = len(by_session) == 1
    rows = [Merged(errors, session=session) for session, errors in by_session]
    rests = basis_words(rounds=rounds, **people)
    return panel("bids-over-time", rows, said, key=key, basis=rests)


def score(term: Term) -> Panel:
    """How good the class's forecasts were, session by session."""
    labels = day_labels(day for day in term.days if day.pk in term.scores)
    return score_curve([(labels[pk], term.scores[pk]) for pk in labels])


def sessions(term: Term) -> Panel:
    """Sessions side by side."""
    numbers = {lesson.slug: str(lesson.number) for lesson in lessons()}
    labels, rows = day_labels(term.busy), []
    for day in reversed(term.busy):
        errors = term.errors.get(day.pk, Errors({}))
        held = term.lessons.get(day.pk, ())
        rows.append(
            Merged(
                errors,
                session=labels[day.pk],
                students=term.students.get(day.pk, 0),
                rounds=term.rounds.get(day.pk, 0),
                lessons=", ".join(numbers.get(slug, "–") for slug in held),
                learners=term.learners.get(day.pk),
            )
        )
    played, people = sum(term.rounds.values()), len(term.everybody)
    rests = basis_words(rounds=played, students=people, of=len(term.names))
    return panel("term-sessions", rows, basis=rests)


def long_run(term: Term) -> Panel:
    """The law of large numbers, growing with every deal that the classroom ever played."""
    running = term.running
    if not running:
        return panel("long-run")
    last = running[-1]
    drawn = running[:: max(1, len(running) // DRAWN_DEALS)]
    said = {
        "mean": last.mean,
        "reach": 2 * last.deviation,
        "drawn": [
            Merged(each, theory=8, upper=8 + 2 * each.deviation, lower=8 - 2 * each.deviation)
            for each in dict.fromkeys((*drawn, last))
        ],
    }
    return panel("long-run", _milestones(running), said, basis=basis_words(deals=last.deals))


def _milestones(running: list[RunningMean]) -> list[RunningMean]:
    """The running mean after 1, 2, 5, 10, 20, … deals and after the last."""
    early = takewhile(lambda deals: deals < len(running), round_numbers())
    return [running[deals - 1] for deals in (*early, len(running))]


def students(term: Term, *, names: Mapping[int, str]) -> Panel:
    """Each student's bidding error, session by session: a coloured table."""
    days = [day for day in term.played if day.pk in term.errors][-SHOWN_DAYS:]
    people = [pk for pk in term.lines if pk in term.names]
    if not days or not people:
        return panel("term-students")
    totals = {pk: _together(term.lines[pk].values()) for pk in people}
    guesses = shrunk_means(totals)
    rows = []
    for pk in sorted(people, key=lambda pk: -abs(guesses[pk])):
        cells = [term.lines[pk].get(day.pk, Errors({})).bias for day in days]
        own, guess = totals[pk], guesses[pk]
        rows.append(
            {
                "student": Link(names.get(pk, "–"), reverse("student_results", args=[pk])),
                "guess": guess,
                "cells": cells,
                "all": own.bias,
                "hands": own.rounds,
                "shades": (*map(_shade, (guess, *cells, own.bias)), None),
            }
        )
    said = {
        "days": [*day_labels(days).values()],
        "far": sum(abs(half_up(guesses[pk], 1)) >= 1 for pk in people),
    }
    rounds = sum(each.rounds for each in totals.values())
    rests = basis_words(rounds=rounds, students=len(people))
    return panel("term-students", rows, said, basis=rests)


def _shade(error: Fraction | float | None) -> int | None:
    return None if error is None else min(5, int(2 * abs(float(error))))


def _together(many: Iterable[Errors]) -> Errors:
    counts: Counter[int] = Counter()
    for each in many:
        counts.update(each.counts)
    return errors_of(counts)
