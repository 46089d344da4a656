"""The table in HTML: named fragments, rendered from the protocol's public observation and,
for a seat, what that seat may see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.translation import get_language, gettext, gettext_lazy, ngettext
from markupsafe import Markup

from games.models import PACES, SessionSettings, Table
from games.rules import HAND_SIZE, Trick, Variant, hook, parse_card, places
from games.tables.observation import odds_turn
from games.tables.prompts import prompt_html
from games.tables.rendering import GAME_NAMES, Fragments, Picture, render, shows
from games.tables.state import TableState
from games.tables.timing import Presence, may_be_stood_in_for
from games.tables.viewers import Viewer
from games.words import call_words

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


class PastTrick(NamedTuple):
    """A finished trick, as the templates read it."""

    call: str
    plays: tuple[tuple[int, str], ...]
    taker: int

    @property
    def tied(self) -> int:
        """The value at which the taker's card was tied with an earlier one; else 0."""
        return how_many_tied(self.call, self.plays, self.taker)


def how_many_tied(call: str, plays: Sequence[tuple[int, str]], taker: int) -> int:
    values = [parse_card(code).value for _, code in plays if shows(code, call)]
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
            **prompt_html(language, state, public, viewer.seat, stand_in_for),
            "hand": _hand(language, state, viewer.seat),
            **_odds(language, state, viewer),
        }
        if viewer.guest_id is not None and viewer.seat is not None:
            told = state.seats[viewer.seat].program
            own["company"] = render(language, "notice", "company", told)
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
        "turn": render(language, "bar", "turn", public["turn"], state.news),
        "bar": render(language, "bar", "bar", *bar, len(done) + 1, bids, public["paused"]),
        **_trick(language, names, state, public, done),
        **tiles,
        **_past(language, names, done),
        "revealed": render(language, "past", "to_reveal", public["revealed"] is not None),
        "scores": render(language, "scores", "scores", names, state.points, state.totals),
    }


def _plays(trick: dict[str, Any]) -> tuple[tuple[int, str], ...]:
    return tuple((seat, code) for seat, code in trick["plays"])


@lru_cache(maxsize=500)
def _past(
    language: str, names: tuple[str, ...], done: tuple[PastTrick, ...]
) -> Mapping[str, str]:
    slots = (*done, *[None] * (HAND_SIZE - len(done)))
    return {
        f"past-{n}": render(language, "past", "past", n, names, trick)
        for n, trick in enumerate(slots, start=1)
    }


def revealed(state: TableState, public: dict[str, Any]) -> str:
    """All hands of a finished round; nothing before. Not pushed: the sheet that shows them
    asks for them when it is opened."""
    names = tuple(seat.name for seat in state.seats)
    shown = public["revealed"] or {"hands": [], "undealt": []}
    hands = tuple(map(tuple, shown["hands"]))
    facts = (names, hands, tuple(shown["undealt"]))
    return render(get_language(), "past", "revealed", *facts)


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
        return {"trick": render(language, "trick", "before", state.status, *facts)}
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
        tied, number = 0 if taking is None else how_many_tied(call, plays, taking), 0
    slots: Fragments = {}
    for place in range(len(names)):
        seat = (leader + place) % len(names)
        code = plays[place][1] if place < len(plays) else None
        is_slough = code is not None and not shows(code, call)
        facts_of_slot = (seat, names[seat], code, seat == taking, is_slough, is_over)
        slots[f"slot-{place}"] = render(language, "trick", "slot", place, *facts_of_slot)
    return {
        "trick": render(language, "trick", "trick", len(names)),
        "called": render(language, "trick", "called", call, *who, tied, number),
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
    return render(language, "trick", "result", *facts)


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
    tile = {f"seat-{n}": render(language, "seat", "seat", *facts)}
    if is_dealt:
        is_over = state.round is not None and state.round.is_over
        taken = (n, public["variant"], public["bids"][n], public["taken"][n], is_over)
        left = (n, public["hand_sizes"][n], public["to_move"] == n)
        tile[f"taken-{n}"] = render(language, "seat", "taken", *taken)
        tile[f"left-{n}"] = render(language, "seat", "left", *left)
    return tile


def _hand(language: str, state: TableState, seat: int | None) -> str:
    """The hand, the highest values first; the same while the table is paused, so that a
    half-made choice stays."""
    if seat is None:
        return render(language, "hand", "watching")
    round_ = state.round
    held = sorted(round_.hands[seat], key=lambda c: (-c.value, c.code)) if round_ else []
    cards = tuple(card.code for card in held)
    if round_ is None or state.to_move != seat:
        return render(language, "hand", "hand", cards, "", (), None, None, "")
    if state.status == "bidding":
        return render(
            language, "hand", "hand", cards, "bid", (), state.turn, hook(round_.bids), ""
        )
    call = round_.trick.call if round_.trick else None
    if call is None:
        return render(language, "hand", "hand", cards, "lead", (), state.turn, None, "")
    matching = sum(card.shows(call) for card in held)
    why = ""
    if 0 < matching < len(held):
        why = ngettext(
            "You must follow: you hold %(n)d card with %(call)s.",
            "You must follow: you hold %(n)d cards with %(call)s.",
            matching,
        ) % {"n": matching, "call": call_words(call)}
    return render(language, "hand", "hand", cards, "follow", state.legal, state.turn, None, why)


def _odds(language: str, state: TableState, viewer: Viewer) -> Fragments:
    """Where a seat's odds stand, which the page fetches while they are looked at; the button
    that opens them, and the opener's choice when they are shown."""
    if viewer.seat is None:
        return {}
    turn = odds_turn(state, viewer.seat)
    steers = viewer.is_opener(state)
    facts = (state.id, viewer.seat, state.odds, turn, state.status, state.is_duplicate, steers)
    shown: Fragments = {
        "odds": render(language, "odds", "odds", *facts),
        "odds-tool": render(language, "odds", "tool", state.odds != "off"),
    }
    if steers:
        choices = tuple((value, str(name)) for value, name in ODDS_NAMES.items())
        shown["odds-steer"] = render(
            language,
            "odds",
            "steer",
            state.id,
            state.kind == Table.Kind.SOLO,
            state.odds_panel,
            choices,
        )
    return shown


def steer(state: TableState) -> str:
    """What the table's opener may do about it; for the opener alone."""
    paces = tuple((key, str(PACE_NAMES[key]), PACES[key]) for key in PACES)
    facts = (state.status == "waiting", state.status in {"game_over", "closed"}, state.paused)
    is_friends = state.kind == Table.Kind.FRIENDS
    return render(
        get_language(), "steer", "steer", state.id, is_friends, *facts, state.pace, paces
    )


def drawn_trick(names: tuple[str, ...], trick: Trick) -> Markup:
    """A finished trick outside of a table, as an example."""
    plays = tuple((seat, card.code) for seat, card in trick.plays)
    facts = (names, str(trick.call), plays, trick.winner)
    return Markup(render(get_language(), "trick", "example", *facts))  # noqa: S704 (escaped)


def drawn_call(text: str) -> Markup:
    """A call as it is always drawn: the solid, repeated count times, with its words."""
    return Markup(render(get_language(), "chip", "chip", text))  # noqa: S704 (escaped)


def call_choices() -> str:
    """The twelve calls, drawn; the page offers those four that a chosen card shows."""
    return render(get_language(), "hand", "call_choices")


def notice(message: str) -> str:
    """The line that answers what somebody just tried; empty when there is nothing to say."""
    return render(get_language(), "notice", "notice", message)


def way_back(address: str) -> str:
    """Tells a student's page where it belongs now that it is not at its table any more."""
    return str(Markup('<div id="follow" data-leave="{}"></div>').format(address))
