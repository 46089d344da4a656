"""What is shown once and stored nowhere: how often, to whom, and where it is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.art import figurine_of
from games.classes import steering
from games.classes.state import load_session
from games.live.gestures import MOST_THROWS_A_SECOND, REACT_EVERY, Reactions, Throws
from games.live.hub import hub
from games.models import Table
from games.tables.observation import table_view
from games.tables.state import load_table
from games.tables.steering import set_reactions
from games.tables.view import Boards, InClass, TableFacts
from tests.games.classroom import a_session, playing, students_in
from tests.scenes.house import a_house, in_db

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("quiet")]


def switched_on(table: TableFacts, **part: Any) -> TableFacts:
    """The table with reactions, and with this in its class."""
    assert isinstance(table.part, InClass)
    setup = replace(table.setup, reactions=True)
    return replace(table, setup=setup, part=replace(table.part, **part))


def a_table() -> TableFacts:
    session, _students = playing(4)
    table = load_table(load_session(session.pk).tables[0])
    return table_view(table, {}, table.turn_began)


def test_a_seat_reacts_once_a_trick_and_not_again_at_once() -> None:
    table = a_table()
    assert not Reactions().admits(table, 0, 0), "off until it is switched on"
    on, reactions = switched_on(table), Reactions()
    assert reactions.admits(on, 0, 0)
    assert reactions.admits(on, 1, 0)
    assert not reactions.admits(on, 0, 3 * REACT_EVERY), "the same trick"
    later = replace(on, round_number=2)
    assert not reactions.admits(later, 1, REACT_EVERY - 0.1)
    assert reactions.admits(later, 1, REACT_EVERY)
    assert [reactions.is_heard(at) for at in (on, on, later, later)] == [True, False] * 2


def test_no_reaction_in_experiments_nor_on_boards_in_play() -> None:
    table = a_table()
    assert switched_on(table).may_react
    assert not switched_on(table, treatment=Table.Treatment.ODDS).may_react
    for shown_round in (0, 1):  # nobody's board is over yet
        assert not switched_on(table, boards=Boards(shown_round=shown_round)).may_react
    assert not replace(switched_on(table), closed=True).may_react


def test_a_student_throws_once_a_second_and_a_class_ten_times() -> None:
    session = a_session()
    students = students_in(session, MOST_THROWS_A_SECOND + 2)
    state, throws = load_session(session.pk), Throws()
    first, *others = students
    solid = throws.thrown_solid(state, first.pk, 0)
    assert solid in figurine_of(first.name)
    assert throws.thrown_solid(state, first.pk, 0.9) is None
    thrown = [throws.thrown_solid(state, one.pk, 0.5) for one in others]
    assert sum(each is not None for each in thrown) == MOST_THROWS_A_SECOND - 1
    assert throws.thrown_solid(state, others[-1].pk, 1.2) is not None, (
        "the first is a second ago"
    )
    assert throws.thrown_solid(state, 0, 5) is None

    steering.set_switch(session_id=session.pk, name="throwing", on=False)
    assert throws.thrown_solid(load_session(session.pk), first.pk, 9) is None
    steering.set_switch(session_id=session.pk, name="throwing", on=True)
    steering.start(session_id=session.pk)
    assert throws.thrown_solid(load_session(session.pk), first.pk, 19) is None


async def test_a_reaction_reaches_everybody_at_the_table_and_is_not_stored() -> None:
    house = await a_house()
    await house.steer(set_reactions, on=True)
    program, watcher = await house.program(0), await house.program(None)
    page = await house.browser(1)
    for socket in (program, watcher, page):
        await socket.observation()
    before = await in_db(load_table)(house.table_id)
    await program.say(type="react", reaction="wow")
    await program.say(type="react", reaction="clap")  # too soon
    await watcher.say(type="react", reaction="luck")
    shown = {"type": "reaction", "seat": 0, "reaction": "wow"}
    for socket in (program, watcher, page):
        assert await socket.frame() == shown
    await program.say(type="react", reaction="rude")
    assert (await program.error())["code"] == "bad_message"
    assert await in_db(load_table)(house.table_id) == before
    for socket in (program, watcher, page):
        assert await socket.everything() == []


async def test_other_processes_are_told_and_ones_own_is_not_shown_twice() -> None:
    house = await a_house()
    await house.steer(set_reactions, on=True)
    socket = await house.program(0)
    await socket.observation()
    for process in (hub._heartbeat, "another"):
        hub._show_gesture(f"react {house.table_id} 2 thanks {process}")
        hub._show_gesture(f"throw 77 star {process}")
    assert await socket.frame() == {"type": "reaction", "seat": 2, "reaction": "thanks"}
    assert await socket.everything() == []
