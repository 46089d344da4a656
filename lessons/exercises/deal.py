"""Questions about what eight cards may hold: types 10 and 11."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import comb
from random import Random
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules import DECK, HAND_SIZE, Card, parse_call, parse_card
from games.words import call_words
from lessons.exercises.answers import Form
from lessons.exercises.contexts import Context, Family
from lessons.exercises.deck import CALLS, opposite
from lessons.exercises.engine import (
    LEVEL,
    Cards,
    Exercise,
    ExerciseKind,
    Field,
    Graph,
    Instance,
    Looks,
    Parameters,
    Series,
    Wrong,
    WrongLooks,
)
from lessons.exercises.skills import Misconception, Skill
from lessons.exercises.texts import (
    cards_words,
    codes,
    exact_percent,
    math,
    tex_choose,
    tex_decimal,
    tex_over,
    tex_rest,
    tex_value,
)
from lessons.probability import (
    CARDS,
    binomial,
    hypergeometric,
    none_of,
)


def draw_mark(rng: Random) -> list[Any]:
    """What is looked for among the cards: mostly a class, else a value or more."""
    if rng.random() < 0.6:
        return ["call", rng.choice(CALLS)]
    return ["least", rng.randint(9, 11)]


def marked(mark: Sequence[Any]) -> int:
    """How many cards of the full deck carry the mark."""
    return sum(has_mark(mark, card) for card in DECK)


def has_mark(mark: Sequence[Any], card: Card) -> bool:
    """Whether a card carries the mark."""
    what, of = mark
    return card.shows(parse_call(of)) if what == "call" else card.value >= int(of)


def mark_words(mark: Sequence[Any]) -> str:
    """The marked cards in words, after "cards"."""
    what, of = mark
    if what == "call":
        return _("that show %(call)s") % {"call": call_words(parse_call(of))}
    return _("of value %(value)d or more") % {"value": of}


class NoneOfThem(Exercise):
    number = 10
    key = "none-of-them"
    title = gettext_lazy("None of them in the hand")
    family, kind, level, lesson = Family.DEAL, ExerciseKind.NUMBER, "B", 3
    levels = ("B", "C")
    skill = Skill.DRAWING
    misconceptions = (
        Misconception.REPLACEMENT,
        Misconception.IGNORES_NUMBER,
        Misconception.OPPOSITE,
        Misconception.DOUBLE_COUNT,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        return {"mark": draw_mark(rng), "drawn": rng.choice((3, 4, 5, 6, 7, 8, 8, 8))}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        drawn = super().draw_at(level, rng, context)
        return drawn if level == self.level else {**drawn, "sure": rng.choice((50, 75, 90))}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._structure(parameters)
        mark, drawn = parameters["mark"], parameters["drawn"]
        some = marked(mark)
        rest = CARDS - some
        one, chance = Fraction(rest, CARDS), none_of(some, drawn)
        number = _(
            "You gave the chance for one card. Does it get easier or harder to have none when "
            "more cards are dealt?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "You are dealt %(cards)s from the full deck of %(all)d. What is the chance "
                "that none of them is a card %(mark)s?"
            )
            % {"cards": cards_words(drawn), "all": CARDS, "mark": _one_words(mark)},
            fields=(Field("chance", _("Chance"), Form.CHANCE),),
            right={"chance": chance},
            wrong=(
                Wrong(
                    Misconception.REPLACEMENT,
                    {"chance": one**drawn},
                    _(
                        "You used the same chance for each card, as if each went back into the "
                        "deck. How many cards are left for the second one, and how many of "
                        "them help you?"
                    ),
                ),
                Wrong(Misconception.IGNORES_NUMBER, {"chance": 1 - one}, number),
                Wrong(Misconception.IGNORES_NUMBER, {"chance": one}, number),
                opposite("chance", chance),
            ),
            solution=(
                _(
                    "%(some)d cards are like that and %(rest)d are not. All your cards must "
                    "come from the second group, each time from fewer cards:"
                )
                % {"some": some, "rest": rest},
                math(f"{_product(rest, drawn)} = {_ways(rest, drawn)} {tex_decimal(chance)}"),
            ),
        )

    def _structure(self, parameters: Parameters) -> Instance:
        """How many cards it takes until one of them is as good as certain."""
        some, sure = marked(parameters["mark"]), Fraction(parameters["sure"], 100)
        needed = _draws_until(lambda n: 1 - none_of(some, n) > sure)
        added = _draws_until(lambda n: Fraction(n * some, CARDS) > sure)
        before = 1 - none_of(some, needed - 1)
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "You draw cards from the full deck and keep them. How many must you draw, at "
                "least, so that with more than %(sure)s one of them is a card %(mark)s?"
            )
            % {"sure": exact_percent(sure), "mark": _one_words(parameters["mark"])},
            fields=(Field("draws", _("Cards"), Form.COUNT),),
            right={"draws": Fraction(needed)},
            wrong=(
                Wrong(
                    Misconception.DOUBLE_COUNT,
                    {"draws": Fraction(added)},
                    _(
                        "You added one chance for each card. Draws in which it happens several "
                        "times are counted several times then: what is left for “never”?"
                    ),
                ),
            ),
            solution=(
                _("At least one is the opposite of none. With %(draws)s:")
                % {"draws": cards_words(needed)}
                + " "
                + math(tex_rest(none_of(some, needed))),
                _("With one card less it is not enough yet:")
                + " "
                + math(tex_rest(1 - before)),
            ),
        )


def _draws_until(enough: Callable[[int], bool]) -> int:
    """The fewest draws that are enough."""
    return next(n for n in range(1, CARDS + 1) if enough(n))


def _one_words(mark: Sequence[Any]) -> str:
    what, of = mark
    if what == "call":
        return _("that shows %(call)s") % {"call": call_words(parse_call(of))}
    return _("of value %(value)d or more") % {"value": of}


def _product(rest: int, drawn: int) -> str:
    """The first two factors and the last, card by card."""
    factors = [tex_over(rest - k, CARDS - k) for k in (0, 1, drawn - 1)]
    dots = r" \cdots " if drawn > 3 else r" \cdot "
    return rf"{factors[0]} \cdot {factors[1]}{dots}{factors[2]}"


def _ways(rest: int, drawn: int) -> str:
    return tex_over(tex_choose(rest, drawn), tex_choose(CARDS, drawn))


FEW = ((2, 3), (3, 2), (2, 4), (4, 2), (2, 5), (3, 4), (4, 3))
"""How many cards that are looked for, and others, lie on the table."""


class HowMany(Exercise):
    number = 11
    key = "how-many"
    title = gettext_lazy("How many of them in the hand?")
    family, kind, level, lesson = Family.DEAL, ExerciseKind.NUMBERS, "B", 3
    levels = ("A", "B")
    skill = Skill.DRAWING
    misconceptions = (
        Misconception.MUST_BE_WHOLE,
        Misconception.REPLACEMENT,
        Misconception.DOUBLE_COUNT,
        Misconception.EQUIPROBABLE,
    )

    def draw(self, rng: Random, context: Context) -> Parameters:
        apart: list[int] = []
        while len(apart) < 2:
            mark = draw_mark(rng)
            chances, put_back = _both_ways(marked(mark))
            apart = [k for k in range(6) if 2 <= _whole(chances[k]) != _whole(put_back[k])]
        return {"mark": mark, "numbers": sorted(rng.sample(apart, 2))}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        """A: all pairs of a few cards that lie on the table."""
        if level == self.level:
            return self.draw(rng, context)
        mark, some, others = draw_mark(rng), *rng.choice(FEW)
        like = [card for card in DECK if has_mark(mark, card)]
        rest = [card for card in DECK if not has_mark(mark, card)]
        cards = [*rng.sample(like, some), *rng.sample(rest, others)]
        return {"mark": mark, "cards": list(codes(sorted(cards, key=DECK.index))), LEVEL: level}

    def build(self, parameters: Parameters) -> Instance:
        if LEVEL in parameters:
            return self._pairs(parameters)
        mark, numbers = parameters["mark"], parameters["numbers"]
        some = marked(mark)
        rest = CARDS - some
        chances, put_back = _both_ways(some)
        expected = Fraction(HAND_SIZE * some, CARDS)
        whole = _(
            "You gave a whole number. An average over many hands is not one hand: what would "
            "many hands have each, on average?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "You are dealt a hand of eight from the full deck. Think of the cards "
                "%(mark)s. Two bars of the graph are missing: raise them to the chance to "
                "hold exactly %(few)d of them, and exactly %(more)d, in whole percents or "
                "finer. How many of them does a hand hold on average?"
            )
            % {"mark": mark_words(mark), "few": numbers[0], "more": numbers[1]},
            fields=(
                *(
                    Field(
                        f"p{k}",
                        _("Chance of exactly %(number)d") % {"number": k},
                        Form.PERCENT,
                    )
                    for k in numbers
                ),
                Field("mean", _("Expected number"), Form.NUMBER),
            ),
            right={**{f"p{k}": chances[k] for k in numbers}, "mean": expected},
            wrong=(
                *(
                    Wrong(
                        Misconception.REPLACEMENT,
                        {f"p{k}": put_back[k]},
                        _(
                            "You used the same chance for each of the cards. Does a card that "
                            "you hold go back into the deck before the next is dealt?"
                        ),
                    )
                    for k in numbers
                ),
                *(
                    Wrong(Misconception.MUST_BE_WHOLE, {"mean": Fraction(near)}, whole)
                    for near in (int(expected), int(expected) + 1)
                ),
            ),
            solution=(
                _(
                    "Of the %(some)d such cards choose some, and the rest of the hand from the "
                    "other %(rest)d:"
                )
                % {"some": some, "rest": rest},
                *(
                    math(f"P({k}) = {_split(some, rest, k)} {tex_decimal(chances[k])}")
                    for k in numbers
                ),
                _("On average a hand has its fair share of them:")
                + " "
                + math(rf"{HAND_SIZE} \cdot {tex_over(some, CARDS)} = {tex_value(expected)}"),
            ),
            graph=_missing_bars(chances, numbers),
        )

    def _pairs(self, parameters: Parameters) -> Instance:
        """A hand of two from a few cards: every pair can be written down."""
        mark, cards = parameters["mark"], parameters["cards"]
        some = sum(has_mark(mark, parse_card(code)) for code in cards)
        every, others = len(cards), len(cards) - some
        pairs = {0: comb(others, 2), 1: some * others, 2: comb(some, 2)}
        total, expected = comb(every, 2), Fraction(2 * some, every)
        whole = _(
            "You gave a whole number. Some pairs hold fewer of them and some more: what comes "
            "out if all pairs share?"
        )
        return Instance(
            self.key,
            parameters,
            prompt=_(
                "You are dealt two of these %(cards)s, face down. That makes %(total)d "
                "different pairs, whichever card comes first. Think of the cards %(mark)s. How "
                "many of the pairs hold none of them, how many one, how many two? Raise the "
                "bars. How many of them does a pair hold on average?"
            )
            % {"cards": cards_words(every), "total": total, "mark": mark_words(mark)},
            fields=(
                *(
                    Field(
                        f"p{k}", _("Pairs with exactly %(number)d") % {"number": k}, Form.COUNT
                    )
                    for k in pairs
                ),
                Field("mean", _("Average number"), Form.NUMBER),
            ),
            right={**{f"p{k}": Fraction(n) for k, n in pairs.items()}, "mean": expected},
            wrong=(
                Wrong(
                    Misconception.DOUBLE_COUNT,
                    {f"p{k}": Fraction(2 * n) for k, n in pairs.items()},
                    _(
                        "You counted every pair twice, once in each order. Is it another hand "
                        "if the same two cards come the other way round?"
                    ),
                ),
                Wrong(
                    Misconception.REPLACEMENT,
                    {
                        "p0": Fraction(pairs[0] + others),
                        "p1": Fraction(pairs[1]),
                        "p2": Fraction(pairs[2] + some),
                    },
                    _(
                        "You paired each card with itself, too. Once you hold a card, can it "
                        "be dealt to you again?"
                    ),
                ),
                *(
                    Wrong(Misconception.MUST_BE_WHOLE, {"mean": Fraction(near)}, whole)
                    for near in (int(expected), int(expected) + 1)
                ),
            ),
            solution=(
                _("%(some)d cards are like that, %(others)d are not. None: two of the others,")
                % {"some": some, "others": others}
                + " "
                + math(_two_of(others)),
                _("One: each of these with each of the others,")
                + " "
                + math(rf"{some} \cdot {others} = {pairs[1]}"),
                _("Two: two of these,") + " " + math(_two_of(some)),
                _("Counted over all pairs, then shared by them:")
                + " "
                + math(
                    tex_over(rf"{pairs[1]} \cdot 1 + {pairs[2]} \cdot 2", total)
                    + f" = {tex_value(expected)}"
                ),
            ),
            cards=(Cards(_("The cards"), tuple(cards)),),
            graph=Graph(
                "bars",
                tuple(map(str, pairs)),
                (Series(_("Pairs with so many"), fields=tuple(f"p{k}" for k in pairs)),),
                top=total,
                total=total,
            ),
            looks=(
                WrongLooks(
                    Misconception.EQUIPROBABLE,
                    tuple(f"p{k}" for k in pairs),
                    Looks.FLAT,
                    _(
                        "You gave all three bars the same height. Write some pairs down: does "
                        "one of the three kinds come more often?"
                    ),
                ),
            ),
        )


def _two_of(cards: int) -> str:
    """How many pairs so many cards make, as a formula."""
    ordered = rf"{cards} \cdot {cards - 1}"
    return f"{tex_over(ordered, 2)} = {comb(cards, 2)}"


def _both_ways(some: int) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """The chances of each number of marked cards in a hand, and as if each card went back."""
    return hypergeometric(CARDS, some, HAND_SIZE), binomial(HAND_SIZE, Fraction(some, CARDS))


def _whole(chance: Fraction) -> int:
    return round(chance * 100)


def _missing_bars(chances: Mapping[int, Fraction], numbers: Sequence[int]) -> Graph:
    """The distribution in whole percents, without the bars of these numbers."""
    drawn = [k for k in range(HAND_SIZE + 1) if k not in numbers]
    heights = tuple(_whole(chances.get(k, Fraction())) for k in drawn)
    highest = max(map(_whole, chances.values()))
    return Graph(
        kind="bars",
        categories=tuple(map(str, range(HAND_SIZE + 1))),
        series=(
            Series(_("Chance of the other numbers"), heights, places=tuple(drawn)),
            Series(
                _("Chance of each number"),
                fields=tuple(f"p{k}" for k in numbers),
                places=tuple(numbers),
            ),
        ),
        top=10 * (highest // 10 + 1),
    )


def _split(some: int, rest: int, k: int) -> str:
    top = rf"{tex_choose(some, k)} \cdot {tex_choose(rest, HAND_SIZE - k)}"
    return tex_over(top, tex_choose(CARDS, HAND_SIZE))


EXERCISES = (NoneOfThem(), HowMany())
