"""A database of an earlier version, its demo included, is migrated: pages open, and what was
moved, answered and counted is the same.

It is made by that version itself, taken from the history of this one: only in the long run
(``XACTIKA_SOAK=1``), and only where the history is there.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
BEFORE = "14ceb30"
"""The last version whose questions told by one text where they were asked."""

PAGES = """
import json, sys
import django
django.setup()
from django.conf import settings
from django.test import Client
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import Classroom, ClassSession, Student
settings.ALLOWED_HOSTS = ["*"]
teacher = Client()
teacher.force_login(User.objects.get())
pages = [
    (teacher, f"/teach/sessions/{session.pk}/{end}")
    for session in ClassSession.objects.order_by("pk")
    for end in ("results/", "results/wall/", "learning/", "lesson/", "exercise/", "moves.jsonl",
                "results/bids-and-tricks.csv", "results/bias.csv")
]
pages += [
    (teacher, f"/teach/classrooms/{room.pk}/{end}")
    for room in Classroom.objects.order_by("pk") for end in ("results/", "learning/")
]
pages += [
    (teacher, f"/teach/students/{student.pk}/{end}")
    for student in Student.objects.order_by("pk") for end in ("results/", "answers.jsonl")
]
shown = {}
for browser, page in pages:
    answer = browser.get(page)
    shown[page] = [answer.status_code, b"".join(answer).decode()]
json.dump(shown, sys.stdout)
"""

pytestmark = pytest.mark.skipif(
    os.environ.get("XACTIKA_SOAK") != "1", reason="a demo class is played by an older version"
)


NOT_NEEDED_SINCE = {
    "tablib.py": "",
    "pythonjsonlogger/__init__.py": "",
    "pythonjsonlogger/json.py": """
import logging
class JsonFormatter(logging.Formatter):
    def __init__(self, *_arguments, **_named):
        super().__init__()
""",
}
"""What that version asks for and this one no longer has; none of it is on the pages held here:
how it wrote its log, and workbooks."""


def run(folder: Path, database: Path, *command: str) -> str:
    """What this prints in a source tree, with this database."""
    environ = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{database}",
        "DJANGO_SETTINGS_MODULE": "xactika_site.settings",
        "XACTIKA_DEBUG": "1",
        "XACTIKA_SECRET_KEY": "the same for both, long enough for a key",
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", *command],
        cwd=folder, env=environ, check=True, encoding="utf-8", stdout=subprocess.PIPE,
    )  # fmt: skip
    return done.stdout


def pages(folder: Path, database: Path) -> dict[str, tuple[int, str]]:
    """Each page's status and text."""
    found = json.loads(run(folder, database, "-c", PAGES))
    return {page: (status, text) for page, (status, text) in found.items()}


def told_before(before: str, after: str) -> tuple[Any, Any]:
    """Of both texts of a file what the earlier version had: the lines' fields, a table's
    cells."""
    if not before.startswith("{"):
        return [line.split(",")[1:] for line in before.splitlines()[1:]], [
            line.split(",")[1:] for line in after.splitlines()[1:]
        ]
    old, new = ([json.loads(line) for line in text.splitlines()] for text in (before, after))
    kept = [
        {name: row[name] for name in known if name in row}
        for known, row in zip(old, new, strict=True)
    ]
    return old, kept


def test_a_demo_of_before_opens_and_counts(tmp_path: Path) -> None:
    git = shutil.which("git")
    old, database = tmp_path / "old", tmp_path / "school.sqlite3"
    old.mkdir()
    has = (
        git
        and not subprocess.run(
            [git, "cat-file", "-e", f"{BEFORE}^{{commit}}"], cwd=ROOT, capture_output=True
        ).returncode
    )
    if not (git and has):
        pytest.skip("the history is not here")
    archive = tmp_path / "old.tar"
    subprocess.run([git, "archive", "-o", str(archive), BEFORE], cwd=ROOT, check=True)
    shutil.unpack_archive(archive, old, filter="data")
    for name, text in NOT_NEEDED_SINCE.items():
        (old / name).parent.mkdir(exist_ok=True)
        (old / name).write_text(text, encoding="utf-8")
    for command in ("migrate", "demo"):
        run(old, database, "manage.py", command)
    before = pages(old, database)
    assert {status for status, _text in before.values()} == {200}
    run(ROOT, database, "manage.py", "migrate")
    after = pages(ROOT, database)
    assert {status for status, _text in after.values()} == {200}
    files = [page for page in before if not page.endswith("/")]
    assert len(files) > 20
    for page in files:
        was, kept = told_before(before[page][1], after[page][1])
        assert kept == was, page
