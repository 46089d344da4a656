"""Questions about leading from one's own hand: types 15 and 16.

It has more than 450 lines: two types at two levels each ask about the same twelve leads."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import DECK, Call, Card, parse_call, parse_card
from games.words import call_words, card_words, colon
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family, OwnHand
from lessons.exercises.deck import opposite
from lessons.exercises.engine import (
    EDITION,
    LEAST,
    LEVEL,
    Cards,
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    NoVariant,
    Option,
    Parameters,
    Wrong,
    choice,
)
from lessons.exercises.own_hand import MOST_RIVALS, own
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import codes, math, tex_choose, tex_decimal, tex_over
from lessons.probability import CARDS
from lessons.unseen import safe_chance


def no_voids(hand: OwnHand) -> OwnHand:
    """The hand, if nothing is known of the others but how many cards they hold."""
    if hand.trick is not None and hand.trick.plays:
        raise NoVariant("a trick is in play")
    if any(hand.unseen.voids):
        raise NoVariant("a void is known")
    return hand


def lead_facts(hand: OwnHand) -> Parameters:
    """What a question about a lead needs to know: the cards held and those played so far."""
    played = [card for trick in hand.tricks for _seat, card in trick.plays]
    return {
        "hand": list(codes(hand.hand)),
        "played": list(codes(played)),
        "invented": hand.invented,
    }


def rivals(parameters: Parameters, card: Card, call: Call) -> int:
    """t: how many cards that the student has not seen could beat this lead."""
    seen = {*parameters["hand"], *parameters["played"]}
    return sum(c.code not in seen and c.shows(call) and c.value >= card.value for c in DECK)


def all_leads(hand: OwnHand) -> list[tuple[Card, Call, int]]:
    """Every lead of the hand, with its t."""
    facts = lead_facts(hand)
    return [
        (card, call, rivals(facts, card, call)) for card in hand.hand for call in card.calls
    ]


def lead_intro(parameters: Parameters) -> str:
    """The first sentence about the cards that are drawn beside a question on leads."""
    if parameters["invented"]:
        return _("Imagine that you hold these cards.")
    return _("These are your cards.")


def lead_cards(parameters: Parameters) -> tuple[Cards, ...]:
    """The hand and, after the first trick, what has been played."""
    held = Cards(_("Your hand"), tuple(parameters["hand"]))
    if not parameters["played"]:
        return (held,)
    return (held, Cards(_("Played so far"), tuple(parameters["played"])))


def lead_words(card: Card, call: Call) -> str:
    """A lead in words, e.g. "10, calling 1 ball"."""
    return _("the %(card)s, calling %(call)s") % {
        "card": card_words(card),
        "call": call_words(call),
    }


class SafeLead(Exercise):
    number = 15
    key = "safe-lead"
    title = gettext_lazy("Is this lead safe?")
    family, kind, level, lesson = Family.OWN_HAND, ExerciseKind.NUMBER, "C", 4
    levels = ("B", "C")
    skill = Skill.DRAWING
    misconceptions = (
        Misconception.EQUAL_SHARES,
        Misconception.ONE_RIVAL,
        Misconception.ASSUMES_INDEPENDENCE,
        Misconception.OPPOSITE,
        Misconception.VALUE_ONLY,
        Misconception.IGNORES_EVIDENCE,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        hand = no_voids(own(context))
        u, s = len(hand.unseen.cards), hand.unseen.elsewhere
        most = min(MOST_RIVALS, hand.unseen.undealt)  # more cannot all be undealt
        leads = [
            lead
            for lead in all_leads(hand)
            if 2 <= lead[2] <= most and safe_chance(lead[2], u, s) >= LEAST
        ]
        if not leads:
            raise NoVariant("every lead is safe, or hopeless")
        card, call, _t = rng.choice(leads)
        return {
            **lead_facts(hand),
            "lead": [card.code, str(call)],
            "elsewhere": hand.unseen.elsewhere,
            "seats": hand.seats,
        }

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._one_rival(parameters)
        card, call = parse_card(parameters["lead"][0]), parse_call(parameters["lead"][1])
        t = rivals(parameters, card, call)
        u = CARDS - len(parameters["hand"]) - len(parameters["played"])
        s, seats = parameters["elsewhere"], parameters["seats"]
        chance = safe_chance(t, u, s)
        return Instance(
            self.key,
            parameters,
            prompt=lead_intro(parameters)
            + " "
            + _(
                "You lead %(lead)s, at a table of %(seats)d. You have not seen %(unseen)d "
                "cards, and %(elsewhere)d of them are in the other hands. Of equal values the "
                "card played last wins. What is the chance that nobody holds a card that beats "
                "yours?"
            )
            % {"lead": lead_words(card, call), "seats": seats, "unseen": u, "elsewhere": s},
            fields=(Field("chance", _("Chance"), Form.CHANCE),),
            right={"chance": chance},
            wrong=(
                Wrong(
                    Misconception.EQUAL_SHARES,
                    {"chance": Fraction(1, seats)},
                    _(
                        "You gave each player the same chance to win. Which unseen cards could "
                        "beat yours, and where may they be?"
                    ),
                ),
                Wrong(
                    Misconception.ONE_RIVAL,
                    {"chance": Fraction(u - t, u)},
                    _(
                        "You asked whether one unseen card is dangerous. How many unseen cards "
                        "are in the other hands?"
                    ),
                ),
                Wrong(
                    Misconception.ASSUMES_INDEPENDENCE,
                    {"chance": Fraction(u - s, u) ** t},
                    _(
                        "You gave each dangerous card the same chance to lie undealt. Once one "
                        "of them lies there, how many places are left for the next?"
                    ),
                ),
                opposite("chance", chance),
            ),
            solution=(
                _(
                    "Dangerous are the unseen cards that show %(call)s with a value of "
                    "%(value)d or more: %(rivals)d cards. All of them must lie among the "
                    "%(undealt)d undealt cards:"
                )
                % {
                    "call": call_words(call),
                    "value": card.value,
                    "rivals": t,
                    "undealt": u - s,
                },
                math(
                    f"{tex_over(tex_choose(u - t, s), tex_choose(u, s))} = {_factors(t, u, s)} "
                    + tex_decimal(chance)
                ),
                _("This holds if all unseen deals are equally likely."),
            ),
            cards=(*lead_cards(parameters), Cards(_("Your lead"), (card.code,))),
        )

    def _one_rival(self, parameters: Parameters) -> Instance:
        """The dangerous cards counted, and one of them alone."""
        card, call = parse_card(parameters["lead"][0]), parse_call(parameters["lead"][1])
        t = rivals(parameters, card, call)
        u = CARDS - len(parameters["hand"]) - len(parameters["played"])
        s, seats = parameters["elsewhere"], parameters["seats"]
        chance = Fraction(u - s, u)
        seen = {*parameters["hand"], *parameters["played"]}
        as_high = sum(c.code not in seen and c.value >= card.value for c in DECK)
        ever = sum(c.shows(call) and c.value >= card.value for c in DECK)
        return Instance(
            self.key,
            parameters,
            prompt=lead_intro(parameters)
            + " "
            + _(
                "You lead %(lead)s, at a table of %(seats)d. Of equal values the card played "
                "last wins. You have not seen %(unseen)d cards; %(elsewhere)d of them are in "
                "the other hands, the rest lie undealt. How many of the cards that you have "
                "not seen could beat yours? Now think of a single one of these: what is the "
                "chance that it lies undealt, and nobody can play it?"
            )
            % {"lead": lead_words(card, call), "seats": seats, "unseen": u, "elsewhere": s},
            fields=(
                Field("rivals", _("Cards that could beat yours"), Form.COUNT),
                Field("one", _("Chance that this one lies undealt"), Form.CHANCE),
            ),
            right={"rivals": Fraction(t), "one": chance},
            wrong=(
                Wrong(
                    Misconception.VALUE_ONLY,
                    {"rivals": Fraction(as_high)},
                    _(
                        "You counted every hidden card that is high enough. May a card win "
                        "that does not show the call?"
                    ),
                ),
                Wrong(
                    Misconception.IGNORES_EVIDENCE,
                    {"rivals": Fraction(ever)},
                    _(
                        "You counted in the whole deck. Which of these cards do you see "
                        "already, in your hand or played?"
                    ),
                ),
                Wrong(
                    Misconception.EQUAL_SHARES,
                    {"one": Fraction(1, seats)},
                    _(
                        "You gave each hand and the undealt cards the same chance. Do all of "
                        "them have equally many cards?"
                    ),
                ),
                opposite("one", chance),
            ),
            solution=(
                _(
                    "Hidden cards that show %(call)s with a value of %(value)d or more: "
                    "%(rivals)d."
                )
                % {"call": call_words(call), "value": card.value, "rivals": t},
                _("Each hidden card is equally likely to lie at any of the %(unseen)d places:")
                % {"unseen": u}
                + " "
                + math(
                    f"{tex_over(f'{u} - {s}', u)} = {tex_over(u - s, u)} {tex_decimal(chance)}"
                ),
                _(
                    "The lead is safe only if all of these cards lie undealt: that is rarer "
                    "than for a single one."
                ),
            ),
            cards=(*lead_cards(parameters), Cards(_("Your lead"), (card.code,))),
        )


def _factors(t: int, u: int, s: int) -> str:
    factors = [tex_over(u - s - k, u - k) for k in range(t)]
    if t > 4:
        return rf"{factors[0]} \cdot {factors[1]} \cdots {factors[-1]}"
    return r" \cdot ".join(factors)


class SafestLead(Exercise):
    number = 16
    key = "safest-lead"
    title = gettext_lazy("Which lead is safest?")
    family, kind, level, lesson = Family.OWN_HAND, ExerciseKind.CHOICE, "B", 4
    levels = ("B", "C")
    skill = Skill.CONDITIONS
    misconceptions = (Misconception.VALUE_ONLY,)

    def draw(self, rng: Random, context: Context) -> Parameters:
        hand = no_voids(own(context))
        leads = sorted(all_leads(hand), key=lambda lead: lead[2] + 6 * rng.random())
        undealt = hand.unseen.undealt
        if all(t > undealt for _card, _call, t in leads):
            raise NoVariant("every lead is hopeless")
        for chosen in combinations(leads, 3):
            fewest = min(t for _card, _call, t in chosen)
            if fewest > undealt or len({card.value for card, _call, _t in chosen}) < 3:
                continue
            highest = max(chosen, key=lambda lead: lead[0].value)
            safest = [lead for lead in chosen if lead[2] == fewest]
            if len(safest) == 3 or (len(safest) == 1 and safest[0] != highest):
                return {
                    **lead_facts(hand),
                    "leads": [
                        [card.code, str(call)]
                        for card, call, _t in rng.sample(chosen, len(chosen))
                    ],
                    EDITION: 2,
                }
        raise NoVariant("no three leads to compare")

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """C: one card and its four calls. The safest has the smallest count, and is alone with
        it, or is that with the most cards against it seen: each as often."""
        if level == self.level:
            return self.draw(rng, context)
        hand = no_voids(own(context))
        facts = lead_facts(hand)
        is_shared = rng.random() < 0.5
        found = []
        for card in hand.hand:
            counts = sorted((rivals(facts, card, call), call.number) for call in card.calls)
            (fewest, number), (second, _number) = counts[:2]
            fits = number == min(card.counts) and shares_smallest(card) is is_shared
            if fits and fewest < second and fewest <= hand.unseen.undealt:
                found.append(card)
        if not found:
            raise NoVariant("no card with a call that stands out")
        return {**facts, "card": rng.choice(found).code, LEVEL: level, EDITION: 2}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._calls(parameters)
        pairs = [(parse_card(code), parse_call(call)) for code, call in parameters["leads"]]
        leads = [(card, call, rivals(parameters, card, call)) for card, call in pairs]
        keys = ("first", "second", "third")
        named = dict(zip(keys, leads, strict=True))
        fewest = min(t for _card, _call, t in leads)
        safest = [key for key, lead in named.items() if lead[2] == fewest]
        highest = max(named, key=lambda key: named[key][0].value)
        right: dict[str, str | Fraction] = {"lead": safest[0] if len(safest) == 1 else "equal"}
        asked, why = self._asked(parameters)
        right |= {"rivals": Fraction(fewest)} if EDITION in parameters else {"reason": "rivals"}
        hint = _(
            "You chose the highest value. Only cards that show the call can beat a lead: for "
            "each lead, which unseen cards are these?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=f"{lead_intro(parameters)} {asked}",
            fields=(
                Field(
                    "lead",
                    _("Safest is"),
                    Form.CHOICE,
                    (
                        *(Option(key, lead_words(*named[key][:2])) for key in keys),
                        Option("equal", _("none of them: all three are equally safe")),
                    ),
                    is_scale=True,  # as the cards are drawn beside it
                ),
                why,
            ),
            right=right,
            wrong=(
                Wrong(Misconception.VALUE_ONLY, {"lead": highest}, hint),
                *(
                    [Wrong(Misconception.VALUE_ONLY, {"reason": "value"}, hint)]
                    if "reason" in right
                    else []
                ),
            ),
            solution=(
                _("Count the unseen cards that could beat each lead:"),
                *(
                    _("%(lead)s: %(rivals)d") % {"lead": lead_words(card, call), "rivals": t}
                    for card, call, t in leads
                ),
                _("All three are equally safe.")
                if len(safest) == 3
                else _("The fewest can beat %(lead)s.")
                % {"lead": lead_words(*named[safest[0]][:2])},
            ),
            cards=(
                *lead_cards(parameters),
                Cards(_("The leads"), tuple(card.code for card, _call, _t in leads)),
            ),
        )

    def _asked(self, parameters: Parameters) -> tuple[str, Field]:
        """What is asked, and what besides; in the first questions always the same reason."""
        if EDITION in parameters:
            return _(
                "You are to lead, and you want the trick. Compare three leads: which is the "
                "safest, before anybody else has played? And how many cards that you have not "
                "seen could beat it?"
            ), Field("rivals", _("Cards that beat it"), Form.COUNT)
        reasons = {
            "value": _("the card with the highest value wins."),
            "count": _("a call with a small count is always best."),
            "rivals": _(
                "what counts is how many unseen cards show the call with at least that value."
            ),
        }
        return _(
            "You are to lead, and you want the trick. Compare three leads: which is the "
            "safest, before anybody else has played?"
        ), choice("reason", _("Because"), reasons)

    def _calls(self, parameters: Parameters) -> Instance:
        """The same card with each of its calls, and why one of them is the safest."""
        card = parse_card(parameters["card"])
        found = {str(call): rivals(parameters, card, call) for call in card.calls}
        words = {str(call): call_words(call) for call in card.calls}
        safest, is_shared = min(found, key=found.__getitem__), shares_smallest(card)
        hint = _(
            "The value of your card stays, whatever you call. Who may beat it: every card that "
            "is high enough, or which of these?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=lead_intro(parameters)
            + " "
            + _(
                "You lead the card that is drawn below your hand, and you want the trick. "
                "Which of its four calls is the safest, before anybody else has played? And "
                "why?"
            ),
            fields=(
                Field(
                    "call",
                    _("Safest is to call"),
                    Form.CHOICE,
                    (
                        *(Option(key, label) for key, label in words.items()),
                        Option("any", _("any of them: all four are equally safe")),
                    ),
                    is_scale=True,  # as on the card
                ),
                choice("reason", _("Because"), _call_reasons(parameters)),
            ),
            right={"call": safest, "reason": "seen" if is_shared else "lower"},
            wrong=(
                Wrong(Misconception.VALUE_ONLY, {"call": "any"}, hint),
                Wrong(Misconception.VALUE_ONLY, {"reason": "value"}, hint),
            ),
            solution=(
                _("Count the unseen cards that could beat yours, for each call:"),
                *(f"{words[key]}{colon()}{t}" for key, t in found.items()),
                _(
                    "For each of the smallest counts equally many cards of the deck could beat "
                    "yours. Of those against the safest call you see the most."
                )
                if is_shared
                else _(
                    "Every count of a shape is on equally many cards. But the curve of those "
                    "with the smallest count lies lowest: the fewest of them reach your value."
                ),
            ),
            cards=(*lead_cards(parameters), Cards(_("Your lead"), (card.code,))),
        )


def shares_smallest(card: Card) -> bool:
    """Whether several calls of this card have its smallest count."""
    return card.counts.count(min(card.counts)) > 1


def _call_reasons(parameters: Parameters) -> dict[str, str]:
    """Those of its edition; in the first questions one call alone had the smallest count."""
    reasons = {
        "value": _("your card has the same value, whatever you call."),
        "rare": _("fewer cards of the deck show a small count."),
    }
    if EDITION not in parameters:
        lower = _(
            "cards that show a small count have lower values on the whole, so fewer of them "
            "reach yours."
        )
        return {**reasons, "lower": lower}
    return {
        **reasons,
        "lower": _(
            "no other call has so small a count, and such cards have lower values on the whole."
        ),
        "seen": _(
            "another call has as small a count, but of the cards that could beat this one you "
            "see more."
        ),
    }


EXERCISES = (SafeLead(), SafestLead())
