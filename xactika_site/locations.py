"""Where this installation keeps things, and what its commands are called.

A checkout keeps everything in its own folder. Installed, nothing is written beside the program:
an upgrade replaces that. XACTIKA_DATA names another folder for all of it.
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import platformdirs

from xactika_site import __version__

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
IS_CHECKOUT = (ROOT / "manage.py").is_file()
RESOURCES = ROOT if IS_CHECKOUT else HERE
"""The folder of ``templates`` and ``locale``; in a wheel they lie inside this package."""

NAME = "xactika"
STATIC_SOURCES = ("games/static", "lessons/static")
"""Where our static files lie."""
FILES_OF_OTHERS = ("django-htmx", "plotly")
"""Whose static files are collected along with ours."""


class Commands(NamedTuple):
    """How a person starts what here."""

    run: str
    room: str
    room_at: str
    manage: str
    doctor: str


def commands_of(*, checkout: bool, windows: bool) -> Commands:
    """The commands by which a person starts what, in a checkout or an installation."""
    if not checkout:
        return Commands(
            run="xactika",
            room="xactika class",
            room_at="xactika class --host",
            manage="xactika manage",
            doctor="xactika doctor",
        )
    python = r".venv\Scripts\python" if windows else ".venv/bin/python"
    command = f"{python} -m xactika_site.command"
    return Commands(
        run=command if windows else "make run",
        room=f"{command} class" if windows else "make lan",
        room_at=f"{command} class --host",
        manage=f"{python} manage.py",
        doctor=f"{command} doctor",
    )


COMMANDS = commands_of(checkout=IS_CHECKOUT, windows=os.name == "nt")


def commands(_request: Any) -> dict[str, Commands]:
    """A context for templates: the commands by which a person starts what here."""
    return {"commands": COMMANDS}


def gettext_noop(text: str) -> str:
    """Mark a text that is translated later, where there are no settings yet, which Django's
    own mark asks for."""
    return text


def translated(text: str) -> str:
    """A text in the language that XACTIKA_LANGUAGE names: of what is said without settings,
    or because they are refused. All else is translated by Django."""
    language = os.environ.get("XACTIKA_LANGUAGE", "").strip()
    folder = RESOURCES / "locale"
    return gettext.translation("django", folder, [language], fallback=True).gettext(text)


DEMO = "demo.sqlite3"
"""The demo's database file."""


def data_folder() -> Path:
    """The folder of the databases and the key. It may not be there yet."""
    if named := _named_data_folder():
        return named
    return ROOT / "data" if IS_CHECKOUT else platformdirs.user_data_path(NAME, appauthor=False)


def sqlite_url(path: Path) -> str:
    """The address of a SQLite file, whatever letters its folders' names have."""
    return f"sqlite:///{quote(str(path))}"


def cache_folder() -> Path:
    """The folder of what an installation makes for itself, at any time anew."""
    if named := _named_data_folder():
        return named / "cache"
    return platformdirs.user_cache_path(NAME, appauthor=False)


def static_folder() -> Path:
    """The folder of the static files of exactly this version; in a checkout, those that lie
    there now. Where one of them is another, so is the folder: none ever changes."""
    folder = ROOT / "staticfiles" if IS_CHECKOUT else cache_folder() / "static"
    return folder / _version_digest()


def key_file() -> Path | None:
    """The file in which the key is made and kept; None where the environment has it, or names
    a file of its own for it."""
    given = ("XACTIKA_SECRET_KEY", "XACTIKA_SECRET_KEY_FILE")
    is_given = any(os.environ.get(name, "").strip() for name in given)
    return None if is_given else data_folder() / "secret_key"


IN_STEP = ("OneDrive", "Dropbox", "Google Drive", "GoogleDrive", "iCloud", "Mobile Documents")
"""What the folders' names begin with that are kept in step with other computers."""


def in_step_by(folder: Path) -> str:
    """The service, by its folder, that keeps a folder in step with others; empty for none."""
    parts = [part.lower() for part in folder.parts]
    return next(
        (name for name in IN_STEP if any(part.startswith(name.lower()) for part in parts)), ""
    )


def keep_the_kernel_apart() -> None:
    """Installed, the compiled kernel goes to the cache, too; a checkout has it beside its
    source. The analysis, and whatever compiles for it, asks the environment alone."""
    if not IS_CHECKOUT:
        os.environ.setdefault("NUMBA_CACHE_DIR", str(cache_folder() / "kernel"))


def _named_data_folder() -> Path | None:
    named = os.environ.get("XACTIKA_DATA", "").strip()
    return Path(named).expanduser().absolute() if named else None


def _version_digest() -> str:
    """A digest of this version, with those of whom static files come from."""
    records = [_record(name) for name in FILES_OF_OTHERS]
    records += _source_hashes() if IS_CHECKOUT else [_record("xactika-classroom")]
    return f"{__version__}-{sha256(''.join(records).encode()).hexdigest()[:12]}"


def _record(name: str) -> str:
    """The files of an installed package, with hashes."""
    try:
        return distribution(name).read_text("RECORD") or ""
    except PackageNotFoundError:
        return ""


def _source_hashes() -> Iterator[str]:
    """The files that there are to collect in a checkout, and what collects them, with hashes.
    What editors leave there is not collected."""
    files = [HERE / "static.py"]
    for folder in STATIC_SOURCES:
        paths = (ROOT / folder).rglob("[!.]*")
        files += sorted(path for path in paths if path.is_file() and path.name[-1] != "~")
    for file in files:
        yield f"{file.relative_to(ROOT).as_posix()},{sha256(file.read_bytes()).hexdigest()}\n"
