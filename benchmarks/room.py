"""Nobody stops the room: what others notice of floods, and of a real lesson at its fullest.

From the repository's root, in about five minutes::

    python -m benchmarks.room

Ten tables of four students play, a move a second each; meanwhile somebody without a cookie
opens ``/join/`` and a teacher presses the cockpit's buttons, several times a second. Each flood
(benchmarks/floods.py) is one browser's, a process of its own, and lasts ten seconds; a minute
after the last one memory is told again. Prints a JSON line for each: p50, p95, p99 and the
longest in milliseconds of moves (until all four at the table see it), of joining and of the
cockpit.

In two minutes each, instead of floods::

    python -m benchmarks.room --workshop                  # a class of 30, for half a minute
    python -m benchmarks.room --lesson [--processes 2]    # a whole school's lesson, for one

The lesson (benchmarks/school_day.py): a class of 30 at the workshop, 30 at replays with
deal-again, 30 at the studio, 30 in a contest with new rules, 500 who join thirteen classes,
codes and phrases guessed at from another network, chapters opened. Over one process on SQLite;
over two on PostgreSQL with Redis, both of its own. Prints a JSON line for each kind of page,
beside moves, joining and the cockpit; "still counting" is not yet an answer.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import psutil
import uvloop

from benchmarks.classroom import ClassTable, open_class, open_lobby
from benchmarks.joining import Device, open_classes
from benchmarks.moves import play, prepare, serving, spread_over_a_round

SECONDS, LESSON = 10.0, 60.0
STUDENTS, NEWCOMERS, CLASSES = 30, 500, 13
PAGES = ("workshop", "deals", "samples", "chances", "expert", "again", "review")


def stranger() -> dict[str, Any]:
    """A guest who has played a round alone against bots: their cookie, the table, the position
    and a move that they could have made otherwise."""
    from random import Random

    from django.db import connection

    from games.rules import Variant
    from games.study.replay.positions import position_at, sight_of
    from games.study.replay.what_if import other_moves
    from games.tables import moves, opening, seats
    from games.tables.state import load_table
    from games.tables.viewers import Browser

    guest, key = opening.new_guest()
    wishes = opening.TableSettings(variant=Variant.BID, seats=4, people=1, rounds=2)
    table = opening.open_table(kind="solo", settings=wishes, opener=guest).id
    seats.open_seat(table_id=table, seat=0)
    rng = Random(1)
    while (state := load_table(table)).is_running:
        if state.to_move == 0:
            moves.make_move(
                table_id=table, seat=0, turn=state.turn, text=rng.choice(state.legal),
                guest_id=guest.pk,
            )  # fmt: skip
        else:
            moves.make_bot_move(
                table_id=table, turn=state.turn, for_anybody=False,
                choice=moves.decide_move(state=state),
            )  # fmt: skip
    sight = sight_of(Browser(guest=guest), table, 1)
    position = position_at(sight, moment=0, seat=0)
    turns = [n for n in range(sight.line.last) if sight.line.moves[n][0] == 0]
    instead = next((n, text[0][0]) for n in turns if (text := other_moves(sight.line, n)))
    connection.close()
    return {
        "cookies": {"guest": key},
        "table": table,
        "position": position.pk,
        "instead": "{}.{}".format(*instead),
    }


def floods(facts: dict[str, Any]) -> dict[str, tuple[str, dict[str, Any]]]:
    """By name which flood, and what it needs to know."""
    known = {"cookies": facts["cookies"]}
    from games.pages.forms import TableForm

    table, position = facts["table"], f"/positions/{facts['position']}/"
    token = "a" * 32
    game = {field.name: field.initial for field in TableForm()}
    return {
        "hit-and-run": ("hit-and-run", {}),
        "workshop": ("workshop", {"path": "/lessons/workshop/"}),
        "deals": ("deals", {"path": "/graphs/"}),
        "samples": ("samples", {"path": "/graphs/"}),
        "chances": ("pages", {**known, "path": f"{position}chances/"}),
        "expert": ("pages", {**known, "path": f"{position}?expert=0"}),
        "again": ("pages", {**known, "path": f"{position}again/?instead={facts['instead']}"}),
        "review": ("pages", {**known, "path": f"/tables/{table}/review/1/"}),
        "handshakes": ("handshakes", {**known, "path": f"/ws/tables/{table}/?as=0"}),
        "asks": ("asks", {**known, "path": f"/ask/tables/{table}/"}),
        "study tables": (
            "opening",
            {**known, "path": f"{position}play/", "form": {"at": 0, "seat": 0}, "token": token},
        ),
        "friends' tables": (
            "opening",
            {
                **known,
                "path": "/play/",
                "form": {**game, "kind": "friends"},
                "token": token,
            },
        ),
        "new guests": (
            "opening",
            {"cookies": {}, "path": "/play/", "form": {**game, "seats": 4}, "token": token},
        ),
    }


class Others:
    """Everybody else in the room, and how long they wait, by what they do."""

    def __init__(self, *ports: int) -> None:
        self.ports = ports
        self.tables: list[ClassTable] = []
        self.waits: dict[str, list[float]] = {"moves": [], "join": [], "cockpit": []}

    async def sit_down(self, seats: Any) -> None:
        for table_id, cookies in seats:
            table = ClassTable(len(self.tables), "html")
            await table.sit_down_as(self.ports[0], table_id, cookies, *self.ports[1:])
            self.tables.append(table)
        await spread_over_a_round(self.tables)

    async def go_on(self, session: int, cookie: str) -> None:
        """Play, join and press buttons until cancelled."""
        now = time.perf_counter()
        await asyncio.gather(
            *(
                play(table, self.waits["moves"], due=now + n / len(self.tables))
                for n, table in enumerate(self.tables)
            ),
            self.every(0.1, "join", self.join),
            self.every(0.25, "cockpit", self.presser(session, cookie)),
        )

    async def join(self) -> None:
        device = Device(self.ports[-1])
        await device.ask("page", "/join/")
        await device.close()

    def presser(self, session: int, cookie: str) -> Callable[[], Coroutine[Any, Any, None]]:
        teacher = Device(self.ports[0])
        teacher.cookies |= {"sessionid": cookie, "csrftoken": "b" * 32}
        words = ["lock", "unlock"]

        async def press() -> None:
            form = {"do": words[0], "csrfmiddlewaretoken": "b" * 32}
            words.reverse()
            answer = await teacher.ask("page", f"/teach/sessions/{session}/do/", form)
            assert answer.status in (204, 302), answer.status

        return press

    async def every(
        self, seconds: float, what: str, do: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        """Do it so often, whether or not it was done in time, and note how long it took."""
        due = time.perf_counter()
        tasks: set[asyncio.Task[None]] = set()

        async def one() -> None:
            began = time.perf_counter()
            await do()
            self.waits[what].append(time.perf_counter() - began)

        while True:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            due += seconds
            if len(tasks) < 50:
                tasks.add(task := asyncio.create_task(one()))
                task.add_done_callback(tasks.discard)

    def figures(self) -> dict[str, Any]:
        """Of all that was noted since this was last asked for."""
        told = {what: spread(times) for what, times in self.waits.items()}
        for times in self.waits.values():
            times.clear()
        return told


def spread(times: list[float]) -> dict[str, float]:
    """How many, and the median, the 95th and 99th percentile and the longest, in
    milliseconds."""
    ms = sorted(1000 * each for each in times)
    if not ms:
        return {"n": 0}
    at = {
        "p50": len(ms) // 2,
        "p95": len(ms) * 95 // 100,
        "p99": len(ms) * 99 // 100,
        "max": -1,
    }
    return {"n": len(ms), **{name: round(ms[place], 1) for name, place in at.items()}}


def megabytes(server: psutil.Process) -> float:
    return round(float(server.memory_info().rss) / 2**20, 1)


async def withstand(
    server: psutil.Process, port: int, facts: dict[str, Any], one: Any, other: Any, options: Any
) -> None:
    """Each flood in its turn, and what everybody else noticed."""
    _session, _cookie, seats = one
    other_moves = Others(port)
    await other_moves.sit_down(seats)
    going = asyncio.create_task(other_moves.go_on(*other))
    await asyncio.sleep(6)  # the kernel loads
    guest = Device(port)
    guest.cookies |= facts["cookies"]
    for _kind, known in floods(facts).values():
        if not known.get("path", "/ws/").startswith(("/ws/", "/ask/")):
            await guest.ask("page", known["path"])  # what is only loaded once, is
    other_moves.figures()
    await asyncio.sleep(options.seconds)
    before = megabytes(server)
    print(json.dumps({"flood": "none", **other_moves.figures(), "mb": before}), flush=True)
    for name, (kind, known) in floods(facts).items():
        if options.only and name not in options.only:
            continue
        command = [sys.executable, "-m", "benchmarks.floods", kind, str(port)]
        sender = await asyncio.create_subprocess_exec(
            *command, str(options.seconds), json.dumps(known), stdout=subprocess.PIPE
        )
        out, _errors = await sender.communicate()
        line = {"flood": name, **other_moves.figures(), "mb": megabytes(server)}
        print(json.dumps({**line, "came": json.loads(out or b"{}")}), flush=True)
        await asyncio.sleep(2)
        other_moves.figures()
        if going.done():
            going.result()
    await asyncio.sleep(options.rest)
    after = megabytes(server)
    print(json.dumps({"memory": {"before": before, "after": after}}), flush=True)
    going.cancel()
    with suppress(asyncio.CancelledError):
        await going


# A lesson.


def cookies_of(session: int) -> list[dict[str, str]]:
    """The students' cookies of a class that has come in."""
    from games.classes.state import load_session
    from xactika_site.classrooms.models import ClassSession, Student
    from xactika_site.classrooms.selectors import device_key

    this = ClassSession.objects.get(pk=session)
    ids = [known.pk for known in load_session(session).students]
    return [{"student": device_key(each, this)} for each in Student.objects.filter(pk__in=ids)][
        :STUDENTS
    ]


def replays() -> list[dict[str, Any]]:
    """Of students who have played a round: their cookie, its position, and each other move that
    they could have made."""
    from random import Random

    from django.contrib.auth.models import AnonymousUser

    from games.study.replay.positions import position_at, sight_of
    from games.study.replay.what_if import other_moves
    from games.tables import moves
    from games.tables.state import load_table
    from games.tables.viewers import find_browser

    _session, _cookie, seats = open_class("replays")
    found, rng, nobody = [], Random(1), AnonymousUser()
    for table, cookies in seats:
        browsers = [find_browser({"student": cookie}, nobody) for cookie in cookies]
        pks = [student.pk for each in browsers if (student := each.present[0])]
        while (state := load_table(table)).is_running:
            seat, text = state.to_move or 0, rng.choice(state.legal)
            moves.make_move(
                table_id=table, seat=seat, turn=state.turn, text=text, student_id=pks[seat]
            )
        for seat, browser in enumerate(browsers):
            sight = sight_of(browser, table, 1)
            line = sight.line
            turns = [n for n in range(line.last) if line.moves[n][0] == seat]
            found.append(
                {
                    "cookies": {"student": cookies[seat]},
                    "position": f"/positions/{position_at(sight, moment=0, seat=seat).pk}/",
                    "seat": seat,
                    "instead": [
                        f"{n}.{text}" for n in turns for text, _ in other_moves(line, n)
                    ],
                }
            )
    return found[:STUDENTS]


def students(only: list[str] | None) -> list[dict[str, Any]]:
    """What each process of students needs to know: those who join are one of their own."""
    from games.study.learning.chapter_files import chapters
    from lessons.course.contest import SLUG
    from lessons.visits import holding
    from xactika_site.classrooms.models import ClassSession

    tables = -(-STUDENTS // 4)
    known: dict[str, Any] = {
        kind: [{"cookies": each} for each in cookies_of(open_lobby(kind, tables)[0])]
        for kind in ("workshop", "studio")
    }
    contest, cookie = open_lobby("contest", tables)
    holding.hold(session=ClassSession.objects.get(pk=contest), slug=SLUG)
    path = f"/lessons/{SLUG}/"
    known["contest"] = [{"cookies": each, "path": path} for each in cookies_of(contest)]
    known["replays"] = replays() if only is None or "replays" in only else []
    slugs = [chapter.slug for chapter in chapters()]
    known["chapters"] = [{"paths": [f"/learn/play/{slug}/" for slug in slugs]}] * 8
    codes = [code for _session, code, _cookie in open_classes(CLASSES, NEWCOMERS // 10)]
    known |= {"guessed": codes, "newcomers": NEWCOMERS}
    if only is not None:
        known = {kind: each for kind, each in known.items() if kind in only}
    known["contest_of"] = f"/teach/sessions/{contest}/lesson/", cookie
    newcomers = {"newcomers": known.pop("newcomers", 0), "joining": (codes, LESSON * 5 / 6)}
    return [known, newcomers] if newcomers["newcomers"] else [known]


async def teach(
    servers: list[psutil.Process],
    ports: list[int],
    known: list[Any],
    classes: Any,
    options: Any,
) -> None:
    """The others alone, then with all the school_day."""
    one, other = classes
    other_moves = Others(*ports)
    await other_moves.sit_down(one[2])
    going = asyncio.create_task(other_moves.go_on(*other))
    await asyncio.sleep(6)  # the kernel loads
    other_moves.figures()
    await asyncio.sleep(SECONDS)
    print(json.dumps({"alone": other_moves.figures(), "load": os.getloadavg()[0]}), flush=True)
    before, began, own = cpu(servers), time.perf_counter(), time.process_time()

    async def send(facts: dict[str, Any]) -> dict[str, Any]:
        sender = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benchmarks.school_day", str(options.seconds)),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=2**24,
        )  # fmt: skip
        out, _none = await sender.communicate(json.dumps(facts | {"ports": ports}).encode())
        return dict(json.loads(out))

    told = await asyncio.gather(*map(send, known))
    took = time.perf_counter() - began
    if going.done():
        going.result()
    kinds = {what: spread(times) for what, times in other_moves.waits.items()}
    for each in told:
        kinds |= {what: spread(times) for what, times in sorted(each["waits"].items())}
    for kind, figures in kinds.items():
        print(json.dumps({"kind": kind, **figures}), flush=True)
    cores = [round((b - a) / took, 2) for a, b in zip(before, cpu(servers), strict=True)]
    asking = [each["cores"] for each in told] + [round((time.process_time() - own) / took, 2)]
    came = {status: n for each in told for status, n in each["came"].items()}
    line = {"seconds": round(took, 1), "servers_cores": cores, "clients_cores": asking}
    line |= {"mb": [megabytes(each) for each in servers], "load": os.getloadavg()[0]}
    print(json.dumps({**line, "came": came}), flush=True)
    going.cancel()
    with suppress(asyncio.CancelledError):
        await going


def cpu(servers: list[psutil.Process]) -> list[float]:
    """Processor time of each so far, in seconds."""
    return [times.user + times.system for times in (each.cpu_times() for each in servers)]


def hold_lesson(options: Any) -> None:
    """A lesson over one process, or two."""
    with ExitStack() as stack:
        name = tempfile.TemporaryDirectory(prefix="xactika-room-")
        folder = Path(stack.enter_context(name))
        if options.processes == 2:
            from tests.live.backing import Postgres, Redis

            database, redis = (
                stack.enter_context(Postgres()),
                stack.enter_context(Redis(folder)),
            )
            prepare(folder, database.url, redis.url)
        else:
            prepare(folder)
        known, classes = students(options.only), (open_class("room"), open_lobby("beside", 5))
        served = [
            stack.enter_context(serving("xactika", folder)) for _ in range(options.processes)
        ]
        servers, ports = [list(each) for each in zip(*served, strict=True)]
        job = teach(servers, ports, known, classes, options)
        uvloop.run(asyncio.wait_for(job, 300))
        for port in ports:
            log = (folder / f"{port}.log").read_text(encoding="utf-8")
            print(json.dumps({"tracebacks": log.count("Traceback")}))
            if "Traceback" in log:
                print(log[-8_000:], file=sys.stderr)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.room")
    parser.add_argument("--seconds", type=float, help="of each flood, or of all")
    parser.add_argument("--rest", type=float, default=60.0, help="before memory is told again")
    parser.add_argument("--only", nargs="+", help="these floods, or of a lesson these students")
    parser.add_argument("--lesson", action="store_true", help="a lesson at its fullest")
    parser.add_argument("--workshop", action="store_true", help="a class of 30 at the workshop")
    parser.add_argument("--processes", type=int, choices=(1, 2), default=1, help="of a lesson")
    options = parser.parse_args()
    if options.workshop:
        options.only = ["workshop"]
    if options.lesson or options.workshop:
        options.seconds = options.seconds or (LESSON if options.lesson else LESSON / 2)
        hold_lesson(options)
        return
    options.seconds = options.seconds or SECONDS
    with tempfile.TemporaryDirectory(prefix="xactika-room-") as name:
        folder = Path(name)
        prepare(folder)
        from games import analysis

        analysis.load()
        facts = stranger()
        one, other = open_class("room"), open_lobby("beside", 5)
        with serving("xactika", folder) as (server, port):
            job = withstand(server, port, facts, one, other, options)
            uvloop.run(asyncio.wait_for(job, 900))


if __name__ == "__main__":
    main()
