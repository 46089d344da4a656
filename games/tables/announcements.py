"""What changed at a table, in sentences for who listens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from django.utils.translation import gettext
from markupsafe import escape

from games.rules import Variant, winners
from games.tables.rendering import with_minus
from games.tables.view import Status, TableFacts
from games.words import move_words, outcome_words, sentences, signed_points_words, taker_words


def announcer(before: TableFacts | None, now: TableFacts) -> Callable[[int | None], str]:
    """A function from a seat (None: a watcher) to the live region's HTML on what happened
    between two states. Whoever had no part in it hears what a watcher hears."""
    had_part = _who_had_part(before, now) if before else frozenset()
    to_all = live_html(announcements(before, now, None))
    return lambda seat: (
        live_html(announcements(before, now, seat)) if seat in had_part else to_all
    )


def _who_had_part(before: TableFacts, now: TableFacts) -> frozenset[int]:
    """The seats that moved, took a trick or are to move; all, once the round is over."""
    if now.observation is None or now.is_over:
        return frozenset(range(len(now.seats)))
    same_deal = before if before.deal_id == now.deal_id else None
    moved = now.moves[len(same_deal.moves) if same_deal else 0 :]
    done = now.observation.tricks[
        len(same_deal.observation.tricks) if same_deal and same_deal.observation else 0 :
    ]
    takers = {trick.winner for trick in done if trick.winner is not None}
    to_move = set() if now.to_move is None else {now.to_move}
    return frozenset({seat for seat, _ in moved} | takers | to_move)


def announcements(before: TableFacts | None, now: TableFacts, seat: int | None) -> list[str]:
    """Sentences for one viewer to hear on what happened between two states: a short one a move,
    and nothing that is not public. What has made it their turn is left out: the summary that
    interrupts them (``Moment.heard``) begins with it."""
    if before is None:
        return []
    lines = _halt_words(before, now)
    if now.observation is None:
        return lines
    same_deal = before.deal_id == now.deal_id
    if not same_deal:
        lines.append(gettext("Round %(n)s") % {"n": now.round_number})
    heard = len(before.moves) if same_deal else 0
    for number in range(heard, len(now.moves)):
        lines += _move_lines(now, number, seat)
    if len(now.moves) > heard and now.to_move == seat is not None and not now.paused:
        lines.pop()
    if not now.is_over:
        return lines
    if len(now.moves) > heard:
        lines.append(_round_words(now, seat))
    elif now.is_duplicate and now.is_shown and not (before.is_shown or now.closed):
        lines.append(gettext("You can see all cards now."))
    # Homework is no contest with bots, a tournament's board none of its table.
    is_won = now.status == Status.GAME_OVER and not now.board
    if is_won and not (same_deal and before.status == Status.GAME_OVER):
        lines.append(_winner_words(now, seat))
    return lines


def _move_lines(now: TableFacts, number: int, seat: int | None) -> list[str]:
    """Sentences on a move, and on who takes the trick that it ends. One knows one's own, unless
    somebody else may have made it."""
    assert now.observation is not None
    mover, text = now.moves[number]
    name, is_you = now.seats[mover].name, mover == seat
    seats = len(now.seats)
    number -= seats if now.variant is Variant.BID else 0
    if number < 0:
        return [] if _is_known(now, mover, seat) else [move_words(name, text, is_you=is_you)]
    trick = (*now.observation.tricks, now.observation.trick)[number // seats]
    assert trick is not None
    is_last = number % seats == seats - 1
    lines = []
    if not (_is_known(now, mover, seat) or (is_last and mover == trick.winner)):
        lines.append(move_words(name, text, trick.call, is_you=is_you))
    if is_last and trick.winner is not None:
        taker = now.seats[trick.winner].name
        lines.append(taker_words(taker, trick, is_you=trick.winner == seat))
    return lines


def _is_known(now: TableFacts, mover: int, seat: int | None) -> bool:
    """Whether the listener has made this move; a bot or the clock may have done it for them."""
    return mover == seat and not now.seats[mover].stand_in and now.setup.clock is None


def _halt_words(before: TableFacts, now: TableFacts) -> list[str]:
    """At most one sentence: the table stops, goes on or ends otherwise than by a move."""
    in_class = now.class_session_id is not None
    if now.is_session_over and not before.is_session_over:
        return [gettext("The session is over. Thank you!")]
    if now.closed and not before.closed:
        return [gettext("This table was closed.")]
    if now.paused == before.paused:
        return []
    if not now.paused:
        return [gettext("The game goes on.")]
    if in_class:
        return [gettext("Your teacher has paused the game.")]
    return [gettext("The table is paused.")]


def _round_words(now: TableFacts, seat: int | None) -> str:
    """The end of a round in sentences: how it went for the listener, then what others got."""
    assert now.observation is not None
    parts = [gettext("The round is over.")]
    if seat is not None:
        bid, taken = now.observation.bids[seat], now.observation.taken[seat]
        parts.append(outcome_words(bid, taken, signed_points_words(now.gained[seat])))
    others = [
        f"{player.name} {with_minus(now.gained[player.number])}"
        for player in now.seats
        if player.number != seat
    ]
    return sentences(*parts, f"{', '.join(others)}.")


def _winner_words(now: TableFacts, seat: int | None) -> str:
    """The end of a game, in a sentence: who has won, with how many points, and one's own."""
    best = sorted(winners(now.variant, now.totals))
    names = ", ".join(
        gettext("you") if number == seat else now.seats[number].name for number in best
    )
    facts = {"names": names, "total": with_minus(now.totals[best[0]])}
    own = gettext("You have %(total)s.")
    if seat is not None and best == [seat]:
        return gettext("You win with %(total)s.") % facts
    if len(best) > 1:
        return gettext("Shared win with %(total)s: %(names)s.") % facts
    text = gettext("%(names)s wins with %(total)s.") % facts
    if seat is None:
        return text
    return sentences(text, own % {"total": with_minus(now.totals[seat])})


def live_html(lines: Sequence[str]) -> str:
    """The HTML of these lines for the live region, only ever appended to; empty for none."""
    return _live_html(tuple(lines)) if lines else ""


@lru_cache(maxsize=500)
def _live_html(lines: tuple[str, ...]) -> str:
    items = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return f'<div id="live" hx-swap-oob="beforeend">{items}</div>'
