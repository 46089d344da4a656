"""The compiled kernel: worlds and playouts, in arrays. Import it through ``analysis.load``.

A *world* says where every card is: an array of 81, indexed by the kernel's order of cards
(by value, then code), that holds the seat that has the card, or ``UNDEALT`` or ``PLAYED``.
"""

from games.analysis.kernel.evidence import read_plays, sample_worlds
from games.analysis.kernel.hands import (
    PICKS,
    draw_hands,
    fill_combinations,
    join_hands,
    pick_by_weight,
)
from games.analysis.kernel.likelihoods import (
    FACTS,
    STATE,
    STEP,
    STEPS,
    UNITS,
    Bidding,
    Model,
    Options,
    PublicTurn,
    PublicTurns,
    fill_likelihoods,
    fill_options,
    read_turns,
)
from games.analysis.kernel.paths import search_paths
from games.analysis.kernel.playouts import Playouts, PlayoutStart, play_worlds
from games.analysis.kernel.policies import HELD, LATER, OVER, REST
from games.analysis.kernel.tables import (
    CARELESS,
    COUNTER,
    COUNTING,
    HIDDEN,
    LEARNT,
    MASK,
    NONE,
    PLAYED,
    PRINTED,
    RANDOM,
    TIP,
    UNDEALT,
    call_index,
    card_at,
    card_index,
)
from games.analysis.kernel.worlds import count_table, deal_worlds, first_world, mix_worlds

__all__ = [
    "CARELESS",
    "COUNTER",
    "COUNTING",
    "FACTS",
    "HELD",
    "HIDDEN",
    "LATER",
    "LEARNT",
    "MASK",
    "NONE",
    "OVER",
    "PICKS",
    "PLAYED",
    "PRINTED",
    "RANDOM",
    "REST",
    "STATE",
    "STEP",
    "STEPS",
    "TIP",
    "UNDEALT",
    "UNITS",
    "Bidding",
    "Model",
    "Options",
    "PlayoutStart",
    "Playouts",
    "PublicTurn",
    "PublicTurns",
    "call_index",
    "card_at",
    "card_index",
    "count_table",
    "deal_worlds",
    "draw_hands",
    "fill_combinations",
    "fill_likelihoods",
    "fill_options",
    "first_world",
    "join_hands",
    "mix_worlds",
    "pick_by_weight",
    "play_worlds",
    "read_plays",
    "read_turns",
    "sample_worlds",
    "search_paths",
]
