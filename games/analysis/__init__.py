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
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_LOW_PRIORITY = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)  # on Windows
_lock = threading.Lock()
_ready = threading.Event()
_failed = threading.Event()


class NotReady(RuntimeError):
    """The kernel is not loaded (yet): there are no simulated odds."""


def ready() -> bool:
    """Whether simulations can be run; until then only exact counting answers."""
    return _ready.is_set()


def is_impossible() -> bool:
    """Whether there is no use in waiting: numba is not made for this computer, or the kernel
    could not be compiled."""
    return not ready() and (_failed.is_set() or find_spec("numba") is None)


def load(*, before_compiling: Callable[[], object] = lambda: None) -> None:
    """Load the compiled kernel; about a second, so call it in a thread of its own.

    Where it has not been compiled since its source changed, it is now, after this call, in a
    process of its own: compiling holds the interpreter for half a minute. Raises NotReady where
    that cannot be done, and always without numba.
    """
    with _lock:
        if _ready.is_set():
            return
        if is_impossible():
            raise NotReady("numba is not installed: bots count cards, and there are no odds")
        try:
            if not (cache_folder() / "complete").exists():
                before_compiling()
                here = str(_HERE.parent.parent)
                subprocess.run(
                    [sys.executable, "-m", "games.analysis"],
                    check=True,
                    cwd=here,
                    creationflags=_LOW_PRIORITY,
                )
            import_module("games.analysis.kernel")
        except (ImportError, OSError, subprocess.SubprocessError) as why:
            _failed.set()
            raise NotReady(f"the kernel could not be compiled: {why}") from why
        _ready.set()


def require() -> None:
    """Raise :class:`NotReady` unless the kernel is loaded."""
    if not ready():
        raise NotReady("the kernel is not loaded: call games.analysis.load() first")


def cache_folder() -> Path:
    """The folder of the compiled kernel of exactly this source, in this place.

    Numba only looks at the file of each entry point; the name of the folder covers them all.
    """
    sources = sorted((_HERE / "kernel").glob("*.py"))
    parts = [version("numba").encode(), bytes(_HERE), *(path.read_bytes() for path in sources)]
    digest = hashlib.sha256(b"\0".join(parts)).hexdigest()
    root = Path(os.environ.get("NUMBA_CACHE_DIR") or _HERE / "__pycache__")
    return root / f"kernel-{digest[:16]}"
