"""Judgement about the game: counting, simulation, odds and bots; no Django.

Nothing here imports the compiled kernel (numpy, numba) by itself: :func:`load` does, once and
away from any request, and :func:`ready` says whether it has.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import threading
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_lock = threading.Lock()
_ready = threading.Event()


class NotReady(RuntimeError):
    """The kernel is not loaded (yet): there are no simulated odds."""


def ready() -> bool:
    """Whether simulations can be run; until then only exact counting answers."""
    return _ready.is_set()


def load() -> None:
    """Load the compiled kernel; about a second, so call it in a thread of its own.

    Where ``make kernel`` has not been run since the kernel's source changed, it is compiled
    first, in a process of its own: compiling holds the interpreter for half a minute.
    """
    with _lock:
        if _ready.is_set():
            return
        if not (cache_folder() / "complete").exists():
            here = str(_HERE.parent.parent)
            subprocess.run([sys.executable, "-m", "games.analysis"], check=True, cwd=here)
        import_module("games.analysis.kernel")
        _ready.set()


def require() -> None:
    """Raise :class:`NotReady` unless the kernel is loaded."""
    if not ready():
        raise NotReady("the kernel is not loaded: call games.analysis.load() first")


def cache_folder() -> Path:
    """Where the compiled kernel of exactly this source, in this place, is kept.

    Numba only looks at the file of each entry point; the name of the folder covers them all.
    """
    sources = sorted((_HERE / "kernel").glob("*.py"))
    parts = [version("numba").encode(), bytes(_HERE), *(path.read_bytes() for path in sources)]
    digest = hashlib.sha256(b"\0".join(parts)).hexdigest()
    root = Path(os.environ.get("NUMBA_CACHE_DIR") or _HERE / "__pycache__")
    return root / f"kernel-{digest[:16]}"
