"""A round written out move by move, and the deal and moves read back from such a text."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from games.rules import (
    DECK,
    Move,
    Round,
    Variant,
    move_text,
    parse_card,
    parse_move,
    score_round,
    winners,
)

from .deals import shuffled

TITLE = "A round as the rules have it; rewritten by pytest with --regenerate."
LISTED = 12
"""Up to so many legal moves are listed; of more only the number is given."""


def generate(variant: str, seats: int) -> str:
    """The text of a random round; the same every time."""
    rng = random.Random(f"{variant} {seats}")
    hands = shuffled(rng, seats)
    begun = Round.start(variant=Variant(variant), hands=hands, dealer=rng.randrange(seats))
    round, moves = begun, []
    while not round.is_over:
        legal = round.legal_moves()
        if round.is_bidding:
            legal = legal[: 2 + 16 // seats]
        moves.append(rng.choice(legal))
        round = round.apply(moves[-1])
    return render(begun, moves)


def render(begun: Round, moves: list[Move]) -> str:
    """The text of a round: its deal, a line a move, a line a trick, the end."""
    lines = [TITLE, "", f"variant {begun.variant.value}", f"dealer  {begun.dealer}"]
    for seat, hand in enumerate(begun.hands):
        lines.append(f"seat {seat}  {_spaced(hand)}")
    undealt = [card for card in DECK if not any(card in hand for hand in begun.hands)]
    lines += [f"undealt {len(undealt)}", ""]
    round = begun
    for number, move in enumerate(moves, start=1):
        lines.append(_move_line(number, round, move))
        after = round.apply(move)
        lines += _trick_lines(after) if after.trick != round.trick else []
        round = after
    lines += [f"over    {round.is_over}", f"bids    {_spaced(round.bids)}"]
    lines += [f"taken   {_spaced(round.taken)}"]
    if round.is_over:
        scored = score_round(round)
        lines += [f"points  {_spaced(scored)}"]
        lines += [f"winners {_spaced(sorted(winners(round.variant, scored)))}"]
    return "\n".join(lines) + "\n"


def _move_line(number: int, round: Round, move: Move) -> str:
    legal = [move_text(move) for move in round.legal_moves()]
    listed = f": {_spaced(legal)}" if len(legal) <= LISTED else ""
    return f"{number:3}  seat {round.to_move}  {move_text(move)}  of {len(legal)}{listed}"


def _trick_lines(round: Round) -> list[str]:
    """What there is to say once the bids are made or a trick is finished."""
    if round.trick is not None and round.trick.plays:
        return []
    if not round.tricks:
        total = sum(bid for bid in round.bids if bid is not None)
        return [
            f"     bids {_spaced(round.bids)}, total {total}; seat {round.to_move} leads",
            "",
        ]
    last = round.tricks[-1]
    leads = "" if round.to_move is None else f"; seat {round.to_move} leads"
    return [
        f"     trick {len(round.tricks)}, {last.call}: seat {last.winner} takes it; "
        f"taken {_spaced(round.taken)}{leads}",
        "",
    ]


def _spaced(things: Iterable[object]) -> str:
    return " ".join("-" if thing is None else str(thing) for thing in things)


def read(text: str) -> tuple[Round, list[Move]]:
    """The deal and the moves of a written round; nothing else of the text is believed."""
    variant = re.search(r"^variant (\w+)$", text, re.MULTILINE)
    dealer = re.search(r"^dealer +(\d+)$", text, re.MULTILINE)
    assert variant is not None
    assert dealer is not None
    hands = re.findall(r"^seat \d+ +([123 ]+)$", text, re.MULTILINE)
    begun = Round.start(
        variant=Variant(variant[1]),
        hands=[[parse_card(code) for code in hand.split()] for hand in hands],
        dealer=int(dealer[1]),
    )
    moves = re.findall(r"^ *\d+  seat \d+  (\S+)  of ", text, re.MULTILINE)
    return begun, [parse_move(move) for move in moves]
