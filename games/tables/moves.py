"""What is done to tables. Every write goes through here, in one transaction each.

Of two moves for one turn exactly one wins. The bell rings after commit, without content.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random, SystemRandom
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from games.analysis import bots
from games.analysis.counting import when_led
from games.analysis.outcomes import Choice, packed
from games.models import (
    DEFAULT_PACE,
    DEFAULT_PATIENCE,
    PACES,
    Admission,
    Deal,
    Guest,
    Move,
    Result,
    Seat,
    SessionSettings,
    Table,
    TrickRecord,
)
from games.rules import (
    DECK,
    HAND_SIZE,
    MAX_ROUNDS,
    MAX_SEATS,
    MIN_SEATS,
    Card,
    IllegalMove,
    Round,
    Variant,
    move_text,
    parse_card,
    parse_move,
    score_round,
)
from games.tables import boards
from games.tables import state as selectors
from games.tables.bell import ring_after_commit, ring_session_after_commit
from games.tables.state import NotFound, TableState, Viewer, load_table
from games.words import call_words
from xactika_site.classrooms.models import Attendance, ClassSession, Student
from xactika_site.classrooms.names import two_word_names
from xactika_site.classrooms.selectors import key_hash
from xactika_site.classrooms.services import (
    deletion,
    lock_session,
    note_day,
    update_unlocked,
)

MAX_PATIENCE = 3600.0
MAX_PACE = 10.0

BOT_NAMES = tuple("Ada Blaise Carl Emmy Florence Jakob Katherine Maryam Sofia Thomas".split())
"""First names of people who did well with chance and numbers."""

_chance = SystemRandom()


class Rejected(Exception):
    """A request that cannot be done now. ``code`` is one of the protocol's errors; of an
    ``illegal_move``, ``reason`` is the IllegalMove's code."""

    def __init__(self, code: str, message: str, *, reason: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason


class BadSettings(ValueError):
    """Settings that no table can have; the message is one clear line."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """What a new table is to be. ``people`` sit on the first seats, bots on the others.

    ``patience`` and ``pace`` in seconds; ``deals`` are prepared ones, at least one a round.
    """

    variant: Variant
    seats: int
    people: int
    rounds: int = MAX_ROUNDS
    level: str = bots.DEFAULT_LEVEL
    patience: float = DEFAULT_PATIENCE
    pace: float = DEFAULT_PACE
    deals: Sequence[Any] | None = None

    def check(self) -> None:
        """Raise BadSettings, in one clear line, for what no table can have."""
        if not MIN_SEATS <= self.seats <= MAX_SEATS:
            raise BadSettings(
                _("A table has %(low)d to %(high)d seats, not %(seats)d.")
                % {"low": MIN_SEATS, "high": MAX_SEATS, "seats": self.seats}
            )
        if not 0 <= self.people <= self.seats:
            raise BadSettings(
                _("Of %(seats)d seats, 0 to %(seats)d can be people's, not %(people)d.")
                % {"seats": self.seats, "people": self.people}
            )
        if not 1 <= self.rounds <= MAX_ROUNDS:
            raise BadSettings(
                _("A game has 1 to %(high)d rounds, not %(rounds)d.")
                % {"high": MAX_ROUNDS, "rounds": self.rounds}
            )
        if self.level not in bots.LEVELS:
            raise BadSettings(
                _("There is no bot %(level)s; there are %(levels)s.")
                % {"level": repr(self.level[:40]), "levels": ", ".join(bots.LEVELS)}
            )
        if not 1 <= self.patience <= MAX_PATIENCE:
            raise BadSettings(_("Patience is 1 to %(high)d seconds.") % {"high": MAX_PATIENCE})
        if not 0 <= self.pace <= MAX_PACE:
            raise BadSettings(_("Pace is 0 to %(high)d seconds.") % {"high": MAX_PACE})
        if self.deals is not None:
            check_deals(self.deals, seats=self.seats, rounds=self.rounds)


def check_deals(deals: object, *, seats: int, rounds: int) -> None:
    """Raise BadSettings, in a teacher's words and naming the deal, unless ``deals`` is a list
    of at least ``rounds`` of ``{"dealer": seat, "hands": [[eight card codes] by seat]}``."""
    if not isinstance(deals, list):
        raise BadSettings(_("The file holds no list of deals."))
    if len(deals) < rounds:
        raise BadSettings(
            _("Deals in the file: %(deals)d; rounds of the game: %(rounds)d.")
            % {"deals": len(deals), "rounds": rounds}
        )
    for number, deal in enumerate(deals, start=1):
        if why := _fault(deal, seats):
            raise BadSettings(_("Deal %(number)d: %(why)s") % {"number": number, "why": why})


def _fault(deal: object, seats: int) -> str:
    """Why this is no deal for so many seats; empty if it is one."""
    if not isinstance(deal, dict) or set(deal) != {"dealer", "hands"}:
        return _("it needs a dealer and hands, and nothing else.")
    dealer, hands = deal["dealer"], deal["hands"]
    if type(dealer) is not int or not 0 <= dealer < seats:
        return _("the dealer is a seat, from 0 to %d.") % (seats - 1)
    if not isinstance(hands, list) or not all(isinstance(hand, list) for hand in hands):
        return _("the hands are lists of cards.")
    if len(hands) != seats:
        return _("it has %(hands)d hands, and a table %(seats)d seats.") % {
            "hands": len(hands),
            "seats": seats,
        }
    seen: set[Card] = set()
    for hand in hands:
        if len(hand) != HAND_SIZE:
            return _("a hand has %(size)d cards, and one here %(cards)d.") % {
                "cards": len(hand),
                "size": HAND_SIZE,
            }
        for code in hand:
            try:
                card = parse_card(code if isinstance(code, str) else "")
            except ValueError:
                return _("%s is no card of the game.") % repr(code)[:20]
            if card in seen:
                return _("the card %s is in it twice.") % card
            seen.add(card)
    return ""


def read_deals(text: str | bytes) -> Any:
    """Deals as they are written in a file; BadSettings in one line if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BadSettings(
            _("This is not a file of deals (they are written as JSON).")
        ) from None


# Opening.


@transaction.atomic
def open_table(*, kind: str, settings: TableSettings, opener: Guest | None = None) -> Table:
    """A new table. Its opener, if any, takes the first seat; a table without people, or with
    the opener alone, starts at once. Raises BadSettings."""
    settings.check()
    table = Table.objects.create(
        kind=kind,
        variant=settings.variant.value,
        rounds=settings.rounds,
        patience=settings.patience,
        pace=settings.pace,
        opener=opener,
        prepared=settings.deals,
    )
    names_of_bots = bot_names(settings.seats - settings.people)
    names = two_word_names(_chance, settings.seats)
    for number in range(settings.seats):
        is_bot = number >= settings.people
        Seat.objects.create(
            table=table,
            number=number,
            name=names_of_bots.pop() if is_bot else names[number],
            level=settings.level if is_bot else "",
        )
    if opener is not None and settings.people:
        admit(table_id=table.id, seat=0, guest=opener)
    else:
        _start_if_all_here(load_table(table.id))
    return table


def new_guest() -> tuple[Guest, str]:
    """A guest and the key for its cookie, of which only a hash is kept."""
    key = secrets.token_urlsafe(32)
    return Guest.objects.create(key_hash=key_hash(key)), key


class SeatTaken(Exception):
    """Another browser sits there: its hand is shown to a second one knowingly or not at all."""


@transaction.atomic
def admit(*, table_id: str, seat: int | None, guest: Guest, take_over: bool = False) -> None:
    """Let a browser in to a seat, or to watch; the last person needed starts the game. Where
    another browser sits already it loses the seat (``take_over``), or SeatTaken is raised."""
    state = load_table(table_id, lock=True)
    place = None if seat is None else Seat.objects.get(table=table_id, number=seat)
    if seat is not None and state.seats[seat].is_anothers(guest):
        if not take_over:
            raise SeatTaken
        Admission.objects.filter(table=table_id, seat=place).update(taken_over=True)
    Admission.objects.update_or_create(
        table_id=table_id,
        guest=guest,
        seat=place,
        defaults={"visited": timezone.now(), "taken_over": False},
    )
    if place is not None and seat is not None:
        if guest.pk not in state.seats[seat].guests:
            _changed(state)
        _open_seat(state, seat)


@transaction.atomic
def open_seat(*, table_id: str, seat: int, program: bool = False) -> None:
    """A person's link was visited or their token connected (by a ``program``): they are here.
    The last person needed starts the game."""
    _open_seat(load_table(table_id, lock=True), seat, program=program)


def _open_seat(state: TableState, seat: int, *, program: bool = False) -> None:
    now = timezone.now()
    presence = selectors.last_seen([state.id]).get(state.id, {})
    Seat.objects.filter(table=state.id, number=seat).update(opened=True, last_seen=now)
    if program and not state.seats[seat].program:
        Seat.objects.filter(table=state.id, number=seat).update(program=True)
        _changed(state)
    if not state.seats[seat].opened:
        _changed(state)
        _start_if_all_here(state, but=seat)
    elif selectors.is_away(state, seat, presence, now):
        _changed(state)


def _start_if_all_here(state: TableState, *, but: int | None = None) -> None:
    """In a class the teacher starts the tables."""
    if state.kind == Table.Kind.CLASS:
        return
    if state.status == "waiting" and all(
        seat.opened or seat.number == but for seat in state.people
    ):
        deal_next(state)


def _changed(state: TableState) -> None:
    table_changed(state.id)


def table_changed(table_id: str) -> None:
    """Count a change that is not a move, and ring."""
    Table.objects.filter(pk=table_id).update(version=F("version") + 1)
    ring_after_commit(table_id)


def deal_next(state: TableState) -> None:
    """Deal the next round of a table. Runs in the caller's transaction."""
    number = state.round_number + 1
    prepared = Table.objects.values_list("prepared", flat=True).get(pk=state.id)
    dealer, hands = new_deal(
        seats=len(state.seats), number=number, last=state.round, prepared=prepared
    )
    deal(state, number=number, dealer=dealer, hands=hands)


def new_deal(
    *, seats: int, number: int, last: Round | None, prepared: Sequence[Any] | None
) -> tuple[int, list[list[str]]]:
    """The dealer and the hands of a round: all 81 cards shuffled anew (rules A–C, M), or as
    prepared, if that is for so many seats. The first dealer is drawn, then the deal passes to
    the left."""
    if prepared and number <= len(prepared) and len(prepared[number - 1]["hands"]) == seats:
        return prepared[number - 1]["dealer"], prepared[number - 1]["hands"]
    dealer = _chance.randrange(seats) if last is None else (last.dealer + 1) % seats
    cards = [card.code for card in DECK]
    _chance.shuffle(cards)
    return dealer, [sorted(cards[seat : seats * HAND_SIZE : seats]) for seat in range(seats)]


def deal(
    state: TableState,
    *,
    number: int,
    dealer: int,
    hands: list[list[str]],
    board: int | None = None,
) -> None:
    """Store a table's deal. Runs in the caller's transaction."""
    Deal.objects.create(
        table_id=state.id, round=number, dealer=dealer, hands=hands, board=board
    )
    Seat.objects.filter(table=state.id).update(ready_at=None, left_by=[])
    _changed(state)


def deal_first(state: TableState) -> None:
    """Deal the first round of a table that waits. Runs in the caller's transaction."""
    if state.status == "waiting":
        deal_next(state)


def bot_names(how_many: int) -> list[str]:
    """Names for so many bots (ten at most), in no order."""
    return _chance.sample(BOT_NAMES, k=how_many)


def shuffle(items: list[int]) -> None:
    """Put them in an order that nobody can foresee."""
    _chance.shuffle(items)


# Playing.


def make_move(
    *,
    table_id: str,
    seat: int | None,
    turn: str,
    text: str,
    mover: str = Move.Mover.PERSON,
    level: str = "",
    guest_id: int | None = None,
    student_id: int | None = None,
    viewer: Viewer | None = None,
    reason: object = None,
) -> None:
    """Store the move ``text`` (in the rules' notation) of ``seat`` at ``turn``.

    A person's own move takes the seat back from a bot standing in. ``viewer`` is the person as
    they were let in, ``reason`` a bot's (``outcomes.packed``). Raises Rejected with ``paused``,
    ``stale_turn``, ``not_your_turn`` or ``illegal_move``, NotFound if the right of this viewer
    has ended; nothing is changed then.
    """
    try:
        with transaction.atomic():
            boards.lock_if_last(selectors.recall(table_id), turn)
            state = _locked_by(viewer, table_id)
            made = timezone.now()
            after = _state_after(state, seat, turn, text, made)
            assert seat is not None  # or it would have been refused
            assert after.deal_id is not None
            assert after.round is not None
            Move.objects.create(
                deal_id=after.deal_id,
                number=len(state.moves),
                seat=seat,
                text=text,
                mover=mover,
                level=level,
                guest_id=guest_id,
                student_id=student_id,
                sitting=state.seats[seat].serial,
                reason=reason,
                made=made,
            )
            if after.round.is_over:
                write_results(after.deal_id, after.round)
                boards.progress(after)
            if mover == Move.Mover.PERSON and state.seats[seat].stand_in:
                set_stand_in(state, seat, False)
            else:
                selectors.remember_committed(after)
            ring_after_commit(table_id)
    except IntegrityError:  # another process was quicker
        raise Rejected("stale_turn", _stale()) from None


def _locked_by(viewer: Viewer | None, table_id: str) -> TableState:
    """The table, locked; NotFound if what let this viewer in holds no longer."""
    state = load_table(table_id, lock=True)
    if viewer is not None and not viewer.may_stay(state):
        raise NotFound
    return state


def _state_after(
    state: TableState, seat: int | None, turn: str, text: str, made: datetime
) -> TableState:
    """The table after this move; Rejected, in the protocol's order, if it cannot be made."""
    _check_turn(state, turn)
    if seat is None or seat != state.to_move or state.round is None:
        raise Rejected("not_your_turn", _("It is not your turn."))
    try:
        return state.after([(seat, text, made)])
    except IllegalMove as why:
        message = refusal_in_words(why, state.round)
        raise Rejected("illegal_move", message, reason=why.code) from None


def _check_turn(state: TableState, turn: str) -> None:
    if state.paused:
        raise Rejected("paused", _("The table is paused."))
    if turn != state.turn:
        raise Rejected("stale_turn", _stale())


def _stale() -> str:
    return _("The table has moved on. Here is how it stands now.")


def refusal_in_words(why: IllegalMove, round_: Round) -> str:
    """What a person can do about an illegal move, in the game's words."""
    call = round_.trick.call if round_.trick else None
    messages = {
        "bad_text": _("That is not a move."),
        "bid_expected": _("Bid first: a number from 0 to 8."),
        "play_expected": _("Bidding is over. Play a card."),
        "bid_out_of_range": _("A bid is a number from 0 to 8."),
        "hook": _("The dealer may not make the bids add up to 8. Choose another number."),
        "not_in_hand": _("That card is not in your hand."),
        "call_missing": _("You lead: call one of the four shapes on your card."),
        "call_not_on_card": _("Your card does not show that. Call what it shows."),
        "call_by_follower": _("Only the leader calls. Play a card."),
        "must_follow": _("You must follow %(call)s.")
        % {"call": call_words(call) if call else ""},
    }
    return messages.get(why.code, _("That move is not possible now."))


def write_results(deal_id: int, round_: Round) -> None:
    """Store what a finished round came to, by seat and by trick."""
    results, tricks = derive_results(deal_id, round_)
    Result.objects.bulk_create(results)
    TrickRecord.objects.bulk_create(tricks)


def derive_results(deal_id: int, round_: Round) -> tuple[list[Result], list[TrickRecord]]:
    """The rows that follow from a finished round and the movers of its moves, unsaved."""
    movers: dict[int, set[tuple[str, int, int | None]]] = {}
    students: dict[int, int] = {}
    rows = Move.objects.filter(deal=deal_id)
    for seat, mover, sitting, guest, student in rows.values_list(
        "seat", "mover", "sitting", "guest", "student"
    ):
        movers.setdefault(seat, set()).add((mover, sitting, guest))
        if student is not None:
            students[seat] = student
    results = []
    for seat, points in enumerate(score_round(round_)):
        by_person = len(movers[seat]) == 1 and next(iter(movers[seat]))[0] == Move.Mover.PERSON
        results.append(
            Result(
                deal_id=deal_id,
                seat=seat,
                bid=round_.bids[seat],
                taken=round_.taken[seat],
                points=points,
                by_person=by_person,
                student_id=students.get(seat) if by_person else None,
            )
        )
    tricks = [
        TrickRecord(
            deal_id=deal_id,
            number=number,
            leader=trick.leader,
            call=str(trick.call),
            value=trick.plays[0][1].value,
            safe=_was_safe(round_, number),
            chance=float(when_led(round_, number).chance),
            taker=trick.winner,
        )
        for number, trick in enumerate(round_.tricks)
        if trick.winner is not None
    ]
    return results, tricks


def _was_safe(round_: Round, number: int) -> bool:
    """Whether nobody else held a better card when this trick of a finished round was led.

    What a seat held then is what it has played from then on.
    """
    trick = round_.tricks[number]
    led = trick.plays[0][1]
    return not any(
        trick.call is not None and card.shows(trick.call) and card.value >= led.value
        for later in round_.tricks[number:]
        for seat, card in later.plays
        if seat != trick.leader
    )


def rebuild_results(*, check_only: bool = False) -> tuple[int, list[str]]:
    """Derive every deal's results anew from its moves.

    Returns how many finished rounds there are, and a line for each deal whose stored rows
    differed (mended unless ``check_only``).
    """
    finished, differing = 0, []
    for deal in Deal.objects.select_related("table").order_by("pk").iterator(chunk_size=200):
        with transaction.atomic():
            boards.lock_tables(Table.objects.filter(pk=deal.table_id))
            if not Deal.objects.filter(pk=deal.pk).exists():
                continue  # deleted meanwhile
            moves = Move.objects.filter(deal=deal).order_by("number")
            round_ = selectors.start_round(deal, Variant(deal.table.variant))
            for text in moves.values_list("text", flat=True):
                round_ = round_.apply(parse_move(text))
            results, tricks = derive_results(deal.pk, round_) if round_.is_over else ([], [])
            finished += round_.is_over
            stored: list[Result | TrickRecord] = [
                *deal.results.order_by("seat"),
                *deal.trick_records.order_by("number"),
            ]
            derived: list[Result | TrickRecord] = [*results, *tricks]
            if list(map(_facts, stored)) == list(map(_facts, derived)):
                continue
            differing.append(f"table {deal.table_id}, round {deal.round}")
            if not check_only:
                deal.results.all().delete()
                deal.trick_records.all().delete()
                Result.objects.bulk_create(results)
                TrickRecord.objects.bulk_create(tricks)
                Table.objects.filter(pk=deal.table_id).update(version=F("version") + 1)
                ring_after_commit(deal.table_id)
    return finished, differing


def _facts(row: Result | TrickRecord) -> dict[str, Any]:
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field.attname != "id"
    }


def decide_move(*, state: TableState, rng: Random | None = None) -> Choice:
    """What a bot would do for whoever's turn it is, and why: the seat's own, or of the table's
    level; no database.

    An expert thinks for some milliseconds: call it where nobody waits. Raises Rejected
    (``stale_turn``) where nobody is to move.
    """
    seat = state.to_move
    if seat is None:
        raise Rejected("stale_turn", _stale())
    seen = selectors.round_observation(state, seat)
    level = state.seats[seat].level or state.level
    return bots.decide(seen, level=level, rng=rng or _chance)


def make_bot_move(
    *,
    table_id: str,
    turn: str,
    for_anybody: bool = False,
    choice: Choice | None = None,
    rng: Random | None = None,
) -> None:
    """Make the move of the bot whose turn it is (or who stands in): ``choice``, made
    beforehand, or else decided here, before the transaction opens; with ``for_anybody`` also
    for a person who has left, or whom the room waits for. Rejected like any move, if another
    was quicker."""
    state = load_table(table_id)
    seat = state.to_move
    if seat is None or not (for_anybody or state.seats[seat].is_played_by_bot):
        raise Rejected("stale_turn", _stale())
    _make_decided(state, turn, Move.Mover.BOT, choice, rng)


def make_clock_move(
    *, table_id: str, turn: str, choice: Choice | None = None, rng: Random | None = None
) -> None:
    """The turn's time is up: the clock plays what the table's bot would. Rejected like any
    move, and with ``stale_turn`` if there is time left."""
    state = load_table(table_id)
    if not selectors.clock_is_up(state, timezone.now()):
        raise Rejected("stale_turn", _stale())
    _make_decided(state, turn, Move.Mover.CLOCK, choice, rng)


def _make_decided(
    state: TableState, turn: str, mover: str, choice: Choice | None, rng: Random | None
) -> None:
    seat = state.to_move
    if state.turn != turn or seat is None:
        raise Rejected("stale_turn", _stale())
    choice = choice or decide_move(state=state, rng=rng)
    make_move(
        table_id=state.id,
        seat=seat,
        turn=turn,
        text=move_text(choice.move),
        mover=mover,
        level=state.seats[seat].level or state.level,
        reason=packed(choice.options) or None,
    )


# Between rounds.


@transaction.atomic
def say_ready(
    *, table_id: str, seat: int | None, turn: str, viewer: Viewer | None = None
) -> None:
    """A person is ready for the next round; when all who are here are, it is dealt.

    Saying it again is harmless. Raises Rejected (``paused``, ``stale_turn``,
    ``not_your_turn`` for watchers and when no round has just ended).
    """
    state = _locked_by(viewer, table_id)
    _check_turn(state, turn)
    if seat is None or state.status != "round_over":
        raise Rejected("not_your_turn", _("There is nothing to be ready for just now."))
    if state.seats[seat].ready_at:
        return
    now = timezone.now()
    Seat.objects.filter(table=table_id, number=seat).update(ready_at=now)
    _changed(state)
    seats = tuple(replace(s, ready_at=now) if s.number == seat else s for s in state.seats)
    after = replace(state, seats=seats, version=state.version + 1)
    selectors.remember_committed(after)
    _deal_if_due(after)


@transaction.atomic
def go_on(*, table_id: str) -> None:
    """Deal the next round if time or a departure has made it due."""
    _deal_if_due(load_table(table_id, lock=True))


def _deal_if_due(state: TableState) -> None:
    presence = selectors.last_seen([state.id]).get(state.id, {})
    if selectors.next_round_due(state, presence, timezone.now()):
        deal_next(state)


# Standing in.


@transaction.atomic
def ask_stand_in(
    *, table_id: str, asker: int | None, turn: str, seat: int, viewer: Viewer | None = None
) -> None:
    """Somebody at the table asks a bot to play for a person who is away or whose turn has
    outlasted the patience. Raises Rejected."""
    state = _locked_by(viewer, table_id)
    _check_turn(state, turn)
    if asker is None or asker == seat or not 0 <= seat < len(state.seats):
        raise Rejected("not_your_turn", _("You cannot ask that."))
    if state.seats[seat].is_played_by_bot:
        return
    presence = selectors.last_seen([table_id]).get(table_id, {})
    if not selectors.may_be_stood_in_for(state, seat, presence, timezone.now()):
        raise Rejected("not_your_turn", _("Give them a little more time."))
    set_stand_in(state, seat, True)


@transaction.atomic
def take_back(*, table_id: str, seat: int | None, viewer: Viewer | None = None) -> None:
    """A person takes the seat back from the bot that stood in. Harmless if none did."""
    state = _locked_by(viewer, table_id)
    if seat is None:
        raise Rejected("not_your_turn", _("You are watching."))
    if state.seats[seat].stand_in:
        set_stand_in(state, seat, False)


def set_stand_in(state: TableState, seat: int, on: bool) -> None:
    """A bot stands in for the seat's person, or hands back. In the caller's transaction."""
    Seat.objects.filter(table=state.id, number=seat).update(stand_in=on)
    _changed(state)


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
    _changed(state)


@transaction.atomic
def set_pace(*, table_id: str, guest: Guest | None, pace: str) -> None:
    """Bots play slower, faster or at once (a key of PACES)."""
    state = _locked_for_opener(table_id, guest)
    if pace not in PACES:
        raise BadSettings(_("Choose one of the paces offered."))
    Table.objects.filter(pk=table_id).update(pace=PACES[pace])
    _changed(state)


@transaction.atomic
def set_odds(*, table_id: str, guest: Guest | None, odds: str) -> None:
    """Whether and when the seats are told their odds (a value of OddsPanel)."""
    state = _locked_for_opener(table_id, guest)
    if odds not in SessionSettings.OddsPanel.values:
        raise BadSettings(_("The odds are off, after the trick, or always there."))
    Table.objects.filter(pk=table_id).update(odds_panel=odds)
    _changed(state)


@transaction.atomic
def set_paused(*, table_id: str, guest: Guest | None, paused: bool) -> None:
    """Stop the table, or let it go on."""
    state = _locked_for_opener(table_id, guest)
    pause(state, paused)


def pause(state: TableState, paused: bool) -> None:
    """Stop a table or let it go on; a turn's time then begins anew. In the caller's
    transaction."""
    resumed = None if paused else timezone.now()
    Table.objects.filter(pk=state.id).update(paused=paused, resumed=resumed)
    _changed(state)


@transaction.atomic
def start_without_missing(*, table_id: str, guest: Guest | None) -> None:
    """Bots stand in for the people who have not come yet; they may still take their seats."""
    state = _locked_for_opener(table_id, guest)
    if state.status != "waiting":
        return
    Seat.objects.filter(table=table_id, opened=False, level="").update(
        opened=True, stand_in=True
    )
    deal_next(state)


@transaction.atomic
def close_table(*, table_id: str, guest: Guest | None) -> None:
    """End the table where it stands. A game that is over stays so."""
    state = _locked_for_opener(table_id, guest)
    if state.status == "game_over":
        return
    Table.objects.filter(pk=table_id).update(closed=True)
    _changed(state)


# Students on seats.


def seat_student(*, table_id: str, seat: int, student: Student) -> None:
    """The student takes this bot's seat, its hand and its points; pages still open at a table
    that was closed are to go along. Runs in the caller's transaction."""
    left = Seat.objects.filter(
        student=student, table__closed=True, table__class_session__tables=table_id
    )
    for pk, closed_table in list(left.values_list("pk", "table")):
        table_changed(closed_table)
        Seat.objects.filter(pk=pk).update(serial=F("serial") + 1)
    Seat.objects.filter(table=table_id, number=seat).update(
        student=student,
        kept_for=None,
        name=student.name,
        level="",
        opened=True,
        stand_in=False,
        ready_at=None,
        last_seen=timezone.now(),
        serial=F("serial") + 1,
    )
    keep_no_seat(Seat.objects.filter(kept_for=student, table__class_session__tables=table_id))
    table_changed(table_id)


def keep_no_seat(seats: QuerySet[Seat]) -> None:
    """These seats are kept for nobody any more. Runs in the caller's transaction, which holds
    the session."""
    for seat in seats:
        table_changed(seat.table_id)
        Seat.objects.filter(pk=seat.pk).update(kept_for=None)


def free_seat(state: TableState, seat: int, *, keep: bool = False) -> None:
    """A bot takes this student's seat, whatever is being played; it may ``keep`` it for them.
    Runs in the caller's transaction."""
    used = {other.name for other in state.seats}
    free = [name for name in BOT_NAMES if name not in used]
    leaves = state.seats[seat]
    left_by = leaves.left_by | leaves.keys if state.is_running else frozenset()
    Seat.objects.filter(table=state.id, number=seat).update(
        student=None,
        kept_for=state.seats[seat].student_id if keep else None,
        left_by=sorted(left_by),
        name=_chance.choice(free) if free else _("Bot %d") % (seat + 1),
        level=state.level,
        stand_in=False,
        ready_at=None,
        serial=F("serial") + 1,
    )
    _changed(state)


@deletion
def remove_student(*, student: Student) -> None:
    """Delete a student: the name, the phrase and all links to what they played. Bots take
    their seats at once; moves and results stay, nameless, for the classmates."""
    attended = Attendance.objects.filter(student=student).order_by("class_session")
    sessions = list(attended.values_list("class_session", flat=True))
    for session_id in sessions:
        lock_session(session_id)
    boards.lock_tables(Table.objects.filter(class_session__in=sessions))
    seats = Seat.objects.filter(student=student)
    for table_id, number in list(seats.values_list("table", "number")):
        free_seat(load_table(table_id), number)
    keep_no_seat(Seat.objects.filter(kept_for=student))
    for left in Seat.objects.filter(table__class_session__in=sessions).exclude(left_by=[]):
        nameless = [key for key in left.left_by if key != str(student.pk)]
        Seat.objects.filter(pk=left.pk, left_by=left.left_by).update(left_by=nameless)
    Student.objects.filter(pk=student.pk).delete()
    for session_id in sessions:
        session_changed(session_id)


def session_changed(session_id: int) -> None:
    """Count a change that a class session's cockpit and lobby show, and ring."""
    ClassSession.objects.filter(pk=session_id).update(version=F("version") + 1)
    ring_session_after_commit(session_id)


# Being there.


def mark_seen(*, seats: Sequence[int], when: datetime) -> None:
    """The people of these seats (by primary key) are connected."""
    here = Seat.objects.filter(pk__in=seats)
    update_unlocked(here, last_seen=when)
    note_day(students=here.filter(student__isnull=False).values("student"))


def mark_gone(*, table_id: str, seat: int, unless_seen_since: datetime) -> None:
    """The seat's last connection here has ended: away, unless seen elsewhere since."""
    with transaction.atomic():
        boards.lock_tables(Table.objects.filter(pk=table_id))
        gone = Seat.objects.filter(
            table=table_id, number=seat, last_seen__lte=unless_seen_since
        ).update(last_seen=unless_seen_since - selectors.AWAY_AFTER)
        if gone:
            Table.objects.filter(pk=table_id).update(version=F("version") + 1)
            ring_after_commit(table_id)


# After the game.


@deletion
def delete_table(*, table_id: str) -> None:
    """Delete a table played without a class, with all that was played there. Harmless if it is
    gone."""
    table = Table.objects.filter(pk=table_id, class_session=None)
    boards.lock_tables(table)
    table.delete()
    ring_after_commit(table_id)


@transaction.atomic
def play_again(*, table_id: str, guest: Guest | None) -> str:
    """The id of the next table, with the same settings, people and seats; opened by the first
    who asks. NotFound unless the guest sat at this one and its game is over."""
    state = load_table(table_id, lock=True)
    viewer = selectors.viewer_by_guest(table_id, guest)
    if viewer.seat is None or state.status not in {"game_over", "closed"}:
        raise NotFound
    if state.next_table_id:
        return state.next_table_id
    old = Table.objects.get(pk=table_id)
    new = Table.objects.create(
        kind=old.kind,
        variant=old.variant,
        rounds=old.rounds,
        patience=old.patience,
        pace=old.pace,
        odds_panel=old.odds_panel,
        opener=old.opener,
    )
    seats = {}
    for seat in Seat.objects.filter(table=old):
        seats[seat.number] = Seat.objects.create(
            table=new, number=seat.number, name=seat.name, level=seat.level
        )
    admissions = Admission.objects.filter(table=old, taken_over=False)
    for admission in admissions.select_related("seat"):
        Admission.objects.create(
            table=new,
            guest=admission.guest,
            seat=seats[admission.seat.number] if admission.seat else None,
            visited=admission.visited,
        )
    old.next_table = new
    old.save(update_fields=["next_table"])
    _changed(state)
    _start_if_all_here(load_table(new.id))
    return new.id
