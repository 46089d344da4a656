"""The compiled kernel: worlds and playouts, in arrays. Import it through ``analysis.load``.

A *world* says where every card is: an array of 81, indexed by the kernel's order of cards
(by value, then code), that holds the seat that has the card, or ``UNDEALT`` or ``PLAYED``.
"""

from games.analysis.kernel.evidence import read_plays, walk_worlds
from games.analysis.kernel.paths import search as search_paths
from games.analysis.kernel.playouts import play_worlds
from games.analysis.kernel.policies import OVER, REST
from games.analysis.kernel.tables import (
    COUNTING,
    HIDDEN,
    MASK,
    NONE,
    PLAYED,
    RANDOM,
    TIP,
    UNDEALT,
    call_index,
    card_at,
    card_index,
)
from games.analysis.kernel.worlds import count_table, deal_worlds, first_world, mix_worlds

__all__ = [
    "COUNTING",
    "HIDDEN",
    "MASK",
    "NONE",
    "OVER",
    "PLAYED",
    "RANDOM",
    "REST",
    "TIP",
    "UNDEALT",
    "call_index",
    "card_at",
    "card_index",
    "count_table",
    "deal_worlds",
    "first_world",
    "mix_worlds",
    "play_worlds",
    "read_plays",
    "search_paths",
    "walk_worlds",
]
