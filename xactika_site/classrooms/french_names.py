"""The words of French names and rejoin phrases. How they were chosen:
docs/decisions/0010-names.md."""

from __future__ import annotations

from xactika_site.classrooms.words import words

MASCULINE = words("fr/masculine")
FEMININE = words("fr/feminine")
NOUNS = MASCULINE + FEMININE

ADJECTIVES = words("fr/adjectives")
"""The masculine and the feminine form, where they differ."""

_FEMININE = frozenset(FEMININE)


def french_name(adjective: str, noun: str) -> str:
    """A name: the noun, then the adjective as the noun's gender has it.

    >>> french_name("Actif/Active", "Abeille"), french_name("Agile", "Castor")
    ('Abeille Active', 'Castor Agile')
    """
    masculine, _slash, feminine = adjective.partition("/")
    return f"{noun} {feminine if feminine and noun in _FEMININE else masculine}"


PHRASE_WORDS = words("fr/phrases")
"""What rejoin phrases are made of: 1,061 words of 3 to 8 letters without accents, each told by
its first four. To change a single one is to change everybody's phrase.
"""
