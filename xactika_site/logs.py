"""What the log gets: one line of JSON for each event, with a traceback inside it."""

from __future__ import annotations

import json
import logging

STANDARD = {*logging.makeLogRecord({}).__dict__, "message", "asctime"}


class JsonLine(logging.Formatter):
    """Time, level, logger and message; then what was handed over as ``extra``."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": self.formatTime(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **{name: said for name, said in vars(record).items() if name not in STANDARD},
        }
        if record.exc_info:
            line["exc_info"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)
