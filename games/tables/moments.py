"""The moment a viewer of a table is in, in words: whose turn it is, what is asked, and how one
might play it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

from games.models import Table
from games.rules import Call, Observation, Variant, hook
from games.rules.scoring import points
from games.tables.view import Status, TableView
from games.words import (
    CAREFUL_TIP,
    PRINTED_TIP,
    call_words,
    move_words,
    outcome_words,
    points_words,
    sentences,
    taker_words,
)


class MomentKind(StrEnum):
    """What a viewer's moment is about."""

    WAITING = "waiting"
    BID = "bid"
    LEAD = "lead"
    FOLLOW = "follow"
    SLOUGH = "slough"
    LAST = "last"
    WAIT = "wait"
    PAUSED = "paused"
    ROUND_OVER = "round_over"
    READY = "ready"
    GAME_OVER = "game_over"
    CLOSED = "closed"


ASKING = frozenset(
    {MomentKind.BID, MomentKind.LEAD, MomentKind.FOLLOW, MomentKind.SLOUGH, MomentKind.LAST}
)
"""The moments in which the viewer is to move."""


class Act(StrEnum):
    """What a hand is chosen from for: a bid, a card and its call, or a card alone."""

    BID = "bid"
    LEAD = "lead"
    FOLLOW = "follow"


HINTS = {
    "lead": gettext_lazy("Want this trick? Lead a high card. Call the shape it shows least."),
    "follow": gettext_lazy(
        "The highest matching card wins. If two are equal, the later one wins."
    ),
    "slough": gettext_lazy("No card of yours can win now. Throw away one you don’t want."),
}
"""How to play a moment where one wants the trick."""

HINTS_TO_LOSE = {
    "lead": gettext_lazy("Lead a low card. Call what many higher cards still show."),
    "follow": gettext_lazy(
        "Stay below the winning card. If two are equal, the later one wins."
    ),
    "slough": gettext_lazy("No card of yours can win now. Throw away your highest."),
}
"""The same in the variant lose; in bid, once the bid is reached, after a word on that."""


ASKED = {
    MomentKind.FOLLOW: gettext_lazy("Play a card with exactly %(call)s."),
    MomentKind.SLOUGH: gettext_lazy("No card with %(call)s: play anything."),
    MomentKind.LAST: gettext_lazy("Play your last card. It can’t win."),
}
"""What is to be done where a card has been led."""

ASKED_IN_SHORT = {**ASKED, MomentKind.FOLLOW: gettext_lazy("Play exactly %(call)s.")}
"""The same at the end of what is heard."""

_TABLES_TIP = gettext_lazy("Your table’s tip:")

TREATMENTS = {
    Table.Treatment.PRINTED.value: format_lazy("{} {}", _TABLES_TIP, PRINTED_TIP),
    Table.Treatment.CAREFUL.value: format_lazy("{} {}", _TABLES_TIP, CAREFUL_TIP),
    Table.Treatment.ODDS.value: gettext_lazy(
        "Your table sees its chances: press “How likely?” on your turn."
    ),
    Table.Treatment.NO_ODDS.value: gettext_lazy("Your table’s chances are hidden."),
}
"""What a table in an experiment is told while it bids."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What is asked of a viewer now. ``kind`` names it; ``text`` is its sentence where that is
    one's own, else what it needs (names); ``heard`` is the summary of one's turn for whoever
    listens. ``hint`` is for newcomers, ``is_to_lose`` whether it says how to lose the trick;
    ``forbidden`` is the bid that the dealer may not make."""

    kind: MomentKind
    text: str = ""
    heard: str = ""
    hint: str = ""
    is_to_lose: bool = False
    forbidden: int | None = None

    def in_words(self, say: str, aim: str, *, alone: bool) -> Moment:
        """The same moment in other words than the table's own, heard with their ``aim``:
        ``alone``, or with the table's summary."""
        leads = gettext("You lead.")  # is not said twice
        heard = "" if alone else self.heard
        heard = heard.removesuffix(leads) if leads[:-1] in say else heard
        goal = sentences(gettext("Goal:"), aim) if aim else ""
        return replace(self, text=say, heard=sentences(say, heard.strip(), goal))


def moment_of(view: TableView, own: Observation | None, sits: int | None = None) -> Moment:
    """The moment of a viewer, who ``sits`` there and sees the round as ``own``, if it is on."""
    status, seat = view.status, own.seat if own else None
    if status == Status.CLOSED:
        return Moment(MomentKind.CLOSED)
    if own is None:
        return Moment(MomentKind.WAITING, _seat_words(view, sits))
    if view.board and view.is_over:
        # No contest with who sits here, but with all at the same cards.
        if seat is None or not view.has_played(seat):
            return Moment(MomentKind.ROUND_OVER)
        return Moment(MomentKind.ROUND_OVER, _outcome_words(own, seat))
    if view.winners is not None:
        return Moment(MomentKind.GAME_OVER)  # who it is stands on the sheet
    if status == Status.ROUND_OVER:
        if seat is not None and view.players[seat].ready and view.is_shown:
            return Moment(MomentKind.READY)
        if seat is None or not view.has_played(seat):
            return Moment(MomentKind.ROUND_OVER)  # no round of this viewer's
        return Moment(MomentKind.ROUND_OVER, _outcome_words(own, seat))
    if view.paused:
        return Moment(MomentKind.PAUSED)
    if view.to_move is None:
        return Moment(MomentKind.ROUND_OVER)  # nobody is waited for
    if view.to_move != seat or seat is None:
        return Moment(MomentKind.WAIT, view.seats[view.to_move].name)
    if status == Status.BIDDING:
        return _bid_moment(view, own)
    return _play_moment(view, own, seat)


def _seat_words(view: TableView, seat: int | None) -> str:
    """A sentence on where one sits for a tournament's next board; empty where there is none."""
    if not view.board or seat is None:
        return ""
    facts = {"board": view.board, "table": view.number, "seat": seat + 1}
    return (
        gettext("Board %(board)d: table %(table)d, seat %(seat)d. Your teacher deals.") % facts
    )


def _bid_moment(view: TableView, own: Observation) -> Moment:
    forbidden = hook(own.bids)
    return Moment(
        MomentKind.BID,
        gettext("How many tricks will you take?"),
        _bid_summary(view, own, forbidden),
        hint=gettext("Exact bid? 1 point per trick. Missed? −1 per trick off."),
        forbidden=forbidden,
    )


def _play_moment(view: TableView, own: Observation, seat: int) -> Moment:
    """The moment in which a card is to be played. Without a choice there is no advice."""
    hand, call = own.hand, own.trick.call if own.trick else None
    is_last = len(hand) == 1
    taken, bid = own.taken[seat], own.bids[seat]
    has_bid = bid is not None and taken >= bid
    to_lose = has_bid or own.variant is Variant.LOSE
    hints = HINTS_TO_LOSE if to_lose else HINTS
    needs = gettext("You need no more tricks.") if taken == bid else ""
    if call is None:
        sentence = gettext("Choose a card, then call a shape.")
        if is_last:
            sentence = gettext("Now call a shape.")
        hint = "" if is_last else sentences(needs, str(hints["lead"]))
        heard = _play_summary(view, own, MomentKind.LEAD)
        return Moment(MomentKind.LEAD, sentence, heard, hint, to_lose)
    following = sum(card.shows(call) for card in hand)
    kind = MomentKind.SLOUGH
    if following:
        kind = MomentKind.FOLLOW
    elif is_last:
        kind = MomentKind.LAST
    sentence = str(ASKED[kind]) % {"call": call_words(call)}
    has_choice = following != 1 and not is_last
    hint = sentences(needs, str(hints[kind])) if has_choice else ""
    return Moment(kind, sentence, _play_summary(view, own, kind), hint, to_lose)


def _bid_summary(view: TableView, own: Observation, forbidden: int | None) -> str:
    """Sentences with all that somebody who listens needs before they bid."""
    parts = [str(TREATMENTS[view.treatment])] if view.treatment else []
    if view.moves:
        total = sum(bid or 0 for bid in own.bids)
        parts += [_last_move_words(view), gettext("Bids add up to %(n)d.") % {"n": total}]
    parts.append(gettext("Your bid?"))
    if forbidden is not None:
        parts.append(gettext("Not %(n)d.") % {"n": forbidden})
    return sentences(*parts)


def _play_summary(view: TableView, own: Observation, kind: MomentKind) -> str:
    """All that somebody who listens needs before they play: what has made it their turn, whose
    card is winning, what to do."""
    assert own.trick is not None
    trick, call = own.trick, own.trick.call
    if call is None:
        parts = [_last_move_words(view)]
        if own.tricks:
            parts = [taker_words("", own.tricks[-1], is_you=True)]
        return sentences(*parts, gettext("You lead."))
    is_led = len(trick.plays) == 1
    parts = [] if trick.plays[-1][0] == trick.winner else [_last_move_words(view, call)]
    winner, best = next(play for play in trick.plays if play[0] == trick.winner)
    winning = (
        gettext("%(name)s leads the %(n)d.")
        if is_led
        else gettext("%(name)s’s %(n)d is winning.")
    )
    parts.append(winning % {"name": view.seats[winner].name, "n": best.value})
    return sentences(*parts, str(ASKED_IN_SHORT[kind]) % {"call": call_words(call)})


def _last_move_words(view: TableView, call: Call | None = None) -> str:
    """The move before this turn, in words; empty where it is the round's first."""
    if not view.moves:
        return ""
    mover, text = view.moves[-1]
    return move_words(view.seats[mover].name, text, call)


def _outcome_words(own: Observation, seat: int) -> str:
    """A sentence on what the round came to for one seat."""
    taken, bid = own.taken[seat], own.bids[seat]
    gained = points(own.variant, bid=bid, taken=taken)
    return outcome_words(bid, taken, points_words(gained, 0))
