"""What the server prints at its start."""

from __future__ import annotations

import re
import urllib.request
from pathlib import Path

from tests.python import python
from tests.server import Server


def test_the_first_start_prints_the_first_teachers_link(tmp_path: Path) -> None:
    with Server(tmp_path, experts=True) as server:
        printed = server.log.read_text(encoding="utf-8")
        found = re.search(rf"{server.base}/teach/start/\S+/", printed)
        assert found
        assert "invite_teacher" not in printed
        with urllib.request.urlopen(found[0], timeout=30) as page:
            assert b"first teacher" in page.read()
        server.manage(
            "shell",
            "--no-imports",
            "-c",
            "from xactika_site.accounts.models import User; User.objects.create_user('ada')",
        )
    with Server(tmp_path) as server:
        later = server.log.read_text(encoding="utf-8")
        assert "/teach/start/" not in later
        assert "manage.py invite_teacher" in later


def test_without_its_tables_the_server_ends_with_one_line(tmp_path: Path) -> None:
    server = Server(tmp_path)
    done = python("-m", "xactika_site", environment=server.environment)
    assert done.returncode != 0
    assert len(done.stderr.strip().splitlines()) == 1
    assert "manage.py migrate" in done.stderr
    assert server.base not in done.stdout
