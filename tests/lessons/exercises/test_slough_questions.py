"""What a slough tells: every other player is named, every hidden card is counted once."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

from games.rules import Call, Round, Variant, observe
from lessons.exercises import Instance, NoVariant, ask
from lessons.exercises.contexts import Context, OwnHand
from tests.rules.deals import shuffled

GAMES = 500 if os.environ.get("XACTIKA_SOAK") == "1" else 25


def after_sloughs(rng: random.Random, games: int) -> Iterator[tuple[OwnHand, Instance]]:
    """What each seat sees of games in which several sloughed on one call, and is asked."""
    for _game in range(games):
        seats = rng.randint(3, 8)
        round = Round.start(variant=Variant.WIN, hands=shuffled(rng, seats), dealer=0)
        called: set[Call] = set()
        while len(called) < 2 and not round.is_over:
            round = round.apply(rng.choice(round.legal_moves()))
            for seat in range(seats):
                hand = OwnHand.by(observe(round, seat))
                called = {call for voids in hand.unseen.voids for call in voids}
                if sum(map(bool, hand.unseen.voids)) > 1 and hand.trick and hand.trick.plays:
                    try:
                        seed = rng.getrandbits(40)
                        yield hand, ask("after-slough", seed, Context(hand=hand))
                    except NoVariant:
                        continue


def test_after_several_sloughs_nobody_is_left_out_and_no_card_counts_twice() -> None:
    asked = 0
    for hand, question in after_sloughs(random.Random(6), GAMES):
        asked += 1
        (table,) = question.tables
        rows = dict(table.rows)
        assert len(table.rows) == len(rows) == hand.seats  # the others, and undealt
        assert sum(map(int, rows.values())) == len(hand.unseen.cards)
        void = [words for words in rows if words.endswith(" (void)")]
        assert len(void) == sum(map(bool, hand.unseen.voids))
        assert all(words.removesuffix(" (void)") in question.prompt for words in void)
    assert asked > GAMES


def test_where_a_card_lies_after_several_sloughs_is_that_of_all_deals() -> None:
    kinds = set()
    for hand, question in after_sloughs(random.Random(8), GAMES):
        p = question.parameters
        kinds.add((p["of"], p["among"]))
        card = next(c for c in hand.unseen.cards if c.code == p["card"])
        by_seat, undealt = hand.unseen.places(card)
        at = {left: by_seat[(left + hand.seat) % hand.seats] for left, *_ in p["players"]}
        able = sum(at[left] for left, _cards, is_void in p["players"] if not is_void)
        places = {
            "void": at[p["shown"]],
            "other": at[p["other"]],
            "players": able,
            "undealt": undealt,
        }
        asked_for = places["other" if p["of"] == "class" else "void"]
        assert question.right["chance"] == asked_for
        named = [option.key for option in question.fields[0].options][:-1]
        assert question.right["place"] == max(named, key=places.__getitem__)
    assert len(kinds) == 4
