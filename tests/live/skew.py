"""Imported first, it lets a process's clock run so many seconds ahead as stand (a double) in
the file that TEST_CLOCK names."""

from __future__ import annotations

import mmap
import os
import struct
import time
from datetime import timedelta
from pathlib import Path

from django.utils import timezone

with Path(os.environ["TEST_CLOCK"]).open("rb") as _file:
    _ahead = mmap.mmap(_file.fileno(), 8, access=mmap.ACCESS_READ)
_now, _time = timezone.now, time.time


def ahead() -> float:
    (seconds,) = struct.unpack("d", _ahead[:8])
    return float(seconds)


timezone.now = lambda: _now() + timedelta(seconds=ahead())
time.time = lambda: _time() + ahead()
