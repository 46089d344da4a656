"""Makers of puzzles: rounds are dealt and played by the tips until one of their moments asks
something worth asking. The same generator makes the same puzzles.

``make`` proves what it gives; how hard it is says the solver: how much there is to weigh, and
by how little the answer is ahead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

from games.analysis import bots
from games.analysis.paths import tip_play
from games.analysis.puzzles import LEVELS, NOBODY, SHARE, YOU, Kind, Puzzle, likeness
from games.analysis.puzzles.proofs import (
    Ending,
    holders,
    leads,
    may_be_undealt,
    sloughs,
    tip_bid,
    whole_line,
)
from games.rules import (
    DECK,
    HAND_SIZE,
    Card,
    IllegalMove,
    Play,
    Round,
    Variant,
    move_text,
    observe,
    parse_move,
)

AHEAD, ERRORS = 0.25, 4.0
"""A bid is best where it is ahead by so many points and so many standard errors."""

FITTING = 0.1
"""At least this part of all deals fits the bids of the others: it is weighed in those alone."""

SPARE = 0.85
"""Makers keep an answer's shape so far below its share that each level can be chosen from."""

SEATS = (3, 4, 4, 5)

BEFORE = 2
"""Others at most who have bid before: of all deals only those are looked at that fit."""


class RatedPuzzle(NamedTuple):
    """A proved puzzle without its level, and how hard it is beside others of its kind."""

    puzzle: Puzzle
    hardness: float


def make(
    kind: Kind, count: int, seed: int, but: Collection[str] = frozenset()
) -> Iterator[RatedPuzzle]:
    """So many different puzzles of a kind, none of these likenesses, no shape of answer in more
    than its share of them."""
    rng = Random(f"{kind.value} {seed}")  # noqa: S311
    likenesses, shapes = set(but), Counter[str]()
    while len(likenesses) < len(but) + count:
        full = {shape for shape, n in shapes.items() if n + 1 > max(1, SPARE * SHARE * count)}
        rated = _MAKERS[kind](rng, full)
        if rated is None or rated.puzzle.shape in full or likeness(rated.puzzle) in likenesses:
            continue
        likenesses.add(likeness(rated.puzzle))
        shapes[rated.puzzle.shape] += 1
        yield rated


def with_levels(rated: Sequence[RatedPuzzle]) -> list[Puzzle]:
    """The puzzles of a kind with their levels: a third each."""
    ranks = sorted(range(len(rated)), key=lambda n: (rated[n].hardness, n))
    level = {n: LEVELS[rank * len(LEVELS) // len(rated)] for rank, n in enumerate(ranks)}
    return [replace(each.puzzle, level=level[n]) for n, each in enumerate(rated)]


def balanced(puzzles: Sequence[Puzzle], count: int) -> list[Puzzle]:
    """The first so many of these of which no shape of answer has more than its share."""
    shapes, chosen = Counter[str](), list[Puzzle]()
    for puzzle in puzzles:
        if len(chosen) < count and shapes[puzzle.shape] + 1 <= max(1, SHARE * count):
            shapes[puzzle.shape] += 1
            chosen.append(puzzle)
    return chosen


def _deal(rng: Random, seats: int) -> tuple[tuple[Card, ...], ...]:
    drawn = rng.sample(DECK, seats * HAND_SIZE)
    return tuple(tuple(drawn[n::seats]) for n in range(seats))


def _moments(rng: Random, variant: Variant) -> Iterator[tuple[Round, tuple[str, ...], Round]]:
    """A round by the tips: its deal, and at each moment the moves so far and the round."""
    seats = rng.choice(SEATS)
    start = Round.start(variant=variant, hands=_deal(rng, seats), dealer=rng.randrange(seats))
    round_, moves = start, list[str]()
    while not round_.is_over:
        yield start, tuple(moves), round_
        observation = observe(round_, round_.to_move)
        move = bots.choose(observation, level=bots.DEFAULT_LEVEL, rng=rng)
        moves.append(move_text(move))
        round_ = round_.apply(move)


def _seen_from(start: Round, seat: int, kind: Kind, moves: tuple[str, ...]) -> Puzzle:
    """The position with the seats turned so that this one is YOU."""
    n = start.seats
    hands = tuple(start.hands[(seat + k) % n] for k in range(n))
    return Puzzle(kind=kind, dealer=(start.dealer - seat) % n, hands=hands, moves=moves)


def _at_a_lead(
    rng: Random, kind: Kind, sizes: range, variant: Variant = Variant.WIN
) -> Puzzle | None:
    """A puzzle at a moment at which somebody leads from a hand of one of these sizes."""
    size = rng.choice(sizes)
    for start, moves, round_ in _moments(rng, variant):
        if round_.trick and not round_.trick.plays and len(round_.tricks) == HAND_SIZE - size:
            return _seen_from(start, round_.trick.leader, kind, moves)
    return None


MOST_BEATERS = 12


def _lead_puzzle(rng: Random, _full: Collection[str]) -> RatedPuzzle | None:
    """A puzzle of the safest lead; the tip's (highest value, smallest count) it seldom is."""
    puzzle = _at_a_lead(rng, Kind.LEAD, range(3, 6))
    if puzzle is None:
        return None
    by_beaters = sorted(leads(puzzle), key=lambda lead: len(lead.beaters))
    best, second = by_beaters[0], by_beaters[1]
    margin = len(second.beaters) - len(best.beaters)
    assert best.play.call is not None
    by_tip = max(5 * card.value - 6 * min(card.counts) for card in puzzle.now.hands[YOU])
    rating = 5 * best.play.card.value - 6 * best.play.call.number
    if not margin or len(best.beaters) > MOST_BEATERS:
        return None
    if rating == by_tip and rng.random() < 0.997:  # there are more of these
        return None
    near = sum(len(lead.beaters) <= len(best.beaters) + 3 for lead in by_beaters)
    return RatedPuzzle(replace(puzzle, answer=move_text(best.play)), near / margin)


def _bid_puzzle(rng: Random, full: Collection[str]) -> RatedPuzzle | None:
    """A puzzle of the best bid, clearly ahead; in most of them not what the tip bids."""
    from games.analysis.puzzles.bids import BATCH, bid_figures, fitting_worlds

    seats = rng.choice(SEATS)
    dealer = seats - 1 - rng.randrange(BEFORE + 1)
    hands = _deal(rng, seats)
    round_ = Round.start(variant=Variant.BID, hands=hands, dealer=dealer)
    moves: tuple[str, ...] = ()
    while round_.to_move != YOU:
        bid = tip_bid(round_)
        moves = (*moves, move_text(bid))
        round_ = round_.apply(bid)
    puzzle = Puzzle(kind=Kind.BID, dealer=dealer, hands=hands, moves=moves)
    if len(next(fitting_worlds(puzzle, seed=1))) < BATCH * FITTING:
        return None
    guess = bid_figures(puzzle, worlds=1_000)
    if guess.ahead < AHEAD * 0.8 or str(guess.best) in full:
        return None
    if move_text(tip_bid(round_)) == str(guess.best) and rng.random() < 0.7:
        return None
    measured = bid_figures(puzzle)
    if measured.ahead < AHEAD or measured.errors < ERRORS:
        return None
    puzzle = replace(puzzle, answer=str(measured.best), points=measured.points)
    with_ending = _with_made_bid(rng, puzzle)
    return RatedPuzzle(with_ending, -measured.ahead) if with_ending else None


def _with_made_bid(rng: Random, puzzle: Puzzle) -> Puzzle | None:
    """The puzzle with other hidden hands in which the best bid is made, to be shown after it:
    the others' bids stay what they were."""
    own = puzzle.hands[YOU]
    rest = [card for card in DECK if card not in own]
    seats = len(puzzle.hands)
    for _ in range(20_000):
        drawn = rng.sample(rest, (seats - 1) * HAND_SIZE)
        hands = (own, *(tuple(drawn[n :: seats - 1]) for n in range(seats - 1)))
        other = replace(puzzle, hands=hands)
        if not _bids_follow_tips(other):
            continue
        round_ = other.start
        for text in whole_line(other):
            round_ = round_.apply(parse_move(text))
        if str(round_.taken[YOU]) == puzzle.answer:
            return other
    return None


def _bids_follow_tips(puzzle: Puzzle) -> bool:
    """Whether with these hands everybody bids by the tips what the puzzle's moves say."""
    round_ = puzzle.start
    for text in puzzle.moves:
        bid = tip_bid(round_)
        if move_text(bid) != text:
            return False
        round_ = round_.apply(bid)
    return True


def _last_puzzle(rng: Random, _full: Collection[str]) -> RatedPuzzle | None:
    """A puzzle at the sixth trick, leading, with a bid that one play alone still forces; in
    most of them not the tip's."""
    puzzle = _at_a_lead(rng, Kind.LAST, range(3, 4), Variant.BID)
    if puzzle is None:
        return None
    for wanted in rng.sample(range(4), 4):
        if wanted == 1 and rng.random() < 0.6:  # there are more of these
            continue
        question = _with_bid(puzzle, puzzle.now.taken[YOU] + wanted)
        if question is None:
            continue
        ending = Ending(question)
        forcing: list[Play] = []
        for play in ending.plays:
            forcing += [play] if ending.forces(play) else []
            if len(forcing) > 1:
                break
        if len(forcing) == 1 and (forcing[0] != tip_play(question.now) or rng.random() < 0.3):
            return RatedPuzzle(replace(question, answer=move_text(forcing[0])), ending.size)
    return None


def _with_bid(puzzle: Puzzle, bid: int) -> Puzzle | None:
    """The puzzle with this bid of yours; None where the hook forbids it to somebody."""
    place = (YOU - puzzle.dealer - 1) % len(puzzle.hands)
    moves = (*puzzle.moves[:place], str(bid), *puzzle.moves[place + 1 :])
    question = replace(puzzle, moves=moves)
    try:
        _ = question.now
    except IllegalMove:
        return None
    return question


LOWEST_ASKED = 8


def _hold_puzzle(rng: Random, _full: Collection[str]) -> RatedPuzzle | None:
    """A puzzle of a high card that one seat alone can hold, or nobody. Whoever can hold it has
    sloughed as well: one has to look at which call."""
    puzzle = _at_a_lead(rng, Kind.HOLD, range(2, 6))
    if puzzle is None:
        return None
    now = puzzle.now
    sloughed = {
        seat
        for trick in now.tricks
        for seat, card in trick.plays
        if trick.call and not card.shows(trick.call)
    }
    laid = {card for trick in now.tricks for _, card in trick.plays}
    out = [card for card in DECK if card not in laid and card not in now.hands[YOU]]
    for card in rng.sample(out, len(out)):
        proofs = sloughs(puzzle, card)
        if card.value < LOWEST_ASKED or len(proofs) < now.seats - 2:
            continue
        question = replace(puzzle, card=card)
        left = set(range(1, now.seats)) - {proof.seat for proof in proofs}
        if len(left) > 1 or len({proof.trick for proof in proofs}) < 2:
            continue
        if not left <= sloughed:
            continue
        if not left and rng.random() < 0.99:  # there are more of these
            continue
        if set(holders(question, card)) != left or not may_be_undealt(question):
            continue
        answer = str(left.pop()) if left else NOBODY
        cards = sum(len(trick.plays) for trick in now.tricks) + sum(p.trick for p in proofs)
        return RatedPuzzle(replace(question, answer=answer), cards)
    return None


_MAKERS: dict[Kind, Callable[[Random, Collection[str]], RatedPuzzle | None]] = {
    Kind.LEAD: _lead_puzzle,
    Kind.BID: _bid_puzzle,
    Kind.LAST: _last_puzzle,
    Kind.HOLD: _hold_puzzle,
}
