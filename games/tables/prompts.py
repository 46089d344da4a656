"""What a seat is asked to do, in words: whose turn it is, why a card may not be played."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext, gettext_lazy, ngettext

from games.rules import Observation, Variant, hook
from games.tables.observation import may_look_back
from games.tables.rendering import Fragments, render, signed
from games.tables.view import TableView
from games.words import call_words

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


class Prompt(NamedTuple):
    """What one viewer is told to do now, as the template reads it.

    ``kind`` names the moment; ``text`` is what its sentence needs (a name, a call); ``turn``
    is empty where nothing can be sent. ``hint`` is for newcomers, ``is_to_lose`` whether it
    says how to lose the trick. ``again`` is the next table's id, or "ask", or "".
    At a class's table ``session`` is the class session, ``deadline`` when the clock plays or
    the next round is dealt, ``halt`` what else the teacher holds up ("held" or "paused"),
    ``is_over`` whether the session is closed; ``others`` is how many tables still play the
    same cards, ``review`` the round that may be looked back on; ``experts`` is why these bots
    count cards, if they do.
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
    experts: str = ""


def prompt_html(
    language: str, view: TableView, seat: int | None, own: Observation | None
) -> Fragments:
    """What a viewer is told to do now; ``own`` is how they see the round, if it has begun."""
    prompt = _moment(view, own)
    if seat is not None and view.status in {"bidding", "playing", "round_over"}:
        mine = view.players[seat].stand_in
        others = tuple(offer for offer in view.stand_in_for if offer[0] != seat)
        if mine or others:
            prompt = prompt._replace(bot_plays_for_me=mine, stand_in_for=others, turn=view.turn)
    if seat is not None and view.status in {"game_over", "closed"}:
        prompt = prompt._replace(seat=seat, table=view.id, again=view.next_table_id or "ask")
    if seat is not None and may_look_back(view, view.round_number):
        prompt = prompt._replace(seat=seat, table=view.id, review=view.round_number)
    if view.experts == "warming" or (view.experts and view.round_number <= 1):
        prompt = prompt._replace(experts=view.experts)
    if view.class_session_id is not None:
        is_between = view.status == "round_over"
        is_held = view.held and is_between
        halt = "paused" if view.paused else "held" if is_held else ""
        still = 0 if view.is_shown or not is_between else max(view.still_playing, 1)
        prompt = prompt._replace(
            again="back" if prompt.again else "",
            session=view.class_session_id,
            deadline=view.deadline_text,
            halt=halt if is_between and not still else "",
            is_over=view.is_session_over,
            others=still,
            # A pause allows it not, and at my own turn it would only distract.
            stand_in_for=() if halt or view.to_move == seat else prompt.stand_in_for,
        )
    return {
        "prompt": render(language, "prompt", "prompt", prompt._replace(text="")),
        "sentence": render(
            language,
            "prompt",
            "sentence",
            prompt.kind,
            prompt.text,
            bool(prompt.session),
            prompt.is_over,
        ),
    }


def _moment(view: TableView, own: Observation | None) -> Prompt:
    """The moment a viewer is in, without the offers that may come with it."""
    status, seat = view.status, own.seat if own else None
    if own is None or status in {"waiting", "closed"}:
        return Prompt(status)
    if view.winners is not None:
        if view.winners == (seat,):
            return Prompt("you_win")
        names = ", ".join(
            gettext("you") if n == seat else view.seats[n].name for n in view.winners
        )
        return Prompt("shared_win" if len(view.winners) > 1 else "win", names)
    if status == "round_over":
        if seat is not None and view.players[seat].ready and view.is_shown:
            return Prompt("ready")
        if seat is None:
            return Prompt("round_over")
        turn = view.turn if view.is_shown else ""
        return Prompt("round_over", _outcome(view, own, seat), turn=turn)
    if view.paused:
        return Prompt("paused")
    if view.to_move != seat or seat is None:
        return Prompt("wait", view.seats[view.to_move or 0].name)
    if status == "bidding":
        forbidden = hook(own.bids)
        return Prompt("bid", hint=_hint_to_bid(forbidden), forbidden=forbidden)
    return _play_moment(own, seat)


def _play_moment(own: Observation, seat: int) -> Prompt:
    """A card is to be played. Where there is no choice, there is no advice either."""
    hand, call = own.hand, own.trick.call if own.trick else None
    is_last = len(hand) == 1
    taken, bid = own.taken[seat], own.bids[seat]
    has_bid = bid is not None and taken >= bid
    to_lose = has_bid or own.variant is Variant.LOSE
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


def _outcome(view: TableView, own: Observation, seat: int) -> str:
    """What the round came to for one seat."""
    taken, points = own.taken[seat], view.gained[seat]
    if view.variant is not Variant.BID:
        text = ngettext("You took %(n)d trick.", "You took %(n)d tricks.", taken)
        return text % {"n": taken}
    facts = {"bid": own.bids[seat], "taken": taken, "points": signed(points)}
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
