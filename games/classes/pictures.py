"""A class session in HTML, for each who looks at it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from games.classes.cockpit import cockpit_fragments
from games.classes.lobby import lobby_fragments
from games.classes.projector import projector_fragments
from games.classes.state import SessionState
from games.classes.viewers import SessionViewer
from games.tables.rendering import Picture
from games.tables.view import TableFacts


def session_pictures(
    session: SessionState, tables: Mapping[str, TableFacts], now: datetime
) -> Callable[[SessionViewer], Picture]:
    """A function that gives each viewer their picture of this moment."""

    def picture_for(viewer: SessionViewer) -> Picture:
        match viewer.view:
            case "cockpit":
                return Picture(cockpit_fragments(session, tables, now, viewer.base))
            case "projector":
                return Picture(projector_fragments(session, tables, viewer.base))
            case _:
                return Picture(lobby_fragments(session, tables, viewer.student))

    return picture_for
