"""The words of names and of rejoin phrases, a file a list, a line a word. Phrases are derived
from the order of their list: docs/decisions/0010-names.md."""

from __future__ import annotations

from pathlib import Path


def words(name: str) -> list[str]:
    """The words of a list like ``en/nouns``, in their order."""
    return Path(__file__).parent.joinpath(f"{name}.txt").read_text(encoding="utf-8").split()
