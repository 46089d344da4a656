"""Puzzles solved a second time, naively. Of the product only the rules are used: nothing is
shared with ``games.analysis``, which made the puzzles and proved them first.

A puzzle comes as its line of the file, as plain data. Leads are counted card by card, the last
three tricks are played out in every way without remembering anything, a holder is proved by
writing down a deal, and bids are tried in deals that are thrown away until they fit.
"""

from __future__ import annotations

from math import sqrt
from random import Random
from typing import Any

from games.rules import DECK, Round, Variant, move_text, parse_card, parse_move, points

Data = dict[str, Any]


def stands(puzzle: Data) -> Round:
    """The round where it is seat 0's turn; the rules refuse what may not be."""
    has_bids = puzzle["kind"] in ("bid", "last")
    round_ = Round.start(
        variant=Variant.BID if has_bids else Variant.WIN,
        hands=[[parse_card(code) for code in hand.split()] for hand in puzzle["hands"]],
        dealer=puzzle["dealer"],
    )
    for text in puzzle["moves"].split():
        round_ = round_.apply(parse_move(text))
    assert round_.to_move == 0
    return round_


def solve(puzzle: Data, worlds: int = 10_000, seed: int = 1) -> list[str]:
    """Every right answer, as far as one can tell."""
    match puzzle["kind"]:
        case "lead":
            return safest(stands(puzzle))
        case "last":
            return forcing(stands(puzzle))
        case "hold":
            return holders(stands(puzzle), puzzle["card"])
        case _:
            return [str(best_bid(stands(puzzle), worlds, Random(seed)))]


def safest(now: Round) -> list[str]:
    known = {str(card) for card in now.hands[0]}
    for trick in now.tricks:
        known |= {str(card) for _, card in trick.plays}
    beaten: dict[str, int] = {}
    for card in now.hands[0]:
        for call in card.calls:
            place = ["ball", "cube", "cone", "star"].index(call.shape.value)
            beaten[f"{card}:{call}"] = sum(
                code not in known
                and code[place] == str(call.number)
                and sum(map(int, code)) >= card.value
                for code in map(str, DECK)
            )
    return [text for text, count in beaten.items() if count == min(beaten.values())]


def forcing(now: Round) -> list[str]:
    """The plays after which seat 0 makes its bid whatever the others do."""
    return [move_text(move) for move in now.legal_moves() if _is_made(now.apply(move))]


def _is_made(round_: Round) -> bool:
    if round_.is_over:
        return round_.taken[0] == round_.bids[0]
    after = (_is_made(round_.apply(move)) for move in round_.legal_moves())
    return any(after) if round_.to_move == 0 else all(after)


def holders(now: Round, asked: str) -> list[str]:
    """The seats for which a deal can be written down that fits all plays and gives them the
    card; nobody, if there is none."""
    out = [str(card) for card in DECK]
    lacks: dict[int, set[str]] = {seat: set() for seat in range(1, now.seats)}
    for trick in now.tricks:
        for seat, card in trick.plays:
            out.remove(str(card))
            if seat and str(trick.call) not in [str(call) for call in card.calls]:
                lacks[seat].add(str(trick.call))
    for card in now.hands[0]:
        out.remove(str(card))
    sizes = {seat: len(now.hands[seat]) for seat in lacks}
    found = [
        str(seat)
        for seat in lacks
        if sizes[seat] and _deal_with(asked, seat, out, lacks, sizes)
    ]
    return found or ["nobody"]


def _deal_with(
    asked: str, seat: int, out: list[str], lacks: dict[int, set[str]], sizes: dict[int, int]
) -> bool:
    def may(who: int, code: str) -> bool:
        return not lacks[who] & {str(call) for call in parse_card(code).calls}

    if not may(seat, asked):
        return False
    rng, rest = Random(asked), [code for code in out if code != asked]
    for _ in range(1_000):
        rng.shuffle(rest)
        left, whole = list(rest), True
        for who in sorted(lacks, key=lambda who: -len(lacks[who])):
            fits = [code for code in left if may(who, code)][: sizes[who] - (who == seat)]
            whole &= len(fits) == sizes[who] - (who == seat)
            left = [code for code in left if code not in fits]
        if whole:
            return True
    return False


# Bids: the tips as RULES' printed sheet and docs/bots.md have them, on plain numbers.

COUNTS = [card.counts for card in DECK]
VALUES = [card.value for card in DECK]
CALLS = [[3 * shape + count - 1 for shape, count in enumerate(counts)] for counts in COUNTS]


def best_bid(now: Round, worlds: int, rng: Random) -> int:
    """The bid with the most points on average, all seats going on by the tips. A bid that is
    far behind after some deals is tried no longer; the first two are tried in all."""
    own = [DECK.index(card) for card in now.hands[0]]
    rest = [card for card in range(81) if card not in own]
    bids = [move.number for move in now.legal_moves()]  # type: ignore[union-attr]
    gained: dict[int, list[int]] = {bid: [] for bid in bids}
    for done in range(1, worlds + 1):
        hands = _deal(now, own, rest, rng)
        chance = rng.random()
        for bid, own_points in gained.items():
            taken = _play(now, hands, bid, Random(chance))
            own_points.append(points(Variant.BID, bid=bid, taken=taken))
        if done in (200, 1_000, 3_000):
            means = {bid: sum(each) / done for bid, each in gained.items()}
            leader = gained[max(means, key=means.__getitem__)]
            first_two = sorted(means, key=means.__getitem__)[-2:]
            gained = {
                bid: each
                for bid, each in gained.items()
                if bid in first_two or not _is_behind(each, leader)
            }
    return max(gained, key=lambda bid: sum(gained[bid]))


def _is_behind(these: list[int], best: list[int]) -> bool:
    """By six standard errors of the difference, deal by deal."""
    gaps = [b - t for b, t in zip(best, these, strict=True)]
    mean = sum(gaps) / len(gaps)
    spread = sqrt(sum((gap - mean) ** 2 for gap in gaps) / len(gaps))
    return mean > 6 * spread / sqrt(len(gaps)) and mean > 0


def _deal(now: Round, own: list[int], rest: list[int], rng: Random) -> list[list[int]]:
    while True:
        drawn = rng.sample(rest, 8 * (now.seats - 1))
        hands = [own, *(drawn[8 * n : 8 * n + 8] for n in range(now.seats - 1))]
        if all(bid is None or _bid(hands[seat]) == bid for seat, bid in enumerate(now.bids)):
            return hands


def _bid(hand: list[int]) -> int:
    values = [VALUES[card] for card in hand]
    high = sum(value > 10 for value in values)
    return high + (values.count(9) + values.count(10)) // 2


def _play(now: Round, hands: list[list[int]], own_bid: int, rng: Random) -> int:
    """The tricks that seat 0 takes with this bid."""
    seats = now.seats
    wanted = [0] * seats
    total = 0
    for step in range(1, seats + 1):
        seat = (now.dealer + step) % seats
        bid = own_bid if seat == 0 else _bid(hands[seat])
        if seat == now.dealer and seat != 0 and total + bid == 8:
            bid = bid - 1 if bid else 1
        wanted[seat] = bid
        total += bid
    held = [list(hand) for hand in hands]
    left = list(wanted)
    leader = (now.dealer + 1) % seats
    for _ in range(8):
        call = best = taker = -1
        for turn in range(seats):
            seat = (leader + turn) % seats
            hand, wants = held[seat], left[seat] > 0
            if turn == 0:
                card, call = _lead(hand, wants, rng)
            else:
                can = [each for each in hand if call in CALLS[each]]
                if can:
                    card = _follow(can, best, turn == seats - 1, wants, rng)
                else:
                    card = _one(
                        hand,
                        min(hand, key=VALUES.__getitem__)
                        if wants
                        else max(hand, key=VALUES.__getitem__),
                        rng,
                    )
            hand.remove(card)
            if call in CALLS[card] and VALUES[card] >= best:
                best, taker = VALUES[card], seat
        left[taker] -= 1
        leader = taker
    return wanted[0] - left[0]


def _one(cards: list[int], like: int, rng: Random) -> int:
    """Any of the cards of this one's value."""
    equal = [card for card in cards if VALUES[card] == VALUES[like]]
    return equal[0] if len(equal) == 1 else rng.choice(equal)


def _lead(hand: list[int], wants: bool, rng: Random) -> tuple[int, int]:
    """The highest 5·value − 6·count, or the lowest."""
    sign = 1 if wants else -1
    best = -1_000
    ways: list[tuple[int, int]] = []
    for card in hand:
        for shape, count in enumerate(COUNTS[card]):
            rating = sign * (5 * VALUES[card] - 6 * count)
            if rating > best:
                best, ways = rating, []
            if rating == best:
                ways.append((card, 3 * shape + count - 1))
    return ways[0] if len(ways) == 1 else rng.choice(ways)


def _follow(can: list[int], best: int, is_last: bool, wants: bool, rng: Random) -> int:
    over = [card for card in can if VALUES[card] >= best]
    under = [card for card in can if VALUES[card] < best]
    pick = over if (wants and over) or not under else under
    highest = bool(over) and not is_last if wants else bool(under) or is_last
    like = max(pick, key=VALUES.__getitem__) if highest else min(pick, key=VALUES.__getitem__)
    return _one(pick, like, rng)
