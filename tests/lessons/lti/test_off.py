"""Switched off, there is nothing of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server import ROOT, TEST_KEY

CODE = """
import django, sys
django.setup()
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
"""


@pytest.mark.parametrize("value", ["", "1"])
def test_nothing_is_imported_and_no_address_answers_unless_it_is_on(
    tmp_path: Path, value: str
) -> None:
    own = {"XACTIKA_LTI": value, "XACTIKA_DATA": str(tmp_path), "XACTIKA_SECRET_KEY": TEST_KEY}
    environment = os.environ | own | {"DJANGO_SETTINGS_MODULE": "xactika_site.settings"}
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    answer, imported = done.stdout.split("\n")[:2]
    assert answer == ("answered" if value else "not found")
    assert (
        ("pylti1p3" in imported.split()) == ("lessons.lti" in imported.split()) == bool(value)
    )
    assert value or not imported
