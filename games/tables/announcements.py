"""What changed at a table, in sentences for who listens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from django.utils.translation import gettext, ngettext
from markupsafe import escape

from games.rules import Trick, Variant, winners
from games.tables.fragments import how_many_tied
from games.tables.rendering import signed
from games.tables.view import TableFacts
from games.words import move_words


def announcer(before: TableFacts | None, now: TableFacts) -> Callable[[int | None], str]:
    """What happened between two states, for the live region of each viewer. Whoever had no part
    in it hears what a watcher hears."""
    had_part = _who_had_part(before, now) if before else frozenset()
    to_all = live(announcements(before, now, None))
    return lambda seat: live(announcements(before, now, seat)) if seat in had_part else to_all


def _who_had_part(before: TableFacts, now: TableFacts) -> frozenset[int]:
    """The seats that moved or took a trick; all, once the round is over."""
    if now.seen is None or now.is_over:
        return frozenset(range(len(now.seats)))
    known = before if before.deal_id == now.deal_id else None
    moved = now.moves[len(known.moves) if known else 0 :]
    done = now.seen.tricks[len(known.seen.tricks) if known and known.seen else 0 :]
    takers = {trick.winner for trick in done if trick.winner is not None}
    return frozenset({seat for seat, _ in moved} | takers)


def announcements(before: TableFacts | None, now: TableFacts, seat: int | None) -> list[str]:
    """What happened between two states, in sentences for one viewer to hear; nothing that is
    not public."""
    if before is None:
        return []
    lines = _halt_words(before, now)
    if now.seen is None:
        return lines
    same_deal = before.deal_id == now.deal_id
    if not same_deal:
        numbers = {"round": now.round_number, "rounds": now.rounds}
        lines.append(gettext("Round %(round)d of %(rounds)d.") % numbers)
    heard = len(before.moves) if same_deal else 0
    seats = len(now.seats)
    bids = seats if now.variant is Variant.BID else 0
    for number, (mover, text) in enumerate(now.moves[heard:], start=heard + 1):
        lines.append(move_words(now.seats[mover].name, text, is_you=mover == seat))
        finished, rest = divmod(number - bids, seats)
        if number > bids and rest == 0:
            lines.append(_taker_words(now, now.seen.tricks[finished - 1], seat))
    if not now.is_over:
        return lines
    if len(now.moves) > heard:
        lines += _round_words(now, seat)
    elif now.is_duplicate and now.is_shown and not (before.is_shown or now.closed):
        lines.append(gettext("All tables have played these cards."))
    if now.status == "game_over" and not (same_deal and before.status == "game_over"):
        lines.append(_winner_words(now, seat))
    return lines


def _halt_words(before: TableFacts, now: TableFacts) -> list[str]:
    """That the table stops, goes on or ends otherwise than by a move."""
    in_class = now.class_session_id is not None
    if now.is_session_over and not before.is_session_over:
        return [gettext("The session is over. Thank you for playing!")]
    if now.closed and not before.closed:
        if in_class:
            return [gettext("Your teacher has closed this table.")]
        return [gettext("This table was closed.")]
    if now.paused == before.paused:
        return []
    if not now.paused:
        return [gettext("The game goes on.")]
    if in_class:
        return [gettext("Your teacher has paused the game.")]
    return [gettext("The table is paused.")]


def _taker_words(now: TableFacts, trick: Trick, seat: int | None) -> str:
    taker = trick.winner
    assert taker is not None
    tied = how_many_tied(str(trick.call), [(n, card.code) for n, card in trick.plays], taker)
    facts = {"name": now.seats[taker].name, "n": tied}
    if taker == seat:
        words = gettext("You take the trick: tied at %(n)d, played later.")
        return words % facts if tied else gettext("You take the trick.")
    words = gettext("%(name)s takes the trick: tied at %(n)d, played later.")
    return (words if tied else gettext("%(name)s takes the trick.")) % facts


def _round_words(now: TableFacts, seat: int | None) -> list[str]:
    """The end of a round, in sentences."""
    assert now.seen is not None
    lines = [gettext("The round is over.")]
    for number, player in enumerate(now.seats):
        facts = {
            "name": gettext("You") if number == seat else player.name,
            "bid": now.seen.bids[number],
            "taken": now.seen.taken[number],
            "points": signed(now.gained[number]),
        }
        if now.variant is Variant.BID:
            text = ngettext(
                "%(name)s: bid %(bid)d, took %(taken)d, %(points)s point.",
                "%(name)s: bid %(bid)d, took %(taken)d, %(points)s points.",
                abs(now.gained[number]),
            )
        else:
            text = gettext("%(name)s: took %(taken)d.")
        lines.append(text % facts)
    return lines


def _winner_words(now: TableFacts, seat: int | None) -> str:
    """The end of a game, in a sentence."""
    best = sorted(winners(now.variant, now.totals))
    names = ", ".join(
        gettext("you") if number == seat else now.seats[number].name for number in best
    )
    if len(best) > 1:
        return gettext("The win is shared: %(names)s.") % {"names": names}
    if best == [seat]:
        return gettext("You win!")
    return gettext("%(names)s wins.") % {"names": names}


def live(lines: Sequence[str]) -> str:
    """Lines for the live region, which is only ever appended to."""
    return _live(tuple(lines)) if lines else ""


@lru_cache(maxsize=500)
def _live(lines: tuple[str, ...]) -> str:
    items = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return f'<div id="live" hx-swap-oob="beforeend">{items}</div>'
