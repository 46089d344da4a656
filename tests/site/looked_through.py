"""Imported first by a server's process: a line in the file LOOKED_THROUGH for each collection
of garbage, its generation and how many objects it looks through, and one once the kernel is
there.
"""

from __future__ import annotations

import gc
import os
import threading
import time
from pathlib import Path
from typing import Any

_FILE = Path(os.environ["LOOKED_THROUGH"])


def _tell(line: str) -> None:
    with _FILE.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def _count(phase: str, info: dict[str, Any]) -> None:
    if phase == "start":
        young = range(info["generation"] + 1)
        _tell(f"{info['generation']} {sum(len(gc.get_objects(generation=g)) for g in young)}")


def _wait_for_the_kernel() -> None:
    from games import analysis

    while not analysis.ready():
        time.sleep(0.01)
    _tell("ready")


gc.callbacks.append(_count)
threading.Thread(target=_wait_for_the_kernel, daemon=True).start()
