"""What graphs and their axes are called, as the page ``graph-names`` has it."""

from __future__ import annotations

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules import Call
from games.words import call_words, whole
from lessons.measures.page import page, positional
from lessons.studio.settings import BIDS, Of, Settings, Show, name_of


def words(settings: Settings) -> dict[str, str]:
    """What to call a graph and its axes: the ``title``, ``x_name`` of the axis below, what is
    counted (``items``), their ``number`` and ``share``."""
    wording, facts = page("graph-names"), _setting_facts(settings)
    counted: dict[str, str] = {}
    for line in wording.of("name", facts):
        counted[positional(line)[0]] = wording.text(line, {**facts, **counted})
    (x_name,) = wording.texts("x", facts)
    (title,) = wording.texts("title", {**facts, "x": x_name})
    return {"title": title, "x_name": x_name, **counted}


def _setting_facts(settings: Settings) -> dict[str, Any]:
    return {
        "show": settings.show.value,
        "samples": settings.of is Of.SAMPLES,
        "what": capfirst(name_of(settings.show)),
        "value": capfirst(name_of(Show.VALUE)),
        "of": population(settings),
        "shapes": name_of(settings.shape),
        "call": call_words(Call(settings.shape, settings.count)),
        "least": settings.least,
        "size": settings.size,
        "kind": _counted_words(settings),
        "mine": settings.of is Of.MINE,
        "bids": settings.show in BIDS,
    }


def _counted_words(settings: Settings) -> str:
    """The words for what is counted."""
    if settings.of is Of.SAMPLES:
        return "sample"
    if settings.show is Show.NUMBER:
        return "number"
    if settings.show.is_of_round:
        return "round"
    return "card" if settings.show.is_of_card else "hand"


def population(settings: Settings) -> str:
    """The cards or hands that a graph is of, in words; simulated hands with their number."""
    if settings.is_theory:
        return _("all hands")
    if settings.of is Of.DEALT:
        return ngettext("%(in_words)s hand", "%(in_words)s hands", settings.hands) % {
            "in_words": whole(settings.hands)
        }
    if settings.of is Of.SAMPLES:
        return ngettext("%(in_words)s sample", "%(in_words)s samples", settings.hands) % {
            "in_words": whole(settings.hands)
        }
    return name_of(settings.of)


def nothing_yet(settings: Settings) -> str:
    """What would fill an empty graph."""
    (text,) = page("graph-names").texts("empty", _setting_facts(settings))
    return text
