"""Cards for a round, and names for bots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from games.art import figurine_of
from games.models import Deal, Seat, Table
from games.rules import DECK, HAND_SIZE, Round
from games.tables.notify import changed
from games.tables.state import TableState, after_deal
from games.tables.view import Status
from xactika_site.randomness import system_rng

BOT_NAMES = tuple("Abraham Ada Blaise Carl Emmy Florence Grace Maryam Sofia Thomas".split())
"""First names of people who did well with chance and numbers, no two with one figurine."""

PRINTED_BOARDS = range(1, 9)
SLIPS = 10_000
"""Sets of printed slips: the same number deals the same boards."""


def deal_next(state: TableState, *, is_unchanged: bool = False) -> None:
    """Deal the next round of a table, in the caller's transaction. ``is_unchanged`` says that
    the transaction has changed nothing of the table since it read ``state``."""
    number = state.round_number + 1
    prepared = Table.objects.values_list("prepared", flat=True).get(pk=state.id)
    dealer, hands = new_deal(
        seats=len(state.seats), number=number, last=state.round, prepared=prepared
    )
    # Between rounds nothing else changes with the deal; before the first, seats may.
    is_unchanged |= state.round_number > 0
    board = None
    if state.is_in_league:
        board, is_unchanged = number, False
        Seat.objects.filter(table=state.id).update(stand_in=False)
    deal(
        state, number=number, dealer=dealer, hands=hands, board=board, is_unchanged=is_unchanged
    )


def new_deal(
    *, seats: int, number: int, last: Round | None, prepared: Sequence[Any] | None
) -> tuple[int, list[list[str]]]:
    """The dealer and the hands of a round: all 81 cards shuffled anew (rules A–C, M), or as
    prepared, if that is for so many seats. The first dealer is drawn, then the deal passes to
    the left."""
    if prepared and number <= len(prepared) and len(prepared[number - 1]["hands"]) == seats:
        return prepared[number - 1]["dealer"], prepared[number - 1]["hands"]
    dealer = system_rng.randrange(seats) if last is None else (last.dealer + 1) % seats
    cards = [card.code for card in DECK]
    system_rng.shuffle(cards)
    return dealer, [sorted(cards[seat : seats * HAND_SIZE : seats]) for seat in range(seats)]


def printed_deals(number: int, *, seats: int) -> dict[int, tuple[int, list[list[str]]]]:
    """The dealer and the hands of each board that the printed slips of this number deal to so
    many seats, by the board's number. Whoever prints them knows the number: it is no secret."""
    rng = Random(f"{number}.{seats}")  # noqa: S311
    boards = {}
    for board in PRINTED_BOARDS:
        cards = [card.code for card in rng.sample(DECK, seats * HAND_SIZE)]
        hands = [sorted(cards[seat::seats]) for seat in range(seats)]
        boards[board] = (board - 1) % seats, hands
    return boards


def deal(
    state: TableState,
    *,
    number: int,
    dealer: int,
    hands: list[list[str]],
    board: int | None = None,
    is_unchanged: bool = False,
) -> None:
    """Store a table's deal, in the caller's transaction (``is_unchanged`` as above)."""
    dealt = Deal.objects.create(
        table_id=state.id, round=number, dealer=dealer, hands=hands, board=board
    )
    Seat.objects.filter(table=state.id).update(ready_at=None, left_by=[])
    changed(state, after_deal(state, dealt) if is_unchanged else None)


def deal_first(state: TableState) -> None:
    """Deal the first round of a table that waits, just read. In the caller's transaction."""
    if state.status == Status.WAITING:
        deal_next(state, is_unchanged=True)


def bot_names(how_many: int) -> list[str]:
    """Names for so many bots (ten at most), in no order."""
    return system_rng.sample(BOT_NAMES, k=how_many)


def without_twins(bots: Sequence[str], beside: Iterable[str]) -> list[str]:
    """The names of these bots, with another instead of each whose figurine a name that sits
    ``beside`` them has, or a bot before it, as long as there is one."""
    seen, chosen = set(map(figurine_of, beside)), list[str]()
    for name in bots:
        free = (each for each in BOT_NAMES if each not in {*bots, *chosen})
        new = (each for each in (name, *free) if figurine_of(each) not in seen)
        chosen.append(next(new, name))
        seen.add(figurine_of(chosen[-1]))
    return chosen


def seat_names(seats: int, people: Mapping[int, str]) -> list[str]:
    """The name of each seat: that of who sits there, of ``people`` by seat, or a bot's that is
    nobody's twin (``without_twins``)."""
    drawn = bot_names(seats)
    bots = [number for number in range(seats) if number not in people]
    chosen = without_twins([drawn[number] for number in bots], people.values())
    names = {**people, **dict(zip(bots, chosen, strict=True))}
    return [names[number] for number in range(seats)]
