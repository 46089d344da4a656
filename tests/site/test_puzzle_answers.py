"""No answer to a puzzle is had before its time: not of a day to come, of open homework, or of a
set that a class was not given. Everybody asks every address for all of them, and the puzzles
themselves tell whether their answer was looked at."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from pkgutil import iter_modules
from random import Random
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

import games.classes
import games.live
import games.tables
from games.analysis import puzzles as data
from games.analysis.puzzles import Kind, Puzzle, Use, numbers_for, puzzles
from games.classes.joining import come_in
from games.study.puzzles import daily as days
from games.study.puzzles import words as puzzle_words
from games.study.puzzles.daily import FIRST
from lessons.course.starter import sets
from lessons.homework import giving
from lessons.models import Homework
from lessons.visits import holding
from tests.games.classroom import a_classroom, a_session, a_teacher, device_of, signed_in
from tests.games.table import a_browser, solo
from tests.scenes import Each, again
from tests.scenes.homework import a_class, at_home, play_board, some_homework
from tests.site.routes import ROUTES, Route
from xactika_site.classrooms.models import ClassSession, Student

CAST = ("nobody", "guest", "student", "home", "mate", "late", "elsewhere", "teacher")
AT_ALL = ("nobody", "student", "teacher")
"""Who asks also where no puzzle is (of others one in turn, unless ``ASK_ALL``), and teachers'
addresses: all but teachers have to sign in (test_permissions)."""
OTHERS = tuple(who for who in CAST if who not in AT_ALL)
HAS_PUZZLES = re.compile("puzzle|homework|cover|lessons/<slug")
ASK_ALL = os.environ.get("XACTIKA_ASK_ALL") == "1"
HELD = "starter-3"
"""The set that the class has been given."""

TODAY = FIRST + timedelta(days=114)


class Scene:
    """Two classes with open homework, one with a session that has held a set of puzzles."""

    def __init__(self) -> None:
        classroom = a_classroom(a_teacher("teacher"))
        self.session = a_session(classroom)
        self.student, self.home, self.mate = a_class(3, classroom)
        (elsewhere,) = a_class(1, a_classroom(a_teacher("another"), "8c"))
        self.closed = some_homework(classroom, puzzles=2)
        giving.close(homework=self.closed)
        self.homework = some_homework(classroom, boards=2, puzzles=4)
        self.theirs = some_homework(elsewhere.classroom, puzzles=4)
        (late,) = a_class(1, classroom)
        self.table = play_board(self.homework, self.home, 1)
        holding.hold(session=self.session, slug=HELD)
        holding.open_step(session=self.session, number=4)
        holding.end_lesson(session=self.session)
        browser, guest = a_browser()
        self.tables = [self.table, solo(guest)]
        self.browsers = {
            "nobody": Client(),
            "guest": browser,
            "student": here(self.student, self.session),
            "home": at_home(self.home),
            "mate": at_home(self.mate),
            "late": at_home(late),
            "elsewhere": at_home(elsewhere),
            "teacher": signed_in(a_teacher("teacher")),
        }

    def hidden_from(self, who: str) -> set[int]:
        """Whose answers this one may not have."""
        coming = set(numbers_for(Use.DAY)[(TODAY - FIRST).days + 1 :])
        found = coming | set(self.homework.puzzles) | set(self.theirs.puzzles)
        if who != "teacher":  # who gives a class its sets
            found |= set(numbers_for(Use.SET))
        if who == "student":
            found -= set(sets()[int(HELD.partition("-")[2]) - 1])
        return found

    def addresses(self, who: str) -> Iterator[tuple[str, Route]]:
        """Every address, with what stands in it that exists, or is to come: for whoever is
        nobody all of it."""
        far = range(2, 400, 9 if ASK_ALL else 45) if who == "nobody" else (2, 200)
        every, some = range(1, len(sets()) + 1), (1, 3, len(sets()))
        values: dict[str, list[Any]] = {
            "day": [f"{TODAY + timedelta(days=n)}" for n in (-1, 0, 1, *far)],
            "slug": [*(f"starter-{n}" for n in some), "the-lead"],
            "homework_id": [self.homework.pk, self.theirs.pk, self.closed.pk],
            "session_id": [self.session.pk],
            "classroom_id": [self.session.classroom_id],
            "student_id": [self.student.pk, self.home.pk],
            "table_id": self.tables,
            "number": [1, 2, 3, 4],
            "code": [self.session.classroom.code],
            "key": ["gradebook"],
        }
        for turn, route in enumerate(ROUTES):
            if who not in AT_ALL and route.path.startswith("teach/"):
                continue
            mine = who in (*AT_ALL, OTHERS[turn % len(OTHERS)])
            if not (mine or ASK_ALL or HAS_PUZZLES.search(route.path)):
                continue
            for path in filled(route.path, values):
                yield path, route
            if route.path == "lessons/<slug:slug>/" and who == "nobody":
                yield from ((f"/lessons/starter-{n}/", route) for n in {*every} - {*some})


def here(student: Student, session: ClassSession) -> Client:
    """A browser at which the student has come in to the session."""
    come_in(session=session, student=student)
    return device_of(student, session)


def filled(path: str, values: dict[str, list[Any]]) -> Iterator[str]:
    part = re.search(r"<\w+:(\w+)>", path)
    if part is None:
        yield f"/{path}"
        return
    for value in values.get(part[1], ["-"]):
        yield from filled(f"{path[: part.start()]}{value}{path[part.end() :]}", values)


def ways_to_ask(route: Route, path: str) -> Iterator[tuple[str, dict[str, str]]]:
    """What is sent to an address: to a step of a lesson a guess, then the next step is looked
    at; to a puzzle an answer, or the wish to be shown it; elsewhere whatever a form does."""
    yield "get", {}
    if path.startswith("/lessons/starter-"):
        for step in ("1", "3"):
            yield "post", {"do": "predict", "step": step, "value": "0"}
            yield "get", {"step": str(int(step) + 1)}
    elif "puzzle" in route.path:
        yield "get", {"at": "9"}
        yield "post", {"answer": "1"}  # which may be right
        yield "post", {"show": "1"}
    else:
        yield "post", {"do": next(iter(route.verbs), ""), "step": "1", "value": "0"}


def forget() -> None:
    """Empty what is remembered of puzzles: who is told of it reads the answer again."""
    for module in (puzzle_words, days, sys.modules[sets.__module__]):
        for value in vars(module).values():
            if hasattr(value, "cache_clear") and value is not data.puzzles:
                value.cache_clear()


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The numbers of the puzzles whose answer, or what follows from it, was looked at."""
    numbers = {id(puzzle): number for number, puzzle in enumerate(puzzles())}
    found: set[int] = set()

    def told(name: str) -> property:
        def read(puzzle: Puzzle) -> Any:
            found.add(numbers[id(puzzle)])
            return puzzle.__dict__[name]

        return property(read)

    for name in ("answer", "points"):
        monkeypatch.setattr(Puzzle, name, told(name))
    return found


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.study.puzzles.daily.today", lambda: TODAY)
    for page in ("puzzles", "puzzle_marks"):
        monkeypatch.setattr(f"games.pages.{page}.present_day", lambda: TODAY)


def test_nobody_gets_an_answer_before_its_time(
    each: Each, reads: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.pages.data._text_pieces", lambda lines: lines)
    scene = Scene()
    for who in CAST:
        forget()
        hidden = scene.hidden_from(who)
        own = set(scene.homework.puzzles if who in {"student", "home", "mate"} else ())
        own |= set(scene.theirs.puzzles if who == "elsewhere" else ())
        asked = 0
        for path, route in scene.addresses(who):
            with each(who=who, path=path):
                browser = again(scene.browsers[who])
                for method, sent in ways_to_ask(route, path):
                    reads.clear()
                    answer: Any = getattr(browser, method)(path, sent)
                    if answer.streaming:
                        list(answer.streaming_content)
                    asked += 1
                    # What one sends in to one's own homework is compared, and counted.
                    is_tried = method == "post" and "homework/" in path
                    told = reads & hidden - (own if is_tried else set())
                    assert answer.status_code == 404 or not told, (method, sent)
        assert asked > (350 if who in AT_ALL else 100), who


@pytest.mark.django_db
def test_what_is_watched_is_what_a_solution_is_made_of(reads: set[int]) -> None:
    """The watch itself: a day that has come is solved, and a set that was given is told."""
    forget()
    browser, scene = Client(), Scene()
    reads.clear()
    browser.post(f"/puzzles/{TODAY}/", {"show": "1"})
    browser.get(f"/puzzles/{TODAY}/")
    assert reads == {days.daily_of(TODAY).number}
    reads.clear()
    assert scene.browsers["student"].get(f"/lessons/{HELD}/").status_code == 200
    assert reads == set(sets()[2])


@pytest.mark.django_db
@pytest.mark.parametrize("kind", list(Kind))
def test_homeworks_page_is_the_same_whatever_is_right(kind: Kind) -> None:
    (student,) = a_class(1)
    homework = some_homework(student.classroom, puzzles=1)
    number = next(n for n in numbers_for(Use.HOMEWORK) if puzzles()[n].kind is kind)
    Homework.objects.filter(pk=homework.pk).update(puzzles=[number])
    puzzle, browser, random = puzzles()[number], at_home(student), Random(1)
    page = f"/homework/{homework.pk}/puzzles/1/"
    wrong = [text for text in puzzle.choices if text != puzzle.answer]

    def shown() -> list[str]:
        texts = [browser.get(page).text, browser.post(page, {"answer": wrong[0]}).text]
        return [re.sub(r'value="\w{64}"', "", text) for text in texts]

    first, kept = shown(), dict(puzzle.__dict__)
    gains = random.sample(kept["points"], len(kept["points"]))
    try:
        for other in wrong[1:6]:
            puzzle.__dict__.update(answer=other, points=tuple(gains))
            now = shown()
            assert now[0] == first[0]
            # What is said of a wrong bid is what it gains.
            assert now[1] == first[1] or kind is Kind.BID
    finally:
        puzzle.__dict__.update(kept)


@pytest.mark.parametrize("package", [games.live, games.tables, games.classes])
def test_no_socket_and_no_table_knows_a_puzzle(package: ModuleType) -> None:
    found = [
        import_module(f"{package.__name__}.{each.name}")
        for each in iter_modules(package.__path__)
    ]
    assert len(found) > 3
    for module in found:
        whence = {getattr(value, "__module__", None) or "" for value in vars(module).values()}
        whence |= {getattr(value, "__name__", "") for value in vars(module).values()}
        assert not any("puzzle" in str(name) for name in whence)


def test_days_sets_and_homework_have_no_puzzle_in_common() -> None:
    assert {n for each in sets() for n in each} == set(numbers_for(Use.SET))
    uses = [set(numbers_for(use)) for use in Use]
    assert sum(map(len, uses)) == len(set.union(*uses)) == len(puzzles())
