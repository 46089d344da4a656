"""Playing: people's moves, bots' and the clock's, and going on between rounds."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from random import Random
from typing import TypedDict, Unpack

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.analysis import bots
from games.analysis.outcomes import Choice, packed
from games.models import Move
from games.rules import IllegalMove, move_text
from games.tables import boards
from games.tables.dealing import deal_next
from games.tables.notify import changed, notify_after_commit
from games.tables.observation import round_observation
from games.tables.refusals import (
    Refusal,
    Rejected,
    check_not_benched,
    check_turn,
    locked_for,
    refusal_in_words,
    stale_words,
)
from games.tables.results import write_results
from games.tables.seats import set_stand_in
from games.tables.state import TableState, load_table, recall, remember_committed, rounds_before
from games.tables.statements import insert, note_ready
from games.tables.timing import clock_is_up, last_seen, next_round_due
from games.tables.view import Status
from games.tables.viewers import Viewer
from xactika_site import clock, metrics
from xactika_site.randomness import system_rng

# Playing.


class MadeBy(TypedDict, total=False):
    """Who makes a move, in the columns that store it: a person, if nothing else is said, by
    their browser or as a student; a bot by its level, with its reason (``outcomes.packed``)."""

    mover: str
    level: str
    guest_id: int | None
    student_id: int | None
    reason: object


def make_move(
    *,
    table_id: str,
    seat: int | None,
    turn: str,
    text: str,
    viewer: Viewer | None = None,
    **by: Unpack[MadeBy],
) -> None:
    """Store the move ``text`` (in the rules' notation) of ``seat`` at ``turn``.

    A person's own move takes the seat back from a bot standing in, but not in a league.
    ``viewer`` is the person as they were let in. Raises Rejected with ``paused``,
    ``stale_turn``, ``not_your_turn`` or ``illegal_move``, NotFound if the right of this viewer
    has ended; nothing is changed then.
    """
    mover = by.setdefault("mover", Move.Mover.PERSON)
    try:
        with transaction.atomic():
            boards.lock_if_last(recall(table_id), turn)
            state = locked_for(viewer, table_id)
            now = clock.now()
            after = _state_after(state, seat, turn, text, now, mover)
            assert seat is not None  # or it would have been refused
            assert after.deal_id is not None
            assert after.round is not None
            move = Move(
                deal_id=after.deal_id,
                number=len(state.moves),
                seat=seat,
                text=text,
                sitting=state.seats[seat].serial,
                made=now,
                **by,
            )
            insert([move])  # IntegrityError if this turn has one
            if after.round.is_over:
                write_results(after.deal_id, after.round)
                boards.note_progress(after)
            is_late = state.is_in_league and mover == Move.Mover.CLOCK
            if is_late or (mover == Move.Mover.PERSON and state.seats[seat].stand_in):
                set_stand_in(state, seat, is_late)
                notify_after_commit(table_id)
            else:
                remember_committed(after)
                notify_after_commit(table_id, after)
        metrics.MOVES.one(mover)
    except IntegrityError:  # another process was quicker
        raise Rejected(Refusal.STALE_TURN, stale_words()) from None


def _state_after(
    state: TableState, seat: int | None, turn: str, text: str, now: datetime, mover: str
) -> TableState:
    """The table after this move; Rejected, in the protocol's order, if it cannot be made."""
    check_turn(state, turn)
    if seat is None or seat != state.to_move or state.round is None:
        raise Rejected(Refusal.NOT_YOUR_TURN, _("It’s not your turn."))
    if mover == Move.Mover.PERSON:
        check_not_benched(state, seat)
    try:
        return state.after([(seat, text, now)])
    except IllegalMove as why:
        message = refusal_in_words(why, state.round)
        raise Rejected(Refusal.ILLEGAL_MOVE, message, reason=why.code) from None


def decide_move(
    *, state: TableState, rng: Random | None = None, seconds: float | None = None
) -> Choice:
    """The move that a bot, the seat's own or of the table's level, would make for whoever's
    turn it is, and why; no database.

    An expert thinks for some milliseconds: call it where nobody waits; ``seconds`` limit it
    (see ``bots.decide``). Raises Rejected (``stale_turn``) where nobody is to move.
    """
    seat = state.to_move
    if seat is None:
        raise Rejected(Refusal.STALE_TURN, stale_words())
    observation = round_observation(state, seat)
    return bots.decide(
        observation,
        level=level_to_move(state),
        rng=rng or system_rng,
        seconds=seconds,
        before=rounds_before(state),
    )


def level_to_move(state: TableState) -> str:
    """The level of whoever decides the next move, if a bot does; empty where nobody moves."""
    return (
        "" if state.to_move is None else state.seats[state.to_move].level or state.setup.level
    )


def make_bot_move(
    *, table_id: str, turn: str, for_anybody: bool = False, choice: Choice | None = None
) -> None:
    """Make the move of the bot whose turn it is (or who stands in): ``choice``, made
    beforehand, or else decided here, before the transaction opens; with ``for_anybody`` also
    for a person who has left, or whom the room waits for. Rejected like any move, if another
    was quicker."""
    state = load_table(table_id)
    seat = state.to_move
    if seat is None or not (for_anybody or state.seats[seat].is_played_by_bot):
        raise Rejected(Refusal.STALE_TURN, stale_words())
    _make_decided(state, turn, Move.Mover.BOT, choice)


def make_clock_move(*, table_id: str, turn: str, choice: Choice | None = None) -> None:
    """Make the move that the table's bot would, as the turn's time is up. Rejected like any
    move, and with ``stale_turn`` if there is time left."""
    state = load_table(table_id)
    if not clock_is_up(state, clock.now()):
        raise Rejected(Refusal.STALE_TURN, stale_words())
    _make_decided(state, turn, Move.Mover.CLOCK, choice)


def _make_decided(state: TableState, turn: str, mover: str, choice: Choice | None) -> None:
    seat = state.to_move
    if state.turn != turn or seat is None:
        raise Rejected(Refusal.STALE_TURN, stale_words())
    choice = choice or decide_move(state=state)
    make_move(
        table_id=state.id,
        seat=seat,
        turn=turn,
        text=move_text(choice.move),
        mover=mover,
        level=bots.level_now(level_to_move(state)),
        reason=packed(choice.options) or None,
    )


# Between rounds.


@transaction.atomic
def say_ready(
    *, table_id: str, seat: int | None, turn: str, viewer: Viewer | None = None
) -> None:
    """Note a person as ready for the next round; when all who are here are, deal it.

    Saying it again is harmless. Raises Rejected (``paused``, ``stale_turn``,
    ``not_your_turn`` for watchers and when no round has just ended).
    """
    state = locked_for(viewer, table_id)
    check_turn(state, turn)
    if seat is None or state.status != Status.ROUND_OVER:
        raise Rejected(Refusal.NOT_YOUR_TURN, _("You can’t do that now."))
    if state.seats[seat].ready_at:
        return
    now = clock.now()
    note_ready(table_id, seat, now)
    seats = tuple(replace(s, ready_at=now) if s.number == seat else s for s in state.seats)
    after = replace(state, seats=seats, version=state.version + 1)
    changed(state, after)
    _deal_if_due(after)


@transaction.atomic
def go_on(*, table_id: str) -> None:
    """Deal the next round if time or a departure has made it due."""
    _deal_if_due(load_table(table_id, lock=True))


def _deal_if_due(state: TableState) -> None:
    presence = last_seen([state.id]).get(state.id, {})
    if next_round_due(state, presence, clock.now()):
        deal_next(state)
