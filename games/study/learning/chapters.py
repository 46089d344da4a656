"""Chapters of learning by playing: positions with fixed cards, goals that the rules check, and
what is said of them. Nothing of a game in them is stored: the learner's moves stand in the
page's address, and the others answer by the tips, ties settled in a fixed order, so that the
same moves always lead to the same place. Pure: no database.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import cycle
from typing import assert_never

from games.analysis.paths import card_order, tip_play
from games.rules import (
    DECK,
    HAND_SIZE,
    Call,
    Card,
    IllegalMove,
    Play,
    Round,
    Shape,
    Variant,
    move_text,
    parse_call,
    parse_card,
    parse_move,
)
from games.study.replay.lines import Line

ME = 0
"""The learner's seat; the others sit clockwise from their left."""

Hands = tuple[tuple[Card, ...], ...]


class GoalKind(StrEnum):
    """What is to be reached, as the rules tell it."""

    TAKE = "take"  # so many tricks of these
    PLAY = "play"  # a first card that shows a call, or this one
    SAY = "say"  # a bid
    BID = "bid"  # exactly one's bid
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Goal:
    """What is to be reached, and of it what its kind asks for."""

    kind: GoalKind
    low: int = 0
    high: int = HAND_SIZE
    call: Call | None = None
    card: Card | None = None

    @property
    def is_of_a_shape(self) -> bool:
        """Whether a card is only to be found by its shapes: no trick matters to that."""
        return self.call is not None

    @property
    def is_of_a_move(self) -> bool:
        """Whether the learner's first move alone decides: nothing has to be played out."""
        return self.kind in {GoalKind.PLAY, GoalKind.SAY}

    def is_reached(self, task: Task, line: Line) -> bool:
        """Whether a line that the task ends with has reached it."""
        end = line.rounds[-1]
        match self.kind:
            case GoalKind.TAKE:
                taken = end.taken[ME] - task.given.rounds[-1].taken[ME]
                return self.low <= taken <= self.high
            case GoalKind.PLAY:
                first = parse_move(own_moves(task, line)[0])
                assert isinstance(first, Play)
                return first.card == self.card or bool(
                    self.call and first.card.shows(self.call)
                )
            case GoalKind.SAY:
                return end.bids[ME] == self.low
            case GoalKind.BID:
                return end.taken[ME] == end.bids[ME]
            case GoalKind.ANY:
                return True
            case _:
                assert_never(self.kind)


_TAKE = re.compile(r"take ([0-8])( or more)?")
_PLAY = re.compile(r"play (?:([123]-(?:ball|cube|cone|star))|([123]{4}))")


def parse_goal(text: str) -> Goal:
    """The goal that a text writes: ``take 1``, ``take 2 or more``, ``play 3-star``, ``play
    1332``, ``bid 1``, ``bid`` or ``any``; ValueError else."""
    if take := _TAKE.fullmatch(text):
        low = int(take[1])
        return Goal(GoalKind.TAKE, low, HAND_SIZE if take[2] else low)
    if play := _PLAY.fullmatch(text):
        if play[1]:
            return Goal(GoalKind.PLAY, call=parse_call(play[1]))
        return Goal(GoalKind.PLAY, card=parse_card(play[2]))
    if bid := re.fullmatch(r"bid ([0-8])", text):
        return Goal(GoalKind.SAY, int(bid[1]))
    if text in {"bid", "any"}:
        return Goal(GoalKind(text))
    raise ValueError(
        "a goal is “take 1”, “take 2 or more”, “play 3-star”, “play 1332”, “bid 1”, "
        "“bid” (one’s own) or “any”"
    )


@dataclass(frozen=True, slots=True)
class Task:
    """A position of a chapter: ``given`` is its deal and the moves made before the learner's
    first turn, of which the first ``early`` only lead there and are not shown; ``tricks`` how
    many of it are played, ``names`` the bots'. ``say`` is told at
    the first turn, ``done`` or ``missed`` at the end, ``over`` after a trick too many where
    that is said in other words; ``aim`` is the goal in words, in sight
    until it is reached. ``has_hints`` where the table's own sentence and hint stand at each
    further turn; ``is_more`` where it is not of the chapter, but for whoever wants more."""

    name: str
    given: Line
    early: int
    tricks: int
    names: tuple[str, ...]
    goal: Goal
    say: str
    done: str
    missed: str
    aim: str = ""
    has_hints: bool = False
    is_more: bool = False
    over: str = ""

    @property
    def is_round(self) -> bool:
        """Whether it is a whole round."""
        return self.tricks == HAND_SIZE

    @property
    def variant(self) -> Variant:
        return self.given.start.variant

    def is_over(self, round_: Round) -> bool:
        """Whether the learner has come to its end."""
        if round_.is_over or round_.is_bidding:
            return round_.is_over
        played = len(round_.tricks) - len(self.given.rounds[-1].tricks)
        return played >= self.tricks or self.is_lost(round_)

    def is_lost(self, round_: Round) -> bool:
        """Whether the learner has taken more than is wanted: that is told at once, but in a
        whole round, whose points are shown."""
        if self.goal.kind is GoalKind.TAKE:
            before = self.given.rounds[-1].taken[ME]
            return round_.taken[ME] - before > self.goal.high
        bid = round_.bids[ME]
        is_bid = self.goal.kind is GoalKind.BID and not self.is_round
        return is_bid and bid is not None and round_.taken[ME] > bid

    def after(self, own: Sequence[str]) -> Line:
        """The task after these moves of the learner's and the others' answers, up to their next
        turn or its end. Raises IllegalMove."""
        round_, moves, left = self.given.rounds[-1], list(self.given.moves), list(own)
        while not self.is_over(round_):
            seat = round_.to_move
            assert seat is not None
            if seat == ME and not left:
                break
            text = left.pop(0) if seat == ME else move_text(tip_play(round_))
            round_ = round_.apply(parse_move(text))
            moves.append((seat, text))
        if left:
            raise IllegalMove("the task is over", code="round_over")
        return Line(self.given.start, tuple(moves))


@dataclass(frozen=True, slots=True)
class Chapter:
    """What one learns in one go: its positions, and further ones for whoever wants more."""

    number: int
    slug: str
    title: str
    tasks: tuple[Task, ...]

    @property
    def last(self) -> int:
        """The number, from 1, of the position that ends the chapter."""
        return sum(not task.is_more for task in self.tasks)


def own_moves(task: Task, line: Line) -> tuple[str, ...]:
    """The learner's moves in a line of the task."""
    return tuple(text for seat, text in line.moves[len(task.given.moves) :] if seat == ME)


def all_lines(task: Task) -> Iterator[Line]:
    """Every way in which the learner can go through it, each to its end."""
    open_ = [task.after(())]
    while open_:
        line = open_.pop()
        now = line.rounds[-1]
        if task.is_over(now):
            yield line
            continue
        own = own_moves(task, line)
        open_ += [task.after((*own, move_text(move))) for move in now.legal_moves()]


def meant_cards(task: Task) -> dict[Card, Call | None]:
    """The cards by which a short position's goal may be reached from the learner's first turn,
    each with the call it counts for, if it shows any."""
    if task.is_round or not task.tricks:
        return {}
    trick = task.given.rounds[-1].trick
    meant: dict[Card, Call | None] = {}
    for line in all_lines(task):
        first = parse_move(own_moves(task, line)[0])
        if isinstance(first, Play) and task.goal.is_reached(task, line):
            call = first.call or (trick and trick.call)
            meant[first.card] = call if call and first.card.shows(call) else None
    return meant


def reached_by_chance(task: Task) -> Fraction:
    """The chance that random legal moves reach its goal; a whole round has too many lines."""
    chance, open_ = Fraction(0), [(task.after(()), Fraction(1))]
    while open_:
        line, weight = open_.pop()
        now = line.rounds[-1]
        if task.is_over(now):
            chance += weight * task.goal.is_reached(task, line)
            continue
        own, moves = own_moves(task, line), now.legal_moves()
        each = weight / len(moves)
        open_ += [(task.after((*own, move_text(move))), each) for move in moves]
    return chance


# What was before: a hand is always eight cards, so a short position begins in the middle of a
# round, and cards that nobody looks at have been played.


def dealt_before(
    hands: Hands, *, variant: Variant, bids: Sequence[int], takers: Sequence[int], dealer: int
) -> Line:
    """A round that has come to these hands: tricks that ``takers`` took one after the other,
    everybody following, with cards that stand in no hand. Raises ValueError where they do not
    suffice."""
    seats = len(hands)
    free = sorted(set(DECK) - {card for hand in hands for card in hand}, key=card_order)
    calls = cycle([Call(shape, count) for count in (2, 1, 3) for shape in Shape])
    moves: list[tuple[int, str]] = []
    before: list[list[Card]] = [[] for _ in hands]
    first = (dealer + 1) % seats
    if variant is Variant.BID:
        moves += [((first + k) % seats, str(bid)) for k, bid in enumerate(bids)]
    leader = first
    for taker in takers:
        call, cards = next(
            (call, trick)
            for call in (next(calls) for _ in range(12))
            if (trick := _a_trick(free, call, seats))
        )
        order = [(leader + k) % seats for k in range(seats)]
        others = iter(cards[:-1])
        for seat in order:
            card = cards[-1] if seat == taker else next(others)
            free.remove(card)
            before[seat].append(card)
            moves.append((seat, move_text(Play(card, call if seat == leader else None))))
        leader = taker
    dealt = [(*early, *late) for early, late in zip(before, hands, strict=True)]
    return Line(Round.start(variant=variant, hands=dealt, dealer=dealer), tuple(moves))


def _a_trick(free: Sequence[Card], call: Call, seats: int) -> list[Card]:
    """Cards that show the call, the last of them alone the highest; empty for too few."""
    showing = [card for card in free if card.shows(call)]
    low = showing[: seats - 1]
    best = next((card for card in showing if low and card.value > low[-1].value), None)
    return [*low, best] if best and len(low) == seats - 1 else []
