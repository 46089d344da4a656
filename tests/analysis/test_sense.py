"""No visible blunders, by either of the bots that think."""

from __future__ import annotations

from random import Random

import pytest

from games.analysis import counter, expert
from games.analysis.outcomes import Choice
from games.rules import (
    DECK,
    Bid,
    Card,
    Observation,
    Play,
    Trick,
    Variant,
    observe,
    parse_call,
    parse_card,
)
from games.rules.rounds import legal_plays
from tests.analysis.points import begun
from tests.rules.deals import cards

BOTS = ["counter", "expert"]


def think(bot: str, seen: Observation, seed: int = 0) -> Choice:
    return counter.decide(seen) if bot == "counter" else expert.decide(seen, seed=seed)


def late(hand: str, *, bid: int, taken: int, trick: str = "", seats: int = 4) -> Observation:
    """Seat 0 late in a round, all former tricks led with low cards of no account.

    ``trick`` is the call and the cards laid before, e.g. ``"1-ball 1333 1222"``.
    """
    own = cards(hand)
    call, *laid = trick.split() or [""]
    plays = tuple((seats - len(laid) + k, parse_card(code)) for k, code in enumerate(laid))
    done = 8 - len(own)
    gone = set(own) | {card for _, card in plays}
    tricks, held = [], dict.fromkeys(range(seats), 0)
    for number in range(done):
        led = parse_call("2-ball")
        free = [card for card in DECK if card not in gone and card.shows(led)][:seats]
        gone.update(free)
        # The last to lay the highest takes it: seat 0 as often as it is to have taken.
        free.sort(key=lambda card: card.value)
        winner = 0 if number < taken else 1 + number % (seats - 1)
        order = [(winner + 1 + k) % seats for k in range(seats)]
        tricks.append(Trick(order[0], led, tuple(zip(order, free, strict=True))))
        for seat in held:
            held[seat] += 1
    assert done * seats <= 27
    current = Trick(plays[0][0] if plays else 0, parse_call(call) if call else None, plays)
    sizes = [8 - held[seat] - sum(s == seat for s, _ in plays) for seat in range(seats)]
    return Observation(
        seat=0,
        variant=Variant.BID,
        seats=seats,
        dealer=seats - 1,
        to_move=0,
        hand=own,
        legal=legal_plays(own, current.call),
        bids=(bid, *[1] * (seats - 1)),
        taken=tuple(sum(t.winner == seat for t in tricks) for seat in range(seats)),
        trick=current,
        tricks=tuple(tricks),
        hand_sizes=tuple(sizes),
    )


def played(choice: Choice) -> Card:
    assert isinstance(choice.move, Play)
    return choice.move.card


def has_boss(hand: tuple[Card, ...]) -> bool:
    """A 12, an 11, or a 10 that shows a 1."""
    return any(c.value >= 11 or (c.value == 10 and 1 in c.counts) for c in hand)


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("seats", [2, 4, 6, 10])
def test_it_does_not_bid_nothing_with_a_sure_card(bot: str, seats: int) -> None:
    rng = Random(f"boss {seats}")
    asked = 0
    while asked < 12:
        point = begun("bid", seats, rng)
        seen = observe(point, point.to_move)
        if has_boss(seen.hand):
            asked += 1
            assert think(bot, seen).move != Bid(0)


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(
    "hand", ["3333 1111", "1111 3332 1112", "1133 3333 3331 1121", "3313 1111 1113 1131"]
)
def test_needing_every_trick_it_leads_a_sure_card(bot: str, hand: str) -> None:
    seen = late(hand, bid=len(hand.split()), taken=0)
    for seed in range(5):
        assert has_boss((played(think(bot, seen, seed)),))


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(
    ("hand", "trick", "good"),
    [
        ("1333 1111 3332", "1-ball 1222 1122 1113", {"1111"}),  # last: the 10 takes it
        ("1333 1111 1332", "1-ball 1222 1122 1113", {"1111"}),
        ("1333 1112 2322", "1-ball 1222", {"1112"}),  # nobody can beat the 10
    ],
)
def test_it_does_not_take_the_trick_that_breaks_its_bid(
    bot: str, hand: str, trick: str, good: set[str]
) -> None:
    for bid in (0, 1):
        seen = late(hand, bid=bid, taken=bid, trick=trick)
        for seed in range(5):
            assert str(played(think(bot, seen, seed))) in good


@pytest.mark.parametrize("bot", BOTS)
def test_having_its_bid_it_does_not_lead_a_sure_card(bot: str) -> None:
    seen = late("3333 1111 1112", bid=1, taken=1)
    for seed in range(5):
        assert not has_boss((played(think(bot, seen, seed)),))


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize(
    ("hand", "trick"),
    [
        ("3333 3112 3113", "1-ball 1222 1122"),  # a slough
        ("1333 1323 3113", "1-ball 1222 1122 1113"),  # last, and the 9 takes it as well
    ],
)
def test_it_does_not_waste_its_last_sure_trick(bot: str, hand: str, trick: str) -> None:
    seen = late(hand, bid=1, taken=0, trick=trick)
    for seed in range(5):
        assert not has_boss((played(think(bot, seen, seed)),))


@pytest.mark.parametrize("bot", BOTS)
def test_the_hook_moves_its_bid_to_the_next_best(bot: str) -> None:
    rng = Random("hook")
    moved = 0
    while moved < 4:
        point = begun("bid", 4, rng)
        for _ in range(3):
            point = point.apply(Bid(rng.choice([1, 2, 3])))
        seen = observe(point, point.to_move)
        first, second = think(bot, seen).options[:2]
        assert isinstance(first.move, Bid)
        rest = 8 - first.move.number
        others = [rest // 3, rest // 3, rest - 2 * (rest // 3)]
        point = begun("bid", 4, Random(0))
        bids = list(seen.bids)
        for k, other in enumerate(others):
            bids[(seen.dealer + 1 + k) % 4] = other
        hooked = Observation(
            **{
                **{name: getattr(seen, name) for name in seen.__slots__},
                "bids": tuple(bids),
                "legal": tuple(Bid(n) for n in range(9) if n != first.move.number),
            }
        )
        choice = think(bot, hooked)
        assert choice.move != first.move
        if bot == "counter":
            assert choice.move == second.move
        else:  # other bids are other evidence, so the next best is that of its own ranking
            assert choice.move == choice.options[0].move
            assert isinstance(choice.move, Bid)
            assert isinstance(first.move, Bid)
            assert abs(choice.move.number - first.move.number) <= 2
        moved += 1
