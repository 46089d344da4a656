"""The table in HTML: named fragments, rendered from the protocol's observation alone.

The page, a reconnect and every change take the same path: what is common to a table is
rendered once, and of each seat only what is its own. Templates: templates/games/table/.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.template import engines
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext, ngettext
from jinja2 import Environment
from markupsafe import Markup

from games.rules import HAND_SIZE, hook, parse_call, parse_card
from games.selectors import (
    Presence,
    TableState,
    legal_texts,
    may_be_stood_in_for,
    seat_observation,
)
from games.words import call_words, card_words, move_words

Fragments = dict[str, str]
"""HTML by fragment id; each value is one element with that id."""


def environment(**options: Any) -> Environment:
    """Jinja2 for the fragments: escaping on, our words, no surprises."""
    env = Environment(**options)  # noqa: S701 (Django turns escaping on)
    env.globals.update(
        _=gettext,
        ngettext=ngettext,
        static=static,
        url=reverse,
        card=card_html,
        call_words=lambda text: call_words(parse_call(text)),
        card_words=lambda code: card_words(parse_card(code)),
        value=lambda code: parse_card(code).value,
        calls=lambda code: [(str(call), call_words(call)) for call in parse_card(code).calls],
        shows=lambda code, call: parse_card(code).shows(parse_call(call)),
        hook=hook,
    )
    return env


@lru_cache(maxsize=32)
def _macro(template: str, name: str) -> Callable[..., str]:
    env: Environment = engines["fragments"].env  # type: ignore[attr-defined]
    macro: Callable[..., str] = getattr(env.get_template(f"_{template}.html").module, name)
    return macro


def _render(template: str, *facts: Hashable, name: str = "") -> str:
    """A macro's HTML for these facts, remembered: most of a table stays as it was."""
    return _remembered(get_language(), template, name or template, *facts)


@lru_cache(maxsize=10_000)
def _remembered(_language: str, template: str, name: str, *facts: Hashable) -> str:
    return str(_macro(template, name)(*facts))


def card_html(code: str) -> Markup:
    """A card's face: value and counts to see, one sentence to hear."""
    return Markup(_render("card", code))  # noqa: S704 (rendered with escaping)


class PastTrick(NamedTuple):
    """A finished trick, as the templates read it."""

    call: str
    plays: tuple[tuple[int, str], ...]
    taker: int


class Player(NamedTuple):
    """Who sits on a seat, as the templates read it."""

    name: str
    kind: str
    away: bool
    stand_in: bool
    ready: bool


def table_fragments(
    state: TableState, public: dict[str, Any], presence: Presence, now: datetime
) -> Callable[[int | None], Fragments]:
    """A function that gives each viewer (a seat, or None) their fragments of this state."""
    common = _common(state, public)
    own_tiles = {
        seat.number: _seat_tile(public, seat.number, is_you=True) for seat in state.seats
    }
    stand_in_for = [
        seat.number
        for seat in state.people
        if may_be_stood_in_for(state, seat.number, presence, now)
    ]
    next_table = state.next_table_id if state.status in {"game_over", "closed"} else None

    def fragments_for(seat: int | None) -> Fragments:
        seen = public if seat is None else seat_observation(public, state, seat)
        own = {} if seat is None else {f"seat-{seat}": own_tiles[seat]}
        return {
            **common,
            **own,
            "prompt": str(_macro("prompt", "prompt")(seen, stand_in_for, next_table)),
            "hand": _hand(seen, [] if seat is None else legal_texts(state, seat)),
        }

    return fragments_for


def _common(state: TableState, public: dict[str, Any]) -> Fragments:
    """The fragments that are the same for everybody at the table."""
    names = tuple(seat.name for seat in state.seats)
    done = [
        PastTrick(t["call"], tuple(map(tuple, t["plays"])), t["winner"])
        for t in public["tricks"]
    ]
    revealed = public["revealed"] or {"hands": (), "undealt": ()}
    return {
        "bar": _render(
            "bar",
            public["turn"],
            public["status"],
            public["round"],
            public["rounds"],
            len(done) + 1,
            public["paused"],
        ),
        "trick": _trick(names, state, public),
        **{f"seat-{n}": _seat_tile(public, n, is_you=False) for n in range(len(names))},
        "last": _render("past", names, done[-1] if done else None, name="last"),
        **{
            f"past-{n}": _render("past", n, names, done[n - 1] if n <= len(done) else None)
            for n in range(1, HAND_SIZE + 1)
        },
        "revealed": _render(
            "past",
            names,
            tuple(map(tuple, revealed["hands"])),
            tuple(revealed["undealt"]),
            name="revealed",
        ),
        "scores": _render("scores", names, state.points, state.totals),
    }


def _trick(names: tuple[str, ...], state: TableState, public: dict[str, Any]) -> str:
    trick = public["trick"]
    if trick is None or state.round is None or state.round.trick is None:
        return _render("trick", names, None, None, (), None)
    plays = tuple(map(tuple, trick["plays"]))
    taking = state.round.trick.winner
    return _render("trick", names, trick["leader"], trick["call"], plays, taking)


def _seat_tile(public: dict[str, Any], n: int, *, is_you: bool) -> str:
    dealt = bool(public["hand_sizes"])
    return _render(
        "seat",
        n,
        Player(**public["players"][n]),
        is_you,
        public["dealer"] == n,
        public["to_move"] == n,
        public["variant"],
        public["bids"][n] if dealt else None,
        public["taken"][n] if dealt else None,
        public["hand_sizes"][n] if dealt else None,
        public["status"],
    )


def _hand(seen: dict[str, Any], legal: list[str]) -> str:
    """The hand, the same while the table is paused: a half-made choice stays."""
    if seen["seat"] is None:
        return _render("hand", name="watching")
    plays = seen["status"] == "playing" and legal
    return _render(
        "hand",
        tuple(seen["hand"]),
        tuple(legal) if plays else (),
        bool(plays) and seen["trick"]["call"] is None,
        seen["turn"] if plays else None,
    )


def notice(message: str) -> str:
    """The line that answers what somebody just tried; empty when there is nothing to say."""
    return str(_macro("notice", "notice")(message))


def announcements(before: TableState | None, now: TableState) -> list[str]:
    """What happened between two states, in sentences to hear; nothing that is not public."""
    if before is None or now.round is None:
        return []
    lines = []
    same_deal = before.deal_id == now.deal_id
    if not same_deal:
        lines.append(
            gettext("Round %(round)d of %(rounds)d.")
            % {"round": now.round_number, "rounds": now.rounds}
        )
    tricks_before = len(before.round.tricks) if same_deal and before.round else 0
    moves_before = len(before.moves) if same_deal else 0
    bids = len(now.seats) if now.variant.value == "bid" else 0
    for number, (seat, text) in enumerate(now.moves[moves_before:], start=moves_before + 1):
        lines.append(move_words(now.seats[seat].name, text))
        ended, rest = divmod(number - bids, len(now.seats))
        if rest == 0 and tricks_before < ended <= len(now.round.tricks):
            taker = now.round.tricks[ended - 1].winner
            assert taker is not None
            lines.append(gettext("%(name)s takes the trick.") % {"name": now.seats[taker].name})
    return lines


def live(lines: list[str]) -> str:
    """Lines for the live region, which is only ever appended to."""
    if not lines:
        return ""
    items = Markup("").join(Markup("<p>{}</p>").format(line) for line in lines)
    return str(Markup('<div id="live" hx-swap-oob="beforeend">{}</div>').format(items))
