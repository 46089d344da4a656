"""What a slough tells: every other player is named, every hidden card is counted once."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from fractions import Fraction

from games.rules import Call, Round, Variant, observe
from lessons.exercises import Instance, NoVariant, ask
from lessons.exercises.contexts import Context, OwnHand
from tests.rules.deals import shuffled
from tests.scenes import SOAK, present
from tests.scenes.exercises import asked, context

GAMES = 500 if SOAK else 25


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
        rows = {str(where): int(str(n)) for where, n in table.rows}
        assert len(table.rows) == len(rows) == hand.seats  # the others, and undealt
        assert sum(rows.values()) == len(hand.unseen.cards)
        void = [words for words in rows if words.endswith(" (void)")]
        assert len(void) == sum(map(bool, hand.unseen.voids))
        assert all(words.removesuffix(" (void)") in question.prompt for words in void)
    assert asked > GAMES


def test_a_card_of_another_class_can_be_found_from_what_is_printed() -> None:
    """Its chance with the void player, the likeliest place, and the reason for just that."""
    reasons = set()
    for seed in range(200):
        try:
            question = asked("after-slough", seed, context("after-slough", seed))
        except NoVariant:
            continue
        if question.parameters["of"] == "class":
            assert question.right["reason"] == "able"
            continue
        (table,) = question.tables
        rows = {str(where).removesuffix(" (void)"): int(str(n)) for where, n in table.rows}
        void = {
            str(where).removesuffix(" (void)")
            for where, _n in table.rows
            if "(void)" in str(where)
        }
        printed = present(re.search(r"like (\d+) of the hidden cards", question.prompt))
        outside = int(printed[1])
        player = question.fields[2].label.removeprefix("Chance of ")
        at_void = Fraction(sum(rows[each] for each in void), outside)
        able = sum(n for where, n in rows.items() if where not in void)
        share = (1 - at_void) / able
        assert question.right["chance"] == Fraction(rows[player], outside)
        labels = {option.key: option.label for option in question.fields[0].options}
        chances = {
            "void": Fraction(rows[player], outside),
            "other": share * rows.get(labels.get("other", ""), 0),
            "undealt": share * rows["undealt"],
            "players": share * (able - rows["undealt"]),
        }
        likeliest = max(labels.keys() - {"equal"}, key=chances.__getitem__)
        assert question.right["place"] == likeliest
        reasons.add(question.right["reason"])
        assert (question.right["reason"] == "fuller") is (likeliest == "void")
    assert reasons == {"fuller", "most"}


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
