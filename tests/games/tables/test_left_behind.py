"""Tables that a guest alone has left unfinished: twenty, and the longest untouched go."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.models import Guest, Seat, Table
from games.pages import tables as pages
from games.pages.forms import TableForm
from games.study.replay.positions import play_on, sight_of
from games.tables.forgetting import MOST_UNFINISHED, make_room
from games.tables.viewers import Browser
from tests.games.table import a_browser, solo
from tests.scenes.replays import played_alone
from xactika_site import clock
from xactika_site.lanes import Buckets

pytestmark = pytest.mark.django_db


def left(guest: Guest, count: int) -> list[str]:
    """So many tables, the first touched longest ago."""
    tables = [solo(guest, seats=3) for _ in range(count)]
    for n, table in enumerate(tables):
        touched = clock.now() - timedelta(hours=count - n)
        Seat.objects.filter(table=table, number=0).update(last_seen=touched)
    return tables


def test_of_more_than_twenty_the_longest_untouched_goes() -> None:
    _browser, guest = a_browser()
    _other, somebody = a_browser()
    tables, theirs = left(guest, MOST_UNFINISHED + 3), left(somebody, 2)
    Seat.objects.filter(table=tables[0], number=0).update(last_seen=clock.now())
    make_room(guest=guest)
    here = set(Table.objects.values_list("pk", flat=True))
    assert here == {tables[0], *tables[5:], *theirs}


def test_where_a_round_was_played_it_stays_and_the_table_is_closed() -> None:
    _browser, guest, first = played_alone(rounds=2)
    Seat.objects.filter(table=first).update(last_seen=clock.now() - timedelta(days=9))
    left(guest, MOST_UNFINISHED - 1)
    make_room(guest=guest)
    table = Table.objects.get(pk=first)
    assert table.closed
    assert table.deals.filter(round=1, results__isnull=False).exists()
    assert Table.objects.filter(opener=guest, closed=False).count() == MOST_UNFINISHED - 1


def test_finished_games_and_friends_are_left_alone() -> None:
    _browser, guest, done = played_alone()
    left(guest, MOST_UNFINISHED - 1)
    make_room(guest=guest)
    assert not Table.objects.get(pk=done).closed
    assert Table.objects.filter(opener=guest).count() == MOST_UNFINISHED


def test_study_tables_are_counted_too() -> None:
    _browser, guest, done = played_alone()
    sight = sight_of(Browser(guest=guest), done, 1)
    for _ in range(MOST_UNFINISHED + 5):
        make_room(guest=guest)
        play_on(sight, moment=0, seat=0, guest=guest)
    assert Table.objects.filter(kind=Table.Kind.STUDY).count() == MOST_UNFINISHED


def form() -> dict[str, object]:
    return {field.name: field.initial for field in TableForm()}


def test_guests_who_are_new_open_only_so_many_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pages, "OPENINGS", Buckets(2, 0, nobodys=(3, 0)))
    opened = [a_browser()[0].__class__().post("/play/", form()) for _ in range(5)]
    assert [each.status_code for each in opened] == [302, 302, 302, 503, 503]
    assert opened[-1].headers["Retry-After"]
    assert "Too many requests at once" in opened[-1].text
    assert Table.objects.count() == 3
    known, _guest = a_browser()  # who was here before is not kept out by them
    assert [known.post("/play/", form()).status_code for _ in range(3)] == [302, 302, 503]
