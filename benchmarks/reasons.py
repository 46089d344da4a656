"""Is what the look back says true? Every reason beside simulated figures of its own.

From the repository's root (2,000 positions are a quarter of an hour of one processor)::

    python -m benchmarks.reasons
    python -m benchmarks.reasons --positions 200 --worlds 5000 --show

Rounds of all variants at 2 to 10 seats, drawn by a seed: one seat plays half of its moves at
random, the others are bots. At each of that seat's plays with a choice the look back says what
it says, in English; each sentence is read and compared with other simulated deals, five times
as many, in which every card is followed to its trick. Prints a JSON line for each kind of
sentence: how often it was said, and how often the figures contradict it by more than their
error. ``--show`` prints each that was contradicted; what is no known sentence is, too.
"""

from __future__ import annotations

import argparse
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "xactika_site.settings")
django.setup()

import numpy as np  # noqa: E402
from django.utils import translation  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from games import analysis  # noqa: E402
from games.analysis import bots  # noqa: E402
from games.analysis.counting import safety  # noqa: E402
from games.analysis.jobs import pool  # noqa: E402
from games.analysis.knowledge import read  # noqa: E402
from games.rules import (  # noqa: E402
    DECK,
    HAND_SIZE,
    Bid,
    Card,
    Move,
    Observation,
    Play,
    Round,
    Variant,
    hook,
    move_text,
    observe,
    points,
)
from games.study.look_back import reviews as look_back  # noqa: E402
from games.study.look_back.bids import LEAST  # noqa: E402
from games.study.look_back.past_rounds import PastRound  # noqa: E402
from games.study.look_back.plays import Find, Mistake  # noqa: E402
from games.study.odds.forecasts import Turn  # noqa: E402
from games.study.odds.words import play_words  # noqa: E402

WORLDS = 10_000
VARIANTS = (Variant.BID, Variant.WIN, Variant.BID, Variant.LOSE)
ME = 0
OTHERS = ("tip-printed", "tip-wikipedia", "counter", "careless")

FIGURE = 3.5
"""Standard errors by which a printed figure must be off to be wrong: of thousands."""

CLEARLY = 0.5
"""Points on average by which a move must be behind for an untold mistake to be clear."""

SEEN = 0.01
"""What is said to be more must be more by this, give or take two standard errors."""

SAID_BY = 2_000
"""Deals behind what the page says of a bid or a follow."""

Floats = NDArray[np.float64]


# Rounds.


def rounds(seed: int) -> Iterator[PastRound]:
    """Finished rounds without end, in which seat 0 is the person's."""
    number = 0
    while True:
        rng = Random(f"reasons {seed} {number}")
        seats, variant = 2 + number % 9, VARIANTS[number // 9 % len(VARIANTS)]
        levels = [rng.choice(OTHERS)] * seats
        if rng.random() < 0.5:
            levels = [rng.choice(OTHERS) for _ in range(seats)]
        deck = rng.sample(DECK, HAND_SIZE * seats)
        yield _played(deck, variant, levels, rng)
        number += 1


def _played(
    deck: Sequence[Card], variant: Variant, levels: Sequence[str], rng: Random
) -> PastRound:
    seats = len(levels)
    hands = tuple(tuple(deck[seat::seats]) for seat in range(seats))
    point = Round.start(variant=variant, hands=hands, dealer=rng.randrange(seats))
    moves = []
    while (seat := point.to_move) is not None:
        seen = observe(point, seat)
        move: Move
        if seat:
            move = bots.choose(seen, level=levels[seat], rng=rng)
        elif isinstance(seen.legal[0], Bid):
            wish = bots.wikipedia_bid(seen.hand) + rng.choice((-2, -1, 0, 0, 1))
            allowed = [bid for bid in seen.legal if isinstance(bid, Bid)]
            move = min(allowed, key=lambda bid: abs(bid.number - wish))
        elif rng.random() < 0.5:
            move = rng.choice(seen.legal)
        else:
            move = bots.choose(seen, level="counter", rng=rng)
        text, mover = move_text(move), "bot" if seat else "person"
        moves.append(
            SimpleNamespace(seat=seat, text=text, mover=mover, level=levels[seat], reason=None)
        )
        point = point.apply(move)
    names = tuple(f"Bot {seat}" for seat in range(seats))
    return PastRound(point, hands, cast(Any, tuple(moves)), names)


# Figures.


@dataclass(frozen=True, slots=True)
class Figures:
    """What became of moves in the same deals: of [world, move] the seat's tricks, its points
    (in lose less is more), whether it took the trick in play, and of [world, move, card]
    whether the card took a later one; ``same`` are worlds in which the others' cards in the
    trick in play are the same with both moves. The last two only of two plays."""

    moves: tuple[Move, ...]
    tricks: Floats
    worth: Floats
    takes: Floats
    later: NDArray[np.bool_]
    same: NDArray[np.bool_]

    def more(self, of: Floats, one: Move, other: Move) -> tuple[float, float]:
        """By how much more the one has of something, with the standard error: in pairs."""
        gap = of[:, self.moves.index(one)] - of[:, self.moves.index(other)]
        return float(gap.mean()), float(gap.std() / np.sqrt(len(gap)))

    def share(self, of: Floats, move: Move) -> float:
        return float(of[:, self.moves.index(move)].mean())


def figures(seen: Observation, moves: Sequence[Move], worlds: int, seed: int) -> Figures:
    """Simulated as the odds are, of another seed."""
    from games.analysis.simulation import PlayoutPoint, WorldSampler, policies

    assert seen.seat is not None
    dealer, stage = (
        WorldSampler(read(seen), seen.hand),
        PlayoutPoint(seen, policies=policies(seen)),
    )
    return _figures(seen, moves, lambda n, own: dealer.deal(n, seed=own), stage, worlds, seed)


def replays(past: PastRound, worlds: int, seed: int) -> Figures:
    """The bids of the person in the very deal, over and over."""
    from games.analysis.simulation import PlayoutPoint, policies, world_of

    start = Round.start(variant=Variant.BID, hands=past.hands, dealer=past.round.dealer)
    bids = tuple(None if s == ME else bid for s, bid in enumerate(past.round.bids))
    seen = observe(replace(start, bids=bids), ME)
    world, stage = world_of(start), PlayoutPoint(seen, policies=policies(seen))
    every = [Bid(n) for n in range(HAND_SIZE + 1)]
    return _figures(seen, every, lambda n, _own: world.repeat(n, axis=0), stage, worlds, seed)


def _figures(
    seen: Observation,
    moves: Sequence[Move],
    deal: Callable[[int, int], Any],
    stage: Any,
    worlds: int,
    seed: int,
) -> Figures:
    from games.analysis.simulation import BATCH

    assert seen.seat is not None
    is_followed = isinstance(moves[0], Play) and len(moves) == 2
    tricks, takes, later, same = [], [], [], []
    for start in range(0, worlds, BATCH):
        size, own = min(BATCH, worlds - start), seed + start
        log = np.zeros((size, len(moves), 80, 2), np.int8) if is_followed else None
        final, takers = stage.play(
            deal(size, own), moves, seed=own, **({} if log is None else {"log": log})
        )
        tricks.append(final[:, :, seen.seat])
        takes.append(takers == seen.seat)
        if log is not None:
            won, first = _followed(seen, log)
            later.append(won)
            same.append((first[:, 0] == first[:, 1]).all(axis=-1))
    taken = np.concatenate(tricks)
    return Figures(
        moves=tuple(moves),
        tricks=taken.astype(float),
        worth=_worths(seen, moves)[np.arange(len(moves))[None, :], taken],
        takes=np.concatenate(takes).astype(float),
        later=np.concatenate(later) if later else np.empty((0, 0, 0), bool),
        same=np.concatenate(same) if same else np.empty(0, bool),
    )


def _worths(seen: Observation, moves: Sequence[Move]) -> Floats:
    """Of [move, tricks] what so many tricks are worth, the more the better."""
    assert seen.seat is not None
    sign = -1 if seen.variant is Variant.LOSE else 1
    bids = [m.number if isinstance(m, Bid) else seen.bids[seen.seat] for m in moves]
    every = range(HAND_SIZE + 1)
    return np.array(
        [[sign * points(seen.variant, bid=b, taken=n) for n in every] for b in bids], float
    )


def _followed(seen: Observation, log: Any) -> tuple[Any, Any]:
    """Who won what in logged plays: of [world, move, card] whether the seat's card took a trick
    after the one in play, and the cards the others still laid to that one."""
    from games.analysis.kernel import card_at
    from games.analysis.kernel.tables import CALLS_OF, VALUE

    shows = np.zeros((81, 12), bool)
    for card in range(81):
        shows[card, CALLS_OF[card]] = True
    worlds, count = log.shape[:2]
    rows, every = worlds * count, np.arange(worlds * count)
    cards, shapes = (log[..., k].reshape(rows, -1).astype(int) for k in (0, 1))
    won = np.zeros((rows, len(card_at)), bool)
    trick, seats, at = seen.trick, seen.seats, 0
    assert trick is not None
    leader = np.full(rows, trick.leader)
    laid = [np.full(rows, card_at.index(card)) for _seat, card in trick.plays]
    call = None if trick.call is None else _call_index(trick.call)
    first = None
    for _trick in range(len(seen.tricks), HAND_SIZE):
        new = seats - len(laid)
        plays = np.stack([*laid, *(cards[:, at + k] for k in range(new))], axis=1)
        led = CALLS_OF[plays[:, 0], shapes[:, at]]
        asked = led if call is None else np.full(rows, call)
        score = np.where(shows[plays, asked[:, None]], VALUE[plays], -1)
        place = seats - 1 - np.argmax(score[:, ::-1], axis=1)
        winner = (leader + place) % seats
        if first is None:
            first = cards[:, 1:new]
        else:
            mine = winner == seen.seat
            won[every[mine], plays[every[mine], place[mine]]] = True
        leader, laid, call, at = winner, [], None, at + new
    assert first is not None
    return won.reshape(worlds, count, -1), first.reshape(worlds, count, -1)


def _call_index(call: Any) -> int:
    from games.analysis.kernel import call_index

    return int(call_index[call])


# What is said.


@dataclass(slots=True)
class Case:
    """A play that something is said of, beside the other it is compared with; ``all`` are
    figures of every legal play, where they are needed."""

    turn: Turn
    words: str
    made: Play
    other: Play
    is_slip: bool
    worlds: int
    seed: int
    found: Figures = field(init=False)

    def __post_init__(self) -> None:
        plays = (self.made, self.other)
        self.found = figures(self.seen, plays, self.worlds, self.seed)

    @property
    def seen(self) -> Observation:
        return self.turn.observation

    @property
    def better(self) -> Play:
        return self.other if self.is_slip else self.made

    @property
    def worse(self) -> Play:
        return self.made if self.is_slip else self.other

    @property
    def bid(self) -> int | None:
        assert self.seen.seat is not None
        return self.seen.bids[self.seen.seat]

    @property
    def need(self) -> int | None:
        assert self.seen.seat is not None
        return None if self.bid is None else self.bid - self.seen.taken[self.seen.seat]

    @property
    def left(self) -> int:
        return HAND_SIZE - len(self.seen.tricks)

    def every(self) -> Figures:
        plays = [move for move in self.seen.legal if isinstance(move, Play)]
        return figures(self.seen, plays, self.worlds // 4, self.seed)

    def ahead(self) -> tuple[float, float]:
        return self.found.more(self.found.worth, self.better, self.worse)

    def card(self, text: str) -> Card:
        return next(
            card for card in self.seen.hand if play_words(Play(card), self.seen.hand) == text
        )


def is_less(gap: tuple[float, float]) -> bool:
    """Whether what should be more is not, by more than the error."""
    return gap[0] + 2 * gap[1] < SEEN


def _number(text: str) -> float:
    return float(re.sub(r"[^\d.−]", "", text).replace("−", "-"))


def _is_off_share(text: str, share: float, said_by: int, worlds: int) -> bool:
    """Whether a printed share is not what many worlds say."""
    error = FIGURE * np.sqrt(max(share * (1 - share), 1 / said_by) * (1 / said_by + 1 / worlds))
    if "under" in text:
        return bool(share > 0.01 + error)
    if "over" in text:
        return bool(share < 0.99 - error)
    return bool(abs(_number(text) / 100 - share) > 0.0051 + error)


def _said_by(case: Case) -> int:
    return SAID_BY if len(case.seen.legal) <= 10 else SAID_BY // 2


def _is_off_size(case: Case, text: str) -> bool:
    """Whether a printed difference is not what many worlds say."""
    gap, error = case.ahead()
    wide = FIGURE * error * np.sqrt(1 + case.worlds / _said_by(case))
    return bool(abs(abs(gap) - _number(text)) > 0.051 + wide)


# A check is told the case and the match, and returns whether the figures contradict it.


def _better(case: Case, _said: re.Match[str]) -> bool:
    return is_less(case.ahead())


def _hits(case: Case) -> Floats:
    return cast(Floats, (case.found.tricks == case.bid).astype(float))


def _chances(case: Case, said: re.Match[str]) -> bool:
    takes, by = case.found.takes, _said_by(case)
    return _is_off_share(
        said["own"], case.found.share(takes, case.made), by, case.worlds
    ) or _is_off_share(said["other"], case.found.share(takes, case.other), by, case.worlds)


def _beaten(case: Case, said: re.Match[str]) -> bool:
    counted = {
        "own": safety(case.seen, case.made).beaters,
        "other": safety(case.seen, case.other).beaters,
    }
    told = {key: int(text) for key, text in said.groupdict().items() if text}
    return not told or any(counted[key] != number for key, number in told.items())


def _needed(case: Case, said: re.Match[str]) -> bool:
    return int(said["need"]) != case.need or int(said["left"]) != case.left


def _needs_more(case: Case, _said: re.Match[str]) -> bool:
    return case.need is None or case.need > 0


def _too_many(case: Case) -> tuple[float, float]:
    assert case.bid is not None
    above = (case.found.tricks > case.bid).astype(float)
    return case.found.more(above, case.worse, case.better)


def _too_few(case: Case) -> tuple[float, float]:
    assert case.bid is not None
    below = (case.found.tricks < case.bid).astype(float)
    return case.found.more(below, case.worse, case.better)


def _wants(case: Case) -> bool:
    """Whether the better play is so because it brings more tricks, rather than fewer."""
    if case.bid is None:
        return case.seen.variant is Variant.WIN
    return _too_few(case)[0] > _too_many(case)[0]


def _is_the_call(case: Case) -> bool:
    """Whether, of a lead, the same card with another call is as good as the better one."""
    if case.seen.trick is not None and case.seen.trick.call is not None:
        return False
    every = case.every()
    calls = [m for m in every.moves if isinstance(m, Play) and m.card == case.worse.card]
    best = max(calls, key=lambda play: every.share(every.worth, play))
    return every.more(every.worth, case.better, best)[0] < 0.05


def _card_kept(case: Case, said: re.Match[str], *, wants: bool) -> bool:
    """The high card takes a later trick more often than the low one would; keeping it brings
    more later tricks; and these are what the seat lacks, or what it has too many of."""
    from games.analysis.kernel import card_index

    found, high = case.found, case.card(said["high"])
    keeps, parts = (case.better, case.worse) if wants else (case.worse, case.better)
    low = keeps.card
    if parts.card != high:
        return True
    often = float(found.later[:, found.moves.index(keeps), card_index[high]].mean())
    seldom = float(found.later[:, found.moves.index(parts), card_index[low]].mean())
    later = found.tricks - found.takes
    return (
        often < seldom - 0.01
        or is_less(found.more(later, keeps, parts))
        or _wants(case) is not wants
        or _is_the_call(case)
    )


def _more_later(case: Case, said: re.Match[str], *, wants: bool) -> bool:
    """The same, with the figure that is given."""
    keeps, parts = (case.better, case.worse) if wants else (case.worse, case.better)
    gap, error = case.found.more(case.found.tricks - case.found.takes, keeps, parts)
    wide = FIGURE * error * np.sqrt(1 + case.worlds / _said_by(case))
    return abs(gap - _number(said["more"])) > 0.051 + wide or _card_kept(
        case, said, wants=wants
    )


def _neither_can(case: Case, _said: re.Match[str]) -> bool:
    return bool(case.found.takes.any())


def _about_equal(case: Case, _said: re.Match[str]) -> bool:
    gap, error = case.found.more(case.found.takes, case.made, case.other)
    return abs(gap) - 2 * error > 0.075


def _by_bids(case: Case, said: re.Match[str]) -> bool:
    from games.analysis import expert

    plays = (case.made, case.other)
    found = expert.chances_read(case.seen, plays, worlds=2_000, seed=case.seed)
    assert found is not None
    texts = (said["own"], said["other"])
    return any(
        _is_off_share(text, share, 300, 600) for text, share in zip(texts, found, strict=True)
    )


def _comes_true(case: Case, said: re.Match[str]) -> bool:
    found, hits, by = case.found, _hits(case), _said_by(case)
    return (
        is_less(found.more(hits, case.better, case.worse))
        or _number(said["own"]) >= _number(said["other"])
        or _is_off_share(said["own"], found.share(hits, case.made), by, case.worlds)
        or _is_off_share(said["other"], found.share(hits, case.other), by, case.worlds)
    )


def _size(case: Case, said: re.Match[str]) -> bool:
    return _is_off_size(case, said["size"])


def _next_best(case: Case, _said: re.Match[str]) -> bool:
    every = case.every()
    rest = [m for m in every.moves if isinstance(m, Play) and m.card != case.made.card]
    best = max(rest, key=lambda play: every.share(every.worth, play))
    gap, error = every.more(every.worth, best, case.other)
    return gap - 2 * error > 0.1


Check = Callable[[Case, re.Match[str]], bool]
SHARE = r"(?:under |over )?\d+%"
CARD = r"(?P<high>the \d+(?: with [^,.]*?)?)"

PLAYS: dict[str, tuple[str, Check]] = {
    "was better": (r"You (?:played|called) .*; .* was better\.", _better),
    "more than the next best": (
        r": on average (?P<size>[\d.]+) \w+ better than ",
        lambda c, m: _better(c, m) or _size(c, m) or _next_best(c, m),
    ),
    "still needed": (
        r"Tricks you still needed: (?P<need>\d+)\. Tricks left: (?P<left>\d+)",
        _needed,
    ),
    "has all": (r"You needed no more tricks", _needs_more),
    "chances of the trick": (
        rf"Yours takes the trick in (?P<own>{SHARE}) of deals, the other in "
        rf"(?P<other>{SHARE})",
        _chances,
    ),
    "cards that beat both": (
        r"Of \d+ unseen cards, (?P<own>\d+) beat yours, (?P<other>\d+) the other\.",
        _beaten,
    ),
    "more later tricks": (
        rf"Keep {CARD} and you win (?P<more>[\d.]+) tricks? more later, on average\.",
        partial(_more_later, wants=True),
    ),
    "unwanted later tricks": (
        rf"Keep {CARD} and you win too many later: (?P<more>[\d.]+) tricks? more, on average",
        partial(_more_later, wants=False),
    ),
    "neither can": (r"Neither card can take", _neither_can),
    "about equally often": (r"about equally often", _about_equal),
    "by bids and plays": (
        rf"If you read bids and plays, too, it’s about (?P<own>{SHARE}) for yours, "
        rf"(?P<other>{SHARE})",
        _by_bids,
    ),
    "the bid is made": (
        rf"You make your bid in (?P<own>{SHARE}) of deals, with the other in "
        rf"(?P<other>{SHARE})",
        _comes_true,
    ),
    "in the end": (r"The difference in the end: (?P<size>[\d.]+) \w+", _size),
}
"""Of what is said of plays: the kind, how it is known, and what it is held against."""


# What is said of a whole round.


@dataclass(frozen=True, slots=True)
class Whole:
    """A round looked back on: what its page says, the seat's bid before the round (``bids``)
    and in replays, and by how much each of its plays was behind the best."""

    past: PastRound
    told: look_back.Review
    bids: Figures | None
    again: Figures | None
    behind: tuple[float, ...]
    hidden: tuple[Mistake, ...]

    @property
    def made(self) -> Bid:
        number = self.past.round.bids[ME]
        assert number is not None
        return Bid(number)

    @property
    def allowed(self) -> list[Bid]:
        bids = list(self.past.round.bids)
        bids[ME] = None
        is_last = self.past.round.dealer == ME
        forbidden = hook(bids) if is_last else None
        return [Bid(n) for n in range(HAND_SIZE + 1) if n != forbidden]


def _beyond(found: Figures | None, bids: Sequence[Bid], made: Move) -> tuple[float, float]:
    """By how much the best of these bids is ahead of this one, with the error."""
    assert found is not None
    best = max(bids, key=lambda bid: found.share(found.worth, bid))
    return found.more(found.worth, best, made)


def _is_beaten(found: Figures | None, bids: Sequence[Bid], made: Move, by: float) -> bool:
    gap, error = _beyond(found, bids, made)
    assert found is not None
    return bool(gap - 2 * error * np.sqrt(1 + len(found.worth) / SAID_BY) > by)


def _bid_better(whole: Whole, said: re.Match[str]) -> bool:
    assert whole.bids is not None
    return is_less(whole.bids.more(whole.bids.worth, Bid(int(said["best"])), whole.made))


def _brought_more(whole: Whole, said: re.Match[str]) -> bool:
    assert whole.again is not None
    return is_less(whole.again.more(whole.again.worth, Bid(int(said["best"])), whole.made))


def _no_other(whole: Whole, _said: re.Match[str]) -> bool:
    return _is_beaten(whole.again, whole.allowed, whole.made, LEAST)


def _not_clear(whole: Whole, _said: re.Match[str]) -> bool:
    return any(gap > CLEARLY for gap in whole.behind)


WHOLE: dict[str, tuple[str, Callable[[Whole, re.Match[str]], bool]]] = {
    "as good as the best bid": (
        r"No other bid is clearly better",
        lambda w, _said: _is_beaten(w.bids, w.allowed, w.made, LEAST),
    ),
    "a better bid": (r"A bid of (?P<best>\d) is better", _bid_better),
    "an aim that brought more": (
        r"A bid of (?P<best>\d) brought more",
        _brought_more,
    ),
    "nobody could know": (
        r"A bid of (?P<best>\d) brought .*You couldn’t know",
        lambda w, m: not _is_beaten(w.bids, w.allowed, Bid(int(m["best"])), SEEN),
    ),
    "no other bid": (r"No other bid did clearly better", _no_other),
    "no clear mistake": (r"[Nn]o clear mistake|None of your cards was clearly", _not_clear),
}
"""Of what is said of a round: the kind, how it is known, and what it is held against."""


# The count.


@dataclass(slots=True)
class Count:
    said: Counter[str] = field(default_factory=Counter)
    false: Counter[str] = field(default_factory=Counter)
    shown: list[str] = field(default_factory=list)

    def add(self, checks: Any, of: Any, words: str, name: str) -> None:
        known = set()
        for kind, (pattern, is_false) in checks.items():
            if said := re.search(pattern, words):
                self.said[kind] += 1
                known |= set(range(*said.span()))
                if is_false(of, said):
                    self._is_false(kind, words, name)
        if checks is PLAYS:
            for sentence in re.finditer(r"\S.*?\.(?= |$)", words):
                if known.isdisjoint(range(*sentence.span())):
                    self.said["no known sentence"] += 1
                    self._is_false("no known sentence", sentence[0], name)

    def _is_false(self, kind: str, words: str, name: str) -> None:
        self.false[kind] += 1
        self.shown.append(f"{name} [{kind}] {words}")


def contradicted(positions: int, *, worlds: int = WORLDS, seed: int = 0) -> Count:
    """Every reason at so many positions, and those that the figures contradict."""
    count, seen = Count(), 0
    with translation.override("en"):
        for number, past in enumerate(rounds(seed)):
            plays = look_back.plays_with_a_choice(past.turns(ME))
            whole = _whole(past, plays, count, f"round {number}", worlds)
            told = whole.told
            story = () if told.bid is None else (told.bid.before, told.bid.after)
            none = (
                () if told.mistakes or not told.judged else ("None of your cards was clearly",)
            )
            text = " ".join((*told.summary, *story, *none))
            count.add(WHOLE, whole, text, f"round {number}")
            pool.answers.clear()
            seen += len(plays)
            if seen >= positions:
                return count
    raise AssertionError


def _whole(
    past: PastRound,
    plays: dict[int, Turn],
    count: Count,
    name: str,
    worlds: int,
) -> Whole:
    """The round as a whole; its plays are counted on the way."""
    behind, mistakes = [], []
    for n, found in zip(plays, look_back.judge_all(past, plays), strict=True):
        turn = plays[n]
        assert isinstance(turn.move, Play)
        if isinstance(found, Mistake):
            other = found.best
            mistakes.append(found)
        else:
            every = figures(turn.observation, turn.observation.legal, worlds // 8, n)
            best = max(every.moves, key=partial(every.share, every.worth))
            gap, error = every.more(every.worth, best, turn.move)
            behind.append(gap - 2 * error)
        if isinstance(found, Find):
            other = _other(turn, found)
        if found is not None:
            words = " ".join(found.words)
            case = Case(turn, words, turn.move, other, isinstance(found, Mistake), worlds, n)
            count.add(PLAYS, case, words, f"{name}.{n} {past.round.variant}")
    shown = look_back.dearest(mistakes)
    bid = next((turn for turn in past.turns(ME).values() if turn.is_bid), None)
    return Whole(
        past=past,
        told=look_back.review(past, ME),
        bids=None if bid is None else _bids(bid, worlds),
        again=None if bid is None else replays(past, worlds, 7),
        behind=tuple(behind),
        hidden=tuple(mistake for mistake in mistakes if mistake not in shown),
    )


def _bids(turn: Turn, worlds: int) -> Figures:
    return figures(turn.observation, [Bid(n) for n in range(HAND_SIZE + 1)], worlds, 7)


def _other(turn: Turn, found: Find) -> Play:
    """The play that a find is told beside."""
    said = re.search(r" better than (.*)\.$", found.words[0])
    assert said is not None
    hand = turn.observation.hand
    plays = [move for move in turn.observation.legal if isinstance(move, Play)]
    return next(play for play in plays if play_words(play, hand) == said[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=2_000)
    parser.add_argument("--worlds", type=int, default=WORLDS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    analysis.load()
    found = contradicted(options.positions, worlds=options.worlds, seed=options.seed)
    for kind in (*PLAYS, *WHOLE, "no known sentence"):
        if found.said[kind]:
            row = {"said": kind, "times": found.said[kind], "contradicted": found.false[kind]}
            print(json.dumps(row))
    total = {"times": found.said.total(), "contradicted": found.false.total()}
    print(json.dumps({"said": "all", **total}))
    for text in found.shown if options.show else ():
        print(text)


if __name__ == "__main__":
    main()
