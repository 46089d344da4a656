"""What a viewer of a table is told to do now, in HTML: their moment, and what is offered."""

from __future__ import annotations

from dataclasses import replace

from games.rules import Observation
from games.tables.moments import moment_of
from games.tables.offers import Standpoint, offers_at
from games.tables.rendering import Fragments, render
from games.tables.view import TableView


def prompt_html(
    language: str,
    view: TableView,
    seat: int | None,
    own: Observation | None,
    *,
    say: str = "",
    aim: str = "",
    hints: bool = True,
    alone: bool = False,
) -> Fragments:
    """The fragments of what a viewer is told to do now; ``own`` is how they see the round, if
    it has begun. ``say`` stands in the place of the table's own sentence, heard with its
    ``aim``, and ``alone`` without what the trick asks for; without ``hints`` it is all."""
    moment = moment_of(view, own, seat)
    if say:
        moment = moment.in_words(say, aim, alone=alone)
    if not hints:
        moment = replace(moment, hint="", forbidden=None)
    offers = offers_at(Standpoint(view, seat, own, moment))
    in_class = view.class_session_id is not None
    facts = (
        moment.kind,
        moment.text,
        moment.heard,
        in_class,
        in_class and view.is_session_over,
    )
    return {
        "prompt": render(language, "prompt", "prompt", moment.kind, offers),
        "sentence": render(language, "prompt", "sentence", *facts),
    }
