"""Questions about leading from one's own hand: types 15 and 16."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

from games.rules import DECK, Call, Card, parse_call, parse_card
from games.words import call_words, card_words, colon
from lessons.exercises.contexts import Context, OwnHand
from lessons.exercises.engine import EDITION, LEAST, NoVariant, Parameters
from lessons.exercises.own_hand import own
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import codes, tex_choose, tex_decimal, tex_over
from lessons.exercises.written import Written
from lessons.unseen import safe_chance

MOST_RIVALS = 8
"""Above this a lead is hopeless, and its chance is not worth working out."""


def hand_unless_void(hand: OwnHand) -> OwnHand:
    """The hand, if nothing is known of the others but how many cards they hold."""
    if hand.trick is not None and hand.trick.plays:
        raise NoVariant("a trick is in play")
    if any(hand.unseen.voids):
        raise NoVariant("a void is known")
    return hand


def lead_facts(hand: OwnHand) -> Parameters:
    """The parameters of a question about a lead: the cards held and those played so far."""
    played = [card for trick in hand.tricks for _seat, card in trick.plays]
    return {
        "hand": list(codes(hand.hand)),
        "played": list(codes(played)),
        "invented": hand.invented,
    }


def hidden(parameters: Parameters) -> list[Card]:
    """The cards that the student neither holds nor has seen played."""
    seen = {*parameters["hand"], *parameters["played"]}
    return [card for card in DECK if card.code not in seen]


def rivals(parameters: Parameters, card: Card, call: Call) -> int:
    """t: how many cards that the student has not seen would take the trick from this lead: they
    show the call, with its value or more."""
    return sum(c.shows(call) and c.value >= card.value for c in hidden(parameters))


def all_leads(hand: OwnHand) -> list[tuple[Card, Call, int]]:
    """Every lead of the hand as (card, call, number of unseen cards that beat it)."""
    facts = lead_facts(hand)
    return [
        (card, call, rivals(facts, card, call)) for card in hand.hand for call in card.calls
    ]


def _of_lead(p: Parameters, code: str, text: str) -> Facts:
    """A lead in words, and how many cards that the student has not seen could beat it."""
    card, call = parse_card(code), parse_call(text)
    return {
        "card": card_words(card),
        "call": call_words(call),
        "value": card.value,
        "rivals": rivals(p, card, call),
    }


class SafeLead(Written):
    key = "safe-lead"

    def draw(self, rng: Random, context: Context) -> Parameters:
        hand = hand_unless_void(own(context))
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

    def facts(self, parameters: Parameters) -> Facts:
        unseen = len(hidden(parameters))
        return {
            **_of_lead(parameters, *parameters["lead"]),
            "led": parameters["lead"][:1],
            "unseen": unseen,
            "undealt": unseen - parameters["elsewhere"],
            "equal_share": Fraction(1, parameters["seats"]),
            **super().facts(parameters),
        }

    def facts_b(self, p: Parameters) -> Facts:
        """The dangerous cards counted, and one of them alone."""
        card, call = parse_card(p["lead"][0]), parse_call(p["lead"][1])
        unseen, s = hidden(p), p["elsewhere"]
        u = len(unseen)
        one = Fraction(u - s, u)
        return {
            "one": one,
            "as_high": sum(c.value >= card.value for c in unseen),
            "ever": sum(c.shows(call) and c.value >= card.value for c in DECK),
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The chance that nobody else holds a card that beats the lead."""
        t = rivals(p, parse_card(p["lead"][0]), parse_call(p["lead"][1]))
        u, s = len(hidden(p)), p["elsewhere"]
        chance = safe_chance(t, u, s)
        chosen = tex_over(tex_choose(u - t, s), tex_choose(u, s))
        return {
            "chance": chance,
            "one_harmless": Fraction(u - t, u),
            "independent": Fraction(u - s, u) ** t,
            "chance_worked": f"{chosen} = {_product_tex(t, u, s)} {tex_decimal(chance)}",
        }


def _product_tex(t: int, u: int, s: int) -> str:
    factors = [tex_over(u - s - k, u - k) for k in range(t)]
    if t > 4:
        return rf"{factors[0]} \cdot {factors[1]} \cdots {factors[-1]}"
    return r" \cdot ".join(factors)


class SafestLead(Written):
    key = "safest-lead"

    def draw(self, rng: Random, context: Context) -> Parameters:
        hand = hand_unless_void(own(context))
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

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters; at C of one card's four calls. The safest has the smallest count, and is
        alone with it, or is that with the most cards against it seen: each as often."""
        hand = hand_unless_void(own(context))
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
        return {**facts, "card": rng.choice(found).code, EDITION: 2}

    def facts_b(self, p: Parameters) -> Facts:
        """The leads with the unseen cards that beat each, and the safest of them."""
        keys = ("first", "second", "third")
        leads: list[Facts] = [
            {"key": key, **_of_lead(p, *lead)}
            for key, lead in zip(keys, p["leads"], strict=True)
        ]
        fewest = min(lead["rivals"] for lead in leads)
        safest = [lead for lead in leads if lead["rivals"] == fewest]
        first_call = parse_call(p["leads"][0][1])
        return {
            **safest[0],
            "leads": leads,
            "led": [code for code, _call in p["leads"]],
            "lead": safest[0]["key"] if len(safest) == 1 else "equal",
            "highest": max(leads, key=lambda lead: lead["value"])["key"],
            "first_call": call_words(first_call),
            "showing": sum(card.shows(first_call) for card in hidden(p)),
            "colon": colon(),
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The same card with each of its calls, and why one of them is the safest."""
        card = parse_card(p["card"])
        calls: list[Facts] = [
            {"key": str(call), "call": call_words(call), "rivals": rivals(p, card, call)}
            for call in card.calls
        ]
        return {
            "calls": calls,
            "led": [card.code],
            "safest": min(calls, key=lambda call: call["rivals"])["key"],
            "reason": "seen" if shares_smallest(card) else "lower",
            "colon": colon(),
        }


def shares_smallest(card: Card) -> bool:
    """Whether several calls of this card have its smallest count."""
    return card.counts.count(min(card.counts)) > 1
