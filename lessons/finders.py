"""Plotly's script, served from its wheel: no copy of it lies in the project."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

FOLDER, NAME = "plotly", "plotly.min.js"


class PlotlyFinder(BaseFinder):
    """Finds ``plotly/plotly.min.js``, and nothing else of the wheel; imports none of it."""

    def __init__(self, app_names: Any = None, *args: Any, **kwargs: Any) -> None:
        spec = find_spec("plotly")
        assert spec is not None
        assert spec.origin is not None
        self._storage = FileSystemStorage(Path(spec.origin).parent / "package_data")
        self._storage.prefix = FOLDER  # type: ignore[attr-defined]

    def check(self, **kwargs: Any) -> list[Any]:
        """No setting could be wrong."""
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """The file's place, if it is the one."""
        paths = [self._storage.path(NAME)] if Path(path) == Path(FOLDER, NAME) else []
        return paths if find_all else next(iter(paths), [])

    def list(self, ignore_patterns: Any) -> Iterator[Any]:
        """The one file, for collectstatic."""
        yield NAME, self._storage
