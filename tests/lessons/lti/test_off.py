"""Switched off, there is nothing of it."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest

from tests.python import python
from tests.server import ROOT, TEST_KEY

CODE = """
import sys, threading
sys.modules["numba"] = None
import xactika_site.asgi
from django.urls import get_resolver, resolve, Resolver404
get_resolver().url_patterns
import lessons.management.commands.lti
try:
    resolve("/lti/keys/")
    print("answered")
except Resolver404:
    print("not found")
names = "pylti1p3 jwt jwcrypto requests cryptography lessons.lti".split()
print(*(name for name in names if name in sys.modules))
print("grades" in [thread.name for thread in threading.enumerate()])
"""


@pytest.mark.parametrize("value", ["", "1"])
def test_nothing_is_imported_begun_or_answered_by_the_server_unless_it_is_on(
    tmp_path: Path, value: str
) -> None:
    own = {"XACTIKA_LTI": value, "XACTIKA_DATA": str(tmp_path), "XACTIKA_SECRET_KEY": TEST_KEY}
    environment = os.environ | own | {"DJANGO_SETTINGS_MODULE": "xactika_site.settings"}
    done = python("-c", CODE, environment=environment)
    answer, imported, sends_grades = done.stdout.split("\n")[:3]
    assert answer == ("answered" if value else "not found")
    assert (
        ("pylti1p3" in imported.split()) == ("lessons.lti" in imported.split()) == bool(value)
    )
    assert value or not imported
    assert sends_grades == str(bool(value))


def test_nothing_more_is_installed_without_the_extra() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[^\w.-]", each)[0] for each in project["dependencies"]}
    assert "django" in {each.lower() for each in names}
    assert names.isdisjoint("pylti1p3next pyjwt jwcrypto requests cryptography".split())
