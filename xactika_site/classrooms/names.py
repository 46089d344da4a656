"""Names that people play under: two friendly words, never their own."""

from __future__ import annotations

from random import Random

ADJECTIVES = (
    "Agile Amber Brave Breezy Bright Brisk Calm Candid Cheery Clever Cosy Curious Daring Deft "
    "Eager Early Fair Fleet Gentle Glad Golden Happy Hardy Honest Jolly Keen Kind Lively Lucky "
    "Merry Mighty Neat Nimble Noble Patient Plucky Polite Proud Quick Quiet Ready Silver Sunny "
    "Swift Tidy Warm Wise Witty"
).split()
NOUNS = (
    "Acorn Badger Beaver Birch Bison Cedar Comet Condor Coral Crane Dolphin Eagle Falcon Fern "
    "Finch Fox Gecko Hare Hawk Heron Ibis Juniper Kestrel Koala Lark Lemur Lynx Maple Marten "
    "Meadow Newt Oak Orca Otter Owl Panda Pebble Puffin Raven River Robin Salmon Seal Sparrow "
    "Stork Swan Tern Willow"
).split()


def two_word_names(rng: Random, how_many: int) -> list[str]:
    """So many different names, no word used twice among them (48 at most)."""
    adjectives, nouns = rng.sample(ADJECTIVES, how_many), rng.sample(NOUNS, how_many)
    return [f"{first} {second}" for first, second in zip(adjectives, nouns, strict=True)]


def two_word_name(rng: Random) -> str:
    """One of all names."""
    return f"{rng.choice(ADJECTIVES)} {rng.choice(NOUNS)}"


PHRASE_WORDS = sorted(word.lower() for word in (*ADJECTIVES, *NOUNS))
"""What rejoin phrases are made of: short words that are easily read out and typed."""
