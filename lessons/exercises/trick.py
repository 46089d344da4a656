"""A question about the trick in play: type 19."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules import Call, Card, parse_call
from games.words import all_of, call_words
from lessons.exercises.contexts import Context, OwnHand
from lessons.exercises.engine import EDITION, NoVariant, Parameters
from lessons.exercises.own_hand import own
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import codes, tex_decimal, tex_over, tex_value
from lessons.exercises.written import Written

AMONG = {
    "two": ("void", "other"),
    "all": ("void", "players", "undealt"),
    "first": ("void", "other", "undealt"),
}
"""The places to choose from; the first questions had three, and told of two players only."""


class AfterSlough(Written):
    key = "after-slough"

    def draw(self, rng: Random, context: Context) -> Parameters:
        return {**_parameters(rng, own(context), ("class", "others")), EDITION: 2}

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters; where places are counted, a card of the called class."""
        return _parameters(rng, own(context), ("class",))

    def facts(self, parameters: Parameters) -> Facts:
        p = _completed(parameters)
        hidden, seats, players = _hidden_cards(p), p["seats"], p["players"]
        void = [_seat_words(left, seats) for left, _cards, is_void in players if is_void]
        return {
            **p,
            "call": call_words(parse_call(p["call"])),
            "void": all_of(void),
            "sloughed": len(void),
            "missing": [p["card"]],
            "players": [
                {
                    "place": ("" if left else "others-") + ("void" if is_void else "able"),
                    "player": _seat_words(left, seats),
                    "cards": cards,
                }
                for left, cards, is_void in players
            ],
            "hidden": hidden.cards,
            "places": hidden.places,
            "void_cards": hidden.void,
            "of_class": hidden.cards - p["outside"],
            **super().facts(p),
        }

    def facts_b(self, p: Parameters) -> Facts:
        """The chance that a missing card is undealt, once somebody has sloughed."""
        hidden = _hidden_cards(p)
        rows = [*(cards for _left, cards, _is_void in p["players"]), hidden.undealt]
        able = sum(cards > 0 and not is_void for _left, cards, is_void in p["players"])
        return {
            "chance": hidden.chances["undealt"],
            "of_hidden": Fraction(hidden.undealt, hidden.cards),
            "of_able": Fraction(1, able + 1),
            "of_rows": Fraction(1, len(rows)),
            "hidden_worked": f"{' + '.join(map(str, rows))} = {hidden.cards}",
        }

    def facts_c(self, p: Parameters) -> Facts:
        """Which of two places is likelier to hold the missing card, and why."""
        hidden, among, is_of_class = _hidden_cards(p), AMONG[p["among"]], p["of"] == "class"
        chances = hidden.chances
        likeliest = max(among, key=chances.__getitem__)
        is_fuller = likeliest == "void" or EDITION not in p
        shown, other = (_seat_words(p[seat], p["seats"]) for seat in ("shown", "other"))
        told = ("other", "undealt", *among) if is_of_class else among
        return {
            "shown": shown,
            "other": other,
            "asked": other if is_of_class else shown,
            "likeliest": likeliest,
            "reason": "able" if is_of_class else "fuller" if is_fuller else "most",
            "chance": chances["other" if is_of_class else "void"],
            "alike": Fraction(hidden.other if is_of_class else hidden.shown, hidden.cards),
            "of_seats": Fraction(1, p["seats"]),
            "of_others": Fraction(1, p["seats"] - 1),
            "asked_about": []
            if is_of_class
            else [{"place": "shown", "worked": _share(hidden.shown, p["outside"])}],
            "chances": [
                {
                    "place": place,
                    "worked": _share(int(chances[place] * hidden.places), hidden.places)
                    if is_of_class
                    else tex_value(chances[place]),
                }
                for place in ("other", "undealt", "players")
                if place in told
            ],
        }


def _parameters(rng: Random, hand: OwnHand, wanted: Sequence[str]) -> Parameters:
    """A missing card of one of these kinds, of the called class or of others, and the players
    about whom it is asked."""
    trick, unseen = hand.trick, hand.unseen
    if trick is None or trick.call is None:
        raise NoVariant("no trick in play")
    kinds: dict[str, list[Card]] = {"class": [], "others": []}
    for card in unseen.cards:
        kinds["class" if card.shows(trick.call) else "others"].append(card)
    found = [kind for kind in wanted if kinds[kind]]
    if not found:
        raise NoVariant("no such card is missing")
    of = rng.choice(found)
    missing = rng.choice(kinds[of])
    players = _players(hand, trick.call)
    parameters: Parameters = {
        "invented": hand.invented,
        "call": str(trick.call),
        "card": missing.code,
        "hand": list(codes(hand.hand)),
        "trick": [card.code for _seat, card in trick.plays],
        "of": of,
        "among": rng.choice(("two", "all")),
        "players": sorted(map(list, players)),
        "shown": rng.choice([left for left, cards, void in players if cards and void]),
        "other": rng.choice([left for left, cards, void in players if cards and not void]),
        "outside": len(kinds["others"]),
        "undealt": unseen.undealt,
        "seats": hand.seats,
    }
    chances, among = _hidden_cards(parameters).chances, AMONG[parameters["among"]]
    *_less, second, first = sorted(chances[place] for place in among)
    if first == second:
        raise NoVariant("two places are equally likely")
    return parameters


def _players(hand: OwnHand, call: Call) -> list[tuple[int, int, bool]]:
    """Each other player's place, clockwise from one's own, number of cards, and whether they
    have sloughed on this call."""
    unseen = hand.unseen
    players = [
        ((seat - hand.seat) % hand.seats, cards, call in unseen.voids[seat])
        for seat, cards in enumerate(unseen.slots)
        if seat != hand.seat
    ]
    known = {each for voids in unseen.voids for each in voids}
    if known != {call} or len({is_void for _left, cards, is_void in players if cards}) < 2:
        raise NoVariant("not one void class, or no card and places to compare")
    return players


@dataclass(frozen=True, slots=True)
class Hidden:
    """Where the cards lie that a student does not see: with the void player who is asked about
    and with the other one, with all who are void and all who are not, undealt. ``outside`` of
    them are not of the called class, if the missing card is not (else 0)."""

    shown: int
    other: int
    void: int
    able: int
    undealt: int
    outside: int

    @property
    def cards(self) -> int:
        return self.void + self.places

    @property
    def places(self) -> int:
        """Where a card of the class may lie."""
        return self.able + self.undealt

    @property
    def chances(self) -> dict[str, Fraction]:
        """The chances that the missing card lies with the void player asked about, with the
        other one, with all who are not void, and undealt. One that fits is nowhere but in the
        places that are not void, each as likely. The void players hold others only, so each of
        these lies with them as likely as any other of these does, and else in one of those
        places."""
        rest, of = (self.outside - self.void, self.outside) if self.outside else (1, 1)
        return {
            "void": Fraction(self.shown, self.outside) if self.outside else Fraction(),
            "other": Fraction(self.other * rest, self.places * of),
            "players": Fraction(self.able * rest, self.places * of),
            "undealt": Fraction(self.undealt * rest, self.places * of),
        }


def _hidden_cards(p: Parameters) -> Hidden:
    held = {left: cards for left, cards, _is_void in p["players"]}
    void = sum(cards for _left, cards, is_void in p["players"] if is_void)
    return Hidden(
        held[p["shown"]],
        held[p["other"]],
        void,
        sum(held.values()) - void,
        p["undealt"],
        p["outside"] if p["of"] == "others" else 0,
    )


def _completed(p: Parameters) -> Parameters:
    """The parameters as they are drawn today. The first questions told of two players, and of
    all others together, who are at no place (0)."""
    if "players" in p:
        return p
    (shown, held), (other, other_held) = p["shown"], p["other"]
    void, able = p["void"] - held, p["elsewhere"] - p["void"] - other_held
    further = [(0, cards, is_void) for cards, is_void in ((void, True), (able, False)) if cards]
    players = [(shown, held, True), (other, other_held, False), *further]
    told = {"shown": shown, "other": other, "players": players}
    return {**p, **told, "of": "class", "among": "first", "outside": 0}


def _share(some: int, every: int) -> str:
    return f"{tex_over(some, every)} {tex_decimal(Fraction(some, every))}"


def _seat_words(left: int, seats: int) -> str:
    """A seat by its place, clockwise from one's own."""
    if left == 1:
        return _("the player on your left")
    if left == seats - 1:
        return _("the player on your right")
    return ngettext(
        "the player %(n)d place to your left",
        "the player %(n)d places to your left",
        left,
    ) % {"n": left}
