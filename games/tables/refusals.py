"""Why a request at a table is not done: a code for programs, a sentence for people."""

from __future__ import annotations

from enum import StrEnum

from django.utils.translation import gettext as _

from games.rules import IllegalMove, Round
from games.tables.state import TableState, load_table
from games.tables.viewers import Viewer
from games.words import call_words
from xactika_site.classrooms.selectors import NotFound


class Refusal(StrEnum):
    """The protocol's errors, by their codes."""

    BAD_MESSAGE = "bad_message"
    ILLEGAL_MOVE = "illegal_move"
    NOT_FOUND = "not_found"
    NOT_YOUR_TURN = "not_your_turn"
    PAUSED = "paused"
    STALE_TURN = "stale_turn"
    TOO_FAST = "too_fast"
    UNAVAILABLE = "unavailable"


class Rejected(Exception):
    """A request that cannot be done now; ``reason`` is the code of an IllegalMove."""

    def __init__(self, code: Refusal, message: str, *, reason: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason


def locked_for(viewer: Viewer | None, table_id: str) -> TableState:
    """The table, locked; NotFound if what let this viewer in holds no longer."""
    state = load_table(table_id, lock=True)
    if viewer is not None and not viewer.may_stay(state):
        raise NotFound
    return state


def check_turn(state: TableState, turn: str) -> None:
    """Rejected while the table is paused, and for another turn than the present one."""
    if state.paused:
        raise Rejected(Refusal.PAUSED, _("The table is paused."))
    if turn != state.turn:
        raise Rejected(Refusal.STALE_TURN, stale_words())


def check_not_benched(state: TableState, seat: int) -> None:
    if state.is_benched(seat):
        raise Rejected(Refusal.NOT_YOUR_TURN, _("A bot is playing for you."))


def stale_words() -> str:
    return _("Too late, the game went on. Here’s where it is.")


def refusal_in_words(why: IllegalMove, round_: Round) -> str:
    """A sentence on what a person can do about an illegal move, in the game's words."""
    call = round_.trick.call if round_.trick else None
    messages = {
        "bid_expected": _("A bid is a number from 0 to 8."),
        "bid_out_of_range": _("A bid is a number from 0 to 8."),
        "hook": _("The total can’t be 8. Choose another number."),
        "call_missing": _("Call what your card shows."),
        "call_not_on_card": _("Call what your card shows."),
        "must_follow": _("Play a card with exactly %(call)s.")
        % {"call": call_words(call) if call else ""},
    }
    return messages.get(why.code, _("You can’t do that now."))
