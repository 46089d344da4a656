"""What templates, scripts and styles compare with is a word of a closed set: one that no longer
exists, or never did, is found here, as mypy finds it in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import pytest

from games.classes.cockpit import ExperimentPhase, TroubleKind
from games.classes.free_seats import WhyNoSeat
from games.classes.lobby import LobbyKind
from games.classes.projector import Stage, Whose
from games.classes.state import LessonPhase
from games.models import SessionSettings
from games.rules import Shape, Variant
from games.tables.moments import Act, MomentKind
from games.tables.view import PlayerKind, Status
from tests.server import ROOT
from xactika_site.classrooms.models import Attendance, ClassSession

SETS: dict[str, type[Enum]] = {
    "status": Status,
    "game.status": Status,
    "stage": Stage,
    "whose": Whose,
    "variant": Variant,
    "state.variant.value": Variant,
    "shape": Shape,
    "lesson": LessonPhase,
    "m.lesson": LessonPhase,
    "m.kind": LobbyKind,
    "m.why": WhyNoSeat,
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
    "stage": (Stage,),
    "state": (ClassSession.State,),
    "trouble": (TroubleKind,),
    "kind": (Act, TroubleKind),
}
"""What an element's data are, by name, in scripts and styles."""

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
    return KINDS.get(path.name) if name == "kind" else SETS.get(name)


@pytest.mark.parametrize("room", ["table", "classes"])
def test_templates_compare_with_words_of_closed_sets(room: str) -> None:
    found = 0
    for path in sorted((ROOT / "templates" / "games" / room).glob("*.html")):
        for name, word in compared(path):
            words = set_of(path, name)
            if words is not None:
                found += 1
                assert word in {each.value for each in words}, f"{path.name}: {name} == {word}"
    assert found > {"table": 90, "classes": 2}[room]


def test_no_word_of_a_closed_set_is_compared_with_under_another_name() -> None:
    """A name that is in no set here is none of a status, a kind or a state."""
    for path in sorted((ROOT / "templates" / "games" / "table").glob("*.html")):
        names = {name for name, _word in compared(path) if set_of(path, name) is None}
        assert not {
            name for name in names if re.search(r"(status|kind|state|why|stage)$", name)
        } - {"why"}, path.name


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


def test_notes_beside_a_name_are_what_somebody_is() -> None:
    words = {each.value for each in (*Attendance.State, *TroubleKind)}
    path = ROOT / "templates" / "games" / "table" / "_cockpit.html"
    notes = {word for name, word in compared(path) if name == "s.note"}
    assert notes
    assert notes <= words
