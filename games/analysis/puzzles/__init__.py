"""Puzzles: positions with one provable answer, proved beforehand and shipped as data.

``puzzles.jsonl`` holds them, one a line: those of days in the order in which days show them,
then those of sets and of homework (``Use``); ``manage.py make_puzzles`` writes it. What follows
from a puzzle's cards is not stored but worked out by the rules; only a bid's figures are, since
they take simulations.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import permutations

from games.rules import (
    DECK,
    Card,
    Observation,
    Play,
    Round,
    Variant,
    move_text,
    observe,
    parse_card,
    parse_move,
)

YOU = 0
"""The seat that a puzzle is seen from; it has the turn."""

NOBODY = "nobody"
"""The answer to who can still hold a card that can only be undealt."""

BALANCED = 920
"""From this number on no shape of answer has more than its SHARE. The puzzles before keep
their numbers, for the days, sets and homework that had them; nothing else asks them."""

SHARE = 1 / 3

LEVELS = (1, 2, 3)


class Use(Enum):
    """What a puzzle is kept for, and for nothing else: a day, a set that a class begins a
    lesson with, homework. So nobody finds the answer to one of these in another place."""

    DAY = "day"
    SET = "set"
    HOMEWORK = "homework"


class Kind(Enum):
    """What a puzzle asks: the lead that the fewest unseen cards beat; the bid that brings most
    if all follow the tips; the play that forces exactly the bid, all hands open; who can still
    hold a card."""

    LEAD = "lead"
    BID = "bid"
    LAST = "last"
    HOLD = "hold"


@dataclass(frozen=True)
class Puzzle:
    """One position and what is asked of it.

    ``hands`` are as dealt, ``moves`` made since in the rules' notation. ``card`` is the one
    asked for (HOLD). ``answer`` is a move's text, or a seat's number or NOBODY (HOLD).
    ``points`` are what each bid brings on average (BID; None for the forbidden one).
    ``level`` is 1 to 3.
    """

    kind: Kind
    dealer: int
    hands: tuple[tuple[Card, ...], ...]
    moves: tuple[str, ...] = ()
    card: Card | None = None
    answer: str = ""
    level: int = 0
    points: tuple[float | None, ...] = field(default=())
    use: Use = Use.DAY

    @property
    def variant(self) -> Variant:
        """The game that is played in it: bids only where one is asked for."""
        return Variant.BID if self.kind in {Kind.BID, Kind.LAST} else Variant.WIN

    @cached_property
    def start(self) -> Round:
        """The round as dealt."""
        return Round.start(variant=self.variant, hands=self.hands, dealer=self.dealer)

    @cached_property
    def now(self) -> Round:
        """The round where it is your turn."""
        round_ = self.start
        for text in self.moves:
            round_ = round_.apply(parse_move(text))
        return round_

    @property
    def observation(self) -> Observation:
        """What you see there; of other hands nothing."""
        return observe(self.now, YOU)

    @property
    def is_open(self) -> bool:
        """Whether all hands lie open in the question."""
        return self.kind is Kind.LAST

    @property
    def wanted(self) -> int:
        """How many tricks you still need for your bid (LAST)."""
        bid = self.now.bids[YOU]
        assert bid is not None
        return bid - self.now.taken[YOU]

    @property
    def choices(self) -> tuple[str, ...]:
        """All answers that could be given: a legal move each, or a seat or nobody."""
        if self.kind is Kind.HOLD:
            return (*map(str, range(1, self.now.seats)), NOBODY)
        return tuple(map(move_text, self.now.legal_moves()))

    @property
    def shape(self) -> str:
        """The answer as one could guess it without its cards: a lead's value and the number
        that it calls ("10:2"), a bid, who."""
        move = parse_move(self.answer) if self.kind in {Kind.LEAD, Kind.LAST} else None
        if isinstance(move, Play) and move.call:
            return f"{move.card.value}:{move.call.number}"
        return self.answer

    def line(self) -> str:
        """The puzzle as its line of the file."""
        facts: dict[str, object] = {
            "kind": self.kind.value,
            "level": self.level,
            "dealer": self.dealer,
            "hands": [" ".join(card.code for card in hand) for hand in self.hands],
            "moves": " ".join(self.moves),
        }
        if self.card is not None:
            facts["card"] = self.card.code
        facts["answer"] = self.answer
        if self.points:
            facts["points"] = list(self.points)
        if self.use is not Use.DAY:
            facts["use"] = self.use.value
        return json.dumps(facts)


def from_line(line: str) -> Puzzle:
    """The puzzle that a line of the file writes: ``from_line(p.line()) == p``."""
    facts = json.loads(line)
    return Puzzle(
        kind=Kind(facts["kind"]),
        dealer=facts["dealer"],
        hands=tuple(tuple(map(parse_card, hand.split())) for hand in facts["hands"]),
        moves=tuple(facts["moves"].split()),
        card=parse_card(facts["card"]) if "card" in facts else None,
        answer=facts["answer"],
        level=facts["level"],
        points=tuple(facts.get("points", ())),
        use=Use(facts.get("use", Use.DAY.value)),
    )


@lru_cache(maxsize=1)
def puzzles() -> tuple[Puzzle, ...]:
    """All puzzles. A puzzle's number is its place among them, and stays."""
    text = files(__name__).joinpath("puzzles.jsonl").read_text("utf-8")
    return tuple(map(from_line, text.splitlines()))


@lru_cache(maxsize=len(Use))
def numbers_for(use: Use) -> tuple[int, ...]:
    """The numbers of the puzzles that are kept for this; of days in their order."""
    return tuple(n for n, puzzle in enumerate(puzzles()) if puzzle.use is use)


@lru_cache(maxsize=len(Use))
def numbers_in_use(use: Use) -> tuple[int, ...]:
    """The numbers of those of them that are asked from now on."""
    return tuple(n for n in numbers_for(use) if n >= BALANCED)


def likeness(puzzle: Puzzle) -> str:
    """A text that is the same for puzzles that ask the same, whatever their shapes are called:
    the least one of what is seen and asked under all 24 ways of naming four shapes."""
    return min(_likeness_under(puzzle, names) for names in permutations(range(4)))


_SHAPES = ("ball", "cube", "cone", "star")


def _likeness_under(puzzle: Puzzle, names: tuple[int, ...]) -> str:
    """The puzzle's likeness, its cards' shapes taken in this order."""

    def renamed(card: Card) -> str:
        return "".join(card.code[place] for place in names)

    def cards(some: object) -> str:
        return ".".join(sorted(map(renamed, some)))  # type: ignore[call-overload]

    now = puzzle.now
    facts = [puzzle.kind.value, str(now.seats), cards(now.hands[YOU])]
    match puzzle.kind:
        case Kind.LEAD:
            laid = {card for trick in now.tricks for _, card in trick.plays}
            facts.append(cards(card for card in DECK if card in laid))
        case Kind.BID:
            facts += [str(puzzle.dealer), str(now.bids)]
        case Kind.LAST:
            facts += [str(puzzle.wanted), *map(cards, now.hands[1:])]
        case Kind.HOLD:
            assert puzzle.card is not None
            facts.append(renamed(puzzle.card))
            for trick in now.tricks:
                assert trick.call is not None
                shape = names.index(trick.call.shape.position)
                laid_by = " ".join(f"{seat}{renamed(card)}" for seat, card in trick.plays)
                facts.append(f"{trick.call.number}{_SHAPES[shape]} {laid_by}")
    return "|".join(facts)
