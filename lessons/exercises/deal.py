"""Questions about what eight cards may hold: types 10 to 12 and 32."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import comb
from random import Random
from typing import Any

from games.rules import DECK, HAND_SIZE, parse_call, parse_card
from games.words import call_words, one_of
from lessons.exercises.contexts import Context
from lessons.exercises.deck import ALL_COUNTS, ALL_SHAPES, CALLS, call_of, deck_words
from lessons.exercises.engine import Level, Parameters
from lessons.exercises.events import EventKind, count_cards, holds
from lessons.exercises.page import stock_text
from lessons.exercises.page_lines import Facts
from lessons.exercises.texts import (
    cards_words,
    codes,
    exact_percent,
    fixed,
    math,
    tex_number,
    tex_over,
    tex_rest,
    tex_value,
)
from lessons.exercises.written import Written
from lessons.probability import CARDS, any_void, binomial, hypergeometric, none_of, rounded


def draw_mark(rng: Random) -> list[Any]:
    """A mark, the event that is looked for among cards: mostly a call, else a value or more."""
    if rng.random() < 0.6:
        return ["call", rng.choice(CALLS)]
    return ["least", rng.randint(9, 11)]


def mark_words(mark: Sequence[Any]) -> str:
    """What the marked cards are called, e.g. "cards that show 1 ball"."""
    what, of = mark
    if what == EventKind.CALL:
        return stock_text("mark-call", call=call_words(parse_call(of)))
    return stock_text("mark-least", value=of)


class NoneOfThem(Written):
    key = "none-of-them"

    def draw(self, rng: Random, context: Context) -> Parameters:
        return {"mark": draw_mark(rng), "drawn": rng.choice((3, 4, 5, 6, 7, 8, 8, 8))}

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        return {**self.draw(rng, context), "sure": rng.choice((50, 75, 90))}

    def facts_b(self, p: Parameters) -> Facts:
        """The chance that a hand has none of the marked cards, card by card."""
        some, drawn = count_cards(p["mark"]), p["drawn"]
        rest, chance = CARDS - some, none_of(some, drawn)
        return {
            "cards": cards_words(drawn),
            "all": CARDS,
            "such": mark_words(p["mark"]),
            "chance": chance,
            "put_back": Fraction(rest, CARDS) ** drawn,
            "one": Fraction(some, CARDS),
            "one_other": Fraction(rest, CARDS),
            "rest": rest,
            "card_by_card": _product(rest, drawn),
        }

    def facts_c(self, p: Parameters) -> Facts:
        """How many cards it takes until one of them is as good as certain."""
        some, sure = count_cards(p["mark"]), Fraction(p["sure"], 100)
        draws = _draws_until(lambda n: 1 - none_of(some, n) > sure)
        return {
            "such": mark_words(p["mark"]),
            "sure_percent": exact_percent(sure),
            "draws": draws,
            "added": _draws_until(lambda n: Fraction(n * some, CARDS) > sure),
            "none_in_two": none_of(some, 2),
            "cards": cards_words(draws),
            "worked": tex_rest(none_of(some, draws)),
            "worked_with_less": tex_rest(none_of(some, draws - 1)),
        }


def _draws_until(enough: Callable[[int], bool]) -> int:
    """The fewest draws that are enough."""
    return next(n for n in range(1, CARDS + 1) if enough(n))


def _product(rest: int, drawn: int) -> str:
    """The TeX of a product of shares, card by card: the first two and the last."""
    factors = [tex_over(rest - k, CARDS - k) for k in (0, 1, drawn - 1)]
    dots = r" \cdots " if drawn > 3 else r" \cdot "
    return rf"{factors[0]} \cdot {factors[1]}{dots}{factors[2]}"


FEW = ((2, 3), (3, 2), (2, 4), (4, 2), (2, 5), (3, 4), (4, 3))
"""How many cards that are looked for, and others, lie on the table."""


class HowMany(Written):
    key = "how-many"

    def draw(self, rng: Random, context: Context) -> Parameters:
        apart: list[int] = []
        while len(apart) < 2:
            mark = draw_mark(rng)
            chances, put_back = _both_ways(count_cards(mark))
            apart = [k for k in range(6) if 2 <= _whole(chances[k]) != _whole(put_back[k])]
        return {"mark": mark, "numbers": sorted(rng.sample(apart, 2))}

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters; at level A of all pairs of a few cards that lie on the table."""
        mark, some, others = draw_mark(rng), *rng.choice(FEW)
        like = [card for card in DECK if holds(mark, card)]
        rest = [card for card in DECK if not holds(mark, card)]
        cards = [*rng.sample(like, some), *rng.sample(rest, others)]
        return {"mark": mark, "cards": list(codes(sorted(cards, key=DECK.index)))}

    def facts_a(self, p: Parameters) -> Facts:
        """A hand of two from a few cards: every pair can be written down."""
        some = sum(holds(p["mark"], parse_card(code)) for code in p["cards"])
        every, rest = len(p["cards"]), len(p["cards"]) - some
        pairs = comb(rest, 2), some * rest, comb(some, 2)
        keys = ["p0", "p1", "p2"]
        with_themselves = pairs[0] + rest, pairs[1], pairs[2] + some
        return {
            "such": mark_words(p["mark"]),
            "cards_words": cards_words(every),
            "total": comb(every, 2),
            "pairs": [
                {"key": key, "right": right, "number": number}
                for number, (key, right) in enumerate(zip(keys, pairs, strict=True))
            ],
            "keys": keys,
            "numbers": range(len(pairs)),
            **_mean_facts(Fraction(2 * some, every)),
            "in_both_orders": {key: 2 * n for key, n in zip(keys, pairs, strict=True)},
            "with_themselves": dict(zip(keys, with_themselves, strict=True)),
            "others_of_one": every - 1,
            "some": some,
            "rest": rest,
            "none_worked": _pairs_worked(rest),
            "one_of_each": pairs[1],
            "two_worked": _pairs_worked(some),
            "shared_worked": tex_over(
                rf"{pairs[1]} \cdot 1 + {pairs[2]} \cdot 2", comb(every, 2)
            )
            + f" = {tex_value(Fraction(2 * some, every))}",
        }

    def facts_b(self, p: Parameters) -> Facts:
        """The missing bars of the distribution of marked cards in a hand, and its mean."""
        numbers, some = p["numbers"], count_cards(p["mark"])
        rest = CARDS - some
        chances, put_back = _both_ways(some)
        return {
            "such": mark_words(p["mark"]),
            "missing": [
                {"key": f"p{k}", "right": chances[k], "number": k, "others": HAND_SIZE - k}
                for k in numbers
            ],
            "keys": [f"p{k}" for k in numbers],
            **_drawn_bars(chances, numbers),
            **_mean_facts(Fraction(HAND_SIZE * some, CARDS)),
            "put_back": [{f"p{k}": put_back[k]} for k in numbers],
            "some": some,
            "rest": rest,
            "all": CARDS,
        }


def _pairs_worked(cards: int) -> str:
    """How many pairs so many cards make, as a formula."""
    return tex_over(rf"{cards} \cdot {cards - 1}", 2) + f" = {comb(cards, 2)}"


def _mean_facts(expected: Fraction) -> Facts:
    return {"mean": expected, "below": int(expected), "above": int(expected) + 1}


def _both_ways(some: int) -> tuple[dict[int, Fraction], dict[int, Fraction]]:
    """The chances of each number of marked cards in a hand, and as if each card went back."""
    return hypergeometric(CARDS, some, HAND_SIZE), binomial(HAND_SIZE, Fraction(some, CARDS))


def _whole(chance: Fraction) -> int:
    return round(chance * 100)


def _drawn_bars(chances: Mapping[int, Fraction], missing: Sequence[int]) -> Facts:
    """The distribution in whole percents, without the bars of the missing numbers."""
    places = [k for k in range(HAND_SIZE + 1) if k not in missing]
    return {
        "categories": range(HAND_SIZE + 1),
        "places": places,
        "heights": [_whole(chances.get(k, Fraction())) for k in places],
        "top": 10 * (max(map(_whole, chances.values())) // 10 + 1),
    }


class ExpectedNumber(Written):
    key = "expected-number"

    def draw(self, rng: Random, context: Context) -> Parameters:
        return {"mark": ["call", rng.choice(CALLS)], "dealt": rng.randint(2, 20), "hand": []}

    def draw_at(self, level: str, rng: Random, context: Context) -> Parameters:
        hand = sorted(rng.sample([card.code for card in DECK], HAND_SIZE))
        drawn = super().draw_at(level, rng, context)
        return {**drawn, "hand": hand} if level == Level.B else drawn

    def facts(self, parameters: Parameters) -> Facts:
        """The expected number of a call's cards in another hand."""
        call, dealt = parse_call(parameters["mark"][1]), parameters["dealt"]
        held = [parse_card(code) for code in parameters["hand"]]
        left, rest = CARDS // 3 - sum(card.shows(call) for card in held), CARDS - len(held)
        one = Fraction(left, rest)
        expected = dealt * one
        return {
            **{"call": call_words(call), "one": one},
            **{"expected": expected, "in_deck": Fraction(dealt, 3)},
            "rounded": round(expected) if expected.denominator > 1 else None,
        }


COUNTABLE = (
    *((2, (1, 2, 3), 2), (2, (1, 2, 3), 3), (2, (1, 2, 3, 4), 2)),
    *((3, (1, 2), 2), (3, (2, 3), 2)),
)
"""Shapes and counts of small decks, and how many cards one holds of them."""


class AnyVoid(Written):
    key = "any-void"

    def draw(self, rng: Random, context: Context) -> Parameters:
        if rng.random() < 0.4:
            counts = rng.choice((ALL_COUNTS, ALL_COUNTS, rng.sample(ALL_COUNTS, 2)))
            return {
                "shapes": ALL_SHAPES,
                "counts": ALL_COUNTS,
                "asked": sorted(counts),
                "drawn": HAND_SIZE,
            }
        shapes = sorted(rng.sample(ALL_SHAPES, rng.choice((3, 3, 4))))
        counts = ALL_COUNTS if len(shapes) == 3 else sorted(rng.sample(ALL_COUNTS, 2))
        drawn = rng.randint(4, 8) if len(counts) == 3 else rng.randint(3, 7)
        return {"shapes": shapes, "counts": counts, "asked": counts, "drawn": drawn}

    def draw_other(self, rng: Random, context: Context) -> Parameters:
        """Parameters; at B of two classes alone, in a deck whose hands can be counted."""
        k, counts, drawn = rng.choice(COUNTABLE)
        shapes = sorted(rng.sample(ALL_SHAPES, k))
        classes = [[s, c] for s in shapes for c in counts if c in ALL_COUNTS]
        one, other = sorted(rng.sample(classes, 2))
        while one[0] == other[0] and len(counts) == 2:  # such a hand would be empty
            one, other = sorted(rng.sample(classes, 2))
        return {
            "shapes": shapes,
            "counts": list(counts),
            "asked": [one, other],
            "drawn": drawn,
        }

    def facts_b(self, p: Parameters) -> Facts:
        """The chance of voids in two classes: add, and take off what was counted twice."""
        one, other = p["asked"]
        n, drawn = len(p["counts"]), p["drawn"]
        deck = n ** len(p["shapes"])
        without = deck - deck // n
        neither = deck * (n - 2) // n if one[0] == other[0] else deck * (n - 1) ** 2 // n**2
        total, single, both = comb(deck, drawn), comb(without, drawn), comb(neither, drawn)
        some = 2 * single - both
        return {
            "deck": deck_words(p["shapes"], p["counts"]),
            "cards": cards_words(drawn),
            "total": total,
            "one": call_words(call_of(*one)),
            "other": call_words(call_of(*other)),
            "single": single,
            "both": both,
            "some": some,
            "added": 2 * single,
            "share_of_share": Fraction(single**2, total),
            "rest": total - some,
            "all": deck,
            "without": without,
            "single_worked": _choices(without, drawn),
            "both_worked": _choices(neither, drawn),
        }

    def facts_c(self, p: Parameters) -> Facts:
        """The chance of at least one void in several classes, by inclusion and exclusion."""
        asked, drawn = p["asked"], p["drawn"]
        k, n = len(p["shapes"]), len(p["counts"])
        deck, classes = n**k, len(asked) * k
        single = none_of(deck // n, drawn, deck)
        chance = any_void((len(asked),) * k, drawn, n)
        return {
            "deck": deck_words(p["shapes"], p["counts"]),
            "cards": cards_words(drawn),
            "classes": classes,
            "asked_counts": one_of(asked),
            "chance": chance,
            "added": classes * single,
            "multiplied": 1 - (1 - single) ** classes,
            "outside": deck - deck // n,
            **_terms(k, len(asked), n, drawn, chance),
        }


def _choices(cards: int, drawn: int) -> str:
    """The TeX of in how many ways so many are chosen: card by card, over all orders."""
    ways = r" \cdot ".join(str(cards - k) for k in range(drawn))
    orders = r" \cdot ".join(str(drawn - k) for k in range(drawn))
    return f"{tex_over(ways, orders)} = {comb(cards, drawn)}"


def _terms(shapes: int, asked: int, numbers: int, drawn: int, chance: Fraction) -> Facts:
    """Inclusion-exclusion as formulas: single voids, pairs of one shape and of two shapes, all
    further terms together, and the sum, with so many decimals that they add up as printed."""
    deck = numbers**shapes
    sets = (
        (asked * shapes, deck - deck // numbers),
        (-shapes * comb(asked, 2), deck - 2 * deck // numbers),
        (-comb(shapes, 2) * asked**2, deck * (numbers - 1) ** 2 // numbers**2),
    )
    terms = [(times, left) for times, left in sets if times and comb(left, drawn)]
    shares = [Fraction(times * comb(left, drawn), comb(deck, drawn)) for times, left in terms]
    rest = chance - sum(shares)
    added = [*shares, rest] if rest else shares
    places = _adding_up(added, chance)
    signs = ["", *("-" if share < 0 else "+" for share in added[1:]), "="]
    printed = [tex_number(fixed(abs(share), places)) for share in (*added, chance)]
    return {
        "all": deck,
        "terms": [
            {"times": times, "left": left, "share": _as_printed(share, places)}
            for (times, left), share in zip(terms, shares, strict=True)
        ],
        "further": tex_number(fixed(rest, places)) if rest else "",
        "sum": " ".join(  # one by one: a line may break between them
            math(f"{sign} {share}".strip()) for sign, share in zip(signs, printed, strict=True)
        ),
    }


def _adding_up(shares: Sequence[Fraction], total: Fraction) -> int:
    """The fewest decimals, from four on, with which none of these numbers is rounded to zero,
    and rounded they add up to their rounded total."""
    places = 4
    while True:
        printed = [rounded(share, places) for share in shares]
        if all(printed) and sum(printed) == rounded(total, places):
            return places
        places += 1


def _as_printed(share: Fraction, places: int) -> str:
    sign = "=" if rounded(share, places) == share else r"\approx"
    return f"{sign} {tex_number(fixed(share, places))}"
