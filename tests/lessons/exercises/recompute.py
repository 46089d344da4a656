"""The right answer of every type once more, from a question's parameters alone: by counting
cards or cases, step by step, without lessons.probability's formulas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations, product
from math import comb, prod
from typing import Any

from games.rules import DECK, parse_call, parse_card
from lessons.probability import Exact, root

OWN_LEVELS = ("two-way-table", "draw-tree", "distances", "hand-spread")
"""Types whose recomputation tells its levels apart by itself."""

Answers = dict[str, Exact | str]
Parameters = dict[str, Any]


def right_answers(key: str, parameters: Parameters) -> Answers:
    if "level" in parameters and key not in OWN_LEVELS:
        return of_structure(key, parameters)
    return TYPES[key](parameters)


def deck(p: Parameters) -> list[tuple[int, ...]]:
    return list(product(p["counts"], repeat=len(p["shapes"])))


def average(values: Sequence[int]) -> Fraction:
    return Fraction(sum(values), len(values))


def spread(values: Sequence[int]) -> Fraction:
    return Fraction(sum((v - average(values)) ** 2 for v in values)) / len(values)


def has(mark: Sequence[Any], card: Any) -> bool:
    what, of = mark
    if what == "call":
        return bool(card.shows(parse_call(of)))
    return bool(card.value == of if what == "value" else card.value >= of)


def one_by_one(good: int, all_cards: int, drawn: int) -> Fraction:
    """All drawn cards good: factor by factor."""
    return prod((Fraction(good - k, all_cards - k) for k in range(drawn)), start=Fraction(1))


def deck_size(p: Parameters) -> Answers:
    return {"cards": Fraction(len(deck(p)))}


def value_chance(p: Parameters) -> Answers:
    return {"chance": Fraction(sum(c.value == p["value"] for c in DECK), 81)}


def count_curve(p: Parameters) -> Answers:
    shapes, at = p["shapes"], p["shapes"].index(p["shape"])
    cards = [c for c in product((1, 2, 3), repeat=len(shapes)) if c[at] == p["count"]]
    values = Counter(map(sum, cards))
    bars = {
        f"b{v}": Fraction(values.get(v, 0)) for v in range(len(shapes), 3 * len(shapes) + 1)
    }
    return {**bars, "mean": average([sum(card) for card in cards])}


def deck_spread(p: Parameters) -> Answers:
    values = [sum(card) for card in deck(p)]
    sd = float(spread(values)) ** 0.5
    near = [sum(abs(v - average(values)) <= k * sd for v in values) for k in (1, 2)]
    return {
        "mean": average(values),
        "sd": root(spread(values)),
        "within1": Fraction(near[0], len(values)),
        "within2": Fraction(near[1], len(values)),
    }


def deck_pie(p: Parameters) -> Answers:
    if p["slices"] == "values":
        bounds = [4, *p["from"], 13]
        sizes = [sum(low <= c.value < high for c in DECK) for low, high in pairwise(bounds)]
    else:
        alike = Counter(tuple(sorted(map(card.count, set(card)))) for card in deck(p))
        sizes = sorted(alike.values(), reverse=True)
    return {f"s{k}": Fraction(360 * size, sum(sizes)) for k, size in enumerate(sizes)}


def inverse_chance(p: Parameters) -> Answers:
    shown = {c for c in DECK if has(["call", p["call"]], c)}
    valued = {c for c in DECK if c.value == p["value"]}
    both = len(shown & valued)
    return {"shown": Fraction(both, len(valued)), "valued": Fraction(both, len(shown))}


def either_chance(p: Parameters) -> Answers:
    return {"chance": Fraction(sum(any(has(e, c) for e in p["events"]) for c in DECK), 81)}


def independence(p: Parameters) -> Answers:
    """Does A change the chance of B?"""
    one, other = p["events"]
    given = [c for c in DECK if has(one, c)]
    among = Fraction(sum(has(other, c) for c in given), len(given))
    alone = Fraction(sum(has(other, c) for c in DECK), 81)
    reason = "equal" if among == alone else "larger" if among > alone else "smaller"
    return {"independent": "yes" if reason == "equal" else "no", "reason": reason}


def equal_values(p: Parameters) -> Answers:
    pairs = list(combinations(map(sum, deck(p)), 2))
    return {"chance": Fraction(sum(a == b for a, b in pairs), len(pairs))}


def none_of_them(p: Parameters) -> Answers:
    return {"chance": lacking(p["mark"], p["drawn"])}


def lacking(mark: Sequence[Any], drawn: int) -> Fraction:
    return one_by_one(sum(not has(mark, c) for c in DECK), 81, drawn)


def how_many(p: Parameters) -> Answers:
    """By drawing card after card."""
    held = drawn_of(sum(has(p["mark"], c) for c in DECK), 81, 8)
    expected = sum((k * chance for k, chance in held.items()), Fraction())
    return {**{f"p{k}": held[k] for k in p["numbers"]}, "mean": expected}


def expected_number(p: Parameters) -> Answers:
    """By how many of the cards dealt show it, each number as often as it comes."""
    rest = [card for card in DECK if card.code not in p["hand"]]
    counts = drawn_of(sum(has(p["mark"], c) for c in rest), len(rest), p["dealt"])
    return {"expected": sum((k * chance for k, chance in counts.items()), Fraction())}


def any_void(p: Parameters) -> Answers:
    """Inclusion-exclusion over every single set of classes, one by one."""
    classes = [(s, c) for s in range(len(p["shapes"])) for c in p["asked"]]
    return {"chance": _any_void(tuple(deck(p)), tuple(classes), p["drawn"])}


@cache
def _any_void(
    cards: tuple[tuple[int, ...], ...], classes: tuple[tuple[int, int], ...], drawn: int
) -> Fraction:
    ways = 0
    for missing in range(1, 2 ** len(classes)):
        out = [c for k, c in enumerate(classes) if missing >> k & 1]
        per_shape = Counter(s for s, _count in out)
        shapes, numbers = len(cards[0]), len({card[0] for card in cards})
        left = prod(numbers - per_shape[s] for s in range(shapes))
        ways += (-1) ** (len(out) + 1) * comb(left, drawn)
    return Fraction(ways, comb(len(cards), drawn))


def hand_spread(p: Parameters) -> Answers:
    values = sorted(parse_card(code).value for code in p["dealt"])
    if p["part"] == "z":
        away = average(values) - 8
        square = away**2 / (Fraction(8, 3) / 8 * Fraction(73, 80))
        return {"mean": average(values), "z": root(square, 1 if away >= 0 else -1)}
    answers: Answers = {
        "mean": average(values),
        "median": average(values[3:5]),
        "sd": root(spread(values)),
    }
    (often, most), *others = Counter(values).most_common()
    if not others or others[0][1] < most:
        answers["mode"] = Fraction(often)
    return answers


def unseen_card(p: Parameters) -> Answers:
    hidden = [c for c in DECK if c.code not in p["dealt"]]
    shown = sum(c.shows(parse_call(p["call"])) for c in hidden)
    return {"chance": Fraction(shown, len(hidden))}


def beaters(p: Parameters, lead: Sequence[str]) -> int:
    card, call = parse_card(lead[0]), parse_call(lead[1])
    hidden = [c for c in DECK if c.code not in p["hand"] + p["played"]]
    return sum(c.shows(call) and c.value >= card.value for c in hidden)


def safe_lead(p: Parameters) -> Answers:
    """Every card of the other hands, one after the other, is harmless."""
    hidden = 81 - len(p["hand"]) - len(p["played"])
    harmless = hidden - beaters(p, p["lead"])
    return {"chance": one_by_one(harmless, hidden, p["elsewhere"])}


def safest_lead(p: Parameters) -> Answers:
    names = ("first", "second", "third")
    found = {name: beaters(p, lead) for name, lead in zip(names, p["leads"], strict=True)}
    safest = [name for name, t in found.items() if t == min(found.values())]
    lead = safest[0] if len(safest) == 1 else "equal"
    if "edition" in p:
        return {"lead": lead, "rivals": Fraction(min(found.values()))}
    return {"lead": lead, "reason": "rivals"}


def tip_audit(p: Parameters) -> Answers:
    good = sum(c.value >= p["least"] for c in DECK)
    own = sum(parse_card(code).value >= p["least"] for code in p["dealt"])
    total = p["seats"] * 8 * Fraction(good, 81)
    fit = "over" if total > 8 else "under"
    return {"own": Fraction(own), "mean": 8 * Fraction(good, 81), "total": total, "fit": fit}


def tip_after_looking(p: Parameters) -> Answers:
    """Another hand drawn card by card from what one does not see oneself."""
    hidden = [c for c in DECK if c.code not in p["dealt"]]
    some = sum(c.value >= p["least"] for c in hidden)
    own = 8 - sum(parse_card(code).value < p["least"] for code in p["dealt"])
    chances = drawn_of(some, len(hidden), 8)
    each = sum((k * chance for k, chance in chances.items()), Fraction())
    before = p["seats"] * drawn_mean(some + own)
    total = own + sum([each] * (p["seats"] - 1), Fraction())
    return {"mean": each, "total": total, "moved": "more" if total > before else "less"}


def drawn_mean(some: int) -> Fraction:
    return sum((k * chance for k, chance in drawn_of(some, 81, 8).items()), Fraction())


@cache
def drawn_of(some: int, cards: int, drawn: int) -> dict[int, Fraction]:
    """How many marked cards are drawn, with which chance: the distribution after each draw."""
    held = {0: Fraction(1)}
    for gone in range(drawn):
        further: dict[int, Fraction] = {}
        for k, chance in held.items():
            hit = Fraction(some - k, cards - gone)
            further[k + 1] = further.get(k + 1, Fraction()) + chance * hit
            further[k] = further.get(k, Fraction()) + chance * (1 - hit)
        held = further
    return held


def best_bid(p: Parameters) -> Answers:
    def worth(bid: int) -> int:
        return sum(w * (k if k == bid else -abs(k - bid)) for k, w in enumerate(p["forecast"]))

    best = max(range(9), key=worth)
    assert [worth(bid) for bid in range(9)].count(worth(best)) == 1
    return {"bid": Fraction(best)}


def after_slough(p: Parameters) -> Answers:
    """Over all ways to choose which hidden cards of other classes the void players hold."""
    slots = {left: cards for left, cards, _void in p["players"]}
    void = sum(cards for _left, cards, is_void in p["players"] if is_void)
    places = sum(slots.values()) - void + p["undealt"]
    in_void = Fraction()
    if p["of"] == "others":
        in_void = Fraction(comb(p["outside"] - 1, void - 1), comb(p["outside"], void))
    chances = {
        "void": in_void * slots[p["shown"]] / void,
        "other": (1 - in_void) * slots[p["other"]] / places,
        "players": (1 - in_void) * (sum(slots.values()) - void) / places,
        "undealt": (1 - in_void) * p["undealt"] / places,
    }
    among = ("void", "other") if p["among"] == "two" else ("void", "players", "undealt")
    place = max(among, key=chances.__getitem__)
    others = "fuller" if place == "void" else "most"
    return {
        "place": place,
        "reason": "able" if p["of"] == "class" else others,
        "chance": chances["other" if p["of"] == "class" else "void"],
    }


def places_left(p: Parameters) -> Answers:
    """Place by place."""
    places = ["undealt"] * p["undealt"]
    for _left, cards, is_void in p["players"]:
        places += ["void" if is_void else "able"] * cards
    left = [place for place in places if place != "void"]
    chance = Fraction(left.count("undealt"), len(left))
    hidden, able = Fraction(len(places)), Fraction(len(left))
    return {"hidden": hidden, "places": able, "chance": chance}


def hook(p: Parameters) -> Answers:
    forbidden = [bid for bid in range(9) if sum(p["bids"]) + bid == 8]
    assert p["dealer"] not in forbidden
    return {"forbidden": str(forbidden[0]) if forbidden else "none", "follows": "some"}


def frequency(p: Parameters) -> Answers:
    chance = lacking(p["mark"], 8)
    share = Fraction(p["without"], p["hands"])
    return {"share": share, "sd": root(chance * (1 - chance) / p["hands"]), "must": "may"}


def means_vary_less(p: Parameters) -> Answers:
    """Far from 8 a hand's mean is the rarer event, near 8 the commoner one; see the figures of
    test_probability. Eight cards hold a rare value more often than one does."""
    return {
        "likelier": "card" if p["asks"] == "far" else "hand",
        "reason": "more" if p["asks"] == "any" else "spread",
    }


def counted_means(p: Parameters) -> Answers:
    """Card by card, hand by hand; near 8 a mean is likelier than a card, else less likely."""
    low, high = p["values"]
    cards = [value for value, n in enumerate(p["cards"], start=4) for _card in range(n)]
    halves = [Fraction(half, 2) for half, n in enumerate(p["means"], 8) for _hand in range(n)]
    assert len(cards) == 8 * len(halves)
    return {
        "cards": Fraction(sum(low <= value < high for value in cards), len(cards)),
        "hands": Fraction(sum(low <= mean < high for mean in halves), len(halves)),
        "likelier": "hand" if low < 8 < high else "card",
    }


def counted_gaps(p: Parameters) -> Answers:
    """By what is over or under three times the number found."""
    (few, many), (found, more) = p["cards"], p["found"]
    gap, further = (abs(Fraction(n) - Fraction(c, 3)) for n, c in ((found, few), (more, many)))
    assert further / many < gap / few
    tells = "count" if further > gap else "less"
    return {
        "gap": gap,
        "more": further,
        "share": gap / few,
        "less": further / many,
        "tells": tells,
    }


def gaps_and_ratios(p: Parameters) -> Answers:
    """With n hands typical gaps are like √n, as shares like 1/√n; a gap that is there stays."""
    assert round(p["times"] ** 0.5) ** 2 == p["times"]
    if p["asks"] == "on":
        return {"count": "same", "share": "least", "reason": "stays"}
    count, share = ("grows", "shrinks")[:: 1 if p["asks"] == "more" else -1]
    return {"count": count, "share": share, "reason": "spread"}


def missing_tricks(p: Parameters) -> Answers:
    """Trick by trick: who is left to take it, when the other seats have theirs."""
    found: Answers = {"next": "same"}
    averages = set()
    for box, taken, gone in zip(("first", "second"), p["taken"], p["hidden"], strict=True):
        others = [n for seat, n in enumerate(taken) if seat != gone]
        left = list(range(8))[sum(others) :]
        found[box] = Fraction(len(left))
        averages.add(average([*others, len(left)]))
    (found["average"],) = averages
    return found


def average_tricks(p: Parameters) -> Answers:
    if p["measure"] == "tricks":
        tricks = average([8] * p["rounds"])
        return {"average": tricks / p["seats"], "tells": "nothing", "reason": "fixed"}
    found = Fraction(p["found"], p["bids"])
    return {"average": found, "tells": "something", "reason": "free"}


def bid_errors(p: Parameters) -> Answers:
    errors = [error for error, n in p["errors"] for _ in range(n)]
    return {"mean": average(errors), "sd": root(spread(errors)), "zero": "bias"}


def of_structure(key: str, p: Parameters) -> Answers:
    """The other level of a type, from the cases themselves."""
    match key:
        case "deck-size":
            cards, shapes = len(deck(p)), len(p["shapes"])
            sizes = [
                n for n in range(1, 9) if len(list(product(range(n), repeat=shapes))) == cards
            ]
            return {"counts": Fraction(sizes[0])}
        case "value-chance":
            meant = range(p["value"], p["to"] + 1)
            return {"chance": Fraction(sum(c.value in meant for c in DECK), 81)}
        case "count-curve":
            values = Counter(map(sum, deck(p)))
            bars = {f"b{v}": Fraction(values[v]) for v in values}
            return {**bars, "mean": average([sum(card) for card in deck(p)])}
        case "deck-pie":
            pile = [k for k, part in enumerate(p["parts"]) for _card in range(part * p["seen"])]
            slices = {f"s{k}": Fraction(360 * pile.count(k), len(pile)) for k in range(3)}
            return {**slices, "pile": Fraction(len(pile))}
        case "independence":
            one, other = p["events"]
            doing = [c for c in DECK if has(other, c)]
            both = [c for c in doing if has(one, c)]
            told = len(both) * 81 - len(doing) * sum(has(one, c) for c in DECK)
            tells = "same" if told == 0 else "more" if told > 0 else "less"
            return {
                "second": Fraction(len(doing)), "both": Fraction(len(both)), "tells": tells,
            }  # fmt: skip
        case "equal-values":
            pairs = list(permutations(map(sum, deck(p)), 2))
            higher = sum(second > first for first, second in pairs)
            wins = sum(second >= first for first, second in pairs)
            return {
                "higher": Fraction(higher, len(pairs)), "wins": Fraction(wins, len(pairs)),
            }  # fmt: skip
        case "expected-number":
            return expected_number(p)
        case "how-many":
            marks = [has(p["mark"], parse_card(code)) for code in p["cards"]]
            held = [one + other for one, other in combinations(marks, 2)]
            number = {f"p{k}": Fraction(held.count(k)) for k in range(3)}
            return {**number, "mean": average(held)}
        case "any-void":
            hands = list(combinations(deck(p), p["drawn"]))
            places = [(p["shapes"].index(shape), number) for shape, number in p["asked"]]
            lacks = [
                [all(card[at] != number for card in hand) for at, number in places]
                for hand in hands
            ]
            assert sum(first for first, _second in lacks) == sum(two for _one, two in lacks)
            return {
                "single": Fraction(sum(first for first, _second in lacks)),
                "both": Fraction(sum(map(all, lacks))),
                "some": Fraction(sum(map(any, lacks))),
            }
        case "unseen-card":
            seen = [*p["dealt"], *p["fallen"]]
            shows = [[has(["call", p["call"]], c) for c in DECK if c.code not in far]
                     for far in (p["dealt"], seen)]  # fmt: skip
            before, now = (Fraction(sum(each), len(each)) for each in shows)
            tells = "same" if now == before else "more" if now > before else "less"
            return {"chance": now, "tells": tells}
        case "safe-lead":
            hidden = 81 - len(p["hand"]) - len(p["played"])
            undealt = hidden - p["elsewhere"]
            return {
                "rivals": Fraction(beaters(p, p["lead"])), "one": Fraction(undealt, hidden),
            }  # fmt: skip
        case "safest-lead":
            counts = {
                f"{number}-{shape}": beaters(p, [p["card"], f"{number}-{shape}"])
                for number, shape in zip(
                    p["card"], ("ball", "cube", "cone", "star"), strict=True
                )
            }
            assert [*counts.values()].count(min(counts.values())) == 1
            safest = min(counts, key=lambda call: counts[call])
            assert safest[0] == min(p["card"])
            alone = p["card"].count(safest[0]) == 1
            return {"call": safest, "reason": "lower" if alone else "seen"}
        case "deck-spread":
            worth = [p["times"] * sum(card) + p["plus"] for card in deck(p)]
            return {"mean": average(worth), "sd": root(spread(worth))}
        case "inverse-chance":
            valued = [c for c in DECK if c.value == p["value"]]
            shown = sum(has(["call", p["call"]], c) for c in valued)
            return {"shown": Fraction(shown, len(valued))}
        case "either-chance":
            return {
                "chance": Fraction(sum(all(has(e, c) for e in p["events"]) for c in DECK), 81)
            }
        case "none-of-them":
            others = sum(not has(p["mark"], c) for c in DECK)
            none, draws = Fraction(1), 0
            while 1 - none <= Fraction(p["sure"], 100):
                none *= Fraction(others - draws, 81 - draws)
                draws += 1
            return {"draws": Fraction(draws)}
        case "tip-audit":
            return tip_after_looking(p)
        case "best-bid":
            cases = [k for k, percent in enumerate(p["forecast"]) for _ in range(percent)]
            points = [k if k == p["bid"] else -abs(k - p["bid"]) for k in cases]
            return {"points": average(points)}
        case "hook":
            sums = [total for total in range(9) if total + p["dealer"] == 8]
            return {"sum": Fraction(sums[0]), "follows": "some"}
        case "frequency":
            more = next(
                n for n in range(1, 200) if Fraction(1, n) == Fraction(1, p["times"]) ** 2
            )
            return {"hands": Fraction(p["hands"] * more), "must": "may"}
        case "after-slough":
            return places_left(p)
        case "means-vary-less":
            return counted_means(p)
        case "gaps-and-ratios":
            return counted_gaps(p)
        case "average-tricks":
            return missing_tricks(p)
        case "drawn-anew":
            return farthest_apart(p)
        case "beside-model":
            return beside_two_models(p)
        case "bid-evidence":
            return rows_of_bids(p)
        case "bid-errors":
            errors = [error - p["less"] for error, n in p["errors"] for _ in range(n)]
            return {"mean": average(errors), "sd": root(spread(errors)), "zero": "bias"}
    raise KeyError(key)


def two_way_table(p: Parameters) -> Answers:
    """Card by card, or student by student of a class in which every share is the same."""
    if p.get("level") == "C":
        both = Fraction(p["first"], p["asked"]) * Fraction(p["second"], p["asked"]) * p["asked"]
        first, second = p["first"] - both, p["second"] - both
        rest = p["asked"] - both - first - second
        return {"both": both, "first": first, "second": second, "neither": rest}
    marks = Counter(tuple(has(event, card) for event in p["events"]) for card in DECK)
    found: Answers = {
        "first": Fraction(marks[True, False]),
        "second": Fraction(marks[False, True]),
        "neither": Fraction(marks[False, False]),
    }
    if "level" not in p:
        return {"both": Fraction(marks[True, True]), **found}
    given = Fraction(marks[True, True], marks[True, True] + marks[True, False])
    without = Fraction(marks[False, True], marks[False, True] + marks[False, False])
    tells = "no" if given == without else "yes"
    return {**found, "given": given, "without": without, "tells": tells}


def draw_tree(p: Parameters) -> Answers:
    """Over all ways to draw two cards; of more cards by what is left after each."""
    marked = [has(p["event"], card) for card in DECK]
    if p["draws"] == 2:
        pairs = Counter(map(sum, combinations(marked, 2)))
        none = Fraction(pairs[0], pairs.total())
        if p.get("level") == "A":
            return {"both": Fraction(pairs[2], pairs.total()), "neither": none}
        return {"again": Fraction(sum(marked) - 1, 80), "none": none, "some": 1 - none}
    none = one_by_one(81 - sum(marked), 81, p["draws"])
    return {"none": none, "some": 1 - none}


def bid_evidence(p: Parameters) -> Answers:
    """By the hands' bids and whether a card shows the call, each to the nearest deal."""
    hands = hands_by_sort(p["tip"], p["call"])
    deals: Counter[tuple[bool, bool]] = Counter()
    for (tricks, halves, holds), ways in hands.items():
        deals[tricks + halves // 2 == p["bid"], holds] += ways
    whole = sum(hands.values())
    row = round(Fraction(10_000 * (deals[True, False] + deals[True, True]), whole))
    column = round(Fraction(10_000 * (deals[True, False] + deals[False, False]), whole))
    both = round(Fraction(10_000 * deals[True, False], whole))
    return {
        "some": Fraction(row - both),
        "others": Fraction(column - both),
        "given": Fraction(both, row),
    }


def rows_of_bids(p: Parameters) -> Answers:
    """The rows of the filled table, and on which side of the exact chances they lie."""
    deals: Counter[tuple[bool, bool]] = Counter()
    for (tricks, halves, holds), ways in hands_by_sort(p["tip"], p["call"]).items():
        deals[tricks + halves // 2 == p["bid"], holds] += ways
    whole = deals.total()

    def nearest(*parts: tuple[bool, bool]) -> int:
        return round(Fraction(10_000 * sum(deals[part] for part in parts), whole))

    row, both = nearest((True, False), (True, True)), nearest((True, False))
    column = nearest((True, False), (False, False))
    exact = deals[True, False] * (deals[False, True] + deals[False, False])
    is_more = exact > deals[False, False] * (deals[True, False] + deals[True, True])
    return {
        "given": Fraction(both, row),
        "other": Fraction(column - both, 10_000 - row),
        "tells": "more" if is_more else "less",
    }


@cache
def hands_by_sort(tip: str, call: str) -> Counter[tuple[int, int, bool]]:
    """How many hands of eight there are by tricks, half tricks and whether one of the cards
    shows the call: card by card through the deck."""
    full, half = (11, 9) if tip == "encyclopedia" else (9, 13)
    hands = Counter({(0, 0, 0, False): 1})
    for card in DECK:
        for (size, tricks, halves, holds), ways in list(hands.items()):
            if size < 8:
                is_full, is_half = card.value >= full, half <= card.value < full
                after = tricks + is_full, halves + is_half, holds or has(["call", call], card)
                hands[size + 1, *after] += ways
    return Counter(
        {
            (tricks, halves, holds): ways
            for (size, tricks, halves, holds), ways in hands.items()
            if size == 8
        }
    )


def distances(p: Parameters) -> Answers:
    """Card by card."""
    values = [parse_card(code).value for code in p["dealt"]]
    centre = average(values)
    away = {value: max(value - centre, centre - value) for value in values}
    if p.get("level") == "B":
        squares = {f"s{value}": each * each for value, each in away.items()}
        return {**squares, "variance": spread(values), "sd": root(spread(values))}
    found = {f"d{value}": each for value, each in away.items()}
    return {"mean": centre, **found, "average": sum(away[v] for v in values) / Fraction(8)}


def drawn_anew(p: Parameters) -> Answers:
    """Every order of the six, of which each way has 3! · 3!."""
    ahead = abs(sum(p["a"]) - sum(p["b"]))
    orders = [abs(sum(six[:3]) - sum(six[3:])) for six in permutations(p["a"] + p["b"])]
    far = Fraction(sum(gap >= ahead for gap in orders), 36)
    return {"ahead": Fraction(ahead), "ways": far, "share": far * 36 / len(orders)}


def farthest_apart(p: Parameters) -> Answers:
    """Way by way, with points of which all that A made are larger."""
    points = list(range(p["tables"]))
    total, ahead = sum(points), p["tables"] ** 2 // 4
    gaps = [2 * sum(a) - total for a in combinations(points, p["tables"] // 2)]
    assert max(gaps) == ahead
    share = Fraction(sum(abs(gap) >= ahead for gap in gaps), len(gaps))
    rare = "yes" if 100 * share < p["rare"] else "no"
    return {"ways": Fraction(len(gaps)), "share": share, "rare": rare}


def beside_model(p: Parameters) -> Answers:
    """Record by record."""
    records = [made for made, n in enumerate(p["counts"]) for _record in range(n)]
    few = sum(made <= p["made"] for made in records)
    share = Fraction(few, len(records))
    claim = "doubt" if 20 * few < len(records) else "keep"
    return {"records": Fraction(few), "share": share, "claim": claim}


def beside_two_models(p: Parameters) -> Answers:
    """Record by record, of either claim."""
    few = []
    for counts in p["records"]:
        records = [made for made, n in enumerate(counts) for _record in range(n)]
        assert len(records) == 200
        few.append(sum(made <= p["made"] for made in records))
    usual = [made >= 10 for made in few]
    claims = "both" if all(usual) else "lower" if usual[0] else "none"
    return {"low": Fraction(few[0]), "high": Fraction(few[1]), "claims": claims}


TYPES: dict[str, Callable[[Parameters], Answers]] = {
    "deck-size": deck_size,
    "value-chance": value_chance,
    "count-curve": count_curve,
    "deck-spread": deck_spread,
    "deck-pie": deck_pie,
    "inverse-chance": inverse_chance,
    "either-chance": either_chance,
    "independence": independence,
    "equal-values": equal_values,
    "none-of-them": none_of_them,
    "how-many": how_many,
    "any-void": any_void,
    "expected-number": expected_number,
    "hand-spread": hand_spread,
    "unseen-card": unseen_card,
    "safe-lead": safe_lead,
    "safest-lead": safest_lead,
    "tip-audit": tip_audit,
    "best-bid": best_bid,
    "after-slough": after_slough,
    "hook": hook,
    "frequency": frequency,
    "means-vary-less": means_vary_less,
    "gaps-and-ratios": gaps_and_ratios,
    "average-tricks": average_tricks,
    "bid-errors": bid_errors,
    "two-way-table": two_way_table,
    "draw-tree": draw_tree,
    "bid-evidence": bid_evidence,
    "distances": distances,
    "drawn-anew": drawn_anew,
    "beside-model": beside_model,
}


# The numbers of the plan's misconceptions, for the types whose own numbers enter them


def wrong_answers(key: str, parameters: Parameters) -> dict[str, set[Exact]]:
    """By the misconception's code, from the parameters alone."""
    return WRONG[key](parameters)


def wrong_how_many(p: Parameters) -> dict[str, set[Exact]]:
    share = Fraction(sum(has(p["mark"], c) for c in DECK), 81)
    put_back: set[Exact] = {
        sum(
            (_path(path, share) for path in product((0, 1), repeat=8) if sum(path) == k),
            Fraction(),
        )
        for k in p["numbers"]
    }
    low = int(8 * share)
    return {"replacement": put_back, "must-be-whole": {Fraction(low), Fraction(low + 1)}}


def other_way(right: Answers) -> Fraction:
    chance = right["chance"]
    assert isinstance(chance, Fraction)
    return 1 - chance


def _path(path: Sequence[int], share: Fraction) -> Fraction:
    return prod((share if hit else 1 - share for hit in path), start=Fraction(1))


def wrong_hand_spread(p: Parameters) -> dict[str, set[Exact]]:
    values = [parse_card(code).value for code in p["dealt"]]
    if p["part"] == "z":
        away = average(values) - 8
        sign = 1 if away >= 0 else -1
        right = hand_spread(p)["z"]
        assert not isinstance(right, str)
        flipped = -right if isinstance(right, Fraction) else root(right.square, -right.sign)
        return {
            "card-for-mean": {root(away**2 / Fraction(8, 3), sign)},
            "flipped-sign": {flipped},
        }
    return {"variance-for-sd": {spread(values)}, "sample-sd": {root(spread(values) * 8 / 7)}}


def wrong_unseen_card(p: Parameters) -> dict[str, set[Exact]]:
    held = sum(parse_card(code).shows(parse_call(p["call"])) for code in p["dealt"])
    found: dict[str, set[Exact]] = {
        "ignores-evidence": {Fraction(1, 3)},
        "keeps-total": {Fraction(27 - held, 81)},
        "keeps-class": {Fraction(27, 73)},
        "opposite": {Fraction(46 + held, 73)},
    }
    if held < 6:  # two hands of eight have 16/3 on average
        found["gambler"] = {(Fraction(16, 3) - held) / 8}
    return found


def wrong_safe_lead(p: Parameters) -> dict[str, set[Exact]]:
    t, hidden = beaters(p, p["lead"]), 81 - len(p["hand"]) - len(p["played"])
    return {
        "equal-shares": {Fraction(1, p["seats"])},
        "one-rival": {Fraction(hidden - t, hidden)},
        "assumes-independence": {(1 - Fraction(p["elsewhere"], hidden)) ** t},
        "opposite": {other_way(safe_lead(p))},
    }


def wrong_tip_audit(p: Parameters) -> dict[str, set[Exact]]:
    each = Fraction(8 * len(range(p["least"], 13)), 9)
    return {"equiprobable": {each, p["seats"] * each}}


def wrong_best_bid(p: Parameters) -> dict[str, set[Exact]]:
    percents = p["forecast"]
    hopes = [k * w for k, w in enumerate(percents)]
    centre = round(sum(hopes) / 100)
    return {
        "mode-as-bid": {Fraction(max(range(9), key=percents.__getitem__))},
        "rounded-mean": {Fraction(centre)},
        "forgets-penalty": {Fraction(max(range(9), key=hopes.__getitem__))},
    }


def wrong_after_slough(p: Parameters) -> dict[str, set[Exact]]:
    slots = {left: cards for left, cards, _void in p["players"]}
    hidden, seats = sum(slots.values()) + p["undealt"], p["seats"]
    return {
        "ignores-void": {
            Fraction(slots[p["other" if p["of"] == "class" else "shown"]], hidden)
        },
        "equal-shares": {Fraction(1, seats), Fraction(1, seats - 1)},
        "opposite": {other_way(after_slough(p))},
    }


WRONG: dict[str, Callable[[Parameters], dict[str, set[Exact]]]] = {
    "how-many": wrong_how_many,
    "hand-spread": wrong_hand_spread,
    "unseen-card": wrong_unseen_card,
    "safe-lead": wrong_safe_lead,
    "tip-audit": wrong_tip_audit,
    "best-bid": wrong_best_bid,
    "after-slough": wrong_after_slough,
}
