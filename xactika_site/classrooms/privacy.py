"""What a class may be told about its members."""

FEWEST = 5
"""Students below whose number a figure is told to no class: it would tell about each."""
