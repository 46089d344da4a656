"""A class session's cockpit and wall."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from django.test import Client
from django.utils import timezone

from games.classes.pictures import session_pictures
from games.classes.state import SessionState
from games.classes.viewers import SessionView, SessionViewer
from games.tables.state import load_table
from tests.games.classroom import picture
from xactika_site.classrooms.models import ClassSession

BASE = "http://cards.school"


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).strip()


def views(state: SessionState, now: datetime | None = None) -> dict[str, dict[str, str]]:
    """The fragments of cockpit and projector."""
    tables = {table_id: load_table(table_id) for table_id in state.tables}
    picture_for = session_pictures(state, tables, now or timezone.now())
    return {
        view.value: picture_for(SessionViewer(view, base=BASE)).fragments
        for view in (SessionView.COCKPIT, SessionView.PROJECTOR)
    }


def pages_of(session: ClassSession) -> dict[str, str]:
    start = f"/teach/sessions/{session.pk}/"
    table = picture(session).tables[0]
    return {
        "cockpit": start,
        "projector": f"{start}projector/",
        "settings": f"{start}settings/",
        "panel": f"{start}tables/{table}/",
    }


def do(
    browser: Client, session: ClassSession, what: str, *, htmx: bool = True, **more: str
) -> Any:
    """Press a button of the cockpit."""
    headers = {"HX-Request": "true"} if htmx else {}
    path = f"/teach/sessions/{session.pk}/do/"
    return browser.post(path, {"do": what, **more}, headers=headers)
