"""Pages and files of results: how many queries, what changes them, what a file holds."""

from __future__ import annotations

import csv
import io
from random import Random
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from games.classes import closing
from lessons.measures.grid import Column, Format, Grid, neutral
from lessons.models import Answer
from lessons.results.dataset import dataset_of_session
from lessons.results.files import csv_response, xlsx_response
from lessons.results.news import results_version
from tests.games.classroom import a_session, picture, playing
from tests.scenes.results import PAGES, answered, grown, play_round, teacher_of


def part_of(book: Any, name: str) -> ElementTree.Element:
    """One of the files that an XLSX file consists of."""
    return ElementTree.fromstring(ZipFile(io.BytesIO(book.content)).read(name))


@pytest.mark.django_db
def test_queries_do_not_grow_with_the_data(django_assert_max_num_queries: Any) -> None:
    asked: list[list[int]] = []
    for students, rounds in ((3, 1), (9, 3)):  # one lesson, three lessons
        session = grown(students, rounds)
        browser = teacher_of(session)
        student = session.classroom.students.order_by("pk")[0]
        asked.append([])
        for page in PAGES:
            address = page.format(s=session.pk, c=session.classroom_id, p=student.pk)
            with django_assert_max_num_queries(33) as queries:
                assert browser.get(address).status_code == 200
            asked[-1].append(len(queries))
    assert asked[0] == asked[1]


@pytest.mark.django_db
class TestLive:
    def test_nothing_new_is_nothing_sent(self) -> None:
        session, _people = playing(3, seats=3, rounds=2)
        browser, address = teacher_of(session), f"/teach/sessions/{session.pk}/results/"
        shown = browser.get(address).context["version"]
        assert browser.get(address, {"since": shown}).status_code == 204
        assert browser.get(f"{address}wall/", {"since": shown}).status_code == 204
        play_round(picture(session).tables[0], Random(1), moves=5)
        assert browser.get(address, {"since": shown}).status_code == 204  # nothing is over
        play_round(picture(session).tables[0], Random(1))
        news = browser.get(address, {"since": shown})
        assert news.status_code == 200
        assert b"<html" not in news.content
        assert b"Finished rounds: 1" in news.content

    def test_every_change_of_the_page_is_news(self) -> None:
        session, people = playing(6, seats=3, rounds=2, duplicate=True)
        seen = {results_version(session)}

        def changes() -> bool:
            session.refresh_from_db()
            before = len(seen)
            seen.add(results_version(session))
            return len(seen) > before

        first, second = picture(session).tables
        play_round(first, Random(1))
        changes()
        play_round(second, Random(2))
        assert changes()  # the board is shown
        question = answered(session, people[0], "deck-size", False)
        assert changes()
        Answer.objects.create(question=question, number=1, values={}, right=True)
        assert changes()
        closing.close_session(session_id=session.pk)
        assert changes()


@pytest.mark.django_db
class TestFiles:
    def test_a_table_as_csv_is_the_page_s(self) -> None:
        session = grown(6, 2)
        browser = teacher_of(session)
        answer = browser.get(f"/teach/sessions/{session.pk}/results/bids-and-tricks.csv")
        assert answer.headers["Content-Disposition"].startswith("attachment")
        text = answer.content.decode("utf-8-sig")
        rows = list(csv.reader(io.StringIO(text)))
        bids = dataset_of_session(session).bids
        assert sum(int(row[-1]) for row in rows[1:]) == len(bids)
        for row in rows[1:]:
            counted = [
                sum(b == int(row[0]) and t == k for b, t in bids) for k in range(len(row) - 2)
            ]
            assert [int(cell) for cell in row[1:-1]] == counted

    def test_all_tables_are_sheets_of_one_file(self) -> None:
        session = grown(6, 2, duplicate=True)
        browser = teacher_of(session)
        answer = browser.get(f"/teach/sessions/{session.pk}/results.xlsx")
        sheets = part_of(answer, "xl/workbook.xml").iterfind(".//{*}sheet")
        names = [sheet.get("name") for sheet in sheets]
        assert {"standings-1", "bias", "same-hand", "misconceptions", "skills"} <= set(names)
        first = part_of(answer, f"xl/worksheets/sheet{names.index('bias') + 1}.xml")
        assert first.findall(".//{*}v")

    def test_a_gradebook(self) -> None:
        session = grown(3, 1)
        browser = teacher_of(session)
        room = f"/teach/classrooms/{session.classroom_id}/results/"
        browser.post(f"{room}names/", {"do": "show", "next": "/teach/"})
        path = f"{room}gradebook.csv"
        rows = list(csv.reader(io.StringIO(browser.get(path).content.decode("utf-8-sig"))))
        assert rows[0] == ["student", "lesson", "score", "questions", "seen", "known"]
        names = sorted(session.classroom.students.values_list("name", flat=True))
        assert [row[0] for row in rows[1:]] == names
        assert {tuple(row[2:]) for row in rows[1:]} == {("0.0", "1", "1", "0")}

    @pytest.mark.parametrize(
        "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "=HYPERLINK(1)"]
    )
    def test_no_cell_runs_as_a_formula(self, text: str) -> None:
        grid = Grid(
            "x", (Column(text, Format.TEXT), Column("n", Format.SIGNED)), ((text, -0.5),)
        )
        assert neutral(text) == f"'{text}"
        rows = list(
            csv.reader(
                io.StringIO(
                    csv_response(grid.sheet, text).content.decode("utf-8-sig"), newline=""
                )
            )
        )
        assert rows == [[f"'{text}", "n"], [f"'{text}", "-0.5"]]
        book = xlsx_response({"x": grid.sheet}, "x")
        cells = part_of(book, "xl/worksheets/sheet1.xml").findall(".//{*}c")
        assert not [cell for cell in cells if cell.find("{*}f") is not None]
        assert [cell.findtext("{*}v") for cell in cells if cell.get("t") is None] == ["-0.5"]

    def test_a_file_is_called_by_plain_letters_alone(self) -> None:
        session = a_session()
        type(session.classroom).objects.update(name='=7b"; x="../é')
        address = f"/teach/classrooms/{session.classroom_id}/results.xlsx"
        said = teacher_of(session).get(address).headers["Content-Disposition"]
        assert said == 'attachment; filename="7b-xe.xlsx"'
