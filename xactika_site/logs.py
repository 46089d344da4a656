"""What the log gets: one line of JSON for each event, with a traceback inside it; and of what
comes by the thousand one line a minute, which says how many.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from collections import Counter
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import responses
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Any

STANDARD = {*logging.makeLogRecord({}).__dict__, "message", "asctime"}


# PostgreSQL quotes the row that it refuses: a name, say, that is there already.
_QUOTED = re.compile(r"\n(?:DETAIL|CONTEXT):.*?(?=\n\n|\Z)", re.DOTALL)


class JsonLine(logging.Formatter):
    """Time, level, logger and message; then what was handed over as ``extra``. Of an error of
    the database only its first line, which names tables and no rows."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": self.formatTime(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in STANDARD},
        }
        if record.exc_info:
            line["exc_info"] = _QUOTED.sub("", self.formatException(record.exc_info))
        return json.dumps(line, default=str)


# What comes by the thousand.

EVERY = 60.0
"""Seconds in which a kind has one line."""

MOST_PLACES = 5
"""Places that the line with the count names, those with most of it."""


@dataclass
class _Kind:
    logger: logging.Logger
    level: int
    text: str
    due: float
    more: Counter[str] = field(default_factory=Counter)


_kinds: dict[Hashable, _Kind] = {}
"""Those that had a line within the last minute."""

_lock = Lock()
_is_watched = False


def count_line(
    logger: logging.Logger,
    key: Hashable,
    text: str,
    *,
    where: str = "",
    level: int = logging.WARNING,
) -> None:
    """Write the line if it is the first of its kind within a minute; otherwise count it, and
    when the minute is over one line says "<text>: 212 more within a minute".

    From any thread, and from the event loop: it costs a look into a dictionary, and once a
    minute what any line costs. ``key`` is what is of one kind: few values, all of them words of
    this program (``"flood"``, ``("flood", 503)``). ``text`` and ``where`` (a page's pattern,
    say, by which the count is told apart) name no person, address or token. As in
    ``count_line(log, "flood", "503: more requests than can be answered", where="play/")``.
    """
    if is_first(logger, key, text, where=where, level=level):
        logger.log(level, text, extra={"where": where} if where else None)


def is_first(
    logger: logging.Logger, key: Hashable, text: str, *, where: str, level: int
) -> bool:
    """Whether this line, which whoever asks writes then, is the first of its kind within a
    minute; counted if it is not, as by :func:`count_line`."""
    global _is_watched
    with _lock:
        if (kind := _kinds.get(key)) is not None:
            kind.more[where] += 1
            return False
        _kinds[key] = _Kind(logger, level, text, monotonic() + EVERY)
        if not _is_watched:
            try:
                Thread(target=_tell_when_due, name="counts", daemon=True).start()
                _is_watched = True
            except RuntimeError:  # no more threads, or the process ends: written each time
                del _kinds[key]
    return True


def _tell_when_due() -> None:
    """Runs as long as anything is counted."""
    global _is_watched
    while True:
        with _lock:
            if not _kinds:
                _is_watched = False
                return
            due = min(kind.due for kind in _kinds.values())
        sleep(max(0.0, due - monotonic()))
        tell_counts(until=monotonic())


def tell_counts(*, until: float = float("inf")) -> None:
    """Write how many came of the kinds whose minute was over at a moment, of all without one:
    before the process ends. A kind of which none came may have its first line again."""
    due = []
    with _lock:
        for key, kind in [*_kinds.items()]:
            if kind.due > until:
                continue
            if kind.more:
                due.append((kind, kind.more))
                kind.more, kind.due = Counter(), monotonic() + EVERY
            else:
                del _kinds[key]
    for kind, more in due:
        places = {where: count for where, count in more.most_common(MOST_PLACES) if where}
        extra = {"count": more.total(), **({"where": places} if places else {})}
        with suppress(Exception):  # the thread that tells lives on
            # Without arguments, of which security.WithoutRequest leaves nothing.
            line = f"{kind.text}: {more.total()} more within a minute"
            kind.logger.log(kind.level, line, extra=extra)


class RateLimited(logging.Filter):
    """Rewrites the record of an answer that refuses (status and pattern of the page, where
    Django's words hold a path); then, of these and of equal tracebacks, lets one a minute pass.
    The next says how many came."""

    def filter(self, record: logging.LogRecord) -> bool:
        status: int | None = getattr(record, "status_code", None)
        is_answer = status is not None and record.name.startswith("django.")
        where = ""
        if is_answer:
            record.msg, record.args = f"{status} {responses.get(status or 0, '')}".strip(), None
            where = record.where = _page_pattern(getattr(record, "request", None))
            if status is not None and status < 500:  # theirs, not our mistake
                record.exc_info = record.exc_text = None
        elif not record.exc_info:
            return True
        return is_first(
            logging.getLogger(record.name),
            (record.name, record.msg, _traceback_key(record.exc_info)),
            record.getMessage(),
            where=where,
            level=record.levelno,
        )


def _page_pattern(request: Any) -> str:
    """The page as urls.py writes it: without what is somebody's."""
    match = getattr(request, "resolver_match", None)
    return match.route if match else ""


def _traceback_key(exc_info: Any) -> Hashable:
    """A key that is the same for tracebacks of one kind of error, with the same lines."""
    if not exc_info:
        return None
    kind, _error, lines = exc_info
    way = tuple((frame.f_code, line) for frame, line in traceback.walk_tb(lines))
    return kind, way
