"""A question about the trick in play: type 19."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.rules import parse_call
from games.words import call_words
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.engine import (
    Cards,
    Exercise,
    Field,
    Kind,
    NoVariant,
    Option,
    Parameters,
    Question,
    Table,
    Wrong,
    choice,
)
from lessons.exercises.own_hand import own
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import codes, math, tex_decimal, tex_over


class AfterSlough(Exercise):
    number = 19
    key = "after-slough"
    title = gettext_lazy("What does a slough tell?")
    family, kind, level, lesson = Family.TRICK, Kind.CHOICE, "C", 4
    skill = Skill.CONDITIONS
    misconceptions = (Misconception.IGNORES_VOID, Misconception.EQUAL_SHARES)

    def draw(self, rng: Random, context: Context) -> Parameters:
        hand = own(context)
        trick, unseen = hand.trick, hand.unseen
        if trick is None or trick.call is None:
            raise NoVariant("no trick in play")
        void = [seat for seat, voids in enumerate(unseen.voids) if trick.call in voids]
        known = {call for voids in unseen.voids for call in voids}
        missing = [card for card in unseen.cards if card.shows(trick.call)]
        void = [seat for seat in void if unseen.slots[seat]]
        others = [
            seat
            for seat, slots in enumerate(unseen.slots)
            if slots and seat not in void and slots != unseen.undealt
        ]
        if known != {trick.call} or not (void and missing and others):
            raise NoVariant("not one void class, or no card and places to compare")
        shown, other = rng.choice(void), rng.choice(others)
        return {
            "invented": hand.invented,
            "call": str(trick.call),
            "card": rng.choice(missing).code,
            "hand": list(codes(hand.hand)),
            "trick": [card.code for _seat, card in trick.plays],
            "shown": [(shown - hand.seat) % hand.seats, unseen.slots[shown]],
            "other": [(other - hand.seat) % hand.seats, unseen.slots[other]],
            "void": sum(unseen.slots[seat] for seat in void),
            "elsewhere": unseen.elsewhere,
            "undealt": unseen.undealt,
            "seats": hand.seats,
        }

    def build(self, parameters: Parameters) -> Question:
        (left, held), (other_left, other_held) = parameters["shown"], parameters["other"]
        undealt, seats = parameters["undealt"], parameters["seats"]
        hidden = parameters["elsewhere"] + undealt
        places = hidden - parameters["void"]
        shown, other = _seat_words(left, seats), _seat_words(other_left, seats)
        chance = Fraction(other_held, places)
        likeliest = "undealt" if undealt > other_held else "other"
        return Question(
            self.key,
            parameters,
            prompt=(
                _("Imagine this trick.")
                if parameters["invented"]
                else _("Look at the trick in play.")
            )
            + " "
            + _(
                "The call is %(call)s, and %(shown)s has sloughed: a void. Think of the card "
                "of that class that is drawn below: you have not seen it yet. Where is it "
                "likeliest to be? And what is the chance that %(other)s holds it, if what "
                "players chose tells nothing else?"
            )
            % {
                "call": call_words(parse_call(parameters["call"])),
                "shown": shown,
                "other": other,
            },
            fields=(
                choice(
                    "place",
                    _("Likeliest of these"),
                    {
                        "void": shown,
                        "other": other,
                        "undealt": _("among the undealt cards"),
                        "equal": _("all three are equally likely"),
                    },
                ),
                Field("reason", _("Because"), Form.CHOICE, _reasons()),
                Field("chance", _("Chance of %(other)s") % {"other": other}, Form.CHANCE),
            ),
            right={"place": likeliest, "reason": "able", "chance": chance},
            wrong=_wrong(other_held, hidden, seats),
            solution=(
                _(
                    "%(hidden)d cards are hidden from you. Those of a void hand cannot be it, "
                    "so %(places)d places are left, all equally likely:"
                )
                % {"hidden": hidden, "places": places},
                f"{other}: {math(f'{tex_over(other_held, places)} {tex_decimal(chance)}')}",
                _("undealt: %(chance)s")
                % {
                    "chance": math(
                        f"{tex_over(undealt, places)} {tex_decimal(Fraction(undealt, places))}"
                    )
                },
            ),
            cards=(
                Cards(_("The trick"), tuple(parameters["trick"])),
                Cards(_("Your hand"), tuple(parameters["hand"])),
                Cards(_("Not seen yet"), (parameters["card"],)),
            ),
            tables=(
                Table(
                    caption=_("Hidden cards"),
                    head=(_("Where"), _("Cards")),
                    rows=(
                        (shown, str(held)),
                        (other, str(other_held)),
                        (_("all other players together"), str(parameters["elsewhere"])),
                        (_("undealt"), str(undealt)),
                    ),
                ),
            ),
        )


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


def _reasons() -> tuple[Option, ...]:
    return (
        Option(
            "able", _("each hidden card that may be it has the same chance, wherever it lies.")
        ),
        Option("all", _("each hidden card has the same chance, also those of a void hand.")),
        Option("players", _("each player has the same chance.")),
    )


def _wrong(held: int, hidden: int, seats: int) -> tuple[Wrong, ...]:
    void = _(
        "You left the player who sloughed among those who may hold it. What does the rule say "
        "about somebody who holds a card of the class?"
    )
    players = _(
        "You gave each player the same chance. How many cards does each hold, and who may hold "
        "this one at all?"
    )
    return (
        Wrong(Misconception.IGNORES_VOID, {"reason": "all"}, void),
        Wrong(Misconception.IGNORES_VOID, {"place": "void"}, void),
        Wrong(Misconception.IGNORES_VOID, {"chance": Fraction(held, hidden)}, void),
        Wrong(Misconception.EQUAL_SHARES, {"reason": "players"}, players),
        Wrong(Misconception.EQUAL_SHARES, {"place": "equal"}, players),
        Wrong(Misconception.EQUAL_SHARES, {"chance": Fraction(1, seats)}, players),
        Wrong(Misconception.EQUAL_SHARES, {"chance": Fraction(1, seats - 1)}, players),
    )


EXERCISES = (AfterSlough(),)
