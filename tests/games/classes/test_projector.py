"""The wall of a class session, and that neither it nor the cockpit shows a hand."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.classes import closing, sessions, steering
from games.classes.cockpit import cockpit_fragments
from games.classes.dot_plots import signed_mean
from games.classes.projector import (
    FIRST_PLACES,
    GONE_FROM_GAME_AFTER,
    LATE_AFTER,
    ROUND_SHOWN,
    WallSeat,
    projector_fragments,
)
from games.classes.standings import (
    Ranking,
    Standing,
    duplicate_standings,
    standings,
    team_standings,
)
from games.classes.state import OwnRound, SessionPlay, load_session
from games.models import Move, Table
from games.rules import Variant
from games.tables import moves as table_moves
from games.tables.rendering import render
from games.tables.state import load_table
from games.tables.timing import AWAY_AFTER
from tests.games.classroom import a_session, device_of, picture, playing
from tests.games.classroom import students_in as come_in
from tests.games.table import moves_made, play, with_other_hidden_cards
from tests.scenes.by_students import (
    by_their_student,
    finish_round,
    in_mid_trick,
    play_by_students,
)
from tests.scenes.views import BASE, do, pages_of, text_of, views
from xactika_site.classrooms.models import ClassSession

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("until", ["bidding", "playing"])
def test_hidden_cards_change_nothing(seed: int, until: str) -> None:
    rng = Random(seed)
    session, _ = playing(6, seats=3)
    for table_id in picture(session).tables:
        moves = rng.randrange(3) if until == "bidding" else rng.randrange(4, 24)
        play(table_id, moves_made(moves), by=by_their_student(table_id), rng=rng)
    state, now = picture(session), timezone.now()
    tables = {table_id: load_table(table_id) for table_id in state.tables}
    others = {
        table_id: with_other_hidden_cards(table, None, rng)
        for table_id, table in tables.items()
    }
    assert others != tables
    assert cockpit_fragments(state, tables, now) == cockpit_fragments(state, others, now)
    assert projector_fragments(state, tables, BASE) == projector_fragments(state, others, BASE)


@pytest.mark.parametrize("view", ["cockpit", "projector", "panel"])
def test_no_card_is_on_any_of_the_pages(teacher: Client, view: str) -> None:
    session, _ = playing(4, seats=4)
    in_mid_trick(picture(session).tables[0])
    html = teacher.get(pages_of(session)[view]).text
    plain = re.sub(r'(d|viewBox|content|value)="[^"]*"', "", html)
    assert not re.search(r"(?<![\w.:-])[123]{4}(?![\w.:-])", plain)
    assert "data-card" not in html


def test_hidden_names_are_not_in_the_projectors_source(teacher: Client) -> None:
    session, students = playing(6, seats=3)
    steering.set_switch(session_id=session.pk, name="held", on=True)
    do(teacher, session, "names-hide")
    path = f"/teach/sessions/{session.pk}/projector/"

    def seen() -> set[str]:
        page = teacher.get(path).text
        pushed = "".join(views(picture(session))["projector"].values())
        return {s.name for s in students if s.name in page or s.name in pushed}

    def everywhere() -> list[set[str]]:
        moments = [seen()]
        for what in ("pause", "resume", "next-round", "pause"):
            do(teacher, session, what)
            moments.append(seen())
        do(teacher, session, "resume")
        finish_round(session)
        moments.append(seen())
        return moments

    assert everywhere() == [set()] * 6
    do(teacher, session, "names-show")
    totals = sorted(
        (own for own, _n in picture(session).played.points_by_student.values()), reverse=True
    )
    assert len(seen()) == sum(own >= totals[2] for own in totals)  # the better half
    do(teacher, session, "names-hide")
    assert seen() == set()
    do(teacher, session, "close")
    assert seen() == set()


def test_the_lobbys_wall_says_who_has_come(teacher: Client) -> None:
    session = a_session()
    students = come_in(session, 3)
    path = f"/teach/sessions/{session.pk}/projector/"
    here = text_of(wall(session)["wall-here"])
    assert here == "3 are here " + " ".join(student.name for student in students)
    free = FIRST_PLACES - len(students)
    assert wall(session)["wall-here"].count('class="free"') == free, "they keep their places"
    do(teacher, session, "names-hide")
    page = teacher.get(path).text
    assert not any(student.name in page for student in students)
    assert page.count("<li><svg") == 3  # a solid for each, all the same
    assert "<b>3</b> are here" in page


def test_of_a_lecture_hall_the_wall_names_the_last() -> None:
    session = a_session()
    come_in(session, 1)
    state = picture(session)
    crowd = replace(
        state, students=tuple(replace(state.here[0], name=f"Name {n}") for n in range(500))
    )
    here = text_of(projector_fragments(crowd, {}, BASE)["wall-here"])
    assert here.startswith("500 are here +452 Name 452 Name 453")
    assert here.endswith("Name 499")


def test_the_seating_plan_is_on_the_wall_before_the_class_plays(teacher: Client) -> None:
    session = a_session(seats=2)
    students = come_in(session, 4)
    do(teacher, session, "form")
    fragments = wall(session)
    assert stage(fragments) == "seats"
    plan = {
        name
        for table in picture(session).tables
        for name in re.findall(r'class="who">([^<]+)<', fragments[f"wall-{table}"])
    }
    assert plan == {student.name for student in students}
    assert "Seat 1" in text_of(fragments[f"wall-{picture(session).tables[0]}"])
    assert session.classroom.code[:3] in fragments["wall-head"]
    do(teacher, session, "names-hide")
    assert stage(wall(session)) == "lobby"


def test_on_the_wall_whoever_is_away_sleeps() -> None:
    session, _students = playing(4, seats=4)
    (table_id,) = picture(session).tables
    state = picture(session)

    def asleep(now: datetime) -> int:
        told = projector_fragments(state, {table_id: load_table(table_id)}, BASE, now)
        return len(re.findall('<li class="away(?: turn)?"', told[f"wall-{table_id}"]))

    seen = max(student.last_seen for student in state.here if student.last_seen)
    assert (asleep(seen), asleep(seen + AWAY_AFTER)) == (0, 4)


def test_a_table_on_the_wall_has_bids_tricks_and_the_call() -> None:
    session, students = playing(4, seats=4)
    (table_id,) = picture(session).tables
    assert "Total bid: 0" in text_of(wall(session)[f"wall-{table_id}"])
    state = in_mid_trick(table_id)
    assert state.observation
    trick = state.observation.trick
    assert trick
    assert trick.call
    told = text_of(wall(session)[f"wall-{table_id}"])
    assert "Call: " in told
    assert all(student.name in told for student in students)
    mover = state.seats[state.to_move or 0].name
    assert re.search(
        rf'class="turn"><span class="figurine .+?</span><span class="who">{mover}',
        wall(session)[f"wall-{table_id}"],
    )
    rows = wall(session)[f"wall-{table_id}"].split("<li")[2:]
    for seat, row in zip(state.seats, rows, strict=True):
        card = dict(trick.plays).get(seat.number)
        assert ('class="played' in row) is (card is not None)
        assert ('class="played wins"' in row) is (trick.winner == seat.number)
        assert ("played slough" in row) is (card is not None and not card.shows(trick.call))
    many = replace(picture(session), tables=(table_id, *(f"t{n}" for n in range(30))))
    short = projector_fragments(many, {table_id: state}, BASE)[f"wall-{table_id}"]
    assert "Call: " in short
    assert not any(student.name in short for student in students)


def test_a_trick_stays_on_the_wall_until_the_next_is_led() -> None:
    session, _ = playing(4, seats=4)
    (table_id,) = picture(session).tables
    by = by_their_student(table_id)
    state = play(table_id, lambda t: bool(t.observation and t.observation.tricks), by=by)
    assert state.observation
    (trick,) = state.observation.tricks
    html = wall(session)[f"wall-{table_id}"]
    assert "Trick 1 of 8" in text_of(html)
    assert "Call: " in text_of(html)
    rows = html.split("<li")[2:]
    takers = [
        seat.number for seat, row in zip(state.seats, rows, strict=True) if "takes" in row
    ]
    assert takers == [trick.winner]
    play(table_id, lambda t: len(t.moves) > len(state.moves), by=by)
    later = wall(session)[f"wall-{table_id}"]
    assert "Trick 2 of 8" in text_of(later)
    assert "takes it" not in later


def test_a_table_on_the_wall_says_who_is_a_bot(teacher: Client) -> None:
    session = a_session()
    come_in(session, 3)
    do(teacher, session, "form")
    (seated,) = picture(session).tables
    slate = wall(session)[f"wall-{seated}"]
    assert slate.count("figurine") == slate.count('class="who') == 4  # a bot sits as others do
    session, _ = playing(3, seats=4)
    (table_id,) = picture(session).tables
    (bot,) = [seat.name for seat in load_table(table_id).seats if seat.is_bot]
    assert text_of(wall(session)[f"wall-{table_id}"]).count(f"{bot} · bot") == 1
    sessions.set_flags(session_id=session.pk, names_hidden=True)
    hidden = text_of(wall(session)[f"wall-{table_id}"])
    assert bot not in hidden
    assert hidden.count("bot ") == 1


@pytest.mark.parametrize(("taken", "is_whole"), [((3, 5), True), ((2, 6), False)])
def test_a_ribbon_tells_that_a_whole_table_has_made_its_bids(
    taken: tuple[int, int], is_whole: bool
) -> None:
    sitters = tuple(
        WallSeat(name, bid, count, is_turn=False)
        for name, bid, count in zip(("Quiet Otter", "Calm Elm"), (3, 5), taken, strict=True)
    )
    facts = {"call": None, "is_bid": True, "whole": True, "paused": False, "sitters": sitters}
    html = {
        status: render("en", "wall", "table", "t", 1, status=status, round=2, trick=8, **facts)
        for status in ("playing", "round_over")
    }
    assert ("All bids made!" in html["round_over"]) is is_whole
    assert "All bids made!" not in html["playing"]


def test_what_more_tricks_cannot_reach_is_drawn_so() -> None:
    sitters = (
        WallSeat("Quiet Otter", 5, 0, is_turn=False),
        WallSeat("Calm Elm", 8, 4, is_turn=True),
    )
    facts = {"call": None, "is_bid": True, "whole": True, "paused": False, "sitters": sitters}
    html = render("en", "wall", "table", "t", 1, status="playing", round=2, trick=5, **facts)
    assert html.count('<i class="gone">') == 5
    assert html.count("<i>") == 4


def test_of_a_board_that_others_play_the_wall_shows_progress_alone() -> None:
    session, _ = playing(4, seats=2, duplicate=True)
    table_id = picture(session).tables[0]
    in_mid_trick(table_id)
    html = wall(session)[f"wall-{table_id}"]
    assert "Call: " not in html
    assert "circles" not in html
    assert "played" not in html
    assert "Trick 1 of 8" in html


# The projector.


def wall(session: ClassSession, **changes: Any) -> dict[str, str]:
    state = replace(picture(session), **changes)
    tables = {table_id: load_table(table_id) for table_id in state.tables}
    return projector_fragments(state, tables, BASE)


def stage(fragments: dict[str, str]) -> str:
    found = re.search(r'data-stage="(\w+)"', fragments["wall-stage"])
    return found[1] if found else ""


def test_the_stages_of_the_wall(teacher: Client) -> None:
    session = a_session(seats=2, rounds=2, held=True)
    come_in(session, 4)
    stages = [stage(wall(session))]
    for what in ("start", "pause", "resume", "-", "next-round", "-", "close"):
        if what == "-":
            finish_round(session)
        else:
            do(teacher, session, what)
        stages.append(stage(wall(session)))
    assert stages == ["lobby", "play", "pause", "play", "round", "play", "game", "end"]


def test_what_is_left_open_of_a_closed_session_leads_to_the_next(teacher: Client) -> None:
    session, (student, _) = playing(2)
    phone = device_of(student, session)
    here = "Go to the new session"
    closing.close_session(session_id=session.pk)
    ways = [
        (teacher, f"/teach/sessions/{session.pk}/projector/"),
        (phone, f"/class/{session.pk}/"),
    ]
    assert not any(here in browser.get(path).text for browser, path in ways)
    new = a_session(session.classroom)
    code = session.classroom.code
    links = [f"/teach/sessions/{new.pk}/projector/", f"/join/{code}/"]
    for (browser, path), link in zip(ways, links, strict=True):
        page = browser.get(path).text
        assert here in page
        assert re.search(rf'id="new-session"[^>]* href="{link}"', page)
    assert here not in teacher.get(links[0]).text
    assert student.name in phone.get(links[1]).text  # whom the device knows


def test_the_lobbys_wall_leads_in() -> None:
    session = a_session()
    code = session.classroom.code
    fragments = wall(session)
    join = fragments["wall-join"]
    assert "cards.school/join/" in text_of(join)
    assert f"{code[:3]} {code[3:]}" in join
    assert "<svg" in join
    assert 'fill="#fff"' in join  # also in the dark
    assert " style=" not in join
    sessions.set_flags(session_id=session.pk, locked=True)
    locked = wall(session)
    assert code[:3] not in "".join(locked.values())
    assert "<svg" not in locked["wall-join"]


def test_latecomers_find_the_code_while_the_class_plays() -> None:
    session, _ = playing(4)
    code = session.classroom.code
    assert f"{code[:3]} {code[3:]}" in wall(session)["wall-head"]
    sessions.set_flags(session_id=session.pk, locked=True)
    assert code[:3] not in wall(session)["wall-head"]


def with_rounds(session: ClassSession, *rows: tuple[int | None, int, int]) -> SessionPlay:
    state = picture(session)
    rounds = tuple(
        OwnRound(state.tables[0], 1, None, bid, taken) for bid, taken, _points in rows
    )
    return state.played._replace(outcomes=rounds)


def over(**settings: Any) -> ClassSession:
    session, _ = playing(4, seats=4, **settings)
    finish_round(session)
    return session


def test_a_round_in_figures() -> None:
    session = over()
    rows = [(2, 2, 2), (0, 0, 0), (3, 1, -2), (1, 0, -1), (2, 1, -1), (4, 3, -1)]
    figures = text_of(wall(session, played=with_rounds(session, *rows))["wall-figures"])
    assert figures == (
        "Round 1 2 of 6 made their bid −2 −1 0 1 2 Too few tricks On target "
        "Too many tricks Each dot is a student who played the whole round."
    )


def test_a_round_of_the_other_games_in_figures() -> None:
    session = over(variant="win")
    rows = [(None, 3, 3), (None, 0, 0), (None, 3, 3), (None, 1, 1), (None, 1, 1), (None, 3, 3)]
    fragment = wall(session, played=with_rounds(session, *rows))["wall-figures"]
    assert "bid" not in text_of(fragment)
    assert [pile.count("<i>") for pile in fragment.split('class="dots"')[1:]] == [1, 2, 0, 3, 0]


def test_fewer_than_five_are_not_put_on_the_wall() -> None:
    session = over()
    few = with_rounds(session, *[(2, 2, 2)] * 4)
    assert text_of(wall(session, played=few)["wall-figures"]) == "Round 1"
    enough = with_rounds(session, *[(2, 2, 2)] * 5)
    assert "of 5 made their bid" in wall(session, played=enough)["wall-figures"]


def of_the_wall(session: ClassSession) -> list[str]:
    """The lines of the wall's standings."""
    rows = re.findall(r"<tr[^>]*><td>(.+?)</tr>", wall(session)["wall-standings"])
    return [text_of(row) for row in rows]


def test_standings_come_between_rounds_and_blame_no_bot_where_a_table_is_ahead() -> None:
    session, _ = playing(6, seats=2, rounds=2)
    tables = picture(session).tables
    for table_id in tables:
        assert "wall-standings" not in wall(session)
        play_by_students(table_id)
    shown = {table_id: load_table(table_id) for table_id in tables}
    steering.deal_next_round(session_id=session.pk)
    assert "wall-standings" not in wall(session)
    shown[tables[0]] = play_by_students(tables[0])
    told = projector_fragments(picture(session), shown, BASE)
    assert stage(told) == "round"
    assert text_of(told["wall-figures"]).startswith("Round over")
    assert "a bot or the clock" not in told["wall-standings"]
    # Whoever has gone takes the game's end from nobody; a phone gone dark is soon back.
    told = projector_fragments(picture(session), shown, BASE, timezone.now() + AWAY_AFTER)
    assert stage(told) == "round"
    told = projector_fragments(
        picture(session), shown, BASE, timezone.now() + GONE_FROM_GAME_AFTER
    )
    assert stage(told) == "game"
    assert "podium" in told["wall-standings"]


def test_a_round_is_shown_though_others_have_gone_on() -> None:
    session, _ = playing(6, seats=2, rounds=3)
    tables = picture(session).tables
    before = {table_id: load_table(table_id) for table_id in tables}
    over = {table_id: play_by_students(table_id) for table_id in tables}
    steering.deal_next_round(session_id=session.pk)
    on = {table_id: load_table(table_id) for table_id in tables}
    first, last = {**on, tables[0]: over[tables[0]]}, over[tables[0]].turn_began

    def told(shown: dict[str, Any], after: timedelta = timedelta(0), **changes: Any) -> str:
        state = replace(picture(session), **changes)
        return stage(projector_fragments(state, shown, BASE, last + after))

    assert told(first) == "round"
    figures = projector_fragments(picture(session), first, BASE, last)["wall-figures"]
    made = [row.bid == row.taken for row in picture(session).played.outcomes]
    assert f"{sum(made)} of 6 made their bid" in text_of(figures)
    assert figures.count("figurine") == sum(made)
    assert told(first, ROUND_SHOWN) == "play"
    assert told({**first, tables[1]: before[tables[1]]}) == "play", "one still plays round 1"
    assert told(on) == "play"
    assert told(first, board=1) == "play", "a board is shown once all have finished it"


def test_a_round_keeps_who_played_it_at_a_table_closed_since() -> None:
    session, _ = playing(7, seats=2, rounds=3)
    tables = picture(session).tables
    finish_round(session)
    before = wall(session)["wall-figures"]
    steering.close_table(session_id=session.pk, table_id=tables[0])
    assert wall(session)["wall-figures"] == before
    assert "of 7 made their bid" in text_of(before)
    steering.deal_next_round(session_id=session.pk)
    for table_id in tables[1:]:
        play_by_students(table_id)
    assert "made their bid" in text_of(wall(session)["wall-figures"])
    assert "of 7" not in text_of(wall(session)["wall-figures"])


def test_nobody_stands_high_for_points_below_zero() -> None:
    def told(*totals: int) -> str:
        rows = tuple(Ranking(n, f"Name {n}", 1, total, 1) for n, total in enumerate(totals, 1))
        return text_of(render("en", "wall", "standings", rows, "players", False, 3))

    assert "1 Name 1 1 point Table 1 2 Name 2 Table 1" in told(1, -2, -3, -4)
    assert "4 Name 4 −4 points" in told(1, -2, -3, -4)  # who stands on no block
    assert "1 Name 1 Table 1 2 Name 2 Table 1 3" in told(-1, -2, -3, -4)
    assert "point" not in told(-1, -2, -3, -4)


def test_a_late_table_keeps_the_podium_from_nobody_for_long() -> None:
    session, _ = playing(8, seats=2, rounds=1)
    late, *others = picture(session).tables
    shown = {late: in_mid_trick(late)} | {each: play_by_students(each) for each in others}
    ended = max(shown[each].turn_began for each in others)

    def told(**changes: Any) -> dict[str, str]:
        state = replace(picture(session), **changes)
        return projector_fragments(state, shown, BASE, ended + LATE_AFTER)

    soon = projector_fragments(picture(session), shown, BASE, ended)
    assert (stage(soon), stage(told())) == ("play", "game")
    assert text_of(told()["wall-standings"]).endswith("Table 1 is still playing: round 1 of 1")
    three = tuple(picture(session).tables[:3])
    assert stage(told(tables=three)) == "play", "a third of all is not late"
    shown[others[0]] = replace(shown[others[0]], turn_began=ended + LATE_AFTER)
    assert stage(told()) == "play"
    shown["other"] = replace(shown[others[1]], id="other")
    assert stage(told(tables=(*picture(session).tables, "other"))) == "game", (
        "not cheered again"
    )
    part = shown[late].in_class
    assert part
    tried = replace(part, treatment=Table.Treatment.ODDS)
    shown[late] = replace(shown[late], part=tried)
    assert stage(told()) == "play", "what an experiment comes to is secret until it is over"


def test_who_is_not_named_at_the_games_end_stands_in_the_crowd(teacher: Client) -> None:
    session, students = playing(6, seats=2, rounds=1)
    finish_round(session)
    standing, _, crowd = wall(session)["wall-standings"].partition('class="crowd"')
    named = [student.name for student in students if student.name in standing]
    assert 0 < len(named) < len(students)
    assert crowd.count("<li>") == len(students) - len(named)
    do(teacher, session, "names-hide")
    assert "crowd" not in wall(session)["wall-standings"]


def test_standings_say_whose_they_are(teacher: Client) -> None:
    session, students = playing(4, seats=2, held=True)
    finish_round(session)
    lines = of_the_wall(session)
    totals = sorted(
        (own for own, _n in picture(session).played.points_by_student.values()), reverse=True
    )
    assert len(lines) == sum(own >= totals[1] for own in totals)  # the better half
    assert all(any(student.name in line for student in students) for line in lines)
    do(teacher, session, "names-hide")
    assert "The best of each table" in wall(session)["wall-standings"]
    assert not any(student.name in " ".join(of_the_wall(session)) for student in students)
    assert 1 <= len(of_the_wall(session)) <= 2  # the better one of two, or both


def test_standings_credit_nobody_with_a_round_that_a_bot_played() -> None:
    session, _ = playing(4, seats=2, rounds=2, duplicate=True)
    (one, other), bot = picture(session).tables, {"mover": Move.Mover.BOT}
    seat = load_table(one).people[0].number
    play(one, by=lambda n: bot if n == seat else by_their_student(one)(n))
    play(other, by=by_their_student(other))
    rows = duplicate_standings(picture(session).played.lines, Variant.BID)
    assert len(rows) == 3
    assert (1, seat) not in {(row.table, row.seat) for row in rows}
    rows = standings(
        [load_table(one), load_table(other)], picture(session).played.points_by_student
    )
    assert {(row.table, row.seat, row.rounds) for row in rows} == {
        (t, s, 1) for t in (1, 2) for s in (0, 1) if (t, s) != (1, seat)
    }


@pytest.mark.parametrize("rounds_before", [0, 1])
def test_the_wall_says_so_where_a_bot_played_somebodys_round(rounds_before: int) -> None:
    """The cockpit has the points of seats, so somebody may seem cut off with as many; who has
    no round of their own is left out."""
    session, _ = playing(4, seats=2, rounds=2, held=True)
    first = picture(session).tables[0]
    told, bot = "Hands where a bot or the clock moved don’t count.", {"mover": Move.Mover.BOT}
    for _round in range(rounds_before):
        finish_round(session)
        assert told not in wall(session)["wall-standings"]
        steering.deal_next_round(session_id=session.pk)
    seat = load_table(first).people[0].number
    play(first, by=lambda n: bot if n == seat else by_their_student(first)(n))
    finish_round(session)
    assert told in wall(session)["wall-standings"]


def test_tables_as_teams(teacher: Client) -> None:
    session, _ = playing(3, seats=2, held=True)
    finish_round(session)
    do(teacher, session, "teams-on")
    tables = [load_table(table_id) for table_id in picture(session).tables]
    mean = max(
        Fraction(sum(t.totals[seat.number] for seat in t.people), len(t.people)) for t in tables
    )
    assert "Tables score as teams" in wall(session)["wall-standings"]
    first, *_level = of_the_wall(session)
    assert signed_mean(mean) in first
    assert 'aria-pressed="true"' in views(picture(session))["cockpit"]["switches"]
    do(teacher, session, "teams-off")
    assert "Tables score as teams" not in wall(session)["wall-standings"]


def test_a_team_has_the_mean_of_its_people() -> None:
    def one(table: int, seat: int, total: int) -> Standing:
        return Standing(1, "", False, None, table, seat, total, 1)

    rows = [one(1, 0, 6), one(2, 0, 5), one(1, 1, 2)]  # beside a bot, table 2 has one person
    best = team_standings(rows, Variant.BID)
    found = [(team.rank, team.table, team.score) for team in best]
    assert found == [(1, 2, Fraction(5)), (2, 1, Fraction(4))]
    assert [team.table for team in team_standings(rows, Variant.LOSE)] == [1, 2]


def test_figures_wait_for_every_table() -> None:
    session, _ = playing(4, seats=2)
    one, other = picture(session).tables
    play(one, by=by_their_student(one))
    assert stage(wall(session)) == "play"
    steering.close_table(session_id=session.pk, table_id=other)
    assert stage(wall(session)) == "round"  # closed tables hold up nobody


def test_figures_are_of_those_who_made_every_move() -> None:
    session, _ = playing(4, seats=4)
    table_id = picture(session).tables[0]
    state = in_mid_trick(table_id)
    steering.stand_in(
        session_id=session.pk, table_id=table_id, seat=state.to_move or 0, on=True
    )
    table_moves.make_bot_move(table_id=table_id, turn=load_table(table_id).turn)
    play(table_id, by=by_their_student(table_id))
    assert len(load_session(session.pk).played.outcomes) == 3
