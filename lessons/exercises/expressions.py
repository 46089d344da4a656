"""Expressions over the cards of a question, as teachers write them: a closed grammar, read here
and worked out exactly. Nothing of it is ever Python (docs/questions.md).

::

    expression = term {("+" | "-") term}
    term       = factor {("*" | "·" | "/") factor}
    factor     = number | "-" factor | "(" expression ")" | measure
    measure    = ("mean" | "sum") "(" quantity ")"
               | ("count" | "share" | "chance") "(" [which] ")"
    which      = test {"and" test} | test {"or" test}
    test       = quantity ("=" | "!=" | "<" | "<=" | ">" | ">=") factor
    quantity   = "value" | "balls" | "cubes" | "cones" | "stars"
"""

from __future__ import annotations

import operator
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.rules import DECK, Card

LONGEST = 120
"""Characters of an expression."""
DEEPEST = 12
"""Brackets in brackets."""
LARGEST = 10**9
"""The largest number that may be written or come out."""

FRENCH = {
    **{"nombre": "count", "moyenne": "mean", "somme": "sum", "part": "share"},
    **{"probabilité": "chance", "et": "and", "ou": "or", "valeur": "value"},
    **{"boules": "balls", "cubes": "cubes", "cônes": "cones", "étoiles": "stars"},
}
"""What French says for the grammar's words."""


def _plain(word: str) -> str:
    """A word without accents, and without the s of a plural."""
    letters = unicodedata.normalize("NFD", word.lower())
    return "".join(each for each in letters if each.isalpha()).removesuffix("s")


_WORDS = {
    _plain(word): meant
    for word, meant in [*((each, each) for each in FRENCH.values()), *FRENCH.items()]
}
"""The grammar's words by how they may be written."""

_QUANTITIES: dict[str, Callable[[Card], int]] = {
    "value": lambda card: card.value,
    **{
        name: (lambda card, place=place: card.counts[place])  # type: ignore[misc]
        for place, name in enumerate(("balls", "cubes", "cones", "stars"))
    },
}
_TESTS: dict[str, Callable[[int, Fraction], bool]] = {
    **{"=": operator.eq, "!=": operator.ne, "<": operator.lt},
    **{"<=": operator.le, ">": operator.gt, ">=": operator.ge},
}
_TOKEN = re.compile(r"\s*(?:(\d+(?:[.,]\d+)?)|([^\W\d_]+)|(!=|<=|>=|[-+*·×÷/()=<>≤≥≠]))")
_SAME = {"≤": "<=", "≥": ">=", "≠": "!=", "·": "*", "×": "*", "÷": "/"}


class NotAnExpression(ValueError):
    """What is wrong with an expression, in a sentence with an example."""


def value_of(text: str, cards: Sequence[Card]) -> Fraction:
    """The exact value of an expression over these cards. A ``share`` is of these cards, a
    ``chance`` that of one card drawn from all others of the deck. Raises NotAnExpression."""
    if len(text) > LONGEST:
        raise _too_large()
    reader = _Reader(_tokens(text), tuple(cards))
    found = reader.sum_value()
    if reader.at < len(reader.tokens):
        raise _unknown(reader.tokens[reader.at])
    return found


def _tokens(text: str) -> list[str]:
    tokens, at, text = [], 0, text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _unknown(text[at:].strip()[:1])
        word = match[1] or match[2] or match[3]
        tokens.append(_SAME.get(word, _WORDS.get(_plain(word), word)))
        at = match.end()
    return tokens


@dataclass(slots=True)
class _Reader:
    """Reads tokens from left to right, each once."""

    tokens: list[str]
    cards: tuple[Card, ...]
    at: int = 0
    depth: int = 0

    def sum_value(self) -> Fraction:
        found = self._product_value()
        while self._token_ahead() in ("+", "-"):
            sign = self._next_token()
            term = self._product_value()
            found = found + term if sign == "+" else found - term
        return _bounded_number(found)

    def _product_value(self) -> Fraction:
        found = self._factor_value()
        while self._token_ahead() in ("*", "/"):
            sign = self._next_token()
            factor = self._factor_value()
            if sign == "/" and factor == 0:
                raise NotAnExpression(_("You can’t divide by 0. Look below the line."))
            found = _bounded_number(found * factor if sign == "*" else found / factor)
        return found

    def _factor_value(self) -> Fraction:
        word = self._next_token()
        if word[:1].isdigit():
            return _bounded_number(Fraction(word.replace(",", ".")))
        if word in ("-", "("):
            self.depth += 1
            if self.depth > DEEPEST:
                raise _too_large()
            found = -self._factor_value() if word == "-" else self.sum_value()
            if word == "(":
                self._expect(")")
            self.depth -= 1
            return found
        return self._function_value(word)

    def _function_value(self, word: str) -> Fraction:
        if word in _QUANTITIES:
            raise NotAnExpression(
                _("Compare it with a number, as in %(example)s.")
                % {"example": _example("value>=9")}
            )
        if word not in ("mean", "sum", "count", "share", "chance"):
            raise _unknown(word)
        self._expect("(")
        if word in ("mean", "sum"):
            quantity = self._card_quantity()
            self._expect(")")
            total = Fraction(sum(map(quantity, self._cards_or_fail(self.cards))))
            return total / len(self.cards) if word == "mean" else total
        which = self._card_condition() if self._token_ahead() != ")" else lambda _card: True
        self._expect(")")
        group = self.cards
        if word == "chance":
            group = tuple(card for card in DECK if card not in self.cards)
        number = Fraction(sum(map(which, group)))
        return number if word == "count" else number / len(self._cards_or_fail(group))

    def _cards_or_fail(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        if not cards:
            raise NotAnExpression(
                _("No cards to count. Add a line like %(example)s.")
                % {"example": _("cards: 1332 2113")}
            )
        return cards

    def _card_condition(self) -> Callable[[Card], bool]:
        tests, joints = [self._card_comparison()], set[str]()
        while self._token_ahead() in ("and", "or"):
            joints.add(self._next_token())
            tests.append(self._card_comparison())
        if len(joints) > 1:
            raise NotAnExpression(_("Join conditions by only “and”, or only “or”."))
        joint = any if joints == {"or"} else all
        return lambda card: joint([test(card) for test in tests])

    def _card_comparison(self) -> Callable[[Card], bool]:
        quantity, sign = self._card_quantity(), self._next_token()
        if sign not in _TESTS:
            raise NotAnExpression(
                _("Compare it with a number, as in %(example)s.")
                % {"example": _example("value>=9")}
            )
        test, bound = _TESTS[sign], self._factor_value()
        return lambda card: test(quantity(card), bound)

    def _card_quantity(self) -> Callable[[Card], int]:
        word = self._next_token()
        if word not in _QUANTITIES:
            raise _unknown(word)
        return _QUANTITIES[word]

    def _token_ahead(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _next_token(self) -> str:
        word = self._token_ahead()
        if not word:
            raise NotAnExpression(_("Something is missing at the end."))
        self.at += 1
        return word

    def _expect(self, word: str) -> None:
        if self._token_ahead() != word:
            raise NotAnExpression(
                _("“%(word)s” is missing, as in %(example)s.")
                % {"word": word, "example": _example("count(value>=9)")}
            )
        self.at += 1


def _bounded_number(number: Fraction) -> Fraction:
    if abs(number.numerator) > LARGEST or number.denominator > LARGEST:
        raise _too_large()
    return number


def _too_large() -> NotAnExpression:
    return NotAnExpression(_("This is too long or too large."))


def _unknown(word: str) -> NotAnExpression:
    message = _("We don’t understand “%(word)s”. Write, for example, %(example)s.")
    return NotAnExpression(message % {"word": word, "example": _example("count(value>=9)")})


def _example(text: str) -> str:
    """An expression with the grammar's words as the active language says them."""
    in_french = {english: french for french, english in FRENCH.items()}
    words = in_french if get_language() == "fr" else {}
    return re.sub(r"[a-z]+", lambda word: words.get(word[0], word[0]), text)
