"""What somebody hears who plays by ear: a short sentence a move, one summary a turn, and so few
words that they can be listened to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from random import Random

import pytest

from games.analysis import bots
from games.rules import DECK, Round, Variant, move_text
from games.tables.announcements import announcements
from games.tables.observation import round_observation, seat_view, table_view
from games.tables.prompts import prompt_html
from games.tables.state import TableState, load_table
from tests.games.table import deal, friends, make, play, solo
from tests.games.tables.test_secrecy import NOW, html_of

pytestmark = pytest.mark.django_db

ROUNDS = 200
MOST_WORDS = 250
TURN = "Your turn."
"""What the page says before a summary (templates/games/table.html)."""


def summary(state: TableState, seat: int) -> str:
    """What interrupts a listener at their turn; empty while it is not."""
    html = html_of(state, seat)["sentence"]
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


@pytest.mark.parametrize("variant", Variant)
def test_a_round_against_three_bots_is_told_in_few_words(variant: Variant) -> None:
    counts = []
    for states in rounds(variant, Random(81)):
        before = replace(states[0], deal_id=0)
        said: list[str] = []
        for now in states:
            said += announcements(before, now, 0)
            if now.to_move == 0:
                view = table_view(now, {}, NOW)
                html = prompt_html("en", view, 0, seat_view(now, 0))["sentence"]
                heard = re.search(r'data-heard="(.*?)"', html)
                assert heard is not None
                said.append(f"{TURN} {unescape(heard[1])}")
            before = now
        counts.append(len(" ".join(said).split()))
    print(variant, sum(counts) / ROUNDS, max(counts))
    if variant is Variant.BID: print("\n".join(said))
    assert max(counts) <= MOST_WORDS
