"""What a class did, in numbers.

Data are read in a constant number of queries (``dataset``, ``learning``, ``term``), figures
computed from them (``bidding``, ``dealing``, ``standings``), all of it plain values.

Honest statistics, everywhere: only finished deals; in class figures only rounds of which a
person made every move, unless bots are asked for; a duplicate board counts once as a deal.
"""
