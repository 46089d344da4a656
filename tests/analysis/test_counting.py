"""Exact chances: the hypergeometric formula, against its definition."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from games.analysis.counting import Safety, beaters, safety
from games.analysis.knowledge import read
from games.analysis.simulation import WorldSampler
from games.rules import DECK, Play, observe, parse_call, parse_card, parse_move
from tests.analysis.points import begun, leads, turns
from tests.rules.deals import play, start


def test_the_worked_example() -> None:
    """Exercise 15: three of 73 cards beat it, three opponents hold 24."""
    safe = Safety(beaters=3, unseen=73, held=24, opponents=3)
    assert float(safe.chance) == pytest.approx(0.296, abs=0.0005)
    assert safe.chance == Fraction(49 * 48 * 47, 73 * 72 * 71)


def test_equal_values_beat_and_other_calls_do_not() -> None:
    call = parse_call("1-star")
    assert beaters(parse_card("3331"), call, DECK) == 1  # itself, were it unseen
    assert beaters(parse_card("3321"), call, DECK) == 4  # 3331, 3321, 3231, 2331
    assert beaters(parse_card("1111"), call, DECK) == 27


def test_leads_on_the_ranks_of_the_deck() -> None:
    """Nine cards cannot be beaten when led and called right."""
    bosses = [
        card
        for card in DECK
        if any(beaters(card, call, set(DECK) - {card}) == 0 for call in card.calls)
    ]
    assert len(bosses) == 9


def test_only_who_plays_later_counts() -> None:
    point = play(start("win", "3111", "3112", "3113", "2222", dealer=0), "3112:3-ball 3113")
    rest = play(point, "2222" if not any(c.counts[0] == 3 for c in point.hands[3]) else "")
    seen = observe(rest, rest.to_move)
    assert rest.trick is not None
    for option in leads(seen):
        safe = safety(seen, option)
        assert safe.opponents == 4 - 1 - len(rest.trick.plays)
        assert safe.held == 8 * safe.opponents
        assert safe.takes == (option.card.counts[0] == 3 and option.card.value >= 7)
        assert safe.takes or safe.chance == 0


def test_it_is_the_share_of_worlds_where_nobody_holds_a_better_card() -> None:
    from games.analysis import kernel

    for seen in [next(turns("win", seats, Random("share"))) for seats in (2, 4, 7, 10)]:
        worlds = WorldSampler(read(seen), seen.hand).deal(20_000, seed=1)
        for option in leads(seen)[::5]:
            safe = safety(seen, option)
            assert option.call is not None
            better = [
                kernel.card_index[card]
                for card in read(seen).unseen
                if card.shows(option.call) and card.value >= option.card.value
            ]
            share = (worlds[:, better] < 0).all(axis=1).mean()
            assert share == pytest.approx(float(safe.chance), abs=5 * 0.5 / 20_000**0.5)


def test_it_needs_a_trick_and_a_call() -> None:
    bidding = observe(begun("bid", 4, Random(1)), 0)
    with pytest.raises(ValueError, match="no trick"):
        safety(bidding, Play(bidding.hand[0]))
    leading = next(turns("win", 4, Random(1)))
    with pytest.raises(ValueError, match="call"):
        safety(leading, Play(leading.hand[0]))
    assert parse_move("1111") == Play(parse_card("1111"))
