"""What a seat is asked to do, in words: whose turn it is, why a card may not be played."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext, gettext_lazy, ngettext

from games.rules import Round, Variant, hook
from games.tables.observation import may_look_back
from games.tables.rendering import Fragments, render, signed
from games.tables.state import TableState
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


def prompt_html(
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
