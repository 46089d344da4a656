"""Which bot is it? Rounds by a bot of one misconception, and what they say of its habit.

The bot plays by its habit, but one move in ten it makes at random. It sits at a table of four
among followers of the encyclopedia's tip. What is shown of a round are its bid and its leads,
and by these alone the suspects are told apart: so whoever looks can count along.

A draw is *open* where neither the first round nor the first two have settled it. What was seen
decides that, not who the bot is: so chances that are counted from what was seen stay right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import count, islice
from math import prod
from random import Random

from games.analysis import bots
from games.analysis.bots import HABITS
from games.rules import (
    DECK,
    HAND_SIZE,
    Bid,
    Call,
    Card,
    Move,
    Observation,
    Play,
    Round,
    Variant,
    observe,
)
from lessons.course.plan import Lesson, Step

SUSPECTS = ("four-ninths", "tip-printed", "likeliest-number", "value-only", "due")
"""The bots that it may be, as the statements of a step that asks name them."""

MISTAKES = Fraction(1, 10)
"""How many of its moves are made at random, of all that are legal."""

SEATS = 4
MOST = 20
"""Rounds that are played; a step may show fewer."""


OPEN = "open "
"""How a seed begins whose draw is open."""

MOST_SURE = (Fraction(3, 5), Fraction(4, 5))
"""How likely the likeliest suspect may be after one round, and after two, in an open draw."""


@dataclass(frozen=True, slots=True)
class BotLead:
    """A card that the bot led, what it called, and whether it took the trick."""

    card: Card
    call: Call
    took: bool

    @property
    def words(self) -> str:
        """The card's value and the number that was called, as they stand in a table."""
        return f"{self.card.value}\u00a0({self.call.number})"


@dataclass(frozen=True, slots=True)
class Watched:
    """A round as one may look back on it: what the bot held, bid, led and took. By suspect,
    ``bid_fits`` (whether its habit would have bid so), ``leads_fit`` (how many of the leads)
    and ``weight``: how likely it would have bid and led so."""

    hand: tuple[Card, ...]
    bid: int
    taken: int
    leads: tuple[BotLead, ...]
    bid_fits: Mapping[str, bool]
    leads_fit: Mapping[str, int]
    weight: Mapping[str, Fraction]

    @property
    def high(self) -> int:
        """How many of its eight cards were an 11 or 12."""
        return sum(card.value >= 11 for card in self.hand)

    @property
    def middle(self) -> int:
        """How many were a 9 or 10."""
        return sum(9 <= card.value <= 10 for card in self.hand)


def culprit(seed: str) -> str:
    """Which bot plays the rounds of this seed; all are equally likely."""
    seed = seed_drawn_by(seed)
    return Random(f"which {seed}").choice(SUSPECTS)  # noqa: S311 (the same for whoever asks)


@lru_cache(maxsize=4096)
def seed_drawn_by(seed: str) -> str:
    """The seed by which bot and rounds are drawn: itself, or, where the draw is to be open, the
    first of a row of seeds whose draw is."""
    if not seed.startswith(OPEN):
        return seed
    row = (f"{n} {seed.removeprefix(OPEN)}" for n in count())
    return next(each for each in row if is_open(each))


def is_open(seed: str) -> bool:
    """Whether the first rounds of this seed leave it open which bot plays."""
    rounds: list[Watched] = []
    for round_, most in zip(rounds_of(seed), MOST_SURE, strict=False):
        rounds.append(round_)
        if max(chances(rounds).values()) > most:
            return False
    return True


@lru_cache(maxsize=64)
def watched_rounds(seed: str) -> tuple[Watched, ...]:
    """The first MOST rounds of this seed, the same whenever they are asked for."""
    return tuple(islice(rounds_of(seed_drawn_by(seed)), MOST))


def rounds_of(seed: str) -> Iterator[Watched]:
    """The rounds that this very seed draws, one after the other."""
    rng = Random(f"rounds {seed}")  # noqa: S311
    return (_watched_round(culprit(seed), number, rng) for number in count())


def _watched_round(level: str, number: int, rng: Random) -> Watched:
    deck = rng.sample(DECK, HAND_SIZE * SEATS)
    hands = [deck[seat::SEATS] for seat in range(SEATS)]
    round_ = Round.start(variant=Variant.BID, hands=hands, dealer=number % SEATS)
    turns: list[tuple[Observation, Move]] = []
    while (seat := round_.to_move) is not None:
        observation = observe(round_, seat)
        if seat:
            move = bots.choose(observation, level=bots.DEFAULT_LEVEL, rng=rng)
        elif rng.random() < MISTAKES:
            move = rng.choice(observation.legal)
        else:
            move = bots.choose(observation, level=level, rng=rng)
        if not seat and (isinstance(move, Bid) or move.call is not None):
            turns.append((observation, move))
        round_ = round_.apply(move)
    bid, taken = round_.bids[0], round_.taken[0]
    assert bid is not None
    usual = {level: [HABITS[level].moves(o) for o, _move in turns] for level in SUSPECTS}
    fits = {
        level: [move in moves for moves, (_o, move) in zip(usual[level], turns, strict=True)]
        for level in SUSPECTS
    }
    winners = {trick.plays[0][1]: trick.winner for trick in round_.tricks}
    return Watched(
        hand=tuple(sorted(hands[0], key=lambda card: -card.value)),
        bid=bid,
        taken=taken,
        leads=tuple(
            BotLead(move.card, move.call, winners[move.card] == 0)
            for _observation, move in turns
            if isinstance(move, Play) and move.call is not None
        ),
        bid_fits={level: fits[level][0] for level in SUSPECTS},
        leads_fit={level: sum(fits[level][1:]) for level in SUSPECTS},
        weight={
            level: prod(
                (
                    likelihood(moves, o, move)
                    for moves, (o, move) in zip(usual[level], turns, strict=True)
                ),
                start=Fraction(1),
            )
            for level in SUSPECTS
        },
    )


def likelihood(usual: Sequence[Move], observation: Observation, move: Move) -> Fraction:
    """The chance of a move by a bot with these usual moves: one of them, or by mistake any."""
    by_habit = Fraction(move in usual, len(usual))
    return (1 - MISTAKES) * by_habit + MISTAKES / len(observation.legal)


def chances(rounds: Sequence[Watched]) -> dict[str, Fraction]:
    """How likely each suspect is after these rounds, all being equally likely before."""
    weights = {
        level: prod((each.weight[level] for each in rounds), start=Fraction(1))
        for level in SUSPECTS
    }
    whole = sum(weights.values())
    return {level: weight / whole for level, weight in weights.items()}


def settled_lesson(lesson: Lesson, seed: str) -> Lesson:
    """The lesson with its right answers where a step asks which bot it is: that depends on
    who is asked. Any other lesson, and before somebody has begun, the lesson as it is."""
    if not seed or not any(step.shows.bots for step in lesson.steps):
        return lesson
    place = SUSPECTS.index(culprit(seed))
    return replace(lesson, steps=tuple(_with_answer(step, place) for step in lesson.steps))


def _with_answer(step: Step, place: int) -> Step:
    if not step.shows.bots:
        return step
    statements = tuple(
        replace(each, is_right=n == place) for n, each in enumerate(step.statements)
    )
    return replace(step, statements=statements)
