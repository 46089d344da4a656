"""Behind a school's filter that lets no WebSocket through: pages ask, say so, and go back."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.player import (
    CONNECTION_ERRORS,
    MOVED_ON,
    SHUT_OUT,
    Party,
    held,
    open_for_two,
    push,
)
from tests.e2e.wire import Filter
from tests.scenes.browser import AT_A_TABLE, Watched, a_class, button, by_services, come_in
from tests.server import Server

ASKS = "No live connection: news every two seconds."
SOON = 4_500
"""Milliseconds within which others see a move: by asking, before a socket is tried again."""


@pytest.fixture
def new_filter(server: Server) -> Iterator[Callable[..., Filter]]:
    filters: list[Filter] = []

    def new(**options: object) -> Filter:
        filters.append(Filter(server.port, **options))  # type: ignore[arg-type]
        return filters[-1]

    yield new
    for each in filters:
        each.close()


@pytest.mark.parametrize("does", ["refuses", "mute"])
def test_a_table_behind_a_filter(
    watched: Watched, new_filter: Callable[..., Filter], does: str
) -> None:
    """One plays on against bots, which move although nobody has a socket, and goes back to it
    as soon as one holds."""
    watched.expected = CONNECTION_ERRORS
    school = new_filter(does=does, refusal=502)
    player = watched.new_player(base_url=school.base).open_solo(variant="win", seats="3")
    expect(player.connection).to_have_text(ASKS)
    for _ in range(2):
        player.act()
    assert player.received == []
    player.page.reload()  # once is enough to know the filter
    expect(player.connection).to_have_text(ASKS, timeout=SOON)
    player.act()

    school.does = "open"
    expect(player.connection).to_have_text("")
    player.act()
    assert any('id="hand"' in frame for frame in player.received)
    school.does = does
    school.cut()
    school.mend()
    expect(player.connection).to_have_text(ASKS)
    player.act()


def test_what_is_held_stays_and_what_is_refused_is_said(
    watched: Watched, new_filter: Callable[..., Filter]
) -> None:
    watched.expected = (*CONNECTION_ERRORS, "403", "404")
    school = new_filter()
    opener, friend = open_for_two(watched, school.base, variant="win")
    leader = Party(opener, friend).mover()
    assert leader is not None
    other = friend if leader is opener else opener
    for player in (opener, friend):
        expect(player.connection).to_have_text(ASKS)
    card = leader.playable()[2]
    leader.choose(card)
    leader.choose_call(card, 1)
    leader.confirm.focus()
    choice = held(leader.page)
    push(opener, leader, other, times=2)
    assert held(leader.page) == choice

    # What is pressed for another turn is refused in words.
    field, turn = leader.page.locator("#play input[name=turn]"), leader.turn()
    for number in ("1.7", turn):
        field.evaluate("(field, number) => { field.value = number; }", number)
        leader.page.keyboard.press("Enter")
        if number != turn:
            expect(leader.notice).to_contain_text(MOVED_ON)
    leader.done(turn)
    expect(other.turn_or_next.first).to_be_visible(timeout=SOON)

    # A link that is made anew ends the asking, with the words as ever.
    opener.new_link(friend.name).click()
    expect(friend.connection).to_contain_text(SHUT_OUT, timeout=SOON)


def test_a_class_behind_a_filter(
    watched: Watched, server: Server, new_filter: Callable[..., Filter]
) -> None:
    """Lobby, cockpit and wall."""
    watched.expected = (*CONNECTION_ERRORS, "403")
    school = new_filter()
    session, code, cookie = a_class(
        server,
        "behind a filter",
        "teacher = room.teachers.get()",
        'cookie = signed_in(teacher).cookies["sessionid"].value',
        "answer = [session.pk, room.code, cookie]",
        seats=2,
    )
    teacher = ("sessionid", cookie)
    cockpit, wall = (watched.new_page(teacher, base_url=school.base) for _ in range(2))
    cockpit.goto(f"/teach/sessions/{session}/")
    wall.goto(f"/teach/sessions/{session}/projector/")

    def says(page: Page) -> None:
        expect(page.locator("#connection")).to_have_text(ASKS)

    for page in (cockpit, wall):
        says(page)
    student = watched.new_page(base_url=school.base)
    come_in(student, code)
    button(student, "I wrote them down").click()
    says(student)
    expect(cockpit.locator("#room")).to_contain_text("1 here")
    expect(wall.locator("#wall-here")).to_contain_text("1 is here")
    by_services(server, f"steering.start(session_id={session})")
    expect(student).to_have_url(AT_A_TABLE)
    says(student)
    expect(cockpit.locator("#tables > .tile")).to_have_count(1)
    expect(wall.locator(".wall-table")).to_have_count(1)
