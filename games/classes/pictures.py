"""A class session in HTML, for each who looks at it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from games.classes.cockpit import cockpit_fragments
from games.classes.lobby import lobby_fragments
from games.classes.projector import projector_fragments
from games.classes.state import SessionState
from games.classes.viewers import SessionViewer
from games.tables.rendering import Fragments
from games.tables.view import TableFacts


def session_fragments(
    session: SessionState, tables: Mapping[str, TableFacts], now: datetime
) -> Callable[[SessionViewer], Fragments]:
    """A function that gives each viewer their fragments of this moment."""

    def fragments_for(viewer: SessionViewer) -> Fragments:
        match viewer.view:
            case "cockpit":
                return cockpit_fragments(session, tables, now)
            case "projector":
                return projector_fragments(session, tables, viewer.base)
            case _:
                return lobby_fragments(session, tables, viewer.student)

    return fragments_for


def whole(fragments: Fragments, name: str) -> str:
    """A fragment with its holes filled, for a page's first paint."""
    html = fragments[name]
    for other, part in fragments.items():
        html = html.replace(f'<i id="{other}"></i>', part)
    return html
