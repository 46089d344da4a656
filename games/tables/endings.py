"""The score sheet, and how a round or a game has ended."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import gettext, ngettext
from markupsafe import Markup, escape

from games.rules import Observation, Variant, places
from games.tables.rendering import render
from games.tables.running import running_chart
from games.tables.view import TableFacts, TableView
from games.words import all_of, place_words, sentences

PODIUM = 5
"""The most who stand on a podium side by side, unless more share the first place."""


def podium_size(ranks: Sequence[int]) -> int:
    """How many of these stand on the podium: whole ranks up to the third, at
    most PODIUM, or all who share the first."""
    up_to = [sum(each <= rank for each in ranks) for rank in (1, 2, 3)]
    return max(n for n in up_to if n <= PODIUM or n == up_to[0])


def score_sheet_html(language: str, names: tuple[str, ...], view: TableView) -> str:
    """The HTML of the score sheet, who is ahead first."""
    return _score_sheet_html(language, names, view.variant, view.points, view.totals)


@lru_cache(maxsize=500)
def _score_sheet_html(
    language: str,
    names: tuple[str, ...],
    variant: Variant,
    points: tuple[tuple[int | None, ...], ...],
    totals: tuple[int, ...],
) -> str:
    """The HTML of the score sheet, remembered: it changes once a round."""
    ranked = tuple(sorted(zip(places(variant, totals), range(len(names)), strict=True)))
    facts = (names, variant.value, ranked, points, totals, running_chart(points))
    return render(language, "scores", "scores", *facts)


class ResultRow(NamedTuple):
    """One seat's row of a result, as the templates read it. ``made`` counts bids that came
    true, in so many ``rounds``, each of which has one of the ``marks``."""

    place: int
    seat: int
    total: int
    gained: int
    bid: int | None
    taken: int
    made: int
    rounds: int
    marks: str = ""


def result_html(
    language: str, names: tuple[str, ...], view: TableView, observation: Observation
) -> str:
    """The HTML of how the round went, or the game: a sheet of paper that lies on the board."""
    standings = []
    for seat, place in enumerate(places(view.variant, view.totals)):
        mine = [row[seat] for row in view.points if row[seat] is not None]
        standings.append(
            ResultRow(
                place=place,
                seat=seat,
                total=view.totals[seat],
                gained=view.gained[seat],
                bid=observation.bids[seat],
                taken=observation.taken[seat],
                made=_bids_made(mine),
                rounds=len(mine),
                marks="".join("✓" if _bids_made([points]) else "✗" for points in mine),
            )
        )
    played = tuple(s.seat for s in standings if view.has_played(s.seat))
    winners = () if view.board else view.winners or ()
    is_game = bool(winners) and len(view.points) > 1
    own: tuple[tuple[int, str], ...] = ()
    if winners:
        own = tuple(
            (s.seat, "" if s.seat in winners else _consolation(view, _own_rounds(view, s)))
            for s in standings
        )
    elif not view.board and any(s.place > 1 for s in standings):
        own = tuple((s.seat, _own_place(view, s)) for s in standings)
    own = tuple(
        (seat, sentences(words if seat in played else "", _before_words(view, seat)))
        for seat, words in own
    )
    return render(
        language,
        "result",
        "result",
        names=names,
        variant=view.variant.value,
        standings=tuple(sorted(standings)),
        played=played,
        winners=winners,
        podium=podium_size([row.place for row in standings]),
        own=tuple(row for row in own if row[1]),
        remarkable=_most_remarkable(view) if is_game else "",
        chart=running_chart(view.points) if winners else None,
        round=view.round_number,
        rounds=0 if view.board else view.rounds,
        table=view.id,
        board=(view.board or view.round_number)
        if view.is_duplicate and view.class_session_id and view.is_shown
        else 0,
    )


def _own_rounds(view: TableView, standing: ResultRow) -> ResultRow:
    """This row with the bids of the rounds that who sits there now has played."""
    since = view.points[view.seats[standing.seat].from_round - 1 :]
    mine = [row[standing.seat] for row in since if row[standing.seat] is not None]
    return standing._replace(made=_bids_made(mine), rounds=len(mine))


def _bids_made(points: Sequence[int | None]) -> int:
    """How many of these rounds' bids came true, by their points."""
    return sum(gained is not None and gained >= 0 for gained in points)


def _before_words(view: TableFacts, seat: int) -> str:
    """A sentence on who had the seat's earlier rounds, empty for whoever sits there now."""
    if view.seats[seat].is_bot or view.seats[seat].from_round == 1:
        return ""
    return gettext("A bot played here before you.")


def _own_place(view: TableView, own: ResultRow) -> str:
    """A sentence that says to somebody where they are between two rounds."""
    if own.place == 1:
        is_shared = view.totals.count(own.total) > 1
        return gettext("You share the lead.") if is_shared else gettext("You’re in the lead.")
    if view.round_number == 1:
        return _placed(view, own)
    return f"{_placed(view, own)}\n{_behind(view, own)}"


def _placed(view: TableView, own: ResultRow) -> str:
    """A sentence on a place among all."""
    facts = {"place": place_words(own.place), "seats": len(view.seats)}
    if view.totals.count(own.total) > 1:
        return gettext("You share %(place)s place.") % facts
    return gettext("You’re %(place)s of %(seats)d.") % facts


def _behind(view: TableView, own: ResultRow) -> str:
    """A sentence on how many points are missing to the next before them."""
    ahead = [
        (abs(total - own.total), seat)
        for seat, (place, total) in enumerate(
            zip(places(view.variant, view.totals), view.totals, strict=True)
        )
        if place < own.place
    ]
    points, seat = min(ahead)
    words = ngettext("%(n)d point behind %(name)s.", "%(n)d points behind %(name)s.", points)
    return words % {"n": points, "name": view.seats[seat].name}


def _consolation(view: TableView, own: ResultRow) -> str:
    """Sentences for somebody who has not won: their place, of bids none of which came true
    those that nearly did, and praise for half of the bids made and points won, or
    for the place behind the winners; none for coming last."""
    is_last = own.place + view.totals.count(own.total) > len(view.seats)
    words, is_good = [_placed(view, own)], own.place == 2
    if view.variant is Variant.BID:
        is_good = 0 < own.rounds <= 2 * own.made and own.total > 0
        if own.rounds > 1 and not own.made:
            words.append(_nearly_made(view, own))
    if is_good and not is_last:
        words.append(gettext("Well played!"))
    return "\n".join(filter(None, words))  # a line each on narrow screens (result.css)


def _nearly_made(view: TableView, own: ResultRow) -> str:
    """A sentence on how many of their rounds had one trick missing, or too many; empty for
    none."""
    nearly = sum(row[own.seat] == -1 for row in view.points[-own.rounds :])
    if not nearly:
        return ""
    facts = {"n": nearly, "rounds": own.rounds}
    return gettext("Only 1 trick off in %(n)d of %(rounds)d rounds.") % facts


def _most_remarkable(state: TableFacts) -> str:
    """One line on what stood out: the highest made bid or most tricks, and all who had it."""
    rounds = [list(row) for row in zip(*state.points, strict=True)]
    best = max(points for row in rounds for points in row if points is not None)
    name = Markup('<span data-me="{}" data-you="{}">{}</span>')
    names = [
        name.format(seat, gettext("you"), state.seats[seat].name)
        for seat, row in enumerate(rounds)
        if best in row
    ]
    is_bid = state.variant is Variant.BID
    if is_bid and best <= 0:
        return ""
    text = gettext("Highest bid that was right: %(n)d, by %(names)s.")
    if not is_bid:
        text = gettext("Most tricks in a round: %(n)d, by %(names)s.")
    return escape(text) % {"n": best, "names": Markup(all_of(names))}  # noqa: S704 (escaped)
