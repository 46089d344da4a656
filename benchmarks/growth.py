"""What grows with the years: every page of a school after one term and after ten.

From the repository's root, in about half an hour; the databases take 1.2 GB::

    python -m benchmarks.growth --folder data/school

Fills two SQLite files with a school of 20 teachers and 40 classrooms (benchmarks/filling.py),
one term and ten, as if nothing were ever deleted. A process of its own for each opens a class
session, lets students come in and play, and asks for every address of the project by GET, as a
teacher, a student and a guest whose the named things are; what answers 200 is measured: CPU
time of the process (the less of two), queries, bytes, and where SQLite reads a whole table
(EXPLAIN QUERY PLAN). Then a copy of each is migrated from an earlier state, backed up, rebuilt,
exported and, at the default retention, purged. What is in the folder already is used again.
Prints JSON lines, the ratio of ten terms to one with each.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.moves import ROOT
from benchmarks.results import begin

TERMS = (1, 10)
EARLIER = (("lessons", "0012"), ("lessons", "0007"))
"""States that are migrated from: before the last migration of data, and before the largest."""

LEAVE = ("healthz", "teach/logout/", "language/", "graphs/deals/")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth")
    parser.add_argument("--folder", type=Path, required=True, help="for the databases")
    parser.add_argument("--job", choices=[*JOBS], help="one thing, with the DATABASE_URL given")
    parser.add_argument("--only", choices=["pages", "keeping"], nargs="+")
    options = parser.parse_args()
    if options.job:
        begin()
        JOBS[options.job](options.folder)
        return
    for terms in TERMS:
        prepare(options.folder, terms)
    for job in options.only or ["pages", "keeping"]:
        small, large = (by_key(in_process(options.folder, terms, job)) for terms in TERMS)
        for key, line in sorted(large.items(), key=lambda item: -item[1].get("cpu_ms", 0)):
            before = small.get(key, {})
            if before.get("cpu_ms"):
                line["before"] = {k: before.get(k) for k in ("cpu_ms", "queries", "kb")}
                line["ratio"] = round(line["cpu_ms"] / before["cpu_ms"], 2)
            print(json.dumps(line), flush=True)


def by_key(lines: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {line["what"]: line for line in lines}


def database(folder: Path, terms: int) -> Path:
    return folder / f"terms-{terms}.sqlite3"


def prepare(folder: Path, terms: int) -> None:
    """The database of so many terms, unless it is there."""
    folder.mkdir(parents=True, exist_ok=True)
    pattern = folder / "pattern.sqlite3"
    if not pattern.exists():
        in_process(folder, 0, "pattern")
    if not database(folder, terms).exists():
        copy = folder / "unfinished.sqlite3"
        copy.write_bytes(pattern.read_bytes())
        print(*in_process(folder, 0, f"fill{terms}", copy), file=sys.stderr)
        copy.rename(database(folder, terms))


def in_process(
    folder: Path, terms: int, job: str, path: Path | None = None
) -> list[dict[str, Any]]:
    """What a job prints in a process of its own, on a copy of a database."""
    at = path or folder / ("pattern.sqlite3" if job == "pattern" else "work.sqlite3")
    if terms:
        at.write_bytes(database(folder, terms).read_bytes())
    env = {**os.environ, "DATABASE_URL": f"sqlite:///{at}", "XACTIKA_DATA": str(folder)}
    env["XACTIKA_RETENTION_DAYS"] = "3650"
    command = [sys.executable, "-m", "benchmarks.growth", "--folder", str(folder), "--job", job]
    out = subprocess.run(
        command, cwd=ROOT, env=env, stdout=subprocess.PIPE, check=True, encoding="utf-8"
    )
    return [json.loads(line) for line in out.stdout.splitlines() if line.startswith("{")]


def say(**line: Any) -> None:
    print(json.dumps(line), flush=True)


def pattern(_folder: Path) -> None:
    from django.core.management import call_command
    from django.db import connection

    from benchmarks.filling import make_pattern

    call_command("migrate", verbosity=0)
    make_pattern()
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def fill(terms: int) -> Callable[[Path], None]:
    def job(_folder: Path) -> None:
        from django.db import connection

        from benchmarks.filling import fill

        began = time.perf_counter()
        school = fill(terms)
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        say(terms=terms, rounds=school.rounds, rows=school.rows, s=time.perf_counter() - began)

    return job


# What is measured.


def measured(what: str, call: Callable[[], Any], *, times: int = 1) -> Any:
    """Say what a call costs, and which whole tables it reads; what it returned."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from tests.plans import read_whole

    with CaptureQueriesContext(connection) as queries:
        began = time.process_time()
        found = call()
        spent = [(time.process_time() - began) * 1000]
        statements = [query["sql"] for query in queries]
    for _time in range(times - 1):
        began = time.process_time()
        call()
        spent.append((time.process_time() - began) * 1000)
    line: dict[str, Any] = {"what": what, "cpu_ms": round(min(spent), 1)}
    line |= {"queries": len(statements)}
    if isinstance(found, bytes):
        line["kb"] = round(len(found) / 1024, 1)
    if scans := sorted(read_whole(statements)):
        line["read_whole"] = scans
    say(**line)
    return found


class Cast:
    """Whose pages are asked for: a class at play beside its earlier sessions."""

    def __init__(self) -> None:
        from django.test import Client
        from django.utils import timezone

        from games.classes import joining, sessions, steering
        from games.classes.state import load_session
        from games.models import Guest, Move, Position, Result, SessionSettings, Table
        from games.rules import move_text
        from games.tables import moves
        from games.tables.state import load_table
        from games.tables.viewers import STUDENT_COOKIE, seat_token, watch_token
        from lessons.homework.giving import give
        from lessons.models import Homework, LessonSettings, Question, Slip
        from lessons.results.news import share_token
        from xactika_site.classrooms.models import Classroom, ClassSession, Student
        from xactika_site.classrooms.selectors import device_key, key_hash

        self.room = Classroom.objects.get(name="class 1")
        self.teacher = self.room.teachers.get()
        closed = ClassSession.objects.filter(classroom=self.room).latest("created")
        self.students = list(
            Student.objects.filter(attendances__class_session=closed).order_by("pk")
        )
        wishes = SessionSettings(seats=4, rounds=8, pace=0.0)
        live = measured(
            "open_session",
            lambda: sessions.open_session(classroom=self.room, settings=wishes),
        )
        measured(
            "all come in",
            lambda: [joining.come_in(session=live, student=one) for one in self.students],
        )
        measured("start", lambda: steering.start(session_id=live.pk))
        tables = load_session(live.pk).tables

        def play(table_id: str, count: int) -> None:
            for _move in range(count):
                state = load_table(table_id)
                if state.to_move is None or state.round is None:
                    return
                seat = state.seats[state.to_move]
                moves.make_move(
                    table_id=table_id,
                    seat=state.to_move,
                    turn=state.turn,
                    text=move_text(state.round.legal_moves()[0]),
                    student_id=seat.student_id,
                )

        measured("first 20 moves at a table", lambda: play(tables[0], 20))
        measured("16 moves and a round's end", lambda: play(tables[0], 16))
        for table_id in tables[1:]:
            play(table_id, 36)
        asked = Question.objects.filter(student__in=self.students, deal=None)
        question = asked.select_related("student").latest("pk")
        self.student, student = question.student, question.student_id
        assert self.student is not None
        seated = {
            seat.student_id: table for table in tables for seat in load_table(table).seats
        }
        self.guest = Guest.objects.latest("pk")
        Guest.objects.filter(pk=self.guest.pk).update(key_hash=key_hash("known"))
        results = Result.objects.filter(student=student)
        past = results.filter(deal__table__class_session=closed)[0].deal
        homework = Homework.objects.filter(classroom=self.room).latest("given")
        self.due = give(classroom=self.room, until=timezone.localdate(), boards=2)
        boards = Table.objects.filter(homework_board__homework=homework)
        board = boards.filter(homework_board__student=student).first() or boards[0]
        alone = Table.objects.filter(opener=self.guest)[0]
        LessonSettings.objects.create(class_session=closed, shared=True)
        sharing = LessonSettings.objects.get(class_session=closed)
        slip = Slip.objects.filter(student=student).first() or Slip.objects.latest("pk")
        own = Position.objects.create(
            deal=past, moves=Move.objects.filter(deal=past)[10].number, seat=0
        )
        self.values: dict[str, list[tuple[str, Any]]] = {
            "session_id": [("live", live.pk), ("closed", closed.pk)],
            "classroom_id": [("", self.room.pk)],
            "student_id": [("", student)],
            "table_id": [
                ("live", seated[student]),
                ("closed", past.table_id),
                ("homework", board.pk),
                ("guest", alone.pk),
            ],
            "question_id": [("", question.pk)],
            "mistake_id": [("", slip.pk)],
            "position_id": [("", own.pk)],
            "homework_id": [("closed", homework.pk), ("open", self.due.pk)],
            "number": [("", 1)],
            "game": [("", 1)],
            "day": [("", "2026-11-01")],
            "key": [("", "gradebook"), ("", "moves")],
            "code": [("", self.room.code)],
            "slug": [
                ("", "stats-table"),
                ("", "gradebook"),
                ("", "slough"),
                ("", "our-question"),
            ],
            "token": [
                ("seat", seat_token(alone.pk, 0, 0)),
                ("watch", watch_token(alone.pk, 0)),
                ("share", share_token(sharing)),
            ],
        }
        self.browsers = {name: Client() for name in ("teacher", "student", "guest")}
        self.browsers["teacher"].force_login(self.teacher)
        self.browsers["student"].cookies[STUDENT_COOKIE] = device_key(self.student, live)
        self.browsers["guest"].cookies["guest"] = "known"
        self.live, self.closed, self.tables, self.homework = live, closed, tables, homework

    def addresses(self) -> Iterator[tuple[str, str]]:
        """Every route with every choice of values: how it is called, and its address."""
        from django.urls import get_resolver

        from tests.scenes.addresses import routes

        for route in sorted(routes(get_resolver().url_patterns)):
            names = re.findall(r"<\w+:(\w+)>", route)
            for chosen in product(*(self.values.get(name, [("", "-")]) for name in names)):
                address, label = "/" + route, route
                for name, (kind, value) in zip(names, chosen, strict=True):
                    address = re.sub(rf"<\w+:{name}>", str(value), address)
                    label = re.sub(rf"<\w+:{name}>", f"<{kind or name}>", label)
                if route not in LEAVE:
                    yield label, address


def pages(_folder: Path) -> None:
    """Every page as whoever gets it, then what is done to a class."""
    cast = Cast()
    done = set()
    for label, address in cast.addresses():
        for who, browser in cast.browsers.items():
            what = f"{label} {who}"
            if what in done or browser.get(address).status_code != 200:
                continue
            done.add(what)

            def get(browser: Any = browser, address: str = address) -> bytes:
                answer = browser.get(address)
                if getattr(answer, "is_async", False):
                    return asyncio.run(in_one(answer))
                return bytes(answer.getvalue())

            measured(what, get, times=2)
    say(what="memory after all pages", mb=memory())
    changes(cast)


async def in_one(answer: Any) -> bytes:
    """A streamed answer, whole."""
    return b"".join([piece async for piece in answer])


def memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def changes(cast: Cast) -> None:
    """What a teacher and the clock do, each once; the last ones delete."""
    from games.classes import closing
    from games.classes.state import load_session
    from games.keeping.retention import purge_expired
    from games.tables import seats
    from games.tables.state import present_turns
    from lessons.homework import giving
    from lessons.questions import asking
    from lessons.questions.learners import Learner
    from xactika_site.classrooms.models import ClassSession

    one = Learner(student=cast.student)
    measured("load_session", lambda: load_session(cast.live.pk))
    measured("present_turns", lambda: present_turns(cast.tables))
    measured(
        "ask_in_practice", lambda: asking.ask_in_practice(learner=one, exercise="deck-size")
    )
    measured("nothing has expired", lambda: purge_expired())
    measured("close homework", lambda: giving.close(homework=cast.due))
    measured("delete homework", lambda: giving.delete(homework=cast.homework))
    measured("close_session", lambda: closing.close_session(session_id=cast.live.pk))
    measured("delete a student", lambda: seats.remove_student(student=cast.students[-1]))
    measured("delete a session", lambda: closing.delete_session(session_id=cast.closed.pk))
    old = ClassSession.objects.filter(classroom=cast.room).earliest("created")
    measured("delete the first session", lambda: closing.delete_session(session_id=old.pk))
    browser = cast.browsers["teacher"]
    address = f"/teach/classrooms/{cast.room.pk}/delete/"
    form = {"name": cast.room.name, "confirm": "yes"}
    measured("delete the classroom", lambda: browser.post(address, form).status_code)


def keeping(folder: Path) -> None:
    """Migrations, the copy before them, backup, rebuilding, purging."""
    import sqlite3

    from django.conf import settings
    from django.core.management import call_command

    from games.keeping.retention import purge_expired
    from games.tables.results import rebuild_results
    from xactika_site.database import copies

    def timed(what: str, call: Callable[[], Any]) -> None:
        began, cpu = time.perf_counter(), time.process_time()
        call()
        line = {"what": what, "cpu_ms": round((time.process_time() - cpu) * 1000)}
        say(**line, s=round(time.perf_counter() - began, 2), mb=memory())

    path = Path(str(settings.DATABASES["default"]["NAME"]))
    say(what="the file", mb=round(path.stat().st_size / 1e6))

    def backup() -> None:
        copy = folder / "backup.sqlite3"
        with sqlite3.connect(path) as old, sqlite3.connect(copy) as new:
            old.backup(new)
        copy.unlink()

    timed("backup", backup)
    for app, name in EARLIER:
        call_command("migrate", app, name, verbosity=0)
        timed(
            f"migrate from {app} {name}, with the copy before",
            lambda: call_command("migrate", verbosity=0),
        )
        for copy in copies():
            copy.unlink()
    timed("rebuild_results --check", lambda: rebuild_results(check_only=True))
    settings.RETENTION_DAYS = 180
    timed("purge_expired, 180 days", lambda: purge_expired())
    timed("purge_expired again", lambda: purge_expired())


JOBS: dict[str, Callable[[Path], None]] = {
    "pattern": pattern,
    "pages": pages,
    "keeping": keeping,
    **{f"fill{terms}": fill(terms) for terms in TERMS},
}


if __name__ == "__main__":
    main()
