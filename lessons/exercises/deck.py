"""Questions about the deck itself: types 1 to 9."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from games.rules import DECK, Card, parse_call
from games.words import call_words
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.engine import (
    Answer,
    Exercise,
    ExerciseKind,
    Field,
    Graph,
    Instance,
    Looks,
    NumberTable,
    Parameters,
    Series,
    Wrong,
    WrongLooks,
    choice,
)
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import (
    deck_words,
    math,
    shape_words,
    tex,
    tex_decimal,
    tex_over,
    tex_root,
    tex_value,
)
from lessons.probability import (
    CARDS,
    COUNTS,
    SHAPES,
    class_value_counts,
    equal_values,
    mean,
    patterns,
    root,
    share_within,
    value_counts,
    variance,
)

ALL_SHAPES = list(range(SHAPES))
ALL_COUNTS = list(COUNTS)
MOST_COUNTS = 6
"""How many different counts an imagined deck may have at most."""
CALLS = tuple(sorted({str(call) for card in DECK for call in card.calls}))


def draw_deck(rng: Random, *, whole: float = 0.25) -> Parameters:
    """The full deck now and then, else one with fewer shapes or counts."""
    if rng.random() < whole:
        return {"shapes": ALL_SHAPES, "counts": ALL_COUNTS}
    return {
        "shapes": sorted(rng.sample(ALL_SHAPES, rng.randint(2, SHAPES))),
        "counts": sorted(rng.sample(ALL_COUNTS, rng.randint(2, len(ALL_COUNTS)))),
    }


def values_table(counts: dict[int, int]) -> NumberTable:
    """How many cards have each value, as a table to read."""
    return NumberTable(
        caption=_("The cards by value"),
        head=(_("Value"), _("Cards")),
        rows=tuple((str(value), str(number)) for value, number in counts.items()),
    )


def opposite(field: str, chance: Fraction) -> Wrong:
    """The chance that it does not happen, given for the chance that it does."""
    return Wrong(
        Misconception.OPPOSITE,
        {field: 1 - chance},
        _(
            "You found the chance of the opposite. Read once more: which of the two does the "
            "question ask for?"
        ),
    )


class DeckSize(Exercise):
    number = 1
    key = "deck-size"
    title = gettext_lazy("How many cards?")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBER, "A", 1
    skill = Skill.COUNTING
    misconceptions = (Misconception.ADDS_CHOICES, Misconception.SWAPS_POWER)

    def draw(self, rng: Random, context: Context) -> Parameters:
        """Also decks with more counts than ours: of decks of up to 81 cards, powers and
        products tell only three sizes apart."""
        if rng.random() < 0.5:
            return draw_deck(rng)
        shapes = sorted(rng.sample(ALL_SHAPES, rng.randint(2, SHAPES)))
        return {"shapes": shapes, "counts": list(range(1, rng.randint(4, MOST_COUNTS) + 1))}

    def build(self, parameters: Parameters) -> Instance:
        shapes, counts = parameters["shapes"], parameters["counts"]
        k, n = len(shapes), len(counts)
        product = r" \cdot ".join([str(n)] * k)
        return Instance(
            self.key,
            parameters,
            prompt=f"{deck_words(shapes, counts)} {_('How many cards are there?')}",
            fields=(Field("cards", _("Cards"), Form.COUNT),),
            right={"cards": Fraction(n**k)},
            wrong=(
                Wrong(
                    Misconception.ADDS_CHOICES,
                    {"cards": Fraction(n * k)},
                    _(
                        "You added up the choices, shape by shape. Each choice for one shape "
                        "can go with each choice for the next: which operation counts the "
                        "pairs?"
                    ),
                ),
                Wrong(
                    Misconception.SWAPS_POWER,
                    {"cards": Fraction(k**n)},
                    _(
                        "You have the right numbers in a power, but which is which? How often "
                        "do you choose, and from how many counts each time?"
                    ),
                ),
            ),
            solution=(
                _("Each of the %(shapes)s can show one of the counts, freely:")
                % {"shapes": shape_words(shapes)},
                math(rf"{product} = {n}^{{{k}}} = {n**k}"),
            ),
        )


class ValueChance(Exercise):
    number = 2
    key = "value-chance"
    title = gettext_lazy("The chance of a value")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBER, "A", 1
    skill = Skill.COUNTING
    misconceptions = (Misconception.EQUIPROBABLE, Misconception.OPPOSITE)

    def draw(self, rng: Random, context: Context) -> Parameters:
        return {"value": rng.choice(list(value_counts()))}

    def build(self, parameters: Parameters) -> Instance:
        value = parameters["value"]
        cards = value_counts()[value]
        chance = Fraction(cards, CARDS)
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "You draw one card from the full deck of %(cards)d. What is the chance that "
                "its value is %(value)d?"
            )
            % {"cards": CARDS, "value": value},
            fields=(Field("chance", _("Chance"), Form.CHANCE),),
            right={"chance": chance},
            wrong=(
                Wrong(
                    Misconception.EQUIPROBABLE,
                    {"chance": Fraction(1, len(value_counts()))},
                    _(
                        "You gave every value the same chance. Are there equally many cards of "
                        "every value? The stats table can tell."
                    ),
                ),
                opposite("chance", chance),
            ),
            solution=(
                _("%(some)d of the %(all)d cards have the value %(value)d:")
                % {"some": cards, "all": CARDS, "value": value},
                math(
                    tex_over(cards, CARDS)
                    + ("" if chance.denominator == CARDS else f" = {tex(chance)}")
                    + f" {tex_decimal(chance)}"
                ),
            ),
        )


class CountCurve(Exercise):
    number = 3
    key = "count-curve"
    title = gettext_lazy("Three curves in one deck")
    family, kind, level, lesson = Family.DECK, ExerciseKind.GRAPH, "B", 2
    skill = Skill.GRAPHS
    misconceptions = (
        Misconception.IGNORES_CONDITION,
        Misconception.EQUIPROBABLE,
        Misconception.OTHER_CLASS,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        shapes = sorted(rng.sample(ALL_SHAPES, rng.choice((3, 4))))
        return {
            "shapes": shapes,
            "shape": rng.choice(shapes),
            "count": rng.choice(ALL_COUNTS),
        }

    def build(self, parameters: Parameters) -> Instance:
        shapes, shape, count = parameters["shapes"], parameters["shape"], parameters["count"]
        k, middle = len(shapes), ALL_COUNTS[1]
        whole, drawn = value_counts(k), class_value_counts(middle, k)
        asked = class_value_counts(count, k)
        third = class_value_counts(sum(ALL_COUNTS) - middle - count, k)
        words = {c: call_words(_call(shape, c)) for c in (count, middle)}
        bars = {f"b{value}": value for value in whole}

        def heights(curve: dict[int, int]) -> dict[str, Answer]:
            return {bar: Fraction(curve.get(value, 0)) for bar, value in bars.items()}

        lowest = _(
            "You put the curve where another one is. All cards of this class share one count: "
            "what is the lowest value that such a card can have?"
        )
        everything = _(
            "You gave the mean of the whole deck. Which of its cards belong to the class, and "
            "where is their middle?"
        )
        another = _(
            "You took another class of cards. Which count do all cards of the class in the "
            "question show?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=deck_words(shapes, ALL_COUNTS)
            + " "
            + _(
                "The curve for cards that show %(drawn)s is drawn: how many of them have each "
                "value. Plot the curve for cards that show %(asked)s, and give the mean value "
                "of these cards."
            )
            % {"drawn": words[middle], "asked": words[count]},
            fields=(
                *(
                    Field(bar, _("Value %(value)d") % {"value": value}, Form.COUNT)
                    for bar, value in bars.items()
                ),
                Field("mean", _("Mean value"), Form.NUMBER),
            ),
            right={**heights(asked), "mean": mean(asked)},
            wrong=(
                Wrong(Misconception.IGNORES_CONDITION, heights(drawn), lowest),
                Wrong(Misconception.IGNORES_CONDITION, {"mean": mean(whole)}, everything),
                Wrong(
                    Misconception.IGNORES_CONDITION,
                    heights(whole),
                    _("You counted the whole deck. Which cards belong to the class?"),
                ),
                Wrong(Misconception.OTHER_CLASS, heights(third), another),
                Wrong(Misconception.OTHER_CLASS, {"mean": mean(third)}, another),
            ),
            solution=(
                _(
                    "With %(asked)s fixed, the other shapes make %(counts)s cards, from value "
                    "%(lowest)d up."
                )
                % {
                    "asked": words[count],
                    "counts": ", ".join(map(str, asked.values())),
                    "lowest": min(asked),
                },
                _(
                    "The three curves have the same form and the same variance, %(variance)s; "
                    "only the mean moves, here to %(mean)s."
                )
                % {
                    "variance": math(tex(variance(asked))),
                    "mean": math(tex(mean(asked))),
                },
            ),
            graph=Graph(
                kind="curve",
                categories=tuple(str(value) for value in whole),
                series=(
                    Series(words[middle], tuple(drawn.get(value, 0) for value in whole)),
                    Series(words[count], fields=tuple(bars)),
                ),
                top=max(whole.values()) + 1,
            ),
            looks=(
                WrongLooks(
                    Misconception.EQUIPROBABLE,
                    tuple(bars),
                    Looks.FLAT,
                    _(
                        "You gave every value the same number of cards. In how many ways can "
                        "the other shapes make the lowest value, and in how many a middle one?"
                    ),
                ),
                WrongLooks(
                    Misconception.IGNORES_CONDITION,
                    tuple(bars),
                    Looks.CENTRED,
                    _(
                        "Your curve has its middle where that of the whole deck is. Does a "
                        "fixed count leave the middle there, or move it?"
                    ),
                    at=int(mean(whole)) - min(whole),
                ),
            ),
        )


def _call(shape: int, count: int) -> Any:
    return next(
        call
        for card in DECK
        for call in card.calls
        if call.number == count and call.shape.position == shape
    )


class DeckSpread(Exercise):
    number = 4
    key = "deck-spread"
    title = gettext_lazy("Centre and spread of the values")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBERS, "B", 2
    skill = Skill.SPREAD
    misconceptions = (
        Misconception.VARIANCE_FOR_SD,
        Misconception.SAMPLE_SD,
        Misconception.NORMAL_LAW,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        return draw_deck(rng)

    def build(self, parameters: Parameters) -> Instance:
        shapes, counts = parameters["shapes"], parameters["counts"]
        values = value_counts(len(shapes), counts)
        cards, squares = sum(values.values()), variance(values)
        shares = {k: share_within(values, k) for k in (1, 2)}
        law = _(
            "You gave the share under a smooth bell curve. This deck has only a few values: "
            "how many of its cards lie that close to the mean, counted?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=deck_words(shapes, counts)
            + " "
            + _(
                "These cards are all there are. Find the mean of their values, the standard "
                "deviation (SD), and the shares of the cards that lie within one and within "
                "two SDs: at most that far from the mean."
            ),
            fields=(
                Field("mean", _("Mean"), Form.NUMBER),
                Field("sd", _("SD"), Form.NUMBER),
                Field("within1", _("Share within one SD"), Form.CHANCE),
                Field("within2", _("Share within two SDs"), Form.CHANCE),
            ),
            right={
                "mean": mean(values),
                "sd": root(squares),
                "within1": shares[1],
                "within2": shares[2],
            },
            wrong=(
                Wrong(Misconception.VARIANCE_FOR_SD, {"sd": squares}, variance_hint()),
                Wrong(
                    Misconception.SAMPLE_SD,
                    {"sd": root(squares * Fraction(cards, cards - 1))},
                    sample_hint(),
                ),
                *(
                    Wrong(Misconception.NORMAL_LAW, {field: Fraction(share, 10_000)}, law)
                    for field, share in (
                        ("within1", 6800),
                        ("within1", 6827),
                        ("within2", 9500),
                        ("within2", 9545),
                    )
                ),
            ),
            solution=(
                _("The values lie evenly around their mean %(mean)s.")
                % {"mean": math(tex_value(mean(values)))},
                _("The mean squared distance is the variance; its root is the SD:")
                + " "
                + math(f"{tex_root(squares)} {tex_decimal(root(squares), 4)}"),
                _("Counted: %(one)s of the cards lie within one SD, %(two)s within two.")
                % {
                    "one": math(_share(shares[1], cards)),
                    "two": math(_share(shares[2], cards)),
                },
            ),
            tables=(values_table(values),),
        )


def _share(share: Fraction, cards: int) -> str:
    return f"{tex_over(int(share * cards), cards)} {tex_decimal(share)}"


def variance_hint() -> str:
    return _(
        "You gave the mean squared distance, the variance. Which step brings squared distances "
        "back to the units of the values?"
    )


def sample_hint() -> str:
    return _(
        "You divided by one less than the number of cases. That is for estimating from a "
        "sample: do you have a sample here, or everything?"
    )


class DeckPie(Exercise):
    number = 5
    key = "deck-pie"
    title = gettext_lazy("Slices of the deck")
    family, kind, level, lesson = Family.DECK, ExerciseKind.GRAPH, "A", 1
    skill = Skill.GRAPHS
    misconceptions = (
        Misconception.PERCENT_AS_DEGREES,
        Misconception.EQUIPROBABLE,
        Misconception.COUNTS_AS_DEGREES,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        while True:  # until the whole degrees fill the pie: it has no room for one more
            parameters = self._any(rng)
            slices, _prompt = _slices(parameters)
            total = sum(slices.values())
            if sum(round(Fraction(360 * n, total)) for n in slices.values()) == 360:
                return parameters

    def _any(self, rng: Random) -> Parameters:
        if rng.random() < 0.5:
            shapes = sorted(rng.sample(ALL_SHAPES, rng.choice((3, 4, 4))))
            counts = [1, 2] if len(shapes) == SHAPES and rng.random() < 0.3 else ALL_COUNTS
            return {"slices": "patterns", "shapes": shapes, "counts": counts}
        first, second = sorted(rng.sample(range(5, 13), 2))
        return {"slices": "values", "from": [first, second]}

    def build(self, parameters: Parameters) -> Instance:
        slices, prompt = _slices(parameters)
        total, parts = sum(slices.values()), len(slices)
        keys = [f"s{index}" for index in range(parts)]
        numbers = dict(zip(keys, slices.values(), strict=True))
        same = _(
            "You gave every slice the same size. Do all of them stand for equally many cards?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=prompt
            + " "
            + _("Draw the pie: how many degrees does each slice get? Whole degrees will do."),
            fields=tuple(
                Field(key, label, Form.DEGREES) for key, label in zip(keys, slices, strict=True)
            ),
            right={key: Fraction(360 * n, total) for key, n in numbers.items()},
            wrong=(
                *(
                    Wrong(
                        Misconception.PERCENT_AS_DEGREES,
                        {key: Fraction(100 * n, total)},
                        _(
                            "You gave the slice its percentage as degrees. How many degrees "
                            "does the whole pie have?"
                        ),
                    )
                    for key, n in numbers.items()
                    if abs(Fraction(100 * n, total) - n) >= NEAR_DEGREES
                ),
                Wrong(
                    Misconception.COUNTS_AS_DEGREES,
                    {key: Fraction(n) for key, n in numbers.items()},
                    _(
                        "You gave each slice as many degrees as it has cards. How many degrees "
                        "does the whole pie have, and how many of them does one card get?"
                    ),
                ),
                Wrong(
                    Misconception.EQUIPROBABLE,
                    dict.fromkeys(keys, Fraction(360, parts)),
                    same,
                ),
            ),
            solution=(
                _("Each card gets the same angle, and all of them the full circle:"),
                *(
                    math(rf"360^\circ \cdot {tex_over(n, total)} {_degrees(n, total)}^\circ")
                    for n in numbers.values()
                ),
            ),
            tables=(
                NumberTable(
                    caption=_("What the slices stand for"),
                    head=(_("Slice"), _("Cards")),
                    rows=tuple((label, str(n)) for label, n in slices.items()),
                ),
            ),
            graph=Graph(
                "pie",
                tuple(slices),
                (Series(_("The pie"), fields=tuple(keys)),),
                top=360,
                total=360,
            ),
            looks=(
                WrongLooks(Misconception.EQUIPROBABLE, tuple(keys), Looks.FLAT, same),
                WrongLooks(
                    Misconception.PERCENT_AS_DEGREES,
                    tuple(keys),
                    Looks.ADDS_UP,
                    _(
                        "Your slices add up as percents do. How many degrees does the whole "
                        "pie have?"
                    ),
                    at=100,
                ),
            ),
        )


NEAR_DEGREES = 2
"""A percentage nearer than this to the number of cards could be meant as either."""


def _degrees(n: int, total: int) -> str:
    return tex_decimal(Fraction(360 * n, total), 4)


def _slices(parameters: Parameters) -> tuple[dict[str, int], str]:
    """The slices' labels with their numbers of cards, and what they are slices of."""
    if parameters["slices"] == "values":
        bounds = [4, *parameters["from"], 13]
        slices = {
            pgettext("values", "%(low)d to %(high)d") % {"low": low, "high": high - 1}
            if high - low > 1
            else str(low): sum(n for value, n in value_counts().items() if low <= value < high)
            for low, high in pairwise(bounds)
        }
        return slices, _("The cards of the full deck are sorted by their value.")
    shapes, counts = parameters["shapes"], parameters["counts"]
    slices = {
        _pattern_words(pattern): number
        for pattern, number in patterns(len(shapes), counts).items()
    }
    sorted_ = _("The cards are sorted by how many of a card's own counts are alike.")
    return slices, f"{deck_words(shapes, counts)} {sorted_}"


def _pattern_words(pattern: tuple[int, ...]) -> str:
    words = {
        (4,): _("all four counts alike"),
        (3, 1): _("three alike, one different"),
        (2, 2): _("two pairs"),
        (2, 1, 1): _("one pair, two different"),
        (3,): _("all three counts alike"),
        (2, 1): _("two alike, one different"),
        (1, 1, 1): _("all three different"),
    }
    return words[pattern]


class InverseChance(Exercise):
    number = 6
    key = "inverse-chance"
    title = gettext_lazy("Given this, what is the chance of that?")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBERS, "B", 4
    skill = Skill.CONDITIONS
    misconceptions = (Misconception.INVERSE, Misconception.JOINT, Misconception.OPPOSITE)

    def draw(self, rng: Random, context: Context) -> Parameters:
        card = rng.choice(DECK)
        return {"call": str(rng.choice(card.calls)), "value": card.value}

    def build(self, parameters: Parameters) -> Instance:
        call, value = parse_call(parameters["call"]), parameters["value"]
        valued = [card for card in DECK if card.value == value]
        shown = [card for card in DECK if card.shows(call)]
        both = sum(card.shows(call) for card in valued)
        chances = {"shown": Fraction(both, len(valued)), "valued": Fraction(both, len(shown))}
        facts = {"call": call_words(call), "value": value}
        swap = _(
            "You divided by the number of the other group. Which cards are still possible, "
            "once you know what the question tells you?"
        )
        joint = _(
            "You divided by the whole deck. Once you know something about the card, are all "
            "cards of the deck still possible?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "Somebody draws a card from the full deck. First: you are told that its value "
                "is %(value)d. What is the chance that it shows %(call)s? Second, with another "
                "draw: you are told that it shows %(call)s. What is the chance that its value "
                "is %(value)d?"
            )
            % facts,
            fields=(
                Field(
                    "shown",
                    _("It shows %(call)s, given the value %(value)d") % facts,
                    Form.CHANCE,
                ),
                Field(
                    "valued",
                    _("Its value is %(value)d, given that it shows %(call)s") % facts,
                    Form.CHANCE,
                ),
            ),
            right=chances,
            wrong=(
                Wrong(Misconception.INVERSE, {"shown": chances["valued"]}, swap),
                Wrong(Misconception.INVERSE, {"valued": chances["shown"]}, swap),
                Wrong(Misconception.JOINT, {"shown": Fraction(both, CARDS)}, joint),
                Wrong(Misconception.JOINT, {"valued": Fraction(both, CARDS)}, joint),
                *(opposite(field, chance) for field, chance in chances.items()),
            ),
            solution=(
                _("Cards with both: %(both)d. Divide by the cards that are still possible.")
                % {"both": both},
                _("First, the cards of value %(value)d:") % facts
                + " "
                + math(f"{tex_over(both, len(valued))} {tex_decimal(chances['shown'])}"),
                _("Second, the cards that show %(call)s:") % facts
                + " "
                + math(f"{tex_over(both, len(shown))} {tex_decimal(chances['valued'])}"),
            ),
        )


# Two events at once: ["call", "1-ball"], ["value", 10] or ["least", 9]


def holds(event: Sequence[Any], card: Card) -> bool:
    what, of = event
    if what == "call":
        return card.shows(parse_call(of))
    return card.value == int(of) if what == "value" else card.value >= int(of)


def _event_words(event: Sequence[Any]) -> str:
    what, of = event
    if what == "call":
        return _("shows %(call)s") % {"call": call_words(parse_call(of))}
    if what == "value":
        return _("has the value %(value)d") % {"value": of}
    return _("has a value of %(value)d or more") % {"value": of}


def _cards(*events: Sequence[Any]) -> int:
    return sum(all(holds(event, card) for event in events) for card in DECK)


class EitherChance(Exercise):
    number = 7
    key = "either-chance"
    title = gettext_lazy("One or the other")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBER, "B", 1
    skill = Skill.COMBINING
    misconceptions = (
        Misconception.DOUBLE_COUNT,
        Misconception.AND_FOR_OR,
        Misconception.OPPOSITE,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        other = rng.choice(
            (
                ["call", rng.choice(CALLS)],
                ["value", rng.randint(5, 11)],
                ["least", rng.randint(8, 11)],
            )
        )
        return {"events": [["call", rng.choice(CALLS)], other]}

    def build(self, parameters: Parameters) -> Instance:
        one, other = parameters["events"]
        first, second, both = _cards(one), _cards(other), _cards(one, other)
        chance = Fraction(first + second - both, CARDS)
        facts = {"one": _event_words(one), "other": _event_words(other)}
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "You draw one card from the full deck. What is the chance that it %(one)s or "
                "%(other)s (or both)?"
            )
            % facts,
            fields=(Field("chance", _("Chance"), Form.CHANCE),),
            right={"chance": chance},
            wrong=(
                Wrong(
                    Misconception.DOUBLE_COUNT,
                    {"chance": Fraction(first + second, CARDS)},
                    _(
                        "You added the two groups of cards. Is there a card that stands in "
                        "both groups, and how often did you count it?"
                    ),
                ),
                Wrong(
                    Misconception.AND_FOR_OR,
                    {"chance": Fraction(both, CARDS)},
                    _(
                        "You counted the cards that do both. Does a card that does only one of "
                        "the two fit the question, too?"
                    ),
                ),
                opposite("chance", chance),
            ),
            solution=(
                _(
                    "%(first)d cards are in the first group, %(second)d in the second, "
                    "%(both)d in both. Added up, those in both are counted twice, so take them "
                    "off once:"
                )
                % {"first": first, "second": second, "both": both},
                math(
                    tex_over(f"{first} + {second} - {both}", CARDS)
                    + f" = {tex_over(first + second - both, CARDS)} {tex_decimal(chance)}"
                ),
            ),
        )


class Independence(Exercise):
    number = 8
    key = "independence"
    title = gettext_lazy("Does one tell about the other?")
    family, kind, level, lesson = Family.DECK, ExerciseKind.CHOICE, "B", 4
    skill = Skill.CONDITIONS
    misconceptions = (Misconception.EXCLUSIVE_INDEPENDENT,)

    def draw(self, rng: Random, context: Context) -> Parameters:
        first = rng.choice(CALLS)
        shape = first.partition("-")[2]
        others: tuple[list[Any], ...] = (
            ["call", rng.choice([c for c in CALLS if not c.endswith(shape)])],
            ["call", rng.choice([c for c in CALLS if c.endswith(shape) and c != first])],
            ["least", rng.randint(8, 11)],
            ["value", rng.randint(5, 11)],
        )
        return {"events": [["call", first], rng.choice(others)]}

    def build(self, parameters: Parameters) -> Instance:
        one, other = parameters["events"]
        first, second, both = _cards(one), _cards(other), _cards(one, other)
        product = Fraction(first * second, CARDS**2)
        independent = Fraction(both, CARDS) == product
        facts = {"one": _event_words(one), "other": _event_words(other)}
        sign = "=" if independent else r"\ne"
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "You draw one card from the full deck. Event A: it %(one)s. Event B: it "
                "%(other)s. Are A and B independent?"
            )
            % facts,
            fields=(
                choice(
                    "independent",
                    _("A and B are"),
                    {
                        "yes": _("independent"),
                        "no": _("not independent"),
                    },
                ),
                choice(
                    "reason",
                    _("Because"),
                    {
                        "equal": _("the chance of both is the product of the two chances."),
                        "unequal": _(
                            "the chance of both is not the product of the two chances."
                        ),
                        "exclusive": _(
                            "no card can do both, so they have nothing to do with each other."
                        ),
                        "together": _(
                            "one card can do both, so they have to do with each other."
                        ),
                    },
                ),
            ),
            right={
                "independent": "yes" if independent else "no",
                "reason": "equal" if independent else "unequal",
            },
            wrong=(
                Wrong(
                    Misconception.EXCLUSIVE_INDEPENDENT,
                    {"reason": "exclusive"},
                    _(
                        "You looked at whether one card can do both. If you learn that A has "
                        "happened, what becomes of the chance of B?"
                    ),
                ),
                Wrong(
                    Misconception.EXCLUSIVE_INDEPENDENT,
                    {"reason": "together"},
                    _(
                        "You looked at whether one card can do both. Among the cards that do "
                        "A, is the share that does B another than in the whole deck?"
                    ),
                ),
            ),
            solution=(
                _("Of %(all)d cards %(first)d do A, %(second)d do B, %(both)d do both.")
                % {"all": CARDS, "first": first, "second": second, "both": both},
                math(
                    rf"{tex_over(first, CARDS)} \cdot {tex_over(second, CARDS)} "
                    rf"= {tex(product)} {sign} {tex_over(both, CARDS)}"
                ),
                _("Equal, so A tells nothing about B: independent.")
                if independent
                else _("Not equal, so A changes the chance of B: not independent."),
            ),
        )


class EqualValues(Exercise):
    number = 9
    key = "equal-values"
    title = gettext_lazy("Two cards of equal value")
    family, kind, level, lesson = Family.DECK, ExerciseKind.NUMBER, "B", 3
    skill = Skill.DRAWING
    misconceptions = (
        Misconception.REPLACEMENT,
        Misconception.EQUIPROBABLE,
        Misconception.OPPOSITE,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        return draw_deck(rng)

    def build(self, parameters: Parameters) -> Instance:
        shapes, counts = parameters["shapes"], parameters["counts"]
        values = value_counts(len(shapes), counts)
        cards = sum(values.values())
        chance = equal_values(values)
        pairs = sum(n * (n - 1) for n in values.values())
        terms = " + ".join(rf"{n} \cdot {n - 1}" for n in values.values() if n > 1)
        return Instance(
            self.key,
            parameters,
            prompt=deck_words(shapes, counts)
            + " "
            + _(
                "You draw two cards, one after the other. What is the chance that they have "
                "equal values?"
            ),
            fields=(Field("chance", _("Chance"), Form.CHANCE),),
            right={"chance": chance},
            wrong=(
                Wrong(
                    Misconception.REPLACEMENT,
                    {
                        "chance": sum(
                            (Fraction(n, cards) ** 2 for n in values.values()), Fraction()
                        )
                    },
                    _(
                        "You drew the second card from a full deck again. Where is the first "
                        "card at that moment?"
                    ),
                ),
                Wrong(
                    Misconception.EQUIPROBABLE,
                    {"chance": Fraction(1, len(values))},
                    _(
                        "You took all values to be equally likely. Are there equally many "
                        "cards of each value?"
                    ),
                ),
                opposite("chance", chance),
            ),
            solution=(
                _(
                    "For each value with N cards there are N choices for the first card and "
                    "one less for the second:"
                ),
                math(
                    tex_over(terms, rf"{cards} \cdot {cards - 1}")
                    + f" = {tex_over(pairs, cards * (cards - 1))} {tex_decimal(chance)}"
                ),
            ),
            tables=(values_table(values),),
        )


EXERCISES = (
    DeckSize(),
    ValueChance(),
    CountCurve(),
    DeckSpread(),
    DeckPie(),
    InverseChance(),
    EitherChance(),
    Independence(),
    EqualValues(),
)
