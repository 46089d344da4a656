"""What the end of a round costs beside a plain move: stored, and drawn for four browsers.

From the repository's root, in a minute::

    python -m benchmarks.round_end

Tables of friends play *Play to Bid* with random legal moves in this one process, on a database
of its own; after a round all four are ready, and the last of them is dealt to. Medians of the
thread's processor time in ms: of a plain move, of the one that ends a round, of the first three
"I am ready" and of the fourth with its deal. ``moves`` is what one end, three of these and the
deal take together, in plain moves. Prints a JSON line.
"""

from __future__ import annotations

import argparse
import gc
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from random import Random
from statistics import median
from typing import Any

from benchmarks.results import set_up

SEATS = range(4)


def tables(number: int) -> list[str]:
    """So many tables of four friends, all here."""
    from games.models import Table
    from games.rules import Variant
    from games.tables import opening, seats

    settings = opening.TableSettings(variant=Variant.BID, seats=4, people=4, pace=0.0)
    ids = []
    for _ in range(number):
        table = opening.open_table(kind=Table.Kind.FRIENDS, settings=settings)
        for seat in SEATS:
            seats.open_seat(table_id=table.id, seat=seat)
        ids.append(table.id)
    return ids


class Screens:
    """What the four browsers of a table show."""

    def __init__(self, table_id: str) -> None:
        from games.tables.viewers import Viewer

        self.table_id = table_id
        self.viewers = [Viewer(seat=seat, serial=0) for seat in SEATS]
        self.before: Any = None
        self.shown: list[tuple[Any, ...]] = [({}, {}) for _ in SEATS]

    def show(self) -> None:
        """The present table, as its room shows it."""
        from games.tables import announcements, fragments
        from games.tables.observation import seat_view, table_view
        from games.tables.state import load_table
        from xactika_site import clock

        state, now = load_table(self.table_id), clock.now()
        view = table_view(state, dict.fromkeys(SEATS, now), now)
        pictures_for = fragments.table_fragments(view)
        hear = announcements.announcer(self.before, view)
        for seat in SEATS:
            pictures = pictures_for(self.viewers[seat], seat_view(state, seat))
            for picture, before in zip(pictures, self.shown[seat], strict=True):
                picture.since(before)
            hear(seat)
            self.shown[seat] = tuple(picture.fragments for picture in pictures)
        self.before = view


def measure(rounds: int, number: int) -> dict[str, float]:
    """Median ms by what happened."""
    from games.rules import move_text
    from games.tables import moves, seats
    from games.tables.state import load_table
    from xactika_site import clock

    times: dict[str, list[float]] = defaultdict(list)

    def timed(
        kind: str, store: Callable[..., None], screens: Screens, **arguments: Any
    ) -> None:
        for what, do in (("stored", store), ("drawn", screens.show)):
            began = time.thread_time()
            do(**(arguments if what == "stored" else {}))
            times[f"{kind} {what}"].append((time.thread_time() - began) * 1000)

    each = [Screens(table_id) for table_id in tables(number)]
    rng = Random(5)
    for screens in each:
        screens.show()
    gc.freeze()
    for _ in range(rounds):
        for move in range(36):
            for screens in each:
                state = load_table(screens.table_id)
                assert state.round is not None
                arguments = {
                    "table_id": state.id,
                    "seat": state.to_move,
                    "turn": state.turn,
                    "text": move_text(rng.choice(state.round.legal_moves())),
                }
                timed("end" if move == 35 else "plain", moves.make_move, screens, **arguments)
        here = [seat.pk for screens in each for seat in load_table(screens.table_id).seats]
        seats.mark_seen(seats=here, when=clock.now())  # who is away is not waited for
        for seat in SEATS:
            for screens in each:
                turn = load_table(screens.table_id).turn
                who = {"table_id": screens.table_id, "seat": seat, "turn": turn}
                timed("deal" if seat == 3 else "ready", moves.say_ready, screens, **who)
    return {kind: median(each) for kind, each in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4, choices=range(1, 8))
    parser.add_argument("--tables", type=int, default=15)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        set_up(folder)
        found = measure(arguments.rounds, arguments.tables)
    took = {
        k: found[f"{k} stored"] + found[f"{k} drawn"] for k in ("plain", "end", "ready", "deal")
    }
    moves = (took["end"] + 3 * took["ready"] + took["deal"]) / took["plain"]
    print(json.dumps({**{k: round(v, 2) for k, v in found.items()}, "moves": round(moves, 1)}))


if __name__ == "__main__":
    main()
