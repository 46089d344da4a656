"""The same deal again: one's own earlier line, what one has made of it since, and an expert's.

Tries are study tables that were opened at the deal, before any bid: the same cards, bots on the
other seats. They are the browser's own and count nowhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from math import inf
from random import Random

from games import analysis
from games.analysis import bots
from games.analysis.jobs import remembered, report
from games.models import Deal, Guest, Position, Table
from games.rules import HAND_SIZE, Call, Card, Round, Variant, move_text, observe, score_round
from games.study.replay.lines import Line
from games.study.replay.positions import Sight, levels_of, line_of
from games.tables.state import load_table

SHOWN = 3
"""So many tries stand beside the first line: the latest."""


@dataclass(frozen=True, slots=True)
class Laid:
    """The seat's card in a trick, its call where it led, and whether it took."""

    card: Card
    call: Call | None
    took: bool


@dataclass(frozen=True, slots=True)
class Own:
    """What a line was for one seat: its bid, its eight cards in order, tricks and points."""

    bid: int | None
    cards: tuple[Laid, ...]
    taken: int
    points: int


@dataclass(frozen=True, slots=True)
class BoardTry:
    """The board played again: the table, when it was opened, and the line (None: it is still
    being played)."""

    table_id: str
    opened: datetime
    own: Own | None


def own_line(line: Line, seat: int) -> Own:
    """A whole line as this seat played it."""
    end = line.rounds[-1]
    cards = []
    for trick in end.tricks:
        card = next(card for player, card in trick.plays if player == seat)
        call = trick.call if trick.leader == seat else None
        cards.append(Laid(card, call, trick.winner == seat))
    return Own(end.bids[seat], tuple(cards), end.taken[seat], score_round(end)[seat])


def tries(position: Position, guest: Guest | None) -> list[BoardTry]:
    """What this browser has made of the board since from this seat, the first try first; of
    several the latest alone."""
    if guest is None:
        return []
    opened = Table.objects.filter(
        kind=Table.Kind.STUDY,
        position__deal=position.deal_id,
        position__seat=position.seat,
        position__moves=0,
        admissions__guest=guest,
    )
    latest = opened.order_by("-created", "-pk").values_list("pk", "created")[:SHOWN]
    return [_try(pk, created, position.seat) for pk, created in reversed(latest)]


def _try(table_id: str, created: datetime, seat: int) -> BoardTry:
    state = load_table(table_id)
    line = line_of(state, Deal.objects.get(table=table_id, round=1))
    is_over = line.is_whole and line.rounds[-1].is_over
    return BoardTry(table_id, created, own_line(line, seat) if is_over else None)


def parting_trick(one: Own, other: Own) -> int | None:
    """The first trick, from 1, to which the two did not lay the same card (0: another bid);
    None where they played alike."""
    if one.bid != other.bid:
        return 0
    pairs = zip(one.cards, other.cards, strict=True)
    return next(
        (n for n, (a, b) in enumerate(pairs, 1) if (a.card, a.call) != (b.card, b.call)), None
    )


# The expert's.


def expert_line(sight: Sight, seat: int) -> Line:
    """The line of the board as an expert plays it from this seat, the others as at a study
    table. Plays it, unless it is known. Raises analysis.NotReady, for now or for ever."""
    levels = levels_of(sight)
    levels[seat] = bots.SIMULATING
    return line_of_bots(sight.line.start, levels)


def line_of_bots(start: Round, levels: Sequence[str]) -> Line:
    """A deal as ``play_out`` plays it, unless that is known. May raise analysis.NotReady."""
    analysis.require()
    question = "expert's line", start.variant, start.dealer, start.hands, tuple(levels)
    return remembered(question, partial(play_out, start, levels))


def play_out(start: Round, levels: Sequence[str]) -> Line:
    """A deal played from its first move by bots of these levels, always alike."""
    round_, moves = start, list[tuple[int, str]]()
    rng = Random(f"{start.hands}")  # noqa: S311 (settles ties alike for whoever asks)
    while (seat := round_.to_move) is not None:
        report(len(moves), start.seats * (HAND_SIZE + (start.variant is Variant.BID)))
        observation = observe(round_, seat)
        move = bots.choose(observation, level=levels[seat], rng=rng, seconds=inf)
        moves.append((seat, move_text(move)))
        round_ = round_.apply(move)
    return Line(start, tuple(moves))
