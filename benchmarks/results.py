"""What pages of results cost the server, as the data grow tenfold twice.

From the repository's root::

    python -m benchmarks.results

Fills a database of its own with class sessions of finished rounds of *Play to Bid* (fair deals,
random legal moves; 200 rounds are played and dealt out again and again) and with answers to
exercises, then asks for the pages as a signed-in teacher: CPU time of the whole request in one
process and of collecting what it leaves, as the server collects it (``xactika_site.garbage``),
median of several, with the number of queries. Prints JSON lines:

- ``session``: the results page of a class session; the budget holds for 40 students × 8 rounds;
- ``last``: the results page of a classroom's latest session, which tells what has changed since
  the first;
- ``classroom``: a classroom over time, and all its tables as one XLSX file (``xlsx_ms``); the
  budget holds for the page of 10,000 rounds;
- ``news``: what an open page asks every six seconds while nothing has changed;
- ``live``: both together, with ten tables that each finish a round every four minutes, as the
  share of a core that one open page takes.

``floor_ms`` is the CPU time of reading the same rows (deals with their hands, results, tricks)
through a bare ``sqlite3`` connection, hands parsed.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sqlite3
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

SEATS, STUDENTS = 4, 40
PLAYED = 200
ANSWERS_A_STUDENT = 12
SESSION_SIZES = (8, 80, 800)
"""Rounds a table."""
CLASSROOM_SIZES = (100, 1_000, 10_000)
"""Rounds in all, of sessions of 80 rounds."""


def set_up(folder: str) -> None:
    """Django in this process, on a new database in this folder."""
    os.environ["DATABASE_URL"] = f"sqlite:///{folder}/results.sqlite3"
    begin()
    from django.core.management import call_command

    from xactika_site import garbage

    gc.set_threshold(garbage.AT_ONCE, garbage.OF_THESE, garbage.NEVER)
    call_command("migrate", verbosity=0)


def begin() -> None:
    """Django in this process, on the database that the environment names: pages as they are,
    without the middleware that serves files, and answers that show what they were made from."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "xactika_site.settings"
    os.environ["XACTIKA_DEBUG"] = "0"
    import django

    django.setup()
    from django.conf import settings
    from django.test.utils import setup_test_environment

    settings.ALLOWED_HOSTS.append("testserver")
    settings.STORAGES["staticfiles"]["BACKEND"] = (
        "django.contrib.staticfiles.storage.StaticFilesStorage"
    )
    settings.MIDDLEWARE = [name for name in settings.MIDDLEWARE if "servestatic" not in name]
    setup_test_environment()


def play_rounds(rng: Random) -> list[Any]:
    """Finished rounds by random legal moves."""
    from games.rules import DECK, HAND_SIZE, Round, Variant

    found = []
    for _number in range(PLAYED):
        cards = rng.sample(DECK, SEATS * HAND_SIZE)
        hands = [cards[seat::SEATS] for seat in range(SEATS)]
        round_ = Round.start(variant=Variant.BID, hands=hands, dealer=0)
        while not round_.is_over:
            round_ = round_.apply(rng.choice(round_.legal_moves()))
        found.append((hands, round_))
    return found


class Class:
    """A classroom with forty students and its teacher's browser."""

    def __init__(self, name: str, rounds: list[Any], rng: Random) -> None:
        from django.test import Client
        from django.utils import timezone

        from xactika_site.accounts.models import User
        from xactika_site.classrooms.models import Classroom, Student

        self.rounds, self.rng = rounds, rng
        teacher = User.objects.create_user(name)
        self.classroom = Classroom.objects.create(name=name)
        self.classroom.teachers.add(teacher)
        today = timezone.localdate()
        self.students = Student.objects.bulk_create(
            Student(classroom=self.classroom, name=f"{name} {n}", last_here=today)
            for n in range(STUDENTS)
        )
        self.browser = Client()
        self.browser.force_login(teacher)

    def session(self, rounds: int) -> int:
        """A closed session in which each of ten tables finished so many rounds."""
        from django.utils import timezone

        from games.models import Deal, Result, Seat, SessionSettings, Table, TrickRecord
        from xactika_site.classrooms.models import Attendance, ClassSession

        session = ClassSession.objects.create(
            classroom=self.classroom, state="closed", closed=timezone.now()
        )
        SessionSettings.objects.create(class_session=session)
        Attendance.objects.bulk_create(
            Attendance(class_session=session, student=s, state="here") for s in self.students
        )
        tables = Table.objects.bulk_create(
            Table(
                kind="class", class_session=session, game=1, number=n + 1, variant="bid",
                patience=60, pace=0.7,
            )
            for n in range(STUDENTS // SEATS)
        )  # fmt: skip
        Seat.objects.bulk_create(
            Seat(table=table, number=seat, name=f"{n}.{seat}", student=self._at(n, seat))
            for n, table in enumerate(tables)
            for seat in range(SEATS)
        )
        made = []
        for number in range(rounds):
            for n, table in enumerate(tables):
                hands, round_ = self.rng.choice(self.rounds)
                codes = [[card.code for card in hand] for hand in hands]
                deal = Deal(table=table, round=number + 1, dealer=0, hands=codes)
                made.append((n, deal, round_))
        Deal.objects.bulk_create([deal for _n, deal, _round in made], batch_size=2000)
        results: list[Result] = []
        tricks: list[TrickRecord] = []
        for n, deal, round_ in made:
            for seat in range(SEATS):
                results.append(  # noqa: PERF401 - one of two lists
                    Result(
                        deal=deal, seat=seat, bid=round_.bids[seat], taken=round_.taken[seat],
                        points=round_.bids[seat] == round_.taken[seat], by_person=True,
                        student=self._at(n, seat),
                    )
                )  # fmt: skip
            tricks += [
                TrickRecord(deal=deal, **fields) for fields in trick_fields(round_, self.rng)
            ]
        Result.objects.bulk_create(results, batch_size=2000)
        TrickRecord.objects.bulk_create(tricks, batch_size=2000)
        self._answer(session)
        return session.pk

    def _at(self, table: int, seat: int) -> Any:
        return self.students[table * SEATS + seat]

    def _answer(self, session: Any) -> None:
        from lessons.exercises import EXERCISES
        from lessons.models import Answer, Question

        keys = list(EXERCISES)
        questions = Question.objects.bulk_create(
            Question(
                student=student, place="practice", exercise=self.rng.choice(keys), seed=1,
                parameters={}, class_session=session,
            )
            for student in self.students
            for _n in range(ANSWERS_A_STUDENT)
        )  # fmt: skip
        Answer.objects.bulk_create(
            Answer(
                question=question,
                number=0,
                values={},
                right=self.rng.random() < 0.5,
                misconceptions=self._codes(question.exercise),
            )
            for question in questions
        )

    def _codes(self, key: str) -> list[str]:
        from lessons.exercises import EXERCISES

        known = EXERCISES[key].misconceptions
        return [self.rng.choice(known).value] if known and self.rng.random() < 0.4 else []


def trick_fields(round_: Any, rng: Random) -> list[dict[str, Any]]:
    """What a trick record needs; what stands in it makes no difference to the cost."""
    return [
        {
            "number": number,
            "leader": trick.leader,
            "call": str(trick.call),
            "value": trick.plays[0][1].value,
            "chance": (chance := rng.random()),
            "safe": rng.random() < chance,
            "taker": trick.winner,
        }
        for number, trick in enumerate(round_.tricks)
    ]


def measured(browser: Any, address: str, *, times: int, status: int = 200) -> dict[str, Any]:
    """CPU milliseconds and queries of one request."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    spent = []
    with CaptureQueriesContext(connection) as queries:
        answer = browser.get(address)
    asked = len(queries)
    assert answer.status_code == status, (address, answer.status_code)
    gc.freeze()
    for _time in range(times):
        began = time.process_time()
        browser.get(address)
        gc.collect(1)
        spent.append((time.process_time() - began) * 1000)
        gc.freeze()
    return {
        "queries": asked,
        "cpu_ms": round(median(spent), 1),
        "kilobytes": round(len(answer.content) / 1024),
    }


def floor(session_ids: list[int]) -> float:
    """CPU milliseconds of reading the rows with nothing in between."""
    path = os.environ["DATABASE_URL"].removeprefix("sqlite:///")
    ids = ",".join(map(str, session_ids))
    deals = f"""SELECT d.id, d.hands FROM games_deal d JOIN games_table t ON t.id = d.table_id
        WHERE t.class_session_id IN ({ids})"""
    spent = []
    for _time in range(3):
        with sqlite3.connect(path) as database:
            began = time.process_time()
            rows = [(pk, json.loads(hands)) for pk, hands in database.execute(deals)]
            keys = f"SELECT id FROM ({deals})"
            for table in ("games_result", "games_trickrecord"):
                rows += database.execute(
                    f"SELECT * FROM {table} WHERE deal_id IN ({keys})"
                ).fetchall()
            spent.append((time.process_time() - began) * 1000)
    return round(median(spent), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=7, help="requests a figure (7)")
    parser.add_argument("--small", action="store_true", help="leave the largest sizes out")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        set_up(folder)
        run(arguments.repeat, 2 if arguments.small else 3)


def run(times: int, sizes: int) -> None:
    rng = Random(9)
    rounds = play_rounds(rng)

    def say(line: dict[str, Any]) -> None:
        print(json.dumps(line), flush=True)

    page = news = 0.0
    for size in SESSION_SIZES[:sizes]:
        room = Class(f"s{size}", rounds, rng)
        session = room.session(size)
        address = f"/teach/sessions/{session}/results/"
        found = measured(room.browser, address, times=times)
        budget = {"budget_ms": 150} if size == 8 else {}
        say({
            "page": "session", "students": STUDENTS, "rounds_each": size, **found,
            "floor_ms": floor([session]), **budget,
        })  # fmt: skip
        if size == SESSION_SIZES[0]:
            page = found["cpu_ms"]
            version = room.browser.get(address).context["version"]
            quiet = measured(room.browser, f"{address}?since={version}", times=20, status=204)
            news = quiet["cpu_ms"]
            say({"page": "news", **quiet})
    share = news / 6_000 + 10 * page / 240_000
    say({"page": "live", "share_of_a_core": round(share, 5), "budget": 0.05})
    for size in CLASSROOM_SIZES[:sizes]:
        room = Class(f"c{size}", rounds, rng)
        sessions = [room.session(8) for _n in range(max(1, size // 80))]
        found = measured(
            room.browser, f"/teach/classrooms/{room.classroom.pk}/results/", times=times
        )
        xlsx = measured(
            room.browser, f"/teach/classrooms/{room.classroom.pk}/results.xlsx", times=2
        )
        last = measured(room.browser, f"/teach/sessions/{sessions[-1]}/results/", times=times)
        say({"page": "last", "sessions": len(sessions), "rounds_each": 8, **last})
        budget = {"budget_ms": 400} if size == 10_000 else {}
        say({
            "page": "classroom", "rounds": 80 * len(sessions), "sessions": len(sessions),
            **found, "floor_ms": floor(sessions), "xlsx_ms": xlsx["cpu_ms"], **budget,
        })  # fmt: skip


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    main()
