"""Python to its end, as ``subprocess`` runs it, begun once for many: each is a fork of one that
has imported what others wrote, and nothing of ours. Half of a command's work is saved."""

from __future__ import annotations

import atexit
import io
import json
import os
import runpy
import subprocess
import sys
import tempfile
import threading
import traceback
from functools import cache
from importlib import import_module
from pathlib import Path
from select import select
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parent.parent
LONGEST = 120
"""Seconds that a command may take."""
OTHERS = (
    "channels.layers",
    "django.contrib.auth.hashers",
    "django.core.cache.backends.filebased",
    "django.core.management.commands.check",
    "django.core.management.commands.makemigrations",
    "django.core.management.commands.migrate",
    "django.core.servers.basehttp",
    "django.db.backends.sqlite3.base",
    "django.db.migrations.executor",
    "django.db.models.sql.compiler",
    "django.forms",
    "django.template.backends.django",
    "django.template.backends.jinja2",
    "django.urls",
    "django.views.decorators.cache",
    "filelock",
    "httptools",
    "ifaddr",
    "jinja2.ext",
    "latex2mathml.converter",
    "multiprocessing.pool",
    "platformdirs.unix",
    "segno",
    "servestatic.asgi",
    "uvicorn.main",
    "uvicorn.protocols.http.httptools_impl",
)


def python(
    *arguments: str, environment: dict[str, str], folder: Path = ROOT, is_open: bool = False
) -> subprocess.CompletedProcess[str]:
    """What came of Python with these arguments: ``-m`` and a module, ``-c`` and code, or a
    script. Files that it makes may be open to everybody."""
    if os.name != "posix" or environment.get("PYTHONPATH"):
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            timeout=LONGEST,
            umask=0 if is_open and os.name == "posix" else -1,
        )
    begun = _begun()
    assert begun.stdin
    assert begun.stdout
    with tempfile.TemporaryDirectory() as told:
        asked = [arguments, environment, str(folder), is_open, told]
        try:
            begun.stdin.write(f"{json.dumps(asked)}\n")
            begun.stdin.flush()
            if not select([begun.stdout], [], [], LONGEST)[0]:
                raise subprocess.TimeoutExpired(arguments, LONGEST)
            status = int(begun.stdout.readline())
        except BaseException:  # its answer would be taken for the next one's
            begun.kill()
            _begun.cache_clear()
            raise
        out, errors = ((Path(told) / name).read_text(encoding="utf-8") for name in ("1", "2"))
    return subprocess.CompletedProcess(arguments, status, out, errors)


@cache
def _begun() -> subprocess.Popen[str]:
    begun = subprocess.Popen(
        [sys.executable, "-m", "tests.python"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    atexit.register(begun.communicate)  # it ends with what it reads
    return begun


def _become(
    arguments: list[str], environment: dict[str, str], folder: str, is_open: bool, told: str
) -> NoReturn:
    for number, path in enumerate((os.devnull, f"{told}/1", f"{told}/2")):
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        os.dup2(file, number)
        os.close(file)
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    sys.stdin = io.TextIOWrapper(io.FileIO(0), encoding=encoding)
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w")), encoding=encoding)
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(2, "w")), encoding, "backslashreplace", line_buffering=True
    )
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    if is_open:
        os.umask(0)
    os._exit(_status_of(arguments))


def _status_of(arguments: list[str]) -> int:
    status: Any = 0
    try:
        _do(*arguments)
    except SystemExit as ended:
        status = ended.code or 0
        if not isinstance(status, int):
            sys.stderr.write(f"{status}\n")
            status = 1
    except BaseException:
        traceback.print_exc()
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    return int(status)


def _do(what: str, *words: str) -> None:
    if what == "-c":
        sys.argv = ["-c", *words[1:]]
        own = {"__name__": "__main__", "__builtins__": __builtins__}
        exec(compile(words[0], "<string>", "exec"), own)
    elif what == "-m":
        sys.argv = ["-m", *words[1:]]
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = [what, *words]
        runpy.run_path(what, run_name="__main__")


if __name__ == "__main__":
    for name in OTHERS:
        import_module(name)
    for line in sys.stdin:
        if (child := os.fork()) == 0:
            try:
                _become(*json.loads(line))
            finally:
                os._exit(1)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n")
        sys.stdout.flush()
