"""What a browser played without a class is forgotten, at one press."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q

from games.models import Admission, Guest, Move, Result, Seat, Table
from games.tables.notify import changed
from games.tables.seats import set_stand_in
from games.tables.state import load_table
from games.tables.steering import close_table, delete_table
from xactika_site.classrooms.selectors import NotFound
from xactika_site.classrooms.services import deletion

MOST_UNFINISHED = 20
"""Unfinished tables of one guest alone. One that is played again and again is one."""


def forget(*, guest: Guest) -> None:
    """Delete a guest with all that is theirs alone: games against bots, what was played on from
    a round, answers, forecasts, visits of lessons. At tables of friends the rounds stay for
    the friends, as nobody's. Table by table, so that it can be asked for again where it broke
    off."""
    theirs = Q(admissions__guest=guest) | Q(opener=guest) | Q(deals__moves__guest=guest)
    played = Table.objects.filter(theirs, class_session=None, classroom=None)
    for table_id in set(played.values_list("pk", flat=True)):
        if _has_others(table_id, guest):
            leave_table(table_id=table_id, guest=guest)
        else:
            delete_table(table_id=table_id)
    _delete(guest)


def make_room(*, guest: Guest) -> None:
    """Close or delete tables at which a guest plays alone, before one more is opened: of more
    unfinished ones than ``MOST_UNFINISHED`` those touched longest ago. One at which a round was
    played to its end is closed, as its rounds stay; any other is deleted."""
    is_over = Result.objects.filter(deal__table=OuterRef("pk"))
    alone = Table.objects.filter(
        opener=guest, kind__in=(Table.Kind.SOLO, Table.Kind.STUDY), closed=False
    )
    unfinished = alone.exclude(Exists(is_over.filter(deal__round=OuterRef("rounds"))))
    ordered = unfinished.annotate(touched=Max("seat_set__last_seen")).order_by(
        F("touched").desc(nulls_last=True), "-created", "-pk"
    )
    too_many = ordered.annotate(has_rounds=Exists(is_over))[MOST_UNFINISHED - 1 :]
    for table_id, has_rounds in too_many.values_list("pk", "has_rounds"):
        if has_rounds:
            close_table(table_id=table_id, guest=guest)
        else:
            delete_table(table_id=table_id)


def _has_others(table_id: str, guest: Guest) -> bool:
    """Whether somebody else has been let in to the table, or plays there by a program."""
    others = Admission.objects.filter(table=table_id).exclude(guest=guest)
    people = Seat.objects.filter(table=table_id, level="", opened=True)
    return others.exists() or people.exclude(admissions__guest=guest).exists()


@transaction.atomic
def leave_table(*, table_id: str, guest: Guest) -> None:
    """Take a guest off a table of friends, where nobody knows any more that they were: a bot
    stands in where nobody else holds the seat. Harmless if the table is gone."""
    try:
        state = load_table(table_id, lock=True)
    except NotFound:
        return
    for seat in state.people:
        if seat.guests == {guest.pk} and state.is_running:
            set_stand_in(state, seat.number, True)
    Move.objects.filter(deal__table=table_id, guest=guest).update(guest=None)
    Admission.objects.filter(table=table_id, guest=guest).delete()
    Table.objects.filter(pk=table_id, opener=guest).update(opener=None)
    changed(state)


@deletion
def _delete(guest: Guest) -> None:
    Guest.objects.filter(pk=guest.pk).delete()
