"""The table in HTML: named fragments, rendered from the protocol's public observation and,
for a seat, its own hand and legal moves.

The page, a reconnect and every change take the same path: what is common to a table is
rendered once, and of each seat only what is its own. Templates: templates/games/table/.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, NamedTuple

from django.template import engines
from django.templatetags.static import static
from django.urls import reverse
from django.utils.functional import lazy
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext
from jinja2 import Environment
from markupsafe import Markup, escape

from games.models import PACES, VARIANTS, SessionSettings, Table
from games.rules import (
    HAND_SIZE,
    Call,
    Round,
    Shape,
    Trick,
    Variant,
    hook,
    parse_call,
    parse_card,
    places,
    winners,
)
from games.tables.state import (
    Presence,
    TableState,
    Viewer,
    may_be_stood_in_for,
    may_look_back,
    odds_turn,
)
from games.words import call_words, card_words, move_words

Fragments = dict[str, str]
"""HTML by fragment id; each value is one element with that id. It may have holes for others,
which come after it and have none."""

_HOLE = re.compile("<!--(.+?)-->")

SHAPE_NAMES = [
    ("ball", gettext_lazy("Ball")),
    ("cube", gettext_lazy("Cube")),
    ("cone", gettext_lazy("Cone")),
    ("star", gettext_lazy("Star")),
]
GAME_NAMES = dict(VARIANTS)
HINTS = {
    "lead": gettext_lazy("To win the trick: a high card, calling its smallest count."),
    "call": gettext_lazy("To win the trick: call the smallest count of your last card."),
    "follow": gettext_lazy("The highest value with that call wins; if tied, the last one."),
    "slough": gettext_lazy("A good moment to part with a card that you do not want."),
}
"""How to play a moment where one wants the trick."""

HINTS_TO_LOSE = {
    "lead": gettext_lazy("To lose the trick: a low card, calling its largest count."),
    "call": gettext_lazy("To lose the trick: call the largest count of your last card."),
    "follow": gettext_lazy("To lose the trick: stay below the winning card, or play low."),
    "slough": gettext_lazy("A good moment to part with a high card."),
}
"""The same in the variant lose; in bid, once the bid is reached, after a word on that."""

PACE_NAMES = {
    "slow": gettext_lazy("Slow"),
    "normal": gettext_lazy("Normal"),
    "fast": gettext_lazy("Fast"),
    "instant": gettext_lazy("Instant"),
}


ODDS_NAMES = {
    SessionSettings.OddsPanel.OFF.value: gettext_lazy("Off"),
    SessionSettings.OddsPanel.AFTER.value: gettext_lazy("After the trick"),
    SessionSettings.OddsPanel.ALWAYS.value: gettext_lazy("Always"),
}


def environment(**options: Any) -> Environment:
    """Jinja2 for the fragments: escaping on, our words, no surprises."""
    env = Environment(**options)  # noqa: S701 (Django turns escaping on)
    env.globals.update(
        _=lambda text: _translated(_now.language, text),
        ngettext=lambda one, many, n: _translated_number(_now.language, one, many, n),
        url=reverse,
        card=lambda code: _card(_now.language, code),
        call_words=lambda text: _words_of_call(_now.language, text),
        card_words=lambda code: card_words(parse_card(code)),
        value=lambda code: parse_card(code).value,
        all_calls=_all_calls,
        signed=signed,
        sprite=lazy(_sprite, str)(),
        shows=_shows,
        held=_held,
        hole=lambda name: Markup(f"<!--{name}-->"),  # noqa: S704 (our own names)
    )
    return env


class Picture:
    """The fragments of one moment, and what is new in them to whoever saw another."""

    def __init__(self, fragments: Fragments) -> None:
        self.fragments = fragments
        self._asked: tuple[Fragments, str] | None = None

    def whole(self, name: str) -> str:
        """A fragment with its holes filled."""
        html = self.fragments[name]
        if "<!--" not in html:
            return html
        return _HOLE.sub(lambda hole: self.fragments[hole[1]], html)

    def since(self, before: Fragments) -> str:
        """The HTML of what is not as before, each element once: a whole fragment, or of its
        holes only those that changed. At a table all ask for the same, so it is remembered."""
        if self._asked is None or self._asked[0] is not before:
            self._asked = (before, "".join(self._changes(before)))
        return self._asked[1]

    def _changes(self, before: Fragments) -> Iterator[str]:
        sent: set[str] = set()
        for name, html in self.fragments.items():
            if before.get(name) != html and name not in sent:
                sent.update(_HOLE.findall(html))
                yield self.whole(name)


@cache
def _sprite() -> str:
    """The address of the cards' pictures; asked late, when static files are collected."""
    return static("games/cards.svg")


def signed(points: int) -> str:
    """A number of points with a true minus sign."""
    return f"−{-points}" if points < 0 else str(points)


def _all_calls() -> list[tuple[str, str, int, str]]:
    calls = [Call(shape, number) for shape in Shape for number in (1, 2, 3)]
    return [(str(c), c.shape.value, c.number, call_words(c)) for c in calls]


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


class _Now(threading.local):
    """The language that this thread renders in; asking Django forty times a move costs."""

    language = "en"


_now = _Now()


@lru_cache(maxsize=10_000)
def _render(language: str, template: str, name: str, *facts: Hashable) -> str:
    """A macro's HTML for these facts, remembered: most of a table stays as it was."""
    _now.language = language
    return str(_macro(template, name)(*facts))


render = _render
"""For the fragments of class sessions."""


@lru_cache(maxsize=500)
def _card(language: str, code: str) -> Markup:
    return Markup(_render(language, "card", "card", code))  # noqa: S704 (escaped there)


def _held(codes: Sequence[str], kind: str, legal: Sequence[str]) -> Markup:
    """The cards of a hand: choices, or what may not be chosen, or only to be seen."""
    cards = []
    for code in codes:
        may = "see" if kind in ("", "bid") else "choose"
        if kind == "follow" and code not in legal:
            may = "not"
        cards.append(_render(_now.language, "card", "held", code, may))
    return Markup("".join(cards))  # noqa: S704 (escaped there)


@lru_cache(maxsize=100)
def _words_of_call(_language: str, text: str) -> str:
    return call_words(parse_call(text))


@lru_cache(maxsize=1000)
def _shows(code: str, call: str) -> bool:
    return parse_card(code).shows(parse_call(call))


def card_html(code: str) -> Markup:
    """A card's face: value and counts to see, one sentence to hear."""
    return _card(get_language(), code)


class PastTrick(NamedTuple):
    """A finished trick, as the templates read it."""

    call: str
    plays: tuple[tuple[int, str], ...]
    taker: int

    @property
    def tied(self) -> int:
        """The value at which the taker's card was tied with an earlier one; else 0."""
        return _tied(self.call, self.plays, self.taker)


def _tied(call: str, plays: Sequence[tuple[int, str]], taker: int) -> int:
    values = [parse_card(code).value for _, code in plays if _shows(code, call)]
    best = next(parse_card(code).value for seat, code in plays if seat == taker)
    return best if values.count(best) > 1 else 0


class Player(NamedTuple):
    """Who sits on a seat, as the templates read it."""

    name: str
    kind: str
    away: bool
    stand_in: bool
    ready: bool
    here: bool


def table_fragments(
    state: TableState, public: dict[str, Any], presence: Presence, now: datetime
) -> Callable[[Viewer], tuple[Picture, Picture]]:
    """A function that gives each viewer what all see of this state and what is their own."""
    language = get_language()
    common = Picture(_common(language, state, public))
    stand_in_for = [
        (seat.number, seat.name)
        for seat in state.people
        if may_be_stood_in_for(state, seat.number, presence, now)
    ]

    def pictures_for(viewer: Viewer) -> tuple[Picture, Picture]:
        own = {
            **_prompt(language, state, public, viewer.seat, stand_in_for),
            "hand": _hand(language, state, viewer.seat),
            **_odds(language, state, viewer),
        }
        if viewer.guest_id is not None and viewer.seat is not None:
            told = state.seats[viewer.seat].program
            own["company"] = _render(language, "notice", "company", told)
        if viewer.is_opener(state):
            own["steer"] = steer(state)
        return common, Picture(own)

    return pictures_for


def _common(language: str, state: TableState, public: dict[str, Any]) -> Fragments:
    """The fragments that are the same for everybody at the table."""
    names = tuple(seat.name for seat in state.seats)
    seats = len(names)
    done = tuple(PastTrick(t["call"], _plays(t), t["winner"]) for t in public["tricks"])
    game = str(GAME_NAMES[public["variant"]])
    bar = (public["status"], game, public["round"], public["rounds"])
    is_bid = public["variant"] == Variant.BID.value
    bids = sum(bid or 0 for bid in public["bids"]) if is_bid else None
    tiles: Fragments = {}
    for n in range(seats):
        tiles |= _seat_tile(language, state, public, n)
    return {
        "turn": _render(language, "bar", "turn", public["turn"], state.news),
        "bar": _render(language, "bar", "bar", *bar, len(done) + 1, bids, public["paused"]),
        **_trick(language, names, state, public, done),
        **tiles,
        **_past(language, names, done),
        "revealed": _render(language, "past", "to_reveal", public["revealed"] is not None),
        "scores": _render(language, "scores", "scores", names, state.points, state.totals),
    }


def _plays(trick: dict[str, Any]) -> tuple[tuple[int, str], ...]:
    return tuple((seat, code) for seat, code in trick["plays"])


@lru_cache(maxsize=500)
def _past(
    language: str, names: tuple[str, ...], done: tuple[PastTrick, ...]
) -> Mapping[str, str]:
    slots = (*done, *[None] * (HAND_SIZE - len(done)))
    return {
        f"past-{n}": _render(language, "past", "past", n, names, trick)
        for n, trick in enumerate(slots, start=1)
    }


def revealed(state: TableState, public: dict[str, Any]) -> str:
    """All hands of a finished round; nothing before. Not pushed: the sheet that shows them
    asks for them when it is opened."""
    names = tuple(seat.name for seat in state.seats)
    shown = public["revealed"] or {"hands": [], "undealt": []}
    hands = tuple(map(tuple, shown["hands"]))
    facts = (names, hands, tuple(shown["undealt"]))
    return _render(get_language(), "past", "revealed", *facts)


def _trick(
    language: str,
    names: tuple[str, ...],
    state: TableState,
    public: dict[str, Any],
    done: tuple[PastTrick, ...],
) -> Fragments:
    """The middle of the table: the trick in play, or the last one until the next is led;
    before a round the bids, after it how it went."""
    round_, trick = state.round, public["trick"]
    if round_ is None or trick is None or state.status == "closed":
        if round_ is not None and round_.is_over and state.status != "closed":
            return {"trick": _result(language, names, state, public, done[-1])}
        bids = [bid for bid in public["bids"] if bid is not None]
        facts = (len(names), sum(bids), len(bids))
        return {"trick": _render(language, "trick", "before", state.status, *facts)}
    is_over = not trick["plays"] and bool(done)
    taking: int | None
    if is_over:
        call, plays, taking = done[-1]
        leader = plays[0][0]
        who = (done[-1].taker, names[done[-1].taker])
        tied, number = done[-1].tied, len(done)
    else:
        call, plays, leader = trick["call"], _plays(trick), trick["leader"]
        taking = round_.trick.winner if round_.trick else None
        who = (leader, names[leader])
        tied, number = 0 if taking is None else _tied(call, plays, taking), 0
    slots: Fragments = {}
    for place in range(len(names)):
        seat = (leader + place) % len(names)
        code = plays[place][1] if place < len(plays) else None
        is_slough = code is not None and not _shows(code, call)
        facts_of_slot = (seat, names[seat], code, seat == taking, is_slough, is_over)
        slots[f"slot-{place}"] = _render(language, "trick", "slot", place, *facts_of_slot)
    return {
        "trick": _render(language, "trick", "trick", len(names)),
        "called": _render(language, "trick", "called", call, *who, tied, number),
        **slots,
    }


def _result(
    language: str,
    names: tuple[str, ...],
    state: TableState,
    public: dict[str, Any],
    last: PastTrick,
) -> str:
    ranked = places(state.variant, state.totals)
    columns = (range(len(names)), public["bids"], public["taken"], state.gained)
    rows = tuple(sorted(zip(ranked, *columns, state.totals, strict=True)))
    winners = tuple(public["winners"] or ())
    remarkable = _most_remarkable(state) if winners and len(state.points) > 1 else ""
    board = state.round_number if state.is_duplicate and state.is_shown else 0
    facts = (names, state.variant.value, rows, winners, remarkable, last, state.id, board)
    return _render(language, "trick", "result", *facts)


def _most_remarkable(state: TableState) -> str:
    """One line on the round that stood out: the highest made bid or most tricks; where
    nobody made any, the widest miss."""
    best = max(
        (points, -number, seat)
        for number, row in enumerate(state.points, start=1)
        for seat, points in enumerate(row)
        if points is not None
    )
    points, number, seat = best[0], -best[1], best[2]
    facts = {"name": state.seats[seat].name, "round": number, "n": abs(points)}
    if state.variant is not Variant.BID:
        text = ngettext(
            "Most in one round: %(name)s took %(n)d trick in round %(round)d.",
            "Most in one round: %(name)s took %(n)d tricks in round %(round)d.",
            points,
        )
        return text % facts
    if points > 0:
        return (
            gettext("Bid of the game: in round %(round)d %(name)s bid %(n)d and took it.")
            % facts
        )
    return gettext("Nobody made a bid above 0 in this game. Bid lower?")


def _seat_tile(language: str, state: TableState, public: dict[str, Any], n: int) -> Fragments:
    """A seat's tile; what changes with every move or trick in it by itself."""
    player = Player(**public["players"][n], here=state.seats[n].opened)
    is_dealt = bool(public["hand_sizes"])
    facts = (n, player, public["dealer"] == n, is_dealt, public["status"])
    tile = {f"seat-{n}": _render(language, "seat", "seat", *facts)}
    if is_dealt:
        is_over = state.round is not None and state.round.is_over
        taken = (n, public["variant"], public["bids"][n], public["taken"][n], is_over)
        left = (n, public["hand_sizes"][n], public["to_move"] == n)
        tile[f"taken-{n}"] = _render(language, "seat", "taken", *taken)
        tile[f"left-{n}"] = _render(language, "seat", "left", *left)
    return tile


def _hand(language: str, state: TableState, seat: int | None) -> str:
    """The hand, the highest values first; the same while the table is paused, so that a
    half-made choice stays."""
    if seat is None:
        return _render(language, "hand", "watching")
    round_ = state.round
    held = sorted(round_.hands[seat], key=lambda c: (-c.value, c.code)) if round_ else []
    cards = tuple(card.code for card in held)
    if round_ is None or state.to_move != seat:
        return _render(language, "hand", "hand", cards, "", (), None, None, "")
    if state.status == "bidding":
        return _render(
            language, "hand", "hand", cards, "bid", (), state.turn, hook(round_.bids), ""
        )
    call = round_.trick.call if round_.trick else None
    if call is None:
        return _render(language, "hand", "hand", cards, "lead", (), state.turn, None, "")
    matching = sum(card.shows(call) for card in held)
    why = ""
    if 0 < matching < len(held):
        why = ngettext(
            "You must follow: you hold %(n)d card with %(call)s.",
            "You must follow: you hold %(n)d cards with %(call)s.",
            matching,
        ) % {"n": matching, "call": call_words(call)}
    return _render(
        language, "hand", "hand", cards, "follow", state.legal, state.turn, None, why
    )


def _odds(language: str, state: TableState, viewer: Viewer) -> Fragments:
    """Where a seat's odds stand, which the page fetches while they are looked at; the button
    that opens them, and the opener's choice when they are shown."""
    if viewer.seat is None:
        return {}
    turn = odds_turn(state, viewer.seat)
    steers = viewer.is_opener(state)
    facts = (state.id, viewer.seat, state.odds, turn, state.status, state.is_duplicate, steers)
    shown: Fragments = {
        "odds": _render(language, "odds", "odds", *facts),
        "odds-tool": _render(language, "odds", "tool", state.odds != "off"),
    }
    if steers:
        choices = tuple((value, str(name)) for value, name in ODDS_NAMES.items())
        shown["odds-steer"] = _render(
            language,
            "odds",
            "steer",
            state.id,
            state.kind == Table.Kind.SOLO,
            state.odds_panel,
            choices,
        )
    return shown


class Prompt(NamedTuple):
    """What one viewer is told to do now, as the template reads it.

    ``kind`` names the moment; ``text`` is what its sentence needs (a name, a call); ``turn``
    is empty where nothing can be sent. ``hint`` is for newcomers, ``is_to_lose`` whether it
    says how to lose the trick. ``again`` is the next table's id, or "ask", or "".
    At a class's table ``session`` is the class session, ``deadline`` when the clock plays or
    the next round is dealt, ``halt`` what else the teacher holds up ("held" or "paused"),
    ``is_over`` whether the session is closed; ``others`` is how many tables still play the
    same cards, ``review`` the round that may be looked back on.
    """

    kind: str
    text: str = ""
    hint: str = ""
    is_to_lose: bool = False
    turn: str = ""
    forbidden: int | None = None
    bot_plays_for_me: bool = False
    stand_in_for: tuple[tuple[int, str], ...] = ()
    table: str = ""
    again: str = ""
    seat: int = 0
    session: int = 0
    deadline: str = ""
    halt: str = ""
    is_over: bool = False
    others: int = 0
    review: int = 0


def _prompt(
    language: str,
    state: TableState,
    public: dict[str, Any],
    seat: int | None,
    stand_in_for: list[tuple[int, str]],
) -> Fragments:
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
    if seat is not None and may_look_back(state, state.round_number):
        prompt = prompt._replace(seat=seat, table=state.id, review=state.round_number)
    if state.class_session_id is not None:
        is_between = state.status == "round_over"
        is_held = state.held and is_between
        halt = "paused" if state.paused else "held" if is_held else ""
        still = 0 if state.is_shown or not is_between else max(state.still_playing, 1)
        prompt = prompt._replace(
            again="back" if prompt.again else "",
            session=state.class_session_id,
            deadline=public["deadline"] or "",
            halt=halt if is_between and not still else "",
            is_over=state.is_session_over,
            others=still,
            # A pause allows it not, and at my own turn it would only distract.
            stand_in_for=() if halt or state.to_move == seat else prompt.stand_in_for,
        )
    return {
        "prompt": _render(language, "prompt", "prompt", prompt._replace(text="")),
        "sentence": _render(
            language,
            "prompt",
            "sentence",
            prompt.kind,
            prompt.text,
            bool(prompt.session),
            prompt.is_over,
        ),
    }


def _moment(state: TableState, public: dict[str, Any], seat: int | None) -> Prompt:
    """The moment a viewer is in, without the offers that may come with it."""
    status, round_ = state.status, state.round
    if round_ is None or status in {"waiting", "closed"}:
        return Prompt(status)
    if status == "game_over":
        if public["winners"] == [seat]:
            return Prompt("you_win")
        names = ", ".join(
            gettext("you") if n == seat else state.seats[n].name for n in public["winners"]
        )
        return Prompt("shared_win" if len(public["winners"]) > 1 else "win", names)
    if status == "round_over":
        if seat is not None and state.seats[seat].ready_at and state.is_shown:
            return Prompt("ready")
        if seat is None:
            return Prompt("round_over")
        turn = state.turn if state.is_shown else ""
        return Prompt("round_over", _outcome(state, round_, seat), turn=turn)
    if state.paused:
        return Prompt("paused")
    if state.to_move != seat or seat is None:
        return Prompt("wait", state.seats[state.to_move or 0].name)
    if status == "bidding":
        forbidden = hook(round_.bids)
        return Prompt("bid", hint=_hint_to_bid(forbidden), forbidden=forbidden)
    return _play_moment(round_, seat)


def _play_moment(round_: Round, seat: int) -> Prompt:
    """A card is to be played. Where there is no choice, there is no advice either."""
    hand, call = round_.hands[seat], round_.trick.call if round_.trick else None
    is_last = len(hand) == 1
    taken, bid = round_.taken[seat], round_.bids[seat]
    has_bid = bid is not None and taken >= bid
    to_lose = has_bid or round_.variant is Variant.LOSE
    hints = HINTS_TO_LOSE if to_lose else HINTS
    needs = gettext("You need no more tricks.") + " " if has_bid else ""
    if call is None:
        hint = needs + str(hints["call" if is_last else "lead"])
        return Prompt("lead", hint=hint, is_to_lose=to_lose)
    following = sum(card.shows(call) for card in hand)
    kind = "follow" if following else "last" if is_last else "slough"
    has_choice = following != 1 and not is_last
    hint = needs + str(hints[kind]) if has_choice else ""
    return Prompt(kind, call_words(call), hint=hint, is_to_lose=to_lose)


def _hint_to_bid(forbidden: int | None) -> str:
    """What a trick is, and what a bid is worth; the latter gives way to the hook."""
    trick = gettext("A trick: each plays a card, the best takes it.")
    if forbidden is not None:
        return trick
    return f"{trick} {gettext('Exactly right: a point a trick; each one off costs a point.')}"


def _outcome(state: TableState, round_: Round, seat: int) -> str:
    """What the round came to for one seat."""
    taken, points = round_.taken[seat], state.gained[seat]
    if state.variant is not Variant.BID:
        text = ngettext("You took %(n)d trick.", "You took %(n)d tricks.", taken)
        return text % {"n": taken}
    facts = {"bid": round_.bids[seat], "taken": taken, "points": signed(points)}
    if points >= 0:
        text = ngettext(
            "You bid %(bid)d and took just that: %(points)s point.",
            "You bid %(bid)d and took just that: %(points)s points.",
            points,
        )
    else:
        text = ngettext(
            "You bid %(bid)d and took %(taken)d: %(points)s point.",
            "You bid %(bid)d and took %(taken)d: %(points)s points.",
            -points,
        )
    return text % facts


def steer(state: TableState) -> str:
    """What the table's opener may do about it; for the opener alone."""
    paces = tuple((key, str(PACE_NAMES[key]), PACES[key]) for key in PACES)
    facts = (state.status == "waiting", state.status in {"game_over", "closed"}, state.paused)
    is_friends = state.kind == Table.Kind.FRIENDS
    return _render(
        get_language(), "steer", "steer", state.id, is_friends, *facts, state.pace, paces
    )


def drawn_trick(names: tuple[str, ...], trick: Trick) -> Markup:
    """A finished trick outside of a table, as an example."""
    plays = tuple((seat, card.code) for seat, card in trick.plays)
    facts = (names, str(trick.call), plays, trick.winner)
    return Markup(_render(get_language(), "trick", "example", *facts))  # noqa: S704 (escaped)


def drawn_call(text: str) -> Markup:
    """A call as it is always drawn: the solid, repeated count times, with its words."""
    return Markup(_render(get_language(), "chip", "chip", text))  # noqa: S704 (escaped)


def call_choices() -> str:
    """The twelve calls, drawn; the page offers those four that a chosen card shows."""
    return _render(get_language(), "hand", "call_choices")


def notice(message: str) -> str:
    """The line that answers what somebody just tried; empty when there is nothing to say."""
    return _render(get_language(), "notice", "notice", message)


def announcements(before: TableState | None, now: TableState, seat: int | None) -> list[str]:
    """What happened between two states, in sentences for one viewer to hear; nothing that is
    not public."""
    if before is None:
        return []
    lines = _halt_words(before, now)
    if now.round is None:
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
            lines.append(_taker_words(now, now.round.tricks[finished - 1], seat))
    if not now.round.is_over:
        return lines
    if len(now.moves) > heard:
        lines += _round_words(now, seat)
    elif now.is_duplicate and now.is_shown and not (before.is_shown or now.closed):
        lines.append(gettext("All tables have played these cards."))
    if now.status == "game_over" and not (same_deal and before.status == "game_over"):
        lines.append(_winner_words(now, seat))
    return lines


def _halt_words(before: TableState, now: TableState) -> list[str]:
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


def _taker_words(now: TableState, trick: Trick, seat: int | None) -> str:
    taker = trick.winner
    assert taker is not None
    tied = _tied(str(trick.call), [(n, card.code) for n, card in trick.plays], taker)
    facts = {"name": now.seats[taker].name, "n": tied}
    if taker == seat:
        words = gettext("You take the trick: tied at %(n)d, played later.")
        return words % facts if tied else gettext("You take the trick.")
    words = gettext("%(name)s takes the trick: tied at %(n)d, played later.")
    return (words if tied else gettext("%(name)s takes the trick.")) % facts


def _round_words(now: TableState, seat: int | None) -> list[str]:
    """The end of a round, in sentences."""
    assert now.round is not None
    lines = [gettext("The round is over.")]
    for number, player in enumerate(now.seats):
        facts = {
            "name": gettext("You") if number == seat else player.name,
            "bid": now.round.bids[number],
            "taken": now.round.taken[number],
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


def _winner_words(now: TableState, seat: int | None) -> str:
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


def way_back(address: str) -> str:
    """Tells a student's page where it belongs now that it is not at its table any more."""
    return str(Markup('<div id="follow" data-leave="{}"></div>').format(address))


def live(lines: Sequence[str]) -> str:
    """Lines for the live region, which is only ever appended to."""
    return _live(tuple(lines)) if lines else ""


@lru_cache(maxsize=500)
def _live(lines: tuple[str, ...]) -> str:
    items = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return f'<div id="live" hx-swap-oob="beforeend">{items}</div>'
