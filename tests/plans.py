"""Which tables a statement reads whole, as SQLite plans it. The plan does not depend on how
many rows there are, so what is seen on ten is what happens on ten million."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.db import DatabaseError, connection

STAY_SMALL = frozenset({"accounts_user", "classrooms_classroom", "django_session"})

_SCAN = re.compile(r"SCAN (\w+)")
_ALIAS = re.compile(r'(?:FROM|JOIN) "(\w+)" (\w+)\b')


def read_whole(statements: Iterable[str]) -> set[str]:
    """The tables that are, but those that stay small; nothing on other databases."""
    if connection.vendor != "sqlite":
        return set()
    tables = set(connection.introspection.table_names())
    found: set[str] = set()
    with connection.cursor() as cursor:
        for statement in statements:
            try:
                cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
            except DatabaseError:
                continue  # a pragma, or a value that cannot be written into a text
            named = {alias: table for table, alias in _ALIAS.findall(statement)}
            plan = [_SCAN.match(row[3]) for row in cursor.fetchall()]
            found |= {named.get(scan[1], str(scan[1])) for scan in plan if scan} & tables
    return found - STAY_SMALL
