"""What a table offers one viewer beside its sentence, or tells them: each kind is a small type,
and a function that says whether it stands here now."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from django.utils.translation import gettext, gettext_lazy

from games.models import PACES, Table
from games.rules import Observation, Variant
from games.tables.moments import ASKING, TREATMENTS, Act, Moment, MomentKind
from games.tables.observation import may_look_back
from games.tables.rendering import address
from games.tables.view import OVER, Experts, OddsPanel, Status, TableView
from games.words import CAREFUL_TIP, hook_words, sentences

NEXT_HINTS = {
    "bid": CAREFUL_TIP,
    "follow": gettext_lazy("Take it cheaply. Keep high cards for leading."),
    "beaten": gettext_lazy("You can’t take it: play your lowest."),
    "slough": gettext_lazy("A slough shows that a player has no such card. Remember it."),
}
"""By the kind of moment, and what the winning card leaves to do, the hint for those who have
learnt by playing: it builds on that, and does not repeat it."""

MORE_OF_FEW = {2: 3, 3: 1}
"""How many tricks more to bid where few take eight, by seats: docs/bots.md."""

NEXT_HINTS_TO_LOSE = {
    "follow": gettext_lazy("Play your highest card below the winning one."),
    "above": gettext_lazy("All your matching cards would win: play the lowest."),
    "last above": gettext_lazy("Any of these takes it: play the highest."),
    "slough": gettext_lazy("Throw away a high card: it might have to win later."),
}
"""The same where no more tricks are wanted."""


class Halt(StrEnum):
    """What a class's teacher holds up: the table, or only its next round."""

    PAUSED = "paused"
    HELD = "held"


class Standpoint(NamedTuple):
    """Where one viewer stands: the table, their seat, how they see the round, their moment."""

    view: TableView
    seat: int | None
    own: Observation | None
    moment: Moment

    @property
    def is_to_move(self) -> bool:
        """Whether it is their turn, be the table paused or not."""
        return self.seat is not None and self.view.to_move == self.seat

    @property
    def awaits_move(self) -> bool:
        """Whether somebody's move is waited for, theirs or another's."""
        return self.moment.kind in {*ASKING, MomentKind.WAIT}

    @property
    def is_between(self) -> bool:
        """Whether a round has ended and another comes."""
        return self.view.status == Status.ROUND_OVER

    @property
    def halt(self) -> Halt | None:
        """PAUSED or HELD, if the teacher has paused the game or keeps the next round back."""
        if self.view.class_session_id is None:
            return None
        if self.view.paused:
            return Halt.PAUSED
        return Halt.HELD if self.view.setup.held and self.is_between else None


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing that stands below the sentence; ``_offers.html`` draws each by its name."""

    @property
    def name(self) -> str:
        """The macro that draws it."""
        return type(self).__name__


@dataclass(frozen=True, slots=True)
class Note(Offer):
    """A sentence of its own, by which nothing can be done."""

    text: str
    name_on_page: str = ""


@dataclass(frozen=True, slots=True)
class Confirm(Offer):
    """The button of the move that is asked for, and whether one may ask how likely each is;
    while the table ``is_paused`` it looks and reads as disabled, and keeps the focus."""

    act: Act
    may_ask: bool
    is_paused: bool = False


@dataclass(frozen=True, slots=True)
class Deadline(Offer):
    """When a class's clock plays, or deals the next round."""

    time: str
    is_between: bool


@dataclass(frozen=True, slots=True)
class HowTo(Offer):
    """How to play the moment: for newcomers, and for those who have learnt by playing."""

    kind: str
    text: str
    learnt: str


@dataclass(frozen=True, slots=True)
class NextRound(Offer):
    """Being ready for the next round."""

    turn: str


@dataclass(frozen=True, slots=True)
class TakeBack(Offer):
    """One's own seat back from the bot that stands in."""

    turn: str


@dataclass(frozen=True, slots=True)
class StandIn(Offer):
    """A bot for people who are away."""

    turn: str
    absent: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True)
class PageLink(Offer):
    """A way to another page."""

    words: str
    address: str
    name_on_page: str = ""
    is_primary: bool = True


@dataclass(frozen=True, slots=True)
class PlayAgain(Offer):
    """Another game of the same people; ``bid_next`` is a table of Play to Bid, as its form
    would send it, offered after Play to Win against bots."""

    table: str
    seat: int
    bid_next: str


def offers_at(at: Standpoint) -> tuple[Offer, ...]:
    """All that is offered at a standpoint, in the order in which it stands on the page."""
    finds = _IN_PLAY if at.awaits_move else _IN_ORDER
    return tuple([offer for find in finds if (offer := find(at)) is not None])


# A move.


def _confirm_offer(at: Standpoint) -> Confirm | None:
    if at.own is None or not at.is_to_move:
        return None
    is_lead = at.own.trick is not None and at.own.trick.call is None
    act = Act.LEAD if is_lead else Act.FOLLOW
    if at.view.status == Status.BIDDING:
        act = Act.BID
    is_paused = at.moment.kind == MomentKind.PAUSED
    return Confirm(act, at.view.odds == OddsPanel.ALWAYS, is_paused)


def _deadline_offer(at: Standpoint) -> Deadline | None:
    if at.view.class_session_id is None or not at.view.deadline:
        return None
    return Deadline(
        at.view.deadline_text, at.moment.kind in {MomentKind.ROUND_OVER, MomentKind.READY}
    )


def _hook_note(at: Standpoint) -> Note | None:
    if at.moment.forbidden is None:
        return None
    return Note(hook_words(at.moment.forbidden))


def _treatment_note(at: Standpoint) -> Note | None:
    if at.seat is None or at.view.status != Status.BIDDING or not at.view.treatment:
        return None
    return Note(str(TREATMENTS[at.view.treatment]), "treatment")


def _hint_offer(at: Standpoint) -> HowTo | None:
    if not at.moment.hint:
        return None
    kind = ("lose-" if at.moment.is_to_lose else "") + at.moment.kind
    # A treatment's tip takes the place of the hint for those who have learnt.
    is_tipped = at.view.status == Status.BIDDING and at.view.treatment
    return HowTo(kind, at.moment.hint, "" if is_tipped else next_hint(at.moment, at.own))


def next_hint(moment: Moment, own: Observation | None) -> str:
    """The text of the hint for those who have learnt by playing; empty for none."""
    if own is None:
        return ""
    kind: str = moment.kind
    trick = own.trick
    if kind == MomentKind.BID and own.seats in MORE_OF_FEW:
        facts = {"players": own.seats, "more": MORE_OF_FEW[own.seats]}
        words = gettext("With %(players)d players, add %(more)d.")
        return sentences(str(CAREFUL_TIP), words % facts)
    if kind == MomentKind.FOLLOW and trick is not None and trick.call is not None:
        winning = max(card.value for seat, card in trick.plays if seat == trick.winner)
        taking = [card.value >= winning for card in own.hand if card.shows(trick.call)]
        if moment.is_to_lose and all(taking):
            kind = "last above" if len(trick.plays) == own.seats - 1 else "above"
        elif not moment.is_to_lose and not any(taking):
            kind = "beaten"
    return str((NEXT_HINTS_TO_LOSE if moment.is_to_lose else NEXT_HINTS).get(kind, ""))


# Why nothing is to be done, and what this table is.


def _pause_note(at: Standpoint) -> Note | None:
    if at.moment.kind != MomentKind.PAUSED:
        return None
    return Note(gettext("Stay here. This page moves on by itself."))


def _class_hold_note(at: Standpoint) -> Note | None:
    if not (at.halt and at.is_between and at.view.is_shown):
        return None
    if at.halt == Halt.HELD:
        return Note(gettext("Your teacher starts the next round."))
    return Note(gettext("Your teacher has paused the game."))


def _no_experts_note(at: Standpoint) -> Note | None:
    is_new = at.view.experts is not None and at.view.round_number <= 1
    if not is_new and at.view.experts != Experts.WARMING:
        return None
    return Note(gettext("No experts now: bots count cards."), "experts")


def _study_note(at: Standpoint) -> Note | None:
    if not at.view.position_id or not _is_new(at):
        return None
    text = gettext("Same cards, with bots. It doesn’t count, and only you see it.")
    return Note(text, "studied")


def _homework_note(at: Standpoint) -> Note | None:
    is_said = at.view.is_homework and not at.view.is_beforehand
    if not is_said or at.view.is_over == at.view.is_shown:
        return None
    if at.view.is_over:
        return Note(gettext("You’ll see all cards when the homework closes."))
    return Note(gettext("The homework has closed. This board counts as late."))


def _session_over_note(at: Standpoint) -> Note | None:
    is_over = at.view.class_session_id is not None and at.view.is_session_over
    if not is_over or at.moment.kind == MomentKind.CLOSED:
        return None
    return Note(gettext("The session is over. Thank you!"))


def _other_tables_note(at: Standpoint) -> Note | None:
    is_class = at.view.class_session_id is not None
    if not is_class or not at.is_between or at.view.is_shown:
        return None
    still = max(at.view.boards.still_playing, 1) if at.view.boards else 1
    text = gettext("Tables still playing these cards: %(n)d.")
    return Note(text % {"n": still})


# Going on.


def _next_round_offer(at: Standpoint) -> NextRound | None:
    if at.seat is None or not at.is_between or at.moment.kind != MomentKind.ROUND_OVER:
        return None
    return NextRound(at.view.turn) if at.view.is_shown and not at.halt else None


def _take_back_offer(at: Standpoint) -> TakeBack | None:
    if at.seat is None or not (at.view.is_running or at.is_between):
        return None
    return TakeBack(at.view.turn) if at.view.players[at.seat].stand_in else None


def _stand_in_offer(at: Standpoint) -> StandIn | None:
    if at.seat is None or at.view.is_homework or not (at.view.is_running or at.is_between):
        return None
    if at.view.class_session_id is not None and (at.halt or at.is_to_move):
        return None  # A pause allows it not, and at my own turn it would only distract.
    absent = tuple(one for one in at.view.stand_in_for if one[0] != at.seat)
    return StandIn(at.view.turn, absent) if absent else None


def _look_back_link(at: Standpoint) -> PageLink | None:
    if at.seat is None or not may_look_back(at.view, at.view.round_number):
        return None
    where = f"{address('review', at.view.id, at.view.round_number)}?as={at.seat}"
    return PageLink(gettext("Look back"), where, "do-review", is_primary=False)


def _retry_link(at: Standpoint) -> PageLink | None:
    if at.view.position_id or at.view.homework_teacher_id or _look_back_link(at) is None:
        return None
    if at.moment.kind == MomentKind.GAME_OVER:
        return None  # the look back leads there, for each of the rounds
    where = f"{address('round_mistakes', at.view.id, at.view.round_number)}?as={at.seat}"
    return PageLink(gettext("Better moves"), where, "do-slips", is_primary=False)


def _same_board_link(at: Standpoint) -> PageLink | None:
    if not at.view.position_id or at.awaits_move or at.view.given or _is_new(at):
        return None
    where = address("same_board", at.view.position_id)
    return PageLink(gettext("The same deal again"), where, "do-compare")


def _replay_link(at: Standpoint) -> PageLink | None:
    if not at.view.position_id or at.awaits_move:
        return None
    where = address("position", at.view.position_id)
    is_primary = _same_board_link(at) is None
    return PageLink(gettext("Back to the replay"), where, "do-position", is_primary)


def _is_new(at: Standpoint) -> bool:
    """Whether a study table's seat has not moved since it was played on."""
    moved = any(mover == at.seat for mover, _ in at.view.moves[at.view.given :])
    return not moved and not at.view.is_over


def _way_on_link(at: Standpoint) -> PageLink | PlayAgain | None:
    """The way from a game that is over."""
    view = at.view
    if at.seat is None or view.position_id or view.status not in OVER:
        return None
    if view.class_session_id is not None:
        where = address("lobby", view.class_session_id)
        return PageLink(gettext("Back to the class"), where, "do-back")
    if view.is_homework:
        where = address("table_homework", view.id)
        text = gettext("Back") if view.is_beforehand else gettext("Back to the homework")
        return PageLink(text, where, "do-homework")
    if view.next_table_id:
        where = f"{address('table', view.next_table_id)}?as={at.seat}"
        return PageLink(gettext("Next game"), where)
    is_first = view.kind == Table.Kind.SOLO and view.variant is Variant.WIN
    return PlayAgain(view.id, at.seat, _bid_game_json(view) if is_first else "")


def _bid_game_json(view: TableView) -> str:
    """A form's JSON that opens Play to Bid against as many such bots, for as many rounds."""
    levels = [seat.level for seat in view.seats if seat.is_bot]
    pace = next(
        (name for name, seconds in PACES.items() if seconds == view.setup.pace), "normal"
    )
    game = {
        "variant": Variant.BID.value,
        "seats": len(view.seats),
        "rounds": view.rounds,
        "pace": pace,
    }
    return json.dumps({**game, "level": levels[0]})


_IN_ORDER: tuple[Callable[[Standpoint], Offer | None], ...] = (
    _confirm_offer,
    _deadline_offer,
    _hook_note,
    _treatment_note,
    _hint_offer,
    _pause_note,
    _class_hold_note,
    _no_experts_note,
    _study_note,
    _homework_note,
    _session_over_note,
    _other_tables_note,
    _next_round_offer,
    _way_on_link,
    _take_back_offer,
    _stand_in_offer,
    _look_back_link,
    _retry_link,
    _same_board_link,
    _replay_link,
)

_IN_PLAY = (
    _confirm_offer,
    _deadline_offer,
    _hook_note,
    _treatment_note,
    _hint_offer,
    _no_experts_note,
    _study_note,
    _homework_note,
    _session_over_note,
    _take_back_offer,
    _stand_in_offer,
)
"""What can stand while a move is waited for: this is asked with each."""
