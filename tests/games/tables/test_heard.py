"""What somebody hears who plays by ear: a short sentence a move, one summary a turn, and so few
words that they can be listened to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from html import unescape
from itertools import islice, pairwise
from random import Random

import pytest

from games.analysis import bots
from games.rules import DECK, Round, Variant, move_text
from games.tables.announcements import announcements
from games.tables.observation import round_observation, seat_view, table_view
from games.tables.prompts import prompt_html
from games.tables.rendering import with_minus
from games.tables.state import TableState, load_table
from games.words import tricks_words
from tests.games.table import a_table, friends, make, play, solo
from tests.scenes.pictures import NOW

pytestmark = pytest.mark.django_db

ROUNDS = 200
TRICKS = 8
MOST_WORDS = 250
TURN = "Your turn."
"""What the page says before a summary (templates/games/table.html)."""


def summary(state: TableState, seat: int) -> str:
    """What interrupts a listener at their turn; empty while it is not."""
    view = table_view(state, {}, NOW)
    html = prompt_html("en", view, seat, seat_view(state, seat))["sentence"]
    found = re.search(r'data-heard="(.*?)"', html)
    return unescape(found[1]) if found else ""


def rounds(variant: Variant, rng: Random) -> Iterator[list[TableState]]:
    """Rounds of three bots and somebody who plays as well as they do, state after state."""
    table = load_table(solo(variant=variant, level="tip-wikipedia"))
    for number in range(ROUNDS):
        cards = rng.sample(DECK, 32)
        hands = [cards[at : at + 8] for at in range(0, 32, 8)]
        dealt = Round.start(variant=variant, hands=hands, dealer=number % 4)
        states = [replace(table, round=dealt, moves=(), points=(), deal_id=number + 1)]
        while (state := states[-1]).to_move is not None:
            seen = round_observation(state, state.to_move)
            move = move_text(bots.choose(seen, level="tip-wikipedia", rng=rng))
            states.append(state.after([(state.to_move, move, NOW)]))
        yield states


def heard_in(states: list[TableState]) -> list[str]:
    """All that the person on seat 0 hears of a round, summaries in their place."""
    said: list[str] = []
    for before, now in pairwise([replace(states[0], deal_id=0), *states]):
        said += announcements(before, now, 0)
        if now.to_move == 0:
            said.append(f"{TURN} {summary(now, 0)}")
    return said


@pytest.mark.parametrize("variant", Variant)
def test_a_round_against_three_bots_is_told_in_few_words(variant: Variant) -> None:
    for states in rounds(variant, Random(81)):
        words = " ".join(heard_in(states)).split()
        assert len(words) <= MOST_WORDS, " ".join(words)


def test_each_move_is_told_once() -> None:
    """In a line, or in the summary of the turn that it has brought about."""
    for states in islice(rounds(Variant.BID, Random(9)), 20):
        lines = heard_in(states)
        said = " ".join(lines)
        assert len(re.findall("takes? it", said)) == TRICKS
        assert sum(line.startswith(TURN) for line in lines) == 1 + TRICKS
        for seat in states[0].seats[1:]:
            assert said.count(f"{seat.name} bids") == 1
            told = [
                *re.findall(rf"{seat.name} leads the \d+: ", said),
                *re.findall(rf"{seat.name} leads the \d+\. ", said),
                *re.findall(rf"{seat.name}’s \d+ (?:follows|can’t win|takes it)", said),
            ]
            # A card that is winning at my turn may have been told in a line before.
            winning = re.findall(rf"{seat.name}’s \d+ is winning", said)
            assert TRICKS - len(winning) <= len(told) <= TRICKS
        mine = [line for line in lines if line.startswith("Your ") and TURN not in line]
        assert mine == [], "whoever plays a card knows it"


table = partial(a_table, variant="win", rounds=2)


def then(state: TableState, text: str, seat: int | None) -> tuple[list[str], str]:
    """What is heard of one more move: the lines, and the summary if it is this seat's turn."""
    make(state.id, text)
    now = load_table(state.id)
    return announcements(state, now, seat), "" if seat is None else summary(now, seat)


def test_a_trick_in_short_sentences() -> None:
    state = table("1233", "1323", "2111", "1111")
    one, two, _three, _four = (seat.name for seat in state.seats)
    assert summary(state, 0) == "You lead."
    lines, heard = then(state, "1233:1-ball", 3)
    assert (lines, heard) == ([f"{one} leads the 9: 1 ball."], "")
    state = load_table(state.id)
    assert summary(state, 1) == f"{one} leads the 9. Play exactly 1 ball."
    assert then(state, "1323", 3)[0] == [f"{two}’s 9 follows."]
    state = load_table(state.id)
    assert summary(state, 2).startswith(f"{two}’s 9 is winning. ")


def test_a_card_that_does_not_show_the_call() -> None:
    state = table("3111", "1111 1112 1121 1211 1113 1131 1311 1123", "3333", lead="3111:3-ball")
    one, two, _three = (seat.name for seat in state.seats)
    asked = "No card with 3 balls: play anything."
    assert summary(state, 1) == f"{one} leads the 6. {asked}"
    lines, heard = then(state, "1111", 2)
    assert lines == []
    asked = "Play exactly 3 balls."
    assert heard == f"{two}’s 4 can’t win. {one}’s 6 is winning. {asked}"
    assert then(load_table(state.id), "3333", 0)[0] == [f"{state.seats[2].name}’s 12 takes it."]


def test_of_equal_cards_the_later_takes_it() -> None:
    state = table("1233", "1323", "1332", "1111", lead="1233:1-ball 1323")
    make(state.id, "1332")
    names = [seat.name for seat in state.seats]
    before = load_table(state.id)
    make(state.id, "1111")
    now = load_table(state.id)
    assert announcements(before, now, 0)[-1] == f"{names[2]} takes it."
    assert summary(now, 2) == "You take it. You lead."
    assert announcements(before, now, 2) == [f"{names[3]}’s 4 follows."]
    state = table("1233", "1323", "1111", lead="1233:1-ball 1323")
    make(state.id, "1111")
    now = load_table(state.id)
    assert announcements(state, now, 0)[-1] == f"{now.seats[1].name} takes it."


def test_bids() -> None:
    state = table("1233", "1111", "1112", variant="bid")
    assert summary(state, 0) == "Your bid?"
    one, two, _three = (seat.name for seat in state.seats)
    assert then(state, "3", 2)[0] == [f"{one} bids 3."]
    state = load_table(state.id)
    assert summary(state, 1) == f"{one} bids 3. Bids add up to 3. Your bid?"
    lines, heard = then(state, "2", 2)
    assert (lines, heard) == ([], f"{two} bids 2. Bids add up to 5. Your bid? Not 3.")


def test_what_a_bot_or_the_clock_plays_for_me_is_told() -> None:
    state = table("1233", "1111", lead="1233:1-ball")
    make(state.id, "1111")
    now = load_table(state.id)
    assert announcements(state, now, 1) == [f"{now.seats[0].name} takes it."]
    for change in (
        {"setup": replace(now.setup, clock=timedelta(seconds=30))},
        {"seats": (now.seats[0], replace(now.seats[1], stand_in=True))},
    ):
        assert announcements(state, replace(now, **change), 1)[0] == "Your 4 follows."


@pytest.mark.parametrize("variant", ["bid", "win"])
def test_a_rounds_end_and_a_games_end(variant: str) -> None:
    table_id = friends(variant=variant, seats=2, people=2, rounds=1)
    before = play(
        table_id, until=lambda now: len(now.moves) == (17 if variant == "bid" else 15)
    )
    make(table_id, before.legal[0])
    now = load_table(table_id)
    assert now.observation is not None
    *_moves, over, won = announcements(before, now, 0)
    taken, mine = now.observation.taken[0], with_minus(now.gained[0])
    other = f"{now.seats[1].name} {with_minus(now.gained[1])}."
    if variant == "win":
        assert over == f"The round is over. You took {tricks_words(taken, 0)}. {other}"
    else:
        assert over.startswith(
            f"The round is over. You bid {now.observation.bids[0]} and took {taken}: "
        )
        assert f": {mine} point" in over
        assert over.endswith(other)
    assert "win" in won
    assert len(f"{over} {won}".split()) <= 28
