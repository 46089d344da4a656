"""What a class shows who passes by, on a sheet for the corridor: its best decision, its
luckiest hand, its forecasts beside what came. Nameless, and all of it is over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from typing import NamedTuple

from django.db.models import Prefetch

from games.analysis.jobs import report
from games.models import Deal, Move, Table
from games.rules import HAND_SIZE, Call, Play, Variant, by_value, parse_card
from games.study.look_back.past_rounds import PastRound, as_played
from games.study.look_back.plays import Find, judge
from games.study.look_back.reviews import own_turns, plays_with_a_choice
from games.study.odds.forecasts import Turn
from lessons import charts
from lessons.results.dataset import Dataset, FinishedDeal
from lessons.results.dealt.dealing import VALUE, total_chances
from xactika_site.classrooms.privacy import FEWEST

CHOICE = 3
"""So many cards at least must have been possible for a decision to be a hard one."""

MOST = 150
"""Decisions that are weighed, evenly taken from all: a few seconds."""

# The best decision.


class HardPlay(NamedTuple):
    """A play of a student's that was not the highest card of several possible ones."""

    past: PastRound
    moment: int
    turn: Turn


class HardestPlay(NamedTuple):
    """The best of the hard plays: how it was judged, the hand at that turn, and the call that
    was to follow, if any."""

    find: Find
    hand: tuple[str, ...]
    call: Call | None


def hard_plays(data: Dataset) -> list[HardPlay]:
    """The hard plays of the counted rounds, MOST of them at most. Two queries."""
    seats: dict[int, list[int]] = defaultdict(list)
    for played in data.rounds:
        seats[played.deal.pk].append(played.seat)
    in_order = Prefetch("moves", Move.objects.order_by("number"))
    deals = Deal.objects.filter(pk__in=seats).exclude(table__kind=Table.Kind.PAPER)
    deals = deals.select_related("table").order_by("pk")
    plays = [
        HardPlay(past, moment, turn)
        for deal in deals.prefetch_related(in_order)
        for past in [as_played(deal, Variant(deal.table.variant), deal.moves.all())]
        for seat in seats[deal.pk]
        for moment, turn in plays_with_a_choice(own_turns(past, seat)).items()
        if _is_hard(turn)
    ]
    return plays[:: ceil(len(plays) / MOST) or 1]


def _is_hard(turn: Turn) -> bool:
    cards = {move.card for move in turn.observation.legal if isinstance(move, Play)}
    highest = max(card.value for card in cards)
    played = turn.move.card if isinstance(turn.move, Play) else None
    return len(cards) >= CHOICE and played is not None and played.value < highest


def best_decision(plays: Sequence[HardPlay]) -> HardestPlay | None:
    """The one that was furthest ahead of the next best card, by what its seat could know; None
    where none was clearly ahead. Simulates; raises analysis.NotReady."""
    best: HardestPlay | None = None
    for n, (past, moment, turn) in enumerate(plays):
        report(n, len(plays))
        found = judge(turn, past.round.tricks[turn.trick - 1], moment=moment)
        if isinstance(found, Find) and (best is None or found.ahead > best.find.ahead):
            hand = tuple(card.code for card in by_value(turn.observation.hand))
            trick = turn.observation.trick
            best = HardestPlay(found, hand, trick.call if trick else None)
    return best


# The luckiest hand.


class Lucky(NamedTuple):
    """A hand with the total of its cards, the chance of one at least as lucky, and how many
    hands chance has dealt to the class."""

    hand: tuple[str, ...]
    total: int
    chance: Fraction
    hands: int


def luckiest(data: Dataset) -> Lucky | None:
    """The rarest hand that chance dealt: the highest total, or in Play to Lose the lowest."""
    every = [(deal, hand) for deal in data.drawn_deals for hand in deal.hands]
    if not every:
        return None
    deal, hand = min(every, key=lambda each: _tail_probability(*each))
    chance = _tail_probability(deal, hand)
    cards = by_value(map(parse_card, hand))
    total = sum(card.value for card in cards)
    return Lucky(tuple(card.code for card in cards), total, chance, len(every))


def _tail_probability(deal: FinishedDeal, hand: Sequence[str]) -> Fraction:
    """The chance that a hand's total is at least as lucky as this one's."""
    sign = -1 if deal.variant == Variant.LOSE.value else 1
    own = sum(map(VALUE.__getitem__, hand))
    chances = total_chances().items()
    return sum((p for total, p in chances if sign * total >= sign * own), Fraction())


# The forecasts.


def foreseen(data: Dataset) -> charts.Figure | None:
    """The class's forecasts beside what came: how likely 0 to 8 tricks were said to be, on
    average, and how often they came; None for fewer than five students."""
    if data.forecasters < FEWEST:
        return None
    rows, tricks = data.forecasts, range(HAND_SIZE + 1)
    said = [sum(percents[k] / sum(percents) for percents, _taken in rows) for k in tricks]
    came = [sum(taken == k for _percents, taken in rows) for k in tricks]
    bars = charts.bars(tricks, [count / len(rows) for count in came])
    hollow = charts.hollow_bars(tricks, [share / len(rows) for share in said])
    return charts.figure([bars, hollow], percent=True, overlay=True, every=1)
