"""A database of an earlier version, its demo included, is migrated and shows the same pages.

It is made by that version itself, taken from the history of this one: only in the long run
(``XACTIKA_SOAK=1``), and only where the history is there.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

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
    for end in ("results/", "results/wall/", "learning/", "lesson/", "exercise/")
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
        cwd=folder, env=environ, check=True, text=True, stdout=subprocess.PIPE,
    )  # fmt: skip
    return done.stdout


def pages(folder: Path, database: Path) -> dict[str, tuple[int, list[str]]]:
    """Each page's status and what a reader sees on it."""
    found = json.loads(run(folder, database, "-c", PAGES))
    return {page: (status, seen(text)) for page, (status, text) in found.items()}


MEANT = {"(ODS)": "(XLSX)", "&lt;1": "1", "&gt;99": "99"}
"""What may read differently since: the tables' file, and how less than 1 % is written."""


def seen(html: str) -> list[str]:
    """The words of a page, without its scripts."""
    text = re.sub(r"<script.*?</script>|<style.*?</style>|<[^>]*>", " ", html, flags=re.S)
    return [MEANT.get(word, word) for word in text.split()]


def test_a_demo_of_before_shows_the_same_pages(tmp_path: Path) -> None:
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
    for command in ("migrate", "demo"):
        run(old, database, "manage.py", command)
    before = pages(old, database)
    assert {status for status, _words in before.values()} == {200}
    run(ROOT, database, "manage.py", "migrate")
    after = pages(ROOT, database)
    assert {page: after[page] for page in before} == before
    run(ROOT, database, "manage.py", "migrate", "lessons", "0006")
    assert pages(old, database) == before
