"""What the log gets: one line of JSON for each event, with a traceback inside it."""

from __future__ import annotations

import json
import logging
import re

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
            **{name: said for name, said in vars(record).items() if name not in STANDARD},
        }
        if record.exc_info:
            line["exc_info"] = _QUOTED.sub("", self.formatException(record.exc_info))
        return json.dumps(line, default=str)
