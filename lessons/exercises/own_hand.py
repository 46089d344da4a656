"""Questions about the student's own hand and public plays: types 13 to 18."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import DECK, HAND_SIZE, Call, Card, parse_call, parse_card
from games.words import call_words, card_words
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family, OwnHand
from lessons.exercises.deck import CALLS, opposite, sample_hint, variance_hint
from lessons.exercises.engine import (
    LEAST,
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
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import (
    codes,
    decimal,
    exact_percent,
    math,
    printed,
    tex,
    tex_choose,
    tex_decimal,
    tex_number,
    tex_over,
    tex_root,
    tex_value,
)
from lessons.probability import (
    CARDS,
    Exact,
    best_bids,
    expected_points,
    mean,
    root,
    safe_chance,
    value_counts,
    variance,
    variance_of_mean,
)


def own(context: Context) -> OwnHand:
    """The context's own hand."""
    if context.hand is None:
        raise NoVariant("no hand")
    return context.hand


def hand_facts(hand: OwnHand) -> Parameters:
    """What the texts say of every own hand: its eight cards, and whether it is imagined."""
    return {"dealt": list(codes(hand.dealt)), "invented": hand.invented}


def hand_words(parameters: Parameters) -> str:
    """The first sentence about the hand that is drawn beside the question."""
    if parameters["invented"]:
        return _("Imagine that you were dealt these eight cards.")
    return _("You were dealt these eight cards.")


def hand_cards(parameters: Parameters) -> tuple[Cards, ...]:
    return (Cards(_("Your hand"), tuple(parameters["dealt"])),)


def fresh(context: Context) -> OwnHand:
    """The own hand before the first card is played."""
    hand = own(context)
    if not hand.is_fresh:
        raise NoVariant("a card has been played")
    return hand


class HandSpread(Exercise):
    number = 13
    key = "hand-spread"
    title = gettext_lazy("Your hand beside all hands")
    family, kind, level, lesson = Family.OWN_HAND, ExerciseKind.NUMBERS, "B", 7
    skill = Skill.SPREAD
    misconceptions = (
        Misconception.VARIANCE_FOR_SD,
        Misconception.SAMPLE_SD,
        Misconception.CARD_FOR_MEAN,
        Misconception.FLIPPED_SIGN,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        part = rng.choice(("summary", "z"))
        return {**hand_facts(own(context)), "part": part}

    def build(self, parameters: Parameters) -> Instance:
        values = sorted(parse_card(code).value for code in parameters["dealt"])
        if parameters["part"] == "summary":
            return self._summary(parameters, values)
        return self._standing(parameters, values)

    def _summary(self, parameters: Parameters, values: Sequence[int]) -> Instance:
        counts = Counter(values)
        squares, centre = variance(counts), mean(counts)
        median = Fraction(values[3] + values[4], 2)
        often = [value for value, n in counts.items() if n == max(counts.values())]
        mode = {"mode": Fraction(often[0])} if len(often) == 1 else {}
        total = sum(values)
        return Instance(
            self.key,
            parameters,
            prompt=hand_words(parameters)
            + " "
            + _(
                "Describe the values of these eight cards. They are all that is described, so "
                "the standard deviation (SD) is a population's."
            ),
            fields=(
                Field("mean", _("Mean"), Form.NUMBER),
                Field("median", _("Median"), Form.NUMBER),
                *((Field("mode", _("Mode"), Form.NUMBER),) if mode else ()),
                Field("sd", _("SD"), Form.NUMBER),
            ),
            right={"mean": centre, "median": median, **mode, "sd": root(squares)},
            wrong=(
                Wrong(Misconception.VARIANCE_FOR_SD, {"sd": squares}, variance_hint()),
                Wrong(
                    Misconception.SAMPLE_SD,
                    {"sd": root(squares * Fraction(8, 7))},
                    sample_hint(),
                ),
            ),
            solution=(
                _("In order: %(values)s.") % {"values": ", ".join(map(str, values))},
                _(
                    "Mean: %(mean)s. The median lies between the fourth and the fifth: "
                    "%(median)s."
                )
                % {
                    "mean": math(f"{tex_over(total, 8)} {tex_decimal(centre)}"),
                    "median": math(
                        f"{tex_over(f'{values[3]} + {values[4]}', 2)} = {_plain(median)}"
                    ),
                },
                *(
                    (_("The mode is the commonest value: %(mode)d.") % {"mode": often[0]},)
                    if mode
                    else ()
                ),
                _("SD, the root of the mean squared distance from the mean: %(sd)s.")
                % {"sd": math(f"{tex_root(squares)} {tex_decimal(root(squares))}")},
            ),
            cards=hand_cards(parameters),
        )

    def _standing(self, parameters: Parameters, values: Sequence[int]) -> Instance:
        centre = Fraction(sum(values), HAND_SIZE)
        one = variance(value_counts())
        of_mean = variance_of_mean(one, HAND_SIZE)
        away = centre - mean(value_counts())
        sign = -1 if away < 0 else 1
        standing = root(away**2 / of_mean, sign)
        return Instance(
            self.key,
            parameters,
            prompt=hand_words(parameters)
            + " "
            + _(
                "What is the mean of their values? All possible hands have means, too; these "
                "have a mean and an SD of their own. How many of these SDs does your hand's "
                "mean lie above (or, with a minus, below) the mean of all hands?"
            ),
            fields=(
                Field("mean", _("Mean of your hand"), Form.NUMBER),
                Field("z", _("z, in SDs of a hand's mean"), Form.NUMBER),
            ),
            right={"mean": centre, "z": standing},
            wrong=(
                Wrong(
                    Misconception.CARD_FOR_MEAN,
                    {"z": root(away**2 / one, sign)},
                    _(
                        "You divided by the SD of a single card. Do means of whole hands "
                        "spread as widely as single cards do?"
                    ),
                ),
                Wrong(
                    Misconception.FLIPPED_SIGN,
                    {"z": root(away**2 / of_mean, -sign)},
                    _(
                        "Your z points to the other side. Does your hand's mean lie above or "
                        "below that of all hands, and which sign says so?"
                    ),
                ),
            ),
            # The SD is printed with three digits in lesson 7 and with four below.
            follows={"z": tuple(away / printed(root(of_mean), digits) for digits in (3, 4))},
            solution=(
                _("Your mean is %(mean)s; the mean of all hands is %(centre)s.")
                % {"mean": math(_plain(centre, 5)), "centre": math(tex(mean(value_counts())))},
                _(
                    "A card's variance is %(one)s. The mean of eight has an eighth of it, and "
                    "a little less because no card comes twice: %(product)s. Its root is the "
                    "SD: %(sd)s."
                )
                % {
                    "one": math(tex(one)),
                    "product": math(
                        rf"{tex(one)} \cdot {tex_over(1, 8)} \cdot {tex_over(73, 80)} "
                        f"= {tex(of_mean)}"
                    ),
                    "sd": math(f"{tex_root(of_mean)} {tex_decimal(root(of_mean), 4)}"),
                },
                math(
                    rf"z = \frac{{{_plain(centre, 5)} - 8}}{{{_plain(root(of_mean))}}} "
                    + tex_decimal(standing)
                ),
            ),
            cards=hand_cards(parameters),
        )


class UnseenCard(Exercise):
    number = 14
    key = "unseen-card"
    title = gettext_lazy("A card that you cannot see")
    family, kind, level, lesson = Family.OWN_HAND, ExerciseKind.NUMBER, "B", 4
    skill = Skill.CONDITIONS
    misconceptions = (
        Misconception.IGNORES_EVIDENCE,
        Misconception.KEEPS_TOTAL,
        Misconception.GAMBLER,
        Misconception.KEEPS_CLASS,
        Misconception.OPPOSITE,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        return {**hand_facts(fresh(context)), "call": rng.choice(CALLS)}

    def build(self, parameters: Parameters) -> Instance:
        call = parse_call(parameters["call"])
        held = sum(parse_card(code).shows(call) for code in parameters["dealt"])
        size = CARDS // 3
        unseen = CARDS - HAND_SIZE
        chance = Fraction(size - held, unseen)
        due = Fraction(2 * HAND_SIZE, 3) - held  # so that two hands together are average
        return Instance(
            self.key,
            parameters,
            prompt=hand_words(parameters)
            + " "
            + _(
                "No card has been played yet. Point at any card that you cannot see, in "
                "another hand or undealt. What is the chance that it shows %(call)s?"
            )
            % {"call": call_words(call)},
            fields=(Field("chance", _("Chance"), Form.CHANCE),),
            right={"chance": chance},
            wrong=(
                Wrong(
                    Misconception.IGNORES_EVIDENCE,
                    {"chance": Fraction(size, CARDS)},
                    _(
                        "You gave the share in the whole deck. You have already seen some of "
                        "its cards: which ones can the hidden card no longer be?"
                    ),
                ),
                Wrong(
                    Misconception.KEEPS_TOTAL,
                    {"chance": Fraction(size - held, CARDS)},
                    _(
                        "You took your own cards away from those that you look for. From what "
                        "else must they be taken away?"
                    ),
                ),
                Wrong(
                    Misconception.KEEPS_CLASS,
                    {"chance": Fraction(size, unseen)},
                    _(
                        "You took your own cards off those that are hidden. Do some of them "
                        "also belong to the cards that you look for?"
                    ),
                ),
                opposite("chance", chance),
                *(
                    (
                        Wrong(
                            Misconception.GAMBLER,
                            {"chance": due / HAND_SIZE},
                            _(
                                "You let the next hand make up for yours. Do the hidden cards "
                                "know what you hold, or is it only a matter of which are left?"
                            ),
                        ),
                    )
                    if due > 0
                    else ()
                ),
            ),
            solution=(
                _(
                    "The deck has %(size)d such cards and you hold %(held)d of them. You see "
                    "%(eight)d cards of %(all)d, so %(unseen)d are hidden, and each of them is "
                    "equally likely to be the one you point at:"
                )
                % {
                    "size": size,
                    "held": held,
                    "eight": HAND_SIZE,
                    "all": CARDS,
                    "unseen": unseen,
                },
                math(
                    tex_over(f"{size} - {held}", f"{CARDS} - {HAND_SIZE}")
                    + f" = {tex_value(chance)}"
                ),
            ),
            cards=hand_cards(parameters),
        )


def _plain(exact: Exact, digits: int = 4) -> str:
    return tex_number(decimal(exact, digits))


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


MOST_RIVALS = 8
"""Above this a lead is hopeless, and its chance is not worth working out."""


class SafeLead(Exercise):
    number = 15
    key = "safe-lead"
    title = gettext_lazy("Is this lead safe?")
    family, kind, level, lesson = Family.OWN_HAND, ExerciseKind.NUMBER, "C", 4
    skill = Skill.DRAWING
    misconceptions = (
        Misconception.EQUAL_SHARES,
        Misconception.ONE_RIVAL,
        Misconception.ASSUMES_INDEPENDENCE,
        Misconception.OPPOSITE,
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
                }
        raise NoVariant("no three leads to compare")

    def build(self, parameters: Parameters) -> Instance:
        pairs = [(parse_card(code), parse_call(call)) for code, call in parameters["leads"]]
        leads = [(card, call, rivals(parameters, card, call)) for card, call in pairs]
        keys = ("first", "second", "third")
        named = dict(zip(keys, leads, strict=True))
        fewest = min(t for _card, _call, t in leads)
        safest = [key for key, lead in named.items() if lead[2] == fewest]
        highest = max(named, key=lambda key: named[key][0].value)
        hint = _(
            "You chose the highest value. Only cards that show the call can beat a lead: for "
            "each lead, which unseen cards are these?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=lead_intro(parameters)
            + " "
            + _(
                "You are to lead, and you want the trick. Compare three leads: which is the "
                "safest, before anybody else has played?"
            ),
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
                choice(
                    "reason",
                    _("Because"),
                    {
                        "value": _("the card with the highest value wins."),
                        "count": _("a call with a small count is always best."),
                        "rivals": _(
                            "what counts is how many unseen cards show the call with at "
                            "least that value."
                        ),
                    },
                ),
            ),
            right={"lead": safest[0] if len(safest) == 1 else "equal", "reason": "rivals"},
            wrong=(
                Wrong(Misconception.VALUE_ONLY, {"lead": highest}, hint),
                Wrong(Misconception.VALUE_ONLY, {"reason": "value"}, hint),
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


class TipAudit(Exercise):
    number = 17
    key = "tip-audit"
    title = gettext_lazy("Does the printed tip fit your table?")
    family, kind, level, lesson = Family.OWN_HAND, ExerciseKind.NUMBERS, "B", 5
    skill = Skill.EXPECTATION
    misconceptions = (Misconception.EQUIPROBABLE,)

    def draw(self, rng: Random, context: Context) -> Parameters:
        hand = own(context)
        least = rng.choice((9, 9, 9, 8, 10, 11))
        return {**hand_facts(hand), "seats": hand.seats, "least": least}

    def build(self, parameters: Parameters) -> Instance:
        seats, least = parameters["seats"], parameters["least"]
        counted = sum(parse_card(code).value >= least for code in parameters["dealt"])
        good = sum(card.value >= least for card in DECK)
        expected = Fraction(HAND_SIZE * good, CARDS)
        total = seats * expected
        equal = Fraction(HAND_SIZE * (13 - least), 9)
        hint = _(
            "You counted values as if each had equally many cards. How many cards of the deck "
            "have such a value? The stats table can tell."
        )
        tip = (
            _("The printed tip says: bid one for each card of value %(least)d or more.")
            if least == 9
            else _("Somebody says: bid one for each card of value %(least)d or more.")
        )
        return Instance(
            self.key,
            parameters,
            prompt=hand_words(parameters)
            + " "
            + tip % {"least": least}
            + " "
            + _(
                "What would you bid? How many such cards does a hand have on average, before "
                "you look? What would the bids of all %(seats)d seats add up to, on average, "
                "and how does that fit the eight tricks?"
            )
            % {"seats": seats},
            fields=(
                Field("own", _("The tip's bid for your hand"), Form.COUNT),
                Field("mean", _("Average for one hand"), Form.NUMBER),
                Field("total", _("Average for the whole table"), Form.NUMBER),
                choice(
                    "fit",
                    _("The tip bids"),
                    {
                        "under": _("fewer tricks than there are"),
                        "over": _("more tricks than there are"),
                    },
                ),
            ),
            right={
                "own": Fraction(counted),
                "mean": expected,
                "total": total,
                "fit": "over" if total > HAND_SIZE else "under",
            },
            wrong=(
                Wrong(Misconception.EQUIPROBABLE, {"mean": equal}, hint),
                Wrong(Misconception.EQUIPROBABLE, {"total": seats * equal}, hint),
            ),
            # The mean of a hand is printed in lesson 5, and just found by the student.
            follows={"total": (seats * printed(expected),)},
            solution=(
                _("%(good)d of %(all)d cards count. A hand of eight has on average")
                % {"good": good, "all": CARDS}
                + " "
                + math(rf"8 \cdot {tex_over(good, CARDS)} = {tex_value(expected)}"),
                _("All seats together: %(total)s, for eight tricks. You hold %(counted)d.")
                % {
                    "total": math(rf"{seats} \cdot {tex(expected)} = {tex_value(total)}"),
                    "counted": counted,
                },
            ),
            cards=hand_cards(parameters),
        )


class BestBid(Exercise):
    number = 18
    key = "best-bid"
    title = gettext_lazy("The best bid from a forecast")
    family, kind, level, lesson = Family.OWN_HAND, ExerciseKind.NUMBER, "C", 5
    skill = Skill.EXPECTATION
    misconceptions = (
        Misconception.MODE_AS_BID,
        Misconception.ROUNDED_MEAN,
        Misconception.FORGETS_PENALTY,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        mine = own(context).forecast
        if mine is not None:
            if _bids(mine) is None:
                raise NoVariant("this forecast has no single best bid that stands apart")
            return {"forecast": list(mine), "own": True}
        while True:
            forecast = _forecast(rng)
            if _bids(forecast) is not None:
                return {"forecast": forecast, "own": False}

    def build(self, parameters: Parameters) -> Instance:
        forecast = parameters["forecast"]
        bids = _bids(forecast)
        if bids is None:
            raise NoVariant("not a fair forecast")
        best, mode, centre, unpunished = bids
        chances = _chances(forecast)
        worth = {bid: expected_points(bid, chances) for bid in {best, mode, centre, unpunished}}
        first = (
            _("This is your own forecast for your hand:")
            if parameters["own"]
            else _("Suppose that this is your forecast for a hand:")
        )
        return Instance(
            self.key,
            parameters,
            prompt=first
            + " "
            + _(
                "how likely you are to take so many tricks. Exactly your bid gives a point for "
                "each trick; a miss costs a point for each trick that you are off. Which bid "
                "gives the most points on average?"
            ),
            fields=(Field("bid", _("Bid"), Form.COUNT),),
            right={"bid": Fraction(best)},
            wrong=(
                Wrong(
                    Misconception.MODE_AS_BID,
                    {"bid": Fraction(mode)},
                    _(
                        "You bid the likeliest number. How many points does it give when it "
                        "comes true, and how many does a neighbour give?"
                    ),
                ),
                Wrong(
                    Misconception.ROUNDED_MEAN,
                    {"bid": Fraction(centre)},
                    _(
                        "You rounded the average number of tricks. Are points given for coming "
                        "close, or for being exact?"
                    ),
                ),
                Wrong(
                    Misconception.FORGETS_PENALTY,
                    {"bid": Fraction(unpunished)},
                    _(
                        "You weighed what a hit gives. What happens to your points in all the "
                        "other cases?"
                    ),
                ),
            ),
            solution=(
                _(
                    "For each bid: its points times its chance, less the average miss. For "
                    "example:"
                ),
                *(
                    _("Bid %(bid)d: %(sum)s")
                    % {
                        "bid": bid,
                        "sum": math(
                            rf"{bid} \cdot {tex(chances[bid])} - {tex(_miss(bid, chances))} "
                            rf"= {tex_value(points)}"
                        ),
                    }
                    for bid, points in sorted(worth.items())
                ),
                _("No bid gives more than %(bid)d.") % {"bid": best},
            ),
            tables=(
                NumberTable(
                    caption=_("The forecast"),
                    head=(_("Tricks"), _("Chance")),
                    rows=tuple(
                        (str(k), exact_percent(chance)) for k, chance in enumerate(chances)
                    ),
                ),
            ),
        )


def _forecast(rng: Random) -> list[int]:
    """Percents for 0 to 8 tricks, in steps of five, near each other."""
    lowest, width = rng.randint(0, 3), rng.randint(4, 6)
    percents = [0] * (HAND_SIZE + 1)
    for _step in range(20):
        percents[min(HAND_SIZE, lowest + rng.randrange(width))] += 5
    return percents


def _chances(percents: Sequence[int]) -> list[Fraction]:
    return [Fraction(percent_, 100) for percent_ in percents]


def _miss(bid: int, chances: Sequence[Fraction]) -> Fraction:
    return sum((abs(bid - k) * p for k, p in enumerate(chances)), Fraction())


def _bids(percents: Sequence[int]) -> tuple[int, int, int, int] | None:
    """The best bid, the mode, the rounded mean and the best bid if misses cost nothing; None
    unless each is one number and all four differ."""
    if len(percents) != HAND_SIZE + 1 or sum(percents) != 100 or min(percents) < 0:
        return None
    unpunished = [bid * chance for bid, chance in enumerate(percents)]
    if sum(unpunished) % 100 == 50:
        return None
    if unpunished.count(max(unpunished)) > 1 or percents.count(max(percents)) > 1:
        return None
    mode, hopeful = percents.index(max(percents)), unpunished.index(max(unpunished))
    centre = (sum(unpunished) + 50) // 100
    if len({mode, hopeful, centre}) < 3:
        return None
    best = best_bids(_chances(percents))
    if len(best) > 1 or best[0] in (mode, hopeful, centre):
        return None
    return best[0], mode, centre, hopeful


EXERCISES = (HandSpread(), UnseenCard(), SafeLead(), SafestLead(), TipAudit(), BestBid())
