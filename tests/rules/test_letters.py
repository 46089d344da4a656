"""One test per letter of the printed rule sheet, and per decision where it is silent."""

import random
from dataclasses import fields
from itertools import product

import pytest

from games.rules import (
    DECK,
    MAX_ROUNDS,
    Bid,
    IllegalMove,
    Observation,
    Play,
    Round,
    Trick,
    Variant,
    move_text,
    observe,
    parse_move,
    places,
    score_round,
    winners,
)

from .deals import cards, fill, finished, play, shuffled, start, states

SEATS = range(2, 11)


def legal(round: Round) -> str:
    """The legal moves as one text."""
    return " ".join(map(move_text, round.legal_moves()))


def refusal(round: Round, text: str) -> str:
    """The code with which the round refuses this move."""
    with pytest.raises(IllegalMove) as caught:
        round.apply(parse_move(text))
    return caught.value.code


# Play to Win


@pytest.mark.parametrize("seats", SEATS)
def test_play_to_win_players(seats: int) -> None:
    """Players: 2 to 10 can start and finish a round; 1 and 11 cannot."""
    assert finished("win", seats, 0, random.Random(seats)).is_over
    for wrong in (0, 1, 11):
        with pytest.raises(ValueError, match="2 to 10 seats"):
            Round.start(variant=Variant.WIN, hands=[DECK[:8]] * wrong, dealer=0)


def test_play_to_win_a() -> None:
    """A: all 81 cards, all different, are shuffled; any card may come to any seat."""
    assert len(set(DECK)) == 81
    for turn in range(81):
        deck = DECK[turn:] + DECK[:turn]
        hands = [deck[8 * seat : 8 * seat + 8] for seat in range(10)]
        round = Round.start(variant=Variant.WIN, hands=hands, dealer=0)
        assert round.hands[0][0] == DECK[turn]


@pytest.mark.parametrize("size", [0, 7, 9])
def test_play_to_win_b(size: int) -> None:
    """B: each seat is dealt 8 cards, neither fewer nor more."""
    deals = [DECK[:8], DECK[20 : 20 + size]]
    with pytest.raises(ValueError, match=f"seat 1 has {size} cards, not 8"):
        Round.start(variant=Variant.WIN, hands=deals, dealer=0)
    round = Round.start(variant=Variant.WIN, hands=[DECK[:8], DECK[20:28]], dealer=0)
    assert list(map(len, round.hands)) == [8, 8]


@pytest.mark.parametrize("seats", SEATS)
def test_play_to_win_c(seats: int) -> None:
    """C: the undealt cards are not in the round and nobody can play one."""
    round = Round.start(
        variant=Variant.WIN, hands=shuffled(random.Random(seats), seats), dealer=0
    )
    undealt = [card for card in DECK if not any(card in hand for hand in round.hands)]
    assert len(undealt) == 81 - 8 * seats
    for card in undealt:
        assert card.code not in repr(round)
        assert refusal(round, f"{card}:{card.calls[0]}") == "not_in_hand"


@pytest.mark.parametrize(
    ("seats", "dealer"), [(seats, dealer) for seats in SEATS for dealer in range(seats)]
)
def test_play_to_win_d(seats: int, dealer: int) -> None:
    """D: the seat left of the dealer leads, and may lead any of its cards."""
    round = Round.start(
        variant=Variant.WIN, hands=shuffled(random.Random(0), seats), dealer=dealer
    )
    leader = (dealer + 1) % seats
    assert round.to_move == leader
    assert round.trick == Trick(leader=leader)
    assert {move.card for move in round.legal_moves() if isinstance(move, Play)} == set(
        round.hands[leader]
    )


def test_play_to_win_e() -> None:
    """E: the leader calls one of the four (shape, count) pairs on the led card."""
    round = start("win", "", "1332", dealer=0)
    own = ("1-ball", "3-cube", "3-cone", "2-star")
    assert legal(round).startswith(" ".join(f"1332:{call}" for call in own))
    for number, shape in product("123", ("ball", "cube", "cone", "star")):
        call = f"{number}-{shape}"
        if call in own:
            led = play(round, f"1332:{call}").trick
            assert led is not None
            assert str(led.call) == call
        else:
            assert refusal(round, f"1332:{call}") == "call_not_on_card"
    assert refusal(round, "1332") == "call_missing"


def test_play_to_win_f() -> None:
    """F: each further seat, clockwise, must play a card that shows the call if it can."""
    void = {0: "2-ball", 1: "2-ball"}
    round = start("win", "2113 2222 1113", "3333 2111", "2131", dealer=1, lacking=void)
    round = play(round, "2131:2-ball")
    assert (round.to_move, legal(round)) == (0, "2113 2222")
    assert refusal(round, "1113") == "must_follow"
    assert refusal(round, "2113:2-ball") == "call_by_follower"
    round = play(round, "2222")
    assert (round.to_move, legal(round)) == (1, "2111")
    assert refusal(round, "3333") == "must_follow"


def test_slough() -> None:
    """Slough: a seat that shows no such card may play any, and that card cannot win."""
    void = {0: "1-ball", 2: "1-ball"}
    round = start("win", "2111 1112", "1111", "3333 2222", dealer=0, lacking=void)
    round = play(round, "1111:1-ball")
    assert legal(round) == " ".join(map(str, round.hands[2]))
    assert len(round.legal_moves()) == 8
    round = play(round, "3333")
    assert refusal(round, "2111") == "must_follow"
    assert play(round, "1112").tricks[0].winner == 0
    both = start("win", "2111", "1111", "3333", dealer=0, lacking=void)
    assert play(both, "1111:1-ball 3333 2111").tricks[0].winner == 1


@pytest.mark.parametrize(
    ("moves", "taker"),
    [
        ("1122:1-ball 1232 2333 1131", 2),
        ("1122:1-ball 1232 2333 1333", 0),
        ("1322:1-ball 1232 2333 1131", 2),
        ("1332:1-ball 1232 2333 1131", 1),
    ],
)
def test_play_to_win_g(moves: str, taker: int) -> None:
    """G: the highest value among the cards that show exactly the call takes the trick."""
    hands = ("1131 1333", "1122 1322 1332", "1232", "2333")
    round = start("win", *hands, dealer=0, lacking={3: "1-ball"})
    assert play(round, moves).tricks[0].winner == taker


def test_tie() -> None:
    """Tie: of equal highest values the card played last takes the trick."""
    tied = start("win", "1222", "1213 1312", "1321", dealer=0)
    done = play(tied, "1312:1-ball 1321 1222")
    assert done.tricks[0].winner == 0
    beaten = start("win", "1112", "1312", "1321", dealer=0)
    done = play(beaten, "1312:1-ball 1321 1112")
    assert done.tricks[0].winner == 2
    sloughed = start("win", "2221", "1312", "1321", dealer=0, lacking={0: "1-ball"})
    done = play(sloughed, "1312:1-ball 1321 2221")
    assert done.tricks[0].winner == 2


@pytest.fixture
def second_lead() -> Round:
    """Seat 2 has taken the first trick, led by seat 1, and is to lead."""
    void = {0: "2-ball", 1: "2-ball"}
    hands = ("1111 2333 3222", "1121 2221", "1333 2131")
    return play(start("win", *hands, dealer=0, lacking=void), "1121:1-ball 1333 1111")


def test_play_to_win_h(second_lead: Round) -> None:
    """H: the taker of a trick leads the next."""
    assert second_lead.tricks[0].winner == 2
    assert second_lead.to_move == 2
    assert second_lead.trick == Trick(leader=2)


def test_play_to_win_i(second_lead: Round) -> None:
    """I: and makes a call of its own, any pair on the card that it leads."""
    assert legal(second_lead).split()[:4] == [
        f"2131:{call}" for call in ("2-ball", "1-cube", "3-cone", "1-star")
    ]
    assert len(second_lead.legal_moves()) == 28


def test_play_to_win_j(second_lead: Round) -> None:
    """J: each seat after the taker, clockwise, follows the new call."""
    round = play(second_lead, "2131:2-ball")
    assert (round.to_move, legal(round)) == (0, "2333")
    round = play(round, "2333")
    assert (round.to_move, legal(round)) == (1, "2221")


def test_play_to_win_k() -> None:
    """K: the highest card of the new call takes the second trick and leads the third."""
    round = start("win", "1111 2331", "1121 2221", "1333 2131", dealer=0)
    round = play(round, "1121:1-ball 1333 1111 2131:2-ball 2331 2221")
    assert [trick.winner for trick in round.tricks] == [2, 0]
    assert [trick.leader for trick in round.tricks] == [1, 2]
    assert round.to_move == 0
    assert round.taken == (1, 0, 1)


@pytest.mark.parametrize("seats", SEATS)
def test_play_to_win_l(seats: int) -> None:
    """L: after 8 tricks the round is over and each trick taken is worth 1 point."""
    done = finished("win", seats, 0, random.Random(f"L {seats}"))
    assert len(done.tricks) == 8
    assert all(hand == () for hand in done.hands)
    assert (done.to_move, done.trick, done.legal_moves()) == (None, None, ())
    won = [trick.winner for trick in done.tricks]
    assert score_round(done) == tuple(won.count(seat) for seat in range(seats))


def test_play_to_win_m() -> None:
    """M: the next round is a new deal of all cards, led by the next seat to the left."""
    rng = random.Random("M")
    first = finished("win", 4, 3, rng)
    played = {card for trick in first.tricks for _, card in trick.plays}
    again = tuple(tuple(sorted(played, key=str)[seat::4]) for seat in range(4))
    second = Round.start(variant=Variant.WIN, hands=again, dealer=(first.dealer + 1) % 4)
    assert (first.tricks[0].leader, second.to_move) == (0, 1)
    assert (second.tricks, second.taken, second.is_over) == ((), (0, 0, 0, 0), False)


def test_play_to_win_n() -> None:
    """N: a game is 8 rounds, so 64 tricks give 64 points."""
    assert MAX_ROUNDS == 8
    rng = random.Random("N")
    scores = [score_round(finished("win", 3, k % 3, rng)) for k in range(MAX_ROUNDS)]
    assert sum(map(sum, scores)) == 64


def test_play_to_win_o() -> None:
    """O: the highest total wins."""
    assert winners(Variant.WIN, [20, 23, 21]) == {1}
    assert winners(Variant.WIN, [0, 64]) == {1}


# Play to Lose


def test_play_to_lose_is_played_the_same() -> None:
    """Play to Lose: the same turns, legal moves and takers as in Play to Win."""
    hands = shuffled(random.Random("same"), 4)
    lose = Round.start(variant=Variant.LOSE, hands=hands, dealer=2)
    win = Round.start(variant=Variant.WIN, hands=hands, dealer=2)
    rng = random.Random("moves")
    while not win.is_over:
        assert lose.to_move == win.to_move
        assert lose.legal_moves() == win.legal_moves()
        assert lose.tricks == win.tricks
        move = rng.choice(win.legal_moves())
        win, lose = win.apply(move), lose.apply(move)
    assert lose.is_over


def test_play_to_lose_every_trick_scores_one() -> None:
    """Play to Lose: every trick taken still scores 1, not minus 1."""
    done = finished("lose", 3, 0, random.Random("lose"))
    assert score_round(done) == done.taken
    assert sum(score_round(done)) == 8


def test_play_to_lose_the_lowest_total_wins() -> None:
    """Play to Lose: the lowest total after 8 rounds wins."""
    assert winners(Variant.LOSE, [20, 23, 21]) == {0}
    assert winners(Variant.LOSE, [64, 0]) == {1}


# Play to Bid


@pytest.mark.parametrize(("seats", "dealer"), [(2, 0), (4, 3), (4, 1), (10, 6)])
def test_play_to_bid_a(seats: int, dealer: int) -> None:
    """A: each seat, beginning left of the dealer, states a bid from 0 to 8."""
    round = Round.start(
        variant=Variant.BID, hands=shuffled(random.Random("A"), seats), dealer=dealer
    )
    for k in range(1, seats):
        assert round.to_move == (dealer + k) % seats
        assert round.legal_moves() == tuple(map(Bid, range(9)))
        assert refusal(round, "9") == "bid_out_of_range"
        with pytest.raises(IllegalMove):
            round.apply(Bid(-1))
        round = play(round, "8")
    assert round.to_move == dealer


def test_play_to_bid_b() -> None:
    """B: the dealer bids last and may not make the bids total exactly 8."""
    bids = start("bid", "", "", "", "", dealer=3)
    round = play(bids, "2 3 2")
    assert round.to_move == 3
    assert legal(round) == "0 2 3 4 5 6 7 8"
    assert refusal(round, "1") == "hook"
    assert legal(play(bids, "0 0 0")) == "0 1 2 3 4 5 6 7"
    assert legal(play(bids, "8 0 0")) == "1 2 3 4 5 6 7 8"
    for free in ("3 3 3", "8 0 1", "8 8 8"):
        assert legal(play(bids, free)) == "0 1 2 3 4 5 6 7 8"
    assert legal(play(bids, "8 0")) == "0 1 2 3 4 5 6 7 8"


def test_play_to_bid_c() -> None:
    """C: every bid is written down, by seat, 0 as 0 and a missing one as none."""
    round = start("bid", "", "", "", dealer=1)
    seen = [round.bids]
    for text in ("0", "5", "0"):
        round = play(round, text)
        seen.append(round.bids)
    assert seen == [(None, None, None), (None, None, 0), (5, None, 0), (5, 0, 0)]
    *_, done = states(round, random.Random("C"))
    assert done.bids == (5, 0, 0)


def test_play_to_bid_d() -> None:
    """D: after the bids play begins left of the dealer, as in Play to Win."""
    round = play(start("bid", "", "", "1332", dealer=1), "1 1 1")
    assert not round.is_bidding
    assert round.to_move == 2
    assert len(round.legal_moves()) == 32
    assert refusal(round, "3") == "play_expected"
    win = start("win", "", "", "1332", dealer=1)
    assert legal(win) == legal(round)
    assert play(round, "1332:2-star").trick == play(win, "1332:2-star").trick


def test_play_to_bid_d_no_card_before_the_last_bid() -> None:
    """D: no card is played while a bid is missing."""
    round = start("bid", "", "1332", dealer=0)
    assert refusal(round, "1332:2-star") == "bid_expected"
    assert refusal(play(round, "1"), "1111:1-ball") == "bid_expected"


def test_play_to_bid_e() -> None:
    """E: the aim is exactly the bid; above and below it cost the same."""
    for bid in range(1, 8):
        above, below = _bid_score(bid, bid + 1), _bid_score(bid, bid - 1)
        assert above == below == -1
        assert _bid_score(bid, bid) == bid


def _bid_score(bid: int, taken: int) -> int:
    """What seat 1 of two gets, bidding and taking so many of 8 tricks."""
    strong, weak = cards("3333 3332 3323 3233 2333 3322 3232 2332"), fill("1111", "")[0]
    trick = [
        Trick(1, strong[k].calls[0], ((1, strong[k]), (0, weak[k])))
        if k < taken
        else Trick(0, weak[k].calls[0], ((0, weak[k]), (1, strong[k])))
        for k in range(8)
    ]
    won = Round(Variant.BID, 0, ((), ()), (8, bid), tuple(trick))
    assert won.taken == (8 - taken, taken)
    return score_round(won)[1]


def test_play_to_bid_f() -> None:
    """F: exact, as many points as tricks (0 for 0); missed, minus the distance."""
    assert _bid_score(2, 2) == 2
    assert _bid_score(2, 3) == -1
    assert _bid_score(0, 0) == 0
    assert _bid_score(0, 4) == -4
    assert _bid_score(5, 2) == -3
    assert _bid_score(8, 8) == 8


def test_play_to_bid_g() -> None:
    """G: the highest total wins, also below zero."""
    assert winners(Variant.BID, [3, -2, 5, 4]) == {2}
    assert winners(Variant.BID, [-3, -2, -5]) == {1}


# Decided here


@pytest.mark.parametrize("variant", Variant)
def test_decided_tied_totals_share_the_win(variant: Variant) -> None:
    """Decided here: the tied players share the win."""
    assert winners(variant, [7, 7]) == {0, 1}
    assert winners(variant, [1, 2, 1, 2]) == ({0, 2} if variant is Variant.LOSE else {1, 3})


@pytest.mark.parametrize("variant", Variant)
def test_decided_tied_totals_share_their_place(variant: Variant) -> None:
    """Decided here: places are shared as the win is, and the next is counted on."""
    is_lose = variant is Variant.LOSE
    assert places(variant, [-2, 5, 5, 0]) == ((1, 3, 3, 2) if is_lose else (4, 1, 1, 3))
    assert places(variant, [0, 0]) == (1, 1)


@pytest.mark.parametrize("dealer", range(4))
def test_decided_any_seat_may_be_the_first_dealer(dealer: int) -> None:
    """Decided here: the first dealer is drawn or fixed outside; any seat can be it."""
    round = start("bid", "", "", "", "", dealer=dealer)
    assert (round.dealer, round.to_move) == (dealer, (dealer + 1) % 4)


@pytest.mark.parametrize("rounds", range(1, MAX_ROUNDS + 1))
def test_decided_a_game_of_fewer_rounds_has_a_winner(rounds: int) -> None:
    """Decided here: 1 to 8 rounds; totals of any number of rounds decide."""
    rng = random.Random(rounds)
    scores = [score_round(finished("win", 4, k % 4, rng)) for k in range(rounds)]
    totals = [sum(column) for column in zip(*scores, strict=True)]
    assert sum(totals) == 8 * rounds
    assert winners(Variant.WIN, totals) == {
        seat for seat in range(4) if totals[seat] == max(totals)
    }


def test_decided_all_bids_are_seen_by_all_as_they_are_made() -> None:
    """Decided here: every seat and the watcher see each bid at once."""
    round = start("bid", "", "", "", dealer=0)
    for text, bids in (("4", (None, 4, None)), ("0", (None, 4, 0)), ("1", (1, 4, 0))):
        round = play(round, text)
        assert {observe(round, seat).bids for seat in (None, 0, 1, 2)} == {bids}


def test_decided_a_leader_may_repeat_a_call() -> None:
    """Decided here: any of the four pairs, whatever was called before."""
    round = start("win", "1111 1112", "1333 1332 1323", dealer=0)
    round = play(round, "1333:1-ball 1111")
    assert "1332:1-ball" in legal(round).split()
    round = play(round, "1332:1-ball 1112")
    assert "1323:1-ball" in legal(round).split()
    assert [str(trick.call) for trick in round.tricks] == ["1-ball", "1-ball"]


def test_decided_what_a_seat_may_see() -> None:
    """Decided here: own hand, bids, played cards and by whom, calls, takers, hand sizes."""
    round = play(start("bid", "1111 1113", "1333", "1112", dealer=0), "1 2 3")
    seen = observe(play(round, "1333:1-ball 1112"), 0)
    assert seen.hand == round.hands[0]
    assert seen.bids == (3, 1, 2)
    assert seen.trick is not None
    assert seen.trick.plays == ((1, cards("1333")[0]), (2, cards("1112")[0]))
    assert str(seen.trick.call) == "1-ball"
    assert seen.hand_sizes == (8, 7, 7)
    after = observe(play(round, "1333:1-ball 1112 1111"), 0)
    assert (after.taken, after.tricks[0].winner) == ((0, 1, 0), 1)


def test_decided_what_nobody_may_see() -> None:
    """Decided here: never another hand, never the undealt cards."""
    round = start("win", "1111", "1333", "1112", dealer=0)
    for seat, hand in enumerate(round.hands):
        visible = repr(observe(round, seat))
        assert {card for card in DECK if card.code in visible} == set(hand)


def test_decided_a_watcher_sees_less_than_a_seat() -> None:
    """Decided here: a watcher sees what every seat sees, and no hand at all."""
    rng = random.Random("watch")
    begun = Round.start(variant=Variant.BID, hands=shuffled(rng, 3), dealer=0)
    own = {"seat", "hand", "legal"}
    for round in states(begun, rng):
        watcher = observe(round, None)
        assert (watcher.seat, watcher.hand, watcher.legal) == (None, (), ())
        for seat in range(3):
            seen = observe(round, seat)
            for name in {field.name for field in fields(Observation)} - own:
                assert getattr(watcher, name) == getattr(seen, name)
