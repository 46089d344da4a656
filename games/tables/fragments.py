"""The table in HTML: named fragments, rendered from the table as everybody at it sees it and,
for a seat, its own observation of the round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from django.utils.text import capfirst
from django.utils.translation import get_language, gettext_lazy, ngettext
from markupsafe import Markup

from games import analysis
from games.models import PACES, Table
from games.rules import (
    HAND_SIZE,
    Card,
    Observation,
    Trick,
    Variant,
    by_value,
    hook,
    move_text,
    parse_card,
    winners,
)
from games.tables.endings import result_html, score_sheet_html
from games.tables.moments import Act
from games.tables.observation import odds_turn
from games.tables.prompts import prompt_html
from games.tables.reactions import offer_html
from games.tables.rendering import GAME_NAMES, Fragments, Picture, render, shows
from games.tables.view import OVER, Friends, InClass, OddsPanel, Status, TableFacts, TableView
from games.tables.viewers import Viewer
from games.words import call_words, taker_words

PACE_NAMES = {
    "slow": gettext_lazy("Slow"),
    "normal": gettext_lazy("Normal"),
    "fast": gettext_lazy("Fast"),
    "instant": gettext_lazy("Instant"),
}
MANY_SEATS = 8
"""From so many on, a small card shows what counts in its trick, not all it has."""


class PastTrick(NamedTuple):
    """A finished trick, as the templates read it."""

    call: str
    plays: tuple[tuple[int, str], ...]
    taker: int

    @property
    def tied(self) -> int:
        """The value at which the taker's card was tied with an earlier one; else 0."""
        return tied_value(self.call, self.plays, self.taker)


def tied_value(call: str, plays: Sequence[tuple[int, str]], taker: int) -> int:
    """The value that took a trick, where another card that follows has it, too; else 0."""
    values = [parse_card(code).value for _, code in plays if shows(code, call)]
    best = next(parse_card(code).value for seat, code in plays if seat == taker)
    return best if values.count(best) > 1 else 0


def table_fragments(
    view: TableView,
) -> Callable[[Viewer, Observation | None], tuple[Picture, Picture]]:
    """A function that gives each viewer what all see of the table and what is their own: for
    a seat, with its own observation of the round."""
    language = get_language()
    spoken = {"language": render(language, "notice", "language", language)}
    common = Picture(spoken | _common_fragments(language, view))

    def pictures_for(viewer: Viewer, own: Observation | None) -> tuple[Picture, Picture]:
        mine = {
            **prompt_html(language, view, viewer.seat, own),
            **_hand_fragments(language, view, viewer.seat, own),
            **_odds_fragments(language, view, viewer),
        }
        if viewer.guest_id is not None and viewer.seat is not None:
            has_program = view.seats[viewer.seat].program
            mine["company"] = render(language, "notice", "company", has_program)
        if viewer.seat is not None and isinstance(view.part, Friends | InClass):
            mine["react"] = offer_html(language, view)
        if viewer.is_opener(view):
            mine["steer"] = steering_html(view)
        elif viewer.seat is not None:
            has_bots = any(seat.is_played_by_bot for seat in view.seats)
            facts = (view.id, viewer.seat, has_bots, view.seats[viewer.seat].slow)
            mine["slow"] = render(language, "steer", "slow", *facts)
        return common, Picture(mine)

    return pictures_for


def still_fragments(view: TableView, own: Observation | None) -> Fragments:
    """The fragments of the table as a picture in which nothing can be done, as a replay shows
    it; ``own`` is whose hand is seen."""
    language = get_language()
    hand = render(language, "hand", "hand", _hand_codes(own))
    picture = Picture({**_common_fragments(language, view), "hand": hand})
    return {name: picture.whole(name) for name in picture.fragments}


def open_hand_html(hand: Iterable[Card]) -> str:
    """The HTML of a hand that lies open before its seat."""
    codes = tuple(card.code for card in by_value(hand))
    return render(get_language(), "hand", "open_hand", codes)


def own_fragments(view: TableView, own: Observation) -> Fragments:
    """The hand of whose turn it is, as choices, and what else is to be chosen, for a page that
    is no table: nothing goes over a socket."""
    language = get_language()
    return {**_hand_fragments(language, view, own.seat, own), "calls": call_choices_html()}


def _common_fragments(language: str, view: TableView) -> Fragments:
    """The fragments that are the same for everybody at the table."""
    names = tuple(seat.name for seat in view.seats)
    seats = len(names)
    observation = view.observation
    done = tuple(map(past_trick, observation.tricks)) if observation else ()
    game = str(GAME_NAMES[view.variant.value])
    is_bid = view.variant is Variant.BID
    bids = sum(filter(None, observation.bids if observation else ())) if is_bid else None
    tiles: Fragments = {}
    totals = totals_before(view)
    ahead = leaders(view.variant, totals)
    for n in range(seats):
        points = totals[n] if totals else None
        tiles |= _seat_fragments(language, view, n, points, leads=n in ahead)
    return {
        "turn": render(language, "bar", "turn", view.turn, view.news, view.setup.pace),
        "bar": render(
            language,
            "bar",
            "bar",
            status=view.status,
            game=game,
            round=view.round_number,
            rounds=view.rounds,
            trick=len(done) + 1,
            bids=bids,
            paused=view.paused,
            board=view.board,
            table=view.number if view.class_session_id else 0,
        ),
        **_board_fragments(language, names, view, done),
        **tiles,
        **_past_fragments(language, names, done),
        "revealed": render(language, "past", "to_reveal", view.revealed is not None),
        "scores": score_sheet_html(language, names, view),
    }


def past_trick(trick: Trick) -> PastTrick:
    """A finished trick of the rules, as the templates read it."""
    assert trick.winner is not None
    return PastTrick(str(trick.call), _plays(trick), trick.winner)


def _plays(trick: Trick) -> tuple[tuple[int, str], ...]:
    return tuple((seat, card.code) for seat, card in trick.plays)


@lru_cache(maxsize=500)
def _past_fragments(
    language: str, names: tuple[str, ...], done: tuple[PastTrick, ...]
) -> Mapping[str, str]:
    slots = (*done, *[None] * (HAND_SIZE - len(done)))
    return {
        f"past-{n}": render(language, "past", "past", n, names, trick)
        for n, trick in enumerate(slots, start=1)
    }


def revealed_html(view: TableView) -> str:
    """The HTML of all hands of a finished round; of none before. Not pushed: the sheet that
    shows them asks for them when it is opened."""
    names = tuple(seat.name for seat in view.seats)
    hands, undealt = view.revealed or ((), ())
    return render(get_language(), "past", "revealed", names, hands, undealt)


def _board_fragments(
    language: str, names: tuple[str, ...], view: TableView, done: tuple[PastTrick, ...]
) -> Fragments:
    """The middle of the board and the card before each seat: the trick in play, or the last
    one until the next is led; before a round the bids, and after it how it went."""
    observation = view.observation
    trick = observation.trick if observation else None
    is_over = observation is not None and observation.is_over
    middle: Fragments = {"result": render(language, "result", "no_result")}
    if observation is None or view.status == Status.CLOSED or not (trick or is_over):
        bids = [bid for bid in observation.bids if bid is not None] if observation else []
        middle["called"] = render(language, "board", "before", view.status, sum(bids))
        return middle | _slot_fragments(language, len(names))
    if is_over:
        middle["result"] = result_html(language, names, view, observation)
    if trick is None or (not trick.plays and done):
        call, plays, taker = done[-1]
        who, tied = (taker, names[taker]), done[-1].tied
        takes = [
            taker_words(names[taker], observation.tricks[-1], is_you=is_you)
            for is_you in (False, True)
        ]
        middle["called"] = render(language, "board", "called", call, *who, len(done), *takes)
        return middle | _slot_fragments(
            language, len(names), call, plays, taker, tied=tied, is_over=True
        )
    call, plays, taking = str(trick.call) if trick.call else "", _plays(trick), trick.winner
    tied = 0 if taking is None else tied_value(call, plays, taking)
    who = (trick.leader, names[trick.leader])
    middle["called"] = render(language, "board", "called", call or None, *who, 0)
    first = trick.leader
    return middle | _slot_fragments(
        language, len(names), call, plays, taking, leader=first, tied=tied
    )


def _slot_fragments(
    language: str,
    seats: int,
    call: str = "",
    plays: Sequence[tuple[int, str]] = (),
    taking: int | None = None,
    *,
    leader: int | None = None,
    tied: int = 0,
    is_over: bool = False,
) -> Fragments:
    """The fragments of what lies before each seat: a card, the place for one, or, outside of a
    trick, nothing. ``leader`` is given while the trick is open."""
    first = plays[0][0] if plays else leader
    played = dict(plays)
    slots: Fragments = {}
    for seat in range(seats):
        order = 0 if first is None else (seat - first) % seats + 1
        slots[f"slot-{seat}"] = render(
            language,
            "board",
            "slot",
            seat,
            order,
            played.get(seat),
            call,
            is_next=leader is not None and order == len(plays) + 1,
            is_taking=seat == taking,
            is_over=is_over,
            tied=tied if seat == taking else 0,
            brief=seats >= MANY_SEATS,
        )
    return slots


def _seat_fragments(
    language: str, view: TableView, n: int, points: int | None, *, leads: bool
) -> Fragments:
    """A seat's tile; what changes with every move or trick in it by itself."""
    public = view.observation
    dealer = public.dealer if public else None
    facts = (n, view.players[n], dealer == n, public is not None, view.status, points, leads)
    tile = {f"seat-{n}": render(language, "seat", "seat", *facts)}
    if public is not None:
        tricks_left = HAND_SIZE - sum(public.taken)
        taken = (n, view.variant.value, public.bids[n], public.taken[n], tricks_left)
        left = (n, public.hand_sizes[n], view.to_move == n)
        tile[f"taken-{n}"] = render(language, "seat", "taken", *taken)
        tile[f"left-{n}"] = render(language, "seat", "left", *left)
    return tile


def totals_before(view: TableFacts) -> tuple[int, ...]:
    """The points of the rounds before the present one, by seat; none in the first. What a round
    brought is the result's to tell."""
    rounds = view.points[:-1] if view.is_over else view.points
    return tuple(sum(points or 0 for points in own) for own in zip(*rounds, strict=True))


def leaders(variant: Variant, totals: Sequence[int]) -> frozenset[int]:
    """The seats that are ahead by these totals; none while nobody is behind."""
    ahead = winners(variant, totals) if totals else frozenset()
    return ahead if len(ahead) < len(totals) else frozenset()


def _hand_codes(own: Observation | None) -> tuple[str, ...]:
    """The cards of a hand, the highest values first."""
    return tuple(card.code for card in by_value(own.hand)) if own else ()


def _hand_fragments(
    language: str, view: TableFacts, seat: int | None, own: Observation | None
) -> Fragments:
    """The hand, and the bids to choose from or where a lead's calls
    come; the same while the table is paused, so that a half-made choice stays."""
    choices = render(language, "board", "choices")
    if seat is None:
        return {"hand": render(language, "hand", "watching"), "choices": choices}
    cards = _hand_codes(own)
    if own is None or view.to_move != seat:
        return {"hand": render(language, "hand", "hand", cards), "choices": choices}
    if view.status == Status.BIDDING:
        return {
            "hand": render(language, "hand", "hand", cards, kind=Act.BID, turn=view.turn),
            "choices": render(language, "board", "choices", Act.BID, hook(own.bids)),
        }
    call = own.trick.call if own.trick else None
    if call is None:
        return {
            "hand": render(language, "hand", "hand", cards, kind=Act.LEAD, turn=view.turn),
            "choices": render(language, "board", "choices", Act.LEAD),
        }
    matching = sum(card.shows(call) for card in own.hand)
    why = ""
    if 0 < matching < len(cards):
        facts = {"n": matching, "call": call_words(call)}
        words = ngettext(
            "This card doesn’t show exactly %(call)s. %(n)d of your other cards does.",
            "This card doesn’t show exactly %(call)s. %(n)d of your other cards do.",
            matching,
        )
        why = words % facts
    hand = render(
        language,
        "hand",
        "hand",
        cards,
        kind=Act.FOLLOW,
        legal=tuple(move_text(move) for move in own.legal),
        turn=view.turn,
        shape=call.shape.value if matching else "",
        why=why,
    )
    return {"hand": hand, "choices": choices}


def _odds_fragments(language: str, state: TableFacts, viewer: Viewer) -> Fragments:
    """The fragments of where a seat's odds stand, which the page fetches while they are looked
    at; the button that opens them, and the opener's choice when they are shown."""
    if viewer.seat is None:
        return {}
    turn = odds_turn(state, viewer.seat)
    steers = viewer.is_opener(state)
    own: Fragments = {
        "odds": render(
            language,
            "odds",
            "odds",
            table=state.id,
            seat=viewer.seat,
            mode=state.odds,
            turn=turn,
            status=state.status,
            is_duplicate=state.is_duplicate,
        ),
        "odds-tool": render(language, "odds", "tool", state.odds != OddsPanel.OFF),
    }
    if steers:
        choices = tuple((each.value, capfirst(each.label)) for each in OddsPanel)
        own["odds-steer"] = render(
            language,
            "odds",
            "steer",
            state.id,
            state.setup.odds_panel,
            choices,
            analysis.is_impossible(),
        )
    return own


def steering_html(state: TableFacts) -> str:
    """The HTML of what the table's opener may do about it; for the opener alone."""
    paces = tuple((key, str(PACE_NAMES[key]), PACES[key]) for key in PACES)
    return render(
        get_language(),
        "steer",
        "steer",
        table=state.id,
        is_friends=state.kind == Table.Kind.FRIENDS,
        is_waiting=state.status == Status.WAITING,
        is_over=state.status in OVER,
        paused=state.paused,
        pace=state.setup.pace,
        paces=paces,
        is_slow=state.is_slow,
        reactions=state.setup.reactions,
    )


def trick_html(names: tuple[str, ...], trick: Trick, *, is_open: bool = False) -> Markup:
    """The HTML of a trick outside of a table, as an example; nobody has taken an open one."""
    facts = (names, str(trick.call), _plays(trick), None if is_open else trick.winner)
    return Markup(render(get_language(), "trick", "example", *facts))  # noqa: S704 (escaped)


def call_html(text: str) -> Markup:
    """The HTML of a call as it is always drawn: so many of the solid, with its words."""
    return Markup(render(get_language(), "chip", "chip", text))  # noqa: S704 (escaped)


def call_choices_html() -> str:
    """The HTML of one call a shape, of which ``hand.js`` makes three; the page offers the four
    that a chosen card shows."""
    return render(get_language(), "board", "call_choices")


def notice_html(message: str) -> str:
    """The HTML of the line that answers what somebody just tried; empty for nothing to say."""
    return render(get_language(), "notice", "notice", message)


def way_back_html(address: str) -> str:
    """The HTML that tells a student's page where it belongs, now that it isn't at its table."""
    return str(Markup('<div id="follow" data-leave="{}"></div>').format(address))
