"""Fragments of HTML: macros rendered once for the same facts, pictures made of them, and what
of a picture a viewer has not seen yet.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any

from django.template import engines
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext
from jinja2 import Environment
from markupsafe import Markup

from games.art import (
    MARK_HEIGHT,
    MARK_TOP,
    MARK_WIDTH,
    NUMERAL_HEIGHT,
    NUMERAL_WIDTH,
    figurine_of,
    runs,
)
from games.models import VARIANTS
from games.rules import Call, Shape, parse_call, parse_card
from games.tables.moments import Act
from games.words import call_words, card_words, signed

Fragments = dict[str, str]
"""HTML by fragment id; each value is one element with that id. It may have holes for others,
which come after it and have none."""

_HOLE = re.compile("<!--(.+?)-->")

SHAPE_NAMES = [
    ("ball", gettext_lazy("Ball")),
    ("cube", gettext_lazy("Cube")),
    ("cone", gettext_lazy("Cone")),
    ("star", gettext_lazy("Star")),
]
GAME_NAMES = dict(VARIANTS)


def environment(**options: Any) -> Environment:
    """The Jinja2 environment of the fragments: escaping on, our words, no surprises."""
    env = Environment(**options)  # noqa: S701 (Django turns escaping on)
    env.globals.update(
        _=lambda text: _translated(_now.language, text),
        ngettext=lambda one, many, n: _translated_number(_now.language, one, many, n),
        url=lambda name, args=(): address(name, *args),
        card=lambda code: _card_html(_now.language, code),
        chip=lambda call: _chip_html(_now.language, "chip", call),
        solids=lambda shape, count: _chip_html(_now.language, "solids", shape, count),
        call_words=lambda text: _words_of_call(_now.language, text),
        card_words=lambda code: card_words(parse_card(code)),
        value=lambda code: parse_card(code).value,
        called_count=_called_count,
        calls_by_shape=_calls_by_shape,
        with_minus=with_minus,
        signed=lambda points: signed(points, 0),
        gained=gained_html,
        sprite=sprite_address,
        figurine=figurine_html,
        head_of=lambda name: figurine_of(name)[0].value,
        runs=runs,
        numeral_size=(NUMERAL_WIDTH, NUMERAL_HEIGHT),
        mark_box=(0, MARK_TOP, MARK_WIDTH, MARK_HEIGHT),
        shows=shows,
        held=_hand_html,
        hole=lambda name: Markup(f"<!--{name}-->"),  # noqa: S704 (our own names)
    )
    return env


class Picture:
    """The fragments of one moment, and what is new in them to whoever saw another."""

    def __init__(self, fragments: Fragments) -> None:
        self.fragments = fragments
        self._update: tuple[Fragments, str] | None = None

    def whole(self, name: str) -> str:
        """The HTML of a fragment with its holes filled."""
        html = self.fragments[name]
        if "<!--" not in html:
            return html
        return _HOLE.sub(lambda hole: self.fragments[hole[1]], html)

    def since(self, before: Fragments) -> str:
        """The HTML of what is not as before, each element once: a whole fragment, or of its
        holes only those that changed. At a table all ask for the same, so it is remembered."""
        if self._update is None or self._update[0] is not before:
            self._update = (before, "".join(self._changed_html(before)))
        return self._update[1]

    def _changed_html(self, before: Fragments) -> Iterator[str]:
        sent: set[str] = set()
        for name, html in self.fragments.items():
            if before.get(name) != html and name not in sent:
                sent.update(_HOLE.findall(html))
                yield self.whole(name)


class _Sprite:
    """The address of the cards' pictures; asked late, when static files are collected."""

    @cached_property
    def _address(self) -> str:
        return static("games/cards.svg")

    def __html__(self) -> str:
        return self._address


sprite_address = _Sprite()


@lru_cache(maxsize=2000)
def figurine_html(name: str) -> Markup:
    """The HTML of a name's figurine, to be seen beside it; nobody hears it."""
    head, body = figurine_of(name)
    return Markup(
        '<span class="figurine on-{0}" aria-hidden="true"><svg>'
        '<use href="{2}#{0}-on-{1}"/></svg></span>'
    ).format(head.value, body.value, sprite_address)


def with_minus(points: int) -> str:
    """A number of points with a true minus sign, and no plus."""
    return f"−{-points}" if points < 0 else str(points)


@lru_cache(maxsize=100)
def gained_html(points: int | None, is_bid: bool) -> Markup:
    """The HTML of a round's points, often on the score sheet: a bid made stands out."""
    if points is None:
        return Markup("–")
    cell = Markup('<span class="made">{}</span>') if is_bid and points >= 0 else Markup("{}")
    return cell.format(with_minus(points))


def _calls_by_shape() -> list[tuple[str, list[str]]]:
    """Each shape with its three calls in words."""
    return [(s.value, [call_words(Call(s, n)) for n in (1, 2, 3)]) for s in Shape]


@lru_cache(maxsize=2000)
def address(name: str, *args: str | int) -> str:
    """A page's address, remembered."""
    return reverse(name, args=args)


@lru_cache(maxsize=2000)
def _translated(_language: str, text: str) -> str:
    return gettext(text)


@lru_cache(maxsize=2000)
def _translated_number(_language: str, one: str, many: str, n: int) -> str:
    return ngettext(one, many, n)


@lru_cache(maxsize=32)
def _macro(template: str, name: str) -> Callable[..., str]:
    """The macro of this name in a template of the table's, as a function."""
    env: Environment = engines["fragments"].env  # type: ignore[attr-defined]
    macro: Callable[..., str] = getattr(env.get_template(f"_{template}.html").module, name)
    return macro


class _Now(threading.local):
    """The language that this thread renders in; asking Django forty times a move costs."""

    language = "en"


_now = _Now()


@lru_cache(maxsize=10_000)
def render(
    language: str, template: str, name: str, /, *facts: Hashable, **named: Hashable
) -> str:
    """A macro's HTML for these facts, remembered: most of a table stays as it was."""
    _now.language = language
    return str(_macro(template, name)(*facts, **named))


@lru_cache(maxsize=500)
def _card_html(language: str, code: str) -> Markup:
    return Markup(render(language, "card", "card", code))  # noqa: S704 (escaped there)


@lru_cache(maxsize=500)
def _chip_html(language: str, name: str, *facts: Hashable) -> Markup:
    """A call as it is drawn, or its solids alone: there are but twelve, and all show some."""
    return Markup(render(language, "chip", name, *facts))  # noqa: S704 (escaped there)


def _hand_html(codes: Sequence[str], kind: str, legal: Sequence[str], meant: str) -> Markup:
    """The HTML of a hand's cards: choices, or what may not be chosen, or only to be seen; the
    one that a position was about (``meant``) is raised."""
    cards = []
    for code in codes:
        may = "see" if kind in ("", Act.BID) else "choose"
        if kind == Act.FOLLOW and code not in legal:
            may = "not"
        elif code == meant:
            may = "meant"
        cards.append(render(_now.language, "card", "held", code, may))
    return Markup("".join(cards))  # noqa: S704 (escaped there)


@lru_cache(maxsize=100)
def _words_of_call(_language: str, text: str) -> str:
    return call_words(parse_call(text))


@lru_cache(maxsize=1000)
def shows(code: str, call: str) -> bool:
    """Whether a card shows a call, both in notation."""
    return parse_card(code).shows(parse_call(call))


def _called_count(code: str, call: str) -> int:
    return parse_card(code).counts[parse_call(call).shape.position]


def numeral_html(text: object) -> Markup:
    """A text whose numbers are drawn in our numerals, and read as they stand."""
    return Markup(render(get_language(), "numerals", "numeral", str(text)))  # noqa: S704


def mark_html(name: str = "") -> Markup:
    """The name of the game, drawn; to be heard as this, or not at all."""
    return Markup(render(get_language(), "numerals", "mark", name))  # noqa: S704


def flourish_html() -> Markup:
    """The four solids side by side, which are thrown where something was made."""
    return Markup(render(get_language(), "result", "flourish"))  # noqa: S704


def card_html(code: str) -> Markup:
    """A card's face: value and counts to see, one sentence to hear."""
    return _card_html(get_language(), code)
