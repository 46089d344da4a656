"""The table in HTML: named fragments, rendered from the protocol's public observation and,
for a seat, its own hand and legal moves.

The page, a reconnect and every change take the same path: what is common to a table is
rendered once, and of each seat only what is its own. Templates: templates/games/table/.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.template import engines
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext
from jinja2 import Environment
from markupsafe import Markup

from games.models import PACES, Table
from games.rules import HAND_SIZE, hook, parse_call, parse_card
from games.selectors import (
    Presence,
    TableState,
    Viewer,
    may_be_stood_in_for,
)
from games.words import call_words, card_words, move_words

Fragments = dict[str, str]
"""HTML by fragment id; each value is one element with that id."""

PACE_NAMES = {
    "slow": gettext_lazy("Slow"),
    "normal": gettext_lazy("Normal"),
    "fast": gettext_lazy("Fast"),
    "instant": gettext_lazy("Instant"),
}


def environment(**options: Any) -> Environment:
    """Jinja2 for the fragments: escaping on, our words, no surprises."""
    env = Environment(**options)  # noqa: S701 (Django turns escaping on)
    env.globals.update(
        _=lambda text: _translated(get_language(), text),
        ngettext=lambda one, many, n: _translated_number(get_language(), one, many, n),
        static=static,
        url=reverse,
        card=card_html,
        call_words=lambda text: call_words(parse_call(text)),
        card_words=lambda code: card_words(parse_card(code)),
        value=lambda code: parse_card(code).value,
        calls=lambda code: [(str(call), call_words(call)) for call in parse_card(code).calls],
        shows=lambda code, call: parse_card(code).shows(parse_call(call)),
    )
    return env


@lru_cache(maxsize=2000)
def _translated(_language: str, text: str) -> str:
    return gettext(text)


@lru_cache(maxsize=2000)
def _translated_number(_language: str, one: str, many: str, n: int) -> str:
    return ngettext(one, many, n)


@lru_cache(maxsize=32)
def _macro(template: str, name: str) -> Callable[..., str]:
    env: Environment = engines["fragments"].env  # type: ignore[attr-defined]
    macro: Callable[..., str] = getattr(env.get_template(f"_{template}.html").module, name)
    return macro


@lru_cache(maxsize=4000)
def _render(_language: str, template: str, name: str, *facts: Hashable) -> str:
    """A macro's HTML for these facts, remembered: most of a table stays as it was."""
    return str(_macro(template, name)(*facts))


def card_html(code: str) -> Markup:
    """A card's face: value and counts to see, one sentence to hear."""
    return Markup(_render(get_language(), "card", "card", code))  # noqa: S704 (escaped there)


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
) -> Callable[[Viewer], Fragments]:
    """A function that gives each viewer their fragments of this state."""
    language = get_language()
    common = _common(language, state, public)
    stand_in_for = [
        (seat.number, seat.name)
        for seat in state.people
        if may_be_stood_in_for(state, seat.number, presence, now)
    ]

    def fragments_for(viewer: Viewer) -> Fragments:
        own = {
            "prompt": _prompt(language, state, public, viewer.seat, stand_in_for),
            "hand": _hand(language, state, viewer.seat),
        }
        if viewer.is_opener(state):
            own["steer"] = steer(state)
        return {**common, **own}

    return fragments_for


def _common(language: str, state: TableState, public: dict[str, Any]) -> Fragments:
    """The fragments that are the same for everybody at the table."""
    names = tuple(seat.name for seat in state.seats)
    done = tuple(
        PastTrick(t["call"], tuple(map(tuple, t["plays"])), t["winner"])
        for t in public["tricks"]
    )
    bar = (public["turn"], public["status"], public["round"], public["rounds"])
    return {
        "bar": _render(language, "bar", "bar", *bar, len(done) + 1, public["paused"]),
        "trick": _trick(language, names, state, public),
        **{f"seat-{n}": _seat_tile(language, public, n) for n in range(len(names))},
        **_past(language, names, done),
        "revealed": _revealed(language, names, public["revealed"]),
        "scores": _render(language, "scores", "scores", names, state.points, state.totals),
    }


@lru_cache(maxsize=500)
def _past(
    language: str, names: tuple[str, ...], done: tuple[PastTrick, ...]
) -> Mapping[str, str]:
    last = _render(language, "past", "last", names, done[-1] if done else None)
    slots = (*done, *[None] * (HAND_SIZE - len(done)))
    past = {
        f"past-{n}": _render(language, "past", "past", n, names, trick)
        for n, trick in enumerate(slots, start=1)
    }
    return {"last": last, **past}


def _revealed(
    language: str, names: tuple[str, ...], revealed: dict[str, list[Any]] | None
) -> str:
    if revealed is None:
        return _render(language, "past", "revealed", names, (), ())
    hands = tuple(map(tuple, revealed["hands"]))
    return _render(language, "past", "revealed", names, hands, tuple(revealed["undealt"]))


def _trick(
    language: str, names: tuple[str, ...], state: TableState, public: dict[str, Any]
) -> str:
    trick = public["trick"]
    if trick is None or state.round is None or state.round.trick is None:
        return _render(language, "trick", "trick", names, None, None, (), None)
    plays = tuple(map(tuple, trick["plays"]))
    facts = (names, trick["leader"], trick["call"], plays, state.round.trick.winner)
    return _render(language, "trick", "trick", *facts)


def _seat_tile(language: str, public: dict[str, Any], n: int) -> str:
    dealt = bool(public["hand_sizes"])
    return _render(
        language,
        "seat",
        "seat",
        n,
        Player(**public["players"][n]),
        public["dealer"] == n,
        public["to_move"] == n,
        public["variant"],
        public["bids"][n] if dealt else None,
        public["taken"][n] if dealt else None,
        public["hand_sizes"][n] if dealt else None,
        public["status"],
    )


def _hand(language: str, state: TableState, seat: int | None) -> str:
    """The hand, the same while the table is paused: a half-made choice stays."""
    if seat is None:
        return _render(language, "hand", "watching")
    cards = tuple(card.code for card in state.round.hands[seat]) if state.round else ()
    if state.status != "playing" or state.to_move != seat:
        return _render(language, "hand", "hand", cards, (), False, None)
    is_lead = ":" in state.legal[0]
    return _render(language, "hand", "hand", cards, state.legal, is_lead, state.turn)


class Prompt(NamedTuple):
    """What one viewer is told to do now, as the template reads it.

    ``kind`` names the moment; ``text`` is what its sentence needs (a name, a call); ``turn``
    is empty where nothing can be sent. ``again`` is the next table's id, or "ask", or "".
    """

    kind: str
    text: str = ""
    turn: str = ""
    forbidden: int | None = None
    outcome: tuple[str, int | None, int, int] | None = None
    bot_plays_for_me: bool = False
    stand_in_for: tuple[tuple[int, str], ...] = ()
    table: str = ""
    again: str = ""
    seat: int = 0


def _prompt(
    language: str,
    state: TableState,
    public: dict[str, Any],
    seat: int | None,
    stand_in_for: list[tuple[int, str]],
) -> str:
    prompt = _moment(state, public, seat)
    if seat is not None and state.status in {"bidding", "playing", "round_over"}:
        mine = state.seats[seat].stand_in
        others = tuple(offer for offer in stand_in_for if offer[0] != seat)
        if mine or others:
            prompt = prompt._replace(
                bot_plays_for_me=mine, stand_in_for=others, turn=state.turn
            )
    if seat is not None and state.status in {"game_over", "closed"}:
        prompt = prompt._replace(seat=seat, table=state.id, again=state.next_table_id or "ask")
    return _render(language, "prompt", "prompt", prompt)


def _moment(state: TableState, public: dict[str, Any], seat: int | None) -> Prompt:
    """The moment a viewer is in, without the offers that may come with it."""
    status, round_ = state.status, state.round
    if round_ is None or status in {"waiting", "closed"}:
        return Prompt(status)
    if round_.is_over:
        outcome = None
        if seat is not None:
            facts = (round_.bids[seat], round_.taken[seat], state.points[-1][seat])
            outcome = (state.variant.value, *facts)
        names = ", ".join(state.seats[n].name for n in public["winners"] or ())
        if status == "game_over":
            kind = "shared_win" if len(public["winners"]) > 1 else "win"
            return Prompt(kind, names, outcome=outcome)
        if seat is None:
            return Prompt("round_over")
        if state.seats[seat].ready_at:
            return Prompt("ready", outcome=outcome)
        return Prompt("round_over", turn=state.turn, outcome=outcome)
    if state.paused:
        return Prompt("paused")
    if state.to_move != seat or seat is None:
        return Prompt("wait", state.seats[state.to_move or 0].name)
    if status == "bidding":
        return Prompt("bid", turn=state.turn, forbidden=hook(round_.bids))
    call = round_.trick.call if round_.trick else None
    if call is None:
        return Prompt("lead")
    follows = any(card.shows(call) for card in round_.hands[seat])
    return Prompt("follow" if follows else "slough", call_words(call))


def steer(state: TableState) -> str:
    """What the table's opener may do about it; for the opener alone."""
    paces = tuple((key, str(PACE_NAMES[key]), PACES[key]) for key in PACES)
    facts = (state.status == "waiting", state.status in {"game_over", "closed"}, state.paused)
    is_friends = state.kind == Table.Kind.FRIENDS
    return _render(
        get_language(), "steer", "steer", state.id, is_friends, *facts, state.pace, paces
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
