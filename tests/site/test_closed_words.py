"""What templates, scripts and styles compare with is a word of a closed set: one that no longer
exists, or never did, is found here, as mypy finds it in Python."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import pytest

from games.classes.cockpit import ExperimentPhase, TroubleKind
from games.classes.free_seats import WhyNoSeat
from games.classes.lobby import LobbyKind
from games.classes.projector import StandingsOf, WallStage
from games.classes.state import LessonPhase
from games.models import SessionSettings
from games.pages.joining import JoinStep
from games.rules import Shape, Variant
from games.tables.moments import Act, MomentKind
from games.tables.view import PlayerKind, Status
from lessons.course import StepKind
from lessons.crooked.trial import Box
from lessons.exercises.engine import GraphKind
from lessons.homework.doing import BoardState
from lessons.measures.grid import Format
from lessons.measures.panels import PanelKind
from lessons.models import ClassExercise, Grade, Question
from lessons.questions.presentation import QuestionState
from lessons.questions.spacing import SpacingState
from lessons.studio.settings import Of
from tests.server import ROOT
from xactika_site.classrooms.models import ClassSession

SETS: dict[str, type[Enum]] = {
    "status": Status,
    "game.status": Status,
    "stage": WallStage,
    "whose": StandingsOf,
    "variant": Variant,
    "state.variant.value": Variant,
    "shape": Shape,
    "lesson": LessonPhase,
    "m.lesson": LessonPhase,
    "m.kind": LobbyKind,
    "m.why": WhyNoSeat,
    "step": JoinStep,
    "unseated.why": WhyNoSeat,
    "p.kind": PlayerKind,
    "t.kind": TroubleKind,
    "mode": SessionSettings.OddsPanel,
    "experiment[1]": ExperimentPhase,
    "state": ClassSession.State,
    "state.state": ClassSession.State,
    "session.state": ClassSession.State,
}
"""By what a template compares."""

KINDS: dict[str, type[Enum]] = {
    "_cockpit.html": TroubleKind,
    "_prompt.html": MomentKind,
    "_offers.html": Act,
    "_board.html": Act,
    "_hand.html": Act,
}
"""What ``kind`` is, by template."""

NAMED: dict[str, tuple[type[Enum], ...]] = {
    "status": (Status,),
    "stage": (WallStage,),
    "state": (ClassSession.State,),
    "trouble": (TroubleKind,),
    "kind": (Act, TroubleKind),
}
"""What an element's data are, by name, in scripts and styles."""

LESSONS: dict[str, type[Enum]] = {
    "board.state": BoardState,
    "box": Box,
    "column.form": Format,
    "each.state": SpacingState,
    "exercise.state": ClassExercise.State,
    "form": Format,
    "grade.state": Grade.State,
    "graph.kind": GraphKind,
    "next.state": SpacingState,
    "panel.kind": PanelKind,
    "panel.settings.of.value": Of,
    "picture.kind": GraphKind,
    "plan.kind": GraphKind,
    "q.place": Question.Place,
    "q.state": QuestionState,
    "session.state": ClassSession.State,
    "standing.state": SpacingState,
    "state": SpacingState,
    "step.kind.value": StepKind,
}
"""By what a template of a lesson compares."""

CLOSED = re.compile(
    r"(^|_)(box|data|form|kind|level|mode|outcome|panel|phase|place|role|size|source|stage|state"
    r"|status|tail|treatment|variant|verdict|way|whose|why)$"
)
"""Names of what is a word of a closed set."""

ELSEWHERE = {"static", "migrations"}  # programs of students; rows as they once were

PAUSED_ON_THE_WALL = "paused"  # stands there in the place of a table's status

_COMPARED = re.compile(
    r"""([a-z_.]+(?:\[\d\])?) (?:==|!=|in|not in) \(?((?:["'][\w-]+["'](?:, )?)+)"""
)
_SELECTED = re.compile(r"""data-(\w+)="?([\w-]+)"?\]""")
_ASKED = re.compile(r"""(?:dataset\.(\w+)|\b(kind)\(\)) [!=]== "([\w-]+)\"""")


def compared(path: Path) -> Iterator[tuple[str, str]]:
    """What a template compares with which words."""
    for name, words in _COMPARED.findall(path.read_text(encoding="utf-8")):
        for word in re.findall(r"[\w-]+", words):
            yield name, word


def set_of(path: Path, name: str) -> type[Enum] | None:
    if "lessons" in path.parts:
        return LESSONS.get(name)
    return KINDS.get(path.name) if name == "kind" else SETS.get(name)


@pytest.mark.parametrize("room", ["games/table", "games/classes", "lessons"])
def test_templates_compare_with_words_of_closed_sets(room: str) -> None:
    found = 0
    for path in sorted((ROOT / "templates" / room).rglob("*.html")):
        for name, word in compared(path):
            words = set_of(path, name)
            if words is not None:
                found += 1
                assert word in {each.value for each in words}, f"{path.name}: {name} == {word}"
    assert found > {"games/table": 90, "games/classes": 2, "lessons": 60}[room]


@pytest.mark.parametrize("room", ["games/table", "lessons"])
def test_no_word_of_a_closed_set_is_compared_with_under_another_name(room: str) -> None:
    """A name that is in no set here is none of a status, a kind or a state."""
    for path in sorted((ROOT / "templates" / room).rglob("*.html")):
        names = {name for name, _word in compared(path) if set_of(path, name) is None}
        assert not {
            name for name in names if re.search(r"(status|kind|state|why|stage)$", name)
        }, path.name


def is_quoted(side: ast.expr) -> bool:
    """Whether it is a quoted word, or several."""
    several = side.elts if isinstance(side, ast.Tuple | ast.Set | ast.List) else ()
    text = getattr(side, "value", None)  # of a constant
    return (isinstance(text, str) and text[:1].isalpha()) or any(map(is_quoted, several))


def is_closed(side: ast.expr) -> bool:
    """Whether it is named as a word of a closed set: ``kind``, ``self.state``, ``state()``."""
    side = side.func if isinstance(side, ast.Call) else side
    name = side.attr if isinstance(side, ast.Attribute) else getattr(side, "id", "")
    return CLOSED.search(name) is not None


def compared_with_quoted(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a program that compare a word of a closed set with a quoted one."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Compare(left=left, comparators=others):
                sides = [left, *others]
            case ast.Match(subject=subject, cases=cases):
                inner = (each for case in cases for each in ast.walk(case.pattern))
                sides = [subject, *(e.value for e in inner if isinstance(e, ast.MatchValue))]
            case _:
                continue
        if any(map(is_closed, sides)) and any(map(is_quoted, sides)):
            yield sides[0].lineno, ast.unparse(sides[0])


def test_python_compares_with_members_of_closed_sets_never_with_quoted_words() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {what}, compared with a quoted word; make it an enum"
        for room in ("games", "lessons", "xactika_site")
        for path in sorted((ROOT / room).rglob("*.py"))
        if not ELSEWHERE & {*path.parts}
        for line, what in compared_with_quoted(path.read_text(encoding="utf-8"))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("panel.kind == 'table'", True),
        ("'begun' != board_state(board)", True),
        ("state in {NEW, 'again'}", True),
        ("match self.kind:\n case 'a' | 'b': pass", True),
        ("kind is Kind.TABLE", False),
        ("sent.get('kind') == 'friends'", False),
        ("request.method == 'POST'", False),
    ],
)
def test_a_quoted_word_is_found(text: str, is_found: bool) -> None:
    assert bool([*compared_with_quoted(text)]) is is_found


def test_scripts_and_styles_select_by_words_of_closed_sets() -> None:
    found = 0
    for path in sorted((ROOT / "games" / "static" / "games").glob("*.[jc]s*")):
        text = path.read_text(encoding="utf-8")
        pairs = _SELECTED.findall(text)
        pairs += [(data or kind, word) for data, kind, word in _ASKED.findall(text)]
        for name, word in pairs:
            if name in NAMED and word != PAUSED_ON_THE_WALL:
                found += 1
                assert word in {each.value for words in NAMED[name] for each in words}, word
    assert found > 40
