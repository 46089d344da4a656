"""The table in HTML: named fragments, rendered from the protocol's observation alone.

The page, a reconnect and every change take the same path: what is common to a table is
rendered once, and of each seat only what is its own. Templates: templates/games/table/.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.template import engines
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from jinja2 import Environment
from markupsafe import Markup

from games.rules import hook, parse_call, parse_card
from games.selectors import Presence, TableState, may_be_stood_in_for, seat_observation
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


@lru_cache(maxsize=8)
def _macro(name: str) -> Callable[..., Markup]:
    env: Environment = engines["fragments"].env  # type: ignore[attr-defined]
    macro: Callable[..., Markup] = getattr(env.get_template(f"_{name}.html").module, name)
    return macro


def card_html(code: str) -> Markup:
    """A card's face: value and counts to see, one sentence to hear."""
    return _macro("card")(code)


def table_fragments(
    state: TableState, public: dict[str, Any], presence: Presence, now: datetime
) -> Callable[[int | None], Fragments]:
    """A function that gives each viewer (a seat, or None) their fragments of this state."""
    trick = state.round.trick if state.round else None
    common = {name: str(_macro(name)(public)) for name in ("bar", "tricks", "scores")}
    common["trick"] = str(_macro("trick")(public, trick.winner if trick else None))
    stand_in_for = [
        seat.number
        for seat in state.people
        if may_be_stood_in_for(state, seat.number, presence, now)
    ]

    def fragments_for(seat: int | None) -> Fragments:
        seen = public if seat is None else seat_observation(public, state, seat)
        next_table = state.next_table_id if state.status in {"game_over", "closed"} else None
        return {
            **common,
            "seats": str(_macro("seats")(seen)),
            "prompt": str(_macro("prompt")(seen, stand_in_for, next_table)),
            "hand": str(_macro("hand")(seen)),
        }

    return fragments_for


def notice(message: str) -> str:
    """The line that answers what somebody just tried; empty when there is nothing to say."""
    return str(_macro("notice")(message))


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
