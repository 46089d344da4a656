"""Standards: what lessons claim is earned by a step, and nothing else is claimed."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from django.test import Client

from lessons.course import check, lesson, lessons, standards
from lessons.course.load import CONTENT
from lessons.results.learned import learning_panels
from lessons.results.learned.learning import Attempt, Learning
from tests.games.classroom import a_teacher, signed_in
from tests.scenes import present
from xactika_site.texts import Problem


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """Our lessons, to be broken."""
    shutil.copytree(CONTENT, tmp_path / "content")
    return tmp_path / "content"


def test_every_claim_names_steps_that_there_are() -> None:
    assert check.problems() == []
    for each in lessons():
        found = standards.earned(each)
        assert len(found) == len(each.guide.standards)  # none is unknown, none without a step
        assert any(e.standard.framework == "ccss" for e in found)


def test_what_is_only_touched_is_not_claimed() -> None:
    """Lesson 2 fits no normal curve, lesson 6 simulates no margin of error; where a standard
    names its theorem, or its trees, the step has it."""
    claimed = {(each.number, e.standard.code): e for each in lessons() for e in
               standards.earned(each)}  # fmt: skip
    codes = {code for _number, code in claimed}
    assert not codes & {"S-ID.A.4", "AP-1.10", "S-IC.B.4", "S-IC.A.1", "Tle-concentration"}
    assert not claimed.keys() & {(1, "7.SP.C.8b"), (7, "7.SP.A.2"), (7, "2de-fluctuation")}
    assert [step.name for step in claimed[4, "7.SP.C.8b"].steps] == ["boxes", "tree"]
    theorem = claimed[7, "AP-5.3"].steps
    assert "central limit theorem" in " ".join(p for step in theorem for p in step.paragraphs)


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        ("7.SP.C.99 count", "“7.SP.C.99” is not in standards.txt"),
        ("7.SP.C.5", "“7.SP.C.5” names no step that earns it"),
        ("7.SP.C.5 counting", "earned by “counting”, which is no step of the lesson"),
        ("7.SP.C.5 count, 7.SP.C.5 chance", "a standard stands here twice"),
    ],
)
def test_a_claim_that_no_step_earns_is_refused(content: Path, claim: str, message: str) -> None:
    path = content / "01-sample-space" / "teacher.txt"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("standards: ", f"standards: {claim}, "), encoding="utf-8")
    (problem,) = check.problems(content)
    assert message in str(problem)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("- 7.SP.C.5: no grade", "a standard stands here like"),
        ("- 6.SP.A.1, grade 6: Again", "“6.SP.A.1” stands here twice"),
        ("# Something else", "a framework begins like"),
        ("# other: Something else", "language: en"),
    ],
)
def test_a_file_of_standards_that_cannot_be_read(
    tmp_path: Path, line: str, message: str
) -> None:
    path = tmp_path / "standards.txt"
    path.write_text(f"{standards.FILE.read_text(encoding='utf-8')}\n{line}\n", encoding="utf-8")
    with pytest.raises(Problem, match=message):
        standards.load(path)


def test_what_nobody_has_checked_says_so() -> None:
    assert {each.key: each.is_checked for each in standards.frameworks()} == {
        "ccss": True,
        "ap": False,
        "france": False,
    }


# Pages


@pytest.mark.django_db
def test_a_teachers_page_has_code_wording_and_steps() -> None:
    teacher = signed_in(a_teacher())
    page = teacher.get("/lessons/the-lead/teacher/").text
    assert "S-CP.A.4" in page
    assert "Two-way tables as a sample space" in page
    assert "Four boxes for two events" in page
    assert page.count("To be checked against the official text.") == 2
    assert "Inférence" not in page  # earned nowhere


@pytest.mark.django_db
def test_the_crosswalk_has_every_claim_once() -> None:
    assert Client().get("/lessons/standards/").status_code == 302
    page = signed_in(a_teacher()).get("/lessons/standards/").text
    claims = sum(len(standards.earned(each)) for each in lessons())
    assert page.count('<th scope="row">') == claims


@pytest.mark.django_db
def test_lessons_are_found_by_framework_and_grade() -> None:
    teacher = signed_in(a_teacher())

    def listed(query: str) -> list[str]:
        page = teacher.get(f"/lessons/{query}").text
        table = page.partition('class="for-teachers"')[2]
        return [each.slug for each in lessons() if f"/lessons/{each.slug}/teacher/" in table]

    assert len(listed("")) == len(listed("?for=x")) == len(lessons())
    found = listed("?for=ccss-grade-6")
    assert "stats-table" in found
    assert "the-bid" not in found
    assert "sample-space" in listed("?for=france-terminale")
    page = Client().get("/lessons/?for=ccss-grade-6").text
    assert "grade 6" not in page  # students see lessons, not codes


# Results


def attempts(*answered: tuple[str, int, bool]) -> Learning:
    found = tuple(
        Attempt(n, exercise, student, 0, right, ())
        for n, (exercise, student, right) in enumerate(answered)
    )
    return Learning(found, {1: "Quiet Otter", 2: "Bold Yak", 3: "Red Fox"})


def test_results_by_standard_count_the_exercises_of_its_steps() -> None:
    learning = attempts(
        ("two-way-table", 1, True), ("two-way-table", 2, False), ("deck-size", 2, True)
    )
    panel = learning_panels.by_standards(learning)
    rows = {row[0].text: row[1:] for row in present(panel.grid).rows}  # type: ignore[union-attr]
    assert rows["S-CP.A.4"][:3] == (2, 2, 0.5)
    assert rows["7.SP.C.8a"][0] == 1
    assert "S-CP.B.9" not in rows  # nothing of it was asked
    assert panel.summary.startswith("Look first at 7.SP.C.8b, S-CP.A.4: 1 of 2")
    grid = learning_panels.gradebook_by_standard(learning, names=learning.names)
    place = [column.title for column in grid.columns].index("S-CP.A.4")
    assert [row[place] for row in grid.rows] == [1, 0, None]


def test_a_step_without_a_claim_counts_for_no_standard() -> None:
    course = lesson("the-lead")
    guide = replace(course.guide, standards=(("S-CP.A.4", ("boxes",)),))
    assert standards.exercises([replace(course, guide=guide)]) == {
        "S-CP.A.4": frozenset({"two-way-table"})
    }
