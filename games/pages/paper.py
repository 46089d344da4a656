"""The game on paper: the deck to cut out, a score sheet, boards dealt by slips."""

from __future__ import annotations

from random import Random, SystemRandom

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.rules import DECK, HAND_SIZE, MAX_SEATS, MIN_SEATS, stats_table
from xactika_site.http import HttpRequest, digits

A_SHEET = 9
"""Cards of a sheet: three rows of three fit on A4 and on Letter."""

ROUNDS = range(1, 9)
BOARDS = range(1, 9)
SETS = 10_000
"""Sets of boards: whoever types the same number gets the same slips."""


_chance = SystemRandom()


@require_safe
def deck(request: HttpRequest) -> HttpResponse:
    """All cards, nine a sheet, each sheet with its backs behind it; the stats table and a score
    sheet."""
    codes = [card.code for card in sorted(DECK, key=lambda card: (card.value, card.code))]
    context = {
        "sheets": [codes[at : at + A_SHEET] for at in range(0, len(codes), A_SHEET)],
        "backs": range(A_SHEET),
        "stats": [(value, *counts) for value, counts in stats_table().items()],
        "rounds": ROUNDS,
        "players": range(6),
    }
    return render(request, "games/paper/deck.html", context)


@require_safe
def slips(request: HttpRequest) -> HttpResponse:
    """Boards to deal from a sorted deck: for each board and seat a slip with its eight cards;
    who takes part twice plays the same cards. ``set`` is a number that gives the same slips
    again."""
    seats = _asked(request, "seats", range(MIN_SEATS, MAX_SEATS + 1), 4)
    boards = _asked(request, "boards", BOARDS, 4)
    number = _asked(request, "set", range(SETS), _chance.randrange(SETS))
    rng = Random(f"{number}.{seats}")  # noqa: S311 - printed, and known to whoever prints
    context = {
        "boards": [(board, *_dealt(seats, board, rng)) for board in range(1, boards + 1)],
        "choices": {"seats": range(MIN_SEATS, MAX_SEATS + 1), "boards": BOARDS},
        "seats": seats,
        "many": boards,
        "set": number,
    }
    return render(request, "games/paper/slips.html", context)


def _asked(request: HttpRequest, name: str, among: range, usual: int) -> int:
    """A number that the address asks for, if it is one of these."""
    asked = digits(request.GET.get(name, ""), most=5)
    return asked if asked is not None and asked in among else usual


def _dealt(seats: int, board: int, rng: Random) -> tuple[int, list[tuple[int, list[str]]]]:
    """A board's dealer and the hands by seat, from 1; the dealer passes to the left."""
    codes = [card.code for card in rng.sample(DECK, seats * HAND_SIZE)]
    hands = [sorted(codes[seat::seats]) for seat in range(seats)]
    return (board - 1) % seats + 1, list(enumerate(hands, start=1))
