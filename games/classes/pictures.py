"""A class session in HTML, for each who looks at it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import assert_never

from django.utils.translation import get_language

from games.classes.cockpit import cockpit_fragments
from games.classes.lobby import lobby_fragments
from games.classes.projector import projector_fragments
from games.classes.state import SessionState
from games.classes.viewers import SessionView, SessionViewer
from games.tables.rendering import Picture, render
from games.tables.view import TableFacts
from xactika_site.lan import address_for_others


def session_pictures(
    session: SessionState, tables: Mapping[str, TableFacts], now: datetime
) -> Callable[[SessionViewer], Picture]:
    """A function that gives each viewer their picture of this moment."""

    language = get_language()
    spoken = {"language": render(language, "notice", "language", language)}

    def picture_for(viewer: SessionViewer) -> Picture:
        base = address_for_others(viewer.base)  # the network may have changed since they came
        match viewer.view:
            case SessionView.COCKPIT:
                own = cockpit_fragments(session, tables, now, base)
            case SessionView.PROJECTOR:
                own = projector_fragments(session, tables, base, now)
            case SessionView.LOBBY:
                own = lobby_fragments(session, tables, viewer.student)
            case _:
                assert_never(viewer.view)
        return Picture(spoken | own)

    return picture_for
