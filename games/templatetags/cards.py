"""Cards, tricks, numerals and the name, drawn on pages as they are drawn at the table; whole
numbers of percents."""

from __future__ import annotations

from collections.abc import Sized

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from games.practice_tricks import dealt_tricks, practice_tricks
from games.rules import DECK, Call, Trick, by_value, parse_call, parse_card
from games.tables.fragments import MANY_SEATS, call_html, trick_html
from games.tables.rendering import (
    card_html,
    figurine_html,
    flourish_html,
    mark_html,
    numeral_html,
)
from games.words import in_percent

register = template.Library()
register.filter("in_percent", in_percent)


@register.simple_tag
def card(code: str) -> str:
    """One card's picture, e.g. ``{% card "1332" %}``; as wide as what it stands in."""
    return card_html(code)


@register.simple_tag
def numeral(text: object) -> str:
    """A large figure in our own numerals, e.g. ``{% numeral total %}``; words stay words."""
    return numeral_html(text)


@register.simple_tag
def mark(name: str = "") -> str:
    """The game's name as it is drawn; without a name nobody hears it, for it stands there."""
    return mark_html(name)


@register.simple_tag
def figurine(name: str) -> str:
    """The figurine that a made-up name has everywhere."""
    return figurine_html(name)


@register.filter
def crowd(seats: Sized) -> str:
    """The classes of a board by how many sit there: ``few``, or a ``crowd``, and of it
    ``many``, whose cards may be too small to show all they have."""
    if len(seats) < 5:
        return "few"
    return "crowd many" if len(seats) >= MANY_SEATS else "crowd"


@register.simple_tag
def flourish() -> str:
    """The HTML of the four solids, for a script to throw."""
    return flourish_html()


@register.simple_tag
def call(value: Call) -> str:
    """A call as it is drawn at the table."""
    return call_html(str(value))


@register.inclusion_tag("games/_practice_tricks.html", name="practice_tricks")
def practice_tricks_tag(
    most: int,
    way_on: str = "",
    to: str = "",
    *,
    me: str = "Carl",
    dealt: bool = False,
    again: object = "",
) -> dict[str, object]:
    """So many practice tricks one by one, a lead the last, told by the figure ``me``, then the
    ``way_on`` ``to`` what comes; without one the way to five more that are ``dealt`` by
    chance, for the ``again``-th time."""
    tricks = dealt_tricks() if dealt else practice_tricks(most)
    return {"tricks": tricks, "way_on": way_on, "to": to, "me": me, "again": again}


@register.simple_tag
def example_trick(call: str, plays: str) -> str:
    """The HTML of a finished trick, ``{% example_trick "2-star" "Ada:2312 Emmy:3222" %}``, in
    the order played; the rules say who takes it."""
    names, codes = zip(*(play.split(":") for play in plays.split()), strict=True)
    cards = tuple(enumerate(parse_card(code) for code in codes))
    return trick_html(names, Trick(leader=0, call=parse_call(call), plays=cards))


@register.simple_tag
def beating(code: str, call: str) -> list[str]:
    """The codes of the deck's cards that beat this one, led with this call, the highest first:
    a later equal card beats it, too."""
    led, called = parse_card(code), parse_call(call)
    others = (card for card in DECK if card != led and card.shows(called))
    return [card.code for card in by_value(others) if card.value >= led.value]


@register.simple_tag
def past_trick(names: tuple[str, ...], trick: Trick) -> str:
    """A finished trick as it was played."""
    return trick_html(names, trick)


@register.simple_tag
def open_trick(names: tuple[str, ...], trick: Trick) -> str:
    """A trick that nobody has taken as yet, as far as it was played."""
    return trick_html(names, trick, is_open=True)


@register.simple_tag
def deck_by_value() -> SafeString:
    """The HTML of the deck in stacks by their value, from 4 to 12; a press shows a stack's."""
    stacks = [
        (
            ngettext(
                "The %(n)d card of value %(value)d",
                "The %(n)d cards of value %(value)d",
                len(cards),
            )
            % {"n": len(cards), "value": value},
            value,
            format_html_join("", "{}", ((card_html(c.code),) for c in cards)),
        )
        for value in range(4, 13)
        if (cards := [card for card in DECK if card.value == value])
    ]
    stack = (
        '<div><button data-opens="sheet-stack" aria-label="{}">{}</button>'
        '<div aria-hidden="true">{}</div></div>'
    )
    return format_html_join("", stack, stacks)
