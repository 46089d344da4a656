"""Teachers and what is stored of them, for the tests of accounts and classrooms."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.test import Client

from xactika_site.accounts.models import User

PASSWORD = "seven quiet otters"
SIGN_UP = {"username": "ada", "name": "Ms L", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture(autouse=True)
def no_wrong_tries() -> Iterator[None]:
    """None are left over from another test, nor for another."""
    cache.clear()
    yield
    cache.clear()


def a_teacher(username: str = "ada", **fields: str) -> User:
    """A teacher whose password is ``PASSWORD``."""
    return User.objects.create_user(username, PASSWORD, **fields)


def signed_in(teacher: User) -> Client:
    """A browser in which the teacher has signed in."""
    client = Client()
    client.force_login(teacher)
    return client


def text_of(response: object) -> str:
    """A page's words, without its markup and its CSRF token."""
    html = response.content.decode()  # type: ignore[attr-defined]
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def all_rows() -> dict[str, list[str]]:
    """Every row of every table, as text; sessions decoded."""
    tables = connection.introspection.table_names()
    rows: dict[str, list[str]] = {}
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            rows[table] = sorted(map(repr, cursor.fetchall()))
    rows["decoded sessions"] = [repr(s.get_decoded()) for s in Session.objects.order_by("pk")]
    return rows
