"""A seat's link in the hands of a second browser: no hand is shown silently to anybody else."""

from __future__ import annotations

from typing import Any

import pytest
from channels.db import database_sync_to_async as in_db
from django.test import Client

from games.models import Admission, Guest
from games.tables import seats, steering
from games.tables.state import load_table
from games.tables.viewers import seat_token
from tests.games.sockets import Socket, connect
from tests.games.table import a_browser, finish, friends, key_of

LOST = "Someone on another device has your seat"
PROGRAM = "A program plays at your seat and sees your cards."


class Table:
    """A table of two friends, both of whom have come by their browsers."""

    def __init__(self, **options: Any) -> None:
        self.opener, self.guest = a_browser()
        self.id = friends(opener=self.guest, here=False, people=2, seats=2, **options)
        self.link = f"/seat/{seat_token(self.id, 1, 0)}/"
        self.friend = Client()
        assert self.friend.get(self.link).status_code == 302

    def page(self, browser: Client, seat: int = 1) -> Any:
        return browser.get(f"/tables/{self.id}/?as={seat}")

    async def socket(self, browser: Client) -> Socket:
        return await connect(self.id, key=key_of(browser), place="1", html=True)


def take_over(table: Table, browser: Client) -> None:
    answer = browser.post(table.link)
    assert (answer.status_code, answer["Location"]) == (302, f"/tables/{table.id}/?as=1")


@pytest.mark.django_db
class TestPages:
    @pytest.mark.parametrize("who", ["opener", "stranger"])
    def test_a_second_browser_is_asked_and_sees_no_card(self, who: str) -> None:
        table = Table()
        browser = table.opener if who == "opener" else Client()
        guests = Guest.objects.count()
        before = load_table(table.id)
        answer = browser.get(table.link)
        assert answer.status_code == 200
        assert "Someone is already here" in answer.text
        assert "data-card" not in answer.text
        assert "no-store" in answer["Cache-Control"]
        assert table.page(browser).status_code == 404
        assert Guest.objects.count() == guests
        assert load_table(table.id) == before
        assert table.page(table.friend).status_code == 200

    def test_the_same_browser_passes_as_before(self) -> None:
        table = Table()
        for _again in range(2):
            assert table.friend.get(table.link).status_code == 302
        assert "data-card" in table.page(table.friend).text
        assert Admission.objects.count() == 2

    def test_whoever_takes_over_plays_and_the_other_is_told(self) -> None:
        table = Table()
        other = Client()
        take_over(table, other)
        assert "data-card" in table.page(other).text
        lost = table.page(table.friend)
        assert lost.status_code == 404
        assert "Your seat was taken over" in lost.text
        assert "data-card" not in lost.text
        assert table.friend.get("/").context.get("way_back") is None
        # And the seat can be taken back.
        assert "Someone is already here" in table.friend.get(table.link).text
        take_over(table, table.friend)
        assert table.page(table.friend).status_code == 200
        assert "Your seat was taken over" in table.page(other).text

    def test_of_two_browsers_at_once_one_sits(self) -> None:
        table_id = friends(here=False, people=2)
        first, second = a_browser()[1], a_browser()[1]
        seats.admit(table_id=table_id, seat=1, guest=first)
        before = load_table(table_id)
        with pytest.raises(seats.SeatTaken):
            seats.admit(table_id=table_id, seat=1, guest=second)
        assert load_table(table_id) == before
        assert Admission.objects.get().guest == first

    def test_whoever_lost_the_seat_does_not_come_along_to_the_next_game(self) -> None:
        table = Table(rounds=1, variant="win")
        other = Client()
        take_over(table, other)
        finish(table.id)
        again = other.post(f"/tables/{table.id}/again/")["HX-Redirect"]
        next_id = again.split("/")[2]
        assert [s.number for s in load_table(next_id).seats if s.guests] == [0, 1]
        assert table.friend.get(f"/tables/{next_id}/").status_code == 404
        assert other.get(f"/tables/{next_id}/").status_code == 200

    def test_a_browser_at_one_device_may_hold_several_free_seats(self) -> None:
        table_id = friends(here=False, people=3)
        browser = Client()
        for seat in (1, 2):
            link = f"/seat/{seat_token(table_id, seat, 0)}/"
            assert browser.get(link).status_code == 302
            assert browser.get(f"/tables/{table_id}/?as={seat}").status_code == 200

    def test_a_new_link_ends_the_word_about_a_program(self) -> None:
        table = Table()
        seats.open_seat(table_id=table.id, seat=1, program=True)
        assert PROGRAM in table.page(table.friend).text
        assert PROGRAM not in table.page(table.opener, 0).text
        steering.renew_link(table_id=table.id, guest=table.guest, seat=1)
        browser = Client()
        browser.get(f"/seat/{seat_token(table.id, 1, 1)}/")
        assert PROGRAM not in table.page(browser).text


@pytest.mark.django_db(transaction=True)
class TestSockets:
    @pytest.mark.usefixtures("way")
    async def test_the_seats_owner_is_told_and_shown_nothing_more(self) -> None:
        table = await in_db(Table)()
        page = await table.socket(table.friend)
        assert "data-card" in await page.text()
        await page.everything()
        page.said.clear()
        await in_db(take_over)(table, table.opener)
        while (event := await page.hear())["type"] == "websocket.send":
            pass
        assert event == {"type": "websocket.close", "code": 4404}
        said = "".join(event.get("text", "") for event in page.said)
        for region in ('<div id="live"', '<p id="notice"'):
            assert LOST in said.partition(region)[2]
        assert "data-card" not in said
        await page.leave()
        # Asleep at that moment, it is told when it comes back.
        asleep = await table.socket(table.friend)
        assert LOST in await asleep.text()

    async def test_a_program_by_the_links_token_is_told_to_who_sits_there(self) -> None:
        table = await in_db(Table)()
        page = await table.socket(table.friend)
        assert PROGRAM not in await page.text()
        token = seat_token(table.id, 1, 0)
        program = await connect(table.id, token=token)
        assert (await program.observation())["seat"] == 1
        assert PROGRAM in await page.text()
        await program.leave()
        await page.leave()
        assert PROGRAM in (await in_db(table.page)(table.friend)).text
