"""Imported first, it lets a process's clock run so many seconds ahead as stand (a double) in
the file that TEST_CLOCK names."""

from __future__ import annotations

import mmap
import os
import struct
import time
from datetime import timedelta
from functools import cache
from pathlib import Path

from django.utils import timezone

_now, _time = timezone.now, time.time


@cache
def _file(name: str) -> mmap.mmap:
    with Path(name).open("rb") as file:
        return mmap.mmap(file.fileno(), 8, access=mmap.ACCESS_READ)


def ahead() -> float:
    if "TEST_CLOCK" not in os.environ:  # in what servers are forks of
        return 0.0
    (seconds,) = struct.unpack("d", _file(os.environ["TEST_CLOCK"])[:8])
    return float(seconds)


timezone.now = lambda: _now() + timedelta(seconds=ahead())
time.time = lambda: _time() + ahead()
