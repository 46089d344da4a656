"""Cards, calls, moves and numbers in words, as they are read and heard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from django.utils.formats import number_format
from django.utils.text import get_text_list
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext, pgettext

from games.rules import Bid, Call, Card, Shape, Trick, parse_move

Amount = Fraction | float | int

PRINTED_TIP = gettext_lazy("Bid 1 for each card of 9 or more.")
CAREFUL_TIP = gettext_lazy("Bid 1 for each 11 or 12, and 1 for every 2 cards of 9 or 10.")
"""The two tips for bidding, in the words in which all pages say them."""


def half_up(amount: Amount, places: int = 0) -> Fraction:
    """Rounded as a class learns it: halves go away from zero. A float counts as the decimal
    that it is written as.

    >>> half_up(Fraction(1, 8), 2), half_up(-2.5), half_up(0.285, 2)
    (Fraction(13, 100), Fraction(-3, 1), Fraction(29, 100))
    """
    return Fraction(units(amount, places), 10**places)


def units(amount: Amount, places: int) -> int:
    """The amount in units of its last place, rounded as by ``half_up``."""
    top, bottom = (
        Decimal(repr(float(amount))).as_integer_ratio()
        if isinstance(amount, float)
        else amount.as_integer_ratio()
    )
    unit: int = 10**places
    size = (2 * abs(top) * unit + bottom) // (2 * bottom)
    return size if top >= 0 else -size


def number(amount: Amount, places: int = 1) -> str:
    """A decimal as the language writes it, with a true minus sign and never a −0.

    Rounded here: Django's number_format cuts off what is behind the last place.
    """
    size = units(amount, places)
    whole, part = divmod(abs(size), 10**places)
    text = number_format(f"{whole}.{part:0{places}}" if places else str(whole), places)
    return f"−{text}" if size < 0 else text


def signed(amount: Amount, places: int = 1) -> str:
    """The amount as ``number`` writes it, with a plus where it is above zero."""
    return ("+" if units(amount, places) > 0 else "") + number(amount, places)


def counted_as(amount: Amount, places: int = 1) -> int:
    """The number by which the noun goes: a whole one by itself; a decimal below two by 0, which
    English says of many (0.3 tricks) and French of one (0,3 pli)."""
    if not places:
        return abs(units(amount, 0))
    return 0 if abs(units(amount, places)) < 2 * 10**places else 2


def place_words(place: int) -> str:
    """A place behind the first, in short: “2nd”."""
    if place == 2:
        return gettext("2nd")
    if place == 3:
        return gettext("3rd")
    return gettext("%(n)dth") % {"n": place}


def points_words(amount: Amount, places: int = 1) -> str:
    """A number of points, to so many decimals."""
    return ngettext("%(n)s point", "%(n)s points", counted_as(amount, places)) % {
        "n": number(amount, places)
    }


def signed_points_words(points: int) -> str:
    """A number of points with its sign."""
    return ngettext("%(n)s point", "%(n)s points", abs(points)) % {"n": signed(points, 0)}


def tricks_words(amount: Amount, places: int = 1) -> str:
    """A number of tricks, to so many decimals."""
    return ngettext("%(n)s trick", "%(n)s tricks", counted_as(amount, places)) % {
        "n": number(amount, places)
    }


def percent(share: Amount, *, short: bool = False) -> str:
    """A share in whole percents, never rounded to certainty: what is below 1% or above 99%
    says so, in words or (``short``) by a sign."""
    if 0 < share < 0.01:
        return f"<1{percent_sign()}" if short else gettext("under 1%")
    if 0.99 < share < 1:
        return f">99{percent_sign()}" if short else gettext("over 99%")
    return in_percent(units(share, 2))


def in_percent(amount: int) -> str:
    """A whole number of percents."""
    return number(amount, 0) + percent_sign()


def percent_sign() -> str:
    """What stands right behind a number of percents."""
    return pgettext("right behind a number", "%")


def colon() -> str:
    """What stands between a thing and what is said of it."""
    return gettext(": ")


def semicolon_list(parts: Iterable[str]) -> str:
    """Parts that may have commas, one after the other."""
    return gettext("; ").join(parts)


def whole(count: int) -> str:
    """A large whole number, grouped as the language does, e.g. 10,000."""
    text = number_format(count, force_grouping=True)
    return text.replace("\u00a0", "\u202f")  # docs/french.md: Django's is wider


def listed(numbers: Iterable[object]) -> str:
    """Numbers beside each other, which may have a decimal comma."""
    return pgettext("between numbers", ", ").join(map(str, numbers))


def first_names(names: Sequence[str], most: int = 4) -> str:
    """The names of a list as a sentence has room for them: of a long one the first.

    >>> first_names("ABCD"), first_names("ABCDE")
    ('A, B, C, D', 'A, B, C, D, …')
    """
    return ", ".join([*names[:most], "…"] if len(names) > most else names)


def all_of(words: Sequence[object]) -> str:
    """E.g. "balls, cubes and stars"; of nothing, nothing."""
    return get_text_list([*map(str, words)], pgettext("last in a list", "and"))


def one_of(words: Sequence[object]) -> str:
    """E.g. "1, 2 or 3"; of nothing, nothing."""
    return get_text_list([*map(str, words)], pgettext("last in a list", "or"))


def sentences(*parts: str) -> str:
    """Whole sentences, a message each, one after the other; an empty one leaves no blank."""
    return " ".join(filter(None, parts))


def hook_words(forbidden: int) -> str:
    """A sentence on why the last one may not bid this."""
    text = gettext("You can’t bid %(n)d: you bid last, and the total can’t be 8.")
    return text % {"n": forbidden}


def call_words(call: Call) -> str:
    """E.g. "2 stars"."""
    return _call_words(call, get_language())


@lru_cache(maxsize=100)
def _call_words(call: Call, _language: str) -> str:
    number = call.number
    words = {
        Shape.BALL: ngettext("%(n)d ball", "%(n)d balls", number),
        Shape.CUBE: ngettext("%(n)d cube", "%(n)d cubes", number),
        Shape.CONE: ngettext("%(n)d cone", "%(n)d cones", number),
        Shape.STAR: ngettext("%(n)d star", "%(n)d stars", number),
    }
    return words[call.shape] % {"n": number}


def card_words(card: Card) -> str:
    """E.g. "9: 1 ball, 3 cubes, 3 cones, 2 stars"."""
    return _card_words(card, get_language())


@lru_cache(maxsize=1000)
def _card_words(card: Card, _language: str) -> str:
    return f"{card.value}{colon()}" + ", ".join(map(call_words, card.calls))


def move_words(name: str, text: str, call: Call | None = None, *, is_you: bool = False) -> str:
    """A move in one short sentence, for who listens: "Ada leads the 8: 2 stars."; of a card
    that answers a ``call``, whether it can win: "Emmy’s 5 follows."."""
    return _move_words(name, text, call, is_you, get_language())


@lru_cache(maxsize=1000)
def _move_words(name: str, text: str, call: Call | None, is_you: bool, _language: str) -> str:
    move = parse_move(text)
    if isinstance(move, Bid):
        words = gettext("You bid %(bid)d.") if is_you else gettext("%(name)s bids %(bid)d.")
        return words % {"name": name, "bid": move.number}
    facts = {"name": name, "n": move.card.value}
    if move.call is not None:
        words = (
            gettext("You lead the %(n)d: %(call)s.")
            if is_you
            else gettext("%(name)s leads the %(n)d: %(call)s.")
        )
        return words % {**facts, "call": call_words(move.call)}
    if call is None or move.card.shows(call):
        words = (
            gettext("Your %(n)d follows.") if is_you else gettext("%(name)s’s %(n)d follows.")
        )
    else:
        words = (
            gettext("Your %(n)d can’t win.")
            if is_you
            else gettext("%(name)s’s %(n)d can’t win.")
        )
    return words % facts


def taker_words(name: str, trick: Trick, *, is_you: bool = False) -> str:
    """A sentence on who takes a finished trick: "Carl takes it."; with its last card, which
    nobody has heard of yet: "Carl’s 9 takes it."."""
    if is_you:
        return gettext("You take it.")
    seat, card = trick.plays[-1]
    words = gettext("%(name)s takes it.")
    if seat == trick.winner:
        words = gettext("%(name)s’s %(n)d takes it.")
    return words % {"name": name, "n": card.value}


def outcome_words(bid: int | None, taken: int, points: str) -> str:
    """A sentence on what a round came to for who reads it, with these words for its points;
    without bids it tells the tricks alone."""
    if bid is None:
        return gettext("You took %(tricks)s.") % {"tricks": tricks_words(taken, 0)}
    words = gettext("You bid %(bid)d and took %(taken)d: %(points)s.")
    return words % {"bid": bid, "taken": taken, "points": points}


def short_outcome_words(bid: int | None, taken: int) -> str:
    """What a round came to for anybody, in short: "bid 2, took 3"."""
    words = gettext("took %(taken)d") if bid is None else gettext("bid %(bid)s, took %(taken)s")
    return words % {"bid": bid, "taken": taken}


def outcome_circles(bid: int | None, taken: int) -> list[str]:
    """The same in circles, one for each trick bid or taken: full, "" where it was missed,
    over."""
    goal = taken if bid is None else bid
    made = min(taken, goal)
    return ["full"] * made + [""] * (goal - made) + ["over"] * (taken - made)
