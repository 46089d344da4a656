"""Classes at a lesson, and what their pages say."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

from tests.games.classroom import a_session, signed_in
from xactika_site.classrooms.models import ClassSession


def text_of(answer: Any) -> str:
    """A page's words, without its tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", answer.text))


def leading(slug: str = "") -> tuple[ClassSession, Client, str]:
    """A session, its teacher's browser, and the page that leads; this lesson is held."""
    session = a_session()
    browser = signed_in(session.classroom.teachers.get())
    page = f"/teach/sessions/{session.pk}/lesson/"
    if slug:
        browser.post(page, {"do": f"hold:{slug}"})
    return session, browser, page
