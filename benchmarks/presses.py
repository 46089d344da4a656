"""How many presses a round takes at a solo table of four, by each way to play.

From the repository's root; a minute::

    python -m benchmarks.presses [rounds]

Whole rounds of four counting bots (games/analysis/counter.py); one of them stands for the
person. What the person would press is what ``games/static/games/hand.js`` asks for:

* taps: a bid and a card to follow with are raised by one tap and sent by the next; a lead is a
  card and its call; where one card alone may be played it plays itself, and the last card to
  lead is up already. One more for the next round.
* drags: the same, but a card to follow with is thrown in one go.
* keys: a digit and Enter for a bid or a card to follow with, a digit, a letter and Enter for
  a lead (its letter and Enter for the last card); nothing plays itself.

Prints one JSON object: rounds, and for each way the mean and the largest number of presses, and
the share of turns that left no choice.
"""

from __future__ import annotations

import argparse
import json
from random import Random
from statistics import mean

from games.analysis.bots import choose
from games.rules import DECK, Round, Variant, observe

SEATS, PERSON = 4, 0


def presses(number: int) -> tuple[dict[str, int], int, int]:
    """The presses of one round by each way; its cards to follow with, and those without a
    choice."""
    rng = Random(number)
    deck = rng.sample(DECK, 8 * SEATS)
    hands = [deck[seat::SEATS] for seat in range(SEATS)]
    state = Round.start(variant=Variant.BID, hands=hands, dealer=rng.randrange(SEATS))
    taps = drags = keys = 1  # the next round
    follows = forced = 0
    while (seat := state.to_move) is not None:
        seen = observe(state, seat)
        if seat == PERSON:
            is_last = len(seen.hand) == 1
            if seen.is_bidding:
                taps, drags, keys = taps + 2, drags + 2, keys + 2
            elif seen.trick is not None and seen.trick.call is None:
                taps, drags = taps + 2 - is_last, drags + 2 - is_last
                keys += 3 - is_last
            else:
                follows += 1
                free = len(seen.legal) > 1
                forced += not free
                taps, drags, keys = taps + 2 * free, drags + free, keys + 2
        state = state.apply(choose(seen, level="counter", rng=rng))
    return {"taps": taps, "drags": drags, "keys": keys}, follows, forced


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rounds", nargs="?", type=int, default=3000)
    played = [presses(number) for number in range(parser.parse_args().rounds)]
    ways = {
        way: {
            "mean": round(mean(each[way] for each, _, _ in played), 2),
            "most": max(each[way] for each, _, _ in played),
        }
        for way in ("taps", "drags", "keys")
    }
    share = sum(forced for *_, forced in played) / sum(follows for _, follows, _ in played)
    print(json.dumps({"rounds": len(played), **ways, "no_choice": round(share, 3)}))


if __name__ == "__main__":
    main()
