"""Hand-written SQL for what each move and each finished round stores, put together once.
Through the ORM that costs more than to carry them out (docs/performance.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any

from django.db import connection
from django.db.models import (
    BooleanField,
    CharField,
    Field,
    FloatField,
    ForeignKey,
    IntegerField,
    Model,
)

_STORED_AS_THEY_ARE = (BooleanField, CharField, FloatField, ForeignKey, IntegerField)


def insert(rows: Sequence[Model]) -> None:
    """Store new rows of one model in one statement, as the ORM does but without learning their
    keys, and in the caller's transaction; IntegrityError if there is one of them already."""
    fields = _fields(type(rows[0]))
    values = [
        field.get_db_prep_save(getattr(row, name), connection) if field else getattr(row, name)
        for row in rows
        for name, field in fields
    ]
    with connection.cursor() as cursor:
        cursor.execute(_insert_statement(type(rows[0]), len(rows)), values)


@cache
def _fields(model: type[Model]) -> list[tuple[str, Field[Any, Any] | None]]:
    """The attributes of a row but its key, and the field of those which are not stored as they
    are."""
    return [
        (field.attname, None if isinstance(field, _STORED_AS_THEY_ARE) else field)
        for field in model._meta.concrete_fields
        if not field.primary_key
    ]


@cache
def _insert_statement(model: type[Model], rows: int) -> str:
    fields = model._meta.concrete_fields
    names = [str(field.column) for field in fields if not field.primary_key]
    places = f"({', '.join(['%s'] * len(names))})"
    into = f"{model._meta.db_table} ({', '.join(names)})"
    return f"INSERT INTO {into} VALUES {', '.join([places] * rows)}"  # noqa: S608 (our own names)


def count_change(table_id: str) -> None:
    """One change more that is not a move."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT_CHANGE, [table_id])


def note_ready(table_id: str, seat: int, when: datetime) -> None:
    """Note that the person of this seat is ready for the next round."""
    with connection.cursor() as cursor:
        time = connection.ops.adapt_datetimefield_value(when)
        cursor.execute(_NOTE_READY, [time, table_id, seat])


def who_moved(deal_id: int) -> list[tuple[int, str, int, int | None, int | None]]:
    """Of each move of a deal: its seat, what moved it, the seat's serial then, and the guest
    and the student that it was, if any (by primary key)."""
    with connection.cursor() as cursor:
        cursor.execute(_WHO_MOVED, [deal_id])
        moved: list[tuple[int, str, int, int | None, int | None]] = cursor.fetchall()
        return moved


# Quoted as the ORM quotes them, by which tests/games/test_lock_order.py knows them.
_COUNT_CHANGE = 'UPDATE "games_table" SET version = version + 1 WHERE id = %s'
_NOTE_READY = 'UPDATE "games_seat" SET ready_at = %s WHERE table_id = %s AND number = %s'
_WHO_MOVED = (
    "SELECT seat, mover, sitting, guest_id, student_id FROM games_move WHERE deal_id = %s"
)
