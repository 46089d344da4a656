"""A school's terms in a database, in minutes: what was really played once, copied in bulk.

The demo class plays its three sessions through the services (lessons, questions and forecasts
among them), some of it does homework, guests play alone, slips are kept: the pattern, 84 rounds
of a class. It is copied for each classroom three times a term, with other keys and dates; every
second term a classroom has new students. ``fill`` needs Django to be set up and an empty,
migrated database; benchmarks/growth.py uses it.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from games.rules import move_text

TEACHERS, CLASSROOMS = 20, 40
COPIES_A_TERM = 3
TERMS_OF_A_STUDENT = 2
DAYS_A_TERM, DAYS_A_COPY = 182, 42
LETTERS = "bcdfghjkmnpqrstvwxz"
HOMEWORK_DONE_BY = 8
GUESTS = 2


@dataclass(frozen=True)
class School:
    """What was filled in: rounds in all, and rows by model's name."""

    rounds: int
    rows: dict[str, int]


def fill(terms: int) -> School:
    """So many terms of the school, the last one ending today."""
    from django.apps import apps
    from django.db import connection, transaction

    from games.models import Result
    from xactika_site.accounts.models import User
    from xactika_site.classrooms.models import Classroom

    pattern = Pattern(
        [
            m
            for a in ("classrooms", "games", "lessons")
            for m in apps.get_app_config(a).get_models()
        ]
    )
    teachers = [User.objects.create_user(f"teacher{n}") for n in range(TEACHERS)]
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA synchronous = OFF")
    cohorts = -(-terms // TERMS_OF_A_STUDENT)
    for room in range(CLASSROOMS):
        with transaction.atomic():
            for term in range(terms):
                for copy in range(COPIES_A_TERM):
                    ago = DAYS_A_TERM * (terms - 1 - term) + DAYS_A_COPY * (
                        COPIES_A_TERM - 1 - copy
                    )
                    cohort = room * cohorts + term // TERMS_OF_A_STUDENT + 1
                    number = (room * terms + term) * COPIES_A_TERM + copy + 1
                    pattern.store(room + 1, cohort, number, ago)
            made = Classroom.objects.get(pk=pattern.key(Classroom, pattern.classroom, room + 1))
            made.teachers.add(teachers[room % TEACHERS])
    pattern.go_on_counting()
    rows = {model.__name__: model._default_manager.count() for model in pattern.models}
    return School(Result.objects.filter(seat=0).count(), {n: k for n, k in rows.items() if k})


def make_pattern() -> None:
    """What is copied: the demo class, and what it has none of."""
    from games.models import Position, Result
    from games.rules import Variant
    from games.tables import moves, opening
    from games.tables.state import load_table, one_long_transaction
    from lessons.demo import classes
    from lessons.homework import giving
    from lessons.models import Retry, Slip
    from tests.scenes.homework import play_board, some_homework
    from xactika_site.classrooms.models import Classroom, Student

    classes.prepare()
    rng = Random(5)
    room = Classroom.objects.get(demo=True)
    with one_long_transaction():
        homework = some_homework(room, boards=2, puzzles=1, questions=5, skill="graphs")
        for student in Student.objects.filter(classroom=room).order_by("pk")[:HOMEWORK_DONE_BY]:
            for number in (1, 2):
                play_board(homework, student, number)
        giving.close(homework=homework)
        wishes = opening.TableSettings(Variant.BID, seats=4, people=1, rounds=2, pace=0)
        for _guest in range(GUESTS):
            guest, _key = opening.new_guest()
            table = opening.open_table(kind="solo", settings=wishes, opener=guest)
            while (state := load_table(table.id)).to_move is not None:
                if state.to_move:
                    moves.make_bot_move(table_id=table.id, turn=state.turn)
                    continue
                assert state.round
                text = move_text(rng.choice(state.round.legal_moves()))
                moves.make_move(
                    table_id=table.id, seat=0, turn=state.turn, text=text, guest_id=guest.pk
                )
        for result in Result.objects.filter(student__isnull=False, seat=0).order_by("pk"):
            move = result.deal.moves.filter(seat=0).order_by("number")[1]
            position = Position.objects.create(deal=result.deal, moves=move.number, seat=0)
            slip = Slip.objects.create(
                student=result.student, position=position, worths={move.text: 0.2}
            )
            Retry.objects.create(slip=slip, number=0, move=move.text, right=rng.random() < 0.5)


class Pattern:
    """The rows that are copied, by the database itself; ``classroom`` is the key of theirs."""

    def __init__(self, models: list[Any]) -> None:
        from django.db import connection

        self.models = models
        self.strides: dict[str, int] = {}
        self.made: set[tuple[str, int]] = set()
        for model in models:
            table = model._meta.db_table
            with connection.cursor() as cursor:
                cursor.execute(
                    f"CREATE TEMPORARY TABLE pattern_{table} AS SELECT * FROM {table}"
                )
            last = model._default_manager.order_by("-pk").values_list("pk", flat=True).first()
            self.strides[table] = 1 + last if isinstance(last, int) else 1
            if model.__name__ == "Classroom":
                self.classroom = last

    def key(self, model: Any, old: int, number: int) -> int:
        """The key of a copy, where keys are numbers."""
        return old + number * self.strides[model._meta.db_table]

    def store(self, room: int, cohort: int, number: int, ago: int) -> None:
        """One copy of everything, so many days ago; of its classroom and students unless they
        are there."""
        from django.db import connection

        numbers = {"Classroom": room, "Student": cohort}
        with connection.cursor() as cursor:
            for model in self.models:
                mine = (model.__name__, numbers.get(model.__name__, number))
                if model.__name__ in numbers and mine in self.made:
                    continue
                self.made.add(mine)
                table, fields = model._meta.db_table, model._meta.concrete_fields
                names = ", ".join(f'"{field.column}"' for field in fields)
                values = ", ".join(self._value(field, numbers, number, ago) for field in fields)
                cursor.execute(
                    f"INSERT INTO {table} ({names}) SELECT {values} FROM pattern_{table}"
                )

    def _value(self, field: Any, numbers: dict[str, int], number: int, ago: int) -> str:
        """A column of a copy, as SQL."""
        from django.db import connection, models

        from xactika_site.classrooms.models import Classroom, new_code

        column = f'"{field.column}"'
        if field.primary_key or field.is_relation:
            model = field.related_model if field.is_relation else field.model
            mine = numbers.get(model.__name__, number)
            if isinstance(model._meta.pk, models.CharField):
                return f"substr({column}, 1, 15) || 'a{letters(mine)}'"
            if model not in self.models:
                return column
            return f"{column} + {mine * self.strides[model._meta.db_table]}"
        if field.name == "key_hash":
            return f"substr({column}, 1, 54) || '{number:010d}'"
        if field.name == "name" and field.model.__name__ == "Student":
            return f"{column} || ' {numbers['Student']}'"
        if field.model is Classroom:
            own = {
                "code": f"'{new_code()}'",
                "demo": "false",
                "name": f"'class {numbers['Classroom']}'",
            }
            return own.get(field.name, column)
        if isinstance(field, models.DateField):
            if connection.vendor == "postgresql":
                return f"{column} - INTERVAL '{ago} days'"
            if isinstance(field, models.DateTimeField):
                return f"strftime('%Y-%m-%d %H:%M:%f', {column}, '-{ago} days')"
            return f"date({column}, '-{ago} days')"
        return column

    def go_on_counting(self) -> None:
        """PostgreSQL's sequences know nothing of keys that were given, and its planner nothing
        of so many rows at once."""
        from django.core.management.color import no_style
        from django.db import connection

        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), self.models):
                cursor.execute(statement)
            if connection.vendor == "postgresql":
                cursor.execute("ANALYZE")


def letters(number: int) -> str:
    """A number as four of the letters that ids are made of."""
    found = ""
    for _place in range(4):
        number, letter = divmod(number, len(LETTERS))
        found += LETTERS[letter]
    return found
