"""A question about the trick in play: type 19.

It has more than 450 lines: questions that were dealt when only two players were told are to
open still, and all that reads their parameters belongs together."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.rules import Card, parse_call
from games.words import call_words, colon
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import opposite
from lessons.exercises.engine import (
    EDITION,
    LEVEL,
    Answer,
    Cards,
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    NoVariant,
    NumberTable,
    Option,
    Parameters,
    Wrong,
    choice,
)
from lessons.exercises.own_hand import own
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import all_of, codes, math, tex_decimal, tex_over, tex_value


class AfterSlough(Exercise):
    number = 19
    key = "after-slough"
    title = gettext_lazy("What does a slough tell?")
    family, kind, level, lesson = Family.TRICK, ExerciseKind.CHOICE, "C", 4
    levels = ("B", "C")
    skill = Skill.CONDITIONS
    misconceptions = (
        Misconception.IGNORES_VOID,
        Misconception.EQUAL_SHARES,
        Misconception.OPPOSITE,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        return {**self._drawn(rng, context, ("class", "others")), EDITION: 2}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """Where places are counted, the card is always of the class that was called."""
        if level == self.level:
            return self.draw(rng, context)
        return {**self._drawn(rng, context, ("class",)), LEVEL: level}

    def _drawn(self, rng: Random, context: Context, wanted: Collection[str]) -> Parameters:
        hand = own(context)
        trick, unseen = hand.trick, hand.unseen
        if trick is None or trick.call is None:
            raise NoVariant("no trick in play")
        known = {call for voids in unseen.voids for call in voids}
        kinds: dict[str, list[Card]] = {"class": [], "others": []}
        for card in unseen.cards:
            kinds["class" if card.shows(trick.call) else "others"].append(card)
        found = [kind for kind, cards in kinds.items() if cards and kind in wanted]
        if not found:
            raise NoVariant("no such card is missing")
        of = rng.choice(found)
        missing = kinds[of]
        players = [
            [(seat - hand.seat) % hand.seats, slots, trick.call in unseen.voids[seat]]
            for seat, slots in enumerate(unseen.slots)
            if seat != hand.seat
        ]
        void = [left for left, slots, is_void in players if slots and is_void]
        others = [left for left, slots, is_void in players if slots and not is_void]
        if known != {trick.call} or not (void and others):
            raise NoVariant("not one void class, or no card and places to compare")
        parameters = {
            "invented": hand.invented,
            "call": str(trick.call),
            "card": rng.choice(missing).code,
            "hand": list(codes(hand.hand)),
            "trick": [card.code for _seat, card in trick.plays],
            "of": of,
            "among": rng.choice(("two", "all")),
            "players": sorted(players),
            "shown": rng.choice(void),
            "other": rng.choice(others),
            "outside": len(kinds["others"]),
            "undealt": unseen.undealt,
            "seats": hand.seats,
        }
        chances = sorted(_chances(_hidden(parameters)).values())
        if chances[-1] == chances[-2]:
            raise NoVariant("two places are equally likely")
        return parameters

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._places(parameters)
        seats, of = parameters["seats"], parameters.get("of", "class")
        hidden = _hidden(parameters)
        chances = _chances(hidden)
        shown, other = (_seat_words(left, seats) for left in (hidden.shown, hidden.other))
        asked, held = (shown, hidden.held) if of == "others" else (other, hidden.other_held)
        chance = hidden.chance("void" if of == "others" else "other")
        likeliest = max(chances, key=chances.__getitem__)
        places = {
            "void": shown,
            "other": other,
            "players": _("with one of the players who have not sloughed"),
            "undealt": _("among the undealt cards"),
        }
        return Instance(
            self.key,
            parameters,
            prompt=_call_words(parameters)
            + " "
            + _("Where is it likeliest to be?")
            + " "
            + _(
                "And what is the chance that %(player)s holds it, if what players chose tells "
                "nothing else?"
            )
            % {"player": asked},
            fields=(
                choice(
                    "place",
                    _("Likeliest of these"),
                    {key: places[key] for key in chances}
                    | {
                        "equal": _("all three are equally likely")
                        if len(chances) == 3
                        else _("both are equally likely")
                    },
                    last="equal",
                ),
                Field("reason", _("Because"), Form.CHOICE, _reasons(parameters)),
                Field("chance", _("Chance of %(other)s") % {"other": asked}, Form.CHANCE),
            ),
            right={
                "place": likeliest,
                "reason": "able"
                if of == "class"
                else "fuller"
                if likeliest == "void" or EDITION not in parameters
                else "most",
                "chance": chance,
            },
            wrong=_wrong(of, chance, Fraction(held, hidden.cards), seats),
            solution=_solution(hidden, of, shown, other),
            cards=_cards(parameters),
            tables=(_hidden_table(parameters, hidden),),
        )

    def _places(self, parameters: Parameters) -> Instance:
        """The places counted in which a card of the called class may lie."""
        hidden = _hidden(parameters)
        table = _hidden_table(parameters, hidden)
        rows = [cards for _where, cards in table.rows]
        able = sum(
            bool(cards) and not is_void for _left, cards, is_void in parameters["players"]
        )
        chance = Fraction(hidden.undealt, hidden.places)
        void = _void_hint()
        alike = _(
            "You gave each place at the table the same chance. How many hidden cards lie in "
            "each of them?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=_call_words(parameters)
            + " "
            + _(
                "How many cards are hidden from you, all together? In how many of these places "
                "may that card lie? And what is the chance that it is among the undealt cards, "
                "if what players chose tells nothing else?"
            ),
            fields=(
                Field("hidden", _("Hidden cards, all together"), Form.COUNT),
                Field("places", _("Places where it may lie"), Form.COUNT),
                Field("chance", _("Chance that it is undealt"), Form.CHANCE),
            ),
            right={
                "hidden": Fraction(hidden.cards),
                "places": Fraction(hidden.places),
                "chance": chance,
            },
            wrong=(
                Wrong(Misconception.IGNORES_VOID, {"places": Fraction(hidden.cards)}, void),
                Wrong(
                    Misconception.IGNORES_VOID,
                    {"chance": Fraction(hidden.undealt, hidden.cards)},
                    void,
                ),
                Wrong(Misconception.EQUAL_SHARES, {"chance": Fraction(1, able + 1)}, alike),
                Wrong(Misconception.EQUAL_SHARES, {"chance": Fraction(1, len(rows))}, alike),
                opposite("chance", chance),
            ),
            solution=(
                _("All rows of the table together:")
                + " "
                + math(f"{' + '.join(map(str, rows))} = {hidden.cards}"),
                _("A void hand cannot hold it, so its places are out:")
                + " "
                + math(f"{hidden.cards} - {hidden.void} = {hidden.places}"),
                _("Each place that is left is as likely. Undealt are %(undealt)d of them:")
                % {"undealt": hidden.undealt}
                + " "
                + math(f"{tex_over(hidden.undealt, hidden.places)} {tex_decimal(chance)}"),
            ),
            cards=_cards(parameters),
            tables=(table,),
        )


def _cards(parameters: Parameters) -> tuple[Cards, ...]:
    return (
        Cards(_("The trick"), tuple(parameters["trick"])),
        Cards(_("Your hand"), tuple(parameters["hand"])),
        Cards(_("Not seen yet"), (parameters["card"],)),
    )


@dataclass(frozen=True, slots=True)
class Hidden:
    """Where the cards lie that a student does not see: so many with the players who are void,
    with all players and undealt, ``outside`` of them not of the class that was called. Two
    players are asked about, by their places: one who is void, and one who is not."""

    shown: int
    held: int
    other: int
    other_held: int
    void: int
    elsewhere: int
    undealt: int
    outside: int
    among: tuple[str, ...]
    is_of_class: bool

    @property
    def cards(self) -> int:
        return self.elsewhere + self.undealt

    @property
    def places(self) -> int:
        """Where a card of the class may lie."""
        return self.cards - self.void

    def chance(self, place: str) -> Fraction:
        """That the missing card lies there. One of the class is nowhere but in the places that
        are not void, each as likely. The void players hold others only, so each of these lies
        with them as likely as any other of these does, and else in one of those places."""
        at_void = Fraction() if self.is_of_class else Fraction(self.void, self.outside)
        slots = {
            "other": self.other_held,
            "players": self.elsewhere - self.void,
            "undealt": self.undealt,
        }
        if place == "void":
            return at_void * Fraction(self.held, self.void)
        return (1 - at_void) * Fraction(slots[place], self.places)


def _hidden(parameters: Parameters) -> Hidden:
    """From the parameters, also from those of questions that were dealt when only two players
    and all together were told."""
    if "players" not in parameters:
        (shown, held), (other, other_held) = parameters["shown"], parameters["other"]
        return Hidden(
            shown,
            held,
            other,
            other_held,
            parameters["void"],
            parameters["elsewhere"],
            parameters["undealt"],
            outside=0,
            among=("void", "other", "undealt"),
            is_of_class=True,
        )
    slots = {left: cards for left, cards, _is_void in parameters["players"]}
    return Hidden(
        parameters["shown"],
        slots[parameters["shown"]],
        parameters["other"],
        slots[parameters["other"]],
        void=sum(cards for _left, cards, is_void in parameters["players"] if is_void),
        elsewhere=sum(slots.values()),
        undealt=parameters["undealt"],
        outside=parameters["outside"],
        among=("void", "other") if parameters["among"] == "two" else PLACES,
        is_of_class=parameters["of"] == "class",
    )


PLACES = ("void", "players", "undealt")


def _chances(hidden: Hidden) -> dict[str, Fraction]:
    """By the places to choose from, the chance that the missing card lies there."""
    return {place: hidden.chance(place) for place in hidden.among}


def _call_words(parameters: Parameters) -> str:
    """What the trick tells: the call, all who are void, and the card that is asked about."""
    first = (
        _("Imagine this trick.") if parameters["invented"] else _("Look at the trick in play.")
    )
    return f"{first} {_told(parameters)}"


def _told(parameters: Parameters) -> str:
    seats, call = parameters["seats"], call_words(parse_call(parameters["call"]))
    if "players" not in parameters:
        return _(
            "The call is %(call)s, and %(shown)s has sloughed: a void. Think of the card of "
            "that class that is drawn below: you have not seen it yet."
        ) % {"call": call, "shown": _seat_words(parameters["shown"][0], seats)}
    void = [
        _seat_words(left, seats) for left, _cards, is_void in parameters["players"] if is_void
    ]
    sloughed = ngettext(
        "The call is %(call)s, and %(void)s has sloughed on it: a void.",
        "The call is %(call)s, and %(void)s have sloughed on it: all of them are void.",
        len(void),
    ) % {"call": call, "void": all_of(void)}
    card = (
        _("Think of the card of that class that is drawn below: you have not seen it yet.")
        if parameters["of"] == "class"
        else _(
            "Think of the card that is drawn below: it is of another class, and you have not "
            "seen it yet. Of the hidden cards %(outside)d are of other classes."
        )
        % {"outside": parameters["outside"]}
    )
    return f"{sloughed} {card}"


def _hidden_table(parameters: Parameters, hidden: Hidden) -> NumberTable:
    return NumberTable(
        caption=_("Hidden cards"),
        head=(_("Where"), _("Cards")),
        rows=(*_rows(parameters), (_("undealt"), str(hidden.undealt))),
    )


def _rows(parameters: Parameters) -> tuple[tuple[str, str], ...]:
    """Every other player with hidden cards, once."""
    seats = parameters["seats"]
    if "players" not in parameters:
        (left, held), (other_left, other_held) = parameters["shown"], parameters["other"]
        rest = parameters["elsewhere"] - held - other_held
        rows = ((_seat_words(left, seats), held), (_seat_words(other_left, seats), other_held))
        void = parameters["void"] - held
        more = (
            (_("other players who are void, too"), void),
            (_("all further players together"), rest - void),
        )
        return tuple((words, str(cards)) for words, cards in (*rows, *more) if cards)
    return tuple(
        (
            _("%(player)s (void)") % {"player": _seat_words(left, seats)}
            if is_void
            else _seat_words(left, seats),
            str(cards),
        )
        for left, cards, is_void in parameters["players"]
    )


def _solution(hidden: Hidden, of: str, shown: str, other: str) -> tuple[str, ...]:
    facts = {"hidden": hidden.cards, "places": hidden.places}
    able, undealt = hidden.elsewhere - hidden.void, hidden.undealt
    if of == "class":
        rows = {other: hidden.other_held, _("undealt"): undealt}
        if "players" in hidden.among:
            rows[_("all who have not sloughed, together")] = able
        return (
            _(
                "%(hidden)d cards are hidden from you. Those of a void hand cannot be it, "
                "so %(places)d places are left, all equally likely:"
            )
            % facts,
            *(
                f"{words}{colon()}"
                + math(
                    f"{tex_over(cards, hidden.places)} "
                    f"{tex_decimal(Fraction(cards, hidden.places))}"
                )
                for words, cards in rows.items()
            ),
        )
    found = {
        other: "other",
        _("undealt"): "undealt",
        _("all who have not sloughed, together"): "players",
    }
    return (
        _(
            "%(outside)d of the hidden cards are of other classes, and all that a void player "
            "holds are among these. Each of them is as likely to be there:"
        )
        % {"outside": hidden.outside},
        f"{shown}{colon()}"
        + math(f"{tex_over(hidden.held, hidden.outside)} {tex_decimal(hidden.chance('void'))}"),
        _("If no void player holds it, each of the %(places)d other places is as likely:")
        % facts,
        *(
            f"{words}{colon()}{math(tex_value(hidden.chance(place)))}"
            for words, place in found.items()
            if place in hidden.among
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


def _reasons(parameters: Parameters) -> tuple[Option, ...]:
    """Those of its edition; the first questions were about the called class only."""
    reasons = [
        Option(
            "able", _("each hidden card that may be it has the same chance, wherever it lies.")
        ),
        Option("all", _("each hidden card has the same chance, also those of a void hand.")),
        Option("players", _("each player has the same chance.")),
    ]
    if "of" in parameters:
        fuller = _("a void hand has more room for it, lacking the called class.")
        reasons.append(Option("fuller", fuller))
    if EDITION in parameters:
        most = _("a void hand has more room for it, but so many more cards lie here.")
        reasons.append(Option("most", most))
    return tuple(reasons)


def _void_hint() -> str:
    return _(
        "You left the player who sloughed among those who may hold it. What does the rule say "
        "about somebody who holds a card of the class?"
    )


def _wrong(of: str, chance: Fraction, alike: Fraction, seats: int) -> tuple[Wrong, ...]:
    void = (
        _void_hint()
        if of == "class"
        else _(
            "You gave a void hand the same chance as any other. Which cards can it not hold, "
            "and what does that leave for its places?"
        )
    )
    players = _(
        "You gave each player the same chance. How many cards does each hold, and who may hold "
        "this one at all?"
    )
    by_void: tuple[Mapping[str, Answer], ...] = ({"reason": "all"}, {"chance": alike})
    if of == "class":
        by_void = (*by_void, {"place": "void"})
    return (
        *(Wrong(Misconception.IGNORES_VOID, answers, void) for answers in by_void),
        Wrong(Misconception.EQUAL_SHARES, {"reason": "players"}, players),
        Wrong(Misconception.EQUAL_SHARES, {"place": "equal"}, players),
        Wrong(Misconception.EQUAL_SHARES, {"chance": Fraction(1, seats)}, players),
        Wrong(Misconception.EQUAL_SHARES, {"chance": Fraction(1, seats - 1)}, players),
        opposite("chance", chance),
    )


EXERCISES = (AfterSlough(),)
