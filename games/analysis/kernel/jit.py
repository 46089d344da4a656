"""The one place that touches numba's decorators, so that all the rest is plainly typed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from games.analysis import cache_folder

F = TypeVar("F", bound=Callable[..., Any])

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]
Floats = NDArray[np.float64]
Seed = NDArray[np.uint64]

_core: Any = numba.core
_config: Any = numba.config
_config.CACHE_DIR = str(cache_folder())


def record(of: type, fields: str) -> Any:
    """The compiled type of a NamedTuple whose fields have these types."""
    return _core.types.BaseTuple.from_types(_types(fields), of)


def entry(returned: str, *arguments: Any) -> Callable[[F], F]:
    """An entry point: compiled when its module is imported, for arguments of these types (as
    text, one or several, or as records), kept in the cache, and run without the interpreter's
    lock."""
    types = [
        t for some in arguments for t in (_types(some) if isinstance(some, str) else [some])
    ]
    signature = _core.typing.signature(_types(returned)[0], *types)
    compile_it: Any = numba.njit(signature, nogil=True, cache=True, error_model="numpy")
    return lambda function: compile_it(function)


def _types(text: str) -> tuple[Any, ...]:
    types: tuple[Any, ...] = _core.sigutils.normalize_signature(f"void({text})")[0]
    return types


_WITHIN: Any = {"nogil": True, "error_model": "numpy", "_nrt": False}


def inner(function: F) -> F:
    """A function that only compiled code calls; compiled along with its callers. It counts no
    references (``_nrt``), which took a quarter of an expert's time: so it makes no array and
    returns none."""
    compiled: Any = numba.njit(function, **_WITHIN)
    return compiled


def summing(function: F) -> F:
    """The function, compiled as by :func:`inner`, where sums may be taken in any order, so that
    they are quick."""
    compiled: Any = numba.njit(function, fastmath={"reassoc", "contract", "nsz"}, **_WITHIN)
    return compiled
