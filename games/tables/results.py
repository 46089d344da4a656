"""What is written of a finished round, and made anew from its moves."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from games.analysis.counting import when_led
from games.models import Deal, Move, Result, Table, TrickRecord
from games.rules import Round, Variant, parse_move, score_round
from games.tables import boards
from games.tables.notify import notify_after_commit
from games.tables.state import start_round
from games.tables.statements import insert, who_moved


def write_results(deal_id: int, round_: Round) -> None:
    """Store what a finished round came to, by seat and by trick."""
    results, tricks = derive_results(deal_id, round_)
    insert(results)
    insert(tricks)


def derive_results(deal_id: int, round_: Round) -> tuple[list[Result], list[TrickRecord]]:
    """The rows that follow from a finished round and the movers of its moves, unsaved."""
    movers: dict[int, set[tuple[str, int, int | None]]] = {}
    students: dict[int, int] = {}
    for seat, mover, sitting, guest, student in who_moved(deal_id):
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
    """How many finished rounds there are, and a line for each deal whose stored rows differed
    from those derived anew from its moves (mended unless ``check_only``). Of tables on paper no
    moves are known."""
    finished, differing = 0, []
    deals = Deal.objects.exclude(table__kind=Table.Kind.PAPER).select_related("table")
    for deal in deals.order_by("pk").iterator(chunk_size=200):
        with transaction.atomic():
            boards.lock_tables(Table.objects.filter(pk=deal.table_id))
            if not Deal.objects.filter(pk=deal.pk).exists():
                continue  # deleted meanwhile
            moves = Move.objects.filter(deal=deal).order_by("number")
            round_ = start_round(deal, Variant(deal.table.variant))
            for text in moves.values_list("text", flat=True):
                round_ = round_.apply(parse_move(text))
            results, tricks = derive_results(deal.pk, round_) if round_.is_over else ([], [])
            finished += round_.is_over
            stored: list[Result | TrickRecord] = [
                *deal.results.order_by("seat"),
                *deal.trick_records.order_by("number"),
            ]
            derived: list[Result | TrickRecord] = [*results, *tricks]
            if list(map(_fields_of, stored)) == list(map(_fields_of, derived)):
                continue
            where = _("table %(table)s, round %(round)d")
            differing.append(where % {"table": deal.table_id, "round": deal.round})
            if not check_only:
                deal.results.all().delete()
                deal.trick_records.all().delete()
                if round_.is_over:
                    insert(results)
                    insert(tricks)
                Table.objects.filter(pk=deal.table_id).update(version=F("version") + 1)
                notify_after_commit(deal.table_id)
    return finished, differing


def _fields_of(row: Result | TrickRecord) -> dict[str, Any]:
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field.attname != "id"
    }
