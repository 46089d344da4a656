"""Standings, and what one hand came to at every table, as questions, answers and charts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import sqrt

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules import Variant
from lessons import charts
from lessons.measures.grid import Cell, Column, Grid
from lessons.measures.panels import Panel
from lessons.results.facts import Facts
from lessons.results.points import standings
from lessons.results.words import FEW_TO_RANK, basis, number, sentences, tricks_words

Namer = Callable[[standings.Placing], str]


def standing(game: standings.GameStandings, name: Namer) -> Panel:
    caption = _("Standings of game %d") % game.game
    columns = [
        Column(_("Place")),
        Column(_("Student"), "text"),
        Column(_("Table")),
        Column(_("Rounds")),
        Column(_("Points")),
    ]
    if game.is_duplicate:
        columns.insert(4, Column(_("Fair score"), "signed"))
    rows: list[tuple[Cell, ...]] = []
    for place in game.places:
        row: list[Cell] = [place.rank, name(place), place.table, place.rounds, place.total]
        if game.is_duplicate:
            row.insert(4, place.score)
        rows.append(tuple(row))
    return Panel(
        key=f"standings-{game.game}",
        title=_("Who stands where?")
        if game.game == 1
        else _("Who stands where in game %d?") % game.game,
        summary=_standing_sentence(game),
        grid=Grid(caption, tuple(columns), tuple(rows)),
        basis=_("Without the rounds that a bot played for somebody."),
        caveat=_regression() if len(game.places) >= FEW_TO_RANK else "",
        kind="table",
        size="long",
    )


def _regression() -> str:
    return _(
        "Luck is in every place: whoever stands first or last will mostly stand nearer to the "
        "middle next time, without having got worse or better."
    )


def _standing_sentence(game: standings.GameStandings) -> str:
    if game.is_duplicate:
        return _(
            "Ranked by the fair score: points less the mean of the same seat at the other "
            "tables. Nobody is ahead for better cards; but how strong the others at the table "
            "are, and how lucky, still counts."
        )
    best = [place for place in game.places if place.rank == 1]
    if not best:
        return _("Nobody has finished a round yet.")
    leading = ngettext(
        "%(n)d student leads with a total of %(total)s.",
        "%(n)d students lead with a total of %(total)s.",
        len(best),
    )
    lowest = _("The lowest total wins.") if game.variant == Variant.LOSE.value else ""
    return sentences(leading % {"n": len(best), "total": number(best[0].total, 0)}, lowest)


def same_hand(facts: Facts) -> Panel:
    """What one and the same hand came to at several tables."""
    key, title = "same-hand", _("One hand, many tables: what came of it?")
    hands = standings.same_hands(facts)
    if not hands:
        return Panel(key, title, _("A board that all tables have finished will fill this."))
    widest = max(hands, key=lambda hand: hand.range)
    several = len({hand.game for hand in hands}) > 1
    labels = [_hand_label(hand, several=several) for hand in hands]
    x, y, sizes, texts = [], [], [], []
    for label, hand in zip(labels, hands, strict=True):
        taken = [outcome[1] for outcome in hand.outcomes]
        for number_taken in sorted(set(taken)):
            x.append(label)
            y.append(number_taken)
            sizes.append(8 + 5 * sqrt(taken.count(number_taken)))
            texts.append(str(taken.count(number_taken)))
    across = _("game · board · seat") if several else _("board · seat")
    figure = charts.figure(
        [
            charts.points(x, y, name=_("tables"), sizes=sizes),
            charts.line(
                labels, [float(hand.mean) for hand in hands], name=_("mean"), marks="line-ew"
            ),
        ],
        x=across,
        y=_("tricks taken"),
        legend=True,
        y_range=(-0.4, 8.4),
    )
    figure["layout"]["xaxis"] |= {"type": "category", "tickangle": 0}
    figure["data"][1]["mode"] = "markers"
    mean = Fraction(sum(hand.range for hand in hands), len(hands))
    return Panel(
        key,
        title,
        _same_hand_sentence(widest, mean, several=several),
        figure,
        Grid(
            _("The same hand at all tables"),
            (
                Column(across, "text"),
                Column(_("Tables")),
                Column(_("Fewest tricks")),
                Column(_("Mean"), "2"),
                Column(_("Most tricks")),
                Column(_("Points, mean"), "2"),
            ),
            tuple(
                (
                    label,
                    len(hand.outcomes),
                    min(o[1] for o in hand.outcomes),
                    hand.mean,
                    max(o[1] for o in hand.outcomes),
                    Fraction(sum(o[2] for o in hand.outcomes), len(hand.outcomes)),
                )
                for label, hand in zip(labels, hands, strict=True)
            ),
        ),
        basis(deals=len({(hand.game, hand.board) for hand in hands})),
        _(
            "Bots’ seats are among them. The cards were the same: what differs is what was "
            "decided, at all seats."
        ),
    )


def board_ways(boards: Sequence[tuple[str, str]]) -> Panel:
    """Which numbers of tricks each hand of a board could have reached, and at how many tables
    it did: label and address of each board that is over. Searched when it is asked for."""
    return Panel(
        "board-ways",
        _("Which ways were there?"),
        ngettext(
            "%(n)d board: at how many tables each number of tricks could be reached, against "
            "players who follow the tips, and at how many it was taken.",
            "%(n)d boards: at how many tables each number of tricks could be reached, against "
            "players who follow the tips, and at how many it was taken.",
            len(boards),
        )
        % {"n": len(boards)},
        caveat=_(
            "It is hindsight, all hands known: a good decision may miss, and a bad one hit."
        ),
        kind="parts",
        parts=tuple(boards),
    )


def _same_hand_sentence(widest: standings.SameHand, mean: Fraction, *, several: bool) -> str:
    sentence = _(
        "On board %(board)d, seat %(seat)d took %(low)d to %(high)d tricks with the same "
        "cards; on average the fewest and the most were %(mean)s apart."
    )
    if several:
        sentence = _(
            "On board %(board)d of game %(game)d, seat %(seat)d took %(low)d to %(high)d "
            "tricks with the same cards; on average the fewest and the most were %(mean)s "
            "apart."
        )
    return sentence % {
        "game": widest.game,
        "board": widest.board,
        "seat": widest.seat + 1,
        "low": min(taken for _bid, taken, _points in widest.outcomes),
        "high": max(taken for _bid, taken, _points in widest.outcomes),
        "mean": tricks_words(mean),
    }


def _hand_label(hand: standings.SameHand, *, several: bool) -> str:
    """Where a hand was dealt; boards count from 1 in each of several games."""
    label = f"{hand.board}·{hand.seat + 1}"
    return f"{hand.game}·{label}" if several else label
