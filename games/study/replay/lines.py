"""A round as a line of moves, and every moment of it. Pure: no database, no names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from games.rules import Observation, Round, Variant, observe, parse_move


@dataclass(frozen=True)
class Line:
    """A deal and the moves made in it, in the rules' notation, as (seat, text).

    A *moment* is a number of moves made: 0 is the deal, ``last`` the end.
    """

    start: Round
    moves: tuple[tuple[int, str], ...]

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """The round at every moment; up to the first move that the rules do not allow, as one
        made by an older version of them may be."""
        rounds = [self.start]
        for seat, text in self.moves:
            try:
                if rounds[-1].to_move != seat:
                    break
                rounds.append(rounds[-1].apply(parse_move(text)))
            except ValueError:
                break
        return tuple(rounds)

    @property
    def last(self) -> int:
        """The last moment that can be shown."""
        return len(self.rounds) - 1

    @property
    def is_whole(self) -> bool:
        """Whether the rules allow all its moves."""
        return self.last == len(self.moves)

    def observation(self, moment: int, seat: int | None) -> Observation:
        """What this seat (None: somebody who watched) could see at that moment. Raises
        IndexError, ValueError for a moment or a seat that does not exist."""
        if not 0 <= moment <= self.last:
            raise IndexError(f"no moment {moment} of {self.last}")
        return observe(self.rounds[moment], seat)

    @cached_property
    def tricks(self) -> tuple[int, ...]:
        """The moments at which the tricks begin."""
        bids = self.start.seats if self.start.variant is Variant.BID else 0
        return tuple(range(bids, max(self.last, bids + 1), self.start.seats))

    def turns(self, seat: int) -> tuple[int, ...]:
        """The moments at which it was this seat's turn."""
        return tuple(n for n in range(self.last) if self.moves[n][0] == seat)
