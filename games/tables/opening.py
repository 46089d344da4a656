"""Opening a table, and another one like it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from django.db import transaction
from django.utils.translation import gettext as _

from games.analysis import bots
from games.models import DEFAULT_PACE, DEFAULT_PATIENCE, Admission, Deal, Guest, Seat, Table
from games.rules import HAND_SIZE, MAX_ROUNDS, MAX_SEATS, MIN_SEATS, Card, Variant, parse_card
from games.tables.dealing import BOT_NAMES, bot_names, without_twins
from games.tables.notify import changed
from games.tables.seats import admit, start_if_all_here
from games.tables.state import load_table
from games.tables.view import OVER
from games.tables.viewers import viewer_by_guest
from xactika_site import clock, languages
from xactika_site.accounts.models import User
from xactika_site.classrooms.models import Classroom, ClassSession, Student
from xactika_site.classrooms.names import two_word_names
from xactika_site.classrooms.selectors import NotFound, key_hash
from xactika_site.randomness import system_rng

MAX_PATIENCE = 3600.0
MAX_PACE = 10.0


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
        for name, low, high in (
            ("seats", MIN_SEATS, MAX_SEATS),
            ("people", 0, self.seats),
            ("rounds", 1, MAX_ROUNDS),
            ("patience", 1, MAX_PATIENCE),
            ("pace", 0, MAX_PACE),
        ):
            value = getattr(self, name)
            if not low <= value <= high:
                raise BadSettings(
                    _("%(name)s: from %(low)d to %(high)d, not %(value)s.")
                    % {"name": name, "low": low, "high": high, "value": value}
                )
        if self.level not in bots.LEVELS:
            raise BadSettings(
                _("There is no bot %(level)s; there are %(levels)s.")
                % {"level": repr(self.level[:40]), "levels": ", ".join(bots.LEVELS)}
            )
        if self.deals is not None:
            check_deals(self.deals, seats=self.seats, rounds=self.rounds)


def check_deals(deals: object, *, seats: int, rounds: int) -> None:
    """Raise BadSettings, in a teacher's words and naming the deal, unless ``deals`` is a list
    of at least ``rounds`` of ``{"dealer": seat, "hands": [[eight card codes] by seat]}``."""
    if not isinstance(deals, list):
        raise BadSettings(_("This is not a file of deals (JSON)."))
    if len(deals) < rounds:
        raise BadSettings(
            _("Deals in the file: %(deals)d; rounds of the game: %(rounds)d.")
            % {"deals": len(deals), "rounds": rounds}
        )
    for number, deal in enumerate(deals, start=1):
        if why := _fault_of_deal(number, deal, seats):
            raise BadSettings(why)


def _fault_of_deal(number: int, deal: object, seats: int) -> str:
    """A line on why this is no deal for so many seats; empty if it is one."""
    facts: dict[str, object] = {"number": number}
    if not _is_formed(deal, seats):
        words = _(
            "Deal %(number)d needs a dealer (0 to %(last)d) and %(seats)d hands of 8 cards."
        )
        return words % {**facts, "last": seats - 1, "seats": seats}
    no_card = _("Deal %(number)d: %(code)s is no card of the game, or is there twice.")
    dealt: set[Card] = set()
    for hand in deal["hands"]:
        for code in hand:
            try:
                card = parse_card(code if isinstance(code, str) else "")
            except ValueError:
                facts["code"] = repr(code)[:20]
                return no_card % facts
            if card in dealt:
                return no_card % {**facts, "code": card}
            dealt.add(card)
    return ""


def _is_formed(deal: object, seats: int) -> TypeGuard[dict[str, Any]]:
    """Whether this has a dealer's seat and eight somethings for each seat."""
    if not isinstance(deal, dict) or set(deal) != {"dealer", "hands"}:
        return False
    dealer, hands = deal["dealer"], deal["hands"]
    return (
        (type(dealer) is int and 0 <= dealer < seats)
        and (isinstance(hands, list) and len(hands) == seats)
        and all(isinstance(hand, list) and len(hand) == HAND_SIZE for hand in hands)
    )


def read_deals(text: str | bytes) -> Any:
    """Deals as they are written in a file; BadSettings in one line if it is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise BadSettings(_("This is not a file of deals (JSON).")) from None


# Opening.


@transaction.atomic
def open_table(
    *, kind: str, settings: TableSettings, opener: Guest | None = None, name: str = ""
) -> Table:
    """A new table. Its opener, if any, takes the first seat, under this name or a new one; a
    table without people, or with the opener alone, starts at once. Raises BadSettings."""
    settings.check()
    table = Table.objects.create(
        kind=kind,
        variant=settings.variant.value,
        rounds=settings.rounds,
        patience=settings.patience,
        pace=settings.pace,
        opener=opener,
        prepared=settings.deals,
        language=languages.present(),
    )
    bots = bot_names(settings.seats - settings.people)
    names = two_word_names(system_rng, settings.seats, languages.present())
    names[0] = name or names[0]
    names_of_bots = without_twins(bots, names[: settings.people])
    Seat.objects.bulk_create(
        Seat(table=table, number=number, name=names[number])
        if number < settings.people
        else Seat(table=table, number=number, name=names_of_bots.pop(), level=settings.level)
        for number in range(settings.seats)
    )
    if opener is not None and settings.people:
        admit(table_id=table.id, seat=0, guest=opener)
    else:
        start_if_all_here(load_table(table.id))
    return table


def open_homework_table(
    *,
    classroom: Classroom,
    student: Student | None = None,
    teacher: User | None = None,
    variant: str,
    level: str,
    board: int,
    deal: Mapping[str, Any],
    beforehand: ClassSession | None = None,
) -> Table:
    """A table at which a student of the class, or a teacher of it, plays one board of homework,
    or a teacher ``beforehand`` one of a session, on its first seat, with bots of this level,
    all known by their seats' names. Nothing of it is shown before the homework closes. Runs in
    the caller's transaction."""
    table = Table.objects.create(
        kind=Table.Kind.HOMEWORK,
        classroom=classroom,
        teacher=teacher,
        beforehand=beforehand,
        number=board,
        language=classroom.language,
        variant=variant,
        rounds=1,
        level=level,
        patience=DEFAULT_PATIENCE,
        pace=DEFAULT_PACE,
        duplicate=True,
    )
    Seat.objects.bulk_create(
        Seat(table=table, number=number, name=name, level=level)
        for number, name in enumerate(BOT_NAMES[: len(deal["hands"])])
    )
    Seat.objects.filter(table=table, number=0).update(
        student=student,
        name=student.name if student else str(teacher)[:40],
        level="",
        opened=True,
        last_seen=clock.now(),
    )
    Deal.objects.create(
        table=table, round=1, board=board, dealer=deal["dealer"], hands=deal["hands"]
    )
    return table


def new_guest() -> tuple[Guest, str]:
    """A guest and the key for its cookie, of which only a hash is kept."""
    key = secrets.token_urlsafe(32)
    return Guest.objects.create(key_hash=key_hash(key)), key


@transaction.atomic
def open_rematch(*, table_id: str, guest: Guest | None) -> str:
    """The id of the next table, with the same settings, people and seats; opened by the first
    who asks, and begun once all are there. NotFound unless the guest sat at this one and its
    game is over, and of a replay's table."""
    state = load_table(table_id, lock=True)
    viewer = viewer_by_guest(table_id, guest)
    is_over = state.status in OVER
    if viewer.seat is None or not is_over or state.kind == Table.Kind.STUDY:
        raise NotFound
    if state.next_table_id:
        return state.next_table_id
    old = Table.objects.filter(pk=table_id)
    same = "kind variant rounds patience pace reactions odds_panel opener_id language".split()
    new = Table.objects.create(**old.values(*same).get())
    seats = {}
    for seat in Seat.objects.filter(table=table_id):
        seats[seat.number] = Seat.objects.create(
            table=new, number=seat.number, name=seat.name, level=seat.level, slow=seat.slow
        )
    admissions = Admission.objects.filter(table=table_id, taken_over=False)
    for admission in admissions.select_related("seat"):
        Admission.objects.create(
            table=new,
            guest=admission.guest,
            seat=seats[admission.seat.number] if admission.seat else None,
            visited=admission.visited,
        )
    old.update(next_table=new)
    changed(state)
    start_if_all_here(load_table(new.id))
    return new.id
