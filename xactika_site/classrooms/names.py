"""Names that people play under, two friendly words and never their own; and the words of
rejoin phrases. How the words were chosen: docs/decisions/0010-names.md."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from random import Random

from xactika_site.classrooms import french_names
from xactika_site.classrooms.words import words

ADJECTIVES = words("en/adjectives")
NOUNS = words("en/nouns")


def plain(text: str) -> str:
    """A name or a phrase as whoever types in a hurry writes it: small letters, no accents."""
    letters = unicodedata.normalize("NFD", text.lower().replace("œ", "oe"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _english_name(adjective: str, noun: str) -> str:
    return f"{adjective} {noun}"


def language_of_names(language: str) -> str:
    """The language, of those that have lists of words here, whose words are taken for it."""
    return language if language in PHRASES else "en"


def two_word_names(rng: Random, how_many: int, language: str = "en") -> list[str]:
    """So many different names, no word used twice among them (236 at most)."""
    firsts, seconds, together = NAMES[language_of_names(language)]
    chosen = zip(rng.sample(firsts, how_many), rng.sample(seconds, how_many), strict=True)
    return [together(first, second) for first, second in chosen]


def two_word_name(rng: Random, language: str = "en", *, taken: Collection[str] = ()) -> str:
    """One of all names but the ``taken``, in English of 237 × 236 = 55,932, each of at most 20
    characters."""
    firsts, seconds, together = NAMES[language_of_names(language)]
    while (name := together(rng.choice(firsts), rng.choice(seconds))) in taken:
        pass
    return name


NAMES = {
    "en": (ADJECTIVES, NOUNS, _english_name),
    "fr": (french_names.ADJECTIVES, french_names.NOUNS, french_names.french_name),
}
"""By language adjectives and nouns, and how a name is made of two."""


PHRASE_WORDS = words("en/phrases")
"""What rejoin phrases are made of: 1,050 words of 3 to 8 letters, each told by its first four.

Three of them in a row make 30 bits. Phrases are derived from this list and stored nowhere: to
add, drop or move a single word is to change everybody's phrase.
"""

PHRASES = {"en": PHRASE_WORDS, "fr": french_names.PHRASE_WORDS}
"""The words of phrases by language. A student keeps the list that they began with."""
