"""What people do to a table beside playing: stand-ins, links, pace, pausing, closing."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from games.models import PACES, Admission, Guest, Seat, SessionSettings, Table
from games.tables import boards
from games.tables.dealing import deal_next
from games.tables.notify import changed, notify_after_commit
from games.tables.opening import BadSettings
from games.tables.refusals import Refusal, Rejected, check_not_benched, check_turn, locked_for
from games.tables.seats import set_stand_in
from games.tables.state import TableState, load_table
from games.tables.timing import last_seen, may_be_stood_in_for
from games.tables.view import Status
from games.tables.viewers import Viewer
from xactika_site import clock
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import deletion

# Standing in.


@transaction.atomic
def ask_stand_in(
    *, table_id: str, asker: int | None, turn: str, seat: int, viewer: Viewer | None = None
) -> None:
    """Let a bot play, as somebody at the table asks, for a person who is away or whose turn has
    outlasted the patience. Raises Rejected."""
    state = locked_for(viewer, table_id)
    check_turn(state, turn)
    if asker is None or asker == seat or not 0 <= seat < len(state.seats):
        raise Rejected(Refusal.NOT_YOUR_TURN, _("You can’t do that now."))
    if state.seats[seat].is_played_by_bot:
        return
    presence = last_seen([table_id]).get(table_id, {})
    if not may_be_stood_in_for(state, seat, presence, clock.now()):
        raise Rejected(Refusal.NOT_YOUR_TURN, _("You can’t do that now."))
    set_stand_in(state, seat, True)


@transaction.atomic
def take_back(*, table_id: str, seat: int | None, viewer: Viewer | None = None) -> None:
    """Give a person the seat back from the bot that stood in, but not in a league. Harmless if
    none did."""
    state = locked_for(viewer, table_id)
    if seat is None:
        raise Rejected(Refusal.NOT_YOUR_TURN, _("You can’t do that now."))
    check_not_benched(state, seat)
    if state.seats[seat].stand_in:
        set_stand_in(state, seat, False)


# Everybody's own.


@transaction.atomic
def ask_for_slow_bots(*, table_id: str, viewer: Viewer, slow: bool) -> None:
    """Ask for slow bots, for somebody at the table, or take that back; the table never gets
    faster by it than its opener or teacher has set. NotFound for whoever watches."""
    state = locked_for(viewer, table_id)
    if viewer.seat is None:
        raise NotFound
    Seat.objects.filter(table=table_id, number=viewer.seat).update(slow=slow)
    changed(state)


# What the opener may do.


def _locked_for_opener(table_id: str, guest: Guest | None) -> TableState:
    state = load_table(table_id, lock=True)
    if guest is None or state.opener_id != guest.pk:
        raise NotFound
    return state


@transaction.atomic
def renew_link(*, table_id: str, guest: Guest | None, seat: int | None) -> None:
    """Make a seat's link (or, for None, the watch link) anew: whoever came by the old one is
    out, but for the opener. NotFound unless the guest opened the table."""
    state = _locked_for_opener(table_id, guest)
    if seat is None:
        Table.objects.filter(pk=table_id).update(watch_serial=F("watch_serial") + 1)
        Admission.objects.filter(table=table_id, seat=None).delete()
    elif not 0 <= seat < len(state.seats) or state.seats[seat].is_bot:
        raise NotFound
    else:
        mine = Seat.objects.filter(table=table_id, number=seat)
        mine.update(serial=F("serial") + 1, program=False)
        others = Admission.objects.filter(table=table_id, seat__number=seat)
        others.exclude(guest=state.opener_id).delete()
    changed(state)


@transaction.atomic
def set_pace(*, table_id: str, guest: Guest | None, pace: str) -> None:
    """Let bots play slower, faster or at once (``pace`` is a key of PACES)."""
    state = _locked_for_opener(table_id, guest)
    if pace not in PACES:
        raise BadSettings(_("Choose from what the form offers."))
    Table.objects.filter(pk=table_id).update(pace=PACES[pace])
    changed(state)


@transaction.atomic
def set_odds(*, table_id: str, guest: Guest | None, odds: str) -> None:
    """Set whether and when the seats are told their odds (a value of OddsPanel)."""
    state = _locked_for_opener(table_id, guest)
    if odds not in SessionSettings.OddsPanel.values:
        raise BadSettings(_("Choose from what the form offers."))
    Table.objects.filter(pk=table_id).update(odds_panel=odds)
    changed(state)


@transaction.atomic
def set_reactions(*, table_id: str, guest: Guest | None, on: bool) -> None:
    """Let the seats show each other reactions, or not."""
    state = _locked_for_opener(table_id, guest)
    Table.objects.filter(pk=table_id).update(reactions=on)
    changed(state)


@transaction.atomic
def set_paused(*, table_id: str, guest: Guest | None, paused: bool) -> None:
    """Stop the table, or let it go on."""
    state = _locked_for_opener(table_id, guest)
    pause(state, paused)


def pause(state: TableState, paused: bool) -> None:
    """Stop a table, or let it go on with a turn's time anew. In the caller's transaction."""
    resumed = None if paused else clock.now()
    Table.objects.filter(pk=state.id).update(paused=paused, resumed=resumed)
    changed(state)


@transaction.atomic
def start_without_missing(*, table_id: str, guest: Guest | None) -> None:
    """Start with bots in for the people who have not come; they may still take their seats."""
    state = _locked_for_opener(table_id, guest)
    if state.status != Status.WAITING:
        return
    Seat.objects.filter(table=table_id, opened=False, level="").update(
        opened=True, stand_in=True
    )
    deal_next(state)


@transaction.atomic
def close_table(*, table_id: str, guest: Guest | None) -> None:
    """End the table where it stands. A game that is over stays so."""
    state = _locked_for_opener(table_id, guest)
    if state.status == Status.GAME_OVER:
        return
    Table.objects.filter(pk=table_id).update(closed=True)
    changed(state)


# After the game.


@deletion
def delete_table(*, table_id: str) -> None:
    """Delete a table played without a class, with all that was played there or on from there.
    Harmless if it is gone."""
    table = Table.objects.filter(pk=table_id, class_session=None)
    going = boards.lock_tables_and_studies(table)
    table.delete()
    for gone in {table_id, *going}:
        notify_after_commit(gone)
