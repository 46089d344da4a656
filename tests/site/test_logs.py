"""One line of JSON for each event."""

from __future__ import annotations

import json
import logging
import sys
from datetime import datetime
from typing import Any

import pytest

from xactika_site.logs import JsonLine

log = logging.getLogger("xactika.tests")


def said(text: str, *args: object, **options: Any) -> dict[str, Any]:
    record = log.makeRecord(log.name, logging.INFO, "", 1, text, args, **options)
    line = JsonLine().format(record)
    assert "\n" not in line
    found: dict[str, Any] = json.loads(line)
    assert datetime.strptime(found.pop("time"), "%Y-%m-%d %H:%M:%S,%f") <= datetime.now()
    return found


@pytest.mark.parametrize("text", ["expired", 'a "b"\nc', "µ − é"])
def test_an_event_is_one_line(text: str) -> None:
    told = {"level": "INFO", "logger": "xactika.tests"}
    assert said("%s", text, exc_info=None) == {**told, "message": text}


def test_what_is_handed_over_stands_beside_the_message() -> None:
    extra = {"code": "must_follow", "tables": 3, "when": None, "day": datetime(2026, 11, 21)}
    found = said("refused", exc_info=None, extra=extra)
    assert found["code"] == "must_follow"
    assert (found["tables"], found["when"]) == (3, None)
    assert found["day"] == "2026-11-21 00:00:00"


def test_a_traceback_stays_in_its_line() -> None:
    try:
        raise ValueError("broken")
    except ValueError:
        found = said("a room failed", exc_info=sys.exc_info())
    assert found["message"] == "a room failed"
    assert found["exc_info"].splitlines()[-1] == "ValueError: broken"
