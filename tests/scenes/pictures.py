"""What is sent of a table, and what is read in it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from html import unescape

from games.rules import DECK
from games.tables.fragments import revealed_html, table_fragments
from games.tables.observation import public_observation, seat_observation, seat_view, table_view
from games.tables.state import TableState
from games.tables.viewers import Viewer

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


CODES = {card.code for card in DECK}


A_CODE = re.compile(r"(?<![0-9])[123]{4}(?![0-9])")


def json_of(state: TableState, seat: int | None) -> str:
    """What a program at this seat (None: watching) is sent."""
    presence = {other.number: NOW for other in state.seats}
    view = table_view(state, presence, NOW)
    public = public_observation(view)
    if seat is None:
        return json.dumps(public)
    return json.dumps(seat_observation(public, view, seat, seat_view(state, seat)))


def html_of(state: TableState, seat: int | None) -> dict[str, str]:
    """What a browser at this seat is sent."""
    presence = {other.number: NOW for other in state.seats}
    view = table_view(state, presence, NOW)
    pictures = table_fragments(view)(Viewer(seat, 0), seat_view(state, seat))
    return {name: html for picture in pictures for name, html in picture.fragments.items()}


def hands_of(state: TableState) -> str:
    """What the sheet of past tricks fetches when it is opened."""
    return revealed_html(table_view(state, {}, NOW))


def codes_in(*texts: str) -> set[str]:
    return {code for text in texts for code in A_CODE.findall(text)}


def words(html: str) -> str:
    """The words of some HTML, one space between them."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())
