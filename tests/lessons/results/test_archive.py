"""A session's data as one file: whose, of how many, without names, and what programs make of
it."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client

from games.models import Deal
from games.tables import seats
from lessons.results.archive import archive as files
from lessons.results.archive.tables import tables
from tests.games.classroom import playing, signed_in
from tests.lessons.results import archived
from tests.scenes import SOAK
from tests.scenes.by_students import finish_round
from tests.scenes.results import generated, played, work_out
from xactika_site.classrooms.models import ClassSession

pytestmark = pytest.mark.django_db


def packed(session: ClassSession, client: Client | None = None) -> dict[str, str]:
    """The files of a session's archive."""
    teacher = client or signed_in(session.classroom.teachers.get())
    answer = teacher.get(f"/teach/sessions/{session.pk}/data.zip")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/zip"
    with ZipFile(io.BytesIO(answer.content)) as found:
        return {name: found.read(name).decode("utf-8-sig") for name in found.namelist()}


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("variant", ["bid", "lose"])
def test_figures_of_boards_are_the_pages_too(tmp_path: Path, variant: str) -> None:
    session, _students = generated(
        8, students=8, seats=4, rounds=2, duplicate=True, variant=variant
    )
    keys = archived.check(session, tmp_path)
    assert {"same-hand", "standings-1", "hands", "leads", "points"} <= keys


def test_figures_of_an_experiment_are_the_pages_too(tmp_path: Path) -> None:
    session = played(rounds=2)
    keys = archived.check(session, tmp_path)
    assert {"experiment-1", "experiment-1-chance"} <= keys


KEEP = """
show <- function(key, rows) {
  rows <- as.data.frame(rows, stringsAsFactors = FALSE)
  if (nrow(rows)) write.csv(rows, paste0("R ", key, ".csv"), row.names = FALSE)
}
"""
COUNTED_OTHERWISE = {"mastery", "steps", "bids-and-tricks"}
"""What R counts into tables of its own, with noughts where the notebook has no row."""
NAMES_OF_ROWS = {
    "points": {"game", "round"},
    "standards": {"standard"},
    "same-hand": {"board", "seat"},
}
"""Columns that are part of a text in the notebook."""


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="there is no R")
@pytest.mark.parametrize("what", ["separate", "boards", "experiment"])
def test_the_program_in_r_makes_the_same_numbers(tmp_path: Path, what: str) -> None:
    if what == "experiment":
        session = played(rounds=2)
    else:
        session, _ = generated(8, students=8, seats=4, rounds=2, duplicate=what == "boards")
    figures, said = archived.figures_of(session, tmp_path)
    text = (tmp_path / "figures.R").read_text(encoding="utf-8")
    (tmp_path / "kept.R").write_text(
        re.sub(r"^show <- .*\n", KEEP, text, count=1, flags=re.MULTILINE), encoding="utf-8"
    )
    # As it is handed out it is the same program, but for where its tables go.
    for program in (
        ("kept.R",) if what == "experiment" and not SOAK else ("figures.R", "kept.R")
    ):
        ran = subprocess.run(
            ["Rscript", program],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (0, ""), program
        assert "NULL" not in ran.stdout  # what there is none of is not printed
    found = {path.stem.removeprefix("R "): path for path in tmp_path.glob("R *.csv")}
    assert {"calibration", "hands", "leads", "points", "bias and spread"} <= found.keys()
    assert ("experiment-1" in found) == (what == "experiment")
    for key in found.keys() - COUNTED_OTHERWISE:
        theirs = list(_numbers(figures.get(key, said)))
        for row in rows(found[key].read_text(encoding="utf-8")):
            for column in row.keys() - NAMES_OF_ROWS.get(key, set()):
                if (number := _number(row[column])) is not None:
                    nearest = min(theirs, key=lambda other: abs(other - number))
                    assert number == pytest.approx(nearest, abs=1e-6), (key, row)


def _numbers(found: Any) -> Iterator[float]:
    if isinstance(found, dict):
        found = [*found.keys(), *found.values()]
    if isinstance(found, list | tuple):
        for each in found:
            yield from _numbers(each)
    elif isinstance(found, int | float):
        yield float(found)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def test_nothing_tells_of_an_experiment_before_its_end() -> None:
    session, _students = playing(14, seats=2, rounds=2, duplicate=True, experiment="tips")
    finish_round(session, Random(4))
    (drawn,) = (table for table in tables(session) if table.name == "drawn")
    assert drawn.rows == ()


def test_groups_under_five_are_left_out() -> None:
    session, students = generated(3, students=4, seats=4, rounds=2)
    teacher = signed_in(session.classroom.teachers.get())
    answer = teacher.get(f"/teach/sessions/{session.pk}/data.zip")
    assert answer.status_code == 422
    assert "Five students have to play or answer first" in answer.text
    assert students[0].name not in answer.text


@pytest.mark.usefixtures("made_up")
def test_its_codebook_and_the_sheets_are_in_the_readers_language() -> None:
    session, _students = generated(5, students=9, seats=3, rounds=2)
    said = packed(session)["codebook.txt"]
    assert "longer⟧" in said
    teacher = signed_in(session.classroom.teachers.get())
    for path in (f"sessions/{session.pk}", f"classrooms/{session.classroom_id}"):
        assert teacher.get(f"/teach/{path}/results.xlsx").status_code == 200
    gradebook = f"/teach/classrooms/{session.classroom_id}/results/gradebook.csv"
    head = teacher.get(gradebook).content.decode("utf-8-sig").splitlines()[0]
    assert head.startswith("⟦student longer⟧,⟦lesson longer⟧,")


class TestOfNine:
    @staticmethod
    def scene() -> ClassSession:
        return generated(5, students=9, seats=3, rounds=2)[0]

    def test_the_archive_has_what_is_over_and_no_name(
        self, session: ClassSession, tmp_path: Path
    ) -> None:
        students = session.classroom.students.order_by("pk")
        found = packed(session)
        rounds = rows(found["rounds.csv"])
        again = work_out(session)
        assert len(rounds) == len(again.rows)
        running = Deal.objects.filter(table__class_session=session, results=None).count()
        assert running == 1
        assert len({row["deal"] for row in rounds}) == Deal.objects.count() - running
        assert {row["hand"] for row in rounds} == {" ".join(row.hand) for row in again.rows}
        everything = "".join(found.values())
        for student in students:
            assert student.name not in everything
        assert set(found) == {
            "rounds.csv", "drawn.csv", "tricks.csv", "moves.csv", "forecasts.csv",
            "answers.csv", "mastery.csv", "steps.csv", "dealt.csv", "usual.csv",
            "exercises.csv", "misconceptions.csv",
            "codebook.txt", "figures.ipynb", "figures.R", "rounds.codap",
        }  # fmt: skip
        archived.check(session, tmp_path)

    def test_a_figure_that_is_not_the_pages_is_noticed(
        self, session: ClassSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        text, page = files.NOTEBOOK.read_text(encoding="utf-8"), archived.page_of(session)
        monkeypatch.setattr(files, "NOTEBOOK", tmp_path / "notebook.txt")
        for right, wrong in (
            ('row["counted"]', 'row["taken"] >= 0'),
            ("sum(card) >= 9", "sum(card) >= 8"),
            ('if row["drawn"]:', 'if row["seat"]:'),
            ("t(len(boards)) ** 2", "4"),
            ("/ (len(sums) - 1)", "/ len(sums)"),
        ):
            assert right in text
            files.NOTEBOOK.write_text(text.replace(right, wrong), encoding="utf-8")
            with pytest.raises(AssertionError):
                archived.check(session, tmp_path, page)

    def test_who_was_deleted_is_nobodys_number(self, session: ClassSession) -> None:
        before = [row["student"] for row in rows(packed(session)["rounds.csv"])]
        seats.remove_student(student=session.classroom.students.order_by("pk")[0])
        after = [row["student"] for row in rows(packed(session)["rounds.csv"])]
        assert len(after) == len(before)
        assert set(filter(None, after)) <= {str(n) for n in range(1, 9)}
        assert before != after

    def test_the_notebook_and_the_document_of_codap_are_whole(
        self, session: ClassSession
    ) -> None:
        found = packed(session)
        notebook = json.loads(found["figures.ipynb"])
        assert notebook["nbformat"] == 4
        assert {cell["cell_type"] for cell in notebook["cells"]} == {"markdown", "code"}
        document = json.loads(found["rounds.codap"])
        (context,) = document["contexts"]
        (collection,) = context["collections"]
        assert len(collection["cases"]) == len(rows(found["rounds.csv"]))
        kinds = {each["name"]: each["type"] for each in collection["attrs"]}
        assert (kinds["taken"], kinds["hand"]) == ("numeric", "categorical")
        ids = [each["id"] for each in (document, context, collection, *collection["attrs"])]
        ids += [case["id"] for case in collection["cases"]]
        assert len(ids) == len(set(ids))
        for name, text in found.items():
            if name.endswith(".csv"):
                columns = text.partition("\r\n")[0].split(",")
                assert all(f"\n  {column} " in found["codebook.txt"] for column in columns), (
                    name
                )
                assert name in found["figures.R"] or name == "moves.csv"
