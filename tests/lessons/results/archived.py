"""A session's archive, and its figures by the notebook's own code beside those of the page."""

from __future__ import annotations

import contextlib
import io
import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from games.classes.experiments import experiments_of
from lessons.measures.grid import Grid, Link, Noted, Ratio
from lessons.results.archive.archive import archive
from lessons.results.archive.tables import tables
from lessons.results.bids import bidding
from lessons.results.dataset import dataset_of_session
from lessons.results.dealt import dealing
from lessons.results.files import grids
from lessons.results.learned import learning_panels
from lessons.results.learned.learning import learning_of_session
from lessons.results.learned.predictions import progress_in_session
from lessons.results.session import session_panels
from lessons.results.students.names import student_label, student_names
from lessons.results.taught import lesson_panels
from lessons.results.taught.taught_lessons import taught_lessons
from xactika_site.classrooms.models import ClassSession

SIMULATED = {"forecasts": {5, 6}}
"""By figure the columns that are simulated: how far chance goes."""

TEXT_ONLY = {"misconceptions": {6, 7}}
"""Those that say where something showed and what treats it."""


def figures_of(session: ClassSession, folder: Path) -> tuple[dict[str, Any], dict[str, float]]:
    """What the notebook's code makes of a session's archive, with the standard library: its
    tables, and what the page says in words."""
    with ZipFile(io.BytesIO(archive(tables(session)))) as packed:
        packed.extractall(folder)
    notebook = json.loads((folder / "figures.ipynb").read_text(encoding="utf-8"))
    found: dict[str, Any] = {}
    here = Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":
                    exec("".join(cell["source"]), found)
    finally:
        os.chdir(here)
    return found["FIGURES"], found["WORDS"]


def on_the_page(session: ClassSession) -> dict[str, Grid]:
    """Every table of the session's page of results."""
    names = student_names(session.classroom, is_named=False)
    facts, learning = dataset_of_session(session), learning_of_session(session)
    held = taught_lessons(session, facts)
    return grids(
        [
            *session_panels.panels(
                facts,
                held,
                name=lambda place: student_label(names, place),
                experiments=experiments_of(session.pk),
            ),
            *lesson_panels.panels(held),
            *learning_panels.panels(learning, progress_in_session(session), is_teacher=True),
            learning_panels.by_student(learning, names=names),
        ]
    )


Page = tuple[dict[str, Grid], dict[str, float]]
"""The tables of a page of results, and the numbers that its sentences have."""


def page_of(session: ClassSession) -> Page:
    return on_the_page(session), in_words(session)


def check(session: ClassSession, folder: Path, known: Page | None = None) -> set[str]:
    """Every figure of the page is what the notebook makes of the archive; which there are. The
    page may be known already."""
    figures, said = figures_of(session, folder)
    page, words = known or page_of(session)
    assert said == pytest.approx(words)
    for key, grid in page.items():
        if key.startswith("experiment-") and key.endswith("-chance"):
            continue  # how far chance goes
        shown = [[_plain(cell) for cell in row] for row in grid.rows]
        if key == "students":
            _same_students(grid, figures[key])
        elif key.startswith("lesson-"):
            _same_lesson(key, shown, figures[key])
        else:
            ours = figures[key]
            skipped = SIMULATED.get(key, set()) | TEXT_ONLY.get(key, set())
            if key in ("skills", "exercises", "standards", "misconceptions", "predictions"):
                ours, shown = sorted(ours, key=_first), sorted(shown, key=_first)
            assert len(ours) == len(shown), key
            for mine, theirs in zip(ours, shown, strict=True):
                kept = [cell for n, cell in enumerate(theirs) if n not in skipped]
                _same(key, [cell for n, cell in enumerate(mine) if n not in skipped], kept)
    return set(page)


def in_words(session: ClassSession) -> dict[str, float]:
    """The numbers that the page's sentences have."""
    data = dataset_of_session(session)
    errors, mean = bidding.errors(data.bids), dealing.mean_card(data.drawn_deals)
    found: dict[str, Any] = {}
    if errors.rounds:
        found |= {"bias": errors.bias, "spread": errors.spread, "made": errors.hit_rate}
        if range_ := bidding.bias_interval(data):
            found |= {"bias from": range_[0], "bias to": range_[1]}
    if leads := dealing.safe_leads(data.leads):
        found["safe"] = leads.observed
        if range_ := dealing.safe_interval(data, data.leads):
            found |= {"safe from": range_[0], "safe to": range_[1]}
    if mean:
        found |= {"mean card": mean.observed, "give or take": mean.standard_error}
    if data.forecasts:
        score = bidding.score(data)
        found |= {
            "score": score.ours,
            "usual score": score.usual,
            "better by": score.skill_score,
        }
        if score.interval:
            found |= {"better from": score.interval[0], "better to": score.interval[1]}
    for tried in experiments_of(session.pk):
        if tried.difference is not None:
            found[f"experiment {tried.game}"] = tried.difference
    return {key: float(number) for key, number in found.items()}


def _first(row: list[Any]) -> str:
    return str(row[0])


def _plain(cell: Any) -> Any:
    if isinstance(cell, Link | Noted):
        return cell.text
    if isinstance(cell, Ratio):
        return float(cell.share)
    return float(cell) if isinstance(cell, Fraction) else cell


def _same(key: str, mine: list[Any], theirs: list[Any]) -> None:
    assert len(mine) == len(theirs), key
    for own, other in zip(mine, theirs, strict=True):
        if isinstance(other, str) and other.startswith("Student "):
            assert own == int(other.removeprefix("Student ")), key
        elif isinstance(other, int | float):
            assert own == pytest.approx(other, abs=1e-9), (key, mine, theirs)
        else:
            assert own == other, (key, mine, theirs)


def _same_students(grid: Grid, figures: dict[int, dict[str, float]]) -> None:
    titles = [column.title for column in grid.columns]
    assert len(grid.rows) == len(figures)
    for row in grid.rows:
        found = dict(zip(titles, map(_plain, row), strict=True))
        student = int(str(found.pop("Student")).removeprefix("Student "))
        shares = {title: share for title, share in found.items() if share is not None}
        assert figures[student] == pytest.approx(shares), student


def _same_lesson(key: str, shown: list[list[Any]], figures: list[list[Any]]) -> None:
    if key.endswith("-steps"):
        by_step = {step: rest for step, *rest in figures}
        for title, _kind, students, share in shown:
            step = int(title.partition(".")[0])
            _same(key, by_step.get(step, [0, None]), [students, share])
    elif len(shown[0]) == 3:  # predictions: answer, how many, true
        counts = dict(figures)
        assert sum(counts.values()) == sum(row[1] for row in shown), key
        for answer, students, _true in shown:
            assert counts.get(answer, 0) == students, (key, answer)
    else:
        for mine, theirs in zip(figures, shown, strict=True):
            _same(key, mine, theirs)
