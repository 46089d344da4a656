"""Fixtures of the tests of open sockets."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

import pytest

STANDARD = set(logging.makeLogRecord({}).__dict__) | {"message", "asctime"}


@pytest.fixture
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """After the test: no traceback was logged, and nothing that must not be."""
    caplog.set_level(logging.DEBUG)
    yield
    for when in ("setup", "call", "teardown"):
        for record in caplog.get_records(when):
            extras = {k: v for k, v in record.__dict__.items() if k not in STANDARD}
            said = f"{record.getMessage()} {extras}"
            assert record.exc_info is None, said
            assert record.levelno < logging.ERROR, said
            assert not re.search(r"(?<!\d)[123]{4}(?!\d)", said), said
            if record.name.startswith("xactika"):
                assert not re.search(r"[bcdfghjkmnpqrstvwxz]{20}|[\w-]{43}", said), said
            assert not re.search(r"\d+\.\d+\.\d+\.\d+|testserver", said), said
