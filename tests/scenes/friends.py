"""A cast at tables of friends and alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.test import Client

from games.tables import seats
from games.tables.state import load_table
from games.tables.viewers import find_guest, seat_token, watch_token
from tests.games.table import a_browser, friends, key_of, solo

CAST = ("opener", "friend", "watcher", "stranger", "nobody")


@dataclass
class Cast:
    """A table and five browsers: its opener, a friend who came by a seat's link, somebody
    who came by the watch link, a guest from elsewhere, and somebody without any cookie."""

    table_id: str
    browsers: dict[str, Client]

    def token(self, place: str = "seat") -> str:
        """The present link's token of seat 1, or the watch link's."""
        state = load_table(self.table_id)
        if place == "watch":
            return watch_token(self.table_id, state.watch_serial)
        return seat_token(self.table_id, 1, state.seats[1].serial)


def cast_at(kind: str, **options: Any) -> Cast:
    """The cast at a table of this kind. At a solo table friend and watcher are guests who
    were let in to another table."""
    browsers = {name: a_browser()[0] for name in CAST[:4]}
    browsers["nobody"] = Client()
    guests = {
        name: find_guest(key_of(browser))
        for name, browser in browsers.items()
        if name != "nobody"
    }
    opener, friend, watcher, stranger = (guests[name] for name in CAST[:4])
    assert opener
    assert friend
    assert watcher
    assert stranger
    elsewhere = friends(people=2, opener=stranger)
    options = {"rounds": 2, "seats": 3, **options}
    if kind == "solo":
        table_id, let_in = solo(opener, **options), elsewhere
    else:
        table_id = let_in = friends(opener=opener, people=2, **options)
    seats.admit(table_id=let_in, seat=1, guest=friend)
    seats.admit(table_id=let_in, seat=None, guest=watcher)
    return Cast(table_id, browsers)
