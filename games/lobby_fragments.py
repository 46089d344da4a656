"""The lobby in HTML: what a student waits for, in every state of the class session."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from games.class_selectors import SessionState
from games.fragments import Fragments
from games.selectors import TableState


def lobby_fragments(
    session: SessionState,
    tables: Mapping[str, TableState],
    student: int | None,
    now: datetime,
) -> Fragments:
    """What one student is told while not playing."""
    raise NotImplementedError(session, tables, student, now)
