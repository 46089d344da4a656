"""How often do pages of results say something wrong of classes that are fair by construction?
For the tables in docs/results.md.

From the repository's root::

    python -m tests.lessons.results.fair classes --classes 10000 --processes 2

prints a line of JSON for each kind of class; so do ``intervals``, ``trends`` and ``ranks``.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import product
from multiprocessing import Pool
from typing import Any

SIZES = [*product((2, 4, 7), (2, 8))]
"""How many sit at a table, how many rounds they play."""

Starmap = Callable[..., Iterable[Any]]
"""What calls a function with each of many arguments, in one process or in several."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("of", choices=("classes", "intervals", "trends", "ranks"))
    parser.add_argument("--classes", type=int, default=1000, help="in each line (1000)")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xactika_site.settings")
    import django

    django.setup()
    module = import_module(f"tests.lessons.results.fair_{asked.of}")
    with Pool(asked.processes, django.setup) as pool:
        for line in module.lines(asked.classes, pool.starmap):
            print(json.dumps(line), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
