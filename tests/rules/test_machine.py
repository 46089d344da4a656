"""Rounds driven at random and held, at every step, against the naive rules."""

import os
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from games.rules import (
    DECK,
    Bid,
    Call,
    Card,
    IllegalMove,
    Move,
    Play,
    Round,
    Shape,
    Trick,
    Variant,
    move_text,
    parse_move,
    score_round,
)

from . import naive
from .deals import CODES

CALLS = [Call(shape, number) for shape in Shape for number in (1, 2, 3)]
Plain = tuple[int, str | None, list[tuple[int, str]], int | None]
MOVES: list[Move] = [
    *map(Bid, range(-1, 10)),
    *map(Play, DECK),
    *(Play(card, call) for card in DECK for call in CALLS),
]
TEXTS = [
    *map(str, range(-1, 10)),
    *(card.code for card in DECK),
    *(f"{card.code}:{call.number}-{call.shape.value}" for card in DECK for call in CALLS),
]

decks = st.permutations(DECK)
variants = st.sampled_from(Variant)
seat_counts = st.integers(2, 10)
dealers = st.integers(0, 9)


class RoundMachine(RuleBasedStateMachine):
    """Plays rounds move by move; the moves made so far are kept as texts."""

    @initialize(variant=variants, seats=seat_counts, dealer=dealers, deck=decks)
    def deal(self, variant: Variant, seats: int, dealer: int, deck: list[Card]) -> None:
        hands = [deck[8 * seat : 8 * seat + 8] for seat in range(seats)]
        codes = [[card.code for card in hand] for hand in hands]
        self.begun = Round.start(variant=variant, hands=hands, dealer=dealer % seats)
        self.round = self.begun
        self.naive = naive.NaiveRound(variant.value, codes, dealer % seats)
        self.undealt = deck[8 * seats :]
        self.texts: list[str] = []

    @precondition(lambda self: not self.naive.over())
    @rule(choice=st.integers(0, 31))
    def move(self, choice: int) -> None:
        moves = self.round.legal_moves()
        move = moves[choice % len(moves)]
        self.texts.append(move_text(move))
        self.naive.make(self.texts[-1])
        self.round = self.round.apply(move)

    @precondition(lambda self: self.naive.over())
    @rule(variant=variants, seats=seat_counts, dealer=dealers, deck=decks)
    def deal_again(self, variant: Variant, seats: int, dealer: int, deck: list[Card]) -> None:
        self.deal(variant, seats, dealer, deck)

    @invariant()
    def every_card_is_in_one_place(self) -> None:
        played = [card for trick in self._tricks() for _, card in trick.plays]
        held = [card for hand in self.round.hands for card in hand]
        assert Counter([*held, *played, *self.undealt]) == Counter(DECK)

    @invariant()
    def the_tricks_add_up(self) -> None:
        assert sum(self.round.taken) == len(self.round.tricks)
        assert all(len(trick.plays) == self.round.seats for trick in self.round.tricks)
        assert self.round.is_over == (len(self.round.tricks) == 8)
        if self.round.is_over:
            assert sum(self.round.taken) == 8
            assert list(score_round(self.round)) == self.naive.points()

    @invariant()
    def the_bids_never_total_eight(self) -> None:
        if self.round.variant is not Variant.BID:
            assert set(self.round.bids) == {None}
        elif not self.round.is_bidding:
            assert sum(bid for bid in self.round.bids if bid is not None) != 8

    @invariant()
    def the_state_is_the_naive_one(self) -> None:
        assert self.round.to_move == self.naive.turn()
        assert self.round.is_bidding == self.naive.bidding()
        assert self.round.is_over == self.naive.over()
        assert list(self.round.bids) == self.naive.bids
        assert list(self.round.taken) == self.naive.taken()
        assert [[card.code for card in hand] for hand in self.round.hands] == self.naive.hands
        assert [_plainly(trick) for trick in self.round.tricks] == self.naive.finished
        if self.naive.bidding() or self.naive.over():
            assert self.round.trick is None
        else:
            assert self.round.trick is not None
            assert _plainly(self.round.trick)[:3] == (
                self.naive.leader,
                self.naive.call,
                self.naive.laid,
            )

    @invariant()
    def the_legal_moves_apply_and_every_other_is_refused(self) -> None:
        before, snapshot = self.round, repr(self.round)
        faults = self.naive.faults(TEXTS)
        accepted = set()
        for move, text in zip(MOVES, TEXTS, strict=True):
            code = None
            try:
                after = before.apply(move)
            except IllegalMove as error:
                code, message = error.code, str(error)
            if code is None:
                assert after != before
                accepted.add(text)
            else:
                assert message
                assert code in CODES
                assert code in faults[text], text
        listed = list(map(move_text, before.legal_moves()))
        assert listed == self.naive.legal()
        assert accepted == set(listed)
        assert len(accepted) == len(listed)
        assert repr(self.round) == snapshot

    @invariant()
    def a_seat_must_follow_unless_it_is_void(self) -> None:
        if self.round.trick is None or self.round.trick.call is None:
            return
        assert self.round.to_move is not None
        hand, call = self.round.hands[self.round.to_move], self.round.trick.call
        able = {card for card in hand if naive.shows(card.code, str(call))}
        assert set(self.round.legal_moves()) == set(map(Play, able or hand))

    @invariant()
    def the_legal_moves_go_through_text(self) -> None:
        for move in self.round.legal_moves():
            assert parse_move(move_text(move)) == move

    @invariant()
    def the_fold_of_the_moves_is_the_state(self) -> None:
        folded = self.begun
        for text in self.texts:
            folded = folded.apply(parse_move(text))
        assert folded == self.round

    def _tricks(self) -> tuple[Trick, ...]:
        trick = self.round.trick
        return (*self.round.tricks, *(() if trick is None else (trick,)))


def _plainly(trick: Trick) -> Plain:
    call = None if trick.call is None else str(trick.call)
    return (trick.leader, call, [(seat, card.code) for seat, card in trick.plays], trick.winner)


TestRoundMachine = RoundMachine.TestCase
TestRoundMachine.settings = settings(
    max_examples=300 if os.environ.get("XACTIKA_SOAK") == "1" else 5, stateful_step_count=100
)


@given(
    plays=st.lists(st.sampled_from(DECK), min_size=2, max_size=10, unique=True), place=st.data()
)
def test_the_last_of_the_tied_highest_takes_the_trick(
    plays: list[Card], place: st.DataObject
) -> None:
    call = place.draw(st.sampled_from(plays[0].calls))
    laid = tuple(enumerate(plays))
    expected = naive.taker(str(call), [(seat, card.code) for seat, card in laid])
    assert Trick(0, call, laid).winner == expected
