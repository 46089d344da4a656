"""Points round by round, standings, and what one hand came to at every table, as questions,
answers and charts; their words are pages of measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

from games.rules import Variant
from games.words import one_of
from lessons.charts import LABEL
from lessons.measures.marks import Merged
from lessons.measures.measure import panel
from lessons.measures.panels import Panel
from lessons.results.bids import bidding
from lessons.results.dataset import Dataset
from lessons.results.points import boards, standings
from lessons.results.words import FEW_TO_RANK, basis_words
from xactika_site.classrooms.privacy import FEWEST

Namer = Callable[[standings.Placing], str]


def standing_rows(places: Iterable[standings.Placing], name: Namer) -> list[Merged]:
    """A row for each place, with the name that ``name`` gives."""
    return [Merged(place, name=name(place)) for place in places]


def standing(game: standings.GameStandings, name: Namer) -> Panel:
    """The standings of a game, a row a student, by the names that ``name`` gives."""
    rows = standing_rows(game.places, name)
    said = {
        "game": game.game,
        "fair": game.is_duplicate,
        "lose": game.variant == Variant.LOSE.value,
        "total": game.places[0].total if game.places else 0,
        "ranked": len(game.places) >= FEW_TO_RANK,
    }
    return panel("standings", rows, said, key=f"standings-{game.game}")


def same_hand(data: Dataset, *, homework: bool = False) -> Panel:
    """What one and the same hand came to at several tables, or with several students: the
    widest apart in words, of the board that the tile names where it names one."""
    hands = standings.same_hands(data)
    if not hands:
        return panel("same-hand")
    several = len({hand.game for hand in hands}) > 1
    rows = [
        Merged(
            hand,
            label=_label(hand, several=several),
            tables=len(hand.outcomes),
            points=Fraction(sum(points for *_, points in hand.outcomes), len(hand.taken)),
        )
        for hand in hands
    ]
    outcomes = [
        {"label": row["label"], "taken": taken, "pixels": 8 + 5 * sqrt(tables)}
        for row, hand in zip(rows, hands, strict=True)
        for taken, tables in sorted(Counter(hand.taken).items())
    ]
    named = [] if homework else boards.weakest_boards(boards.boards(data))
    stand_out = {(each.game, each.number) for each in named}
    told = [hand for hand in hands if (hand.game, hand.board) in stand_out] or hands
    widest = max(told, key=lambda hand: hand.range)
    said = Merged(
        widest,
        several=several,
        outcomes=outcomes,
        board=_board_label(widest.game, widest.board, several=several),
        seat=widest.seat + 1,
        homework=homework,
        apart=Fraction(sum(hand.range for hand in hands), len(hands)),
        worst=one_of([_board_label(each.game, each.number, several=several) for each in named]),
        share=named[0].share if named else None,
    )
    rests = basis_words(deals=len({(hand.game, hand.board) for hand in hands}))
    return panel("same-hand", rows, said, basis=rests)


def _label(hand: standings.SameHand, *, several: bool) -> str:
    """Where a hand was dealt; boards count from 1 in each of several games."""
    return f"{_board_label(hand.game, hand.board, several=several)}·{hand.seat + 1}"


def _board_label(game: int, board: int, *, several: bool) -> str:
    return f"{game}·{board}" if several else str(board)


def points(data: Dataset, *, is_shared: bool = False) -> Panel:
    """Mean points, round by round; on a screen that others see not of rounds that fewer than
    five students have finished."""
    played = bidding.points_by_round(data)
    shown = [row for row in played if not is_shared or row.students >= FEWEST]
    if not shown:
        return panel("points").hidden() if played else panel("points")
    several = len({row.game for row in shown}) > 1
    rows = [
        Merged(row, label=f"{row.game}·{row.round}" if several else str(row.round))
        for row in shown
    ]
    said = {
        "several": several,
        "bid": any(row.hit_rate is not None for row in shown),
        **_room(shown),
        **_changes(shown),
    }
    rounds, students = sum(row.rounds for row in shown), len(data.students)
    rests = basis_words(rounds=rounds, students=students, of=len(data.came))
    return panel("points", rows, said, basis=rests)


def _room(rows: Sequence[bidding.RoundPoints]) -> Mapping[str, Any]:
    """The ends of an axis with room for labels above bars, and below those that hang."""
    heights = [Fraction(), *(each for row in rows for each in (row.points, row.structural))]
    low, high = float(min(heights)), float(max(heights))
    room = LABEL * ((high - low) or 1)
    return {"low": low - room if low else 0, "high": high + room}


def _changes(rows: Sequence[bidding.RoundPoints]) -> Mapping[str, Any]:
    """The facts of the last round, beside the first one where it was of the same game."""
    first, last = rows[0], rows[-1]
    return {
        "compared": len(rows) > 1 and first.variant == last.variant,
        "made": first.hit_rate is not None and last.hit_rate is not None,
        "first": first.points,
        "last": last.points,
        "early": first.hit_rate,
        "late": last.hit_rate,
    }
