"""Options of the whole test run."""

import gc
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from importlib import import_module
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import pytest
from django.contrib.contenttypes.management import create_contenttypes
from django.core.cache import caches
from django.db import connection, connections
from django.db.models.signals import post_migrate
from django.test import override_settings
from django.utils import timezone, translation
from hypothesis import HealthCheck, settings
from pytest_django import DjangoDbBlocker

from games.tables import state
from tests import made_up as made_up_language
from tests.scenes import SOAK, Each, undone
from tests.server import ROOT, migrated
from xactika_site import health, logs
from xactika_site.classrooms.models import ClassSession

# Machines are noisy: how long an example takes is never a reason to fail.
settings.register_profile("tests", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("soak", settings.get_profile("tests"), max_examples=2000)
settings.load_profile("soak" if SOAK else "tests")


pytest_plugins = ["tests.times"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate",
        action="store_true",
        help="rewrite the golden files under tests/playthroughs",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """In a fresh clone each test file is compiled by whoever imports it first, which is half of
    the work of collecting: workers begin at different ones, so that each compiles its share."""
    if not hasattr(session.config, "workerinput"):
        return
    worker = session.config.workerinput
    left_out = [Path(path).resolve() for path in session.config.getoption("ignore") or ()]
    files = [
        file.relative_to(ROOT)
        for argument in session.config.args
        for file in sorted((ROOT / argument).rglob("test_*.py"))
        if not any(file.is_relative_to(path) for path in left_out)
    ]
    begin = int(worker["workerid"].removeprefix("gw")) * len(files) // worker["workercount"]
    for file in [*files[begin:], *files[:begin]]:
        with suppress(Exception, pytest.skip.Exception):  # told when it is collected
            import_module(".".join(file.with_suffix("").parts))


LONGEST = (
    "tests/permissions/",
    "tests/site/test_puzzle_answers.py",
    "tests/site/test_database.py",
    "tests/site/test_backup.py",
)
"""What would go on by itself for long, were it begun last."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files come first: whoever has no more to do at the end waits but a moment."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


# Thousands of tests live as long as the run: they are looked through for garbage once, not with
# all that ends. That is a twentieth of the run's work.
def pytest_configure() -> None:
    gc.disable()


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test that asks for no page speaks the server's language, whatever was spoken before.
    Each of a class with a ``scene()`` asks for it, so that alone it finds what it finds after
    another has."""
    translation.deactivate()
    if hasattr(getattr(item, "cls", None), "scene"):
        assert "session" in getattr(item, "fixturenames", ()), "ask for session, or move"


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Teachers are made often, and hashing a password well takes a quarter of a second."""
    hashers = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    with override_settings(PASSWORD_HASHERS=hashers):
        yield


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """The test database is a copy of one that was migrated, as a server's is; on PostgreSQL
    it is migrated itself."""
    # Nobody has Django's permissions, or asks for its content types; after each test that
    # commits they would be made anew, which takes longer than most tests.
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    post_migrate.disconnect(create_contenttypes)
    creation = connection.creation

    def copied(**_options: object) -> str:
        name = str(creation._get_test_db_name())  # type: ignore[attr-defined]
        shutil.copyfile(migrated(), name)
        connection.close()
        connection.settings_dict["NAME"] = name
        connection.ensure_connection()
        return name

    if connection.vendor == "sqlite":
        creation.create_test_db = copied  # type: ignore[method-assign, assignment]


def name_alone(item: pytest.Item) -> str:
    """A test's name as it is without other workers, which add its group to it."""
    group = item.get_closest_marker("xdist_group")
    return item.nodeid.removesuffix(f"@{group.args[0]}") if group else item.nodeid


def same_luck_as(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if SOAK:
        return
    luck = Random(f"{os.environ.get('XACTIKA_LUCK', 0)} {name}")
    monkeypatch.setattr(SystemRandom, "random", lambda _self: luck.random())
    monkeypatch.setattr(SystemRandom, "getrandbits", lambda _self, bits: luck.getrandbits(bits))


@pytest.fixture(autouse=True)
def same_luck(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cards that this process deals in a test are the same in every run, so that what fails
    fails again. XACTIKA_LUCK=n deals others; ``make soak`` leaves them to chance. A server of
    its own deals as it does for everybody."""
    same_luck_as(name_alone(request.node), monkeypatch)


@pytest.fixture(autouse=True)
def no_transaction_but_the_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test may run inside a transaction that no program has: what is read there counts as
    committed, unless the program opened one of its own; when that ends well, what was read in
    it does too."""
    only_the_programs_transactions(monkeypatch)


def only_the_programs_transactions(monkeypatch: pytest.MonkeyPatch) -> None:
    def may_be_rolled_back() -> bool:
        blocks: list[Any] = connection.atomic_blocks
        return not all(block._from_testcase for block in blocks)

    def ends_well(savepoint: str) -> None:
        end(savepoint)
        if may_be_rolled_back():
            return
        waiting: list[Any] = connection.run_on_commit
        read = [one for one in waiting if getattr(one[1], "func", None) is state._remember]
        connection.run_on_commit = [one for one in waiting if one not in read]
        for _, remember, _ in read:
            remember()

    end = connection.savepoint_commit
    monkeypatch.setattr("games.tables.state._may_be_rolled_back", may_be_rolled_back)
    monkeypatch.setattr(connections["default"], "savepoint_commit", ends_well)


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """Rows of different tests have the same numbers: what a process remembers by them goes; and
    so does what its log has had a line of."""
    caches["process"].clear()
    state._cache.clear()
    logs._kinds.clear()


@pytest.fixture(autouse=True)
def nobody_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test says is away is looked for by no thread in the tests after it."""
    monkeypatch.setattr(health, "_begin_to_watch", lambda: None)


@pytest.fixture(scope="class")
def staged(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[int, datetime]]:
    """The key of the session that ``scene()`` of the test's class has stored, once for all its
    tests, and when it was done."""
    with django_db_blocker.unblock(), undone():
        with pytest.MonkeyPatch.context() as monkeypatch:
            same_luck_as(request.node.nodeid, monkeypatch)
            only_the_programs_transactions(monkeypatch)
            key = request.cls.scene().pk
        connection.run_on_commit.clear()
        yield key, timezone.now()


@pytest.fixture
def session(
    db: None, staged: tuple[int, datetime], monkeypatch: pytest.MonkeyPatch
) -> ClassSession:
    """The session of the scene of the test's class, as it was stored. Time goes on from there:
    nobody has gone away while others of the class were tested."""
    key, done = staged
    now, since = timezone.now, timezone.now() - done
    monkeypatch.setattr(timezone, "now", lambda: now() - since)
    return ClassSession.objects.get(pk=key)


@pytest.fixture
def each(db: None, subtests: pytest.Subtests) -> Each:
    """Many tests of one scene, which is built but once: ``with each(who="nobody"):`` begins
    with the scene as the test has made it. All that fail are told, each with its words; of
    thousands that pass nothing is."""

    @contextmanager
    def one(**words: Any) -> Iterator[None]:
        try:
            with undone():
                yield
        except (Exception, pytest.fail.Exception):
            with subtests.test(**words):
                raise

    return one


@pytest.fixture
def made_up() -> Iterator[None]:
    """The test speaks a made-up language, in which everything on its pages has to be; and all
    that is said has to be in the French catalogue."""
    with made_up_language.spoken() as language, made_up_language.watched() as found:
        yield
    assert not found, "\n".join(f"{path}: {sorted(found[path])}" for path in sorted(found))
    assert not language.lacking
