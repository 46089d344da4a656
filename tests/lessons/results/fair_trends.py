"""Classes in which nothing changes: how often does a small chart over time say that it does?

Classes bid as in ``fair_intervals``, the same students at the same tables in each session, with
other cards; they forecast around their bids. Each session asks exercises of its own, some
harder than others, of students who are as able as they were; who comes is a matter of habit,
and of days on which fewer do.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from lessons.results.bids.forecasting import JudgedForecast, Score, score_of
from lessons.results.inference import Miss
from lessons.results.over_time.trends import (
    mean_estimate,
    score_estimate,
    share_estimate,
    trend,
)
from tests.lessons.results.fair import Starmap
from tests.lessons.results.fair_intervals import Kind, Played, by_class, play

STUDENTS = (16, 36)
EXERCISES = 60
Changes = dict[str, bool]


def changes(
    part: Played, now: slice, kind: Kind, sessions: int, rng: np.random.Generator
) -> Changes:
    """Which of a class's four measures are said to have changed."""
    students = len(set(part.table[now].tolist())) * kind.seats
    return {
        "bids": trend(_bids(part, now, kind, sessions), mean_estimate).is_change,
        "forecasts": trend(_forecasts(part, now, kind, sessions), score_estimate).is_change,
        "right first time": trend(_answers(students, sessions, rng), share_estimate).is_change,
        "who came": trend(_attendance(students, sessions, rng), share_estimate).is_change,
    }


def _deals(
    part: Played, now: slice, kind: Kind, sessions: int
) -> Iterator[tuple[int, int, int, list[int], list[int]]]:
    """Of each deal its session, table and board, and by seat what was off and the points."""
    per = kind.rounds * sessions
    rows = (part.table[now], part.board[now], part.off[now], part.points[now])
    for place, (table, board, off, points) in enumerate(
        zip(*(row.tolist() for row in rows), strict=True)
    ):
        yield place % per // kind.rounds, table, board, off, points


def _bids(part: Played, now: slice, kind: Kind, sessions: int) -> dict[int, list[Miss]]:
    found: dict[int, list[Miss]] = {session: [] for session in range(sessions)}
    for session, table, board, off, _points in _deals(part, now, kind, sessions):
        found[session] += [Miss((session, table), board, each) for each in off]
    return found


def _forecasts(part: Played, now: slice, kind: Kind, sessions: int) -> dict[int, list[Score]]:
    found: dict[int, list[Score]] = {session: [] for session in range(sessions)}
    for session, _table, board, offs, points in _deals(part, now, kind, sessions):
        for off, got in zip(offs, points, strict=True):
            taken = got if off == 0 else max(0, -off)
            percents = [0] * 9
            for by, percent in ((-1, 20), (0, 60), (1, 20)):
                percents[min(8, max(0, taken + off + by))] += percent
            outcome = JudgedForecast(percents, taken, kind.seats, board)
            found[session].append(score_of([outcome]))
    return found


def _answers(students: int, sessions: int, rng: np.random.Generator) -> dict[int, list[Miss]]:
    able, hard = rng.normal(0.3, 0.8, students), rng.normal(0, 0.7, EXERCISES)
    found = {}
    for session in range(sessions):
        asked = rng.choice(EXERCISES, rng.integers(2, 7), replace=False)
        right = rng.random((students, len(asked))) < _share(able[:, None] - hard[asked])
        found[session] = [
            Miss(student, int(exercise), int(went))
            for student, row in enumerate(right)
            for exercise, went in zip(asked, row, strict=True)
        ]
    return found


def _attendance(
    students: int, sessions: int, rng: np.random.Generator
) -> dict[int, list[Miss]]:
    habit, day = rng.normal(2.5, 1, students), rng.normal(0, 0.4, sessions)
    return {
        session: [
            Miss(student, session, int(came))
            for student, came in enumerate(rng.random(students) < _share(habit + day[session]))
        ]
        for session in range(sessions)
    }


def _share(logit: np.ndarray) -> np.ndarray:
    shares: np.ndarray = 1 / (1 + np.exp(-logit))
    return shares


def lines(classes: int, _starmap: Starmap) -> Iterator[dict[str, object]]:
    """How often a change is told, by the number of sessions; all are drawn by one rng."""
    rng = np.random.default_rng(7)
    for duplicate, sessions in product((False, True), (2, 4, 8)):
        kind = Kind(4, 4, duplicate, STUDENTS)
        part = play(Kind(4, 4 * sessions, duplicate, STUDENTS), classes, rng)
        told = [changes(part, now, kind, sessions, rng) for now in by_class(part)]
        every = [{**each, "any": any(each.values())} for each in told]
        shares = {
            measure: round(sum(each[measure] for each in every) / len(every), 4)
            for measure in every[0]
        }
        yield {"kind": str(kind), "sessions": sessions, **shares}
