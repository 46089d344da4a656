"""Questions about tips and bids for one's own hand: types 17 and 18."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import DECK, HAND_SIZE, parse_card
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.engine import (
    LEVEL,
    Exercise,
    ExerciseKind,
    Field,
    Instance,
    NoVariant,
    NumberTable,
    Parameters,
    Wrong,
    choice,
)
from lessons.exercises.own_hand import hand_cards, hand_facts, hand_words, own
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import exact_percent, math, printed, tex, tex_over, tex_value
from lessons.probability import CARDS, best_bids, expected_points


class TipAudit(Exercise):
    number = 17
    key = "tip-audit"
    title = gettext_lazy("Does the printed tip fit your table?")
    family, kind, level, lesson = Family.OWN_HAND, ExerciseKind.NUMBERS, "B", 5
    levels = ("B", "C")
    skill = Skill.EXPECTATION
    misconceptions = (
        Misconception.EQUIPROBABLE,
        Misconception.IGNORES_EVIDENCE,
        Misconception.KEEPS_TOTAL,
        Misconception.KEEPS_CLASS,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        hand = own(context)
        least = rng.choice((9, 9, 9, 8, 10, 11))
        return {**hand_facts(hand), "seats": hand.seats, "least": least}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
        seats, least = parameters["seats"], parameters["least"]
        counted, good = _counting(parameters)
        expected = Fraction(HAND_SIZE * good, CARDS)
        total = seats * expected
        equal = Fraction(HAND_SIZE * (13 - least), 9)
        hint = _(
            "You counted values as if each had equally many cards. How many cards of the deck "
            "have such a value? The stats table can tell."
        )
        return Instance(
            self.key,
            parameters,
            prompt=hand_words(parameters)
            + " "
            + _tip_words(least)
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

    def _structure(self, parameters: Parameters) -> Instance:
        """What one's own hand tells of the others, and of the table's bids."""
        seats, least = parameters["seats"], parameters["least"]
        own, good = _counting(parameters)
        hidden, others = CARDS - HAND_SIZE, seats - 1
        before, each = (
            Fraction(HAND_SIZE * good, CARDS),
            Fraction(HAND_SIZE * (good - own), hidden),
        )
        total = own + others * each
        has_more = own > before
        seen = _(
            "That is the average before you looked at your hand. Which cards can nobody else "
            "hold any more?"
        )
        of_both = (
            Wrong(
                Misconception.KEEPS_CLASS,
                {"mean": Fraction(HAND_SIZE * good, hidden)},
                _(
                    "You left all cards that count to the others. How many of them do you hold "
                    "yourself?"
                ),
            ),
            Wrong(
                Misconception.KEEPS_TOTAL,
                {"mean": Fraction(HAND_SIZE * (good - own), CARDS)},
                _(
                    "You took your own off the cards that count. Out of how many cards do the "
                    "other hands come?"
                ),
            ),
        )
        return Instance(
            self.key,
            parameters,
            prompt=hand_words(parameters)
            + " "
            + _tip_words(least)
            + " "
            + _(
                "Now you know your own cards. How many such cards does another hand have on "
                "average? What do the bids of all %(seats)d seats add up to then, with yours? "
                "And is that more than the average before you looked, or less?"
            )
            % {"seats": seats},
            fields=(
                Field("mean", _("Average for another hand"), Form.NUMBER),
                Field("total", _("Average for the whole table"), Form.NUMBER),
                choice(
                    "moved",
                    _("Now that you have looked, the table bids"),
                    {
                        "more": _("more on average"),
                        "less": _("less on average"),
                        "same": _("the same on average: what you hold, the others lack"),
                    },
                ),
            ),
            right={"mean": each, "total": total, "moved": "more" if has_more else "less"},
            follows={"total": (own + others * printed(each),)},
            wrong=(
                Wrong(Misconception.IGNORES_EVIDENCE, {"mean": before}, seen),
                Wrong(Misconception.IGNORES_EVIDENCE, {"total": seats * before}, seen),
                Wrong(
                    Misconception.IGNORES_EVIDENCE,
                    {"total": seats * each},
                    _(
                        "You gave your own seat the average of the others. What do you know of "
                        "your own bid?"
                    ),
                ),
                Wrong(
                    Misconception.IGNORES_EVIDENCE,
                    {"moved": "same"},
                    _(
                        "Your own cards you hold for certain. Does that change the averages of "
                        "all other hands together by just as much?"
                    ),
                ),
                *(of_both if own else ()),
            ),
            solution=(
                _(
                    "%(good)d cards of the deck count, and you hold %(own)d of them. The "
                    "others lie among the %(hidden)d that you cannot see. Another hand has on "
                    "average"
                )
                % {"good": good, "own": own, "hidden": hidden}
                + " "
                + math(rf"8 \cdot {tex_over(good - own, hidden)} = {tex_value(each)}"),
                _("With your own bid:")
                + " "
                + math(rf"{own} + {others} \cdot {tex(each)} = {tex_value(total)}"),
                _("Before you looked it was:")
                + " "
                + math(rf"{seats} \cdot {tex(before)} = {tex_value(seats * before)}"),
                _(
                    "You hold more than an average hand. The others lose less than that, all "
                    "together."
                )
                if has_more
                else _(
                    "You hold fewer than an average hand. The others gain less than that, all "
                    "together."
                ),
            ),
            cards=hand_cards(parameters),
        )


def _counting(parameters: Parameters) -> tuple[int, int]:
    """How many cards the tip counts, in one's own hand and in the deck."""
    least = parameters["least"]
    own = sum(parse_card(code).value >= least for code in parameters["dealt"])
    return own, sum(card.value >= least for card in DECK)


def _tip_words(least: int) -> str:
    words = (
        _("The printed tip says: bid one for each card of value %(least)d or more.")
        if least == 9
        else _("Somebody says: bid one for each card of value %(least)d or more.")
    )
    return words % {"least": least}


class BestBid(Exercise):
    number = 18
    key = "best-bid"
    title = gettext_lazy("The best bid from a forecast")
    family, kind, level, lesson = Family.OWN_HAND, ExerciseKind.NUMBER, "C", 5
    levels = ("B", "C")
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

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        drawn = super().draw_at(level, rng, context)
        if level == self.level:
            return drawn
        likely = [k for k, percent in enumerate(drawn["forecast"]) if k and percent >= 10]
        return {**drawn, "bid": rng.choice(likely)}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
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
            tables=(_forecast_table(chances),),
        )

    def _structure(self, parameters: Parameters) -> Instance:
        """The points of one bid, worked out."""
        bid, chances = parameters["bid"], _chances(parameters["forecast"])
        points = expected_points(bid, chances)
        miss = _miss(bid, chances)
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "The table says how likely somebody is to take so many tricks. Exactly the bid "
                "gives a point for each trick; a miss costs a point for each trick that one is "
                "off. How many points does a bid of %(bid)d bring on average?"
            )
            % {"bid": bid},
            fields=(Field("points", _("Points on average"), Form.NUMBER),),
            right={"points": points},
            wrong=(
                Wrong(
                    Misconception.FORGETS_PENALTY,
                    {"points": bid * chances[bid]},
                    _(
                        "You have what a hit brings. What happens to the points in all the "
                        "other cases?"
                    ),
                ),
            ),
            solution=(
                _("A hit brings %(hit)s on average; misses cost %(miss)s:")
                % {
                    "hit": math(rf"{bid} \cdot {tex(chances[bid])}"),
                    "miss": math(tex_value(miss)),
                },
                math(rf"{bid} \cdot {tex(chances[bid])} - {tex(miss)} = {tex_value(points)}"),
            ),
            tables=(_forecast_table(chances),),
        )


def _forecast_table(chances: Sequence[Fraction]) -> NumberTable:
    rows = tuple((str(k), exact_percent(chance)) for k, chance in enumerate(chances))
    return NumberTable(_("The forecast"), (_("Tricks"), _("Chance")), rows)


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


EXERCISES = (TipAudit(), BestBid())
