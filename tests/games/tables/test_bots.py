"""The foil, clause by clause, without its code, and what every bot keeps to."""

from __future__ import annotations

import os
from math import inf
from random import Random

import pytest

from games.analysis import bots
from games.rules import (
    Call,
    Observation,
    Play,
    Round,
    Shape,
    Variant,
    move_text,
    observe,
    parse_card,
)
from tests.rules.deals import reshuffled, shuffled, states
from tests.scenes.bots import bidding, by_the_book, seen
from tests.server import ROOT


@pytest.fixture(autouse=True)
def _in_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the kernel is loaded, experts think to the end on a busy machine, too."""
    monkeypatch.setattr(bots, "SECONDS", inf)


TIPS = ("tip-printed", "tip-wikipedia")


def choices(observation: Observation, level: str = "tip-wikipedia") -> set[str]:
    """Everything that the level ever chooses there."""
    return {
        move_text(bots.choose(observation, level=level, rng=Random(seed))) for seed in range(60)
    }


# Bids.

NOTHING = "1111 1112 1121 1211 2111 2112 2121 2211"  # values 4, 5 and 6


@pytest.mark.parametrize(
    ("hand", "printed", "wikipedia"),
    [
        (NOTHING, 0, 0),
        ("2222 3311 1133 1313 3131 1331 3113 2123", 0, 0),  # eights
        ("3321 1111 1112 1121 1211 2111 2112 2121", 1, 0),  # one 9
        ("3321 3312 1112 1121 1211 2111 2112 2121", 2, 1),  # two 9s
        ("3322 3312 1112 1121 1211 2111 2112 2121", 2, 1),  # a 10 and a 9
        ("3322 3312 3231 1121 1211 2111 2112 2121", 3, 1),  # three of them
        ("3332 1111 1112 1121 1211 2111 2112 2121", 1, 1),  # an 11
        ("3333 1111 1112 1121 1211 2111 2112 2121", 1, 1),  # the 12
        ("3333 3332 3323 3322 3312 1211 2111 2112", 5, 4),
        ("3333 3332 3323 3233 2333 3322 3232 3223", 8, 6),
        ("3312 3321 3132 3231 3123 3213 2331 2313", 8, 4),  # eight 9s
    ],
)
def test_the_bid_is_the_tips(hand: str, printed: int, wikipedia: int) -> None:
    observation = bidding(hand, (None, None, None))
    assert choices(observation, "tip-printed") == {str(printed)}
    assert choices(observation, "tip-wikipedia") == {str(wikipedia)}


@pytest.mark.parametrize(
    ("others", "bid"),
    [
        ((2, 2, 2), "1"),  # 2 forbidden: one less
        ((2, 2, 1), "2"),  # 3 forbidden
        ((4, 4, 4), "2"),  # the others exceed 8: nothing is forbidden
        ((6, None, 0), "2"),  # not the last to bid
        ((3, 2, 2), "2"),  # 1 forbidden
    ],
)
def test_the_hook_makes_the_bid_one_less(others: tuple[int | None, ...], bid: str) -> None:
    two = "3333 3332 1111 1112 1121 1211 2111 2112"
    for level in TIPS:
        assert choices(bidding(two, others), level) == {bid}


@pytest.mark.parametrize(("others", "bid"), [((3, 3, 2), "1"), ((3, 3, 1), "0")])
def test_the_hook_makes_a_bid_of_none_one_more(others: tuple[int, ...], bid: str) -> None:
    for level in TIPS:
        assert choices(bidding(NOTHING, others), level) == {bid}


# Wanting.

# Wanting leads the 12; not wanting the 6 with its 3.
WANTING, NOT_WANTING = {f"3333:3-{shape.value}" for shape in Shape}, {"3111:3-ball"}


@pytest.mark.parametrize(
    ("variant", "bid", "taken", "expected"),
    [
        ("win", None, 0, WANTING),
        ("win", None, 7, WANTING),
        ("lose", None, 0, NOT_WANTING),
        ("lose", None, 7, NOT_WANTING),
        ("bid", 1, 0, WANTING),
        ("bid", 3, 2, WANTING),
        ("bid", 0, 0, NOT_WANTING),
        ("bid", 2, 2, NOT_WANTING),
        ("bid", 2, 3, NOT_WANTING),
    ],
)
def test_when_a_trick_is_wanted(
    variant: str, bid: int | None, taken: int, expected: set[str]
) -> None:
    observation = seen("3333 3111", variant=variant, bid=bid, taken=taken)
    for level in TIPS:
        assert choices(observation, level) == expected


# Leads: the strength of a card and call is 5 · value − 6 · count.


@pytest.mark.parametrize(
    ("hand", "variant", "expected"),
    [
        ("3332 1111", "win", {"3332:2-star"}),  # 55 − 12
        ("3322 1111", "win", {"3322:2-cone", "3322:2-star"}),
        # 3313 (10): 50 − 6 = 44; 3332 (11): 55 − 12 = 43; 3333 (12): 60 − 18 = 42.
        ("3333 3332 3313", "win", {"3313:1-cone"}),
        ("3333 3332", "win", {"3332:2-star"}),
        ("3333 3322", "win", {f"3333:3-{shape.value}" for shape in Shape}),  # 42 > 38
        ("1113 3311", "lose", {"1113:3-star"}),  # 30 − 18 = 12
        ("1111 1112", "lose", {"1112:2-star"}),  # 25 − 12 = 13 < 20 − 6 = 14
        ("1111 1122", "lose", {f"1111:1-{shape.value}" for shape in Shape}),  # 14 < 18
        ("1113 1111", "lose", {"1113:3-star"}),  # 12 < 14
        ("1113 1112 1111 3333", "lose", {"1113:3-star"}),
    ],
)
def test_the_lead_is_the_strongest_or_the_weakest(
    hand: str, variant: str, expected: set[str]
) -> None:
    for level in TIPS:
        assert choices(seen(hand, variant=variant), level) == expected


# Follows while holding the call. Values of the hand: 6, 7, 7, 10, and 12 without the call.

HAND = "2112 2113 2122 2233 3333"


@pytest.mark.parametrize(
    ("variant", "seats", "trick", "expected"),
    [
        # Wanting, last: the lowest that takes it (of equal values the last takes it).
        ("win", 2, "2-ball 2111", {"2112"}),
        ("win", 2, "2-ball 2121", {"2112"}),
        ("win", 2, "2-ball 2131", {"2113", "2122"}),
        ("win", 3, "2-ball 2131 3323", {"2113", "2122"}),  # a slough cannot win
        ("win", 2, "2-ball 2222", {"2233"}),
        ("win", 2, "2-ball 2323", {"2233"}),
        # Wanting, not last: the highest that takes it.
        ("win", 3, "2-ball 2111", {"2233"}),
        ("win", 4, "2-ball 2121 2131", {"2233"}),
        ("win", 4, "2-ball 2131 3332", {"2233"}),
        # Wanting, none takes: the lowest of all.
        ("win", 2, "2-ball 2333", {"2112"}),
        ("win", 4, "2-ball 2333", {"2112"}),
        # Not wanting: the highest that does not take it, last or not.
        ("lose", 2, "2-ball 2333", {"2233"}),
        ("lose", 4, "2-ball 2333", {"2233"}),
        ("lose", 2, "2-ball 2323", {"2113", "2122"}),  # a 10 would tie and take
        ("lose", 4, "2-ball 2111 2131", {"2112"}),
        ("lose", 3, "2-ball 2131 3323", {"2112"}),
        # Not wanting, every card takes: the highest if last, the lowest otherwise.
        ("lose", 2, "2-ball 2111", {"2233"}),
        ("lose", 2, "2-ball 2121", {"2233"}),
        ("lose", 3, "2-ball 2111", {"2112"}),
        ("lose", 3, "2-ball 2111 1133", {"2233"}),
    ],
)
def test_the_follow(variant: str, seats: int, trick: str, expected: set[str]) -> None:
    assert not set(trick.split()) & set(HAND.split())
    for level in TIPS:
        assert choices(seen(HAND, variant=variant, seats=seats, trick=trick), level) == expected


def test_the_follow_in_bid_wants_until_the_bid_is_met() -> None:
    trick = "2-ball 2131"
    for level in TIPS:
        short = seen(HAND, variant="bid", bid=2, taken=1, seats=2, trick=trick)
        assert choices(short, level) == {"2113", "2122"}
        met = seen(HAND, variant="bid", bid=2, taken=2, seats=2, trick=trick)
        assert choices(met, level) == {"2112"}


@pytest.mark.parametrize(
    ("variant", "bid", "expected"),
    [
        ("win", None, {"2111"}),
        ("lose", None, {"3323", "3332"}),
        ("bid", 1, {"2111"}),
        ("bid", 0, {"3323", "3332"}),
    ],
)
def test_the_slough(variant: str, bid: int | None, expected: set[str]) -> None:
    hand = "2111 3323 3332 2222"
    for seats, trick in [(2, "1-ball 1333"), (4, "1-ball 1111 2333")]:
        observation = seen(hand, variant=variant, bid=bid, seats=seats, trick=trick)
        for level in TIPS:
            assert choices(observation, level) == expected


# The whole of it once more, written as the sentences are, against random rounds.


SOAK = os.environ.get("XACTIKA_SOAK") == "1"
EVERY = 1 if SOAK else 5
"""Of a round every fifth state; all in the long checks."""
ROUNDS = [(variant, seats) for variant in Variant for seats in (2, 3, 4, 6, 10)]


@pytest.mark.parametrize(("variant", "seats"), ROUNDS)
def test_the_tips_play_by_the_book(variant: Variant, seats: int) -> None:
    rng = Random(f"book {variant.value} {seats}")
    for _ in range(4 if SOAK else 1):
        hands = shuffled(rng, seats)
        begun = Round.start(variant=variant, hands=hands, dealer=rng.randrange(seats))
        for level in TIPS:
            round_ = begun
            while round_.to_move is not None:
                observation = observe(round_, round_.to_move)
                move = bots.choose(observation, level=level, rng=rng)
                assert move in by_the_book(observation, level)
                round_ = round_.apply(move)


@pytest.mark.parametrize(("variant", "seats"), ROUNDS)
def test_every_level_is_legal_from_any_position(variant: Variant, seats: int) -> None:
    rng = Random(f"legal {variant.value} {seats}")
    hands = shuffled(rng, seats)
    begun = Round.start(variant=variant, hands=hands, dealer=rng.randrange(seats))
    for round_ in list(states(begun, rng))[:-1][::EVERY]:
        observation = observe(round_, round_.to_move)
        for level in (*bots.LEVELS, *bots.MISTAKEN):
            assert bots.choose(observation, level=level, rng=rng) in round_.legal_moves()


@pytest.mark.parametrize(("variant", "seats"), ROUNDS)
def test_a_choice_depends_on_what_is_seen_alone(variant: Variant, seats: int) -> None:
    rng = Random(f"hidden {variant.value} {seats}")
    hands = shuffled(rng, seats)
    begun = Round.start(variant=variant, hands=hands, dealer=rng.randrange(seats))
    for round_ in list(states(begun, rng))[:-1][::EVERY]:
        seat = round_.to_move
        twin = reshuffled(round_, seat, rng)
        for level in (*bots.LEVELS, *bots.MISTAKEN):
            seed = rng.random()
            one = bots.choose(observe(round_, seat), level=level, rng=Random(seed))
            other = bots.choose(observe(twin, seat), level=level, rng=Random(seed))
            assert one == other


def test_ties_are_settled_by_the_seeded_generator() -> None:
    observation = seen("3333 1111")
    first = [
        bots.choose(observation, level="tip-printed", rng=Random(seed)) for seed in range(60)
    ]
    again = [
        bots.choose(observation, level="tip-printed", rng=Random(seed)) for seed in range(60)
    ]
    assert first == again
    assert set(first) == {Play(parse_card("3333"), Call(shape, 3)) for shape in Shape}


def test_random_plays_every_legal_move() -> None:
    observation = seen("3333 1111 2222")
    chosen = {bots.choose(observation, level="random", rng=Random(seed)) for seed in range(300)}
    assert chosen == set(observation.legal)


@pytest.mark.parametrize("variant", list(Variant))
def test_careless_bots_play_any_third_move(variant: Variant) -> None:
    """The rest are the tip's; a move by chance may be the tip's, too: that is counted out."""
    rng = Random(f"careless {variant.value}")
    strayed = expected = variance = 0.0
    for _ in range(30):
        hands = shuffled(rng, 4)
        round_ = Round.start(variant=variant, hands=hands, dealer=rng.randrange(4))
        while round_.to_move is not None:
            observation = observe(round_, round_.to_move)
            by_tip = by_the_book(observation, "tip-wikipedia")
            move = bots.choose(observation, level="careless", rng=rng)
            chance = (1 - len(by_tip) / len(observation.legal)) / 3
            strayed, expected = strayed + (move not in by_tip), expected + chance
            variance += chance * (1 - chance)
            round_ = round_.apply(move)
    assert abs(strayed - expected) < 4 * variance**0.5


def test_what_levels_are_worth_is_what_was_measured() -> None:
    """The form's figures are those of docs/bots.md, rounded."""
    lines = (ROOT / "docs/bots.md").read_text(encoding="utf-8").splitlines()
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in lines
        if line.startswith("| bid, 4")
    ]
    measured = {
        name.strip("`"): round(float(ahead.split(" ±")[0].replace("−", "-")), 1)
        for _, name, _, ahead, *_ in rows
        if name.strip("`") in bots.LEVELS
    }
    assert measured | {"tip-wikipedia": 0.0} == bots.AHEAD
    assert list(bots.AHEAD) == list(bots.LEVELS)


def test_a_level_that_does_not_exist() -> None:
    with pytest.raises(KeyError):
        bots.choose(seen("3333"), level="genius", rng=Random(1))


def test_it_must_be_the_seats_turn() -> None:
    begun = Round.start(variant=Variant.WIN, hands=shuffled(Random(1), 3), dealer=0)
    for seat in (None, 0, 2):
        for level in (*bots.LEVELS, *bots.MISTAKEN):
            with pytest.raises(ValueError, match="turn"):
                bots.choose(observe(begun, seat), level=level, rng=Random(1))
