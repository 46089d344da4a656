"""Reactions: what people at a table may show each other. Shown once, and stored nowhere."""

from __future__ import annotations

import json
from enum import StrEnum
from functools import lru_cache

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from markupsafe import Markup

from games.tables.rendering import render
from games.tables.view import TableFacts


class Reaction(StrEnum):
    """What a seat may show, by the name of its picture in the sprite."""

    CLAP = "clap"
    WOW = "wow"
    LUCK = "luck"
    THANKS = "thanks"


REACTION_NAMES = {
    Reaction.CLAP: gettext_lazy("Well played!"),
    Reaction.WOW: gettext_lazy("Wow!"),
    Reaction.LUCK: gettext_lazy("Good luck!"),
    Reaction.THANKS: gettext_lazy("Thank you!"),
}


def offer_html(language: str, table: TableFacts) -> str:
    """The HTML of the reactions that a seat may choose from; of none, where there are none."""
    return render(language, "reactions", "offer", _names(language) if table.may_react else ())


@lru_cache
def _names(language: str) -> tuple[tuple[str, str], ...]:
    """The reactions with their names in a language; they are asked for with every move."""
    with translation.override(language):
        return tuple((one.value, str(name)) for one, name in REACTION_NAMES.items())


def reaction_html(table: TableFacts, seat: int, reaction: Reaction) -> str:
    """The HTML that shows a reaction at its seat."""
    picture = Markup(render(table.language, "reactions", "picture", reaction.value))  # noqa: S704
    shown = Markup('<i data-seat="{}" title="{}">{}</i>').format(
        seat, REACTION_NAMES[reaction], picture
    )
    return f'<div id="reactions" hx-swap-oob="beforeend">{shown}</div>'


def reaction_words(table: TableFacts, seat: int, reaction: Reaction) -> str:
    """A reaction as it is heard."""
    return _("%(name)s: %(reaction)s") % {
        "name": table.seats[seat].name,
        "reaction": REACTION_NAMES[reaction],
    }


def reaction_frame(seat: int, reaction: Reaction) -> str:
    """A reaction as programs get it."""
    return json.dumps({"type": "reaction", "seat": seat, "reaction": reaction})
