"""A migration that has landed is never changed: databases that have it would stay as they are.

``migrations.txt`` holds the digest of each, as ``sha256sum`` prints it; ``sha256sum --check``
reads it, too.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
LIST = ROOT / "tests" / "site" / "migrations.txt"
LANDED = [line.split() for line in LIST.read_text(encoding="utf-8").splitlines()]


def migrations() -> list[str]:
    """The paths of all migrations of ours."""
    folders = (
        folder
        for app in ("games", "lessons", "xactika_site")
        for folder in (ROOT / app).rglob("migrations")
    )
    files = (file for folder in folders for file in folder.glob("[0-9]*.py"))
    return sorted(file.relative_to(ROOT).as_posix() for file in files)


@pytest.mark.parametrize(("digest", "path"), LANDED, ids=[path for _digest, path in LANDED])
def test_a_migration_that_has_landed_is_as_it_was(digest: str, path: str) -> None:
    file = ROOT / path
    assert file.exists(), (
        f"{path} has landed, so databases name it: put it back "
        f"(git log --diff-filter=D -- {path})."
    )
    assert sha256(file.read_bytes()).hexdigest() == digest, (
        f"{path} has landed and was changed, which no database that has it would hear of: "
        "take it back, and make a migration of its own for it (manage.py makemigrations)."
    )


def test_every_migration_is_listed() -> None:
    missing = set(migrations()) - {path for _digest, path in LANDED}
    add = f"sha256sum {' '.join(sorted(missing))} >> {LIST.relative_to(ROOT)}"
    assert not missing, f"New migrations are listed, to be held from now on: {add}"


def test_each_is_listed_once() -> None:
    paths = [path for _digest, path in LANDED]
    assert len(paths) == len(set(paths)), (
        f"A landed migration's digest is not replaced by another: remove the later line of "
        f"{sorted({path for path in paths if paths.count(path) > 1})}."
    )
