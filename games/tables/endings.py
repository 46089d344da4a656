"""The score sheet, and how a round or a game has ended."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import gettext

from games.rules import Observation, Variant, places
from games.tables.rendering import render
from games.tables.running import running
from games.tables.view import TableFacts, TableView


def scores(language: str, names: tuple[str, ...], view: TableView) -> str:
    """The score sheet, who is ahead first."""
    return _scores(language, names, view.variant, view.points, view.totals)


@lru_cache(maxsize=500)
def _scores(
    language: str,
    names: tuple[str, ...],
    variant: Variant,
    points: tuple[tuple[int | None, ...], ...],
    totals: tuple[int, ...],
) -> str:
    """The same, remembered: it changes once a round."""
    ranked = tuple(sorted(zip(places(variant, totals), range(len(names)), strict=True)))
    facts = (names, variant.value, ranked, points, totals, running(points))
    return render(language, "scores", "scores", *facts)


class Standing(NamedTuple):
    """One seat's row of a result, as the templates read it. ``made`` counts bids that came
    true, in so many ``rounds``."""

    place: int
    seat: int
    total: int
    gained: int
    bid: int | None
    taken: int
    made: int
    rounds: int


def result(language: str, names: tuple[str, ...], view: TableView, seen: Observation) -> str:
    """How the round went, or the game: a sheet of paper that lies on the board."""
    standings = []
    for seat, place in enumerate(places(view.variant, view.totals)):
        mine = [row[seat] for row in view.points if row[seat] is not None]
        standings.append(
            Standing(
                place=place,
                seat=seat,
                total=view.totals[seat],
                gained=view.gained[seat],
                bid=seen.bids[seat],
                taken=seen.taken[seat],
                made=sum(points is not None and points >= 0 for points in mine),
                rounds=len(mine),
            )
        )
    winners = () if view.is_homework else view.winners or ()
    is_game = bool(winners) and len(view.points) > 1
    kindly = tuple((s.seat, _kindly(view, s)) for s in standings if s.seat not in winners)
    return render(
        language,
        "result",
        "result",
        names=names,
        variant=view.variant.value,
        standings=tuple(sorted(standings)),
        winners=winners,
        kindly=kindly if is_game else (),
        remarkable=_most_remarkable(view) if is_game else None,
        chart=running(view.points) if winners else None,
        round=view.round_number,
        rounds=0 if view.is_homework else view.rounds,
        table=view.id,
        board=view.round_number
        if view.is_duplicate and view.class_session_id and view.is_shown
        else 0,
    )


def _kindly(view: TableView, standing: Standing) -> str:
    """What somebody is told who has not won: what went well, if anything did."""
    if view.variant is not Variant.BID:
        facts = {"place": standing.place, "seats": len(view.seats)}
        return gettext("You are number %(place)d of %(seats)d. Well played!") % facts
    if standing.made:
        facts = {"n": standing.made, "all": standing.rounds}
        return gettext("You made %(n)d of %(all)d bids. Well played!") % facts
    return gettext("These bids were hard to make. Next time!")


class Remark(NamedTuple):
    """What stood out, and whose it was, who is spoken to as "you"."""

    seat: int | None
    to_all: str
    to_them: str = ""


def _most_remarkable(state: TableFacts) -> Remark:
    """One line on the round that stood out: the highest made bid or most tricks."""
    points, number, seat = max(
        (points, -number, seat)
        for number, row in enumerate(state.points, start=1)
        for seat, points in enumerate(row)
        if points is not None
    )
    facts = {"name": state.seats[seat].name, "round": -number, "n": points}
    if state.variant is not Variant.BID:
        text = gettext("Most tricks: %(n)d in round %(round)d, by %(name)s.") % facts
        return Remark(
            seat, text, gettext("Most tricks: yours, %(n)d in round %(round)d.") % facts
        )
    if points > 0:
        text = gettext("Best bid: %(n)d in round %(round)d, by %(name)s.") % facts
        yours = gettext("Best bid: yours, %(n)d in round %(round)d.") % facts
        return Remark(seat, text, yours)
    return Remark(None, gettext("Nobody made a bid above 0 in this game. Bid lower?"))
