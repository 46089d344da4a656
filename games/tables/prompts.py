"""What a seat is asked to do, in words: whose turn it is, why a card may not be played."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.translation import gettext, gettext_lazy, ngettext

from games.models import PACES, Table
from games.rules import Call, Observation, Variant, hook
from games.tables.observation import may_look_back
from games.tables.rendering import Fragments, render
from games.tables.view import TableView
from games.words import call_words, move_words, taker_words

HINTS = {
    "lead": gettext_lazy("To win: lead a high card. Call the shape it has fewest of."),
    "call": gettext_lazy("To win: call the shape your last card has fewest of."),
    "follow": gettext_lazy("The highest card with the call wins. Of equal cards, the later."),
    "slough": gettext_lazy("It cannot win. Throw away a card you do not want."),
}
"""How to play a moment where one wants the trick."""

HINTS_TO_LOSE = {
    "lead": gettext_lazy("Not to win: lead a low card. Call the shape it has most of."),
    "call": gettext_lazy("Not to win: call the shape your last card has most of."),
    "follow": gettext_lazy(
        "Not to win: stay below the winning card. Of equal cards, the later wins."
    ),
    "slough": gettext_lazy("It cannot win. Throw away a high card now."),
}
"""The same in the variant lose; in bid, once the bid is reached, after a word on that."""


ASKED = {
    "follow": gettext_lazy("Play a card with exactly %(call)s."),
    "slough": gettext_lazy("None of yours has exactly %(call)s. Play any."),
    "last": gettext_lazy("Your last card cannot win."),
}
"""What is to be done where a card has been led."""

ASKED_IN_SHORT = {
    "follow": gettext_lazy("Play exactly %(call)s."),
    "slough": gettext_lazy("No %(call)s: play any."),
}
"""The same at the end of what is heard."""

NEXT_HINTS = {
    "bid": gettext_lazy("A fair bid: your 11s and 12s, and half of your 9s and 10s."),
    "lead": gettext_lazy("High, and with few of the shape you call: that is hard to beat."),
    "call": gettext_lazy("The fewer cards show a call, the fewer can beat yours."),
    "follow": gettext_lazy("Take it as cheaply as you can: high cards are for leading."),
    "beaten": gettext_lazy("Your cards cannot take it: play the lowest of them."),
    "slough": gettext_lazy("Whoever sloughs has no card with that call: remember it."),
}
"""The same for whoever has learnt by playing: what builds on that, and does not repeat it."""

TREATMENTS = {
    Table.Treatment.PRINTED.value: gettext_lazy(
        "Your table’s tip: bid one for each card of value 9 or more."
    ),
    Table.Treatment.CAREFUL.value: gettext_lazy(
        "Your table’s tip: bid one for each 12 or 11, and one for every two cards among your "
        "10s and 9s."
    ),
    Table.Treatment.ODDS.value: gettext_lazy(
        "Your table plays with odds: ask “How likely?” whenever it is your turn."
    ),
    Table.Treatment.NO_ODDS.value: gettext_lazy("Your table plays without odds."),
}
"""What a table in an experiment is told while it bids."""

NEXT_HINTS_TO_LOSE = {
    "lead": gettext_lazy("Low, and with many of the shape you call: that is easy to beat."),
    "call": gettext_lazy("The more cards show a call, the more can beat yours."),
    "follow": gettext_lazy("The highest of yours below the winning card: it takes nothing."),
    "above": gettext_lazy("All that fit would win just now: play the lowest."),
    "last above": gettext_lazy("You take it with any of these: play the highest."),
    "slough": gettext_lazy("Throw away a high card: it might have to win later."),
}
"""And where no more tricks are wanted."""


class Prompt(NamedTuple):
    """What one viewer is told to do now, as the template reads it.

    ``kind`` names the moment; ``text`` is its sentence where that is one's own, else what it
    needs (names); ``heard`` is the summary of one's turn for whoever listens; ``turn`` is empty
    where nothing can be sent. ``acts`` is the move that is asked for ("bid", "lead" or
    "follow"), while the table is paused, too, and ``may_ask`` whether one may ask how likely
    each is. ``hint`` is for newcomers, ``next_hint`` for those who have learnt by playing,
    ``is_to_lose`` whether it says how to lose the trick. ``again`` is the next table's id, or
    "ask", or "".
    At a class's table ``session`` is the class session, ``deadline`` when the clock plays or
    the next round is dealt, ``halt`` what else the teacher holds up ("held" or "paused"),
    ``is_over`` whether the session is closed; ``others`` is how many tables still play the
    same cards, ``review`` the round that may be looked back on; ``experts`` is why these bots
    count cards, if they do. At a study table ``position`` is what it is played on from, and
    ``is_new`` whether the seat has not moved since. ``bid_next`` is the table of Play to Bid
    that is offered after Play to Win against bots, as its form would send it. ``homework`` says
    how such a table stands: it is being played ("open"), while its class's homework is closed
    ("late"), or is over and not shown yet ("hidden") or shown. ``treatment`` is what a table in
    an experiment bids by.
    """

    kind: str
    text: str = ""
    heard: str = ""
    acts: str = ""
    may_ask: bool = False
    hint: str = ""
    next_hint: str = ""
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
    position: str = ""
    is_new: bool = False
    bid_next: str = ""
    homework: str = ""
    is_board: bool = False
    treatment: str = ""


def prompt_html(
    language: str,
    view: TableView,
    seat: int | None,
    own: Observation | None,
    *,
    say: str = "",
    aim: str = "",
    hints: bool = True,
) -> Fragments:
    """What a viewer is told to do now; ``own`` is how they see the round, if it has begun.
    ``say`` stands in the place of the table's own sentence, heard with its ``aim``; without
    ``hints`` it is all."""
    return _told(language, _prompt(view, seat, own, say, aim, hints=hints))


@lru_cache(maxsize=2000)
def _told(language: str, prompt: Prompt) -> Fragments:
    return {
        "prompt": render(language, "prompt", "prompt", prompt._replace(text="", heard="")),
        "sentence": render(
            language,
            "prompt",
            "sentence",
            prompt.kind,
            prompt.text,
            prompt.heard,
            bool(prompt.session),
            prompt.is_over,
        ),
    }


def _prompt(
    view: TableView,
    seat: int | None,
    own: Observation | None,
    say: str,
    aim: str,
    *,
    hints: bool,
) -> Prompt:
    """The moment a viewer is in, with the offers that come with it."""
    prompt = _moment(view, own)
    found: dict[str, Any] = {}
    if prompt.hint:
        found["next_hint"] = _next_hint(prompt, own)
    if say:
        leads = gettext("You lead.")  # is not said twice
        heard = prompt.heard.removesuffix(leads) if leads[:-1] in say else prompt.heard
        found |= {"text": say, "heard": " ".join(filter(None, (say, aim, heard.strip())))}
    if not hints:
        found |= {"hint": "", "forbidden": None}
    if own is not None and seat is not None and view.to_move == seat:
        is_lead = own.trick is not None and own.trick.call is None
        acts = "bid" if view.status == "bidding" else "lead" if is_lead else "follow"
        found |= {"acts": acts, "may_ask": view.odds == "always"}
    if seat is not None and view.status == "bidding" and view.treatment:
        tip = str(TREATMENTS[view.treatment])
        found |= {"treatment": tip, "next_hint": ""}  # that one is one of the tips
        if prompt.heard and not say:
            found["heard"] = f"{tip} {prompt.heard}"
    if seat is not None and view.status in {"bidding", "playing", "round_over"}:
        mine = view.players[seat].stand_in
        others = tuple(offer for offer in view.stand_in_for if offer[0] != seat)
        if mine or others:
            found |= {"bot_plays_for_me": mine, "stand_in_for": others, "turn": view.turn}
    if seat is not None and view.status in {"game_over", "closed"}:
        found |= {"seat": seat, "table": view.id, "again": view.next_table_id or "ask"}
        if view.kind == "solo" and view.variant is Variant.WIN:
            found["bid_next"] = _bid_next(view)
    if seat is not None and may_look_back(view, view.round_number):
        found |= {"seat": seat, "table": view.id, "review": view.round_number}
    if view.position_id:
        moved = any(mover == seat for mover, _ in view.moves[view.given :])
        found |= {
            "position": view.position_id,
            "is_new": not moved and not view.is_over,
            "is_board": not view.given,
            "again": "",
        }
    if view.is_homework:
        away = "homework" if found.get("again") else ""
        found |= {"homework": _homework(view), "again": away, "stand_in_for": ()}
    if view.experts == "warming" or (view.experts and view.round_number <= 1):
        found["experts"] = view.experts
    if view.class_session_id is not None:
        is_between = view.status == "round_over"
        is_held = view.held and is_between
        halt = "paused" if view.paused else "held" if is_held else ""
        still = 0 if view.is_shown or not is_between else max(view.still_playing, 1)
        found |= {
            "again": "back" if found.get("again") else "",
            "session": view.class_session_id,
            "deadline": view.deadline_text,
            "halt": halt if is_between and not still else "",
            "is_over": view.is_session_over,
            "others": still,
        }
        if halt or view.to_move == seat:
            # A pause allows it not, and at my own turn it would only distract.
            found["stand_in_for"] = ()
    return prompt._replace(**found) if found else prompt


def _homework(view: TableView) -> str:
    if view.is_over:
        return "shown" if view.is_shown else "hidden"
    return "late" if view.is_shown else "open"


def _next_hint(prompt: Prompt, own: Observation | None) -> str:
    if own is None:
        return ""
    kind = prompt.kind
    trick = own.trick
    if kind == "follow" and trick is not None and trick.call is not None:
        winning = max(card.value for seat, card in trick.plays if seat == trick.winner)
        taking = [card.value >= winning for card in own.hand if card.shows(trick.call)]
        if prompt.is_to_lose and all(taking):
            kind = "last above" if len(trick.plays) == own.seats - 1 else "above"
        elif not prompt.is_to_lose and not any(taking):
            kind = "beaten"
    return str((NEXT_HINTS_TO_LOSE if prompt.is_to_lose else NEXT_HINTS).get(kind, ""))


def _bid_next(view: TableView) -> str:
    """Play to Bid against as many bots of the same level, for as many rounds."""
    levels = [seat.level for seat in view.seats if seat.is_bot]
    pace = next((name for name, seconds in PACES.items() if seconds == view.pace), "normal")
    game = {"variant": "bid", "seats": len(view.seats), "rounds": view.rounds, "pace": pace}
    return json.dumps({**game, "level": levels[0]})


def _moment(view: TableView, own: Observation | None) -> Prompt:
    """The moment a viewer is in, without the offers that may come with it."""
    status, seat = view.status, own.seat if own else None
    if own is None or status in {"waiting", "closed"}:
        return Prompt(status)
    if (
        view.is_homework and view.is_over
    ):  # no contest with bots, but with all at the same cards
        return Prompt("round_over", _outcome(own, seat) if seat is not None else "")
    if view.winners is not None:
        if len(view.winners) == 1:  # who it is stands on the sheet
            return Prompt("game_over")
        names = ", ".join(
            gettext("you") if n == seat else view.seats[n].name for n in view.winners
        )
        return Prompt("shared_win", names)
    if status == "round_over":
        if seat is not None and view.players[seat].ready and view.is_shown:
            return Prompt("ready")
        if seat is None:
            return Prompt("round_over")
        turn = view.turn if view.is_shown else ""
        return Prompt("round_over", _outcome(own, seat), turn=turn)
    if view.paused:
        return Prompt("paused")
    if view.to_move is None:
        return Prompt("round_over")  # nobody is waited for
    if view.to_move != seat or seat is None:
        return Prompt("wait", view.seats[view.to_move].name)
    if status == "bidding":
        return _bid_moment(view, own)
    prompt = _play_moment(own, seat)
    return prompt._replace(heard=_play_summary(view, own, prompt))


def _bid_moment(view: TableView, own: Observation) -> Prompt:
    forbidden = hook(own.bids)
    return Prompt(
        "bid",
        gettext("How many tricks will you take?"),
        _bid_summary(view, own, forbidden),
        hint=_hint_to_bid(forbidden),
        forbidden=forbidden,
    )


def _play_moment(own: Observation, seat: int) -> Prompt:
    """A card is to be played. Where there is no choice, there is no advice either."""
    hand, call = own.hand, own.trick.call if own.trick else None
    is_last = len(hand) == 1
    taken, bid = own.taken[seat], own.bids[seat]
    has_bid = bid is not None and taken >= bid
    to_lose = has_bid or own.variant is Variant.LOSE
    hints = HINTS_TO_LOSE if to_lose else HINTS
    needs = _what_is_needed(bid, taken) + " " if bid is not None and has_bid else ""
    if call is None:
        sentence = (
            gettext("Your last card: call a shape.")
            if is_last
            else gettext("Choose a card, then call a shape.")
        )
        hint = needs + str(hints["call" if is_last else "lead"])
        return Prompt("lead", sentence, hint=hint, is_to_lose=to_lose)
    following = sum(card.shows(call) for card in hand)
    kind = "follow" if following else "last" if is_last else "slough"
    sentence = str(ASKED[kind]) % {"call": call_words(call)}
    has_choice = following != 1 and not is_last
    hint = needs + str(hints[kind]) if has_choice else ""
    return Prompt(kind, sentence, hint=hint, is_to_lose=to_lose)


def _what_is_needed(bid: int, taken: int) -> str:
    """For who has reached the bid."""
    if taken > bid:
        return gettext("You took more than you bid.")
    return gettext("You need no more tricks.") if bid else gettext("You bid 0: take no trick.")


def _bid_summary(view: TableView, own: Observation, forbidden: int | None) -> str:
    """All that somebody who listens needs before they bid, said once."""
    parts = []
    if view.moves:
        total = sum(bid or 0 for bid in own.bids)
        parts += [_last_move(view), gettext("Bids so far: %(n)d.") % {"n": total}]
    parts.append(gettext("Your bid?"))
    if forbidden is not None:
        parts.append(gettext("Not %(n)d.") % {"n": forbidden})
    return " ".join(parts)


def _play_summary(view: TableView, own: Observation, prompt: Prompt) -> str:
    """All that somebody who listens needs before they play: what has made it their turn, whose
    card is winning, what to do."""
    assert own.trick is not None
    trick, call = own.trick, own.trick.call
    if call is None:
        parts = [_last_move(view)]
        if own.tricks:
            parts = [taker_words("", own.tricks[-1], is_you=True)]
        parts.append(gettext("You lead.") if len(own.hand) > 1 else prompt.text)
        return " ".join(filter(None, parts))
    is_led = len(trick.plays) == 1
    parts = [] if trick.plays[-1][0] == trick.winner else [_last_move(view, call)]
    winner, best = next(play for play in trick.plays if play[0] == trick.winner)
    winning = (
        gettext("%(name)s leads the %(n)d.")
        if is_led
        else gettext("%(name)s’s %(n)d is winning.")
    )
    parts.append(winning % {"name": view.seats[winner].name, "n": best.value})
    todo = prompt.text
    if prompt.kind != "last":
        todo = str(ASKED_IN_SHORT[prompt.kind]) % {"call": call_words(call)}
    return " ".join([*parts, todo])


def _last_move(view: TableView, call: Call | None = None) -> str:
    """The move before this turn, in words; empty where it is the round's first."""
    if not view.moves:
        return ""
    mover, text = view.moves[-1]
    return move_words(view.seats[mover].name, text, call)


def _hint_to_bid(forbidden: int | None) -> str:
    """What a trick is, and what a bid is worth; the latter gives way to the hook."""
    trick = gettext("A trick: everybody plays one card, the best card takes it.")
    if forbidden is not None:
        return trick
    worth = gettext("Take exactly your bid: a point a trick. Each one off costs a point.")
    return f"{trick} {worth}"


def _outcome(own: Observation, seat: int) -> str:
    """What the round came to for one seat."""
    taken, bid = own.taken[seat], own.bids[seat]
    if bid is None:
        text = ngettext("You took %(n)d trick.", "You took %(n)d tricks.", taken)
        return text % {"n": taken}
    facts = {"bid": bid, "n": taken, "off": abs(taken - bid)}
    if taken == bid:
        return gettext("You bid %(bid)d and took %(n)d. Made it!") % facts
    if taken > bid:
        return gettext("You bid %(bid)d and took %(n)d: %(off)d too many.") % facts
    return gettext("You bid %(bid)d and took %(n)d: %(off)d too few.") % facts
